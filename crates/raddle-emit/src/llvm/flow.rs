//! Control flow: operations in order, loops, branches, and regions of several blocks.
//!
//! A loop tests at its end, and one that may not run at all is jumped over. What it carries are phis; elements that come
//! out of one vector at the end of each iteration are carried as that vector.

use raddle_ir::views::{Jump, TileRegister};
use raddle_ir::{BlockId, Diag, OpId, Opcode, RegionId, Scalar, Type, ValueId, dominance};
use raddle_target::{Leaf, leaf};
use rustc_hash::FxHashMap;

use super::value::{Cx, Held, Label};
use super::{arith, cpu, gpu, matrix, memory, tile};

/// Every operation of a block, in order; terminators are their parents' business.
pub(super) fn block(cx: &mut Cx<'_>, block: BlockId) -> Result<(), Diag> {
    for op in cx.ir.ops_of(block) {
        operation(cx, op)?;
    }
    Ok(())
}

fn operation(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let Some(leaf) = leaf(cx.ir, op) else { return Err(cx.cannot(op, "it is not a lowered operation")) };
    match leaf {
        Leaf::Constant => arith::constant(cx, op),
        Leaf::Elementwise => arith::elementwise(cx, op).map(|()| settle(cx, op)),
        Leaf::Pack => elements(cx, op),
        Leaf::Read => memory::read(cx, op),
        Leaf::Write => memory::write(cx, op),
        Leaf::Atomic => memory::update(cx, op),
        Leaf::Hint => memory::prefetch(cx, op),
        Leaf::Check => cpu::check_index(cx, op),
        Leaf::Tile => tile::operation(cx, op),
        Leaf::Alloc => memory::alloc(cx, op),
        Leaf::Loop if cx.ir.opcode(op) == Opcode::ScfWhile => while_loop(cx, op),
        Leaf::Loop => for_loop(cx, op),
        Leaf::Branch if cx.ir.opcode(op) == Opcode::ScfExecuteRegion => execute(cx, op),
        Leaf::Branch => branch(cx, op),
        Leaf::Id => gpu::id(cx, op),
        Leaf::Exchange => gpu::exchange(cx, op),
        Leaf::Matrix => matrix::multiply(cx, op),
        Leaf::Barrier => gpu::barrier(cx, op),
        Leaf::Rows => Err(cx.cannot(op, "the machine does not move matrices to or from shared memory")),
        Leaf::Copy | Leaf::Group | Leaf::Wait => Err(cx.cannot(op, "the machine does not copy asynchronously")),
        Leaf::SharedProduct | Leaf::Order => Err(cx.cannot(op, "the machine does not multiply in shared memory")),
        // Its loop has read it, or its region will.
        Leaf::Yield | Leaf::Condition | Leaf::Jump => Ok(()),
    }
}

/// `vector.from_elements`, `vector.to_elements`, and what machines with vectors have beside them.
fn elements(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    match cx.ir.opcode(op) {
        Opcode::VectorToElements => {
            let vector = cx.val(cx.ir.operand(op, 0));
            let n = cx.n_elems(cx.ir.operand(op, 0));
            for (at, result) in cx.ir.results(op).enumerate() {
                cx.hold(result, Held::Part { vector: vector.clone(), n, at });
            }
        }
        Opcode::VectorFromElements => {
            let operands = cx.ir.operands(op).to_vec();
            for &operand in &operands {
                cx.scalar(op, operand)?;
            }
            let vector = cx.vector(&operands);
            cx.bind(cx.ir.result(op, 0), vector);
        }
        Opcode::VectorBroadcast => {
            let (source, result) = (cx.ir.operand(op, 0), cx.ir.result(op, 0));
            cx.scalar(op, source)?;
            if cx.ir.ty(source).is_vector() {
                return Err(cx.cannot(op, "only scalars are repeated"));
            }
            let (scalar, elem, ty) = (cx.val(source), cx.elem_type(result), cx.type_of(result));
            let one = cx.compute(&format!("insertelement {ty} poison, {elem} {scalar}, i32 0"));
            let n = cx.n_elems(result);
            let mask = format!("<{n} x i32> zeroinitializer");
            let all = cx.compute(&format!("shufflevector {ty} {one}, {ty} poison, {mask}"));
            cx.bind(result, all);
        }
        Opcode::VectorShuffle => {
            let operands = cx.ir.operands(op).to_vec();
            let [a, b] = [0, 1].map(|i| cx.val(operands[i]));
            let mask = cx.ir.attr_id(op, "mask").and_then(|mask| cx.ir.ints(mask)).unwrap_or_default();
            if cx.n_elems(operands[0]) != cx.n_elems(operands[1]) {
                return Err(cx.cannot(op, "both vectors have as many elements"));
            }
            // An element may be said to be any (-1).
            let place = |&at: &i64| if at < 0 { "i32 poison".to_owned() } else { format!("i32 {at}") };
            let mask: Vec<String> = mask.iter().map(place).collect();
            let (ty, n, mask) = (cx.type_of(operands[0]), mask.len(), mask.join(", "));
            let new = cx.compute(&format!("shufflevector {ty} {a}, {ty} {b}, <{n} x i32> <{mask}>"));
            cx.bind(cx.ir.result(op, 0), new);
        }
        Opcode::VectorReduction => arith::reduce(cx, op)?,
        Opcode::VectorBitcast => {
            let (source, result) = (cx.ir.operand(op, 0), cx.ir.result(op, 0));
            let (name, from, to) = (cx.val(source), cx.type_of(source), cx.type_of(result));
            let name = cx.reinterpret(&name, &from, &to);
            cx.bind(result, name);
        }
        _ => return Err(cx.cannot(op, "parts of vectors must have become scalars")),
    }
    Ok(())
}

/// The values that a block's terminator yields.
fn yielded(cx: &Cx<'_>, block: BlockId) -> Vec<ValueId> {
    cx.ir.terminator(block).map(|op| cx.ir.operands(op).to_vec()).unwrap_or_default()
}

fn vals(cx: &mut Cx<'_>, values: &[ValueId]) -> Vec<String> {
    values.iter().map(|&value| cx.val(value)).collect()
}

/// The types that a loop, a branch or a block can pass on.
fn check_types(cx: &Cx<'_>, op: OpId, values: &[ValueId]) -> Result<(), Diag> {
    let mut numbers = values.iter().filter(|&&value| TileRegister::of(cx.ir, cx.ir.type_of(value)).is_none());
    numbers.try_for_each(|&value| cx.scalar(op, value).map(|_| ()))
}

/// What a loop carries in one phi: places from `first` on, `n` of them where they are the elements of one vector.
#[derive(Clone, Copy)]
struct Carried {
    first: usize,
    /// Elements; `None` for a value that is carried as it is.
    n: Option<usize>,
}

/// Finds runs of yielded values that are all elements of one vector, in order.
fn carried(cx: &Cx<'_>, yields: &[ValueId]) -> Vec<Carried> {
    let mut runs = Vec::new();
    let mut first = 0;
    while first < yields.len() {
        let n = vector_at(cx, &yields[first..]);
        runs.push(Carried { first, n });
        first += n.unwrap_or(1);
    }
    runs
}

/// How many elements a vector has, if the first values are its elements.
fn vector_at(cx: &Cx<'_>, values: &[ValueId]) -> Option<usize> {
    let op = cx.ir.def_op(values[0]).filter(|&op| cx.ir.opcode(op) == Opcode::VectorToElements)?;
    let all: Vec<ValueId> = cx.ir.results(op).collect();
    (all.len() > 1 && values.len() >= all.len() && values[..all.len()] == all[..]).then_some(all.len())
}

/// The operand for each phi.
fn operands_of(cx: &mut Cx<'_>, runs: &[Carried], values: &[ValueId]) -> Vec<String> {
    runs.iter()
        .map(|run| match run.n {
            None => cx.val(values[run.first]),
            Some(n) => cx.vector(&values[run.first..run.first + n]),
        })
        .collect()
}

/// Makes values stand for phis.
fn bind_all(cx: &mut Cx<'_>, runs: &[Carried], values: &[ValueId], names: &[String]) {
    for (run, name) in runs.iter().zip(names) {
        match run.n {
            None => cx.bind(values[run.first], name),
            Some(n) => {
                for at in 0..n {
                    cx.hold(values[run.first + at], Held::Part { vector: name.clone(), n, at });
                }
            }
        }
    }
}

/// The type of each phi.
fn types_of(cx: &Cx<'_>, runs: &[Carried], values: &[ValueId]) -> Vec<String> {
    runs.iter()
        .map(|run| match run.n {
            None => cx.type_of(values[run.first]),
            Some(n) => format!("<{n} x {}>", cx.elem_type(values[run.first])),
        })
        .collect()
}

/// `scf.for`
fn for_loop(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let body = match (cx.ir.opcode(op), cx.ir.body(op, 0)) {
        (Opcode::ScfFor, Some(body)) => body,
        _ => return Err(cx.cannot(op, "loops must have become `scf.for`")),
    };
    let [lower, upper, step] = [0, 1, 2].map(|operand| cx.ir.operand(op, operand));
    let (inits, args) = (cx.ir.operands(op)[3..].to_vec(), cx.ir.args(body).to_vec());
    check_types(cx, op, cx.ir.operands(op))?;
    let counts = match cx.scalar(op, lower)? {
        Scalar::Float(_) => return Err(cx.cannot(op, "a loop counts in integers")),
        counts => cx.scalar_type(counts),
    };
    let results: Vec<ValueId> = cx.ir.results(op).collect();
    let unsigned = cx.ir.attr_id(op, "unsignedCmp").is_some();
    let less = if unsigned { "ult" } else { "slt" };
    // Both bounds, where they are constants that mean the same with and without a sign.
    let bounds = cx.ir.const_int(lower).zip(cx.ir.const_int(upper));
    let bounds = bounds.filter(|&(lower, upper)| !unsigned || lower.min(upper) >= 0);
    if bounds.is_some_and(|(lower, upper)| lower >= upper) {
        // The body never runs.
        for (&result, &init) in results.iter().zip(&inits) {
            let held = cx.held(init).clone();
            cx.hold(result, held);
        }
        return Ok(());
    }
    let yields = yielded(cx, body);
    let runs = carried(cx, &yields);
    let types = types_of(cx, &runs, &inits);
    let start = operands_of(cx, &runs, &inits);
    let [first, last, by] = [lower, upper, step].map(|value| cx.val(value));
    let (top, end) = (cx.new_block(), cx.new_block());
    let counter = cx.phi(top, counts.clone());
    let inside: Vec<String> = types.iter().map(|ty| cx.phi(top, ty.clone())).collect();
    let behind: Vec<String> = types.iter().map(|ty| cx.phi(end, ty.clone())).collect();
    let entering: Vec<String> = [first.clone()].into_iter().chain(start.iter().cloned()).collect();
    cx.give(top, entering);
    if bounds.is_some() {
        cx.jump(top);
    } else {
        let runs_at_all = cx.compute(&format!("icmp {less} {counts} {first}, {last}"));
        cx.give(end, start);
        cx.branch(&runs_at_all, top, end);
    }
    cx.begin(top);
    cx.bind(args[0], counter.clone());
    bind_all(cx, &runs, &args[1..], &inside);
    block(cx, body)?;
    let carried_on = operands_of(cx, &runs, &yields);
    let next = cx.compute(&format!("add {counts} {counter}, {by}"));
    let again = cx.compute(&format!("icmp {less} {counts} {next}, {last}"));
    let round: Vec<String> = [next].into_iter().chain(carried_on.iter().cloned()).collect();
    cx.give(top, round);
    cx.give(end, carried_on);
    let keep = if cx.options.keep_loops { ", !llvm.loop !1" } else { "" };
    cx.inst(&format!("br i1 {again}, label %b{top}, label %b{end}{keep}"));
    cx.begin(end);
    bind_all(cx, &runs, &results, &behind);
    Ok(())
}

/// `scf.while`: the test stands at the top of each iteration, behind what it is computed from.
fn while_loop(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (Some(before), Some(after)) = (cx.ir.body(op, 0), cx.ir.body(op, 1)) else {
        return Err(cx.cannot(op, "it has no block"));
    };
    let test = cx.ir.terminator(before).filter(|&test| cx.ir.opcode(test) == Opcode::ScfCondition);
    let Some(test) = test else { return Err(cx.cannot(op, "its first block ends with no test")) };
    let passed = cx.ir.operands(test)[1..].to_vec();
    let inits = cx.ir.operands(op).to_vec();
    let results: Vec<ValueId> = cx.ir.results(op).collect();
    check_types(cx, op, &inits)?;
    check_types(cx, op, &results)?;
    let (top, middle, end) = (cx.new_block(), cx.new_block(), cx.new_block());
    let start = vals(cx, &inits);
    for (&arg, &init) in cx.ir.args(before).to_vec().iter().zip(&inits) {
        let phi = cx.phi(top, cx.type_of(init));
        cx.bind(arg, phi);
    }
    cx.give(top, start);
    cx.jump(top);
    cx.begin(top);
    block(cx, before)?;
    let goes_on = cx.val(cx.ir.operand(test, 0));
    let handed = vals(cx, &passed);
    for ((&arg, &result), name) in cx.ir.args(after).to_vec().iter().zip(&results).zip(&handed) {
        cx.bind(arg, name);
        cx.bind(result, name);
    }
    cx.branch(&goes_on, middle, end);
    cx.begin(middle);
    block(cx, after)?;
    let round = yielded(cx, after);
    let round = vals(cx, &round);
    cx.give(top, round);
    cx.jump(top);
    cx.begin(end);
    Ok(())
}

/// `scf.if`
fn branch(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let Some(then_block) = cx.ir.body(op, 0) else { return Err(cx.cannot(op, "it has no block")) };
    let condition = cx.val(cx.ir.operand(op, 0));
    let results: Vec<ValueId> = cx.ir.results(op).collect();
    check_types(cx, op, &results)?;
    let else_block = cx.ir.body(op, 1);
    let (then, end) = (cx.new_block(), cx.new_block());
    let otherwise = else_block.map_or(end, |_| cx.new_block());
    for &result in &results {
        let phi = cx.phi(end, cx.type_of(result));
        cx.bind(result, phi);
    }
    cx.branch(&condition, then, otherwise);
    for (label, body) in [(then, Some(then_block)), (otherwise, else_block)] {
        let Some(body) = body else { continue };
        cx.begin(label);
        block(cx, body)?;
        let yields = yielded(cx, body);
        let given = vals(cx, &yields);
        cx.give(end, given);
        cx.jump(end);
    }
    cx.begin(end);
    Ok(())
}

/// What only branches behind an operation ask for is computed where the operation stands.
fn settle(cx: &mut Cx<'_>, op: OpId) {
    let ir = cx.ir;
    let is_in_branch = |(user, _): (OpId, usize)| {
        let branch = ir.parent_op(user).filter(|&branch| ir.parent_block(branch) == ir.parent_block(op));
        branch.is_some_and(|branch| ir.opcode(branch) == Opcode::ScfIf && ir.results(branch).len() == 0)
    };
    for value in ir.results(op) {
        let mut uses = ir.uses(value).peekable();
        if uses.peek().is_some() && *ir.ty(value) != Type::Index && uses.all(is_in_branch) {
            let (ty, name) = (cx.type_of(value), cx.val(value));
            if let Some(name) = (cx.dialect.settle)(cx, &ty, &name) {
                cx.hold(value, Held::Whole(name));
            }
        }
    }
}

/// The blocks of a region of `op`; `leave` writes what its ways out do.
pub(super) fn region(
    cx: &mut Cx<'_>,
    op: OpId,
    region: RegionId,
    mut leave: impl FnMut(&mut Cx<'_>, OpId) -> Result<(), Diag>,
) -> Result<(), Diag> {
    let tree = dominance::tree(cx.ir, region);
    let mut labels: FxHashMap<BlockId, Label> = FxHashMap::default();
    for &(block, _) in tree.iter().skip(1) {
        let args = cx.ir.args(block).to_vec();
        check_types(cx, op, &args)?;
        let label = cx.new_block();
        for arg in args {
            let phi = cx.phi(label, cx.type_of(arg));
            cx.bind(arg, phi);
        }
        labels.insert(block, label);
    }
    for &(at, _) in &tree {
        if let Some(&label) = labels.get(&at) {
            cx.begin(label);
        }
        block(cx, at)?;
        let end = cx.ir.terminator(at).expect("a verified block has a terminator");
        match cx.ir.jumps(end)[..] {
            [] => leave(cx, end)?,
            ref jumps => go_on(cx, end, jumps, &labels)?,
        }
    }
    Ok(())
}

/// Writes the end of a block that goes on to others.
fn go_on(cx: &mut Cx<'_>, end: OpId, jumps: &[Jump<'_>], labels: &FxHashMap<BlockId, Label>) -> Result<(), Diag> {
    let (tests, other) = match (cx.ir.opcode(end), jumps) {
        (Opcode::CfBr, &[only]) => (&[][..], only),
        (Opcode::CfCondBr, &[then, otherwise]) => (&[then][..], otherwise),
        (Opcode::CfSwitch, &[default, ref cases @ ..]) => (cases, default),
        _ => return Err(cx.cannot(end, "it is not a jump that LLVM has")),
    };
    for jump in tests {
        let flag = cx.ir.operand(end, 0);
        let goes = match jump.case {
            Some(case) => {
                let (ty, flag) = (cx.type_of(flag), cx.val(flag));
                cx.compute(&format!("icmp eq {ty} {flag}, {case}"))
            }
            None => cx.val(flag),
        };
        // A way of its own, so that a block may be given different values on two ways from one block.
        let (way, rest) = (cx.new_block(), cx.new_block());
        cx.branch(&goes, way, rest);
        cx.begin(way);
        pass(cx, jump, labels);
        cx.begin(rest);
    }
    pass(cx, &other, labels);
    Ok(())
}

/// Jumps to a block with what it is given.
fn pass(cx: &mut Cx<'_>, jump: &Jump<'_>, labels: &FxHashMap<BlockId, Label>) {
    let label = labels[&jump.to];
    let given = vals(cx, jump.args);
    cx.give(label, given);
    cx.jump(label);
}

/// `scf.execute_region`
fn execute(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let results: Vec<ValueId> = cx.ir.results(op).collect();
    check_types(cx, op, &results)?;
    let end = cx.new_block();
    for &result in &results {
        let phi = cx.phi(end, cx.type_of(result));
        cx.bind(result, phi);
    }
    let inner = cx.ir.regions(op)[0];
    region(cx, op, inner, |cx, leaving| {
        let given = vals(cx, cx.ir.operands(leaving));
        cx.give(end, given);
        cx.jump(end);
        Ok(())
    })?;
    cx.begin(end);
    Ok(())
}
