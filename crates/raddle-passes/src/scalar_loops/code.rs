//! Scalar code: arithmetic on indices, loops and branches as scalar loops write them.

use raddle_ir::{Builder, DYNAMIC, Diag, Opcode, TypeId, ValueId};

use super::Cx;

pub(super) use crate::code::select;
use crate::code::{EQUAL, LESS, compare};

/// `ne` in MLIR's numbering of predicates.
const DIFFERENT: i64 = 1;

pub(super) fn add(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    b.binary(Opcode::ArithAddi, x, y)
}

pub(super) fn sub(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    b.binary(Opcode::ArithSubi, x, y)
}

pub(super) fn mul(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    b.binary(Opcode::ArithMuli, x, y)
}

/// The quotient of natural numbers.
pub(super) fn div(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    b.binary(Opcode::ArithDivui, x, y)
}

/// The remainder of natural numbers.
pub(super) fn rem(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    b.binary(Opcode::ArithRemui, x, y)
}

pub(super) fn xor(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    b.binary(Opcode::ArithXori, x, y)
}

pub(super) fn and(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    b.binary(Opcode::ArithAndi, x, y)
}

pub(super) fn or(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    b.binary(Opcode::ArithOri, x, y)
}

pub(super) fn not(b: &mut Builder<'_>, x: ValueId) -> ValueId {
    let yes = b.int(1, b.ir.type_of(x));
    xor(b, x, yes)
}

pub(super) fn equal(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    compare(b, EQUAL, x, y)
}

pub(super) fn differs(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    compare(b, DIFFERENT, x, y)
}

pub(super) fn less(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    compare(b, LESS, x, y)
}

/// Whether `0 <= x < end`.
pub(super) fn inside(b: &mut Builder<'_>, x: ValueId, end: ValueId) -> ValueId {
    let below_zero = b.index(-1);
    let (from, to) = (less(b, below_zero, x), less(b, x, end));
    and(b, from, to)
}

pub(super) fn all(b: &mut Builder<'_>, conditions: &[ValueId]) -> Option<ValueId> {
    let (&first, others) = conditions.split_first()?;
    Some(others.iter().fold(first, |all, &condition| and(b, all, condition)))
}

/// A number that a tensor holds, as an index.
pub(super) fn to_index(b: &mut Builder<'_>, x: ValueId) -> ValueId {
    let index = b.ir.index_type();
    if b.ir.type_of(x) == index { x } else { b.value(Opcode::ArithIndexCast, &[x], index, &[]) }
}

/// An index as a number of a type of integers.
pub(super) fn from_index(b: &mut Builder<'_>, x: ValueId, ty: TypeId) -> ValueId {
    if b.ir.type_of(x) == ty { x } else { b.value(Opcode::ArithIndexCast, &[x], ty, &[]) }
}

/// The row-major number of a point.
pub(super) fn linear(b: &mut Builder<'_>, at: &[ValueId], extents: &[ValueId]) -> ValueId {
    let Some((&first, others)) = at.split_first() else { return b.index(0) };
    others.iter().zip(&extents[1..]).fold(first, |sum, (&at, &extent)| {
        let scaled = mul(b, sum, extent);
        add(b, scaled, at)
    })
}

/// The point with a row-major number; no extent is 0.
pub(super) fn split(b: &mut Builder<'_>, number: ValueId, extents: &[ValueId]) -> Vec<ValueId> {
    let mut rest = number;
    let mut at = Vec::new();
    for &extent in extents.iter().skip(1).rev() {
        at.push(rem(b, rest, extent));
        rest = div(b, rest, extent);
    }
    at.extend((!extents.is_empty()).then_some(rest));
    at.reverse();
    at
}

/// Runs `body` for each number from `bounds[0]` up to `bounds[1]`, in order; gives what it carries to the end.
pub(super) fn repeat(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    bounds: [ValueId; 2],
    inits: &[ValueId],
    body: impl FnOnce(&mut Cx, &mut Builder<'_>, ValueId, &[ValueId]) -> Result<Vec<ValueId>, Diag>,
) -> Result<Vec<ValueId>, Diag> {
    let one = b.index(1);
    stride(cx, b, [bounds[0], bounds[1], one], inits, body)
}

/// Runs `body` for numbers from `bounds[0]` up to `bounds[1]`, `bounds[2]` from one to the next, in order; gives what it
/// carries to the end.
pub(super) fn stride(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    bounds: [ValueId; 3],
    inits: &[ValueId],
    body: impl FnOnce(&mut Cx, &mut Builder<'_>, ValueId, &[ValueId]) -> Result<Vec<ValueId>, Diag>,
) -> Result<Vec<ValueId>, Diag> {
    let mut failed = None;
    let op = b.for_loop(bounds[0], bounds[1], bounds[2], inits, |inner, at, acc| {
        body(cx, inner, at, acc).unwrap_or_else(|diag| {
            failed = Some(diag);
            acc.to_vec()
        })
    });
    failed.map_or_else(|| Ok(b.ir.results(op).collect()), Err)
}

/// Writes the innermost body of a nest: for a point and what is carried, what is carried on.
type Step<'a> = &'a mut dyn FnMut(&mut Cx, &mut Builder<'_>, &[ValueId], &[ValueId]) -> Result<Vec<ValueId>, Diag>;

/// Runs `body` for each point below `extents`, in row-major order; gives what it carries to the end.
pub(super) fn nest(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    extents: &[ValueId],
    inits: &[ValueId],
    body: Step<'_>,
) -> Result<Vec<ValueId>, Diag> {
    let Some((&extent, others)) = extents.split_first() else { return body(cx, b, &[], inits) };
    let zero = b.index(0);
    repeat(cx, b, [zero, extent], inits, |cx, b, first, acc| {
        nest(cx, b, others, acc, &mut |cx, b, at, acc| body(cx, b, &[&[first], at].concat(), acc))
    })
}

/// Writes what is done at a point.
pub(super) type Each<'a> = &'a mut dyn FnMut(&mut Cx, &mut Builder<'_>, &[ValueId]) -> Result<(), Diag>;

/// Runs `body` for each point within bounds, in row-major order.
pub(super) fn each(cx: &mut Cx, b: &mut Builder<'_>, bounds: &[[ValueId; 2]], body: Each<'_>) -> Result<(), Diag> {
    let Some((&first, others)) = bounds.split_first() else { return body(cx, b, &[]) };
    repeat(cx, b, first, &[], |cx, b, first, _| {
        each(cx, b, others, &mut |cx, b, at| body(cx, b, &[&[first], at].concat())).map(|()| Vec::new())
    })?;
    Ok(())
}

/// `scf.while`: as long as `test` holds for what is carried, `body` says what is carried on. Gives what it ends with.
pub(super) fn while_holds(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    inits: &[ValueId],
    test: impl FnOnce(&mut Cx, &mut Builder<'_>, &[ValueId]) -> Result<ValueId, Diag>,
    body: impl FnOnce(&mut Cx, &mut Builder<'_>, &[ValueId]) -> Result<Vec<ValueId>, Diag>,
) -> Result<Vec<ValueId>, Diag> {
    let types: Vec<TypeId> = inits.iter().map(|&init| b.ir.type_of(init)).collect();
    let op = b.op(Opcode::ScfWhile, inits, &types, &[]);
    let [test_block, body_block] = [0, 1].map(|_| {
        let region = b.ir.add_region(op);
        b.ir.add_block(region, &types)
    });
    let carried = b.ir.args(test_block).to_vec();
    let mut inner = Builder::at_end(b.ir, test_block, b.span);
    let holds = test(cx, &mut inner, &carried)?;
    inner.op(Opcode::ScfCondition, &[&[holds], &carried[..]].concat(), &[], &[]);
    let carried = b.ir.args(body_block).to_vec();
    let mut inner = Builder::at_end(b.ir, body_block, b.span);
    let next = body(cx, &mut inner, &carried)?;
    inner.op(Opcode::ScfYield, &next, &[], &[]);
    Ok(b.ir.results(op).collect())
}

type Part<'a> = &'a mut dyn FnMut(&mut Cx, &mut Builder<'_>) -> Result<Vec<ValueId>, Diag>;

/// `scf.if`, with what its branches give.
pub(super) fn branch<'a>(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    condition: ValueId,
    types: &[TypeId],
    then: Part<'a>,
    otherwise: Part<'a>,
) -> Result<Vec<ValueId>, Diag> {
    let op = b.op(Opcode::ScfIf, &[condition], types, &[]);
    for part in [then, otherwise] {
        let region = b.ir.add_region(op);
        let block = b.ir.add_block(region, &[]);
        let mut inner = Builder::at_end(b.ir, block, b.span);
        let given = part(cx, &mut inner)?;
        inner.op(Opcode::ScfYield, &given, &[], &[]);
    }
    Ok(b.ir.results(op).collect())
}

/// Runs `then` where a condition holds.
pub(super) fn when(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    condition: Option<ValueId>,
    then: &mut dyn FnMut(&mut Cx, &mut Builder<'_>) -> Result<(), Diag>,
) -> Result<(), Diag> {
    match condition {
        None => then(cx, b),
        Some(condition) => {
            let mut then = |cx: &mut Cx, b: &mut Builder<'_>| then(cx, b).map(|()| Vec::new());
            branch(cx, b, condition, &[], &mut then, &mut |_, _| Ok(Vec::new())).map(|_| ())
        }
    }
}

/// Deals the points below `extents` to the threads; `shape` is what is known of the extents.
pub(super) fn deal(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    shape: &[i64],
    extents: &[ValueId],
    body: impl FnOnce(&mut Cx, &mut Builder<'_>, &[ValueId]) -> Result<(), Diag>,
) -> Result<(), Diag> {
    if shape.contains(&0) {
        return Ok(());
    }
    if let Some((&length, lead)) = extents.split_last().filter(|_| cx.along_rows) {
        return deal_rows(cx, b, shape, lead, length, body);
    }
    cx.widen(shape, 1);
    let one = b.index(1);
    let end = extents.iter().fold(one, |n, &extent| mul(b, n, extent));
    let [thread, n_threads] = cx.threads;
    let mut failed = None;
    b.for_loop(thread, end, n_threads, &[], |inner, number, _| {
        let at = split(inner, number, extents);
        failed = body(cx, inner, &at).err();
        Vec::new()
    });
    failed.map_or(Ok(()), Err)
}

/// Points of a row that a thread has, where there is one row.
const PART: i64 = 1024;

/// Deals rows of points to the threads: who goes along one finds its elements side by side.
fn deal_rows(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    shape: &[i64],
    lead: &[ValueId],
    length: ValueId,
    body: impl FnOnce(&mut Cx, &mut Builder<'_>, &[ValueId]) -> Result<(), Diag>,
) -> Result<(), Diag> {
    let (zero, one, part) = (b.index(0), b.index(1), b.index(PART));
    let end = if lead.is_empty() {
        cx.widen(&[if shape[0] == DYNAMIC { DYNAMIC } else { (shape[0] - 1) / PART + 1 }], 1);
        let more = b.index(PART - 1);
        let more = add(b, length, more);
        div(b, more, part)
    } else {
        cx.widen(&shape[..lead.len()], 1);
        lead.iter().fold(one, |n, &extent| mul(b, n, extent))
    };
    let [thread, n_threads] = cx.threads;
    let mut failed = None;
    b.for_loop(thread, end, n_threads, &[], |inner, number, _| {
        let row = split(inner, number, lead);
        let bounds = if lead.is_empty() {
            let first = mul(inner, number, part);
            let behind = add(inner, first, part);
            [first, inner.binary(Opcode::ArithMinsi, behind, length)]
        } else {
            [zero, length]
        };
        let along = |cx: &mut Cx, b: &mut Builder<'_>, j: ValueId, _: &[ValueId]| {
            body(cx, b, &[&row[..], &[j]].concat()).map(|()| Vec::new())
        };
        failed = repeat(cx, inner, bounds, &[], along).err();
        Vec::new()
    });
    failed.map_or(Ok(()), Err)
}
