//! Control flow: loops, branches and jumps carry one thread's parts.
//!
//! All threads of a workgroup go the same way, since what decides about it are scalars that all of them have. A loop's
//! round meets what earlier rounds did in memory; behind a branch, what either side did is still to be met. Between
//! blocks nothing is: they end with a barrier where there is something to wait for.

use raddle_ir::views::{Forall, Mixed};
use raddle_ir::{BlockId, Builder, Diag, OpId, Opcode, RegionId, TypeId, ValueId, dominance};

use super::{Cx, block_of, carried, hazard, layout, part_type, refuse, ring, shared_product};
use crate::config::role;
use crate::overlap::software_pipeline::Bounds;

/// The types of one thread's parts; scalars keep theirs.
pub fn part_types(builder: &mut Builder<'_>, op: OpId, values: &[ValueId]) -> Result<Vec<TypeId>, Diag> {
    let mut types = Vec::with_capacity(values.len());
    for &value in values {
        let ty = builder.ir.type_of(value);
        types.push(if builder.ir[ty].is_vector() {
            let (layout, elem) = (layout(builder.ir, op, value)?, builder.ir.elem_of(value));
            part_type(builder.ir, elem, &layout)
        } else {
            ty
        });
    }
    Ok(types)
}

fn parts(builder: &Builder<'_>, cx: &Cx<'_>, op: OpId) -> Vec<ValueId> {
    builder.ir.operands(op).iter().map(|&value| cx.part(value)).collect()
}

fn results(builder: &Builder<'_>, cx: &mut Cx<'_>, old: OpId, new: OpId) {
    for (old, new) in builder.ir.results(old).zip(builder.ir.results(new)) {
        cx.map.set(old, new);
    }
}

/// Distributes what may run more than once: a round meets what the rounds in front of it did; without a round, what
/// comes behind meets what came before.
fn rounds(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    body: impl FnOnce(&mut Builder<'_>, &mut Cx<'_>) -> Result<(), Diag>,
) -> Result<(), Diag> {
    cx.depth += 1;
    let before = cx.pending.clone();
    let states = cx.buffers.states();
    match hazard::rounds(builder.ir, cx, op, &before) {
        Some([before, earlier]) => {
            cx.pending = [before, earlier.clone()].concat();
            cx.earlier = Some(earlier);
        }
        None => cx.pending.extend(hazard::earlier_rounds(builder.ir, cx.workgroup, op)),
    }
    let done = body(builder, cx);
    cx.depth -= 1;
    let n_rounds = Bounds::of(builder.ir, op).map(|bounds| bounds.trips);
    hazard::leave(builder.ir, &mut cx.pending, op, n_rounds);
    if n_rounds.is_none_or(|n_rounds| n_rounds < 1) {
        cx.pending.extend(before);
    }
    cx.buffers.join(&states);
    done
}

/// `scf.for`
pub fn for_loop(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let operands = parts(builder, cx, op);
    let block = builder.ir.entry(op);
    let args = builder.ir.args(block).to_vec();
    let end = builder.ir.terminator(block).expect("the verifier has seen a terminator");
    let mut failed = None;
    let mut new = None;
    // Rings of one size: the loop carries the first slot's number behind all else.
    let slots = ring::slots(builder.ir, op);
    let slots = if slots.iter().all(|(_, slot)| slot.n == slots[0].1.n) { slots } else { Vec::new() };
    let first = slots.first().map(|(_, slot)| builder.index(slot.at));
    let inits: Vec<ValueId> = operands[3..].iter().copied().chain(first).collect();
    rounds(builder, cx, op, |builder, cx| {
        new = Some(builder.for_loop(operands[0], operands[1], operands[2], &inits, |inner, iv, carried| {
            cx.map.set(args[0], iv);
            let next = first.map(|_| ring::count_slots(inner, cx, &slots, carried[carried.len() - 1]));
            for (&arg, &value) in args[1..].iter().zip(carried) {
                cx.map.set(arg, value);
            }
            cx.sums.enter(inner.ir, &cx.products, op);
            if let Err(diag) = block_of(inner, cx, block, Some(end)) {
                failed = Some(diag);
                return carried.to_vec();
            }
            if let Some(earlier) = cx.earlier.take()
                && !hazard::age(&cx.pending, op).iter().all(|access| earlier.contains(access))
            {
                // The next round does not know of this.
                cx.wait(inner, Some(0));
            }
            if let Err(diag) = shared_product::meet_sums(inner, cx, end) {
                failed = Some(diag);
                return carried.to_vec();
            }
            inner.ir.operands(end).iter().map(|&value| cx.part(value)).chain(next).collect()
        }));
        failed.map_or(Ok(()), Err)
    })?;
    results(builder, cx, op, new.expect("the loop has been made"));
    cx.sums.enter(builder.ir, &cx.products, op);
    carried::meet(builder, cx, op, end)
}

/// `scf.while`
pub fn while_loop(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let old: Vec<ValueId> = builder.ir.results(op).collect();
    let (operands, types) = (parts(builder, cx, op), part_types(builder, op, &old)?);
    let new = builder.op(Opcode::ScfWhile, &operands, &types, &[]);
    rounds(builder, cx, op, |builder, cx| {
        let mut left = None;
        for region in builder.ir.regions(op).to_vec() {
            let copy = builder.ir.add_region(new);
            blocks_of(builder, cx, op, region, copy)?;
            left.get_or_insert_with(|| (cx.pending.clone(), cx.buffers.states()));
        }
        // It is left behind the test, not behind what follows it.
        if let Some((pending, states)) = left {
            cx.pending.extend(pending);
            cx.buffers.join(&states);
        }
        Ok(())
    })?;
    results(builder, cx, op, new);
    Ok(())
}

/// `scf.forall` that gives no tensors: its rounds may come in any order, so also one after the other.
pub fn forall(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let view = Forall::of(builder.ir, op);
    if !view.outputs.is_empty() {
        return Err(refuse(builder.ir, op, "it fills tensors: run `vectorize` first"));
    }
    let block = builder.ir.entry(op);
    rounds(builder, cx, op, |builder, cx| nest(builder, cx, &view, block, 0))
}

fn nest(builder: &mut Builder<'_>, cx: &mut Cx<'_>, view: &Forall, block: BlockId, d: usize) -> Result<(), Diag> {
    let Some(&iv) = builder.ir.args(block).get(d) else {
        let end = builder.ir.terminator(block);
        return block_of(builder, cx, block, end);
    };
    let mut bound = |at: Mixed| match at {
        Mixed::Static(at) => builder.index(at),
        Mixed::Value(value) => cx.part(value),
    };
    let [lower, upper, step] = [bound(view.lower[d]), bound(view.upper[d]), bound(view.step[d])];
    let mut done = Ok(());
    builder.for_loop(lower, upper, step, &[], |inner, index, _| {
        cx.map.set(iv, index);
        done = nest(inner, cx, view, block, d + 1);
        Vec::new()
    });
    done
}

/// `scf.if`, `scf.index_switch`, `scf.execute_region`: one of several regions runs.
pub fn branch(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let old: Vec<ValueId> = builder.ir.results(op).collect();
    let (operands, types) = (parts(builder, cx, op), part_types(builder, op, &old)?);
    let attrs = builder.ir.attr_dict(op);
    let new = builder.ir.create_with(builder.ir.opcode(op), &operands, &types, attrs, builder.span);
    builder.place(new);
    builder.ir.remove_attr(new, "layouts");
    builder.ir.remove_attr(new, role::SUBGROUPS);
    let before = cx.pending.clone();
    let states = cx.buffers.states();
    let mut after = Vec::new();
    let mut ends = Vec::new();
    for region in builder.ir.regions(op).to_vec() {
        let copy = builder.ir.add_region(new);
        cx.pending.clone_from(&before);
        cx.buffers.reset(&states);
        blocks_of(builder, cx, op, region, copy)?;
        after.append(&mut cx.pending);
        ends.push(cx.buffers.states());
    }
    for end in ends {
        cx.buffers.join(&end);
    }
    cx.pending = after;
    results(builder, cx, op, new);
    Ok(())
}

/// Distributes the blocks of one region into another one.
pub fn blocks_of(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    from: RegionId,
    to: RegionId,
) -> Result<(), Diag> {
    let old = dominance::order(builder.ir, from);
    let new = blocks(builder, cx, op, &old, to)?;
    fill(builder, cx, &old, &new)
}

/// New blocks for old ones. What a block is given has the layouts of what is passed to it.
pub fn blocks(
    builder: &mut Builder<'_>,
    cx: &mut Cx<'_>,
    op: OpId,
    old: &[BlockId],
    to: RegionId,
) -> Result<Vec<BlockId>, Diag> {
    let mut new = Vec::new();
    for &block in old {
        let args = builder.ir.args(block).to_vec();
        let types = part_types(builder, op, &args)?;
        let copy = builder.ir.add_block(to, &types);
        for (arg, part) in args.into_iter().zip(builder.ir.args(copy).to_vec()) {
            cx.map.set(arg, part);
        }
        cx.blocks.insert(block, copy);
        new.push(copy);
    }
    Ok(new)
}

/// Distributes blocks into others that have their arguments already.
pub fn fill(builder: &mut Builder<'_>, cx: &mut Cx<'_>, old: &[BlockId], new: &[BlockId]) -> Result<(), Diag> {
    let span = builder.span;
    let (mut after, mut ends) = (Vec::new(), Vec::new());
    for (&block, &copy) in old.iter().zip(new) {
        let mut inner = Builder::at_end(builder.ir, copy, span);
        block_of(&mut inner, cx, block, None)?;
        // Jumps have waited; what the ways out of the region did is still to be met.
        after.append(&mut cx.pending);
        ends.push(cx.buffers.states());
        cx.buffers.meet(cx.launch);
    }
    cx.pending = after;
    for end in ends {
        cx.buffers.join(&end);
    }
    Ok(())
}

/// `cf.br` and its family, and what ends a region: passes on parts.
pub fn leave(builder: &mut Builder<'_>, cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let successors: Option<Vec<BlockId>> =
        builder.ir.successors(op).iter().map(|block| cx.blocks.get(block).copied()).collect();
    let Some(successors) = successors else { return Err(refuse(builder.ir, op, "it leaves the region that it is in")) };
    if !successors.is_empty() && (!cx.pending.is_empty() || cx.buffers.are_read()) {
        cx.barrier(builder);
    }
    let copy = builder.copy(op, &mut cx.map);
    builder.ir.set_successors(copy, &successors);
    Ok(())
}
