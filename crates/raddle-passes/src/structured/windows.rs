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
//! Where only the run knows extents, sizes and strides are values.
//!
//! An operand whose map is not a sum of loops that grow, such as one that is read from its end, is read element by
//! element in the body.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed, SliceView, mixed, unmixed};
use raddle_ir::{Attr, AttrId, Builder, DYNAMIC, Def, Expr, Ir, Map, OpId, Opcode, Type, TypeId, ValueId, ValueMap};
use raddle_layout::sort::sort_by_key;

use crate::structured::body;
use crate::structured::generalize::{at_loops, body_of, copy_along, generic, loop_index, make_generic};
use crate::structured::moves::{numbers, padding, padding_constant};
use crate::structured::sizes::{mixed_extent, mixed_loop};
use crate::structured::space::grows;

/// The mark of a collapse of a whole argument, static, that its kernel carries out: it reads the same memory.
pub(crate) const RUN: &str = "raddle.run";

/// Multiplications and additions of a product that reads windows for which a GPU starts another kernel, which writes them
/// out as rows of a matrix, or the image with its channels last.
pub(crate) const WORTH_A_KERNEL: i64 = 1 << 22;

/// Lets structured operations of a function read windows through views.
pub(crate) fn expand(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        let Some(linalg) = Linalg::try_of(ir, op).filter(|_| !is_window(ir, op)) else { continue };
        let (op, linalg) = without_ones(ir, op, linalg);
        let views: Vec<Option<View>> = (0..linalg.inputs.len()).map(|i| View::of_input(ir, &linalg, i)).collect();
        let read: Vec<usize> = (0..views.len()).filter(|&i| views[i].is_none() && is_odd(ir, &linalg, i)).collect();
        if views.iter().all(Option::is_none) && read.is_empty() {
            continue;
        }
        let op = make_generic(ir, op).unwrap_or(op);
        let mut linalg = Linalg::of(ir, op);
        for (i, view) in views.into_iter().enumerate() {
            let Some(view) = view else { continue };
            let builder = &mut Builder::before(ir, op);
            let extent =
                |&d: &usize| mixed_loop(builder, &linalg, d).expect("an operand lies along each loop of a view");
            let sizes: Vec<Mixed> = view.loops.iter().map(extent).collect();
            linalg.maps[i] = Map::of_dims(linalg.reduction.len(), &view.loops);
            linalg.inputs[i] = copy_along(builder, linalg.inputs[i], view.map, &sizes);
        }
        let maps = linalg.maps.into_iter().map(|map| ir.intern(Attr::Map(map))).collect();
        let maps = ir.intern(Attr::Array(maps));
        ir.set_attr(op, "indexing_maps", maps);
        ir.set_operands(op, &[linalg.inputs, linalg.outputs].concat());
        let _ = read_in_body(ir, op, &read);
    }
}

/// An operation whose windows of one place are places: a loop of one iteration adds nothing to another one, which is then
/// as long as the tensor.
fn without_ones(ir: &mut Ir, op: OpId, mut linalg: Linalg) -> (OpId, Linalg) {
    let extents = linalg.extents(ir);
    let is_stated = |d: usize| linalg.maps.iter().any(|map| map.results.contains(&Expr::Dim(d as u32)));
    let loops: Vec<Expr> = (0..extents.len())
        .map(|d| if extents[d] == 1 && is_stated(d) { Expr::Const(0) } else { Expr::Dim(d as u32) })
        .collect();
    let values: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
    let mut is_less = false;
    for (map, value) in linalg.maps.iter_mut().zip(values) {
        let place = |expr: &Expr| match expr {
            Expr::Dim(_) => expr.clone(),
            expr => expr.replaced(&loops, &[]).simplified(),
        };
        let places = Map { results: map.results.iter().map(place).collect(), ..*map };
        let is_whole = |(expr, &extent): (&Expr, &i64)| match expr {
            Expr::Dim(d) => extent != DYNAMIC && extents[*d as usize] == extent,
            _ => false,
        };
        let changed = map.results.iter().zip(&places.results).zip(Linalg::shape(ir, value));
        let are_whole = changed.filter(|((old, new), _)| old != new).all(|((_, new), extent)| is_whole((new, extent)));
        if !is_list(map) && is_list(&places) && are_whole {
            (*map, is_less) = (places, true);
        }
    }
    if !is_less {
        return (op, linalg);
    }
    let op = make_generic(ir, op).unwrap_or(op);
    let maps = linalg.maps.iter().map(|map| ir.intern(Attr::Map(map.clone()))).collect();
    let maps = ir.intern(Attr::Array(maps));
    ir.set_attr(op, "indexing_maps", maps);
    (op, Linalg::of(ir, op))
}

/// Whether an input is a tensor that is read along other ways than loops.
fn is_odd(ir: &Ir, linalg: &Linalg, input: usize) -> bool {
    ir.ty(linalg.inputs[input]).is_tensor() && !is_list(&linalg.maps[input])
}

/// Lets the body of an operation read some of its inputs, which are then none.
fn read_in_body(ir: &mut Ir, op: OpId, read: &[usize]) -> Option<()> {
    let linalg = Linalg::of(ir, op);
    let operands: Vec<ValueId> = linalg.inputs.iter().chain(&linalg.outputs).copied().collect();
    let kept: Vec<usize> = (0..operands.len()).filter(|at| !read.contains(at)).collect();
    let stated = |d: usize| kept.iter().any(|&at| linalg.maps[at].results.contains(&Expr::Dim(d as u32)));
    if read.is_empty() || !(0..linalg.reduction.len()).all(stated) {
        return None;
    }
    let old = ir.entry(op);
    let args = ir.args(old).to_vec();
    let builder = &mut Builder::before(ir, op);
    let n_inputs = linalg.inputs.len() - read.len();
    let left = Linalg {
        inputs: kept[..n_inputs].iter().map(|&at| operands[at]).collect(),
        outputs: linalg.outputs.clone(),
        maps: kept.iter().map(|&at| linalg.maps[at].clone()).collect(),
        reduction: linalg.reduction.clone(),
    };
    let new = generic(builder, &left, &[]);
    let elems: Vec<TypeId> = kept.iter().map(|&at| builder.ir.type_of(args[at])).collect();
    body_of(builder, new, &elems, |body, given| {
        let mut map = ValueMap::default();
        for (&at, &arg) in kept.iter().zip(given) {
            map.set(args[at], arg);
        }
        let loops: Vec<ValueId> = (0..linalg.reduction.len()).map(|d| loop_index(body, d)).collect();
        for &at in read {
            let places: Vec<ValueId> =
                linalg.maps[at].results.iter().map(|place| at_loops(body, place, &loops)).collect();
            let elem = body.ir.type_of(args[at]);
            let value = body.value(Opcode::TensorExtract, &[&[operands[at]], &places[..]].concat(), elem, &[]);
            map.set(args[at], value);
        }
        let inner = body.ir.ops_of(old);
        let (&end, inner) = inner.split_last().expect("a verified region has a terminator");
        for &op in inner {
            body.copy(op, &mut map);
        }
        body.ir.operands(end).iter().map(|&value| map.get(value)).collect()
    });
    for (old, new) in ir.results(op).zip(ir.results(new)).collect::<Vec<_>>() {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
    Some(())
}

/// Whether an operation is a view: a copy along sums of loops into a new tensor, a slice, or a tensor that is padded by a
/// constant, that structured operations read.
pub(crate) fn is_window(ir: &Ir, op: OpId) -> bool {
    (View::of_op(ir, op).is_some() || is_run(ir, op))
        && ir.uses(ir.result(op, 0)).all(|(user, operand)| reads(ir, user, operand))
}

/// Whether an operation says of neighbouring dimensions of an argument that they are one, and is marked to be a view.
pub(crate) fn is_run(ir: &Ir, op: OpId) -> bool {
    let is_argument = |value: ValueId| matches!(ir.def(value), Def::Arg { .. });
    ir.opcode(op) == Opcode::TensorCollapseShape && ir.attr(op, RUN).is_some() && is_argument(ir.operand(op, 0))
}

/// Whether who uses a view reads it in place, or is a view of it that is.
pub(crate) fn reads(ir: &Ir, user: OpId, operand: usize) -> bool {
    let Some(op) = ir.def_op(ir.operand(user, operand)) else { return false };
    // Copies of a product's tiles run ahead where rows are whole or not there; others had better be padded first.
    let is_padded = ir.opcode(op) == Opcode::TensorPad
        && ir.shape_of(ir.operand(op, 0)).last() != ir.shape_of(ir.result(op, 0)).last();
    // The shape of a window is an operand that nobody reads.
    let is_read = |&i: &usize| ir.body(user, 0).is_none_or(|body| !ir.is_unused(ir.args(body)[i]));
    let is_product = |linalg: &Linalg| {
        (0..linalg.inputs.len()).filter(is_read).count() > 1
            && linalg.reduction.contains(&true)
            && linalg.maps[operand].as_dims().is_some()
    };
    let reader = Linalg::try_of(ir, user)
        .is_some_and(|linalg| operand < linalg.inputs.len() && !(is_padded && is_product(&linalg)));
    let is_view = matches!(ir.opcode(user), Opcode::TensorExpandShape | Opcode::TensorPad) && is_window(ir, user);
    // Tiles ask how long the view is that they are slices of.
    let asks = ir.opcode(user) == Opcode::TensorDim && in_tile(ir, user);
    let is_attention = matches!(ir.opcode(user), Opcode::IreeLinalgExtAttention | Opcode::IreeLinalgExtOnlineAttention)
        && (ir.opcode(op) == Opcode::TensorExtractSlice || is_expanded_padding(ir, op));
    reader || is_view || asks || is_attention || ir.opcode(user) == Opcode::TensorExtractSlice
}

/// Whether an operation gives a padded tensor several dimensions for one, so that it is equal pieces.
fn is_expanded_padding(ir: &Ir, op: OpId) -> bool {
    let is_padded = |value: ValueId| ir.def_op(value).is_some_and(|made| ir.opcode(made) == Opcode::TensorPad);
    ir.opcode(op) == Opcode::TensorExpandShape && is_padded(ir.operand(op, 0))
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

/// Whether a tensor, below its reshapes, is an argument.
pub(crate) fn is_given(ir: &Ir, value: ValueId) -> bool {
    ir.def_op(value).is_none_or(|made| is_reshape(ir, made) && is_given(ir, ir.operand(made, 0)))
}

/// Whether a tensor is a copy of windows, as a product of matrices reads them; it may have been moved and reshaped since.
pub(crate) fn is_written_out(ir: &Ir, value: ValueId) -> bool {
    let Some(made) = ir.def_op(value) else { return false };
    if is_reshape(ir, made) {
        return is_written_out(ir, ir.operand(made, 0));
    }
    let copies = |linalg: &Linalg| linalg.inputs.len() == 1 && body::copies_input(ir, made) && !is_window(ir, made);
    let copied = Linalg::try_of(ir, made).filter(copies);
    copied.is_some_and(|linalg| {
        let input = linalg.inputs[0];
        let reads_window = || ir.def_op(input).is_some_and(|def| is_window(ir, def));
        linalg.maps[0].as_dims().is_none() || reads_window() || is_written_out(ir, input)
    })
}

fn is_reshape(ir: &Ir, op: OpId) -> bool {
    matches!(ir.opcode(op), Opcode::TensorExpandShape | Opcode::TensorCollapseShape)
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

/// The loops along which neighbours lie at most so far apart in the memory of an operand that is a view.
pub(crate) fn near_loops(ir: &Ir, linalg: &Linalg, operand: usize, apart: i64) -> Vec<usize> {
    let value = linalg.inputs.iter().chain(&linalg.outputs).nth(operand).expect("each map is an operand's");
    let view = ir.def_op(*value).filter(|&def| is_window(ir, def)).and_then(|def| View::of_op(ir, def));
    let (Some(view), Some(dims)) = (view, linalg.maps[operand].as_dims()) else { return Vec::new() };
    let Some(place) = view.map.results.last() else { return Vec::new() };
    let at =
        |own: Option<usize>| place.eval(&(0..dims.len()).map(|d| i64::from(Some(d) == own)).collect::<Vec<_>>(), &[]);
    let is_near = |&d: &usize| {
        let steps = at(Some(d)).zip(at(None)).map(|(next, first)| next - first);
        steps.is_some_and(|step| (1..=apart).contains(&step))
    };
    (0..dims.len()).filter(is_near).map(|d| dims[d]).collect()
}

/// The reduced loop that goes through windows of an operand about the places of another loop.
pub(crate) fn window_about(ir: &Ir, linalg: &Linalg, operand: usize, loop_: usize) -> Option<usize> {
    let dims = linalg.maps[operand].as_dims()?;
    let view =
        ir.def_op(linalg.inputs[operand]).filter(|&def| is_window(ir, def)).and_then(|def| View::of_op(ir, def))?;
    let names = |place: &Expr, d: usize| place.names(&|e| dims[e] == d);
    let place = view.map.results.iter().find(|place| names(place, loop_))?;
    dims.iter().copied().find(|&d| linalg.reduction[d] && names(place, d))
}

/// The place of each iteration in the tensor that an operand's windows go through, as sums of loops, and the extents of that
/// tensor: outside of it, there is padding.
pub(crate) fn source(ir: &Ir, linalg: &Linalg, operand: usize) -> Option<(Vec<Expr>, Vec<i64>)> {
    let mut value = *linalg.inputs.get(operand)?;
    let mut places = linalg.maps[operand].results.clone();
    let is_pad = |def: OpId| ir.opcode(def) == Opcode::TensorPad;
    let mut def = ir.def_op(value).filter(|&def| is_window(ir, def) && !is_pad(def))?;
    loop {
        let view = View::of_op(ir, def).filter(|view| view.moved.is_empty())?;
        places = view.map.results.iter().map(|place| place.replaced(&places, &[])).collect();
        value = ir.operand(def, 0);
        match ir.def_op(value).filter(|&below| is_window(ir, below) && !is_pad(def)) {
            Some(below) => def = below,
            None => return Some((places, ir.shape_of(value).to_vec())),
        }
    }
}

/// Elements between windows that neighbours had better read together.
const NEAR: i64 = 4;

/// Whether windows lie along the last dimension of an operand's memory.
pub(crate) fn has_windows_in_rows(ir: &Ir, linalg: &Linalg, operand: usize) -> bool {
    memory_loops(ir, linalg, operand).is_some_and(|(_, in_rows)| in_rows)
}

/// How many elements one access of an operand's memory has along a loop, a power of two up to `limit`: they lie side by
/// side, begin at a multiple of as many elements wherever the other loops stand, and are padding all or none.
pub(crate) fn access_along(ir: &Ir, linalg: &Linalg, operand: usize, along: usize, limit: i64) -> i64 {
    let extents = linalg.extents(ir);
    let mut value = *linalg.inputs.iter().chain(&linalg.outputs).nth(operand).expect("each map is an operand's");
    let mut places = linalg.maps[operand].results.clone();
    if linalg.maps[operand].as_dims().is_none() {
        return 1;
    }
    // An index that only the run knows is one more loop.
    let mut n_loops = extents.len();
    let mut padded = Vec::new();
    while let Some(def) = ir.def_op(value).filter(|&def| is_window(ir, def))
        && let Some(view) = View::of_op(ir, def)
    {
        places = view.map.results.iter().map(|place| place.replaced(&places, &[])).collect();
        for &(d, _) in &view.moved {
            places[d] = Expr::binary(BinOp::Add, places[d].clone(), Expr::Dim(n_loops as u32));
            n_loops += 1;
        }
        value = ir.operand(def, 0);
        if ir.opcode(def) == Opcode::TensorPad {
            let around = padding_around(ir, def).unwrap_or_default();
            let places = places
                .iter()
                .zip(ir.shape_of(value))
                .zip(around)
                .filter(|(_, around)| *around != (0, Mixed::Static(0)));
            padded.extend(places.map(|((place, &extent), _)| (place.clone(), extent)));
        }
    }
    let first = |place: &Expr| place.eval(&vec![0; n_loops], &[]);
    let others = |place: &Expr| -> Option<Vec<i64>> {
        let others = (0..n_loops).filter(|&d| d != along && extents.get(d) != Some(&1));
        others.map(|d| step(place, d, n_loops)).collect()
    };
    // What must be a multiple of the access.
    let numbers = || -> Option<Vec<i64>> {
        let mut numbers = Vec::new();
        for (place, extent) in padded.iter().filter(|(place, _)| place.names(&|d| d == along)) {
            numbers.extend([others(place)?, vec![first(place)?, *extent]].concat());
        }
        let (mut unit, mut own) = (1i64, 0i64);
        for (place, &extent) in places.iter().zip(ir.shape_of(value)).rev() {
            for n in [others(place)?, vec![first(place)?]].concat() {
                numbers.push(n.checked_mul(unit)?);
            }
            own = step(place, along, n_loops)?.checked_mul(unit)?.checked_add(own)?;
            // How far rows of open length are apart is asked for when they are read.
            unit = if extent == DYNAMIC { 0 } else { unit.checked_mul(extent)? };
        }
        (own == 1).then_some(numbers)
    };
    let Some(numbers) = numbers() else { return 1 };
    (0..63)
        .map(|bit| 1 << bit)
        .take_while(|&n| n <= limit && numbers.iter().all(|number| number % n == 0))
        .last()
        .unwrap_or(1)
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
    pub extent: Mixed,
}

/// The memory of a view of a memref.
pub(crate) struct Part {
    /// A memref of its own.
    pub memref: ValueId,
    /// Where it has elements; elsewhere there is padding.
    pub inside: Vec<Inside>,
    /// The padding that this view adds, as a constant's attribute.
    pub padding: Option<AttrId>,
    /// The place in the memref that it is a view of, as sums of the dimensions of the view, if these say it all.
    pub places: Option<Vec<Expr>>,
}

/// The memory of a view of a memref that has elements where `inside` holds; `values` has the kernel's numbers for those of
/// the tensors' program.
pub(crate) fn part_of(
    builder: &mut Builder<'_>,
    op: OpId,
    base: ValueId,
    inside: &[Inside],
    values: &ValueMap,
) -> Option<Part> {
    if is_run(builder.ir, op) {
        let Type::MemRef { elem, layout: None, space, .. } = *builder.ir.ty(base) else { return None };
        let shape = builder.ir.shape_of(builder.ir.result(op, 0)).to_vec();
        let sizes: Vec<Mixed> = shape.into_iter().map(Mixed::Static).collect();
        let strides = row_major(builder, &sizes)?;
        let memref = builder.reinterpret(base, Mixed::Static(0), &sizes, &strides, elem, space);
        return inside.is_empty().then_some(Part { memref, inside: Vec::new(), padding: None, places: None });
    }
    let view = View::of_op(builder.ir, op)?;
    let padding = padding_constant(builder.ir, op);
    let last: Vec<i64> = view.shape.iter().map(|&extent| extent.max(1) - 1).collect();
    let first = vec![0; last.len()];
    // Places only grow with each dimension.
    let may_leave = |inside: &Inside| {
        let at = |point: &[i64]| inside.place.eval(point, &[]);
        let Mixed::Static(extent) = inside.extent else { return true };
        let is_open = inside.place.names(&|d| view.shape[d] == DYNAMIC);
        is_open || at(&first).is_none_or(|at| at < 0) || at(&last).is_none_or(|at| at >= extent)
    };
    // Where there is padding is told by numbers.
    if !view.moved.is_empty() && !inside.is_empty() {
        return None;
    }
    let seen = |old: &Inside| Inside { place: old.place.replaced(&view.map.results, &[]), extent: old.extent };
    let mut all: Vec<Inside> = inside.iter().map(seen).collect();
    let extents: Vec<Mixed> = (0..builder.ir.shape_of(base).len()).map(|d| mixed_extent(builder, base, d)).collect();
    if padding.is_some() {
        let around = padding_around(builder.ir, op)?;
        let places = view.map.results.iter().zip(&extents).zip(around);
        let padded = places.filter(|(_, around)| *around != (0, Mixed::Static(0)));
        all.extend(padded.map(|((place, &extent), _)| Inside { place: place.clone(), extent }));
    }
    all.retain(may_leave);
    let sizes = view.sizes(builder, op, &extents, values)?;
    let Type::MemRef { elem, layout, space, .. } = *builder.ir.ty(base) else { return None };
    // A view of a view is one of the whole.
    let (whole, origin, units) = match builder.ir.def_op(base) {
        None if layout.is_none() => (base, Mixed::Static(0), row_major(builder, &extents)?),
        Some(made) if builder.ir.opcode(made) == Opcode::MemrefReinterpretCast => {
            let parts: Vec<Vec<ValueId>> = builder.ir.segments(made).iter().map(|part| part.to_vec()).collect();
            let list =
                |name: &str, part: usize| Some(mixed(&builder.ir.ints(builder.ir.attr_id(made, name)?)?, &parts[part]));
            (builder.ir.operand(made, 0), *list("static_offsets", 1)?.first()?, list("static_strides", 3)?)
        }
        _ => return None,
    };
    // The first element, and the distance of neighbours: so many times each unit.
    let n = view.shape.len();
    let mut offset = vec![(origin, 1)];
    let mut strides: Vec<Vec<(Mixed, i64)>> = vec![Vec::new(); n];
    for (place, &unit) in view.map.results.iter().zip(&units) {
        offset.push((unit, place.eval(&vec![0; n], &[])?));
        for (d, stride) in strides.iter_mut().enumerate() {
            stride.push((unit, step(place, d, n)?));
        }
    }
    for &(d, index) in &view.moved {
        let at = Mixed::Value(values.get(index));
        let unit = units[d];
        offset.push((product(builder, at, unit)?, 1));
    }
    let offset = sum_of(builder, &offset)?;
    let strides: Vec<Mixed> = strides.iter().map(|terms| sum_of(builder, terms)).collect::<Option<_>>()?;
    let memref = builder.reinterpret(whole, offset, &sizes, &strides, elem, space);
    let places = view.moved.is_empty().then_some(view.map.results);
    Some(Part { memref, inside: all, padding, places })
}

/// The memory of a slice of a row-major memref; `None` where a number of it is too large. `slice` has the kernel's numbers.
pub(crate) fn slice_of(builder: &mut Builder<'_>, base: ValueId, slice: &SliceView) -> Option<ValueId> {
    let Type::MemRef { elem, space, .. } = *builder.ir.ty(base) else { return None };
    let extents: Vec<Mixed> = (0..slice.sizes.len()).map(|d| mixed_extent(builder, base, d)).collect();
    let units = row_major(builder, &extents)?;
    let mut offset = Vec::new();
    let mut strides = Vec::new();
    for (d, &unit) in units.iter().enumerate() {
        offset.push((product(builder, slice.offsets[d], unit)?, 1));
        strides.push(product(builder, slice.strides[d], unit)?);
    }
    let offset = sum_of(builder, &offset)?;
    Some(builder.reinterpret(base, offset, &slice.sizes, &strides, elem, space))
}

/// The distance of neighbours along each dimension of a row-major buffer; `None` if one is too large for a number.
fn row_major(builder: &mut Builder<'_>, extents: &[Mixed]) -> Option<Vec<Mixed>> {
    let mut units = vec![Mixed::Static(1); extents.len()];
    for d in (1..extents.len()).rev() {
        units[d - 1] = product(builder, units[d], extents[d])?;
    }
    Some(units)
}

/// A product; `None` if it is too large for a number.
fn product(builder: &mut Builder<'_>, a: Mixed, b: Mixed) -> Option<Mixed> {
    match (a, b) {
        (Mixed::Static(a), Mixed::Static(b)) => a.checked_mul(b).map(Mixed::Static),
        (Mixed::Static(n), Mixed::Value(value)) | (Mixed::Value(value), Mixed::Static(n)) => {
            sum_of(builder, &[(Mixed::Value(value), n)])
        }
        (Mixed::Value(a), Mixed::Value(b)) => Some(Mixed::Value(builder.binary(Opcode::ArithMuli, a, b))),
    }
}

/// So many times each of some numbers, as one; `None` if it is too large for a number.
fn sum_of(builder: &mut Builder<'_>, terms: &[(Mixed, i64)]) -> Option<Mixed> {
    let (mut sum, mut number, mut values) = (Expr::Const(0), 0i64, Vec::new());
    for &(term, times) in terms {
        match term {
            Mixed::Static(term) => number = number.checked_add(term.checked_mul(times)?)?,
            Mixed::Value(_) if times == 0 => {}
            Mixed::Value(value) => {
                let d = values.iter().position(|&other| other == value).unwrap_or_else(|| {
                    values.push(value);
                    values.len() - 1
                });
                let term = Expr::binary(BinOp::Mul, Expr::Dim(d as u32), Expr::Const(times));
                sum = Expr::binary(BinOp::Add, sum, term);
            }
        }
    }
    let sum = Expr::binary(BinOp::Add, sum, Expr::Const(number)).simplified();
    Some(match sum {
        Expr::Const(number) => Mixed::Static(number),
        Expr::Dim(d) => Mixed::Value(values[d as usize]),
        sum => Mixed::Value(builder.apply(Map { dims: values.len() as u32, syms: 0, results: vec![sum] }, &values)),
    })
}

/// How many elements a tensor is padded by in front of each dimension, if these are numbers, and behind it.
fn padding_around(ir: &Ir, op: OpId) -> Option<Vec<(i64, Mixed)>> {
    let [low, high] = padding(ir, op);
    Some(numbers(&low)?.into_iter().zip(high).collect())
}

/// An operand as it is seen from the loops that it is read along.
struct View {
    /// Each loop once, in the order of the dimensions of the view.
    loops: Vec<usize>,
    /// How long each is; [`DYNAMIC`] where only the run knows.
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
        if is_list(map) || !ir.ty(value).is_tensor() || !map.results.iter().all(grows) {
            return None;
        }
        let extents = linalg.extents(ir);
        let mut loops: Vec<usize> = Vec::new();
        for expr in &map.results {
            // The loop with the longest steps first, as in memory.
            let mut named: Vec<usize> =
                (0..extents.len()).filter(|d| !loops.contains(d) && expr.names(&|other| other == *d)).collect();
            sort_by_key(&mut named, |&d| std::cmp::Reverse(step(expr, d, extents.len())));
            loops.extend(named);
        }
        let stated = |d: usize| linalg.maps.iter().any(|map| map.results.contains(&Expr::Dim(d as u32)));
        if !loops.iter().all(|&d| stated(d) && extents[d] != 0) {
            return None;
        }
        let last: Vec<i64> = extents.iter().map(|&n| n.max(1) - 1).collect();
        // Whoever runs a program of open extents gives it such that all is inside.
        let inside =
            |(expr, &extent): (&Expr, &i64)| extent == DYNAMIC || expr.eval(&last, &[]).is_some_and(|at| at < extent);
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

    /// A slice outside of tiles, whose strides are numbers.
    fn of_slice(ir: &Ir, op: OpId) -> Option<View> {
        let slice = SliceView::of(ir, op);
        let shape = ir.shape_of(ir.result(op, 0)).to_vec();
        let (sizes, strides) = (unmixed(&slice.sizes).0, numbers(&slice.strides)?);
        let in_forall = ir.parent_op(op).is_some_and(|parent| ir.opcode(parent) == Opcode::ScfForall);
        let is_known = numbers(&slice.offsets).is_some();
        if in_forall || !is_known && in_tile(ir, op) || strides.iter().any(|&n| n < 1) {
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
        let around = padding_around(ir, op)?;
        padding_constant(ir, op)?;
        // An empty tensor has no memory that the view could be of.
        let is_less = |high: Mixed| matches!(high, Mixed::Static(high) if high < 0);
        if around.iter().any(|&(low, high)| low < 0 || is_less(high)) || ir.shape_of(source).contains(&0) {
            return None;
        }
        let place = |(d, &(low, _)): (usize, &(i64, Mixed))| {
            Expr::binary(BinOp::Add, Expr::Dim(d as u32), Expr::Const(low.checked_neg().unwrap_or_default()))
        };
        let results = around.iter().enumerate().map(place).collect();
        let map = Map { dims: shape.len() as u32, syms: 0, results };
        Some(View { loops: (0..shape.len()).collect(), shape, map, moved: Vec::new() })
    }

    /// A tensor with several dimensions for one.
    fn of_expanded(ir: &Ir, op: OpId) -> Option<View> {
        let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
        let shape = ir.shape_of(result).to_vec();
        // What is whole in memory has other extents as it stands.
        let is_open = shape.contains(&DYNAMIC) || ir.shape_of(source).contains(&DYNAMIC);
        if is_open && !is_expanded_padding(ir, op) {
            return None;
        }
        let Attr::Array(groups) = ir.attr(op, "reassociation")? else { return None };
        let mut results = Vec::new();
        for &group in groups {
            let mut place = Expr::Const(0);
            for (at, d) in ir.ints(group)?.into_iter().enumerate() {
                let d = usize::try_from(d).ok()?;
                // Steps are numbers, whatever extent the outermost one has.
                if at > 0 && *shape.get(d)? == DYNAMIC {
                    return None;
                }
                let scaled = Expr::binary(BinOp::Mul, place, Expr::Const(*shape.get(d)?));
                place = Expr::binary(BinOp::Add, scaled, Expr::Dim(d as u32));
            }
            results.push(place);
        }
        let map = Map { dims: shape.len() as u32, syms: 0, results };
        Some(View { loops: (0..shape.len()).collect(), shape, map, moved: Vec::new() })
    }

    /// How long each dimension is of the view that an operation makes of what has these extents; `None` for a number that is
    /// too large.
    fn sizes(&self, builder: &mut Builder<'_>, op: OpId, extents: &[Mixed], values: &ValueMap) -> Option<Vec<Mixed>> {
        match padding_around(builder.ir, op) {
            Some(around) if builder.ir.opcode(op) == Opcode::TensorPad => {
                let size = |(&extent, (low, high)): (&Mixed, (i64, Mixed))| {
                    let high = if let Mixed::Value(high) = high { Mixed::Value(values.get(high)) } else { high };
                    sum_of(builder, &[(extent, 1), (Mixed::Static(low), 1), (high, 1)])
                };
                extents.iter().zip(around).map(size).collect()
            }
            _ if self.shape.contains(&DYNAMIC) && builder.ir.opcode(op) == Opcode::TensorExtractSlice => {
                let sizes = SliceView::of(builder.ir, op).sizes.into_iter();
                let size = |size| if let Mixed::Value(size) = size { Some(values.get(size)) } else { None };
                Some(mixed(&self.shape, &sizes.filter_map(size).collect::<Vec<_>>()))
            }
            _ if builder.ir.opcode(op) == Opcode::TensorExpandShape => {
                let open: Vec<ValueId> = builder.ir.operands(op)[1..].iter().map(|&size| values.get(size)).collect();
                Some(mixed(&self.shape, &open))
            }
            _ if self.shape.contains(&DYNAMIC) => {
                let new = builder.ir.operands(op).last().and_then(|&new| builder.ir.def_op(new))?;
                let sizes: Vec<ValueId> = builder.ir.operands(new).iter().map(|&size| values.get(size)).collect();
                Some(mixed(&self.shape, &sizes))
            }
            _ => Some(self.shape.iter().map(|&size| Mixed::Static(size)).collect()),
        }
    }
}

/// How far a sum goes with one step of a loop.
fn step(expr: &Expr, d: usize, n_loops: usize) -> Option<i64> {
    let mut place = vec![0; n_loops];
    let first = expr.eval(&place, &[])?;
    place[d] = 1;
    Some(expr.eval(&place, &[])? - first)
}
