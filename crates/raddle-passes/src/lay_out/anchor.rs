//! Anchors: what says how a vector lies before anything is asked of its neighbours.
//!
//! `to_layout` says it of its result, a lowering configuration of the loops of the operation that it is written on, and
//! the name of a matrix instruction of the operands of its contraction, or of tiles that are the instruction's own.

use raddle_ir::views::Contract;
use raddle_ir::{Attr, Class, Code, Diag, Ir, Map, OpId, Opcode, ValueId};
use raddle_layout::Nested;
use raddle_target::mma;
use rustc_hash::FxHashMap;

use super::layouts::Layouts;
use super::seed::fragments_of;
use crate::config::Config;
use crate::configure::power_of_two;

/// The layout that a `to_layout` states.
pub fn anchor(ir: &Ir, op: OpId) -> Option<&Nested> {
    match (ir.opcode(op), ir.attr(op, "layout")) {
        (Opcode::IreeVectorExtToLayout, Some(Attr::Layout(layout))) => Some(layout),
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
    } else if ir.opcode(op) == Opcode::VectorContract
        && let Some(mma) = ir.keyword_of(op, "iree.gpu.mma").and_then(mma)
    {
        let view = Contract::of(ir, op);
        let [lhs, rhs] = fragments_of(ir, &view, mma, layouts.launch_at(ir, op)).ok_or_else(|| {
            let message = format!("`{}` does not fit `{}`", mma.name, ir.name(op));
            Diag::error(Code::LayoutMisfit, ir.span(op), message)
                .note(format!(
                    "it multiplies {} x {} by {} x {} in {} lanes",
                    mma.m, mma.k, mma.k, mma.n, mma.subgroup_size
                ))
                .help("the contraction's extents must be multiples of these, and its types those of the instruction")
        })?;
        found.extend([(view.lhs, lhs), (view.rhs, rhs)]);
    } else if ir.opcode(op) == Opcode::IreeCodegenInnerTiled {
        found.extend(tiles(ir, op, layouts).into_iter().flatten());
    }
    // What another anchor makes lies as that one says.
    found.retain(|(value, _)| ir.def_op(*value).is_none_or(|def| anchor(ir, def).is_none()));
    Ok(found)
}

/// The layouts of the operands of `iree_codegen.inner_tiled` on tiles of one instruction, where that is one of the table
/// for subgroups like ours: tiles lie in a subgroup's lanes as the instruction says, and subgroups share the tiles along
/// the loops that the result has.
fn tiles(ir: &Ir, op: OpId, layouts: &Layouts) -> Option<Vec<(ValueId, Nested)>> {
    // Of a virtual instruction a lane may have less than a product gives it.
    let mma = mma(ir.keyword(ir.attr_id(op, "kind")?)?).filter(|mma| mma.issued.is_none())?;
    let whole = ir.field(ir.attr_id(op, "semantics")?, "distributed").is_some_and(|flag| ir[flag] == Attr::Bool(false));
    let maps: Option<Vec<Vec<usize>>> = ir.maps(op, "indexing_maps")?.iter().map(Map::as_dims).collect();
    let (maps, operands, launch) = (maps?, ir.operands(op), layouts.launch_at(ir, op));
    let fits = |(&value, loops): (&ValueId, &Vec<usize>)| {
        ir.ty(value).is_vector() && ir.shape_of(value).len() == loops.len() + 2
    };
    let three = operands.len() == 3 && maps.len() == 3 && operands.iter().zip(&maps).all(fits);
    if !whole || !three || i64::from(mma.subgroup_size) != launch.subgroup_size {
        return None;
    }
    // Subgroups for each loop that the result has, and their distance: the last loop has neighbours.
    let mut left = launch.subgroups().unwrap_or(1);
    let mut shares = FxHashMap::default();
    for (&along, &extent) in maps[2].iter().zip(ir.shape_of(operands[2])) {
        let share = power_of_two(extent, left);
        left /= share;
        shares.insert(along, share);
    }
    let stride = |along: usize| {
        let behind = maps[2].iter().skip_while(|&&other| other != along).skip(1);
        behind.map(|other| shares[other]).product::<i64>()
    };
    let layout = |i: usize, loops: &[usize]| {
        let ones = || vec![1; loops.len()];
        let subgroups: Vec<i64> = loops.iter().map(|along| shares.get(along).copied().unwrap_or(1)).collect();
        let strides = loops.iter().zip(&subgroups).map(|(&along, &n)| if n > 1 { stride(along) } else { 0 }).collect();
        let batches = ir.shape_of(operands[i]).iter().zip(&subgroups).map(|(extent, n)| extent / n).collect();
        let none = vec![0; loops.len()];
        let outer = Nested::new(subgroups, batches, ones(), ones(), ones(), strides, none).ok()?;
        let order = permutation_of_tile(ir, op, i).filter(|order| order.len() == 2).unwrap_or_else(|| vec![0, 1]);
        outer.append(&mma.fragments[i].nested([1, 1], [1, 1], [0, 0]).permute(&order)).ok()
    };
    let all = operands.iter().zip(&maps).enumerate().map(|(i, (&value, loops))| Some((value, layout(i, loops)?)));
    all.collect()
}

/// The order in which operand `i` of `iree_codegen.inner_tiled` has the dimensions of a tile, where it has another one.
pub fn permutation_of_tile(ir: &Ir, op: OpId, i: usize) -> Option<Vec<usize>> {
    let Attr::Array(list) = ir.attr(op, "permutations")? else { return None };
    let order = ir.ints(*list.get(i)?)?;
    Some(order.into_iter().map(|d| d as usize).collect())
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
    if ir.opcode(op) != Opcode::VectorContract {
        return Ok(vec![(value, tiled(ir, op, &config, ir.shape_of(value))?)]);
    }
    let view = Contract::of(ir, op);
    if let Some(mma) = config.mma {
        let misfit = || misfit(ir, op, format!("`{}` does not divide the contraction, or has other types", mma.name));
        let [lhs, rhs] = fragments_of(ir, &view, mma, layouts.launch_at(ir, op)).ok_or_else(misfit)?;
        return Ok(vec![(view.lhs, lhs), (view.rhs, rhs)]);
    }
    let mut extents = vec![1; view.reduction.len()];
    let mut operands = Vec::new();
    for (value, map) in [view.lhs, view.rhs].into_iter().zip(&view.maps) {
        let dims =
            map.as_dims().ok_or_else(|| misfit(ir, op, "an operand's map is not a permutation of loops".into()))?;
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
