//! Long sorts: a line is sorted in runs, and then the runs are merged, so that more than one workgroup has a part in it.
//! Long runs are sorted so, too.
//!
//! Before: `%r = iree_linalg_ext.sort dimension(0) outs(%x : tensor<32000xf32>)`
//! After:
//!
//! ```mlir
//! %e = tensor.expand_shape %x [[0, 1]] : tensor<16x2000xf32>
//! %s = iree_linalg_ext.sort dimension(1) outs(%e)
//! %c = tensor.collapse_shape %s [[0, 1]] : tensor<32000xf32>
//! %r = iree_linalg_ext.sort dimension(0) {raddle.runs = 2000} outs(%c)
//! ```
//!
//! Sorting is stable, so that the result is that of the whole line; NaNs stay where they are in both.
//!
//! A length without a fitting divisor leaves a shorter run, which is sorted alone.
//!
//! Where only the first elements of lines are read, as of what was `topk` once, so many of each run are merged
//! (`long_sorts/first.rs`), or, if they are few, the sort says so and a team of threads looks for one after the other.
//!
//! A CPU's thread sorts a line by itself, up to what its memory holds; longer ones are sorted by one digit after the other, or,
//! where what is compared has none or the first elements are read, two halves are merged:
//!
//! ```mlir
//! %0 = iree_linalg_ext.sort dimension(0) {raddle.digit = 0} outs(%x)
//! %1 = iree_linalg_ext.sort dimension(0) {raddle.digit = 1} outs(%0)
//! …
//! ```
//!
//! Does not touch lines of a length that only the run knows, and lines that are so many that each workgroup has its own, if
//! shared memory holds one and more than a few of their elements are read.

mod first;

use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{Attr, AttrId, BlockId, Builder, DYNAMIC, Ir, OpId, Opcode, Scalar, TypeId, ValueId, ValueMap};

use super::again::known;
use super::reshape::{collapse, expand};
use crate::facts::Facts;
use crate::scalar_loops::{DIGIT, FIRST, RUNS, digits, longest, sort_order};
use first::First;

/// Elements of a line that is long.
const LONG: i64 = 1024;
/// Elements of the shortest runs, one for each thread of a workgroup.
const SHORTEST: i64 = 256;
/// Runs that are merged at once, at most: each element looks for its place in all of them.
const MERGED: i64 = 24;
/// Lines that keep a chip busy, one for each workgroup.
const LINES: i64 = 64;
/// Of so many elements, one is few.
const FEW: i64 = 32;
/// Elements that are sorted in the time of a round that finds one, and in that of a kernel for each level of runs.
const ROUND: i64 = 3600;
const LEVELS: i64 = 40_000;
/// Elements that a thread alone keeps as a list, at most.
const LISTED: i64 = 256;
/// Threads that look through a line, of many lines and of few.
const THREADS: i64 = 256;
const THREADS_OF_FEW: i64 = 1024;
/// Bytes of the places that a line in shared memory takes for each element.
const PLACES: i64 = 4;

/// Divides the long sorts of some blocks.
pub(super) fn divide(ir: &mut Ir, blocks: &[BlockId], facts: &Facts) {
    let mut ops: Vec<OpId> = blocks.iter().flat_map(|&block| ir.ops_of(block)).collect();
    while let Some(op) = ops.pop() {
        let Some(dim) = dimension(ir, op) else { continue };
        let first = First::of(ir, op, dim);
        if let Some(first) = first.as_ref().filter(|first| is_found(ir, op, dim, first, facts)) {
            let n = ir.i64_attr(first.n);
            ir.set_attr(op, FIRST, n);
        } else if let Some(digits) = passes(ir, op, dim, first.as_ref(), facts) {
            by_digits(ir, op, digits);
        } else if let Some(run) = run(ir, op, dim, first.as_ref(), facts) {
            ops.extend(in_runs(ir, op, dim, run, first.as_ref()));
        }
    }
}

/// Whether an operation numbers elements for sorts that do not compare these numbers: each is read once.
pub(super) fn numbers_elements(ir: &Ir, op: OpId) -> bool {
    let is_moved = |(user, at): (OpId, usize)| {
        ir.opcode(user) == Opcode::IreeLinalgExtSort
            && sort_order(ir, user).is_some_and(|order| !order.operands.contains(&at))
    };
    Linalg::try_of(ir, op).is_some_and(|linalg| linalg.inputs.is_empty() && !linalg.reduction.contains(&true))
        && ir.results(op).all(|value| !ir.is_unused(value) && ir.uses(value).all(is_moved))
}

/// The dimension that is sorted along, if there is an order.
fn dimension(ir: &Ir, op: OpId) -> Option<usize> {
    let is_new = [RUNS, FIRST, DIGIT].iter().all(|name| ir.attr(op, name).is_none());
    if ir.opcode(op) != Opcode::IreeLinalgExtSort || !is_new || sort_order(ir, op).is_none() {
        return None;
    }
    let dim = ir.attr(op, "dimension").and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok())?;
    let shape = ir.shape_of(*ir.operands(op).first()?);
    (dim < shape.len()).then_some(dim)
}

/// Whether it takes less to look for the first elements of lines, one after the other, than to sort runs.
fn is_found(ir: &Ir, op: OpId, dim: usize, first: &First, facts: &Facts) -> bool {
    let shape = ir.shape_of(ir.operand(op, 0));
    let n = shape[dim];
    if facts.chip.native.is_some() {
        return n != DYNAMIC && first.n <= LISTED;
    }
    // Lanes exchange elements of one operand, which have bytes.
    let compared = sort_order(ir, op).map(|order| order.operands).unwrap_or_default();
    let travels = |at: usize| Scalar::of(&ir[ir.elem_of(ir.operand(op, at))]).is_some_and(|scalar| scalar.bits() >= 8);
    if !matches!(compared[..], [at] if travels(at)) {
        return false;
    }
    let elements = shape.iter().map(|&extent| known(extent)).fold(1i64, i64::saturating_mul);
    let lines = elements / n.max(1);
    let processors = facts.chip.processors.map_or(LINES, |processors| processors.count.into());
    let threads = n.min(if lines > 2 * processors { THREADS } else { THREADS_OF_FEW });
    let waves = lines.saturating_mul(threads) / (THREADS_OF_FEW * processors) + 1;
    let rounds = first.n.saturating_mul(waves).saturating_mul(ROUND);
    n != DYNAMIC && first.n <= n / 2 && rounds <= elements.saturating_add(LEVELS)
}

/// How many passes of a thread that has a line alone sort a line that its memory does not hold: one for each digit, unless few
/// elements are read.
fn passes(ir: &Ir, op: OpId, dim: usize, first: Option<&First>, facts: &Facts) -> Option<i64> {
    let n = ir.shape_of(ir.operand(op, 0))[dim];
    let is_long = facts.chip.native.is_some() && n > longest(ir, op, facts).max(LONG) && n < i64::from(i32::MAX);
    let are_few = first.is_some_and(|first| first.n <= n / 2);
    if is_long && !are_few { digits(ir, &sort_order(ir, op)?) } else { None }
}

/// Sorts by each digit, the last one first.
fn by_digits(ir: &mut Ir, op: OpId, n_digits: i64) {
    let mut values = ir.operands(op).to_vec();
    let results: Vec<ValueId> = ir.results(op).collect();
    let builder = &mut Builder::before(ir, op);
    for digit in 0..n_digits {
        let pass = builder.copy(op, &mut ValueMap::default());
        builder.ir.set_operands(pass, &values);
        let digit = builder.ir.i64_attr(digit);
        builder.ir.set_attr(pass, DIGIT, digit);
        values = builder.ir.results(pass).collect();
    }
    for (old, new) in results.into_iter().zip(values) {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
}

/// How long the runs of a long sort are to be.
fn run(ir: &Ir, op: OpId, dim: usize, first: Option<&First>, facts: &Facts) -> Option<i64> {
    let shape = ir.shape_of(ir.operand(op, 0));
    let n = shape[dim];
    if shape.contains(&DYNAMIC) || n < LONG {
        return None;
    }
    if facts.chip.native.is_some() {
        // One thread merges two runs.
        return (1..n).contains(&longest(ir, op, facts)).then_some(n - n / 2);
    }
    let lines = shape.iter().fold(1i64, |n, &extent| n.saturating_mul(extent)) / n;
    let bytes = |&value: &ValueId| Scalar::of(&ir[ir.elem_of(value)]).map_or(0, |scalar| scalar.bytes() as i64);
    let bytes: i64 = ir.operands(op).iter().map(bytes).sum();
    let few = first.is_some_and(|first| first.n <= n / FEW);
    if lines >= LINES && !few && n * (bytes + PLACES) <= i64::from(facts.chip.shared_bytes_max) {
        return None;
    }
    // As few merges as it takes, of about as many runs each. Runs may be somewhat shorter, so that they divide the line.
    let reach = |merged: i64, levels: u32| SHORTEST.saturating_mul(merged.saturating_pow(levels));
    let levels = (1..).find(|&levels| reach(MERGED, levels) >= n)?;
    let merged = (2..=MERGED).find(|&merged| reach(merged, levels) >= n)?;
    let most = reach(merged, levels - 1);
    let run = (most * 5 / 8..=most).rev().find(|run| n % run == 0);
    Some(run.unwrap_or(most))
}

/// Gives the sorts of the runs.
fn in_runs(ir: &mut Ir, op: OpId, dim: usize, run: i64, first: Option<&First>) -> Vec<OpId> {
    let operands = ir.operands(op).to_vec();
    let results: Vec<ValueId> = ir.results(op).collect();
    let attrs: Vec<(String, AttrId)> = ir.attrs(op).iter().map(|&(name, value)| (ir[name].to_owned(), value)).collect();
    let builder = &mut Builder::before(ir, op);
    let sorted = |builder: &mut Builder<'_>, values: &[ValueId], new: (&str, i64)| -> OpId {
        let number = builder.ir.i64_attr(new.1);
        let others = attrs.iter().map(|(name, value)| (name.as_str(), *value)).filter(|at| at.0 != new.0);
        let attrs: Vec<(&str, AttrId)> = others.chain([(new.0, number)]).collect();
        let types: Vec<TypeId> = values.iter().map(|&value| builder.ir.type_of(value)).collect();
        let sort = builder.op(Opcode::IreeLinalgExtSort, values, &types, &attrs);
        builder.copy_regions(op, sort, &mut ValueMap::default());
        sort
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
    // What is merged of runs: all of them, if not only the first elements are asked for.
    let merged = |builder: &mut Builder<'_>, sort: OpId, dim: usize| match first {
        Some(first) => first.of_run(builder, sort, dim),
        None => builder.ir.results(sort).collect(),
    };
    let mut sorts = vec![sorted(builder, &lines, ("dimension", dim as i64 + 1))];
    let short = merged(builder, sorts[0], dim + 1);
    let run = builder.ir.shape_of(short[0])[dim + 1];
    let mut short: Vec<ValueId> = short.into_iter().map(|value| collapse(builder, value, &groups)).collect();
    if left > 0 {
        let last: Vec<ValueId> = operands.iter().map(|&value| part(builder, value, even, left)).collect();
        let last = sorted(builder, &last, ("dimension", dim as i64));
        sorts.push(last);
        let last = merged(builder, last, dim);
        let number = builder.ir.i64_attr(dim as i64);
        for (value, last) in short.iter_mut().zip(last) {
            let elem = builder.ir.elem_of(*value);
            let mut shape = builder.ir.shape_of(*value).to_vec();
            shape[dim] += builder.ir.shape_of(last)[dim];
            let ty = builder.ir.tensor_type(&shape, elem);
            *value = builder.value(Opcode::TensorConcat, &[*value, last], ty, &[("dim", number)]);
        }
    }
    let whole = sorted(builder, &short, (RUNS, run));
    let whole: Vec<ValueId> = ir.results(whole).collect();
    for (old, new) in results.into_iter().zip(whole) {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
    sorts
}
