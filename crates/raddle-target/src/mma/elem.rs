//! Element types as the vendors' matrix instructions name them.

use raddle_ir::{Float, Scalar};

/// The type of an operand's elements.
///
/// Richer than [`Scalar`]: signedness is the instruction's business here, and one instruction may read its bits as one
/// of two formats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "names of formats")]
pub enum Elem {
    F64,
    F32,
    /// f32 of which 19 bits count.
    TF32,
    /// AMD's name for the same idea.
    XF32,
    F16,
    BF16,
    /// Without infinities; on gfx940 to gfx942 also without negative zero.
    E4M3,
    /// On gfx940 to gfx942 without negative zero.
    E5M2,
    /// Each factor is one or the other; the mnemonic says which.
    E5M2OrE4M3,
    E3M2,
    E2M3,
    E2M1,
    /// Signed.
    S32,
    S8,
    U8,
    S4,
    U4,
    /// A bit; products are exclusive-or or and, sums are population counts.
    B1,
    /// A signless integer: signed, or as a modifier of the instruction says.
    I32,
    I8,
    I4,
    /// A scale: a power of two.
    UE8M0,
    /// A scale without a sign.
    UE4M3,
    /// Whatever the device offers.
    Device,
}

/// What is known of a type: its name, its bits in memory, and the type of the language.
type Row = (Elem, &'static str, u32, Option<Scalar>);

#[rustfmt::skip] // One type, one row.
const ELEMS: &[Row] = &[
    (Elem::F64, "f64", 64, Some(Scalar::Float(Float::F64))),
    (Elem::F32, "f32", 32, Some(Scalar::Float(Float::F32))),
    (Elem::TF32, "tf32", 32, Some(Scalar::Float(Float::TF32))),
    (Elem::XF32, "xf32", 32, Some(Scalar::Float(Float::TF32))),
    (Elem::F16, "f16", 16, Some(Scalar::Float(Float::F16))),
    (Elem::BF16, "bf16", 16, Some(Scalar::Float(Float::BF16))),
    (Elem::E4M3, "e4m3", 8, Some(Scalar::Float(Float::F8E4M3FN))),
    (Elem::E5M2, "e5m2", 8, Some(Scalar::Float(Float::F8E5M2))),
    (Elem::E5M2OrE4M3, "e5m2|e4m3", 8, None),
    (Elem::E3M2, "e3m2", 6, Some(Scalar::Float(Float::F6E3M2FN))),
    (Elem::E2M3, "e2m3", 6, Some(Scalar::Float(Float::F6E2M3FN))),
    (Elem::E2M1, "e2m1", 4, Some(Scalar::Float(Float::F4E2M1FN))),
    (Elem::S32, "s32", 32, Some(Scalar::Int(32))),
    (Elem::S8, "s8", 8, Some(Scalar::Int(8))),
    (Elem::U8, "u8", 8, Some(Scalar::Int(8))),
    (Elem::S4, "s4", 4, Some(Scalar::Int(4))),
    (Elem::U4, "u4", 4, Some(Scalar::Int(4))),
    (Elem::B1, "b1", 1, Some(Scalar::Int(1))),
    (Elem::I32, "i32", 32, Some(Scalar::Int(32))),
    (Elem::I8, "i8", 8, Some(Scalar::Int(8))),
    (Elem::I4, "i4", 4, Some(Scalar::Int(4))),
    (Elem::UE8M0, "ue8m0", 8, Some(Scalar::Float(Float::F8E8M0FNU))),
    (Elem::UE4M3, "ue4m3", 8, None),
    (Elem::Device, "device", 0, None),
];

impl Elem {
    /// Every type.
    pub fn all() -> impl Iterator<Item = Elem> {
        ELEMS.iter().map(|row| row.0)
    }

    /// The name in ids and mnemonics.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Bits of one element; 0 where only the device knows. tf32 counts as the 32 bits that it takes.
    pub fn bits(self) -> u32 {
        self.row().2
    }

    /// The type of the language that stands for it, 8-bit floats with negative zero. `None` where there is not one.
    pub fn scalar(self) -> Option<Scalar> {
        self.row().3
    }

    /// The same on one chip: gfx940 to gfx942 have the 8-bit floats without negative zero.
    pub fn scalar_on(self, chip: &str) -> Option<Scalar> {
        match (self, chip) {
            (Elem::E4M3, "gfx940" | "gfx941" | "gfx942") => Some(Scalar::Float(Float::F8E4M3FNUZ)),
            (Elem::E5M2, "gfx940" | "gfx941" | "gfx942") => Some(Scalar::Float(Float::F8E5M2FNUZ)),
            _ => self.scalar(),
        }
    }

    /// AMD's name in mnemonics.
    pub(super) fn amd(self) -> &'static str {
        match self {
            Elem::E4M3 => "fp8",
            Elem::E5M2 => "bf8",
            Elem::E2M3 => "fp6",
            Elem::E3M2 => "bf6",
            Elem::E2M1 => "fp4",
            _ => self.name(),
        }
    }

    fn row(self) -> &'static Row {
        let row = &ELEMS[self as usize];
        assert_eq!(row.0, self, "rows stand in the order of the types");
        row
    }
}
