//! Numberings of k: a contraction does not care in which order its products are summed.
//!
//! Before: `%p = to_layout %s to layout(#A)`, `%v = to_layout %t to layout(#B)`, `vector.contract %p, %v, %acc`
//! After: `%p` keeps its elements in their lanes under another numbering of k, and `%v` changes its layout under the
//! same one.
//!
//! So the result of one matrix product becomes a factor of the next one without leaving its lane. Both factors must be
//! conversions that nobody else uses; the numbering is taken where both together cost less than without it.

use raddle_ir::views::Contract;
use raddle_ir::{Class, Expr, Ir, OpId, Opcode, Scalar, ValueId};
use raddle_layout::f2::Matrix;
use raddle_layout::plan::{Machine, contraction, plan};
use raddle_layout::{Layout, LayoutError};
use rustc_hash::FxHashMap;

use super::convert::has_digits;
use crate::config::Launch;
use crate::facts::Facts;
use crate::lay_out::{is_conversion, layout_of};

/// For conversions whose values are numbered anew: the new coordinates of each element.
pub type Numberings = FxHashMap<OpId, Matrix>;

/// Finds the conversions of a function that cost less under another numbering of k.
pub fn find(ir: &Ir, func: OpId, launch: Launch, facts: &Facts) -> Numberings {
    let mut found = Numberings::default();
    let machine = super::convert::machine(launch, facts);
    for op in ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::VectorContract) {
        for factors in [[0, 1], [1, 0]] {
            if let Some(pair) = of_contract(ir, op, factors, launch.at(ir, op), &machine) {
                found.extend(pair);
                break;
            }
        }
    }
    found
}

/// A factor of a contraction that is a conversion.
struct Factor {
    op: OpId,
    source: Layout,
    target: Layout,
    /// The dimension that is k.
    dim: usize,
    bits: i64,
}

fn of_contract(
    ir: &Ir,
    op: OpId,
    factors: [usize; 2],
    launch: Launch,
    machine: &Machine,
) -> Option<[(OpId, Matrix); 2]> {
    let view = Contract::of(ir, op);
    let mut summed = (0..view.reduction.len()).filter(|&d| view.reduction[d]);
    let (Some(k), None) = (summed.next(), summed.next()) else { return None };
    let values = factors.map(|at| [view.lhs, view.rhs][at]);
    let convert = |value: ValueId| {
        let source = ir.def_op(value).filter(|&op| is_conversion(ir, op) && ir.uses(value).count() == 1)?;
        (ir.parent_block(source) == ir.parent_block(op)).then_some(source)
    };
    let [first, second] = values.map(convert);
    let (first, second) = (first?, second?);
    // What is read from memory is in nobody's lane yet.
    if ir.def_op(ir.operand(first, 0)).is_some_and(|source| ir.class(source) == Class::Read) {
        return None;
    }
    let factor = |conversion: OpId, at: usize| {
        let dim = view.maps[at].results.iter().position(|expr| *expr == Expr::Dim(k as u32))?;
        let bits = Scalar::of(&ir[ir.elem_of(ir.result(conversion, 0))])?.bytes() as i64 * 8;
        let layout = |value| super::convert::core(layout_of(ir, value)?, launch).ok();
        let (source, target) = (layout(ir.operand(conversion, 0))?, layout(ir.result(conversion, 0))?);
        Some(Factor { op: conversion, source, target, dim, bits })
    };
    let (first, second) = (factor(first, factors[0])?, factor(second, factors[1])?);
    let gauge = contraction(&first.source, &first.target, first.dim, first.bits, machine).ok()??;
    if gauge.k.is_identity() {
        return None;
    }
    let numbering = lifted(&gauge.k, &second.source, second.dim).ok()?;
    let swizzled = second.source.with_swizzle(&numbering).ok()?;
    let cost = |source: &Layout, factor: &Factor| {
        let plan = plan(source, &factor.target, factor.bits, machine).ok()?;
        // Rows of a buffer have one numbering only.
        (!has_digits(&plan)).then_some(plan.cost.total)
    };
    let with = gauge.plan.cost.total + cost(&swizzled, &second)?;
    let without = cost(&first.source, &first)? + cost(&second.source, &second)?;
    let own = lifted(&gauge.k, &first.source, first.dim).ok()?;
    (with < without).then_some([(first.op, own), (second.op, numbering)])
}

/// A map of the bits of one dimension's coordinates as a map of all coordinates'.
fn lifted(k: &Matrix, layout: &Layout, dim: usize) -> Result<Matrix, LayoutError> {
    let bits = k.columns().len();
    let first: usize = layout.shape()[dim + 1..].iter().map(|extent| extent.trailing_zeros() as usize).sum();
    let n = layout.n_bits();
    let column = |bit: usize| match bit.checked_sub(first).filter(|&bit| bit < bits) {
        Some(bit) => k.columns()[bit] << first,
        None => 1 << bit,
    };
    Ok(Matrix::new(n, (0..n).map(column).collect())?)
}
