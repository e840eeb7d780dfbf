//! Tiles of products: those of a few sizes, in the order of the time that a model of the chip's processors gives them.
//!
//! A processor does a step of a tile as fast as its matrix units, its shared memory and its path to the L2 cache allow
//! together; workgroups that it holds at once hide the time that copies take to arrive, and so do the slots of a ring.
//! The processor with the most tiles decides, or the memory, if that takes longer to move each operand once.
//!
//! Compared with measurements on an H100, 13 products with up to 12 tiles each: the tile that it puts first took at most
//! 9 % longer than the best of them, for most products none. `xtask/gpu` measures them again.

use std::sync::Arc;

use raddle_ir::views::Linalg;
use raddle_ir::{DYNAMIC, Ir, Map, Scalar, ValueId};
use raddle_layout::sort::sort_by_key;
use raddle_target::{Mma, Processors};

use super::cut::Cut;
use super::{Config, LONG, bundle_of_product, power_of_two};
use crate::code::extents::gcd;
use crate::configure::factors::{GROUP, multiplies_shared, sums_apart};
use crate::configure::limits::{SHARED_SLOTS, prefetch_registers, stream_slots, streamed};
use crate::facts::Facts;
use crate::structured::{body, taken, windows};

/// Columns of a product in shared memory, at most.
const SHARED_COLUMNS: i64 = 256;
/// Elements along the sides of tiles.
const SIDES: [i64; 5] = [16, 32, 64, 128, 256];
/// The same of columns that instructions read from shared memory, besides.
const SHARED_SIDES: [i64; 5] = [96, 112, 160, 192, 224];
/// Bytes along k of one step, for each row of A and column of B.
const STEP_BYTES: [i64; 3] = [64, 128, 256];
/// Subgroups of one workgroup.
const SUBGROUPS: [i64; 4] = [1, 2, 4, 8];
/// Bytes that shared memory moves in a clock: all banks.
const SHARED_BYTES: f64 = 128.0;
/// Bytes that a processor gets from the L2 cache in a clock: three quarters of what its port is wide.
const CACHE_BYTES: f64 = 48.0;
/// The same, and [`LATENCY`], where instructions read shared memory themselves.
const SHARED_CACHE_BYTES: f64 = 64.0;
const SHARED_LATENCY: f64 = 2000.0;
/// Bytes of a line of that cache.
const LINE_BYTES: i64 = 128;
/// Clocks of a request of so many lanes to memory.
const REQUEST_CLOCKS: f64 = 2.4;
const REQUEST_LANES: i64 = 32;
/// Rows of memory that a request for a fragment has words of, and clocks of each but one.
const FRAGMENT_ROWS: i64 = 8;
const LOOKUP_CLOCKS: f64 = 1.0;
/// Bytes that asynchronous copies move at a time.
const COPY_BYTES: [i64; 3] = [16, 8, 4];
/// Products of pieces of factors for one of them, and elements that a processor cuts into pieces in a clock: each takes two
/// operations on integers, of which it does 64.
const PIECES: f64 = 3.0;
const PIECES_CUT: f64 = 32.0;
/// Bytes of a register.
const WORD_BYTES: i64 = 4;
/// Matrix units of a processor.
const MATRIX_UNITS: f64 = 4.0;
/// Bytes of results that a processor stores in a clock.
const STORE_BYTES: f64 = 32.0;
/// Clocks from a copy to its arrival, when others are under way.
pub const LATENCY: f64 = 1500.0;
/// Clocks that the threads of a workgroup wait for one another in a step, where instructions read shared memory themselves
/// and there is nothing else to do.
const MEETING: f64 = 120.0;
/// Clocks of an empty kernel.
const START: f64 = 3000.0;
/// Registers of a thread beside accumulators and fragments.
pub(crate) const OTHER_REGISTERS: i64 = 40;
/// The part of a thread's registers that is counted on where copies go through them. LLVM reads the fragments of all steps
/// before it multiplies them, if there is room.
const SYNCHRONOUS_PART: [i64; 2] = [7, 8];
/// Bytes of shared memory that each workgroup takes besides its own.
const RESERVED_BYTES: i64 = 1024;
/// Parts that sums are divided into, elements of which their lengths are multiples, and the share of the time that is
/// worth another kernel.
const PARTS: [i64; 4] = [2, 4, 8, 16];
const PART_UNIT: i64 = 64;
pub const WORTH: f64 = 0.9;
/// The share of the time that is worth another product behind the first, and at how many places a product is cut to see.
const TAIL_WORTH: f64 = 0.95;
const TAILS_MAX: usize = 4;
/// Of tiles whose times differ by less the one with the least code is taken; where few of them wait for memory, of
/// those that do not ask the cache for many more lines than others.
const EQUAL: f64 = 1.02;

/// Tiles of a processor that are few, and how many times as many lines are much more.
const FEW: f64 = 4.0;
const MUCH_MORE: f64 = 1.5;

/// What stands for the extent of a loop that only the run knows and along which no instruction goes, as that of a batch. One
/// along which they go is taken for long.
const OPEN_BATCH: i64 = 16;

/// The bound of a product that takes as long as memory takes to move it.
const MEMORY: &str = "global memory";

/// What copies ask in a step of a tile.
#[derive(Default)]
struct Copies {
    /// Requests of subgroups to memory, and the lines that these look up one after the other, beside the first of each.
    requests: i64,
    lookups: i64,
    /// Registers of a thread for elements that are loaded one by one, and for addresses.
    loaded: i64,
    addresses: i64,
}

/// A tile, and how long all of them take.
#[derive(Clone)]
pub struct Estimate {
    /// The configuration.
    pub config: Config,
    /// Clocks of the processors.
    pub clocks: f64,
    /// What takes most of them.
    pub bound: &'static str,
    /// Bytes of the lines that the processor with the most tiles gets from the L2 cache.
    lines: f64,
    /// The tiles of that processor.
    busiest: f64,
    /// Matrix instructions of one subgroup in a step.
    code: i64,
}

impl Estimate {
    /// The tile and its clocks, in words; these say nothing where only the run knows how long a loop is.
    pub fn say(&self, [m, n, k]: [usize; 3], is_open: bool) -> String {
        let Estimate { config, clocks, bound, .. } = self;
        let clocks = if is_open { "most clocks".to_owned() } else { format!("about {clocks:.0} clocks, most of them") };
        format!(
            "{} x {} x {} for {} x {} subgroups: {clocks} for {bound}",
            config.workgroup[m], config.workgroup[n], config.reduction[k], config.subgroup[m], config.subgroup[n]
        )
    }
}

/// What is known of a product.
pub struct Product<'a> {
    /// The operation.
    pub linalg: &'a Linalg,
    /// The extents of its loops.
    pub extents: &'a [i64],
    /// The loops along which matrix instructions go.
    pub mnk: [usize; 3],
    /// The instruction.
    pub mma: &'static Mma,
}

/// Parts that the sums of a product are divided into; another kernel adds these.
pub struct Parts {
    /// The loop that is divided.
    pub along: usize,
    /// How many.
    pub number: i64,
    /// Iterations of each; a rest may be left behind them.
    pub length: i64,
    /// Workgroups that the product has in one part.
    pub workgroups: i64,
}

/// A product that is two along one of its loops.
pub struct Tail {
    /// Iterations of the first.
    pub length: i64,
    /// The parts of the sums of the second.
    pub parts: Option<Parts>,
    /// How many of the tiles of the first a processor would have of the whole.
    pub rounds: f64,
}

/// A product in so many parts of so many iterations of a loop over sums, which a loop in front of that one counts, and its
/// extents; `None` where operands are windows. The parts of a result lie one behind the other.
pub fn in_parts(
    linalg: &Linalg,
    extents: &[i64],
    along: usize,
    [number, length]: [i64; 2],
) -> Option<(Linalg, Vec<i64>)> {
    let (mut extents, mut reduction) = (extents.to_vec(), linalg.reduction.clone());
    extents[along] = length;
    extents.insert(along, number);
    reduction.insert(along, false);
    let map = |(operand, map): (usize, &Map)| {
        let of_dim = |&d: &usize| if d == along { vec![d, d + 1] } else { vec![d + usize::from(d > along)] };
        let mut dims: Vec<usize> = map.as_dims()?.iter().flat_map(of_dim).collect();
        if operand == linalg.inputs.len() {
            dims.insert(0, along);
        }
        Some(Map::of_dims(extents.len(), &dims))
    };
    let maps = linalg.maps.iter().enumerate().map(map).collect::<Option<_>>()?;
    let (inputs, outputs) = (linalg.inputs.clone(), linalg.outputs.clone());
    Some((Linalg { inputs, outputs, maps, reduction }, extents))
}

/// Tiles for a product, the best ones first; none where the chip's speed is not known. A product is looked at by itself, in
/// groups and in parts, and so asked for more than once.
pub fn estimates(ir: &Ir, product: &Product<'_>, facts: &Facts) -> Arc<Vec<Estimate>> {
    let Some(processors) = facts.chip.processors else { return Arc::default() };
    let extents = &product.expected();
    let of_all = OfAll::of(ir, product, extents);
    facts.once(of_all.key(product), || tiles(product, extents, &of_all, &processors, facts))
}

/// The same for the first time; `extents` are those that times are estimated for.
fn tiles(
    product: &Product<'_>,
    extents: &[i64],
    of_all: &OfAll,
    processors: &Processors,
    facts: &Facts,
) -> Vec<Estimate> {
    let [m, n, k] = product.mnk;
    let expected = Product { extents, ..*product };
    let step = |bytes: i64| (bytes / of_all.elem).max(product.mma.k);
    let sides_m = product.tiles(m, product.mma.m, SIDES, facts);
    let mut sides_n = product.tiles(n, product.mma.n, SIDES, facts);
    if multiplies_shared(facts.chip, product.mma) {
        sides_n.extend(product.tiles(n, product.mma.n, SHARED_SIDES, facts));
        sides_n.sort_unstable();
        sides_n.dedup();
    }
    let steps = product.tiles(k, product.mma.k, STEP_BYTES.map(step), facts);
    let mut found: Vec<Estimate> = Vec::new();
    // How much of what instructions compute anyway may be added.
    let added = |d: usize, size: i64, tiles: i64| {
        let all = (product.extents[d] - 1) / size + 1;
        ((all + tiles - 1) / tiles * tiles) as f64 / all as f64
    };
    for &tiles_m in &sides_m {
        for &tiles_n in &sides_n {
            if added(m, product.mma.m, tiles_m) * added(n, product.mma.n, tiles_n) > ADDED_MAX {
                continue;
            }
            for &depth in &steps {
                for subgroups in SUBGROUPS {
                    let configs = product.configs([tiles_m, tiles_n, depth], subgroups, of_all, facts);
                    let times = configs.into_iter().flatten();
                    found.extend(times.filter_map(|config| expected.estimate(config, of_all, processors, facts)));
                }
            }
        }
    }
    // Times are above zero, where floats are ordered as their bits are.
    found.sort_by_cached_key(|estimate| estimate.clocks.to_bits());
    let Some(limit) = found.first().map(|best| best.clocks * EQUAL) else { return found };
    let equal = found.iter().position(|estimate| estimate.clocks > limit).unwrap_or(found.len());
    // Where the memory of the chip decides, the time says little of what else a tile costs: of few tiles, the processors
    // that have one more than others ask for much more.
    let waits = found.first().is_some_and(|best| best.bound == MEMORY && best.busiest <= FEW);
    let fewest = found[..equal].iter().map(|estimate| estimate.lines).fold(f64::INFINITY, f64::min);
    sort_by_key(&mut found[..equal], |estimate| {
        let asks_more = waits && estimate.lines > fewest * MUCH_MORE;
        (asks_more, estimate.code, estimate.config.n_subgroups())
    });
    found
}

/// What all tiles of a product have in common.
struct OfAll {
    /// Bytes of an element of the factors, and of a result.
    elem: i64,
    result: i64,
    factors: Vec<Factor>,
    /// Bytes of all operands, each once.
    moved: f64,
}

/// The same of a factor.
struct Factor {
    /// Bytes of an element.
    elem: i64,
    /// Bytes that a thread copies at a time.
    copied: i64,
    /// Whether its rows go along k.
    along_k: bool,
    /// Whether only the run knows how long its rows are.
    is_open: bool,
}

impl OfAll {
    /// The same of a product with these extents, where it has open ones.
    fn of(ir: &Ir, product: &Product<'_>, extents: &[i64]) -> OfAll {
        let Product { linalg, mnk: [_, _, k], .. } = *product;
        let values = linalg.inputs.iter().chain(&linalg.outputs).zip(&linalg.maps);
        let size = |(operand, (&value, map)): (usize, (&ValueId, &Map))| {
            let dims = map.as_dims().unwrap_or_default();
            let seen: f64 = dims.iter().map(|&d| extents[d] as f64).product();
            // Windows share what they are of.
            let source = windows::source(ir, linalg, operand).map(|(_, shape)| shape);
            let source = source.or_else(|| Some(ir.shape_of(taken::rows_taken(ir, ir.def_op(value)?)?).to_vec()));
            // What is open of it is as long as the loops along it.
            let is_open = |d: &&usize| product.extents[**d] == LONG;
            let open: f64 = dims.iter().filter(is_open).map(|&d| extents[d] as f64).product();
            let known = |shape: Vec<i64>| shape.iter().filter(|&&n| n != DYNAMIC).map(|&n| n as f64).product::<f64>();
            let elements = source.map_or(seen, |shape| (known(shape) * open).min(seen));
            bytes(ir, value) as f64 * elements
        };
        let factor = |(&input, map): (&ValueId, &Map)| {
            let along_k = map.as_dims().is_some_and(|dims| dims.last() == Some(&k));
            let is_open = ir.shape_of(input).last() == Some(&DYNAMIC);
            Factor { elem: bytes(ir, input), copied: copied_bytes(ir, input), along_k, is_open }
        };
        OfAll {
            elem: bytes(ir, linalg.inputs[0]),
            result: bytes(ir, linalg.outputs[0]),
            factors: linalg.inputs.iter().zip(&linalg.maps).map(factor).collect(),
            moved: values.enumerate().map(size).sum(),
        }
    }

    /// All that tiles of a product are estimated from.
    fn key(&self, product: &Product<'_>) -> Vec<i64> {
        let Product { linalg, extents, mnk, mma } = *product;
        let numbers = [std::ptr::from_ref(mma) as i64, self.elem, self.result, self.moved.to_bits() as i64];
        let mut key = Vec::with_capacity(2 * extents.len() + 16);
        key.extend(extents);
        key.extend(linalg.reduction.iter().map(|&reduces| i64::from(reduces)));
        key.extend(mnk.map(|d| d as i64));
        key.extend(numbers);
        for &Factor { elem, copied, along_k, is_open } in &self.factors {
            key.extend([elem, copied, i64::from(along_k), i64::from(is_open)]);
        }
        key
    }
}

/// Bytes of an element.
pub(super) fn bytes(ir: &Ir, value: ValueId) -> i64 {
    Scalar::of(&ir[ir.elem_of(value)]).map_or(4, |elem| i64::from(elem.bits().div_ceil(8)))
}

/// Bytes of a factor that a thread copies at a time: as many as divide its rows, or an element, which goes through a
/// register. Rows of open length are taken for such that a whole copy divides.
fn copied_bytes(ir: &Ir, value: ValueId) -> i64 {
    let elem = bytes(ir, value);
    match *ir.shape_of(value).last().unwrap_or(&1) {
        DYNAMIC => COPY_BYTES[0],
        row => COPY_BYTES.into_iter().find(|size| row * elem % size == 0).unwrap_or(elem),
    }
}

/// How long a side is of which little may be left empty.
const LONG_SIDE: i64 = 512;

/// How many times the instructions of its result a product may take, by tiles that are partly empty.
const ADDED_MAX: f64 = 1.5;

/// How many elements of a tile a thread copies at a time, and how many threads do so along a row: `vectorize` has the rule.
fn copied_at_once([rows, run]: [i64; 2], widest: i64, elem: i64, threads: i64) -> (i64, i64) {
    let mut width = power_of_two(run, widest.max(1));
    loop {
        let along_row = gcd(threads, run / width);
        let is_busy = along_row * gcd(threads / along_row, rows) == threads;
        if is_busy || width == 1 || width / 2 * elem < WORD_BYTES {
            return (width, along_row);
        }
        width /= 2;
    }
}

impl Product<'_> {
    /// The parts that take the least time, with the kernel that adds them, if that is much less than all in one. Sums that
    /// lie one behind the other are as one loop in the kernel, and are divided along the first of them.
    pub fn parts(&self, ir: &Ir, facts: &Facts) -> Option<Parts> {
        self.least(ir, facts)?.1
    }

    /// The clocks of a product in as many parts as take the least time, and the parts, if it is divided.
    fn least(&self, ir: &Ir, facts: &Facts) -> Option<(f64, Option<Parts>)> {
        let run = self.run_of_sums(ir)?;
        let (along, inner) = (run[0], run[1..].iter().map(|&d| self.extents[d]).product::<i64>());
        let (linalg, extents, mnk) = self.with_one_sum(&run)?;
        let one = Product { linalg: &linalg, extents: &extents, mnk, mma: self.mma };
        let (processors, [_, _, k]) = (facts.chip.processors?, mnk);
        let estimates_of_one = estimates(ir, &one, facts);
        let whole = estimates_of_one.first()?;
        let alone = Some((whole.clocks, None));
        let workgroups = one.workgroups(&whole.config);
        let parallel = (0..extents.len()).filter(|&d| !linalg.reduction[d]);
        let results: f64 = parallel.map(|d| extents[d] as f64).product();
        let result_bytes = results * bytes(ir, linalg.outputs[0]) as f64;
        let adds = |number: i64| another_kernel(processors, (number + 1) as f64 * result_bytes);
        // No division makes processors or memory faster than they are.
        let of_all = OfAll::of(ir, &one, one.extents);
        let flops = processors.flops(of_all.elem, false).max(processors.flops(of_all.elem, true));
        let products: f64 = extents.iter().map(|&extent| extent as f64).product();
        let pieces = if self.mma.pieces_of.is_some() { PIECES } else { 1.0 };
        let work = pieces * 2.0 * products / flops / f64::from(processors.count);
        let least = START + work.max(of_all.moved / f64::from(processors.memory_bytes)) + adds(PARTS[0]);
        if least >= whole.clocks * WORTH {
            return alone;
        }
        let clocks = |number: i64, length: i64| {
            let (linalg, extents) = in_parts(&linalg, &extents, k, [number, length])?;
            // A loop over the parts stands in front of the one that is divided.
            let mnk = mnk.map(|d| if d >= k { d + 1 } else { d });
            let part = Product { linalg: &linalg, extents: &extents, mnk, mma: self.mma };
            Some(estimates(ir, &part, facts).first()?.clocks + adds(number))
        };
        // What the parts leave is summed in the kernel that adds them.
        let rest = |rest: i64| {
            let mut extents = extents.clone();
            extents[k] = rest;
            let rest = Product { linalg: &linalg, extents: &extents, mnk, mma: self.mma };
            Some(estimates(ir, &rest, facts).first()?.clocks - START)
        };
        let unit = if inner == 1 { PART_UNIT } else { 1 };
        let timed = PARTS.into_iter().filter_map(|number| {
            let length = self.extents[along] / number / unit * unit;
            let left = self.extents[along] - number * length;
            let of_rest = if left > 0 { rest(left * inner)? } else { 0.0 };
            let parts = Parts { along, number, length, workgroups: workgroups as i64 };
            (length > 0).then_some((clocks(number, length * inner)? + of_rest, parts))
        });
        match timed.min_by(|one, other| one.0.total_cmp(&other.0)) {
            Some((clocks, parts)) if clocks < whole.clocks * WORTH => Some((clocks, Some(parts))),
            _ => alone,
        }
    }

    /// Where a product had better be two along a loop that is none of its sums, of which the second is computed behind the
    /// first: tiles of the whole leave processors idle at the end.
    pub fn tail(&self, ir: &Ir, along: usize, facts: &Facts) -> Option<Tail> {
        let processors = f64::from(facts.chip.processors?.count);
        let found = estimates(ir, self, facts);
        // Were all processors busy to the end.
        let even = |estimate: &Estimate| {
            let rounds = self.workgroups(&estimate.config) / processors;
            (estimate.clocks - START) * rounds / rounds.ceil()
        };
        let bound = |limit: f64| limit * TAIL_WORTH - 2.0 * START;
        let whole = found.first()?.clocks;
        found.iter().any(|estimate| even(estimate) < bound(whole)).then_some(())?;
        let whole = self.least(ir, facts)?.0;
        let mut candidates: Vec<&Estimate> = found.iter().filter(|estimate| even(estimate) < bound(whole)).collect();
        sort_by_key(&mut candidates, |estimate| even(estimate).to_bits());
        let mut tried: Vec<i64> = Vec::new();
        let mut best: Option<(f64, Tail)> = None;
        for estimate in candidates {
            let (tile, workgroups) = (estimate.config.workgroup[along], self.workgroups(&estimate.config));
            let (of_row, rounds) = (workgroups / count(self.extents[along], tile), workgroups / processors);
            let length = (rounds.floor() * processors / of_row) as i64 * tile;
            if length <= 0 || length >= self.extents[along] || tried.contains(&length) {
                continue;
            }
            if tried.len() == TAILS_MAX {
                break;
            }
            tried.push(length);
            let clocks_of = |extent: i64| {
                let mut extents = self.extents.to_vec();
                extents[along] = extent;
                Product { extents: &extents, ..*self }.least(ir, facts)
            };
            // The first one is what is not divided.
            let (Some((first, None)), Some((second, parts))) =
                (clocks_of(length), clocks_of(self.extents[along] - length))
            else {
                continue;
            };
            let clocks = first + second;
            if clocks < best.as_ref().map_or(whole * TAIL_WORTH, |best| best.0) {
                best = Some((clocks, Tail { length, parts, rounds }));
            }
        }
        best.map(|best| best.1)
    }

    /// The tiles of a product, each of which a workgroup has.
    fn workgroups(&self, config: &Config) -> f64 {
        let parallel = (0..self.extents.len()).filter(|&d| !self.linalg.reduction[d]);
        parallel.map(|d| count(self.extents[d], config.workgroup[d])).product()
    }

    /// The last loops over sums that lie one behind the other in both factors. Those of windows do not: their places are in
    /// the memory of something else.
    fn run_of_sums(&self, ir: &Ir) -> Option<Vec<usize>> {
        let sums = body::contraction_loops(&self.linalg.maps)?.k;
        let inputs = &self.linalg.inputs;
        let reads_windows =
            inputs.iter().any(|&input| ir.def_op(input).is_some_and(|made| windows::is_window(ir, made)));
        let is_run = |run: &[usize]| {
            let lies_along =
                |map: &Map| map.as_dims().is_some_and(|dims| dims.windows(run.len()).any(|own| own == run));
            run.len() == 1 || !reads_windows && self.linalg.maps[..2].iter().all(lies_along)
        };
        (0..sums.len()).map(|first| sums[first..].to_vec()).find(|run| is_run(run))
    }

    /// The same with the last of a run of loops for all of them: its operands, extents, and the loops of the instruction.
    fn with_one_sum(&self, run: &[usize]) -> Option<(Linalg, Vec<i64>, [usize; 3])> {
        let (&last, others) = run.split_last()?;
        let kept: Vec<usize> = (0..self.extents.len()).filter(|d| !others.contains(d)).collect();
        let number = |d: usize| kept.iter().position(|&own| own == d);
        let map = |map: &Map| {
            let dims: Vec<usize> = map.as_dims()?.into_iter().filter_map(number).collect();
            Some(Map::of_dims(kept.len(), &dims))
        };
        let all = run.iter().map(|&d| self.extents[d]).product();
        let extents = kept.iter().map(|&d| if d == last { all } else { self.extents[d] }).collect();
        let Linalg { inputs, outputs, maps, reduction } = self.linalg;
        let linalg = Linalg {
            inputs: inputs.clone(),
            outputs: outputs.clone(),
            maps: maps.iter().map(map).collect::<Option<_>>()?,
            reduction: kept.iter().map(|&d| reduction[d]).collect(),
        };
        let [m, n, k] = self.mnk.map(number);
        Some((linalg, extents, [m?, n?, k?]))
    }

    /// The extents that times are estimated for.
    fn expected(&self) -> Vec<i64> {
        let is_batch = |d: usize| !self.linalg.reduction[d] && !self.mnk.contains(&d);
        let extent = |d: usize| if self.extents[d] == LONG && is_batch(d) { OPEN_BATCH } else { self.extents[d] };
        (0..self.extents.len()).map(extent).collect()
    }

    /// How many instructions of this size a tile may have along a loop, each number once: as many as a side has, and as
    /// leave little of it empty.
    fn tiles<const N: usize>(&self, d: usize, size: i64, sides: [i64; N], facts: &Facts) -> Vec<i64> {
        let all = (self.extents[d] - 1) / size + 1;
        let mut found = Vec::with_capacity(2 * N);
        let is_shared = multiplies_shared(facts.chip, self.mma);
        for limit in sides.into_iter().filter(|side| side % size == 0).map(|side| side / size) {
            let tiles = if all < limit { all } else { bundle_of_product(all, limit) };
            // Rings take powers of two, which may leave more of short loops empty.
            let power = limit.min((all.max(1) as u64).next_power_of_two() as i64);
            let spare = match (self.linalg.reduction[d], all >= 32) {
                (false, _) if self.extents[d] < LONG_SIDE => all / 3,
                // Tiles that instructions read themselves are of few sizes, and wide ones are worth some places that are empty.
                (false, true) if is_shared => all / 6,
                (_, true) => all / 14,
                (_, false) => all / 4,
            };
            let is_worth = (all + power - 1) / power * power - all <= spare;
            for tiles in [Some(tiles), Some(power).filter(|_| is_worth)].into_iter().flatten() {
                if !found.contains(&tiles) {
                    found.push(tiles);
                }
            }
        }
        found
    }

    /// The tile of so many instructions for so many subgroups. Where instructions read factors from shared memory, there
    /// is a second one for them.
    fn configs(
        &self,
        tiles @ [tiles_m, tiles_n, _]: [i64; 3],
        subgroups: i64,
        of_all: &OfAll,
        facts: &Facts,
    ) -> [Option<Config>; 2] {
        let mma = self.mma;
        // The arrangement whose subgroups read the least.
        let arrangements = SUBGROUPS.into_iter().filter(|&rows| {
            let columns = subgroups / rows;
            subgroups % rows == 0 && power_of_two(tiles_m, rows) == rows && power_of_two(tiles_n, columns) == columns
        });
        let rows = arrangements.min_by_key(|rows| tiles_m / rows * mma.m + tiles_n / (subgroups / rows) * mma.n);
        let tile = |rows: i64| self.tile(tiles, [rows, subgroups / rows]);
        let shared = Some(subgroups).filter(|_| rows != Some(subgroups) && multiplies_shared(facts.chip, mma));
        [rows.map(tile), shared.map(tile).filter(|config| self.is_shared(config, of_all, facts))]
    }

    /// Whether a tile is one that instructions compute from factors in shared memory: `overlap` has the rules.
    fn is_shared(&self, config: &Config, of_all: &OfAll, facts: &Facts) -> bool {
        let [m, n, k] = self.mnk;
        let (rows, columns, depth) = (config.workgroup[m], config.workgroup[n], config.reduction[k]);
        multiplies_shared(facts.chip, self.mma)
            && of_all.factors.iter().all(|factor| COPY_BYTES.contains(&factor.copied))
            // Bytes lie along k.
            && (self.mma.types[0].bits() == 16 || of_all.factors.iter().all(|factor| factor.along_k))
            && are_powers([rows, depth])
            && (are_powers([columns]) || SHARED_SIDES.contains(&columns))
            && of_all.factors.iter().zip([rows, columns]).all(|(factor, side)| {
                let tile = if factor.along_k { [side, depth] } else { [depth, side] };
                // Pieces that are not whole lines make other sides slower than they are worth (measured on an H100).
                let is_wide = |cut: Cut| are_powers(tile) || cut.piece * factor.elem == LINE_BYTES;
                let copies = side * depth * factor.elem / factor.copied;
                let is_even = copies % (config.n_subgroups() * i64::from(self.mma.subgroup_size)) == 0;
                is_even && Cut::of(tile, factor.elem).is_some_and(is_wide)
            })
            && columns <= SHARED_COLUMNS
            && config.subgroup[n] == 1
            && config.subgroup[m] % GROUP == 0
            && rows == self.mma.m * config.subgroup[m]
            && self.trips(config) > SHARED_SLOTS[0] as f64
    }

    /// Steps of the innermost loop: all sums are one loop where steps divide the innermost ones (`overlap` has the rule).
    fn trips(&self, config: &Config) -> f64 {
        let k = self.mnk[2];
        let is_one = self.extents[k] % config.reduction[k] == 0;
        let sums = (0..self.extents.len()).filter(|&d| self.linalg.reduction[d] && (is_one || d == k));
        sums.map(|d| count(self.extents[d], config.reduction[d])).product()
    }

    /// The tile of so many instructions along m, n and k, with these subgroups along m and n.
    pub fn tile(&self, tiles: [i64; 3], subgroups: [i64; 2]) -> Config {
        let Product { linalg, mnk: [m, n, k], mma, .. } = *self;
        // Along other loops, each workgroup and each step has one iteration.
        let one = |reduces: bool| linalg.reduction.iter().map(|&other| i64::from(other == reduces)).collect();
        let mut config = Config { mma: Some(mma), workgroup: one(false), reduction: one(true), ..Config::default() };
        config.subgroup = vec![1; linalg.reduction.len()];
        (config.workgroup[m], config.workgroup[n]) = (tiles[0] * mma.m, tiles[1] * mma.n);
        config.reduction[k] = tiles[2] * mma.k;
        [config.subgroup[m], config.subgroup[n]] = subgroups;
        // With one subgroup nobody shares what shared memory would hold.
        if config.n_subgroups() > 1 {
            config.promote = vec![0, 1];
        }
        config
    }

    /// Bytes of the cache lines that the tiles of a step lie in: a part of a line is asked for like all of it.
    fn line_bytes(&self, config: &Config, of_all: &OfAll) -> i64 {
        let factors = of_all.factors.iter().zip(&self.mnk[..2]);
        let lines = factors.map(|(factor, &own)| {
            let (own, depth) = (config.workgroup[own], config.reduction[self.mnk[2]]);
            let (rows, run) = if factor.along_k { (own, depth) } else { (depth, own) };
            rows * ((run * factor.elem + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES)
        });
        lines.sum()
    }

    /// Whether the tiles of factors are rings in shared memory. Those that threads read have sides that are powers of two;
    /// other tiles go through registers in the step that needs them.
    fn is_ring(&self, config: &Config, is_shared: bool, facts: &Facts) -> bool {
        let [m, n, k] = self.mnk;
        let sides = [config.workgroup[m], config.workgroup[n], config.reduction[k]];
        facts.chip.async_copies && !config.promote.is_empty() && (is_shared || are_powers(sides))
    }

    /// Whether tiles end where extents do.
    fn is_whole(&self, config: &Config) -> bool {
        let [m, n, k] = self.mnk;
        let sizes = [(m, config.workgroup[m]), (n, config.workgroup[n]), (k, config.reduction[k])];
        sizes.into_iter().all(|(d, size)| self.extents[d] % size == 0)
    }

    /// Registers of a fragment of a factor.
    fn words(&self, factor: usize) -> i64 {
        (self.mma.fragments[factor].n_slots() * i64::from(self.mma.types[factor].bits()) + 31) / 32
    }

    /// What copies ask in a step.
    fn copies(&self, config: &Config, of_all: &OfAll, is_ring: bool, facts: &Facts) -> Copies {
        let Product { mnk: [m, n, k], mma, .. } = *self;
        let (sides, depth) = ([config.workgroup[m], config.workgroup[n]], config.reduction[k]);
        let lanes = i64::from(mma.subgroup_size);
        let threads = lanes * config.n_subgroups();
        let is_whole = self.is_whole(config);
        let elem = of_all.elem;
        let mut copies = Copies::default();
        for (i, &Factor { copied: size, along_k, is_open, .. }) in of_all.factors.iter().enumerate() {
            let factor = sides[i] * depth * elem;
            if config.promote.is_empty() {
                // Fragments come from memory: neighbours along k are a word of a lane, and others lie in rows of their own.
                let of_factor = factor / (lanes * if along_k { elem.max(WORD_BYTES) } else { elem });
                copies.requests += of_factor;
                // Eight rows of a fragment's words, or so many columns of elements, are in a request.
                copies.lookups += of_factor * (FRAGMENT_ROWS - 1);
                if !facts.chip.async_copies {
                    // What is loaded one by one has registers of its own.
                    let of_one = if along_k && is_whole { self.words(i) } else { mma.fragments[i].n_slots() };
                    copies.loaded += sides[i] / [mma.m, mma.n][i] * (depth / mma.k) * of_one;
                }
                continue;
            }
            let mut width = size;
            if !is_ring && facts.chip.async_copies {
                // Threads share rows as these divide, and short runs of them are lines of their own.
                let tile = if along_k { [sides[i], depth] } else { [depth, sides[i]] };
                let (elements, along_row) = copied_at_once(tile, size / elem, elem, threads);
                width = elements * elem;
                let runs = lanes / along_row.min(lanes);
                copies.lookups += factor / (lanes * width) * (runs - lanes * width / LINE_BYTES).max(0);
            }
            copies.requests += factor / (lanes * width);
            if !is_ring {
                copies.requests += factor / (lanes * COPY_BYTES[0]);
                copies.loaded += factor / (threads * WORD_BYTES);
            }
            if !COPY_BYTES.contains(&size) {
                // Words are written to the slot behind them.
                copies.requests += factor / (lanes * 4);
                copies.loaded += factor / size / threads;
            }
            if is_open || !facts.chip.async_copies && !is_whole {
                // Addresses of copies are not a constant apart, and have 64 bits.
                copies.addresses += 2 * factor / (threads * size) + size / elem;
            }
        }
        copies
    }

    /// The time of a tile; `None` where it does not fit a processor.
    fn estimate(&self, config: Config, of_all: &OfAll, chip: &Processors, facts: &Facts) -> Option<Estimate> {
        let Product { linalg, extents, mnk: [m, n, k], mma } = *self;
        let (rows, columns, depth) = (config.workgroup[m], config.workgroup[n], config.reduction[k]);
        let (subgroups_m, subgroups_n) = (config.subgroup[m], config.subgroup[n]);
        let subgroups = subgroups_m * subgroups_n;
        let lanes = i64::from(mma.subgroup_size);
        let (own_rows, own_columns) = (rows / subgroups_m, columns / subgroups_n);
        let OfAll { elem, result, .. } = *of_all;

        // What a processor holds at once.
        let accumulators = own_rows * own_columns * result.max(4) / 4 / lanes;
        let is_shared = self.is_shared(&config, of_all, facts);
        // Sums that are to be added to all others.
        let apart = if sums_apart(mma, facts) { accumulators } else { 0 };
        let of_step = own_rows / mma.m * self.words(0) + own_columns / mma.n * self.words(1);
        let of_tile = of_step * (depth / mma.k);
        // Each factor is two pieces for as long as it is multiplied.
        let pieces = if mma.pieces_of.is_some() { of_step } else { 0 };
        let is_ring = self.is_ring(&config, is_shared, facts);
        let Copies { requests, lookups, loaded, addresses } = self.copies(&config, of_all, is_ring, facts);
        let mut limit = i64::from(facts.chip.registers_max);
        // Without asynchronous copies, a tile waits in registers while the one before is multiplied.
        let runs_ahead = !facts.chip.async_copies && accumulators + of_step + loaded <= prefetch_registers(facts);
        if !facts.chip.async_copies {
            limit = limit * SYNCHRONOUS_PART[0] / SYNCHRONOUS_PART[1];
        }
        let all = accumulators + addresses + pieces + OTHER_REGISTERS;
        let all = all
            + match () {
                () if is_shared => apart + loaded,
                () if runs_ahead => of_tile + loaded,
                () if !facts.chip.async_copies => of_tile.max(loaded),
                // Where elements wait in registers for so long, fragments of the next step do not.
                () if loaded > 0 && all + 2 * of_step + loaded > limit => of_step + loaded,
                () => 2 * of_step + loaded,
            };
        let registers = (all + 7) / 8 * 8;
        let slot = (rows + columns) * depth * elem;
        let steps = (0..extents.len()).filter(|&d| linalg.reduction[d]);
        let steps: f64 = steps.map(|d| count(extents[d], config.reduction[d])).product();
        let parallel = (0..extents.len()).filter(|&d| !linalg.reduction[d]);
        let tiles: f64 = parallel.map(|d| count(extents[d], config.workgroup[d])).product();
        let slots = match is_ring {
            false => 1,
            true if is_shared => SHARED_SLOTS[1].min(i64::from(facts.chip.shared_bytes_max) / slot),
            true => {
                let is_whole = [(m, rows), (n, columns)].map(|(d, side)| extents[d] <= side);
                let streamed = streamed(is_whole, [rows * depth * elem, columns * depth * elem]);
                stream_slots([slot, streamed], tiles as i64, self.trips(&config) as i64, facts)
                    .min(steps.min(8.0) as i64)
            }
        };
        if is_shared && slots < SHARED_SLOTS[0] {
            return None;
        }
        if registers > limit + 1 || slot * slots > facts.chip.shared_bytes_max.into() {
            return None;
        }
        let by_registers = i64::from(chip.registers) / (registers * lanes * subgroups);
        let by_shared = i64::from(chip.shared_bytes) / (slot * slots + RESERVED_BYTES);
        let held = by_registers.min(by_shared).min(i64::from(chip.threads) / (lanes * subgroups)).max(1) as f64;

        // A step of one tile.
        let of_pieces = if mma.pieces_of.is_some() { PIECES } else { 1.0 };
        let matrix = of_pieces * 2.0 * (rows * columns * depth) as f64 / chip.flops(elem, is_shared);
        // Each subgroup cuts what it multiplies.
        let cut = match mma.pieces_of {
            Some(_) => (subgroups * (own_rows + own_columns) * depth) as f64 / PIECES_CUT,
            None => 0.0,
        };
        // Four subgroups read the columns together.
        let groups = if is_shared { subgroups / GROUP } else { subgroups };
        let read = own_rows * subgroups + own_columns * groups + rows + columns;
        let shared = (depth * elem * read) as f64 / SHARED_BYTES;
        let (cache_bytes, latency) =
            if is_shared { (SHARED_CACHE_BYTES, SHARED_LATENCY) } else { (CACHE_BYTES, LATENCY) };
        let share = chip.cache_bytes_all.map(|all| f64::from(all) / tiles.min(f64::from(chip.count)));
        let cache_bytes = share.map_or(cache_bytes, |share| share.min(cache_bytes));
        let request = REQUEST_CLOCKS * (lanes / REQUEST_LANES) as f64;
        // Instructions that read shared memory themselves leave time for nothing else that a part of a line would cost.
        let asked = if is_shared { self.line_bytes(&config, of_all) } else { slot };
        let cache = (asked as f64 / cache_bytes).max(requests as f64 * request + lookups as f64 * LOOKUP_CLOCKS);
        // Each of a processor's matrix units needs a subgroup to work for.
        let step = |workgroups: f64| {
            let idle = (MATRIX_UNITS / (workgroups * subgroups as f64)).max(1.0);
            let meeting = if is_shared { MEETING } else { 0.0 };
            meeting + together([matrix * idle, shared, cache, cut].map(|clocks| workgroups * clocks))
        };
        let ahead = if is_shared { slots - 2 } else { slots - 1 };
        let arrival = match is_ring {
            true => latency / ahead.max(1) as f64,
            false if runs_ahead => latency,
            // A workgroup waits for the copies of a step, and has nothing else to do meanwhile.
            false => latency + step(1.0),
        };

        // The processor with the most tiles.
        let busiest = (tiles / f64::from(chip.count)).ceil();
        let round = |workgroups: f64| if workgroups == 0.0 { 0.0 } else { steps * step(workgroups).max(arrival) };
        let rounds = (busiest / held).floor();
        let begins = if is_ring { steps / self.trips(&config) } else { 1.0 };
        let ends = begins * LATENCY + (rows * columns * result) as f64 / STORE_BYTES;
        let products = rounds * round(held) + round(busiest - rounds * held) + (busiest / held).ceil() * ends;
        let memory = of_all.moved / f64::from(chip.memory_bytes);
        let clocks = START + together([products, memory]);
        let bound = match () {
            () if memory > products => MEMORY,
            () if arrival > step(held.min(busiest)) => "the arrival of copies",
            () if matrix >= shared.max(cache) => "matrix instructions",
            () if shared >= cache => "shared memory",
            () => "the L2 cache",
        };
        // Where instructions read shared memory themselves, one has all columns.
        let of_k = if is_shared { 1 } else { own_rows / mma.m * (own_columns / mma.n) };
        let code = of_k * (depth / mma.k);
        let lines = busiest * steps * self.line_bytes(&config, of_all) as f64;
        Some(Estimate { config, clocks, bound, lines, busiest, code })
    }
}

/// Clocks of another kernel that moves so many bytes.
pub fn another_kernel(processors: Processors, bytes: f64) -> f64 {
    START + LATENCY + bytes / f64::from(processors.memory_bytes)
}

fn are_powers<const N: usize>(sides: [i64; N]) -> bool {
    sides.into_iter().all(|side| side > 0 && side & (side - 1) == 0)
}

/// Tiles along a loop.
fn count(extent: i64, tile: i64) -> f64 {
    (extent as f64 / tile.max(1) as f64).ceil()
}

/// The time of things that go on side by side and get into each other's way where they take equally long.
fn together<const N: usize>(clocks: [f64; N]) -> f64 {
    clocks.iter().map(|clocks| clocks.powi(4)).sum::<f64>().sqrt().sqrt()
}
