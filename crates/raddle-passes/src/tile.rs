//! Tile: give each workgroup its part of the iteration space, and step through the reductions.
//!
//! Before: `%r = linalg.matmul {lowering_config = …} ins(%A, %B) outs(%init)`
//! After:
//!
//! ```mlir
//! %r = scf.forall (%i, %j) = (0, 0) to (512, 512) step (64, 64) shared_outs(%o = %empty) {
//!   %acc = linalg.fill … outs(slice of %o)
//!   %t = scf.for %k = 0 to 128 step 32 iter_args(%a = %acc) { linalg.matmul ins(slices) outs(%a) … }
//!   scf.forall.in_parallel { tensor.parallel_insert_slice %t into %o[%i, %j] … }
//! } {mapping = [#gpu.block<y>, #gpu.block<x>]}
//! ```
//!
//! A `reduction` step keeps one accumulator tile. A `partial_reduction` step keeps an accumulator for every point of
//! the step, so that threads do not talk to one another inside the loop, and combines them behind it.
//!
//! Several operations are tiled together, along the dimensions that their loops share; what only feeds the reduction that
//! steps is computed in each step. Rows that no workgroup holds are gone through several times.

use raddle_ir::views::{Forall, Linalg};
use raddle_ir::{AttrId, Code, DYNAMIC, Diag, Ir, OpId, keyword_attr};

use crate::config::Config;
use crate::configure::Checked;
use crate::facts::Facts;
use crate::structured::scans;
use crate::{clean, configure};

mod attention;
mod ends;
mod fuse;
mod level;
mod nest;
mod online;
mod pad;
mod part;
mod partial;
mod passes;
mod range;
mod scan;
mod serial;
mod slices;
mod together;

use nest::Loops;
use partial::Kept;

pub(crate) use level::{OPTIONS as LEVEL_OPTIONS, tile_level};
pub(crate) use pad::{OPTIONS as PAD_OPTIONS, pad_level};

/// Tiles the function's structured operation by its configuration.
pub fn tile(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    if let Some(op) = configure::attention::of(ir, func) {
        return attention::tile(ir, func, op);
    }
    if let Some(op) = scans::of(ir, func) {
        return scan::tile(ir, func, op, facts);
    }
    let root = configure::root(ir, func, facts)?;
    // A program may enter at this stage, with a configuration that nobody has looked at.
    let group = configure::group(ir, func, facts)?;
    let checked = configure::checked(ir, func, root, facts)?;
    if let Some(group) = &group {
        group.check(ir, &checked, facts)?;
    }
    let Checked { config, extents, matrix, .. } = checked;
    config.remark_unused(ir, func, root, facts);

    let shared = smaller(&config.workgroup, &extents);
    let inside: Vec<i64> =
        shared.iter().zip(&extents).map(|(&tile, &all)| if tile == 0 { all } else { tile }).collect();
    let slices = slices::Rules { merge: true, expand: false, pads: false };
    let whole = fuse::Rules { roots: &[], outputs: true, keep: false, consumers: false, used_only: false, slices };
    let equal = ends::Equal::of(ir, func);
    let op = match &group {
        Some(group) => {
            let dims = &group.members[group.root].dims;
            let mut sizes = vec![0; group.dims.len()];
            for (&dim, &size) in dims.iter().zip(&shared) {
                sizes[dim] = size;
            }
            let parts = together::tile(ir, group, &sizes, dims);
            if let Some(dim) = group.passes {
                let steps = fuse::Rules { outputs: false, ..whole };
                // Parts that read the same of an argument read one slice of it.
                clean::cse(ir, func);
                passes::tile(ir, group, dim, &parts, &config, &steps, facts)?;
                equal.apply(ir, func);
                clean::cse(ir, func);
                clean::remove(ir, func);
                return check_steps(ir, func);
            }
            parts[group.root]
        }
        None => {
            // A fill of the output is tiled with it; what it fills is where the result goes.
            let mapping = mapping(ir, shared.iter().filter(|&&size| size != 0).count());
            fuse::tile(ir, root, &shared, &Loops::Forall(mapping), &whole)?.1
        }
    };
    let steps = fuse::Rules { outputs: false, ..whole };
    let partial = smaller(&config.partial_reduction, &inside);
    let products = matrix.and_then(|loops| loops.block).filter(|&d| partial[d] != 0);
    if let Some(d) = products {
        let mut sizes = smaller(&config.reduction, &inside);
        sizes[d] = partial[d];
        partial::tile(ir, op, &sizes, Kept::Products(d), &steps)?;
    } else if partial.iter().any(|&size| size != 0) {
        partial::tile(ir, op, &partial, Kept::All, &steps)?;
    } else {
        fuse::tile(ir, op, &smaller(&config.reduction, &inside), &Loops::For, &steps)?;
    }
    equal.apply(ir, func);
    if group.is_some() {
        // Parts that read the same of an argument read one slice of it.
        clean::cse(ir, func);
    }
    range::narrow(ir, func);
    clean::remove(ir, func);
    check_steps(ir, func)
}

/// What goes in steps is in loops now: later passes take a step for all that there is to reduce.
fn check_steps(ir: &Ir, func: OpId) -> Result<(), Diag> {
    for op in ir.walk(func) {
        let Some(linalg) = Linalg::try_of(ir, op).filter(|_| ir.attr(op, "lowering_config").is_some()) else {
            continue;
        };
        let (config, extents) = (Config::read(ir, op)?, linalg.extents(ir));
        let steps =
            |d: usize| [&config.reduction, &config.partial_reduction].map(|list| list.get(d).copied().unwrap_or(0));
        let is_whole = |d: usize| steps(d).into_iter().any(|step| step != 0 && extents[d] > step);
        if let Some(d) = (0..extents.len()).find(|&d| linalg.reduction[d] && is_whole(d)) {
            let message = format!("loop {d} of `{}` would go in steps, and no loop takes them", ir.name(op));
            return Err(Diag::error(Code::CannotTile, ir.span(op), message));
        }
    }
    Ok(())
}

/// The size of the tile of each loop; a tile as large as the loop needs none.
fn smaller(list: &[i64], extents: &[i64]) -> Vec<i64> {
    let is_smaller = |d: usize, size: i64| extents[d] == DYNAMIC || size < extents[d];
    (0..extents.len()).map(|d| list.get(d).copied().filter(|&size| is_smaller(d, size)).unwrap_or(0)).collect()
}

/// Which workgroup does which part.
fn mapping(ir: &mut Ir, n: usize) -> Vec<AttrId> {
    // The last loop is the fastest one; beyond three, all share one linear number.
    let name = |d: usize| if n <= 3 { ["x", "y", "z"][d].to_owned() } else { format!("linear_dim_{d}") };
    (0..n).rev().map(|d| keyword_attr(ir, Forall::WORKGROUPS, &name(d))).collect()
}
