//! `builtin.module`, `func.func`, `arith.constant`, `arith.select`.

use super::super::lexer::Kind;
use super::super::parser::{Operand, Parser, Res};
use super::super::printer::Printer;
use crate::attrs::Attr;
use crate::codes::Code;
use crate::diag::{Diag, Span};
use crate::form::Shape;
use crate::ids::{AttrId, OpId, TypeId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::Type;

const VISIBILITIES: [&str; 3] = ["public", "private", "nested"];

/// `module @name attributes {…} { … }`
pub(super) fn read_module(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    if p.tok.kind == Kind::At {
        let name = p.symbol()?;
        let name = p.ir.str_attr(&name);
        p.put(&mut parts, "sym_name", name);
    }
    p.attr_dict_keyword(&mut parts)?;
    p.open_isolated();
    let region = p.region(op, &[])?;
    p.close_isolated()?;
    if p.ir.blocks(region).is_empty() {
        p.ir.add_block(region, &[]);
    }
    p.finish(op, parts)
}

pub(super) fn write_module(p: &mut Printer<'_>, op: OpId) {
    if let Some(name) = p.ir.symbol_name(op) {
        p.out.push(' ');
        p.symbol(name);
    }
    p.attr_dict_keyword(op, &["sym_name"]);
    p.out.push(' ');
    p.region(p.ir.regions(op)[0], false, true);
}

/// `func.func private @name(%a: f32 {…}) -> (f32 {…}) attributes {…} { … }`
pub(super) fn read_func(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let is_util = matches!(p.ir.opcode(op), Opcode::UtilFunc | Opcode::FlowFunc);
    if p.tok.kind == Kind::Word && VISIBILITIES.contains(&p.text(p.tok)) {
        let word = p.word("a visibility")?;
        let word = p.ir.str_attr(word);
        p.put(&mut parts, "sym_visibility", word);
    }
    let name = p.symbol()?;
    let name = p.ir.str_attr(&name);
    p.put(&mut parts, "sym_name", name);
    let mut named: Vec<(Operand<'_>, TypeId)> = Vec::new();
    let mut arg_attrs = Vec::new();
    let inputs = p.list(b'(', b')', |p| {
        let is_named = p.tok.kind == Kind::Value;
        if !is_named && p.ir.opcode(op) == Opcode::GpuFunc {
            return Err(p.expected("SSA identifier: gpu.func requires named arguments"));
        }
        if is_named && named.len() < arg_attrs.len() {
            return Err(p.expected("type instead of SSA identifier, as the arguments in front have no names"));
        }
        if !is_named && !named.is_empty() {
            return Err(p.expected("SSA identifier, as the arguments in front have names"));
        }
        let arg = if is_named {
            let arg = p.operand()?;
            p.expect(b':')?;
            Some(arg)
        } else {
            None
        };
        let ty = p.ty()?;
        let mut entries = Vec::new();
        if p.at(b'{') {
            p.attr_entries(&mut entries)?;
        }
        if let Some(arg) = arg {
            p.location(arg.span)?;
            named.push((arg, ty));
        }
        arg_attrs.push(p.dict_attr(&mut entries)?);
        Ok(ty)
    })?;
    let mut res_attrs = Vec::new();
    let mut results = Vec::new();
    // For each result, the argument whose storage it takes over; -1 for none.
    let mut tied: Vec<i64> = Vec::new();
    if p.eat_kind(Kind::Arrow) {
        if p.at(b'(') {
            results = p.list(b'(', b')', |p| {
                if is_util && p.tok.kind == Kind::Value {
                    let ty = tied_result(p, &named, &mut tied)?;
                    res_attrs.push(result_attrs(p)?);
                    return Ok(ty);
                }
                tied.push(-1);
                let ty = p.ty()?;
                res_attrs.push(result_attrs(p)?);
                Ok(ty)
            })?;
        } else {
            // In `util`, several results need no brackets.
            loop {
                res_attrs.push(p.ir.dict(&[]));
                if is_util && p.tok.kind == Kind::Value {
                    results.push(tied_result(p, &named, &mut tied)?);
                } else {
                    tied.push(-1);
                    results.push(p.ty()?);
                }
                if !(is_util && p.eat(b',')) {
                    break;
                }
            }
        }
    }
    let empty = p.ir.dict(&[]);
    for (name, attrs) in [("arg_attrs", arg_attrs), ("res_attrs", res_attrs)] {
        // In `flow`, they are there also where they say nothing.
        let always = p.ir.opcode(op) == Opcode::FlowFunc && !attrs.is_empty();
        if always || attrs.iter().any(|&attr| attr != empty) {
            let attrs = p.ir.intern(Attr::Array(attrs));
            p.put(&mut parts, name, attrs);
        }
    }
    if is_util && !results.is_empty() {
        let ty = p.ir.index_type();
        let items = tied.iter().map(|&at| p.ir.intern(Attr::Int { value: at.into(), ty })).collect();
        let tied = p.ir.intern(Attr::Array(items));
        p.put(&mut parts, "tied_operands", tied);
    }
    if p.ir.opcode(op) == Opcode::GpuFunc {
        super::gpu::read_attributions(p, &mut parts, &mut named)?;
        if p.eat_word("kernel") {
            p.flag(&mut parts, "kernel");
        }
    }
    let ty = p.function_type(inputs, results);
    let ty = p.ir.intern(Attr::Type(ty));
    p.put(&mut parts, "function_type", ty);
    let said = parts.attrs.len();
    let at = p.tok.span();
    p.attr_dict_keyword(&mut parts)?;
    let again = ["sym_name", "sym_visibility", "function_type"]
        .into_iter()
        .find(|name| parts.attrs[said..].iter().any(|entry| p.ir[entry.0] == **name));
    if let Some(name) = again {
        let message = format!(
            "'{name}' is an inferred attribute and should not be specified in the explicit attribute dictionary"
        );
        return Err(p.error(at, message));
    }
    let region = p.ir.add_region(op);
    // Where the arguments have no names, the label of the first block gives them some.
    if p.at(b'{') {
        let brace = p.tok.span();
        p.open_isolated();
        p.region_into(region, &named)?;
        let body = Shape::of(p.ir.opcode(op)).bodies[0];
        if body.implied {
            if p.ir.blocks(region).is_empty() {
                p.ir.add_block(region, &[]);
            }
            super::ensure_end(p, region, body.ends, brace);
        }
        p.close_isolated()?;
        if p.ir.blocks(region).is_empty() {
            let diag = Diag::error(Code::BadStructure, brace, "the body of a function has at least a terminator");
            return Err(Box::new(diag.help("write `return`, or leave out the braces for a declaration")));
        }
    }
    p.finish(op, parts)
}

/// `{…}` or nothing.
fn result_attrs(p: &mut Parser<'_, '_>) -> Res<AttrId> {
    let mut entries = Vec::new();
    if p.at(b'{') {
        p.attr_entries(&mut entries)?;
    }
    p.dict_attr(&mut entries)
}

/// `%a` or `%a as type`: a result of `util.func` in the storage of an argument.
fn tied_result(p: &mut Parser<'_, '_>, named: &[(Operand<'_>, TypeId)], tied: &mut Vec<i64>) -> Res<TypeId> {
    let operand = p.operand()?;
    let Some(at) = named.iter().position(|(arg, _)| arg.name == operand.name) else {
        return Err(p.error(operand.span, format!("`{}` is not among the arguments", operand.name)));
    };
    tied.push(at as i64);
    if p.eat_word("as") { p.ty() } else { Ok(named[at].1) }
}

/// Whether the assembly of a function says all of it: nothing of attributes that say nothing, and for each result or
/// none whose storage it takes over; the same for a call.
pub(super) fn says_all(ir: &Ir, op: OpId) -> bool {
    let is_func = matches!(ir.opcode(op), Opcode::UtilFunc | Opcode::FlowFunc);
    let n_results = if is_func { ir.signature(op).1.len() } else { ir.results(op).len() };
    let ties = Shape::of(ir.opcode(op)).inherent("tied_operands").is_some();
    let without_args = matches!(
        ir.opcode(op),
        Opcode::UtilInitializer | Opcode::HalExecutableConstantBlock | Opcode::HalExecutableCondition
    );
    let n_tied = ir.attr_id(op, "tied_operands").and_then(|attr| ir.ints(attr)).map_or(0, |tied| tied.len());
    let said = |name: &str| match ir.attr(op, name) {
        Some(Attr::Array(dicts)) => {
            !without_args
                && (ir.opcode(op) == Opcode::FlowFunc || dicts.iter().any(|&dict| !ir.entries(dict).is_empty()))
        }
        _ => true,
    };
    (!ties || n_tied == n_results) && said("arg_attrs") && said("res_attrs")
}

pub(super) fn write_func(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    let is_util = matches!(ir.opcode(op), Opcode::UtilFunc | Opcode::FlowFunc);
    if let Some(Attr::Str(visibility)) = ir.attr(op, "sym_visibility") {
        p.out.push_str(&ir[*visibility]);
        p.out.push(' ');
    }
    p.symbol(ir.symbol_name(op).unwrap_or_default());
    let (inputs, results) = ir.signature(op);
    let dicts = |name: &str| match ir.attr(op, name) {
        Some(Attr::Array(items)) => items.clone(),
        _ => Vec::new(),
    };
    let (arg_attrs, res_attrs) = (dicts("arg_attrs"), dicts("res_attrs"));
    let body = ir.body(op, 0);
    let tied = ir.attr_id(op, "tied_operands").and_then(|attr| ir.ints(attr)).unwrap_or_default();
    let is_tied = is_util && tied.iter().any(|&at| at >= 0);
    // Where a result takes over the storage of an argument, arguments of a declaration have names as well.
    let name = |p: &mut Printer<'_>, at: usize| match body {
        Some(block) => p.value(ir.args(block)[at]),
        None => p.out.push_str(&format!("%arg{at}")),
    };
    p.out.push('(');
    for (i, &ty) in inputs.iter().enumerate() {
        if i > 0 {
            p.out.push_str(", ");
        }
        if body.is_some() || is_tied {
            name(p, i);
            p.out.push_str(": ");
        }
        p.ty(ty);
        attrs_of(p, arg_attrs.get(i));
        if let Some(block) = body {
            p.location_of_arg(ir.args(block)[i]);
        }
    }
    p.out.push(')');
    if !results.is_empty() {
        p.out.push_str(" -> ");
        if is_tied {
            p.out.push('(');
            for (i, &ty) in results.iter().enumerate() {
                p.out.push_str(if i > 0 { ", " } else { "" });
                let at = tied.get(i).and_then(|&at| usize::try_from(at).ok());
                let same = at.and_then(|at| inputs.get(at)).map(|&input| input == ty);
                if let (Some(at), Some(same)) = (at, same) {
                    name(p, at);
                    p.out.push_str(if same { "" } else { " as " });
                }
                if same != Some(true) {
                    p.ty(ty);
                }
                attrs_of(p, res_attrs.get(i));
            }
            p.out.push(')');
        } else if res_attrs.is_empty() {
            p.type_list(results);
        } else {
            p.out.push('(');
            for (i, &ty) in results.iter().enumerate() {
                if i > 0 {
                    p.out.push_str(", ");
                }
                p.ty(ty);
                attrs_of(p, res_attrs.get(i));
            }
            p.out.push(')');
        }
    }
    let mut elided = vec!["sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs"];
    if ir.opcode(op) == Opcode::GpuFunc {
        super::gpu::write_attributions(p, op, body.map_or(&[], |block| &ir.args(block)[inputs.len()..]));
        if ir.attr_id(op, "kernel").is_some() {
            p.out.push_str(" kernel");
        }
        elided.extend(["kernel", "workgroup_attributions", "workgroup_attrib_attrs", "private_attrib_attrs"]);
    }
    if is_util {
        elided.push("tied_operands");
    }
    p.attr_dict_keyword(op, &elided);
    if body.is_some() {
        p.out.push(' ');
        p.region(ir.regions(op)[0], false, true);
    }
}

pub(super) fn attrs_of(p: &mut Printer<'_>, dict: Option<&AttrId>) {
    if let Some(&dict) = dict
        && !p.ir.entries(dict).is_empty()
    {
        p.out.push(' ');
        p.attr(dict);
    }
}

/// `arith.constant {…} value`
pub(super) fn read_constant(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    p.properties(&mut parts)?;
    p.attr_dict(&mut parts)?;
    let start = p.tok.start;
    let value = p.typed_attr()?;
    let span = Span::new(start, p.tok.start);
    let ty = match super::type_of_attr(p.ir, value) {
        Some(ty) => ty,
        None => return Err(p.error(span, "a constant is a number, `true`, `false`, or dense elements")),
    };
    p.put(&mut parts, "value", value);
    parts.results.push(ty);
    p.finish(op, parts)
}

pub(super) fn write_constant(p: &mut Printer<'_>, op: OpId) {
    p.attr_dict(op, &["value"]);
    p.out.push(' ');
    if let Some(value) = p.ir.attr_id(op, "value") {
        p.attr(value);
    }
}

/// `%f(%a, %b) {…} : (A, B) -> C`: the type is that of the function.
pub(super) fn read_call_indirect(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let callee = p.operand()?;
    let operands = p.list(b'(', b')', Parser::operand)?;
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let start = p.tok.start;
    let ty = p.ty()?;
    let span = Span::new(start, p.tok.start);
    let Type::Function { inputs, results } = p.ir[ty].clone() else {
        return Err(p.error(span, "expected the type of a function"));
    };
    let callee = p.resolve(callee, ty)?;
    parts.operands.push(callee);
    p.resolve_each(&operands, &inputs, span, &mut parts.operands)?;
    parts.results = results;
    p.finish(op, parts)
}

pub(super) fn write_call_indirect(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let Some((&callee, operands)) = ir.operands(op).split_first() else { return };
    p.out.push(' ');
    p.value(callee);
    p.out.push('(');
    p.values(operands);
    p.out.push(')');
    p.attr_dict(op, &[]);
    p.out.push_str(" : ");
    p.ty(ir.type_of(callee));
}

/// `arith.select %c, %a, %b : T`, with the condition's type in front where it is not `i1`.
pub(super) fn read_select(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let start = p.tok.start;
    let operands = p.operands()?;
    let &[condition, then, other] = &operands[..] else {
        return Err(p.error(Span::new(start, p.tok.start), "a selection has three operands"));
    };
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let first = p.ty()?;
    let (condition_ty, ty) = if p.eat(b',') { (first, p.ty()?) } else { (p.ir.int_type(1), first) };
    let condition = p.resolve(condition, condition_ty)?;
    parts.operands.push(condition);
    p.resolve_all(&[then, other], ty, &mut parts.operands)?;
    parts.results.push(ty);
    p.finish(op, parts)
}

pub(super) fn write_select(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    p.values(ir.operands(op));
    p.attr_dict(op, &[]);
    p.out.push_str(" : ");
    let condition = ir.type_of(ir.operand(op, 0));
    if !matches!(ir[condition], Type::Integer { .. }) {
        p.ty(condition);
        p.out.push_str(", ");
    }
    p.ty(ir.type_of(ir.result(op, 0)));
}
