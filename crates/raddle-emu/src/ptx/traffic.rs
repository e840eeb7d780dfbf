//! Counted traffic: the wavefronts of shared memory and the sectors of global memory that warps' accesses take.
//!
//! The rules for one access are those of `cost.rs`. Nothing is counted without [`crate::Options::banks`]; local memory is
//! not counted at all.

use super::lane::{LANES, Row};
use super::machine::{Machine, lanes_of};
use super::memory::{PARAM_BUFFER, Place, place};
use crate::cost::{Access, Traffic};

/// What a run's accesses to memory took: shared memory in wavefronts, global memory in sectors.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MemoryTraffic {
    /// Shared memory.
    pub shared: Traffic,
    /// Global memory.
    pub global: Traffic,
    /// Lines of 128 bytes that requests to global memory touch: an L2 cache is asked for each of them, whether all of it
    /// or one sector is wanted, unless an L1 cache has it.
    pub lines: u64,
}

/// Bytes of a wavefront of shared memory: one word of each bank.
const WAVEFRONT: u64 = 128;
/// Bytes of a sector of global memory.
const SECTOR: u64 = 32;
/// Bytes of a line of a cache.
const LINE: u64 = 128;

impl Machine<'_> {
    /// Counts an access of some lanes, of so many bytes each, at these addresses of the generic space.
    #[inline(always)]
    pub(super) fn count(&mut self, addresses: &Row, on: u32, bytes: usize, write: bool) {
        if let Some(banks) = self.options.banks {
            self.count_lanes(banks, addresses, on, bytes, write);
        }
    }

    fn count_lanes(&mut self, banks: u32, addresses: &Row, on: u32, bytes: usize, write: bool) {
        const SKIPPED: usize = usize::MAX;
        let [mut shared, mut global] = [[SKIPPED; LANES]; 2];
        // An access that ends behind the last address is not counted: it is refused where it would be made.
        let exists = |lane: &usize| addresses[*lane].checked_add(bytes as u64).is_some();
        for lane in lanes_of(on).filter(exists) {
            let at = addresses[lane] as usize / bytes;
            match place(addresses[lane]) {
                Place::Shared { .. } => shared[lane] = at,
                // Parameters lie in a memory of their own.
                Place::Global { buffer: PARAM_BUFFER, .. } | Place::Local { .. } | Place::Nowhere => {}
                Place::Global { .. } => global[lane] = at,
            }
        }
        let access = |addresses| Access { addresses, lanes: LANES, skipped: SKIPPED, elem_bytes: bytes, write };
        access(&shared).in_shared(banks, &[], &mut self.traffic.shared);
        access(&global).in_global(&mut self.traffic.global);
        let touched = global.iter().filter(|&&at| at != SKIPPED).map(|&at| (at * bytes) as u64);
        let mut lines: Vec<u64> = touched.flat_map(|at| at / LINE..=(at + bytes as u64 - 1) / LINE).collect();
        lines.sort_unstable();
        lines.dedup();
        self.traffic.lines += lines.len() as u64;
    }

    /// Counts bytes that one request moves between global and shared memory side by side and without conflicts.
    pub(super) fn count_bulk(&mut self, bytes: u64, to_global: bool) {
        if self.options.banks.is_some() {
            self.traffic.lines += bytes.div_ceil(LINE);
            let (global, shared) = (&mut self.traffic.global, &mut self.traffic.shared);
            let (from, to) = if to_global { (&mut *shared, &mut *global) } else { (&mut *global, &mut *shared) };
            from.bytes_read += bytes;
            to.bytes_written += bytes;
            for (traffic, unit) in [(global, SECTOR), (shared, WAVEFRONT)] {
                traffic.requests += 1;
                traffic.transactions += bytes.div_ceil(unit);
                traffic.ideal += bytes.div_ceil(unit);
            }
        }
    }

    /// Counts bytes that a matrix instruction reads from shared memory, whose swizzle leaves no conflicts.
    pub(super) fn count_factor(&mut self, bytes: u64) {
        if self.options.banks.is_some() {
            let shared = &mut self.traffic.shared;
            shared.requests += 1;
            shared.bytes_read += bytes;
            shared.transactions += bytes.div_ceil(WAVEFRONT);
            shared.ideal += bytes.div_ceil(WAVEFRONT);
        }
    }
}
