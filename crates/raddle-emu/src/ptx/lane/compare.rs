//! Comparisons and selections.

use super::super::float::Format;
use super::super::types::{Kind, Ty, mask, signed};
use super::super::words::Words;
use super::{Elementwise, Lanes, one, three, two};

type Test = Box<dyn Fn(u64, u64) -> bool + Send + Sync>;

/// `setp` and `set`, alone or combined with a predicate.
pub(super) fn compare(opcode: &str, words: &mut Words<'_>) -> Option<Elementwise> {
    let relation = words.take_any(&[
        "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num",
        "nan",
    ])?;
    let combine = words.take_any(&["and", "or", "xor"]);
    let ftz = words.take("ftz");
    let first = words.ty()?;
    // `set` names the type of its result first.
    let (dst, ty) = if opcode == "set" { (first, words.ty()?) } else { (Ty::PRED, first) };
    let combined = move |test: bool, other: u64| match combine {
        Some("and") => test && other & 1 == 1,
        Some("or") => test || other & 1 == 1,
        Some(_) => test != (other & 1 == 1),
        None => test,
    };
    let mut srcs = vec![ty, ty];
    if combine.is_some() {
        srcs.push(Ty::PRED);
    }
    if opcode == "set" {
        // A word of 32 bits has a half for each of two comparisons.
        let dst_parts = match (dst.kind, dst.packed, ty.packed) {
            (Kind::Float(_), n, 2) if n != 2 => return None,
            (_, 1, 2) if dst.bits == 32 => Ty { bits: 16, packed: 2, ..dst },
            (_, n, m) if n == m => dst,
            _ => return None,
        };
        let (truth, packed) = (truth(dst_parts)?, dst_parts.packed);
        let (bits, width) = (ty.bits, dst_parts.bits);
        let test = test(relation, ty, ftz)?;
        let lanes = three(move |a, b, p| {
            let part = |x: u64, at: u32| if packed == 1 { x } else { x >> (at * bits) & mask(bits) };
            (0..packed).fold(0, |word, at| {
                let yes = combined(test(part(a, at), part(b, at)), p);
                word | if yes { truth << (at * width) } else { 0 }
            })
        });
        return Some(Elementwise { srcs, ..Elementwise::new(dst, &[], lanes) });
    }
    if ty.packed == 2 {
        // Two results: one for each half.
        let half = |at: u32| -> Option<Lanes> {
            let test = test(relation, ty, ftz)?;
            let (bits, all) = (ty.bits, mask(ty.bits));
            Some(three(move |a, b, p| u64::from(combined(test(a >> (at * bits) & all, b >> (at * bits) & all), p))))
        };
        let mut op = Elementwise { srcs, ..Elementwise::new(Ty::PRED, &[], half(0)?) };
        op.second = Some(half(1)?);
        return Some(op);
    }
    let (yes, no) = (test(relation, ty, ftz)?, test(relation, ty, ftz)?);
    let lanes = if combine.is_none() {
        plain(relation, ty).unwrap_or_else(|| two(move |a, b| u64::from(yes(a, b))))
    } else {
        three(move |a, b, p| u64::from(combined(yes(a, b), p)))
    };
    let mut op = Elementwise { srcs, ..Elementwise::new(Ty::PRED, &[], lanes) };
    // Behind `|`, the opposite is combined in the same way.
    op.second = Some(three(move |a, b, p| u64::from(combined(!no(a, b), p))));
    Some(op)
}

/// The commonest comparisons, without a call for each lane.
fn plain(relation: &str, ty: Ty) -> Option<Lanes> {
    let bits = ty.bits;
    Some(match (ty.kind, relation) {
        (Kind::Signed, "lt") => two(move |a, b| u64::from(signed(a, bits) < signed(b, bits))),
        (Kind::Signed, "gt") => two(move |a, b| u64::from(signed(a, bits) > signed(b, bits))),
        (Kind::Signed, "ge") => two(move |a, b| u64::from(signed(a, bits) >= signed(b, bits))),
        (Kind::Signed | Kind::Unsigned | Kind::Bits, "eq") => two(|a, b| u64::from(a == b)),
        (Kind::Signed | Kind::Unsigned | Kind::Bits, "ne") => two(|a, b| u64::from(a != b)),
        (Kind::Unsigned | Kind::Bits, "lt" | "lo") => two(|a, b| u64::from(a < b)),
        _ => return None,
    })
}

/// What `set` writes where the comparison holds.
fn truth(dst: Ty) -> Option<u64> {
    match dst.kind {
        Kind::Float(format) => Some(format.pack(1.0, super::super::float::Rounding::Nearest, false)),
        Kind::Bits | Kind::Unsigned | Kind::Signed => Some(mask(dst.bits)),
        Kind::Pred => None,
    }
}

fn test(relation: &str, ty: Ty, ftz: bool) -> Option<Test> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let holds = |relation: &str| -> Option<fn(std::cmp::Ordering) -> bool> {
        Some(match relation {
            "eq" | "equ" => |order| order == Equal,
            "ne" | "neu" => |order| order != Equal,
            "lt" | "ltu" | "lo" => |order| order == Less,
            "le" | "leu" | "ls" => |order| order != Greater,
            "gt" | "gtu" | "hi" => |order| order == Greater,
            "ge" | "geu" | "hs" => |order| order != Less,
            _ => return None,
        })
    };
    match ty.kind {
        Kind::Float(format) => {
            let read = move |x: u64| format.value(if ftz { format.flush(x) } else { x });
            match relation {
                "num" => return Some(Box::new(move |a, b| !read(a).is_nan() && !read(b).is_nan())),
                "nan" => return Some(Box::new(move |a, b| read(a).is_nan() || read(b).is_nan())),
                _ => {}
            }
            // Relations that end in `u` hold where one side is not a number.
            let unordered = relation.len() == 3;
            let holds = holds(relation)?;
            Some(Box::new(move |a, b| read(a).partial_cmp(&read(b)).map_or(unordered, holds)))
        }
        Kind::Signed => {
            let (bits, holds) = (ty.bits, holds(relation)?);
            Some(Box::new(move |a, b| holds(signed(a, bits).cmp(&signed(b, bits)))))
        }
        Kind::Unsigned | Kind::Bits => {
            let holds = holds(relation)?;
            Some(Box::new(move |a, b| holds(a.cmp(&b))))
        }
        Kind::Pred => None,
    }
}

/// `selp` by a predicate, `slct` by a sign.
pub(super) fn select(opcode: &str, words: &mut Words<'_>) -> Option<Elementwise> {
    let ftz = words.take("ftz");
    let ty = words.ty()?;
    if opcode == "selp" {
        return Some(Elementwise::new(ty, &[ty, ty, Ty::PRED], three(|a, b, p| if p & 1 == 1 { a } else { b })));
    }
    let by = words.ty()?;
    let lanes = match by.kind {
        Kind::Float(format) => three(move |a, b, c| {
            let c = format.value(if ftz { format.flush(c) } else { c });
            if c >= 0.0 { a } else { b }
        }),
        _ => three(move |a, b, c| if signed(c, by.bits) >= 0 { a } else { b }),
    };
    Some(Elementwise::new(ty, &[ty, ty, by], lanes))
}

/// What a float is.
pub(super) fn testp(words: &mut Words<'_>) -> Option<Elementwise> {
    let what = words.take_any(&["finite", "infinite", "number", "notanumber", "normal", "subnormal"])?;
    let ty = words.ty()?;
    let format: Format = ty.format()?;
    let is: fn(f64, bool) -> bool = match what {
        "finite" => |x, _| x.is_finite(),
        "infinite" => |x, _| x.is_infinite(),
        "number" => |x, _| !x.is_nan(),
        "notanumber" => |x, _| x.is_nan(),
        "normal" => |x, small| x.is_finite() && !small && x != 0.0,
        _ => |x, small| small && x != 0.0,
    };
    let lanes = one(move |a| {
        let small = format.flush(a) != a;
        u64::from(is(format.value(a), small))
    });
    Some(Elementwise::new(Ty::PRED, &[ty], lanes))
}
