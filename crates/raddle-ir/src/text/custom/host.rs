//! What surrounds a dispatch: `flow.dispatch` in its three forms, calls, globals and constant blocks of the host.

use super::super::lexer::Kind;
use super::super::parser::{Operand, Parser, Parts, Res};
use super::super::printer::Printer;
use super::type_of_attr;
use crate::attrs::{Attr, Body};
use crate::diag::Span;
use crate::ids::{AttrId, OpId, RegionId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::text::group_range;
use crate::types::{DYNAMIC, Sign, Type};

/// No argument shares its storage with a result.
const UNTIED: i64 = -1;

/// Types of arguments and results, with the values that their unknown extents have.
#[derive(Default)]
struct Shaped<'a> {
    inputs: Vec<TypeId>,
    input_dims: Vec<Operand<'a>>,
    results: Vec<TypeId>,
    result_dims: Vec<Operand<'a>>,
    /// For each result, the argument whose storage it takes over.
    tied: Vec<i64>,
}

/// `{%d0, %d1}` where a type has unknown extents.
fn dims<'a>(p: &mut Parser<'a, '_>, out: &mut Vec<Operand<'a>>) -> Res<()> {
    if p.at(b'{') {
        out.extend(p.list(b'{', b'}', Parser::operand)?);
    }
    Ok(())
}

/// `(tensor<?xf32>{%d}, i32) -> (%arg as tensor<?xf32>{%e}, i32)`
fn shaped<'a>(p: &mut Parser<'a, '_>, operands: &[Operand<'a>]) -> Res<Shaped<'a>> {
    let mut shaped = Shaped::default();
    let mut input_dims = Vec::new();
    shaped.inputs = p.list(b'(', b')', |p| {
        let ty = p.ty()?;
        dims(p, &mut input_dims)?;
        Ok(ty)
    })?;
    shaped.input_dims = input_dims;
    p.expect_kind(Kind::Arrow, "`->`")?;
    if p.at(b'(') {
        p.list(b'(', b')', |p| shaped_result(p, operands, &mut shaped))?;
    } else {
        shaped_result(p, operands, &mut shaped)?;
    }
    Ok(shaped)
}

/// `tensor<?xf32>{%d}`, `%arg`, or `%arg as tensor<?xf32>{%d}`
fn shaped_result<'a>(p: &mut Parser<'a, '_>, operands: &[Operand<'a>], out: &mut Shaped<'a>) -> Res<()> {
    let mut tied = UNTIED;
    let mut ty = None;
    if p.tok.kind == Kind::Value {
        let operand = p.operand()?;
        let same = |other: &Operand<'_>| other.name == operand.name && other.number == operand.number;
        let Some(at) = operands.iter().position(same) else {
            return Err(p.error(operand.span, format!("`{}` is not among the arguments", operand.name)));
        };
        tied = at as i64;
        if !p.eat_word("as") {
            ty = out.inputs.get(at).copied();
        }
    }
    let ty = match ty {
        Some(ty) => ty,
        None => p.ty()?,
    };
    dims(p, &mut out.result_dims)?;
    out.tied.push(tied);
    out.results.push(ty);
    Ok(())
}

/// `[0, -1]` with the type `index`; nothing where there are no results.
fn put_tied(p: &mut Parser<'_, '_>, parts: &mut Parts, tied: &[i64]) {
    if tied.is_empty() {
        return;
    }
    let ty = p.ir.index_type();
    let items = tied.iter().map(|&at| p.ir.intern(Attr::Int { value: at.into(), ty })).collect();
    let attr = p.ir.intern(Attr::Array(items));
    p.put(parts, "tied_operands", attr);
}

/// The operands of the four groups that dispatches have.
fn put_operands<'a>(
    p: &mut Parser<'a, '_>,
    parts: &mut Parts,
    workload: &[Operand<'a>],
    arguments: &[Operand<'a>],
    shaped: Shaped<'a>,
    span: Span,
) -> Res<()> {
    let index = p.ir.index_type();
    p.resolve_all(workload, index, &mut parts.operands)?;
    p.resolve_each(arguments, &shaped.inputs, span, &mut parts.operands)?;
    p.resolve_all(&shaped.input_dims, index, &mut parts.operands)?;
    p.resolve_all(&shaped.result_dims, index, &mut parts.operands)?;
    p.put_segments(parts, &[workload.len(), arguments.len(), shaped.input_dims.len(), shaped.result_dims.len()]);
    put_tied(p, parts, &shaped.tied);
    parts.results = shaped.results;
    Ok(())
}

pub(super) fn group(ir: &Ir, op: OpId, number: usize) -> Vec<ValueId> {
    let shape = crate::form::Shape::of(ir.opcode(op));
    group_range(ir, op, shape, number).map(|at| ir.operand(op, at)).collect()
}

/// The number of extents that a type leaves open.
pub(crate) fn dynamic_extents(ir: &Ir, ty: TypeId) -> usize {
    match &ir[ty] {
        // The extents of a dispatch tensor stand in front of its other parameters, such as an encoding.
        Type::Dialect(text) => ir[*text].split(',').next().unwrap_or_default().matches('?').count(),
        ty => ty.shape().map_or(0, |shape| shape.iter().filter(|&&extent| extent == DYNAMIC).count()),
    }
}

pub(super) fn write_shaped_type(p: &mut Printer<'_>, ty: TypeId, dims: &mut &[ValueId]) {
    p.ty(ty);
    let n = dynamic_extents(p.ir, ty).min(dims.len());
    let (head, tail) = dims.split_at(n);
    *dims = tail;
    if n > 0 {
        p.out.push('{');
        p.values(head);
        p.out.push('}');
    }
}

fn write_shaped(p: &mut Printer<'_>, op: OpId, arguments: &[ValueId], input_dims: &[ValueId], result_dims: &[ValueId]) {
    let ir = p.ir;
    p.out.push('(');
    let mut dims = input_dims;
    for (i, &argument) in arguments.iter().enumerate() {
        p.out.push_str(if i > 0 { ", " } else { "" });
        write_shaped_type(p, ir.type_of(argument), &mut dims);
    }
    p.out.push_str(") -> ");
    let tied = ir.attr_id(op, "tied_operands").and_then(|attr| ir.ints(attr)).unwrap_or_default();
    let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    let alone = results.len() == 1 && !matches!(ir[results[0]], Type::Function { .. });
    p.out.push_str(if alone { "" } else { "(" });
    let mut dims = result_dims;
    for (i, &ty) in results.iter().enumerate() {
        p.out.push_str(if i > 0 { ", " } else { "" });
        let argument = tied.get(i).and_then(|&at| arguments.get(usize::try_from(at).ok()?));
        if let Some(&argument) = argument {
            p.value(argument);
            if ir.type_of(argument) == ty {
                let mut skipped = dims;
                let n = dynamic_extents(ir, ty).min(skipped.len());
                skipped = &skipped[n..];
                if n > 0 {
                    p.out.push('{');
                    p.values(&dims[..n]);
                    p.out.push('}');
                }
                dims = skipped;
                continue;
            }
            p.out.push_str(" as ");
        }
        write_shaped_type(p, ty, &mut dims);
    }
    p.out.push_str(if alone { "" } else { ")" });
}

/// `[%w]` or nothing.
fn workload<'a>(p: &mut Parser<'a, '_>) -> Res<Vec<Operand<'a>>> {
    if p.at(b'[') { p.list(b'[', b']', Parser::operand) } else { Ok(Vec::new()) }
}

fn write_workload(p: &mut Printer<'_>, values: &[ValueId]) {
    if !values.is_empty() {
        p.out.push('[');
        p.values(values);
        p.out.push(']');
    }
}

/// `{@a, @b::@c}[%w](%arg) : (…) -> …`
pub(super) fn read_dispatch(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let entries = if p.at(b'{') { p.list(b'{', b'}', Parser::attr)? } else { vec![p.attr()?] };
    let entries = p.ir.intern(Attr::Array(entries));
    p.put(&mut parts, "entry_points", entries);
    let workload = workload(p)?;
    let arguments = p.list(b'(', b')', Parser::operand)?;
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let start = p.tok.start;
    let shaped = shaped(p, &arguments)?;
    let span = Span::new(start, p.tok.start);
    put_operands(p, &mut parts, &workload, &arguments, shaped, span)?;
    p.finish(op, parts)
}

pub(super) fn write_dispatch(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    match ir.attr(op, "entry_points") {
        Some(Attr::Array(entries)) if entries.len() == 1 => p.attr(entries[0]),
        Some(Attr::Array(entries)) => {
            p.out.push('{');
            for (i, &entry) in entries.iter().enumerate() {
                p.out.push_str(if i > 0 { ", " } else { "" });
                p.attr(entry);
            }
            p.out.push('}');
        }
        _ => {}
    }
    let arguments = group(ir, op, 1);
    write_workload(p, &group(ir, op, 0));
    p.out.push('(');
    p.values(&arguments);
    p.out.push(')');
    p.attr_dict(op, &["entry_points", "tied_operands", "operandSegmentSizes"]);
    p.out.push_str(" : ");
    write_shaped(p, op, &arguments, &group(ir, op, 2), &group(ir, op, 3));
}

/// `(%a: index) -> (index, index, index) { … }` into a region.
fn count_region<'a>(p: &mut Parser<'a, '_>, region: RegionId) -> Res<()> {
    let args = p.arguments(b'(', b')')?;
    p.expect_kind(Kind::Arrow, "`->`")?;
    let span = p.tok.span();
    let types = p.result_types()?;
    if types.len() != 3 || types.iter().any(|&ty| p.ir[ty] != Type::Index) {
        return Err(p.error(span, "workgroup count region must return the XYZ dimension counts"));
    }
    p.region_into(region, &args)
}

fn write_count_region(p: &mut Printer<'_>, region: RegionId) {
    let ir = p.ir;
    let Some(&block) = ir.blocks(region).first() else { return };
    write_args(p, ir.args(block), '(', ')');
    p.out.push_str(" -> (index, index, index) ");
    p.region(region, false, true);
}

/// `(%a: index, %b: f32)` in the given brackets.
pub(super) fn write_args(p: &mut Printer<'_>, args: &[ValueId], open: char, close: char) {
    p.out.push(open);
    for (i, &arg) in args.iter().enumerate() {
        p.out.push_str(if i > 0 { ", " } else { "" });
        p.value(arg);
        p.out.push_str(": ");
        p.ty(p.ir.type_of(arg));
        p.location_of_arg(arg);
    }
    p.out.push(close);
}

/// `[%w](%arg) : (…) -> … = (%in: type, %out: type) { … } count(%w: index) -> (index, index, index) { … }`
pub(super) fn read_workgroups(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let workload = workload(p)?;
    let arguments = p.list(b'(', b')', Parser::operand)?;
    p.expect(b':')?;
    let start = p.tok.start;
    let shaped = shaped(p, &arguments)?;
    let span = Span::new(start, p.tok.start);
    put_operands(p, &mut parts, &workload, &arguments, shaped, span)?;
    p.attr_dict_keyword(&mut parts)?;
    p.expect(b'=')?;
    let args = p.arguments(b'(', b')')?;
    p.open_isolated();
    let body = p.region(op, &args)?;
    p.close_isolated()?;
    if p.ir.blocks(body).is_empty() {
        p.ir.add_block(body, &[]);
    }
    let count = p.ir.add_region(op);
    if p.eat_word("count") {
        p.open_isolated();
        count_region(p, count)?;
        p.close_isolated()?;
    }
    p.finish(op, parts)
}

pub(super) fn write_workgroups(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let arguments = group(ir, op, 1);
    write_workload(p, &group(ir, op, 0));
    p.out.push('(');
    p.values(&arguments);
    p.out.push_str(") : ");
    write_shaped(p, op, &arguments, &group(ir, op, 2), &group(ir, op, 3));
    p.attr_dict_keyword(op, &["tied_operands", "operandSegmentSizes"]);
    p.out.push_str(" =");
    p.deeper(|p| {
        p.deeper(|p| {
            p.newline();
            write_args(p, ir.body(op, 0).map_or(&[], |block| ir.args(block)), '(', ')');
        });
    });
    p.out.push(' ');
    p.region(ir.regions(op)[0], false, true);
    if !ir.blocks(ir.regions(op)[1]).is_empty() {
        p.out.push_str(" count");
        write_count_region(p, ir.regions(op)[1]);
    }
}

/// `[%w] -> (tensor<?xf32>{%d}) { … } count(%w: index) -> (index, index, index) { … }`
pub(super) fn read_region(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let workload = workload(p)?;
    let mut out = Shaped::default();
    if p.eat_kind(Kind::Arrow) {
        p.list(b'(', b')', |p| shaped_result(p, &[], &mut out))?;
    }
    p.attr_dict_keyword(&mut parts)?;
    p.region(op, &[])?;
    let count = p.ir.add_region(op);
    if p.eat_word("count") {
        count_region(p, count)?;
    }
    let index = p.ir.index_type();
    p.resolve_all(&out.result_dims, index, &mut parts.operands)?;
    p.resolve_all(&workload, index, &mut parts.operands)?;
    p.put_segments(&mut parts, &[out.result_dims.len(), workload.len()]);
    parts.results = out.results;
    p.finish(op, parts)
}

pub(super) fn write_region(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    write_workload(p, &group(ir, op, 1));
    p.out.push_str(" -> (");
    let dims = group(ir, op, 0);
    let mut dims = &dims[..];
    for (i, result) in ir.results(op).enumerate() {
        p.out.push_str(if i > 0 { ", " } else { "" });
        write_shaped_type(p, ir.type_of(result), &mut dims);
    }
    p.out.push(')');
    p.attr_dict_keyword(op, &["operandSegmentSizes"]);
    p.out.push(' ');
    p.region(ir.regions(op)[0], false, true);
    if !ir.blocks(ir.regions(op)[1]).is_empty() {
        p.out.push_str(" count");
        write_count_region(p, ir.regions(op)[1]);
    }
}

fn visibility(p: &mut Parser<'_, '_>, parts: &mut Parts) -> Res<()> {
    if p.tok.kind == Kind::Word && matches!(p.text(p.tok), "public" | "private" | "nested") {
        let word = p.word("a visibility")?;
        let word = p.ir.str_attr(word);
        p.put(parts, "sym_visibility", word);
    }
    Ok(())
}

fn write_visibility(p: &mut Printer<'_>, op: OpId) {
    if let Some(Attr::Str(word)) = p.ir.attr(op, "sym_visibility") {
        p.out.push_str(&p.ir[*word]);
        p.out.push(' ');
    }
}

/// `public @name(@function) workgroups(%w: index) -> (index, index, index) { … }`
pub(super) fn read_export(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    visibility(p, &mut parts)?;
    let name = p.symbol()?;
    let mut function = name.clone();
    if p.eat(b'(') {
        function = p.symbol()?;
        p.expect(b')')?;
    }
    let name = p.ir.str_attr(&name);
    p.put(&mut parts, "sym_name", name);
    let function = p.ir.intern_str(&function);
    let function = p.ir.intern(Attr::Symbol(vec![function]));
    p.put(&mut parts, "function_ref", function);
    let region = p.ir.add_region(op);
    if p.eat_word("workgroups") {
        p.open_isolated();
        count_region(p, region)?;
        p.close_isolated()?;
    }
    p.attr_dict_keyword(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_export(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    write_visibility(p, op);
    let name = ir.symbol_name(op).unwrap_or_default();
    p.symbol(name);
    if let Some(Attr::Symbol(path)) = ir.attr(op, "function_ref")
        && ir[path[0]] != *name
    {
        p.out.push('(');
        p.symbol(&ir[path[0]]);
        p.out.push(')');
    }
    if !ir.blocks(ir.regions(op)[0]).is_empty() {
        p.out.push_str(" workgroups");
        write_count_region(p, ir.regions(op)[0]);
    }
    p.attr_dict_keyword(op, &["sym_name", "sym_visibility", "function_ref"]);
}

/// What all calls begin with: `@callee(%a) {…} : (f32) -> (%a as f32)`. What they call with are the operands so far.
fn call<'a>(p: &mut Parser<'a, '_>, parts: &mut Parts) -> Res<Shaped<'a>> {
    let callee = p.attr()?;
    p.put(parts, "callee", callee);
    let operands = p.list(b'(', b')', Parser::operand)?;
    p.attr_dict(parts)?;
    p.expect(b':')?;
    let start = p.tok.start;
    let shaped = shaped(p, &operands)?;
    let span = Span::new(start, p.tok.start);
    p.resolve_each(&operands, &shaped.inputs, span, &mut parts.operands)?;
    put_tied(p, parts, &shaped.tied);
    parts.results.extend(&shaped.results);
    Ok(shaped)
}

pub(super) fn read_call(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    call(p, &mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_call(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    if let Some(callee) = ir.attr_id(op, "callee") {
        p.attr(callee);
    }
    p.out.push('(');
    p.values(ir.operands(op));
    p.out.push(')');
    p.attr_dict(op, &["callee", "tied_operands"]);
    p.out.push_str(" : ");
    write_shaped(p, op, ir.operands(op), &[], &[]);
}

/// `@callee(%a) {…} : (tensor<?xf32>{%d}) -> tensor<?xf32>{%d}`
pub(super) fn read_shaped_call(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let shaped = call(p, &mut parts)?;
    let arguments = parts.operands.len();
    let index = p.ir.index_type();
    p.resolve_all(&shaped.input_dims, index, &mut parts.operands)?;
    p.resolve_all(&shaped.result_dims, index, &mut parts.operands)?;
    p.put_segments(&mut parts, &[arguments, shaped.input_dims.len(), shaped.result_dims.len()]);
    p.finish(op, parts)
}

pub(super) fn write_shaped_call(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let arguments = group(ir, op, 0);
    p.out.push(' ');
    if let Some(callee) = ir.attr_id(op, "callee") {
        p.attr(callee);
    }
    p.out.push('(');
    p.values(&arguments);
    p.out.push(')');
    p.attr_dict(op, &["callee", "tied_operands", "operandSegmentSizes"]);
    p.out.push_str(" : ");
    write_shaped(p, op, &arguments, &group(ir, op, 1), &group(ir, op, 2));
}

/// `private mutable @name {…} : type` or `… = value : type`
pub(super) fn read_global(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    visibility(p, &mut parts)?;
    if p.eat_word("mutable") {
        p.flag(&mut parts, "is_mutable");
    }
    let name = p.symbol()?;
    let name = p.ir.str_attr(&name);
    p.put(&mut parts, "sym_name", name);
    p.attr_dict(&mut parts)?;
    let mut ty = if p.eat(b':') { Some(p.ty()?) } else { None };
    if p.eat(b'=') {
        let start = p.tok.start;
        let value = p.typed_attr()?;
        ty = ty.or(type_of_attr(p.ir, value));
        if ty.is_none() {
            return Err(p.error(Span::new(start, p.tok.start), "the value has no type"));
        }
        p.put(&mut parts, "initial_value", value);
    }
    let Some(ty) = ty else { return Err(p.expected("`:` and a type, or `=` and a value")) };
    let ty = p.ir.intern(Attr::Type(ty));
    p.put(&mut parts, "type", ty);
    p.finish(op, parts)
}

pub(super) fn write_global(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    write_visibility(p, op);
    if ir.attr_id(op, "is_mutable").is_some() {
        p.out.push_str("mutable ");
    }
    p.symbol(ir.symbol_name(op).unwrap_or_default());
    p.attr_dict(op, &["sym_name", "sym_visibility", "is_mutable", "type", "initial_value"]);
    let ty = match ir.attr(op, "type") {
        Some(Attr::Type(ty)) => Some(*ty),
        _ => None,
    };
    let value = ir.attr_id(op, "initial_value");
    if let Some(ty) = ty.filter(|&ty| !value.is_some_and(|value| states_type(ir, value, ty))) {
        p.out.push_str(" : ");
        p.ty(ty);
    }
    if let Some(value) = value {
        p.out.push_str(" = ");
        p.attr(value);
    }
}

/// Whether an attribute in print ends with this type.
fn states_type(ir: &Ir, attr: AttrId, wanted: TypeId) -> bool {
    match &ir[attr] {
        Attr::Int { ty, .. }
        | Attr::Wide { ty, .. }
        | Attr::Float { ty, .. }
        | Attr::LongFloat { ty, .. }
        | Attr::Dense { ty, .. } => *ty == wanted,
        Attr::Bool(_) => ir[wanted] == Type::Integer { width: 1, sign: Sign::Signless },
        Attr::Dialect { name, body: Body::Fields(fields) } => {
            let name = &ir[*name];
            let typed = name == super::super::dense::RESOURCE || name == super::super::dense::TYPED;
            typed && fields.last().is_some_and(|field| ir[field.1] == Attr::Type(wanted))
        }
        _ => false,
    }
}

/// `(%device: !hal.device) -> (i32, i32) as ("a", "b") { … }`; without `as` for a condition or an initializer.
pub(super) fn read_block(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let opcode = p.ir.opcode(op);
    let mut args: Vec<(Operand<'_>, TypeId)> = Vec::new();
    let mut results = Vec::new();
    if opcode != Opcode::UtilInitializer {
        args = p.arguments(b'(', b')')?;
        results = p.arrow_types()?;
    }
    if opcode == Opcode::HalExecutableConstantBlock {
        p.expect_word("as")?;
        let keys = if p.at(b'(') { p.list(b'(', b')', Parser::attr)? } else { vec![p.attr()?] };
        let keys = p.ir.intern(Attr::Array(keys));
        p.put(&mut parts, "keys", keys);
    }
    let inputs = args.iter().map(|arg| arg.1).collect();
    let ty = p.function_type(inputs, results);
    let ty = p.ir.intern(Attr::Type(ty));
    p.put(&mut parts, "function_type", ty);
    p.attr_dict_keyword(&mut parts)?;
    p.open_isolated();
    p.region(op, &args)?;
    p.close_isolated()?;
    p.finish(op, parts)
}

pub(super) fn write_block(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    if ir.opcode(op) != Opcode::UtilInitializer {
        write_args(p, ir.body(op, 0).map_or(&[], |block| ir.args(block)), '(', ')');
        let results = ir.signature(op).1;
        if !results.is_empty() {
            p.out.push_str(" -> ");
            p.type_list(results);
        }
    }
    if let Some(Attr::Array(keys)) = ir.attr(op, "keys") {
        p.out.push_str(" as ");
        let alone = keys.len() == 1;
        p.out.push_str(if alone { "" } else { "(" });
        for (i, &key) in keys.iter().enumerate() {
            p.out.push_str(if i > 0 { ", " } else { "" });
            p.attr(key);
        }
        p.out.push_str(if alone { "" } else { ")" });
    }
    p.attr_dict_keyword(op, &["function_type", "keys", "arg_attrs", "res_attrs"]);
    p.out.push(' ');
    p.region(ir.regions(op)[0], false, true);
}
