//! `wmma`: matrices of which nobody but the machine knows the lane and register of an element.
//!
//! PTX ISA leaves the places open ("Matrix Fragments for WMMA"), so that they are in order here: elements are counted along
//! the lines of memory, and each lane takes as many as its registers hold, from the beginning again where lanes hold more
//! elements than there are.

use super::float::{Format, Rounding};
use super::lane::{LANES, Row};
use super::types::{Kind, Ty, mask, signed};

/// What a matrix is in a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    A,
    B,
    /// The sum that is added, and the one that comes out.
    C,
}

/// A matrix in the registers of a warp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fragment {
    /// Rows and columns.
    pub rows: usize,
    pub columns: usize,
    pub ty: Ty,
    /// Whether elements are counted along rows.
    pub by_rows: bool,
    /// Registers of a lane.
    pub n_regs: usize,
}

/// The extents of products, by the bits of their factors (PTX ISA, "Matrix Shape").
const SHAPES: &[(u32, &[[usize; 3]])] = &[
    (1, &[[8, 8, 128]]),
    (4, &[[8, 8, 32]]),
    (8, &[[16, 16, 16], [8, 32, 16], [32, 8, 16]]),
    (16, &[[16, 16, 16], [8, 32, 16], [32, 8, 16]]),
    (32, &[[16, 16, 8]]),
    (64, &[[8, 8, 4]]),
];

/// The extents that a word names.
pub(super) fn shape(word: &str) -> Option<[usize; 3]> {
    let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    let found = [m.parse().ok()?, n.parse().ok()?, k.parse().ok()?];
    SHAPES.iter().any(|row| row.1.contains(&found)).then_some(found)
}

impl Fragment {
    /// The matrix of a role; nothing if there is none of this type and these extents.
    pub(super) fn of([m, n, k]: [usize; 3], role: Role, ty: Ty, by_rows: bool) -> Option<Fragment> {
        let (rows, columns) = match role {
            Role::A => (m, k),
            Role::B => (k, n),
            Role::C => (m, n),
        };
        let narrow = SHAPES.iter().find(|row| row.1.contains(&[m, n, k]) && row.0 == ty.bits);
        let fits = ty.packed == 1
            && match (role, ty.kind) {
                (Role::C, Kind::Float(Format::F16)) => k == 16,
                (Role::C, Kind::Float(Format::F32)) => matches!(k, 16 | 8),
                (Role::C, Kind::Float(Format::F64)) => k == 4,
                (Role::C, Kind::Signed) => ty.bits == 32 && matches!(k, 16 | 32 | 128),
                (Role::C, _) => false,
                (_, Kind::Float(Format::F16 | Format::BF16 | Format::TF32 | Format::F64)) => narrow.is_some(),
                (_, Kind::Signed | Kind::Unsigned) => narrow.is_some() && matches!(ty.bits, 4 | 8),
                (_, Kind::Bits) => narrow.is_some() && ty.bits == 1,
                (_, Kind::Float(_) | Kind::Pred) => false,
            };
        // Factors of fewer than eight bits lie along k.
        let along_k = ty.bits >= 8 || by_rows == (role == Role::A);
        if !fits || role != Role::C && !along_k {
            return None;
        }
        // Factors of f16 have the same registers in every shape.
        let n_regs = match (role, ty.format()) {
            (Role::A | Role::B, Some(Format::F16)) => 8,
            _ => rows * columns * ty.bits as usize / (LANES * ty.bits.max(32) as usize),
        };
        Some(Fragment { rows, columns, ty, by_rows, n_regs })
    }

    /// Bits of a register.
    pub(super) fn register_bits(self) -> u32 {
        self.ty.bits.max(32)
    }

    /// Elements in a register.
    pub(super) fn each(self) -> usize {
        (self.register_bits() / self.ty.bits) as usize
    }

    /// Row and column of an element that a lane holds.
    pub(super) fn place(self, lane: usize, slot: usize) -> (usize, usize) {
        let at = (lane * self.n_regs * self.each() + slot) % (self.rows * self.columns);
        if self.by_rows { (at / self.columns, at % self.columns) } else { (at % self.rows, at / self.rows) }
    }

    /// All elements, row by row.
    fn gather<T: Copy + Default>(self, regs: &[u32], rows: &[Row], read: impl Fn(u64) -> T) -> Vec<T> {
        let (each, bits) = (self.each(), self.ty.bits);
        let mut out = vec![T::default(); self.rows * self.columns];
        for (index, &reg) in regs.iter().enumerate() {
            for (lane, &word) in rows[reg as usize].iter().enumerate() {
                for within in 0..each {
                    let (row, column) = self.place(lane, index * each + within);
                    out[row * self.columns + column] = read(word >> (within as u32 * bits) & mask(bits));
                }
            }
        }
        out
    }

    fn scatter<T: Copy>(self, all: &[T], regs: &[u32], rows: &mut [Row], write: impl Fn(T) -> u64) {
        let (each, bits) = (self.each(), self.ty.bits);
        for (index, &reg) in regs.iter().enumerate() {
            rows[reg as usize] = std::array::from_fn(|lane| {
                (0..each).fold(0, |word, within| {
                    let (row, column) = self.place(lane, index * each + within);
                    word | (write(all[row * self.columns + column]) & mask(bits)) << (within as u32 * bits)
                })
            });
        }
    }
}

/// `wmma.mma`
pub(super) struct FragmentMma {
    pub parts: [Fragment; 4],
    /// Registers of A, B, C and D.
    pub regs: [Vec<u32>; 4],
    pub saturates: bool,
    /// What products of single bits are.
    pub bits: Option<fn(u64, u64) -> u64>,
}

impl FragmentMma {
    /// How many products are added.
    pub(super) fn work(&self) -> u64 {
        (self.parts[0].rows * self.parts[0].columns * self.parts[1].columns) as u64
    }

    pub(super) fn run(&self, rows: &mut [Row]) {
        let [a, b, c, d] = self.parts;
        let value = |part: Fragment| {
            let format = part.ty.format().unwrap_or(Format::F32);
            move |bits: u64| format.value(bits)
        };
        match (a.ty.format(), d.ty.format()) {
            (Some(Format::F64), _) => self.product(rows, f64::from_bits, |sum, a, b| sum + a * b, f64::to_bits),
            (Some(_), Some(sum)) => {
                let x = a.gather(&self.regs[0], rows, value(a));
                let y = b.gather(&self.regs[1], rows, value(b));
                let first = c.gather(&self.regs[2], rows, value(c));
                let is_half = c.ty == d.ty && sum == Format::F16;
                let pack = |x: f64| sum.pack(x, Rounding::Nearest, false);
                // Products are exact in f64; each sum is rounded to what holds sums.
                let round = |x: f64| if is_half { Format::F16.value(pack(x)) } else { f64::from(x as f32) };
                let sums = self.sums(&x, &y, first, |sum, a, b| round(sum + a * b));
                d.scatter(&sums, &self.regs[3], rows, pack);
            }
            _ => {
                let read = |ty: Ty| move |bits: u64| if ty.is_signed() { signed(bits, ty.bits) } else { bits as i64 };
                let x = a.gather(&self.regs[0], rows, read(a.ty));
                let y = b.gather(&self.regs[1], rows, read(b.ty));
                let first = c.gather(&self.regs[2], rows, read(c.ty));
                let sums = match self.bits {
                    // Words are single bits: what is counted is 0 or 1.
                    Some(bits) => self.sums(&x, &y, first, |sum, a, b| sum + bits(a as u64, b as u64) as i64),
                    None => self.sums(&x, &y, first, |sum, a, b| sum + a * b),
                };
                let clamp = |x: i64| x.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
                d.scatter(&sums, &self.regs[3], rows, |x| if self.saturates { clamp(x) } else { x } as u64);
            }
        }
    }

    fn product<T: Copy + Default>(
        &self,
        rows: &mut [Row],
        read: impl Fn(u64) -> T + Copy,
        mac: impl Fn(T, T, T) -> T,
        write: impl Fn(T) -> u64,
    ) {
        let [x, y, first] = [0, 1, 2].map(|part| self.parts[part].gather(&self.regs[part], rows, read));
        let sums = self.sums(&x, &y, first, mac);
        self.parts[3].scatter(&sums, &self.regs[3], rows, write);
    }

    /// `A * B + C`, in order of k.
    fn sums<T: Copy>(&self, a: &[T], b: &[T], mut c: Vec<T>, mac: impl Fn(T, T, T) -> T) -> Vec<T> {
        let (k, n) = (self.parts[0].columns, self.parts[1].columns);
        for (sums, factors) in c.chunks_exact_mut(n).zip(a.chunks_exact(k)) {
            for (&factor, others) in factors.iter().zip(b.chunks_exact(n)) {
                for (sum, &other) in sums.iter_mut().zip(others) {
                    *sum = mac(*sum, factor, other);
                }
            }
        }
        c
    }
}
