//! A roofline: what a kernel takes on a chip at least, by what the emulator counted and what the chip's table says.
//!
//! Each resource has a time of its own: the bytes of the arguments through global memory, once; the sectors that subgroups
//! ask for through the L2 cache, as if no other cache held them; wavefronts of shared memory, but for what matrix
//! instructions read from there by themselves; matrix instructions; and operations of subgroups, one for each of a
//! processor's schedulers in a clock. The processor with the most workgroups decides. The largest of these times is the
//! model's: nothing waits, and resources do not get into each other's way.

use std::fmt::Write;

use raddle_ir::{Ir, OpId};
use raddle_run::{Cost, Launch, Tensor};
use raddle_target::catalogue::SharedProduct;
use raddle_target::{Chip, Mma, Processors};
use serde_json::{Map, Value, json};

/// Bytes of a sector of global memory.
const SECTOR: u64 = 32;
/// Operations that a processor starts in a clock: one for each scheduler.
const SCHEDULERS: f64 = 4.0;

/// What kernels need of a chip.
const RESOURCES: [&str; 5] = ["global memory", "L2 cache", "shared memory", "matrix instructions", "operations"];

/// One launch of a kernel.
pub struct Roofline {
    name: String,
    workgroups: u64,
    cost: Cost,
    /// Bytes of the arguments, or of all accesses where these are fewer.
    global_bytes: u64,
    matrix_flops: f64,
    /// Seconds of each of the [`RESOURCES`]; `None` where the chip's speed is not known.
    seconds: Option<[f64; RESOURCES.len()]>,
}

impl Roofline {
    /// The roofline of what a launch cost.
    pub fn of(ir: &Ir, kernel: OpId, launch: &Launch, args: &[Tensor], cost: Cost, chip: &Chip) -> Roofline {
        let workgroups: u64 = launch.grid.iter().map(|&n| u64::from(n)).product();
        let of_args = args.iter().map(|arg| arg.bytes.len() as u64).sum::<u64>();
        let global_bytes = of_args.min(cost.total.global.transactions * SECTOR);
        // Flops, and clocks of one processor that would do all of them.
        let (mut matrix_flops, mut matrix_clocks) = (0.0, 0.0);
        for (op, tally) in &cost.ops {
            let (of_one, elem, of_shared) = match (Mma::of_op(ir, *op), SharedProduct::of(ir, *op)) {
                (Some(mma), _) => (mma.m * mma.n * mma.k, mma.types[0], false),
                // Four subgroups do one together.
                (None, Some(product)) => (product.mnk.iter().product::<i64>() / 4, product.types[0], true),
                (None, None) => continue,
            };
            let flops = 2.0 * of_one as f64 * tally.matrix_ops as f64;
            let elem_bytes = i64::from(elem.bits().div_ceil(8));
            matrix_flops += flops;
            matrix_clocks += chip.processors.map_or(0.0, |chip| flops / chip.flops(elem_bytes, of_shared));
        }
        let seconds = chip.processors.map(|processors| {
            let Processors { count, memory_bytes, cache_bytes, cache_bytes_all, clock_mhz, .. } = processors;
            let total = &cost.total;
            // The share of the work that the busiest processor has.
            let share = workgroups.div_ceil(u64::from(count)) as f64 / workgroups.max(1) as f64;
            let sectors = (total.global.transactions * SECTOR) as f64;
            let clocks = [
                global_bytes as f64 / f64::from(memory_bytes),
                (sectors / f64::from(cache_bytes) * share)
                    .max(cache_bytes_all.map_or(0.0, |all| sectors / f64::from(all))),
                total.shared.transactions as f64 * share,
                matrix_clocks * share,
                total.executions as f64 / SCHEDULERS * share,
            ];
            clocks.map(|clocks| clocks / (f64::from(clock_mhz) * 1e6))
        });
        let name = ir.symbol_name(kernel).unwrap_or_default().to_owned();
        Roofline { name, workgroups, cost, global_bytes, matrix_flops, seconds }
    }

    /// What takes longest, and how long.
    pub fn bound(&self) -> Option<(&'static str, f64)> {
        let all = RESOURCES.into_iter().zip(self.seconds?);
        all.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// What was counted, and the times.
    pub fn json(&self) -> Value {
        let total = &self.cost.total;
        let bound = self.bound();
        json!({
            "kernel": self.name,
            "workgroups": self.workgroups,
            "modelled_s": bound.map(|bound| bound.1),
            "bound": bound.map(|bound| bound.0),
            "modelled_bounds_s": self.seconds.map(|seconds| {
                let each = RESOURCES.into_iter().zip(seconds);
                each.map(|(name, seconds)| (name.to_owned(), json!(seconds))).collect::<Map<_, _>>()
            }),
            "global_bytes": self.global_bytes,
            "cache_bytes": total.global.transactions * SECTOR,
            "shared_bytes": total.shared.bytes_read + total.shared.bytes_written,
            "shared_wavefronts": total.shared.transactions,
            "shared_wavefronts_ideal": total.shared.ideal,
            "matrix_instructions": total.matrix_ops,
            "matrix_flops": self.matrix_flops,
            "operations": total.executions,
            "shuffles": total.shuffles,
            "barriers": total.barriers,
        })
    }

    /// A line for each resource.
    pub fn show(&self, out: &mut String) {
        let total = &self.cost.total;
        let counted = [
            format!("{} bytes", self.global_bytes),
            format!("{} bytes in sectors", total.global.transactions * SECTOR),
            format!("{} wavefronts, {} without conflicts", total.shared.transactions, total.shared.ideal),
            format!("{} instructions, {:.4} GFLOP", total.matrix_ops, self.matrix_flops / 1e9),
            format!("{} of subgroups", total.executions),
        ];
        let _ = writeln!(out, "  @{}, {} workgroups", self.name, self.workgroups);
        for (at, (name, counted)) in RESOURCES.iter().zip(counted).enumerate() {
            let _ = match self.seconds {
                Some(seconds) => {
                    let binds = if self.bound().is_some_and(|bound| bound.0 == *name) { "  binds" } else { "" };
                    writeln!(out, "    {name:<20}{counted:<44}{:>10.2} us{binds}", seconds[at] * 1e6)
                }
                None => writeln!(out, "    {name:<20}{counted}"),
            };
        }
    }
}
