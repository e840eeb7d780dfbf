//! Together: tile all operations of a group at once, each along the loops that run along the group's dimensions.
//!
//! Before: `%m = linalg.reduce %x`, `%e = linalg.generic %x, %m`, each on whole tensors
//! After:  one `scf.forall` over the dimensions that workgroups divide, with a part of each operation inside; what one
//!         part gives, the next one takes as it is. What leaves the group is put into the results of the loop.

use raddle_ir::views::Mixed;
use raddle_ir::{BlockId, Builder, DYNAMIC, Def, Ir, OpId, Opcode, ValueId, ValueMap};

use super::mapping;
use super::nest::{Loops, Nest};
use super::part::{self, Tile, extents};
use crate::configure::group::Group;
use crate::structured::in_place;
use crate::structured::sizes::mixed_extent;
use crate::structured::space::Space;

/// Tiles a group in front of the end of its block: `sizes` has the tile of each dimension, 0 for one that stays whole.
/// Returns the part of each member.
pub(super) fn tile(ir: &mut Ir, group: &Group, sizes: &[i64], order: &[usize]) -> Vec<OpId> {
    let root = group.members[group.root].op;
    let tiled: Vec<usize> = order.iter().copied().filter(|&dim| sizes[dim] != 0).collect();
    let Some(end) = ir.parent_block(root).and_then(|block| end_of_results(ir, block)).filter(|_| !tiled.is_empty())
    else {
        return group.members.iter().map(|member| member.op).collect();
    };
    let space = Space::of(ir, root).expect("a group is made of structured operations on tensors");
    let ends = extents(&mut Builder::before(ir, end), root, &space);
    let end_of = |dim: usize| order.iter().position(|&other| other == dim).map_or(Mixed::Static(0), |d| ends[d]);
    let bounds = tiled.iter().map(|&dim| (end_of(dim), sizes[dim])).collect();
    let mut nest = Nest::open(ir, end, bounds);
    let indices = nest.indices(ir);
    let mut builder = nest.builder(ir);
    let steps: Vec<(Mixed, Mixed)> =
        (0..tiled.len()).map(|i| (Mixed::Value(indices[i]), nest.size(&mut builder, i))).collect();
    let mut parts = ValueMap::default();
    let mut all = Vec::new();
    for member in &group.members {
        let op = member.op;
        let space = Space::of(ir, op).expect("a group is made of structured operations on tensors");
        let ends = extents(&mut nest.builder(ir), op, &space);
        let along = |d: usize| tiled.iter().position(|&dim| dim == member.dims[d]);
        let at = |d: usize| along(d).map_or((Mixed::Static(0), ends[d]), |i| steps[i]);
        let (offsets, lengths) = (0..ends.len()).map(at).unzip();
        let tile = Tile { offsets, sizes: lengths };
        let mut operands = ir.operands(op).to_vec();
        let mut given: Vec<Option<ValueId>> = Vec::new();
        for operand in &mut operands {
            given.push(parts.find(*operand));
            *operand = parts.get(*operand);
        }
        // What leaves is put into a tensor that the loop fills.
        let results: Vec<ValueId> = ir.results(op).collect();
        let mut filled = Vec::new();
        for (i, &result) in space.outputs.clone().zip(&results) {
            let leaves = ir.uses(result).any(|(user, _)| !group.members.iter().any(|member| member.op == user));
            filled.push(leaves.then(|| {
                let init = ir.operand(op, i);
                let init = if is_outside(ir, group, init) { init } else { empty_like(ir, nest.op, init) };
                let arg = nest.fill(ir, init);
                if given[i].is_none() {
                    operands[i] = arg;
                }
                arg
            }));
        }
        let part = part::part(&mut nest.builder(ir), op, &space, &tile, &operands, &given);
        let made: Vec<ValueId> = ir.results(part.op).collect();
        for (((&result, value), place), arg) in results.iter().zip(made).zip(part.places).zip(filled) {
            parts.set(result, value);
            if let Some(arg) = arg {
                nest.put(arg, value, place, Some(result));
            }
        }
        all.push(part.op);
    }
    let mapping = mapping(ir, tiled.len());
    nest.close(ir, &Loops::Forall(mapping));
    for member in group.members.iter().rev() {
        if ir.results(member.op).all(|result| ir.is_unused(result)) {
            ir.erase(member.op);
        }
    }
    all
}

/// The end of a block, in front of what puts results into arguments.
fn end_of_results(ir: &mut Ir, block: BlockId) -> Option<OpId> {
    let end = ir.terminator(block)?;
    let func = ir.region_parent(ir.block_region(block));
    let deliveries: Vec<OpId> =
        ir.ops_of(block).into_iter().filter(|&op| in_place::delivers(ir, func, op).is_some()).collect();
    for &op in &deliveries {
        ir.detach(op);
        ir.insert_before(end, op);
    }
    Some(deliveries.first().copied().unwrap_or(end))
}

/// Whether a tensor comes from outside the group.
fn is_outside(ir: &Ir, group: &Group, value: ValueId) -> bool {
    match ir.def(value) {
        Def::Result { op, .. } => !group.members.iter().any(|member| member.op == op),
        Def::Arg { .. } => true,
    }
}

/// A tensor without contents in front of an operation.
fn empty_like(ir: &mut Ir, before: OpId, value: ValueId) -> ValueId {
    let (ty, shape) = (ir.type_of(value), ir.shape_of(value).to_vec());
    let mut builder = Builder::before(ir, before);
    let unknown = (0..shape.len()).filter(|&d| shape[d] == DYNAMIC);
    let sizes: Vec<ValueId> = unknown.map(|d| mixed_extent(&mut builder, value, d).materialize(&mut builder)).collect();
    builder.value(Opcode::TensorEmpty, &sizes, ty, &[])
}
