//! Scans and comparisons: each result depends on the one before it, so they go element by element.

use raddle_ir::{Attr, Builder, OpId, Opcode, Type, TypeId, ValueId};

use super::Cx;
use super::compute::combiner;
use super::grid::{Lane, element, number, positions};

/// `vector.scan`
pub fn scan(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) {
    let (source, init) = (builder.ir.operand(op, 0), builder.ir.operand(op, 1));
    let elem = builder.ir.elem_of(source);
    let combine = combiner(builder.ir, op, elem).expect("kinds that combine no such elements are refused");
    let inclusive = matches!(builder.ir.attr(op, "inclusive"), Some(Attr::Bool(true)));
    let (shape, dim) = (builder.ir.shape_of(source).to_vec(), along(builder, op, "reduction_dim"));
    let mut lanes = cx.grid(source).lanes();
    let mut totals = cx.grid(init).lanes();
    for (total, at) in totals.iter_mut().zip(positions(&without(&shape, dim))) {
        let mut sum = (!inclusive).then(|| element(builder, *total));
        for place in line(&shape, dim, &at) {
            let value = element(builder, lanes[place]);
            let next = match sum {
                Some(sum) => builder.binary(combine, sum, value),
                None => value,
            };
            // The last partial result is the total.
            *total = Lane::scalar(if inclusive { next } else { sum.unwrap_or(next) });
            lanes[place] = *total;
            sum = Some(next);
        }
    }
    cx.set_lanes(builder, builder.ir.result(op, 0), &lanes);
    cx.set_lanes(builder, builder.ir.result(op, 1), &totals);
}

/// `iree_vector_ext.arg_compare`
pub fn arg_compare(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) {
    let groups: Vec<Vec<ValueId>> = builder.ir.segments(op).into_iter().map(<[ValueId]>::to_vec).collect();
    let values = groups[0][0];
    let (shape, dim) = (builder.ir.shape_of(values).to_vec(), along(builder, op, "dimension"));
    let lanes = cx.grid(values).lanes();
    let indices = groups[1].first().map(|&indices| cx.grid(indices).lanes());
    let base = groups[4].first().map(|&base| cx.map.get(base));
    let [mut best, mut found] = [groups[2][0], groups[3][0]].map(|init| cx.grid(init).lanes());
    let index_elem = builder.ir.elem_of(groups[3][0]);
    for (i, at) in positions(&without(&shape, dim)).iter().enumerate() {
        let mut winner = [best[i], found[i]].map(|lane| element(builder, lane));
        for (n, place) in line(&shape, dim, at).into_iter().enumerate() {
            let value = element(builder, lanes[place]);
            let index = match &indices {
                Some(indices) => element(builder, indices[place]),
                None => counted(builder, base, n as i64, index_elem),
            };
            let wins = beats(builder, cx, op, value, winner[0]);
            let [old, other] = winner;
            winner = [(value, old), (index, other)].map(|(new, old)| {
                let ty = builder.ir.type_of(new);
                builder.value(Opcode::Select, &[wins, new, old], ty, &[])
            });
        }
        [best[i], found[i]] = winner.map(Lane::scalar);
    }
    cx.set_lanes(builder, builder.ir.result(op, 0), &best);
    cx.set_lanes(builder, builder.ir.result(op, 1), &found);
}

/// The dimension that an attribute names.
fn along(builder: &Builder<'_>, op: OpId, name: &str) -> usize {
    builder.ir.attr(op, name).and_then(Attr::as_i64).expect("the verifier has seen a dimension") as usize
}

fn without(shape: &[i64], dim: usize) -> Vec<i64> {
    let mut kept = shape.to_vec();
    kept.remove(dim);
    kept
}

/// The numbers of the elements along a dimension, at a position of the others.
fn line(shape: &[i64], dim: usize, at: &[i64]) -> Vec<usize> {
    let place = |i: i64| number(shape, &[&at[..dim], &[i], &at[dim..]].concat());
    (0..shape[dim]).map(place).collect()
}

/// `base + n` in an index's type.
fn counted(builder: &mut Builder<'_>, base: Option<ValueId>, n: i64, ty: TypeId) -> ValueId {
    let number = builder.int(n, ty);
    let Some(base) = base else { return number };
    let same = builder.ir[ty] == Type::Index;
    let base = if same { base } else { builder.value(Opcode::IndexCast, &[base], ty, &[]) };
    builder.binary(Opcode::AddI, base, number)
}

/// The comparator on two scalars: whether the first one wins.
fn beats(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, value: ValueId, than: ValueId) -> ValueId {
    let block = builder.ir.entry(op);
    for (arg, value) in builder.ir.args(block).to_vec().into_iter().zip([value, than]) {
        cx.map.set(arg, value);
    }
    let end = builder.ir.terminator(block).expect("the verifier has seen a terminator");
    for inner in builder.ir.ops_of(block) {
        if inner != end {
            builder.copy(inner, &mut cx.map);
        }
    }
    cx.map.get(builder.ir.operand(end, 0))
}
