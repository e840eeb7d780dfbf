//! Long sorts: a line is sorted in runs, and then the runs are merged, so that more than one workgroup has a part in it.
//!
//! Before: `%r = iree_linalg_ext.sort dimension(0) outs(%x : tensor<32000xf32>)`
//! After:
//!
//! ```mlir
//! %e = tensor.expand_shape %x [[0, 1]] : tensor<8x4000xf32>
//! %s = iree_linalg_ext.sort dimension(1) outs(%e)
//! %c = tensor.collapse_shape %s [[0, 1]] : tensor<32000xf32>
//! %r = iree_linalg_ext.sort dimension(0) {raddle.runs = 4000} outs(%c)
//! ```
//!
//! Sorting is stable, so that the result is that of the whole line; NaNs stay where they are in both.
//!
//! A length without a fitting divisor leaves a shorter run, which is sorted alone.
//!
//! Does not touch lines of a length that only the run knows, and lines that are so many that each workgroup has its own, if
//! shared memory holds one.

use raddle_ir::views::Mixed;
use raddle_ir::{Attr, AttrId, BlockId, Builder, DYNAMIC, Ir, OpId, Opcode, Scalar, TypeId, ValueId, ValueMap};

use super::reshape::{collapse, expand};
use crate::facts::Facts;
use crate::scalar_loops::{RUNS, sort_orders};

/// Elements of a line that is long.
const LONG: i64 = 2048;
/// Elements of a run.
const RUN: std::ops::RangeInclusive<i64> = 256..=8192;
/// The same where no divisor fits.
const RUN_OF_UNEVEN: i64 = 2000;
/// Lines that keep a chip busy, one for each workgroup.
const LINES: i64 = 64;
/// Threads of a workgroup that sorts a run, and clocks of a step of bisection: of all of them in shared memory (predicted by
/// `cargo xtask gpu-predict` for an H200), and of one in global memory, which waits for it.
const THREADS: i64 = 1024;
const SHARED_STEP: i64 = 200;
const GLOBAL_STEP: i64 = 100;
/// Bytes of the places that a line in shared memory takes for each element.
const PLACES: i64 = 4;

/// Divides the long sorts of some blocks.
pub(super) fn divide(ir: &mut Ir, blocks: &[BlockId], facts: &Facts) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        if let Some((dim, run)) = runs(ir, op, facts) {
            in_runs(ir, op, dim, run);
        }
    }
}

/// The dimension of a long sort, and how long its runs are to be.
fn runs(ir: &Ir, op: OpId, facts: &Facts) -> Option<(usize, i64)> {
    if ir.opcode(op) != Opcode::IreeLinalgExtSort || ir.attr(op, RUNS).is_some() || !sort_orders(ir, op) {
        return None;
    }
    let dim = ir.attr(op, "dimension").and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok())?;
    let shape = ir.shape_of(*ir.operands(op).first()?);
    let n = *shape.get(dim)?;
    if shape.contains(&DYNAMIC) || n < LONG {
        return None;
    }
    let lines = shape.iter().fold(1i64, |n, &extent| n.saturating_mul(extent)) / n;
    let bytes = |&value: &ValueId| Scalar::of(&ir[ir.elem_of(value)]).map_or(0, |scalar| scalar.bytes() as i64);
    let bytes: i64 = ir.operands(op).iter().map(bytes).sum();
    if lines >= LINES && n * (bytes + PLACES) <= i64::from(facts.chip.shared_bytes_max) {
        return None;
    }
    // Merging runs of one element at first, and a bisection of every other run.
    let time = |run: i64| {
        let steps = i64::from(run.ilog2()) + 1;
        let merges = (run + THREADS - 1) / THREADS * steps * steps / 2 * SHARED_STEP;
        merges + n / run * steps * GLOBAL_STEP
    };
    let run = RUN.filter(|run| n % run == 0 && n / run > 1).min_by_key(|&run| time(run));
    Some((dim, run.unwrap_or(RUN_OF_UNEVEN)))
}

fn in_runs(ir: &mut Ir, op: OpId, dim: usize, run: i64) {
    let operands = ir.operands(op).to_vec();
    let results: Vec<ValueId> = ir.results(op).collect();
    let attrs: Vec<(String, AttrId)> = ir.attrs(op).iter().map(|&(name, value)| (ir[name].to_owned(), value)).collect();
    let builder = &mut Builder::before(ir, op);
    let sorted = |builder: &mut Builder<'_>, values: &[ValueId], new: (&str, i64)| -> Vec<ValueId> {
        let number = builder.ir.i64_attr(new.1);
        let others = attrs.iter().map(|(name, value)| (name.as_str(), *value)).filter(|at| at.0 != new.0);
        let attrs: Vec<(&str, AttrId)> = others.chain([(new.0, number)]).collect();
        let types: Vec<TypeId> = values.iter().map(|&value| builder.ir.type_of(value)).collect();
        let sort = builder.op(Opcode::IreeLinalgExtSort, values, &types, &attrs);
        builder.copy_regions(op, sort, &mut ValueMap::default());
        builder.ir.results(sort).collect()
    };
    let shape = builder.ir.shape_of(operands[0]).to_vec();
    let n = shape[dim];
    let groups: Vec<usize> = (0..shape.len()).map(|d| 1 + usize::from(d == dim)).collect();
    // A part of a tensor along the line.
    let part = |builder: &mut Builder<'_>, value: ValueId, first: i64, size: i64| {
        if size == n {
            return value;
        }
        let along = |of_line: i64, other: &dyn Fn(usize) -> i64| -> Vec<Mixed> {
            (0..shape.len()).map(|d| Mixed::Static(if d == dim { of_line } else { other(d) })).collect()
        };
        builder.extract_slice(value, &along(first, &|_| 0), &along(size, &|d| shape[d]))
    };
    let (even, left) = (n / run * run, n % run);
    let lines: Vec<ValueId> = (operands.iter())
        .map(|&value| {
            let mut sizes: Vec<Mixed> = shape.iter().copied().map(Mixed::Static).collect();
            sizes.splice(dim..=dim, [Mixed::Static(even / run), Mixed::Static(run)]);
            let whole = part(builder, value, 0, even);
            expand(builder, whole, &groups, &sizes)
        })
        .collect();
    let short = sorted(builder, &lines, ("dimension", dim as i64 + 1));
    let mut short: Vec<ValueId> = short.into_iter().map(|value| collapse(builder, value, &groups)).collect();
    if left > 0 {
        let last: Vec<ValueId> = operands.iter().map(|&value| part(builder, value, even, left)).collect();
        let last = sorted(builder, &last, ("dimension", dim as i64));
        let number = builder.ir.i64_attr(dim as i64);
        for (value, last) in short.iter_mut().zip(last) {
            let elem = builder.ir.elem_of(*value);
            let ty = builder.ir.tensor_type(&shape, elem);
            *value = builder.value(Opcode::TensorConcat, &[*value, last], ty, &[("dim", number)]);
        }
    }
    let whole = sorted(builder, &short, (RUNS, run));
    for (old, new) in results.into_iter().zip(whole) {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
}
