//! Fold elementwise operations: constants, neutral and absorbing elements, equal operands.
//!
//! Everything here holds for scalars and, element by element, for vectors; a splat counts as its element. Integers wrap
//! at their width. Of float identities only those stay that give the same bits for every input, signed zeros, infinities
//! and NaNs among them.

use raddle_ir::{Builder, Float, Ir, OpId, Opcode, Type, TypeId, ValueId, float};

use super::fold::Fold;
use super::number::{self, Number, int_width, unsigned, wrap};
use super::truth;

/// Folds one elementwise operation.
pub(super) fn fold(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let opcode = ir.opcode(op);
    match ir.operands(op).len() {
        1 => fold_unary(ir, op, opcode),
        2 if matches!(opcode, Opcode::ArithCmpi) => truth::fold_cmpi(ir, op),
        2 => fold_binary(ir, op, opcode),
        3 if opcode == Opcode::ArithSelect => truth::fold_select(ir, op),
        _ => None,
    }
}

/// The constant that an operation always gives.
pub(super) fn known(ir: &mut Ir, op: OpId, number: Number) -> Option<Fold> {
    let ty = ir.type_of(ir.result(op, 0));
    Fold::value(number::constant(ir, op, number, ty))
}

fn elem(ir: &Ir, value: ValueId) -> TypeId {
    ir.elem_of(value)
}

/// The float format of a type that the host computes exactly: with rounding to `f64` first, the sum, product or quotient
/// of two numbers of at most 24 bits of precision is not rounded twice to any effect.
fn exact_float(ir: &Ir, ty: TypeId) -> Option<Float> {
    match ir[ty] {
        Type::Float(float @ (Float::F16 | Float::BF16 | Float::F32 | Float::F64)) => Some(float),
        _ => None,
    }
}

fn fold_unary(ir: &mut Ir, op: OpId, opcode: Opcode) -> Option<Fold> {
    let source = ir.operand(op, 0);
    let result = ir.result(op, 0);
    let (from, to) = (elem(ir, source), elem(ir, result));
    if let Some(number) = number::of(ir, source)
        && let Some(number) = eval_unary(ir, op, opcode, number, from, to)
    {
        return known(ir, op, number);
    }
    let inner = ir.def_op(source).filter(|&inner| ir.operands(inner).len() == 1)?;
    let origin = ir.operand(inner, 0);
    if ir.attr_id(inner, "layouts").is_none()
        && let Some((opcode, value)) = join_casts(ir, opcode, ir.opcode(inner), origin, to)
    {
        let ty = ir.type_of(result);
        return Fold::value(Builder::before(ir, op).value(opcode, &[value], ty, &[]));
    }
    let same = ir.type_of(origin) == ir.type_of(result);
    match (opcode, ir.opcode(inner)) {
        // -(-x) == x: both only flip the sign bit.
        (Opcode::ArithNegf, Opcode::ArithNegf) => Fold::value(origin),
        // The low bits of an extended value are the value.
        (Opcode::ArithTrunci, Opcode::ArithExtsi | Opcode::ArithExtui) if same => Fold::value(origin),
        // Every number of the narrower format is one of the wider; NaNs keep their payload.
        (Opcode::ArithTruncf, Opcode::ArithExtf) if same => Fold::value(origin),
        (Opcode::ArithBitcast, Opcode::ArithBitcast) if same => Fold::value(origin),
        // An index has 64 bits: from a narrower integer to an index and back is nothing, and so is the way through i64.
        (Opcode::ArithIndexCast, Opcode::ArithIndexCast) | (Opcode::ArithIndexCastui, Opcode::ArithIndexCastui)
            if same
                && (ir[to] != Type::Index || int_width(ir, elem(ir, source)) == Some(64))
                && int_width(ir, to).is_some() =>
        {
            Fold::value(origin)
        }
        _ => None,
    }
}

/// One cast for two: the outer opcode, the inner one, what the inner one casts, and the type in the end.
fn join_casts(ir: &Ir, outer: Opcode, inner: Opcode, origin: ValueId, to: TypeId) -> Option<(Opcode, ValueId)> {
    let (from, to) = (int_width(ir, elem(ir, origin))?, int_width(ir, to)?);
    let cast = match (outer, inner) {
        (Opcode::ArithExtsi, Opcode::ArithExtsi) => Opcode::ArithExtsi,
        (Opcode::ArithExtui, Opcode::ArithExtui) => Opcode::ArithExtui,
        // What was extended with zeros is not negative.
        (Opcode::ArithExtsi, Opcode::ArithExtui) => Opcode::ArithExtui,
        (Opcode::ArithTrunci, Opcode::ArithTrunci) => Opcode::ArithTrunci,
        (Opcode::ArithTrunci, Opcode::ArithExtsi | Opcode::ArithExtui) if to > from => inner,
        (Opcode::ArithTrunci, Opcode::ArithExtsi | Opcode::ArithExtui) if to < from => Opcode::ArithTrunci,
        (Opcode::ArithIndexCast, Opcode::ArithExtsi) => Opcode::ArithIndexCast,
        (Opcode::ArithIndexCastui, Opcode::ArithExtui) => Opcode::ArithIndexCastui,
        _ => return None,
    };
    Some((cast, origin))
}

fn eval_unary(ir: &Ir, op: OpId, opcode: Opcode, number: Number, from: TypeId, to: TypeId) -> Option<Number> {
    match (opcode, number) {
        (Opcode::ArithNegf, Number::Float(value)) => Some(Number::Float(-value)).filter(|_| !value.is_nan()),
        (Opcode::ArithExtf, Number::Float(value)) => Some(Number::Float(value)).filter(|_| !value.is_nan()),
        // Rounded twice is rounded once: f64 has more than twice the digits and two of all narrower formats.
        (Opcode::MathSqrt, Number::Float(value)) if value >= 0.0 => match ir[to] {
            Type::Float(format) => Some(Number::Float(float::round(format, value.sqrt()))),
            _ => None,
        },
        (Opcode::ArithTruncf, Number::Float(value)) if !value.is_nan() && ir.attr_id(op, "roundingmode").is_none() => {
            let Type::Float(format) = ir[to] else { return None };
            Some(Number::Float(float::round(format, value)))
        }
        (Opcode::ArithExtsi | Opcode::ArithIndexCast | Opcode::ArithTrunci, Number::Int(value)) => {
            Some(Number::Int(wrap(value.into(), int_width(ir, to)?)))
        }
        (Opcode::ArithExtui | Opcode::ArithIndexCastui, Number::Int(value)) => {
            let value = unsigned(value, int_width(ir, from)?);
            Some(Number::Int(wrap(value.into(), int_width(ir, to)?)))
        }
        // Toward zero; what does not fit has no defined result.
        (Opcode::ArithFptosi, Number::Float(value)) if value.is_finite() => {
            let (width, value) = (int_width(ir, to)?, value.trunc());
            let limit = 2f64.powi(width as i32 - 1);
            (width <= 53 && value >= -limit && value < limit).then_some(Number::Int(value as i64))
        }
        // Numbers of at most 53 bits are exact as f64; rounding them further rounds once.
        (Opcode::ArithSitofp, Number::Int(value)) if value.unsigned_abs() <= 1 << 53 => {
            Some(Number::Float(float::round(exact_float(ir, to)?, value as f64)))
        }
        (Opcode::ArithUitofp, Number::Int(value)) => {
            let value = unsigned(value, int_width(ir, from)?);
            let format = exact_float(ir, to)?;
            (value <= 1 << 53).then(|| Number::Float(float::round(format, value as f64)))
        }
        _ => None,
    }
}

fn is_constant(ir: &Ir, value: ValueId) -> bool {
    ir.def_op(value).is_some_and(|op| ir.opcode(op) == Opcode::ArithConstant)
}

/// Whether a float operation may change places with a constant: it may where the constant is not NaN, for then there is
/// one NaN at most to come out, or is one that does not come out.
fn commutes_with(opcode: Opcode, constant: Number) -> bool {
    let Number::Float(value) = constant else { return false };
    match opcode {
        Opcode::ArithAddf | Opcode::ArithMulf | Opcode::ArithMaximumf | Opcode::ArithMinimumf => !value.is_nan(),
        Opcode::ArithMaxnumf | Opcode::ArithMinnumf => value.is_nan(),
        _ => false,
    }
}

fn fold_binary(ir: &mut Ir, op: OpId, opcode: Opcode) -> Option<Fold> {
    let (lhs, rhs) = (ir.operand(op, 0), ir.operand(op, 1));
    let (a, b) = (number::of(ir, lhs), number::of(ir, rhs));
    match (a, b) {
        (Some(Number::Int(a)), Some(Number::Int(b))) => {
            let width = int_width(ir, elem(ir, lhs))?;
            let value = eval_int(opcode, width, a, b)?;
            return known(ir, op, Number::Int(value));
        }
        (Some(Number::Float(a)), Some(Number::Float(b))) if opcode == Opcode::ArithCmpf => {
            let predicate = ir.attr(op, "predicate")?.as_i64()?;
            return known(ir, op, Number::Int(-i64::from(compare_floats(predicate, a, b)?)));
        }
        (Some(Number::Float(a)), Some(Number::Float(b))) => {
            let format = exact_float(ir, elem(ir, lhs))?;
            let value = eval_float(opcode, a, b)?;
            // Which NaN an operation makes is the machine's business.
            return if value.is_nan() { None } else { known(ir, op, Number::Float(float::round(format, value))) };
        }
        // Constants stand on the right.
        (Some(constant), None) if opcode.info().is_commutative() || commutes_with(opcode, constant) => {
            ir.set_operands(op, &[rhs, lhs]);
            return Some(Fold::Changed);
        }
        // Vectors of different numbers, too.
        (None, None) if opcode.info().is_commutative() && is_constant(ir, lhs) && !is_constant(ir, rhs) => {
            ir.set_operands(op, &[rhs, lhs]);
            return Some(Fold::Changed);
        }
        _ => {}
    }
    if opcode == Opcode::ArithXori
        && let Some(fold) = truth::fold_not(ir, op)
    {
        return Some(fold);
    }
    if a == Some(Number::Int(0)) && matches!(opcode, Opcode::ArithShli | Opcode::ArithShrsi | Opcode::ArithShrui) {
        return Fold::value(lhs);
    }
    if let Some(fold) = cancel(ir, opcode, lhs, rhs) {
        return Some(fold);
    }
    if let Some(Number::Int(b)) = b
        && let Some(width) = int_width(ir, elem(ir, lhs))
    {
        return fold_int_constant(ir, op, opcode, lhs, b, width);
    }
    if let Some(Number::Float(b)) = b
        && is_neutral_float(opcode, b)
    {
        return Fold::value(lhs);
    }
    if lhs == rhs {
        return match opcode {
            Opcode::ArithSubi | Opcode::ArithXori => known(ir, op, Number::Int(0)),
            Opcode::ArithAndi | Opcode::ArithOri => Fold::value(lhs),
            Opcode::ArithMaxsi | Opcode::ArithMaxui | Opcode::ArithMinsi | Opcode::ArithMinui => Fold::value(lhs),
            Opcode::ArithMaximumf | Opcode::ArithMinimumf | Opcode::ArithMaxnumf | Opcode::ArithMinnumf => {
                Fold::value(lhs)
            }
            _ => None,
        };
    }
    None
}

/// What an operation undoes or repeats of the one that made an operand: x + y - y, x - y + y, x ^ y ^ y, x & y & y.
fn cancel(ir: &Ir, opcode: Opcode, lhs: ValueId, rhs: ValueId) -> Option<Fold> {
    let made = |value: ValueId, opcode: Opcode| {
        let op = ir.def_op(value).filter(|&op| ir.opcode(op) == opcode && ir.attr_id(op, "layouts").is_none())?;
        Some((ir.operand(op, 0), ir.operand(op, 1)))
    };
    let other = |(a, b): (ValueId, ValueId), value: ValueId| {
        if b == value {
            Some(a)
        } else if a == value {
            Some(b)
        } else {
            None
        }
    };
    match opcode {
        Opcode::ArithSubi => made(lhs, Opcode::ArithAddi).and_then(|sum| other(sum, rhs)).and_then(Fold::value),
        Opcode::ArithAddi => {
            let of = |difference: ValueId, added: ValueId| {
                made(difference, Opcode::ArithSubi).filter(|pair| pair.1 == added).map(|pair| pair.0)
            };
            of(lhs, rhs).or(of(rhs, lhs)).and_then(Fold::value)
        }
        Opcode::ArithXori => {
            let of =
                |value: ValueId, again: ValueId| made(value, Opcode::ArithXori).and_then(|pair| other(pair, again));
            of(lhs, rhs).or(of(rhs, lhs)).and_then(Fold::value)
        }
        Opcode::ArithAndi | Opcode::ArithOri => {
            let holds =
                |value: ValueId, again: ValueId| made(value, opcode).and_then(|pair| other(pair, again)).is_some();
            if holds(lhs, rhs) {
                Fold::value(lhs)
            } else if holds(rhs, lhs) {
                Fold::value(rhs)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// Whether `a` relates to `b` as `arith.cmpf`'s predicate number says.
fn compare_floats(predicate: i64, a: f64, b: f64) -> Option<bool> {
    let unordered = a.is_nan() || b.is_nan();
    Some(match predicate {
        0 => false,
        1 => a == b,
        2 => a > b,
        3 => a >= b,
        4 => a < b,
        5 => a <= b,
        6 => a != b && !unordered,
        7 => !unordered,
        8 => a == b || unordered,
        9 => a > b || unordered,
        10 => a >= b || unordered,
        11 => a < b || unordered,
        12 => a <= b || unordered,
        13 => a != b,
        14 => unordered,
        15 => true,
        _ => return None,
    })
}

/// x + -0 == x - 0 == x * 1 == x / 1 == x for every x. (x + 0 is not: -0 + 0 is 0.) The greater of a number and NaN is the
/// number, for `maxnumf`.
fn is_neutral_float(opcode: Opcode, b: f64) -> bool {
    match opcode {
        Opcode::ArithAddf => b == 0.0 && b.is_sign_negative(),
        Opcode::ArithSubf => b == 0.0 && b.is_sign_positive(),
        Opcode::ArithMulf | Opcode::ArithDivf => b == 1.0,
        Opcode::ArithMaximumf => b == f64::NEG_INFINITY,
        Opcode::ArithMinimumf => b == f64::INFINITY,
        Opcode::ArithMaxnumf | Opcode::ArithMinnumf => b.is_nan(),
        _ => false,
    }
}

fn eval_float(opcode: Opcode, a: f64, b: f64) -> Option<f64> {
    match opcode {
        Opcode::ArithAddf => Some(a + b),
        Opcode::ArithSubf => Some(a - b),
        Opcode::ArithMulf => Some(a * b),
        Opcode::ArithDivf => Some(a / b),
        _ => None,
    }
}

/// `x op b` for a constant `b`.
fn fold_int_constant(ir: &mut Ir, op: OpId, opcode: Opcode, lhs: ValueId, b: i64, width: u32) -> Option<Fold> {
    let ones = -1;
    let least = wrap(1 << (width - 1), width);
    let most = !least;
    match (opcode, b) {
        (Opcode::ArithAddi | Opcode::ArithSubi | Opcode::ArithOri | Opcode::ArithXori, 0) => Fold::value(lhs),
        (Opcode::ArithShli | Opcode::ArithShrsi | Opcode::ArithShrui, 0) => Fold::value(lhs),
        // At width 1 the number 1 is -1.
        (Opcode::ArithMuli | Opcode::ArithDivui | Opcode::ArithCeildivui, 1) => Fold::value(lhs),
        (Opcode::ArithMuli, -1) if width == 1 => Fold::value(lhs),
        (Opcode::ArithDivsi | Opcode::ArithFloordivsi | Opcode::ArithCeildivsi, 1) => Fold::value(lhs),
        (Opcode::ArithRemsi | Opcode::ArithRemui, 1) => known(ir, op, Number::Int(0)),
        (Opcode::ArithMuli | Opcode::ArithAndi, 0) => known(ir, op, Number::Int(0)),
        (Opcode::ArithAndi, b) if b == ones => Fold::value(lhs),
        (Opcode::ArithOri, b) if b == ones => known(ir, op, Number::Int(ones)),
        (Opcode::ArithMaxsi, b) if b == least => Fold::value(lhs),
        (Opcode::ArithMaxsi, b) if b == most => known(ir, op, Number::Int(b)),
        (Opcode::ArithMinsi, b) if b == most => Fold::value(lhs),
        (Opcode::ArithMinsi, b) if b == least => known(ir, op, Number::Int(b)),
        (Opcode::ArithMaxui, 0) => Fold::value(lhs),
        (Opcode::ArithMinui, 0) => known(ir, op, Number::Int(0)),
        // x - b + a is x + (a - b).
        (Opcode::ArithAddi, b) if made_by_subtracting(ir, lhs).is_some() => {
            let (x, a) = made_by_subtracting(ir, lhs)?;
            let ty = ir.type_of(lhs);
            let value = eval_int(Opcode::ArithSubi, width, b, a)?;
            let value = number::constant(ir, op, Number::Int(value), ty);
            ir.remove_attr(op, "overflowFlags");
            ir.set_operands(op, &[x, value]);
            Some(Fold::Changed)
        }
        (Opcode::ArithAddi | Opcode::ArithMuli | Opcode::ArithAndi | Opcode::ArithOri | Opcode::ArithXori, b) => {
            reassociate(ir, op, opcode, lhs, b, width)
        }
        _ => None,
    }
}

/// x and a of a value x - a with a constant a.
fn made_by_subtracting(ir: &Ir, value: ValueId) -> Option<(ValueId, i64)> {
    let op =
        ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::ArithSubi && ir.attr_id(op, "layouts").is_none())?;
    Some((ir.operand(op, 0), number::of(ir, ir.operand(op, 1))?.int()?))
}

/// (x op a) op b == x op (a op b). What the two promised about overflow does not hold for the one.
fn reassociate(ir: &mut Ir, op: OpId, opcode: Opcode, lhs: ValueId, b: i64, width: u32) -> Option<Fold> {
    let inner = ir.def_op(lhs).filter(|&inner| ir.opcode(inner) == opcode)?;
    if ir.attr_id(inner, "layouts").is_some() {
        return None;
    }
    let a = number::of(ir, ir.operand(inner, 1))?.int()?;
    let value = eval_int(opcode, width, a, b)?;
    let ty = ir.type_of(lhs);
    let value = number::constant(ir, op, Number::Int(value), ty);
    let x = ir.operand(inner, 0);
    ir.remove_attr(op, "overflowFlags");
    ir.set_operands(op, &[x, value]);
    Some(Fold::Changed)
}

/// The wrapped result; `None` where the operation traps or has no defined result.
pub(crate) fn eval_int(opcode: Opcode, width: u32, a: i64, b: i64) -> Option<i64> {
    let (x, y) = (unsigned(a, width), unsigned(b, width));
    let (a128, b128) = (i128::from(a), i128::from(b));
    let quotient = || (b != 0 && !(b == -1 && a == wrap(1 << (width - 1), width))).then(|| (a128 / b128, a128 % b128));
    let value: i128 = match opcode {
        Opcode::ArithAddi => a128 + b128,
        Opcode::ArithSubi => a128 - b128,
        Opcode::ArithMuli => a128 * b128,
        Opcode::ArithDivui => x.checked_div(y)?.into(),
        Opcode::ArithRemui => x.checked_rem(y)?.into(),
        Opcode::ArithCeildivui => (i128::from(x.checked_div(y)?)) + i128::from(x % y != 0),
        Opcode::ArithDivsi => quotient()?.0,
        Opcode::ArithRemsi => quotient()?.1,
        Opcode::ArithFloordivsi => {
            let (q, r) = quotient()?;
            q - i128::from(r != 0 && (r < 0) != (b < 0))
        }
        Opcode::ArithCeildivsi => {
            let (q, r) = quotient()?;
            q + i128::from(r != 0 && (r < 0) == (b < 0))
        }
        Opcode::ArithAndi => (a & b).into(),
        Opcode::ArithOri => (a | b).into(),
        Opcode::ArithXori => (a ^ b).into(),
        Opcode::ArithShli if y < u64::from(width) => i128::from(a.wrapping_shl(b as u32)),
        Opcode::ArithShrsi if y < u64::from(width) => (a >> b).into(),
        Opcode::ArithShrui if y < u64::from(width) => (x >> y).into(),
        Opcode::ArithMaxsi => a.max(b).into(),
        Opcode::ArithMinsi => a.min(b).into(),
        Opcode::ArithMaxui => x.max(y).into(),
        Opcode::ArithMinui => x.min(y).into(),
        _ => return None,
    };
    Some(wrap(value, width))
}

/// Whether `a` relates to `b` as `arith.cmpi`'s predicate number says; `None` for a number it does not have.
pub(crate) fn compare(predicate: i64, width: u32, a: i64, b: i64) -> Option<bool> {
    let (x, y) = (unsigned(a, width), unsigned(b, width));
    Some(match predicate {
        0 => a == b,
        1 => a != b,
        2 => a < b,
        3 => a <= b,
        4 => a > b,
        5 => a >= b,
        6 => x < y,
        7 => x <= y,
        8 => x > y,
        9 => x >= y,
        _ => return None,
    })
}
