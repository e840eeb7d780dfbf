//! Whether every value is defined where it is used.

use rustc_hash::FxHashSet;

use crate::codes::Code;
use crate::diag::Diag;
use crate::dominance;
use crate::ids::{BlockId, OpId, RegionId, ValueId};
use crate::ir::{Def, Ir};

struct Scopes<'ir> {
    ir: &'ir Ir,
    visible: Visible,
    isolated: u32,
}

/// For each value the number of the isolated operation in which it is visible now; 0 is none.
///
/// The table has pages, of which those of one function in a large module are few.
struct Visible(Vec<Option<Box<[u32; PAGE]>>>);

/// Values of a page.
const PAGE: usize = 1024;

impl Visible {
    fn of(&self, value: ValueId) -> u32 {
        self.0[value.index() / PAGE].as_ref().map_or(0, |page| page[value.index() % PAGE])
    }

    fn set(&mut self, value: ValueId, isolated: u32) {
        self.0[value.index() / PAGE].get_or_insert_with(|| Box::new([0; PAGE]))[value.index() % PAGE] = isolated;
    }
}

/// Adds a finding for each use inside an operation that no definition dominates.
pub(super) fn check(ir: &Ir, root: OpId, diags: &mut Vec<Diag>) {
    let pages = vec![None; ir.n_values().div_ceil(PAGE)];
    let mut scopes = Scopes { ir, visible: Visible(pages), isolated: 0 };
    let mut next = 0;
    scopes.op_regions(root, &mut next, diags);
}

impl Scopes<'_> {
    fn op_regions(&mut self, op: OpId, next: &mut u32, diags: &mut Vec<Diag>) {
        if self.ir.regions(op).is_empty() {
            return;
        }
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
            if self.ir.opcode(self.ir.region_parent(region)).orders_nothing() {
                self.show(*block);
            }
            self.block(*block, true, next, diags);
            self.forget(*block);
            return;
        }
        // Each block sees what its dominators define.
        let tree = dominance::tree(self.ir, region);
        let mut around: Vec<BlockId> = Vec::new();
        for &(block, depth) in &tree {
            around.drain(depth..).for_each(|block| self.forget(block));
            self.block(block, true, next, diags);
            around.push(block);
        }
        around.into_iter().for_each(|block| self.forget(block));
        // Blocks that nothing leads to never run: they may use each value of the region, in any order.
        if tree.len() < blocks.len() {
            let reached: FxHashSet<BlockId> = tree.iter().map(|&(block, _)| block).collect();
            blocks.iter().for_each(|&block| self.show(block));
            for &block in blocks.iter().filter(|block| !reached.contains(block)) {
                self.block(block, false, next, diags);
            }
            blocks.iter().for_each(|&block| self.forget(block));
        }
    }

    /// `runs` says whether something leads to the block.
    fn block(&mut self, block: BlockId, runs: bool, next: &mut u32, diags: &mut Vec<Diag>) {
        let ir = self.ir;
        for &arg in ir.args(block) {
            self.visible.set(arg, self.isolated);
        }
        for op in ir.block_ops(block) {
            for &operand in ir.operands(op) {
                if runs && self.visible.of(operand) != self.isolated {
                    diags.push(undefined(ir, op, operand));
                    break;
                }
            }
            if !ir.regions(op).is_empty() {
                self.op_regions(op, next, diags);
            }
            for result in ir.results(op) {
                self.visible.set(result, self.isolated);
            }
        }
    }

    fn forget(&mut self, block: BlockId) {
        self.mark(block, 0);
    }

    /// Makes all that a block defines visible at once.
    fn show(&mut self, block: BlockId) {
        self.mark(block, self.isolated);
    }

    fn mark(&mut self, block: BlockId, isolated: u32) {
        for &arg in self.ir.args(block) {
            self.visible.set(arg, isolated);
        }
        for op in self.ir.block_ops(block) {
            for result in self.ir.results(op) {
                self.visible.set(result, isolated);
            }
        }
    }
}

fn undefined(ir: &Ir, op: OpId, operand: ValueId) -> Diag {
    let at = ir.operands(op).iter().position(|&value| value == operand).unwrap_or(0);
    let message = format!("operand #{at} does not dominate this use: `{}` does not see its definition", ir.name(op));
    let diag = Diag::error(Code::NotDominated, ir.span(op), message);
    let region_of = |op: OpId| ir.parent_block(op).map(|block| ir.block_region(block));
    let here = region_of(op);
    let place = |there: Option<RegionId>| match (here, there) {
        (Some(here), Some(there)) if here == there => "in the same region",
        (Some(here), Some(there)) if encloses(ir, there, here) => "in a parent region",
        (Some(here), Some(there)) if encloses(ir, here, there) => "in a child region",
        _ => "neither in a parent nor in a child region",
    };
    match ir.def(operand) {
        Def::Result { op: other, .. } => {
            let same_block = ir.parent_block(op) == ir.parent_block(other);
            let place = if same_block { "in the same block" } else { place(region_of(other)) };
            diag.related(ir.span(other), format!("operand defined here (op {place})"))
        }
        Def::Arg { block, .. } => {
            let region = ir.block_region(block);
            let number = ir.blocks(region).iter().position(|&other| other == block).unwrap_or(0);
            let label = format!("operand defined as a block argument (block #{number} {})", place(Some(region)));
            diag.related(ir.span(ir.region_parent(region)), label)
        }
    }
}

/// Whether an operation of `outer` has `inner` somewhere inside.
fn encloses(ir: &Ir, outer: RegionId, inner: RegionId) -> bool {
    let up = |&region: &RegionId| ir.parent_block(ir.region_parent(region)).map(|block| ir.block_region(block));
    std::iter::successors(up(&inner), up).any(|region| region == outer)
}
