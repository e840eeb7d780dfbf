//! Names of IREE that stand for several instructions, or for one of a family that the types pick.

use std::sync::LazyLock;

use raddle_ir::Opcode;

use super::catalogue::{Family, Instruction, instruction, instructions};
use super::elem::Elem;
use super::map::{Map, Token, bits, log2};
use super::{Fragment, Mma, Operand, ROW_MAJOR};
use Elem::{BF16, E4M3, E5M2, F16, F32, I8, I32};

/// A sequence of instructions with one set of layouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Virtual {
    /// IREE's name.
    pub name: &'static str,
    /// The mnemonic of the instruction that is issued.
    pub mnemonic: &'static str,
    /// Its id, where the catalogue has it.
    pub base: Option<&'static str>,
    /// How often it is issued, on consecutive slices of each lane's values.
    pub issues: i64,
    /// How the values reach it.
    pub lowering: Lowering,
    /// Rows of C.
    pub m: i64,
    /// Columns of C.
    pub n: i64,
    /// Columns of A, rows of B.
    pub k: i64,
    /// Element types of A, B and C.
    pub types: [Elem; 3],
    /// Whether 8-bit floats are those without negative zero.
    pub fnuz: bool,
    /// Layouts of A, B and C.
    pub fragments: [Fragment; 3],
    /// Lanes of the machine that share the values of one lane of A's layout.
    pub lanes_per_thread: i64,
}

/// How the values of a virtual instruction reach the real ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lowering {
    /// A and B are cut along k; each lane's own numbering of k is the same in both.
    Unroll,
    /// Dense rows through a sparse instruction: a row goes to two neighbouring lanes as rows 2m and 2m + 1, the even one
    /// with the first half of each run along k, the odd one with the second. To the instruction these are the elements 0
    /// and 1 of each four and 2 and 3, since B's rows are interleaved alike. Their two sums are added.
    Sparse,
}

/// Scaled instructions of one shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scaled {
    /// IREE's name.
    pub name: &'static str,
    /// Rows of C.
    pub m: i64,
    /// Columns of C.
    pub n: i64,
    /// Columns of A, rows of B.
    pub k: i64,
    /// Elements of k that share a scale.
    pub block: i64,
}

/// IREE's virtual instructions.
#[rustfmt::skip] // One instruction, one row.
pub const VIRTUALS: &[Virtual] = &[
    unrolled("VMFMA_F32_16x16x32_F16", "v_mfma_f32_16x16x16_f16", "amd.mfma.f32.16x16x16.1b.f16", 2, [16, 32], F16),
    unrolled("VMFMA_F32_16x16x32_F8E4M3FNUZ", "v_mfma_f32_16x16x32_fp8_fp8", "amd.mfma.f32.16x16x32.1b.fp8.fp8", 1, [16, 32], E4M3),
    unrolled("VMFMA_F32_32x32x16_F16", "v_mfma_f32_32x32x8_f16", "amd.mfma.f32.32x32x8.1b.f16", 2, [32, 16], F16),
    unrolled("VMFMA_F32_32x32x16_F8E4M3FNUZ", "v_mfma_f32_32x32x16_fp8_fp8", "amd.mfma.f32.32x32x16.1b.fp8.fp8", 1, [32, 16], E4M3),
    sparse("VDMFMA_F32_8x16x64x2_F16", "v_smfmac_f32_16x16x32_f16", Some("amd.smfmac.f32.16x16x32.f16.f16"), 2, [F16, F16, F32], false),
    sparse("VDMFMA_F32_8x16x64x2_BF16", "v_smfmac_f32_16x16x32_bf16", Some("amd.smfmac.f32.16x16x32.bf16.bf16"), 2, [BF16, BF16, F32], false),
    sparse("VDMFMA_I32_8x16x128x2_I8", "v_smfmac_i32_16x16x64_i8", Some("amd.smfmac.i32.16x16x64.i8.i8"), 2, [I8, I8, I32], false),
    sparse("VDMFMA_F32_8x16x128x2_F8E5M2FNUZ", "v_smfmac_f32_16x16x64_bf8_bf8", Some("amd.smfmac.f32.16x16x64.e5m2.e5m2"), 2, [E5M2, E5M2, F32], true),
    sparse("VDMFMA_F32_8x16x128x2_F8E5M2FNUZ_F8E4M3FNUZ", "v_smfmac_f32_16x16x64_bf8_fp8", Some("amd.smfmac.f32.16x16x64.e5m2.e4m3"), 2, [E5M2, E4M3, F32], true),
    sparse("VDMFMA_F32_8x16x128x2_F8E4M3FNUZ_F8E5M2FNUZ", "v_smfmac_f32_16x16x64_fp8_bf8", Some("amd.smfmac.f32.16x16x64.e4m3.e5m2"), 2, [E4M3, E5M2, F32], true),
    sparse("VDMFMA_F32_8x16x128x2_F8E4M3FNUZ", "v_smfmac_f32_16x16x64_fp8_fp8", Some("amd.smfmac.f32.16x16x64.e4m3.e4m3"), 2, [E4M3, E4M3, F32], true),
    // gfx950's sparse instructions with twice the k, whose maps no second source confirms.
    sparse("VDMFMA_F32_8x16x64x1_F16", "v_smfmac_f32_16x16x64_f16", None, 1, [F16, F16, F32], false),
    sparse("VDMFMA_F32_8x16x64x1_BF16", "v_smfmac_f32_16x16x64_bf16", None, 1, [BF16, BF16, F32], false),
    sparse("VDMFMA_I32_8x16x128x1_I8", "v_smfmac_i32_16x16x128_i8", None, 1, [I8, I8, I32], false),
    sparse("VDMFMA_F32_8x16x128x1_F8E5M2", "v_smfmac_f32_16x16x128_bf8_bf8", None, 1, [E5M2, E5M2, F32], false),
    sparse("VDMFMA_F32_8x16x128x1_F8E5M2_F8E4M3FN", "v_smfmac_f32_16x16x128_bf8_fp8", None, 1, [E5M2, E4M3, F32], false),
    sparse("VDMFMA_F32_8x16x128x1_F8E4M3FN_F8E5M2", "v_smfmac_f32_16x16x128_fp8_bf8", None, 1, [E4M3, E5M2, F32], false),
    sparse("VDMFMA_F32_8x16x128x1_F8E4M3FN", "v_smfmac_f32_16x16x128_fp8_fp8", None, 1, [E4M3, E4M3, F32], false),
];

/// IREE's scaled instructions: 8-, 6- and 4-bit floats in any pair.
pub const SCALED: &[Scaled] = &[
    Scaled { name: "MFMA_SCALE_F32_16x16x128_B32", m: 16, n: 16, k: 128, block: 32 },
    Scaled { name: "MFMA_SCALE_F32_32x32x64_B32", m: 32, n: 32, k: 64, block: 32 },
];

const fn unrolled(
    name: &'static str,
    mnemonic: &'static str,
    base: &'static str,
    issues: i64,
    [m, k]: [i64; 2],
    elem: Elem,
) -> Virtual {
    let groups = 64 / m;
    // With 8-bit floats each lane has two runs of four, so that C of one product is A of the next.
    let fp8 = matches!(elem, E4M3);
    let outer = if fp8 { 2 } else { 1 };
    let run = k / groups / outer;
    let a = Fragment { outer: [1, outer], thread: [m, groups], strides: [1, m], element: [1, run], order: ROW_MAJOR };
    let b = Fragment { outer: [outer, 1], thread: [groups, m], strides: [m, 1], element: [run, 1], order: ROW_MAJOR };
    let rows = m * m / 64 / 4;
    let c = Fragment { outer: [rows, 1], thread: [groups, m], strides: [m, 1], element: [4, 1], order: ROW_MAJOR };
    Virtual {
        name,
        mnemonic,
        base: Some(base),
        issues,
        lowering: Lowering::Unroll,
        m,
        n: m,
        k,
        types: [elem, elem, F32],
        fnuz: fp8,
        fragments: [a, b, c],
        lanes_per_thread: 1,
    }
}

const fn sparse(
    name: &'static str,
    mnemonic: &'static str,
    base: Option<&'static str>,
    issues: i64,
    types: [Elem; 3],
    fnuz: bool,
) -> Virtual {
    let k = if matches!(types[0], F16 | BF16) { 64 } else { 128 };
    let a = Fragment { outer: [1, 1], thread: [8, 4], strides: [2, 16], element: [1, k / 4], order: ROW_MAJOR };
    let b = Fragment { outer: [1, 1], thread: [4, 16], strides: [16, 1], element: [k / 4, 1], order: ROW_MAJOR };
    let c = Fragment { outer: [1, 1], thread: [4, 16], strides: [16, 1], element: [2, 1], order: ROW_MAJOR };
    let (lowering, fragments) = (Lowering::Sparse, [a, b, c]);
    Virtual { name, mnemonic, base, issues, lowering, m: 8, n: 16, k, types, fnuz, fragments, lanes_per_thread: 2 }
}

/// The virtual instructions as products take them: those that are issued as instructions of the catalogue.
pub fn rows() -> &'static [Mma] {
    static ROWS: LazyLock<Vec<Mma>> = LazyLock::new(|| VIRTUALS.iter().filter_map(Virtual::mma).collect());
    &ROWS
}

impl Virtual {
    fn mma(&'static self) -> Option<Mma> {
        self.base_row()?;
        let scalar = |elem: Elem| if self.fnuz { elem.scalar_on("gfx942") } else { elem.scalar() };
        let [Some(a), Some(b), Some(c)] = self.types.map(scalar) else { return None };
        let opcode = match self.lowering {
            Lowering::Unroll => Opcode::AmdgpuMfma,
            Lowering::Sparse => Opcode::AmdgpuSparseMfma,
        };
        Some(Mma {
            name: self.name,
            mnemonic: self.mnemonic,
            m: self.m,
            n: self.n,
            k: self.k,
            subgroup_size: 64,
            types: [a, b, c],
            fragments: self.fragments,
            k_run: None,
            blocks: None,
            issued: Some(self),
            opcode,
            on_request: false,
            pieces_of: None,
        })
    }

    /// The row of the instruction that is issued, where the catalogue has one.
    pub fn base_row(&self) -> Option<&'static Instruction> {
        self.base.and_then(instruction)
    }

    /// What the machine's lanes hold: the fragment, but where two lanes share a row of A, each its half.
    pub fn map(&self, operand: Operand) -> Map {
        let fragment = &self.fragments[operand as usize];
        let (dims, [row, column]) = match operand {
            Operand::A => ("mk", ['m', 'k']),
            Operand::B => ("kn", ['k', 'n']),
            Operand::C => ("mn", ['m', 'n']),
        };
        let in_lane = |place: u32, d: usize, dim: char| {
            let first = log2(fragment.strides[d]);
            let within = place >= first && place < first + log2(fragment.thread[d]);
            within.then(|| Token::bit(dim, log2(fragment.element[d]) + place - first))
        };
        let lane = (0..6).map(|place| in_lane(place, 0, row).or(in_lane(place, 1, column)).unwrap_or(Token::Same));
        let mut lane: Vec<Token> = lane.collect();
        let element = |d: usize, dim| bits(dim, 0..log2(fragment.element[d]));
        let outer = |d: usize, dim| {
            let first = log2(fragment.element[d] * fragment.thread[d]);
            bits(dim, first..first + log2(fragment.outer[d]))
        };
        let mut slot = [element(1, column), element(0, row), outer(1, column), outer(0, row)].concat();
        if operand == Operand::A && self.lowering == Lowering::Sparse {
            // The even lane has the first half of the run along k, and the odd one the other.
            let half = Token::bit('k', log2(fragment.element[1]) - 1);
            slot.retain(|token| *token != half);
            lane[0] = half;
        }
        Map::new(dims, fragment.shape(), lane, slot)
    }
}

impl Scaled {
    /// The instruction for these factor types.
    ///
    /// Its maps are the hardware's. IREE gives each lane 32 consecutive k with 8-bit types too, where the hardware has
    /// two runs of 16; that would move values away from their scales, so it is never used here.
    pub fn row(&self, a: Elem, b: Elem) -> Option<&'static Instruction> {
        self.rows().find(|row| row.types[..2] == [a, b])
    }

    /// The one with 8-bit floats.
    pub(super) fn with_fp8(&self) -> &'static Instruction {
        match self.row(E4M3, E4M3) {
            Some(row) => row,
            None => panic!("each scaled shape takes 8-bit floats"),
        }
    }

    /// All of them.
    pub fn rows(&self) -> impl Iterator<Item = &'static Instruction> {
        let Scaled { m, n, k, block, .. } = *self;
        instructions().iter().filter(move |row| {
            row.family == Family::Mfma
                && [row.m, row.n, row.k] == [m, n, k]
                && row.scales.as_ref().is_some_and(|scales| scales.block == block)
        })
    }
}
