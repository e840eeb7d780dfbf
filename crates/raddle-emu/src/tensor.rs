//! Tensors as files and callers know them: an element type, a shape, and bytes.

use num_bigint::BigInt;
use raddle_ir::float;
use raddle_ir::views::wide_int;
use raddle_ir::{Float, Scalar};

use crate::ops::wide;

/// A dense tensor, row-major and little-endian, [`Scalar::bytes`] for each element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tensor {
    /// What an element is.
    pub elem: Scalar,
    /// The extents; empty for a single number.
    pub shape: Vec<i64>,
    /// The elements.
    pub bytes: Vec<u8>,
}

impl Tensor {
    /// All zeros. The caller has checked that the size is one that fits memory.
    pub fn zeros(elem: Scalar, shape: &[i64]) -> Tensor {
        Tensor { elem, shape: shape.to_vec(), bytes: vec![0; n_elements(shape) * elem.bytes()] }
    }

    /// The numbers, each rounded to the element type; integers are truncated and wrapped.
    pub fn from_f64(elem: Scalar, shape: &[i64], values: &[f64]) -> Tensor {
        assert_eq!(values.len(), n_elements(shape), "one value for each element");
        if elem.is_wide() {
            let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
            return Tensor::from_integers(elem, shape, values.iter().map(|&value| wide::whole(finite(value))));
        }
        let mut tensor = Tensor::zeros(elem, shape);
        for (at, &value) in values.iter().enumerate() {
            tensor.set_word(
                at,
                match elem {
                    Scalar::Float(float) => word_of(float, value),
                    Scalar::Int(_) | Scalar::Index => value as i64 as u64,
                },
            );
        }
        tensor
    }

    /// Integers, wrapped to the element type, which is one of integers.
    pub fn from_integers(elem: Scalar, shape: &[i64], values: impl IntoIterator<Item = BigInt>) -> Tensor {
        assert!(!matches!(elem, Scalar::Float(_)), "the elements are integers");
        let width = elem.bits();
        let bytes: Vec<u8> = values
            .into_iter()
            .flat_map(|value| wide::to_bytes(&wide::wrap(value, width), width, elem.bytes()))
            .collect();
        assert_eq!(bytes.len(), n_elements(shape) * elem.bytes(), "one value for each element");
        Tensor { elem, shape: shape.to_vec(), bytes }
    }

    /// Every element as an integer of any width, sign-extended; the elements are integers.
    pub fn to_integers(&self) -> Vec<BigInt> {
        assert!(!matches!(self.elem, Scalar::Float(_)), "the elements are integers");
        let width = self.elem.bits();
        let used = width.div_ceil(8) as usize;
        let chunks = self.bytes.chunks_exact(self.elem.bytes());
        // Bits beyond the width mean nothing.
        chunks.map(|chunk| wide::wrap(wide_int(&chunk[..used], width, false), width)).collect()
    }

    /// Integers, wrapped to the element type (rounded if that is a float).
    pub fn from_i64(elem: Scalar, shape: &[i64], values: &[i64]) -> Tensor {
        assert_eq!(values.len(), n_elements(shape), "one value for each element");
        if elem.is_wide() {
            return Tensor::from_integers(elem, shape, values.iter().map(|&value| BigInt::from(value)));
        }
        let mut tensor = Tensor::zeros(elem, shape);
        for (at, &value) in values.iter().enumerate() {
            tensor.set_word(
                at,
                match elem {
                    Scalar::Float(float) => word_of(float, value as f64),
                    Scalar::Int(_) | Scalar::Index => value as u64,
                },
            );
        }
        tensor
    }

    /// The number of elements that the shape asks for.
    pub fn n_elements(&self) -> usize {
        n_elements(&self.shape)
    }

    /// Every element as the nearest `f64`.
    pub fn to_f64(&self) -> Vec<f64> {
        if self.elem.is_wide() {
            return self.to_integers().iter().map(wide::nearest).collect();
        }
        let number = |at: usize| match self.elem {
            Scalar::Float(float) => value_of(float, self.word(at)),
            Scalar::Int(_) | Scalar::Index => self.int(at) as f64,
        };
        (0..self.n_elements()).map(number).collect()
    }

    /// Every element as an integer: sign-extended, `i1` as 0 or 1, floats truncated, of wider ones the lowest 64 bits.
    pub fn to_i64(&self) -> Vec<i64> {
        let number = |at: usize| match self.elem {
            Scalar::Float(float) => value_of(float, self.word(at)) as i64,
            Scalar::Int(_) | Scalar::Index => self.int(at),
        };
        (0..self.n_elements()).map(number).collect()
    }

    /// The bits of one element, the lowest 64 of a wider one.
    pub fn word(&self, at: usize) -> u64 {
        let size = self.elem.bytes().min(8);
        let start = at * self.elem.bytes();
        self.bytes[start..start + size].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
    }

    /// Every element as an `f32`, exact for floats of at most 32 bits.
    pub(crate) fn to_f32s(&self) -> Vec<f32> {
        let halves = self.bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        match self.elem {
            Scalar::Float(Float::F32) => {
                self.bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
            }
            Scalar::Float(Float::F16) => halves.map(f16_to_f32).collect(),
            Scalar::Float(Float::BF16) => halves.map(|half| f32::from_bits(u32::from(half) << 16)).collect(),
            _ => self.to_f64().into_iter().map(|x| x as f32).collect(),
        }
    }

    /// A tensor of floats that hold values of the element type already.
    pub(crate) fn from_f32s(elem: Scalar, shape: &[i64], values: &[f32]) -> Tensor {
        assert_eq!(values.len(), n_elements(shape), "one value for each element");
        let bytes = match elem {
            Scalar::Float(Float::F32) => values.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Scalar::Float(Float::F16) => values.iter().flat_map(|&x| f32_to_f16(x).to_le_bytes()).collect(),
            Scalar::Float(Float::BF16) => {
                values.iter().flat_map(|x| ((x.to_bits() >> 16) as u16).to_le_bytes()).collect()
            }
            _ => {
                let values: Vec<f64> = values.iter().map(|&x| f64::from(x)).collect();
                return Tensor::from_f64(elem, shape, &values);
            }
        };
        Tensor { elem, shape: shape.to_vec(), bytes }
    }

    fn set_word(&mut self, at: usize, word: u64) {
        let size = self.elem.bytes().min(8);
        let start = at * self.elem.bytes();
        let bits = self.elem.bits().min(64);
        // A tf32 number occupies the upper bits of a 32-bit word.
        let bits = if self.elem == Scalar::Float(Float::TF32) { 32 } else { bits };
        let word = if bits == 64 { word } else { word & ((1 << bits) - 1) };
        self.bytes[start..start + size].copy_from_slice(&word.to_le_bytes()[..size]);
    }

    fn int(&self, at: usize) -> i64 {
        crate::round::wrap(self.word(at) as i64, self.elem.bits())
    }
}

/// The product of the extents.
pub(crate) fn n_elements(shape: &[i64]) -> usize {
    shape.iter().map(|&extent| extent.max(0) as usize).product()
}

/// The number of elements as long as it is at most `max`; `None` also for a dynamic extent.
pub(crate) fn checked_elements(shape: &[i64], max: usize) -> Option<usize> {
    let mut n: usize = 1;
    for &extent in shape {
        n = n.checked_mul(usize::try_from(extent).ok()?)?;
        if n > max {
            return None;
        }
    }
    Some(n)
}

/// The word in memory. A tf32 number is kept as the f32 that it is.
fn word_of(float: Float, value: f64) -> u64 {
    match float {
        Float::TF32 => u64::from((float::round(Float::TF32, value) as f32).to_bits()),
        float => float::encode(float, value),
    }
}

fn value_of(float: Float, word: u64) -> f64 {
    match float {
        // Hardware ignores the lower 13 bits.
        Float::TF32 => f64::from(f32::from_bits(word as u32 & !0x1fff)),
        float => float::decode(float, word),
    }
}

/// Exponents of f16 lie 112 below those of f32: the bits, moved into place, are 2^112 times too small, and the exact
/// multiplication makes subnormals normal.
fn f16_to_f32(half: u16) -> f32 {
    let magnitude = u32::from(half & 0x7fff) << 13;
    let sign = u32::from(half & 0x8000) << 16;
    let special = magnitude >= 0x7c00 << 13;
    let value = f32::from_bits(magnitude) * f32::from_bits(0x7780_0000);
    f32::from_bits(sign | if special { magnitude | 0x7f80_0000 } else { value.to_bits() })
}

/// The way back, for a value that f16 has.
fn f32_to_f16(x: f32) -> u16 {
    let sign = (x.to_bits() >> 16) as u16 & 0x8000;
    let magnitude = x.abs();
    let bits = if x.is_nan() {
        0x7e00
    } else if magnitude == f32::INFINITY {
        0x7c00
    } else {
        // 2^-112
        ((magnitude * f32::from_bits(0x0780_0000)).to_bits() >> 13) as u16
    };
    sign | bits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fast ways in and out agree with the tables, for every 16-bit word.
    #[test]
    fn every_word_of_16_bits_round_trips() {
        for float in [Float::F16, Float::BF16] {
            let elem = Scalar::Float(float);
            let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
            let tensor = Tensor { elem, shape: vec![1 << 16], bytes };
            let fast = tensor.to_f32s();
            for (word, (&fast, slow)) in fast.iter().zip(tensor.to_f64()).enumerate() {
                assert!(
                    f64::from(fast).to_bits() == slow.to_bits() || fast.is_nan() && slow.is_nan(),
                    "{float:?} {word:#x}"
                );
            }
            let back = Tensor::from_f32s(elem, &tensor.shape, &fast);
            for (word, (back, &value)) in back.to_f64().into_iter().zip(&fast).enumerate() {
                assert!(back == f64::from(value) || value.is_nan() && back.is_nan(), "{float:?} {word:#x}");
            }
        }
    }

    /// What a tensor of small integers holds comes back, whatever the element type.
    #[test]
    fn small_integers_round_trip() {
        let values = [-2.0, -1.0, 0.0, 1.0];
        for elem in
            [Scalar::Int(8), Scalar::Int(32), Scalar::Index, Scalar::Float(Float::F16), Scalar::Float(Float::TF32)]
        {
            assert_eq!(Tensor::from_f64(elem, &[2, 2], &values).to_f64(), values, "{elem}");
        }
        assert_eq!(Tensor::from_i64(Scalar::Int(1), &[2], &[-1, 0]).to_i64(), [1, 0]);
        assert_eq!(Tensor::from_i64(Scalar::Int(4), &[2], &[9, 7]).to_i64(), [-7, 7]);
    }
}
