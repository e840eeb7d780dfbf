//! Shared memory: copies into it that overlap with work, rows that keep out of each other's banks, several buffers for
//! one loop, and one place for buffers of different times.
//!
//! | | |
//! | --- | --- |
//! | [`copies`] | a vector that is read from global memory and written to shared memory becomes an asynchronous copy |
//! | [`order`] | whether a pipelined loop does to memory what the loop did |
//! | [`pad`] | rows of shared buffers get longer, so that columns spread over banks |
//! | [`prefetch`] | loops that copy through shared memory are pipelined, with the barriers that this takes |
//! | [`buffers`] | a buffer that a loop fills becomes several, one for each round that is on its way |
//! | [`spread`] | copies to shared memory are dealt out to threads |
//! | [`stages`] | loops with asynchronous copies are pipelined |
//! | [`reuse`] | buffers that are never needed at the same time share their bytes |
//!
//! All of them work on what one thread does: `scf`, `vector` and `memref` behind distribution. The turning of the loops
//! itself is [`crate::overlap::software_pipeline`].

pub mod buffers;
pub mod copies;
pub mod effects;
pub mod order;
pub mod pad;
pub mod places;
pub mod prefetch;
pub mod reuse;
pub mod spread;
pub mod stages;
pub mod views;

use raddle_ir::{Attr, Class, Def, Ir, OpId, Opcode, Type, ValueId};
use rustc_hash::FxHashSet;

/// Whether a value is a memref with a rank.
pub fn is_memref(ir: &Ir, value: ValueId) -> bool {
    matches!(ir.ty(value), Type::MemRef { .. })
}

/// Whether a value is a memref in the workgroup's memory.
pub fn is_shared(ir: &Ir, value: ValueId) -> bool {
    match ir.ty(value) {
        Type::MemRef { space: Some(space), .. } => ir.keyword(*space) == Some("workgroup"),
        _ => false,
    }
}

/// Whether a memref is a thread's own.
pub fn is_private(ir: &Ir, memref: ValueId) -> bool {
    ir.def_op(root(ir, memref)).is_some_and(|op| ir.opcode(op) == Opcode::MemrefAlloca)
}

/// Whether a value is a memref in global memory: in no space that is named, in space 0, or in one that says so.
pub fn is_global(ir: &Ir, value: ValueId) -> bool {
    match ir.ty(value) {
        Type::MemRef { space: None, .. } => true,
        Type::MemRef { space: Some(space), .. } => match &ir[*space] {
            Attr::Int { value, .. } => *value == 0,
            Attr::Dialect { name, .. } => {
                ir[*name].starts_with("hal.descriptor_type")
                    || matches!(ir.keyword(*space), Some("global" | "fat_raw_buffer"))
            }
            _ => false,
        },
        _ => false,
    }
}

/// What a memref is a view of: an allocation, an argument, or what a choice between several gives.
pub fn root(ir: &Ir, memref: ValueId) -> ValueId {
    let mut at = memref;
    while let Some(op) = ir.def_op(at)
        && is_view(ir.opcode(op))
    {
        at = ir.operand(op, 0);
    }
    at
}

/// What uses a memref or a view of it, other than to make views.
pub fn users(ir: &Ir, memref: ValueId) -> Vec<OpId> {
    let (mut found, mut left) = (Vec::new(), vec![memref]);
    while let Some(value) = left.pop() {
        for (user, _) in ir.uses(value) {
            if is_view(ir.opcode(user)) {
                left.extend(ir.results(user));
            } else {
                found.push(user);
            }
        }
    }
    found
}

/// Whether memory that a loop touches is touched outside of it, too, or by the loop again.
pub fn lives_on(ir: &Ir, loop_op: OpId) -> bool {
    let ops = ir.walk(loop_op);
    let inside: FxHashSet<OpId> = ops.iter().copied().collect();
    let mut around = ir.parent_op(loop_op);
    while let Some(op) = around {
        if ir.class(op) == Class::Loop {
            return true;
        }
        around = ir.parent_op(op);
    }
    let touched = ops.iter().flat_map(|&op| effects::own(ir, op)).filter_map(|effect| match effect {
        effects::Effect::Reads(base) | effects::Effect::Writes(base) => Some(root(ir, base)),
        effects::Effect::Allocates | effects::Effect::Waits | effects::Effect::Anything => None,
    });
    touched.collect::<FxHashSet<_>>().into_iter().any(|buffer| users(ir, buffer).iter().any(|op| !inside.contains(op)))
}

/// Whether two memrefs may have bytes in common. Arguments of a function have none.
pub fn may_alias(ir: &Ir, a: ValueId, b: ValueId) -> bool {
    let (a, b) = (root(ir, a), root(ir, b));
    let apart = match (origin(ir, a), origin(ir, b)) {
        (Some(Origin::Own), Some(_)) | (Some(_), Some(Origin::Own)) => a != b,
        (Some(Origin::Binding(a)), Some(Origin::Binding(b))) => a != b,
        _ => is_shared(ir, a) != is_shared(ir, b) && is_global(ir, a) != is_global(ir, b),
    };
    !apart
}

/// Where memory comes from.
enum Origin {
    /// It is its own: an allocation or an argument of the function.
    Own,
    /// It is a part of this binding.
    Binding(Option<i64>),
}

fn origin(ir: &Ir, root: ValueId) -> Option<Origin> {
    match ir.def(root) {
        Def::Arg { block, .. } => {
            let of = ir.region_parent(ir.block_region(block));
            matches!(ir.opcode(of), Opcode::FuncFunc | Opcode::UtilFunc).then_some(Origin::Own)
        }
        Def::Result { op, .. } => match ir.opcode(op) {
            Opcode::MemrefAlloc | Opcode::MemrefAlloca | Opcode::MemrefGetGlobal => Some(Origin::Own),
            Opcode::HalInterfaceBindingSubspan => Some(Origin::Binding(ir.attr(op, "binding").and_then(Attr::as_i64))),
            _ => None,
        },
    }
}

/// Whether an operation gives its first operand another shape, type or name.
pub fn is_view(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::MemrefAssumeAlignment
            | Opcode::AmdgpuFatRawBufferCast
            | Opcode::MemrefCast
            | Opcode::MemrefCollapseShape
            | Opcode::MemrefExpandShape
            | Opcode::MemrefReshape
            | Opcode::MemrefTranspose
            | Opcode::MemrefView
            | Opcode::MemrefReinterpretCast
            | Opcode::MemrefMemorySpaceCast
            | Opcode::MemrefSubview
    )
}
