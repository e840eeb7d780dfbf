//! Decode operations on complex numbers, which have a bank of registers of their own.

use raddle_ir::{Attr, Diag, OpId, Opcode, Type, ValueId};

use super::{Decoder, Numeric};
use crate::Precision;
use crate::inst::{Complex1, Complex2, ComplexInst, ComplexOp, ComplexPart, Inst};
use crate::regs::{Bank, Complex};

/// What each operation does.
const OPS: &[(Opcode, ComplexOp)] = &[
    (Opcode::ComplexCreate, ComplexOp::Create),
    (Opcode::ComplexRe, ComplexOp::Part(ComplexPart::Re)),
    (Opcode::ComplexIm, ComplexOp::Part(ComplexPart::Im)),
    (Opcode::ComplexAbs, ComplexOp::Part(ComplexPart::Abs)),
    (Opcode::ComplexAngle, ComplexOp::Part(ComplexPart::Angle)),
    (Opcode::ComplexAdd, ComplexOp::Binary(Complex2::Add)),
    (Opcode::ComplexSub, ComplexOp::Binary(Complex2::Sub)),
    (Opcode::ComplexMul, ComplexOp::Binary(Complex2::Mul)),
    (Opcode::ComplexDiv, ComplexOp::Binary(Complex2::Div)),
    (Opcode::ComplexPow, ComplexOp::Binary(Complex2::Pow)),
    (Opcode::ComplexAtan2, ComplexOp::Binary(Complex2::Atan2)),
    (Opcode::ComplexPowi, ComplexOp::PowI),
    (Opcode::ComplexNeg, ComplexOp::Unary(Complex1::Neg)),
    (Opcode::ComplexConj, ComplexOp::Unary(Complex1::Conj)),
    (Opcode::ComplexExp, ComplexOp::Unary(Complex1::Exp)),
    (Opcode::ComplexExpm1, ComplexOp::Unary(Complex1::Expm1)),
    (Opcode::ComplexLog, ComplexOp::Unary(Complex1::Log)),
    (Opcode::ComplexLog1p, ComplexOp::Unary(Complex1::Log1p)),
    (Opcode::ComplexSqrt, ComplexOp::Unary(Complex1::Sqrt)),
    (Opcode::ComplexRsqrt, ComplexOp::Unary(Complex1::Rsqrt)),
    (Opcode::ComplexSin, ComplexOp::Unary(Complex1::Sin)),
    (Opcode::ComplexCos, ComplexOp::Unary(Complex1::Cos)),
    (Opcode::ComplexTan, ComplexOp::Unary(Complex1::Tan)),
    (Opcode::ComplexTanh, ComplexOp::Unary(Complex1::Tanh)),
    (Opcode::ComplexSign, ComplexOp::Unary(Complex1::Sign)),
    (Opcode::ComplexEq, ComplexOp::Equal(true)),
    (Opcode::ComplexNeq, ComplexOp::Equal(false)),
];

impl Decoder<'_> {
    /// An operation of the dialect `complex`.
    pub(super) fn complex(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        match ir.opcode(op) {
            Opcode::ComplexConstant => return self.constant(op),
            Opcode::ComplexBitcast => return self.complex_bitcast(op),
            _ => {}
        }
        let row = OPS.iter().find(|row| row.0 == ir.opcode(op));
        let &(_, kind) = row.ok_or_else(|| self.unknown(op))?;
        let operands = self.regs(ir.operands(op))?;
        let a = *operands.first().ok_or_else(|| self.unknown(op))?;
        let b = operands.get(1).copied().unwrap_or(a);
        let dst = self.result(op)?;
        let fits = [a, b].iter().all(|reg| reg.n == dst.n)
            && match kind {
                ComplexOp::Create => a.bank.is_float() && b.bank == a.bank && dst.bank == Bank::Complex,
                ComplexOp::Part(_) => a.bank == Bank::Complex && dst.bank.is_float(),
                ComplexOp::Unary(_) | ComplexOp::Binary(_) => [dst, a, b].iter().all(|reg| reg.bank == Bank::Complex),
                ComplexOp::PowI => a.bank == Bank::Complex && b.bank == Bank::Int && dst.bank == Bank::Complex,
                ComplexOp::Equal(_) => a.bank == Bank::Complex && b.bank == Bank::Complex && dst.bank == Bank::Int,
                ComplexOp::ToBits(_) | ComplexOp::OfBits(_) => true,
            };
        if !fits {
            return Err(self.error(format!("the types of `{}` do not fit together", self.name())));
        }
        // Of these, the first operand or the result is complex.
        let typed = if kind == ComplexOp::Create { ir.result(op, 0) } else { ir.operand(op, 0) };
        self.emit_complex(kind, [dst, a, b], typed)
    }

    /// `complex.bitcast`: both parts as one number, or back.
    fn complex_bitcast(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let (value, result) = (ir.operand(op, 0), ir.result(op, 0));
        let [from, to] = [value, result].map(|value| matches!(ir.ty(value), Type::Complex(_)));
        let a = self.operand(op, 0)?;
        if ir.type_of(value) == ir.type_of(result) {
            self.values.insert(result, a);
            return Ok(());
        }
        let [source, target] = [value, result].map(|value| self.numeric(ir.type_of(value)));
        let (source, target) = (source?, target?);
        let bits = |numeric: Numeric, is_complex: bool| numeric.scalar.bits() * if is_complex { 2 } else { 1 };
        let kind = match (from, to) {
            (true, false) => ComplexOp::ToBits(target.scalar),
            (false, true) => ComplexOp::OfBits(source.scalar),
            _ => return Err(self.unknown(op)),
        };
        if bits(source, from) != bits(target, to) || bits(source, from) > 64 {
            return Err(self.error(format!("the types of `{}` do not have the same bits, at most 64", self.name())));
        }
        let dst = self.result(op)?;
        self.emit_complex(kind, [dst, a, a], if from { value } else { result })
    }

    /// Floats of which two at a time are a complex number, or the other way.
    pub(super) fn bitcast_of_pairs(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let (value, result) = (ir.operand(op, 0), ir.result(op, 0));
        let [from, to] = [value, result].map(|value| ir.complex_part(ir.type_of(value)));
        let a = self.operand(op, 0)?;
        if from == to {
            self.values.insert(result, a);
            return Ok(());
        }
        let is_pair = from == Some(ir.elem_of(result)) || to == Some(ir.elem_of(value));
        let dst = self.result(op)?;
        let (n, floats) = if to.is_some() { (dst.n, a) } else { (a.n, dst) };
        if !is_pair || !floats.bank.is_float() || u64::from(floats.n) != 2 * u64::from(n) {
            return Err(self.error(format!("the types of `{}` do not have the same bits", self.name())));
        }
        let [re, im] = [self.fresh(floats.bank, n, self.block)?, self.fresh(floats.bank, n, self.block)?];
        if to.is_some() {
            self.gather(re, a, (0..n).map(|at| 2 * at).collect())?;
            self.gather(im, a, (0..n).map(|at| 2 * at + 1).collect())?;
            return self.emit_complex(ComplexOp::Create, [dst, re, im], result);
        }
        self.emit_complex(ComplexOp::Part(ComplexPart::Re), [re, a, a], value)?;
        self.emit_complex(ComplexOp::Part(ComplexPart::Im), [im, a, a], value)?;
        let both = self.fresh(floats.bank, floats.n, self.block)?;
        self.emit_cost(Inst::Collect { dst: both, parts: [re, im].into() }, u64::from(both.n))?;
        self.gather(dst, both, (0..floats.n).map(|at| at / 2 + at % 2 * n).collect())
    }

    fn emit_complex(&mut self, op: ComplexOp, [dst, a, b]: [crate::regs::Reg; 3], typed: ValueId) -> Result<(), Diag> {
        let part = self.numeric(self.ir.type_of(typed))?.scalar;
        let wide = self.precision == Precision::Wide || part.bits() == 64;
        self.emit_cost(Inst::Complex(ComplexInst { op, dst, a, b, part, wide }), u64::from(dst.n))
    }
}

/// Pairs of parts, one behind the other, as numbers.
pub(super) fn numbers(parts: &[Attr]) -> Vec<Complex> {
    let part = |attr: &Attr| attr.as_f64().unwrap_or(0.0);
    parts.chunks_exact(2).map(|pair| Complex { re: part(&pair[0]), im: part(&pair[1]) }).collect()
}
