//! `iree_vector_ext.arg_compare` as loops: one `scf.for` over the reduced dimension for each point of the others.
//!
//! The comparator is asked whether the candidate goes in front of the best so far; the best value and its index are
//! carried from one element to the next, from the initial ones on.

use raddle_ir::{Attr, BlockId, Builder, DYNAMIC, Ir, OpId, Opcode, Type, ValueId, ValueMap};

use crate::code::select;

/// Expands one operation, if it is such a comparison on vectors of fixed size.
pub(super) fn expand(ir: &mut Ir, op: OpId) {
    if ir.opcode(op) != Opcode::IreeVectorExtArgCompare {
        return;
    }
    let parts: Vec<Vec<ValueId>> = ir.segments(op).into_iter().map(<[ValueId]>::to_vec).collect();
    let (value, inits) = (parts[0][0], [parts[2][0], parts[3][0]]);
    let scalable = matches!(ir.ty(value), Type::Vector { scalable, .. } if scalable.contains(&true));
    let Some(dimension) = ir.attr(op, "dimension").and_then(Attr::as_i64).and_then(|d| usize::try_from(d).ok()) else {
        return;
    };
    if scalable {
        return;
    }
    let comparator = ir.entry(op);
    let mut builder = Builder::before(ir, op);
    let value = last(&mut builder, value, dimension);
    let index = parts[1].first().map(|&index| last(&mut builder, index, dimension));
    let (extent, outer) = match builder.ir.shape_of(value) {
        [outer @ .., extent] => (*extent, outer.to_vec()),
        [] => return,
    };
    let (zero, one, end) = (builder.index(0), builder.index(1), builder.index(extent));
    let rows = Rows { comparator, bounds: [zero, end, one], index_base: parts[4].first().copied() };
    let mut best = inits;
    for at in points(&outer) {
        let row = |builder: &mut Builder<'_>, source: ValueId| {
            if at.is_empty() { source } else { builder.extract(source, &at) }
        };
        let init = inits.map(|init| builder.extract(init, &at));
        let value = row(&mut builder, value);
        let index = index.map(|index| row(&mut builder, index));
        let found = rows.search(&mut builder, init, value, index);
        for (best, found) in best.iter_mut().zip(found) {
            *best = if at.is_empty() {
                let ty = builder.ir.type_of(*best);
                builder.broadcast(found, ty)
            } else {
                builder.insert(found, *best, &at)
            };
        }
    }
    for (result, best) in ir.results(op).zip(best) {
        ir.replace_uses(result, best);
    }
    ir.erase(op);
}

/// What the loops share.
struct Rows {
    comparator: BlockId,
    bounds: [ValueId; 3],
    index_base: Option<ValueId>,
}

impl Rows {
    /// The best element of one row and its index.
    fn search(
        &self,
        builder: &mut Builder<'_>,
        init: [ValueId; 2],
        value: ValueId,
        index: Option<ValueId>,
    ) -> [ValueId; 2] {
        let [lower, upper, step] = self.bounds;
        let search = builder.for_loop(lower, upper, step, &init, |inner, at, best| {
            let candidate = element(inner, value, at);
            let goes_first = compare(inner, self.comparator, [candidate, best[0]]);
            let new = select(inner, goes_first, candidate, best[0]);
            let place = match index {
                Some(index) => element(inner, index, at),
                None => {
                    let place = self.index_base.map_or(at, |base| inner.binary(Opcode::ArithAddi, base, at));
                    let ty = inner.ir.type_of(best[1]);
                    if inner.ir[ty] == Type::Index {
                        place
                    } else {
                        inner.value(Opcode::ArithIndexCast, &[place], ty, &[])
                    }
                }
            };
            let new_place = select(inner, goes_first, place, best[1]);
            vec![new, new_place]
        });
        [builder.ir.result(search, 0), builder.ir.result(search, 1)]
    }
}

/// The vector with one dimension moved behind all others.
fn last(builder: &mut Builder<'_>, value: ValueId, dimension: usize) -> ValueId {
    let rank = builder.ir.shape_of(value).len();
    if dimension + 1 >= rank {
        return value;
    }
    let perm: Vec<usize> = (0..rank).filter(|&d| d != dimension).chain([dimension]).collect();
    builder.transpose(value, &perm)
}

/// Every coordinate below `shape`, the last dimension fastest; one empty coordinate for no dimensions.
fn points(shape: &[i64]) -> Vec<Vec<i64>> {
    shape.iter().fold(vec![Vec::new()], |points, &extent| {
        points.iter().flat_map(|point| (0..extent).map(move |i| [&point[..], &[i]].concat())).collect()
    })
}

/// `vector.extract row[at]`
fn element(builder: &mut Builder<'_>, row: ValueId, at: ValueId) -> ValueId {
    let elem = builder.ir.elem_of(row);
    let position = builder.ir.dense_i64(&[DYNAMIC]);
    builder.value(Opcode::VectorExtract, &[row, at], elem, &[("static_position", position)])
}

/// What the comparator yields for two values.
fn compare(builder: &mut Builder<'_>, comparator: BlockId, values: [ValueId; 2]) -> ValueId {
    let mut map = ValueMap::default();
    for (arg, value) in builder.ir.args(comparator).to_vec().into_iter().zip(values) {
        map.set(arg, value);
    }
    let ops = builder.ir.ops_of(comparator);
    let (end, ops) = ops.split_last().expect("a verified region has a terminator");
    for &op in ops {
        builder.copy(op, &mut map);
    }
    map.get(builder.ir.operand(*end, 0))
}
