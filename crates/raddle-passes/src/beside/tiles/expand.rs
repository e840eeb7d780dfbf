//! Expand tiles: where lanes hold several runs of a dimension, the runs become a dimension of their own.
//!
//! Before: `iree_codegen.inner_tiled … into tensor<2x2x32x32xf32>` of an instruction whose lanes hold 4 runs of 8 rows
//! After:  the same into `tensor<2x2x4x8x32xf32>`, between `tensor.expand_shape` and `tensor.collapse_shape`
//!
//! What one lane holds is then a slice. Data-tiled kinds have every digit as a dimension already.

use raddle_ir::{Attr, AttrId, Builder, DYNAMIC, Diag, Ir, OpId, Opcode, ValueId};
use raddle_target::tile::Tile;

use super::{InnerTiled, kind_of};
use crate::distribute::is_distributed;
use crate::facts::Facts;
use crate::options::{OptionKind, Options, PassOption};

/// Options of the pass.
pub const OPTIONS: &[PassOption] = &[
    PassOption { name: "expand-inputs", sentence: "expand the factors and their scales", kind: OptionKind::Flag(true) },
    PassOption { name: "expand-outputs", sentence: "expand the accumulators", kind: OptionKind::Flag(true) },
];

/// Expands the operands of all inside that are on whole tiles of tensors.
pub fn expand(ir: &mut Ir, func: OpId, _: &Facts, options: &Options) -> Result<(), Diag> {
    let which = [options.flag("expand-inputs"), options.flag("expand-outputs")];
    for op in ir.walk(func) {
        if ir.opcode(op) == Opcode::IreeCodegenInnerTiled && is_distributed(ir, op) == Some(false) {
            expand_one(ir, op, which);
        }
    }
    Ok(())
}

/// How an operand is expanded.
struct Plan {
    /// For each of its dimensions, how many it becomes.
    groups: Vec<i64>,
    shape: Vec<i64>,
    /// The order of the tile's new dimensions.
    order: Vec<usize>,
}

fn expand_one(ir: &mut Ir, op: OpId, [inputs, outputs]: [bool; 2]) {
    let (Some(view), Ok(kind)) = (InnerTiled::of(ir, op), kind_of(ir, op)) else { return };
    let (Ok(tiles), None) = (kind.tiles(), &kind.repeat) else { return };
    let last = view.values.len() - 1;
    if tiles.len() != view.values.len() || !view.values.iter().all(|&value| ir.ty(value).is_tensor()) {
        return;
    }
    let wanted = |at: usize| if at == last { outputs } else { inputs };
    let plans: Vec<Option<Plan>> =
        (0..=last).map(|at| if wanted(at) { plan(ir, &view, at, &tiles[at]) } else { None }).collect();
    if plans.iter().all(Option::is_none) {
        return;
    }
    let mut builder = Builder::before(ir, op);
    let mut operands = view.values.clone();
    for (operand, plan) in operands.iter_mut().zip(&plans) {
        if let Some(plan) = plan {
            *operand = expanded(&mut builder, *operand, plan);
        }
    }
    let new = super::with_operands(&mut builder, op, &operands);
    if let Some(orders) = &view.permutations {
        let orders = orders.iter().zip(&plans).map(|(order, plan)| plan.as_ref().map_or(order, |plan| &plan.order));
        let lists: Vec<AttrId> =
            orders.map(|order| builder.ir.dense_i64(&order.iter().map(|&d| d as i64).collect::<Vec<_>>())).collect();
        let lists = builder.ir.intern(Attr::Array(lists));
        builder.ir.set_attr(new, "permutations", lists);
    }
    let mut result = builder.ir.result(new, 0);
    let old = builder.ir.result(op, 0);
    if let Some(plan) = &plans[last] {
        let ty = builder.ir.type_of(old);
        let groups = builder.ir.reassociation(&plan.groups);
        result = builder.value(Opcode::TensorCollapseShape, &[result], ty, &[("reassociation", groups)]);
    }
    ir.replace_uses(old, result);
    ir.erase(op);
}

/// How an operand is expanded, if its tile is whole and has runs.
fn plan(ir: &Ir, view: &InnerTiled, at: usize, tile: &Tile) -> Option<Plan> {
    let rank = tile.memory.len();
    let order = match &view.permutations {
        Some(orders) => orders[at].clone(),
        None => (0..rank).collect(),
    };
    if order.len() != rank {
        return None;
    }
    let tile_here = tile.permuted(&order);
    let (expanded, canonical) = (tile_here.expanded(), tile.expanded());
    if view.inner(ir, at) != tile_here.shape() || expanded.memory.len() == rank {
        return None;
    }
    let outer = &ir.shape_of(view.values[at])[..view.dims[at].len()];
    let split = tile_here.memory.iter().map(|group| {
        let parts = expanded.memory.iter().filter(|part| part.iter().all(|digit| group.contains(digit)));
        // A dimension without digits is one of extent 1.
        parts.filter(|part| !part.is_empty()).count().max(1) as i64
    });
    Some(Plan {
        groups: outer.iter().map(|_| 1).chain(split).collect(),
        shape: [outer, &expanded.shape()].concat(),
        order: expanded
            .memory
            .iter()
            .map(|group| canonical.memory.iter().position(|other| other == group))
            .collect::<Option<_>>()?,
    })
}

fn expanded(builder: &mut Builder<'_>, value: ValueId, plan: &Plan) -> ValueId {
    let elem = builder.ir.elem_of(value);
    let ty = builder.ir.tensor_type(&plan.shape, elem);
    let index = builder.ir.index_type();
    let mut operands = vec![value];
    // Only dimensions in front of the tile may be unknown, and those stay.
    for d in (0..plan.shape.len()).take_while(|&d| plan.groups[d] == 1) {
        if plan.shape[d] == DYNAMIC {
            let d = builder.index(d as i64);
            operands.push(builder.value(Opcode::TensorDim, &[value, d], index, &[]));
        }
    }
    let attrs = [
        ("reassociation", builder.ir.reassociation(&plan.groups)),
        ("static_output_shape", builder.ir.dense_i64(&plan.shape)),
    ];
    builder.value(Opcode::TensorExpandShape, &operands, ty, &attrs)
}
