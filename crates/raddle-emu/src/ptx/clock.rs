//! What a warp knows of the others: up to which stamp their accesses are before its own, also for asynchronous copies.

use super::memory::Access;

/// Stamps for each warp of the cluster.
#[derive(Clone, Default, Debug)]
pub(super) struct Clock {
    /// Accesses up to here are known.
    pub seen: Vec<u32>,
    /// Writes up to here are known to the asynchronous proxy as well: a proxy fence lies behind them.
    pub fenced: Vec<u32>,
    /// Barriers in shared memory that were made up to here are known to the cluster and to asynchronous copies: a fence
    /// for them, or for everything, lies behind them.
    pub made: Vec<u32>,
    /// What products of its group of warps read up to here is known.
    pub read: Vec<u32>,
    /// What other clusters did up to here is known.
    pub floor: u32,
    /// Stamps of others since the cluster began: behind the first, up to the second, in order.
    others: Vec<(u32, u32)>,
}

impl Clock {
    /// One that knows everything up to a stamp.
    pub(super) fn new(warps: usize, stamp: u32) -> Clock {
        Clock {
            seen: vec![stamp; warps],
            fenced: vec![stamp; warps],
            made: vec![stamp; warps],
            read: vec![stamp; warps],
            floor: 0,
            others: Vec::new(),
        }
    }

    /// Knows everything that the cluster did up to a stamp, and nothing else.
    pub(super) fn reset(&mut self, stamp: u32) {
        self.seen.fill(stamp);
        self.fenced.fill(stamp);
        self.made.fill(stamp);
        self.read.fill(stamp);
        self.floor = 0;
        self.others.clear();
    }

    /// Other clusters ran behind one stamp, up to another one.
    pub(super) fn others(&mut self, behind: u32, upto: u32) {
        if behind < upto {
            self.others.push((behind, upto));
        }
    }

    /// Whether a stamp since the cluster began is another one's.
    #[inline(always)]
    pub(super) fn is_others(&self, stamp: u32) -> bool {
        !self.others.is_empty() && self.is_in_between(stamp)
    }

    #[cold]
    fn is_in_between(&self, stamp: u32) -> bool {
        let at = self.others.partition_point(|&(_, upto)| upto < stamp);
        self.others.get(at).is_some_and(|&(behind, _)| behind < stamp)
    }

    /// Knows also what another one knows.
    pub(super) fn join(&mut self, other: &Clock) {
        if self.seen.is_empty() {
            self.clone_from(other);
            return;
        }
        self.floor = self.floor.max(other.floor);
        let lists = [
            (&mut self.seen, &other.seen),
            (&mut self.fenced, &other.fenced),
            (&mut self.made, &other.made),
            (&mut self.read, &other.read),
        ];
        for (mine, other) in lists {
            for (mine, &other) in mine.iter_mut().zip(other) {
                *mine = (*mine).max(other);
            }
        }
    }

    /// Knows also of the barriers that another one knows of.
    pub(super) fn join_made(&mut self, other: &Clock) {
        if self.seen.is_empty() {
            *self = Clock::new(other.seen.len(), 0);
        }
        self.made.iter_mut().zip(&other.made).for_each(|(mine, &other)| *mine = (*mine).max(other));
    }

    /// What is known, and an access with all that its warp did before.
    pub(super) fn knowing(&self, access: Access) -> Clock {
        let mut known = self.clone();
        let seen = &mut known.seen[(access.thread() >> 5) as usize];
        *seen = access.stamp().max(*seen);
        known
    }

    /// A warp releases what it knows, and its own accesses up to now.
    pub(super) fn release(&mut self, known: &Clock, warp: usize, now: u32) {
        self.join(known);
        self.seen[warp] = self.seen[warp].max(now);
    }

    /// A proxy fence of a warp: what it knows and did, asynchronous copies may use.
    pub(super) fn fence(&mut self, warp: usize, now: u32) {
        for (fenced, &seen) in self.fenced.iter_mut().zip(&self.seen) {
            *fenced = (*fenced).max(seen);
        }
        self.fenced[warp] = now;
    }

    /// A fence of a warp for the cluster: the barriers that it made are known.
    pub(super) fn show(&mut self, warp: usize, now: u32) {
        self.made[warp] = now;
    }

    pub(super) fn covers(&self, other: Access) -> bool {
        let warp = (other.thread() >> 5) as usize;
        other.stamp() <= self.seen[warp] || other.is_bulk() && other.stamp() <= self.read[warp]
    }

    pub(super) fn covers_fenced(&self, other: Access) -> bool {
        other.stamp() <= self.fenced[(other.thread() >> 5) as usize]
    }

    pub(super) fn covers_made(&self, other: Access) -> bool {
        other.stamp() <= self.made[(other.thread() >> 5) as usize]
    }
}
