//! Loads and stores of matrices: lanes name rows of 16 bytes, and every lane has a word of a row of each matrix.

use crate::fault::{Fault, Kind, Run};
use crate::machine::{Machine, Subgroup};
use crate::ops::gpu::check_matrix;
use crate::ops::transfer::{SKIPPED, Touches, beyond, buffer, count, elem_bytes, outside};
use crate::regs::{Num, Reg, Space, View, covered, number_at, put_number};

/// Bytes of a row.
const ROW: usize = 16;

/// What is moved.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    pub n_tiles: usize,
    pub transposed: bool,
    pub stores: bool,
}

/// PTX ISA, "ldmatrix" and "stmatrix": lanes `8 j` to `8 j + 7` name the rows of matrix `j`. Lane `l` has word
/// `l mod 4` of row `l / 4`; transposed, it has the 16 bits at column `l / 4` of rows `2 (l mod 4)` and the next.
#[inline(never)]
pub(crate) fn move_rows<T: Num>(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    vector: Reg,
    view: Reg,
    at: &[Reg],
    form: Form,
    pc: usize,
) -> Run<()> {
    check_matrix(s)?;
    let lanes = s.regs.lanes;
    let view = s.regs.view(view).clone();
    let Space::Shared(_) = view.space else {
        return Err(Fault::new(Kind::Unsupported, None, "matrices are moved to and from shared memory"));
    };
    let now = machine.now(s, view.space, pc);
    let cast = view.cast(lanes);
    let elem_bytes = elem_bytes(buffer(machine, s, view.space)?, cast);
    let unit = if cast.is_some() { elem_bytes } else { 1 };
    let (row, per_lane) = (ROW / elem_bytes, 4 / elem_bytes);
    // Elements of 16 bits.
    let half = (2 / elem_bytes).max(1);
    let starts = starts(s, &view, at, 8 * form.n_tiles, row, (unit, elem_bytes))?;
    // Each element of each lane, with its place.
    let mut places = Vec::with_capacity(form.n_tiles * per_lane * lanes);
    for slot in 0..form.n_tiles * per_lane {
        let (tile, index) = (slot / per_lane, slot % per_lane);
        for lane in 0..lanes {
            let (r, column) = match form.transposed {
                false => (lane / 4, lane % 4 * per_lane + index),
                true => (lane % 4 * 2 + index / half, lane / 4 * half + index % half),
            };
            places.push(starts[8 * tile + r] + column * unit);
        }
    }
    let mut values = s.regs.take::<T>(vector);
    let buffer = buffer(machine, s, view.space)?;
    if buffer.is_forked() {
        buffer.touch(places.iter().flat_map(|&place| covered(place, cast)), form.stores);
    }
    let mut faults = Vec::new();
    if buffer.is_tracked() {
        for (at, &place) in places.iter().enumerate() {
            let lane = at % lanes;
            let mut noted = covered(place, cast).map(|place| {
                if form.stores { buffer.note_write(place, &now, lane) } else { buffer.note_read(place, &now, lane) }
            });
            faults.extend(noted.find_map(Result::err));
        }
    }
    if form.stores {
        let data = buffer.data_mut();
        places.iter().zip(&values).for_each(|(&place, value)| put_number(data, place, cast, value.clone()));
    } else {
        let data = buffer.data();
        places.iter().zip(&mut values).for_each(|(&place, value)| *value = number_at(data, place, cast));
    }
    s.regs.put(vector, values);
    for fault in faults {
        machine.put_off(s, pc, fault)?;
    }
    // What moves is one row for each lane that names one.
    let mut addresses = vec![SKIPPED; row * lanes];
    for (lane, start) in starts.iter().enumerate() {
        for index in 0..row {
            addresses[index * lanes + lane] = start + index * unit;
        }
    }
    let n = (starts.len() * row) as u64;
    let touches = Touches { addresses: &addresses, lanes, mask: u128::MAX, n, elem_bytes, cast, write: form.stores };
    count(machine, view.space, &touches, pc);
    Ok(())
}

/// Where the rows begin that the first lanes name.
fn starts(
    s: &Subgroup,
    view: &View,
    at: &[Reg],
    n: usize,
    row: usize,
    (unit, elem_bytes): (usize, usize),
) -> Run<Vec<usize>> {
    let mut starts = Vec::with_capacity(n);
    for lane in 0..n {
        let mut address = view.offset[lane];
        for (d, &reg) in at.iter().enumerate() {
            let index = s.regs.int(reg, lane);
            // A row lies along the last dimension.
            let last = if d + 1 == at.len() { index.saturating_add(row as i64 - 1) } else { index };
            for index in [index, last] {
                if !(0..view.shape[d]).contains(&index) {
                    return Err(outside(view, lane, index, d));
                }
            }
            address += index * view.strides[d];
        }
        if ![address, address.saturating_add(row as i64 - 1)].into_iter().all(|address| view.has(address)) {
            return Err(beyond(view, lane, address));
        }
        if view.strides.last() != Some(&(unit as i64)) || !(address as usize / unit * elem_bytes).is_multiple_of(ROW) {
            let message = format!("the row that the lane names is not {ROW} bytes at a multiple of {ROW}");
            return Err(Fault::new(Kind::Misaligned, Some(lane), message));
        }
        starts.push(address as usize);
    }
    Ok(starts)
}
