//! Again: what the kernel of an operation would compute once for each of its tiles goes through memory where that costs
//! less.
//!
//! Before: one kernel of an attention whose keys are turned by the sines and cosines of their positions: each workgroup turns
//!         all keys of its head
//! After:  a kernel that makes a table of sines and cosines, one that turns the keys, and the attention, which copies them
//!         ahead
//!
//! The estimate is for a chip in which thousands of lanes are busy: how often an element is computed is what the extents say,
//! open ones being guessed, and what an operation costs depends on nothing but its name and its types.

use raddle_ir::views::Linalg;
use raddle_ir::{Class, DYNAMIC, Ir, OpId, Scalar, ValueId};

use crate::facts::Facts;
use crate::normalize::attention::{Attention, Part};
use crate::normalize::loops::bits;
use crate::structured::{body, taken};

/// An open extent.
const OPEN: i64 = 512;
/// Rows or columns of a product's or an attention's tile.
const TILE: i64 = 128;
/// Elements of a tile of elementwise operations.
const ELEMENTS: i64 = 4096;
/// Threads of a workgroup, each of which computes what it needs.
const LANES: i64 = 128;
/// Elements side by side that a thread computes at least, which share what has no loop along them.
const RUN: i64 = 8;
/// Operations on one element that a chip does in a microsecond.
pub(super) const OPERATIONS: f64 = 1e7;
/// Bytes that it moves meanwhile.
pub(super) const BYTES: f64 = 1.5e6;
/// Processors of a chip of which that is not known.
const PROCESSORS: f64 = 100.0;
/// Products of two elements that its matrix instructions sum meanwhile.
const PRODUCTS: f64 = 1.2e8;
/// Microseconds that one more kernel takes.
pub(super) const LAUNCH: f64 = 2.5;
/// What a product of factors that it computes takes longer than one that copies them ahead, which does not wait.
const LATE: f64 = 1.25;
/// Microseconds that it waits at least for each so many elements of a sum, and for a whole one at most: longer sums are
/// divided. Measured on an H200: 5 microseconds in sums of 336 elements, 1.4 in sums of 120.
const WAIT: f64 = 0.4;
const STEP: i64 = 32;
const WAIT_MAX: f64 = 10.0;
/// Elements that a product reads in a microsecond where they lie anywhere, which it waits for: a fifth of what elementwise
/// operations read so. Predicted for an H200, of an image that is made larger between its points.
const SCATTERED: f64 = 4e5;
/// Bytes of a table of which every line is at hand, as of the values that 4 bits stand for: lanes read it as fast as a number
/// that they share.
const TABLE: i64 = 1024;
/// Rows and columns that products have which are not limited by reading one factor.
const SIDE: i64 = 16;

/// Whether elementwise operations, of which one operation alone reads results, had better be a kernel of their own than a
/// part of its kernel.
pub(super) fn costs_more(ir: &Ir, made: &[OpId], op: OpId, facts: &Facts) -> bool {
    let Some(reader) = Reader::of(ir, op) else { return false };
    // Rows of which indices say where they lie are copied ahead as others are.
    let is_copied = |&op: &OpId| taken::rows_taken(ir, op).is_some();
    if facts.chip.async_copies && reader.products > 0 && made.iter().all(is_copied) {
        return false;
    }
    let results: Vec<ValueId> = made.iter().flat_map(|&op| ir.results(op)).collect();
    let read = reader.operands.iter().filter(|(value, _)| results.contains(value));
    let Some(&(value, evaluations)) = read.max_by_key(|(_, evaluations)| *evaluations) else { return false };
    let again = |&op: &OpId| {
        let own = ir.results(op).map(|value| elements(ir, value)).max().unwrap_or(0);
        (evaluations / shared(ir, op, value)).saturating_sub(own).max(0) as f64 * operations(ir, op, facts)
    };
    let computed = made.iter().map(again).sum::<f64>() / OPERATIONS;
    let scattered = match reader.products {
        0 => 0,
        _ => made.iter().map(|&op| scattered(ir, op)).sum::<i64>().saturating_mul(evaluations),
    };
    let moved = 2.0 * bytes(ir, value) as f64 / BYTES;
    if reader.products > 0 && both_factors(&reader, &results) && facts.chip.native.is_none() {
        let each = |&op: &OpId| {
            ir.results(op).map(|value| elements(ir, value)).max().unwrap_or(0) as f64 * operations(ir, op, facts)
        };
        let of_all = facts.chip.processors.map_or(PROCESSORS, |processors| f64::from(processors.count));
        return made.iter().map(each).sum::<f64>() * SIDE as f64 * of_all / OPERATIONS > LAUNCH + moved;
    }
    let (late, launch) = match facts.chip.native {
        Some(_) => (0.0, 0.0),
        None => (reader.late(facts) + scattered as f64 / SCATTERED, LAUNCH),
    };
    computed + late > launch + moved
}

/// How many elements of a tensor at least share what an operation computes: that of a group has no loop inside of it.
fn shared(ir: &Ir, op: OpId, value: ValueId) -> i64 {
    let shape = ir.ty(value).shape().unwrap_or_default();
    let inside = ir.results(op).filter_map(|own| shape.strip_prefix(ir.ty(own).shape()?)).next();
    inside.map_or(1, |inside| inside.iter().fold(1, |n: i64, &extent| n.saturating_mul(known(extent))).clamp(1, RUN))
}

/// Whether the kernel of one operation would compute what these give several times, not counting what tiles leave empty.
pub(super) fn is_repeated(ir: &Ir, made: &[OpId], op: OpId) -> bool {
    let Some(reader) = Reader::of(ir, op) else { return true };
    let results: Vec<ValueId> = made.iter().flat_map(|&op| ir.results(op)).collect();
    let mut read = reader.operands.iter().filter(|(value, _)| results.contains(value));
    read.any(|&(value, evaluations)| evaluations >= elements(ir, value).saturating_mul(2))
}

/// Whether both factors of a product are among these: its rows and its columns are then all in one workgroup, where many
/// threads compute each element for themselves.
fn both_factors(reader: &Reader, results: &[ValueId]) -> bool {
    reader.operands.iter().filter(|(value, _)| results.contains(value)).count() > 1
}

/// How many elements an operation reads for each of its own that lie anywhere in a large tensor for neighbours along its
/// last loop.
fn scattered(ir: &Ir, op: OpId) -> i64 {
    let Some(linalg) = Linalg::try_of(ir, op) else { return 0 };
    let Some(last) = linalg.reduction.len().checked_sub(1) else { return 0 };
    let is_large = |tensor: ValueId| bytes(ir, tensor) > TABLE;
    taken::reads(ir, op, &linalg).iter().filter(|read| is_large(read.tensor) && read.is_apart(last)).count() as i64
}

/// The part of its time that a product of factors in memory saves by copying them ahead. Matrix instructions that take both
/// factors from shared memory are faster, and are left where one of them is computed in registers.
fn lateness(facts: &Facts) -> f64 {
    let flops = |of_shared: bool| facts.chip.processors.map_or(1.0, |processors| processors.flops(2, of_shared));
    LATE - flops(false) / flops(true).max(flops(false))
}

/// An operation that reads what others make.
struct Reader {
    /// Its operands, and how often its tiles compute an element of each, all together.
    operands: Vec<(ValueId, i64)>,
    /// How many products it sums of tiles that could be copied ahead.
    products: i64,
    /// How many of them a sum has, for each of which it waits.
    sum: i64,
}

impl Reader {
    /// Microseconds that it takes longer if it computes a factor.
    fn late(&self, facts: &Facts) -> f64 {
        let waits = (self.sum / STEP) as f64 * WAIT;
        (lateness(facts) * self.products as f64 / PRODUCTS).max(waits.min(WAIT_MAX))
    }

    fn of(ir: &Ir, op: OpId) -> Option<Reader> {
        if let Some(attention) = Attention::of(ir, op) {
            return Some(Reader::of_attention(ir, &attention));
        }
        let linalg = Linalg::try_of(ir, op)?;
        let extents: Vec<i64> = linalg.extents(ir).into_iter().map(known).collect();
        let is_product = body::is_contraction(ir, op);
        let tile = tile_of(&extents);
        let operands = linalg.inputs.iter().zip(&linalg.maps).filter_map(|(&value, map)| {
            let dims = map.as_dims()?;
            let product = |of: &dyn Fn(usize) -> i64| (0..extents.len()).map(of).fold(1, i64::saturating_mul);
            if is_product {
                let others = product(&|d| if dims.contains(&d) { 1 } else { extents[d] });
                return Some((value, elements(ir, value).saturating_mul(pieces(others, TILE))));
            }
            let tiles = product(&|d| pieces(extents[d], tile[d]));
            let inside = product(&|d| if dims.contains(&d) { tile[d] } else { 1 });
            Some((value, tiles.saturating_mul(inside.max(LANES))))
        });
        let products = extents.iter().fold(1, |n: i64, &extent| n.saturating_mul(extent));
        let operands = operands.collect();
        if !is_product {
            return Some(Reader { operands, products: 0, sum: 0 });
        }
        let loops = body::contraction_loops(&linalg.maps);
        let of = |dims: &[usize]| dims.iter().fold(1, |n: i64, &d| n.saturating_mul(extents[d]));
        let sum = loops.filter(|loops| of(&loops.m).min(of(&loops.n)) > SIDE).map_or(0, |loops| of(&loops.k));
        Some(Reader { operands, products, sum })
    }

    fn of_attention(ir: &Ir, attention: &Attention) -> Reader {
        let parts = attention.all();
        let extent = |d: usize| {
            let of = |part: &Part| Some(ir.shape_of(part.value)[part.dims.iter().position(|&other| other == d)?]);
            known(parts.iter().find_map(of).unwrap_or(1))
        };
        let rows = attention.rows();
        let products = (0..attention.n_loops).map(extent).fold(1, i64::saturating_mul);
        let operands = parts.iter().map(|part| {
            let others = rows.iter().copied().filter(|d| !part.dims.contains(d));
            // Rows are the last loop of those that keys do not have.
            let is_tiled = |d: usize| rows.last() == Some(&d);
            let times = others.map(|d| if is_tiled(d) { pieces(extent(d), TILE) } else { extent(d) });
            (part.value, times.fold(elements(ir, part.value), i64::saturating_mul))
        });
        Reader { operands: operands.collect(), products, sum: 0 }
    }
}

/// An extent, open ones guessed.
pub(super) fn known(extent: i64) -> i64 {
    if extent == DYNAMIC { OPEN } else { extent }
}

fn pieces(extent: i64, piece: i64) -> i64 {
    extent / piece + i64::from(extent % piece != 0)
}

/// The tile of a workgroup of elementwise operations, about: as much as fits of the last loops.
fn tile_of(extents: &[i64]) -> Vec<i64> {
    let mut left = ELEMENTS;
    let mut tile: Vec<i64> = extents
        .iter()
        .rev()
        .map(|&extent| {
            let taken = extent.clamp(1, left);
            left /= taken;
            taken
        })
        .collect();
    tile.reverse();
    tile
}

/// How many elements a tensor has.
pub(super) fn elements(ir: &Ir, value: ValueId) -> i64 {
    let shape = ir.ty(value).shape().unwrap_or_default();
    shape.iter().fold(1, |n, &extent| n.saturating_mul(known(extent)))
}

/// The bytes of a tensor in memory.
pub(super) fn bytes(ir: &Ir, value: ValueId) -> i64 {
    elements(ir, value).saturating_mul(i64::from(bits(ir, ir.elem_of(value)))) / 8
}

/// What an operation does for each element. Small floats that the chip does not convert are taken apart by integers.
pub(super) fn operations(ir: &Ir, op: OpId, facts: &Facts) -> f64 {
    let is_taken_apart = |&value: &ValueId| match Scalar::of(&ir[ir.type_of(value)]) {
        Some(Scalar::Float(float)) => float.bits() < 16 && !facts.chip.converts(float),
        _ => false,
    };
    let cost = |&inner: &OpId| match ir.class(inner) {
        Class::Elementwise if ir.name(inner).starts_with("math.") => 20.0,
        Class::Elementwise => {
            1.0 + 8.0 * ir.operands(inner).iter().filter(|value| is_taken_apart(value)).count() as f64
        }
        _ => 0.0,
    };
    ir.walk(op).iter().map(cost).sum()
}
