//! Tensor maps: how a tensor lies in global memory, and the boxes of it that bulk copies move.
//!
//! The 128 bytes of a map are opaque to programs, which only pass them on or replace fields; their order here is our own.
//! Coordinates and extents begin with the dimension whose elements lie side by side.

use raddle_ir::{Float, Scalar};

use super::float::Format;
use super::types::{Kind, Ty};

/// Dimensions of a tensor, at most.
pub const RANK_MAX: usize = 5;
/// Bytes of a map in memory.
pub(super) const MAP_BYTES: usize = 128;

/// How chunks of 16 bytes are exchanged in shared memory: the bytes in which they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Swizzle {
    /// Not at all.
    None,
    /// In 32 bytes.
    B32,
    /// In 64 bytes.
    B64,
    /// In 128 bytes.
    B128,
}

impl Swizzle {
    /// The one of so many bytes.
    pub fn of_bytes(bytes: u32) -> Option<Swizzle> {
        Some(match bytes {
            0 => Swizzle::None,
            32 => Swizzle::B32,
            64 => Swizzle::B64,
            128 => Swizzle::B128,
            _ => return None,
        })
    }

    /// The address behind the exchange: bits 7 and up say which chunks change places.
    fn apply(self, address: u64) -> u64 {
        let chunks = match self {
            Swizzle::None => return address,
            Swizzle::B32 => 2,
            Swizzle::B64 => 4,
            Swizzle::B128 => 8,
        };
        address ^ (address >> 7 & (chunks - 1)) << 4
    }
}

/// A map, innermost dimension first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TensorMap {
    /// What an element is, by the numbers of `tensormap.replace`.
    pub elem: u32,
    /// Extents of the tensor.
    pub extents: Vec<u32>,
    /// Bytes from one element to the next in all dimensions but the innermost.
    pub strides: Vec<u64>,
    /// Extents of a box.
    pub block: Vec<u32>,
    /// Steps of a box through the tensor.
    pub steps: Vec<u32>,
    /// The order of a box in shared memory.
    pub swizzle: Swizzle,
    /// Whether elements outside are NaN rather than zero.
    pub fills_nan: bool,
}

/// Element types, by their numbers (PTX ISA, "tensormap.replace").
pub const ELEMS: [(&str, u32); 12] = [
    ("u8", 1),
    ("u16", 2),
    ("u32", 4),
    ("s32", 4),
    ("u64", 8),
    ("s64", 8),
    ("f16", 2),
    ("f32", 4),
    ("f32", 4),
    ("f64", 8),
    ("bf16", 2),
    ("tf32", 4),
];

/// Fields of a map: where the first is, and the bytes of each.
pub(super) const FIELDS: [(&str, u64, usize); 11] = [
    ("global_address", 0, 8),
    ("global_stride", 8, 8),
    ("global_dim", 40, 4),
    ("box_dim", 60, 4),
    ("element_stride", 80, 4),
    ("rank", 100, 4),
    ("elemtype", 104, 4),
    ("swizzle_mode", 108, 4),
    ("fill_mode", 112, 4),
    ("interleave_layout", 116, 4),
    ("swizzle_atomicity", 120, 4),
];

/// A part of a box whose bytes lie side by side on both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    /// Where it is in global memory; nowhere if it lies outside of the tensor.
    pub global: Option<u64>,
    pub shared: u64,
    pub bytes: usize,
}

impl TensorMap {
    /// The map of a dense tensor with its outermost dimension first, as arrays have it, and of boxes in the same order;
    /// nothing if elements of this type cannot be copied so.
    pub fn of(elem: Scalar, shape: &[i64], block: &[u32]) -> Option<TensorMap> {
        let name = match elem {
            Scalar::Float(Float::F16) => "f16",
            Scalar::Float(Float::BF16) => "bf16",
            Scalar::Float(Float::F32) => "f32",
            Scalar::Float(Float::F64) => "f64",
            elem => ["u8", "u16", "u32", "u64"].into_iter().zip([8, 16, 32, 64]).find(|row| row.1 == elem.bits())?.0,
        };
        let elem = ELEMS.iter().position(|row| row.0 == name)?;
        let extents = shape.iter().rev().map(|&extent| u32::try_from(extent).ok()).collect::<Option<Vec<u32>>>()?;
        let mut bytes = u64::from(ELEMS[elem].1);
        let mut strides = Vec::new();
        for &extent in extents.iter().take(extents.len().saturating_sub(1)) {
            bytes = bytes.checked_mul(u64::from(extent))?;
            strides.push(bytes);
        }
        let block: Vec<u32> = block.iter().rev().copied().collect();
        let steps = vec![1; block.len()];
        Some(TensorMap { elem: elem as u32, extents, strides, block, steps, swizzle: Swizzle::None, fills_nan: false })
    }

    /// The bytes of a map of a buffer.
    pub(super) fn encode(&self, base: u64) -> [u8; MAP_BYTES] {
        let mut bytes = [0; MAP_BYTES];
        let mut put = |at: usize, word: u64, n: usize| bytes[at..at + n].copy_from_slice(&word.to_le_bytes()[..n]);
        put(0, base, 8);
        for at in 0..self.extents.len() {
            if at > 0 {
                put(8 * at, self.strides[at - 1], 8);
            }
            put(40 + 4 * at, u64::from(self.extents[at]), 4);
            put(60 + 4 * at, u64::from(self.block[at]), 4);
            put(80 + 4 * at, u64::from(self.steps[at]), 4);
        }
        put(100, self.extents.len() as u64 - 1, 4);
        put(104, u64::from(self.elem), 4);
        put(108, self.swizzle as u64, 4);
        put(112, u64::from(self.fills_nan), 4);
        bytes
    }

    /// The map and the address of its tensor; what is wrong with the bytes if they are not a map.
    pub(super) fn decode(bytes: &[u8]) -> Result<(TensorMap, u64), &'static str> {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        let rank = word(100) as usize + 1;
        if rank > RANK_MAX || word(104) as usize >= ELEMS.len() {
            return Err("its rank or its element type is none");
        }
        if word(116) != 0 {
            return Err("interleaved layouts are not executed yet");
        }
        if word(120) != 0 {
            return Err("swizzles of chunks of more than 16 bytes are not executed yet");
        }
        let list = |at: usize| (0..rank).map(|dim| word(at + 4 * dim)).collect::<Vec<u32>>();
        let swizzle = match word(108) {
            0 => Swizzle::None,
            1 => Swizzle::B32,
            2 => Swizzle::B64,
            3 => Swizzle::B128,
            _ => return Err("its swizzle is none"),
        };
        let strides = (1..rank).map(|dim| long(8 * dim)).collect();
        let (extents, block, steps) = (list(40), list(60), list(80));
        let map = TensorMap { elem: word(104), extents, strides, block, steps, swizzle, fills_nan: word(112) == 1 };
        map.check()?;
        Ok((map, long(0)))
    }

    /// What is wrong with a map (CUDA driver API, `cuTensorMapEncodeTiled`).
    pub fn check(&self) -> Result<(), &'static str> {
        let n = self.extents.len();
        if n == 0 || n > RANK_MAX || self.block.len() != n || self.steps.len() != n || self.strides.len() + 1 != n {
            return Err("a map has 1 to 5 dimensions, a box and steps of as many, and a stride for each but the first");
        }
        if self.extents.contains(&0) {
            return Err("an extent is zero");
        }
        if self.block.iter().any(|&extent| extent == 0 || extent > 256) {
            return Err("a box has 1 to 256 elements in each dimension");
        }
        if self.steps.iter().any(|&step| step == 0 || step > 8) {
            return Err("the steps of a box are 1 to 8");
        }
        if self.strides.iter().any(|stride| !stride.is_multiple_of(16)) {
            return Err("strides are multiples of 16 bytes");
        }
        let row = u64::from(self.block[0].div_ceil(self.steps[0])) * self.elem_bytes() as u64;
        if !row.is_multiple_of(16) {
            return Err("the rows of a box are multiples of 16 bytes");
        }
        let width = [u64::MAX, 32, 64, 128][self.swizzle as usize];
        if row > width {
            return Err("the rows of a box are wider than its swizzle");
        }
        Ok(())
    }

    pub(super) fn elem_bytes(&self) -> usize {
        ELEMS[self.elem as usize].1 as usize
    }

    /// The element's type, for copies that compute.
    pub(super) fn ty(&self) -> Option<Ty> {
        Ty::of(ELEMS[self.elem as usize].0)
    }

    /// What stands outside of the tensor: elements, as often as eight bytes hold one.
    pub(super) fn fill(&self) -> [u8; 8] {
        let nan = match self.ty().map(|ty| ty.kind) {
            Some(Kind::Float(format)) if self.fills_nan => match format {
                Format::TF32 => Format::F32.nan(),
                format => format.nan(),
            },
            _ => 0,
        };
        let (bytes, element) = (nan.to_le_bytes(), self.elem_bytes());
        std::array::from_fn(|at| bytes[at % element])
    }

    /// Bytes of a box.
    pub(super) fn box_bytes(&self) -> u64 {
        let lists = self.block.iter().zip(&self.steps);
        lists.map(|(extent, step)| u64::from(extent.div_ceil(*step))).product::<u64>() * self.elem_bytes() as u64
    }

    /// Bytes of four rows of a box.
    pub(super) fn four_rows_bytes(&self) -> u64 {
        4 * u64::from(self.block[0].div_ceil(self.steps[0])) * self.elem_bytes() as u64
    }

    /// The parts of four rows of a box (`tile::gather4`): the column where it begins, and each row.
    pub(super) fn four_rows(&self, base: u64, coordinates: &[i32], shared: u64) -> Vec<Part> {
        let row = TensorMap { block: vec![self.block[0], 1], steps: vec![self.steps[0], 1], ..self.clone() };
        let rows = coordinates[1..].iter().zip((0..).map(|at| shared + at * row.box_bytes()));
        rows.flat_map(|(&at, shared)| row.parts(base, &[coordinates[0], at], shared)).collect()
    }

    /// The parts of the box at these coordinates, whose first byte is at `shared`.
    pub(super) fn parts(&self, base: u64, coordinates: &[i32], shared: u64) -> Vec<Part> {
        let each = self.elem_bytes();
        let counts: Vec<i64> =
            self.block.iter().zip(&self.steps).map(|(extent, step)| i64::from(extent.div_ceil(*step))).collect();
        let rows: i64 = counts[1..].iter().product();
        let mut parts: Vec<Part> = Vec::new();
        let mut offset = 0;
        for row in 0..rows {
            let (mut rest, mut is_inside, mut address) = (row, true, base);
            for dim in 1..counts.len() {
                let at = i64::from(coordinates[dim]) + rest % counts[dim] * i64::from(self.steps[dim]);
                rest /= counts[dim];
                is_inside &= at >= 0 && at < i64::from(self.extents[dim]);
                address = address.wrapping_add((at as u64).wrapping_mul(self.strides[dim - 1]));
            }
            for column in 0..counts[0] {
                let at = i64::from(coordinates[0]) + column * i64::from(self.steps[0]);
                let is_inside = is_inside && at >= 0 && at < i64::from(self.extents[0]);
                let global = is_inside.then(|| address.wrapping_add((at as u64).wrapping_mul(each as u64)));
                let place = shared + offset;
                let place = self.swizzle.apply(place & !15) | place & 15;
                offset += each as u64;
                // Elements that lie side by side on both sides go together, up to 16 bytes.
                if let Some(last) = parts.last_mut() {
                    let behind = last.global.map(|global| global.wrapping_add(last.bytes as u64));
                    if last.bytes + each <= 16 && last.shared + last.bytes as u64 == place && behind == global {
                        last.bytes += each;
                        continue;
                    }
                }
                parts.push(Part { global, shared: place, bytes: each });
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(extents: &[u32], block: &[u32], swizzle: Swizzle) -> TensorMap {
        let mut strides = Vec::new();
        let mut bytes = 2;
        for &extent in &extents[..extents.len() - 1] {
            bytes *= u64::from(extent);
            strides.push(bytes);
        }
        TensorMap {
            elem: 6,
            extents: extents.to_vec(),
            strides,
            block: block.to_vec(),
            steps: vec![1; block.len()],
            swizzle,
            fills_nan: false,
        }
    }

    /// A map comes back from its bytes.
    #[test]
    fn bytes_hold_a_map() {
        let mut map = map(&[64, 24, 8], &[8, 4, 2], Swizzle::B32);
        map.fills_nan = true;
        assert_eq!(TensorMap::decode(&map.encode(77)), Ok((map, 77)));
        assert!(TensorMap::decode(&[0; MAP_BYTES]).is_err());
    }

    /// Every byte of a box has its own place in shared memory; the elements are those of the coordinates.
    #[test]
    fn boxes_cover_shared_memory() {
        for swizzle in [Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128] {
            let map = map(&[40, 20], &[16, 32], swizzle);
            let parts = map.parts(1 << 20, &[32, -4], 4096);
            let mut places: Vec<u64> =
                parts.iter().flat_map(|part| (0..part.bytes as u64).map(move |at| part.shared + at)).collect();
            places.sort_unstable();
            assert_eq!(places, (4096..4096 + 1024).collect::<Vec<u64>>(), "{swizzle:?}");
            let inside: usize = parts.iter().filter(|part| part.global.is_some()).map(|part| part.bytes).sum();
            // Columns 32 to 39 of rows 0 to 19.
            assert_eq!(inside, 8 * 20 * 2);
            let first = parts.iter().filter_map(|part| part.global).min();
            assert_eq!(first, Some((1 << 20) + 64));
        }
    }

    /// The second row of 128 bytes has its first two chunks exchanged.
    #[test]
    fn rows_of_a_swizzled_box_change_places() {
        let map = map(&[64, 8], &[64, 8], Swizzle::B128);
        let parts = map.parts(0, &[0, 0], 0);
        let at = |global: u64| parts.iter().find(|part| part.global == Some(global)).map(|part| part.shared);
        assert_eq!(at(128), Some(128 + 16));
        assert_eq!(at(128 + 16), Some(128));
    }
}
