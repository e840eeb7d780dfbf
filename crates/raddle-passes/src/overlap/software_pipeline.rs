//! Pipeline: let the rounds of a loop overlap, so that what one round waits for is begun rounds before.
//!
//! Before: `for i in 0..T { a(i); b(i) }`
//! After:  `a(0); for i in 0..T-1 { b(i); a(i+1) } b(T-1)` for a schedule `[(b, 1), (a, 0)]`
//!
//! The idea: an operation in stage s does the work of round i at time i + s, and at one time operations run in the order
//! of the schedule. With S the last stage, times 0 to S-1 are the prologue, times S to T-1 are rounds of the new loop,
//! and times T to T-1+S are the epilogue; or the new loop goes on to the end, with a guard on each operation whose round
//! there is not. A value that is used k times later than it is made goes through k arguments of the loop, each a time
//! behind the one before; what the old loop carried from round to round is a value that is used a round later.
//!
//! Does not choose the schedule, and knows nothing of memory: [`crate::beside::shared_memory::order`] asks whether accesses
//! keep their order.

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::{BlockId, Builder, Def, Ir, OpId, Opcode, Type, ValueId, ValueMap};
use rustc_hash::FxHashMap;

/// Each operation of a loop's body, but the last, with its stage, in the order of one round of the new loop.
pub type Schedule = [(OpId, usize)];

/// Where a copy of an operation stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// In front of the loop, at this time.
    Prologue(usize),
    /// In the loop.
    Kernel,
    /// Behind the loop; the first time there is 1.
    Epilogue(usize),
}

/// How to make an operation do nothing in rounds that there are not.
#[derive(Clone, Copy)]
pub struct Guard {
    /// Whether that is necessary.
    pub wanted: fn(&Ir, OpId) -> bool,
    /// Makes an operation of the new loop do nothing where a value is false.
    pub put: fn(&mut Ir, OpId, ValueId),
}

/// What becomes of the last rounds.
#[derive(Clone, Copy)]
pub enum Ending {
    /// They are written out behind the loop.
    Peeled,
    /// The loop runs them, and guards what begins no round any more.
    Guarded(Guard),
    /// The loop runs them, and begins rounds that there are not: these do no harm before their last stage. So the number
    /// of rounds need not be known.
    Beyond,
}

/// Rounds can be counted, with some more behind the last, without a thought of overflow. Nobody waits for so many.
const TRIPS_MAX: i64 = 1 << 60;

/// Stands for a number of rounds that only the run knows.
const OPEN_TRIPS: i64 = 1 << 32;

/// What a loop became.
pub struct Pipelined {
    /// Operations in front of the loop.
    pub prologue: Vec<OpId>,
    /// The loop.
    pub kernel: OpId,
    /// Operations behind the loop.
    pub epilogue: Vec<OpId>,
}

/// The bounds of a loop that has known ones.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// Its first index.
    pub lower: i64,
    /// What its index grows by.
    pub step: i64,
    /// How many rounds it has.
    pub trips: i64,
    /// Whether only the run knows how many; `trips` is then more than there are stages.
    pub is_open: bool,
}

impl Bounds {
    /// The bounds of an `scf.for`, if they are known.
    pub fn of(ir: &Ir, loop_op: OpId) -> Option<Bounds> {
        let number = |i: usize| ir.const_int(ir.operand(loop_op, i));
        let (lower, upper, step) = (number(0)?, number(1)?, number(2)?);
        if step < 1 || ir.attr_id(loop_op, "unsignedCmp").is_some() {
            return None;
        }
        let length = upper.checked_sub(lower)?.max(0);
        let trips = length / step + i64::from(length % step != 0);
        (trips <= TRIPS_MAX).then_some(Bounds { lower, step, trips, is_open: false })
    }

    /// The same; only the run need know where it ends.
    pub fn begun(ir: &Ir, loop_op: OpId) -> Option<Bounds> {
        let number = |i: usize| ir.const_int(ir.operand(loop_op, i));
        if number(1).is_some() || ir.attr_id(loop_op, "unsignedCmp").is_some() {
            return Bounds::of(ir, loop_op);
        }
        let (lower, step) = (number(0)?, number(2).filter(|&step| step > 0)?);
        Some(Bounds { lower, step, trips: OPEN_TRIPS, is_open: true })
    }
}

/// Where a value that an operation of the body uses comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// The index.
    Index,
    /// What the loop carries, by number.
    Carried(usize),
    /// An operation of the body, with its stage and place in the schedule.
    Made { stage: usize, place: usize },
    /// From outside, or from inside of the operation itself.
    Elsewhere,
}

/// What arguments of the new loop bring to later times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// What the old loop carried.
    Carried(usize),
    /// A value of an earlier stage.
    Value(ValueId),
}

struct Plan<'a> {
    loop_op: OpId,
    body: BlockId,
    schedule: &'a Schedule,
    last_stage: usize,
    bounds: Bounds,
    place: FxHashMap<OpId, usize>,
    yields: Vec<ValueId>,
    inits: Vec<ValueId>,
    /// For each value that the old loop carries, the stage that makes it.
    carried_stage: Vec<usize>,
    /// How many times later each value is needed, at most.
    behind: BTreeMap<Key, usize>,
}

/// Pipelines a loop. `None`, and nothing changed, where bounds are not known or too near, or the schedule does not make
/// values before they are used. `note` sees each copy, with what it is a copy of.
pub fn pipeline(
    ir: &mut Ir,
    loop_op: OpId,
    schedule: &Schedule,
    ending: Ending,
    note: &mut dyn FnMut(&mut Ir, OpId, OpId, Part),
) -> Option<Pipelined> {
    let plan = Plan::new(ir, loop_op, schedule, ending)?;
    let mut writer = Writer { plan: &plan, made: FxHashMap::default(), carried: FxHashMap::default() };
    let prologue = writer.prologue(ir, note);
    let kernel = writer.kernel(ir, ending, note);
    let epilogue = match ending {
        Ending::Peeled => writer.epilogue(ir, note),
        Ending::Guarded(_) | Ending::Beyond => Vec::new(),
    };
    for (j, result) in ir.results(loop_op).enumerate() {
        if !ir.is_unused(result) {
            let new = writer.carried_at(j, plan.bounds.trips);
            ir.replace_uses(result, new);
        }
    }
    ir.erase(loop_op);
    Some(Pipelined { prologue, kernel, epilogue })
}

/// Whether a loop can be pipelined by a schedule.
pub fn fits(ir: &Ir, loop_op: OpId, schedule: &Schedule, ending: Ending) -> bool {
    Plan::new(ir, loop_op, schedule, ending).is_some()
}

/// The values that an operation uses, with those that nested operations use.
pub fn used(ir: &Ir, op: OpId) -> BTreeSet<ValueId> {
    let nested = ir.walk(op);
    nested.iter().chain([&op]).flat_map(|&op| ir.operands(op).iter().copied()).collect()
}

impl<'a> Plan<'a> {
    fn new(ir: &Ir, loop_op: OpId, schedule: &'a Schedule, ending: Ending) -> Option<Plan<'a>> {
        let bounds = match ending {
            Ending::Beyond => Bounds::begun(ir, loop_op)?,
            Ending::Peeled | Ending::Guarded(_) => Bounds::of(ir, loop_op)?,
        };
        let body = ir.entry(loop_op);
        let last_stage = schedule.iter().map(|entry| entry.1).max()?;
        let place: FxHashMap<OpId, usize> = schedule.iter().map(|entry| entry.0).zip(0..).collect();
        let last = ir.terminator(body)?;
        let everything = ir.block_ops(body).all(|op| op == last || place.contains_key(&op));
        if bounds.trips <= last_stage as i64 || !everything || place.len() + 1 != ir.ops_of(body).len() {
            return None;
        }
        // The index runs on for as many rounds as there are stages.
        let end = bounds.step.checked_mul(bounds.trips.checked_add(last_stage as i64)?)?.checked_add(bounds.lower)?;
        let width = match ir.ty(ir.operand(loop_op, 0)) {
            Type::Integer { width, .. } => (*width).min(64),
            _ => 64,
        };
        if width < 64 && end >= 1 << (width - 1) {
            return None;
        }
        let mut plan = Plan {
            loop_op,
            body,
            schedule,
            last_stage,
            bounds,
            place,
            yields: ir.operands(last).to_vec(),
            inits: ir.operands(loop_op)[3..].to_vec(),
            carried_stage: Vec::new(),
            behind: BTreeMap::new(),
        };
        for j in 0..plan.yields.len() {
            let stage = match plan.source(ir, plan.yields[j]) {
                Source::Made { stage, .. } => stage,
                // Known all along: as if made where it is first used.
                Source::Elsewhere => plan.first_use(ir, j),
                // Another round's value, or index, would be behind by more than one round.
                Source::Index | Source::Carried(_) => return None,
            };
            plan.carried_stage.push(stage);
        }
        for &(op, stage) in schedule {
            for value in used(ir, op) {
                plan.need(ir, op, stage, value)?;
            }
        }
        // Results leave the new loop when it ends, if they are made by then.
        let end = if matches!(ending, Ending::Peeled) { 1 } else { last_stage + 1 };
        for (j, _) in ir.results(loop_op).enumerate().filter(|(_, result)| !ir.is_unused(*result)) {
            plan.carry(Key::Carried(j), end.saturating_sub(plan.carried_stage[j]));
        }
        Some(plan)
    }

    fn source(&self, ir: &Ir, value: ValueId) -> Source {
        match ir.def(value) {
            Def::Arg { block, index } if block == self.body => match index {
                0 => Source::Index,
                index => Source::Carried(index as usize - 1),
            },
            Def::Result { op, .. } => match self.place.get(&op) {
                Some(&place) => Source::Made { stage: self.schedule[place].1, place },
                None => Source::Elsewhere,
            },
            Def::Arg { .. } => Source::Elsewhere,
        }
    }

    /// The first stage that uses what the loop carries.
    fn first_use(&self, ir: &Ir, j: usize) -> usize {
        let arg = ir.args(self.body)[j + 1];
        let users = self.schedule.iter().filter(|&&(op, _)| used(ir, op).contains(&arg));
        users.map(|entry| entry.1).min().unwrap_or(self.last_stage)
    }

    /// Notes that an operation needs a value; `None` if that is not made by then.
    fn need(&mut self, ir: &Ir, op: OpId, stage: usize, value: ValueId) -> Option<()> {
        let (key, made, place) = match self.source(ir, value) {
            Source::Elsewhere | Source::Index => return Some(()),
            Source::Made { stage: made, place } => (Key::Value(value), made, place),
            Source::Carried(j) => {
                let place = match self.source(ir, self.yields[j]) {
                    Source::Made { place, .. } => place,
                    _ => usize::MAX,
                };
                (Key::Carried(j), self.carried_stage[j], place)
            }
        };
        let later = self.times_later(key, stage, made)?;
        if later == 0 && place >= self.place[&op] {
            return None;
        }
        self.carry(key, later);
        Some(())
    }

    /// How many times after its making a value is used in a stage.
    fn times_later(&self, key: Key, stage: usize, made: usize) -> Option<usize> {
        match key {
            Key::Value(_) => stage.checked_sub(made),
            Key::Carried(_) => (stage + 1).checked_sub(made),
        }
    }

    fn carry(&mut self, key: Key, times: usize) {
        if times > 0 {
            let most = self.behind.entry(key).or_default();
            *most = times.max(*most);
        }
    }

    fn made_stage(&self, ir: &Ir, key: Key) -> usize {
        match key {
            Key::Carried(j) => self.carried_stage[j],
            Key::Value(value) => match self.source(ir, value) {
                Source::Made { stage, .. } => stage,
                _ => unreachable!("only values of the body are carried"),
            },
        }
    }
}

struct Writer<'a> {
    plan: &'a Plan<'a>,
    /// What a value of the body is in a round, where that has a name outside the new loop.
    made: FxHashMap<(ValueId, i64), ValueId>,
    /// The same of what the old loop carried into a round.
    carried: FxHashMap<(usize, i64), ValueId>,
}

impl Writer<'_> {
    fn prologue(&mut self, ir: &mut Ir, note: &mut dyn FnMut(&mut Ir, OpId, OpId, Part)) -> Vec<OpId> {
        let mut copies = Vec::new();
        for time in 0..self.plan.last_stage {
            for &(op, stage) in self.plan.schedule.iter().filter(|entry| entry.1 <= time) {
                let copy = self.copy_round(ir, op, (time - stage) as i64);
                note(ir, op, copy, Part::Prologue(time));
                copies.push(copy);
            }
        }
        copies
    }

    fn epilogue(&mut self, ir: &mut Ir, note: &mut dyn FnMut(&mut Ir, OpId, OpId, Part)) -> Vec<OpId> {
        let mut copies = Vec::new();
        for time in 1..=self.plan.last_stage {
            for &(op, stage) in self.plan.schedule.iter().filter(|entry| entry.1 >= time) {
                let round = self.plan.bounds.trips - 1 + time as i64 - stage as i64;
                let copy = self.copy_round(ir, op, round);
                note(ir, op, copy, Part::Epilogue(time));
                copies.push(copy);
            }
        }
        copies
    }

    /// Copies an operation for a round that is known, in front of the old loop: behind the new one, once that is there.
    fn copy_round(&mut self, ir: &mut Ir, op: OpId, round: i64) -> OpId {
        let before = self.plan.loop_op;
        let mut map = ValueMap::default();
        for value in used(ir, op) {
            let new = match self.plan.source(ir, value) {
                Source::Elsewhere => continue,
                Source::Index => {
                    let Bounds { lower, step, .. } = self.plan.bounds;
                    let ty = ir.type_of(value);
                    Builder::before(ir, before).int(lower + round * step, ty)
                }
                Source::Made { .. } => self.made[&(value, round)],
                Source::Carried(j) => self.carried_at(j, round),
            };
            map.set(value, new);
        }
        let copy = Builder::before(ir, before).copy(op, &mut map);
        for (old, new) in ir.results(op).zip(ir.results(copy)) {
            self.made.insert((old, round), new);
        }
        copy
    }

    /// What the old loop carried into a round; behind the last round, its result.
    fn carried_at(&self, j: usize, round: i64) -> ValueId {
        if round == 0 {
            return self.plan.inits[j];
        }
        if let Some(&value) = self.carried.get(&(j, round)) {
            return value;
        }
        let value = self.plan.yields[j];
        self.made.get(&(value, round - 1)).copied().unwrap_or(value)
    }

    fn kernel(&mut self, ir: &mut Ir, ending: Ending, note: &mut dyn FnMut(&mut Ir, OpId, OpId, Part)) -> OpId {
        let plan = self.plan;
        let last = plan.last_stage as i64;
        let slots: Vec<(Key, usize)> =
            plan.behind.iter().flat_map(|(&key, &times)| (1..=times).map(move |k| (key, k))).collect();
        // The slot k times behind holds, in front of the first round, what time S - k has made.
        let round_of =
            |ir: &Ir, key: Key, k: usize, rounds: i64| last + rounds - k as i64 - plan.made_stage(ir, key) as i64;
        let mut inits = Vec::new();
        for &(key, k) in &slots {
            let round = round_of(ir, key, k, 0);
            inits.push(match key {
                Key::Carried(j) => self.carried_at(j, round + 1),
                Key::Value(value) => self.made[&(value, round)],
            });
        }
        let old = plan.loop_op;
        let (lower, upper, step) = (ir.operand(old, 0), ir.operand(old, 1), ir.operand(old, 2));
        let index_type = ir.type_of(lower);
        let peeled = matches!(ending, Ending::Peeled);
        let ahead = |stage: usize| (plan.last_stage - stage) as i64 * plan.bounds.step;
        let mut builder = Builder::before(ir, old);
        let end = if peeled {
            let distance = builder.int(ahead(0), index_type);
            builder.binary(Opcode::ArithSubi, upper, distance)
        } else {
            upper
        };
        let types: Vec<_> = inits.iter().map(|&init| builder.ir.type_of(init)).collect();
        let operands = [&[lower, end, step], &inits[..]].concat();
        let attrs = builder.ir.attr_dict(old);
        let kernel = builder.ir.create_with(Opcode::ScfFor, &operands, &types, attrs, builder.span);
        builder.place(kernel);
        let region = ir.add_region(kernel);
        let block = ir.add_block(region, &[&[index_type], &types[..]].concat());
        let args = ir.args(block).to_vec();
        let slot = |key: Key, k: usize| {
            let at = slots.iter().position(|&slot| slot == (key, k)).expect("every value that is needed has its slots");
            args[1 + at]
        };
        let mut map = ValueMap::default();
        let mut now: FxHashMap<ValueId, ValueId> = FxHashMap::default();
        let mut indices: FxHashMap<usize, ValueId> = FxHashMap::from_iter([(plan.last_stage, args[0])]);
        let mut guards: FxHashMap<usize, ValueId> = FxHashMap::default();
        let span = ir.span(old);
        for &(op, stage) in plan.schedule {
            for value in used(ir, op) {
                let new = match plan.source(ir, value) {
                    Source::Elsewhere => continue,
                    Source::Index => *indices.entry(stage).or_insert_with(|| {
                        let mut builder = Builder::at_end(ir, block, span);
                        let distance = builder.int(ahead(stage), index_type);
                        builder.binary(Opcode::ArithAddi, args[0], distance)
                    }),
                    Source::Made { stage: made, .. } => match stage - made {
                        0 => now[&value],
                        k => slot(Key::Value(value), k),
                    },
                    Source::Carried(j) => match stage + 1 - plan.carried_stage[j] {
                        0 => now[&plan.yields[j]],
                        k => slot(Key::Carried(j), k),
                    },
                };
                map.set(value, new);
            }
            let copy = Builder::at_end(ir, block, span).copy(op, &mut map);
            now.extend(ir.results(op).zip(ir.results(copy)));
            if let Ending::Guarded(guard) = ending
                && stage < plan.last_stage
                && (guard.wanted)(ir, copy)
            {
                // Whether there is still a round to begin.
                let begins = *guards.entry(stage).or_insert_with(|| {
                    let mut builder = Builder::before(ir, kernel);
                    let distance = builder.int(ahead(stage), index_type);
                    let limit = builder.binary(Opcode::ArithSubi, upper, distance);
                    let mut builder = Builder::before(ir, copy);
                    let i1 = builder.ir.int_type(1);
                    // `slt`
                    let predicate = builder.ir.i64_attr(2);
                    builder.value(Opcode::ArithCmpi, &[args[0], limit], i1, &[("predicate", predicate)])
                });
                (guard.put)(ir, copy, begins);
            }
            note(ir, op, copy, Part::Kernel);
        }
        let next: Vec<ValueId> = slots
            .iter()
            .map(|&(key, k)| match (key, k) {
                (Key::Value(value), 1) => now[&value],
                (Key::Carried(j), 1) => now.get(&plan.yields[j]).copied().unwrap_or(plan.yields[j]),
                (key, k) => slot(key, k - 1),
            })
            .collect();
        Builder::at_end(ir, block, span).op(Opcode::ScfYield, &next, &[], &[]);
        let rounds = plan.bounds.trips - if peeled { last } else { 0 };
        for (&(key, k), result) in slots.iter().zip(ir.results(kernel)) {
            let round = round_of(ir, key, k, rounds);
            match key {
                Key::Value(value) => self.made.insert((value, round), result),
                Key::Carried(j) => self.carried.insert((j, round + 1), result),
            };
        }
        kernel
    }
}
