//! Windows: operands that are read along sums of loops, as images by convolutions and pooling.
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
//! Does not touch operands whose extents are not known, or maps with terms that fall.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, Type, TypeId, ValueId};

use crate::generalize::{generic, make_generic};
use crate::tile::grows;

/// Lets structured operations of a function read windows through views.
pub(crate) fn expand(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        let Some(linalg) = Linalg::try_of(ir, op) else { continue };
        if is_window(ir, op) {
            continue;
        }
        let views: Vec<Option<View>> = (0..linalg.inputs.len()).map(|i| View::of(ir, &linalg, i)).collect();
        if views.iter().all(Option::is_none) {
            continue;
        }
        let op = make_generic(ir, op).unwrap_or(op);
        let mut linalg = Linalg::of(ir, op);
        for (i, view) in views.into_iter().enumerate() {
            let Some(view) = view else { continue };
            linalg.maps[i] = Map::of_dims(linalg.reduction.len(), &view.loops);
            linalg.inputs[i] = copy(&mut Builder::before(ir, op), linalg.inputs[i], &view);
        }
        let maps = linalg.maps.into_iter().map(|map| ir.intern(Attr::Map(map))).collect();
        let maps = ir.intern(Attr::Array(maps));
        ir.set_attr(op, "indexing_maps", maps);
        ir.set_operands(op, &[linalg.inputs, linalg.outputs].concat());
    }
}

/// Whether an operation is a view of windows: a copy along sums of loops into a new tensor, which others read.
pub(crate) fn is_window(ir: &Ir, op: OpId) -> bool {
    if ir.opcode(op) != Opcode::LinalgGeneric || ir.results(op).len() != 1 {
        return false;
    }
    let linalg = Linalg::of(ir, op);
    let (&[_], &[output]) = (&linalg.inputs[..], &linalg.outputs[..]) else { return false };
    let body = ir.entry(op);
    let yields_input = ir.terminator(body).is_some_and(|end| ir.operands(end) == &ir.args(body)[..1]);
    let reads = |(user, _): (OpId, usize)| {
        Linalg::try_of(ir, user).is_some_and(|user| user.inputs.contains(&ir.result(op, 0)))
            || ir.opcode(user) == Opcode::TensorExtractSlice
    };
    yields_input
        && ir.def_op(output).is_some_and(|def| ir.opcode(def) == Opcode::TensorEmpty)
        && linalg.maps[1].is_identity()
        && ir.uses(ir.result(op, 0)).all(reads)
        && View::of(ir, &linalg, 0).is_some_and(|view| view.loops.len() == linalg.reduction.len())
}

/// The type of the view of a memref that a window is, and the place of its first element.
pub(crate) fn memref_type(ir: &mut Ir, op: OpId, base: ValueId) -> Option<(TypeId, i64)> {
    let linalg = Linalg::of(ir, op);
    let view = View::of(ir, &linalg, 0)?;
    let (elem, space) = match *ir.ty(base) {
        Type::MemRef { elem, space, layout: None, .. } => (elem, space),
        _ => return None,
    };
    // The loops of the copy are the dimensions of its result.
    let by_loop = |d: usize| view.loops.iter().position(|&own| own == d);
    let order: Vec<usize> = (0..view.loops.len()).map(by_loop).collect::<Option<_>>()?;
    let strides: Vec<i64> = order.iter().map(|&at| view.strides[at]).collect();
    let shape: Vec<i64> = order.iter().map(|&at| view.shape[at]).collect();
    let layout = ir.intern(Attr::Strided { offset: view.offset, strides });
    let ty = Type::MemRef { shape, elem, layout: Some(layout), space };
    Some((ir.intern_type(ty), view.offset))
}

/// An operand as it is seen from the loops that it is read along.
struct View {
    /// Each loop once, in the order in which the map names them.
    loops: Vec<usize>,
    /// How long each is.
    shape: Vec<i64>,
    /// How many elements of the operand one step of each is.
    strides: Vec<i64>,
    /// The place of the first element.
    offset: i64,
    /// Where the loops lead in the operand, numbered as they are here.
    map: Map,
}

impl View {
    /// How a structured operation sees an input, if its map is not a list of loops.
    fn of(ir: &Ir, linalg: &Linalg, input: usize) -> Option<View> {
        let (value, map) = (linalg.inputs[input], &linalg.maps[input]);
        let shape = ir.shape_of(value);
        let is_list = map.as_dims().is_some_and(|dims| (0..dims.len()).all(|i| !dims[..i].contains(&dims[i])));
        if is_list || !ir.ty(value).is_tensor() || shape.contains(&DYNAMIC) || !map.results.iter().all(grows) {
            return None;
        }
        let extents = linalg.extents(ir);
        let mut loops: Vec<usize> = Vec::new();
        for expr in &map.results {
            let named = (0..extents.len()).filter(|&d| expr.names(&|other| other == d));
            // The loop with the longest steps first, as in memory.
            let mut named: Vec<usize> = named.filter(|d| !loops.contains(d)).collect();
            named.sort_by_key(|&d| std::cmp::Reverse(step(expr, d, extents.len())));
            loops.extend(named);
        }
        let lengths: Vec<i64> = loops.iter().map(|&d| extents[d]).collect();
        let stated = |d: usize| linalg.maps.iter().any(|map| map.results.contains(&Expr::Dim(d as u32)));
        if lengths.iter().any(|&n| n < 1) || !loops.iter().all(|&d| stated(d)) {
            return None;
        }
        let last: Vec<i64> = extents.iter().map(|&n| n - 1).collect();
        let inside = |(expr, &extent): (&Expr, &i64)| expr.eval(&last, &[]).is_some_and(|at| at < extent);
        if !map.results.iter().zip(shape).all(inside) {
            return None;
        }
        let mut unit = 1i64;
        let (mut offset, mut strides) = (0i64, vec![0i64; loops.len()]);
        for (expr, &extent) in map.results.iter().zip(shape).rev() {
            let first = expr.eval(&vec![0; extents.len()], &[])?;
            offset = offset.checked_add(first.checked_mul(unit)?)?;
            for (stride, &d) in strides.iter_mut().zip(&loops) {
                *stride = stride.checked_add(step(expr, d, extents.len())?.checked_mul(unit)?)?;
            }
            unit = unit.checked_mul(extent)?;
        }
        let number = |d: usize| loops.iter().position(|&own| own == d).unwrap_or(0) as u32;
        let places: Vec<Expr> = (0..extents.len()).map(|d| Expr::Dim(number(d))).collect();
        let results = map.results.iter().map(|expr| expr.replaced(&places, &[])).collect();
        let map = Map { dims: loops.len() as u32, syms: 0, results };
        Some(View { loops, shape: lengths, strides, offset, map })
    }
}

/// How far a sum goes with one step of a loop.
fn step(expr: &Expr, d: usize, n_loops: usize) -> Option<i64> {
    let mut place = vec![0; n_loops];
    let first = expr.eval(&place, &[])?;
    place[d] = 1;
    Some(expr.eval(&place, &[])? - first)
}

/// The window as a tensor: its dimensions are the view's loops.
fn copy(builder: &mut Builder<'_>, value: ValueId, view: &View) -> ValueId {
    let elem = builder.ir.elem_of(value);
    let ty = builder.ir.tensor_type(&view.shape, elem);
    let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
    let n = view.loops.len();
    let linalg = Linalg {
        inputs: vec![value],
        outputs: vec![empty],
        maps: vec![view.map.clone(), Map::identity(n)],
        reduction: vec![false; n],
    };
    let op = generic(builder, &linalg, &[]);
    let region = builder.ir.add_region(op);
    let block = builder.ir.add_block(region, &[elem, elem]);
    let arg = builder.ir.args(block)[0];
    Builder::at_end(builder.ir, block, builder.span).op(Opcode::LinalgYield, &[arg], &[], &[]);
    builder.ir.result(op, 0)
}
