//! Layouts as linear maps over F2, with extents that are not powers of two as an outer product around them.
//!
//! Each dimension's extent is `2^a · odd`; the low `a` bits of all coordinates together are one vector, the last
//! dimension lowest. A digit of extent `2^b · odd` has `b` columns, the images of its bits. Sums of digits are xors of
//! columns as long as no two columns share a bit, since nothing carries then.

use super::{Digit, EVERY, Hardware, Kind, Layout, LayoutError};
use crate::f2::{BITS_MAX, Matrix, Solver, low_bits};
use crate::sort::sort_by_key;

/// The image of one bit of a hardware number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// The number that has the bit.
    pub hardware: Hardware,
    /// What the bit adds to the number.
    pub step: i64,
    /// What it adds to the coordinates.
    pub image: u64,
    /// What its values mean.
    pub kind: Kind,
}

/// A digit that moves coordinates in steps of their whole power of two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OddDigit {
    /// The number that has the digit.
    pub hardware: Hardware,
    /// What each step adds to the number.
    pub step: i64,
    /// How many values it has.
    pub extent: i64,
    /// How many powers of two each step moves each coordinate by.
    pub weights: Vec<i64>,
    /// What its values mean.
    pub kind: Kind,
}

/// A layout split into a linear map and the digits around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BitForm {
    /// The extents of the value.
    pub shape: Vec<i64>,
    /// The bits of each hardware number, in the order of [`Hardware`], least significant first.
    pub columns: Vec<Column>,
    /// The digits around them, in the same order.
    pub odd: Vec<OddDigit>,
}

impl BitForm {
    /// The bits of the value's coordinates.
    pub fn n_bits(&self) -> usize {
        self.shape.iter().map(|&extent| twos(extent)).sum()
    }

    /// The columns of one number.
    pub fn of(&self, hardware: Hardware) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(move |column| column.hardware == hardware)
    }
}

/// How often two divides a positive number.
pub(crate) fn twos(number: i64) -> usize {
    number.trailing_zeros() as usize
}

/// Where each dimension's bits begin in the vector of all coordinates.
pub(crate) fn bit_places(shape: &[i64]) -> Vec<usize> {
    let mut places = vec![0; shape.len()];
    let mut next = 0;
    for d in (0..shape.len()).rev() {
        places[d] = next;
        next += twos(shape[d]);
    }
    places
}

impl Layout {
    /// The bits of all coordinates that a swizzle permutes.
    pub fn n_bits(&self) -> usize {
        self.shape.iter().map(|&extent| twos(extent)).sum()
    }

    /// The low bits of a coordinate as one vector.
    pub(super) fn pack(&self, coord: &[i64]) -> u64 {
        let places = bit_places(&self.shape);
        (0..self.rank()).fold(0, |all, d| all | (coord[d] as u64 & low_bits(twos(self.shape[d]))) << places[d])
    }

    /// Puts a vector in the place of the low bits of a coordinate.
    pub(super) fn unpack(&self, vector: u64, coord: &mut [i64]) {
        let places = bit_places(&self.shape);
        for (d, coord) in coord.iter_mut().enumerate() {
            let mask = low_bits(twos(self.shape[d]));
            *coord = (*coord as u64 & !mask | vector >> places[d] & mask) as i64;
        }
    }

    /// The layout as a linear map over F2 and the digits around it.
    pub fn to_f2(&self) -> Result<BitForm, LayoutError> {
        if self.n_bits() > BITS_MAX {
            return Err(LayoutError::TooLarge);
        }
        let places = bit_places(&self.shape);
        let mut form = BitForm { shape: self.shape.clone(), columns: Vec::with_capacity(24), odd: Vec::new() };
        let mut used = 0;
        for hardware in EVERY {
            let mut step = 1;
            for (index, digit) in self.digits(hardware).iter().enumerate() {
                let bits = twos(digit.extent);
                let moves = digit.weights.iter().any(|&weight| weight != 0);
                let kind = if moves || digit.kind != Kind::Shard { digit.kind } else { Kind::Replicate };
                for bit in 0..bits {
                    let (mut image, mut outside, mut inside) = (0, false, false);
                    for (d, &weight) in digit.weights.iter().enumerate().filter(|(_, weight)| **weight != 0) {
                        let (moved, low) = (weight << bit, twos(self.shape[d]));
                        outside |= moved as u64 & !low_bits(low) != 0;
                        inside |= moved as u64 & low_bits(low) != 0;
                        image |= (moved as u64 & low_bits(low)) << places[d];
                    }
                    if outside && inside {
                        return Err(LayoutError::Odd { hardware, index });
                    }
                    if outside {
                        let weights = (0..self.rank()).map(|d| digit.weights[d] << bit >> twos(self.shape[d]));
                        let weights = weights.collect();
                        form.odd.push(OddDigit { hardware, step: step << bit, extent: 2, weights, kind });
                        continue;
                    }
                    let column = Column { hardware, step: step << bit, image, kind };
                    if image & used != 0 {
                        let other = form.columns.iter().find(|other| other.image & image != 0);
                        let first = other.map_or((hardware, 0), |other| (other.hardware, other.step));
                        return Err(LayoutError::Carry { first, second: (hardware, column.step) });
                    }
                    used |= image;
                    form.columns.push(column);
                }
                let extent = digit.extent >> bits;
                if extent > 1 {
                    let mut weights = digit.weights.clone();
                    for (d, weight) in weights.iter_mut().enumerate() {
                        let moved = *weight << bits;
                        *weight = moved >> twos(self.shape[d]);
                        if *weight << twos(self.shape[d]) != moved {
                            return Err(LayoutError::Odd { hardware, index });
                        }
                    }
                    form.odd.push(OddDigit { hardware, step: step << bits, extent, weights, kind });
                }
                step *= digit.extent;
            }
        }
        if let Some(swizzle) = &self.swizzle {
            for column in &mut form.columns {
                column.image = swizzle.apply(column.image);
            }
        }
        Ok(form)
    }

    /// The layout of a linear map and the digits around it; its digits are merged as far as they go.
    ///
    /// Where columns share bits, the columns become unit vectors and a swizzle. That needs independent columns:
    /// columns that cancel each other have no digits.
    pub fn from_f2(form: &BitForm) -> Result<Layout, LayoutError> {
        let places = bit_places(&form.shape);
        let rank = form.shape.len();
        let n = form.n_bits();
        let moving: Vec<&Column> = form.columns.iter().filter(|column| column.image != 0).collect();
        let images: Vec<u64> = moving.iter().map(|column| column.image).collect();
        let mut used = 0;
        let shares = images.iter().any(|&image| {
            let shares = image & used != 0;
            used |= image;
            shares
        });
        let (units, swizzle) = if shares {
            let solver = Solver::new(&images);
            if let Some(&choice) = solver.kernel().first() {
                let chosen = moving.iter().enumerate().filter(|(index, _)| choice >> index & 1 == 1);
                let places = chosen.map(|(_, column)| (column.hardware, column.step)).collect();
                return Err(LayoutError::Dependent { places });
            }
            let (units, swizzle) = factor(&images, n);
            (units, Some(swizzle))
        } else {
            (images, None)
        };
        let mut units = units.into_iter();
        // Digits by step; a number's digits must follow each other without gaps.
        let mut digits: [Vec<(i64, Digit)>; 4] = [const { Vec::new() }; 4];
        for column in &form.columns {
            let unit = if column.image == 0 { 0 } else { units.next().unwrap_or(0) };
            let weight = |d: usize| (unit >> places[d] & low_bits(twos(form.shape[d]))) as i64;
            let weights: Vec<i64> = (0..rank).map(weight).collect();
            let still = column.image == 0 && column.kind == Kind::Shard;
            let kind = if still { Kind::Replicate } else { column.kind };
            digits[column.hardware as usize].push((column.step, Digit { extent: 2, weights, kind }));
        }
        for odd in &form.odd {
            let weights = (0..rank).map(|d| odd.weights[d] << twos(form.shape[d])).collect();
            digits[odd.hardware as usize].push((odd.step, Digit { extent: odd.extent, weights, kind: odd.kind }));
        }
        for (hardware, digits) in EVERY.into_iter().zip(&mut digits) {
            sort_by_key(digits, |(step, _)| *step);
            let mut next = 1;
            for (index, (step, digit)) in digits.iter().enumerate() {
                if *step != next {
                    return Err(LayoutError::BadDigit { hardware, index });
                }
                next *= digit.extent;
            }
        }
        let digits = digits.map(|digits| merge(digits.into_iter().map(|(_, digit)| digit)));
        let layout = Layout::of_digits(form.shape.clone(), digits)?;
        Ok(Layout { swizzle, ..layout })
    }

    /// The layout in which bit `i` of a slot, lane, subgroup or offset moves the packed coordinates by the `i`-th
    /// vector of its list. The last dimension has the lowest bits; a zero vector is a replica.
    pub fn from_bases(shape: &[i64], bases: [&[u64]; 4]) -> Result<Layout, LayoutError> {
        if let Some(dim) = shape.iter().position(|&extent| extent < 1) {
            return Err(LayoutError::Outside { dim, coord: 0, extent: shape[dim] });
        }
        let mut form = BitForm { shape: shape.to_vec(), columns: Vec::new(), odd: Vec::new() };
        let n = form.n_bits();
        if n > BITS_MAX || bases.iter().map(|basis| basis.len()).sum::<usize>() > BITS_MAX - 2 {
            return Err(LayoutError::TooLarge);
        }
        for (hardware, basis) in EVERY.into_iter().zip(bases) {
            Matrix::new(n, basis.to_vec())?;
            for (bit, &image) in basis.iter().enumerate() {
                form.columns.push(Column { hardware, step: 1 << bit, image, kind: Kind::Shard });
            }
        }
        Layout::from_f2(&form)
    }
}

/// Merges neighbours of which the second goes on where the first one ends; drops digits of one value.
pub(super) fn merge(digits: impl IntoIterator<Item = Digit>) -> Vec<Digit> {
    let mut merged: Vec<Digit> = Vec::new();
    for mut digit in digits {
        if digit.extent == 1 {
            continue;
        }
        if digit.kind == Kind::Shard && digit.weights.iter().all(|&weight| weight == 0) {
            digit.kind = Kind::Replicate;
        }
        if let Some(last) = merged.last_mut() {
            let follows = last.weights.iter().zip(&digit.weights).all(|(a, &b)| a.checked_mul(last.extent) == Some(b));
            if follows && last.kind == digit.kind {
                last.extent *= digit.extent;
                continue;
            }
        }
        merged.push(digit);
    }
    merged
}

/// Writes independent vectors as images of distinct unit vectors under one invertible map, which leaves as many unit
/// vectors alone as it can. A vector that is a unit vector is its own image.
fn factor(images: &[u64], n: usize) -> (Vec<u64>, Matrix) {
    let mut units = vec![0u64; images.len()];
    // Reduced rows, each with the bit that is its own.
    let mut rows: Vec<(u64, u64)> = Vec::new();
    let order = (0..images.len()).filter(|&i| images[i].count_ones() == 1);
    let order = order.chain((0..images.len()).filter(|&i| images[i].count_ones() != 1));
    for index in order {
        let rest = rows.iter().fold(images[index], |rest, &(row, bit)| if rest & bit != 0 { rest ^ row } else { rest });
        let bit = rest & rest.wrapping_neg();
        assert_ne!(bit, 0, "dependent vectors are refused before");
        for (row, _) in &mut rows {
            if *row & bit != 0 {
                *row ^= rest;
            }
        }
        rows.push((rest, bit));
        units[index] = bit;
    }
    let mut columns: Vec<u64> = (0..n).map(|bit| 1 << bit).collect();
    for (&unit, &image) in units.iter().zip(images) {
        columns[unit.trailing_zeros() as usize] = image;
    }
    let swizzle = Matrix::new(n, columns);
    (units, swizzle.unwrap_or_else(|error| unreachable!("the images fit the bits: {error}")))
}
