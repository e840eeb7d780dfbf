//! Along a dimension: partial results, and the element that wins.

use crate::fault::{Fault, Kind};
use crate::inst::{ArgCompare, Body, Scan};
use crate::machine::{Failed, Machine, Subgroup};
use crate::ops::arith::with_combine;
use crate::regs::{Num, Reg, Regs, by_bank};

#[inline(never)]
pub(crate) fn scan(s: &mut Subgroup, scan: &Scan) {
    with_combine!(scan.combine, scan.dst.bank, partial(&mut s.regs, scan));
}

fn partial<T: Num, F: Fn(T, T) -> T>(regs: &mut Regs, scan: &Scan, f: F) {
    let lanes = regs.lanes;
    let [outer, n, inner] = scan.shape;
    let row = inner * lanes;
    let mut out = regs.take::<T>(scan.dst);
    let mut totals = regs.take::<T>(scan.total);
    let src = regs.get::<T>(scan.src);
    for at in 0..outer {
        let total = &mut totals[at * row..][..row];
        for i in 0..n {
            let here = (at * n + i) * row;
            let before = |offset: usize| here + offset - row;
            for (offset, total) in total.iter_mut().enumerate() {
                *total = match (i, scan.init) {
                    (0, None) => src[here + offset].clone(),
                    (0, Some(init)) => regs.get::<T>(init)[at * row + offset].clone(),
                    (_, None) => f(total.clone(), src[here + offset].clone()),
                    (_, Some(_)) => f(total.clone(), src[before(offset)].clone()),
                };
            }
            out[here..][..row].clone_from_slice(total);
        }
    }
    regs.put(scan.dst, out);
    regs.put(scan.total, totals);
}

/// Calls the comparison for each element against the best so far, in order: a tie leaves the earlier one.
#[inline(never)]
pub(crate) fn arg_compare(machine: &mut Machine<'_>, s: &mut Subgroup, compare: &ArgCompare) -> Result<(), Failed> {
    by_bank!(compare.value.bank, best::<_>(machine, s, compare))
}

fn best<T: Num>(machine: &mut Machine<'_>, s: &mut Subgroup, compare: &ArgCompare) -> Result<(), Failed> {
    let lanes = s.regs.lanes;
    let [outer, n, inner] = compare.shape;
    let row = inner * lanes;
    let mut body = callee(s, &compare.body);
    let mut values = s.regs.get::<T>(compare.inits[0]).to_vec();
    let mut places = s.regs.get::<i64>(compare.inits[1]).to_vec();
    let (first, second) = (compare.body.args[0], compare.body.args[1]);
    let on: Vec<bool> = (0..lanes).map(|lane| s.is_on(lane)).collect();
    for at in 0..outer {
        for i in 0..n {
            let here = (at * n + i) * row;
            let mut start = 0;
            while start < row {
                let width = compare.body.width.min(row - start);
                let candidates = &s.regs.get::<T>(compare.value)[here + start..][..width];
                T::bank_mut(&mut body.regs)[first.at as usize][..width].clone_from_slice(candidates);
                let so_far = &values[at * row + start..][..width];
                T::bank_mut(&mut body.regs)[second.at as usize][..width].clone_from_slice(so_far);
                let mask = (0..width).fold(0u128, |mask, i| mask | u128::from(on[(start + i) % lanes]) << i);
                call(machine, &compare.body, &mut body, mask)?;
                let wins = body.regs.get::<i64>(compare.body.yielded[0]);
                for (offset, &wins) in (start..start + width).zip(wins) {
                    let in_play = compare.mask.is_none_or(|mask| s.regs.get::<i64>(mask)[here + offset] != 0);
                    if wins == 0 || !in_play {
                        continue;
                    }
                    let base = compare.base.map_or(0, |base| s.regs.int(base, offset % lanes));
                    let place = match compare.index {
                        Some(index) => s.regs.get::<i64>(index)[here + offset],
                        None => base.wrapping_add(i as i64),
                    };
                    values[at * row + offset] = s.regs.get::<T>(compare.value)[here + offset].clone();
                    places[at * row + offset] = crate::round::wrap(place, compare.width);
                }
                start += width;
            }
        }
    }
    s.regs.put(compare.dsts[0], values);
    s.regs.put(compare.dsts[1], places);
    Ok(())
}

/// Registers for a body, with what it uses of its surroundings; every lane of it gets the first one's.
pub(crate) fn callee(s: &Subgroup, body: &Body) -> Subgroup {
    let mut inner = Subgroup::new(0, &body.code, body.width, u128::MAX >> (128 - body.width));
    for &(outer, reg) in &body.captures {
        by_bank!(outer.bank, capture::<_>(s, outer, &mut inner, reg));
    }
    inner
}

fn capture<T: Num>(s: &Subgroup, outer: Reg, inner: &mut Subgroup, reg: Reg) {
    let (from, to) = (s.regs.lanes, inner.regs.lanes);
    let values = s.regs.get::<T>(outer);
    for (out, values) in
        T::bank_mut(&mut inner.regs)[reg.at as usize].chunks_exact_mut(to).zip(values.chunks_exact(from))
    {
        // Places of a body follow the lanes of the subgroup, again and again.
        out.iter_mut().zip(values.iter().cycle()).for_each(|(out, value)| *out = value.clone());
    }
}

/// Runs a body once for the places of a mask.
pub(crate) fn call(machine: &mut Machine<'_>, body: &Body, inner: &mut Subgroup, mask: u128) -> Result<(), Failed> {
    inner.launched = mask;
    inner.pc = 0;
    inner.set_mask(mask);
    if mask == 0 {
        return Ok(());
    }
    match machine.run(&body.code, inner)? {
        crate::machine::Stop::Done => Ok(()),
        crate::machine::Stop::Turn => unreachable!("only whole subgroups take turns"),
        crate::machine::Stop::Barrier | crate::machine::Stop::Named { .. } | crate::machine::Stop::Phase { .. } => {
            Err(Fault::new(Kind::Unsupported, None, "a barrier stands inside a region that combines numbers").into())
        }
    }
}
