//! The table of matrix instructions: operand layouts, meaning and assembly in one row.
//!
//! Layout analysis takes the layouts, the emulator gathers and scatters by them, the emitter prints the mnemonic: they
//! cannot drift apart.

use raddle_ir::{Float, Ir, OpId, Opcode, Scalar};

/// How one operand of a matrix instruction lies in lanes and slots.
///
/// Two dimensions, A (m, k), B (k, n), C (m, n). Along each, the extent is `outer·thread·element`; lane `l` holds
/// coordinate `(o·thread + (l / stride) mod thread)·element + e` for every `o` and `e`.
#[derive(Debug)]
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
    /// Layouts of A, B and C.
    pub fragments: [Fragment; 3],
    /// The operation that stands for it in distributed IR.
    pub opcode: Opcode,
}

const F16: Scalar = Scalar::Float(Float::F16);
const F32: Scalar = Scalar::Float(Float::F32);
/// Slots count through the outer axes, then the element axes, row-major.
const ROW_MAJOR: [usize; 4] = [0, 1, 2, 3];

/// Every instruction.
pub const MMAS: &[Mma] = &[
    // PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type".
    Mma {
        name: "NV_MMA_SYNC_F32_16x8x16_F16",
        mnemonic: "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        m: 16,
        n: 8,
        k: 16,
        subgroup_size: 32,
        types: [F16, F16, F32],
        fragments: [
            // a0 a1 (row g), a2 a3 (row g + 8), then the same for k + 8: rows change faster than k.
            Fragment { outer: [2, 2], thread: [8, 4], strides: [4, 1], element: [1, 2], order: [1, 0, 2, 3] },
            Fragment { outer: [2, 1], thread: [4, 8], strides: [1, 4], element: [2, 1], order: ROW_MAJOR },
            Fragment { outer: [2, 1], thread: [8, 4], strides: [4, 1], element: [1, 2], order: ROW_MAJOR },
        ],
        opcode: Opcode::MmaSync,
    },
    // AMD matrix instruction calculator, v_mfma_f32_16x16x16_f16.
    Mma {
        name: "MFMA_F32_16x16x16_F16",
        mnemonic: "v_mfma_f32_16x16x16_f16",
        m: 16,
        n: 16,
        k: 16,
        subgroup_size: 64,
        types: [F16, F16, F32],
        fragments: [
            Fragment { outer: [1, 1], thread: [16, 4], strides: [1, 16], element: [1, 4], order: ROW_MAJOR },
            Fragment { outer: [1, 1], thread: [4, 16], strides: [16, 1], element: [4, 1], order: ROW_MAJOR },
            Fragment { outer: [1, 1], thread: [4, 16], strides: [16, 1], element: [4, 1], order: ROW_MAJOR },
        ],
        opcode: Opcode::Mfma,
    },
];

/// The instruction with this name.
pub fn mma(name: &str) -> Option<&'static Mma> {
    MMAS.iter().find(|mma| mma.name == name)
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
}

impl Mma {
    /// The instruction that an operation stands for: the same shape and element types.
    pub fn of_op(ir: &Ir, op: OpId) -> Option<&'static Mma> {
        let opcode = ir.opcode(op);
        let mnk = match opcode {
            Opcode::MmaSync => ir.ints(ir.attr_id(op, "mmaShape")?)?,
            Opcode::Mfma => ["m", "n", "k"].iter().map(|name| ir.attr(op, name)?.as_i64()).collect::<Option<_>>()?,
            _ => return None,
        };
        let scalar = |index: usize| Scalar::of(&ir[ir.elem_of(ir.operand(op, index))]);
        MMAS.iter().find(|mma| {
            mma.opcode == opcode
                && mnk == [mma.m, mma.n, mma.k]
                && (0..3).all(|operand| scalar(operand) == Some(mma.types[operand]))
        })
    }
}
