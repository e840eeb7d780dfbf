//! Dialects that are only read, checked and printed: the table of `raddle-ir` without what is compiled.
//!
//! Here are the rows that no pass, emulator or emitter asks for, by dialect, and the rules that no row can state. The
//! operations of these dialects that are compiled, and those whose assembly is written by hand, are rows of `raddle-ir`.
//! A text that uses the rows here is read once they are loaded:
//!
//! ```
//! let text = "func.func @f(%x: f32) -> f32 { %y = rocdl.exp2 %x f32 -> f32 return %y : f32 }";
//! let diags = raddle_ir::parse(text).err().unwrap_or_default();
//! assert!(diags[0].help.as_deref().is_some_and(|help| help.contains("raddle_dialects::load()")));
//!
//! raddle_dialects::load();
//! assert!(raddle_ir::parse(text).is_ok());
//! ```

mod forms;
mod hal;
mod llvm;
mod nvvm;
mod rocdl;
mod smt;
mod stream;
mod transform;

use raddle_ir::ops::OpInfo;

static TABLES: &[&[OpInfo]] =
    &[hal::ROWS, llvm::ROWS, nvvm::ROWS, rocdl::ROWS, smt::ROWS, stream::ROWS, transform::ROWS];

/// Adds the rows to the table of operations, for the whole process. Calling it again does nothing.
pub fn load() {
    raddle_ir::ops::load(TABLES);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use raddle_ir::Opcode;
    use raddle_ir::ops::Trait;

    use super::*;

    /// No name stands twice, here or in the table that these rows are added to; each is found by it.
    #[test]
    fn names_are_unique() {
        load();
        let names: BTreeSet<&str> = Opcode::all().map(Opcode::name).collect();
        assert_eq!(names.len(), Opcode::all().count());
        for row in TABLES.iter().copied().flatten() {
            assert!(Opcode::from_name(row.name).is_some_and(|opcode| std::ptr::eq(opcode.info(), row)), "{}", row.name);
        }
    }

    /// The texts of each row can be taken apart, and what it reads and writes is one of its operand groups.
    #[test]
    fn rows_are_well_formed() {
        load();
        for opcode in Opcode::all().filter(|opcode| opcode.is_loaded()) {
            assert!(!opcode.has_property(""), "{}", opcode.name());
            for effect in opcode.info().traits {
                let (Trait::Reads(name) | Trait::Writes(name)) = effect else { continue };
                let signature = opcode.info().form.signature;
                assert!(signature.contains(&format!("{name} ")), "{} has no operand `{name}`", opcode.name());
            }
        }
    }
}
