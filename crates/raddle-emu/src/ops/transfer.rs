//! Memory and registers: loads, stores, transfers with padding and masks, views, allocations.

use crate::cost;
use crate::fault::{Fault, Kind, Run};
use crate::inst::{Index, SubView, Transfer};
use crate::launch::Mode;
use crate::machine::{Machine, Subgroup};
use crate::memory::{Buffer, Origin};
use crate::ops::vector::{take_copy, value};
use crate::regs::{Cast, Data, Num, Reg, Space, View, by_bank, covered, number_at, put_number};
use crate::tensor::checked_elements;

/// An element that a transfer leaves out.
pub(crate) const SKIPPED: usize = usize::MAX;

/// The address of every lane that is on, checked against the view. Other lanes get one that exists, if any does.
#[inline(never)]
pub(crate) fn locate(machine: &mut Machine<'_>, s: &Subgroup, view: Reg, at: &[Reg]) -> Run<()> {
    let view = s.regs.view(view);
    let addresses = &mut machine.addresses;
    addresses.clear();
    let lanes = s.regs.lanes;
    if let ([reg], [extent], [1]) = (at, &view.shape[..], &view.strides[..]) {
        let index = s.regs.get::<i64>(*reg);
        let outside = index.iter().fold(false, |outside, &at| outside | (at as u64 >= *extent as u64));
        if !outside && s.is_full() && view.limit.is_none() {
            addresses.extend(index.iter().zip(&view.offset).map(|(&at, &offset)| (at + offset) as usize));
            return private(s, view, addresses);
        }
    }
    for lane in 0..lanes {
        let mut address = view.offset[lane];
        if s.is_on(lane) {
            for (d, &reg) in at.iter().enumerate() {
                let (index, extent) = (s.regs.int(reg, lane), view.shape[d]);
                if !(0..extent).contains(&index) {
                    return Err(outside(view, lane, index, d));
                }
                address += index * view.strides[d];
            }
            if !view.has(address) {
                return Err(beyond(view, lane, address));
            }
        } else {
            address = 0;
        }
        addresses.push(address as usize);
    }
    private(s, view, addresses)
}

/// Lanes' copies of private memory lie side by side.
fn private(s: &Subgroup, view: &View, addresses: &mut [usize]) -> Run<()> {
    if let Space::Private(_) = view.space {
        let lanes = s.regs.lanes;
        addresses.iter_mut().enumerate().for_each(|(lane, address)| *address = *address * lanes + lane);
    }
    Ok(())
}

#[cold]
pub(super) fn outside(view: &View, lane: usize, index: i64, dim: usize) -> Box<Fault> {
    let extent = view.shape[dim];
    let what = match view.space {
        Space::Global(at) => format!("memref argument {at}"),
        Space::Shared(_) => "shared memory".into(),
        Space::Private(_) => "private memory".into(),
        Space::Nowhere => "the tensor".into(),
    };
    let message = format!("index {index} is outside dimension {dim} of {what}, which has extent {extent} there");
    let mut fault = Fault::new(Kind::Bounds, Some(lane), message);
    if let (Space::Global(at), 1) = (view.space, view.shape.len()) {
        fault.outside = Some((at, view.offset[lane] + index * view.strides[0]));
    }
    fault
}

#[cold]
pub(super) fn beyond(view: &View, lane: usize, address: i64) -> Box<Fault> {
    let n = view.limit.unwrap_or_default();
    let message = format!("the access is of element {address} of a buffer of {n} elements");
    Fault::new(Kind::Bounds, Some(lane), message)
}

/// The buffer behind a view.
pub(crate) fn buffer<'m>(machine: &'m mut Machine<'_>, s: &'m mut Subgroup, space: Space) -> Run<&'m mut Buffer> {
    let found = match space {
        Space::Global(at) => machine.globals.get_mut(at as usize),
        Space::Shared(at) => machine.shared.get_mut(at as usize).and_then(Option::as_mut),
        Space::Private(at) => s.private.get_mut(at as usize).and_then(Option::as_mut),
        Space::Nowhere => None,
    };
    found.ok_or_else(|| Fault::new(Kind::Uninitialised, None, "the memref is used before it is given a buffer"))
}

/// Counts what an access moves, for lanes that are on.
#[inline(never)]
pub(crate) fn count(machine: &mut Machine<'_>, space: Space, access: &Touches<'_>, pc: usize) {
    let counters = &mut machine.counters;
    match (space, access.write) {
        (Space::Global(_), false) => counters.global_bytes_read += access.bytes(),
        (Space::Global(_), true) => counters.global_bytes_written += access.bytes(),
        (Space::Shared(_), false) => counters.shared_bytes_read += access.bytes(),
        (Space::Shared(_), true) => counters.shared_bytes_written += access.bytes(),
        (Space::Private(_) | Space::Nowhere, _) => {}
    }
    if !machine.tallies.is_empty() {
        tally(machine, space, access, pc);
    }
}

/// The elements that one instruction touches: [`SKIPPED`] ones, and those of lanes that are off, it does not.
pub(crate) struct Touches<'a> {
    pub addresses: &'a [usize],
    pub lanes: usize,
    pub mask: u128,
    /// How many are touched.
    pub n: u64,
    pub elem_bytes: usize,
    /// How the elements lie in those of the buffer.
    pub cast: Option<Cast>,
    pub write: bool,
}

impl Touches<'_> {
    fn bytes(&self) -> u64 {
        self.n * self.elem_bytes as u64
    }
}

#[cold]
fn tally(machine: &mut Machine<'_>, space: Space, touches: &Touches<'_>, pc: usize) {
    let Some(banks) = machine.options.banks else { return };
    let groups = machine.options.load_groups;
    let traffic = match space {
        Space::Global(_) => &mut machine.tallies[pc].global,
        Space::Shared(_) => &mut machine.tallies[pc].shared,
        Space::Private(_) | Space::Nowhere => return,
    };
    if machine.launch.mode == Mode::Simd {
        // A value of the whole workgroup is not cut into lanes yet.
        let bytes = if touches.write { &mut traffic.bytes_written } else { &mut traffic.bytes_read };
        *bytes += touches.bytes();
        traffic.requests += 1;
        return;
    }
    let (lanes, elem_bytes, write) = (touches.lanes, touches.elem_bytes, touches.write);
    let on = |at: usize| touches.mask >> (at % lanes) & 1 == 1;
    let unit = touches.cast.map_or(1, |cast| cast.elem.bytes());
    let place = |address: usize| if address == SKIPPED { SKIPPED } else { address / unit };
    let addresses: Vec<usize> = touches
        .addresses
        .iter()
        .enumerate()
        .map(|(at, &address)| if on(at) { place(address) } else { SKIPPED })
        .collect();
    let access = cost::Access { addresses: &addresses, lanes, skipped: SKIPPED, elem_bytes, write };
    match space {
        Space::Shared(_) => access.in_shared(banks, groups, traffic),
        _ => access.in_global(traffic),
    }
}

/// Bytes of an element of a buffer, or of one that is cast out of its bytes.
pub(crate) fn elem_bytes(buffer: &Buffer, cast: Option<Cast>) -> usize {
    cast.map_or(buffer.elem, |cast| cast.elem).bytes()
}

/// Tells the shadow of an access, and counts it.
#[inline(never)]
pub(crate) fn note(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    space: Space,
    touches: &Touches<'_>,
    pc: usize,
) -> Run<()> {
    let now = machine.now(s, space, pc);
    let buffer = buffer(machine, s, space)?;
    let on = |lane: usize, address: usize| address != SKIPPED && touches.mask >> lane & 1 == 1;
    if buffer.is_forked() {
        let each = touches.addresses.iter().enumerate().filter(|&(at, &address)| on(at % touches.lanes, address));
        buffer.touch(each.flat_map(|(_, &address)| covered(address, touches.cast)), touches.write);
    }
    let mut faults = Vec::new();
    if buffer.is_tracked() {
        for row in touches.addresses.chunks(touches.lanes) {
            for (lane, &address) in row.iter().enumerate() {
                if on(lane, address) {
                    let mut noted = covered(address, touches.cast).map(|address| {
                        if touches.write {
                            buffer.note_write(address, &now, lane)
                        } else {
                            buffer.note_read(address, &now, lane)
                        }
                    });
                    faults.extend(noted.find_map(Result::err));
                }
            }
        }
    }
    for fault in faults {
        machine.put_off(s, pc, fault)?;
    }
    count(machine, space, touches, pc);
    Ok(())
}

pub(crate) fn load<T: Num>(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    dst: Reg,
    view: Reg,
    at: &[Reg],
    pc: usize,
) -> Run<()> {
    locate(machine, s, view, at)?;
    let (lanes, mask, n) = (s.regs.lanes, s.mask, s.active);
    let (space, cast) = (s.regs.view(view).space, s.regs.view(view).cast(lanes));
    let mut out = s.regs.take::<T>(dst);
    let addresses = std::mem::take(&mut machine.addresses);
    let buffer = buffer(machine, s, space)?;
    let elem_bytes = elem_bytes(buffer, cast);
    // A buffer may be empty when no lane is there to read it.
    if buffer.data().len() > 0 {
        for (out, &address) in out.iter_mut().zip(&addresses) {
            *out = number_at(buffer.data(), address, cast);
        }
    }
    note(machine, s, space, &Touches { addresses: &addresses, lanes, mask, n, elem_bytes, cast, write: false }, pc)?;
    machine.addresses = addresses;
    s.regs.put(dst, out);
    Ok(())
}

pub(crate) fn store<T: Num>(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    src: Reg,
    view: Reg,
    at: &[Reg],
    pc: usize,
) -> Run<()> {
    locate(machine, s, view, at)?;
    let (lanes, mask, n) = (s.regs.lanes, s.mask, s.active);
    let (space, cast) = (s.regs.view(view).space, s.regs.view(view).cast(lanes));
    let values = s.regs.take::<T>(src);
    let addresses = std::mem::take(&mut machine.addresses);
    let buffer = buffer(machine, s, space)?;
    let elem_bytes = elem_bytes(buffer, cast);
    let data = buffer.data_mut();
    for (lane, (value, &address)) in values.iter().zip(&addresses).enumerate() {
        if mask >> lane & 1 == 1 {
            put_number(data, address, cast, value.clone());
        }
    }
    note(machine, s, space, &Touches { addresses: &addresses, lanes, mask, n, elem_bytes, cast, write: true }, pc)?;
    machine.addresses = addresses;
    s.regs.put(src, values);
    Ok(())
}

/// The address of each element and lane of a transfer, [`SKIPPED`] for those that padding or a mask leaves out.
pub(crate) fn plan(s: &Subgroup, transfer: &Transfer, view: &View, out: &mut Vec<usize>) -> Run<()> {
    let (lanes, rank, n) = (s.regs.lanes, transfer.indices.len(), transfer.n);
    out.clear();
    out.resize(n * lanes, SKIPPED);
    let distance: Vec<i64> = (0..n)
        .map(|e| {
            let deltas = &transfer.deltas[e * rank..][..rank];
            deltas
                .iter()
                .zip(&view.strides)
                .map(|(delta, stride)| delta.wrapping_mul(*stride))
                .fold(0, i64::wrapping_add)
        })
        .collect();
    let mask = transfer.mask.map(|mask| s.regs.get::<i64>(mask));
    let spread = if let Space::Private(_) = view.space { lanes } else { 1 };
    let (mut origin, mut at) = (vec![0i64; rank], vec![0i64; rank]);
    for lane in 0..lanes {
        if !s.is_on(lane) {
            continue;
        }
        let mut first = view.offset.get(lane).copied().unwrap_or(0);
        let mut inside = view.limit.is_none();
        for (d, &reg) in transfer.indices.iter().enumerate() {
            origin[d] = s.regs.int(reg, lane);
            inside &= origin[d] >= 0 && origin[d].saturating_add(transfer.reach[d]) < view.shape[d];
            first = first.wrapping_add(origin[d].wrapping_mul(view.strides[d]));
        }
        let shift = if spread == 1 { 0 } else { lane };
        if inside && mask.is_none() && transfer.gathered.is_empty() {
            for (e, distance) in distance.iter().enumerate() {
                out[e * lanes + lane] = (first + distance) as usize * spread + shift;
            }
            continue;
        }
        let mut taken = 0;
        for e in 0..n {
            if mask.is_some_and(|mask| mask[transfer.mask_table[e] as usize * lanes + lane] == 0) {
                continue;
            }
            at.copy_from_slice(&transfer.deltas[e * rank..][..rank]);
            for (d, reg, table) in &transfer.gathered {
                at[*d] = at[*d].saturating_add(s.regs.int_at(*reg, table[e] as usize, lane));
            }
            if transfer.packed {
                at[rank - 1] = taken;
                taken += 1;
            }
            let address = at
                .iter()
                .zip(&view.strides)
                .fold(first, |sum, (at, stride)| sum.wrapping_add(at.wrapping_mul(*stride)));
            let mut here = true;
            for d in 0..rank {
                let at = origin[d].saturating_add(at[d]);
                if !(0..view.shape[d]).contains(&at) {
                    if transfer.strict[d] {
                        return Err(outside(view, lane, at, d));
                    }
                    here = false;
                }
            }
            if here && !view.has(address) {
                return Err(beyond(view, lane, address));
            }
            if here {
                out[e * lanes + lane] = address as usize * spread + shift;
            }
        }
    }
    Ok(())
}

pub(crate) fn check_alignment(buffer: &Buffer, addresses: &[usize], lanes: usize, align: usize) -> Run<()> {
    let elem_bytes = buffer.elem.bytes();
    for (lane, &address) in addresses[..lanes].iter().enumerate() {
        if address != SKIPPED && !(address / buffer.lanes * elem_bytes).is_multiple_of(align) {
            let place = buffer.place(address);
            let message = format!("{place} is not at a multiple of the {align} bytes that the access moves");
            return Err(Fault::new(Kind::Misaligned, Some(lane), message));
        }
    }
    Ok(())
}

#[inline(never)]
pub(crate) fn read(machine: &mut Machine<'_>, s: &mut Subgroup, transfer: &Transfer, pc: usize) -> Run<()> {
    let Some(dst) = transfer.dst else { return Ok(()) };
    let mut addresses = std::mem::take(&mut machine.addresses);
    if let Some(shape) = &transfer.tensor_shape {
        let view = View::whole(Space::Nowhere, shape, s.regs.lanes);
        plan(s, transfer, &view, &mut addresses)?;
        by_bank!(dst.bank, read_tensor::<_>(s, transfer, dst, &addresses));
    } else {
        let view = std::mem::take(&mut s.regs.views[transfer.base.at as usize]);
        plan(s, transfer, &view, &mut addresses)?;
        by_bank!(dst.bank, read_buffer::<_>(machine, s, transfer, dst, &view, &addresses, pc))?;
        s.regs.views[transfer.base.at as usize] = view;
    }
    machine.addresses = addresses;
    Ok(())
}

fn read_buffer<T: Num>(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    transfer: &Transfer,
    dst: Reg,
    view: &View,
    addresses: &[usize],
    pc: usize,
) -> Run<()> {
    let lanes = s.regs.lanes;
    let mut out = s.regs.take::<T>(dst);
    if let Some(padding) = transfer.padding {
        let padding = s.regs.get::<T>(padding);
        for (out, padding) in out.chunks_exact_mut(lanes).zip(padding.chunks_exact(lanes).cycle()) {
            out.clone_from_slice(padding);
        }
    }
    let cast = view.cast(lanes);
    let buffer = buffer(machine, s, view.space)?;
    let elem_bytes = elem_bytes(buffer, cast);
    if transfer.align > 1 {
        check_alignment(buffer, addresses, lanes, transfer.align)?;
    }
    let data = buffer.data();
    let mut n = 0;
    for (out, &address) in out.iter_mut().zip(addresses) {
        if address != SKIPPED {
            *out = number_at(data, address, cast);
            n += 1;
        }
    }
    let touches = Touches { addresses, lanes, mask: u128::MAX, n, elem_bytes, cast, write: false };
    note(machine, s, view.space, &touches, pc)?;
    s.regs.put(dst, out);
    Ok(())
}

fn read_tensor<T: Num>(s: &mut Subgroup, transfer: &Transfer, dst: Reg, addresses: &[usize]) {
    let lanes = s.regs.lanes;
    let mut out = s.regs.take::<T>(dst);
    let data = s.regs.get::<T>(transfer.base);
    let padding = transfer.padding.map(|padding| s.regs.get::<T>(padding));
    for (at, (out, &address)) in out.iter_mut().zip(addresses).enumerate() {
        let lane = at % lanes;
        *out = match padding {
            _ if address != SKIPPED => data[address * lanes + lane].clone(),
            Some(padding) => padding[at % padding.len()].clone(),
            None => T::default(),
        };
    }
    s.regs.put(dst, out);
}

#[inline(never)]
pub(crate) fn write(machine: &mut Machine<'_>, s: &mut Subgroup, transfer: &Transfer, pc: usize) -> Run<()> {
    let Some(src) = transfer.src else { return Ok(()) };
    let mut addresses = std::mem::take(&mut machine.addresses);
    if let Some(shape) = &transfer.tensor_shape {
        let view = View::whole(Space::Nowhere, shape, s.regs.lanes);
        plan(s, transfer, &view, &mut addresses)?;
        by_bank!(src.bank, write_tensor::<_>(s, transfer, src, &addresses));
    } else {
        let view = std::mem::take(&mut s.regs.views[transfer.base.at as usize]);
        plan(s, transfer, &view, &mut addresses)?;
        by_bank!(src.bank, write_buffer::<_>(machine, s, transfer, src, &view, &addresses, pc))?;
        s.regs.views[transfer.base.at as usize] = view;
    }
    machine.addresses = addresses;
    Ok(())
}

fn write_buffer<T: Num>(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    transfer: &Transfer,
    src: Reg,
    view: &View,
    addresses: &[usize],
    pc: usize,
) -> Run<()> {
    let lanes = s.regs.lanes;
    let values = s.regs.take::<T>(src);
    let cast = view.cast(lanes);
    let buffer = buffer(machine, s, view.space)?;
    let elem_bytes = elem_bytes(buffer, cast);
    if transfer.align > 1 {
        check_alignment(buffer, addresses, lanes, transfer.align)?;
    }
    let data = buffer.data_mut();
    let mut n = 0;
    for (value, &address) in values.iter().zip(addresses) {
        if address != SKIPPED {
            put_number(data, address, cast, value.clone());
            n += 1;
        }
    }
    let touches = Touches { addresses, lanes, mask: u128::MAX, n, elem_bytes, cast, write: true };
    note(machine, s, view.space, &touches, pc)?;
    s.regs.put(src, values);
    Ok(())
}

fn write_tensor<T: Num>(s: &mut Subgroup, transfer: &Transfer, src: Reg, addresses: &[usize]) {
    let Some(dst) = transfer.dst else { return };
    let lanes = s.regs.lanes;
    let mut out = take_copy::<T>(&mut s.regs, dst, transfer.base);
    for (at, (value, &address)) in s.regs.get::<T>(src).iter().zip(addresses).enumerate() {
        if address != SKIPPED {
            out[address * lanes + at % lanes] = value.clone();
        }
    }
    s.regs.put(dst, out);
}

/// The value of an index that all lanes that are on agree about.
pub(crate) fn agreed(s: &Subgroup, index: Index) -> Run<i64> {
    let first = s.mask.trailing_zeros() as usize % 128;
    let number = value(&s.regs, index, first);
    for lane in first..s.regs.lanes {
        if s.is_on(lane) && value(&s.regs, index, lane) != number {
            return Err(Fault::new(
                Kind::Unsupported,
                Some(lane),
                "the extents and strides of a memref differ between the lanes of a subgroup",
            ));
        }
    }
    Ok(number)
}

#[inline(never)]
pub(crate) fn subview(s: &mut Subgroup, inst: &SubView) -> Run<()> {
    let mut offset = s.regs.view(inst.base).offset.clone();
    let (mut shape, mut strides) = (Vec::new(), Vec::new());
    for d in 0..inst.offsets.len() {
        let (size, step) = (agreed(s, inst.sizes[d])?, agreed(s, inst.strides[d])?);
        let (extent, stride) = (s.regs.view(inst.base).shape[d], s.regs.view(inst.base).strides[d]);
        for (lane, offset) in offset.iter_mut().enumerate() {
            if !s.is_on(lane) {
                continue;
            }
            let start = value(&s.regs, inst.offsets[d], lane);
            let last = size.checked_sub(1).and_then(|n| n.checked_mul(step)).and_then(|reach| reach.checked_add(start));
            if size < 0
                || start < 0
                || step < 0
                || (size > 0 && last.is_none_or(|last| last >= extent))
                || start > extent
            {
                return Err(Fault::new(
                    Kind::Bounds,
                    Some(lane),
                    format!(
                        "the view of {size} elements at {start}, step {step}, leaves dimension {d} of extent {extent}"
                    ),
                ));
            }
            *offset += start * stride;
        }
        if inst.kept.contains(&d) {
            shape.push(size);
            strides.push(stride.wrapping_mul(step));
        }
    }
    let View { space, elem, limit, .. } = *s.regs.view(inst.base);
    s.regs.views[inst.dst.at as usize] = View { space, elem, shape, strides, offset, limit };
    Ok(())
}

/// The shape of an allocation, and its number of elements if the memory limit allows it.
fn allocation(machine: &mut Machine<'_>, s: &Subgroup, shape: &[Index], copies: usize) -> Run<(Vec<i64>, usize)> {
    let shape = shape.iter().map(|&extent| agreed(s, extent)).collect::<Run<Vec<i64>>>()?;
    let n = checked_elements(&shape, machine.memory_left).and_then(|n| n.checked_mul(copies));
    match n {
        Some(n) => Ok((shape, n)),
        None => Err(too_large(machine, &shape)),
    }
}

#[cold]
fn too_large(machine: &Machine<'_>, shape: &[i64]) -> Box<Fault> {
    let max = machine.options.memory_max;
    Fault::new(Kind::Limit, None, format!("an allocation of shape {shape:?} exceeds the run's {max} bytes of memory"))
        .help("raise the memory limit, or allocate less")
}

pub(crate) fn pay(machine: &mut Machine<'_>, bytes: usize, shape: &[i64]) -> Run<()> {
    match machine.memory_left.checked_sub(bytes) {
        Some(left) => {
            machine.memory_left = left;
            Ok(())
        }
        None => Err(too_large(machine, shape)),
    }
}

/// Memory of the workgroup: every subgroup gets the same. What another workgroup left there does not count as written,
/// and neither does what this one wrote when it came here before.
#[inline(never)]
pub(crate) fn alloc(machine: &mut Machine<'_>, s: &mut Subgroup, dst: Reg, at: usize, shape: &[Index]) -> Run<()> {
    let (shape, n) = allocation(machine, s, shape, 1)?;
    let site = &machine.code.shared[at];
    let tracked = machine.options.sanitize;
    if machine.shared[at].as_ref().is_none_or(|buffer| buffer.shape != shape) {
        pay(machine, Buffer::bytes(site.bank, site.elem, n, tracked, machine.code.is_careful()), &shape)?;
        let data = Data::zeros(site.bank, n);
        machine.shared[at] = Some(Buffer::new(data, site.elem, &shape, 1, Origin::Shared(site.op), false, tracked));
    }
    s.generations[at] += 1;
    s.regs.views[dst.at as usize] = View::whole(Space::Shared(at as u32), &shape, s.regs.lanes);
    Ok(())
}

/// The threads that are on free an allocation. Memory that the kernel was given is the caller's.
#[inline(never)]
pub(crate) fn dealloc(machine: &mut Machine<'_>, s: &mut Subgroup, view: Reg, pc: usize) -> Run<()> {
    let space = s.regs.view(view).space;
    if !machine.options.sanitize || matches!(space, Space::Global(_)) {
        return Ok(());
    }
    let now = machine.now(s, space, pc);
    let lane = s.mask.trailing_zeros() as usize;
    buffer(machine, s, space)?.free(&now, lane)
}

/// Memory of each lane, new each time.
#[inline(never)]
pub(crate) fn alloca(machine: &mut Machine<'_>, s: &mut Subgroup, dst: Reg, at: usize, shape: &[Index]) -> Run<()> {
    let lanes = s.regs.lanes;
    let (shape, n) = allocation(machine, s, shape, lanes)?;
    // Its shadow is cleared each time.
    machine.charge(n as u64 * 4)?;
    let site = &machine.code.private[at];
    let tracked = machine.options.sanitize;
    match &mut s.private[at] {
        Some(buffer) if buffer.shape == shape => buffer.forget(),
        slot => {
            pay(machine, Buffer::bytes(site.bank, site.elem, n, tracked, machine.code.is_careful()), &shape)?;
            let data = Data::zeros(site.bank, n);
            *slot = Some(Buffer::new(data, site.elem, &shape, lanes, Origin::Private(site.op), false, tracked));
        }
    }
    s.regs.views[dst.at as usize] = View::whole(Space::Private(at as u32), &shape, lanes);
    Ok(())
}
