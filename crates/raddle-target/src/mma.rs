//! Matrix instructions: the table that the compiler works with, and the catalogue of all.
//!
//! A row here has operand layouts, meaning and assembly. Layout analysis takes the layouts, the emulator gathers and
//! scatters by them, the emitter prints the mnemonic: they cannot drift apart. The catalogue has every instruction of
//! every vendor, for pictures, questions and plans; rows here are the ones of it that passes choose.

mod amd;
pub mod catalogue;
mod chain;
mod elem;
mod map;
mod nvidia;
mod other;
mod shared;
pub mod tile;
mod virtuals;

use raddle_ir::{Attr, AttrId, Float, Ir, OpId, Opcode, Scalar, Type, keyword_attr};
use raddle_layout::picture::View;
use raddle_layout::{Layout, LayoutError, Nested, NestedError, Spread};

use crate::Chip;
use virtuals::Virtual;

/// How one operand of a matrix instruction lies in lanes and slots.
///
/// Two dimensions, A (m, k), B (k, n), C (m, n). Along each, the extent is `outer·thread·element`; lane `l` holds
/// coordinate `(o·thread + (l / stride) mod thread)·element + e` for every `o` and `e`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fragment {
    /// How often the grid of lanes repeats.
    pub outer: [i64; 2],
    /// Lanes along each dimension.
    pub thread: [i64; 2],
    /// Distance in lanes between neighbours; 0 where the dimension is not spread over lanes.
    pub strides: [i64; 2],
    /// Consecutive elements of one lane.
    pub element: [i64; 2],
    /// The hardware's slot order: the axes (outer 0, outer 1, element 0, element 1), slowest first.
    pub order: [usize; 4],
}

/// An operand of a matrix instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Operand {
    /// The left factor, m x k.
    A,
    /// The right factor, k x n.
    B,
    /// The accumulator and the result, m x n.
    C,
}

impl Operand {
    /// All three, in the order of [`Mma::fragments`].
    pub const ALL: [Operand; 3] = [Operand::A, Operand::B, Operand::C];

    /// The name that users type.
    pub fn name(self) -> &'static str {
        ["a", "b", "c"][self as usize]
    }

    /// The operand with this name.
    pub fn from_name(name: &str) -> Option<Operand> {
        Operand::ALL.into_iter().find(|operand| operand.name() == name)
    }

    /// The names of its dimensions.
    pub fn dims(self) -> [&'static str; 2] {
        [["m", "k"], ["k", "n"], ["m", "n"]][self as usize]
    }
}

/// Products of one shape that an instruction computes side by side, each of factors of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blocks {
    /// How many.
    pub n: i64,
    /// For A, B and C, the distance in lanes between the elements of neighbouring blocks; 0 where each lane has those of
    /// all blocks, which its slowest slots count.
    pub strides: [i64; 3],
}

/// One matrix instruction: `D = A·B + C`.
#[derive(Debug)]
pub struct Mma {
    /// IREE's name.
    pub name: &'static str,
    /// The instruction as the assembler spells it.
    pub mnemonic: &'static str,
    /// Rows of C.
    pub m: i64,
    /// Columns of C.
    pub n: i64,
    /// Columns of A, rows of B.
    pub k: i64,
    /// Lanes that take part.
    pub subgroup_size: u32,
    /// Element types of A, B and C.
    pub types: [Scalar; 3],
    /// Layouts of A, B and C. A product does not change when A and B permute k alike, and some rows use that to give
    /// each lane one run of k where the hardware has several: see `k_run`.
    pub fragments: [Fragment; 3],
    /// For those rows: how many consecutive k a lane holds in the hardware's numbering, before the next lane's begin.
    /// Right for plain products; scales that belong to blocks of k need [`Mma::hardware_fragment`].
    pub k_run: Option<i64>,
    /// Where it computes several products, these.
    pub blocks: Option<Blocks>,
    /// Where the name is one of IREE's virtual instructions, what is issued for it.
    pub issued: Option<&'static Virtual>,
    /// The operation that stands for it in distributed IR.
    pub opcode: Opcode,
    /// Whether it drops digits of its factors: only a program that names it gets it.
    pub on_request: bool,
    /// The instruction that multiplies pieces of factors, where this stands for several: each factor is what that one
    /// keeps of it and what it keeps of the rest, and of their four products all but that of the rests are added.
    pub pieces_of: Option<&'static str>,
}

const F16: Scalar = Scalar::Float(Float::F16);
const BF16: Scalar = Scalar::Float(Float::BF16);
const F32: Scalar = Scalar::Float(Float::F32);
const F64: Scalar = Scalar::Float(Float::F64);
const FP8: Scalar = Scalar::Float(Float::F8E4M3FN);
const BF8: Scalar = Scalar::Float(Float::F8E5M2);
// gfx940 to gfx942 have the formats without negative zero.
const FP8Z: Scalar = Scalar::Float(Float::F8E4M3FNUZ);
const BF8Z: Scalar = Scalar::Float(Float::F8E5M2FNUZ);
const I8: Scalar = Scalar::Int(8);
const I32: Scalar = Scalar::Int(32);

/// Slots count through the outer axes, then the element axes, row-major.
const ROW_MAJOR: [usize; 4] = [0, 1, 2, 3];

/// Every instruction.
#[rustfmt::skip] // One instruction, one row.
pub const MMAS: &[Mma] = &[
    // PTX ISA, "Matrix Fragments for mma.m16n8k8", "mma.m16n8k16" and "mma.m16n8k32"; the order, and the names but of
    // tf32, i8 and two formats of bytes, are IREE's.
    mma_sync("NV_MMA_SYNC_F32_16x8x16_F16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", [16, 8, 16], [F16, F16, F32]),
    mma_sync("NV_MMA_SYNC_F16_16x8x16_F16", "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", [16, 8, 16], [F16, F16, F16]),
    mma_sync("NV_MMA_SYNC_F32_16x8x16_BF16", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", [16, 8, 16], [BF16, BF16, F32]),
    mma_sync("NV_MMA_SYNC_F32_16x8x8_TF32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", [16, 8, 8], [F32, F32, F32]).on_request(),
    mma_sync("NV_MMA_SYNC_I32_16x8x32_I8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", [16, 8, 32], [I8, I8, I32]),
    mma_sync("NV_MMA_SYNC_F32_16x8x32_F8E4M3FN", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", [16, 8, 32], [FP8, FP8, F32]),
    mma_sync("NV_MMA_SYNC_F32_16x8x32_F8E4M3FN_F8E5M2", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", [16, 8, 32], [FP8, BF8, F32]),
    mma_sync("NV_MMA_SYNC_F32_16x8x32_F8E5M2_F8E4M3FN", "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32", [16, 8, 32], [BF8, FP8, F32]),
    mma_sync("NV_MMA_SYNC_F32_16x8x32_F8E5M2", "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32", [16, 8, 32], [BF8, BF8, F32]),
    // AMD matrix instruction calculator, gfx908 to gfx942; gfx950 from the CDNA 4 ISA and LLVM's assembler.
    mfma("MFMA_F32_16x16x4_F32", "v_mfma_f32_16x16x4_f32", [16, 16, 4], [F32, F32, F32]),
    mfma("MFMA_F32_16x16x16_F16", "v_mfma_f32_16x16x16_f16", [16, 16, 16], [F16, F16, F32]),
    mfma("MFMA_F32_32x32x8_F16", "v_mfma_f32_32x32x8_f16", [32, 32, 8], [F16, F16, F32]),
    mfma("MFMA_I32_16x16x16_I8", "v_mfma_i32_16x16x16_i8", [16, 16, 16], [I8, I8, I32]),
    mfma("MFMA_I32_32x32x8_I8", "v_mfma_i32_32x32x8_i8", [32, 32, 8], [I8, I8, I32]),
    mfma("MFMA_F32_16x16x8_BF16", "v_mfma_f32_16x16x8bf16", [16, 16, 8], [BF16, BF16, F32]),
    mfma("MFMA_F32_32x32x4_BF16", "v_mfma_f32_32x32x4bf16", [32, 32, 4], [BF16, BF16, F32]),
    mfma("MFMA_F64_16x16x4_F64", "v_mfma_f64_16x16x4_f64", [16, 16, 4], [F64, F64, F64]),
    mfma("MFMA_F32_16x16x16_BF16", "v_mfma_f32_16x16x16_bf16", [16, 16, 16], [BF16, BF16, F32]),
    mfma("MFMA_F32_32x32x8_BF16", "v_mfma_f32_32x32x8_bf16", [32, 32, 8], [BF16, BF16, F32]),
    mfma("MFMA_F32_16x16x32_F8E5M2FNUZ", "v_mfma_f32_16x16x32_bf8_bf8", [16, 16, 32], [BF8Z, BF8Z, F32]),
    mfma("MFMA_F32_16x16x32_F8E5M2FNUZ_F8E4M3FNUZ", "v_mfma_f32_16x16x32_bf8_fp8", [16, 16, 32], [BF8Z, FP8Z, F32]),
    mfma("MFMA_F32_16x16x32_F8E4M3FNUZ", "v_mfma_f32_16x16x32_fp8_fp8", [16, 16, 32], [FP8Z, FP8Z, F32]),
    mfma("MFMA_F32_16x16x32_F8E4M3FNUZ_F8E5M2FNUZ", "v_mfma_f32_16x16x32_fp8_bf8", [16, 16, 32], [FP8Z, BF8Z, F32]),
    mfma("MFMA_F32_32x32x16_F8E5M2FNUZ", "v_mfma_f32_32x32x16_bf8_bf8", [32, 32, 16], [BF8Z, BF8Z, F32]),
    mfma("MFMA_F32_32x32x16_F8E5M2FNUZ_F8E4M3FNUZ", "v_mfma_f32_32x32x16_bf8_fp8", [32, 32, 16], [BF8Z, FP8Z, F32]),
    mfma("MFMA_F32_32x32x16_F8E4M3FNUZ", "v_mfma_f32_32x32x16_fp8_fp8", [32, 32, 16], [FP8Z, FP8Z, F32]),
    mfma("MFMA_F32_32x32x16_F8E4M3FNUZ_F8E5M2FNUZ", "v_mfma_f32_32x32x16_fp8_bf8", [32, 32, 16], [FP8Z, BF8Z, F32]),
    mfma("MFMA_I32_16x16x32_I8", "v_mfma_i32_16x16x32_i8", [16, 16, 32], [I8, I8, I32]),
    mfma("MFMA_I32_32x32x16_I8", "v_mfma_i32_32x32x16_i8", [32, 32, 16], [I8, I8, I32]),
    mfma("MFMA_F32_16x16x32_F16", "v_mfma_f32_16x16x32_f16", [16, 16, 32], [F16, F16, F32]),
    mfma("MFMA_F32_32x32x16_F16", "v_mfma_f32_32x32x16_f16", [32, 32, 16], [F16, F16, F32]),
    mfma("MFMA_F32_16x16x32_BF16", "v_mfma_f32_16x16x32_bf16", [16, 16, 32], [BF16, BF16, F32]),
    mfma("MFMA_F32_32x32x16_BF16", "v_mfma_f32_32x32x16_bf16", [32, 32, 16], [BF16, BF16, F32]),
    mfma("MFMA_F32_16x16x128_F8E5M2", "v_mfma_f32_16x16x128_f8f6f4", [16, 16, 128], [BF8, BF8, F32]).with_k_run(16),
    mfma("MFMA_F32_16x16x128_F8E5M2_F8E4M3FN", "v_mfma_f32_16x16x128_f8f6f4", [16, 16, 128], [BF8, FP8, F32]).with_k_run(16),
    mfma("MFMA_F32_16x16x128_F8E4M3FN", "v_mfma_f32_16x16x128_f8f6f4", [16, 16, 128], [FP8, FP8, F32]).with_k_run(16),
    mfma("MFMA_F32_16x16x128_F8E4M3FN_F8E5M2", "v_mfma_f32_16x16x128_f8f6f4", [16, 16, 128], [FP8, BF8, F32]).with_k_run(16),
    mfma("MFMA_F32_32x32x64_F8E5M2", "v_mfma_f32_32x32x64_f8f6f4", [32, 32, 64], [BF8, BF8, F32]).with_k_run(16),
    mfma("MFMA_F32_32x32x64_F8E5M2_F8E4M3FN", "v_mfma_f32_32x32x64_f8f6f4", [32, 32, 64], [BF8, FP8, F32]).with_k_run(16),
    mfma("MFMA_F32_32x32x64_F8E4M3FN", "v_mfma_f32_32x32x64_f8f6f4", [32, 32, 64], [FP8, FP8, F32]).with_k_run(16),
    mfma("MFMA_F32_32x32x64_F8E4M3FN_F8E5M2", "v_mfma_f32_32x32x64_f8f6f4", [32, 32, 64], [FP8, BF8, F32]).with_k_run(16),
    mfma("MFMA_I32_16x16x64_I8", "v_mfma_i32_16x16x64_i8", [16, 16, 64], [I8, I8, I32]),
    mfma("MFMA_I32_32x32x32_I8", "v_mfma_i32_32x32x32_i8", [32, 32, 32], [I8, I8, I32]),
    mfma("MFMA_F32_16x16x32_F8E5M2", "v_mfma_f32_16x16x32_bf8_bf8", [16, 16, 32], [BF8, BF8, F32]),
    mfma("MFMA_F32_16x16x32_F8E5M2_F8E4M3FN", "v_mfma_f32_16x16x32_bf8_fp8", [16, 16, 32], [BF8, FP8, F32]),
    mfma("MFMA_F32_16x16x32_F8E4M3FN", "v_mfma_f32_16x16x32_fp8_fp8", [16, 16, 32], [FP8, FP8, F32]),
    mfma("MFMA_F32_16x16x32_F8E4M3FN_F8E5M2", "v_mfma_f32_16x16x32_fp8_bf8", [16, 16, 32], [FP8, BF8, F32]),
    mfma("MFMA_F32_32x32x16_F8E5M2", "v_mfma_f32_32x32x16_bf8_bf8", [32, 32, 16], [BF8, BF8, F32]),
    mfma("MFMA_F32_32x32x16_F8E5M2_F8E4M3FN", "v_mfma_f32_32x32x16_bf8_fp8", [32, 32, 16], [BF8, FP8, F32]),
    mfma("MFMA_F32_32x32x16_F8E4M3FN", "v_mfma_f32_32x32x16_fp8_fp8", [32, 32, 16], [FP8, FP8, F32]),
    mfma("MFMA_F32_32x32x16_F8E4M3FN_F8E5M2", "v_mfma_f32_32x32x16_fp8_bf8", [32, 32, 16], [FP8, BF8, F32]),
    // AMD matrix instruction calculator, gfx90a to gfx942: several products at once, of which only programs that name one
    // have as many as it computes.
    blocks("MFMA_F32_16x16x4x4B_F16", "v_mfma_f32_16x16x4_4b_f16", 16, [F16, F16, F32]),
    blocks("MFMA_F32_32x32x4x2B_F16", "v_mfma_f32_32x32x4_2b_f16", 32, [F16, F16, F32]),
    blocks("MFMA_F32_4x4x4x16B_F16", "v_mfma_f32_4x4x4_16b_f16", 4, [F16, F16, F32]),
    blocks("MFMA_F32_16x16x4x4B_BF16", "v_mfma_f32_16x16x4_4b_bf16", 16, [BF16, BF16, F32]),
    blocks("MFMA_F32_32x32x4x2B_BF16", "v_mfma_f32_32x32x4_2b_bf16", 32, [BF16, BF16, F32]),
    blocks("MFMA_F32_4x4x4x16B_BF16", "v_mfma_f32_4x4x4_16b_bf16", 4, [BF16, BF16, F32]),
    blocks("MFMA_I32_16x16x4x4B_I8", "v_mfma_i32_16x16x4_4b_i8", 16, [I8, I8, I32]),
    blocks("MFMA_I32_32x32x4x2B_I8", "v_mfma_i32_32x32x4_2b_i8", 32, [I8, I8, I32]),
    blocks("MFMA_I32_4x4x4x16B_I8", "v_mfma_i32_4x4x4_16b_i8", 4, [I8, I8, I32]),
    // RDNA 3 ISA, "WMMA": A and B are held twice, once in each half of the subgroup. With a 16-bit C the values take
    // one half of each register.
    wmma_gfx11("WMMAR3_F32_16x16x16_F16", "v_wmma_f32_16x16x16_f16", [F16, F16, F32]),
    wmma_gfx11("WMMAR3_F16_16x16x16_F16", "v_wmma_f16_16x16x16_f16", [F16, F16, F16]),
    wmma_gfx11("WMMAR3_F32_16x16x16_BF16", "v_wmma_f32_16x16x16_bf16", [BF16, BF16, F32]),
    wmma_gfx11("WMMAR3_BF16_16x16x16_BF16", "v_wmma_bf16_16x16x16_bf16", [BF16, BF16, BF16]),
    wmma_gfx11("WMMAR3_I32_16x16x16_I8", "v_wmma_i32_16x16x16_iu8", [I8, I8, I32]),
    // RDNA 4 ISA, "WMMA".
    wmma_gfx12("WMMAR4_F32_16x16x16_F16", "v_wmma_f32_16x16x16_f16", [F16, F16, F32]).with_k_run(4),
    wmma_gfx12("WMMAR4_F16_16x16x16_F16", "v_wmma_f16_16x16x16_f16", [F16, F16, F16]).with_k_run(4),
    wmma_gfx12("WMMAR4_F32_16x16x16_BF16", "v_wmma_f32_16x16x16_bf16", [BF16, BF16, F32]).with_k_run(4),
    wmma_gfx12("WMMAR4_BF16_16x16x16_BF16", "v_wmma_bf16_16x16x16_bf16", [BF16, BF16, BF16]).with_k_run(4),
    wmma_gfx12("WMMAR4_F32_16x16x16_F8E5M2", "v_wmma_f32_16x16x16_bf8_bf8", [BF8, BF8, F32]),
    wmma_gfx12("WMMAR4_F32_16x16x16_F8E5M2_F8E4M3FN", "v_wmma_f32_16x16x16_bf8_fp8", [BF8, FP8, F32]),
    wmma_gfx12("WMMAR4_F32_16x16x16_F8E4M3FN", "v_wmma_f32_16x16x16_fp8_fp8", [FP8, FP8, F32]),
    wmma_gfx12("WMMAR4_F32_16x16x16_F8E4M3FN_F8E5M2", "v_wmma_f32_16x16x16_fp8_bf8", [FP8, BF8, F32]),
    wmma_gfx12("WMMAR4_I32_16x16x16_I8", "v_wmma_i32_16x16x16_iu8", [I8, I8, I32]),
    // AMD's matrix instructions of gfx1250 as LLVM's assembler has them.
    wmma_gfx1250("WMMA_F32_16x16x4_F32", "v_wmma_f32_16x16x4_f32", 4, [F32, F32, F32]),
    wmma_gfx1250("WMMA_F32_16x16x32_F16", "v_wmma_f32_16x16x32_f16", 32, [F16, F16, F32]).with_k_run(8),
    wmma_gfx1250("WMMA_F32_16x16x32_BF16", "v_wmma_f32_16x16x32_bf16", 32, [BF16, BF16, F32]).with_k_run(8),
    wmma_gfx1250("WMMA_F16_16x16x32_F16", "v_wmma_f16_16x16x32_f16", 32, [F16, F16, F16]).with_k_run(8),
    wmma_gfx1250("WMMA_BF16_16x16x32_BF16", "v_wmma_bf16_16x16x32_bf16", 32, [BF16, BF16, BF16]).with_k_run(8),
    wmma_gfx1250("WMMA_F32_16x16x64_F8E4M3FN", "v_wmma_f32_16x16x64_fp8_fp8", 64, [FP8, FP8, F32]).with_k_run(8),
    wmma_gfx1250("WMMA_F32_16x16x64_F8E4M3FN_F8E5M2", "v_wmma_f32_16x16x64_fp8_bf8", 64, [FP8, BF8, F32]).with_k_run(8),
    wmma_gfx1250("WMMA_F32_16x16x64_F8E5M2", "v_wmma_f32_16x16x64_bf8_bf8", 64, [BF8, BF8, F32]).with_k_run(8),
    wmma_gfx1250("WMMA_F32_16x16x64_F8E5M2_F8E4M3FN", "v_wmma_f32_16x16x64_bf8_fp8", 64, [BF8, FP8, F32]).with_k_run(8),
    wmma_gfx1250("WMMA_F16_16x16x64_F8E4M3FN", "v_wmma_f16_16x16x64_fp8_fp8", 64, [FP8, FP8, F16]).with_k_run(8),
    wmma_gfx1250("WMMA_F16_16x16x64_F8E4M3FN_F8E5M2", "v_wmma_f16_16x16x64_fp8_bf8", 64, [FP8, BF8, F16]).with_k_run(8),
    wmma_gfx1250("WMMA_F16_16x16x64_F8E5M2", "v_wmma_f16_16x16x64_bf8_bf8", 64, [BF8, BF8, F16]).with_k_run(8),
    wmma_gfx1250("WMMA_F16_16x16x64_F8E5M2_F8E4M3FN", "v_wmma_f16_16x16x64_bf8_fp8", 64, [BF8, FP8, F16]).with_k_run(8),
    wmma_gfx1250("WMMA_I32_16x16x64_I8", "v_wmma_i32_16x16x64_iu8", 64, [I8, I8, I32]).with_k_run(8),
    wmma_gfx1250("WMMA_F32_16x16x128_F8E5M2", "v_wmma_f32_16x16x128_bf8_bf8", 128, [BF8, BF8, F32]).with_k_run(16),
    wmma_gfx1250("WMMA_F32_16x16x128_F8E5M2_F8E4M3FN", "v_wmma_f32_16x16x128_bf8_fp8", 128, [BF8, FP8, F32]).with_k_run(16),
    wmma_gfx1250("WMMA_F32_16x16x128_F8E4M3FN", "v_wmma_f32_16x16x128_fp8_fp8", 128, [FP8, FP8, F32]).with_k_run(16),
    wmma_gfx1250("WMMA_F32_16x16x128_F8E4M3FN_F8E5M2", "v_wmma_f32_16x16x128_fp8_bf8", 128, [FP8, BF8, F32]).with_k_run(16),
    wmma_gfx1250("WMMA_F16_16x16x128_F8E5M2", "v_wmma_f16_16x16x128_bf8_bf8", 128, [BF8, BF8, F16]).with_k_run(16),
    wmma_gfx1250("WMMA_F16_16x16x128_F8E5M2_F8E4M3FN", "v_wmma_f16_16x16x128_bf8_fp8", 128, [BF8, FP8, F16]).with_k_run(16),
    wmma_gfx1250("WMMA_F16_16x16x128_F8E4M3FN", "v_wmma_f16_16x16x128_fp8_fp8", 128, [FP8, FP8, F16]).with_k_run(16),
    wmma_gfx1250("WMMA_F16_16x16x128_F8E4M3FN_F8E5M2", "v_wmma_f16_16x16x128_fp8_bf8", 128, [FP8, BF8, F16]).with_k_run(16),
];

/// Those that stand for several, on pieces of their factors: no operation and no tile is one.
#[rustfmt::skip] // One instruction, one row.
pub const IN_PIECES: &[Mma] = &[
    mma_sync("NV_MMA_SYNC_F32_16x8x8_TF32X3", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", [16, 8, 8], [F32, F32, F32])
        .on_request().in_pieces("NV_MMA_SYNC_F32_16x8x8_TF32"),
];

/// `mma.sync.m16n8k*`: a row of eight lanes groups by four. Each lane has 32 bits of consecutive k; the four 8 x 8
/// blocks of A are numbered down the rows first.
const fn mma_sync(name: &'static str, mnemonic: &'static str, [m, n, k]: [i64; 3], types: [Scalar; 3]) -> Mma {
    let run = k / 8;
    let a = Fragment { outer: [2, 2], thread: [8, 4], strides: [4, 1], element: [1, run], order: [1, 0, 2, 3] };
    let b = Fragment { outer: [2, 1], thread: [4, 8], strides: [1, 4], element: [run, 1], order: ROW_MAJOR };
    let c = Fragment { outer: [2, 1], thread: [8, 4], strides: [4, 1], element: [1, 2], order: ROW_MAJOR };
    let (fragments, opcode) = ([a, b, c], Opcode::NvgpuMmaSync);
    Mma {
        name,
        mnemonic,
        m,
        n,
        k,
        subgroup_size: 32,
        types,
        fragments,
        k_run: None,
        blocks: None,
        issued: None,
        opcode,
        on_request: false,
        pieces_of: None,
    }
}

/// `v_mfma`, one block: lanes run along m (or n), then groups of lanes along k. C has rows in groups of four, except
/// for f64, whose rows are dealt out one at a time.
const fn mfma(name: &'static str, mnemonic: &'static str, [m, n, k]: [i64; 3], types: [Scalar; 3]) -> Mma {
    let groups = 64 / m;
    let a = factor([m, groups], k / groups);
    let rows = if matches!(types[2], Scalar::Float(Float::F64)) { 1 } else { 4 };
    let (thread, strides) = ([64 / n, n], [n, 1]);
    let outer = [m / (64 / n) / rows, 1];
    let c = Fragment { outer, thread, strides, element: [rows, 1], order: ROW_MAJOR };
    let (fragments, opcode) = ([a, a.transpose(), c], Opcode::AmdgpuMfma);
    Mma {
        name,
        mnemonic,
        m,
        n,
        k,
        subgroup_size: 64,
        types,
        fragments,
        k_run: None,
        blocks: None,
        issued: None,
        opcode,
        on_request: false,
        pieces_of: None,
    }
}

/// `v_mfma` of several blocks, all with a k of 4, which one lane holds: lanes run along m (or n), then through the blocks. C
/// has its blocks in slots, where lanes are left for its rows.
const fn blocks(name: &'static str, mnemonic: &'static str, m: i64, types: [Scalar; 3]) -> Mma {
    let a = Fragment { outer: [1, 1], thread: [m, 1], strides: [1, 0], element: [1, 4], order: ROW_MAJOR };
    let n = 64 / m;
    // Four rows of a lane are neighbours.
    let groups = if m == 4 { 1 } else { n };
    let (thread, strides) = ([groups, m], [if groups == 1 { 0 } else { m }, 1]);
    let c = Fragment { outer: [m / (groups * 4), 1], thread, strides, element: [4, 1], order: ROW_MAJOR };
    let blocks = Some(Blocks { n, strides: [m, m, if groups == 1 { m } else { 0 }] });
    let (fragments, opcode) = ([a, a.transpose(), c], Opcode::AmdgpuMfma);
    Mma {
        name,
        mnemonic,
        m,
        n: m,
        k: 4,
        subgroup_size: 64,
        types,
        fragments,
        k_run: None,
        blocks,
        issued: None,
        opcode,
        on_request: false,
        pieces_of: None,
    }
}

/// `v_wmma` of gfx11 with 32 lanes: a lane holds a whole row of A, and its partner in the other half of the subgroup
/// holds it too; C deals its rows out to the two halves in turn.
const fn wmma_gfx11(name: &'static str, mnemonic: &'static str, types: [Scalar; 3]) -> Mma {
    let a = Fragment { outer: [1, 1], thread: [16, 1], strides: [1, 0], element: [1, 16], order: ROW_MAJOR };
    let c = Fragment { outer: [8, 1], thread: [2, 16], strides: [16, 1], element: [1, 1], order: ROW_MAJOR };
    let (fragments, opcode) = ([a, a.transpose(), c], Opcode::AmdgpuWmma);
    Mma {
        name,
        mnemonic,
        m: 16,
        n: 16,
        k: 16,
        subgroup_size: 32,
        types,
        fragments,
        k_run: None,
        blocks: None,
        issued: None,
        opcode,
        on_request: false,
        pieces_of: None,
    }
}

/// `v_wmma` of gfx12 with 32 lanes: each half of the subgroup has half of k, and half of C's rows.
const fn wmma_gfx12(name: &'static str, mnemonic: &'static str, types: [Scalar; 3]) -> Mma {
    wmma_gfx1250(name, mnemonic, 16, types)
}

/// `v_wmma` of gfx1250: the same with more k.
const fn wmma_gfx1250(name: &'static str, mnemonic: &'static str, k: i64, types: [Scalar; 3]) -> Mma {
    let a = factor([16, 2], k / 2);
    let c = Fragment { outer: [1, 1], thread: [2, 16], strides: [16, 1], element: [8, 1], order: ROW_MAJOR };
    let (fragments, opcode) = ([a, a.transpose(), c], Opcode::AmdgpuWmma);
    Mma {
        name,
        mnemonic,
        m: 16,
        n: 16,
        k,
        subgroup_size: 32,
        types,
        fragments,
        k_run: None,
        blocks: None,
        issued: None,
        opcode,
        on_request: false,
        pieces_of: None,
    }
}

/// An A whose lanes run along m, then along k, each with `run` consecutive k.
const fn factor(thread: [i64; 2], run: i64) -> Fragment {
    Fragment { outer: [1, 1], thread, strides: [1, thread[0]], element: [1, run], order: ROW_MAJOR }
}

/// The instruction with this name, or what IREE's virtual instruction with this name is.
pub fn mma(name: &str) -> Option<&'static Mma> {
    let has = |mma: &&Mma| mma.name == name;
    MMAS.iter().chain(IN_PIECES).find(has).or_else(|| virtuals::rows().iter().find(has))
}

impl Fragment {
    /// Rows and columns of the operand.
    pub fn shape(&self) -> [i64; 2] {
        [0, 1].map(|d| self.outer[d] * self.thread[d] * self.element[d])
    }

    /// Elements that one lane holds.
    pub fn n_slots(&self) -> i64 {
        self.outer.iter().chain(&self.element).product()
    }

    /// The coordinate of hardware slot `slot` of lane `lane`.
    pub fn coord(&self, lane: i64, slot: i64) -> [i64; 2] {
        let extents = [self.outer[0], self.outer[1], self.element[0], self.element[1]];
        let mut digits = [0; 4];
        let mut rest = slot;
        for &axis in self.order.iter().rev() {
            digits[axis] = rest % extents[axis];
            rest /= extents[axis];
        }
        [0, 1].map(|d| {
            let thread = if self.strides[d] == 0 { 0 } else { lane / self.strides[d] % self.thread[d] };
            (digits[d] * self.thread[d] + thread) * self.element[d] + digits[2 + d]
        })
    }

    /// The layout of a value that repeats the operand `batch` times in each subgroup and is shared out over `subgroup`
    /// subgroups.
    pub fn nested(&self, batch: [i64; 2], subgroup: [i64; 2], subgroup_strides: [i64; 2]) -> Nested {
        match self.try_nested(batch, subgroup, subgroup_strides) {
            Ok(nested) => nested,
            Err(error) => panic!("batches and subgroups are positive and small: {error}"),
        }
    }

    /// The layout of `repeat` operands side by side in one subgroup, slots in the hardware's order, later operands in
    /// later slots. Fails where `repeat` is not positive or too large.
    pub fn layout(&self, repeat: [i64; 2], subgroup_size: u32) -> Result<Layout, LayoutError> {
        let nested = self.try_nested(repeat, [1, 1], [0, 0])?;
        // The batch axes of the distributed shape come before the four that `order` is about.
        let order: Vec<usize> = [0, 1].into_iter().chain(self.order.map(|axis| axis + 2)).collect();
        Layout::from_nested_ordered(&nested, &order, 1, i64::from(subgroup_size))
    }

    fn try_nested(
        &self,
        batch: [i64; 2],
        subgroup: [i64; 2],
        subgroup_strides: [i64; 2],
    ) -> Result<Nested, NestedError> {
        let [s, b, o, t, e, ss, ts] =
            [subgroup, batch, self.outer, self.thread, self.element, subgroup_strides, self.strides].map(Vec::from);
        Nested::new(s, b, o, t, e, ss, ts)
    }

    /// The same with rows and columns exchanged, where slots run along one of them only, so that their order stays.
    const fn transpose(self) -> Fragment {
        const fn swap([a, b]: [i64; 2]) -> [i64; 2] {
            [b, a]
        }
        let Fragment { outer, thread, strides, element, order } = self;
        assert!(outer[0] * element[0] == 1, "slots along the columns only");
        Fragment { outer: swap(outer), thread: swap(thread), strides: swap(strides), element: swap(element), order }
    }
}

impl Mma {
    /// The instruction that an operation stands for: the same shape, element types and number of slots of A.
    pub fn of_op(ir: &Ir, op: OpId) -> Option<&'static Mma> {
        let opcode = ir.opcode(op);
        let mnk = match opcode {
            Opcode::NvgpuMmaSync => match ir.attr(op, "mmaShape")? {
                Attr::Array(shape) => <[_; 3]>::try_from(&shape[..]).ok()?.map(|extent| ir[extent].as_i64()),
                Attr::DenseArray { values, .. } => <[_; 3]>::try_from(&values[..]).ok()?.map(Some),
                _ => return None,
            },
            Opcode::AmdgpuMfma | Opcode::AmdgpuWmma => ["m", "n", "k"].map(|name| ir.attr(op, name)?.as_i64()),
            _ => return None,
        };
        let [Some(m), Some(n), Some(k)] = mnk else { return None };
        if ir.operands(op).len() < 3 {
            return None;
        }
        let blocks = ir.attr(op, "blocks").and_then(|blocks| blocks.as_i64()).unwrap_or(1);
        let types = [0, 1, 2].map(|index| Scalar::of(&ir[ir.elem_of(ir.operand(op, index))]));
        let n_slots = match ir.ty(ir.operand(op, 0)) {
            Type::Vector { shape, .. } => shape.iter().try_fold(1i64, |n, &extent| n.checked_mul(extent))?,
            _ => 1,
        };
        MMAS.iter().find(|mma| {
            mma.opcode == opcode
                && (mma.m, mma.n, mma.k) == (m, n, k)
                && mma.blocks.map_or(1, |blocks| blocks.n) == blocks
                && types == mma.types.map(Some)
                // gfx11 and gfx12 have instructions of one shape and type; gfx11's hold A and B twice.
                && n_slots == mma.fragments[0].n_slots()
        })
    }

    /// The attribute that names the instruction.
    pub fn attr(&self, ir: &mut Ir) -> AttrId {
        let kind = if self.issued.is_some() { "iree_gpu.virtual_mma_layout" } else { "iree_gpu.mma_layout" };
        keyword_attr(ir, kind, self.name)
    }

    /// Whether a chip has the instruction, or those that are issued for it with these types.
    pub fn runs_on(&self, chip: &Chip) -> bool {
        match self.issued.and_then(Virtual::base_row) {
            Some(base) => base.multiplies(self.types, chip.name),
            None => chip.mmas.contains(&self.name),
        }
    }

    /// The catalogue's row of the instruction, or of what is issued for it, with the hardware's own maps.
    pub fn instruction(&self) -> &'static catalogue::Instruction {
        match self.issued.map_or_else(|| catalogue::instruction(self.pieces_of.unwrap_or(self.name)), Virtual::base_row)
        {
            Some(row) => row,
            None => panic!("{} is in the catalogue", self.name),
        }
    }

    /// The instruction cuts f32 factors down to tf32.
    const fn on_request(mut self) -> Mma {
        self.on_request = true;
        self
    }

    /// It stands for several instructions on pieces of its factors.
    const fn in_pieces(mut self, of: &'static str) -> Mma {
        self.pieces_of = Some(of);
        self
    }

    const fn with_k_run(mut self, run: i64) -> Mma {
        self.k_run = Some(run);
        self
    }

    /// The layout of an operand over the iteration space of a contraction, for the basis of subgroups of its lowering
    /// configuration: `dims` are the dimensions of m, n and k. The operand's own is what its indexing map picks of it.
    ///
    /// Instructions repeat as batches until they cover the extents, rounded up.
    pub fn spread(
        &self,
        operand: Operand,
        extents: &[i64],
        dims: [usize; 3],
        subgroup: &Spread,
    ) -> Result<Nested, NestedError> {
        let rank = extents.len();
        if subgroup.rank() != rank || dims.iter().any(|&dim| dim >= rank) {
            return Err(NestedError::WrongRank { vector: rank, layout: subgroup.rank() });
        }
        let (ones, zeros) = (vec![1; rank], vec![0; rank]);
        let (mut outer, mut thread, mut element, mut strides) = (ones.clone(), ones.clone(), ones.clone(), zeros);
        let fragment = self.fragment(operand);
        for (d, name) in operand.dims().into_iter().enumerate() {
            let at = dims[["m", "n", "k"].iter().position(|&own| own == name).unwrap_or(0)];
            (outer[at], thread[at]) = (fragment.outer[d], fragment.thread[d]);
            (element[at], strides[at]) = (fragment.element[d], fragment.strides[d]);
        }
        // Along the dimension that the operand lacks, instructions repeat all the same.
        let mut tile = ones;
        for (&dim, size) in dims.iter().zip([self.m, self.n, self.k]) {
            tile[dim] = size;
        }
        let ceil = |number: i64, by: i64| number / by + i64::from(number % by != 0);
        let tiles = subgroup.tiles();
        let batch = (0..rank).map(|d| ceil(ceil(extents[d], tiles[d]), tile[d])).collect();
        Nested::new(tiles, batch, outer, thread, element, subgroup.strides(), strides)
    }

    /// Elements of an operand that one lane holds.
    pub fn n_slots(&self, operand: usize) -> i64 {
        let blocks = self.blocks.filter(|blocks| blocks.strides[operand] == 0).map_or(1, |blocks| blocks.n);
        blocks * self.fragments[operand].n_slots()
    }

    /// The layout of an operand of several blocks, with a dimension for these in front of the fragment's two: see
    /// [`Fragment::nested`]. An instruction of one block has one there.
    pub fn nested_blocks(
        &self,
        operand: usize,
        batch: [i64; 3],
        subgroup: [i64; 3],
        subgroup_strides: [i64; 3],
    ) -> Option<Nested> {
        let (n, stride) = self.blocks.map_or((1, 0), |blocks| (blocks.n, blocks.strides[operand]));
        let (in_slots, in_lanes) = if stride == 0 { (n, 1) } else { (1, n) };
        let of = |list: [i64; 3]| vec![list[0]];
        let front = Nested::new(
            of(subgroup),
            of(batch),
            vec![in_slots],
            vec![in_lanes],
            vec![1],
            of(subgroup_strides),
            vec![stride],
        );
        let rest = |list: [i64; 3]| [list[1], list[2]];
        let fragment = self.fragments[operand].try_nested(rest(batch), rest(subgroup), rest(subgroup_strides));
        front.ok()?.append(&fragment.ok()?).ok()
    }

    /// The layout of an operand.
    pub fn fragment(&self, operand: Operand) -> &Fragment {
        &self.fragments[operand as usize]
    }

    /// The layout of an operand with k numbered as the hardware does.
    pub fn hardware_fragment(&self, operand: Operand) -> Fragment {
        let mut fragment = *self.fragment(operand);
        let (Some(run), Some(k)) = (self.k_run, operand.dims().iter().position(|&dim| dim == "k")) else {
            return fragment;
        };
        fragment.outer[k] *= fragment.element[k] / run;
        fragment.element[k] = run;
        fragment
    }

    /// An operand ready to be drawn, with the hardware's k.
    pub fn view(&self, operand: Operand) -> Result<View, LayoutError> {
        if let (Some(_), Ok(view)) = (self.blocks, self.instruction().view(operand)) {
            return Ok(view);
        }
        let fragment = self.hardware_fragment(operand);
        let mut notes = Vec::new();
        if self.k_run.is_some() && operand != Operand::C {
            notes.push("k is the hardware's; the compiler gives each lane consecutive k, in a and b alike".to_string());
        }
        Ok(View {
            title: format!("{} operand {}, {}", self.name, operand.name(), self.types[operand as usize]),
            names: operand.dims().map(str::to_string).to_vec(),
            notes,
            tile: fragment.shape().to_vec(),
            layout: fragment.layout([1, 1], self.subgroup_size)?,
        })
    }
}
