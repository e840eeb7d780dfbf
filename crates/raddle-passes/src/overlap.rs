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
//! Does nothing where the number of iterations is not known, where an operand is masked, or where the chip has no
//! asynchronous copies.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Contract, Transfer};
use raddle_ir::{Attr, Builder, Class, Diag, Expr, Ir, Map, OpId, Opcode, Scalar, Type, ValueId, ValueMap};
use raddle_layout::Nested;

use crate::config::Launch;
use crate::distribute::{Slot, is_conversion};
use crate::instruction;
use crate::lay_out::layout_of;
use crate::pipeline::{self, Bounds, Ending};
use crate::table::Facts;

/// Slots of a ring, where nothing else is asked for.
const SLOTS: i64 = 3;

/// How often the slots must come round that iterations are unrolled.
const UNROLL_MIN: i64 = 4;

/// Bytes of the widest access.
const ACCESS_BYTES: i64 = 16;

/// Overlaps the copies and products of each loop that has one contraction on promoted operands.
pub fn overlap(ir: &mut Ir, func: OpId, facts: &Facts) -> Result<(), Diag> {
    if !facts.chip.async_copies {
        return Ok(());
    }
    let Ok(launch) = Launch::read(ir, func) else { return Ok(()) };
    for loop_op in ir.walk(func) {
        if ir.opcode(loop_op) != Opcode::ScfFor {
            continue;
        }
        let Some(product) = Product::of(ir, loop_op, launch, facts) else { continue };
        let left = i64::from(facts.chip.shared_bytes_max) - shared_bytes(ir, func);
        let slots = SLOTS.min(product.bounds.trips).min(left / product.bytes());
        if slots < 2 {
            continue;
        }
        let message = format!("copies of this loop's tiles run {} iterations ahead, through {slots} slots", slots - 1);
        let remark = Diag::error(raddle_ir::Code::LayoutChoice, ir.span(loop_op), message).as_remark();
        facts.remarks.borrow_mut().push(remark);
        product.rewrite(ir, func, slots);
    }
    Ok(())
}

/// Bytes of shared memory that the program takes itself.
fn shared_bytes(ir: &Ir, func: OpId) -> i64 {
    let allocs = ir.walk(func).into_iter().filter(|&op| ir.opcode(op) == Opcode::MemrefAlloc);
    let bytes = allocs.map(|op| {
        let buffer = ir.result(op, 0);
        let elem = Scalar::of(&ir[ir.elem_of(buffer)]).map_or(1, |scalar| scalar.bytes() as i64);
        ir.shape_of(buffer).iter().fold(elem, |bytes, &extent| bytes.saturating_mul(extent.max(1)))
    });
    bytes.fold(0, |sum, bytes| sum.saturating_add((bytes + ACCESS_BYTES - 1) / ACCESS_BYTES * ACCESS_BYTES))
}

/// A factor on its way from global memory to a contraction.
struct Factor {
    read: OpId,
    /// The changes of layout behind the read, the last one between threads.
    conversions: Vec<OpId>,
    shape: [i64; 2],
    /// The layout of fragments.
    layout: Nested,
    /// The dimension that is summed over.
    k: usize,
    elem_bytes: i64,
}

/// A loop around one contraction of promoted factors.
struct Product {
    loop_op: OpId,
    bounds: Bounds,
    contract: OpId,
    factors: [Factor; 2],
    /// Matrix instructions along k.
    n_steps: i64,
}

impl Product {
    fn of(ir: &Ir, loop_op: OpId, launch: Launch, facts: &Facts) -> Option<Product> {
        let bounds = Bounds::of(ir, loop_op)?;
        let body = ir.ops_of(ir.entry(loop_op));
        let mut contracts = body.iter().filter(|&&op| ir.class(op) == Class::Contract);
        let (&contract, None) = (contracts.next()?, contracts.next()) else { return None };
        let view = Contract::of(ir, contract);
        let layouts = [layout_of(ir, view.lhs)?, layout_of(ir, view.rhs)?, layout_of(ir, view.acc)?];
        let found = instruction::of_contract(ir, contract, layouts[0], layouts[1], facts.chip)?;
        if found.result != *layouts[2] {
            return None;
        }
        let along_k = |i: usize| view.maps[i].results.iter().position(|expr| *expr == Expr::Dim(found.roles.k as u32));
        let lhs = Factor::of(ir, view.lhs, along_k(0)?, launch)?;
        let rhs = Factor::of(ir, view.rhs, along_k(1)?, launch)?;
        let n_steps = lhs.layout.batch_tile[lhs.k];
        if lhs.read == rhs.read || n_steps != rhs.layout.batch_tile[rhs.k] || bounds.trips < 2 {
            return None;
        }
        let product = Product { loop_op, bounds, contract, factors: [lhs, rhs], n_steps };
        // Nothing else happens in memory, and nothing runs that has regions.
        let ours = |op: OpId| product.factors.iter().any(|factor| factor.read == op) || op == contract;
        let quiet = |op: OpId| {
            let pure = ir.opcode(op).info().is_pure() || ir.class(op) == Class::Layout && !is_conversion(ir, op);
            pure && ir.regions(op).is_empty() || product.factors.iter().any(|factor| factor.conversions.contains(&op))
        };
        let (_, rest) = body.split_last()?;
        rest.iter().all(|&op| ours(op) || quiet(op)).then_some(product)
    }

    /// Bytes of one slot of each ring.
    fn bytes(&self) -> i64 {
        self.factors.iter().map(|factor| factor.shape[0] * factor.shape[1] * factor.elem_bytes).sum()
    }

    fn rewrite(self, ir: &mut Ir, func: OpId, slots: i64) {
        let last = slots as usize - 1;
        let body = ir.entry(self.loop_op);
        // Constants are known in every stage.
        for op in ir.ops_of(body) {
            if ir.class(op) == Class::Constant {
                ir.detach(op);
                ir.insert_before(self.loop_op, op);
            }
        }
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
        for (factor, &ring) in self.factors.iter().zip(&rings) {
            let vector = ir.result(factor.read, 0);
            let write = Builder::before(ir, self.contract).transfer_write(
                vector,
                ring,
                &[copy_slot, zero, zero],
                tail(),
                &[true; 2],
            );
            copies.extend([factor.read, write]);
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
        let mut schedule: Vec<(OpId, usize)> = before.into_iter().map(|op| (op, last)).collect();
        let n = self.n_steps as usize;
        for step in 0..n {
            if step + 1 < n {
                schedule.extend(fragments[step + 1].iter().map(|&op| (op, last)));
            }
            if step == 0 {
                schedule.extend(copies.iter().map(|&op| (op, 0)));
            }
            if step + 1 == n {
                schedule.extend(fragments[0].iter().map(|&op| (op, last - 1)));
            }
            schedule.push((products[step], last));
        }
        schedule.extend(after.into_iter().map(|op| (op, last)));
        let done = pipeline::pipeline(ir, self.loop_op, &schedule, Ending::Peeled, &mut |_, _, _, _| {});
        let done = done.expect("every value is made before it is used, and there are as many iterations as slots");
        finish(ir, done.kernel, self.bounds, last as i64);
        unroll(ir, done.kernel, slots);
    }
}

/// Whether an operation uses, at any distance in its block, a result of some others.
fn depends_on(ir: &Ir, op: OpId, on: &[OpId]) -> bool {
    ir.operands(op)
        .iter()
        .filter_map(|&operand| ir.def_op(operand))
        .any(|def| on.contains(&def) || ir.parent_block(def) == ir.parent_block(op) && depends_on(ir, def, on))
}

/// The last two dimensions of a ring.
fn tail() -> Map {
    Map::of_dims(3, &[1, 2])
}

/// States the bounds of the new loop as numbers, and the layouts of all that it carries.
fn finish(ir: &mut Ir, kernel: OpId, bounds: Bounds, ahead: i64) {
    let ty = ir.type_of(ir.operand(kernel, 1));
    let end = Builder::before(ir, kernel).int(bounds.lower + (bounds.trips - ahead) * bounds.step, ty);
    ir.set_operand(kernel, 1, end);
    let end = ir.terminator(ir.entry(kernel)).expect("a loop's block ends");
    let yields = ir.operands(end).to_vec();
    ir.remove_attr(kernel, "layouts");
    let layouts: Vec<Option<Nested>> = yields.iter().map(|&value| layout_of(ir, value).cloned()).collect();
    let attrs = layouts.into_iter().map(|layout| match layout {
        Some(layout) => ir.intern(Attr::Layout(layout)),
        None => ir.intern(Attr::Unit),
    });
    let attrs: Vec<_> = attrs.collect();
    let layouts = ir.intern(Attr::Array(attrs));
    ir.set_attr(kernel, "layouts", layouts);
}

/// Writes as many iterations one behind the other as there are slots, so that each knows the numbers of its slots: they
/// become parts of addresses, and cost nothing. What iterations are left over stand behind the loop.
fn unroll(ir: &mut Ir, kernel: OpId, n: i64) {
    let Some(bounds) = Bounds::of(ir, kernel).filter(|bounds| bounds.trips >= UNROLL_MIN * n) else { return };
    let whole = bounds.trips / n * n;
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

impl Factor {
    /// A factor that is read from global memory in one layout and used in another one.
    fn of(ir: &Ir, value: ValueId, k: usize, launch: Launch) -> Option<Factor> {
        let layout = layout_of(ir, value)?.clone();
        let mut conversions = Vec::new();
        let mut at = ir.def_op(value)?;
        while ir.opcode(at) == Opcode::IreeVectorExtToLayout {
            conversions.insert(0, at);
            at = ir.def_op(ir.operand(at, 0))?;
        }
        let used_once = |op: OpId| ir.uses(ir.result(op, 0)).count() == 1;
        let between_threads = conversions.iter().filter(|&&op| is_conversion(ir, op)).count() == 1;
        if ir.opcode(at) != Opcode::VectorTransferRead
            || !conversions.iter().chain([&at]).all(|&op| used_once(op))
            || !between_threads
        {
            return None;
        }
        let view = Transfer::of(ir, at);
        let copy = layout_of(ir, ir.result(at, 0))?;
        let &[rows, columns] = ir.shape_of(value) else { return None };
        let elem_bytes =
            Scalar::of(&ir[ir.elem_of(value)]).filter(|elem| matches!(elem.bits(), 8 | 16 | 32))?.bytes() as i64;
        let global = match ir.ty(view.base) {
            Type::MemRef { space, .. } => space.is_none_or(|space| ir.keyword(space) != Some("workgroup")),
            _ => false,
        };
        let whole = view.mask.is_none() && view.in_bounds.iter().all(|&inside| inside) && view.map.as_dims().is_some();
        // Each element is copied by one thread, 16 bytes at a time, in a row of memory.
        let in_memory = view.map.as_dims().is_some_and(|dims| dims.last() == Some(&(ir.shape_of(view.base).len() - 1)));
        let threads: i64 = copy.thread_tile.iter().chain(&copy.subgroup_tile).product();
        let run = copy.element_tile[1] * elem_bytes == ACCESS_BYTES && copy.element_tile[0] == 1;
        let powers = [rows, columns, launch.workgroup_size].into_iter().all(|n| n > 0 && n & (n - 1) == 0);
        let aligned = ir.shape_of(view.base).last().is_some_and(|&pitch| pitch * elem_bytes % ACCESS_BYTES == 0)
            && view.indices.last().is_some_and(|&at| crate::distribute::is_multiple(ir, at, ACCESS_BYTES / elem_bytes));
        let fits = global && whole && in_memory && run && powers && aligned && threads == launch.workgroup_size;
        let factor = Factor { read: at, conversions, shape: [rows, columns], layout, k, elem_bytes };
        (fits && columns * elem_bytes >= ACCESS_BYTES).then_some(factor)
    }

    /// A ring of so many tiles. Pieces of 16 bytes are xored with the number of their row, so that neither the copies,
    /// along rows, nor the loads of fragments, down the rows, meet in a bank.
    fn alloc(&self, ir: &mut Ir, before: OpId, slots: i64) -> ValueId {
        let piece = (ACCESS_BYTES / self.elem_bytes).ilog2();
        let per_row = self.shape[1].ilog2() - piece;
        // Eight pieces pass all banks once.
        let swizzle = [per_row.min(3), piece, per_row.max(3)].map(i64::from);
        let span = ir.span(self.read);
        let elem = ir.elem_of(ir.result(self.read, 0));
        let mut builder = Builder::before(ir, before);
        builder.span = span;
        let ring = builder.alloc_shared(&[slots, self.shape[0], self.shape[1]], elem);
        let alloc = ir.def_op(ring).expect("it was just made");
        let swizzle = ir.i64_array(&swizzle);
        ir.set_attr(alloc, "raddle.swizzle", swizzle);
        ring
    }

    /// Reads the fragments of one step of k.
    fn read_step(
        &self,
        ir: &mut Ir,
        [loop_op, before]: [OpId; 2],
        ring: ValueId,
        [slot, zero]: [ValueId; 2],
        [step, n_steps]: [i64; 2],
    ) -> ValueId {
        let mut shape = self.shape;
        shape[self.k] /= n_steps;
        let mut layout = self.layout.clone();
        layout.batch_tile[self.k] = 1;
        let elem = ir.elem_of(ring);
        let padding = Transfer::of(ir, self.read).padding;
        let mut builder = Builder::before(ir, loop_op);
        let mut indices = [slot, zero, zero];
        indices[1 + self.k] = builder.index(step * shape[self.k]);
        let padding = padding.unwrap_or_else(|| builder.splat(0.0, elem));
        let ty = builder.ir.vector_type(&shape, elem);
        let mut builder = Builder::before(ir, before);
        let read = builder.transfer_read(ring, &indices, padding, tail(), &[true; 2], ty);
        let op = ir.def_op(read).expect("it was just made");
        let layout = ir.intern(Attr::Layout(layout));
        let layouts = ir.intern(Attr::Array(vec![layout]));
        ir.set_attr(op, "layouts", layouts);
        read
    }
}
