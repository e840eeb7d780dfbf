//! An operation taken apart by the names of its row in the op table, for rules that are said in these names.

use super::wording::ensure;
use std::ops::Range;

use super::{Check, types_of};
use crate::attrs::Attr;
use crate::form::Shape;
use crate::ids::{OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::text::group_range;
use crate::types::Type;

/// An operation's parts under the names of its row.
pub(super) struct Parts<'a> {
    pub ir: &'a Ir,
    pub op: OpId,
    pub row: &'static Shape,
}

impl<'a> Parts<'a> {
    pub fn of(ir: &'a Ir, op: OpId) -> Parts<'a> {
        Parts { ir, op, row: Shape::of(ir.opcode(op)) }
    }

    /// The places of a group among the operands.
    pub fn range(&self, name: &str) -> Range<usize> {
        let group = self.row.operands.iter().position(|group| group.name == name);
        group_range(self.ir, self.op, self.row, group.expect("the row has a group of this name"))
    }

    /// The operands of a group.
    pub fn all(&self, name: &str) -> &'a [ValueId] {
        &self.ir.operands(self.op)[self.range(name)]
    }

    /// The operand of an optional group.
    pub fn find(&self, name: &str) -> Option<ValueId> {
        self.all(name).first().copied()
    }

    pub fn one(&self, name: &str) -> ValueId {
        self.find(name).expect("the group has one operand")
    }

    pub fn shape(&self, name: &str) -> &'a [i64] {
        self.ir.shape_of(self.one(name))
    }

    pub fn rank(&self, name: &str) -> usize {
        self.shape(name).len()
    }

    pub fn elem(&self, name: &str) -> TypeId {
        self.ir.elem_of(self.one(name))
    }

    pub fn int(&self, name: &str) -> i64 {
        self.ir.attr(self.op, name).and_then(Attr::as_i64).unwrap_or(0)
    }

    pub fn ints(&self, name: &str) -> Vec<i64> {
        self.ir.attr_id(self.op, name).and_then(|attr| self.ir.ints(attr)).unwrap_or_default()
    }

    /// The types of the arguments of the body.
    pub fn args(&self) -> Vec<TypeId> {
        types_of(self.ir, self.ir.args(self.ir.entry(self.op)))
    }

    /// What ends the body, and the types of what it yields.
    pub fn yielded(&self) -> (OpId, Vec<TypeId>) {
        let last = self.ir.terminator(self.ir.entry(self.op)).expect("the structure holds");
        (last, types_of(self.ir, self.ir.operands(last)))
    }

    pub fn ensure(&self, holds: bool, message: &str) -> Check {
        self.ensure_with(holds, || message.to_owned())
    }

    pub fn ensure_with(&self, holds: bool, message: impl FnOnce() -> String) -> Check {
        ensure(self.ir, self.op, holds, message)
    }

    pub fn is_bool(&self, ty: TypeId) -> bool {
        matches!(self.ir[ty], Type::Integer { width: 1, .. })
    }

    pub fn is_int(&self, ty: TypeId) -> bool {
        matches!(self.ir[ty], Type::Integer { .. })
    }

    pub fn counts(&self, ty: TypeId) -> bool {
        matches!(self.ir[ty], Type::Integer { .. } | Type::Index)
    }

    /// The dimension that the attribute names, if the operand has it.
    pub fn dimension(&self, name: &str) -> Option<usize> {
        usize::try_from(self.int("dimension")).ok().filter(|&dim| dim < self.rank(name))
    }
}
