//! `llvm.func` and `llvm.mlir.global`.

use super::super::lexer::{self, Kind};
use super::super::named::split_at_depth;
use super::super::parser::{Operand, Parser, Parts, Res};
use super::super::printer::Printer;
use crate::attrs::{Attr, Body};
use crate::ids::{AttrId, OpId, TypeId};
use crate::types::Type;

const LINKAGES: [&str; 11] = [
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
const CONVENTIONS: &[&str] = &[
    "ccc",
    "fastcc",
    "coldcc",
    "tailcc",
    "swiftcc",
    "swifttailcc",
    "preserve_mostcc",
    "preserve_allcc",
    "ptx_kernelcc",
    "ptx_devicecc",
    "spir_funccc",
    "spir_kernelcc",
    "amdgpu_kernelcc",
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

const VISIBILITIES: [&str; 3] = ["default", "hidden", "protected"];
const ADDRESSES: [&str; 3] = ["none", "local_unnamed_addr", "unnamed_addr"];

/// A type as it stands inside `!llvm.func<…>`, where the dialect's own types are spelled without their prefix.
fn inner(p: &Parser<'_, '_>, ty: TypeId) -> String {
    let text = super::super::print_type(p.ir, ty);
    text.strip_prefix("!llvm.").map_or(text.clone(), str::to_owned)
}

/// `internal spir_kernelcc @name(%a: i32 {…}) -> i32 attributes {…} { … }`
pub(super) fn read_func(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    keyword(p, &mut parts, &LINKAGES, ("linkage", "llvm.linkage"));
    number(p, &mut parts, &VISIBILITIES, "visibility_");
    number(p, &mut parts, &ADDRESSES, "unnamed_addr");
    keyword(p, &mut parts, CONVENTIONS, ("CConv", "llvm.cconv"));
    let name = p.symbol()?;
    let name = p.ir.str_attr(&name);
    p.put(&mut parts, "sym_name", name);
    let mut args: Vec<(Operand<'_>, TypeId)> = Vec::new();
    let (mut inputs, mut arg_attrs, mut res_attrs) = (Vec::new(), Vec::new(), Vec::new());
    p.list(b'(', b')', |p| {
        if p.eat_kind(Kind::Dots) {
            inputs.push("...".to_owned());
            return Ok(());
        }
        let arg = if p.tok.kind == Kind::Value { Some(p.operand()?) } else { None };
        if arg.is_some() {
            p.expect(b':')?;
        }
        let ty = p.ty()?;
        arg_attrs.push(dict(p)?);
        if let Some(arg) = arg {
            p.location(arg.span)?;
            args.push((arg, ty));
        }
        inputs.push(inner(p, ty));
        Ok(())
    })?;
    let mut result = "void".to_owned();
    if p.eat_kind(Kind::Arrow) {
        // Without brackets, what follows is the body.
        let bracket = p.eat(b'(');
        let ty = p.ty()?;
        if bracket {
            res_attrs.push(dict(p)?);
            p.expect(b')')?;
        }
        result = inner(p, ty);
    }
    for (name, dicts) in [("arg_attrs", arg_attrs), ("res_attrs", res_attrs)] {
        if dicts.iter().any(|&dict| !p.ir.entries(dict).is_empty()) {
            let dicts = p.ir.intern(Attr::Array(dicts));
            p.put(&mut parts, name, dicts);
        }
    }
    let text = p.ir.intern_str(&format!("llvm.func<{result} ({})>", inputs.join(", ")));
    let ty = p.ir.intern_type(Type::Dialect(text));
    let ty = p.ir.intern(Attr::Type(ty));
    p.put(&mut parts, "function_type", ty);
    p.attr_dict_keyword(&mut parts)?;
    let region = p.ir.add_region(op);
    if p.at(b'{') {
        p.open_isolated();
        p.region_into(region, &args)?;
        p.close_isolated()?;
    }
    p.finish(op, parts)
}

fn dict(p: &mut Parser<'_, '_>) -> Res<AttrId> {
    let mut entries = Vec::new();
    if p.at(b'{') {
        p.attr_entries(&mut entries)?;
    }
    p.dict_attr(&mut entries)
}

/// The result and the arguments of `llvm.func<void (i32, ptr)>`, with the prefix of the dialect's own types.
fn signature(text: &str) -> Option<(String, Vec<String>)> {
    let text = text.strip_prefix("llvm.func<")?.strip_suffix('>')?;
    let open = split_at_depth(text, " (").first()?.len();
    let (result, rest) = text.split_at(open);
    let args = rest.trim().strip_prefix('(')?.strip_suffix(')')?;
    let outer = |word: &str| {
        let own =
            ["ptr", "struct", "array", "void", "func", "target", "ppc_fp128", "token", "label", "metadata", "vec"];
        let is_own = own.iter().any(|name| word == *name || word.starts_with(&format!("{name}<")));
        if is_own { format!("!llvm.{word}") } else { word.to_owned() }
    };
    let args = split_at_depth(args, ", ").into_iter().filter(|arg| !arg.is_empty()).map(outer).collect();
    Some((outer(result), args))
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
    let (result, inputs) = signature(text.trim_start_matches('!')).unwrap_or_default();
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
    let shown =
        ["sym_name", "linkage", "visibility_", "unnamed_addr", "CConv", "function_type", "arg_attrs", "res_attrs"];
    p.attr_dict_keyword(op, &shown);
    if args.is_some() {
        p.out.push(' ');
        p.region(ir.regions(op)[0], false, true);
    }
}

/// `internal constant @name(value) {…} : type { … }`
pub(super) fn read_global(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    keyword(p, &mut parts, &LINKAGES, ("linkage", "llvm.linkage"));
    number(p, &mut parts, &VISIBILITIES, "visibility_");
    number(p, &mut parts, &ADDRESSES, "unnamed_addr");
    if p.eat_word("constant") {
        p.flag(&mut parts, "constant");
    }
    let name = p.symbol()?;
    let name = p.ir.str_attr(&name);
    p.put(&mut parts, "sym_name", name);
    p.expect(b'(')?;
    let mut bytes = None;
    if !p.at(b')') {
        if p.tok.kind == Kind::Str {
            bytes = Some(lexer::unescape(p.text(p.tok)).chars().flat_map(lexer::bytes_of).count());
        }
        let value = p.attr()?;
        p.put(&mut parts, "value", value);
    }
    p.expect(b')')?;
    p.attr_dict(&mut parts)?;
    let ty = if p.eat(b':') {
        p.ty()?
    } else if let Some(bytes) = bytes {
        let text = p.ir.intern_str(&format!("llvm.array<{bytes} x i8>"));
        p.ir.intern_type(Type::Dialect(text))
    } else {
        return Err(p.expected("`:` and the type of the global"));
    };
    let ty = p.ir.intern(Attr::Type(ty));
    p.put(&mut parts, "global_type", ty);
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
    write_number(p, op, "unnamed_addr", &ADDRESSES);
    if ir.attr_id(op, "constant").is_some() {
        p.out.push_str("constant ");
    }
    p.symbol(ir.symbol_name(op).unwrap_or_default());
    p.out.push('(');
    if let Some(value) = ir.attr_id(op, "value") {
        p.attr(value);
    }
    p.out.push(')');
    p.attr_dict(op, &["sym_name", "linkage", "visibility_", "unnamed_addr", "constant", "value", "global_type"]);
    if let Some(ty) = ir.attr_id(op, "global_type") {
        p.out.push_str(" : ");
        p.attr(ty);
    }
    if ir.body(op, 0).is_some() {
        p.out.push(' ');
        p.region(ir.regions(op)[0], false, true);
    }
}
