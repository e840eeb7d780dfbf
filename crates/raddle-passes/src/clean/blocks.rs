//! Fold jumps: those that can go one way only, blocks that nothing leads to, blocks that only ever follow one another.
//!
//! Before: `cf.cond_br %true, ^a(%x), ^b`, `^a(%y): …; cf.br ^c`, `^b: …`, `^c: …`.
//! After: one block, with `%x` in the place of `%y`.

use raddle_ir::views::Jump;
use raddle_ir::{BlockId, Builder, Class, Ir, OpId, Opcode, RegionId, dominance};
use rustc_hash::{FxHashMap, FxHashSet};

use super::number::{self, Number};

/// Simplifies the jumps of every region inside the function; says whether anything changed.
pub(super) fn join(ir: &mut Ir, func: OpId) -> bool {
    let mut changed = false;
    if ir.class(func) == Class::Structured {
        return false;
    }
    for region in ir.regions(func).to_vec() {
        if ir.blocks(region).len() > 1 {
            changed |= join_region(ir, region);
        }
        for block in ir.blocks(region).to_vec() {
            let mut next = ir.first_op(block);
            while let Some(op) = next {
                if !ir.regions(op).is_empty() {
                    changed |= join(ir, op);
                }
                next = ir.next_op(op);
            }
        }
    }
    changed
}

fn join_region(ir: &mut Ir, region: RegionId) -> bool {
    let mut changed = false;
    for block in ir.blocks(region).to_vec() {
        changed |= go_the_only_way(ir, block);
    }
    changed |= drop_unreached(ir, region);
    let mut n_ways: FxHashMap<BlockId, usize> = FxHashMap::default();
    for &block in ir.blocks(region) {
        for &next in ways(ir, block) {
            *n_ways.entry(next).or_default() += 1;
        }
    }
    let (entry, blocks) = (ir.blocks(region)[0], ir.blocks(region).to_vec());
    let mut gone = FxHashSet::default();
    for block in blocks {
        if gone.contains(&block) {
            continue;
        }
        // What a block takes in ends as that one did, so that it may take in the next.
        while let Some((jump, next)) = straight(ir, block)
            && next != entry
            && next != block
            && n_ways.get(&next) == Some(&1)
        {
            take_in(ir, block, jump, next);
            gone.insert(next);
            changed = true;
        }
    }
    changed
}

/// Where the end of a block may go.
fn ways(ir: &Ir, block: BlockId) -> &[BlockId] {
    ir.terminator(block).map_or(&[], |end| ir.successors(end))
}

/// The end of a block that always goes to the same one.
fn straight(ir: &Ir, block: BlockId) -> Option<(OpId, BlockId)> {
    let end = ir.terminator(block).filter(|&end| ir.opcode(end) == Opcode::CfBr)?;
    Some((end, *ir.successors(end).first()?))
}

/// Puts the operations of `next`, to which nothing but `jump` leads, in the place of the jump.
fn take_in(ir: &mut Ir, block: BlockId, jump: OpId, next: BlockId) {
    let values = ir.operands(jump).to_vec();
    for (arg, value) in ir.args(next).to_vec().into_iter().zip(values) {
        ir.replace_uses(arg, value);
    }
    ir.erase(jump);
    for op in ir.ops_of(next) {
        ir.detach(op);
        ir.append(block, op);
    }
    ir.remove_block(next);
}

/// Makes a jump that can go one way only a plain one.
fn go_the_only_way(ir: &mut Ir, block: BlockId) -> bool {
    let Some(end) = ir.terminator(block) else { return false };
    let Some((target, values)) = only_way(ir, end).map(|way| (way.to, way.args.to_vec())) else { return false };
    let jump = Builder::before(ir, end).op(Opcode::CfBr, &values, &[], &[]);
    ir.set_successors(jump, &[target]);
    ir.erase(end);
    true
}

/// Which of several ways a jump takes, if that is known or they are all the same.
fn only_way(ir: &Ir, end: OpId) -> Option<Jump<'_>> {
    let ways = ir.jumps(end);
    let (&first, others) = ways.split_first().filter(|_| ir.opcode(end) != Opcode::CfBr)?;
    if others.iter().all(|way| (way.to, way.args) == (first.to, first.args)) {
        return Some(first);
    }
    // A condition that is 0 takes the second branch; a flag that is not a case takes the first.
    let flag = number::of(ir, ir.operand(end, 0)).and_then(Number::int)?;
    match ir.opcode(end) {
        Opcode::CfCondBr => Some(ways[usize::from(flag == 0)]),
        _ => Some(others.iter().copied().find(|way| way.case == Some(flag)).unwrap_or(first)),
    }
}

/// Removes the blocks to which no way leads from the first one.
fn drop_unreached(ir: &mut Ir, region: RegionId) -> bool {
    let reached = FxHashSet::from_iter(dominance::order(ir, region));
    let dead: Vec<BlockId> = ir.blocks(region).iter().copied().filter(|block| !reached.contains(block)).collect();
    ir.remove_blocks(&dead);
    !dead.is_empty()
}
