//! Pack reductions: split loops that threads reduce into steps, and what each thread has of a step.
//!
//! Before: `linalg.generic` over `(i, j)` that sums `tensor<4x128xf32>` along `j`, with `thread = [0, 4]`
//! After:  `%p = linalg.pack %a inner_dims_pos = [1] inner_tiles = [4] into %e`, and the same over `(i, j, k)`, where `%p`
//!         is reached at `(i, j, k)` and the configuration says what it said of `j` for `(j, k)`.
//!
//! Only loops whose extent is known and a multiple: others are padded first.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Linalg;
use raddle_ir::{Attr, AttrId, Builder, Code, DYNAMIC, Diag, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};

use crate::config;
use crate::facts::Facts;
use crate::structured::generalize::generic;
use crate::structured::sizes::mixed_extent;

/// Packs the reductions of a function's structured operations.
pub(crate) fn pack_reductions(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    for op in ir.walk(func) {
        let Some(linalg) = Linalg::try_of(ir, op) else { continue };
        let list = |name: &str| config::level(ir, func, op, name);
        let (Some(partial), Some(thread)) = (list("partial_reduction"), list("thread")) else { continue };
        let n = linalg.reduction.len();
        let large = |list: &[i64], d: usize| list.get(d).is_some_and(|&size| size > 1);
        let packed: Vec<usize> =
            (0..n).filter(|&d| linalg.reduction[d] && large(&partial, d) && large(&thread, d)).collect();
        if packed.is_empty() {
            continue;
        }
        let extents = linalg.extents(ir);
        let divides = |d: usize| extents[d] != DYNAMIC && extents[d] % thread[d] == 0 && partial[d] % thread[d] == 0;
        let plain = linalg.maps.iter().all(|map| map.as_dims().is_some());
        if !plain || !packed.iter().all(|&d| divides(d)) {
            let message =
                format!("`{}` is not packed: a step or an extent is not a multiple of a thread's part", ir.name(op));
            facts.remarks.borrow_mut().push(Diag::error(Code::CannotTile, ir.span(op), message).as_remark());
            continue;
        }
        let tiles: Vec<(usize, i64)> = packed.into_iter().map(|d| (d, thread[d])).collect();
        pack(ir, op, &linalg, &tiles, &partial, &thread);
    }
    Ok(())
}

/// Splits some loops, each with the extent of its inner part.
fn pack(ir: &mut Ir, op: OpId, linalg: &Linalg, tiles: &[(usize, i64)], partial: &[i64], thread: &[i64]) {
    let n = linalg.reduction.len();
    let all = n + tiles.len();
    let config = ir.attr_id(op, "lowering_config").map(|config| split_config(ir, config, n, tiles, partial, thread));
    let mut builder = Builder::before(ir, op);
    let mut operands = Vec::new();
    let mut maps = Vec::new();
    for (map, &operand) in linalg.maps.iter().zip(linalg.inputs.iter().chain(&linalg.outputs)) {
        let dims = map.as_dims().unwrap_or_default();
        // Which dimension each inner part is split off from, and the loop along it.
        let inner: Vec<(usize, i64, usize)> = tiles
            .iter()
            .enumerate()
            .filter_map(|(i, &(d, tile))| Some((dims.iter().position(|&other| other == d)?, tile, n + i)))
            .collect();
        operands.push(if inner.is_empty() { operand } else { packed(&mut builder, operand, &inner) });
        let loops: Vec<usize> = dims.into_iter().chain(inner.iter().map(|part| part.2)).collect();
        maps.push(Map::of_dims(all, &loops));
    }
    let outputs = operands.split_off(linalg.inputs.len());
    let mut reduction = linalg.reduction.clone();
    reduction.resize(all, true);
    let attrs: Vec<(&str, AttrId)> = config.into_iter().map(|config| ("lowering_config", config)).collect();
    let new = generic(&mut builder, &Linalg { inputs: operands, outputs, maps, reduction }, &attrs);
    builder.copy_regions(op, new, &mut ValueMap::default());
    for inner in builder.ir.walk(new) {
        let dim = builder.ir.attr(inner, "dim").and_then(Attr::as_i64);
        let split = tiles.iter().enumerate().find(|(_, tile)| dim == Some(tile.0 as i64));
        if let Some((i, &(_, tile))) = split.filter(|_| builder.ir.opcode(inner) == Opcode::LinalgIndex) {
            count(builder.ir, inner, n + i, tile);
        }
    }
    let results: Vec<(ValueId, ValueId)> = ir.results(op).zip(ir.results(new)).collect();
    for (old, new) in results {
        ir.replace_uses(old, new);
    }
    ir.erase(op);
}

/// A tensor with parts of dimensions behind all others.
fn packed(builder: &mut Builder<'_>, value: ValueId, inner: &[(usize, i64, usize)]) -> ValueId {
    let mut shape = builder.ir.shape_of(value).to_vec();
    for &(dim, tile, _) in inner {
        shape[dim] /= tile;
    }
    let sizes: Vec<ValueId> = (0..shape.len())
        .filter(|&d| shape[d] == DYNAMIC)
        .map(|d| mixed_extent(builder, value, d).materialize(builder))
        .collect();
    let tiles: Vec<i64> = inner.iter().map(|part| part.1).collect();
    let dims: Vec<i64> = inner.iter().map(|part| part.0 as i64).collect();
    shape.extend(&tiles);
    let elem = builder.ir.elem_of(value);
    let ty = builder.ir.tensor_type(&shape, elem);
    let empty = builder.value(Opcode::TensorEmpty, &sizes, ty, &[]);
    let attrs = [
        ("inner_dims_pos", builder.ir.dense_i64(&dims)),
        ("static_inner_tiles", builder.ir.dense_i64(&tiles)),
        ("operandSegmentSizes", builder.ir.segment_sizes(&[1, 1, 0, 0])),
    ];
    builder.value(Opcode::LinalgPack, &[value, empty], ty, &attrs)
}

/// Lets an index of a loop that is split count its elements: `outer * tile + inner`.
fn count(ir: &mut Ir, index: OpId, inner: usize, tile: i64) {
    let (outer, Some(next)) = (ir.result(index, 0), ir.next_op(index)) else { return };
    let users: Vec<(OpId, usize)> = ir.uses(outer).collect();
    let mut builder = Builder::before(ir, next);
    let (ty, dim) = (builder.ir.index_type(), builder.ir.i64_attr(inner as i64));
    let inner = builder.value(Opcode::LinalgIndex, &[], ty, &[("dim", dim)]);
    let whole = Expr::binary(BinOp::Mul, Expr::Sym(0), Expr::Const(tile));
    let sum = Expr::binary(BinOp::Add, whole, Expr::Sym(1));
    let at = builder.apply(Map { dims: 0, syms: 2, results: vec![sum] }, &[outer, inner]);
    for (user, operand) in users {
        ir.set_operand(user, operand, at);
    }
}

/// The configuration for the split loops: steps count parts of threads, and each thread has one part of a step.
fn split_config(
    ir: &mut Ir,
    config: AttrId,
    n: usize,
    tiles: &[(usize, i64)],
    partial: &[i64],
    thread: &[i64],
) -> AttrId {
    let all = n + tiles.len();
    let sized = |list: &[i64]| {
        let mut list = list.to_vec();
        list.resize(n, 0);
        list.resize(all, 0);
        list
    };
    let mut entries: Vec<(&str, AttrId)> = Vec::new();
    let (mut partial, mut thread) = (sized(partial), sized(thread));
    for (i, &(d, tile)) in tiles.iter().enumerate() {
        partial[d] /= tile;
        thread[d] = 1;
        thread[n + i] = tile;
    }
    entries.push(("partial_reduction", ir.i64_array(&partial)));
    entries.push(("thread", ir.i64_array(&thread)));
    if let Some(workgroup) = ir.field(config, "workgroup").and_then(|list| ir.ints(list)) {
        entries.push(("workgroup", ir.i64_array(&sized(&workgroup))));
    }
    for name in ["lane_basis", "subgroup_basis"] {
        let Some(Attr::Array(lists)) = ir.field(config, name).map(|basis| ir[basis].clone()) else { continue };
        let lists: Option<Vec<Vec<i64>>> = lists.iter().map(|&list| ir.ints(list)).collect();
        let Some([mut counts, mut digits]) = lists.and_then(|lists| <[Vec<i64>; 2]>::try_from(lists).ok()) else {
            continue;
        };
        for _ in tiles {
            digits.push(counts.len() as i64);
            counts.push(1);
        }
        let lists = vec![ir.i64_array(&counts), ir.i64_array(&digits)];
        entries.push((name, ir.intern(Attr::Array(lists))));
    }
    config::with_entries(ir, config, &entries)
}
