//! Fold jumps: those that can go one way only, blocks that nothing leads to, blocks that only ever follow one another.
//!
//! Before: `cf.cond_br %true, ^a(%x), ^b`, `^a(%y): …; cf.br ^c`, `^b: …`, `^c: …`.
//! After: one block, with `%x` in the place of `%y`.

use raddle_ir::{Attr, BlockId, Builder, Class, Ir, OpId, Opcode, RegionId, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::number::{self, Number};

/// Simplifies the jumps of every region inside the function; says whether anything changed.
pub(super) fn join(ir: &mut Ir, func: OpId) -> bool {
    let mut changed = false;
    for op in [vec![func], ir.walk(func)].concat() {
        if ir.class(op) == Class::Structured {
            continue;
        }
        for region in ir.regions(op).to_vec() {
            // What stood in a block that is gone, has lost its blocks or its parent; neither has jumps.
            if ir.blocks(region).len() > 1 {
                changed |= join_region(ir, region);
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
    let mut gone = Vec::new();
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
            gone.push(next);
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
    let end = ir.terminator(block).filter(|&end| ir.opcode(end) == Opcode::Br)?;
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
    let Some(way) = only_way(ir, end) else { return false };
    let (target, values) = (ir.successors(end)[way], passed(ir, end, way).to_vec());
    let jump = Builder::before(ir, end).op(Opcode::Br, &values, &[], &[]);
    ir.set_successors(jump, &[target]);
    ir.erase(end);
    true
}

/// Which of several ways a jump takes, if that is known or they are all the same.
fn only_way(ir: &Ir, end: OpId) -> Option<usize> {
    let cases = match ir.opcode(end) {
        Opcode::CondBr => vec![0],
        Opcode::Switch => match ir.attr(end, "case_values") {
            Some(values @ Attr::Dense { .. }) => {
                let values = ir.dense_elems(values);
                values.iter().map(Attr::as_i64).collect::<Option<Vec<i64>>>()?
            }
            _ => Vec::new(),
        },
        _ => return None,
    };
    let targets = ir.successors(end);
    let same = |way: usize| targets[way] == targets[0] && passed(ir, end, way) == passed(ir, end, 0);
    if (1..targets.len()).all(same) {
        return Some(0);
    }
    // A condition that is 0 takes the second way; a flag that is no case takes the first.
    let flag = number::of(ir, ir.operand(end, 0)).and_then(Number::int)?;
    let case = cases.iter().position(|&case| case == flag);
    Some(match ir.opcode(end) {
        Opcode::CondBr => usize::from(case.is_some()),
        _ => case.map_or(0, |case| case + 1),
    })
}

/// What a conditional jump passes on along a way.
fn passed(ir: &Ir, end: OpId, way: usize) -> &[ValueId] {
    let count = |&block: &BlockId| ir.args(block).len();
    let targets = ir.successors(end);
    let first = 1 + targets[..way].iter().map(count).sum::<usize>();
    &ir.operands(end)[first..first + count(&targets[way])]
}

/// Removes the blocks to which no way leads from the first one.
fn drop_unreached(ir: &mut Ir, region: RegionId) -> bool {
    let entry = ir.blocks(region)[0];
    let mut reached: FxHashSet<BlockId> = FxHashSet::from_iter([entry]);
    let mut open = vec![entry];
    while let Some(block) = open.pop() {
        for &next in ways(ir, block) {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    let dead: Vec<BlockId> = ir.blocks(region).iter().copied().filter(|block| !reached.contains(block)).collect();
    // They may use each other's values in a circle.
    for &block in &dead {
        for op in ir.ops_of(block) {
            for inner in [vec![op], ir.walk(op)].concat() {
                ir.set_operands(inner, &[]);
            }
        }
    }
    for &block in &dead {
        ir.remove_block(block);
    }
    !dead.is_empty()
}
