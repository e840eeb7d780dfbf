//! Barriers in shared memory that count arrivals and bytes, phase by phase: `mbarrier`.
//!
//! A phase ends when as many threads have come as the barrier was made for, and all bytes that it was told to expect
//! have arrived; the next one begins at once. Threads that wait name a phase by its parity or by the token of an arrival.
//! A thread that waits stands still until the phase has ended; it is told that the phase still runs only when nothing
//! else can happen.

use raddle_ir::{Code, Diag};
use rustc_hash::FxHashMap;

use super::access::Issue;
use super::clock::Clock;
use super::inst::{END, PhaseKind, PhaseOp, PhaseWait};
use super::lane::LANES;
use super::machine::{Machine, lanes_of};
use super::memory::{Access, Place, View};
use super::warp::{State, Warp};
use crate::AsyncMode;

type Ran<T> = Result<T, Box<Diag>>;

/// Bytes that a phase can expect, at most (PTX ISA, "Tracking asynchronous operations by the mbarrier object").
const BYTES_MAX: i64 = (1 << 20) - 1;
/// Arrivals of a phase, at most.
const COUNT_MAX: u64 = (1 << 20) - 1;

/// A barrier.
#[derive(Clone, Debug)]
struct Phase {
    /// Arrivals that a phase takes, and those that are missing.
    count: u64,
    pending: u64,
    /// Bytes that are expected and have not come; fewer than none if they came first.
    bytes: i64,
    /// The phase that is running.
    running: u64,
    /// What threads of the running phase released, and those of the phases before.
    arriving: Clock,
    done: Clock,
    /// Who made it.
    maker: Access,
}

impl Phase {
    fn end_if_complete(&mut self) {
        if self.pending == 0 && self.bytes == 0 {
            self.pending = self.count;
            self.running += 1;
            let arriving = std::mem::take(&mut self.arriving);
            self.done.join(&arriving);
        }
    }
}

/// All barriers of a cluster, by rank and offset.
#[derive(Clone, Default, Debug)]
pub(super) struct Phases {
    phases: FxHashMap<(usize, u64), Phase>,
}

impl Phases {
    pub(super) fn clear(&mut self) {
        self.phases.clear();
    }

    /// The phase that is running.
    pub(super) fn running(&self, rank: usize, offset: u64) -> Option<u64> {
        self.phases.get(&(rank, offset)).map(|phase| phase.running)
    }

    /// What a phase waits for.
    pub(super) fn lacks(&self, rank: usize, offset: u64) -> String {
        match self.phases.get(&(rank, offset)) {
            Some(Phase { pending, bytes, running, .. }) => {
                format!("is in phase {running}, in which {pending} arrivals and {bytes} bytes are missing")
            }
            None => "is no more".to_owned(),
        }
    }

    /// Bytes of an asynchronous copy have arrived, to which the barrier's initialisation `is_shown`, or of a store that
    /// needs no showing; an error says what is wrong.
    pub(super) fn complete(
        &mut self,
        (rank, offset): (usize, u64),
        bytes: i64,
        known: &Clock,
        (warp, stamp): (usize, u32),
        is_shown: impl Fn(Access) -> bool,
    ) -> Result<(), &'static str> {
        let Some(phase) = self.phases.get_mut(&(rank, offset)) else {
            return Err("no barrier was made where the copy completes");
        };
        if !is_shown(phase.maker) {
            return Err("no fence shows the barrier's initialisation to asynchronous copies");
        }
        phase.bytes -= bytes;
        if phase.bytes < -BYTES_MAX {
            return Err("more bytes arrive at the barrier than it can count");
        }
        if phase.arriving.seen.is_empty() {
            phase.arriving = Clock::new(known.seen.len(), 0);
        }
        phase.arriving.seen[warp] = phase.arriving.seen[warp].max(stamp);
        phase.end_if_complete();
        Ok(())
    }

    /// A thread's copies have arrived, and it arrives with them.
    pub(super) fn arrive_late(
        &mut self,
        at: (usize, u64),
        known: &Clock,
        (warp, stamp): (usize, u32),
    ) -> Result<(), &'static str> {
        let Some(phase) = self.phases.get_mut(&at) else { return Err("no barrier was made where the copies arrive") };
        if phase.pending == 0 {
            return Err("more threads arrive than the phase takes");
        }
        phase.pending -= 1;
        phase.arriving.release(known, warp, stamp);
        phase.end_if_complete();
        Ok(())
    }

    /// One more arrival belongs to the running phase.
    pub(super) fn add_pending(&mut self, at: (usize, u64)) {
        if let Some(phase) = self.phases.get_mut(&at) {
            phase.pending += 1;
        }
    }
}

impl Machine<'_> {
    /// Where a lane's barrier is; the access to it is strong, and is looked at as such.
    pub(super) fn phase_at(&mut self, warp: &Warp, pc: u32, lane: usize, at: (Place, u64)) -> Ran<(usize, u64)> {
        let view = self.view(warp, pc);
        let who = view.who.of_lane(lane);
        let key = match at.0 {
            Place::Shared { rank, offset } => Some((rank.map_or(warp.rank, |rank| rank as usize), offset)),
            Place::Global { .. } | Place::Local { .. } | Place::Nowhere => None,
        };
        // Who was shown that the barrier was made knows what its maker wrote there.
        let maker = key.and_then(|key| self.phases.phases.get(&key)).map(|phase| phase.maker);
        let maker = maker.filter(|&maker| !view.knows(who, maker) && view.known.covers_made(maker));
        let known = maker.map(|maker| view.known.knowing(maker));
        let view = View { known: known.as_ref().unwrap_or(view.known), ..view };
        if let Err(issue) = self.memory.update(at.0, warp.rank, at.1, 8, &view, who, |old| old) {
            return Err(self.fault(warp, pc, lane, &issue));
        }
        let Some(key) = key else {
            return Err(self.tell(warp, pc, lane, Code::Undefined, "undefined", "a barrier lies in shared memory"));
        };
        let Some(phase) = self.phases.phases.get(&key) else {
            let message = format!("no barrier was made at byte {} of shared memory", key.1);
            return Err(self.tell(warp, pc, lane, Code::Undefined, "undefined", &message));
        };
        if self.options.sanitize && !view.knows(who, phase.maker) {
            let issue = Issue::unknown_barrier(at.0, at.1, phase.maker);
            return Err(self.fault(warp, pc, lane, &issue));
        }
        Ok(key)
    }

    pub(super) fn phase_op(&mut self, warp: &mut Warp, pc: u32, op: &PhaseOp, on: u32) -> Ran<()> {
        let base = warp.regs[op.address.row as usize];
        let mut tokens = [0; LANES];
        let mut has_released = false;
        for lane in lanes_of(on) {
            let at = op.address.of(base[lane]);
            let bad = |this: &Self, message: &str| this.tell(warp, pc, lane, Code::Undefined, "undefined", message);
            let value = |row: u32| warp.regs[row as usize][lane] & 0xffff_ffff;
            self.events += 1;
            if let PhaseKind::Init { count } = op.kind {
                let count = value(count);
                if count == 0 || count > COUNT_MAX {
                    return Err(bad(self, &format!("a barrier is for 1 to {COUNT_MAX} arrivals, not for {count}")));
                }
                let view = self.view(warp, pc);
                let who = view.who.of_lane(lane);
                if let Err(issue) = self.memory.write(at.0, warp.rank, at.1, &count.to_le_bytes(), &view, who) {
                    return Err(self.fault(warp, pc, lane, &issue));
                }
                let Place::Shared { rank: None, offset } = at.0 else {
                    return Err(bad(self, "a barrier is made in the shared memory of its own workgroup"));
                };
                let phase = Phase {
                    count,
                    pending: count,
                    bytes: 0,
                    running: 0,
                    arriving: Clock::default(),
                    done: Clock::default(),
                    maker: who,
                };
                self.phases.phases.insert((warp.rank, offset), phase);
                continue;
            }
            let key = self.phase_at(warp, pc, lane, at)?;
            let Some(phase) = self.phases.phases.get_mut(&key) else {
                unreachable!("the barrier was found");
            };
            let (count, bytes) = match op.kind {
                PhaseKind::Init { .. } => unreachable!("it is done above"),
                PhaseKind::End => {
                    self.phases.phases.remove(&key);
                    continue;
                }
                PhaseKind::Expect { bytes } => (0, value(bytes) as i64),
                PhaseKind::Complete { bytes } => (0, -(value(bytes) as i64)),
                PhaseKind::Arrive { count: n, bytes: row, drops, releases } => {
                    let (count, bytes) = (n.map_or(1, value), row.map_or(0, |row| value(row) as i64));
                    if count == 0 || count > phase.pending {
                        let message = format!(
                            "{count} arrivals come to the barrier at byte {} of shared memory, whose phase {} takes {} more",
                            key.1, phase.running, phase.pending
                        );
                        return Err(bad(self, &message));
                    }
                    tokens[lane] = phase.running << 32 | phase.pending;
                    if drops {
                        phase.count -= count.min(phase.count);
                    }
                    if releases {
                        phase.arriving.release(&warp.known, warp.index, warp.now);
                        has_released = true;
                    }
                    (count, bytes)
                }
            };
            phase.bytes += bytes;
            if phase.bytes.abs() > BYTES_MAX {
                let message = format!("the barrier is to expect {} bytes, more than {BYTES_MAX}", phase.bytes);
                return Err(bad(self, &message));
            }
            phase.pending -= count;
            phase.end_if_complete();
        }
        if let Some(dst) = op.dst {
            warp.put(dst, on, &tokens);
        }
        if has_released {
            warp.now = self.tick()?;
        }
        Ok(())
    }

    /// Waits for phases: what the path waits for, or nothing if it goes on. Who is told that a phase still runs does.
    /// With eager copies every wait is told so once, since programs must ask again.
    pub(super) fn phase_wait(
        &mut self,
        warp: &mut Warp,
        pc: u32,
        wait: &PhaseWait,
        on: u32,
        path: usize,
    ) -> Ran<Option<State>> {
        let base = warp.regs[wait.address.row as usize];
        let targets = warp.regs[wait.phase as usize];
        let mut is_over = [0; LANES];
        let mut waits = None;
        for lane in lanes_of(on) {
            let key = self.phase_at(warp, pc, lane, wait.address.of(base[lane]))?;
            let phase = &self.phases.phases[&key];
            let over = if wait.by_parity {
                phase.running & 1 != targets[lane] & 1
            } else {
                phase.running > targets[lane] >> 32
            };
            is_over[lane] = u64::from(over);
            if over && wait.acquires {
                warp.known.join(&phase.done);
            } else if !over {
                waits = waits.or(Some(State::Phase(key.0, key.1, phase.running)));
            }
        }
        let path = &mut warp.paths[path];
        let mut told = std::mem::take(&mut path.told);
        if waits.is_some() && self.options.copies == AsyncMode::Eager && path.refused != pc {
            (path.refused, told) = (pc, true);
        }
        if waits.is_some() && !told {
            return Ok(waits);
        }
        if waits.is_none() {
            path.refused = END;
        }
        warp.put(wait.dst, on, &is_over);
        Ok(None)
    }
}
