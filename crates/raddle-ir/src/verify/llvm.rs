//! Rules of `llvm` operations: functions, globals and what refers to them, calls, parts of values, addresses.
//!
//! Types of `llvm` are text, which `Llvm` takes apart. The wording is MLIR's, as its tests expect it.

mod params;
mod symbols;

use super::wording::{ensure, quoted, wrong};
use super::{Check, types_of};
use crate::attrs::{Attr, Body};
use crate::diag::Diag;
use crate::ids::{AttrId, OpId, TypeId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::llvm::n_bytes;
use crate::text::{Llvm, is_llvm, is_llvm_pointer, is_part, llvm_part, print_type, vector_part};
use crate::types::Type;

pub(super) use params::foreign;
pub(super) use symbols::check as symbols;

pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    match ir.opcode(op) {
        Opcode::LlvmFunc => func(ir, op),
        Opcode::LlvmMlirGlobal => global(ir, op),
        Opcode::LlvmMlirAlias => alias(ir, op),
        Opcode::LlvmBlocktag => tag(ir, op),
        Opcode::LlvmMlirGlobalCtors => structors(ir, op, ["ctors", "priorities", "data"]),
        Opcode::LlvmMlirGlobalDtors => structors(ir, op, ["dtors", "priorities", "data"]),
        Opcode::LlvmCall | Opcode::LlvmCallIntrinsic => call(ir, op),
        Opcode::LlvmGetelementptr => gep(ir, op),
        Opcode::LlvmShufflevector => shuffle(ir, op),
        Opcode::LlvmSwitch => switch(ir, op),
        Opcode::LlvmExtractvalue | Opcode::LlvmInsertvalue => part(ir, op),
        _ => Ok(()),
    }
}

/// A symbol with a type, which is returned.
fn named(ir: &Ir, op: OpId, name: &str) -> Result<TypeId, Box<Diag>> {
    ensure(ir, op, matches!(ir.attr(op, "sym_name"), Some(Attr::Str(_))), || {
        "requires attribute 'sym_name'".to_owned()
    })?;
    match ir.attr(op, name) {
        Some(&Attr::Type(ty)) => Ok(ty),
        _ => Err(wrong(ir, op, format!("requires attribute '{name}'"))),
    }
}

fn has(ir: &Ir, op: OpId, name: &str) -> bool {
    ir.attr_id(op, name).is_some()
}

fn linkage(ir: &Ir, op: OpId) -> &str {
    ir.attr_id(op, "linkage").and_then(|linkage| ir.keyword(linkage)).unwrap_or("external")
}

fn func(ir: &Ir, op: OpId) -> Check {
    let ty = named(ir, op, "function_type")?;
    let Some(Llvm::Func { result, inputs, .. }) = Llvm::of_type(ir, ty) else {
        let rule = "type attribute of LLVM function type";
        return Err(wrong(ir, op, format!("attribute 'function_type' failed to satisfy constraint: {rule}")));
    };
    params::marks(ir, op)?;
    params::params(ir, op, &inputs, if result == "void" { &[] } else { std::slice::from_ref(&result) })?;
    features(ir, op)?;
    let linkage = linkage(ir, op);
    ensure(ir, op, linkage != "common", || "functions cannot have 'common' linkage".to_owned())?;
    let Some(block) = ir.body(op, 0) else {
        return ensure(ir, op, matches!(linkage, "external" | "extern_weak"), || {
            "external functions must have 'external' or 'extern_weak' linkage".to_owned()
        });
    };
    ensure(ir, op, !has(ir, op, "no_inline") || !has(ir, op, "always_inline"), || {
        "no_inline and always_inline attributes are incompatible".to_owned()
    })?;
    ensure(ir, op, !has(ir, op, "optimize_none") || has(ir, op, "no_inline"), || {
        "with optimize_none must also be no_inline".to_owned()
    })?;
    let args = types_of(ir, ir.args(block));
    ensure(ir, op, args.len() == inputs.len(), || format!("entry block must have {} arguments", inputs.len()))?;
    let odd = (0..args.len()).find(|&i| !is_part(ir, args[i], inputs[i]));
    if let Some(i) = odd {
        let message = format!(
            "entry block argument #{i}({}) must match the type of the corresponding argument in function signature('{}')",
            quoted(ir, args[i]),
            inputs[i]
        );
        return Err(wrong(ir, op, message));
    }
    Ok(())
}

/// `#llvm.target_features<["+a", "-b"]>`
fn features(ir: &Ir, op: OpId) -> Check {
    let Some(Attr::Dialect { body: Body::Attr(list), .. }) = ir.attr(op, "target_features") else { return Ok(()) };
    let Attr::Array(items) = &ir[*list] else { return Ok(()) };
    for &item in items {
        let Attr::Str(text) = ir[item] else { continue };
        let text = &ir[text];
        ensure(ir, op, !text.is_empty(), || "target features can not be null or empty".to_owned())?;
        ensure(ir, op, text.starts_with(['+', '-']), || "target features must start with '+' or '-'".to_owned())?;
        ensure(ir, op, !text.contains(','), || "target features can not contain ','".to_owned())?;
    }
    Ok(())
}

/// A block tag stands once in a function.
fn tag(ir: &Ir, op: OpId) -> Check {
    let (Some(func), Some(tag)) = (around(ir, op), ir.attr_id(op, "tag")) else { return Ok(()) };
    let is_same = |&other: &OpId| ir.opcode(other) == Opcode::LlvmBlocktag && ir.attr_id(other, "tag") == Some(tag);
    let first = ir.walk(func).into_iter().find(is_same);
    ensure(ir, op, first == Some(op), || {
        let number = symbols::tag_number(ir, tag).unwrap_or_default();
        format!("duplicate block tag '{number}' in the same function")
    })
}

/// The function around an operation.
fn around(ir: &Ir, op: OpId) -> Option<OpId> {
    std::iter::successors(ir.parent_op(op), |&op| ir.parent_op(op)).find(|&op| ir.opcode(op) == Opcode::LlvmFunc)
}

/// What a global may be of: whatever a value may be that is not only there for the compiler.
fn is_global_type(ir: &Ir, ty: TypeId) -> bool {
    is_llvm(ir, &ir[ty]) && !matches!(Llvm::of_type(ir, ty), Some(Llvm::Plain("void" | "label" | "token" | "metadata")))
}

fn global(ir: &Ir, op: OpId) -> Check {
    let ty = named(ir, op, "global_type")?;
    let space = ir.attr(op, "addr_space").and_then(Attr::as_i64).unwrap_or(0);
    ensure(ir, op, space >= 0, || {
        let rule = "32-bit signless integer attribute whose value is non-negative";
        format!("attribute 'addr_space' failed to satisfy constraint: {rule}")
    })?;
    ensure(ir, op, is_global_type(ir, ty), || "expects type to be a valid element type for an LLVM global".to_owned())?;
    let parent = ir.parent_op(op).map(|parent| ir.opcode(parent));
    ensure(ir, op, !matches!(parent, Some(Opcode::FuncFunc | Opcode::LlvmFunc)), || {
        "symbol's parent must have the SymbolTable trait".to_owned()
    })?;
    let value = ir.attr_id(op, "value");
    let shape = Llvm::of_type(ir, ty);
    if let Some(Attr::Str(text)) = value.map(|value| &ir[value]) {
        let fits = shape == Some(Llvm::Array(n_bytes(&ir[*text]), "i8"));
        ensure(ir, op, fits, || {
            "requires an i8 array type of the length equal to that of the string attribute".to_owned()
        })?;
    }
    ensure(ir, op, value.is_none() || !matches!(shape, Some(Llvm::Target(..))), || {
        "global with target extension type can only be initialized with zero-initializer".to_owned()
    })?;
    let linkage = linkage(ir, op);
    ensure(ir, op, linkage != "common" || value.is_none_or(|value| is_zero(ir, value)), || {
        "expected zero value for 'common' linkage".to_owned()
    })?;
    ensure(ir, op, linkage != "appending" || matches!(shape, Some(Llvm::Array(..))), || {
        "expected array type for 'appending' linkage".to_owned()
    })?;
    let alignment = ir.attr(op, "alignment").and_then(Attr::as_i64);
    ensure(ir, op, alignment.is_none_or(|alignment| alignment > 0 && alignment & (alignment - 1) == 0), || {
        "alignment attribute is not a power of 2".to_owned()
    })?;
    let Some(given) = initializer(ir, op, "ops with side effects not allowed in global initializers")? else {
        return Ok(());
    };
    let Some(given) = given else { return Err(wrong(ir, op, "initializer region cannot return void")) };
    ensure(ir, op, given == ty, || {
        let (given, ty) = (quoted(ir, given), quoted(ir, ty));
        format!("initializer region type {given} does not match global type {ty}")
    })?;
    ensure(ir, op, value.is_none(), || "cannot have both initializer value and region".to_owned())
}

/// Whether all bits of a value are zero.
fn is_zero(ir: &Ir, value: AttrId) -> bool {
    match &ir[value] {
        Attr::Int { value, .. } => *value == 0,
        Attr::Bool(value) => !value,
        Attr::Float { bits, .. } => f64::from_bits(*bits) == 0.0,
        Attr::Dense { bytes, .. } => bytes.iter().all(|&byte| byte == 0),
        Attr::Array(items) => items.iter().all(|&item| is_zero(ir, item)),
        Attr::Dialect { name, .. } => ir[*name] == *"llvm.zero",
        _ => false,
    }
}

/// The type that an initializer gives, if there is one and it gives something. It only computes.
fn initializer(ir: &Ir, op: OpId, message: &str) -> Result<Option<Option<TypeId>>, Box<Diag>> {
    let Some(block) = ir.body(op, 0) else { return Ok(None) };
    for inner in ir.block_ops(block) {
        let opcode = ir.opcode(inner);
        // What divides is not moved about, as it may divide by zero, but it does nothing else.
        let divides = matches!(opcode.name(), "llvm.sdiv" | "llvm.udiv" | "llvm.srem" | "llvm.urem");
        let ends = opcode.is_stop() || opcode == Opcode::Unregistered;
        let is_pure = opcode.info().is_pure() || divides || ends;
        ensure(ir, inner, is_pure, || message.to_owned())?;
    }
    let end = ir.terminator(block).and_then(|end| ir.operands(end).first());
    Ok(Some(end.map(|&value| ir.type_of(value))))
}

fn alias(ir: &Ir, op: OpId) -> Check {
    let ty = named(ir, op, "alias_type")?;
    ensure(ir, op, is_global_type(ir, ty), || {
        "expects type to be a valid element type for an LLVM global alias".to_owned()
    })?;
    let linkage = linkage(ir, op);
    let fits = !matches!(linkage, "common" | "appending" | "extern_weak");
    ensure(ir, op, fits, || {
        let known = "private, internal, linkonce, weak, linkonce_odr, weak_odr, external or available_externally";
        format!("'{linkage}' linkage not supported in aliases, available options: {known}")
    })?;
    let given = initializer(ir, op, "ops with side effects are not allowed in alias initializers")?.flatten();
    ensure(ir, op, given.is_some_and(|ty| is_llvm_pointer(ir, &ir[ty])), || {
        "initializer region must always return a pointer".to_owned()
    })
}

/// What runs before or behind a program: as many functions as priorities and data.
fn structors(ir: &Ir, op: OpId, names: [&str; 3]) -> Check {
    let lists = names.map(|name| match ir.attr(op, name) {
        Some(Attr::Array(items)) => &items[..],
        _ => &[],
    });
    let is_data = |&item: &_| match &ir[item] {
        Attr::Symbol(path) => path.len() == 1,
        Attr::Dialect { name, .. } => ir[*name] == *"llvm.zero",
        _ => false,
    };
    ensure(ir, op, lists[2].iter().all(is_data), || "data element must be symbol or #llvm.zero".to_owned())?;
    ensure(ir, op, lists.iter().all(|list| list.len() == lists[0].len()), || {
        format!("{}, priorities, and data must have the same number of elements", names[0])
    })
}

/// Bundles have tags, and a call of an address has an address.
fn call(ir: &Ir, op: OpId) -> Check {
    let bundles = ir.attr_id(op, "op_bundle_sizes").and_then(|sizes| ir.ints(sizes)).unwrap_or_default().len();
    let tags = match ir.attr(op, "op_bundle_tags") {
        Some(Attr::Array(tags)) => &tags[..],
        _ => &[],
    };
    ensure(ir, op, tags.iter().all(|&tag| matches!(ir[tag], Attr::Str(_))), || {
        "operand bundle tag must be a StringAttr".to_owned()
    })?;
    ensure(ir, op, bundles == tags.len(), || {
        format!("expected {bundles} operand bundle tags, but actually got {}", tags.len())
    })?;
    if ir.opcode(op) == Opcode::LlvmCallIntrinsic {
        let named = matches!(ir.attr(op, "intrin"), Some(Attr::Str(name)) if ir[*name].starts_with("llvm."));
        return ensure(ir, op, named, || "intrinsic name must start with 'llvm.'".to_owned());
    }
    let groups = ir.segments(op);
    let direct = has(ir, op, "callee");
    let args = match groups[0].split_first() {
        _ if direct => groups[0],
        Some((_, args)) => args,
        None => return Err(wrong(ir, op, "must have either a `callee` attribute or at least an operand")),
    };
    variadic(ir, op, &types_of(ir, args))?;
    if direct {
        return Ok(());
    }
    let address = ir.type_of(groups[0][0]);
    ensure(ir, op, is_llvm_pointer(ir, &ir[address]), || {
        format!("indirect call expects a pointer as callee: {}", quoted(ir, address))
    })
}

/// The type that a variadic function is called as fits the call.
fn variadic(ir: &Ir, op: OpId, args: &[TypeId]) -> Check {
    let Some(&Attr::Type(ty)) = ir.attr(op, "var_callee_type") else { return Ok(()) };
    let Some(Llvm::Func { result, inputs, variadic: true }) = Llvm::of_type(ir, ty) else {
        return Err(wrong(ir, op, "expected var_callee_type to be a variadic function type"));
    };
    ensure(ir, op, inputs.len() <= args.len(), || {
        format!("expected var_callee_type to have at most {} parameters", args.len())
    })?;
    let odd = inputs.iter().zip(args).find(|(input, arg)| !is_part(ir, **arg, input));
    if let Some((input, &arg)) = odd {
        let arg = quoted(ir, arg);
        return Err(wrong(ir, op, format!("var_callee_type parameter type mismatch: '{input}' != {arg}")));
    }
    match ir.results(op).next() {
        None => ensure(ir, op, result == "void", || "expected var_callee_type to return void".to_owned()),
        Some(value) => ensure(ir, op, is_part(ir, ir.type_of(value), result), || {
            let found = quoted(ir, ir.type_of(value));
            format!("var_callee_type return type mismatch: '{result}' != {found}")
        }),
    }
}

/// Stands for an index that a value gives.
const DYNAMIC: i64 = i32::MIN as i64;

/// The first index counts whole elements, each of the others goes into a part; which field of a struct that is, is
/// known.
fn gep(ir: &Ir, op: OpId) -> Check {
    let indices = ir.attr_id(op, "rawConstantIndices").and_then(|attr| ir.ints(attr)).unwrap_or_default();
    let dynamic = indices.iter().filter(|&&index| index == DYNAMIC).count();
    ensure(ir, op, dynamic == ir.operands(op).len() - 1, || {
        "expected as many dynamic indices as specified in 'rawConstantIndices'".to_owned()
    })?;
    let flags = ir.attr(op, "noWrapFlags").and_then(Attr::as_i64);
    ensure(ir, op, flags != Some(1), || "'inbounds_flag' cannot be used directly.".to_owned())?;
    let Some(&Attr::Type(ty)) = ir.attr(op, "elem_type") else {
        return Err(wrong(ir, op, "requires attribute 'elem_type'"));
    };
    if indices.len() < 2 {
        return Ok(());
    }
    let text = print_type(ir, ty);
    let mut part = text.as_str();
    for (at, &index) in indices.iter().enumerate().skip(1) {
        part = match Llvm::of(part) {
            Some(Llvm::Array(_, elem)) => elem,
            Some(Llvm::Struct(ty)) => {
                ensure(ir, op, index != DYNAMIC, || format!("expected index {at} indexing a struct to be constant"))?;
                let fields = ty.fields();
                let field = usize::try_from(index).ok().and_then(|index| fields.get(index));
                match field {
                    Some(field) => field,
                    None => return Err(wrong(ir, op, format!("index {at} indexing a struct is out of bounds"))),
                }
            }
            _ => match vector_part(part) {
                Some((_, _, elem)) => elem,
                None => return Err(wrong(ir, op, format!("type '{part}' cannot be indexed (index #{at})"))),
            },
        };
    }
    Ok(())
}

/// How many elements a scalable vector has is not known, but each may be the first.
fn shuffle(ir: &Ir, op: OpId) -> Check {
    let scalable = matches!(ir.ty(ir.operand(op, 0)), Type::Vector { scalable, .. } if !scalable.is_empty());
    let mask = ir.attr_id(op, "mask").and_then(|mask| ir.ints(mask)).unwrap_or_default();
    ensure(ir, op, !scalable || mask.iter().all(|&at| at == 0), || {
        "expected a splat operation for scalable vectors".to_owned()
    })
}

fn switch(ir: &Ir, op: OpId) -> Check {
    let Some(Attr::Dense { ty, .. }) = ir.attr(op, "case_values") else { return Ok(()) };
    ensure(ir, op, ir[*ty].elem() == Some(ir.type_of(ir.operand(op, 0))), || {
        "expects case value type to match condition value type".to_owned()
    })
}

/// How a module lays out data: a letter says what each part is about.
pub(super) fn data_layout(ir: &Ir, module: OpId) -> Check {
    let Some(Attr::Str(text)) = ir.attr(module, "llvm.data_layout") else { return Ok(()) };
    let odd = ir[*text].split('-').find(|part| !part.is_empty() && !part.starts_with(LAYOUT_LETTERS));
    match odd {
        Some(odd) => Err(wrong(ir, module, format!("invalid data layout descriptor: unknown specifier in `{odd}`"))),
        None => Ok(()),
    }
}

const LAYOUT_LETTERS: [char; 15] = ['e', 'E', 's', 'S', 'A', 'F', 'P', 'G', 'p', 'i', 'f', 'v', 'a', 'n', 'm'];

/// What is put in or taken out is what the container has there.
fn part(ir: &Ir, op: OpId) -> Check {
    let container = ir.type_of(ir.operand(op, 0));
    let position = ir.attr_id(op, "position").and_then(|attr| ir.ints(attr)).unwrap_or_default();
    let expected = llvm_part(ir, container, &position).map_err(|message| wrong(ir, op, message))?;
    let inserts = ir.opcode(op) == Opcode::LlvmInsertvalue;
    let found = ir.type_of(if inserts { ir.operand(op, 1) } else { ir.result(op, 0) });
    ensure(ir, op, print_type(ir, found) == expected, || {
        let (container, found) = (quoted(ir, container), quoted(ir, found));
        if inserts {
            format!("Type mismatch: cannot insert {found} into {container}, where '{expected}' stands")
        } else {
            format!(
                "Type mismatch: extracting from {container} should produce '{expected}' but this op returns {found}"
            )
        }
    })
}
