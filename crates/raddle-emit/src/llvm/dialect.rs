//! What a machine's part of LLVM calls things: the table that the printer takes machine words from.

use raddle_ir::{Diag, OpId, Opcode};
use raddle_target::Mma;

use super::value::Cx;

/// What is done around an instruction that approximates a function.
pub(super) enum Around {
    Nothing,
    /// The operand is multiplied.
    Before(f32),
    /// The result is multiplied.
    After(f32),
}

/// What a barrier is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    Workgroup,
    Subgroup,
}

/// How lanes name the lane that they read from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source<'a> {
    /// The own number with these bits flipped.
    Flip(u32),
    /// Any lane, by an operand of 32 bits.
    Lane(&'a str),
}

/// A matrix instruction as LLVM spells it.
pub(super) struct Intrinsic {
    pub name: String,
    /// LLVM's types of A, B and C, into which the operands are reinterpreted.
    pub types: [String; 3],
    /// Constants in front of A and of B.
    pub before: [Option<String>; 2],
    /// Constants behind the accumulator.
    pub behind: Vec<String>,
    /// The accumulator's 16-bit values are every other half of its registers.
    pub spaced: bool,
}

/// LLVM's name of the threads that a barrier is for, and the function that makes them wait.
pub(super) type Barrier = fn(Scope) -> (&'static str, &'static str);

/// A machine.
pub(super) struct Dialect {
    pub triple: &'static str,
    /// The calling convention of kernels.
    pub convention: &'static str,
    /// Address spaces of global and shared memory.
    pub global: u32,
    pub shared: u32,
    /// Whether shared memory is a variable of the module; otherwise it is on the stack.
    pub shared_is_global: bool,
    /// The number of a thread in its workgroup along a dimension, as an index.
    pub thread_id: fn(&mut Cx<'_>, &str) -> String,
    /// The number of a workgroup along a dimension, as an index.
    pub block_id: fn(&mut Cx<'_>, &str) -> String,
    /// LLVM's name for what other threads of the device see.
    pub device_scope: &'static str,
    /// LLVM's name for what other threads of the workgroup see.
    pub workgroup_scope: &'static str,
    /// How threads wait for one another; `None` where a thread is alone.
    pub barrier: Option<Barrier>,
    /// Metadata of a fence that is for shared memory alone.
    pub shared_fence: &'static str,
    /// Functions with an instruction that approximates them in f32.
    pub approximations: &'static [(Opcode, &'static str, Around)],
    /// Metadata of the module, numbered from 0.
    pub module_flags: &'static [&'static str],
    /// The number of the own lane.
    pub lane: fn(&mut Cx<'_>) -> String,
    /// A word of 32 bits from another lane.
    pub fetch: fn(&mut Cx<'_>, &str, Source<'_>) -> String,
    /// A bit of each lane.
    pub ballot: fn(&mut Cx<'_>, &str) -> String,
    /// A number of a type that is computed where it stands, and not in the branch that asks for it; `None` where that costs
    /// nothing, or has no such form.
    pub settle: fn(&mut Cx<'_>, &str, &str) -> Option<String>,
    /// The matrix instruction of a row.
    pub matrix: fn(&Cx<'_>, OpId, &Mma) -> Result<Intrinsic, Diag>,
    /// Attributes of a kernel for workgroups of this many threads.
    pub attributes: fn(&Cx<'_>, Option<u32>) -> String,
}
