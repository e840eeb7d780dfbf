//! Integers and bits.

use super::super::types::{Kind, Ty, mask, signed};
use super::super::words::Words;
use super::{Elementwise, four, one, packed2, three, two};

pub(super) fn find(opcode: &str, words: &mut Words<'_>) -> Option<Elementwise> {
    match opcode {
        "add" | "sub" | "addc" | "subc" => sum(opcode, words),
        "mul" | "mad" | "madc" | "mul24" | "mad24" => product(opcode, words),
        "div" | "rem" | "min" | "max" | "sad" | "abs" | "neg" => arithmetic(opcode, words),
        "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" | "lop3" | "shf" => logic(opcode, words),
        "popc" | "clz" | "bfind" | "brev" | "bfe" | "bfi" | "bmsk" | "szext" | "prmt" | "fns" => bits(opcode, words),
        "dp4a" | "dp2a" => dot(opcode, words),
        "vadd2" | "vadd4" | "vsub2" | "vsub4" | "vmin2" | "vmin4" | "vmax2" | "vmax4" | "vabsdiff2" | "vabsdiff4" => {
            video(opcode, words)
        }
        _ => None,
    }
}

fn sum(opcode: &str, words: &mut Words<'_>) -> Option<Elementwise> {
    let gives_carry = words.take("cc");
    let saturates = words.take("sat");
    let ty = words.ty()?;
    let (bits, mask) = (ty.bits, mask(ty.bits));
    let takes_carry = opcode.ends_with('c');
    if !takes_carry && !gives_carry {
        let is_sub = opcode == "sub";
        let lanes = match (is_sub, saturates) {
            (_, true) => packed2(ty, move |a, b| {
                let (a, b) = (signed(a, bits), signed(b, bits));
                let exact = if is_sub { a - b } else { a + b };
                exact.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) as u64 & mask
            }),
            (false, false) => packed2(ty, move |a, b| a.wrapping_add(b) & mask),
            (true, false) => packed2(ty, move |a, b| a.wrapping_sub(b) & mask),
        };
        // Only 32-bit integers saturate.
        return (!saturates || bits <= 32).then(|| Elementwise::same(ty, 2, lanes));
    }
    // A difference is the sum with the complement; its carry says that nothing was borrowed.
    let is_sub = opcode.starts_with("sub");
    let exact = move |a: u64, b: u64, carry: u64| {
        let b = if is_sub { !b & mask } else { b };
        let carry = if takes_carry { carry & 1 } else { u64::from(is_sub) };
        u128::from(a) + u128::from(b) + u128::from(carry)
    };
    let mut op = Elementwise::same(ty, 2, three(move |a, b, carry| exact(a, b, carry) as u64 & mask));
    op.carry = gives_carry.then(|| three(move |a, b, carry| (exact(a, b, carry) >> bits) as u64 & 1));
    op.takes_carry = takes_carry;
    Some(op)
}

fn product(opcode: &str, words: &mut Words<'_>) -> Option<Elementwise> {
    let part = words.take_any(&["lo", "hi", "wide"])?;
    let gives_carry = words.take("cc");
    let saturates = words.take("sat");
    let ty = words.ty()?;
    let (bits, is_signed) = (ty.bits, ty.is_signed());
    let is_24 = opcode.ends_with("24");
    if bits > 64 || saturates && (bits != 32 || part != "hi") {
        return None;
    }
    let extend = move |x: u64| {
        let bits = if is_24 { 24 } else { bits };
        if is_signed { i128::from(signed(x, bits)) } else { i128::from(x & mask(bits)) }
    };
    let (dst, shift) = match part {
        "wide" if !is_24 => (Ty { bits: bits * 2, ..ty }, 0),
        "lo" => (ty, 0),
        "hi" if is_24 => (ty, 16),
        "hi" => (ty, bits),
        _ => return None,
    };
    let keep = mask(dst.bits);
    let times = move |a: u64, b: u64| ((extend(a).wrapping_mul(extend(b))) >> shift) as u64 & keep;
    if opcode.starts_with("mul") {
        let lanes = match (part, bits, is_signed) {
            ("lo", 32, _) if !is_24 => two(|a, b| u64::from((a as u32).wrapping_mul(b as u32))),
            ("wide", 32, false) => two(|a, b| u64::from(a as u32) * u64::from(b as u32)),
            ("wide", 32, true) => two(|a, b| (i64::from(a as i32) * i64::from(b as i32)) as u64),
            _ => two(times),
        };
        return Some(Elementwise::new(dst, &[ty, ty], lanes));
    }
    let srcs = [ty, ty, dst];
    let takes_carry = opcode == "madc";
    if !takes_carry && !gives_carry {
        let lanes = match (part, bits, is_signed) {
            ("lo", 32, _) if !is_24 => {
                three(|a, b, c| u64::from((a as u32).wrapping_mul(b as u32).wrapping_add(c as u32)))
            }
            ("wide", 32, false) => three(|a, b, c| (u64::from(a as u32) * u64::from(b as u32)).wrapping_add(c)),
            _ if saturates => three(move |a, b, c| {
                let exact = signed(times(a, b), 32) + signed(c, 32);
                exact.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as u64 & keep
            }),
            _ => three(move |a, b, c| times(a, b).wrapping_add(c) & keep),
        };
        return Some(Elementwise::new(dst, &srcs, lanes));
    }
    let width = dst.bits;
    let exact = move |a: u64, b: u64, c: u64, carry: u64| {
        u128::from(times(a, b)) + u128::from(c) + u128::from(if takes_carry { carry & 1 } else { 0 })
    };
    let mut op = Elementwise::new(dst, &srcs, four(move |a, b, c, carry| exact(a, b, c, carry) as u64 & keep));
    op.carry = gives_carry.then(|| four(move |a, b, c, carry| (exact(a, b, c, carry) >> width) as u64 & 1));
    op.takes_carry = takes_carry;
    Some(op)
}

fn arithmetic(opcode: &str, words: &mut Words<'_>) -> Option<Elementwise> {
    let relu = words.take("relu");
    let ty = words.ty()?;
    let (bits, is_signed, mask) = (ty.bits, ty.is_signed(), mask(ty.bits));
    if bits > 64 || !matches!(ty.kind, Kind::Signed | Kind::Unsigned | Kind::Bits) {
        return None;
    }
    let lanes = match opcode {
        // The hardware gives all ones for a quotient by zero, and the dividend for the rest.
        "div" if is_signed => two(move |a, b| {
            let (a, b) = (signed(a, bits), signed(b, bits));
            if b == 0 { mask } else { a.wrapping_div(b) as u64 & mask }
        }),
        "div" => two(move |a, b| a.checked_div(b).unwrap_or(mask)),
        "rem" if is_signed => two(move |a, b| {
            let (x, y) = (signed(a, bits), signed(b, bits));
            if y == 0 { a } else { x.wrapping_rem(y) as u64 & mask }
        }),
        "rem" => two(|a, b| if b == 0 { a } else { a % b }),
        "min" | "max" => {
            let wants_max = opcode == "max";
            packed2(ty, move |a, b| {
                let less = if is_signed { signed(a, bits) < signed(b, bits) } else { a < b };
                let chosen = if less == wants_max { b } else { a };
                if relu && signed(chosen, bits) < 0 { 0 } else { chosen }
            })
        }
        "sad" => {
            return Some(Elementwise::same(
                ty,
                3,
                three(move |a, b, c| {
                    let apart = if is_signed { signed(a, bits).abs_diff(signed(b, bits)) } else { a.abs_diff(b) };
                    c.wrapping_add(apart) & mask
                }),
            ));
        }
        "abs" => return Some(Elementwise::same(ty, 1, one(move |a| signed(a, bits).unsigned_abs() & mask))),
        "neg" => return Some(Elementwise::same(ty, 1, one(move |a| a.wrapping_neg() & mask))),
        _ => return None,
    };
    Some(Elementwise::same(ty, 2, lanes))
}

fn logic(opcode: &str, words: &mut Words<'_>) -> Option<Elementwise> {
    if opcode == "shf" {
        return funnel(words);
    }
    if opcode == "lop3" {
        return lop3(words);
    }
    let ty = words.ty()?;
    let (bits, mask) = (ty.width(), mask(ty.width()));
    if bits > 64 {
        return None;
    }
    let shift = [ty, Ty::U32];
    Some(match opcode {
        "and" => Elementwise::same(ty, 2, two(|a, b| a & b)),
        "or" => Elementwise::same(ty, 2, two(|a, b| a | b)),
        "xor" => Elementwise::same(ty, 2, two(|a, b| a ^ b)),
        "not" => Elementwise::same(ty, 1, one(move |a| !a & mask)),
        "cnot" => Elementwise::same(ty, 1, one(|a| u64::from(a == 0))),
        // Shifts by more than the width shift by the width.
        "shl" => Elementwise::new(
            ty,
            &shift,
            two(move |a, b| {
                let by = b as u32;
                if by >= bits { 0 } else { a << by & mask }
            }),
        ),
        _ if ty.is_signed() => Elementwise::new(
            ty,
            &shift,
            two(move |a, b| (signed(a, bits) >> (b as u32).min(bits - 1).min(63)) as u64 & mask),
        ),
        _ => Elementwise::new(
            ty,
            &shift,
            two(move |a, b| {
                let by = b as u32;
                if by >= bits { 0 } else { a >> by }
            }),
        ),
    })
}

/// Any function of three bits; its table is the fourth operand.
fn lop3(words: &mut Words<'_>) -> Option<Elementwise> {
    let ty = words.ty()?;
    if ty.bits != 32 {
        return None;
    }
    let lanes = four(|a, b, c, table| {
        (0..8u32).filter(|row| table >> row & 1 == 1).fold(0, |word, row| {
            let pick = |x: u64, bit: u32| if row >> bit & 1 == 1 { x } else { !x };
            word | pick(a, 2) & pick(b, 1) & pick(c, 0)
        }) & 0xffff_ffff
    });
    Some(Elementwise::new(ty, &[ty, ty, ty, Ty::U32], lanes))
}

/// Bits of two words side by side.
fn funnel(words: &mut Words<'_>) -> Option<Elementwise> {
    let left = words.take_any(&["l", "r"])? == "l";
    let wraps = words.take_any(&["wrap", "clamp"])? == "wrap";
    let ty = words.ty()?;
    let lanes = three(move |low, high, by| {
        let by = if wraps { by & 31 } else { by.min(32) };
        let both = high << 32 | low & 0xffff_ffff;
        let word = if left { (u128::from(both) << by >> 32) as u64 } else { both >> by };
        word & 0xffff_ffff
    });
    (ty.bits == 32).then(|| Elementwise::same(ty, 3, lanes))
}

fn bits(opcode: &str, words: &mut Words<'_>) -> Option<Elementwise> {
    if opcode == "prmt" {
        return prmt(words);
    }
    let shift_amount = words.take("shiftamt");
    let modes = words.take_any(&["clamp", "wrap"]);
    let is_whole = |ty: &Ty| ty.packed == 1 && ty.bits <= 64 && !matches!(ty.kind, Kind::Float(_) | Kind::Pred);
    let ty = words.ty().filter(is_whole)?;
    let (bits, is_signed, all) = (ty.bits, ty.is_signed(), mask(ty.bits));
    Some(match opcode {
        "popc" => Elementwise::new(Ty::U32, &[ty], one(|a| u64::from(a.count_ones()))),
        "clz" => Elementwise::new(Ty::U32, &[ty], one(move |a| u64::from(a.leading_zeros() - (64 - bits)))),
        "brev" => Elementwise::same(ty, 1, one(move |a| a.reverse_bits() >> (64 - bits))),
        "bfind" => Elementwise::new(
            Ty::U32,
            &[ty],
            one(move |a| {
                // Of a negative number, the highest bit that is zero.
                let a = if is_signed && signed(a, bits) < 0 { !a & all } else { a };
                match a.checked_ilog2() {
                    None => 0xffff_ffff,
                    Some(at) if shift_amount => u64::from(bits - 1 - at),
                    Some(at) => u64::from(at),
                }
            }),
        ),
        "bfe" => Elementwise::new(
            ty,
            &[ty, Ty::U32, Ty::U32],
            three(move |a, at, n| {
                let (at, n) = (at & 0xff, n & 0xff);
                if n == 0 {
                    return 0;
                }
                let a = if is_signed { signed(a, bits) } else { a as i64 };
                let top = (at + n - 1).min(u64::from(bits) - 1);
                let field = if at >= 64 { 0 } else { a as u64 >> at } & mask((n as u32).min(64));
                if !is_signed {
                    return field & all;
                }
                // The field is extended with its highest bit, or the number's.
                let sign = a >> top & 1;
                let n = (n as u32).min(bits.saturating_sub(at as u32));
                let low = field & mask(n);
                (if sign == 1 { low | !mask(n) } else { low }) & all
            }),
        ),
        "bfi" => Elementwise::new(
            ty,
            &[ty, ty, Ty::U32, Ty::U32],
            four(move |field, into, at, n| {
                let (at, n) = ((at & 0xff) as u32, (n & 0xff) as u32);
                if at >= bits {
                    return into;
                }
                let keep = mask(n) << at & all;
                into & !keep | field << at & keep
            }),
        ),
        "bmsk" => Elementwise::new(
            ty,
            &[Ty::U32, Ty::U32],
            two(move |at, n| {
                let wraps = modes == Some("wrap");
                let (at, n) = if wraps { (at & 31, n & 31) } else { (at.min(32), n.min(32)) };
                mask(n as u32) << at & all
            }),
        ),
        "szext" => Elementwise::new(
            ty,
            &[ty, Ty::U32],
            two(move |a, n| {
                let n = if modes == Some("wrap") { n & 31 } else { n.min(32) } as u32;
                let low = a & mask(n);
                if n > 0 && is_signed { signed(low, n) as u64 & all } else { low }
            }),
        ),
        "fns" => Elementwise::new(
            ty,
            &[Ty::B32, Ty::U32, Ty::U32],
            three(|set, base, offset| {
                let (base, offset) = (base.min(31) as i32, offset as i32);
                let is_set = |at: &i32| set >> at & 1 == 1;
                let found = match offset {
                    0 => is_set(&base).then_some(base),
                    1.. => (base..32).filter(is_set).nth(offset as usize - 1),
                    _ => (0..=base).rev().filter(is_set).nth(offset.unsigned_abs() as usize - 1),
                };
                found.map_or(0xffff_ffff, |at| at as u64)
            }),
        ),
        _ => return None,
    })
}

/// Bytes of two words, picked one by one or by a pattern.
fn prmt(words: &mut Words<'_>) -> Option<Elementwise> {
    let mode = words.take_any(&["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]);
    let ty = words.ty()?;
    let pick = |both: u64, selector: u64| {
        let byte = both >> ((selector & 7) * 8) & 0xff;
        // Bit 3 asks for copies of the byte's sign.
        if selector & 8 == 0 { byte } else { (byte >> 7) * 0xff }
    };
    let lanes = match mode {
        None => three(move |a, b, selectors| {
            let both = b << 32 | a & 0xffff_ffff;
            (0..4).fold(0, |word, at| word | pick(both, selectors >> (at * 4) & 15) << (at * 8))
        }),
        Some(mode) => {
            let table: [[u64; 4]; 4] = match mode {
                "f4e" => [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]],
                "b4e" => [[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]],
                "rc8" => [[0; 4], [1; 4], [2; 4], [3; 4]],
                "ecl" => [[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3, 3, 3, 3]],
                "ecr" => [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]],
                _ => [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]],
            };
            three(move |a, b, selector| {
                let both = b << 32 | a & 0xffff_ffff;
                let bytes = table[selector as usize & 3];
                (0..4).fold(0, |word, at| word | pick(both, bytes[at]) << (at * 8))
            })
        }
    };
    (ty.bits == 32).then(|| Elementwise::same(ty, 3, lanes))
}

/// Sums of products of bytes.
fn dot(opcode: &str, words: &mut Words<'_>) -> Option<Elementwise> {
    let high = opcode == "dp2a" && words.take_any(&["lo", "hi"])? == "hi";
    let (a, b) = (words.ty()?, words.ty()?);
    let part = |x: u64, at: u32, bits: u32, is_signed: bool| {
        let part = x >> (at * bits) & mask(bits);
        if is_signed { signed(part, bits) } else { part as i64 }
    };
    let (a_signed, b_signed) = (a.is_signed(), b.is_signed());
    let four_bytes = opcode == "dp4a";
    let lanes = three(move |x, y, c| {
        let sum: i64 = if four_bytes {
            (0..4).map(|at| part(x, at, 8, a_signed) * part(y, at, 8, b_signed)).sum()
        } else {
            let first = if high { 2 } else { 0 };
            (0..2).map(|at| part(x, at, 16, a_signed) * part(y, first + at, 8, b_signed)).sum()
        };
        c.wrapping_add(sum as u64) & 0xffff_ffff
    });
    let acc = if a_signed || b_signed { Ty { kind: Kind::Signed, ..Ty::U32 } } else { Ty::U32 };
    Some(Elementwise::new(acc, &[Ty::B32, Ty::B32, acc], lanes))
}

/// Halves or bytes of two words; either each result stands at its place, or their sum is added to the third operand.
fn video(opcode: &str, words: &mut Words<'_>) -> Option<Elementwise> {
    let saturates = words.take("sat");
    let adds = words.take("add");
    let is_word = |ty: &Ty| matches!(ty.kind, Kind::Signed | Kind::Unsigned) && ty.width() == 32 && ty.packed == 1;
    let dst = words.ty().filter(is_word)?;
    let a_signed = words.ty().filter(is_word)?.is_signed();
    let b_signed = words.ty().filter(is_word)?.is_signed();
    let (name, n) = (&opcode[..opcode.len() - 1], if opcode.ends_with('2') { 2 } else { 4 });
    let operation: fn(i64, i64) -> i64 = match name {
        "vadd" => |a, b| a + b,
        "vsub" => |a, b| a - b,
        "vmin" => i64::min,
        "vmax" => i64::max,
        "vabsdiff" => |a, b| (a - b).abs(),
        _ => return None,
    };
    let bits = 32 / n;
    let (least, most) =
        if dst.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    let part = move |word: u64, at: u32, is_signed: bool| {
        let part = word >> (at * bits) & mask(bits);
        if is_signed { signed(part, bits) } else { part as i64 }
    };
    let result = move |a: u64, b: u64, at: u32| {
        let exact = operation(part(a, at, a_signed), part(b, at, b_signed));
        if saturates { exact.clamp(least, most) } else { exact }
    };
    let lanes = three(move |a, b, c| {
        if adds {
            return (0..n).fold(c, |sum, at| sum.wrapping_add(result(a, b, at) as u64)) & 0xffff_ffff;
        }
        (0..n).fold(0, |word, at| word | (result(a, b, at) as u64 & mask(bits)) << (at * bits))
    });
    Some(Elementwise::new(dst, &[Ty::B32, Ty::B32, dst], lanes))
}
