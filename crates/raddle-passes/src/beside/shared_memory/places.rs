//! Places: what an index is, as a sum of things that nobody knows, so that two of them can be compared.
//!
//! `%i * 4 + 3` and `affine.apply (d0 * 4 + 7)(%i)` are 4 apart, whatever `%i` is. Values are symbols that have their ids
//! as numbers; what is not arithmetic with numbers is a symbol, too.

use raddle_ir::affine::BinOp;
use raddle_ir::{Expr, Ir, Opcode, ValueId};

/// Chains of arithmetic are followed so far.
const DEPTH_MAX: usize = 32;

/// What an index is.
pub fn place(ir: &Ir, index: ValueId) -> Expr {
    place_within(ir, index, DEPTH_MAX)
}

fn place_within(ir: &Ir, index: ValueId, depth: usize) -> Expr {
    let itself = symbol(index);
    let (Some(op), Some(depth)) = (ir.def_op(index), depth.checked_sub(1)) else { return itself };
    let side = |i: usize| place_within(ir, ir.operand(op, i), depth);
    match ir.opcode(op) {
        Opcode::ArithConstant => ir.const_int(index).map_or(itself, Expr::Const),
        Opcode::ArithAddi => Expr::binary(BinOp::Add, side(0), side(1)),
        Opcode::ArithSubi => sum(side(0), times(side(1), -1)),
        Opcode::ArithMuli => match (side(0), side(1)) {
            (a, Expr::Const(c)) | (Expr::Const(c), a) => times(a, c),
            _ => itself,
        },
        Opcode::AffineApply => {
            let Some(map) = ir.map(op, "map") else { return itself };
            let sides: Vec<Expr> = (0..ir.operands(op).len()).map(side).collect();
            let (dims, syms) = sides.split_at((map.dims as usize).min(sides.len()));
            match &map.results[..] {
                [result] => with(result, &|leaf| match leaf {
                    Expr::Dim(d) => dims.get(*d as usize).cloned(),
                    Expr::Sym(s) => syms.get(*s as usize).cloned(),
                    _ => None,
                }),
                _ => itself,
            }
        }
        _ => itself,
    }
}

/// A value that nothing is known of.
fn symbol(value: ValueId) -> Expr {
    Expr::Sym(value.index() as u32)
}

/// The place when a value is a number.
pub fn at(place: &Expr, value: ValueId, number: i64) -> Expr {
    with(place, &|leaf| (*leaf == symbol(value)).then_some(Expr::Const(number)))
}

/// How far the second place lies behind the first one, if that does not depend on anything.
pub fn distance(first: &Expr, second: &Expr) -> Option<i64> {
    let mut terms: Vec<(Expr, i64)> = Vec::new();
    let mut number = 0;
    collect(second, 1, &mut terms, &mut number)?;
    collect(first, -1, &mut terms, &mut number)?;
    terms.iter().all(|term| term.1 == 0).then_some(number)
}

/// Adds the terms of a sum, each with its factor.
fn collect(expr: &Expr, factor: i64, terms: &mut Vec<(Expr, i64)>, number: &mut i64) -> Option<()> {
    match expr {
        Expr::Const(c) => *number = number.checked_add(c.checked_mul(factor)?)?,
        Expr::Add(a, b) => {
            collect(a, factor, terms, number)?;
            collect(b, factor, terms, number)?;
        }
        Expr::Mul(a, b) if matches!(**b, Expr::Const(_)) => {
            let Expr::Const(c) = **b else { return None };
            collect(a, factor.checked_mul(c)?, terms, number)?;
        }
        other => match terms.iter_mut().find(|term| term.0 == *other) {
            Some(term) => term.1 = term.1.checked_add(factor)?,
            None => terms.push((other.clone(), factor)),
        },
    }
    Some(())
}

fn sum(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinOp::Add, a, b)
}

fn times(a: Expr, c: i64) -> Expr {
    Expr::binary(BinOp::Mul, a, Expr::Const(c))
}

/// The expression with other leaves; a leaf that is not replaced stays.
fn with(expr: &Expr, leaf: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
    let two = |op, a: &Expr, b: &Expr| Expr::binary(op, with(a, leaf), with(b, leaf));
    match expr {
        Expr::Dim(_) | Expr::Sym(_) | Expr::Const(_) => leaf(expr).unwrap_or_else(|| expr.clone()),
        Expr::Add(a, b) => two(BinOp::Add, a, b),
        Expr::Mul(a, b) => two(BinOp::Mul, a, b),
        Expr::Mod(a, b) => two(BinOp::Mod, a, b),
        Expr::FloorDiv(a, b) => two(BinOp::FloorDiv, a, b),
        Expr::CeilDiv(a, b) => two(BinOp::CeilDiv, a, b),
    }
}
