//! Control flow beside `scf.for` and `scf.if`: branches between blocks, `scf.while`, `scf.parallel`, `scf.execute_region`,
//! `scf.index_switch`, `vector.mask`, the region of `gpu` that lane 0 executes.

use super::super::lexer::Kind;
use super::super::parser::{Operand, Parser, Parts, Res};
use super::super::printer::Printer;
use super::scf::assignments;
use super::{ensure_end, ints, read_body, write_body};
use crate::attrs::Attr;
use crate::diag::Span;
use crate::form::Shape;
use crate::ids::{BlockId, OpId, TypeId, ValueId};
use crate::ops::Opcode;
use crate::types::Type;

// ---- branches

/// `^bb1(%a, %b : f32, i32)`
pub(super) fn target<'a>(p: &mut Parser<'a, '_>, parts: &mut Parts) -> Res<usize> {
    let block = p.successor()?;
    parts.successors.push(block);
    if !p.at(b'(') {
        return Ok(0);
    }
    let start = p.bump().start;
    let operands = p.operands()?;
    p.expect(b':')?;
    let types = p.commas(Parser::ty)?;
    p.expect(b')')?;
    p.resolve_each(&operands, &types, Span::new(start, p.tok.start), &mut parts.operands)?;
    Ok(operands.len())
}

pub(super) fn write_target(p: &mut Printer<'_>, block: BlockId, operands: &[ValueId]) {
    p.block_name(block);
    if operands.is_empty() {
        return;
    }
    p.out.push('(');
    p.values(operands);
    p.out.push_str(" : ");
    p.types_of(operands.iter().copied());
    p.out.push(')');
}

/// `^bb1(%a : f32)`
pub(super) fn read_br(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    target(p, &mut parts)?;
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_br(p: &mut Printer<'_>, op: OpId) {
    p.out.push(' ');
    write_target(p, p.ir.successors(op)[0], p.ir.operands(op));
    p.attr_dict(op, &[]);
}

/// `%c weights([1, 2]), ^bb1(%a : f32), ^bb2`
pub(super) fn read_cond_br(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let condition = p.operand()?;
    let i1 = p.ir.int_type(1);
    let condition = p.resolve(condition, i1)?;
    parts.operands.push(condition);
    if p.eat_word("weights") {
        p.expect(b'(')?;
        let values = p.list(b'[', b']', |p| p.int("an integer"))?;
        p.expect(b')')?;
        let elem = p.ir.int_type(32);
        let weights = p.ir.intern(Attr::DenseArray { elem, values });
        p.put(&mut parts, "branch_weights", weights);
    }
    p.expect(b',')?;
    let first = target(p, &mut parts)?;
    p.expect(b',')?;
    let second = target(p, &mut parts)?;
    p.attr_dict(&mut parts)?;
    p.put_segments(&mut parts, &[1, first, second]);
    p.finish(op, parts)
}

pub(super) fn write_cond_br(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let groups = ir.segments(op);
    p.out.push(' ');
    p.value(groups[0][0]);
    if ir.attr_id(op, "branch_weights").is_some() {
        let weights = ints(p, op, "branch_weights");
        p.out.push_str(&format!(" weights({weights:?})"));
    }
    for (&block, operands) in ir.successors(op).iter().zip(&groups[1..]) {
        p.out.push_str(", ");
        write_target(p, block, operands);
    }
    p.attr_dict(op, &["operandSegmentSizes", "branch_weights"]);
}

/// `%flag : i32, [default: ^bb1, 42: ^bb2(%a : f32)]`; in `llvm`, `%flag : i32, ^bb1 [42: ^bb2(%a : f32)]`.
pub(super) fn read_switch(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let flag = p.operand()?;
    p.expect(b':')?;
    let span = p.tok.span();
    let ty = p.ty()?;
    let Type::Integer { width, .. } = p.ir[ty] else { return Err(p.error(span, "expected an integer type")) };
    let flag = p.resolve(flag, ty)?;
    parts.operands.push(flag);
    p.expect(b',')?;
    let in_llvm = p.ir.opcode(op) == Opcode::LlvmSwitch;
    if !in_llvm {
        p.expect(b'[')?;
        p.expect_word("default")?;
        p.expect(b':')?;
    }
    let default = target(p, &mut parts)?;
    if in_llvm {
        p.expect(b'[')?;
    }
    let mut more = if in_llvm { !p.at(b']') } else { p.eat(b',') };
    let (mut bytes, mut counts) = (Vec::new(), Vec::new());
    let size = (width.div_ceil(8) as usize).min(8);
    while more {
        let value = p.int("the number of a case")?;
        bytes.extend_from_slice(&value.to_le_bytes()[..size]);
        p.expect(b':')?;
        counts.push(target(p, &mut parts)? as i64);
        more = p.eat(b',');
    }
    p.expect(b']')?;
    p.attr_dict(&mut parts)?;
    if !counts.is_empty() {
        let shape = p.ir.vector_type(&[counts.len() as i64], ty);
        let splat = bytes.chunks(size).all(|chunk| chunk == &bytes[..size]);
        bytes.truncate(if splat { size } else { bytes.len() });
        let values = p.ir.intern(Attr::Dense { ty: shape, splat, bytes });
        p.put(&mut parts, "case_values", values);
    }
    let total = counts.iter().sum::<i64>() as usize;
    let elem = p.ir.int_type(32);
    let counts = p.ir.intern(Attr::DenseArray { elem, values: counts });
    p.put(&mut parts, "case_operand_segments", counts);
    p.put_segments(&mut parts, &[1, default, total]);
    p.finish(op, parts)
}

pub(super) fn write_switch(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let groups = ir.segments(op);
    p.out.push(' ');
    p.value(groups[0][0]);
    p.out.push_str(" : ");
    p.ty(ir.type_of(groups[0][0]));
    let in_llvm = ir.opcode(op) == Opcode::LlvmSwitch;
    p.out.push_str(", ");
    if in_llvm {
        write_target(p, ir.successors(op)[0], groups[1]);
        p.out.push(' ');
    }
    p.out.push('[');
    let counts = ints(p, op, "case_operand_segments");
    // MLIR prints them without a sign.
    let values: Vec<u64> = match ir.attr(op, "case_values") {
        Some(Attr::Dense { ty, splat, bytes }) => {
            let bits = ir[*ty].elem().map_or(64, |elem| match ir[elem] {
                Type::Integer { width, .. } => width.min(64),
                _ => 64,
            });
            let size = bits.div_ceil(8).max(1) as usize;
            let number = |chunk: &[u8]| {
                let word = chunk.iter().rev().fold(0u64, |acc, &byte| acc << 8 | u64::from(byte));
                word << (64 - bits) >> (64 - bits)
            };
            let found: Vec<u64> = bytes.chunks(size).map(number).collect();
            if *splat { vec![found.first().copied().unwrap_or(0); counts.len()] } else { found }
        }
        _ => Vec::new(),
    };
    p.deeper(|p| {
        let mut comma = "";
        if !in_llvm {
            p.newline();
            p.out.push_str("default: ");
            write_target(p, ir.successors(op)[0], groups[1]);
            comma = ",";
        }
        let mut rest = groups[2];
        for ((&block, &count), value) in ir.successors(op)[1..].iter().zip(&counts).zip(values) {
            let (operands, tail) = rest.split_at((count.max(0) as usize).min(rest.len()));
            rest = tail;
            p.out.push_str(comma);
            comma = ",";
            p.newline();
            p.out.push_str(&format!("{value}: "));
            write_target(p, block, operands);
        }
    });
    p.newline();
    p.out.push(']');
    p.attr_dict(op, &["operandSegmentSizes", "case_values", "case_operand_segments"]);
}

// ---- scf

/// `(%a = %init, …) : (types) -> types { … } do { ^bb0(…): … } attributes {…}`
pub(super) fn read_while(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let (mut args, mut inits) = (Vec::new(), Vec::new());
    if p.at(b'(') {
        (args, inits) = assignments(p)?.into_iter().unzip();
    }
    p.expect(b':')?;
    let start = p.tok.start;
    let inputs = p.list(b'(', b')', Parser::ty)?;
    p.expect_kind(Kind::Arrow, "`->`")?;
    parts.results = p.result_types()?;
    let span = Span::new(start, p.tok.start);
    if inits.len() != inputs.len() {
        let (n, found) = (inits.len(), inputs.len());
        let message = format!("expected as many input types as operands (expected {n} got {found})");
        return Err(p.error(span, message));
    }
    p.resolve_each(&inits, &inputs, span, &mut parts.operands)?;
    let args: Vec<(Operand<'_>, TypeId)> = args.into_iter().zip(inputs).collect();
    p.region(op, &args)?;
    p.expect_word("do")?;
    p.region(op, &[])?;
    p.attr_dict_keyword(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_while(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let args = ir.args(ir.entry(op));
    write_assignments(p, " (", args, ir.operands(op));
    if ir.operands(op).is_empty() {
        p.out.push(' ');
    } else {
        p.out.push_str(") ");
    }
    p.out.push_str(": ");
    p.functional_type(op);
    p.out.push(' ');
    p.region(ir.regions(op)[0], false, true);
    p.out.push_str(" do ");
    p.region(ir.regions(op)[1], true, true);
    p.attr_dict_keyword(op, &[]);
}

/// `%a = %init, …`, with the text in front where there is any.
pub(super) fn write_assignments(p: &mut Printer<'_>, open: &str, args: &[ValueId], inits: &[ValueId]) {
    for (i, (&arg, &init)) in args.iter().zip(inits).enumerate() {
        p.out.push_str(if i > 0 { ", " } else { open });
        p.value(arg);
        p.out.push_str(" = ");
        p.value(init);
    }
}

/// `-> types no_inline { … } {…}`; the word may also stand in front.
pub(super) fn read_execute_region(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let first = p.eat_word("no_inline");
    parts.results = p.arrow_types()?;
    if first || p.eat_word("no_inline") {
        p.flag(&mut parts, "no_inline");
    }
    p.region(op, &[])?;
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_execute_region(p: &mut Printer<'_>, op: OpId) {
    arrow(p, op);
    if p.ir.attr_id(op, "no_inline").is_some() {
        p.out.push_str(" no_inline");
    }
    p.out.push(' ');
    p.region(p.ir.regions(op)[0], false, true);
    p.attr_dict(op, &["no_inline"]);
}

/// ` -> T` or ` -> (T, U)`
fn arrow(p: &mut Printer<'_>, op: OpId) {
    let types: Vec<TypeId> = p.ir.results(op).map(|value| p.ir.type_of(value)).collect();
    if !types.is_empty() {
        p.out.push_str(" -> ");
        p.type_list(&types);
    }
}

/// `(%i) = (%lb) to (%ub) step (%s) init (%x) -> f32 { … } {…}`
pub(super) fn read_parallel(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let start = p.tok.start;
    let mut parts = p.parts();
    let index = p.ir.index_type();
    let ivs = p.list(b'(', b')', Parser::operand)?;
    let mut sizes = Vec::new();
    for word in ["=", "to", "step"] {
        if word == "=" {
            p.expect(b'=')?;
        } else {
            p.expect_word(word)?;
        }
        let values = p.list(b'(', b')', Parser::operand)?;
        if values.len() != ivs.len() {
            let message = format!("custom op 'scf.parallel' expected {} operands", ivs.len());
            return Err(p.error(Span::new(start, p.tok.start), message));
        }
        sizes.push(values.len());
        p.resolve_all(&values, index, &mut parts.operands)?;
    }
    let inits = if p.eat_word("init") { p.list(b'(', b')', Parser::operand)? } else { Vec::new() };
    parts.results = p.arrow_types()?;
    let results = parts.results.clone();
    p.resolve_each(&inits, &results, Span::new(start, p.tok.start), &mut parts.operands)?;
    sizes.push(inits.len());
    p.put_segments(&mut parts, &sizes);
    let args: Vec<(Operand<'_>, TypeId)> = ivs.into_iter().map(|iv| (iv, index)).collect();
    read_body(p, op, Shape::of(Opcode::ScfParallel).bodies[0], &args)?;
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_parallel(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let groups = ir.segments(op);
    p.out.push_str(" (");
    p.values(ir.args(ir.entry(op)));
    p.out.push(')');
    for (word, values) in [" = (", " to (", " step ("].into_iter().zip(&groups) {
        p.out.push_str(word);
        p.values(values);
        p.out.push(')');
    }
    if !groups[3].is_empty() {
        p.out.push_str(" init (");
        p.values(groups[3]);
        p.out.push(')');
    }
    arrow(p, op);
    p.out.push(' ');
    p.region(ir.regions(op)[0], false, true);
    p.attr_dict(op, &["operandSegmentSizes"]);
}

/// `(%a, %b : f32, i32) { ^bb0(…): … }, { … }`
pub(super) fn read_reduce(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    if p.at(b'(') {
        let start = p.bump().start;
        let operands = p.operands()?;
        p.expect(b':')?;
        let types = p.commas(Parser::ty)?;
        p.expect(b')')?;
        p.resolve_each(&operands, &types, Span::new(start, p.tok.start), &mut parts.operands)?;
    }
    while p.at(b'{') {
        p.region(op, &[])?;
        if !p.eat(b',') {
            break;
        }
    }
    p.finish(op, parts)
}

pub(super) fn write_reduce(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let operands = ir.operands(op);
    if operands.is_empty() {
        p.out.push(' ');
    } else {
        p.out.push('(');
        p.values(operands);
        p.out.push_str(" : ");
        p.types_of(operands.iter().copied());
        p.out.push_str(") ");
    }
    for (i, &region) in ir.regions(op).iter().enumerate() {
        if i > 0 {
            p.out.push_str(", ");
        }
        p.region(region, true, true);
    }
    p.attr_dict(op, &[]);
}

/// `%i {…} -> f32 case 2 { … } default { … }`: the default comes first in memory.
pub(super) fn read_index_switch(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let arg = p.operand()?;
    let index = p.ir.index_type();
    let arg = p.resolve(arg, index)?;
    parts.operands.push(arg);
    p.attr_dict(&mut parts)?;
    if p.eat_kind(Kind::Arrow) {
        parts.results = if p.at(b'(') { p.result_types()? } else { p.commas(Parser::ty)? };
    }
    let default = p.ir.add_region(op);
    let span = p.ir.span(op);
    let mut cases = Vec::new();
    while p.eat_word("case") {
        cases.push(p.int("the number of a case")?);
        let region = p.region(op, &[])?;
        ensure_end(p, region, "scf.yield", span);
    }
    p.expect_word("default")?;
    p.region_into(default, &[])?;
    ensure_end(p, default, "scf.yield", span);
    let cases = p.ir.dense_i64(&cases);
    p.put(&mut parts, "cases", cases);
    p.finish(op, parts)
}

pub(super) fn write_index_switch(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    p.value(ir.operand(op, 0));
    p.attr_dict(op, &["cases"]);
    if ir.results(op).len() > 0 {
        p.out.push_str(" -> ");
        p.types_of(ir.results(op));
    }
    p.out.push(' ');
    let cases = ints(p, op, "cases");
    for (i, &region) in ir.regions(op).iter().enumerate().skip(1) {
        p.newline();
        p.out.push_str(&format!("case {} ", cases.get(i - 1).copied().unwrap_or(0)));
        p.region(region, false, true);
    }
    p.newline();
    p.out.push_str("default ");
    p.region(ir.regions(op)[0], false, true);
}

// ---- vector.mask, regions of lane 0

/// `%mask, %passthru { op } {…} : M -> T`: the operation yields its results without saying so.
pub(super) fn read_mask(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let mask = p.operand()?;
    let passthru = if p.eat(b',') { Some(p.operand()?) } else { None };
    let span = p.ir.span(op);
    let region = p.region(op, &[])?;
    if p.ir.blocks(region).is_empty() {
        p.ir.add_block(region, &[]);
    }
    let block = p.ir.blocks(region)[0];
    let last = p.ir.terminator(block);
    if last.is_none_or(|last| p.ir.opcode(last) != Opcode::VectorYield) {
        let results: Vec<ValueId> = last.map_or(Vec::new(), |last| p.ir.results(last).collect());
        let end = p.ir.create(Opcode::VectorYield, &results, &[], &[], span);
        p.ir.append(block, end);
    }
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let mask_ty = p.ty()?;
    parts.results = p.arrow_types()?;
    // MLIR itself prints several without parentheses.
    while !parts.results.is_empty() && p.eat(b',') {
        parts.results.push(p.ty()?);
    }
    let mask = p.resolve(mask, mask_ty)?;
    parts.operands.push(mask);
    if let Some(passthru) = passthru {
        let Some(&ty) = parts.results.first() else {
            return Err(p.error(passthru.span, "'vector.mask' expects a result if passthru operand is provided"));
        };
        let passthru = p.resolve(passthru, ty)?;
        parts.operands.push(passthru);
    }
    p.finish(op, parts)
}

pub(super) fn write_mask(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    p.values(ir.operands(op));
    p.out.push_str(" { ");
    let ops = ir.ops_of(ir.entry(op));
    // The yield goes without saying behind an operation whose results it gives.
    let shown = match ops[..] {
        [only] => Some(only),
        [inner, _] => Some(inner),
        _ => None,
    };
    if let Some(inner) = shown {
        p.op_alone(inner);
    }
    p.out.push_str(" }");
    p.attr_dict(op, &[]);
    p.out.push_str(" : ");
    p.ty(ir.type_of(ir.operand(op, 0)));
    arrow(p, op);
}

/// `(%lane)[32] args(%a : T) -> (U) { … } {…}`
pub(super) fn read_lane_region(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    p.expect(b'(')?;
    let lane = p.operand()?;
    p.expect(b')')?;
    p.expect(b'[')?;
    let size = p.int("the number of lanes")?;
    p.expect(b']')?;
    let size = p.ir.i64_attr(size);
    p.put(&mut parts, "warp_size", size);
    let index = p.ir.index_type();
    let lane = p.resolve(lane, index)?;
    parts.operands.push(lane);
    if p.eat_word("args") {
        let start = p.expect(b'(')?.start;
        let operands = p.operands()?;
        p.expect(b':')?;
        let types = p.commas(Parser::ty)?;
        p.expect(b')')?;
        p.resolve_each(&operands, &types, Span::new(start, p.tok.start), &mut parts.operands)?;
    }
    parts.results = p.arrow_types()?;
    read_body(p, op, Shape::of(Opcode::GpuWarpExecuteOnLane0).bodies[0], &[])?;
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_lane_region(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let operands = ir.operands(op);
    p.out.push('(');
    p.value(operands[0]);
    p.out.push_str(&format!(")[{}]", ir.attr(op, "warp_size").and_then(Attr::as_i64).unwrap_or(0)));
    if operands.len() > 1 {
        p.out.push_str(" args(");
        p.values(&operands[1..]);
        p.out.push_str(" : ");
        p.types_of(operands[1..].iter().copied());
        p.out.push(')');
    }
    p.arrow_types(op);
    p.out.push(' ');
    write_body(p, op, 0);
    p.attr_dict(op, &["warp_size"]);
}
