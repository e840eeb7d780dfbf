//! What makes or combines elements.

use raddle_ir::views::{Contract, Mixed, mixed};
use raddle_ir::{Attr, Builder, Float, Ir, Map, OpId, Opcode, Scalar, Type, TypeId, ValueId};
use raddle_target::MatrixShape;
use rustc_hash::FxHashMap;

use super::grid::{Grid, Lane, element, piece, piece_type, row_dim, shuffled, starts, widths};
use super::{Cx, whole};
use crate::clean;
use crate::code::extents::{number, positions};
use crate::code::{LESS, compare};
use crate::configure::roles;
use crate::lay_out::reduced;
use crate::structured::body::Combiner;

/// Constants, counts and masks.
pub fn made(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) {
    let result = builder.ir.result(op, 0);
    let (shape, elem) = (builder.ir.shape_of(result).to_vec(), builder.ir.elem_of(result));
    let widths = cx.widths_of(result, &shape);
    let starts = starts(&shape, &widths);
    let pieces = match (builder.ir.opcode(op), builder.ir.attr(op, "value")) {
        (Opcode::VectorCreateMask | Opcode::VectorConstantMask, _) => masks(builder, cx, op, row_dim(&shape), &starts),
        (Opcode::VectorStep, _) => {
            let count =
                |at: &[i64], width: i64| (at[0]..at[0] + width).map(|i| Attr::Int { value: i.into(), ty: elem });
            starts.iter().map(|(at, width)| constant(builder, elem, &count(at, *width).collect::<Vec<_>>())).collect()
        }
        (_, Some(value @ Attr::Dense { splat, .. })) => {
            let (splat, elems) = (*splat, builder.ir.dense_elems(value));
            let of = |at: &[i64], width: i64| -> Vec<Attr> {
                let first = number(&shape, at);
                (first..first + width as usize).map(|i| elems[if splat { 0 } else { i }].clone()).collect()
            };
            starts.iter().map(|(at, width)| constant(builder, elem, &of(at, *width))).collect()
        }
        // Poison is poison in every piece.
        _ => {
            let (name, attrs) = (builder.ir.name(op).to_owned(), builder.ir.attr_dict(op));
            let make = |width: i64, builder: &mut Builder<'_>| {
                let ty = piece_type(builder, elem, width);
                let span = builder.span;
                let piece = builder.ir.create_named(&name, &[], &[ty], attrs, span);
                builder.place(piece);
                builder.ir.result(piece, 0)
            };
            starts.iter().map(|&(_, width)| make(width, builder)).collect()
        }
    };
    cx.grids.insert(result, Grid { shape, elem, widths, pieces });
}

/// A piece of known elements.
pub fn constant(builder: &mut Builder<'_>, elem: TypeId, elems: &[Attr]) -> ValueId {
    if let [only] = elems {
        return builder.constant(only.clone(), elem);
    }
    let ty = piece_type(builder, elem, elems.len() as i64);
    let splat = elems.iter().all(|attr| *attr == elems[0]);
    let kept = if splat { &elems[..1] } else { elems };
    let bytes = kept.iter().flat_map(|attr| builder.ir.elem_bytes(attr)).collect();
    builder.constant(Attr::Dense { ty, splat, bytes }, ty)
}

/// The pieces of a mask: an element is set that lies in front of the bound in every dimension.
fn masks(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    op: OpId,
    along: Option<usize>,
    starts: &[(Vec<i64>, i64)],
) -> Vec<ValueId> {
    let bounds: Vec<Mixed> = if builder.ir.opcode(op) == Opcode::VectorConstantMask {
        let sizes = builder.ir.attr_id(op, "mask_dim_sizes").and_then(|attr| builder.ir.ints(attr));
        mixed(&sizes.unwrap_or_default(), &[])
    } else {
        builder.ir.operands(op).iter().map(|&bound| Mixed::Value(cx.map.get(bound))).collect()
    };
    let (bit, index) = (builder.ir.int_type(1), builder.ir.index_type());
    let mut pieces = Vec::new();
    for (at, width) in starts {
        let mut conditions = Vec::new();
        // A mask of rank 0 has a bound all the same.
        let along = along.filter(|_| *width > 1);
        for (d, bound) in bounds.iter().enumerate().filter(|(d, _)| Some(*d) != along) {
            let here = builder.index(at.get(d).copied().unwrap_or(0));
            let bound = bound.materialize(builder);
            conditions.push(compare(builder, LESS, here, bound));
        }
        let all = conditions.into_iter().reduce(|all, one| builder.binary(Opcode::ArithAndi, all, one));
        let Some(along) = along else {
            pieces.push(all.expect("a mask has a bound"));
            continue;
        };
        let counts: Vec<Attr> = (0..*width).map(|i| Attr::Int { value: (at[along] + i).into(), ty: index }).collect();
        let counts = constant(builder, index, &counts);
        let mut bound = bounds[along].materialize(builder);
        if let Some(all) = all {
            let zero = builder.index(0);
            bound = builder.value(Opcode::ArithSelect, &[all, bound, zero], index, &[]);
        }
        let (wide, flags) = (piece_type(builder, index, *width), piece_type(builder, bit, *width));
        let bound = builder.broadcast(bound, wide);
        let i64 = builder.ir.int_type(64);
        let predicate = builder.ir.intern(Attr::Int { value: LESS.into(), ty: i64 });
        pieces.push(builder.value(Opcode::ArithCmpi, &[counts, bound], flags, &[("predicate", predicate)]));
    }
    pieces
}

/// The same operation on each piece.
pub fn elementwise(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) {
    let result = builder.ir.result(op, 0);
    let shape = builder.ir.shape_of(result).to_vec();
    let widths = cx.widths_of(result, &shape);
    let olds: Vec<ValueId> = builder.ir.results(op).collect();
    // What others use in wider pieces comes in elements, too.
    let mut operands = builder.ir.operands(op).to_vec();
    operands.retain(|value| cx.grids.get(value).is_some_and(|grid| grid.widths != widths));
    let mut regrouped = FxHashMap::default();
    for value in operands {
        let grid = cx.grid(value).clone();
        let grid = Grid::of(builder, cx, widths.clone(), (&shape, grid.elem), &grid.lanes());
        regrouped.insert(value, grid);
    }
    let elems: Vec<TypeId> = olds.iter().map(|&old| builder.ir.elem_of(old)).collect();
    builder.ir.remove_attr(op, "layouts");
    let attrs = builder.ir.attr_dict(op);
    let mut pieces = vec![Vec::new(); olds.len()];
    for (i, (_, width)) in starts(&shape, &widths).into_iter().enumerate() {
        // `vector.fma` is for vectors alone.
        let name = match builder.ir.opcode(op) {
            Opcode::VectorFma if width == 1 => Opcode::MathFma.name().to_owned(),
            _ => builder.ir.name(op).to_owned(),
        };
        let part = |value: &ValueId| {
            let grid = regrouped.get(value).or_else(|| cx.grids.get(value));
            grid.map_or_else(|| cx.map.get(*value), |grid| grid.pieces[i])
        };
        let operands: Vec<ValueId> = builder.ir.operands(op).iter().map(part).collect();
        let types: Vec<TypeId> = elems.iter().map(|&elem| piece_type(builder, elem, width)).collect();
        // Integers that are the same in all elements are computed once.
        let are_ints = elems.iter().all(|&elem| !matches!(builder.ir[elem], Type::Float(_)));
        let scalars = if width > 1 && are_ints { scalars(builder, &operands) } else { None };
        let (operands, made) = match &scalars {
            Some(scalars) => (scalars, &elems),
            None => (&operands, &types),
        };
        let span = builder.span;
        let new = builder.ir.create_named(&name, operands, made, attrs, span);
        builder.place(new);
        let values: Vec<ValueId> = builder.ir.results(new).collect();
        for ((pieces, value), &ty) in pieces.iter_mut().zip(values).zip(&types) {
            pieces.push(if scalars.is_some() { builder.broadcast(value, ty) } else { value });
        }
    }
    for ((old, elem), pieces) in olds.into_iter().zip(elems).zip(pieces) {
        cx.grids.insert(old, Grid { shape: shape.clone(), elem, widths: widths.clone(), pieces });
    }
}

/// What vectors are in each of their elements, if all of them are the same in each.
fn scalars(builder: &mut Builder<'_>, vectors: &[ValueId]) -> Option<Vec<ValueId>> {
    let scalar = |&vector: &ValueId| {
        if let Some(number) = clean::number::of(builder.ir, vector) {
            let elem = builder.ir.elem_of(vector);
            let number = clean::number::attr(builder.ir, number, elem);
            return Some(builder.constant(number, elem));
        }
        let op = builder.ir.def_op(vector).filter(|&op| builder.ir.opcode(op) == Opcode::VectorBroadcast)?;
        Some(builder.ir.operand(op, 0)).filter(|&source| !builder.ir.ty(source).is_vector())
    };
    vectors.iter().map(scalar).collect()
}

/// The combining operation of a reduction, scan or contraction, if its kind has one for the element type.
pub fn combiner(ir: &Ir, op: OpId, elem: TypeId) -> Option<Opcode> {
    let is_float = matches!(ir[elem], Type::Float(_));
    Combiner::of_kind(ir.keyword_of(op, "kind").unwrap_or("add"), is_float).map(|combiner| combiner.opcode)
}

/// Folds over the positions of `summed`, for each piece of the result; `step` makes the next sum, and the flags of what
/// takes part if there are any, from the sum so far, the position of the piece, its width, and the position along the
/// sums.
fn fold(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    acc: ValueId,
    summed: &[i64],
    step: impl Fn(&mut Builder<'_>, ValueId, &[i64], i64, &[i64]) -> (ValueId, Option<ValueId>),
) {
    let result = builder.ir.result(op, 0);
    let is_vector = builder.ir.ty(result).is_vector();
    let shape = if is_vector { builder.ir.shape_of(result).to_vec() } else { Vec::new() };
    let widths = widths(cx.machine, &shape);
    let mut pieces = cx.parts(acc);
    let starts = starts(&shape, &widths);
    // Position by position, so that what one of them needs is needed no longer behind it.
    for sum in positions(summed) {
        for ((at, width), piece) in starts.iter().zip(&mut pieces) {
            let (sum, flags) = step(builder, *piece, at, *width, &sum);
            let ty = builder.ir.type_of(sum);
            *piece = flags.map_or(sum, |flags| builder.value(Opcode::ArithSelect, &[flags, sum, *piece], ty, &[]));
        }
    }
    cx.enter(builder.ir, result, &mut pieces.into_iter());
}

/// `vector.multi_reduction`, of the elements whose flag is set if there is a mask.
pub fn reduce(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, mask: Option<ValueId>) {
    let (source, acc) = (builder.ir.operand(op, 0), builder.ir.operands(op).get(1).copied());
    let elem = builder.ir.elem_of(source);
    let (Opcode::VectorMultiReduction, Some(acc), Some(combine)) =
        (builder.ir.opcode(op), acc, combiner(builder.ir, op, elem))
    else {
        return whole(builder, cx, op);
    };
    let shape = builder.ir.shape_of(source).to_vec();
    let marks = reduced(builder.ir, op);
    let kept: Vec<usize> = (0..shape.len()).filter(|&d| !marks[d]).collect();
    let gone: Vec<usize> = (0..shape.len()).filter(|&d| marks[d]).collect();
    let lanes = cx.grid(source).lanes();
    let flags = mask.map(|mask| cx.grid(mask).clone());
    let summed: Vec<i64> = gone.iter().map(|&d| shape[d]).collect();
    let rows_go = row_dim(&shape).is_some_and(|d| marks[d]);
    let in_vectors = has_reduction(builder.ir, elem) || cx.machine.shuffles && is_small_float(builder.ir, elem);
    if cx.machine.fused && rows_go && in_vectors {
        return reduce_rows(builder, cx, op, acc, [&kept, &gone], combine, flags);
    }
    let along = row_dim(&kept.iter().map(|&d| shape[d]).collect::<Vec<_>>());
    fold(builder, cx, op, acc, &summed, |builder, acc, at, width, sum| {
        let place = |j: i64| {
            let mut place = vec![0; shape.len()];
            for (&d, &i) in gone.iter().zip(sum) {
                place[d] = i;
            }
            for (&d, i) in kept.iter().zip(behind(at, along, j)) {
                place[d] = i;
            }
            number(&shape, &place)
        };
        let part: Vec<Lane> = (0..width).map(|j| lanes[place(j)]).collect();
        let flags = flags.as_ref().map(|flags| {
            let all = flags.lanes();
            piece(builder, flags.elem, &(0..width).map(|j| all[place(j)]).collect::<Vec<_>>())
        });
        let term = piece(builder, elem, &part);
        (builder.binary(combine, acc, term), flags)
    });
}

/// Whether machines combine the elements of a vector of this type by one operation.
fn has_reduction(ir: &Ir, elem: TypeId) -> bool {
    match Scalar::of(&ir[elem]) {
        Some(Scalar::Float(float)) => matches!(float, Float::F32 | Float::F64),
        Some(Scalar::Int(width)) => matches!(width, 8 | 16 | 32 | 64),
        Some(Scalar::Index) | None => false,
    }
}

/// Whether elements are floats whose arithmetic is that of f32 and rounded once more: no operation combines a vector.
fn is_small_float(ir: &Ir, elem: TypeId) -> bool {
    matches!(Scalar::of(&ir[elem]), Some(Scalar::Float(Float::F16 | Float::BF16)))
}

/// The elements of a vector, each half combined with the other one until there is one.
fn halves(builder: &mut Builder<'_>, combine: Opcode, mut vector: ValueId, mut width: i64) -> ValueId {
    while width > 2 && width % 2 == 0 {
        width /= 2;
        let [low, high] = [0, width].map(|first| {
            let lanes = (first..first + width).map(|lane| Lane { piece: vector, width: 2 * width, lane });
            shuffled(builder, &lanes.collect::<Vec<_>>()).expect("half of a vector is a shuffle")
        });
        vector = builder.binary(combine, low, high);
    }
    let lanes: Vec<ValueId> = (0..width).map(|lane| builder.extract(vector, &[lane])).collect();
    lanes.into_iter().reduce(|all, one| builder.binary(combine, all, one)).expect("a vector has elements")
}

/// `vector.multi_reduction` of whole rows: their pieces are combined as vectors, and the elements of the last one are
/// combined at the end. An element whose flag is not set is replaced by one that changes nothing.
fn reduce_rows(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    acc: ValueId,
    [kept, gone]: [&[usize]; 2],
    combine: Opcode,
    flags: Option<Grid>,
) {
    let mut grid = cx.grid(builder.ir.operand(op, 0)).clone();
    if let Some(flags) = flags {
        let combiner = Combiner::of_opcode(combine).expect("reductions combine");
        for (piece, flag) in grid.pieces.iter_mut().zip(flags.pieces) {
            let ty = builder.ir.type_of(*piece);
            let nothing = combiner.neutral(builder, ty);
            *piece = builder.value(Opcode::ArithSelect, &[flag, *piece, nothing], ty, &[]);
        }
    }
    let n_pieces = grid.widths.len() as i64;
    let extents = |dims: &[usize]| dims.iter().map(|&d| grid.shape[d]).collect::<Vec<i64>>();
    let along = row_dim(&grid.shape).expect("what is reduced has a dimension");
    // Dimensions behind a row have one element.
    let lead: Vec<usize> = gone.iter().copied().filter(|&d| d < along).collect();
    let rows = &grid.shape[..along];
    let mut all = Vec::new();
    for at in positions(&extents(kept)) {
        // One vector for each width.
        let mut sums: Vec<(i64, ValueId)> = Vec::new();
        for sum in positions(&extents(&lead)) {
            let mut row = vec![0; rows.len()];
            for (&d, &i) in kept.iter().zip(&at).filter(|(d, _)| **d < along).chain(lead.iter().zip(&sum)) {
                row[d] = i;
            }
            let first = number(rows, &row) as i64 * n_pieces;
            for (&width, &piece) in grid.widths.iter().zip(&grid.pieces[first as usize..]) {
                match sums.iter_mut().find(|(other, _)| *other == width) {
                    Some((_, sum)) => *sum = builder.binary(combine, *sum, piece),
                    None => sums.push((width, piece)),
                }
            }
        }
        all.push(sums);
    }
    combine_rows(builder, cx, op, acc, combine, &all);
}

/// The result of an operation whose elements are what was there, combined with all elements of some vectors: the same
/// number of them for each, of the same widths.
fn combine_rows(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    acc: ValueId,
    combine: Opcode,
    rows: &[Vec<(i64, ValueId)>],
) {
    let result = builder.ir.result(op, 0);
    let is_vector = builder.ir.ty(result).is_vector();
    let (shape, elem) = (is_vector.then(|| builder.ir.shape_of(result).to_vec()), builder.ir.elem_of(acc));
    let mut pieces = cx.parts(acc);
    for i in 0..rows.first().map_or(0, Vec::len) {
        let width = rows[0][i].0;
        let vectors: Vec<ValueId> = rows.iter().map(|row| row[i].1).collect();
        let lanes = totals(builder, cx, elem, combine, &vectors, width);
        let terms = match &shape {
            Some(shape) => Grid::of(builder, cx, widths(cx.machine, shape), (shape, elem), &lanes).pieces,
            None => vec![element(builder, lanes[0])],
        };
        for (piece, term) in pieces.iter_mut().zip(terms) {
            *piece = builder.binary(combine, *piece, term);
        }
    }
    cx.enter(builder.ir, result, &mut pieces.into_iter());
}

/// For each vector all of its elements, combined.
fn totals(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    elem: TypeId,
    combine: Opcode,
    vectors: &[ValueId],
    width: i64,
) -> Vec<Lane> {
    let (mut lanes, mut rest) = (Vec::new(), vectors);
    while let [first, ..] = *rest {
        let together = if cx.machine.shuffles && width.count_ones() == 1 { rest.len().min(width as usize) } else { 1 };
        let (now, later) = rest.split_at(1 << together.ilog2());
        rest = later;
        match now {
            _ if width == 1 => lanes.push(Lane::scalar(first)),
            [_, _, ..] => lanes.extend(side_by_side(builder, combine, now, width)),
            _ if is_small_float(builder.ir, elem) => {
                lanes.push(Lane::scalar(halves(builder, combine, first, width)));
            }
            _ => {
                let kind = Combiner::of_opcode(combine).expect("reductions combine").kind;
                let kind = builder.keyword_attr("vector.kind", kind);
                lanes.push(Lane::scalar(builder.value(Opcode::VectorReduction, &[first], elem, &[("kind", kind)])));
            }
        }
    }
    lanes
}

/// The same for a power of two of vectors, at most as many as they have elements: halves of two are combined and lie
/// side by side in one, until one vector has all, with as many elements for each; then these are halved.
fn side_by_side(builder: &mut Builder<'_>, combine: Opcode, vectors: &[ValueId], width: i64) -> Vec<Lane> {
    let mut vectors = vectors.to_vec();
    let n = vectors.len() as i64;
    let mut group = width;
    let shuffle =
        |builder: &mut Builder<'_>, lanes: &[Lane]| shuffled(builder, lanes).expect("a shuffle of two vectors");
    while vectors.len() > 1 {
        group /= 2;
        let half = |pair: &[ValueId], which: i64| -> Vec<Lane> {
            let of = |&piece: &ValueId| (0..width).map(move |lane| Lane { piece, width, lane });
            pair.iter().flat_map(of).filter(|lane| lane.lane / group % 2 == which).collect()
        };
        let pairs = vectors.chunks(2).map(|pair| {
            let [low, high] = [0, 1].map(|which| shuffle(builder, &half(pair, which)));
            builder.binary(combine, low, high)
        });
        vectors = pairs.collect();
    }
    let mut vector = vectors[0];
    while group > 1 {
        group /= 2;
        let turned: Vec<Lane> = (0..width).map(|lane| Lane { piece: vector, width, lane: lane ^ group }).collect();
        let turned = shuffle(builder, &turned);
        vector = builder.binary(combine, vector, turned);
    }
    (0..n).map(|row| Lane { piece: vector, width, lane: row * (width / n) }).collect()
}

/// The position `j` elements behind another one, in the row that it is in.
fn behind(at: &[i64], along: Option<usize>, j: i64) -> impl Iterator<Item = i64> + '_ {
    at.iter().enumerate().map(move |(d, &i)| if Some(d) == along { i + j } else { i })
}

/// One operand of a contraction: its elements, its shape, and the loop of each dimension.
struct Factor {
    lanes: Vec<Lane>,
    shape: Vec<i64>,
    loops: Vec<usize>,
    elem: TypeId,
}

impl Factor {
    fn of(builder: &Builder<'_>, cx: &Cx<'_>, value: ValueId, loops: Vec<usize>) -> Factor {
        let (shape, elem) = (builder.ir.shape_of(value).to_vec(), builder.ir.elem_of(value));
        Factor { lanes: cx.grid(value).lanes(), shape, loops, elem }
    }

    /// The element at a position of the loops.
    fn at(&self, at: &[i64]) -> Lane {
        let place: Vec<i64> = self.loops.iter().map(|&d| at[d]).collect();
        self.lanes[number(&self.shape, &place)]
    }
}

/// `vector.contract`, of the steps whose flag is set if there is a mask over the loops.
pub fn contract(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, mask: Option<ValueId>) {
    let view = Contract::of(builder.ir, op);
    let elem = builder.ir.elem_of(view.acc);
    let dims: Option<Vec<Vec<usize>>> = view.maps.iter().map(Map::as_dims).collect();
    let (Some(dims), Some(combine)) = (dims, combiner(builder.ir, op, elem)) else { return whole(builder, cx, op) };
    if let Some(shape) = matrix(builder, cx, op, &view).filter(|_| mask.is_none()) {
        return tiles(builder, cx, op, &view, &dims, shape);
    }
    if mask.is_none() && lies_along_sum(builder.ir, cx, &view, &dims) {
        return dots(builder, cx, op, &view, &dims, combine);
    }
    let factors =
        [Factor::of(builder, cx, view.lhs, dims[0].clone()), Factor::of(builder, cx, view.rhs, dims[1].clone())];
    let extents = extents(&factors, view.reduction.len());
    let sums: Vec<usize> = (0..extents.len()).filter(|d| !dims[2].contains(d)).collect();
    let summed: Vec<i64> = sums.iter().map(|&d| extents[d]).collect();
    let flags = mask.map(|mask| cx.grid(mask).clone());
    let terms = Terms::of(builder.ir, cx, elem, combine);
    let along = builder.ir.ty(view.acc).shape().and_then(row_dim);
    fold(builder, cx, op, view.acc, &summed, |builder, acc, at, width, sum| {
        let place = |j: i64| {
            let mut place = vec![0; extents.len()];
            for (&d, &i) in sums.iter().zip(sum) {
                place[d] = i;
            }
            for (&d, i) in dims[2].iter().zip(behind(at, along, j)) {
                place[d] = i;
            }
            place
        };
        let [lhs, rhs] = [0, 1].map(|i| {
            let factor = &factors[i];
            let part: Vec<Lane> = (0..width).map(|j| factor.at(&place(j))).collect();
            let value = piece(builder, factor.elem, &part);
            terms.widened(builder, value, width)
        });
        let flags = flags.as_ref().map(|flags| {
            let all = flags.lanes();
            let part: Vec<Lane> = (0..width).map(|j| all[number(&flags.shape, &place(j))]).collect();
            piece(builder, flags.elem, &part)
        });
        (terms.added(builder, lhs, rhs, acc), flags)
    });
}

/// How the products of a contraction are summed.
struct Terms {
    elem: TypeId,
    is_float: bool,
    combine: Opcode,
    fused: bool,
}

impl Terms {
    fn of(ir: &Ir, cx: &Cx<'_>, elem: TypeId, combine: Opcode) -> Terms {
        let is_fma = matches!(Scalar::of(&ir[elem]), Some(Scalar::Float(Float::F32 | Float::F64)));
        let fused = cx.machine.fused && combine == Opcode::ArithAddf && is_fma;
        Terms { elem, is_float: matches!(ir[elem], Type::Float(_)), combine, fused }
    }

    /// Narrow factors are multiplied as what they are summed in.
    fn widened(&self, builder: &mut Builder<'_>, factor: ValueId, width: i64) -> ValueId {
        let ty = piece_type(builder, self.elem, width);
        if builder.ir.type_of(factor) == ty {
            return factor;
        }
        builder.value(if self.is_float { Opcode::ArithExtf } else { Opcode::ArithExtsi }, &[factor], ty, &[])
    }

    fn product(&self, builder: &mut Builder<'_>, lhs: ValueId, rhs: ValueId) -> ValueId {
        builder.binary(if self.is_float { Opcode::ArithMulf } else { Opcode::ArithMuli }, lhs, rhs)
    }

    fn added(&self, builder: &mut Builder<'_>, lhs: ValueId, rhs: ValueId, sum: ValueId) -> ValueId {
        if self.fused {
            let ty = builder.ir.type_of(sum);
            return builder.value(Opcode::MathFma, &[lhs, rhs, sum], ty, &[]);
        }
        let product = self.product(builder, lhs, rhs);
        builder.binary(self.combine, sum, product)
    }
}

/// Whether the rows of both factors lie along one sum, in vectors that are worth it: there is none along another loop.
fn lies_along_sum(ir: &Ir, cx: &Cx<'_>, view: &Contract, dims: &[Vec<usize>]) -> bool {
    let row = |value: ValueId, loops: &[usize]| row_dim(ir.shape_of(value)).map(|d| (loops[d], ir.shape_of(value)[d]));
    let (Some((k, extent)), Some((other, _))) = (row(view.lhs, &dims[0]), row(view.rhs, &dims[1])) else {
        return false;
    };
    let is_long = extent >= 4 * cx.machine.split(extent).len() as i64;
    cx.machine.fused && k == other && !dims[2].contains(&k) && is_long && has_reduction(ir, ir.elem_of(view.acc))
}

/// A contraction along the rows of both factors: products of their pieces are summed as vectors, and the elements of the
/// last one are combined at the end.
fn dots(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, view: &Contract, dims: &[Vec<usize>], combine: Opcode) {
    let terms = Terms::of(builder.ir, cx, builder.ir.elem_of(view.acc), combine);
    let grids = [view.lhs, view.rhs].map(|value| cx.grid(value).clone());
    let mut extents = vec![1; view.reduction.len()];
    for (grid, loops) in grids.iter().zip(dims) {
        for (&d, &extent) in loops.iter().zip(&grid.shape) {
            extents[d] = extent;
        }
    }
    let along = row_dim(&grids[0].shape).map(|d| dims[0][d]).expect("a row lies along a loop");
    let others: Vec<usize> = (0..extents.len()).filter(|d| !dims[2].contains(d) && *d != along).collect();
    let of = |loops: &[usize]| loops.iter().map(|&d| extents[d]).collect::<Vec<i64>>();
    let mut rows = Vec::new();
    for at in positions(&of(&dims[2])) {
        // One vector for each width.
        let mut sums: Vec<(i64, ValueId)> = Vec::new();
        for other in positions(&of(&others)) {
            let mut place = vec![0; extents.len()];
            for (&d, &i) in dims[2].iter().zip(&at).chain(others.iter().zip(&other)) {
                place[d] = i;
            }
            let [lhs, rhs] = [0, 1].map(|i| {
                let grid = &grids[i];
                let d = row_dim(&grid.shape).expect("a row lies along a dimension");
                let row: Vec<i64> = dims[i][..d].iter().map(|&d| place[d]).collect();
                let first = number(&grid.shape[..d], &row) * grid.widths.len();
                &grid.pieces[first..first + grid.widths.len()]
            });
            for ((&width, &lhs), &rhs) in grids[0].widths.iter().zip(lhs).zip(rhs) {
                let [lhs, rhs] = [lhs, rhs].map(|factor| terms.widened(builder, factor, width));
                match sums.iter_mut().find(|(other, _)| *other == width) {
                    Some((_, sum)) => *sum = terms.added(builder, lhs, rhs, *sum),
                    None => sums.push((width, terms.product(builder, lhs, rhs))),
                }
            }
        }
        rows.push(sums);
    }
    combine_rows(builder, cx, op, view.acc, combine, &rows);
}

fn extents(factors: &[Factor], n_loops: usize) -> Vec<i64> {
    let mut extents = vec![1; n_loops];
    for factor in factors {
        for (&d, &extent) in factor.loops.iter().zip(&factor.shape) {
            extents[d] = extent;
        }
    }
    extents
}

/// The matrix product of the machine that a contraction is made of.
fn matrix(builder: &Builder<'_>, cx: &Cx<'_>, op: OpId, view: &Contract) -> Option<MatrixShape> {
    let ir = &*builder.ir;
    let roles = roles(&view.maps)?;
    let types = [view.lhs, view.rhs, view.acc].map(|value| Scalar::of(&ir[ir.elem_of(value)]));
    let extent = |value: ValueId, map: &Map, d: usize| {
        let at = map.as_dims()?.iter().position(|&other| other == d)?;
        Some(ir.shape_of(value)[at])
    };
    let m = extent(view.lhs, &view.maps[0], roles.m)?;
    let n = extent(view.rhs, &view.maps[1], roles.n)?;
    let k = extent(view.lhs, &view.maps[0], roles.k)?;
    if ir.keyword_of(op, "kind").unwrap_or("add") != "add" {
        return None;
    }
    let divides = |shape: &&MatrixShape| [m, n, k].iter().zip(shape.mnk).all(|(extent, tile)| extent % tile == 0);
    cx.machine.matrices.iter().find(|shape| shape.types.map(Some) == types && divides(shape)).copied()
}

/// A contraction as products of whole matrices, k innermost.
fn tiles(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    view: &Contract,
    dims: &[Vec<usize>],
    shape: MatrixShape,
) {
    let roles = roles(&view.maps).expect("the shape was found by the roles");
    let mut tile = vec![1; 3];
    (tile[roles.m], tile[roles.n], tile[roles.k]) = (shape.mnk[0], shape.mnk[1], shape.mnk[2]);
    let values = [view.lhs, view.rhs, view.acc];
    let factors: Vec<Factor> =
        values.iter().zip(dims).map(|(&value, loops)| Factor::of(builder, cx, value, loops.clone())).collect();
    let extents = extents(&factors, 3);
    // A tile of an operand that begins at a position of the loops.
    let part = |builder: &mut Builder<'_>, factor: &Factor, lanes: &[Lane], start: &[i64]| {
        let extent: Vec<i64> = factor.loops.iter().map(|&d| tile[d]).collect();
        let of = |at: Vec<i64>| {
            let place: Vec<i64> = factor.loops.iter().zip(&at).map(|(&d, &i)| start[d] + i).collect();
            lanes[number(&factor.shape, &place)]
        };
        let lanes: Vec<Lane> = positions(&extent).into_iter().map(of).collect();
        let ty = builder.ir.vector_type(&extent, factor.elem);
        together(builder, ty, &lanes)
    };
    let result = builder.ir.result(op, 0);
    let mut lanes = factors[2].lanes.clone();
    let mut counts = extents.iter().zip(&tile).map(|(extent, tile)| extent / tile).collect::<Vec<i64>>();
    let n_sums = std::mem::replace(&mut counts[roles.k], 1);
    builder.ir.remove_attr(op, "layouts");
    let attrs = builder.ir.attr_dict(op);
    for at in positions(&counts) {
        let mut start: Vec<i64> = at.iter().zip(&tile).map(|(i, tile)| i * tile).collect();
        let mut acc = part(builder, &factors[2], &lanes, &start);
        for k in 0..n_sums {
            start[roles.k] = k * tile[roles.k];
            let lhs = part(builder, &factors[0], &factors[0].lanes, &start);
            let rhs = part(builder, &factors[1], &factors[1].lanes, &start);
            let (ty, span) = (builder.ir.type_of(acc), builder.span);
            let product = builder.ir.create_named(Opcode::VectorContract.name(), &[lhs, rhs, acc], &[ty], attrs, span);
            builder.place(product);
            acc = builder.ir.result(product, 0);
        }
        let extent: Vec<i64> = dims[2].iter().map(|&d| tile[d]).collect();
        for (at, lane) in positions(&extent).into_iter().zip(apart(builder, acc)) {
            let place: Vec<i64> = dims[2].iter().zip(&at).map(|(&d, &i)| start[d] + i).collect();
            lanes[number(&factors[2].shape, &place)] = lane;
        }
    }
    cx.set_lanes(builder, result, &lanes);
}

/// A vector of any shape out of its elements.
pub fn together(builder: &mut Builder<'_>, ty: TypeId, lanes: &[Lane]) -> ValueId {
    let scalars: Vec<ValueId> = lanes.iter().map(|&lane| element(builder, lane)).collect();
    builder.value(Opcode::VectorFromElements, &scalars, ty, &[])
}

/// The elements of a vector of any shape.
pub fn apart(builder: &mut Builder<'_>, value: ValueId) -> Vec<Lane> {
    let shape = builder.ir.shape_of(value).to_vec();
    positions(&shape).into_iter().map(|at| Lane::scalar(builder.extract(value, &at))).collect()
}
