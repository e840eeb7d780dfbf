//! Barriers in shared memory that count arrivals and bytes, phase by phase, and the copies of whole boxes that they wait for.
//!
//! A phase ends when as many threads have come as the barrier was made for, and all bytes that it was told to expect have
//! arrived (PTX ISA, "mbarrier"). What those threads did, and the copies, are before what a thread does that has waited
//! for the phase. The barrier itself is an element of shared memory: threads that use it before its making is before
//! them race with that.
//!
//! Eagerly, a box is copied where it is issued; lazily, where a thread waits and nothing else can happen first.

use std::collections::BTreeMap;

use raddle_ir::Diag;
use rustc_hash::FxHashMap;

use crate::AsyncMode;
use crate::fault::{Fault, Kind, Run};
use crate::inst::{AsyncCopy, PhaseBarrier, PhaseStep};
use crate::machine::{Failed, Machine, Stop, Subgroup};
use crate::memory::Now;
use crate::ops::copies::{Issued, carry_out, prepare};
use crate::ops::transfer::{SKIPPED, Touches, buffer, elem_bytes, locate, note, pay};
use crate::regs::{Cast, Num, Reg, Space, covered};
use crate::schedule::Stretch;

/// Threads, and bytes, that a barrier counts at most (PTX ISA, "mbarrier").
const COUNT_MAX: i64 = (1 << 20) - 1;

/// Which barrier: an element of an allocation that the workgroup shares.
pub(crate) type Name = (Space, usize);

/// One barrier.
#[derive(Clone, Debug)]
pub(crate) struct Phases {
    /// Arrivals that a phase takes, and those that are missing from this one.
    count: i64,
    missing: i64,
    /// Bytes that this phase expects and that have not come.
    bytes: i64,
    /// Phases that have ended.
    ended: u64,
    /// For each subgroup, up to where its accesses are before this phase's end, and before that of ended ones.
    coming: BTreeMap<usize, [Stretch; 2]>,
    told: BTreeMap<usize, [Stretch; 2]>,
}

/// A copy of a box that is on its way.
#[derive(Clone, Debug)]
pub(crate) struct Bulk {
    issued: Issued,
    barrier: Name,
    lane: usize,
    bytes: i64,
    /// When it was issued, for its source and its destination.
    now: [Now; 2],
    /// Whether the bytes have been moved.
    moved: bool,
}

impl Phases {
    /// Whether so many phases and one more have ended.
    pub(crate) fn is_past(&self, phase: u64) -> bool {
        self.ended > phase
    }

    /// What is missing, in words.
    pub(crate) fn lacks(&self) -> String {
        let threads = format!("{} of its {} arrivals", self.missing, self.count);
        match (self.missing, self.bytes) {
            (_, 0) => format!("lacks {threads}"),
            (0, bytes) => format!("lacks {bytes} bytes"),
            (_, bytes) => format!("lacks {threads}, and {bytes} bytes"),
        }
    }
}

#[inline(never)]
pub(crate) fn step(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    inst: &PhaseBarrier,
    pc: usize,
) -> Result<Option<Stop>, Failed> {
    locate(machine, s, inst.view, std::slice::from_ref(&inst.at))?;
    let space = s.regs.view(inst.view).space;
    let addresses = machine.addresses.clone();
    let on: Vec<usize> = (0..s.regs.lanes).filter(|&lane| s.is_on(lane)).collect();
    touch(machine, s, space, &addresses, matches!(inst.step, PhaseStep::Make { .. }), pc)?;
    let name = |lane: usize| (space, addresses[lane]);
    match inst.step {
        PhaseStep::Make { count } => {
            for &lane in &on {
                let count = s.regs.int(count, lane);
                if !(1..=COUNT_MAX).contains(&count) {
                    let message = format!("a barrier takes 1 to {COUNT_MAX} arrivals, not {count}");
                    return Err(Fault::new(Kind::Undefined, Some(lane), message).into());
                }
                let made = Phases {
                    count,
                    missing: count,
                    bytes: 0,
                    ended: 0,
                    coming: BTreeMap::new(),
                    told: BTreeMap::new(),
                };
                machine.phases.insert(name(lane), made);
            }
        }
        PhaseStep::Arrive { times, bytes, token } => {
            let id = s.id as usize;
            let stretches = machine.clocks.each_mut().map(|clocks| clocks.part(id));
            // The phase to which the first lane came, for each barrier.
            let mut first = FxHashMap::default();
            for &lane in &on {
                let number = |reg: Option<Reg>, missing: i64| reg.map_or(missing, |reg| s.regs.int(reg, lane));
                let (times, bytes) = (number(times, 1), number(bytes, 0));
                let barrier = made(machine, name(lane), lane)?;
                let ended = barrier.ended;
                if *first.entry(name(lane)).or_insert(ended) != ended {
                    let message = format!(
                        "the barrier is made for {} arrivals, and more lanes come here: this one comes behind the phase that the others end",
                        barrier.count
                    );
                    return Err(Fault::new(Kind::Barrier, Some(lane), message)
                        .help("make the barrier for as many arrivals as there are threads that come to it")
                        .into());
                }
                if times < 1 || times > barrier.missing || !(0..=COUNT_MAX - barrier.bytes.max(0)).contains(&bytes) {
                    let message = format!(
                        "{times} arrivals and {bytes} bytes are more than the phase takes, which {}",
                        barrier.lacks()
                    );
                    return Err(Fault::new(Kind::Barrier, Some(lane), message)
                        .help("wait for the end of the phase before coming for the next one")
                        .into());
                }
                barrier.bytes += bytes;
                barrier.missing -= times;
                barrier.coming.insert(id, stretches.clone());
                if let Some(token) = token {
                    i64::bank_mut(&mut s.regs)[token.at as usize][lane] = ended as i64;
                }
                finish(machine, s, name(lane))?;
            }
        }
        PhaseStep::Wait { parity } => {
            for &lane in &on {
                let parity = s.regs.int(parity, lane) & 1;
                let ended = made(machine, name(lane), lane)?.ended;
                // A phase of that parity has ended when the one that runs has the other one.
                if ended as i64 & 1 == parity {
                    s.pc -= 1;
                    return Ok(Some(Stop::Phase { barrier: name(lane), phase: ended, asks: false }));
                }
            }
            on.iter().for_each(|&lane| learn(machine, s, name(lane)));
        }
        PhaseStep::Ask { token, dst } => {
            let told = std::mem::take(&mut s.told);
            for &lane in &on {
                let phase = s.regs.int(token, lane) as u64;
                let past = made(machine, name(lane), lane)?.is_past(phase);
                if !past && !told {
                    // Others may go on meanwhile; only where nobody can is the answer no.
                    s.pc -= 1;
                    return Ok(Some(Stop::Phase { barrier: name(lane), phase, asks: true }));
                }
                if past {
                    learn(machine, s, name(lane));
                }
                i64::bank_mut(&mut s.regs)[dst.at as usize][lane] = i64::from(past);
            }
        }
    }
    Ok(None)
}

/// Tells the shadow.
fn touch(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    space: Space,
    addresses: &[usize],
    makes: bool,
    pc: usize,
) -> Run<()> {
    let (lanes, mask, n) = (s.regs.lanes, s.mask, s.active);
    if makes {
        return note(
            machine,
            s,
            space,
            &Touches { addresses, lanes, mask, n, elem_bytes: 8, cast: None, write: true },
            pc,
        );
    }
    let now = machine.now(s, space, pc);
    let buffer = buffer(machine, s, space)?;
    let mut faults = Vec::new();
    for (lane, &address) in addresses.iter().enumerate() {
        if mask >> lane & 1 == 1 && buffer.is_tracked() {
            faults.extend(buffer.note_atomic(address, &now, lane).err());
        }
    }
    faults.into_iter().try_for_each(|fault| machine.put_off(s, pc, fault))
}

fn made<'m>(machine: &'m mut Machine<'_>, name: Name, lane: usize) -> Run<&'m mut Phases> {
    machine.phases.get_mut(&name).ok_or_else(|| {
        Fault::new(Kind::Uninitialised, Some(lane), "the barrier is used before it is made")
            .help("make it in one thread, and let the others wait for that at a barrier of the workgroup")
    })
}

/// What came before the end of the phases that have ended is before what this subgroup does next.
fn learn(machine: &mut Machine<'_>, s: &Subgroup, name: Name) {
    let Some(barrier) = machine.phases.get(&name) else { return };
    let told = barrier.told.clone();
    for (from, stretches) in told {
        machine.order.tell(from, &[s.id as usize], s.regs.lanes);
        for (clocks, stretch) in machine.clocks.iter_mut().zip(&stretches) {
            clocks.leave(from, stretch, &[s.id as usize]);
        }
    }
}

/// Ends the phase if nothing is missing; its copies have arrived.
fn finish(machine: &mut Machine<'_>, s: &mut Subgroup, name: Name) -> Run<()> {
    let Some(barrier) = machine.phases.get_mut(&name) else { return Ok(()) };
    if barrier.missing != 0 || barrier.bytes != 0 {
        return Ok(());
    }
    barrier.ended += 1;
    barrier.missing = barrier.count;
    let coming = std::mem::take(&mut barrier.coming);
    barrier.told.extend(coming);
    let (done, open) =
        std::mem::take(&mut machine.bulk).into_iter().partition(|bulk| bulk.moved && bulk.barrier == name);
    machine.bulk = open;
    let done: Vec<Bulk> = done;
    for Bulk { issued, lane, now, .. } in done {
        let part = |addresses: &[usize], cast: Option<Cast>| -> Vec<usize> {
            let own = addresses.iter().copied().skip(lane).step_by(issued.lanes());
            own.filter(|&address| address != SKIPPED).flat_map(|address| covered(address, cast)).collect()
        };
        for address in part(&issued.from.1, issued.from.2) {
            buffer(machine, s, issued.from.0)?.end_departure(address);
        }
        for address in part(&issued.to.1, issued.to.2) {
            buffer(machine, s, issued.to.0)?.end_arrival(address, &now[1], issued.pc, lane);
        }
        machine.memory_left += issued.bytes();
    }
    Ok(())
}

/// Issues the copy of a box, whose bytes a barrier counts.
#[inline(never)]
pub(crate) fn issue(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    copy: &AsyncCopy,
    barrier: (Reg, Reg),
    pc: usize,
) -> Result<(), Failed> {
    locate(machine, s, barrier.0, std::slice::from_ref(&barrier.1))?;
    let space = s.regs.view(barrier.0).space;
    let addresses = machine.addresses.clone();
    touch(machine, s, space, &addresses, false, pc)?;
    let now = [&copy.from, &copy.to].map(|transfer| machine.now(s, s.regs.view(transfer.base).space, pc));
    let issued = prepare(machine, s, copy, pc)?;
    let id = s.id as usize;
    let stretches = machine.clocks.each_mut().map(|clocks| clocks.part(id));
    let elem_bytes = elem_bytes(buffer(machine, s, issued.to.0)?, issued.to.2);
    let on: Vec<usize> = (0..s.regs.lanes).filter(|&lane| s.is_on(lane)).collect();
    for (nth, &lane) in on.iter().enumerate() {
        // Each lane's is a copy of its own, and keeps its places.
        if nth > 0 {
            pay(machine, issued.bytes(), &[copy.to.n as i64])?;
        }
        let name = (space, addresses[lane]);
        let bytes = (copy.to.n * elem_bytes) as i64;
        let phases = made(machine, name, lane)?;
        phases.coming.insert(id, stretches.clone());
        let bulk = Bulk { issued: issued.clone(), barrier: name, lane, bytes, now: now.clone(), moved: false };
        machine.bulk.push(bulk);
        if machine.options.copies == AsyncMode::Eager {
            resolve(machine, s, name)?;
        }
    }
    Ok(())
}

/// Moves what is on its way to a barrier.
pub(crate) fn resolve(machine: &mut Machine<'_>, s: &mut Subgroup, name: Name) -> Run<()> {
    for at in 0..machine.bulk.len() {
        if machine.bulk[at].barrier != name || machine.bulk[at].moved {
            continue;
        }
        machine.bulk[at].moved = true;
        let Bulk { issued, lane, bytes, .. } = machine.bulk[at].clone();
        carry_out(machine, s, &issued, 1 << lane)?;
        made(machine, name, lane)?.bytes -= bytes;
    }
    finish(machine, s, name)
}

/// What nobody waited for when the workgroup has ended.
pub(crate) fn left_over(machine: &mut Machine<'_>, subgroups: &[Subgroup]) -> Option<Box<Diag>> {
    let bulk = machine.bulk.first()?;
    let fault =
        Fault::new(Kind::Async, Some(bulk.lane), "the workgroup ends while a copy into its memory is on its way")
            .help("wait for the phase of the barrier that counts its bytes");
    let subgroup = &subgroups[(bulk.now[1].who.thread / bulk.now[1].lanes) as usize];
    Some(machine.diag(machine.code, subgroup, bulk.issued.pc as u32, &fault))
}
