//! Cut rings: how tiles lie in shared memory that instructions multiply there themselves.
//!
//! The columns of a tile are cut into pieces of up to 128 bytes. All rows of the first piece come first, and units of 16
//! bytes are swizzled by the eight rows that they lie in. PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory
//! Layout". An allocation says so by `raddle.swizzle = [n, base, 3, columns of a piece]` and its `alignment`.

/// Bytes that the rows of a piece have.
const ROW_BYTES: [i64; 3] = [32, 64, 128];
/// Bytes of a unit.
const UNIT_BYTES: i64 = 16;
/// Rows whose units are swizzled together.
const ROWS: i64 = 8;

/// A tile that is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    rows: i64,
    /// Columns of a piece.
    pub piece: i64,
    elem_bytes: i64,
}

impl Cut {
    /// What such memory begins at a multiple of, in bytes, so that swizzled places are swizzled addresses.
    pub const ALIGN: i64 = 1024;

    /// A tile of so many rows and columns, if instructions can read it.
    pub fn of([rows, columns]: [i64; 2], elem_bytes: i64) -> Option<Cut> {
        if !matches!(elem_bytes, 1 | 2 | 4) {
            return None;
        }
        let mut pieces = ROW_BYTES.iter().rev().map(|bytes| bytes / elem_bytes);
        let piece = pieces.find(|piece| columns % piece == 0)?;
        // Where a thread's bits name a piece, they name none of the rows.
        let is_even = columns == piece || rows & (rows - 1) == 0;
        (columns > 0 && rows > 0 && rows % ROWS == 0 && is_even).then_some(Cut { rows, piece, elem_bytes })
    }

    /// The attribute of the allocation.
    pub fn swizzle(&self) -> [i64; 4] {
        let unit = UNIT_BYTES / self.elem_bytes;
        [i64::from((self.piece / unit).ilog2()), i64::from(unit.ilog2()), 3, self.piece]
    }

    /// How an instruction finds the tile: see [`raddle_target::catalogue::SharedProduct::new`].
    pub fn tile(&self, k_is_last: bool) -> [i64; 4] {
        let row = self.piece * self.elem_bytes;
        // Eight rows lie behind each other. Beside them there are more only where rows are not along k.
        let beside = if k_is_last { UNIT_BYTES } else { self.rows * row };
        [i64::from(!k_is_last), row, beside, ROWS * row]
    }
}
