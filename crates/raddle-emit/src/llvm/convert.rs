//! Conversions between scalar types, each rounded once.

use raddle_ir::{Attr, Diag, Float, Ir, OpId, Opcode, Scalar, ValueId};

use super::arith::FLOAT_PREDICATES;
use super::value::Cx;

/// How intrinsics call a type in their names.
pub(super) fn suffix(ty: &str) -> String {
    if let Some(rest) = ty.strip_prefix('<') {
        // `<4 x float>` is `v4f32`.
        let (n, elem) = rest.trim_end_matches('>').split_once(" x ").expect("a vector type has an extent");
        return format!("v{n}{}", suffix(elem));
    }
    match ty {
        "half" => "f16",
        "bfloat" => "bf16",
        "float" => "f32",
        "double" => "f64",
        other => other,
    }
    .to_owned()
}

/// Any conversion.
pub(super) fn convert(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (value, result) = (cx.ir.operand(op, 0), cx.ir.result(op, 0));
    let (from, to) = (cx.scalar(op, value)?, cx.scalar(op, result)?);
    let [source, target] = [cx.type_of(value), cx.type_of(result)];
    let name = cx.val(value);
    let opcode = cx.ir.opcode(op);
    let converted = match (opcode, from, to) {
        (Opcode::ArithBitcast, ..) => Some(cx.reinterpret(&name, &source, &target)),
        (Opcode::ArithExtf | Opcode::ArithTruncf, Scalar::Float(from), Scalar::Float(to)) => {
            resize_float(cx, &name, from, to, [&source, &target])
        }
        (
            Opcode::ArithExtsi
            | Opcode::ArithExtui
            | Opcode::ArithTrunci
            | Opcode::ArithIndexCast
            | Opcode::ArithIndexCastui,
            ..,
        ) => {
            let signed = matches!(opcode, Opcode::ArithExtsi | Opcode::ArithIndexCast);
            Some(resize_int(cx, &name, &source, &target, signed))
        }
        (Opcode::ArithSitofp | Opcode::ArithUitofp, _, Scalar::Float(to)) => {
            int_to_float(cx, &name, &source, to, &target, opcode == Opcode::ArithSitofp)
        }
        (Opcode::ArithFptosi | Opcode::ArithFptoui, Scalar::Float(from), _) => {
            let signed = opcode == Opcode::ArithFptosi;
            // A narrow type keeps the low bits of what does not fit a word; those of a NaN are 0 either way.
            let is_narrow = to.bits() < 32;
            let whole = if is_narrow { cx.shaped(value, "i32") } else { target.clone() };
            let fits = is_narrow
                && is_within(cx.ir, value, 1.0, i32::MAX.into())
                && is_within(cx.ir, value, -1.0, if signed { i32::MAX.into() } else { 0.0 });
            let number = match from {
                Float::BF16 => {
                    let float = cx.shaped(value, "float");
                    let wide = widen(cx, &source, &name, &float);
                    Some(float_to_int(cx, &wide, [&float, &whole], signed, fits))
                }
                Float::F16 | Float::F32 | Float::F64 => Some(float_to_int(cx, &name, [&source, &whole], signed, fits)),
                _ => None,
            };
            if is_narrow {
                number.map(|number| cx.compute(&format!("trunc {whole} {number} to {target}")))
            } else {
                number
            }
        }
        _ => None,
    };
    let name = converted.ok_or_else(|| cx.cannot(op, &format!("no conversion from {from} to {to}")))?;
    cx.bind(result, name);
    Ok(())
}

/// A float of at least 16 bits as an integer of at least 32, towards zero; the nearest integer where it does not fit, and
/// 0 where it is not a number. AMD's instructions of 32 bits do the same; x86's have one value for all that does not fit, and
/// LLVM takes vectors apart for its own function.
fn float_to_int(cx: &mut Cx<'_>, name: &str, [source, target]: [&str; 2], signed: bool, fits: bool) -> String {
    let inst = if signed { "fptosi" } else { "fptoui" };
    if !cx.is_cpu() || fits {
        return cx.compute(&format!("{inst} {source} {name} to {target}"));
    }
    // The limits are not numbers of 16 bits.
    let (name, source) = match source.replace("half", "float") {
        wide if wide != source => (cx.compute(&format!("fpext {source} {name} to {wide}")), wide),
        same => (name.to_owned(), same),
    };
    let (float, int) = (elem_of(&source), elem_of(target));
    let width: i32 = int[1..].parse().expect("an integer type ends in its width");
    let flags = source.replace(float, "i1");
    let number = cx.compute(&format!("{inst} {source} {name} to {target}"));
    let mut number = cx.compute(&format!("freeze {target} {number}"));
    let digits = if signed { width - 1 } else { width };
    let (end, most) = (f64::from(digits).exp2(), (1i128 << digits) - 1);
    let limits: &[(&str, f64, i128)] = if signed {
        &[("oge", end, most), ("olt", -end, -most - 1), ("uno", 0.0, 0)]
    } else {
        &[("oge", end, most), ("ult", 0.0, 0)]
    };
    for &(relation, limit, value) in limits {
        let limit = splat(&source, float, format!("0x{:016X}", limit.to_bits()));
        let beyond = cx.compute(&format!("fcmp {relation} {source} {name}, {limit}"));
        let value = splat(target, int, value);
        number = cx.compute(&format!("select {flags} {beyond}, {target} {value}, {target} {number}"));
    }
    number
}

/// Whether no number that a float may be is above `limit` (`sign` 1), or below `-limit` (-1); NaNs are left out. Known is
/// this of constants, and of what a program clamps by one.
fn is_within(ir: &Ir, value: ValueId, sign: f64, limit: f64) -> bool {
    let Some(op) = ir.def_op(value) else { return false };
    let fits = |value: ValueId| float_constant(ir, value).is_some_and(|number| sign * number <= limit);
    let within = |at: usize| is_within(ir, ir.operand(op, at), sign, limit);
    let opcode = ir.opcode(op);
    let takes_nearer = matches!(opcode, Opcode::ArithMinimumf | Opcode::ArithMinnumf) == (sign > 0.0);
    match opcode {
        Opcode::ArithConstant => fits(value),
        Opcode::ArithExtf | Opcode::MathRoundeven | Opcode::MathRound | Opcode::MathFloor | Opcode::MathTrunc => {
            within(0)
        }
        Opcode::ArithMinimumf | Opcode::ArithMaximumf if takes_nearer => within(0) || within(1),
        // Beside a NaN, the other one is the result.
        Opcode::ArithMinnumf | Opcode::ArithMaxnumf if takes_nearer => ir.operands(op).iter().any(|&x| fits(x)),
        Opcode::ArithSelect => {
            let compare = ir.def_op(ir.operand(op, 0)).filter(|&op| ir.opcode(op) == Opcode::ArithCmpf);
            let is_below = compare.filter(|&op| fits(ir.operand(op, 1))).and_then(|op| is_less(ir, op));
            [(1, true), (2, false)].into_iter().all(|(at, holds)| {
                let is_tested = compare.is_some_and(|compare| ir.operand(compare, 0) == ir.operand(op, at));
                (is_tested && is_below.is_some_and(|below| (below == holds) == (sign > 0.0))) || within(at)
            })
        }
        _ => false,
    }
}

/// Whether a comparison of floats asks for less (less or equal) or for more.
fn is_less(ir: &Ir, compare: OpId) -> Option<bool> {
    match FLOAT_PREDICATES.get(usize::try_from(ir.attr(compare, "predicate")?.as_i64()?).ok()?)?.get(1..)? {
        "lt" | "le" => Some(true),
        "gt" | "ge" => Some(false),
        _ => None,
    }
}

fn float_constant(ir: &Ir, value: ValueId) -> Option<f64> {
    let op = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::ArithConstant)?;
    match ir.attr(op, "value")? {
        attr @ Attr::Dense { splat: true, .. } => ir.dense_elems(attr).first()?.as_f64(),
        attr => attr.as_f64(),
    }
}

/// `arith.extf`, `arith.truncf`
fn resize_float(cx: &mut Cx<'_>, name: &str, from: Float, to: Float, [source, target]: [&str; 2]) -> Option<String> {
    use Float::{BF16, F16, F32, F64, TF32};
    let inst = match (from, to) {
        // A tf32 is an f32 whose last digits are 0.
        (TF32, F32) => return Some(name.to_owned()),
        (F32, TF32) => return Some(round_tf32(cx, name)),
        (F16, F16) | (BF16, BF16) | (F32, F32) | (F64, F64) => return Some(name.to_owned()),
        (F16 | BF16, F32 | F64) | (F32, F64) => "fpext",
        (F32 | F64, F16 | BF16) | (F64, F32) => "fptrunc",
        // Between the 16-bit formats: neither is an extension of the other.
        _ => return None,
    };
    if inst == "fptrunc" {
        return Some(narrow(cx, name, source, target));
    }
    Some(widen(cx, source, name, target))
}

/// A float, or a vector of them, in a longer format. A bf16 that is its bits is the upper half of an f32.
pub(super) fn widen(cx: &mut Cx<'_>, source: &str, name: &str, target: &str) -> String {
    if !source.contains("i16") {
        return cx.compute(&format!("fpext {source} {name} to {target}"));
    }
    let (words, float) = (source.replace("i16", "i32"), source.replace("i16", "float"));
    let bits = match cx.words.get(name).cloned() {
        Some(word) => cx.compute(&format!("and {words} {word}, {}", splat(&words, "i32", -0x1_0000))),
        None => {
            let low = cx.compute(&format!("zext {source} {name} to {words}"));
            cx.compute(&format!("shl {words} {low}, {}", splat(&words, "i32", 16)))
        }
    };
    let value = cx.compute(&format!("bitcast {words} {bits} to {float}"));
    if float == target { value } else { cx.compute(&format!("fpext {float} {value} to {target}")) }
}

/// A float, or a vector of them, in a shorter format.
///
/// CPUs have instructions from f32 to f16; LLVM calls functions of its runtime library for other 16-bit results, which a
/// program may lack.
pub(super) fn narrow(cx: &mut Cx<'_>, name: &str, source: &str, target: &str) -> String {
    let is_short = target.contains("half") || target.contains("i16");
    if cx.lowered.chip().native.is_none() || !is_short {
        return cx.compute(&format!("fptrunc {source} {name} to {target}"));
    }
    let float = source.replace("double", "float");
    let name = if source.contains("double") { odd_float(cx, name, source, &float) } else { name.to_owned() };
    if target.contains("half") {
        return cx.compute(&format!("fptrunc {float} {name} to {target}"));
    }
    // To nearest even; a NaN keeps its first digits, and is quiet.
    let words = float.replace("float", "i32");
    let all = |value: u32| splat(&words, "i32", value as i32);
    let bits = cx.compute(&format!("bitcast {float} {name} to {words}"));
    let high = cx.compute(&format!("lshr {words} {bits}, {}", all(16)));
    let even = cx.compute(&format!("and {words} {high}, {}", all(1)));
    let sum = cx.compute(&format!("add {words} {bits}, {}", all(0x7FFF)));
    let sum = cx.compute(&format!("add {words} {sum}, {even}"));
    let quiet = cx.compute(&format!("or {words} {bits}, {}", all(0x40_0000)));
    let nan = cx.compute(&format!("fcmp uno {float} {name}, {name}"));
    let flags = float.replace("float", "i1");
    let word = cx.compute(&format!("select {flags} {nan}, {words} {quiet}, {words} {sum}"));
    upper_half(cx, word, &words, target)
}

/// An f32, or a vector of them, that is a bf16.
pub(super) fn cut(cx: &mut Cx<'_>, name: &str, float: &str, target: &str) -> String {
    let words = float.replace("float", "i32");
    let word = cx.compute(&format!("bitcast {float} {name} to {words}"));
    upper_half(cx, word, &words, target)
}

/// The upper half of a word; what extends it need not come back from it.
fn upper_half(cx: &mut Cx<'_>, word: String, words: &str, target: &str) -> String {
    let high = cx.compute(&format!("lshr {words} {word}, {}", splat(words, "i32", 16)));
    let name = cx.compute(&format!("trunc {words} {high} to {target}"));
    cx.words.insert(name.clone(), word);
    name
}

/// An f64 as an f32 that lies on the same side of every shorter number and of every tie of them: cut, and made odd where
/// that is not exact.
fn odd_float(cx: &mut Cx<'_>, name: &str, double: &str, float: &str) -> String {
    let (words, flags) = (float.replace("float", "i32"), float.replace("float", "i1"));
    let near = cx.compute(&format!("fptrunc {double} {name} to {float}"));
    let back = cx.compute(&format!("fpext {float} {near} to {double}"));
    let [wide, own] = [&back, name].map(|value| {
        let function = format!("llvm.fabs.{}", suffix(double));
        cx.call(double, &function, &[format!("{double} {value}")])
    });
    let above = cx.compute(&format!("fcmp ogt {double} {wide}, {own}"));
    let inexact = cx.compute(&format!("fcmp one {double} {back}, {name}"));
    let bits = cx.compute(&format!("bitcast {float} {near} to {words}"));
    let step = cx.compute(&format!("sext {flags} {above} to {words}"));
    let cut = cx.compute(&format!("add {words} {bits}, {step}"));
    let odd = cx.compute(&format!("or {words} {cut}, {}", splat(&words, "i32", 1)));
    let chosen = cx.compute(&format!("select {flags} {inexact}, {words} {odd}, {words} {bits}"));
    cx.compute(&format!("bitcast {words} {chosen} to {float}"))
}

/// A number in each element of a type.
fn splat(ty: &str, elem: &str, value: impl std::fmt::Display) -> String {
    if ty.starts_with('<') { format!("splat ({elem} {value})") } else { value.to_string() }
}

/// The first ten digits behind the point, to nearest even; NaNs as they are.
fn round_tf32(cx: &mut Cx<'_>, name: &str) -> String {
    let bits = cx.compute(&format!("bitcast float {name} to i32"));
    let even = cx.compute(&format!("lshr i32 {bits}, 13"));
    let even = cx.compute(&format!("and i32 {even}, 1"));
    let sum = cx.compute(&format!("add i32 {bits}, {}", 0xFFF));
    let sum = cx.compute(&format!("add i32 {sum}, {even}"));
    let sum = cx.compute(&format!("and i32 {sum}, {}", 0xFFFF_E000_u32 as i32));
    let rounded = cx.compute(&format!("bitcast i32 {sum} to float"));
    let nan = cx.compute(&format!("fcmp uno float {name}, {name}"));
    cx.compute(&format!("select i1 {nan}, float {name}, float {rounded}"))
}

/// Integers of any widths.
pub(super) fn resize_int(cx: &mut Cx<'_>, name: &str, source: &str, target: &str, signed: bool) -> String {
    let width =
        |ty: &str| elem_of(ty).trim_start_matches('i').parse::<u32>().expect("an integer type ends in its width");
    let inst = match width(target).cmp(&width(source)) {
        std::cmp::Ordering::Equal => return name.to_owned(),
        std::cmp::Ordering::Less => "trunc",
        std::cmp::Ordering::Greater if signed => "sext",
        std::cmp::Ordering::Greater => "zext",
    };
    cx.compute(&format!("{inst} {source} {name} to {target}"))
}

/// `arith.sitofp`, `arith.uitofp`. A bf16 is rounded from an f64, which holds 53 bits exactly; of more, those that are
/// below all digits of the result are put into one bit, which keeps them on their side of every tie.
fn int_to_float(cx: &mut Cx<'_>, name: &str, source: &str, to: Float, target: &str, signed: bool) -> Option<String> {
    let inst = if signed { "sitofp" } else { "uitofp" };
    match to {
        Float::F16 | Float::F32 | Float::F64 => {}
        Float::BF16 => {
            let double = with_elem(source, "double");
            let exact = cx.compute(&format!("{inst} {source} {name} to {double}"));
            let width: u32 = elem_of(source)[1..].parse().expect("an integer type ends in its width");
            let wide = if width <= 53 { exact } else { round_odd(cx, name, source, &exact, signed) };
            return Some(narrow(cx, &wide, &double, target));
        }
        _ => return None,
    }
    Some(cx.compute(&format!("{inst} {source} {name} to {target}")))
}

/// An integer of more than 53 bits as an f64 that lies on the same side of every bf16 and of every tie of them: `near`
/// where that is exact.
fn round_odd(cx: &mut Cx<'_>, name: &str, ty: &str, near: &str, signed: bool) -> String {
    let (inst, shift) = if signed { ("sitofp", "ashr") } else { ("uitofp", "lshr") };
    let (elem, double, flags) = (elem_of(ty), with_elem(ty, "double"), with_elem(ty, "i1"));
    let all = |value: i64| splat(ty, elem, value);
    let high = cx.compute(&format!("{shift} {ty} {name}, {}", all(11)));
    let low = cx.compute(&format!("and {ty} {name}, {}", all(2047)));
    let some = cx.compute(&format!("icmp ne {ty} {low}, {}", all(0)));
    let sticky = cx.compute(&format!("zext {flags} {some} to {ty}"));
    let odd = cx.compute(&format!("or {ty} {high}, {sticky}"));
    let odd = cx.compute(&format!("{inst} {ty} {odd} to {double}"));
    let back = splat(&double, "double", format!("0x{:016X}", 2048f64.to_bits()));
    let odd = cx.compute(&format!("fmul {double} {odd}, {back}"));
    // Between -2^52 and 2^52 the f64 is the integer.
    let moved = cx.compute(&format!("add {ty} {name}, {}", all(if signed { 1 << 52 } else { 0 })));
    let small = cx.compute(&format!("icmp ult {ty} {moved}, {}", all(1 << 53)));
    cx.compute(&format!("select {flags} {small}, {double} {near}, {double} {odd}"))
}

/// The element of a vector type; another type is its own.
fn elem_of(ty: &str) -> &str {
    ty.rsplit(' ').next().map_or(ty, |elem| elem.trim_end_matches('>'))
}

/// The type with other elements.
fn with_elem(ty: &str, elem: &str) -> String {
    match ty.split_once(" x ") {
        Some((count, _)) => format!("{count} x {elem}>"),
        None => elem.to_owned(),
    }
}
