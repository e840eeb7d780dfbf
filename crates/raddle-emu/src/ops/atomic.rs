//! Atomic accesses: an element is read and written at once, lane by lane.

use crate::fault::Run;
use crate::inst::{Atomic, Update};
use crate::machine::{Failed, Machine, Subgroup};
use crate::ops::arith::with_combine;
use crate::ops::scan::{call, callee};
use crate::ops::transfer::{Touches, buffer, count, elem_bytes, locate};
use crate::regs::{Num, Reg, Space, by_bank, covered, number_at, put_number};

#[inline(never)]
pub(crate) fn update(machine: &mut Machine<'_>, s: &mut Subgroup, atomic: &Atomic, pc: usize) -> Result<(), Failed> {
    locate(machine, s, atomic.view, &atomic.at)?;
    let addresses = std::mem::take(&mut machine.addresses);
    note(machine, s, atomic, &addresses, pc)?;
    if machine.options.sanitize {
        let space = s.regs.view(atomic.view).space;
        if !matches!(space, Space::Private(_)) {
            for lane in (0..s.regs.lanes).filter(|&lane| s.is_on(lane)) {
                machine.order_by((space, addresses[lane]), s.id as usize, lane, atomic.acquires);
            }
        }
    }
    match &atomic.update {
        Update::Combine(combine, value) => {
            with_combine!(*combine, atomic.dst.bank, exchange(machine, s, atomic, &addresses, *value))?;
        }
        Update::Assign(value) => by_bank!(atomic.dst.bank, assign::<_>(machine, s, atomic, &addresses, *value))?,
        Update::Body(body) => {
            let mut inner = callee(s, body);
            let mut each = Lanes { machine, s, atomic, addresses: &addresses };
            by_bank!(atomic.dst.bank, through::<_>(&mut each, body, &mut inner))?;
        }
    }
    machine.addresses = addresses;
    Ok(())
}

/// Tells the shadow, and counts.
fn note(machine: &mut Machine<'_>, s: &mut Subgroup, atomic: &Atomic, addresses: &[usize], pc: usize) -> Run<()> {
    let space = s.regs.view(atomic.view).space;
    let (now, mask, n, lanes) = (machine.now(s, space, pc), s.mask, s.active, s.regs.lanes);
    let cast = s.regs.view(atomic.view).cast(lanes);
    let buffer = buffer(machine, s, space)?;
    let elem_bytes = elem_bytes(buffer, cast);
    let mut faults = Vec::new();
    for (lane, &address) in addresses.iter().enumerate() {
        if mask >> lane & 1 == 1 && buffer.is_tracked() {
            let mut noted = covered(address, cast).map(|address| buffer.note_atomic(address, &now, lane));
            faults.extend(noted.find_map(Result::err));
        }
    }
    for fault in faults {
        machine.put_off(s, pc, fault)?;
    }
    for write in [false, true] {
        count(machine, space, &Touches { addresses, lanes, mask, n, elem_bytes, cast, write }, pc);
    }
    Ok(())
}

fn exchange<T: Num, F: Fn(T, T) -> T>(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    atomic: &Atomic,
    addresses: &[usize],
    value: Reg,
    f: F,
) -> Run<()> {
    replace::<T>(machine, s, atomic, addresses, value, f)
}

fn assign<T: Num>(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    atomic: &Atomic,
    addresses: &[usize],
    value: Reg,
) -> Run<()> {
    replace::<T>(machine, s, atomic, addresses, value, |_, new| new)
}

fn replace<T: Num>(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    atomic: &Atomic,
    addresses: &[usize],
    value: Reg,
    f: impl Fn(T, T) -> T,
) -> Run<()> {
    let (space, cast) = (s.regs.view(atomic.view).space, s.regs.view(atomic.view).cast(s.regs.lanes));
    let mask = s.mask;
    let values = s.regs.get::<T>(value).to_vec();
    let mut out = s.regs.take::<T>(atomic.dst);
    let data = buffer(machine, s, space)?.data_mut();
    for (lane, &address) in addresses.iter().enumerate() {
        if mask >> lane & 1 == 1 {
            out[lane] = number_at(data, address, cast);
            put_number(data, address, cast, f(out[lane].clone(), values[lane].clone()));
        }
    }
    s.regs.put(atomic.dst, out);
    Ok(())
}

struct Lanes<'m, 'a> {
    machine: &'m mut Machine<'a>,
    s: &'m mut Subgroup,
    atomic: &'m Atomic,
    addresses: &'m [usize],
}

/// Calls a region for one lane after the other.
fn through<T: Num>(each: &mut Lanes<'_, '_>, body: &crate::inst::Body, inner: &mut Subgroup) -> Result<(), Failed> {
    let view = each.s.regs.view(each.atomic.view);
    let (space, cast) = (view.space, view.cast(each.s.regs.lanes));
    let mask = each.s.mask;
    for (lane, &address) in each.addresses.iter().enumerate() {
        if mask >> lane & 1 == 0 {
            continue;
        }
        let old: T = number_at(buffer(each.machine, each.s, space)?.data(), address, cast);
        T::bank_mut(&mut inner.regs)[body.args[0].at as usize][lane] = old.clone();
        call(each.machine, body, inner, 1 << lane)?;
        let new = inner.regs.get::<T>(body.yielded[0])[lane].clone();
        put_number(buffer(each.machine, each.s, space)?.data_mut(), address, cast, new);
        T::bank_mut(&mut each.s.regs)[each.atomic.dst.at as usize][lane] = old;
    }
    Ok(())
}
