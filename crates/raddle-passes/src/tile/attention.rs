//! Attention: rows to workgroups, keys in steps, and in each step the products, reductions and powers that it is made of.
//!
//! Before: `iree_linalg_ext.online_attention {lowering_config = …} ins(%Q, %K, %V, …) outs(%acc, %max, %sum)`, a quotient
//! After:
//!
//! ```mlir
//! scf.forall (%i) … {
//!   %r:3 = scf.for %k … iter_args(%acc, %max, %sum) {
//!     %s = %Q * %K[%k] … ; %new = max(%max, rows of %s) ; %p = exp2(%s - %new) ; %older = exp2(%max - %new)
//!     %acc * %older + %p * %V[%k], %new, %sum * %older + rows of %p
//!   }
//!   %r#0 / %r#2
//! }
//! ```

use raddle_ir::views::Mixed;
use raddle_ir::{Builder, Code, Diag, Ir, OpId};

use super::nest::Loops;
use super::part::extents;
use super::space::Space;
use super::{ends, fuse, mapping, slices};
use crate::clean;
use crate::config::Config;
use crate::normalize::attention::decompose;

/// Tiles a function around its attention.
pub(super) fn tile(ir: &mut Ir, func: OpId, op: OpId) -> Result<(), Diag> {
    let refuse = |ir: &Ir, why: &str| {
        Diag::error(Code::CannotTile, ir.span(op), format!("`{}` cannot be tiled: {why}", ir.name(op)))
    };
    let config = Config::read(ir, op)?;
    let space = Space::of(ir, op).ok_or_else(|| refuse(ir, "its maps are no lists of loops"))?;
    let ends = extents(&mut Builder::before(ir, op), op, &space);
    let sizes = |list: &[i64]| -> Vec<i64> {
        let size = |d: usize| list.get(d).copied().filter(|&size| ends[d] != Mixed::Static(size)).unwrap_or(0);
        let is_larger = |d: usize, size: i64| matches!(ends[d], Mixed::Static(end) if end < size);
        (0..ends.len()).map(|d| if is_larger(d, size(d)) { 0 } else { size(d) }).collect()
    };
    let (shared, steps) = (sizes(&config.workgroup), sizes(&config.reduction));
    let slices = slices::Rules { merge: true, expand: false, pads: false };
    let whole = fuse::Rules { roots: &[], outputs: true, keep: false, consumers: true, slices };
    let equal = ends::Equal::of(ir, func);
    let mapping = mapping(ir, shared.iter().filter(|&&size| size != 0).count());
    let (_, op) = fuse::tile(ir, op, &shared, &Loops::Forall(mapping), &whole)?;
    let inside = fuse::Rules { outputs: false, consumers: false, ..whole };
    let (_, op) = fuse::tile(ir, op, &steps, &Loops::For, &inside)?;
    decompose(ir, op).ok_or_else(|| refuse(ir, "its operands are no tensors of floats"))?;
    equal.apply(ir, func);
    clean::cse(ir, func);
    clean::remove(ir, func);
    Ok(())
}
