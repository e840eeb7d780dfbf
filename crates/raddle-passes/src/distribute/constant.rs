//! Constants: each thread computes or selects the elements that it holds.
//!
//! A constant that counts along its dimensions (`vector.step` is the plainest) is the thread's place plus a constant that
//! all threads share. Any other one is a tree of selects for each slot, by the digits of the thread's number that tell
//! its holders apart; where both sides of a select are equal there is none.

use raddle_ir::{Attr, Builder, Diag, OpId, Opcode, TypeId, ValueId};
use raddle_layout::Nested;
use rustc_hash::FxHashMap;

use super::threads::{self, Digit};
use super::{Cx, layout, memory, part_type, refuse};
use crate::code;

/// Selects that one constant may become in each thread.
const SELECTS_MAX: usize = 4096;

pub fn constant(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = builder.ir.result(op, 0);
    let layout = layout(builder.ir, op, result)?;
    let elem = builder.ir.elem_of(result);
    let ty = part_type(builder.ir, elem, &layout);
    let shape = builder.ir.shape_of(result).to_vec();
    let new = match (builder.ir.opcode(op), builder.ir.attr(op, "value").cloned()) {
        (Opcode::UbPoison, _) => builder.value(Opcode::UbPoison, &[], ty, &[]),
        (Opcode::VectorStep, _) => step(builder, cx, &layout),
        (_, Some(Attr::Dense { splat: true, bytes, .. })) => {
            builder.constant(Attr::Dense { ty, splat: true, bytes }, ty)
        }
        (_, Some(dense @ Attr::Dense { .. })) => {
            let elems = builder.ir.dense_elems(&dense);
            match steps(&elems, &shape) {
                Some((first, steps)) => counted(builder, cx, elem, &layout, first, &steps),
                None => {
                    let values = constants(builder, elems, elem);
                    selected(builder, cx, op, &layout, &values, ty)?
                }
            }
        }
        _ => return Err(refuse(builder.ir, op, "it has no elements")),
    };
    cx.map.set(result, new);
    Ok(())
}

/// `vector.step`: a row for each tile, which counts from where the tile begins in this thread.
fn step(builder: &mut Builder<'_>, cx: &Cx<'_>, layout: &Nested) -> ValueId {
    let (outers, n) = (layout.outer_tile[0], layout.element_tile[0]);
    let n_tiles = layout.batch_tile[0] * outers;
    let digits = threads::digits(builder, cx, layout);
    let index = builder.ir.index_type();
    let (row, column) = (builder.ir.vector_type(&[n], index), builder.ir.vector_type(&[n_tiles, 1], index));
    let ty = builder.ir.vector_type(&[n_tiles, n], index);
    let mut steps = builder.value(Opcode::VectorStep, &[], row, &[]);
    steps = if n_tiles == 1 { builder.shape_cast(steps, &[1, n]) } else { builder.broadcast(steps, ty) };
    if n_tiles > 1 {
        let bytes = (0..n_tiles).flat_map(|tile| (tile * layout.thread_tile[0] * n).to_le_bytes()).collect();
        let starts = builder.constant(Attr::Dense { ty: column, splat: false, bytes }, column);
        let starts = if n == 1 { starts } else { builder.broadcast(starts, ty) };
        steps = builder.binary(Opcode::ArithAddi, starts, steps);
    }
    for digit in digits {
        let mut first = digit.value;
        if digit.weight != 1 {
            let weight = builder.index(digit.weight);
            first = builder.binary(Opcode::ArithMuli, first, weight);
        }
        let first = builder.broadcast(first, ty);
        steps = builder.binary(Opcode::ArithAddi, steps, first);
    }
    builder.shape_cast(steps, &layout.distributed_shape())
}

/// `vector.from_elements`: scalars that everyone has.
pub fn from_elements(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = builder.ir.result(op, 0);
    let layout = layout(builder.ir, op, result)?;
    let elem = builder.ir.elem_of(result);
    let ty = part_type(builder.ir, elem, &layout);
    let values: Vec<ValueId> = builder.ir.operands(op).iter().map(|&value| cx.part(value)).collect();
    let new = selected(builder, cx, op, &layout, &values, ty)?;
    cx.map.set(result, new);
    Ok(())
}

/// The elements as values, one for each that differs.
fn constants(builder: &mut Builder<'_>, elems: Vec<Attr>, elem: TypeId) -> Vec<ValueId> {
    let mut known = FxHashMap::default();
    elems
        .into_iter()
        .map(|attr| {
            let bytes = builder.ir.elem_bytes(&attr);
            *known.entry(bytes).or_insert_with(|| builder.constant(attr, elem))
        })
        .collect()
}

/// The first element and the steps along each dimension, if the elements count like that.
fn steps(elems: &[Attr], shape: &[i64]) -> Option<(i64, Vec<i64>)> {
    let numbers: Option<Vec<i64>> = elems
        .iter()
        .map(|elem| if let Attr::Int { value, .. } = elem { i64::try_from(*value).ok() } else { None })
        .collect();
    let numbers = numbers?;
    // One bit does not count.
    if numbers.iter().all(|number| (-1..=0).contains(number)) {
        return None;
    }
    let strides = code::extents::row_major(shape);
    let first = *numbers.first()?;
    let steps: Option<Vec<i64>> = shape
        .iter()
        .zip(&strides)
        .map(|(&extent, &stride)| if extent > 1 { numbers[stride as usize].checked_sub(first) } else { Some(0) })
        .collect();
    let steps = steps?;
    let counts = |(i, &number): (usize, &i64)| {
        let place = |d: usize| i128::from(i as i64 / strides[d] % shape[d]);
        let sum: i128 = (0..shape.len()).map(|d| place(d) * i128::from(steps[d])).sum();
        sum + i128::from(first) == i128::from(number)
    };
    numbers.iter().enumerate().all(counts).then_some((first, steps))
}

/// `first + Σ step·coordinate`
fn counted(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    elem: TypeId,
    layout: &Nested,
    first: i64,
    steps: &[i64],
) -> ValueId {
    let rank = layout.rank();
    // What all threads share: the elements of the thread whose place is the origin.
    let shape = layout.distributed_shape();
    let ty = part_type(builder.ir, elem, layout);
    let strides = code::extents::row_major(&shape);
    let mut bytes = Vec::new();
    for slot in 0..layout.n_slots() {
        let at = |i: usize| slot / strides[i] % shape[i];
        let coordinate = |d: usize| {
            (at(d) * layout.outer_tile[d] + at(rank + d)) * layout.thread_tile[d] * layout.element_tile[d]
                + at(2 * rank + d)
        };
        let value: i128 = (0..rank).map(|d| i128::from(steps[d]) * i128::from(coordinate(d))).sum();
        bytes.extend(builder.ir.elem_bytes(&Attr::Int { value: value + i128::from(first), ty: elem }));
    }
    let shared = builder.constant(Attr::Dense { ty, splat: false, bytes }, ty);
    let zero = builder.index(0);
    let mut place = None;
    for d in 0..rank {
        if steps[d] == 0 || crate::lay_out::is_local(layout, d) {
            continue;
        }
        let coordinate = threads::coordinate(builder, cx, layout, d, [0, 0], zero);
        let step = builder.index(steps[d]);
        let term = builder.binary(Opcode::ArithMuli, coordinate, step);
        place = Some(match place {
            None => term,
            Some(sum) => builder.binary(Opcode::ArithAddi, sum, term),
        });
    }
    let Some(place) = place else { return shared };
    let index = builder.ir.index_type();
    let place = if elem == index { place } else { builder.value(Opcode::ArithIndexCast, &[place], elem, &[]) };
    let place = builder.broadcast(place, ty);
    builder.binary(Opcode::ArithAddi, place, shared)
}

/// The trees of one constant.
struct Selection<'a> {
    layout: &'a Nested,
    digits: Vec<Digit>,
    values: &'a [ValueId],
    /// For each digit and number, whether the digit is below it.
    below: FxHashMap<(usize, i64), ValueId>,
    n_selects: usize,
}

/// One thread's part of a vector whose elements, in row-major order, are values that every thread has.
fn selected(
    builder: &mut Builder<'_>,
    cx: &Cx<'_>,
    op: OpId,
    layout: &Nested,
    values: &[ValueId],
    ty: TypeId,
) -> Result<ValueId, Diag> {
    let digits = threads::digits(builder, cx, layout);
    let mut selection = Selection { layout, digits, values, below: FxHashMap::default(), n_selects: 0 };
    let rank = layout.rank();
    let mut elements = Vec::new();
    for tile in memory::positions(&layout.distributed_shape()) {
        let first = (0..rank).map(|d| {
            (tile[d] * layout.outer_tile[d] + tile[rank + d]) * layout.thread_tile[d] * layout.element_tile[d]
                + tile[2 * rank + d]
        });
        let mut coordinate: Vec<i64> = first.collect();
        elements.push(selection.tree(builder, 0, &mut coordinate));
        if selection.n_selects > SELECTS_MAX {
            let why =
                format!("its elements follow no rule, and telling them apart takes more than {SELECTS_MAX} selects");
            return Err(refuse(builder.ir, op, why).help("pass the elements in a memref and read them"));
        }
    }
    Ok(builder.value(Opcode::VectorFromElements, &elements, ty, &[]))
}

impl Selection<'_> {
    /// The element at a coordinate to which digits from `digit` on are still to be added.
    fn tree(&mut self, builder: &mut Builder<'_>, digit: usize, coordinate: &mut Vec<i64>) -> ValueId {
        let Some(size) = self.digits.get(digit).map(|digit| digit.size) else {
            let shape = self.layout.undistributed_shape();
            let flat = coordinate.iter().zip(&shape).fold(0, |flat, (at, extent)| flat * extent + at);
            return self.values[flat as usize];
        };
        self.range(builder, digit, 0, size, coordinate)
    }

    /// The same, for a digit that lies in `low..high`.
    fn range(&mut self, builder: &mut Builder<'_>, digit: usize, low: i64, high: i64, at: &mut Vec<i64>) -> ValueId {
        if self.n_selects > SELECTS_MAX {
            return self.values[0];
        }
        if high - low == 1 {
            let Digit { dim, weight, .. } = self.digits[digit];
            at[dim] += low * weight;
            let value = self.tree(builder, digit + 1, at);
            at[dim] -= low * weight;
            return value;
        }
        let middle = (low + high) / 2;
        let left = self.range(builder, digit, low, middle, at);
        let right = self.range(builder, digit, middle, high, at);
        if left == right {
            return left;
        }
        self.n_selects += 1;
        let below = *self.below.entry((digit, middle)).or_insert_with(|| {
            let number = builder.index(middle);
            code::compare(builder, code::BELOW, self.digits[digit].value, number)
        });
        let ty = builder.ir.type_of(left);
        builder.value(Opcode::ArithSelect, &[below, left, right], ty, &[])
    }
}
