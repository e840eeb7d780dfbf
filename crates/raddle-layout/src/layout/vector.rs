//! Operations that go with those on vectors: join values, split them, and find a result's layout from its operands.

use super::bits::merge;
use super::{Digit, EVERY, Hardware, Kind, Layout, LayoutError};

impl Layout {
    /// The layout of `extent` values that are stacked along a new last dimension: each place holds its element of all
    /// of them, side by side.
    pub fn join(&self, extent: i64) -> Result<Layout, LayoutError> {
        let layout = self.apply(&(0..self.rank()).map(Some).chain([None]).collect::<Vec<_>>())?;
        let rank = layout.rank();
        let mut shape = vec![1; rank];
        shape[rank - 1] = extent;
        // As the inner factor of a product its slots are the fast ones.
        let values = Layout::new(shape, vec![Digit::shard(extent, rank, rank - 1, 1)], vec![], vec![])?;
        values.product(&layout)
    }

    /// The layout of each of the values that were stacked along the last dimension. Each place must hold all of them
    /// or none: what lies along that dimension in lanes or subgroups is an error.
    pub fn split(&self) -> Result<Layout, LayoutError> {
        let Some(last) = self.rank().checked_sub(1) else { return Err(LayoutError::NoDimension) };
        let layout = self.canonical();
        if layout.swizzle.is_some() {
            return Err(LayoutError::Swizzled);
        }
        for hardware in EVERY {
            for (index, digit) in layout.digits(hardware).iter().enumerate() {
                let others = digit.weights[..last].iter().any(|&weight| weight != 0);
                if digit.weights[last] != 0 && (hardware != Hardware::Slot || others) {
                    return Err(LayoutError::Apart { hardware, index, dim: last });
                }
            }
        }
        let mut digits = layout.digits.clone();
        digits[Hardware::Slot as usize].retain(|digit| digit.weights[last] == 0);
        digits.iter_mut().flatten().for_each(|digit| digit.weights.truncate(last));
        Layout::of_digits(layout.shape[..last].to_vec(), digits)
    }

    /// The layout of a value over the iteration dimensions `result`, from operands that each lie over some of them.
    ///
    /// Each operand comes with its map: dimension `i` of the operand is iteration dimension `map[i]`. A lane or subgroup
    /// of the result is where all operands agree that it is; what no operand moves is a replica. Slots count through the
    /// result's dimensions, the last one fastest. Operands that place one dimension differently are an error that names
    /// the dimension.
    pub fn recombine(operands: &[(&Layout, &[usize])], result: &[usize]) -> Result<Layout, LayoutError> {
        let owner = |dim: usize| {
            let found = operands.iter().enumerate().find_map(|(index, (_, map))| {
                let d = map.iter().position(|&own| own == dim)?;
                Some((index, d))
            });
            found.ok_or(LayoutError::Uncovered { dim })
        };
        if operands.iter().any(|(layout, _)| layout.swizzle.is_some()) {
            return Err(LayoutError::Swizzled);
        }
        let rank = result.len();
        let mut shape = Vec::with_capacity(rank);
        for &dim in result {
            let (index, d) = owner(dim)?;
            let ours = operands[index].0.slots_along(d);
            for (second, (layout, map)) in operands.iter().enumerate() {
                for other in (0..map.len()).filter(|&other| map[other] == dim) {
                    let same = layout.slots_along(other) == ours;
                    if !same || layout.shape[other] != operands[index].0.shape[d] {
                        return Err(LayoutError::Disagree { dim, first: index, second });
                    }
                }
            }
            shape.push(operands[index].0.shape[d]);
        }
        let mut digits: [Vec<Digit>; 4] = [const { Vec::new() }; 4];
        for (r, &dim) in result.iter().enumerate().rev() {
            let (index, d) = owner(dim)?;
            let along = operands[index].0.slots_along(d).into_iter();
            digits[Hardware::Slot as usize].extend(along.map(|(extent, weight)| Digit::shard(extent, rank, r, weight)));
        }
        for hardware in [Hardware::Lane, Hardware::Subgroup] {
            for pieces in aligned(operands, hardware)? {
                let extent = pieces[0].extent;
                let mut weights = vec![0; rank];
                for (r, &dim) in result.iter().enumerate() {
                    let mut known: Option<(usize, i64)> = None;
                    for (index, (piece, (_, map))) in pieces.iter().zip(operands).enumerate() {
                        for d in (0..map.len()).filter(|&d| map[d] == dim) {
                            match known {
                                Some((first, weight)) if weight != piece.weights[d] => {
                                    return Err(LayoutError::Disagree { dim, first, second: index });
                                }
                                _ => known = Some((index, piece.weights[d])),
                            }
                        }
                    }
                    weights[r] = known.map_or(0, |(_, weight)| weight);
                }
                let all = |kind: Kind| pieces.iter().all(|piece| piece.kind == kind);
                let kind = match () {
                    () if weights.iter().any(|&weight| weight != 0) => Kind::Shard,
                    () if pieces.iter().any(|piece| piece.kind == Kind::Partial) => Kind::Partial,
                    () if all(Kind::Unused) => Kind::Unused,
                    () => Kind::Replicate,
                };
                digits[hardware as usize].push(Digit { extent, weights, kind });
            }
        }
        Ok(Layout::of_digits(shape, digits)?.canonical())
    }

    /// Extents and weights of the slots along a dimension, fastest first.
    fn slots_along(&self, dim: usize) -> Vec<(i64, i64)> {
        let moving = self.digits(Hardware::Slot).iter().filter(|digit| digit.weights[dim] != 0);
        let only = moving.map(|digit| {
            let weights = (0..self.rank()).map(|d| if d == dim { digit.weights[d] } else { 0 }).collect();
            Digit { weights, ..digit.clone() }
        });
        merge(only).into_iter().map(|digit| (digit.extent, digit.weights[dim])).collect()
    }
}

/// The digits of one number of all operands, cut so that they have the same extents: for each, one piece of each.
fn aligned(operands: &[(&Layout, &[usize])], hardware: Hardware) -> Result<Vec<Vec<Digit>>, LayoutError> {
    let mut rest: Vec<Vec<Digit>> =
        operands.iter().map(|(layout, _)| layout.digits(hardware).iter().rev().cloned().collect()).collect();
    let uneven = || {
        let mut counts = operands.iter().map(|(layout, _)| layout.count(hardware));
        let (used, have) = (counts.next().unwrap_or(1), counts.next_back().unwrap_or(1));
        LayoutError::Uneven { hardware, used, have }
    };
    let mut pieces = Vec::new();
    while rest.iter().any(|digits| !digits.is_empty()) {
        let tops = rest.iter().map(|digits| digits.last().map(|digit| digit.extent)).collect::<Option<Vec<i64>>>();
        let extent = tops.as_ref().and_then(|tops| tops.iter().min()).copied().ok_or_else(uneven)?;
        let mut row = Vec::with_capacity(rest.len());
        for digits in &mut rest {
            let Some(top) = digits.pop() else { return Err(uneven()) };
            if top.extent % extent != 0 {
                return Err(uneven());
            }
            if top.extent > extent {
                let weights = top.weights.iter().map(|weight| weight * extent).collect();
                digits.push(Digit { extent: top.extent / extent, weights, kind: top.kind });
            }
            row.push(Digit { extent, ..top });
        }
        pieces.push(row);
    }
    Ok(pieces)
}
