//! CuTe layouts from and to layouts of values: `(lanes, slots)` or `(lanes, slots, subgroups)` to element numbers.

use super::{Cute, CuteError, Mode, Swizzle};
use crate::f2::Matrix;
use crate::layout::LayoutError;
use crate::{Digit, Hardware, Kind, Layout};

/// How the elements of a value are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The last dimension is fastest.
    RowMajor,
    /// The first dimension is fastest: CuTe's own order.
    ColumnMajor,
}

impl Order {
    fn strides(self, shape: &[i64]) -> Vec<i64> {
        let mut strides = vec![1; shape.len()];
        match self {
            Order::RowMajor => (1..shape.len()).rev().for_each(|d| strides[d - 1] = strides[d] * shape[d]),
            Order::ColumnMajor => (1..shape.len()).for_each(|d| strides[d] = strides[d - 1] * shape[d - 1]),
        }
        strides
    }
}

impl Cute {
    /// The layout as `(lanes, slots)` to element numbers, with a third mode where there are several subgroups. A
    /// layout of memory becomes one mode of offsets.
    ///
    /// Replicas have stride 0. Empty places and parts of sums have no spelling, nor have swizzles that are not one
    /// `Swizzle`.
    pub fn from_layout(layout: &Layout, order: Order) -> Result<Cute, CuteError> {
        let strides = order.strides(layout.shape());
        let mode = |hardware: Hardware| {
            let digits = layout.digits(hardware).iter().enumerate();
            let modes = digits.filter(|(_, digit)| digit.extent > 1).map(|(index, digit)| match digit.kind {
                Kind::Shard | Kind::Replicate => {
                    let stride = digit.weights.iter().zip(&strides).map(|(weight, stride)| weight * stride).sum();
                    Ok((digit.extent, stride))
                }
                kind @ (Kind::Unused | Kind::Partial) => {
                    Err(CuteError::Unspeakable(LayoutError::Unspeakable { hardware, index, kind }))
                }
            });
            Ok::<Mode, CuteError>(Mode::of(&modes.collect::<Result<Vec<_>, _>>()?))
        };
        let mode = if layout.count(Hardware::Offset) > 1 {
            mode(Hardware::Offset)?
        } else {
            let mut modes = vec![mode(Hardware::Lane)?, mode(Hardware::Slot)?];
            if layout.count(Hardware::Subgroup) > 1 {
                modes.push(mode(Hardware::Subgroup)?);
            }
            Mode::Tuple(modes)
        };
        let cute = Cute::new(mode)?;
        let Some(swizzle) = layout.swizzle() else { return Ok(cute) };
        // Bits in the order of element numbers.
        let flat = match order {
            Order::RowMajor => layout.clone(),
            Order::ColumnMajor => layout.permute(&(0..layout.rank()).rev().collect::<Vec<_>>()),
        };
        if layout.shape().iter().any(|extent| extent.count_ones() != 1) {
            return Err(CuteError::Unspeakable(LayoutError::Swizzled));
        }
        let swizzle = recognise(flat.swizzle().unwrap_or(swizzle));
        cute.with_swizzle(swizzle.ok_or(CuteError::Unspeakable(LayoutError::Swizzled))?, 0)
    }

    /// The layout of a value of this shape from its CuTe spelling `(lanes, slots)` or `(lanes, slots, subgroups)`.
    pub fn to_layout(&self, shape: &[i64], order: Order) -> Result<Layout, CuteError> {
        let modes = self.modes();
        if !(2..=3).contains(&modes.len()) {
            return Err(CuteError::Rank { modes: modes.len(), tiles: 2 });
        }
        let mut digits: [Vec<Digit>; 4] = [const { Vec::new() }; 4];
        for (hardware, mode) in [Hardware::Lane, Hardware::Slot, Hardware::Subgroup].into_iter().zip(modes) {
            digits[hardware as usize] = self.digits(&mode, shape)?;
        }
        self.finish(shape, order, digits)
    }

    /// The layout of memory of a value of this shape: the numbers of this layout are offsets.
    pub fn to_memory(&self, shape: &[i64], order: Order) -> Result<Layout, CuteError> {
        let digits = self.digits(&self.mode, shape)?;
        self.finish(shape, order, [vec![], vec![], vec![], digits])
    }

    /// Digits over the elements' numbers.
    fn digits(&self, mode: &Mode, shape: &[i64]) -> Result<Vec<Digit>, CuteError> {
        let total: i64 = shape.iter().try_fold(1i64, |n, &extent| n.checked_mul(extent)).ok_or(CuteError::TooLarge)?;
        let mut flat = Vec::new();
        mode.flatten(&mut flat);
        let digit = |(extent, stride): (i64, i64)| match stride {
            0 => Ok(Digit::still(extent, 1, Kind::Replicate)),
            ..0 => Err(CuteError::Uneven { stride, unit: 1 }),
            _ if stride * (extent - 1) >= total => Err(CuteError::Unspeakable(LayoutError::Outside {
                dim: 0,
                coord: stride * (extent - 1),
                extent: total,
            })),
            _ => Ok(Digit::shard(extent, 1, 0, stride)),
        };
        flat.into_iter().filter(|mode| mode.0 > 1).map(digit).collect()
    }

    fn finish(&self, shape: &[i64], order: Order, digits: [Vec<Digit>; 4]) -> Result<Layout, CuteError> {
        let total = shape.iter().product();
        let mut flat = Layout::of_digits(vec![total], digits).map_err(CuteError::Unspeakable)?;
        if self.offset != 0 {
            return Err(CuteError::Swizzled);
        }
        if let Some(swizzle) = self.swizzle {
            let n = flat.n_bits();
            let columns = (0..n).map(|bit| swizzle.apply(1 << bit) as u64).collect();
            let matrix = Matrix::new(n, columns).map_err(|error| CuteError::Unspeakable(error.into()))?;
            flat = flat.with_swizzle(&matrix).map_err(CuteError::Unspeakable)?;
        }
        match order {
            Order::RowMajor => flat.reshape(shape).map_err(CuteError::Unspeakable),
            Order::ColumnMajor => {
                let reversed: Vec<i64> = shape.iter().rev().copied().collect();
                let back: Vec<usize> = (0..shape.len()).rev().collect();
                Ok(flat.reshape(&reversed).map_err(CuteError::Unspeakable)?.permute(&back))
            }
        }
    }
}

/// The swizzle that a map is, where it is one.
fn recognise(map: &Matrix) -> Option<Swizzle> {
    let moved: Vec<(i32, i32)> = map
        .columns()
        .iter()
        .enumerate()
        .filter(|(bit, column)| **column != 1 << bit)
        .map(|(bit, column)| (bit as i32, (column ^ 1 << bit).trailing_zeros() as i32))
        .collect();
    let &(source, target) = moved.first()?;
    let shift = source - target;
    let base = if shift > 0 { target } else { source };
    let swizzle = Swizzle { bits: moved.len() as u32, base: base as u32, shift };
    let fits = swizzle.bits <= shift.unsigned_abs() && swizzle.bits + swizzle.base + shift.unsigned_abs() <= 62;
    let same = |(bit, &column): (usize, &u64)| swizzle.apply(1 << bit) as u64 == column;
    (fits && map.columns().iter().enumerate().all(same)).then_some(swizzle)
}
