//! What a host tells a device: `stream.cmd.execute` and the dispatches in it.

use super::super::parser::{Operand, Parser, Res};
use super::super::printer::Printer;
use super::host::group;
use super::read_body;
use crate::attrs::Attr;
use crate::diag::Span;
use crate::form::Shape;
use crate::ids::{OpId, TypeId};
use crate::types::Type;

/// What a dispatch does to a resource: the bits of reading and writing.
const ACCESSES: [(&str, i64); 3] = [("ro", 1), ("wo", 2), ("rw", 3)];

/// `=>`
fn arrow(p: &mut Parser<'_, '_>) -> Res<()> {
    p.expect(b'=')?;
    p.expect(b'>')?;
    Ok(())
}

/// `type{size}`
fn sized<'a>(p: &mut Parser<'a, '_>) -> Res<(TypeId, Operand<'a>)> {
    let ty = p.ty()?;
    p.expect(b'{')?;
    let size = p.operand()?;
    p.expect(b'}')?;
    Ok((ty, size))
}

/// `once on(#a) await(%t) => with(%r as %s: type{%n}) { … } => !stream.timepoint`
pub(super) fn read_execute(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    if p.eat_word("once") {
        p.flag(&mut parts, "once");
    }
    if p.eat_word("on") {
        p.expect(b'(')?;
        let affinity = p.attr()?;
        p.put(&mut parts, "affinity", affinity);
        p.expect(b')')?;
    }
    let mut awaited = None;
    if p.eat_word("await") {
        p.expect(b'(')?;
        awaited = Some(p.operand()?);
        p.expect(b')')?;
        arrow(p)?;
    }
    p.expect_word("with")?;
    let (mut resources, mut sizes, mut args) = (Vec::new(), Vec::new(), Vec::new());
    p.list(b'(', b')', |p| {
        resources.push(p.operand()?);
        p.expect_word("as")?;
        let arg = p.operand()?;
        p.expect(b':')?;
        let (ty, size) = sized(p)?;
        args.push((arg, ty));
        sizes.push(size);
        Ok(())
    })?;
    for (&resource, &(_, ty)) in resources.iter().zip(&args) {
        let value = p.resolve(resource, ty)?;
        parts.operands.push(value);
    }
    let index = p.ir.index_type();
    p.resolve_all(&sizes, index, &mut parts.operands)?;
    let n_awaited = usize::from(awaited.is_some());
    let timepoint = p.ir.intern_str("stream.timepoint");
    let timepoint = p.ir.intern_type(Type::Dialect(timepoint));
    if let Some(awaited) = awaited {
        let value = p.resolve(awaited, timepoint)?;
        parts.operands.push(value);
    }
    read_body(p, op, Shape::of(p.ir.opcode(op)).bodies[0], &args)?;
    arrow(p)?;
    let span = p.tok.span();
    let result = p.ty()?;
    if result != timepoint {
        return Err(p.error(span, "the result is a `!stream.timepoint`"));
    }
    parts.results.push(result);
    p.put_segments(&mut parts, &[resources.len(), sizes.len(), n_awaited]);
    p.attr_dict_keyword(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_execute(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    if ir.attr_id(op, "once").is_some() {
        p.out.push_str(" once");
    }
    if let Some(affinity) = ir.attr_id(op, "affinity") {
        p.out.push_str(" on(");
        p.attr(affinity);
        p.out.push(')');
    }
    if let Some(&awaited) = group(ir, op, 2).first() {
        p.out.push_str(" await(");
        p.value(awaited);
        p.out.push_str(") =>");
    }
    p.out.push_str(" with(");
    let args = ir.body(op, 0).map_or(&[][..], |block| ir.args(block));
    let (resources, sizes) = (group(ir, op, 0), group(ir, op, 1));
    for (i, ((&resource, &size), &arg)) in resources.iter().zip(&sizes).zip(args).enumerate() {
        p.out.push_str(if i > 0 { ", " } else { "" });
        p.value(resource);
        p.out.push_str(" as ");
        p.value(arg);
        p.out.push_str(": ");
        p.ty(ir.type_of(arg));
        p.out.push('{');
        p.value(size);
        p.out.push('}');
    }
    p.out.push_str(") ");
    let last = ir.body(op, 0).and_then(|block| ir.terminator(block));
    let bare = last.is_some_and(|last| ir.operands(last).is_empty());
    p.region(ir.regions(op)[0], false, !bare);
    p.out.push_str(" => ");
    p.ty(ir.type_of(ir.result(op, 0)));
    p.attr_dict_keyword(op, &["affinity", "once", "operandSegmentSizes"]);
}

/// `{@a::@b, @c}[%w](%u : i32) { ro %r[%o for %l] : type{%n}, … }`
pub(super) fn read_dispatch(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let entries = if p.at(b'{') { p.list(b'{', b'}', Parser::attr)? } else { vec![p.attr()?] };
    let entries = p.ir.intern(Attr::Array(entries));
    p.put(&mut parts, "entry_points", entries);
    let workload = if p.at(b'[') { p.list(b'[', b']', Parser::operand)? } else { Vec::new() };
    let index = p.ir.index_type();
    p.resolve_all(&workload, index, &mut parts.operands)?;
    let mut n_uniform = 0;
    if p.eat(b'(') {
        let operands = p.operands()?;
        let start = p.tok.start;
        p.expect(b':')?;
        let types = p.commas(Parser::ty)?;
        let span = Span::new(start, p.tok.start);
        p.expect(b')')?;
        p.resolve_each(&operands, &types, span, &mut parts.operands)?;
        n_uniform = operands.len();
    }
    let (mut resources, mut sizes, mut offsets, mut lengths) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut accesses = Vec::new();
    p.list(b'{', b'}', |p| {
        let span = p.tok.span();
        let word = p.word("`ro`, `wo` or `rw`")?;
        let Some(access) = ACCESSES.iter().find(|access| access.0 == word) else {
            return Err(p.error(span, "a resource is read (`ro`), written (`wo`), or both (`rw`)"));
        };
        accesses.push(access.1);
        let resource = p.operand()?;
        p.expect(b'[')?;
        offsets.push(p.operand()?);
        p.expect_word("for")?;
        lengths.push(p.operand()?);
        p.expect(b']')?;
        p.expect(b':')?;
        let (ty, size) = sized(p)?;
        resources.push((resource, ty));
        sizes.push(size);
        Ok(())
    })?;
    for &(resource, ty) in &resources {
        let value = p.resolve(resource, ty)?;
        parts.operands.push(value);
    }
    for list in [&sizes, &offsets, &lengths] {
        p.resolve_all(list, index, &mut parts.operands)?;
    }
    let ty = p.ir.int_type(32);
    let accesses = accesses.iter().map(|&value| p.ir.intern(Attr::Int { value: value.into(), ty })).collect();
    let accesses = p.ir.intern(Attr::Array(accesses));
    p.put(&mut parts, "resource_accesses", accesses);
    let n = resources.len();
    p.put_segments(&mut parts, &[workload.len(), n_uniform, n, n, n, n]);
    p.attr_dict_keyword(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_dispatch(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    if let Some(Attr::Array(entries)) = ir.attr(op, "entry_points") {
        p.out.push_str(if entries.len() == 1 { "" } else { "{" });
        for (i, &entry) in entries.iter().enumerate() {
            p.out.push_str(if i > 0 { ", " } else { "" });
            p.attr(entry);
        }
        p.out.push_str(if entries.len() == 1 { "" } else { "}" });
    }
    let (workload, uniform) = (group(ir, op, 0), group(ir, op, 1));
    if !workload.is_empty() {
        p.out.push('[');
        p.values(&workload);
        p.out.push(']');
    }
    if !uniform.is_empty() {
        p.out.push('(');
        p.values(&uniform);
        p.out.push_str(" : ");
        for (i, &value) in uniform.iter().enumerate() {
            p.out.push_str(if i > 0 { ", " } else { "" });
            p.ty(ir.type_of(value));
        }
        p.out.push(')');
    }
    p.out.push_str(" {");
    let accesses = ir.attr_id(op, "resource_accesses").and_then(|attr| ir.ints(attr)).unwrap_or_default();
    let [resources, sizes, offsets, lengths] = [2, 3, 4, 5].map(|number| group(ir, op, number));
    p.deeper(|p| {
        for (i, &access) in accesses.iter().enumerate() {
            p.out.push_str(if i > 0 { "," } else { "" });
            p.newline();
            let word = ACCESSES.iter().find(|row| row.1 == access).map_or("", |row| row.0);
            p.out.push_str(word);
            p.out.push(' ');
            p.value(resources[i]);
            p.out.push('[');
            p.value(offsets[i]);
            p.out.push_str(" for ");
            p.value(lengths[i]);
            p.out.push_str("] : ");
            p.ty(ir.type_of(resources[i]));
            p.out.push('{');
            p.value(sizes[i]);
            p.out.push('}');
        }
    });
    p.newline();
    p.out.push('}');
    p.attr_dict_keyword(op, &["entry_points", "resource_accesses", "operandSegmentSizes"]);
}

/// `sync %t => %a, %b : type{%n}, type{%n}`
pub(super) fn read_await(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    if p.eat_word("sync") {
        p.flag(&mut parts, "sync");
    }
    let timepoint = p.operand()?;
    arrow(p)?;
    let resources = p.operands()?;
    let start = p.tok.start;
    p.expect(b':')?;
    let typed = p.commas(sized)?;
    let span = Span::new(start, p.tok.start);
    let types: Vec<TypeId> = typed.iter().map(|typed| typed.0).collect();
    let sizes: Vec<Operand<'_>> = typed.iter().map(|typed| typed.1).collect();
    p.resolve_each(&resources, &types, span, &mut parts.operands)?;
    let index = p.ir.index_type();
    p.resolve_all(&sizes, index, &mut parts.operands)?;
    let ty = p.ir.intern_str("stream.timepoint");
    let ty = p.ir.intern_type(Type::Dialect(ty));
    let timepoint = p.resolve(timepoint, ty)?;
    parts.operands.push(timepoint);
    parts.results = types;
    p.put_segments(&mut parts, &[resources.len(), sizes.len(), 1]);
    p.attr_dict_keyword(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_await(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push_str(if ir.attr_id(op, "sync").is_some() { " sync " } else { " " });
    let [resources, sizes, timepoint] = [0, 1, 2].map(|number| group(ir, op, number));
    p.values(&timepoint);
    p.out.push_str(" => ");
    p.values(&resources);
    p.out.push_str(" : ");
    for (i, (&resource, &size)) in resources.iter().zip(&sizes).enumerate() {
        p.out.push_str(if i > 0 { ", " } else { "" });
        p.ty(ir.type_of(resource));
        p.out.push('{');
        p.value(size);
        p.out.push('}');
    }
    p.attr_dict_keyword(op, &["sync", "operandSegmentSizes"]);
}
