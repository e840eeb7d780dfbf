//! Checks of accesses while the program runs, where the user asks for them.
//!
//! Before: `%x = memref.load %m[%i, %j] : memref<?x64xf32>`, `%j` below 64 by its range
//! After:  `raddle.check_index %i, %rows along 0` in front of the load
//!
//! What the ranges of indices, the ends of loops and the branches around prove is not checked, and what was checked is
//! not checked again where the first check lies in front. Elements that masks and edges leave out are not accessed, and
//! not checked.

use raddle_ir::{BlockId, Opcode, ValueId, keyword_attr};

use super::Cx;
use super::index::LESS;
use super::linear::Linear;
use super::memory::View;

/// `ult` as `arith.cmpi` numbers it.
const BELOW: i64 = 6;

/// An index that has to be inside: index, extent, dimension.
pub(super) type Check = (Linear, Linear, usize);

impl Cx<'_> {
    /// What has to hold for an access of so many neighbours along each dimension from a place on.
    pub(super) fn checks(&mut self, view: &View, indices: &[Linear], counts: &[i64]) -> Vec<Check> {
        if self.checked.is_none() {
            return Vec::new();
        }
        let mut checks = Vec::new();
        for (dim, ((&index, &extent), &count)) in indices.iter().zip(&view.shape).zip(counts).enumerate() {
            let last = self.forms.add_constant(index, count - 1);
            if !self.forms.is_natural(index) {
                checks.push((index, extent, dim));
            }
            if !self.is_below(last, extent) {
                checks.push((last, extent, dim));
            }
        }
        checks
    }

    /// What holds in a block that is entered under a condition of the old program.
    pub(super) fn learn(&mut self, block: BlockId, condition: ValueId) {
        let Some(op) = self.ir.def_op(condition).filter(|_| self.checked.is_some()) else { return };
        let [a, b] = match self.ir.operands(op) {
            &[a, b] => [a, b],
            _ => return,
        };
        match self.ir.opcode(op) {
            Opcode::ArithAndi => [a, b].into_iter().for_each(|part| self.learn(block, part)),
            Opcode::ArithCmpi if self.ir.type_of(a) == self.index => {
                let predicate = self.ir.attr(op, "predicate").and_then(|attr| attr.as_i64());
                let [index, extent] = [a, b].map(|value| self.form(value));
                let below = match predicate {
                    Some(LESS) => self.forms.is_natural(index),
                    Some(BELOW) => self.forms.is_natural(extent),
                    _ => false,
                };
                if let Some(checked) = self.checked.as_mut().filter(|_| below) {
                    checked.insert((block, index, extent));
                }
            }
            _ => {}
        }
    }

    /// Whether an index is surely below an extent: by its range, or because a loop ends there.
    fn is_below(&mut self, index: Linear, extent: Linear) -> bool {
        if self.less(index, extent) == Some(true) {
            return true;
        }
        for (counter, end) in self.ends.clone() {
            let &[(leaf, 1)] = self.forms.terms(counter) else { continue };
            if !self.forms.terms(index).contains(&(leaf, 1)) {
                continue;
            }
            // The last one that the counter may lead to.
            let others = self.forms.add_scaled(index, counter, -1);
            let next = self.forms.add_scaled(others, end, 1);
            let last = self.forms.add_constant(next, -1);
            let beyond = self.forms.add_scaled(last, extent, -1);
            if self.forms.as_constant(beyond).is_some_and(|beyond| beyond < 0) || self.less(last, extent) == Some(true)
            {
                return true;
            }
        }
        false
    }

    /// Checks of an access of which a mask, if there is one, may leave out all elements.
    pub(super) fn check_unless_masked(&mut self, checks: &[Check], mask: Option<ValueId>) {
        let Some(mask) = mask.filter(|_| !checks.is_empty()) else { return self.check(checks) };
        let (bit, kind) = (self.ir.int_type(1), keyword_attr(self.ir, "vector.kind", "or"));
        let attrs = self.ir.dict(&[("kind", kind)]);
        let any = self.value(Opcode::VectorReduction, &[mask], bit, attrs);
        let branch = self.emit(Opcode::ScfIf, &[any], &[], self.no_attrs);
        self.open(branch);
        self.check(checks);
        self.close(&[]);
        self.ir.add_region(branch);
    }

    /// Checks here.
    pub(super) fn check(&mut self, checks: &[Check]) {
        for &(index, extent, dim) in checks {
            let Some(checked) = &self.checked else { return };
            if self.blocks.iter().any(|&block| checked.contains(&(block, index, extent))) {
                continue;
            }
            let block = *self.blocks.last().expect("the function's block is open");
            if let Some(checked) = &mut self.checked {
                checked.insert((block, index, extent));
            }
            let operands = [index, extent].map(|form| self.compute(form));
            let i32 = self.ir.int_type(32);
            let dimension = self.ir.intern(raddle_ir::Attr::Int { value: (dim as i64).into(), ty: i32 });
            let attrs = self.ir.dict(&[("dimension", dimension)]);
            self.emit(Opcode::RaddleCheckIndex, &operands, &[], attrs);
        }
    }
}
