//! The rules of scripts that run one another by name: what a named sequence says of its arguments, and what a step that
//! runs it hands over and takes back.
//!
//! A sequence says of an argument that it only reads it or that it consumes it. It must, where someone runs it who
//! relies on that. Which steps consume what they are given is known here of those that run sequences only.

use super::wording::{ensure, quoted, wrong};
use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::scripts::{NAMED, kind};
use super::{Check, Names, resolve};
use crate::attrs::Attr;
use crate::codes::Code;
use crate::diag::Diag;
use crate::ids::{AttrId, OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::print_attr;

/// Which sequences each sequence runs.
type Runs = BTreeMap<OpId, Vec<OpId>>;

/// The rules of all scripts of a module, whose operations hold on their own.
pub(super) fn check(ir: &Ir, ops: &[OpId], names: &Names<'_>, diags: &mut Vec<Diag>) {
    // What a `foreach_match` names says what it does with its arguments.
    let mut matched = FxHashSet::default();
    let mut runs = Runs::new();
    let marked = ir.find_str(NAMED);
    for op in std::iter::once(ir.module()).chain(ops.iter().copied()) {
        if ir.opcode(op).is_symbol_table() {
            diags.extend(known_marks(ir, op).err().map(|diag| *diag));
        } else if marked.is_some_and(|mark| ir.attrs(op).iter().any(|entry| entry.0 == mark)) {
            let message = format!("\"{NAMED}\" attribute can only be attached to operations with symbol tables");
            diags.push(Diag::error(Code::BadAttribute, ir.span(op), message));
        }
        let checked = match ir.opcode(op) {
            Opcode::TransformInclude => include(ir, op, names, &mut runs),
            Opcode::TransformForeachMatch => foreach_match(ir, op, names, &mut matched),
            Opcode::TransformCollectMatching => collect_matching(ir, op, names),
            Opcode::TransformSequence => consumed_once(ir, op, names),
            _ => Ok(()),
        };
        diags.extend(checked.err().map(|diag| *diag));
    }
    for &op in ops.iter().filter(|&&op| ir.opcode(op) == Opcode::TransformNamedSequence) {
        diags.extend(arguments(ir, op, names, matched.contains(&op)).err().map(|diag| *diag));
    }
    diags.extend(recursion(ir, &runs).err().map(|diag| *diag));
}

/// What `transform` says of a table is one of its own attributes.
fn known_marks(ir: &Ir, op: OpId) -> Check {
    let names = ir.attrs(op).iter().map(|entry| &ir[entry.0]);
    let odd = names.filter_map(|name| name.strip_prefix("transform.")).find(|name| {
        let own = ["with_named_sequence", "target_tag", "readonly", "consumed", "silence_tracking_failures"];
        !own.contains(name)
    });
    match odd {
        Some(name) => {
            let message = format!("unknown attribute: \"transform.{name}\"");
            Err(Box::new(Diag::error(Code::BadAttribute, ir.span(op), message)))
        }
        None => Ok(()),
    }
}

/// The named sequence that a step of the same table names.
fn sequence(ir: &Ir, step: OpId, name: AttrId, names: &Names<'_>) -> Option<OpId> {
    let Attr::Symbol(path) = &ir[name] else { return None };
    let mut around = std::iter::successors(ir.parent_op(step), |&op| ir.parent_op(op));
    let table = around.find(|&op| ir.opcode(op).is_symbol_table());
    let found = resolve(ir, step, path, names).filter(|&found| ir.opcode(found) == Opcode::TransformNamedSequence)?;
    (path.len() > 1 || ir.parent_op(found) == table).then_some(found)
}

/// What a sequence says of an argument: that it consumes it, that it only reads it.
fn marks(ir: &Ir, sequence: OpId, argument: usize) -> (bool, bool) {
    let dict = match ir.attr(sequence, "arg_attrs") {
        Some(Attr::Array(items)) => items.get(argument).copied(),
        _ => None,
    };
    let says = |name: &str| dict.is_some_and(|dict| ir.dict_get(dict, name).is_some());
    (says("transform.consumed"), says("transform.readonly"))
}

/// The uses of a value that consume it, among the steps of one block.
fn consumers(ir: &Ir, value: ValueId, names: &Names<'_>) -> Vec<(OpId, usize)> {
    let consumes = |&(step, operand): &(OpId, usize)| {
        ir.opcode(step) == Opcode::TransformInclude
            && ir
                .attr_id(step, "target")
                .and_then(|name| sequence(ir, step, name, names))
                .is_some_and(|callee| marks(ir, callee, operand).0)
    };
    ir.uses(value).filter(consumes).collect()
}

/// The arguments of a named sequence.
fn arguments(ir: &Ir, op: OpId, names: &Names<'_>, is_matched: bool) -> Check {
    let body = ir.body(op, 0);
    for argument in 0..ir.signature(op).0.len() {
        let (consumed, readonly) = marks(ir, op, argument);
        ensure(ir, op, !(consumed && readonly), || {
            format!("argument #{argument} cannot be both readonly and consumed")
        })?;
        ensure(ir, op, consumed || readonly || body.is_some() && !is_matched, || {
            "must provide consumed/readonly status for arguments of external or called ops".to_owned()
        })?;
        let value = body.filter(|_| readonly).and_then(|block| ir.args(block).get(argument));
        let consumers = value.map(|&value| consumers(ir, value, names)).unwrap_or_default();
        if let [(step, _), ..] = consumers[..] {
            let message = format!("argument #{argument} is consumed in the body but is not marked as such");
            return Err(Box::new(wrong(ir, op, message).related(ir.span(step), "consumed here")));
        }
    }
    Ok(())
}

/// What a sequence is given, and what its steps give, is gone once a step consumes it.
fn consumed_once(ir: &Ir, op: OpId, names: &Names<'_>) -> Check {
    let block = ir.entry(op);
    let given = ir.args(block).iter().enumerate().map(|(at, &value)| (op, "block argument", at, value));
    let steps = ir.ops_of(block);
    let made =
        steps.iter().flat_map(|&step| ir.results(step).enumerate().map(move |(at, value)| (step, "result", at, value)));
    for (owner, what, at, value) in given.chain(made) {
        if let [.., second, first] = consumers(ir, value, names)[..] {
            let diag = *wrong(ir, owner, format!("{what} #{at} has more than one potential consumer"));
            let used = |(step, operand): (OpId, usize)| (ir.span(step), format!("used here as operand #{operand}"));
            let (first, second) = (used(first), used(second));
            return Err(Box::new(diag.related(first.0, first.1).related(second.0, second.1)));
        }
    }
    Ok(())
}

fn include(ir: &Ir, op: OpId, names: &Names<'_>, runs: &mut Runs) -> Check {
    let callee = ir.attr_id(op, "target").and_then(|name| sequence(ir, op, name, names));
    let Some(callee) = callee else {
        return Err(wrong(ir, op, "does not reference a named transform sequence"));
    };
    let mut around = std::iter::successors(ir.parent_op(op), |&op| ir.parent_op(op));
    if let Some(caller) = around.find(|&op| ir.opcode(op) == Opcode::TransformNamedSequence) {
        runs.entry(caller).or_default().push(callee);
    }
    let (inputs, results) = ir.signature(callee);
    ensure(ir, op, ir.operands(op).len() == inputs.len(), || "incorrect number of operands for callee".to_owned())?;
    for (at, (&value, &expected)) in ir.operands(op).iter().zip(inputs).enumerate() {
        if marks(ir, callee, at) == (false, false) {
            let message = "TransformOpInterface requires memory effects on operands to be specified";
            let note = format!("no effects specified for operand #{at}");
            let help = "mark the argument of the sequence as `transform.readonly` or `transform.consumed`";
            return Err(Box::new(wrong(ir, op, message).related(ir.span(op), note).help(help)));
        }
        let found = ir.type_of(value);
        ensure(ir, op, found == expected, || {
            let (expected, found) = (quoted(ir, expected), quoted(ir, found));
            format!(
                "operand type mismatch: expected operand type {expected}, but provided {found} for operand number {at}"
            )
        })?;
    }
    ensure(ir, op, ir.results(op).len() == results.len(), || "incorrect number of results for callee".to_owned())?;
    for (at, (value, &expected)) in ir.results(op).zip(results).enumerate() {
        ensure(ir, op, alike(ir, ir.type_of(value), expected), || {
            format!(
                "type of result #{at} must implement the same transform dialect interface as the corresponding callee \
                 result"
            )
        })?;
    }
    Ok(())
}

/// Whether both are handles of operations, both of values, or both parameters.
fn alike(ir: &Ir, a: TypeId, b: TypeId) -> bool {
    kind(ir, a).is_some_and(|of_a| kind(ir, b) == Some(of_a))
}

/// The operands go to each matcher, what a matcher gives to its action, and what the action gives comes out.
fn foreach_match(ir: &Ir, op: OpId, names: &Names<'_>, matched: &mut FxHashSet<OpId>) -> Check {
    let list = |name: &str| match ir.attr(op, name) {
        Some(Attr::Array(items)) => &items[..],
        _ => &[],
    };
    let (matchers, actions) = (list("matchers"), list("actions"));
    ensure(ir, op, matchers.len() == actions.len(), || "expected the same number of matchers and actions".to_owned())?;
    ensure(ir, op, !matchers.is_empty(), || "expected at least one match/action pair".to_owned())?;
    let types = |values: &mut dyn Iterator<Item = ValueId>| values.map(|value| ir.type_of(value)).collect::<Vec<_>>();
    let operands = types(&mut ir.operands(op).iter().copied());
    let outputs = types(&mut ir.results(op).skip(1));
    for (&matcher_name, &action_name) in matchers.iter().zip(actions) {
        let find = |what: &str, name: AttrId| {
            let unresolved = || wrong(ir, op, format!("unresolved {what} symbol {}", print_attr(ir, name)));
            sequence(ir, op, name, names).ok_or_else(unresolved)
        };
        let (matcher, action) = (find("matcher", matcher_name)?, find("action", action_name)?);
        matched.extend([matcher, action]);
        let (matcher_name, action_name) = (print_attr(ir, matcher_name), print_attr(ir, action_name));
        let declared = |of: OpId| move |diag: Box<Diag>| Box::new(diag.related(ir.span(of), "symbol declaration"));
        let ((taken, passed), (acted_on, given)) = (ir.signature(matcher), ir.signature(action));
        ensure(ir, op, operands.len() == taken.len(), || {
            format!(
                "the number of operands ({}) doesn't match the number of matcher arguments ({}) for {matcher_name}",
                operands.len(),
                taken.len()
            )
        })
        .map_err(declared(matcher))?;
        for (at, (&operand, &argument)) in operands.iter().zip(taken).enumerate() {
            ensure(ir, op, !marks(ir, matcher, at).0, || {
                format!("does not expect matcher symbol to consume its operand #{at}")
            })
            .map_err(declared(matcher))?;
            ensure(ir, op, alike(ir, operand, argument), || {
                format!("mismatching type interfaces for operand and matcher argument #{at} of matcher {matcher_name}")
            })
            .map_err(declared(matcher))?;
        }
        ensure(ir, op, passed.len() == acted_on.len(), || {
            format!(
                "mismatching number of matcher results and action arguments between {matcher_name} ({}) and \
                 {action_name} ({})",
                passed.len(),
                acted_on.len()
            )
        })?;
        let odd = passed.iter().zip(acted_on).position(|(&passed, &taken)| !alike(ir, passed, taken));
        ensure(ir, op, odd.is_none(), || {
            format!(
                "mismatching type interfaces for matcher result and action argument #{} of matcher {matcher_name} and \
                 action {action_name}",
                odd.unwrap_or_default()
            )
        })?;
        ensure(ir, op, given.len() == outputs.len(), || {
            format!(
                "the number of action results ({}) for {action_name} doesn't match the number of extra op results ({})",
                given.len(),
                outputs.len()
            )
        })
        .map_err(declared(action))?;
        let odd = given.iter().zip(&outputs).position(|(&given, &output)| !alike(ir, given, output));
        ensure(ir, op, odd.is_none(), || {
            format!(
                "mismatching type interfaces for action result #{} of action {action_name} and op result",
                odd.unwrap_or_default()
            )
        })
        .map_err(declared(action))?;
    }
    Ok(())
}

fn collect_matching(ir: &Ir, op: OpId, names: &Names<'_>) -> Check {
    let Some(name) = ir.attr_id(op, "matcher") else { return Ok(()) };
    let Some(matcher) = sequence(ir, op, name, names) else {
        return Err(wrong(ir, op, format!("unresolved matcher symbol {}", print_attr(ir, name))));
    };
    let (taken, given) = ir.signature(matcher);
    ensure(ir, op, matches!(taken, [ty] if crate::form::Sort::Handle.holds(ir, *ty)), || {
        "expected the matcher to take one operation handle argument".to_owned()
    })?;
    ensure(ir, op, marks(ir, matcher, 0).1, || "expected the matcher argument to be marked readonly".to_owned())?;
    let n = ir.results(op).len();
    ensure(ir, op, given.len() == n, || {
        format!("expected the matcher to yield as many values as op has results ({n}), got {}", given.len())
    })?;
    let odd = ir.results(op).zip(given).position(|(result, &given)| !alike(ir, ir.type_of(result), given));
    ensure(ir, op, odd.is_none(), || {
        format!("mismatching type interfaces for matcher result and op result #{}", odd.unwrap_or_default())
    })
}

/// No sequence comes to run itself. One that does is named where the circle closes.
fn recursion(ir: &Ir, runs: &Runs) -> Check {
    // Whether a sequence that was entered is still on the path.
    let mut entered = FxHashMap::default();
    for &start in runs.keys() {
        let mut path = Vec::new();
        if entered.insert(start, true).is_none() {
            path.push((start, 0));
        }
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            let Some(&callee) = runs.get(&at).and_then(|callees| callees.get(*next)) else {
                entered.insert(at, false);
                path.pop();
                continue;
            };
            *next += 1;
            match entered.get(&callee) {
                None => {
                    entered.insert(callee, true);
                    path.push((callee, 0));
                }
                Some(true) => {
                    let message = "recursion not allowed in named sequences";
                    let mut diag = Diag::error(Code::BadOperation, ir.span(at), message);
                    let first = path.iter().position(|step| step.0 == callee).unwrap_or_default();
                    for &(op, _) in &path[first..path.len() - 1] {
                        diag = diag.related(ir.span(op), "operation on recursion stack");
                    }
                    return Err(Box::new(diag));
                }
                Some(false) => {}
            }
        }
    }
    Ok(())
}
