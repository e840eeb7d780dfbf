//! The table of passes: one row each, in the order of the street.

use raddle_ir::{Diag, Ir, OpId};
use raddle_target::{Chip, Stage};

/// What passes may know besides the function.
pub struct Facts {
    /// The chip to compile for.
    pub chip: &'static Chip,
}

/// One pass.
pub struct Pass {
    /// As users type it.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// The stage that holds when it is done; `None` for a pass that keeps the stage.
    pub stage: Option<Stage>,
    /// Names of other tools for the same thing.
    pub aliases: &'static [&'static str],
    /// The pass.
    pub run: fn(&mut Ir, OpId, &Facts) -> Result<(), Diag>,
}

/// Every pass.
pub const PASSES: &[Pass] = &[];
