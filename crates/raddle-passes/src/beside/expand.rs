//! Expand: write operations of `iree_vector_ext`, and rare ones of `vector`, with common ones.
//!
//! Each pass does what it has a rule for and leaves the rest as it is, as IREE's passes of the same name do.

mod arg_compare;
mod gather;
mod lanes;
mod reductions;
mod units;

use raddle_ir::{Diag, Ir, OpId};

use crate::facts::Facts;

/// Writes `iree_vector_ext.arg_compare` as loops over the reduced dimension.
pub fn arg_compare(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    each(ir, func, arg_compare::expand)
}

/// Writes gathers and scatters along the last dimension of their base as `vector.gather` and `vector.scatter`.
pub fn gathers(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    each(ir, func, gather::expand)
}

/// Writes scans and sums over the lanes of a subgroup as shuffles.
pub fn lanes(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    lanes::expand(ir, func)
}

/// Writes reductions over the last dimensions of a vector as such over one.
pub fn flat_reductions(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    reductions::flatten(ir, func);
    Ok(())
}

/// Writes reductions of vectors of one dimension as `vector.reduction`.
pub fn reductions(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    reductions::lower(ir, func);
    Ok(())
}

/// Takes dimensions of extent 1 out of `to_layout` on tensors.
pub fn unit_dims(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    each(ir, func, units::drop)
}

/// Offers each operation of the function to a rule.
fn each(ir: &mut Ir, func: OpId, rule: fn(&mut Ir, OpId)) -> Result<(), Diag> {
    for op in ir.walk(func) {
        rule(ir, op);
    }
    Ok(())
}
