//! Attention of few rows, as a step of decoding has it: rows for the tiles of a kernel, and workgroups for a whole chip.
//!
//! Before: `iree_linalg_ext.attention` of one row for each of 4 heads that share 4096 keys
//! After, on a GPU:
//!
//! ```mlir
//! %r:3 = iree_linalg_ext.online_attention …          // of 4 rows, and of 128 keys for each of 32 pieces
//! %max = maximum of %r#1 along the pieces ; %w = exp2(%r#1 - %max)
//! %r = (sum of %w * %r#0) / (sum of %w * %r#2)
//! ```
//!
//! A loop along rows that has one of them is none, so that heads that share their keys are the rows, and keys and values
//! are read once for all of these. Where blocks of rows are too few for the processors of a chip, workgroups share the
//! keys as well: these get a loop along pieces, and what the pieces give is combined behind them.
//!
//! Where pieces are not equal, or only the run knows how many there are, the last one sees fewer keys: keys and values are
//! padded, which is a view of the same memory. Masks that look numbers of keys up in tensors have equal pieces alone, and
//! those of an attention that is several kernels anyway are not divided.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Mixed;
use raddle_ir::{Attr, AttrId, Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, TypeId, ValueId, ValueMap};

use super::reshape::{collapse, expand};
use crate::code::{LESS, compare};
use crate::configure::attention::{fits, wants_workgroups};
use crate::facts::Facts;
use crate::normalize::attention::{Attention, PIECE, Part, combine_pieces, counted, online_of, recount};
use crate::structured::moves::pad_by;
use crate::structured::sizes::{index, mixed_extent};

/// Keys of a piece, at least, and what their number is a multiple of where the last piece has fewer.
const KEYS_MIN: i64 = 128;
const KEYS_UNIT: i64 = 64;
/// Keys of a piece where only the run knows how many there are.
const KEYS_OF_OPEN: i64 = 256;

/// Rewrites an attention of few rows; what has another form stays. Returns what has become of it.
pub(super) fn rewrite(ir: &mut Ir, op: OpId, facts: &Facts) -> OpId {
    if ir.opcode(op) != Opcode::IreeLinalgExtAttention || ir.attr(op, "lowering_config").is_some() {
        return op;
    }
    let op = without_single_rows(ir, op).unwrap_or(op);
    in_pieces(ir, op, facts).unwrap_or(op)
}

/// Loops along rows of the query that have one element, beside others that have more.
fn single_rows(ir: &Ir, attention: &Attention) -> Vec<usize> {
    let extent = |d: usize| {
        let at = attention.query.dims.iter().position(|&other| other == d)?;
        Some(ir.shape_of(attention.query.value)[at])
    };
    let of_query_only = |d: &usize| !attention.key.dims.contains(d) && !attention.value.dims.contains(d);
    let rows: Vec<usize> = attention.rows().into_iter().filter(of_query_only).collect();
    let (single, others): (Vec<usize>, Vec<usize>) = rows.into_iter().partition(|&d| extent(d) == Some(1));
    if others.is_empty() { Vec::new() } else { single }
}

/// The same attention without loops of one row.
fn without_single_rows(ir: &mut Ir, op: OpId) -> Option<OpId> {
    let attention = Attention::of(ir, op)?;
    let gone = single_rows(ir, &attention);
    if gone.is_empty() {
        return None;
    }
    let number = |d: usize| d - gone.iter().filter(|&&other| other < d).count();
    let result = ir.result(op, 0);
    let builder = &mut Builder::before(ir, op);
    let mut parts = Vec::new();
    for part in attention.all() {
        let groups = groups(&part.dims, &gone)?;
        let dims = part.dims.iter().copied().filter(|d| !gone.contains(d)).map(number).collect();
        parts.push(Part { value: collapse(builder, part.value, &groups), dims });
    }
    let out = &attention.outputs[0];
    let sizes = sizes(builder, out.value);
    let types = vec![builder.ir.type_of(parts[parts.len() - 1].value)];
    let new = copied(builder, op, Opcode::IreeLinalgExtAttention, attention.n_loops - gone.len(), &parts, &types);
    let of_new = |d: usize| if gone.contains(&d) { Expr::Const(0) } else { Expr::Dim(number(d) as u32) };
    recount(builder.ir, new, &attention.scores(), &of_new);
    let value = builder.ir.result(new, 0);
    let value = expand(builder, value, &groups(&out.dims, &gone)?, &sizes);
    ir.replace_uses(result, value);
    ir.erase(op);
    Some(new)
}

/// How many dimensions become one each, where those along some loops join neighbours; `None` where there is no other.
fn groups(dims: &[usize], gone: &[usize]) -> Option<Vec<usize>> {
    let (mut groups, mut first) = (Vec::new(), 0);
    for d in dims {
        match (gone.contains(d), groups.last_mut()) {
            (true, Some(group)) => *group += 1,
            (true, None) => first += 1,
            (false, _) => groups.push(1 + std::mem::take(&mut first)),
        }
    }
    (first == 0).then_some(groups)
}

/// The extents of a tensor.
fn sizes(builder: &mut Builder<'_>, value: ValueId) -> Vec<Mixed> {
    (0..builder.ir.shape_of(value).len()).map(|d| mixed_extent(builder, value, d)).collect()
}

/// An operation of other operands with the same region and attributes.
fn copied(
    builder: &mut Builder<'_>,
    op: OpId,
    opcode: Opcode,
    n_loops: usize,
    parts: &[Part],
    types: &[TypeId],
) -> OpId {
    let maps = parts.iter().map(|part| builder.ir.intern(Attr::Map(Map::of_dims(n_loops, &part.dims)))).collect();
    let maps = builder.ir.intern(Attr::Array(maps));
    let attrs: Vec<(String, AttrId)> =
        builder.ir.attrs(op).iter().map(|&(name, value)| (builder.ir[name].to_owned(), value)).collect();
    let attrs: Vec<(&str, AttrId)> = attrs
        .iter()
        .map(|(name, value)| (name.as_str(), if name == "indexing_maps" { maps } else { *value }))
        .collect();
    let operands: Vec<ValueId> = parts.iter().map(|part| part.value).collect();
    let new = builder.op(opcode, &operands, types, &attrs);
    builder.copy_regions(op, new, &mut ValueMap::default());
    new
}

/// An attention whose workgroups share the keys: an `online_attention` of pieces, and what combines them.
fn in_pieces(ir: &mut Ir, op: OpId, facts: &Facts) -> Option<OpId> {
    let attention = Attention::of(ir, op)?;
    let &[key] = &attention.keys()[..] else { return None };
    let all = attention.all();
    let along = |part: &Part| part.dims.iter().position(|&d| d == key).map(|at| ir.shape_of(part.value)[at]);
    let keys = along(&attention.key)?;
    if all.iter().filter_map(along).any(|extent| extent != keys) {
        return None;
    }
    let wanted = wants_workgroups(ir, &attention, facts)?;
    // What is several kernels has the keys of the scores for its workgroups.
    fits(ir, op, facts).ok()?;
    let reads = ir.walk(op).into_iter().any(|inner| ir.opcode(inner) == Opcode::TensorExtract);
    let length = piece_length(keys, wanted, !reads)?;
    // Matrix instructions go along the innermost loops: pieces are the outermost one.
    let behind = |dims: &[usize]| dims.iter().map(|&d| d + 1).collect::<Vec<usize>>();
    let result = ir.result(op, 0);
    let builder = &mut Builder::before(ir, op);
    let at = attention.key.dims.iter().position(|&d| d == key)?;
    let keys = sizes(builder, attention.key.value)[at];
    let of_length = |op, number| Expr::binary(op, number, Expr::Const(length));
    let number = of_length(BinOp::CeilDiv, Expr::Dim(0));
    let pieces = index(builder, &[keys], &number);
    let less = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(-1));
    let padding = index(builder, &[keys], &Expr::binary(BinOp::Add, of_length(BinOp::Mul, number), less));
    let mut parts = Vec::new();
    for part in all {
        let mut dims = behind(&part.dims);
        let Some(at) = part.dims.iter().position(|&d| d == key) else {
            parts.push(Part { value: part.value, dims });
            continue;
        };
        let mut sizes = sizes(builder, part.value);
        let groups: Vec<usize> = (0..sizes.len()).map(|d| if d == at { 2 } else { 1 }).collect();
        let mut high = vec![Mixed::Static(0); sizes.len()];
        high[at] = padding;
        sizes.splice(at..=at, [pieces, Mixed::Static(length)]);
        dims.insert(at, PIECE);
        let elem = builder.ir.elem_of(part.value);
        let whole = pad_by(builder, part.value, &vec![0; high.len()], &high, |inner| inner.splat(0.0, elem));
        parts.push(Part { value: expand(builder, whole, &groups, &sizes), dims });
    }
    let out = parts.pop()?;
    let begin = online_of(builder, &parts, &out.dims, &behind(&attention.rows()), attention.elem)?;
    let types: Vec<TypeId> = begin.iter().map(|part| builder.ir.type_of(part.value)).collect();
    let dims: Vec<Vec<usize>> = begin.iter().map(|part| part.dims.clone()).collect();
    parts.extend(begin);
    let online = copied(builder, op, Opcode::IreeLinalgExtOnlineAttention, attention.n_loops + 1, &parts, &types);
    let given = |i: usize| Part { value: builder.ir.result(online, i), dims: dims[i].clone() };
    let [product, maximum, sum] = [given(0), given(1), given(2)];
    // Keys are counted from the first one of the first piece.
    let first = Expr::binary(BinOp::Mul, Expr::Dim(PIECE as u32), Expr::Const(length));
    let of_pieces = |d: usize| match Expr::Dim(d as u32 + 1) {
        own if d == key => Expr::binary(BinOp::Add, first.clone(), own),
        own => own,
    };
    recount(builder.ir, online, &attention.scores(), &of_pieces);
    if padding != Mixed::Static(0) {
        let last = keys.materialize(&mut Builder::before(builder.ir, online));
        keep_below(builder.ir, online, &of_pieces(key), last);
    }
    let value = combine_pieces(builder, op, &parts, [&product, &maximum, &sum], out)?;
    ir.replace_uses(result, value);
    ir.erase(op);
    Some(online)
}

/// How many keys a piece has, where so many pieces are wanted; `None` where one is as good. The last piece may have fewer
/// if `ends` says so, and has where only the run knows how many keys there are.
fn piece_length(keys: i64, wanted: i64, ends: bool) -> Option<i64> {
    if keys == DYNAMIC {
        return (wanted > 1 && ends).then_some(KEYS_OF_OPEN);
    }
    let mut equal = 1;
    while equal < wanted && keys % (2 * equal) == 0 && keys / (2 * equal) >= KEYS_MIN {
        equal *= 2;
    }
    let wanted = (wanted.max(1) as u64).next_power_of_two() as i64;
    let length = (keys / wanted / KEYS_UNIT * KEYS_UNIT).max(KEYS_MIN);
    let found = if ends && keys / length >= 2 * equal { length } else { keys / equal };
    (found < keys).then_some(found)
}

/// Lets an attention see the keys alone whose number, which `place` says, is below `end`.
fn keep_below(ir: &mut Ir, op: OpId, place: &Expr, end: ValueId) {
    let Some(scores) = Attention::of(ir, op).map(|attention| attention.scores()) else { return };
    let yielded = ir.terminator(ir.entry(op)).expect("a verified region has a terminator");
    let score = ir.operand(yielded, 0);
    let body = &mut Builder::before(ir, yielded);
    let elem = body.ir.type_of(score);
    let place = counted(body, &scores, place);
    let is_there = compare(body, LESS, place, end);
    let nothing = body.splat(f64::NEG_INFINITY, elem);
    let kept = body.value(Opcode::ArithSelect, &[is_there, score, nothing], elem, &[]);
    ir.set_operand(yielded, 0, kept);
}
