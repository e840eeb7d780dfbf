//! `iree_linalg_ext.custom_op`: its region is about whole tensors, and stands in its place.

use raddle_ir::{Builder, Ir, OpId, Opcode, ValueId};

use super::loops::with_type;

pub(super) fn custom_op(ir: &mut Ir, op: OpId) -> Option<()> {
    let body = ir.body(op, 0)?;
    let (operands, args) = (ir.operands(op).to_vec(), ir.args(body).to_vec());
    let counts = |inner: OpId| ir.opcode(inner) == Opcode::IreeLinalgExtIndex && ir.parent_block(inner) == Some(body);
    // Which iteration of its loops a tile is, only who tiles it knows.
    if operands.len() != args.len() || ir.walk(op).into_iter().any(counts) {
        return None;
    }
    let end = ir.terminator(body)?;
    for (operand, arg) in operands.into_iter().zip(args) {
        let value = with_type(&mut Builder::before(ir, op), operand, arg);
        ir.replace_uses(arg, value);
    }
    for inner in ir.ops_of(body) {
        if inner != end {
            ir.detach(inner);
            ir.insert_before(op, inner);
        }
    }
    let yielded = ir.operands(end).to_vec();
    let results: Vec<ValueId> = ir.results(op).collect();
    for (value, result) in yielded.into_iter().zip(results) {
        let value = with_type(&mut Builder::before(ir, op), value, result);
        ir.replace_uses(result, value);
    }
    ir.erase(op);
    Some(())
}
