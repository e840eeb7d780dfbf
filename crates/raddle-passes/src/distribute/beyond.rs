//! Products of subgroups that have nothing of a result: where a matrix ends inside of a tile, all rows or columns of a
//! subgroup may lie beyond the end.
//!
//! Reads give zeros there, and writes leave out what lies there, so that nobody sees the sums. A subgroup all of whose sums
//! are such goes without the instructions, which leaves the matrix units to others.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Transfer;
use raddle_ir::{Builder, Class, DYNAMIC, Expr, Ir, Map, OpId, Opcode, Type, ValueId};
use raddle_layout::Nested;
use rustc_hash::FxHashSet;

use super::{Cx, threads};
use crate::code;
use crate::lay_out::layout_of;

/// One of so many subgroups, at least, has nothing: assemblers compute conditions again in each round of a loop, and have
/// fewer uniform registers in it (for tiles of 128 x 128 x 32, ptxas 13.5 makes 0.84 other instructions for a product
/// in place of 0.72).
const FEWEST: i64 = 32;

/// Where a dimension of a value ends: at the end of a memref of this extent, in which the value begins at an index.
#[derive(Clone, Copy, PartialEq)]
struct End {
    extent: i64,
    index: ValueId,
}

/// Whether the thread's subgroup has a part of a product that is written; `None` where all have.
pub fn has_part(builder: &mut Builder<'_>, cx: &Cx<'_>, op: OpId) -> Option<ValueId> {
    let result = builder.ir.result(op, 0);
    let layout = layout_of(builder.ir, result)?.clone();
    if layout.subgroup_tile.iter().all(|&tile| tile == 1) {
        return None;
    }
    let ends = ends_of(builder.ir, result)?;
    let mut all = None;
    for (d, end) in ends.into_iter().enumerate() {
        if !is_worth(&layout, d, end.extent) {
            continue;
        }
        let Some(begin) = cx.map.find(end.index) else { continue };
        let number = binary(BinOp::FloorDiv, Expr::Dim(1), cx.launch.subgroup_size * layout.subgroup_strides[d]);
        let number = binary(BinOp::Mod, number, layout.subgroup_tile[d]);
        let first = Expr::binary(BinOp::Add, Expr::Dim(0), binary(BinOp::Mul, number, own(&layout, d)));
        let first = builder.apply(Map { dims: 2, syms: 0, results: vec![first] }, &[begin, cx.thread]);
        let extent = builder.index(end.extent);
        let is_inside = code::compare(builder, code::LESS, first, extent);
        all = Some(threads::both(builder, all, is_inside));
    }
    all
}

fn binary(op: BinOp, lhs: Expr, rhs: i64) -> Expr {
    Expr::binary(op, lhs, Expr::Const(rhs))
}

/// Elements of a subgroup along a dimension.
fn own(layout: &Nested, d: usize) -> i64 {
    layout.undistributed_shape()[d] / layout.subgroup_tile[d]
}

/// Whether enough subgroups have nothing in front of an end; tiles begin at multiples of their sizes. Where only the run
/// knows the end, nobody can say.
fn is_worth(layout: &Nested, d: usize, extent: i64) -> bool {
    if extent == DYNAMIC {
        return false;
    }
    let size = layout.undistributed_shape()[d];
    let tiles = (extent + size - 1) / size;
    let beyond = (tiles * size - extent) / own(layout, d);
    beyond * FEWEST > tiles * layout.subgroup_tile[d]
}

/// Where each dimension of a value ends, if all that is computed of it is computed element by element and written to
/// places that end alike, or are added to by products.
fn ends_of(ir: &Ir, value: ValueId) -> Option<Vec<End>> {
    let mut found: Option<Vec<End>> = None;
    let (mut seen, mut open) = (FxHashSet::default(), vec![value]);
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        for (op, operand) in ir.uses(value) {
            match ir.opcode(op) {
                Opcode::VectorContract if operand == 2 && !ir.operands(op)[..2].contains(&value) => {
                    open.push(ir.result(op, 0));
                }
                Opcode::IreeVectorExtToLayout => open.push(ir.result(op, 0)),
                Opcode::VectorTransferWrite => {
                    let ends = of_write(ir, op, value)?;
                    if found.get_or_insert_with(|| ends.clone()) != &ends {
                        return None;
                    }
                }
                Opcode::ScfFor => {
                    let carried = operand.checked_sub(3)?;
                    open.extend([ir.args(ir.entry(op))[carried + 1], ir.result(op, carried)]);
                }
                Opcode::ScfYield => {
                    let around = ir.parent_op(op).filter(|&around| ir.opcode(around) == Opcode::ScfFor)?;
                    open.extend([ir.args(ir.entry(around))[operand + 1], ir.result(around, operand)]);
                }
                opcode if ir.class(op) == Class::Elementwise && opcode.info().is_pure() => open.extend(ir.results(op)),
                _ => return None,
            }
        }
    }
    found
}

/// The same of a write, which has each dimension of the value once.
fn of_write(ir: &Ir, op: OpId, value: ValueId) -> Option<Vec<End>> {
    let Transfer { base, indices, vector, map, .. } = Transfer::of(ir, op);
    let dims = map.as_dims().filter(|_| vector == Some(value) && matches!(ir.ty(base), Type::MemRef { .. }))?;
    Some(dims.into_iter().map(|dim| End { extent: ir.shape_of(base)[dim], index: indices[dim] }).collect())
}
