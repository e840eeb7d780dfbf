//! The rules of scripts: what `transform` asks of sequences, alternatives, patterns and options.
//!
//! The wording is MLIR's, as its users know it.

use super::wording::{ensure, quoted, wrong};
use super::{Check, types_of};
use crate::attrs::Attr;
use crate::form::Sort;
use crate::ids::{OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::param_number;
use crate::types::{DYNAMIC, Type};

/// What a table says whose scripts have names.
pub(super) const NAMED: &str = "transform.with_named_sequence";

const KINDS: &str = "TransformHandleTypeInterface, TransformValueHandleTypeInterface or TransformParamTypeInterface";

pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    match ir.opcode(op) {
        Opcode::TransformSequence => sequence(ir, op),
        Opcode::TransformNamedSequence => named(ir, op),
        Opcode::TransformForeach => foreach(ir, op),
        Opcode::TransformAlternatives => alternatives(ir, op),
        Opcode::TransformApplyPatterns => {
            children(ir, op, "PatternDescriptorOpInterface", |name| name.starts_with("transform.apply_patterns."))
        }
        Opcode::TransformYield => named_end(ir, op),
        Opcode::TransformApplyRegisteredPass => pass_options(ir, op),
        Opcode::TransformSplitHandle => split(ir, op),
        Opcode::TransformStructuredSplit => {
            let number = ir.attr(op, "static_chunk_sizes").and_then(Attr::as_i64).unwrap_or(DYNAMIC);
            ensure(ir, op, (number == DYNAMIC) == (ir.operands(op).len() == 2), || {
                "expects either a dynamic or a static split point to be provided".to_owned()
            })
        }
        Opcode::TransformGetOperand | Opcode::TransformGetResult => positions(ir, op, "raw_position_list"),
        Opcode::TransformMatchStructuredInput | Opcode::TransformMatchStructuredInit => {
            positions(ir, op, "raw_position_list")
        }
        Opcode::TransformMatchStructuredDim => positions(ir, op, "raw_dim_list"),
        Opcode::TransformParamConstant => {
            let ty = match ir.attr(op, "value") {
                Some(Attr::Int { ty, .. } | Attr::Float { ty, .. }) => Some(*ty),
                _ => return Ok(()),
            };
            param_type(ir, op, ty)
        }
        Opcode::TransformAffineSimplifyBoundedAffineOps => bounded(ir, op),
        Opcode::TransformNumAssociations => param_type(ir, op, None),
        _ => Ok(()),
    }
}

/// The entry block of a region that starts a script: a handle of the program, then anything that scripts pass on.
fn entry(ir: &Ir, op: OpId, region: usize) -> Check {
    let args = ir.body(op, region).map(|block| types_of(ir, ir.args(block))).unwrap_or_default();
    let Some((&first, rest)) = args.split_first() else {
        return Err(wrong(ir, op, "expects the entry block to have at least one argument"));
    };
    ensure(ir, op, Sort::Handle.holds(ir, first), || {
        "expects the first entry block argument to be of type implementing TransformHandleTypeInterface".to_owned()
    })?;
    if let Some(at) = rest.iter().position(|&ty| !Sort::Piece.holds(ir, ty)) {
        let message = format!("expects trailing entry block arguments to be of type implementing {KINDS}");
        let diag = *wrong(ir, op, message);
        return Err(Box::new(diag.related(ir.span(op), format!("argument #{} does not", at + 1))));
    }
    let mut around = std::iter::successors(ir.parent_op(op), |&op| ir.parent_op(op));
    let outer = around.find(|&op| matches!(ir.opcode(op), Opcode::TransformSequence | Opcode::TransformAlternatives));
    match outer.filter(|_| ir.operands(op).len() != args.len()) {
        Some(outer) => {
            let diag = *wrong(ir, op, "expects operands to be provided for a nested op");
            Err(Box::new(diag.related(ir.span(outer), "nested in another possible top-level op")))
        }
        None => Ok(()),
    }
}

/// The operations of a body are steps of a kind, told by their names; what raddle does not know may be one.
fn children(ir: &Ir, op: OpId, kind: &str, fits: impl Fn(&str) -> bool) -> Check {
    for child in ir.body(op, 0).map(|block| ir.ops_of(block)).unwrap_or_default() {
        if ir.opcode(child) != Opcode::Unregistered && !fits(ir.name(child)) {
            let diag = *wrong(ir, op, format!("expected children ops to implement {kind}"));
            return Err(Box::new(diag.related(ir.span(child), "op without interface")));
        }
    }
    Ok(())
}

fn sequence(ir: &Ir, op: OpId) -> Check {
    entry(ir, op, 0)?;
    let block = ir.entry(op);
    let args = types_of(ir, ir.args(block));
    let given = types_of(ir, ir.operands(op));
    if let [root, more] = ir.segments(op)[..] {
        ensure(ir, op, !root.is_empty() || more.is_empty(), || {
            "does not expect extra operands when used as top-level".to_owned()
        })?;
    }
    if !given.is_empty() {
        ensure(ir, op, given.len() == args.len(), || {
            format!("expects {} operands for the arguments of its block, not {}", args.len(), given.len())
        })?;
        ensure(ir, op, given == args, || {
            "expects the type of the block argument to match the type of the operand".to_owned()
        })?;
    }
    children(ir, op, "TransformOpInterface", |name| name.starts_with("transform."))?;
    let Some(end) = ir.terminator(block) else { return Ok(()) };
    let results: Vec<ValueId> = ir.results(op).collect();
    if types_of(ir, ir.operands(end)) != types_of(ir, &results) {
        let message = "expects the types of the terminator operands to match the types of the result";
        return Err(Box::new(wrong(ir, op, message).related(ir.span(end), "terminator")));
    }
    Ok(())
}

fn alternatives(ir: &Ir, op: OpId) -> Check {
    let regions = ir.regions(op).len();
    ensure(ir, op, regions > 0, || "expects at least one region".to_owned())?;
    let results: Vec<ValueId> = ir.results(op).collect();
    for region in 0..regions {
        entry(ir, op, region)?;
        let end = ir.body(op, region).and_then(|block| ir.terminator(block));
        let Some(end) = end else { continue };
        if types_of(ir, ir.operands(end)) != types_of(ir, &results) {
            let message = "expects terminator operands to have the same type as results of the operation";
            return Err(Box::new(wrong(ir, op, message).related(ir.span(end), "terminator")));
        }
    }
    Ok(())
}

/// A named sequence stands in a table that says so.
fn named(ir: &Ir, op: OpId) -> Check {
    let table = ir.parent_op(op).filter(|&parent| ir.opcode(parent).is_symbol_table());
    match table.filter(|&table| ir.attr_id(table, NAMED).is_none()) {
        Some(table) => {
            let message = format!("expects the parent symbol table to have the '{NAMED}' attribute");
            Err(Box::new(wrong(ir, op, message).related(ir.span(table), "symbol table operation")))
        }
        None => Ok(()),
    }
}

/// Each target has an argument of its type, and each result what the body ends with.
fn foreach(ir: &Ir, op: OpId) -> Check {
    let block = ir.entry(op);
    let results: Vec<ValueId> = ir.results(op).collect();
    let given = ir.terminator(block).map_or(&[][..], |end| ir.operands(end));
    let (targets, args) = (types_of(ir, ir.operands(op)), types_of(ir, ir.args(block)));
    ensure(ir, op, targets.len() == args.len(), || {
        "expects the same number of targets as the body has block arguments".to_owned()
    })?;
    ensure(ir, op, targets == args, || {
        "expects co-indexed targets and the body's block arguments to have the same op/value/param type".to_owned()
    })?;
    ensure(ir, op, results.len() == given.len(), || {
        "expects the same number of results as the yield terminator has operands".to_owned()
    })?;
    ensure(ir, op, types_of(ir, &results) == types_of(ir, given), || {
        "expects co-indexed results and yield operands to have the same op/value/param type".to_owned()
    })
}

/// The end of a named sequence gives what its type says.
fn named_end(ir: &Ir, op: OpId) -> Check {
    let Some(parent) = ir.parent_op(op).filter(|&parent| ir.opcode(parent) == Opcode::TransformNamedSequence) else {
        return Ok(());
    };
    let (given, taken) = (types_of(ir, ir.operands(op)), ir.signature(parent).1);
    ensure(ir, op, given.len() == taken.len(), || {
        "expected terminator to have as many operands as the parent op has results".to_owned()
    })?;
    match given.iter().zip(taken).position(|(given, taken)| given != taken) {
        Some(at) => {
            let message = "must match the type of the corresponding parent op result";
            Err(wrong(ir, op, format!("the type of the terminator operand #{at} {message}")))
        }
        None => Ok(()),
    }
}

/// Whether a type stands for operations, values or parameters.
pub(super) fn kind(ir: &Ir, ty: TypeId) -> Option<Sort> {
    [Sort::Handle, Sort::Value, Sort::Param].into_iter().find(|sort| sort.holds(ir, ty))
}

fn split(ir: &Ir, op: OpId) -> Check {
    let overflow = ir.attr(op, "overflow_result").and_then(Attr::as_i64);
    let exists = overflow.is_none_or(|at| usize::try_from(at).is_ok_and(|at| at < ir.results(op).len()));
    ensure(ir, op, exists, || "overflow_result is not a valid result index".to_owned())?;
    let sort = kind(ir, ir.type_of(ir.operand(op, 0)));
    let same = sort.is_none_or(|sort| ir.results(op).all(|result| sort.holds(ir, ir.type_of(result))));
    ensure(ir, op, same, || {
        "expects result types to implement the same transform interface as the operand type".to_owned()
    })
}

/// Positions are all, or some that differ.
fn positions(ir: &Ir, op: OpId, name: &str) -> Check {
    let mut list = ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default();
    if ir.attr_id(op, "is_all").is_some() {
        ensure(ir, op, ir.attr_id(op, "is_inverted").is_none(), || {
            "cannot request both 'all' and 'inverted' values in the list".to_owned()
        })?;
        return ensure(ir, op, list.is_empty(), || {
            "cannot both request 'all' and specific values in the list".to_owned()
        });
    }
    ensure(ir, op, !list.is_empty(), || {
        "must request specific values in the list if 'all' is not specified".to_owned()
    })?;
    let n = list.len();
    list.dedup();
    ensure(ir, op, list.len() == n, || "expected the listed values to be unique".to_owned())
}

/// A parameter of a stated type holds a value of it; without one, a count.
fn param_type(ir: &Ir, op: OpId, ty: Option<TypeId>) -> Check {
    let Type::Dialect(text) = ir.ty(ir.result(op, 0)) else { return Ok(()) };
    let stated = ir[*text].strip_prefix("transform.param<").and_then(|text| text.strip_suffix('>'));
    let found = ty.map_or_else(|| "'i64'".to_owned(), |ty| quoted(ir, ty));
    let fits = stated.is_none_or(|stated| found.trim_matches('\'') == stated);
    ensure(ir, op, fits, || {
        let stated = stated.unwrap_or_default();
        format!("expected the type of the parameter attribute ({found}) to match the parameter type ('{stated}')")
    })
}

/// Each value whose bounds are stated has one of both kinds.
fn bounded(ir: &Ir, op: OpId) -> Check {
    let expected = ir.operands(op).len() - 1;
    for (name, what) in [("lower_bounds", "lower"), ("upper_bounds", "upper")] {
        let found = ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).map_or(0, |bounds| bounds.len());
        ensure(ir, op, found == expected, || {
            format!("incorrect number of {what} bounds, expected {expected} but found {found}")
        })?;
    }
    Ok(())
}

/// Each parameter stands at one place of the options.
fn pass_options(ir: &Ir, op: OpId) -> Check {
    let n = ir.operands(op).len() - 1;
    let mut used = vec![false; n];
    let mut rest: Vec<_> = match ir.attr(op, "options") {
        Some(Attr::Dict(entries)) => entries.iter().rev().map(|entry| entry.1).collect(),
        _ => Vec::new(),
    };
    while let Some(value) = rest.pop() {
        if let Attr::Array(items) = &ir[value] {
            rest.extend(items.iter().rev());
        }
        let Some(number) = param_number(ir, value) else { continue };
        let Some(seen) = used.get_mut(number) else {
            let message =
                format!("dynamic option index {number} is out of bounds for the number of dynamic options: {n}");
            return Err(wrong(ir, op, message));
        };
        ensure(ir, op, !std::mem::replace(seen, true), || {
            format!("dynamic option index {number} is already used in options")
        })?;
    }
    ensure(ir, op, used.iter().all(|&used| used), || {
        "a param operand does not have a corresponding param_operand attr in the options dict".to_owned()
    })
}
