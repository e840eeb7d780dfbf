//! `mma.sync` and `mma.sp`: where the lanes hold the elements of the operands, and the product.
//!
//! The places are written from the PTX ISA, "Matrix Fragments for mma": a lane is in group `lane / 4` and is member
//! `lane % 4` of it. An operand's elements come in words of 32 bits (of one element where that is wider); along k, the
//! members of a group hold neighbouring words.

use pulp::{Arch, Simd, WithSimd};

use super::float::{Format, Rounding};
use super::lane::{LANES, Row};
use super::scale::Scales;
use super::sparse::{Invalid, Sparse};
use super::types::{Kind, Ty, mask, signed};
use super::words::Words;

/// Which operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    A,
    B,
    C,
}

/// A matrix instruction.
pub(super) struct Mma {
    pub shape: Shape,
    pub a: Vec<u32>,
    pub b: Vec<u32>,
    pub c: Vec<u32>,
    pub d: Vec<u32>,
    /// For each part, where element `slot * 32 + lane` is in the dense matrix, row by row.
    maps: [Vec<u16>; 3],
    /// The element types of A, B, C.
    types: [Ty; 3],
    /// Integers are clamped instead of wrapped.
    saturates: bool,
    /// What products of single bits are.
    bits: Option<fn(u64, u64) -> u64>,
    /// Independent products.
    blocks: usize,
    /// A has half of its elements.
    pub sparse: Option<Sparse>,
    /// Rows of A and columns of B have factors.
    pub scales: Option<Scales>,
}

/// Why a product is undefined.
pub(super) enum Undefined {
    Metadata(Invalid),
    Selectors,
}

/// The extents of a product, and the operands' orders, which matter where `k` is 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    a_by_rows: bool,
    b_by_rows: bool,
}

impl Shape {
    fn of(word: &str) -> Option<Shape> {
        let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
        let (n, k) = rest.split_once('k')?;
        let [m, n, k] = [m, n, k].map(|text| text.parse().ok());
        Some(Shape { m: m?, n: n?, k: k?, a_by_rows: true, b_by_rows: false })
    }

    /// Four products of 8 x 8 x 4, each by the eight lanes of two groups.
    fn is_quads(self, ty: Ty) -> bool {
        (self.m, self.n, self.k) == (8, 8, 4) && ty.bits == 16
    }
}

/// Shapes by the bits of their factors; sparse ones have 16 rows, and twice the k.
const SHAPES: &[(u32, &[[usize; 3]])] = &[
    (1, &[[8, 8, 128], [16, 8, 128], [16, 8, 256]]),
    (4, &[[8, 8, 32], [16, 8, 32], [16, 8, 64]]),
    (8, &[[8, 8, 16], [16, 8, 16], [16, 8, 32]]),
    (16, &[[8, 8, 4], [16, 8, 8], [16, 8, 16]]),
    (32, &[[16, 8, 4], [16, 8, 8]]),
    (64, &[[8, 8, 4], [16, 8, 4], [16, 8, 8], [16, 8, 16]]),
];

const EVERY_NARROW: &[Format] = &[Format::E4M3, Format::E5M2, Format::E3M2, Format::E2M3, Format::E2M1];

/// What `.kind` allows: the bits of the place of an element, the formats, and whether there are factors.
const KINDS: &[(&str, u32, &[Format], bool)] = &[
    ("kind::f8f6f4", 8, EVERY_NARROW, false),
    ("kind::mxf8f6f4", 8, EVERY_NARROW, true),
    ("kind::mxf4", 4, &[Format::E2M1], true),
    ("kind::mxf4nvf4", 4, &[Format::E2M1], true),
];

/// What products of 8-bit floats without `.kind` take.
const NARROW: &[Format] = &[Format::E4M3, Format::E5M2];

impl Mma {
    /// The instruction that the words behind `mma` name; its registers are the caller's business.
    pub(super) fn of(words: &mut Words<'_>) -> Option<Mma> {
        let sparsity = words.take_any(&["sp", "sp::ordered_metadata"]);
        // `sync` and `aligned` are always there.
        (words.take("sync") && words.take("aligned")).then_some(())?;
        let mut shape = words.take_map(Shape::of)?;
        let layouts = words.take_all(|word| match word {
            "row" => Some(true),
            "col" => Some(false),
            _ => None,
        });
        let [a_by_rows, b_by_rows] = layouts[..] else { return None };
        (shape.a_by_rows, shape.b_by_rows) = (a_by_rows, b_by_rows);
        let kind = KINDS.iter().find(|kind| words.take(kind.0));
        let scales = match kind {
            Some((name, _, _, true)) => Some(Scales::of(name, words)?),
            Some((_, _, _, false)) | None => None,
        };
        let saturates = words.take("satfinite");
        let types = words.take_all(Ty::of);
        let [d, mut a, mut b, c] = types[..] else { return None };
        // How sums of f64 are rounded where nothing is said.
        if d.format() == Some(Format::F64) {
            words.take("rn");
        }
        let mut formats = NARROW;
        if let Some(&(_, bits, allowed, _)) = kind {
            formats = allowed;
            for factor in [&mut a, &mut b] {
                factor.format().filter(|format| format.bits() <= 8)?;
                factor.bits = bits;
            }
        }
        let bits: Option<fn(u64, u64) -> u64> = match (words.take("xor"), words.take("and"), words.take("popc")) {
            (true, false, true) => Some(|a, b| a ^ b),
            (false, true, true) => Some(|a, b| a & b),
            (false, false, false) => None,
            _ => return None,
        };
        let quads = shape.is_quads(a);
        let sparse = match sparsity {
            Some(word) if shape.m == 16 => Some(Sparse::of(shape, a.bits, word == "sp::ordered_metadata")?),
            Some(_) => return None,
            None => None,
        };
        // Elements of A in a row.
        let stored = if sparse.is_some() { shape.k / 2 } else { shape.k };
        let (factors, _) = SHAPES.iter().find(|row| row.1.contains(&[shape.m, shape.n, stored]) && row.0 == a.bits)?;
        let fits = |ty: Ty| ty.packed == 1 && ty.bits == *factors;
        // Both factors of a kind, sums that can hold them.
        let sums = match (a.kind, b.kind) {
            (Kind::Float(Format::F64), Kind::Float(Format::F64)) => [Ty::of("f64"), None],
            (Kind::Float(x), Kind::Float(y)) if formats.contains(&x) && formats.contains(&y) => {
                [Ty::of("f32"), Ty::of("f16").filter(|_| scales.is_none())]
            }
            (Kind::Float(x), Kind::Float(y)) if x == y && x.bits() > 8 => [Ty::of("f32"), Ty::of("f16")],
            (Kind::Signed | Kind::Unsigned, Kind::Signed | Kind::Unsigned) => [Ty::of("s32"), None],
            (Kind::Bits, Kind::Bits) => [Ty::of("s32"), None],
            _ => return None,
        };
        let is_f16_sum = matches!(a.kind, Kind::Float(format) if format != Format::BF16 && format != Format::TF32);
        let sum_fits = |ty: Ty| sums.contains(&Some(ty)) && (ty.bits != 16 || is_f16_sum);
        let orders = quads || (a_by_rows && !b_by_rows);
        if !fits(a) || !fits(b) || !sum_fits(c) || !sum_fits(d) || !orders || (bits.is_some() != (a.bits == 1)) {
            return None;
        }
        // Where the sum that comes in and the one that goes out differ, both lie in the same places otherwise.
        if c != d && !quads {
            return None;
        }
        let packed = Shape { k: stored, ..shape };
        let maps = [(Part::A, packed, a), (Part::B, shape, b), (Part::C, shape, c)];
        let maps = maps.map(|(part, shape, ty)| map(shape, part, ty));
        let blocks = if quads { 4 } else { 1 };
        let none = Vec::new();
        Some(Mma {
            shape,
            a: none.clone(),
            b: none.clone(),
            c: none.clone(),
            d: none,
            maps,
            types: [a, b, c],
            saturates,
            bits,
            blocks,
            sparse,
            scales,
        })
        .filter(|_| c == d)
    }

    /// Bits of a register that holds sums.
    pub(super) fn sum_bits(&self) -> u32 {
        register_bits(self.types[2])
    }

    /// Registers of each part.
    pub(super) fn n_regs(&self, part: Part) -> usize {
        let (slots, ty) = (self.maps[part as usize].len() / LANES, self.types[part as usize]);
        (slots * ty.bits as usize).div_ceil(register_bits(ty) as usize)
    }

    /// Registers that are read beside the operands: metadata and factors.
    pub(super) fn beside(&self) -> Vec<u32> {
        let factors = self.scales.iter().flat_map(|scales| scales.selected);
        let factors = factors.flat_map(|selected| [selected.data, selected.byte, selected.thread]);
        self.sparse.iter().map(|sparse| sparse.metadata).chain(factors).collect()
    }

    /// Products and sums of one execution.
    pub(super) fn work(&self) -> u64 {
        (self.blocks * self.shape.m * self.shape.n * self.shape.k) as u64
    }

    /// Multiplies and adds.
    pub(super) fn run(&self, arch: Arch, rows: &mut [Row]) -> Result<(), Undefined> {
        let [a, b, c] = self.types.map(Ty::format);
        if a == b && c == Some(Format::F32) && self.shape.m == 16 && self.sparse.is_none() {
            // The commonest products, each with its own copy of the loops.
            match (a, self.shape.k) {
                (Some(Format::F16), 16) => return arch.dispatch(Single::<_, 2, 16>(self, rows, read_f16)),
                (Some(Format::F16), 8) => return arch.dispatch(Single::<_, 2, 8>(self, rows, read_f16)),
                (Some(Format::BF16), 16) => return arch.dispatch(Single::<_, 2, 16>(self, rows, read_bf16)),
                (Some(Format::BF16), 8) => return arch.dispatch(Single::<_, 2, 8>(self, rows, read_bf16)),
                (Some(Format::TF32), 8) => return arch.dispatch(Single::<_, 1, 8>(self, rows, read_tf32)),
                (Some(Format::TF32), 4) => return arch.dispatch(Single::<_, 1, 4>(self, rows, read_tf32)),
                _ => {}
            }
        }
        self.run_any(rows)
    }

    /// Sixteen rows of sums in f32, with `EACH` elements of the factors in a register.
    ///
    /// The words of four lanes are neighbours along k, which makes a row of A. Columns of B and C are in the order of
    /// C's registers, the even ones first, so that a row of sums is a vector of eight. It is inlined into a function that
    /// may use the vectors of the machine; sums are the same with any.
    #[inline(always)]
    fn run_single<S: Simd, const EACH: usize, const K: usize>(
        &self,
        simd: S,
        rows: &mut [Row],
        read: impl Fn(u32) -> f32 + Copy,
    ) {
        let bits = 32 / EACH as u32;
        let (mut a, mut b, mut sums) = ([[0.0f32; K]; 16], [[0.0f32; 8]; K], [[0.0f32; 8]; 16]);
        for (word, &reg) in self.a.iter().enumerate() {
            let (half, first) = (word % 2 * 8, word / 2 * 4 * EACH);
            for (row, words) in a[half..half + 8].iter_mut().zip(rows[reg as usize].as_chunks::<4>().0) {
                for (to, &word) in row[first..first + 4 * EACH].as_chunks_mut::<EACH>().0.iter_mut().zip(words) {
                    *to = std::array::from_fn(|within| read((word as u32) >> (within as u32 * bits)));
                }
            }
        }
        for (steps, &reg) in b.chunks_exact_mut(4 * EACH).zip(&self.b) {
            let row = &rows[reg as usize];
            for (member, steps) in steps.chunks_exact_mut(EACH).enumerate() {
                let words: [u32; 8] = std::array::from_fn(|at| row[(at % 4 * 2 + at / 4) * 4 + member] as u32);
                for (within, step) in steps.iter_mut().enumerate() {
                    *step = words.map(|word| read(word >> (within as u32 * bits)));
                }
            }
        }
        for (slot, &reg) in self.c.iter().enumerate() {
            let (half, parity) = (slot / 2 * 8, slot % 2 * 4);
            for (sums, words) in sums[half..half + 8].iter_mut().zip(rows[reg as usize].as_chunks::<4>().0) {
                sums[parity..parity + 4].copy_from_slice(&words.map(|word| f32::from_bits(word as u32)));
            }
        }
        // Eight rows at a time, so that sums need not wait for one another.
        for half in [0, 8] {
            let mut acc: [[f32; 8]; 8] = std::array::from_fn(|at| sums[half + at]);
            for (step, others) in b.iter().enumerate() {
                for at in 0..8 {
                    add_product(simd, &mut acc[at], a[half + at][step], others);
                }
            }
            sums[half..half + 8].copy_from_slice(&acc);
        }
        for (slot, &reg) in self.d.iter().enumerate() {
            let (half, parity) = (slot / 2 * 8, slot % 2 * 4);
            for (sums, words) in sums[half..half + 8].iter().zip(rows[reg as usize].as_chunks_mut::<4>().0) {
                *words = std::array::from_fn(|member| single_bits(sums[parity + member]));
            }
        }
    }

    fn run_any(&self, rows: &mut [Row]) -> Result<(), Undefined> {
        let Shape { m, n, k, .. } = self.shape;
        let (blocks, [ta, tb, tc]) = (self.blocks, self.types);
        let columns =
            self.sparse.as_ref().map(|sparse| sparse.columns(rows)).transpose().map_err(Undefined::Metadata)?;
        let columns = columns.as_deref();
        let stored = if columns.is_some() { k / 2 } else { k };
        let sizes = [blocks * m * stored, blocks * k * n, blocks * m * n];
        if let Some(scales) = &self.scales {
            return self.run_scaled(scales, columns, rows);
        }
        match (ta.kind, tc.kind) {
            (Kind::Float(Format::F64), _) => {
                let mut c = self.gather(Part::C, &self.c, rows, sizes[2], f64::from_bits);
                let a = self.gather(Part::A, &self.a, rows, sizes[0], f64::from_bits);
                let b = self.gather(Part::B, &self.b, rows, sizes[1], f64::from_bits);
                product(&a, &b, &mut c, [blocks, m, n, k], columns, |acc: f64, a, b| acc + a * b);
                self.scatter(&c, rows, f64::to_bits);
            }
            (Kind::Float(x), Kind::Float(sum)) => {
                let read = |format: Format, place: u32| {
                    move |bits: u64| match format {
                        Format::F16 => super::float::half(bits as u16),
                        Format::BF16 => f32::from_bits((bits as u32) << 16),
                        Format::F32 => f32::from_bits(bits as u32),
                        Format::TF32 => f32::from_bits(bits as u32 & !0x1fff),
                        format => narrow(format, place, bits) as f32,
                    }
                };
                let y = tb.format().unwrap_or(x);
                let a = self.gather(Part::A, &self.a, rows, sizes[0], read(x, ta.bits));
                let b = self.gather(Part::B, &self.b, rows, sizes[1], read(y, tb.bits));
                let mut c = self.gather(Part::C, &self.c, rows, sizes[2], read(sum, tc.bits));
                if sum == Format::F16 {
                    let round =
                        |x: f32| super::float::half(Format::F16.pack(f64::from(x), Rounding::Nearest, false) as u16);
                    product(&a, &b, &mut c, [blocks, m, n, k], columns, |acc: f32, a, b| round(acc + a * b));
                    self.scatter(&c, rows, |x| Format::F16.pack(f64::from(x), Rounding::Nearest, false));
                } else {
                    product(&a, &b, &mut c, [blocks, m, n, k], columns, |acc: f32, a, b| acc + a * b);
                    self.scatter(&c, rows, single_bits);
                }
            }
            _ => {
                let read = |ty: Ty| move |bits: u64| if ty.is_signed() { signed(bits, ty.bits) } else { bits as i64 };
                let a = self.gather(Part::A, &self.a, rows, sizes[0], read(ta));
                let b = self.gather(Part::B, &self.b, rows, sizes[1], read(tb));
                let mut c = self.gather(Part::C, &self.c, rows, sizes[2], read(tc));
                match self.bits {
                    Some(bits) => product(&a, &b, &mut c, [blocks, m, n, k], columns, |acc: i64, a, b| {
                        acc + bits(a as u64, b as u64) as i64
                    }),
                    None => product(&a, &b, &mut c, [blocks, m, n, k], columns, |acc: i64, a, b| acc + a * b),
                }
                let saturates = self.saturates;
                self.scatter(&c, rows, |x| {
                    let x = if saturates { x.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) } else { x };
                    x as u64 & 0xffff_ffff
                });
            }
        }
        Ok(())
    }

    /// The product of scaled factors, each exact, with sums in f32.
    fn run_scaled(&self, scales: &Scales, columns: Option<&[u16]>, rows: &mut [Row]) -> Result<(), Undefined> {
        let Shape { m, n, k, .. } = self.shape;
        let stored = if columns.is_some() { k / 2 } else { k };
        let [ta, tb, _] = self.types;
        let factors = |part: usize| scales.factors(part, rows).ok_or(Undefined::Selectors);
        let (of_rows, of_columns, each) = (factors(0)?, factors(1)?, scales.n_blocks());
        let read = |ty: Ty| move |bits: u64| ty.format().map_or(0.0, |format| narrow(format, ty.bits, bits));
        let mut a = self.gather(Part::A, &self.a, rows, m * stored, read(ta));
        for (at, value) in a.iter_mut().enumerate() {
            let step = columns.map_or(at % stored, |columns| usize::from(columns[at]));
            *value *= of_rows[at / stored * each + scales.block(step, k)];
        }
        let mut b = self.gather(Part::B, &self.b, rows, k * n, read(tb));
        for (at, value) in b.iter_mut().enumerate() {
            *value *= of_columns[at % n * each + scales.block(at / n, k)];
        }
        let mut c = self.gather(Part::C, &self.c, rows, m * n, |bits| f64::from(f32::from_bits(bits as u32)));
        product(&a, &b, &mut c, [1, m, n, k], columns, |acc: f64, a, b| f64::from((acc + a * b) as f32));
        self.scatter(&c, rows, |x| single_bits(x as f32));
        Ok(())
    }

    fn gather<T: Copy + Default>(
        &self,
        part: Part,
        regs: &[u32],
        rows: &[Row],
        size: usize,
        read: impl Fn(u64) -> T,
    ) -> Vec<T> {
        let (map, ty) = (&self.maps[part as usize], self.types[part as usize]);
        let each = (register_bits(ty) / ty.bits) as usize;
        let keep = mask(ty.bits);
        let mut out = vec![T::default(); size];
        for (slot, places) in map.chunks_exact(LANES).enumerate() {
            let row = &rows[regs[slot / each] as usize];
            let shift = (slot % each) as u32 * ty.bits;
            for (&place, &word) in places.iter().zip(row) {
                out[place as usize] = read(word >> shift & keep);
            }
        }
        out
    }

    fn scatter<T: Copy>(&self, c: &[T], rows: &mut [Row], write: impl Fn(T) -> u64) {
        let ty = self.types[2];
        let each = (register_bits(ty) / ty.bits) as usize;
        for (reg, places) in self.d.iter().zip(self.maps[2].chunks(LANES * each)) {
            let row = &mut rows[*reg as usize];
            *row = [0; LANES];
            for (within, places) in places.chunks_exact(LANES).enumerate() {
                for (word, &place) in row.iter_mut().zip(places) {
                    *word |= write(c[place as usize]) << (within as u32 * ty.bits);
                }
            }
        }
    }
}

/// [`Mma::run_single`], compiled for each kind of vectors that this machine may have.
struct Single<'a, F, const EACH: usize, const K: usize>(&'a Mma, &'a mut [Row], F);

impl<F: Fn(u32) -> f32 + Copy, const EACH: usize, const K: usize> WithSimd for Single<'_, F, EACH, K> {
    type Output = Result<(), Undefined>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Result<(), Undefined> {
        self.0.run_single::<S, EACH, K>(simd, self.1, self.2);
        Ok(())
    }
}

/// A product is rounded before it is added. Vectors of all kinds have 1, 2, 4 or 8 elements.
#[inline(always)]
fn add_product<S: Simd>(simd: S, sums: &mut [f32; 8], factor: f32, others: &[f32; 8]) {
    let factor = simd.splat_f32s(factor);
    for (sum, &other) in S::as_mut_simd_f32s(sums).0.iter_mut().zip(S::as_simd_f32s(others).0) {
        *sum = simd.add_f32s(*sum, simd.mul_f32s(factor, other));
    }
}

/// The low half of a word as f16.
#[inline(always)]
pub(super) fn read_f16(bits: u32) -> f32 {
    super::float::half(bits as u16)
}

/// The low half of a word as bf16.
#[inline(always)]
pub(super) fn read_bf16(bits: u32) -> f32 {
    f32::from_bits(bits << 16)
}

#[inline(always)]
pub(super) fn read_tf32(bits: u32) -> f32 {
    f32::from_bits(bits & !0x1fff)
}

/// A sum as a register holds it: there is one NaN.
#[inline(always)]
pub(super) fn single_bits(x: f32) -> u64 {
    u64::from(if x.is_nan() { 0x7fff_ffff } else { x.to_bits() })
}

/// A float of at most 8 bits. In a place of 8 bits, e2m1 is in the middle, and the others are at the bottom.
fn narrow(format: Format, place: u32, bits: u64) -> f64 {
    format.value(if format == Format::E2M1 && place == 8 { bits >> 2 } else { bits })
}

fn register_bits(ty: Ty) -> u32 {
    ty.bits.max(32)
}

/// `D = A * B + C`, in order of k, rounded after each product that is added. A sparse A has half of the columns, whose
/// numbers are given.
fn product<T: Copy + Default>(
    a: &[T],
    b: &[T],
    c: &mut [T],
    [blocks, m, n, k]: [usize; 4],
    columns: Option<&[u16]>,
    mac: impl Fn(T, T, T) -> T,
) {
    const N: usize = 8;
    assert_eq!(n, N, "every shape of mma.sync has eight columns");
    let add = |acc: &mut [T; N], factor: T, others: &[T]| {
        for at in 0..N {
            acc[at] = mac(acc[at], factor, others[at]);
        }
    };
    for block in 0..blocks {
        let b = &b[block * k * N..][..k * N];
        for row in 0..m {
            let sums = &mut c[(block * m + row) * N..][..N];
            let mut acc = [T::default(); N];
            acc.copy_from_slice(sums);
            match columns {
                Some(columns) => {
                    let stored = row * k / 2..(row + 1) * k / 2;
                    for (&factor, &column) in a[stored.clone()].iter().zip(&columns[stored]) {
                        add(&mut acc, factor, &b[usize::from(column) * N..][..N]);
                    }
                }
                None => {
                    for (&factor, others) in a[(block * m + row) * k..][..k].iter().zip(b.chunks_exact(N)) {
                        add(&mut acc, factor, others);
                    }
                }
            }
            sums.copy_from_slice(&acc);
        }
    }
}

/// Where element `slot * 32 + lane` of an operand is in the dense matrix (block by block, row by row).
fn map(shape: Shape, part: Part, ty: Ty) -> Vec<u16> {
    let Shape { m, n, k, .. } = shape;
    let (rows, columns) = match part {
        Part::A => (m, k),
        Part::B => (k, n),
        Part::C => (m, n),
    };
    let quads = shape.is_quads(ty) || (m, n, k) == (8, 8, 4) && part == Part::C && ty.bits == 32;
    let copies = if quads { 4 } else { 1 };
    let slots = rows * columns * copies / LANES;
    let at = |slot: usize, lane: usize| {
        let (row, column) =
            if quads { quad_place(shape, part, ty, lane, slot) } else { place(shape, part, ty, lane, slot) };
        let block = if quads { lane / 4 % 4 } else { 0 };
        ((block * rows + row) * columns + column) as u16
    };
    (0..slots).flat_map(|slot| (0..LANES).map(move |lane| (slot, lane))).map(|(slot, lane)| at(slot, lane)).collect()
}

/// Row and column of an element that a lane holds.
fn place(shape: Shape, part: Part, ty: Ty, lane: usize, slot: usize) -> (usize, usize) {
    let (group, member) = (lane / 4, lane % 4);
    // Elements of a word.
    let each = (register_bits(ty) / ty.bits) as usize;
    let (word, within) = (slot / each, slot % each);
    // PTX ISA: with 16 rows, every second word is eight rows further down.
    let halves = shape.m / 8;
    match part {
        Part::A => (group + 8 * (word % halves), member * each + within + word / halves * 4 * each),
        Part::B => (member * each + within + word * 4 * each, group),
        Part::C => (group + 8 * (slot / 2), member * 2 + slot % 2),
    }
}

/// The same for `m8n8k4` in f16, where lanes 0 to 3 and 16 to 19 make one product, and so on.
fn quad_place(shape: Shape, part: Part, ty: Ty, lane: usize, slot: usize) -> (usize, usize) {
    let (member, upper) = (lane % 4, if lane >= 16 { 4 } else { 0 });
    match part {
        Part::A if shape.a_by_rows => (member + upper, slot),
        Part::A => (slot + upper, member),
        Part::B if shape.b_by_rows => (member, slot + upper),
        Part::B => (slot, member + upper),
        Part::C if ty.bits == 16 => (member + upper, slot),
        Part::C => ((lane & 1) + (slot & 2) + upper, (slot & 4) + (lane & 2) + (slot & 1)),
    }
}

#[cfg(test)]
#[path = "matrix_tests.rs"]
mod tests;
