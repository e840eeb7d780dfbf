//! IREE's irregular assembly: assumptions about integers, conversions of `util`, `im2col`, hints; and the
//! few upstream operations that are alike: `memref.global`, `memref.transpose`, `vector.outerproduct`.

use super::super::lexer::{self, Kind};
use super::super::parser::{Operand, Parser, Parts, Res};
use super::super::print_type;
use super::super::printer::Printer;
use super::flow::write_assignments;
use super::scf::assignments;
use super::{ints, mixed_list, write_mixed};
use crate::attrs::Attr;
use crate::diag::Span;
use crate::form::Shape;
use crate::ids::{AttrId, OpId, TypeId, ValueId};
use crate::ops::Opcode;
use crate::types::{Scalar, Type};
use crate::views::Fragment;

// ---- util.assume.int

/// `%a<umin = 1>, %b[<udiv = 2>, <udiv = 4>] : index, index`
pub(super) fn read_assume(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let mut lists = Vec::new();
    let operands = p.commas(|p| {
        let operand = p.operand()?;
        let list = if p.at(b'[') { p.list(b'[', b']', assumption)? } else { vec![assumption(p)?] };
        lists.push(p.ir.intern(Attr::Array(list)));
        Ok(operand)
    })?;
    let lists = p.ir.intern(Attr::Array(lists));
    p.put(&mut parts, "assumptions", lists);
    p.expect(b':')?;
    let start = p.tok.start;
    let types = p.commas(Parser::ty)?;
    p.resolve_each(&operands, &types, Span::new(start, p.tok.start), &mut parts.operands)?;
    parts.results = types;
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

fn assumption(p: &mut Parser<'_, '_>) -> Res<AttrId> {
    if p.at(b'<') { p.dialect_body("util.int.assumption") } else { p.attr() }
}

pub(super) fn write_assume(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let lists = match ir.attr(op, "assumptions") {
        Some(Attr::Array(lists)) => lists.clone(),
        _ => Vec::new(),
    };
    // Several operands stand on a line each.
    let several = ir.operands(op).len() > 1;
    p.out.push(' ');
    for (i, &value) in ir.operands(op).iter().enumerate() {
        if i > 0 {
            p.out.push_str(", ");
        }
        if several {
            p.deeper(|p| p.deeper(Printer::newline));
        }
        p.value(value);
        let list = match lists.get(i).map(|&list| &ir[list]) {
            Some(Attr::Array(list)) => list.clone(),
            _ => Vec::new(),
        };
        let alone = list.len() == 1;
        p.out.push_str(if alone { "" } else { "[" });
        for (k, &item) in list.iter().enumerate() {
            if k > 0 {
                p.out.push_str(", ");
            }
            p.attr_body(item);
        }
        p.out.push_str(if alone { "" } else { "]" });
    }
    if several {
        p.deeper(Printer::newline);
        p.out.push_str(": ");
    } else {
        p.out.push_str(" : ");
    }
    p.types_of(p.ir.results(op));
    p.attr_dict(op, &["assumptions"]);
}

// ---- util.hoistable_conversion

/// `"tag" inverts("other tag") (%a = %x, …) : (types) -> types { … } {…}`
pub(super) fn read_conversion(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    read_tag(p, &mut parts, "tag")?;
    p.expect_word("inverts")?;
    p.expect(b'(')?;
    read_tag(p, &mut parts, "inverseTag")?;
    p.expect(b')')?;
    let (args, inputs): (Vec<_>, Vec<_>) = assignments(p)?.into_iter().unzip();
    p.expect(b':')?;
    let start = p.tok.start;
    let types = p.list(b'(', b')', Parser::ty)?;
    p.resolve_each(&inputs, &types, Span::new(start, p.tok.start), &mut parts.operands)?;
    p.expect_kind(Kind::Arrow, "`->`")?;
    parts.results = p.result_types()?;
    let args: Vec<(Operand<'_>, TypeId)> = args.into_iter().zip(types).collect();
    p.region(op, &args)?;
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

fn read_tag(p: &mut Parser<'_, '_>, parts: &mut Parts, name: &str) -> Res<()> {
    let token = p.expect_kind(Kind::Str, "a string")?;
    let tag = p.ir.str_attr(&lexer::unescape(p.text(token)));
    p.put(parts, name, tag);
    Ok(())
}

pub(super) fn write_conversion(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let tag = |name: &str| match ir.attr(op, name) {
        Some(Attr::Str(text)) => &ir[*text],
        _ => "",
    };
    p.out.push(' ');
    p.escaped(tag("tag"));
    p.out.push_str(" inverts(");
    p.escaped(tag("inverseTag"));
    p.out.push_str(") (");
    write_assignments(p, "", ir.args(ir.entry(op)), ir.operands(op));
    p.out.push_str(") : ");
    p.functional_type(op);
    p.out.push(' ');
    p.region(ir.regions(op)[0], false, true);
    p.attr_dict(op, &["tag", "inverseTag"]);
}

// ---- linalg_ext.im2col

const PADS: [(&str, usize); 4] =
    [("input_pad_low", 5), ("input_pad_high", 6), ("output_pad_low", 7), ("output_pad_high", 8)];

/// `strides = […] … output_sizes = [[2], [32, %n]] … pad_value(%c : f32) ins(…) outs(…) -> T`
pub(super) fn read_im2col(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let start = p.tok.start;
    let mut parts = p.parts();
    p.properties(&mut parts)?;
    p.attr_dict(&mut parts)?;
    let n_groups = Shape::of(Opcode::IreeLinalgExtIm2col).operands.len();
    let mut groups: Vec<Vec<Operand<'_>>> = vec![Vec::new(); n_groups];
    let mut pad = None;
    while p.tok.kind == Kind::Word && !matches!(p.text(p.tok), "ins") {
        let tok = p.tok;
        let name = p.word("a parameter")?;
        if name == "pad_value" {
            p.expect(b'(')?;
            let value = p.operand()?;
            p.expect(b':')?;
            pad = Some(p.ty()?);
            p.expect(b')')?;
            groups[9] = vec![value];
            continue;
        }
        p.expect(b'=')?;
        let dynamic = match name {
            "kernel_size" => Some(2),
            "offsets" => Some(3),
            name => PADS.iter().find(|row| row.0 == name).map(|row| row.1),
        };
        if name == "output_sizes" {
            let mut lists = Vec::new();
            p.list(b'[', b']', |p| {
                let (numbers, values) = mixed_list(p, b'[', b']')?;
                groups[4].extend(values);
                lists.push(p.ir.dense_i64(&numbers));
                Ok(())
            })?;
            let lists = p.ir.intern(Attr::Array(lists));
            p.put(&mut parts, "static_output_sizes", lists);
        } else if let Some(group) = dynamic {
            let (numbers, values) = mixed_list(p, b'[', b']')?;
            groups[group] = values;
            let numbers = p.ir.dense_i64(&numbers);
            p.put(&mut parts, &format!("static_{name}"), numbers);
        } else if Shape::of(Opcode::IreeLinalgExtIm2col).inherent(name).is_some() {
            let numbers = p.list(b'[', b']', |p| p.int("an integer"))?;
            let numbers = p.ir.dense_i64(&numbers);
            p.put(&mut parts, name, numbers);
        } else {
            return Err(p.error(tok.span(), format!("`{name}` is not a parameter of this operation")));
        }
    }
    let mut types = Vec::new();
    for (group, word) in ["ins", "outs"].into_iter().enumerate() {
        p.expect_word(word)?;
        p.expect(b'(')?;
        groups[group] = vec![p.operand()?];
        p.expect(b':')?;
        types.push(p.ty()?);
        p.expect(b')')?;
    }
    parts.results = if p.eat_kind(Kind::Arrow) { p.commas(Parser::ty)? } else { Vec::new() };
    let index = p.ir.index_type();
    let mut sizes = Vec::new();
    for (i, group) in groups.iter().enumerate() {
        let ty = match (i, pad) {
            (0 | 1, _) => types[i],
            (9, Some(ty)) => ty,
            _ => index,
        };
        p.resolve_all(group, ty, &mut parts.operands)?;
        sizes.push(group.len());
    }
    if let Some(missing) =
        ["strides", "static_output_sizes", "static_offsets"].into_iter().find(|name| p.got(&parts, name).is_none())
    {
        return Err(p.error(Span::new(start, p.tok.start), format!("`{missing}` is missing")));
    }
    p.put_segments(&mut parts, &sizes);
    p.finish(op, parts)
}

pub(super) fn write_im2col(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let groups = ir.segments(op);
    let mut elided: Vec<&str> = Shape::of(Opcode::IreeLinalgExtIm2col).attrs.iter().map(|attr| attr.name).collect();
    elided.push("operandSegmentSizes");
    p.attr_dict(op, &elided);
    let plain = |p: &mut Printer<'_>, name: &str| {
        let numbers = ints(p, op, name);
        p.out.push_str(&format!(" {name} = {numbers:?}"));
    };
    let mixed = |p: &mut Printer<'_>, name: &str, values: &[ValueId]| {
        let numbers = ints(p, op, &format!("static_{name}"));
        p.out.push_str(&format!(" {name} = "));
        write_mixed(p, '[', ']', &numbers, values);
    };
    plain(p, "strides");
    plain(p, "dilations");
    mixed(p, "kernel_size", groups[2]);
    mixed(p, "offsets", groups[3]);
    p.out.push_str(" output_sizes = [");
    let mut rest = groups[4];
    if let Some(Attr::Array(lists)) = ir.attr(op, "static_output_sizes") {
        for (i, &list) in lists.iter().enumerate() {
            let numbers = ir.ints(list).unwrap_or_default();
            let dynamic = numbers.iter().filter(|&&n| n == crate::types::DYNAMIC).count().min(rest.len());
            let (values, tail) = rest.split_at(dynamic);
            rest = tail;
            p.out.push_str(if i > 0 { ", " } else { "" });
            write_mixed(p, '[', ']', &numbers, values);
        }
    }
    p.out.push(']');
    for name in ["batch_pos", "m_pos", "k_pos", "input_k_perm", "output_perm"] {
        plain(p, name);
    }
    for (name, group) in PADS {
        if ir.attr_id(op, &format!("static_{name}")).is_some() {
            mixed(p, name, groups[group]);
        }
    }
    if let Some(&pad) = groups[9].first() {
        p.out.push_str(" pad_value(");
        p.value(pad);
        p.out.push_str(" : ");
        p.ty(ir.type_of(pad));
        p.out.push(')');
    }
    for (word, group) in [(" ins(", 0), (" outs(", 1)] {
        p.out.push_str(word);
        p.value(groups[group][0]);
        p.out.push_str(" : ");
        p.ty(ir.type_of(groups[group][0]));
        p.out.push(')');
    }
    let types: Vec<TypeId> = ir.results(op).map(|value| ir.type_of(value)).collect();
    if !types.is_empty() {
        p.out.push_str(" -> ");
        p.types(&types);
    }
}

// ---- workgroup counts, matrices of one value

/// `(%x, 2)`
pub(super) fn read_count_hint(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let (numbers, values) = mixed_list(p, b'(', b')')?;
    p.attr_dict(&mut parts)?;
    let index = p.ir.index_type();
    p.resolve_all(&values, index, &mut parts.operands)?;
    let numbers = p.ir.dense_i64(&numbers);
    p.put(&mut parts, "static_sizes", numbers);
    p.finish(op, parts)
}

pub(super) fn write_count_hint(p: &mut Printer<'_>, op: OpId) {
    let numbers = ints(p, op, "static_sizes");
    write_mixed(p, '(', ')', &numbers, p.ir.operands(op));
    p.attr_dict(op, &["static_sizes"]);
}

/// `%value {…} : !gpu.mma_matrix<16x16xf16, "COp">`: the value has the matrix' element type.
pub(super) fn read_mma_constant(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let value = p.operand()?;
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let span = p.tok.span();
    let ty = p.ty()?;
    let elem = Fragment::of(p.ir, ty).and_then(|matrix| Scalar::from_keyword(matrix.elem));
    let elem = match elem {
        Some(Scalar::Float(float)) => p.ir.float_type(float),
        Some(Scalar::Int(width)) => p.ir.int_type(width),
        _ => return Err(p.error(span, "expected a matrix such as `!gpu.mma_matrix<16x16xf16, \"COp\">`")),
    };
    let value = p.resolve(value, elem)?;
    parts.operands.push(value);
    parts.results.push(ty);
    p.finish(op, parts)
}

pub(super) fn write_mma_constant(p: &mut Printer<'_>, op: OpId) {
    p.out.push(' ');
    p.value(p.ir.operand(op, 0));
    p.attr_dict(op, &[]);
    p.out.push_str(" : ");
    p.ty(p.ir.type_of(p.ir.result(op, 0)));
}

// ---- memref, vector

/// `"private" constant @name : T = dense<…> alignment = 16 {…}`
pub(super) fn read_global(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    if p.tok.kind == Kind::Str {
        let visibility = p.attr()?;
        p.put(&mut parts, "sym_visibility", visibility);
    }
    if p.eat_word("constant") {
        p.flag(&mut parts, "constant");
    }
    let name = p.symbol()?;
    let name = p.ir.str_attr(&name);
    p.put(&mut parts, "sym_name", name);
    p.expect(b':')?;
    let span = p.tok.span();
    let ty = p.ty()?;
    let attr = p.ir.intern(Attr::Type(ty));
    p.put(&mut parts, "type", attr);
    if p.eat(b'=') {
        let value = if p.eat_word("uninitialized") {
            p.unit()
        } else {
            let Type::MemRef { shape, elem, .. } = p.ir[ty].clone() else {
                let found = print_type(p.ir, ty);
                return Err(p.error(span, format!("type should be static shaped memref, but got '{found}'")));
            };
            let contents = p.ir.tensor_type(&shape, elem);
            p.attr_of(contents)?
        };
        p.put(&mut parts, "initial_value", value);
    }
    if p.eat_word("alignment") {
        p.expect(b'=')?;
        let value = p.int("an integer")?;
        let value = p.ir.i64_attr(value);
        p.put(&mut parts, "alignment", value);
    }
    p.attr_dict(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_global(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    if let Some(visibility) = ir.attr_id(op, "sym_visibility") {
        p.attr(visibility);
        p.out.push(' ');
    }
    if ir.attr_id(op, "constant").is_some() {
        p.out.push_str("constant ");
    }
    p.symbol(ir.symbol_name(op).unwrap_or_default());
    p.out.push_str(" : ");
    if let Some(ty) = ir.attr_id(op, "type") {
        p.attr(ty);
    }
    if let Some(value) = ir.attr_id(op, "initial_value") {
        p.out.push_str(" = ");
        if ir[value] == Attr::Unit {
            p.out.push_str("uninitialized");
        } else {
            p.attr_without_type(value);
        }
    }
    if let Some(alignment) = ir.attr(op, "alignment").and_then(Attr::as_i64) {
        p.out.push_str(&format!(" alignment = {alignment}"));
    }
    p.attr_dict(op, &["sym_visibility", "constant", "sym_name", "type", "initial_value", "alignment"]);
}

/// `%m (i, j) -> (j, i) {…} : T to U`
pub(super) fn read_transpose(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let source = p.operand()?;
    let map = p.affine_map()?;
    let map = p.ir.intern(Attr::Map(map));
    p.put(&mut parts, "permutation", map);
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let from = p.ty()?;
    p.expect_word("to")?;
    let to = p.ty()?;
    let source = p.resolve(source, from)?;
    parts.operands.push(source);
    parts.results.push(to);
    p.finish(op, parts)
}

pub(super) fn write_transpose(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    p.value(ir.operand(op, 0));
    if let Some(map) = ir.map(op, "permutation") {
        p.out.push_str(&format!(" {map}"));
    }
    p.attr_dict(op, &["permutation"]);
    p.out.push_str(" : ");
    p.ty(ir.type_of(ir.operand(op, 0)));
    p.out.push_str(" to ");
    p.ty(ir.type_of(ir.result(op, 0)));
}

/// `%src[%i], %dst[%j], %n, %tag[%c], %stride, %per_stride : S, D, T`
pub(super) fn read_dma_start(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let index = p.ir.index_type();
    let mut places = Vec::new();
    for number_first in [false, false, true] {
        let mut number = Vec::new();
        if number_first {
            number.push(p.operand()?);
            p.expect(b',')?;
        }
        let memref = p.operand()?;
        let indices = p.list(b'[', b']', Parser::operand)?;
        places.push((number, memref, indices));
        if !number_first {
            p.expect(b',')?;
        }
    }
    let strides = if p.eat(b',') { p.operands()? } else { Vec::new() };
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    for (i, (number, memref, indices)) in places.iter().enumerate() {
        if i > 0 {
            p.expect(b',')?;
        }
        p.resolve_all(number, index, &mut parts.operands)?;
        let ty = p.ty()?;
        let memref = p.resolve(*memref, ty)?;
        parts.operands.push(memref);
        p.resolve_all(indices, index, &mut parts.operands)?;
    }
    p.resolve_all(&strides, index, &mut parts.operands)?;
    p.finish(op, parts)
}

pub(super) fn write_dma_start(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let mut rest = ir.operands(op);
    let mut types = Vec::new();
    for (i, number_first) in [false, false, true].into_iter().enumerate() {
        p.out.push_str(if i > 0 { ", " } else { " " });
        if number_first {
            p.values(&rest[..1]);
            p.out.push_str(", ");
            rest = &rest[1..];
        }
        let (indices, tail) = rest[1..].split_at(ir.shape_of(rest[0]).len());
        types.push(ir.type_of(rest[0]));
        p.value(rest[0]);
        p.out.push('[');
        p.values(indices);
        p.out.push(']');
        rest = tail;
    }
    if !rest.is_empty() {
        p.out.push_str(", ");
        p.values(rest);
    }
    p.attr_dict(op, &[]);
    p.out.push_str(" : ");
    p.types(&types);
}

/// `%a, %b, %acc {kind = …} : V, W`
pub(super) fn read_outerproduct(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let start = p.tok.start;
    let operands = p.operands()?;
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let lhs = p.ty()?;
    p.expect(b',')?;
    let rhs = p.ty()?;
    let span = Span::new(start, p.tok.start);
    match operands.len() {
        0 | 1 => return Err(p.error(span, "expected at least 2 operands")),
        2 | 3 => {}
        _ => return Err(p.error(span, "expected at most 3 operands")),
    }
    let Type::Vector { shape, scalable, elem } = p.ir[lhs].clone() else {
        return Err(p.error(span, "expected vector type for operand #1"));
    };
    let result = match p.ir[rhs].clone() {
        Type::Vector { shape: other, scalable: marks, .. } => {
            let scalable = match (scalable.is_empty(), marks.is_empty()) {
                (true, true) => Vec::new(),
                _ => vec![scalable.first() == Some(&true), marks.first() == Some(&true)],
            };
            p.ir.intern_type(Type::Vector { shape: [shape, other].concat(), scalable, elem })
        }
        _ => lhs,
    };
    for (&operand, ty) in operands.iter().zip([lhs, rhs, result]) {
        let value = p.resolve(operand, ty)?;
        parts.operands.push(value);
    }
    parts.results.push(result);
    p.finish(op, parts)
}

pub(super) fn write_outerproduct(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    p.values(ir.operands(op));
    p.attr_dict(op, &[]);
    p.out.push_str(" : ");
    p.ty(ir.type_of(ir.operand(op, 0)));
    p.out.push_str(", ");
    p.ty(ir.type_of(ir.operand(op, 1)));
}

/// `linalg.unpack` carries the sizes of its groups of operands although nothing asks for them.
pub(super) fn read_unpack(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    super::format::read(p, Opcode::LinalgUnpack, op)?;
    let dynamic = p.ir.operands(op).len().saturating_sub(2);
    let sizes = p.ir.segment_sizes(&[1, 1, 0, dynamic]);
    p.ir.set_attr(op, "operandSegmentSizes", sizes);
    Ok(())
}

// ---- hal.executable.export

const EXPORT_PARTS: [&str; 5] = ["ordinal", "layout", "fallback", "count", "condition"];

/// `public @name ordinal(0) layout(#l) condition(…) -> i1 { … } fallback(@f) count(%d: !t) -> (index, index, index) { … }
/// attributes {…}`
pub(super) fn read_export(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    if p.tok.kind == Kind::Word && matches!(p.text(p.tok), "public" | "private" | "nested") {
        let word = p.word("a visibility")?;
        let word = p.ir.str_attr(word);
        p.put(&mut parts, "sym_visibility", word);
    }
    let name = p.symbol()?;
    let name = p.ir.str_attr(&name);
    p.put(&mut parts, "sym_name", name);
    let (count, condition) = (p.ir.add_region(op), p.ir.add_region(op));
    while p.tok.kind == Kind::Word && EXPORT_PARTS.contains(&p.text(p.tok)) {
        let tok = p.tok;
        match p.word("a parameter")? {
            "ordinal" => {
                p.expect(b'(')?;
                let value = p.int("an integer")?;
                let ty = p.ir.index_type();
                let value = p.ir.intern(Attr::Int { value: value.into(), ty });
                p.put(&mut parts, "ordinal", value);
                p.expect(b')')?;
            }
            "layout" => {
                p.expect(b'(')?;
                let layout = if p.at(b'<') { p.dialect_body("hal.pipeline.layout")? } else { p.attr()? };
                p.put(&mut parts, "layout", layout);
                p.expect(b')')?;
            }
            "fallback" => {
                p.expect(b'(')?;
                let symbol = p.attr()?;
                p.put(&mut parts, "condition_fallback", symbol);
                p.expect(b')')?;
            }
            word @ ("count" | "condition") => {
                p.open_isolated();
                let args = p.list(b'(', b')', |p| {
                    let arg = p.operand()?;
                    p.expect(b':')?;
                    Ok((arg, p.ty()?))
                })?;
                p.arrow_types()?;
                let args: Vec<(Operand<'_>, TypeId)> = args;
                p.region_into(if word == "count" { count } else { condition }, &args)?;
                p.close_isolated()?;
            }
            word => return Err(p.error(tok.span(), format!("`{word}` is not a part of an export"))),
        }
    }
    p.attr_dict_keyword(&mut parts)?;
    p.finish(op, parts)
}

pub(super) fn write_export(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    if let Some(Attr::Str(word)) = ir.attr(op, "sym_visibility") {
        p.out.push_str(&ir[*word]);
        p.out.push(' ');
    }
    p.symbol(ir.symbol_name(op).unwrap_or_default());
    if let Some(ordinal) = ir.attr(op, "ordinal").and_then(Attr::as_i64) {
        p.out.push_str(&format!(" ordinal({ordinal})"));
    }
    if let Some(layout) = ir.attr_id(op, "layout") {
        p.out.push_str(" layout(");
        p.attr(layout);
        p.out.push(')');
    }
    let region = |p: &mut Printer<'_>, word: &str, number: usize| {
        let Some(block) = ir.body(op, number) else { return };
        p.out.push_str(&format!(" {word}("));
        for (i, &arg) in ir.args(block).iter().enumerate() {
            p.out.push_str(if i > 0 { ", " } else { "" });
            p.value(arg);
            p.out.push_str(": ");
            p.ty(ir.type_of(arg));
        }
        p.out.push_str(") -> ");
        let results = ir.terminator(block).map_or(&[][..], |last| ir.operands(last));
        let types: Vec<TypeId> = results.iter().map(|&value| ir.type_of(value)).collect();
        p.type_list(&types);
        p.out.push(' ');
        p.region(ir.regions(op)[number], false, true);
    };
    region(p, "condition", 1);
    if let Some(fallback) = ir.attr_id(op, "condition_fallback") {
        p.out.push_str(" fallback(");
        p.attr(fallback);
        p.out.push(')');
    }
    region(p, "count", 0);
    p.attr_dict_keyword(op, &["sym_visibility", "sym_name", "ordinal", "layout", "condition_fallback"]);
}
