//! Long scatters: many updates of many rows are sorted by their places first, so that a row need not look at all of them.
//!
//! Before: `%r = iree_linalg_ext.scatter dimension_map = [0] ins(%updates, %places) outs(%x)`
//! After:
//!
//! ```mlir
//! %s:2 = iree_linalg_ext.sort dimension(0) outs(%places, %numbers : tensor<1000000xi32>, tensor<1000000xi32>)
//! %u = linalg.generic ins(%s#1)                                           // reads each update by its number
//! %r = iree_linalg_ext.scatter dimension_map = [0] {raddle.sorted} ins(%u, %s#0) outs(%x)
//! ```
//!
//! Sorting is stable: updates of a row are combined in their order, and results have the same bits.
//!
//! Does not touch places of several numbers, masks, few rows (of which each has much to do anyway), and extents that only
//! the run knows.

use raddle_ir::views::Mixed;
use raddle_ir::{Attr, AttrId, BlockId, Builder, DYNAMIC, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use super::reshape::collapse;
use crate::scalar_loops::SORTED;
use crate::structured::generalize::{loop_index, made};
use crate::structured::moves::ints;

/// Updates that all rows look at together, from which on it takes less to sort them.
const LOOKED_AT: i64 = 1 << 30;
/// Rows that divide the updates into short lists.
const ROWS: i64 = 1024;

/// Sorts the updates of the long scatters of some blocks.
pub(super) fn sort(ir: &mut Ir, blocks: &[BlockId]) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        if let Some(n_batch) = long(ir, op) {
            sorted(ir, op, n_batch);
        }
    }
}

/// The number of dimensions that the places of a long scatter lie along.
fn long(ir: &Ir, op: OpId) -> Option<usize> {
    let &[updates, places, whole] = ir.operands(op) else { return None };
    let is_set = |name: &str| ir.attr(op, name).is_some_and(|attr| matches!(attr, Attr::Bool(true) | Attr::Unit));
    let is_plain = ir.opcode(op) == Opcode::IreeLinalgExtScatter
        && ir.operands(op).iter().all(|&value| ir.ty(value).is_tensor() && !ir.shape_of(value).contains(&DYNAMIC))
        && ints(ir, op, "dimension_map") == [0]
        && !is_set("unique_indices")
        && ir.attr(op, SORTED).is_none()
        && ir.attr(op, "lowering_config").is_none();
    if !is_plain {
        return None;
    }
    let [of_updates, of_places, of_whole] = [updates, places, whole].map(|value| ir.shape_of(value));
    let n_batch = (of_updates.len() + 1).checked_sub(of_whole.len()).filter(|&n| n > 0)?;
    let deep = match of_places.len().checked_sub(n_batch)? {
        0 => true,
        1 => of_places[n_batch] == 1,
        _ => false,
    };
    let n: i64 = of_updates[..n_batch].iter().product();
    let rows = of_whole[0];
    let is_long = rows >= ROWS && n < i64::from(i32::MAX) && n.saturating_mul(rows) >= LOOKED_AT;
    (deep && is_long && of_updates[n_batch..] == of_whole[1..]).then_some(n_batch)
}

fn sorted(ir: &mut Ir, op: OpId, n_batch: usize) {
    let [updates, places, whole] = [0, 1, 2].map(|at| ir.operand(op, at));
    let builder = &mut Builder::before(ir, op);
    let rest = builder.ir.shape_of(updates).len() - n_batch;
    let places = collapse(builder, places, &[builder.ir.shape_of(places).len()]);
    let updates = collapse(builder, updates, &[vec![n_batch], vec![1; rest]].concat());
    let shape = builder.ir.shape_of(updates).to_vec();
    let sizes: Vec<Mixed> = shape.iter().copied().map(Mixed::Static).collect();
    // The number of each update.
    let word = builder.ir.int_type(32);
    let number = made(builder, &[], &sizes[..1], word, |body, _| {
        let number = loop_index(body, 0);
        body.value(Opcode::ArithIndexCast, &[number], word, &[])
    });
    let types = [places, number].map(|value| builder.ir.type_of(value));
    let attrs = [("dimension", builder.ir.i64_attr(0)), ("operandSegmentSizes", builder.ir.segment_sizes(&[0, 2]))];
    let sort = builder.op(Opcode::IreeLinalgExtSort, &[places, number], &types, &attrs);
    let place = builder.ir.elem_of(places);
    let region = builder.ir.add_region(sort);
    let block = builder.ir.add_block(region, &[place, place, word, word]);
    let args = builder.ir.args(block).to_vec();
    let mut body = Builder::at_end(builder.ir, block, builder.span);
    let (bit, less) = (body.ir.int_type(1), body.ir.i64_attr(2));
    let is_less = body.value(Opcode::ArithCmpi, &args[..2], bit, &[("predicate", less)]);
    body.op(Opcode::IreeLinalgExtYield, &[is_less], &[], &[]);
    let [places, number] = [0, 1].map(|at| builder.ir.result(sort, at));
    let elem = builder.ir.elem_of(updates);
    let taken = made(builder, &[(number, Map::of_dims(shape.len(), &[0]))], &sizes, elem, |body, args| {
        let index = body.ir.index_type();
        let first = body.value(Opcode::ArithIndexCast, &[args[0]], index, &[]);
        let others = (1..shape.len()).map(|d| loop_index(body, d)).collect::<Vec<_>>();
        let at: Vec<ValueId> = [updates, first].into_iter().chain(others).collect();
        body.value(Opcode::TensorExtract, &at, elem, &[])
    });
    let attrs: Vec<(String, AttrId)> =
        builder.ir.attrs(op).iter().map(|&(name, attr)| (builder.ir[name].to_owned(), attr)).collect();
    let unit = builder.ir.intern(Attr::Unit);
    let attrs: Vec<(&str, AttrId)> =
        attrs.iter().map(|(name, attr)| (name.as_str(), *attr)).chain([(SORTED, unit)]).collect();
    let ty = builder.ir.type_of(whole);
    let new = builder.op(Opcode::IreeLinalgExtScatter, &[taken, places, whole], &[ty], &attrs);
    builder.copy_regions(op, new, &mut ValueMap::default());
    let (old, new) = (ir.result(op, 0), ir.result(new, 0));
    ir.replace_uses(old, new);
    ir.erase(op);
}
