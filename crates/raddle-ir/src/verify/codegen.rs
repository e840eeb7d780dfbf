//! The rules of `iree_codegen` and of scans: buffers and tensors alike, workgroup counts, conversions, constraints and
//! their knobs. The wording is IREE's, as its tests expect it.

use super::Check;
use super::iree::alike;
use super::wording::{ensure, quoted, wrong};
use crate::attrs::{Attr, Body};
use crate::ids::{AttrId, OpId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::Type;

/// `load_from_buffer` and `store_to_buffer`: both sides hold the same elements.
pub(super) fn buffer(ir: &Ir, op: OpId) -> Check {
    let loads = ir.opcode(op) == Opcode::IreeCodegenLoadFromBuffer;
    let first = ir.type_of(ir.operand(op, 0));
    let second = if loads { ir.type_of(ir.result(op, 0)) } else { ir.type_of(ir.operand(op, 1)) };
    let alike = alike(ir[first].shape().unwrap_or(&[]), ir[second].shape().unwrap_or(&[]));
    ensure(ir, op, alike && ir[first].elem() == ir[second].elem(), || {
        let (one, other) = if loads { ("buffer", "tensor") } else { ("tensor", "buffer") };
        format!("{one} and {other} shapes must be compatible and element types must match")
    })
}

/// `dispatch_config`: three counts, and at most three sizes.
pub(super) fn dispatch_config(ir: &Ir, op: OpId) -> Check {
    if let Some(sizes) = ir.attr_id(op, "workgroup_size").and_then(|attr| ir.ints(attr)) {
        ensure(ir, op, (1..=3).contains(&sizes.len()), || {
            format!("workgroup_size must have 1 to 3 entries, got {}", sizes.len())
        })?;
    }
    let counts = ir.body(op, 0).and_then(|block| ir.terminator(block)).map_or(0, |last| ir.operands(last).len());
    ensure(ir, op, counts == 3, || {
        format!("expected terminator to yield exactly 3 operands (workgroup count x, y, z), got {counts}")
    })
}

/// `subgroup_scan`: what comes before the first element is stated.
pub(super) fn subgroup_scan(ir: &Ir, op: OpId) -> Check {
    let holds = ir.attr_id(op, "inclusive").is_some() || ir.operands(op).len() > 1;
    ensure(ir, op, holds, || "exclusive scan requires an identity operand".to_owned())
}

/// `util.hoistable_conversion`: its region takes the inputs and returns the results.
pub(super) fn conversion(ir: &Ir, op: OpId) -> Check {
    let Some(block) = ir.body(op, 0) else { return Ok(()) };
    let (inputs, args) = (ir.operands(op), ir.args(block));
    ensure(ir, op, inputs.len() == args.len(), || {
        format!("expected {} block arguments but got {}", inputs.len(), args.len())
    })?;
    for (i, (&arg, &input)) in args.iter().zip(inputs).enumerate() {
        let (found, expected) = (ir.type_of(arg), ir.type_of(input));
        ensure(ir, op, found == expected, || {
            let (found, expected) = (quoted(ir, found), quoted(ir, expected));
            format!("block argument #{i} type {found} does not match input type {expected}")
        })?;
    }
    let returned = ir.terminator(block).map_or(&[][..], |last| ir.operands(last));
    let n_results = ir.results(op).len();
    ensure(ir, op, returned.len() == n_results, || {
        format!("return has {} operands but op has {n_results} results", returned.len())
    })?;
    for (i, (&value, result)) in returned.iter().zip(ir.results(op)).enumerate() {
        let (found, expected) = (ir.type_of(value), ir.type_of(result));
        ensure(ir, op, found == expected, || {
            let (found, expected) = (quoted(ir, found), quoted(ir, expected));
            format!("return operand #{i} type {found} does not match result type {expected}")
        })?;
    }
    Ok(())
}

/// `smt.constraints`: one integer for each dimension, and each knob is read once at most.
pub(super) fn constraints(ir: &Ir, op: OpId) -> Check {
    let pipeline = ir.attr(op, "pipeline");
    ensure(ir, op, !matches!(pipeline, Some(Attr::Str(_))), || "invalid kind of attribute specified".to_owned())?;
    let Some(block) = ir.body(op, 0) else { return Ok(()) };
    let (dims, args) = (ir.operands(op).len(), ir.args(block));
    ensure(ir, op, dims == args.len(), || format!("expected {dims} block arguments but got {}", args.len()))?;
    for (i, &arg) in args.iter().enumerate() {
        let is_int = matches!(ir.ty(arg), Type::Dialect(text) if ir[*text] == *"smt.int");
        ensure(ir, op, is_int, || {
            format!("block argument #{i} must be !smt.int but got {}", quoted(ir, ir.type_of(arg)))
        })?;
    }
    Ok(())
}

/// The parts of `smt.constraints`.
pub(super) fn constraint_part(ir: &Ir, op: OpId) -> Check {
    let parent = ir.parent_op(op).filter(|&parent| ir.opcode(parent) == Opcode::IreeCodegenSmtConstraints);
    let Some(parent) = parent else {
        return Err(wrong(ir, op, "expects parent op 'iree_codegen.smt.constraints'"));
    };
    match ir.opcode(op) {
        Opcode::IreeCodegenSmtKnob => {
            let Some(Attr::Str(name)) = ir.attr(op, "name") else { return Ok(()) };
            let name = &ir[*name];
            let known = ir.attr_id(parent, "knobs").is_some_and(|knobs| has_knob(ir, knobs, name));
            ensure(ir, op, known, || format!("knob name '{name}' not found in knobs dict"))?;
            let earlier =
                ir.parent_block(op).into_iter().flat_map(|block| ir.block_ops(block)).take_while(|&o| o != op);
            let same = |&other: &OpId| {
                ir.opcode(other) == Opcode::IreeCodegenSmtKnob && ir.attr(other, "name") == ir.attr(op, "name")
            };
            let first = earlier.into_iter().find(same);
            ensure(ir, op, first.is_none(), || format!("duplicate knob name '{name}'")).map_err(|diag| {
                let place = ir.span(first.unwrap_or(op));
                Box::new(diag.related(place, "first occurrence here"))
            })
        }
        Opcode::IreeCodegenSmtLookup => {
            let list = |name: &str| ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default();
            let (keys, values) = (list("keys"), list("values"));
            ensure(ir, op, keys.len() == values.len(), || {
                let (keys, values) = (keys.len(), values.len());
                format!("keys and values must have the same size, got {keys} keys and {values} values")
            })?;
            ensure(ir, op, !keys.is_empty(), || "lookup table must be non-empty".to_owned())?;
            let twice = keys.iter().enumerate().find(|(i, key)| keys[..*i].contains(key)).map(|(_, key)| *key);
            ensure(ir, op, twice.is_none(), || format!("duplicate key {} in lookup table", twice.unwrap_or_default()))
        }
        _ => {
            let Some(Attr::Str(text)) = ir.attr(op, "msg") else { return Ok(()) };
            let (places, args) = (ir[*text].matches("{}").count(), ir.operands(op).len() - 1);
            ensure(ir, op, places == args, || {
                format!("format string has {places} placeholder(s) but got {args} arg(s)")
            })
        }
    }
}

/// Whether a knob of this name stands in the tree of dictionaries and lists.
fn has_knob(ir: &Ir, attr: AttrId, wanted: &str) -> bool {
    match &ir[attr] {
        Attr::Dict(entries) => entries.iter().any(|entry| has_knob(ir, entry.1, wanted)),
        Attr::Array(items) => items.iter().any(|&item| has_knob(ir, item, wanted)),
        Attr::Dialect { name, body } if ir[*name].starts_with("iree_codegen.smt.") => {
            let is_name = |attr: AttrId| matches!(ir[attr], Attr::Str(text) if ir[text] == *wanted);
            match body {
                Body::Attr(attr) => is_name(*attr),
                Body::Fields(fields) => fields.first().is_some_and(|field| is_name(field.1)),
                Body::None | Body::Keyword(_) | Body::Text(_) => false,
            }
        }
        _ => false,
    }
}
