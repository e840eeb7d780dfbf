//! What compiled functions are called with.

use raddle_ir::{Expr, Float, Scalar};

/// What one argument is.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name in the code.
    pub name: String,
    /// The type of a scalar, or of each element of a buffer.
    pub elem: Scalar,
    /// The extents of a buffer, -1 for one that is open; `None` for a scalar.
    pub shape: Option<Vec<i64>>,
    /// Whether the code reads the buffer; false for a number.
    pub is_read: bool,
    /// Whether the code writes the buffer, which then overlaps no other one; false for a number.
    pub is_written: bool,
    /// Of a number that is an extent of a buffer: which parameter, and which of its dimensions.
    pub extent_of: Option<(usize, usize)>,
    /// The extents of a result, where some are open and all follow from other parameters: symbol `s<i>` is parameter `i`, or
    /// a number of [`Sequence::numbers`](crate::Sequence::numbers) behind them.
    pub extents: Option<Vec<Expr>>,
}

impl Parameter {
    /// Bytes that the address of each buffer is a multiple of.
    pub const ALIGNMENT: u32 = 16;

    /// A parameter of which nothing more is known.
    pub fn new(name: String, elem: Scalar, shape: Option<Vec<i64>>) -> Parameter {
        Parameter { name, elem, shape, is_read: false, is_written: false, extent_of: None, extents: None }
    }

    /// The type of the scalar, or of each element of the buffer, as C spells it.
    pub fn c_type(&self) -> String {
        let bytes = self.elem.bytes();
        match self.elem {
            Scalar::Float(Float::F64) => "double".to_owned(),
            Scalar::Float(Float::F32 | Float::TF32) => "float".to_owned(),
            Scalar::Float(Float::F16) if self.shape.is_none() => "_Float16".to_owned(),
            Scalar::Float(_) => format!("uint{}_t", 8 * bytes),
            Scalar::Index => "int64_t".to_owned(),
            Scalar::Int(1) => "uint8_t".to_owned(),
            Scalar::Int(_) => format!("int{}_t", 8 * bytes),
        }
    }

    /// As C declares it.
    pub fn c_declaration(&self) -> String {
        let ty = self.c_type();
        match (&self.shape, self.is_written) {
            (None, _) => format!("{ty} {}", self.name),
            (Some(_), true) => format!("{ty} *{}", self.name),
            (Some(_), false) => format!("const {ty} *{}", self.name),
        }
    }
}
