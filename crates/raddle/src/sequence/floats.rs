//! Floats that a sequence computes, such as the extent of an image that is scaled by 1.5 and rounded down.

use raddle_emit::sequence::{FloatOp, Number};
use raddle_ir::types::Float;
use raddle_ir::{Diag, Expr, Ir, OpId, Opcode, Type, ValueId};

use super::{Builder, Value, opposite, refuse};

/// How a comparison is asked: of operands in their order or the other one, and whether it holds where the answer is no.
struct Asked {
    op: FloatOp,
    is_swapped: bool,
    is_opposite: bool,
}

/// The comparison of a predicate of `arith.cmpf`, if it is one of two numbers: in their order, 1 to 6 are those that do not
/// hold of NaN (oeq ogt oge olt ole one), and 8 to 13 those that do (ueq ugt uge ult ule une).
fn asked(predicate: i64) -> Option<Asked> {
    let (op, is_swapped, is_opposite) = match predicate {
        1 => (FloatOp::Equal, false, false),
        2 => (FloatOp::Less, true, false),
        3 => (FloatOp::LessEqual, true, false),
        4 => (FloatOp::Less, false, false),
        5 => (FloatOp::LessEqual, false, false),
        9 => (FloatOp::LessEqual, false, true),
        10 => (FloatOp::Less, false, true),
        11 => (FloatOp::LessEqual, true, true),
        12 => (FloatOp::Less, true, true),
        13 => (FloatOp::Equal, false, true),
        _ => return None,
    };
    Some(Asked { op, is_swapped, is_opposite })
}

/// The operation on floats that one of the program is, but for comparisons.
fn operation(opcode: Opcode) -> Option<FloatOp> {
    Some(match opcode {
        Opcode::ArithSitofp | Opcode::ArithUitofp => FloatOp::OfInteger,
        Opcode::ArithFptosi | Opcode::ArithFptoui => FloatOp::ToInteger,
        Opcode::ArithExtf => FloatOp::Extend,
        Opcode::ArithTruncf => FloatOp::Truncate,
        Opcode::ArithAddf => FloatOp::Add,
        Opcode::ArithSubf => FloatOp::Sub,
        Opcode::ArithMulf => FloatOp::Mul,
        Opcode::ArithDivf => FloatOp::Div,
        Opcode::ArithMinimumf => FloatOp::Min,
        Opcode::ArithMaximumf => FloatOp::Max,
        Opcode::ArithNegf => FloatOp::Neg,
        Opcode::MathAbsf => FloatOp::Abs,
        Opcode::MathFloor => FloatOp::Floor,
        Opcode::MathCeil => FloatOp::Ceil,
        Opcode::MathTrunc => FloatOp::Trunc,
        Opcode::MathRoundeven => FloatOp::RoundEven,
        Opcode::MathSqrt => FloatOp::Sqrt,
        _ => return None,
    })
}

/// The bits of a value, if it is a float that sequences compute with.
fn bits_of(ir: &Ir, value: ValueId) -> Option<u32> {
    match ir.ty(value) {
        Type::Float(Float::F32) => Some(32),
        Type::Float(Float::F64) => Some(64),
        _ => None,
    }
}

impl Builder<'_> {
    /// What an operation on floats gives, if it is one.
    pub(super) fn float(&mut self, op: OpId) -> Result<Option<Value>, Diag> {
        let ir = &self.host.ir;
        let (operands, results) = (ir.operands(op), ir.results(op).collect::<Vec<_>>());
        let (&[result], Some(&first)) = (&results[..], operands.first()) else { return Ok(None) };
        let has_float = operands.iter().chain([&result]).any(|&value| matches!(ir.ty(value), Type::Float(_)));
        if !has_float {
            return Ok(None);
        }
        let is_float = |value: ValueId| matches!(ir.ty(value), Type::Float(_));
        let Some(bits) = bits_of(ir, if is_float(result) { result } else { first }) else {
            return Err(refuse(ir, op, "its floats are neither f32 nor f64"));
        };
        let mut given = Vec::new();
        for &value in operands {
            given.push(match self.value(op, value)? {
                Value::Bits(number) | Value::Number(number) => number,
                _ => return Err(refuse(ir, op, "it takes a float of the function's arguments")),
            });
        }
        if ir.opcode(op) == Opcode::ArithSelect {
            let [which, a, b] = <[Expr; 3]>::try_from(given).expect("a selection has three operands");
            return Ok(Some(Value::Bits(self.named(Number::Select(which, a, b)))));
        }
        if ir.opcode(op) == Opcode::ArithCmpf {
            let predicate = ir.attr(op, "predicate").and_then(raddle_ir::Attr::as_i64);
            let Some(Asked { op, is_swapped, is_opposite }) = predicate.and_then(asked) else {
                return Err(refuse(ir, op, "it asks more than whether one number is less, or the same"));
            };
            if is_swapped {
                given.reverse();
            }
            let holds = self.named(Number::Float(op, given, bits));
            return Ok(Some(Value::Number(if is_opposite { opposite(holds) } else { holds })));
        }
        let Some(operation) = operation(ir.opcode(op)) else { return Ok(None) };
        let given_bits = operands.iter().filter(|&&value| is_float(value)).map(|&value| bits_of(ir, value));
        if given_bits.into_iter().any(|of| of.is_none_or(|of| operation.operand_bits(bits) != of)) {
            return Err(refuse(ir, op, "its floats are neither f32 nor f64"));
        }
        // An integer without a sign is none where it may be negative; a truth value is 0 or 1 here, and with a sign 0 or -1.
        let is_unsigned = matches!(ir.opcode(op), Opcode::ArithUitofp | Opcode::ArithFptoui);
        let is_truth = [first, result].into_iter().any(|value| super::is_truth(ir, value));
        if is_unsigned && !is_float(first) && !self.is_count(&given[0]) || is_truth && (!is_unsigned || is_float(first))
        {
            return Err(refuse(ir, op, "its operand may be negative, and it takes it without a sign"));
        }
        let number = self.named(Number::Float(operation, given, bits));
        Ok(Some(match (ir.ty(result), operation) {
            (&Type::Integer { width: width @ 2..64, .. }, FloatOp::ToInteger) => {
                Value::Number(self.named(Number::Wrap(number, width)))
            }
            (_, FloatOp::ToInteger) => Value::Number(number),
            _ => Value::Bits(number),
        }))
    }

    /// Whether no operand of an operation on floats is negative that makes its result so. The bits of a float have the sign
    /// of the float, if there are 64; of 32, the first one is the sign.
    pub(super) fn is_natural_float(&self, operation: FloatOp, of: &[Expr], bits: u32) -> bool {
        let is_natural = |expr: &Expr| match (operation, expr) {
            (FloatOp::OfInteger, expr) => self.is_count(expr),
            (_, &Expr::Const(held)) => held >> (operation.operand_bits(bits) - 1) & 1 == 0,
            (_, &Expr::Sym(symbol)) => self.is_natural(symbol),
            _ => false,
        };
        operation.is_natural(&of.iter().map(is_natural).collect::<Vec<_>>())
    }
}
