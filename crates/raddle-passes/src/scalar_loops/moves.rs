//! Operations that move elements: where each element of the result comes from.

use raddle_ir::views::{Mixed, SliceView, mixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Diag, Ir, OpId, Opcode, ValueId};

use super::extents::{self, given};
use super::rules::{element, region};
use super::{Cx, code, refuse};
use crate::structured::moves::{groups, ints, kept, padding};

/// Elements that `tensor.from_elements` chooses among, at most.
const CHOICES_MAX: usize = 256;

/// `then` where a condition holds, else `otherwise`: elements of the operation's result.
fn choose(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    op: OpId,
    condition: ValueId,
    then: &mut dyn FnMut(&mut Cx, &mut Builder<'_>) -> Result<ValueId, Diag>,
    otherwise: &mut dyn FnMut(&mut Cx, &mut Builder<'_>) -> Result<ValueId, Diag>,
) -> Result<ValueId, Diag> {
    let elem = b.ir.elem_of(b.ir.result(op, 0));
    let given = code::branch(cx, b, condition, &[elem], &mut |cx, b| Ok(vec![then(cx, b)?]), &mut |cx, b| {
        Ok(vec![otherwise(cx, b)?])
    })?;
    Ok(given[0])
}

pub(super) fn allocated(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    match b.ir.operands(op).iter().copied().find(|&operand| b.ir.ty(operand).is_tensor()) {
        Some(copied) => element(cx, b, copied, at),
        None => {
            let elem = b.ir.elem_of(b.ir.result(op, 0));
            Ok(b.splat(0.0, elem))
        }
    }
}

pub(super) fn from_elements(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let elements: Vec<ValueId> = b.ir.operands(op).iter().map(|&value| cx.map.get(value)).collect();
    let Some((&first, others)) = elements.split_first() else {
        return Err(refuse(b.ir, op, "it has no elements"));
    };
    if elements.len() > CHOICES_MAX {
        return Err(refuse(b.ir, op, &format!("it chooses among more than {CHOICES_MAX} elements")));
    }
    let extents = extents::of(cx, b, b.ir.result(op, 0))?;
    let number = code::linear(b, at, &extents);
    Ok(others.iter().enumerate().fold(first, |found, (i, &other)| {
        let place = b.index(i as i64 + 1);
        let here = code::equal(b, number, place);
        code::select(b, here, other, found)
    }))
}

pub(super) fn generate(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    Ok(region(cx, b, op, at, at)?[0])
}

pub(super) fn pad(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let source = b.ir.operand(op, 0);
    let [low, high] = padding(b.ir, op);
    let (mut from, mut conditions) = (Vec::new(), Vec::new());
    for (d, &index) in at.iter().enumerate() {
        if [low[d], high[d]] == [Mixed::Static(0); 2] {
            from.push(index);
            continue;
        }
        let low = given(cx, b, low[d]);
        let index = code::sub(b, index, low);
        let end = extents::extent(cx, b, source, d)?;
        conditions.push(code::inside(b, index, end));
        from.push(index);
    }
    match code::all(b, &conditions) {
        None => element(cx, b, source, &from),
        Some(condition) => choose(cx, b, op, condition, &mut |cx, b| element(cx, b, source, &from), &mut |cx, b| {
            Ok(region(cx, b, op, at, at)?[0])
        }),
    }
}

pub(super) fn concat(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let parts = b.ir.operands(op).to_vec();
    let dim = b.ir.attr(op, "dim").and_then(Attr::as_i64).and_then(|dim| usize::try_from(dim).ok());
    let Some(dim) = dim.filter(|&dim| dim < at.len()) else { return Err(refuse(b.ir, op, "it has no such dimension")) };
    part_of(cx, b, op, &parts, dim, at)
}

fn part_of(
    cx: &mut Cx,
    b: &mut Builder<'_>,
    op: OpId,
    parts: &[ValueId],
    dim: usize,
    at: &[ValueId],
) -> Result<ValueId, Diag> {
    let Some((&first, others)) = parts.split_first() else { return Err(refuse(b.ir, op, "it has no parts")) };
    if others.is_empty() {
        return element(cx, b, first, at);
    }
    let end = extents::extent(cx, b, first, dim)?;
    let here = code::less(b, at[dim], end);
    choose(cx, b, op, here, &mut |cx, b| element(cx, b, first, at), &mut |cx, b| {
        let mut at = at.to_vec();
        at[dim] = code::sub(b, at[dim], end);
        part_of(cx, b, op, others, dim, &at)
    })
}

pub(super) fn extract_slice(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let slice = SliceView::of(b.ir, op);
    let kept = kept(&slice.sizes, b.ir.shape_of(b.ir.result(op, 0)));
    let mut from = Vec::new();
    for (d, (&offset, &stride)) in slice.offsets.iter().zip(&slice.strides).enumerate() {
        let offset = given(cx, b, offset);
        from.push(match kept.iter().position(|&own| own == d) {
            Some(own) => {
                let stride = given(cx, b, stride);
                let step = code::mul(b, at[own], stride);
                code::add(b, step, offset)
            }
            None => offset,
        });
    }
    element(cx, b, slice.base, &from)
}

pub(super) fn insert_slice(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let slice = SliceView::of(b.ir, op);
    let value = slice.value.expect("an insertion has a value");
    let kept = kept(&slice.sizes, b.ir.shape_of(value));
    let (mut from, mut conditions) = (Vec::new(), Vec::new());
    for (d, &index) in at.iter().enumerate() {
        let (offset, size, stride) = (slice.offsets[d], slice.sizes[d], slice.strides[d]);
        let extent = b.ir.shape_of(slice.base)[d];
        let is_whole = offset == Mixed::Static(0) && stride == Mixed::Static(1) && size == Mixed::Static(extent);
        let index = if is_whole {
            index
        } else {
            let (offset, size) = (given(cx, b, offset), given(cx, b, size));
            let behind = code::sub(b, index, offset);
            if stride == Mixed::Static(1) {
                conditions.push(code::inside(b, behind, size));
                behind
            } else {
                let stride = given(cx, b, stride);
                let length = code::mul(b, size, stride);
                conditions.push(code::inside(b, behind, length));
                let (zero, rest) = (b.index(0), b.binary(Opcode::ArithRemsi, behind, stride));
                conditions.push(code::equal(b, rest, zero));
                b.binary(Opcode::ArithDivsi, behind, stride)
            }
        };
        if kept.contains(&d) {
            from.push(index);
        }
    }
    match code::all(b, &conditions) {
        None => element(cx, b, value, &from),
        Some(condition) => choose(cx, b, op, condition, &mut |cx, b| element(cx, b, value, &from), &mut |cx, b| {
            element(cx, b, slice.base, at)
        }),
    }
}

pub(super) fn insert(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let operands = b.ir.operands(op).to_vec();
    let mut conditions = Vec::new();
    for (&own, &index) in operands[2..].iter().zip(at) {
        let place = cx.map.get(own);
        conditions.push(code::equal(b, index, place));
    }
    let value = cx.map.get(operands[0]);
    match code::all(b, &conditions) {
        None => Ok(value),
        Some(condition) => {
            choose(cx, b, op, condition, &mut |_, _| Ok(value), &mut |cx, b| element(cx, b, operands[1], at))
        }
    }
}

pub(super) fn cast(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    element(cx, b, b.ir.operand(op, 0), at)
}

pub(super) fn bitcast(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let bits = element(cx, b, b.ir.operand(op, 0), at)?;
    let elem = b.ir.elem_of(b.ir.result(op, 0));
    Ok(b.value(Opcode::ArithBitcast, &[bits], elem, &[]))
}

pub(super) fn expand_shape(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let extents = extents::of(cx, b, b.ir.result(op, 0))?;
    let mut from = Vec::new();
    for group in groups(b.ir, op) {
        let pick = |list: &[ValueId]| -> Vec<ValueId> { group.iter().map(|&d| list[d]).collect() };
        from.push(code::linear(b, &pick(at), &pick(&extents)));
    }
    element(cx, b, b.ir.operand(op, 0), &from)
}

pub(super) fn collapse_shape(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let source = b.ir.operand(op, 0);
    let extents = extents::of(cx, b, source)?;
    // To rank 0 all dimensions go, each with one element.
    let zero = b.index(0);
    let mut from = vec![zero; extents.len()];
    for (group, &index) in groups(b.ir, op).into_iter().zip(at) {
        let own: Vec<ValueId> = group.iter().map(|&d| extents[d]).collect();
        for (d, part) in group.into_iter().zip(code::split(b, index, &own)) {
            from[d] = part;
        }
    }
    element(cx, b, source, &from)
}

pub(super) fn reshape(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let (source, result) = (b.ir.operand(op, 0), b.ir.result(op, 0));
    let (from, to) = (extents::of(cx, b, source)?, extents::of(cx, b, result)?);
    let number = code::linear(b, at, &to);
    let at = code::split(b, number, &from);
    element(cx, b, source, &at)
}

/// How `linalg.pack` and `linalg.unpack` cut a tensor into tiles.
struct Tiles {
    /// The dimension that is cut, and the size of its tiles.
    inner: Vec<(usize, Mixed)>,
    /// The dimension of the tensor that each outer dimension of the packed one counts.
    outer: Vec<usize>,
    padding: Option<ValueId>,
}

impl Tiles {
    fn of(ir: &Ir, op: OpId, rank: usize) -> Result<Tiles, Diag> {
        let (padding, sizes) = match ir.opcode(op) {
            Opcode::LinalgPack => match ir.segments(op)[..] {
                [_, _, padding, sizes] => (padding.first().copied(), sizes),
                _ => return Err(refuse(ir, op, "its operands are not those of a packing")),
            },
            _ => (None, ir.operands(op).get(2..).unwrap_or_default()),
        };
        let sizes = mixed(&ints(ir, op, "static_inner_tiles"), sizes);
        let dims = |name: &str| -> Vec<usize> {
            ints(ir, op, name).into_iter().filter_map(|d| usize::try_from(d).ok().filter(|&d| d < rank)).collect()
        };
        let positions = dims("inner_dims_pos");
        let mut outer = dims("outer_dims_perm");
        if outer.is_empty() {
            outer = (0..rank).collect();
        }
        if outer.len() != rank || positions.len() != sizes.len() {
            return Err(refuse(ir, op, "it names dimensions that the tensor does not have"));
        }
        Ok(Tiles { inner: positions.into_iter().zip(sizes).collect(), outer, padding })
    }

    fn of_dim(&self, d: usize) -> Option<(usize, Mixed)> {
        self.inner.iter().position(|tile| tile.0 == d).map(|at| (at, self.inner[at].1))
    }
}

pub(super) fn pack(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let source = b.ir.operand(op, 0);
    let shape = b.ir.shape_of(source).to_vec();
    let tiles = Tiles::of(b.ir, op, shape.len())?;
    let packed = b.ir.shape_of(b.ir.result(op, 0)).to_vec();
    let mut from = vec![at[0]; shape.len()];
    let mut conditions = Vec::new();
    for (o, &d) in tiles.outer.iter().enumerate() {
        from[d] = at[o];
        let Some((tile, size)) = tiles.of_dim(d) else { continue };
        let fits = match size {
            Mixed::Static(size) if shape[d] != DYNAMIC && packed[o] != DYNAMIC => {
                packed[o].checked_mul(size).is_some_and(|all| all <= shape[d])
            }
            _ => false,
        };
        let size = given(cx, b, size);
        let first = code::mul(b, at[o], size);
        from[d] = code::add(b, first, at[shape.len() + tile]);
        if !fits {
            let end = extents::extent(cx, b, source, d)?;
            conditions.push(code::less(b, from[d], end));
        }
    }
    match (code::all(b, &conditions), tiles.padding) {
        (Some(condition), Some(padding)) => {
            let padding = cx.map.get(padding);
            choose(cx, b, op, condition, &mut |cx, b| element(cx, b, source, &from), &mut |_, _| Ok(padding))
        }
        _ => element(cx, b, source, &from),
    }
}

pub(super) fn unpack(cx: &mut Cx, b: &mut Builder<'_>, op: OpId, at: &[ValueId]) -> Result<ValueId, Diag> {
    let tiles = Tiles::of(b.ir, op, at.len())?;
    let (mut outer, mut inner) = (vec![at[0]; at.len()], vec![at[0]; tiles.inner.len()]);
    for (o, &d) in tiles.outer.iter().enumerate() {
        outer[o] = at[d];
        if let Some((tile, size)) = tiles.of_dim(d) {
            let size = given(cx, b, size);
            outer[o] = code::div(b, at[d], size);
            inner[tile] = code::rem(b, at[d], size);
        }
    }
    element(cx, b, b.ir.operand(op, 0), &[outer, inner].concat())
}
