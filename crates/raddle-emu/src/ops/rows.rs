//! Loads of matrices: lanes name rows of 16 bytes, and every lane gets a word of a row of each matrix.

use crate::fault::{Fault, Kind, Run};
use crate::machine::{Machine, Subgroup};
use crate::ops::gpu::check_matrix;
use crate::ops::transfer::{SKIPPED, Touches, buffer, count, numbers, outside};
use crate::regs::{Num, Reg, Space};

/// Bytes of a row.
const ROW: usize = 16;

/// PTX ISA, "ldmatrix": lanes `8 j` to `8 j + 7` name the rows of matrix `j`. Lane `l` gets word `l mod 4` of row
/// `l / 4`; transposed, it gets element `l / 4` of rows `2 (l mod 4)` and the next.
pub(crate) fn load_rows<T: Num>(
    machine: &mut Machine<'_>,
    s: &mut Subgroup,
    dst: Reg,
    view: Reg,
    at: &[Reg],
    (n_tiles, transposed): (usize, bool),
    pc: usize,
) -> Run<()> {
    check_matrix(s)?;
    let lanes = s.regs.lanes;
    let view = s.regs.view(view).clone();
    let Space::Shared(_) = view.space else {
        return Err(Fault::new(Kind::Unsupported, None, "matrices are loaded from shared memory"));
    };
    let now = machine.now(s, pc);
    let elem_bytes = buffer(machine, s, view.space)?.elem.bytes();
    let (row, per_lane) = (ROW / elem_bytes, 4 / elem_bytes);
    let mut starts = Vec::with_capacity(8 * n_tiles);
    for lane in 0..8 * n_tiles {
        let mut address = view.offset[lane];
        for (d, &reg) in at.iter().enumerate() {
            let index = s.regs.int(reg, lane);
            // A row lies along the last dimension.
            let last = if d + 1 == at.len() { index.saturating_add(row as i64 - 1) } else { index };
            for index in [index, last] {
                if !(0..view.shape[d]).contains(&index) {
                    return Err(outside(&view, lane, index, d));
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
    let mut out = s.regs.take::<T>(dst);
    let buffer = buffer(machine, s, view.space)?;
    let data = numbers::<T>(buffer.data());
    let mut read = Vec::with_capacity(out.len());
    for (slot, out) in out.chunks_exact_mut(lanes).enumerate() {
        let (tile, index) = (slot / per_lane, slot % per_lane);
        for (lane, out) in out.iter_mut().enumerate() {
            let (r, column) = match transposed {
                false => (lane / 4, lane % 4 * per_lane + index),
                true => (lane % 4 * 2 + index, lane / 4),
            };
            let address = starts[8 * tile + r] + column;
            *out = data[address];
            read.push((lane, address));
        }
    }
    if buffer.is_forked() {
        buffer.touch(read.iter().map(|&(_, address)| address), false);
    }
    let mut faults = Vec::new();
    if buffer.is_tracked() {
        for &(lane, address) in &read {
            faults.extend(buffer.note_read(address, &now, lane).err());
        }
    }
    s.regs.put(dst, out);
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
    count(
        machine,
        view.space,
        &Touches { addresses: &addresses, lanes, mask: u128::MAX, n, elem_bytes, write: false },
        pc,
    );
    Ok(())
}
