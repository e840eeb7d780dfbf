//! MLIR text and IR: arenas with dense ids, an op table, builders, diagnostics.
//!
//! Start at [`Ir`]; [`ops`] is the table of what it may hold.
//!
//! ```
//! use raddle_ir::{Builder, Ir, Opcode, PrintOptions, Span, parse, print, verify};
//!
//! // Text to IR, which is verified, and back.
//! let ir = parse("func.func @f(%x: f32) -> f32 { %y = arith.addf %x, %x : f32 return %y : f32 }").map_err(|d| d[0].clone())?;
//! let func = ir.funcs()[0];
//! assert_eq!(ir.symbol_name(func), Some("f"));
//! assert!(print(&ir, &PrintOptions::default()).contains("%0 = arith.addf %arg0, %arg0 : f32"));
//!
//! // The same function, built.
//! let mut ir = Ir::new();
//! let f32 = ir.float_type(raddle_ir::Float::F32);
//! let name = ir.str_attr("f");
//! let func = ir.create(Opcode::FuncFunc, &[], &[], &[("sym_name", name)], Span::default());
//! ir.set_signature(func, &[f32], &[f32]);
//! ir.append(ir.module_block(), func);
//! let region = ir.add_region(func);
//! let block = ir.add_block(region, &[f32]);
//! let x = ir.args(block)[0];
//! let mut builder = Builder::at_end(&mut ir, block, Span::default());
//! let y = builder.binary(Opcode::ArithAddf, x, x);
//! builder.op(Opcode::FuncReturn, &[y], &[], &[]);
//! assert_eq!(verify(&ir), []);
//!
//! // What is wrong is data: a code, a place, and what to do.
//! let diags = parse("func.func @f() { %0 = arith.adf %a, %b : f32 return }").err().unwrap_or_default();
//! assert_eq!(diags[0].help.as_deref(), Some("did you mean `arith.addf`?"));
//! # Ok::<(), raddle_ir::Diag>(())
//! ```

pub mod affine;
pub mod attrs;
mod build;
mod codes;
pub mod diag;
pub mod dominance;
pub mod extents;
mod extract;
pub mod float;
pub mod form;
mod ids;
pub mod interface;
mod intern;
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
pub use ops::{Class, Division, Neutral, Opcode, Trait};
pub use text::{ParseOptions, PrintOptions, locate, parse_attr, print, print_attr, print_op, print_type};
pub use types::{DYNAMIC, Float, Scalar, Sign, Type};
pub use verify::{verify, verify_op};

/// Reads a file and verifies it.
pub fn parse(text: &str) -> Result<Ir, Vec<Diag>> {
    let ir = text::parse(text)?;
    let diags = verify(&ir);
    if diags.is_empty() { Ok(ir) } else { Err(diags) }
}
