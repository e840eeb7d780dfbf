//! Where paths meet again: immediate postdominators of the instructions at which they part.

use super::inst::{END, Inst, Op};

/// Says at each branch where its paths meet.
pub(super) fn find_joins(insts: &mut [Inst]) {
    let n = insts.len();
    // Blocks begin at the start, at targets, and behind what may not go on to the next instruction.
    let mut starts = vec![false; n + 1];
    starts[0] = true;
    for (at, inst) in insts.iter().enumerate() {
        match &inst.op {
            Op::Branch { target, .. } => {
                starts[*target as usize] = true;
                starts[at + 1] = true;
            }
            Op::BranchTable { targets, .. } => {
                targets.iter().for_each(|&target| starts[target as usize] = true);
                starts[at + 1] = true;
            }
            Op::Exit | Op::Trap(..) | Op::Return => starts[at + 1] = true,
            _ => {}
        }
    }
    let first: Vec<usize> = (0..n).filter(|&at| starts[at]).collect();
    let block_of = |at: usize| first.partition_point(|&start| start <= at) - 1;
    let exit = first.len();
    let successors: Vec<Vec<usize>> = (0..exit)
        .map(|block| {
            let last = first.get(block + 1).copied().unwrap_or(n) - 1;
            let next = if last + 1 < n { block_of(last + 1) } else { exit };
            let goes_on = insts[last].guard.is_some();
            let mut out: Vec<usize> = match &insts[last].op {
                Op::Branch { target, .. } => vec![block_of(*target as usize)],
                Op::BranchTable { targets, .. } => targets.iter().map(|&at| block_of(at as usize)).collect(),
                // A trap ends everything: no path has to wait for those that meet one.
                Op::Trap(..) => Vec::new(),
                // Lanes that end leave their path; the others need not wait for them.
                Op::Exit if goes_on => Vec::new(),
                Op::Exit | Op::Return => vec![exit],
                _ => vec![next],
            };
            if goes_on && !out.contains(&next) && is_jump(&insts[last].op) {
                out.push(next);
            }
            out
        })
        .collect();
    let join = postdominators(&successors, exit);
    for block in 0..exit {
        let last = first.get(block + 1).copied().unwrap_or(n) - 1;
        let mut at = join[block].filter(|&block| block != exit).map_or(END, |block| first[block] as u32);
        // Lanes that would only meet to end may end one by one.
        if at != END && matches!(insts[at as usize].op, Op::Exit) && insts[at as usize].guard.is_none() {
            at = END;
        }
        match &mut insts[last].op {
            Op::Branch { join, .. } | Op::BranchTable { join, .. } => *join = at,
            _ => {}
        }
    }
}

fn is_jump(op: &Op) -> bool {
    matches!(op, Op::Branch { .. } | Op::BranchTable { .. } | Op::Exit | Op::Trap(..) | Op::Return)
}

/// The immediate postdominator of each node, by the algorithm of Cooper, Harvey and Kennedy on the reversed graph;
/// `None` where no path reaches the exit.
fn postdominators(successors: &[Vec<usize>], exit: usize) -> Vec<Option<usize>> {
    let n = successors.len();
    let mut before = vec![Vec::new(); n + 1];
    for (node, out) in successors.iter().enumerate() {
        out.iter().for_each(|&next| before[next].push(node));
    }
    // Postorder of the reversed graph from the exit.
    let mut order = Vec::with_capacity(n + 1);
    let mut number = vec![usize::MAX; n + 1];
    let mut seen = vec![false; n + 1];
    let mut stack = vec![(exit, 0)];
    seen[exit] = true;
    while let Some((node, at)) = stack.last_mut() {
        match before[*node].get(*at) {
            Some(&next) => {
                *at += 1;
                if !seen[next] {
                    seen[next] = true;
                    stack.push((next, 0));
                }
            }
            None => {
                number[*node] = order.len();
                order.push(*node);
                stack.pop();
            }
        }
    }
    let mut join: Vec<Option<usize>> = vec![None; n + 1];
    join[exit] = Some(exit);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().filter(|&&node| node != exit) {
            let mut new: Option<usize> = None;
            for &next in &successors[node] {
                if join[next].is_none() {
                    continue;
                }
                new = Some(match new {
                    None => next,
                    Some(mut a) => {
                        let mut b = next;
                        while a != b {
                            while number[a] < number[b] {
                                a = join[a].unwrap_or(exit);
                            }
                            while number[b] < number[a] {
                                b = join[b].unwrap_or(exit);
                            }
                        }
                        a
                    }
                });
            }
            if new.is_some() && join[node] != new {
                join[node] = new;
                changed = true;
            }
        }
    }
    join.truncate(n);
    join
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways of a diamond meet behind it; a loop's lanes meet behind the loop; what never ends meets nowhere.
    #[test]
    fn paths_meet_at_the_nearest_node_that_all_pass() {
        // 0 → 1 | 2, 1 → 3, 2 → 3, 3 → 3 | 4, 4 → exit (5)
        let joins = postdominators(&[vec![1, 2], vec![3], vec![3], vec![3, 4], vec![5]], 5);
        assert_eq!(joins, [Some(3), Some(3), Some(3), Some(4), Some(5)]);
        // 0 → 1 | 2, 1 → 1, 2 → exit (3)
        assert_eq!(postdominators(&[vec![1, 2], vec![1], vec![3]], 3), [Some(2), None, Some(3)]);
    }
}
