//! Rules of `llvm` operations that their assembly relies on. Types of `llvm` are text, and compared as such.

use super::{Check, bad, ensure, show};
use crate::attrs::Attr;
use crate::ids::{OpId, TypeId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::{llvm_part, llvm_signature, print_type};

pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    match ir.opcode(op) {
        Opcode::LlvmFunc => func(ir, op),
        Opcode::LlvmGlobal => named(ir, op, "global_type").map(|_| ()),
        Opcode::LlvmAlias => named(ir, op, "alias_type").map(|_| ()),
        _ => part(ir, op),
    }
}

/// A symbol with a type, which is returned.
fn named(ir: &Ir, op: OpId, name: &str) -> Result<TypeId, Box<crate::Diag>> {
    ensure(ir, op, matches!(ir.attr(op, "sym_name"), Some(Attr::Str(_))), || {
        "requires attribute 'sym_name'".to_owned()
    })?;
    match ir.attr(op, name) {
        Some(&Attr::Type(ty)) => Ok(ty),
        _ => Err(bad(ir, op, format!("requires attribute '{name}'"))),
    }
}

fn func(ir: &Ir, op: OpId) -> Check {
    let ty = named(ir, op, "function_type")?;
    let text = print_type(ir, ty);
    let Some((result, inputs)) = llvm_signature(text.trim_start_matches('!')) else {
        return Err(bad(ir, op, format!("needs a type of LLVM functions, not {}", show(ir, ty))));
    };
    ensure(ir, op, result != "!llvm.void" || ir.attr_id(op, "res_attrs").is_none(), || {
        "cannot attach result attributes to functions with a void return".to_owned()
    })?;
    let Some(block) = ir.body(op, 0) else { return Ok(()) };
    let args: Vec<String> = ir.args(block).iter().map(|&arg| print_type(ir, ir.type_of(arg))).collect();
    let taken: Vec<&String> = inputs.iter().filter(|input| *input != "...").collect();
    ensure(ir, op, args.iter().eq(taken), || {
        format!("has a body whose entry block takes ({}), not ({})", args.join(", "), inputs.join(", "))
    })
}

/// What is put in or taken out is what the container has there.
fn part(ir: &Ir, op: OpId) -> Check {
    let container = ir.type_of(ir.operand(op, 0));
    let position = ir.attr_id(op, "position").and_then(|attr| ir.ints(attr)).unwrap_or_default();
    let Some(expected) = llvm_part(ir, container, &position) else {
        return Err(bad(ir, op, format!("has no part at {position:?} in {}", show(ir, container))));
    };
    let value = if ir.opcode(op) == Opcode::LlvmInsertValue { ir.operand(op, 1) } else { ir.result(op, 0) };
    let found = print_type(ir, ir.type_of(value));
    ensure(ir, op, found == expected, || format!("type mismatch: the part has type `{expected}`, not `{found}`"))
}
