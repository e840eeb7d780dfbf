//! `affine.for`, `affine.parallel`, `affine.if`, `affine.apply`, `affine.min`, `affine.max`, and memory accesses whose
//! indices are affine expressions.

use super::super::lexer::Kind;
use super::super::parser::{Operand, Parser, Res};
use super::super::printer::Printer;
use super::{read_body, write_body};
use crate::affine::{Expr, Map};
use crate::attrs::Attr;
use crate::diag::Span;
use crate::form::{Body, RMW, Shape};
use crate::ids::{AttrId, OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;

/// `(%dims)[%symbols]` behind a map or set; checks their numbers.
fn map_operands<'a>(p: &mut Parser<'a, '_>, dims: u32, syms: u32) -> Res<Vec<Operand<'a>>> {
    let start = p.tok.start;
    let mut operands = p.list(b'(', b')', Parser::operand)?;
    let n_dims = operands.len();
    if p.at(b'[') {
        operands.extend(p.list(b'[', b']', Parser::operand)?);
    }
    let n_syms = operands.len() - n_dims;
    if n_dims != dims as usize || n_syms != syms as usize {
        let message = format!(
            "operand count and affine map dimension and symbol count must match: the map takes {dims} dimensions and \
             {syms} symbols, not {n_dims} and {n_syms}"
        );
        return Err(p.error(Span::new(start, p.tok.start), message));
    }
    Ok(operands)
}

fn write_map_operands(p: &mut Printer<'_>, dims: usize, operands: &[ValueId]) {
    let (dims, syms) = operands.split_at(dims.min(operands.len()));
    p.out.push('(');
    p.values(dims);
    p.out.push(')');
    if !syms.is_empty() {
        p.out.push('[');
        p.values(syms);
        p.out.push(']');
    }
}

/// `affine_map<…>(%a)[%b]` of `affine.apply`, `affine.min` and `affine.max`.
pub(super) fn read_apply(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let start = p.tok.start;
    let map = p.attr()?;
    let Attr::Map(found) = &p.ir[map] else {
        return Err(p.error(Span::new(start, p.tok.start), "expected an affine map"));
    };
    let (dims, syms) = (found.dims, found.syms);
    p.put(&mut parts, "map", map);
    let operands = map_operands(p, dims, syms)?;
    p.attr_dict(&mut parts)?;
    let index = p.ir.index_type();
    p.resolve_all(&operands, index, &mut parts.operands)?;
    parts.results.push(index);
    p.finish(op, parts)
}

pub(super) fn write_apply(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    if let Some(map) = ir.attr_id(op, "map") {
        p.attr(map);
    }
    write_map_operands(p, ir.map(op, "map").map_or(0, |map| map.dims as usize), ir.operands(op));
    p.attr_dict(op, &["map"]);
}

/// A bound of a loop: a number, a value, or a map with its operands and `max` or `min` in front.
fn bound<'a>(p: &mut Parser<'a, '_>, word: &str) -> Res<(Map, Vec<Operand<'a>>)> {
    let chooses = p.eat_word(word);
    if p.tok.kind == Kind::Value {
        let value = p.operand()?;
        return Ok((Map { dims: 0, syms: 1, results: vec![Expr::Sym(0)] }, vec![value]));
    }
    if matches!(p.tok.kind, Kind::Int | Kind::Punct(b'-')) {
        let number = p.int("a bound")?;
        return Ok((Map { dims: 0, syms: 0, results: vec![Expr::Const(number)] }, Vec::new()));
    }
    let start = p.tok.start;
    let map = p.attr()?;
    let Attr::Map(map) = p.ir[map].clone() else {
        return Err(p.error(Span::new(start, p.tok.start), "expected an affine map, a number or a value"));
    };
    if map.results.len() > 1 && !chooses {
        let side = if word == "max" { "lower" } else { "upper" };
        let message = format!("{side} loop bound affine map with multiple results requires '{word}' prefix");
        return Err(p.error(Span::new(start, p.tok.start), message));
    }
    let operands = map_operands(p, map.dims, map.syms)?;
    Ok((map, operands))
}

fn write_bound(p: &mut Printer<'_>, op: OpId, name: &str, word: &str, operands: &[ValueId]) {
    let ir = p.ir;
    let (Some(map), Some(attr)) = (ir.map(op, name), ir.attr_id(op, name)) else { return };
    match (&map.results[..], operands) {
        ([Expr::Const(number)], []) => p.out.push_str(&number.to_string()),
        ([Expr::Sym(0)], &[value]) => p.value(value),
        (results, operands) => {
            if results.len() > 1 {
                p.out.push_str(word);
                p.out.push(' ');
            }
            p.attr(attr);
            write_map_operands(p, map.dims as usize, operands);
        }
    }
}

/// `%i = 0 to %n step 2 iter_args(%a = %x) -> (f32) { … } {…}`
pub(super) fn read_for(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let start = p.tok.start;
    let mut parts = p.parts();
    let index = p.ir.index_type();
    let iv = p.operand()?;
    p.expect(b'=')?;
    let mut sizes = Vec::new();
    for (name, word) in [("lowerBoundMap", "max"), ("upperBoundMap", "min")] {
        let (map, operands) = bound(p, word)?;
        sizes.push(operands.len());
        p.resolve_all(&operands, index, &mut parts.operands)?;
        let map = p.ir.intern(Attr::Map(map));
        p.put(&mut parts, name, map);
        if name == "lowerBoundMap" {
            p.expect_word("to")?;
        }
    }
    let at = p.tok.start;
    let step = if p.eat_word("step") { p.int("a step")? } else { 1 };
    if step < 1 {
        let message = "expected step to be representable as a positive signed integer";
        return Err(p.error(Span::new(at, p.tok.start), message));
    }
    let step = p.ir.intern(Attr::Int { value: step.into(), ty: index });
    p.put(&mut parts, "step", step);
    let (mut args, mut inits) = (Vec::new(), Vec::new());
    if p.eat_word("iter_args") {
        (args, inits) = super::scf::assignments(p)?.into_iter().unzip();
        parts.results = p.arrow_types()?;
    }
    let results = parts.results.clone();
    p.resolve_each(&inits, &results, Span::new(start, p.tok.start), &mut parts.operands)?;
    sizes.push(inits.len());
    p.put_segments(&mut parts, &sizes);
    let args: Vec<(Operand<'_>, TypeId)> = std::iter::once((iv, index)).chain(args.into_iter().zip(results)).collect();
    read_body(p, op, Shape::of(Opcode::AffineFor).bodies[0], &args)?;
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_for(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let groups = ir.segments(op);
    let args = ir.args(ir.entry(op));
    p.out.push(' ');
    p.value(args[0]);
    p.out.push_str(" = ");
    write_bound(p, op, "lowerBoundMap", "max", groups[0]);
    p.out.push_str(" to ");
    write_bound(p, op, "upperBoundMap", "min", groups[1]);
    let step = ir.attr(op, "step").and_then(Attr::as_i64).unwrap_or(1);
    if step != 1 {
        p.out.push_str(&format!(" step {step}"));
    }
    if !groups[2].is_empty() {
        p.out.push_str(" iter_args(");
        for (i, (&arg, &init)) in args[1..].iter().zip(groups[2]).enumerate() {
            p.out.push_str(if i > 0 { ", " } else { "" });
            p.value(arg);
            p.out.push_str(" = ");
            p.value(init);
        }
        p.out.push_str(") -> (");
        p.types_of(groups[2].iter().copied());
        p.out.push(')');
    }
    p.out.push(' ');
    p.region(ir.regions(op)[0], false, !groups[2].is_empty());
    p.attr_dict(op, &["operandSegmentSizes", "lowerBoundMap", "upperBoundMap", "step"]);
}

/// `(%i, %j) = (0, %n) to (%n, min(%a, %b)) step (1, 2) reduce ("addf") -> (f32) { … } {…}`
pub(super) fn read_parallel(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let index = p.ir.index_type();
    let ivs = p.list(b'(', b')', Parser::operand)?;
    p.expect(b'=')?;
    for (map_name, groups_name, word) in BOUNDS {
        let (map, sizes, operands) = p.affine_groups(word)?;
        p.resolve_all(&operands, index, &mut parts.operands)?;
        let map = p.ir.intern(Attr::Map(map));
        p.put(&mut parts, map_name, map);
        let i32 = p.ir.int_type(32);
        let ty = p.ir.tensor_type(&[sizes.len() as i64], i32);
        let splat = !sizes.is_empty() && sizes.iter().all(|size| *size == sizes[0]);
        let bytes = sizes[..if splat { 1 } else { sizes.len() }].iter().flat_map(|&size| (size as i32).to_le_bytes());
        let groups = Attr::Dense { ty, splat, bytes: bytes.collect() };
        let groups = p.ir.intern(groups);
        p.put(&mut parts, groups_name, groups);
        if word == "max" {
            p.expect_word("to")?;
        }
    }
    let steps = if p.eat_word("step") { p.list(b'(', b')', |p| p.int("a step"))? } else { vec![1; ivs.len()] };
    let steps = p.ir.i64_array(&steps);
    p.put(&mut parts, "steps", steps);
    let reductions = if p.eat_word("reduce") { p.list(b'(', b')', reduction)? } else { Vec::new() };
    let reductions = p.ir.i64_array(&reductions);
    p.put(&mut parts, "reductions", reductions);
    parts.results = p.arrow_types()?;
    let args: Vec<(Operand<'_>, TypeId)> = ivs.into_iter().map(|iv| (iv, index)).collect();
    read_body(p, op, Shape::of(Opcode::AffineParallel).bodies[0], &args)?;
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

/// The attributes of lower and upper bounds, and what a bound with several expressions is.
const BOUNDS: [(&str, &str, &str); 2] =
    [("lowerBoundsMap", "lowerBoundsGroups", "max"), ("upperBoundsMap", "upperBoundsGroups", "min")];

/// `"addf"`
fn reduction(p: &mut Parser<'_, '_>) -> Res<i64> {
    let tok = p.expect_kind(Kind::Str, "a reduction such as `\"addf\"`")?;
    let word = p.text(tok).trim_matches('"');
    let kind = RMW.words.iter().position(|known| *known == word);
    kind.map(|kind| kind as i64).ok_or_else(|| p.error(tok.span(), format!("invalid reduction value: \"{word}\"")))
}

pub(super) fn write_parallel(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let mut operands = ir.operands(op);
    let ivs = ir.args(ir.entry(op));
    let rank = ivs.len();
    p.out.push_str(" (");
    p.values(ivs);
    p.out.push(')');
    for (map, groups, word) in BOUNDS {
        p.out.push_str(if word == "max" { " = (" } else { " to (" });
        let Some(map) = ir.map(op, map) else { continue };
        let (given, rest) = operands.split_at((map.dims + map.syms) as usize);
        operands = rest;
        let mut exprs = &map.results[..];
        for (i, size) in ir.dense_ints(op, groups, rank).into_iter().enumerate() {
            p.out.push_str(if i > 0 { ", " } else { "" });
            let (group, rest) = exprs.split_at(size as usize);
            exprs = rest;
            if let [expr] = group {
                write_expr(p, &expr.to_string(), map.dims as usize, given);
            } else {
                p.out.push_str(word);
                p.out.push('(');
                write_exprs(p, group, map.dims as usize, given);
                p.out.push(')');
            }
        }
        p.out.push(')');
    }
    let ints = |name| ir.attr_id(op, name).and_then(|attr| ir.ints(attr)).unwrap_or_default();
    let steps: Vec<i64> = ints("steps");
    if steps.iter().any(|&step| step != 1) {
        let steps: Vec<String> = steps.iter().map(i64::to_string).collect();
        p.out.push_str(&format!(" step ({})", steps.join(", ")));
    }
    if ir.results(op).len() > 0 {
        let words: Vec<String> =
            ints("reductions").iter().map(|&kind| format!("\"{}\"", RMW.words[kind as usize])).collect();
        p.out.push_str(&format!(" reduce ({}) -> (", words.join(", ")));
        p.types_of(ir.results(op));
        p.out.push(')');
    }
    p.out.push(' ');
    p.region(ir.regions(op)[0], false, ir.results(op).len() > 0);
    p.attr_dict(op, &Shape::of(Opcode::AffineParallel).attrs.iter().map(|attr| attr.name).collect::<Vec<_>>());
}

/// `affine_set<…>(%i)[%n] -> f32 { … } else { … } {…}`
pub(super) fn read_if(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let start = p.tok.start;
    let set = p.attr()?;
    let Attr::Set(found) = &p.ir[set] else {
        return Err(p.error(Span::new(start, p.tok.start), "expected an integer set"));
    };
    let (dims, syms) = (found.dims, found.syms);
    p.put(&mut parts, "condition", set);
    let operands = map_operands(p, dims, syms)?;
    let index = p.ir.index_type();
    p.resolve_all(&operands, index, &mut parts.operands)?;
    parts.results = p.arrow_types()?;
    let bodies = &Shape::of(Opcode::AffineIf).bodies;
    read_body(p, op, bodies[0], &[])?;
    if p.eat_word("else") {
        // Said is said, even where nothing stands between the braces.
        read_body(p, op, Body { empty: false, ..bodies[1] }, &[])?;
    } else {
        p.ir.add_region(op);
    }
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_if(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    if let Some(set) = ir.attr_id(op, "condition") {
        p.attr(set);
    }
    let dims = match ir.attr(op, "condition") {
        Some(Attr::Set(set)) => set.dims as usize,
        _ => 0,
    };
    write_map_operands(p, dims, ir.operands(op));
    let types: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    if !types.is_empty() {
        p.out.push_str(" -> ");
        p.type_list(&types);
    }
    p.out.push(' ');
    write_body(p, op, 0);
    if ir.body(op, 1).is_some() {
        p.out.push_str(" else ");
        write_body(p, op, 1);
    }
    p.attr_dict(op, &["condition"]);
}

/// `%m[%i + 1, symbol(%n)] {…} : M`, with a value and a comma in front for stores and a vector type behind for vectors.
pub(super) fn read_access(p: &mut Parser<'_, '_>, opcode: Opcode, op: OpId) -> Res<()> {
    let stores = matches!(opcode, Opcode::AffineStore | Opcode::AffineVectorStore);
    let vectors = matches!(opcode, Opcode::AffineVectorLoad | Opcode::AffineVectorStore);
    let mut parts = p.parts();
    let value = if stores {
        let value = p.operand()?;
        p.expect(b',')?;
        Some(value)
    } else {
        None
    };
    let memref = p.operand()?;
    let (map, indices) = p.affine_of_values()?;
    let map = p.ir.intern(Attr::Map(map));
    p.put(&mut parts, "map", map);
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let ty = p.ty()?;
    let elem = if vectors {
        p.expect(b',')?;
        p.ty()?
    } else {
        p.elem(ty)
    };
    if let Some(value) = value {
        let value = p.resolve(value, elem)?;
        parts.operands.push(value);
    } else {
        parts.results.push(elem);
    }
    let memref = p.resolve(memref, ty)?;
    parts.operands.push(memref);
    let index = p.ir.index_type();
    p.resolve_all(&indices, index, &mut parts.operands)?;
    p.finish(op, parts)
}

pub(super) fn write_access(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let operands = ir.operands(op);
    let stores = matches!(ir.opcode(op), Opcode::AffineStore | Opcode::AffineVectorStore);
    let at = usize::from(stores);
    p.out.push(' ');
    if stores {
        p.value(operands[0]);
        p.out.push_str(", ");
    }
    write_place(p, op, "map", &operands[at..]);
    p.attr_dict(op, &["map"]);
    p.out.push_str(" : ");
    p.ty(ir.type_of(operands[at]));
    if let Some(vector) = vector_type(ir, op) {
        p.out.push_str(", ");
        p.ty(vector);
    }
}

/// `%m[%i + 1, symbol(%n)]` of the operands from the memref on; gives those behind.
fn write_place<'v>(p: &mut Printer<'_>, op: OpId, name: &str, operands: &'v [ValueId]) -> &'v [ValueId] {
    let Some((&memref, rest)) = operands.split_first() else { return operands };
    p.value(memref);
    p.out.push('[');
    let (dims, n) = p.ir.map(op, name).map_or((0, 0), |map| (map.dims, map.dims + map.syms));
    let (indices, rest) = rest.split_at(n as usize);
    if let Some(map) = p.ir.map(op, name) {
        write_exprs(p, &map.results, dims as usize, indices);
    }
    p.out.push(']');
    rest
}

/// `%m[%i, %j], read, locality<3>, data {…} : M`
pub(super) fn read_prefetch(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let memref = p.operand()?;
    let (map, indices) = p.affine_of_values()?;
    let map = p.ir.intern(Attr::Map(map));
    p.put(&mut parts, "map", map);
    p.expect(b',')?;
    let is_write = either(p, ["read", "write"], "rw specifier has to be 'read' or 'write'")?;
    p.put(&mut parts, "isWrite", is_write);
    p.expect(b',')?;
    p.expect_word("locality")?;
    p.expect(b'<')?;
    let ty = p.ir.int_type(32);
    let hint = Attr::Int { value: p.int("a number from 0 to 3")?.into(), ty };
    let hint = p.ir.intern(hint);
    p.put(&mut parts, "localityHint", hint);
    p.expect(b'>')?;
    p.expect(b',')?;
    let is_data = either(p, ["instr", "data"], "cache type has to be 'data' or 'instr'")?;
    p.put(&mut parts, "isDataCache", is_data);
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let ty = p.ty()?;
    let memref = p.resolve(memref, ty)?;
    parts.operands.push(memref);
    let index = p.ir.index_type();
    p.resolve_all(&indices, index, &mut parts.operands)?;
    p.finish(op, parts)
}

/// One of two words, as `false` or `true`.
fn either(p: &mut Parser<'_, '_>, words: [&str; 2], otherwise: &str) -> Res<AttrId> {
    let span = p.tok.span();
    let word = p.word("a word")?;
    let at = words.iter().position(|known| *known == word).ok_or_else(|| p.error(span, otherwise))?;
    Ok(p.ir.intern(Attr::Bool(at == 1)))
}

pub(super) fn write_prefetch(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    write_place(p, op, "map", ir.operands(op));
    let is = |name| ir.attr(op, name) == Some(&Attr::Bool(true));
    p.out.push_str(if is("isWrite") { ", write, locality<" } else { ", read, locality<" });
    p.number(ir.attr(op, "localityHint").and_then(Attr::as_i64).unwrap_or(0));
    p.out.push_str(if is("isDataCache") { ">, data" } else { ">, instr" });
    p.attr_dict(op, &["map", "isWrite", "localityHint", "isDataCache"]);
    p.out.push_str(" : ");
    p.ty(ir.type_of(ir.operand(op, 0)));
}

/// The maps of a copy, or of the wait for one, in the order of their memrefs.
pub(crate) fn dma_maps(opcode: Opcode) -> &'static [&'static str] {
    if opcode == Opcode::AffineDmaStart { &["src_map", "dst_map", "tag_map"] } else { &["tag_map"] }
}

/// `%src[%i], %dst[%j], %tag[%c], %n, %stride, %per_stride : S, D, T`; a wait has the tag and the number alone.
pub(super) fn read_dma(p: &mut Parser<'_, '_>, opcode: Opcode, op: OpId) -> Res<()> {
    let start = p.tok.start;
    let mut parts = p.parts();
    let mut places = Vec::new();
    for &name in dma_maps(opcode) {
        let memref = p.operand()?;
        let (map, indices) = p.affine_of_values()?;
        let map = p.ir.intern(Attr::Map(map));
        p.put(&mut parts, name, map);
        places.push((memref, indices));
        p.expect(b',')?;
    }
    let numbers = p.operands()?;
    let fits = numbers.len() == 1 || numbers.len() == 3 && opcode == Opcode::AffineDmaStart;
    if !fits {
        let message = "a copy has a number of elements, or this and two stride related operands";
        return Err(p.error(Span::new(start, p.tok.start), message));
    }
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let index = p.ir.index_type();
    for (i, (memref, indices)) in places.iter().enumerate() {
        if i > 0 {
            p.expect(b',')?;
        }
        let ty = p.ty()?;
        let memref = p.resolve(*memref, ty)?;
        parts.operands.push(memref);
        p.resolve_all(indices, index, &mut parts.operands)?;
    }
    p.resolve_all(&numbers, index, &mut parts.operands)?;
    p.finish(op, parts)
}

pub(super) fn write_dma(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let mut rest = ir.operands(op);
    let mut types = Vec::new();
    p.out.push(' ');
    for name in dma_maps(ir.opcode(op)) {
        types.extend(rest.first().map(|&memref| ir.type_of(memref)));
        rest = write_place(p, op, name, rest);
        p.out.push_str(", ");
    }
    p.values(rest);
    p.attr_dict(op, &["src_map", "dst_map", "tag_map"]);
    p.out.push_str(" : ");
    p.types(&types);
}

fn vector_type(ir: &Ir, op: OpId) -> Option<TypeId> {
    match ir.opcode(op) {
        Opcode::AffineVectorLoad => Some(ir.type_of(ir.result(op, 0))),
        Opcode::AffineVectorStore => Some(ir.type_of(ir.operand(op, 0))),
        _ => None,
    }
}

/// Whether the values in expressions that are made of values stand in the order of the operands, each of which is there
/// once: as it is read back.
pub(crate) fn spells_operands(ir: &Ir, op: OpId) -> bool {
    let (skipped, maps): (usize, &[&str]) = match ir.opcode(op) {
        Opcode::AffineLoad | Opcode::AffineVectorLoad | Opcode::AffinePrefetch => (1, &["map"]),
        Opcode::AffineStore | Opcode::AffineVectorStore => (2, &["map"]),
        Opcode::AffineDmaStart | Opcode::AffineDmaWait => (1, dma_maps(ir.opcode(op))),
        Opcode::AffineParallel => (0, &["lowerBoundsMap", "upperBoundsMap"]),
        _ => return true,
    };
    let mut rest = ir.operands(op);
    maps.iter().all(|name| {
        let Some(map) = ir.map(op, name) else { return false };
        let (dims, n) = (map.dims as usize, (map.dims + map.syms) as usize);
        let Some((given, others)) = rest.get(skipped..).and_then(|rest| rest.split_at_checked(n)) else { return false };
        rest = others;
        let (mut seen_dims, mut seen_syms) = (Vec::new(), Vec::new());
        for expr in &map.results {
            for word in expr.to_string().split(|c: char| !c.is_ascii_alphanumeric()) {
                let (seen, from) = match word.as_bytes().first() {
                    Some(b'd') => (&mut seen_dims, 0),
                    Some(b's') => (&mut seen_syms, dims),
                    _ => continue,
                };
                let value = word[1..].parse::<usize>().ok().and_then(|i| given.get(from + i)).copied();
                seen.extend(value.filter(|value| !seen.contains(value)));
            }
        }
        seen_dims.extend(seen_syms);
        seen_dims == given
    })
}

fn write_exprs(p: &mut Printer<'_>, exprs: &[Expr], dims: usize, operands: &[ValueId]) {
    for (i, expr) in exprs.iter().enumerate() {
        p.out.push_str(if i > 0 { ", " } else { "" });
        write_expr(p, &expr.to_string(), dims, operands);
    }
}

/// The text of an expression with values in the place of `d0` and `s0`.
fn write_expr(p: &mut Printer<'_>, text: &str, dims: usize, operands: &[ValueId]) {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_alphabetic()) {
        let (head, tail) = rest.split_at(at);
        p.out.push_str(head);
        let len = tail.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let (word, tail) = tail.split_at(len);
        rest = tail;
        let number = word[1..].parse::<usize>().ok();
        match (word.as_bytes()[0], number) {
            (b'd', Some(i)) if i < operands.len() => p.value(operands[i]),
            (b's', Some(i)) if dims + i < operands.len() => {
                p.out.push_str("symbol(");
                p.value(operands[dims + i]);
                p.out.push(')');
            }
            _ => p.out.push_str(word),
        }
    }
    p.out.push_str(rest);
}
