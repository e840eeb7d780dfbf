//! Rolls: a tensor that is turned around along some dimensions, and moved otherwise in front of that and behind it, is read
//! where it lies.
//!
//! Before: `%a = tensor.extract_slice %x[0, 3, 0] [8, 53, 96] …`, `%b = tensor.extract_slice %x[0, 0, 0] [8, 3, 96] …`,
//!         `%r = tensor.concat dim(1) %a, %b`, `%e = tensor.expand_shape %r [[0], [1, 2], [3]] : tensor<8x8x7x96xf16>`,
//!         `%t = linalg.transpose %e` to `tensor<8x7x8x96xf16>`
//! After:  `%t = linalg.generic { tensor.extract %x[i0, (i2 * 7 + i1 + 3) mod 56, i3] }`
//!
//! This is how the windows of an image are shifted, as in Swin. As two slices side by side, each roll would be a kernel of
//! its own, since the next one would read elements of two tensors that are computed.
//!
//! Does not touch rolls along the last dimension, where neighbours would be read one by one, and along open extents.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed, SliceView};
use raddle_ir::{Attr, BlockId, Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, ValueId};

use super::reshape::{Names, extents, groups, has_encoding};
use super::slices::is_whole;
use crate::structured::body;
use crate::structured::generalize::{elementwise, loop_index};

/// Reads what is rolled in some blocks from where it is.
pub(super) fn read_in_place(ir: &mut Ir, blocks: &[BlockId]) {
    // Whoever is behind the others reads through all of them.
    for op in blocks.iter().flat_map(|&block| ir.ops_of(block)).rev().collect::<Vec<_>>() {
        if ir.opcode(op) == Opcode::TensorConcat || moved(ir, op).is_some() {
            rewrite(ir, op);
        }
    }
}

/// Where an element is in what a tensor is a roll, a transposition or a reshape of.
struct Place {
    tensor: ValueId,
    at: Vec<Expr>,
    rolls: bool,
}

fn rewrite(ir: &mut Ir, op: OpId) -> Option<()> {
    let result = ir.result(op, 0);
    if ir.is_unused(result) || has_encoding(ir, result) {
        return None;
    }
    let rank = ir.shape_of(result).len();
    let at = (0..rank as u32).map(Expr::Dim).collect();
    let mut place = Place { tensor: result, at, rolls: false };
    while let Some(next) = behind(ir, &place) {
        place = next;
    }
    // Neighbours in memory stay neighbours.
    if !place.rolls || place.at.last() != Some(&Expr::Dim(rank as u32 - 1)) {
        return None;
    }
    let builder = &mut Builder::before(ir, op);
    let sizes = extents(builder, result).into_iter().zip(builder.ir.shape_of(result).to_vec());
    let open = sizes.filter(|&(_, extent)| extent == DYNAMIC);
    let open: Vec<ValueId> = open.map(|(size, _)| size.materialize(builder)).collect();
    let new = elementwise(builder, &[], result, &open, |inner, _| {
        let loops: Vec<ValueId> = (0..rank).map(|d| loop_index(inner, d)).collect();
        let at: Vec<ValueId> = place.at.iter().map(|expr| number(inner, expr, &loops)).collect();
        let elem = inner.ir.elem_of(result);
        inner.value(Opcode::TensorExtract, &[&[place.tensor], &at[..]].concat(), elem, &[])
    });
    ir.replace_uses(result, new);
    Some(())
}

/// What an expression of loops is, which takes those alone that it names.
fn number(builder: &mut Builder<'_>, expr: &Expr, loops: &[ValueId]) -> ValueId {
    if let Expr::Dim(d) = *expr {
        return loops[d as usize];
    }
    let named: Vec<usize> = (0..loops.len()).filter(|&d| expr.names(&|own| own == d)).collect();
    let place = |d: usize| named.iter().position(|&own| own == d).unwrap_or(0) as u32;
    let dims: Vec<Expr> = (0..loops.len()).map(|d| Expr::Dim(place(d))).collect();
    let map = Map { dims: named.len() as u32, syms: 0, results: vec![expr.replaced(&dims, &[])] };
    builder.apply(map, &named.iter().map(|&d| loops[d]).collect::<Vec<_>>())
}

/// One step further; `None` where something is computed, or nothing is made.
fn behind(ir: &Ir, place: &Place) -> Option<Place> {
    let op = ir.def_op(place.tensor)?;
    if ir.opcode(op) == Opcode::TensorConcat {
        let (tensor, d, by) = roll(ir, op)?;
        let mut at = place.at.clone();
        let sum = Expr::binary(BinOp::Add, at[d].clone(), Expr::Const(by));
        at[d] = Expr::binary(BinOp::Mod, sum, Expr::Const(ir.shape_of(tensor)[d]));
        return Some(Place { tensor, at, rolls: true });
    }
    let shape = ir.shape_of(place.tensor);
    if matches!(ir.opcode(op), Opcode::TensorExpandShape | Opcode::TensorCollapseShape) {
        let tensor = ir.operand(op, 0);
        let wide = if shape.len() > ir.shape_of(tensor).len() { shape } else { ir.shape_of(tensor) };
        if wide.contains(&0) {
            return None;
        }
        let expands = ir.opcode(op) == Opcode::TensorExpandShape;
        let (mut at, mut first) = (Vec::new(), 0);
        for (d, n) in groups(ir, op)?.into_iter().enumerate() {
            let own = first..first + n;
            first += n;
            // How long the outermost one is does not matter.
            if wide[own.clone()][1..].contains(&DYNAMIC) {
                return None;
            }
            match expands {
                true => at.push(joined(&place.at[own.clone()], &wide[own])),
                false => at.extend(divided(&place.at[d], &wide[own])),
            }
        }
        return Some(Place { tensor, at, ..*place });
    }
    let (tensor, dims) = moved(ir, op)?;
    Some(Place { tensor, at: dims.into_iter().map(|d| place.at[d].clone()).collect(), ..*place })
}

/// The place in one dimension that several make up.
fn joined(at: &[Expr], extents: &[i64]) -> Expr {
    let join = |sum: Expr, (at, &extent): (&Expr, &i64)| {
        let sum = Expr::binary(BinOp::Mul, sum, Expr::Const(extent));
        Expr::binary(BinOp::Add, sum, at.clone())
    };
    at.iter().zip(extents).skip(1).fold(at[0].clone(), join)
}

/// The places in several dimensions that make up one.
fn divided(at: &Expr, extents: &[i64]) -> Vec<Expr> {
    let (mut places, mut inner) = (Vec::new(), 1);
    for (d, &extent) in extents.iter().enumerate().rev() {
        let place = Expr::binary(BinOp::FloorDiv, at.clone(), Expr::Const(inner));
        if d == 0 {
            places.push(place);
        } else {
            places.push(Expr::binary(BinOp::Mod, place, Expr::Const(extent)));
            inner *= extent;
        }
    }
    places.reverse();
    places
}

/// What an operation only gives in another order, and the dimension of the result that each of its dimensions is.
pub(super) fn moved(ir: &Ir, op: OpId) -> Option<(ValueId, Vec<usize>)> {
    let linalg = Linalg::try_of(ir, op).filter(|linalg| !linalg.reduction.contains(&true))?;
    let (&[input], [from, to]) = (&linalg.inputs[..], &linalg.maps[..]) else { return None };
    let (from, to) = (from.as_dims()?, to.as_dims()?);
    let copies = ir.opcode(op) == Opcode::LinalgTranspose || body::copies_input(ir, op);
    let dims: Option<Vec<usize>> = from.iter().map(|d| to.iter().position(|own| own == d)).collect();
    let same = ir.ty(input).is_tensor() && ir.elem_of(input) == ir.elem_of(ir.result(op, 0)) && from.len() == to.len();
    dims.filter(|_| copies && same).map(|dims| (input, dims))
}

/// What a concatenation is a roll of, along which dimension, and where the first element of the result was.
fn roll(ir: &Ir, op: OpId) -> Option<(ValueId, usize, i64)> {
    let d = ir.attr(op, "dim").and_then(Attr::as_i64).and_then(|d| usize::try_from(d).ok())?;
    let &[first, second] = ir.operands(op) else { return None };
    let [first, second] = [first, second].map(|part| {
        // A cast hides how long a part is.
        let cast = ir.def_op(part).filter(|&made| ir.opcode(made) == Opcode::TensorCast);
        let part = cast.map_or(part, |cast| ir.operand(cast, 0));
        let slice = ir.def_op(part).filter(|&made| ir.opcode(made) == Opcode::TensorExtractSlice)?;
        let view = SliceView::of(ir, slice);
        (ir.shape_of(part).len() == view.sizes.len()).then_some(view)
    });
    let (first, second) = (first?, second?);
    let shape = ir.shape_of(first.base).to_vec();
    let by = match (first.offsets[d], second.sizes[d]) {
        (Mixed::Static(offset), Mixed::Static(size)) if offset == size => offset,
        _ => return None,
    };
    let mut names = Names::around(ir, op)?;
    let mut is = |view: &SliceView, from: i64, size: i64| {
        let is_line = [view.offsets[d], view.sizes[d], view.strides[d]] == [from, size, 1].map(Mixed::Static);
        is_line && (0..shape.len()).all(|own| own == d || is_whole(ir, &mut names, view, own))
    };
    let n = shape[d];
    let fits = first.base == second.base && d + 1 < shape.len() && (1..n).contains(&by);
    (fits && is(&first, by, n - by) && is(&second, 0, by)).then_some((first.base, d, by))
}
