//! Operations on layouts: each returns a layout, or an error with a witness.
//!
//! Products, projections and compositions work on digits, so that any extents work. What has a swizzle goes through
//! its linear map over F2. Compositions are reshapes: a layout whose value is reshaped so that each digit of the outer
//! layout is a dimension only needs its weights replaced.

use super::bits::{bit_places, merge, twos};
use super::{BitForm, Column, Digit, EVERY, Hardware, Kind, Layout, LayoutError, OddDigit, Place};
use crate::f2::{F2Error, Matrix, Solver, combine, low_bits};
use crate::sort::sort_by_key;

/// Functions with more places than this are not compared place by place.
const POINTS_MAX: i64 = 1 << 24;

impl Layout {
    /// The layout of the transposed value: dimension `i` of the result is dimension `perm[i]` of this one.
    pub fn permute(&self, perm: &[usize]) -> Layout {
        let pick = |list: &[i64]| perm.iter().map(|&d| list[d]).collect::<Vec<i64>>();
        let digits = self.digits.clone().map(|digits| {
            let permuted = |digit: Digit| Digit { weights: pick(&digit.weights), ..digit };
            digits.into_iter().map(permuted).collect()
        });
        let shape = pick(&self.shape);
        let swizzle = self.swizzle.as_ref().map(|swizzle| {
            // Bit `from[i]` of the old vector is bit i of the new one.
            let (old, new) = (bit_places(&self.shape), bit_places(&shape));
            let mut from = vec![0; self.n_bits()];
            for (d, &source) in perm.iter().enumerate() {
                for bit in 0..twos(shape[d]) {
                    from[new[d] + bit] = old[source] + bit;
                }
            }
            let columns = from.iter().map(|&column| {
                let image = swizzle.columns()[column];
                (0..from.len()).fold(0, |all, row| all | (image >> from[row] & 1) << row)
            });
            Matrix::new(from.len(), columns.collect()).unwrap_or_else(|error| unreachable!("as many bits: {error}"))
        });
        Layout { shape, digits, swizzle }
    }

    /// The same function in its one canonical form: digits merged as far as they go, a swizzle only where digits do
    /// not do, and then the one that moves the fewest unit vectors.
    pub fn canonical(&self) -> Layout {
        if let Ok(layout) = self.to_f2().and_then(|form| Layout::from_f2(&form)) {
            return layout;
        }
        let digits = self.digits.clone().map(merge);
        Layout { shape: self.shape.clone(), digits, swizzle: self.swizzle.clone() }
    }

    /// Whether every place holds the same in both layouts, and holds it as the same kind of copy.
    ///
    /// `None` where the layouts mix swizzles with odd digits and have too many places to look at.
    pub fn same_function(&self, other: &Layout) -> Option<bool> {
        let (ours, theirs) = (self.canonical(), other.canonical());
        if ours == theirs {
            return Some(true);
        }
        let counts = |layout: &Layout| EVERY.map(|hardware| layout.count(hardware));
        if self.shape != other.shape || counts(self) != counts(other) {
            return Some(false);
        }
        let decided = |layout: &Layout| layout.swizzle.is_none() || layout.to_f2().is_ok();
        if decided(&ours) && decided(&theirs) {
            return Some(false);
        }
        let kinds = |layout: &Layout| {
            let still = |digits: &Vec<Digit>| -> Vec<(i64, i64, Kind)> {
                let mut step = 1;
                let steps = digits.iter().map(|digit| {
                    step *= digit.extent;
                    (step / digit.extent, digit.extent, digit.kind)
                });
                steps.filter(|row| row.2 != Kind::Shard).collect()
            };
            layout.digits.iter().map(still).collect::<Vec<_>>()
        };
        if kinds(&ours) != kinds(&theirs) {
            return Some(false);
        }
        let [slots, lanes, subgroups, offsets] = counts(self);
        let places = slots * lanes * subgroups * offsets;
        (places <= POINTS_MAX).then(|| {
            (0..places).all(|place| {
                let (slot, lane) = (place % slots, place / slots % lanes);
                let numbers = [slot, lane, place / slots / lanes % subgroups, place / slots / lanes / subgroups];
                self.at(numbers) == other.at(numbers)
            })
        })
    }

    /// This layout repeated by another one: the value becomes a grid of this one's values, and `outer` tells which
    /// places hold which of them. This layout has the fast digits of each number and the low part of each coordinate.
    pub fn product(&self, outer: &Layout) -> Result<Layout, LayoutError> {
        self.same_rank(outer)?;
        let times = |(a, b): (&i64, &i64)| a.checked_mul(*b).ok_or(LayoutError::TooLarge);
        let shape = self.shape.iter().zip(&outer.shape).map(times).collect::<Result<Vec<_>, _>>()?;
        let mut digits = self.digits.clone();
        for hardware in EVERY {
            for digit in outer.digits(hardware) {
                let weights = digit.weights.iter().zip(&self.shape).map(times).collect::<Result<_, _>>()?;
                digits[hardware as usize].push(Digit { weights, ..digit.clone() });
            }
        }
        let layout = Layout::of_digits(shape, digits)?;
        if self.swizzle.is_none() && outer.swizzle.is_none() {
            return Ok(layout);
        }
        // The outer swizzle's bits lie above ours only where our extents are powers of two.
        let splits = self.shape.iter().any(|&extent| extent >> twos(extent) != 1);
        if outer.swizzle.is_some() && splits {
            return Err(LayoutError::Swizzled);
        }
        let places = bit_places(&layout.shape);
        let n = layout.n_bits();
        let mut columns: Vec<u64> = (0..n).map(|bit| 1 << bit).collect();
        let above: Vec<usize> = (0..self.rank()).map(|d| places[d] + twos(self.shape[d])).collect();
        for (part, base) in [(self, &places), (outer, &above)] {
            let Some(swizzle) = &part.swizzle else { continue };
            let inside = bit_places(&part.shape);
            let place_of: Vec<usize> = (0..part.n_bits())
                .map(|bit| {
                    let held = |d: &usize| (inside[*d]..inside[*d] + twos(part.shape[*d])).contains(&bit);
                    (0..part.rank()).find(held).map_or(0, |d| base[d] + bit - inside[d])
                })
                .collect();
            for (bit, &image) in swizzle.columns().iter().enumerate() {
                let spread = place_of.iter().enumerate().map(|(row, &place)| (image >> row & 1) << place);
                columns[place_of[bit]] = spread.fold(0, |all, bit| all | bit);
            }
        }
        layout.with_swizzle(&Matrix::new(n, columns)?)
    }

    /// What `tile` must be repeated by to give this layout: the `outer` with `tile.product(outer)` equal to this.
    pub fn divide(&self, tile: &Layout) -> Result<Layout, LayoutError> {
        self.same_rank(tile)?;
        let divides = self.shape.iter().zip(&tile.shape).all(|(a, b)| a % b == 0);
        if !divides {
            return Err(LayoutError::Sizes { first: self.shape.clone(), second: tile.shape.clone() });
        }
        let shape: Vec<i64> = self.shape.iter().zip(&tile.shape).map(|(a, b)| a / b).collect();
        let quotient = if self.swizzle.is_none() && tile.swizzle.is_none() {
            let mut digits: [Vec<Digit>; 4] = [const { Vec::new() }; 4];
            for hardware in EVERY {
                digits[hardware as usize] = self.strip(tile, hardware)?;
            }
            Layout::of_digits(shape, digits)?
        } else {
            self.divide_f2(tile, shape)?
        };
        // The swizzle of a product may be the tile's, the quotient's, or neither's.
        if tile.product(&quotient)?.same_function(self) != Some(true) {
            return Err(LayoutError::NoTile { place: (Hardware::Slot, 0) });
        }
        Ok(quotient)
    }

    /// The digits of one number that are left when the tile's are taken from the fast end.
    fn strip(&self, tile: &Layout, hardware: Hardware) -> Result<Vec<Digit>, LayoutError> {
        let mut wanted = merge(tile.digits(hardware).iter().cloned()).into_iter();
        let mut have = merge(self.digits(hardware).iter().cloned()).into_iter();
        let (mut want, mut rest, mut step) = (wanted.next(), have.next(), 1);
        let split = |digit: &Digit, by: i64| {
            let weights = digit.weights.iter().map(|weight| weight * by).collect();
            Some(Digit { extent: digit.extent / by, weights, ..digit.clone() }).filter(|digit| digit.extent > 1)
        };
        while let Some(tile) = &want {
            let fault = LayoutError::NoTile { place: (hardware, step) };
            let Some(ours) = &rest else { return Err(fault) };
            let common = tile.extent.min(ours.extent);
            if tile.weights != ours.weights
                || tile.kind != ours.kind
                || tile.extent % common != 0
                || ours.extent % common != 0
            {
                return Err(fault);
            }
            step *= common;
            (want, rest) = (split(tile, common).or_else(|| wanted.next()), split(ours, common).or_else(|| have.next()));
        }
        let left = rest.into_iter().chain(have).map(|digit| {
            let weights = digit.weights.iter().zip(&tile.shape).map(|(weight, extent)| {
                if weight % extent == 0 {
                    Ok(weight / extent)
                } else {
                    Err(LayoutError::NoTile { place: (hardware, step) })
                }
            });
            Ok(Digit { weights: weights.collect::<Result<_, _>>()?, ..digit })
        });
        left.collect()
    }

    fn divide_f2(&self, tile: &Layout, shape: Vec<i64>) -> Result<Layout, LayoutError> {
        let (whole, part) = (self.to_f2()?, tile.to_f2()?);
        if tile.shape.iter().any(|&extent| extent >> twos(extent) != 1) {
            return Err(LayoutError::Swizzled);
        }
        let (from, to) = (bit_places(&self.shape), bit_places(&shape));
        let mut form = BitForm { shape, columns: Vec::new(), odd: Vec::new() };
        for hardware in EVERY {
            let taken = part.of(hardware).count();
            for column in whole.of(hardware).skip(taken) {
                let mut image = 0;
                for d in 0..self.rank() {
                    let bits = column.image >> from[d] & low_bits(twos(self.shape[d]));
                    let low = twos(tile.shape[d]);
                    if bits & low_bits(low) != 0 {
                        return Err(LayoutError::NoTile { place: (hardware, column.step) });
                    }
                    image |= bits >> low << to[d];
                }
                form.columns.push(Column { step: column.step >> taken, image, ..*column });
            }
            let odd = whole.odd.iter().filter(|odd| odd.hardware == hardware);
            form.odd.extend(odd.map(|odd| OddDigit { step: odd.step >> taken, ..odd.clone() }));
        }
        Layout::from_f2(&form)
    }

    /// The layout without the dimensions that `dropped` marks, for a value that does not vary along them: the places
    /// along them become replicas.
    pub fn project(&self, dropped: &[bool]) -> Result<Layout, LayoutError> {
        self.drop_dims(dropped, Kind::Replicate)
    }

    /// The layout without the dimensions that `dropped` marks while their sum is not finished: the places along them
    /// hold parts of it.
    pub fn partial(&self, dropped: &[bool]) -> Result<Layout, LayoutError> {
        self.drop_dims(dropped, Kind::Partial)
    }

    /// The layout of a value whose dimension `i` is dimension `map[i]` of this one, or a unit dimension for `None`.
    /// The places along dimensions that are not named become replicas.
    pub fn apply(&self, map: &[Option<usize>]) -> Result<Layout, LayoutError> {
        let named: Vec<usize> = map.iter().copied().flatten().collect();
        let mut kept = named.clone();
        kept.sort_unstable();
        kept.dedup();
        assert_eq!(kept.len(), named.len(), "each dimension at most once");
        let dropped: Vec<bool> = (0..self.rank()).map(|d| !kept.contains(&d)).collect();
        let order: Vec<usize> = named.iter().filter_map(|d| kept.binary_search(d).ok()).collect();
        let mut layout = self.project(&dropped)?.permute(&order);
        for (at, _) in map.iter().enumerate().filter(|(_, dim)| dim.is_none()) {
            layout.shape.insert(at, 1);
            layout.digits.iter_mut().flatten().for_each(|digit| digit.weights.insert(at, 0));
        }
        Ok(layout)
    }

    /// The layout of the value repeated along a unit dimension: every place holds all repetitions, in further slots.
    pub fn broadcast(&self, dim: usize, extent: i64) -> Result<Layout, LayoutError> {
        let mut shape = vec![1; self.rank()];
        shape[dim] = extent;
        let slots = vec![Digit::shard(extent, self.rank(), dim, 1)];
        self.product(&Layout::new(shape, slots, vec![], vec![])?)
    }

    /// The layout of a slice across one dimension, replicated along it.
    pub fn slice(&self, dim: usize) -> Result<Layout, LayoutError> {
        self.project(&(0..self.rank()).map(|d| d == dim).collect::<Vec<_>>())
    }

    fn drop_dims(&self, dropped: &[bool], kind: Kind) -> Result<Layout, LayoutError> {
        assert_eq!(dropped.len(), self.rank(), "one mark for each dimension");
        let kept: Vec<usize> = (0..self.rank()).filter(|&d| !dropped[d]).collect();
        let shape: Vec<i64> = kept.iter().map(|&d| self.shape[d]).collect();
        let pick = |weights: &[i64]| kept.iter().map(|&d| weights[d]).collect::<Vec<i64>>();
        let still = |old: Kind, moves: bool| if old == Kind::Shard && !moves { kind } else { old };
        if self.swizzle.is_some() {
            let form = self.to_f2()?;
            let (from, to) = (bit_places(&self.shape), bit_places(&shape));
            let columns = form.columns.iter().map(|column| {
                let image = kept.iter().enumerate().fold(0, |all, (new, &old)| {
                    all | (column.image >> from[old] & low_bits(twos(shape[new]))) << to[new]
                });
                Column { image, kind: still(column.kind, image != 0), ..*column }
            });
            let odd = form.odd.iter().map(|odd| {
                let weights = pick(&odd.weights);
                let kind = still(odd.kind, weights.iter().any(|&weight| weight != 0));
                OddDigit { weights, kind, ..odd.clone() }
            });
            let (columns, odd) = (columns.collect(), odd.collect());
            return Layout::from_f2(&BitForm { shape, columns, odd });
        }
        let digits = self.digits.clone().map(|digits| {
            let digit = |digit: Digit| {
                let weights = pick(&digit.weights);
                let kind = still(digit.kind, weights.iter().any(|&weight| weight != 0));
                Digit { weights, kind, ..digit }
            };
            digits.into_iter().map(digit).collect()
        });
        Layout::of_digits(shape, digits)
    }

    /// The layout of the value's row-major elements under another shape.
    pub fn reshape(&self, shape: &[i64]) -> Result<Layout, LayoutError> {
        let size = |shape: &[i64]| {
            shape.iter().try_fold(1i64, |size, &extent| if extent < 1 { None } else { size.checked_mul(extent) })
        };
        let sizes = || LayoutError::Sizes { first: self.shape.clone(), second: shape.to_vec() };
        let total = size(&self.shape).ok_or(LayoutError::TooLarge)?;
        if size(shape) != Some(total) {
            return Err(sizes());
        }
        let powers = |shape: &[i64]| shape.iter().all(|&extent| extent.count_ones() == 1);
        // Bits keep their order only where there are no other factors between them.
        if self.swizzle.is_some() && !(powers(&self.shape) && powers(shape)) {
            return Err(LayoutError::Swizzled);
        }
        let (old, new) = (strides(&self.shape), strides(shape));
        let mut digits: [Vec<Digit>; 4] = [const { Vec::new() }; 4];
        for hardware in EVERY {
            for (index, digit) in self.digits(hardware).iter().enumerate() {
                let step: i64 = digit.weights.iter().zip(&old).map(|(weight, stride)| weight * stride).sum();
                if step == 0 {
                    digits[hardware as usize].push(Digit { weights: vec![0; shape.len()], ..digit.clone() });
                    continue;
                }
                let pieces = cut(digit.extent, step, shape, &new);
                let pieces = pieces.map_err(|dim| LayoutError::Straddles { hardware, index, dim })?;
                let piece = |(extent, weights)| Digit { extent, weights, kind: digit.kind };
                digits[hardware as usize].extend(pieces.into_iter().map(piece));
            }
        }
        // Digits that fit a dimension each may still carry out of it together.
        let carried = |dim: usize| {
            let moves =
                |digit: &&Digit| digit.weights.iter().zip(&old).any(|(weight, stride)| weight * stride >= new[dim]);
            let mut places = EVERY.into_iter().flat_map(|hardware| {
                let digits = self.digits(hardware).iter().enumerate();
                digits.filter(|(_, digit)| moves(digit)).map(move |(index, _)| (hardware, index))
            });
            let (hardware, index) = places.next().unwrap_or((Hardware::Slot, 0));
            LayoutError::Straddles { hardware, index, dim }
        };
        let layout = Layout::of_digits(shape.to_vec(), digits).map_err(|error| match error {
            LayoutError::Outside { dim, .. } => carried(dim),
            other => other,
        })?;
        Ok(Layout { swizzle: self.swizzle.clone(), ..layout })
    }

    /// The layout of the value's row-major element numbers.
    pub fn flatten(&self) -> Result<Layout, LayoutError> {
        self.reshape(&[self.shape.iter().product()])
    }

    /// First `inner`, whose value's row-major elements are the offsets of this layout of memory, then this one.
    pub fn compose(&self, inner: &Layout) -> Result<Layout, LayoutError> {
        let offsets = self.digits(Hardware::Offset);
        let extents: Vec<i64> = offsets.iter().rev().map(|digit| digit.extent).collect();
        if inner.swizzle.is_none() {
            let refined = inner.reshape(&extents)?;
            let digits = refined.digits.map(|digits| {
                let digit = |digit: Digit| {
                    let weights = (0..self.rank()).map(|d| {
                        let steps = digit.weights.iter().rev().zip(offsets);
                        steps.map(|(value, offset)| value * offset.weights[d]).sum()
                    });
                    Digit { weights: weights.collect(), ..digit }
                };
                digits.into_iter().map(digit).collect()
            });
            let layout = Layout::of_digits(self.shape.clone(), digits)?;
            return Ok(Layout { swizzle: self.swizzle.clone(), ..layout });
        }
        let (outer, inner) = (self.to_f2()?, inner.to_f2()?);
        let odd = outer.odd.first().or(inner.odd.first());
        if let Some(odd) = odd {
            return Err(LayoutError::Odd { hardware: odd.hardware, index: 0 });
        }
        let bits: Vec<u64> = outer.of(Hardware::Offset).map(|column| column.image).collect();
        if bits.len() != inner.n_bits() {
            return Err(F2Error::Mismatch { columns: bits.len(), rows: inner.n_bits() }.into());
        }
        let image = |column: &Column| Column { image: combine(&bits, column.image), ..*column };
        let columns = inner.columns.iter().map(image).collect();
        Layout::from_f2(&BitForm { shape: outer.shape, columns, odd: vec![] })
    }

    /// Where each element is: a layout from the value's row-major elements, as offsets, to
    /// `[offset, subgroup, lane, slot]`. Of replicas, the first one is named.
    pub fn pseudo_invert(&self) -> Result<Layout, LayoutError> {
        let shape: Vec<i64> = EVERY_BACK.iter().map(|&hardware| self.count(hardware)).collect();
        if self.swizzle.is_some() {
            return self.pseudo_invert_f2(shape);
        }
        let old = strides(&self.shape);
        let mut terms: Vec<(i64, i64, Place)> = Vec::new();
        for hardware in EVERY {
            let mut step = 1;
            for digit in self.digits(hardware) {
                let distance = digit.weights.iter().zip(&old).map(|(weight, stride)| weight * stride).sum();
                if distance > 0 && digit.extent > 1 {
                    terms.push((distance, digit.extent, (hardware, step)));
                }
                step *= digit.extent;
            }
        }
        sort_by_key(&mut terms, |term| (term.0, term.1));
        let mut next = 1;
        let mut offsets = Vec::new();
        let mut last: Option<Place> = None;
        for (distance, extent, place) in terms {
            if distance < next {
                return Err(LayoutError::Shared { first: last.unwrap_or(place), second: place });
            }
            if distance > next {
                return Err(LayoutError::Missing { element: next });
            }
            let dim = 3 - place.0 as usize;
            offsets.push(Digit::shard(extent, 4, dim, place.1));
            next = distance * extent;
            last = Some(place);
        }
        let total: i64 = self.shape.iter().product();
        if next != total {
            return Err(LayoutError::Missing { element: next });
        }
        Layout::memory(shape, offsets)
    }

    /// The map back, for a layout that holds each element once.
    pub fn invert(&self) -> Result<Layout, LayoutError> {
        for hardware in EVERY {
            let mut step = 1;
            for digit in merge(self.digits(hardware).iter().cloned()) {
                if digit.kind != Kind::Shard && digit.kind != Kind::Unused {
                    return Err(LayoutError::Shared { first: (hardware, 0), second: (hardware, step) });
                }
                step *= digit.extent;
            }
        }
        self.pseudo_invert()
    }

    fn pseudo_invert_f2(&self, shape: Vec<i64>) -> Result<Layout, LayoutError> {
        let form = self.to_f2()?;
        if let Some(odd) = form.odd.first() {
            return Err(LayoutError::Odd { hardware: odd.hardware, index: 0 });
        }
        let images: Vec<u64> = form.columns.iter().map(|column| column.image).collect();
        let solver = Solver::new(&images);
        let places = bit_places(&shape);
        let mut columns = Vec::new();
        for bit in 0..form.n_bits() {
            let choice = solver.solve(1 << bit).ok_or(LayoutError::Missing { element: 1 << bit })?;
            let mut image = 0;
            for (index, column) in form.columns.iter().enumerate().filter(|(index, _)| choice >> index & 1 == 1) {
                let dim = 3 - column.hardware as usize;
                assert!(images[index] != 0, "zero columns are never chosen");
                image ^= (column.step as u64) << places[dim];
            }
            columns.push(Column { hardware: Hardware::Offset, step: 1 << bit, image, kind: Kind::Shard });
        }
        Layout::from_f2(&BitForm { shape, columns, odd: vec![] })
    }

    /// Which place of `self` holds what each place of `target` holds: a layout of the places of `target` over
    /// `[offset, subgroup, lane, slot]` of this one. Of replicas, the first one is named.
    pub fn invert_and_compose(&self, target: &Layout) -> Result<Layout, LayoutError> {
        if self.shape != target.shape {
            return Err(LayoutError::Sizes { first: self.shape.clone(), second: target.shape.clone() });
        }
        self.pseudo_invert()?.compose(target)
    }

    /// At which offset of `memory` each place's element is: a layout of this one's places over the offsets.
    pub fn addresses(&self, memory: &Layout) -> Result<Layout, LayoutError> {
        let found = memory.invert_and_compose(self)?;
        // Of the four numbers of a place, memory has an offset only.
        found.project(&[false, true, true, true]).and_then(|layout| layout.flatten())
    }

    fn same_rank(&self, other: &Layout) -> Result<(), LayoutError> {
        if self.rank() == other.rank() {
            return Ok(());
        }
        Err(LayoutError::Sizes { first: self.shape.clone(), second: other.shape.clone() })
    }
}

/// The order of dimensions of a place.
const EVERY_BACK: [Hardware; 4] = [Hardware::Offset, Hardware::Subgroup, Hardware::Lane, Hardware::Slot];

/// Row-major distances between neighbours.
pub(crate) fn strides(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    for d in (1..shape.len()).rev() {
        strides[d - 1] = strides[d] * shape[d];
    }
    strides
}

/// Cuts a digit that steps by `step` row-major elements where it leaves a dimension; the dimension that it leaves
/// unevenly otherwise.
fn cut(extent: i64, step: i64, shape: &[i64], strides: &[i64]) -> Result<Vec<(i64, Vec<i64>)>, usize> {
    let mut pieces = Vec::new();
    let (mut extent, mut step) = (extent, step);
    while extent > 1 {
        let mut rest = step;
        let weights: Vec<i64> = strides
            .iter()
            .map(|stride| {
                let weight = rest / stride;
                rest %= stride;
                weight
            })
            .collect();
        let fits = |d: usize| weights[d].checked_mul(extent - 1).is_some_and(|last| last < shape[d]);
        let Some(dim) = (0..shape.len()).rev().find(|&d| !fits(d)) else {
            pieces.push((extent, weights));
            break;
        };
        // Only a step along one dimension may go on in the next one.
        let single = weights.iter().filter(|&&weight| weight != 0).count() == 1;
        let capacity = shape[dim] / weights[dim];
        if !single || shape[dim] % weights[dim] != 0 || extent % capacity != 0 || capacity == 1 {
            return Err(dim);
        }
        pieces.push((capacity, weights));
        extent /= capacity;
        step *= capacity;
    }
    Ok(pieces)
}
