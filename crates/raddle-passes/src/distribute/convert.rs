//! Changes of layout between threads, by the cheapest plan for the chip.
//!
//! Before: `%b = iree_vector_ext.to_layout %a to layout(#L) {layouts = [#L]} : vector<32x32xf16>`
//! After: what the plan says: moves between registers, selects, shuffles of whole words, or shared memory whose
//! elements are swizzled so that neither side waits for a bank.
//!
//! The planner thinks in slots, one for each element of a thread, and so does this room: a part becomes the list of its
//! slots, each step makes another list of it, and the last list becomes the part. Conversions that follow one another
//! and go through memory share their barriers.
//!
//! Layouts that no plan can take apart (lanes that do not divide a subgroup) go row by row through a buffer of the
//! vector's own shape.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Transfer;
use raddle_ir::{Builder, Code, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, TypeId, ValueId};
use raddle_layout::plan::{
    Access, Exchange, Form, Machine, OfPlace, Offsets, Plan, PlanError, Scope, Shuffle, Side, Step, plan,
};
use raddle_layout::{Hardware, Layout, LayoutError, Nested};

use super::{Cx, buffers, differ, layout, memory, place, refuse, rows, threads};
use crate::config::Launch;
use crate::lay_out::{in_registers, layout_of};
use crate::table::Facts;

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

/// Whether an operation changes a layout in a way that a reordering of each thread's slots cannot.
pub fn is_conversion(ir: &Ir, op: OpId) -> bool {
    if ir.opcode(op) != Opcode::ToLayout || ir.is_unused(ir.result(op, 0)) {
        return false;
    }
    match (layout_of(ir, ir.operand(op, 0)), layout_of(ir, ir.result(op, 0))) {
        (Some(from), Some(to)) => !in_registers(from, to),
        _ => false,
    }
}

/// How one value changes its layout.
struct Conversion {
    op: OpId,
    from: Nested,
    to: Nested,
    /// The type in which elements travel: at least a byte.
    elem: TypeId,
    way: Way,
    /// Where elements meet.
    buffer: Option<ValueId>,
}

enum Way {
    /// Step by step.
    Steps(Plan),
    /// Through a buffer of the vector's shape, whose rows are so many elements longer.
    Rows { padding: i64 },
    /// Through a buffer of so many rows along a dimension, as often as it takes.
    Slabs { along: usize, extent: i64 },
}

/// What is left to do of a conversion when everyone has written.
enum Rest<'p> {
    Loads { exchange: &'p Exchange, buffer: ValueId, behind: &'p [Step] },
    Rows(Transfer),
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
        conversion.registers_only(builder, cx);
    }
    if !together.is_empty() {
        meet_again(builder, cx);
        let mut rests = Vec::new();
        for &conversion in &together {
            builder.span = builder.ir.span(conversion.op);
            if let Some(buffer) = conversion.buffer {
                rests.push((conversion, conversion.write(builder, cx, buffer)?));
            }
        }
        cx.barrier(builder);
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
        let room = buffers::room(builder.ir, cx, elem);
        let way = match steps(cx, op, [&from, &to], bytes, room) {
            Ok(plan) if digits(&plan).is_none() => Way::Steps(plan),
            Ok(plan) => rows(builder.ir, cx, &from, elem, padding(&plan, &from.undistributed_shape())),
            // Rows have no other numbering.
            Err(error) if cx.numberings.contains_key(&op) => return Err(refuse(builder.ir, op, error.to_string())),
            Err(_) => rows(builder.ir, cx, &from, elem, None),
        };
        // Parts of the value are put together as bits.
        let elem = if let Way::Slabs { .. } = way { builder.ir.int_type(8 * bytes as u32) } else { elem };
        let mut conversion = Conversion { op, from, to, elem, way, buffer: None };
        let shape = match (&conversion.way, conversion.split()) {
            (Way::Steps(_), None) => None,
            (Way::Steps(_), Some((_, exchange, _))) => Some(vec![size(cx, exchange)]),
            (Way::Rows { padding }, _) => {
                let mut shape = conversion.from.undistributed_shape();
                if let Some(row) = shape.last_mut() {
                    *row += padding;
                }
                Some(shape)
            }
            (&Way::Slabs { along, extent }, _) => {
                let mut shape = conversion.from.undistributed_shape();
                shape[along] = extent;
                Some(shape)
            }
        };
        if let Some(shape) = shape {
            let taken = buffers::take(builder, cx, op, &shape, elem);
            let taken = taken.map_err(|diag| differ(diag, &conversion.from, &conversion.to, cx.launch))?;
            conversion.buffer = Some(taken);
        }
        let remark = Diag::error(Code::LayoutChoice, builder.ir.span(op), conversion.told()).as_remark();
        cx.facts.remarks.borrow_mut().push(remark);
        Ok(conversion)
    }

    /// The way in words.
    fn told(&self) -> String {
        match &self.way {
            Way::Steps(plan) => format!("this conversion goes by {}: {}", plan.way, plan.cost),
            Way::Rows { padding: 0 } => "this conversion goes by shared memory, row by row".to_owned(),
            Way::Rows { padding } => {
                format!("this conversion goes by shared memory, row by row, {padding} elements between rows")
            }
            Way::Slabs { along, extent } => {
                format!("this conversion goes by shared memory in turns of {extent} along dimension {along}")
            }
        }
    }

    /// The steps before the exchange, the exchange, and the steps behind it.
    fn split(&self) -> Option<(&[Step], &Exchange, &[Step])> {
        let Way::Steps(plan) = &self.way else { return None };
        let at = plan.steps.iter().position(|step| matches!(step, Step::Exchange(_)))?;
        let Step::Exchange(exchange) = &plan.steps[at] else { return None };
        Some((&plan.steps[..at], exchange, &plan.steps[at + 1..]))
    }

    /// How often everyone writes and reads.
    fn n_rounds(&self) -> usize {
        match (&self.way, self.split()) {
            (Way::Rows { .. }, _) => 1,
            (&Way::Slabs { along, extent }, _) => {
                (self.from.undistributed_shape()[along] as usize).div_ceil(extent as usize)
            }
            (Way::Steps(_), None) => 0,
            (Way::Steps(_), Some((_, exchange, _))) => exchange.rounds,
        }
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

    fn registers_only(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>) {
        let Way::Steps(plan) = &self.way else { return };
        builder.span = builder.ir.span(self.op);
        let slots = self.slots(builder, cx);
        let slots = take(builder, cx, &plan.steps, slots, self.per_word(builder.ir));
        self.finish(builder, cx, &slots);
    }

    /// Elements of a word of 32 bits.
    fn per_word(&self, ir: &Ir) -> usize {
        let bytes = Scalar::of(&ir[self.elem]).map_or(4, Scalar::bytes);
        (4 / bytes.max(1)).max(1)
    }

    fn write(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>, buffer: ValueId) -> Result<Rest<'_>, Diag> {
        match self.split() {
            Some((before, exchange, behind)) => {
                let slots = self.slots(builder, cx);
                let slots = take(builder, cx, before, slots, self.per_word(builder.ir));
                store(builder, cx, exchange, buffer, &slots, 0);
                Ok(Rest::Loads { exchange, buffer, behind })
            }
            None => {
                let part = cx.part(builder.ir.operand(self.op, 0));
                Ok(Rest::Rows(memory::stage(builder, cx, self.op, buffer, part, &self.from)?))
            }
        }
    }

    fn read(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>, rest: Rest<'_>) {
        match rest {
            Rest::Loads { exchange, buffer, behind } => {
                let mut slots = vec![None; exchange.n_slots];
                load(builder, cx, exchange, buffer, &mut slots, 0);
                let slots = slots.into_iter().map(|slot| slot.expect("every slot is loaded")).collect();
                let slots = take(builder, cx, behind, slots, self.per_word(builder.ir));
                self.finish(builder, cx, &slots);
            }
            Rest::Rows(view) => {
                let result = builder.ir.result(self.op, 0);
                let elem = builder.ir.elem_of(result);
                let part = memory::unstage(builder, cx, &view, &self.to, elem);
                cx.map.set(result, part);
            }
        }
    }

    /// Through memory that holds a part of the value at a time.
    fn in_rounds(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>) -> Result<(), Diag> {
        let Some(buffer) = self.buffer else { return Ok(()) };
        if let Way::Slabs { along, extent } = self.way {
            return self.in_slabs(builder, cx, buffer, [along as i64, extent]);
        }
        let Some((before, exchange, behind)) = self.split() else { return Ok(()) };
        let slots = self.slots(builder, cx);
        let given = take(builder, cx, before, slots, self.per_word(builder.ir));
        let mut slots = vec![None; exchange.n_slots];
        for round in 0..exchange.rounds {
            if round > 0 {
                cx.barrier(builder);
            } else {
                meet_again(builder, cx);
            }
            store(builder, cx, exchange, buffer, &given, round);
            cx.barrier(builder);
            load(builder, cx, exchange, buffer, &mut slots, round);
        }
        let slots = slots.into_iter().map(|slot| slot.expect("every slot is loaded in some round")).collect();
        let slots = take(builder, cx, behind, slots, self.per_word(builder.ir));
        self.finish(builder, cx, &slots);
        Ok(())
    }

    /// Slab by slab of a dimension: what lies outside the slab is not written, and read as zero bits.
    fn in_slabs(
        &self,
        builder: &mut Builder<'_>,
        cx: &mut Cx<'_>,
        buffer: ValueId,
        [along, extent]: [i64; 2],
    ) -> Result<(), Diag> {
        let part = cx.part(builder.ir.operand(self.op, 0));
        let part = memory::carried(builder, part, self.elem);
        let mut all = None;
        for round in 0..self.n_rounds() as i64 {
            if round > 0 {
                cx.barrier(builder);
            } else {
                meet_again(builder, cx);
            }
            let mut view = memory::whole(builder, buffer);
            view.indices[along as usize] = builder.index(-round * extent);
            view.in_bounds[along as usize] = false;
            let piece = memory::Piece::all(part, &self.from);
            memory::write(builder, cx, &view, &piece).map_err(|why| refuse(builder.ir, self.op, why))?;
            cx.barrier(builder);
            let some = memory::read(builder, cx, &view, None, &self.to);
            all = Some(match all {
                None => some,
                Some(before) => builder.binary(Opcode::OrI, before, some),
            });
        }
        let result = builder.ir.result(self.op, 0);
        let elem = builder.ir.elem_of(result);
        let part = all.expect("there is at least one round");
        let part = memory::uncarried(builder, part, elem);
        cx.map.set(result, part);
        Ok(())
    }
}

/// The way of layouts that are no linear maps, or have no memory for all of the value.
fn rows(ir: &Ir, cx: &Cx<'_>, from: &Nested, elem: TypeId, padding: Option<i64>) -> Way {
    let shape = from.undistributed_shape();
    let left = buffers::left(cx);
    let bytes = Scalar::of(&ir[elem]).map_or(1, |scalar| scalar.bytes() as i64);
    let whole = shape.iter().fold(bytes, |bytes, &extent| bytes.saturating_mul(extent));
    // Along the largest dimension, the slabs are the thinnest.
    let along = (0..shape.len()).max_by_key(|&d| shape[d]).unwrap_or(0);
    match shape.get(along).map(|&extent| left / (whole / extent)) {
        Some(extent) if whole > left && extent > 0 && Scalar::of(&ir[elem]) != Some(Scalar::Index) => {
            Way::Slabs { along, extent }
        }
        // Rows that do not fit with what lies between them fit without.
        _ => {
            let longer = padding
                .filter(|padding| whole / shape.last().unwrap_or(&1) * (shape.last().unwrap_or(&1) + padding) <= left);
            Way::Rows { padding: longer.unwrap_or(0) }
        }
    }
}

/// The cheapest plan.
fn steps(cx: &Cx<'_>, op: OpId, [from, to]: [&Nested; 2], bytes: i64, room: i64) -> Result<Plan, PlanError> {
    let (mut source, target) = (core(from, cx.launch)?, core(to, cx.launch)?);
    if let Some(numbering) = cx.numberings.get(&op) {
        source = source.with_swizzle(numbering)?;
    }
    let machine = Machine { shared_bytes_max: room, ..machine(cx.launch, cx.facts) };
    plan(&source, &target, 8 * bytes, &machine)
}

/// A layout as the planner takes it.
pub fn core(layout: &Nested, launch: Launch) -> Result<Layout, LayoutError> {
    let (threads, lanes) = (launch.workgroup_size, launch.subgroup_size);
    if threads % lanes != 0 {
        return Err(LayoutError::Uneven { hardware: Hardware::Lane, used: threads, have: lanes });
    }
    Layout::from_nested(layout, threads / lanes, lanes)
}

/// What the chip has that operations stand for.
pub fn machine(launch: Launch, facts: &Facts) -> Machine {
    let mut machine = facts.chip.machine(launch.subgroup_size);
    // No operation stands for a transposition between registers, or for a barrier of less than the workgroup.
    machine.matrix_transpose = false;
    machine.costs.subgroup_barrier = machine.costs.barrier;
    machine
}

/// How many elements longer the rows of a plan are than the vector's, where it is nothing but such rows.
fn padding(plan: &Plan, shape: &[i64]) -> Option<i64> {
    let (layout, strides) = digits(plan)?;
    let rows = crate::config::row_major(shape);
    let (&row, pitch) = (shape.last()?, strides.get(shape.len().checked_sub(2)?)?);
    let is_padded = |(d, &stride): (usize, &i64)| d + 1 == shape.len() || stride == rows[d] / row * pitch;
    let plain = plan.steps.len() == 1 && layout.shape() == shape && layout.swizzle().is_none();
    (plain && strides.iter().enumerate().all(is_padded)).then_some(pitch - row)
}

/// The layout and strides of a plan whose addresses are digits.
pub fn digits(plan: &Plan) -> Option<(&Layout, &[i64])> {
    plan.steps.iter().find_map(|step| match step {
        Step::Exchange(exchange) => match &exchange.store.offsets {
            Offsets::Digits { layout, strides } => Some((layout, &strides[..])),
            Offsets::Bits(_) => None,
        },
        Step::Slots { .. } | Step::Turn { .. } | Step::Shuffle(_) | Step::Transpose { .. } => None,
    })
}

/// A vector's elements, row-major.
fn elements(builder: &mut Builder<'_>, vector: ValueId) -> Vec<ValueId> {
    let n = builder.ir.shape_of(vector).iter().product::<i64>();
    let elem = builder.ir.elem_of(vector);
    let op = builder.op(Opcode::ToElements, &[vector], &vec![elem; n as usize], &[]);
    builder.ir.results(op).collect()
}

/// A vector of one dimension.
fn vector(builder: &mut Builder<'_>, elements: &[ValueId]) -> ValueId {
    let elem = builder.ir.type_of(elements[0]);
    let ty = builder.ir.vector_type(&[elements.len() as i64], elem);
    builder.value(Opcode::FromElements, elements, ty, &[])
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
fn select(builder: &mut Builder<'_>, condition: ValueId, yes: &[ValueId], no: &[ValueId]) -> Vec<ValueId> {
    if yes == no {
        return yes.to_vec();
    }
    let [yes, no] = [yes, no].map(|word| packed(builder, word));
    let ty = builder.ir.type_of(yes);
    let word = builder.value(Opcode::Select, &[condition, yes, no], ty, &[]);
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
                ("idx", builder.value(Opcode::IndexCast, &[lane], word, &[]))
            };
            let offered = packed(builder, &offered);
            let (ty, bit) = (builder.ir.type_of(offered), builder.ir.int_type(1));
            let mode = builder.keyword_attr("gpu.shuffle_mode", mode);
            let op = builder.op(Opcode::Shuffle, &[offered, lane, width], &[ty, bit], &[("mode", mode)]);
            let taken = builder.ir.result(op, 0);
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

/// Where the accesses of one side begin.
struct Addresses {
    images: Vec<u64>,
    /// The bits that differ from thread to thread; those below the unit are 0 in all accesses.
    reach: u64,
    unit: u32,
    /// Elements between the memories of neighbouring subgroups; 0 where they share one.
    apart: i64,
}

impl Addresses {
    fn of(exchange: &Exchange, images: Vec<u64>) -> Addresses {
        let reach = images.iter().fold(0, |reach, image| reach | image);
        let apart = if exchange.scope == Scope::Subgroup { exchange.size } else { 0 };
        Addresses { images, reach, unit: reach.trailing_zeros().min(32), apart }
    }

    /// The index of the element at `offset` (by xor) and `base` (by addition).
    fn index(&self, builder: &mut Builder<'_>, cx: &mut Cx<'_>, offset: u64, base: i64) -> ValueId {
        // What no thread's part meets is as well added, and added constants are free.
        let (meets, more) = (offset & self.reach, offset & !self.reach);
        let images: Vec<u64> = self.images.iter().map(|image| image >> self.unit).collect();
        let swizzled = place::value(builder, cx, &images, meets >> self.unit);
        let of = |op, lhs, rhs: i64| Expr::binary(op, lhs, Expr::Const(rhs));
        let mut sum = of(BinOp::Mul, Expr::Dim(0), 1 << self.unit);
        if self.apart > 0 {
            let subgroup = of(BinOp::FloorDiv, Expr::Dim(1), cx.launch.subgroup_size);
            sum = Expr::binary(BinOp::Add, sum, of(BinOp::Mul, subgroup, self.apart));
        }
        let sum = of(BinOp::Add, sum, more as i64 + base);
        builder.apply(Map { dims: 2, syms: 0, results: vec![sum] }, &[swizzled, cx.thread])
    }
}

fn bits(side: &Side) -> &OfPlace {
    match &side.offsets {
        Offsets::Bits(of) => of,
        Offsets::Digits { .. } => unreachable!("such plans go row by row"),
    }
}

/// Writes a round of an exchange.
fn store(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    exchange: &Exchange,
    buffer: ValueId,
    slots: &[ValueId],
    round: usize,
) {
    let side = &exchange.store;
    let images = place::images(cx, bits(side));
    let addresses = Addresses::of(exchange, images);
    // Of several lanes that hold the same, one writes.
    let without = |bits: u64, n: usize| (0..n).map(|bit| bits & 1 << bit).collect::<Vec<u64>>();
    let idle = OfPlace {
        lane: without(side.lanes_without, side.only.lane.len()),
        subgroup: without(side.subgroups_without, side.only.subgroup.len()),
    };
    // A subgroup's bits are beside a lane's, so that one number tells both.
    let shifted = idle.subgroup.iter().map(|image| image << idle.lane.len()).collect();
    let idle = place::images(cx, &OfPlace { subgroup: shifted, ..idle });
    let only = place::images(cx, &side.only);
    let accesses: Vec<_> = side.accesses.iter().filter(|access| access.round == round).collect();
    for run in accesses.chunk_by(|a, b| a.only == b.only) {
        let mut condition = (!idle.is_empty()).then(|| place::is(builder, cx, &idle, 0));
        if !only.is_empty() {
            let turn = place::is(builder, cx, &only, run[0].only);
            condition = Some(threads::both(builder, condition, turn));
        }
        let write = |builder: &mut Builder<'_>, cx: &mut Cx<'_>| {
            if side.form != Form::Plain {
                for tiles in matrices(builder, cx, exchange, side, round) {
                    let words = tiles.slots.iter().flat_map(|&slot| &slots[slot..slot + side.width]);
                    let words: Vec<ValueId> = words.copied().collect();
                    let shape = [tiles.slots.len(), side.width];
                    rows::store(builder, buffer, &[tiles.index], &words, shape, side.form != Form::Matrix);
                }
                return;
            }
            for access in run {
                let index = addresses.index(builder, cx, access.offset, access.base);
                match &slots[access.slot..access.slot + side.width] {
                    &[one] => builder.op(Opcode::Store, &[one, buffer, index], &[], &[]),
                    several => {
                        let row = vector(builder, several);
                        builder.op(Opcode::VectorStore, &[row, buffer, index], &[], &[])
                    }
                };
            }
        };
        match condition {
            None => write(builder, cx),
            Some(condition) => memory::when(builder, condition, |inner| write(inner, cx)),
        }
    }
}

/// Reads a round of an exchange.
fn load(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    exchange: &Exchange,
    buffer: ValueId,
    slots: &mut [Option<ValueId>],
    round: usize,
) {
    let side = &exchange.load;
    let elem = builder.ir.elem_of(buffer);
    let only = place::images(cx, &side.only);
    debug_assert!(side.lanes_without == 0 && side.subgroups_without == 0, "everyone reads");
    let images = place::images(cx, bits(side));
    match side.form {
        Form::Plain => {}
        Form::Matrix | Form::Transposed(_) => {
            for tiles in matrices(builder, cx, exchange, side, round) {
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
    let addresses = Addresses::of(exchange, images);
    for access in side.accesses.iter().filter(|access| access.round == round) {
        let index = addresses.index(builder, cx, access.offset, access.base);
        let values = if side.width == 1 {
            vec![builder.value(Opcode::Load, &[buffer, index], elem, &[])]
        } else {
            let ty = builder.ir.vector_type(&[side.width as i64], elem);
            let row = builder.value(Opcode::VectorLoad, &[buffer, index], ty, &[]);
            elements(builder, row)
        };
        let places = &mut slots[access.slot..access.slot + side.width];
        let before: Option<Vec<ValueId>> = places.iter().copied().collect();
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
fn matrices(builder: &mut Builder<'_>, cx: &mut Cx<'_>, exchange: &Exchange, side: &Side, round: usize) -> Vec<Tiles> {
    let of = bits(side);
    let rows = match side.form {
        Form::Transposed(step) => vec![step, of.lane[0], of.lane[1]],
        Form::Plain | Form::Matrix => of.lane[2..5].to_vec(),
    };
    let accesses: Vec<_> = side.accesses.iter().filter(|access| access.round == round).collect();
    // Accesses count through a power of two of offsets, once for each part of the value.
    let at_once = accesses.chunk_by(|a, b| a.base == b.base).map(<[_]>::len).min().unwrap_or(1);
    let n_tiles = [4, 2, 1].into_iter().find(|&n| at_once.is_multiple_of(n)).unwrap_or(1);
    let tiles = |tiles: &[&Access]| {
        let mut lane = rows.clone();
        lane.extend((0..n_tiles.ilog2()).map(|bit| tiles[0].offset ^ tiles[1 << bit].offset));
        let images = place::images(cx, &OfPlace { lane, subgroup: of.subgroup.clone() });
        let addresses = Addresses::of(exchange, images);
        let index = addresses.index(builder, cx, tiles[0].offset, tiles[0].base);
        Tiles { index, slots: tiles.iter().map(|tile| tile.slot).collect() }
    };
    accesses.chunks(n_tiles).map(tiles).collect()
}
