//! `nvgpu.mma.sync`, `amdgpu.mfma` with its scaled and sparse variants, `amdgpu.wmma`.

use super::super::lexer::Kind;
use super::super::parser::{Operand, Parser, Parts, Res};
use super::super::printer::Printer;
use crate::attrs::Attr;
use crate::build::keyword_attr;
use crate::diag::Span;
use crate::ids::{AttrId, OpId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;

/// `nvgpu.mma.sync(%a, %b, %c) mmaShape = [16, 8, 16] : (A, B, C) -> D`; the shape may stand in the dictionary.
pub(super) fn read_mma_sync(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let operands = p.list(b'(', b')', Parser::operand)?;
    loop {
        if p.eat_word("mmaShape") {
            p.expect(b'=')?;
            let shape = p.attr()?;
            p.put(&mut parts, "mmaShape", shape);
        } else if p.eat_word("tf32Enabled") {
            p.flag(&mut parts, "tf32Enabled");
        } else {
            break;
        }
        p.eat(b',');
    }
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let start = p.tok.start;
    let types = p.list(b'(', b')', Parser::ty)?;
    p.expect_kind(Kind::Arrow, "`->`")?;
    parts.results = p.result_types()?;
    p.resolve_each(&operands, &types, Span::new(start, p.tok.start), &mut parts.operands)?;
    p.finish(op, parts)
}

pub(super) fn write_mma_sync(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push('(');
    p.values(ir.operands(op));
    p.out.push_str(") mmaShape = ");
    if let Some(shape) = ir.attr_id(op, "mmaShape") {
        p.attr(shape);
    }
    if ir.attr_id(op, "tf32Enabled").is_some() {
        p.out.push_str(" tf32Enabled");
    }
    p.attr_dict(op, &["mmaShape", "tf32Enabled"]);
    p.out.push_str(" : ");
    p.functional_type(op);
}

fn i32_attr(ir: &mut Ir, value: i64) -> AttrId {
    let ty = ir.int_type(32);
    ir.intern(Attr::Int { value: value.into(), ty })
}

/// `16x16x16`
fn read_extents(p: &mut Parser<'_, '_>, op: OpId, parts: &mut Parts) -> Res<()> {
    let start = p.tok.start;
    let extents = p.dimension_list()?;
    if extents.len() != 3 || extents.iter().any(|&extent| i32::try_from(extent).is_err()) {
        let message = format!("'{}' expected 3 dimensions in MNK dimension list, as in `16x16x16`", p.ir.name(op));
        return Err(p.error(Span::new(start, p.tok.start), message));
    }
    for (name, &extent) in ["m", "n", "k"].into_iter().zip(&extents) {
        let extent = i32_attr(p.ir, extent);
        p.put(parts, name, extent);
    }
    Ok(())
}

fn write_extents(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let number = |name: &str| ir.attr(op, name).and_then(Attr::as_i64).unwrap_or(0);
    p.out.push_str(&format!(" {}x{}x{} ", number("m"), number("n"), number("k")));
}

/// `amdgpu.scaled_mfma 16x16x128 (%s[0] * %a) * (%t[1] * %b) + %c : S, A, T, B, C`
pub(super) fn read_scaled_mfma(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    read_extents(p, op, &mut parts)?;
    let mut factors = Vec::new();
    for name in ["scalesIdxA", "scalesIdxB"] {
        if name == "scalesIdxB" {
            p.expect(b'*')?;
        }
        p.expect(b'(')?;
        let scales = p.operand()?;
        p.expect(b'[')?;
        let index = p.int("an integer")?;
        p.expect(b']')?;
        p.expect(b'*')?;
        factors.push((scales, p.operand()?));
        p.expect(b')')?;
        let index = i32_attr(p.ir, index);
        p.put(&mut parts, name, index);
    }
    p.expect(b'+')?;
    let c = p.operand()?;
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let start = p.tok.start;
    let types = p.commas(Parser::ty)?;
    let span = Span::new(start, p.tok.start);
    let [of_sa, of_a, of_sb, of_b, of_c] = types[..] else {
        return Err(p.error(span, "expected five types: of each factor's scales and of itself, and of the sum"));
    };
    let [(sa, a), (sb, b)] = factors[..] else { unreachable!("there are two factors") };
    p.resolve_each(&[a, b, c, sa, sb], &[of_a, of_b, of_c, of_sa, of_sb], span, &mut parts.operands)?;
    parts.results.push(of_c);
    p.finish(op, parts)
}

pub(super) fn write_scaled_mfma(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let number = |name: &str| ir.attr(op, name).and_then(Attr::as_i64).unwrap_or(0);
    let [a, b, c, sa, sb] = *ir.operands(op) else { return };
    write_extents(p, op);
    for (scales, factor, name, after) in [(sa, a, "scalesIdxA", " * "), (sb, b, "scalesIdxB", " + ")] {
        p.out.push('(');
        p.value(scales);
        p.out.push_str(&format!("[{}] * ", number(name)));
        p.value(factor);
        p.out.push_str(&format!("){after}"));
    }
    p.value(c);
    p.attr_dict(op, &["m", "n", "k", "scalesIdxA", "scalesIdxB"]);
    p.out.push_str(" : ");
    p.types(&[sa, a, sb, b, c].map(|value| ir.type_of(value)));
}

/// `%a * %b + %c`
fn read_product<'a>(p: &mut Parser<'a, '_>) -> Res<[Operand<'a>; 3]> {
    let a = p.operand()?;
    p.expect(b'*')?;
    let b = p.operand()?;
    p.expect(b'+')?;
    Ok([a, b, p.operand()?])
}

fn write_product(p: &mut Printer<'_>, [a, b, c]: [ValueId; 3]) {
    p.value(a);
    p.out.push_str(" * ");
    p.value(b);
    p.out.push_str(" + ");
    p.value(c);
}

/// Numbers that are there even where the text leaves them out.
fn put_absent(p: &mut Parser<'_, '_>, parts: &mut Parts, numbers: &[(&str, i64)]) {
    for &(name, value) in numbers {
        if p.got(parts, name).is_none() {
            let value = i32_attr(p.ir, value);
            p.put(parts, name, value);
        }
    }
}

/// `amdgpu.sparse_mfma 16x16x32 %a * %b + %c sparse(%i : I) : A, B, C`
pub(super) fn read_sparse_mfma(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    read_extents(p, op, &mut parts)?;
    let [a, b, c] = read_product(p)?;
    p.expect_word("sparse")?;
    p.expect(b'(')?;
    let index = p.operand()?;
    p.expect(b':')?;
    let of_index = p.ty()?;
    p.expect(b')')?;
    p.attr_dict(&mut parts)?;
    put_absent(p, &mut parts, &[("cbsz", 0), ("abid", 0)]);
    p.expect(b':')?;
    let start = p.tok.start;
    let types = p.commas(Parser::ty)?;
    let span = Span::new(start, p.tok.start);
    let [of_a, of_b, of_c] = types[..] else {
        return Err(p.error(span, "expected the types of both factors and the sum"));
    };
    p.resolve_each(&[a, b, c, index], &[of_a, of_b, of_c, of_index], span, &mut parts.operands)?;
    parts.results.push(of_c);
    p.finish(op, parts)
}

pub(super) fn write_sparse_mfma(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let [a, b, c, index] = *ir.operands(op) else { return };
    write_extents(p, op);
    write_product(p, [a, b, c]);
    p.out.push_str(" sparse(");
    p.value(index);
    p.out.push_str(" : ");
    p.ty(ir.type_of(index));
    p.out.push(')');
    let zero = |name: &str| ir.attr(op, name).and_then(Attr::as_i64) == Some(0);
    let mut known = vec!["m", "n", "k"];
    known.extend(["cbsz", "abid"].into_iter().filter(|name| zero(name)));
    p.attr_dict(op, &known);
    p.out.push_str(" : ");
    p.types(&[a, b, c].map(|value| ir.type_of(value)));
}

/// `amdgpu.mfma 16x16x16 %a * %b + %c {abid = 1 : i32} blgp = none : A, B, C`; newer texts have
/// `abid(1) blgp(none)` instead, and older ones may have the extents in the dictionary. `amdgpu.wmma` is spelled alike,
/// with other flags.
pub(super) fn read_mfma(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    while mfma_flag(p, &mut parts)? {}
    if p.tok.kind == Kind::Int {
        read_extents(p, op, &mut parts)?;
    }
    let factors = read_product(p)?;
    loop {
        if p.at(b'{') {
            p.attr_dict(&mut parts)?;
        } else if !mfma_flag(p, &mut parts)? {
            break;
        }
    }
    let is_mfma = p.ir.opcode(op) == Opcode::AmdgpuMfma;
    if is_mfma {
        put_absent(p, &mut parts, &[("blocks", 1), ("cbsz", 0), ("abid", 0)]);
    }
    if is_mfma && p.got(&parts, "blgp").is_none() {
        let none = keyword_attr(p.ir, "amdgpu.mfma_perm_b", "none");
        p.put(&mut parts, "blgp", none);
    }
    p.expect(b':')?;
    let start = p.tok.start;
    let types = p.commas(Parser::ty)?;
    p.resolve_each(&factors, &types, Span::new(start, p.tok.start), &mut parts.operands)?;
    parts.results.push(types[2]);
    p.finish(op, parts)
}

/// A flag as a word, as `name(value)` or as `name = value`, if one is there.
fn mfma_flag(p: &mut Parser<'_, '_>, parts: &mut Parts) -> Res<bool> {
    if p.tok.kind != Kind::Word {
        return Ok(false);
    }
    let name = p.text(p.tok);
    let is_flag = FLAGS.contains(&name);
    if !is_flag && !matches!(name, "blgp" | "blocks" | "cbsz" | "abid" | "subwordOffset") {
        return Ok(false);
    }
    p.bump();
    if is_flag {
        p.flag(parts, name);
        return Ok(true);
    }
    let bracket = p.eat(b'(');
    if !bracket {
        p.expect(b'=')?;
    }
    let value = if name == "blgp" {
        let word = p.word("a permutation such as `none`")?;
        keyword_attr(p.ir, "amdgpu.mfma_perm_b", word)
    } else {
        let span = p.tok.span();
        let value = p.int("an integer")?;
        if i32::try_from(value).is_err() {
            return Err(p.error(span, "the value does not fit 32 bits"));
        }
        i32_attr(p.ir, value)
    };
    if bracket {
        p.expect(b')')?;
    }
    p.put(parts, name, value);
    Ok(true)
}

pub(super) fn write_mfma(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let [a, b, c] = *ir.operands(op) else { return };
    write_extents(p, op);
    p.value(a);
    p.out.push_str(" * ");
    p.value(b);
    p.out.push_str(" + ");
    p.value(c);
    let number = |name: &str| ir.attr(op, name).and_then(Attr::as_i64);
    // What its absence means goes without saying.
    let plain = [("blocks", 1), ("cbsz", 0), ("abid", 0), ("subwordOffset", 0)];
    let plain = plain.into_iter().filter(|&(name, value)| number(name) == Some(value)).map(|(name, _)| name);
    let mut known: Vec<&str> = ["m", "n", "k", "blgp"].into_iter().chain(plain).collect();
    if ir.opcode(op) == Opcode::AmdgpuMfma {
        p.attr_dict(op, &known);
        p.out.push_str(&format!(" blgp = {}", ir.keyword_of(op, "blgp").unwrap_or("none")));
    } else {
        if !known.contains(&"subwordOffset")
            && let Some(offset) = number("subwordOffset")
        {
            p.out.push_str(&format!(" subwordOffset({offset})"));
        }
        for flag in FLAGS.into_iter().filter(|flag| ir.attr_id(op, flag).is_some()) {
            p.out.push_str(&format!(" {flag}"));
        }
        known.push("subwordOffset");
        known.extend(FLAGS);
        p.attr_dict(op, &known);
    }
    p.out.push_str(" : ");
    p.types(&[a, b, c].map(|value| ir.type_of(value)));
}

const FLAGS: [&str; 7] = ["negateA", "negateB", "negateC", "reducePrecision", "unsignedA", "unsignedB", "clamp"];
