//! Control flow: loops and branches.
//!
//! A loop tests at its end; what it carries lives in registers of its own, which every turn writes at once. A loop that
//! may not run at all is skipped by a branch in front of it.

use std::ops::Range;

use raddle_ir::views::GuardedLoad;
use raddle_ir::{BlockId, Def, Diag, OpId, Opcode, ValueId};
use raddle_target::{Leaf, leaf};

use crate::kernel::n_elems;

use super::int::Int;
use super::memory::{self, Buffer, Place};
use super::value::{Atom, Cx, Held, Kind, Operand, Reg};
use super::{arith, atomic, gpu, jumps, matrix};

/// Every operation of a block, in order; terminators are their parents' business.
pub(super) fn block(cx: &mut Cx<'_>, block: BlockId) -> Result<(), Diag> {
    for op in cx.ir.ops_of(block) {
        operation(cx, op)?;
    }
    Ok(())
}

fn operation(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let Some(leaf) = leaf(cx.ir, op) else { return Err(cx.cannot(op, "it is not a lowered operation")) };
    // These write nothing of their own.
    if !matches!(leaf, Leaf::Constant | Leaf::Pack | Leaf::Yield | Leaf::Condition | Leaf::Jump) {
        cx.locate(op);
    }
    match leaf {
        Leaf::Constant => arith::constant(cx, op),
        Leaf::Elementwise => arith::elementwise(cx, op),
        Leaf::Pack => elements(cx, op),
        Leaf::Read => memory::read(cx, op),
        Leaf::Write => memory::write(cx, op),
        Leaf::Atomic => atomic::update(cx, op),
        Leaf::Alloc => alloc(cx, op),
        Leaf::Loop if cx.ir.opcode(op) == Opcode::ScfWhile => while_loop(cx, op),
        Leaf::Loop => for_loop(cx, op),
        Leaf::Branch if cx.ir.opcode(op) == Opcode::ScfExecuteRegion => jumps::execute(cx, op),
        Leaf::Branch => branch(cx, op),
        Leaf::Id => gpu::id(cx, op),
        Leaf::Rows => memory::matrices(cx, op),
        Leaf::Exchange => gpu::exchange(cx, op),
        Leaf::Matrix => matrix::multiply(cx, op),
        Leaf::Barrier => gpu::barrier(cx, op),
        Leaf::Copy => memory::copy(cx, op),
        Leaf::Group => {
            cx.inst(format_args!("cp.async.commit_group"));
            Ok(())
        }
        Leaf::Wait => memory::wait(cx, op),
        Leaf::SharedProduct => matrix::multiply_shared(cx, op),
        Leaf::Order => matrix::order(cx, op),
        Leaf::Tile => Err(cx.cannot(op, "the machine has no tile registers")),
        // A GPU has other threads to run meanwhile.
        Leaf::Hint => Ok(()),
        Leaf::Check => Err(cx.cannot(op, "only CPUs check indices while code runs")),
        // Its loop has read it, or its region will.
        Leaf::Yield | Leaf::Condition | Leaf::Jump => Ok(()),
    }
}

/// `vector.from_elements`, `vector.to_elements`: other names for the same registers.
pub(super) fn elements(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    match cx.ir.opcode(op) {
        // Products in shared memory have asked for it already.
        Opcode::VectorFromElements if cx.is_bound(cx.ir.result(op, 0)) => {}
        Opcode::VectorToElements => {
            let atoms = cx.atoms(cx.ir.operand(op, 0));
            for (result, atom) in cx.ir.results(op).zip(atoms) {
                cx.bind(result, atom);
            }
        }
        Opcode::VectorFromElements => {
            let result = cx.ir.result(op, 0);
            let (elem, _) = cx.scalar(op, result)?;
            let atoms: Vec<Atom> = cx.ir.operands(op).iter().map(|&value| cx.atom(value)).collect();
            // Packing happens here, once, and not at each use.
            let atoms = match Cx::per_word(elem, atoms.len()) {
                1 => atoms,
                _ => {
                    let words = cx.words(elem, &atoms);
                    Cx::from_words(elem, atoms.len(), &words)
                }
            };
            cx.hold(result, Held::Many(atoms));
        }
        _ => return Err(cx.cannot(op, "parts of vectors must have become scalars")),
    }
    Ok(())
}

/// `memref.alloc` in shared memory.
fn alloc(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let result = cx.ir.result(op, 0);
    let elem = super::module::buffer_elem(cx, op, result)?;
    let number = cx.buffers.iter().filter(|buffer| matches!(buffer.place, Place::Shared(_))).count();
    cx.hold(result, Held::Buffer(cx.buffers.len()));
    cx.buffers.push(Buffer { elem, place: Place::Shared(number) });
    Ok(())
}

/// Registers of the same shape as a value: one, or those of a vector.
pub(super) fn registers_like(cx: &mut Cx<'_>, op: OpId, value: ValueId) -> Result<Vec<Reg>, Diag> {
    let (elem, kind) = cx.scalar(op, value)?;
    if !cx.ir.ty(value).is_vector() {
        return Ok(vec![cx.fresh(kind)]);
    }
    let n_elems = n_elems(cx.ir, cx.ir.type_of(value));
    let kind = cx.word_kind(elem, n_elems).expect("the element type has a class");
    Ok((0..n_elems / Cx::per_word(elem, n_elems)).map(|_| cx.fresh(kind)).collect())
}

/// Makes a value stand for registers from [`registers_like`].
pub(super) fn bind_registers(cx: &mut Cx<'_>, op: OpId, value: ValueId, regs: &[Reg]) -> Result<(), Diag> {
    let (elem, _) = cx.scalar(op, value)?;
    let held = if cx.ir.ty(value).is_vector() {
        Held::Many(Cx::from_words(elem, n_elems(cx.ir, cx.ir.type_of(value)), regs))
    } else {
        Held::One(Atom::Reg(regs[0]))
    };
    cx.hold(value, held);
    Ok(())
}

/// What is to be written into the registers of a value of this type; constants stay immediates where a move takes them.
pub(super) fn sources(cx: &mut Cx<'_>, op: OpId, value: ValueId) -> Result<Vec<Operand>, Diag> {
    let (elem, kind) = cx.scalar(op, value)?;
    if cx.ir.ty(value).is_vector() {
        let atoms = cx.atoms(value);
        return Ok(cx.words(elem, &atoms).into_iter().map(Operand::Reg).collect());
    }
    Ok(vec![match cx.atom(value) {
        Atom::Imm(bits) => Operand::Imm(kind, bits),
        atom => Operand::Reg(cx.reg_of(atom, kind)),
    }])
}

/// Writes all registers as if at once: none is overwritten while another move still reads it.
pub(super) fn move_all(cx: &mut Cx<'_>, moves: impl IntoIterator<Item = (Reg, Operand)>) {
    let mut moves: Vec<(Reg, Operand)> = moves.into_iter().filter(|&(to, from)| from != Operand::Reg(to)).collect();
    while !moves.is_empty() {
        let free = (0..moves.len()).find(|&i| moves.iter().all(|&(_, from)| from != Operand::Reg(moves[i].0)));
        match free {
            Some(i) => {
                let (to, from) = moves.remove(i);
                cx.compute_into(to, &format!("mov.{}", to.kind.ty()), &[from]);
            }
            // Only cycles are left: a copy of one register opens its cycle.
            None => {
                let (to, _) = moves[0];
                let copy = cx.compute(&format!("mov.{}", to.kind.ty()), to.kind, &[to.into()]);
                for (_, from) in &mut moves {
                    if *from == Operand::Reg(to) {
                        *from = copy.into();
                    }
                }
            }
        }
    }
}

/// The values that a block's terminator yields.
fn yielded(cx: &Cx<'_>, block: BlockId) -> Vec<ValueId> {
    cx.ir.terminator(block).map(|op| cx.ir.operands(op).to_vec()).unwrap_or_default()
}

/// `scf.for`
fn for_loop(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let body = match (cx.ir.opcode(op), cx.ir.body(op, 0)) {
        (Opcode::ScfFor, Some(body)) => body,
        _ => return Err(cx.cannot(op, "loops must have become `scf.for`")),
    };
    let [lower, upper, step] = [0, 1, 2].map(|operand| cx.ir.operand(op, operand));
    let (inits, args) = (cx.ir.operands(op)[3..].to_vec(), cx.ir.args(body).to_vec());
    let (scalar, _) = cx.scalar(op, lower)?;
    let int = Int::of(cx, scalar);
    if int.width != int.kind.bits() {
        return Err(cx.cannot(op, &format!("a loop cannot count in {scalar}")));
    }
    let results: Vec<ValueId> = cx.ir.results(op).collect();
    let sign = if cx.ir.attr_id(op, "unsignedCmp").is_some() { 'u' } else { 's' };
    // Both bounds, where they are constants that mean the same with and without a sign.
    let bounds = cx.ir.const_int(lower).zip(cx.ir.const_int(upper));
    let bounds = bounds.filter(|&(lower, upper)| sign == 's' || lower.min(upper) >= 0);
    if let Some((lower, upper)) = bounds
        && lower >= upper
    {
        // The body never runs. Results still get registers of their own, as after any other loop.
        for (&result, &init) in results.iter().zip(&inits) {
            let regs = registers_like(cx, op, init)?;
            let sources = sources(cx, op, init)?;
            move_all(cx, regs.iter().copied().zip(sources));
            bind_registers(cx, op, result, &regs)?;
        }
        return Ok(());
    }
    memory::hoist_addresses(cx, op);

    // Registers of the loop, and their first contents.
    let (upper, step) = (cx.operand(upper, int.kind), cx.operand(step, int.kind));
    let start = cx.operand(lower, int.kind);
    let counter = cx.fresh(int.kind);
    let mut moves = vec![(counter, start)];
    let mut carried = Vec::new();
    for &init in &inits {
        let regs = registers_like(cx, op, init)?;
        moves.extend(regs.iter().copied().zip(sources(cx, op, init)?));
        carried.push(regs);
    }
    move_all(cx, moves);
    let end = bounds.is_none().then(|| cx.fresh_label());
    if let Some(end) = end {
        let skip = cx.compute(&int.name("setp.ge", sign), Kind::Pred, &[start, upper]);
        cx.inst(format_args!("@{skip} bra $L__BB{end}"));
    }
    let top = cx.fresh_label();
    cx.loop_label(top);
    cx.bind(args[0], Atom::Reg(counter));
    for (&arg, regs) in args[1..].iter().zip(&carried) {
        bind_registers(cx, op, arg, regs)?;
    }
    for ((value, &arg), regs) in yielded(cx, body).into_iter().zip(&args[1..]).zip(&carried) {
        if let (&[reg], Some(begin)) = (&regs[..], matrix::begins(cx.ir, value, arg)) {
            cx.places.insert(begin, reg);
        }
    }
    cx.scoped(|cx| {
        block(cx, body)?;
        let mut moves = Vec::new();
        for (value, regs) in yielded(cx, body).into_iter().zip(&carried) {
            moves.extend(regs.iter().copied().zip(sources(cx, op, value)?));
        }
        move_all(cx, moves);
        cx.compute_into(counter, &int.name("add", 's'), &[counter.into(), step]);
        let again = cx.compute(&int.name("setp.lt", sign), Kind::Pred, &[counter.into(), upper]);
        cx.inst(format_args!("@{again} bra $L__BB{top}"));
        Ok(())
    })?;
    if let Some(end) = end {
        cx.label(end);
    }
    for (&result, regs) in results.iter().zip(&carried) {
        bind_registers(cx, op, result, regs)?;
    }
    Ok(())
}

/// `scf.while`: the test stands at the top of each turn, behind what it is computed from.
fn while_loop(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let (Some(before), Some(after)) = (cx.ir.body(op, 0), cx.ir.body(op, 1)) else {
        return Err(cx.cannot(op, "it has no block"));
    };
    let test = cx.ir.terminator(before).filter(|&test| cx.ir.opcode(test) == Opcode::ScfCondition);
    let Some(test) = test else { return Err(cx.cannot(op, "its first block ends with no test")) };
    let passed = cx.ir.operands(test).to_vec();
    let results: Vec<ValueId> = cx.ir.results(op).collect();
    let (mut carried, mut left, mut moves) = (Vec::new(), Vec::new(), Vec::new());
    for init in cx.ir.operands(op).to_vec() {
        let regs = registers_like(cx, op, init)?;
        moves.extend(regs.iter().copied().zip(sources(cx, op, init)?));
        carried.push(regs);
    }
    for &result in &results {
        left.push(registers_like(cx, op, result)?);
    }
    move_all(cx, moves);
    let (top, end) = (cx.fresh_label(), cx.fresh_label());
    cx.loop_label(top);
    for (&arg, regs) in cx.ir.args(before).to_vec().iter().zip(&carried) {
        bind_registers(cx, op, arg, regs)?;
    }
    cx.scoped(|cx| {
        block(cx, before)?;
        let goes_on = cx.reg(cx.ir.operand(test, 0), Kind::Pred);
        let mut moves = Vec::new();
        for (&value, regs) in passed[1..].iter().zip(&left) {
            moves.extend(regs.iter().copied().zip(sources(cx, op, value)?));
        }
        move_all(cx, moves);
        cx.inst(format_args!("@!{goes_on} bra $L__BB{end}"));
        for (&arg, regs) in cx.ir.args(after).to_vec().iter().zip(&left) {
            bind_registers(cx, op, arg, regs)?;
        }
        block(cx, after)?;
        let mut moves = Vec::new();
        for (value, regs) in yielded(cx, after).into_iter().zip(&carried) {
            moves.extend(regs.iter().copied().zip(sources(cx, op, value)?));
        }
        move_all(cx, moves);
        cx.inst(format_args!("bra $L__BB{top}"));
        Ok(())
    })?;
    cx.label(end);
    for (&result, regs) in results.iter().zip(&left) {
        bind_registers(cx, op, result, regs)?;
    }
    Ok(())
}

/// Operations of a branch that guards a single access, at most.
const GUARDED_MAX: usize = 4;

/// `scf.if`
fn branch(cx: &mut Cx<'_>, op: OpId) -> Result<(), Diag> {
    let Some(then_block) = cx.ir.body(op, 0) else {
        return Err(cx.cannot(op, "it has no block"));
    };
    // Accesses under one mask after another share their address.
    if cx.ir.block_ops(then_block).count() <= GUARDED_MAX {
        memory::hoist_addresses(cx, op);
    }
    let condition = cx.reg(cx.ir.operand(op, 0), Kind::Pred);
    let results: Vec<ValueId> = cx.ir.results(op).collect();
    if let Some(GuardedLoad { load, others }) = GuardedLoad::of(cx.ir, op)
        && memory::is_plain_load(cx, load)
    {
        return load_or(cx, load, condition, &others, &results);
    }
    if matrix::multiply_if(cx, op, condition)? {
        return Ok(());
    }
    let mut targets = Vec::new();
    for run in together(cx, op, &results, then_block)? {
        let regs = match run.len() {
            1 => registers_like(cx, op, results[run.start])?,
            _ => vec![cx.fresh(Kind::B32)],
        };
        targets.push((run, regs));
    }
    let end = cx.fresh_label();
    match cx.ir.body(op, 1) {
        None => {
            cx.inst(format_args!("@!{condition} bra $L__BB{end}"));
            arm(cx, op, then_block, &targets)?;
        }
        Some(else_block) => {
            let otherwise = cx.fresh_label();
            cx.inst(format_args!("@!{condition} bra $L__BB{otherwise}"));
            arm(cx, op, then_block, &targets)?;
            cx.inst(format_args!("bra $L__BB{end}"));
            cx.label(otherwise);
            arm(cx, op, else_block, &targets)?;
        }
    }
    cx.label(end);
    for (run, regs) in targets {
        if run.len() == 1 {
            bind_registers(cx, op, results[run.start], &regs)?;
            continue;
        }
        let (elem, _) = cx.scalar(op, results[run.start])?;
        for (&result, atom) in results[run.clone()].iter().zip(Cx::from_words(elem, run.len(), &regs)) {
            cx.bind(result, atom);
        }
    }
    Ok(())
}

/// A load under a condition, of registers that hold the other values already: what assemblers make of a branch would
/// write these behind the load, and wait for it.
fn load_or(cx: &mut Cx<'_>, load: OpId, condition: Reg, others: &[ValueId], results: &[ValueId]) -> Result<(), Diag> {
    let loaded = cx.ir.result(load, 0);
    let (elem, _) = cx.scalar(load, loaded)?;
    let regs = registers_like(cx, load, loaded)?;
    let first = match others {
        &[other] => sources(cx, load, other)?,
        others => {
            let atoms: Vec<Atom> = others.iter().map(|&value| cx.atom(value)).collect();
            cx.words(elem, &atoms).into_iter().map(Operand::Reg).collect()
        }
    };
    move_all(cx, regs.iter().copied().zip(first));
    memory::read_if(cx, load, condition, &regs)?;
    if results.len() == 1 {
        return bind_registers(cx, load, results[0], &regs);
    }
    for (&result, atom) in results.iter().zip(Cx::from_words(elem, results.len(), &regs)) {
        cx.bind(result, atom);
    }
    Ok(())
}

/// The results of a branch that are one word: elements that its first arm loads together. Each other one is alone.
fn together(cx: &Cx<'_>, op: OpId, results: &[ValueId], body: BlockId) -> Result<Vec<Range<usize>>, Diag> {
    let yields = yielded(cx, body);
    let loaded = |value: ValueId| match cx.ir.def(value) {
        Def::Result { op, index } if cx.ir.opcode(op) == Opcode::VectorToElements => Some((op, index as usize)),
        Def::Result { .. } | Def::Arg { .. } => None,
    };
    let (mut runs, mut at) = (Vec::new(), 0);
    while at < results.len() {
        let (elem, _) = cx.scalar(op, results[at])?;
        let whole = loaded(yields[at]).map(|(split, first)| (split, first, cx.ir.results(split).count()));
        let n = whole.map_or(1, |(_, _, n_elems)| Cx::per_word(elem, n_elems));
        let is_word = whole.is_some_and(|(split, first, _)| {
            let parts = yields.get(at..at + n).unwrap_or_default();
            let follows = |(i, &part): (usize, &ValueId)| loaded(part) == Some((split, first + i));
            first % n == 0 && parts.len() == n && parts.iter().enumerate().all(follows)
        });
        let len = if is_word { n } else { 1 };
        runs.push(at..at + len);
        at += len;
    }
    Ok(runs)
}

/// One arm of a branch: its block, then its results.
fn arm(cx: &mut Cx<'_>, op: OpId, body: BlockId, targets: &[(Range<usize>, Vec<Reg>)]) -> Result<(), Diag> {
    cx.scoped(|cx| {
        block(cx, body)?;
        let yields = yielded(cx, body);
        let mut moves = Vec::new();
        for (run, regs) in targets {
            let from: Vec<Operand> = match yields.get(run.clone()).unwrap_or_default() {
                &[value] => sources(cx, op, value)?,
                values => {
                    let (elem, _) = cx.scalar(op, values[0])?;
                    let atoms: Vec<Atom> = values.iter().map(|&value| cx.atom(value)).collect();
                    cx.words(elem, &atoms).into_iter().map(Operand::Reg).collect()
                }
            };
            moves.extend(regs.iter().copied().zip(from));
        }
        move_all(cx, moves);
        Ok(())
    })
}
