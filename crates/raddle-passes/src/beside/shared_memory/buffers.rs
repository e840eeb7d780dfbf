//! Buffers: several for one that each round of a loop fills anew, so that rounds do not wait for one another's readers.
//!
//! Before: `%a = alloc : 32x64`, `for %i { fill %a; read %a }`
//! After:  `%a = alloc : 3x32x64`, `for %i { %s = subview %a[(%i floordiv step) mod 3, 0, 0]; fill %s; read %s }`
//!
//! That is the same program if no round sees what another one has written: nobody else uses the buffer, each round reads
//! behind its writes, and all rounds write the same elements. Views that are made in front of the loop move into it.

use raddle_ir::affine::BinOp;
use raddle_ir::views::{Mixed, SliceView};
use raddle_ir::{Builder, Def, Expr, Ir, Map, OpId, Opcode, Type, TypeId, ValueId, ValueMap};
use rustc_hash::FxHashSet;

use super::effects::{reads, writes};
use super::{is_view, root, users, views};
use crate::overlap::software_pipeline::Bounds;

/// How one buffer becomes several.
pub struct Plan {
    /// The buffer.
    pub buffer: ValueId,
    alloc: OpId,
    /// Views in front of the loop, each behind what it is a view of.
    outside: Vec<OpId>,
    /// The type of all buffers together, and that of one.
    all: TypeId,
    one: TypeId,
    /// Types of the buffer and of its views, in front of the loop and inside.
    types: Vec<(ValueId, TypeId)>,
    slice: SliceView,
}

/// Whether, and how, `n` buffers can take the place of one that a loop uses.
pub fn plan(ir: &mut Ir, loop_op: OpId, buffer: ValueId, n: i64) -> Option<Plan> {
    let alloc = ir.def_op(buffer).filter(|&op| ir.opcode(op) == Opcode::MemrefAlloc)?;
    let Type::MemRef { shape, elem, layout: None, space } = ir.ty(buffer).clone() else { return None };
    let inside: FxHashSet<OpId> = ir.walk(loop_op).into_iter().collect();
    if !ir.operands(alloc).is_empty()
        || inside.contains(&alloc)
        || !users(ir, buffer).iter().all(|op| inside.contains(op))
    {
        return None;
    }
    if !is_filled_alike(ir, loop_op, buffer) {
        return None;
    }
    let all = ir.intern_type(Type::MemRef { shape: [&[n], &shape[..]].concat(), elem, layout: None, space });
    let number = |n: i64| Mixed::Static(n);
    // Any value stands for the place that the loop's index decides.
    let index = ir.args(ir.entry(loop_op))[0];
    let slice = SliceView {
        value: None,
        base: buffer,
        offsets: [Mixed::Value(index)].into_iter().chain(shape.iter().map(|_| number(0))).collect(),
        sizes: [number(1)].into_iter().chain(shape.iter().map(|&extent| number(extent))).collect(),
        strides: vec![number(1); shape.len() + 1],
    };
    let one = views::thinner(ir, all, &slice)?;
    let types = views::retyping(ir, buffer, one)?;
    let outside = views_outside(ir, buffer, &inside);
    // What a view depends on is there wherever the view is.
    Some(Plan { buffer, alloc, outside, all, one, types, slice })
}

/// The views of a buffer that are made outside of the loop, each behind what it is a view of.
fn views_outside(ir: &Ir, buffer: ValueId, inside: &FxHashSet<OpId>) -> Vec<OpId> {
    let (mut found, mut left) = (Vec::new(), vec![buffer]);
    let mut next = 0;
    while let Some(&value) = left.get(next) {
        next += 1;
        for (user, _) in ir.uses(value) {
            if is_view(ir.opcode(user)) && !inside.contains(&user) && !found.contains(&user) {
                found.push(user);
                left.extend(ir.results(user));
            }
        }
    }
    found
}

/// Whether each round writes the same elements of a buffer, and reads behind that.
fn is_filled_alike(ir: &Ir, loop_op: OpId, buffer: ValueId) -> bool {
    let body = ir.entry(loop_op);
    let is_it = |base: ValueId| root(ir, base) == buffer;
    let ops = ir.ops_of(body);
    let first_read = ops.iter().position(|&op| reads(ir, op, is_it)).unwrap_or(ops.len());
    let last_write = ops.iter().rposition(|&op| writes(ir, op, is_it));
    let Some(last_write) = last_write.filter(|&last| last < first_read) else { return false };
    ops[..=last_write].iter().filter(|&&op| writes(ir, op, is_it)).all(|&op| {
        let mut inner = ir.walk(op);
        inner.push(op);
        inner.iter().all(|&op| {
            let from = if ir.opcode(op) == Opcode::AmdgpuGatherToLds {
                ir.segments(op)[0].len() + ir.segments(op)[1].len()
            } else {
                0
            };
            let parts = &ir.operands(op)[from..];
            let decides = if writes_itself(ir, op, &is_it) { parts } else { control(ir, op) };
            decides.iter().all(|&value| is_same_in_all_rounds(ir, body, value))
        })
    })
}

/// Whether an operation is the one that writes, not one around it.
fn writes_itself(ir: &Ir, op: OpId, is_it: &dyn Fn(ValueId) -> bool) -> bool {
    ir.regions(op).is_empty() && writes(ir, op, is_it)
}

/// What decides whether, and how often, the regions of an operation run.
fn control(ir: &Ir, op: OpId) -> &[ValueId] {
    if ir.regions(op).is_empty() { &[] } else { ir.operands(op) }
}

/// Whether a value does not depend on the loop's index, on what the loop carries, or on memory.
fn is_same_in_all_rounds(ir: &Ir, body: raddle_ir::BlockId, value: ValueId) -> bool {
    match ir.def(value) {
        Def::Arg { block, .. } => !is_within(ir, block, body),
        Def::Result { op, .. } => {
            let inside = ir.parent_block(op).is_some_and(|block| is_within(ir, block, body));
            !inside
                || ir.regions(op).is_empty()
                    && super::effects::is_pure(ir, op)
                    && ir.operands(op).iter().all(|&value| is_same_in_all_rounds(ir, body, value))
        }
    }
}

/// Whether a block is the body, or nested in it.
fn is_within(ir: &Ir, block: raddle_ir::BlockId, body: raddle_ir::BlockId) -> bool {
    let mut at = Some(block);
    while let Some(block) = at {
        if block == body {
            return true;
        }
        at = ir.parent_block(ir.region_parent(ir.block_region(block)));
    }
    false
}

/// Makes several buffers of one.
pub fn multiply(ir: &mut Ir, loop_op: OpId, bounds: Bounds, n: i64, plan: Plan) {
    let body = ir.entry(loop_op);
    let first = ir.first_op(body).expect("a loop's body has an end");
    let index = ir.args(body)[0];
    for (value, ty) in plan.types {
        ir.set_type(value, ty);
    }
    let attrs = ir.attr_dict(plan.alloc);
    let all = ir.create_with(Opcode::MemrefAlloc, &[], &[plan.all], attrs, ir.span(plan.alloc));
    ir.insert_before(plan.alloc, all);
    let all = ir.result(all, 0);
    let mut builder = Builder::before(ir, first);
    // The number of the round, modulo the number of buffers.
    let is_index = matches!(builder.ir.ty(index), Type::Index);
    let index = if is_index {
        index
    } else {
        let ty = builder.ir.index_type();
        builder.value(Opcode::ArithIndexCast, &[index], ty, &[])
    };
    let from = Expr::binary(BinOp::Add, Expr::Dim(0), Expr::Const(-bounds.lower));
    let round = Expr::binary(BinOp::FloorDiv, from, Expr::Const(bounds.step));
    let turn = Expr::binary(BinOp::Mod, round, Expr::Const(n));
    let turn = builder.apply(Map { dims: 1, syms: 0, results: vec![turn] }, &[index]);
    let mut slice = plan.slice;
    slice.offsets[0] = Mixed::Value(turn);
    let one = builder.subview(all, &slice, plan.one);
    let mut map = ValueMap::default();
    map.set(plan.buffer, one);
    for &view in &plan.outside {
        builder.copy(view, &mut map);
    }
    for &view in plan.outside.iter().rev() {
        for result in ir.results(view) {
            ir.replace_uses(result, map.get(result));
        }
        ir.erase(view);
    }
    ir.replace_uses(plan.buffer, one);
    ir.erase(plan.alloc);
}
