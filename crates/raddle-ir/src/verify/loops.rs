//! The rules of `scf`: loops, branches, reductions, and what ends their regions.

use super::wording::{ensure, quoted, wrong};
use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::rules::{dynamic_count, list};
use super::{Check, types_of};
use crate::attrs::Attr;
use crate::ids::{OpId, TypeId};
use crate::ir::{Def, Ir};
use crate::ops::{self, OpInfo, Opcode};
use crate::types::{DYNAMIC, Type};

pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    match ir.opcode(op) {
        Opcode::ScfFor => for_loop(ir, op),
        Opcode::ScfForall => forall(ir, op),
        Opcode::ScfIf => if_op(ir, op),
        Opcode::ScfWhile => while_loop(ir, op),
        Opcode::ScfParallel => parallel(ir, op),
        Opcode::ScfIndexSwitch => index_switch(ir, op),
        Opcode::ScfReduce => reduce(ir, op),
        Opcode::ScfExecuteRegion => {
            ensure(ir, op, ir.args(ir.entry(op)).is_empty(), || "region cannot have any arguments".to_owned())
        }
        Opcode::ScfForallInParallel => {
            parent(ir, op)?;
            combines(ir, op)
        }
        Opcode::ScfReduceReturn => {
            parent(ir, op)?;
            reduced(ir, op)
        }
        Opcode::ScfYield | Opcode::ScfCondition => parent(ir, op),
        _ => Ok(()),
    }
}

/// What ends a region of `scf` stands in an operation that is known to wait for it.
fn parent(ir: &Ir, op: OpId) -> Check {
    let known = ir.parent_op(op).is_some_and(|parent| ir.opcode(parent) != Opcode::Unregistered);
    if known {
        return Ok(());
    }
    let waits = |row: &&OpInfo| row.form.bodies().any(|body| body.ends == ir.name(op));
    let names: BTreeSet<&str> =
        ops::all().filter(waits).map(|row| row.name).filter(|name| name.starts_with("scf.")).collect();
    let names = names.into_iter().collect::<Vec<_>>().join(", ");
    let which = if names.contains(',') { "to be one of " } else { "" };
    Err(wrong(ir, op, format!("expects parent op {which}'{names}'")))
}

fn for_loop(ir: &Ir, op: OpId) -> Check {
    let operands = ir.operands(op);
    let bound = ir.type_of(operands[0]);
    let scalar = matches!(ir[bound], Type::Index | Type::Integer { .. });
    ensure(ir, op, scalar, || "counts with an integer or index".to_owned())?;
    let inits = types_of(ir, &operands[3..]);
    let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    ensure(ir, op, inits.len() == results.len(), || {
        "mismatch in number of loop-carried values and defined values".to_owned()
    })?;
    ensure(ir, op, inits == results, || "has results that differ in type from its initial values".to_owned())?;
    let block = ir.entry(op);
    let args = types_of(ir, ir.args(block));
    let Some((_, carried)) = args.split_first().filter(|args| *args.0 == bound) else {
        return Err(wrong(ir, op, "expected induction variable to be same type as bounds and step"));
    };
    ensure(ir, op, carried.len() == inits.len(), || {
        format!("different number of inits and region iter_args: {} != {}", inits.len(), carried.len())
    })?;
    let body = "Region #0";
    along(ir, op, None, (&inits, body), carried)?;
    let Some(last) = ir.terminator(block) else { return Ok(()) };
    let given = types_of(ir, ir.operands(last));
    ensure(ir, op, given.len() == carried.len(), || {
        format!("different number of region iter_args and yielded values: {} != {}", carried.len(), given.len())
    })?;
    along(ir, op, Some(last), (&given, body), carried)
}

/// What goes from the end of a region, or from the operation itself, to a region or out of the operation, has the types
/// that are taken there.
fn along(ir: &Ir, op: OpId, from: Option<OpId>, (given, to): (&[TypeId], &str), taken: &[TypeId]) -> Check {
    if given == taken {
        return Ok(());
    }
    let edge = match from {
        Some(last) => format!("Operation {} to {to}", ir.name(last)),
        None => format!("parent to {to}"),
    };
    let what = match given.iter().zip(taken).position(|(given, taken)| given != taken) {
        Some(at) if given.len() == taken.len() => {
            let (given, taken) = (quoted(ir, given[at]), quoted(ir, taken[at]));
            format!("successor operand type #{at} {given} should match successor input type #{at} {taken}")
        }
        _ => {
            let (given, taken) = (given.len(), taken.len());
            format!("region branch point has {given} operands, but region successor needs {taken} inputs")
        }
    };
    let diag = wrong(ir, op, format!("along control flow edge from {edge}: {what}"));
    Err(Box::new(diag.related(ir.span(from.unwrap_or(op)), "region branch point")))
}

/// Along the way out of an operation.
fn out(ir: &Ir, op: OpId, from: OpId, given: &[TypeId]) -> Check {
    let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    along(ir, op, Some(from), (given, &format!("Operation {}", ir.name(op))), &results)
}

fn if_op(ir: &Ir, op: OpId) -> Check {
    for at in 0..2 {
        match ir.body(op, at) {
            Some(block) => {
                ensure(ir, op, ir.args(block).is_empty(), || format!("region #{at} should have no arguments"))?;
                let Some(last) = ir.terminator(block) else { continue };
                out(ir, op, last, &types_of(ir, ir.operands(last)))?;
            }
            None => {
                ensure(ir, op, ir.results(op).len() == 0, || "must have an else block if defining values".to_owned())?;
            }
        }
    }
    Ok(())
}

fn forall(ir: &Ir, op: OpId) -> Check {
    let parts = ir.segments(op);
    let mut rank = None;
    for (i, name) in ["staticLowerBound", "staticUpperBound", "staticStep"].into_iter().enumerate() {
        let numbers = list(ir, op, name)?;
        dynamic_count(ir, op, name, &numbers, parts[i].len())?;
        let rank = *rank.get_or_insert(numbers.len());
        ensure(ir, op, numbers.len() == rank, || "has bounds and steps of different lengths".to_owned())?;
        let positive = name != "staticStep" || numbers.iter().all(|&n| n == DYNAMIC || n > 0);
        ensure(ir, op, positive, || "has a step that is not positive".to_owned())?;
    }
    let rank = rank.unwrap_or(0);
    let outputs = types_of(ir, parts[3]);
    let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    ensure(ir, op, outputs == results, || "has results that differ in type from its outputs".to_owned())?;
    let args = types_of(ir, ir.args(ir.entry(op)));
    let fits = args.len() == rank + outputs.len()
        && args[..rank].iter().all(|&ty| ir[ty] == Type::Index)
        && args[rank..] == outputs;
    ensure(ir, op, fits, || "has a body whose arguments are not the indices and the shared outputs".to_owned())?;
    match ir.attr(op, "mapping") {
        None => Ok(()),
        Some(Attr::Array(items)) => ensure(ir, op, items.len() == rank, || {
            format!("mapping attribute size must match op rank: {} for {rank}", items.len())
        }),
        Some(_) => Err(wrong(ir, op, "needs a list for `mapping`")),
    }
}

fn while_loop(ir: &Ir, op: OpId) -> Check {
    let (before, Some(after)) = (ir.entry(op), ir.body(op, 1)) else { return Ok(()) };
    let args = |block| types_of(ir, ir.args(block));
    let (Some(condition), Some(end)) = (ir.terminator(before), ir.terminator(after)) else { return Ok(()) };
    // The condition itself is checked on its own.
    let passed = types_of(ir, ir.operands(condition).get(1..).unwrap_or_default());
    along(ir, op, None, (&types_of(ir, ir.operands(op)), "Region #0"), &args(before))?;
    along(ir, op, Some(condition), (&passed, "Region #1"), &args(after))?;
    out(ir, op, condition, &passed)?;
    along(ir, op, Some(end), (&types_of(ir, ir.operands(end)), "Region #0"), &args(before))
}

fn parallel(ir: &Ir, op: OpId) -> Check {
    let groups = ir.segments(op);
    let rank = groups[2].len();
    ensure(ir, op, rank > 0, || "needs at least one tuple element for lowerBound, upperBound and step".to_owned())?;
    let bounds = [groups[0].len(), groups[1].len()];
    ensure(ir, op, bounds == [rank; 2], || "has one lower bound, upper bound and step for each index".to_owned())?;
    let constant = |value| match ir.def(value) {
        Def::Result { op, .. } if ir.opcode(op) == Opcode::ArithConstant => ir.attr(op, "value").and_then(Attr::as_i64),
        Def::Result { .. } | Def::Arg { .. } => None,
    };
    let positive = groups[2].iter().all(|&step| constant(step).is_none_or(|step| step > 0));
    ensure(ir, op, positive, || "constant step operand must be positive".to_owned())?;
    let args = types_of(ir, ir.args(ir.entry(op)));
    ensure(ir, op, args.len() == rank, || {
        format!("expects the same number of induction variables: {} as bound and step values: {rank}", args.len())
    })?;
    ensure(ir, op, args.iter().all(|&ty| ir[ty] == Type::Index), || {
        "expects arguments for the induction variable to be of index type".to_owned()
    })?;
    let end = ir.terminator(ir.entry(op)).expect("the structure holds");
    let reduced = types_of(ir, ir.operands(end));
    let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    for (n, what) in [(ir.regions(end).len(), "reductions"), (groups[3].len(), "initial values")] {
        ensure(ir, op, n == results.len(), || {
            format!("expects number of results: {} to be the same as number of {what}: {n}", results.len())
        })?;
    }
    for (i, (&given, &result)) in reduced.iter().zip(&results).enumerate() {
        ensure(ir, end, given == result, || {
            let (given, result) = (quoted(ir, given), quoted(ir, result));
            format!(
                "expects type of {i}-th reduction operand: {given} to be the same as the {i}-th result type: {result}"
            )
        })?;
    }
    Ok(())
}

/// `scf.reduce`: a region for each operand, which makes one value of two.
fn reduce(ir: &Ir, op: OpId) -> Check {
    let (regions, operands) = (ir.regions(op).len(), types_of(ir, ir.operands(op)));
    ensure(ir, op, regions == operands.len(), || {
        format!(
            "expects number of reduction regions: {regions} to be the same as number of reduction operands: {}",
            operands.len()
        )
    })?;
    for (i, &ty) in operands.iter().enumerate() {
        let args = ir.body(op, i).map(|block| types_of(ir, ir.args(block)));
        ensure(ir, op, args.is_some_and(|args| args == [ty; 2]), || {
            format!("expected two block arguments with type {} in the {i}-th reduction region", quoted(ir, ty))
        })?;
    }
    Ok(())
}

/// `scf.reduce.return`
fn reduced(ir: &Ir, op: OpId) -> Check {
    let args = ir.parent_block(op).map(|block| ir.args(block)).unwrap_or_default();
    let Some(&wanted) = types_of(ir, args).first() else { return Ok(()) };
    ensure(ir, op, ir.type_of(ir.operand(op, 0)) == wanted, || {
        format!("must have type {} (the type of the reduction inputs)", quoted(ir, wanted))
    })
}

fn index_switch(ir: &Ir, op: OpId) -> Check {
    let cases = list(ir, op, "cases")?;
    let regions = ir.regions(op).len().saturating_sub(1);
    ensure(ir, op, ir.regions(op).len() == cases.len() + 1, || {
        format!("has {regions} case regions but {} case values", cases.len())
    })?;
    let mut seen = FxHashSet::default();
    if let Some(again) = cases.iter().find(|&case| !seen.insert(case)) {
        return Err(wrong(ir, op, format!("has duplicate case value: {again}")));
    }
    let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    for at in 0..=regions {
        let Some(end) = ir.body(op, at).and_then(|block| ir.terminator(block)) else { continue };
        let given = types_of(ir, ir.operands(end));
        let name = if at == 0 { "default region".to_owned() } else { format!("case region #{}", at - 1) };
        let (message, note) = if given.len() != results.len() {
            let (wanted, n) = (results.len(), given.len());
            let message = format!("expected each region to return {wanted} values, but {name} returns {n}");
            (message, "see yield operation here".to_owned())
        } else if let Some(i) = (0..given.len()).find(|&i| given[i] != results[i]) {
            let message = format!("expected result #{i} of each region to be {}", quoted(ir, results[i]));
            (message, format!("{name} returns {} here", quoted(ir, given[i])))
        } else {
            continue;
        };
        return Err(Box::new(wrong(ir, op, message).related(ir.span(end), note)));
    }
    Ok(())
}

/// `scf.forall.in_parallel`: puts parts into the outputs that the threads share, and does nothing else.
fn combines(ir: &Ir, op: OpId) -> Check {
    let parent = ir.parent_op(op);
    let args = parent.and_then(|parent| ir.body(parent, 0)).map(|body| ir.args(body)).unwrap_or_default();
    let n_shared = parent.map_or(0, |parent| ir.results(parent).len());
    let shared = &args[args.len().saturating_sub(n_shared)..];
    for inner in ir.block_ops(ir.entry(op)) {
        let into = match ir.opcode(inner) {
            Opcode::TensorParallelInsertSlice => ir.operands(inner).get(1),
            // What it writes is for it to say.
            Opcode::IreeGpuCoalescedGatherDma => continue,
            _ => return Err(wrong(ir, op, "expected only ParallelCombiningOpInterface ops")),
        };
        ensure(ir, inner, into.is_some_and(|into| shared.contains(into)), || {
            "may only insert into an output block argument".to_owned()
        })?;
    }
    Ok(())
}
