//! Lower regions of several blocks: jumps pass on scalars.
//!
//! A block lies inside of those that dominate it, as the body of a loop lies inside of the loop: what such a block
//! computes can be used here, and an index that needs no more than what it has is computed there, in front of its jump.

use raddle_ir::{BlockId, Diag, OpId, Opcode, RegionId, ValueId, dominance};

use super::Cx;

impl Cx<'_> {
    /// Lowers the blocks of `old` into `new`; the first of them is the block that is open.
    pub(super) fn blocks(&mut self, op: OpId, old: RegionId, new: RegionId) -> Result<(), Diag> {
        let tree = dominance::tree(self.ir, old);
        let (outer, first) = (self.owners.len(), *self.blocks.last().expect("a block is open"));
        // Arguments first: jumps may go back.
        let mut copies = vec![first];
        for &(block, _) in tree.iter().skip(1) {
            let args = self.ir.args(block).to_vec();
            let (types, widths) = self.flat_types(op, &args)?;
            let copy = self.ir.add_block(new, &types);
            let parts = self.ir.args(copy).to_vec();
            self.split(&args, &widths, &parts);
            copies.push(copy);
        }
        self.targets.extend(tree.iter().map(|&(block, _)| block).zip(copies.iter().copied()));
        // The jumps of the blocks around the current one.
        let mut ends: Vec<OpId> = Vec::new();
        for ((block, depth), copy) in tree.into_iter().zip(copies) {
            ends.truncate(depth);
            self.owners.truncate(outer);
            self.owners.extend(&ends);
            self.blocks.truncate(outer + depth);
            self.blocks.push(copy);
            let ops = self.ir.ops_of(block);
            let (&end, ops) = ops.split_last().expect("a verified block has a terminator");
            self.ops(ops)?;
            self.span = self.ir.span(end);
            ends.push(self.leave(end)?);
        }
        self.owners.truncate(outer);
        self.blocks.truncate(outer + 1);
        Ok(())
    }

    /// `cf.br` and its family: passes on all elements.
    pub(super) fn jump(&mut self, op: OpId) -> Result<OpId, Diag> {
        let jumps: Vec<(BlockId, Vec<ValueId>)> =
            self.ir.jumps(op).iter().map(|jump| (jump.to, jump.args.to_vec())).collect();
        // What decides comes in front of what is passed on.
        let n_flags = usize::from(self.ir.opcode(op) != Opcode::CfBr);
        let flags = self.ir.operands(op)[..n_flags].to_vec();
        let mut operands = Vec::new();
        self.flatten(op, &flags, &mut operands)?;
        let mut counts = Vec::new();
        for (_, args) in &jumps {
            counts.push(self.flatten(op, args, &mut operands)?.into_iter().sum::<usize>());
        }
        let to: Vec<BlockId> = jumps.iter().map(|(block, _)| self.targets[block]).collect();
        let new = self.copy(op, &operands, &[]);
        self.ir.set_successors(new, &to);
        match self.ir.opcode(op) {
            Opcode::CfCondBr => {
                let sizes = self.ir.segment_sizes(&[1, counts[0], counts[1]]);
                self.ir.set_attr(new, "operandSegmentSizes", sizes);
            }
            Opcode::CfSwitch => {
                let cases = self.ir.segment_sizes(&counts[1..]);
                let sizes = self.ir.segment_sizes(&[1, counts[0], counts[1..].iter().sum()]);
                self.ir.set_attr(new, "case_operand_segments", cases);
                self.ir.set_attr(new, "operandSegmentSizes", sizes);
            }
            _ => {}
        }
        Ok(new)
    }
}
