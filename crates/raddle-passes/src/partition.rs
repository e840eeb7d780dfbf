//! Partition: divide a function on tensors into kernels, and call them in order.
//!
//! Before: `func.func @f` with two matrix multiplications
//! After:
//!
//! ```mlir
//! func.func @f(%a, %b, %c) -> … {
//!   %0 = call @f_kernel_0(%a, %b)
//!   %1 = call @f_kernel_1(%0, %c)
//!   return %1
//! }
//! func.func @f_kernel_0(…) { linalg.matmul … }
//! ```
//!
//! Operations are taken in order. One joins the kernel of an operand, and the elementwise kernels that serve only it join
//! with it, if the group of all of them can be tiled and no other kernel has to run in between. Fills, constants and
//! scalar arithmetic are made again in each kernel. What does not compute (reshapes, casts, control flow, constants with
//! many values) stays with the host, and blocks inside of control flow are divided in the same way.
//!
//! A kernel of several operations is tried: where a later pass refuses it, the first operation that made it a kernel that
//! is refused joins fewer of those that it uses, or none. So what compiles alone compiles in company. Most do compile, and
//! who compiles all kernels anyway may learn it so: its `Trials` have no steps, and `is_tried` says which kernels it has to
//! answer for.
//!
//! Kernels that are alike are one, which is called more than once.
//!
//! Does not search: the first grouping that holds is taken.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::interface::Interface;
use raddle_ir::views::{Linalg, SliceView};
use raddle_ir::{
    Attr, BlockId, Builder, Class, Code, DYNAMIC, Def, Diag, Ir, OpId, Opcode, PrintOptions, Scalar, Span, Type,
    TypeId, ValueId, ValueMap,
};
use raddle_target::{Stage, stage};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::configure::attention;
use crate::configure::group::{self, Group};
use crate::facts::Facts;
use crate::structured::scans::Scan;
use crate::structured::{alignment, in_place, symbols, windows};
use crate::{normalize, scalar_loops};

mod again;
mod alike;
mod beside;
mod by_reads;
pub mod carried;
mod channels_last;
mod computed_masks;
mod counters;
mod dispatches;
mod elements;
mod few_rows;
mod few_workgroups;
mod first_refused;
mod flatten;
mod grouped_sums;
pub mod hoisted;
mod im2col;
mod inner_sums;
mod kept_dims;
mod long_scans;
mod long_scatters;
mod long_sorts;
mod loops_apart;
mod made_again;
mod moved_factors;
mod moved_heads;
mod narrow_reads;
mod numbers;
mod open_sums;
mod order;
mod pieces;
mod pieces_in_place;
mod product_apart;
mod ranges;
mod reshape;
mod rolls;
mod rounds_at_once;
mod row_scatters;
mod scatter_reads;
mod several;
mod slices;
mod split;
mod sums_again;
mod tails;
mod tried;
mod window_scatters;
mod windows_apart;

use first_refused::first_refused;
use order::{in_order, rearranged};
pub use tried::Tried;
use tried::try_steps;

/// A step that compiles a kernel.
pub type Step = fn(&mut Ir, OpId, &Facts) -> Result<(), Diag>;

/// How it is found out whether kernels of several operations compile, and what is known of it.
#[derive(Default)]
pub struct Trials {
    /// What compiles a kernel. With no steps, every kernel of which nothing is known is taken to compile.
    pub steps: Vec<Step>,
    /// What became of kernels, by their text without the name: the layers of a model have the same.
    pub known: FxHashMap<String, Result<(), Diag>>,
}

impl Trials {
    /// Trials by these steps.
    pub fn by(steps: Vec<Step>) -> Trials {
        Trials { steps, known: FxHashMap::default() }
    }
}

/// A function as text, but for its name.
pub fn text_of(ir: &Ir, func: OpId) -> String {
    let mut text = raddle_ir::text::print_one(ir, func, &PrintOptions::default());
    text.drain(..text.find('(').unwrap_or(0));
    text
}

/// Makes a function that is more than one kernel the host of its kernels. One that is a kernel stays as it is, unless its
/// product has fewer loops behind reshapes.
pub fn partition(ir: &mut Ir, func: OpId, facts: &Facts, trials: &mut Trials) -> Result<(), Diag> {
    match stage::of(ir, func) {
        Stage::Tensor => {}
        Stage::Configured => {
            hand_constants(ir, func, facts);
            return Ok(());
        }
        _ => return Ok(()),
    }
    // Who launches a kernel knows the extents of what it returns from the function as it is, or by what states them.
    let follow = is_stated(ir, func) || symbols::results(ir, func).iter().all(Option::is_some);
    // What nobody uses is no reason for a kernel.
    crate::clean::remove(ir, func);
    let mut kernels = Vec::new();
    let blocks = blocks(ir, func);
    let overwritten = in_place::overwritten(ir, func)?;
    if let Some(argument) = overwritten {
        let message = format!(
            "one kernel would overwrite argument {argument} while other threads read it: results get memory of their own"
        );
        facts.remark(Diag::error(Code::KernelChoice, ir.span(func), message));
    }
    let is_dispatch = Interface::of(ir, func)?.is_some();
    if !is_configured(ir, func) {
        if blocks.len() > 1 && !is_dispatch && carried::computes_besides(ir, func) {
            counters::as_numbers(ir, &blocks);
            carried::mark(ir, &blocks);
            rounds_at_once::compute_in_front(ir, &blocks, facts);
        }
        numbers::state(ir, func, &blocks);
        ranges::count(ir, &blocks);
        narrow_reads::widen_late(ir, &blocks);
        computed_masks::take_in(ir, &blocks, facts);
        row_scatters::join(ir, &blocks);
        if !is_dispatch {
            window_scatters::gather(ir, &blocks);
        }
        if facts.chip.native.is_none() && !is_dispatch {
            long_scans::divide(ir, &blocks, facts);
            long_scatters::sort(ir, &blocks);
            rolls::read_in_place(ir, &blocks);
        }
        if !is_dispatch {
            long_sorts::divide(ir, &blocks, facts);
        }
        crate::clean::remove(ir, func);
    }
    // A dispatch is one kernel; CPUs have a loop over both.
    if is_dispatch {
        in_place::copy_moved(ir, func);
        // One that only puts numbers into tensors is launched as well.
        if is_host(ir, func) && scalar_loops::choose(ir, func, None, facts).is_ok() {
            return Ok(());
        }
    }
    let least = match facts.chip.native {
        Some(_) => Some(0),
        None if is_dispatch => None,
        None => Some(windows::WORTH_A_KERNEL),
    };
    let least = least.filter(|&least| !is_stated(ir, func) && im2col::is_there(ir, &blocks, least, facts));
    let is_divided = (overwritten.is_none() || !is_stated(ir, func))
        && (least.is_some()
            || !(follow && is_one_kernel(ir, func, &blocks, facts))
            || !is_stated(ir, func) && flatten::joins_products(ir, &blocks));
    if !is_divided && facts.chip.native.is_none() {
        im2col::read_by_index(ir, &blocks, is_dispatch, facts);
    }
    if is_divided {
        flatten::flatten(ir, &blocks);
        if let Some(least) = least {
            im2col::unfold(ir, &blocks, least, facts);
            flatten::flatten(ir, &blocks);
        }
        if !is_stated(ir, func) {
            pieces_in_place::choose(ir, &blocks);
        }
        pieces::choose(ir, &blocks);
        loops_apart::split_between_products(ir, &blocks);
        loops_apart::split_around_moves(ir, &blocks);
        crate::clean::remove(ir, func);
        // What reshapes have hidden may be attention.
        normalize::normalize(ir, func, facts, attention::fits)?;
    } else if !is_configured(ir, func) {
        kept_dims::leave_out(ir, &blocks);
    }
    let mut apart = channels_last::Apart::default();
    if !is_configured(ir, func) {
        moved_factors::read_in_place(ir, &blocks, facts);
        if facts.chip.native.is_none() {
            grouped_sums::refine(ir, &blocks, facts);
        }
        if is_divided {
            loops_apart::split_around_reshapes(ir, &blocks);
        }
        if facts.chip.native.is_none() {
            grouped_sums::split(ir, &blocks);
            grouped_sums::divide_few_rows(ir, &blocks, facts);
        }
        computed_masks::take_in(ir, &blocks, facts);
        moved_heads::read_in_place(ir, &blocks, facts);
        // Loops of heads of their own may be those that masks depend on.
        computed_masks::take_in(ir, &blocks, facts);
        if is_divided && facts.chip.native.is_none() && !is_dispatch {
            apart = channels_last::copy_images(ir, &blocks, facts);
        }
        if facts.chip.native.is_none() {
            inner_sums::lengthen(ir, &blocks);
        }
        if is_divided {
            narrow_reads::widen_behind_reshapes(ir, &blocks);
        }
        crate::clean::remove(ir, func);
    }
    if overwritten.is_none() && !is_stated(ir, func) {
        pieces::copy_moved(ir, &blocks);
    }
    for &block in &blocks {
        group::clone_fills(ir, block);
        decompose_attention(ir, block, func, facts, trials)?;
        let sums = split::split(ir, block, func, facts);
        let refused = Refused { sums: &sums, groups: FxHashSet::default(), apart: &apart };
        let mut units = divide(ir, block, func, refused, facts, trials);
        if !is_stated(ir, func) {
            made_again::make_again(ir, func, &mut units, &apart.copies, facts, trials);
            sums_again::make_again(ir, func, &mut units, &sums, facts, trials);
            units = beside::join(ir, block, func, units, facts, trials);
            scatter_reads::take_in(ir, func, &mut units, facts, trials);
            units = tails::divide(ir, block, func, units, facts, trials);
        }
        let whole = follow && block == ir.entry(func) && blocks.len() == 1 && is_kernel(ir, func, block, &units);
        if overwritten.is_none() && (whole || blocks.len() == 1 && dispatches::stays_whole(ir, func, facts)) {
            return Ok(());
        }
        require_multiples(ir, func)?;
        if !is_stated(ir, func) {
            units = join_loops(ir, block, func, units, facts, trials);
        }
        host(ir, block, func, &units, facts, &mut kernels);
    }
    // What nobody uses may stand in front of what it uses.
    while crate::clean::remove(ir, func) {}
    if !is_stated(ir, func) {
        let n = hoisted::hoist(ir, func, &kernels);
        if n > 0 {
            let message = format!("{n} calls depend on globals and constants alone: an initializer makes them once");
            facts.remark(Diag::error(Code::KernelChoice, ir.span(func), message));
            crate::clean::remove(ir, func);
        }
    }
    Ok(())
}

/// Whether a function may be one kernel as it stands, or is said to be one.
fn is_one_kernel(ir: &Ir, func: OpId, blocks: &[BlockId], facts: &Facts) -> bool {
    let none = channels_last::Apart::default();
    let nothing = Refused { sums: &FxHashMap::default(), groups: FxHashSet::default(), apart: &none };
    let one = |block: BlockId| {
        let needs = Needs::of(ir, block);
        !has_host_work(ir, func, block, &needs)
            && is_kernel(ir, func, block, &grouped(ir, func, &needs, &nothing, &Held::default(), facts))
    };
    is_stated(ir, func) || matches!(blocks, &[block] if one(block))
}

/// Whether a block has work for a kernel, and between kernels what the host alone does: however its operations are grouped,
/// which takes long in large programs, they are not one kernel.
fn has_host_work(ir: &Ir, func: OpId, block: BlockId, needs: &Needs) -> bool {
    let end = ir.terminator(block);
    let is_kernels = |op: OpId| is_work(ir, op) && in_place::delivers(ir, func, op).is_none();
    let is_hosts = |op: OpId| !is_work(ir, op) && !may_join(ir, op) && Some(op) != end;
    needs.ops.iter().any(|&op| is_hosts(op)) && needs.ops.iter().any(|&op| is_kernels(op))
}

/// Whether a function is said to be a kernel: its shapes are what the user launches.
fn is_stated(ir: &Ir, func: OpId) -> bool {
    Interface::of(ir, func).is_ok_and(|interface| interface.is_some()) || is_configured(ir, func)
}

/// Whether a program says how a kernel is compiled.
fn is_configured(ir: &Ir, func: OpId) -> bool {
    let configured = |op: OpId| ir.attr(op, "lowering_config").is_some() || ir.attr(op, "translation_info").is_some();
    configured(func) || ir.walk(func).into_iter().any(configured)
}

/// Writes attention that is not a kernel by simpler operations, unless the user says how the kernel is tiled.
fn decompose_attention(
    ir: &mut Ir,
    block: BlockId,
    func: OpId,
    facts: &Facts,
    trials: &mut Trials,
) -> Result<(), Diag> {
    for op in ir.ops_of(block) {
        if !attention::is_attention(ir, op) {
            continue;
        }
        let op = if is_stated(ir, func) { op } else { few_rows::rewrite(ir, op, facts) };
        let Err(diag) = compiles(&mut None, ir, func, &[op], facts, trials) else { continue };
        if ir.attr(op, "lowering_config").is_some() {
            return Err(diag);
        }
        let message = format!("the scores of `{}` go through memory: it is several kernels", ir.name(op));
        facts.remark(Diag::error(Code::KernelChoice, ir.span(op), message).note(diag.message));
        let _ = normalize::attention::decompose(ir, op, None);
    }
    Ok(())
}

/// Whether a function has nothing for a kernel: it moves tensors about, computes with numbers, or calls others.
pub fn is_host(ir: &Ir, func: OpId) -> bool {
    let (inputs, results) = ir.signature(func);
    let mut types = inputs.iter().chain(results);
    let in_memory = |ty: &TypeId| matches!(ir[*ty], Type::MemRef { .. } | Type::Vector { .. });
    match stage::of(ir, func) {
        Stage::Tensor => !scalar_loops::is_chosen(ir, func) && !ir.walk(func).into_iter().any(|op| is_work(ir, op)),
        // Numbers alone; a kernel returns none.
        Stage::Lowered => !results.is_empty() && !types.any(in_memory),
        _ => false,
    }
}

/// What stays together: a kernel, or one operation of the host.
struct Unit {
    /// In the order of the program.
    ops: Vec<OpId>,
    is_kernel: bool,
    /// The groups that it has been, with the operation that joined last: each joined the one in front of it.
    joined: Vec<(Vec<OpId>, OpId)>,
}

/// The blocks whose operations the host carries out.
fn blocks(ir: &Ir, func: OpId) -> Vec<BlockId> {
    let mut found = ir.blocks(ir.regions(func)[0]).to_vec();
    let mut at = 0;
    while let Some(&block) = found.get(at) {
        for op in ir.block_ops(block) {
            if matches!(ir.class(op), Class::Loop | Class::Branch) {
                found.extend(ir.regions(op).iter().flat_map(|&region| ir.blocks(region).to_vec()));
            }
        }
        at += 1;
    }
    found
}

/// Whether every user makes its own: fills, tensors without contents, constants and scalar arithmetic.
fn is_cheap(ir: &Ir, op: OpId) -> bool {
    match ir.class(op) {
        Class::Constant => ir.results(op).all(|value| ir.ty(value).shape().is_none()),
        Class::Empty => true,
        _ if windows::is_window(ir, op) => true,
        Class::Elementwise | Class::Index => {
            ir.opcode(op).info().is_pure() && ir.results(op).all(|value| ir.ty(value).shape().is_none())
        }
        // An extent of an argument is read where it is needed; that of another tensor, where that is.
        _ if ir.opcode(op) == Opcode::TensorDim => match ir.def(ir.operand(op, 0)) {
            Def::Arg { block, .. } => ir.opcode(ir.region_parent(ir.block_region(block))) == Opcode::FuncFunc,
            Def::Result { .. } => false,
        },
        _ if ir.opcode(op) == Opcode::LinalgFill => !is_for_host(ir, op),
        _ if ir.opcode(op) == Opcode::LinalgGeneric => long_sorts::numbers_elements(ir, op),
        _ => matches!(ir.opcode(op), Opcode::TensorEmpty | Opcode::UtilAssumeInt),
    }
}

/// Whether the host needs what an operation gives.
fn is_for_host(ir: &Ir, op: OpId) -> bool {
    ir.results(op).any(|value| ir.uses(value).any(|(user, _)| !is_work(ir, user)))
}

/// Operations that compute on tensors, and that the host does not.
fn is_work(ir: &Ir, op: OpId) -> bool {
    let name = ir.name(op);
    let is_view = matches!(
        ir.opcode(op),
        Opcode::TensorExpandShape
            | Opcode::TensorCollapseShape
            | Opcode::TensorCast
            | Opcode::TensorExtract
            | Opcode::TensorFromElements
            | Opcode::TensorInsert
            | Opcode::TensorDim
            | Opcode::TensorRank
            | Opcode::TensorReshape
    );
    let of_tensors = ["linalg.", "iree_linalg_ext.", "tensor."].iter().any(|dialect| name.starts_with(dialect));
    let elementwise = ir.class(op) == Class::Elementwise && ir.results(op).any(|value| ir.ty(value).shape().is_some());
    // Inside of the region of another operation, tensors are read.
    let nested = ir.opcode(op).name().ends_with(".yield");
    (of_tensors && !is_view && !nested && !is_cheap(ir, op) && !carried::is_insertion(ir, op)) || elementwise
}

/// The kernels of a block, and what is between them, in an order in which they can run. A kernel that does not compile is
/// grouped in another way.
///
/// Some operations are refused from the beginning.
fn divide(
    ir: &Ir,
    block: BlockId,
    func: OpId,
    mut refused: Refused<'_>,
    facts: &Facts,
    trials: &mut Trials,
) -> Vec<Unit> {
    let needs = Needs::of(ir, block);
    let mut fit: FxHashSet<Vec<OpId>> = FxHashSet::default();
    let mut copy = None;
    // Of the operations that joined a kernel last, why it was refused.
    let mut why: BTreeMap<OpId, Diag> = BTreeMap::new();
    let held = Held::default();
    let units = loop {
        let units = grouped(ir, func, &needs, &refused, &held, facts);
        let computes_more = |unit: &&Unit| unit.ops.iter().filter(|&&op| may_join(ir, op)).count() > 1;
        let n_known = |unit: &Unit| unit.joined.iter().rposition(|(ops, _)| fit.contains(ops)).map_or(0, |at| at + 1);
        let known: Vec<usize> = units.iter().filter(computes_more).map(n_known).collect();
        let mut fits = |ops: &Vec<OpId>| {
            if !fit.contains(ops) {
                compiles(&mut copy, ir, func, ops, facts, trials)?;
                fit.insert(ops.clone());
            }
            Ok(())
        };
        let found: Vec<_> = (units.iter().filter(computes_more).zip(&known))
            .filter_map(|(unit, &n_known)| first_refused(&unit.joined, n_known, &mut fits))
            .collect();
        if found.is_empty() {
            break units;
        }
        for (group, last, diag) in found {
            refused.groups.insert(group);
            why.insert(last, diag);
        }
    };
    for (op, diag) in why {
        let alone = units.iter().any(|unit| unit.ops == [op]);
        facts.remarks.borrow_mut().push(leaves(ir, op, alone, &diag));
    }
    units
}

/// What is not to be one kernel.
struct Refused<'a> {
    /// Operations that combine parts, and who makes these: a kernel of both would have the workgroups of one.
    sums: &'a FxHashMap<OpId, OpId>,
    /// Copies of images, and who reads them.
    apart: &'a channels_last::Apart,
    /// Kernels that do not compile.
    groups: FxHashSet<Vec<OpId>>,
}

/// The operations of a block that are not made again in each kernel, and what each of them needs of the others.
struct Needs {
    ops: Vec<OpId>,
    /// The place of each in `ops`.
    places: FxHashMap<OpId, usize>,
    /// The places of those that make what it uses, and of those in front of what is made again for it.
    makers: Vec<Vec<usize>>,
    /// The places of those that need it.
    users: Vec<Vec<usize>>,
}

impl Needs {
    fn of(ir: &Ir, block: BlockId) -> Needs {
        let cheap: FxHashSet<OpId> = ir.block_ops(block).filter(|&op| is_cheap(ir, op)).collect();
        let ops: Vec<OpId> = ir.block_ops(block).filter(|op| !cheap.contains(op)).collect();
        let places: FxHashMap<OpId, usize> = ops.iter().enumerate().map(|(at, &op)| (op, at)).collect();
        let makers = |&op: &OpId| {
            // Each operation is looked at once, as long chains of arithmetic share their parts.
            let mut seen: FxHashSet<OpId> = FxHashSet::default();
            let mut waiting: Vec<OpId> = operands_inside(ir, op).filter_map(|value| ir.def_op(value)).collect();
            while let Some(made) = waiting.pop() {
                if seen.insert(made) && cheap.contains(&made) {
                    waiting.extend(operands_inside(ir, made).filter_map(|value| ir.def_op(value)));
                }
            }
            let mut makers: Vec<usize> = seen.iter().filter_map(|made| places.get(made).copied()).collect();
            makers.sort_unstable();
            makers
        };
        let makers: Vec<Vec<usize>> = ops.iter().map(makers).collect();
        let mut users = vec![Vec::new(); ops.len()];
        for (at, makers) in makers.iter().enumerate() {
            makers.iter().for_each(|&maker| users[maker].push(at));
        }
        Needs { ops, places, makers, users }
    }

    /// The places of what makes what some operations use.
    fn makers_of<'a>(&'a self, ops: &'a [OpId]) -> impl Iterator<Item = usize> + 'a {
        ops.iter().flat_map(|op| &self.makers[self.places[op]]).copied()
    }
}

fn leaves(ir: &Ir, op: OpId, alone: bool, diag: &Diag) -> Diag {
    let what = if alone { "is in a kernel of its own: the one" } else { "is in a smaller kernel: a larger one" };
    let message = format!("`{}` {what} that it would join does not compile", ir.name(op));
    Diag::error(Code::KernelChoice, ir.span(op), message).as_remark().note(diag.message.clone())
}

/// Which operations are known to hold together, or not to: each time that a block is grouped, most questions are old.
type Held = RefCell<FxHashMap<Vec<OpId>, bool>>;

fn grouped(ir: &Ir, func: OpId, needs: &Needs, refused: &Refused, held: &Held, facts: &Facts) -> Vec<Unit> {
    let is_stated = is_stated(ir, func);
    let (units, kinds, of, latest) = Default::default();
    let mut grouping = Grouping { ir, needs, refused, held, is_stated, facts, units, kinds, of, latest };
    for &op in &needs.ops {
        grouping.add(op);
    }
    in_order(needs, grouping.units, &grouping.of)
}

/// The operations of a block so far.
struct Grouping<'a> {
    ir: &'a Ir,
    needs: &'a Needs,
    refused: &'a Refused<'a>,
    held: &'a Held,
    /// Whether they are said to be one kernel.
    is_stated: bool,
    facts: &'a Facts,
    /// Those whose operations have joined others are empty.
    units: Vec<Unit>,
    /// What the operations of each unit are.
    kinds: Vec<Kinds>,
    /// The unit of each operation.
    of: Vec<usize>,
    /// The last place among the operations of each unit and of all units that run in front of it.
    latest: Vec<usize>,
}

/// What all operations of a unit are, which is asked for each operation that uses one of them.
#[derive(Clone, Copy)]
struct Kinds {
    /// Each computes the elements of its results from one of each operand.
    are_elementwise: bool,
    /// Each may be in a kernel with others.
    may_join: bool,
}

impl Grouping<'_> {
    /// Puts the next operation into a unit.
    fn add(&mut self, op: OpId) {
        let parts = if may_join(self.ir, op) { self.joined(op) } else { None };
        let n = self.units.len();
        self.of.push(n);
        self.latest.push(n);
        let mut kinds = Kinds { are_elementwise: is_elementwise(self.ir, op), may_join: may_join(self.ir, op) };
        for &part in parts.iter().flatten() {
            kinds.are_elementwise &= self.kinds[part].are_elementwise;
            kinds.may_join &= self.kinds[part].may_join;
        }
        self.kinds.push(kinds);
        let Some(parts) = parts else {
            return self.units.push(Unit { ops: vec![op], is_kernel: is_work(self.ir, op), joined: Vec::new() });
        };
        let ops = self.together(&parts, op);
        for op in &ops {
            self.of[self.needs.places[op]] = n;
        }
        let largest = parts.iter().copied().max_by_key(|&part| self.units[part].ops.len());
        let mut joined = largest.map(|part| std::mem::take(&mut self.units[part].joined)).unwrap_or_default();
        joined.push((ops.clone(), op));
        for part in parts {
            self.units[part].ops.clear();
        }
        self.units.push(Unit { ops, is_kernel: true, joined });
        self.move_behind(n);
    }

    /// What uses a kernel runs behind all that has joined it, wherever its own operations stand.
    fn move_behind(&mut self, n: usize) {
        let mut waiting = vec![n];
        while let Some(unit) = waiting.pop() {
            for op in &self.units[unit].ops {
                for user in self.needs.users[self.needs.places[op]].iter().filter_map(|&at| self.of.get(at).copied()) {
                    if self.latest[user] < n {
                        self.latest[user] = n;
                        waiting.push(user);
                    }
                }
            }
        }
    }

    /// The operations of some units and another one, in the order of the program.
    fn together(&self, parts: &[usize], op: OpId) -> Vec<OpId> {
        let mut ops: Vec<OpId> = parts.iter().flat_map(|&part| self.units[part].ops.clone()).collect();
        ops.push(op);
        ops.sort_by_cached_key(|op| self.needs.places[op]);
        ops
    }

    /// Which units an operation joins.
    fn joined(&self, op: OpId) -> Option<Vec<usize>> {
        let (ir, needs, units, of) = (self.ir, self.needs, &self.units, &self.of);
        let made = ir.operands(op).iter().filter_map(|&value| ir.def_op(value));
        let feeding: BTreeSet<usize> = made.filter_map(|made| needs.places.get(&made)).map(|&at| of[at]).collect();
        let makers: Vec<usize> =
            feeding.into_iter().filter(|u| units[*u].is_kernel && self.takes_sum(&units[*u], op)).collect();
        let is_elementwise = |u: usize| self.kinds[u].are_elementwise;
        let is_inside = |u: usize, user: OpId| needs.places.get(&user).and_then(|&at| of.get(at)) == Some(&u);
        let serves_only = |u: usize| {
            let mut users = units[u].ops.iter().flat_map(|&made| ir.results(made)).flat_map(|value| ir.uses(value));
            users.all(|(user, _)| is_inside(u, user) || user == op)
        };
        let structured = |u: &usize| self.kinds[*u].may_join;
        // Whoever launches one kernel has no other.
        let costs_more =
            |u: &usize| !self.is_stated && is_elementwise(*u) && again::costs_more(ir, &units[*u].ops, op, self.facts);
        let apart = self.refused.apart;
        let copies = |u: &usize| units[*u].ops.iter().any(|op| apart.copies.contains(op));
        let takes = |u: &usize| {
            !(apart.copies.contains(&op) && !is_elementwise(*u) || apart.products.contains(&op) && copies(u))
        };
        let makers: Vec<usize> = makers.into_iter().filter(|u| structured(u) && takes(u) && !costs_more(u)).collect();
        let servants: Vec<usize> = makers.iter().copied().filter(|&u| is_elementwise(u) && serves_only(u)).collect();
        // The latest kernel first; it brings the elementwise ones that serve the operation alone, which therefore come last.
        let (own, others): (Vec<usize>, Vec<usize>) = makers.iter().partition(|u| servants.contains(u));
        let mut choices: Vec<Vec<usize>> = Vec::new();
        // Elementwise kernels of as many elements, whose results others need, too, give it these without another kernel.
        let of_results = |op: OpId| ir.results(op).map(|value| again::elements(ir, value)).max();
        let is_as_large = |u: &usize| {
            let made = units[*u].ops.iter().copied().map(of_results).max();
            is_elementwise(*u) && made == Some(of_results(op))
        };
        let as_large: Vec<usize> = others.iter().copied().filter(is_as_large).collect();
        if as_large.len() > 1 {
            choices.push([&servants[..], &as_large].concat());
        }
        // What serves others, too, by no more than numbers that they extend themselves if need be, comes with it as well.
        let gives_extended = |u: usize| {
            let leaves = |&made: &OpId| {
                let users = ir.results(made).flat_map(|value| ir.uses(value)).map(|(user, _)| user);
                users.filter(|&user| user != op).any(|user| !is_inside(u, user))
            };
            units[u].ops.iter().filter(|made| leaves(made)).all(|&made| extends_given(ir, made))
        };
        let (shared, kernels): (Vec<usize>, Vec<usize>) =
            others.iter().partition(|&&u| is_elementwise(u) && gives_extended(u));
        if let (Some(&kernel), false) = (kernels.last(), shared.is_empty()) {
            choices.push([&servants[..], &shared, &[kernel]].concat());
        }
        if let Some(several) = several::joined(ir, units, &kernels, op, self.facts) {
            choices.push([&servants[..], &shared, &several].concat());
        }
        for &maker in others.iter().rev().chain(own.iter().rev()) {
            let mut all = servants.clone();
            if !all.contains(&maker) {
                all.push(maker);
            }
            choices.push(all);
            choices.push(vec![maker]);
        }
        choices.into_iter().find(|parts| {
            let ops = self.together(parts, op);
            !self.refused.groups.contains(&ops) && !self.runs_between(parts, op) && self.holds(ops)
        })
    }

    /// Whether an operation that joins a kernel leaves it as many workgroups as it has: a sum joins none with its parts, and
    /// what goes on from a sum along other loops is not computed by the few who combine parts.
    fn takes_sum(&self, unit: &Unit, op: OpId) -> bool {
        let ir = self.ir;
        let sums = self.refused.sums;
        let has_parts = sums.get(&op).is_some_and(|parts| unit.ops.contains(parts));
        let own = unit.ops.iter().filter(|op| sums.contains_key(op)).map(|&sum| again::elements(ir, ir.result(sum, 0)));
        let points = || {
            let extents = Linalg::try_of(ir, op).map_or(Vec::new(), |linalg| linalg.extents(ir));
            extents.into_iter().fold(1, |n: i64, extent| n.saturating_mul(again::known(extent)))
        };
        !has_parts && (sums.contains_key(&op) || own.max().is_none_or(|own| points() <= own))
    }

    /// Whether operations hold together.
    fn holds(&self, ops: Vec<OpId>) -> bool {
        let known = self.held.borrow().get(&ops).copied();
        known.unwrap_or_else(|| {
            let holds = holds(self.ir, &ops, self.is_stated, self.facts);
            self.held.borrow_mut().insert(ops, holds);
            holds
        })
    }

    /// Whether a unit that is not among `parts` uses one of them, and one of them or the operation uses it.
    fn runs_between(&self, parts: &[usize], op: OpId) -> bool {
        let (needs, units, of) = (self.needs, &self.units, &self.of);
        let place = |op: Option<&OpId>| op.map_or(0, |op| needs.places[op]);
        let start = parts.iter().map(|&part| place(units[part].ops.first())).min().unwrap_or(0);
        // What is in front of all parts, with all that runs in front of it, uses none of them.
        let is_other = |unit: &usize| !parts.contains(unit) && self.latest[*unit] >= start;
        let others = |at: usize| Some(of[at]).filter(is_other);
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        let mut waiting: Vec<usize> = needs.makers_of(&[op]).filter_map(others).collect();
        for &part in parts {
            waiting.extend(needs.makers_of(&units[part].ops).filter_map(others));
        }
        while let Some(unit) = waiting.pop() {
            if !seen.insert(unit) {
                continue;
            }
            for at in needs.makers_of(&units[unit].ops) {
                if parts.contains(&of[at]) {
                    return true;
                }
                waiting.extend(others(at));
            }
        }
        false
    }
}

/// Whether an operation may be in a kernel with others.
fn may_join(ir: &Ir, op: OpId) -> bool {
    group::computes(ir, op) || decides_alone(ir, op)
}

/// Whether an operation decides the tiles of a kernel, in which all others are elementwise.
fn decides_alone(ir: &Ir, op: OpId) -> bool {
    attention::is_attention(ir, op) || Scan::of(ir, op).is_some()
}

/// Whether an operation does nothing but extend the elements of a tensor that no kernel makes.
fn extends_given(ir: &Ir, op: OpId) -> bool {
    let (Some(linalg), Some(block)) = (Linalg::try_of(ir, op), ir.body(op, 0)) else { return false };
    let extends =
        |inner: &OpId| matches!(ir.opcode(*inner), Opcode::ArithExtf | Opcode::ArithExtsi | Opcode::ArithExtui);
    let mut made = linalg.inputs.iter().filter_map(|&input| ir.def_op(input));
    is_elementwise(ir, op)
        && matches!(&ir.ops_of(block)[..], [inner, _] if extends(inner))
        && linalg.inputs.len() == 1
        && made.all(|made| !is_work(ir, made))
}

/// Whether an operation computes each element of its results from one of each operand.
fn is_elementwise(ir: &Ir, op: OpId) -> bool {
    Linalg::try_of(ir, op).is_some_and(|linalg| !linalg.reduction.contains(&true))
}

/// Whether all operations of a kernel do so.
fn are_elementwise(ir: &Ir, ops: &[OpId]) -> bool {
    ops.iter().all(|&op| is_elementwise(ir, op))
}

/// Whether the operations can be tiled together, what must be whole in a workgroup can be small enough, and two kernels,
/// where these are allowed, would not be faster.
fn holds(ir: &Ir, ops: &[OpId], is_stated: bool, facts: &Facts) -> bool {
    // What stands around attention or a scan is computed for its tiles. What it is computed from may be computed by several
    // workgroups, so that nobody else can have it.
    if let Some(&decides) = ops.iter().find(|&&op| decides_alone(ir, op)) {
        let mut behind = vec![decides];
        for &op in ops {
            let uses = |value: &ValueId| ir.def_op(*value).is_some_and(|made| behind.contains(&made));
            if ir.operands(op).iter().any(uses) {
                behind.push(op);
            }
        }
        let is_own = |op: OpId| ir.results(op).flat_map(|value| ir.uses(value)).all(|(user, _)| ops.contains(&user));
        return group::reads_inside(ir, ops).is_none()
            && ops.iter().filter(|&&op| !is_elementwise(ir, op)).count() == 1
            && ops.iter().all(|&op| behind.contains(&op) || is_own(op));
    }
    let Some(block) = ops.first().and_then(|&op| ir.parent_block(op)) else { return false };
    let mut all: FxHashSet<OpId> = ops.iter().copied().collect();
    let mut in_order = Vec::new();
    // What they are filled with belongs to them.
    for &op in ops {
        for &value in ir.operands(op) {
            if let Some(fill) = ir.def_op(value).filter(|&def| ir.opcode(def) == Opcode::LinalgFill)
                && all.insert(fill)
                && ir.parent_block(fill) != Some(block)
            {
                in_order.push(fill);
            }
        }
    }
    in_order.extend(ir.block_ops(block).filter(|op| all.contains(op)));
    let leaves = |value: ValueId| ir.uses(value).any(|(user, _)| !all.contains(&user));
    let costs_more = |group: &Group| {
        windows_apart::costs_more(ir, group, facts)
            || product_apart::costs_more(ir, group, facts)
            || few_workgroups::costs_more(ir, group, facts)
    };
    Group::of(ir, &in_order, &leaves, facts)
        .is_ok_and(|group| is_stated || !group.reduces_again() && !costs_more(&group))
}

/// The operands of an operation, and of those in its regions.
fn operands_inside(ir: &Ir, op: OpId) -> impl Iterator<Item = ValueId> {
    nested(ir, op).into_iter().flat_map(|op| ir.operands(op).to_vec())
}

/// Joins loops of products, kernel by kernel, where the joined ones compile; the host reshapes what kernels take and give.
fn join_loops(
    ir: &mut Ir,
    block: BlockId,
    func: OpId,
    mut units: Vec<Unit>,
    facts: &Facts,
    trials: &mut Trials,
) -> Vec<Unit> {
    let mut changed = false;
    for unit in units.iter_mut().filter(|unit| unit.is_kernel) {
        let Some(joined) = flatten::JoinedLoops::of(ir, &unit.ops) else { continue };
        let before = (!trials.steps.is_empty()).then(|| ir.clone());
        let ops = joined.write(ir, &unit.ops);
        match (compiles(&mut None, ir, func, &ops, facts, trials), before) {
            (Err(_), Some(before)) => *ir = before,
            _ => (unit.ops, changed) = (ops, true),
        }
    }
    if changed { rearranged(ir, block, units) } else { units }
}

/// Whether the function is one kernel as it stands.
fn is_kernel(ir: &Ir, func: OpId, block: BlockId, units: &[Unit]) -> bool {
    let (_, results) = ir.signature(func);
    let tensors = results.iter().all(|&ty| matches!(ir[ty], Type::Tensor { .. }));
    let Some(end) = ir.terminator(block) else { return false };
    // What puts a result into its place among others is a part of the kernel that makes it.
    let delivers = |op: OpId| in_place::delivers(ir, func, op).is_some();
    let delivered = |&value: &ValueId| {
        ir.def_op(value).filter(|&op| delivers(op)).and_then(|op| SliceView::of(ir, op).value).unwrap_or(value)
    };
    let returned: Vec<ValueId> = ir.operands(end).iter().map(delivered).collect();
    let is_delivery = |unit: &Unit| matches!(unit.ops[..], [op] if delivers(op));
    let kernels = units.iter().filter(|unit| unit.is_kernel && !is_delivery(unit)).collect::<Vec<_>>();
    let [kernel] = kernels[..] else { return kernels.is_empty() };
    let distinct = returned.iter().enumerate().all(|(i, value)| !returned[..i].contains(value));
    let made = returned.iter().all(|&value| ir.def_op(value).is_some_and(|op| kernel.ops.contains(&op)));
    let complete = in_memory(ir, &kernel.ops).iter().all(|value| returned.contains(value));
    tensors && distinct && made && complete && units.iter().all(|unit| unit.is_kernel || unit.ops == [end])
}

/// The results that a kernel of these operations has to return: scalar loops, which compute one operation alone, may need
/// their memory.
fn in_memory(ir: &Ir, ops: &[OpId]) -> Vec<ValueId> {
    let &[op] = ops else { return Vec::new() };
    ir.results(op).enumerate().filter(|&(i, _)| scalar_loops::needs(ir, op, i)).map(|at| at.1).collect()
}

/// Whether a kernel is one that is tried: that it is refused is a reason to divide its function in another way.
pub fn is_tried(ir: &Ir, kernel: OpId) -> bool {
    let Some(block) = ir.body(kernel, 0) else { return false };
    let computing = ir.block_ops(block).filter(|&op| !is_cheap(ir, op) && may_join(ir, op)).count();
    computing > 1 || ir.block_ops(block).any(|op| attention::is_attention(ir, op))
}

/// Whether all steps take a kernel of these operations. The copy of the program is there for the next question.
fn compiles(
    copy: &mut Option<Ir>,
    ir: &Ir,
    func: OpId,
    ops: &[OpId],
    facts: &Facts,
    trials: &mut Trials,
) -> Result<(), Diag> {
    if trials.steps.is_empty() {
        return Ok(());
    }
    let copy = copy.get_or_insert_with(|| ir.clone());
    let kernel = outline(copy, func, ops, "kernel").func;
    let text = text_of(copy, kernel);
    let result = match trials.known.get(&text) {
        Some(known) => known.clone(),
        None => try_alone(copy, kernel, facts, &trials.steps),
    };
    copy.erase(kernel);
    trials.known.entry(text).or_insert(result).clone()
}

/// Tries a kernel in a program of its own, whose size is that of the kernel: steps look at tables of all values. It goes
/// there as text, for [`Ir::extract`] copies the types and attributes of the whole model, which takes a third longer.
/// Nothing that steps leave behind, in particular refused ones, reaches other kernels.
fn try_alone(ir: &Ir, kernel: OpId, facts: &Facts, steps: &[Step]) -> Result<(), Diag> {
    let text = raddle_ir::text::print_one(ir, kernel, &PrintOptions::default());
    // What resources hold stands at the end of the file.
    match raddle_ir::parse(&text).ok().filter(|_| !text.contains("dense_resource")) {
        Some(mut alone) => {
            let kernel = alone.funcs()[0];
            try_steps(&mut alone, kernel, facts, steps)
        }
        None => try_steps(&mut ir.clone(), kernel, facts, steps),
    }
}

/// Who calls several kernels passes them parts of bindings as they are.
fn require_multiples(ir: &Ir, func: OpId) -> Result<(), Diag> {
    let Some(interface) = Interface::of(ir, func)? else { return Ok(()) };
    match interface.arguments.iter().chain(&interface.results).any(|slot| alignment::of_slot(slot) < alignment::WIDEST)
    {
        true => Err(Diag::error(Code::CannotAdmit, ir.span(func), "the dispatch is more than one kernel")
            .note("a part of a binding begins at a byte that is not a multiple of 16, as kernels of others need it")),
        false => Ok(()),
    }
}

/// Puts calls of its kernels into a block.
fn host(ir: &mut Ir, block: BlockId, func: OpId, units: &[Unit], facts: &Facts, kernels: &mut Vec<OpId>) {
    let Some(end) = ir.terminator(block) else { return };
    let mut placed: FxHashSet<OpId> = FxHashSet::default();
    for unit in units {
        if !unit.is_kernel {
            for &op in &unit.ops {
                place(ir, op, end, &mut placed);
            }
            continue;
        }
        let base = ir.symbol_name(func).unwrap_or("main").to_owned();
        let name = fresh_name(ir, &format!("{base}_kernel_{}", kernels.len()));
        let mut outlined = outline(ir, func, &unit.ops, &name);
        match kernels.iter().find(|&&kernel| alike::is_alike(ir, kernel, outlined.func)) {
            Some(&kernel) => {
                ir.erase(outlined.func);
                outlined.func = kernel;
            }
            None => kernels.push(outlined.func),
        }
        let name = ir.symbol_name(outlined.func).unwrap_or_default().to_owned();
        place_makers(ir, &outlined.inputs, end, &mut placed);
        let results: Vec<TypeId> = outlined.results.iter().map(|&value| ir.type_of(value)).collect();
        let symbol = ir.intern_str(&name);
        let callee = ir.intern(Attr::Symbol(vec![symbol]));
        let mut builder = Builder::before(ir, end);
        builder.span = outlined.span;
        let call = builder.op(Opcode::FuncCall, &outlined.inputs, &results, &[("callee", callee)]);
        for (&old, new) in outlined.results.iter().zip(ir.results(call)) {
            remark(ir, old, facts, &name);
            ir.replace_uses(old, new);
        }
        for &op in unit.ops.iter().rev() {
            ir.erase(op);
        }
    }
}

/// Whether a function has tensors of numbers, which no kernel makes.
pub fn has_constants(ir: &Ir, func: OpId) -> bool {
    ir.block_ops(ir.entry(func)).any(|op| is_constant_tensor(ir, op))
}

fn is_constant_tensor(ir: &Ir, op: OpId) -> bool {
    ir.class(op) == Class::Constant && !is_cheap(ir, op)
}

/// Makes a function that is configured as one kernel the host of it, if it has constant tensors: the kernel takes these.
fn hand_constants(ir: &mut Ir, func: OpId, facts: &Facts) {
    let block = ir.entry(func);
    let Some(end) = ir.terminator(block).filter(|_| has_constants(ir, func)) else { return };
    let (constants, computing): (Vec<OpId>, Vec<OpId>) =
        Needs::of(ir, block).ops.into_iter().filter(|&op| op != end).partition(|&op| is_constant_tensor(ir, op));
    // In whose memory a result lies is the host's to know.
    let (deliveries, computing): (Vec<OpId>, Vec<OpId>) =
        computing.into_iter().partition(|&op| in_place::delivers(ir, func, op).is_some());
    let unit = |ops: Vec<OpId>, is_kernel: bool| Unit { ops, is_kernel, joined: Vec::new() };
    let mut units = vec![unit(constants, false), unit(computing, true)];
    units.extend(deliveries.into_iter().map(|op| unit(vec![op], true)));
    units.push(unit(vec![end], false));
    host(ir, block, func, &units, facts, &mut Vec::new());
    crate::clean::remove(ir, func);
}

/// Puts an operation in front of the end of its block, behind the scalar arithmetic that it needs.
fn place(ir: &mut Ir, op: OpId, end: OpId, placed: &mut FxHashSet<OpId>) {
    if !placed.insert(op) {
        return;
    }
    let inside = nested(ir, op);
    let operands: Vec<ValueId> = inside.iter().flat_map(|&op| ir.operands(op).to_vec()).collect();
    let outside = |value: &ValueId| ir.def_op(*value).is_some_and(|made| !inside.contains(&made));
    place_makers(ir, &operands.into_iter().filter(outside).collect::<Vec<_>>(), end, placed);
    if op != end {
        ir.detach(op);
        ir.insert_before(end, op);
    }
}

/// Puts the scalar arithmetic that makes some values in front of the end of a block.
fn place_makers(ir: &mut Ir, values: &[ValueId], end: OpId, placed: &mut FxHashSet<OpId>) {
    for made in values.iter().filter_map(|&value| ir.def_op(value)).collect::<Vec<_>>() {
        if is_cheap(ir, made) && ir.parent_block(made) == ir.parent_block(end) {
            place(ir, made, end, placed);
        }
    }
}

/// Says what a kernel leaves in memory for another one.
fn remark(ir: &Ir, value: ValueId, facts: &Facts, kernel: &str) {
    let Some(maker) = ir.def_op(value) else { return };
    let is_returned = |(user, _): (OpId, usize)| ir.class(user) == Class::Yield;
    if ir.uses(value).all(is_returned) {
        return;
    }
    let elem = Scalar::of(&ir[ir.elem_of(value)]).map_or(0, |elem| elem.bytes() as u64);
    let shape = ir.shape_of(value);
    let bytes = shape.iter().fold(elem, |n, &extent| n.saturating_mul(extent.max(0) as u64));
    let size = if shape.contains(&DYNAMIC) { "some".to_owned() } else { bytes.to_string() };
    let message =
        format!("`@{kernel}` ends with `{}`, whose result of {size} bytes goes through memory", ir.name(maker));
    facts.remarks.borrow_mut().push(Diag::error(Code::KernelChoice, ir.span(maker), message).as_remark());
}

fn fresh_name(ir: &Ir, name: &str) -> String {
    let taken: FxHashSet<&str> = ir.block_ops(ir.module_block()).filter_map(|op| ir.symbol_name(op)).collect();
    let mut fresh = name.to_owned();
    while taken.contains(fresh.as_str()) {
        fresh.push('_');
    }
    fresh
}

/// A kernel as a function of its own.
struct Outlined {
    func: OpId,
    /// What it is called with.
    inputs: Vec<ValueId>,
    /// What its results stand for.
    results: Vec<ValueId>,
    span: Span,
}

/// Copies operations of a function into one of their own, which is put behind it.
fn outline(ir: &mut Ir, func: OpId, ops: &[OpId], name: &str) -> Outlined {
    let span = ir.span(ops[0]);
    let mut needed: Vec<OpId> = Vec::new();
    let mut inputs: Vec<ValueId> = Vec::new();
    for &op in ops {
        collect(ir, op, ops, &mut needed, &mut inputs);
        needed.push(op);
    }
    let leaves = |ir: &Ir, value: ValueId| ir.uses(value).any(|(user, _)| !ops.contains(&top(ir, user, ops[0])));
    let stored = in_memory(ir, ops);
    let all = ops.iter().flat_map(|&op| ir.results(op));
    let results: Vec<ValueId> = all.filter(|&value| leaves(ir, value) || stored.contains(&value)).collect();
    let types = |ir: &Ir, list: &[ValueId]| list.iter().map(|&value| ir.type_of(value)).collect::<Vec<TypeId>>();
    let (input_types, result_types) = (types(ir, &inputs), types(ir, &results));
    let name = ir.str_attr(name);
    let ty = ir.intern_type(Type::Function { inputs: input_types.clone(), results: result_types });
    let ty = ir.intern(Attr::Type(ty));
    let kernel = ir.create(Opcode::FuncFunc, &[], &[], &[("sym_name", name), ("function_type", ty)], ir.span(func));
    if let Some(info) = ir.attr_id(func, "translation_info").filter(|_| scalar_loops::is_chosen(ir, func)) {
        ir.set_attr(kernel, "translation_info", info);
    }
    let region = ir.add_region(kernel);
    let block = ir.add_block(region, &input_types);
    let mut last = func;
    // Behind the kernels that are there already.
    while let Some(next) = ir.next_op(last) {
        last = next;
    }
    ir.insert_after(last, kernel);
    let mut map = ValueMap::default();
    for (&value, arg) in inputs.iter().zip(ir.args(block).to_vec()) {
        map.set(value, arg);
    }
    let mut builder = Builder::at_end(ir, block, span);
    for op in needed {
        builder.copy(op, &mut map);
    }
    let returned: Vec<ValueId> = results.iter().map(|&value| map.get(value)).collect();
    builder.op(Opcode::FuncReturn, &returned, &[], &[]);
    Outlined { func: kernel, inputs, results, span }
}

/// An operation, and those in its regions.
fn nested(ir: &Ir, op: OpId) -> Vec<OpId> {
    [vec![op], ir.walk(op)].concat()
}

/// The operation in the block of `of` that an operation is in.
fn top(ir: &Ir, mut op: OpId, of: OpId) -> OpId {
    let block = ir.parent_block(of);
    while ir.parent_block(op) != block {
        match ir.parent_op(op) {
            Some(parent) => op = parent,
            None => break,
        }
    }
    op
}

/// Whether a kernel is given a number that scalar arithmetic makes: one that does not follow from what else it is given is
/// perhaps an extent of what it returns, which its caller has to know.
fn is_passed(ir: &Ir, value: ValueId) -> bool {
    let is_given = |value: ValueId| ir.def_op(value).is_none_or(|made| !is_cheap(ir, made));
    *ir.ty(value) == Type::Index && !symbols::follows(ir, value, &is_given)
}

/// What an operation needs from outside: what is made again, in order, and what is passed.
fn collect(ir: &Ir, op: OpId, ops: &[OpId], needed: &mut Vec<OpId>, inputs: &mut Vec<ValueId>) {
    let inside = nested(ir, op);
    for &user in &inside {
        for &value in ir.operands(user) {
            let from_inside = match ir.def(value) {
                Def::Result { op, .. } => inside.contains(&op),
                Def::Arg { block, .. } => inside.contains(&ir.region_parent(ir.block_region(block))),
            };
            if from_inside {
                continue;
            }
            match ir.def_op(value) {
                Some(made) if ops.contains(&made) || needed.contains(&made) => {}
                Some(made) if is_cheap(ir, made) && !is_passed(ir, value) => {
                    collect(ir, made, ops, needed, inputs);
                    needed.push(made);
                }
                _ => {
                    if !inputs.contains(&value) {
                        inputs.push(value);
                    }
                }
            }
        }
    }
}
