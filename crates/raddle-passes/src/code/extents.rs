//! Arithmetic on lists of extents: strides, positions, bytes, common divisors.

use raddle_ir::Scalar;

/// Every buffer of shared memory begins at a multiple of so many bytes: the widest access.
const BUFFER_ALIGN: i64 = 16;

/// The strides of a row-major numbering: the last dimension's neighbours are 1 apart.
pub fn row_major(counts: &[i64]) -> Vec<i64> {
    (0..counts.len()).map(|d| counts[d + 1..].iter().product()).collect()
}

/// The positions of a shape, the last dimension fastest.
pub fn positions(shape: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for &extent in shape {
        all = all.into_iter().flat_map(|at| (0..extent).map(move |i| [&at[..], &[i]].concat())).collect();
    }
    all
}

/// The row-major number of a position.
pub fn number(shape: &[i64], at: &[i64]) -> usize {
    shape.iter().zip(at).fold(0, |number, (&extent, &i)| number * extent + i) as usize
}

/// Bytes that a buffer of shared memory takes, up to where the next one may begin.
pub fn buffer_bytes(shape: &[i64], elem: Scalar) -> i64 {
    let bytes = shape.iter().fold(elem.bytes() as i64, |bytes, &extent| bytes.saturating_mul(extent.max(1)));
    bytes.saturating_add(BUFFER_ALIGN - 1) / BUFFER_ALIGN * BUFFER_ALIGN
}

/// The greatest common divisor; 0 is divided by everything.
pub fn gcd(a: i64, b: i64) -> i64 {
    // Only both being the least number or 0 exceed; then any divisor will do.
    i64::try_from(gcd_unsigned(a.unsigned_abs(), b.unsigned_abs())).unwrap_or(1)
}

/// The same of numbers that have no sign.
pub fn gcd_unsigned(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
