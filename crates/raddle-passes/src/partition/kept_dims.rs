//! Kept dimensions: a reduction whose result keeps a dimension of one element is one without it, and a copy.
//!
//! Before: `linalg.generic` that sums the rows of a matrix into a `tensor<64x1xf32>`, at `(d0, 0)`
//! After:  one that sums them into a `tensor<64xf32>`, at `(d0)`, and a copy of it with two loops, in the same kernel
//!
//! Vectors take results at lists of loops. Where the host is there to reshape, `flatten` does this without the copy; here
//! the function is one kernel, whose results keep the shapes that its user launches.

use raddle_ir::views::{Linalg, Mixed, unmixed};
use raddle_ir::{BlockId, Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use crate::structured::fill;
use crate::structured::generalize::{copy_along, generic, make_generic};
use crate::structured::sizes::mixed_extent;

/// Rewrites the reductions of some blocks.
pub(super) fn leave_out(ir: &mut Ir, blocks: &[BlockId]) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        let _ = rewrite(ir, op);
    }
}

fn rewrite(ir: &mut Ir, op: OpId) -> Option<()> {
    let mut linalg = Linalg::try_of(ir, op).filter(|linalg| linalg.reduction.contains(&true))?;
    let (&[output], Some(map)) = (&linalg.outputs[..], linalg.maps.last_mut()) else { return None };
    let is_gone = |d: usize| ir.shape_of(output)[d] == 1 && map.results[d] == Expr::Const(0);
    let kept: Vec<usize> = (0..map.results.len()).filter(|&d| !is_gone(d)).collect();
    if kept.len() == map.results.len() {
        return None;
    }
    map.results = kept.iter().map(|&d| map.results[d].clone()).collect();
    let op = make_generic(ir, op).unwrap_or(op);
    let builder = &mut Builder::before(ir, op);
    let shape = builder.ir.shape_of(output).to_vec();
    let size = |(d, &extent): (usize, &i64)| match extent {
        DYNAMIC => Mixed::Value(mixed_extent(builder, output, d).materialize(builder)),
        extent => Mixed::Static(extent),
    };
    let sizes: Vec<Mixed> = shape.iter().enumerate().map(size).collect();
    linalg.outputs = vec![start(builder, output, &kept, &sizes)];
    let new = generic(builder, &linalg, &[]);
    builder.copy_regions(op, new, &mut ValueMap::default());
    let (old, made) = (builder.ir.result(op, 0), builder.ir.result(new, 0));
    let wide = copy_along(builder, made, Map::of_dims(sizes.len(), &kept), &sizes);
    ir.replace_uses(old, wide);
    ir.erase(op);
    Some(())
}

/// What a reduction begins with, in some of the dimensions of its output, in any order.
pub(super) fn start(builder: &mut Builder<'_>, output: ValueId, kept: &[usize], sizes: &[Mixed]) -> ValueId {
    let left: Vec<Mixed> = kept.iter().map(|&d| sizes[d]).collect();
    let filling = builder.ir.def_op(output).filter(|&def| builder.ir.opcode(def) == Opcode::LinalgFill);
    let Some(filling) = filling else {
        let place = |d| kept.iter().position(|&left| left == d).map_or(Expr::Const(0), |at| Expr::Dim(at as u32));
        let map = Map { dims: kept.len() as u32, syms: 0, results: (0..sizes.len()).map(place).collect() };
        return copy_along(builder, output, map, &left);
    };
    let (shape, open) = unmixed(&left);
    let (number, elem) = (builder.ir.operand(filling, 0), builder.ir.elem_of(output));
    let ty = builder.ir.tensor_type(&shape, elem);
    let empty = builder.value(Opcode::TensorEmpty, &open, ty, &[]);
    fill(builder, number, empty)
}
