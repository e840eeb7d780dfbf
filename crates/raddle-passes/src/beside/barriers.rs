//! Combine barriers: make value barriers that do not wait for one another one barrier.
//!
//! Before: `%a1 = value_barrier %a`, `%r = read %a1`, `%b1 = value_barrier %b`
//! After:  `%ab:2 = value_barrier %a, %b`, `%r = read %ab#0`
//!
//! The idea: the level of an operation is the largest number of barriers on a way to it through its block. Barriers of
//! one level cannot depend on one another, whatever else does, so those of one level and kind become one. Then the
//! operations are put in the order of their levels, a level's barriers at its end.
//!
//! Operations with effects keep their order among themselves.

use std::collections::BTreeMap;

use raddle_ir::{BlockId, Builder, Diag, Ir, OpId, Opcode, TypeId, ValueId, ValueMap};
use raddle_layout::sort::sort_by_key;
use rustc_hash::FxHashMap;

use crate::facts::Facts;

/// What may be combined with what.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Tensors,
    Vectors,
    Region,
}

fn kind(ir: &Ir, op: OpId) -> Option<Kind> {
    match ir.opcode(op) {
        Opcode::IreeGpuValueBarrier => {
            let vectors = ir.operands(op).iter().any(|&value| ir.ty(value).is_vector());
            Some(if vectors { Kind::Vectors } else { Kind::Tensors })
        }
        Opcode::IreeGpuBarrierRegion => Some(Kind::Region),
        _ => None,
    }
}

/// Combines the barriers of every block of a function.
pub fn combine(ir: &mut Ir, func: OpId, _: &Facts) -> Result<(), Diag> {
    let barriers: Vec<OpId> = ir.walk(func).into_iter().filter(|&op| kind(ir, op).is_some()).collect();
    let mut blocks: Vec<BlockId> = barriers.iter().filter_map(|&op| ir.parent_block(op)).collect();
    blocks.sort_unstable();
    blocks.dedup();
    for block in blocks {
        combine_in(ir, block);
    }
    Ok(())
}

fn combine_in(ir: &mut Ir, block: BlockId) {
    let ops = ir.ops_of(block);
    let levels = levels(ir, &ops);
    let mut groups: BTreeMap<(u32, Kind), Vec<OpId>> = BTreeMap::new();
    for (&op, &level) in ops.iter().zip(&levels) {
        if let Some(kind) = kind(ir, op) {
            groups.entry((level, kind)).or_default().push(op);
        }
    }
    if groups.values().all(|group| group.len() == 1) {
        return;
    }
    // Of equal levels the order stays, barriers last.
    let mut order: Vec<(u32, bool, OpId)> =
        ops.iter().zip(&levels).map(|(&op, &level)| (level, kind(ir, op).is_some(), op)).collect();
    sort_by_key(&mut order, |entry| (entry.0, entry.1));
    for &(_, _, op) in &order {
        ir.detach(op);
        ir.append(block, op);
    }
    for (&(_, kind), group) in groups.iter().filter(|entry| entry.1.len() > 1) {
        let new = match kind {
            Kind::Tensors | Kind::Vectors => joined(ir, group),
            Kind::Region => joined_regions(ir, group),
        };
        let mut results = ir.results(new);
        for &op in group {
            for old in ir.results(op) {
                let new = results.next().expect("one result for each of the group's");
                ir.replace_uses(old, new);
            }
        }
        for &op in group {
            ir.erase(op);
        }
    }
}

/// For each operation, how many barriers its values have passed at most; the block's last operation comes last.
fn levels(ir: &Ir, ops: &[OpId]) -> Vec<u32> {
    let place: FxHashMap<OpId, usize> = ops.iter().copied().zip(0..).collect();
    let mut levels: Vec<u32> = Vec::with_capacity(ops.len());
    let mut effects = 0;
    for (i, &op) in ops.iter().enumerate() {
        let inside = ir.walk(op);
        let used = inside.iter().chain([&op]).flat_map(|&op| ir.operands(op));
        let made = used.filter_map(|&value| ir.def_op(value)).filter_map(|def| place.get(&def));
        let own = made.filter(|&&at| at < i).map(|&at| levels[at] + u32::from(kind(ir, ops[at]).is_some()));
        let mut level = own.max().unwrap_or(0);
        if inside.iter().chain([&op]).any(|&op| acts(ir, op)) {
            level = level.max(effects);
            effects = level;
        }
        if i + 1 == ops.len() {
            level = levels.iter().copied().max().unwrap_or(0).max(level) + 1;
        }
        levels.push(level);
    }
    levels
}

/// Whether an operation does more than make its results. Reads and writes of tensors make values.
fn acts(ir: &Ir, op: OpId) -> bool {
    let memory = |&value: &ValueId| matches!(ir.ty(value), raddle_ir::Type::MemRef { .. });
    match ir.opcode(op) {
        Opcode::VectorTransferRead | Opcode::VectorTransferWrite => ir.operands(op).iter().any(memory),
        Opcode::IreeGpuYield | Opcode::ScfYield => false,
        opcode => !opcode.info().is_pure() && ir.regions(op).is_empty(),
    }
}

/// One barrier with the operands of all, behind the last.
fn joined(ir: &mut Ir, group: &[OpId]) -> OpId {
    let operands: Vec<ValueId> = group.iter().flat_map(|&op| ir.operands(op).to_vec()).collect();
    let types: Vec<TypeId> = operands.iter().map(|&value| ir.type_of(value)).collect();
    let last = group[group.len() - 1];
    Builder::before(ir, last).op(Opcode::IreeGpuValueBarrier, &operands, &types, &[])
}

/// One region with the contents of all, one after the other.
fn joined_regions(ir: &mut Ir, group: &[OpId]) -> OpId {
    let operands: Vec<ValueId> = group.iter().flat_map(|&op| ir.operands(op).to_vec()).collect();
    let results = group.iter().flat_map(|&op| ir.results(op)).map(|value| ir.type_of(value)).collect::<Vec<_>>();
    let last = group[group.len() - 1];
    let span = ir.span(last);
    let new = Builder::before(ir, last).op(Opcode::IreeGpuBarrierRegion, &operands, &results, &[]);
    let region = ir.add_region(new);
    let types: Vec<TypeId> = operands.iter().map(|&value| ir.type_of(value)).collect();
    let body = ir.add_block(region, &types);
    let (mut args, mut yields) = (ir.args(body).to_vec().into_iter(), Vec::new());
    for &op in group {
        let old = ir.entry(op);
        let mut map = ValueMap::default();
        for (arg, new) in ir.args(old).to_vec().into_iter().zip(args.by_ref()) {
            map.set(arg, new);
        }
        for inner in ir.ops_of(old) {
            if ir.opcode(inner) == Opcode::IreeGpuYield {
                yields.extend(ir.operands(inner).iter().map(|&value| map.get(value)));
            } else {
                Builder::at_end(ir, body, span).copy(inner, &mut map);
            }
        }
    }
    Builder::at_end(ir, body, span).op(Opcode::IreeGpuYield, &yields, &[], &[]);
    new
}
