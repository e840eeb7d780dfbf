//! Split: reductions that have too few results for the chip become sums of parts.
//!
//! Before: `%r = linalg.generic` that sums the rows of `tensor<32768x1024xbf16>`, which is work for few workgroups
//! After:
//!
//! ```mlir
//! %e = tensor.expand_shape %a [[0, 1], [2]] : tensor<64x512x1024xbf16>
//! %p = linalg.generic ins(%e) outs(%zeros : tensor<1024x64xf32>)   // sums rows of each part
//! %r = linalg.reduce ins(%p) outs(%o) dimensions = [1]             // in who uses it, or a kernel of its own
//! ```
//!
//! Parts are combined in their order: the same program has the same result on every run. Rows that are not a multiple
//! of the parts are reduced alone, and the sum begins with what they give.
//!
//! Elementwise operations in front of a reduction are made again for its parts, with loops of these, where that takes less
//! than to read what they give: so squares and differences from a mean are in the kernel of the parts, and what follows in
//! a norm makes them for itself.
//!
//! An estimate decides: a workgroup waits for memory once in each round of its loop, or computes all that long, and one
//! more kernel takes its time, too. Products whose tiles are too few for the chip are divided by the model that chooses their
//! tiles.
//!
//! Does not touch dispatches, which are one kernel each, operations that the user configured, and products by matrix
//! instructions that read what other kernels compute.

use raddle_ir::affine::BinOp;
use raddle_ir::interface::Interface;
use raddle_ir::views::{Linalg, Mixed};
use raddle_ir::{Attr, BlockId, Builder, Code, DYNAMIC, Diag, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};
use raddle_target::Processors;
use rustc_hash::{FxHashMap, FxHashSet};

use super::again::{self, BYTES, LAUNCH, OPERATIONS, bytes, elements};
use super::reshape::expand;
use super::{is_elementwise, is_work, open_sums, tails};
use crate::configure::{group, parts_of_product, products, stream};
use crate::facts::Facts;
use crate::structured::generalize::{at_loops, generic, loop_index, make_generic};
use crate::structured::{body, combiner, fill, windows};

/// Microseconds that a workgroup waits for what its threads read at once. Measured on an H200: 0.5 in sums of rows and of
/// columns, by 256 and by 1024 threads.
pub(super) const ROUND: f64 = 0.5;
/// Workgroups among which the parts and the results are divided, about.
const WORKGROUPS: i64 = 8 * stream::PROCESSORS;
/// A part of what is contiguous in memory begins at a multiple of this many elements, so that it has whole lines; if these
/// leave a rest, of this many, so that accesses stay wide.
const ALIGNED: i64 = 64;
const ACCESS: i64 = 8;
/// Operations in front of a reduction that are made again for its parts, at most.
const MADE_MAX: usize = 32;

/// Splits the reductions of a block that need it. Returns what combines their parts, and who makes these: one kernel of
/// both would be one workgroup's again.
pub(super) fn split(ir: &mut Ir, block: BlockId, func: OpId, facts: &Facts) -> FxHashMap<OpId, OpId> {
    let mut sums = FxHashMap::default();
    let is_dispatch = !Interface::of(ir, func).is_ok_and(|interface| interface.is_none());
    if is_dispatch || facts.chip.native.is_some() || ir.attr(func, "translation_info").is_some() {
        return sums;
    }
    sums.extend(ir.ops_of(block).into_iter().filter_map(|op| open_sums::divide(ir, op, facts)));
    let found: Vec<(OpId, Parts)> =
        ir.ops_of(block).into_iter().filter_map(|op| Some((op, Parts::of(ir, op, facts)?))).collect();
    // Reductions of one tensor, as a norm has them, share its rows, so that either all are divided or none.
    // What else goes along them is divided then, too.
    let reducing: FxHashSet<OpId> =
        found.iter().flat_map(|(op, parts)| parts.sources.made.iter().chain([op])).copied().collect();
    let mut saved: FxHashMap<Option<ValueId>, (f64, f64)> = FxHashMap::default();
    for (_, parts) in &found {
        let (reductions, pass) = saved.entry(parts.source).or_default();
        *reductions += parts.saves;
        if parts.sources.others.iter().any(|other| !reducing.contains(other)) {
            *pass = parts.saves_pass.max(*pass);
        }
    }
    for (op, parts) in found {
        let (reductions, pass) = saved[&parts.source];
        if reductions + pass < 0.0 {
            continue;
        }
        say(ir, op, facts, "is reduced in", [parts.number, parts.workgroups]);
        let (sum, parts) = parts.write(ir, op);
        sums.insert(sum, parts);
    }
    if !sums.is_empty() {
        // What was made again may serve nobody else.
        crate::clean::remove(ir, func);
    }
    sums
}

/// Says how many parts an operation has, and for how many workgroups it has work as it is.
pub(super) fn say(ir: &Ir, op: OpId, facts: &Facts, how: &str, [parts, workgroups]: [i64; 2]) {
    let name = ir.name(op);
    let message = format!("`{name}` {how} {parts} parts: it has work for {workgroups} workgroups alone");
    facts.remark(Diag::error(Code::KernelChoice, ir.span(op), message));
}

/// How a reduction is divided.
pub(super) struct Parts {
    /// The loop.
    along: usize,
    /// How many.
    number: i64,
    /// Iterations of each; a rest may be left behind them.
    length: i64,
    /// How many workgroups the operation would have as it stands.
    workgroups: i64,
    /// Whether the parts of a result lie side by side, so that few threads combine them; tiles of products lie as they are.
    beside: bool,
    /// What they read.
    sources: Sources,
    /// The largest tensor of that.
    source: Option<ValueId>,
    /// Microseconds by which the parts are faster, and by which another pass along the rows is that others share.
    saves: f64,
    saves_pass: f64,
}

impl Parts {
    fn of(ir: &Ir, op: OpId, facts: &Facts) -> Option<Parts> {
        let linalg = Linalg::try_of(ir, op).filter(|_| !windows::is_window(ir, op))?;
        let extents = linalg.extents(ir);
        let fits = linalg.reduction.contains(&true)
            && ir.attr(op, "lowering_config").is_none()
            && extents.iter().all(|&extent| extent != DYNAMIC && extent > 0)
            && linalg.maps.iter().all(is_plain)
            && linalg.inputs.iter().all(|&input| ir.ty(input).is_tensor())
            && linalg.outputs.len() == 1
            && body::reduction_of(ir, op, 0).is_some();
        if !fits {
            return None;
        }
        if !stream::takes(ir, op, &linalg, &extents) {
            let parts = Some(op).filter(|_| !counts(ir, op)).and_then(|op| parts_of_product(ir, op, &linalg, facts))?;
            return Some(Parts::of_product(&parts)).filter(|_| !tails::are_faster(ir, op, facts));
        }
        let stream::Rounds { workgroups, rounds } = stream::rounds(ir, op, &linalg, &extents, facts);
        if workgroups >= stream::PROCESSORS {
            return None;
        }
        let sources = Sources::of(ir, op, facts)?;
        let (&input, largest) =
            linalg.inputs.iter().zip(&linalg.maps).rev().max_by_key(|(input, _)| bytes(ir, **input))?;
        // Threads read what elementwise operations read, which may be wider or narrower.
        let source = sources.read.iter().copied().rev().max_by_key(|&value| bytes(ir, value));
        let wide = source.map_or(0, |value| bytes(ir, value));
        let rounds = (rounds.saturating_mul(wide) / bytes(ir, input).max(1)).max(1);
        // In a norm, many threads share a row, and go along it again for what follows.
        let reduced: Vec<i64> =
            (0..extents.len()).filter(|&d| linalg.reduction[d] && extents[d] > 1).map(|d| extents[d]).collect();
        let passes = match reduced[..] {
            [row] if !sources.others.is_empty() => Some(stream::rounds_of_pass(row, facts)),
            _ => None,
        };
        let waits = passes.map_or(rounds, |passes| passes.min(rounds)) as f64 * ROUND;
        let points = extents.iter().fold(1.0, |n, &extent| n * extent as f64);
        let operations: f64 = sources.made.iter().chain([&op]).map(|&op| again::operations(ir, op, facts)).sum();
        let computes = points * operations / OPERATIONS;
        let alone = waits.max(computes * stream::PROCESSORS as f64 / workgroups as f64);
        let moves = sources.read.iter().map(|&value| bytes(ir, value)).sum::<i64>() as f64 / bytes_moved(facts);
        // The parts wait once at least, and so do those who combine them.
        let saves = alone - LAUNCH - moves.max(computes) - 2.0 * ROUND;
        let saves_pass = passes.map_or(0.0, |_| waits - ROUND - moves);
        let wanted = (WORKGROUPS / workgroups).min(rounds.max((alone / ROUND) as i64));
        // The slowest loop in memory that is reduced and long enough, so that parts are long there.
        let dims = largest.as_dims()?;
        let reduced = || dims.iter().copied().filter(|&d| linalg.reduction[d]);
        let along =
            reduced().find(|&d| extents[d] >= wanted).or_else(|| reduced().rev().max_by_key(|&d| extents[d]))?;
        let extent = extents[along];
        let wanted = wanted.min(extent);
        let units: &[i64] = if dims.last() == Some(&along) { &[ALIGNED, ACCESS] } else { &[1] };
        let cuts = units.iter().flat_map(|unit| (wanted..=2 * wanted).map(move |n| (n, extent / n / unit * unit)));
        // The first that leaves the least.
        let (number, length) = cuts.filter(|at| at.1 > 0).min_by_key(|(number, length)| extent - number * length)?;
        (number > 1).then_some(Parts {
            along,
            number,
            length,
            workgroups,
            beside: true,
            sources,
            source,
            saves,
            saves_pass,
        })
    }

    pub(super) fn of_product(parts: &products::Parts) -> Parts {
        let &products::Parts { along, number, length, workgroups } = parts;
        let (beside, sources, source, saves, saves_pass) = Default::default();
        Parts { along, number, length, workgroups, beside, sources, source, saves, saves_pass }
    }

    /// Writes the parts and what combines them. Returns what combines them, and what makes them.
    pub(super) fn write(&self, ir: &mut Ir, op: OpId) -> (OpId, OpId) {
        let op = make_generic(ir, op).unwrap_or(op);
        let linalg = Linalg::of(ir, op);
        let reduction = body::reduction_of(ir, op, 0).expect("`of` has looked");
        let whole = self.number * self.length;
        let (extent, output) = (linalg.extents(ir)[self.along], linalg.outputs[0]);
        let results = linalg.maps[linalg.inputs.len()].as_dims().expect("`of` has looked");
        let builder = &mut Builder::before(ir, op);
        let mut start = output;
        if whole < extent {
            let mut rest = Cut::of(&self.sources.made, whole, None, extent - whole);
            let rest = rest.operation(builder, op, self.along, output, &results);
            start = builder.ir.result(rest, 0);
        }
        let mut parts = Cut::of(&self.sources.made, 0, Some(self.number), self.length);
        let mut of_part: Vec<usize> = results.iter().flat_map(|&d| parts.loops(d, self.along)).collect();
        let mut shape = builder.ir.shape_of(output).to_vec();
        let at = if self.beside { shape.len() } else { 0 };
        of_part.insert(at, self.along);
        shape.insert(at, self.number);
        let elem = builder.ir.elem_of(output);
        let ty = builder.ir.tensor_type(&shape, elem);
        let neutral = reduction.combiner.neutral(builder, elem);
        let empty = builder.value(Opcode::TensorEmpty, &[], ty, &[]);
        let neutrals = fill(builder, neutral, empty);
        let parts = parts.operation(builder, op, self.along, neutrals, &of_part);
        let rank = shape.len();
        let kept: Vec<usize> = (0..rank).filter(|&d| d != at).collect();
        let sum = Linalg {
            inputs: vec![builder.ir.result(parts, 0)],
            outputs: vec![start],
            maps: vec![Map::identity(rank), Map::of_dims(rank, &kept)],
            reduction: (0..rank).map(|d| d == at).collect(),
        };
        let sum = generic(builder, &sum, &[]);
        combiner(builder, sum, reduction.combiner);
        let (old, new) = (ir.result(op, 0), ir.result(sum, 0));
        ir.replace_uses(old, new);
        ir.erase(op);
        (sum, parts)
    }
}

/// Where a reduction reads from: in front of elementwise operations that are made again for its parts.
#[derive(Default)]
struct Sources {
    /// These operations.
    made: Vec<OpId>,
    /// What they and the reduction read.
    read: Vec<ValueId>,
    /// Who else reads tensors that are as large.
    others: Vec<OpId>,
}

impl Sources {
    /// `None` where one is a window, which lies elsewhere.
    fn of(ir: &Ir, op: OpId, facts: &Facts) -> Option<Sources> {
        let mut found = Sources { made: Vec::new(), read: Vec::new(), others: Vec::new() };
        let mut users = FxHashSet::from_iter([op]);
        let mut waiting = vec![op];
        while let Some(user) = waiting.pop() {
            for value in Linalg::of(ir, user).inputs {
                let made = ir.def_op(value);
                if made.is_some_and(|made| users.contains(&made)) {
                    continue;
                }
                match made.filter(|&made| found.made.len() < MADE_MAX && is_made_again(ir, made, &users, facts)) {
                    Some(made) => {
                        users.insert(made);
                        found.made.push(made);
                        waiting.push(made);
                    }
                    None if found.read.contains(&value) => {}
                    None if made.is_some_and(|made| windows::is_window(ir, made)) => return None,
                    None => found.read.push(value),
                }
            }
        }
        let largest = found.read.iter().map(|&value| elements(ir, value)).max().unwrap_or(0);
        let made = found.made.iter().map(|&made| ir.result(made, 0));
        let all: Vec<ValueId> = found.read.iter().copied().chain(made).collect();
        let large = all.into_iter().filter(|&value| elements(ir, value) == largest);
        let readers = large.flat_map(|value| ir.uses(value)).map(|(user, _)| user);
        found.others = readers.filter(|user| !users.contains(user) && is_work(ir, *user)).collect();
        Some(found)
    }
}

/// Whether an elementwise operation had better be made again than read: nobody else needs it, or that takes less than a
/// kernel that writes it for others. What stands behind another kernel's reduction belongs to that.
fn is_made_again(ir: &Ir, op: OpId, users: &FxHashSet<OpId>, facts: &Facts) -> bool {
    let Some(linalg) = Linalg::try_of(ir, op).filter(|_| group::computes(ir, op) && may_be_cut(ir, op)) else {
        return false;
    };
    let result = ir.result(op, 0);
    let is_whole = |value: ValueId| elements(ir, value) >= elements(ir, result);
    let is_behind = |&value: &ValueId| {
        ir.def_op(value).is_some_and(|made| is_work(ir, made) && !is_elementwise(ir, made)) && is_whole(value)
    };
    if linalg.inputs.iter().any(is_behind) {
        return false;
    }
    let read: i64 = linalg.inputs.iter().map(|&input| bytes(ir, input)).sum();
    let computed = elements(ir, result) as f64 * again::operations(ir, op, facts) / OPERATIONS;
    ir.uses(result).all(|(user, _)| users.contains(&user))
        || computed + read as f64 / BYTES < LAUNCH + 2.0 * bytes(ir, result) as f64 / BYTES
}

/// Whether an elementwise operation can be computed of a part of what it is computed of.
pub(super) fn may_be_cut(ir: &Ir, op: OpId) -> bool {
    let Some(linalg) = Linalg::try_of(ir, op).filter(|_| is_elementwise(ir, op)) else { return false };
    let extents = linalg.extents(ir);
    linalg.outputs.len() == 1
        && ir.attr(op, "lowering_config").is_none()
        && extents.iter().all(|&extent| extent != DYNAMIC)
        && linalg.maps.iter().all(is_plain)
        && linalg.maps[linalg.inputs.len()].as_dims().is_some_and(|dims| dims.len() == extents.len())
        && ir.args(ir.entry(op)).last().is_some_and(|&arg| ir.is_unused(arg))
        && !ir.walk(op).iter().any(|&inner| ir.opcode(inner) == Opcode::TensorExtract)
}

/// Bytes that the memory of the chip moves in a microsecond.
fn bytes_moved(facts: &Facts) -> f64 {
    let of = |processors: Processors| f64::from(processors.memory_bytes) * f64::from(processors.clock_mhz);
    facts.chip.processors.map_or(BYTES, of)
}

/// Whether an operand lies along distinct loops.
pub(super) fn is_plain(map: &Map) -> bool {
    map.as_dims().is_some_and(|dims| dims.iter().enumerate().all(|(i, d)| !dims[..i].contains(d)))
}

/// Whether the body of an operation counts its loops.
fn counts(ir: &Ir, op: OpId) -> bool {
    ir.walk(op).into_iter().any(|inner| ir.opcode(inner) == Opcode::LinalgIndex)
}

/// Some iterations of a loop, and what is read in them.
pub(super) struct Cut<'a> {
    /// The operations that are made again for these iterations.
    made: &'a [OpId],
    first: i64,
    /// How many parts there are, if the loop becomes two, the first of which counts them.
    parts: Option<i64>,
    /// Iterations of each.
    length: i64,
    /// The part of a tensor along one of its dimensions.
    known: FxHashMap<(ValueId, usize), ValueId>,
}

impl Cut<'_> {
    pub(super) fn of(made: &[OpId], first: i64, parts: Option<i64>, length: i64) -> Cut<'_> {
        Cut { made, first, parts, length, known: FxHashMap::default() }
    }

    /// What becomes of a loop where `along` is cut.
    fn loops(&self, d: usize, along: usize) -> Vec<usize> {
        match self.parts {
            Some(_) if d == along => vec![d, d + 1],
            Some(_) if d > along => vec![d + 1],
            _ => vec![d],
        }
    }

    /// The operation in these iterations of loop `along`, with this output, which lies along `results` of the new loops.
    fn operation(
        &mut self,
        builder: &mut Builder<'_>,
        op: OpId,
        along: usize,
        output: ValueId,
        results: &[usize],
    ) -> OpId {
        let linalg = Linalg::of(builder.ir, op);
        let mut reduction = linalg.reduction.clone();
        if self.parts.is_some() {
            reduction.insert(along, false);
        }
        let (mut inputs, mut maps) = (Vec::new(), Vec::new());
        for (&input, map) in linalg.inputs.iter().zip(&linalg.maps) {
            let dims = map.as_dims().expect("who cuts has looked");
            let at = dims.iter().position(|&d| d == along);
            inputs.push(at.map_or(input, |at| self.operand(builder, input, at)));
            let dims: Vec<usize> = dims.iter().flat_map(|&d| self.loops(d, along)).collect();
            maps.push(Map::of_dims(reduction.len(), &dims));
        }
        maps.push(Map::of_dims(reduction.len(), results));
        let new = generic(builder, &Linalg { inputs, outputs: vec![output], maps, reduction }, &[]);
        builder.copy_regions(op, new, &mut ValueMap::default());
        self.recount(builder.ir, new, along);
        new
    }

    /// A tensor in these iterations of what lies along its dimension `at`.
    pub(super) fn operand(&mut self, builder: &mut Builder<'_>, value: ValueId, at: usize) -> ValueId {
        if let Some(&known) = self.known.get(&(value, at)) {
            return known;
        }
        let mut shape = builder.ir.shape_of(value).to_vec();
        let (extent, whole) = (shape[at], self.parts.unwrap_or(1) * self.length);
        shape[at] = whole;
        let sizes: Vec<Mixed> = shape.iter().copied().map(Mixed::Static).collect();
        shape.splice(at..=at, self.parts.into_iter().chain([self.length]));
        let new = match builder.ir.def_op(value).filter(|made| self.made.contains(made)) {
            Some(made) => {
                let linalg = Linalg::of(builder.ir, made);
                let dims = linalg.maps[linalg.inputs.len()].as_dims().expect("who makes it again has looked");
                let results: Vec<usize> = dims.iter().flat_map(|&d| self.loops(d, dims[at])).collect();
                let output = match linalg.reduction.contains(&true) {
                    true => self.operand(builder, linalg.outputs[0], at),
                    false => empty_like(builder, value, &shape),
                };
                let new = self.operation(builder, made, dims[at], output, &results);
                builder.ir.result(new, 0)
            }
            None if let Some(number) = filled_with(builder.ir, value) => {
                let empty = empty_like(builder, value, &shape);
                fill(builder, number, empty)
            }
            None => {
                let first: Vec<Mixed> =
                    (0..sizes.len()).map(|d| Mixed::Static(if d == at { self.first } else { 0 })).collect();
                let part = if whole == extent { value } else { builder.extract_slice(value, &first, &sizes) };
                let groups: Vec<usize> = (0..sizes.len()).map(|d| 1 + usize::from(d == at)).collect();
                match self.parts {
                    Some(_) => {
                        expand(builder, part, &groups, &shape.iter().copied().map(Mixed::Static).collect::<Vec<_>>())
                    }
                    None => part,
                }
            }
        };
        self.known.insert((value, at), new);
        new
    }

    /// Lets the body of a new operation count the loops of the old one.
    fn recount(&self, ir: &mut Ir, op: OpId, along: usize) {
        for inner in ir.walk(op) {
            if ir.opcode(inner) != Opcode::LinalgIndex {
                continue;
            }
            let Some(d) = ir.attr(inner, "dim").and_then(Attr::as_i64).map(|d| d as usize) else { continue };
            let body = &mut Builder::before(ir, inner);
            let loops: Vec<ValueId> = self.loops(d, along).into_iter().map(|d| loop_index(body, d)).collect();
            let place = match loops.len() {
                2 => Expr::binary(
                    BinOp::Add,
                    Expr::binary(BinOp::Mul, Expr::Dim(0), Expr::Const(self.length)),
                    Expr::Dim(1),
                ),
                _ => Expr::Dim(0),
            };
            let first = if d == along { self.first } else { 0 };
            let place = Expr::binary(BinOp::Add, place, Expr::Const(first));
            let new = at_loops(body, &place, &loops);
            let old = ir.result(inner, 0);
            ir.replace_uses(old, new);
            ir.erase(inner);
        }
    }
}

/// A tensor of the elements of another one, without contents.
pub(super) fn empty_like(builder: &mut Builder<'_>, value: ValueId, shape: &[i64]) -> ValueId {
    let elem = builder.ir.elem_of(value);
    let ty = builder.ir.tensor_type(shape, elem);
    builder.value(Opcode::TensorEmpty, &[], ty, &[])
}

/// The number that a tensor is filled with.
fn filled_with(ir: &Ir, value: ValueId) -> Option<ValueId> {
    let fill = ir.def_op(value).filter(|&made| ir.opcode(made) == Opcode::LinalgFill)?;
    Some(ir.operand(fill, 0))
}
