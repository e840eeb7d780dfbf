//! What only moves elements, as rows: for each row of the result, which rows of the operands it is made of.

use raddle_ir::views::{Mixed, position};
use raddle_ir::{Builder, OpId, Opcode, TypeId, ValueId};

use super::{Cx, is_split, n_rows, row_type};
use crate::code::extents::{number, positions};
use crate::lay_out::{permutation, reduced};

/// `ub.poison`, of which nothing is ever seen.
pub fn poison(builder: &mut Builder<'_>, ty: TypeId) -> ValueId {
    builder.value(Opcode::UbPoison, &[], ty, &[])
}

/// Applies the rule for an operation; `false` if it has none.
pub fn moves(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) -> bool {
    match builder.ir.opcode(op) {
        Opcode::VectorBroadcast => broadcast(builder, cx, op),
        Opcode::VectorTranspose => transpose(builder, cx, op),
        Opcode::VectorShapeCast => shape_cast(builder, cx, op),
        Opcode::VectorExtractStridedSlice => extract_slice(builder, cx, op),
        Opcode::VectorInsertStridedSlice => insert_slice(builder, cx, op),
        Opcode::VectorExtract => return extract(builder, cx, op),
        Opcode::VectorInsert => return insert(builder, cx, op),
        Opcode::VectorToElements => {
            let source = builder.ir.operand(op, 0);
            let elements = elements(builder, &cx.parts(source));
            for (old, new) in builder.ir.results(op).zip(elements) {
                cx.map.set(old, new);
            }
        }
        Opcode::VectorFromElements => {
            let elements: Vec<ValueId> = builder.ir.operands(op).iter().map(|&value| cx.map.get(value)).collect();
            let result = builder.ir.result(op, 0);
            set_elements(builder, cx, result, &elements);
        }
        _ => return false,
    }
    true
}

/// The elements of vectors of one dimension or none, one after the other.
fn elements(builder: &mut Builder<'_>, vectors: &[ValueId]) -> Vec<ValueId> {
    let mut all = Vec::new();
    for &vector in vectors {
        let n = builder.ir.shape_of(vector).iter().product::<i64>() as usize;
        let elem = builder.ir.elem_of(vector);
        let op = builder.op(Opcode::VectorToElements, &[vector], &vec![elem; n], &[]);
        all.extend(builder.ir.results(op));
    }
    all
}

/// Enters a vector of these elements, row-major.
fn set_elements(builder: &mut Builder<'_>, cx: &mut Cx, result: ValueId, elements: &[ValueId]) {
    let ty = builder.ir.type_of(result);
    if !is_split(builder.ir, result) {
        let vector = builder.value(Opcode::VectorFromElements, elements, ty, &[]);
        cx.map.set(result, vector);
        return;
    }
    let row = row_type(builder.ir, ty);
    let width = builder.ir[row].shape().map_or(1, |shape| shape[0]) as usize;
    let rows = elements.chunks(width).map(|part| builder.value(Opcode::VectorFromElements, part, row, &[])).collect();
    cx.rows.insert(result, rows);
}

/// Rows of the result that are the same row of the source, or the same scalar, are made once.
fn broadcast(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) {
    let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let (from, to) = (builder.ir.shape_of(source).to_vec(), builder.ir.shape_of(result).to_vec());
    let ty = builder.ir.type_of(result);
    let row = row_type(builder.ir, ty);
    let wide: Vec<ValueId> = cx
        .parts(source)
        .into_iter()
        .map(|part| if builder.ir.type_of(part) == row { part } else { builder.broadcast(part, row) })
        .collect();
    // Trailing dimensions are the source's; those of extent 1 stretch.
    let lead = from.split_last().map_or(&[][..], |(_, lead)| lead);
    let behind = to.len() - 1 - lead.len();
    let of = |at: Vec<i64>| {
        let at: Vec<i64> = at[behind..].iter().zip(lead).map(|(&i, &n)| if n == 1 { 0 } else { i }).collect();
        wide[number(lead, &at)]
    };
    let rows = positions(&to[..to.len() - 1]).into_iter().map(of).collect();
    cx.rows.insert(result, rows);
}

fn transpose(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) {
    let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let (from, to) = (builder.ir.shape_of(source).to_vec(), builder.ir.shape_of(result).to_vec());
    let (perm, last) = (permutation(builder.ir, op), to.len() - 1);
    let old = |at: &[i64]| {
        let mut old = vec![0; from.len()];
        perm.iter().zip(at).for_each(|(&d, &i)| old[d] = i);
        old
    };
    if perm[last] == last {
        let rows = cx.parts(source);
        let of = |at: Vec<i64>| rows[number(&from[..last], &old(&[&at[..], &[0]].concat()))];
        cx.rows.insert(result, positions(&to[..last]).into_iter().map(of).collect());
        return;
    }
    let elements = elements(builder, &cx.parts(source));
    let moved: Vec<ValueId> = positions(&to).iter().map(|at| elements[number(&from, &old(at))]).collect();
    set_elements(builder, cx, result, &moved);
}

fn shape_cast(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) {
    let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let parts = cx.parts(source);
    if builder.ir.shape_of(source).last() == builder.ir.shape_of(result).last() {
        cx.enter(builder.ir, result, &mut parts.into_iter());
        return;
    }
    let elements = elements(builder, &parts);
    set_elements(builder, cx, result, &elements);
}

/// The integers of an attribute.
fn list(builder: &Builder<'_>, op: OpId, name: &str) -> Vec<i64> {
    builder.ir.attr_id(op, name).and_then(|attr| builder.ir.ints(attr)).unwrap_or_default()
}

fn extract_slice(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) {
    let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let (from, to) = (builder.ir.shape_of(source).to_vec(), builder.ir.shape_of(result).to_vec());
    let last = from.len() - 1;
    let mut offsets = list(builder, op, "offsets");
    offsets.resize(from.len(), 0);
    let rows = cx.parts(source);
    let of = |at: Vec<i64>| {
        let at: Vec<i64> = at.iter().zip(&offsets).map(|(i, offset)| i + offset).collect();
        let row = rows[number(&from[..last], &at)];
        if to[last] == from[last] { row } else { slice(builder, row, offsets[last], to[last]) }
    };
    let rows = positions(&to[..last]).into_iter().map(of).collect();
    cx.rows.insert(result, rows);
}

/// A run of elements of a row.
fn slice(builder: &mut Builder<'_>, row: ValueId, offset: i64, size: i64) -> ValueId {
    let elem = builder.ir.elem_of(row);
    let ty = builder.ir.vector_type(&[size], elem);
    let [offsets, sizes, strides] = [offset, size, 1].map(|number| builder.ir.i64_array(&[number]));
    let attrs = [("offsets", offsets), ("sizes", sizes), ("strides", strides)];
    builder.value(Opcode::VectorExtractStridedSlice, &[row], ty, &attrs)
}

fn insert_slice(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) {
    let (source, dest, result) = (builder.ir.operand(op, 0), builder.ir.operand(op, 1), builder.ir.result(op, 0));
    let (from, to) = (builder.ir.shape_of(source).to_vec(), builder.ir.shape_of(dest).to_vec());
    let offsets = list(builder, op, "offsets");
    let (lead, last) = (to.len() - from.len(), to.len() - 1);
    let mut rows = cx.parts(dest);
    for (at, part) in positions(&from[..from.len() - 1]).into_iter().zip(cx.parts(source)) {
        let mut place = offsets[..last].to_vec();
        place[lead..].iter_mut().zip(at).for_each(|(place, i)| *place += i);
        let row = &mut rows[number(&to[..last], &place)];
        let whole = from.last() == to.last();
        *row = if whole { part } else { builder.insert_strided_slice(part, *row, &offsets[last..]) };
    }
    cx.rows.insert(result, rows);
}

/// A known position, as the rows that it names and what is left of it inside a row; `None` where it is computed.
fn place(builder: &Builder<'_>, op: OpId, shape: &[i64]) -> Option<(std::ops::Range<usize>, Vec<i64>)> {
    let fixed = |mixed| if let Mixed::Static(i) = mixed { Some(i) } else { None };
    let at: Vec<i64> = position(builder.ir, op).into_iter().map(fixed).collect::<Option<_>>()?;
    let lead = &shape[..shape.len() - 1];
    let outer = at.len().min(lead.len());
    let n = lead[outer..].iter().product::<i64>() as usize;
    let first = number(&lead[..outer], &at[..outer]) * n;
    Some((first..first + n, at[outer..].to_vec()))
}

fn extract(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) -> bool {
    let (source, result) = (builder.ir.operand(op, 0), builder.ir.result(op, 0));
    let Some((range, inner)) = place(builder, op, builder.ir.shape_of(source)) else { return false };
    let rows = cx.parts(source)[range].to_vec();
    if inner.is_empty() {
        cx.enter(builder.ir, result, &mut rows.into_iter());
    } else {
        let element = builder.extract(rows[0], &inner);
        cx.map.set(result, element);
    }
    true
}

fn insert(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) -> bool {
    let (value, dest, result) = (builder.ir.operand(op, 0), builder.ir.operand(op, 1), builder.ir.result(op, 0));
    let Some((range, inner)) = place(builder, op, builder.ir.shape_of(dest)) else { return false };
    let (mut rows, new) = (cx.parts(dest), cx.parts(value));
    if inner.is_empty() {
        rows.splice(range, new);
    } else {
        rows[range.start] = builder.insert(new[0], rows[range.start], &inner);
    }
    cx.rows.insert(result, rows);
    true
}

/// A reduction of the rows of a matrix, row by row; `false` for any other one.
pub fn reduce(builder: &mut Builder<'_>, cx: &mut Cx, op: OpId) -> bool {
    let (source, acc, result) = (builder.ir.operand(op, 0), builder.ir.operand(op, 1), builder.ir.result(op, 0));
    if reduced(builder.ir, op) != [false, true] {
        return false;
    }
    let kind = builder.ir.keyword_of(op, "kind").unwrap_or("add").to_owned();
    let (acc, ty) = (cx.map.get(acc), builder.ir.type_of(result));
    let mut sums = poison(builder, ty);
    for (i, row) in (0..n_rows(builder.ir.shape_of(source)) as i64).zip(cx.parts(source)) {
        let start = builder.extract(acc, &[i]);
        let sum = builder.multi_reduction(&kind, row, start, &[0]);
        sums = builder.insert(sum, sums, &[i]);
    }
    cx.map.set(result, sums);
    true
}
