//! `nvgpu.mma.sync`, `amdgpu.mfma`, `amdgpu.wmma`.

use super::super::lexer::Kind;
use super::super::parser::{Parser, Parts, Res};
use super::super::printer::Printer;
use crate::attrs::Attr;
use crate::build::keyword_attr;
use crate::diag::Span;
use crate::ids::{AttrId, OpId};
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

/// `amdgpu.mfma blocks(1) 16x16x16 %a * %b + %c abid(0) blgp(none) cbsz(0) {…} : A, B, C`; older texts have
/// `blgp = none` behind the dictionary, and may have the extents in it. `amdgpu.wmma` is spelled alike, with other flags.
pub(super) fn read_mfma(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    while mfma_flag(p, &mut parts)? {}
    if p.tok.kind == Kind::Int {
        let start = p.tok.start;
        let extents = p.dimension_list()?;
        if extents.len() != 3 || extents.iter().any(|&extent| i32::try_from(extent).is_err()) {
            return Err(p.error(Span::new(start, p.tok.start), "expected three extents such as `16x16x16`"));
        }
        for (name, &extent) in ["m", "n", "k"].into_iter().zip(&extents) {
            let extent = i32_attr(p.ir, extent);
            p.put(&mut parts, name, extent);
        }
    }
    let a = p.operand()?;
    p.expect(b'*')?;
    let b = p.operand()?;
    p.expect(b'+')?;
    let c = p.operand()?;
    loop {
        if p.at(b'{') {
            p.attr_dict(&mut parts)?;
        } else if !mfma_flag(p, &mut parts)? {
            break;
        }
    }
    let is_mfma = p.ir.opcode(op) == Opcode::Mfma;
    for (name, value) in [("blocks", 1), ("cbsz", 0), ("abid", 0)] {
        if is_mfma && p.got(&parts, name).is_none() {
            let value = i32_attr(p.ir, value);
            p.put(&mut parts, name, value);
        }
    }
    if is_mfma && p.got(&parts, "blgp").is_none() {
        let none = keyword_attr(p.ir, "amdgpu.mfma_perm_b", "none");
        p.put(&mut parts, "blgp", none);
    }
    p.expect(b':')?;
    let start = p.tok.start;
    let types = p.commas(Parser::ty)?;
    p.resolve_each(&[a, b, c], &types, Span::new(start, p.tok.start), &mut parts.operands)?;
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
    let int = |name: &str| ir.attr(op, name).and_then(Attr::as_i64);
    let number = |name: &str| int(name).unwrap_or(0);
    let operands = ir.operands(op);
    if int("blocks").is_some_and(|blocks| blocks != 1) {
        p.out.push_str(&format!(" blocks({})", number("blocks")));
    }
    p.out.push_str(&format!(" {}x{}x{} ", number("m"), number("n"), number("k")));
    p.value(operands[0]);
    p.out.push_str(" * ");
    p.value(operands[1]);
    p.out.push_str(" + ");
    p.value(operands[2]);
    // Each where it differs from what its absence means.
    for name in ["abid", "blgp", "cbsz", "subwordOffset"] {
        match ir.keyword_of(op, name) {
            Some("none") => {}
            Some(word) => p.out.push_str(&format!(" {name}({word})")),
            None if number(name) != 0 => p.out.push_str(&format!(" {name}({})", number(name))),
            None => {}
        }
    }
    for flag in FLAGS {
        if ir.attr_id(op, flag).is_some() {
            p.out.push_str(&format!(" {flag}"));
        }
    }
    p.attr_dict(op, &MFMA_ATTRS);
    p.out.push_str(" : ");
    let types: Vec<_> = operands.iter().map(|&value| ir.type_of(value)).collect();
    p.types(&types);
}

const FLAGS: [&str; 7] = ["negateA", "negateB", "negateC", "reducePrecision", "unsignedA", "unsignedB", "clamp"];

const MFMA_ATTRS: [&str; 15] = [
    "m",
    "n",
    "k",
    "blocks",
    "cbsz",
    "abid",
    "blgp",
    "subwordOffset",
    "reducePrecision",
    "negateA",
    "negateB",
    "negateC",
    "unsignedA",
    "unsignedB",
    "clamp",
];
