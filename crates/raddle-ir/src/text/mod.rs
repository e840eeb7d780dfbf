//! MLIR text: reader and printer, generic and custom forms.

mod attrs;
mod custom;
mod dense;
mod digits;
mod format;
mod lexer;
mod location;
mod metadata;
mod names;
mod pack;
mod parser;
mod printer;
mod structs;
mod types;

use crate::diag::Diag;
use crate::ids::{AttrId, OpId, TypeId};
use crate::ir::Ir;
use names::Names;
use parser::Parser;
use printer::Printer;

pub(crate) use custom::remembered_maps;
pub(crate) use format::group_range;
pub use location::locate;

/// What the reader accepts.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions {
    /// Keep operations that are not in the table, in generic form.
    pub allow_unregistered: bool,
}

/// How IR is printed.
#[derive(Clone, Debug, Default)]
pub struct PrintOptions {
    /// The generic form of every operation (`--mlir-print-op-generic`).
    pub generic: bool,
    /// No aliases (`--mlir-print-local-scope`).
    pub local_scope: bool,
    /// Leave out the elements of constants that have more than so many (`--mlir-elide-elementsattrs-if-larger`).
    pub elide_larger: Option<u64>,
    /// Locations behind operations and arguments (`--mlir-print-debuginfo`); see [`locate`].
    pub locations: bool,
}

/// Reads a file without verifying it.
pub fn parse(text: &str) -> Result<Ir, Vec<Diag>> {
    parse_with(text, ParseOptions::default())
}

/// Reads a file without verifying it.
pub fn parse_with(text: &str, options: ParseOptions) -> Result<Ir, Vec<Diag>> {
    let mut ir = Ir::new();
    let errors = Parser::new(text, &mut ir, options).whole();
    if errors.is_empty() { Ok(ir) } else { Err(errors) }
}

/// Reads one attribute, as in `#iree_vector_ext.nested_layout<…>`.
#[allow(clippy::result_large_err, reason = "a diagnostic is large and rare")]
pub fn parse_attr(text: &str, ir: &mut Ir) -> Result<AttrId, Diag> {
    let mut parser = Parser::new(text, ir, ParseOptions::default());
    let read = parser.attr().and_then(|attr| {
        parser.expect_kind(lexer::Kind::Eof, "the end of the attribute")?;
        Ok(attr)
    });
    read.map_err(|diag| *diag)
}

/// Reads one type, as in `vector<4xf32>`.
#[allow(clippy::result_large_err, reason = "a diagnostic is large and rare")]
pub fn parse_type(text: &str, ir: &mut Ir) -> Result<TypeId, Diag> {
    let mut parser = Parser::new(text, ir, ParseOptions::default());
    let read = parser.ty().and_then(|ty| {
        parser.expect_kind(lexer::Kind::Eof, "the end of the type")?;
        Ok(ty)
    });
    read.map_err(|diag| *diag)
}

/// The module as text.
pub fn print(ir: &Ir, options: &PrintOptions) -> String {
    let op = ir.module();
    let mut printer = Printer::new(ir, options, Names::number(ir, op, options.generic));
    printer.op(op);
    printer.out.push('\n');
    printer.whole_file()
}

/// One operation as text, as if it were alone: values from outside have no names.
pub fn print_one(ir: &Ir, op: OpId, options: &PrintOptions) -> String {
    let mut printer = Printer::new(ir, options, Names::number(ir, op, options.generic));
    printer.op(op);
    printer.out.push('\n');
    printer.finish()
}

/// One operation as text with everything in it, and without aliases; values from outside have the names that they
/// have in the module.
pub fn print_op(ir: &Ir, op: OpId) -> String {
    let options = PrintOptions { local_scope: true, ..PrintOptions::default() };
    let mut root = op;
    while let Some(parent) = ir.parent_op(root) {
        root = parent;
    }
    let mut printer = Printer::new(ir, &options, Names::number(ir, root, false));
    printer.op(op);
    printer.finish()
}

/// A type as text.
pub fn print_type(ir: &Ir, ty: TypeId) -> String {
    let options = PrintOptions { local_scope: true, ..PrintOptions::default() };
    let mut printer = Printer::new(ir, &options, Names::default());
    printer.ty(ty);
    printer.finish()
}

/// An attribute as text.
pub fn print_attr(ir: &Ir, attr: AttrId) -> String {
    let options = PrintOptions { local_scope: true, ..PrintOptions::default() };
    let mut printer = Printer::new(ir, &options, Names::default());
    printer.attr(attr);
    printer.finish()
}

/// Longer words are no slips of the hand.
const WORD_MAX: usize = 64;

/// The known word that someone may have meant: the nearest one, if it is near enough.
pub fn suggest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    if word.len() > WORD_MAX {
        return None;
    }
    let limit = (word.len() / 3).max(1);
    // A text with many mistakes asks often: most words are told apart by their lengths or letters. An edit changes the
    // length by one, and adds or removes at most two letters.
    let letters = |word: &str| word.bytes().fold(0u64, |set, byte| set | 1 << (byte & 63));
    let own = letters(word);
    let alike = known.into_iter().filter(|other| {
        other.len().abs_diff(word.len()) <= limit && (letters(other) ^ own).count_ones() as usize <= 2 * limit
    });
    let near = alike.map(|other| (distance(word.as_bytes(), other.as_bytes()), other)).filter(|(d, _)| *d <= limit);
    near.min().map(|(_, other)| other)
}

/// Levenshtein's edit distance, in bytes.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: [usize; 2 * WORD_MAX] = std::array::from_fn(|i| i);
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
