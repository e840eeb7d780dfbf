//! Short channels: where an image has few channels, which lie last, those of the places of a window in one row lie behind
//! one another, and the two loops over them are one.
//!
//! Before: `%r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x229x229x3xi8>, tensor<7x7x3x64xi8>) …`, stride 2, which
//!         sums `%x[n, h * 2 + i, w * 2 + j, c] * %w[i, j, c, f]` over `i`, `j` and `c`
//! After:  `%x` as `tensor<1x229x687xi8>` and `%w` as `tensor<7x21x64xi8>`; the sum over `i` and `k` of
//!         `%x[n, h * 2 + i, w * 6 + k] * %w[i, k, f]`
//!
//! A GPU's matrix instructions sum along such a loop, and its threads read more than an element at once. A CPU that sums
//! products by words makes them along it: of integers, and of bf16 for tile registers. Padding of the image moves in front
//! of its new shape.
//!
//! Does not touch extents that only the run knows, and windows whose places stand apart.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{Attr, Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, Scalar, ValueId, ValueMap};
use raddle_target::Dot;

use super::spread_images::grouped;
use crate::facts::Facts;
use crate::structured::body;
use crate::structured::generalize::{generic, make_generic};
use crate::structured::moves::{numbers, pad, padding, padding_constant};

/// A window whose places in a row, and channels, are two loops.
struct Window {
    /// The loop of places, and that of channels.
    loops: [usize; 2],
    channels: i64,
    /// The dimension of the filter that places lie along; channels lie along the next one.
    filter: usize,
}

/// Bytes that a thread of a GPU reads at once, at most.
const ACCESS: i64 = 16;

/// Joins the loops of windows with fewer channels than a vector has elements, or an access of a GPU.
pub(super) fn join(ir: &mut Ir, func: OpId, facts: &Facts) {
    for op in ir.walk(func) {
        if let Some(window) = Window::of(ir, op, facts) {
            window.write(ir, op);
        }
    }
}

impl Window {
    fn of(ir: &Ir, op: OpId, facts: &Facts) -> Option<Window> {
        let linalg = Linalg::try_of(ir, op)?;
        let [image, filter] = linalg.inputs[..] else { return None };
        let [of_image, of_filter, of_result] = &linalg.maps[..] else { return None };
        let is_tensor = |&value: &ValueId| ir.ty(value).is_tensor() && !ir.shape_of(value).contains(&DYNAMIC);
        if !body::is_contraction(ir, op) || ![image, filter].iter().all(is_tensor) || ir.results(op).len() != 1 {
            return None;
        }
        let types = [image, filter, linalg.outputs[0]].map(|value| Scalar::of(&ir[ir.elem_of(value)]));
        let few = match facts.chip.native {
            None => ACCESS / types[0]?.bytes() as i64,
            Some(vectors) => {
                let dot = vectors.dot_of([types[0]?, types[1]?, types[2]?])?;
                (dot != Dot::Bf16 || vectors.tiles).then_some(vectors.lanes)?
            }
        };
        let (in_filter, in_result) = (of_filter.as_dims()?, of_result.as_dims()?);
        let [.., row, Expr::Dim(channel)] = &of_image.results[..] else { return None };
        let channel = *channel as usize;
        let (place, _) = place_in_row(row, &in_result)?;
        let extents = linalg.extents(ir);
        let filter = in_filter.windows(2).position(|pair| pair == [place, channel])?;
        let named = |d: usize| of_image.results.iter().filter(|expr| expr.names(&|other| other == d)).count();
        let alone = [place, channel].iter().all(|&d| {
            named(d) == 1 && in_filter.iter().filter(|&&other| other == d).count() == 1 && linalg.reduction[d]
        });
        let (places, channels) = (extents[place], extents[channel]);
        (alone && places > 1 && (2..few).contains(&channels)).then_some(Window {
            loops: [place, channel],
            channels,
            filter,
        })
    }

    fn write(&self, ir: &mut Ir, op: OpId) {
        let op = make_generic(ir, op).unwrap_or(op);
        let linalg = Linalg::of(ir, op);
        let ([place, channel], channels) = (self.loops, self.channels);
        let old = ir.result(op, 0);
        let in_result = linalg.maps[2].as_dims().expect("a window was found");
        let builder = &mut Builder::before(ir, op);
        let image = joined_image(builder, linalg.inputs[0], channels);
        let filter = joined(builder, linalg.inputs[1], self.filter);
        // The loop of places goes on through the channels of each, and the other one is left out.
        let loops: Vec<Expr> =
            (0..linalg.reduction.len()).map(|d| Expr::Dim((d - usize::from(d > channel)) as u32)).collect();
        let renumbered = |map: &Map, results: Vec<Expr>| Map {
            dims: map.dims - 1,
            syms: map.syms,
            results: results.into_iter().map(|expr| expr.replaced(&loops, &[]).simplified()).collect(),
        };
        let of_image = &linalg.maps[0];
        let last = of_image.results.len() - 2;
        let (_, step) = place_in_row(&of_image.results[last], &in_result).expect("a window was found");
        let row = step.map(|(d, by)| Expr::binary(BinOp::Mul, Expr::Dim(d as u32), Expr::Const(by * channels)));
        let row = row.into_iter().fold(Expr::Dim(place as u32), |sum, row| Expr::binary(BinOp::Add, row, sum));
        let mut of_filter = linalg.maps[1].results.clone();
        of_filter.remove(self.filter + 1);
        let maps = vec![
            renumbered(of_image, [&of_image.results[..last], &[row]].concat()),
            renumbered(&linalg.maps[1], of_filter),
            renumbered(&linalg.maps[2], linalg.maps[2].results.clone()),
        ];
        let mut reduction = linalg.reduction.clone();
        reduction.remove(channel);
        let new = Linalg { inputs: vec![image, filter], outputs: linalg.outputs.clone(), maps, reduction };
        let product = generic(builder, &new, &[]);
        builder.copy_regions(op, product, &mut ValueMap::default());
        let product = builder.ir.result(product, 0);
        ir.replace_uses(old, product);
        ir.erase(op);
    }
}

/// The loop of a window's places in a place of a row, and the loop of results along it with its stride, if there is one.
fn place_in_row(row: &Expr, in_result: &[usize]) -> Option<(usize, Option<(usize, i64)>)> {
    let of_result = |expr: &Expr| {
        let (d, by) = match expr {
            Expr::Dim(d) => (*d as usize, 1),
            Expr::Mul(a, b) => match (&**a, &**b) {
                (Expr::Dim(d), Expr::Const(by)) | (Expr::Const(by), Expr::Dim(d)) => (*d as usize, *by),
                _ => return None,
            },
            _ => return None,
        };
        (in_result.contains(&d) && by > 0).then_some((d, by))
    };
    let of_window = |expr: &Expr| match expr {
        Expr::Dim(d) if !in_result.contains(&(*d as usize)) => Some(*d as usize),
        _ => None,
    };
    match row {
        Expr::Add(a, b) => match (of_window(a), of_result(b), of_window(b), of_result(a)) {
            (Some(place), Some(result), ..) | (_, _, Some(place), Some(result)) => Some((place, Some(result))),
            _ => None,
        },
        expr => Some((of_window(expr)?, None)),
    }
}

/// An image with its last two dimensions as one; its padding is one of the image in this shape.
fn joined_image(builder: &mut Builder<'_>, image: ValueId, channels: i64) -> ValueId {
    let rank = builder.ir.shape_of(image).len();
    let around = builder.ir.def_op(image).and_then(|op| padded(builder.ir, op));
    let Some((inside, [mut low, mut high], constant)) = around else { return joined(builder, image, rank - 2) };
    let inside = joined(builder, inside, rank - 2);
    for list in [&mut low, &mut high] {
        list.pop();
        list[rank - 2] *= channels;
    }
    let elem = builder.ir.elem_of(inside);
    pad(builder, inside, &low, &high, |builder| builder.constant(constant, elem))
}

/// What a padding by a constant pads, known numbers of elements, if none of them are channels.
fn padded(ir: &Ir, op: OpId) -> Option<(ValueId, [Vec<i64>; 2], Attr)> {
    let constant = ir[padding_constant(ir, op)?].clone();
    let [low, high]: [Vec<Mixed>; 2] = padding(ir, op);
    let (low, high) = (numbers(&low)?, numbers(&high)?);
    let inside = ir.operand(op, 0);
    let are_known = !ir.shape_of(inside).contains(&DYNAMIC) && low.last() == Some(&0) && high.last() == Some(&0);
    are_known.then_some((inside, [low, high], constant))
}

/// A tensor with a dimension and the next one as one.
fn joined(builder: &mut Builder<'_>, value: ValueId, at: usize) -> ValueId {
    let mut shape = builder.ir.shape_of(value).to_vec();
    let mut groups = vec![1; shape.len() - 1];
    groups[at] = 2;
    let next = shape.remove(at + 1);
    shape[at] *= next;
    grouped(builder, Opcode::TensorCollapseShape, value, &shape, &groups)
}
