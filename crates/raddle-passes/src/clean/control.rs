//! Fold control flow: branches with a known condition, loops of no or one iteration, values that a loop only carries.

use raddle_ir::{Attr, BlockId, Builder, Ir, OpId, Opcode, ValueId};

use super::fold::Fold;
use super::number::{self, Number};

/// `scf.if` with a known condition: the taken side stands in its place.
pub(super) fn fold_branch(ir: &mut Ir, op: OpId) -> Option<Fold> {
    if ir.opcode(op) != Opcode::If {
        return None;
    }
    let taken = number::of(ir, ir.operand(op, 0)).and_then(Number::int)? != 0;
    match ir.body(op, if taken { 0 } else { 1 }) {
        Some(body) => Some(inline(ir, op, body, &[])),
        None => Some(Fold::Values(Vec::new())),
    }
}

/// `scf.for` with known bounds that runs never or once, or that carries values which do not change or are not used.
pub(super) fn fold_loop(ir: &mut Ir, op: OpId) -> Option<Fold> {
    if ir.opcode(op) != Opcode::For {
        return None;
    }
    let body = ir.body(op, 0)?;
    let inits = ir.operands(op)[3..].to_vec();
    let bound = |index: usize| number::of(ir, ir.operand(op, index)).and_then(Number::int);
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
    let new = ir.create_with(Opcode::For, &operands, &types, attrs, ir.span(op));
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
