//! Data movement between registers, reductions inside one, masks, and slices of tensors.

use crate::fault::{Fault, Kind, Run};
use crate::inst::{Combine, Digit, Index, Slice};
use crate::machine::Subgroup;
use crate::ops::arith::with_combine;
use crate::regs::{Num, Reg, Regs, coordinates, row_major};
use crate::tensor::n_elements;

/// `dst[i] = src[table[i]]`, whole elements with all their lanes.
#[inline(never)]
pub(crate) fn gather<T: Num>(s: &mut Subgroup, dst: Reg, src: Reg, table: &[u32]) {
    let lanes = s.regs.lanes;
    let mut out = s.regs.take::<T>(dst);
    let src = s.regs.get::<T>(src);
    if lanes == 1 {
        for (out, &at) in out.iter_mut().zip(table) {
            *out = src[at as usize].clone();
        }
    } else {
        for (out, &at) in out.chunks_exact_mut(lanes).zip(table) {
            out.clone_from_slice(&src[at as usize * lanes..][..lanes]);
        }
    }
    s.regs.put(dst, out);
}

/// What an insertion writes to: a copy, or the vector itself where nothing needs it any more.
pub(super) fn take_copy<T: Num>(regs: &mut Regs, dst: Reg, into: Reg) -> Vec<T> {
    let mut out = regs.take::<T>(dst);
    if dst != into {
        out.clone_from_slice(regs.get::<T>(into));
    }
    out
}

/// `dst = into`, then `dst[table[i]] = src[i]`.
#[inline(never)]
pub(crate) fn place<T: Num>(s: &mut Subgroup, dst: Reg, src: Reg, into: Reg, table: &[u32]) {
    let lanes = s.regs.lanes;
    let mut out = take_copy::<T>(&mut s.regs, dst, into);
    let src = s.regs.get::<T>(src);
    for (src, &at) in src.chunks_exact(lanes).zip(table) {
        out[at as usize * lanes..][..lanes].clone_from_slice(src);
    }
    s.regs.put(dst, out);
}

/// The first element of a dynamic position for one lane.
fn position(regs: &Regs, at: &[Digit], lane: usize) -> Run<usize> {
    let mut start = 0;
    for digit in at {
        let index = value(regs, digit.index, lane);
        if !(0..digit.extent).contains(&index) {
            return Err(Fault::new(
                Kind::Bounds,
                Some(lane),
                format!("position {index} is outside a dimension of extent {}", digit.extent),
            ));
        }
        start += (index * digit.stride) as usize;
    }
    Ok(start)
}

/// An index for one lane.
#[inline(always)]
pub(crate) fn value(regs: &Regs, index: Index, lane: usize) -> i64 {
    match index {
        Index::Known(value) => value,
        Index::Reg(reg) => regs.int(reg, lane),
    }
}

#[inline(never)]
pub(crate) fn extract<T: Num>(s: &mut Subgroup, dst: Reg, src: Reg, at: &[Digit]) -> Run<()> {
    let lanes = s.regs.lanes;
    let mut out = s.regs.take::<T>(dst);
    for lane in 0..lanes {
        if !s.is_on(lane) {
            continue;
        }
        let start = position(&s.regs, at, lane)?;
        let src = s.regs.get::<T>(src);
        for i in 0..dst.len() {
            out[i * lanes + lane] = src[(start + i) * lanes + lane].clone();
        }
    }
    s.regs.put(dst, out);
    Ok(())
}

#[inline(never)]
pub(crate) fn insert<T: Num>(s: &mut Subgroup, dst: Reg, src: Reg, into: Reg, at: &[Digit]) -> Run<()> {
    let lanes = s.regs.lanes;
    let mut out = take_copy::<T>(&mut s.regs, dst, into);
    for lane in 0..lanes {
        if !s.is_on(lane) {
            continue;
        }
        let start = position(&s.regs, at, lane)?;
        let values = s.regs.get::<T>(src);
        for i in 0..src.len() {
            out[(start + i) * lanes + lane] = values[i * lanes + lane].clone();
        }
    }
    s.regs.put(dst, out);
    Ok(())
}

#[inline(never)]
pub(crate) fn collect<T: Num>(s: &mut Subgroup, dst: Reg, parts: &[Reg]) {
    let lanes = s.regs.lanes;
    let mut out = s.regs.take::<T>(dst);
    let mut rest = &mut out[..];
    for &part in parts {
        let (here, behind) = rest.split_at_mut(part.len() * lanes);
        here.clone_from_slice(s.regs.get::<T>(part));
        rest = behind;
    }
    s.regs.put(dst, out);
}

#[inline(never)]
pub(crate) fn spread<T: Num>(s: &mut Subgroup, src: Reg, parts: &[Reg]) {
    let lanes = s.regs.lanes;
    for (i, &part) in parts.iter().enumerate() {
        let mut out = s.regs.take::<T>(part);
        out.clone_from_slice(&s.regs.get::<T>(src)[i * lanes..][..lanes]);
        s.regs.put(part, out);
    }
}

pub(crate) fn select<T: Num>(s: &mut Subgroup, dst: Reg, cond: Reg, a: Reg, b: Reg) {
    let lanes = s.regs.lanes;
    let single = cond.n == 1 && dst.n != 1;
    let mut out = s.regs.take::<T>(dst);
    let cond = s.regs.get::<i64>(cond);
    let (a, b) = (s.regs.get::<T>(a), s.regs.get::<T>(b));
    if single {
        for (at, out) in out.iter_mut().enumerate() {
            *out = if cond[at % lanes] != 0 { &a[at] } else { &b[at] }.clone();
        }
    } else {
        for (((out, &cond), a), b) in out.iter_mut().zip(cond).zip(a).zip(b) {
            *out = if cond != 0 { a } else { b }.clone();
        }
    }
    s.regs.put(dst, out);
}

#[inline(never)]
pub(crate) fn reduce(s: &mut Subgroup, dst: Reg, src: Reg, acc: Reg, table: &[u32], combine: Combine) {
    with_combine!(combine, dst.bank, fold(&mut s.regs, dst, src, acc, table));
}

fn fold<T: Num, F: Fn(T, T) -> T>(regs: &mut Regs, dst: Reg, src: Reg, acc: Reg, table: &[u32], f: F) {
    let lanes = regs.lanes;
    let mut out = take_copy::<T>(regs, dst, acc);
    for (values, &at) in regs.get::<T>(src).chunks_exact(lanes).zip(table) {
        let out = &mut out[at as usize * lanes..][..lanes];
        for (out, value) in out.iter_mut().zip(values) {
            *out = f(out.clone(), value.clone());
        }
    }
    regs.put(dst, out);
}

#[inline(never)]
pub(crate) fn create_mask(s: &mut Subgroup, dst: Reg, bounds: &[Index], shape: &[i64]) {
    let lanes = s.regs.lanes;
    let mut out = s.regs.take::<i64>(dst);
    for i in 0..n_elements(shape) {
        let coords = coordinates(shape, i);
        for lane in 0..lanes {
            let inside = coords.iter().zip(bounds).all(|(&at, &bound)| at < value(&s.regs, bound, lane));
            out[i * lanes + lane] = i64::from(inside);
        }
    }
    s.regs.put(dst, out);
}

/// The elements of a slice of a tensor: start, and stride and extent of each dimension.
fn slice_of(s: &Subgroup, slice: &Slice) -> Run<(usize, Vec<(usize, i64)>)> {
    let (mut start, mut dims) = (0i64, Vec::new());
    for (d, all) in row_major(&slice.base_shape).into_iter().enumerate() {
        let (offset, step) = (value(&s.regs, slice.offsets[d], 0), value(&s.regs, slice.strides[d], 0));
        let (size, extent) = (slice.sizes[d], slice.base_shape[d]);
        let last = step.checked_mul(size - 1).and_then(|reach| reach.checked_add(offset));
        let inside = size == 0 || (offset >= 0 && step >= 0 && last.is_some_and(|last| last < extent));
        if !inside {
            return Err(Fault::new(
                Kind::Bounds,
                Some(0),
                format!(
                    "the slice of {size} elements at {offset}, step {step}, leaves dimension {d} of extent {extent}"
                ),
            ));
        }
        start += offset * all;
        dims.push(((step * all) as usize, size));
    }
    Ok((start as usize, dims))
}

/// Calls `f` with every element of a slice, in order, as runs of elements that lie `stride` apart.
fn for_each_run(start: usize, dims: &[(usize, i64)], mut f: impl FnMut(usize, usize, usize)) {
    let Some((&(stride, n), outer)) = dims.split_last() else { return f(start, 1, 1) };
    if n == 0 || outer.iter().any(|dim| dim.1 == 0) {
        return;
    }
    let mut at = vec![0; outer.len()];
    loop {
        let first = start + outer.iter().zip(&at).map(|(&(stride, _), &at)| stride * at as usize).sum::<usize>();
        f(first, stride, n as usize);
        let more = (0..outer.len()).rev().any(|d| {
            at[d] = (at[d] + 1) % outer[d].1;
            at[d] != 0
        });
        if !more {
            return;
        }
    }
}

#[inline(never)]
pub(crate) fn extract_slice<T: Num>(s: &mut Subgroup, slice: &Slice) -> Run<()> {
    let (start, dims) = slice_of(s, slice)?;
    let mut out = s.regs.take::<T>(slice.dst);
    let base = s.regs.get::<T>(slice.base);
    let mut at = 0;
    for_each_run(start, &dims, |first, stride, n| {
        for (i, out) in out[at..at + n].iter_mut().enumerate() {
            *out = base[first + i * stride].clone();
        }
        at += n;
    });
    s.regs.put(slice.dst, out);
    Ok(())
}

#[inline(never)]
pub(crate) fn insert_slice<T: Num>(s: &mut Subgroup, slice: &Slice) -> Run<()> {
    let Some(part) = slice.value else { return Ok(()) };
    let (start, dims) = slice_of(s, slice)?;
    let mut out = take_copy::<T>(&mut s.regs, slice.dst, slice.base);
    let part = s.regs.get::<T>(part);
    let mut at = 0;
    for_each_run(start, &dims, |first, stride, n| {
        for (i, value) in part[at..at + n].iter().enumerate() {
            out[first + i * stride] = value.clone();
        }
        at += n;
    });
    s.regs.put(slice.dst, out);
    Ok(())
}
