//! Operations along one dimension whose elements depend on one another: a thread has a line of the result.

use raddle_ir::{Attr, Builder, DYNAMIC, Diag, Ir, OpId, ValueId};

use super::extents;
use super::rules::{element, region};
use super::{Cx, code, refuse, store};

/// The dimension that an operation goes along.
pub(super) fn dimension(ir: &Ir, op: OpId, rank: usize) -> Result<usize, Diag> {
    let dim = ir.attr(op, "dimension").and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok());
    dim.filter(|&dim| dim < rank).ok_or_else(|| refuse(ir, op, "`dimension` names none of its operand"))
}

/// How long the lines of an operation are and how many there are, as far as that is known.
pub(super) fn lengths(ir: &Ir, op: OpId) -> Option<(i64, Option<i64>)> {
    let mut shape = ir.ty(*ir.operands(op).first()?).shape()?.to_vec();
    let dim = dimension(ir, op, shape.len()).ok()?;
    let n = shape.remove(dim);
    let count = |n: i64, &extent: &i64| if extent == DYNAMIC { None } else { Some(n.saturating_mul(extent)) };
    Some((n, shape.iter().try_fold(1, count)))
}

/// A point with one more index.
pub(super) fn with(at: &[ValueId], dim: usize, index: ValueId) -> Vec<ValueId> {
    [&at[..dim], &[index], &at[dim..]].concat()
}

/// Deals the lines along a dimension of a tensor to the threads; `body` gets the place of a line and its length.
pub(super) fn each_line(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    value: ValueId,
    dim: usize,
    body: impl FnOnce(&mut Cx, &mut Builder<'_>, &[ValueId], ValueId) -> Result<(), Diag>,
) -> Result<(), Diag> {
    let mut shape = b.ir.shape_of(value).to_vec();
    let mut extents = extents::of(cx, b, value)?;
    shape.remove(dim);
    let length = extents.remove(dim);
    code::deal(cx, b, &shape, &extents, |cx, b, at| body(cx, b, at, length))
}

/// `iree_linalg_ext.scan`
pub(super) fn scan(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, into: &[ValueId]) -> Result<(), Diag> {
    let &[input, _, init] = b.ir.operands(op) else { return Err(refuse(b.ir, op, "it has not three operands")) };
    let dim = dimension(b.ir, op, b.ir.shape_of(input).len())?;
    let inclusive =
        b.ir.attr(op, "inclusive").is_some_and(|attr| *attr == Attr::Bool(true) || attr.as_i64() == Some(1));
    each_line(cx, b, input, dim, |cx, b, at, length| {
        let (zero, one) = (b.index(0), b.index(1));
        let ty = b.ir.elem_of(input);
        let init = element(cx, b, init, at)?;
        let is_there = code::less(b, zero, length);
        // The first element is not a combination of two.
        let mut first = |cx: &mut Cx, b: &mut Builder<'_>| {
            let place = with(at, dim, zero);
            let first = if inclusive { element(cx, b, input, &place)? } else { init };
            store(b, first, into[0], &place);
            Ok(vec![first])
        };
        let first = code::branch(cx, b, is_there, &[ty], &mut first, &mut |_, _| Ok(vec![init]))?;
        let total = code::repeat(cx, b, [one, length], &first, |cx, b, i, acc| {
            let from = if inclusive { i } else { code::sub(b, i, one) };
            let next = element(cx, b, input, &with(at, dim, from))?;
            let sum = region(cx, b, op, &[acc[0], next], &[])?[0];
            store(b, sum, into[0], &with(at, dim, i));
            Ok(vec![sum])
        })?;
        if let Some(&memref) = into.get(1) {
            store(b, total[0], memref, at);
        }
        Ok(())
    })
}

/// `iree_linalg_ext.arg_compare`: the best element of a line and its index.
pub(super) fn arg_compare(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    op: OpId,
    wanted: &[usize],
    at: &[ValueId],
) -> Result<Vec<ValueId>, Diag> {
    let parts: Vec<Vec<ValueId>> = b.ir.segments(op).into_iter().map(<[ValueId]>::to_vec).collect();
    let [values, indices, out, out_at, base] = &parts[..] else {
        return Err(refuse(b.ir, op, "it has another number of operands"));
    };
    let (values, base) = (values[0], base.first().map(|&base| cx.map.get(base)));
    let dim = dimension(b.ir, op, b.ir.shape_of(values).len())?;
    let length = extents::extent(cx, b, values, dim)?;
    let zero = b.index(0);
    let inits = [element(cx, b, out[0], at)?, element(cx, b, out_at[0], at)?];
    let ty = b.ir.type_of(inits[1]);
    let best = code::repeat(cx, b, [zero, length], &inits, |cx, b, i, best| {
        let place = with(at, dim, i);
        let new = element(cx, b, values, &place)?;
        let precedes = region(cx, b, op, &[new, best[0]], &[])?[0];
        let index = match indices.first() {
            Some(&indices) => element(cx, b, indices, &place)?,
            None => {
                let index = base.map_or(i, |base| code::add(b, i, base));
                code::from_index(b, index, ty)
            }
        };
        Ok(vec![code::select(b, precedes, new, best[0]), code::select(b, precedes, index, best[1])])
    })?;
    Ok(wanted.iter().map(|&result| best[result]).collect())
}
