//! Decode transforms of signals: a stage of a Fourier transform, and what Winograd's convolutions do to images, filters
//! and products.
//!
//! A stage of a Fourier transform combines pairs of elements, half a block apart: `u + w t` and `u - w t`. Winograd's
//! transforms multiply each tile by a matrix on both sides; beyond the end of an image there are zeros.

use std::f64::consts::PI;

use raddle_ir::{Diag, OpId, Opcode, ValueId};

use super::Decoder;
use super::attention::Value;
use super::tables::{linear, table};
use crate::inst::{Combine, Float2, Inst, Known};
use crate::launch::Mode;
use crate::regs::{Bank, Reg, row_major};
use crate::round::Round;
use crate::tensor::n_elements;

/// Points on each side of a tile of the output, and of the filter.
const TILE: (i64, i64) = (6, 3);

/// What a tile of the image is multiplied by.
const IMAGE: [[f64; 8]; 8] = [
    [1.0, 0.0, -5.25, 0.0, 5.25, 0.0, -1.0, 0.0],
    [0.0, 1.0, 1.0, -4.25, -4.25, 1.0, 1.0, 0.0],
    [0.0, -1.0, 1.0, 4.25, -4.25, -1.0, 1.0, 0.0],
    [0.0, 0.5, 0.25, -2.5, -1.25, 2.0, 1.0, 0.0],
    [0.0, -0.5, 0.25, 2.5, -1.25, -2.0, 1.0, 0.0],
    [0.0, 2.0, 4.0, -2.5, -5.0, 0.5, 1.0, 0.0],
    [0.0, -2.0, 4.0, 2.5, -5.0, -0.5, 1.0, 0.0],
    [0.0, -1.0, 0.0, 5.25, 0.0, -5.25, 0.0, 1.0],
];

/// What a filter is multiplied by.
const FILTER: [[f64; 3]; 8] = [
    [1.0, 0.0, 0.0],
    [-2.0 / 9.0, -2.0 / 9.0, -2.0 / 9.0],
    [-2.0 / 9.0, 2.0 / 9.0, -2.0 / 9.0],
    [1.0 / 90.0, 1.0 / 45.0, 2.0 / 45.0],
    [1.0 / 90.0, -1.0 / 45.0, 2.0 / 45.0],
    [32.0 / 45.0, 16.0 / 45.0, 8.0 / 45.0],
    [32.0 / 45.0, -16.0 / 45.0, 8.0 / 45.0],
    [0.0, 0.0, 1.0],
];

/// What a tile of products is multiplied by.
const OUTPUT: [[f64; 8]; 6] = [
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0],
    [0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 0.0],
    [0.0, 1.0, 1.0, 4.0, 4.0, 0.25, 0.25, 0.0],
    [0.0, 1.0, -1.0, 8.0, -8.0, 0.125, -0.125, 0.0],
    [0.0, 1.0, 1.0, 16.0, 16.0, 0.0625, 0.0625, 0.0],
    [0.0, 1.0, -1.0, 32.0, -32.0, 0.03125, -0.03125, 1.0],
];

/// The matrices of one of upstream's Winograd convolutions, row by row: of filters, images and products, and what the
/// products are multiplied by on each side that they are transformed on.
struct Family {
    /// Points of a tile of the output, and of the filter, along one side.
    sizes: (i64, i64),
    filter: &'static [f64],
    image: &'static [f64],
    output: &'static [f64],
    scale: f64,
}

/// By the number of `fmr` (upstream's `WinogradConv2D.cpp`).
const FAMILIES: [Family; 3] = [
    Family {
        sizes: (2, 3),
        filter: &[-1.0, 0.0, 0.0, 0.5, -0.5, 0.5, 0.5, 0.5, 0.5, 0.0, 0.0, 1.0],
        image: &[-1.0, 0.0, 1.0, 0.0, 0.0, -1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, -1.0, 0.0, 1.0],
        output: &[1.0, 1.0, 1.0, 0.0, 0.0, -1.0, 1.0, 1.0],
        scale: 1.0,
    },
    Family {
        sizes: (4, 3),
        filter: &[
            1.0,
            0.0,
            0.0, //
            -1.0 / 3.0,
            1.0 / 3.0,
            -1.0 / 3.0, //
            -1.0 / 3.0,
            -1.0 / 3.0,
            -1.0 / 3.0, //
            1.0 / 12.0,
            -1.0 / 6.0,
            1.0 / 3.0, //
            1.0 / 12.0,
            1.0 / 6.0,
            1.0 / 3.0, //
            0.0,
            0.0,
            1.0,
        ],
        image: &[
            0.25, 0.0, -0.3125, 0.0, 0.0625, 0.0, //
            0.0, 0.25, -0.25, -0.0625, 0.0625, 0.0, //
            0.0, -0.25, -0.25, 0.0625, 0.0625, 0.0, //
            0.0, 0.25, -0.125, -0.25, 0.125, 0.0, //
            0.0, -0.25, -0.125, 0.25, 0.125, 0.0, //
            0.0, 0.25, 0.0, -0.3125, 0.0, 0.0625,
        ],
        output: &[
            0.125, 0.25, 0.25, 0.125, 0.125, 0.0, //
            0.0, -0.25, 0.25, -0.25, 0.25, 0.0, //
            0.0, 0.25, 0.25, 0.5, 0.5, 0.0, //
            0.0, -0.25, 0.25, -1.0, 1.0, 0.5,
        ],
        scale: 32.0,
    },
    Family {
        sizes: (2, 5),
        filter: &[
            1.0,
            0.0,
            0.0,
            0.0,
            0.0, //
            1.0 / 6.0,
            -1.0 / 6.0,
            1.0 / 6.0,
            -1.0 / 6.0,
            1.0 / 6.0, //
            -1.0 / 6.0,
            -1.0 / 6.0,
            -1.0 / 6.0,
            -1.0 / 6.0,
            -1.0 / 6.0, //
            -4.0 / 15.0,
            2.0 / 15.0,
            -1.0 / 15.0,
            1.0 / 30.0,
            -1.0 / 60.0, //
            1.0 / 60.0,
            1.0 / 30.0,
            1.0 / 15.0,
            2.0 / 15.0,
            4.0 / 15.0, //
            0.0,
            0.0,
            0.0,
            0.0,
            1.0,
        ],
        image: &[
            0.125, 0.1875, -0.25, -0.1875, 0.125, 0.0, //
            0.0, 0.125, 0.0625, -0.3125, 0.125, 0.0, //
            0.0, -0.125, -0.3125, -0.0625, 0.125, 0.0, //
            0.0, 0.25, -0.125, -0.25, 0.125, 0.0, //
            0.0, -0.125, -0.25, 0.125, 0.25, 0.0, //
            0.0, 0.125, 0.1875, -0.25, -0.1875, 0.125,
        ],
        output: &[0.5, 1.0, 1.0, 2.0, 1.0, 0.0, 0.0, -1.0, 1.0, -1.0, 2.0, 0.5],
        scale: 16.0,
    },
];

impl Decoder<'_> {
    pub(super) fn transform(&mut self, op: OpId) -> Result<(), Diag> {
        self.only_in(Mode::Simd)?;
        match self.ir.opcode(op) {
            Opcode::IreeLinalgExtFft => self.fft(op),
            Opcode::IreeLinalgExtWinogradInputTransform => self.winograd_image(op),
            Opcode::IreeLinalgExtWinogradFilterTransform => self.winograd_filter(op),
            Opcode::IreeLinalgExtWinogradOutputTransform => self.winograd_output(op),
            Opcode::LinalgWinogradFilterTransform
            | Opcode::LinalgWinogradInputTransform
            | Opcode::LinalgWinogradOutputTransform => self.winograd(op),
            _ => Err(self.unknown(op)),
        }
    }

    /// `iree_linalg_ext.fft`: stage `s` combines elements in blocks of `2^s` along the last dimension.
    fn fft(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let first = |name: &str| ir.group(op, name).first().copied();
        let (Some(stage), Some(real), Some(imag)) = (first("stage"), first("real"), first("imag")) else {
            return Err(self.unknown(op));
        };
        let Some(stage) = ir.const_int(stage).filter(|stage| (1..32).contains(stage)) else {
            return Err(
                self.error("the stage of a Fourier transform is a positive number known at compile time".into())
            );
        };
        let shape = ir.shape_of(real).to_vec();
        let (block, half) = (1i64 << stage, 1i64 << (stage - 1));
        if shape.last().is_none_or(|&n| n % block != 0) || ir.shape_of(imag) != shape {
            return Err(self.error(format!("blocks of {block} do not fill the last dimension")));
        }
        let round = Round::of(self.elem(real)?, self.precision);
        let (real, imag) = (self.reg(real)?, self.reg(imag)?);
        let n = n_elements(&shape);
        self.reserve(n.saturating_mul(16))?;
        let along = |at: usize| at as i64 % block;
        let upper: Box<[u32]> = (0..n).map(|at| (at as i64 - along(at) + along(at) % half) as u32).collect();
        let lower: Box<[u32]> = upper.iter().map(|&at| at + half as u32).collect();
        let number: Box<[u32]> = (0..n).map(|at| (along(at) % half) as u32).collect();
        let turn =
            |f: fn(f64) -> f64| Known::Floats((0..half).map(|j| f(-2.0 * PI * j as f64 / block as f64)).collect());
        let (cos, sin) = match (first("real_coeff"), first("imag_coeff")) {
            (Some(cos), Some(sin)) => (self.reg(cos)?, self.reg(sin)?),
            _ => (
                self.known(real.bank, half as u32, turn(f64::cos))?,
                self.known(real.bank, half as u32, turn(f64::sin))?,
            ),
        };
        if [cos.len(), sin.len()].iter().any(|&len| (len as i64) < half)
            || [imag, cos, sin].iter().any(|r| r.bank != real.bank)
        {
            return Err(self.error("there is a coefficient for each element of half a block".into()));
        }
        let sign = (0..n).map(|at| if along(at) < half { 1.0 } else { -1.0 }).collect();
        let sign = self.known(real.bank, n as u32, Known::Floats(sign))?;
        let picked = |this: &mut Self, src: Reg, places: &[u32]| -> Result<Reg, Diag> {
            let dst = this.fresh(src.bank, n as u32, this.block)?;
            this.gather(dst, src, places.into())?;
            Ok(dst)
        };
        let both = |this: &mut Self, op: Float2, a: Reg, b: Reg| -> Result<Reg, Diag> {
            let dst = this.fresh(a.bank, a.n, this.block)?;
            this.pairwise(Combine::Float(op, round), dst, a, b)?;
            Ok(dst)
        };
        let (w_re, w_im) = (picked(self, cos, &number)?, picked(self, sin, &number)?);
        let (t_re, t_im) = (picked(self, real, &lower)?, picked(self, imag, &lower)?);
        let mut results = Vec::new();
        for (whole, parts, combine) in
            [(real, [[w_re, t_re], [w_im, t_im]], Float2::Sub), (imag, [[w_re, t_im], [w_im, t_re]], Float2::Add)]
        {
            let [a, b] = parts;
            let (a, b) = (both(self, Float2::Mul, a[0], a[1])?, both(self, Float2::Mul, b[0], b[1])?);
            let product = both(self, combine, a, b)?;
            let product = both(self, Float2::Mul, product, sign)?;
            let upper = picked(self, whole, &upper)?;
            results.push(both(self, Float2::Add, upper, product)?);
        }
        self.values.extend(ir.results(op).zip(results));
        Ok(())
    }

    /// The only sizes that the matrices are for.
    fn check_tile(&self, op: OpId) -> Result<(), Diag> {
        let int = |name: &str| self.ir.attr(op, name).and_then(|attr| attr.as_i64());
        if (int("output_tile_size"), int("kernel_size")) == (Some(TILE.0), Some(TILE.1)) {
            return Ok(());
        }
        let (tile, kernel) = TILE;
        Err(self.error(format!("the emulator knows Winograd's matrices for tiles of {tile} and filters of {kernel}")))
    }

    /// Where an image has the dimensions N, H, W and C; `None` for one tile, which has H and W alone.
    fn image_order(&self, op: OpId, image: ValueId, dims: &str) -> Option<[usize; 4]> {
        let dims = self.ir.attr_id(op, dims).and_then(|attr| self.ir.ints(attr)).unwrap_or_default();
        (self.ir.shape_of(image).len() == 4).then_some(if dims == [2, 3] { [0, 2, 3, 1] } else { [0, 1, 2, 3] })
    }

    /// `matrix * tile * transposed matrix` over the loops 0 and 1, where the tile has the loops 6 and 7.
    fn on_both_sides<const N: usize>(
        &mut self,
        op: OpId,
        matrix: &[[f64; N]],
        tile: &Value,
        extents: &[i64],
    ) -> Result<Reg, Diag> {
        let numbers: Vec<f64> = matrix.iter().flatten().copied().collect();
        self.on_each_side(op, [&numbers, &numbers], tile, extents)
    }

    /// The same with a matrix for each side.
    fn on_each_side(&mut self, op: OpId, matrices: [&[f64]; 2], tile: &Value, extents: &[i64]) -> Result<Reg, Diag> {
        let elem = self.elem(self.ir.operand(op, 0))?;
        let round = Round::of(elem, self.precision);
        let mut sides = Vec::new();
        for (numbers, dims) in matrices.into_iter().zip([[0, 6], [1, 7]]) {
            let known = self.known(tile.reg.bank, numbers.len() as u32, Known::Floats(numbers.into()))?;
            let reg = self.as_bank(known, tile.reg.bank, round)?;
            sides.push(Value { reg, dims: dims.to_vec() });
        }
        let half = self.sum_of_products(&sides[0], tile, &[0, 7, 2, 3, 4, 5], extents, elem)?;
        Ok(self.sum_of_products(&sides[1], &half, &[0, 1, 2, 3, 4, 5], extents, elem)?.reg)
    }

    /// `linalg.winograd_…_transform`: a side along which the filter has one element stays as it is. Loops 2 to 5 are those
    /// of the result, or of the products, that are not points of a tile.
    fn winograd(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        let family = ir.attr(op, "fmr").and_then(|attr| attr.as_i64()).and_then(|fmr| usize::try_from(fmr).ok());
        let Some(family) = family.and_then(|fmr| FAMILIES.get(fmr)) else { return Err(self.unknown(op)) };
        let (m, r) = family.sizes;
        let alpha = m + r - 1;
        let (input, out, result) = (ir.operand(op, 0), ir.operand(op, 1), ir.result(op, 0));
        let (from, to) = (ir.shape_of(input).to_vec(), ir.shape_of(result).to_vec());
        let src = self.reg(input)?;
        // Points of a side of the result, and of what is multiplied.
        let side = |points: i64, rows: i64, columns: i64, matrix: &'static [f64]| match points {
            1 => (&[1.0][..], 1, 1),
            _ => (matrix, rows, columns),
        };
        let (sides, beside, tile) = match ir.opcode(op) {
            Opcode::LinalgWinogradFilterTransform => {
                let sides = [to[0], to[1]].map(|points| side(points, alpha, r, family.filter));
                (sides, vec![to[2], to[3], 1, 1], Value { reg: src, dims: vec![3, 6, 7, 2, 4, 5] })
            }
            Opcode::LinalgWinogradInputTransform => {
                let sides = [to[0], to[1]].map(|points| side(points, alpha, alpha, family.image));
                let steps = [to[0], to[1]].map(|points| if points == 1 { 1 } else { m });
                let strides = row_major(&from);
                let shape = [sides[0].2, sides[1].2, to[2], to[3], to[4], to[5]];
                self.reserve(n_elements(&shape).saturating_mul(4))?;
                let places = table(&shape, |at| {
                    let [a, b, h, w, n, c] = *at else { unreachable!("the shape has six dimensions") };
                    linear(&strides, &[n, h * steps[0] + a, w * steps[1] + b, c])
                });
                let reg = self.fresh(src.bank, places.len() as u32, self.block)?;
                self.gather(reg, src, places)?;
                (sides, to[2..].to_vec(), Value { reg, dims: vec![6, 7, 2, 3, 4, 5] })
            }
            _ => {
                let sides = [from[0], from[1]].map(|points| side(points, m, alpha, family.output));
                (sides, from[2..].to_vec(), Value { reg: src, dims: vec![6, 7, 2, 3, 4, 5] })
            }
        };
        let [rows, columns] = sides;
        let extents = [&[rows.1, columns.1], &beside[..], &[rows.2, columns.2]].concat();
        let reg = self.on_each_side(op, [rows.0, columns.0], &tile, &extents)?;
        if ir.opcode(op) != Opcode::LinalgWinogradOutputTransform {
            self.values.insert(result, reg);
            return Ok(());
        }
        let strides = row_major(&extents[..6]);
        let places = table(&to, |at| {
            let [n, row, column, f] = *at else { unreachable!("the verifier has seen four dimensions") };
            let (h, w) = (extents[0], extents[1]);
            linear(&strides, &[row % h, column % w, row / h, column / w, n, f])
        });
        let elem = self.elem(input)?;
        let round = Round::of(elem, self.precision);
        let scale = sides.iter().filter(|side| side.2 > 1).map(|_| family.scale).product();
        let tiles = self.fresh(reg.bank, places.len() as u32, self.block)?;
        self.gather(tiles, reg, places)?;
        let scale = self.known(reg.bank, tiles.n, Known::Floats(vec![scale; tiles.n as usize]))?;
        let scaled = self.fresh(reg.bank, tiles.n, self.block)?;
        self.pairwise(Combine::Float(Float2::Mul, round), scaled, scale, tiles)?;
        let (there, dst) = (self.reg(out)?, self.define(result)?);
        if (dst.bank, dst.len()) != (reg.bank, scaled.len()) || there.bank != reg.bank {
            return Err(self.error(format!("the types of `{}` do not fit together", self.name())));
        }
        self.pairwise(Combine::Float(Float2::Add, round), dst, scaled, there)
    }

    fn winograd_image(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.check_tile(op)?;
        let (image, result) = (ir.operand(op, 0), ir.result(op, 0));
        let (from, strides) = (ir.shape_of(image).to_vec(), row_major(ir.shape_of(image)));
        let order = self.image_order(op, image, "image_dimensions");
        let mut extents = ir.shape_of(result).to_vec();
        extents.resize(6, 1);
        extents.extend([8, 8]);
        // Behind the image stands a zero.
        let src = self.reg(image)?;
        let zero = self.known(src.bank, 1, Known::Float(0.0))?;
        let all = self.fresh(src.bank, src.n.saturating_add(1), self.block)?;
        self.emit_cost(Inst::Collect { dst: all, parts: [src, zero].into() }, u64::from(all.n))?;
        let dims = [6, 7, 2, 3, 4, 5];
        let shape = dims.map(|d: usize| extents[d]);
        self.reserve(n_elements(&shape).saturating_mul(4))?;
        let places = table(&shape, |at| {
            let [a, b, n, h, w, c] = *at else { unreachable!("the shape has six dimensions") };
            let (row, column) = (h * TILE.0 + a, w * TILE.0 + b);
            let place = match order {
                None => vec![row, column],
                Some(order) => {
                    let mut place = vec![0; 4];
                    order.into_iter().zip([n, row, column, c]).for_each(|(d, at)| place[d] = at);
                    place
                }
            };
            let inside = place.iter().zip(&from).all(|(at, extent)| at < extent);
            if inside { linear(&strides, &place) } else { i64::from(src.n) }
        });
        let tile = self.fresh(src.bank, places.len() as u32, self.block)?;
        self.gather(tile, all, places)?;
        let tile = Value { reg: tile, dims: dims.to_vec() };
        let reg = self.on_both_sides(op, &IMAGE, &tile, &extents)?;
        self.values.insert(result, reg);
        Ok(())
    }

    fn winograd_filter(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.check_tile(op)?;
        let (filter, result) = (ir.operand(op, 0), ir.result(op, 0));
        let to = ir.shape_of(result);
        let (inputs, outputs) = (to.get(2).copied().unwrap_or(1), to.get(3).copied().unwrap_or(1));
        let extents = [8, 8, inputs, outputs, 1, 1, TILE.1, TILE.1];
        let dims = ir.attr_id(op, "kernel_dimensions").and_then(|attr| ir.ints(attr)).unwrap_or_default();
        let dims = if dims == [2, 3] { vec![3, 2, 6, 7, 4, 5] } else { vec![6, 7, 2, 3, 4, 5] };
        let tile = Value { reg: self.reg(filter)?, dims };
        let reg = self.on_both_sides(op, &FILTER, &tile, &extents)?;
        self.values.insert(result, reg);
        Ok(())
    }

    fn winograd_output(&mut self, op: OpId) -> Result<(), Diag> {
        let ir = self.ir;
        self.check_tile(op)?;
        let (tiles, result) = (ir.operand(op, 0), ir.result(op, 0));
        let mut extents = vec![TILE.0, TILE.0];
        extents.extend(&ir.shape_of(tiles)[2..]);
        extents.resize(6, 1);
        extents.extend([8, 8]);
        let tile = Value { reg: self.reg(tiles)?, dims: vec![6, 7, 2, 3, 4, 5] };
        let reg = self.on_both_sides(op, &OUTPUT, &tile, &extents)?;
        let strides = row_major(&extents[..6]);
        let order = self.image_order(op, result, "image_dimensions");
        let places = table(ir.shape_of(result), |at| {
            let [n, row, column, c] = match order {
                None => [0, at[0], at[1], 0],
                Some(order) => order.map(|d| at[d]),
            };
            linear(&strides, &[row % TILE.0, column % TILE.0, n, row / TILE.0, column / TILE.0, c])
        });
        let dst = self.define(result)?;
        if (dst.bank, dst.len()) != (reg.bank, places.len()) || dst.bank == Bank::View {
            return Err(self.error(format!("the types of `{}` do not fit together", self.name())));
        }
        self.gather(dst, reg, places)
    }
}
