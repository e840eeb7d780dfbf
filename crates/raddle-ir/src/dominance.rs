//! Dominance: which blocks of a region stand on every way to which others.

use rustc_hash::FxHashMap;

use crate::ids::{BlockId, RegionId};
use crate::ir::Ir;

/// The blocks that the first one leads to, each behind the nearest block that is on every way to it, with the number of
/// blocks that are: what one defines can be used in those that follow it and are deeper.
///
/// Blocks that one dominates come in the order in which jumps name them, but what follows a loop comes behind the loop.
pub fn tree(ir: &Ir, region: RegionId) -> Vec<(BlockId, usize)> {
    let blocks = ir.blocks(region);
    let numbers: FxHashMap<BlockId, usize> = blocks.iter().copied().zip(0..).collect();
    let successors = |at: usize| {
        let end = ir.terminator(blocks[at]);
        end.map_or(&[][..], |end| ir.successors(end)).iter().filter_map(|to| numbers.get(to).copied())
    };
    // Reverse postorder. The last way is taken first, so that what it leads to comes last.
    let edges: Vec<Vec<usize>> = (0..blocks.len()).map(|at| successors(at).collect()).collect();
    let (mut order, mut seen) = (Vec::new(), vec![false; blocks.len()]);
    let mut open = Vec::new();
    if !blocks.is_empty() {
        seen[0] = true;
        open.push((0, edges[0].len()));
    }
    while let Some((at, left)) = open.pop() {
        let Some(left) = left.checked_sub(1) else {
            order.push(at);
            continue;
        };
        open.push((at, left));
        let to = edges[at][left];
        if !seen[to] {
            seen[to] = true;
            open.push((to, edges[to].len()));
        }
    }
    order.reverse();
    preorder(&order, &parents(&order, &edges)).into_iter().map(|(at, depth)| (blocks[at], depth)).collect()
}

/// The blocks that the first one leads to, each behind those that dominate it: values come before their uses.
pub fn order(ir: &Ir, region: RegionId) -> Vec<BlockId> {
    tree(ir, region).into_iter().map(|(block, _)| block).collect()
}

/// For each block of `order`, by its place there, the place of the nearest block that dominates it; the first is its own.
///
/// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
fn parents(order: &[usize], edges: &[Vec<usize>]) -> Vec<usize> {
    let mut place = vec![usize::MAX; edges.len()];
    for (i, &at) in order.iter().enumerate() {
        place[at] = i;
    }
    let mut sources = vec![Vec::new(); order.len()];
    for (i, &at) in order.iter().enumerate() {
        for &to in &edges[at] {
            sources[place[to]].push(i);
        }
    }
    let mut parents: Vec<Option<usize>> = vec![None; order.len()];
    if let Some(first) = parents.first_mut() {
        *first = Some(0);
    }
    // The nearest place on the way from both to the first.
    let common = |parents: &[Option<usize>], mut a: usize, mut b: usize| {
        let up = |at: usize| parents[at].expect("what comes earlier has been reached");
        while a != b {
            if a > b {
                a = up(a);
            } else {
                b = up(b);
            }
        }
        a
    };
    let mut changed = true;
    while changed {
        changed = false;
        for at in 1..order.len() {
            let known = sources[at].iter().copied().filter(|&from| parents[from].is_some());
            let best = known.reduce(|a, b| common(&parents, a, b));
            changed |= best != parents[at];
            parents[at] = best;
        }
    }
    parents.into_iter().map(|parent| parent.expect("one of a block's sources comes earlier")).collect()
}

/// Every block behind its parent, with its depth.
fn preorder(order: &[usize], parents: &[usize]) -> Vec<(usize, usize)> {
    let mut children = vec![Vec::new(); order.len()];
    for (at, &parent) in parents.iter().enumerate().skip(1) {
        children[parent].push(at);
    }
    let mut list = Vec::with_capacity(order.len());
    let mut open: Vec<(usize, usize)> = (!order.is_empty()).then_some((0, 0)).into_iter().collect();
    while let Some((at, depth)) = open.pop() {
        list.push((order[at], depth));
        open.extend(children[at].iter().rev().map(|&child| (child, depth + 1)));
    }
    list
}
