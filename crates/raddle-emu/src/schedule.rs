//! The subgroups of a workgroup: who runs when, where they wait for one another, and what is before what.
//!
//! Each subgroup runs until it waits. When all do, barriers that are complete let theirs go on; when none is, they wait
//! forever. A barrier of the whole workgroup puts everything before it in front of everything behind it. One of some
//! subgroups does so for these only: then each subgroup knows up to when it has seen every other one.

use std::collections::BTreeMap;
use std::sync::Arc;

use raddle_ir::Diag;

use crate::fault::{Fault, Kind, Run};
use crate::grid;
use crate::inst::{Fences, Inst, START};
use crate::machine::{Machine, Shuffled, Stop, Subgroup};
use crate::ops::phase;
use crate::regs::Space;

/// Stretches of time, numbered over all workgroups that a thread of the emulator runs.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    /// The newest.
    last: u32,
    /// All accesses of this workgroup up to here are before every subgroup's next one.
    floor: u32,
    /// For each subgroup, where they may differ.
    each: Vec<Stretch>,
}

/// A stretch of a subgroup's, and up to which it has seen every subgroup's accesses.
pub(crate) type Stretch = (u32, Arc<[u32]>);

impl Clocks {
    pub(crate) fn new(n_subgroups: usize, partial: bool) -> Clocks {
        let n = if partial { n_subgroups } else { 0 };
        Clocks { last: 0, floor: 0, each: vec![(0, vec![0; n].into()); n] }
    }

    /// Everything so far is before everything that follows.
    pub(crate) fn advance(&mut self) {
        self.floor = self.last;
        self.last += 1;
        let seen: Arc<[u32]> = vec![self.floor; self.each.len()].into();
        self.each.fill((self.last, seen));
    }

    /// What these subgroups have done and seen is before what they will do.
    pub(crate) fn meet(&mut self, subgroups: &[usize]) {
        let mut merged = vec![self.floor; self.each.len()];
        for &at in subgroups {
            let (own, seen) = &self.each[at];
            merged.iter_mut().zip(seen.iter()).for_each(|(merged, seen)| *merged = (*merged).max(*seen));
            merged[at] = merged[at].max(*own);
        }
        self.last += 1;
        let seen: Arc<[u32]> = merged.into();
        for &at in subgroups {
            self.each[at] = (self.last, seen.clone());
        }
    }

    /// What a subgroup has done is before what the others will do; it has not waited for them.
    pub(crate) fn leave(&mut self, subgroup: usize, (epoch, has_seen): &Stretch, waiting: &[usize]) {
        for &at in waiting {
            let (own, seen) = &self.each[at];
            let mut merged = seen.to_vec();
            merged.iter_mut().zip(has_seen.iter()).for_each(|(merged, seen)| *merged = (*merged).max(*seen));
            merged[subgroup] = merged[subgroup].max(*epoch);
            self.each[at] = (*own, merged.into());
        }
    }

    /// Ends a stretch of a subgroup's: what it does from now on is behind what others are told of it.
    pub(crate) fn part(&mut self, subgroup: usize) -> Stretch {
        let old = self.each[subgroup].clone();
        self.last += 1;
        self.each[subgroup].0 = self.last;
        old
    }

    /// A subgroup's stretch, up to where everything is before it, and what it has seen.
    #[inline(always)]
    pub(crate) fn now(&self, subgroup: usize) -> (u32, u32, Option<Arc<[u32]>>) {
        match self.each.get(subgroup) {
            None => (self.last, self.floor, None),
            Some((own, seen)) => (*own, self.floor, Some(seen.clone())),
        }
    }

    #[cfg(test)]
    pub(crate) fn of(&self, subgroup: usize) -> (u32, Arc<[u32]>) {
        self.each[subgroup].clone()
    }
}

/// A subgroup that came to a barrier and did not wait.
#[derive(Clone, Debug)]
pub(crate) struct Arrived {
    subgroup: usize,
    threads: i64,
    /// In each memory.
    at: [Stretch; 2],
}

/// What a subgroup is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Ready,
    Stopped(Stop),
}

impl Machine<'_> {
    /// Runs one workgroup, the `turn`-th of the run.
    pub(crate) fn workgroup(&mut self, subgroups: &mut [Subgroup], number: u64, turn: u64) -> Result<(), Box<Diag>> {
        self.workgroup = number as u32;
        self.block = grid::place(self.launch.grid, self.workgroup);
        for subgroup in subgroups.iter_mut() {
            subgroup.restart(self.code, self.block);
        }
        // Starting a workgroup is work too: a huge grid of empty ones ends as well.
        let start = START * subgroups.len() as u64;
        self.charge(start).map_err(|fault| self.diag(self.code, &subgroups[0], 0, &fault))?;
        self.clocks.iter_mut().for_each(Clocks::advance);
        self.arrived.clear();
        self.phases.clear();
        self.bulk.clear();
        let mut states = vec![State::Ready; subgroups.len()];
        for phase in 1.. {
            // Who has used up a turn goes on before anybody asks whether barriers are complete.
            let order = Shuffled::new(subgroups.len() as u64, self.options.seed.wrapping_mul(turn.wrapping_add(phase)));
            for at in 0..subgroups.len() {
                let id = order.at(at as u64) as usize;
                if states[id] != State::Ready {
                    continue;
                }
                match self.run(self.code, &mut subgroups[id]) {
                    Ok(Stop::Turn) => {}
                    Ok(stop) => states[id] = State::Stopped(stop),
                    Err(diag) => return Err(self.first_cause(diag)),
                }
            }
            if states.contains(&State::Ready) {
                continue;
            }
            let waiting = states.iter().position(|&state| state != State::Stopped(Stop::Done));
            let released = match waiting {
                Some(_) => self.meet(subgroups, &mut states)?,
                None => false,
            };
            if !released && let Some(waiting) = waiting {
                let diag = self.stuck(subgroups, &states, waiting);
                // Who did not wait for a phase may be why others wait for ever.
                let in_phases = states.iter().any(|state| matches!(state, State::Stopped(Stop::Phase { .. })));
                return Err(if in_phases { self.first_cause(diag) } else { diag });
            }
            if let Some((_, diag)) = self.pending.first.take() {
                return Err(diag);
            }
            if waiting.is_none() {
                break;
            }
        }
        if let Some(diag) = phase::left_over(self, subgroups) {
            return Err(diag);
        }
        self.order.end_workgroup(self.workgroup);
        self.done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    }

    /// Lets those go on whose barriers are complete; whether there were any.
    fn meet(&mut self, subgroups: &mut [Subgroup], states: &mut [State]) -> Result<bool, Box<Diag>> {
        let first = subgroups[0].pc;
        let whole = states
            .iter()
            .zip(&*subgroups)
            .all(|(&state, subgroup)| state == State::Stopped(Stop::Barrier) && subgroup.pc == first);
        if whole {
            self.fenced(first).for_each(Clocks::advance);
            let all: Vec<usize> = (0..subgroups.len()).collect();
            self.order.meet(&all, self.launch.lanes());
            self.count_barrier(first);
            states.fill(State::Ready);
            return Ok(true);
        }
        let mut named: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        for (at, state) in states.iter().enumerate() {
            if let State::Stopped(Stop::Named { id, .. }) = state {
                named.entry(*id).or_default().push(at);
            }
        }
        let mut released = self.end_phases(subgroups, states)?;
        for (id, waiting) in named {
            let State::Stopped(Stop::Named { threads, .. }) = states[waiting[0]] else { continue };
            let arrived = self.arrived.get(&id).map_or(&[][..], Vec::as_slice);
            let come = waiting.iter().map(|&at| i64::from(subgroups[at].launched.count_ones())).sum::<i64>()
                + arrived
                    .iter()
                    .map(|arrived| i64::from(subgroups[arrived.subgroup].launched.count_ones()))
                    .sum::<i64>();
            let asks =
                |at: &&usize| !matches!(states[**at], State::Stopped(Stop::Named { threads: n, .. }) if n == threads);
            let other = waiting.iter().find(asks).copied();
            let odd = arrived.iter().find(|arrived| arrived.threads != threads).map(|arrived| arrived.subgroup);
            if other.is_some() || odd.is_some() || come > threads {
                let message = match other.or(odd) {
                    Some(other) => format!(
                        "subgroup {} waits here for {threads} threads, and subgroup {other} comes to the same barrier for another number",
                        waiting[0]
                    ),
                    None => format!("the barrier is for {threads} threads, and {come} have come to it"),
                };
                let fault = Fault::new(Kind::Barrier, None, message)
                    .help("a barrier takes the number of threads that reach it, the same at each place");
                let first = &subgroups[waiting[0]];
                return Err(self.diag(self.code, first, first.pc - 1, &fault));
            }
            if come == threads {
                let arrived = self.arrived.remove(&id).unwrap_or_default();
                for clocks in self.fenced(subgroups[waiting[0]].pc) {
                    clocks.meet(&waiting);
                }
                self.order.meet(&waiting, self.launch.lanes());
                for arrived in arrived {
                    self.order.tell(arrived.subgroup, &waiting, self.launch.lanes());
                    for (clocks, at) in self.clocks.iter_mut().zip(arrived.at) {
                        clocks.leave(arrived.subgroup, &at, &waiting);
                    }
                }
                self.count_barrier(subgroups[waiting[0]].pc);
                waiting.iter().for_each(|&at| states[at] = State::Ready);
                released = true;
            }
        }
        Ok(released)
    }

    /// A subgroup's lanes are at one place: what they have done to these memories is before what they will do.
    pub(crate) fn resolve(&mut self, subgroup: usize, fences: Fences) {
        self.ordered(fences).for_each(|clocks| clocks.meet(&[subgroup]));
        self.order.meet(&[subgroup], self.launch.lanes());
    }

    /// The memories whose accesses the barrier in front of an instruction orders.
    fn fenced(&mut self, pc: u32) -> impl Iterator<Item = &mut Clocks> {
        let fences = match self.code.insts[pc as usize - 1] {
            Inst::Barrier(fences) | Inst::NamedBarrier { fences, .. } => fences,
            _ => unreachable!("a subgroup waits at a barrier"),
        };
        self.ordered(fences)
    }

    fn ordered(&mut self, fences: Fences) -> impl Iterator<Item = &mut Clocks> {
        let asked = [fences.global, fences.shared];
        self.clocks.iter_mut().zip(asked).filter(|(_, asked)| *asked).map(|(clocks, _)| clocks)
    }

    /// Lets those go on whose phases have ended, as soon as nothing else can happen; whether there were any.
    fn end_phases(&mut self, subgroups: &mut [Subgroup], states: &mut [State]) -> Result<bool, Box<Diag>> {
        let mut released = false;
        for (state, subgroup) in states.iter_mut().zip(&mut *subgroups) {
            let State::Stopped(Stop::Phase { barrier, phase, .. }) = *state else { continue };
            let pc = subgroup.pc;
            phase::resolve(self, subgroup, barrier).map_err(|fault| self.diag(self.code, subgroup, pc, &fault))?;
            if self.phases.get(&barrier).is_some_and(|phases| phases.is_past(phase)) {
                *state = State::Ready;
                released = true;
            }
        }
        if released || states.contains(&State::Ready) {
            return Ok(released);
        }
        let asks = |state: &State| matches!(state, State::Stopped(Stop::Phase { asks: true, .. }));
        for (state, subgroup) in states.iter_mut().zip(subgroups).filter(|(state, _)| asks(state)) {
            subgroup.told = true;
            *state = State::Ready;
            released = true;
        }
        Ok(released)
    }

    fn count_barrier(&mut self, pc: u32) {
        self.counters.barriers += 1;
        if let Some(tally) = self.tallies.get_mut(pc as usize - 1) {
            tally.barriers += 1;
        }
    }

    /// A thread updates an element atomically; see [`crate::order`].
    pub(crate) fn order_by(&mut self, name: (Space, usize), subgroup: usize, lane: usize, acquires: bool) {
        let floors = self.clocks.each_ref().map(|clocks| clocks.floor);
        let stretches = self.clocks.each_mut().map(|clocks| clocks.part(subgroup));
        self.order.update(name, (subgroup, lane, self.launch.lanes()), (floors, stretches), acquires);
    }

    /// A subgroup comes to a barrier without waiting for it.
    pub(crate) fn arrive(&mut self, subgroup: &Subgroup, id: i64, threads: i64) -> Run<()> {
        let at = subgroup.id as usize;
        let stretches = self.clocks.each_mut().map(|clocks| clocks.part(at));
        let arrived = self.arrived.entry(id).or_default();
        arrived.push(Arrived { subgroup: at, threads, at: stretches });
        let come = arrived.len() as i64 * i64::from(self.launch.subgroup_size);
        if come > threads.saturating_add(i64::from(self.launch.subgroup_size) - 1) {
            let message =
                format!("the barrier is for {threads} threads, and {} subgroups have come to it", arrived.len());
            return Err(
                Fault::new(Kind::Barrier, None, message).help("a subgroup comes to a barrier once before it is passed")
            );
        }
        Ok(())
    }

    /// Nobody can go on.
    fn stuck(&self, subgroups: &[Subgroup], states: &[State], waiting: usize) -> Box<Diag> {
        let first = &subgroups[waiting];
        let tell = |kind, message: String, help| {
            let fault = Fault::new(kind, None, message).help(help);
            self.diag(self.code, first, first.pc - 1, &fault)
        };
        if let State::Stopped(Stop::Named { id, threads }) = states[waiting] {
            let here = |state: &&State| matches!(state, State::Stopped(Stop::Named { id: other, .. }) if *other == id);
            let n = states.iter().filter(here).count();
            let message = format!(
                "subgroup {} waits here for {threads} threads, of which {n} subgroups have come, and nobody else will",
                first.id
            );
            return tell(Kind::Deadlock, message, "as many threads as the barrier asks for must come to it");
        }
        let waits = states.iter().zip(subgroups).find_map(|(state, subgroup)| match state {
            State::Stopped(Stop::Phase { barrier, .. }) => Some((subgroup, self.phases.get(barrier)?)),
            _ => None,
        });
        if let Some((subgroup, phases)) = waits {
            let message = format!(
                "subgroup {} waits here for a phase that {}, and nobody else will come",
                subgroup.id,
                phases.lacks()
            );
            let fault = Fault::new(Kind::Deadlock, None, message)
                .help("a phase ends when all that it was made for have come and all expected bytes have arrived");
            return self.diag(self.code, subgroup, subgroup.pc, &fault);
        }
        const HELP: &str = "all threads of a workgroup must reach the same barriers";
        for (other, &state) in subgroups.iter().zip(states) {
            match state {
                State::Stopped(Stop::Barrier) if other.pc == first.pc => {}
                State::Stopped(Stop::Done) => {
                    let message =
                        format!("subgroup {} waits here for subgroup {}, which has finished", first.id, other.id);
                    return tell(Kind::Deadlock, message, HELP);
                }
                State::Stopped(Stop::Barrier | Stop::Named { .. } | Stop::Phase { .. } | Stop::Turn) | State::Ready => {
                    let message = format!(
                        "subgroup {} waits here while subgroup {} waits at another barrier",
                        first.id, other.id
                    );
                    let mut diag = tell(Kind::Barrier, message, HELP);
                    let span = self.ir.span(self.code.ops[other.pc as usize - 1]);
                    *diag = diag.related(span, format!("subgroup {} waits here", other.id));
                    return diag;
                }
            }
        }
        unreachable!("subgroups that wait at one barrier go on")
    }
}
