//! Passes: go along what no workgroup holds as a whole, once for each reduction and once for each result.
//!
//! Before: the maximum of a row, `exp(x - maximum)`, its sum, and the quotient, of one row whose length is open
//! After:
//!
//! ```mlir
//! %m, %s = scf.for … { the maximum so far, of the elements of a step, and the sum of powers below it }, combined
//! %r = scf.for … iter_args(%o = …) { exp(x - %m) / %s, put into a part of %o }
//! ```
//!
//! On a GPU, a maximum and a sum of powers below it are one pass ([`super::online`]), unless the row stays in shared memory
//! ([`crate::overlap::keep_rows`]); other reductions are one each.
//! Elementwise operations are computed again in each pass that needs them. From the last operation to the first, so that
//! who is computed again is still whole.

use raddle_ir::{Diag, Ir, OpId};

use super::fuse::{self, Rules};
use super::nest::Loops;
use super::online::Online;
use super::partial::{self, Kept};
use crate::config::Config;
use crate::configure::group::{Group, Member};
use crate::configure::limits;
use crate::facts::Facts;

/// Tiles the parts of a group's members along the dimension that passes go along.
pub(super) fn tile(
    ir: &mut Ir,
    group: &Group,
    dim: usize,
    parts: &[OpId],
    config: &Config,
    rules: &Rules<'_>,
    facts: &Facts,
) -> Result<(), Diag> {
    let root = &group.members[group.root];
    let along_root = root.dims.iter().position(|&other| other == dim);
    // In a pass, each point of a step has an accumulator, also where one for all of them is stated.
    let mut config = config.clone();
    if along_root.is_some_and(|d| config.reduction.get(d).is_some_and(|&step| step != 0)) {
        config.partial_reduction = std::mem::take(&mut config.reduction);
        config.write_over(ir, parts[group.root]);
    }
    let config = &config;
    // A row that stays in the workgroup is gone along again for less than the powers of an online maximum; and a CPU has
    // it in its cache.
    let stays = |bytes: i64| bytes <= limits::bytes_for_rows(facts);
    let is_near = facts.chip.native.is_some() || group.row_bytes(ir).is_some_and(stays);
    // Each has a pass of its own, and is there as a whole in others: also where a slice takes all of it by an extent that
    // only the run knows.
    let reduces = |member: &Member| {
        member.dims.iter().zip(&member.linalg.reduction).any(|(&other, &reduces)| other == dim && reduces)
    };
    let roots: Vec<OpId> = group.members.iter().zip(parts).filter(|at| reduces(at.0)).map(|at| *at.1).collect();
    let rules = &Rules { roots: &roots, ..*rules };
    // Maxima that went along with a sum.
    let mut done: Vec<OpId> = Vec::new();
    for (m, (member, &part)) in group.members.iter().zip(parts).enumerate().rev() {
        let Some(along) = member.dims.iter().position(|&other| other == dim) else { continue };
        if done.contains(&part) || ir.results(part).all(|result| ir.is_unused(result)) {
            continue;
        }
        let step = along_root.and_then(|d| config.partial_reduction.get(d)).copied().unwrap_or(0);
        let mut sizes = vec![0; member.dims.len()];
        sizes[along] = step;
        if m != group.root {
            of_member(config, root, member).write(ir, part);
        }
        let online = if is_near { None } else { Online::of(ir, part) };
        let online = online.filter(|online| parts.contains(&online.max));
        if let Some(online) = online {
            let config = of_member(config, root, member);
            config.write(ir, online.max);
            online.tile(ir, &sizes, rules)?;
            done.push(online.max);
        } else if member.linalg.reduction[along] {
            partial::tile(ir, part, &sizes, Kept::All, rules)?;
        } else {
            fuse::tile(ir, part, &sizes, &Loops::For, rules)?;
        }
    }
    Ok(())
}

/// The configuration of the root, for the loops of another member.
fn of_member(config: &Config, root: &Member, member: &Member) -> Config {
    let list = |list: &[i64], default: i64| -> Vec<i64> {
        let at = |dim: &usize| root.dims.iter().position(|other| other == dim).and_then(|d| list.get(d)).copied();
        if list.is_empty() { Vec::new() } else { member.dims.iter().map(|dim| at(dim).unwrap_or(default)).collect() }
    };
    Config {
        workgroup: list(&config.workgroup, 0),
        partial_reduction: list(&config.partial_reduction, 0),
        subgroup: list(&config.subgroup, 1),
        subgroup_strides: list(&config.subgroup_strides, 0),
        lane: list(&config.lane, 1),
        lane_strides: list(&config.lane_strides, 0),
        thread: list(&config.thread, 1),
        ..Config::default()
    }
}
