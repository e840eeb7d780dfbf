//! MLIR text and IR: arenas with dense ids, an op table, builders, diagnostics.
//!
//! Start at [`Ir`]; [`ops`] is the table of what it may hold.

pub mod affine;
pub mod attrs;
mod build;
mod codes;
pub mod diag;
pub mod dominance;
pub mod float;
pub mod form;
mod ids;
pub mod interface;
mod ir;
pub mod ops;
pub mod text;
pub mod types;
pub mod verify;
pub mod views;

pub use affine::{Expr, Map};
pub use attrs::{Attr, Body, Loc};
pub use build::{Builder, Point, ValueMap, keyword_attr};
pub use diag::{Code, Diag, Severity, Span};
pub use ids::{AttrId, BlockId, OpId, RegionId, StrId, TypeId, ValueId};
pub use ir::{Def, Ir, Section};
pub use ops::{Class, Division, Opcode, Trait};
pub use text::{ParseOptions, PrintOptions, locate, parse_attr, print, print_attr, print_op, print_type};
pub use types::{DYNAMIC, Float, Scalar, Sign, Type};
pub use verify::verify;

/// Reads a file and verifies it.
pub fn parse(text: &str) -> Result<Ir, Vec<Diag>> {
    let ir = text::parse(text)?;
    let diags = verify(&ir);
    if diags.is_empty() { Ok(ir) } else { Err(diags) }
}
