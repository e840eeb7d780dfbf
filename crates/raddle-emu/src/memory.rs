//! Memory: typed buffers, and the shadow that knows who touched each element last.
//!
//! A buffer's elements are numbers of the register bank of its element type, so that a load is a copy. Beside each
//! element stand its last writer and two of its last readers with the barrier epoch of the access. Two threads of a
//! workgroup that touch an element in the same epoch, one of them writing, race, in whatever order the emulator ran
//! them; so do two workgroups at any time. One writer and two different readers are enough: a thread that writes is at
//! most one of the two, and the second of two conflicting accesses always meets the first one here, or a conflict that
//! was found before.

use std::sync::Arc;

use raddle_ir::{OpId, Scalar};

use crate::fault::{Fault, Kind, Race, Run};
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
    pub pc: u32,
}

const NO_ACCESS: Access = Access { workgroup: NOBODY, thread: NOBODY, epoch: 0, pc: 0 };

/// The last accesses to an element. The readers are of different workgroups, or of one epoch and different threads.
#[derive(Clone, Copy, Debug)]
struct Cell {
    writer: Access,
    readers: [Access; 2],
}

const UNTOUCHED: Cell = Cell { writer: NO_ACCESS, readers: [NO_ACCESS; 2] };

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
        Buffer { data, elem, shape: shape.to_vec(), lanes, origin, initialised, shadow, touched: None }
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
        Buffer::bytes(self.data().bank(), self.data().len(), self.is_tracked()) + self.data().len() / 4
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

    /// Bytes that a buffer of `n` elements takes.
    pub(crate) fn bytes(bank: Bank, n: usize, tracked: bool) -> usize {
        n.saturating_mul(bank.bytes() + if tracked { size_of::<Cell>() } else { 0 })
    }

    /// Forgets the contents.
    pub(crate) fn forget(&mut self) {
        self.shadow.fill(UNTOUCHED);
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
    pub(crate) fn note_read(&mut self, at: usize, who: Access, lane: usize) -> Run<()> {
        let global = matches!(self.origin, Origin::Argument(_));
        let Some(cell) = self.shadow.get_mut(at) else { return Ok(()) };
        let Cell { writer, readers: [first, second] } = cell;
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
        if writer.workgroup != who.workgroup {
            // Shared and private memory that another workgroup wrote is as good as new.
            let unwritten = writer.workgroup == NOBODY || !global;
            if unwritten && !self.initialised {
                return Err(self.uninitialised(at, lane));
            }
            if !unwritten {
                return Err(self.race(at, who, lane, "reads", writer, "wrote"));
            }
        } else if writer.epoch == who.epoch && writer.thread != who.thread {
            return Err(self.race(at, who, lane, "reads", writer, "wrote"));
        }
        Ok(())
    }

    /// Notes that one thread writes an element.
    #[inline(always)]
    pub(crate) fn note_write(&mut self, at: usize, who: Access, lane: usize) -> Run<()> {
        let global = matches!(self.origin, Origin::Argument(_));
        let Some(cell) = self.shadow.get_mut(at) else { return Ok(()) };
        let clash = |other: Access| {
            if other.workgroup == who.workgroup {
                other.epoch == who.epoch && other.thread != who.thread
            } else {
                global && other.workgroup != NOBODY
            }
        };
        let Cell { writer, readers } = *cell;
        if clash(writer) {
            return Err(self.race(at, who, lane, "writes", writer, "wrote"));
        }
        for reader in readers {
            if clash(reader) {
                return Err(self.race(at, who, lane, "writes", reader, "read"));
            }
        }
        cell.writer = who;
        Ok(())
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

    /// Whether two accesses race, by definition.
    fn clash((a, a_writes): (Access, bool), (b, b_writes): (Access, bool), global: bool) -> bool {
        let unordered = if a.workgroup == b.workgroup { a.epoch == b.epoch && a.thread != b.thread } else { global };
        unordered && (a_writes || b_writes)
    }

    /// The shadow finds a race at the first access that has one with any earlier access, and names such an access.
    #[test]
    fn the_shadow_knows_what_all_pairs_know() {
        let mut state = 1u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let ir = raddle_ir::Ir::new();
        let op = ir.region_parent(ir.block_region(ir.module_block()));
        let mut n_races = 0;
        for case in 0..100_000 {
            let origin = if case % 2 == 0 { Origin::Argument(0) } else { Origin::Shared(op) };
            let global = case % 2 == 0;
            let mut buffer = Buffer::new(Data::zeros(Bank::F32, 1), Scalar::Index, &[1], 1, origin, true, true);
            let (mut workgroup, mut epoch) = (0, 1);
            let mut before: Vec<(Access, bool)> = Vec::new();
            for pc in 0..2 + random(8) as u32 {
                match random(6) {
                    0 => (workgroup, epoch) = (workgroup + 1, epoch + 1),
                    1 => epoch += 1,
                    _ => {}
                }
                let who = Access { workgroup, thread: random(3) as u32, epoch, pc };
                let writes = random(3) == 0;
                let found = if writes { buffer.note_write(0, who, 0) } else { buffer.note_read(0, who, 0) };
                let races = before.iter().any(|&other| clash(other, (who, writes), global));
                match found {
                    Ok(()) => assert!(!races, "{before:?} and then {who:?}, {writes}"),
                    Err(fault) => {
                        let race = fault.race.expect("the buffer is initialised");
                        let named = before.iter().find(|other| other.0 == race.earlier).expect("it happened");
                        assert!(clash(*named, (who, writes), global), "{before:?} and then {who:?}, {writes}");
                        n_races += 1;
                        break;
                    }
                }
                before.push((who, writes));
            }
        }
        assert!(n_races > 10_000, "{n_races}");
    }
}
