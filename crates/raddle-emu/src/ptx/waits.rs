//! How lanes, warps and workgroups wait for one another, and what is said where some of them never come.

use raddle_ir::{Code, Diag};

use super::clock::Clock;
use super::inst::{Barrier, Inst, Op, VoteKind};
use super::lane::{LANES, Row};
use super::machine::{Machine, Ran, Stop, lanes_of};
use super::warp::{FULL, State, Warp};

/// A barrier of a workgroup.
#[derive(Clone, Default, Debug)]
pub(super) struct Bar {
    /// Threads that have come, in whole warps.
    come: u32,
    /// How many are wanted, if the instruction says it.
    wanted: Option<u32>,
    /// Warps that have come, each once for each time.
    warps: Vec<usize>,
    /// What these knew.
    known: Clock,
    /// Predicates that hold, and all of them.
    votes: [u32; 2],
}

/// How often a thread is told that its phase still runs while nothing happens, before that counts as a deadlock.
const TELL_MAX: u32 = 64;

impl Machine<'_> {
    /// The lanes that some lanes wait for at an instruction.
    pub(super) fn members(&self, warp: &Warp, inst: &Inst, on: u32) -> u32 {
        match inst.op.members() {
            Some(row) => {
                let row = &warp.regs[row as usize];
                lanes_of(on).fold(0, |all, lane| all | row[lane] as u32)
            }
            None => FULL,
        }
    }

    /// Lanes do together what they do: those that name the same lanes are one set, apart from the others.
    pub(super) fn in_sets(&mut self, warp: &mut Warp, pc: u32, inst: &Inst, on: u32) -> Ran<()> {
        let Some(row) = inst.op.members() else { return self.together(warp, pc, on) };
        let mut left = on;
        while left != 0 {
            let named = &warp.regs[row as usize];
            let first = left.trailing_zeros() as usize;
            let set = named[first] as u32;
            let alike =
                lanes_of(left).filter(|&lane| named[lane] as u32 == set).fold(0, |lanes, lane| lanes | 1 << lane);
            let astray = set & on & !alike;
            if astray != 0 && set >> first & 1 == 1 {
                let other = astray.trailing_zeros() as usize;
                let (set, others) = (crate::fault::lanes(u128::from(set)), named[other] as u32);
                let others = crate::fault::lanes(u128::from(others));
                let message = format!("lane {first} names lanes {set}, and of these lane {other} names lanes {others}");
                let diag = self.tell(warp, pc, first, Code::Undefined, "undefined", &message);
                return Err(Box::new(diag.help("lanes that take part together pass the same mask")));
            }
            self.together(warp, pc, alike)?;
            left &= !alike;
        }
        Ok(())
    }

    /// Lets paths go on that wait for one another at one instruction. Whether there were any.
    pub(super) fn gather(&mut self, warp: &mut Warp) -> Ran<bool> {
        let places: Vec<u32> =
            warp.paths.iter().filter(|path| path.state == State::Gather).map(|path| path.pc).collect();
        for &pc in &places {
            let inst = &self.program.insts[pc as usize];
            let holds = match inst.guard {
                None => FULL,
                Some((row, false)) => warp.holds(row),
                Some((row, true)) => !warp.holds(row),
            };
            let is_barrier = matches!(inst.op, Op::Barrier(_));
            // Paths of which a lane names others that are not here stay, and so do those that wait for them.
            let mut here: Vec<usize> = (0..warp.paths.len())
                .filter(|&at| warp.paths[at].state == State::Gather && warp.paths[at].pc == pc)
                .collect();
            let mut on;
            loop {
                on = here.iter().fold(0, |mask, &at| mask | warp.paths[at].mask) & holds;
                let n = here.len();
                here.retain(|&at| {
                    let lanes = warp.paths[at].mask & holds;
                    let needed = if is_barrier { FULL } else { self.members(warp, inst, lanes) };
                    needed & warp.live & !on == 0
                });
                if here.len() == n {
                    break;
                }
            }
            if here.is_empty() {
                continue;
            }
            if let Op::Barrier(barrier) = &inst.op {
                // The paths stay apart, and come as one.
                let id = warp.regs[barrier.id as usize][on.trailing_zeros() as usize] as u32;
                for &path in &here[1..] {
                    warp.paths[path].state = if barrier.waits { State::Barrier(id) } else { State::Ready };
                    warp.paths[path].pc = pc + 1;
                }
                self.arrive(warp, here[0], pc, on, barrier)?;
                if !barrier.waits {
                    warp.resolve_all();
                }
                warp.merge();
                return Ok(true);
            }
            self.in_sets(warp, pc, inst, on)?;
            for &path in &here {
                warp.paths[path].state = State::Ready;
                warp.paths[path].pc += 1;
            }
            warp.resolve_all();
            warp.merge();
            return Ok(true);
        }
        if self.gather_apart(warp)? {
            return Ok(true);
        }
        // A path at a barrier may still bring others here.
        if warp.paths.iter().any(|path| matches!(path.state, State::Barrier(_))) {
            return Ok(false);
        }
        let come = |warp: &Warp, pc: u32| {
            warp.paths.iter().filter(|path| path.pc == pc).fold(0, |mask, path| mask | path.mask)
        };
        // Those that wait here for lanes which wait for them get these, if they need not come to this place.
        for &pc in &places {
            let inst = &self.program.insts[pc as usize];
            let on = come(warp, pc);
            if inst.op.apart().is_some() && warp.part_joined(self.members(warp, inst, on) & warp.live & !on) {
                return Ok(true);
            }
        }
        let pc = places[0];
        Err(self.diverged(warp, pc, come(warp, pc)))
    }

    /// Lets paths go on that wait for one another in different places. PTX ISA, "shfl.sync" and the like: a thread waits for
    /// those that it names to execute the same instruction with the same qualifiers and lanes; where they do is not said, and
    /// the CUDA programming guide has it in both branches of an `if`. Whether there were any.
    fn gather_apart(&mut self, warp: &mut Warp) -> Ran<bool> {
        let program = self.program;
        let waiting: Vec<usize> = (0..warp.paths.len()).filter(|&at| warp.paths[at].state == State::Gather).collect();
        for &first in &waiting {
            let pc = warp.paths[first].pc;
            let op = &program.insts[pc as usize].op;
            let Some((srcs, dsts)) = op.apart() else { continue };
            let named = |warp: &Warp, at: usize| {
                let inst = &program.insts[warp.paths[at].pc as usize];
                let lanes = warp.paths[at].mask
                    & inst.guard.map_or(FULL, |(row, is_not)| if is_not { !warp.holds(row) } else { warp.holds(row) });
                let row = inst.op.members().map(|row| &warp.regs[row as usize])?;
                let set = row[lanes.trailing_zeros() as usize % LANES] as u32;
                lanes_of(lanes).all(|lane| row[lane] as u32 == set).then_some((lanes, set))
            };
            let Some((own, set)) = named(warp, first) else { continue };
            let others: Vec<(usize, u32)> = waiting
                .iter()
                .filter(|&&at| at != first && program.insts[warp.paths[at].pc as usize].op.is_like(op))
                .filter_map(|&at| named(warp, at).filter(|&(_, other)| other == set).map(|(lanes, _)| (at, lanes)))
                .collect();
            let on = others.iter().fold(own, |all, (_, lanes)| all | lanes);
            if set & warp.live & !on != 0 {
                continue;
            }
            // The others lend their lanes of the first one's registers, and get them back.
            let rows: Vec<u32> = srcs.iter().copied().chain(dsts.iter().flatten().copied()).collect();
            let before: Vec<Row> = rows.iter().map(|&row| warp.regs[row as usize]).collect();
            let mut lent: Vec<Row> = srcs.iter().map(|&row| warp.regs[row as usize]).collect();
            let mut is_clear = true;
            for &(at, lanes) in &others {
                let Some((theirs, _)) = program.insts[warp.paths[at].pc as usize].op.apart() else { continue };
                for (number, (&mine, &row)) in srcs.iter().zip(&theirs).enumerate() {
                    is_clear &= warp.unknown_in(row, lanes).is_none();
                    for lane in lanes_of(lanes) {
                        let value = warp.regs[row as usize][lane];
                        is_clear &= (0..number).all(|at| srcs[at] != mine || lent[at][lane] == value);
                        lent[number][lane] = value;
                    }
                }
            }
            if !is_clear {
                continue;
            }
            srcs.iter().zip(&lent).for_each(|(&row, lent)| warp.regs[row as usize] = *lent);
            self.together(warp, pc, on)?;
            let results: Vec<Option<Row>> = dsts.iter().map(|dst| dst.map(|row| warp.regs[row as usize])).collect();
            for &(at, lanes) in &others {
                rows.iter().zip(&before).for_each(|(&row, before)| warp.put(row, lanes, before));
                let Some((_, theirs)) = program.insts[warp.paths[at].pc as usize].op.apart() else { continue };
                for (&row, result) in theirs.iter().zip(&results) {
                    if let (Some(row), Some(result)) = (row, result) {
                        warp.put(row, lanes, result);
                        warp.set_unknown(row, lanes, None);
                    }
                }
            }
            for at in others.iter().map(|&(at, _)| at).chain([first]) {
                warp.paths[at].state = State::Ready;
                warp.paths[at].pc += 1;
            }
            warp.resolve_all();
            return Ok(true);
        }
        Ok(false)
    }

    pub(super) fn diverged(&self, warp: &Warp, pc: u32, on: u32) -> Box<Diag> {
        let named = self.members(warp, &self.program.insts[pc as usize], on) & warp.live & !on;
        let missing = if named != 0 { named } else { warp.live & !on };
        let message = format!(
            "lanes {} wait here for lanes {}, which do not come",
            crate::fault::lanes(u128::from(on)),
            crate::fault::lanes(u128::from(missing)),
        );
        let lane = on.trailing_zeros() as usize;
        let diag = self.tell(warp, pc, lane, Code::Divergent, "barrier", &message);
        Box::new(diag.help(match self.program.insts[pc as usize].op {
            Op::Barrier(_) => {
                "all lanes of a warp come to a barrier together: let none go around it, or leave a loop before"
            }
            _ => "all lanes that the instruction names must come to it together",
        }))
    }

    /// A warp comes to a barrier with all of its lanes.
    pub(super) fn arrive(&mut self, warp: &mut Warp, path: usize, pc: u32, on: u32, barrier: &Barrier) -> Ran<Stop> {
        let lane = on.trailing_zeros() as usize;
        let id = warp.regs[barrier.id as usize][lane];
        let bad = |this: &Self, message: &str| Err(this.tell(warp, pc, lane, Code::Undefined, "undefined", message));
        if id >= 16 {
            return bad(self, &format!("there is no barrier {id}: their numbers are 0 to 15"));
        }
        let wanted = barrier.threads.map(|row| warp.regs[row as usize][lane] as u32);
        if let Some(wanted) = wanted
            && (wanted == 0 || !wanted.is_multiple_of(LANES as u32))
        {
            return bad(self, &format!("a barrier is for whole warps, not for {wanted} threads"));
        }
        let bar = &self.bars[warp.rank][id as usize];
        if bar.come > 0 && bar.wanted != wanted {
            let [now, before] = [wanted, bar.wanted].map(|n| n.map_or("all".to_owned(), |n| n.to_string()));
            return bad(
                self,
                &format!("barrier {id} is for {now} threads here, and for {before} where others came to it"),
            );
        }
        let votes = barrier.reduce.map(|(_, pred, _)| (warp.holds(pred) & on).count_ones());
        let bar = &mut self.bars[warp.rank][id as usize];
        bar.wanted = wanted;
        bar.come += LANES as u32;
        bar.warps.push(warp.index);
        bar.known.release(&warp.known, warp.index, warp.now);
        self.events += 1;
        if let Some(votes) = votes {
            bar.votes[0] += votes;
            bar.votes[1] += on.count_ones();
        }
        warp.paths[path].pc = pc + 1;
        if barrier.waits {
            warp.paths[path].state = State::Barrier(id as u32);
        } else {
            // What it does from here on is not known to those that wait.
            warp.now = self.tick()?;
            warp.paths[path].state = State::Ready;
            warp.resolve(path);
        }
        Ok(Stop::Waits)
    }

    /// Threads come to the barrier of their cluster; those that do not release anything say so.
    pub(super) fn cluster_arrive(&mut self, warp: &mut Warp, pc: u32, on: u32, releases: bool) -> Ran<()> {
        let (mask, times) = &mut warp.gathered;
        if *mask & on != 0 {
            let lane = (*mask & on).trailing_zeros() as usize;
            let message = "the thread comes to the barrier of the cluster twice before all others have come";
            return Err(self.tell(warp, pc, lane, Code::Undefined, "undefined", message));
        }
        *mask |= on;
        *times = self.gathered.1 + 1;
        self.events += 1;
        if releases {
            // A fence for barriers that were made is a part of a release for the cluster.
            warp.known.show(warp.index, warp.now);
            self.gathered.0.release(&warp.known, warp.index, warp.now);
            warp.now = self.tick()?;
        } else {
            self.gathered.0.join_made(&warp.known);
        }
        Ok(())
    }

    /// What a path that waits for the barrier of its cluster waits for.
    pub(super) fn cluster_wait(&mut self, warp: &mut Warp, pc: u32, on: u32) -> Ran<State> {
        let (mask, times) = warp.gathered;
        // No thread of the subgroup has come yet where there was no time.
        if times != 0 && (times <= self.gathered.1 || mask & on == on) {
            return Ok(State::Cluster(times));
        }
        let lane = (on & !mask).trailing_zeros() as usize;
        let message = "the thread waits for the barrier of the cluster without having come to it";
        Err(self.tell(warp, pc, lane, Code::Undefined, "undefined", message))
    }

    /// Lets threads of the cluster go on when all have come to its barrier. Whether there were any.
    pub(super) fn pass_cluster(&mut self, warps: &mut [Warp]) -> Ran<bool> {
        let any = warps.iter().any(|warp| warp.gathered.0 != 0);
        if any && warps.iter().all(|warp| warp.live & !warp.gathered.0 == 0) {
            warps.iter_mut().for_each(|warp| warp.gathered.0 = 0);
            self.gathered.1 += 1;
            self.counters.barriers += 1;
        }
        let mut passed = false;
        for warp in warps {
            let times = self.gathered.1;
            let waits = |path: &super::warp::Path| matches!(path.state, State::Cluster(time) if time <= times);
            if !warp.paths.iter().any(waits) {
                continue;
            }
            passed = true;
            warp.known.join(&self.gathered.0);
            warp.now = self.tick()?;
            for path in (0..warp.paths.len()).rev() {
                if waits(&warp.paths[path]) {
                    warp.paths[path].state = State::Ready;
                }
                warp.resolve(path);
            }
        }
        Ok(passed)
    }

    /// Lets groups of warps go on that have waited for their products: what one of them read, the product has. Whether
    /// there were any.
    pub(super) fn pass_products(&mut self, warps: &mut [Warp]) -> Ran<bool> {
        let mut passed = false;
        for warps in warps.chunks_mut(self.shape.n_warps()).flat_map(|workgroup| workgroup.chunks_mut(4)) {
            let waits = |warp: &Warp| warp.paths.iter().any(|path| path.state == State::Products);
            if !warps.iter().any(waits) || !warps.iter().all(|warp| warp.is_done() || waits(warp)) {
                continue;
            }
            passed = true;
            let read: Vec<(usize, u32)> = warps.iter().map(|warp| (warp.index, warp.now)).collect();
            for warp in warps {
                for &(other, now) in &read {
                    warp.known.read[other] = warp.known.read[other].max(now);
                }
                warp.now = self.tick()?;
                for path in (0..warp.paths.len()).rev() {
                    if warp.paths[path].state == State::Products {
                        warp.paths[path].state = State::Ready;
                    }
                    warp.resolve(path);
                }
            }
        }
        Ok(passed)
    }

    /// Lets threads go on whose phase has ended. Whether there were any.
    pub(super) fn pass_phases(&mut self, warps: &mut [Warp]) -> bool {
        let mut passed = false;
        for path in warps.iter_mut().flat_map(|warp| &mut warp.paths) {
            if let State::Phase(rank, offset, phase) = path.state
                && self.phases.running(rank, offset) != Some(phase)
            {
                path.state = State::Ready;
                passed = true;
            }
        }
        passed
    }

    /// Tells threads that wait for phases that these still run. Whether there are any, and something has happened
    /// since they heard it many times.
    pub(super) fn tell_waiting(&mut self, warps: &mut [Warp]) -> bool {
        let (times, events) = self.told;
        self.told = if events == self.events { (times + 1, events) } else { (0, self.events) };
        let mut any = false;
        for path in warps.iter_mut().flat_map(|warp| &mut warp.paths) {
            if matches!(path.state, State::Phase(..)) && self.told.0 < TELL_MAX {
                path.state = State::Ready;
                path.told = true;
                any = true;
            }
        }
        any
    }

    /// Threads end: the last one of a workgroup closes its memory.
    pub(super) fn end_threads(&mut self, warp: &mut Warp, pc: u32, lanes: u32) -> Ran<()> {
        self.events += 1;
        self.end_stores(warp, pc, lanes)?;
        let (n_live, known) = &mut self.live[warp.rank];
        *n_live -= lanes.count_ones();
        if self.memory.shared.len() == 1 {
            return Ok(());
        }
        known.release(&warp.known, warp.index, warp.now);
        if *n_live == 0 {
            let memory = &mut self.memory.shared[warp.rank];
            memory.closed = true;
            let threads = (self.shape.n_warps() * LANES) as u32;
            let own = warp.rank as u32 * threads..(warp.rank as u32 + 1) * threads;
            if let Some(other) = memory.visit(own, self.start, known) {
                let who = self.thread_name((other.thread() / threads) as usize, other.thread() % threads);
                let message = format!("the workgroup may end before {who} has used its shared memory");
                let diag = self.tell(warp, pc, lanes.trailing_zeros() as usize, Code::Race, "race", &message);
                let at = other.pc().and_then(|pc| self.program.insts.get(pc));
                let diag = match at {
                    Some(inst) => diag.related(inst.span, "the access"),
                    None => *diag,
                };
                return Err(Box::new(diag.help("let all workgroups of a cluster meet at its barrier before they end")));
            }
        }
        Ok(())
    }

    /// Lets warps go on whose barriers are complete. Whether there were any.
    pub(super) fn pass_barriers(&mut self, warps: &mut [Warp]) -> Ran<bool> {
        let mut passed = false;
        for rank in 0..self.bars.len() {
            let n_live = warps.iter().filter(|warp| warp.rank == rank && !warp.is_done()).count() as u32;
            for id in 0..16 {
                let bar = &self.bars[rank][id];
                if bar.come == 0 || bar.come < bar.wanted.unwrap_or(n_live * LANES as u32) {
                    continue;
                }
                let bar = std::mem::take(&mut self.bars[rank][id]);
                self.counters.barriers += 1;
                let stamp = self.tick()?;
                for &at in &bar.warps {
                    let warp = &mut warps[at];
                    let waits = State::Barrier(id as u32);
                    if !warp.paths.iter().any(|path| path.state == waits) {
                        continue;
                    }
                    warp.known.join(&bar.known);
                    warp.now = stamp;
                    for path in 0..warp.paths.len() {
                        if warp.paths[path].state != waits {
                            continue;
                        }
                        warp.paths[path].state = State::Ready;
                        let pc = warp.paths[path].pc as usize - 1;
                        if let Op::Barrier(barrier) = &self.program.insts[pc].op
                            && let Some((dst, _, kind)) = barrier.reduce
                        {
                            let [yes, all] = bar.votes;
                            let value = match kind {
                                VoteKind::All => u64::from(yes == all),
                                VoteKind::Any => u64::from(yes > 0),
                                VoteKind::Uniform => u64::from(yes == 0 || yes == all),
                                VoteKind::Ballot => u64::from(yes),
                            };
                            debug_assert!(barrier.counts == (kind == VoteKind::Ballot), "a count is not a vote");
                            let mask = warp.paths[path].mask;
                            warp.put(dst, mask, &[value; LANES]);
                        }
                    }
                    for path in (0..warp.paths.len()).rev() {
                        warp.resolve(path);
                    }
                }
                passed = true;
            }
        }
        Ok(passed)
    }

    /// Nobody can go on.
    pub(super) fn stuck(&self, warps: &[Warp]) -> Box<Diag> {
        let waiting = warps.iter().find_map(|warp| Some((warp, warp.paths.first()?)));
        let Some((warp, path)) = waiting else {
            unreachable!("a cluster in which nothing waits has ended");
        };
        let (pc, lane) = (path.pc, path.mask.trailing_zeros() as usize);
        if let State::Barrier(id) = path.state {
            let bar = &self.bars[warp.rank][id as usize];
            let lanes = path.mask;
            if lanes != warp.live {
                return self.diverged(warp, pc - 1, lanes);
            }
            let wanted = match bar.wanted {
                Some(wanted) => format!("{wanted} threads"),
                None => "all threads of the workgroup".to_owned(),
            };
            let n = bar.warps.len();
            let elsewhere =
                warps.iter().filter(|other| other.rank == warp.rank && !other.is_done()).find_map(|other| {
                    let path = other.paths.first()?;
                    (path.state != State::Barrier(id))
                        .then(|| self.program.insts[(path.pc as usize).saturating_sub(1)].span)
                });
            let message = format!("barrier {id} waits for {wanted}; {n} warps have come, and nobody else will");
            let mut diag = self.tell(warp, pc - 1, lane, Code::Deadlock, "deadlock", &message);
            if let Some(span) = elsewhere {
                *diag = diag.related(span, "other warps wait here");
            }
            return Box::new(diag.help("all threads that a barrier is for must come to it"));
        }
        match path.state {
            State::Phase(rank, offset, _) => {
                let lacks = self.phases.lacks(rank, offset);
                let message = format!("the barrier at byte {offset} of shared memory {lacks}, and nobody else will");
                let diag = self.tell(warp, pc, lane, Code::Deadlock, "deadlock", &message);
                Box::new(diag.help("all arrivals and bytes that a phase expects must come, and waits name its parity"))
            }
            State::Cluster(_) => {
                let message = "the barrier of the cluster waits for threads that will not come to it";
                let diag = self.tell(warp, pc - 1, lane, Code::Deadlock, "deadlock", message);
                Box::new(diag.help("all threads of a cluster must come to its barrier"))
            }
            State::Products => {
                let message = "the warps of a group wait for a product that not all four of them wait for";
                self.tell(warp, pc - 1, lane, Code::Deadlock, "deadlock", message)
            }
            State::Ready | State::Gather | State::Barrier(_) => self.diverged(warp, pc, path.mask),
        }
    }
}
