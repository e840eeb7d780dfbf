//! The element that wins a comparison along a dimension, and its index.
//!
//! Whole-workgroup programs compare one element after the other: an element that beats the winner so far takes its
//! place, and the initial value stands in front of all. Threads compare theirs at the same time, so each one keeps the
//! position of its winner, too. Of two winners, the one further back must beat the other one; that makes the result the
//! same as in order, for any comparator that orders its values, with ties and without.
//!
//! Where the operation counts its indices itself, the position is the index, and nothing else has to travel.
//!
//! Winners meet inside the thread, then across lanes in a butterfly of shuffles, then through shared memory. Where the
//! comparator is the plain order and lanes lie in the order of the elements, lanes reduce the values alone, and the first
//! of those that have the best one is elected.
//!
//! It does not keep the order for comparators that contradict themselves, as `ugt` does once it has seen a NaN.

use raddle_ir::{Attr, Builder, Diag, OpId, Opcode, Type, TypeId, ValueId};
use raddle_layout::Nested;

use super::reduce;
use super::{Cx, elements, layout, memory, threads};
use crate::code;
use crate::config::Parts;

/// A winner: its value, the position it was found at (-1 for the initial value), and its index where that is another
/// number.
#[derive(Clone, Copy)]
struct Winner {
    value: ValueId,
    position: ValueId,
    index: Option<ValueId>,
}

impl Winner {
    fn map(self, mut f: impl FnMut(ValueId) -> ValueId) -> Winner {
        Winner { value: f(self.value), position: f(self.position), index: self.index.map(f) }
    }

    fn fields(self) -> impl Iterator<Item = ValueId> {
        [self.value, self.position].into_iter().chain(self.index)
    }
}

/// `iree_vector_ext.arg_compare`, of the elements that a mask selects if there is one: one thread's part of it, which lies
/// like the values.
pub fn arg_compare(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, mask: Option<ValueId>) -> Result<(), Diag> {
    let groups: Vec<Vec<ValueId>> = builder.ir.segments(op).into_iter().map(<[ValueId]>::to_vec).collect();
    let (values, indices) = (groups[0][0], groups[1].first().copied());
    let from = layout(builder.ir, op, values)?;
    let dim = builder.ir.attr(op, "dimension").and_then(Attr::as_i64).unwrap_or(0) as usize;
    let reduced: Vec<bool> = (0..from.rank()).map(|d| d == dim).collect();
    let shape = from.project(&reduced).distributed_shape();
    let inits = [groups[2][0], groups[3][0]].map(|init| cx.part(init));
    let [init_values, init_indices] = inits.map(|init| elements::each(builder, init));
    let (part, index_part) = (cx.part(values), indices.map(|indices| cx.part(indices)));

    // Inside the thread, whose positions are counted from its first element.
    let word = builder.ir.int_type(32);
    let before = builder.int(-1, word);
    let mut winners = Vec::new();
    for (n, at) in memory::positions(&shape).iter().enumerate() {
        let index = index_part.map(|_| init_indices[n]);
        let mut winner = Winner { value: init_values[n], position: before, index };
        for (slot, position) in slots(&from, dim, at) {
            let value = builder.extract(part, &slot);
            let mut beats = beats(builder, cx, op, value, winner.value);
            if let Some(mask) = mask {
                let counts = builder.extract(mask, &slot);
                beats = builder.binary(Opcode::ArithAndi, beats, counts);
            }
            let index = index_part.map(|part| builder.extract(part, &slot));
            let position = builder.int(position, word);
            winner = select(builder, beats, Winner { value, position, index }, winner);
        }
        winners.push(winner);
    }
    let zero = builder.index(0);
    let first = threads::coordinate(builder, cx, &from, dim, [0, 0], zero);
    let first = builder.value(Opcode::ArithIndexCast, &[first], word, &[]);
    for winner in &mut winners {
        let is_init = is_init(builder, winner.position);
        let position = builder.binary(Opcode::ArithAddi, winner.position, first);
        winner.position = builder.value(Opcode::ArithSelect, &[is_init, before, position], word, &[]);
    }
    let winners = across(builder, cx, op, winners, &from, &reduced)?;

    let base = groups[4].first().map(|&base| cx.part(base));
    let values: Vec<ValueId> = winners.iter().map(|winner| winner.value).collect();
    let indices: Vec<ValueId> = winners
        .iter()
        .zip(init_indices)
        .map(|(winner, init)| winner.index.unwrap_or_else(|| counted(builder, winner.position, base, init)))
        .collect();
    for (i, list) in [values, indices].iter().enumerate() {
        let new = elements::collect(builder, list, &shape);
        cx.map.set(builder.ir.result(op, i), new);
    }
    Ok(())
}

/// The slots of one thread along dimension `dim` at position `at` of the others, each with its distance from the first.
fn slots(from: &Nested, dim: usize, at: &[i64]) -> Vec<(Vec<i64>, i64)> {
    let (rank, kept) = (from.rank(), from.rank() - 1);
    let tiles = [from.batch_tile[dim], from.outer_tile[dim], from.element_tile[dim]];
    memory::positions(&tiles)
        .into_iter()
        .map(|along| {
            let mut slot = Vec::with_capacity(3 * rank);
            for (group, &along) in along.iter().enumerate() {
                slot.extend(&at[group * kept..(group + 1) * kept]);
                slot.insert(group * rank + dim, along);
            }
            let tile = along[0] * tiles[1] + along[1];
            (slot, tile * from.thread_tile[dim] * tiles[2] + along[2])
        })
        .collect()
}

/// The comparator on two values: whether the first one wins.
fn beats(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, value: ValueId, than: ValueId) -> ValueId {
    let block = builder.ir.entry(op);
    let args = builder.ir.args(block).to_vec();
    cx.map.set(args[0], value);
    cx.map.set(args[1], than);
    let end = builder.ir.terminator(block).expect("the verifier has seen a terminator");
    for inner in builder.ir.ops_of(block) {
        if inner != end {
            builder.copy(inner, &mut cx.map);
        }
    }
    cx.map.get(builder.ir.operand(end, 0))
}

fn select(builder: &mut Builder<'_>, condition: ValueId, yes: Winner, no: Winner) -> Winner {
    let mut no = no.fields();
    yes.map(|yes| {
        let no = no.next().expect("both winners have the same fields");
        let ty = builder.ir.type_of(yes);
        builder.value(Opcode::ArithSelect, &[condition, yes, no], ty, &[])
    })
}

fn is_init(builder: &mut Builder<'_>, position: ValueId) -> ValueId {
    let ty = builder.ir.type_of(position);
    let zero = builder.int(0, ty);
    code::compare(builder, code::LESS, position, zero)
}

/// The winner of two, whichever stands in front of the other one.
fn better(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, one: Winner, other: Winner) -> Winner {
    let is_behind = code::compare(builder, code::LESS, other.position, one.position);
    let ty = builder.ir.type_of(one.value);
    let behind = builder.value(Opcode::ArithSelect, &[is_behind, one.value, other.value], ty, &[]);
    let front = builder.value(Opcode::ArithSelect, &[is_behind, other.value, one.value], ty, &[]);
    let beats = beats(builder, cx, op, behind, front);
    // `one` wins from behind, or from the front.
    let other_wins = builder.binary(Opcode::ArithXori, beats, is_behind);
    select(builder, other_wins, other, one)
}

/// Winners of all threads that share the dimension.
fn across(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    mut winners: Vec<Winner>,
    from: &Nested,
    reduced: &[bool],
) -> Result<Vec<Winner>, Diag> {
    let (lanes, parts) = Parts::of(from, reduced, cx.launch);
    let (width, word) = (cx.launch.subgroup_size, builder.ir.int_type(32));
    let in_order = (0..from.rank()).all(|d| !reduced[d] || from.batch_tile[d] * from.outer_tile[d] == 1);
    let order = if in_order { plain_order(builder, op) } else { None };
    for [size, stride] in lanes {
        if let Some(kind) = order {
            let cluster =
                Cluster { size, stride, shared: (0..from.rank()).any(|d| !reduced[d] && from.thread_tile[d] > 1) };
            for winner in &mut winners {
                *winner = elected(builder, cx, *winner, kind, &cluster);
            }
            continue;
        }
        let mut distance = stride;
        while distance < size * stride {
            let offset = builder.int(distance, word);
            for winner in &mut winners {
                let other = winner.map(|field| code::shuffle(builder, field, offset, width, "xor"));
                *winner = better(builder, cx, op, *winner, other);
            }
            distance *= 2;
        }
    }
    if parts.is_empty() {
        return Ok(winners);
    }
    let shape = from.project(reduced).distributed_shape();
    let n_fields = winners[0].fields().count();
    let mut outgoing = Vec::new();
    for i in 0..n_fields {
        let list: Vec<ValueId> = winners.iter().filter_map(|winner| winner.fields().nth(i)).collect();
        outgoing.push(elements::collect(builder, &list, &shape));
    }
    let all = reduce::exchange(builder, cx, op, &parts, &outgoing)?;
    let dim = reduced.iter().position(|&is_reduced| is_reduced).expect("one dimension is compared");
    let mut best = Vec::new();
    for at in memory::positions(&shape) {
        let theirs = slots(&parts.all, dim, &at).into_iter().map(|(slot, _)| Winner {
            value: builder.extract(all[0], &slot),
            position: builder.extract(all[1], &slot),
            index: all.get(2).map(|&indices| builder.extract(indices, &slot)),
        });
        let theirs: Vec<Winner> = theirs.collect();
        best.extend(theirs.into_iter().reduce(|one, other| better(builder, cx, op, one, other)));
    }
    Ok(best)
}

/// The reduction that finds what wins by a comparator that is no more than a strict order.
fn plain_order(builder: &Builder<'_>, op: OpId) -> Option<&'static str> {
    let ir = &*builder.ir;
    let block = ir.entry(op);
    let end = ir.terminator(block)?;
    let compare = ir.def_op(ir.operand(end, 0)).filter(|&compare| ir.parent_block(compare) == Some(block))?;
    if ir.operands(compare) != ir.args(block) {
        return None;
    }
    let predicate = ir.attr(compare, "predicate").and_then(Attr::as_i64)?;
    // MLIR numbers ogt 2 and olt 4; slt, sgt, ult and ugt 2, 4, 6 and 8.
    Some(match (ir.opcode(compare), predicate) {
        (Opcode::ArithCmpf, 2) => "maxnumf",
        (Opcode::ArithCmpf, 4) => "minnumf",
        (Opcode::ArithCmpi, 2) => "minsi",
        (Opcode::ArithCmpi, 4) => "maxsi",
        (Opcode::ArithCmpi, 6) => "minui",
        (Opcode::ArithCmpi, 8) => "maxui",
        _ => return None,
    })
}

/// Lanes that share a dimension.
struct Cluster {
    size: i64,
    stride: i64,
    /// Whether other lanes of the subgroup hold other elements.
    shared: bool,
}

/// The winner of a cluster: lanes agree on the best value, and the first one that has it sends what belongs to it.
fn elected(builder: &mut Builder<'_>, cx: &Cx<'_>, winner: Winner, kind: &'static str, cluster: &Cluster) -> Winner {
    let (ty, width) = (builder.ir.type_of(winner.value), cx.launch.subgroup_size);
    let is_float = matches!(builder.ir[ty], Type::Float(_));
    let mut value = winner.value;
    if is_float {
        // A winner is NaN only where it is the initial value, and then it is in every lane. Equality would not see it.
        let worst = if kind == "maxnumf" { f64::NEG_INFINITY } else { f64::INFINITY };
        let worst = builder.float(worst, ty);
        let is_nan = code::compare_floats(builder, code::UNORDERED, value, value);
        value = builder.value(Opcode::ArithSelect, &[is_nan, worst, value], ty, &[]);
    }
    let best = reduce::across_lanes(builder, value, &[[cluster.size, cluster.stride]], kind);
    let has_it = if is_float {
        code::compare_floats(builder, code::ORDERED_EQUAL, value, best)
    } else {
        code::compare(builder, code::EQUAL, value, best)
    };
    let word = builder.ir.int_type(32);
    let bits = if width <= 32 { word } else { builder.ir.int_type(64) };
    let mut ballot = builder.value(Opcode::GpuBallot, &[has_it], bits, &[]);
    if cluster.shared {
        let lanes = (0..cluster.size).fold(0i64, |lanes, lane| lanes | 1 << (lane * cluster.stride));
        let lanes = builder.int(lanes, bits);
        let first = threads::first_lane(builder, cx, [cluster.size, cluster.stride]);
        let first = builder.value(Opcode::ArithIndexCast, &[first], bits, &[]);
        let lanes = builder.binary(Opcode::ArithShli, lanes, first);
        ballot = builder.binary(Opcode::ArithAndi, ballot, lanes);
    }
    let mut lane = builder.value(Opcode::MathCttz, &[ballot], bits, &[]);
    if bits != word {
        lane = builder.value(Opcode::ArithTrunci, &[lane], word, &[]);
    }
    winner.map(|field| {
        // Equal integers are the same; equal floats may be zeros of either sign.
        if field == winner.value && !is_float { best } else { code::shuffle(builder, field, lane, width, "idx") }
    })
}

/// The index of a position that counts itself: the base and the position, or the initial index.
fn counted(builder: &mut Builder<'_>, position: ValueId, base: Option<ValueId>, init: ValueId) -> ValueId {
    let ty = builder.ir.type_of(init);
    let is_init = is_init(builder, position);
    let mut index = resized(builder, position, ty);
    if let Some(base) = base {
        let base = resized(builder, base, ty);
        index = builder.binary(Opcode::ArithAddi, index, base);
    }
    builder.value(Opcode::ArithSelect, &[is_init, init, index], ty, &[])
}

/// An integer in another integer type.
fn resized(builder: &mut Builder<'_>, value: ValueId, ty: TypeId) -> ValueId {
    let width = |ty: TypeId| if let Type::Integer { width, .. } = builder.ir[ty] { Some(width) } else { None };
    let opcode = match (width(builder.ir.type_of(value)), width(ty)) {
        (Some(from), Some(to)) if from < to => Opcode::ArithExtsi,
        (Some(from), Some(to)) if from > to => Opcode::ArithTrunci,
        (None, None) | (Some(_), Some(_)) => return value,
        _ => Opcode::ArithIndexCast,
    };
    builder.value(opcode, &[value], ty, &[])
}
