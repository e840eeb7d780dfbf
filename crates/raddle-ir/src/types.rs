//! Types: what MLIR's builtin dialect has, and types of other dialects kept as text.

use crate::ids::{AttrId, StrId, TypeId};

/// The extent of a dimension that is not known at compile time (`?` in text).
pub const DYNAMIC: i64 = i64::MIN;

/// Whether an integer type carries a sign. MLIR's `i32` is signless, `si32` signed, `ui32` unsigned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// `i32`: the operation decides.
    Signless,
    /// `si32`.
    Signed,
    /// `ui32`.
    Unsigned,
}

/// The floating-point formats of MLIR's builtin dialect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "each name is the MLIR spelling in capitals")]
pub enum Float {
    F16,
    BF16,
    TF32,
    F32,
    F64,
    F80,
    F128,
    F8E5M2,
    F8E4M3,
    F8E4M3FN,
    F8E5M2FNUZ,
    F8E4M3FNUZ,
    F8E4M3B11FNUZ,
    F8E3M4,
    F8E8M0FNU,
    F6E2M3FN,
    F6E3M2FN,
    F4E2M1FN,
}

impl Float {
    /// Every format with its MLIR keyword and its width in bits.
    pub const ALL: &[(Float, &str, u32)] = &[
        (Float::F16, "f16", 16),
        (Float::BF16, "bf16", 16),
        (Float::TF32, "tf32", 19),
        (Float::F32, "f32", 32),
        (Float::F64, "f64", 64),
        (Float::F80, "f80", 80),
        (Float::F128, "f128", 128),
        (Float::F8E5M2, "f8E5M2", 8),
        (Float::F8E4M3, "f8E4M3", 8),
        (Float::F8E4M3FN, "f8E4M3FN", 8),
        (Float::F8E5M2FNUZ, "f8E5M2FNUZ", 8),
        (Float::F8E4M3FNUZ, "f8E4M3FNUZ", 8),
        (Float::F8E4M3B11FNUZ, "f8E4M3B11FNUZ", 8),
        (Float::F8E3M4, "f8E3M4", 8),
        (Float::F8E8M0FNU, "f8E8M0FNU", 8),
        (Float::F6E2M3FN, "f6E2M3FN", 6),
        (Float::F6E3M2FN, "f6E3M2FN", 6),
        (Float::F4E2M1FN, "f4E2M1FN", 4),
    ];

    /// The MLIR keyword.
    pub fn keyword(self) -> &'static str {
        Float::ALL[self as usize].1
    }

    /// The width in bits (tf32 has 19; it occupies 32 in registers and memory).
    pub fn bits(self) -> u32 {
        Float::ALL[self as usize].2
    }
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `i1`, `si8`, `ui32`, …
    Integer {
        /// Width in bits.
        width: u32,
        /// Signedness of the type itself.
        sign: Sign,
    },
    /// `index`
    Index,
    /// `f16`, `f8E4M3FN`, …
    Float(Float),
    /// `none`
    None,
    /// `complex<f32>`
    Complex(TypeId),
    /// `tuple<…>`
    Tuple(Vec<TypeId>),
    /// `(a, b) -> (c)`
    Function {
        /// Types of the arguments.
        inputs: Vec<TypeId>,
        /// Types of the results.
        results: Vec<TypeId>,
    },
    /// `vector<4x[8]xf32>`
    Vector {
        /// Extents.
        shape: Vec<i64>,
        /// Which dimensions are scalable; empty when none is.
        scalable: Vec<bool>,
        /// Element type.
        elem: TypeId,
    },
    /// `tensor<?x4xf32, #encoding>`
    Tensor {
        /// Extents, [`DYNAMIC`] for `?`.
        shape: Vec<i64>,
        /// Element type.
        elem: TypeId,
        /// Encoding attribute.
        encoding: Option<AttrId>,
    },
    /// `tensor<*xf32>`
    UnrankedTensor(TypeId),
    /// `memref<4x?xf32, strided<[?, 1]>, #gpu.address_space<workgroup>>`
    MemRef {
        /// Extents, [`DYNAMIC`] for `?`.
        shape: Vec<i64>,
        /// Element type.
        elem: TypeId,
        /// Layout: a strided form or an affine map; `None` is row-major and contiguous.
        layout: Option<AttrId>,
        /// Memory space.
        space: Option<AttrId>,
    },
    /// `memref<*xf32>`
    UnrankedMemRef {
        /// Element type.
        elem: TypeId,
        /// Memory space.
        space: Option<AttrId>,
    },
    /// A type of another dialect, kept as its text after the `!`.
    Dialect(StrId),
}

impl Type {
    /// The extents, for vectors, ranked tensors and ranked memrefs.
    pub fn shape(&self) -> Option<&[i64]> {
        match self {
            Type::Vector { shape, .. } | Type::Tensor { shape, .. } | Type::MemRef { shape, .. } => Some(shape),
            _ => None,
        }
    }

    /// The element type, for shaped types.
    pub fn elem(&self) -> Option<TypeId> {
        match self {
            Type::Vector { elem, .. }
            | Type::Tensor { elem, .. }
            | Type::UnrankedTensor(elem)
            | Type::MemRef { elem, .. }
            | Type::UnrankedMemRef { elem, .. }
            | Type::Complex(elem) => Some(*elem),
            _ => None,
        }
    }

    /// Whether this is a tensor whose rank is known.
    pub fn is_tensor(&self) -> bool {
        matches!(self, Type::Tensor { .. })
    }

    /// Whether this is a vector type.
    pub fn is_vector(&self) -> bool {
        matches!(self, Type::Vector { .. })
    }
}

/// The type of one element, free of any [`crate::Ir`]: what tensors in files and registers are made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// A floating-point format.
    Float(Float),
    /// An integer of this width in bits; signedness is the operation's business.
    Int(u32),
    /// `index`
    Index,
}

impl Scalar {
    /// The scalar type named by an IR type, if it is one.
    pub fn of(ty: &Type) -> Option<Scalar> {
        match ty {
            Type::Float(float) => Some(Scalar::Float(*float)),
            Type::Integer { width, .. } => Some(Scalar::Int(*width)),
            Type::Index => Some(Scalar::Index),
            _ => None,
        }
    }

    /// The scalar type with this MLIR keyword.
    pub fn from_keyword(word: &str) -> Option<Scalar> {
        if word == "index" {
            return Some(Scalar::Index);
        }
        if let Some(&(float, ..)) = Float::ALL.iter().find(|row| row.1 == word) {
            return Some(Scalar::Float(float));
        }
        let digits = word.strip_prefix("si").or(word.strip_prefix("ui")).or(word.strip_prefix('i'))?;
        digits.parse().ok().map(Scalar::Int)
    }

    /// Width in bits; an index has 64.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Float(float) => float.bits(),
            Scalar::Int(width) => width,
            Scalar::Index => 64,
        }
    }

    /// Whether this is an integer of more than 64 bits.
    pub fn is_wide(self) -> bool {
        matches!(self, Scalar::Int(65..))
    }

    /// Bytes that one element takes in memory: the width rounded up to a power of two of whole bytes, and beyond 16 bytes
    /// to a multiple of 16, the alignment of `i128` (LLVM's data layouts for x86-64 and NVPTX).
    pub fn bytes(self) -> usize {
        let bytes = self.bits().div_ceil(8) as usize;
        if bytes <= 16 { bytes.next_power_of_two() } else { bytes.next_multiple_of(16) }
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Scalar::Float(float) => f.write_str(float.keyword()),
            Scalar::Int(width) => write!(f, "i{width}"),
            Scalar::Index => f.write_str("index"),
        }
    }
}
