//! What `llvm` operations refer to by name.

use super::super::Check;
use super::super::wording::{ensure, quoted, wrong};
use crate::attrs::Attr;
use crate::ids::{AttrId, OpId, StrId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::{Llvm, is_part, print_attr};

/// What an operation refers to is there and fits; `find` follows a path of names from the operation on.
pub(in super::super) fn check(ir: &Ir, op: OpId, find: &dyn Fn(&[StrId]) -> Option<OpId>) -> Check {
    match ir.opcode(op) {
        Opcode::LlvmCall => call(ir, op, find),
        Opcode::LlvmMlirAddressof => address_of(ir, op, find),
        Opcode::LlvmDsoLocalEquivalent => local_equivalent(ir, op, find),
        Opcode::LlvmBlockaddress => block_address(ir, op, find),
        Opcode::LlvmMlirGlobalCtors => structors(ir, op, "ctors", find),
        Opcode::LlvmMlirGlobalDtors => structors(ir, op, "dtors", find),
        Opcode::LlvmFunc | Opcode::LlvmMlirGlobal => in_comdat(ir, op, find),
        _ => Ok(()),
    }
}

/// What a symbol is; an operation that the table lacks may be anything.
fn is(ir: &Ir, op: Option<OpId>, opcodes: &[Opcode]) -> bool {
    op.is_some_and(|op| opcodes.contains(&ir.opcode(op)) || ir.opcode(op) == Opcode::Unregistered)
}

fn path<'ir>(ir: &'ir Ir, op: OpId, name: &str) -> Option<&'ir [StrId]> {
    match ir.attr(op, name) {
        Some(Attr::Symbol(path)) => Some(path),
        _ => None,
    }
}

/// A call gives a function what its type says, and takes the same.
fn call(ir: &Ir, op: OpId, find: &dyn Fn(&[StrId]) -> Option<OpId>) -> Check {
    let Some(path) = path(ir, op, "callee") else { return Ok(()) };
    let name = || path.iter().map(|&name| &ir[name]).collect::<Vec<&str>>().join("::");
    let Some(func) = find(path) else {
        return Err(wrong(ir, op, format!("'{}' does not reference a symbol in the current scope", name())));
    };
    ensure(ir, op, is(ir, Some(func), &[Opcode::LlvmFunc]), || {
        format!("'{}' does not reference a valid LLVM function or IFunc", name())
    })?;
    let Some(&Attr::Type(ty)) = ir.attr(func, "function_type") else { return Ok(()) };
    let Some(Llvm::Func { result, inputs, variadic }) = Llvm::of_type(ir, ty) else { return Ok(()) };
    ensure(ir, op, !variadic || ir.attr_id(op, "var_callee_type").is_some(), || {
        "missing var_callee_type attribute for vararg call".to_owned()
    })?;
    let args = ir.segments(op).first().copied().unwrap_or_default();
    let (found, wanted) = (args.len(), inputs.len());
    ensure(ir, op, found == wanted || variadic && found > wanted, || {
        let callee = if variadic { "varargs callee (expecting at least: " } else { "callee (expecting: " };
        format!("incorrect number of operands ({found}) for {callee}{wanted})")
    })?;
    for (i, (&arg, input)) in args.iter().zip(&inputs).enumerate() {
        let ty = ir.type_of(arg);
        ensure(ir, op, is_part(ir, ty, input), || {
            format!("operand type mismatch for operand {i}: {} != '{input}'", quoted(ir, ty))
        })?;
    }
    match ir.results(op).next().map(|value| ir.type_of(value)) {
        None => ensure(ir, op, result == "void", || "expected function call to produce a value".to_owned()),
        Some(_) if result == "void" => Err(wrong(ir, op, "calling function with void result must not produce values")),
        Some(ty) => ensure(ir, op, is_part(ir, ty, result), || {
            format!("result type mismatch: {} != '{result}'", quoted(ir, ty))
        }),
    }
}

fn address_of(ir: &Ir, op: OpId, find: &dyn Fn(&[StrId]) -> Option<OpId>) -> Check {
    let symbol = path(ir, op, "global_name").and_then(find);
    let kinds = [Opcode::LlvmMlirGlobal, Opcode::LlvmFunc, Opcode::LlvmMlirAlias];
    ensure(ir, op, is(ir, symbol, &kinds), || {
        "must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or 'llvm.func' or 'llvm.mlir.ifunc'"
            .to_owned()
    })?;
    let space = symbol.filter(|&symbol| ir.opcode(symbol) == Opcode::LlvmMlirGlobal).map(|global| {
        let space = ir.attr(global, "addr_space").and_then(Attr::as_i64).unwrap_or(0);
        if space == 0 { "ptr".to_owned() } else { format!("ptr<{space}>") }
    });
    ensure(ir, op, space.is_none_or(|space| is_part(ir, ir.type_of(ir.result(op, 0)), &space)), || {
        "pointer address space must match address space of the referenced global or alias".to_owned()
    })
}

fn local_equivalent(ir: &Ir, op: OpId, find: &dyn Fn(&[StrId]) -> Option<OpId>) -> Check {
    let symbol = path(ir, op, "function_name").and_then(find);
    ensure(ir, op, is(ir, symbol, &[Opcode::LlvmFunc, Opcode::LlvmMlirAlias]), || {
        "must reference a global defined by 'llvm.func' or 'llvm.mlir.alias'".to_owned()
    })?;
    let weak = symbol.is_some_and(|symbol| super::linkage(ir, symbol) == "extern_weak");
    ensure(ir, op, !weak, || "target function with 'extern_weak' linkage not allowed".to_owned())
}

/// The number of `#llvm.blocktag<id = 1>`, or of an address that names a tag.
pub(super) fn tag_number(ir: &Ir, attr: AttrId) -> Option<u64> {
    let text = print_attr(ir, attr);
    let digits = text.rsplit_once("id = ")?.1;
    digits.get(..digits.bytes().take_while(u8::is_ascii_digit).count())?.parse().ok()
}

/// A block's address names a tag in a function.
fn block_address(ir: &Ir, op: OpId, find: &dyn Fn(&[StrId]) -> Option<OpId>) -> Check {
    let Some(address) = ir.attr_id(op, "block_addr") else { return Ok(()) };
    let text = print_attr(ir, address);
    let Some((_, name)) = text.split_once("function = @") else { return Ok(()) };
    let name = name.split(',').next().unwrap_or_default().trim_matches('"');
    let func = ir.find_str(name).and_then(|name| find(&[name]));
    ensure(ir, op, is(ir, func, &[Opcode::LlvmFunc]), || {
        "must reference a function defined by 'llvm.func'".to_owned()
    })?;
    let tags = func.into_iter().flat_map(|func| ir.walk(func)).filter(|&op| ir.opcode(op) == Opcode::LlvmBlocktag);
    let mut numbers = tags.filter_map(|op| tag_number(ir, ir.attr_id(op, "tag")?));
    let number = tag_number(ir, address);
    ensure(ir, op, number.is_none() || numbers.any(|found| Some(found) == number), || {
        "expects an existing block label target in the referenced function".to_owned()
    })
}

/// What runs before or behind a program is a function with a body.
fn structors(ir: &Ir, op: OpId, name: &str, find: &dyn Fn(&[StrId]) -> Option<OpId>) -> Check {
    let Some(Attr::Array(items)) = ir.attr(op, name) else { return Ok(()) };
    for &item in items {
        let Attr::Symbol(path) = &ir[item] else { continue };
        let name = path.last().map_or("", |&name| &ir[name]);
        let func = find(path);
        ensure(ir, op, is(ir, func, &[Opcode::LlvmFunc]), || {
            format!("'{name}' does not reference a valid LLVM function")
        })?;
        ensure(ir, op, func.is_some_and(|func| ir.body(func, 0).is_some()), || {
            format!("'{name}' does not have a definition")
        })?;
    }
    Ok(())
}

fn in_comdat(ir: &Ir, op: OpId, find: &dyn Fn(&[StrId]) -> Option<OpId>) -> Check {
    let Some(path) = path(ir, op, "comdat") else { return Ok(()) };
    ensure(ir, op, is(ir, find(path), &[Opcode::LlvmComdatSelector]), || "expected comdat symbol".to_owned())
}
