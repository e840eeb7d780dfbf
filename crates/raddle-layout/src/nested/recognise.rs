//! Find the nested layout of a layout's digits, where it has one.
//!
//! Along each dimension, digits in order of their weights must be elements, then lanes, then up to two digits of
//! slots, then subgroups. The order of the slots is free: it is part of the answer.

use super::Nested;
use crate::layout::{Digit, Hardware, Kind, Layout, LayoutError};
use crate::sort::sort_by_key;

/// A digit of one dimension.
struct Term {
    weight: i64,
    extent: i64,
    hardware: Hardware,
    index: usize,
    /// What each step adds to the hardware's number.
    step: i64,
}

impl Layout {
    /// The nested layout of the same function, with the order of its slots for [`Layout::from_nested_ordered`].
    pub fn to_nested(&self) -> Result<(Nested, Vec<usize>), LayoutError> {
        let layout = self.canonical();
        if layout.swizzle().is_some() {
            return Err(LayoutError::Swizzled);
        }
        let rank = layout.rank();
        let mut dims: Vec<Vec<Term>> = (0..rank).map(|_| Vec::new()).collect();
        for hardware in [Hardware::Slot, Hardware::Lane, Hardware::Subgroup, Hardware::Offset] {
            let mut step = 1;
            for (index, digit) in layout.digits(hardware).iter().enumerate() {
                let fault = |dim: usize| LayoutError::NotNested { hardware, index, dim };
                match dim_of(digit) {
                    Some(_) if hardware == Hardware::Offset => return Err(fault(0)),
                    Some(Ok((dim, weight))) => {
                        dims[dim].push(Term { weight, extent: digit.extent, hardware, index, step });
                    }
                    Some(Err(dim)) => return Err(fault(dim)),
                    // Lanes and subgroups that a nested layout does not name are replicas; slots it names all.
                    None if digit.kind == Kind::Replicate && hardware != Hardware::Slot => {}
                    None => return Err(LayoutError::Unspeakable { hardware, index, kind: digit.kind }),
                }
                step *= digit.extent;
            }
        }
        let mut nested = Nested::whole(&vec![1; rank])?;
        // For each digit of slots its step and its axis.
        let mut axes: Vec<(i64, usize)> = Vec::new();
        for (dim, terms) in dims.iter_mut().enumerate() {
            sort_by_key(terms, |term| term.weight);
            let mut next = 1;
            // How many levels are filled: elements 1, lanes 2, outer 3, batch 4, subgroups 5.
            let mut level = 0;
            let threaded = terms.iter().any(|term| term.hardware == Hardware::Lane);
            for term in terms {
                let fault = LayoutError::NotNested { hardware: term.hardware, index: term.index, dim };
                if term.weight != next {
                    return Err(fault);
                }
                next *= term.extent;
                let wanted = match term.hardware {
                    Hardware::Slot if level == 0 && (!threaded || term.weight == 1) => 1,
                    Hardware::Slot => level.max(2) + 1,
                    Hardware::Lane => 2,
                    Hardware::Subgroup => 5,
                    Hardware::Offset => return Err(fault),
                };
                if wanted <= level || wanted == 5 && term.hardware == Hardware::Slot {
                    return Err(fault);
                }
                level = wanted;
                match level {
                    1 => (nested.element_tile[dim], axes) = (term.extent, with(axes, term.step, 2 * rank + dim)),
                    2 => (nested.thread_tile[dim], nested.thread_strides[dim]) = (term.extent, term.step),
                    3 => (nested.outer_tile[dim], axes) = (term.extent, with(axes, term.step, rank + dim)),
                    4 => (nested.batch_tile[dim], axes) = (term.extent, with(axes, term.step, dim)),
                    _ => (nested.subgroup_tile[dim], nested.subgroup_strides[dim]) = (term.extent, term.step),
                }
            }
            if next != layout.shape()[dim] {
                let (coord, extent) = (next - 1, layout.shape()[dim]);
                return Err(LayoutError::Outside { dim, coord, extent });
            }
        }
        nested.check()?;
        axes.sort_unstable();
        let mut order: Vec<usize> = (0..3 * rank).filter(|axis| axes.iter().all(|(_, known)| known != axis)).collect();
        order.extend(axes.iter().rev().map(|(_, axis)| *axis));
        Ok((nested, order))
    }
}

fn with(mut axes: Vec<(i64, usize)>, step: i64, axis: usize) -> Vec<(i64, usize)> {
    axes.push((step, axis));
    axes
}

/// The dimension that a digit moves along, with its weight; the second dimension where it moves along two.
fn dim_of(digit: &Digit) -> Option<Result<(usize, i64), usize>> {
    let mut moved = digit.weights.iter().copied().enumerate().filter(|(_, weight)| *weight != 0);
    let (dim, weight) = moved.next()?;
    Some(match moved.next() {
        Some((second, _)) => Err(second),
        None => Ok((dim, weight)),
    })
}
