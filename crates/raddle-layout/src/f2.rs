//! Linear algebra over the field of two elements: a vector is the bits of a `u64`, addition is xor.
//!
//! Swizzles, register layouts and schedules of shuffles are all linear in the bits of their numbers. The one routine
//! that is not in every textbook is [`common_complement`]: one subspace that completes two others at once. It yields
//! a round of shuffles that takes one element from each lane and brings one to each lane, and a memory layout in
//! which neither the writing nor the reading lanes share a bank.

use std::fmt;

/// Vectors have at most this many bits.
pub const BITS_MAX: usize = 64;

/// A linear map: the image of each bit, least significant first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Matrix {
    n_rows: usize,
    columns: Vec<u64>,
}

/// Why a matrix is not what was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum F2Error {
    /// More bits than a vector has, or a column that reaches beyond the rows.
    TooWide {
        /// Rows that would be needed.
        needed: usize,
        /// Rows there are.
        rows: usize,
    },
    /// The maps do not fit together.
    Mismatch {
        /// Columns of the outer map.
        columns: usize,
        /// Rows of the inner map.
        rows: usize,
    },
    /// Different vectors have the same image.
    NotInjective {
        /// A vector, not zero, that becomes zero.
        kernel: u64,
    },
    /// Some vector is not an image.
    NotSurjective {
        /// It.
        missing: u64,
    },
}

impl fmt::Display for F2Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            F2Error::TooWide { needed, rows } => write!(f, "{needed} bits are needed, and there are {rows}"),
            F2Error::Mismatch { columns, rows } => {
                write!(f, "a map from {columns} bits cannot follow a map to {rows} bits")
            }
            F2Error::NotInjective { kernel } => write!(f, "bits {kernel:#b} and 0 have the same image"),
            F2Error::NotSurjective { missing } => write!(f, "nothing has the image {missing:#b}"),
        }
    }
}

impl std::error::Error for F2Error {}

impl Matrix {
    /// A map to `n_rows` bits from the images of its bits.
    pub fn new(n_rows: usize, columns: Vec<u64>) -> Result<Matrix, F2Error> {
        let needed = columns.iter().map(|column| BITS_MAX - column.leading_zeros() as usize).fold(0, usize::max);
        if n_rows > BITS_MAX || columns.len() > BITS_MAX {
            return Err(F2Error::TooWide { needed: n_rows.max(columns.len()), rows: BITS_MAX });
        }
        if needed > n_rows {
            return Err(F2Error::TooWide { needed, rows: n_rows });
        }
        Ok(Matrix { n_rows, columns })
    }

    /// The map that changes nothing.
    pub fn identity(n: usize) -> Matrix {
        assert!(n <= BITS_MAX, "a vector has at most 64 bits");
        Matrix { n_rows: n, columns: (0..n).map(|bit| 1 << bit).collect() }
    }

    /// Bits of an image.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The image of each bit.
    pub fn columns(&self) -> &[u64] {
        &self.columns
    }

    /// The image of a vector.
    pub fn apply(&self, vector: u64) -> u64 {
        combine(&self.columns, vector)
    }

    /// How many bits of information an image has.
    pub fn rank(&self) -> usize {
        Space::span(&self.columns).dim()
    }

    /// Whether each bit is its own image.
    pub fn is_identity(&self) -> bool {
        self.n_rows == self.columns.len() && self.columns.iter().enumerate().all(|(bit, &column)| column == 1 << bit)
    }

    /// First `inner`, then this map.
    pub fn compose(&self, inner: &Matrix) -> Result<Matrix, F2Error> {
        if inner.n_rows != self.columns.len() {
            return Err(F2Error::Mismatch { columns: self.columns.len(), rows: inner.n_rows });
        }
        let columns = inner.columns.iter().map(|&column| self.apply(column)).collect();
        Ok(Matrix { n_rows: self.n_rows, columns })
    }

    /// The map back.
    pub fn invert(&self) -> Result<Matrix, F2Error> {
        let solver = Solver::new(&self.columns);
        if let Some(&kernel) = solver.kernel().first() {
            return Err(F2Error::NotInjective { kernel });
        }
        self.pseudo_invert()
    }

    /// A map from images back to one of their vectors, for a surjective map. Bits whose image earlier bits already
    /// reach are 0 in the answer.
    pub fn pseudo_invert(&self) -> Result<Matrix, F2Error> {
        let solver = Solver::new(&self.columns);
        let solve = |row: usize| solver.solve(1 << row).ok_or(F2Error::NotSurjective { missing: 1 << row });
        let columns = (0..self.n_rows).map(solve).collect::<Result<_, _>>()?;
        Ok(Matrix { n_rows: self.columns.len(), columns })
    }

    /// A vector with the image `image`, where there is one.
    pub fn solve(&self, image: u64) -> Option<u64> {
        Solver::new(&self.columns).solve(image)
    }

    /// Rows as columns.
    pub fn transpose(&self) -> Matrix {
        let row = |row: usize| {
            let bits = self.columns.iter().enumerate().map(|(index, column)| (column >> row & 1) << index);
            bits.fold(0, |all, bit| all | bit)
        };
        Matrix { n_rows: self.columns.len(), columns: (0..self.n_rows).map(row).collect() }
    }
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.n_rows {
            let bits: Vec<&str> =
                self.columns.iter().map(|column| if column >> row & 1 == 1 { "1" } else { "." }).collect();
            writeln!(f, "{}", bits.join(" "))?;
        }
        Ok(())
    }
}

/// The sum of the vectors that `choice` names.
pub fn combine(vectors: &[u64], choice: u64) -> u64 {
    let mut rest = choice;
    let mut sum = 0;
    while rest != 0 {
        let bit = rest.trailing_zeros();
        sum ^= vectors[bit as usize];
        rest &= rest - 1;
    }
    sum
}

/// A subspace, as a basis in reduced form: equal spaces compare equal.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Space {
    // Each vector's highest bit is in no other vector; sorted by it.
    basis: Vec<u64>,
}

impl Space {
    /// All sums of these vectors.
    pub fn span(vectors: &[u64]) -> Space {
        let mut space = Space::default();
        for &vector in vectors {
            space.insert(vector);
        }
        space
    }

    /// The number of bits that name a vector of it.
    pub fn dim(&self) -> usize {
        self.basis.len()
    }

    /// The reduced basis.
    pub fn basis(&self) -> &[u64] {
        &self.basis
    }

    /// The vector modulo this space.
    pub fn reduce(&self, vector: u64) -> u64 {
        self.basis.iter().fold(vector, |rest, &b| if rest >> top(b) & 1 == 1 { rest ^ b } else { rest })
    }

    /// Whether the vector lies in it.
    pub fn contains(&self, vector: u64) -> bool {
        self.reduce(vector) == 0
    }

    /// Whether the other space lies in it.
    pub fn includes(&self, other: &Space) -> bool {
        other.basis.iter().all(|&vector| self.contains(vector))
    }

    /// Adds a vector; whether it was new.
    pub fn insert(&mut self, vector: u64) -> bool {
        let rest = self.reduce(vector);
        if rest == 0 {
            return false;
        }
        for b in &mut self.basis {
            if *b >> top(rest) & 1 == 1 {
                *b ^= rest;
            }
        }
        let at = self.basis.partition_point(|&b| b < rest);
        self.basis.insert(at, rest);
        true
    }

    /// Adds vectors; those that were new.
    pub fn extend(&mut self, vectors: &[u64]) -> Vec<u64> {
        vectors.iter().copied().filter(|&vector| self.insert(vector)).collect()
    }

    /// All sums of vectors of both.
    pub fn sum(&self, other: &Space) -> Space {
        let mut sum = self.clone();
        sum.extend(&other.basis);
        sum
    }

    /// The vectors in both.
    pub fn intersect(&self, other: &Space) -> Space {
        // A sum of ours that reduces to zero with the help of theirs lies in both.
        let mut rows: Vec<(u64, u64)> = self.basis.iter().rev().map(|&b| (b, b)).collect();
        let mut common = Vec::new();
        for &vector in &other.basis {
            let (rest, ours) = rows.iter().fold((vector, 0), |(rest, ours), &(row, part)| {
                if rest >> top(row) & 1 == 1 { (rest ^ row, ours ^ part) } else { (rest, ours) }
            });
            if rest == 0 {
                common.push(ours);
            } else {
                rows.insert(rows.partition_point(|row| row.0 > rest), (rest, ours));
            }
        }
        Space::span(&common)
    }

    /// Unit vectors that complete this space to all of `n` bits.
    pub fn complement(&self, n: usize) -> Vec<u64> {
        let taken = self.basis.iter().fold(0, |all, &b| all | 1 << top(b));
        (0..n).map(|bit| 1 << bit).filter(|unit| taken & unit == 0).collect()
    }
}

/// Vectors kept ready to express others by them.
#[derive(Clone, Default, Debug)]
pub struct Solver {
    // A vector with its own highest bit, and the choice of pushed vectors that it is the sum of.
    rows: Vec<(u64, u64)>,
    kernel: Vec<u64>,
    count: usize,
}

impl Solver {
    /// Ready to express vectors by these, preferring the first ones.
    pub fn new(vectors: &[u64]) -> Solver {
        let mut solver = Solver::default();
        for &vector in vectors {
            solver.push(vector);
        }
        solver
    }

    /// One vector more.
    pub fn push(&mut self, vector: u64) {
        assert!(self.count < BITS_MAX, "a choice has at most 64 bits");
        let (rest, choice) = self.reduce(vector);
        let choice = choice ^ 1 << self.count;
        self.count += 1;
        if rest == 0 {
            self.kernel.push(choice);
        } else {
            let at = self.rows.partition_point(|row| row.0 > rest);
            self.rows.insert(at, (rest, choice));
        }
    }

    /// Which vectors add up to `sum`, if any do.
    pub fn solve(&self, sum: u64) -> Option<u64> {
        let (rest, choice) = self.reduce(sum);
        (rest == 0).then_some(choice)
    }

    /// A basis of the choices that add up to nothing.
    pub fn kernel(&self) -> &[u64] {
        &self.kernel
    }

    fn reduce(&self, vector: u64) -> (u64, u64) {
        self.rows.iter().fold((vector, 0), |(rest, choice), &(row, made_of)| {
            if rest >> top(row) & 1 == 1 { (rest ^ row, choice ^ made_of) } else { (rest, choice) }
        })
    }
}

/// A space that completes both `u` and `w` to all of `n` bits, as a basis; both must have the same dimension.
///
/// Outside their intersection, the k-th vector of `u` is paired with the k-th of `w`: their sum lies in neither.
/// What neither reaches is completed by unit vectors.
pub fn common_complement(u: &Space, w: &Space, n: usize) -> Vec<u64> {
    assert_eq!(u.dim(), w.dim(), "only spaces of the same dimension have a common complement");
    let mut common = u.intersect(w);
    let only_u = common.clone().extend(u.basis());
    let only_w = common.extend(w.basis());
    let mut complement = u.sum(w).complement(n);
    complement.extend(only_u.iter().zip(&only_w).map(|(a, b)| a ^ b));
    complement
}

/// A mask of the `n` lowest bits.
pub fn low_bits(n: usize) -> u64 {
    if n >= BITS_MAX { u64::MAX } else { (1 << n) - 1 }
}

/// The place of the highest set bit.
fn top(vector: u64) -> u32 {
    vector.ilog2()
}
