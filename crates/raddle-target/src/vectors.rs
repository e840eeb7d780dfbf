//! Machines whose threads have vectors of their own: which shapes are native, one row each.

use raddle_ir::{Float, Scalar};

/// How many elements a native vector has. A single element is a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Widths {
    /// Any number along one dimension.
    Any,
    /// One of these, ascending.
    Of(&'static [i64]),
    /// Any number up to this one.
    UpTo(i64),
}

/// A product of matrices that the machine has an operation for: `D = A·B + C`, with A m x k, B k x n.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatrixShape {
    /// m, n and k.
    pub mnk: [i64; 3],
    /// Element types of A, B and C.
    pub types: [Scalar; 3],
}

/// One machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VectorMachine {
    /// As users type it.
    pub name: &'static str,
    /// Its one-dimensional vectors.
    pub widths: Widths,
    /// The products that stay whole, preferred ones first.
    pub matrices: &'static [MatrixShape],
    /// Whether sums of elements and of products are free in their order and rounding: products are added by one operation
    /// (`math.fma`), and the elements of a row combined by another (`vector.reduction`).
    pub fused: bool,
    /// Whether elements of two vectors are put together by one operation (`vector.shuffle`).
    pub shuffles: bool,
}

/// Products of the parts of words of 32 bits, which one or two instructions add for each word of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dot {
    /// Four unsigned bytes by signed ones (`raddle.byte_dot`).
    Bytes,
    /// Two integers of 16 bits (`raddle.short_dot`).
    Shorts,
    /// Two bf16, summed in f32 (`raddle.pair_dot`).
    Bf16,
}

impl Dot {
    /// Bits of a part.
    pub fn bits(self) -> u32 {
        match self {
            Dot::Bytes => 8,
            Dot::Shorts | Dot::Bf16 => 16,
        }
    }

    /// Parts of a word.
    pub fn parts(self) -> i64 {
        i64::from(32 / self.bits())
    }
}

/// The vectors of a CPU: what a thread computes with there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NativeVectors {
    /// The row of [`VECTOR_MACHINES`], by its name.
    pub machine: &'static str,
    /// Elements of 32 bits in one register.
    pub lanes: i64,
    /// Registers.
    pub registers: i64,
    /// Sums of products that it has, preferred ones first.
    pub dots: &'static [Dot],
    /// Whether it multiplies matrices in tile registers (`raddle.tile_dot`) of what `dots` sums in words of bytes or bf16.
    pub tiles: bool,
    /// Bytes of the smallest elements that one instruction moves under a mask, if there is one that does.
    pub masked_bytes: Option<usize>,
    /// Whether a store under a mask takes many times as long as a plain one, whatever the mask, on some machines that run
    /// its code.
    pub slow_masked_stores: bool,
    /// Bytes of the first and of the second cache of a core.
    pub cache_bytes: [i64; 2],
}

const F16: Scalar = Scalar::Float(Float::F16);
const F32: Scalar = Scalar::Float(Float::F32);
const BF16: Scalar = Scalar::Float(Float::BF16);
const I8: Scalar = Scalar::Int(8);
const I16: Scalar = Scalar::Int(16);
const I32: Scalar = Scalar::Int(32);

/// Every machine.
pub const VECTOR_MACHINES: &[VectorMachine] = &[
    // LLVM Language Reference, "Vector Type": one dimension, any number of elements.
    VectorMachine { name: "llvm", widths: Widths::Any, matrices: &[], fused: false, shuffles: false },
    // SPIR-V Specification, "OpTypeVector": two, three or four components without further capabilities.
    VectorMachine { name: "spirv", widths: Widths::Of(&[2, 3, 4]), matrices: &[], fused: false, shuffles: false },
    // VK_KHR_cooperative_matrix: a device lists its shapes; 16 x 16 x 16 is the one that most of them have.
    VectorMachine {
        name: "spirv-matrix",
        widths: Widths::Of(&[2, 3, 4]),
        matrices: &[
            MatrixShape { mnk: [16, 16, 16], types: [F16, F16, F32] },
            MatrixShape { mnk: [16, 16, 16], types: [F16, F16, F16] },
            MatrixShape { mnk: [16, 16, 16], types: [I8, I8, I32] },
        ],
        fused: false,
        shuffles: false,
    },
    // Intel SDM, volume 1, "Programming with Intel AVX-512": 32 registers of 512 bits.
    VectorMachine { name: "avx512", widths: Widths::UpTo(16), matrices: &[], fused: true, shuffles: true },
    // Intel SDM, volume 1, "Programming with AVX": 16 registers of 256 bits.
    VectorMachine { name: "avx2", widths: Widths::UpTo(8), matrices: &[], fused: true, shuffles: true },
    // Arm Architecture Reference Manual, "The SIMD and floating-point register file": 32 registers of 128 bits.
    VectorMachine { name: "neon", widths: Widths::UpTo(4), matrices: &[], fused: true, shuffles: true },
];

/// Their names, in the order of the table.
pub const VECTOR_MACHINE_NAMES: &[&str] = &["llvm", "spirv", "spirv-matrix", "avx512", "avx2", "neon"];

impl NativeVectors {
    /// What sums the products of elements of two types in a third one. Bytes may be widened to 16 bits.
    pub fn dot_of(&self, types: [Scalar; 3]) -> Option<Dot> {
        let takes = |dot: &Dot| match (dot, types) {
            (Dot::Bytes, types) => types == [I8, I8, I32],
            (Dot::Shorts, [a, b, sum]) => sum == I32 && [a, b].iter().all(|elem| [I8, I16].contains(elem)),
            (Dot::Bf16, types) => types == [BF16, BF16, F32],
        };
        self.dots.iter().copied().find(takes)
    }

    /// Whether tile registers multiply what is summed so.
    pub fn has_tiles_for(&self, dot: Dot) -> bool {
        self.tiles && dot != Dot::Shorts
    }

    /// The row of its machine.
    pub fn machine(&self) -> &'static VectorMachine {
        vector_machine(self.machine).expect("a chip names a row of the table")
    }
}

/// The machine with this name.
pub fn vector_machine(name: &str) -> Option<&'static VectorMachine> {
    VECTOR_MACHINES.iter().find(|machine| machine.name == name)
}

impl VectorMachine {
    /// The elements of so many bytes that are moved at once: as many as fill a register, if it has several in the place
    /// of one of 32 bits and puts those of two together. What is computed goes by as many as are results of 32 bits.
    pub fn moved(&self, bytes: i64) -> Option<i64> {
        match self.widths {
            Widths::UpTo(most) if self.shuffles && (1..4).contains(&bytes) => Some(most * 4 / bytes),
            _ => None,
        }
    }

    /// The widths of the native vectors that `n` elements fall into, in order; the widest first, single elements only
    /// where nothing else is left.
    pub fn split(&self, n: i64) -> Vec<i64> {
        let (mut left, mut parts) = (n, Vec::new());
        let widths = match self.widths {
            Widths::Any => return vec![n],
            Widths::UpTo(most) => {
                let whole = std::iter::repeat_n(most, (n / most) as usize);
                return whole.chain(Some(n % most).filter(|&rest| rest > 0)).collect();
            }
            Widths::Of(widths) => widths,
        };
        while left > 0 {
            let fits = || widths.iter().rev().copied().filter(|&width| width <= left);
            // Five elements are three and two, not four and one.
            let width = fits().find(|&width| left - width != 1).or_else(|| fits().next()).unwrap_or(1);
            parts.push(width);
            left -= width;
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number of elements falls into native widths that sum to it, and a single element is left only of one.
    #[test]
    fn every_extent_splits() {
        for (machine, name) in VECTOR_MACHINES.iter().zip(VECTOR_MACHINE_NAMES) {
            assert_eq!(machine.name, *name);
            for n in 1..200 {
                let parts = machine.split(n);
                assert_eq!(parts.iter().sum::<i64>(), n);
                match machine.widths {
                    Widths::Any => assert_eq!(parts.len(), 1),
                    Widths::UpTo(most) => assert_eq!(parts.len() as i64, (n + most - 1) / most),
                    Widths::Of(widths) => {
                        assert!(parts.iter().all(|part| widths.contains(part) || (n == 1 && *part == 1)), "{parts:?}");
                        assert_eq!(parts.len() as i64, (n + 3) / 4, "{parts:?}");
                    }
                }
            }
        }
    }
}
