//! Grouped sums: a product along a dimension of which a factor is computed by groups has a loop for the groups.
//!
//! Before: weights of 8 bits times a scale for each 128 of them, as `tensor<11008x32x128xf16>`, `tensor.collapse_shape` of
//!         these to `tensor<11008x4096xf16>`, and a product along 4096
//! After:  the product along 32 times 128 of them
//!
//! So nothing is between the scales and the product, which may then share a kernel. Products of few rows have such loops as
//! well, so that subgroups share the sums.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, BlockId, DYNAMIC, Ir, OpId, Opcode};

use super::flatten::{needs_apart, run_as_one, split_behind, split_in_front, split_known_loop};
use super::reshape::{self, groups};
use crate::configure::{groups_of_few_rows, takes_groups_of};
use crate::facts::Facts;
use crate::structured::body;

/// Gives what computes the factors of few rows the loops of what it is computed of: in front of other steps that divide
/// loops around reshapes, which would divide but a part of it.
pub(super) fn refine(ir: &mut Ir, blocks: &[BlockId], facts: &Facts) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        refine_factors(ir, op, facts);
    }
}

/// Gives the products of some blocks loops for groups.
pub(super) fn split(ir: &mut Ir, blocks: &[BlockId]) {
    let is_product = |op: OpId| Linalg::try_of(ir, op).is_some() && body::is_contraction(ir, op) && !is_stated(ir, op);
    let ops = blocks.iter().flat_map(|&block| ir.ops_of(block));
    for op in ops.filter(|&op| is_product(op)).collect::<Vec<_>>() {
        let op = split_in_front(ir, op);
        split_behind(ir, op);
    }
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        let Some((d, extents)) = groups_of(ir, op, false).filter(|_| body::is_contraction(ir, op)) else { continue };
        split_known_loop(ir, op, d, &extents);
    }
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        if matches!(ir.opcode(op), Opcode::TensorExpandShape | Opcode::TensorCollapseShape) {
            reshape::join(ir, op);
        }
    }
}

/// Gives what computes the factors of a product of few rows the loops of what it is computed of, where these have another
/// shape: bytes of two numbers each, which lie side by side in groups.
fn refine_factors(ir: &mut Ir, op: OpId, facts: &Facts) {
    if is_stated(ir, op) || !Linalg::try_of(ir, op).is_some_and(|_| body::is_contraction(ir, op)) {
        return;
    }
    let mut product = op;
    for i in 0..2 {
        // From the product upwards to what has another shape.
        let (mut chain, mut value) = (vec![product], ir.operand(product, i));
        let found = loop {
            let Some(made) = ir.def_op(value) else { break None };
            if let Some(found) = refined(ir, made) {
                break Some((made, found));
            }
            match ir.opcode(made) {
                Opcode::TensorExpandShape | Opcode::TensorCollapseShape => {}
                _ if is_elementwise(ir, made) && !ir.operands(made).is_empty() => chain.push(made),
                _ => break None,
            }
            value = ir.operand(made, 0);
        };
        let Some((expand, (maker, d, extents))) = found else { continue };
        let inner = Linalg::of(ir, maker).extents(ir).last().copied().unwrap_or(1);
        let fits = matches!(extents[..], [n, k] if takes_groups_of(ir, product, [n, k, inner], facts));
        if !fits {
            continue;
        }
        divide(ir, maker, d, &extents);
        join(ir, expand);
        for &reader in chain.iter().rev() {
            join_operands(ir, reader);
            let Some((d, extents)) = groups_of(ir, reader, true) else { break };
            let new = split_known_loop(ir, reader, d, &extents);
            if reader == product {
                product = new;
            }
        }
    }
}

/// Joins the reshapes that an operation reads with those of which they are.
fn join_operands(ir: &mut Ir, op: OpId) {
    for i in 0..ir.operands(op).len() {
        if let Some(view) = ir.def_op(ir.operand(op, i)) {
            join(ir, view);
        }
    }
}

/// Joins a reshape with that of which it is, which is first joined itself.
fn join(ir: &mut Ir, view: OpId) {
    if matches!(ir.opcode(view), Opcode::TensorExpandShape | Opcode::TensorCollapseShape) {
        if let Some(inside) = ir.def_op(ir.operand(view, 0)) {
            join(ir, inside);
        }
        reshape::join(ir, view);
    }
}

/// Whether an operation computes each element from elements of others along its loops, which its body may count.
fn is_elementwise(ir: &Ir, op: OpId) -> bool {
    Linalg::try_of(ir, op).is_some_and(|linalg| {
        !linalg.reduction.contains(&true) && linalg.maps.iter().all(|map| map.as_dims().is_some())
    })
}

/// What computes elements that lie in groups of one shape where an expansion of them has groups of another one, its loop
/// that both divide, and how.
fn refined(ir: &Ir, expand: OpId) -> Option<(OpId, usize, Vec<i64>)> {
    let is = |op: OpId, opcode: Opcode| (ir.opcode(op) == opcode).then_some(op);
    let expand = is(expand, Opcode::TensorExpandShape)?;
    let collapse = is(ir.def_op(ir.operand(expand, 0))?, Opcode::TensorCollapseShape)?;
    let maker = ir.def_op(ir.operand(collapse, 0)).filter(|&maker| is_elementwise(ir, maker))?;
    let linalg = Linalg::of(ir, maker);
    let written = linalg.maps.last()?.as_dims()?;
    let (made, wanted) = (ir.shape_of(ir.operand(collapse, 0)), ir.shape_of(ir.result(expand, 0)));
    let (mut first, mut first_wanted) = (0, 0);
    for (n, n_wanted) in groups(ir, collapse)?.into_iter().zip(groups(ir, expand)?) {
        let (own, other) = (first..first + n, first_wanted..first_wanted + n_wanted);
        (first, first_wanted) = (own.end, other.end);
        if [&made[own.clone()], &wanted[other.clone()]].iter().any(|shape| shape.contains(&DYNAMIC)) {
            continue;
        }
        let is_apart = |pair: &[usize]| !run_as_one(ir, maker, &linalg, pair[0], pair[1]);
        // Elements from the end of the group on.
        let behind = |shape: &[i64]| -> Vec<i64> { (0..shape.len()).map(|d| shape[d..].iter().product()).collect() };
        let cuts = behind(&wanted[other]);
        let is_grouped = written[own.clone()].windows(2).any(is_apart);
        for d in own.clone().filter(|&d| is_grouped && !counts(ir, maker, written[d])) {
            let inner: i64 = made[d + 1..own.end].iter().product();
            let mut extents = Vec::new();
            let mut outer = inner * made[d];
            for &cut in cuts.iter().filter(|&&cut| cut > inner && cut < inner * made[d]) {
                (outer % cut == 0 && cut % inner == 0).then_some(())?;
                extents.push(outer / cut);
                outer = cut;
            }
            if !extents.is_empty() {
                extents.push(outer / inner);
                return Some((maker, written[d], extents));
            }
        }
    }
    None
}

/// Divides the sums of products of few rows, which subgroups share by groups.
pub(super) fn divide_few_rows(ir: &mut Ir, blocks: &[BlockId], facts: &Facts) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        if let Some((d, extents)) = groups_of_few_rows(ir, op, facts).filter(|_| !is_stated(ir, op)) {
            divide(ir, op, d, &extents);
        }
    }
}

/// Divides a loop of a product, and those of what computes its factors, into groups.
fn divide(ir: &mut Ir, op: OpId, d: usize, extents: &[i64]) {
    let mut waiting = vec![split_known_loop(ir, op, d, extents)];
    while let Some(op) = waiting.pop() {
        join_operands(ir, op);
        for input in ir.operands(op).to_vec() {
            let Some(view) = ir.def_op(input).filter(|&view| ir.opcode(view) == Opcode::TensorExpandShape) else {
                continue;
            };
            if let Some((maker, own)) = computed(ir, view, extents) {
                waiting.push(split_known_loop(ir, maker, own, extents));
            }
            reshape::join(ir, view);
        }
    }
}

/// The elementwise operation that computes what an expansion to these extents is of, and its loop along them.
fn computed(ir: &Ir, view: OpId, extents: &[i64]) -> Option<(OpId, usize)> {
    let maker = ir.def_op(ir.operand(view, 0))?;
    let linalg = Linalg::try_of(ir, maker).filter(|linalg| !linalg.reduction.contains(&true))?;
    let groups = groups(ir, view)?;
    let at = groups.iter().position(|&n| n > 1)?;
    let made = &ir.shape_of(ir.result(view, 0))[at..];
    (made.starts_with(extents) && groups.iter().sum::<usize>() == groups.len() - 1 + extents.len()).then_some(())?;
    linalg.maps.iter().all(|map| map.as_dims().is_some()).then_some(())?;
    let own = *linalg.maps.last()?.as_dims()?.get(at)?;
    (!counts(ir, maker, own)).then_some((maker, own))
}

/// Whether the body of an operation counts a loop.
fn counts(ir: &Ir, op: OpId, d: usize) -> bool {
    let is_own = |&inner: &OpId| {
        ir.opcode(inner) == Opcode::LinalgIndex && ir.attr(inner, "dim").and_then(Attr::as_i64) == Some(d as i64)
    };
    ir.walk(op).iter().any(is_own)
}

fn is_stated(ir: &Ir, op: OpId) -> bool {
    ["lowering_config", "compilation_info"].iter().any(|name| ir.attr(op, name).is_some())
}

/// The loop of a product, or of an elementwise operation, that goes along groups of what a factor is computed of, and the
/// extents that the factor has there; with `any`, whether or not these make a difference to its elements.
fn groups_of(ir: &Ir, op: OpId, any: bool) -> Option<(usize, Vec<i64>)> {
    let linalg = Linalg::try_of(ir, op)
        .filter(|_| !is_stated(ir, op) && (body::is_contraction(ir, op) || is_elementwise(ir, op)))?;
    let dims = linalg.maps.iter().map(|map| map.as_dims()).collect::<Option<Vec<_>>>()?;
    linalg.inputs.iter().zip(&dims).find_map(|(&factor, dims)| {
        let collapse = ir.def_op(factor).filter(|&made| ir.opcode(made) == Opcode::TensorCollapseShape)?;
        let long = ir.operand(collapse, 0);
        let made = ir.def_op(long)?;
        let elementwise = Linalg::try_of(ir, made).filter(|made| !made.reduction.contains(&true))?;
        let written = elementwise.maps.last()?.as_dims()?;
        let mut first = 0;
        dims.iter().zip(groups(ir, collapse)?).find_map(|(&d, n)| {
            let own = first..first + n;
            first = own.end;
            let extents = ir.shape_of(long)[own.clone()].to_vec();
            let is_grouped = (linalg.reduction[d] || !linalg.reduction.contains(&true))
                && !extents.contains(&DYNAMIC)
                && n > 1
                && (any || needs_apart(ir, made, &written[own]));
            (is_grouped && !counts(ir, op, d)).then_some((d, extents))
        })
    })
}
