//! Recognise a layout from what its places hold.

use super::{Digit, EVERY, Hardware, Kind, Layout, LayoutError};

/// More places are not looked at.
const PLACES_MAX: i64 = 1 << 24;

impl Layout {
    /// The layout of a value of this shape whose places hold what `coord` says for each subgroup, lane and slot.
    ///
    /// Each number's digits are read off along its own axis, as the longest runs of equal steps; where that does not
    /// do, and all counts are powers of two, the images of single bits are tried as a linear map. Then every place is
    /// compared: a table that has no layout is refused with the first place that differs.
    pub fn from_points(
        shape: &[i64],
        counts: [i64; 3],
        coord: impl Fn(i64, i64, i64) -> Option<Vec<i64>>,
    ) -> Result<Layout, LayoutError> {
        let places = counts.iter().try_fold(1i64, |n, &count| if count < 1 { None } else { n.checked_mul(count) });
        let places = places.filter(|&places| places <= PLACES_MAX).ok_or(LayoutError::TooLarge)?;
        let at = |hardware: Hardware, number: i64| match hardware {
            Hardware::Slot => coord(0, 0, number),
            Hardware::Lane => coord(0, number, 0),
            Hardware::Subgroup | Hardware::Offset => coord(number, 0, 0),
        };
        let mut digits: [Vec<Digit>; 4] = [const { Vec::new() }; 4];
        for (hardware, count) in Hardware::ALL.into_iter().zip(counts) {
            digits[hardware as usize] = runs(shape.len(), count, |number| at(hardware, number));
        }
        let mut layout =
            Layout::of_digits(shape.to_vec(), digits).or_else(|error| linear(shape, counts, &at).ok_or(error))?;
        let differs = |layout: &Layout| {
            (0..places).find_map(|place| {
                let (slot, lane) = (place % counts[0], place / counts[0] % counts[1]);
                let subgroup = place / counts[0] / counts[1];
                let (expected, found) = (layout.coord(subgroup, lane, slot), coord(subgroup, lane, slot));
                (expected != found).then_some(LayoutError::NotDigits { subgroup, lane, slot, expected, found })
            })
        };
        let Some(error) = differs(&layout) else { return Ok(layout.canonical()) };
        layout = linear(shape, counts, &at).ok_or(error)?;
        match differs(&layout) {
            Some(error) => Err(error),
            None => Ok(layout.canonical()),
        }
    }
}

/// Digits of one number, as far as equal steps go; what is not even is left to the comparison.
fn runs(rank: usize, count: i64, at: impl Fn(i64) -> Option<Vec<i64>>) -> Vec<Digit> {
    let origin = at(0).unwrap_or_else(|| vec![0; rank]);
    let step = |number: i64| {
        let coord = at(number)?;
        Some(coord.iter().zip(&origin).map(|(c, o)| c - o).collect::<Vec<i64>>())
    };
    let mut digits = Vec::new();
    let mut unit = 1;
    while unit < count {
        let first = step(unit);
        let goes_on = |k: i64| match &first {
            None => step(k * unit).is_none(),
            Some(first) => step(k * unit).is_some_and(|at| at.iter().zip(first).all(|(at, w)| *at == w * k)),
        };
        let mut run = 1;
        while run * unit < count && goes_on(run) {
            run += 1;
        }
        // A run that does not divide what is left cannot be a digit.
        while count / unit % run != 0 {
            run -= 1;
        }
        if run == 1 {
            run = count / unit;
        }
        let (weights, kind) = match first {
            None => (vec![0; rank], Kind::Unused),
            Some(first) if first.iter().any(|&weight| weight != 0) => (first, Kind::Shard),
            Some(first) => (first, Kind::Replicate),
        };
        digits.push(Digit { extent: run, weights, kind });
        unit *= run;
    }
    digits
}

/// The linear map with the images of single bits.
fn linear(shape: &[i64], counts: [i64; 3], at: &impl Fn(Hardware, i64) -> Option<Vec<i64>>) -> Option<Layout> {
    let powers = |numbers: &[i64]| numbers.iter().all(|number| number.count_ones() == 1);
    if !powers(shape) || !powers(&counts) {
        return None;
    }
    let places = super::bits::bit_places(shape);
    let mut bases: [Vec<u64>; 4] = [const { Vec::new() }; 4];
    for (hardware, count) in EVERY.into_iter().zip(counts) {
        for bit in 0..count.trailing_zeros() {
            let coord = at(hardware, 1 << bit)?;
            let outside = coord.iter().zip(shape).any(|(c, extent)| !(0..*extent).contains(c));
            if outside || coord.len() != shape.len() {
                return None;
            }
            let image = coord.iter().zip(&places).fold(0, |all, (&c, place)| all | (c as u64) << place);
            bases[hardware as usize].push(image);
        }
    }
    let [slots, lanes, subgroups, _] = &bases;
    Layout::from_bases(shape, [slots, lanes, subgroups, &[]]).ok()
}
