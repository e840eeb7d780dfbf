//! Attributes: constant data on operations.

use std::sync::Arc;

use num_bigint::BigInt;

use raddle_layout::Nested;

use crate::affine::{Expr, Map};
use crate::ids::{AttrId, StrId, TypeId};

/// An attribute.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Attr {
    /// `unit`
    Unit,
    /// `true`, `false`
    Bool(bool),
    /// `4 : i32`, `7 : index`. The value is sign-extended from the type's width.
    Int {
        /// The value.
        value: i128,
        /// The type.
        ty: TypeId,
    },
    /// `0x1234… : i256`, where 128 bits do not hold the value.
    Wide {
        /// The value, as in [`Attr::Int`].
        value: BigInt,
        /// The type.
        ty: TypeId,
    },
    /// `1.0 : f32`.
    Float {
        /// The bits of the value as an `f64`: every format of at most 64 bits embeds in it.
        bits: u64,
        /// The type.
        ty: TypeId,
    },
    /// `0x3FFF8000000000000001 : f80`, where no `f64` is the value.
    LongFloat {
        /// The bits in the format of the type.
        bits: u128,
        /// The type: `f80` or `f128`.
        ty: TypeId,
    },
    /// `"text"`
    Str(StrId),
    /// `[a, b]`
    Array(Vec<AttrId>),
    /// `{name = value}`, sorted by name as text.
    Dict(Vec<(StrId, AttrId)>),
    /// A type as an attribute.
    Type(TypeId),
    /// `@root::@nested`
    Symbol(Vec<StrId>),
    /// `affine_map<…>`
    Map(Map),
    /// `affine_set<…>`
    Set(Set),
    /// `dense<…> : type`
    Dense {
        /// A shaped type.
        ty: TypeId,
        /// One value stands for all elements.
        splat: bool,
        /// Little-endian element data; each element takes its width rounded up to whole bytes.
        bytes: Vec<u8>,
    },
    /// `array<i64: 1, 2>`; floats are kept as the bits of their own format.
    DenseArray {
        /// Element type: an integer or float type.
        elem: TypeId,
        /// The values.
        values: Vec<i64>,
    },
    /// `strided<[s0, s1], offset: o>`, [`crate::types::DYNAMIC`] for `?`.
    Strided {
        /// Offset in elements.
        offset: i64,
        /// Stride of each dimension in elements.
        strides: Vec<i64>,
    },
    /// `#iree_vector_ext.nested_layout<…>`
    Layout(Arc<Nested>),
    /// `loc(…)`
    Loc(Loc),
    /// `distinct[3]<…>`: unequal to all of another number.
    Distinct {
        /// The number that tells it apart; print counts anew.
        id: u32,
        /// What it wraps.
        of: AttrId,
    },
    /// Any other attribute of a dialect: `#name` or `#name<body>`.
    Dialect {
        /// With the dialect, as in `gpu.address_space`.
        name: StrId,
        /// What stands in the angle brackets.
        body: Body,
    },
}

/// What stands in the angle brackets of a dialect attribute.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Body {
    /// No brackets at all.
    None,
    /// One word: `#gpu.address_space<workgroup>`.
    Keyword(StrId),
    /// One attribute: `#iree_gpu.lowering_config<{…}>`.
    Attr(AttrId),
    /// Named parameters in order: `<pipeline = … workgroup_size = […]>`; a parameter without a name has an empty one.
    Fields(Vec<(StrId, AttrId)>),
    /// Text between balanced brackets, kept as it is.
    Text(StrId),
}

/// Where something was written, as the program says it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Loc {
    /// `unknown`
    Unknown,
    /// `"file":1:2 to 3:4`; line and column count from 1.
    File {
        /// The file.
        name: StrId,
        /// Line and column of the first character.
        start: (u32, u32),
        /// Line and column of the last one; the same as `start` where no end is stated.
        end: (u32, u32),
    },
    /// `"name"(child)`
    Name {
        /// The name.
        name: StrId,
        /// The location that has it.
        child: AttrId,
    },
    /// `callsite(callee at caller)`
    Call {
        /// What was called.
        callee: AttrId,
        /// Where the call stands.
        caller: AttrId,
    },
    /// `fused<metadata>[a, b]`
    Fused {
        /// What joined the locations.
        metadata: Option<AttrId>,
        /// The locations.
        parts: Vec<AttrId>,
    },
}

/// `(d0)[s0] : (d0 - s0 >= 0, d0 == 0)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Set {
    /// The number of dimensions.
    pub dims: u32,
    /// The number of symbols.
    pub syms: u32,
    /// Each constraint: an expression, and whether it equals 0 (`true`) or is at least 0 (`false`).
    pub constraints: Vec<(Expr, bool)>,
}

impl Attr {
    /// A float attribute of type `ty`; the caller has rounded `value` to that type.
    pub fn float(value: f64, ty: TypeId) -> Attr {
        Attr::Float { bits: value.to_bits(), ty }
    }

    /// An integer attribute of any width; the caller has brought `value` to the range of the type.
    pub fn integer(value: BigInt, ty: TypeId) -> Attr {
        match i128::try_from(&value) {
            Ok(value) => Attr::Int { value, ty },
            Err(_) => Attr::Wide { value, ty },
        }
    }

    /// The value of an integer or boolean attribute, whatever its width.
    pub fn as_integer(&self) -> Option<BigInt> {
        match self {
            Attr::Int { value, .. } => Some(BigInt::from(*value)),
            Attr::Wide { value, .. } => Some(value.clone()),
            Attr::Bool(value) => Some(BigInt::from(u8::from(*value))),
            _ => None,
        }
    }

    /// The value of a float attribute.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Attr::Float { bits, .. } => Some(f64::from_bits(*bits)),
            _ => None,
        }
    }

    /// The value of an integer or boolean attribute, when it fits.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Attr::Int { value, .. } => i64::try_from(*value).ok(),
            Attr::Bool(value) => Some(i64::from(*value)),
            _ => None,
        }
    }
}
