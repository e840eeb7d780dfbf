//! Cancel conversions: a `util.hoistable_conversion` that takes another one back goes with it, pairs leave loops, and what
//! is left is taken in where it stands.
//!
//! Before: `scf.for … iter_args(%x = %init) { %f = conversion "a" inverts("b") (%x) … %g = conversion "b" inverts("a") … yield %g }`
//! After:  the loop carries what `"a"` makes; `"a"` stands in front of it and `"b"` behind
//!
//! Conversions are pure by their meaning, so that none is needed whose results nobody uses.

use raddle_ir::{Attr, Builder, Ir, OpId, Opcode, TypeId, ValueId, ValueMap};

/// Hoisting makes new pairs; no program needs more rounds than it has loops inside of loops.
const ROUNDS_MAX: usize = 64;

/// Cancels, hoists and takes in all conversions inside a function.
pub fn cancel(ir: &mut Ir, func: OpId) {
    for _ in 0..ROUNDS_MAX {
        let changed = ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::UtilHoistableConversion);
        let mut any = false;
        for op in changed.collect::<Vec<_>>() {
            // An earlier one may have taken this one along.
            any |= ir.parent_block(op).is_some() && (cancel_pair(ir, op) || hoist(ir, op));
        }
        if !any {
            break;
        }
    }
    for op in ir.walk(func).into_iter().rev() {
        if ir.opcode(op) == Opcode::UtilHoistableConversion {
            take_in(ir, op);
        }
    }
}

fn tags(ir: &Ir, op: OpId) -> Option<[&str; 2]> {
    let tag = |name: &str| match ir.attr(op, name)? {
        Attr::Str(text) => Some(&ir[*text]),
        _ => None,
    };
    (ir.opcode(op) == Opcode::UtilHoistableConversion).then(|| Some([tag("tag")?, tag("inverseTag")?]))?
}

/// Whether one takes the other back.
fn are_inverse(ir: &Ir, f: OpId, g: OpId) -> bool {
    matches!((tags(ir, f), tags(ir, g)), (Some([a, b]), Some([c, d])) if a == d && b == c)
}

fn types(ir: &Ir, values: &[ValueId]) -> Vec<TypeId> {
    values.iter().map(|&value| ir.type_of(value)).collect()
}

fn results(ir: &Ir, op: OpId) -> Vec<ValueId> {
    ir.results(op).collect()
}

/// `g(f(x))` is `x`.
fn cancel_pair(ir: &mut Ir, g: OpId) -> bool {
    let inputs = ir.operands(g).to_vec();
    let Some(f) = inputs.first().and_then(|&first| ir.def_op(first)) else { return false };
    let (origins, made) = (ir.operands(f).to_vec(), results(ir, g));
    if !are_inverse(ir, f, g) || results(ir, f) != inputs || types(ir, &origins) != types(ir, &made) {
        return false;
    }
    for (made, origin) in made.into_iter().zip(origins) {
        ir.replace_uses(made, origin);
    }
    ir.erase(g);
    if ir.results(f).all(|value| ir.is_unused(value)) {
        ir.erase(f);
    }
    true
}

/// A loop whose carried values go through `f` first and come from `g` carries what `f` makes.
fn hoist(ir: &mut Ir, g: OpId) -> bool {
    let Some(block) = ir.parent_block(g) else { return false };
    let Some(around) = ir.parent_op(g).filter(|&op| ir.opcode(op) == Opcode::ScfFor) else { return false };
    let Some(end) = ir.terminator(block) else { return false };
    let yielded = ir.operands(end).to_vec();
    let made = results(ir, g);
    let places: Option<Vec<usize>> = made.iter().map(|value| yielded.iter().position(|other| other == value)).collect();
    let Some(places) = places.filter(|places| !places.is_empty()) else { return false };
    let args: Vec<ValueId> = places.iter().map(|&at| ir.args(block)[1 + at]).collect();
    let users = ir.uses(args[0]).map(|(user, _)| user);
    let f = users.into_iter().find(|&user| are_inverse(ir, user, g) && ir.parent_block(user) == Some(block));
    let Some(f) = f.filter(|&f| ir.operands(f) == args && types(ir, &results(ir, f)) == types(ir, ir.operands(g)))
    else {
        return false;
    };
    // Who else uses the carried values, or what `g` makes, needs them as they are.
    let alone = |value: ValueId, user: OpId| ir.uses(value).all(|(other, _)| other == user);
    let each_once = made.iter().all(|&value| alone(value, end) && ir.uses(value).count() == 1);
    if !each_once || !args.iter().all(|&arg| alone(arg, f)) {
        return false;
    }
    let [lb, ub, step] = [0, 1, 2].map(|at| ir.operand(around, at));
    let mut inits = ir.operands(around)[3..].to_vec();
    let starts: Vec<ValueId> = places.iter().map(|&at| inits[at]).collect();
    let mut builder = Builder::before(ir, around);
    let builder = &mut builder;
    let front = again(builder, f, &starts);
    let n = inits.len();
    // The new values come in the place of the first old one, and the others are left out.
    let kept: Vec<usize> = (0..n).filter(|at| !places.contains(at)).collect();
    inits = kept.iter().map(|&at| inits[at]).chain(front).collect();
    let body = builder.ir.ops_of(block);
    let old_args = builder.ir.args(block).to_vec();
    let (f_results, g_inputs) = (results(builder.ir, f), builder.ir.operands(g).to_vec());
    let new = builder.for_loop(lb, ub, step, &inits, |builder, iv, args| {
        let mut map = ValueMap::default();
        map.set(old_args[0], iv);
        for (&at, &arg) in kept.iter().zip(args) {
            map.set(old_args[1 + at], arg);
        }
        for (&value, &arg) in f_results.iter().zip(&args[kept.len()..]) {
            map.set(value, arg);
        }
        for &op in body.iter().filter(|&&op| op != f && op != g && op != end) {
            builder.copy(op, &mut map);
        }
        kept.iter().map(|&at| map.get(yielded[at])).chain(g_inputs.iter().map(|&value| map.get(value))).collect()
    });
    // What a loop says beside its bounds stays said.
    let attrs = builder.ir.attr_dict(around);
    builder.ir.set_attr_dict(new, attrs);
    let news = results(builder.ir, new);
    let back = again(builder, g, &news[kept.len()..]);
    let olds = results(ir, around);
    for (&at, &value) in kept.iter().zip(&news) {
        ir.replace_uses(olds[at], value);
    }
    for (&at, &value) in places.iter().zip(&back) {
        ir.replace_uses(olds[at], value);
    }
    ir.erase(around);
    true
}

/// The same conversion of other values.
fn again(builder: &mut Builder<'_>, op: OpId, inputs: &[ValueId]) -> Vec<ValueId> {
    let copy = builder.copy(op, &mut ValueMap::default());
    builder.ir.set_operands(copy, inputs);
    results(builder.ir, copy)
}

/// What a conversion does, in its place.
fn take_in(ir: &mut Ir, op: OpId) {
    let Some(block) = ir.body(op, 0) else { return };
    let mut map = ValueMap::default();
    for (&arg, &input) in ir.args(block).iter().zip(ir.operands(op)) {
        map.set(arg, input);
    }
    let ops = ir.ops_of(block);
    let mut builder = Builder::before(ir, op);
    let mut returned = Vec::new();
    for inner in ops {
        if builder.ir.opcode(inner) == Opcode::UtilReturn {
            returned = builder.ir.operands(inner).iter().map(|&value| map.get(value)).collect();
        } else {
            builder.copy(inner, &mut map);
        }
    }
    for (result, value) in results(ir, op).into_iter().zip(returned) {
        ir.replace_uses(result, value);
    }
    ir.erase(op);
}
