//! Pieces in place: tensors that kernels make, and that lie one behind another in a larger one, are written there.
//!
//! Before: `%c = tensor.concat dim(0) %p, %q` of two products
//! After:
//!
//! ```mlir
//! %e = tensor.empty() : …
//! %i = tensor.insert_slice %p into %e[0, 0] … {raddle.in_place}  // the host's, which moves nothing
//! %c = tensor.insert_slice %q into %i[512, 0] … {raddle.in_place}
//! ```
//!
//! A piece is a kernel's own result if something is summed for it: what is computed element by element has a kernel with
//! what puts it into its place (`pieces.rs`). One piece besides may be any tensor, which the host copies, where a kernel would
//! do nothing but put all together.

use raddle_ir::views::{Linalg, SliceView};
use raddle_ir::{Attr, BlockId, Builder, DYNAMIC, Ir, OpId, Opcode, Scalar, ValueId};

use super::flatten::{is_reshape, only_user};
use super::reshape::has_encoding;
use super::{carried, decides_alone};
use crate::structured::alignment::WIDEST;
use crate::structured::body;
use crate::structured::moves::numbers;

/// Lets the host put pieces together in some blocks, where kernels then write them where they belong.
pub(super) fn choose(ir: &mut Ir, blocks: &[BlockId]) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        match ir.opcode(op) {
            Opcode::TensorConcat => concat(ir, op),
            Opcode::TensorInsertSlice => insertions(ir, op),
            _ => None,
        };
    }
}

fn concat(ir: &mut Ir, op: OpId) -> Option<()> {
    let result = ir.result(op, 0);
    let dim = ir.attr(op, "dim").and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok())?;
    let shape = countable_shape(ir, result)?;
    let one_behind_another = shape.get(..dim)?.iter().all(|&extent| extent == 1);
    let row: i64 = shape.get(dim + 1..)?.iter().product();
    let (mut pieces, mut end) = (Vec::new(), 0);
    for &piece in ir.operands(op) {
        pieces.push((piece, end * row));
        end += *ir.shape_of(piece).get(dim).filter(|&&extent| extent > 0)?;
    }
    if !one_behind_another || shape[dim] != end || !are_worth_it(ir, result, &pieces) {
        return None;
    }
    let builder = &mut Builder::before(ir, op);
    let ty = builder.ir.type_of(result);
    let mut all = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
    for (piece, first) in pieces {
        all = carried::insert(builder, piece, all, dim, first / row);
    }
    ir.replace_uses(result, all);
    ir.erase(op);
    Some(())
}

/// The same of insertions into a tensor that has nothing else, of which this is the last.
fn insertions(ir: &mut Ir, last: OpId) -> Option<()> {
    let result = ir.result(last, 0);
    let is_last = |ir: &Ir| {
        let next = only_user(ir, result).filter(|&user| ir.opcode(user) == Opcode::TensorInsertSlice);
        next.is_none_or(|next| ir.operand(next, 1) != result)
    };
    is_last(ir).then_some(())?;
    let shape = countable_shape(ir, result)?;
    let (mut ops, mut pieces) = (Vec::new(), Vec::new());
    let mut value = result;
    loop {
        let made = ir.def_op(value).filter(|&made| ir.parent_block(made) == ir.parent_block(last))?;
        match ir.opcode(made) {
            Opcode::TensorEmpty => break,
            Opcode::TensorInsertSlice if value == result || ir.uses(value).count() == 1 => {
                let view = SliceView::of(ir, made);
                let (offsets, sizes) = (numbers(&view.offsets)?, numbers(&view.sizes)?);
                let is_whole = |d: usize| sizes[d] == shape[d];
                let [first, along] = carried::rows(shape.len(), &|d| sizes[d] == 1, &is_whole)?;
                let is_run = first == along && numbers(&view.strides)?.iter().all(|&stride| stride == 1);
                let place = offsets.iter().zip(&shape).fold(0, |place, (offset, extent)| place * extent + offset);
                (is_run && !ir.shape_of(ir.operand(made, 0)).contains(&0)).then_some(())?;
                pieces.push((ir.operand(made, 0), place));
                ops.push(made);
                value = view.base;
            }
            _ => return None,
        }
    }
    if are_worth_it(ir, result, &pieces) {
        ops.into_iter().for_each(|op| carried::mark_insertion(ir, op));
    }
    Some(())
}

/// The extents of a tensor, if these are known, and its elements can be counted.
fn countable_shape(ir: &Ir, value: ValueId) -> Option<Vec<i64>> {
    let shape = ir.shape_of(value);
    let count = |n: i64, &extent: &i64| Some(extent).filter(|&extent| extent != DYNAMIC)?.checked_mul(n);
    shape.iter().try_fold(1, count).map(|_| shape.to_vec())
}

/// Whether no piece lies on another, and all are results of kernels of their own, whose places, in elements, are those of
/// memory; or all but one are, and nobody computes of the whole in the kernel that would put it together.
fn are_worth_it(ir: &Ir, result: ValueId, pieces: &[(ValueId, i64)]) -> bool {
    let Some(elem) = Scalar::of(&ir[ir.elem_of(result)]).filter(|_| !has_encoding(ir, result)) else { return false };
    let bits = i64::from(elem.bits());
    let elements = |value: ValueId| ir.shape_of(value).iter().product::<i64>();
    let mut ends: Vec<(i64, i64)> = pieces.iter().map(|&(piece, place)| (place, place + elements(piece))).collect();
    ends.sort_unstable();
    let are_apart = ends.windows(2).all(|pair| pair[0].1 <= pair[1].0);
    // Kernels write to a piece as wide as to memory of its own.
    let is_own = |&(at, &(piece, place)): &(usize, &(ValueId, i64))| {
        place % WIDEST * bits / 8 % WIDEST == 0
            && pieces[..at].iter().all(|&(other, _)| other != piece)
            && is_kernels_own(ir, piece)
    };
    let own = pieces.iter().enumerate().filter(is_own).count();
    let is_copied = || pieces.len() - own == 1 && !is_computed_of(ir, result);
    are_apart && bits % 8 == 0 && own > 0 && (pieces.len() == own || is_copied())
}

/// Whether an operation that may share a kernel with what makes a tensor uses it.
fn is_computed_of(ir: &Ir, value: ValueId) -> bool {
    ir.uses(value).any(|(user, _)| match is_reshape(ir, user) {
        true => is_computed_of(ir, ir.result(user, 0)),
        false => Linalg::try_of(ir, user).is_some() && !body::is_contraction(ir, user),
    })
}

/// Whether something is summed for a tensor, by whoever computes it or in front of what that computes for it alone.
fn is_kernels_own(ir: &Ir, value: ValueId) -> bool {
    let Some(made) = ir.def_op(value) else { return false };
    if is_reshape(ir, made) {
        return is_kernels_own(ir, ir.operand(made, 0));
    }
    let Some(linalg) = Linalg::try_of(ir, made) else { return decides_alone(ir, made) };
    let is_for_it = |&input: &ValueId| only_user(ir, input).is_some() && is_kernels_own(ir, input);
    linalg.reduction.contains(&true) || linalg.inputs.iter().any(is_for_it)
}
