//! Memory: typed buffers, and the shadow that knows who touched each element last.
//!
//! A buffer's elements are numbers of the register bank of its element type, so that a load is a copy. Beside each
//! element stand its last writer and two of its last readers with the barrier epoch of the access. Two threads of a
//! workgroup that touch an element in the same epoch, one of them writing, race, in whatever order the emulator ran
//! them; so do two workgroups at any time. One writer and two different readers are enough: a thread that writes is at
//! most one of the two, and the second of two conflicting accesses always meets the first one here, or a conflict that
//! was found before.
//!
//! Barriers of some subgroups only put accesses into an order that is not a line, and atomic accesses do not race with
//! one another: programs with such need more than that, and have it in a history beside the shadow. An asynchronous copy
//! holds its elements until its thread waits.

use std::sync::Arc;

use raddle_ir::{OpId, Scalar};
use rustc_hash::FxHashMap;

use crate::fault::{Fault, Kind, Race, Run};
use crate::order::Acquired;
use crate::regs::{Bank, Data, coordinates};

/// Nobody has touched the element.
const NOBODY: u32 = u32::MAX;
/// Workgroups are numbered below this.
pub(crate) const WORKGROUPS_MAX: u32 = NOBODY;

/// One access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Access {
    pub workgroup: u32,
    pub thread: u32,
    /// The number of barriers passed, over all workgroups that this thread of the emulator runs.
    pub epoch: u32,
    pc: u32,
}

/// What an access does to an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Does {
    Read,
    Write,
    /// Both at once, atomically.
    Update,
}

impl Does {
    /// Whether two accesses race if they are in no order.
    fn conflicts(self, other: Does) -> bool {
        (self, other) != (Does::Read, Does::Read) && (self, other) != (Does::Update, Does::Update)
    }
}

impl Access {
    pub(crate) fn new(workgroup: u32, thread: u32, epoch: u32, pc: usize) -> Access {
        Access { workgroup, thread, epoch, pc: pc as u32 }
    }

    /// The instruction.
    pub(crate) fn pc(self) -> usize {
        self.pc as usize
    }
}

/// An access with what came before it.
#[derive(Clone, Debug)]
pub(crate) struct Now {
    pub who: Access,
    /// All accesses of its workgroup up to this epoch are before it.
    pub floor: u32,
    /// Where barriers may be of some subgroups only: for each subgroup, up to which epoch its accesses are before it.
    pub seen: Option<Arc<[u32]>>,
    /// Lanes of a subgroup.
    pub lanes: u32,
    /// Whether the order is not a line, or there are atomic accesses.
    pub careful: bool,
    /// What atomic accesses have put before this one.
    pub acquired: Option<Acquired>,
    /// How often the thread has come to the allocation.
    pub generation: u32,
}

impl Now {
    /// The access of another lane.
    #[inline(always)]
    fn of_lane(&self, lane: usize) -> Access {
        Access { thread: self.who.thread + lane as u32, ..self.who }
    }

    /// Whether an access of another thread of the workgroup is neither before this one nor of the same thread.
    #[inline(always)]
    fn is_beside(&self, who: Access, other: Access) -> bool {
        other.epoch > self.floor && other.thread != who.thread && !self.has_seen(who, other)
    }

    fn has_seen(&self, who: Access, other: Access) -> bool {
        self.seen.as_ref().is_some_and(|seen| other.epoch <= seen[(other.thread / self.lanes) as usize])
            || self.has_acquired(who, other)
    }

    fn has_acquired(&self, who: Access, other: Access) -> bool {
        self.acquired.as_ref().is_some_and(|acquired| acquired.covers(who, other))
    }

    /// Whether another access is of the same subgroup and workgroup.
    fn is_of_subgroup(&self, other: Access) -> bool {
        (other.workgroup, other.thread / self.lanes) == (self.who.workgroup, self.who.thread / self.lanes)
    }
}

const NO_ACCESS: Access = Access { workgroup: NOBODY, thread: NOBODY, epoch: 0, pc: 0 };

/// The last accesses to an element. The readers are of different workgroups, or of one epoch and different threads.
#[derive(Clone, Copy, Debug)]
struct Cell {
    writer: Access,
    /// How often the writer had come to the allocation: what it wrote for another time is gone.
    generation: u32,
    readers: [Access; 2],
}

const UNTOUCHED: Cell = Cell { writer: NO_ACCESS, generation: 0, readers: [NO_ACCESS; 2] };

impl Cell {
    /// Whether a thread finds what somebody has written.
    fn is_written(&self, now: &Now, global: bool) -> bool {
        // Shared and private memory that another workgroup wrote is as good as new. Who writes for a later time already
        // races with the thread.
        self.writer.workgroup != NOBODY
            && (global || self.writer.workgroup == now.who.workgroup && self.generation >= now.generation)
    }
}

/// The numbers of a buffer.
#[derive(Clone, Debug)]
enum Held {
    Own(Data),
    /// Read by several threads of the emulator, and written by none.
    Lent(Arc<Data>),
}

/// One bit for each element that one thread of the emulator has read or written.
#[derive(Clone, Debug)]
struct Touched {
    read: Vec<u64>,
    written: Vec<u64>,
}

/// A run of numbers that the program can reach.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    data: Held,
    pub elem: Scalar,
    pub shape: Vec<i64>,
    /// Copies of each element, for memory that each lane has for itself.
    pub lanes: usize,
    pub origin: Origin,
    /// What the program reads before it writes is an input.
    pub initialised: bool,
    /// Empty when nobody has to know.
    shadow: Vec<Cell>,
    /// The accesses to each element that may still race, where the shadow is not enough.
    history: FxHashMap<usize, Vec<(Access, Does)>>,
    /// Who has freed the memory, and which of its generations.
    freed: Vec<(Access, u32)>,
    /// Elements that asynchronous copies write.
    arriving: FxHashMap<usize, Access>,
    /// Elements that asynchronous copies read, and how many copies do.
    leaving: FxHashMap<usize, (Access, u32)>,
    /// Kept while several threads of the emulator run workgroups.
    touched: Option<Touched>,
}

/// An element of a buffer.
pub(crate) type Element = (Origin, usize);

/// What a buffer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// A memref argument.
    Argument(usize),
    /// An allocation that a workgroup shares.
    Shared(OpId),
    /// An allocation of each lane.
    Private(OpId),
}

impl Buffer {
    pub(crate) fn new(
        data: Data,
        elem: Scalar,
        shape: &[i64],
        lanes: usize,
        origin: Origin,
        initialised: bool,
        tracked: bool,
    ) -> Buffer {
        let shadow = if tracked { vec![UNTOUCHED; data.len()] } else { Vec::new() };
        let data = Held::Own(data);
        Buffer {
            data,
            elem,
            shape: shape.to_vec(),
            lanes,
            origin,
            initialised,
            shadow,
            history: FxHashMap::default(),
            freed: Vec::new(),
            arriving: FxHashMap::default(),
            leaving: FxHashMap::default(),
            touched: None,
        }
    }

    /// The elements.
    #[inline(always)]
    pub(crate) fn data(&self) -> &Data {
        match &self.data {
            Held::Own(data) => data,
            Held::Lent(data) => data,
        }
    }

    /// The elements, to write to.
    #[inline(always)]
    pub(crate) fn data_mut(&mut self) -> &mut Data {
        match &mut self.data {
            Held::Own(data) => data,
            Held::Lent(data) => Arc::make_mut(data),
        }
    }

    /// A copy for another thread of the emulator, which will run other workgroups. What no workgroup writes is shared.
    pub(crate) fn fork(&mut self, written: bool) -> Buffer {
        if written {
            let empty = vec![0; self.data().len().div_ceil(64)];
            self.touched.get_or_insert(Touched { read: empty.clone(), written: empty });
            return self.clone();
        }
        if let Held::Own(data) = &mut self.data {
            self.data = Held::Lent(Arc::new(std::mem::take(data)));
        }
        self.clone()
    }

    /// Bytes that [`Buffer::fork`] takes.
    pub(crate) fn fork_bytes(&self, written: bool) -> usize {
        if !written {
            return self.shadow.len() * size_of::<Cell>();
        }
        Buffer::bytes(self.data().bank(), self.elem, self.data().len(), self.is_tracked(), false)
            + self.data().len() / 4
    }

    /// Takes over what a fork has written. `None` if an element was written on one side and touched on the other: then
    /// the order of the workgroups matters.
    pub(crate) fn join(&mut self, other: &Buffer) -> Option<()> {
        let (Some(ours), Some(theirs)) = (&mut self.touched, &other.touched) else { return Some(()) };
        for (word, (&read, &written)) in theirs.read.iter().zip(&theirs.written).enumerate() {
            if (ours.written[word] & (read | written)) | (ours.read[word] & written) != 0 {
                return None;
            }
            ours.read[word] |= read;
            ours.written[word] |= written;
        }
        let Held::Own(data) = &mut self.data else { return None };
        for (word, &written) in theirs.written.iter().enumerate() {
            let mut left = written;
            while left != 0 {
                let at = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                data.copy_element(other.data(), at);
                if let (Some(cell), Some(theirs)) = (self.shadow.get_mut(at), other.shadow.get(at)) {
                    *cell = *theirs;
                }
            }
        }
        Some(())
    }

    /// Whether [`Buffer::touch`] has to be told of every access.
    #[inline(always)]
    pub(crate) fn is_forked(&self) -> bool {
        self.touched.is_some()
    }

    /// Notes an access for [`Buffer::join`].
    pub(crate) fn touch(&mut self, addresses: impl Iterator<Item = usize>, write: bool) {
        let Some(touched) = &mut self.touched else { return };
        let bits = if write { &mut touched.written } else { &mut touched.read };
        for at in addresses {
            bits[at / 64] |= 1 << (at % 64);
        }
    }

    /// Bytes that a buffer of `n` elements takes; `careful` where each may have a history.
    pub(crate) fn bytes(bank: Bank, elem: Scalar, n: usize, tracked: bool, careful: bool) -> usize {
        const HISTORY: usize = 6 * size_of::<(Access, Does)>();
        let shadow = size_of::<Cell>() + if careful { HISTORY } else { 0 };
        n.saturating_mul(bank.bytes(elem.bits()) + if tracked { shadow } else { 0 })
    }

    /// Forgets the contents.
    pub(crate) fn forget(&mut self) {
        self.shadow.fill(UNTOUCHED);
        self.history.clear();
        self.freed.clear();
        self.arriving.clear();
        self.leaving.clear();
    }

    /// Who wrote an element last.
    pub(crate) fn writer(&self, at: usize) -> Option<Access> {
        self.shadow.get(at).map(|cell| cell.writer).filter(|writer| writer.workgroup != NOBODY)
    }

    pub(crate) fn is_tracked(&self) -> bool {
        !self.shadow.is_empty()
    }

    /// Notes that one thread reads an element.
    #[inline(always)]
    pub(crate) fn note_read(&mut self, at: usize, now: &Now, lane: usize) -> Run<()> {
        let who = now.of_lane(lane);
        let global = matches!(self.origin, Origin::Argument(_));
        self.check_alive(now, lane, "reads")?;
        if now.careful || !self.arriving.is_empty() {
            self.note_carefully(at, now, who, lane, Does::Read)?;
        }
        let Some(cell) = self.shadow.get_mut(at) else { return Ok(()) };
        let written = cell.is_written(now, global);
        let Cell { writer, readers: [first, second], .. } = cell;
        let writer = *writer;
        if first.workgroup != who.workgroup && first.workgroup != NOBODY && global {
            // Two workgroups have read it: whoever writes it now races.
            if second.workgroup == NOBODY || second.workgroup == first.workgroup {
                *second = who;
            }
        } else if first.workgroup == who.workgroup && first.epoch == who.epoch {
            if first.thread != who.thread && (second.workgroup, second.epoch) != (who.workgroup, who.epoch) {
                *second = who;
            }
        } else {
            *first = who;
        }
        if !written && !self.initialised {
            return Err(self.uninitialised(at, lane));
        }
        if !now.careful && self.clashes(now, who, writer) {
            return Err(self.race(at, who, lane, "reads", writer, "wrote"));
        }
        Ok(())
    }

    /// Notes that one thread writes an element.
    #[inline(always)]
    pub(crate) fn note_write(&mut self, at: usize, now: &Now, lane: usize) -> Run<()> {
        let who = now.of_lane(lane);
        self.check_alive(now, lane, "writes")?;
        if now.careful || !self.arriving.is_empty() || !self.leaving.is_empty() {
            self.note_carefully(at, now, who, lane, Does::Write)?;
        }
        let Some(&Cell { writer, readers, .. }) = self.shadow.get(at) else { return Ok(()) };
        if !now.careful {
            if self.clashes(now, who, writer) {
                return Err(self.race(at, who, lane, "writes", writer, "wrote"));
            }
            for reader in readers {
                if self.clashes(now, who, reader) {
                    return Err(self.race(at, who, lane, "writes", reader, "read"));
                }
            }
        }
        (self.shadow[at].writer, self.shadow[at].generation) = (who, now.generation);
        Ok(())
    }

    /// Notes that one thread reads and writes an element at once.
    pub(crate) fn note_atomic(&mut self, at: usize, now: &Now, lane: usize) -> Run<()> {
        let who = now.of_lane(lane);
        self.check_alive(now, lane, "updates")?;
        self.note_carefully(at, now, who, lane, Does::Update)?;
        let global = matches!(self.origin, Origin::Argument(_));
        let Some(cell) = self.shadow.get_mut(at) else { return Ok(()) };
        let written = cell.is_written(now, global);
        (cell.writer, cell.generation) = (who, now.generation);
        if !written && !self.initialised {
            return Err(self.uninitialised(at, lane));
        }
        Ok(())
    }

    /// Whether an access that was noted before is not ordered with this one.
    #[inline(always)]
    fn clashes(&self, now: &Now, who: Access, other: Access) -> bool {
        if other.workgroup == who.workgroup {
            now.is_beside(who, other)
        } else {
            other.workgroup != NOBODY && matches!(self.origin, Origin::Argument(_)) && !now.has_acquired(who, other)
        }
    }

    /// The thread's part of the memory is freed; nobody behind that may use it.
    pub(crate) fn free(&mut self, now: &Now, lane: usize) -> Run<()> {
        self.check_alive(now, lane, "frees")?;
        self.freed.retain(|(other, _)| other.workgroup == now.who.workgroup);
        self.freed.push((now.who, now.generation));
        Ok(())
    }

    /// The memory has not been freed before this access.
    #[inline(always)]
    pub(crate) fn check_alive(&self, now: &Now, lane: usize, does: &str) -> Run<()> {
        if self.freed.is_empty() {
            return Ok(());
        }
        let who = now.of_lane(lane);
        let before = |&&(other, generation): &&(Access, u32)| {
            other.workgroup == who.workgroup
                && generation == now.generation
                && (now.is_of_subgroup(other) || !now.is_beside(who, other))
        };
        match self.freed.iter().find(before) {
            None => Ok(()),
            Some(&(earlier, _)) => Err(self.is_freed(who, lane, does, earlier)),
        }
    }

    #[cold]
    fn is_freed(&self, who: Access, lane: usize, does: &str, earlier: Access) -> Box<Fault> {
        let name = self.name();
        let message = format!("{{who}} {does} {name}, which {{earlier}} has freed");
        let mut fault = Fault::new(Kind::Freed, Some(lane), message)
            .help("free memory once, behind its last use, and behind a barrier if others use it");
        fault.race = Some(Race { who, earlier, did: "freed" });
        fault
    }

    /// Compares an access with asynchronous copies, and with all that may race with it.
    ///
    /// Of accesses of one sort, two of different threads are enough for each subgroup: who is not ordered with an older
    /// one is not ordered with them. Of those of other workgroups, two of different workgroups are.
    #[cold]
    fn note_carefully(&mut self, at: usize, now: &Now, who: Access, lane: usize, does: Does) -> Run<()> {
        let verb = if does == Does::Read { "reads" } else { "writes" };
        if let Some(&copy) = self.arriving.get(&at) {
            return Err(self.on_its_way(at, now, who, lane, verb, copy, "copies into"));
        }
        if does != Does::Read
            && let Some(&(copy, _)) = self.leaving.get(&at)
        {
            return Err(self.on_its_way(at, now, who, lane, verb, copy, "copies from"));
        }
        if !now.careful || self.shadow.is_empty() {
            return Ok(());
        }
        let mut history = self.history.remove(&at).unwrap_or_default();
        let races = |&&(other, did): &&(Access, Does)| did.conflicts(does) && self.clashes(now, who, other);
        if let Some(&(other, did)) = history.iter().find(races) {
            let did = if did == Does::Read { "read" } else { "wrote" };
            return Err(self.race(at, who, lane, verb, other, did));
        }
        let global = matches!(self.origin, Origin::Argument(_));
        let subgroup = |access: Access| access.thread / now.lanes;
        let mut beside = 0;
        let mut elsewhere: [Vec<u32>; 3] = Default::default();
        // Newest first.
        history.reverse();
        history.retain(|&(other, did)| {
            if other.workgroup != who.workgroup {
                let known = &mut elsewhere[did as usize];
                let keep = global && known.len() < 2 && !known.contains(&other.workgroup);
                known.push(other.workgroup);
                return keep;
            }
            if did != does || subgroup(other) != subgroup(who) {
                return true;
            }
            if other.thread == who.thread {
                return false;
            }
            beside += 1;
            beside < 2
        });
        history.reverse();
        history.push((who, does));
        self.history.insert(at, history);
        Ok(())
    }

    /// An asynchronous copy begins to write an element.
    pub(crate) fn begin_arrival(&mut self, at: usize, now: &Now, lane: usize) {
        if self.is_tracked() {
            self.arriving.insert(at, now.of_lane(lane));
        }
    }

    /// An asynchronous copy has written an element; its thread has waited for that.
    pub(crate) fn end_arrival(&mut self, at: usize, now: &Now, copy: usize, lane: usize) {
        self.arriving.remove(&at);
        if let Some(cell) = self.shadow.get_mut(at) {
            cell.writer = Access { pc: copy as u32, ..now.of_lane(lane) };
            cell.generation = now.generation;
        }
    }

    /// An asynchronous copy begins to read an element.
    pub(crate) fn begin_departure(&mut self, at: usize, now: &Now, lane: usize) {
        if self.is_tracked() {
            self.leaving.entry(at).or_insert((now.of_lane(lane), 0)).1 += 1;
        }
    }

    /// An asynchronous copy has read an element.
    pub(crate) fn end_departure(&mut self, at: usize) {
        if let Some((_, n)) = self.leaving.get_mut(&at) {
            *n -= 1;
            if *n == 0 {
                self.leaving.remove(&at);
            }
        }
    }

    /// An element as people call it.
    pub(crate) fn place(&self, at: usize) -> String {
        let element = at / self.lanes;
        let coords: Vec<String> = coordinates(&self.shape, element).iter().map(i64::to_string).collect();
        let byte = element * self.elem.bytes();
        format!("element [{}] of {} (byte {byte})", coords.join(", "), self.name())
    }

    /// Where an index outside a flat buffer would be in the tensor that the buffer holds, if that is not flat.
    pub(crate) fn beyond(&self, index: i64) -> Option<String> {
        let (outermost, inner) = self.shape.split_first().filter(|(_, inner)| !inner.is_empty())?;
        let row = inner.iter().product::<i64>().max(1);
        let rest = usize::try_from(index.rem_euclid(row)).ok()?;
        let mut coords = vec![index.div_euclid(row)];
        coords.extend(coordinates(inner, rest));
        let list =
            |numbers: &[i64], between: &str| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(between);
        if (0..*outermost).contains(&coords[0]) {
            // Only the view ends here.
            return None;
        }
        let (shape, coords) = (list(&self.shape, "x"), list(&coords, ", "));
        Some(format!("in the tensor of {shape} that the buffer holds, this would be [{coords}]"))
    }

    /// The buffer as people call it.
    pub(crate) fn name(&self) -> String {
        match self.origin {
            Origin::Argument(index) => format!("memref argument {index}"),
            Origin::Shared(_) => "shared memory".into(),
            Origin::Private(_) => "private memory".into(),
        }
    }

    #[cold]
    fn uninitialised(&self, at: usize, lane: usize) -> Box<Fault> {
        let message = format!("{} is read, and nothing has written it", self.place(at));
        let mut fault = Fault::new(Kind::Uninitialised, Some(lane), message)
            .help("write it first, and put a barrier between the write and the reads of other threads");
        fault.element = Some((self.origin, at));
        fault
    }

    #[cold]
    #[allow(clippy::too_many_arguments, reason = "both accesses and what each of them does")]
    fn on_its_way(
        &self,
        at: usize,
        now: &Now,
        who: Access,
        lane: usize,
        does: &str,
        copy: Access,
        did: &'static str,
    ) -> Box<Fault> {
        if self.clashes(now, who, copy) {
            // No wait of the other thread would help.
            return self.race(at, who, lane, does, copy, did);
        }
        let place = self.place(at);
        let message = format!("{{who}} {does} {place}, which an asynchronous copy of {{earlier}} {did} until it waits");
        let mut fault = Fault::new(Kind::Async, Some(lane), message).help(
            "wait for the group of the copy first, and put a barrier behind the wait if other threads use the element",
        );
        fault.race = Some(Race { who, earlier: copy, did });
        fault
    }

    #[cold]
    fn race(&self, at: usize, who: Access, lane: usize, does: &str, earlier: Access, did: &'static str) -> Box<Fault> {
        let when = if earlier.workgroup == who.workgroup {
            "no barrier stands between the two"
        } else {
            "workgroups do not wait for one another"
        };
        let place = self.place(at);
        // The machine knows what to call the two.
        let message = format!("{{who}} {does} {place}, which {{earlier}} {did}, and {when}");
        let mut fault = Fault::new(Kind::Race, Some(lane), message);
        fault.race = Some(Race { who, earlier, did });
        fault.element = Some((self.origin, at));
        fault
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Clocks;

    /// Whether two accesses race, by definition.
    fn clash((a, a_does): (Access, Does), (b, b_does): (Access, Does), global: bool) -> bool {
        let unordered = if a.workgroup == b.workgroup { a.epoch == b.epoch && a.thread != b.thread } else { global };
        unordered && a_does.conflicts(b_does)
    }

    fn note(buffer: &mut Buffer, now: &Now, does: Does) -> Run<()> {
        match does {
            Does::Read => buffer.note_read(0, now, 0),
            Does::Write => buffer.note_write(0, now, 0),
            Does::Update => buffer.note_atomic(0, now, 0),
        }
    }

    fn numbers() -> impl FnMut(u64) -> u64 {
        let mut state = 1u64;
        move |n| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        }
    }

    fn buffer(origin: Origin) -> Buffer {
        Buffer::new(Data::zeros(Bank::F32, 1), Scalar::Index, &[1], 1, origin, true, true)
    }

    /// The shadow finds a race at the first access that has one with any earlier access, and names such an access.
    #[test]
    fn the_shadow_knows_what_all_pairs_know() {
        let mut random = numbers();
        let ir = raddle_ir::Ir::new();
        let op = ir.region_parent(ir.block_region(ir.module_block()));
        let mut n_races = 0;
        for case in 0..200_000 {
            let (global, careful) = (case % 2 == 0, case % 4 < 2);
            let mut buffer = buffer(if global { Origin::Argument(0) } else { Origin::Shared(op) });
            let (mut workgroup, mut epoch) = (0, 1);
            let mut before: Vec<(Access, Does)> = Vec::new();
            for pc in 0..2 + random(8) as usize {
                match random(6) {
                    0 => (workgroup, epoch) = (workgroup + 1, epoch + 1),
                    1 => epoch += 1,
                    _ => {}
                }
                let who = Access::new(workgroup, random(3) as u32, epoch, pc);
                let does =
                    [Does::Read, Does::Read, Does::Write, Does::Update][random(if careful { 4 } else { 3 }) as usize];
                let found = note(
                    &mut buffer,
                    &Now { who, floor: epoch - 1, seen: None, lanes: 2, careful, acquired: None, generation: 0 },
                    does,
                );
                let races = before.iter().any(|&other| clash(other, (who, does), global));
                match found {
                    Ok(()) => assert!(!races, "{before:?} and then {who:?}, {does:?}"),
                    Err(fault) => {
                        let race = fault.race.expect("the buffer is initialised");
                        let named = before.iter().find(|other| other.0.pc() == race.earlier.pc()).expect("it happened");
                        assert!(clash(*named, (who, does), global), "{before:?} and then {who:?}, {does:?}");
                        n_races += 1;
                        break;
                    }
                }
                before.push((who, does));
            }
        }
        assert!(n_races > 20_000, "{n_races}");
    }

    /// So it does where barriers of two subgroups leave a third one out.
    #[test]
    fn the_shadow_knows_partial_orders() {
        let mut random = numbers();
        let ir = raddle_ir::Ir::new();
        let op = ir.region_parent(ir.block_region(ir.module_block()));
        let mut n_races = 0;
        for _ in 0..100_000 {
            let mut buffer = buffer(Origin::Shared(op));
            let mut clocks = Clocks::new(3, true);
            clocks.advance();
            let mut before: Vec<(Access, Does)> = Vec::new();
            for pc in 0..2 + random(12) as usize {
                if random(3) == 0 {
                    let out = random(3) as usize;
                    clocks.meet(&(0..3).filter(|&at| at != out).collect::<Vec<_>>());
                }
                let thread = random(3) as u32;
                let (epoch, seen) = clocks.of(thread as usize);
                let who = Access::new(0, thread, epoch, pc);
                let does = [Does::Read, Does::Read, Does::Write, Does::Update][random(4) as usize];
                let now = Now {
                    who,
                    floor: 0,
                    seen: Some(seen.clone()),
                    lanes: 1,
                    careful: true,
                    acquired: None,
                    generation: 0,
                };
                let found = note(&mut buffer, &now, does);
                let clash = |&(other, did): &(Access, Does)| {
                    other.thread != thread && other.epoch > seen[other.thread as usize] && did.conflicts(does)
                };
                let races = before.iter().any(clash);
                match found {
                    Ok(()) => assert!(!races, "{before:?} and then {who:?}, {does:?}"),
                    Err(fault) => {
                        let race = fault.race.expect("the buffer is initialised");
                        let named = before.iter().find(|other| other.0.pc() == race.earlier.pc()).expect("it happened");
                        assert!(clash(named), "{before:?} and then {who:?}, {does:?}");
                        n_races += 1;
                        break;
                    }
                }
                before.push((who, does));
            }
        }
        assert!(n_races > 20_000, "{n_races}");
    }
}
