//! Expand math: write functions that machines only approximate, and arithmetic on small floats, with operations that
//! every machine rounds alike.
//!
//! Before: `%y = math.erf %x : f32`
//! After:  additions, products and fused ones, divisions, roots, selects, and integers on the bits of floats.
//!
//! What is left are operations that IEEE 754 rounds once, so that a lowered program has the same bits on the emulator
//! and on every chip. Functions are computed in f32 or f64: 16-bit formats and smaller ones go through f32 and round
//! once more. How far each may be off stands in its row, in units in the last place (ULP); `tests/accuracy.rs` measures
//! it. `cargo xtask accuracy` prints the table of docs/accuracy.md.
//!
//! Where approximations are asked for (`fast`), the functions that chips have instructions for stay.
//!
//! It runs at the end of `lower`, and on lowered programs that users wrote. Vectors are there on CPUs alone: a function
//! of them is computed in all elements at once ([`has_vector_rule`]).

mod angle;
mod code;
mod coefficients;
mod error;
mod exponential;
mod logarithm;
mod narrow;
mod power;
mod simple;

use raddle_ir::{Builder, Class, Diag, Float, Ir, OpId, Opcode, Scalar, Type, TypeId, ValueId};
use raddle_target::Chip;
use rustc_hash::FxHashSet;

use self::code::{Code, Constants, Format};
use crate::facts::Facts;
use crate::normalize::powers::NOT_POSITIVE;

/// How a function is written.
#[derive(Clone, Copy)]
enum Rule {
    Unary(fn(&mut Code<'_>, ValueId) -> ValueId),
    Binary(fn(&mut Code<'_>, ValueId, ValueId) -> ValueId),
}

/// A function with a rule.
pub struct Function {
    /// The operation.
    pub opcode: Opcode,
    /// The greatest distance from the exact result in f32 and in f64, in ULP.
    pub ulp: [f64; 2],
    /// Whether chips have an instruction that approximates it in f32.
    pub has_instruction: bool,
    rule: Rule,
}

const fn unary(opcode: Opcode, ulp: [f64; 2], rule: fn(&mut Code<'_>, ValueId) -> ValueId) -> Function {
    Function { opcode, ulp, has_instruction: false, rule: Rule::Unary(rule) }
}

const fn binary(opcode: Opcode, ulp: [f64; 2], rule: fn(&mut Code<'_>, ValueId, ValueId) -> ValueId) -> Function {
    Function { opcode, ulp, has_instruction: false, rule: Rule::Binary(rule) }
}

#[allow(clippy::needless_pass_by_value, reason = "a constant cannot borrow what it is made of")]
const fn approximated(function: Function) -> Function {
    Function { has_instruction: true, ..function }
}

/// Every function.
pub const FUNCTIONS: &[Function] = &[
    approximated(unary(Opcode::MathExp, [1.0, 1.0], exponential::exp)),
    approximated(unary(Opcode::MathExp2, [1.0, 1.0], exponential::exp2)),
    unary(Opcode::MathExpm1, [1.5, 1.5], exponential::expm1),
    unary(Opcode::MathSinh, [2.0, 2.0], exponential::sinh),
    unary(Opcode::MathCosh, [2.0, 2.0], exponential::cosh),
    approximated(unary(Opcode::MathTanh, [1.5, 1.5], exponential::tanh)),
    approximated(unary(Opcode::MathLog, [1.5, 1.5], logarithm::log)),
    approximated(unary(Opcode::MathLog2, [1.5, 1.5], logarithm::log2)),
    unary(Opcode::MathLog10, [1.5, 1.5], logarithm::log10),
    unary(Opcode::MathLog1p, [2.0, 2.0], logarithm::log1p),
    unary(Opcode::MathAsinh, [2.0, 2.5], logarithm::asinh),
    unary(Opcode::MathAcosh, [2.5, 2.0], logarithm::acosh),
    unary(Opcode::MathAtanh, [2.0, 2.0], logarithm::atanh),
    approximated(unary(Opcode::MathSin, [2.0, 2.0], angle::sin)),
    approximated(unary(Opcode::MathCos, [2.0, 2.0], angle::cos)),
    unary(Opcode::MathTan, [2.5, 2.5], angle::tan),
    unary(Opcode::MathAsin, [2.0, 2.0], angle::asin),
    unary(Opcode::MathAcos, [2.0, 2.0], angle::acos),
    unary(Opcode::MathAtan, [2.0, 2.0], angle::atan),
    binary(Opcode::MathAtan2, [2.0, 2.0], angle::atan2),
    unary(Opcode::MathErf, [1.5, 2.0], error::erf),
    unary(Opcode::MathErfc, [3.5, 3.5], error::erfc),
    binary(Opcode::MathPowf, [1.5, 1.5], power::powf),
    unary(Opcode::MathCbrt, [1.0, 1.0], power::cbrt),
    approximated(unary(Opcode::MathRsqrt, [1.5, 1.5], power::rsqrt)),
    // These are exact.
    binary(Opcode::ArithRemf, [0.0, 0.0], power::remf),
    unary(Opcode::MathRound, [0.0, 0.0], simple::round),
];

/// Neighbours whose operations are written in turns, and where a function has many operations: then registers that they
/// take cost less than waiting. Measured on a Zen 4: of four, erf takes 0.77 of its time and powers 0.81, but log 1.08.
const AT_ONCE: usize = 2;
const AT_ONCE_OF_LONG: usize = 4;
const LONG: usize = 45;

/// Whether an operation on vectors can be expanded in all elements at once.
pub(crate) fn has_vector_rule(ir: &Ir, op: OpId) -> bool {
    let opcode = ir.opcode(op);
    let known = FUNCTIONS.iter().any(|function| function.opcode == opcode);
    let computed = |value: ValueId| {
        matches!(float_of(ir, ir.elem_of(value)), Some(Float::F16 | Float::BF16 | Float::F32 | Float::F64))
    };
    known && ir.operands(op).iter().copied().chain(ir.results(op)).all(computed)
}

/// The pass, with what it was asked for.
pub(crate) fn run(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    expand(ir, func, facts);
    Ok(())
}

/// Expands all that a function holds. Small floats first: what computes on them becomes functions of f32.
pub(crate) fn expand(ir: &mut Ir, func: OpId, facts: &Facts) {
    // Most modules name no such type.
    let is_small = |ty: &Type| matches!(ty, Type::Float(float) if is_narrow(*float));
    let may_be_small = ir.types().any(is_small);
    let mut constants = Constants::default();
    for op in ir.walk(func) {
        let computes = ir.class(op) == Class::Elementwise && (may_be_small || is_scaling(ir, op));
        if computes && scalar_operands(ir, op) && is_of_small(ir, op) {
            widen_small(ir, op, &mut constants, facts);
        }
    }
    let native = facts.chip.native.is_some();
    let written: FxHashSet<Opcode> =
        FUNCTIONS.iter().map(|function| function.opcode).chain(OTHERS.iter().copied()).collect();
    // What stands further down does not serve functions in front of it.
    constants.clear();
    for group in neighbours(ir, func, native, &written) {
        let end = ir.next_op(group[group.len() - 1]);
        let mut markers = Vec::new();
        for &op in &group {
            let mut own = Constants::default();
            let constants = if group.len() > 1 { &mut own } else { &mut constants };
            if group.len() > 1 {
                markers.push(mark(ir, op));
            }
            let fast = facts.fast_math || ir.may_approximate(op);
            write_function(ir, op, constants, fast && !(native && has_vector_rule(ir, op)), native);
        }
        in_turns(ir, &markers, end);
    }
}

/// The functions to be written, each alone, or where they are of vectors with neighbours that are the same one.
fn neighbours(ir: &Ir, func: OpId, native: bool, written: &FxHashSet<Opcode>) -> Vec<Vec<OpId>> {
    let mut groups: Vec<Vec<OpId>> = Vec::new();
    for op in ir.walk(func).into_iter().filter(|&op| written.contains(&ir.opcode(op))) {
        let on_vectors = native && has_vector_rule(ir, op) && !scalar_operands(ir, op);
        if !on_vectors && !scalar_operands(ir, op) {
            continue;
        }
        let joins = |group: &&mut Vec<OpId>| {
            let last = group[group.len() - 1];
            let uses = |&value: &ValueId| ir.def_op(value).is_some_and(|made| group.contains(&made));
            ir.opcode(last) == ir.opcode(op) && ir.next_op(last) == Some(op) && !ir.operands(op).iter().any(uses)
        };
        match groups.last_mut().filter(|_| on_vectors).filter(joins) {
            Some(group) => group.push(op),
            None => groups.push(vec![op]),
        }
    }
    groups
}

/// An operation that stands where what is written for another one begins.
fn mark(ir: &mut Ir, op: OpId) -> OpId {
    let mut builder = Builder::before(ir, op);
    let zero = builder.index(0);
    ir.def_op(zero).expect("a constant is made by an operation")
}

/// Puts what was written for neighbours, behind a marker each, in turns, one operation of each: a processor sees some
/// dozens of operations ahead, and those of one function wait for one another.
fn in_turns(ir: &mut Ir, markers: &[OpId], end: Option<OpId>) {
    let mut parts: Vec<Vec<OpId>> = Vec::new();
    for (i, &marker) in markers.iter().enumerate() {
        let end = markers.get(i + 1).copied().or(end);
        let behind = std::iter::successors(ir.next_op(marker), |&op| ir.next_op(op));
        parts.push(behind.take_while(|&op| Some(op) != end).collect());
    }
    let is_long = parts.first().is_some_and(|part| part.len() > LONG);
    for parts in parts.chunks(if is_long { AT_ONCE_OF_LONG } else { AT_ONCE }) {
        let turns = parts.iter().map(Vec::len).max().unwrap_or(0);
        for turn in 0..turns {
            for &op in parts.iter().filter_map(|part| part.get(turn)) {
                ir.detach(op);
                ir.insert_before(markers[0], op);
            }
        }
    }
    for &marker in markers {
        ir.erase(marker);
    }
}

fn scalar_operands(ir: &Ir, op: OpId) -> bool {
    ir.results(op).len() > 0 && ir.operands(op).iter().all(|&operand| Scalar::of(ir.ty(operand)).is_some())
}

fn float_of(ir: &Ir, ty: TypeId) -> Option<Float> {
    match Scalar::of(&ir[ty]) {
        Some(Scalar::Float(float)) => Some(float),
        Some(Scalar::Int(_) | Scalar::Index) | None => None,
    }
}

pub(crate) fn int_width(ir: &Ir, ty: TypeId) -> u32 {
    Scalar::of(&ir[ty]).map_or(0, Scalar::bits)
}

fn replace(ir: &mut Ir, op: OpId, new: ValueId) {
    ir.replace_uses(ir.result(op, 0), new);
    ir.erase(op);
}

// ---- small floats

/// Whether arithmetic on a format is done in another one.
fn is_narrow(float: Float) -> bool {
    narrow::is_small(float) || float == Float::TF32
}

/// Whether an operation computes on formats that are computed in another one, or with scales, which chips do not have.
fn is_of_small(ir: &Ir, op: OpId) -> bool {
    let narrow = |value: ValueId| float_of(ir, ir.type_of(value)).is_some_and(is_narrow);
    match ir.opcode(op) {
        Opcode::ArithSelect | Opcode::ArithBitcast => false,
        _ => is_scaling(ir, op) || ir.operands(op).iter().copied().chain(ir.results(op)).any(narrow),
    }
}

fn is_scaling(ir: &Ir, op: OpId) -> bool {
    matches!(ir.opcode(op), Opcode::ArithScalingExtf | Opcode::ArithScalingTruncf)
}

/// An operation on small floats becomes one on f32, between conversions; a conversion becomes integers, where the chip
/// has none.
fn widen_small(ir: &mut Ir, op: OpId, constants: &mut Constants, facts: &Facts) {
    let opcode = ir.opcode(op);
    let operands = ir.operands(op).to_vec();
    let result = ir.result(op, 0);
    let to = ir.type_of(result);
    let (attrs, span) = (ir.attr_dict(op), ir.span(op));
    let mut c = Code::new(Builder::before(ir, op), constants, Format::F32);
    let chip = facts.chip;
    let value = match opcode {
        Opcode::ArithExtf | Opcode::ArithTruncf => {
            let wide = to_f32(&mut c, operands[0], chip);
            from_f32(&mut c, wide, to, chip)
        }
        Opcode::ArithScalingExtf | Opcode::ArithScalingTruncf => {
            // The scale becomes a power of two first; the arithmetic is that of the wider type.
            let ty = if opcode == Opcode::ArithScalingExtf { to } else { c.b.ir.type_of(operands[0]) };
            let power = c.b.ir.float_type(Float::F8E8M0FNU);
            let scale = to_f32(&mut c, operands[1], chip);
            let scale = from_f32(&mut c, scale, power, chip);
            let scale = to_f32(&mut c, scale, chip);
            let scale = from_f32(&mut c, scale, ty, chip);
            let x = if c.b.ir.type_of(operands[0]) == ty {
                operands[0]
            } else {
                let x = to_f32(&mut c, operands[0], chip);
                from_f32(&mut c, x, ty, chip)
            };
            let opcode = if opcode == Opcode::ArithScalingExtf { Opcode::ArithMulf } else { Opcode::ArithDivf };
            let scaled = if float_of(c.b.ir, ty).is_some_and(is_narrow) {
                let operands = [x, scale].map(|value| to_f32(&mut c, value, chip));
                let wide = c.binary(opcode, operands[0], operands[1]);
                from_f32(&mut c, wide, ty, chip)
            } else {
                c.b.value(opcode, &[x, scale], ty, &[])
            };
            if ty == to {
                scaled
            } else {
                let wide = to_f32(&mut c, scaled, chip);
                from_f32(&mut c, wide, to, chip)
            }
        }
        // Products of small numbers and their sums have at most 53 bits.
        Opcode::MathFma => {
            let long = c.b.ir.float_type(Float::F64);
            let operands: Vec<ValueId> = operands
                .iter()
                .map(|&value| {
                    let wide = to_f32(&mut c, value, chip);
                    c.b.value(Opcode::ArithExtf, &[wide], long, &[])
                })
                .collect();
            let sum = c.b.value(Opcode::MathFma, &operands, long, &[]);
            let odd = narrow::round_odd(&mut c, sum);
            from_f32(&mut c, odd, to, chip)
        }
        Opcode::ArithSitofp | Opcode::ArithUitofp => {
            let long = c.b.ir.float_type(Float::F64);
            let wide = c.b.value(opcode, &operands, long, &[]);
            let odd = narrow::round_odd(&mut c, wide);
            from_f32(&mut c, odd, to, chip)
        }
        Opcode::MathIsfinite | Opcode::MathIsinf | Opcode::MathIsnan | Opcode::MathIsnormal => {
            let least = least_normal(c.b.ir, operands[0]);
            let x = to_f32(&mut c, operands[0], chip);
            simple::test(&mut c, opcode, x, least)
        }
        _ => {
            let wide: Vec<ValueId> = operands
                .iter()
                .map(|&value| {
                    if float_of(c.b.ir, c.b.ir.type_of(value)).is_some() { to_f32(&mut c, value, chip) } else { value }
                })
                .collect();
            let ty = if float_of(c.b.ir, to).is_some() { c.float } else { to };
            let inner = c.b.ir.create_with(opcode, &wide, &[ty], attrs, span);
            c.b.place(inner);
            let value = c.b.ir.result(inner, 0);
            if ty == to { value } else { from_f32(&mut c, value, to, chip) }
        }
    };
    replace(ir, op, value);
}

/// A float as an f32; of an f64, one that rounds to fewer digits as the f64 itself does.
fn to_f32(c: &mut Code<'_>, x: ValueId, chip: &Chip) -> ValueId {
    match float_of(c.b.ir, c.b.ir.type_of(x)) {
        Some(Float::F64) => narrow::round_odd(c, x),
        Some(float) if narrow::is_small(float) && !chip.converts(float) => narrow::widen(c, x, float),
        _ => c.convert(Opcode::ArithExtf, x, c.float),
    }
}

/// An f32 in another format.
fn from_f32(c: &mut Code<'_>, x: ValueId, ty: TypeId, chip: &Chip) -> ValueId {
    match float_of(c.b.ir, ty) {
        Some(Float::F64) => c.convert(Opcode::ArithExtf, x, ty),
        Some(float) if narrow::is_small(float) && !chip.converts(float) => narrow::round(c, x, float),
        _ => c.convert(Opcode::ArithTruncf, x, ty),
    }
}

/// The smallest normal number of a float's format.
fn least_normal(ir: &Ir, x: ValueId) -> f64 {
    // A format of powers of two has no subnormal numbers: its least exponent is one of them.
    let first = |float: Float| if float == Float::F8E8M0FNU { 0 } else { 1 };
    float_of(ir, ir.type_of(x))
        .map_or(0.0, |float| f64::from(first(float) - raddle_ir::float::format(float).bias).exp2())
}

// ---- functions

/// Operations that are not in the table, and are written out, too.
const OTHERS: &[Opcode] = &[
    Opcode::MathIpowi,
    Opcode::MathFpowi,
    Opcode::MathClampf,
    Opcode::MathIsfinite,
    Opcode::MathIsinf,
    Opcode::MathIsnan,
    Opcode::MathIsnormal,
];

/// Writes one function of scalars or vectors, `native` for a machine without instructions for them; longer floats than f64
/// have no rule, and stay.
fn write_function(ir: &mut Ir, op: OpId, constants: &mut Constants, fast: bool, native: bool) {
    let opcode = ir.opcode(op);
    let operands = ir.operands(op).to_vec();
    if opcode == Opcode::MathIpowi {
        let ty = ir.type_of(operands[0]);
        if int_width(ir, ty) <= 64 {
            let mut c = Code::new(Builder::before(ir, op), constants, Format::F32);
            let value = power::ipowi(&mut c, operands[0], operands[1], ty);
            replace(ir, op, value);
        }
        return;
    }
    let function = FUNCTIONS.iter().find(|function| function.opcode == opcode);
    let ty = ir.type_of(operands[0]);
    let Some(float) = float_of(ir, ir.elem_of(operands[0])) else { return };
    let format = match float {
        Float::F64 => Format::F64,
        Float::F32 | Float::F16 | Float::BF16 => Format::F32,
        _ => return,
    };
    let instruction = function.is_some_and(|function| function.has_instruction);
    if fast && instruction && format == Format::F32 {
        return;
    }
    if opcode == Opcode::MathFpowi && int_width(ir, ir.type_of(operands[1])) > 64 {
        return;
    }
    let is_below = ir.attr_id(op, NOT_POSITIVE).is_some();
    let least = least_normal(ir, operands[0]);
    let lanes = ir.ty(operands[0]).shape().and_then(|shape| shape.first().copied());
    let mut c = Code::of_lanes(Builder::before(ir, op), constants, format, lanes);
    c.short = Some(float).filter(|float| matches!(float, Float::F16 | Float::BF16));
    let wide: Vec<ValueId> = operands
        .iter()
        .map(|&value| {
            if float_of(c.b.ir, c.b.ir.elem_of(value)).is_some() {
                c.convert(Opcode::ArithExtf, value, c.float)
            } else {
                value
            }
        })
        .collect();
    let value = match (function.map(|function| function.rule), &wide[..]) {
        (Some(Rule::Unary(rule)), &[x]) => {
            let short = c.short.filter(|_| !native);
            match (opcode, short) {
                (Opcode::MathExp, Some(short)) => exponential::short_power(&mut c, x, exponential::LOG2_E, short),
                (Opcode::MathExp2, Some(short)) => exponential::short_power(&mut c, x, 1.0, short),
                (Opcode::MathExp, None) if is_below => exponential::exp_below(&mut c, x),
                (Opcode::MathExp2, None) if is_below => exponential::exp2_below(&mut c, x),
                _ => rule(&mut c, x),
            }
        }
        (Some(Rule::Binary(rule)), &[x, y]) => rule(&mut c, x, y),
        (None, &[x, n]) => power::fpowi(&mut c, x, n),
        (None, &[x, least, most]) => simple::clamp(&mut c, x, least, most),
        (None, &[x]) => {
            let value = simple::test(&mut c, opcode, x, least);
            return replace(ir, op, value);
        }
        _ => panic!("the verifier counts operands"),
    };
    let value = c.convert(Opcode::ArithTruncf, value, ty);
    replace(ir, op, value);
}
