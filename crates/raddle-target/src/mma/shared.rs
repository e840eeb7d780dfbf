//! Operands in shared memory: how wgmma finds the elements of A and B by a descriptor of 64 bits.
//!
//! PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout" and "Matrix Descriptor Format". A tile is made of
//! core matrices of eight rows of 16 bytes. Rows lie 16, 32, 64 or 128 bytes apart; in the wider ones a swizzle on byte
//! addresses flips bits 4, 5 and 6 by bits 7, 8 and 9, as many as the width needs. Two distances that the program chooses
//! say how core matrices follow each other.
//!
//! `nvgpu.wgmma` states them as `lhsTile` and `rhsTile`: whether m or n is contiguous (1) or k (0), the bytes of a row,
//! and the leading and the stride dimension offset in bytes.

use std::fmt;

use raddle_ir::{Ir, OpId, Opcode, Scalar, Type, ValueId};
use raddle_layout::cute::{Cute, CuteError, Mode, Swizzle};

use super::catalogue::{Family, Instruction};
use super::{Operand, nvidia};

/// Which dimension of an operand is contiguous in memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Major {
    /// Along k: rows of A, columns of B.
    K,
    /// Along m of A or n of B: 16-bit types only.
    Mn,
}

/// Bytes of a row within which 16-byte units are swizzled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "widths in bytes")]
pub enum SwizzleWidth {
    None,
    B32,
    B64,
    B128,
}

impl SwizzleWidth {
    /// All of them.
    pub const ALL: [SwizzleWidth; 4] = [SwizzleWidth::None, SwizzleWidth::B32, SwizzleWidth::B64, SwizzleWidth::B128];

    /// Units of 16 bytes in a row.
    pub fn units(self) -> i64 {
        1 << self.bits()
    }

    /// How many bits of an address flip.
    fn bits(self) -> u32 {
        self as u32
    }

    /// The descriptor's code.
    fn code(self) -> u64 {
        [0, 3, 2, 1][self as usize]
    }
}

/// One operand of one wgmma in shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharedTile {
    /// m of A, n of B.
    pub rows: i64,
    /// Elements of k.
    pub k: i64,
    /// Bits of an element.
    pub elem_bits: u32,
    /// What is contiguous.
    pub major: Major,
    /// How rows are swizzled.
    pub swizzle: SwizzleWidth,
    /// The descriptor's leading dimension offset, in bytes.
    pub leading_bytes: i64,
    /// The descriptor's stride dimension offset, in bytes.
    pub stride_bytes: i64,
}

/// Why an operand has no such tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TileError {
    /// The instruction does not take this operand from shared memory.
    Registers,
    /// Only 16-bit types may be contiguous along m or n.
    Major {
        /// Bits of the type.
        bits: u32,
    },
    /// The rows are not a multiple of what a swizzled row has.
    Rows {
        /// m or n.
        rows: i64,
        /// What must divide it.
        unit: i64,
    },
    /// A distance or an address that is not a multiple of 16 bytes, or does not fit in 18 bits.
    Distance {
        /// It.
        bytes: i64,
    },
    /// Two elements would share a place.
    Layout(CuteError),
}

impl fmt::Display for TileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TileError::Registers => write!(f, "the instruction takes this operand from registers"),
            TileError::Major { bits } => {
                write!(f, "elements of {bits} bits must be contiguous along k; only 16-bit types may be along m or n")
            }
            TileError::Rows { rows, unit } => write!(f, "{rows} rows are not a multiple of {unit}"),
            TileError::Distance { bytes } => {
                write!(f, "{bytes} bytes are not a multiple of 16 below 2^18, which is what a descriptor holds")
            }
            TileError::Layout(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TileError {}

impl Instruction {
    /// The tile of an operand in shared memory: A or B of wgmma. `offsets` are the leading and the stride dimension
    /// offsets in bytes; a layout without a second core matrix along a dimension ignores its offset.
    pub fn shared_tile(
        &self,
        operand: Operand,
        major: Major,
        swizzle: SwizzleWidth,
        offsets: [i64; 2],
    ) -> Result<SharedTile, TileError> {
        if self.family != Family::Wgmma || operand == Operand::C {
            return Err(TileError::Registers);
        }
        let [leading_bytes, stride_bytes] = offsets;
        let elem_bits = self.types[operand as usize].bits();
        let rows = if operand == Operand::A { self.m } else { self.n };
        let tile = SharedTile { rows, k: self.k, elem_bits, major, swizzle, leading_bytes, stride_bytes };
        let unit = match major {
            Major::K => 8,
            Major::Mn => tile.in_unit() * swizzle.units(),
        };
        if major == Major::Mn && elem_bits != 16 {
            return Err(TileError::Major { bits: elem_bits });
        }
        if rows % unit != 0 {
            return Err(TileError::Rows { rows, unit });
        }
        match offsets.into_iter().find(|&bytes| !fits(bytes)) {
            Some(bytes) => Err(TileError::Distance { bytes }),
            None => Ok(tile),
        }
    }
}

/// What a descriptor can hold: 14 bits of 16 bytes.
fn fits(bytes: i64) -> bool {
    bytes % 16 == 0 && (0..1 << 18).contains(&bytes)
}

/// `nvgpu.wgmma`: one instruction of four subgroups.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharedProduct {
    /// Rows and columns of C, and elements of k.
    pub mnk: [i64; 3],
    /// Element types of A, B and C.
    pub types: [Scalar; 3],
    /// Where A lies; `None` where lanes hold it as `mma.sync` takes it.
    pub lhs: Option<SharedTile>,
    /// Where B lies.
    pub rhs: SharedTile,
    /// The instruction as the assembler spells it, without its operands.
    pub mnemonic: String,
}

/// Threads that do one together.
const THREADS: i64 = 128;

impl SharedProduct {
    /// The instruction of 64 rows and so many columns for these tiles of A, if that is in shared memory, and B: whether m
    /// or n is contiguous, the bytes of a row, and both offsets. `None` if there is no such instruction.
    pub fn new(n: i64, types: [Scalar; 3], lhs: Option<[i64; 4]>, rhs: [i64; 4]) -> Option<SharedProduct> {
        let k = 256 / i64::from(types[0].bits().max(1));
        let found = nvidia::warpgroup_of([n, k], types)?;
        let tile = |operand: Operand, [major, bytes, leading, stride]: [i64; 4]| {
            let major = match major {
                0 => Major::K,
                1 => Major::Mn,
                _ => return None,
            };
            let swizzle = SwizzleWidth::ALL.into_iter().find(|width| width.units() * 16 == bytes)?;
            found.shared_tile(operand, major, swizzle, [leading, stride]).ok().filter(|tile| tile.cute().is_ok())
        };
        let lhs = match lhs {
            Some(lhs) => Some(tile(Operand::A, lhs)?),
            None => None,
        };
        let rhs = tile(Operand::B, rhs)?;
        Some(SharedProduct { mnk: [found.m, n, k], types, lhs, rhs, mnemonic: found.mnemonic })
    }

    /// What an operation says; `None` where its attributes and types do not fit together.
    pub fn of(ir: &Ir, op: OpId) -> Option<SharedProduct> {
        let (lhs, rhs, acc) = match *ir.operands(op) {
            _ if ir.opcode(op) != Opcode::NvgpuWgmma => return None,
            [lhs, rhs, _, acc] | [lhs, _, rhs, _, acc] => (lhs, rhs, acc),
            _ => return None,
        };
        let ints = |name: &str| ir.attr_id(op, name).and_then(|attr| ir.ints(attr));
        let tile = |name: &str| <[i64; 4]>::try_from(ints(name)?).ok();
        let &[_, n, _] = &ints("mmaShape")?[..] else { return None };
        let mut types = [lhs, rhs, acc].map(|value| Scalar::of(&ir[ir.elem_of(value)])).into_iter();
        let types = [types.next()??, types.next()??, types.next()??];
        let in_registers = ir.operands(op).len() == 4;
        let lhs_tile = if in_registers { None } else { Some(tile("lhsTile")?) };
        let product = SharedProduct::new(n, types, lhs_tile, tile("rhsTile")?)?;
        let [m, n, k] = product.mnk;
        let has = |value: ValueId, elements: i64| {
            let n = ir.shape_of(value).iter().try_fold(1i64, |all, &extent| all.checked_mul(extent));
            ir.ty(value).is_vector() && n == Some(elements / THREADS)
        };
        let is_flat = |value: ValueId| matches!(ir.ty(value), Type::MemRef { shape, .. } if shape.len() == 1);
        let lhs_fits = if in_registers { has(lhs, m * k) } else { is_flat(lhs) };
        let same = ir.type_of(ir.result(op, 0)) == ir.type_of(acc);
        let fits = ints("mmaShape")? == product.mnk && lhs_fits && is_flat(rhs) && has(acc, m * n) && same;
        fits.then_some(product)
    }
}

impl SharedTile {
    /// The descriptor but for the address.
    pub fn offsets(&self) -> u64 {
        let field = |bytes: i64, bit: u32| (bytes as u64 >> 4) << bit;
        field(self.leading_bytes, 16) | field(self.stride_bytes, 32) | self.swizzle.code() << 62
    }

    /// Elements of 16 bytes.
    pub fn in_unit(&self) -> i64 {
        128 / i64::from(self.elem_bits)
    }

    /// Where each element lies: from (row, k), the row fastest, to elements from the beginning of the tile.
    pub fn cute(&self) -> Result<Cute, TileError> {
        let plain = self.plain()?;
        match self.address_swizzle() {
            Some(swizzle) => plain.with_swizzle(swizzle, 0).map_err(TileError::Layout),
            None => Ok(plain),
        }
    }

    /// What happens to the sum of a tile's address and the place of an element, in elements.
    pub fn address_swizzle(&self) -> Option<Swizzle> {
        let swizzle = Swizzle { bits: self.swizzle.bits(), base: self.in_unit().trailing_zeros(), shift: 3 };
        (self.swizzle != SwizzleWidth::None).then_some(swizzle)
    }

    /// Bytes that a tile's pattern repeats after: shared memory that holds swizzled tiles begins at a multiple of these.
    pub fn period(&self) -> i64 {
        match self.swizzle {
            SwizzleWidth::None => 16,
            SwizzleWidth::B32 | SwizzleWidth::B64 | SwizzleWidth::B128 => 8 * 16 * self.swizzle.units(),
        }
    }

    /// Where each element would lie if nothing were swizzled.
    pub fn plain(&self) -> Result<Cute, TileError> {
        let (unit, width) = (self.in_unit(), self.swizzle.units());
        let elements = |bytes: i64| bytes * 8 / i64::from(self.elem_bits);
        let (leading, stride) = (elements(self.leading_bytes), elements(self.stride_bytes));
        let rows = |parts: &[(i64, i64)]| {
            Mode::Tuple(parts.iter().map(|&(extent, stride)| Mode::Leaf { extent, stride }).collect())
        };
        let plain = self.swizzle == SwizzleWidth::None;
        let (row, k) = match self.major {
            Major::K => (
                rows(&[(8, width * unit), (self.rows / 8, stride)]),
                rows(&[(unit, 1), (self.k / unit, if plain { leading } else { unit })]),
            ),
            Major::Mn => (
                rows(&[(unit, 1), (width, unit), (self.rows / unit / width, if plain { stride } else { leading })]),
                rows(&[(8, width * unit), (self.k / 8, if plain { leading } else { stride })]),
            ),
        };
        Cute::new(Mode::Tuple(vec![row, k])).map_err(TileError::Layout)
    }

    /// The descriptor for a tile at this address of shared memory. A swizzled tile must begin where its pattern does,
    /// at a multiple of eight of its rows.
    pub fn descriptor(&self, address: i64) -> Result<u64, TileError> {
        if !fits(address) || address % self.period() != 0 {
            return Err(TileError::Distance { bytes: address });
        }
        Ok(address as u64 >> 4 | self.offsets())
    }
}
