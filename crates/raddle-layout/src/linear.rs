//! Linear layouts: bases over F2 for named dimensions, Triton's spelling.
//!
//! Each bit of each input dimension has an image, a vector of all output dimensions' bits. The value at some inputs
//! is the xor of the images of their set bits. All extents are powers of two; others have no linear layout.

use std::fmt;

mod text;

pub use text::dims_of;

use crate::f2::{BITS_MAX, F2Error, Matrix, Space, combine, low_bits};
use crate::layout::{BitForm, Column, LayoutError};
use crate::sort::sort_by_key;
use crate::{Hardware, Kind, Layout};

/// A linear layout.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Linear {
    // Images are packed with the first output dimension lowest.
    ins: Vec<(String, Vec<u64>)>,
    outs: Vec<(String, usize)>,
}

/// Why an operation on linear layouts has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinearError {
    /// Text that is not a layout, and what is wrong with it.
    Text(String),
    /// The map has no inverse, is too wide, or does not fit another one.
    F2(F2Error),
    /// There is no dimension of this name, or it is there twice.
    Name(String),
    /// The dimensions of two maps differ.
    Dims {
        /// One map's.
        first: Vec<(String, usize)>,
        /// The other's.
        second: Vec<(String, usize)>,
    },
    /// The factor is not where it would have to be: bit `bit` of input `dim` differs.
    NoFactor {
        /// The input dimension.
        dim: String,
        /// Its bit.
        bit: usize,
    },
    /// The layout has no bases.
    Layout(LayoutError),
}

impl fmt::Display for LinearError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinearError::Text(why) => f.write_str(why),
            LinearError::F2(error) => error.fmt(f),
            LinearError::Name(name) => write!(f, "there is not exactly one dimension `{name}`"),
            LinearError::Dims { first, second } => write!(f, "dimensions {first:?} and {second:?} differ"),
            LinearError::NoFactor { dim, bit } => write!(f, "the factor does not divide the layout at {dim} bit {bit}"),
            LinearError::Layout(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LinearError {}

impl From<F2Error> for LinearError {
    fn from(error: F2Error) -> LinearError {
        LinearError::F2(error)
    }
}

impl From<LayoutError> for LinearError {
    fn from(error: LayoutError) -> LinearError {
        LinearError::Layout(error)
    }
}

impl Linear {
    /// A map from the images of each input's bits; an image lists a value for each output dimension. Output
    /// dimensions come with their number of bits.
    pub fn new(ins: &[(&str, &[&[u64]])], outs: &[(&str, usize)]) -> Result<Linear, LinearError> {
        let outs: Vec<(String, usize)> = outs.iter().map(|&(name, bits)| (name.to_string(), bits)).collect();
        let mut packed = Vec::new();
        for &(name, images) in ins {
            let mut column = Vec::new();
            for image in images {
                column.push(pack(image, &outs)?);
            }
            packed.push((name.to_string(), column));
        }
        Linear { ins: packed, outs }.check()
    }

    /// The map of `2^bits` values of `from` to themselves in `to`.
    pub fn identity(bits: usize, from: &str, to: &str) -> Linear {
        let images = (0..bits).map(|bit| 1 << bit).collect();
        Linear { ins: vec![(from.to_string(), images)], outs: vec![(to.to_string(), bits)] }
    }

    /// The map of `2^bits` values of `from` to 0 in `to`: replicas.
    pub fn zeros(bits: usize, from: &str, to: &str) -> Linear {
        Linear { ins: vec![(from.to_string(), vec![0; bits])], outs: vec![(to.to_string(), 0)] }
    }

    /// The input dimensions with their numbers of bits.
    pub fn ins(&self) -> Vec<(String, usize)> {
        self.ins.iter().map(|(name, images)| (name.clone(), images.len())).collect()
    }

    /// The output dimensions with their numbers of bits.
    pub fn outs(&self) -> &[(String, usize)] {
        &self.outs
    }

    /// The value of each output dimension for these values of each input dimension.
    pub fn apply(&self, values: &[u64]) -> Vec<u64> {
        assert_eq!(values.len(), self.ins.len(), "one value for each input dimension");
        let image = self.ins.iter().zip(values).fold(0, |all, ((_, images), &value)| all ^ combine(images, value));
        unpack(image, &self.outs)
    }

    /// The image of each bit of an input, as the values of the output dimensions.
    pub fn bases(&self, name: &str) -> Result<Vec<Vec<u64>>, LinearError> {
        let (_, images) = &self.ins[self.find(name)?];
        Ok(images.iter().map(|&image| unpack(image, &self.outs)).collect())
    }

    /// The whole map as one matrix: inputs and outputs packed with the first dimension lowest.
    pub fn matrix(&self) -> Matrix {
        let columns = self.ins.iter().flat_map(|(_, images)| images.iter().copied()).collect();
        Matrix::new(self.n_rows(), columns).unwrap_or_else(|error| unreachable!("checked when built: {error}"))
    }

    /// Whether every output has an input.
    pub fn is_surjective(&self) -> bool {
        self.matrix().rank() == self.n_rows()
    }

    /// Whether no two inputs have the same output.
    pub fn is_injective(&self) -> bool {
        self.matrix().rank() == self.matrix().columns().len()
    }

    /// For each input dimension the bits that do not matter because earlier bits reach the same outputs.
    pub fn free_bits(&self) -> Vec<(String, u64)> {
        let mut seen = Space::default();
        let mut free = |images: &[u64]| {
            let bits = images.iter().enumerate().map(|(bit, &image)| u64::from(!seen.insert(image)) << bit);
            bits.fold(0, |all, bit| all | bit)
        };
        self.ins.iter().map(|(name, images)| (name.clone(), free(images))).collect()
    }

    /// Both side by side: for dimensions of the same name, `outer` has the more significant bits.
    pub fn product(&self, outer: &Linear) -> Result<Linear, LinearError> {
        let mut outs = self.outs.clone();
        for (name, bits) in &outer.outs {
            match outs.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => *known += bits,
                None => outs.push((name.clone(), *bits)),
            }
        }
        if outs.iter().map(|(_, bits)| bits).sum::<usize>() > BITS_MAX {
            return Err(F2Error::TooWide { needed: outs.iter().map(|(_, bits)| bits).sum(), rows: BITS_MAX }.into());
        }
        let spread = |image: u64, of: &Linear, above: bool| {
            let values = unpack(image, &of.outs);
            let shift = |name: &String| {
                let below = self.outs.iter().find(|(known, _)| known == name);
                if above { below.map_or(0, |(_, bits)| *bits) } else { 0 }
            };
            let mut all = vec![0; outs.len()];
            for ((name, _), value) in of.outs.iter().zip(values) {
                if let Some(at) = outs.iter().position(|(known, _)| known == name) {
                    all[at] = if value == 0 { 0 } else { value << shift(name) };
                }
            }
            pack_unchecked(&all, &outs)
        };
        let mut ins: Vec<(String, Vec<u64>)> = Vec::new();
        for (name, images) in &self.ins {
            ins.push((name.clone(), images.iter().map(|&image| spread(image, self, false)).collect()));
        }
        for (name, images) in &outer.ins {
            let images: Vec<u64> = images.iter().map(|&image| spread(image, outer, true)).collect();
            match ins.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => known.extend(images),
                None => ins.push((name.clone(), images)),
            }
        }
        Linear { ins, outs }.check()
    }

    /// First `inner`, then this map; the outputs of `inner` are the inputs of this one.
    pub fn compose(&self, inner: &Linear) -> Result<Linear, LinearError> {
        if self.ins() != inner.outs {
            return Err(LinearError::Dims { first: self.ins(), second: inner.outs.clone() });
        }
        let outer = self.matrix();
        let through = |images: &Vec<u64>| images.iter().map(|&image| outer.apply(image)).collect();
        let ins = inner.ins.iter().map(|(name, images)| (name.clone(), through(images))).collect();
        Ok(Linear { ins, outs: self.outs.clone() })
    }

    /// The map back, of a bijection.
    pub fn invert(&self) -> Result<Linear, LinearError> {
        Ok(self.backwards(&self.matrix().invert()?))
    }

    /// A map from outputs to inputs that reach them, of a surjection; bits that do not matter are 0.
    pub fn pseudo_invert(&self) -> Result<Linear, LinearError> {
        Ok(self.backwards(&self.matrix().pseudo_invert()?))
    }

    /// The inputs of this map that have the same output as each input of `target`.
    pub fn invert_and_compose(&self, target: &Linear) -> Result<Linear, LinearError> {
        self.pseudo_invert()?.compose(target)
    }

    /// The `outer` with `tile.product(outer)` equal to this map: the tile has the low bits of its dimensions.
    pub fn divide_left(&self, tile: &Linear) -> Result<Linear, LinearError> {
        self.divide(tile, true)
    }

    /// The `inner` with `inner.product(tile)` equal to this map: the tile has the high bits of its dimensions.
    pub fn divide_right(&self, tile: &Linear) -> Result<Linear, LinearError> {
        self.divide(tile, false)
    }

    fn divide(&self, tile: &Linear, low: bool) -> Result<Linear, LinearError> {
        let taken = |list: &[(String, usize)], name: &String| {
            list.iter().find(|(known, _)| known == name).map_or(0, |(_, bits)| *bits)
        };
        let tile_ins = tile.ins();
        let foreign = |mine: &[(String, usize)], name: &String, bits: usize| taken(mine, name) < bits;
        if let Some((dim, bits)) = tile_ins.iter().find(|(name, bits)| foreign(&self.ins(), name, *bits)) {
            return Err(LinearError::NoFactor { dim: dim.clone(), bit: *bits });
        }
        if tile.outs.iter().any(|(name, bits)| foreign(&self.outs, name, *bits)) {
            return Err(LinearError::Dims { first: self.outs.clone(), second: tile.outs.clone() });
        }
        let outs: Vec<(String, usize)> =
            self.outs.iter().map(|(name, bits)| (name.clone(), bits - taken(&tile.outs, name))).collect();
        let mut ins = Vec::new();
        for (name, images) in &self.ins {
            let skip = taken(&tile_ins, name);
            let range = if low { skip..images.len() } else { 0..images.len() - skip };
            let mut rest = Vec::new();
            for bit in range {
                let values = unpack(images[bit], &self.outs);
                let cut = values.iter().zip(&outs).map(|(value, (out, bits))| {
                    let skip = if low { taken(&tile.outs, out) } else { 0 };
                    let kept = if skip >= BITS_MAX { 0 } else { value >> skip & low_bits(*bits) };
                    if kept << skip == *value {
                        Ok(kept)
                    } else {
                        Err(LinearError::NoFactor { dim: name.clone(), bit })
                    }
                });
                rest.push(pack_unchecked(&cut.collect::<Result<Vec<_>, _>>()?, &outs));
            }
            ins.push((name.clone(), rest));
        }
        let quotient = Linear { ins, outs };
        let product = if low { tile.product(&quotient)? } else { quotient.product(tile)? };
        let product = product.in_order_of(self)?;
        for ((name, ours), (_, theirs)) in self.ins.iter().zip(&product.ins) {
            if let Some(bit) = (0..ours.len()).find(|&bit| ours[bit] != theirs[bit]) {
                return Err(LinearError::NoFactor { dim: name.clone(), bit });
            }
        }
        Ok(quotient)
    }

    /// This map with the dimensions in the order of another one.
    pub fn in_order_of(&self, other: &Linear) -> Result<Linear, LinearError> {
        let ins: Vec<&str> = other.ins.iter().map(|(name, _)| name.as_str()).collect();
        let outs: Vec<&str> = other.outs.iter().map(|(name, _)| name.as_str()).collect();
        self.sublayout(&ins, &outs)
    }

    /// The map of some inputs to some outputs; the other inputs are 0, the other outputs forgotten.
    pub fn sublayout(&self, ins: &[&str], outs: &[&str]) -> Result<Linear, LinearError> {
        let kept = outs.iter().map(|&name| {
            let at = self.outs.iter().position(|(known, _)| known == name);
            at.ok_or_else(|| LinearError::Name(name.to_string()))
        });
        let kept = kept.collect::<Result<Vec<_>, _>>()?;
        let new_outs: Vec<(String, usize)> = kept.iter().map(|&at| self.outs[at].clone()).collect();
        let mut new_ins = Vec::new();
        for name in ins {
            let (name, images) = &self.ins[self.find(name)?];
            let image = |&image: &u64| {
                let values = unpack(image, &self.outs);
                pack_unchecked(&kept.iter().map(|&at| values[at]).collect::<Vec<_>>(), &new_outs)
            };
            new_ins.push((name.clone(), images.iter().map(image).collect()));
        }
        Linear { ins: new_ins, outs: new_outs }.check()
    }

    /// The map without an output dimension, for a value that does not vary along it.
    pub fn slice(&self, out: &str) -> Result<Linear, LinearError> {
        if !self.outs.iter().any(|(name, _)| name == out) {
            return Err(LinearError::Name(out.to_string()));
        }
        let ins: Vec<&str> = self.ins.iter().map(|(name, _)| name.as_str()).collect();
        let outs: Vec<&str> = self.outs.iter().map(|(name, _)| name.as_str()).filter(|name| *name != out).collect();
        self.sublayout(&ins, &outs)
    }

    /// The bases of a layout: inputs `slot`, `lane`, `subgroup` and `offset` as far as they have bits, and outputs
    /// `dim0`, `dim1`, …
    ///
    /// Replicas are zeros. Empty places, parts of sums and extents that are not powers of two have no bases.
    pub fn from_layout(layout: &Layout) -> Result<Linear, LinearError> {
        let form = layout.to_f2()?;
        if let Some(odd) = form.odd.first() {
            return Err(LayoutError::Odd { hardware: odd.hardware, index: 0 }.into());
        }
        if let Some(dim) = layout.shape().iter().position(|extent| extent.count_ones() != 1) {
            return Err(LayoutError::Outside { dim, coord: 0, extent: layout.shape()[dim] }.into());
        }
        let outs: Vec<(String, usize)> =
            (0..layout.rank()).map(|d| (format!("dim{d}"), layout.shape()[d].trailing_zeros() as usize)).collect();
        let mut ins: Vec<(String, Vec<u64>)> = Vec::new();
        for hardware in [Hardware::Slot, Hardware::Lane, Hardware::Subgroup, Hardware::Offset] {
            let mut images = Vec::new();
            for (index, column) in form.of(hardware).enumerate() {
                if matches!(column.kind, Kind::Unused | Kind::Partial) {
                    return Err(LayoutError::Unspeakable { hardware, index, kind: column.kind }.into());
                }
                // The last dimension is lowest in layouts, highest here.
                let reversed: Vec<(String, usize)> = outs.iter().rev().cloned().collect();
                let values: Vec<u64> = unpack(column.image, &reversed).into_iter().rev().collect();
                images.push(pack_unchecked(&values, &outs));
            }
            if !images.is_empty() {
                ins.push((hardware.name().to_string(), images));
            }
        }
        Ok(Linear { ins, outs })
    }

    /// The layout with these bases; the outputs are its dimensions in order.
    pub fn to_layout(&self) -> Result<Layout, LinearError> {
        let shape: Vec<i64> = self.outs.iter().map(|(_, bits)| 1i64 << (*bits).min(62)).collect();
        let mut form = BitForm { shape, columns: Vec::new(), odd: Vec::new() };
        for (name, images) in &self.ins {
            let all = [Hardware::Slot, Hardware::Lane, Hardware::Subgroup, Hardware::Offset];
            let hardware = all.into_iter().find(|hardware| hardware.name() == name);
            let hardware = hardware.ok_or_else(|| LinearError::Name(name.clone()))?;
            for (bit, &image) in images.iter().enumerate() {
                let reversed: Vec<(String, usize)> = self.outs.iter().rev().cloned().collect();
                let values: Vec<u64> = unpack(image, &self.outs).into_iter().rev().collect();
                let image = pack_unchecked(&values, &reversed);
                form.columns.push(Column { hardware, step: 1 << bit.min(62), image, kind: Kind::Shard });
            }
        }
        sort_by_key(&mut form.columns, |column| (column.hardware, column.step));
        Ok(Layout::from_f2(&form)?)
    }

    fn backwards(&self, back: &Matrix) -> Linear {
        let mut columns = back.columns().iter().copied();
        let ins = self.outs.iter().map(|(name, bits)| (name.clone(), columns.by_ref().take(*bits).collect())).collect();
        Linear { ins, outs: self.ins() }
    }

    fn find(&self, name: &str) -> Result<usize, LinearError> {
        self.ins.iter().position(|(known, _)| known == name).ok_or_else(|| LinearError::Name(name.to_string()))
    }

    fn n_rows(&self) -> usize {
        self.outs.iter().map(|(_, bits)| bits).sum()
    }

    fn check(self) -> Result<Linear, LinearError> {
        let twice = |names: Vec<&String>| {
            (1..names.len()).find(|&at| names[..at].contains(&names[at])).map(|at| names[at].clone())
        };
        let ins = twice(self.ins.iter().map(|(name, _)| name).collect());
        if let Some(name) = ins.or(twice(self.outs.iter().map(|(name, _)| name).collect())) {
            return Err(LinearError::Name(name));
        }
        Matrix::new(self.n_rows(), self.ins.iter().flat_map(|(_, images)| images.iter().copied()).collect())?;
        Ok(self)
    }
}

impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, images)) in self.ins.iter().enumerate() {
            let image = |&image: &u64| {
                let values: Vec<String> = unpack(image, &self.outs).iter().map(u64::to_string).collect();
                format!("({})", values.join(", "))
            };
            let images: Vec<String> = images.iter().map(image).collect();
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}{name} = [{}]", images.join(", "))?;
        }
        let outs: Vec<String> = self.outs.iter().map(|(name, bits)| format!("{name} {}", 1u128 << bits)).collect();
        write!(f, " -> {}", outs.join(" x "))
    }
}

fn pack(values: &[u64], outs: &[(String, usize)]) -> Result<u64, LinearError> {
    let wide = |needed, rows| Err(F2Error::TooWide { needed, rows }.into());
    let rows: usize = outs.iter().map(|(_, bits)| bits).sum();
    if rows > BITS_MAX || values.len() != outs.len() {
        return wide(rows.max(values.len()), BITS_MAX.min(outs.len()));
    }
    for (&value, (_, bits)) in values.iter().zip(outs) {
        let needed = BITS_MAX - value.leading_zeros() as usize;
        if needed > *bits {
            return wide(needed, *bits);
        }
    }
    Ok(pack_unchecked(values, outs))
}

fn pack_unchecked(values: &[u64], outs: &[(String, usize)]) -> u64 {
    let mut place = 0;
    let mut all = 0;
    for (&value, (_, bits)) in values.iter().zip(outs) {
        all |= if value == 0 { 0 } else { value << place };
        place += bits;
    }
    all
}

fn unpack(image: u64, outs: &[(String, usize)]) -> Vec<u64> {
    let mut place = 0;
    let mut values = Vec::with_capacity(outs.len());
    for (_, bits) in outs {
        values.push(if *bits == 0 { 0 } else { image >> place & low_bits(*bits) });
        place += bits;
    }
    values
}
