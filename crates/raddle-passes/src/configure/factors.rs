//! Factors of matrix instructions: in pairs where shared memory gives two elements at a time, side by side along k where
//! they come from global memory, and in shared memory where instructions read them there themselves.

use raddle_ir::{Float, Opcode, Scalar};
use raddle_layout::Nested;
use raddle_target::{Chip, Mma};

use crate::facts::Facts;

/// Of block, row and column, the dimension of A, and of B, that is summed along.
pub const SUMMED: [usize; 2] = [2, 1];

/// Subgroups that do one product in shared memory.
pub const GROUP: i64 = 4;

/// Whether four subgroups of a chip do what an instruction does by instructions that read its factors from shared memory
/// themselves.
pub fn multiplies_shared(chip: &Chip, mma: &Mma) -> bool {
    let [a, _, c] = mma.types;
    let adds = matches!((a, c), (Scalar::Float(_), Scalar::Float(Float::F32)) | (Scalar::Int(8), Scalar::Int(32)));
    let is_sync = mma.opcode == Opcode::NvgpuMmaSync && adds && matches!(a.bits(), 8 | 16);
    is_sync && chip.processors.is_some_and(|processors| processors.shared_flops > 0)
}

/// Whether sums of a product in shared memory begin at zero every few steps of k, and ordinary additions add them to all
/// others; otherwise instructions do.
///
/// Instructions that multiply bytes of floats keep 13 bits of what they add, however large the sums are, and drop the rest
/// (Liu et al., "DeepSeek-V3 Technical Report", 3.3.2; on an H200 sums of 4096 and 8192 are 1.3e-3 and 2e-3 off, relative to
/// their norm, which is less than bf16 rounds away). `--fast-math` takes that.
pub fn sums_apart(mma: &Mma, facts: &Facts) -> bool {
    matches!(mma.types[0], Scalar::Float(_)) && mma.types[0].bits() == 8 && !facts.fast_math
}

/// Whether a factor of matrix instructions is better read in pairs: it does not lie along k, and what shared memory gives a
/// lane at a time are bytes of two rows or columns, or words that one instruction takes from registers side by side, as it
/// does those of both halves of its rows.
pub fn reads_pairs(mma: &Mma, operand: usize, k_is_last: bool) -> bool {
    let are_in_order = match mma.types[operand].bits() {
        8 => true,
        32 => mma.fragments[operand].outer[operand] == 2,
        _ => false,
    };
    mma.opcode == Opcode::NvgpuMmaSync && are_in_order && !k_is_last
}

/// The layout in which neighbours along a dimension belong to different halves of an instruction, or to different ones of
/// two instructions: what is in the two halves, or instructions, at one place lies side by side in a lane. `None` where
/// there are no two.
///
/// Which rows and columns an instruction computes is free, as long as factors and result agree. Reads of two bytes at a
/// time, transposed, give a lane pairs of neighbours.
pub fn paired(layout: &Nested, d: usize) -> Option<Nested> {
    let mut paired = layout.clone();
    match (layout.outer_tile[d], layout.batch_tile[d]) {
        (2, _) => paired.outer_tile[d] = 1,
        (1, n) if n % 2 == 0 => paired.batch_tile[d] /= 2,
        _ => return None,
    }
    paired.element_tile[d] *= 2;
    Some(paired)
}

/// The layout in which what a lane has of `n` neighbouring instructions along a dimension, and of their halves, is side by
/// side. `None` where there are not so many.
///
/// In which order sums go along k is free, as long as both factors go in the same one. A lane then reads as much of a row
/// at a time as memory gives, and no shared memory deals it out.
pub fn side_by_side(layout: &Nested, d: usize, n: i64) -> Option<Nested> {
    let mut wide = layout.clone();
    if n < 1 || layout.batch_tile[d] % n != 0 {
        return None;
    }
    wide.batch_tile[d] /= n;
    wide.element_tile[d] *= n * layout.outer_tile[d];
    wide.outer_tile[d] = 1;
    Some(wide)
}
