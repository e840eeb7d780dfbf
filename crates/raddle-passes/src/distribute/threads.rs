//! Which thread holds what: coordinates as functions of the thread's number, and the one replica that writes.

use raddle_ir::affine::BinOp;
use raddle_ir::{Attr, Builder, Expr, Map, Opcode, ValueId};
use raddle_layout::Nested;

use super::Cx;

/// `(thread floordiv stride) mod size`, with the thread's number as dimension 0.
fn digit(stride: i64, size: i64) -> Expr {
    let quotient = Expr::binary(BinOp::FloorDiv, Expr::Dim(0), Expr::Const(stride));
    Expr::binary(BinOp::Mod, quotient, Expr::Const(size))
}

/// The coordinate along dimension `d` of the first element of the tile at batch `b`, outer `o`, plus `base`.
pub fn coordinate(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    layout: &Nested,
    d: usize,
    [b, o]: [i64; 2],
    base: ValueId,
) -> ValueId {
    let (outers, lanes, elements) = (layout.outer_tile[d], layout.thread_tile[d], layout.element_tile[d]);
    let batches = layout.batch_tile[d] * outers * lanes * elements;
    let mut sum = Expr::Const((b * outers + o) * lanes * elements);
    let mut add = |digit: Expr, weight: i64| {
        let term = Expr::binary(BinOp::Mul, digit, Expr::Const(weight));
        sum = Expr::binary(BinOp::Add, term, sum.clone());
    };
    if layout.thread_tile[d] > 1 && layout.thread_strides[d] > 0 {
        add(digit(layout.thread_strides[d], lanes), elements);
    }
    if layout.subgroup_tile[d] > 1 && layout.subgroup_strides[d] > 0 {
        add(digit(layout.subgroup_strides[d] * cx.launch.subgroup_size, layout.subgroup_tile[d]), batches);
    }
    let sum = Expr::binary(BinOp::Add, Expr::Dim(1), sum);
    builder.apply(Map { dims: 2, syms: 0, results: vec![sum] }, &[cx.thread, base])
}

/// True in one of the threads that hold the same elements; `None` where each element has one holder only.
///
/// The tiles that a layout spreads over lanes and subgroups are digits of the thread's number. Whatever lies between
/// and above them tells replicas apart, and must be 0.
pub fn is_writer(builder: &mut Builder<'_>, cx: &Cx<'_>, layout: &Nested) -> Result<Option<ValueId>, String> {
    let subgroups = layout.subgroup_tile.iter().zip(&layout.subgroup_strides);
    let lanes = layout.thread_tile.iter().zip(&layout.thread_strides);
    let mut digits: Vec<[i64; 2]> = subgroups
        .map(|(&size, &stride)| [stride * cx.launch.subgroup_size, size])
        .chain(lanes.map(|(&size, &stride)| [stride, size]))
        .filter(|&[stride, size]| stride > 0 && size > 1)
        .collect();
    digits.sort_unstable();
    let mut below = 1;
    let mut holes = Vec::new();
    for [stride, size] in digits {
        if stride % below != 0 {
            return Err(
                "the threads of its layout overlap: two dimensions share a part of the thread's number".to_owned()
            );
        }
        if stride > below {
            holes.push(digit(below, stride / below));
        }
        below = stride * size;
    }
    if below < cx.launch.workgroup_size {
        holes.push(Expr::binary(BinOp::FloorDiv, Expr::Dim(0), Expr::Const(below)));
    }
    let mut condition = None;
    for hole in holes {
        let value = builder.apply(Map { dims: 1, syms: 0, results: vec![hole] }, &[cx.thread]);
        let zero = builder.index(0);
        let (bit, i64) = (builder.ir.int_type(1), builder.ir.int_type(64));
        // 0 is `eq` in MLIR's numbering of predicates.
        let predicate = builder.ir.intern(Attr::Int { value: 0, ty: i64 });
        let is_zero = builder.value(Opcode::CmpI, &[value, zero], bit, &[("predicate", predicate)]);
        condition = Some(match condition {
            None => is_zero,
            Some(other) => builder.binary(Opcode::AndI, other, is_zero),
        });
    }
    Ok(condition)
}
