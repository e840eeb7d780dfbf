//! Effects: what an operation does to memory, and whether it makes threads wait.

use raddle_ir::{Class, Ir, OpId, Opcode, Trait, ValueId};

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
    // Reads and writes of tensors only make values.
    let on_memory = |group: &str, effect: fn(ValueId) -> Effect| match ir.group(op, group).first() {
        Some(&base) => (!ir.ty(base).is_tensor()).then(|| effect(base)),
        None => Some(Anything),
    };
    let stated = opcode.info().traits.iter().filter_map(|t| match *t {
        Trait::Reads(group) => Some(on_memory(group, Reads)),
        Trait::Writes(group) => Some(on_memory(group, Writes)),
        Trait::Allocates => Some(Some(Allocates)),
        Trait::Waits => Some(Some(Waits)),
        Trait::Pure => Some(None),
        Trait::Commutative
        | Trait::Combines(..)
        | Trait::Divides(_)
        | Trait::Into(_)
        | Trait::Isolated
        | Trait::Symbols
        | Trait::Stops => None,
    });
    let stated: Vec<Option<Effect>> = stated.collect();
    if !stated.is_empty() {
        return stated.into_iter().flatten().collect();
    }
    match opcode {
        Opcode::MemrefAssumeAlignment => Vec::new(),
        _ => match opcode.class() {
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
            | Class::Barrier
            | Class::Opaque => vec![Anything],
        },
    }
}
