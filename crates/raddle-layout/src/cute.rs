//! CuTe's layouts: nested shapes and strides, `((2,4),(4,8)):((0,1),(0,4))`, with an optional swizzle.
//!
//! A layout is a function of one number: the number is taken apart by the shape, first mode fastest, and the digits
//! are multiplied by the strides. Where the rules that find a mode's stride do not apply, or where digits of different
//! modes would carry into each other, the function itself is looked at; a result that no shape and stride describe is
//! an error that names a number with the value it would need and the value it would get.

use std::fmt;

mod convert;
mod text;

pub use convert::Order;

/// Functions with more values than this are not compared value by value.
const POINTS_MAX: i64 = 1 << 20;

/// A mode: one extent with its stride, or several modes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// One extent and its stride.
    Leaf {
        /// How many values.
        extent: i64,
        /// The distance between neighbours.
        stride: i64,
    },
    /// Several modes, the first one fastest.
    Tuple(Vec<Mode>),
}

/// `Swizzle<bits, base, shift>`: xors `bits` bits from `base + shift` on into those from `base` on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Swizzle {
    /// How many bits.
    pub bits: u32,
    /// The lowest bit that changes.
    pub base: u32,
    /// How far up the bits come from; negative: how far down.
    pub shift: i32,
}

/// A CuTe layout.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cute {
    mode: Mode,
    /// Applied to the sum of strides and offset.
    swizzle: Option<Swizzle>,
    offset: i64,
}

/// Why an operation on CuTe layouts has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CuteError {
    /// Text that is not a layout: what was expected, and the byte where it was not.
    Text {
        /// What was expected.
        expected: &'static str,
        /// Where.
        at: usize,
    },
    /// Shape and stride have other profiles, or an extent is not positive.
    Malformed,
    /// Numbers beyond 64 bits.
    TooLarge,
    /// No shape and stride give the function: at `index` they would give `expected`, and it is `value`.
    NotALayout {
        /// The number.
        index: i64,
        /// What strides found at smaller numbers give.
        expected: i64,
        /// The function's value.
        value: i64,
    },
    /// The function is too large to be looked at, and no rule applies.
    Undecided {
        /// How many values it has.
        values: i64,
    },
    /// Two numbers have the same value, where values must differ.
    NotInjective {
        /// One.
        first: i64,
        /// The other.
        second: i64,
    },
    /// A mode's stride does not continue the sorted ones, so that what is left between has no layout.
    Uneven {
        /// The stride.
        stride: i64,
        /// What it would have to be a multiple of.
        unit: i64,
    },
    /// Swizzles only stand at the outside.
    Swizzled,
    /// There are not as many modes as tiles.
    Rank {
        /// Modes.
        modes: usize,
        /// Tiles.
        tiles: usize,
    },
    /// The spelling has no word for this.
    Unspeakable(crate::LayoutError),
}

impl fmt::Display for CuteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CuteError::Text { expected, at } => write!(f, "expected {expected} at byte {at}"),
            CuteError::Malformed => write!(f, "shape and stride differ in profile, or an extent is not positive"),
            CuteError::TooLarge => write!(f, "numbers beyond 64 bits"),
            CuteError::NotALayout { index, expected, value } => {
                write!(f, "no shape and stride: {index} would go to {expected} and goes to {value}")
            }
            CuteError::Undecided { values } => write!(f, "a function of {values} values is too large to look at"),
            CuteError::NotInjective { first, second } => write!(f, "{first} and {second} go to the same place"),
            CuteError::Uneven { stride, unit } => write!(f, "stride {stride} is not a multiple of {unit}"),
            CuteError::Swizzled => write!(f, "a swizzle can only come last"),
            CuteError::Rank { modes, tiles } => write!(f, "{tiles} tiles for {modes} modes"),
            CuteError::Unspeakable(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CuteError {}

/// A flat mode: extent and stride.
type Flat = (i64, i64);

impl Mode {
    fn leaf((extent, stride): Flat) -> Mode {
        Mode::Leaf { extent, stride }
    }

    /// One mode as it is, several as a tuple.
    fn of(flat: &[Flat]) -> Mode {
        match flat {
            [] => Mode::leaf((1, 0)),
            [only] => Mode::leaf(*only),
            _ => Mode::Tuple(flat.iter().copied().map(Mode::leaf).collect()),
        }
    }

    fn flatten(&self, into: &mut Vec<Flat>) {
        match self {
            Mode::Leaf { extent, stride } => into.push((*extent, *stride)),
            Mode::Tuple(modes) => modes.iter().for_each(|mode| mode.flatten(into)),
        }
    }

    /// This mode with every leaf replaced.
    fn map(&self, leaf: &mut impl FnMut(Flat) -> Result<Mode, CuteError>) -> Result<Mode, CuteError> {
        match self {
            Mode::Leaf { extent, stride } => leaf((*extent, *stride)),
            Mode::Tuple(modes) => Ok(Mode::Tuple(modes.iter().map(|mode| mode.map(leaf)).collect::<Result<_, _>>()?)),
        }
    }
}

impl Swizzle {
    /// Where a number goes.
    pub fn apply(self, number: i64) -> i64 {
        let mask = (1i64 << self.bits) - 1;
        if self.shift >= 0 {
            number ^ (number >> (self.base + self.shift.unsigned_abs()) & mask) << self.base
        } else {
            let up = self.shift.unsigned_abs();
            number ^ (number >> self.base & mask) << (self.base + up)
        }
    }
}

impl Cute {
    /// A layout from its modes.
    pub fn new(mode: Mode) -> Result<Cute, CuteError> {
        Cute { mode, swizzle: None, offset: 0 }.check()
    }

    /// A layout from extents and strides, all on one level.
    pub fn flat(modes: &[(i64, i64)]) -> Result<Cute, CuteError> {
        Cute::new(Mode::of(modes))
    }

    /// This layout followed by a swizzle of `value + offset`.
    pub fn with_swizzle(&self, swizzle: Swizzle, offset: i64) -> Result<Cute, CuteError> {
        if self.swizzle.is_some() {
            return Err(CuteError::Swizzled);
        }
        let reach = swizzle.bits + swizzle.base + swizzle.shift.unsigned_abs();
        if reach > 62 || offset < 0 || swizzle.shift.unsigned_abs() < swizzle.bits {
            return Err(CuteError::Malformed);
        }
        let offset = self.offset.checked_add(offset).ok_or(CuteError::TooLarge)?;
        Cute { swizzle: Some(swizzle), offset, mode: self.mode.clone() }.check()
    }

    /// The modes.
    pub fn mode(&self) -> &Mode {
        &self.mode
    }

    /// The modes at the top; a single extent is its only mode.
    pub fn modes(&self) -> Vec<Mode> {
        match &self.mode {
            Mode::Tuple(modes) => modes.clone(),
            leaf @ Mode::Leaf { .. } => vec![leaf.clone()],
        }
    }

    /// The swizzle at the outside.
    pub fn swizzle(&self) -> Option<Swizzle> {
        self.swizzle
    }

    /// What is added before the swizzle.
    pub fn offset(&self) -> i64 {
        self.offset
    }

    /// All extents with their strides, fastest first.
    pub fn leaves(&self) -> Vec<(i64, i64)> {
        let mut flat = Vec::new();
        self.mode.flatten(&mut flat);
        flat
    }

    /// How many numbers it takes.
    pub fn size(&self) -> i64 {
        self.leaves().iter().map(|mode| mode.0).product()
    }

    /// One more than its largest value, without the swizzle.
    pub fn cosize(&self) -> i64 {
        1 + self.offset + self.leaves().iter().map(|&(extent, stride)| (extent - 1) * stride.max(0)).sum::<i64>()
    }

    /// The value at a number. Numbers beyond the size go on in the last mode of the coalesced layout.
    pub fn at(&self, index: i64) -> i64 {
        let leaves = self.leaves();
        let inside = index < leaves.iter().map(|mode| mode.0).product();
        let sum = self.offset + if inside { at(&leaves, index) } else { at(&coalesce(&leaves), index) };
        self.swizzle.map_or(sum, |swizzle| swizzle.apply(sum))
    }

    /// The same function with as few modes as possible, on one level. Equal functions of the same size have equal
    /// coalesced layouts, but for swizzles.
    pub fn coalesce(&self) -> Cute {
        Cute { mode: Mode::of(&coalesce(&self.leaves())), ..self.clone() }
    }

    /// Whether both give the same value for every number.
    pub fn same_function(&self, other: &Cute) -> Result<bool, CuteError> {
        let (a, b) = (self.coalesce(), other.coalesce());
        if a == b {
            return Ok(true);
        }
        if self.size() != other.size() {
            return Ok(false);
        }
        if a.swizzle.is_none() && b.swizzle.is_none() {
            return Ok(false);
        }
        if self.size() > POINTS_MAX {
            return Err(CuteError::Undecided { values: self.size() });
        }
        Ok((0..self.size()).all(|index| self.at(index) == other.at(index)))
    }

    /// First `inner`, then this layout, with the modes of `inner`, each possibly split.
    pub fn compose(&self, inner: &Cute) -> Result<Cute, CuteError> {
        if inner.swizzle.is_some() || inner.offset != 0 {
            return Err(CuteError::Swizzled);
        }
        let outer = coalesce(&self.leaves());
        let mut parts: Vec<Vec<Flat>> = Vec::new();
        let mode = inner.mode.map(&mut |leaf| {
            let part = compose_leaf(&outer, leaf)?;
            let mode = Mode::of(&part);
            parts.push(part);
            Ok(mode)
        })?;
        let composed = Cute { mode, ..self.clone() }.check()?;
        let leaves = inner.leaves();
        if !adds(&outer, &leaves) {
            // Each mode is right on its own; together they may carry in the outer shape.
            if inner.size() > POINTS_MAX {
                return Err(CuteError::Undecided { values: inner.size() });
            }
            let plain = composed.leaves();
            for index in 0..inner.size() {
                let (expected, value) = (at(&plain, index), at(&outer, inner.at(index)));
                if expected != value {
                    return Err(CuteError::NotALayout { index, expected, value });
                }
            }
        }
        Ok(composed)
    }

    /// What this layout does not reach below `size`: a layout whose sums with this one's values are all different and
    /// cover `0..size`.
    pub fn complement(&self, size: i64) -> Result<Cute, CuteError> {
        self.plain()?;
        let mut modes = self.sorted()?;
        let mut gaps = Vec::new();
        let mut unit = 1i64;
        for (extent, stride) in modes.drain(..) {
            if stride % unit != 0 {
                return Err(CuteError::Uneven { stride, unit });
            }
            gaps.push((stride / unit, unit));
            unit = extent.checked_mul(stride).ok_or(CuteError::TooLarge)?;
        }
        gaps.push(((size + unit - 1) / unit, unit));
        Cute::flat(&coalesce(&gaps))
    }

    /// The largest layout `r` with `self(r(i)) = i`.
    pub fn right_inverse(&self) -> Result<Cute, CuteError> {
        self.plain()?;
        let mut step = 1;
        let mut terms: Vec<(i64, i64, i64)> = Vec::new();
        for (extent, stride) in coalesce(&self.leaves()) {
            terms.push((stride, extent, step));
            step *= extent;
        }
        terms.sort_unstable();
        let mut inverse = Vec::new();
        let mut next = 1;
        for (stride, extent, step) in terms {
            if stride == next {
                inverse.push((extent, step));
                next = stride.checked_mul(extent).ok_or(CuteError::TooLarge)?;
            }
        }
        Cute::flat(&coalesce(&inverse))
    }

    /// A layout `l` with `l(self(i)) = i`. Values between this layout's have the number of the one before.
    pub fn left_inverse(&self) -> Result<Cute, CuteError> {
        self.plain()?;
        let mut step = 1;
        let mut steps = Vec::new();
        for (extent, stride) in self.leaves() {
            if extent > 1 && stride == 0 {
                return Err(CuteError::NotInjective { first: 0, second: step });
            }
            if extent > 1 {
                steps.push((stride, step));
            }
            step *= extent;
        }
        steps.sort_unstable();
        let modes = self.sorted()?;
        let mut inverse = vec![(modes.first().map_or(1, |mode| mode.1), 0)];
        for (index, (&(extent, stride), &(_, step))) in modes.iter().zip(&steps).enumerate() {
            // Each mode has all numbers up to the next one's.
            let next = modes.get(index + 1).map_or(extent * stride, |mode| mode.1);
            if next % stride != 0 {
                return Err(CuteError::Uneven { stride: next, unit: stride });
            }
            inverse.push((next / stride, step));
        }
        Cute::flat(&coalesce(&inverse))
    }

    /// `self` divided by `tile`: the first mode walks the tile, the second one its repetitions.
    pub fn logical_divide(&self, tile: &Cute) -> Result<Cute, CuteError> {
        let rest = tile.complement(self.size())?;
        self.compose(&Cute::new(Mode::Tuple(vec![tile.mode.clone(), rest.mode]))?)
    }

    /// Divides each mode by its tile, and gathers the tiles' modes first, then those of their repetitions.
    pub fn zipped_divide(&self, tiles: &[Cute]) -> Result<Cute, CuteError> {
        let modes = self.modes();
        if modes.len() < tiles.len() {
            return Err(CuteError::Rank { modes: modes.len(), tiles: tiles.len() });
        }
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for (index, mode) in modes.into_iter().enumerate() {
            let Some(tile) = tiles.get(index) else {
                outside.push(mode);
                continue;
            };
            let mut divided = Cute::new(mode)?.logical_divide(tile)?.modes().into_iter();
            inside.extend(divided.next());
            outside.extend(divided.next());
        }
        let mode = Mode::Tuple(vec![Mode::Tuple(inside), Mode::Tuple(outside)]);
        Ok(Cute { mode, ..self.clone() })
    }

    /// The zipped division with the repetitions' modes on one level with the tile's.
    pub fn tiled_divide(&self, tiles: &[Cute]) -> Result<Cute, CuteError> {
        let zipped = self.zipped_divide(tiles)?;
        let mode = match &zipped.modes()[..] {
            [tile, Mode::Tuple(rest)] => Mode::Tuple(std::iter::once(tile).chain(rest).cloned().collect()),
            _ => zipped.mode.clone(),
        };
        Ok(Cute { mode, ..zipped })
    }

    /// The zipped division with all modes on one level: the tile's, then the repetitions'.
    pub fn flat_divide(&self, tiles: &[Cute]) -> Result<Cute, CuteError> {
        let zipped = self.zipped_divide(tiles)?;
        let mode = match &zipped.modes()[..] {
            [Mode::Tuple(tile), Mode::Tuple(rest)] => Mode::Tuple(tile.iter().chain(rest).cloned().collect()),
            _ => zipped.mode.clone(),
        };
        Ok(Cute { mode, ..zipped })
    }

    /// This layout repeated as `tile` says: the first mode is this layout, the second one walks the repetitions.
    pub fn logical_product(&self, tile: &Cute) -> Result<Cute, CuteError> {
        self.plain()?;
        let capacity = self.cosize().max(1).checked_mul(tile.cosize()).ok_or(CuteError::TooLarge)?;
        let repetitions = self.complement(capacity)?.compose(tile)?;
        Cute::new(Mode::Tuple(vec![self.mode.clone(), repetitions.mode]))
    }

    /// The product in which each mode has this layout's extent first, then the tile's.
    pub fn blocked_product(&self, tile: &Cute) -> Result<Cute, CuteError> {
        self.zipped_product(tile, false)
    }

    /// The product in which each mode has the tile's extent first, then this layout's.
    pub fn raked_product(&self, tile: &Cute) -> Result<Cute, CuteError> {
        self.zipped_product(tile, true)
    }

    fn zipped_product(&self, tile: &Cute, raked: bool) -> Result<Cute, CuteError> {
        let rank = self.modes().len().max(tile.modes().len());
        let padded = |layout: &Cute| {
            let mut modes = layout.modes();
            modes.resize(rank, Mode::leaf((1, 0)));
            Cute { mode: Mode::Tuple(modes), ..layout.clone() }
        };
        let product = padded(self).logical_product(&padded(tile))?;
        let [Mode::Tuple(inner), Mode::Tuple(outer)] = &product.modes()[..] else { return Ok(product) };
        let pair = |(inner, outer): (&Mode, &Mode)| {
            let pair = if raked { [outer, inner] } else { [inner, outer] };
            Mode::Tuple(pair.into_iter().cloned().collect())
        };
        Cute::new(Mode::Tuple(inner.iter().zip(outer).map(pair).collect()))
    }

    /// The flat layout of a function given by its values at 0, 1, 2, …
    pub fn from_table(values: &[i64]) -> Result<Cute, CuteError> {
        let offset = values.first().copied().unwrap_or(0);
        let moved: Vec<i64> = values.iter().map(|value| value - offset).collect();
        let mode = Mode::of(&recognise(&moved).map_err(|error| match error {
            CuteError::NotALayout { index, expected, value } => {
                CuteError::NotALayout { index, expected: expected + offset, value: value + offset }
            }
            other => other,
        })?);
        Cute { mode, swizzle: None, offset }.check()
    }

    /// Modes that move, by stride, none of which reaches into the next one.
    fn sorted(&self) -> Result<Vec<Flat>, CuteError> {
        let mut step = 1;
        let mut terms: Vec<(i64, i64, i64)> = Vec::new();
        for (extent, stride) in self.leaves() {
            if extent > 1 && stride != 0 {
                terms.push((stride, extent, step));
            }
            step *= extent;
        }
        terms.sort_unstable();
        if let Some(&(stride, ..)) = terms.first().filter(|term| term.0 < 0) {
            return Err(CuteError::Uneven { stride, unit: 1 });
        }
        for pair in terms.windows(2) {
            let [(low, extent, near), (high, _, far)] = pair else { continue };
            // The same value is reached by walking the lower mode.
            if high % low == 0 && high / low < *extent {
                return Err(CuteError::NotInjective { first: near * (high / low), second: *far });
            }
            if *high < low * (extent - 1) {
                return Err(CuteError::Uneven { stride: *high, unit: low * extent });
            }
        }
        Ok(terms.into_iter().map(|(stride, extent, _)| (extent, stride)).collect())
    }

    /// Without swizzle and offset.
    fn plain(&self) -> Result<(), CuteError> {
        if self.swizzle.is_some() || self.offset != 0 { Err(CuteError::Swizzled) } else { Ok(()) }
    }

    fn check(self) -> Result<Cute, CuteError> {
        let mut size = 1i64;
        let mut reach = self.offset;
        for (extent, stride) in self.leaves() {
            if extent < 1 {
                return Err(CuteError::Malformed);
            }
            size = size.checked_mul(extent).ok_or(CuteError::TooLarge)?;
            let far = stride.checked_abs().and_then(|stride| stride.checked_mul(extent));
            reach = far.and_then(|far| reach.checked_add(far)).ok_or(CuteError::TooLarge)?;
        }
        Ok(self)
    }
}

/// The value of flat modes at a number; what is left over goes on in the last mode.
fn at(modes: &[Flat], index: i64) -> i64 {
    let mut rest = index;
    let mut sum = 0;
    for (position, &(extent, stride)) in modes.iter().enumerate() {
        let digit = if position + 1 == modes.len() { rest } else { rest % extent };
        rest /= extent;
        sum += digit * stride;
    }
    sum
}

/// Merges modes of which the second goes on where the first one ends.
fn coalesce(modes: &[Flat]) -> Vec<Flat> {
    let mut merged: Vec<Flat> = Vec::new();
    for &(extent, stride) in modes {
        match merged.last_mut() {
            _ if extent == 1 => {}
            Some(last) if last.0.checked_mul(last.1) == Some(stride) => last.0 *= extent,
            _ => merged.push((extent, stride)),
        }
    }
    merged
}

/// `k -> outer(stride · k)` for `k < extent` as flat modes.
fn compose_leaf(outer: &[Flat], (extent, stride): Flat) -> Result<Vec<Flat>, CuteError> {
    if extent == 1 || stride == 0 {
        return Ok(vec![(extent, 0)]);
    }
    if let Some(modes) = walk(outer, extent, stride) {
        return Ok(modes);
    }
    if stride < 0 || extent > POINTS_MAX {
        return Err(CuteError::Undecided { values: extent });
    }
    let values: Vec<i64> = (0..extent).map(|k| at(outer, stride * k)).collect();
    recognise(&values)
}

/// The rule of composition: skip `stride` values of the outer modes, then take `extent`; both must divide evenly.
fn walk(outer: &[Flat], extent: i64, stride: i64) -> Option<Vec<Flat>> {
    let (mut skip, mut take) = (stride, extent);
    let mut result = Vec::new();
    for (position, &(extent, stride)) in outer.iter().enumerate() {
        let last = position + 1 == outer.len();
        if !last && skip >= extent {
            if skip % extent != 0 {
                return None;
            }
            skip /= extent;
            continue;
        }
        if !last && extent % skip != 0 {
            return None;
        }
        let capacity = if last { take } else { (extent / skip).min(take) };
        if take % capacity != 0 {
            return None;
        }
        result.push((capacity, stride.checked_mul(skip)?));
        take /= capacity;
        skip = 1;
        if take == 1 {
            break;
        }
    }
    // A layout of one value goes on with stride 0.
    Some(if outer.is_empty() { vec![(extent, 0)] } else { coalesce_nonempty(&result) })
}

fn coalesce_nonempty(modes: &[Flat]) -> Vec<Flat> {
    let merged = coalesce(modes);
    if merged.is_empty() { vec![(1, 0)] } else { merged }
}

/// Whether no sum of the inner modes' values carries in the outer shape, so that the outer layout adds up over them.
fn adds(outer: &[Flat], inner: &[Flat]) -> bool {
    let mut capacity: Vec<i64> = outer.iter().map(|mode| mode.0 - 1).collect();
    for &(extent, stride) in inner {
        if extent == 1 || stride == 0 {
            continue;
        }
        // The largest digit in each outer mode, where the walk through the modes is even; otherwise it may be any.
        let (mut skip, mut take) = (stride, extent);
        if stride < 0 {
            return false;
        }
        for (position, &(extent, _)) in outer.iter().enumerate() {
            if position + 1 == outer.len() {
                break;
            }
            if skip >= extent {
                if skip % extent != 0 {
                    return false;
                }
                skip /= extent;
                continue;
            }
            if extent % skip != 0 {
                return false;
            }
            let here = (extent / skip).min(take);
            if take % here != 0 {
                return false;
            }
            capacity[position] -= skip * (here - 1);
            if capacity[position] < 0 {
                return false;
            }
            take /= here;
            skip = 1;
            if take == 1 {
                break;
            }
        }
    }
    true
}

/// Flat modes for a table of values that begins with 0.
///
/// The first mode is the longest run of equal steps: a shorter one would coalesce with what follows.
fn recognise(values: &[i64]) -> Result<Vec<Flat>, CuteError> {
    let mut modes: Vec<Flat> = Vec::new();
    let mut unit = 1;
    let fault = |modes: &[Flat], index: usize| {
        let expected = at(modes, index as i64);
        CuteError::NotALayout { index: index as i64, expected, value: values[index] }
    };
    while unit < values.len() {
        let stride = values[unit];
        let run = (1..).take_while(|k| k * unit < values.len() && values[k * unit] == *k as i64 * stride).count() + 1;
        modes.push((run as i64, stride));
        let end = (run * unit).min(values.len());
        if let Some(index) = (unit..end).find(|&index| values[index] != at(&modes, index as i64)) {
            return Err(fault(&modes, index));
        }
        if run * unit > values.len() || !(values.len() / unit).is_multiple_of(run) {
            let index = (run * unit).min(values.len() - 1);
            return Err(fault(&modes, index));
        }
        unit *= run;
    }
    Ok(if modes.is_empty() { vec![(1, 0)] } else { modes })
}
