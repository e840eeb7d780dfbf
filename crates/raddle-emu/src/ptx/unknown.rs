//! Registers with a value that nobody knows: it may be carried along, and may not be used.
//!
//! PTX ISA, "shfl.sync": the result is undefined where the register of an inactive lane is read. Programs read such
//! registers and drop what they got, as reductions of fewer than 32 lanes do, and so they do with what a race left open
//! (`races.rs`). It is only told where it would be seen: by a branch or guard, in memory, or by an instruction that lanes do together. Whether an instruction of each lane
//! hands it on is found out by running it with other bits there: a selection that takes the other operand does not.

use raddle_ir::{Code, Diag};

use super::flight::{Use, each_use};
use super::inst::{Op, Window};
use super::lane::{LANES, Lanes, Row};
use super::machine::Machine;
use super::memory::{LOCAL_WINDOW, Place};
use super::types::mask;
use super::warp::Warp;

/// A register that holds no value in some lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown {
    pub row: u32,
    pub lanes: u32,
    pub why: Why,
}

/// Why nobody knows a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Why {
    /// The shuffle, the lane that read, and the lane that does not take part.
    Shuffle { pc: u32, reader: usize, from: usize },
    /// The number of the race's finding.
    Race(u32),
}

/// Bits that stand for those that nobody knows: what depends on them differs for one of these.
const OTHERS: [u64; 3] = [u64::MAX, 0x5555_5555_5555_5555, 1];

impl Warp {
    /// In which of these lanes a register holds no value, if there are any.
    pub(super) fn unknown_in(&self, row: u32, lanes: u32) -> Option<Unknown> {
        let mut found = self.unknown.iter().filter(|unknown| unknown.row == row && unknown.lanes & lanes != 0);
        let first = *found.next()?;
        Some(Unknown { lanes: found.fold(first.lanes, |all, unknown| all | unknown.lanes) & lanes, ..first })
    }

    /// A register is written in these lanes; in some of them it may hold no value, as others do.
    pub(super) fn set_unknown(&mut self, row: u32, written: u32, like: impl IntoIterator<Item = Unknown>) {
        for unknown in self.unknown.iter_mut().filter(|unknown| unknown.row == row) {
            unknown.lanes &= !written;
        }
        self.unknown.retain(|unknown| unknown.lanes != 0);
        self.unknown.extend(like.into_iter().map(|like| Unknown { row, ..like }));
    }
}

impl Machine<'_> {
    /// What an instruction does with registers that hold no value, before it runs: it hands them on, writes over them, or
    /// uses them, which is told. `mask` are the lanes of the path, `on` those in which the guard holds.
    #[cold]
    pub(super) fn follow_unknown(&self, warp: &mut Warp, pc: u32, mask: u32, on: u32) -> Result<(), Box<Diag>> {
        let inst = &self.program.insts[pc as usize];
        if let Some(unknown) = inst.guard.and_then(|(row, _)| warp.unknown_in(row, mask)) {
            return Err(self.tell_unknown(warp, pc, unknown, mask));
        }
        match &inst.op {
            Op::Lanes { lanes, dst, srcs, more } => {
                let first = self.handed_on(warp, lanes, *srcs, on);
                let [second, carry] = more.as_ref().map_or([None, None], |more| {
                    let handed_on = |(lanes, dst): &(Lanes, u32)| (*dst, self.handed_on(warp, lanes, *srcs, on));
                    [&more.second, &more.carry].map(|result| result.as_ref().map(handed_on))
                });
                warp.set_unknown(*dst, on, first);
                for (dst, like) in [second, carry].into_iter().flatten() {
                    warp.set_unknown(dst, on, like);
                }
            }
            Op::Pack { srcs, dst, .. } => {
                let like: Vec<Unknown> = srcs.iter().filter_map(|&src| warp.unknown_in(src, on)).collect();
                warp.set_unknown(*dst, on, like);
            }
            Op::Unpack { src, dsts, .. } => {
                let like = warp.unknown_in(*src, on);
                dsts.iter().flatten().for_each(|&dst| warp.set_unknown(dst, on, like));
            }
            // It knows which lane reads which.
            Op::Shuffle(_) => {}
            // Memory of a thread's own stands for registers there.
            Op::Store(store) if is_local(warp, store.address.row, store.address.space, on) => {}
            op => {
                let (mut used, mut written) = (None, Vec::new());
                each_use(op, |row, what| match what {
                    Use::Reads => used = used.or_else(|| warp.unknown_in(row, on)),
                    Use::Writes => written.push(row),
                });
                if let Some(unknown) = used {
                    return Err(self.tell_unknown(warp, pc, unknown, on));
                }
                written.into_iter().for_each(|row| warp.set_unknown(row, on, None));
            }
        }
        Ok(())
    }

    /// The lanes whose result depends on bits that nobody knows.
    fn handed_on(&self, warp: &Warp, lanes: &Lanes, srcs: [u32; 4], on: u32) -> Option<Unknown> {
        let unknown = srcs.into_iter().find_map(|src| warp.unknown_in(src, on))?;
        let run = |flip: u64| {
            let rows: [Row; 4] = srcs.map(|src| {
                let lost = warp.unknown_in(src, on).map_or(0, |unknown| unknown.lanes);
                let row = &warp.regs[src as usize];
                let flip = flip & mask(self.program.widths[src as usize]);
                std::array::from_fn(|lane| if lost >> lane & 1 == 1 { row[lane] ^ flip } else { row[lane] })
            });
            let mut out = [0; LANES];
            lanes(&mut out, [&rows[0], &rows[1], &rows[2], &rows[3]]);
            out
        };
        let one = run(0);
        let others = OTHERS.map(run);
        let differs = |lane: &usize| others.iter().any(|other| other[*lane] != one[*lane]);
        let lanes = (0..LANES).filter(differs).fold(0, |lanes, lane| lanes | 1 << lane) & on;
        (lanes != 0).then_some(Unknown { lanes, ..unknown })
    }

    fn tell_unknown(&self, warp: &Warp, pc: u32, unknown: Unknown, lanes: u32) -> Box<Diag> {
        let lane = (unknown.lanes & lanes).trailing_zeros() as usize;
        let (shuffle, reader, from) = match unknown.why {
            Why::Shuffle { pc, reader, from } => (pc, reader, from),
            Why::Race(number) => {
                let span = self.program.insts[pc as usize].span;
                return Box::new(self.races.finding(number).related(span, "what was read is used here"));
            }
        };
        let message = format!("uses what lane {reader} read from lane {from}, which does not take part in the shuffle");
        let diag = self.tell(warp, pc, lane, Code::Undefined, "undefined", &message);
        let diag = diag.related(self.program.insts[shuffle as usize].span, "the shuffle");
        Box::new(diag.help("a lane whose register is read executes the shuffle, too, and all of them name it"))
    }
}

/// Whether all of these lanes have an address of their own memory.
fn is_local(warp: &Warp, row: u32, space: Window, on: u32) -> bool {
    let base = &warp.regs[row as usize];
    space == Window::Local
        || (0..LANES)
            .filter(|lane| on >> lane & 1 == 1)
            .all(|lane| base[lane] >= LOCAL_WINDOW && matches!(super::memory::place(base[lane]), Place::Local { .. }))
}
