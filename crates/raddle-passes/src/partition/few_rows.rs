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
//! Pieces are equal: keys whose number only the run knows are not divided, and neither are those of an attention that is
//! several kernels anyway.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Mixed;
use raddle_ir::{Attr, AttrId, Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, TypeId, ValueId, ValueMap};

use super::reshape::{collapse, expand};
use crate::configure::attention::{fits, wants_workgroups};
use crate::facts::Facts;
use crate::normalize::attention::{Attention, PIECE, Part, combine_pieces, online_of, recount};

/// Keys of a piece, at least.
const KEYS_MIN: i64 = 128;

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
    let shape = builder.ir.shape_of(value).to_vec();
    let of = |(d, extent): (usize, i64)| match extent {
        DYNAMIC => {
            let (d, index) = (builder.index(d as i64), builder.ir.index_type());
            Mixed::Value(builder.value(Opcode::TensorDim, &[value, d], index, &[]))
        }
        extent => Mixed::Static(extent),
    };
    shape.into_iter().enumerate().map(of).collect()
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
    let at = attention.key.dims.iter().position(|&d| d == key)?;
    let keys = ir.shape_of(attention.key.value)[at];
    let is_known = |part: &Part| {
        let along = part.dims.iter().zip(ir.shape_of(part.value)).find(|(d, _)| **d == key);
        along.is_none_or(|(_, &extent)| extent == keys && keys != DYNAMIC)
    };
    let are_known = attention.all().iter().all(is_known);
    let wanted = wants_workgroups(ir, &attention, facts).filter(|_| are_known)?;
    // What is several kernels has the keys of the scores for its workgroups.
    fits(ir, op, facts).ok()?;
    let mut pieces = 1;
    while pieces < wanted && keys % (2 * pieces) == 0 && keys / (2 * pieces) >= KEYS_MIN {
        pieces *= 2;
    }
    if pieces == 1 {
        return None;
    }
    // Matrix instructions go along the innermost loops: pieces are the outermost one.
    let behind = |dims: &[usize]| dims.iter().map(|&d| d + 1).collect::<Vec<usize>>();
    let result = ir.result(op, 0);
    let builder = &mut Builder::before(ir, op);
    let mut parts = Vec::new();
    for part in attention.all() {
        let mut dims = behind(&part.dims);
        let Some(at) = part.dims.iter().position(|&d| d == key) else {
            parts.push(Part { value: part.value, dims });
            continue;
        };
        let mut sizes = sizes(builder, part.value);
        let groups: Vec<usize> = (0..sizes.len()).map(|d| if d == at { 2 } else { 1 }).collect();
        sizes.splice(at..=at, [Mixed::Static(pieces), Mixed::Static(keys / pieces)]);
        dims.insert(at, PIECE);
        parts.push(Part { value: expand(builder, part.value, &groups, &sizes), dims });
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
    let first = Expr::binary(BinOp::Mul, Expr::Dim(PIECE as u32), Expr::Const(keys / pieces));
    let of_pieces = |d: usize| match Expr::Dim(d as u32 + 1) {
        own if d == key => Expr::binary(BinOp::Add, first.clone(), own),
        own => own,
    };
    recount(builder.ir, online, &attention.scores(), &of_pieces);
    let value = combine_pieces(builder, op, &parts, [&product, &maximum, &sum], out)?;
    ir.replace_uses(result, value);
    ir.erase(op);
    Some(online)
}
