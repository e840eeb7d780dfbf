//! Unused results: what nobody reads of an operation with several results is not computed.
//!
//! Before: `%m:2 = linalg.generic` with the maximum of each row and the index where it is, of which nobody reads `%m#1`
//! After:  the maximum alone, which is a reduction like others
//!
//! The same of operands that hold nothing and that the body does not read, as windows have them to say how large they are, where
//! others say how long the loops are.

use raddle_ir::views::Linalg;
use raddle_ir::{Builder, Expr, Ir, Map, OpId, Opcode, ValueId, ValueMap};
use rustc_hash::FxHashSet;

use crate::structured::generalize::generic;

/// Takes results that nobody reads, and operands that hold nothing, off an operation, where its body does not need them.
pub(crate) fn leave_out(ir: &mut Ir, op: OpId) -> bool {
    let Some(linalg) = Linalg::try_of(ir, op) else { return false };
    let (n, results) = (linalg.inputs.len(), ir.results(op).collect::<Vec<_>>());
    let Some(body) = ir.body(op, 0).filter(|_| ir.opcode(op) == Opcode::LinalgGeneric && !results.is_empty()) else {
        return false;
    };
    let is_configured = ["lowering_config", "compilation_info"].iter().any(|name| ir.attr(op, name).is_some());
    if is_configured
        || ir.block_ops(body).any(|inner| !ir.opcode(inner).info().is_pure() && Some(inner) != ir.terminator(body))
    {
        return false;
    }
    let args = ir.args(body).to_vec();
    let Some(end) = ir.terminator(body) else { return false };
    let mut kept: Vec<usize> = (0..results.len()).filter(|&i| !ir.is_unused(results[i])).collect();
    // What a result is combined from may be another result so far.
    let mut at = 0;
    while let Some(&i) = kept.get(at) {
        let needed = behind(ir, op, ir.operand(end, i));
        let more = (0..results.len()).filter(|&j| needed.contains(&args[n + j]));
        for j in more.filter(|j| !kept.contains(j)).collect::<Vec<_>>() {
            kept.push(j);
        }
        at += 1;
    }
    kept.sort_unstable();
    let is_empty = |value: ValueId| ir.def_op(value).is_some_and(|made| ir.opcode(made) == Opcode::TensorEmpty);
    let inputs: Vec<usize> = (0..n).filter(|&i| !is_empty(linalg.inputs[i]) || !ir.is_unused(args[i])).collect();
    let operands: Vec<usize> = inputs.iter().copied().chain(kept.iter().map(|i| n + i)).collect();
    let maps: Vec<Map> = operands.iter().map(|&i| linalg.maps[i].clone()).collect();
    // The operands that are left say how long each loop is.
    let is_stated = |d: usize| maps.iter().any(|map| map.results.contains(&Expr::Dim(d as u32)));
    let is_less = operands.len() < n + results.len();
    if !is_less || kept.is_empty() || !(0..linalg.reduction.len()).all(is_stated) {
        return false;
    }
    let yielded: Vec<ValueId> = kept.iter().map(|&i| ir.operand(end, i)).collect();
    let outputs = kept.iter().map(|&i| linalg.outputs[i]).collect();
    let inputs = inputs.iter().map(|&i| linalg.inputs[i]).collect();
    let fewer = Linalg { inputs, outputs, maps, ..linalg };
    let builder = &mut Builder::before(ir, op);
    let new = generic(builder, &fewer, &[]);
    let region = builder.ir.add_region(new);
    let given: Vec<ValueId> = operands.iter().map(|&i| args[i]).collect();
    let types: Vec<_> = given.iter().map(|&arg| builder.ir.type_of(arg)).collect();
    let block = builder.ir.add_block(region, &types);
    let mut map = ValueMap::default();
    for (old, new) in given.into_iter().zip(builder.ir.args(block).to_vec()) {
        map.set(old, new);
    }
    let span = builder.span;
    let mut inner = Builder::at_end(builder.ir, block, span);
    let needed: FxHashSet<ValueId> = yielded.iter().flat_map(|&value| behind(inner.ir, op, value)).collect();
    for old in inner.ir.ops_of(body) {
        if inner.ir.results(old).any(|value| needed.contains(&value)) {
            inner.copy(old, &mut map);
        }
    }
    let yielded: Vec<ValueId> = yielded.iter().map(|&value| map.find(value).unwrap_or(value)).collect();
    inner.op(Opcode::LinalgYield, &yielded, &[], &[]);
    for (&i, new) in kept.iter().zip(ir.results(new).collect::<Vec<_>>()) {
        ir.replace_uses(results[i], new);
    }
    ir.erase(op);
    true
}

/// A value, and what it is computed from in the body of an operation.
fn behind(ir: &Ir, op: OpId, value: ValueId) -> FxHashSet<ValueId> {
    let mut seen = FxHashSet::default();
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        if !seen.insert(value) {
            continue;
        }
        if let Some(made) = ir.def_op(value).filter(|&made| ir.parent_op(made) == Some(op)) {
            waiting.extend(ir.walk(made).into_iter().chain([made]).flat_map(|inner| ir.operands(inner).to_vec()));
        }
    }
    seen
}
