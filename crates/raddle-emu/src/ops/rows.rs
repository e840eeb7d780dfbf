//! Loads and stores of matrices: lanes name rows of 16 bytes, and every lane has a word of a row of each matrix.

use crate::fault::{Fault, Kind, Run};
use crate::machine::{Machine, Subgroup};
use crate::ops::gpu::check_matrix;
use crate::ops::transfer::{SKIPPED, Touches, buffer, count, numbers, outside};
use crate::regs::{Num, Reg, Space, View};

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
/// `l mod 4` of row `l / 4`; transposed, it has element `l / 4` of rows `2 (l mod 4)` and the next.
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
    let elem_bytes = buffer(machine, s, view.space)?.elem.bytes();
    let (row, per_lane) = (ROW / elem_bytes, 4 / elem_bytes);
    let starts = starts(s, &view, at, 8 * form.n_tiles, row, elem_bytes)?;
    // Each element of each lane, with its place.
    let mut places = Vec::with_capacity(form.n_tiles * per_lane * lanes);
    for slot in 0..form.n_tiles * per_lane {
        let (tile, index) = (slot / per_lane, slot % per_lane);
        for lane in 0..lanes {
            let (r, column) = match form.transposed {
                false => (lane / 4, lane % 4 * per_lane + index),
                true => (lane % 4 * 2 + index, lane / 4),
            };
            places.push(starts[8 * tile + r] + column);
        }
    }
    let mut values = s.regs.take::<T>(vector);
    let buffer = buffer(machine, s, view.space)?;
    if buffer.is_forked() {
        buffer.touch(places.iter().copied(), form.stores);
    }
    let mut faults = Vec::new();
    if buffer.is_tracked() {
        for (at, &place) in places.iter().enumerate() {
            let lane = at % lanes;
            let noted =
                if form.stores { buffer.note_write(place, &now, lane) } else { buffer.note_read(place, &now, lane) };
            faults.extend(noted.err());
        }
    }
    if form.stores {
        let data = T::data_mut(buffer.data_mut()).expect("the decoder compared the banks of register and memref");
        places.iter().zip(&values).for_each(|(&place, value)| data[place] = value.clone());
    } else {
        let data = numbers::<T>(buffer.data());
        places.iter().zip(&mut values).for_each(|(&place, value)| *value = data[place].clone());
    }
    s.regs.put(vector, values);
    for fault in faults {
        machine.put_off(s, pc, fault)?;
    }
    // What moves is one row for each lane that names one.
    let mut addresses = vec![SKIPPED; row * lanes];
    for (lane, start) in starts.iter().enumerate() {
        for index in 0..row {
            addresses[index * lanes + lane] = start + index;
        }
    }
    let n = (starts.len() * row) as u64;
    let touches = Touches { addresses: &addresses, lanes, mask: u128::MAX, n, elem_bytes, write: form.stores };
    count(machine, view.space, &touches, pc);
    Ok(())
}

/// Where the rows begin that the first lanes name.
fn starts(s: &Subgroup, view: &View, at: &[Reg], n: usize, row: usize, elem_bytes: usize) -> Run<Vec<usize>> {
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
        if view.strides.last() != Some(&1) || !(address as usize * elem_bytes).is_multiple_of(ROW) {
            let message = format!("the row that the lane names is not {ROW} bytes at a multiple of {ROW}");
            return Err(Fault::new(Kind::Misaligned, Some(lane), message));
        }
        starts.push(address as usize);
    }
    Ok(starts)
}
