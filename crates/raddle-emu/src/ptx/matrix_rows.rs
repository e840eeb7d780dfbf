//! `ldmatrix` and `stmatrix`: rows of 16 bytes in shared memory, and the registers that hold their elements.
//!
//! Each lane gives the address of a row, eight rows for each register. The elements that a lane holds are those of an
//! operand or a result of `mma`: a lane is in group `lane / 4` and is member `lane % 4` of it (PTX ISA, "ldmatrix" and
//! "stmatrix"; of bytes that are transposed, a register holds four along a column).

use raddle_ir::Diag;

use super::access::Issue;
use super::inst::Address;
use super::lane::{LANES, Row};
use super::machine::{Machine, lanes_of};
use super::memory::Clash;
use super::races::{Sum, are_sums, sum};
use super::warp::{FULL, Warp};
use super::words::Words;

/// Rows for each register.
const ROWS: usize = 8;
/// Bytes of a row.
const ROW_BYTES: usize = 16;

/// What rows hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Elements {
    /// Eight halves: `.b16`.
    Halves,
    /// Sixteen elements, packed in memory and a byte each in registers: their bits in memory, 8 for `.b8`.
    Bytes(usize),
}

/// The form of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MatrixRows {
    elements: Elements,
    transposed: bool,
    /// Registers of a lane.
    pub n_regs: usize,
}

/// An instruction.
pub(super) struct MoveRows {
    pub rows: MatrixRows,
    pub address: Address,
    pub regs: Vec<u32>,
}

impl MatrixRows {
    /// What the words behind `ldmatrix` or `stmatrix` name, but the space.
    pub(super) fn of(words: &mut Words<'_>, is_load: bool) -> Option<MatrixRows> {
        (words.take("sync") && words.take("aligned")).then_some(())?;
        let shape = words.take_any(&["m8n8", "m8n16", "m16n16", "m16n8"])?;
        let n = match words.take_any(&["x1", "x2", "x4"])? {
            "x1" => 1,
            "x2" => 2,
            _ => 4,
        };
        let transposed = words.take("trans");
        let elements = match words.take_any(&["b16", "b8", "b8x16"])? {
            "b16" => Elements::Halves,
            "b8" => Elements::Bytes(8),
            _ if words.take("b6x16_p32") => Elements::Bytes(6),
            _ if words.take("b4x16_p64") => Elements::Bytes(4),
            _ => return None,
        };
        let rows = |n_regs| Some(MatrixRows { elements, transposed, n_regs });
        match (shape, elements) {
            ("m8n8", Elements::Halves) => rows(n),
            ("m8n16", Elements::Bytes(4 | 6)) if is_load && !transposed => rows(n),
            ("m16n16", Elements::Bytes(_)) if is_load && transposed && n < 4 => rows(2 * n),
            ("m16n8", Elements::Bytes(8)) if !is_load && transposed => rows(n),
            _ => None,
        }
    }

    /// Bytes of a row that hold elements; what follows up to 16 is not touched.
    fn row_bytes(self) -> usize {
        match self.elements {
            Elements::Halves => ROW_BYTES,
            Elements::Bytes(bits) => ROW_BYTES * bits / 8,
        }
    }

    /// The lanes that give addresses.
    fn lanes(self) -> u32 {
        FULL >> (LANES - self.n_regs * ROWS)
    }

    /// What the lanes hold in one of their registers.
    fn words(self, data: &[[u8; ROW_BYTES]; LANES], reg: usize) -> Row {
        let (first, pair) = (reg * ROWS, reg / 2 * 2 * ROWS);
        match (self.elements, self.transposed) {
            (Elements::Halves | Elements::Bytes(_), false) => {
                gather(data, |group, member, at| (first + group, member * 4 + at))
            }
            (Elements::Halves, true) => {
                gather(data, |group, member, at| (first + member * 2 + at / 2, group * 2 + at % 2))
            }
            (Elements::Bytes(_), true) => {
                gather(data, |group, member, at| (pair + member * 4 + at, reg % 2 * ROWS + group))
            }
        }
    }

    /// A row of eight that is stored of the lanes' register.
    fn row(self, words: &Row, row: usize) -> [u8; ROW_BYTES] {
        let byte = |lane: usize, at: usize| words[lane].to_le_bytes()[at];
        std::array::from_fn(|column| match (self.elements, self.transposed) {
            (Elements::Halves | Elements::Bytes(_), false) => byte(row * 4 + column / 4, column % 4),
            (Elements::Halves, true) => byte(column / 2 * 4 + row / 2, row % 2 * 2 + column % 2),
            // Each half of a row is a column of eight, which the groups hold.
            (Elements::Bytes(_), true) => byte(column % ROWS * 4 + row / 2, row % 2 + column / ROWS * 2),
        })
    }
}

/// Four bytes for each lane, by its group, its place there, and their order: from which row and column they come.
#[inline(always)]
fn gather(data: &[[u8; ROW_BYTES]; LANES], place: impl Fn(usize, usize, usize) -> (usize, usize)) -> Row {
    std::array::from_fn(|lane| {
        let bytes = [0, 1, 2, 3].map(|at| {
            let (row, column) = place(lane / 4, lane % 4, at);
            data[row][column]
        });
        u64::from(u32::from_le_bytes(bytes))
    })
}

/// Elements of a row, a byte each.
fn widen(row: &mut [u8; ROW_BYTES], bits: usize) {
    let packed = u128::from_le_bytes(*row);
    for (at, byte) in row.iter_mut().enumerate() {
        *byte = (packed >> (at * bits)) as u8 & (0xff >> (8 - bits));
    }
}

impl Machine<'_> {
    pub(super) fn load_matrix(&mut self, warp: &mut Warp, pc: u32, moved: &MoveRows) -> Result<(), Box<Diag>> {
        let (rows, view) = (moved.rows, self.view(warp, pc));
        // A register of the address may be loaded.
        let addresses = Self::generic(warp, moved.address);
        let mut data = [[0u8; ROW_BYTES]; LANES];
        let base = &warp.regs[moved.address.row as usize];
        if rows.row_bytes() == ROW_BYTES {
            let mut left = rows.lanes();
            while left != 0 {
                let take = |lane: usize, bytes: &[u8; ROW_BYTES]| data[lane] = *bytes;
                match self.memory.read_run((moved.address, base), warp.rank, left, &view, false, take) {
                    Ok(served) => left &= !served,
                    Err((lane, issue)) => return Err(self.fault(warp, pc, lane, &issue)),
                }
            }
        } else {
            for lane in lanes_of(rows.lanes()) {
                let (_, address) = moved.address.of(base[lane]);
                if !address.is_multiple_of(ROW_BYTES as u64) {
                    return Err(self.fault(warp, pc, lane, &Issue::misaligned("reads", address, ROW_BYTES)));
                }
                for at in (0..rows.row_bytes()).step_by(4) {
                    let (place, address) = moved.address.of(base[lane].wrapping_add(at as u64));
                    match self.memory.read(place, warp.rank, address, 4, &view, view.who.of_lane(lane)) {
                        Ok(bytes) => data[lane][at..at + 4].copy_from_slice(bytes),
                        Err(issue) => return Err(self.fault(warp, pc, lane, &issue)),
                    }
                }
            }
        }
        if let Elements::Bytes(bits @ ..8) = rows.elements {
            data.iter_mut().for_each(|row| widen(row, bits));
        }
        for (index, &reg) in moved.regs.iter().enumerate() {
            warp.put(reg, FULL, &rows.words(&data, index));
        }
        let bytes = (ROWS * rows.row_bytes() * moved.regs.len()) as u64;
        self.counters.shared_bytes_read += bytes;
        self.count(&addresses, rows.lanes(), ROW_BYTES, false);
        self.burn(bytes);
        Ok(())
    }

    pub(super) fn store_matrix(&mut self, warp: &mut Warp, pc: u32, moved: &MoveRows) -> Result<(), Box<Diag>> {
        let (rows, program) = (moved.rows, self.program);
        let base = warp.regs[moved.address.row as usize];
        for (index, &reg) in moved.regs.iter().enumerate() {
            let source = warp.regs[reg as usize];
            let mut sums = None::<Vec<Option<Sum>>>;
            for at in 0..ROWS {
                let lane = index * ROWS + at;
                let row = rows.row(&source, at);
                let (place, address) = moved.address.of(base[lane]);
                let view = self.view(warp, pc);
                let who = view.who.of_lane(lane);
                // Sums in f32 are moved as pairs of halves, which stay together where the matrix is not transposed.
                let excuses = &mut |clash: &Clash<'_>| {
                    let is_same = !rows.transposed && clash.other.pc() == Some(pc as usize);
                    is_same
                        && clash.written.is_some_and(|values| {
                            let of = |_| sum(program, warp, pc, reg, 4);
                            are_sums(sums.get_or_insert_with(|| (0..row.len() / 4).map(of).collect()), 4, values)
                        })
                };
                if let Err(issue) = self.memory.write_unless((place, address), warp.rank, &row, &view, who, excuses) {
                    return Err(self.fault(warp, pc, lane, &issue));
                }
            }
        }
        let bytes = (ROWS * ROW_BYTES * moved.regs.len()) as u64;
        self.counters.shared_bytes_written += bytes;
        self.count(&Self::generic(warp, moved.address), rows.lanes(), ROW_BYTES, true);
        self.burn(bytes);
        Ok(())
    }
}
