//! Scalar arithmetic: which file knows an operation.

use raddle_ir::ops::{Arith, ByDialect, Math};
use raddle_ir::{Diag, OpId, Opcode, Scalar};

use super::value::{Atom, Cx, Kind, Operand, float_bits};
use super::{convert, float, int, math};

/// `arith.constant` and `ub.poison`: nothing is written, users take the bits as immediates.
pub(super) fn constant(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let (scalar, _) = cx.scalar(op, result)?;
    if cx.ir.ty(result).shape().is_some() {
        return Err(cx.cannot(op, "constant vectors must have become scalars"));
    }
    let bits = match (cx.ir.opcode(op), cx.ir.attr(op, "value")) {
        (Opcode::UbPoison, _) => 0,
        (_, Some(attr)) => match (scalar, attr.as_f64(), attr.as_i64()) {
            (Scalar::Float(float), Some(value), _) => float_bits(float, value),
            (Scalar::Int(_) | Scalar::Index, _, Some(value)) => cx.bits(scalar, value),
            _ => return Err(cx.cannot(op, "the value is not one of the type")),
        },
        (_, None) => return Err(cx.cannot(op, "there is no value")),
    };
    cx.bind(result, Atom::Imm(bits));
    Ok(())
}

/// One elementwise operation on scalars, or a choice between two words.
pub(super) fn elementwise(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    if cx.ir.ty(result).shape().is_some() && cx.ir.opcode(op) != Opcode::ArithSelect {
        return Err(cx.cannot(op, "vector arithmetic must have become scalar arithmetic"));
    }
    match cx.ir.opcode(op).by_dialect() {
        ByDialect::Arith(own) => arithmetic(cx, op, own),
        ByDialect::Math(own) => function(cx, op, own),
        _ => none(cx, op),
    }
}

fn none(cx: &Cx<'_>, op: OpId) -> Result<(), Diag> {
    Err(cx.cannot(op, "PTX has no instruction for it that is accurate"))
}

/// The operations of `arith`, each of them named: a new row needs an arm.
fn arithmetic(cx: &mut Cx<'_>, op: OpId, own: Arith) -> Result<(), Diag> {
    use Arith::*;
    match own {
        ArithAddf | ArithSubf | ArithMulf | ArithDivf | ArithRemf | ArithNegf | ArithMaximumf | ArithMinimumf
        | ArithMaxnumf | ArithMinnumf => float::compute(cx, op),
        ArithCmpf => float::compare(cx, op),
        ArithAddi | ArithSubi | ArithMuli | ArithDivsi | ArithDivui | ArithCeildivsi | ArithCeildivui
        | ArithFloordivsi | ArithRemsi | ArithRemui | ArithAndi | ArithOri | ArithXori | ArithShli | ArithShrsi
        | ArithShrui | ArithMaxsi | ArithMaxui | ArithMinsi | ArithMinui => int::compute(cx, op),
        ArithCmpi => int::compare(cx, op),
        ArithMulsiExtended | ArithMuluiExtended => int::wide_product(cx, op),
        ArithAdduiExtended => int::sum_and_carry(cx, op),
        ArithSelect => select(cx, op),
        ArithExtf | ArithTruncf | ArithExtsi | ArithExtui | ArithTrunci | ArithSitofp | ArithUitofp | ArithFptosi
        | ArithFptoui | ArithIndexCast | ArithIndexCastui | ArithBitcast => convert::convert(cx, op),
        ArithConstant => constant(cx, op),
        // Lowering has written these out.
        ArithScalingExtf | ArithScalingTruncf => none(cx, op),
    }
}

/// The operations of `math`, each of them named: a new row needs an arm.
fn function(cx: &mut Cx<'_>, op: OpId, own: Math) -> Result<(), Diag> {
    use Math::*;
    match own {
        MathAbsf | MathSqrt | MathFloor | MathCeil | MathTrunc | MathRoundeven | MathCopysign | MathFma => {
            float::compute(cx, op)
        }
        MathAbsi => int::magnitude(cx, op),
        MathCttz | MathCtlz | MathCtpop => int::count(cx, op),
        MathExp | MathExp2 | MathLog | MathLog2 | MathRsqrt | MathTanh | MathSin | MathCos => math::compute(cx, op),
        // Lowering has written these out.
        MathErf | MathPowf | MathIpowi | MathFpowi | MathAcos | MathAcosh | MathAsin | MathAsinh | MathAtan
        | MathAtan2 | MathAtanh | MathCbrt | MathClampf | MathCosh | MathErfc | MathExpm1 | MathIsfinite
        | MathIsinf | MathIsnan | MathIsnormal | MathLog10 | MathLog1p | MathRound | MathSinh | MathSincos
        | MathTan => none(cx, op),
    }
}

/// `arith.select` by a scalar.
fn select(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let [condition, lhs, rhs] = [0, 1, 2].map(|operand| cx.ir.operand(op, operand));
    let result = cx.ir.result(op, 0);
    let (_, kind) = cx.scalar(op, result)?;
    let condition = cx.reg(condition, Kind::Pred);
    if cx.ir.ty(result).is_vector() {
        return cx.by_words(op, result, [lhs, rhs], |cx, kind, [lhs, rhs]| {
            cx.compute(&format!("selp.{}", kind.ty()), kind, &[lhs.into(), rhs.into(), condition.into()])
        });
    }
    let reg = if kind == Kind::Pred {
        // There is no selp for predicates: (c and lhs) or (not c and rhs).
        let [lhs, rhs] = [lhs, rhs].map(|value| Operand::Reg(cx.reg(value, Kind::Pred)));
        let not = cx.compute("not.pred", Kind::Pred, &[condition.into()]);
        let lhs = cx.compute("and.pred", Kind::Pred, &[condition.into(), lhs]);
        let rhs = cx.compute("and.pred", Kind::Pred, &[not.into(), rhs]);
        cx.compute("or.pred", Kind::Pred, &[lhs.into(), rhs.into()])
    } else {
        let [lhs, rhs] = [lhs, rhs].map(|value| cx.operand(value, kind));
        cx.compute(&format!("selp.{}", kind.ty()), kind, &[lhs, rhs, condition.into()])
    };
    cx.bind(result, Atom::Reg(reg));
    Ok(())
}
