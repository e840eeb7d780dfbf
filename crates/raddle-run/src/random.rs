//! Random tensors: the same seed gives the same bits on every platform.
//!
//! Numbers come from PCG-32 (one stream for each tensor), made normal by the Box-Muller transform in `f64` with
//! software `ln` and `cos`, then rounded to the element type.

use rand_pcg::Lcg64Xsh32;
use rand_pcg::rand_core::Rng;

use raddle_emu::Tensor;
use raddle_ir::Scalar;

/// A tensor of standard normal numbers rounded to `elem`; integers are four times that, rounded, so that small ones are
/// frequent and both signs occur. `stream` is the position of the tensor among its fellows.
pub fn normal(elem: Scalar, shape: &[i64], seed: u64, stream: u64) -> Tensor {
    let n_elements = shape.iter().product::<i64>() as usize;
    let mut rng = Lcg64Xsh32::new(seed, stream);
    let mut values = Vec::with_capacity(n_elements + 1);
    while values.len() < n_elements {
        // In (0, 1], so that the logarithm is finite.
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - uniform(&mut rng)));
        let angle = std::f64::consts::TAU * uniform(&mut rng);
        values.extend([radius * libm::cos(angle), radius * libm::sin(angle)]);
    }
    values.truncate(n_elements);
    match elem {
        Scalar::Float(_) => {}
        Scalar::Int(1) => values.iter_mut().for_each(|value| *value = f64::from(*value > 0.0)),
        Scalar::Int(_) => values.iter_mut().for_each(|value| *value = (*value * 4.0).round()),
        // Indices address something: they are not negative.
        Scalar::Index => values.iter_mut().for_each(|value| *value = (*value * 4.0).round().abs()),
    }
    Tensor::from_f64(elem, shape, &values)
}

/// A tensor of whole numbers from 0 to `end - 1`, each as likely as any other.
pub fn below(elem: Scalar, shape: &[i64], end: i64, seed: u64, stream: u64) -> Tensor {
    let mut rng = Lcg64Xsh32::new(seed, stream);
    let n_elements = shape.iter().product::<i64>();
    let values: Vec<i64> = (0..n_elements).map(|_| (uniform(&mut rng) * end as f64) as i64).collect();
    Tensor::from_i64(elem, shape, &values)
}

/// The same tensor with ones in the place of zeros: one may divide by its elements.
pub fn without_zeros(mut tensor: Tensor) -> Tensor {
    let one = Tensor::from_i64(tensor.elem, &[], &[1]).bytes;
    for element in tensor.bytes.chunks_exact_mut(one.len()).filter(|element| element.iter().all(|&byte| byte == 0)) {
        element.copy_from_slice(&one);
    }
    tensor
}

/// The same tensor of floats with the sizes of its elements: one may take roots of them.
pub fn without_signs(tensor: &Tensor) -> Tensor {
    let sizes: Vec<f64> = tensor.to_f64().into_iter().map(f64::abs).collect();
    Tensor::from_f64(tensor.elem, &tensor.shape, &sizes)
}

/// 53 random bits as a number in [0, 1).
fn uniform(rng: &mut Lcg64Xsh32) -> f64 {
    (rng.next_u64() >> 11) as f64 * 2f64.powi(-53)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::Float;

    /// Mean 0, variance 1, the same twice, and another stream is another tensor.
    #[test]
    fn the_numbers_are_normal_and_repeatable() {
        let elem = Scalar::Float(Float::F32);
        let tensor = normal(elem, &[100, 100], 1, 0);
        let values = tensor.to_f64();
        let mean = values.iter().sum::<f64>() / 1e4;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 1e4;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "mean {mean}, variance {variance}");
        assert_eq!(tensor.bytes, normal(elem, &[100, 100], 1, 0).bytes);
        assert_ne!(tensor.bytes, normal(elem, &[100, 100], 1, 1).bytes);
        assert_ne!(tensor.bytes, normal(elem, &[100, 100], 2, 0).bytes);
    }

    /// Zeros become ones, and nothing else changes.
    #[test]
    fn divisors_are_not_zero() {
        let before = normal(Scalar::Int(16), &[1000], 1, 0);
        let after = without_zeros(before.clone()).to_i64();
        let expected: Vec<i64> = before.to_i64().iter().map(|&value| if value == 0 { 1 } else { value }).collect();
        assert!(before.to_i64().contains(&0) && after == expected);
    }

    /// Each number below the end occurs, and none beyond it.
    #[test]
    fn indices_are_below_the_end() {
        let mut values = below(Scalar::Int(32), &[1000], 7, 1, 0).to_i64();
        values.sort_unstable();
        values.dedup();
        assert_eq!(values, [0, 1, 2, 3, 4, 5, 6]);
    }
}
