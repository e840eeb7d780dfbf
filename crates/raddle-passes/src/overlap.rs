//! Overlap: let the copies of a product's tiles run iterations ahead of the products, through rings in shared memory.
//!
//! Before: `for k { %a = read A[k]; %fa = to_layout %a; …; %c = contract %fa, %fb, %acc }`
//! After, for three slots and two steps of k in a tile:
//!
//! ```mlir
//! copy 0 → slot 0 ; copy 1 → slot 1 ; %f0 = read slot 0, step 0
//! scf.for %k iter_args(%acc, %f = %f0) {
//!   %g = read slot k, step 1
//!   copy k + 2 → slot k + 2
//!   %p = contract %f, %acc
//!   %h = read slot k + 1, step 0
//!   %q = contract %g, %p
//!   scf.yield %q, %h
//! }
//! the last two iterations, written out
//! ```
//!
//! Long loops do as many iterations at a time as there are slots, which then have constant numbers.
//!
//! The result is a whole-workgroup program like any other: slots are an index of the ring (`k floordiv step mod n`),
//! and what waits for what is found out by `distribute`, which also makes the copies asynchronous. The order of one
//! iteration is such that a barrier stands between the last read of a slot and the copy that comes into it.
//!
//! A program chooses the number of slots by `pipeline_depth` or `prefetch_num_stages`; what cannot be so deep is an error
//! or a remark. Where only the run knows the number of iterations, none are written out behind the loop: copies that run
//! beyond the end of an operand give zeros, and nobody reads them. A loop stays as it is, with a remark that says why,
//! where an operand is masked. On chips without asynchronous copies, tiles of
//! a single product are read one iteration ahead into registers, and other loops stay.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Contract, Transfer};
use raddle_ir::{Attr, Builder, Class, Code, Def, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, ValueId, ValueMap};
use raddle_layout::Nested;
use raddle_target::catalogue::SharedProduct;

use crate::code::extents::buffer_bytes;
use crate::config::{Depth, Launch};
use crate::configure::cut::Cut;
use crate::configure::limits::{ROUNDS_MIN, SHARED_SLOTS, stream_slots, streamed};
use crate::configure::products::OTHER_REGISTERS;
use crate::configure::roles;
use crate::facts::Facts;
use crate::lay_out::{instruction, is_conversion, layout_of, mask_of};

pub(crate) mod ahead;
pub(crate) mod cache_blocks;
mod chain;
mod factor;
pub(crate) mod keep_results;
pub(crate) mod keep_rows;
pub(crate) mod nests;
mod one_loop;
pub(crate) mod past_caches;
mod registers;
pub(crate) mod row_words;
mod slot;
pub(crate) mod software_pipeline;
mod split;

use chain::Chain;
use factor::Factor;
pub use factor::{copies_zeros, read_of};
use registers::{Prefetch, slots};
pub use slot::Slot;
use software_pipeline::{Bounds, Ending, Schedule};

/// Bytes of the widest access.
const ACCESS_BYTES: i64 = 16;

/// Why copies cannot run ahead of a loop that may end at any time.
const NO_END: &str = "only the run knows the number of its iterations, and an operand is read as if it went on";

/// Overlaps the copies and products of each loop that has contractions on promoted operands.
pub fn overlap(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    let Ok(launch) = Launch::read(ir, func) else { return Ok(()) };
    let depth = Depth::stated(ir, func)?;
    if depth.is_some_and(|depth| depth.slots < 2) {
        return Ok(());
    }
    for loop_op in ir.walk(func) {
        if candidates(ir, loop_op, facts).len() == 1 {
            one_loop::join(ir, loop_op);
        }
    }
    let mut found = false;
    for loop_op in ir.walk(func) {
        let candidates = candidates(ir, loop_op, facts);
        if candidates.is_empty() {
            continue;
        }
        found = true;
        select_behind(ir, loop_op);
        if let (false, [one]) = (facts.chip.async_copies, &candidates[..])
            && one.matrix
        {
            prefetch(ir, loop_op, one, depth, facts);
            found_bounds(ir, func);
            continue;
        }
        let loop_ = match (facts.chip.async_copies, &candidates[..]) {
            (false, _) => Err(format!("{} does not copy to shared memory asynchronously", facts.chip.name)),
            (true, [one]) => Product::of(ir, loop_op, one, launch, facts).map(|product| Around::One(Box::new(product))),
            (true, several) => Chain::of(ir, loop_op, several, launch, facts).map(Around::Several),
        };
        let loop_ = match loop_ {
            Ok(loop_) => loop_,
            Err(why) => {
                let message = format!("{}copies of this loop's tiles do not run ahead: {why}", without_effect(depth));
                facts.remark(Diag::error(Code::LayoutChoice, ir.span(loop_op), message));
                continue;
            }
        };
        let slots = match &loop_ {
            Around::One(product) => product.slots(ir, func, depth, facts)?,
            Around::Several(chain) => chain.slots(ir, func, depth, facts)?,
        };
        if slots < 2 {
            continue;
        }
        let is_shared = match &loop_ {
            Around::One(product) => product.is_shared,
            Around::Several(chain) => chain.is_shared,
        };
        let n = ahead(is_shared, slots);
        let message = format!("copies of this loop's tiles run {n} iterations ahead, through {slots} slots");
        facts.remark(Diag::error(Code::LayoutChoice, ir.span(loop_op), message));
        match loop_ {
            Around::One(product) => product.rewrite(ir, func, slots, facts),
            Around::Several(chain) => chain.rewrite(ir, func, slots),
        }
        found_bounds(ir, func);
    }
    if let Some(Depth { name, .. }) = depth.filter(|_| !found) {
        let message = format!("`{name}` has no effect: no loop multiplies by matrix instructions");
        facts.remark(Diag::error(Code::LayoutChoice, ir.span(func), message));
    }
    Ok(())
}

/// What a value is, whatever its layout.
fn without_layout(ir: &Ir, mut value: ValueId) -> ValueId {
    while let Some(op) = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::IreeVectorExtToLayout) {
        value = ir.operand(op, 0);
    }
    value
}

/// The begin of a remark that a loop stays as it is.
fn without_effect(depth: Option<Depth>) -> String {
    depth.map_or(String::new(), |depth| format!("`{}` has no effect, and ", depth.name))
}

/// Lets the tiles of a loop be read an iteration ahead, or says why not.
fn prefetch(ir: &mut Ir, loop_op: OpId, one: &Candidate, depth: Option<Depth>, facts: &Facts) {
    let span = ir.span(loop_op);
    let message = match Prefetch::of(ir, loop_op, one, facts) {
        Ok(prefetch) => {
            prefetch.rewrite(ir);
            let more = depth.filter(|depth| depth.slots > 2);
            let more = more.map_or(String::new(), |Depth { name, slots }| {
                format!("; `{name} = {slots}` asks for more than {} does", facts.chip.name)
            });
            format!("tiles of this loop are read 1 iteration ahead, into registers{more}")
        }
        Err(why) => format!("{}tiles of this loop are not read ahead: {why}", without_effect(depth)),
    };
    facts.remark(Diag::error(Code::LayoutChoice, span, message));
}

/// What a loop is around.
enum Around {
    One(Box<Product>),
    Several(Chain),
}

/// A contraction in a loop whose copies may run ahead.
struct Candidate {
    op: OpId,
    /// The loop that is summed over.
    k: usize,
    /// Whether it becomes matrix instructions; products inside threads otherwise.
    matrix: bool,
}

impl Candidate {
    fn of(ir: &Ir, op: OpId, facts: &Facts) -> Option<Candidate> {
        let view = Contract::of(ir, op);
        let [lhs, rhs, acc] = [layout_of(ir, view.lhs)?, layout_of(ir, view.rhs)?, layout_of(ir, view.acc)?];
        if let Some(matrix) = instruction::of_contract(ir, op, lhs, rhs, facts.chip) {
            return (matrix.result == *acc).then_some(Candidate { op, k: matrix.roles.k, matrix: true });
        }
        let k = roles(&view.maps)?.k;
        let candidate = Candidate { op, k, matrix: false };
        // Each thread has all of k, a step after the other, of what goes through shared memory.
        let whole = [lhs, rhs].into_iter().enumerate().all(|(i, layout)| {
            let (value, k) = candidate.factor(ir, i);
            let converted =
                factor::source(ir, value).is_some_and(|(_, ops)| ops.iter().any(|&op| is_conversion(ir, op)));
            layout.thread_tile[k] * layout.subgroup_tile[k] * layout.outer_tile[k] == 1 && converted
        });
        (whole && mask_of(ir, op).is_none()).then_some(candidate)
    }

    /// A factor, and its dimension that is summed over.
    fn factor(&self, ir: &Ir, i: usize) -> (ValueId, usize) {
        let view = Contract::of(ir, self.op);
        let k = Expr::Dim(self.k as u32);
        let along = view.maps[i].results.iter().position(|expr| *expr == k).expect("k is in both factors");
        ([view.lhs, view.rhs][i], along)
    }
}

/// The contractions of a loop; none where the copies of one cannot run ahead.
fn candidates(ir: &Ir, loop_op: OpId, facts: &Facts) -> Vec<Candidate> {
    let Some(block) = ir.body(loop_op, 0).filter(|_| ir.opcode(loop_op) == Opcode::ScfFor) else { return Vec::new() };
    let contracts = ir.block_ops(block).filter(|&op| ir.class(op) == Class::Contract);
    contracts.map(|op| Candidate::of(ir, op, facts)).collect::<Option<_>>().unwrap_or_default()
}

/// How many slots the rings of a loop have: as many as the program states, else as many as are worth it and fit beside
/// `more` bytes.
fn bounded_slots(
    ir: &Ir,
    func: OpId,
    loop_op: OpId,
    [trips, bytes, worth, more]: [i64; 4],
    depth: Option<Depth>,
    facts: &Facts,
) -> Result<i64, Diag> {
    let fit = (i64::from(facts.chip.shared_bytes_max) - shared_bytes(ir, func) - more) / bytes;
    let Some(Depth { name, slots: stated }) = depth else { return Ok(worth.min(trips).min(fit)) };
    if stated > trips {
        let message = format!("the loop has {trips} iterations, and as many slots are enough for `{name} = {stated}`");
        facts.remark(Diag::error(Code::LayoutChoice, ir.span(loop_op), message));
    }
    let slots = stated.min(trips);
    if slots > fit {
        let limit = facts.chip.shared_bytes_max;
        let message = format!("`{name} = {stated}` takes {slots} slots of {bytes} bytes of shared memory");
        let diag = Diag::error(Code::TooMuchShared, ir.span(loop_op), message)
            .note(format!("{} has {limit} bytes for one workgroup", facts.chip.name));
        return Err(match fit {
            ..2 => diag.help("use smaller tiles in `workgroup` and `reduction`"),
            _ => diag.help(format!("`{name} = {fit}` fits, or smaller tiles in `workgroup` and `reduction`")),
        });
    }
    Ok(slots)
}

/// Where the left factor of a product is whose instructions read the right one from its ring themselves.
enum Left {
    Ring,
    /// It is computed beside the product.
    Registers,
    /// It is computed in front of the loop, and kept in shared memory.
    Kept(Cut),
}

/// Where a product's left factor is, if its instructions may read its factors from the rings themselves.
fn left_of_shared(ir: &Ir, op: OpId, [lhs, rhs]: [Option<&Factor>; 2], launch: Launch, facts: &Facts) -> Option<Left> {
    let view = Contract::of(ir, op);
    let [a, b, sums] = [layout_of(ir, view.lhs)?, layout_of(ir, view.rhs)?, layout_of(ir, view.acc)?];
    let found = instruction::of_contract(ir, op, a, b, facts.chip)?;
    let swapped = |i: usize| instruction::is_swapped(&view.maps[i], &found.roles, i);
    let (left, tile) = match lhs {
        Some(lhs) => (Left::Ring, Some(lhs.cut()?.tile(lhs.k == 1))),
        None if swapped(0) => return None,
        None if is_made_beside(ir, view.lhs, op) => (Left::Registers, None),
        None => {
            let cut = Cut::of(ir.shape_of(view.lhs).try_into().ok()?, i64::from(found.mma.types[0].bits()) / 8)?;
            (Left::Kept(cut), Some(cut.tile(true)))
        }
    };
    let rhs = rhs?.cut()?.tile(rhs?.k == 1);
    let product = SharedProduct::new(ir.shape_of(view.acc)[1], found.mma.types, tile, rhs);
    let fits = instruction::shares_rows(sums, &found, launch.workgroup_size, facts.chip) && !swapped(2);
    product.filter(|_| fits).map(|_| left)
}

/// How many iterations copies run ahead of the products. Where instructions read the rings themselves, the last product is
/// still on its way when copies begin, so that one slot more is not free.
fn ahead(is_shared: bool, slots: i64) -> i64 {
    slots - if is_shared && slots >= SHARED_SLOTS[0] { 2 } else { 1 }
}

/// Whether an operation does nothing in memory, and runs nothing that has regions.
fn is_quiet(ir: &Ir, op: OpId) -> bool {
    let pure = ir.opcode(op).info().is_pure() || ir.class(op) == Class::Layout && !is_conversion(ir, op);
    pure && ir.regions(op).is_empty()
}

/// Bytes of shared memory that the program takes itself.
pub fn shared_bytes(ir: &Ir, func: OpId) -> i64 {
    let allocs = ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::MemrefAlloc);
    let bytes = allocs.map(|op| {
        let buffer = ir.result(op, 0);
        let elem = Scalar::of(&ir[ir.elem_of(buffer)]).unwrap_or(Scalar::Int(8));
        buffer_bytes(ir.shape_of(buffer), elem)
    });
    bytes.fold(0, i64::saturating_add)
}

/// A loop around one contraction of promoted factors.
struct Product {
    loop_op: OpId,
    bounds: Bounds,
    contract: OpId,
    /// Whether it becomes matrix instructions.
    matrix: bool,
    factors: [Factor; 2],
    /// Matrix instructions, or products of a thread, along k.
    n_steps: i64,
    /// Whether the last iteration's tiles end behind their operands.
    partial: bool,
    /// Whether instructions read the rings themselves.
    is_shared: bool,
}

impl Product {
    /// The loop's parts, or why it is not one whose copies can run ahead.
    fn of(ir: &Ir, loop_op: OpId, candidate: &Candidate, launch: Launch, facts: &Facts) -> Result<Product, String> {
        let bounds = Bounds::begun(ir, loop_op).ok_or("it begins or steps by a number that only the run knows")?;
        if bounds.trips < 2 {
            return Err("it has one iteration".to_owned());
        }
        let named = |i: usize| move |why: String| format!("operand {i} {why}");
        let factor = |i: usize| Factor::of(ir, candidate, i, launch).map_err(named(i));
        let (lhs, rhs) = (factor(0)?, factor(1)?);
        let is_shared = left_of_shared(ir, candidate.op, [Some(&lhs), Some(&rhs)], launch, facts).is_some();
        let (lhs, rhs) = (lhs.read_by(is_shared).map_err(named(0))?, rhs.read_by(is_shared).map_err(named(1))?);
        let n_steps = lhs.layout.batch_tile[lhs.k];
        assert_eq!(n_steps, rhs.layout.batch_tile[rhs.k], "both factors have as many steps");
        if lhs.read == rhs.read {
            return Err("both operands are one value".to_owned());
        }
        if bounds.is_open && ![&lhs, &rhs].into_iter().all(|factor| factor.ends_itself(ir, loop_op)) {
            return Err(NO_END.to_owned());
        }
        let partial = [&lhs, &rhs].into_iter().any(|factor| !factor.is_whole(ir, bounds));
        let product = Product {
            loop_op,
            bounds,
            contract: candidate.op,
            matrix: candidate.matrix,
            factors: [lhs, rhs],
            n_steps,
            partial,
            is_shared,
        };
        // Nothing else happens in memory, and nothing runs that has regions.
        let ours = |op: OpId| product.factors.iter().any(|factor| factor.read == op) || op == candidate.op;
        let quiet =
            |op: OpId| is_quiet(ir, op) || product.factors.iter().any(|factor| factor.conversions.contains(&op));
        let body = ir.ops_of(ir.entry(loop_op));
        let (_, rest) = body.split_last().expect("a loop's block ends");
        match rest.iter().find(|&&op| !ours(op) && !quiet(op)) {
            Some(&other) => Err(format!("`{}` is in it, too", ir.name(other))),
            None => Ok(product),
        }
    }

    /// How many slots the rings have.
    fn slots(&self, ir: &Ir, func: OpId, depth: Option<Depth>, facts: &Facts) -> Result<i64, Diag> {
        let factors = self.factors.each_ref();
        let streamed = streamed(factors.map(|factor| factor.has_all_rows(ir)), factors.map(Factor::bytes));
        let grid = ir.attr_id(func, "gpu.known_grid_size").and_then(|grid| ir.ints(grid));
        let workgroups = grid.map_or(0, |grid| grid.iter().product());
        let worth = match self.is_shared {
            true => SHARED_SLOTS[1],
            false => stream_slots([self.bytes(), streamed], workgroups, self.bounds.trips, facts),
        };
        bounded_slots(ir, func, self.loop_op, [self.bounds.trips, self.bytes(), worth, 0], depth, facts)
    }

    /// Bytes of one slot of each ring.
    fn bytes(&self) -> i64 {
        self.factors.iter().map(Factor::bytes).sum()
    }

    /// Whether a thread has registers for fragments of two steps, beside sums and elements that wait to be written.
    fn reads_ahead(&self, ir: &Ir, facts: &Facts) -> bool {
        let sums = slots(ir, ir.result(self.contract, 0));
        let fragments: i64 = self.factors.iter().map(|factor| factor.words() / self.n_steps).sum();
        let waiting = self.factors.iter().filter(|factor| !factor.asynchronous);
        let waiting: i64 = waiting.map(|factor| slots(ir, ir.result(factor.read, 0))).sum();
        let all = sums + 2 * fragments + waiting + OTHER_REGISTERS;
        waiting == 0 || all <= i64::from(facts.chip.registers_max)
    }

    fn rewrite(mut self, ir: &mut Ir, func: OpId, slots: i64, facts: &Facts) {
        let last = ahead(self.is_shared, slots) as usize;
        let reads_ahead = self.reads_ahead(ir, facts);
        if self.is_shared && slots < SHARED_SLOTS[0] {
            self.is_shared = false;
            self.factors.iter_mut().for_each(|factor| factor.is_shared = false);
        }
        if self.is_shared {
            // The instructions go along k themselves.
            self.n_steps = 1;
        }
        let body = ir.entry(self.loop_op);
        let first = ir.block_ops(ir.entry(func)).next().expect("a function with a loop is not empty");
        let rings = self.factors.each_ref().map(|factor| factor.alloc(ir, first, slots));
        let others: Vec<OpId> = ir.ops_of(body);
        let span = ir.span(self.contract);
        let view = Contract::of(ir, self.contract);
        let zero = Builder::before(ir, self.loop_op).index(0);
        let iv = ir.args(body)[0];
        let slot_of = |ir: &mut Ir| {
            let mut builder = Builder::before(ir, self.contract);
            builder.span = span;
            let of = |op, lhs, rhs| Expr::binary(op, lhs, Expr::Const(rhs));
            let from = of(BinOp::Add, Expr::Dim(0), -self.bounds.lower);
            let count = of(BinOp::FloorDiv, from, self.bounds.step);
            builder.apply(Map { dims: 1, syms: 0, results: vec![of(BinOp::Mod, count, slots)] }, &[iv])
        };
        // Copies: what was read goes to the ring.
        let copy_slot = slot_of(ir);
        let mut copies = vec![ir.def_op(copy_slot).expect("it was just made")];
        // What goes through registers is written as late as it may be.
        let mut late = Vec::new();
        for (factor, &ring) in self.factors.iter().zip(&rings) {
            let write = factor.write(&mut Builder::before(ir, self.contract), ring, [copy_slot, zero]);
            copies.push(factor.read);
            if factor.asynchronous { copies.push(write) } else { late.push(write) }
        }
        // Fragments and products, step by step.
        let (mut fragments, mut products) = (Vec::new(), Vec::new());
        let (types, attrs) = ([ir.type_of(view.acc)], ir.attr_dict(self.contract));
        let mut acc = view.acc;
        for step in 0..self.n_steps {
            let slot = slot_of(ir);
            let mut ops = vec![ir.def_op(slot).expect("it was just made")];
            let mut values = Vec::new();
            for (factor, &ring) in self.factors.iter().zip(&rings) {
                let read =
                    factor.read_step(ir, [self.loop_op, self.contract], ring, [slot, zero], [step, self.n_steps]);
                ops.push(ir.def_op(read).expect("it was just made"));
                values.push(read);
            }
            fragments.push(ops);
            let product = ir.create_with(Opcode::VectorContract, &[values[0], values[1], acc], &types, attrs, span);
            Builder::before(ir, self.contract).place(product);
            products.push(product);
            acc = ir.result(product, 0);
        }
        let result = ir.result(self.contract, 0);
        ir.replace_uses(result, acc);
        ir.erase(self.contract);
        for factor in &self.factors {
            factor.conversions.iter().rev().for_each(|&op| ir.erase(op));
        }
        // One iteration: fragments of the next step, copies, products of this step.
        let gone = |op: &OpId| {
            *op == self.contract || self.factors.iter().any(|f| f.read == *op || f.conversions.contains(op))
        };
        let terminator = ir.terminator(body).expect("a loop's block ends");
        let others: Vec<OpId> = others.into_iter().filter(|op| *op != terminator && !gone(op)).collect();
        // What the accumulator goes through stands around the products.
        let behind = |ir: &Ir, op: OpId| depends_on(ir, op, &products);
        let (after, before): (Vec<OpId>, Vec<OpId>) = others.iter().partition(|&&op| behind(ir, op));
        // Masks and places of copies are made with them.
        let with_copies = |op: &OpId| self.factors.iter().any(|factor| depends_on(ir, factor.read, &[*op]));
        let mut schedule: Vec<(OpId, usize)> =
            before.into_iter().map(|op| (op, if with_copies(&op) { 0 } else { last })).collect();
        let n = self.n_steps as usize;
        if self.is_shared {
            schedule.extend(fragments[0].iter().chain(&products[..1]).map(|&op| (op, last)));
            schedule.extend(copies.iter().map(|&op| (op, 0)));
        }
        for step in (0..n).filter(|_| !self.is_shared) {
            if !reads_ahead {
                schedule.extend(fragments[step].iter().map(|&op| (op, last)));
            } else if step + 1 < n {
                schedule.extend(fragments[step + 1].iter().map(|&op| (op, last)));
            }
            if step == 0 {
                schedule.extend(copies.iter().map(|&op| (op, 0)));
            }
            // With two slots, the next iteration's tile is read at once.
            if step + 1 == n && slots == 2 {
                schedule.extend(late.drain(..).map(|op| (op, 0)));
            }
            if step + 1 == n && reads_ahead {
                schedule.extend(fragments[0].iter().map(|&op| (op, last - 1)));
            }
            schedule.push((products[step], last));
        }
        schedule.extend(late.into_iter().map(|op| (op, 0)));
        schedule.extend(after.into_iter().map(|op| (op, last)));
        let kernel = run_ahead(ir, self.loop_op, &schedule, self.bounds, last as i64);
        // Products inside threads are so many that addresses cost nothing beside them.
        if self.matrix {
            unroll(ir, kernel, slots, self.partial);
        }
    }
}

/// States of each read that does not reach beyond the end along a dimension that it is in bounds there.
fn found_bounds(ir: &mut Ir, func: OpId) {
    for read in ir.walk(func) {
        if ir.opcode(read) != Opcode::VectorTransferRead {
            continue;
        }
        let view = Transfer::of(ir, read);
        let (Some(dims), shape) = (view.map.as_dims(), ir.shape_of(ir.result(read, 0)).to_vec()) else { continue };
        let extents = ir.shape_of(view.base);
        let inside = |d: usize| {
            let end = largest(ir, view.indices[dims[d]]).and_then(|at| at.checked_add(shape[d]));
            view.in_bounds[d] || end.is_some_and(|end| end <= extents[dims[d]])
        };
        let in_bounds: Vec<bool> = (0..dims.len()).map(inside).collect();
        if in_bounds != view.in_bounds {
            let in_bounds = in_bounds.into_iter().map(|inside| ir.intern(Attr::Bool(inside))).collect();
            let in_bounds = ir.intern(Attr::Array(in_bounds));
            ir.set_attr(read, "in_bounds", in_bounds);
        }
    }
}

/// The largest value of an index: of a number, of what loops with known bounds count, and of sums of both.
fn largest(ir: &Ir, index: ValueId) -> Option<i64> {
    if let Some(number) = ir.const_int(index) {
        return Some(number);
    }
    match ir.def(index) {
        Def::Arg { block, index: 0 } => {
            let bounds = Bounds::of(ir, ir.region_parent(ir.block_region(block)))?;
            Some(bounds.lower + (bounds.trips.max(1) - 1) * bounds.step)
        }
        Def::Result { op, .. } if ir.opcode(op) == Opcode::ArithAddi => {
            largest(ir, ir.operand(op, 0))?.checked_add(largest(ir, ir.operand(op, 1))?)
        }
        Def::Arg { .. } | Def::Result { .. } => None,
    }
}

/// Lets a loop add up what it drops again: `select(mask, sum, carried)` keeps, where the mask says so, what came in, and
/// one selection behind the loop does the same. Inside, the sums are then those of whole matrix instructions.
fn select_behind(ir: &mut Ir, loop_op: OpId) {
    let block = ir.entry(loop_op);
    // Constants are known in every iteration, and in every stage.
    for op in ir.ops_of(block).into_iter().filter(|&op| ir.class(op) == Class::Constant).collect::<Vec<_>>() {
        ir.detach(op);
        ir.insert_before(loop_op, op);
    }
    let end = ir.terminator(block).expect("a loop's block ends");
    for i in 0..ir.operands(end).len() {
        let (value, carried) = (ir.operand(end, i), ir.args(block)[i + 1]);
        let Some(select) = ir.def_op(value).filter(|&op| ir.opcode(op) == Opcode::ArithSelect) else { continue };
        let &[mask, sum, other] = ir.operands(select) else { continue };
        // Element by element, a sum of products is of the same element of what came in.
        let contract = |op: OpId| ir.class(op) == Class::Contract;
        let mut at = sum;
        while let Some(op) = ir.def_op(at).filter(|&op| contract(op) || ir.opcode(op) == Opcode::IreeVectorExtToLayout)
        {
            at = if contract(op) { Contract::of(ir, op).acc } else { ir.operand(op, 0) };
        }
        let Some(make) = ir.def_op(mask).filter(|&op| ir.opcode(op) == Opcode::VectorCreateMask) else { continue };
        let outside = ir.operands(make).iter().all(|&bound| match ir.def(bound) {
            Def::Arg { block: at, .. } => at != block,
            Def::Result { op, .. } => ir.parent_block(op) != Some(block),
        });
        if other != carried || at != carried || !outside || ir.uses(value).count() != 1 {
            continue;
        }
        let (result, init, span) = (ir.result(loop_op, i), ir.operand(loop_op, 3 + i), ir.span(select));
        let (ty, attrs) = ([ir.type_of(result)], ir.attr_dict(select));
        let behind = ir.next_op(loop_op).expect("a function does not end with a loop");
        ir.set_operand(end, i, sum);
        if ir.parent_block(make) == Some(block) {
            ir.detach(make);
            ir.insert_before(loop_op, make);
        }
        let new = ir.create_with(Opcode::ArithSelect, &[mask, init, init], &ty, attrs, span);
        Builder::before(ir, behind).place(new);
        let selected = ir.result(new, 0);
        ir.replace_uses(result, selected);
        ir.set_operand(new, 1, result);
        ir.erase(select);
    }
}

/// Whether an operation uses, at any distance in its block, a result of some others.
fn depends_on(ir: &Ir, op: OpId, on: &[OpId]) -> bool {
    ir.operands(op)
        .iter()
        .filter_map(|&operand| ir.def_op(operand))
        .any(|def| on.contains(&def) || ir.parent_block(def) == ir.parent_block(op) && depends_on(ir, def, on))
}

/// Pipelines a loop whose copies run so many iterations ahead, and returns the new one. Where only the run knows the
/// number of iterations, the last ones copy zeros from beyond the end.
fn run_ahead(ir: &mut Ir, loop_op: OpId, schedule: &Schedule, bounds: Bounds, ahead: i64) -> OpId {
    let ending = if bounds.is_open { Ending::Beyond } else { Ending::Peeled };
    let done = software_pipeline::pipeline(ir, loop_op, schedule, ending, &mut |_, _, _, _| {});
    let kernel = done.expect("every value is made before it is used, and there are as many iterations as slots").kernel;
    if !bounds.is_open {
        let ty = ir.type_of(ir.operand(kernel, 1));
        let end = Builder::before(ir, kernel).int(bounds.lower + (bounds.trips - ahead) * bounds.step, ty);
        ir.set_operand(kernel, 1, end);
    }
    state_layouts(ir, kernel);
    kernel
}

/// States the layouts of all that a new loop carries.
fn state_layouts(ir: &mut Ir, kernel: OpId) {
    let end = ir.terminator(ir.entry(kernel)).expect("a loop's block ends");
    let yields = ir.operands(end).to_vec();
    ir.remove_attr(kernel, "layouts");
    let layouts: Vec<Option<Nested>> = yields.iter().map(|&value| layout_of(ir, value).cloned()).collect();
    let attrs = layouts.into_iter().map(|layout| match layout {
        Some(layout) => ir.intern(Attr::Layout(layout.into())),
        None => ir.intern(Attr::Unit),
    });
    let attrs: Vec<_> = attrs.collect();
    let layouts = ir.intern(Attr::Array(attrs));
    ir.set_attr(kernel, "layouts", layouts);
}

/// Writes as many iterations one behind the other as there are slots, so that each knows the numbers of its slots: they
/// become parts of addresses, and cost nothing. What iterations are left over stand behind the loop; the last one is
/// among them where its copies are partial, so that the loop's need not look where operands end along k.
fn unroll(ir: &mut Ir, kernel: OpId, n: i64, partial: bool) {
    let Some(bounds) = Bounds::of(ir, kernel).filter(|bounds| bounds.trips >= ROUNDS_MIN * n) else { return };
    let whole = (bounds.trips - i64::from(partial)) / n * n;
    let block = ir.entry(kernel);
    let (args, ops) = (ir.args(block).to_vec(), ir.ops_of(block));
    let (end, ops) = ops.split_last().expect("a loop's block ends");
    let yields = ir.operands(*end).to_vec();
    let inits = ir.operands(kernel)[3..].to_vec();
    let types: Vec<_> = inits.iter().map(|&init| ir.type_of(init)).collect();
    let (index, span, attrs) = (ir.type_of(args[0]), ir.span(kernel), ir.attr_dict(kernel));
    // One iteration, whose number has this remainder.
    let iteration = |builder: &mut Builder<'_>, iv: ValueId, carried: &[ValueId], number: i64| -> Vec<ValueId> {
        let mut map = ValueMap::default();
        map.set(args[0], iv);
        for (&arg, &value) in args[1..].iter().zip(carried) {
            map.set(arg, value);
        }
        for &op in ops {
            builder.span = builder.ir.span(op);
            let result = builder.ir.results(op).next();
            let slot = result.filter(|_| builder.ir.opcode(op) == Opcode::AffineApply);
            match slot.and_then(|slot| Some((slot, Slot::of(builder.ir, slot, n)?))) {
                Some((old, slot)) if slot.of == Some(kernel) => {
                    let new = builder.index((slot.at + number).rem_euclid(n));
                    map.set(old, new);
                }
                _ => {
                    builder.copy(op, &mut map);
                }
            }
        }
        yields.iter().map(|&value| map.find(value).unwrap_or(value)).collect()
    };
    let mut builder = Builder::before(ir, kernel);
    let [lower, upper, step] =
        [bounds.lower, bounds.lower + whole * bounds.step, n * bounds.step].map(|number| builder.int(number, index));
    let operands = [&[lower, upper, step], &inits[..]].concat();
    let new = ir.create_with(Opcode::ScfFor, &operands, &types, attrs, span);
    Builder::before(ir, kernel).place(new);
    let region = ir.add_region(new);
    let body = ir.add_block(region, &[&[index], &types[..]].concat());
    let mut carried = ir.args(body)[1..].to_vec();
    let first = ir.args(body)[0];
    let mut builder = Builder::at_end(ir, body, span);
    for number in 0..n {
        let iv = match number {
            0 => first,
            _ => {
                let distance = builder.int(number * bounds.step, index);
                builder.binary(Opcode::ArithAddi, first, distance)
            }
        };
        carried = iteration(&mut builder, iv, &carried, number);
    }
    builder.op(Opcode::ScfYield, &carried, &[], &[]);
    let mut carried: Vec<ValueId> = ir.results(new).collect();
    let mut builder = Builder::before(ir, kernel);
    for number in whole..bounds.trips {
        let iv = builder.int(bounds.lower + number * bounds.step, index);
        carried = iteration(&mut builder, iv, &carried, number);
    }
    for (result, value) in ir.results(kernel).collect::<Vec<_>>().into_iter().zip(carried) {
        ir.replace_uses(result, value);
    }
    ir.erase(kernel);
}

/// Whether a value is computed in the block of an operation, and not only laid out or named anew there. ptxas (12.9 to
/// 13.0) may give registers that products in a loop read, and that are written in front of the loop, to others in it.
pub fn is_made_beside(ir: &Ir, value: ValueId, op: OpId) -> bool {
    let mut maker = ir.def_op(value);
    while let Some(at) =
        maker.filter(|&at| matches!(ir.opcode(at), Opcode::IreeVectorExtToLayout | Opcode::VectorShapeCast))
    {
        maker = ir.def_op(ir.operand(at, 0));
    }
    maker.is_some_and(|maker| ir.parent_block(maker) == ir.parent_block(op))
}
