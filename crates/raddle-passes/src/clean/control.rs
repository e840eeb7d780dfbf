//! Fold control flow: branches with a known condition, loops of no or one iteration, values that a loop only carries.

use raddle_ir::{Attr, BlockId, Builder, Def, Ir, OpId, Opcode, Type, ValueId};

use super::fold::Fold;
use super::number::{self, Number};

/// `scf.if`: with a known condition the taken side stands in its place; sides that do nothing, values that nobody uses
/// and values that are the same on both sides go; what the condition is, each side knows. `scf.execute_region` of one
/// block is what it holds.
pub(super) fn fold_branch(ir: &mut Ir, op: OpId) -> Option<Fold> {
    if ir.opcode(op) == Opcode::ScfExecuteRegion {
        let &[region] = ir.regions(op) else { return None };
        let &[body] = ir.blocks(region) else { return None };
        // It may also end where nothing is said to come.
        let leaves = ir.terminator(body).is_some_and(|end| ir.opcode(end) == Opcode::ScfYield);
        return (leaves && ir.attr_id(op, "no_inline").is_none()).then(|| inline(ir, op, body, &[]));
    }
    if ir.opcode(op) != Opcode::ScfIf {
        return None;
    }
    let condition = ir.operand(op, 0);
    if let Some(taken) = number::of(ir, condition).and_then(Number::int) {
        return match ir.body(op, if taken != 0 { 0 } else { 1 }) {
            Some(body) => Some(inline(ir, op, body, &[])),
            None => Some(Fold::Values(Vec::new())),
        };
    }
    let is_laid_out = ir.attr_id(op, "layouts").is_some();
    let results: Vec<ValueId> = ir.results(op).collect();
    if results.is_empty() {
        if let Some(fold) = drop_empty_else(ir, op).or_else(|| join_nested(ir, op)) {
            return Some(fold);
        }
    } else if !is_laid_out && let Some(fold) = fewer_results(ir, op, &results) {
        return Some(fold);
    }
    know_condition(ir, op, condition).then_some(Fold::Changed)
}

/// The terminator of one side.
fn end_of(ir: &Ir, op: OpId, side: usize) -> Option<OpId> {
    ir.terminator(ir.body(op, side)?)
}

/// A side without results that holds nothing but its end.
fn is_empty(ir: &Ir, body: BlockId) -> bool {
    ir.first_op(body) == ir.terminator(body)
}

fn drop_empty_else(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let no = ir.body(op, 1).filter(|&no| is_empty(ir, no))?;
    ir.remove_block(no);
    Some(Fold::Changed)
}

/// `if a { if b { … } }` is `if a and b { … }`.
fn join_nested(ir: &mut Ir, op: OpId) -> Option<Fold> {
    let body = ir.body(op, 0)?;
    let ops = ir.ops_of(body);
    let [inner, end] = ops[..] else { return None };
    let lone = |op: OpId| ir.opcode(op) == Opcode::ScfIf && ir.results(op).len() == 0 && ir.body(op, 1).is_none();
    if !lone(op) || !lone(inner) {
        return None;
    }
    let conditions = [ir.operand(op, 0), ir.operand(inner, 0)];
    let both = Builder::before(ir, op).binary(Opcode::ArithAndi, conditions[0], conditions[1]);
    ir.set_operand(op, 0, both);
    for moved in ir.body(inner, 0).map(|body| ir.ops_of(body)).unwrap_or_default() {
        if ir.opcode(moved) == Opcode::ScfYield {
            continue;
        }
        ir.detach(moved);
        ir.insert_before(end, moved);
    }
    ir.erase(inner);
    Some(Fold::Changed)
}

/// A value of an `if` that both sides make from outside is a select, or the value itself; one that nobody uses goes.
fn fewer_results(ir: &mut Ir, op: OpId, results: &[ValueId]) -> Option<Fold> {
    let (yes, no) = (end_of(ir, op, 0)?, end_of(ir, op, 1)?);
    let outside = |ir: &Ir, end: OpId, value: ValueId| {
        let block = match ir.def(value) {
            Def::Result { op, .. } => ir.parent_block(op),
            Def::Arg { block, .. } => Some(block),
        };
        block != ir.parent_block(end)
    };
    let condition = ir.operand(op, 0);
    let mut kept = Vec::new();
    for (index, &result) in results.iter().enumerate() {
        let (a, b) = (ir.operand(yes, index), ir.operand(no, index));
        if ir.is_unused(result) {
            continue;
        }
        if outside(ir, yes, a) && outside(ir, no, b) {
            let ty = ir.type_of(result);
            // A select of tensors takes either's elements, one by one.
            let plain = !matches!(ir[ty], Type::Tensor { .. });
            if a == b {
                ir.replace_uses(result, a);
                continue;
            }
            if plain && !ir[ty].is_vector() {
                let either = Builder::before(ir, op).value(Opcode::ArithSelect, &[condition, a, b], ty, &[]);
                ir.replace_uses(result, either);
                continue;
            }
        }
        kept.push(index);
    }
    if kept.len() == results.len() {
        return None;
    }
    let types: Vec<_> = kept.iter().map(|&index| ir.type_of(results[index])).collect();
    let attrs = ir.attr_dict(op);
    let new = ir.create_with(Opcode::ScfIf, &[condition], &types, attrs, ir.span(op));
    Builder::before(ir, op).place(new);
    for (side, end) in [yes, no].into_iter().enumerate() {
        let yielded: Vec<ValueId> = kept.iter().map(|&index| ir.operand(end, index)).collect();
        ir.set_operands(end, &yielded);
        let region = ir.add_region(new);
        let body = ir.body(op, side)?;
        // Without results, a side that does nothing is not there.
        if side == 1 && kept.is_empty() && is_empty(ir, body) {
            continue;
        }
        let block = ir.add_block(region, &[]);
        for inner in ir.ops_of(body) {
            ir.detach(inner);
            ir.append(block, inner);
        }
    }
    for (new_index, &index) in kept.iter().enumerate() {
        let value = ir.result(new, new_index);
        ir.replace_uses(results[index], value);
    }
    ir.erase(op);
    Some(Fold::Inlined(Some(new)))
}

/// On its first side the condition is true, on the other false.
fn know_condition(ir: &mut Ir, op: OpId, condition: ValueId) -> bool {
    let mut changed = false;
    let uses: Vec<(OpId, usize)> = ir.uses(condition).collect();
    for (user, index) in uses {
        let Some(side) = side_of(ir, op, user) else { continue };
        let ty = ir.type_of(condition);
        let truth = Number::Int(if side == 0 { -1 } else { 0 });
        let known = number::constant(ir, op, truth, ty);
        ir.set_operand(user, index, known);
        changed = true;
    }
    changed
}

/// The side of `op` that an operation lies in, however deep.
fn side_of(ir: &Ir, op: OpId, inner: OpId) -> Option<usize> {
    let mut at = inner;
    loop {
        let block = ir.parent_block(at)?;
        let region = ir.block_region(block);
        let parent = ir.region_parent(region);
        if parent == op {
            return ir.regions(op).iter().position(|&other| other == region);
        }
        at = parent;
    }
}

/// `scf.for` with known bounds that runs never or once, or that carries values which do not change or are not used.
pub(super) fn fold_loop(ir: &mut Ir, op: OpId) -> Option<Fold> {
    if ir.opcode(op) != Opcode::ScfFor {
        return None;
    }
    let body = ir.body(op, 0)?;
    let inits = ir.operands(op)[3..].to_vec();
    let bound = |index: usize| number::of(ir, ir.operand(op, index)).and_then(Number::int);
    if ir.operand(op, 0) == ir.operand(op, 1) {
        return Some(Fold::Values(inits));
    }
    // Unsigned comparison is a flag of the loop; its bounds are then not what the signed reading says.
    if ir.attr_id(op, "unsignedCmp").is_none()
        && let (Some(lower), Some(upper)) = (bound(0), bound(1))
    {
        if lower >= upper {
            return Some(Fold::Values(inits));
        }
        if bound(2).is_some_and(|step| step > 0 && i128::from(upper) - i128::from(lower) <= i128::from(step)) {
            let args = [&[ir.operand(op, 0)], &inits[..]].concat();
            return Some(inline(ir, op, body, &args));
        }
    }
    forward_unchanged(ir, op, body, &inits)
}

/// Moves the operations of `body` in front of `op`, which then goes: `args` stand for the block's arguments, what the
/// terminator yields for the results.
fn inline(ir: &mut Ir, op: OpId, body: BlockId, args: &[ValueId]) -> Fold {
    for (arg, &value) in ir.args(body).to_vec().into_iter().zip(args) {
        ir.replace_uses(arg, value);
    }
    let ops = ir.ops_of(body);
    let (yield_op, ops) = ops.split_last().expect("a verified region has a terminator");
    for &inner in ops {
        ir.detach(inner);
        ir.insert_before(op, inner);
    }
    let yielded = ir.operands(*yield_op).to_vec();
    for (result, value) in ir.results(op).zip(yielded) {
        ir.replace_uses(result, value);
    }
    let first = ops.first().copied().or(ir.next_op(op));
    ir.erase(op);
    Fold::Inlined(first)
}

/// Carried values that every iteration passes on as they came are their initial values; carried values whose only use
/// is to be passed on are nothing.
fn forward_unchanged(ir: &mut Ir, op: OpId, body: BlockId, inits: &[ValueId]) -> Option<Fold> {
    let yield_op = ir.terminator(body)?;
    let args = ir.args(body)[1..].to_vec();
    let mut kept = vec![true; inits.len()];
    for (index, (&arg, &init)) in args.iter().zip(inits).enumerate() {
        let yielded = ir.operand(yield_op, index);
        let result = ir.result(op, index);
        if yielded == arg || yielded == init {
            ir.replace_uses(result, init);
            ir.replace_uses(arg, init);
            kept[index] = false;
        } else if ir.is_unused(result) && ir.uses(arg).all(|(user, at)| user == yield_op && at == index) {
            kept[index] = false;
        }
    }
    if kept.iter().all(|&kept| kept) {
        return None;
    }
    let keep = |list: &[ValueId]| -> Vec<ValueId> {
        list.iter().zip(&kept).filter(|pair| *pair.1).map(|pair| *pair.0).collect()
    };
    let operands = [&ir.operands(op)[..3], &keep(inits)].concat();
    let results: Vec<_> = ir.results(op).collect();
    let results = keep(&results);
    let types: Vec<_> = results.iter().map(|&result| ir.type_of(result)).collect();
    let yielded = keep(ir.operands(yield_op));
    let args = keep(&args);
    let iv = ir.args(body)[0];

    let attrs = ir.attr_dict(op);
    let new = ir.create_with(Opcode::ScfFor, &operands, &types, attrs, ir.span(op));
    if let Some(Attr::Array(layouts)) = ir.attr(op, "layouts").cloned() {
        let layouts = layouts.iter().zip(&kept).filter(|pair| *pair.1).map(|pair| *pair.0).collect();
        let layouts = ir.intern(Attr::Array(layouts));
        ir.set_attr(new, "layouts", layouts);
    }
    Builder::before(ir, op).place(new);
    let region = ir.add_region(new);
    let block = ir.add_block(region, &[&[ir.type_of(iv)], &types[..]].concat());
    ir.set_operands(yield_op, &yielded);
    for inner in ir.ops_of(body) {
        ir.detach(inner);
        ir.append(block, inner);
    }
    let new_args = ir.args(block).to_vec();
    for (old, new) in [iv].into_iter().chain(args).zip(new_args) {
        ir.replace_uses(old, new);
    }
    for (index, &result) in results.iter().enumerate() {
        let new_result = ir.result(new, index);
        ir.replace_uses(result, new_result);
    }
    ir.erase(op);
    Some(Fold::Inlined(Some(new)))
}
