//! What only moves elements: for each element of the result, which one of the operands it is.

use raddle_ir::views::{Mixed, Transfer, position};
use raddle_ir::{Builder, Ir, OpId, Opcode, Scalar, ValueId};
use raddle_target::VectorMachine;
use rustc_hash::FxHashMap;

use super::Cx;
use super::grid::{self, Lane, element};
use crate::code::extents::{number, positions};
use crate::code::{EQUAL, compare};
use crate::lay_out::permutation;

/// Applies the rule for an operation; `false` if it has none.
pub fn moves(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> bool {
    let ir = &*builder.ir;
    let source = ir.operands(op).first().copied();
    let Some(source) = source else { return false };
    let result = ir.results(op).next();
    let shape = |value: ValueId| ir.shape_of(value).to_vec();
    match (ir.opcode(op), result) {
        (Opcode::VectorBroadcast, Some(result)) => {
            let to = shape(result);
            let lanes = if ir.ty(source).is_vector() {
                let (from, lanes) = (shape(source), cx.grid(source).lanes());
                let lead = to.len() - from.len();
                let of = |at: &Vec<i64>| {
                    let at: Vec<i64> =
                        at[lead..].iter().zip(&from).map(|(&i, &n)| if n == 1 { 0 } else { i }).collect();
                    lanes[number(&from, &at)]
                };
                positions(&to).iter().map(of).collect()
            } else {
                vec![Lane::scalar(cx.map.get(source)); positions(&to).len()]
            };
            cx.set_lanes(builder, result, &lanes);
        }
        (Opcode::VectorTranspose, Some(result)) => {
            let (from, lanes, perm) = (shape(source), cx.grid(source).lanes(), permutation(ir, op));
            let of = |at: &Vec<i64>| {
                let mut old = vec![0; at.len()];
                for (&d, &i) in perm.iter().zip(at) {
                    old[d] = i;
                }
                lanes[number(&from, &old)]
            };
            let mut lanes: Vec<Lane> = positions(&shape(result)).iter().map(of).collect();
            if cx.machine.shuffles {
                interleave(builder, cx, result, &perm, &mut lanes);
            }
            cx.set_lanes(builder, result, &lanes);
        }
        (Opcode::VectorShapeCast, Some(result)) => {
            let lanes = cx.grid(source).lanes();
            cx.set_lanes(builder, result, &lanes);
        }
        (Opcode::VectorExtractStridedSlice, Some(result)) => {
            let (from, lanes) = (shape(source), cx.grid(source).lanes());
            let list = |name: &str| ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default();
            let (offsets, strides) = (list("offsets"), list("strides"));
            let of = |at: &Vec<i64>| {
                let mut at = at.clone();
                for d in 0..offsets.len() {
                    at[d] = offsets[d] + at[d] * strides[d];
                }
                lanes[number(&from, &at)]
            };
            let lanes: Vec<Lane> = positions(&shape(result)).iter().map(of).collect();
            cx.set_lanes(builder, result, &lanes);
        }
        (Opcode::VectorInsertStridedSlice, Some(result)) => {
            let dest = ir.operand(op, 1);
            let (from, to) = (shape(source), shape(dest));
            let list = |name: &str| ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default();
            let (offsets, strides) = (list("offsets"), list("strides"));
            let (lead, mut lanes) = (to.len() - from.len(), cx.grid(dest).lanes());
            for (at, lane) in positions(&from).into_iter().zip(cx.grid(source).lanes()) {
                let mut place = offsets.clone();
                for (d, &i) in at.iter().enumerate() {
                    place[lead + d] += i * strides[d];
                }
                lanes[number(&to, &place)] = lane;
            }
            cx.set_lanes(builder, result, &lanes);
        }
        (Opcode::VectorExtract, Some(result)) => {
            let (rows, inner) = rows(builder, cx, op, source);
            let picked = pick(builder, cx, op, &rows, inner);
            if builder.ir.ty(result).is_vector() {
                cx.set_lanes(builder, result, &picked);
            } else {
                let scalar = element(builder, picked[0]);
                cx.map.set(result, scalar);
            }
        }
        (Opcode::VectorInsert, Some(result)) => insert(builder, cx, op, result),
        (Opcode::VectorInterleave, Some(result)) => {
            let pairs = cx.grid(source).lanes().into_iter().zip(cx.grid(ir.operand(op, 1)).lanes());
            let lanes: Vec<Lane> = pairs.flat_map(|(a, b)| [a, b]).collect();
            cx.set_lanes(builder, result, &lanes);
        }
        (Opcode::VectorDeinterleave, Some(_)) => {
            let lanes = cx.grid(source).lanes();
            for (first, result) in ir.results(op).enumerate() {
                let part: Vec<Lane> = lanes.iter().skip(first).step_by(2).copied().collect();
                cx.set_lanes(builder, result, &part);
            }
        }
        (Opcode::VectorFromElements, Some(result)) => {
            let lanes: Vec<Lane> = ir.operands(op).iter().map(|&value| Lane::scalar(cx.map.get(value))).collect();
            cx.set_lanes(builder, result, &lanes);
        }
        (Opcode::VectorToElements, _) => {
            for (result, lane) in ir.results(op).zip(cx.grid(source).lanes()) {
                let scalar = element(builder, lane);
                cx.map.set(result, scalar);
            }
        }
        _ => return false,
    }
    true
}

/// Transposes by shuffles of two vectors: what one shuffle has put side by side serves every row of the result.
///
/// Rows of the source are merged by twos, element by element, then what that gives by twos, pair by pair, and so on: as
/// many shuffles as vectors for each doubling. `lanes` are those of the result.
fn interleave(builder: &mut Builder<'_>, cx: &Cx<'_>, result: ValueId, perm: &[usize], lanes: &mut [Lane]) {
    let to = &builder.ir.shape_of(result).to_vec()[..];
    let Some((last, lead)) = to.len().checked_sub(1).zip(perm.iter().position(|&d| d + 1 == to.len())) else { return };
    if lead == last {
        return;
    }
    let register = cx.moved.get(&result).copied();
    let elem_rows = register.map_or_else(|| cx.machine.split(to[last]), |n| vec![n; (to[last] / n) as usize]);
    let outer: Vec<i64> = (0..to.len()).map(|d| if d == lead || d == last { 1 } else { to[d] }).collect();
    for at in positions(&outer) {
        let mut first = 0;
        for &n_rows in &elem_rows {
            let place = |row: i64, column: i64| {
                let mut at = at.clone();
                (at[last], at[lead]) = (first + row, column);
                number(to, &at)
            };
            let row = |row: i64| (0..to[lead]).map(|column| lanes[place(row, column)]).collect();
            let rows: Vec<Vec<Lane>> = (0..n_rows).map(row).collect();
            // A row of scalars is in no vector.
            if (n_rows as usize).is_power_of_two() && rows.iter().flatten().all(|lane| lane.width > 1) {
                let merged = merged(builder, cx, &rows, register);
                for (i, lane) in merged.into_iter().enumerate() {
                    lanes[place(i as i64 % n_rows, i as i64 / n_rows)] = lane;
                }
            }
            first += n_rows;
        }
    }
}

/// The vectors of a function that are transposed between memory and memory, in whole registers on the way there; with the
/// elements of one.
pub fn moved(ir: &Ir, func: OpId, machine: &VectorMachine) -> FxHashMap<ValueId, i64> {
    let is_stored = |(op, at): (OpId, usize)| {
        let is_masked = |around: OpId| ir.opcode(around) == Opcode::VectorMask;
        ir.opcode(op) == Opcode::VectorTransferWrite
            && at == 0
            && Transfer::of(ir, op).mask.is_none()
            && !ir.parent_op(op).is_some_and(is_masked)
    };
    let mut moved = FxHashMap::default();
    for op in ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::VectorTranspose) {
        let (value, source) = (ir.result(op, 0), ir.operand(op, 0));
        let bytes = Scalar::of(&ir[ir.elem_of(value)]).map_or(0, |elem| elem.bytes() as i64);
        let Some(n) = machine.moved(bytes) else { continue };
        let divides = |value: ValueId| ir.shape_of(value).last().is_some_and(|&extent| extent % n.min(extent) == 0);
        if ir.shape_of(value).last().is_none_or(|extent| extent % n != 0) || !ir.uses(value).all(is_stored) {
            continue;
        }
        moved.insert(value, n);
        let mut value = source;
        // What is read for nothing else comes in registers, too.
        while ir.uses(value).count() == 1 && divides(value) {
            moved.insert(value, n);
            match ir.def_op(value) {
                Some(op) if ir.opcode(op) == Opcode::IreeVectorExtToLayout => value = ir.operand(op, 0),
                _ => break,
            }
        }
    }
    moved
}

/// The elements of rows, column by column.
fn merged(builder: &mut Builder<'_>, cx: &Cx<'_>, rows: &[Vec<Lane>], register: Option<i64>) -> Vec<Lane> {
    let [only] = rows else {
        let half = rows.len() / 2;
        let [a, b] = [&rows[..half], &rows[half..]].map(|rows| merged(builder, cx, rows, register));
        let pairs: Vec<Lane> = a.chunks(half).zip(b.chunks(half)).flat_map(|(a, b)| [a, b].concat()).collect();
        let n = pairs.len() as i64;
        let widest = register.map_or_else(|| cx.machine.split(n)[0], |most| most.min(n));
        let vector = |part: &[Lane]| match grid::shuffled(builder, part) {
            Some(piece) => (0..part.len() as i64).map(|lane| Lane { piece, width: part.len() as i64, lane }).collect(),
            None => part.to_vec(),
        };
        return pairs.chunks(widest as usize).flat_map(vector).collect();
    };
    only.clone()
}

/// A part that a position may name: the leading coordinates, and the elements.
type Row = (Vec<i64>, Vec<Lane>);

/// The parts that the position of an operation may name, and how many elements each has.
fn rows(builder: &Builder<'_>, cx: &Cx<'_>, op: OpId, value: ValueId) -> (Vec<Row>, usize) {
    let shape = builder.ir.shape_of(value);
    let lead = position(builder.ir, op).len();
    let inner = shape[lead..].iter().product::<i64>() as usize;
    let lanes = cx.grid(value).lanes();
    let rows = positions(&shape[..lead]).into_iter().zip(lanes.chunks(inner.max(1)).map(<[Lane]>::to_vec));
    (rows.collect(), inner)
}

/// Whether the position of an operation is this one: known, or a condition.
fn is_at(builder: &mut Builder<'_>, cx: &Cx<'_>, op: OpId, at: &[i64]) -> Result<bool, ValueId> {
    let mut conditions = Vec::new();
    for (mixed, &i) in position(builder.ir, op).into_iter().zip(at) {
        match mixed {
            Mixed::Static(here) if here != i => return Ok(false),
            Mixed::Static(_) => {}
            Mixed::Value(value) => {
                let i = builder.index(i);
                conditions.push(compare(builder, EQUAL, cx.map.get(value), i));
            }
        }
    }
    conditions.into_iter().reduce(|all, one| builder.binary(Opcode::ArithAndi, all, one)).map_or(Ok(true), Err)
}

/// The part that the position of an operation names: chosen among all where the position is not known.
fn pick(builder: &mut Builder<'_>, cx: &Cx<'_>, op: OpId, rows: &[Row], inner: usize) -> Vec<Lane> {
    let mut chosen: Option<Vec<Lane>> = None;
    for (at, row) in rows {
        match is_at(builder, cx, op, at) {
            Ok(false) => {}
            Ok(true) => return row.clone(),
            Err(condition) => {
                chosen = Some(match chosen {
                    None => row.clone(),
                    Some(other) => (0..inner).map(|i| select(builder, condition, row[i], other[i])).collect(),
                });
            }
        }
    }
    chosen.expect("a position is inside of the vector")
}

fn select(builder: &mut Builder<'_>, condition: ValueId, yes: Lane, no: Lane) -> Lane {
    if yes == no {
        return yes;
    }
    let (yes, no) = (element(builder, yes), element(builder, no));
    let ty = builder.ir.type_of(yes);
    Lane::scalar(builder.value(Opcode::ArithSelect, &[condition, yes, no], ty, &[]))
}

fn insert(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId, result: ValueId) {
    let (value, dest) = (builder.ir.operand(op, 0), builder.ir.operand(op, 1));
    let new =
        if builder.ir.ty(value).is_vector() { cx.grid(value).lanes() } else { vec![Lane::scalar(cx.map.get(value))] };
    let (rows, _) = rows(builder, cx, op, dest);
    let mut lanes = Vec::new();
    for (at, row) in rows {
        match is_at(builder, cx, op, &at) {
            Ok(false) => lanes.extend(row),
            Ok(true) => lanes.extend(&new),
            Err(condition) => {
                lanes.extend(new.iter().zip(row).map(|(&new, old)| select(builder, condition, new, old)));
            }
        }
    }
    cx.set_lanes(builder, result, &lanes);
}
