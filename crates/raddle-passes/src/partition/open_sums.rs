//! Open sums: reductions of open extents that have too few results for the chip go along their inner loops first.
//!
//! Before: `%r = linalg.generic` that reduces all of `tensor<?x?x64xf32>`, in one workgroup
//! After:
//!
//! ```mlir
//! %p = linalg.generic ins(%a) outs(%neutral : tensor<?xf32>)   // reduces what lies below the first loop
//! %r = linalg.generic ins(%p) outs(%o : tensor<f32>)           // in who uses it, or a kernel of its own
//! ```
//!
//! [`super::split`] cuts a loop of known length. Where only the run knows how long loops are, whole loops are what can be put
//! off: as many of the slowest in memory as leave enough for a workgroup. Does not divide one loop.

use raddle_ir::views::Linalg;
use raddle_ir::{Builder, Code, DYNAMIC, Diag, Ir, Map, OpId, ValueMap};

use super::again::{LAUNCH, elements, known};
use super::split::ROUND;
use crate::configure::stream;
use crate::facts::Facts;
use crate::normalize::loops::{Loops, Part};
use crate::structured::generalize::{generic, make_generic};
use crate::structured::{body, combiner, fill, windows};

/// Elements that a workgroup reduces at least.
const LEAST: i64 = 1024;
/// Parts that one workgroup combines, at most.
const PARTS_MAX: i64 = 16384;

/// Divides a reduction. Returns what combines its parts, and what makes these.
pub(super) fn divide(ir: &mut Ir, op: OpId, facts: &Facts) -> Option<(OpId, OpId)> {
    let linalg = Linalg::try_of(ir, op).filter(|_| !windows::is_window(ir, op))?;
    let extents = linalg.extents(ir);
    let fits = linalg.reduction.contains(&true)
        && extents.contains(&DYNAMIC)
        && !extents.contains(&0)
        && ir.attr(op, "lowering_config").is_none()
        && linalg.inputs.iter().all(|&input| ir.ty(input).is_tensor())
        && linalg.outputs.len() == 1
        && body::reduction_of(ir, op, 0).is_some();
    let guessed: Vec<i64> = extents.into_iter().map(known).collect();
    if !fits || !stream::takes(ir, op, &linalg, &guessed) {
        return None;
    }
    let (inputs, outputs) = linalg.maps.split_at(linalg.inputs.len());
    let inputs = Part::of_maps(ir, &linalg.inputs, inputs)?;
    let results = Part::of_maps(ir, &linalg.outputs, outputs)?.pop()?.dims;
    let stream::Rounds { workgroups, rounds } = stream::rounds(ir, op, &linalg, &guessed, facts);
    if workgroups >= stream::PROCESSORS || rounds as f64 * ROUND < LAUNCH + 2.0 * ROUND {
        return None;
    }
    let largest = inputs.iter().rev().max_by_key(|input| elements(ir, input.value))?;
    let reduced: Vec<usize> = largest.dims.iter().copied().filter(|&d| linalg.reduction[d]).collect();
    let points = |loops: &[usize]| loops.iter().fold(1i64, |n, &d| n.saturating_mul(guessed[d]));
    let is_good = |&n: &usize| points(&reduced[n..]) >= LEAST && points(&reduced[..n]) <= PARTS_MAX;
    let n = (1..reduced.len()).rev().find(is_good).filter(|&n| points(&reduced[..n]) > 1)?;

    let message = format!(
        "`{}` is reduced along {} of its loops first: it has work for {workgroups} workgroups alone",
        ir.name(op),
        reduced.len() - n
    );
    facts.remark(Diag::error(Code::KernelChoice, ir.span(op), message));
    let op = make_generic(ir, op).unwrap_or(op);
    let reduction = body::reduction_of(ir, op, 0)?;
    let builder = &mut Builder::before(ir, op);
    let elem = builder.ir.elem_of(linalg.outputs[0]);
    let n_loops = linalg.reduction.len();
    let loops = Loops::of(builder, n_loops, &inputs)?;
    let dims = [&reduced[..n], &results].concat();
    let empty = loops.empty(builder, &dims, elem);
    let neutral = reduction.combiner.neutral(builder, elem);
    let mut maps = linalg.maps.clone();
    maps.truncate(inputs.len());
    maps.push(Map::of_dims(n_loops, &dims));
    let parts = Linalg {
        inputs: linalg.inputs,
        outputs: vec![fill(builder, neutral, empty.value)],
        maps,
        reduction: (0..n_loops).map(|d| linalg.reduction[d] && !reduced[..n].contains(&d)).collect(),
    };
    let parts = generic(builder, &parts, &[]);
    builder.copy_regions(op, parts, &mut ValueMap::default());
    let rank = dims.len();
    let sum = Linalg {
        inputs: vec![builder.ir.result(parts, 0)],
        outputs: linalg.outputs,
        maps: vec![Map::identity(rank), Map::of_dims(rank, &(n..rank).collect::<Vec<_>>())],
        reduction: (0..rank).map(|d| d < n).collect(),
    };
    let sum = generic(builder, &sum, &[]);
    combiner(builder, sum, reduction.combiner);
    let (old, new) = (ir.result(op, 0), ir.result(sum, 0));
    ir.replace_uses(old, new);
    ir.erase(op);
    Some((sum, parts))
}
