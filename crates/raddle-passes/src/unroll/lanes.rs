//! Operations that are taken apart into single elements: accesses through indices, scans, comparisons, casts of bits.

use raddle_ir::views::Indexed;
use raddle_ir::{Attr, Builder, Expr, OpId, Opcode, Scalar, TypeId, ValueId};

use super::compute::combiner;
use super::grid::{Grid, Lane, element, row_dim};
use super::memory::{guarded, when};
use super::{Cx, whole};
use crate::code::extents::{number, positions};
use crate::structured::body::Combiner;

/// `vector.gather` and `vector.scatter`: one load or store for each element whose flag is set, in order.
pub fn indexed(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, around: Option<ValueId>) {
    let [base, offsets @ .., indices, mask, other] = builder.ir.operands(op) else {
        unreachable!("the verifier has seen the operands")
    };
    let lanes = [indices, mask, other].map(|&value| cx.grid(value).lanes());
    let base = cx.map.get(*base);
    let offsets: Vec<ValueId> = offsets.iter().map(|&offset| cx.map.get(offset)).collect();
    let around = around.map(|mask| cx.grid(mask).lanes());
    let mut found = Vec::new();
    for i in 0..lanes[0].len() {
        let [index, flag, other] = [0, 1, 2].map(|part| element(builder, lanes[part][i]));
        let flag = both(builder, Some(flag), around.as_ref().map(|lanes| lanes[i]));
        let index = as_index(builder, index);
        let mut at = offsets.clone();
        let last = at.pop().expect("a base has a dimension");
        at.push(builder.binary(Opcode::ArithAddi, last, index));
        found.push(access(builder, op, base, &at, flag, other));
    }
    finish(builder, cx, op, found);
}

/// `iree_vector_ext.transfer_gather` and `transfer_scatter`.
pub fn transfer_indexed(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, around: Option<ValueId>) {
    let view = Indexed::of(builder.ir, op);
    let vector = view.vector.unwrap_or_else(|| builder.ir.result(op, 0));
    let shape = builder.ir.shape_of(vector).to_vec();
    let base = cx.map.get(view.base);
    let stored = view.vector.map(|vector| cx.grid(vector).lanes());
    let around = around.map(|mask| cx.grid(mask).lanes());
    let mut found = Vec::new();
    for (i, place) in positions(&shape).into_iter().enumerate() {
        // The element of a vector that lies along some dimensions of the whole.
        let lane = |builder: &mut Builder<'_>, value: ValueId, which: usize| match cx.grids.get(&value) {
            None => cx.map.get(value),
            Some(grid) => {
                let at: Vec<i64> = view.dims(which).iter().map(|&d| place[d]).collect();
                element(builder, grid.lanes()[number(&grid.shape, &at)])
            }
        };
        let mut at = Vec::new();
        for (&offset, expr) in view.offsets.iter().zip(&view.maps[0].results) {
            let step = match expr {
                Expr::Dim(d) => builder.index(place[*d as usize]),
                Expr::Sym(s) => {
                    let index = lane(builder, view.index_vecs[*s as usize], *s as usize);
                    as_index(builder, index)
                }
                _ => builder.index(0),
            };
            at.push(builder.binary(Opcode::ArithAddi, cx.map.get(offset), step));
        }
        let flag = view.mask.map(|mask| lane(builder, mask, view.index_vecs.len()));
        let flag = both(builder, flag, around.as_ref().map(|lanes| lanes[i]));
        let other = match &stored {
            Some(lanes) => element(builder, lanes[i]),
            None => cx.map.get(view.padding.expect("a gather has a padding")),
        };
        found.push(access(builder, op, base, &at, flag, other));
    }
    finish(builder, cx, op, found);
}

/// A flag, and another one if there is one.
fn both(builder: &mut Builder<'_>, flag: Option<ValueId>, other: Option<Lane>) -> Option<ValueId> {
    let other = other.map(|other| element(builder, other));
    match (flag, other) {
        (Some(flag), Some(other)) => Some(builder.binary(Opcode::ArithAndi, flag, other)),
        (flag, other) => flag.or(other),
    }
}

/// Loads an element, or stores `other`, where the flag is set; a load gives `other` where it is not.
pub fn access(
    builder: &mut Builder<'_>,
    op: OpId,
    base: ValueId,
    at: &[ValueId],
    flag: Option<ValueId>,
    other: ValueId,
) -> Option<ValueId> {
    let indices = [&[base], at].concat();
    if matches!(builder.ir.opcode(op), Opcode::VectorScatter | Opcode::IreeVectorExtTransferScatter) {
        when(builder, flag, |builder| {
            builder.op(Opcode::MemrefStore, &[&[other], &indices[..]].concat(), &[], &[]);
        });
        return None;
    }
    let ty = builder.ir.type_of(other);
    Some(guarded(
        builder,
        flag,
        ty,
        |builder, inside| {
            if inside { builder.value(Opcode::MemrefLoad, &indices, ty, &[]) } else { other }
        },
    ))
}

fn finish(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, found: Vec<Option<ValueId>>) {
    if let Some(result) = builder.ir.results(op).next() {
        let lanes: Vec<Lane> = found.into_iter().flatten().map(Lane::scalar).collect();
        cx.set_lanes(builder, result, &lanes);
    }
}

pub fn as_index(builder: &mut Builder<'_>, value: ValueId) -> ValueId {
    let index = builder.ir.index_type();
    if builder.ir.type_of(value) == index { value } else { builder.value(Opcode::ArithIndexCast, &[value], index, &[]) }
}

/// The positions across a dimension, each with the numbers of the elements along it.
fn rows(shape: &[i64], dim: usize) -> Vec<Vec<usize>> {
    let mut across = shape.to_vec();
    let n = across.remove(dim);
    let row = |at: Vec<i64>| {
        let place = |i: i64| [&at[..dim], &[i], &at[dim..]].concat();
        (0..n).map(|i| number(shape, &place(i))).collect()
    };
    positions(&across).into_iter().map(row).collect()
}

/// The dimension that an attribute names.
fn dimension(builder: &Builder<'_>, op: OpId, name: &str) -> usize {
    builder.ir.attr(op, name).and_then(Attr::as_i64).expect("the verifier has seen the dimension") as usize
}

/// `vector.scan`: sums so far, with the element itself or, from the initial value on, without it. What a mask leaves out
/// changes nothing.
pub fn scan(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, mask: Option<ValueId>) {
    let (source, init) = (builder.ir.operand(op, 0), builder.ir.operand(op, 1));
    let (shape, elem) = (builder.ir.shape_of(source).to_vec(), builder.ir.elem_of(source));
    let Some(combine) = combiner(builder.ir, op, elem) else { return whole(builder, cx, op) };
    let dim = dimension(builder, op, "reduction_dim");
    let widths = &cx.grid(source).widths;
    let is_alike = |&value: &ValueId| cx.grids.get(&value).is_some_and(|grid| grid.widths == *widths);
    if row_dim(&shape).is_some_and(|row| row != dim && shape[row] > 1)
        && [Some(init), mask].iter().flatten().all(is_alike)
    {
        return scan_across(builder, cx, op, mask, (dim, combine));
    }
    let flags = mask.map(|mask| cx.grid(mask).lanes());
    let nothing = Combiner::of_opcode(combine).map(|combiner| combiner.neutral(builder, elem));
    let inclusive = builder.ir.attr(op, "inclusive").and_then(Attr::as_i64) == Some(1);
    let (lanes, inits) = (cx.grid(source).lanes(), cx.lanes_of(init));
    let (mut sums, mut totals) = (lanes.clone(), Vec::new());
    for (row, init) in rows(&shape, dimension(builder, op, "reduction_dim")).into_iter().zip(inits) {
        let mut total: Option<ValueId> = (!inclusive).then(|| element(builder, init));
        let mut before = None;
        for at in row {
            let mut here = element(builder, lanes[at]);
            if let (Some(flags), Some(nothing)) = (&flags, nothing) {
                let flag = element(builder, flags[at]);
                here = builder.value(Opcode::ArithSelect, &[flag, here, nothing], elem, &[]);
            }
            // Without the element itself, a sum has those in front of it.
            let term = if inclusive { Some(here) } else { before.replace(here) };
            total = match (total, term) {
                (Some(total), Some(term)) => Some(builder.binary(combine, total, term)),
                (total, term) => total.or(term),
            };
            sums[at] = Lane::scalar(total.expect("there is an initial value or an element"));
        }
        totals.push(Lane::scalar(total.expect("a dimension has an element")));
    }
    cx.set_lanes(builder, builder.ir.result(op, 0), &sums);
    cx.set_lanes(builder, builder.ir.result(op, 1), &totals);
}

/// The same where the rows of the vector lie across its lines: piece by piece.
fn scan_across(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    mask: Option<ValueId>,
    (dim, combine): (usize, Opcode),
) {
    let (source, inits) = (cx.grid(builder.ir.operand(op, 0)).clone(), cx.grid(builder.ir.operand(op, 1)).clone());
    let flags = mask.map(|mask| cx.grid(mask).pieces.clone());
    let nothing = Combiner::of_opcode(combine).map(|combiner| combiner.neutral(builder, source.elem));
    let inclusive = builder.ir.attr(op, "inclusive").and_then(Attr::as_i64) == Some(1);
    // The pieces of a row are those of a line's elements, one beside the other.
    let n = source.widths.len();
    let row = row_dim(&source.shape).expect("the rows have elements");
    let counts: Vec<i64> = (0..source.shape.len()).map(|d| if d == row { n as i64 } else { source.shape[d] }).collect();
    let (mut sums, mut totals) = (source.pieces.clone(), Vec::new());
    for (line, &init) in rows(&counts, dim).into_iter().zip(&inits.pieces) {
        let mut total: Option<ValueId> = (!inclusive).then_some(init);
        let mut before = None;
        for at in line {
            let mut here = source.pieces[at];
            if let (Some(flags), Some(nothing)) = (&flags, nothing) {
                let ty = builder.ir.type_of(here);
                let nothing = if builder.ir.ty(here).is_vector() { builder.broadcast(nothing, ty) } else { nothing };
                here = builder.value(Opcode::ArithSelect, &[flags[at], here, nothing], ty, &[]);
            }
            let term = if inclusive { Some(here) } else { before.replace(here) };
            total = match (total, term) {
                (Some(total), Some(term)) => Some(builder.binary(combine, total, term)),
                (total, term) => total.or(term),
            };
            sums[at] = total.expect("there is an initial value or an element");
        }
        totals.push(total.expect("a dimension has an element"));
    }
    for (number, (of, pieces)) in [(source, sums), (inits, totals)].into_iter().enumerate() {
        cx.grids.insert(builder.ir.result(op, number), Grid { pieces, ..of });
    }
}

/// `iree_vector_ext.arg_compare`: each element that a mask does not leave out against the best so far, in order.
pub fn arg_compare(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, mask: Option<ValueId>) {
    let parts: Vec<Option<ValueId>> = builder.ir.segments(op).into_iter().map(|part| part.first().copied()).collect();
    let [Some(values), indices, Some(init), Some(init_at), base] = parts[..] else {
        unreachable!("the form has these groups")
    };
    let (shape, int) = (builder.ir.shape_of(values).to_vec(), builder.ir.elem_of(init_at));
    let lanes = cx.grid(values).lanes();
    let flags = mask.map(|mask| cx.grid(mask).lanes());
    let indices = indices.map(|indices| cx.grid(indices).lanes());
    let (inits, inits_at) = (cx.lanes_of(init), cx.lanes_of(init_at));
    let base = base.map(|base| cx.map.get(base));
    let body = builder.ir.entry(op);
    let (args, ops) = (builder.ir.args(body).to_vec(), builder.ir.ops_of(body));
    let (mut bests, mut places) = (Vec::new(), Vec::new());
    for (n, row) in rows(&shape, dimension(builder, op, "dimension")).into_iter().enumerate() {
        let (mut best, mut place) = (element(builder, inits[n]), element(builder, inits_at[n]));
        for (i, at) in row.into_iter().enumerate() {
            let here = element(builder, lanes[at]);
            cx.map.set(args[0], here);
            cx.map.set(args[1], best);
            let (end, inner) = ops.split_last().expect("a region ends in a yield");
            for &op in inner {
                builder.copy(op, &mut cx.map);
            }
            let wins = cx.map.get(builder.ir.operand(*end, 0));
            let wins = both(builder, Some(wins), flags.as_ref().map(|flags| flags[at])).unwrap_or(wins);
            let index = match (&indices, base) {
                (Some(lanes), _) => element(builder, lanes[at]),
                (None, None) => builder.int(i as i64, int),
                (None, Some(base)) => {
                    let i = builder.index(i as i64);
                    let index = builder.binary(Opcode::ArithAddi, base, i);
                    if builder.ir.type_of(index) == int {
                        index
                    } else {
                        builder.value(Opcode::ArithIndexCast, &[index], int, &[])
                    }
                }
            };
            let (value_type, index_type) = (builder.ir.type_of(best), builder.ir.type_of(place));
            best = builder.value(Opcode::ArithSelect, &[wins, here, best], value_type, &[]);
            place = builder.value(Opcode::ArithSelect, &[wins, index, place], index_type, &[]);
        }
        bests.push(Lane::scalar(best));
        places.push(Lane::scalar(place));
    }
    cx.enter_lanes(builder, builder.ir.result(op, 0), &bests);
    cx.enter_lanes(builder, builder.ir.result(op, 1), &places);
}

/// `vector.bitcast`: elements are cut into, or put together from, narrower ones; the lowest bits come first.
pub fn bitcast(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) {
    let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let (from, to) = (builder.ir.elem_of(source), builder.ir.elem_of(result));
    let bits = |builder: &Builder<'_>, ty: TypeId| {
        Scalar::of(&builder.ir[ty]).map(Scalar::bits).expect("the check has seen the element")
    };
    let (wide, narrow) = (bits(builder, from), bits(builder, to));
    if cx.machine.fused && piecewise(builder, cx, op) {
        return;
    }
    let ints = [wide, narrow].map(|bits| builder.ir.int_type(bits));
    let lanes = cx.grid(source).lanes();
    let mut new = Vec::new();
    for part in lanes.chunks((narrow / wide).max(1) as usize) {
        let words: Vec<ValueId> = part
            .iter()
            .map(|&lane| {
                let value = element(builder, lane);
                same_bits(builder, value, ints[0])
            })
            .collect();
        if narrow > wide {
            let mut joined = None;
            for (i, word) in words.into_iter().enumerate() {
                let word = builder.value(Opcode::ArithExtui, &[word], ints[1], &[]);
                let by = builder.int(i as i64 * i64::from(wide), ints[1]);
                let word = if i == 0 { word } else { builder.binary(Opcode::ArithShli, word, by) };
                joined = Some(joined.map_or(word, |other| builder.binary(Opcode::ArithOri, other, word)));
            }
            new.extend(joined);
        } else {
            for i in 0..wide / narrow {
                let by = builder.int(i64::from(i * narrow), ints[0]);
                let word = if i == 0 { words[0] } else { builder.binary(Opcode::ArithShrui, words[0], by) };
                new.push(if wide == narrow { word } else { builder.value(Opcode::ArithTrunci, &[word], ints[1], &[]) });
            }
        }
    }
    let lanes: Vec<Lane> = new.into_iter().map(|word| Lane::scalar(same_bits(builder, word, to))).collect();
    cx.set_lanes(builder, result, &lanes);
}

/// `vector.bitcast` of each piece, where pieces become whole pieces or parts of such.
fn piecewise(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> bool {
    let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let grid = cx.grid(source).clone();
    let (shape, elem) = (builder.ir.shape_of(result).to_vec(), builder.ir.elem_of(result));
    let (Some(&from), Some(&to)) = (grid.shape.last(), shape.last()) else { return false };
    if from < to || grid.widths.iter().any(|width| width % (from / to) != 0) {
        return false;
    }
    let mut lanes = Vec::new();
    for (&piece, &width) in grid.pieces.iter().zip(grid.widths.iter().cycle()) {
        let width = width / (from / to);
        let ty = builder.ir.vector_type(&[width], elem);
        let new = builder.value(Opcode::VectorBitcast, &[piece], ty, &[]);
        lanes.extend((0..width).map(|lane| match width {
            1 => Lane::scalar(builder.extract(new, &[0])),
            _ => Lane { piece: new, width, lane },
        }));
    }
    cx.set_lanes(builder, result, &lanes);
    true
}

fn same_bits(builder: &mut Builder<'_>, value: ValueId, ty: TypeId) -> ValueId {
    if builder.ir.type_of(value) == ty { value } else { builder.value(Opcode::ArithBitcast, &[value], ty, &[]) }
}
