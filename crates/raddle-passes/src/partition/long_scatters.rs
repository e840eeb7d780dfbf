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
//! Places of several numbers, as PyTorch's scatters have one for each dimension, are one number first: that of the row, or -1
//! where one of them is outside.
//!
//! Does not touch masks, few rows (of which each has much to do anyway), and extents that only the run knows.

use raddle_ir::views::Mixed;
use raddle_ir::{Attr, AttrId, BlockId, Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use super::reshape::{collapse, expand};
use crate::scalar_loops::SORTED;
use crate::structured::generalize::{loop_index, made};
use crate::structured::moves::ints;

/// Numbers of places that all rows look at together, from which on it takes less to sort the updates.
const LOOKED_AT: i64 = 1 << 28;
/// Rows that divide the updates into short lists.
const ROWS: i64 = 1024;

/// A long scatter.
struct Long {
    /// The number of dimensions that the places lie along.
    n_batch: usize,
    /// How many numbers a place has: those of the first dimensions of the destination.
    depth: usize,
}

/// Sorts the updates of the long scatters of some blocks.
pub(super) fn sort(ir: &mut Ir, blocks: &[BlockId]) {
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).collect::<Vec<_>>() {
        if let Some(long) = long(ir, op) {
            sorted(ir, op, &long);
        }
    }
}

fn long(ir: &Ir, op: OpId) -> Option<Long> {
    let &[updates, places, whole] = ir.operands(op) else { return None };
    let is_set = |name: &str| ir.attr(op, name).is_some_and(|attr| matches!(attr, Attr::Bool(true) | Attr::Unit));
    let dims = ints(ir, op, "dimension_map");
    let is_plain = ir.opcode(op) == Opcode::IreeLinalgExtScatter
        && ir.operands(op).iter().all(|&value| ir.ty(value).is_tensor() && !ir.shape_of(value).contains(&DYNAMIC))
        && dims.iter().copied().eq(0..dims.len() as i64)
        && !is_set("unique_indices")
        && ir.attr(op, SORTED).is_none()
        && ir.attr(op, "lowering_config").is_none();
    if !is_plain {
        return None;
    }
    let depth = dims.len();
    let [of_updates, of_places, of_whole] = [updates, places, whole].map(|value| ir.shape_of(value));
    let n_batch = (of_updates.len() + depth).checked_sub(of_whole.len()).filter(|&n| n > 0)?;
    let fits = match of_places.get(n_batch..)? {
        [] => depth == 1,
        &[numbers] => numbers == depth as i64,
        _ => false,
    };
    let count = |extents: &[i64]| extents.iter().fold(1, |n: i64, &extent| n.saturating_mul(extent));
    let (n, rows) = (count(&of_updates[..n_batch]), count(&of_whole[..depth]));
    let is_word = |n: i64| n < i64::from(i32::MAX);
    let looked_at = n.saturating_mul(rows).saturating_mul(depth as i64);
    let is_long = rows >= ROWS && is_word(n) && (depth == 1 || is_word(rows)) && looked_at >= LOOKED_AT;
    (fits && is_long && of_updates[n_batch..] == of_whole[depth..]).then_some(Long { n_batch, depth })
}

/// The numbers of the rows that places of several numbers name.
fn rows(builder: &mut Builder<'_>, places: ValueId, extents: &[i64]) -> ValueId {
    let size = Mixed::Static(builder.ir.shape_of(places)[0]);
    let map = |number: usize| Map { dims: 1, syms: 0, results: vec![Expr::Dim(0), Expr::Const(number as i64)] };
    let inputs: Vec<(ValueId, Map)> = (0..extents.len()).map(|number| (places, map(number))).collect();
    let word = builder.ir.int_type(32);
    made(builder, &inputs, &[size], word, |body, args| {
        let (index, bit, below) = (body.ir.index_type(), body.ir.int_type(1), body.ir.i64_attr(6));
        let (mut row, mut is_inside) = (body.index(0), body.int(1, bit));
        for (&number, &extent) in args.iter().zip(extents) {
            let (number, end) = (body.value(Opcode::ArithIndexCast, &[number], index, &[]), body.index(extent));
            // A negative number is a large one.
            let fits = body.value(Opcode::ArithCmpi, &[number, end], bit, &[("predicate", below)]);
            is_inside = body.binary(Opcode::ArithAndi, is_inside, fits);
            let of_others = body.binary(Opcode::ArithMuli, row, end);
            row = body.binary(Opcode::ArithAddi, of_others, number);
        }
        let (row, none) = (body.value(Opcode::ArithIndexCast, &[row], word, &[]), body.int(-1, word));
        body.value(Opcode::ArithSelect, &[is_inside, row, none], word, &[])
    })
}

fn sorted(ir: &mut Ir, op: OpId, &Long { n_batch, depth }: &Long) {
    let [updates, places, whole] = [0, 1, 2].map(|at| ir.operand(op, at));
    let builder = &mut Builder::before(ir, op);
    let of_whole = builder.ir.shape_of(whole).to_vec();
    let rest = of_whole.len() - depth;
    let places = if depth == 1 {
        collapse(builder, places, &[builder.ir.shape_of(places).len()])
    } else {
        let places = collapse(builder, places, &[n_batch, 1]);
        rows(builder, places, &of_whole[..depth])
    };
    let groups = [vec![depth], vec![1; rest]].concat();
    let whole = collapse(builder, whole, &groups);
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
    let named = builder.ir.dense_i64(&[0]);
    let others = attrs.iter().map(|(name, attr)| (name.as_str(), *attr)).filter(|&(name, _)| name != "dimension_map");
    let attrs: Vec<(&str, AttrId)> = others.chain([("dimension_map", named), (SORTED, unit)]).collect();
    let ty = builder.ir.type_of(whole);
    let new = builder.op(Opcode::IreeLinalgExtScatter, &[taken, places, whole], &[ty], &attrs);
    builder.copy_regions(op, new, &mut ValueMap::default());
    let sizes: Vec<Mixed> = of_whole.iter().copied().map(Mixed::Static).collect();
    let new = builder.ir.result(new, 0);
    let new = expand(builder, new, &groups, &sizes);
    let old = ir.result(op, 0);
    ir.replace_uses(old, new);
    ir.erase(op);
}
