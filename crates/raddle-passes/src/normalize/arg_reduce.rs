//! Arg reductions: the greatest element of a line and its index are a maximum, and the least index where it is.
//!
//! Before: a `linalg.generic` that carries a value and an index, and takes the next element where it is greater
//! After:  the maximum of the line, and the least of the indices at which an element equals it: two reductions, which
//!         share the line in one kernel and run in any order (the greatest of the indices where the last of equal elements
//!         counts); where an element that is not a number ends the search, the
//!         index of the first such element is a reduction, too, and the maximum is also asked of those in front of it
//!
//! `iree_linalg_ext.arg_compare` is such an operation, too. Whether a body means that is not read off its form. It is
//! evaluated once for each order in which an element and the best so far may stand (less, equal, greater, one or both no
//! number) and their indices may: what it takes in each case says which extreme it looks for, what becomes of NaN, and
//! which of several equal elements counts.

use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Builder, Def, Ir, Map, OpId, Opcode, Scalar, TypeId, ValueId, ValueMap};

use super::loops::{Loops, Part, structured};
use crate::code::{EQUAL, LESS, ORDERED_EQUAL, UNORDERED, compare, compare_floats, select};
use crate::structured::body::Combiner;
use crate::structured::generalize::{body_of, generic, loop_index};

/// How an element stands to the best one so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Less,
    Equal,
    Greater,
    /// The element is NaN.
    NewNan,
    /// The best one is none.
    BestNan,
    /// Both.
    BothNan,
}

use Order::{BestNan, BothNan, Equal, Greater, Less, NewNan};

/// What a value of the body is, in one case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    New,
    Best,
    NewIndex,
    BestIndex,
    Bit(bool),
}

/// How NaNs are treated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nan {
    /// It is more extreme than any number, and its index is the one.
    Wins,
    /// It is passed over.
    Loses,
    /// The result is NaN, and the index that of the extreme of the elements in front of it.
    Ends,
}

/// A reduction to the first of the extreme elements, or to the last one.
struct Found {
    /// The loop along which it goes.
    along: usize,
    /// What combines values, and what it begins with.
    combine: Opcode,
    nan: Nan,
    /// Whether the last of equal elements counts, and not the first one.
    last: bool,
}

/// Writes the arg reductions of a function as reductions of values and of indices.
pub(super) fn split(ir: &mut Ir, func: OpId) {
    for op in ir.walk(func) {
        let looped = compared(ir, op);
        if let Some(found) = Found::of(ir, looped.unwrap_or(op))
            && found.write(ir, looped.unwrap_or(op)).is_some()
        {
            if looped.is_some() {
                ir.erase(op);
            }
        } else if let Some(looped) = looped {
            for (old, new) in ir.results(op).zip(ir.results(looped)).collect::<Vec<_>>() {
                ir.replace_uses(new, old);
            }
            ir.erase(looped);
        }
    }
}

/// `iree_linalg_ext.arg_compare` that counts from zero, as a `linalg.generic` in front of it, which takes its users.
fn compared(ir: &mut Ir, op: OpId) -> Option<OpId> {
    if ir.opcode(op) != Opcode::IreeLinalgExtArgCompare || ir.results(op).len() != 2 {
        return None;
    }
    let parts: Vec<Vec<ValueId>> = ir.segments(op).into_iter().map(<[ValueId]>::to_vec).collect();
    let [values, indices, out, out_at, base] = &parts[..] else { return None };
    let (&[values], [], &[best], &[place], []) = (&values[..], &indices[..], &out[..], &out_at[..], &base[..]) else {
        return None;
    };
    let along = ir.attr(op, "dimension").and_then(Attr::as_i64).and_then(|d| usize::try_from(d).ok())?;
    let (rank, region) = (ir.shape_of(values).len(), ir.body(op, 0)?);
    let kept: Vec<usize> = (0..rank).filter(|&d| d != along).collect();
    let maps = vec![Map::identity(rank), Map::of_dims(rank, &kept), Map::of_dims(rank, &kept)];
    let reduction = (0..rank).map(|d| d == along).collect();
    let (elem, index) = (ir.elem_of(best), ir.elem_of(place));
    let (args, ops) = (ir.args(region).to_vec(), ir.ops_of(region));
    let (&end, inner_ops) = ops.split_last()?;
    let builder = &mut Builder::before(ir, op);
    let new = generic(builder, &Linalg { inputs: vec![values], outputs: vec![best, place], maps, reduction }, &[]);
    body_of(builder, new, &[elem, elem, index], |body, given| {
        let mut map = ValueMap::default();
        map.set(args[0], given[0]);
        map.set(args[1], given[1]);
        for &inner in inner_ops {
            body.copy(inner, &mut map);
        }
        let precedes = body.ir.operand(end, 0);
        let precedes = map.find(precedes).unwrap_or(precedes);
        let here = loop_index(body, along);
        let is_index = *body.ir.ty(here) == body.ir[index];
        let here = if is_index { here } else { body.value(Opcode::ArithIndexCast, &[here], index, &[]) };
        [(given[0], given[1]), (here, given[2])].map(|(new, best)| select(body, precedes, new, best)).to_vec()
    });
    for (old, new) in ir.results(op).zip(ir.results(new)).collect::<Vec<_>>() {
        ir.replace_uses(old, new);
    }
    Some(new)
}

impl Found {
    fn of(ir: &Ir, op: OpId) -> Option<Found> {
        let linalg = Linalg::try_of(ir, op).filter(|linalg| linalg.outputs.len() == 2)?;
        let states = |name: &str| ir.attr(op, name).is_some();
        if ir.opcode(op) != Opcode::LinalgGeneric || states("lowering_config") || states("compilation_info") {
            return None;
        }
        let mut loops = (0..linalg.reduction.len()).filter(|&d| linalg.reduction[d]);
        let (Some(along), None) = (loops.next(), loops.next()) else { return None };
        let n_inputs = linalg.inputs.len();
        let [values, rest @ ..] = &linalg.maps[..n_inputs] else { return None };
        let is_whole = |map: &Map| map.as_dims().is_some_and(|dims| dims.contains(&along));
        let [best, best_index] = &linalg.maps[n_inputs..] else { return None };
        let iota = match (&linalg.inputs[1..], rest) {
            ([], []) => None,
            (&[indices], [map]) if is_whole(map) => {
                let at = map.as_dims()?.iter().position(|&d| d == along)?;
                Some(is_iota(ir, indices, at).then_some(())?)
            }
            _ => return None,
        };
        if !is_whole(values) || best != best_index || best.as_dims()?.len() + 1 != linalg.reduction.len() {
            return None;
        }
        let body = Body { ir, op, along, has_indices: iota.is_some() };
        let elem = Scalar::of(&ir[ir.elem_of(linalg.inputs[0])])?;
        let is_float = matches!(elem, Scalar::Float(_));
        body.meaning(is_float).map(|(combine, nan, last)| Found { along, combine, nan, last })
    }

    /// Writes both reductions.
    fn write(&self, ir: &mut Ir, op: OpId) -> Option<()> {
        let linalg = Linalg::of(ir, op);
        let n_loops = linalg.reduction.len();
        let values: Vec<ValueId> = [linalg.inputs[0]].into_iter().chain(linalg.outputs.iter().copied()).collect();
        let maps: Vec<Map> =
            [linalg.maps[0].clone()].into_iter().chain(linalg.maps[linalg.inputs.len()..].iter().cloned()).collect();
        let parts = Part::of_maps(ir, &values, &maps)?;
        let [x, best, best_index] = &parts[..] else { return None };
        let results: Vec<ValueId> = ir.results(op).collect();
        let (elem, index) = (ir.elem_of(best.value), ir.elem_of(best_index.value));
        let Some(Scalar::Int(width @ 2..=64)) = Scalar::of(&ir[index]) else { return None };
        let builder = &mut Builder::before(ir, op);
        let loops = Loops::of(builder, n_loops, &parts)?;
        let (combine, nan, last) = (self.combine, self.nan, self.last);
        let extreme = structured(builder, &[x], best.clone(), |body, args| body.binary(combine, args[0], args[1]));
        // The loop's number among those of the operation, of which all are used.
        let along = self.along;
        let number = |body: &mut Builder<'_>| {
            let place = loop_index(body, along);
            body.value(Opcode::ArithIndexCast, &[place], index, &[])
        };
        // Where there is no such element, the greatest number stands; where the last one is looked for, -1.
        let missing = match width {
            _ if last => -1,
            64 => i64::MAX,
            _ => (1 << (width - 1)) - 1,
        };
        let none = builder.int(missing, index);
        let empty = loops.empty(builder, &best.dims, index);
        let start = Part { value: crate::structured::fill(builder, none, empty.value), dims: best.dims.clone() };
        let place_of = |body: &mut Builder<'_>, is_it: ValueId, acc: ValueId| {
            let (place, none) = (number(body), body.int(missing, index));
            let here = select(body, is_it, place, none);
            body.binary(if last { Opcode::ArithMaxsi } else { Opcode::ArithMinsi }, here, acc)
        };
        // The first NaN, and the extreme of those in front of it.
        let end = (nan == Nan::Ends).then(|| {
            let end = structured(builder, &[x], start.clone(), |body, args| {
                let is_nan = compare_floats(body, UNORDERED, args[0], args[0]);
                place_of(body, is_nan, args[1])
            });
            let combiner = Combiner::of_opcode(combine).expect("extremes combine");
            let extreme = structured(builder, &[x, &end], best.clone(), |body, args| {
                let place = number(body);
                let counts = compare(body, LESS, place, args[1]);
                let nothing = combiner.neutral(body, elem);
                let value = select(body, counts, args[0], nothing);
                body.binary(combine, value, args[2])
            });
            (end, extreme)
        });
        let number_of = end.as_ref().map_or(&extreme, |(_, extreme)| extreme);
        let first = match &end {
            None => structured(builder, &[x, number_of], start, |body, args| {
                let is_it = equal(body, elem, nan, args[0], args[1]);
                place_of(body, is_it, args[2])
            }),
            Some((end, _)) => structured(builder, &[x, number_of, end], start, |body, args| {
                let is_it = equal(body, elem, nan, args[0], args[1]);
                let place = number(body);
                let counts = compare(body, LESS, place, args[2]);
                let is_it = body.binary(Opcode::ArithAndi, is_it, counts);
                place_of(body, is_it, args[3])
            }),
        };
        // What the reduction begins with stays where no element is more extreme.
        let out = loops.empty(builder, &best.dims, index);
        let found = structured(builder, &[number_of, best, &first, best_index], out, |body, args| {
            let is_start = if last {
                let none = body.int(missing, index);
                compare(body, EQUAL, args[2], none)
            } else {
                equal(body, elem, nan, args[0], args[1])
            };
            select(body, is_start, args[3], args[2])
        });
        ir.replace_uses(results[0], extreme.value);
        ir.replace_uses(results[1], found.value);
        ir.erase(op);
        Some(())
    }
}

/// Whether two elements are equal; two NaNs are, if NaNs win.
fn equal(body: &mut Builder<'_>, elem: TypeId, nan: Nan, a: ValueId, b: ValueId) -> ValueId {
    if !matches!(Scalar::of(&body.ir[elem]), Some(Scalar::Float(_))) {
        return compare(body, EQUAL, a, b);
    }
    let same = compare_floats(body, ORDERED_EQUAL, a, b);
    if nan != Nan::Wins {
        return same;
    }
    let nans = [a, b].map(|value| compare_floats(body, UNORDERED, value, value));
    let both = body.binary(Opcode::ArithAndi, nans[0], nans[1]);
    body.binary(Opcode::ArithOri, same, both)
}

/// Whether a tensor holds, along one dimension, the number of each element.
fn is_iota(ir: &Ir, tensor: ValueId, along: usize) -> bool {
    let Some(op) = ir.def_op(tensor).filter(|&op| ir.opcode(op) == Opcode::LinalgGeneric) else { return false };
    let Some(linalg) = Linalg::try_of(ir, op) else { return false };
    let dims = linalg.maps.last().and_then(Map::as_dims).unwrap_or_default();
    let yielded = ir.terminator(ir.entry(op)).map(|end| ir.operand(end, 0));
    linalg.outputs.len() == 1
        && !linalg.reduction.contains(&true)
        && dims.get(along).is_some_and(|&d| yielded.is_some_and(|value| is_index(ir, value, d)))
}

/// Whether a value is the number of a loop, in whatever type.
pub(super) fn is_index(ir: &Ir, mut value: ValueId, along: usize) -> bool {
    while let Some(op) = ir.def_op(value) {
        match ir.opcode(op) {
            Opcode::ArithIndexCast | Opcode::ArithIndexCastui | Opcode::ArithTrunci | Opcode::ArithExtsi => {
                value = ir.operand(op, 0);
            }
            Opcode::LinalgIndex => return ir.attr(op, "dim").and_then(Attr::as_i64) == Some(along as i64),
            _ => return false,
        }
    }
    false
}

/// The body of a reduction of values and indices.
struct Body<'a> {
    ir: &'a Ir,
    op: OpId,
    along: usize,
    has_indices: bool,
}

impl Body<'_> {
    /// What combines the values, what becomes of NaN, and whether the last of equal elements counts, if the body takes the
    /// first of the extreme elements, or the last one.
    fn meaning(&self, is_float: bool) -> Option<(Opcode, Nan, bool)> {
        let takes = |order: Order| -> Option<bool> {
            // Elements come in order, so that the best one's index is less, but for what the reduction begins with.
            let taken = [Less, Equal, Greater].map(|index| self.takes(order, index));
            let [Some(a), Some(b), Some(c)] = taken else { return None };
            let is_tie = matches!(order, Equal | BothNan) && self.begins_with_first();
            (a == b && b == c).then_some(a).or(is_tie.then_some(c))
        };
        let (less, equal, greater) = (takes(Less)?, takes(Equal)?, takes(Greater)?);
        let greatest = match (less, greater) {
            (false, true) => true,
            (true, false) => false,
            _ => return None,
        };
        if !is_float {
            return Some((self.integers(greatest)?, Nan::Loses, equal));
        }
        let keeps_nan = if greatest { Opcode::ArithMaximumf } else { Opcode::ArithMinimumf };
        if !equal && self.ends_at_nan() && self.begins_with_number() {
            return Some((keeps_nan, Nan::Ends, false));
        }
        let (new, best, both) = (takes(NewNan)?, takes(BestNan)?, takes(BothNan)?);
        match (new, best, both) {
            (true, false, false) if !equal => Some((keeps_nan, Nan::Wins, false)),
            // The best element must not be NaN: a candidate that begins with NaN is not taken.
            (false, _, _) if self.begins_with_number() => {
                let combine = if greatest { Opcode::ArithMaxnumf } else { Opcode::ArithMinnumf };
                Some((combine, Nan::Loses, equal))
            }
            _ => None,
        }
    }

    /// Whether NaN becomes the value and stays it, and the index stays as it is, whichever element comes.
    fn ends_at_nan(&self) -> bool {
        let Some(end) = self.ir.terminator(self.ir.entry(self.op)) else { return false };
        let &[value, place] = self.ir.operands(end) else { return false };
        [NewNan, BestNan, BothNan].into_iter().all(|order| {
            let index = |index: Order| self.known(place, order, index) == Some(Known::BestIndex);
            let becomes = self.known(value, order, Greater);
            let is_nan = match order {
                NewNan => becomes == Some(Known::New),
                BestNan => becomes == Some(Known::Best),
                _ => matches!(becomes, Some(Known::New | Known::Best)),
            };
            is_nan && [Less, Equal, Greater].into_iter().all(index)
        })
    }

    /// The integer extreme with the sign that the body's comparisons have.
    fn integers(&self, greatest: bool) -> Option<Opcode> {
        let args = self.ir.args(self.ir.entry(self.op));
        let mut signs = self.ir.ops_of(self.ir.entry(self.op)).into_iter().filter_map(|op| {
            let is_of_values = self.ir.opcode(op) == Opcode::ArithCmpi && self.ir.operands(op).contains(&args[0]);
            let predicate = is_of_values.then(|| self.ir.attr(op, "predicate").and_then(Attr::as_i64))??;
            (predicate >= 2).then_some(predicate < 6)
        });
        let is_signed = signs.next()?;
        signs.all(|other| other == is_signed).then_some(match (greatest, is_signed) {
            (true, true) => Opcode::ArithMaxsi,
            (true, false) => Opcode::ArithMaxui,
            (false, true) => Opcode::ArithMinsi,
            (false, false) => Opcode::ArithMinui,
        })
    }

    /// Whether the reduction begins with a constant that is a number.
    fn begins_with_number(&self) -> bool {
        matches!(self.start(0), Some(Attr::Float { bits, .. }) if !f64::from_bits(*bits).is_nan())
    }

    /// Whether no element's index is less than the one that the reduction begins with.
    fn begins_with_first(&self) -> bool {
        self.start(1).and_then(Attr::as_i64).is_some_and(|start| start <= 0)
    }

    /// The constant that a result begins with.
    fn start(&self, result: usize) -> Option<&Attr> {
        let linalg = Linalg::of(self.ir, self.op);
        let fill = self.ir.def_op(linalg.outputs[result]).filter(|&op| self.ir.opcode(op) == Opcode::LinalgFill)?;
        let constant = self.ir.def_op(self.ir.operand(fill, 0))?;
        self.ir.attr(constant, "value")
    }

    /// Whether the body takes the element and its index in a case; `None` where that is not known, or it takes one of them.
    fn takes(&self, order: Order, index: Order) -> Option<bool> {
        let end = self.ir.terminator(self.ir.entry(self.op))?;
        let &[value, place] = self.ir.operands(end) else { return None };
        let taken = match self.known(place, order, index)? {
            Known::NewIndex => true,
            Known::BestIndex => false,
            _ => return None,
        };
        let same = order == Equal || order == BothNan;
        match self.known(value, order, index)? {
            Known::New => (taken || same).then_some(taken),
            Known::Best => (!taken || same).then_some(taken),
            _ => None,
        }
    }

    fn known(&self, value: ValueId, order: Order, index: Order) -> Option<Known> {
        let ir = self.ir;
        let Def::Result { op, .. } = ir.def(value) else {
            let Def::Arg { block, index: at } = ir.def(value) else { return None };
            let names: &[Known] = if self.has_indices {
                &[Known::New, Known::NewIndex, Known::Best, Known::BestIndex]
            } else {
                &[Known::New, Known::Best, Known::BestIndex]
            };
            return names.get(at as usize).copied().filter(|_| block == ir.entry(self.op));
        };
        if !self.has_indices && is_index(ir, value, self.along) {
            return Some(Known::NewIndex);
        }
        let operand = |at: usize| self.known(ir.operand(op, at), order, index);
        let bit = |at: usize| if let Known::Bit(bit) = operand(at)? { Some(bit) } else { None };
        let predicate = || ir.attr(op, "predicate").and_then(Attr::as_i64);
        Some(match ir.opcode(op) {
            Opcode::ArithConstant => match ir.const_int(value)? {
                0 => Known::Bit(false),
                1 | -1 => Known::Bit(true),
                _ => return None,
            },
            Opcode::ArithAndi => Known::Bit(bit(0)? & bit(1)?),
            Opcode::ArithOri => Known::Bit(bit(0)? | bit(1)?),
            Opcode::ArithXori => Known::Bit(bit(0)? ^ bit(1)?),
            Opcode::ArithSelect => operand(if bit(0)? { 1 } else { 2 })?,
            Opcode::ArithCmpf => Known::Bit(floats(predicate()?, stands([operand(0)?, operand(1)?], order)?)),
            Opcode::ArithCmpi => {
                let pair = [operand(0)?, operand(1)?];
                let of_indices = pair.iter().all(|known| matches!(known, Known::NewIndex | Known::BestIndex));
                let stands = if of_indices { stands(pair.map(as_value), index)? } else { stands(pair, order)? };
                Known::Bit(integers(predicate()?, stands)?)
            }
            Opcode::ArithMaximumf | Opcode::ArithMaxsi | Opcode::ArithMaxui => {
                extreme([operand(0)?, operand(1)?], order, Greater)?
            }
            Opcode::ArithMinimumf | Opcode::ArithMinsi | Opcode::ArithMinui => {
                extreme([operand(0)?, operand(1)?], order, Less)?
            }
            _ => return None,
        })
    }
}

fn as_value(known: Known) -> Known {
    if known == Known::NewIndex { Known::New } else { Known::Best }
}

/// How the first of two values stands to the second.
fn stands(pair: [Known; 2], order: Order) -> Option<Order> {
    match pair {
        [Known::New, Known::Best] => Some(order),
        [Known::Best, Known::New] => Some(match order {
            Less => Greater,
            Greater => Less,
            NewNan => BestNan,
            BestNan => NewNan,
            same => same,
        }),
        [Known::New, Known::New] => Some(if matches!(order, NewNan | BothNan) { BothNan } else { Equal }),
        [Known::Best, Known::Best] => Some(if matches!(order, BestNan | BothNan) { BothNan } else { Equal }),
        _ => None,
    }
}

/// The value that an extreme that keeps NaN takes.
fn extreme(pair: [Known; 2], order: Order, wanted: Order) -> Option<Known> {
    let both = pair == [Known::New, Known::Best] || pair == [Known::Best, Known::New];
    both.then_some(match order {
        NewNan => Known::New,
        order if order == wanted => Known::New,
        _ => Known::Best,
    })
}

/// `arith.cmpf`, by the number of its predicate (MLIR, `CmpFPredicate`).
fn floats(predicate: i64, order: Order) -> bool {
    let is_nan = matches!(order, NewNan | BestNan | BothNan);
    let (equal, greater, less) = (order == Equal, order == Greater, order == Less);
    match predicate {
        0 => false,
        1 => equal,
        2 => greater,
        3 => greater || equal,
        4 => less,
        5 => less || equal,
        6 => less || greater,
        7 => !is_nan,
        8 => equal || is_nan,
        9 => greater || is_nan,
        10 => greater || equal || is_nan,
        11 => less || is_nan,
        12 => less || equal || is_nan,
        13 => !equal,
        14 => is_nan,
        _ => true,
    }
}

/// `arith.cmpi`, likewise; signs are looked at elsewhere.
fn integers(predicate: i64, order: Order) -> Option<bool> {
    let (equal, greater, less) = (order == Equal, order == Greater, order == Less);
    Some(match predicate {
        0 => equal,
        1 => !equal,
        2 | 6 => less,
        3 | 7 => less || equal,
        4 | 8 => greater,
        5 | 9 => greater || equal,
        _ => return None,
    })
}
