//! Reads that are repeated as reads that repeat: matrices in registers cannot.

use raddle_ir::views::Transfer;
use raddle_ir::{Builder, Expr, Ir, OpId, Opcode};

/// Folds the broadcasts of a function's reads into the reads.
pub fn fold(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        fold_one(ir, op);
    }
}

fn fold_one(ir: &mut Ir, op: OpId) -> Option<()> {
    if ir.opcode(op) != Opcode::VectorBroadcast {
        return None;
    }
    let (source, result) = (ir.operand(op, 0), ir.result(op, 0));
    let read = ir.def_op(source).filter(|&read| ir.opcode(read) == Opcode::VectorTransferRead)?;
    let mut view = Transfer::of(ir, read);
    let padding = view.padding.filter(|_| view.mask.is_none())?;
    if !view.in_bounds.iter().all(|&inside| inside) {
        return None;
    }
    let (from, to) = (ir.shape_of(source), ir.shape_of(result));
    let lead = to.len() - from.len();
    let mut results = vec![Expr::Const(0); lead];
    for (expr, (from, to)) in view.map.results.into_iter().zip(from.iter().zip(&to[lead..])) {
        results.push(if from == to { expr } else { Expr::Const(0) });
    }
    view.in_bounds = vec![true; results.len()];
    view.map.results = results;
    let ty = ir.type_of(result);
    let new = Builder::before(ir, read).transfer_read(view.base, &view.indices, padding, view.map, &view.in_bounds, ty);
    ir.replace_uses(result, new);
    ir.erase(op);
    Some(())
}
