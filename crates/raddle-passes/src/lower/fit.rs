//! Fit: a block whose values take more registers than a thread has computes them in another order.
//!
//! Before: fragments of all products, then the products:
//!
//! ```mlir
//! %a = vector.load %m[%i] : memref<64xf16, #gpu.address_space<workgroup>>, vector<16xf16>
//! %b = vector.load %m[%j] : memref<64xf16, #gpu.address_space<workgroup>>, vector<16xf16>
//! %c = amdgpu.wmma 16x16x16 %x * %a + %s : …
//! %d = amdgpu.wmma 16x16x16 %x * %b + %t : …
//! ```
//!
//! After: what a product asks for stands in front of it:
//!
//! ```mlir
//! %a = vector.load %m[%i] : memref<64xf16, #gpu.address_space<workgroup>>, vector<16xf16>
//! %c = amdgpu.wmma 16x16x16 %x * %a + %s : …
//! %b = vector.load %m[%j] : memref<64xf16, #gpu.address_space<workgroup>>, vector<16xf16>
//! %d = amdgpu.wmma 16x16x16 %x * %b + %t : …
//! ```
//!
//! LLVM orders each block by itself, and goes back to the order of the text where its own takes more registers than there
//! are: the text had better not take more. Several orders are tried, from the one that changes least: loads of shared
//! memory move to their first user; products that add to one sum follow each other; then loads of global memory, which
//! stand early on purpose, move as well. The first that fits is taken, or else the one that takes least. Registers are
//! counted by the values that have uses ahead, so that the count is of an assembler that wastes none.
//!
//! Stores and whatever waits stay in order. Matrix instructions and loads of what is written stay between those that they
//! stand between. A block that fits is left alone.

use raddle_ir::{BlockId, Class, Def, Ir, OpId, Opcode, Type, ValueId};
use raddle_layout::sort::sort_by_key;
use raddle_target::{Chip, Leaf, leaf};
use rustc_hash::{FxHashMap, FxHashSet};

use super::order::{Role, halves, is_global, role, written};
use super::speculate::speculate_in;
use crate::config::Launch;

/// The part of the registers that the values of a block may take: the rest is for addresses, for what an assembler moves,
/// and for values that lie across a block.
const PART: [i64; 2] = [7, 8];

/// Registers that all kinds of instructions reach.
const REACHED: u32 = 256;

/// SIMD units that share the subgroups of a workgroup.
const UNITS: u32 = 4;

/// Orders the blocks of a function that do not fit.
pub(super) fn fit(ir: &mut Ir, func: OpId, chip: &Chip) {
    let all = ir.walk(func);
    let written = written(ir, &all);
    let mut uniform = uniform(ir, func, &all);
    let threads = Launch::stated(ir, func).ok().flatten().map_or(1, |launch| launch.workgroup_size);
    let is_one = threads <= i64::from(UNITS * chip.subgroup_size);
    let registers = if is_one { chip.registers_max } else { chip.registers_max.min(REACHED) };
    let budget = 2 * i64::from(registers) * PART[0] / PART[1];
    let regions = std::iter::once(func).chain(all).flat_map(|op| ir.regions(op).to_vec());
    let blocks: Vec<BlockId> = regions.flat_map(|region| ir.blocks(region).to_vec()).collect();
    for block in blocks {
        let mut held = Block::of(ir, block, &uniform);
        let mut best = held.excess(0..held.ops.len(), budget);
        if best > 0 && speculate_in(ir, func, block) {
            uniform.resize(ir.n_values(), false);
            held = Block::of(ir, block, &uniform);
            best = held.excess(0..held.ops.len(), budget);
        }
        let mut order = None;
        for moves in MOVES {
            if best == 0 {
                break;
            }
            let other = Order::of(ir, &held, &written, *moves).all();
            let excess = held.excess(other.iter().copied(), budget);
            if excess < best {
                (best, order) = (excess, Some(other));
            }
        }
        for at in order.unwrap_or_default() {
            ir.detach(held.ops[at]);
            ir.append(block, held.ops[at]);
        }
    }
}

/// Whether each value is one for all lanes of a subgroup, so that it is in no vector register.
fn uniform(ir: &Ir, func: OpId, all: &[OpId]) -> Vec<bool> {
    let mut uniform = vec![false; ir.n_values()];
    ir.body(func, 0).into_iter().flat_map(|body| ir.args(body)).for_each(|arg| uniform[arg.index()] = true);
    for &op in all {
        let is_uniform = match ir.class(op) {
            Class::Constant | Class::Alloc => true,
            Class::Id => !matches!(ir.opcode(op), Opcode::GpuThreadId | Opcode::GpuLaneId),
            Class::Elementwise => ir.operands(op).iter().all(|value| uniform[value.index()]),
            _ => false,
        };
        ir.results(op).for_each(|value| uniform[value.index()] = is_uniform);
        if ir.opcode(op) == Opcode::ScfFor {
            let bounds = ir.operands(op).iter().take(3).all(|value| uniform[value.index()]);
            uniform[ir.args(ir.entry(op))[0].index()] = bounds;
        }
    }
    uniform
}

/// What a value shares its registers with: an index with that which it is a constant away from, since accesses have room
/// for the constant, and an element with its vector.
fn shares(ir: &Ir, value: ValueId) -> Option<ValueId> {
    let is_constant = |value: ValueId| ir.def_op(value).is_some_and(|op| ir.class(op) == Class::Constant);
    match ir.def_op(value).map(|op| (ir.opcode(op), ir.operands(op)))? {
        (Opcode::ArithAddi, &[from, by]) => (*ir.ty(value) == Type::Index && is_constant(by)).then_some(from),
        (Opcode::VectorToElements, &[from]) => Some(from),
        _ => None,
    }
}

/// The values that an operation with regions asks for, or what is inside of it, as often as they are asked for.
fn from_outside(ir: &Ir, op: OpId) -> Vec<ValueId> {
    let inside = ir.walk(op);
    let mut own: FxHashSet<ValueId> = inside.iter().flat_map(|&op| ir.results(op)).collect();
    for &op in std::iter::once(&op).chain(&inside) {
        let blocks = ir.regions(op).iter().flat_map(|&region| ir.blocks(region));
        own.extend(blocks.flat_map(|&block| ir.args(block)));
    }
    let all = std::iter::once(op).chain(inside).flat_map(|op| ir.operands(op).to_vec());
    all.filter(|value| !own.contains(value)).collect()
}

/// What registers hold: a value, what is a constant away from it, and the elements of a vector, which are in its registers
/// until the last of them is asked for.
struct Held {
    halves: i64,
    /// Whether it is there when the block begins, and until it ends: what a loop asks for again, or another block.
    comes: bool,
    stays: bool,
    /// Operations that ask for it.
    asks: u32,
}

/// What the operations of a block hold in vector registers.
struct Block {
    ops: Vec<OpId>,
    /// The places of the operations that make what each asks for.
    makers: Vec<Vec<usize>>,
    held: Vec<Held>,
    /// What each operation makes, and what it asks for, or what is inside of it, each once.
    made: Vec<Vec<usize>>,
    asked: Vec<Vec<usize>>,
}

impl Block {
    fn of(ir: &Ir, block: BlockId, uniform: &[bool]) -> Block {
        let ops = ir.ops_of(block);
        let n = ops.len();
        let is_loop = ir.class(ir.region_parent(ir.block_region(block))) == Class::Loop;
        let place: FxHashMap<OpId, usize> = ops.iter().enumerate().map(|(at, &op)| (op, at)).collect();
        let maker = |value: ValueId| ir.def_op(value).and_then(|op| place.get(&op).copied());
        let halves = |value: ValueId| match ir.ty(value) {
            _ if uniform[value.index()] => 0,
            // Places in shared memory, and distances from a buffer.
            Type::Index => 2,
            _ => halves(ir, value),
        };
        let (mut numbers, mut held): (FxHashMap<ValueId, usize>, Vec<Held>) = (FxHashMap::default(), Vec::new());
        // Uses of what is held that are not in the block.
        let mut others: Vec<usize> = Vec::new();
        let mut number = |value: ValueId, held: &mut Vec<Held>, others: &mut Vec<usize>| -> usize {
            let mut root = value;
            while let Some(from) = shares(ir, root) {
                root = from;
            }
            let new = held.len();
            let at = *numbers.entry(root).or_insert(new);
            if at == new {
                let is_own = matches!(ir.def(root), Def::Arg { block: of, .. } if of == block);
                let comes = maker(root).is_none();
                held.push(Held { halves: halves(root), comes, stays: is_loop && comes && !is_own, asks: 0 });
                others.push(ir.uses(root).count());
            }
            if root != value && numbers.insert(value, at).is_none() {
                others[at] += ir.uses(value).count();
            }
            at
        };
        let (mut makers, mut made, mut asked) = (Vec::with_capacity(n), Vec::with_capacity(n), Vec::with_capacity(n));
        for &op in &ops {
            let all = if ir.regions(op).is_empty() { ir.operands(op).to_vec() } else { from_outside(ir, op) };
            let mut own: Vec<usize> = Vec::new();
            for &value in &all {
                let at = number(value, &mut held, &mut others);
                others[at] -= 1;
                own.push(at);
            }
            own.sort_unstable();
            own.dedup();
            own.iter().for_each(|&at| held[at].asks += 1);
            asked.push(own);
            let mut from: Vec<usize> = all.iter().filter_map(|&value| maker(value)).collect();
            from.sort_unstable();
            from.dedup();
            makers.push(from);
            let results = ir.results(op).filter(|&value| shares(ir, value).is_none());
            made.push(results.map(|value| number(value, &mut held, &mut others)).collect());
        }
        for (held, others) in held.iter_mut().zip(others) {
            held.stays |= others > 0;
        }
        Block { ops, makers, held, made, asked }
    }

    /// By how much more halves of registers than a budget are in use in this order of the operations: squares, summed over
    /// all of them, since one that needs many more costs most.
    fn excess(&self, order: impl Iterator<Item = usize>, budget: i64) -> i64 {
        let mut left: Vec<u32> = self.held.iter().map(|held| held.asks).collect();
        let mut live: i64 = self.held.iter().filter(|held| held.comes).map(|held| held.halves).sum();
        let mut excess = 0;
        for at in order {
            for held in self.made[at].iter().map(|&at| &self.held[at]) {
                live += if held.asks > 0 || held.stays { held.halves } else { 0 };
            }
            for &number in &self.asked[at] {
                left[number] -= 1;
                live -= if left[number] == 0 && !self.held[number].stays { self.held[number].halves } else { 0 };
            }
            let over = (live - budget).max(0);
            excess += over * over;
        }
        excess
    }
}

/// What changes its place.
#[derive(Clone, Copy)]
struct Moves {
    /// Products that add to one sum follow each other; otherwise everything but loads stays in order.
    chains: bool,
    /// What ends as much as it makes does not wait for its user.
    eager: bool,
    /// Loads of global memory move as well.
    global: bool,
}

/// From the least to the most.
const MOVES: &[Moves] = &[
    Moves { chains: false, eager: false, global: false },
    Moves { chains: true, eager: false, global: false },
    Moves { chains: true, eager: true, global: false },
    Moves { chains: false, eager: false, global: true },
    Moves { chains: true, eager: false, global: true },
    Moves { chains: true, eager: true, global: true },
];

/// What an operation is to an order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It stays in order with its like, and those that are `Bound` stay between them.
    Stays,
    /// A matrix instruction.
    Product,
    /// It loads what the kernel writes.
    Bound,
    /// It goes in front of the first that asks for it, or it is a root of the order.
    Moves,
    Root,
}

struct Order<'a> {
    block: &'a Block,
    moves: Moves,
    kinds: Vec<Kind>,
    /// The operations that ask for what each makes, and how many of them are not yet behind.
    users: Vec<Vec<usize>>,
    left: Vec<u32>,
    /// Operations of the block in the longest chain that each is the end of.
    depth: Vec<u32>,
    done: Vec<bool>,
    order: Vec<usize>,
}

impl<'a> Order<'a> {
    fn of(ir: &Ir, block: &'a Block, written: &FxHashSet<ValueId>, moves: Moves) -> Order<'a> {
        let kind = |&op: &OpId| match (role(ir, op, written), leaf(ir, op)) {
            (_, Some(Leaf::Matrix)) if moves.chains => Kind::Product,
            (_, Some(Leaf::Matrix)) => Kind::Root,
            (Role::Loads, _) if is_global(ir, op) && !moves.global => Kind::Root,
            (Role::Loads, _) => Kind::Moves,
            (Role::Stays, Some(Leaf::Read)) => Kind::Bound,
            (Role::Stays, _) => Kind::Stays,
            (Role::Computes, Some(Leaf::Constant | Leaf::Pack | Leaf::Id)) => Kind::Moves,
            (Role::Computes, _) if moves.chains || ir.results(op).all(|value| *ir.ty(value) == Type::Index) => {
                Kind::Moves
            }
            (Role::Computes, _) => Kind::Root,
        };
        let kinds = block.ops.iter().map(kind).collect();
        let mut depth: Vec<u32> = Vec::with_capacity(block.ops.len());
        for at in 0..block.ops.len() {
            depth.push(block.makers[at].iter().map(|&from| depth[from] + 1).max().unwrap_or(0));
        }
        let n = block.ops.len();
        let mut users = vec![Vec::new(); if moves.eager { n } else { 0 }];
        for at in if moves.eager { 0..n } else { 0..0 } {
            block.makers[at].iter().for_each(|&from| users[from].push(at));
        }
        let left = block.held.iter().map(|held| held.asks).collect();
        Order { block, moves, kinds, users, left, depth, done: vec![false; n], order: Vec::with_capacity(n) }
    }

    /// The places of all operations, in the new order.
    fn all(mut self) -> Vec<usize> {
        let n = self.block.ops.len();
        let mut begin = 0;
        for at in 0..n {
            match self.kinds[at] {
                Kind::Stays => {
                    self.bound(begin..at);
                    begin = at + 1;
                    if begin == n {
                        (0..at).for_each(|at| self.demand(at));
                    }
                    self.demand(at);
                }
                Kind::Root => self.demand(at),
                Kind::Product | Kind::Bound | Kind::Moves => {}
            }
        }
        assert_eq!(self.order.len(), n, "the last operation of a block stays, and asks for all others");
        self.order
    }

    /// What stays between the operations of the block around these places is written there: the last product of each sum
    /// first, with all that it asks for.
    fn bound(&mut self, places: std::ops::Range<usize>) {
        let mut feeds: FxHashSet<usize> = FxHashSet::default();
        for at in places.clone().rev() {
            if self.kinds[at] == Kind::Product || feeds.contains(&at) {
                feeds.extend(&self.block.makers[at]);
            }
        }
        let last = places.clone().filter(|at| self.kinds[*at] == Kind::Product && !feeds.contains(at));
        let others = places.filter(|&at| matches!(self.kinds[at], Kind::Product | Kind::Bound));
        let all: Vec<usize> = last.chain(others).collect();
        all.into_iter().for_each(|at| self.demand(at));
    }

    /// Writes an operation behind all that it asks for.
    fn demand(&mut self, at: usize) {
        let (mut stack, mut wanted) = (vec![(at, false)], Vec::new());
        while let Some((at, is_ready)) = stack.pop() {
            if self.done[at] {
                continue;
            }
            if is_ready {
                self.done[at] = true;
                self.order.push(at);
                if self.moves.eager {
                    self.block.asked[at].iter().for_each(|&number| self.left[number] -= 1);
                    let ready = self.users[at].iter().rev().filter(|&&user| self.does_not_wait(user));
                    stack.extend(ready.map(|&user| (user, false)));
                }
                continue;
            }
            stack.push((at, true));
            // The longest chain first: what the others load is not held meanwhile.
            wanted.extend(self.block.makers[at].iter().filter(|&&from| !self.done[from]));
            sort_by_key(&mut wanted, |&from| (self.depth[from], std::cmp::Reverse(from)));
            stack.extend(wanted.drain(..).map(|from| (from, false)));
        }
    }

    /// Whether an operation that may move has all that it asks for, and ends as much as it makes.
    fn does_not_wait(&self, at: usize) -> bool {
        let halves = |numbers: &[usize], is_it: &dyn Fn(usize) -> bool| -> i64 {
            numbers.iter().filter(|&&number| is_it(number)).map(|&number| self.block.held[number].halves).sum()
        };
        let may = self.kinds[at] == Kind::Moves
            && !self.done[at]
            && self.block.makers[at].iter().all(|&from| self.done[from]);
        let ends = |number: usize| self.left[number] == 1 && !self.block.held[number].stays;
        may && halves(&self.block.made[at], &|_| true) <= halves(&self.block.asked[at], &ends)
    }
}
