//! Windows: configurations of sums over windows of each channel by itself, as depthwise convolutions with channels first, or of
//! few channels together, as grouped ones.
//!
//! Neighbouring windows share most of what they read. A thread that has several neighbours of a row, and of several rows,
//! reads what they share once, by accesses that are as wide as rows of memory allow, and multiplies each element by several
//! weights, which it reads once for all. So do filters of a group.
//!
//! How many neighbours, and how lanes share rows, is a choice among a few, in the order of the time that the requests to
//! memory, the lines that these touch, and the instructions of a processor's workgroups take. More neighbours need more
//! registers, and leave fewer workgroups.
//!
//! Where channels are neighbours in memory, [`super::stream`] chooses.

use raddle_ir::views::Linalg;
use raddle_ir::{DYNAMIC, Ir, OpId, ValueId};
use raddle_layout::sort::sort_by_key;

use super::products::bytes;
use super::stream::PROCESSORS;
use super::{LONG, power_of_two, share};
use crate::config::Config;
use crate::configure::group::Group;
use crate::facts::Facts;
use crate::structured::{body, windows};

/// Neighbours of a row, and rows, that a thread has, and places of a loop that shares the weights or the windows.
const COLUMNS: [i64; 5] = [1, 2, 4, 8, 16];
const ROWS: [i64; 4] = [1, 2, 4, 8];
const AGAIN: [i64; 3] = [1, 2, 4];
/// Images of which only the run knows how many there are, for choices.
const OPEN: i64 = 8;
/// Subgroups of a workgroup.
const SUBGROUPS: [i64; 3] = [2, 4, 8];
/// Elements of a window, at most, and products of a thread.
const WINDOW_MAX: i64 = 128;
const PRODUCTS_MAX: i64 = 1600;
/// Registers of a thread, at most, and beside sums and elements.
const REGISTERS_MAX: i64 = 120;
const OTHER_REGISTERS: i64 = 32;
/// Registers and threads of a processor.
const REGISTERS: i64 = 65536;
const THREADS: i64 = 2048;
/// Bits of the widest access.
const ACCESS_BITS: i64 = 128;
/// Bytes of a line of the cache.
const LINE_BYTES: i64 = 128;
/// Clocks of a processor for a line that is asked for, a request of a subgroup, an instruction of a subgroup, and a round
/// of workgroups.
const LINE_CLOCKS: f64 = 2.2;
const REQUEST_CLOCKS: f64 = 2.4;
const INSTRUCTION_CLOCKS: f64 = 0.16;
const ROUND_CLOCKS: f64 = 1000.0;
/// Instructions of a thread beside those counted, of each result, and of each access.
const OTHER_INSTRUCTIONS: i64 = 100;
const OF_RESULT: i64 = 10;
const OF_ACCESS: i64 = 2;

/// Windows along a dimension of the tensor that they go through.
struct Side {
    /// The loop of the windows, and that of their elements.
    kept: usize,
    reduced: usize,
    /// From a window to the next one, and from an element to the next one.
    step: i64,
    dilation: i64,
    /// Where the first window begins.
    first: i64,
}

impl Side {
    /// Elements that so many neighbouring windows go through.
    fn reach(&self, windows: i64, extents: &[i64]) -> i64 {
        (windows - 1) * self.step + (extents[self.reduced] - 1) * self.dilation + 1
    }
}

/// A tensor in memory.
struct Memory {
    /// How far elements are apart along each loop; 0 where it does not lie along one.
    strides: Vec<i64>,
    /// Bytes of an element.
    bytes: i64,
}

impl Memory {
    /// A tensor that lies along loops.
    fn along(ir: &Ir, value: ValueId, loops: &[Option<usize>], n_loops: usize) -> Option<Memory> {
        let mut strides = vec![0; n_loops];
        let mut unit = 1i64;
        for (at, (&extent, &d)) in ir.shape_of(value).iter().zip(loops).enumerate().rev() {
            if let Some(d) = d {
                strides[d] = unit;
            }
            // Nothing lies outside of the first dimension.
            unit = if at == 0 { unit } else { unit.checked_mul(extent).filter(|_| extent != DYNAMIC)? };
        }
        Some(Memory { strides, bytes: bytes(ir, value) })
    }

    /// Lines that a request of a subgroup touches, about, if each lane has so many elements side by side.
    fn lines(&self, tile: &Tile, elements: i64) -> f64 {
        let distance = |&d: &usize| self.strides[d] * tile.thread[d] * self.bytes;
        let mut levels: Vec<(i64, i64)> = (0..self.strides.len())
            .map(|d| (distance(&d), tile.lane[d]))
            .filter(|level| level.0 * (level.1 - 1) > 0)
            .collect();
        levels.sort_unstable();
        let of_run = |bytes: i64| 1.0 + (bytes - 1) as f64 / LINE_BYTES as f64;
        let mut run = elements * self.bytes;
        let mut lines = 1.0f64;
        for (distance, lanes) in levels {
            run += (lanes - 1) * distance;
            lines = (lines * lanes as f64).min(of_run(run));
        }
        lines
    }
}

/// What the threads of a workgroup have.
struct Tile {
    subgroup: Vec<i64>,
    lane: Vec<i64>,
    thread: Vec<i64>,
    /// The loop that a thread goes along several times, and how often: one that shares the weights.
    again: (Option<usize>, i64),
    /// The same of one that shares the elements of windows.
    filters: (Option<usize>, i64),
}

/// A sum over windows.
struct Windows<'a> {
    extents: &'a [i64],
    reduction: &'a [bool],
    /// Along rows of memory.
    columns: Side,
    /// Along the dimension around these.
    rows: Option<Side>,
    /// The tensor that is gone through, how long its rows are, the weights, and results that are written.
    source: Memory,
    row: i64,
    weights: Memory,
    results: Vec<Memory>,
    /// Loops that lanes and subgroups share besides, in the order in which they follow in memory.
    others: Vec<usize>,
    /// How many images each sum goes through, as those of a group of channels.
    planes: i64,
    /// One of them along which weights are the same, and one along which windows are.
    again: Option<usize>,
    filters: Option<usize>,
    lanes: i64,
    processors: i64,
}

/// The configuration of a sum over windows that are side by side in memory.
pub(crate) fn config(
    ir: &Ir,
    op: OpId,
    linalg: &Linalg,
    group: Option<&Group>,
    extents: &[i64],
    facts: &Facts,
) -> Option<Config> {
    if facts.chip.native.is_some() || !body::is_contraction(ir, op) {
        return None;
    }
    let known: Vec<i64> = extents.iter().map(|&extent| if extent == LONG { OPEN } else { extent }).collect();
    let open: Vec<usize> = (0..extents.len()).filter(|&d| extents[d] == LONG).collect();
    let extents = &known[..];
    let all = Windows::of(ir, linalg, group, extents, &open, facts)?;
    // Whole images, of which others of the group need the mean, may be a tile. Of whole channels, others choose one.
    let is_whole = |d: usize| group.is_some_and(|group| !group.dims[group.members[group.root].dims[d]].shared);
    let whole: Vec<usize> = (0..extents.len()).filter(|&d| !linalg.reduction[d] && is_whole(d)).collect();
    if whole.iter().any(|d| all.others.contains(d)) {
        return None;
    }
    let is_tile = |tile: &Tile| whole.iter().all(|&d| all.rounds(tile, d) == 1);
    let tiles = all.tiles().into_iter().filter(is_tile);
    let tile = tiles.min_by(|a, b| all.clocks(a).total_cmp(&all.clocks(b)))?;
    let rank = extents.len();
    let mut config = Config {
        workgroup: (0..rank).map(|d| if linalg.reduction[d] { 0 } else { tile.size(d) }).collect(),
        partial_reduction: (0..rank).map(|d| if linalg.reduction[d] { extents[d] } else { 0 }).collect(),
        ..Config::default()
    };
    (config.subgroup, config.lane, config.thread) = (tile.subgroup, tile.lane, tile.thread);
    Some(config)
}

impl Tile {
    /// Elements of a workgroup along a loop.
    fn size(&self, d: usize) -> i64 {
        let often = [self.again, self.filters].into_iter().filter(|at| at.0 == Some(d)).map(|at| at.1).product::<i64>();
        self.subgroup[d] * self.lane[d] * self.thread[d] * often
    }
}

impl<'a> Windows<'a> {
    fn of(
        ir: &Ir,
        linalg: &'a Linalg,
        group: Option<&Group>,
        extents: &'a [i64],
        open: &[usize],
        facts: &Facts,
    ) -> Option<Windows<'a>> {
        let rank = extents.len();
        let at = |place: &raddle_ir::Expr, d: Option<usize>| {
            place.eval(&(0..rank).map(|e| i64::from(Some(e) == d)).collect::<Vec<_>>(), &[])
        };
        let step = |place: &raddle_ir::Expr, d: usize| Some(at(place, Some(d))? - at(place, None)?);
        let side = |place: &raddle_ir::Expr| {
            let named: Vec<usize> = (0..rank).filter(|&d| place.names(&|e| e == d)).collect();
            let &[a, b] = &named[..] else { return None };
            let (kept, reduced) = if linalg.reduction[a] { (b, a) } else { (a, b) };
            let is_one = linalg.reduction[reduced] && !linalg.reduction[kept];
            let (step, dilation) = (step(place, kept)?, step(place, reduced)?);
            is_one.then_some(Side { kept, reduced, step, dilation, first: at(place, None)? })
        };
        let (input, (places, shape), columns) = (0..linalg.inputs.len()).find_map(|input| {
            let source = windows::source(ir, linalg, input)?;
            let columns = side(source.0.last()?)?;
            Some((input, source, columns))
        })?;
        let other = (0..linalg.inputs.len()).find(|&other| other != input)?;
        let rows = places.len().checked_sub(2).and_then(|d| side(&places[d]));
        let reduced = (0..rank).filter(|&d| linalg.reduction[d]);
        let points = reduced.clone().try_fold(1i64, |n, d| n.checked_mul(extents[d]))?;
        let is_side = |d: usize| [Some(&columns), rows.as_ref()].into_iter().flatten().any(|side| side.reduced == d);
        // Only the run may know how many images there are.
        let names = |place: &raddle_ir::Expr, d: usize| place.names(&|e| e == d);
        let is_image = |&d: &usize| {
            !linalg.reduction[d] && names(&places[0], d) && !places[1..].iter().any(|place| names(place, d))
        };
        let is_known = open.iter().all(is_image) && !shape[1..].contains(&DYNAMIC);
        // Windows that have nothing in common are not a reason for another tile.
        let planes = reduced.clone().filter(|&d| !is_side(d)).map(|d| extents[d]).product();
        if !(2..=WINDOW_MAX).contains(&points) || !is_known || columns.step >= extents[columns.reduced] {
            return None;
        }
        let mut strides = vec![0; rank];
        let mut unit = 1i64;
        for (at, place) in places.iter().enumerate().rev() {
            for d in (0..rank).filter(|&d| place.names(&|e| e == d)) {
                strides[d] += step(place, d)?.checked_mul(unit)?;
            }
            unit = if at == 0 { unit } else { unit.checked_mul(shape[at])? };
        }
        let source = Memory { strides, bytes: bytes(ir, linalg.inputs[input]) };
        let own = |map: &raddle_ir::Map| -> Option<Vec<Option<usize>>> {
            Some(map.as_dims()?.into_iter().map(Some).collect())
        };
        let weights = Memory::along(ir, linalg.inputs[other], &own(&linalg.maps[other])?, rank)?;
        let mut results = Vec::new();
        match group {
            None => {
                let output = linalg.inputs.len();
                results.push(Memory::along(ir, linalg.outputs[0], &own(&linalg.maps[output])?, rank)?);
            }
            Some(group) => {
                let root = &group.members[group.root].dims;
                let members: Vec<OpId> = group.members.iter().map(|member| member.op).collect();
                for member in &group.members {
                    for (i, value) in ir.results(member.op).enumerate() {
                        if ir.uses(value).any(|(user, _)| !members.contains(&user)) {
                            let map = &member.linalg.maps[member.linalg.inputs.len() + i];
                            let place = |d: usize| root.iter().position(|&dim| dim == member.dims[d]);
                            let loops: Vec<Option<usize>> = map.as_dims()?.into_iter().map(place).collect();
                            results.push(Memory::along(ir, value, &loops, rank)?);
                        }
                    }
                }
            }
        }
        let kept = [Some(columns.kept), rows.as_ref().map(|rows| rows.kept)];
        let mut others: Vec<usize> =
            (0..rank).filter(|&d| !linalg.reduction[d] && !kept.contains(&Some(d)) && extents[d] > 1).collect();
        sort_by_key(&mut others, |&d| source.strides[d]);
        let again = others.iter().copied().find(|&d| weights.strides[d] == 0 && !open.contains(&d));
        let filters = others.iter().copied().find(|&d| source.strides[d] == 0);
        Some(Windows {
            extents,
            reduction: &linalg.reduction,
            row: *shape.last()?,
            columns,
            rows,
            source,
            weights,
            results,
            others,
            planes,
            again,
            filters,
            lanes: i64::from(facts.chip.subgroup_size),
            processors: facts.chip.processors.map_or(PROCESSORS, |processors| i64::from(processors.count)),
        })
    }

    /// Tiles to choose from.
    fn tiles(&self) -> Vec<Tile> {
        let powers = |limit: i64| (0..62).map(|bit| 1i64 << bit).take_while(move |&n| n <= limit);
        // No more than it takes to have all.
        let fits = |d: Option<usize>, n: i64| n == 1 || d.is_some_and(|d| n / 2 < self.extents[d]);
        // Elements of a thread and lanes.
        let pairs = |threads: &[i64], lanes: i64, d: Option<usize>| -> Vec<(i64, i64)> {
            let all = threads.iter().flat_map(|&thread| powers(lanes).map(move |lanes| (thread, lanes)));
            all.filter(|(thread, lanes)| fits(d, thread * lanes)).collect()
        };
        let mut tiles = Vec::new();
        for of_columns in pairs(&COLUMNS, self.lanes, Some(self.columns.kept)) {
            let row = self.rows.as_ref().map(|rows| rows.kept);
            for of_rows in pairs(&ROWS, self.lanes / of_columns.1, row) {
                for again in AGAIN.into_iter().filter(|&n| fits(self.again, n)) {
                    for filters in AGAIN.into_iter().filter(|&n| fits(self.filters, n)) {
                        let often = [again, filters];
                        tiles.extend(SUBGROUPS.into_iter().filter_map(|n| self.tile(of_columns, of_rows, often, n)));
                    }
                }
            }
        }
        tiles
    }

    fn tile(
        &self,
        of_columns: (i64, i64),
        of_rows: (i64, i64),
        [again, filters]: [i64; 2],
        subgroups: i64,
    ) -> Option<Tile> {
        let ones = || vec![1; self.extents.len()];
        let mut tile = Tile {
            subgroup: ones(),
            lane: ones(),
            thread: ones(),
            again: (self.again, again),
            filters: (self.filters, filters),
        };
        (tile.thread[self.columns.kept], tile.lane[self.columns.kept]) = of_columns;
        let mut left = self.lanes / of_columns.1;
        if let Some(rows) = &self.rows {
            (tile.thread[rows.kept], tile.lane[rows.kept]) = of_rows;
            left /= of_rows.1;
        }
        for &d in &self.others {
            tile.lane[d] = share(self.rounds(&tile, d), left);
            left /= tile.lane[d];
        }
        let mut left = subgroups;
        let rows = self.rows.as_ref().map(|rows| rows.kept);
        for d in std::iter::once(self.columns.kept).chain(rows).chain(self.others.iter().copied()) {
            tile.subgroup[d] = share(self.rounds(&tile, d), left);
            left /= tile.subgroup[d];
        }
        let products = self.sums(&tile) * self.window();
        (products <= PRODUCTS_MAX && self.registers(&tile) <= REGISTERS_MAX).then_some(tile)
    }

    /// How many workgroups there are along a loop.
    fn rounds(&self, tile: &Tile, d: usize) -> i64 {
        (self.extents[d] - 1) / tile.size(d) + 1
    }

    /// Elements of a window.
    fn window(&self) -> i64 {
        (0..self.extents.len()).filter(|&d| self.reduction[d]).map(|d| self.extents[d]).product()
    }

    /// Results of a thread.
    fn sums(&self, tile: &Tile) -> i64 {
        tile.thread.iter().product::<i64>() * tile.again.1 * tile.filters.1
    }

    /// Rows and columns that a thread reads.
    fn reach(&self, tile: &Tile) -> [i64; 2] {
        let reach = |side: &Side| side.reach(tile.thread[side.kept], self.extents);
        [self.rows.as_ref().map_or(1, reach), reach(&self.columns)]
    }

    fn registers(&self, tile: &Tile) -> i64 {
        let [rows, columns] = self.reach(tile);
        OTHER_REGISTERS + self.sums(tile) + self.planes * rows * columns * self.source.bytes.min(4) / 4
    }

    /// Accesses to a row, which begins at multiples of as many elements as lanes and rows are apart, but for what stands in
    /// front of the first window.
    fn accesses(&self, tile: &Tile) -> Vec<i64> {
        let widest = power_of_two(self.row, ACCESS_BITS / 8 / self.source.bytes);
        let widest = power_of_two(tile.thread[self.columns.kept] * self.columns.step, widest);
        let (mut at, mut widths) = (self.columns.first, Vec::new());
        let end = at + self.reach(tile)[1];
        while at < end {
            let mut width = widest;
            while width > 1 && (at.rem_euclid(width) != 0 || at + width > end) {
                width /= 2;
            }
            widths.push(width);
            at += width;
        }
        widths
    }

    /// Clocks of the processor with the most workgroups.
    fn clocks(&self, tile: &Tile) -> f64 {
        let [rows, columns] = self.reach(tile);
        let (mut requests, mut lines) = (0, 0.0);
        let mut ask = |n: i64, of: f64| {
            requests += n;
            lines += n as f64 * of;
        };
        for width in self.accesses(tile) {
            ask(self.planes * rows * tile.again.1, self.source.lines(tile, width));
        }
        ask(self.window() * tile.filters.1, self.weights.lines(tile, 1));
        for result in &self.results {
            let c = self.columns.kept;
            let width = if result.strides[c] == 1 { power_of_two(self.extents[c], tile.thread[c]) } else { 1 };
            ask(self.sums(tile) / width, result.lines(tile, width));
        }
        let sums = self.sums(tile);
        let instructions = sums * (self.window() + OF_RESULT)
            + self.planes * rows * columns * tile.again.1
            + self.window() * tile.filters.1
            + requests * OF_ACCESS
            + OTHER_INSTRUCTIONS;
        let subgroups: i64 = tile.subgroup.iter().product();
        let together =
            [instructions as f64 * INSTRUCTION_CLOCKS, lines * LINE_CLOCKS, requests as f64 * REQUEST_CLOCKS];
        let one = subgroups as f64 * together.iter().map(|clocks| clocks.powi(4)).sum::<f64>().sqrt().sqrt();
        let parallel = (0..self.extents.len()).filter(|&d| !self.reduction[d]);
        let workgroups = parallel.fold(1i64, |n, d| n.saturating_mul(self.rounds(tile, d)));
        let busiest = (workgroups - 1) / self.processors + 1;
        let threads = subgroups * self.lanes;
        let held = (REGISTERS / (self.registers(tile) * threads)).min(THREADS / threads).max(1);
        busiest as f64 * one + ((busiest - 1) / held + 1) as f64 * ROUND_CLOCKS
    }
}
