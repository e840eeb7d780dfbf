//! Dispatches that are not kernels of vectors: these stay whole, by scalar loops.

use raddle_ir::interface::Interface;
use raddle_ir::views::Linalg;
use raddle_ir::{Code, Diag, Ir, Map, OpId};

use crate::facts::Facts;
use crate::scalar_loops;

/// Whoever launches a dispatch launches one kernel: where vectors would need several, scalar loops are tried, unless each
/// point would compute the sums of others again.
pub(super) fn stays_whole(ir: &mut Ir, func: OpId, facts: &Facts) -> bool {
    let is_dispatch = Interface::of(ir, func).is_ok_and(|interface| interface.is_some());
    if !is_dispatch || ir.walk(func).into_iter().any(|op| is_computed_again(ir, op)) {
        return false;
    }
    let refusal = Diag::error(Code::KernelChoice, ir.span(func), "its operations are several kernels of vectors");
    scalar_loops::choose(ir, func, Some(&refusal), facts).is_ok()
}

/// Whether an operation reduces, and another one reads an element of what it gives more than once.
fn is_computed_again(ir: &Ir, op: OpId) -> bool {
    if Linalg::try_of(ir, op).is_none_or(|linalg| !linalg.reduction.contains(&true)) {
        return false;
    }
    let reads_once = |(user, operand): (OpId, usize)| {
        Linalg::try_of(ir, user).is_none_or(|user| {
            let dims = user.maps.get(operand).and_then(Map::as_dims).unwrap_or_default();
            (0..user.reduction.len()).all(|d| dims.contains(&d))
        })
    };
    !ir.results(op).flat_map(|value| ir.uses(value)).all(reads_once)
}
