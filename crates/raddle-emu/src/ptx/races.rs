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
//! Two writes of one sum, added up in different orders, are no race either.

use std::rc::Rc;

use raddle_ir::Diag;
use rustc_hash::FxHashMap;

use super::access::Issue;
use super::clock::Clock;
use super::inst::{Op, Program};
use super::machine::{Machine, Ran};
use super::memory::{Access, Place, RANK_SHIFT, SHARED_WINDOW, View, address_of};
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
        let writer = issue.unordered_write().filter(|&writer| is_like(self.program, writer, bytes))?;
        let mut races = std::mem::take(&mut self.races);
        let number = races.number((writer.pc(), Some(pc as usize)), || self.fault(warp, pc, lane, issue));
        self.races = races;
        Some(number)
    }
}

/// Whether floats that one instruction wrote and writes to one place, for different threads, differ by no more than the
/// rounding of the sums that led to them. Threads that add up the same numbers, each in another order, and write the sum
/// to one place, get one of these sums, whichever it is: reductions of Triton do so. Terms that cancel leave a sum whose
/// every digit may differ, so that the numbers that were added say how much is rounding.
/// `terms` has the largest of them for each register that is written.
pub(super) fn is_rounding(terms: &[f64], bytes: usize, [old, new]: [&[u8]; 2]) -> bool {
    /// Units in the last place of the largest number that was added.
    const ULPS_MAX: f64 = 64.0;
    let epsilon = if bytes == 4 { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let parts = old.chunks_exact(bytes).zip(new.chunks_exact(bytes));
    terms.iter().zip(parts).all(|(&term, (old, new))| {
        let (from, to) = (float(old), float(new));
        old == new || (from - to).abs() <= ULPS_MAX * epsilon * term.max(from.abs()).max(to.abs())
    })
}

/// The largest number among the floats of so many bytes that were added up in a register, in front of an instruction and
/// behind the branch before it.
#[cold]
pub(super) fn largest_term(program: &Program, warp: &Warp, pc: u32, row: u32, bytes: usize) -> f64 {
    /// Instructions that are looked at.
    const BACK_MAX: usize = 1 << 12;
    let mut wanted = vec![row];
    let mut largest = 0f64;
    for inst in program.insts[..pc as usize].iter().rev().take(BACK_MAX) {
        let (dst, added): (_, Vec<u32>) = match (&inst.op, inst.term) {
            (Op::Lanes { dst, srcs, .. }, Some(term)) if term.bytes == bytes => {
                (Some(*dst), term.added.iter().map(|&at| srcs[at]).collect())
            }
            (Op::Shuffle(shuffle), _) => (shuffle.dst, vec![shuffle.src]),
            (Op::Branch { .. } | Op::BranchTable { .. } | Op::Call(_) | Op::Return, _) => break,
            _ => continue,
        };
        if let Some(dst) = dst
            && let Some(at) = wanted.iter().position(|&row| row == dst)
        {
            wanted.swap_remove(at);
            for &row in added.iter().chain([&dst]) {
                let sizes = warp.regs[row as usize].map(|word| float(&word.to_le_bytes()[..bytes]).abs());
                largest = sizes.into_iter().filter(|size| size.is_finite()).fold(largest, f64::max);
            }
            wanted.extend(added);
        }
    }
    largest
}

/// A float of four or eight bytes; any other has no value.
fn float(bytes: &[u8]) -> f64 {
    match *bytes {
        [a, b, c, d] => f64::from(f32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => f64::NAN,
    }
}
