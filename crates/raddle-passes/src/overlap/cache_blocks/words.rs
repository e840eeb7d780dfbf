//! Products of integers of 8 or 16 bits and of bf16: factors packed as words of four or two elements along k, for a machine
//! that sums as many products at once.
//!
//! `raddle.byte_dot` multiplies unsigned bytes by signed ones. Where both factors are signed, the rows are packed with
//! their top bits flipped, which adds 128 to each element, and every sum begins with -128 times the sum of its column:
//! (a + 128)·b - 128·b. Sums wrap around as the program's do, so that results are exact.
//!
//! `raddle.short_dot` multiplies integers of 16 bits, to which bytes are widened where the machine has nothing for these.
//!
//! `raddle.pair_dot` takes bf16 as they are. It adds the two products one after the other in f32, and takes what is below
//! 2^-126 for 0.
//!
//! Tile registers (`tiles.rs`) have words of signed bytes or of bf16, those of a row of the one factor side by side, and
//! those of a column of the other one below each other.

use raddle_ir::views::{Contract, TileRegister};
use raddle_ir::{Builder, Ir, OpId, Opcode, Scalar, ValueId};
use raddle_target::{Dot, NativeVectors};

use crate::configure::native::ROWS_OF_TILES;

/// Bits of a word.
const WORD: u32 = 32;
/// The top bit of each byte of a word.
const TOP_BITS: i64 = 0x8080_8080;

/// A contraction of elements that are packed as words.
pub struct Words {
    /// The contraction.
    pub contract: OpId,
    /// What adds their products.
    pub dot: Dot,
    /// Whether they are multiplied in tile registers.
    pub in_tiles: bool,
    /// For rows and columns: where k is among their dimensions, and the loops of those that are in the result.
    factors: [(usize, Vec<usize>); 2],
    /// The loops of the accumulator.
    acc: Vec<usize>,
}

impl Words {
    /// Takes a contraction apart whose factors are such elements; the last dimension of `columns` and of the sums are whole
    /// registers.
    pub fn of(ir: &Ir, contract: OpId, rows: ValueId, columns: ValueId, vectors: NativeVectors) -> Option<Words> {
        let view = Contract::of(ir, contract);
        let elem = |value: ValueId| Scalar::of(&ir[ir.elem_of(value)]);
        let dot = vectors.dot_of([elem(view.lhs)?, elem(view.rhs)?, elem(view.acc)?])?;
        let of_lhs = view.maps[0].as_dims()?;
        let is_long = |d: &usize| of_lhs.iter().zip(ir.shape_of(view.lhs)).any(|(at, &extent)| at == d && extent > 1);
        let mut sums = (0..view.reduction.len()).filter(|d| view.reduction[*d] && is_long(d));
        let (Some(k), None) = (sums.next(), sums.next()) else { return None };
        let acc = view.maps[2].as_dims()?;
        let factor = |value: ValueId| {
            let dims = view.maps[usize::from(value != view.lhs)].as_dims()?;
            let at = dims.iter().position(|&d| d == k)?;
            // Other sums have one element each.
            let others: Vec<usize> = dims.into_iter().filter(|&d| !view.reduction[d]).collect();
            let words = ir.shape_of(value)[at] % dot.parts() == 0;
            // In the order of the accumulator.
            let sorted = others.is_sorted_by_key(|d| acc.iter().position(|other| other == d));
            (words && sorted && !others.is_empty()).then_some((at, others))
        };
        let whole = ir.shape_of(view.acc).last().is_some_and(|n| n % vectors.lanes == 0);
        (view.lhs != view.rhs && whole).then_some(())?;
        let factors = [factor(rows)?, factor(columns)?];
        // The columns are the last dimension of the sums, and the rows all others.
        let shape = ir.shape_of(view.acc);
        let is_apart = |(at, d): (usize, &usize)| {
            let last = at + 1 == acc.len();
            shape[at] == 1 || factors[usize::from(last)].1.contains(d) && !factors[usize::from(!last)].1.contains(d)
        };
        let of_columns = factors[1].1.iter().map(|d| shape[acc.iter().position(|other| other == d).unwrap_or(0)]);
        let is_one = of_columns.product::<i64>() == *shape.last()?;
        let words = ir.shape_of(rows)[factors[0].0] / dot.parts();
        let in_tiles = vectors.has_tiles_for(dot)
            && is_one
            && words <= TileRegister::MAX
            && shape.last()? % TileRegister::MAX == 0
            && shape.iter().product::<i64>() / shape.last()? >= ROWS_OF_TILES
            && acc.iter().enumerate().all(is_apart);
        Some(Words { contract, dot, in_tiles, factors, acc })
    }

    /// The shape of the words of a factor: those along k, then its other dimensions; of rows for tile registers the other
    /// way round.
    pub fn shape(&self, ir: &Ir, value: ValueId, which: usize) -> Vec<i64> {
        let mut shape = ir.shape_of(value).to_vec();
        let k = shape.remove(self.factors[which].0);
        let along = [k / self.dot.parts()];
        if self.has_rows_first(which) { [&shape[..], &along].concat() } else { [&along, &shape[..]].concat() }
    }

    fn has_rows_first(&self, which: usize) -> bool {
        self.in_tiles && which == 0
    }

    /// Whether elements are in their words as they are in memory, so that rows along k need no packing.
    pub fn are_plain(&self, ir: &Ir, value: ValueId) -> bool {
        (self.dot != Dot::Bytes || self.in_tiles)
            && Scalar::of(&ir[ir.elem_of(value)]).is_some_and(|elem| elem.bits() == self.dot.bits())
    }

    /// The words of a factor; bytes of rows are made unsigned.
    pub fn words(&self, builder: &mut Builder<'_>, value: ValueId, which: usize) -> ValueId {
        let value = match self.dot {
            Dot::Shorts if !self.are_plain(builder.ir, value) => {
                let short = builder.ir.int_type(self.dot.bits());
                let ty = builder.ir.vector_type(builder.ir.shape_of(value).to_vec().as_slice(), short);
                builder.value(Opcode::ArithExtsi, &[value], ty, &[])
            }
            _ => value,
        };
        let mut shape = self.shape(builder.ir, value, which);
        let rows_first = self.has_rows_first(which);
        if rows_first {
            shape.rotate_right(1);
        }
        let (rank, k) = (shape.len(), self.factors[which].0);
        let word = builder.ir.int_type(WORD);
        let words = if k + 1 == rank {
            let along = builder.ir.vector_type(&[&shape[1..], &shape[..1]].concat(), word);
            let words = builder.value(Opcode::VectorBitcast, &[value], along, &[]);
            if rows_first {
                return words;
            }
            let perm: Vec<usize> = std::iter::once(rank - 1).chain(0..rank - 1).collect();
            builder.transpose(words, &perm)
        } else {
            let perm: Vec<usize> = std::iter::once(k).chain((0..rank).filter(|&d| d != k)).collect();
            let rows = if k == 0 { value } else { builder.transpose(value, &perm) };
            let words = join(builder, rows, self.dot);
            if rows_first {
                let perm: Vec<usize> = (1..rank).chain([0]).collect();
                return builder.transpose(words, &perm);
            }
            words
        };
        if which == 1 || self.dot != Dot::Bytes {
            return words;
        }
        let ty = builder.ir.type_of(words);
        let flips = builder.int(TOP_BITS as i32 as i64, word);
        let flips = builder.broadcast(flips, ty);
        builder.binary(Opcode::ArithXori, words, flips)
    }

    /// The products of a step, added to sums.
    pub fn dots(&self, builder: &mut Builder<'_>, [rows, columns]: [ValueId; 2], mut acc: ValueId) -> ValueId {
        let ty = builder.ir.type_of(acc);
        let dot = match self.dot {
            Dot::Bytes => Opcode::RaddleByteDot,
            Dot::Shorts => Opcode::RaddleShortDot,
            Dot::Bf16 => Opcode::RaddlePairDot,
        };
        for at in 0..builder.ir.shape_of(rows)[0] {
            let [rows, columns] = [(0, rows), (1, columns)].map(|(which, words)| {
                let words = builder.extract(words, &[at]);
                self.spread(builder, words, which, acc)
            });
            acc = builder.value(dot, &[rows, columns, acc], ty, &[]);
        }
        acc
    }

    /// Repeats elements of a factor, one for each of its dimensions but k, for all elements of the accumulator.
    pub fn spread(&self, builder: &mut Builder<'_>, value: ValueId, which: usize, acc: ValueId) -> ValueId {
        let shape = builder.ir.shape_of(acc).to_vec();
        let own = &self.factors[which].1;
        let extent = |(d, &extent): (&usize, &i64)| if own.contains(d) { extent } else { 1 };
        let ranked: Vec<i64> = self.acc.iter().zip(&shape).map(extent).collect();
        let value = builder.shape_cast(value, &ranked);
        let elem = builder.ir.elem_of(value);
        let ty = builder.ir.vector_type(&shape, elem);
        if ranked == shape { value } else { builder.broadcast(value, ty) }
    }

    /// Adds 128 times the elements of columns to sums, one for each column.
    pub fn excess(&self, builder: &mut Builder<'_>, columns: ValueId, mut sums: ValueId) -> ValueId {
        let (ty, word) = (builder.ir.type_of(sums), builder.ir.int_type(WORD));
        let tops = builder.int(TOP_BITS as i32 as i64, word);
        let tops = builder.broadcast(tops, ty);
        for at in 0..builder.ir.shape_of(columns)[0] {
            let words = builder.extract(columns, &[at]);
            sums = builder.value(Opcode::RaddleByteDot, &[tops, words, sums], ty, &[]);
        }
        sums
    }
}

/// Words out of rows of elements along the first dimension: as many of them at a time, the first one lowest.
pub fn join(builder: &mut Builder<'_>, rows: ValueId, dot: Dot) -> ValueId {
    let word = builder.ir.int_type(WORD);
    let (bits, whole) = (dot.bits(), builder.ir.shape_of(rows).to_vec());
    let shape = [&[whole[0] / dot.parts()], &whole[1..]].concat();
    let elem = builder.ir.int_type(bits);
    let elems = builder.ir.vector_type(&whole, elem);
    let rows = match dot {
        Dot::Bf16 => builder.value(Opcode::ArithBitcast, &[rows], elems, &[]),
        Dot::Bytes | Dot::Shorts => rows,
    };
    let (all, row) = (builder.ir.vector_type(&shape, word), builder.ir.vector_type(&shape[1..], word));
    let mut words = builder.splat(0.0, all);
    for at in 0..shape[0] {
        let mut joined = None;
        for i in 0..dot.parts() {
            let part = builder.extract(rows, &[at * dot.parts() + i]);
            let mut part = builder.value(Opcode::ArithExtui, &[part], row, &[]);
            if i > 0 {
                let by = builder.int(i64::from(bits) * i, word);
                let by = builder.broadcast(by, row);
                part = builder.binary(Opcode::ArithShli, part, by);
            }
            joined = Some(joined.map_or(part, |joined| builder.binary(Opcode::ArithOri, joined, part)));
        }
        words = builder.insert(joined.expect("a word has elements"), words, &[at]);
    }
    words
}
