//! Memory: typed buffers, and the shadow that knows who touched each element last.
//!
//! A buffer's elements are numbers of the register bank of its element type, so that a load is a copy. Beside each
//! element stand its last writer and its last readers with the barrier epoch of the access. Two threads of a workgroup
//! that touch an element in the same epoch, one of them writing, race, in whatever order the emulator ran them; so do
//! two workgroups at any time. Keeping one writer and "one reader or many" is exact: the second of two conflicting
//! accesses always meets the first one here, or a conflict that was found before.

use raddle_ir::{OpId, Scalar};

use crate::fault::{Fault, Kind, Run};
use crate::regs::{Bank, Data, coordinates};

/// Nobody has touched the element.
const NOBODY: u32 = u32::MAX;
/// More than one workgroup, or more than one thread of it.
const MANY: u32 = u32::MAX - 1;
/// Workgroups are numbered below this.
pub(crate) const WORKGROUPS_MAX: u32 = MANY;

/// One access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Access {
    pub workgroup: u32,
    pub thread: u32,
    /// The number of barriers passed, over all workgroups.
    pub epoch: u32,
    pub pc: u32,
}

const NO_ACCESS: Access = Access { workgroup: NOBODY, thread: NOBODY, epoch: 0, pc: 0 };

/// The last accesses to an element.
#[derive(Clone, Copy, Debug)]
struct Cell {
    writer: Access,
    reader: Access,
}

/// A run of numbers that the program can reach.
#[derive(Debug)]
pub(crate) struct Buffer {
    pub data: Data,
    pub elem: Scalar,
    pub shape: Vec<i64>,
    /// Copies of each element, for memory that each lane has for itself.
    pub lanes: usize,
    pub origin: Origin,
    /// What the program reads before it writes is an input.
    pub initialised: bool,
    /// Empty when nobody has to know.
    shadow: Vec<Cell>,
}

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
        let n = match &data {
            Data::F32(values) => values.len(),
            Data::F64(values) => values.len(),
            Data::Int(values) => values.len(),
        };
        let shadow = if tracked { vec![Cell { writer: NO_ACCESS, reader: NO_ACCESS }; n] } else { Vec::new() };
        Buffer { data, elem, shape: shape.to_vec(), lanes, origin, initialised, shadow }
    }

    /// Bytes that a buffer of `n` elements takes.
    pub(crate) fn bytes(bank: Bank, n: usize, tracked: bool) -> usize {
        n.saturating_mul(bank.bytes() + if tracked { size_of::<Cell>() } else { 0 })
    }

    /// Forgets the contents.
    pub(crate) fn forget(&mut self) {
        self.shadow.fill(Cell { writer: NO_ACCESS, reader: NO_ACCESS });
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
        let writer = cell.writer;
        let reader = &mut cell.reader;
        if reader.workgroup != who.workgroup && reader.workgroup != NOBODY && global {
            reader.workgroup = MANY;
        } else if reader.workgroup == who.workgroup && reader.epoch == who.epoch {
            if reader.thread != who.thread {
                reader.thread = MANY;
            }
        } else {
            *reader = who;
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
        let Cell { writer, reader } = *cell;
        if clash(writer) {
            return Err(self.race(at, who, lane, "writes", writer, "wrote"));
        }
        if clash(reader) {
            return Err(self.race(at, who, lane, "writes", reader, "read"));
        }
        cell.writer = who;
        Ok(())
    }

    /// An element as people call it.
    pub(crate) fn place(&self, at: usize) -> String {
        let coords: Vec<String> = coordinates(&self.shape, at / self.lanes).iter().map(i64::to_string).collect();
        let what = match self.origin {
            Origin::Argument(index) => format!("memref argument {index}"),
            Origin::Shared(_) => "shared memory".into(),
            Origin::Private(_) => "private memory".into(),
        };
        format!("element [{}] of {what}", coords.join(", "))
    }

    #[cold]
    fn uninitialised(&self, at: usize, lane: usize) -> Box<Fault> {
        Fault::new(Kind::Uninitialised, Some(lane), format!("{} is read, and nothing has written it", self.place(at)))
            .help("write it first, and put a barrier between the write and the reads of other threads")
    }

    #[cold]
    fn race(&self, at: usize, who: Access, lane: usize, does: &str, other: Access, did: &str) -> Box<Fault> {
        let theirs = match (other.workgroup == who.workgroup, other.thread) {
            (false, _) if other.workgroup == MANY => "other workgroups".into(),
            (false, _) => format!("workgroup number {}", other.workgroup),
            (true, MANY) => "other threads".into(),
            (true, thread) => format!("thread {thread}"),
        };
        let when = if other.workgroup == who.workgroup {
            "no barrier stands between the two"
        } else {
            "workgroups do not wait for one another"
        };
        let place = self.place(at);
        let message = format!("thread {} {does} {place}, which {theirs} {did}, and {when}", who.thread);
        let mut fault = Fault::new(Kind::Race, Some(lane), message);
        fault.earlier = Some((other.pc, format!("{theirs} {did} it here")));
        fault
    }
}
