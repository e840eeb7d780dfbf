//! Rows that other crates add to the table, once in a process.
//!
//! Opcodes of such rows are numbers behind those of this crate: nothing but the reader, the verifier and the printer
//! ever asks which one it is.

use std::ops::Deref;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::{OPS, OpInfo, Opcode};
use crate::form::Shape;

/// The rows, and what is known of them once somebody has asked.
struct Loaded {
    tables: &'static [&'static [OpInfo]],
    rows: Vec<&'static OpInfo>,
    by_name: OnceLock<FxHashMap<&'static str, Opcode>>,
    shapes: Vec<OnceLock<Box<Shape>>>,
}

static LOADED: OnceLock<Loaded> = OnceLock::new();

/// Adds rows to the table, for the whole process. To load the same ones again does nothing.
///
/// A text that is read before has none of these operations: load first.
pub fn load(tables: &'static [&'static [OpInfo]]) {
    let loaded = LOADED.get_or_init(|| {
        let rows: Vec<&OpInfo> = tables.iter().copied().flatten().collect();
        let shapes = rows.iter().map(|_| OnceLock::new()).collect();
        Loaded { tables, rows, by_name: OnceLock::new(), shapes }
    });
    assert!(std::ptr::eq(loaded.tables, tables), "rows are loaded once");
}

/// Whether rows were added.
pub(crate) fn has_loaded() -> bool {
    LOADED.get().is_some()
}

/// What is behind an opcode that was loaded.
fn loaded() -> &'static Loaded {
    LOADED.get().expect("an opcode behind those of this crate was loaded")
}

/// The row's number among those that were loaded.
fn number(opcode: Opcode) -> usize {
    opcode.place() - OPS.len()
}

/// The row behind an opcode. Kept out of the way of the others, which are asked for all the time.
#[cold]
pub(super) fn row(opcode: Opcode) -> &'static OpInfo {
    loaded().rows[number(opcode)]
}

/// Its texts, taken apart.
#[cold]
pub(crate) fn shape(opcode: Opcode) -> &'static Shape {
    let info = row(opcode);
    loaded().shapes[number(opcode)].get_or_init(|| Box::new(Shape::parse(info.name, &info.form)))
}

/// How many rows were loaded.
pub(super) fn count() -> usize {
    LOADED.get().map_or(0, |loaded| loaded.rows.len())
}

pub(super) fn from_name(name: &str) -> Option<Opcode> {
    let loaded = LOADED.get()?;
    let by_name = loaded.by_name.get_or_init(|| {
        Opcode::places().filter(|opcode| opcode.is_loaded()).map(|opcode| (opcode.name(), opcode)).collect()
    });
    by_name.get(name).copied()
}

/// What is computed once of all rows, and once more when rows were added.
pub(crate) struct OfRows<T> {
    before: OnceLock<T>,
    after: OnceLock<T>,
    make: fn() -> T,
}

impl<T> OfRows<T> {
    pub const fn new(make: fn() -> T) -> OfRows<T> {
        OfRows { before: OnceLock::new(), after: OnceLock::new(), make }
    }
}

impl<T> Deref for OfRows<T> {
    type Target = T;

    fn deref(&self) -> &T {
        let place = if has_loaded() { &self.after } else { &self.before };
        place.get_or_init(self.make)
    }
}
