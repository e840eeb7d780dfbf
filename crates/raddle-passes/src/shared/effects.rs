//! Effects: what an operation does to memory, and whether it makes threads wait.

use raddle_ir::{Class, Ir, OpId, Opcode, ValueId};

/// One thing that an operation does besides making its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It reads a memref.
    Reads(ValueId),
    /// It writes a memref.
    Writes(ValueId),
    /// It makes a buffer.
    Allocates,
    /// It waits for other threads, or for copies, or says what may be waited for.
    Waits,
    /// It may do anything.
    Anything,
}

/// What an operation does, with all that is nested in it.
pub fn effects(ir: &Ir, op: OpId) -> Vec<Effect> {
    let mut found = own(ir, op);
    found.extend(ir.walk(op).into_iter().flat_map(|inner| own(ir, inner)));
    found
}

/// Whether an operation only makes its results, with all that is nested in it.
pub fn is_pure(ir: &Ir, op: OpId) -> bool {
    effects(ir, op).is_empty()
}

/// Whether an operation, or what is nested in it, may read what `is_it` says of memrefs.
pub fn reads(ir: &Ir, op: OpId, is_it: impl Fn(ValueId) -> bool) -> bool {
    effects(ir, op).into_iter().any(|effect| match effect {
        Effect::Reads(base) => is_it(base),
        Effect::Anything => true,
        Effect::Writes(_) | Effect::Allocates | Effect::Waits => false,
    })
}

/// Whether an operation, or what is nested in it, may write what `is_it` says of memrefs.
pub fn writes(ir: &Ir, op: OpId, is_it: impl Fn(ValueId) -> bool) -> bool {
    effects(ir, op).into_iter().any(|effect| match effect {
        Effect::Writes(base) => is_it(base),
        Effect::Anything => true,
        Effect::Reads(_) | Effect::Allocates | Effect::Waits => false,
    })
}

/// What an operation does itself.
pub fn own(ir: &Ir, op: OpId) -> Vec<Effect> {
    use Effect::{Allocates, Anything, Reads, Waits, Writes};
    let opcode = ir.opcode(op);
    let memref = |i: usize| ir.operands(op).get(i).copied();
    let first = |effect: fn(ValueId) -> Effect| vec![memref(0).map_or(Anything, effect)];
    let part = |i: usize| ir.segments(op).get(i).and_then(|part| part.first().copied());
    // Reads and writes of tensors are values.
    let on_memory = |base: Option<ValueId>, effect: fn(ValueId) -> Effect| match base {
        Some(base) if ir.ty(base).is_tensor() => Vec::new(),
        Some(base) => vec![effect(base)],
        None => vec![Anything],
    };
    match opcode {
        Opcode::VectorTransferRead => on_memory(part(0), Reads),
        Opcode::VectorTransferWrite => on_memory(part(1), Writes),
        Opcode::MemrefLoad
        | Opcode::VectorLoad
        | Opcode::VectorMaskedload
        | Opcode::VectorGather
        | Opcode::NvgpuLdmatrix
        | Opcode::AmdgpuTransposeLoad
        | Opcode::AmdgpuGlobalTransposeLoad
        | Opcode::GpuSubgroupMmaLoadMatrix => on_memory(memref(0), Reads),
        Opcode::MemrefStore | Opcode::VectorStore | Opcode::NvgpuStmatrix | Opcode::GpuSubgroupMmaStoreMatrix => {
            on_memory(memref(1), Writes)
        }
        Opcode::VectorMaskedstore | Opcode::VectorScatter => on_memory(memref(0), Writes),
        Opcode::NvgpuDeviceAsyncCopy => match (part(2), part(0)) {
            (Some(from), Some(to)) => vec![Reads(from), Writes(to)],
            _ => vec![Anything],
        },
        Opcode::AmdgpuGatherToLds => match (part(0), part(2)) {
            (Some(from), Some(to)) => vec![Reads(from), Writes(to)],
            _ => vec![Anything],
        },
        Opcode::MemrefCopy => match (memref(0), memref(1)) {
            (Some(from), Some(to)) => vec![Reads(from), Writes(to)],
            _ => vec![Anything],
        },
        Opcode::MemrefAtomicRmw => memref(1).map_or(vec![Anything], |base| vec![Reads(base), Writes(base)]),
        Opcode::MemrefDealloc => first(Writes),
        Opcode::MemrefAlloc | Opcode::MemrefAlloca => vec![Allocates],
        Opcode::MemrefAssumeAlignment => Vec::new(),
        Opcode::NvgpuDeviceAsyncCreateGroup
        | Opcode::NvgpuDeviceAsyncWait
        | Opcode::RocdlAsyncmark
        | Opcode::RocdlWaitAsyncmark
        | Opcode::NvvmCpAsyncCommitGroup
        | Opcode::NvvmCpAsyncWaitGroup
        | Opcode::AmdgpuSchedBarrier
        | Opcode::AmdgpuLdsBarrier
        | Opcode::RocdlBarrier
        | Opcode::RocdlSBarrier
        | Opcode::RocdlSchedBarrier
        | Opcode::RocdlSSetprio => vec![Waits],
        _ if opcode.info().pure => Vec::new(),
        _ => match opcode.class() {
            Class::Barrier => vec![Waits],
            // Lanes that talk to one another touch no memory.
            Class::Shuffle => Vec::new(),
            Class::Yield => Vec::new(),
            // What is nested is looked at by itself.
            Class::Loop | Class::Branch if opcode.name().starts_with("scf.") => Vec::new(),
            Class::Structured if ir.operands(op).iter().all(|&value| !super::is_memref(ir, value)) => Vec::new(),
            Class::Structured => {
                let touched = ir.operands(op).iter().filter(|&&value| super::is_memref(ir, value));
                touched.flat_map(|&value| [Reads(value), Writes(value)]).collect()
            }
            Class::Module
            | Class::Function
            | Class::Constant
            | Class::Elementwise
            | Class::Broadcast
            | Class::Transpose
            | Class::Reshape
            | Class::Reduce
            | Class::Contract
            | Class::Read
            | Class::Write
            | Class::Slice
            | Class::Mask
            | Class::Empty
            | Class::Loop
            | Class::Branch
            | Class::Alloc
            | Class::View
            | Class::Layout
            | Class::Index
            | Class::Id
            | Class::Matrix
            | Class::Call
            | Class::Opaque => vec![Anything],
        },
    }
}
