//! Extents by number: `tensor.dim` of a dimension that only the run knows is a choice among the extents, and what bodies of
//! structured operations ask for stands in front of these.

use raddle_ir::{Builder, Ir, OpId, Opcode};

use crate::code::{compare, select};
use crate::structured::sizes::mixed_extent;
use raddle_ir::views::Linalg;

/// `eq` as `arith.cmpi` numbers it.
const EQUAL: i64 = 0;

/// Rewrites those of a function.
pub(super) fn by_number(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        if ir.opcode(op) != Opcode::TensorDim {
            continue;
        }
        let (tensor, number) = (ir.operand(op, 0), ir.operand(op, 1));
        // The outermost structured operation around it; tensors are made in front of that.
        let around = std::iter::successors(Some(op), |&op| {
            ir.parent_op(op).filter(|&parent| Linalg::try_of(ir, parent).is_some())
        });
        let place = around.last().unwrap_or(op);
        let rank = ir.shape_of(tensor).len();
        let known = ir.const_int(number);
        if known.is_some() && place == op || known.is_some_and(|d| !(0..rank as i64).contains(&d)) || rank == 0 {
            continue;
        }
        let builder = &mut Builder::before(ir, place);
        let wanted = known.map_or(0..rank, |d| d as usize..d as usize + 1);
        let extents: Vec<_> = wanted.map(|d| mixed_extent(builder, tensor, d).materialize(builder)).collect();
        let builder = &mut Builder::before(ir, op);
        let (mut chosen, rest) = (extents[extents.len() - 1], extents.len() - 1);
        for d in (0..rest).rev() {
            let this = builder.index(d as i64);
            let is_it = compare(builder, EQUAL, number, this);
            chosen = select(builder, is_it, extents[d], chosen);
        }
        let old = ir.result(op, 0);
        ir.replace_uses(old, chosen);
        ir.erase(op);
    }
}
