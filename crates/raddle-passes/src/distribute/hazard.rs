//! Hazards: what one thread writes and another one reads, or writes, needs a barrier in between.
//!
//! A whole-workgroup program does one thing after the other. Its threads do not wait for one another, so every access
//! is kept in mind until the next barrier, and an access to the same buffer by other threads is preceded by one. Accesses
//! in which each element belongs to one and the same thread need none. Different arguments are different buffers.

use std::collections::BTreeSet;

use raddle_ir::views::Transfer;
use raddle_ir::{Class, Def, Expr, Ir, Map, OpId, Opcode, ValueId};
use raddle_layout::Nested;

use crate::config::Launch;
use crate::lay_out::layout_of;

/// One access, in terms of the whole-workgroup program.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    /// The argument or allocation.
    pub root: ValueId,
    writes: bool,
    base: ValueId,
    indices: Vec<ValueId>,
    map: Map,
    /// Of the vector that is moved; `None` for a scalar.
    layout: Option<Nested>,
    /// The loop in an earlier round of which the access happened.
    earlier: Option<OpId>,
}

/// The argument or allocation that a memref is a view of.
fn root(ir: &Ir, base: ValueId) -> ValueId {
    let mut base = base;
    while let Some(op) = ir.def_op(base)
        && ir.class(op) == Class::View
    {
        base = ir.operand(op, 0);
    }
    base
}

/// The access that an operation is, if it is one.
pub fn access(ir: &Ir, op: OpId) -> Option<Access> {
    if ir.opcode(op) == Opcode::IreeLinalgExtMapStore {
        return Some(anywhere(ir, ir.operand(op, 1), true));
    }
    let class = ir.class(op);
    let writes = match class {
        Class::Read => false,
        Class::Write => true,
        _ => return None,
    };
    let vector = if writes { ir.operands(op).first().copied()? } else { ir.results(op).next()? };
    let layout = layout_of(ir, vector).cloned();
    let (base, indices, map) = match ir.opcode(op) {
        Opcode::VectorTransferRead | Opcode::VectorTransferWrite => {
            let view = Transfer::of(ir, op);
            (view.base, view.indices, view.map)
        }
        // Vectors say where: it may be anywhere.
        Opcode::IreeVectorExtTransferGather | Opcode::IreeVectorExtTransferScatter => {
            return Some(anywhere(ir, ir.operand(op, 0), writes));
        }
        Opcode::VectorGather | Opcode::VectorScatter => return Some(anywhere(ir, ir.operand(op, 0), writes)),
        Opcode::VectorMaskedload | Opcode::VectorMaskedstore => return Some(anywhere(ir, ir.operand(op, 0), writes)),
        _ => {
            let operands = &ir.operands(op)[usize::from(writes)..];
            let (rank, inner) = (operands.len() - 1, ir.shape_of(vector).len());
            (operands[0], operands[1..].to_vec(), raddle_ir::views::minor_identity(rank, inner))
        }
    };
    Some(Access { root: root(ir, base), writes, base, indices, map, layout, earlier: None })
}

/// An access to some place of a buffer.
fn anywhere(ir: &Ir, base: ValueId, writes: bool) -> Access {
    let map = Map { dims: 0, syms: 0, results: Vec::new() };
    Access { root: root(ir, base), writes, base, indices: Vec::new(), map, layout: None, earlier: None }
}

/// The arguments and allocations that a function writes.
pub fn written(ir: &Ir, func: OpId) -> BTreeSet<ValueId> {
    let accesses = ir.walk(func).into_iter().filter_map(|op| access(ir, op));
    accesses.filter(|access| access.writes).map(|access| access.root).collect()
}

/// The accesses of everything in a loop, as those of an earlier round.
pub fn earlier_rounds(ir: &Ir, op: OpId) -> Vec<Access> {
    let accesses = ir.walk(op).into_iter().filter_map(|inner| access(ir, inner));
    accesses.map(|access| Access { earlier: Some(op), ..access }).collect()
}

/// Whether a barrier must stand between `first` and `second`.
pub fn conflict(ir: &Ir, launch: Launch, first: &Access, second: &Access) -> bool {
    if first.root != second.root || !(first.writes || second.writes) {
        return false;
    }
    !is_apart(ir, first, second) && !is_private(ir, launch, first, second)
}

/// Whether each element is touched by one thread alone in both accesses.
fn is_private(ir: &Ir, launch: Launch, first: &Access, second: &Access) -> bool {
    let (Some(layout), Some(other)) = (&first.layout, &second.layout) else { return false };
    let threads: i64 = layout.thread_tile.iter().chain(&layout.subgroup_tile).product();
    // Of several holders only one writes, but all of them read.
    let alone = threads == launch.workgroup_size || first.writes && second.writes;
    let repeats = |access: &Access| access.map.results.iter().any(|expr| !matches!(expr, Expr::Dim(_)));
    let same_place = first.base == second.base
        && first.map == second.map
        && first.indices.iter().zip(&second.indices).all(|(&a, &b)| {
            let fixed = ir.const_int(a).is_some() && ir.const_int(a) == ir.const_int(b);
            fixed || a == b && first.earlier.is_none_or(|around| !is_inside(ir, a, around))
        });
    layout == other && alone && same_place && !repeats(first)
}

/// Whether an access and the one of an earlier round touch different elements, since the loop steps over them.
fn is_apart(ir: &Ir, first: &Access, second: &Access) -> bool {
    let Some(around) = first.earlier.filter(|&around| ir.opcode(around) == Opcode::ScfFor) else { return false };
    let iv = ir.args(ir.entry(around))[0];
    let Some(step) = ir.const_int(ir.operand(around, 2)) else { return false };
    let reach = |access: &Access, d: usize| match (&access.layout, access.indices.get(d)) {
        (Some(layout), Some(&index)) if index == iv => {
            let along = access.map.results.iter().position(|expr| *expr == Expr::Dim(d as u32));
            Some(along.map_or(1, |v| layout.undistributed_shape()[v]))
        }
        (None, Some(&index)) if index == iv => Some(1),
        _ => None,
    };
    first.base == second.base
        && (0..first.indices.len()).any(|d| match (reach(first, d), reach(second, d)) {
            (Some(a), Some(b)) => a <= step && b <= step,
            _ => false,
        })
}

/// Whether a value is computed inside an operation's regions.
fn is_inside(ir: &Ir, value: ValueId, around: OpId) -> bool {
    let block = match ir.def(value) {
        Def::Result { op, .. } => ir.parent_block(op),
        Def::Arg { block, .. } => Some(block),
    };
    let mut parent = block.map(|block| ir.region_parent(ir.block_region(block)));
    while let Some(op) = parent {
        if op == around {
            return true;
        }
        parent = ir.parent_op(op);
    }
    false
}
