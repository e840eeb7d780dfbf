//! Scalar arithmetic, every floating-point operation rounded once.
//!
//! What a 16-bit format has no exact instruction for is computed in f32 and rounded. That is as good as rounding the
//! exact result: f32 has more than twice the digits of both formats, and two more. A bf16 multiply-add is computed in
//! f64, which holds the product exactly.
//!
//! LLVM may assume that no integer is divided by 0, in lanes too whose quotient nobody reads: a divisor that is not
//! known becomes 1 there.

use raddle_ir::ops::{Arith, ByDialect, Math, Raddle};
use raddle_ir::{Attr, Diag, Float, OpId, Opcode, Scalar, ValueId};

use super::convert;
use super::convert::resize_int;
use super::cpu;
use super::dialect::Around;
use super::value::{Cx, f32_text, float_bits};

/// How LLVM spells an operation.
#[derive(Clone, Copy)]
enum Spelling {
    /// An instruction.
    Inst(&'static str),
    /// An intrinsic, whose name ends in the type.
    Call(&'static str),
}

use Spelling::{Call, Inst};

/// Operations on floats, and whether they are exact in f16 by the machine's own instructions.
const FLOATS: &[(Opcode, Spelling, bool)] = &[
    (Opcode::ArithAddf, Inst("fadd"), true),
    (Opcode::ArithSubf, Inst("fsub"), true),
    (Opcode::ArithMulf, Inst("fmul"), true),
    (Opcode::ArithDivf, Inst("fdiv"), false),
    (Opcode::ArithNegf, Inst("fneg"), true),
    (Opcode::ArithMaximumf, Call("llvm.maximum"), true),
    (Opcode::ArithMinimumf, Call("llvm.minimum"), true),
    (Opcode::ArithMaxnumf, Call("llvm.maxnum"), true),
    (Opcode::ArithMinnumf, Call("llvm.minnum"), true),
    (Opcode::MathSqrt, Call("llvm.sqrt"), false),
    (Opcode::MathFma, Call("llvm.fma"), true),
    (Opcode::MathAbsf, Call("llvm.fabs"), true),
    (Opcode::MathFloor, Call("llvm.floor"), true),
    (Opcode::MathCeil, Call("llvm.ceil"), true),
    (Opcode::MathTrunc, Call("llvm.trunc"), true),
    (Opcode::MathRoundeven, Call("llvm.roundeven"), true),
    (Opcode::MathCopysign, Call("llvm.copysign"), true),
];

/// Operations on integers that are one instruction or intrinsic.
const INTEGERS: &[(Opcode, Spelling)] = &[
    (Opcode::ArithAddi, Inst("add")),
    (Opcode::ArithSubi, Inst("sub")),
    (Opcode::ArithMuli, Inst("mul")),
    (Opcode::ArithAndi, Inst("and")),
    (Opcode::ArithOri, Inst("or")),
    (Opcode::ArithXori, Inst("xor")),
    (Opcode::ArithShli, Inst("shl")),
    (Opcode::ArithShrsi, Inst("ashr")),
    (Opcode::ArithShrui, Inst("lshr")),
    (Opcode::ArithMaxsi, Call("llvm.smax")),
    (Opcode::ArithMaxui, Call("llvm.umax")),
    (Opcode::ArithMinsi, Call("llvm.smin")),
    (Opcode::ArithMinui, Call("llvm.umin")),
];

/// `arith.constant` and `ub.poison`
pub(super) fn constant(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let scalar = cx.scalar(op, result)?;
    if cx.ir.ty(result).is_vector() {
        return constant_vector(cx, op, scalar);
    }
    let bits = match (cx.ir.opcode(op), cx.ir.attr(op, "value")) {
        // Any value will do, and 0 is the same for everyone who asks.
        (Opcode::UbPoison, _) => 0,
        (_, Some(attr)) => match (scalar, attr.as_f64(), attr.as_i64()) {
            (Scalar::Float(float), Some(value), _) => float_bits(float, value),
            (Scalar::Int(_) | Scalar::Index, _, Some(value)) => value as u64,
            _ => return Err(cx.cannot(op, "the value is not one of the type")),
        },
        (_, None) => return Err(cx.cannot(op, "there is no value")),
    };
    let constant = cx.constant(scalar, bits);
    cx.bind(result, constant);
    Ok(())
}

/// A constant of a machine that computes with vectors.
fn constant_vector(cx: &mut Cx<'_>, op: OpId, scalar: Scalar) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let Some(attr @ Attr::Dense { splat, .. }) = cx.ir.attr(op, "value") else {
        return Err(cx.cannot(op, "constant vectors have dense values"));
    };
    let (splat, elems) = (*splat, cx.ir.dense_elems(attr));
    let ty = cx.elem_type(result);
    let bits = |attr: &Attr| match (scalar, attr.as_f64(), attr.as_i64()) {
        (Scalar::Float(float), Some(value), _) => Some(float_bits(float, value)),
        (Scalar::Int(_) | Scalar::Index, _, Some(value)) => Some(value as u64),
        _ => None,
    };
    let n = cx.n_elems(result);
    let mut parts = Vec::new();
    for at in 0..n {
        let Some(bits) = bits(&elems[if splat { 0 } else { at }]) else {
            return Err(cx.cannot(op, "the value is not one of the type"));
        };
        parts.push(format!("{ty} {}", cx.constant(scalar, bits)));
    }
    cx.bind(result, format!("<{}>", parts.join(", ")));
    Ok(())
}

/// One elementwise operation on scalars or a machine's vectors, or a choice between two words.
pub(super) fn elementwise(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    for value in cx.ir.operands(op).iter().copied().chain(cx.ir.results(op)) {
        cx.scalar(op, value)?;
    }
    match cx.ir.opcode(op).by_dialect() {
        ByDialect::Arith(own) => arithmetic(cx, op, own),
        ByDialect::Math(own) => function(cx, op, own),
        ByDialect::Raddle(Raddle::RaddleByteDot) => cpu::byte_dot(cx, op),
        ByDialect::Raddle(Raddle::RaddlePairDot) => cpu::pair_dot(cx, op),
        ByDialect::Raddle(Raddle::RaddleShortDot) => cpu::short_dot(cx, op),
        _ => none(cx, op),
    }
}

fn none(cx: &Cx<'_>, op: OpId) -> Result<(), Diag> {
    Err(cx.cannot(op, "there is no instruction for it that is accurate"))
}

/// The operations of `arith`, each of them named: a new row needs an arm.
fn arithmetic(cx: &mut Cx<'_>, op: OpId, own: Arith) -> Result<(), Diag> {
    use Arith::*;
    match own {
        ArithAddf | ArithSubf | ArithMulf | ArithDivf | ArithNegf | ArithMaximumf | ArithMinimumf | ArithMaxnumf
        | ArithMinnumf => compute_float(cx, op),
        ArithCmpf => compare_floats(cx, op),
        ArithAddi | ArithSubi | ArithMuli | ArithAndi | ArithOri | ArithXori | ArithShli | ArithShrsi | ArithShrui
        | ArithMaxsi | ArithMaxui | ArithMinsi | ArithMinui => compute_int(cx, op),
        ArithDivsi | ArithDivui | ArithCeildivsi | ArithCeildivui | ArithFloordivsi | ArithRemsi | ArithRemui => {
            divide(cx, op)
        }
        ArithCmpi => compare_ints(cx, op),
        ArithMulsiExtended | ArithMuluiExtended => wide_product(cx, op),
        ArithAdduiExtended => sum_and_carry(cx, op),
        ArithSelect => select(cx, op),
        ArithExtf | ArithTruncf | ArithExtsi | ArithExtui | ArithTrunci | ArithSitofp | ArithUitofp | ArithFptosi
        | ArithFptoui | ArithIndexCast | ArithIndexCastui | ArithBitcast => convert::convert(cx, op),
        ArithConstant => constant(cx, op),
        // Lowering has written these out.
        ArithRemf | ArithScalingExtf | ArithScalingTruncf => none(cx, op),
    }
}

/// The operations of `math`, each of them named: a new row needs an arm.
fn function(cx: &mut Cx<'_>, op: OpId, own: Math) -> Result<(), Diag> {
    use Math::*;
    match own {
        MathAbsf | MathSqrt | MathFloor | MathCeil | MathTrunc | MathRoundeven | MathCopysign | MathFma => {
            compute_float(cx, op)
        }
        MathAbsi => count(cx, op, "llvm.abs", true),
        MathCttz => count(cx, op, "llvm.cttz", true),
        MathCtlz => count(cx, op, "llvm.ctlz", true),
        MathCtpop => count(cx, op, "llvm.ctpop", false),
        MathExp | MathExp2 | MathLog | MathLog2 | MathRsqrt | MathTanh | MathSin | MathCos => approximate(cx, op),
        // Lowering has written these out.
        MathErf | MathPowf | MathIpowi | MathFpowi | MathAcos | MathAcosh | MathAsin | MathAsinh | MathAtan
        | MathAtan2 | MathAtanh | MathCbrt | MathClampf | MathCosh | MathErfc | MathExpm1 | MathIsfinite
        | MathIsinf | MathIsnan | MathIsnormal | MathLog10 | MathLog1p | MathRound | MathSinh | MathSincos
        | MathTan => none(cx, op),
    }
}

/// Writes an operation on operands of one type.
fn spell(cx: &mut Cx<'_>, spelling: Spelling, ty: &str, operands: &[String]) -> String {
    match spelling {
        Inst(name) => cx.compute(&format!("{name} {ty} {}", operands.join(", "))),
        Call("llvm.maximum") if cpu::ranges(cx, ty, operands) => cpu::range(cx, ty, operands, true),
        Call("llvm.minimum") if cpu::ranges(cx, ty, operands) => cpu::range(cx, ty, operands, false),
        Call(name) => {
            let suffix = convert::suffix(ty);
            let operands: Vec<String> = operands.iter().map(|operand| format!("{ty} {operand}")).collect();
            cx.call(ty, &format!("{name}.{suffix}"), &operands)
        }
    }
}

fn compute_float(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let (scalar, opcode) = (cx.scalar(op, result)?, cx.ir.opcode(op));
    let row = FLOATS.iter().find(|row| row.0 == opcode);
    let (Some(&(_, spelling, in_half)), Scalar::Float(float)) = (row, scalar) else {
        return Err(cx.cannot(op, "there is no instruction that computes it exactly rounded"));
    };
    let wide = match float {
        Float::F32 | Float::F64 => None,
        // CPUs convert these, and compute with wider ones.
        Float::F16 if cx.lowered.chip().native.is_some() => {
            Some(if opcode == Opcode::MathFma { "double" } else { "float" })
        }
        Float::F16 => (!in_half).then_some("float"),
        Float::BF16 if opcode == Opcode::MathFma => Some("double"),
        // A sign is a bit.
        Float::BF16 if !cx.has_bf16() => Some("float"),
        Float::BF16 => (!matches!(opcode, Opcode::ArithNegf | Opcode::MathAbsf)).then_some("float"),
        _ => return Err(cx.cannot(op, &format!("there is no arithmetic on {scalar}"))),
    };
    let ty = cx.type_of(result);
    let operands: Vec<String> = cx.ir.operands(op).to_vec().into_iter().map(|value| cx.val(value)).collect();
    // AMD GPUs have an instruction for a reciprocal, and a dozen for an exact quotient.
    let may = cx.options.fast_math || cx.ir.may_approximate(op);
    let is_near = opcode == Opcode::ArithDivf && float == Float::F32 && may && cx.lowered.chip().native.is_none();
    let name = match wide {
        None if is_near => spell(cx, Inst("fdiv arcp afn"), &ty, &operands),
        None => spell(cx, spelling, &ty, &operands),
        Some(wide) => {
            let wide = &cx.shaped(result, wide);
            let operands: Vec<String> = operands.iter().map(|name| convert::widen(cx, &ty, name, wide)).collect();
            let name = spell(cx, spelling, wide, &operands);
            // What only chooses, or changes a sign or the digits behind the point, gives a number of the format.
            let rounds = matches!(
                opcode,
                Opcode::ArithAddf
                    | Opcode::ArithSubf
                    | Opcode::ArithMulf
                    | Opcode::ArithDivf
                    | Opcode::MathSqrt
                    | Opcode::MathFma
            );
            if float == Float::BF16 && !cx.has_bf16() && !rounds {
                convert::cut(cx, &name, wide, &ty)
            } else {
                convert::narrow(cx, &name, wide, &ty)
            }
        }
    };
    cx.bind(result, name);
    Ok(())
}

/// LLVM's names of MLIR's float predicates.
pub(super) const FLOAT_PREDICATES: [&str; 16] =
    ["false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"];

/// LLVM's names of MLIR's integer predicates.
const INT_PREDICATES: [&str; 10] = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];

fn predicate<'a>(cx: &Cx<'_>, op: OpId, names: &[&'a str]) -> Result<&'a str, Diag> {
    let number = cx.ir.attr(op, "predicate").and_then(|attr| attr.as_i64()).and_then(|n| usize::try_from(n).ok());
    let name = number.and_then(|number| names.get(number)).copied();
    name.ok_or_else(|| cx.cannot(op, &format!("the predicate is none of the {}", names.len())))
}

/// `arith.cmpf`
fn compare_floats(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let relation = predicate(cx, op, &FLOAT_PREDICATES)?;
    let [lhs, rhs] = [0, 1].map(|operand| cx.ir.operand(op, operand));
    let scalar = cx.scalar(op, lhs)?;
    let Scalar::Float(float @ (Float::F16 | Float::BF16 | Float::F32 | Float::F64)) = scalar else {
        return Err(cx.cannot(op, &format!("there is no arithmetic on {scalar}")));
    };
    let mut ty = cx.type_of(lhs);
    let mut operands = [lhs, rhs].map(|value| cx.val(value));
    if float == Float::BF16 {
        let wide = cx.shaped(lhs, "float");
        operands = operands.map(|name| convert::widen(cx, &ty, &name, &wide));
        ty = wide;
    }
    let [lhs, rhs] = operands;
    let name = cx.compute(&format!("fcmp {relation} {ty} {lhs}, {rhs}"));
    cx.bind(cx.ir.result(op, 0), name);
    Ok(())
}

/// `arith.cmpi`
fn compare_ints(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let relation = predicate(cx, op, &INT_PREDICATES)?;
    let ty = cx.type_of(cx.ir.operand(op, 0));
    let [lhs, rhs] = [0, 1].map(|operand| cx.val(cx.ir.operand(op, operand)));
    let name = cx.compute(&format!("icmp {relation} {ty} {lhs}, {rhs}"));
    cx.bind(cx.ir.result(op, 0), name);
    Ok(())
}

fn compute_int(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let row = INTEGERS.iter().find(|row| row.0 == cx.ir.opcode(op));
    let &(_, spelling) = row.ok_or_else(|| cx.cannot(op, "there is no rule for this integer operation"))?;
    let ty = cx.type_of(result);
    let operands: Vec<String> = cx.ir.operands(op).to_vec().into_iter().map(|value| cx.val(value)).collect();
    let name = spell(cx, spelling, &ty, &operands);
    cx.bind(result, name);
    Ok(())
}

/// A divisor that LLVM may divide by.
fn divisor(cx: &mut Cx<'_>, value: ValueId, ty: &str) -> String {
    let name = cx.val(value);
    if cx.ir.const_int(value).is_some_and(|value| value != 0) {
        return name;
    }
    let is_zero = cx.compute(&format!("icmp eq {ty} {name}, 0"));
    let one = if ty == "i1" { "true" } else { "1" };
    cx.compute(&format!("select i1 {is_zero}, {ty} {one}, {ty} {name}"))
}

/// Quotients, rounded towards zero, up or down, and remainders.
fn divide(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let ty = cx.type_of(result);
    let lhs = cx.val(cx.ir.operand(op, 0));
    let rhs = divisor(cx, cx.ir.operand(op, 1), &ty);
    let two = |cx: &mut Cx<'_>, name: &str, lhs: &str, rhs: &str| cx.compute(&format!("{name} {ty} {lhs}, {rhs}"));
    let name = match cx.ir.opcode(op) {
        Opcode::ArithDivsi => two(cx, "sdiv", &lhs, &rhs),
        Opcode::ArithDivui => two(cx, "udiv", &lhs, &rhs),
        Opcode::ArithRemsi => two(cx, "srem", &lhs, &rhs),
        Opcode::ArithRemui => two(cx, "urem", &lhs, &rhs),
        // ceil(lhs / rhs) = lhs / rhs + (1 if something remains).
        Opcode::ArithCeildivui => {
            let quotient = two(cx, "udiv", &lhs, &rhs);
            let rest = two(cx, "urem", &lhs, &rhs);
            let remains = cx.compute(&format!("icmp ne {ty} {rest}, 0"));
            let one = resize_int(cx, &remains, "i1", &ty, false);
            two(cx, "add", &quotient, &one)
        }
        // Division cuts towards zero, which is one off when something remains and the exact quotient is positive (ceil)
        // or negative (floor), that is when remainder and divisor have the same sign, or not.
        opcode => {
            let up = opcode == Opcode::ArithCeildivsi;
            let quotient = two(cx, "sdiv", &lhs, &rhs);
            let rest = two(cx, "srem", &lhs, &rhs);
            let signs = two(cx, "xor", &rest, &rhs);
            let remains = cx.compute(&format!("icmp ne {ty} {rest}, 0"));
            let side = cx.compute(&format!("icmp {} {ty} {signs}, 0", if up { "sge" } else { "slt" }));
            let off = cx.compute(&format!("and i1 {remains}, {side}"));
            let step = resize_int(cx, &off, "i1", &ty, !up);
            two(cx, "add", &quotient, &step)
        }
    };
    cx.bind(result, name);
    Ok(())
}

/// An intrinsic on one integer; most take a flag that says that no operand is undefined.
fn count(cx: &mut Cx<'_>, op: OpId, name: &str, has_flag: bool) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let ty = cx.type_of(result);
    let mut operands = vec![format!("{ty} {}", cx.val(cx.ir.operand(op, 0)))];
    if has_flag {
        operands.push("i1 false".to_owned());
    }
    let name = cx.call(&ty, &format!("{name}.{ty}"), &operands);
    cx.bind(result, name);
    Ok(())
}

/// `arith.mulsi_extended`, `arith.mului_extended`: both halves of the product.
fn wide_product(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let [low, high] = [0, 1].map(|result| cx.ir.result(op, result));
    let ty = cx.type_of(low);
    let bits: u32 = ty.trim_start_matches('i').parse().expect("an integer type ends in its width");
    let wide = format!("i{}", 2 * bits);
    let widen = if cx.ir.opcode(op) == Opcode::ArithMulsiExtended { "sext" } else { "zext" };
    let [lhs, rhs] = [0, 1].map(|operand| {
        let name = cx.val(cx.ir.operand(op, operand));
        cx.compute(&format!("{widen} {ty} {name} to {wide}"))
    });
    let product = cx.compute(&format!("mul {wide} {lhs}, {rhs}"));
    let upper = cx.compute(&format!("lshr {wide} {product}, {bits}"));
    for (half, result) in [(product, low), (upper, high)] {
        let half = cx.compute(&format!("trunc {wide} {half} to {ty}"));
        cx.bind(result, half);
    }
    Ok(())
}

/// `arith.addui_extended`: the carry is set if the sum is smaller than an operand.
fn sum_and_carry(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let [result, carry] = [0, 1].map(|result| cx.ir.result(op, result));
    let ty = cx.type_of(result);
    let [lhs, rhs] = [0, 1].map(|operand| cx.val(cx.ir.operand(op, operand)));
    let sum = cx.compute(&format!("add {ty} {lhs}, {rhs}"));
    let carried = cx.compute(&format!("icmp ult {ty} {sum}, {lhs}"));
    cx.bind(result, sum);
    cx.bind(carry, carried);
    Ok(())
}

/// `arith.select` by a scalar, or element by element.
fn select(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let ty = cx.type_of(result);
    let bits = cx.type_of(cx.ir.operand(op, 0));
    let [condition, lhs, rhs] = [0, 1, 2].map(|operand| cx.val(cx.ir.operand(op, operand)));
    let name = cx.compute(&format!("select {bits} {condition}, {ty} {lhs}, {ty} {rhs}"));
    cx.bind(result, name);
    Ok(())
}

/// The intrinsic that combines the elements of a vector, by the kind of the combination.
const REDUCTIONS: &[(&str, &str)] = &[
    ("add", "add"),
    ("mul", "mul"),
    ("and", "and"),
    ("or", "or"),
    ("xor", "xor"),
    ("minsi", "smin"),
    ("maxsi", "smax"),
    ("minui", "umin"),
    ("maxui", "umax"),
    ("minimumf", "fminimum"),
    ("maximumf", "fmaximum"),
    ("minnumf", "fmin"),
    ("maxnumf", "fmax"),
];

/// `vector.reduction`: halves of the vector are combined until one element is left, in an order that LLVM chooses.
pub(super) fn reduce(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (source, result) = (cx.ir.operand(op, 0), cx.ir.result(op, 0));
    let scalar = cx.scalar(op, source)?;
    let kind = cx.ir.keyword_of(op, "kind").unwrap_or_default().to_owned();
    let Some(&(_, name)) = REDUCTIONS.iter().find(|row| row.0 == kind) else {
        return Err(cx.cannot(op, &format!("there is no reduction by `{kind}`")));
    };
    if cx.ir.operands(op).len() > 1
        || matches!(scalar, Scalar::Float(float) if !matches!(float, Float::F32 | Float::F64))
    {
        return Err(cx.cannot(op, "elements are combined in f32, f64 and integers, without an accumulator"));
    }
    let (ty, elem) = (cx.type_of(source), cx.elem_type(source));
    let vector = cx.val(source);
    let suffix = convert::suffix(&ty);
    let value = match (scalar, name) {
        (Scalar::Float(_), "add" | "mul") => {
            let (neutral, name) = if name == "add" { (-0.0, "fadd") } else { (1.0, "fmul") };
            let Scalar::Float(float) = scalar else { unreachable!("the arm is of floats") };
            let neutral = cx.constant(scalar, float_bits(float, neutral));
            let function = format!("llvm.vector.reduce.{name}.{suffix}");
            cx.declarations.insert(format!("declare {elem} @{function}({elem}, {ty})"));
            cx.compute(&format!("call reassoc {elem} @{function}({elem} {neutral}, {ty} {vector})"))
        }
        (Scalar::Float(_), _) => {
            // LLVM would compare one element after the other, because of NaN.
            let (mut vector, mut ty, mut n) = (vector, ty, cx.n_elems(source));
            let combine = if name.starts_with("fmin") {
                ["llvm.minnum", "llvm.minimum"]
            } else {
                ["llvm.maxnum", "llvm.maximum"]
            };
            let combine = combine[usize::from(name.ends_with("imum"))];
            while n % 2 == 0 {
                let half = |cx: &mut Cx<'_>, from: usize| {
                    let lanes: Vec<String> = (from..from + n / 2).map(|lane| format!("i32 {lane}")).collect();
                    let lanes = lanes.join(", ");
                    cx.compute(&format!("shufflevector {ty} {vector}, {ty} poison, <{} x i32> <{lanes}>", n / 2))
                };
                let halves = [half(cx, 0), half(cx, n / 2)];
                (n, ty) = (n / 2, format!("<{} x {elem}>", n / 2));
                vector = spell(cx, Call(combine), &ty, &halves);
            }
            match n {
                1 => cx.compute(&format!("extractelement {ty} {vector}, i32 0")),
                _ => {
                    let suffix = convert::suffix(&ty);
                    cx.call(&elem, &format!("llvm.vector.reduce.{name}.{suffix}"), &[format!("{ty} {vector}")])
                }
            }
        }
        _ => cx.call(&elem, &format!("llvm.vector.reduce.{name}.{suffix}"), &[format!("{ty} {vector}")]),
    };
    cx.bind(result, value);
    Ok(())
}

/// A function that the machine approximates, where the program allows it. 16-bit formats compute in f32 and round.
fn approximate(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let scalar = cx.scalar(op, result)?;
    let row = cx.dialect.approximations.iter().find(|row| row.0 == cx.ir.opcode(op));
    let (Some((_, name, around)), Scalar::Float(float @ (Float::F16 | Float::BF16 | Float::F32)), true) =
        (row, scalar, cx.options.fast_math || cx.ir.may_approximate(op))
    else {
        return Err(cx
            .cannot(op, "there is no instruction for it that is accurate")
            .help("run `expand-math` in front, which writes functions with accurate instructions"));
    };
    let ty = cx.scalar_type(scalar);
    let mut x = cx.val(cx.ir.operand(op, 0));
    if float != Float::F32 {
        x = convert::widen(cx, &ty, &x, "float");
    }
    if let Around::Before(by) = around {
        x = cx.compute(&format!("fmul float {x}, {}", f32_text(by.to_bits())));
    }
    let mut y = cx.call("float", name, &[format!("float {x}")]);
    if let Around::After(by) = around {
        y = cx.compute(&format!("fmul float {y}, {}", f32_text(by.to_bits())));
    }
    if float != Float::F32 {
        y = cx.compute(&format!("fptrunc float {y} to {ty}"));
    }
    cx.bind(result, y);
    Ok(())
}
