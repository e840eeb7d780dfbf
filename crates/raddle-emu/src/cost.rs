//! Counted cost: what a GPU would spend on each operation, by the rules that are public.
//!
//! Shared memory serves one word of four bytes from each bank at a time. A subgroup's access is served in phases, of as
//! many lanes as fill the banks once; a phase takes as many *wavefronts* as the fullest bank has different words (NVIDIA
//! Nsight Compute, "Shared Memory"; AMD CDNA 3 ISA, "Local Data Share Operations"). Global memory moves *sectors* of 32 bytes. The ideal is what
//! the same bytes would take without conflicts, and side by side. An access of several elements becomes instructions of
//! at most 16 bytes, as wide as the addresses allow.
//!
//! These are counts, not times: no caches, no latencies, no clock.

use std::fmt::Write;

use raddle_ir::{Ir, OpId};

use crate::inst::Code;

/// Bytes of a sector of global memory.
const SECTOR: u64 = 32;
/// Bytes that a bank of shared memory serves at a time.
const WORD: u64 = 4;
/// Bytes of the widest access of a lane.
const ACCESS_MAX: usize = 16;

/// What the accesses to one kind of memory cost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Traffic {
    /// Bytes that lanes read.
    pub bytes_read: u64,
    /// Bytes that lanes wrote.
    pub bytes_written: u64,
    /// Instructions of a subgroup.
    pub requests: u64,
    /// Wavefronts of shared memory, or sectors of global memory.
    pub transactions: u64,
    /// How many would have been enough.
    pub ideal: u64,
}

/// What something cost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// How often a subgroup executed it.
    pub executions: u64,
    /// Lanes that were on, over all executions.
    pub lanes_on: u64,
    /// Lanes that were there, on or off.
    pub lanes: u64,
    /// Accesses to shared memory, in wavefronts.
    pub shared: Traffic,
    /// Accesses to global memory, in sectors.
    pub global: Traffic,
    /// Barriers, each counted once for a workgroup.
    pub barriers: u64,
    /// Shuffles of a subgroup.
    pub shuffles: u64,
    /// Matrix instructions of a subgroup.
    pub matrix_ops: u64,
}

/// What a run cost, for each operation that was executed, in the order of the program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Cost {
    /// The operations.
    pub ops: Vec<(OpId, Tally)>,
    /// Their sum.
    pub total: Tally,
}

impl Traffic {
    fn add(&mut self, other: &Traffic) {
        self.bytes_read += other.bytes_read;
        self.bytes_written += other.bytes_written;
        self.requests += other.requests;
        self.transactions += other.transactions;
        self.ideal += other.ideal;
    }
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Tally) {
        self.executions += other.executions;
        self.lanes_on += other.lanes_on;
        self.lanes += other.lanes;
        self.shared.add(&other.shared);
        self.global.add(&other.global);
        self.barriers += other.barriers;
        self.shuffles += other.shuffles;
        self.matrix_ops += other.matrix_ops;
    }

    /// One execution.
    pub(crate) fn executed(&mut self, on: u64, launched: u128) {
        self.executions += 1;
        self.lanes_on += on;
        self.lanes += u64::from(launched.count_ones());
    }

    /// Whether it moved data or made lanes wait for one another.
    fn is_collective(&self) -> bool {
        self.shared.requests + self.global.requests + self.barriers + self.shuffles + self.matrix_ops > 0
    }
}

impl Cost {
    /// Sums up the tallies of instructions.
    pub(crate) fn of(code: &Code, tallies: &[Tally]) -> Cost {
        let mut cost = Cost::default();
        for (&op, tally) in code.ops.iter().zip(tallies).filter(|(_, tally)| tally.executions > 0) {
            cost.total.add(tally);
            match cost.ops.iter_mut().rev().find(|row| row.0 == op) {
                // One operation is several instructions: it was executed as often as the busiest of them.
                Some((_, sum)) => {
                    let busiest = if tally.executions > sum.executions { *tally } else { *sum };
                    sum.add(tally);
                    (sum.executions, sum.lanes_on, sum.lanes) = (busiest.executions, busiest.lanes_on, busiest.lanes);
                }
                None => cost.ops.push((op, *tally)),
            }
        }
        cost
    }

    /// Adds what another run of the same program cost: one of another function, or of the same one.
    pub fn add(&mut self, other: &Cost) {
        self.total.add(&other.total);
        for (op, tally) in &other.ops {
            match self.ops.iter_mut().find(|row| row.0 == *op) {
                Some((_, sum)) => sum.add(tally),
                None => self.ops.push((*op, *tally)),
            }
        }
    }

    /// A table for people: the operations that move data or make lanes wait for one another, and those that some lanes
    /// miss; then the sum over all operations. `place` says where an operation stands.
    pub fn table(&self, ir: &Ir, place: &dyn Fn(OpId) -> String) -> String {
        const HEAD: [&str; 13] = [
            "",
            "operation",
            "runs",
            "lanes on",
            "shared bytes",
            "wavefronts",
            "ideal",
            "global bytes",
            "sectors",
            "ideal",
            "barriers",
            "shuffles",
            "matrix",
        ];
        // What was unrolled is one row again.
        let mut groups: Vec<(String, &str, u64, Tally)> = Vec::new();
        for (op, tally) in &self.ops {
            if !tally.is_collective() && tally.lanes_on == tally.lanes {
                continue;
            }
            let (place, name) = (place(*op), ir.name(*op));
            match groups.last_mut().filter(|last| last.0 == place && last.1 == name) {
                Some((_, _, n, sum)) => {
                    *n += 1;
                    sum.add(tally);
                }
                None => groups.push((place, name, 1, *tally)),
            }
        }
        let mut rows = vec![HEAD.map(str::to_owned)];
        for (place, name, n, tally) in groups {
            let name = if n == 1 { name.to_owned() } else { format!("{n} x {name}") };
            rows.push(row(place, name, &tally));
        }
        rows.push(row(String::new(), "all operations".to_owned(), &self.total));
        let widths: Vec<usize> =
            (0..HEAD.len()).map(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0)).collect();
        let mut out = String::new();
        for row in &rows {
            let mut line = String::new();
            for (at, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                // Words on the left, numbers on the right.
                let _ = if at < 2 { write!(line, "{cell:width$}  ") } else { write!(line, "{cell:>width$}  ") };
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

fn row(place: String, name: String, tally: &Tally) -> [String; 13] {
    let number = |n: u64| if n == 0 { "·".to_owned() } else { n.to_string() };
    let bytes = |traffic: &Traffic| number(traffic.bytes_read + traffic.bytes_written);
    [
        place,
        name,
        number(tally.executions),
        format!("{:.1} %", 100.0 * tally.lanes_on as f64 / tally.lanes.max(1) as f64),
        bytes(&tally.shared),
        number(tally.shared.transactions),
        number(tally.shared.ideal),
        bytes(&tally.global),
        number(tally.global.transactions),
        number(tally.global.ideal),
        number(tally.barriers),
        number(tally.shuffles),
        number(tally.matrix_ops),
    ]
}

/// The addresses of one access of a subgroup, in elements, laid out [element][lane].
pub(crate) struct Access<'a> {
    pub addresses: &'a [usize],
    pub lanes: usize,
    /// The address of an element that is not touched.
    pub skipped: usize,
    pub elem_bytes: usize,
    pub write: bool,
}

impl Access<'_> {
    /// What it costs in shared memory of so many banks; `groups` are those of lanes that loads of 16 bytes serve
    /// together, where they are not neighbours.
    pub(crate) fn in_shared(&self, banks: u32, groups: &[&[usize]], traffic: &mut Traffic) {
        let groups = if self.write { &[] } else { groups };
        let banks = u64::from(banks.max(1));
        self.each_request(traffic, |starts, bytes| {
            let lanes_in_phase = (banks * WORD / (bytes as u64).max(WORD)).max(1) as usize;
            let (mut wavefronts, mut ideal) = (0, 0);
            let mut words = Vec::new();
            let phases: Vec<Vec<Option<u64>>> = if bytes == ACCESS_MAX && !groups.is_empty() {
                let group = |group: &&[usize]| group.iter().filter_map(|&lane| starts.get(lane).copied()).collect();
                groups.iter().map(group).collect()
            } else {
                starts.chunks(lanes_in_phase).map(<[_]>::to_vec).collect()
            };
            for phase in phases {
                words.clear();
                for start in phase.iter().flatten() {
                    words.extend(start / WORD..(start + bytes as u64).div_ceil(WORD));
                }
                words.sort_unstable();
                words.dedup();
                let mut fill = vec![0u64; banks as usize];
                words.iter().for_each(|word| fill[(word % banks) as usize] += 1);
                wavefronts += fill.iter().max().copied().unwrap_or(0);
                ideal += (words.len() as u64).div_ceil(banks);
            }
            (wavefronts, ideal)
        });
    }

    /// What it costs in global memory.
    pub(crate) fn in_global(&self, traffic: &mut Traffic) {
        self.each_request(traffic, |starts, bytes| {
            let bytes = bytes as u64;
            let mut starts: Vec<u64> = starts.iter().flatten().copied().collect();
            starts.sort_unstable();
            starts.dedup();
            let mut sectors: Vec<u64> =
                starts.iter().flat_map(|start| start / SECTOR..(start + bytes).div_ceil(SECTOR)).collect();
            sectors.dedup();
            (sectors.len() as u64, (starts.len() as u64 * bytes).div_ceil(SECTOR))
        });
    }

    /// Cuts the access into instructions, and adds what each one costs. `cost` gets the first byte of each lane that is
    /// on, and the bytes of each lane, and gives transactions and ideal.
    fn each_request(&self, traffic: &mut Traffic, mut cost: impl FnMut(&[Option<u64>], usize) -> (u64, u64)) {
        let n = self.addresses.len() / self.lanes.max(1);
        let width = self.width(n);
        for first in (0..n).step_by(width) {
            let starts: Vec<Option<u64>> = self.addresses[first * self.lanes..][..self.lanes]
                .iter()
                .map(|&at| (at != self.skipped).then(|| (at * self.elem_bytes) as u64))
                .collect();
            let on = starts.iter().flatten().count() as u64;
            if on == 0 {
                continue;
            }
            let bytes = width * self.elem_bytes;
            let (transactions, ideal) = cost(&starts, bytes);
            traffic.requests += 1;
            traffic.transactions += transactions;
            traffic.ideal += ideal;
            let moved = on * bytes as u64;
            if self.write { traffic.bytes_written += moved } else { traffic.bytes_read += moved }
        }
    }

    /// Elements that one instruction moves: the largest power of two for which every lane's elements lie side by side,
    /// at a multiple of their size.
    fn width(&self, n: usize) -> usize {
        let mut width = 1;
        while n.is_multiple_of(width * 2) && width * 2 * self.elem_bytes <= ACCESS_MAX && self.fits(width * 2) {
            width *= 2;
        }
        width
    }

    fn fits(&self, width: usize) -> bool {
        self.addresses.chunks_exact(width * self.lanes).all(|part| {
            (0..self.lanes).all(|lane| {
                let start = part[lane];
                let at = |i: usize| part[i * self.lanes + lane];
                if start == self.skipped {
                    (1..width).all(|i| at(i) == self.skipped)
                } else {
                    start.is_multiple_of(width) && (1..width).all(|i| at(i) == start + i)
                }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(addresses: &[usize], elem_bytes: usize) -> [u64; 3] {
        let mut traffic = Traffic::default();
        let access = Access { addresses, lanes: 32, skipped: usize::MAX, elem_bytes, write: false };
        access.in_shared(32, &[], &mut traffic);
        [traffic.requests, traffic.transactions, traffic.ideal]
    }

    fn global(addresses: &[usize], elem_bytes: usize) -> [u64; 3] {
        let mut traffic = Traffic::default();
        Access { addresses, lanes: 32, skipped: usize::MAX, elem_bytes, write: true }.in_global(&mut traffic);
        [traffic.requests, traffic.transactions, traffic.ideal]
    }

    /// Words that lie `stride` apart meet in one bank as often as `stride` and the number of banks have a divisor in
    /// common.
    #[test]
    fn strides_conflict_by_their_common_divisor_with_the_banks() {
        for stride in 1..=64usize {
            let addresses: Vec<usize> = (0..32).map(|lane| lane * stride).collect();
            let conflicts = 1 << stride.trailing_zeros().min(5);
            assert_eq!(shared(&addresses, 4), [1, conflicts, 1], "stride {stride}");
        }
        // One word for all lanes is read once.
        assert_eq!(shared(&[7; 32], 4), [1, 1, 1]);
    }

    /// Eight bytes for each lane are served in two phases, sixteen in four; elements side by side are one instruction.
    #[test]
    fn wide_accesses_are_served_in_phases() {
        for (n, phases) in [(1, 1), (2, 2), (4, 4)] {
            let addresses: Vec<usize> = (0..n).flat_map(|i| (0..32).map(move |lane| lane * n + i)).collect();
            assert_eq!(shared(&addresses, 4), [1, phases, phases], "{n} words");
        }
        // Rows of 16 bytes at a distance of 128 bytes: the eight lanes of a phase meet in the same four banks.
        let rows: Vec<usize> = (0..8).flat_map(|i| (0..32).map(move |lane| lane * 64 + i)).collect();
        assert_eq!(shared(&rows, 2), [1, 32, 4]);
        // Elements that do not lie side by side are an instruction each.
        let apart: Vec<usize> = (0..2).flat_map(|i| (0..32).map(move |lane| lane + 32 * i)).collect();
        assert_eq!(shared(&apart, 4), [2, 2, 2]);
    }

    /// Side by side, 32 words are four sectors; at a distance of a sector each has its own.
    #[test]
    fn sectors_count_what_is_moved_in_vain() {
        let dense: Vec<usize> = (0..32).collect();
        assert_eq!(global(&dense, 4), [1, 4, 4]);
        assert_eq!(global(&dense, 2), [1, 2, 2]);
        let apart: Vec<usize> = (0..32).map(|lane| lane * 8).collect();
        assert_eq!(global(&apart, 4), [1, 32, 4]);
        // One element later, the same words touch a fifth sector.
        let shifted: Vec<usize> = (1..33).collect();
        assert_eq!(global(&shifted, 4), [1, 5, 4]);
        // Lanes that are off move nothing.
        assert_eq!(global(&[usize::MAX; 32], 4), [0, 0, 0]);
    }
}
