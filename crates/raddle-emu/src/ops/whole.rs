//! Operations on whole tensors whose places or order are known only now: gathers, scatters, sorting, partial results.

use crate::fault::{Fault, Kind, Run};
use crate::inst::{Body, Whole};
use crate::machine::{Failed, Machine, Subgroup};
use crate::ops::scan::{call, callee};
use crate::regs::{Num, Reg, by_bank, row_major};

#[inline(never)]
pub(crate) fn whole(machine: &mut Machine<'_>, s: &mut Subgroup, whole: &Whole) -> Result<(), Failed> {
    match whole {
        Whole::Fetch { dst, .. } => Ok(by_bank!(dst.bank, fetch::<_>(s, whole))?),
        Whole::Deal { dst, .. } => by_bank!(dst.bank, deal::<_>(machine, s, whole)),
        Whole::Sort { dsts, srcs, shape, body } => sort(machine, s, dsts, srcs, *shape, body),
        Whole::Best { .. } => best(machine, s, whole),
        Whole::Scan { dst, .. } => by_bank!(dst.bank, scan::<_>(machine, s, whole)),
    }
}

/// The place that coordinates name; `None` outside the tensor.
fn place(s: &Subgroup, coords: &[Reg], at: usize, shape: &[i64]) -> Option<usize> {
    let mut place = 0;
    for ((&reg, &extent), stride) in coords.iter().zip(shape).zip(row_major(shape)) {
        let index = s.regs.int_at(reg, at, 0);
        if !(0..extent).contains(&index) {
            return None;
        }
        place += index * stride;
    }
    Some(place as usize)
}

#[cold]
fn outside(s: &Subgroup, coords: &[Reg], at: usize, shape: &[i64]) -> Box<Fault> {
    let coords: Vec<i64> = coords.iter().map(|&reg| s.regs.int_at(reg, at, 0)).collect();
    let message = format!("element {coords:?} is outside dimension bounds of a tensor of shape {shape:?}");
    Fault::new(Kind::Bounds, Some(0), message)
}

fn is_on(s: &Subgroup, mask: Option<Reg>, at: usize) -> bool {
    mask.is_none_or(|mask| s.regs.int_at(mask, at, 0) != 0)
}

fn fetch<T: Num>(s: &mut Subgroup, inst: &Whole) -> Run<()> {
    let Whole::Fetch { dst, src, coords, shape, mask, otherwise } = inst else { return Ok(()) };
    let mut out = s.regs.take::<T>(*dst);
    for (at, out) in out.iter_mut().enumerate() {
        let found = if is_on(s, *mask, at) { place(s, coords, at, shape) } else { None };
        *out = match (found, otherwise) {
            (Some(place), _) => s.regs.get::<T>(*src)[place].clone(),
            (None, Some(otherwise)) => s.regs.get::<T>(*otherwise)[at].clone(),
            (None, None) => return Err(outside(s, coords, at, shape)),
        };
    }
    s.regs.put(*dst, out);
    Ok(())
}

fn deal<T: Num>(machine: &mut Machine<'_>, s: &mut Subgroup, inst: &Whole) -> Result<(), Failed> {
    let Whole::Deal { dst, into, src, coords, shape, mask, drops, body } = inst else { return Ok(()) };
    let mut out = s.regs.get::<T>(*into).to_vec();
    let mut inner = body.as_ref().map(|body| callee(s, body));
    for at in 0..src.len() {
        if !is_on(s, *mask, at) {
            continue;
        }
        let place = match place(s, coords, at, shape) {
            Some(place) => place,
            None if *drops => continue,
            None => return Err(outside(s, coords, at, shape).into()),
        };
        let value = s.regs.get::<T>(*src)[at].clone();
        out[place] = match (body, &mut inner) {
            (Some(body), Some(inner)) => {
                set(inner, body.args[0], value);
                set(inner, body.args[1], out[place].clone());
                call(machine, body, inner, 1)?;
                inner.regs.get::<T>(body.yielded[0])[0].clone()
            }
            _ => value,
        };
    }
    s.regs.put(*dst, out);
    Ok(())
}

fn set<T: Num>(inner: &mut Subgroup, reg: Reg, value: T) {
    T::bank_mut(&mut inner.regs)[reg.at as usize][0] = value;
}

fn set_from<T: Num>(s: &Subgroup, inner: &mut Subgroup, reg: Reg, src: Reg, at: usize) {
    set(inner, reg, s.regs.get::<T>(src)[at].clone());
}

fn pick<T: Num>(s: &mut Subgroup, dst: Reg, src: Reg, from: &[usize]) {
    let values = from.iter().map(|&at| s.regs.get::<T>(src)[at].clone()).collect();
    s.regs.put::<T>(dst, values);
}

/// Whether the region puts the first of two elements in front of the second one.
fn before(
    machine: &mut Machine<'_>,
    s: &Subgroup,
    body: &Body,
    inner: &mut Subgroup,
    pairs: &[(Reg, [usize; 2])],
) -> Result<bool, Failed> {
    for ((src, places), args) in pairs.iter().zip(body.args.chunks(2)) {
        for (&at, &arg) in places.iter().zip(args) {
            by_bank!(src.bank, set_from::<_>(s, inner, arg, *src, at));
        }
    }
    call(machine, body, inner, 1)?;
    Ok(inner.regs.int(body.yielded[0], 0) != 0)
}

/// Whether a number is none that a comparison finds equal to itself.
fn is_nan<T: Num>(s: &Subgroup, reg: Reg, at: usize) -> bool {
    let number = &s.regs.get::<T>(reg)[at];
    *number != number.clone()
}

/// Sorts along the middle one of three dimensions; equal elements keep their order, also where the region says of both
/// that they come first, as `oge` does. An element goes in front of those before it that it is to precede, up to the
/// first one that it does not: so NaNs stay where they are, and no element passes one.
fn sort(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    dsts: &[Reg],
    srcs: &[Reg],
    [outer, n, inner]: [usize; 3],
    body: &Body,
) -> Result<(), Failed> {
    let mut callee = callee(s, body);
    let mut from = vec![0; outer * n * inner];
    for row in 0..outer * inner {
        let place = |i: usize| (row / inner * n + i) * inner + row % inner;
        let mut sorted: Vec<usize> = Vec::with_capacity(n);
        let has_nan = |src: &Reg| (0..n).any(|i| by_bank!(src.bank, is_nan::<_>(s, *src, place(i))));
        let ordered = !srcs.iter().any(has_nan);
        for new in (0..n).map(place) {
            let (mut low, mut high) = (0, sorted.len());
            while low < high {
                // NaNs are in no order, which would say on which side of another element the place is.
                let at = if ordered { usize::midpoint(low, high) } else { high - 1 };
                let other = sorted[at];
                let mut is_before = |one: usize, other: usize| {
                    let pairs: Vec<_> = srcs.iter().map(|&src| (src, [one, other])).collect();
                    before(machine, s, body, &mut callee, &pairs)
                };
                if is_before(new, other)? && !is_before(other, new)? {
                    high = at;
                } else {
                    low = at + 1;
                }
            }
            sorted.insert(low, new);
        }
        sorted.iter().enumerate().for_each(|(i, &at)| from[place(i)] = at);
    }
    for (&dst, &src) in dsts.iter().zip(srcs) {
        by_bank!(dst.bank, pick::<_>(s, dst, src, &from));
    }
    Ok(())
}

/// The best elements along the middle one of three dimensions, best first, among those and what the destination holds.
fn best(machine: &mut Machine<'_>, s: &mut Subgroup, inst: &Whole) -> Result<(), Failed> {
    let Whole::Best { dsts, values, indices, inits, shape: [outer, n, inner], k, body } = inst else { return Ok(()) };
    let (outer, n, inner, k) = (*outer, *n, *inner, *k);
    let mut callee = callee(s, body);
    // In both, an element of the input is a place, and one of the destination a place behind those.
    let total = outer * n * inner;
    let of = |at: usize| if at < total { (*values, at) } else { (inits[0], at - total) };
    let mut from = vec![0; outer * k * inner];
    for row in 0..outer * inner {
        let place = |extent: usize, i: usize| (row / inner * extent + i) * inner + row % inner;
        let mut kept: Vec<usize> = (0..k).map(|i| total + place(k, i)).collect();
        for new in (0..n).map(|i| place(n, i)) {
            for at in 0..k {
                let [(a, x), (b, y)] = [of(new), of(kept[at])];
                by_bank!(a.bank, set_from::<_>(s, &mut callee, body.args[0], a, x));
                by_bank!(b.bank, set_from::<_>(s, &mut callee, body.args[1], b, y));
                call(machine, body, &mut callee, 1)?;
                if callee.regs.int(body.yielded[0], 0) != 0 {
                    kept.insert(at, new);
                    kept.pop();
                    break;
                }
            }
        }
        kept.iter().enumerate().for_each(|(i, &at)| from[place(k, i)] = at);
    }
    by_bank!(dsts[0].bank, pick_of::<_>(s, dsts[0], &from, of));
    let places = from.iter().map(|&at| match (at < total, indices) {
        (true, Some(indices)) => s.regs.int_at(*indices, at, 0),
        (true, None) => (at / inner % n) as i64,
        (false, _) => s.regs.int_at(inits[1], at - total, 0),
    });
    let places = places.collect();
    s.regs.put::<i64>(dsts[1], places);
    Ok(())
}

fn pick_of<T: Num>(s: &mut Subgroup, dst: Reg, from: &[usize], of: impl Fn(usize) -> (Reg, usize)) {
    let value = |&at: &usize| {
        let (src, at) = of(at);
        s.regs.get::<T>(src)[at].clone()
    };
    let values = from.iter().map(value).collect();
    s.regs.put::<T>(dst, values);
}

/// Partial results along the middle one of three dimensions, by a region.
fn scan<T: Num>(machine: &mut Machine<'_>, s: &mut Subgroup, inst: &Whole) -> Result<(), Failed> {
    let Whole::Scan { dst, total, src, init, shape: [outer, n, inner], inclusive, body } = inst else { return Ok(()) };
    let (n, inner) = (*n, *inner);
    let mut callee = callee(s, body);
    let mut out = vec![T::default(); src.len()];
    let mut totals = s.regs.get::<T>(*init).to_vec();
    for (row, total) in totals.iter_mut().enumerate().take(outer * inner) {
        let place = |i: usize| (row / inner * n + i) * inner + row % inner;
        for i in 0..n {
            let from = if *inclusive { i } else { i.max(1) - 1 };
            let next = s.regs.get::<T>(*src)[place(from)].clone();
            *total = match (i, *inclusive) {
                (0, true) => next,
                (0, false) => total.clone(),
                _ => {
                    set(&mut callee, body.args[0], total.clone());
                    set(&mut callee, body.args[1], next);
                    call(machine, body, &mut callee, 1)?;
                    callee.regs.get::<T>(body.yielded[0])[0].clone()
                }
            };
            out[place(i)] = total.clone();
        }
    }
    s.regs.put(*dst, out);
    s.regs.put(*total, totals);
    Ok(())
}
