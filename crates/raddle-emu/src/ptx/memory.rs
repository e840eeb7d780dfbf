//! Memory in bytes: buffers behind 64-bit addresses, and the shadow that knows who touched which byte last.
//!
//! Every buffer has a stretch of addresses of its own, far from its neighbours, so that the address alone says which
//! buffer is meant and how far outside an access lies. Shared and local memory are windows of the generic space.
//!
//! The shadow keeps, for each granule, the last writer and two of its last readers. A stamp counts synchronizations;
//! each warp knows up to which stamp it has seen the others. Two threads that touch a granule, one of them writing, race
//! if the later one has not seen the earlier one. A write that changes nothing races with nobody. A granule is as large
//! as the smallest access to the buffer so far, at most sixteen bytes; shared memory begins anew with each cluster.

use std::ops::Range;

use super::clock::Clock;
use rustc_hash::FxHashMap;

/// Where the window of shared memory begins in the generic space.
pub(super) const SHARED_WINDOW: u64 = 1 << 32;
/// Where the window of local memory begins.
pub(super) const LOCAL_WINDOW: u64 = 2 << 32;
/// Where the parameters of the kernel begin in the generic space: their addresses fit registers of 32 bits, which
/// producers move them through.
pub(super) const PARAM_WINDOW: u64 = 1 << 30;
/// The buffer that holds the kernel's parameters; variables follow, and then the arguments.
pub(super) const PARAM_BUFFER: usize = 0;
/// Each buffer of global memory begins at a multiple of this.
const BUFFER_SHIFT: u32 = 36;
/// A shared address holds the rank of its workgroup in the cluster, plus one, above these bits; 0 is the own workgroup.
pub(super) const RANK_SHIFT: u32 = 24;

/// The address of the first byte of a global buffer.
pub(super) fn address_of(buffer: usize) -> u64 {
    (buffer as u64 + 1) << BUFFER_SHIFT
}

/// Which memory an address is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Global {
        buffer: usize,
        offset: u64,
    },
    /// `rank` is that of the workgroup in its cluster, if the address says it.
    Shared {
        rank: Option<u32>,
        offset: u64,
    },
    Local {
        offset: u64,
    },
    Nowhere,
}

/// Takes a generic address apart.
#[inline(always)]
pub(super) fn place(address: u64) -> Place {
    match address >> BUFFER_SHIFT {
        0 => match address >> 32 {
            0 if address >= PARAM_WINDOW => Place::Global { buffer: PARAM_BUFFER, offset: address - PARAM_WINDOW },
            1 => shared_place(address & 0xffff_ffff),
            2 => Place::Local { offset: address & 0xffff_ffff },
            _ => Place::Nowhere,
        },
        at => Place::Global { buffer: at as usize - 1, offset: address & ((1 << BUFFER_SHIFT) - 1) },
    }
}

/// An address of shared memory.
#[inline(always)]
pub(super) fn shared_place(address: u64) -> Place {
    let rank = (address >> RANK_SHIFT) as u32;
    Place::Shared { rank: rank.checked_sub(1), offset: address & ((1 << RANK_SHIFT) - 1) }
}

/// An access, packed: stamp, thread in the cluster, whether it is of the asynchronous proxy, on its way, strong;
/// instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Access(u64);

const PC_BITS: u32 = 15;
const STRONG: u64 = 1 << PC_BITS;
const ARRIVING: u64 = 1 << (PC_BITS + 1);
const BULK: u64 = 1 << (PC_BITS + 2);
const THREAD_SHIFT: u32 = PC_BITS + 3;
const THREADS_MAX: u64 = 1 << (32 - THREAD_SHIFT);

impl Access {
    pub(super) const NONE: Access = Access(0);

    pub(super) fn new(stamp: u32, thread: u32, pc: u32) -> Access {
        assert!(u64::from(thread) < THREADS_MAX, "a cluster has at most 16 workgroups of 1024 threads");
        let pc = u64::from(pc).min((1 << PC_BITS) - 1);
        Access(u64::from(stamp) << 32 | u64::from(thread) << THREAD_SHIFT | pc)
    }

    /// An atomic or volatile access.
    pub(super) fn strong(self) -> Access {
        Access(self.0 | STRONG)
    }

    /// The destination of an asynchronous copy.
    pub(super) fn arriving(self) -> Access {
        Access(self.0 | ARRIVING)
    }

    /// Of a bulk copy or a product of a group of warps: the asynchronous proxy.
    pub(super) fn bulk(self) -> Access {
        Access(self.0 | BULK)
    }

    pub(super) fn of_lane(self, lane: usize) -> Access {
        Access(self.0 + ((lane as u64) << THREAD_SHIFT))
    }

    pub(super) fn stamp(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub(super) fn thread(self) -> u32 {
        ((self.0 & 0xffff_ffff) >> THREAD_SHIFT) as u32
    }

    /// The instruction, if it is among the first 32 767.
    pub(super) fn pc(self) -> Option<usize> {
        let pc = self.0 & ((1 << PC_BITS) - 1);
        (pc != (1 << PC_BITS) - 1).then_some(pc as usize)
    }

    pub(super) fn is_strong(self) -> bool {
        self.0 & STRONG != 0
    }

    pub(super) fn is_bulk(self) -> bool {
        self.0 & BULK != 0
    }

    pub(super) fn is_arriving(self) -> bool {
        self.0 & ARRIVING != 0
    }
}

/// What a thread has seen of the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    /// The access of lane 0.
    pub who: Access,
    /// The first stamp of this cluster.
    pub start: u32,
    /// What is known of the warps of the cluster, and of other clusters.
    pub known: &'a Clock,
}

impl View<'_> {
    /// Whether an access is one of another cluster.
    #[inline(always)]
    pub(super) fn is_elsewhere(&self, other: Access) -> bool {
        other.stamp() < self.start || self.known.is_others(other.stamp())
    }

    /// Whether an access is before this one, or of the same thread.
    #[inline(always)]
    pub(super) fn knows(&self, who: Access, other: Access) -> bool {
        if self.is_elsewhere(other) {
            return other.stamp() <= self.known.floor;
        }
        other.thread() == who.thread() || self.known.covers(other)
    }

    /// Whether a write that is known is hidden from the asynchronous proxy: there is no fence behind it.
    #[inline(always)]
    fn hides(&self, who: Access, writer: Access) -> bool {
        who.is_bulk() && !writer.is_bulk() && !self.is_elsewhere(writer) && !self.known.covers_fenced(writer)
    }
}

/// A write that is not ordered with another access to its bytes.
pub(super) struct Clash<'a> {
    pub other: Access,
    /// What the other access wrote, and what this one does; nothing if the other one read.
    pub written: Option<[&'a [u8]; 2]>,
}

/// What is wrong with an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Trouble {
    /// Nothing has written the byte.
    Unwritten,
    /// The other access, and what it did.
    Race(Access, &'static str),
    /// An asynchronous copy writes the byte.
    Arriving(Access),
    /// An asynchronous copy reads the byte.
    Leaving(Access),
    /// The write is not known to the asynchronous proxy.
    Unfenced(Access),
    /// Lanes wrote different values there at once: the number of the finding.
    Open(u32),
}

/// Bytes of the largest granule, as a power of two: those of the widest access that is common.
const GRANULE_MAX: u32 = 4;

/// What a buffer is for the rules of the shadow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// All workgroups.
    Global,
    /// One workgroup, or its cluster; contents end with it.
    Shared,
}

/// Bytes that a program can reach.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    /// As people call it.
    pub name: String,
    pub data: Vec<u8>,
    pub scope: Scope,
    /// Whether it has contents when the kernel starts.
    pub initialised: bool,
    /// Bytes that belong to the system, which has written them.
    pub system: Range<usize>,
    pub read_only: bool,
    /// Its workgroup has ended.
    pub closed: bool,
    /// What asynchronous copies read until they are waited for: from, to, and who.
    leaving: Vec<(usize, usize, Access)>,
    /// Bytes that lanes wrote at once, each something else, and the numbers of the findings.
    open: Vec<(Range<usize>, u32)>,
    /// Three words for each granule: the last writer and two readers. Empty if nobody has to know.
    shadow: Vec<u64>,
    /// Bytes of a granule, as a power of two.
    granule: u32,
}

impl Buffer {
    pub(super) fn new(name: String, data: Vec<u8>, scope: Scope, initialised: bool, tracked: bool) -> Buffer {
        let granule = GRANULE_MAX;
        let shadow = if tracked { vec![0; data.len().div_ceil(1 << granule) * 3] } else { Vec::new() };
        Buffer {
            name,
            data,
            scope,
            initialised,
            system: 0..0,
            read_only: false,
            closed: false,
            leaving: Vec::new(),
            open: Vec::new(),
            shadow,
            granule,
        }
    }

    /// Another cluster begins: what was done to shared memory before is of no interest, nor how finely.
    pub(super) fn forget(&mut self) {
        self.closed = false;
        self.leaving.clear();
        self.open.clear();
        if self.granule < GRANULE_MAX && !self.shadow.is_empty() {
            self.granule = GRANULE_MAX;
            self.shadow.clear();
            self.shadow.resize(self.data.len().div_ceil(1 << GRANULE_MAX) * 3, 0);
        }
    }

    /// Bytes that a buffer of so many takes.
    pub(super) fn bytes(n: usize, tracked: bool) -> usize {
        n.saturating_mul(if tracked { 7 } else { 1 })
    }

    /// Makes granules small enough for an access.
    #[cold]
    fn refine(&mut self, granule: u32) {
        let factor = 1 << (self.granule - granule);
        let mut shadow = Vec::with_capacity(self.shadow.len() * factor);
        for cell in self.shadow.chunks_exact(3) {
            for _ in 0..factor {
                shadow.extend_from_slice(cell);
            }
        }
        self.shadow = shadow;
        self.granule = granule;
    }

    #[inline(always)]
    fn granules(&mut self, at: usize, n: usize) -> Range<usize> {
        let together = (at | n).trailing_zeros();
        if together < self.granule {
            self.refine(together);
        }
        at >> self.granule..(at + n) >> self.granule
    }

    /// Notes that a lane reads bytes.
    #[inline(always)]
    pub(super) fn note_read(&mut self, at: usize, n: usize, view: &View<'_>, who: Access) -> Result<(), Trouble> {
        if self.shadow.is_empty() {
            return Ok(());
        }
        self.check_open(at, n)?;
        let granules = self.granules(at, n);
        self.note_read_of(granules, view, who)
    }

    /// The same, of `n` bytes at a multiple of them, where granules are known to be no larger: see [`Buffer::prepare`].
    #[inline(always)]
    pub(super) fn note_read_prepared(
        &mut self,
        at: usize,
        n: usize,
        view: &View<'_>,
        who: Access,
    ) -> Result<(), Trouble> {
        if self.shadow.is_empty() {
            return Ok(());
        }
        self.check_open(at, n)?;
        self.note_read_of(at >> self.granule..(at + n) >> self.granule, view, who)
    }

    /// Makes granules small enough for accesses of `n` bytes at multiples of them.
    #[inline(always)]
    pub(super) fn prepare(&mut self, n: usize) {
        if n.trailing_zeros() < self.granule && !self.shadow.is_empty() {
            self.refine(n.trailing_zeros());
        }
    }

    #[inline(always)]
    fn note_read_of(&mut self, granules: Range<usize>, view: &View<'_>, who: Access) -> Result<(), Trouble> {
        for granule in granules {
            let cell = &mut self.shadow[granule * 3..granule * 3 + 3];
            let writer = Access(cell[0]);
            let is_stale = self.scope == Scope::Shared && writer.stamp() < view.start;
            if writer == Access::NONE || is_stale {
                if !self.initialised && !self.system.contains(&(granule << self.granule)) {
                    return Err(Trouble::Unwritten);
                }
            } else if writer.is_arriving() {
                return Err(Trouble::Arriving(writer));
            } else if !(view.knows(who, writer) || writer.is_strong() && who.is_strong()) {
                return Err(Trouble::Race(writer, "wrote"));
            } else if view.hides(who, writer) {
                return Err(Trouble::Unfenced(writer));
            }
            let first = Access(cell[1]);
            if first == who {
                continue;
            }
            // Two readers that this one does not know of are enough: whoever writes next is at most one of them.
            if first.thread() != who.thread() && first.stamp() >= view.start && !view.knows(who, first) {
                cell[2] = who.0;
            } else if first.stamp() < view.start && first != Access::NONE && self.scope == Scope::Global {
                cell[2] = first.0;
                cell[1] = who.0;
            } else {
                cell[1] = who.0;
            }
        }
        Ok(())
    }

    /// Notes that a lane writes `n` bytes, before it does. Bytes that are known and change nothing race with nobody.
    #[inline(always)]
    pub(super) fn note_write(
        &mut self,
        at: usize,
        n: usize,
        new: Option<&[u8]>,
        view: &View<'_>,
        who: Access,
    ) -> Result<(), Trouble> {
        self.note_write_unless(at, n, new, view, who, &mut |_| false)
    }

    /// The same, where some clashes may be of no interest.
    #[inline(always)]
    pub(super) fn note_write_unless(
        &mut self,
        at: usize,
        n: usize,
        new: Option<&[u8]>,
        view: &View<'_>,
        who: Access,
        excuses: &mut dyn FnMut(&Clash<'_>) -> bool,
    ) -> Result<(), Trouble> {
        if self.shadow.is_empty() {
            return Ok(());
        }
        self.check_leaving(at, n)?;
        let granules = self.granules(at, n);
        let (size, first) = (1 << self.granule, granules.start);
        let mut is_ordered = true;
        for granule in granules {
            let cell = &mut self.shadow[granule * 3..granule * 3 + 3];
            for (slot, did) in [(0, "wrote"), (1, "read"), (2, "read")] {
                let other = Access(cell[slot]);
                if other == Access::NONE || self.scope == Scope::Shared && other.stamp() < view.start {
                    continue;
                }
                if slot == 0 && other.is_arriving() {
                    return Err(Trouble::Arriving(other));
                }
                // That a thread's own write is in front of this one says nothing of those of other lanes.
                is_ordered &= slot != 0 || view.is_elsewhere(other) || view.known.covers(other);
                if view.knows(who, other) || other.is_strong() && who.is_strong() {
                    continue;
                }
                let old = &self.data[granule * size..granule * size + size];
                let mut is_other = |all: &[u8]| {
                    let new = &all[(granule - first) * size..][..size];
                    let written = (slot == 0).then(|| [&self.data[at..at + n], all]);
                    old != new && !excuses(&Clash { other, written })
                };
                if new.is_none_or(&mut is_other) {
                    return Err(Trouble::Race(other, did));
                }
            }
            cell[0] = who.0;
        }
        if !self.open.is_empty() && is_ordered {
            self.open.retain(|(bytes, _)| !(at <= bytes.start && bytes.end <= at + n));
        }
        Ok(())
    }

    /// Which of several values is there stays open until a write that is ordered with these.
    pub(super) fn leave_open(&mut self, at: usize, n: usize, finding: u32) {
        self.open.push((at..at + n, finding));
    }

    #[inline(always)]
    fn check_open(&self, at: usize, n: usize) -> Result<(), Trouble> {
        match self.open.iter().find(|(bytes, _)| at < bytes.end && bytes.start < at + n) {
            Some(&(_, finding)) => Err(Trouble::Open(finding)),
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn check_leaving(&self, at: usize, n: usize) -> Result<(), Trouble> {
        match self.leaving.iter().find(|&&(from, to, _)| at < to && from < at + n) {
            Some(&(_, _, who)) => Err(Trouble::Leaving(who)),
            None => Ok(()),
        }
    }

    /// An asynchronous copy begins to read bytes.
    pub(super) fn begin_leaving(&mut self, from: usize, to: usize, who: Access) {
        if !self.shadow.is_empty() {
            self.leaving.push((from, to, who));
        }
    }

    /// It has read them.
    pub(super) fn end_leaving(&mut self, from: usize, to: usize, who: Access) {
        if let Some(at) = self.leaving.iter().position(|&range| range == (from, to, who)) {
            self.leaving.swap_remove(at);
        }
    }

    /// Notes that a lane reads bytes and writes them at once.
    pub(super) fn note_atomic(&mut self, at: usize, n: usize, view: &View<'_>, who: Access) -> Result<(), Trouble> {
        if self.shadow.is_empty() {
            return Ok(());
        }
        self.check_leaving(at, n)?;
        self.check_open(at, n)?;
        for granule in self.granules(at, n) {
            let cell = &mut self.shadow[granule * 3..granule * 3 + 3];
            let writer = Access(cell[0]);
            let is_stale = self.scope == Scope::Shared && writer.stamp() < view.start;
            let is_known = self.initialised || self.system.contains(&(granule << self.granule));
            if (writer == Access::NONE || is_stale) && !is_known {
                return Err(Trouble::Unwritten);
            }
            for (slot, did) in [(0, "wrote"), (1, "read"), (2, "read")] {
                let other = Access(cell[slot]);
                if other == Access::NONE || self.scope == Scope::Shared && other.stamp() < view.start {
                    continue;
                }
                if slot == 0 && other.is_arriving() {
                    return Err(Trouble::Arriving(other));
                }
                if !view.knows(who, other) && !other.is_strong() {
                    return Err(Trouble::Race(other, did));
                }
            }
            cell[0] = who.0;
        }
        Ok(())
    }

    /// Says who has written bytes, whoever did before: a copy that was on its way has arrived, or begins.
    pub(super) fn set_writer(&mut self, at: usize, n: usize, who: Access) {
        if self.shadow.is_empty() {
            return;
        }
        for granule in self.granules(at, n) {
            self.shadow[granule * 3] = who.0;
        }
    }

    /// An access of this cluster by a thread outside of a range that is not known to be over.
    pub(super) fn visit(&self, own: Range<u32>, start: u32, known: &Clock) -> Option<Access> {
        let accesses = self.shadow.iter().map(|&word| Access(word));
        let mut visits = accesses.filter(|other| other.stamp() >= start && !own.contains(&other.thread()));
        visits.find(|&other| !known.covers(other))
    }

    /// Whether `n` bytes at `offset` lie inside.
    #[inline(always)]
    pub(super) fn holds(&self, offset: u64, n: usize) -> bool {
        offset.checked_add(n as u64).is_some_and(|end| end <= self.data.len() as u64)
    }
}

/// What was released at places of memory: for each, what its last strong writers knew.
#[derive(Clone, Default, Debug)]
pub(super) struct Released {
    places: FxHashMap<u64, Clock>,
}

impl Released {
    /// A strong write: what its warp has seen, and its own accesses, can be known from here on.
    pub(super) fn release(&mut self, address: u64, known: &Clock, warp: usize, own: u32) {
        self.places.entry(address).or_default().release(known, warp, own);
    }

    /// A strong read: what its warp now knows, also of the clusters before.
    pub(super) fn acquire(&self, address: u64, start: u32, mine: &mut Clock) {
        let Some(known) = self.places.get(&address) else { return };
        let mut floor = mine.floor.max(known.floor);
        for (warp, &known) in known.seen.iter().enumerate() {
            if known >= start && !mine.is_others(known) {
                mine.seen[warp] = mine.seen[warp].max(known);
            } else {
                floor = floor.max(known);
            }
        }
        mine.floor = floor;
        for (warp, &known) in known.fenced.iter().enumerate() {
            if !mine.is_others(known) {
                mine.fenced[warp] = mine.fenced[warp].max(known);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An address says its memory, also at the edges of the windows.
    #[test]
    fn addresses_name_their_memory() {
        assert_eq!(place(0), Place::Nowhere);
        assert_eq!(place(SHARED_WINDOW + 16), Place::Shared { rank: None, offset: 16 });
        assert_eq!(place(SHARED_WINDOW + (2 << RANK_SHIFT) + 8), Place::Shared { rank: Some(1), offset: 8 });
        assert_eq!(place(PARAM_WINDOW + 8), Place::Global { buffer: PARAM_BUFFER, offset: 8 });
        assert_eq!(place(LOCAL_WINDOW + 4), Place::Local { offset: 4 });
        assert_eq!(place(address_of(3) + 5), Place::Global { buffer: 3, offset: 5 });
        assert_eq!(place(address_of(1) - 1), Place::Global { buffer: 0, offset: (1 << BUFFER_SHIFT) - 1 });
    }

    fn view(stamp: u32, thread: u32, known: &Clock) -> View<'_> {
        View { who: Access::new(stamp, thread, 0), start: 1, known }
    }

    /// Threads of one workgroup race until a synchronization that both take part in; bytes are told apart.
    #[test]
    fn unseen_writes_race() {
        let mut buffer = Buffer::new("b".into(), vec![0; 16], Scope::Shared, false, true);
        let none = Clock::new(2, 0);
        let first = view(1, 0, &none);
        assert_eq!(buffer.note_read(0, 4, &first, first.who), Err(Trouble::Unwritten));
        assert_eq!(buffer.note_write(0, 4, Some(&[1; 4]), &first, first.who), Ok(()));
        let other = view(1, 32, &none);
        assert!(matches!(buffer.note_read(0, 4, &other, other.who), Err(Trouble::Race(_, "wrote"))));
        assert!(matches!(buffer.note_write(1, 1, Some(&[1; 1]), &other, other.who), Err(Trouble::Race(_, "wrote"))));
        assert_eq!(buffer.note_write(8, 2, Some(&[1; 2]), &other, other.who), Ok(()));
        assert_eq!(buffer.note_write(10, 2, Some(&[1; 2]), &first, first.who), Ok(()));
        let seen = Clock::new(2, 1);
        let later = view(2, 32, &seen);
        assert_eq!(buffer.note_read(0, 4, &later, later.who), Ok(()));
        assert!(matches!(
            buffer.note_write(0, 4, Some(&[7; 4]), &view(2, 0, &seen), Access::new(2, 0, 0)),
            Err(Trouble::Race(_, "read"))
        ));
    }

    /// The same bytes once more change nothing, and race with nobody.
    #[test]
    fn writes_that_change_nothing_do_not_race() {
        let mut buffer = Buffer::new("b".into(), vec![0; 4], Scope::Global, true, true);
        let none = Clock::new(2, 0);
        let (first, other) = (view(1, 0, &none), view(1, 32, &none));
        assert_eq!(buffer.note_write(0, 4, Some(&[5; 4]), &first, first.who), Ok(()));
        buffer.data.fill(5);
        assert_eq!(buffer.note_write(0, 4, Some(&[5; 4]), &other, other.who), Ok(()));
        assert!(buffer.note_write(0, 4, Some(&[6; 4]), &first, first.who).is_err());
    }
}
