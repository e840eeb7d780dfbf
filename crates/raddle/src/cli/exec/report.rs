//! What is said of an execution.

use std::fmt::Write;

use raddle_run::compare::{Comparison, Tolerance, coordinate};
use raddle_run::ptx::MemoryTraffic;
use raddle_run::{Counters, Tensor, Traffic};
use serde_json::{Value, json};

use super::super::run::traffic_json;

/// What an execution left behind.
pub struct Found {
    pub counters: Counters,
    pub traffic: Option<MemoryTraffic>,
    pub seconds: f64,
    pub args: Vec<Tensor>,
    /// Arguments beside what they should be.
    pub compared: Vec<(usize, Comparison)>,
    pub tolerance: Tolerance,
}

impl Found {
    pub fn is_correct(&self) -> bool {
        self.compared.iter().all(|(_, comparison)| comparison.is_correct())
    }

    pub fn json(&self) -> Value {
        let result = |(at, comparison): &(usize, Comparison)| {
            json!({
                "argument": at,
                "correct": comparison.is_correct(),
                "elements": comparison.n_elements,
                "equal": comparison.n_equal,
                "wrong": comparison.n_wrong,
                "max_abs": comparison.max_abs.error,
            })
        };
        json!({
            "ok": self.is_correct(),
            "results": self.compared.iter().map(result).collect::<Vec<_>>(),
            "thread_instructions": self.counters.lane_ops,
            "barriers": self.counters.barriers,
            "shuffles": self.counters.shuffles,
            "matrix_instructions": self.counters.matrix_ops,
            "seconds": self.seconds,
            "traffic": self.traffic.as_ref().map(|traffic| json!({
                "shared": traffic_json(&traffic.shared, "wavefronts"),
                "global": traffic_json(&traffic.global, "sectors"),
                "lines": traffic.lines,
            })),
        })
    }

    pub fn text(&self) -> String {
        let Found { counters, seconds, tolerance, .. } = self;
        let rate = counters.lane_ops as f64 / seconds.max(1e-9);
        let mut out = String::new();
        let _ = writeln!(
            out,
            "executed {} thread instructions in {seconds:.3} s ({:.1} M/s): {} barriers, {} shuffles, {} matrix instructions",
            counters.lane_ops,
            rate / 1e6,
            counters.barriers,
            counters.shuffles,
            counters.matrix_ops
        );
        if let Some(MemoryTraffic { shared, global, lines }) = &self.traffic {
            for (name, traffic, unit) in [("shared", shared, "wavefronts"), ("global", global, "sectors")] {
                let Traffic { bytes_read, bytes_written, requests, transactions, ideal } = traffic;
                let _ = writeln!(
                    out,
                    "{name} memory: {bytes_read} bytes read and {bytes_written} written by {requests} requests, in {transactions} {unit}, \
                     at least {ideal}"
                );
            }
            let _ = writeln!(out, "global memory: {lines} lines of 128 bytes");
        }
        for (at, comparison) in &self.compared {
            let shape = &self.args[*at].shape;
            let verdict = if comparison.is_correct() { "correct" } else { "wrong" };
            let _ = writeln!(
                out,
                "argument {at} is {verdict}: {} of {} elements equal, {} beyond the accepted difference ({tolerance}); largest difference {:.3e}",
                comparison.n_equal, comparison.n_elements, comparison.n_wrong, comparison.max_abs.error
            );
            for mismatch in &comparison.first {
                let place = coordinate(shape, mismatch.index);
                let _ = writeln!(out, "  at {place:?}: {} instead of {}", mismatch.got, mismatch.expected);
            }
        }
        out
    }
}
