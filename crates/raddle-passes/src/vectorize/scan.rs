//! Scans: one step of a line as `vector.scan`.
//!
//! What lies beyond the end of a line is what changes nothing, so that the last partial result is that of the line. An
//! exclusive scan leaves the last element of the line out, and not the last one of the vector: its last partial result is
//! combined from all others.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Mixed;
use raddle_ir::{Attr, Builder, Code, Diag, Expr, OpId, Opcode, ValueId};

use super::edges::{self, Edge};
use super::structured::as_rank_0;
use super::{Cx, Tensor, anchor, apply, promoted, read, read_once};
use crate::structured::body::Combiner;
use crate::structured::scans::Scan;
use crate::structured::sizes::index;

/// The results of a scan in a tile.
pub(super) fn scan(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) -> Result<(), Diag> {
    let refuse = |why: &str| {
        let message = format!("`iree_linalg_ext.scan` cannot be vectorized: {why}");
        Err(Diag::error(Code::CannotConfigure, builder.span, message))
    };
    let Some(Scan { linalg, dim, inclusive, combiner }) = Scan::of(builder.ir, op) else {
        return refuse("its body is not one operation that combines two elements");
    };
    let Some(checked) = cx.checked.get(&op) else { return refuse("it has no `lowering_config`") };
    let sizes = &checked.sizes;
    let layout = checked.config.layout(sizes);
    let kept: Vec<i64> = (0..sizes.len()).filter(|&d| d != dim).map(|d| sizes[d]).collect();
    let end = edges::end(builder, cx, &linalg, dim).unwrap_or(Mixed::Static(sizes[dim]));
    let value = read_once(builder, cx, linalg.inputs[0], 0.0);
    let value = promoted(builder, cx, Some(checked), 0, value, 1);
    let value = anchor(builder, value, apply(&layout, &linalg.maps[0]));
    let line = first(builder, combiner, value, dim, end);
    let init = if inclusive {
        let elem = builder.ir.elem_of(value);
        let ty = builder.ir.vector_type(&kept, elem);
        combiner.neutral(builder, ty)
    } else {
        read(builder, cx, linalg.outputs[1])
    };
    let types = [line, init].map(|value| builder.ir.type_of(value));
    let attrs = [
        ("kind", builder.keyword_attr("vector.kind", combiner.kind)),
        ("reduction_dim", builder.ir.i64_attr(dim as i64)),
        ("inclusive", builder.ir.intern(Attr::Bool(inclusive))),
    ];
    let scan = builder.op(Opcode::VectorScan, &[line, init], &types, &attrs);
    let [result, total] = [0, 1].map(|i| builder.ir.result(scan, i));
    let is_last = inclusive || line == value || builder.ir.is_unused(builder.ir.result(op, 1));
    let total = if is_last {
        total
    } else {
        let less_one = Expr::binary(BinOp::Add, Expr::Dim(0), Expr::Const(-1));
        let end = index(builder, &[end], &less_one);
        let line = first(builder, combiner, value, dim, end);
        reduced(builder, combiner, line, init, dim)
    };
    cx.set(builder.ir.result(op, 0), Tensor::Vector(result));
    cx.set(builder.ir.result(op, 1), Tensor::Vector(total));
    Ok(())
}

/// The first elements of a line, and what changes nothing behind them.
fn first(builder: &mut Builder<'_>, combiner: Combiner, value: ValueId, dim: usize, end: Mixed) -> ValueId {
    let (ty, shape) = (builder.ir.type_of(value), builder.ir.shape_of(value).to_vec());
    let mut edges: Vec<Edge> = shape.iter().map(|&size| Edge::Size(Mixed::Static(size))).collect();
    edges[dim] = Edge::Size(end);
    let Some(mask) = edges::mask(builder, &edges, &shape) else { return value };
    let neutral = combiner.neutral(builder, ty);
    builder.value(Opcode::ArithSelect, &[mask, value, neutral], ty, &[])
}

/// All elements of each line combined into an initial value.
fn reduced(builder: &mut Builder<'_>, combiner: Combiner, value: ValueId, init: ValueId, dim: usize) -> ValueId {
    if builder.ir.shape_of(value).len() > 1 {
        return builder.multi_reduction(combiner.kind, value, init, &[dim]);
    }
    let init = builder.extract(init, &[]);
    let sum = builder.multi_reduction(combiner.kind, value, init, &[dim]);
    as_rank_0(builder, sum)
}
