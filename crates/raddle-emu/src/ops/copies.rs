//! Asynchronous copies: issued by a thread, gathered into groups, and done where the thread waits for them; or at once.

use crate::AsyncMode;
use crate::fault::Run;
use crate::inst::AsyncCopy;
use crate::machine::{Machine, Subgroup};
use crate::ops::transfer::{SKIPPED, Touches, buffer, check_alignment, count, elem_bytes, pay, plan};
use crate::regs::{Bank, Cast, Num, Space, by_bank, covered, number_at, put_number};

/// The copies of a subgroup that no wait has ended.
#[derive(Clone, Default, Debug)]
pub(crate) struct Copies {
    /// Groups that each lane has closed.
    closed: Vec<u32>,
    open: Vec<Issued>,
}

/// One copy, of several lanes.
#[derive(Clone, Debug)]
pub(crate) struct Issued {
    pub pc: usize,
    bank: Bank,
    /// Lanes whose part is on its way.
    mask: u128,
    /// For each lane, the group; [`NO_GROUP`] while that is open.
    group: Vec<u32>,
    /// The memory, the elements' addresses, and how they lie there.
    pub from: (Space, Vec<usize>, Option<Cast>),
    pub to: (Space, Vec<usize>, Option<Cast>),
}

impl Issued {
    /// What keeping it takes, with the marks of its elements.
    pub(crate) fn bytes(&self) -> usize {
        const MARK: usize = 48;
        (self.from.1.len() + self.to.1.len()) * (size_of::<usize>() + MARK) + self.group.len() * 4 + 128
    }

    /// Lanes of the subgroup.
    pub(crate) fn lanes(&self) -> usize {
        self.group.len()
    }
}

const NO_GROUP: u32 = u32::MAX;

impl Copies {
    pub(crate) fn clear(&mut self) {
        self.closed.clear();
        self.open.clear();
    }

    /// What these lanes have issued since the last time is a group.
    pub(crate) fn commit(&mut self, mask: u128) {
        self.closed.resize(128, 0);
        for lane in (0..128).filter(|lane| mask >> lane & 1 == 1) {
            for copy in self.open.iter_mut().filter(|copy| copy.mask >> lane & 1 == 1) {
                if copy.group[lane] == NO_GROUP {
                    copy.group[lane] = self.closed[lane];
                }
            }
            self.closed[lane] += 1;
        }
    }
}

#[inline(never)]
pub(crate) fn issue(machine: &mut Machine<'_>, s: &mut Subgroup, copy: &AsyncCopy, pc: usize) -> Run<()> {
    let issued = prepare(machine, s, copy, pc)?;
    let mask = issued.mask;
    if copy.at_once {
        return carry_out(machine, s, &issued, mask);
    }
    if machine.options.copies == AsyncMode::Eager {
        carry_out(machine, s, &issued, mask)?;
    }
    s.copies.open.push(issued);
    Ok(())
}

/// Finds the places of a copy, and marks them as being on their way.
pub(crate) fn prepare(machine: &mut Machine<'_>, s: &mut Subgroup, copy: &AsyncCopy, pc: usize) -> Run<Issued> {
    let lanes = s.regs.lanes;
    let (mut from, mut to) = (Vec::new(), Vec::new());
    let views = [&copy.from, &copy.to].map(|transfer| s.regs.view(transfer.base).clone());
    plan(s, &copy.from, &views[0], &mut from)?;
    plan(s, &copy.to, &views[1], &mut to)?;
    if copy.side_by_side {
        let unit = views[1].elem.map_or(1, |elem| elem.bytes());
        let first = to[s.mask.trailing_zeros() as usize % lanes];
        for (at, to) in to.iter_mut().enumerate().filter(|(_, to)| **to != SKIPPED) {
            *to = first + (at % lanes * copy.to.n + at / lanes) * unit;
        }
        let len = buffer(machine, s, views[1].space)?.data().len();
        if let Some(at) = to.iter().position(|&to| to != SKIPPED && to + unit > len) {
            let message =
                format!("index {} is outside dimension 0 of shared memory, which has extent {len} there", to[at]);
            return Err(crate::fault::Fault::new(crate::fault::Kind::Bounds, Some(at % lanes), message));
        }
    }
    let mask = s.mask;
    for (view, addresses, write) in [(&views[0], &from, false), (&views[1], &to, true)] {
        let align = if write { copy.to.align } else { copy.from.align };
        let now = machine.now(s, view.space, pc);
        let buffer = buffer(machine, s, view.space)?;
        if align > 1 {
            check_alignment(buffer, addresses, lanes, align)?;
        }
        let cast = view.cast(lanes);
        let elem_bytes = elem_bytes(buffer, cast);
        let touched = || addresses.iter().enumerate().filter(|(_, address)| **address != SKIPPED);
        if buffer.is_forked() {
            buffer.touch(touched().flat_map(|(_, &address)| covered(address, cast)), write);
        }
        let mut faults = Vec::new();
        let mut n = 0;
        for (at, &address) in touched() {
            let lane = at % lanes;
            n += 1;
            for address in covered(address, cast) {
                let noted =
                    if write { buffer.note_write(address, &now, lane) } else { buffer.note_read(address, &now, lane) };
                faults.extend(noted.err());
                if copy.at_once {
                    continue;
                }
                if write {
                    buffer.begin_arrival(address, &now, lane);
                } else {
                    buffer.begin_departure(address, &now, lane);
                }
            }
        }
        for fault in faults {
            machine.put_off(s, pc, fault)?;
        }
        count(machine, view.space, &Touches { addresses, lanes, mask: u128::MAX, n, elem_bytes, cast, write }, pc);
    }
    let issued = Issued {
        pc,
        bank: copy.bank,
        mask,
        group: vec![NO_GROUP; lanes],
        from: (views[0].space, from, views[0].cast(lanes)),
        to: (views[1].space, to, views[1].cast(lanes)),
    };
    if !copy.at_once {
        pay(machine, issued.bytes(), &[copy.to.n as i64])?;
    }
    Ok(issued)
}

/// The lanes that are on wait until at most `left` of their groups are on their way.
#[inline(never)]
pub(crate) fn wait(machine: &mut Machine<'_>, s: &mut Subgroup, left: u32) -> Run<()> {
    let mask = s.mask;
    let closed = s.copies.closed.clone();
    let is_done = |copy: &Issued, lane: usize| {
        let closed = closed.get(lane).copied().unwrap_or(0);
        copy.group[lane] != NO_GROUP && copy.group[lane] < closed.saturating_sub(left)
    };
    end(machine, s, mask, is_done)
}

/// What nobody waited for happens when the thread ends.
#[inline(never)]
pub(crate) fn finish(machine: &mut Machine<'_>, s: &mut Subgroup) -> Run<()> {
    if s.copies.open.is_empty() {
        return Ok(());
    }
    end(machine, s, s.launched, |_, _| true)
}

fn end(machine: &mut Machine<'_>, s: &mut Subgroup, mask: u128, is_done: impl Fn(&Issued, usize) -> bool) -> Run<()> {
    let mut open = std::mem::take(&mut s.copies.open);
    for copy in &mut open {
        let lanes = s.regs.lanes;
        let done = (0..lanes)
            .filter(|&lane| (mask & copy.mask) >> lane & 1 == 1 && is_done(copy, lane))
            .fold(0u128, |done, lane| done | 1 << lane);
        if done == 0 {
            continue;
        }
        copy.mask &= !done;
        if machine.options.copies == AsyncMode::Lazy {
            carry_out(machine, s, copy, done)?;
        }
        let now = machine.now(s, copy.to.0, copy.pc);
        let part = |addresses: &[usize], cast: Option<Cast>| -> Vec<(usize, usize)> {
            let on = |(at, address): &(usize, usize)| *address != SKIPPED && done >> (at % lanes) & 1 == 1;
            let on = addresses.iter().copied().enumerate().filter(on);
            on.flat_map(|(at, address)| covered(address, cast).map(move |address| (at % lanes, address))).collect()
        };
        for (_, address) in part(&copy.from.1, copy.from.2) {
            buffer(machine, s, copy.from.0)?.end_departure(address);
        }
        for (lane, address) in part(&copy.to.1, copy.to.2) {
            buffer(machine, s, copy.to.0)?.end_arrival(address, &now, copy.pc, lane);
        }
    }
    let done = open.iter().filter(|copy| copy.mask == 0).map(Issued::bytes).sum::<usize>();
    machine.memory_left += done;
    open.retain(|copy| copy.mask != 0);
    s.copies.open = open;
    Ok(())
}

/// Moves the elements of these lanes.
pub(crate) fn carry_out(machine: &mut Machine<'_>, s: &mut Subgroup, copy: &Issued, mask: u128) -> Run<()> {
    by_bank!(copy.bank, transport::<_>(machine, s, copy, mask))
}

fn transport<T: Num>(machine: &mut Machine<'_>, s: &mut Subgroup, copy: &Issued, mask: u128) -> Run<()> {
    let lanes = s.regs.lanes;
    let data = buffer(machine, s, copy.from.0)?.data();
    let number = |from: usize| if from == SKIPPED { T::default() } else { number_at(data, from, copy.from.2) };
    let values: Vec<T> = copy.from.1.iter().map(|&from| number(from)).collect();
    let data = buffer(machine, s, copy.to.0)?.data_mut();
    for (at, (&to, value)) in copy.to.1.iter().zip(values).enumerate() {
        if to != SKIPPED && mask >> (at % lanes) & 1 == 1 {
            put_number(data, to, copy.to.2, value);
        }
    }
    Ok(())
}
