//! Streams: configurations of operations that do little with each element that they read: elementwise operations,
//! reductions, and products with a vector.
//!
//! Such a kernel is as fast as its accesses. Each thread takes 128 bits at a time along the dimension that is contiguous
//! in memory, has several such accesses under way, neighbours lie side by side, and there are workgroups enough for all
//! processors of the chip:
//!
//! * *elementwise*: lanes along the contiguous dimension, and along the next ones where that is short. So are subgroups,
//!   and what a thread does one after the other, as far as leaves workgroups enough: a chip starts one in a clock, about.
//!   What is read by windows is read element by element, by neighbours side by side, and written by words. Where what is
//!   read is contiguous along another loop than what is written, a tile goes through shared memory, and both sides have
//!   wide accesses;
//! * *rows*, reduced along the contiguous dimension: lanes along it, and subgroups, too, where rows are long. In a
//!   product with a vector, where rows are many, a thread has several, so that each part of the vector is read once for
//!   all of them; where they are few, subgroups share each, so that processors have enough under way;
//! * *columns*, reduced along another dimension: as many lanes along the contiguous one as leave work for all processors,
//!   the others and the subgroups along the reduction. Small windows are read whole.
//!
//! What bodies of a reduction take out of a tensor by index, as a row's own matrix, counts as what it reads.
//!
//! What is reduced keeps an accumulator for each element of a step, which are combined behind the loop.

use raddle_ir::views::Linalg;
use raddle_ir::{Ir, OpId, Scalar, ValueId};

use super::{LONG, SUBGROUPS_MAX, TILES_MIN, bundle, depthwise, pairs, power_of_two, share};
use crate::config::Config;
use crate::configure::group::{self, Group, Member};
use crate::configure::limits;
use crate::facts::Facts;
use crate::structured::{body, taken, windows};

/// Processors of a large chip.
pub(crate) const PROCESSORS: i64 = TILES_MIN;
/// Bits of the widest access.
const ACCESS_BITS: i64 = 128;
/// Bits of a register: what neighbours write at once costs as much as one element.
const WORD_BITS: i64 = 32;
/// Accesses that a thread has under way.
const ACCESSES: i64 = 4;
/// Elements that a thread accumulates, at most.
const ACCUMULATORS_MAX: i64 = 32;
/// The same along rows that several passes go along.
const PASSES_MAX: i64 = 16;
/// Subgroups that share a reduction, at most: each thread adds up what all of them have.
const SHARING_MAX: i64 = 8;
/// Elements of a whole row that a thread holds, if there are subgroups enough.
const HELD: i64 = 32;
/// Elements that a thread computes of what is elementwise, at most.
const ELEMENTS_MAX: i64 = 32;
/// Bytes that a thread reads for these, at most: they are under way at once, and wait in registers for each other.
const UNDER_WAY_MAX: i64 = 128;
/// Operations of a thread's elements, about, and of a function: longer code has no more accesses under way.
const OPERATIONS_MAX: i64 = 1024;
const FUNCTION: i64 = 32;
/// Workgroups that keep a chip busy: a few for each processor.
const WORKGROUPS_MIN: i64 = 2 * PROCESSORS;
/// Workgroups whose threads fill the processors: where there are more, each has more to do.
const WORKGROUPS_FULL: i64 = 8 * PROCESSORS;
/// Bits of rows that a workgroup reads, so that memory is not faster than workgroups start: an H200 starts one in 0.61
/// nanoseconds, whatever its size, in which it moves 2600 bytes.
const WORKGROUP_BITS: i64 = 16384;
/// Subgroups of all of these.
const SUBGROUPS_FULL: i64 = SUBGROUPS_MAX * WORKGROUPS_FULL;
/// Bits side by side in memory that a subgroup reads of columns at least.
const NARROW_BITS: i64 = 64;
/// Bits that memory gives at once.
const SECTOR_BITS: i64 = 256;
/// Points of windows that a thread reads at once, at most.
const POINTS_MAX: i64 = 64;
/// The same of windows that share what they are multiplied by.
const SHARED_POINTS_MAX: i64 = 256;
/// Bits side by side in memory that one access of a subgroup should have at least.
const LINE_BITS: i64 = 1024;
/// Elements along a loop that make a tile of a transposition worth its barrier.
const TRANSPOSED_MIN: i64 = 16;

/// A tensor that the kernel reads or writes in memory.
pub(super) struct Access {
    /// The value.
    value: ValueId,
    /// The loop along each of its dimensions.
    pub loops: Vec<usize>,
    /// The size of an element.
    pub bits: i64,
    /// How many points of the loops it has.
    points: i64,
    /// Whether it is written.
    is_written: bool,
    /// Whether it is read by windows along its last dimension.
    in_windows: bool,
    /// How many elements one access has along each loop, at most.
    along: Vec<i64>,
}

/// Whether an operation is one of these: none but products of matrices are not.
pub(crate) fn takes(ir: &Ir, op: OpId, linalg: &Linalg, extents: &[i64]) -> bool {
    let is_one = |loops: &[usize]| loops.iter().all(|&d| extents[d] == 1);
    !body::is_contraction(ir, op)
        || body::contraction_loops(&linalg.maps).is_some_and(|loops| is_one(&loops.m) || is_one(&loops.n))
}

/// Whether the operation that decides the tiling of a group reduces what is computed of each two rows.
pub(crate) fn reduces_pairs(ir: &Ir, group: &Group) -> bool {
    let Member { op, linalg, .. } = &group.members[group.root];
    let extents = linalg.extents(ir);
    let accesses = accesses(ir, *op, linalg, Some(group), &extents);
    let reads: Vec<&Access> = accesses.iter().filter(|access| !access.is_written).collect();
    linalg.reduction.contains(&true) && pairs::sides(linalg, &reads, &extents).is_some()
}

/// How a reduction that is a kernel of its own goes on.
pub(crate) struct Rounds {
    /// Among which its results are divided.
    pub workgroups: i64,
    /// How often the threads of one read what they have under way at once.
    pub rounds: i64,
}

/// What workgroups a reduction has that is a kernel of its own, and in how many rounds these read.
pub(crate) fn rounds(ir: &Ir, op: OpId, linalg: &Linalg, extents: &[i64], facts: &Facts) -> Rounds {
    let config = config(ir, op, linalg, None, extents, facts, LONG);
    let pieces = |d: usize, size: i64| if size == 0 { 1 } else { (extents[d] - 1) / size + 1 };
    let (mut workgroups, mut rounds) = (1i64, 1i64);
    for d in 0..extents.len() {
        match linalg.reduction[d] {
            true => rounds = rounds.saturating_mul(pieces(d, config.partial_reduction.get(d).copied().unwrap_or(0))),
            false => workgroups = workgroups.saturating_mul(pieces(d, config.workgroup[d])),
        }
    }
    Rounds { workgroups, rounds }
}

/// How many points of an operation that decides the tiling of a group the subgroups of a processor compute one after the
/// other, a point of each lane at a time, if so many processors share the workgroups.
pub(crate) fn steps_of_processor(ir: &Ir, group: &Group, processors: i64, facts: &Facts) -> f64 {
    let Member { op, linalg, .. } = &group.members[group.root];
    let extents = linalg.extents(ir);
    let mut config = config(ir, *op, linalg, Some(group), &extents, facts, LONG);
    group.adapt(&mut config);
    let pieces = |extent: i64, size: i64| if size == 0 { 1 } else { (extent - 1) / size + 1 };
    let (mut workgroups, mut points) = (1i64, config.n_subgroups());
    for (d, &extent) in extents.iter().enumerate() {
        let size = if linalg.reduction[d] { 0 } else { config.workgroup[d] };
        workgroups = workgroups.saturating_mul(pieces(extent, size));
        let whole = if size == 0 { extent } else { size };
        points = points.saturating_mul(pieces(whole, config.subgroup[d] * config.lane[d]));
    }
    points as f64 * pieces(workgroups, processors) as f64
}

/// The same of a row that a workgroup goes along more than once, with as many threads as there may be.
pub(crate) fn rounds_of_pass(row: i64, facts: &Facts) -> i64 {
    (row - 1) / (i64::from(facts.chip.threads_max) * PASSES_MAX) + 1
}

/// The configuration of an operation alone or as the root of a group, where no matrix instruction computes it.
pub(super) fn config(
    ir: &Ir,
    op: OpId,
    linalg: &Linalg,
    group: Option<&Group>,
    extents: &[i64],
    facts: &Facts,
    subgroups_max: i64,
) -> Config {
    let rank = extents.len();
    let ones = || vec![1; rank];
    let mut config = Config { workgroup: ones(), subgroup: ones(), lane: ones(), thread: ones(), ..Config::default() };
    let mut accesses = accesses(ir, op, linalg, group, extents);
    if linalg.reduction.contains(&true) {
        accesses.extend(taken(ir, op, linalg, group, extents));
    }
    // The first of the largest.
    let Some(main) = accesses.iter().rev().max_by_key(|access| access.points) else { return config };
    let lanes = i64::from(facts.chip.subgroup_size);
    let Some(&contiguous) = main.loops.iter().rev().find(|&&d| extents[d] != 1).or(main.loops.last()) else {
        return config;
    };
    let bits = accesses.iter().filter(|access| access.points == main.points).map(|access| access.bits).max();
    let bits = bits.unwrap_or(main.bits);
    // Neighbouring windows begin at any place, so that their elements are read one by one.
    let in_windows = accesses.iter().any(|access| access.in_windows && access.loops.last() == Some(&contiguous));
    let wide = if in_windows { 1 } else { ACCESS_BITS / bits };
    let mut line = Line { extents, contiguous, bits, wide, main: &main.loops, lanes };
    if linalg.reduction.contains(&true) {
        match group.filter(|group| has_whole_rows(group)) {
            Some(group) => {
                let threads_max = i64::from(facts.chip.threads_max);
                let dims = &group.members[group.root].dims;
                let is_whole = |d: usize| !group.dims[dims[d]].shared;
                line.whole_rows(&mut config, linalg, &is_whole, subgroups_max.min(threads_max / lanes));
            }
            None => {
                let is_in_steps = group.is_some_and(|group| group.passes.is_some());
                if let Some(found) = depthwise::config(ir, op, linalg, group, extents, facts).filter(|_| !is_in_steps) {
                    return found;
                }
                let reads: Vec<&Access> = accesses.iter().filter(|access| !access.is_written).collect();
                let pairs = pairs::config(ir, op, linalg, &reads, group, extents, facts);
                if let Some(found) = pairs.filter(|_| !is_in_steps) {
                    return found;
                }
                let sharing = match group.filter(|group| group.passes.is_some()) {
                    Some(group) => {
                        let subgroups_max = subgroups_max.min(i64::from(facts.chip.threads_max) / lanes);
                        let parallel = (0..rank).filter(|&d| !linalg.reduction[d]);
                        let rows = parallel.fold(1i64, |n, d| n.saturating_mul(extents[d]));
                        Sharing::of_passes(subgroups_max, rows, group.row_bytes(ir), facts)
                    }
                    None => Sharing { subgroups: subgroups_max.min(SHARING_MAX), ..Sharing::ONE_PASS },
                };
                line.reduction(&mut config, linalg, &sharing);
            }
        }
        return config;
    }
    // A result that does not lie along a loop is computed by one workgroup, which has the loop whole.
    let is_whole = |d: usize| group.is_some_and(|group| !group.dims[group.members[group.root].dims[d]].shared);
    // What is reduced in front of it, each workgroup computes once, whatever a thread has.
    let sums = group.is_some_and(Group::reduces_again);
    if !sums && (0..rank).any(is_whole) {
        let subgroups_max = subgroups_max.min(i64::from(facts.chip.threads_max) / lanes);
        line.whole_rows(&mut config, linalg, &is_whole, subgroups_max);
        return config;
    }
    let subgroups_max = subgroups_max.min(SUBGROUPS_MAX);
    let last = |access: &Access| access.loops.iter().rev().copied().find(|&d| extents[d] != 1);
    let whole = || accesses.iter().filter(|access| access.points == main.points);
    let written = whole().find(|access| access.is_written).and_then(|access| Some((access, last(access)?)));
    let read = |other: usize| whole().find(|access| !access.is_written && last(access) != Some(other));
    if let Some((written, contiguous)) = written {
        // What is written decides: reads of several lines are served by caches.
        line = Line { contiguous, main: &written.loops, ..line };
        // Rows and columns of an image that are short are a line together.
        let (mut read_along, mut points) = (Vec::new(), 1i64);
        for &d in read(contiguous).iter().flat_map(|read| read.loops.iter().rev()).filter(|&&d| extents[d] != 1) {
            if d == contiguous || points >= TRANSPOSED_MIN {
                break;
            }
            read_along.push(d);
            points = points.saturating_mul(extents[d]);
        }
        if extents[contiguous].min(points) >= TRANSPOSED_MIN {
            line.transposed(&mut config, &read_along, subgroups_max);
            let is_crossed = |value: ValueId| {
                let mut own = accesses.iter().filter(|access| access.value == value && !access.is_written);
                own.any(|access| access.points == main.points && last(access) != Some(contiguous))
            };
            config.promote = (0..linalg.inputs.len()).filter(|&i| is_crossed(linalg.inputs[i])).collect();
            return config;
        }
    }
    // What is read element by element is read by neighbours side by side: a thread has what it takes to write a word.
    let reads: Vec<&Access> = whole().filter(|access| !access.is_written).collect();
    let along = reads.iter().map(|access| access.along[line.contiguous]);
    let narrowest = if is_scattered(ir, op, linalg, group, line.contiguous) { Some(1) } else { along.min() };
    line.wide = line.wide.min(narrowest.unwrap_or(line.wide).max(WORD_BITS / bits));
    let bytes = reads.iter().fold(0, |bytes, access| bytes + access.bits / 8);
    let of_each = |group: &Group| -> Vec<OpId> {
        let root = &group.members[group.root].dims;
        let members = group.members.iter().filter(|member| !sums || root.iter().all(|dim| member.dims.contains(dim)));
        members.map(|member| member.op).collect()
    };
    let members = group.map_or_else(|| vec![op], of_each);
    let operations = members.iter().fold(1, |n, &op| n + operations(ir, op));
    let elements = ELEMENTS_MAX.min(UNDER_WAY_MAX / bytes.max(1)).min(OPERATIONS_MAX / operations);
    let wanted = if sums { WORKGROUPS_MIN } else { WORKGROUPS_FULL };
    line.elementwise(&mut config, subgroups_max, (elements, wanted), &is_whole);
    config
}

/// The configuration of a scan: as that of a reduction along the same loop, with one step after the other. Where another
/// loop is contiguous, a thread has neighbours along the one that is scanned, which it combines by itself.
pub(super) fn of_scan(
    ir: &Ir,
    op: OpId,
    linalg: &Linalg,
    extents: &[i64],
    facts: &Facts,
    subgroups_max: i64,
) -> Config {
    let mut config = config(ir, op, linalg, None, extents, facts, subgroups_max);
    config.reduction = std::mem::take(&mut config.partial_reduction);
    let is_contiguous = |d: usize| extents[d + 1..].iter().all(|&extent| extent == 1);
    for d in (0..extents.len()).filter(|&d| linalg.reduction[d] && !is_contiguous(d)) {
        config.thread[d] = config.reduction[d] / (config.subgroup[d] * config.lane[d]);
    }
    config
}

/// Whether a member of the group has more than a step of what is reduced: the root, or another one along loops of its own,
/// which then also reads what the root has read. Of longer rows, each goes through steps by itself.
fn has_whole_rows(group: &Group) -> bool {
    let root = &group.members[group.root].dims;
    group.passes.is_none()
        && (!group.steps
            || group.goes_again()
            || (0..group.dims.len()).any(|dim| !root.contains(&dim) && !group.dims[dim].shared))
}

/// Whether elements that are read by numbers lie anywhere for neighbours along a loop of the operation, or of the root.
fn is_scattered(ir: &Ir, op: OpId, linalg: &Linalg, group: Option<&Group>, d: usize) -> bool {
    let reads_apart = |op, linalg, d| taken::reads(ir, op, linalg).iter().any(|read| read.is_apart(d));
    let Some(group) = group else { return reads_apart(op, linalg, d) };
    let dim = group.members[group.root].dims[d];
    group.members.iter().any(|member| {
        let own = member.dims.iter().position(|&other| other == dim);
        own.is_some_and(|own| reads_apart(member.op, &member.linalg, own))
    })
}

/// Operations for an element of a structured operation, about.
fn operations(ir: &Ir, op: OpId) -> i64 {
    let cost = |&inner: &OpId| if ir.name(inner).starts_with("math.") { FUNCTION } else { 1 };
    ir.walk(op).iter().map(cost).sum()
}

/// What the kernel has in memory. Of a group, what its members read and no member makes, and what leaves it.
fn accesses(ir: &Ir, op: OpId, linalg: &Linalg, group: Option<&Group>, extents: &[i64]) -> Vec<Access> {
    let mut found = Vec::new();
    // `dims` has the loop of the root for each loop of the operation, if there is one.
    let mut add = |value: ValueId, linalg: &Linalg, operand: usize, dims: &[Option<usize>], is_written: bool| {
        let Some(elem) = Scalar::of(&ir[ir.elem_of(value)]) else { return };
        let Some(along) = windows::loops_along(ir, linalg, operand) else { return };
        let bits = i64::from(elem.bits()).max(8);
        let loops: Vec<usize> = along.into_iter().filter_map(|d| dims[d]).collect();
        let points = loops.iter().fold(1i64, |points, &d| points.saturating_mul(extents[d]));
        let in_windows = !is_written && windows::has_windows_in_rows(ir, linalg, operand);
        let access = |d: usize| {
            let own = dims.iter().position(|&dim| dim == Some(d));
            own.map_or(1, |own| windows::access_along(ir, linalg, operand, own, ACCESS_BITS / bits))
        };
        let along = (0..extents.len()).map(access).collect();
        found.push(Access { value, loops, bits, points, is_written, in_windows, along });
    };
    let is_tensor = |value: &ValueId| ir.ty(*value).is_tensor();
    // The shape of a window is an operand that nobody reads.
    let is_read = |op: OpId, i: usize| !ir.is_unused(ir.args(ir.entry(op))[i]);
    let Some(group) = group else {
        let operands = linalg.inputs.iter().chain(&linalg.outputs);
        let dims: Vec<Option<usize>> = (0..extents.len()).map(Some).collect();
        for (i, &value) in operands.enumerate().filter(|(_, value)| is_tensor(value)) {
            if i < linalg.inputs.len() && !is_read(op, i) {
                continue;
            }
            add(value, linalg, i, &dims, i >= linalg.inputs.len());
        }
        return found;
    };
    let members: Vec<OpId> = group.members.iter().map(|member| member.op).collect();
    let root = &group.members[group.root].dims;
    for member in group.members.iter().filter(|member| group::computes(ir, member.op)) {
        // Along loops that the root lacks, nothing is decided.
        let dims: Vec<Option<usize>> = member.dims.iter().map(|own| root.iter().position(|dim| dim == own)).collect();
        for (i, &value) in member.linalg.inputs.iter().enumerate().filter(|(_, value)| is_tensor(value)) {
            if is_read(member.op, i) && ir.def_op(value).is_none_or(|def| !members.contains(&def)) {
                add(value, &member.linalg, i, &dims, false);
            }
        }
        for (i, value) in ir.results(member.op).enumerate().filter(|(_, value)| is_tensor(value)) {
            if ir.uses(value).any(|(user, _)| !members.contains(&user)) {
                add(value, &member.linalg, member.linalg.inputs.len() + i, &dims, true);
            }
        }
    }
    found
}

/// What bodies take by index out of tensors in memory, as the weights of an expert, along its lines.
fn taken(ir: &Ir, op: OpId, linalg: &Linalg, group: Option<&Group>, extents: &[i64]) -> Vec<Access> {
    let mut found = Vec::new();
    let mut add = |op: OpId, linalg: &Linalg, dims: &dyn Fn(usize) -> Option<usize>| {
        for read in taken::reads(ir, op, linalg) {
            let (value, Some(lines)) = (read.tensor, read.lines()) else { continue };
            let Some(elem) = Scalar::of(&ir[ir.elem_of(value)]) else { continue };
            let loops: Vec<usize> = lines.into_iter().filter_map(dims).collect();
            let points = loops.iter().fold(1i64, |points, &d| points.saturating_mul(extents[d]));
            let bits = i64::from(elem.bits()).max(8);
            let along = vec![1; extents.len()];
            found.push(Access { value, loops, bits, points, is_written: false, in_windows: false, along });
        }
    };
    match group {
        None => add(op, linalg, &Some),
        Some(group) => {
            let root = &group.members[group.root].dims;
            for member in &group.members {
                add(member.op, &member.linalg, &|d| root.iter().position(|&dim| dim == member.dims[d]));
            }
        }
    }
    found
}

/// How much of a reduction subgroups and threads have.
struct Sharing {
    /// Subgroups that share it, at most.
    subgroups: i64,
    /// Elements that a thread accumulates, at most.
    accumulators: i64,
    /// Accesses that a thread has under way, at most.
    accesses: i64,
}

impl Sharing {
    /// Many workgroups have accesses under way.
    const ONE_PASS: Sharing = Sharing { subgroups: SHARING_MAX, accumulators: ACCUMULATORS_MAX, accesses: ACCESSES };

    /// A workgroup whose rows leave no space for another one on its processor has as many threads as there may be, else
    /// half of them. These have few registers. Rows may be short where only the run knows their length: a step is, too, and
    /// where rows fill the chip, few threads share each.
    fn of_passes(subgroups_max: i64, rows: i64, row_bytes: Option<i64>, facts: &Facts) -> Sharing {
        let is_alone = row_bytes.is_some_and(|bytes| bytes > limits::bytes_for_rows_beside(facts));
        let subgroups = match row_bytes {
            None if rows >= WORKGROUPS_FULL => SUBGROUPS_MAX.min(subgroups_max),
            _ if is_alone => subgroups_max,
            _ => (subgroups_max / 2).max(1),
        };
        let accesses = if row_bytes.is_some() { PASSES_MAX } else { PASSES_MAX / 2 };
        Sharing { subgroups, accumulators: PASSES_MAX, accesses }
    }
}

/// How the largest tensor lies in memory.
struct Line<'a> {
    extents: &'a [i64],
    /// The loop along its last dimension.
    contiguous: usize,
    /// The size of the widest of elements of which there are as many.
    bits: i64,
    /// How many of them one access has, at most.
    wide: i64,
    /// Its loops.
    main: &'a [usize],
    /// Lanes of a subgroup.
    lanes: i64,
}

impl Line<'_> {
    /// How often the threads of a workgroup go along a loop.
    fn rounds(&self, config: &Config, d: usize) -> i64 {
        (self.extents[d] - 1) / step(config, d) + 1
    }

    /// The loops as they follow in memory, from the contiguous one on, and then others.
    fn outwards(&self) -> impl Iterator<Item = usize> {
        let others = (0..self.extents.len()).filter(|d| !self.main.contains(d));
        let rest = self.main.iter().rev().copied().chain(others).filter(|&d| d != self.contiguous);
        std::iter::once(self.contiguous).chain(rest)
    }

    /// How many workgroups the parallel loops have.
    fn workgroups(&self, config: &Config, linalg: &Linalg) -> i64 {
        let parallel = (0..self.extents.len()).filter(|&d| !linalg.reduction[d]);
        parallel.fold(1, |n, d| n.saturating_mul(self.rounds(config, d)))
    }

    /// Gives the lanes that are left to the loops of the tensor, as they follow in memory, and then to others.
    fn spread_lanes(&self, config: &mut Config, mut lanes: i64) {
        for d in self.outwards().skip(1) {
            config.lane[d] = share(self.extents[d], lanes);
            lanes /= config.lane[d];
        }
    }

    /// Threads have so many elements at most. Starting a workgroup takes time, so that one has as much as leaves as many of
    /// them as are wanted.
    fn elementwise(
        &self,
        config: &mut Config,
        subgroups_max: i64,
        (elements, wanted): (i64, i64),
        is_whole: &dyn Fn(usize) -> bool,
    ) {
        let c = self.contiguous;
        config.thread[c] = power_of_two(self.extents[c], self.wide);
        config.lane[c] = share(self.extents[c] / config.thread[c], self.lanes);
        self.spread_lanes(config, self.lanes / config.lane[c]);
        config.subgroup[c] = share(self.rounds(config, c), subgroups_max);
        let loops: Vec<usize> = self.outwards().collect();
        let (whole, divided): (Vec<usize>, Vec<usize>) = loops.iter().partition(|&&d| is_whole(d));
        let rounds = |config: &Config, loops: &[usize]| {
            loops.iter().fold(1i64, |n, &d| n.saturating_mul(self.rounds(config, d)))
        };
        let workgroups = |config: &Config| rounds(config, &divided);
        self.spread_subgroups(config, &loops[1..], subgroups_max / config.subgroup[c], workgroups);
        config.workgroup = (0..self.extents.len()).map(|d| if is_whole(d) { 0 } else { step(config, d) }).collect();
        let held = config.thread[c].saturating_mul(rounds(config, &whole));
        self.spread_rounds(config, &divided, elements / held, wanted);
    }

    /// A square tile, whose rows and columns are whole lines, with wide writes; reads are along the loops `read`, the
    /// innermost first.
    fn transposed(&self, config: &mut Config, read: &[usize], subgroups_max: i64) {
        let (c, extents) = (self.contiguous, self.extents);
        let side = (LINE_BITS / self.bits).max((2 * LINE_BITS / self.bits).min(64));
        config.thread[c] = power_of_two(extents[c], self.wide);
        config.lane[c] = share(extents[c] / config.thread[c], self.lanes.min(side / config.thread[c]));
        let (mut lanes, mut subgroups) = (self.lanes / config.lane[c], subgroups_max);
        let mut left = side;
        for &d in read {
            config.lane[d] = share(extents[d], lanes.min(left));
            config.subgroup[d] = share(self.rounds(config, d), subgroups.min(left / config.lane[d]));
            lanes /= config.lane[d];
            subgroups /= config.subgroup[d];
            config.workgroup[d] = step(config, d) * self.rounds(config, d).min(left / step(config, d)).max(1);
            left = (left / config.workgroup[d]).max(1);
        }
        config.workgroup[c] = step(config, c) * self.rounds(config, c).min(side / step(config, c)).max(1);
    }

    /// Rows that a workgroup has whole: in a subgroup, if they are short, or else in several.
    fn whole_rows(&self, config: &mut Config, linalg: &Linalg, is_whole: &dyn Fn(usize) -> bool, subgroups_max: i64) {
        self.lanes_along_lines(config, linalg);
        let c = self.contiguous;
        let workgroups = |config: &Config| -> i64 {
            let divided = (0..self.extents.len()).filter(|&d| !is_whole(d));
            divided.fold(1, |n, d| n.saturating_mul(self.rounds(config, d)))
        };
        let along = self.main.iter().rev().copied().find(|&d| is_whole(d));
        if let Some(along) = along.filter(|_| !is_whole(c)) {
            // Few columns are shared by more lanes, as long as some neighbours are read together.
            let columns: Vec<usize> = self.outwards().filter(|&d| !is_whole(d)).collect();
            for d in columns.into_iter().rev() {
                let narrowest = if d == c { (NARROW_BITS / self.bits / config.thread[c]).max(1) } else { 1 };
                while config.lane[d] > narrowest
                    && workgroups(config) < WORKGROUPS_MIN
                    && self.rounds(config, along) > 1
                {
                    config.lane[d] /= 2;
                    config.lane[along] *= 2;
                }
            }
        }
        let held = |config: &Config| -> i64 {
            let along = (0..self.extents.len()).filter(|&d| is_whole(d));
            along.fold(1, |held, d| self.rounds(config, d).saturating_mul(config.thread[d]).saturating_mul(held))
        };
        // What a thread has of columns, it has of each that it reads at once.
        let is_too_much = |config: &Config| {
            let columns = if is_whole(c) { 1 } else { config.thread[c] };
            held(config).saturating_mul(columns) > HELD
        };
        let mut subgroups = 1;
        // Threads have less of columns where these are few.
        let is_much = |config: &Config, subgroups: i64| {
            let all = workgroups(config).saturating_mul(subgroups);
            is_too_much(config) || !is_whole(c) && held(config) > ACCESSES && all < SUBGROUPS_FULL
        };
        // What subgroups have of a column, each thread of them reads, for each of its columns: it has few, as long as those of
        // its neighbours lie side by side.
        let is_wide = |config: &Config| config.lane[c] * config.thread[c] * self.bits > SECTOR_BITS;
        while !is_whole(c)
            && is_too_much(config)
            && is_wide(config)
            && config.thread[c] > (WORD_BITS / self.bits).max(1)
        {
            config.thread[c] /= 2;
        }
        for d in self.main.iter().rev().copied().filter(|&d| is_whole(d)) {
            while is_much(config, subgroups) && 2 * subgroups <= subgroups_max && self.rounds(config, d) > 1 {
                config.subgroup[d] *= 2;
                subgroups *= 2;
            }
        }
        for d in (0..self.extents.len()).filter(|&d| !is_whole(d)) {
            if self.main.contains(&d) && subgroups < SUBGROUPS_MAX.min(subgroups_max) {
                let spare = self.workgroups(config, linalg) / WORKGROUPS_MIN;
                let limit = (SUBGROUPS_MAX.min(subgroups_max) / subgroups).min(spare.max(1));
                config.subgroup[d] *= share(self.rounds(config, d), limit);
                subgroups *= config.subgroup[d];
            }
            config.workgroup[d] = step(config, d);
        }
        // Of short rows a thread has several, so that a workgroup moves what it takes to start the next one.
        if is_whole(c) {
            let (whole, rows): (Vec<usize>, Vec<usize>) = (0..self.extents.len()).partition(|&d| is_whole(d));
            let row = whole
                .iter()
                .filter(|d| self.main.contains(d))
                .fold(self.bits, |n, &d| n.saturating_mul(self.extents[d]));
            let bits = rows.iter().fold(row, |n, &d| n.saturating_mul(config.workgroup[d]));
            whole.into_iter().for_each(|d| config.workgroup[d] = 0);
            let several = (HELD / held(config)).min(WORKGROUP_BITS / bits.max(1)).min(ACCESSES);
            self.spread_rounds(config, &rows, several, WORKGROUPS_FULL);
        }
    }

    /// Lanes along the contiguous loop; where it is not reduced, no more than leave work for all processors.
    fn lanes_along_lines(&self, config: &mut Config, linalg: &Linalg) {
        let (c, extents) = (self.contiguous, self.extents);
        config.thread[c] = power_of_two(extents[c], self.wide);
        config.lane[c] = share(extents[c] / config.thread[c], self.lanes);
        // Narrower strips of columns are more workgroups.
        let line = LINE_BITS / self.bits;
        while !linalg.reduction[c]
            && config.lane[c] * config.thread[c] > line
            && self.workgroups(config, linalg) < WORKGROUPS_MIN
        {
            config.lane[c] /= 2;
        }
        self.spread_lanes(config, self.lanes / config.lane[c]);
    }

    fn reduction(&self, config: &mut Config, linalg: &Linalg, sharing: &Sharing) {
        let (c, extents) = (self.contiguous, self.extents);
        self.lanes_along_lines(config, linalg);
        let reduced: Vec<usize> = self.main.iter().rev().copied().filter(|&d| linalg.reduction[d]).collect();
        let mut rows = 1;
        let (mut subgroups, mut accumulators) = (sharing.subgroups, sharing.accumulators);
        let row = self.main.iter().rev().copied().find(|&d| !linalg.reduction[d] && extents[d] > 1);
        if let Some(row) = row.filter(|_| linalg.reduction[c]) {
            // Rows share what is read for all of them, as the vector of a product: a thread has several, and so have
            // subgroups. Other rows have a subgroup each if they are short.
            let mut inputs = linalg.maps[..linalg.inputs.len()].iter().filter_map(|map| map.as_dims());
            let is_shared = inputs.any(|dims| dims.contains(&c) && !dims.contains(&row));
            let lines = self.workgroups(config, linalg);
            let steps = reduced.iter().fold(1i64, |steps, &d| steps.saturating_mul(self.rounds(config, d)));
            let mut of_row = 1;
            if is_shared {
                // Subgroups that may share so many rows, and all that there are then.
                let shared_by =
                    |rows: i64| power_of_two(subgroups, (steps.saturating_mul(rows) / ACCESSES).clamp(1, subgroups));
                let all = |rows: i64| (lines / rows).saturating_mul(shared_by(rows));
                // The most rows with which all processors have enough under way; else those with which they have most.
                let worth = |&rows: &i64| match all(rows) {
                    few if few < SUBGROUPS_FULL => (few, -rows),
                    _ => (SUBGROUPS_FULL, rows),
                };
                rows = [1, 2, ACCESSES].into_iter().filter(|&rows| rows <= lines).max_by_key(worth).unwrap_or(1);
                let wanted = (SUBGROUPS_FULL - 1) / (lines / rows) + 1;
                of_row = shared_by(rows).min((wanted as u64).next_power_of_two() as i64);
                accumulators = accumulators.max(ACCESSES * config.thread[c]);
            }
            if is_shared || steps <= ACCESSES {
                let of_workgroup = power_of_two(subgroups, SUBGROUPS_MAX);
                let spare = (of_workgroup / of_row).min(lines / rows / WORKGROUPS_MIN).max(1);
                config.subgroup[row] = power_of_two(of_workgroup, spare).min(share(extents[row], of_workgroup));
                subgroups = of_row.max(of_workgroup / config.subgroup[row]);
            }
        }
        for &d in &reduced {
            // Nobody shares what a thread has under way at once.
            config.subgroup[d] = share((self.rounds(config, d) - 1) / (ACCESSES / rows) + 1, subgroups);
            subgroups /= config.subgroup[d];
        }
        // Those that no reduction needs have columns of their own.
        if !linalg.reduction[c] {
            let columns: Vec<usize> = self.outwards().filter(|&d| !linalg.reduction[d]).collect();
            self.spread_subgroups(config, &columns, subgroups, |config| self.workgroups(config, linalg));
        }
        let held = config.thread[c] * rows;
        let mut accesses = (accumulators / held).clamp(1, sharing.accesses / rows);
        config.partial_reduction = vec![0; extents.len()];
        for d in 0..extents.len() {
            config.workgroup[d] = if linalg.reduction[d] { 0 } else { step(config, d) };
        }
        if let Some(row) = row {
            config.workgroup[row] *= rows;
        }
        for &d in &reduced {
            let rounds = bundle(self.rounds(config, d), accesses);
            config.partial_reduction[d] = step(config, d) * rounds;
            accesses /= rounds;
        }
        // What windows go through is read at once, if it is little. Whole windows have one sum, and no loop.
        let inside: Vec<usize> =
            (0..extents.len()).rev().filter(|&d| linalg.reduction[d] && !reduced.contains(&d)).collect();
        let window = inside.iter().fold(held, |n, &d| n.saturating_mul(self.rounds(config, d)));
        let at_once = if reduced.is_empty() && window <= POINTS_MAX { window } else { sharing.accumulators };
        // Most windows whose size only the run knows are small, too.
        let is_open = inside.iter().any(|&d| extents[d] == LONG);
        let mut left = if is_open { (at_once / held).min(ACCESSES) } else { at_once / held };
        for d in inside {
            let rounds = bundle(self.rounds(config, d), left);
            config.partial_reduction[d] = step(config, d) * rounds;
            left /= rounds;
        }
        let is_whole = |d: usize| !linalg.reduction[d] || config.partial_reduction[d] >= extents[d];
        if !linalg.reduction[c] && (0..extents.len()).all(is_whole) {
            let points = (0..extents.len()).filter(|&d| linalg.reduction[d]);
            let points = points.fold(config.thread[c], |n, d| n.saturating_mul(self.rounds(config, d)));
            // Columns share what is read for all of them, as the weights of a convolution.
            let inputs = linalg.maps[..linalg.inputs.len()].iter().filter_map(|map| map.as_dims());
            let along: Vec<Vec<usize>> = inputs.filter(|dims| dims.iter().any(|&d| linalg.reduction[d])).collect();
            let columns = self.outwards().filter(|&d| !linalg.reduction[d]);
            let (alike, others): (Vec<usize>, Vec<usize>) =
                columns.partition(|d| along.iter().any(|dims| !dims.contains(d)));
            let n = POINTS_MAX / points;
            self.spread_rounds(config, &alike, n.max(ACCESSES.min(SHARED_POINTS_MAX / points)), WORKGROUPS_FULL);
            let own = alike.iter().fold(1, |own, &d| own * (config.workgroup[d] / step(config, d)).max(1));
            self.spread_rounds(config, &others, n / own, WORKGROUPS_FULL);
        }
    }

    /// Gives subgroups to loops whose length is known, as long as there are workgroups enough.
    fn spread_subgroups(&self, config: &mut Config, loops: &[usize], mut n: i64, workgroups: impl Fn(&Config) -> i64) {
        for &d in loops.iter().filter(|&&d| self.extents[d] != LONG) {
            let spare = workgroups(config) / WORKGROUPS_MIN;
            let own = share(self.rounds(config, d), n.min(spare.max(1)).max(1));
            config.subgroup[d] *= own;
            n /= own;
        }
    }

    /// Lets threads go along loops whose length is known so many times together, as long as there are so many workgroups.
    fn spread_rounds(&self, config: &mut Config, loops: &[usize], mut n: i64, workgroups: i64) {
        for &d in loops.iter().filter(|&&d| self.extents[d] != LONG) {
            let size = |d: usize| if config.workgroup[d] == 0 { self.extents[d] } else { config.workgroup[d] };
            let tiles =
                (0..self.extents.len()).fold(1i64, |n, d| n.saturating_mul((self.extents[d] - 1) / size(d) + 1));
            let spare = tiles / workgroups;
            let own = bundle(self.rounds(config, d), n.min(spare.max(1)).max(1));
            config.workgroup[d] *= own;
            n /= own;
        }
    }
}

/// How far the threads of a workgroup go along a loop at once.
fn step(config: &Config, d: usize) -> i64 {
    config.subgroup[d] * config.lane[d] * config.thread[d]
}
