//! Grouped sums: a product along a dimension of which a factor is computed by groups has a loop for the groups.
//!
//! Before: weights of 8 bits times a scale for each 128 of them, as `tensor<11008x32x128xf16>`, `tensor.collapse_shape` of
//!         these to `tensor<11008x4096xf16>`, and a product along 4096
//! After:  the product along 32 times 128 of them
//!
//! So nothing is between the scales and the product, which may then share a kernel. Products of few rows have such loops as
//! well, so that subgroups share the sums.

use raddle_ir::views::Linalg;
use raddle_ir::{BlockId, DYNAMIC, Ir, OpId, Opcode};

use super::flatten::{run_as_one, split_loop};
use super::reshape::{self, groups};
use crate::configure::groups_of_few_rows;
use crate::facts::Facts;
use crate::structured::body;

/// Gives the products of some blocks loops for groups.
pub(super) fn split(ir: &mut Ir, blocks: &[BlockId]) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        let Some((d, extents)) = groups_of(ir, op) else { continue };
        split_loop(ir, op, d, &extents);
    }
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        if matches!(ir.opcode(op), Opcode::TensorExpandShape | Opcode::TensorCollapseShape) {
            reshape::join(ir, op);
        }
    }
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
    let mut waiting = vec![split_loop(ir, op, d, extents)];
    while let Some(op) = waiting.pop() {
        for input in ir.operands(op).to_vec() {
            let Some(view) = ir.def_op(input).filter(|&view| ir.opcode(view) == Opcode::TensorExpandShape) else {
                continue;
            };
            if let Some((maker, own)) = computed(ir, view, extents) {
                waiting.push(split_loop(ir, maker, own, extents));
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
    Some((maker, *linalg.maps.last()?.as_dims()?.get(at)?))
}

fn is_stated(ir: &Ir, op: OpId) -> bool {
    ["lowering_config", "compilation_info"].iter().any(|name| ir.attr(op, name).is_some())
}

/// The loop of a product that goes along groups of what a factor is computed of, and the extents that the factor has there.
fn groups_of(ir: &Ir, op: OpId) -> Option<(usize, Vec<i64>)> {
    let linalg = Linalg::try_of(ir, op).filter(|_| !is_stated(ir, op) && body::is_contraction(ir, op))?;
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
            let is_apart = |pair: &[usize]| !run_as_one(ir, made, &elementwise, pair[0], pair[1]);
            let is_grouped =
                linalg.reduction[d] && !extents.contains(&DYNAMIC) && written[own].windows(2).any(is_apart);
            is_grouped.then_some((d, extents))
        })
    })
}
