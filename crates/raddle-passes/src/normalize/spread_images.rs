//! Spread images: a convolution of an image whose elements stand apart, with zeros in between, multiplies no zeros.
//!
//! Before: `%s = tensor.insert_slice %x into %zeros[0, 0, 11] [1, 64, 75] [1, 1, 8] : … into tensor<1x64x615xf16>`,
//!         `%r = linalg.conv_1d_ncw_fcw ins(%s, %w : …, tensor<32x64x16xf16>) … -> tensor<1x32x600xf32>`
//! After:  a convolution of `%x`, with a zero in front and behind, by eight filters of three elements for each of the old
//!         ones, and its results one behind the other
//!
//! This is how convolutions are transposed. Which of a filter's elements meet elements of the image depends on the place of
//! the result in its period alone: element `t` of the filter stands at distance `v` where `t = offset + period * v - place`.
//! The windows of all places are one, so that some of these filters have zeros on one side. Where that makes windows
//! shorter by enough, periods begin in front of the result, which is a slice of their places: of a filter of four elements,
//! both places of a period of two then meet the same two elements.
//!
//! Does not touch extents that only the run knows, results that end inside of a period, unless they are a slice, and
//! convolutions of each channel alone.

use raddle_ir::views::{Linalg, Mixed, SliceView};
use raddle_ir::{Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, Type, TypeId, ValueId, ValueMap};

use super::loops::{bits, filling};
use crate::code::{BELOW, compare, is_zeros, select};
use crate::structured::generalize::{body_of, copy_along, generic, loop_index, make_generic};
use crate::structured::moves::{numbers, pad_with_zeros};
use crate::structured::{body, fill};

/// How much of the products may be left for it to be worth that the result is a slice, which is copied.
const SLICED: [i64; 2] = [9, 10];

/// A dimension of an image whose elements stand apart.
struct Period {
    /// The loop of results along it, and the one of the filter.
    loops: [usize; 2],
    /// Places of the first period in front of the result.
    shift: i64,
    /// The first element of the image, from there, and from one to the next.
    offset: i64,
    step: i64,
    /// Elements of the filter.
    filter: i64,
    /// Places of the first and last element that a window sees, from its own.
    window: [i64; 2],
    /// Periods that the results are in.
    results: i64,
}

impl Period {
    /// Periods whose first one begins so many places in front of the result.
    fn new(loops: [usize; 2], results: i64, offset: i64, step: i64, filter: i64, shift: i64) -> Period {
        let offset = offset + shift;
        let window = [-(offset / step), (filter + step - 2 - offset) / step];
        let results = (results + shift + step - 1) / step;
        Period { loops, shift, offset, step, filter, window, results }
    }

    /// Elements of windows of all periods.
    fn work(&self) -> i64 {
        self.results * self.sees()
    }

    /// How many elements a window has.
    fn sees(&self) -> i64 {
        self.window[1] - self.window[0] + 1
    }
}

/// A convolution of a spread image.
struct Spread {
    /// What puts zeros between the elements of the image.
    inserted: OpId,
    image: ValueId,
    /// What stands in front of the image and behind it.
    low: Vec<i64>,
    high: Vec<i64>,
    periods: Vec<Period>,
    /// The loop of filters.
    filters: usize,
}

/// Rewrites the convolutions of spread images in a function.
pub(super) fn gather(ir: &mut Ir, func: OpId) {
    // What one gives may be the image of the next.
    let found: Vec<OpId> = ir.walk(func).into_iter().filter(|&op| Spread::of(ir, op).is_some()).collect();
    for op in found {
        if let Some(spread) = Spread::of(ir, op) {
            spread.write(ir, op);
        }
    }
}

impl Spread {
    fn of(ir: &Ir, op: OpId) -> Option<Spread> {
        let linalg = Linalg::try_of(ir, op)?;
        let inserted = ir.def_op(*linalg.inputs.first()?).filter(|&op| ir.opcode(op) == Opcode::TensorInsertSlice)?;
        let is_known = |&value: &ValueId| ir.ty(value).is_tensor() && !ir.shape_of(value).contains(&DYNAMIC);
        let all = [&linalg.inputs[..], &linalg.outputs].concat();
        if !all.iter().all(is_known) || !body::is_contraction(ir, op) || ir.results(op).len() != 1 {
            return None;
        }
        let is_float = matches!(ir[ir.elem_of(linalg.outputs[0])], Type::Float(_));
        let slice = SliceView::of(ir, inserted);
        let image = slice.value.filter(|image| is_known(image) && is_float)?;
        let is_empty = filling(ir, slice.base).is_some_and(|number| is_zeros(ir, number)) || is_zeros(ir, slice.base);
        let (offsets, sizes, steps) = (numbers(&slice.offsets)?, numbers(&slice.sizes)?, numbers(&slice.strides)?);
        let (whole, rank) = (ir.shape_of(slice.base).to_vec(), sizes.len());
        let are_apart = steps.iter().all(|&step| step >= 1) && steps.iter().any(|&step| step > 1);
        if !is_empty || ir.shape_of(image) != sizes || !are_apart {
            return None;
        }
        let [of_image, of_filter, of_result] = &linalg.maps[..] else { return None };
        let extents = linalg.extents(ir);
        let (in_filter, in_result) = (of_filter.as_dims()?, of_result.as_dims()?);
        let filters = in_filter.iter().copied().rfind(|&d| {
            in_result.contains(&d) && !of_image.results.iter().any(|place| place.names(&|other| other == d))
        })?;
        let (mut low, mut high, mut periods) = (offsets.clone(), vec![0; rank], Vec::new());
        for d in 0..rank {
            let (offset, step) = (offsets[d], steps[d]);
            if step == 1 {
                high[d] = whole[d] - offset - sizes[d];
                continue;
            }
            let Expr::Add(a, b) = &of_image.results[d] else { return None };
            let (&Expr::Dim(a), &Expr::Dim(b)) = (&**a, &**b) else { return None };
            let is_result = |&d: &usize| in_result.contains(&d) && !in_filter.contains(&d);
            let is_summed = |&d: &usize| in_filter.contains(&d) && !in_result.contains(&d);
            let both = [a as usize, b as usize];
            let loops = [both.iter().copied().find(is_result)?, both.iter().copied().find(is_summed)?];
            let (results, filter) = (extents[loops[0]], extents[loops[1]]);
            if !(0..filter).contains(&offset) {
                return None;
            }
            let plain = Period::new(loops, results, offset, step, filter, 0);
            let others = (1..step).map(|shift| Period::new(loops, results, offset, step, filter, shift));
            let best = others.min_by_key(|period| (period.work(), period.shift));
            let is_even = results % step == 0;
            let is_better = |other: &Period| !is_even || other.work() * SLICED[1] <= plain.work() * SLICED[0];
            let period = best.filter(is_better).filter(|other| other.work() < plain.work()).unwrap_or(plain);
            (low[d], high[d]) = (-period.window[0], period.results + period.window[1] - sizes[d]);
            periods.push(period);
        }
        let once = |d: usize| of_image.results.iter().filter(|place| place.names(&|other| other == d)).count() == 1;
        let products = |of: fn(&Period) -> i64| periods.iter().map(of).fold(1, i64::saturating_mul);
        let all = periods.iter().map(|period| extents[period.loops[0]]).fold(1, i64::saturating_mul);
        let is_less = products(|p| p.work() * p.step) < products(|p| p.filter).saturating_mul(all);
        (is_less && high.iter().all(|&n| n >= 0) && periods.iter().all(|p| p.loops.iter().all(|&d| once(d))))
            .then_some(Spread { inserted, image, low, high, periods, filters })
    }

    fn write(&self, ir: &mut Ir, op: OpId) {
        let op = make_generic(ir, op).unwrap_or(op);
        let linalg = Linalg::of(ir, op);
        let (old, result) = (ir.result(op, 0), Results::of(ir, op, self));
        let builder = &mut Builder::before(ir, op);
        let image = pad_with_zeros(builder, self.image, &self.low, &self.high);
        let order = self.order(&linalg);
        let filter = self.filter(builder, &linalg, &order);
        let start = result.start(builder, linalg.outputs[0]);
        let maps = vec![linalg.maps[0].clone(), Map::of_dims(linalg.reduction.len(), &order), linalg.maps[2].clone()];
        let new = Linalg { inputs: vec![image, filter], outputs: vec![start], maps, reduction: linalg.reduction };
        let product = generic(builder, &new, &[]);
        builder.copy_regions(op, product, &mut ValueMap::default());
        let mut product = builder.ir.result(product, 0);
        // What is computed of each element alone is computed of the product, before it is moved.
        let mut last = old;
        let mut replaced = vec![op];
        while let Some(user) = follower(builder.ir, last) {
            last = builder.ir.result(user, 0);
            let (shape, elem) = (builder.ir.shape_of(product).to_vec(), builder.ir.elem_of(last));
            let empty = empty(builder, &shape, elem);
            let (maps, reduction) = (vec![Map::identity(shape.len()); 2], vec![false; shape.len()]);
            let moved = generic(builder, &Linalg { inputs: vec![product], outputs: vec![empty], maps, reduction }, &[]);
            builder.copy_regions(user, moved, &mut ValueMap::default());
            product = builder.ir.result(moved, 0);
            replaced.push(user);
        }
        let apart = grouped(builder, Opcode::TensorExpandShape, product, &result.apart, &result.groups);
        let sizes: Vec<i64> = result.order.iter().map(|&d| result.apart[d]).collect();
        let in_order = copy_along(builder, apart, Map::of_dims(sizes.len(), &inverse(&result.order)), &known(&sizes));
        let value = grouped(builder, Opcode::TensorCollapseShape, in_order, &result.whole(), &result.periods);
        let sizes = builder.ir.shape_of(old).to_vec();
        let value = slice_of(builder, value, &result.shifts, &sizes);
        ir.replace_uses(last, value);
        replaced.into_iter().rev().for_each(|op| ir.erase(op));
        if ir.is_unused(ir.result(self.inserted, 0)) {
            ir.erase(self.inserted);
        }
    }

    /// The loops of a filter, in the order in which the new one has them: what is summed of each element of the image last.
    fn order(&self, linalg: &Linalg) -> Vec<usize> {
        let dims = linalg.maps[1].as_dims().expect("filters are along loops");
        let is_seen = |d: &usize| self.periods.iter().any(|period| period.loops[1] == *d);
        let rank = |&d: &usize| if !linalg.reduction[d] { 0 } else { 2 - i32::from(is_seen(&d)) };
        let mut order = dims;
        order.sort_by_key(rank);
        order
    }

    /// A filter for each place in a period, in another order of its loops.
    fn filter(&self, builder: &mut Builder<'_>, linalg: &Linalg, order: &[usize]) -> ValueId {
        let (old, elem) = (linalg.inputs[1], builder.ir.elem_of(linalg.inputs[1]));
        let dims = linalg.maps[1].as_dims().expect("filters are along loops");
        let extents = builder.ir.shape_of(old).to_vec();
        let period_of = |d: usize| self.periods.iter().position(|period| period.loops[1] == d);
        let (mut shape, mut groups, mut loops) = (Vec::new(), Vec::new(), vec![0; dims.len()]);
        let mut first = 0;
        for &d in order {
            let at = dims.iter().position(|&other| other == d).expect("the loops of a filter in another order");
            loops[at] = shape.len();
            shape.push(period_of(d).map_or(extents[at], |p| self.periods[p].sees()));
            let is_filter = d == self.filters;
            groups.push(if is_filter { 1 + self.periods.len() as i64 } else { 1 });
            if is_filter {
                first = shape.len();
                shape.extend(self.periods.iter().map(|period| period.step));
            }
        }
        let rank = shape.len();
        let made = Linalg {
            inputs: Vec::new(),
            outputs: vec![empty(builder, &shape, elem)],
            maps: vec![Map::identity(rank)],
            reduction: vec![false; rank],
        };
        let made = generic(builder, &made, &[]);
        body_of(builder, made, &[elem], |body, _| {
            let index = body.ir.index_type();
            let zero = body.index(0);
            let mut inside: Option<ValueId> = None;
            let mut places = Vec::new();
            for (&d, &at) in dims.iter().zip(&loops) {
                let own = loop_index(body, at);
                let Some(p) = period_of(d) else {
                    places.push(own);
                    continue;
                };
                let period = &self.periods[p];
                let place = loop_index(body, first + p);
                let (step, start) =
                    (body.index(period.step), body.index(period.offset + period.step * period.window[0]));
                let scaled = body.value(Opcode::ArithMuli, &[own, step], index, &[]);
                let from = body.value(Opcode::ArithAddi, &[scaled, start], index, &[]);
                let element = body.value(Opcode::ArithSubi, &[from, place], index, &[]);
                let end = body.index(period.filter);
                let is_one = compare(body, BELOW, element, end);
                places.push(select(body, is_one, element, zero));
                let bit = body.ir.type_of(is_one);
                inside = Some(match inside {
                    Some(others) => body.value(Opcode::ArithAndi, &[others, is_one], bit, &[]),
                    None => is_one,
                });
            }
            let value = body.value(Opcode::TensorExtract, &[&[old], &places[..]].concat(), elem, &[]);
            let none = body.splat(0.0, elem);
            vec![inside.map_or(value, |inside| select(body, inside, value, none))]
        });
        let made = builder.ir.result(made, 0);
        let mut left = shape.iter();
        let sizes: Vec<i64> = groups.iter().map(|&n| left.by_ref().take(n as usize).product()).collect();
        grouped(builder, Opcode::TensorCollapseShape, made, &sizes, &groups)
    }
}

/// The result of a convolution, in two shapes.
struct Results {
    /// Its shape where places are dimensions behind the filter.
    apart: Vec<i64>,
    /// How many of these are one of the product's.
    groups: Vec<i64>,
    /// These in the order in which each place stands behind its period.
    order: Vec<usize>,
    /// How many of these are one of the whole result's.
    periods: Vec<i64>,
    /// Where the result begins along each of these.
    shifts: Vec<i64>,
}

impl Results {
    fn of(ir: &Ir, op: OpId, spread: &Spread) -> Results {
        let in_result = Linalg::of(ir, op).maps[2].as_dims().expect("results are along loops");
        let n = spread.periods.len();
        let first = in_result.iter().position(|&d| d == spread.filters).expect("results have a filter");
        let mut result = Results {
            apart: Vec::new(),
            groups: Vec::new(),
            order: Vec::new(),
            periods: Vec::new(),
            shifts: Vec::new(),
        };
        for (at, &d) in in_result.iter().enumerate() {
            let period = spread.periods.iter().position(|period| period.loops[0] == d);
            let extent = ir.shape_of(ir.result(op, 0))[at];
            result.apart.push(period.map_or(extent, |p| spread.periods[p].results));
            result.groups.push(1);
            result.order.push(if at > first { at + n } else { at });
            result.order.extend(period.map(|p| first + 1 + p));
            result.periods.push(1 + i64::from(period.is_some()));
            result.shifts.push(period.map_or(0, |p| spread.periods[p].shift));
            if at == first {
                result.groups[at] += n as i64;
                result.apart.extend(spread.periods.iter().map(|period| period.step));
            }
        }
        result
    }

    /// The shape of all periods.
    fn whole(&self) -> Vec<i64> {
        let mut left = self.order.iter().map(|&d| self.apart[d]);
        self.periods.iter().map(|&n| left.by_ref().take(n as usize).product()).collect()
    }

    /// What sums begin with, in the shape of the product.
    fn start(&self, builder: &mut Builder<'_>, old: ValueId) -> ValueId {
        let elem = builder.ir.elem_of(old);
        let mut left = self.apart.iter();
        let shape: Vec<i64> = self.groups.iter().map(|&n| left.by_ref().take(n as usize).product()).collect();
        if let Some(number) = filling(builder.ir, old) {
            let empty = empty(builder, &shape, elem);
            return fill(builder, number, empty);
        }
        if let Some((source, dims)) = self.broadcast(builder.ir, old) {
            return self.start_along(builder, source, &dims, &shape);
        }
        let in_order: Vec<i64> = self.order.iter().map(|&d| self.apart[d]).collect();
        let behind: Vec<i64> = (self.whole().iter().zip(builder.ir.shape_of(old)).zip(&self.shifts))
            .map(|((whole, own), shift)| whole - own - shift)
            .collect();
        let old = pad_with_zeros(builder, old, &self.shifts, &behind);
        let apart = grouped(builder, Opcode::TensorExpandShape, old, &in_order, &self.periods);
        let copy = copy_along(builder, apart, Map::of_dims(self.apart.len(), &self.order), &known(&self.apart));
        grouped(builder, Opcode::TensorCollapseShape, copy, &shape, &self.groups)
    }

    /// The same where it is a smaller tensor along some dimensions, as a bias: for each place once.
    fn start_along(&self, builder: &mut Builder<'_>, source: ValueId, dims: &[usize], shape: &[i64]) -> ValueId {
        let (mut sizes, mut groups, mut read) = (Vec::new(), Vec::new(), Vec::new());
        for &d in dims {
            let first: i64 = self.groups[..d].iter().sum();
            let (first, n) = (first as usize, self.groups[d]);
            read.push(sizes.len());
            groups.push(n);
            sizes.extend(&self.apart[first..first + n as usize]);
        }
        let small: Vec<i64> = dims.iter().map(|&d| shape[d]).collect();
        let copy = copy_along(builder, source, Map::of_dims(sizes.len(), &read), &known(&sizes));
        let copy = grouped(builder, Opcode::TensorCollapseShape, copy, &small, &groups);
        copy_along(builder, copy, Map::of_dims(shape.len(), dims), &known(shape))
    }

    /// What is the same for all places and periods, as a bias, and along which dimensions it is.
    fn broadcast(&self, ir: &Ir, value: ValueId) -> Option<(ValueId, Vec<usize>)> {
        let made = ir.def_op(value)?;
        let linalg = Linalg::try_of(ir, made).filter(|_| body::copies_input(ir, made))?;
        let ([source], [from, to]) = (&linalg.inputs[..], &linalg.maps[..]) else { return None };
        let dims = from.as_dims().filter(|dims| to.is_identity() && dims.iter().all(|&d| self.periods[d] == 1))?;
        (!dims.is_empty()).then_some((*source, dims))
    }
}

/// So many elements of a tensor along each dimension, from these on.
fn slice_of(builder: &mut Builder<'_>, value: ValueId, offsets: &[i64], sizes: &[i64]) -> ValueId {
    if builder.ir.shape_of(value) == sizes {
        return value;
    }
    let elem = builder.ir.elem_of(value);
    let ty = builder.ir.tensor_type(sizes, elem);
    let attrs = [
        ("static_offsets", builder.ir.dense_i64(offsets)),
        ("static_sizes", builder.ir.dense_i64(sizes)),
        ("static_strides", builder.ir.dense_i64(&vec![1; sizes.len()])),
        ("operandSegmentSizes", builder.ir.segment_sizes(&[1, 0, 0, 0])),
    ];
    builder.value(Opcode::TensorExtractSlice, &[value], ty, &attrs)
}

fn known(sizes: &[i64]) -> Vec<Mixed> {
    sizes.iter().map(|&size| Mixed::Static(size)).collect()
}

/// An operation that computes a number no larger of each element of a tensor, and is its only user.
fn follower(ir: &Ir, value: ValueId) -> Option<OpId> {
    let mut users = ir.uses(value).map(|(user, _)| user);
    let (user, None) = (users.next()?, users.next()) else { return None };
    let linalg = Linalg::try_of(ir, user).filter(|_| ir.opcode(user) == Opcode::LinalgGeneric)?;
    let is_plain = linalg.inputs == [value]
        && linalg.outputs.len() == 1
        && !linalg.reduction.contains(&true)
        && linalg.maps.iter().all(Map::is_identity)
        && ir.is_unused(ir.args(ir.entry(user))[1])
        && !ir.walk(user).iter().any(|&inner| ir.opcode(inner) == Opcode::LinalgIndex);
    let size = |value: ValueId| bits(ir, ir.elem_of(value));
    (is_plain && size(ir.result(user, 0)) <= size(value)).then_some(user)
}

fn inverse(order: &[usize]) -> Vec<usize> {
    let mut back = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &d)| back[d] = at);
    back
}

fn empty(builder: &mut Builder<'_>, shape: &[i64], elem: TypeId) -> ValueId {
    let ty = builder.ir.tensor_type(shape, elem);
    builder.value(Opcode::TensorEmpty, &[], ty, &[])
}

/// A tensor in another shape, in which, or of which, groups of dimensions are one.
pub(super) fn grouped(
    builder: &mut Builder<'_>,
    opcode: Opcode,
    value: ValueId,
    shape: &[i64],
    groups: &[i64],
) -> ValueId {
    let elem = builder.ir.elem_of(value);
    let ty = builder.ir.tensor_type(shape, elem);
    let mut attrs = vec![("reassociation", builder.ir.reassociation(groups))];
    if opcode == Opcode::TensorExpandShape {
        attrs.push(("static_output_shape", builder.ir.dense_i64(shape)));
    }
    builder.value(opcode, &[value], ty, &attrs)
}
