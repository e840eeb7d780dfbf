//! Configure: choose workgroup, subgroup and thread tiles for each compute operation.
//!
//! Before: `linalg.matmul ins(…) outs(…)`
//! After:  `linalg.matmul {lowering_config = #iree_gpu.lowering_config<{mma_kind = …, workgroup = [64, 64, 0], …}>} …`
//!         and `translation_info` on the function.
//!
//! Named operations become `linalg.generic` first, but for `linalg.matmul` and what it or another operation begins with.
//!
//! A contraction whose element types a matrix instruction has gets it, and the tile that a model of the chip's processors
//! gives the least time; where there is no such model, or copies do not overlap with products, a tile of at most 64x64
//! shared by at most four subgroups. [`stream`] chooses for products with vectors and for everything but products.
//! Tiles need not divide extents: edges are masked. A configuration that the user wrote is kept as it stands, or
//! refused.
//!
//! A remark tells the tile, its estimated time, what most of that goes to, and the next best tile.

use raddle_ir::views::Linalg;
use raddle_ir::{Class, Code, DYNAMIC, Diag, Ir, Map, OpId, Opcode, Scalar, ValueId};
use raddle_layout::sort::sort_by_key;
use raddle_target::Mma;

use crate::config::{self, Config, Launch};
use crate::facts::Facts;
use crate::normalize::tile_and_fuse;
use crate::scalar_loops;
use crate::structured::generalize::make_generic;
use crate::structured::{body, in_place, scans, windows};

pub(crate) mod attention;
mod check;
pub(crate) mod cut;
pub(crate) mod depthwise;
pub(crate) mod factors;
mod few_dots;
mod few_rows;
pub(crate) mod group;
pub(crate) mod limits;
pub(crate) mod native;
mod pairs;
pub(crate) mod products;
mod scan;
pub(crate) mod stream;
pub mod tensor_core;

pub use check::{Checked, check};
pub(crate) use few_rows::{groups_of_few_rows, takes_groups_of};
use group::Group;
use products::{Estimate, Product};

/// Elements of C in one workgroup's tile, along each side, at most.
const TILE_MAX: i64 = 64;
/// The same where the chip overlaps copies with products, and tiles of this size are still enough for all its
/// processors.
const LARGE_TILE: i64 = 128;
/// Tiles that keep a large chip busy: an A100 has 108 processors.
const TILES_MIN: i64 = 108;
/// Steps of k in one tile, at most.
const K_TILE_MAX: i64 = 32;
/// Subgroups of one workgroup, at most.
const SUBGROUPS_MAX: i64 = 4;

/// Channels that sums of windows make of a few, at most, where it is not a product of matrices: fewer where there are matrix
/// instructions.
const FEW_CHANNELS: [i64; 2] = [4, 8];

/// Stands for the extent of a loop that only the run knows: long, and without divisors.
const LONG: i64 = (1 << 31) - 1;

/// Chooses a strategy for the function: a configuration of vectors for each structured operation, or scalar loops where
/// the user asks for them, or leaves the choice open and vectors cannot compute it.
pub fn configure(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    for op in ir.ops_of(ir.entry(func)) {
        config::take_compilation_info(ir, func, op)?;
    }
    config::forget_on_cpus(ir, func, facts);
    tile_and_fuse::translate(ir, func, facts)?;
    Launch::complete(ir, func, facts);
    if scalar_loops::is_chosen(ir, func) {
        return scalar_loops::choose(ir, func, None, facts);
    }
    let is_stated = scalar_loops::is_stated(ir, func);
    match choose_vectors(ir, func, facts) {
        Err(refusal) if !is_stated => scalar_loops::choose(ir, func, Some(&refusal), facts),
        done => done,
    }
}

/// Chooses a configuration for each structured operation of the function.
fn choose_vectors(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    for op in ir.ops_of(ir.entry(func)) {
        if ir.opcode(op) != Opcode::LinalgMatmul && !group::is_beginning(ir, op) {
            make_generic(ir, op);
        }
    }
    group::clone_fills(ir, ir.entry(func));
    if let Some(op) = attention::of(ir, func) {
        return attention::configure(ir, func, op, facts);
    }
    if let Some(op) = scans::of(ir, func) {
        return scan::configure(ir, func, op, facts);
    }
    let root = root(ir, func, facts)?;
    let mut group = group(ir, func, facts)?;
    let tensor_core = tensor_core::config(ir, func, root, facts)?;
    let launch = Launch::stated(ir, func)?;
    let is_stated = ir.attr(root, "lowering_config").is_some() && tensor_core.is_none();
    let is_open = launch.is_none() && tensor_core.is_none() && !is_stated;
    let few_rows = if is_open { few_rows::choose(ir, root, group.as_ref(), facts) } else { None };
    if few_rows.is_some() {
        // The product's factors have other places.
        group = self::group(ir, func, facts)?;
    }
    let estimated = match launch {
        // A workgroup that the user states is shared as it is.
        None if is_open && few_rows.is_none() => estimated(ir, root, group.as_ref(), facts),
        _ => None,
    };
    let config = if let Some(config) = tensor_core.or(few_rows).or(estimated) {
        config
    } else if is_stated {
        Config::read(ir, root)?
    } else {
        let linalg = Linalg::of(ir, root);
        let extents = lengths(ir, &linalg);
        let stated = launch.map(|launch| launch.workgroup_size / launch.subgroup_size);
        let subgroups_max = stated.map_or(LONG, |subgroups| power_of_two(subgroups, subgroups));
        let few_channels = || channels_of_windows(ir, root, &linalg, group.as_ref(), &extents, facts);
        let mut config = if let Some(vectors) = facts.chip.native {
            native::config(ir, root, &linalg, group.as_ref(), &extents, vectors)
        } else if let Some(found) = few_channels().filter(|_| launch.is_none()) {
            found
        } else if !stream::takes(ir, root, &linalg, &extents) {
            let divides = group.as_ref().is_none_or(Group::divides);
            let few_dots = || few_dots::config(ir, &linalg, &extents, facts, subgroups_max);
            let fits = |config: &Config| fits(ir, root, config, &extents, group.as_ref(), launch, facts);
            let blocked = || blocked(ir, &linalg, &extents, facts, subgroups_max).filter(|_| divides);
            let blocked = || few_dots().filter(fits).or_else(blocked);
            contraction(ir, &linalg, &extents, facts, subgroups_max.min(SUBGROUPS_MAX), blocked)
        } else {
            stream::config(ir, root, &linalg, group.as_ref(), &extents, facts, subgroups_max)
        };
        if let Some(group) = &group {
            group.adapt(&mut config);
        }
        config
    };
    let checked = check(ir, root, config, launch, facts)?;
    if let Some(group) = &group {
        group.check(ir, &checked, facts)?;
    }
    if !is_stated {
        checked.config.write(ir, root);
    }
    if launch.is_none() {
        let subgroup_size = i64::from(facts.chip.subgroup_size);
        let workgroup_size = checked.config.n_subgroups() * subgroup_size;
        Launch::along_x(workgroup_size, subgroup_size).write(ir, func);
    }
    Ok(())
}

/// The configuration of sums over windows of each channel by itself that make a few channels of each: no product of
/// matrices, since a thread would multiply little by what it reads.
fn channels_of_windows(
    ir: &Ir,
    root: OpId,
    linalg: &Linalg,
    group: Option<&Group>,
    extents: &[i64],
    facts: &Facts,
) -> Option<Config> {
    if !body::is_contraction(ir, root) || group.is_some_and(|group| group.passes.is_some()) {
        return None;
    }
    let loops = body::contraction_loops(&linalg.maps)?;
    let points = |loops: &[usize]| loops.iter().fold(1i64, |n, &d| n.saturating_mul(extents[d]));
    let [fewer, few] = FEW_CHANNELS;
    let most = if product_of(ir, root, linalg, extents, facts).is_some() { fewer } else { few };
    let is_few = (2..=most).contains(&points(&loops.m).min(points(&loops.n)));
    let is_channel = |d: usize| ![&loops.m, &loops.n, &loops.k].iter().any(|loops| loops.contains(&d));
    let has_channels = (0..extents.len()).any(|d| is_channel(d) && extents[d] > 1);
    (is_few && has_channels).then(|| depthwise::config(ir, root, linalg, group, extents, facts))?
}

/// Whether a product is such sums.
pub(crate) fn makes_few_channels(ir: &Ir, op: OpId, facts: &Facts) -> bool {
    let linalg = Linalg::of(ir, op);
    channels_of_windows(ir, op, &linalg, None, &lengths(ir, &linalg), facts).is_some()
}

/// The extents of loops, for choices: those that run zero times are tiled as if they ran once.
fn lengths(ir: &Ir, linalg: &Linalg) -> Vec<i64> {
    let length = |extent: i64| if extent == DYNAMIC { LONG } else { extent.max(1) };
    linalg.extents(ir).into_iter().map(length).collect()
}

/// The tile that a product takes the least time with, by an estimate, of those that pass every check; `None` where
/// nothing is estimated.
fn estimated(ir: &Ir, root: OpId, group: Option<&Group>, facts: &Facts) -> Option<Config> {
    let linalg = Linalg::of(ir, root);
    let extents = lengths(ir, &linalg);
    let product = product_of(ir, root, &linalg, &extents, facts)?;
    let mnk = product.mnk;
    let mut fitting = fitting(ir, root, &product, group, facts);
    let best = fitting.next()?;
    let is_open = linalg.extents(ir).contains(&DYNAMIC);
    let mut diag = Diag::error(
        Code::LayoutChoice,
        ir.span(root),
        format!("the tile of a workgroup is {}", best.say(mnk, is_open)),
    );
    if let Some(next) = fitting.next() {
        diag = diag.note(format!("the next one would be {}", next.say(mnk, is_open)));
    }
    facts.remark(diag);
    Some(best.config)
}

/// A product whose time is estimated.
fn product_of<'a>(ir: &Ir, root: OpId, linalg: &'a Linalg, extents: &'a [i64], facts: &Facts) -> Option<Product<'a>> {
    if !body::is_contraction(ir, root) {
        return None;
    }
    let (mnk, mma) = matrix_loops(ir, linalg, extents, facts)?;
    let is_open = |&input: &ValueId| ir.shape_of(input).last() == Some(&DYNAMIC);
    let is_refused = !facts.chip.async_copies && linalg.inputs.iter().any(is_open);
    (!is_refused).then_some(Product { linalg, extents, mnk, mma })
}

/// The tiles of a product that pass every check, for a group as they are, those of the least time first.
fn fitting<'a>(
    ir: &'a Ir,
    root: OpId,
    product: &Product<'_>,
    group: Option<&'a Group>,
    facts: &'a Facts,
) -> impl Iterator<Item = Estimate> + use<'a> {
    let (extents, found) = (product.extents.to_vec(), products::estimates(ir, product, facts));
    let fits = move |config: &Config| fits(ir, root, config, &extents, group, None, facts);
    (0..found.len()).filter_map(move |at| Some(&found[at]).filter(|found| fits(&found.config)).cloned())
}

/// Whether a group takes the configuration of its root as it is, and it passes every check.
fn fits(
    ir: &Ir,
    root: OpId,
    config: &Config,
    extents: &[i64],
    group: Option<&Group>,
    launch: Option<Launch>,
    facts: &Facts,
) -> bool {
    let mut adapted = config.clone();
    if let Some(group) = group {
        group.adapt(&mut adapted);
    }
    // Loops that the group needs whole in a workgroup are not part of a tile that has all of them.
    let is_same = |d: usize| {
        let [size, own] = [adapted.workgroup[d], config.workgroup[d]];
        size == own || size == 0 && own == extents[d]
    };
    let is_kept = (0..extents.len()).all(is_same) && adapted.reduction == config.reduction;
    let checked = check(ir, root, adapted, launch, facts);
    is_kept && checked.is_ok_and(|checked| group.is_none_or(|group| group.check(ir, &checked, facts).is_ok()))
}

/// Clocks of a product alone and in a group, the latter `None` where no estimated tile fits the group; `None` where
/// nothing is estimated.
pub(crate) fn clocks_of_product(ir: &Ir, root: OpId, group: &Group, facts: &Facts) -> Option<(f64, Option<f64>)> {
    let linalg = Linalg::of(ir, root);
    let extents = lengths(ir, &linalg);
    if let Some(product) = product_of(ir, root, &linalg, &extents, facts) {
        let alone = fitting(ir, root, &product, None, facts).next()?.clocks;
        return Some((alone, fitting(ir, root, &product, Some(group), facts).next().map(|best| best.clocks)));
    }
    let is_other = body::is_contraction(ir, root)
        && instructions(ir, &linalg, facts).next().is_none()
        && !stream::takes(ir, root, &linalg, &extents)
        && !linalg.extents(ir).contains(&DYNAMIC);
    let sums = body::contraction_loops(&linalg.maps).filter(|_| is_other)?.k;
    let tile = tile_of_others(ir, &linalg, &extents, facts)?;
    let alone = Others::of(ir, &linalg, &extents, &sums, facts).clocks;
    Some((alone, fits(ir, root, &tile, &extents, Some(group), None, facts).then_some(alone)))
}

/// How many parts the sums of a product are divided into, along which loop, and how many workgroups one part would be;
/// `None` where all in one is as fast, and for factors of matrix instructions that other kernels compute, but for windows that
/// are written out.
pub(crate) fn parts_of_product(ir: &Ir, op: OpId, linalg: &Linalg, facts: &Facts) -> Option<products::Parts> {
    let extents = lengths(ir, linalg);
    if !body::is_contraction(ir, op) || !linalg.inputs.iter().all(|&input| has_whole_words(ir, input)) {
        return None;
    }
    let is_in_memory = |&input: &ValueId| windows::is_given(ir, input) || windows::is_written_out(ir, input);
    match matrix_loops(ir, linalg, &extents, facts) {
        Some(_) if !linalg.inputs.iter().all(is_in_memory) => None,
        Some((mnk, mma)) => Product { linalg, extents: &extents, mnk, mma }.parts(ir, facts),
        // Few rows have instructions where others have none.
        None if instructions(ir, linalg, facts).next().is_some() => None,
        None => parts_of_others(ir, linalg, &extents, facts),
    }
}

/// Where a product by matrix instructions had better be two along a loop; `None` where one is as fast.
pub(crate) fn tail_of_product(
    ir: &Ir,
    op: OpId,
    linalg: &Linalg,
    along: usize,
    facts: &Facts,
) -> Option<products::Tail> {
    let extents = linalg.extents(ir);
    if extents.contains(&DYNAMIC) || !linalg.inputs.iter().all(|&input| has_whole_words(ir, input)) {
        return None;
    }
    product_of(ir, op, linalg, &extents, facts)?.tail(ir, along, facts)
}

/// What is checked of an operation that has a configuration already, in a function that states its workgroup.
pub fn checked(ir: &Ir, func: OpId, op: OpId, facts: &Facts) -> Result<Checked, Diag> {
    let launch = match Launch::stated(ir, func)? {
        Some(launch) => launch,
        None => Launch::read(ir, func)?,
    };
    check(ir, op, Config::read(ir, op)?, Some(launch), facts)
}

/// The operations that compute.
fn computing(ir: &Ir, func: OpId) -> Result<Vec<OpId>, Diag> {
    let mut found = Vec::new();
    for op in ir.block_ops(ir.entry(func)) {
        match ir.opcode(op) {
            _ if windows::is_window(ir, op) => {}
            Opcode::LinalgMatmul | Opcode::LinalgGeneric => found.push(op),
            Opcode::LinalgFill | Opcode::TensorEmpty | Opcode::ArithConstant | Opcode::FuncReturn => {}
            Opcode::TensorDim | Opcode::UtilAssumeInt => {}
            Opcode::TensorInsertSlice if in_place::delivers(ir, func, op).is_some() => {}
            _ if matches!(ir.class(op), Class::Elementwise | Class::Index)
                && !ir.results(op).any(|v| ir.ty(v).shape().is_some()) => {}
            _ => {
                let message = format!("`{}` cannot be tiled", ir.name(op));
                return Err(Diag::error(Code::CannotConfigure, ir.span(op), message).note(
                    "a kernel on tensors has linalg operations with linalg.fill, tensor.empty and scalar arithmetic",
                ));
            }
        }
    }
    if found.is_empty() {
        let name = ir.symbol_name(func).unwrap_or("").to_owned();
        return Err(Diag::error(
            Code::CannotConfigure,
            ir.span(func),
            format!("`@{name}` has no operation to compile"),
        )
        .help("a tensor program has a linalg operation; a kernel at the vector stage takes memrefs"));
    }
    Ok(found)
}

/// The one operation that decides the tiling.
pub fn root(ir: &Ir, func: OpId, facts: &Facts) -> Result<OpId, Diag> {
    let found = computing(ir, func)?;
    Ok(group(ir, func, facts)?.map_or(found[0], |group| group.members[group.root].op))
}

/// The operations that are tiled together; `None` for one with fills.
pub fn group(ir: &Ir, func: OpId, facts: &Facts) -> Result<Option<Group>, Diag> {
    if computing(ir, func)?.len() == 1 {
        return Ok(None);
    }
    let ops = group::structured(ir, ir.entry(func));
    let leaves = |value: ValueId| ir.uses(value).any(|(user, _)| !ops.contains(&user));
    Group::of(ir, &ops, &leaves, facts).map(Some)
}

/// How many tiles one workgroup takes of `n`, at most `limit`: the most that leave little of the last workgroup empty.
fn bundle(n: i64, limit: i64) -> i64 {
    // A fourteenth of what is long, a fifth of what is short.
    bundle_within(n, limit, if n >= 32 { n / 14 } else { n / 5 })
}

/// The same for a loop of a product: a seventh of what is short, so that three loops together compute half as much again
/// at most.
fn bundle_of_product(n: i64, limit: i64) -> i64 {
    bundle_within(n, limit, if n >= 32 { n / 14 } else { n / 7 })
}

/// How many tiles one workgroup takes, of which so many may be empty in the last one.
fn bundle_within(n: i64, limit: i64, spare: i64) -> i64 {
    (1..=limit.min(n)).rev().find(|&size| (n + size - 1) / size * size - n <= spare).unwrap_or(1)
}

/// How many threads share `n` iterations, a power of two up to `limit`: more threads where they have work, and an even
/// share where that costs few of them, since an uneven one needs masks.
fn share(n: i64, limit: i64) -> i64 {
    let worth = |threads: i64| {
        let rounds = (n - 1) / threads + 1;
        // Sixths of the work that is done at once.
        let even = if n % threads == 0 { 10 } else { 6 };
        i128::from(n) * i128::from(even) * 1000 / i128::from(rounds)
    };
    let powers = (0..62).map(|bit| 1i64 << bit).take_while(|&threads| threads <= limit && threads / 2 < n);
    powers.max_by_key(|&threads| (worth(threads), -threads)).unwrap_or(1)
}

/// The largest power of two that divides `n` and is at most `limit`.
pub fn power_of_two(n: i64, limit: i64) -> i64 {
    let mut power = 1;
    while power * 2 <= limit && n % (power * 2) == 0 {
        power *= 2;
    }
    power
}

/// The role of each loop of a contraction with exactly one loop for each of m, n and k.
pub struct Roles {
    /// Rows: in lhs and result.
    pub m: usize,
    /// Columns: in rhs and result.
    pub n: usize,
    /// Reduced: in lhs and rhs.
    pub k: usize,
}

/// Finds m, n and k by the operands that each loop appears in; `None` for any other contraction.
pub fn roles(maps: &[Map]) -> Option<Roles> {
    let [lhs, rhs, result] = [maps[0].as_dims()?, maps[1].as_dims()?, maps[2].as_dims()?];
    if maps[0].dims != 3 || [&lhs, &rhs, &result].iter().any(|dims| dims.len() != 2) {
        return None;
    }
    let find =
        |a: &[usize], b: &[usize], not: &[usize]| (0..3).find(|d| a.contains(d) && b.contains(d) && !not.contains(d));
    Some(Roles { m: find(&lhs, &result, &rhs)?, n: find(&rhs, &result, &lhs)?, k: find(&lhs, &rhs, &result)? })
}

/// The loops for m, n and k along which a matrix instruction goes, and which one; `None` where none does.
fn matrix_loops(ir: &Ir, linalg: &Linalg, extents: &[i64], facts: &Facts) -> Option<([usize; 3], &'static Mma)> {
    // A product of nothing reads nothing: plain reads end where a tensor does, along each of its dimensions.
    if linalg.extents(ir).contains(&0) {
        return None;
    }
    let loops = body::contraction_loops(&linalg.maps)?;
    let mnk = [*loops.m.last()?, *loops.n.last()?, *loops.k.last()?];
    Some((mnk, instruction(ir, linalg, mnk.map(|d| extents[d]), facts)?))
}

/// The configuration of a contraction; `blocked` is asked for one with large tiles where no matrix instruction is.
fn contraction(
    ir: &Ir,
    linalg: &Linalg,
    extents: &[i64],
    facts: &Facts,
    subgroups_max: i64,
    blocked: impl FnOnce() -> Option<Config>,
) -> Config {
    if let Some((mnk, mma)) = matrix_loops(ir, linalg, extents, facts) {
        let sides = tile_max(ir, linalg, facts, [extents[mnk[0]], extents[mnk[1]]]);
        return matrix(ir, &Product { linalg, extents, mnk, mma }, subgroups_max, sides, facts);
    }
    if let Some(config) = blocked() {
        return config;
    }
    // No matrix instruction: lanes along the last parallel loop, subgroups along another one, k inside a thread. The other
    // one is a row where that is a column, or the other way round, so that each element that is read serves several sums.
    let rank = extents.len();
    let mut config = Config { workgroup: vec![1; rank], reduction: vec![0; rank], ..Config::default() };
    (config.subgroup, config.lane, config.thread) = (vec![1; rank], vec![1; rank], vec![1; rank]);
    let mut parallel: Vec<usize> = (0..rank).rev().filter(|&d| !linalg.reduction[d]).collect();
    // Neighbours along a loop of both factors, as that of the parts of a sum is, have nothing in common.
    let loops = body::contraction_loops(&linalg.maps);
    let is_shared = |d: &usize| loops.as_ref().is_some_and(|loops| !loops.m.contains(d) && !loops.n.contains(d));
    sort_by_key(&mut parallel, is_shared);
    let mut lanes = i64::from(facts.chip.subgroup_size);
    // Where there is little to compute, a thread has less of it.
    let sums = parallel.iter().fold(1i64, |sums, &d| sums.saturating_mul(extents[d]));
    let for_thread = sums / (TILES_MIN * lanes);
    let mut subgroups = subgroups_max;
    let other = loops.and_then(|loops| {
        let last = *parallel.first()?;
        if loops.m.contains(&last) { loops.n.last().copied() } else { loops.m.last().copied() }
    });
    if let Some(at) = parallel.iter().position(|&d| Some(d) == other).filter(|&at| at > 1) {
        parallel[1..=at].rotate_right(1);
        subgroups = power_of_two(subgroups, for_thread.max(1));
    }
    for (&d, elements) in parallel.iter().zip([2, 4]) {
        let fewer = if Some(d) == other { elements.min(for_thread.max(1)) } else { elements };
        config.thread[d] = power_of_two(extents[d], fewer);
        config.lane[d] = share(extents[d] / config.thread[d], lanes);
        lanes /= config.lane[d];
        config.subgroup[d] = share((extents[d] - 1) / (config.thread[d] * config.lane[d]) + 1, subgroups);
        subgroups /= config.subgroup[d];
        config.workgroup[d] = config.thread[d] * config.lane[d] * config.subgroup[d];
    }
    let mut steps = 8;
    for d in (0..rank).rev().filter(|&d| linalg.reduction[d]) {
        config.workgroup[d] = 0;
        config.reduction[d] = bundle(extents[d], steps);
        steps = (steps / config.reduction[d]).max(1);
    }
    config
}

/// Tiles of a product without matrix instructions, each thread with a block of the result, so that a load from shared
/// memory serves several products; `None` where the product is too small, or elements are not all of one type of 32 or 64 bits.
fn blocked(ir: &Ir, linalg: &Linalg, extents: &[i64], facts: &Facts, subgroups_max: i64) -> Option<Config> {
    /// Lanes along m and n. Those along n are neighbours: eight lanes load the same rows of A, and 128 bytes of B.
    const LANES: [i64; 2] = [4, 8];
    /// Neighbours of one thread along m and n: 128 bits.
    const THREAD: [i64; 2] = [4, 4];
    /// Blocks of these that a thread has, and subgroups, along m and n: the largest tiles first.
    const TILES: [[[i64; 2]; 2]; 5] =
        [[[2, 2], [4, 2]], [[2, 2], [2, 2]], [[2, 2], [2, 1]], [[1, 1], [4, 2]], [[1, 1], [2, 2]]];
    /// How much more a larger tile may compute beyond the ends.
    const COVERED_MAX: f64 = 1.25;
    /// Products of a thread between two barriers, about: code is as long.
    const PRODUCTS: i64 = 512;
    /// What stands for an extent that only the run knows.
    const OPEN: i64 = 1024;
    let (&[lhs, rhs], &[result]) = (&linalg.inputs[..], &linalg.outputs[..]) else { return None };
    let elems = [lhs, rhs, result].map(|value| Scalar::of(&ir[ir.elem_of(value)]));
    let bits = elems[0]?.bits();
    let loops = body::contraction_loops(&linalg.maps)?;
    let (n, k) = (*loops.n.last()?, *loops.k.last()?);
    let lanes: i64 = LANES.iter().product();
    let fits = i64::from(facts.chip.subgroup_size) == lanes && extents[k] >= K_TILE_MAX / 4;
    if !fits || ![32, 64].contains(&bits) || elems.iter().any(|elem| *elem != elems[0]) {
        return None;
    }
    let rank = extents.len();
    let shares = |[blocks, subgroups]: [[i64; 2]; 2]| {
        let whole = |d: usize| [THREAD[d], LANES[d], blocks[d], subgroups[d]];
        Some([shares_of_side(&loops.m, extents, whole(0))?, shares_of_side(&[n], extents, whole(1))?].concat())
    };
    // Registers hold half as many elements of 64 bits.
    let is_small = |tile: &[[i64; 2]; 2]| bits == 32 || tile[0] == [1, 1];
    let fits = |tile: &[[i64; 2]; 2]| tile[1].iter().product::<i64>() <= subgroups_max && is_small(tile);
    let fitting = TILES.into_iter().filter(fits);
    let fitting: Vec<_> = fitting.filter_map(|tile| Some((tile, shares(tile)?))).collect();
    let counts = |d: usize| !linalg.reduction[d] && extents[d] > 0;
    let extent = |d: usize| if extents[d] == LONG { OPEN } else { extents[d] };
    let n_tiles = |shares: &[Share]| {
        let size = |d: usize| shares.iter().find(|share| share.along == d).map_or(1, Share::size);
        let tiles = (0..rank).filter(|&d| counts(d)).map(|d| (extent(d) - 1) / size(d) + 1);
        tiles.fold(1, i64::saturating_mul)
    };
    // What lies beyond the ends is computed, too.
    let covered = |shares: &[Share]| {
        let size: i64 = shares.iter().map(Share::size).product();
        n_tiles(shares) as f64 * size as f64
    };
    let most = covered(&fitting.last()?.1) * COVERED_MAX;
    let is_it = |(_, shares): &&(_, Vec<Share>)| n_tiles(shares) >= TILES_MIN && covered(shares) <= most;
    let (tile, shares) = fitting.iter().find(is_it).or(fitting.last())?;
    let one = |reduces: bool| linalg.reduction.iter().map(|&other| i64::from(other == reduces)).collect();
    let mut config = Config { workgroup: one(false), reduction: one(true), promote: vec![0, 1], ..Config::default() };
    (config.subgroup, config.lane, config.thread) = (vec![1; rank], vec![1; rank], vec![1; rank]);
    // Lanes along n are neighbours, wherever its loop stands.
    config.lane_strides = vec![0; rank];
    let mut stride = lanes;
    for share in shares {
        let d = share.along;
        config.workgroup[d] = share.size();
        (config.subgroup[d], config.lane[d], config.thread[d]) = (share.subgroups, share.lanes, share.thread);
        stride /= share.lanes;
        config.lane_strides[d] = stride;
    }
    let block: i64 = (0..2).map(|d| tile[0][d] * THREAD[d]).product();
    config.reduction[k] = (PRODUCTS / block).min(K_TILE_MAX / 2);
    Some(config)
}

/// What a side of a tile has along a loop.
#[derive(Clone)]
struct Share {
    along: usize,
    /// Neighbours of one thread, lanes, blocks of these, and subgroups.
    thread: i64,
    lanes: i64,
    blocks: i64,
    subgroups: i64,
}

impl Share {
    fn size(&self) -> i64 {
        self.thread * self.lanes * self.blocks * self.subgroups
    }
}

/// A side of a tile along the last of some loops, or, where that is short, as a row of a small image is, along it and the
/// one in front of it; `None` where more than half of it would be empty.
fn shares_of_side(loops: &[usize], extents: &[i64], whole @ [thread, ..]: [i64; 4]) -> Option<Vec<Share>> {
    let share = |along: usize, [thread, lanes, blocks, subgroups]: [i64; 4]| {
        let share = Share { along, thread, lanes, blocks, subgroups };
        (extents[along] >= share.size() / 2).then_some(share)
    };
    let last = *loops.last()?;
    if let Some(share) = share(last, whole) {
        return Some(vec![share]);
    }
    let front = loops.iter().copied().rev().skip(1).find(|&d| extents[d] > 1)?;
    let mut left = (extents[last] as u64).next_power_of_two() as i64;
    if left < thread {
        return None;
    }
    let own = whole.map(|n| {
        let own = n.min(left);
        left /= own;
        own
    });
    let others: Vec<i64> = whole.iter().zip(own).map(|(n, own)| n / own).collect();
    Some(vec![share(front, others.try_into().ok()?)?, share(last, own)?])
}

/// The parts of a product without matrix instructions, of which each workgroup goes along all sums: as many as take the
/// least time. What they leave is summed in the kernel that adds them.
fn parts_of_others(ir: &Ir, linalg: &Linalg, extents: &[i64], facts: &Facts) -> Option<products::Parts> {
    /// Iterations of a part, at least.
    const SHORTEST: i64 = 128;
    /// Elements that threads read at once.
    const ACCESS: i64 = 4;
    let processors = facts.chip.processors?;
    let loops = body::contraction_loops(&linalg.maps)?.k;
    let whole = Others::of(ir, linalg, extents, &loops, facts);
    if whole.workgroups >= processors.count.into() {
        return None;
    }
    let parallel = (0..extents.len()).filter(|&d| !linalg.reduction[d]);
    let elem = Scalar::of(&ir[ir.elem_of(linalg.outputs[0])])?.bits().div_ceil(8);
    let result = parallel.map(|d| extents[d] as f64).product::<f64>() * f64::from(elem);
    let iterations = loops.iter().fold(1i64, |n, &d| n.saturating_mul(extents[d]));
    let most = i64::from(processors.count).min(iterations / SHORTEST);
    let mut found: Vec<(f64, products::Parts)> = Vec::new();
    for (&along, number) in loops.iter().flat_map(|along| (2..=most.min(extents[*along])).map(move |n| (along, n))) {
        let (extent, step) = (extents[along], whole.steps[along]);
        let units: &[i64] = if loops.last() == Some(&along) { &[step, ACCESS] } else { &[1] };
        for length in units.iter().map(|unit| extent / number / unit * unit).filter(|&length| length > 0) {
            let (part, lengths) = products::in_parts(linalg, extents, along, [number, length])?;
            let inner: Vec<usize> = loops.iter().map(|&d| if d >= along { d + 1 } else { d }).collect();
            let part = Others::of(ir, &part, &lengths, &inner, facts);
            // Of few sums, threads read all that they multiply.
            if whole.shares && !part.shares {
                continue;
            }
            let rest = extent - number * length;
            let of_rest = whole.clocks * ((rest + step - 1) / step * step) as f64 / extent as f64;
            let of_rest = if rest > 0 { of_rest + products::LATENCY } else { 0.0 };
            let adds = products::another_kernel(processors, (number + 1) as f64 * result);
            let parts = products::Parts { along, number, length, workgroups: whole.workgroups };
            found.push((part.clocks + of_rest + adds, parts));
        }
    }
    let (divided, parts) = found.into_iter().min_by(|one, other| one.0.total_cmp(&other.0))?;
    (divided < whole.clocks * products::WORTH).then_some(parts)
}

/// The tile of a product without matrix instructions whose threads share what is read; `None` where they cannot.
fn tile_of_others(ir: &Ir, linalg: &Linalg, extents: &[i64], facts: &Facts) -> Option<Config> {
    let few_dots = few_dots::config(ir, linalg, extents, facts, SUBGROUPS_MAX);
    few_dots.or_else(|| blocked(ir, linalg, extents, facts, LONG))
}

/// How a product without matrix instructions runs.
struct Others {
    workgroups: i64,
    clocks: f64,
    /// Whether the threads of a workgroup share what is read.
    shares: bool,
    /// Of each loop over sums.
    steps: Vec<i64>,
}

impl Others {
    fn of(ir: &Ir, linalg: &Linalg, extents: &[i64], sums: &[usize], facts: &Facts) -> Others {
        /// Products of a processor in a clock: of the 128 that it can begin (H100 whitepaper; on an A100 64), half, since
        /// it has few subgroups, which wait for what they read.
        const PRODUCTS: f64 = 64.0;
        /// Clocks of an iteration at least where threads read memory themselves, by `gpu-model` (19 to 50).
        const READS: f64 = 30.0;
        /// Clocks from a read to its arrival, for which lanes that go along the sums wait in each step.
        const ARRIVAL: f64 = 600.0;
        let tile = || tile_of_others(ir, linalg, extents, facts);
        let config = contraction(ir, linalg, extents, facts, SUBGROUPS_MAX, tile);
        let parallel = || (0..extents.len()).filter(|&d| !linalg.reduction[d]);
        let counts = parallel().map(|d| (extents[d] - 1) / config.workgroup[d] + 1);
        let workgroups = counts.fold(1, i64::saturating_mul);
        let tile: i64 = parallel().map(|d| config.workgroup[d]).product();
        let step = |d: usize| config.reduction[d].max(1);
        let iterations: f64 = sums.iter().map(|&d| ((extents[d] - 1) / step(d) + 1) as f64 * step(d) as f64).product();
        let in_lanes: i64 = sums.iter().map(|&d| config.lane[d] * config.thread[d] * config.subgroup[d]).product();
        let least = match config.promote[..] {
            [] if in_lanes > 1 => ARRIVAL / in_lanes as f64,
            [] => READS,
            _ => 0.0,
        };
        let processors = facts.chip.processors.map_or(1.0, |processors| f64::from(processors.count));
        let busiest = (workgroups as f64 / processors).ceil();
        let clocks = iterations * (busiest * tile as f64 / PRODUCTS).max(least);
        Others { workgroups, clocks, shares: !config.promote.is_empty(), steps: (0..extents.len()).map(step).collect() }
    }
}

/// The matrix instruction of the chip for these types that computes the least beside the product; `None` where all
/// would compute mostly what nobody asked for.
fn instruction(ir: &Ir, linalg: &Linalg, mnk: [i64; 3], facts: &Facts) -> Option<&'static Mma> {
    /// How many times the product an instruction may compute.
    const WASTE_MAX: i128 = 8;
    let padded = |mma: &&Mma| -> i128 {
        let whole = |(n, size): (&i64, i64)| i128::from((n + size - 1) / size * size);
        mnk.iter().zip([mma.m, mma.n, mma.k]).map(whole).product()
    };
    let product: i128 = mnk.iter().map(|&n| i128::from(n)).product();
    // Of equals the first one, which the chip prefers.
    let fits = instructions(ir, linalg, facts).min_by_key(padded);
    fits.filter(|mma| padded(mma) <= product * WASTE_MAX)
}

/// The matrix instructions of the chip for the types of a product.
fn instructions(ir: &Ir, linalg: &Linalg, facts: &Facts) -> impl Iterator<Item = &'static Mma> {
    let values = linalg.inputs.iter().chain(&linalg.outputs);
    let types: Vec<Option<Scalar>> = values.map(|&value| Scalar::of(&ir[ir.elem_of(value)])).collect();
    facts.mmas().filter(move |mma| types == mma.types.map(Some))
}

/// Whether copies of an operand's tiles can be asynchronous.
fn is_copied_ahead(ir: &Ir, input: ValueId, facts: &Facts) -> bool {
    facts.chip.async_copies && has_whole_words(ir, input)
}

/// Whether rows of an operand begin at multiples of 4 bytes, or may do.
fn has_whole_words(ir: &Ir, input: ValueId) -> bool {
    let bits = Scalar::of(&ir[ir.elem_of(input)]).map_or(0, |elem| i64::from(elem.bits()));
    let begins = |&pitch: &i64| pitch == DYNAMIC || pitch * bits % 32 == 0;
    ir.shape_of(input).last().is_some_and(begins)
}

/// Elements along the sides of a tile of C, at most.
fn tile_max(ir: &Ir, linalg: &Linalg, facts: &Facts, extents: [i64; 2]) -> [i64; 2] {
    // What goes through registers takes those that a larger tile's sums would.
    let ahead = linalg.inputs.iter().all(|&input| is_copied_ahead(ir, input, facts));
    let large = [LARGE_TILE, if ahead { LARGE_TILE } else { TILE_MAX }];
    let tiles = [0, 1].map(|d| (extents[d] - 1) / large[d] + 1).into_iter().fold(1, i64::saturating_mul);
    if facts.chip.async_copies && tiles >= TILES_MIN { large } else { [TILE_MAX; 2] }
}

/// The configuration of a product whose tiles nothing estimates: at most these sides of C, as long as registers hold
/// what a lane has of a tile.
fn matrix(ir: &Ir, product: &Product<'_>, subgroups_max: i64, sides: [i64; 2], facts: &Facts) -> Config {
    let Product { linalg, extents, mnk: [m, n, k], mma } = *product;
    let tiles =
        |d: usize, size: i64, limit: i64| bundle_of_product((extents[d] + size - 1) / size, (limit / size).max(1));
    let mut limits = [sides[0], sides[1], K_TILE_MAX];
    loop {
        let tiles = [tiles(m, mma.m, limits[0]), tiles(n, mma.n, limits[1]), tiles(k, mma.k, limits[2])];
        let subgroups_m = power_of_two(tiles[0], 2.min(subgroups_max));
        let subgroups = [subgroups_m, power_of_two(tiles[1], subgroups_max / subgroups_m)];
        let [rows, columns, steps] = [tiles[0] / subgroups[0], tiles[1] / subgroups[1], tiles[2]];
        let factor = |i: usize| {
            let slots = mma.fragments[i].n_slots();
            // Elements that are loaded one by one have registers of their own.
            let input = linalg.inputs[i];
            let bits = Scalar::of(&ir[ir.elem_of(input)]).map_or(32, |elem| i64::from(elem.bits()));
            let pitch = ir.shape_of(input).last().copied();
            let whole = is_copied_ahead(ir, input, facts) || pitch.is_some_and(|n| n != DYNAMIC && n * bits % 32 == 0);
            let whole = whole && linalg.maps[i].as_dims().is_some_and(|dims| dims.last() == Some(&k));
            if whole { slots * bits / 32 } else { slots }
        };
        let registers = rows * columns * mma.fragments[2].n_slots()
            + rows * steps * factor(0).max(1)
            + columns * steps * factor(1).max(1);
        let fits = facts.chip.async_copies || 2 * registers <= i64::from(facts.chip.registers_max);
        // The longest of what can be shorter.
        let sizes = [mma.m, mma.n, mma.k];
        let longest = [2, 0, 1].into_iter().filter(|&i| tiles[i] > 1).max_by_key(|&i| (i == 2, tiles[i] * sizes[i]));
        match longest {
            Some(i) if !fits => limits[i] = (tiles[i] - 1) * sizes[i],
            _ => return product.tile(tiles, subgroups),
        }
    }
}
