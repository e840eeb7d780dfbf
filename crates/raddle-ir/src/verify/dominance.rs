//! Whether every value is defined where it is used.

use crate::codes::Code;
use crate::diag::Diag;
use crate::ids::{BlockId, OpId, RegionId, ValueId};
use crate::ir::{Def, Ir};

struct Scopes<'ir> {
    ir: &'ir Ir,
    /// For each value the number of the isolated operation in which it is visible now; 0 is none.
    visible: Vec<u32>,
    isolated: u32,
}

/// Adds a finding for each use that no definition dominates.
pub(super) fn check(ir: &Ir, module: OpId, diags: &mut Vec<Diag>) {
    let mut scopes = Scopes { ir, visible: vec![0; ir.n_values()], isolated: 0 };
    let mut next = 0;
    scopes.op_regions(module, &mut next, diags);
}

impl Scopes<'_> {
    fn op_regions(&mut self, op: OpId, next: &mut u32, diags: &mut Vec<Diag>) {
        let outer = self.isolated;
        if self.ir.opcode(op).is_isolated() {
            *next += 1;
            self.isolated = *next;
        }
        for &region in self.ir.regions(op) {
            self.region(region, next, diags);
        }
        self.isolated = outer;
    }

    fn region(&mut self, region: RegionId, next: &mut u32, diags: &mut Vec<Diag>) {
        let blocks = self.ir.blocks(region);
        if let [block] = blocks {
            self.block(*block, next, diags);
            self.forget(*block);
            return;
        }
        // Blocks in the order of the dominator tree; each sees what its dominators define.
        let tree = Tree::of(self.ir, blocks);
        let mut stack: Vec<(usize, bool)> = (!blocks.is_empty()).then_some((0, false)).into_iter().collect();
        while let Some((at, leaving)) = stack.pop() {
            if leaving {
                self.forget(blocks[at]);
                continue;
            }
            stack.push((at, true));
            self.block(blocks[at], next, diags);
            stack.extend(tree.children[at].iter().rev().map(|&child| (child, false)));
        }
    }

    fn block(&mut self, block: BlockId, next: &mut u32, diags: &mut Vec<Diag>) {
        let ir = self.ir;
        for &arg in ir.args(block) {
            self.visible[arg.index()] = self.isolated;
        }
        for op in ir.block_ops(block) {
            for &operand in ir.operands(op) {
                if self.visible[operand.index()] != self.isolated {
                    diags.push(undefined(ir, op, operand));
                    break;
                }
            }
            if !ir.regions(op).is_empty() {
                self.op_regions(op, next, diags);
            }
            for result in ir.results(op) {
                self.visible[result.index()] = self.isolated;
            }
        }
    }

    fn forget(&mut self, block: BlockId) {
        for &arg in self.ir.args(block) {
            self.visible[arg.index()] = 0;
        }
        for op in self.ir.block_ops(block) {
            for result in self.ir.results(op) {
                self.visible[result.index()] = 0;
            }
        }
    }
}

fn undefined(ir: &Ir, op: OpId, operand: ValueId) -> Diag {
    let at = ir.operands(op).iter().position(|&value| value == operand).unwrap_or(0);
    let message = format!("operand {at} of `{}` is not defined where it is used", ir.name(op));
    let diag = Diag::error(Code::NotDominated, ir.span(op), message);
    match ir.def(operand) {
        Def::Result { op, .. } => diag.related(ir.span(op), "defined here"),
        Def::Arg { .. } => diag.note("it is an argument of a block that does not enclose the use"),
    }
}

/// The dominator tree of a region, by block numbers; its root is the first. A block that nothing reaches is never run, so
/// that it may see what it likes; it sees what the first one defines.
struct Tree {
    children: Vec<Vec<usize>>,
}

impl Tree {
    /// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
    fn of(ir: &Ir, blocks: &[BlockId]) -> Tree {
        let n = blocks.len();
        let mut numbers = std::collections::BTreeMap::new();
        for (i, &block) in blocks.iter().enumerate() {
            numbers.insert(block, i);
        }
        let successors: Vec<Vec<usize>> = blocks
            .iter()
            .map(|&block| {
                let last = ir.terminator(block);
                last.map_or(Vec::new(), |op| ir.successors(op).iter().filter_map(|b| numbers.get(b).copied()).collect())
            })
            .collect();
        let mut predecessors = vec![Vec::new(); n];
        for (from, targets) in successors.iter().enumerate() {
            for &to in targets {
                predecessors[to].push(from);
            }
        }
        // Reverse postorder from the entry.
        let mut order = Vec::new();
        let mut seen = vec![false; n];
        let mut stack = Vec::new();
        if n > 0 {
            seen[0] = true;
            stack.push((0, 0));
        }
        while let Some((at, edge)) = stack.pop() {
            match successors[at].get(edge) {
                Some(&to) => {
                    stack.push((at, edge + 1));
                    if !seen[to] {
                        seen[to] = true;
                        stack.push((to, 0));
                    }
                }
                None => order.push(at),
            }
        }
        order.reverse();
        let mut position = vec![usize::MAX; n];
        for (i, &at) in order.iter().enumerate() {
            position[at] = i;
        }
        let mut parent: Vec<Option<usize>> = vec![None; n];
        let mut changed = true;
        while changed {
            changed = false;
            for &at in order.iter().skip(1) {
                let mut best: Option<usize> = None;
                for &from in &predecessors[at] {
                    if from != 0 && parent[from].is_none() {
                        continue;
                    }
                    best = Some(match best {
                        None => from,
                        Some(other) => common(&parent, &position, from, other),
                    });
                }
                if best != parent[at] {
                    parent[at] = best;
                    changed = true;
                }
            }
        }
        let mut tree = Tree { children: vec![Vec::new(); n] };
        for (at, above) in parent.into_iter().enumerate().skip(1) {
            tree.children[above.unwrap_or(0)].push(at);
        }
        tree
    }
}

/// The nearest block that dominates both.
fn common(parent: &[Option<usize>], position: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while position[a] > position[b] {
            a = parent[a].unwrap_or(0);
        }
        while position[b] > position[a] {
            b = parent[b].unwrap_or(0);
        }
    }
    a
}
