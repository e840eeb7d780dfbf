//! What a pass may know besides the function: the chip, the options, and where it leaves remarks.

use std::cell::{Ref, RefCell};

use raddle_ir::Diag;
use raddle_target::Chip;

use crate::options::Options;

/// What passes may know besides the function.
pub struct Facts {
    /// The chip to compile for.
    pub chip: &'static Chip,
    /// Whether functions may be approximated by the chip's instructions.
    pub fast_math: bool,
    /// What passes have decided, and why: remarks, in the order of the decisions.
    pub remarks: RefCell<Vec<Diag>>,
    /// The options of the pass that runs; [`Facts::with_options`] sets them.
    options: RefCell<Options>,
}

impl Facts {
    /// What is known when compilation begins.
    pub fn new(chip: &'static Chip) -> Facts {
        Facts { chip, fast_math: false, remarks: RefCell::default(), options: RefCell::default() }
    }

    /// The same, for another chip; remarks begin anew.
    pub fn for_chip(&self, chip: &'static Chip) -> Facts {
        Facts { options: self.options.clone(), fast_math: self.fast_math, ..Facts::new(chip) }
    }

    /// Keeps a decision, or what has no effect, as a remark.
    pub fn remark(&self, diag: Diag) {
        self.remarks.borrow_mut().push(diag.as_remark());
    }

    /// Runs a pass with options.
    pub(crate) fn with_options<T>(&self, options: &Options, pass: impl FnOnce() -> T) -> T {
        // A script is a pass that runs passes.
        let outer = self.options.replace(options.clone());
        let result = pass();
        self.options.replace(outer);
        result
    }

    /// The options of the pass that runs.
    pub fn options(&self) -> Ref<'_, Options> {
        self.options.borrow()
    }
}
