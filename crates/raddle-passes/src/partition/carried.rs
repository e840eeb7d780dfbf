//! Rows that a round of a loop inserts into a tensor that the loop carries are written where they go.
//!
//! Before: `scf.for … iter_args(%all = …) { %row = …, %1 = tensor.insert_slice %row into %all[%i, 0] …, scf.yield %1 }`
//! After:  the same: a kernel would copy the whole tensor in each round, and the host has it in one place
//!
//! Does not keep insertions of which the part is not rows one behind another, nor those where something else reads what the
//! tensor was before.

use raddle_ir::views::{Mixed, SliceView};
use raddle_ir::{Attr, BlockId, Builder, Def, Ir, OpId, Opcode, Scalar, ValueId};

use super::counters;
use super::reshape::has_encoding;

/// What says that the host does an insertion.
const IN_PLACE: &str = "raddle.in_place";

/// Whether a function computes something besides counting and inserting: a host without a kernel is none.
pub(super) fn computes_besides(ir: &Ir, func: OpId) -> bool {
    let counts = |op: OpId| ir.results(op).all(|result| counters::is_one(ir, result));
    ir.walk(func).into_iter().any(|op| super::is_work(ir, op) && !counts(op) && !may_be_in_place(ir, op))
}

/// Marks what the host inserts in some blocks.
pub(super) fn mark(ir: &mut Ir, blocks: &[BlockId]) {
    let ops = blocks.iter().flat_map(|&block| ir.block_ops(block));
    let found: Vec<OpId> = ops.filter(|&op| may_be_in_place(ir, op)).collect();
    found.into_iter().for_each(|op| mark_insertion(ir, op));
}

/// Marks an insertion as one that the host does.
pub(super) fn mark_insertion(ir: &mut Ir, op: OpId) {
    let mark = ir.intern(Attr::Unit);
    ir.set_attr(op, IN_PLACE, mark);
}

/// Inserts a tensor into another one, from an index along one dimension on: the host does so.
pub(super) fn insert(builder: &mut Builder<'_>, value: ValueId, into: ValueId, dim: usize, first: i64) -> ValueId {
    let sizes: Vec<Mixed> = builder.ir.shape_of(value).iter().copied().map(Mixed::Static).collect();
    let offsets: Vec<Mixed> = (0..sizes.len()).map(|d| Mixed::Static(if d == dim { first } else { 0 })).collect();
    let inserted = builder.insert_slice(value, into, &offsets, &sizes);
    let op = builder.ir.def_op(inserted).expect("it was inserted just now");
    mark_insertion(builder.ir, op);
    inserted
}

/// Whether an operation is an insertion that the host does.
pub(super) fn is_insertion(ir: &Ir, op: OpId) -> bool {
    ir.opcode(op) == Opcode::TensorInsertSlice && ir.attr_id(op, IN_PLACE).is_some()
}

fn may_be_in_place(ir: &Ir, op: OpId) -> bool {
    if ir.opcode(op) != Opcode::TensorInsertSlice {
        return false;
    }
    let view = SliceView::of(ir, op);
    let Def::Arg { block, .. } = ir.def(view.base) else { return false };
    let around = ir.region_parent(ir.block_region(block));
    let is_loop = matches!(ir.opcode(around), Opcode::ScfFor | Opcode::ScfWhile);
    let result = ir.result(op, 0);
    is_loop
        && ir.parent_block(op) == Some(block)
        && ir.uses(view.base).count() == 1
        && ir.uses(result).any(|(user, _)| ir.terminator(block) == Some(user))
        && Scalar::of(&ir[ir.elem_of(result)]).is_some()
        && !has_encoding(ir, result)
        && are_rows(ir, &view)
}

/// Whether a part of a tensor is rows that are as far apart, each one behind another.
fn are_rows(ir: &Ir, view: &SliceView) -> bool {
    let extents = ir.shape_of(view.base);
    let one = Mixed::Static(1);
    let is_whole = |d: usize| view.sizes[d] == Mixed::Static(extents[d]) && view.offsets[d] == Mixed::Static(0);
    view.strides.iter().all(|&stride| stride == one)
        && rows(extents.len(), &|d| view.sizes[d] == one, &is_whole).is_some()
}

/// Of a part of a tensor with so many dimensions: the first one of its rows, and the one that a row lies along, which are the
/// same where there is one row. `is_one` says along which the part has one element, and `is_whole` along which it has all.
/// `None` where rows are not as far apart.
pub fn rows(n: usize, is_one: &dyn Fn(usize) -> bool, is_whole: &dyn Fn(usize) -> bool) -> Option<[usize; 2]> {
    // Behind the last dimension of which a part is taken, all is. In front of it, dimensions are whole behind the first of
    // which more than one element is taken.
    let along = (0..n).rev().find(|&d| !is_whole(d)).unwrap_or(0);
    let first = (0..along).find(|&d| !is_one(d)).unwrap_or(along);
    (first + 1..along).all(is_whole).then_some([first, along])
}
