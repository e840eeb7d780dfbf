//! `pcf.generic`, `pcf.loop` and `pcf.br.cond_return`: workers in parallel, who write the results through references.

use super::super::lexer::Kind;
use super::super::parser::{Operand, Parser, Parts, Res};
use super::super::print_type;
use super::super::printer::Printer;
use super::ensure_end;
use super::host::{dynamic_extents, group, write_shaped_type};
use crate::attrs::Attr;
use crate::ids::{OpId, TypeId};
use crate::ops::Opcode;
use crate::types::Type;

/// `sync scope(#s) initialize { … } -> (%x: type) execute(%ref = %init, …)[%id: index] : (types) -> (types) { … }`;
/// a loop has `count(%n)` instead of an initializer.
pub(super) fn read_workers(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let is_loop = p.ir.opcode(op) == Opcode::PcfLoop;
    let span = p.ir.span(op);
    let mut parts = p.parts();
    let sync = p.eat_word("sync") && !p.eat_word("false");
    p.eat_word("true");
    let sync = p.ir.intern(Attr::Bool(sync));
    p.put(&mut parts, "sync_on_return", sync);
    p.expect_word("scope")?;
    p.expect(b'(')?;
    let scope = p.attr()?;
    p.put(&mut parts, "scope", scope);
    p.expect(b')')?;
    let mut count = Vec::new();
    let mut args: Vec<(Operand<'_>, TypeId)> = Vec::new();
    if is_loop {
        p.expect_word("count")?;
        count = p.list(b'(', b')', Parser::operand)?;
    } else {
        let region = p.ir.add_region(op);
        if p.eat_word("initialize") {
            p.region_into(region, &[])?;
        }
        if p.eat_kind(Kind::Arrow) {
            args = p.arguments(b'(', b')')?;
        }
    }
    let n_leading = args.len();
    p.expect_word("execute")?;
    let mut refs = Vec::new();
    if p.at(b'(') {
        refs = p.list(b'(', b')', |p| {
            let arg = p.operand()?;
            let init = if p.eat(b'=') { Some(p.operand()?) } else { None };
            Ok((arg, init))
        })?;
    }
    let ids = p.arguments(b'[', b']')?;
    let mut dims = Vec::new();
    if !refs.is_empty() {
        p.expect(b':')?;
        let types = p.list(b'(', b')', Parser::ty)?;
        if types.len() != refs.len() {
            return Err(p.error(span, format!("{} references, but {} types", refs.len(), types.len())));
        }
        args.extend(refs.iter().zip(types).map(|(r, ty)| (r.0, ty)));
        p.expect_kind(Kind::Arrow, "`->`")?;
        parts.results = p.list(b'(', b')', |p| {
            let span = p.tok.span();
            let ty = p.ty()?;
            if p.ir[ty].shape().is_none() {
                return Err(p.error(span, "result type must be a shaped type"));
            }
            if p.at(b'{') {
                let given = p.list(b'{', b'}', Parser::operand)?;
                let (expected, found) = (dynamic_extents(p.ir, ty), given.len());
                if found != expected {
                    let ty = print_type(p.ir, ty);
                    let message =
                        format!("expected {expected} dynamic dimension operands for type `{ty}`, but got {found}");
                    return Err(p.error(span, message));
                }
                dims.extend(given);
            }
            Ok(ty)
        })?;
        if parts.results.len() != refs.len() {
            return Err(p.error(span, format!("{} references, but {} results", refs.len(), parts.results.len())));
        }
    }
    args.extend(ids);
    let region = p.region(op, &args)?;
    if p.ir.blocks(region).is_empty() {
        p.ir.add_block(region, &[]);
    }
    if is_loop {
        ensure_end(p, region, "pcf.return", span);
    }
    let index = p.ir.index_type();
    p.resolve_all(&count, index, &mut parts.operands)?;
    let results = parts.results.clone();
    let inits: Vec<(Operand<'_>, TypeId)> =
        refs.iter().zip(results).filter_map(|(r, ty)| r.1.map(|init| (init, ty))).collect();
    for &(init, ty) in &inits {
        let value = p.resolve(init, ty)?;
        parts.operands.push(value);
    }
    p.resolve_all(&dims, index, &mut parts.operands)?;
    if is_loop {
        p.put_segments(&mut parts, &[count.len(), inits.len(), dims.len()]);
    } else {
        p.put_segments(&mut parts, &[inits.len(), dims.len()]);
        let n_ids = args[n_leading..].iter().rev().take_while(|arg| p.ir[arg.1] == Type::Index).count();
        for (name, n) in [("num_index_args", n_ids), ("num_leading_args", n_leading)] {
            let n = p.ir.i64_attr(n as i64);
            p.put(&mut parts, name, n);
        }
    }
    let tied = refs.iter().map(|r| p.ir.intern(Attr::Bool(r.1.is_some()))).collect();
    let tied = p.ir.intern(Attr::Array(tied));
    p.put(&mut parts, "is_tied", tied);
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_workers(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let is_loop = ir.opcode(op) == Opcode::PcfLoop;
    if ir.attr(op, "sync_on_return") == Some(&Attr::Bool(true)) {
        p.out.push_str(" sync true");
    }
    p.out.push_str(" scope(");
    if let Some(scope) = ir.attr_id(op, "scope") {
        p.attr(scope);
    }
    p.out.push(')');
    let (inits, dims) =
        if is_loop { (group(ir, op, 1), group(ir, op, 2)) } else { (group(ir, op, 0), group(ir, op, 1)) };
    let mut n_leading = 0;
    if is_loop {
        p.out.push_str(" count(");
        p.values(&group(ir, op, 0));
        p.out.push(')');
    } else {
        if ir.body(op, 0).is_some() {
            p.out.push_str(" initialize ");
            p.region(ir.regions(op)[0], true, true);
        }
        n_leading = ir.attr(op, "num_leading_args").and_then(Attr::as_i64).unwrap_or(0).max(0) as usize;
    }
    let body = usize::from(!is_loop);
    let args = ir.body(op, body).map_or(&[][..], |block| ir.args(block));
    let (leading, rest) = args.split_at(n_leading.min(args.len()));
    if n_leading > 0 {
        p.out.push_str(" -> ");
        super::host::write_args(p, leading, '(', ')');
    }
    let results: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    let (refs, ids) = rest.split_at(results.len().min(rest.len()));
    let tied: Vec<bool> = match ir.attr(op, "is_tied") {
        Some(Attr::Array(items)) => items.iter().map(|&item| ir[item] == Attr::Bool(true)).collect(),
        _ => Vec::new(),
    };
    let is_tied = |i: usize| tied.get(i) == Some(&true);
    p.deeper(|p| {
        p.newline();
        p.out.push_str("execute");
        if !refs.is_empty() {
            let mut inits = inits.iter();
            p.out.push('(');
            for (i, &arg) in refs.iter().enumerate() {
                p.out.push_str(if i > 0 { ", " } else { "" });
                p.value(arg);
                if is_tied(i)
                    && let Some(&init) = inits.next()
                {
                    p.out.push_str(" = ");
                    p.value(init);
                }
            }
            p.out.push(')');
        }
        super::host::write_args(p, ids, '[', ']');
        if !refs.is_empty() {
            p.newline();
            p.out.push_str("     : (");
            for (i, &arg) in refs.iter().enumerate() {
                p.out.push_str(if i > 0 { ", " } else { "" });
                p.ty(ir.type_of(arg));
            }
            p.out.push(')');
            p.newline();
            p.out.push_str("    -> (");
            let mut dims = &dims[..];
            for (i, &ty) in results.iter().enumerate() {
                p.out.push_str(if i > 0 { ", " } else { "" });
                if is_tied(i) {
                    p.ty(ty);
                } else {
                    write_shaped_type(p, ty, &mut dims);
                }
            }
            p.out.push(')');
        }
    });
    p.out.push(' ');
    p.region(ir.regions(op)[body], false, true);
    let shown = ["scope", "is_tied", "sync_on_return", "num_index_args", "num_leading_args", "operandSegmentSizes"];
    p.attr_dict(op, &shown);
}

/// `%condition ^block(%a : type)`
pub(super) fn read_cond_return(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts: Parts = p.parts();
    let condition = p.operand()?;
    let i1 = p.ir.int_type(1);
    let condition = p.resolve(condition, i1)?;
    parts.operands.push(condition);
    super::flow::target(p, &mut parts)?;
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_cond_return(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    p.value(ir.operand(op, 0));
    p.out.push(' ');
    if let Some(&block) = ir.successors(op).first() {
        super::flow::write_target(p, block, &ir.operands(op)[1..]);
    }
    p.attr_dict(op, &[]);
}
