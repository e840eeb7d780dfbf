//! The rules of what surrounds a dispatch: functions, globals and assumptions of `util`, dispatches of `flow`, constants
//! of `hal`. The wording is IREE's, as its tests expect it.

use super::Check;
use super::iree::{alike, groups};
use super::wording::{ensure, quoted, wrong};
use crate::attrs::Attr;
use crate::ids::{OpId, TypeId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::dynamic_extents;
use crate::types::Type;

/// The rules of one operation of `util`, `flow` or `hal`.
pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    match ir.opcode(op) {
        Opcode::UtilAssumeInt => assume(ir, op),
        Opcode::UtilGlobalLoadIndirect | Opcode::UtilGlobalStoreIndirect => indirect(ir, op),
        Opcode::UtilStringFormat => format_string(ir, op),
        Opcode::UtilListConstruct => list(ir, op),
        Opcode::FlowReturn => flow_return(ir, op),
        Opcode::UtilInitializer | Opcode::HalExecutableCondition => signature(ir, op),
        Opcode::HalExecutableConstantBlock => signature(ir, op).and_then(|()| constant_block(ir, op)),
        Opcode::FlowTensorDynamicConstant => {
            let untyped =
                matches!(ir.attr(op, "value"), Some(Attr::Dict(_) | Attr::Array(_) | Attr::Unit | Attr::Str(_)));
            ensure(ir, op, !untyped, || "value must be a typed attribute".to_owned())
        }
        Opcode::HalReturn => hal_return(ir, op),
        Opcode::HalInterfaceBindingSubspan => subspan(ir, op),
        Opcode::StreamCmdExecute => commands(ir, op),
        Opcode::StreamCmdDispatch => dispatched(ir, op),
        Opcode::StreamTimepointAwait => {
            let parts = groups(ir, op);
            ensure(ir, op, parts[0].len() == parts[1].len(), || "a resource has one size".to_owned())
        }
        _ => Ok(()),
    }
}

/// `util.func`: what a result takes the storage of is an argument.
pub(super) fn tied(ir: &Ir, op: OpId) -> Check {
    let tied = ir.attr_id(op, "tied_operands").and_then(|attr| ir.ints(attr)).unwrap_or_default();
    let n = ir.signature(op).0.len() as i64;
    let odd = tied.iter().position(|&operand| operand != -1 && !(0..n).contains(&operand));
    match odd {
        Some(i) => Err(wrong(ir, op, format!("result #{i} tied to invalid operand index {}", tied[i]))),
        None => Ok(()),
    }
}

/// `util.assume.int`: a list for each operand; those with more than one case have equally many.
fn assume(ir: &Ir, op: OpId) -> Check {
    ensure(ir, op, !ir.operands(op).is_empty(), || "expected 1 or more operands, but found 0".to_owned())?;
    let lists = match ir.attr(op, "assumptions") {
        Some(Attr::Array(lists)) => &lists[..],
        _ => &[],
    };
    let is_case = |&case: &_| matches!(&ir[case], Attr::Dialect { name, .. } if ir[*name] == *"util.int.assumption");
    let cases: Option<Vec<usize>> = lists
        .iter()
        .map(|&list| match &ir[list] {
            Attr::Array(cases) if cases.iter().all(is_case) => Some(cases.len()),
            _ => None,
        })
        .collect();
    let Some(cases) = cases else {
        let message = "attribute 'assumptions' failed to satisfy constraint: lists of `#util.int.assumption`";
        return Err(wrong(ir, op, message));
    };
    let n = ir.operands(op).len();
    ensure(ir, op, cases.len() == n, || format!("expected {n} assumption rows to match number of operands"))?;
    let mut several = cases.iter().enumerate().filter(|(_, count)| **count != 1);
    let Some((_, &first)) = several.next() else { return Ok(()) };
    match several.find(|(_, count)| **count != first) {
        Some((i, found)) => {
            Err(wrong(ir, op, format!("expected operand #{i} to have {first} assumptions but it has {found}")))
        }
        None => Ok(()),
    }
}

/// `util.global.load`, `.store` and their kind: what is accessed exists and has the type of the access.
pub(super) fn global(ir: &Ir, op: OpId, global: Option<OpId>) -> Check {
    let name = || ir.attr_id(op, "global").map(|name| crate::text::print_attr(ir, name)).unwrap_or_default();
    let Some(global) = global else { return Err(wrong(ir, op, format!("undefined global: {}", name()))) };
    let Some(&Attr::Type(ty)) = ir.attr(global, "type") else { return Ok(()) };
    let (what, found) = match ir.opcode(op) {
        Opcode::UtilGlobalStore => ("store", ir.type_of(ir.operand(op, 0))),
        Opcode::UtilGlobalLoad => ("load", ir.type_of(ir.result(op, 0))),
        // An address names no type, or that of the global.
        _ => return Ok(()),
    };
    ensure(ir, op, holds(ir, ty, found), || {
        let name = ir.symbol_name(global).unwrap_or_default();
        let (ty, found) = (quoted(ir, ty), quoted(ir, found));
        format!("global type mismatch; global \"{name}\" is {ty} but {what} is {found}")
    })
    .map_err(|diag| Box::new(diag.related(ir.span(global), "the global")))
}

/// Whether a global of one type may be accessed as the other.
fn holds(ir: &Ir, global: TypeId, access: TypeId) -> bool {
    match (ir[global].shape(), ir[access].shape()) {
        (Some(a), Some(b)) => alike(a, b),
        _ => global == access,
    }
}

/// `util.global.load.indirect` and `.store.indirect`: through a pointer that says what it points to.
fn indirect(ir: &Ir, op: OpId) -> Check {
    let (what, pointer, found) = match ir.opcode(op) {
        Opcode::UtilGlobalStoreIndirect => ("store", ir.operand(op, 1), ir.operand(op, 0)),
        _ => ("load", ir.operand(op, 0), ir.result(op, 0)),
    };
    let Type::Dialect(text) = ir.ty(pointer) else { return Ok(()) };
    let target = ir[*text].strip_prefix("util.ptr<").and_then(|text| text.strip_suffix('>'));
    let Some(target) = target else { return Ok(()) };
    let found = crate::text::print_type(ir, ir.type_of(found));
    ensure(ir, op, target == found || ir.ty(pointer).shape().is_some(), || {
        format!("global type mismatch; global pointer is '{target}' but {what} is '{found}'")
    })
}

/// `flow.dispatch`: the workload is what the count of workgroups is computed from.
pub(super) fn dispatch(ir: &Ir, op: OpId, export: OpId) -> Check {
    let Some(block) = ir.body(export, 0) else { return Ok(()) };
    let is_device = |ty: &Type| matches!(ty, Type::Dialect(text) if ir[*text] == *"hal.device");
    let expected = ir.args(block).iter().filter(|&&arg| !is_device(ir.ty(arg))).count();
    let found = groups(ir, op)[0].len();
    ensure(ir, op, expected == found, || {
        format!("workload mismatch; entry point expects {expected} arguments but dispatch provides {found}")
    })
    .map_err(|diag| Box::new(diag.related(ir.span(export), "the entry point")))
}

/// `stream.cmd.execute`: each resource has a size, and an argument of its type inside.
fn commands(ir: &Ir, op: OpId) -> Check {
    let parts = groups(ir, op);
    let (resources, sizes) = (&parts[0], &parts[1]);
    let args = ir.body(op, 0).map_or(&[][..], |block| ir.args(block));
    ensure(ir, op, resources.len() == sizes.len(), || "a resource has one size".to_owned())?;
    ensure(ir, op, super::types_of(ir, resources) == super::types_of(ir, args), || {
        "arguments of the region have the types of the resources".to_owned()
    })
}

/// `stream.cmd.dispatch`: each resource has a size, an offset, a length, and is read or written.
fn dispatched(ir: &Ir, op: OpId) -> Check {
    let parts = groups(ir, op);
    let n = parts[2].len();
    ensure(ir, op, parts[3..].iter().all(|part| part.len() == n), || {
        "a resource has one size, one offset and one length".to_owned()
    })?;
    let accesses = ir.attr_id(op, "resource_accesses").and_then(|attr| ir.ints(attr));
    let known = accesses.is_some_and(|list| list.len() == n && list.iter().all(|access| (1..=3).contains(access)));
    ensure(ir, op, known, || "resource_accesses says of each resource whether it is read or written".to_owned())?;
    let entries = match ir.attr(op, "entry_points") {
        Some(Attr::Array(entries)) => entries.iter().all(|&entry| matches!(ir[entry], Attr::Symbol(_))),
        _ => false,
    };
    ensure(ir, op, entries, || "entry_points is a list of symbols".to_owned())
}

/// `flow.return`: out of a region go the results of the dispatch.
fn flow_return(ir: &Ir, op: OpId) -> Check {
    let region = ir.parent_block(op).map(|block| ir.block_region(block));
    let parent = ir.parent_op(op).filter(|&parent| ir.opcode(parent) == Opcode::FlowDispatchRegion);
    let Some(parent) = parent.filter(|&parent| ir.regions(parent).first().copied() == region) else { return Ok(()) };
    let results: Vec<TypeId> = ir.results(parent).map(|value| ir.type_of(value)).collect();
    let returned = super::types_of(ir, ir.operands(op));
    ensure(ir, op, results.len() == returned.len(), || {
        let (results, returned) = (results.len(), returned.len());
        format!("number of results ({results}) does not match number of returned values ({returned})")
    })?;
    ensure(ir, op, results == returned, || "operand types do not match with parent results".to_owned())
}

/// `hal.executable.constant.block`: from the device, 32 bits for each key.
fn constant_block(ir: &Ir, op: OpId) -> Check {
    let (inputs, results) = ir.signature(op);
    let is_device = |ty: TypeId| matches!(&ir[ty], Type::Dialect(text) if ir[*text] == *"hal.device");
    ensure(ir, op, inputs.is_empty() || inputs.len() == 1 && is_device(inputs[0]), || {
        "initializer must take a !hal.device or nothing".to_owned()
    })?;
    if let Some(i) = results.iter().position(|&ty| !crate::form::Sort::I32.holds(ir, ty)) {
        let found = quoted(ir, results[i]);
        return Err(wrong(ir, op, format!("initializer must return only i32 values (result {i} is {found})")));
    }
    let named = match ir.attr(op, "keys") {
        Some(Attr::Array(keys)) => {
            keys.len() == results.len() && keys.iter().all(|&key| matches!(ir[key], Attr::Str(_)))
        }
        _ => false,
    };
    ensure(ir, op, named, || "must have one key for every result".to_owned())
}

/// The block of an operation that is a function has the arguments that the function takes; an initializer takes none and
/// gives nothing.
fn signature(ir: &Ir, op: OpId) -> Check {
    let (inputs, results) = ir.signature(op);
    let none = ir.opcode(op) != Opcode::UtilInitializer || inputs.is_empty() && results.is_empty();
    ensure(ir, op, none, || "initializer must have no arguments and results".to_owned())?;
    let args = ir.body(op, 0).map_or(&[][..], |block| ir.args(block));
    ensure(ir, op, args.len() == inputs.len(), || {
        format!("entry block must have {} arguments to match function signature", inputs.len())
    })?;
    let odd = args.iter().zip(inputs).position(|(&arg, &input)| ir.type_of(arg) != input);
    match odd {
        Some(i) => Err(wrong(
            ir,
            op,
            format!(
                "type of entry block argument #{i}({}) must match the type of the corresponding argument in function signature({})",
                quoted(ir, ir.type_of(args[i])),
                quoted(ir, inputs[i])
            ),
        )),
        None => Ok(()),
    }
}

/// `hal.return`: what the signature of the block around it says.
fn hal_return(ir: &Ir, op: OpId) -> Check {
    let parent = ir.parent_op(op).filter(|&parent| {
        matches!(ir.opcode(parent), Opcode::HalExecutableConstantBlock | Opcode::HalExecutableCondition)
    });
    let Some(parent) = parent else { return Ok(()) };
    let (results, returned) = (ir.signature(parent).1, super::types_of(ir, ir.operands(op)));
    let (expected, found) = (results.len(), returned.len());
    ensure(ir, op, expected == found, || {
        format!(
            "return must have the same number of operands as the parent result signature (have {found}, expected {expected})"
        )
    })?;
    let odd = results.iter().zip(&returned).position(|(expected, found)| expected != found);
    odd.map_or(Ok(()), |i| {
        let (expected, found) = (quoted(ir, results[i]), quoted(ir, returned[i]));
        Err(wrong(ir, op, format!("parent expected result {i} to be {expected} but returning {found}")))
    })
}

/// `hal.interface.binding.subspan`: an extent for each that its type leaves open.
fn subspan(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.result(op, 0));
    if ir[ty].shape().is_none() {
        return Ok(());
    }
    let (expected, found) = (dynamic_extents(ir, ty), groups(ir, op)[1].len());
    ensure(ir, op, expected == found, || {
        format!(
            "result type {} has {expected} dynamic dimensions but {found} associated dimension SSA values",
            quoted(ir, ty)
        )
    })
}

/// `util.string.format`: as many arguments as the text has places.
fn format_string(ir: &Ir, op: OpId) -> Check {
    let Some(Attr::Str(text)) = ir.attr(op, "format") else { return Ok(()) };
    let n = ir.operands(op).len();
    ensure(ir, op, places(&ir[*text]) == Some(n as u64), || {
        format!("format string placeholder count does not match the {n} provided argument(s)")
    })
}

/// How many arguments `{}`, or `{0}` with a number, ask for; `None` where both are mixed or a brace stands alone.
fn places(text: &str) -> Option<u64> {
    let (mut next, mut most, mut rest) = (0u64, None, text);
    while let Some(at) = rest.find(['{', '}']) {
        let (brace, tail) = rest[at..].split_at(1);
        if let Some(tail) = tail.strip_prefix(brace) {
            rest = tail;
            continue;
        }
        let (number, tail) = tail.split_once('}').filter(|_| brace == "{")?;
        if number.is_empty() {
            next += 1;
        } else {
            most = most.max(Some(number.parse::<u32>().ok()?));
        }
        rest = tail;
    }
    match most {
        None => Some(next),
        Some(most) => (next == 0).then_some(u64::from(most) + 1),
    }
}

/// `util.list.construct`: each value is, or becomes, what the list holds.
fn list(ir: &Ir, op: OpId) -> Check {
    let Type::Dialect(text) = ir.ty(ir.result(op, 0)) else { return Ok(()) };
    let Some(elem) = ir[*text].strip_prefix("util.list<").and_then(|text| text.strip_suffix('>')) else {
        return Ok(());
    };
    let types = ir.operands(op).iter().map(|&value| crate::text::print_type(ir, ir.type_of(value)));
    match types.enumerate().find(|(_, ty)| elem != "?" && elem != "!util.variant" && ty != elem) {
        Some((i, ty)) => Err(wrong(ir, op, format!("list[{i}] type '{ty}' cannot be be cast to list type '{elem}'"))),
        None => Ok(()),
    }
}
