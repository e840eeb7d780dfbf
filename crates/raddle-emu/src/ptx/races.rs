//! Races of a read with a write of as many bytes: what such a read finds is told where it is used.
//!
//! PTX ISA, "Limitations on Mixed-size Data-races": where accesses that race overlap completely, the axioms hold, so that
//! a read finds what was there before the write or what is there after it. Threads that repeat what another one does, as
//! Triton's do where a tile has fewer elements than the workgroup has threads, read in place what that one writes, and
//! drop it. So the register that is read holds a value that nobody knows, as `unknown.rs` has it.
//!
//! A write may come after the read that it races with. Then it is noted, with what its warp knew, and the whole kernel is
//! executed once more: a read in front of a noted write that does not know of it is one of those.
//!
//! Lanes of one warp that write different values to one place of shared memory leave one of these there, and programs
//! have places for what nobody reads, as CUB's exchanges do. What is read there is such a value, too.
//!
//! Two writes of one sum, added up in different orders, are not a race either.

use std::rc::Rc;

use raddle_ir::Diag;
use rustc_hash::FxHashMap;

use super::access::{Issue, word};
use super::clock::Clock;
use super::float::Format;
use super::inst::{Op, Program};
use super::lane::LANES;
use super::machine::{Machine, Ran};
use super::memory::{Access, Clash, Place, RANK_SHIFT, SHARED_WINDOW, View, address_of};
use super::types::mask;
use super::warp::Warp;

/// Bytes that a noted write takes, in both runs.
pub(super) const NOTED_BYTES: usize = 256;
/// Noted writes are found by chunks of so many bytes, as a power of two.
const CHUNK: u32 = 4;

/// A write that raced with reads in front of it.
#[derive(Clone, Debug)]
struct Noted {
    spot: u64,
    bytes: u64,
    /// Instructions that were executed before it.
    when: u64,
    who: Access,
    start: u32,
    known: Rc<Clock>,
    finding: u32,
}

impl Noted {
    /// Whether a read in front of the write is not before it.
    fn races(&self, read: Access, is_shared: bool) -> bool {
        let view = View { who: self.who, start: self.start, known: &self.known };
        !(is_shared && view.is_elsewhere(read) || view.knows(self.who, read))
    }
}

/// The races of a run whose outcome may be of no interest.
#[derive(Default)]
pub(super) struct Races {
    /// Writes of this run, and how many there is memory for; what races beyond them is told.
    noted: Vec<Noted>,
    pub noted_max: usize,
    /// Those of the run before, by the chunks that they touch.
    before: FxHashMap<u64, Vec<Noted>>,
    /// What is told of a pair of instructions if the outcome is used.
    findings: Vec<Diag>,
    numbers: FxHashMap<(Option<usize>, Option<usize>), u32>,
    /// What the warp of the last noted write knew.
    last_known: Option<(Access, Rc<Clock>)>,
}

impl Races {
    /// What another run has to know, if there has to be one.
    pub(super) fn again(self) -> Option<Races> {
        if self.noted.is_empty() {
            return None;
        }
        let mut before: FxHashMap<u64, Vec<Noted>> = FxHashMap::default();
        for noted in self.noted {
            for chunk in chunks(noted.spot, noted.bytes) {
                before.entry(chunk).or_default().push(noted.clone());
            }
        }
        Some(Races { before, findings: self.findings, numbers: self.numbers, ..Races::default() })
    }

    /// Whether reads have to be looked up.
    #[inline(always)]
    pub(super) fn knows_writes(&self) -> bool {
        !self.before.is_empty()
    }

    pub(super) fn finding(&self, number: u32) -> Diag {
        self.findings[number as usize].clone()
    }

    fn number(&mut self, pair: (Option<usize>, Option<usize>), tell: impl FnOnce() -> Box<Diag>) -> u32 {
        let Races { findings, numbers, .. } = self;
        *numbers.entry(pair).or_insert_with(|| {
            findings.push(*tell());
            findings.len() as u32 - 1
        })
    }
}

/// Whether an access is one of plain elements of so many bytes: then two that touch the same do so completely.
pub(super) fn is_like(program: &Program, other: Access, bytes: usize) -> bool {
    other.pc().and_then(|pc| program.insts.get(pc)).is_some_and(|inst| match &inst.op {
        Op::Load(load) => load.bytes == bytes,
        Op::Store(store) => store.bytes == bytes,
        _ => false,
    })
}

/// One number for each byte that warps share.
fn spot(place: Place, rank: usize) -> Option<u64> {
    match place {
        Place::Global { buffer, offset } => Some(address_of(buffer) + offset),
        Place::Shared { rank: of, offset } => {
            let rank = of.map_or(rank as u64, u64::from);
            Some(SHARED_WINDOW + ((rank + 1) << RANK_SHIFT) + offset)
        }
        Place::Local { .. } | Place::Nowhere => None,
    }
}

fn chunks(spot: u64, bytes: u64) -> std::ops::RangeInclusive<u64> {
    spot >> CHUNK..=(spot + bytes - 1) >> CHUNK
}

impl Machine<'_> {
    /// A write that others may have read before. In the second run it has to be one of the first.
    #[cold]
    pub(super) fn note_race(
        &mut self,
        warp: &Warp,
        (pc, lane): (u32, usize),
        place: Place,
        (address, bytes): (u64, usize),
        reader: Access,
    ) -> Ran<()> {
        let view = self.view(warp, pc);
        let (who, start) = (view.who.of_lane(lane), view.start);
        let Some(spot) = spot(place, warp.rank) else { return Ok(()) };
        let issue = Issue::race("writes", place, (address, bytes), (reader, "read"));
        let is_known = |noted: &Noted| (noted.spot, noted.when, noted.who) == (spot, self.executed, who);
        if self.races.knows_writes() {
            let found = self.races.before.get(&(spot >> CHUNK)).is_some_and(|noted| noted.iter().any(is_known));
            return if found { Ok(()) } else { Err(self.fault(warp, pc, lane, &issue)) };
        }
        if self.races.noted.last().is_some_and(is_known) {
            return Ok(());
        }
        if self.races.noted.len() >= self.races.noted_max {
            return Err(self.fault(warp, pc, lane, &issue));
        }
        let mut races = std::mem::take(&mut self.races);
        let finding = races.number((Some(pc as usize), reader.pc()), || self.fault(warp, pc, lane, &issue));
        // Lanes of one instruction know the same.
        let known = match &races.last_known {
            Some((of, known)) if of.of_lane(lane) == who => known.clone(),
            _ => Rc::new(warp.known.clone()),
        };
        races.last_known = Some((view.who, known.clone()));
        races.noted.push(Noted { spot, bytes: bytes as u64, when: self.executed, who, start, known, finding });
        self.races = races;
        Ok(())
    }

    /// The number of the finding, where a read of a lane races with a write that comes later.
    pub(super) fn race_behind(&self, warp: &Warp, (pc, lane): (u32, usize), place: Place, bytes: usize) -> Option<u32> {
        let spot = spot(place, warp.rank)?;
        let who = self.view(warp, pc).who.of_lane(lane);
        let is_shared = matches!(place, Place::Shared { .. });
        let end = spot + bytes as u64;
        let near = chunks(spot, bytes as u64).filter_map(|chunk| self.races.before.get(&chunk)).flatten();
        let mut races = near.filter(|noted| {
            noted.spot < end
                && spot < noted.spot + noted.bytes
                && self.executed < noted.when
                && noted.races(who, is_shared)
        });
        races.next().map(|noted| noted.finding)
    }

    /// The number of the finding, where a read of a lane races with a write in front of it; `None` if it does not, or if
    /// the two do not touch the same bytes.
    #[cold]
    pub(super) fn race_in_front(
        &mut self,
        warp: &Warp,
        (pc, lane): (u32, usize),
        issue: &Issue,
        bytes: usize,
    ) -> Option<u32> {
        if let Some(number) = issue.open() {
            return Some(number);
        }
        let writer = issue.unordered_write().filter(|&writer| is_like(self.program, writer, bytes))?;
        let mut races = std::mem::take(&mut self.races);
        let number = races.number((writer.pc(), Some(pc as usize)), || self.fault(warp, pc, lane, issue));
        self.races = races;
        Some(number)
    }
}

impl Machine<'_> {
    /// A write of a lane clashes: with a write of as many bytes in shared memory by another lane of the warp, it stays
    /// open which of the two values is there.
    #[cold]
    pub(super) fn leave_open(
        &mut self,
        warp: &Warp,
        (pc, lane): (u32, usize),
        (at, address): (Place, u64),
        (new, bytes): (&[u8], usize),
        issue: &Issue,
    ) -> Ran<()> {
        let view = self.view(warp, pc);
        let who = view.who.of_lane(lane);
        let program = self.program;
        let is_excused = |other: &Access| is_one_warp(who, *other) && is_like(program, *other, bytes);
        let other = issue.unordered_write().filter(is_excused);
        let Some(other) = other.filter(|_| matches!(at, Place::Shared { .. })) else {
            return Err(self.fault(warp, pc, lane, issue));
        };
        let excuses = &mut |clash: &Clash<'_>| clash.written.is_some() && is_excused(&clash.other);
        if let Err(issue) = self.memory.write_unless((at, address), warp.rank, new, &view, who, excuses) {
            return Err(self.fault(warp, pc, lane, &issue));
        }
        let mut races = std::mem::take(&mut self.races);
        let number = races.number((other.pc(), Some(pc as usize)), || self.fault(warp, pc, lane, issue));
        self.races = races;
        self.memory.leave_open(at, warp.rank, address, new.len(), number);
        Ok(())
    }
}

/// Whether two accesses are of one warp, and no synchronization lies between the two.
pub(super) fn is_one_warp(one: Access, other: Access) -> bool {
    let warp = |access: Access| access.thread() / LANES as u32;
    one.stamp() == other.stamp() && warp(one) == warp(other)
}

/// The sum that a register holds, or anything else of its type.
pub(super) struct Sum {
    format: Format,
    /// The largest number that was added up.
    largest: f64,
}

impl Sum {
    /// Whether the floats of two registers differ by no more than the rounding of the sums that led to them.
    fn is_rounding(&self, old: &[u8], new: &[u8]) -> bool {
        // Units in the last place of the largest number that was added; and that unit.
        let (ulps_max, ulp) = match self.format {
            Format::F64 => (64.0, f64::EPSILON),
            Format::F16 => (8.0, 1.0 / 1024.0),
            Format::BF16 => (8.0, 1.0 / 128.0),
            _ => (64.0, f64::from(f32::EPSILON)),
        };
        let floats = |bytes| floats(self.format, word(bytes), old.len());
        floats(old).zip(floats(new)).all(|(old, new)| {
            let largest = self.largest.max(old.abs()).max(new.abs());
            old.to_bits() == new.to_bits() || (old - new).abs() <= ulps_max * ulp * largest
        })
    }
}

/// Whether what one instruction wrote and writes to one place, for different threads, is one sum but for rounding. Threads
/// that add up the same numbers, each in another order, and write the sum to one place, get one of these sums, whichever
/// it is: reductions of Triton do so. Terms that cancel leave a sum whose every digit may differ, so that the numbers that
/// were added say how much is rounding. `sums` are those of the registers of `bytes` that are written.
pub(super) fn are_sums(sums: &[Option<Sum>], bytes: usize, [old, new]: [&[u8]; 2]) -> bool {
    let parts = old.chunks_exact(bytes).zip(new.chunks_exact(bytes));
    let is_one = |sum: &Option<Sum>, old, new| sum.as_ref().is_some_and(|sum| sum.is_rounding(old, new));
    sums.iter().zip(parts).all(|(sum, (old, new))| old == new || is_one(sum, old, new))
}

/// The sum in a register of so many bytes, by the instructions in front of this one and behind the branch before it.
#[cold]
pub(super) fn sum(program: &Program, warp: &Warp, pc: u32, row: u32, bytes: usize) -> Option<Sum> {
    /// Instructions that are looked at.
    const BACK_MAX: usize = 1 << 12;
    let mut wanted = vec![row];
    let (mut format, mut largest) = (None, 0f64);
    for inst in program.insts[..pc as usize].iter().rev().take(BACK_MAX) {
        let (dsts, from, computed): (Vec<u32>, Vec<u32>, _) = match (&inst.op, inst.term) {
            (Op::Lanes { dst, srcs, .. }, Some(term)) => {
                (vec![*dst], term.from.iter().map(|&at| srcs[at]).collect(), term.format)
            }
            (Op::Shuffle(shuffle), _) => (shuffle.dst.into_iter().collect(), vec![shuffle.src], None),
            (Op::Pack { srcs, dst, .. }, _) => (vec![*dst], srcs.clone(), None),
            (Op::Unpack { src, dsts, .. }, _) => (dsts.iter().flatten().copied().collect(), vec![*src], None),
            (Op::Branch { .. } | Op::BranchTable { .. } | Op::Call(_) | Op::Return, _) => break,
            _ => continue,
        };
        let n_wanted = wanted.len();
        wanted.retain(|row| !dsts.contains(row));
        if wanted.len() == n_wanted {
            continue;
        }
        if let Some(computed) = computed {
            // A sum that is converted to another type is not a term.
            if *format.get_or_insert(computed) != computed {
                continue;
            }
            for &row in from.iter().chain(&dsts) {
                let sizes = warp.regs[row as usize].iter().flat_map(|&word| floats(computed, word, bytes));
                largest = sizes.map(f64::abs).filter(|size| size.is_finite()).fold(largest, f64::max);
            }
        }
        wanted.extend(from);
    }
    let default = match bytes {
        4 => Some(Format::F32),
        8 => Some(Format::F64),
        _ => None,
    };
    let format = format.filter(|format| (bytes * 8).is_multiple_of(format.bits() as usize)).or(default)?;
    Some(Sum { format, largest })
}

/// The floats in a register of so many bytes.
fn floats(format: Format, word: u64, bytes: usize) -> impl Iterator<Item = f64> {
    let bits = format.bits() as usize;
    (0..(bytes * 8 / bits).max(1)).map(move |at| format.value(word >> (at * bits) & mask(bits as u32)))
}
