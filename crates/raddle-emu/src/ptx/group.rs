//! `wgmma`: products of a group of four warps, with operands in shared memory that descriptors describe.
//!
//! Each warp of the group makes sixteen of the sixty-four rows by itself, so that the four need not meet here. A
//! descriptor says where a tile begins and how its cores of eight rows of 16 bytes lie (PTX ISA, "Asynchronous Warpgroup
//! Level Matrix Shared Memory Layout"); swizzles exchange chunks of 16 bytes by their addresses.

use super::float::{Format, Rounding, half};
use super::lane::{LANES, Row};
use super::types::{Kind, Ty, mask, signed};
use super::words::Words;

/// Rows that one warp makes.
pub(super) const ROWS: usize = 16;
/// Bytes that lie side by side in every layout.
pub(super) const CHUNK: usize = 16;

/// The first factor.
pub(super) enum Factor {
    /// A row with the descriptor.
    Shared(u32),
    Registers(Vec<u32>),
}

/// `wgmma.mma_async`
pub(super) struct GroupMma {
    pub n: usize,
    pub k: usize,
    /// Types of the sum and of the factors.
    pub types: [Ty; 3],
    pub d: Vec<u32>,
    pub a: Factor,
    /// A row with the descriptor of the second factor.
    pub b: u32,
    /// A row of predicates: whether the sum that was there counts.
    pub keeps: u32,
    /// Whether the factors are negated.
    pub negated: [bool; 2],
    /// Whether rows (columns) lie side by side in memory, and not the steps of k.
    pub transposed: [bool; 2],
    pub saturates: bool,
    /// Bits that both factors have are counted; they are taken by eight.
    pub counts_bits: bool,
}

impl GroupMma {
    /// The instruction that the words name; its operands are the caller's business.
    pub(super) fn of(words: &mut Words<'_>) -> Option<GroupMma> {
        let n_and_k = words.take_map(|word| {
            let (n, k) = word.strip_prefix("m64n")?.split_once('k')?;
            Some((n.parse::<usize>().ok()?, k.parse::<usize>().ok()?))
        });
        let (n, mut k) = n_and_k?;
        let saturates = words.take("satfinite");
        let mut types: [Ty; 3] = words.take_all(Ty::of).try_into().ok()?;
        let counts_bits = types[1..].iter().all(|ty| (ty.kind, ty.bits) == (Kind::Bits, 1));
        if counts_bits {
            (words.take("and") && words.take("popc") && k == 256 && !saturates).then_some(())?;
            // Eight bits at a time, k is a byte.
            let bytes = Ty { kind: Kind::Unsigned, bits: 8, packed: 1 };
            (k, types[1], types[2]) = (32, bytes, bytes);
        }
        let [d, a, b] = types;
        let fits = match (a.kind, b.kind) {
            (Kind::Float(x), Kind::Float(y)) => {
                let narrow = |format| matches!(format, Format::E4M3 | Format::E5M2);
                let known = x == y && matches!(x, Format::F16 | Format::BF16 | Format::TF32) || narrow(x) && narrow(y);
                let sum = d.format() == Some(Format::F32)
                    || d.format() == Some(Format::F16) && !matches!(x, Format::BF16 | Format::TF32);
                known && sum
            }
            (Kind::Signed | Kind::Unsigned, Kind::Signed | Kind::Unsigned) => {
                a.bits == 8 && b.bits == 8 && d.kind == Kind::Signed && d.bits == 32
            }
            _ => false,
        };
        let sizes =
            n % 8 == 0 && (8..=256).contains(&n) && k == 256 / a.bits as usize && types.iter().all(|ty| ty.packed == 1);
        (fits && sizes).then(|| GroupMma {
            n,
            k,
            types,
            d: Vec::new(),
            a: Factor::Shared(0),
            b: 0,
            keeps: 0,
            negated: [false; 2],
            transposed: [false; 2],
            saturates,
            counts_bits,
        })
    }

    /// Registers of the sum.
    pub(super) fn n_sums(&self) -> usize {
        self.n * self.types[0].bits as usize / 64
    }

    /// Whether the instruction says how its factors are transposed and negated.
    pub(super) fn is_half(&self) -> bool {
        self.types[1].bits == 16
    }

    /// `D = A * B + D` for a warp; the factors are dense, A by rows and B by columns.
    pub(super) fn run(&self, rows: &mut [Row], a: &[u64], b: &[u64], keeps: bool) {
        let [d, ta, tb] = self.types;
        if d.kind == Kind::Signed {
            let read = |ty: Ty| move |bits: u64| if ty.is_signed() { signed(bits, 8) } else { bits as i64 };
            let (a, b) = (dense(a, read(ta)), dense(b, read(tb)));
            let saturates = self.saturates;
            let finish = |x: i64| if saturates { x.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) } else { x };
            let first = |bits: u64| if keeps { signed(bits, 32) } else { 0 };
            let last = |x: i64| finish(x) as u64 & 0xffff_ffff;
            if self.counts_bits {
                self.product(rows, &a, &b, first, |acc, x, y| acc + i64::from((x & y).count_ones()), last);
            } else {
                self.product(rows, &a, &b, first, |acc, x, y| acc + x * y, last);
            }
            return;
        }
        let read = |ty: Ty, negated: bool| {
            let format = ty.format().unwrap_or(Format::F32);
            move |bits: u64| {
                let x = format.value(bits) as f32;
                if negated { -x } else { x }
            }
        };
        let (a, b) = (dense(a, read(ta, self.negated[0])), dense(b, read(tb, self.negated[1])));
        if d.bits == 16 {
            let pack = |x: f32| Format::F16.pack(f64::from(x), Rounding::Nearest, false);
            let first = |bits: u64| if keeps { half(bits as u16) } else { 0.0 };
            self.product(rows, &a, &b, first, |acc, x, y| half(pack(acc + x * y) as u16), pack);
        } else {
            let first = |bits: u64| if keeps { f32::from_bits(bits as u32) } else { 0.0 };
            let last = |x: f32| u64::from(if x.is_nan() { 0x7fff_ffff } else { x.to_bits() });
            self.product(rows, &a, &b, first, |acc, x, y| acc + x * y, last);
        }
    }

    fn product<T: Copy + Default>(
        &self,
        rows: &mut [Row],
        a: &[T],
        b: &[T],
        first: impl Fn(u64) -> T,
        mac: impl Fn(T, T, T) -> T,
        last: impl Fn(T) -> u64,
    ) {
        let (n, k, bits) = (self.n, self.k, self.types[0].bits);
        let each = (32 / bits) as usize;
        // PTX ISA, "Register Fragments for wgmma": eight columns are four elements of each lane, as in `mma`.
        let place = |lane: usize, slot: usize| (lane / 4 + 8 * (slot / 2 % 2), slot / 4 * 8 + lane % 4 * 2 + slot % 2);
        let mut sums = vec![T::default(); ROWS * n];
        for slot in 0..n / 2 {
            let row = &rows[self.d[slot / each] as usize];
            for (lane, word) in row.iter().enumerate() {
                let (at, column) = place(lane, slot);
                sums[at * n + column] = first(word >> ((slot % each) as u32 * bits) & mask(bits));
            }
        }
        // B by steps of k, so that columns lie side by side.
        let mut by_steps = vec![T::default(); n * k];
        for (column, steps) in b.chunks_exact(k).enumerate() {
            for (step, &x) in steps.iter().enumerate() {
                by_steps[step * n + column] = x;
            }
        }
        for (sums, factors) in sums.chunks_exact_mut(n).zip(a.chunks_exact(k)) {
            for (&factor, others) in factors.iter().zip(by_steps.chunks_exact(n)) {
                for (sum, &other) in sums.iter_mut().zip(others) {
                    *sum = mac(*sum, factor, other);
                }
            }
        }
        for (index, &reg) in self.d.iter().enumerate() {
            let mut out = [0; LANES];
            for (lane, word) in out.iter_mut().enumerate() {
                for within in 0..each {
                    let (at, column) = place(lane, index * each + within);
                    *word |= last(sums[at * n + column]) << (within as u32 * bits);
                }
            }
            rows[reg as usize] = out;
        }
    }

    /// A from registers, by rows: each warp holds its own sixteen.
    pub(super) fn registers(&self, regs: &[u32], rows: &[Row]) -> Vec<u64> {
        let bits = self.types[1].bits;
        let each = (32 / bits) as usize;
        let mut out = vec![0; ROWS * self.k];
        for (word, &reg) in regs.iter().enumerate() {
            for (lane, &value) in rows[reg as usize].iter().enumerate() {
                for within in 0..each {
                    let row = lane / 4 + 8 * (word % 2);
                    let step = lane % 4 * each + within + word / 2 * 4 * each;
                    out[row * self.k + step] = value >> (within as u32 * bits) & mask(bits);
                }
            }
        }
        out
    }
}

fn dense<T>(bits: &[u64], read: impl Fn(u64) -> T) -> Vec<T> {
    bits.iter().map(|&bits| read(bits)).collect()
}

/// A matrix in shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Descriptor {
    start: u64,
    leading: u64,
    stride: u64,
    /// Bytes of a row of a swizzled atom; 16 without a swizzle.
    width: u64,
    /// The row of a whole pattern of 1024 bytes in which the tile's pattern begins.
    base: u64,
}

impl Descriptor {
    /// Takes a descriptor apart.
    pub(super) fn of(bits: u64) -> Descriptor {
        let field = |at: u32| (bits >> at & 0x3fff) << 4;
        let width = match bits >> 62 {
            0 => 16,
            1 => 128,
            2 => 64,
            _ => 32,
        };
        Descriptor { start: field(0), leading: field(16), stride: field(32), width, base: bits >> 49 & 7 }
    }

    /// The address of a chunk of 16 bytes. Along k: chunk `along` of row `across`. Transposed: of step `across`, the
    /// chunk of rows `along`.
    pub(super) fn chunk(self, across: u64, along: u64, transposed: bool) -> u64 {
        let Descriptor { start, leading, stride, width, base } = self;
        let chunks = width / CHUNK as u64;
        let offset = match (transposed, width) {
            (false, 16) => across % 8 * 16 + across / 8 * stride + along * leading,
            (false, _) => across % 8 * width + across / 8 * stride + along * 16,
            (true, 16) => across % 8 * 16 + across / 8 * leading + along * stride,
            (true, _) => across % 8 * width + across / 8 * stride + along % chunks * 16 + along / chunks * leading,
        };
        let address = start + offset;
        // Bits 7 and up say which chunks are exchanged. They count from where the pattern begins: PTX ISA has the base offset
        // as `(pattern start addr >> 7) & 7` where it does not begin at a multiple of its size.
        address ^ ((address >> 7).wrapping_sub(base) & (chunks - 1)) << 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every chunk of a swizzled tile has its own place, inside of the tile.
    #[test]
    fn swizzles_are_permutations() {
        for (code, width) in [(0u64, 16u64), (1, 128), (2, 64), (3, 32)] {
            let bytes = 8 * width;
            let descriptor = Descriptor::of(code << 62 | (bytes >> 4) << 32 | (128 >> 4) << 16);
            for transposed in [false, true] {
                let mut places: Vec<u64> = (0..8)
                    .flat_map(|across| (0..width / 16).map(move |along| (across, along)))
                    .map(|(across, along)| descriptor.chunk(across, along, transposed))
                    .collect();
                places.sort_unstable();
                let want: Vec<u64> = (0..bytes / 16).map(|chunk| chunk * 16).collect();
                assert_eq!(places, want, "{width} bytes, transposed: {transposed}");
            }
        }
    }

    /// The second row of a tile with 128 bytes in a row has its first two chunks exchanged.
    #[test]
    fn a_chunk_is_where_its_row_says() {
        let descriptor = Descriptor::of(1 << 62 | 64 << 32);
        assert_eq!(descriptor.chunk(0, 1, false), 16);
        assert_eq!(descriptor.chunk(1, 0, false), 128 + 16);
        assert_eq!(descriptor.chunk(1, 1, false), 128);
        assert_eq!(descriptor.chunk(9, 1, false), 1024 + 128);
    }

    /// A tile that begins in row 3 of a whole pattern, with that as its base offset, has its chunks where one has them that
    /// begins with the pattern, moved by as much.
    #[test]
    fn patterns_begin_at_their_base_offset() {
        for (code, width) in [(1u64, 128u64), (2, 64), (3, 32)] {
            let at =
                |start: u64, base: u64| Descriptor::of(code << 62 | base << 49 | ((8 * width) >> 4) << 32 | start >> 4);
            let (whole, moved) = (at(2048, 0), at(2048 + 3 * 128, 3));
            for (row, chunk) in (0..16).flat_map(|row| (0..width / 16).map(move |chunk| (row, chunk))) {
                assert_eq!(moved.chunk(row, chunk, false), whole.chunk(row, chunk, false) + 3 * 128, "{width} bytes");
            }
        }
    }
}
