//! `linalg.pack` and `linalg.unpack`: a padded tensor seen in tiles, and tiles in another order as one tensor.
//!
//! Before: `linalg.pack %x padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [8] into %d : tensor<13xf32> -> tensor<2x8xf32>`
//! After:  `tensor.pad %x low[0] high[3]`, and a copy that reads it at `d0 * 8 + d1`, a view of it
//!
//! An unpacking puts each tile's dimension behind the one that counts the tiles, makes one of both, and takes the part that
//! is the result. Does not touch tiles whose sizes only the run knows.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Mixed, mixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, ValueId};

use super::loops::with_type;
use crate::structured::generalize::copy_along;
use crate::structured::moves::{ints, numbers, pad_by};
use crate::structured::sizes::mixed_extent;

/// How a tensor is cut.
struct Tiles {
    /// The dimension that each outer dimension of the packed tensor counts tiles or elements of.
    outer: Vec<usize>,
    /// The dimension of each tile, and how long it is.
    inner: Vec<(usize, i64)>,
}

impl Tiles {
    fn of(ir: &Ir, op: OpId, rank: usize) -> Option<Tiles> {
        let sizes = ir.segments(op).last().map_or(&[][..], |sizes| sizes).to_vec();
        let sizes = if ir.opcode(op) == Opcode::LinalgPack { sizes } else { ir.operands(op)[2..].to_vec() };
        let sizes = numbers(&mixed(&ints(ir, op, "static_inner_tiles"), &sizes))?;
        let dims = |name: &str| -> Option<Vec<usize>> {
            ints(ir, op, name).into_iter().map(|d| usize::try_from(d).ok().filter(|&d| d < rank)).collect()
        };
        let (positions, mut outer) = (dims("inner_dims_pos")?, dims("outer_dims_perm")?);
        if outer.is_empty() {
            outer = (0..rank).collect();
        }
        let fits = outer.len() == rank && positions.len() == sizes.len() && sizes.iter().all(|&size| size > 0);
        fits.then(|| Tiles { outer, inner: positions.into_iter().zip(sizes).collect() })
    }

    /// Which tile a dimension is cut into, and how long it is.
    fn of_dim(&self, d: usize) -> Option<(usize, i64)> {
        self.inner.iter().position(|tile| tile.0 == d).map(|at| (at, self.inner[at].1))
    }
}

pub(super) fn pack(ir: &mut Ir, op: OpId) -> Option<()> {
    let &[source, dest, ..] = ir.operands(op) else { return None };
    let result = ir.results(op).next()?;
    let shape = ir.shape_of(source).to_vec();
    let tiles = Tiles::of(ir, op, shape.len())?;
    let padding = ir.group(op, "padding_value").first().copied();
    let builder = &mut Builder::before(ir, op);
    let packed: Vec<Mixed> = (0..shape.len() + tiles.inner.len()).map(|d| mixed_extent(builder, dest, d)).collect();
    let mut high = vec![Mixed::Static(0); shape.len()];
    let mut places = vec![Expr::Const(0); shape.len()];
    for (o, &d) in tiles.outer.iter().enumerate() {
        let Some((tile, size)) = tiles.of_dim(d) else {
            places[d] = Expr::Dim(o as u32);
            continue;
        };
        let first = Expr::binary(BinOp::Mul, Expr::Dim(o as u32), Expr::Const(size));
        places[d] = Expr::binary(BinOp::Add, first, Expr::Dim((shape.len() + tile) as u32));
        if padding.is_some() {
            let extent = mixed_extent(builder, source, d);
            high[d] = beyond(builder, packed[o], size, extent)?;
        }
    }
    let padded = match padding {
        Some(padding) if high.iter().any(|&n| n != Mixed::Static(0)) => pad(builder, source, &high, padding),
        _ => source,
    };
    let map = Map { dims: packed.len() as u32, syms: 0, results: places };
    let copy = copy_along(builder, padded, map, &packed);
    let copy = with_type(builder, copy, result);
    ir.replace_uses(result, copy);
    ir.erase(op);
    Some(())
}

/// How many elements so many tiles of a size have beyond an extent; `None` where no number of elements would do.
fn beyond(builder: &mut Builder<'_>, tiles: Mixed, size: i64, extent: Mixed) -> Option<Mixed> {
    if let (Mixed::Static(tiles), Mixed::Static(extent)) = (tiles, extent) {
        return tiles.checked_mul(size)?.checked_sub(extent).filter(|&n| n >= 0).map(Mixed::Static);
    }
    let values = [tiles, extent].map(|number| number.materialize(builder));
    let whole = Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(size));
    let less = Expr::binary(BinOp::Mul, Expr::Dim(1), Expr::Const(-1));
    let results = vec![Expr::binary(BinOp::Add, whole, less)];
    Some(Mixed::Value(builder.apply(Map { dims: 2, syms: 0, results }, &values)))
}

/// A tensor with so many elements behind each dimension.
fn pad(builder: &mut Builder<'_>, source: ValueId, high: &[Mixed], padding: ValueId) -> ValueId {
    let elem = builder.ir.elem_of(source);
    // A constant stands in the body, where who reads the padded tensor in place looks for it.
    let constant = builder.ir.def_op(padding).filter(|&made| builder.ir.opcode(made) == Opcode::ArithConstant);
    let value = constant.and_then(|made| builder.ir.attr(made, "value").cloned());
    pad_by(builder, source, &vec![0; high.len()], high, |inner| {
        value.map_or(padding, |value| inner.constant(value, elem))
    })
}

pub(super) fn unpack(ir: &mut Ir, op: OpId) -> Option<()> {
    let &[source, dest, ..] = ir.operands(op) else { return None };
    let result = ir.results(op).next()?;
    let rank = ir.shape_of(dest).len();
    let tiles = Tiles::of(ir, op, rank)?;
    let builder = &mut Builder::before(ir, op);
    // Each tile behind the dimension that counts the tiles.
    let (mut order, mut groups) = (Vec::new(), Vec::new());
    for d in 0..rank {
        let first = order.len();
        order.push(tiles.outer.iter().position(|&outer| outer == d)?);
        order.extend(tiles.of_dim(d).map(|(tile, _)| rank + tile));
        groups.push((first..order.len()).map(|at| at as i64).collect::<Vec<_>>());
    }
    let sizes: Vec<Mixed> = order.iter().map(|&from| mixed_extent(builder, source, from)).collect();
    let place = |from: usize| order.iter().position(|&other| other == from).expect("each dimension has its place");
    let map = Map::of_dims(order.len(), &(0..order.len()).map(place).collect::<Vec<_>>());
    let copy = copy_along(builder, source, map, &sizes);
    let whole: Vec<i64> = groups
        .iter()
        .map(|group| {
            let known: Option<Vec<i64>> = numbers(&sizes[group[0] as usize..][..group.len()]);
            known.and_then(|known| known.into_iter().try_fold(1, i64::checked_mul)).unwrap_or(DYNAMIC)
        })
        .collect();
    let mut value = copy;
    if groups.len() < order.len() {
        let elem = builder.ir.elem_of(source);
        let ty = builder.ir.tensor_type(&whole, elem);
        let groups = groups.iter().map(|group| builder.ir.i64_array(group)).collect();
        let groups = builder.ir.intern(Attr::Array(groups));
        value = builder.value(Opcode::TensorCollapseShape, &[copy], ty, &[("reassociation", groups)]);
    }
    let to: Vec<Mixed> = (0..rank).map(|d| mixed_extent(builder, dest, d)).collect();
    if to.iter().zip(&whole).any(|(&to, &whole)| to != Mixed::Static(whole)) {
        value = builder.extract_slice(value, &vec![Mixed::Static(0); rank], &to);
    }
    let value = with_type(builder, value, result);
    ir.replace_uses(result, value);
    ir.erase(op);
    Some(())
}
