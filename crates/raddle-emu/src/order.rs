//! Order through atomic accesses: what a thread did before one is before what another thread does behind a later one.
//!
//! MLIR lowers `memref.atomic_rmw` to an access that acquires and releases. Each access releases what its thread has done
//! and knows, and its thread acquires what accesses to the element have released before. A thread that does not use the
//! old value cannot tell whom it came after, and acquires nothing: in another run it would have come first.
//!
//! Barriers give whole subgroups an order; an atomic access gives it to one thread, and the next barrier passes it on.
//! Workgroups run one after another here, so that the releases of earlier ones are lists that only grow between them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::memory::Access;
use crate::regs::Space;
use crate::schedule::Stretch;

/// An element of memory.
type Name = (Space, usize);

/// What a thread had done when it released, in each memory.
#[derive(Clone, Debug)]
struct Release {
    /// Accesses of the whole workgroup up to here are included.
    floors: [u32; 2],
    /// The thread's own epoch, and for each subgroup the epoch up to which its accesses are included.
    stretches: [Stretch; 2],
}

impl Release {
    fn covers(&self, thread: u32, memory: usize, other: Access, lanes: u32) -> bool {
        let (epoch, seen) = &self.stretches[memory];
        let seen = seen.get((other.thread / lanes) as usize).copied().unwrap_or(0);
        other.epoch <= self.floors[memory].max(seen) || other.thread == thread && other.epoch <= *epoch
    }
}

/// What a thread has acquired.
#[derive(Clone, Default, Debug)]
struct Know {
    /// The newest known release of each thread of the workgroup.
    releases: BTreeMap<u32, Release>,
    /// For each element of global memory, how many workgroups' releases are known.
    elements: BTreeMap<Name, usize>,
}

impl Know {
    fn is_empty(&self) -> bool {
        self.releases.is_empty() && self.elements.is_empty()
    }

    fn add_release(&mut self, thread: u32, release: &Release) {
        let known = self.releases.entry(thread).or_insert_with(|| release.clone());
        // Both epochs begin anew at each release.
        if known.stretches[0].0 < release.stretches[0].0 {
            *known = release.clone();
        }
    }

    fn add(&mut self, other: &Know) {
        other.releases.iter().for_each(|(&thread, release)| self.add_release(thread, release));
        self.add_elements(&other.elements);
    }

    fn add_elements(&mut self, elements: &BTreeMap<Name, usize>) {
        for (&name, &n) in elements {
            let known = self.elements.entry(name).or_default();
            *known = n.max(*known);
        }
    }

    fn covers(&self, memory: usize, other: Access, lanes: u32) -> bool {
        self.releases.iter().any(|(&thread, release)| release.covers(thread, memory, other, lanes))
    }
}

/// The releases of one element by workgroups that have ended.
#[derive(Clone, Default, Debug)]
struct Log {
    /// For each workgroup, its place in the list.
    workgroups: BTreeMap<u32, (usize, Arc<Know>)>,
    /// What all of them knew.
    elements: BTreeMap<Name, usize>,
}

type Logs = BTreeMap<Name, Log>;

/// What the lanes of a subgroup have acquired.
#[derive(Clone, Debug)]
pub(crate) struct Acquired {
    lanes: Arc<[Arc<Know>]>,
    logs: Arc<Logs>,
    /// Global memory, or that of the workgroup.
    memory: usize,
}

impl Acquired {
    /// Whether an access of another thread is before the next one of this thread.
    #[cold]
    pub(crate) fn covers(&self, who: Access, other: Access) -> bool {
        let n = self.lanes.len() as u32;
        let know = &self.lanes[(who.thread % n) as usize];
        if who.workgroup == other.workgroup {
            return know.covers(self.memory, other, n);
        }
        know.elements.iter().any(|(name, &known)| {
            let released = self.logs.get(name).and_then(|log| log.workgroups.get(&other.workgroup));
            released.is_some_and(|(at, released)| *at < known && released.covers(self.memory, other, n))
        })
    }
}

/// What the atomic accesses of a run have put in order.
#[derive(Clone, Default, Debug)]
pub(crate) struct Order {
    logs: Arc<Logs>,
    /// For each element, what the running workgroup has released there.
    released: BTreeMap<Name, Know>,
    /// For each subgroup that has acquired anything, what its lanes know.
    known: BTreeMap<usize, Arc<[Arc<Know>]>>,
}

impl Order {
    /// A workgroup has ended: the next one begins without knowing it.
    pub(crate) fn end_workgroup(&mut self, workgroup: u32) {
        self.known.clear();
        for (name, know) in std::mem::take(&mut self.released) {
            if !matches!(name.0, Space::Global(_)) {
                continue;
            }
            let log = Arc::make_mut(&mut self.logs).entry(name).or_default();
            for (&name, &n) in &know.elements {
                let known = log.elements.entry(name).or_default();
                *known = n.max(*known);
            }
            log.workgroups.insert(workgroup, (log.workgroups.len(), Arc::new(know)));
        }
    }

    /// What a subgroup has acquired, if anything.
    #[inline(always)]
    pub(crate) fn of(&self, subgroup: usize, memory: usize) -> Option<Acquired> {
        if self.known.is_empty() {
            return None;
        }
        let lanes = self.known.get(&subgroup)?.clone();
        Some(Acquired { lanes, logs: self.logs.clone(), memory })
    }

    /// One thread updates an element atomically. Its accesses up to the end of `stretches` are before it.
    pub(crate) fn update(
        &mut self,
        name: Name,
        (subgroup, lane, lanes): (usize, usize, usize),
        (floors, stretches): ([u32; 2], [Stretch; 2]),
        acquires: bool,
    ) {
        let thread = (subgroup * lanes + lane) as u32;
        let mut know = match self.known.get(&subgroup) {
            Some(known) => known[lane].clone(),
            None => Arc::default(),
        };
        if acquires {
            let new = Arc::make_mut(&mut know);
            if let Some(released) = self.released.get(&name) {
                new.add(released);
            }
            if let Some(log) = self.logs.get(&name) {
                new.elements.insert(name, log.workgroups.len());
                new.add_elements(&log.elements);
            }
            if !new.is_empty() {
                let known = self.known.entry(subgroup).or_insert_with(|| vec![Arc::default(); lanes].into());
                Arc::make_mut(known)[lane] = know.clone();
            }
        }
        let released = self.released.entry(name).or_default();
        released.add(&know);
        released.add_release(thread, &Release { floors, stretches });
    }

    /// What the lanes of these subgroups know, all of them know from now on.
    pub(crate) fn meet(&mut self, subgroups: &[usize], lanes: usize) {
        let all = self.together(subgroups);
        if !all.is_empty() {
            let all = Arc::new(all);
            let known: Arc<[Arc<Know>]> = (0..lanes).map(|_| all.clone()).collect();
            subgroups.iter().for_each(|&at| {
                self.known.insert(at, known.clone());
            });
        }
    }

    /// What a subgroup knows, others know from now on.
    pub(crate) fn tell(&mut self, subgroup: usize, others: &[usize], lanes: usize) {
        let told = self.together(&[subgroup]);
        if told.is_empty() {
            return;
        }
        for &at in others {
            let known = self.known.entry(at).or_insert_with(|| vec![Arc::default(); lanes].into());
            Arc::make_mut(known).iter_mut().for_each(|know| Arc::make_mut(know).add(&told));
        }
    }

    fn together(&self, subgroups: &[usize]) -> Know {
        let mut all = Know::default();
        if self.known.is_empty() {
            return all;
        }
        let mut last: Option<&Arc<Know>> = None;
        for know in subgroups.iter().filter_map(|at| self.known.get(at)).flat_map(|lanes| lanes.iter()) {
            // Lanes that have met share what they know.
            if !last.is_some_and(|last| Arc::ptr_eq(last, know)) {
                all.add(know);
            }
            last = Some(know);
        }
        all
    }
}
