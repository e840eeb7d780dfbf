//! `transform.foreach_match`: the first of several matchers that an operation passes decides what is done with it.

use raddle_ir::{Attr, Ir, OpId, Opcode};

use super::{Done, Payload, Script, Stop, hard, sequence_named, steps, stop};

/// What a matcher may hold: steps that change nothing.
const MATCHING: &[Opcode] = &[
    Opcode::TransformStructuredMatch,
    Opcode::TransformGetParentOp,
    Opcode::TransformGetConsumersOfResult,
    Opcode::TransformMergeHandles,
    Opcode::TransformSplitHandle,
    Opcode::TransformCast,
    Opcode::TransformParamConstant,
    Opcode::TransformMatchOperationName,
    Opcode::TransformIreeMatchHasNoLoweringConfig,
    Opcode::TransformPrint,
    Opcode::TransformYield,
];

/// Walks each root, what is nested first, and carries out the action of the first matcher that succeeds.
///
/// A matcher gets the operation and what the step forwards; its action gets what it yields. Results are the roots and
/// what actions yield, one payload for each action unless `flatten_results` is written. With `restrict_root`, only the
/// roots themselves are matched; without it, all but they.
pub fn foreach_match(ir: &mut Ir, script: &mut Script<'_>, op: OpId) -> Done {
    let pairs = sequences(ir, script, op)?;
    let roots = script.ops(ir, op, 0)?;
    let operands = ir.operands(op)[1..].to_vec();
    let more: Vec<Payload> =
        operands.into_iter().map(|value| script.payload(ir, op, value)).collect::<Result<_, _>>()?;
    let [restricted, flat] = ["restrict_root", "flatten_results"].map(|name| ir.attr_id(op, name).is_some());
    let mut yielded: Vec<Option<Payload>> = vec![None; ir.results(op).len() - 1];
    let mut failed = None;
    for &root in &roots {
        let mut all = Vec::new();
        if restricted {
            all.push(root);
        } else {
            steps::inside_out(ir, root, &mut all);
            all.pop();
        }
        for target in all {
            // An action may have removed it.
            if ir.parent_block(target).is_none() && target != ir.module() {
                continue;
            }
            let args = [vec![Payload::Ops(vec![target])], more.clone()].concat();
            for &(matcher, action) in &pairs {
                let matched = match script.call(ir, matcher, &args) {
                    Ok(matched) => matched,
                    Err(Stop::Quiet(_)) => continue,
                    Err(stop) => return Err(stop),
                };
                match script.call(ir, action, &matched) {
                    Ok(results) => collect(ir, op, action, &mut yielded, results, flat)?,
                    // The others are still served; the first failure is told at the end.
                    Err(Stop::Quiet(diag)) => failed = failed.or(Some(diag)),
                    Err(stop) => return Err(stop),
                }
                break;
            }
        }
    }
    if let Some(diag) = failed {
        return Err(Stop::Quiet(diag.related(ir.span(op), "an action of this step")));
    }
    script.set(ir, op, 0, Payload::Ops(roots))?;
    for (index, payload) in yielded.into_iter().enumerate() {
        script.set(ir, op, 1 + index, payload.unwrap_or(Payload::Ops(Vec::new())))?;
    }
    Ok(())
}

/// The matchers and their actions.
fn sequences(ir: &Ir, script: &Script<'_>, op: OpId) -> Result<Vec<(OpId, OpId)>, Stop> {
    let list = |name: &str| match ir.attr(op, name) {
        Some(Attr::Array(items)) => items.clone(),
        _ => Vec::new(),
    };
    let named = |attr| {
        let name = match &ir[attr] {
            Attr::Symbol(path) => path.last().map_or("", |&name| &ir[name]),
            _ => "",
        };
        let found = sequence_named(ir, script.root, name);
        found.ok_or_else(|| hard(ir, op, format!("there is no sequence `@{name}` with a body")))
    };
    let mut pairs = Vec::new();
    for (matcher, action) in list("matchers").into_iter().zip(list("actions")) {
        let (matcher, action) = (named(matcher)?, named(action)?);
        if let Some(&step) = ir.ops_of(ir.entry(matcher)).iter().find(|&&step| !MATCHING.contains(&ir.opcode(step))) {
            let diag = stop(ir, op, "a matcher may only look").related(ir.span(step), "this step does not only look");
            return Err(Stop::Hard(diag));
        }
        pairs.push((matcher, action));
    }
    Ok(pairs)
}

/// Adds what one action yields to what all yield.
fn collect(
    ir: &Ir,
    op: OpId,
    action: OpId,
    yielded: &mut [Option<Payload>],
    results: Vec<Payload>,
    flat: bool,
) -> Done {
    if results.len() != yielded.len() {
        let why = format!("an action yields {} values, and the step has {} results", results.len(), yielded.len());
        return Err(Stop::Hard(stop(ir, op, why).related(ir.span(action), "this one")));
    }
    for (all, one) in yielded.iter_mut().zip(results) {
        let n = match &one {
            Payload::Ops(ops) => ops.len(),
            Payload::Params(params) => params.len(),
        };
        if n != 1 && !flat {
            let why = format!("an action yields a handle to {n} things, not one: write `flatten_results`");
            return Err(Stop::Hard(stop(ir, op, why).related(ir.span(action), "this one")));
        }
        match (all, one) {
            (all @ None, one) => *all = Some(one),
            (Some(Payload::Ops(all)), Payload::Ops(ops)) => all.extend(ops),
            (Some(Payload::Params(all)), Payload::Params(params)) => all.extend(params),
            (Some(_), _) => return Err(hard(ir, op, "actions yield different kinds of things for one result")),
        }
    }
    Ok(())
}
