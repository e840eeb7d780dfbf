//! What a pass may know besides the function and its options: the chip, and where it leaves remarks.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::sync::Arc;

use raddle_ir::{Code, Diag};
use raddle_target::{Chip, Mma};
use rustc_hash::FxHashMap;

/// What products of f32 may become on chips without matrix instructions that take all their digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum F32Products {
    /// Multiply-adds of f32.
    #[default]
    Exact,
    /// Three products of tf32, of which factors have 22 digits: each is off by at most 2^-20 of itself. What is infinite
    /// gives NaN.
    Tf32x3,
    /// One product of tf32: factors have 11 digits, the others are cut off.
    Tf32,
}

impl F32Products {
    /// All of them, as users type them.
    pub const ALL: [(&'static str, F32Products); 3] =
        [("exact", F32Products::Exact), ("tf32x3", F32Products::Tf32x3), ("tf32", F32Products::Tf32)];

    /// What a product of two f32 may be off by, in units in its last place: half of one where it is rounded.
    pub fn error(self) -> f64 {
        match self {
            F32Products::Exact => 1.0,
            F32Products::Tf32x3 => 4.0,
            // Both factors lose 13 digits, of which those of most products are not the largest.
            F32Products::Tf32 => 4096.0,
        }
    }
}

/// What is found out: its type, and the numbers that it follows from beside the facts.
type Known = (TypeId, Vec<i64>);

/// What passes may know besides the function and their options.
pub struct Facts {
    /// The chip to compile for.
    pub chip: &'static Chip,
    /// Whether functions may be approximated by the chip's instructions.
    pub fast_math: bool,
    /// What products of f32 may become.
    pub f32_products: F32Products,
    /// Whether accesses that are not surely inside of their buffers are checked while the program runs.
    pub bounds_checks: bool,
    /// What passes have decided, and why: remarks, in the order of the decisions.
    pub remarks: RefCell<Vec<Diag>>,
    /// What steps have found out.
    known: RefCell<FxHashMap<Known, Arc<dyn Any + Send + Sync>>>,
}

impl Facts {
    /// What is known when compilation begins.
    pub fn new(chip: &'static Chip) -> Facts {
        Facts {
            chip,
            fast_math: false,
            f32_products: F32Products::Exact,
            bounds_checks: false,
            remarks: RefCell::default(),
            known: RefCell::default(),
        }
    }

    /// The same, with another choice for products of f32; a remark where the chip has none.
    pub fn with_f32_products(mut self, how: F32Products) -> Facts {
        if how == F32Products::Exact || self.chip.mma_rows().any(|mma| mma.on_request) {
            self.f32_products = how;
        } else {
            let message =
                format!("products of f32 stay what they are: {} has no matrix instructions of tf32", self.chip.name);
            self.remark(Diag::nowhere(Code::LayoutChoice, message));
        }
        self
    }

    /// The same, for another chip; remarks begin anew.
    pub fn for_chip(&self, chip: &'static Chip) -> Facts {
        let Facts { fast_math, f32_products, bounds_checks, .. } = *self;
        Facts { fast_math, f32_products, bounds_checks, ..Facts::new(chip) }
    }

    /// The matrix instructions that passes choose among where a program names none, preferred ones first.
    pub fn mmas(&self) -> impl Iterator<Item = &'static Mma> + use<'_> {
        let may = |mma: &&'static Mma| match self.f32_products {
            F32Products::Exact => !mma.on_request,
            F32Products::Tf32x3 => !mma.on_request || mma.pieces_of.is_some(),
            F32Products::Tf32 => mma.pieces_of.is_none(),
        };
        self.chip.mma_rows().filter(|mma| mma.blocks.is_none()).filter(may)
    }

    /// What follows from these numbers, and the rest of this: found when it is asked for the first time.
    pub(crate) fn once<T: Any + Send + Sync>(&self, from: Vec<i64>, find: impl FnOnce() -> T) -> Arc<T> {
        let key = (TypeId::of::<T>(), from);
        let known = self.known.borrow().get(&key).cloned();
        let known = known.unwrap_or_else(|| {
            let found: Arc<dyn Any + Send + Sync> = Arc::new(find());
            self.known.borrow_mut().insert(key, Arc::clone(&found));
            found
        });
        known.downcast().expect("what is kept under a type is of it")
    }

    /// Keeps a decision, or what has no effect, as a remark.
    pub fn remark(&self, diag: Diag) {
        self.remarks.borrow_mut().push(diag.as_remark());
    }
}
