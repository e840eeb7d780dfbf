//! The order of workgroups: those of a product that run at once share rows and columns of its factors in the cache, and
//! those that take longest come first.
//!
//! Before: tile (row, column) of 64 x 32 tiles is the workgroup of that number; 132 that run at once have 5 rows and all
//!         columns of the factors
//! After:  workgroups go down 8 rows before the next column, and 132 have 8 rows and 17 columns
//!
//! Before: blocks of rows of an attention in which rows see only the keys in front of them, head by head: the last head has
//!         a block that takes 8 rounds, and begins it when others are done
//! After:  the blocks of 8 rounds of all heads, then those of 7, and so on
//!
//! Before: 16 rows times 4096 others on a CPU, 8 of them at a time: all others are read for the first 8, and again
//! After:  some others for the first 8 and for the last 8, and then the next ones

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed, unmixed};
use raddle_ir::{Builder, Expr, Ir, Map, OpId, Opcode, ValueId};

use super::{Count, Cx};
use crate::configure::Checked;
use crate::structured::body;
use crate::structured::sizes::extreme;

/// How much better than all columns of a few rows a group has to be, in parts of the bytes that are read at once.
const WORTH: f64 = 0.9;
/// How much faster a CPU reads its second cache than memory, at least.
const CACHE_SPEED: i64 = 4;

/// The number of a workgroup among all of the last two loops, row by row.
fn number(builder: &mut Builder<'_>, [y, x]: [ValueId; 2], columns: i64) -> ValueId {
    let place = Expr::binary(BinOp::Add, Expr::binary(BinOp::Mul, Expr::Dim(1), Expr::Const(columns)), Expr::Dim(0));
    builder.apply(Map { dims: 2, syms: 0, results: vec![place] }, &[x, y])
}

/// The place along the last two loops, of which `ids` are the workgroups' numbers, if a product is better computed in
/// groups of rows.
pub(super) fn in_groups(
    builder: &mut Builder<'_>,
    cx: &Cx,
    op: OpId,
    counts: &[Count],
    ids: &[ValueId],
) -> Option<[ValueId; 2]> {
    let at_once = f64::from(cx.at_once?);
    let (&[.., y, x], [.., of_rows, of_columns]) = (ids, counts) else { return None };
    let is_product = builder.ir.walk(op).into_iter().any(|inner| body::is_contraction(builder.ir, inner));
    let Mixed::Static(columns) = of_columns.n else { return None };
    let group = group(of_rows, of_columns, columns, at_once).filter(|_| is_product)?;

    let linear = number(builder, [y, x], columns);
    let all = group * columns;
    let [of_group, inside] = match of_rows.n {
        Mixed::Static(rows) => split(builder, linear, &[Mixed::Static((rows + group - 1) / group), Mixed::Static(all)]),
        // The first number has no bound.
        Mixed::Value(_) => split(builder, linear, &[Mixed::Static(all)]),
    };
    let first = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(group));
    let size = match of_rows.n {
        Mixed::Static(rows) if rows % group == 0 => Mixed::Static(group),
        rows => {
            let left = Expr::binary(BinOp::Add, Expr::Dim(1), Expr::binary(BinOp::Mul, first.clone(), Expr::Const(-1)));
            let operands = [Mixed::Value(of_group), rows];
            extreme(builder, Opcode::AffineMin, &operands, &[left, Expr::Const(group)])
        }
    };
    let [column, row] = split(builder, inside, &[Mixed::Static(columns), size]);
    let row = {
        let sum = Expr::binary(BinOp::Add, first, Expr::Dim(1));
        builder.apply(Map { dims: 2, syms: 0, results: vec![sum] }, &[of_group, row])
    };
    Some([row, column])
}

/// The place along the last two loops where rows of one factor are multiplied by few rows of the other one on a CPU, which
/// are several tiles: all of these come before the next of the many, which are read from memory once.
pub(super) fn few_rows_first(
    builder: &mut Builder<'_>,
    cx: &Cx,
    op: OpId,
    counts: &[Count],
    ids: &[ValueId],
) -> Option<[ValueId; 2]> {
    let (&[.., y, x], [.., first, second]) = (ids, counts) else { return None };
    let ([Mixed::Static(few), Mixed::Static(many)], true) = ([first.n, second.n], cx.is_native) else { return None };
    let multiplies_rows = |inner: OpId| {
        let sums = |checked: &Checked| checked.config.partial_reduction.iter().any(|&size| size > 0);
        let is_product = Linalg::try_of(builder.ir, inner).is_some_and(|linalg| linalg.inputs.len() == 2);
        is_product && cx.checked.get(&inner).is_some_and(sums)
    };
    // The few then come from the second cache for each tile of the many, instead of these from memory for each of the few.
    let is_less = few.saturating_mul(first.step) < second.step.saturating_mul(few - 1).saturating_mul(CACHE_SPEED);
    if few < 2 || few >= many || !is_less || !builder.ir.walk(op).into_iter().any(multiplies_rows) {
        return None;
    }
    let linear = number(builder, [y, x], many);
    let [column, row] = split(builder, linear, &[many, few].map(Mixed::Static));
    Some([row, column])
}

/// The place along all loops if what is computed along the last one takes the longer, the later it is in a loop around
/// tiles, which `args` count: the blocks of several rows of workgroups in turns, as many as keep all processors busy.
pub(super) fn longest_first(
    builder: &mut Builder<'_>,
    cx: &Cx,
    op: OpId,
    args: &[ValueId],
    counts: &[Count],
    ids: &[ValueId],
) -> Option<Vec<ValueId>> {
    let at_once = i64::from(cx.at_once?);
    let known = |count: &Count| if let Mixed::Static(n) = count.n { Some(n) } else { None };
    let counts: Vec<i64> = counts.iter().map(known).collect::<Option<_>>()?;
    let (&blocks, outer) = counts.split_last()?;
    let rows = outer.iter().try_fold(1i64, |n, &count| n.checked_mul(count))?;
    let all = blocks.checked_mul(rows)?;
    let ir = &*builder.ir;
    let bounds =
        |inner: &OpId| ir.opcode(*inner) == Opcode::ScfFor && depends(ir, ir.operand(*inner, 1), args[outer.len()]);
    if blocks == 1 || rows == 1 || all <= at_once || !ir.walk(op).iter().any(bounds) {
        return None;
    }
    let enough = (2 * at_once - 1) / blocks + 1;
    let in_turns = (enough..rows.min(8 * enough)).find(|n| rows % n == 0).unwrap_or(rows);
    let digits = |sum: Expr, (d, &n): (usize, &i64)| {
        Expr::binary(BinOp::Add, Expr::binary(BinOp::Mul, sum, Expr::Const(n)), Expr::Dim(d as u32))
    };
    let linear = counts.iter().enumerate().fold(Expr::Const(0), digits);
    let linear = builder.apply(Map { dims: ids.len() as u32, syms: 0, results: vec![linear] }, ids);
    let [group, inside] = split(builder, linear, &[rows / in_turns, blocks * in_turns].map(Mixed::Static));
    let [block, row] = split(builder, inside, &[blocks, in_turns].map(Mixed::Static));
    let row = {
        let first = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(in_turns));
        let sum = Expr::binary(BinOp::Add, first, Expr::Dim(1));
        builder.apply(Map { dims: 2, syms: 0, results: vec![sum] }, &[group, row])
    };
    let basis: Vec<Mixed> = outer.iter().copied().map(Mixed::Static).collect();
    let mut places = if let [_] = outer { vec![row] } else { digits_of(builder, row, &basis) };
    places.push(block);
    Some(places)
}

/// Whether a number is computed from another one.
fn depends(ir: &Ir, value: ValueId, on: ValueId) -> bool {
    let computed = |op: OpId| {
        let is_affine = matches!(ir.opcode(op), Opcode::AffineApply | Opcode::AffineMin | Opcode::AffineMax);
        is_affine && ir.operands(op).iter().any(|&operand| depends(ir, operand, on))
    };
    value == on || ir.def_op(value).is_some_and(computed)
}

/// Two digits of a number.
fn split(builder: &mut Builder<'_>, number: ValueId, basis: &[Mixed]) -> [ValueId; 2] {
    digits_of(builder, number, basis).try_into().expect("two are asked for")
}

/// The digits of a number; the first may have no bound.
fn digits_of(builder: &mut Builder<'_>, number: ValueId, basis: &[Mixed]) -> Vec<ValueId> {
    let (numbers, values) = unmixed(basis);
    let attrs = [("static_basis", builder.ir.dense_i64(&numbers))];
    let index = builder.ir.index_type();
    let types = vec![index; numbers.len().max(2)];
    let split = builder.op(Opcode::AffineDelinearizeIndex, &[vec![number], values].concat(), &types, &attrs);
    builder.ir.results(split).collect()
}

/// Rows of a group, if what runs at once reads less so: as much of both factors as a square has.
fn group(of_rows: &Count, of_columns: &Count, columns: i64, at_once: f64) -> Option<i64> {
    let (row, column) = (of_rows.step as f64, of_columns.step as f64);
    let read = |rows: f64| rows * row + (at_once / rows).min(columns as f64) * column;
    let best = (at_once * column / row).sqrt();
    let rows = match of_rows.n {
        Mixed::Static(rows) if rows * columns <= at_once as i64 => return None,
        Mixed::Static(rows) => rows,
        Mixed::Value(_) => i64::MAX,
    };
    // Groups that divide the rows leave none smaller.
    let near = |group: &i64| (*group as f64) >= best / 2.0 && (*group as f64) <= best * 1.5;
    let divides = (1..=rows.min(256)).filter(|group| rows != i64::MAX && rows % group == 0).filter(near);
    let closest = divides.min_by(|&a, &b| read(a as f64).total_cmp(&read(b as f64)));
    let group = closest.unwrap_or((best.round() as i64).clamp(1, rows));
    // All columns of the rows that fit.
    let natural = read((at_once / columns as f64).max(1.0));
    (group > 1 && read(group as f64) < natural * WORTH).then_some(group)
}
