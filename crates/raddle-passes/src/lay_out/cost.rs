//! Cost: what it takes to have a value in another layout, in the issue slots of one subgroup.

use raddle_ir::{Class, Ir, OpId, Scalar, ValueId};
use raddle_layout::plan::plan;
use raddle_layout::{Layout, Nested};

use super::layouts::{LayoutId, Layouts};
use super::rules::needs_of;

/// How much longer memory takes than what a workgroup shares.
const MEMORY: i64 = 4;

/// More than anything that can be done.
const IMPOSSIBLE: i64 = 1 << 40;

/// Operations of a chain that is made again.
const CHAIN_MAX: usize = 8;

/// What a conversion costs by its cheapest plan.
pub fn conversion(ir: &Ir, value: ValueId, from: LayoutId, to: LayoutId, layouts: &mut Layouts) -> i64 {
    let bits = bits(ir, value);
    if from == to {
        return 0;
    }
    if let Some(&known) = layouts.costs.get(&(from, to, bits)) {
        return known;
    }
    let machine = layouts.chip.machine(layouts.launch.subgroup_size);
    let pair = [layouts.layout(from), layouts.layout(to)];
    let launch = layouts.launch.shared_by(pair);
    let n_subgroups = launch.workgroup_size / launch.subgroup_size;
    let [source, target] = pair.map(|layout| Layout::from_nested(layout, n_subgroups, launch.subgroup_size).ok());
    let planned = source.zip(target).and_then(|(source, target)| plan(&source, &target, bits, &machine).ok());
    let cost = planned.map_or(IMPOSSIBLE, |plan| plan.cost.total);
    layouts.costs.insert((from, to, bits), cost);
    cost
}

fn bits(ir: &Ir, value: ValueId) -> i64 {
    let bits = Scalar::of(&ir[ir.elem_of(value)]).map_or(32, |scalar| i64::from(scalar.bits()));
    // The planner knows elements of whole powers of two.
    (bits.max(1) as u64).next_power_of_two() as i64
}

/// Elements of a vector that one access has, at most.
pub fn widest(ir: &Ir, value: ValueId) -> i64 {
    let bytes = (bits(ir, value) / 8).max(1);
    16 / bytes.min(16)
}

/// What it costs to read or write a vector in a layout: one access for up to 128 bits of neighbours, and the segments
/// that the lanes of one access touch.
pub fn access(ir: &Ir, value: ValueId, layout: &Nested, layouts: &Layouts) -> i64 {
    let bytes = (bits(ir, value) / 8).max(1);
    let Some(last) = layout.rank().checked_sub(1) else { return MEMORY };
    let wide = layout.element_tile[last].min(widest(ir, value)).max(1);
    // Lanes whose accesses follow one another in a row of the memory.
    let neighbours = if layout.thread_strides[last] == 1 && layout.element_tile[last] == wide {
        layout.thread_tile[last].min(layouts.launch.subgroup_size)
    } else {
        1
    };
    let segment = i64::from(layouts.chip.segment_bytes).max(1);
    let runs = layouts.launch.subgroup_size / neighbours;
    let segments = runs * ((neighbours * wide * bytes + segment - 1) / segment);
    (layout.n_slots() / wide).max(1).saturating_mul(1 + segments).saturating_mul(MEMORY)
}

/// What it costs to make a value again in a layout, with all that it is made from, where that is little.
pub fn again(ir: &Ir, op: OpId, layout: &Nested) -> Option<i64> {
    chain(ir, op, layout, &mut CHAIN_MAX.clone())
}

fn chain(ir: &Ir, op: OpId, layout: &Nested, left: &mut usize) -> Option<i64> {
    if *left == 0 || ir.results(op).len() != 1 {
        return None;
    }
    *left -= 1;
    let slots = layout.n_slots();
    let own = match ir.class(op) {
        // A constant is part of the instructions that use it, and what only moves or repeats costs nothing itself.
        Class::Constant => return Some(0),
        Class::Mask => return Some(slots),
        Class::Broadcast | Class::Transpose => 0,
        Class::Elementwise => slots,
        Class::Reshape => {
            // The copy's operand must come out in the layout that is wanted.
            let (from, to) = (ir.shape_of(ir.operand(op, 0)), ir.shape_of(ir.result(op, 0)));
            if layout.reshape(from).and_then(|source| source.reshape(to)).ok().as_ref() != Some(layout) {
                return None;
            }
            0
        }
        _ => return None,
    };
    ir.operands(op).iter().try_fold(own, |cost, &operand| {
        let vector = ir.ty(operand).is_vector() && ir.shape_of(operand).iter().product::<i64>() > 1;
        if !vector {
            return Some(cost);
        }
        // What the chain needs of this operand is a matter of shapes alone.
        let need = needs_of(ir, op, layout).into_iter().find(|&(i, _)| ir.operand(op, i) == operand);
        Some(cost + chain(ir, ir.def_op(operand)?, &need?.1, left)?)
    })
}

/// How a value comes into another layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// What it is made from is made again.
    Again,
    /// The read is done again.
    Read,
    /// The value is converted.
    Convert,
}

/// The cheapest way, its cost, and what the others cost.
pub struct Move {
    pub way: Way,
    pub cost: i64,
    pub others: Vec<(Way, i64)>,
}

/// The cheapest way to have a value in a layout.
pub fn cheapest(ir: &Ir, value: ValueId, to: LayoutId, layouts: &mut Layouts) -> Move {
    let from = layouts.id(value).expect("only a value with a layout can have another one");
    let mut ways = Vec::new();
    if let Some(def) = ir.def_op(value) {
        if let Some(cost) = again(ir, def, layouts.layout(to)) {
            ways.push((Way::Again, cost));
        } else if ir.class(def) == Class::Read {
            ways.push((Way::Read, access(ir, value, layouts.layout(to), layouts)));
        }
    }
    ways.push((Way::Convert, conversion(ir, value, from, to, layouts)));
    // The first of equals.
    ways.sort_by_cached_key(|way| way.1);
    let (way, cost) = ways.remove(0);
    Move { way, cost, others: ways }
}
