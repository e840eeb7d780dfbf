//! Choose how an array lies in shared memory so that the accesses that will be made do not meet in banks.
//!
//! A swizzle xors bits of the row's number into the place within a row of banks; it costs no memory and needs extents
//! that are powers of two. Padding lengthens the rows; it works for any extents. Both are chosen for accesses that are
//! given as data, and say what they achieve.

use crate::access::{Banks, wavefronts};
use crate::f2::{Matrix, Space, low_bits};

/// One instruction's accesses: for each lane the element that it begins at, in an array of `rows` by `columns`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// Row and column of each lane's first element; `None` for lanes that do nothing.
    pub lanes: Vec<Option<(i64, i64)>>,
    /// How many elements of a row each lane accesses.
    pub width: i64,
}

/// A swizzle, and what it achieves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Swizzled {
    /// The new offset of each offset, as a map of its bits.
    pub map: Matrix,
    /// Wavefronts of each pattern.
    pub wavefronts: Vec<i64>,
    /// Whether no pattern has a conflict.
    pub free: bool,
}

/// A padding, and what it achieves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Padded {
    /// Elements from one row to the next.
    pub pitch: i64,
    /// Wavefronts of each pattern.
    pub wavefronts: Vec<i64>,
    /// Whether no pattern has a conflict.
    pub free: bool,
}

/// No memory has more bits of offsets.
const OFFSET_BITS_MAX: usize = 40;

/// Searches look at this many candidates, at most.
const TRIES_MAX: usize = 1 << 16;

/// The swizzle of a row-major array for these accesses; `None` where an extent or an element is not a power of two,
/// or there is no such memory.
///
/// Each bit of an offset above a row of banks may flip bits below: it gets the first flip that keeps all accesses
/// apart. Where there is no such flip for all accesses, conflicts are left, and the result says so.
pub fn swizzle(shape: [i64; 2], element_bytes: i64, patterns: &[Pattern], banks: &Banks) -> Option<Swizzled> {
    let [rows, columns] = shape;
    let powers = [rows, columns, element_bytes, banks.row_bytes()];
    if powers.iter().any(|&number| number < 1 || number.count_ones() != 1) {
        return None;
    }
    let n = (rows.trailing_zeros() + columns.trailing_zeros()) as usize;
    if n > OFFSET_BITS_MAX {
        return None;
    }
    let row = ((banks.row_bytes() / element_bytes).max(1).trailing_zeros() as usize).min(n);
    let width = patterns.iter().map(|pattern| pattern.width).fold(1, i64::max);
    // Vectors and words stay whole.
    let fixed = width.max(banks.word_bytes / element_bytes).max(1).ilog2() as usize;
    let touched: Vec<Space> = patterns.iter().map(|pattern| pattern.touched(columns, element_bytes, banks)).collect();
    let mut flips = vec![0u64; n - row];
    let mut tries = 0;
    let found = search(&touched, &mut flips, 0, [fixed.min(row), row], &Space::default(), &mut tries);
    if !found {
        flips.fill(0);
    }
    let mut best = finish(shape, element_bytes, patterns, banks, &flips, row)?;
    if !best.free {
        // Flip by the row's number, the best for accesses along both directions.
        let low = fixed.min(row);
        for (bit, flip) in flips.iter_mut().enumerate() {
            *flip = if row > low { 1 << (low + bit % (row - low)) } else { 0 };
        }
        let plain = finish(shape, element_bytes, patterns, banks, &flips, row)?;
        if plain.wavefronts.iter().sum::<i64>() < best.wavefronts.iter().sum() {
            best = plain;
        }
    }
    Some(best)
}

fn finish(
    [rows, columns]: [i64; 2],
    element_bytes: i64,
    patterns: &[Pattern],
    banks: &Banks,
    flips: &[u64],
    row: usize,
) -> Option<Swizzled> {
    let n = (rows.trailing_zeros() + columns.trailing_zeros()) as usize;
    let column = |bit: usize| if bit < row { 1 << bit } else { 1 << bit ^ flips[bit - row] };
    let map = Matrix::new(n, (0..n).map(column).collect()).ok()?;
    let place = |row: i64, column: i64| map.apply((row * columns + column) as u64) as i64;
    let (wavefronts, free) = count(element_bytes, patterns, banks, place);
    Some(Swizzled { map, wavefronts, free })
}

/// Chooses flips for the offset's bits above a row, one after the other, going back where a choice leads nowhere.
fn search(
    touched: &[Space],
    flips: &mut [u64],
    bit: usize,
    [low, row]: [usize; 2],
    segment: &Space,
    tries: &mut usize,
) -> bool {
    if bit == flips.len() {
        return true;
    }
    let spaces: Vec<Space> = touched.iter().map(|space| space.sum(segment)).collect();
    for flip in 0..1u64 << (row - low) {
        *tries += 1;
        if *tries > TRIES_MAX {
            return false;
        }
        // Elements that differ by this vector share their banks.
        let vector = 1 << (row + bit) | flip << low;
        if spaces.iter().any(|space| space.contains(vector)) {
            continue;
        }
        flips[bit] = flip << low;
        if search(touched, flips, bit + 1, [low, row], &segment.sum(&Space::span(&[vector])), tries) {
            return true;
        }
    }
    false
}

/// The shortest rows that have the fewest wavefronts for these accesses, padded by at most one row of banks.
pub fn padding(shape: [i64; 2], element_bytes: i64, patterns: &[Pattern], banks: &Banks) -> Padded {
    let [_, columns] = shape;
    let width = patterns.iter().map(|pattern| pattern.width).fold(1, i64::max);
    let step = width.max(banks.word_bytes / element_bytes).max(1);
    let first = (columns + step - 1) / step * step;
    let pitches = (0..(banks.row_bytes() / element_bytes / step).max(1)).map(|pad| first + pad * step);
    let padded = |pitch: i64| {
        let (wavefronts, free) = count(element_bytes, patterns, banks, |row, column| row * pitch + column);
        Padded { pitch, wavefronts, free }
    };
    let all = pitches.map(padded);
    all.min_by_key(|padded| padded.wavefronts.iter().sum::<i64>()).unwrap_or_else(|| padded(first))
}

fn count(element_bytes: i64, patterns: &[Pattern], banks: &Banks, place: impl Fn(i64, i64) -> i64) -> (Vec<i64>, bool) {
    let mut free = true;
    let of = |pattern: &Pattern| {
        let address = |lane: &Option<(i64, i64)>| lane.map(|(row, column)| place(row, column) * element_bytes);
        let addresses: Vec<Option<i64>> = pattern.lanes.iter().map(address).collect();
        let result = wavefronts(&addresses, pattern.width * element_bytes, banks);
        free &= result.count == result.ideal;
        result.count
    };
    (patterns.iter().map(of).collect(), free)
}

impl Pattern {
    /// The differences of elements that the first phase touches, with the other elements of their words.
    fn touched(&self, columns: i64, element_bytes: i64, banks: &Banks) -> Space {
        let fixed = self.width.max(banks.word_bytes / element_bytes).max(1).ilog2() as usize;
        let mut space = Space::default();
        for bit in 0..fixed {
            space.insert(1 << bit);
        }
        for phase in banks.phases(self.width * element_bytes, self.lanes.len()) {
            let places = phase.iter().filter_map(|&lane| self.lanes.get(lane).copied().flatten());
            let mut places = places.map(|(row, column)| (row * columns + column) as u64 & !low_bits(fixed));
            let Some(first) = places.next() else { continue };
            for place in places {
                space.insert(place ^ first);
            }
        }
        space
    }
}
