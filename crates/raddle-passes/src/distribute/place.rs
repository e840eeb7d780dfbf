//! Functions of the thread's number over F2, as swizzles and schedules of shuffles have them.
//!
//! A function is given by the images of the bits of the thread's number. Bits that move together by one distance are
//! one digit; digits that meet in no bit of the result are summed, and only what overlaps is xored:
//!
//! ```text
//! images 1, 2, 4 + 1, 8 + 2   =   (thread mod 16) xor (thread floordiv 4 mod 4)
//! ```
//!
//! Each function is computed once, at the top of the kernel, since it depends on the thread only.

use raddle_ir::affine::BinOp;
use raddle_ir::{Builder, Expr, Map, Opcode, ValueId};
use raddle_layout::f2::Solver;
use raddle_layout::plan::OfPlace;
use rustc_hash::FxHashMap;

use super::Cx;
use crate::code;

/// The functions that were computed, and whether they are some number.
#[derive(Default)]
pub struct Places {
    values: FxHashMap<(Vec<u64>, u64), ValueId>,
    conditions: FxHashMap<(Vec<u64>, u64), ValueId>,
}

/// The images of the bits of the thread's number: a lane's, then a subgroup's.
///
/// Subgroups of `2^n` lanes have `n` bits for them, whether a function looks at all of them or not.
pub fn images(cx: &Cx<'_>, of: &OfPlace) -> Vec<u64> {
    let n = cx.launch.subgroup_size.ilog2() as usize;
    let mut images = of.lane.clone();
    images.resize(n, 0);
    images.extend(&of.subgroup);
    while images.last() == Some(&0) {
        images.pop();
    }
    images
}

/// The sum of the images of the bits that are set in the thread's number, and of `more`.
pub fn value(builder: &mut Builder<'_>, cx: &mut Cx<'_>, images: &[u64], more: u64) -> ValueId {
    if let Some(&value) = cx.places.values.get(&(images.to_vec(), more)) {
        return value;
    }
    let value = if more == 0 {
        at_top(builder, cx, |builder, thread| compute(builder, thread, images))
    } else {
        let plain = value(builder, cx, images, 0);
        let after = builder.ir.def_op(plain).expect("it is computed from the thread");
        let mut top = after_op(builder, after);
        let more = top.index(more as i64);
        top.binary(Opcode::ArithXori, plain, more)
    };
    cx.places.values.insert((images.to_vec(), more), value);
    value
}

/// Whether the function of the thread is `wanted`.
pub fn is(builder: &mut Builder<'_>, cx: &mut Cx<'_>, images: &[u64], wanted: u64) -> ValueId {
    if let Some(&condition) = cx.places.conditions.get(&(images.to_vec(), wanted)) {
        return condition;
    }
    let number = value(builder, cx, images, 0);
    let after = builder.ir.def_op(number).expect("it is computed from the thread");
    let mut top = after_op(builder, after);
    let other = top.index(wanted as i64);
    let condition = code::compare(&mut top, code::EQUAL, number, other);
    cx.places.conditions.insert((images.to_vec(), wanted), condition);
    condition
}

/// A function as a sum of independent vectors, each with the bits of the thread's number whose parity says whether it
/// is taken.
pub fn factors(images: &[u64]) -> Vec<(u64, Vec<u64>)> {
    let mut basis: Vec<u64> = Vec::new();
    for &image in images {
        if Solver::new(&basis).solve(image).is_none() {
            basis.push(image);
        }
    }
    let solver = Solver::new(&basis);
    let choices: Vec<u64> = images.iter().map(|&image| solver.solve(image).expect("the basis spans them")).collect();
    let parity = |at: usize| choices.iter().map(|choice| choice >> at & 1).collect();
    basis.iter().enumerate().map(|(at, &vector)| (vector, parity(at))).collect()
}

/// Builds right behind an operation.
pub fn after_op<'b>(builder: &'b mut Builder<'_>, op: raddle_ir::OpId) -> Builder<'b> {
    let span = builder.span;
    match builder.ir.next_op(op) {
        Some(next) => Builder { at: raddle_ir::Point::Before(next), span, ir: builder.ir },
        None => {
            let block = builder.ir.parent_block(op).expect("the operation is placed");
            Builder::at_end(builder.ir, block, span)
        }
    }
}

fn at_top(builder: &mut Builder<'_>, cx: &Cx<'_>, make: impl FnOnce(&mut Builder<'_>, ValueId) -> ValueId) -> ValueId {
    let thread = builder.ir.def_op(cx.thread).expect("the thread's number is the first operation");
    make(&mut after_op(builder, thread), cx.thread)
}

/// A run of bits of the thread's number that moves as a whole.
struct Digit {
    first: usize,
    n_bits: usize,
    to: usize,
}

fn compute(builder: &mut Builder<'_>, thread: ValueId, images: &[u64]) -> ValueId {
    let mut digits: Vec<Digit> = Vec::new();
    for (bit, &image) in images.iter().enumerate() {
        for to in (0..64).filter(|to| image >> to & 1 == 1) {
            let next = digits.iter_mut().find(|d| d.first + d.n_bits == bit && d.to + d.n_bits == to);
            match next {
                Some(digit) => digit.n_bits += 1,
                None => digits.push(Digit { first: bit, n_bits: 1, to }),
            }
        }
    }
    // Digits that meet in no bit are one sum.
    let mut sums: Vec<(u64, Expr)> = Vec::new();
    for digit in digits {
        let reach = ((1u64 << digit.n_bits) - 1) << digit.to;
        let of = |op, lhs, rhs: i64| Expr::binary(op, lhs, Expr::Const(rhs));
        let number = of(BinOp::FloorDiv, Expr::Dim(0), 1 << digit.first);
        let number = of(BinOp::Mod, number, 1 << digit.n_bits);
        let term = of(BinOp::Mul, number, 1 << digit.to);
        match sums.iter_mut().find(|(used, _)| used & reach == 0) {
            Some((used, sum)) => {
                *used |= reach;
                *sum = Expr::binary(BinOp::Add, sum.clone(), term);
            }
            None => sums.push((reach, term)),
        }
    }
    if sums.is_empty() {
        sums.push((0, Expr::Const(0)));
    }
    let parts: Vec<ValueId> = sums
        .into_iter()
        .map(|(_, sum)| builder.apply(Map { dims: 1, syms: 0, results: vec![sum] }, &[thread]))
        .collect();
    let all = parts.iter().copied().reduce(|sum, part| builder.binary(Opcode::ArithXori, sum, part));
    all.expect("there is at least one sum")
}
