//! MLIR text: reader and printer, generic and custom forms.

mod attrs;
mod custom;
mod dense;
mod digits;
mod format;
mod layouts;
mod lexer;
pub mod llvm;
mod location;
mod metadata;
mod named;
mod names;
mod pack;
mod parser;
mod printer;
mod structs;
mod types;

use crate::diag::Diag;
use crate::ids::{AttrId, OpId, TypeId};
use crate::ir::Ir;
use crate::ops::{OfRows, Opcode};
use names::Names;
use parser::Parser;
use printer::Printer;

pub(crate) use attrs::float_of_bits;
pub(crate) use custom::dma_maps;
pub(crate) use custom::{LLVM_CONVENTIONS, LLVM_LINKAGES, LLVM_TAILS, inside_llvm, llvm_part};
pub(crate) use custom::{arity, finish as finish_named, is_named, meant_maps, n_windows, remembered_maps};
pub(crate) use custom::{dynamic_extents, param_number};
pub(crate) use format::{group_range, result_range};
pub(crate) use lexer::bytes_of;
pub(crate) use llvm::{
    Llvm, StructBody, is_llvm, is_llvm_float, is_llvm_pointer, is_llvm_vector, is_part, vector_part,
};
pub use location::locate;
pub(crate) use named::split_at_depth;
pub(crate) use structs::RAGGED;

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
    /// Write the elements of constants that have more than so many as the digits of their bytes
    /// (`--mlir-print-elementsattrs-with-hex-if-larger`); 100 if nothing is said.
    pub hex_larger: Option<u64>,
    /// Leave out entries of the metadata whose text is longer than so many bytes
    /// (`--mlir-elide-resource-strings-if-larger`).
    pub elide_resources: Option<u64>,
    /// Locations behind operations and arguments (`--mlir-print-debuginfo`); see [`locate`].
    pub locations: bool,
    /// `{...}` for each region (`--mlir-print-skip-regions`).
    pub skip_regions: bool,
    /// Numbers that go on from region to region (`--mlir-print-unique-ssa-ids`), as they always do in generic form.
    pub unique_numbers: bool,
    /// Names of values from their locations, where those have one (`--mlir-use-nameloc-as-prefix`).
    pub names_from_locations: bool,
    /// Comments that say which operations use a value (`--mlir-print-value-users`).
    pub users: bool,
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
    let mut printer = Printer::new(ir, options, Names::number(ir, op, options));
    printer.op(op);
    printer.out.push('\n');
    // As in MLIR, the metadata is left out with everything else that stands apart from its use.
    if options.local_scope { printer.finish() } else { printer.whole_file() }
}

/// One operation as text, as if it were alone: values from outside have no names.
pub fn print_one(ir: &Ir, op: OpId, options: &PrintOptions) -> String {
    let mut printer = Printer::new(ir, options, Names::number(ir, op, options));
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
    let mut printer = Printer::new(ir, &options, Names::number(ir, root, &options));
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

/// Longer words are not typing mistakes.
const WORD_MAX: usize = 64;

/// Words further apart have nothing to do with each other, however long they are.
const EDITS_MAX: usize = 6;

/// The known word that someone may have meant: the nearest one, if it is near enough. One of the same dialect is nearer
/// than any other.
pub fn suggest<'w>(word: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    nearest(word, known.into_iter().map(|other| (letters(other), other)))
}

/// The operation that someone may have meant.
fn suggest_op(name: &str) -> Option<&'static str> {
    // A text with many mistakes asks often.
    static KNOWN: OfRows<Vec<(u64, &str)>> =
        OfRows::new(|| Opcode::all().map(Opcode::name).map(|name| (letters(name), name)).collect());
    nearest(name, KNOWN.iter().copied())
}

/// The bytes of a word as a set, roughly.
fn letters(word: &str) -> u64 {
    word.bytes().fold(0, |set, byte| set | 1 << (byte & 63))
}

/// The word that is nearest among words with their letters. Most are told apart by their lengths or letters: an edit
/// changes the length by one, takes away one letter, and brings one.
fn nearest<'w>(word: &str, known: impl Iterator<Item = (u64, &'w str)>) -> Option<&'w str> {
    if word.len() > WORD_MAX {
        return None;
    }
    let own = letters(word);
    let dialect = word.find('.').map(|dot| &word[..=dot]);
    // A dialect is right as a rule, and says nothing of how much of a name may be wrong.
    let own_len = word.len() - dialect.map_or(0, str::len);
    // Whether the dialects differ, the distance, and the word.
    let mut best: Option<(bool, usize, &'w str)> = None;
    let most = (word.len() / 3).min(own_len / 2).clamp(1, EDITS_MAX);
    for (set, other) in known {
        let changed = || (own & !set).count_ones().max((set & !own).count_ones()) as usize;
        if other.len().abs_diff(word.len()) > most || changed() > most {
            continue;
        }
        let foreign = dialect.is_some_and(|dialect| !other.starts_with(dialect));
        let limit = match best {
            Some((false, ..)) if foreign => continue,
            Some((others, distance, _)) if others == foreign => distance,
            _ => most,
        };
        if let Some(distance) = distance(word.as_bytes(), other.as_bytes(), limit) {
            let found = (foreign, distance, other);
            best = Some(best.map_or(found, |best| best.min(found)));
        }
    }
    best.map(|(_, _, other)| other)
}

/// Levenshtein's edit distance in bytes, if it is at most `limit`.
fn distance(a: &[u8], b: &[u8], limit: usize) -> Option<usize> {
    let mut row: [u8; 2 * WORD_MAX] = std::array::from_fn(|i| i as u8);
    let row = &mut row[..=b.len()];
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        let mut left = i as u8 + 1;
        row[0] = left;
        let mut least = left;
        for (above, y) in row[1..].iter_mut().zip(b) {
            let replaced = diagonal + u8::from(x != y);
            diagonal = *above;
            left = replaced.min(left + 1).min(diagonal + 1);
            *above = left;
            least = least.min(left);
        }
        // No row has anything smaller than the smallest of the row above.
        if usize::from(least) > limit {
            return None;
        }
    }
    Some(usize::from(row[b.len()])).filter(|&distance| distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::{suggest, suggest_op};

    /// A slip in the operation finds its own dialect first, a slip in the dialect finds the other.
    #[test]
    fn the_same_dialect_is_nearer() {
        assert_eq!(suggest("scf.fo", ["cf.fo", "scf.for", "scf.forall"]), Some("scf.for"));
        assert_eq!(suggest("cf.for", ["scf.for", "cf.switch"]), Some("scf.for"));
        assert_eq!(suggest_op("arit.addf"), Some("arith.addf"));
        assert_eq!(suggest_op("memref.laod"), Some("memref.load"));
    }

    /// Words that share little are not offered, whatever their length.
    #[test]
    fn far_words_are_no_suggestion() {
        assert_eq!(suggest("abc", ["xyz"]), None);
        assert_eq!(suggest_op("math.gelu"), None);
        assert_eq!(suggest_op(&"a".repeat(60)), None);
    }
}
