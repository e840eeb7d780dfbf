//! Shrink: take away from a failing program whatever it fails without.
//!
//! An operation that nobody uses goes; a result is replaced by another value of its type; a loop becomes its body done
//! once, or what it starts with; a branch becomes one of its sides; a jump goes one of its ways, or its block goes on
//! with what it leads to. What still fails in the end can be read.

use raddle_ir::{BlockId, Builder, Ir, OpId, Opcode, ValueId, ValueMap, dominance, parse, print, verify};

/// The ways to make a program smaller at one operation, the boldest first.
#[derive(Clone, Copy)]
enum Way {
    /// Without the operation, whose results nobody uses.
    Drop,
    /// Its results replaced by an operand, or by what a loop starts with.
    Operand(usize),
    /// Its results replaced by values that come before it.
    Earlier,
    /// Without its region: the body of a loop done once, one side of a branch or of a jump.
    Inline(usize),
}

const WAYS: [Way; 8] = [
    Way::Drop,
    Way::Earlier,
    Way::Operand(0),
    Way::Operand(1),
    Way::Operand(2),
    Way::Operand(3),
    Way::Inline(0),
    Way::Inline(1),
];

/// The smallest program found for which `fails` still holds.
pub fn shrink(text: &str, fails: impl Fn(&str) -> bool) -> String {
    // As it prints, so that only what goes makes it shorter.
    let printed = parse(text).map(|ir| print(&ir, &Default::default())).ok().filter(|text| fails(text));
    let mut best = printed.unwrap_or_else(|| text.to_owned());
    loop {
        let before = best.len();
        let Ok(ir) = parse(&best) else { return best };
        // From the end, where users go first.
        let mut at = ir.walk(ir.funcs()[0]).len();
        while at > 0 {
            at -= 1;
            for way in WAYS {
                let smaller = without(&best, at, way).filter(|text| text.len() < best.len());
                if let Some(smaller) = smaller.filter(|text| fails(text)) {
                    best = smaller;
                    break;
                }
            }
        }
        if best.len() == before {
            return best;
        }
    }
}

/// The program made smaller at its `at`-th operation, if that leaves a program.
fn without(text: &str, at: usize, way: Way) -> Option<String> {
    let mut ir = parse(text).ok()?;
    let func = ir.funcs()[0];
    let op = *ir.walk(func).get(at)?;
    let block = ir.parent_block(op)?;
    if ir.terminator(block) == Some(op) {
        let Way::Inline(side) = way else { return None };
        go_one_way(&mut ir, block, op, side)?;
        return verify(&ir).is_empty().then(|| print(&ir, &Default::default()));
    }
    match way {
        Way::Drop => {}
        Way::Operand(first) => {
            for (i, result) in ir.results(op).enumerate() {
                let from = if ir.opcode(op) == Opcode::ScfFor { 3 + i } else { first };
                let operand = *ir.operands(op).get(from)?;
                replace(&mut ir, result, operand)?;
            }
        }
        Way::Earlier => {
            for result in ir.results(op) {
                let other = earlier(&ir, block, op, result)?;
                replace(&mut ir, result, other)?;
            }
        }
        Way::Inline(region) => inline(&mut ir, op, region)?,
    }
    if ir.results(op).any(|result| !ir.is_unused(result)) {
        return None;
    }
    ir.erase(op);
    verify(&ir).is_empty().then(|| print(&ir, &Default::default()))
}

/// Lets a jump go one of its ways only; if it has one, and no other jump goes there, the blocks become one.
fn go_one_way(ir: &mut Ir, block: BlockId, end: OpId, side: usize) -> Option<()> {
    let ways: Vec<(BlockId, Vec<ValueId>)> = ir.jumps(end).iter().map(|jump| (jump.to, jump.args.to_vec())).collect();
    let (to, args) = ways.get(side)?.clone();
    let region = ir.block_region(block);
    if ways.len() > 1 {
        let jump = Builder::before(ir, end).op(Opcode::CfBr, &args, &[], &[]);
        ir.set_successors(jump, &[to]);
        ir.erase(end);
    } else {
        let ends = ir.blocks(region).iter().filter_map(|&block| ir.terminator(block));
        if ends.flat_map(|end| ir.successors(end)).filter(|&&other| other == to).count() > 1 {
            return None;
        }
        ir.erase(end);
        for (arg, value) in ir.args(to).to_vec().into_iter().zip(args) {
            ir.replace_uses(arg, value);
        }
        for op in ir.ops_of(to) {
            ir.detach(op);
            ir.append(block, op);
        }
    }
    let reached = dominance::order(ir, region);
    // A loop that nothing leaves is no smaller program: it never ends.
    let leaves = |&block: &BlockId| ir.terminator(block).is_some_and(|end| ir.successors(end).is_empty());
    if !reached.iter().any(leaves) {
        return None;
    }
    let lost: Vec<BlockId> = ir.blocks(region).iter().copied().filter(|block| !reached.contains(block)).collect();
    ir.remove_blocks(&lost);
    // A program that never ends fails in its own way.
    let mut ending = vec![];
    loop {
        let ends = |block: &BlockId| {
            let ways = ir.terminator(*block).map(|end| ir.successors(end)).unwrap_or_default();
            ways.is_empty() || ways.iter().any(|way| ending.contains(way))
        };
        let more: Vec<BlockId> = reached.iter().copied().filter(|block| ends(block)).collect();
        if more.len() == ending.len() {
            return (ending.len() == reached.len()).then_some(());
        }
        ending = more;
    }
}

fn replace(ir: &mut Ir, old: ValueId, new: ValueId) -> Option<()> {
    if ir.type_of(old) != ir.type_of(new) || old == new {
        return None;
    }
    ir.replace_uses(old, new);
    Some(())
}

/// The first value of the same type in front of an operation, in its block.
fn earlier(ir: &Ir, block: BlockId, op: OpId, value: ValueId) -> Option<ValueId> {
    let ops = ir.ops_of(block);
    let before = ops.iter().take_while(|&&other| other != op).flat_map(|&op| ir.results(op));
    ir.args(block).iter().copied().chain(before).find(|&other| ir.type_of(other) == ir.type_of(value))
}

/// Puts what a region does in front of its operation, once.
fn inline(ir: &mut Ir, op: OpId, region: usize) -> Option<()> {
    let operands = ir.operands(op).to_vec();
    let values = match ir.opcode(op) {
        Opcode::ScfFor => once(ir, op, region, &[&operands[..1], &operands[3..]].concat())?,
        Opcode::ScfIf | Opcode::ScfIndexSwitch => once(ir, op, region, &[])?,
        // The test, and with it what a round does.
        Opcode::ScfWhile => {
            let passed = once(ir, op, 0, &operands)?.split_off(1);
            if region == 1 {
                once(ir, op, 1, &passed)?;
            }
            passed
        }
        _ => return None,
    };
    for (result, value) in ir.results(op).zip(values) {
        replace(ir, result, value)?;
    }
    Some(())
}

/// Copies a region in front of its operation, with these values for its arguments; what it ends with.
fn once(ir: &mut Ir, op: OpId, region: usize, values: &[ValueId]) -> Option<Vec<ValueId>> {
    let body = ir.body(op, region)?;
    let mut map = ValueMap::default();
    for (arg, &value) in ir.args(body).to_vec().into_iter().zip(values) {
        map.set(arg, value);
    }
    let end = ir.terminator(body)?;
    for inner in ir.ops_of(body).into_iter().filter(|&inner| inner != end) {
        Builder::before(ir, op).copy(inner, &mut map);
    }
    Some(ir.operands(end).iter().map(|&value| map.get(value)).collect())
}
