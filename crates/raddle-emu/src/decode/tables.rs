//! Tables from elements to elements, for everything that moves data in a way that is known beforehand.

use crate::regs::{coordinates, row_major};
use crate::tensor::n_elements;

/// For each element of `shape` in row-major order, `f` of its coordinates.
pub(super) fn table(shape: &[i64], mut f: impl FnMut(&[i64]) -> i64) -> Box<[u32]> {
    let mut out = Vec::with_capacity(n_elements(shape));
    for_each(shape, |coords| out.push(f(coords) as u32));
    out.into()
}

/// Calls `f` with every coordinate of a shape, in row-major order.
pub(super) fn for_each(shape: &[i64], mut f: impl FnMut(&[i64])) {
    let mut coords = coordinates(shape, 0);
    for _ in 0..n_elements(shape) {
        f(&coords);
        for d in (0..shape.len()).rev() {
            coords[d] += 1;
            if coords[d] < shape[d] {
                break;
            }
            coords[d] = 0;
        }
    }
}

/// The element at `coords`.
pub(super) fn linear(strides: &[i64], coords: &[i64]) -> i64 {
    strides.iter().zip(coords).map(|(stride, at)| stride * at).sum()
}

/// For each element of a broadcast, the element that it repeats; `None` if the shapes do not fit.
pub(super) fn broadcast(from: &[i64], to: &[i64]) -> Option<Box<[u32]>> {
    let lead = to.len().checked_sub(from.len())?;
    if from.iter().zip(&to[lead..]).any(|(&from, &to)| from != to && from != 1) {
        return None;
    }
    let strides: Vec<i64> =
        row_major(from).iter().zip(from).map(|(&stride, &extent)| if extent == 1 { 0 } else { stride }).collect();
    Some(table(to, |coords| linear(&strides, &coords[lead..])))
}
