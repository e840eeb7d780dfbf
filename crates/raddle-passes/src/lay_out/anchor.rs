//! Anchors: what says how a vector lies before anything is asked of its neighbours.
//!
//! `to_layout` says it of its result, a lowering configuration of the loops of the operation that it is written on, and
//! the name of a matrix instruction of the operands of its contraction.

use raddle_ir::views::Contract;
use raddle_ir::{Attr, Class, Code, Diag, Ir, OpId, Opcode, ValueId};
use raddle_layout::Nested;
use raddle_target::mma;

use super::layouts::Layouts;
use super::seed::fragments_of;
use crate::config::Config;

/// The layout that a `to_layout` states.
pub fn anchor(ir: &Ir, op: OpId) -> Option<&Nested> {
    match (ir.opcode(op), ir.attr(op, "layout")) {
        (Opcode::ToLayout, Some(Attr::Layout(layout))) => Some(layout),
        _ => None,
    }
}

/// The vectors whose layouts an operation decides, whatever is around it.
pub fn anchors(ir: &Ir, op: OpId, layouts: &Layouts) -> Result<Vec<(ValueId, Nested)>, Diag> {
    if let Some(layout) = anchor(ir, op) {
        return Ok(vec![(ir.result(op, 0), layout.clone())]);
    }
    let mut found = Vec::new();
    if ir.attr_id(op, "lowering_config").is_some() {
        found = configured(ir, op, layouts)?;
    } else if ir.opcode(op) == Opcode::Contract
        && let Some(mma) = ir.keyword_of(op, "iree.gpu.mma").and_then(mma)
    {
        let view = Contract::of(ir, op);
        let operands = fragments_of(ir, &view, mma, layouts.launch);
        found.extend(operands.into_iter().flat_map(|[lhs, rhs]| [(view.lhs, lhs), (view.rhs, rhs)]));
    }
    // What another anchor makes lies as that one says.
    found.retain(|(value, _)| ir.def_op(*value).is_none_or(|def| anchor(ir, def).is_none()));
    Ok(found)
}

/// The layouts that the configuration of an operation on vectors means for its operands or result.
fn configured(ir: &Ir, op: OpId, layouts: &Layouts) -> Result<Vec<(ValueId, Nested)>, Diag> {
    let vector = |value: &ValueId| ir.ty(*value).is_vector();
    let value = match ir.class(op) {
        Class::Write | Class::Reduce => ir.operands(op).first().copied(),
        _ => ir.results(op).next(),
    };
    let Some(value) = value.filter(vector) else { return Ok(Vec::new()) };
    let config = Config::read(ir, op)?;
    if ir.opcode(op) != Opcode::Contract {
        return Ok(vec![(value, tiled(ir, op, &config, ir.shape_of(value))?)]);
    }
    let view = Contract::of(ir, op);
    if let Some(mma) = config.mma {
        let misfit = || misfit(ir, op, format!("`{}` does not divide the contraction, or has other types", mma.name));
        let [lhs, rhs] = fragments_of(ir, &view, mma, layouts.launch).ok_or_else(misfit)?;
        return Ok(vec![(view.lhs, lhs), (view.rhs, rhs)]);
    }
    let mut extents = vec![1; view.reduction.len()];
    let mut operands = Vec::new();
    for (value, map) in [view.lhs, view.rhs].into_iter().zip(&view.maps) {
        let dims = map.as_dims().ok_or_else(|| misfit(ir, op, "an operand's map is no permutation of loops".into()))?;
        for (&d, &extent) in dims.iter().zip(ir.shape_of(value)) {
            extents[d] = extent;
        }
        operands.push((value, dims));
    }
    let layout = tiled(ir, op, &config, &extents)?;
    Ok(operands.into_iter().map(|(value, dims)| (value, layout.permute(&dims))).collect())
}

/// The layout of the loops of an operation.
fn tiled(ir: &Ir, op: OpId, config: &Config, extents: &[i64]) -> Result<Nested, Diag> {
    let lists = [&config.subgroup, &config.lane, &config.thread];
    if let Some(list) = lists.into_iter().find(|list| !list.is_empty() && list.len() != extents.len()) {
        let why = format!("it has {} loops, and the configuration speaks of {}", extents.len(), list.len());
        return Err(misfit(ir, op, why));
    }
    let thread: Vec<i64> = config.thread.iter().map(|&size| size.max(1)).collect();
    let config = Config { thread, ..config.clone() };
    let tile = |d: usize| {
        let of = |list: &Vec<i64>| list.get(d).map_or(Some(1), |&n| (n > 0).then_some(n));
        [&config.subgroup, &config.lane, &config.thread]
            .into_iter()
            .try_fold(1i64, |product, list| of(list).and_then(|n| product.checked_mul(n)))
    };
    match (0..extents.len()).find(|&d| tile(d).is_none_or(|tile| extents[d] % tile != 0)) {
        Some(d) => Err(misfit(ir, op, format!("its tiles do not divide the {} steps of loop {d}", extents[d]))),
        None => Ok(config.layout(extents)),
    }
}

fn misfit(ir: &Ir, op: OpId, why: String) -> Diag {
    let message = format!("the `lowering_config` of `{}` does not fit", ir.name(op));
    Diag::error(Code::LayoutMisfit, ir.span(op), message).note(why)
}
