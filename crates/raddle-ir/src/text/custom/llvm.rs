//! `llvm`: functions, globals and aliases, calls, addresses, parts of values.

use super::super::ParseOptions;
use super::super::lexer::{self, Kind};
use super::super::llvm::{Llvm, is_llvm};
use super::super::parser::{Operand, Parser, Parts, Res};
use super::super::printer::Printer;
use super::ints;
use crate::attrs::{Attr, Body};
use crate::diag::Span;
use crate::ids::{AttrId, OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::Type;

pub(crate) const LINKAGES: [&str; 11] = [
    "private",
    "internal",
    "available_externally",
    "linkonce",
    "weak",
    "common",
    "appending",
    "extern_weak",
    "linkonce_odr",
    "weak_odr",
    "external",
];
/// Calling conventions.
#[rustfmt::skip]
pub(crate) const CONVENTIONS: [&str; 47] = [
    "ccc", "fastcc", "coldcc", "cc_10", "cc_11", "anyregcc",
    "preserve_mostcc", "preserve_allcc", "swiftcc", "cxx_fast_tlscc", "tailcc", "cfguard_checkcc",
    "swifttailcc", "x86_stdcallcc", "x86_fastcallcc", "arm_apcscc", "arm_aapcscc", "arm_aapcs_vfpcc",
    "msp430_intrcc", "x86_thiscallcc", "ptx_kernelcc", "ptx_devicecc", "spir_funccc", "spir_kernelcc",
    "intel_ocl_bicc", "x86_64_sysvcc", "win64cc", "x86_vectorcallcc", "hhvmcc", "hhvm_ccc",
    "x86_intrcc", "avr_intrcc", "avr_builtincc", "amdgpu_vscc", "amdgpu_gscc", "amdgpu_cscc",
    "amdgpu_kernelcc", "x86_regcallcc", "amdgpu_hscc", "msp430_builtincc", "amdgpu_lscc", "amdgpu_escc",
    "aarch64_vectorcallcc", "aarch64_sve_vectorcallcc", "wasm_emscripten_invokecc", "amdgpu_gfxcc", "m68k_intrcc",
];

/// A word of one of the lists as `#name<word>`.
fn keyword(p: &mut Parser<'_, '_>, parts: &mut Parts, words: &[&str], attr: (&str, &str)) {
    if p.tok.kind == Kind::Word && words.contains(&p.text(p.tok)) {
        let tok = p.bump();
        let word = p.ir.intern_str(&p.src[tok.start..tok.end]);
        let name = p.ir.intern_str(attr.1);
        let value = p.ir.intern(Attr::Dialect { name, body: Body::Keyword(word) });
        p.put(parts, attr.0, value);
    }
}

/// Operands with the types that stand behind them.
fn resolve_each<'a>(
    p: &mut Parser<'a, '_>,
    operands: &[Operand<'a>],
    types: &[TypeId],
    span: Span,
    out: &mut Vec<ValueId>,
) -> Res<()> {
    let (n, found) = (operands.len(), types.len());
    if n != found {
        let message = format!("number of operands and types do not match: got {n} operands and {found} types");
        return Err(p.error(span, message));
    }
    p.resolve_each(operands, types, span, out)
}

/// `comdat(@a::@b)`
fn read_comdat(p: &mut Parser<'_, '_>, parts: &mut Parts) -> Res<()> {
    if p.eat_word("comdat") {
        p.expect(b'(')?;
        let symbol = p.attr()?;
        p.expect(b')')?;
        p.put(parts, "comdat", symbol);
    }
    Ok(())
}

fn write_comdat(p: &mut Printer<'_>, op: OpId) {
    if let Some(symbol) = p.ir.attr_id(op, "comdat") {
        p.out.push_str(" comdat(");
        p.attr(symbol);
        p.out.push(')');
    }
}

fn number(p: &mut Parser<'_, '_>, parts: &mut Parts, words: &[&str], name: &str) {
    if p.tok.kind == Kind::Word
        && let Some(at) = words.iter().position(|word| *word == p.text(p.tok))
    {
        p.bump();
        let value = p.ir.i64_attr(at as i64);
        p.put(parts, name, value);
    }
}

fn write_keyword(p: &mut Printer<'_>, op: OpId, name: &str, implied: &str) {
    if let Some(word) = p.ir.attr_id(op, name).and_then(|attr| p.ir.keyword(attr))
        && word != implied
    {
        p.out.push_str(word);
        p.out.push(' ');
    }
}

fn write_number(p: &mut Printer<'_>, op: OpId, name: &str, words: &[&str]) {
    let at = p.ir.attr(op, name).and_then(Attr::as_i64).and_then(|at| usize::try_from(at).ok());
    if let Some(word) = at.and_then(|at| words.get(at)) {
        p.out.push_str(word);
        p.out.push(' ');
    }
}

pub(crate) const TAILS: [&str; 4] = ["none", "tail", "musttail", "notail"];

/// What may be promised of an address, and the bits that say so: what is named first includes others.
const GEP_FLAGS: [(&str, i64); 4] = [("inbounds", 3), ("inbounds_flag", 1), ("nusw", 2), ("nuw", 4)];

const VISIBILITIES: [&str; 3] = ["default", "hidden", "protected"];
const ADDRESSES: [&str; 3] = ["none", "local_unnamed_addr", "unnamed_addr"];

/// A type as it stands inside `!llvm.func<…>`, where the dialect's own types are spelled without their prefix.
pub(crate) fn inside(ir: &Ir, ty: TypeId) -> String {
    let text = super::super::print_type(ir, ty);
    text.strip_prefix("!llvm.").map_or(text.clone(), str::to_owned)
}

/// `internal spir_kernelcc @name(%a: i32 {…}) -> i32 attributes {…} { … }`
pub(super) fn read_func(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    keyword(p, &mut parts, &LINKAGES, ("linkage", "llvm.linkage"));
    number(p, &mut parts, &VISIBILITIES, "visibility_");
    number(p, &mut parts, &ADDRESSES, "unnamed_addr");
    keyword(p, &mut parts, &CONVENTIONS, ("CConv", "llvm.cconv"));
    let name = p.symbol()?;
    let name = p.ir.str_attr(&name);
    p.put(&mut parts, "sym_name", name);
    let mut args: Vec<(Operand<'_>, TypeId)> = Vec::new();
    let (mut inputs, mut arg_attrs, mut res_attrs) = (Vec::new(), Vec::new(), Vec::new());
    p.list(b'(', b')', |p| {
        if inputs.last().is_some_and(|last| last == "...") {
            return Err(p.error(p.tok.span(), "variadic arguments must be in the end of the argument list"));
        }
        if p.eat_kind(Kind::Dots) {
            inputs.push("...".to_owned());
            return Ok(());
        }
        let arg = if p.tok.kind == Kind::Value { Some(p.operand()?) } else { None };
        if arg.is_some() {
            p.expect(b':')?;
        }
        let ty = value_type(p, "arguments")?;
        arg_attrs.push(dict(p)?);
        if let Some(arg) = arg {
            p.location(arg.span)?;
            args.push((arg, ty));
        }
        inputs.push(inside(p.ir, ty));
        Ok(())
    })?;
    let mut result = "void".to_owned();
    if p.eat_kind(Kind::Arrow) {
        // Without brackets, what follows is the body.
        let bracket = p.eat(b'(');
        if !bracket || !p.eat(b')') {
            let ty = value_type(p, "results")?;
            result = inside(p.ir, ty);
            if bracket {
                res_attrs.push(dict(p)?);
                if p.at(b',') {
                    return Err(p.error(
                        p.tok.span(),
                        "failed to construct function type: expected zero or one function result",
                    ));
                }
                p.expect(b')')?;
            }
        }
    }
    put_dicts(p, &mut parts, [("arg_attrs", arg_attrs), ("res_attrs", res_attrs)]);
    let ty = p.opaque_type(&format!("llvm.func<{result} ({})>", inputs.join(", ")), p.ir.span(op))?;
    let ty = p.ir.intern(Attr::Type(ty));
    p.put(&mut parts, "function_type", ty);
    read_comdat(p, &mut parts)?;
    p.attr_dict_keyword(&mut parts)?;
    let region = p.ir.add_region(op);
    if p.at(b'{') {
        p.open_isolated();
        p.region_into(region, &args)?;
        p.close_isolated()?;
    }
    p.finish(op, parts)
}

/// The type of an argument or a result, which LLVM has.
fn value_type(p: &mut Parser<'_, '_>, what: &str) -> Res<TypeId> {
    let span = p.tok.span();
    let ty = p.ty()?;
    if is_llvm(p.ir, &p.ir[ty]) {
        return Ok(ty);
    }
    Err(p.error(span, format!("failed to construct function type: expected LLVM type for function {what}")))
}

/// Attributes of arguments and results, where there are any.
fn put_dicts(p: &mut Parser<'_, '_>, parts: &mut Parts, lists: [(&str, Vec<AttrId>); 2]) {
    for (name, dicts) in lists {
        if dicts.iter().any(|&dict| !p.ir.entries(dict).is_empty()) {
            let dicts = p.ir.intern(Attr::Array(dicts));
            p.put(parts, name, dicts);
        }
    }
}

fn dict(p: &mut Parser<'_, '_>) -> Res<AttrId> {
    let mut entries = Vec::new();
    if p.at(b'{') {
        p.attr_entries(&mut entries)?;
    }
    p.dict_attr(&mut entries)
}

/// A type that stands inside one of the dialect's types, as it stands alone.
fn outer(word: &str) -> String {
    let own = [
        "ptr",
        "struct",
        "array",
        "void",
        "func",
        "target",
        "ppc_fp128",
        "token",
        "label",
        "metadata",
        "vec",
        "x86_amx",
    ];
    let is_own = own.iter().any(|name| word == *name || word.starts_with(&format!("{name}<")));
    if is_own { format!("!llvm.{word}") } else { word.to_owned() }
}

/// The result and the arguments of `func<void (i32, ptr)>`, each as it stands alone.
fn signature(text: &str) -> Option<(String, Vec<String>)> {
    let Some(Llvm::Func { result, inputs, variadic }) = Llvm::of(text) else { return None };
    let dots = variadic.then(|| "...".to_owned());
    Some((outer(result), inputs.into_iter().map(outer).chain(dots).collect()))
}

pub(super) fn write_func(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    write_keyword(p, op, "linkage", "external");
    write_number(p, op, "visibility_", &VISIBILITIES);
    write_number(p, op, "unnamed_addr", &ADDRESSES);
    write_keyword(p, op, "CConv", "ccc");
    p.symbol(ir.symbol_name(op).unwrap_or_default());
    let text = match ir.attr(op, "function_type") {
        Some(Attr::Type(ty)) => super::super::print_type(ir, *ty),
        _ => String::new(),
    };
    let (result, inputs) = signature(&text).unwrap_or_default();
    let dicts = |name: &str| match ir.attr(op, name) {
        Some(Attr::Array(items)) => items.clone(),
        _ => Vec::new(),
    };
    let (arg_attrs, res_attrs) = (dicts("arg_attrs"), dicts("res_attrs"));
    let args = ir.body(op, 0).map(|block| ir.args(block));
    p.out.push('(');
    for (i, input) in inputs.iter().enumerate() {
        p.out.push_str(if i > 0 { ", " } else { "" });
        let arg = args.and_then(|args| args.get(i));
        if let Some(&arg) = arg {
            p.value(arg);
            p.out.push_str(": ");
        }
        p.out.push_str(input);
        super::func::attrs_of(p, arg_attrs.get(i));
        if let Some(&arg) = arg {
            p.location_of_arg(arg);
        }
    }
    p.out.push(')');
    if result != "!llvm.void" {
        p.out.push_str(" -> ");
        let noted = res_attrs.first().is_some_and(|&dict| !ir.entries(dict).is_empty());
        p.out.push_str(if noted { "(" } else { "" });
        p.out.push_str(&result);
        super::func::attrs_of(p, res_attrs.first());
        p.out.push_str(if noted { ")" } else { "" });
    }
    write_comdat(p, op);
    let shown = [
        "sym_name",
        "linkage",
        "visibility_",
        "unnamed_addr",
        "CConv",
        "function_type",
        "arg_attrs",
        "res_attrs",
        "comdat",
    ];
    p.attr_dict_keyword(op, &shown);
    if args.is_some() {
        p.out.push(' ');
        p.region(ir.regions(op)[0], false, true);
    }
}

/// The attribute with the type of a global or an alias.
fn type_name(opcode: Opcode) -> &'static str {
    if opcode == Opcode::LlvmMlirAlias { "alias_type" } else { "global_type" }
}

/// `internal constant @name(value) comdat(@a::@b) {…} : type { … }`; an alias has no value, but a body.
pub(super) fn read_global(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    keyword(p, &mut parts, &LINKAGES, ("linkage", "llvm.linkage"));
    number(p, &mut parts, &VISIBILITIES, "visibility_");
    if p.eat_word("thread_local") {
        let model = p.ir.i64_attr(1);
        p.put(&mut parts, "tls_mode", model);
    }
    number(p, &mut parts, &ADDRESSES, "unnamed_addr");
    if p.eat_word("constant") {
        p.flag(&mut parts, "constant");
    }
    let name = p.symbol()?;
    let name = p.ir.str_attr(&name);
    p.put(&mut parts, "sym_name", name);
    let mut bytes = None;
    if p.ir.opcode(op) == Opcode::LlvmMlirGlobal {
        p.expect(b'(')?;
        if !p.at(b')') {
            if p.tok.kind == Kind::Str {
                bytes = Some(lexer::unescape(p.text(p.tok)).chars().flat_map(lexer::bytes_of).count());
            }
            let value = p.attr()?;
            p.put(&mut parts, "value", value);
        }
        p.expect(b')')?;
        read_comdat(p, &mut parts)?;
    }
    p.attr_dict(&mut parts)?;
    let ty = if p.eat(b':') {
        let ty = p.ty()?;
        if p.at(b',') {
            return Err(p.error(p.tok.span(), "expected zero or one type"));
        }
        ty
    } else if let Some(bytes) = bytes {
        let text = p.ir.intern_str(&format!("llvm.array<{bytes} x i8>"));
        p.ir.intern_type(Type::Dialect(text))
    } else {
        let mut diag = p.missing("`:` and the type of the global");
        diag.message.push_str(": type can only be omitted for string globals");
        return Err(diag);
    };
    let ty = p.ir.intern(Attr::Type(ty));
    p.put(&mut parts, type_name(p.ir.opcode(op)), ty);
    let region = p.ir.add_region(op);
    if p.at(b'{') {
        p.open_isolated();
        p.region_into(region, &[])?;
        p.close_isolated()?;
    }
    p.finish(op, parts)
}

pub(super) fn write_global(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    let linkage = ir.attr_id(op, "linkage").and_then(|attr| ir.keyword(attr)).unwrap_or("external");
    p.out.push_str(linkage);
    p.out.push(' ');
    write_number(p, op, "visibility_", &VISIBILITIES);
    if ir.attr_id(op, "tls_mode").is_some() {
        p.out.push_str("thread_local ");
    }
    write_number(p, op, "unnamed_addr", &ADDRESSES);
    if ir.attr_id(op, "constant").is_some() {
        p.out.push_str("constant ");
    }
    p.symbol(ir.symbol_name(op).unwrap_or_default());
    if ir.opcode(op) == Opcode::LlvmMlirGlobal {
        p.out.push('(');
        if let Some(value) = ir.attr_id(op, "value") {
            p.attr(value);
        }
        p.out.push(')');
        write_comdat(p, op);
    }
    let ty = type_name(ir.opcode(op));
    let shown = ["sym_name", "linkage", "visibility_", "tls_mode", "unnamed_addr", "constant", "value", "comdat", ty];
    p.attr_dict(op, &shown);
    if let Some(ty) = ir.attr_id(op, ty) {
        p.out.push_str(" : ");
        p.attr(ty);
    }
    if ir.body(op, 0).is_some() {
        p.out.push(' ');
        p.region(ir.regions(op)[0], false, true);
    }
}

/// `fastcc tail @f(%a) vararg(!llvm.func<…>) ["tag"(%b : i32)] {…} : (i32 {…}) -> (i32 {…})`; where an address is
/// called, it stands in front of the brackets, and its type in front of the others. An intrinsic is a string.
pub(super) fn read_call(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let mut address = None;
    if p.ir.opcode(op) == Opcode::LlvmCallIntrinsic {
        let tok = p.expect_kind(Kind::Str, "the name of an intrinsic")?;
        let name = p.ir.str_attr(&lexer::unescape(p.text(tok)));
        p.put(&mut parts, "intrin", name);
    } else {
        keyword(p, &mut parts, &CONVENTIONS, ("CConv", "llvm.cconv"));
        keyword(p, &mut parts, &TAILS, ("TailCallKind", "llvm.tailcallkind"));
        if p.tok.kind == Kind::Value {
            address = Some(p.operand()?);
        } else {
            let callee = p.attr()?;
            p.put(&mut parts, "callee", callee);
        }
    }
    let start = p.tok.start;
    let args = p.list(b'(', b')', Parser::operand)?;
    if p.eat_word("vararg") {
        p.expect(b'(')?;
        let ty = p.attr()?;
        p.expect(b')')?;
        p.put(&mut parts, "var_callee_type", ty);
    }
    let (mut tags, mut counts, mut bundled) = (Vec::new(), Vec::new(), Vec::new());
    if p.at(b'[') {
        p.list(b'[', b']', |p| {
            let tok = p.expect_kind(Kind::Str, "the tag of a bundle")?;
            tags.push(p.ir.str_attr(&lexer::unescape(p.text(tok))));
            p.expect(b'(')?;
            let operands = if p.at(b')') { Vec::new() } else { p.operands()? };
            counts.push(operands.len() as i64);
            if p.eat(b':') {
                let types = p.commas(Parser::ty)?;
                let (n, found, at) = (operands.len(), types.len(), tags.len() - 1);
                if n != found {
                    let message = format!(
                        "expected {n} types for operand bundle operands for operand bundle #{at}, but actually got {found}"
                    );
                    return Err(p.error(Span::new(start, p.tok.start), message));
                }
                p.resolve_each(&operands, &types, Span::new(start, p.tok.start), &mut bundled)?;
            }
            p.expect(b')')
        })?;
    }
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    if let Some(address) = address {
        let ty = p.ty()?;
        if !p.eat(b',') {
            let mut diag = p.missing("`,`");
            diag.message.push_str(": expected indirect call to have 2 trailing types");
            return Err(diag);
        }
        parts.operands.push(p.resolve(address, ty)?);
    }
    let (mut arg_attrs, mut res_attrs) = (Vec::new(), Vec::new());
    if !p.at(b'(') {
        let rule = if address.is_some() { "trailing function type" } else { "direct call to have 1 trailing type" };
        return Err(p.expected(&format!("'(': expected {rule}")));
    }
    let types = p.list(b'(', b')', |p| noted_type(p, &mut arg_attrs))?;
    p.expect_kind(Kind::Arrow, "`->`")?;
    let span = p.tok.span();
    parts.results = if p.at(b'(') { p.list(b'(', b')', |p| noted_type(p, &mut res_attrs))? } else { vec![p.ty()?] };
    if parts.results.len() > 1 {
        return Err(p.error(span, "expected function with 0 or 1 result"));
    }
    if parts.results.iter().any(|&ty| Llvm::of_type(p.ir, ty) == Some(Llvm::Plain("void"))) {
        return Err(p.error(span, "expected a non-void result type"));
    }
    resolve_each(p, &args, &types, Span::new(start, p.tok.start), &mut parts.operands)?;
    let sizes = [parts.operands.len(), bundled.len()];
    parts.operands.extend(bundled);
    p.put_segments(&mut parts, &sizes);
    put_dicts(p, &mut parts, [("arg_attrs", arg_attrs), ("res_attrs", res_attrs)]);
    if !tags.is_empty() {
        let elem = p.ir.int_type(32);
        let counts = p.ir.intern(Attr::DenseArray { elem, values: counts });
        p.put(&mut parts, "op_bundle_sizes", counts);
        let tags = p.ir.intern(Attr::Array(tags));
        p.put(&mut parts, "op_bundle_tags", tags);
    }
    p.finish(op, parts)
}

/// A type and the attributes of what has it.
fn noted_type(p: &mut Parser<'_, '_>, dicts: &mut Vec<AttrId>) -> Res<TypeId> {
    let ty = p.ty()?;
    dicts.push(dict(p)?);
    Ok(ty)
}

pub(super) fn write_call(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let groups = ir.segments(op);
    let mut args = groups[0];
    p.out.push(' ');
    let mut address = None;
    if let Some(name) = ir.attr_id(op, "intrin") {
        p.attr(name);
    } else {
        write_keyword(p, op, "CConv", "ccc");
        write_keyword(p, op, "TailCallKind", "none");
        if let Some(callee) = ir.attr_id(op, "callee") {
            p.attr(callee);
        } else if let [first, rest @ ..] = args {
            address = Some(*first);
            args = rest;
            p.value(*first);
        }
    }
    p.out.push('(');
    p.values(args);
    p.out.push(')');
    if let Some(ty) = ir.attr_id(op, "var_callee_type") {
        p.out.push_str(" vararg(");
        p.attr(ty);
        p.out.push(')');
    }
    if let Some(Attr::Array(tags)) = ir.attr(op, "op_bundle_tags") {
        let counts = ints(p, op, "op_bundle_sizes");
        let mut rest = groups[1];
        for (i, (&tag, count)) in tags.iter().zip(counts).enumerate() {
            let (operands, tail) = rest.split_at(usize::try_from(count).unwrap_or(0).min(rest.len()));
            rest = tail;
            p.out.push_str(if i > 0 { ", " } else { " [" });
            p.attr(tag);
            p.out.push('(');
            p.values(operands);
            if !operands.is_empty() {
                p.out.push_str(" : ");
                p.types_of(operands.iter().copied());
            }
            p.out.push(')');
        }
        p.out.push_str(if tags.is_empty() { "" } else { "]" });
    }
    let shown = [
        "operandSegmentSizes",
        "intrin",
        "callee",
        "CConv",
        "TailCallKind",
        "var_callee_type",
        "op_bundle_sizes",
        "op_bundle_tags",
        "arg_attrs",
        "res_attrs",
    ];
    p.attr_dict(op, &shown);
    p.out.push_str(" : ");
    if let Some(address) = address {
        p.ty(ir.type_of(address));
        p.out.push_str(", ");
    }
    let dicts = |name: &str| match ir.attr(op, name) {
        Some(Attr::Array(dicts)) => dicts.clone(),
        _ => Vec::new(),
    };
    let (arg_attrs, res_attrs) = (dicts("arg_attrs"), dicts("res_attrs"));
    write_noted_types(p, args.iter().copied(), &arg_attrs);
    p.out.push_str(" -> ");
    match (ir.results(op).len(), res_attrs.first()) {
        (1, None) => p.types_of(ir.results(op)),
        _ => write_noted_types(p, ir.results(op), &res_attrs),
    }
}

/// `(i32 {…}, f32)`
fn write_noted_types(p: &mut Printer<'_>, values: impl Iterator<Item = ValueId>, dicts: &[AttrId]) {
    p.out.push('(');
    for (i, value) in values.enumerate() {
        p.out.push_str(if i > 0 { ", " } else { "" });
        p.ty(p.ir.type_of(value));
        super::func::attrs_of(p, dicts.get(i));
    }
    p.out.push(')');
}

/// Stands for an index that a value gives.
const GEP_DYNAMIC: i64 = i32::MIN as i64;

/// `inbounds|nuw %p[%i, 4] {…} : (!llvm.ptr, i64) -> !llvm.ptr, f32`
pub(super) fn read_gep(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let mut flags = 0;
    while let Some(&(_, bits)) = GEP_FLAGS.iter().find(|(word, _)| p.at_word(word)) {
        p.bump();
        flags |= bits;
        if !p.eat(b'|') {
            break;
        }
    }
    let i32 = p.ir.int_type(32);
    let flags = p.ir.intern(Attr::Int { value: flags.into(), ty: i32 });
    p.put(&mut parts, "noWrapFlags", flags);
    let start = p.tok.start;
    let mut operands = vec![p.operand()?];
    let values = p.list(b'[', b']', |p| {
        if p.tok.kind == Kind::Value {
            operands.push(p.operand()?);
            return Ok(GEP_DYNAMIC);
        }
        let span = p.tok.span();
        let value = p.int("a value or an integer")?;
        let fits = i32::try_from(value).is_ok() && value != GEP_DYNAMIC;
        if fits { Ok(value) } else { Err(p.error(span, "an index that is constant fits 32 bits")) }
    })?;
    let indices = p.ir.intern(Attr::DenseArray { elem: i32, values });
    p.put(&mut parts, "rawConstantIndices", indices);
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let (types, results) = function_type(p)?;
    parts.results = results;
    resolve_each(p, &operands, &types, Span::new(start, p.tok.start), &mut parts.operands)?;
    p.expect(b',')?;
    let elem = p.ty()?;
    let elem = p.ir.intern(Attr::Type(elem));
    p.put(&mut parts, "elem_type", elem);
    p.finish(op, parts)
}

/// `(a, b) -> c`
fn function_type(p: &mut Parser<'_, '_>) -> Res<(Vec<TypeId>, Vec<TypeId>)> {
    let span = p.tok.span();
    let ty = p.ty()?;
    match &p.ir[ty] {
        Type::Function { inputs, results } => Ok((inputs.clone(), results.clone())),
        _ => {
            let found = super::super::print_type(p.ir, ty);
            let message = format!("invalid kind of type specified: expected builtin.function, but found `{found}`");
            Err(p.error(span, message))
        }
    }
}

pub(super) fn write_gep(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let mut flags = ir.attr(op, "noWrapFlags").and_then(Attr::as_i64).unwrap_or(0);
    let mut separator = ' ';
    for (word, bits) in GEP_FLAGS {
        if flags & bits == bits {
            flags &= !bits;
            p.out.push(separator);
            p.out.push_str(word);
            separator = '|';
        }
    }
    p.out.push(' ');
    let Some((&base, mut values)) = ir.operands(op).split_first() else { return };
    p.value(base);
    p.out.push('[');
    for (i, index) in ints(p, op, "rawConstantIndices").into_iter().enumerate() {
        p.out.push_str(if i > 0 { ", " } else { "" });
        match values.split_first() {
            Some((&value, rest)) if index == GEP_DYNAMIC => {
                p.value(value);
                values = rest;
            }
            _ => p.out.push_str(&index.to_string()),
        }
    }
    p.out.push(']');
    p.attr_dict(op, &["noWrapFlags", "rawConstantIndices", "elem_type"]);
    p.out.push_str(" : ");
    p.functional_type(op);
    if let Some(elem) = ir.attr_id(op, "elem_type") {
        p.out.push_str(", ");
        p.attr(elem);
    }
}

/// `%value, %container[0, 1] {…} : !llvm.struct<(…)>`; nothing in front of the container that a part is taken from.
pub(super) fn read_part(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let mut value = None;
    if p.ir.opcode(op) == Opcode::LlvmInsertvalue {
        value = Some(p.operand()?);
        p.expect(b',')?;
    }
    let container = p.operand()?;
    let start = p.tok.start;
    let position = p.list(b'[', b']', |p| p.int("an integer"))?;
    let span = Span::new(start, p.tok.start);
    let attr = p.ir.dense_i64(&position);
    p.put(&mut parts, "position", attr);
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let ty = p.ty()?;
    let part = part_of(p.ir, ty, &position).map_err(|message| p.error(span, message))?;
    parts.operands.push(p.resolve(container, ty)?);
    match value {
        Some(value) => {
            parts.operands.push(p.resolve(value, part)?);
            parts.results.push(ty);
        }
        None => parts.results.push(part),
    }
    p.finish(op, parts)
}

pub(super) fn write_part(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    if let [container, values @ ..] = ir.operands(op) {
        for &value in values {
            p.value(value);
            p.out.push_str(", ");
        }
        p.value(*container);
        let position = ints(p, op, "position");
        p.int_list(&position);
        p.attr_dict(op, &["position"]);
        p.out.push_str(" : ");
        p.ty(ir.type_of(*container));
    }
}

/// The type at a position of a structure or an array.
fn part_of(ir: &mut Ir, container: TypeId, position: &[i64]) -> Result<TypeId, String> {
    let text = part_text(ir, container, position)?;
    Parser::new(&text, ir, ParseOptions::default()).ty().map_err(|diag| diag.message)
}

/// The same type as text, or why there is none.
pub(crate) fn part_text(ir: &Ir, container: TypeId, position: &[i64]) -> Result<String, String> {
    let container = super::super::print_type(ir, container);
    let mut part = container.as_str();
    for &at in position {
        let found = match Llvm::of(part) {
            Some(Llvm::Array(extent, elem)) => u64::try_from(at).is_ok_and(|at| at < extent).then_some(elem),
            Some(Llvm::Struct(ty)) => usize::try_from(at).ok().and_then(|at| ty.fields().get(at).copied()),
            _ => return Err(format!("expected LLVM IR structure/array type, got: `{part}` at {position:?}")),
        };
        part = found.ok_or_else(|| format!("position out of bounds: {at} in `{part}`"))?;
    }
    Ok(outer(part))
}

/// `%a, %b [0, 3] {…} : vector<4xf32>`
pub(super) fn read_shuffle(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let operands = p.operands()?;
    let values = p.list(b'[', b']', |p| p.int("an integer"))?;
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let span = p.tok.span();
    let ty = p.ty()?;
    let Type::Vector { scalable, elem, .. } = p.ir[ty].clone() else {
        let found = super::super::print_type(p.ir, ty);
        let message = format!("invalid kind of type specified: expected builtin.vector, but found `{found}`");
        return Err(p.error(span, message));
    };
    let result = p.ir.intern_type(Type::Vector { shape: vec![values.len() as i64], scalable, elem });
    parts.results.push(result);
    p.resolve_all(&operands, ty, &mut parts.operands)?;
    let elem = p.ir.int_type(32);
    let mask = p.ir.intern(Attr::DenseArray { elem, values });
    p.put(&mut parts, "mask", mask);
    p.finish(op, parts)
}

pub(super) fn write_shuffle(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    p.values(ir.operands(op));
    p.out.push(' ');
    let mask = ints(p, op, "mask");
    p.int_list(&mask);
    p.attr_dict(op, &["mask"]);
    p.out.push_str(" : ");
    p.ty(ir.type_of(ir.operand(op, 0)));
}
