//! Rules of `llvm` operations: functions, globals and what refers to them, parts of values, addresses, memory, casts.
//!
//! Types of `llvm` are text, which `Llvm` takes apart. The wording is MLIR's, as its tests expect it.

mod constants;
mod params;
mod symbols;

use super::iree::{ensure, quoted, wrong};
use super::{Check, types_of};
use crate::attrs::{Attr, Body};
use crate::diag::Diag;
use crate::ids::{AttrId, OpId, TypeId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::{Llvm, is_llvm, is_llvm_float, is_llvm_pointer, is_part, llvm_part, print_type, vector_part};
use crate::types::{Float, Type};

pub(super) use params::foreign;
pub(super) use symbols::check as symbols;

pub(super) fn check(ir: &Ir, op: OpId) -> Check {
    match ir.opcode(op) {
        Opcode::LlvmFunc => func(ir, op),
        Opcode::LlvmMlirGlobal => global(ir, op),
        Opcode::LlvmMlirAlias => alias(ir, op),
        Opcode::LlvmReturn => returned(ir, op),
        Opcode::LlvmBlocktag => tag(ir, op),
        Opcode::LlvmComdat => comdat(ir, op),
        Opcode::LlvmMlirGlobalCtors => structors(ir, op, ["ctors", "priorities", "data"]),
        Opcode::LlvmMlirGlobalDtors => structors(ir, op, ["dtors", "priorities", "data"]),
        Opcode::LlvmMlirConstant => constants::constant(ir, op),
        Opcode::LlvmMlirZero => zero(ir, op),
        Opcode::LlvmCall | Opcode::LlvmCallIntrinsic => call(ir, op),
        Opcode::LlvmInlineAsm => inline_asm(ir, op),
        Opcode::LlvmAlloca => alloca(ir, op),
        Opcode::LlvmGetelementptr => gep(ir, op),
        Opcode::LlvmLoad => load(ir, op),
        Opcode::LlvmStore => atomic_access(ir, op, ir.type_of(ir.operand(op, 0)), [ACQUIRE, ACQ_REL]),
        Opcode::LlvmAtomicrmw => atomic_rmw(ir, op),
        Opcode::LlvmCmpxchg => cmpxchg(ir, op),
        Opcode::LlvmFence => fence(ir, op),
        Opcode::LlvmZext | Opcode::LlvmSext => extension(ir, op),
        Opcode::LlvmBitcast => bitcast(ir, op),
        Opcode::LlvmShufflevector => shuffle(ir, op),
        Opcode::LlvmSwitch => switch(ir, op),
        Opcode::LlvmIntrVectorExtract => part_of_vector(ir, op, "extracting scalable from"),
        Opcode::LlvmIntrVectorInsert => part_of_vector(ir, op, "inserting scalable into"),
        Opcode::LlvmIntrVectorInterleave2 => interleave(ir, op),
        Opcode::LlvmIntrSincos => sincos(ir, op),
        Opcode::LlvmModuleFlags => in_module(ir, op).and_then(|()| module_flags(ir, op)),
        Opcode::LlvmLinkerOptions => in_module(ir, op),
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
        let fits = shape == Some(Llvm::Array(constants::bytes(&ir[*text]), "i8"));
        ensure(ir, op, fits, || {
            "requires an i8 array type of the length equal to that of the string attribute".to_owned()
        })?;
    }
    ensure(ir, op, value.is_none() || !matches!(shape, Some(Llvm::Target(..))), || {
        "global with target extension type can only be initialized with zero-initializer".to_owned()
    })?;
    let linkage = linkage(ir, op);
    ensure(ir, op, linkage != "common" || value.is_none_or(|value| constants::is_zero(ir, value)), || {
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

/// The type that an initializer gives, if there is one and it gives something. It only computes.
fn initializer(ir: &Ir, op: OpId, message: &str) -> Result<Option<Option<TypeId>>, Box<Diag>> {
    let Some(block) = ir.body(op, 0) else { return Ok(None) };
    for inner in ir.block_ops(block) {
        let opcode = ir.opcode(inner);
        // What divides is not moved about, as it may divide by zero, but it does nothing else.
        let divides = matches!(opcode, Opcode::LlvmSdiv | Opcode::LlvmUdiv | Opcode::LlvmSrem | Opcode::LlvmUrem);
        let ends = matches!(opcode, Opcode::LlvmReturn | Opcode::Unregistered);
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

/// A function returns what its type says.
fn returned(ir: &Ir, op: OpId) -> Check {
    let Some(func) = around(ir, op) else { return Ok(()) };
    let Some(&Attr::Type(ty)) = ir.attr(func, "function_type") else { return Ok(()) };
    let Some(Llvm::Func { result, .. }) = Llvm::of_type(ir, ty) else { return Ok(()) };
    let given = ir.operands(op).first().map(|&value| ir.type_of(value));
    let message = match given {
        Some(_) if result == "void" => "expected no operands",
        None if result != "void" => "expected 1 operand",
        Some(given) if !is_part(ir, given, result) => "mismatching result types",
        _ => return Ok(()),
    };
    Err(Box::new(wrong(ir, op, message).related(ir.span(func), "when returning from function")))
}

fn comdat(ir: &Ir, op: OpId) -> Check {
    let Some(block) = ir.body(op, 0) else { return Ok(()) };
    let odd = ir.block_ops(block).find(|&inner| ir.opcode(inner) != Opcode::LlvmComdatSelector);
    match odd {
        Some(odd) => Err(wrong(ir, odd, "only comdat selector symbols can appear in a comdat region")),
        None => Ok(()),
    }
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

fn zero(ir: &Ir, op: OpId) -> Check {
    let ty = Llvm::of_type(ir, ir.type_of(ir.result(op, 0)));
    ensure(ir, op, !matches!(ty, Some(Llvm::Target(name, _)) if !name.starts_with("\"spirv.")), || {
        "target extension type does not support zero-initializer".to_owned()
    })
}

/// Whether memory may hold a type that only one machine knows.
fn has_memory(name: &str) -> bool {
    name.starts_with("\"spirv.") || name == "\"aarch64.svcount\""
}

fn alloca(ir: &Ir, op: OpId) -> Check {
    let Some(&Attr::Type(ty)) = ir.attr(op, "elem_type") else {
        return Err(wrong(ir, op, "requires attribute 'elem_type'"));
    };
    ensure(ir, op, !matches!(Llvm::of_type(ir, ty), Some(Llvm::Target(name, _)) if !has_memory(name)), || {
        "this target extension type cannot be used in alloca".to_owned()
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

fn inline_asm(ir: &Ir, op: OpId) -> Check {
    let kind = ir.attr_id(op, "tail_call_kind").and_then(|kind| ir.keyword(kind));
    ensure(ir, op, kind != Some("musttail"), || "tail call kind 'musttail' is not supported".to_owned())
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

const NOT_ATOMIC: i64 = 0;
const MONOTONIC: i64 = 2;
const ACQUIRE: i64 = 4;
const RELEASE: i64 = 5;
const ACQ_REL: i64 = 6;

fn ordering(ir: &Ir, op: OpId, name: &str) -> i64 {
    ir.attr(op, name).and_then(Attr::as_i64).unwrap_or(NOT_ATOMIC)
}

/// Whether hardware may access values of a type at once: they have a power of two of whole bytes.
fn is_atomic(ir: &Ir, ty: TypeId) -> bool {
    let bits = match &ir[ty] {
        Type::Integer { width, .. } => *width,
        Type::Float(float) if is_llvm_float(ir, &ir[ty]) => float.bits(),
        ty if is_llvm_pointer(ir, ty) || is_llvm_float(ir, ty) => 64,
        _ => 0,
    };
    bits >= 8 && bits.is_power_of_two()
}

fn load(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.result(op, 0));
    atomic_access(ir, op, ty, [RELEASE, ACQ_REL])?;
    ensure(ir, op, !has(ir, op, "dereferenceable") || is_llvm_pointer(ir, &ir[ty]), || {
        "expected op to return a single LLVM pointer type".to_owned()
    })
}

/// A load or a store of a type, and the orderings that it cannot have.
fn atomic_access(ir: &Ir, op: OpId, ty: TypeId, wrong_orderings: [i64; 2]) -> Check {
    let ordering = ordering(ir, op, "ordering");
    if ordering == NOT_ATOMIC {
        return ensure(ir, op, !has(ir, op, "syncscope"), || {
            "expected syncscope to be null for non-atomic access".to_owned()
        });
    }
    ensure(ir, op, is_atomic(ir, ty), || format!("unsupported type {} for atomic access", quoted(ir, ty)))?;
    ensure(ir, op, !wrong_orderings.contains(&ordering), || {
        let word = match ordering {
            ACQUIRE => "acquire",
            RELEASE => "release",
            _ => "acq_rel",
        };
        format!("unsupported ordering '{word}'")
    })?;
    ensure(ir, op, has(ir, op, "alignment"), || "expected alignment for atomic access".to_owned())
}

/// The numbers of `bin_op` that exchange, and that compute with floats.
const EXCHANGE: i64 = 0;
const FLOATS: std::ops::RangeInclusive<i64> = 11..=14;

fn atomic_rmw(ir: &Ir, op: OpId) -> Check {
    let ty = ir.type_of(ir.operand(op, 1));
    let kind = ir.attr(op, "bin_op").and_then(Attr::as_i64).unwrap_or(EXCHANGE);
    let (fits, message) = if FLOATS.contains(&kind) {
        match &ir[ty] {
            Type::Vector { elem, .. } => {
                (is_llvm_float(ir, &ir[*elem]), "expected LLVM IR floating point type for vector element")
            }
            ty => (is_llvm_float(ir, ty), "expected LLVM IR floating point type"),
        }
    } else if kind == EXCHANGE {
        (is_atomic(ir, ty), "unexpected LLVM IR type for 'xchg' bin_op")
    } else {
        (matches!(ir[ty], Type::Integer { width: 8 | 16 | 32 | 64, .. }), "expected LLVM IR integer type")
    };
    ensure(ir, op, fits, || message.to_owned())?;
    ensure(ir, op, ordering(ir, op, "ordering") >= MONOTONIC, || "expected at least 'monotonic' ordering".to_owned())
}

fn cmpxchg(ir: &Ir, op: OpId) -> Check {
    let pair = Llvm::of_type(ir, ir.type_of(ir.result(op, 0)));
    let fits = match pair.as_ref().and_then(Llvm::fields) {
        Some([value, "i1"]) => is_part(ir, ir.type_of(ir.operand(op, 2)), value),
        _ => false,
    };
    ensure(ir, op, fits, || {
        let rule = "has an LLVM struct type consisting of the type of operand #2 and a bool";
        format!("failed to verify that result #0 {rule}")
    })?;
    ensure(ir, op, is_atomic(ir, ir.type_of(ir.operand(op, 2))), || "unexpected LLVM IR type".to_owned())?;
    let [success, failure] = ["success_ordering", "failure_ordering"].map(|name| ordering(ir, op, name));
    ensure(ir, op, success >= MONOTONIC && failure >= MONOTONIC, || {
        "ordering must be at least 'monotonic'".to_owned()
    })?;
    ensure(ir, op, !matches!(failure, RELEASE | ACQ_REL), || {
        "failure ordering cannot be 'release' or 'acq_rel'".to_owned()
    })
}

fn fence(ir: &Ir, op: OpId) -> Check {
    ensure(ir, op, ordering(ir, op, "ordering") > MONOTONIC, || {
        "can be given only acquire, release, acq_rel, and seq_cst orderings".to_owned()
    })
}

/// The extent and the marks of a vector.
fn lanes(ty: &Type) -> Option<(&[i64], &[bool])> {
    match ty {
        Type::Vector { shape, scalable, .. } => Some((shape, scalable)),
        _ => None,
    }
}

/// What is extended becomes wider.
fn extension(ir: &Ir, op: OpId) -> Check {
    let [from, to] = [ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0))];
    let message = match (lanes(&ir[from]), lanes(&ir[to])) {
        (Some(_), None) => "input type is a vector but output type is an integer",
        (None, Some(_)) => "input type is an integer but output type is a vector",
        (a, b) if a != b => "input and output vectors are of incompatible shape",
        _ => {
            let width = |ty: TypeId| match ir[ir[ty].elem().unwrap_or(ty)] {
                Type::Integer { width, .. } => width,
                _ => 0,
            };
            let rule = "integer width of the output type is smaller or equal to the integer width of the input type";
            return ensure(ir, op, width(from) < width(to), || rule.to_owned());
        }
    };
    Err(wrong(ir, op, message))
}

/// A pointer becomes a pointer to the same memory.
fn bitcast(ir: &Ir, op: OpId) -> Check {
    let [from, to] = [ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0))];
    let space = |ty: TypeId| match Llvm::of_type(ir, ir[ty].elem().unwrap_or(ty)) {
        Some(Llvm::Pointer(space)) => Some(space),
        _ => None,
    };
    let [source, result] = [space(from), space(to)];
    let message = match (lanes(&ir[from]), lanes(&ir[to])) {
        _ if source.is_some() != result.is_some() => "can only cast pointers from and to pointers",
        _ if source.is_none() => return Ok(()),
        (None, Some(_)) => "cannot cast pointer to vector of pointers",
        (Some(_), None) => "cannot cast vector of pointers to pointer",
        _ if source != result => "cannot cast pointers of different address spaces, use 'llvm.addrspacecast' instead",
        _ => return Ok(()),
    };
    Err(wrong(ir, op, message))
}

/// How many elements a scalable vector has is not known, but each may be the first.
fn shuffle(ir: &Ir, op: OpId) -> Check {
    let scalable = lanes(ir.ty(ir.operand(op, 0))).is_some_and(|(_, marks)| !marks.is_empty());
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

/// A part of a vector is put in or taken out, in these words: both fit LLVM, and the part is not the longer one.
fn part_of_vector(ir: &Ir, op: OpId, what: &str) -> Check {
    // What is put in stands last.
    let last = ir.ty(ir.operand(op, ir.operands(op).len() - 1));
    let result = ir.ty(ir.result(op, 0));
    let (part, whole) = if ir.opcode(op) == Opcode::LlvmIntrVectorInsert { (last, result) } else { (result, last) };
    let bits = |ty: &Type| match ty {
        Type::Vector { shape, elem, .. } => match ir[*elem] {
            Type::Integer { width, .. } => shape.iter().product::<i64>().saturating_mul(width.into()),
            Type::Float(float) => shape.iter().product::<i64>().saturating_mul(Float::bits(float).into()),
            _ => 0,
        },
        _ => 0,
    };
    let most = 1 << 17;
    ensure(ir, op, bits(part) <= most && bits(whole) <= most, || {
        "failed to verify that vectors are not bigger than 2^17 bits.".to_owned()
    })?;
    let scalable = |ty: &Type| lanes(ty).is_some_and(|(_, marks)| !marks.is_empty());
    ensure(ir, op, !scalable(part) || scalable(whole), || {
        format!("failed to verify that it is not {what} fixed-length vectors.")
    })
}

fn interleave(ir: &Ir, op: OpId) -> Check {
    ensure(ir, op, ir.type_of(ir.operand(op, 0)) == ir.type_of(ir.operand(op, 1)), || {
        "failed to verify that all of {vec1, vec2} have same type".to_owned()
    })?;
    let fits = match (ir.ty(ir.operand(op, 0)), ir.ty(ir.result(op, 0))) {
        (Type::Vector { shape, scalable, elem }, Type::Vector { shape: twice, scalable: marks, elem: result }) => {
            shape.iter().map(|extent| extent * 2).eq(twice.iter().copied()) && scalable == marks && elem == result
        }
        _ => true,
    };
    ensure(ir, op, fits, || "failed to verify that result has twice as many elements as 'vec1'".to_owned())
}

fn sincos(ir: &Ir, op: OpId) -> Check {
    let (ty, result) = (ir.type_of(ir.operand(op, 0)), ir.type_of(ir.result(op, 0)));
    let shape = Llvm::of_type(ir, result);
    let fits = match shape.as_ref().and_then(Llvm::fields) {
        Some([sine, cosine]) => is_part(ir, ty, sine) && is_part(ir, ty, cosine),
        _ => false,
    };
    ensure(ir, op, fits, || {
        let found = quoted(ir, result);
        let rule = "an homogeneous struct with two elements matching the operand type";
        format!("expected result type to be {rule}, but got {found}")
    })
}

fn in_module(ir: &Ir, op: OpId) -> Check {
    let parent = ir.parent_op(op).map(|parent| ir.opcode(parent));
    ensure(ir, op, !matches!(parent, Some(Opcode::FuncFunc | Opcode::LlvmFunc)), || {
        "must appear at the module level".to_owned()
    })
}

fn module_flags(ir: &Ir, op: OpId) -> Check {
    let Some(Attr::Array(flags)) = ir.attr(op, "flags") else { return Ok(()) };
    let is_flag = |&flag: &_| matches!(&ir[flag], Attr::Dialect { name, .. } if ir[*name] == *"llvm.mlir.module_flag");
    ensure(ir, op, flags.iter().all(is_flag), || "expected a module flag attribute".to_owned())?;
    flags.iter().try_for_each(|&flag| module_flag(ir, op, flag))
}

/// What some keys of a module's flags stand for.
fn module_flag(ir: &Ir, op: OpId, flag: AttrId) -> Check {
    let Attr::Dialect { body: Body::Fields(fields), .. } = &ir[flag] else { return Ok(()) };
    let [_, (_, key), (_, value)] = fields[..] else { return Ok(()) };
    let Attr::Str(key) = ir[key] else { return Ok(()) };
    let is = |attr: AttrId, wanted: &str| matches!(&ir[attr], Attr::Dialect { name, .. } if ir[*name] == *wanted);
    match &ir[key] {
        "CG Profile" => {
            let fits = match &ir[value] {
                Attr::Array(items) => items.iter().all(|&item| is(item, "llvm.cgprofile_entry")),
                _ => false,
            };
            ensure(ir, op, fits, || "'CG Profile' key expects an array of '#llvm.cgprofile_entry'".to_owned())
        }
        "ProfileSummary" => ensure(ir, op, is(value, "llvm.profile_summary"), || {
            "'ProfileSummary' key expects a '#llvm.profile_summary' attribute".to_owned()
        }),
        _ => Ok(()),
    }
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
