//! Windows: operands that are read along sums of loops, as images by convolutions and pooling, and slices.
//!
//! Before: `linalg.generic ins(%x : tensor<1x16x16x8xf16>, …)`, which reads `%x` at `(n, h * 2 + i, w * 2 + j, c)`
//! After:
//!
//! ```mlir
//! %v = linalg.generic ins(%x) outs(%empty : tensor<1x7x3x7x3x8xf16>)  // a copy: %v[n, h, i, w, j, c] = %x[n, h * 2 + i, …]
//! linalg.generic ins(%v, …)                                          // reads %v at (n, h, i, w, j, c)
//! ```
//!
//! The copy is never made: where `%x` is in memory, `%v` is the same memory with one stride for each loop, so that the
//! same element stands in it several times. `vectorize` makes it a `memref.reinterpret_cast`. What reads it is a product
//! or a reduction like any other, and tiles, masks and matrix instructions are the same for all.
//!
//! A slice is such a view, too, also where only the run knows its place, and so is a padded tensor: its memory begins where
//! the first element would stand, and what is not [`Inside`] of the tensor is masked where it is read.
//!
//! Does not touch operands whose extents are not known, or maps with terms that fall.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed, SliceView};
use raddle_ir::{Attr, AttrId, Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, Type, TypeId, ValueId};

use crate::code::extents::row_major;
use crate::structured::body;
use crate::structured::generalize::{copy_along, make_generic};
use crate::structured::moves::{numbers, padding, padding_constant};
use crate::structured::space::grows;

/// Lets structured operations of a function read windows through views.
pub(crate) fn expand(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        let Some(linalg) = Linalg::try_of(ir, op).filter(|_| !is_window(ir, op)) else { continue };
        let views: Vec<Option<View>> = (0..linalg.inputs.len()).map(|i| View::of_input(ir, &linalg, i)).collect();
        if views.iter().all(Option::is_none) {
            continue;
        }
        let op = make_generic(ir, op).unwrap_or(op);
        let mut linalg = Linalg::of(ir, op);
        for (i, view) in views.into_iter().enumerate() {
            let Some(view) = view else { continue };
            linalg.maps[i] = Map::of_dims(linalg.reduction.len(), &view.loops);
            linalg.inputs[i] = copy_along(&mut Builder::before(ir, op), linalg.inputs[i], view.map, &view.shape);
        }
        let maps = linalg.maps.into_iter().map(|map| ir.intern(Attr::Map(map))).collect();
        let maps = ir.intern(Attr::Array(maps));
        ir.set_attr(op, "indexing_maps", maps);
        ir.set_operands(op, &[linalg.inputs, linalg.outputs].concat());
    }
}

/// Whether an operation is a view: a copy along sums of loops into a new tensor, a slice, or a tensor that is padded by a
/// constant, that structured operations read.
pub(crate) fn is_window(ir: &Ir, op: OpId) -> bool {
    View::of_op(ir, op).is_some() && ir.uses(ir.result(op, 0)).all(|(user, operand)| reads(ir, user, operand))
}

/// Whether who uses a view reads it in place, or is a view of it that is.
pub(crate) fn reads(ir: &Ir, user: OpId, operand: usize) -> bool {
    let Some(op) = ir.def_op(ir.operand(user, operand)) else { return false };
    // Copies of a product's tiles run ahead where rows are whole or not there; others had better be padded first.
    let is_padded = ir.opcode(op) == Opcode::TensorPad
        && ir.shape_of(ir.operand(op, 0)).last() != ir.shape_of(ir.result(op, 0)).last();
    let is_product = |user: &Linalg| {
        user.inputs.len() > 1 && user.reduction.contains(&true) && user.maps[operand].as_dims().is_some()
    };
    let reader =
        Linalg::try_of(ir, user).is_some_and(|user| operand < user.inputs.len() && !(is_padded && is_product(&user)));
    let is_view = matches!(ir.opcode(user), Opcode::TensorExpandShape | Opcode::TensorPad) && is_window(ir, user);
    reader || is_view || ir.opcode(user) == Opcode::TensorExtractSlice
}

/// The dimensions of what a slice is a part of that its result has: of those of one element, some may be missing.
fn dims_of_slice(sizes: &[i64], shape: &[i64]) -> Option<Vec<usize>> {
    let mut kept = Vec::new();
    for (at, &size) in sizes.iter().enumerate() {
        let is_spare = sizes.len() - at > shape.len() - kept.len();
        if !(size == 1 && is_spare && shape.get(kept.len()) != Some(&1)) {
            kept.push(at);
        }
        if kept.len() > shape.len() {
            return None;
        }
    }
    (kept.len() == shape.len()).then_some(kept)
}

/// Whether an operation stands in a loop of a kernel: loops of the host are in functions that state no workgroup.
fn in_tile(ir: &Ir, op: OpId) -> bool {
    let around = std::iter::successors(ir.parent_op(op), |&op| ir.parent_op(op));
    let mut is_nested = false;
    for op in around {
        match ir.opcode(op) {
            Opcode::ScfForall => return true,
            Opcode::FuncFunc => return is_nested && ir.attr(op, "translation_info").is_some(),
            _ => is_nested = true,
        }
    }
    false
}

/// Whether a map leads along distinct loops.
fn is_list(map: &Map) -> bool {
    map.as_dims().is_some_and(|dims| (0..dims.len()).all(|i| !dims[..i].contains(&dims[i])))
}

/// The loops of an operation in the order in which it goes through the memory of an operand, below views. Loops that are
/// reduced and go through a window about the place of another one, whose windows are at most [`NEAR`] apart, are none of
/// them.
pub(crate) fn loops_along(ir: &Ir, linalg: &Linalg, operand: usize) -> Option<Vec<usize>> {
    Some(memory_loops(ir, linalg, operand)?.0)
}

/// Elements between windows that neighbours had better read together.
const NEAR: i64 = 4;

/// Whether windows lie along the last dimension of an operand's memory.
pub(crate) fn has_windows_in_rows(ir: &Ir, linalg: &Linalg, operand: usize) -> bool {
    memory_loops(ir, linalg, operand).is_some_and(|(_, in_rows)| in_rows)
}

fn memory_loops(ir: &Ir, linalg: &Linalg, operand: usize) -> Option<(Vec<usize>, bool)> {
    let value = *linalg.inputs.iter().chain(&linalg.outputs).nth(operand).expect("each map is an operand's");
    let dims = linalg.maps[operand].as_dims()?;
    let Some(view) = ir.def_op(value).filter(|&def| is_window(ir, def)).and_then(|def| View::of_op(ir, def)) else {
        return Some((dims, false));
    };
    let (mut loops, mut in_rows) = (Vec::new(), false);
    for place in &view.map.results {
        let along: Vec<usize> = (0..dims.len()).filter(|&d| place.names(&|e| e == d)).map(|d| dims[d]).collect();
        let at = |view_dim: Option<usize>| {
            let place_of = |d: usize| i64::from(Some(d) == view_dim);
            place.eval(&(0..dims.len()).map(place_of).collect::<Vec<_>>(), &[])
        };
        let step = |loop_: usize| Some(at(dims.iter().position(|&d| d == loop_))? - at(None)?);
        let kept: Vec<usize> = along.iter().copied().filter(|&d| !linalg.reduction[d]).collect();
        let is_near = kept.iter().all(|&d| step(d).is_some_and(|step| step <= NEAR));
        in_rows = !kept.is_empty() && kept.len() < along.len() && is_near;
        loops.extend(if in_rows { kept } else { along });
    }
    Some((loops, in_rows))
}

/// Whether an operation is a view if it is structured operations that read it.
pub(crate) fn is_view(ir: &Ir, op: OpId) -> bool {
    View::of_op(ir, op).is_some()
}

/// What must hold of a place of a view, so that there is an element.
#[derive(Clone)]
pub(crate) struct Inside {
    /// A sum of the dimensions of the view.
    pub place: Expr,
    /// It is at least 0, and less than this.
    pub extent: i64,
}

/// The memory of a view of a memref.
pub(crate) struct Part {
    /// The whole buffer.
    pub base: ValueId,
    /// The type of the part.
    pub ty: TypeId,
    /// Its first element, if only the run knows that: a number and so many times each of some indices.
    pub moved: Option<(i64, Vec<(ValueId, i64)>)>,
    /// Where it has elements; elsewhere there is padding.
    pub inside: Vec<Inside>,
    /// The padding that this view adds, as a constant's attribute.
    pub padding: Option<AttrId>,
}

/// The memory of a view of a memref that has elements where `inside` holds.
pub(crate) fn part_of(ir: &mut Ir, op: OpId, base: ValueId, inside: &[Inside]) -> Option<Part> {
    let view = View::of_op(ir, op)?;
    let padding = padding_constant(ir, op);
    let last: Vec<i64> = view.shape.iter().map(|&extent| extent.max(1) - 1).collect();
    let first = vec![0; last.len()];
    // Places only grow with each dimension.
    let may_leave = |inside: &Inside| {
        let at = |point: &[i64]| inside.place.eval(point, &[]);
        at(&first).is_none_or(|at| at < 0) || at(&last).is_none_or(|at| at >= inside.extent)
    };
    let seen = |old: &Inside| Inside { place: old.place.replaced(&view.map.results, &[]), extent: old.extent };
    let mut all: Vec<Inside> = inside.iter().map(seen).collect();
    if padding.is_some() {
        let places = view.map.results.iter().zip(ir.shape_of(base));
        all.extend(places.map(|(place, &extent)| Inside { place: place.clone(), extent }));
    }
    all.retain(may_leave);
    let Type::MemRef { shape, elem, layout, space } = ir.ty(base).clone() else { return None };
    let (first, units) = match layout.map(|layout| &ir[layout]) {
        None => (0, row_major(&shape)),
        Some(Attr::Strided { offset, strides }) => (*offset, strides.clone()),
        Some(_) => return None,
    };
    let (offset, strides) = view.place(&units)?;
    let moved: Vec<(ValueId, i64)> = view.moved.iter().map(|&(d, index)| (index, units[d])).collect();
    let is_known = moved.is_empty() && first != DYNAMIC;
    // Where there is padding is told by numbers.
    if !moved.is_empty() && !inside.is_empty() {
        return None;
    }
    let place = if first == DYNAMIC { offset } else { first.checked_add(offset)? };
    let layout = ir.intern(Attr::Strided { offset: if is_known { place } else { DYNAMIC }, strides });
    let ty = ir.intern_type(Type::MemRef { shape: view.shape, elem, layout: Some(layout), space });
    // A view of a view is one of the whole.
    let whole = ir.def_op(base).map_or(base, |def| ir.operand(def, 0));
    Some(Part { base: whole, ty, moved: (!is_known).then_some((place, moved)), inside: all, padding })
}

/// An operand as it is seen from the loops that it is read along.
struct View {
    /// Each loop once, in the order of the dimensions of the view.
    loops: Vec<usize>,
    /// How long each is.
    shape: Vec<i64>,
    /// Where the loops lead in the operand, numbered as they are here.
    map: Map,
    /// Dimensions of the operand along which all of it lies further on, by an index that only the run knows.
    moved: Vec<(usize, ValueId)>,
}

impl View {
    /// How a structured operation sees an input, if its map is not a list of loops.
    fn of_input(ir: &Ir, linalg: &Linalg, input: usize) -> Option<View> {
        let (value, map) = (linalg.inputs[input], &linalg.maps[input]);
        let shape = ir.shape_of(value);
        if is_list(map) || !ir.ty(value).is_tensor() || shape.contains(&DYNAMIC) || !map.results.iter().all(grows) {
            return None;
        }
        let extents = linalg.extents(ir);
        let mut loops: Vec<usize> = Vec::new();
        for expr in &map.results {
            // The loop with the longest steps first, as in memory.
            let mut named: Vec<usize> =
                (0..extents.len()).filter(|d| !loops.contains(d) && expr.names(&|other| other == *d)).collect();
            named.sort_by_key(|&d| std::cmp::Reverse(step(expr, d, extents.len())));
            loops.extend(named);
        }
        let stated = |d: usize| linalg.maps.iter().any(|map| map.results.contains(&Expr::Dim(d as u32)));
        if !loops.iter().all(|&d| stated(d) && extents[d] >= 1) {
            return None;
        }
        let last: Vec<i64> = extents.iter().map(|&n| n.max(1) - 1).collect();
        let inside = |(expr, &extent): (&Expr, &i64)| expr.eval(&last, &[]).is_some_and(|at| at < extent);
        if !map.results.iter().zip(shape).all(inside) {
            return None;
        }
        let number = |d: usize| loops.iter().position(|&own| own == d).unwrap_or(0) as u32;
        let places: Vec<Expr> = (0..extents.len()).map(|d| Expr::Dim(number(d))).collect();
        let results = map.results.iter().map(|expr| expr.replaced(&places, &[])).collect();
        let map = Map { dims: loops.len() as u32, syms: 0, results };
        Some(View { shape: loops.iter().map(|&d| extents[d]).collect(), loops, map, moved: Vec::new() })
    }

    /// The view that an operation makes of its first operand.
    fn of_op(ir: &Ir, op: OpId) -> Option<View> {
        match ir.opcode(op) {
            Opcode::LinalgGeneric => View::of_copy(ir, op),
            Opcode::TensorExtractSlice => View::of_slice(ir, op),
            Opcode::TensorExpandShape => View::of_expanded(ir, op),
            Opcode::TensorPad => View::of_padded(ir, op),
            _ => None,
        }
    }

    /// A copy into a new tensor, whose dimensions are the loops.
    fn of_copy(ir: &Ir, op: OpId) -> Option<View> {
        let linalg = Linalg::of(ir, op);
        let (&[_], &[output]) = (&linalg.inputs[..], &linalg.outputs[..]) else { return None };
        let is_new = ir.def_op(output).is_some_and(|def| ir.opcode(def) == Opcode::TensorEmpty);
        if !body::copies_input(ir, op) || !is_new || !linalg.maps[1].is_identity() {
            return None;
        }
        let view = View::of_input(ir, &linalg, 0)?;
        let identity = Map::identity(linalg.reduction.len());
        let map = Map { results: linalg.maps[0].results.clone(), ..identity };
        let loops: Vec<usize> = (0..linalg.reduction.len()).collect();
        (view.loops.len() == loops.len()).then(|| View { shape: linalg.extents(ir), loops, map, moved: Vec::new() })
    }

    /// A slice outside of tiles, whose sizes and strides are numbers.
    fn of_slice(ir: &Ir, op: OpId) -> Option<View> {
        let slice = SliceView::of(ir, op);
        let shape = ir.shape_of(ir.result(op, 0)).to_vec();
        let (sizes, strides) = (numbers(&slice.sizes)?, numbers(&slice.strides)?);
        // How long a tensor is along its first dimension has no part in where elements lie.
        let is_open = ir.shape_of(slice.base).iter().skip(1).any(|&extent| extent == DYNAMIC);
        let in_forall = ir.parent_op(op).is_some_and(|parent| ir.opcode(parent) == Opcode::ScfForall);
        let is_known = numbers(&slice.offsets).is_some();
        if in_forall || !is_known && in_tile(ir, op) || is_open || strides.iter().any(|&n| n < 1) {
            return None;
        }
        let kept = dims_of_slice(&sizes, &shape)?;
        let place = |at: usize| {
            let place = kept.iter().position(|&d| d == at).map_or(Expr::Const(0), |d| Expr::Dim(d as u32));
            let scaled = Expr::binary(BinOp::Mul, place, Expr::Const(strides[at]));
            let first = if let Mixed::Static(first) = slice.offsets[at] { first } else { 0 };
            Expr::binary(BinOp::Add, scaled, Expr::Const(first))
        };
        let results = (0..sizes.len()).map(place).collect();
        let index =
            |(d, offset): (usize, &Mixed)| if let Mixed::Value(index) = *offset { Some((d, index)) } else { None };
        let moved = slice.offsets.iter().enumerate().filter_map(index).collect();
        let map = Map { dims: shape.len() as u32, syms: 0, results };
        Some(View { loops: (0..shape.len()).collect(), shape, map, moved })
    }

    /// A tensor that has so many more elements in front and behind, all of them the same constant.
    fn of_padded(ir: &Ir, op: OpId) -> Option<View> {
        let (source, shape) = (ir.operand(op, 0), ir.shape_of(ir.result(op, 0)).to_vec());
        let [low, high] = padding(ir, op).map(|list| numbers(&list));
        let (low, high) = (low?, high?);
        if shape.contains(&DYNAMIC) || ir.shape_of(source).contains(&DYNAMIC) {
            return None;
        }
        padding_constant(ir, op)?;
        // An empty tensor has no memory that the view could be of.
        if low.iter().chain(&high).any(|&n| n < 0) || ir.shape_of(source).contains(&0) {
            return None;
        }
        let place = |(d, &low): (usize, &i64)| {
            Expr::binary(BinOp::Add, Expr::Dim(d as u32), Expr::Const(low.checked_neg().unwrap_or_default()))
        };
        let results = low.iter().enumerate().map(place).collect();
        let map = Map { dims: shape.len() as u32, syms: 0, results };
        Some(View { loops: (0..shape.len()).collect(), shape, map, moved: Vec::new() })
    }

    /// A tensor with several dimensions for one.
    fn of_expanded(ir: &Ir, op: OpId) -> Option<View> {
        let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
        let shape = ir.shape_of(result).to_vec();
        if shape.contains(&DYNAMIC) || ir.shape_of(source).contains(&DYNAMIC) {
            return None;
        }
        let Attr::Array(groups) = ir.attr(op, "reassociation")? else { return None };
        let mut results = Vec::new();
        for &group in groups {
            let mut place = Expr::Const(0);
            for d in ir.ints(group)? {
                let d = usize::try_from(d).ok()?;
                let scaled = Expr::binary(BinOp::Mul, place, Expr::Const(*shape.get(d)?));
                place = Expr::binary(BinOp::Add, scaled, Expr::Dim(d as u32));
            }
            results.push(place);
        }
        let map = Map { dims: shape.len() as u32, syms: 0, results };
        Some(View { loops: (0..shape.len()).collect(), shape, map, moved: Vec::new() })
    }

    /// The place of the first element and the distance of neighbours, where the operand's dimensions have these distances.
    fn place(&self, units: &[i64]) -> Option<(i64, Vec<i64>)> {
        let n = self.shape.len();
        let (mut offset, mut strides) = (0i64, vec![0i64; n]);
        for (expr, &unit) in self.map.results.iter().zip(units) {
            offset = offset.checked_add(expr.eval(&vec![0; n], &[])?.checked_mul(unit)?)?;
            for (d, stride) in strides.iter_mut().enumerate() {
                *stride = stride.checked_add(step(expr, d, n)?.checked_mul(unit)?)?;
            }
        }
        Some((offset, strides))
    }
}

/// How far a sum goes with one step of a loop.
fn step(expr: &Expr, d: usize, n_loops: usize) -> Option<i64> {
    let mut place = vec![0; n_loops];
    let first = expr.eval(&place, &[])?;
    place[d] = 1;
    Some(expr.eval(&place, &[])? - first)
}
