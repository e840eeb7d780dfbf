//! `iree_linalg_ext.winograd.*_transform` and `linalg.winograd_*_transform`: each tile times a matrix on both sides, as two
//! products. An image that tiles of the first leave is padded with zeros; the second has a matrix of one element on a side
//! along which the filter has one, and adds the result to what is there.
//!
//! Covers tiles of 6 x 6 points and filters of 3 x 3 of the first, as the matrices are for these, and static shapes.

use raddle_ir::affine::BinOp;
use raddle_ir::views::Linalg;
use raddle_ir::{Attr, Builder, DYNAMIC, Expr, Ir, Map, OpId, Opcode, Scalar, TypeId, ValueId};

use super::loops::{Part, rounded, structured, with_type};
use crate::structured::fill;
use crate::structured::generalize::{body_of, generic};
use crate::structured::moves::pad_with_zeros;

/// Points on each side of a tile of the output, of the filter, and of a tile of the input.
const OUTPUT: i64 = 6;
const KERNEL: i64 = 3;
const TILE: i64 = OUTPUT + KERNEL - 1;

/// Where the polynomials behind the transforms are evaluated; one more point is at infinity.
const POINTS: [f64; 7] = [0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5];

/// What is multiplied from both sides.
type Matrix = Vec<Vec<f64>>;

/// The powers of each point, up to a degree, and at infinity the highest alone.
fn powers(degree: usize) -> Matrix {
    let row = |x: &f64| (0..=degree).map(|n| x.powi(n as i32)).collect();
    let infinity = (0..=degree).map(|n| f64::from(n == degree)).collect();
    POINTS.iter().map(row).chain([infinity]).collect()
}

/// The coefficients of a polynomial that is zero at these points.
fn vanishing(points: &[f64]) -> Vec<f64> {
    points.iter().fold(vec![1.0], |poly, &x| {
        let mut product = vec![0.0; poly.len() + 1];
        for (n, c) in poly.iter().enumerate() {
            product[n + 1] += c;
            product[n] -= c * x;
        }
        product
    })
}

/// What a tile of an image is multiplied by: a row for each point, which vanishes at all others.
fn image() -> Matrix {
    // The polynomial of the first point is scaled to begin with one, and those of the others to end with one.
    let others = |i: usize| POINTS.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, &x)| x).collect::<Vec<f64>>();
    let mut rows: Matrix = (0..POINTS.len())
        .map(|i| {
            let mut row = vanishing(&others(i));
            let scale = if i == 0 { row[0] } else { 1.0 };
            row.iter_mut().for_each(|c| *c /= scale);
            row.push(0.0);
            row
        })
        .collect();
    rows.push(vanishing(&POINTS));
    rows
}

/// What a filter is multiplied by: the powers of each point, over what the image's row is there.
fn filter() -> Matrix {
    let mut rows = powers(2);
    for ((row, &x), image) in rows.iter_mut().zip(&POINTS).zip(image()) {
        let value: f64 = image.iter().enumerate().map(|(n, c)| c * x.powi(n as i32)).sum();
        row.iter_mut().for_each(|c| *c /= value);
    }
    rows
}

/// What a tile of products is multiplied by.
fn output() -> Matrix {
    let powers = powers(OUTPUT as usize - 1);
    (0..OUTPUT as usize).map(|n| powers.iter().map(|row| row[n]).collect()).collect()
}

pub(super) fn winograd(ir: &mut Ir, op: OpId) -> Option<()> {
    let &[input, out] = ir.operands(op) else { return None };
    let result = ir.results(op).next()?;
    let int = |name: &str| ir.attr(op, name).and_then(Attr::as_i64);
    let known = |value: ValueId| !ir.shape_of(value).contains(&DYNAMIC);
    if (int("output_tile_size"), int("kernel_size")) != (Some(OUTPUT), Some(KERNEL)) || !known(input) || !known(out) {
        return None;
    }
    let ints = |name: &str| ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default();
    let front = [ints("image_dimensions"), ints("kernel_dimensions")].contains(&vec![2, 3]);
    let tile = ir.shape_of(input).len() == 2;
    let opcode = ir.opcode(op);
    let builder = &mut Builder::before(ir, op);
    let value = match opcode {
        Opcode::IreeLinalgExtWinogradInputTransform => of_image(builder, input, out, front && !tile),
        Opcode::IreeLinalgExtWinogradFilterTransform => of_filter(builder, input, front && !tile),
        _ => of_products(builder, input, out, front && !tile),
    };
    let value = with_type(builder, value, result);
    ir.replace_uses(result, value);
    ir.erase(op);
    Some(())
}

/// Loops are 0 and 1 for the points of a result, 2 to 5 for what is beside them, 6 and 7 for the points that are summed.
fn dim(d: u32) -> Expr {
    Expr::Dim(d)
}

/// The first point of a tile of so many points, and a point from there.
fn place(tile: u32, points: i64, point: u32) -> Expr {
    Expr::binary(BinOp::Add, Expr::binary(BinOp::Mul, dim(tile), Expr::Const(points)), dim(point))
}

fn of_image(builder: &mut Builder<'_>, image_: ValueId, out: ValueId, front: bool) -> ValueId {
    let mut to = builder.ir.shape_of(out).to_vec();
    let (needed, read) = if builder.ir.shape_of(image_).len() == 2 {
        (vec![TILE, TILE], vec![dim(6), dim(7)])
    } else {
        let [rows, columns] = [3, 4].map(|d| to[d] * OUTPUT + KERNEL - 1);
        let (row, column) = (place(3, OUTPUT, 6), place(4, OUTPUT, 7));
        if front {
            (vec![to[2], to[5], rows, columns], vec![dim(2), dim(5), row, column])
        } else {
            (vec![to[2], rows, columns, to[5]], vec![dim(2), row, column, dim(5)])
        }
    };
    let padded = pad(builder, image_, &needed);
    let rest: Vec<usize> = (2..to.len()).collect();
    to.truncate(2);
    let beside = builder.ir.shape_of(out)[2..].to_vec();
    let half = multiplied(
        builder,
        &image(),
        [0, 6],
        padded,
        read,
        &[&[0, 7], &rest[..]].concat(),
        &[&[TILE, TILE], &beside[..]].concat(),
    );
    columns(builder, &image(), &half, &[&[0, 1], &rest[..]].concat(), &[&to[..], &beside].concat())
}

fn of_filter(builder: &mut Builder<'_>, weights: ValueId, front: bool) -> ValueId {
    let shape = builder.ir.shape_of(weights).to_vec();
    let (read, beside) = match shape.len() {
        2 => (vec![dim(6), dim(7)], Vec::new()),
        _ if front => (vec![dim(3), dim(2), dim(6), dim(7)], vec![shape[1], shape[0]]),
        _ => (vec![dim(6), dim(7), dim(2), dim(3)], vec![shape[2], shape[3]]),
    };
    let rest: Vec<usize> = (2..2 + beside.len()).collect();
    let half = multiplied(
        builder,
        &filter(),
        [0, 6],
        weights,
        read,
        &[&[0, 7], &rest[..]].concat(),
        &[&[TILE, KERNEL], &beside[..]].concat(),
    );
    columns(builder, &filter(), &half, &[&[0, 1], &rest[..]].concat(), &[&[TILE, TILE], &beside[..]].concat())
}

fn of_products(builder: &mut Builder<'_>, products: ValueId, out: ValueId, front: bool) -> ValueId {
    let shape = builder.ir.shape_of(products).to_vec();
    let beside = shape[2..].to_vec();
    let rest: Vec<usize> = (2..shape.len()).collect();
    let read = [&[6, 7], &rest[..]].concat().into_iter().map(|d| dim(d as u32)).collect();
    let half = multiplied(
        builder,
        &output(),
        [0, 6],
        products,
        read,
        &[&[0, 7], &rest[..]].concat(),
        &[&[OUTPUT, TILE], &beside[..]].concat(),
    );
    if rest.is_empty() {
        return columns(builder, &output(), &half, &[0, 1], &[OUTPUT, OUTPUT]);
    }
    // Rows of tiles beside the rows of a tile, so that both become those of the image.
    let (order, groups): (_, [&[usize]; 4]) = if front {
        ([2, 5, 3, 0, 4, 1], [&[0], &[1], &[2, 3], &[4, 5]])
    } else {
        ([2, 3, 0, 4, 1, 5], [&[0], &[1, 2], &[3, 4], &[5]])
    };
    let extent = |d: usize| if d < 2 { OUTPUT } else { shape[d] };
    let tiles = columns(builder, &output(), &half, &order, &order.map(extent));
    let groups = groups.map(|group| builder.ir.i64_array(&group.iter().map(|&d| d as i64).collect::<Vec<_>>()));
    let groups = builder.ir.intern(Attr::Array(groups.to_vec()));
    let ty = builder.ir.type_of(out);
    builder.value(Opcode::TensorCollapseShape, &[tiles], ty, &[("reassociation", groups)])
}

/// The matrices of one of upstream's convolutions: of filters, images and products, and what the products are multiplied by
/// on each side that they are transformed on.
struct Family {
    /// Points of a tile of the output, and of the filter, along one side.
    sizes: (i64, i64),
    /// Rows, each over one number.
    filter: &'static [(&'static [i32], i32)],
    image: &'static [(&'static [i32], i32)],
    output: &'static [(&'static [i32], i32)],
    scale: f64,
}

/// By the number of `fmr` (MLIR, `WinogradConv2D.cpp`).
const FAMILIES: [Family; 3] = [
    Family {
        sizes: (2, 3),
        filter: &[(&[-1, 0, 0], 1), (&[1, -1, 1], 2), (&[1, 1, 1], 2), (&[0, 0, 1], 1)],
        image: &[(&[-1, 0, 1, 0], 1), (&[0, -1, 1, 0], 1), (&[0, 1, 1, 0], 1), (&[0, -1, 0, 1], 1)],
        output: &[(&[1, 1, 1, 0], 1), (&[0, -1, 1, 1], 1)],
        scale: 1.0,
    },
    Family {
        sizes: (4, 3),
        filter: &[
            (&[1, 0, 0], 1),
            (&[-1, 1, -1], 3),
            (&[-1, -1, -1], 3),
            (&[1, -2, 4], 12),
            (&[1, 2, 4], 12),
            (&[0, 0, 1], 1),
        ],
        image: &[
            (&[4, 0, -5, 0, 1, 0], 16),
            (&[0, 4, -4, -1, 1, 0], 16),
            (&[0, -4, -4, 1, 1, 0], 16),
            (&[0, 4, -2, -4, 2, 0], 16),
            (&[0, -4, -2, 4, 2, 0], 16),
            (&[0, 4, 0, -5, 0, 1], 16),
        ],
        output: &[
            (&[1, 2, 2, 1, 1, 0], 8),
            (&[0, -1, 1, -1, 1, 0], 4),
            (&[0, 1, 1, 2, 2, 0], 4),
            (&[0, -1, 1, -4, 4, 2], 4),
        ],
        scale: 32.0,
    },
    Family {
        sizes: (2, 5),
        filter: &[
            (&[1, 0, 0, 0, 0], 1),
            (&[1, -1, 1, -1, 1], 6),
            (&[-1, -1, -1, -1, -1], 6),
            (&[-16, 8, -4, 2, -1], 60),
            (&[1, 2, 4, 8, 16], 60),
            (&[0, 0, 0, 0, 1], 1),
        ],
        image: &[
            (&[2, 3, -4, -3, 2, 0], 16),
            (&[0, 2, 1, -5, 2, 0], 16),
            (&[0, -2, -5, -1, 2, 0], 16),
            (&[0, 2, -1, -2, 1, 0], 8),
            (&[0, -1, -2, 1, 2, 0], 8),
            (&[0, 2, 3, -4, -3, 2], 16),
        ],
        output: &[(&[1, 2, 2, 4, 2, 0], 2), (&[0, -2, 2, -2, 4, 1], 2)],
        scale: 16.0,
    },
];

impl Family {
    /// What one side is multiplied by: one, where it has one point.
    fn side(rows: &[(&[i32], i32)], points: i64) -> Matrix {
        let row = |&(row, over): &(&[i32], i32)| row.iter().map(|&n| f64::from(n) / f64::from(over)).collect();
        if points == 1 { vec![vec![1.0]] } else { rows.iter().map(row).collect() }
    }
}

/// `linalg.winograd_*_transform`. Loops 2 to 5 are the dimensions of the result that are not points of tiles, in order,
/// or those of the products.
pub(super) fn linalg(ir: &mut Ir, op: OpId) -> Option<()> {
    let &[input, out] = ir.operands(op) else { return None };
    let result = ir.results(op).next()?;
    let fmr = ir.attr(op, "fmr").and_then(Attr::as_i64).and_then(|fmr| usize::try_from(fmr).ok())?;
    let family = FAMILIES.get(fmr)?;
    let (from, to) = (ir.shape_of(input).to_vec(), ir.shape_of(out).to_vec());
    // Products are multiplied by 1024 at most, which no float of 8 bits is.
    let is_wide = Scalar::of(&ir[ir.elem_of(out)]).is_some_and(|elem| elem.bits() >= 16);
    if from.contains(&DYNAMIC) || to.contains(&DYNAMIC) || !is_wide {
        return None;
    }
    let opcode = ir.opcode(op);
    let builder = &mut Builder::before(ir, op);
    let value = match opcode {
        Opcode::LinalgWinogradFilterTransform => {
            let sides = [to[0], to[1]].map(|points| Family::side(family.filter, points));
            on_sides(builder, &sides, input, vec![dim(3), dim(6), dim(7), dim(2)], &to[2..], &[0, 1, 2, 3])
        }
        Opcode::LinalgWinogradInputTransform => {
            let sides = [to[0], to[1]].map(|points| Family::side(family.image, points));
            let step = |points: i64| if points == 1 { 1 } else { family.sizes.0 };
            let read = vec![dim(4), place(2, step(to[0]), 6), place(3, step(to[1]), 7), dim(5)];
            on_sides(builder, &sides, input, read, &to[2..], &[0, 1, 2, 3, 4, 5])
        }
        _ => {
            let sides = [from[0], from[1]].map(|points| Family::side(family.output, points));
            let read = [6, 7, 2, 3, 4, 5].map(dim).to_vec();
            let tiles = on_sides(builder, &sides, input, read, &from[2..], &[4, 2, 0, 3, 1, 5]);
            let groups: [&[i64]; 4] = [&[0], &[1, 2], &[3, 4], &[5]];
            let groups = groups.map(|group| builder.ir.i64_array(group));
            let groups = builder.ir.intern(Attr::Array(groups.to_vec()));
            let ty = builder.ir.type_of(out);
            let image = builder.value(Opcode::TensorCollapseShape, &[tiles], ty, &[("reassociation", groups)]);
            let scale: f64 = sides.iter().filter(|side| side[0].len() > 1).map(|_| family.scale).product();
            let image = Part::whole(builder.ir, image);
            structured(builder, &[&image], Part::whole(builder.ir, out), |body, args| {
                let elem = body.ir.type_of(args[0]);
                let scale = body.splat(scale, elem);
                let scaled = body.binary(Opcode::ArithMulf, scale, args[0]);
                body.binary(Opcode::ArithAddf, scaled, args[1])
            })
            .value
        }
    };
    let value = with_type(builder, value, result);
    ir.replace_uses(result, value);
    ir.erase(op);
    Some(())
}

/// A matrix times a tile times another one transposed, along the loops that are asked for; `beside` are the extents from
/// loop 2 on.
fn on_sides(
    builder: &mut Builder<'_>,
    sides: &[Matrix; 2],
    tile: ValueId,
    read: Vec<Expr>,
    beside: &[i64],
    dims: &[usize],
) -> ValueId {
    let [rows, columns_] = sides;
    let rest: Vec<usize> = (2..2 + beside.len()).collect();
    let shape = [&[rows.len() as i64, columns_[0].len() as i64], beside].concat();
    let half = multiplied(builder, rows, [0, 6], tile, read, &[&[0, 7], &rest[..]].concat(), &shape);
    let extent = |&d: &usize| match d {
        0 => rows.len() as i64,
        1 => columns_.len() as i64,
        _ => beside[d - 2],
    };
    columns(builder, columns_, &half, dims, &dims.iter().map(extent).collect::<Vec<_>>())
}

/// The second product: along the columns of what the first one has made of the rows.
fn columns(builder: &mut Builder<'_>, matrix: &[Vec<f64>], half: &Part, dims: &[usize], shape: &[i64]) -> ValueId {
    let read = half.dims.iter().map(|&d| dim(d as u32)).collect();
    multiplied(builder, matrix, [1, 7], half.value, read, dims, shape).value
}

/// A matrix with these two loops times a tensor, into a new tensor with these loops.
fn multiplied(
    builder: &mut Builder<'_>,
    matrix: &[Vec<f64>],
    loops: [u32; 2],
    tensor: ValueId,
    read: Vec<Expr>,
    dims: &[usize],
    shape: &[i64],
) -> Part {
    let elem = builder.ir.elem_of(tensor);
    let matrix = constant(builder, matrix, elem);
    let ty = builder.ir.tensor_type(shape, elem);
    let zero = builder.splat(0.0, elem);
    let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
    let out = fill(builder, zero, empty);
    // Only the loops that there are have numbers, from 0 on.
    let mut used: Vec<usize> = dims.to_vec();
    used.push(loops[1] as usize);
    used.sort_unstable();
    let number = |d: u32| used.iter().position(|&other| other == d as usize).map_or(d, |at| at as u32);
    let map = |exprs: Vec<Expr>| Map {
        dims: used.len() as u32,
        syms: 0,
        results: exprs.into_iter().map(|expr| renumbered(expr, &number)).collect(),
    };
    let written = dims.iter().map(|&d| dim(d as u32)).collect();
    let maps = vec![map(loops.map(dim).to_vec()), map(read), map(written)];
    let reduction = used.iter().map(|d| !dims.contains(d)).collect();
    let linalg = Linalg { inputs: vec![matrix, tensor], outputs: vec![out], maps, reduction };
    let op = generic(builder, &linalg, &[]);
    body_of(builder, op, &[elem; 3], |body, args| {
        let product = body.binary(Opcode::ArithMulf, args[0], args[1]);
        vec![body.binary(Opcode::ArithAddf, args[2], product)]
    });
    Part { value: builder.ir.result(op, 0), dims: dims.to_vec() }
}

fn renumbered(expr: Expr, number: &dyn Fn(u32) -> u32) -> Expr {
    let both = |op: BinOp, a: Expr, b: Expr| Expr::binary(op, renumbered(a, number), renumbered(b, number));
    match expr {
        Expr::Dim(d) => Expr::Dim(number(d)),
        Expr::Add(a, b) => both(BinOp::Add, *a, *b),
        Expr::Mul(a, b) => both(BinOp::Mul, *a, *b),
        other => other,
    }
}

/// A matrix whose numbers are rounded to a type.
fn constant(builder: &mut Builder<'_>, matrix: &[Vec<f64>], elem: TypeId) -> ValueId {
    let shape = [matrix.len() as i64, matrix[0].len() as i64];
    let ty = builder.ir.tensor_type(&shape, elem);
    let bytes = matrix.iter().flatten().flat_map(|&x| builder.ir.elem_bytes(&rounded(builder.ir, x, elem))).collect();
    builder.constant(Attr::Dense { ty, splat: false, bytes }, ty)
}

/// A tensor with zeros behind its end, up to a shape.
fn pad(builder: &mut Builder<'_>, value: ValueId, shape: &[i64]) -> ValueId {
    let high: Vec<i64> = shape.iter().zip(builder.ir.shape_of(value)).map(|(to, from)| to - from).collect();
    pad_with_zeros(builder, value, &vec![0; high.len()], &high)
}

#[cfg(test)]
mod tests {
    use super::{FAMILIES, Family, KERNEL, OUTPUT, TILE, filter, image, output};

    /// The transforms of a line are its convolution, also in upstream's families.
    #[test]
    fn upstream_matrices_are_of_one_family() {
        let (line, weights) = ([3.0, -1.0, 4.0, 1.0, -5.0, 9.0], [2.0, -7.0, 1.0, 3.0, -4.0]);
        let times = |row: &[f64], of: &[f64]| row.iter().zip(of).map(|(a, b)| a * b).sum::<f64>();
        for family in FAMILIES {
            let (m, r) = (family.sizes.0 as usize, family.sizes.1 as usize);
            let [filter, image, output] =
                [family.filter, family.image, family.output].map(|rows| Family::side(rows, 2));
            assert_eq!([filter.len(), image.len(), output.len()], [m + r - 1, m + r - 1, m]);
            let products: Vec<f64> = image
                .iter()
                .zip(filter)
                .map(|(image, filter)| times(image, &line) * times(&filter, &weights[..r]))
                .collect();
            for (at, row) in output.iter().enumerate() {
                let expected = times(&line[at..at + r], &weights);
                let found = family.scale * times(row, &products);
                assert!((found - expected).abs() < 1e-9, "F({m}, {r}) at {at}");
            }
        }
    }

    /// The transforms of a line are its convolution.
    #[test]
    fn matrices_are_of_one_family() {
        let (line, weights) = ([3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0, -6.0], [2.0, -7.0, 1.0]);
        let times = |row: &[f64], of: &[f64]| row.iter().zip(of).map(|(a, b)| a * b).sum::<f64>();
        let products: Vec<f64> = image()
            .iter()
            .zip(filter())
            .map(|(image, filter)| times(image, &line) * times(&filter, &weights))
            .collect();
        assert_eq!(products.len(), TILE as usize);
        for (at, row) in output().iter().enumerate() {
            let expected = times(&line[at..at + KERNEL as usize], &weights);
            assert!((times(row, &products) - expected).abs() < 1e-9, "{at}");
        }
        assert_eq!(output().len(), OUTPUT as usize);
    }
}
