//! `gpu.launch`, and the memory that it and `gpu.func` attribute to workgroups and threads.

use super::super::parser::{Operand, Parser, Parts, Res};
use super::super::printer::Printer;
use crate::attrs::Attr;
use crate::ids::{AttrId, OpId, TypeId, ValueId};
use crate::types::Type;

/// What a launch names for each of its kinds of sizes: its word, and the number of its ids among the arguments of the
/// body, where those of the sizes stand further on.
const SIZES: [(&str, usize); 3] = [("clusters", 12), ("blocks", 0), ("threads", 3)];

/// `workgroup(%a : memref<4xf32, 3>) private(%b : memref<4xf32, 5>)`, behind the arguments that are there already.
pub(super) fn read_attributions<'a>(
    p: &mut Parser<'a, '_>,
    parts: &mut Parts,
    args: &mut Vec<(Operand<'a>, TypeId)>,
) -> Res<()> {
    for (word, attrs) in [("workgroup", "workgroup_attrib_attrs"), ("private", "private_attrib_attrs")] {
        if !p.eat_word(word) {
            continue;
        }
        let before = args.len();
        let dicts = p.list(b'(', b')', |p| {
            let arg = p.operand()?;
            p.expect(b':')?;
            args.push((arg, p.ty()?));
            let mut entries = Vec::new();
            if p.at(b'{') {
                p.attr_entries(&mut entries)?;
            }
            p.location(arg.span)?;
            p.dict_attr(&mut entries)
        })?;
        if word == "workgroup" {
            let count = p.ir.i64_attr((args.len() - before) as i64);
            p.put(parts, "workgroup_attributions", count);
        }
        if dicts.iter().any(|&dict| !p.ir.entries(dict).is_empty()) {
            let dicts = p.ir.intern(Attr::Array(dicts));
            p.put(parts, attrs, dicts);
        }
    }
    Ok(())
}

/// The inverse; `args` are those behind the operation's own.
pub(super) fn write_attributions(p: &mut Printer<'_>, op: OpId, args: &[ValueId]) {
    let count = p.ir.attr(op, "workgroup_attributions").and_then(Attr::as_i64).unwrap_or(0);
    let (workgroup, private) = args.split_at(usize::try_from(count).unwrap_or(0).min(args.len()));
    let groups = [("workgroup", "workgroup_attrib_attrs", workgroup), ("private", "private_attrib_attrs", private)];
    for (word, attrs, args) in groups {
        if args.is_empty() {
            continue;
        }
        let dicts: &[AttrId] = match p.ir.attr(op, attrs) {
            Some(Attr::Array(dicts)) => dicts,
            _ => &[],
        };
        p.out.push(' ');
        p.out.push_str(word);
        for (i, &arg) in args.iter().enumerate() {
            p.out.push_str(if i > 0 { ", " } else { "(" });
            p.value(arg);
            p.out.push_str(" : ");
            p.ty(p.ir.type_of(arg));
            super::func::attrs_of(p, dicts.get(i));
            p.location_of_arg(arg);
        }
        p.out.push(')');
    }
}

/// `async [%t] <%stream : T> blocks(%x, %y, %z) in (%gx = %a, …) threads(…) in (…) dynamic_shared_memory_size %n
/// module(@m) function(@f) workgroup(…) private(…) { … } {…}`, with `clusters` in front of `blocks` where there are any.
pub(super) fn read_launch(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let token = p.ir.intern_str("gpu.async.token");
    let token = p.ir.intern_type(Type::Dialect(token));
    let index = p.ir.index_type();
    if p.eat_word("async") {
        parts.results.push(token);
    }
    let mut sizes = vec![0; 12];
    if p.at(b'[') {
        let tokens = p.list(b'[', b']', Parser::operand)?;
        sizes[0] = tokens.len();
        p.resolve_all(&tokens, token, &mut parts.operands)?;
    }
    let mut stream = None;
    if p.eat(b'<') {
        let value = p.operand()?;
        p.expect(b':')?;
        let ty = p.ty()?;
        p.expect(b'>')?;
        stream = Some(p.resolve(value, ty)?);
    }
    let mut args: Vec<Option<Operand<'_>>> = vec![None; 18];
    let mut extents: [Vec<ValueId>; 3] = Default::default();
    for (i, (word, first)) in SIZES.into_iter().enumerate() {
        if word == "clusters" && !p.at_word(word) {
            continue;
        }
        p.expect_word(word)?;
        let open = p.tok.span();
        let ids = p.list(b'(', b')', Parser::operand)?;
        p.expect_word("in")?;
        let pairs = p.list(b'(', b')', |p| {
            let arg = p.operand()?;
            p.expect(b'=')?;
            Ok((arg, p.operand()?))
        })?;
        if ids.len() != 3 || pairs.len() != 3 {
            return Err(p.error(open, format!("`{word}` has three ids and three sizes")));
        }
        let sizes_at = if word == "clusters" { first + 3 } else { first + 6 };
        for n in 0..3 {
            args[first + n] = Some(ids[n]);
            args[sizes_at + n] = Some(pairs[n].0);
            extents[i].push(p.resolve(pairs[n].1, index)?);
        }
    }
    let [clusters, blocks, threads] = extents;
    sizes[1..7].fill(1);
    sizes[7..10].fill(usize::from(!clusters.is_empty()));
    parts.operands.extend(blocks.into_iter().chain(threads).chain(clusters));
    if p.eat_word("dynamic_shared_memory_size") {
        let size = p.operand()?;
        let i32 = p.ir.int_type(32);
        parts.operands.push(p.resolve(size, i32)?);
        sizes[10] = 1;
    }
    if let Some(stream) = stream {
        parts.operands.push(stream);
        sizes[11] = 1;
    }
    p.put_segments(&mut parts, &sizes);
    for word in ["module", "function"] {
        if p.eat_word(word) {
            p.expect(b'(')?;
            let symbol = p.attr()?;
            p.expect(b')')?;
            p.put(&mut parts, word, symbol);
        }
    }
    let mut args: Vec<(Operand<'_>, TypeId)> = args.into_iter().flatten().map(|arg| (arg, index)).collect();
    read_attributions(p, &mut parts, &mut args)?;
    p.region(op, &args)?;
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_launch(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let groups = ir.segments(op);
    if ir.results(op).len() > 0 {
        p.out.push_str(" async");
    }
    if !groups[0].is_empty() {
        p.out.push_str(" [");
        p.values(groups[0]);
        p.out.push(']');
    }
    if let [stream] = groups[11] {
        p.out.push_str(" <");
        p.value(*stream);
        p.out.push_str(" : ");
        p.ty(ir.type_of(*stream));
        p.out.push('>');
    }
    let args = ir.args(ir.entry(op));
    let has_clusters = !groups[7].is_empty();
    for (word, first) in SIZES {
        let (operands, sizes_at) = match word {
            "clusters" if !has_clusters => continue,
            "clusters" => (7, first + 3),
            _ => (1 + first, first + 6),
        };
        p.out.push(' ');
        p.out.push_str(word);
        p.out.push('(');
        p.values(&args[first..first + 3]);
        p.out.push_str(") in (");
        for n in 0..3 {
            p.out.push_str(if n > 0 { ", " } else { "" });
            p.value(args[sizes_at + n]);
            p.out.push_str(" = ");
            p.values(groups[operands + n]);
        }
        p.out.push(')');
    }
    if let [size] = groups[10] {
        p.out.push_str(" dynamic_shared_memory_size ");
        p.value(*size);
    }
    for word in ["module", "function"] {
        if let Some(symbol) = ir.attr_id(op, word) {
            p.out.push(' ');
            p.out.push_str(word);
            p.out.push('(');
            p.attr(symbol);
            p.out.push(')');
        }
    }
    write_attributions(p, op, &args[if has_clusters { 18 } else { 12 }..]);
    p.out.push(' ');
    p.region(ir.regions(op)[0], false, true);
    p.attr_dict(op, &["operandSegmentSizes", "workgroup_attributions", "module", "function"]);
}
