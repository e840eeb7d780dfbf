//! Changes of layout between threads, by the cheapest plan for the chip.
//!
//! Before: `%b = iree_vector_ext.to_layout %a to layout(#L) {layouts = [#L]} : vector<32x32xf16>`
//! After: what the plan says: moves between registers, selects, shuffles of whole words, or shared memory whose
//! elements are swizzled so that neither side waits for a bank.
//!
//! The planner thinks in slots, one for each element of a thread, and so does this module: a part becomes the list of its
//! slots, each step makes another list of it, and the last list becomes the part. Conversions that follow one another
//! and go through memory share their barriers.

use std::sync::Arc;

use raddle_ir::affine::BinOp;
use raddle_ir::{Attr, Builder, Code, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, TypeId, ValueId};
use raddle_layout::plan::{
    Access, Exchange, Form, Machine, OfPlace, Offsets, Plan, PlanError, Scope, Shuffle, Side, Step, plan,
};
use raddle_layout::{Layout, LayoutError, Nested};

use super::addresses::{self, Addresses};
use super::{Cx, buffers, differ, layout, memory, place, refuse, rows, threads};
use crate::code;
use crate::config::Launch;
use crate::facts::Facts;
use crate::lay_out::{instruction, is_conversion, layout_of, seed};

/// The changes of layout between threads that `ops` starts with and that do not wait for one another.
pub fn conversions<'o>(ir: &Ir, ops: &'o [OpId]) -> &'o [OpId] {
    let mut n = 0;
    while n < ops.len() && is_conversion(ir, ops[n]) {
        let source = ir.def_op(ir.operand(ops[n], 0));
        if source.is_some_and(|source| ops[..n].contains(&source)) {
            break;
        }
        n += 1;
    }
    &ops[..n]
}

/// Where no numbering of lanes describes both layouts of a conversion, puts a layout between them that each describes.
/// Lanes of one start anew in each subgroup, in a number that does not divide it; lanes of the other go on in the next.
pub fn bridge(ir: &mut Ir, func: OpId, launch: Launch) {
    for op in ir.walk(func) {
        if !is_conversion(ir, op) {
            continue;
        }
        let [Some(from), Some(to)] = [ir.operand(op, 0), ir.result(op, 0)].map(|value| layout_of(ir, value)) else {
            continue;
        };
        let launch = launch.at(ir, op);
        let shared = launch.shared_by([from, to]);
        if core(from, shared).is_ok() && core(to, shared).is_ok() {
            continue;
        }
        let between = seed::spread(&to.undistributed_shape(), 1, launch);
        let (value, ty) = (ir.operand(op, 0), ir.type_of(ir.result(op, 0)));
        let layout = ir.intern(Attr::Layout(between.into()));
        let layouts = ir.intern(Attr::Array(vec![layout]));
        let attrs = [("layout", layout), ("layouts", layouts)];
        let held = Builder::before(ir, op).value(Opcode::IreeVectorExtToLayout, &[value], ty, &attrs);
        ir.set_operand(op, 0, held);
    }
}

/// How one value changes its layout.
struct Conversion {
    op: OpId,
    from: Arc<Nested>,
    to: Arc<Nested>,
    /// The type in which elements travel: at least a byte.
    elem: TypeId,
    plan: Plan,
    /// Where elements meet.
    buffer: Option<ValueId>,
}

/// What is left to do of a conversion when everyone has written.
struct Rest<'p> {
    exchange: &'p Exchange,
    buffer: ValueId,
    behind: &'p [Step],
}

/// Changes layouts: whatever needs no memory at once, then all writes, a barrier, all reads. Returns how many of the
/// operations there was memory for.
pub fn convert(builder: &mut Builder<'_>, cx: &mut Cx<'_>, ops: &[OpId]) -> Result<usize, Diag> {
    let mut all = Vec::new();
    for &op in ops {
        builder.span = builder.ir.span(op);
        match Conversion::of(builder, cx, op) {
            Ok(conversion) => all.push(conversion),
            Err(_) if !all.is_empty() => break,
            Err(diag) => return Err(diag),
        }
    }
    let (together, alone): (Vec<&Conversion>, Vec<&Conversion>) = all.iter().partition(|c| c.n_rounds() == 1);
    for conversion in all.iter().filter(|conversion| conversion.n_rounds() == 0) {
        conversion.alone(builder, cx);
    }
    if !together.is_empty() {
        meet_again(builder, cx);
        let mut rests = Vec::new();
        for &conversion in &together {
            builder.span = builder.ir.span(conversion.op);
            if let Some(buffer) = conversion.buffer {
                let rest = conversion.write(builder, cx, buffer)?;
                rests.extend(rest.map(|rest| (conversion, rest)));
            }
        }
        let scope = if rests.iter().all(|(_, rest)| rest.exchange.scope == Scope::Subgroup) {
            Scope::Subgroup
        } else {
            Scope::Workgroup
        };
        wait(builder, cx, scope);
        for (conversion, rest) in rests {
            builder.span = builder.ir.span(conversion.op);
            conversion.read(builder, cx, rest);
        }
    }
    for &conversion in alone.iter().filter(|conversion| conversion.n_rounds() > 1) {
        builder.span = builder.ir.span(conversion.op);
        conversion.in_rounds(builder, cx)?;
    }
    Ok(all.len())
}

/// Makes those wait who exchange something. Subgroups that have memory of their own do not wait for one another.
fn wait(builder: &mut Builder<'_>, cx: &mut Cx<'_>, scope: Scope) {
    match scope {
        Scope::Workgroup => cx.barrier(builder),
        Scope::Subgroup => {
            let scope = builder.keyword_attr("gpu.barrier_scope", "subgroup");
            builder.op(Opcode::GpuBarrier, &[], &[], &[("scope", scope)]);
        }
    }
}

/// In a loop, the last round's reads must be done before the buffers are written again.
fn meet_again(builder: &mut Builder<'_>, cx: &mut Cx<'_>) {
    if cx.depth > 0 {
        cx.barrier(builder);
    }
}

impl Conversion {
    fn of(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<Conversion, Diag> {
        let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
        let (from, to) = (layout(builder.ir, op, source)?, layout(builder.ir, op, result)?);
        let elem = builder.ir.elem_of(source);
        let elem = memory::carrier(builder.ir, elem)
            .ok_or_else(|| refuse(builder.ir, op, "its elements are of a type that cannot change threads"))?;
        let bytes = Scalar::of(&builder.ir[elem]).map_or(1, |scalar| scalar.bytes() as i64);
        let [shared_bytes, shared_bytes_beside] = buffers::free_bytes(builder.ir, cx, elem);
        let plan = steps(cx, op, [&from, &to], bytes, shared_bytes_beside);
        let plan = plan.or_else(|_| steps(cx, op, [&from, &to], bytes, shared_bytes));
        let plan = plan.or_else(|_| steps(cx, op, [&from, &to], bytes, buffers::left_in_need(cx)));
        let plan = match plan {
            Ok(plan) if addresses::are_known(&plan) => Ok(plan),
            Ok(_) => Err("its elements lie in memory in an order that has no addresses".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        let plan = plan.map_err(|why| differ(refuse(builder.ir, op, why), &from, &to, cx.launch))?;
        let mut conversion = Conversion { op, from, to, elem, plan, buffer: None };
        if let Some((_, exchange, _)) = conversion.split() {
            let taken = buffers::take(builder, cx, op, &[size(cx, exchange)], elem);
            let taken = taken.map_err(|diag| differ(diag, &conversion.from, &conversion.to, cx.launch))?;
            conversion.buffer = Some(taken);
        }
        let remark = Diag::error(Code::LayoutChoice, builder.ir.span(op), conversion.told()).as_remark();
        cx.facts.remarks.borrow_mut().push(remark);
        Ok(conversion)
    }

    /// The way in words.
    fn told(&self) -> String {
        let Plan { way, cost, .. } = &self.plan;
        match self.n_rounds() {
            0 | 1 => format!("this conversion goes by {way}: {cost}"),
            n => format!("this conversion goes by {way} in {n} rounds: {cost}"),
        }
    }

    /// The steps before the exchange, the exchange, and the steps behind it.
    fn split(&self) -> Option<(&[Step], &Exchange, &[Step])> {
        let steps = &self.plan.steps;
        let at = steps.iter().position(|step| matches!(step, Step::Exchange(_)))?;
        let Step::Exchange(exchange) = &steps[at] else { return None };
        Some((&steps[..at], exchange, &steps[at + 1..]))
    }

    /// How often everyone writes and reads.
    fn n_rounds(&self) -> usize {
        self.split().map_or(0, |(_, exchange, _)| exchange.rounds)
    }

    /// The slots of the source.
    fn slots(&self, builder: &mut Builder<'_>, cx: &Cx<'_>) -> Vec<ValueId> {
        let part = cx.part(builder.ir.operand(self.op, 0));
        let part = memory::carried(builder, part, self.elem);
        elements(builder, part)
    }

    /// Enters the slots of the result.
    fn finish(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>, slots: &[ValueId]) {
        let part = vector(builder, slots);
        let part = builder.shape_cast(part, &self.to.distributed_shape());
        let result = builder.ir.result(self.op, 0);
        let elem = builder.ir.elem_of(result);
        let part = memory::uncarried(builder, part, elem);
        cx.map.set(result, part);
    }

    /// Without an exchange.
    fn alone(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>) {
        builder.span = builder.ir.span(self.op);
        let slots = self.slots(builder, cx);
        let slots = take(builder, cx, &self.plan.steps, slots, self.per_word(builder.ir));
        self.finish(builder, cx, &slots);
    }

    /// Elements of a word of 32 bits.
    fn per_word(&self, ir: &Ir) -> usize {
        let bytes = Scalar::of(&ir[self.elem]).map_or(4, Scalar::bytes);
        (4 / bytes.max(1)).max(1)
    }

    /// The slots in the order of the registers that they are used from, where nothing moves them behind the exchange.
    fn register_order(&self, ir: &Ir, cx: &Cx<'_>, behind: &[Step]) -> Option<Vec<usize>> {
        if !behind.is_empty() {
            return None;
        }
        instruction::register_order(ir, ir.result(self.op, 0), cx.facts.chip)
    }

    fn write(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>, buffer: ValueId) -> Result<Option<Rest<'_>>, Diag> {
        let Some((before, exchange, behind)) = self.split() else { return Ok(None) };
        let slots = self.slots(builder, cx);
        let slots = take(builder, cx, before, slots, self.per_word(builder.ir));
        let writer = self.writer(builder, cx, &exchange.store)?;
        store(builder, cx, exchange, buffer, &slots, Turn { round: 0, writer });
        Ok(Some(Rest { exchange, buffer, behind }))
    }

    /// Of several threads that hold the same, one writes.
    fn writer(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>, side: &Side) -> Result<Option<ValueId>, Diag> {
        if let Offsets::Digits { .. } = side.offsets {
            return threads::is_writer(builder, cx, &self.from).map_err(|why| refuse(builder.ir, self.op, why));
        }
        let without = |bits: u64, n: usize| (0..n).map(|bit| bits & 1 << bit).collect::<Vec<u64>>();
        let idle = OfPlace {
            lane: without(side.lanes_without, side.only.lane.len()),
            subgroup: without(side.subgroups_without, side.only.subgroup.len()),
        };
        // A subgroup's bits are beside a lane's, so that one number tells both.
        let shifted = idle.subgroup.iter().map(|image| image << idle.lane.len()).collect();
        let idle = place::images(cx, &OfPlace { subgroup: shifted, ..idle });
        Ok((!idle.is_empty()).then(|| place::is(builder, cx, &idle, 0)))
    }

    fn read(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>, Rest { exchange, buffer, behind }: Rest<'_>) {
        let mut slots = vec![None; exchange.n_slots];
        let order = self.register_order(builder.ir, cx, behind);
        load(builder, cx, exchange, buffer, &mut slots, Part { round: 0, order: order.as_deref() });
        let slots = slots.into_iter().map(|slot| slot.expect("every slot is loaded")).collect();
        let slots = take(builder, cx, behind, slots, self.per_word(builder.ir));
        self.finish(builder, cx, &slots);
    }

    /// Through memory that holds a part of the value at a time.
    fn in_rounds(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>) -> Result<(), Diag> {
        let Some(buffer) = self.buffer else { return Ok(()) };
        let Some((before, exchange, behind)) = self.split() else { return Ok(()) };
        let slots = self.slots(builder, cx);
        let given = take(builder, cx, before, slots, self.per_word(builder.ir));
        let mut slots = vec![None; exchange.n_slots];
        let writer = self.writer(builder, cx, &exchange.store)?;
        let order = self.register_order(builder.ir, cx, behind);
        for round in 0..exchange.rounds {
            if round > 0 {
                wait(builder, cx, exchange.scope);
            } else {
                meet_again(builder, cx);
            }
            store(builder, cx, exchange, buffer, &given, Turn { round, writer });
            wait(builder, cx, exchange.scope);
            load(builder, cx, exchange, buffer, &mut slots, Part { round, order: order.as_deref() });
        }
        let slots = slots.into_iter().map(|slot| slot.expect("every slot is loaded in some round")).collect();
        let slots = take(builder, cx, behind, slots, self.per_word(builder.ir));
        self.finish(builder, cx, &slots);
        Ok(())
    }
}

/// The cheapest plan.
fn steps(cx: &Cx<'_>, op: OpId, [from, to]: [&Nested; 2], bytes: i64, shared_bytes: i64) -> Result<Plan, PlanError> {
    let launch = cx.launch.shared_by([from, to]);
    let (mut source, target) = (core(from, launch)?, core(to, launch)?);
    if let Some(numbering) = cx.numberings.get(&op) {
        source = source.with_swizzle(numbering)?;
    }
    let machine = Machine { shared_bytes_max: shared_bytes, ..machine(cx.launch, cx.facts) };
    plan(&source, &target, 8 * bytes, &machine)
}

/// A layout as the planner takes it.
pub fn core(layout: &Nested, launch: Launch) -> Result<Layout, LayoutError> {
    Layout::from_nested(layout, launch.workgroup_size / launch.subgroup_size, launch.subgroup_size)
}

/// What the chip has that operations stand for.
pub fn machine(launch: Launch, facts: &Facts) -> Machine {
    let mut machine = facts.chip.machine(launch.subgroup_size);
    // No operation stands for a transposition between registers.
    machine.matrix_transpose = false;
    machine
}

/// Whether a plan goes through memory in another way than a linear map.
pub fn has_digits(plan: &Plan) -> bool {
    plan.steps.iter().any(|step| match step {
        Step::Exchange(exchange) => matches!(exchange.store.offsets, Offsets::Digits { .. }),
        Step::Slots { .. } | Step::Turn { .. } | Step::Shuffle(_) | Step::Transpose { .. } => false,
    })
}

/// A vector's elements, row-major.
pub fn elements(builder: &mut Builder<'_>, vector: ValueId) -> Vec<ValueId> {
    let n = builder.ir.shape_of(vector).iter().product::<i64>();
    let elem = builder.ir.elem_of(vector);
    let op = builder.op(Opcode::VectorToElements, &[vector], &vec![elem; n as usize], &[]);
    builder.ir.results(op).collect()
}

/// A vector of one dimension.
pub fn vector(builder: &mut Builder<'_>, elements: &[ValueId]) -> ValueId {
    let elem = builder.ir.type_of(elements[0]);
    let ty = builder.ir.vector_type(&[elements.len() as i64], elem);
    builder.value(Opcode::VectorFromElements, elements, ty, &[])
}

/// Takes steps that stay in a subgroup.
fn take(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    steps: &[Step],
    slots: Vec<ValueId>,
    per_word: usize,
) -> Vec<ValueId> {
    steps.iter().fold(slots, |slots, step| match step {
        Step::Slots { from } => from.iter().map(|&slot| slots[slot]).collect(),
        Step::Turn { by } => turn(builder, cx, slots, by, per_word),
        Step::Shuffle(rounds) => shuffle(builder, cx, &slots, rounds, per_word),
        Step::Transpose { .. } | Step::Exchange(_) => {
            unreachable!("the machine has no transpositions, and exchanges come alone")
        }
    })
}

/// New slot `i` is old slot `i ^ by`: a select for each bit of freedom that `by` has.
fn turn(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    mut slots: Vec<ValueId>,
    by: &OfPlace,
    per_word: usize,
) -> Vec<ValueId> {
    let images = place::images(cx, by);
    for (vector, parity) in place::factors(&images) {
        let condition = place::is(builder, cx, &parity, 1);
        let vector = vector as usize;
        // Words that are chosen as wholes are chosen at once.
        let width = if vector.is_multiple_of(per_word) && slots.len().is_multiple_of(per_word) { per_word } else { 1 };
        let mut turned = Vec::with_capacity(slots.len());
        for first in (0..slots.len()).step_by(width) {
            let (here, there) = (&slots[first..first + width], &slots[first ^ vector..][..width]);
            turned.extend(select(builder, condition, there, here));
        }
        slots = turned;
    }
    slots
}

/// One of two words.
pub fn select(builder: &mut Builder<'_>, condition: ValueId, yes: &[ValueId], no: &[ValueId]) -> Vec<ValueId> {
    if yes == no {
        return yes.to_vec();
    }
    let [yes, no] = [yes, no].map(|word| packed(builder, word));
    let ty = builder.ir.type_of(yes);
    let word = builder.value(Opcode::ArithSelect, &[condition, yes, no], ty, &[]);
    unpacked(builder, word)
}

/// The elements of a word as one value: a vector, unless there is only one.
fn packed(builder: &mut Builder<'_>, word: &[ValueId]) -> ValueId {
    if let &[one] = word { one } else { vector(builder, word) }
}

fn unpacked(builder: &mut Builder<'_>, word: ValueId) -> Vec<ValueId> {
    if builder.ir.ty(word).is_vector() { elements(builder, word) } else { vec![word] }
}

/// Rounds in which each lane offers one word and takes one.
fn shuffle(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    slots: &[ValueId],
    rounds: &Shuffle,
    per_word: usize,
) -> Vec<ValueId> {
    let slots = turn(builder, cx, slots.to_vec(), &rounds.send, per_word);
    let from = place::images(cx, &rounds.from);
    // Where lanes take from those at a distance (by xor), the instruction computes the lane.
    let n_bits = cx.launch.subgroup_size.ilog2() as usize;
    let by_distance = from.iter().copied().eq((0..n_bits).map(|bit| 1 << bit));
    let only = place::images(cx, &rounds.only);
    let word = builder.ir.int_type(32);
    let width = builder.int(cx.launch.subgroup_size, word);
    let mut result: Vec<Option<ValueId>> = vec![None; rounds.n_slots];
    for round in &rounds.rounds {
        let offered: Vec<ValueId> = (0..rounds.width).map(|index| slots[round.send as usize ^ index]).collect();
        let taken = if round.stays {
            offered
        } else {
            let (mode, lane) = if by_distance {
                ("xor", builder.int(round.from as i64, word))
            } else {
                let lane = place::value(builder, cx, &from, round.from);
                ("idx", builder.value(Opcode::ArithIndexCast, &[lane], word, &[]))
            };
            let offered = packed(builder, &offered);
            let mode = builder.keyword_attr("gpu.shuffle_mode", mode);
            let taken = code::travelling(builder, offered, |builder, offered| {
                let (ty, bit) = (builder.ir.type_of(offered), builder.ir.int_type(1));
                let op = builder.op(Opcode::GpuShuffle, &[offered, lane, width], &[ty, bit], &[("mode", mode)]);
                builder.ir.result(op, 0)
            });
            unpacked(builder, taken)
        };
        let place = |index: usize| round.receive as usize ^ index;
        let before: Option<Vec<ValueId>> = (0..rounds.width).map(|index| result[place(index)]).collect();
        let taken = match before {
            Some(before) => {
                let condition = place::is(builder, cx, &only, round.only);
                select(builder, condition, &taken, &before)
            }
            // The first to come stays where no other round brings anything.
            None => taken,
        };
        for (index, taken) in taken.into_iter().enumerate() {
            result[place(index)] = Some(taken);
        }
    }
    let result = result.into_iter().map(|slot| slot.expect("a schedule fills every slot")).collect();
    turn(builder, cx, result, &rounds.receive, per_word)
}

/// Elements of the workgroup's memory.
fn size(cx: &Cx<'_>, exchange: &Exchange) -> i64 {
    match exchange.scope {
        Scope::Workgroup => exchange.size,
        Scope::Subgroup => exchange.size * (cx.launch.workgroup_size / cx.launch.subgroup_size),
    }
}

fn bits(side: &Side) -> &OfPlace {
    match &side.offsets {
        Offsets::Bits(of) => of,
        Offsets::Digits { .. } => unreachable!("matrices lie in linear maps"),
    }
}

/// A round of an exchange, and which threads write; all of them where nothing is said.
#[derive(Clone, Copy)]
struct Turn {
    round: usize,
    writer: Option<ValueId>,
}

/// Writes a round of an exchange.
fn store(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    exchange: &Exchange,
    buffer: ValueId,
    slots: &[ValueId],
    Turn { round, writer }: Turn,
) {
    let side = &exchange.store;
    let addresses = Addresses::of(cx, exchange, side);
    let only = place::images(cx, &side.only);
    let accesses: Vec<_> = side.accesses.iter().filter(|access| access.round == round).collect();
    for run in accesses.chunk_by(|a, b| a.only == b.only) {
        let mut condition = writer;
        if !only.is_empty() {
            let turn = place::is(builder, cx, &only, run[0].only);
            condition = Some(threads::both(builder, condition, turn));
        }
        let write = |builder: &mut Builder<'_>, cx: &mut Cx<'_>| {
            if side.form != Form::Plain {
                for tiles in matrices(builder, cx, exchange, side, Part { round, order: None }) {
                    let words = tiles.slots.iter().flat_map(|&slot| &slots[slot..slot + side.width]);
                    let words: Vec<ValueId> = words.copied().collect();
                    let shape = [tiles.slots.len(), side.width];
                    rows::store(builder, buffer, &[tiles.index], &words, shape, side.form != Form::Matrix);
                }
                return;
            }
            for access in run {
                let index = addresses.index(builder, cx, access);
                let put = |builder: &mut Builder<'_>, index: ValueId| {
                    match &slots[access.slot..access.slot + side.width] {
                        &[one] => builder.op(Opcode::MemrefStore, &[one, buffer, index], &[], &[]),
                        several => {
                            let row = vector(builder, several);
                            builder.op(Opcode::VectorStore, &[row, buffer, index], &[], &[])
                        }
                    };
                };
                match window(builder, exchange, side, index, round) {
                    None => put(builder, index),
                    Some((condition, index)) => code::when(builder, condition, |inner| put(inner, index)),
                }
            }
        };
        match condition {
            None => write(builder, cx),
            Some(condition) => code::when(builder, condition, |inner| write(inner, cx)),
        }
    }
}

/// Where memory holds one window of the offsets after the other: whether it is this offset's turn, and its place.
fn window(
    builder: &mut Builder<'_>,
    exchange: &Exchange,
    side: &Side,
    index: ValueId,
    round: usize,
) -> Option<(ValueId, ValueId)> {
    if exchange.rounds == 1 || matches!(side.offsets, Offsets::Bits(_)) {
        return None;
    }
    let of = |op, rhs| Map { dims: 1, syms: 0, results: vec![Expr::binary(op, Expr::Dim(0), Expr::Const(rhs))] };
    let (turn, wanted) = (builder.apply(of(BinOp::FloorDiv, exchange.size), &[index]), builder.index(round as i64));
    let condition = code::compare(builder, code::EQUAL, turn, wanted);
    Some((condition, builder.apply(of(BinOp::Add, -(round as i64) * exchange.size), &[index])))
}

/// What is read at a time, and the order of its slots in registers where that is not their own.
#[derive(Clone, Copy)]
struct Part<'o> {
    round: usize,
    order: Option<&'o [usize]>,
}

/// Reads a round of an exchange.
fn load(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    exchange: &Exchange,
    buffer: ValueId,
    slots: &mut [Option<ValueId>],
    part: Part<'_>,
) {
    let round = part.round;
    let side = &exchange.load;
    let elem = builder.ir.elem_of(buffer);
    let only = place::images(cx, &side.only);
    debug_assert!(side.lanes_without == 0 && side.subgroups_without == 0, "everyone reads");
    match side.form {
        Form::Plain => {}
        Form::Matrix | Form::Transposed(_) => {
            for tiles in matrices(builder, cx, exchange, side, part) {
                let shape = [tiles.slots.len(), side.width];
                let loaded = rows::load(builder, buffer, &[tiles.index], shape, side.form != Form::Matrix);
                let values = elements(builder, loaded);
                for (&slot, values) in tiles.slots.iter().zip(values.chunks(side.width)) {
                    for (place, &value) in slots[slot..].iter_mut().zip(values) {
                        *place = Some(value);
                    }
                }
            }
            return;
        }
    }
    let addresses = Addresses::of(cx, exchange, side);
    let row = if side.width == 1 { elem } else { builder.ir.vector_type(&[side.width as i64], elem) };
    let opcode = if side.width == 1 { Opcode::MemrefLoad } else { Opcode::VectorLoad };
    for access in side.accesses.iter().filter(|access| access.round == round) {
        let index = addresses.index(builder, cx, access);
        let places = &mut slots[access.slot..access.slot + side.width];
        let before: Option<Vec<ValueId>> = places.iter().copied().collect();
        if let Some((condition, index)) = window(builder, exchange, side, index, round) {
            let before = match before {
                Some(before) => packed(builder, &before),
                None => builder.splat(0.0, row),
            };
            let get = |inner: &mut Builder<'_>| inner.value(opcode, &[buffer, index], row, &[]);
            let ty = builder.ir.type_of(before);
            let loaded = memory::either(builder, condition, ty, get, |_| before);
            let values = unpacked(builder, loaded);
            places.iter_mut().zip(values).for_each(|(place, value)| *place = Some(value));
            continue;
        }
        let loaded = builder.value(opcode, &[buffer, index], row, &[]);
        let values = unpacked(builder, loaded);
        let values = match before {
            // Another round's lanes have theirs already.
            Some(before) => {
                let condition = place::is(builder, cx, &only, access.only);
                select(builder, condition, &values, &before)
            }
            None => values,
        };
        for (place, value) in places.iter_mut().zip(values) {
            *place = Some(value);
        }
    }
}

/// Matrices that one instruction moves: the index of the lane's row, and the first slot of each.
struct Tiles {
    index: ValueId,
    slots: Vec<usize>,
}

/// A round of a side of an exchange as 8 x 8 matrices, up to four at once.
///
/// The plan says where each lane's word lies; the instruction wants to know, from lane `8 j + r`, where row `r` of
/// matrix `j` begins. Row `r` is what lanes `4 r` and on share; transposed, it is what the lanes share that have bit
/// `r mod 2` of the word and `r / 2` as their low bits. Matrices of one instruction differ as the accesses do.
fn matrices(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    exchange: &Exchange,
    side: &Side,
    part: Part<'_>,
) -> Vec<Tiles> {
    let of = bits(side);
    let rows = match side.form {
        Form::Transposed(step) => vec![step, of.lane[0], of.lane[1]],
        Form::Plain | Form::Matrix => of.lane[2..5].to_vec(),
    };
    let mut accesses: Vec<_> = side.accesses.iter().filter(|access| access.round == part.round).collect();
    // Accesses count through a power of two of offsets, once for each part of the value.
    let at_once = accesses.chunk_by(|a, b| a.base == b.base).map(<[_]>::len).min().unwrap_or(1);
    let n_tiles = [4, 2, 1].into_iter().find(|&n| at_once.is_multiple_of(n)).unwrap_or(1);
    if let Some(order) = part.order {
        let mut sorted = accesses.clone();
        sorted.sort_by_cached_key(|access| order.iter().take_while(|&&slot| slot != access.slot).count());
        let is_linear = |tiles: &[&Access]| match tiles {
            [a, b, c, d] => a.offset ^ b.offset == c.offset ^ d.offset,
            _ => true,
        };
        if sorted.chunks(n_tiles).all(|tiles| tiles.iter().all(|a| a.base == tiles[0].base) && is_linear(tiles)) {
            accesses = sorted;
        }
    }
    let tiles = |tiles: &[&Access]| {
        let mut lane = rows.clone();
        lane.extend((0..n_tiles.ilog2()).map(|bit| tiles[0].offset ^ tiles[1 << bit].offset));
        let addresses = Addresses::linear(cx, exchange, &OfPlace { lane, subgroup: of.subgroup.clone() });
        let index = addresses.index(builder, cx, tiles[0]);
        Tiles { index, slots: tiles.iter().map(|tile| tile.slot).collect() }
    };
    accesses.chunks(n_tiles).map(tiles).collect()
}
