//! Flow: which values are the same value when control passes on.
//!
//! What a loop is given and what its body yields both become the carried argument and the result; what a jump is given
//! becomes the argument of the block behind it; what a masked region yields becomes the result of `vector.mask`. Layouts
//! follow these edges both ways, and so does whoever asks for the layout of a block's argument.

use raddle_ir::{BlockId, Def, Ir, OpId, Opcode, ValueId};

/// What operand `operand` becomes when control passes on; nothing for an operand that is used up.
pub fn targets(ir: &Ir, op: OpId, operand: usize) -> Vec<ValueId> {
    let carried = |looping: OpId, i: usize| vec![ir.args(ir.entry(looping))[1 + i], ir.result(looping, i)];
    match (ir.opcode(op), ir.parent_op(op)) {
        (Opcode::ScfFor, _) if operand >= 3 => carried(op, operand - 3),
        (Opcode::ScfWhile, _) => argument(ir, ir.body(op, 0), operand),
        (Opcode::ScfCondition, Some(parent)) if operand > 0 => {
            let mut targets = argument(ir, ir.body(parent, 1), operand - 1);
            targets.push(ir.result(parent, operand - 1));
            targets
        }
        (Opcode::ScfYield, Some(parent)) => match ir.opcode(parent) {
            Opcode::ScfFor => carried(parent, operand),
            Opcode::ScfWhile => argument(ir, ir.body(parent, 0), operand),
            _ => vec![ir.result(parent, operand)],
        },
        (Opcode::VectorYield, Some(parent)) => vec![ir.result(parent, operand)],
        (Opcode::CfBr | Opcode::CfCondBr | Opcode::CfSwitch, _) => {
            jumps(ir, op).into_iter().filter(|jump| jump.0 == operand).map(|jump| jump.1).collect()
        }
        _ => Vec::new(),
    }
}

fn argument(ir: &Ir, block: Option<BlockId>, index: usize) -> Vec<ValueId> {
    block.and_then(|block| ir.args(block).get(index).copied()).into_iter().collect()
}

/// Each operand that a jump passes on, and the argument that it becomes.
fn jumps(ir: &Ir, op: OpId) -> Vec<(usize, ValueId)> {
    let arguments = |&block: &BlockId| ir.args(block).to_vec();
    let first = usize::from(ir.opcode(op) != Opcode::CfBr);
    (first..).zip(ir.successors(op).iter().flat_map(arguments)).collect()
}

/// The operands that may become a value: those of the loop, branch, masked region or jumps that it comes out of.
pub fn sources(ir: &Ir, value: ValueId) -> Vec<(OpId, usize)> {
    match ir.def(value) {
        Def::Result { op, index } => {
            let index = index as usize;
            match ir.opcode(op) {
                Opcode::ScfFor => {
                    let mut sources = vec![(op, 3 + index)];
                    sources.extend(ends(ir, op, Opcode::ScfYield).map(|end| (end, index)));
                    sources
                }
                Opcode::ScfWhile => ends(ir, op, Opcode::ScfCondition).map(|end| (end, 1 + index)).collect(),
                Opcode::ScfIf | Opcode::ScfExecuteRegion | Opcode::ScfIndexSwitch => {
                    ends(ir, op, Opcode::ScfYield).map(|end| (end, index)).collect()
                }
                Opcode::VectorMask => ends(ir, op, Opcode::VectorYield).map(|end| (end, index)).collect(),
                _ => Vec::new(),
            }
        }
        Def::Arg { block, index } => {
            let (region, index) = (ir.block_region(block), index as usize);
            let parent = ir.region_parent(region);
            match (ir.opcode(parent), ir.blocks(region).first() == Some(&block)) {
                (Opcode::ScfFor, true) if index > 0 => sources(ir, ir.result(parent, index - 1)),
                (Opcode::ScfWhile, true) if ir.body(parent, 0) == Some(block) => {
                    let mut sources = vec![(parent, index)];
                    sources.extend(ends(ir, parent, Opcode::ScfYield).map(|end| (end, index)));
                    sources
                }
                (Opcode::ScfWhile, true) => {
                    ends(ir, parent, Opcode::ScfCondition).map(|end| (end, 1 + index)).collect()
                }
                (_, true) => Vec::new(),
                (_, false) => {
                    let ends = ir.blocks(region).iter().filter_map(|&block| ir.terminator(block));
                    let ends = ends.filter(|&end| ir.successors(end).contains(&block));
                    let into = |end: OpId| jumps(ir, end).into_iter().map(move |jump| (end, jump));
                    ends.flat_map(into).filter(|(_, jump)| jump.1 == value).map(|(end, jump)| (end, jump.0)).collect()
                }
            }
        }
    }
}

/// The operations of one kind that end the blocks of an operation's regions.
fn ends(ir: &Ir, op: OpId, kind: Opcode) -> impl Iterator<Item = OpId> {
    let blocks = ir.regions(op).iter().flat_map(|&region| ir.blocks(region).iter());
    let ends = blocks.filter_map(|&block| ir.terminator(block)).filter(|&end| ir.opcode(end) == kind);
    ends.collect::<Vec<_>>().into_iter()
}

/// The other name of what a loop carries: its argument in the body, or the result that it becomes.
pub fn counterpart(ir: &Ir, value: ValueId) -> Option<ValueId> {
    match ir.def(value) {
        Def::Result { op, index } => match ir.opcode(op) {
            Opcode::ScfFor => Some(ir.args(ir.entry(op))[1 + index as usize]),
            Opcode::ScfWhile => argument(ir, ir.body(op, 1), index as usize).pop(),
            _ => None,
        },
        Def::Arg { block, index } => {
            let parent = ir.region_parent(ir.block_region(block));
            match ir.opcode(parent) {
                Opcode::ScfFor => (index as usize).checked_sub(1).map(|index| ir.result(parent, index)),
                Opcode::ScfWhile if ir.body(parent, 1) == Some(block) => Some(ir.result(parent, index as usize)),
                _ => None,
            }
        }
    }
}
