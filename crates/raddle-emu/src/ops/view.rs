//! Views of memory under other shapes: dimensions joined, cut, permuted, or given anew.

use crate::fault::{Fault, Kind, Run};
use crate::inst::{Regroup, SubView};
use crate::machine::{Machine, Subgroup};
use crate::ops::transfer::{agreed, buffer};
use crate::ops::vector::value;
use crate::regs::{Num, Reg, Space, View};

/// Joins dimensions that lie one inside the other without gaps, or cuts one into several.
#[inline(never)]
pub(crate) fn regroup(s: &mut Subgroup, inst: &Regroup) -> Run<()> {
    let sizes = match &inst.sizes {
        Some(sizes) => Some(sizes.iter().map(|&size| agreed(s, size)).collect::<Run<Vec<i64>>>()?),
        None => None,
    };
    let base = s.regs.view(inst.base);
    let View { space, elem, shape: from, strides: steps, offset, limit } = base;
    let (mut shape, mut strides) = (Vec::new(), Vec::new());
    let mut many = 0;
    for (few, &count) in inst.counts.iter().enumerate() {
        let group = many..many + count;
        many += count;
        match &sizes {
            Some(sizes) => {
                let part = &sizes[group];
                let n = part.iter().try_fold(1i64, |n, &size| n.checked_mul(size));
                if n != Some(from[few]) || part.contains(&-1) {
                    return Err(Fault::new(
                        Kind::Bounds,
                        None,
                        format!("dimension {few} of extent {} is cut into {part:?}", from[few]),
                    ));
                }
                let inner = crate::regs::row_major(part);
                shape.extend(part);
                strides.extend(inner.iter().map(|stride| stride.wrapping_mul(steps[few])));
            }
            None => {
                // Dimensions of extent 1 have no stride that matters.
                let real: Vec<usize> = group.filter(|&d| from[d] != 1).collect();
                let dense = real.windows(2).all(|pair| steps[pair[0]] == steps[pair[1]].wrapping_mul(from[pair[1]]));
                if !dense {
                    return Err(Fault::new(
                        Kind::Unsupported,
                        None,
                        "dimensions are joined that do not lie one inside the other without gaps",
                    ));
                }
                shape.push(real.iter().map(|&d| from[d]).product());
                strides.push(real.last().map_or(1, |&d| steps[d]));
            }
        }
    }
    if inst.counts.is_empty() {
        // A single element has no dimension, or any number of extent 1.
        shape = sizes.unwrap_or_default();
        strides = vec![1; shape.len()];
    }
    let view = View { space: *space, elem: *elem, shape, strides, offset: offset.clone(), limit: *limit };
    s.regs.views[inst.dst.at as usize] = view;
    Ok(())
}

#[inline(never)]
pub(crate) fn permute(s: &mut Subgroup, dst: Reg, base: Reg, order: &[usize]) {
    let base = s.regs.view(base);
    let pick = |list: &[i64]| order.iter().map(|&d| list[d]).collect();
    let view = View { shape: pick(&base.shape), strides: pick(&base.strides), ..base.clone() };
    s.regs.views[dst.at as usize] = view;
}

/// Offset, sizes and strides that count from the beginning of the buffer. A view of an argument may have places outside
/// of it, which masks keep accesses from.
#[inline(never)]
pub(crate) fn recast(machine: &mut Machine<'_>, s: &mut Subgroup, inst: &SubView) -> Run<()> {
    let space = s.regs.view(inst.base).space;
    let elem = inst.elem.or(s.regs.view(inst.base).elem);
    // What an element takes in the buffer, and what the offset counts.
    let unit = elem.map_or(1, |elem| elem.bytes() as i64);
    let step = if inst.elem.is_some() { 1 } else { unit };
    let shape = inst.sizes.iter().map(|&size| agreed(s, size)).collect::<Run<Vec<i64>>>()?;
    let strides =
        inst.strides.iter().map(|&stride| Ok(agreed(s, stride)?.wrapping_mul(unit))).collect::<Run<Vec<i64>>>()?;
    let found = buffer(machine, s, space)?;
    let n = (found.data().len() / found.lanes) as i64;
    let reach = shape.iter().zip(&strides).try_fold(0i64, |reach, (&size, &stride)| {
        if size < 0 || stride < 0 {
            return None;
        }
        reach.checked_add((size - 1).max(0).checked_mul(stride)?)
    });
    let is_empty = shape.contains(&0);
    let mut limit = None;
    let mut offset = s.regs.view(inst.base).offset.clone();
    for (lane, offset) in offset.iter_mut().enumerate() {
        if !s.is_on(lane) {
            continue;
        }
        let start = value(&s.regs, inst.offsets[0], lane).wrapping_mul(step);
        let last = reach.and_then(|reach| reach.checked_add(start)?.checked_add(unit - 1));
        if start < 0 || (!is_empty && last.is_none_or(|last| last >= n)) {
            let (Space::Global(_), Some(_)) = (space, last) else {
                let view = format!("the view of shape {shape:?} at {start}, strides {strides:?}");
                let message = format!("{view}, leaves dimension 0 of a buffer of {n} elements");
                return Err(Fault::new(Kind::Bounds, Some(lane), message));
            };
            limit = Some(n);
        }
        if start % unit != 0 {
            let message = format!("the view begins at byte {start}, and its elements are {unit} bytes long");
            return Err(Fault::new(Kind::Misaligned, Some(lane), message));
        }
        *offset = start;
    }
    s.regs.views[inst.dst.at as usize] = View { space, elem, shape, strides, offset, limit };
    Ok(())
}

#[inline(never)]
pub(crate) fn extent(s: &mut Subgroup, dst: Reg, view: Reg, dim: usize) {
    let extent = s.regs.view(view).shape.get(dim).copied().unwrap_or(1);
    i64::bank_mut(&mut s.regs)[dst.at as usize].fill(extent);
}
