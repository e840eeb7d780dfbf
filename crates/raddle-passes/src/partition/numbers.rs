//! Numbers that are extents of arguments, or constants, whatever the extents are, become these; of extents that must be
//! the same, since a structured operation has one loop along both, all are the first.
//!
//! Before: `%1 = arith.cmpi slt, %n, %c0`, `%2 = arith.select %1, %c1, %n`, `%3 = arith.maxsi %2, %c0` of
//!         `%n = tensor.dim %arg0, %c1`
//! After:  `%n` in the place of `%3`
//!
//! Programs from PyTorch bring the bounds of every slice into a range, as if an extent could be negative.
//!
//! Does not write other expressions anew.

use std::collections::BTreeMap;

use raddle_ir::extents::Known;
use raddle_ir::views::{Linalg, Mixed, SliceView};
use raddle_ir::{BlockId, Builder, Class, DYNAMIC, Def, Expr, Ir, OpId, Opcode, Type, ValueId};
use rustc_hash::FxHashSet;

use crate::structured::symbols::OfArguments;

/// Rewrites the numbers of some blocks of a function, and offsets of slices that are known then.
pub(super) fn state(ir: &mut Ir, func: OpId, blocks: &[BlockId]) {
    let mut of = OfArguments::new(ir.entry(func));
    let same = same_extents(ir, func, &mut of);
    let asked = asked(ir, blocks);
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        let new = match ir.opcode(op) {
            Opcode::TensorExtractSlice => with_offsets(ir, op),
            Opcode::TensorDim => number(ir, op, &mut of, &same),
            _ if ir.class(op) == Class::Elementwise && ir.results(op).len() == 1 => number(ir, op, &mut of, &same),
            _ => None,
        };
        let Some(new) = new else { continue };
        let old = ir.result(op, 0);
        // Whether extents are the same is still asked of them.
        for (user, operand) in ir.uses(old).filter(|(user, _)| !asked.contains(user)).collect::<Vec<_>>() {
            ir.set_operand(user, operand, new);
        }
        if ir.is_unused(old) {
            ir.erase(op);
        }
    }
}

/// Assertions, and the arithmetic that they ask for.
fn asked(ir: &Ir, blocks: &[BlockId]) -> FxHashSet<OpId> {
    let ops = blocks.iter().flat_map(|&block| ir.block_ops(block));
    let mut waiting: Vec<OpId> = ops.filter(|&op| ir.opcode(op) == Opcode::CfAssert).collect();
    let mut asked = FxHashSet::default();
    while let Some(op) = waiting.pop() {
        if asked.insert(op) {
            let made = ir.operands(op).iter().filter_map(|&operand| ir.def_op(operand));
            waiting.extend(made.filter(|&made| ir.class(made) == Class::Elementwise));
        }
    }
    asked
}

/// What each extent is the same as, of those that are the same as one in front of it.
type Same = BTreeMap<Known, Known>;

fn first(same: &Same, mut known: Known) -> Known {
    while let Some(&other) = same.get(&known) {
        known = other;
    }
    known
}

/// Extents of arguments that structured operations of the function have one loop along.
fn same_extents(ir: &Ir, func: OpId, of: &mut OfArguments) -> Same {
    let mut same = Same::new();
    for op in ir.block_ops(ir.entry(func)) {
        let Some(linalg) = Linalg::try_of(ir, op) else { continue };
        let mut along: Vec<Option<Known>> = vec![None; linalg.reduction.len()];
        for (&operand, map) in linalg.inputs.iter().chain(&linalg.outputs).zip(&linalg.maps) {
            for (at, place) in map.results.iter().enumerate() {
                let Expr::Dim(d) = *place else { continue };
                let Some(Expr::Sym(symbol)) = of.extent(ir, operand, at) else { continue };
                let own = first(&same, of.known(symbol));
                let other = *along[d as usize].get_or_insert(own);
                let other = first(&same, other);
                if own != other {
                    same.insert(own.max(other), own.min(other));
                }
            }
        }
    }
    same
}

fn number(ir: &mut Ir, op: OpId, of: &mut OfArguments, same: &Same) -> Option<ValueId> {
    let is_whole = |ir: &Ir, value: ValueId| matches!(ir.ty(value), Type::Index | Type::Integer { width: 64, .. });
    let result = ir.result(op, 0);
    if !is_whole(ir, result) {
        return None;
    }
    let (found, ty) = (of.number(ir, result)?, ir.type_of(result));
    let builder = &mut Builder::before(ir, op);
    let symbol = match found {
        Expr::Const(number) => return Some(builder.int(number, ty)),
        Expr::Sym(symbol) => symbol,
        _ => return None,
    };
    let (own, first) = (of.known(symbol), first(same, of.known(symbol)));
    let operand = builder.ir.def(builder.ir.operand(op, 0));
    // An extent that is asked for where it is, or a cast of it.
    let is_said = match builder.ir.opcode(op) {
        Opcode::TensorDim => matches!(operand, Def::Arg { .. }),
        Opcode::ArithIndexCast => true,
        _ => false,
    };
    if own == first && is_said {
        return None;
    }
    let number = of.write(builder, first);
    match builder.ir.type_of(number) == ty {
        true => Some(number),
        false if !is_whole(builder.ir, number) => None,
        false => Some(builder.value(Opcode::ArithIndexCast, &[number], ty, &[])),
    }
}

/// The slice with the offsets that are known, but for those of nothing, which lie at the end.
fn with_offsets(ir: &mut Ir, op: OpId) -> Option<ValueId> {
    let mut view = SliceView::of(ir, op);
    let extents = ir.shape_of(view.base);
    let known = |(d, at): (usize, &Mixed)| match *at {
        Mixed::Value(value) => ir.const_int(value).filter(|&at| extents[d] == DYNAMIC || at < extents[d]),
        Mixed::Static(_) => None,
    };
    let offsets: Vec<Option<i64>> = view.offsets.iter().enumerate().map(known).collect();
    if offsets.iter().all(Option::is_none) {
        return None;
    }
    for (at, known) in view.offsets.iter_mut().zip(offsets) {
        *at = known.map_or(*at, Mixed::Static);
    }
    let ty = ir.type_of(ir.result(op, 0));
    Some(Builder::before(ir, op).extract_part(view.base, &view, ty))
}
