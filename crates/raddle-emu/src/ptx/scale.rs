//! `.block_scale`: the factors of A's rows and B's columns that stand beside them, one for each block along k.
//!
//! PTX ISA, "Block Scaling for mma.sync": the factors of a row or column are bytes of one lane's register, side by side.
//! `thread-id` says which lanes of a group of four hold them (two for A, one for B), and `byte-id` which byte is first.

use super::float::Format;
use super::lane::Row;
use super::words::Words;

/// The factors of one operand.
#[derive(Clone, Copy, Default)]
pub(super) struct Selected {
    /// The registers of the factors, of `byte-id` and of `thread-id`.
    pub data: u32,
    pub byte: u32,
    pub thread: u32,
}

/// The scaling of a product.
pub(super) struct Scales {
    /// Of A, of B.
    pub selected: [Selected; 2],
    /// Factors of a row of A, or of a column of B.
    n_blocks: usize,
    format: Format,
}

/// Kinds of products, the word for the number of blocks, that number, and the type of factors. The word may be left out
/// where a kind has one row.
const KINDS: &[(&str, &str, usize, &str)] = &[
    ("kind::mxf8f6f4", "scale_vec::1X", 1, "ue8m0"),
    ("kind::mxf4", "scale_vec::2X", 2, "ue8m0"),
    ("kind::mxf4nvf4", "scale_vec::2X", 2, "ue8m0"),
    ("kind::mxf4nvf4", "scale_vec::4X", 4, "ue8m0"),
    ("kind::mxf4nvf4", "scale_vec::4X", 4, "ue4m3"),
];

impl Scales {
    /// The scaling that the words of a product of this kind ask for.
    pub(super) fn of(kind: &str, words: &mut Words<'_>) -> Option<Scales> {
        words.take("block_scale").then_some(())?;
        let vector = words.take_any(&["scale_vec::1X", "scale_vec::2X", "scale_vec::4X"]);
        let name = words.take_any(&["ue8m0", "ue4m3"])?;
        let mut rows = KINDS.iter().filter(|row| row.0 == kind);
        let is_only = rows.clone().count() == 1;
        let is_meant = |word| vector.map_or(is_only, |vector| vector == word);
        let (_, _, n_blocks, _) = rows.find(|row| is_meant(row.1) && row.3 == name)?;
        // A factor has no sign.
        let format = if name == "ue8m0" { Format::UE8M0 } else { Format::E4M3 };
        Some(Scales { selected: Default::default(), n_blocks: *n_blocks, format })
    }

    /// The factors of the 16 rows of A (`part` 0) or of the 8 columns of B (`part` 1), block by block; `None` if the
    /// selectors are out of range.
    pub(super) fn factors(&self, part: usize, rows: &[Row]) -> Option<Vec<f64>> {
        let Selected { data, byte, thread } = self.selected[part];
        let [byte, thread] = [byte, thread].map(|row| rows[row as usize][0] as usize);
        let (n_rows, members) = if part == 0 { (16, 2) } else { (8, 1) };
        if thread >= 4 / members || byte > 4 - self.n_blocks || !byte.is_multiple_of(self.n_blocks) {
            return None;
        }
        let bits = if self.format == Format::UE8M0 { 0xff } else { 0x7f };
        let mut factors = Vec::with_capacity(n_rows * self.n_blocks);
        for row in 0..n_rows {
            let word = rows[data as usize][row % 8 * 4 + thread * members + row / 8];
            factors.extend((byte..byte + self.n_blocks).map(|at| self.format.value(word >> (8 * at) & bits)));
        }
        Some(factors)
    }

    /// The block of a step of `k`.
    pub(super) fn block(&self, step: usize, k: usize) -> usize {
        step * self.n_blocks / k
    }

    pub(super) fn n_blocks(&self) -> usize {
        self.n_blocks
    }
}
