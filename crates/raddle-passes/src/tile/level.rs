//! Tile level: tile each operation whose configuration has sizes for a level, and fuse what is around it.
//!
//! Before: `%r = linalg.add {lowering_config = #iree_gpu.lowering_config<{thread = [2, 16]}>} ins(%a, %b) outs(%c)`
//! After, at the level `thread`:
//!
//! ```mlir
//! %r = scf.forall (%i, %j) = (0, 0) to (64, 256) step (2, 16) shared_outs(%o = %c) {
//!   … linalg.add on slices of 2 x 16 …
//!   scf.forall.in_parallel { tensor.parallel_insert_slice … }
//! } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
//! ```
//!
//! Levels that reduce make `scf.for`, the others `scf.forall`. What makes the operands is computed in the loops, and with
//! `scf.forall` also what uses the results. What does not fit stays outside; a size that no loop can have is refused.

use raddle_ir::views::Forall;
use raddle_ir::{AttrId, Diag, Ir, OpId, Opcode, keyword_attr};

use super::fuse::{self, Rules};
use super::nest::Loops;
use super::partial::{self, Kept};
use super::{serial, slices};
use crate::clean;
use crate::config;
use crate::facts::Facts;
use crate::options::{OptionKind, Options, PassOption};

/// The options of [`tile_level`].
pub(crate) const OPTIONS: &[PassOption] = &[
    PassOption {
        name: "tiling-level",
        sentence: "the list of sizes in lowering configurations",
        kind: OptionKind::Word(&["reduction", "partial_reduction", "serial", "thread", "subgroup"]),
    },
    PassOption {
        name: "allow-zero-slices",
        sentence: "pad slices in the loops, also where a slice may have no elements",
        kind: OptionKind::Flag(true),
    },
    PassOption {
        name: "normalize-loops",
        sentence: "let loops count from 0 by 1, and take slices of collapsed tensors from their sources",
        kind: OptionKind::Flag(false),
    },
    PassOption {
        name: "fuse-consumers",
        sentence: "compute in parallel loops what uses their results",
        kind: OptionKind::Flag(true),
    },
];

/// Tiles the operations of a function at one level.
pub(crate) fn tile_level(ir: &mut Ir, func: OpId, _: &Facts, options: &Options) -> Result<(), Diag> {
    let level = options.word("tiling-level");
    let [pads, normalize, consumers] =
        ["allow-zero-slices", "normalize-loops", "fuse-consumers"].map(|name| options.flag(name));
    let mut roots = Vec::new();
    for op in ir.walk(func) {
        if let Some(sizes) = config::level(ir, func, op, level) {
            roots.push((op, sizes));
        }
    }
    let ops: Vec<OpId> = roots.iter().map(|root| root.0).collect();
    let at_once = matches!(level, "thread" | "subgroup" | "serial");
    let rules = Rules {
        roots: &ops,
        outputs: at_once,
        keep: at_once,
        consumers: at_once && consumers,
        used_only: false,
        // Subgroups are tiled again, for their lanes: what is fused now could not be then.
        slices: slices::Rules { merge: level != "subgroup", expand: level != "subgroup", pads },
    };
    for (root, sizes) in roots {
        match level {
            "partial_reduction" => partial::tile(ir, root, &sizes, Kept::Tiled, &rules)?,
            "reduction" => {
                let around = ir.parent_op(root).filter(|&op| ir.opcode(op) == Opcode::ScfFor);
                let (made, _) = fuse::tile(ir, root, &sizes, &Loops::For, &rules)?;
                if !made.is_empty() {
                    let nest: Vec<OpId> = around.into_iter().chain(made).collect();
                    serial::coalesce(ir, &nest);
                }
            }
            _ => {
                let mapping = mapping(ir, level, sizes.iter().filter(|&&size| size != 0).count());
                fuse::tile(ir, root, &sizes, &Loops::Forall(mapping), &rules)?;
            }
        }
    }
    if normalize {
        serial::normalize(ir, func);
        slices::through_collapses(ir, func);
    }
    slices::resolve(ir, func);
    clean::canonicalize(ir, func);
    Ok(())
}

/// Who does which part: the last loop is the fastest one.
fn mapping(ir: &mut Ir, level: &str, n: usize) -> Vec<AttrId> {
    let name = match level {
        "thread" => Forall::THREADS,
        "subgroup" => Forall::SUBGROUPS,
        _ => return Vec::new(),
    };
    (0..n).rev().map(|d| keyword_attr(ir, name, &format!("linear_dim_{d}"))).collect()
}
