//! Tiles of a CPU: one thread has the whole workgroup, and vectors along the dimension that is contiguous in memory.
//!
//! A product of matrices has a tile of C in registers, as many rows and vectors as leave room for one row of B and one
//! element of A. Everything else has a few vectors at a time, and so have reductions.

use raddle_ir::views::{Linalg, TileRegister};
use raddle_ir::{Class, Expr, Ir, Map, OpId, Scalar, ValueId};
use raddle_layout::sort::sort_by_key;
use raddle_target::{Dot, NativeVectors, has_vector_form};

use super::bundle;
use super::group::{ELEMENTS_MAX, Group};
use crate::config::Config;
use crate::structured::taken::{self, Along};
use crate::structured::{body, windows};

/// Bytes of a line of the caches.
const LINE: i64 = 64;
/// Vectors that an elementwise operation has at once, at most.
const VECTORS_MAX: i64 = 4;
/// Of how many registers one has nothing of C and B: it is for elements of A, constants, and what is moved on the way.
const SPARE: i64 = 8;
/// Rows that are few beside rows that they are multiplied by, and how long rows are where they are more than a few.
const FEW_ROWS: i64 = 16;
const ROWS_ANYWAY: i64 = 4;
const LONG_ROWS: i64 = 64;
/// Rows that are multiplied by rows at once, of the many, at most.
const ROWS_AT_ONCE: i64 = 4;
/// Steps of k that are written out, at most.
const K_STEPS_MAX: i64 = 4;
/// How far apart neighbours may lie for vectors of them: of two vectors in memory, every other element is taken.
const NEAR: i64 = 2;
/// A short loop over a window, which is written out as a whole.
const WINDOW_MAX: i64 = 8;
/// Words of k in a step, of products that the machine adds by words, how many k has at least, and the rows that are worth
/// making words.
const WORDS: i64 = 4;
const WORDS_MIN: i64 = 2;
pub(crate) const ROWS_OF_WORDS: i64 = 3;
/// Rows that are worth a tile register.
pub(crate) const ROWS_OF_TILES: i64 = 6;

/// The configuration of an operation on a CPU, and of the group that it is the root of.
pub fn config(
    ir: &Ir,
    op: OpId,
    linalg: &Linalg,
    group: Option<&Group>,
    extents: &[i64],
    vectors: NativeVectors,
) -> Config {
    let rank = extents.len();
    let mut config = Config { workgroup: vec![1; rank], ..Config::default() };
    (config.subgroup, config.lane, config.thread) = (vec![1; rank], vec![1; rank], vec![1; rank]);
    let is_product = body::is_contraction(ir, op);
    let elem = |&value: &ValueId| Scalar::of(&ir[ir.elem_of(value)]);
    let types: Option<Vec<Scalar>> = linalg.inputs.iter().chain(&linalg.outputs).map(elem).collect();
    let dot = types.and_then(|types| vectors.dot_of(types.try_into().ok()?));
    // Windows are packed where words are made of them, so that no vector of narrow elements is masked in the loop.
    let is_window = |&input: &ValueId| ir.def_op(input).is_some_and(|op| windows::is_window(ir, op));
    let goes_by_rows = is_product && !(dot.is_some() && linalg.inputs.iter().any(is_window));
    // Tile registers multiply some rows in the time of one.
    let takes_tiles = |rows: &[Vec<usize>; 2]| {
        let few = rows[0].iter().map(|&d| extents[d]).fold(1, i64::saturating_mul);
        dot.is_some_and(|dot| vectors.has_tiles_for(dot)) && few >= ROWS_OF_TILES
    };
    let rows = goes_by_rows.then(|| rows_of_dots(ir, linalg, extents)).flatten();
    if let Some(rows) = rows.filter(|rows| !takes_tiles(rows)) {
        products_of_rows(ir, linalg, extents, vectors, &rows, dot.filter(|dot| *dot != Dot::Bf16), &mut config);
    } else if is_product {
        contraction(ir, linalg, extents, vectors, dot, &mut config);
    } else {
        generic(ir, op, linalg, group, extents, vectors, &mut config);
    }
    for d in 0..rank {
        config.workgroup[d] = if linalg.reduction[d] { 0 } else { config.thread[d] };
    }
    config
}

/// The configuration of a scan whose lines lie beside each other in memory: a few vectors of neighbours, and one step after
/// the other.
pub(super) fn of_scan(linalg: &Linalg, extents: &[i64], vectors: NativeVectors) -> Option<Config> {
    let rank = extents.len();
    let last = extents.iter().rposition(|&extent| extent != 1).filter(|&d| !linalg.reduction[d])?;
    let mut config = Config { workgroup: vec![1; rank], ..Config::default() };
    (config.subgroup, config.lane, config.thread) = (vec![1; rank], vec![1; rank], vec![1; rank]);
    config.thread[last] = whole_vectors(extents[last], vectors.lanes, VECTORS_MAX);
    config.workgroup = (0..rank).map(|d| if linalg.reduction[d] { 0 } else { config.thread[d] }).collect();
    config.reduction = linalg.reduction.iter().map(|&reduces| i64::from(reduces)).collect();
    Some(config)
}

/// The loops along the rows of the factors of a product, if both lie along the sum and one of them has few rows, or one:
/// each row of the other one is read once, as by any reduction, and has no use for packing. The few come first.
fn rows_of_dots(ir: &Ir, linalg: &Linalg, extents: &[i64]) -> Option<[Vec<usize>; 2]> {
    let dims: Vec<Vec<usize>> = linalg.maps.iter().map(|map| map.as_dims().unwrap_or_default()).collect();
    let of_one_only = |a: usize, b: usize| -> Vec<usize> {
        let own = |d: &usize| extents[*d] > 1 && dims[2].contains(d) && !dims[b].contains(d);
        dims[a].iter().copied().filter(own).collect()
    };
    let sums = |operand: usize| {
        let along = windows::loops_along(ir, linalg, operand).unwrap_or_default();
        along.iter().rfind(|&&d| extents[d] > 1).or(along.last()).is_some_and(|&d| linalg.reduction[d])
    };
    let mut rows = [of_one_only(0, 1), of_one_only(1, 0)];
    let count = |loops: &Vec<usize>| loops.iter().map(|&d| extents[d]).fold(1, i64::saturating_mul);
    sort_by_key(&mut rows, count);
    let k = linalg.reduction.iter().rposition(|&reduces| reduces)?;
    let most = if extents[k] >= LONG_ROWS { FEW_ROWS } else { ROWS_ANYWAY };
    // One row of each is a sum like any other, if it is long enough for a vector.
    let is_worth = !rows[1].is_empty() || extents[k] >= LONG_ROWS;
    (sums(0) && sums(1) && is_worth && count(&rows[0]) <= most).then_some(rows)
}

/// Elements of a tile along a dimension: all of it if it is short, unless what whole vectors leave is many small ones;
/// else whole vectors.
fn whole_vectors(extent: i64, lanes: i64, most: i64) -> i64 {
    let vectors = (extent - 1) / lanes + 1;
    let is_even = vectors <= most && (extent % lanes).count_ones() <= 1;
    if extent < lanes || is_even { extent } else { lanes * bundle(vectors, most) }
}

fn contraction(
    ir: &Ir,
    linalg: &Linalg,
    extents: &[i64],
    vectors: NativeVectors,
    dot: Option<Dot>,
    config: &mut Config,
) {
    let rank = extents.len();
    config.reduction = vec![0; rank];
    let roles = body::contraction_loops(&linalg.maps);
    let long = |loops: &[usize]| loops.iter().rfind(|&&d| extents[d] > 1).or(loops.last()).copied();
    let sides = roles.as_ref().map_or([&[][..]; 2], |roles| [&roles.m[..], &roles.n[..]]);
    let alone = (sides[0].is_empty() != sides[1].is_empty()).then(|| usize::from(sides[0].is_empty()));
    // Vectors lie along the last dimension of the result that has elements for one; along a batch only where elements of
    // both factors do as well.
    let is_on_side = |d: usize| sides.iter().any(|side| side.contains(&d));
    let dims = linalg.maps[2].as_dims().unwrap_or_else(|| (0..rank).filter(|&d| !linalg.reduction[d]).collect());
    let lies_along = |d: usize| {
        let mut factors = (0..2).map(|operand| windows::loops_along(ir, linalg, operand).unwrap_or_default());
        factors.all(|along| long(&along) == Some(d))
    };
    let n = long(&dims).filter(|&d| is_on_side(d) || alone.is_some() || lies_along(d));
    let n = n.or_else(|| long(&dims.iter().copied().filter(|&d| is_on_side(d)).collect::<Vec<_>>())).or(long(&dims));
    // The factors may stand in any order: the other side is that which the last loop is not on.
    let other_side = sides.iter().find(|side| !side.iter().any(|&d| Some(d) == n));
    let m = match alone {
        Some(side) => long(&sides[side].iter().copied().filter(|&d| Some(d) != n).collect::<Vec<_>>()),
        None => other_side.and_then(|side| long(side)),
    };
    // The loops through the windows of neighbours along m, and along the vectors.
    let window_about = |d: Option<usize>| alone.zip(d).and_then(|(side, d)| windows::window_about(ir, linalg, side, d));
    let (window, in_vectors) = (window_about(m), window_about(n));
    // Where factors are not packed, tiles beyond the edges are masked in the inner loop, and the right one comes from
    // the second cache, at distances.
    let rows_of_words = |side: &&[usize]| side.iter().map(|&d| extents[d]).fold(1, i64::saturating_mul);
    let rows_of_words = other_side.map_or(0, rows_of_words);
    // Where vectors lie along a loop of both factors, as along a batch, no row meets several columns.
    let dot = dot.filter(|_| n.is_some_and(is_on_side) && rows_of_words >= ROWS_OF_WORDS);
    let along_words = dot.and_then(|dot| {
        let k = loop_of_words(linalg, extents, WORDS_MIN * dot.parts())?;
        let in_tiles = vectors.has_tiles_for(dot) && rows_of_words >= ROWS_OF_TILES;
        let most = if in_tiles { TileRegister::MAX } else { WORDS };
        let words = evenly(extents[k], most * dot.parts(), dot.parts());
        Some((k, words, in_tiles))
    });
    let packed = along_words.is_some() || linalg.reduction.iter().filter(|&&reduces| reduces).count() == 1;
    let rows_max = m.map_or(1, |m| extents[m]);
    // A factor without loops of its own, as of a depthwise convolution, leaves nothing of the other one to use again but
    // what neighbouring windows share.
    let shared = window.map(|d| extents[d]).filter(|&window| !packed && window <= WINDOW_MAX);
    let in_tiles = along_words.is_some_and(|(.., in_tiles)| in_tiles);
    let (rows, width) = match (n, shared) {
        (Some(n), _) if in_tiles => register_tile([rows_max, extents[n]]),
        (Some(n), Some(window)) => window_tile([rows_max, extents[n]], window, vectors),
        (Some(n), None) => product_tile([rows_max, extents[n]], packed, vectors),
        (None, _) => (rows_max.min(1), 1),
    };
    for (d, elements) in m.into_iter().zip([rows]).chain(n.into_iter().zip([width])) {
        config.thread[d] = elements;
    }
    let mut sums: Vec<usize> = (0..rank).filter(|&d| linalg.reduction[d]).collect();
    if let Some((k, words, _)) = along_words {
        sums.iter().for_each(|&d| config.reduction[d] = if d == k { words } else { 1 });
        return;
    }
    let mut steps = K_STEPS_MAX;
    // What rows share of windows is read once where the loop through these is written out.
    sort_by_key(&mut sums, |&d| (Some(d) != window, std::cmp::Reverse(d)));
    for &d in &sums {
        // Of several loops no step goes beyond an end, where each read would be asked for.
        config.reduction[d] = match extents[d] {
            // Elements of a window that vectors go through come with each vector.
            _ if Some(d) == in_vectors => 1,
            extent if sums.len() == 1 => bundle(extent, steps),
            extent if steps > 1 && extent <= WINDOW_MAX => extent,
            extent => (1..=steps).rev().find(|step| extent % step == 0).unwrap_or(1),
        };
        steps = (steps / config.reduction[d]).max(1);
    }
}

/// The loop over sums along which some elements of both factors become words: the last one that is long enough and goes
/// through no windows.
fn loop_of_words(linalg: &Linalg, extents: &[i64], words: i64) -> Option<usize> {
    let has = |map: &Map, d: usize| map.results.contains(&Expr::Dim(d as u32));
    let is_it = |&d: &usize| {
        linalg.reduction[d] && extents[d] >= words && linalg.maps[..linalg.inputs.len()].iter().all(|map| has(map, d))
    };
    (0..extents.len()).rev().find(is_it)
}

/// The rows and the columns of a tile of a product, of as many rows and columns as there are: those of the least accesses
/// for each product, with what lies beyond the edges; of equals, the widest, or, of few rows, which read the right factor
/// where it lies, that which reads it least often.
fn product_tile([rows_max, n]: [i64; 2], packed: bool, vectors: NativeVectors) -> (i64, i64) {
    let columns_max = ((n - 1) / vectors.lanes + 1).min(VECTORS_MAX);
    let registers = vectors.registers - vectors.registers / SPARE;
    let fits = |&(rows, columns): &(i64, i64)| rows * columns + columns <= registers && rows <= rows_max;
    let cost = |&(rows, columns): &(i64, i64)| {
        let whole = rows_max % rows == 0 && n % (columns * vectors.lanes) == 0;
        let masks = if whole || packed { 1 } else { 2 };
        let points = masks * tiled(rows_max, rows) * tiled(n, columns * vectors.lanes);
        let accesses = rows + if packed { columns } else { 3 * columns };
        let first = if rows_max <= FEW_ROWS { -rows } else { -columns };
        (points * i128::from(accesses) * 1000 / i128::from(rows * columns), first)
    };
    let (rows, columns) = tiles(columns_max).filter(fits).min_by_key(cost).unwrap_or((1, 1));
    (rows, if columns_max == 1 { n.min(vectors.lanes) } else { columns * vectors.lanes })
}

/// The same in tile registers, whose last ones may have fewer rows: one has a factor's rows, or several, and one or several
/// have sums.
fn register_tile([rows_max, n]: [i64; 2]) -> (i64, i64) {
    let size = TileRegister::MAX;
    let tile = |&(rows, columns): &(i64, i64)| (evenly(rows_max, rows * size, 1), columns * size);
    let cost = |shape: &(i64, i64)| {
        let ((rows, columns), (height, width)) = (*shape, tile(shape));
        let points = tiled(rows_max, height) * tiled(n, width);
        (points * i128::from(rows + columns) * 1000 / i128::from(rows * columns), -columns)
    };
    // Of eight registers, some have sums, one has columns, and the others have rows.
    let known = [(2, 2), (1, 4), (3, 1), (1, 3), (1, 2), (2, 1), (1, 1)];
    tile(&known.into_iter().min_by_key(cost).expect("there are some"))
}

/// An extent in parts of at most so many elements, which are multiples of a number.
fn evenly(extent: i64, most: i64, of: i64) -> i64 {
    let parts = (extent - 1) / most + 1;
    ((extent - 1) / parts / of + 1) * of
}

/// The same where windows of neighbouring rows share rows, which stay in registers for them. Windows are masked where
/// images are padded, so that the ends of columns cost little beside.
fn window_tile([rows_max, n]: [i64; 2], window: i64, vectors: NativeVectors) -> (i64, i64) {
    let columns_max = ((n - 1) / vectors.lanes + 1).min(VECTORS_MAX);
    let registers = vectors.registers - vectors.registers / SPARE;
    let fits = |&(rows, columns): &(i64, i64)| (2 * rows + window) * columns <= registers && rows <= rows_max;
    let cost = |&(rows, columns): &(i64, i64)| {
        let masks = if rows_max % rows == 0 { 1 } else { 2 };
        let points = masks * tiled(rows_max, rows) * tiled(n, columns * vectors.lanes);
        let accesses = rows + 2 * window - 1;
        (points * i128::from(accesses) * 1000 / i128::from(rows * window), -columns)
    };
    let (rows, columns) = tiles(columns_max).filter(fits).min_by_key(cost).unwrap_or((1, 1));
    // One vector with masks is less than several small ones.
    let single = || vectors.lanes.min((n as u64).next_power_of_two() as i64);
    (rows, if columns_max == 1 { single() } else { columns * vectors.lanes })
}

/// Rows and vectors that a tile may have.
fn tiles(columns_max: i64) -> impl Iterator<Item = (i64, i64)> {
    (1..=columns_max).flat_map(|columns| (1..=14).map(move |rows| (rows, columns)))
}

/// Elements of as many tiles as an extent needs.
fn tiled(extent: i64, tile: i64) -> i128 {
    i128::from((extent - 1) / tile + 1) * i128::from(tile)
}

/// How an operand lies in memory.
struct Lines {
    /// The loops in the order in which they go through it.
    loops: Vec<usize>,
    /// Those along which neighbours lie side by side, or nearly so, as places and their windows do.
    near: Vec<usize>,
}

/// How each operand lies in memory, by the loops of a root: its own, or those of all operations of its group that come from
/// memory or go there. Those with most elements come first: a column beside a matrix is an element for each row. Of a body
/// that reads elements at places that it computes, the first operand does, which may count these.
fn in_memory(ir: &Ir, op: OpId, linalg: &Linalg, group: Option<&Group>, extents: &[i64]) -> Vec<Lines> {
    let lines = |linalg: &Linalg, operand: usize, of_root: &dyn Fn(usize) -> Option<usize>| {
        let loops = windows::loops_along(ir, linalg, operand)?.into_iter().map(of_root).collect::<Option<_>>()?;
        let near = windows::near_loops(ir, linalg, operand, NEAR).into_iter().filter_map(of_root).collect();
        Some(Lines { loops, near })
    };
    let mut all: Vec<Lines> = Vec::new();
    let computes_places = !taken::reads(ir, op, linalg).is_empty();
    match group.filter(|_| !computes_places) {
        None => all.extend((0..linalg.maps.len()).filter_map(|operand| lines(linalg, operand, &Some))),
        Some(group) => {
            let is_inside = |op: OpId| group.members.iter().any(|member| member.op == op);
            let root = &group.members[group.root];
            for member in &group.members {
                let n_inputs = member.linalg.inputs.len();
                let stays = |operand: usize| match member.linalg.inputs.get(operand) {
                    Some(&input) => ir.def_op(input).is_some_and(is_inside),
                    None => {
                        let result = ir.results(member.op).nth(operand - n_inputs);
                        result.is_none_or(|result| ir.uses(result).all(|(user, _)| is_inside(user)))
                    }
                };
                let of_root = |d: usize| root.dims.iter().position(|dim| *dim == member.dims[d]);
                let in_memory = (0..member.linalg.maps.len()).filter(|&operand| !stays(operand));
                all.extend(in_memory.filter_map(|operand| lines(&member.linalg, operand, &of_root)));
            }
        }
    }
    let n_along = |lines: &Lines| lines.loops.iter().map(|&d| extents[d].max(1)).fold(1, i64::saturating_mul);
    if !computes_places {
        sort_by_key(&mut all, |lines| std::cmp::Reverse(n_along(lines)));
    }
    all
}

fn generic(
    ir: &Ir,
    op: OpId,
    linalg: &Linalg,
    group: Option<&Group>,
    extents: &[i64],
    vectors: NativeVectors,
    config: &mut Config,
) {
    let rank = extents.len();
    if rank == 0 {
        return;
    }
    let in_memory = in_memory(ir, op, linalg, group, extents);
    // Fewer places than a vector has elements are rather taken with their windows, as tiles of both.
    let is_near = |lines: &Lines, d: usize| lines.near.contains(&d) && extents[d] >= vectors.lanes;
    // A loop of one iteration goes nowhere.
    let last = |lines: &Lines| {
        let is_long = |&d: &usize| extents[d] != 1;
        let near = lines.loops.iter().copied().filter(|&d| is_near(lines, d)).max_by_key(|&d| extents[d]);
        near.or_else(|| lines.loops.iter().copied().rfind(is_long)).or(lines.loops.last().copied())
    };
    let contiguous = in_memory.iter().find_map(last).unwrap_or(rank - 1);
    if let Some((m, window)) = pooling(ir, linalg, extents, contiguous, vectors) {
        let (rows, width) = window_tile([extents[m], extents[contiguous]], extents[window], vectors);
        (config.thread[m], config.thread[contiguous]) = (rows, width);
        let step = |d: usize| i64::from(linalg.reduction[d]);
        config.reduction = (0..rank).map(step).collect();
        return;
    }
    if let Some((m, window)) = places_of_channels(ir, linalg, extents, contiguous)
        && let (rows, width) = window_tile([extents[m], extents[contiguous]], extents[window], vectors)
        && extents[m] % rows == 0
        && extents[contiguous] % width == 0
    {
        (config.thread[m], config.thread[contiguous]) = (rows, width);
        let step = |d: usize| if d == window { extents[d] } else { i64::from(linalg.reduction[d]) };
        config.reduction = (0..rank).map(step).collect();
        return;
    }
    config.thread[contiguous] = whole_vectors(extents[contiguous], vectors.lanes, VECTORS_MAX);
    // Places that are computed along the vectors are the same for some rows: they are computed and looked at once. A mask
    // would be a branch for each element.
    if let Some(d) = rows_of_places(ir, op, linalg, contiguous) {
        let mut whole = (1..=VECTORS_MAX).rev().map(|n| n * vectors.lanes);
        let whole = whole.find(|width| extents[contiguous] % width == 0);
        config.thread[contiguous] = whole.unwrap_or(config.thread[contiguous]);
        let held = ELEMENTS_MAX.max(vectors.lanes * vectors.lanes) / config.thread[contiguous];
        config.thread[d] = (1..=ROWS_AT_ONCE.min(held)).rev().find(|rows| extents[d] % rows == 0).unwrap_or(1);
    }
    // A transposition: whole vectors of both, so that no line of memory is touched for one element. Functions that go
    // element by element would be written out too often.
    let computes = |&op: &OpId| ir.class(op) == Class::Elementwise && !has_vector_form(ir, op);
    let lies_across = |lines: &&Lines| lines.loops.contains(&contiguous) && !is_near(lines, contiguous);
    let mut others = in_memory.iter().filter(lies_across).filter_map(last);
    let reduces = |d: usize| linalg.reduction[d];
    // What a reduction goes along in steps may be one of both.
    let in_steps = group.is_some_and(|group| group.steps || group.passes.is_some());
    if let Some(other) = others.find(|&d| d != contiguous && (!reduces(d) || in_steps))
        && (!reduces(contiguous) || in_steps && !reduces(other))
        && !ir.walk(op).iter().any(computes)
    {
        for d in [contiguous, other] {
            config.thread[d] = extents[d].min(vectors.lanes);
        }
        // What is only moved fills registers of the result, and comes by lines that few tiles share.
        let elem = linalg.outputs.first().and_then(|&value| Scalar::of(&ir[ir.elem_of(value)]));
        let only_moves = ir.body(op, 0).is_some_and(|body| ir.block_ops(body).count() == 1);
        let reduces_none = !reduces(contiguous) && !reduces(other);
        let only_moves = only_moves && reduces_none;
        // Two vectors that are a line are read together: where rows lie at multiples of a page, the line is not kept until the
        // tiles behind ask for the rest of it.
        let line = 2 * vectors.lanes;
        let is_line = elem.is_some_and(|elem| elem.bytes() == 4) && 4 * line == LINE && extents[contiguous] % line == 0;
        if is_line && reduces_none && linalg.inputs.len() == 1 {
            config.thread[contiguous] = line;
        }
        let wide = elem.filter(|_| only_moves).and_then(|elem| vectors.machine().moved(elem.bytes() as i64));
        if let Some(wide) = wide.filter(|wide| extents[other] % wide == 0) {
            (config.thread[contiguous], config.thread[other]) = (extents[contiguous].min(2 * vectors.lanes), wide);
        }
    }
    config.partial_reduction = (0..rank).map(|d| if linalg.reduction[d] { config.thread[d] } else { 0 }).collect();
}

/// A loop along which all places that a body computes along the vectors are the same, and rows are counted.
fn rows_of_places(ir: &Ir, op: OpId, linalg: &Linalg, contiguous: usize) -> Option<usize> {
    let reads = taken::reads(ir, op, linalg);
    let is_computed = |read: &taken::Read| {
        let last = read.places.last().and_then(|place| place.get(&contiguous));
        last == Some(&Along::Anyhow)
    };
    if !reads.iter().any(is_computed) {
        return None;
    }
    let extents = linalg.extents(ir);
    let counts = |read: &taken::Read, d: usize| {
        let mut along = read.places.iter().filter(|place| place.contains_key(&d));
        let is_row = along.next().is_none_or(|place| place.len() == 1 && place[&d] == Along::Counting);
        is_row && along.next().is_none()
    };
    let is_row = |&d: &usize| d != contiguous && !linalg.reduction[d] && extents[d] > 1;
    (0..extents.len()).rev().filter(is_row).find(|&d| reads.iter().all(|read| counts(read, d)))
}

/// The loop through the rows of an image, and that through the rows of the windows about them, where windows go along
/// vectors, too. A large image is rather read row by row, as it lies in memory.
fn pooling(
    ir: &Ir,
    linalg: &Linalg,
    extents: &[i64],
    contiguous: usize,
    vectors: NativeVectors,
) -> Option<(usize, usize)> {
    let image = (0..linalg.inputs.len()).find(|&input| windows::has_windows_in_rows(ir, linalg, input))?;
    let whole = ir.operand(ir.def_op(linalg.inputs[image])?, 0);
    let bytes = Scalar::of(&ir[ir.elem_of(whole)])?.bytes() as i64;
    let plane = ir.shape_of(whole).iter().rev().take(2).fold(bytes, |all, &extent| all.saturating_mul(extent));
    if !(0..=vectors.cache_bytes[0]).contains(&plane) {
        return None;
    }
    let about = |d: usize| windows::window_about(ir, linalg, image, d);
    about(contiguous)?;
    let rows = (0..extents.len()).rev().filter(|&d| d != contiguous && !linalg.reduction[d]);
    rows.filter_map(|d| Some((d, about(d)?))).find(|&(d, window)| extents[d] > 1 && extents[window] <= WINDOW_MAX)
}

/// The loop through the places of an image that lie in one row of it, and that through the windows about these, where
/// vectors go along channels: neighbours share what they read.
fn places_of_channels(ir: &Ir, linalg: &Linalg, extents: &[i64], contiguous: usize) -> Option<(usize, usize)> {
    let about = |d: usize| (0..linalg.inputs.len()).find_map(|input| windows::window_about(ir, linalg, input, d));
    if linalg.reduction[contiguous] || about(contiguous).is_some() {
        return None;
    }
    let places = (0..extents.len()).rev().filter(|&d| d != contiguous && !linalg.reduction[d]);
    places.filter_map(|d| Some((d, about(d)?))).find(|&(_, window)| extents[window] <= WINDOW_MAX)
}

/// Sums of products along rows: a few rows of both factors at once, each of which is read for all of the other's.
fn products_of_rows(
    ir: &Ir,
    linalg: &Linalg,
    extents: &[i64],
    vectors: NativeVectors,
    rows: &[Vec<usize>; 2],
    dot: Option<Dot>,
    config: &mut Config,
) {
    // Half of the registers have sums, or three quarters where a vector of one side is used for several of the other.
    let [sums_max, sums_of_many] = [vectors.registers / 2, vectors.registers * 3 / 4];
    let k = linalg.reduction.iter().rposition(|&reduces| reduces).expect("a product has a sum");
    // The few stay in the first cache while the many go by, if some of them can.
    let bytes = |&value: &ValueId| Scalar::of(&ir[ir.elem_of(value)]).map_or(1, |elem| elem.bytes() as i64);
    let row_bytes = linalg.inputs.iter().map(bytes).fold(1, i64::max).saturating_mul(extents[k]);
    let few_max = vectors.registers * 5 / 16;
    let few_max = match vectors.cache_bytes[0] / row_bytes {
        stay if stay >= ROWS_ANYWAY => few_max.min(stay),
        _ => few_max,
    };
    let few = rows[0].last().map_or(1, |&d| evenly(extents[d], few_max, 1));
    let most = (sums_of_many / few).clamp(1, ROWS_AT_ONCE);
    if let Some(&d) = rows[0].last() {
        config.thread[d] = few;
    }
    if let Some(&d) = rows[1].last() {
        // No row beyond the end, if that leaves several.
        let whole = (2..=most).rev().find(|rows| extents[d] % rows == 0);
        config.thread[d] = whole.unwrap_or_else(|| bundle(extents[d], most));
    }
    let sums: i64 = config.thread.iter().product();
    // Words of 16 bits have the sums of two.
    let lanes = vectors.lanes * dot.map_or(1, |_| Dot::Shorts.parts());
    config.thread[k] = whole_vectors(extents[k], lanes, (sums_max / sums).clamp(1, VECTORS_MAX));
    let step = |d: usize| if linalg.reduction[d] { config.thread[d] } else { 0 };
    config.partial_reduction = (0..extents.len()).map(step).collect();
}
