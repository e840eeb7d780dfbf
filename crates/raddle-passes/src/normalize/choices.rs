//! Choices: reductions that keep what is there, or take an element, become reductions that combine.
//!
//! Before: a `linalg.generic` that yields `select(%condition, %value + %out, %out)`, or `select(%condition, %value, %out)`
//! After:  one that adds `select(%condition, %value, -0)`, or the last place at which the condition holds, as a maximum, and
//!         the value at that place; where the condition is `%value > %out`, one that takes the greater one
//!
//! So the sums of bags of an embedding, windows whose ends depend on where they are, and indices of a maximum by another
//! pass over its window, are vectors. A body that takes a value only where the result is still the number that says that
//! there is none takes the first place instead of the last. A result that depends on its own loops alone leaves the
//! operation, as the number of elements that each window of a mean has.
//!
//! Does not touch results that depend on one another: those with an extreme and its index are `arg_reduce`'s.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed, unmixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, TypeId, ValueId, ValueMap};
use rustc_hash::FxHashSet;

use super::assertions::leave_out_unused;
use crate::code::{compare, select};
use crate::structured::body::{self, Combiner};
use crate::structured::generalize::{at_loops, body_of, generic, loop_index};
use crate::structured::sizes::{mixed_extent, mixed_loop};

/// `eq` and `ne` as `arith.cmpi` numbers them.
const EQUAL: i64 = 0;
const DIFFERENT: i64 = 1;

/// Comparisons as `arith` numbers them, and the greater and the lesser of what they compare.
struct Extreme {
    compared: Opcode,
    predicates: [i64; 2],
    is_greater: bool,
    /// What it says of a value that is not a number.
    if_nan: bool,
    greater: Opcode,
    lesser: Opcode,
}

const EXTREMES: &[Extreme] = &[
    floats([2, 3], true, false),
    floats([4, 5], false, false),
    floats([9, 10], true, true),
    floats([11, 12], false, true),
    integers([2, 3], false, Opcode::ArithMaxsi, Opcode::ArithMinsi),
    integers([4, 5], true, Opcode::ArithMaxsi, Opcode::ArithMinsi),
    integers([6, 7], false, Opcode::ArithMaxui, Opcode::ArithMinui),
    integers([8, 9], true, Opcode::ArithMaxui, Opcode::ArithMinui),
];

const fn floats(predicates: [i64; 2], is_greater: bool, if_nan: bool) -> Extreme {
    let (greater, lesser) = (Opcode::ArithMaxnumf, Opcode::ArithMinnumf);
    Extreme { compared: Opcode::ArithCmpf, predicates, is_greater, if_nan, greater, lesser }
}

const fn integers(predicates: [i64; 2], is_greater: bool, greater: Opcode, lesser: Opcode) -> Extreme {
    Extreme { compared: Opcode::ArithCmpi, predicates, is_greater, if_nan: false, greater, lesser }
}

/// Rewrites the operations of a function that have such results.
pub(super) fn combine(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        if ir.opcode(op) != Opcode::LinalgGeneric || !ir.results(op).all(|value| ir.ty(value).is_tensor()) {
            continue;
        }
        let linalg = Linalg::of(ir, op);
        let states = ["lowering_config", "compilation_info"].iter().any(|name| ir.attr(op, name).is_some());
        if states || !linalg.reduction.contains(&true) || linalg.outputs.len() != ir.results(op).len() {
            continue;
        }
        let mut gone = Vec::new();
        for output in 0..linalg.outputs.len() {
            let Some(result) = Output::of(ir, op, &linalg, output) else { continue };
            let new = if body::reduction_of(ir, op, output).is_some() {
                None
            } else if result.is_still(ir) {
                Some(result.alone(ir))
            } else if result.add_neutral(ir) || result.take_extreme(ir) {
                None
            } else {
                result.choice(ir).and_then(|choice| result.at_place(ir, &choice))
            };
            if let Some(new) = new {
                let old = ir.result(op, output);
                ir.replace_uses(old, new);
                gone.push(output);
            }
        }
        if !gone.is_empty() {
            without(ir, op, &linalg, &gone);
        }
    }
}

/// Takes results away that nobody uses.
fn without(ir: &mut Ir, op: OpId, linalg: &Linalg, gone: &[usize]) {
    let kept: Vec<usize> = (0..linalg.outputs.len()).filter(|output| !gone.contains(output)).collect();
    if kept.is_empty() {
        return ir.erase(op);
    }
    let (n_inputs, old) = (linalg.inputs.len(), ir.entry(op));
    let maps = (0..n_inputs).chain(kept.iter().map(|output| n_inputs + output)).map(|at| linalg.maps[at].clone());
    let left = Linalg {
        inputs: linalg.inputs.clone(),
        outputs: kept.iter().map(|&output| linalg.outputs[output]).collect(),
        maps: maps.collect(),
        reduction: linalg.reduction.clone(),
    };
    let stated = |d: usize| left.maps.iter().any(|map| map.results.contains(&Expr::Dim(d as u32)));
    if !(0..left.reduction.len()).all(stated) {
        return;
    }
    let args = ir.args(old).to_vec();
    let builder = &mut Builder::before(ir, op);
    let new = generic(builder, &left, &[]);
    let own: Vec<ValueId> = args[..n_inputs].iter().copied().chain(kept.iter().map(|at| args[n_inputs + at])).collect();
    let elems: Vec<TypeId> = own.iter().map(|&arg| builder.ir.type_of(arg)).collect();
    body_of(builder, new, &elems, |body, given| {
        let mut map = ValueMap::default();
        own.iter().zip(given).for_each(|(&arg, &given)| map.set(arg, given));
        let ops = body.ir.ops_of(old);
        let (&end, ops) = ops.split_last().expect("a verified region has a terminator");
        for &inner in ops {
            body.copy(inner, &mut map);
        }
        kept.iter().map(|&output| map.get(body.ir.operand(end, output))).collect()
    });
    let block = ir.entry(new);
    leave_out_unused(ir, block);
    for (at, &output) in kept.iter().enumerate() {
        let (old, new) = (ir.result(op, output), ir.result(new, at));
        ir.replace_uses(old, new);
    }
    ir.erase(op);
}

/// One result of a structured operation.
struct Output<'a> {
    op: OpId,
    linalg: &'a Linalg,
    at: usize,
    /// The loops that it lies along, and the others, in order.
    dims: Vec<usize>,
    gone: Vec<usize>,
    /// What is there, and what the body yields for it.
    acc: ValueId,
    yielded: ValueId,
}

/// What a body computes from, and how.
struct Slice {
    ops: Vec<OpId>,
    /// The arguments of the body that it reads.
    args: Vec<usize>,
    /// The loops of which it asks the index.
    loops: Vec<usize>,
}

/// A value that is taken where a condition holds, or always: at the last place of all, or at the first one, where `none`
/// says that nothing was taken before.
struct Choice {
    condition: Option<ValueId>,
    value: ValueId,
    none: Option<ValueId>,
}

impl<'a> Output<'a> {
    fn of(ir: &Ir, op: OpId, linalg: &'a Linalg, at: usize) -> Option<Output<'a>> {
        let block = ir.entry(op);
        let dims = linalg.maps[linalg.inputs.len() + at].as_dims()?;
        let is_list = dims.iter().enumerate().all(|(i, d)| !dims[..i].contains(d));
        let gone = (0..linalg.reduction.len()).filter(|d| !dims.contains(d)).collect();
        let yielded = ir.operand(ir.terminator(block)?, at);
        let acc = *ir.args(block).get(linalg.inputs.len() + at)?;
        is_list.then_some(Output { op, linalg, at, dims, gone, acc, yielded })
    }

    /// What some values of the body are computed from; `None` where that has regions, or more results than are looked at.
    fn slice(&self, ir: &Ir, values: &[ValueId]) -> Option<Slice> {
        let block = ir.entry(self.op);
        let mut needed: FxHashSet<ValueId> = values.iter().copied().collect();
        let (mut ops, mut loops) = (Vec::new(), Vec::new());
        for inner in ir.ops_of(block).into_iter().rev() {
            if !ir.results(inner).any(|value| needed.contains(&value)) {
                continue;
            }
            if !ir.regions(inner).is_empty() || !ir.opcode(inner).info().only_gives_results() {
                return None;
            }
            if ir.opcode(inner) == Opcode::LinalgIndex {
                loops.push(ir.attr(inner, "dim")?.as_i64().and_then(|d| usize::try_from(d).ok())?);
            }
            needed.extend(ir.operands(inner).iter().copied());
            ops.push(inner);
        }
        ops.reverse();
        let all = ir.args(block);
        let args = (0..all.len()).filter(|&arg| needed.contains(&all[arg])).collect();
        Some(Slice { ops, args, loops })
    }

    /// The same, where it reads no result.
    fn free(&self, ir: &Ir, values: &[ValueId]) -> Option<Slice> {
        self.slice(ir, values).filter(|slice| slice.args.iter().all(|&arg| arg < self.linalg.inputs.len()))
    }

    /// Whether it depends on its own loops alone, and the body runs for each of its elements.
    fn is_still(&self, ir: &Ir) -> bool {
        let Some(slice) = self.free(ir, &[self.yielded]) else { return false };
        let extents = self.linalg.extents(ir);
        let is_new = ir.def_op(self.linalg.outputs[self.at]).is_some_and(|made| ir.opcode(made) == Opcode::TensorEmpty);
        let runs = is_new || self.gone.iter().all(|&d| extents[d] > 0);
        let lies = |&arg: &usize| {
            let dims = self.linalg.maps[arg].as_dims();
            dims.is_some_and(|dims| dims.iter().all(|d| self.dims.contains(d)))
        };
        runs && slice.loops.iter().all(|d| self.dims.contains(d)) && slice.args.iter().all(lies)
    }

    /// An operation of its own for a result that depends on its own loops alone.
    fn alone(&self, ir: &mut Ir) -> ValueId {
        let slice = self.free(ir, &[self.yielded]).expect("it was looked at before");
        let builder = &mut Builder::before(ir, self.op);
        let start = self.linalg.outputs[self.at];
        self.elementwise(builder, &slice.args, &[], start, |builder, given, _| {
            let mut map = ValueMap::default();
            self.set_args(builder, &slice.args, given, &mut map);
            self.copy(builder, &slice, &mut map, |body, d| loop_index(body, self.own(d)));
            map.get(self.yielded)
        })
    }

    /// The number that one of its loops has among them.
    fn own(&self, d: usize) -> usize {
        self.dims.iter().position(|&own| own == d).expect("it is one of the result's loops")
    }

    /// An elementwise operation along its loops, which takes some inputs that lie along these, and tensors of its shape.
    fn elementwise(
        &self,
        builder: &mut Builder<'_>,
        inputs: &[usize],
        beside: &[ValueId],
        start: ValueId,
        body: impl FnOnce(&mut Builder<'_>, &[ValueId], &[ValueId]) -> ValueId,
    ) -> ValueId {
        let rank = self.dims.len();
        let along = |&input: &usize| {
            let dims = self.linalg.maps[input].as_dims().expect("it lies along loops of the result");
            Map::of_dims(rank, &dims.into_iter().map(|d| self.own(d)).collect::<Vec<_>>())
        };
        let mut maps: Vec<Map> = inputs.iter().map(along).collect();
        maps.extend(vec![Map::identity(rank); beside.len() + 1]);
        let values: Vec<ValueId> =
            inputs.iter().map(|&input| self.linalg.inputs[input]).chain(beside.iter().copied()).collect();
        let linalg = Linalg { inputs: values, outputs: vec![start], maps, reduction: vec![false; rank] };
        let op = generic(builder, &linalg, &[]);
        let operands = linalg.inputs.iter().chain(&linalg.outputs);
        let elems: Vec<TypeId> = operands.map(|&value| Linalg::elem(builder.ir, value)).collect();
        body_of(builder, op, &elems, |builder, args| {
            let (given, rest) = args.split_at(inputs.len());
            vec![body(builder, given, rest)]
        });
        builder.ir.result(op, 0)
    }

    fn set_args(&self, builder: &Builder<'_>, args: &[usize], given: &[ValueId], map: &mut ValueMap) {
        let block = builder.ir.entry(self.op);
        for (&arg, &given) in args.iter().zip(given) {
            map.set(builder.ir.args(block)[arg], given);
        }
    }

    /// Copies a part of the body, with indices of loops of another operation.
    fn copy(
        &self,
        builder: &mut Builder<'_>,
        slice: &Slice,
        map: &mut ValueMap,
        index: impl Fn(&mut Builder<'_>, usize) -> ValueId,
    ) {
        for &inner in &slice.ops {
            match builder.ir.opcode(inner) {
                Opcode::LinalgIndex => {
                    let d = builder.ir.attr(inner, "dim").and_then(Attr::as_i64).unwrap_or_default() as usize;
                    let new = index(builder, d);
                    map.set(builder.ir.result(inner, 0), new);
                }
                _ => {
                    builder.copy(inner, map);
                }
            }
        }
    }

    /// `select(c, combine(value, acc), acc)` combines the value, or what changes nothing.
    fn add_neutral(&self, ir: &mut Ir) -> bool {
        let Some(chosen) = ir.def_op(self.yielded).filter(|&op| ir.opcode(op) == Opcode::ArithSelect) else {
            return false;
        };
        let &[condition, yes, no] = ir.operands(chosen) else { return false };
        let (combined, is_yes) = match (yes == self.acc, no == self.acc) {
            (false, true) => (yes, true),
            (true, false) => (no, false),
            _ => return false,
        };
        let Some(combine) = ir.def_op(combined) else { return false };
        let Some(combiner) = Combiner::of_opcode(ir.opcode(combine)) else { return false };
        let value = match ir.operands(combine)[..] {
            [value, other] | [other, value] if other == self.acc && value != self.acc => value,
            _ => return false,
        };
        let used_once = ir.uses(combined).count() == 1 && ir.uses(self.yielded).count() == 1;
        if !used_once || ir.uses(self.acc).count() != 2 || self.free(ir, &[condition, value]).is_none() {
            return false;
        }
        let builder = &mut Builder::before(ir, chosen);
        let elem = builder.ir.type_of(value);
        let nothing = combiner.neutral(builder, elem);
        let (yes, no) = if is_yes { (value, nothing) } else { (nothing, value) };
        let value = select(builder, condition, yes, no);
        let new = builder.binary(combiner.opcode, value, self.acc);
        ir.replace_uses(self.yielded, new);
        ir.erase(chosen);
        ir.erase(combine);
        true
    }

    /// `select(value > acc, value, acc)` is the greater one of the two, and likewise the lesser one. Where the result begins
    /// with a number, a value that is none is passed over.
    fn take_extreme(&self, ir: &mut Ir) -> bool {
        let Some((opcode, value)) = self.extreme(ir) else { return false };
        let chosen = ir.def_op(self.yielded).expect("it is a selection");
        let new = Builder::before(ir, chosen).binary(opcode, value, self.acc);
        ir.replace_uses(self.yielded, new);
        let compared = ir.def_op(ir.operand(chosen, 0)).expect("it is a comparison");
        ir.erase(chosen);
        ir.erase(compared);
        true
    }

    fn extreme(&self, ir: &Ir) -> Option<(Opcode, ValueId)> {
        let chosen = ir.def_op(self.yielded).filter(|&op| ir.opcode(op) == Opcode::ArithSelect)?;
        let &[condition, yes, no] = ir.operands(chosen) else { return None };
        let compared = ir.def_op(condition)?;
        let &[a, b] = ir.operands(compared) else { return None };
        let predicate = ir.attr(compared, "predicate").and_then(Attr::as_i64)?;
        let opcode = ir.opcode(compared);
        let row = EXTREMES.iter().find(|row| row.compared == opcode && row.predicates.contains(&predicate))?;
        let takes = yes != self.acc;
        let value = if takes { yes } else { no };
        let is_of = |x: ValueId, y: ValueId| (x, y) == (value, self.acc) || (x, y) == (self.acc, value);
        let used_once = ir.uses(condition).count() == 1 && ir.uses(self.yielded).count() == 1;
        if !is_of(a, b) || !is_of(yes, no) || !used_once || ir.uses(self.acc).count() != 2 {
            return None;
        }
        // Nothing that is compared with NaN holds, or all of it: either way what is there must be kept.
        if opcode == Opcode::ArithCmpf && (row.if_nan == takes || !self.begins_with_number(ir)) {
            return None;
        }
        self.free(ir, &[value])?;
        Some((if (a == yes) == row.is_greater { row.greater } else { row.lesser }, value))
    }

    /// Whether the result begins with a constant that is a number.
    fn begins_with_number(&self, ir: &Ir) -> bool {
        let fill = ir.def_op(self.linalg.outputs[self.at]).filter(|&op| ir.opcode(op) == Opcode::LinalgFill);
        let constant = fill.and_then(|fill| ir.def_op(ir.operand(fill, 0)));
        let value = constant.filter(|&op| ir.opcode(op) == Opcode::ArithConstant).and_then(|op| ir.attr(op, "value"));
        matches!(value, Some(Attr::Float { bits, .. }) if !f64::from_bits(*bits).is_nan())
    }

    /// The value that the body takes, if it takes one or keeps what is there.
    fn choice(&self, ir: &Ir) -> Option<Choice> {
        let choice = self.taken(ir, self.yielded)?;
        let values: Vec<ValueId> = choice.condition.into_iter().chain([choice.value]).collect();
        self.free(ir, &values).map(|_| choice)
    }

    fn taken(&self, ir: &Ir, value: ValueId) -> Option<Choice> {
        let Some(op) = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::ArithSelect) else {
            return (value != self.acc).then_some(Choice { condition: None, value, none: None });
        };
        let &[condition, yes, no] = ir.operands(op) else { return None };
        let keeps = |value: ValueId| value == self.acc;
        // Whether what is there is the number that says that there is none.
        if let Some((none, is_none)) = self.asks_for_none(ir, condition) {
            let (if_none, otherwise) = if is_none { (yes, no) } else { (no, yes) };
            let inner = self.taken(ir, if_none).filter(|inner| keeps(otherwise) && inner.none.is_none())?;
            return Some(Choice { none: Some(none), ..inner });
        }
        match (keeps(yes), keeps(no)) {
            (false, true) => Some(Choice { condition: Some(condition), value: yes, none: None }),
            _ => Some(Choice { condition: None, value, none: None }),
        }
    }

    /// A comparison of what is there with a constant: the constant, and whether the condition holds where they are equal.
    fn asks_for_none(&self, ir: &Ir, condition: ValueId) -> Option<(ValueId, bool)> {
        let op = ir.def_op(condition).filter(|&op| ir.opcode(op) == Opcode::ArithCmpi)?;
        let is_equal = match ir.attr(op, "predicate")?.as_i64()? {
            EQUAL => true,
            DIFFERENT => false,
            _ => return None,
        };
        let none = match ir.operands(op)[..] {
            [value, other] | [other, value] if other == self.acc && value != self.acc => value,
            _ => return None,
        };
        ir.const_int(none).map(|_| (none, is_equal))
    }

    /// The result of a choice: the place that is taken, as a reduction, and the value there.
    fn at_place(&self, ir: &mut Ir, choice: &Choice) -> Option<ValueId> {
        let linalg = self.linalg;
        let start = linalg.outputs[self.at];
        // Whoever reads an input at one place only needs a list of its indices.
        let value = self.free(ir, &[choice.value])?;
        let wanted: Vec<ValueId> = match choice.none {
            Some(_) => choice.condition.into_iter().chain([choice.value]).collect(),
            None => choice.condition.into_iter().collect(),
        };
        let asked = self.free(ir, &wanted)?;
        let inputs_of = |slice: &Slice| slice.args.iter().all(|&arg| ir.ty(linalg.inputs[arg]).is_tensor());
        if !inputs_of(&value) || !inputs_of(&asked) {
            return None;
        }
        let builder = &mut Builder::before(ir, self.op);
        let extents: Vec<Mixed> =
            (0..linalg.reduction.len()).map(|d| mixed_loop(builder, linalg, d)).collect::<Option<_>>()?;
        let i64_type = builder.ir.int_type(64);
        let (is_first, missing) = (choice.none.is_some(), if choice.none.is_some() { i64::MAX } else { -1 });
        if choice.condition.is_none() && choice.none.is_none() {
            return Some(self.at_end(builder, choice.value, &value, &extents));
        }
        // A loop's place among those that are gone, in their order.
        let units = units(builder, &self.gone.iter().map(|&d| extents[d]).collect::<Vec<_>>());
        let place = {
            let shape: Vec<Mixed> = self.dims.iter().map(|&d| extents[d]).collect();
            let (shape, sizes) = unmixed(&shape);
            let ty = builder.ir.tensor_type(&shape, i64_type);
            let empty = builder.value(Opcode::TensorEmpty, &sizes, ty, &[]);
            let none = builder.int(missing, i64_type);
            let filled = crate::structured::fill(builder, none, empty);
            let n_inputs = linalg.inputs.len();
            let whole = Linalg {
                inputs: linalg.inputs.clone(),
                outputs: vec![filled],
                maps: [&linalg.maps[..n_inputs], &[linalg.maps[n_inputs + self.at].clone()]].concat(),
                reduction: (0..linalg.reduction.len()).map(|d| self.gone.contains(&d)).collect(),
            };
            let op = generic(builder, &whole, &[]);
            let mut elems: Vec<TypeId> = linalg.inputs.iter().map(|&value| Linalg::elem(builder.ir, value)).collect();
            elems.push(i64_type);
            body_of(builder, op, &elems, |body, args| {
                let mut map = ValueMap::default();
                self.set_args(body, &(0..n_inputs).collect::<Vec<_>>(), args, &mut map);
                self.copy(body, &asked, &mut map, loop_index);
                let loops: Vec<ValueId> = self.gone.iter().map(|&d| loop_index(body, d)).collect();
                let mut place = body.index(0);
                for (&at, &unit) in loops.iter().zip(&units) {
                    let unit = unit.materialize(body);
                    let far = body.binary(Opcode::ArithMuli, at, unit);
                    place = body.binary(Opcode::ArithAddi, place, far);
                }
                let place = body.value(Opcode::ArithIndexCast, &[place], i64_type, &[]);
                let mut condition = choice.condition.map(|condition| map.get(condition));
                if let Some(none) = choice.none {
                    let other = compare(body, DIFFERENT, map.get(choice.value), map.get(none));
                    condition = Some(condition.map_or(other, |own| body.binary(Opcode::ArithAndi, own, other)));
                }
                let none = body.int(missing, i64_type);
                let here = condition.map_or(place, |condition| select(body, condition, place, none));
                let combine = if is_first { Opcode::ArithMinsi } else { Opcode::ArithMaxsi };
                vec![body.binary(combine, here, args[n_inputs])]
            });
            builder.ir.result(op, 0)
        };
        let out = new_like(builder, start);
        Some(self.elementwise(builder, &[], &[place, start], out, |body, _, args| {
            let none = body.int(missing, i64_type);
            let found = compare(body, DIFFERENT, args[0], none);
            let zero = body.int(0, i64_type);
            let at = select(body, found, args[0], zero);
            let index = body.ir.index_type();
            let at = body.value(Opcode::ArithIndexCast, &[at], index, &[]);
            let mut loops: Vec<ValueId> = Vec::new();
            for d in 0..linalg.reduction.len() {
                loops.push(match self.gone.iter().position(|&gone| gone == d) {
                    None => loop_index(body, self.own(d)),
                    Some(i) => part_of(body, at, units[i], extents[d], i == 0),
                });
            }
            let taken = self.read_at(body, choice.value, &value, &loops);
            let taken = select(body, found, taken, args[1]);
            match choice.none.and_then(|none| body.ir.const_int(none)) {
                None => taken,
                Some(none) => {
                    let ty = body.ir.type_of(args[1]);
                    let none = body.int(none, ty);
                    let is_none = compare(body, EQUAL, args[1], none);
                    select(body, is_none, taken, args[1])
                }
            }
        }))
    }

    /// The result of a body that always takes a value: the one at the last place, if there is one.
    fn at_end(&self, builder: &mut Builder<'_>, taken: ValueId, value: &Slice, extents: &[Mixed]) -> ValueId {
        let start = self.linalg.outputs[self.at];
        let out = new_like(builder, start);
        self.elementwise(builder, &[], &[start], out, |body, _, args| {
            let (mut loops, mut found) = (Vec::new(), None);
            for d in 0..extents.len() {
                loops.push(match extents[d] {
                    _ if !self.gone.contains(&d) => loop_index(body, self.own(d)),
                    Mixed::Static(extent) => body.index((extent - 1).max(0)),
                    Mixed::Value(extent) => {
                        let (zero, one) = (body.index(0), body.index(1));
                        let last = body.binary(Opcode::ArithSubi, extent, one);
                        body.binary(Opcode::ArithMaxsi, last, zero)
                    }
                });
                if self.gone.contains(&d) && !matches!(extents[d], Mixed::Static(1..)) {
                    let (extent, zero) = (extents[d].materialize(body), body.index(0));
                    let has = compare(body, DIFFERENT, extent, zero);
                    found = Some(found.map_or(has, |found| body.binary(Opcode::ArithAndi, found, has)));
                }
            }
            let taken = self.read_at(body, taken, value, &loops);
            found.map_or(taken, |found| select(body, found, taken, args[0]))
        })
    }

    /// What a value of the body is at a place, where inputs are read.
    fn read_at(&self, body: &mut Builder<'_>, wanted: ValueId, value: &Slice, loops: &[ValueId]) -> ValueId {
        let mut map = ValueMap::default();
        for &arg in &value.args {
            let input = self.linalg.inputs[arg];
            let places: Vec<ValueId> =
                self.linalg.maps[arg].results.iter().map(|place| at_loops(body, place, loops)).collect();
            let elem = Linalg::elem(body.ir, input);
            let read = body.value(Opcode::TensorExtract, &[&[input], &places[..]].concat(), elem, &[]);
            self.set_args(body, &[arg], &[read], &mut map);
        }
        self.copy(body, value, &mut map, |_, d| loops[d]);
        map.get(wanted)
    }
}

/// A tensor without contents of a tensor's shape.
fn new_like(builder: &mut Builder<'_>, like: ValueId) -> ValueId {
    let rank = builder.ir.shape_of(like).len();
    let open: Vec<usize> = (0..rank).filter(|&d| builder.ir.shape_of(like)[d] == DYNAMIC).collect();
    let sizes: Vec<ValueId> = open.into_iter().map(|d| mixed_extent(builder, like, d).materialize(builder)).collect();
    let ty = builder.ir.type_of(like);
    builder.value(Opcode::TensorEmpty, &sizes, ty, &[])
}

/// How far one step of each of some loops leads, of which the last is the fastest.
fn units(builder: &mut Builder<'_>, extents: &[Mixed]) -> Vec<Mixed> {
    let mut units = vec![Mixed::Static(1); extents.len()];
    for at in (1..extents.len()).rev() {
        units[at - 1] = match (units[at], extents[at]) {
            (Mixed::Static(a), Mixed::Static(b)) => Mixed::Static(a.saturating_mul(b)),
            (a, b) => {
                let (a, b) = (a.materialize(builder), b.materialize(builder));
                Mixed::Value(builder.binary(Opcode::ArithMuli, a, b))
            }
        };
    }
    units
}

/// The index of a loop, from a place among several: of no loop that has no elements.
fn part_of(body: &mut Builder<'_>, place: ValueId, unit: Mixed, extent: Mixed, is_first: bool) -> ValueId {
    let at_least_one = |body: &mut Builder<'_>, number: Mixed| match number {
        Mixed::Static(number) => body.index(number.max(1)),
        Mixed::Value(value) => {
            let one = body.index(1);
            body.binary(Opcode::ArithMaxsi, value, one)
        }
    };
    if let (Mixed::Static(unit), Mixed::Static(extent)) = (unit, extent) {
        let whole = Expr::binary(BinOp::FloorDiv, Expr::Dim(0), Expr::Const(unit.max(1)));
        let part = if is_first { whole } else { Expr::binary(BinOp::Mod, whole, Expr::Const(extent.max(1))) };
        return at_loops(body, &part, &[place]);
    }
    let unit = at_least_one(body, unit);
    let whole = body.binary(Opcode::ArithDivui, place, unit);
    if is_first {
        return whole;
    }
    let extent = at_least_one(body, extent);
    body.binary(Opcode::ArithRemui, whole, extent)
}
