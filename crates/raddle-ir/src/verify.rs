//! The verifier.

use crate::diag::Diag;
use crate::form::Shape;
use crate::ids::OpId;
use crate::ir::Ir;
use crate::ops::Opcode;

/// Everything that is wrong with a module.
pub fn verify(_ir: &Ir) -> Vec<Diag> {
    Vec::new()
}

/// Whether the parts of an operation are all there, so that custom assembly can show it.
pub(crate) fn is_printable(ir: &Ir, op: OpId) -> bool {
    let shape = Shape::of(ir.opcode(op));
    let n = ir.operands(op).len();
    if shape.segmented {
        let Some(sizes) = ir.attr_id(op, "operandSegmentSizes").and_then(|attr| ir.ints(attr)) else { return false };
        let total = sizes.iter().try_fold(0i64, |sum, &size| if size < 0 { None } else { sum.checked_add(size) });
        if sizes.len() != shape.operands.len() || total != i64::try_from(n).ok() {
            return false;
        }
        let fits = shape
            .operands
            .iter()
            .zip(&sizes)
            .all(|(group, &size)| group.many || size == 1 || group.optional && size == 0);
        if !fits {
            return false;
        }
    } else {
        let fixed = shape.operands.iter().filter(|g| !g.many && !g.optional).count();
        let many = shape.operands.iter().any(|g| g.many);
        let optional = shape.operands.iter().any(|g| g.optional);
        if n < fixed || n > fixed + usize::from(optional) && !many {
            return false;
        }
    }
    match ir.opcode(op) {
        Opcode::Module | Opcode::For | Opcode::Forall | Opcode::InParallel | Opcode::Generic => {
            ir.regions(op).len() == 1 && ir.blocks(ir.regions(op)[0]).len() == 1
        }
        Opcode::If => ir.regions(op).len() == 2,
        _ => true,
    }
}
