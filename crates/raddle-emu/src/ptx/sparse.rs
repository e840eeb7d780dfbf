//! `mma.sp`: which columns of A the stored elements of a row stand for, by the metadata.
//!
//! A row is divided into chunks that keep half of their elements, and four bits of metadata say which ones (PTX ISA,
//! "Sparse matrix storage"). The words of metadata lie in one, two or four lanes of each group of four, which the
//! selector picks. `tests/ptx_sparse.rs` compares the place of each chunk's bits with an H100.

use super::lane::Row;
use super::matrix::Shape;

/// What a chunk keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Chunk {
    /// One element of two.
    OneOfTwo,
    /// Two elements of four.
    TwoOfFour,
    /// Two pairs of four pairs.
    PairsOfFour,
}

/// The sparsity of a product.
pub(super) struct Sparse {
    /// The register of the metadata.
    pub metadata: u32,
    /// Which lanes of a group hold it.
    pub selector: usize,
    /// Lanes of a group that hold it.
    members: usize,
    chunk: Chunk,
    /// A word has the bits of eight chunks of one row; else those of four chunks of two rows, eight rows apart.
    is_of_one_row: bool,
    /// The indices of a chunk rise.
    is_ordered: bool,
    shape: Shape,
}

/// Bits of metadata that select nothing, and the lane that holds them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Invalid {
    pub lane: usize,
    pub bits: u64,
}

impl Sparse {
    /// The sparsity of a product whose factors are in places of `bits`.
    pub(super) fn of(shape: Shape, bits: u32, is_ordered: bool) -> Option<Sparse> {
        let (chunk, length) = match bits {
            32 => (Chunk::OneOfTwo, 2),
            16 | 8 => (Chunk::TwoOfFour, 4),
            4 => (Chunk::PairsOfFour, 8),
            _ => return None,
        };
        // Sixteen rows, eight groups, eight chunks in a word.
        let members = shape.k / length / 4;
        Some(Sparse { metadata: 0, selector: 0, members, chunk, is_of_one_row: bits <= 8, is_ordered, shape })
    }

    /// How many selectors there are.
    pub(super) fn n_selectors(&self) -> usize {
        4 / self.members
    }

    /// For each row of A, the columns of its stored elements.
    pub(super) fn columns(&self, rows: &[Row]) -> Result<Vec<u16>, Invalid> {
        let words = &rows[self.metadata as usize];
        let n_stored = self.shape.k / 2;
        let mut columns = Vec::with_capacity(self.shape.m * n_stored);
        for row in 0..self.shape.m {
            for chunk in 0..self.members * 4 {
                let (lane, first) = self.place(row, chunk);
                let bits = words[lane] >> first & 0xf;
                let [low, high] = [bits & 3, bits >> 2].map(|index| index as u16);
                let start = chunk as u16;
                match self.chunk {
                    // As if the element were two of 16 bits, of which each has its index.
                    Chunk::OneOfTwo => match bits {
                        0b0100 => columns.push(2 * start),
                        0b1110 => columns.push(2 * start + 1),
                        _ => return Err(Invalid { lane, bits }),
                    },
                    Chunk::TwoOfFour | Chunk::PairsOfFour if low == high || self.is_ordered && low > high => {
                        return Err(Invalid { lane, bits });
                    }
                    Chunk::TwoOfFour => columns.extend([4 * start + low, 4 * start + high]),
                    Chunk::PairsOfFour => {
                        let [low, high] = [8 * start + 2 * low, 8 * start + 2 * high];
                        columns.extend([low, low + 1, high, high + 1]);
                    }
                }
            }
        }
        Ok(columns)
    }

    /// The lane with the bits of a chunk, and the first of them.
    fn place(&self, row: usize, chunk: usize) -> (usize, usize) {
        let (group, half) = (row % 8, row / 8);
        let first = group * 4 + self.members * self.selector;
        match self.is_of_one_row {
            true => (first + half + chunk / 8 * 2, chunk % 8 * 4),
            false => (first + chunk / 4, half * 16 + chunk % 4 * 4),
        }
    }
}
