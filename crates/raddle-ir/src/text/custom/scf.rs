//! `scf.for`, `scf.forall`, `scf.forall.in_parallel`, `scf.if`.

use super::super::lexer::Kind;
use super::super::parser::{Operand, Parser, Res};
use super::super::printer::Printer;
use super::{ints, mixed_list, write_mixed};
use crate::diag::Span;
use crate::ids::{OpId, RegionId, TypeId};
use crate::ops::Opcode;

/// Puts the terminator that custom assembly leaves out.
fn ensure_yield(p: &mut Parser<'_, '_>, region: RegionId, opcode: Opcode, span: Span) {
    let block = match p.ir.blocks(region).first() {
        Some(_) if p.ir.blocks(region).len() > 1 => return,
        Some(&block) => block,
        None => p.ir.add_block(region, &[]),
    };
    // What ends another block is a mistake, which the verifier reports.
    let ends = p.ir.terminator(block).is_some_and(|op| crate::verify::ends_block(p.ir, op));
    if !ends {
        let op = p.ir.create(opcode, &[], &[], &[], span);
        if opcode == Opcode::ScfForallInParallel {
            let region = p.ir.add_region(op);
            p.ir.add_block(region, &[]);
        }
        p.ir.append(block, op);
    }
}

/// `%a = %init, …`
pub(super) fn assignments<'a>(p: &mut Parser<'a, '_>) -> Res<Vec<(Operand<'a>, Operand<'a>)>> {
    p.list(b'(', b')', |p| {
        let arg = p.operand()?;
        p.expect(b'=')?;
        Ok((arg, p.operand()?))
    })
}

/// `scf.for %i = %lb to %ub step %s iter_args(%a = %init) -> (f32) : i32 { … } {…}`
pub(super) fn read_for(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let start = p.ir.span(op);
    let mut parts = p.parts();
    if p.eat_word("unsigned") {
        p.flag(&mut parts, "unsignedCmp");
    }
    let iv = p.operand()?;
    p.expect(b'=')?;
    let lower = p.operand()?;
    p.expect_word("to")?;
    let upper = p.operand()?;
    p.expect_word("step")?;
    let step = p.operand()?;
    let (mut args, mut inits) = (Vec::new(), Vec::new());
    let mut types = Vec::new();
    let mut span = start;
    if p.eat_word("iter_args") {
        (args, inits) = assignments(p)?.into_iter().unzip();
        span = p.tok.span();
        types = p.arrow_types()?;
    }
    if types.len() != inits.len() {
        return Err(p.error(start, "mismatch in number of loop-carried values and defined values"));
    }
    let ty = if p.eat(b':') { p.ty()? } else { p.ir.index_type() };
    p.resolve_all(&[lower, upper, step], ty, &mut parts.operands)?;
    p.resolve_each(&inits, &types, span, &mut parts.operands)?;
    let block_args: Vec<(Operand<'_>, TypeId)> =
        std::iter::once((iv, ty)).chain(args.into_iter().zip(types.iter().copied())).collect();
    let region = p.region(op, &block_args)?;
    if types.is_empty() {
        ensure_yield(p, region, Opcode::ScfYield, start);
    }
    p.attr_dict(&mut parts)?;
    parts.results.extend(types);
    p.finish(op, parts)
}

pub(super) fn write_for(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let operands = ir.operands(op);
    let args = ir.args(ir.entry(op));
    p.out.push_str(if ir.attr_id(op, "unsignedCmp").is_some() { " unsigned " } else { " " });
    p.value(args[0]);
    p.out.push_str(" = ");
    p.value(operands[0]);
    p.out.push_str(" to ");
    p.value(operands[1]);
    p.out.push_str(" step ");
    p.value(operands[2]);
    if operands.len() > 3 {
        p.out.push_str(" iter_args(");
        for (i, &init) in operands[3..].iter().enumerate() {
            if i > 0 {
                p.out.push_str(", ");
            }
            p.value(args[i + 1]);
            p.out.push_str(" = ");
            p.value(init);
        }
        p.out.push_str(") -> (");
        let types: Vec<TypeId> = operands[3..].iter().map(|&init| ir.type_of(init)).collect();
        p.types(&types);
        p.out.push(')');
    }
    p.out.push(' ');
    let ty = ir.type_of(operands[0]);
    if ir[ty] != crate::types::Type::Index {
        p.out.push_str(" : ");
        p.ty(ty);
        p.out.push(' ');
    }
    p.region(ir.regions(op)[0], false, operands.len() > 3);
    p.attr_dict(op, &["unsignedCmp"]);
}

/// `scf.if %c -> (f32) { … } else { … } {…}`
pub(super) fn read_if(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let start = p.ir.span(op);
    let mut parts = p.parts();
    let condition = p.operand()?;
    let i1 = p.ir.int_type(1);
    let condition = p.resolve(condition, i1)?;
    parts.operands.push(condition);
    parts.results = p.arrow_types()?;
    let then = p.region(op, &[])?;
    ensure_if_yield(p, then, &parts.results, start);
    let other = p.ir.add_region(op);
    if p.eat_word("else") {
        p.region_into(other, &[])?;
        ensure_if_yield(p, other, &parts.results, start);
    }
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

fn ensure_if_yield(p: &mut Parser<'_, '_>, region: RegionId, results: &[TypeId], span: Span) {
    if results.is_empty() {
        ensure_yield(p, region, Opcode::ScfYield, span);
    }
}

pub(super) fn write_if(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    p.value(ir.operand(op, 0));
    let yields = ir.results(op).len() > 0;
    p.arrow_types(op);
    p.out.push(' ');
    p.region(ir.regions(op)[0], false, yields);
    if !ir.blocks(ir.regions(op)[1]).is_empty() {
        p.out.push_str(" else ");
        p.region(ir.regions(op)[1], false, yields);
    }
    p.attr_dict(op, &[]);
}

/// `scf.forall (%i) = (0) to (8) step (2) shared_outs(%o = %init) -> (T) { … } {mapping = […]}`, or `in (8)` for
/// loops from 0 in steps of 1.
pub(super) fn read_forall(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let start = p.ir.span(op);
    let mut parts = p.parts();
    let ivs = p.list(b'(', b')', Parser::operand)?;
    let rank = ivs.len();
    let (lower, upper, step) = if p.eat_word("in") {
        ((vec![0; rank], Vec::new()), mixed_list(p, b'(', b')')?, (vec![1; rank], Vec::new()))
    } else {
        p.expect(b'=')?;
        let lower = mixed_list(p, b'(', b')')?;
        p.expect_word("to")?;
        let upper = mixed_list(p, b'(', b')')?;
        p.expect_word("step")?;
        (lower, upper, mixed_list(p, b'(', b')')?)
    };
    if [&lower, &upper, &step].iter().any(|list| list.0.len() != rank) {
        return Err(p.error(start, "a parallel loop has one lower bound, upper bound and step for each index"));
    }
    let index = p.ir.index_type();
    let mut sizes = Vec::new();
    for (name, (numbers, values)) in [("staticLowerBound", lower), ("staticUpperBound", upper), ("staticStep", step)] {
        sizes.push(values.len());
        p.resolve_all(&values, index, &mut parts.operands)?;
        let numbers = p.ir.dense_i64(&numbers);
        p.put(&mut parts, name, numbers);
    }
    let (mut outs, mut inits) = (Vec::new(), Vec::new());
    if p.eat_word("shared_outs") {
        (outs, inits) = assignments(p)?.into_iter().unzip();
        let span = p.tok.span();
        parts.results = p.arrow_types()?;
        let results = parts.results.clone();
        p.resolve_each(&inits, &results, span, &mut parts.operands)?;
    }
    sizes.push(inits.len());
    p.put_segments(&mut parts, &sizes);
    let args: Vec<(Operand<'_>, TypeId)> =
        ivs.into_iter().map(|iv| (iv, index)).chain(outs.into_iter().zip(parts.results.iter().copied())).collect();
    let region = p.region(op, &args)?;
    ensure_yield(p, region, Opcode::ScfForallInParallel, start);
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_forall(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let parts = ir.segments(op);
    let args = ir.args(ir.entry(op));
    let rank = args.len() - parts[3].len();
    p.out.push_str(" (");
    p.values(&args[..rank]);
    p.out.push(')');
    let (lower, upper, step) =
        (ints(p, op, "staticLowerBound"), ints(p, op, "staticUpperBound"), ints(p, op, "staticStep"));
    if lower.iter().all(|&n| n == 0) && step.iter().all(|&n| n == 1) {
        p.out.push_str(" in ");
        write_mixed(p, '(', ')', &upper, parts[1]);
    } else {
        p.out.push_str(" = ");
        write_mixed(p, '(', ')', &lower, parts[0]);
        p.out.push_str(" to ");
        write_mixed(p, '(', ')', &upper, parts[1]);
        p.out.push_str(" step ");
        write_mixed(p, '(', ')', &step, parts[2]);
    }
    if !parts[3].is_empty() {
        p.out.push_str(" shared_outs(");
        for (i, &init) in parts[3].iter().enumerate() {
            if i > 0 {
                p.out.push_str(", ");
            }
            p.value(args[rank + i]);
            p.out.push_str(" = ");
            p.value(init);
        }
        p.out.push_str(") -> (");
        p.types_of(p.ir.results(op));
        p.out.push(')');
    }
    p.out.push(' ');
    p.region(ir.regions(op)[0], false, !parts[3].is_empty());
    p.attr_dict(op, &["operandSegmentSizes", "staticLowerBound", "staticUpperBound", "staticStep"]);
}

/// `scf.forall.in_parallel { … }`
pub(super) fn read_in_parallel(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    if p.tok.kind != Kind::Punct(b'{') {
        return Err(p.expected("`{`"));
    }
    let region = p.region(op, &[])?;
    if p.ir.blocks(region).is_empty() {
        p.ir.add_block(region, &[]);
    }
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_in_parallel(p: &mut Printer<'_>, op: OpId) {
    p.out.push(' ');
    p.region(p.ir.regions(op)[0], false, true);
    p.attr_dict(op, &[]);
}
