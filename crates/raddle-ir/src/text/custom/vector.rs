//! The operations of the `vector` dialect with positions, maps and masks.

use raddle_layout::sort::sort_by;

use super::super::lexer::Kind;
use super::super::parser::{Operand, Parser, Parts, Res};
use super::super::printer::Printer;
use super::{ints, linalg, mixed_list, write_mixed};
use crate::affine::{Expr, Map};
use crate::attrs::Attr;
use crate::build::keyword_attr;
use crate::diag::Span;
use crate::form::Shape;
use crate::ids::{OpId, TypeId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::Type;
use crate::views::minor_identity;

/// `%base[%i, %j], %pad, %mask {…} : T, V`
pub(super) fn read_transfer_read(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let base = p.operand()?;
    let indices = p.list(b'[', b']', Parser::operand)?;
    p.expect(b',')?;
    let padding = p.operand()?;
    let mask = if p.eat(b',') { Some(p.operand()?) } else { None };
    p.properties(&mut parts)?;
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let ([base_ty, vector_ty], span) = two_types(p)?;
    let map = transfer_defaults(p, &mut parts, base_ty, vector_ty, span)?;
    let base = p.resolve(base, base_ty)?;
    parts.operands.push(base);
    let index = p.ir.index_type();
    p.resolve_all(&indices, index, &mut parts.operands)?;
    let elem = p.elem(base_ty);
    let padding = p.resolve(padding, elem)?;
    parts.operands.push(padding);
    if let Some(mask) = mask {
        let ty = mask_of(p, &map, base_ty, vector_ty, mask.span)?;
        let mask = p.resolve(mask, ty)?;
        parts.operands.push(mask);
    }
    p.put_segments(&mut parts, &[1, indices.len(), 1, usize::from(mask.is_some())]);
    parts.results.push(vector_ty);
    p.finish(op, parts)
}

/// `%vector, %base[%i, %j], %mask {…} : V, T`
pub(super) fn read_transfer_write(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let vector = p.operand()?;
    p.expect(b',')?;
    let base = p.operand()?;
    let indices = p.list(b'[', b']', Parser::operand)?;
    let mask = if p.eat(b',') { Some(p.operand()?) } else { None };
    p.properties(&mut parts)?;
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let ([vector_ty, base_ty], span) = two_types(p)?;
    let map = transfer_defaults(p, &mut parts, base_ty, vector_ty, span)?;
    let vector = p.resolve(vector, vector_ty)?;
    let base = p.resolve(base, base_ty)?;
    parts.operands.extend([vector, base]);
    let index = p.ir.index_type();
    p.resolve_all(&indices, index, &mut parts.operands)?;
    if let Some(mask) = mask {
        let ty = mask_of(p, &map, base_ty, vector_ty, mask.span)?;
        let mask = p.resolve(mask, ty)?;
        parts.operands.push(mask);
    }
    p.put_segments(&mut parts, &[1, 1, indices.len(), usize::from(mask.is_some())]);
    if matches!(p.ir[base_ty], Type::Tensor { .. }) {
        parts.results.push(base_ty);
    }
    p.finish(op, parts)
}

/// The types of what is read and written, and where they stand.
fn two_types(p: &mut Parser<'_, '_>) -> Res<([TypeId; 2], Span)> {
    let start = p.tok.start;
    let types = p.commas(Parser::ty)?;
    let span = Span::new(start, p.tok.start);
    match types[..] {
        [first, second] => Ok(([first, second], span)),
        _ => Err(p.error(span, "requires two types")),
    }
}

/// The type of a mask that stands here.
fn mask_of(p: &mut Parser<'_, '_>, map: &Map, base: TypeId, vector: TypeId, span: Span) -> Res<TypeId> {
    let elem = p.elem(base);
    if p.ir[elem].is_vector() {
        return Err(p.error(span, "does not support masks with vector element type"));
    }
    if p.ir[vector].shape().map_or(0, <[i64]>::len) != map.results.len() {
        let message = "expected the same rank for the vector and the results of the permutation map";
        return Err(p.error(span, message));
    }
    Ok(mask_type(p.ir, map, vector))
}

/// Fills in the map and the flags that the text leaves out; returns the map.
fn transfer_defaults(p: &mut Parser<'_, '_>, parts: &mut Parts, base: TypeId, vector: TypeId, span: Span) -> Res<Map> {
    let Type::Vector { shape, .. } = &p.ir[vector] else {
        return Err(p.error(span, "a transfer requires vector type"));
    };
    let (Type::MemRef { shape: of_base, .. } | Type::Tensor { shape: of_base, .. }) = &p.ir[base] else {
        return Err(p.error(span, "a transfer requires memref or ranked tensor type"));
    };
    let base_rank = of_base.len();
    let rank = shape.len();
    let map = match p.got(parts, "permutation_map") {
        Some(attr) => match &p.ir[attr] {
            Attr::Map(map) => map.clone(),
            _ => return Err(p.error(span, "`permutation_map` is an affine map")),
        },
        None => {
            // A base of vectors covers their dimensions itself.
            let elem = p.elem(base);
            let elem_rank = p.ir[elem].shape().map_or(0, <[i64]>::len);
            let Some(results) = rank.checked_sub(elem_rank).filter(|&results| results <= base_rank) else {
                let message = "expected a custom permutation_map when rank(source) != rank(destination)";
                return Err(p.error(span, message));
            };
            let map = minor_identity(base_rank, results);
            let attr = p.ir.intern(Attr::Map(map.clone()));
            p.put(parts, "permutation_map", attr);
            map
        }
    };
    if p.got(parts, "in_bounds").is_none() {
        let flag = p.ir.intern(Attr::Bool(false));
        let flags = p.ir.intern(Attr::Array(vec![flag; map.results.len()]));
        p.put(parts, "in_bounds", flags);
    }
    Ok(map)
}

/// The mask of a transfer has the base's order of dimensions, without those that are broadcast.
pub(crate) fn mask_type(ir: &mut Ir, map: &Map, vector: TypeId) -> TypeId {
    let (shape, marks) = match &ir[vector] {
        Type::Vector { shape, scalable, .. } => (&shape[..], &scalable[..]),
        _ => (&[][..], &[][..]),
    };
    let mut dims: Vec<(u32, i64, bool)> = map
        .results
        .iter()
        .zip(shape)
        .enumerate()
        .filter_map(|(i, (expr, &extent))| match expr {
            Expr::Dim(d) => Some((*d, extent, marks.get(i) == Some(&true))),
            _ => None,
        })
        .collect();
    // Where nothing but broadcasts is left, one flag decides.
    if dims.is_empty() && !shape.is_empty() {
        dims.push((0, 1, false));
    }
    sort_by(&mut dims, Ord::cmp);
    let shape = dims.iter().map(|dim| dim.1).collect();
    let mut scalable: Vec<bool> = dims.iter().map(|dim| dim.2).collect();
    if !scalable.contains(&true) {
        scalable.clear();
    }
    let elem = ir.int_type(1);
    ir.intern_type(Type::Vector { shape, scalable, elem })
}

pub(super) fn write_transfer(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let shape = Shape::of(ir.opcode(op));
    let group = |i: usize| &ir.operands(op)[super::super::group_range(ir, op, shape, i)];
    let read = ir.opcode(op) == Opcode::VectorTransferRead;
    p.out.push(' ');
    let (base, indices) = if read { (group(0), group(1)) } else { (group(1), group(2)) };
    if !read {
        p.value(group(0)[0]);
        p.out.push_str(", ");
    }
    p.value(base[0]);
    p.out.push('[');
    p.values(indices);
    p.out.push(']');
    if read {
        p.out.push_str(", ");
        p.value(group(2)[0]);
    }
    if let Some(&mask) = group(3).first() {
        p.out.push_str(", ");
        p.value(mask);
    }
    let base_ty = ir.type_of(base[0]);
    let vector_ty = if read { ir.type_of(ir.result(op, 0)) } else { ir.type_of(group(0)[0]) };
    let base_rank = ir[base_ty].shape().map_or(0, <[i64]>::len);
    let mut elided = vec!["operandSegmentSizes"];
    if let Some(map) = ir.map(op, "permutation_map")
        && map.results.len() <= base_rank
        && *map == minor_identity(base_rank, map.results.len())
    {
        elided.push("permutation_map");
    }
    let flags = ir.attr_id(op, "in_bounds").and_then(|attr| ir.ints(attr)).unwrap_or_default();
    if flags.iter().all(|&flag| flag == 0) {
        elided.push("in_bounds");
    }
    p.attr_dict(op, &elided);
    p.out.push_str(" : ");
    let types = if read { [base_ty, vector_ty] } else { [vector_ty, base_ty] };
    p.types(&types);
}

/// `{indexing_maps, iterator_types, kind} %lhs, %rhs, %acc {…} : L, R into A`
pub(super) fn read_contract(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let span = p.tok.span();
    if p.tok.kind == Kind::Hash {
        let attr = p.attr()?;
        let Attr::Dict(entries) = &p.ir[attr] else { return Err(p.error(span, "expected a dictionary")) };
        parts.attrs.extend(entries.iter().copied());
    } else {
        p.properties(&mut parts)?;
        p.attr_dict(&mut parts)?;
    }
    if let Err(message) = linalg::iterator_types(p.ir, &mut parts, "vector.iterator_type") {
        return Err(p.error(span, message));
    }
    if p.got(&parts, "kind").is_none() {
        let kind = keyword_attr(p.ir, "vector.kind", "add");
        p.put(&mut parts, "kind", kind);
    }
    let start = p.tok.start;
    let operands = p.operands()?;
    let &[lhs, rhs, acc] = &operands[..] else {
        return Err(p.error(
            Span::new(start, p.tok.start),
            "expected zero or exactly 2 vector mask operands, where a contraction has three operands",
        ));
    };
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let lhs_ty = p.ty()?;
    p.expect(b',')?;
    let rhs_ty = p.ty()?;
    // The accumulator's type may be said twice.
    if p.eat(b',') {
        p.ty()?;
    }
    p.expect_word("into")?;
    let acc_ty = p.ty()?;
    for (operand, ty) in [(lhs, lhs_ty), (rhs, rhs_ty), (acc, acc_ty)] {
        let value = p.resolve(operand, ty)?;
        parts.operands.push(value);
    }
    parts.results.push(acc_ty);
    p.finish(op, parts)
}

pub(super) fn write_contract(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push_str(" {");
    let mut elided = vec!["indexing_maps", "iterator_types", "kind"];
    if ir.keyword_of(op, "fastmath").is_some_and(|word| word != "none")
        && let Some(fastmath) = ir.attr_id(op, "fastmath")
    {
        p.out.push_str("fastmath = ");
        p.attr(fastmath);
        p.out.push_str(", ");
    }
    elided.push("fastmath");
    if let Some(maps) = ir.attr_id(op, "indexing_maps") {
        p.out.push_str("indexing_maps = ");
        p.attr(maps);
        p.out.push_str(", ");
    }
    linalg::write_iterator_types(p, op);
    if let Some(kind) = ir.attr_id(op, "kind") {
        p.out.push_str(", kind = ");
        p.attr(kind);
    }
    p.out.push_str("} ");
    p.values(ir.operands(op));
    p.attr_dict(op, &elided);
    p.out.push_str(" : ");
    let types: Vec<TypeId> = ir.operands(op).iter().map(|&value| ir.type_of(value)).collect();
    p.types(&types[..2]);
    p.out.push_str(" into ");
    p.ty(types[2]);
}

/// `%source[1, %i] : f32 from V`
pub(super) fn read_extract(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let source = p.operand()?;
    let (numbers, values) = mixed_list(p, b'[', b']')?;
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let result = p.ty()?;
    p.expect_word("from")?;
    let ty = p.ty()?;
    let source = p.resolve(source, ty)?;
    parts.operands.push(source);
    put_position(p, &mut parts, &numbers, &values)?;
    parts.results.push(result);
    p.finish(op, parts)
}

fn put_position<'a>(p: &mut Parser<'a, '_>, parts: &mut Parts, numbers: &[i64], values: &[Operand<'a>]) -> Res<()> {
    let index = p.ir.index_type();
    for &value in values {
        let value = p.resolve(value, index)?;
        parts.operands.push(value);
    }
    let numbers = p.ir.dense_i64(numbers);
    p.put(parts, "static_position", numbers);
    Ok(())
}

pub(super) fn write_extract(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    p.value(ir.operand(op, 0));
    let at = ints(p, op, "static_position");
    write_mixed(p, '[', ']', &at, &ir.operands(op)[1..]);
    p.attr_dict(op, &["static_position"]);
    p.out.push_str(" : ");
    p.ty(ir.type_of(ir.result(op, 0)));
    p.out.push_str(" from ");
    p.ty(ir.type_of(ir.operand(op, 0)));
}

/// `%value, %dest [1, %i] : S into D`
pub(super) fn read_insert(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let value = p.operand()?;
    p.expect(b',')?;
    let dest = p.operand()?;
    let (numbers, values) = mixed_list(p, b'[', b']')?;
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let value_ty = p.ty()?;
    p.expect_word("into")?;
    let dest_ty = p.ty()?;
    let value = p.resolve(value, value_ty)?;
    let dest = p.resolve(dest, dest_ty)?;
    parts.operands.extend([value, dest]);
    put_position(p, &mut parts, &numbers, &values)?;
    parts.results.push(dest_ty);
    p.finish(op, parts)
}

pub(super) fn write_insert(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    p.values(&ir.operands(op)[..2]);
    p.out.push(' ');
    let at = ints(p, op, "static_position");
    write_mixed(p, '[', ']', &at, &ir.operands(op)[2..]);
    p.attr_dict(op, &["static_position"]);
    p.out.push_str(" : ");
    p.ty(ir.type_of(ir.operand(op, 0)));
    p.out.push_str(" into ");
    p.ty(ir.type_of(ir.operand(op, 1)));
}

/// The lists of a strided slice.
fn strided_lists(opcode: Opcode) -> &'static [&'static str] {
    if opcode == Opcode::VectorExtractStridedSlice { &["offsets", "sizes", "strides"] } else { &["offsets", "strides"] }
}

/// `%v offsets = [0], sizes = [2], strides = [1] : V to R`, with `into` for an insertion; the lists may stand in the
/// dictionary instead.
pub(super) fn read_strided(p: &mut Parser<'_, '_>, opcode: Opcode, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let operands = p.operands()?;
    let word = if opcode == Opcode::VectorExtractStridedSlice { "to" } else { "into" };
    let expected = if opcode == Opcode::VectorExtractStridedSlice { 1 } else { 2 };
    if operands.len() != expected {
        return Err(p.expected(&format!("{expected} operands")));
    }
    for (i, list) in strided_lists(opcode).iter().enumerate() {
        if i > 0 && p.at(b',') {
            p.bump();
        } else if i > 0 || !p.at_word(list) {
            break;
        }
        p.expect_word(list)?;
        p.expect(b'=')?;
        let value = p.attr()?;
        p.put(&mut parts, list, value);
    }
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let first = p.ty()?;
    p.expect_word(word)?;
    let second = p.ty()?;
    for (&operand, ty) in operands.iter().zip([first, second]) {
        let value = p.resolve(operand, ty)?;
        parts.operands.push(value);
    }
    parts.results.push(second);
    p.finish(op, parts)
}

pub(super) fn write_strided(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    let lists = strided_lists(ir.opcode(op));
    p.out.push(' ');
    p.values(ir.operands(op));
    for (i, list) in lists.iter().enumerate() {
        p.out.push_str(if i > 0 { ", " } else { " " });
        p.out.push_str(list);
        p.out.push_str(" = ");
        if let Some(value) = ir.attr_id(op, list) {
            p.attr(value);
        }
    }
    p.attr_dict(op, lists);
    p.out.push_str(" : ");
    p.ty(ir.type_of(ir.operand(op, 0)));
    p.out.push_str(if ir.opcode(op) == Opcode::VectorExtractStridedSlice { " to " } else { " into " });
    p.ty(ir.type_of(ir.result(op, 0)));
}

/// `%v : V`, with as many results as `V` has elements.
pub(super) fn read_to_elements(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let source = p.operand()?;
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let span = p.tok.span();
    let ty = p.ty()?;
    let source = p.resolve(source, ty)?;
    parts.operands.push(source);
    let Type::Vector { shape, elem, .. } = &p.ir[ty] else { return Err(p.error(span, "expected a vector")) };
    let count = shape.iter().try_fold(1usize, |n, &extent| n.checked_mul(usize::try_from(extent).ok()?));
    // One result for each element: what no register file holds is a mistake.
    let Some(count) = count.filter(|&count| count <= 1 << 16) else {
        return Err(p.error(span, "a vector of so many elements cannot be taken apart"));
    };
    parts.results.extend(std::iter::repeat_n(*elem, count));
    p.finish(op, parts)
}

pub(super) fn write_to_elements(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    p.out.push(' ');
    p.value(ir.operand(op, 0));
    p.attr_dict(op, &[]);
    p.out.push_str(" : ");
    p.ty(ir.type_of(ir.operand(op, 0)));
}

/// `%a, %b [0, 3] : vector<2xf32>, vector<2xf32>`: the mask has as many entries as the result.
pub(super) fn read_shuffle(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    let start = p.tok.start;
    let operands = p.operands()?;
    let at = p.tok.span();
    let mask = p.list(b'[', b']', |p| p.int("the number of an element"))?;
    if mask.is_empty() {
        return Err(p.error(at, "'vector.shuffle' op invalid mask length: it needs at least one entry"));
    }
    p.attr_dict(&mut parts)?;
    p.expect(b':')?;
    let types = p.commas(Parser::ty)?;
    let span = Span::new(start, p.tok.start);
    p.resolve_each(&operands, &types, span, &mut parts.operands)?;
    let Some(Type::Vector { shape, elem, .. }) = types.first().map(|&ty| p.ir[ty].clone()) else {
        return Err(p.error(span, "takes elements out of two vectors"));
    };
    let inner = shape.get(1..).unwrap_or_default();
    let result = p.ir.vector_type(&[&[mask.len() as i64], inner].concat(), elem);
    parts.results.push(result);
    let mask = p.ir.dense_i64(&mask);
    p.put(&mut parts, "mask", mask);
    p.finish(op, parts)
}

pub(super) fn write_shuffle(p: &mut Printer<'_>, op: OpId) {
    p.out.push(' ');
    p.values(p.ir.operands(op));
    p.out.push(' ');
    p.int_list(&ints(p, op, "mask"));
    p.attr_dict(op, &["mask"]);
    p.out.push_str(" : ");
    p.types_of(p.ir.operands(op).iter().copied());
}
