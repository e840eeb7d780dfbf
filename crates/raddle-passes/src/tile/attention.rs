//! Attention: rows to workgroups, keys in steps, and in each step the products, reductions and powers that it is made of.
//!
//! Before: `iree_linalg_ext.online_attention {lowering_config = …} ins(%Q, %K, %V, …) outs(%acc, %max, %sum)`, a quotient
//! After:
//!
//! ```mlir
//! scf.forall (%i) … {
//!   %r:3 = scf.for %k … iter_args(%acc, %max, %sum) {
//!     %s = %Q * %K[%k] … ; %new = max(%max, rows of %s) ; %p = exp2(%s - %new) ; %older = exp2(%max - %new)
//!     %acc * %older + %p * %V[%k], %new, %sum * %older + rows of %p
//!   }
//!   %r#0 / %r#2
//! }
//! ```
//!
//! Where a mask in the region is linear in the indices, the loop begins with the first keys that a row of the block sees
//! and ends behind the last ones, and a step in which all rows see all keys leaves the mask out. Workgroups that see more
//! keys begin first.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Mixed;
use raddle_ir::{BlockId, Builder, Code, Def, Diag, Expr, Ir, Map, OpId, Opcode, ValueId};

use super::nest::Loops;
use super::part::extents;
use super::{ends, fuse, mapping, slices};
use crate::clean;
use crate::code::{LESS, compare};
use crate::config::Config;
use crate::normalize::attention::{Attention, decompose};
use crate::normalize::masks::take_off;
use crate::structured::sizes::{extreme, index};
use crate::structured::space::Space;

/// Tiles a function around its attention.
pub(super) fn tile(ir: &mut Ir, func: OpId, op: OpId) -> Result<(), Diag> {
    let refuse = |ir: &Ir, why: &str| {
        Diag::error(Code::CannotTile, ir.span(op), format!("`{}` cannot be tiled: {why}", ir.name(op)))
    };
    let config = Config::read(ir, op)?;
    let space = Space::of(ir, op).ok_or_else(|| refuse(ir, "its maps are not lists of loops"))?;
    let ends = extents(&mut Builder::before(ir, op), op, &space);
    let sizes = |list: &[i64]| -> Vec<i64> {
        let size = |d: usize| list.get(d).copied().filter(|&size| ends[d] != Mixed::Static(size)).unwrap_or(0);
        let is_larger = |d: usize, size: i64| matches!(ends[d], Mixed::Static(end) if end < size);
        (0..ends.len()).map(|d| if is_larger(d, size(d)) { 0 } else { size(d) }).collect()
    };
    let (shared, steps) = (sizes(&config.workgroup), sizes(&config.reduction));
    let slices = slices::Rules { merge: true, expand: false, pads: false };
    let whole = fuse::Rules { roots: &[], outputs: true, keep: false, consumers: true, used_only: false, slices };
    let equal = ends::Equal::of(ir, func);
    let mapping = mapping(ir, shared.iter().filter(|&&size| size != 0).count());
    let (workgroups, op) = fuse::tile(ir, op, &shared, &Loops::Forall(mapping), &whole)?;
    let inside = fuse::Rules { outputs: false, consumers: false, ..whole };
    let (loops, op) = fuse::tile(ir, op, &steps, &Loops::For, &inside)?;
    let size = |d: usize| {
        let tile = if shared[d] != 0 { shared[d] } else { steps[d] };
        if tile != 0 {
            Some(tile)
        } else if let Mixed::Static(end) = ends[d] {
            Some(end)
        } else {
            None
        }
    };
    let mut all_kept = None;
    if let &[keys] = &loops[..] {
        let (keep, index) = (take_off(ir, op).1, ir.args(ir.entry(keys))[0]);
        all_kept = visible(ir, keys, op, &size);
        let tiled = (0..ends.len()).filter(|&d| shared[d] != 0);
        for (i, d) in tiled.enumerate().filter(|_| !workgroups.is_empty()) {
            let block = ir.entry(workgroups[0]);
            let row = ir.args(block)[i];
            if all_kept.is_some() && keep.ends_later(index, row) {
                from_the_end(ir, block, row, ends[d], shared[d]);
            }
        }
    }
    decompose(ir, op, all_kept).ok_or_else(|| refuse(ir, "its operands are not tensors of floats"))?;
    equal.apply(ir, func);
    clean::cse(ir, func);
    clean::remove(ir, func);
    Ok(())
}

/// Lets the loop along the keys go from the first to the last step in which a row of the block sees a key, as far as the
/// region of the operation in it says so. Returns whether all rows see all keys of a step.
fn visible(ir: &mut Ir, loop_op: OpId, op: OpId, size: &dyn Fn(usize) -> Option<i64>) -> Option<ValueId> {
    let sizes: Vec<Option<i64>> = Attention::of(ir, op)?.scores().into_iter().map(size).collect();
    let keep = take_off(ir, op).1;
    let body = ir.entry(loop_op);
    let (iv, step) = (ir.args(body)[0], ir.const_int(ir.operand(loop_op, 2))?);
    let is_outer = |value: ValueId| match ir.def(value) {
        Def::Arg { block, .. } => value == iv || block != body,
        Def::Result { op, .. } => ir.parent_block(op) != Some(body),
    };
    if !keep.is_known() || !keep.is_of(&is_outer) {
        return None;
    }
    let mut upper = ir.operand(loop_op, 1);
    let mut builder = Builder::before(ir, loop_op);
    let [first, end] = keep.range(&mut builder, &sizes, iv);
    let [this, other] = [0, 1].map(Expr::Dim);
    let binary = |op, lhs: &Expr, rhs: &Expr| Expr::binary(op, lhs.clone(), rhs.clone());
    if let Some(end) = end {
        let ends = [mixed(builder.ir, upper), end];
        upper =
            extreme(&mut builder, Opcode::AffineMin, &ends, &[this.clone(), other.clone()]).materialize(&mut builder);
    }
    // The loop still begins with 0, and its index is that of a key less the first one.
    if let Some(first) = first {
        let (step, least) = (Expr::Const(step), Expr::Const(0));
        let aligned = binary(BinOp::Mul, &binary(BinOp::CeilDiv, &this, &step), &step);
        let first = extreme(&mut builder, Opcode::AffineMax, &[first], &[aligned, least]).materialize(&mut builder);
        let map = |expr| Map { dims: 2, syms: 0, results: vec![expr] };
        let left = binary(BinOp::Add, &this, &binary(BinOp::Mul, &other, &Expr::Const(-1)));
        upper = builder.apply(map(left), &[upper, first]);
        let users: Vec<(OpId, usize)> = builder.ir.uses(iv).collect();
        let begin = builder.ir.first_op(body).expect("a loop's block ends");
        let key = Builder::before(builder.ir, begin).apply(map(binary(BinOp::Add, &this, &other)), &[iv, first]);
        for (user, operand) in users {
            builder.ir.set_operand(user, operand, key);
        }
    }
    ir.set_operand(loop_op, 1, upper);
    let keep = take_off(ir, op).1;
    if let Some(end) = keep.kept_until(&mut Builder::before(ir, loop_op), &sizes, iv) {
        let end = end.materialize(&mut Builder::before(ir, loop_op));
        return Some(compare(&mut Builder::before(ir, op), LESS, iv, end));
    }
    Some(keep.holds(&mut Builder::before(ir, op), &sizes))
}

/// Lets the workgroups along a loop take its tiles from the last one to the first.
fn from_the_end(ir: &mut Ir, block: BlockId, iv: ValueId, end: Mixed, tile: i64) {
    let users: Vec<(OpId, usize)> = ir.uses(iv).collect();
    let begin = ir.first_op(block).expect("a loop's block ends");
    let binary = Expr::binary;
    let last = binary(BinOp::Add, binary(BinOp::CeilDiv, Expr::Dim(1), Expr::Const(tile)), Expr::Const(-1));
    let first = binary(BinOp::Mul, last, Expr::Const(tile));
    let place = binary(BinOp::Add, first, binary(BinOp::Mul, Expr::Dim(0), Expr::Const(-1)));
    let mut builder = Builder::before(ir, begin);
    let place = index(&mut builder, &[Mixed::Value(iv), end], &place).materialize(&mut builder);
    for (user, operand) in users {
        ir.set_operand(user, operand, place);
    }
}

/// A number where it is known.
fn mixed(ir: &Ir, value: ValueId) -> Mixed {
    ir.const_int(value).map_or(Mixed::Value(value), Mixed::Static)
}
