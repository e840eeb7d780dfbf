//! Workgroups that wait for each other: a cluster that only asks for what another one has to do is put aside.
//!
//! Clusters run one after the other, each to its end. Where one spins on global memory, as a lock, a flag or a barrier of
//! the whole grid has it, another one begins or goes on, as long as there is memory for its registers. Spinning is seen by
//! what it does: a warp reads one place again and again, by one instruction, and finds the same.

use std::collections::VecDeque;
use std::mem::{replace, take};

use super::bulk::Transfer;
use super::clock::Clock;
use super::machine::{Machine, Ran};
use super::memory::{Buffer, Released};
use super::phase::Phases;
use super::waits::Bar;
use super::warp::{FULL, Warp};

/// Reads that found nothing new, after which a cluster is put aside.
const IDLE_MAX: u32 = 64;
/// Reads of a warp that found nothing new, after which its other paths have their turn.
pub(super) const SPINS_TURN: u32 = 16;
/// And after which lanes go on that wait where they would meet those that read.
const SPINS_MAX: u32 = 16 * SPINS_TURN;

/// How much a cluster has asked for in vain, and whether there is another one to run.
#[derive(Clone, Default, Debug)]
pub(super) struct Idle {
    n: u32,
    others: bool,
}

/// A cluster that is put aside.
struct Aside {
    warps: Vec<Warp>,
    shared: Vec<Buffer>,
    start: u32,
    /// The newest stamp when it was put aside.
    since: u32,
    released: Released,
    phases: Phases,
    transfers: Vec<Transfer>,
    gathered: (Clock, u64),
    live: Vec<(u32, Clock)>,
    events: u64,
    told: (u32, u64),
    bars: Vec<[Bar; 16]>,
    places: Vec<[u32; 3]>,
}

impl Machine<'_> {
    /// Runs the whole grid.
    pub(super) fn run(&mut self) -> Ran<()> {
        let mut aside: VecDeque<Aside> = VecDeque::new();
        let mut warps = self.new_warps();
        while let Some(origin) = self.next_cluster() {
            self.begin(&mut warps, origin)?;
            loop {
                self.idle = Idle { n: 0, others: !aside.is_empty() || self.has_clusters() };
                if self.cluster(&mut warps)? {
                    self.clusters_done += 1;
                    match aside.pop_front() {
                        Some(next) => warps = self.go_on(next),
                        None => break,
                    }
                } else if self.has_clusters() && aside.len() < self.aside_max {
                    let new = self.new_warps();
                    let now = self.put_aside(replace(&mut warps, new));
                    aside.push_back(now);
                    break;
                } else if let Some(next) = aside.pop_front() {
                    let now = self.put_aside(warps);
                    aside.push_back(now);
                    warps = self.go_on(next);
                }
            }
        }
        self.counters.fuel = self.options.fuel - self.fuel;
        Ok(())
    }

    /// Whether there are clusters that have not begun.
    fn has_clusters(&self) -> bool {
        self.clusters_begun < self.n_clusters
    }

    /// Where the next cluster is in the grid; it counts as begun.
    pub(super) fn next_cluster(&mut self) -> Option<[u32; 3]> {
        if !self.has_clusters() {
            return None;
        }
        let at = self.clusters_begun;
        self.clusters_begun += 1;
        let [nx, ny, _] = [0, 1, 2].map(|axis| u64::from(self.shape.grid[axis] / self.shape.cluster[axis]));
        let place = [at % nx, at / nx % ny, at / nx / ny];
        Some([0, 1, 2].map(|axis| place[axis] as u32 * self.shape.cluster[axis]))
    }

    /// A warp reads memory in a way that others may answer to: `found` at `address` by an instruction. Where these may be
    /// lanes of its own that wait for it, they do not any more.
    pub(super) fn polled(&mut self, warp: &mut Warp, pc: u32, address: u64, found: u64) {
        let (others, parted) = (self.idle.others && address >> 36 != 0, warp.is_parted());
        if !others && !parted {
            return;
        }
        let poll = (pc, address, found);
        let is_same = replace(&mut warp.polled, poll) == poll;
        if others {
            self.idle.n = if is_same { self.idle.n + 1 } else { 0 };
        }
        warp.spins = if parted && is_same { warp.spins + 1 } else { 0 };
        if warp.spins.is_multiple_of(SPINS_MAX) && warp.spins != 0 {
            warp.part_joined(FULL);
        }
    }

    /// Whether the cluster has asked in vain for long enough.
    #[inline(always)]
    pub(super) fn is_idle(&self) -> bool {
        self.idle.n >= IDLE_MAX
    }

    fn put_aside(&mut self, warps: Vec<Warp>) -> Aside {
        let n = self.shape.cluster_size();
        Aside {
            warps,
            shared: replace(&mut self.memory.shared, Self::new_shared(self.program, &self.shape, self.options)),
            start: self.start,
            since: self.clock,
            released: take(&mut self.released[1]),
            phases: take(&mut self.phases),
            transfers: take(&mut self.transfers),
            gathered: take(&mut self.gathered),
            live: replace(&mut self.live, vec![Default::default(); n]),
            events: take(&mut self.events),
            told: take(&mut self.told),
            bars: replace(&mut self.bars, vec![Default::default(); n]),
            places: take(&mut self.places),
        }
    }

    /// Lets a cluster go on; gives its warps. What was done in between was done by others.
    fn go_on(&mut self, aside: Aside) -> Vec<Warp> {
        let Aside { mut warps, shared, start, since, released, .. } = aside;
        self.memory.shared = shared;
        self.start = start;
        self.released[1] = released;
        (self.phases, self.transfers, self.gathered) = (aside.phases, aside.transfers, aside.gathered);
        (self.live, self.events, self.told) = (aside.live, aside.events, aside.told);
        (self.bars, self.places) = (aside.bars, aside.places);
        let stores = warps.iter_mut().flat_map(|warp| {
            let stores = warp.stores.iter_mut().map(|transfer| &mut transfer.known);
            stores.chain([&mut warp.known])
        });
        let known = stores.chain(self.transfers.iter_mut().map(|transfer| &mut transfer.known));
        known.for_each(|known| known.others(since, self.clock));
        warps
    }
}
