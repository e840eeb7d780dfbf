//! What a pass may know besides the function and its options: the chip, and where it leaves remarks.

use std::cell::RefCell;

use raddle_ir::Diag;
use raddle_target::Chip;

/// What passes may know besides the function and their options.
pub struct Facts {
    /// The chip to compile for.
    pub chip: &'static Chip,
    /// Whether functions may be approximated by the chip's instructions.
    pub fast_math: bool,
    /// Whether accesses that are not surely inside of their buffers are checked while the program runs.
    pub bounds_checks: bool,
    /// What passes have decided, and why: remarks, in the order of the decisions.
    pub remarks: RefCell<Vec<Diag>>,
}

impl Facts {
    /// What is known when compilation begins.
    pub fn new(chip: &'static Chip) -> Facts {
        Facts { chip, fast_math: false, bounds_checks: false, remarks: RefCell::default() }
    }

    /// The same, for another chip; remarks begin anew.
    pub fn for_chip(&self, chip: &'static Chip) -> Facts {
        Facts { fast_math: self.fast_math, bounds_checks: self.bounds_checks, ..Facts::new(chip) }
    }

    /// Keeps a decision, or what has no effect, as a remark.
    pub fn remark(&self, diag: Diag) {
        self.remarks.borrow_mut().push(diag.as_remark());
    }
}
