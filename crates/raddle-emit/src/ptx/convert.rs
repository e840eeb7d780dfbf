//! Conversions between scalar types, each rounded once.

use raddle_ir::{Diag, Float, OpId, Opcode, Scalar, float};

use super::int::{Int, is_nonzero};
use super::value::{Atom, Cx, Kind, Operand, Reg, float_bits, mask};

/// Any conversion.
pub(super) fn convert(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (value, result) = (cx.ir.operand(op, 0), cx.ir.result(op, 0));
    let (from, _) = cx.scalar(op, value)?;
    let (to, _) = cx.scalar(op, result)?;
    let atom = cx.atom(value);
    let opcode = cx.ir.opcode(op);
    let converted = match (opcode, from, to) {
        (Opcode::ArithBitcast, from, to) => Some(reinterpret(cx, atom, from, to)),
        (Opcode::ArithExtf | Opcode::ArithTruncf, Scalar::Float(from), Scalar::Float(to)) => {
            resize_float(cx, atom, from, to)
        }
        (
            Opcode::ArithExtsi
            | Opcode::ArithExtui
            | Opcode::ArithTrunci
            | Opcode::ArithIndexCast
            | Opcode::ArithIndexCastui,
            from,
            to,
        ) => {
            let (from, to) = (Int::of(cx, from), Int::of(cx, to));
            Some(resize_int(cx, atom, from, to, matches!(opcode, Opcode::ArithExtsi | Opcode::ArithIndexCast)))
        }
        (Opcode::ArithSitofp | Opcode::ArithUitofp, from, Scalar::Float(to)) => {
            let from = Int::of(cx, from);
            int_to_float(cx, atom, from, to, opcode == Opcode::ArithSitofp)
        }
        (Opcode::ArithFptosi | Opcode::ArithFptoui, Scalar::Float(from), to) => {
            let to = Int::of(cx, to);
            float_to_int(cx, atom, from, to, opcode == Opcode::ArithFptosi)
        }
        _ => None,
    };
    let atom = converted.ok_or_else(|| cx.cannot(op, &format!("no conversion from {from} to {to}")))?;
    cx.bind(result, atom);
    Ok(())
}

/// A 16-bit float as an f32 operand; any f32 passes through.
pub(super) fn widen(cx: &mut Cx<'_>, from: Float, atom: Atom) -> Operand {
    match (from, atom) {
        (_, Atom::Imm(bits)) => Operand::Imm(Kind::F32, float_bits(Float::F32, float::decode(from, bits))),
        (Float::F16, atom) => {
            let half = cx.reg_of(atom, Kind::B16);
            cx.compute("cvt.f32.f16", Kind::F32, &[half.into()]).into()
        }
        // A bf16 is the upper half of the f32 of the same value.
        (Float::BF16, Atom::Part { word, at, .. }) => {
            let word = if at == 0 {
                cx.compute("shl.b32", Kind::B32, &[word.into(), Operand::Imm(Kind::B32, 16)])
            } else {
                cx.compute("and.b32", Kind::B32, &[word.into(), Operand::Imm(Kind::B32, 0xFFFF_0000)])
            };
            cx.compute("mov.b32", Kind::F32, &[word.into()]).into()
        }
        (Float::BF16, atom) => {
            let half = cx.reg_of(atom, Kind::B16);
            let zero = cx.reg_of(Atom::Imm(0), Kind::B16);
            let wide = cx.fresh(Kind::F32);
            cx.inst(format_args!("mov.b32 {wide}, {{{zero}, {half}}}"));
            wide.into()
        }
        (_, atom) => cx.operand_of(atom, Kind::F32),
    }
}

/// `arith.extf`, `arith.truncf`
fn resize_float(cx: &mut Cx<'_>, atom: Atom, from: Float, to: Float) -> Option<Atom> {
    use Float::{BF16, F16, F32, F64, TF32};
    match (from, to) {
        // A tf32 is an f32 whose last digits are 0.
        (TF32, F32) => return Some(atom),
        (F32, TF32) => return Some(round_tf32(cx, atom)),
        (small, F32) if small.bits() == 8 && cx.lowered.chip().converts(small) => return extend_f8(cx, atom, small),
        (F32, small) if small.bits() == 8 && cx.lowered.chip().converts(small) => return round_f8(cx, atom, small),
        _ => {}
    }
    if !matches!((from, to), (F16 | BF16 | F32 | F64, F16 | BF16 | F32 | F64)) {
        return None;
    }
    if let Atom::Imm(bits) = atom {
        return Some(Atom::Imm(float_bits(to, float::decode(from, bits))));
    }
    let reg = match (from, to) {
        (F16 | BF16, F32) => match widen(cx, from, atom) {
            Operand::Reg(reg) => reg,
            Operand::Imm(_, bits) => return Some(Atom::Imm(bits)),
        },
        (F16 | BF16 | F32, F64) => {
            let wide = widen(cx, from, atom);
            cx.compute("cvt.f64.f32", Kind::F64, &[wide])
        }
        (F32, F16 | BF16) => return Some(Atom::Round { source: cx.reg_of(atom, Kind::F32), to }),
        (F64, F32) => {
            let wide = cx.reg_of(atom, Kind::F64);
            cx.compute("cvt.rn.f32.f64", Kind::F32, &[wide.into()])
        }
        (F64, F16) => {
            let wide = cx.reg_of(atom, Kind::F64);
            cx.compute("cvt.rn.f16.f64", Kind::B16, &[wide.into()])
        }
        (F64, BF16) => {
            let wide = cx.reg_of(atom, Kind::F64);
            let near = cx.compute("cvt.rz.f32.f64", Kind::F32, &[wide.into()]);
            let back = cx.compute("cvt.f64.f32", Kind::F64, &[near.into()]);
            let inexact = cx.compute("setp.neu.f64", Kind::Pred, &[back.into(), wide.into()]);
            return Some(round_odd(cx, near, inexact));
        }
        (F16, F16) | (BF16, BF16) | (F32, F32) | (F64, F64) => return Some(atom),
        // Between the 16-bit formats: neither is an extension of the other.
        _ => return None,
    };
    Some(Atom::Reg(reg))
}

/// The first ten digits behind the point, to nearest even; NaNs as they are.
fn round_tf32(cx: &mut Cx<'_>, atom: Atom) -> Atom {
    if let Atom::Imm(bits) = atom {
        return Atom::Imm(float_bits(Float::TF32, float::decode(Float::F32, bits)));
    }
    let value = cx.reg_of(atom, Kind::F32);
    let word = |number: u64| Operand::Imm(Kind::B32, number);
    let bits = cx.compute("mov.b32", Kind::B32, &[value.into()]);
    let even = cx.compute("bfe.u32", Kind::B32, &[bits.into(), word(13), word(1)]);
    let sum = cx.compute("add.s32", Kind::B32, &[bits.into(), word(0xFFF)]);
    let sum = cx.compute("add.s32", Kind::B32, &[sum.into(), even.into()]);
    let sum = cx.compute("and.b32", Kind::B32, &[sum.into(), word(0xFFFF_E000)]);
    let rounded = cx.compute("mov.b32", Kind::F32, &[sum.into()]);
    let nan = cx.compute("setp.nan.f32", Kind::Pred, &[value.into(), value.into()]);
    Atom::Reg(cx.compute("selp.f32", Kind::F32, &[value.into(), rounded.into(), nan.into()]))
}

/// What the instructions call an 8-bit format, two of which they convert at once.
fn pair_of(float: Float) -> Option<&'static str> {
    match float {
        Float::F8E4M3FN => Some("e4m3x2"),
        Float::F8E5M2 => Some("e5m2x2"),
        _ => None,
    }
}

/// An 8-bit float as f32, by way of f16, which has room for all of them. PTX ISA, "cvt": from sm_89, with version 8.1.
fn extend_f8(cx: &mut Cx<'_>, atom: Atom, from: Float) -> Option<Atom> {
    if let Atom::Imm(bits) = atom {
        return Some(Atom::Imm(float_bits(Float::F32, float::decode(from, bits))));
    }
    let pair = pair_of(from)?;
    cx.need("8.1");
    let byte = cx.reg_of(atom, Kind::B32);
    let byte = cx.compute("cvt.u16.u32", Kind::B16, &[byte.into()]);
    let halves = cx.compute(&format!("cvt.rn.f16x2.{pair}"), Kind::B32, &[byte.into()]);
    let half = cx.reg_of(Atom::Part { word: halves, at: 0, bits: 16 }, Kind::B16);
    Some(Atom::Reg(cx.compute("cvt.f32.f16", Kind::F32, &[half.into()])))
}

/// An f32 as an 8-bit float. The instruction stops at the largest number; what is beyond becomes the number behind that,
/// which is NaN in f8E4M3FN (from the middle to 480 on) and infinity in f8E5M2 (from the middle to 65536).
fn round_f8(cx: &mut Cx<'_>, atom: Atom, to: Float) -> Option<Atom> {
    if let Atom::Imm(bits) = atom {
        return Some(Atom::Imm(float_bits(to, float::decode(Float::F32, bits))));
    }
    let pair = pair_of(to)?;
    cx.need("8.1");
    let value = cx.reg_of(atom, Kind::F32);
    let zero = Operand::Imm(Kind::F32, 0);
    let bytes = cx.compute(&format!("cvt.rn.satfinite.{pair}.f32"), Kind::B16, &[zero, value.into()]);
    let word = cx.compute("cvt.u32.u16", Kind::B32, &[bytes.into()]);
    let magnitude = cx.compute("abs.f32", Kind::F32, &[value.into()]);
    let (relation, middle) = if to == Float::F8E4M3FN { ("gt", 464.0) } else { ("ge", 61440.0) };
    let middle = Operand::Imm(Kind::F32, float_bits(Float::F32, middle));
    let beyond = cx.compute(&format!("setp.{relation}.f32"), Kind::Pred, &[magnitude.into(), middle]);
    cx.inst(format_args!("@{beyond} add.s32 {word}, {word}, 1"));
    Some(Atom::Reg(word))
}

/// A value cut to f32 with what was lost kept as an odd last bit: rounding that to bf16 rounds the value itself, since
/// the odd bit stands strictly between the neighbours of every tie.
fn round_odd(cx: &mut Cx<'_>, near: Reg, inexact: Reg) -> Atom {
    let bits = cx.compute("mov.b32", Kind::B32, &[near.into()]);
    cx.inst(format_args!("@{inexact} or.b32 {bits}, {bits}, 1"));
    Atom::Round { source: cx.compute("mov.b32", Kind::F32, &[bits.into()]), to: Float::BF16 }
}

/// Integers of any widths.
fn resize_int(cx: &mut Cx<'_>, atom: Atom, from: Int, to: Int, signed: bool) -> Atom {
    let grows = to.width > from.width;
    if !grows && from.kind == to.kind && from.width == to.width {
        return atom;
    }
    let operand = if grows && signed { from.signed(cx, atom) } else { from.unsigned(cx, atom) };
    let operand = match operand {
        Operand::Imm(kind, bits) => {
            let sign = if signed && grows && kind == Kind::B32 { bits as u32 as i32 as i64 as u64 } else { bits };
            return Atom::Imm(sign & mask(to.width));
        }
        Operand::Reg(reg) => match (from.kind, to.kind) {
            (Kind::B32, Kind::B64) => {
                cx.compute(if signed { "cvt.s64.s32" } else { "cvt.u64.u32" }, Kind::B64, &[reg.into()])
            }
            (Kind::B64, Kind::B32) => cx.compute("cvt.u32.u64", Kind::B32, &[reg.into()]),
            _ => reg,
        },
    };
    // Zeros stay zeros above a grown unsigned integer.
    if grows && !signed { Atom::Reg(operand) } else { to.cut(cx, operand.into()) }
}

/// `arith.sitofp`, `arith.uitofp`
fn int_to_float(cx: &mut Cx<'_>, atom: Atom, from: Int, to: Float, signed: bool) -> Option<Atom> {
    if (2..=8).contains(&from.width)
        && !matches!(atom, Atom::Imm(_))
        && matches!(to, Float::F16 | Float::BF16 | Float::F32)
    {
        return Some(byte_to_float(cx, atom, from, to, signed));
    }
    let operand = if signed { from.signed(cx, atom) } else { from.unsigned(cx, atom) };
    let reg = match operand {
        Operand::Imm(kind, bits) => cx.reg_of(Atom::Imm(bits), kind),
        Operand::Reg(reg) => reg,
    };
    let ty = from.name("", if signed { 's' } else { 'u' });
    let (name, kind) = match to {
        Float::F16 => (format!("cvt.rn.f16{ty}"), Kind::B16),
        Float::F32 => (format!("cvt.rn.f32{ty}"), Kind::F32),
        Float::F64 => (format!("cvt.rn.f64{ty}"), Kind::F64),
        Float::BF16 => {
            let near = cx.compute(&format!("cvt.rz.f32{ty}"), Kind::F32, &[reg.into()]);
            let back = cx.compute(&format!("cvt.rzi{ty}.f32"), from.kind, &[near.into()]);
            let inexact = cx.compute(&from.name("setp.ne", 'b'), Kind::Pred, &[back.into(), reg.into()]);
            return Some(round_odd(cx, near, inexact));
        }
        _ => return None,
    };
    Some(Atom::Reg(cx.compute(&name, kind, &[reg.into()])))
}

/// A few bits as a float: they become the last digits of a number that has so many in front of its point, and the number
/// without them is taken off. All of it is exact, and faster than instructions that convert, of which a processor does 16 in
/// a clock (CUDA C++ Programming Guide, "Arithmetic Instructions"). Turning over the sign adds half of what there is.
fn byte_to_float(cx: &mut Cx<'_>, atom: Atom, from: Int, to: Float, signed: bool) -> Atom {
    let half = if signed { 1u64 << (from.width - 1) } else { 0 };
    let word = |bits: u64| Operand::Imm(Kind::B32, bits);
    // 1024 as an f16, 2^23 as an f32.
    let (whole, one) = if to == Float::F16 { (1024, 0x6400) } else { (1 << 23, 0x4B00_0000) };
    let (digits, at) = match atom {
        Atom::Part { word: bytes, at, bits: 8 } if from.width == 8 => {
            let bytes =
                if signed { cx.compute("xor.b32", Kind::B32, &[bytes.into(), word(0x8080_8080)]) } else { bytes };
            // Neighbours become halves of one word.
            let (ones, selector, at) = match to {
                Float::F16 => (one << 16 | one, 0x5150 + 0x101 * u64::from(at & 2), at & 1),
                _ => (one, 0x7440 + u64::from(at), 0),
            };
            (cx.compute("prmt.b32", Kind::B32, &[bytes.into(), word(ones), word(selector)]), at)
        }
        atom => {
            let bits = match atom {
                Atom::Part { word: whole, at, bits } if from.width < bits => {
                    let [first, width] = [at * bits, from.width].map(|n| word(n.into()));
                    cx.compute("bfe.u32", Kind::B32, &[whole.into(), first, width]).into()
                }
                atom => from.unsigned(cx, atom),
            };
            (cx.compute("xor.b32", Kind::B32, &[bits, word(one | half)]), 0)
        }
    };
    let begin = f64::from(whole + half as u32);
    if to == Float::F16 {
        let digits = cx.reg_of(Atom::Part { word: digits, at, bits: 16 }, Kind::B16);
        let begin = cx.reg_of(Atom::Imm(float_bits(Float::F16, begin)), Kind::B16);
        return Atom::Reg(cx.compute("sub.rn.f16", Kind::B16, &[digits.into(), begin.into()]));
    }
    let digits = cx.compute("mov.b32", Kind::F32, &[digits.into()]);
    let begin = Operand::Imm(Kind::F32, float_bits(Float::F32, begin));
    let number = cx.compute("sub.rn.f32", Kind::F32, &[digits.into(), begin]);
    if to == Float::F32 {
        return Atom::Reg(number);
    }
    // Eight digits are a bf16.
    Atom::Part { word: cx.compute("mov.b32", Kind::B32, &[number.into()]), at: 1, bits: 16 }
}

/// `arith.fptosi`, `arith.fptoui`: towards zero. What does not fit the register saturates; a narrower type then keeps
/// the low bits (MLIR leaves both undefined).
fn float_to_int(cx: &mut Cx<'_>, atom: Atom, from: Float, to: Int, signed: bool) -> Option<Atom> {
    let ty = to.name("", if signed { 's' } else { 'u' });
    let (source, operand) = match from {
        Float::F16 => ("f16", Operand::Reg(cx.reg_of(atom, Kind::B16))),
        Float::BF16 => ("f32", widen(cx, from, atom)),
        Float::F32 => ("f32", Operand::Reg(cx.reg_of(atom, Kind::F32))),
        Float::F64 => ("f64", Operand::Reg(cx.reg_of(atom, Kind::F64))),
        _ => return None,
    };
    let reg = cx.compute(&format!("cvt.rzi{ty}.{source}"), to.kind, &[operand]);
    Some(to.cut(cx, reg.into()))
}

/// `arith.bitcast` between scalars of one width.
fn reinterpret(cx: &mut Cx<'_>, atom: Atom, from: Scalar, to: Scalar) -> Atom {
    let (Some(source), Some(target)) = (cx.kind_of(from), cx.kind_of(to)) else { return atom };
    match (atom, source, target) {
        // The bits of a constant are the same in every class of one width.
        (Atom::Imm(_), ..) => atom,
        (atom, source, target) if source == target => match atom {
            // A half of a word stays one, whatever its 16 bits mean.
            Atom::Round { .. } => Atom::Reg(cx.reg_of(atom, source)),
            atom => atom,
        },
        (Atom::Part { .. }, ..) => atom,
        (atom, Kind::B16, Kind::B32) => {
            let half = cx.reg_of(atom, Kind::B16);
            Atom::Reg(cx.compute("cvt.u32.u16", Kind::B32, &[half.into()]))
        }
        (atom, Kind::B32, Kind::B16) => {
            let word = cx.reg_of(atom, Kind::B32);
            Atom::Reg(cx.compute("cvt.u16.u32", Kind::B16, &[word.into()]))
        }
        (atom, source, target) => {
            let reg = cx.reg_of(atom, source);
            Atom::Reg(cx.compute(&format!("mov.b{}", target.bits()), target, &[reg.into()]))
        }
    }
}

/// A predicate as a 32-bit number, and back.
pub(super) fn through_word(cx: &mut Cx<'_>, bit: Reg, moved: impl FnOnce(&mut Cx<'_>, Reg) -> Reg) -> Reg {
    let [one, zero] = [1, 0].map(|bit| Operand::Imm(Kind::B32, bit));
    let word = cx.compute("selp.b32", Kind::B32, &[one, zero, bit.into()]);
    let word = moved(cx, word);
    is_nonzero(cx, word)
}
