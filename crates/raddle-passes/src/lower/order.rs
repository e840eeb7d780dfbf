//! Order: a thread computes what it stores one piece after the other.
//!
//! Before: all elements of a vector go through one operation, then all through the next one, and are stored at the end:
//!
//! ```mlir
//! %a = arith.mulf %x, %s : f32
//! %b = arith.mulf %y, %s : f32
//! %c = arith.addf %a, %x : f32
//! %d = arith.addf %b, %y : f32
//! memref.store %c, %m[%i] : memref<64xf32>
//! memref.store %d, %m[%j] : memref<64xf32>
//! ```
//!
//! After: an operation stands in front of the first one that wants its result:
//!
//! ```mlir
//! %a = arith.mulf %x, %s : f32
//! %c = arith.addf %a, %x : f32
//! memref.store %c, %m[%i] : memref<64xf32>
//! %b = arith.mulf %y, %s : f32
//! %d = arith.addf %b, %y : f32
//! memref.store %d, %m[%j] : memref<64xf32>
//! ```
//!
//! Assemblers keep much of the text's order when they give out registers, and a function of the 128 sums of a product
//! takes several for each that it has begun. What ends as many values as it makes does not wait for its user: the sum of
//! a row takes an element as soon as there is one.
//!
//! Stores and whatever waits stay in order. What computes moves past all of them, and loads move past stores, several at
//! a time, so that their time is waited for once. Loops, products and copies keep the order that earlier steps chose, and
//! so does what stands in front of the last of them, but for addresses and masks: a loop need not keep those that only
//! stand behind it.

use raddle_ir::{BlockId, Def, Ir, OpId, Opcode, Scalar, Type, ValueId};
use raddle_layout::sort::sort_by_key;
use raddle_target::{Leaf, leaf};
use rustc_hash::{FxHashMap, FxHashSet};

/// Halves of registers that hold what is loaded and not yet used, where loads stand together: eight of 16 bytes.
const LOADED: i64 = 64;

/// Orders the operations of the blocks of a function that are in no loop.
pub(super) fn order(ir: &mut Ir, func: OpId) {
    let mut place = vec![OUTSIDE; ir.n_ops()];
    let mut left = vec![0; ir.n_values()];
    let all = ir.walk(func);
    let written = written(ir, &all);
    let mut blocks: Vec<BlockId> = ir.regions(func).iter().flat_map(|&region| ir.blocks(region)).copied().collect();
    while let Some(block) = blocks.pop() {
        Order::of(ir, block, &written, &mut place, &mut left).write(ir);
        for op in ir.block_ops(block).filter(|&op| ir.opcode(op) == Opcode::ScfIf) {
            blocks.extend(ir.regions(op).iter().flat_map(|&region| ir.blocks(region)));
        }
    }
}

/// The buffers that operations may write.
pub(super) fn written(ir: &Ir, ops: &[OpId]) -> FxHashSet<ValueId> {
    let may_write = |op: OpId| {
        let only_computes = [Leaf::Constant, Leaf::Elementwise, Leaf::Pack, Leaf::Id, Leaf::Exchange, Leaf::Read];
        !leaf(ir, op).is_some_and(|leaf| only_computes.contains(&leaf))
    };
    let writes = ops.iter().filter(|&&op| ir.regions(op).is_empty() && may_write(op));
    writes.flat_map(|&op| buffers(ir, op)).collect()
}

/// The place of an operation of another block.
const OUTSIDE: u32 = u32::MAX;

/// What is in front of these stays there: they are products and copies that overlap.
const ENDS: [Leaf; 7] =
    [Leaf::Loop, Leaf::Rows, Leaf::Matrix, Leaf::SharedProduct, Leaf::Copy, Leaf::Group, Leaf::Wait];

/// What an operation is to the order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// It only computes.
    Computes,
    /// It loads what nothing writes while the kernel runs.
    Loads,
    /// It stays in order with its like.
    Stays,
}

/// What is to be done for the operation at a place; `Beside` for a load that another one takes with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Write what it asks for, then itself.
    Ask(usize),
    AskBeside(usize),
    /// Write itself.
    Write(usize),
    WriteBeside(usize),
}

struct Order<'a> {
    block: BlockId,
    ops: Vec<OpId>,
    roles: Vec<Role>,
    /// The places of loads.
    loads: Vec<usize>,
    /// How many operations that stay are in front of each.
    stay: Vec<usize>,
    /// What is computed from nothing but the places of thread and workgroup, and the arguments.
    is_place: Vec<bool>,
    /// Operations of the block in the longest chain that each is the end of.
    depth: Vec<u32>,
    /// The place behind the last product or copy.
    end: usize,
    /// The values that an operation with regions asks for, or what is inside of it.
    asks: FxHashMap<OpId, Vec<ValueId>>,
    /// The place of each operation of the block.
    place: &'a mut [u32],
    /// Uses of each value of the block that are not yet behind.
    left: &'a mut [u32],
    done: Vec<bool>,
    /// What is loaded and not yet used, and the halves of registers that hold it.
    loaded: FxHashMap<ValueId, i64>,
    held: i64,
    /// How many operations that stay are behind.
    stayed: usize,
    order: Vec<OpId>,
    /// Lists to work with.
    stack: Vec<Step>,
    wanted: Vec<usize>,
}

impl<'a> Order<'a> {
    fn of(
        ir: &Ir,
        block: BlockId,
        written: &FxHashSet<ValueId>,
        place: &'a mut [u32],
        left: &'a mut [u32],
    ) -> Order<'a> {
        let ops = ir.ops_of(block);
        let roles: Vec<Role> = ops.iter().map(|&op| role(ir, op, written)).collect();
        let stay = roles.iter().scan(0, |n, &role| {
            let in_front = *n;
            *n += usize::from(role == Role::Stays);
            Some(in_front)
        });
        let stay = stay.collect();
        let loads = (0..ops.len()).filter(|&at| roles[at] == Role::Loads).collect();
        for &value in ir.args(block) {
            left[value.index()] = ir.uses(value).count() as u32;
        }
        for (at, &op) in ops.iter().enumerate() {
            place[op.index()] = at as u32;
            for value in ir.results(op) {
                left[value.index()] = ir.uses(value).count() as u32;
            }
        }
        let (mut is_place, mut depth) = (Vec::with_capacity(ops.len()), Vec::<u32>::with_capacity(ops.len()));
        for (at, &op) in ops.iter().enumerate() {
            let (mut is_from_places, mut longest) = (roles[at] == Role::Computes, 0);
            for &value in ir.operands(op) {
                let made = ir.def_op(value).map(|op| place[op.index()] as usize).filter(|&made| made < at);
                if let Some(made) = made {
                    is_from_places &= is_place[made];
                    longest = longest.max(depth[made] + 1);
                }
            }
            is_place.push(is_from_places);
            depth.push(longest);
        }
        let end = (0..ops.len()).rev().map(|at| end_of_products(ir, ops[at], at, place)).max().unwrap_or(0);
        let inside =
            |op: OpId| ir.walk(op).into_iter().flat_map(|op| ir.operands(op).to_vec()).collect::<Vec<ValueId>>();
        let nested = ops.iter().filter(|&&op| !ir.regions(op).is_empty());
        let asks = nested.map(|&op| (op, [ir.operands(op).to_vec(), inside(op)].concat())).collect();
        let (done, order) = (vec![false; ops.len()], Vec::with_capacity(ops.len()));
        let loaded = FxHashMap::default();
        Order {
            block,
            ops,
            roles,
            loads,
            stay,
            is_place,
            depth,
            end,
            asks,
            place,
            left,
            done,
            loaded,
            held: 0,
            stayed: 0,
            order,
            stack: Vec::new(),
            wanted: Vec::new(),
        }
    }

    fn write(mut self, ir: &mut Ir) {
        for at in 0..self.ops.len() {
            // What only other blocks ask for stands in front of the last operation.
            if at + 1 == self.ops.len() {
                (0..at).for_each(|at| self.demand(ir, at));
            }
            if self.roles[at] == Role::Stays || at < self.end && !self.is_place[at] {
                self.demand(ir, at);
            }
        }
        if self.order.len() == self.ops.len() && self.order != self.ops {
            self.order.iter().for_each(|&op| ir.detach(op));
            self.order.iter().for_each(|&op| ir.append(self.block, op));
        }
        self.ops.iter().for_each(|op| self.place[op.index()] = OUTSIDE);
    }

    /// Writes an operation, in front of it what it asks for, and behind each what does not wait for its user.
    fn demand(&mut self, ir: &Ir, at: usize) {
        if self.done[at] {
            return;
        }
        let (mut stack, mut wanted) = (std::mem::take(&mut self.stack), std::mem::take(&mut self.wanted));
        stack.push(Step::Ask(at));
        while let Some(step) = stack.pop() {
            let (Step::Ask(at) | Step::AskBeside(at) | Step::Write(at) | Step::WriteBeside(at)) = step;
            if self.done[at] {
                continue;
            }
            let op = self.ops[at];
            if matches!(step, Step::Ask(_) | Step::AskBeside(_)) {
                for &value in asks_of(ir, op, &self.asks) {
                    wanted.extend(self.undone(ir, value));
                }
                // The longest chain first: what the others load is not held meanwhile.
                if wanted.len() > 1 {
                    sort_by_key(&mut wanted, |&at| (self.depth[at], std::cmp::Reverse(at)));
                }
                stack.push(if step == Step::Ask(at) { Step::Write(at) } else { Step::WriteBeside(at) });
                for at in wanted.drain(..) {
                    stack.push(Step::Ask(at));
                }
                continue;
            }
            self.done[at] = true;
            self.order.push(op);
            self.stayed += usize::from(self.roles[at] == Role::Stays);
            for value in asks_of(ir, op, &self.asks) {
                self.left[value.index()] = self.left[value.index()].saturating_sub(1);
            }
            self.hold(ir, at);
            if at >= self.end {
                self.eager(ir, op, &mut wanted);
                for at in wanted.drain(..).rev() {
                    stack.push(Step::Ask(at));
                }
                if self.roles[at] == Role::Loads && step == Step::Write(at) {
                    stack.extend(self.more_loads(ir, at).into_iter().rev().map(Step::AskBeside));
                }
            }
        }
        (self.stack, self.wanted) = (stack, wanted);
    }

    /// The place of the operation of the block that makes a value, if it is not written.
    fn undone(&self, ir: &Ir, value: ValueId) -> Option<usize> {
        let Def::Result { op, .. } = ir.def(value) else { return None };
        let place = self.place[op.index()];
        (place != OUTSIDE && !self.done[place as usize]).then_some(place as usize)
    }

    /// Counts what is loaded: what a load gives, or the elements of that, until it is used.
    fn hold(&mut self, ir: &Ir, at: usize) {
        let op = self.ops[at];
        let mut gives = self.roles[at] == Role::Loads;
        if !self.loaded.is_empty() {
            for value in asks_of(ir, op, &self.asks) {
                if let Some(held) = self.loaded.remove(value) {
                    self.held -= held;
                    gives |= leaf(ir, op) == Some(Leaf::Pack);
                }
            }
        }
        if gives {
            for value in ir.results(op) {
                let held = filled(ir, op, value);
                self.loaded.insert(value, held);
                self.held += held;
            }
        }
    }

    /// The loads behind one that was just written that are done with it.
    fn more_loads(&self, ir: &Ir, at: usize) -> Vec<usize> {
        let filled = |at: usize| ir.results(self.ops[at]).map(|value| filled(ir, self.ops[at], value)).sum::<i64>();
        let behind = &self.loads[self.loads.partition_point(|&load| load <= at)..];
        let ready = behind.iter().take_while(|&&load| self.stay[load] <= self.stayed).filter(|&&load| !self.done[load]);
        let mut free = LOADED - self.held;
        let fits = |&&load: &&usize| {
            free -= filled(load);
            free >= 0
        };
        ready.take_while(fits).copied().collect()
    }

    /// Finds the users of what was just written that end as much as they make.
    fn eager(&self, ir: &Ir, op: OpId, found: &mut Vec<usize>) {
        for result in ir.results(op) {
            for (user, _) in ir.uses(result) {
                let at = self.place[user.index()] as usize;
                let computes = self.roles.get(at) == Some(&Role::Computes) && !self.done[at];
                let may = computes && self.stay[at] <= self.stayed && !found.contains(&at);
                if may && self.is_ready(ir, user) && self.growth(ir, user) <= 0 {
                    found.push(at);
                }
            }
        }
    }

    /// Whether all that an operation asks for is written.
    fn is_ready(&self, ir: &Ir, op: OpId) -> bool {
        for &value in ir.operands(op) {
            if self.undone(ir, value).is_some() {
                return false;
            }
        }
        true
    }

    /// Halves of registers that are in use behind an operation, and were not in front of it.
    fn growth(&self, ir: &Ir, op: OpId) -> i64 {
        let mut growth = 0;
        for value in ir.results(op) {
            growth += halves(ir, value);
        }
        let operands = ir.operands(op);
        for (i, value) in operands.iter().enumerate() {
            // Most values have users elsewhere.
            let left = self.left[value.index()] as usize;
            if left > operands.len() || operands[..i].contains(value) {
                continue;
            }
            let here = operands[i..].iter().filter(|&other| other == value).count();
            if left == here && block_of(ir, *value) == Some(self.block) {
                growth -= halves(ir, *value);
            }
        }
        growth
    }
}

/// The values that an operation asks for, where `nested` has those of operations with regions.
fn asks_of<'a>(ir: &'a Ir, op: OpId, nested: &'a FxHashMap<OpId, Vec<ValueId>>) -> &'a [ValueId] {
    if ir.regions(op).is_empty() { ir.operands(op) } else { &nested[&op] }
}

/// What an operation is, where these buffers are written.
pub(super) fn role(ir: &Ir, op: OpId, written: &FxHashSet<ValueId>) -> Role {
    match leaf(ir, op) {
        Some(Leaf::Constant | Leaf::Elementwise | Leaf::Pack | Leaf::Id | Leaf::Exchange) => Role::Computes,
        Some(Leaf::Read) if !buffers(ir, op).iter().any(|buffer| written.contains(buffer)) => Role::Loads,
        // A load under a mask.
        Some(Leaf::Branch) if ir.opcode(op) == Opcode::ScfIf => {
            let inside = ir.walk(op).into_iter().filter(|&op| leaf(ir, op) != Some(Leaf::Yield));
            inside.map(|op| role(ir, op, written)).max().unwrap_or(Role::Loads).max(Role::Loads)
        }
        Some(
            Leaf::Read
            | Leaf::Write
            | Leaf::Atomic
            | Leaf::Alloc
            | Leaf::Loop
            | Leaf::Branch
            | Leaf::Rows
            | Leaf::Matrix
            | Leaf::SharedProduct
            | Leaf::Barrier
            | Leaf::Copy
            | Leaf::Group
            | Leaf::Wait
            | Leaf::Order
            | Leaf::Tile
            | Leaf::Hint
            | Leaf::Check
            | Leaf::Yield
            | Leaf::Condition
            | Leaf::Jump,
        )
        | None => Role::Stays,
    }
}

/// The place behind what an operation of an overlapped loop, or behind one, is there for: behind itself, or for a load
/// from shared memory that several operations multiply with behind the last of them.
fn end_of_products(ir: &Ir, op: OpId, at: usize, place: &[u32]) -> usize {
    match leaf(ir, op) {
        Some(Leaf::Read) if !is_global(ir, op) => {
            let split = |value: ValueId| {
                ir.uses(value).map(|(user, _)| user).filter(|&user| leaf(ir, user) == Some(Leaf::Pack))
            };
            let elements = ir
                .results(op)
                .flat_map(|value| split(value).flat_map(|user| ir.results(user)).chain([value]).collect::<Vec<_>>());
            let shared = elements.filter(|&value| ir.uses(value).count() > 1);
            let users =
                shared.flat_map(|value| ir.uses(value).map(|(user, _)| place[user.index()]).collect::<Vec<_>>());
            users.filter(|&at| at != OUTSIDE).map(|at| at as usize + 1).max().unwrap_or(0)
        }
        leaf if leaf.is_none_or(|leaf| ENDS.contains(&leaf)) => at + 1,
        _ => 0,
    }
}

/// The buffers that an operation or what is inside of it asks for.
fn buffers(ir: &Ir, op: OpId) -> Vec<ValueId> {
    let all = std::iter::once(op).chain(ir.walk(op));
    let operands = all.flat_map(|op| ir.operands(op).iter().copied());
    operands.filter(|&value| matches!(ir.ty(value), Type::MemRef { .. })).collect()
}

/// Whether what an operation loads from is not shared memory.
pub(super) fn is_global(ir: &Ir, op: OpId) -> bool {
    let is_shared = |&value: &ValueId| matches!(ir.ty(value), Type::MemRef { space: Some(space), .. } if ir.keyword(*space) == Some("workgroup"));
    !buffers(ir, op).iter().any(is_shared)
}

/// The block that a value is made in.
fn block_of(ir: &Ir, value: ValueId) -> Option<BlockId> {
    match ir.def(value) {
        Def::Result { op, .. } => ir.parent_block(op),
        Def::Arg { block, .. } => Some(block),
    }
}

/// Halves of registers that what an operation loads takes: what comes out of a branch is in registers of its own.
fn filled(ir: &Ir, op: OpId, value: ValueId) -> i64 {
    if ir.regions(op).is_empty() { halves(ir, value) } else { halves(ir, value).max(2) }
}

/// Halves of registers that a value takes.
pub(super) fn halves(ir: &Ir, value: ValueId) -> i64 {
    if let Some(scalar) = Scalar::of(ir.ty(value)) {
        return i64::from(scalar.bits() / 16).max(1);
    }
    let elem = Scalar::of(&ir[ir.elem_of(value)]).map_or(32, |elem| i64::from(elem.bits()));
    let n: i64 = ir.shape_of(value).iter().product();
    (n * elem / 16).max(1)
}
