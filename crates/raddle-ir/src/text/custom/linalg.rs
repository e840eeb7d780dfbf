//! `linalg.generic`, `linalg.matmul`, `linalg.fill`.
//!
//! Named operations have a region, too: custom assembly leaves it out, and the reader builds it.

use super::super::lexer::Kind;
use super::super::parser::{Operand, Parser, Parts, Res};
use super::super::printer::Printer;
use super::named;
use crate::attrs::Attr;
use crate::build::{Builder, keyword_attr};
use crate::codes::Code;
use crate::diag::{Diag, Span};
use crate::form::Shape;
use crate::ids::{AttrId, BlockId, OpId, StrId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::{Scalar, Type};

/// Operands and types of `ins(…)` or `outs(…)`.
pub(super) type Group<'a> = (Vec<Operand<'a>>, Vec<TypeId>, Span);

/// `ins(%a, %b : T, U)`, or nothing.
pub(super) fn group<'a>(p: &mut Parser<'a, '_>, word: &str) -> Res<Group<'a>> {
    let start = p.tok.start;
    if !p.eat_word(word) {
        return Ok((Vec::new(), Vec::new(), p.tok.span()));
    }
    p.expect(b'(')?;
    let operands = p.operands()?;
    let mut types = Vec::new();
    if !operands.is_empty() {
        p.expect(b':')?;
        types = p.commas(Parser::ty)?;
    }
    let end = p.expect(b')')?.end;
    Ok((operands, types, Span::new(start, end)))
}

fn groups(p: &mut Parser<'_, '_>, parts: &mut Parts) -> Res<(usize, Vec<TypeId>)> {
    let (inputs, input_types, in_span) = group(p, "ins")?;
    let (outputs, output_types, out_span) = group(p, "outs")?;
    p.resolve_each(&inputs, &input_types, in_span, &mut parts.operands)?;
    p.resolve_each(&outputs, &output_types, out_span, &mut parts.operands)?;
    p.put_segments(parts, &[inputs.len(), outputs.len()]);
    Ok((inputs.len(), [input_types, output_types].concat()))
}

/// `linalg.matmul indexing_maps = […] {…} ins(…) outs(…) -> T`
pub(super) fn read_named(p: &mut Parser<'_, '_>, opcode: Opcode, op: OpId) -> Res<()> {
    let start = p.tok.span();
    let mut parts = p.parts();
    p.properties(&mut parts)?;
    strict(p, &mut parts)?;
    p.attr_dict(&mut parts)?;
    let (n_inputs, types) = groups(p, &mut parts)?;
    // Named operations take their dictionary in front; behind, it is accepted as well.
    p.attr_dict(&mut parts)?;
    parts.results = p.arrow_types()?;
    let span = Span { start: start.start, end: p.tok.start as u32 };
    if let Err(message) = named::complete(p, opcode, &mut parts, n_inputs, &types) {
        return Err(Box::new(Diag::error(Code::BadOperation, span, message)));
    }
    let elem = |&ty: &TypeId| match p.ir[ty] {
        Type::Tensor { elem, .. } | Type::MemRef { elem, .. } => elem,
        _ => ty,
    };
    let elems: Vec<TypeId> = types.iter().map(elem).collect();
    let kind = p.got(&parts, "kind");
    if !named::acts_on(p.ir, opcode, kind, &elems) {
        let name = opcode.name();
        let why = match name.strip_suffix("_unsigned").and_then(|name| name.rsplit('_').next()) {
            Some(extreme) => format!(": unsupported operation: unsigned {extreme} not on uint"),
            None => String::new(),
        };
        let message = format!("`{name}` cannot act on elements of this type{why}");
        return Err(Box::new(Diag::error(Code::BadOperation, span, message)));
    }
    let cast = p.got(&parts, "cast");
    named::build(p.ir, opcode, [kind, cast], op, &elems, span);
    p.finish(op, parts)
}

/// `indexing_maps = […]`, `<indexing_maps = …>` and the like in front of the dictionary.
fn strict(p: &mut Parser<'_, '_>, parts: &mut Parts) -> Res<()> {
    let bracket = p.eat(b'<');
    named::read_leading(p, parts)?;
    if bracket {
        p.expect(b'>')?;
    }
    Ok(())
}

/// Converts a scalar; whether integers are signed makes a difference where the new type is wider or a float.
///
/// A truth value is 0 or 1: front ends put masks and identity matrices in as factors, and IREE, which keeps them in
/// bytes, computes so, although `linalg-generalize-named-ops` writes the `sitofp` that would make -1 of `true`.
pub(super) fn cast(ir: &mut Ir, block: BlockId, value: ValueId, to: TypeId, signed: bool, span: Span) -> ValueId {
    let from = ir.type_of(value);
    if from == to {
        return value;
    }
    let bits = |ty: TypeId| Scalar::of(&ir[ty]).map_or(0, Scalar::bits);
    let wider = bits(to) > bits(from);
    let signed = signed && !matches!(ir[from], Type::Integer { width: 1, .. });
    let opcode = match (&ir[from], &ir[to]) {
        (Type::Float(_), Type::Float(_)) if bits(to) == bits(from) => Opcode::ArithBitcast,
        (Type::Float(_), Type::Float(_)) => {
            if wider {
                Opcode::ArithExtf
            } else {
                Opcode::ArithTruncf
            }
        }
        (Type::Index, _) | (_, Type::Index) if signed => Opcode::ArithIndexCast,
        (Type::Index, _) | (_, Type::Index) => Opcode::ArithIndexCastui,
        (Type::Float(_), _) if signed => Opcode::ArithFptosi,
        (Type::Float(_), _) => Opcode::ArithFptoui,
        (_, Type::Float(_)) if signed => Opcode::ArithSitofp,
        (_, Type::Float(_)) => Opcode::ArithUitofp,
        _ if bits(to) == bits(from) => Opcode::ArithBitcast,
        _ => match (wider, signed) {
            (true, true) => Opcode::ArithExtsi,
            (true, false) => Opcode::ArithExtui,
            (false, _) => Opcode::ArithTrunci,
        },
    };
    Builder::at_end(ir, block, span).value(opcode, &[value], to, &[])
}

pub(super) fn write_named(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    for name in ["kind", "indexing_maps", "cast"] {
        if let Some(value) = ir.attr_id(op, name)
            && (name != "indexing_maps" || !named::states_meant_maps(ir, op))
        {
            p.out.push_str(&format!(" {name}{}", if name == "kind" { "=" } else { " = " }));
            p.attr(value);
        }
    }
    // What is stated freely comes first, then strides and dilations.
    let own: Vec<_> = ir.attrs(op).iter().filter(|entry| !is_inherent(ir, op, entry)).copied().collect();
    let windows = ["dilations", "strides"];
    let windows = ir.attrs(op).iter().filter(|entry| windows.contains(&&ir[entry.0])).copied();
    let shown: Vec<_> = own.into_iter().chain(windows).collect();
    if !shown.is_empty() {
        p.out.push(' ');
        p.dict(&shown);
    }
    write_groups(p, op);
    write_results(p, op);
}

fn is_inherent(ir: &Ir, op: OpId, entry: &(StrId, AttrId)) -> bool {
    Shape::of(ir.opcode(op)).inherent(&ir[entry.0]).is_some()
}

fn write_groups(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    for (word, values) in ["ins", "outs"].into_iter().zip(ir.segments(op)) {
        if values.is_empty() {
            continue;
        }
        p.out.push_str(&format!(" {word}("));
        p.values(values);
        p.out.push_str(" : ");
        p.types_of(values.iter().copied());
        p.out.push(')');
    }
}

fn write_results(p: &mut Printer<'_>, op: OpId) {
    let types: Vec<TypeId> = p.ir.results(op).map(|value| p.ir.type_of(value)).collect();
    if !types.is_empty() {
        p.out.push_str(" -> ");
        p.type_list(&types);
    }
}

/// `linalg.generic {indexing_maps = …, iterator_types = …} ins(…) outs(…) attrs = {…} { … } -> T`
pub(super) fn read_generic(p: &mut Parser<'_, '_>, op: OpId) -> Res<()> {
    let mut parts = p.parts();
    if p.tok.kind == Kind::Hash {
        // A trait: a dictionary under an alias.
        let tok = p.tok;
        let attr = p.attr()?;
        let Attr::Dict(entries) = &p.ir[attr] else { return Err(p.error(tok.span(), "expected a dictionary")) };
        parts.attrs.extend(entries.iter().copied());
    } else {
        p.properties(&mut parts)?;
        p.attr_dict(&mut parts)?;
    }
    p.attr_dict(&mut parts)?;
    let span = p.tok.span();
    match iterator_types(p.ir, &mut parts, "linalg.iterator_type") {
        Ok(()) => {}
        Err(message) => return Err(p.error(span, message)),
    }
    groups(p, &mut parts)?;
    if p.eat_word("attrs") {
        p.expect(b'=')?;
        p.attr_dict(&mut parts)?;
    }
    p.region(op, &[])?;
    parts.results = p.arrow_types()?;
    p.finish(op, parts)
}

/// Makes the strings of `iterator_types` enumeration attributes.
pub(super) fn iterator_types(ir: &mut Ir, parts: &mut Parts, name: &str) -> Result<(), String> {
    let Some(at) = parts.attrs.iter().position(|entry| ir[entry.0] == *"iterator_types") else {
        return Err("expected \"iterator_types\" array attribute".to_owned());
    };
    let Attr::Array(items) = ir[parts.attrs[at].1].clone() else {
        return Err("`iterator_types` is a list such as `[\"parallel\", \"reduction\"]`".to_owned());
    };
    let mut words = Vec::new();
    for item in items {
        let word = match &ir[item] {
            Attr::Str(word) => {
                let word = ir[*word].to_owned();
                if !matches!(&word[..], "parallel" | "reduction" | "window") {
                    return Err(format!("unexpected iterator_type ({word}): there are `parallel` and `reduction`"));
                }
                keyword_attr(ir, name, &word)
            }
            _ => item,
        };
        words.push(word);
    }
    parts.attrs[at].1 = ir.intern(Attr::Array(words));
    Ok(())
}

/// `iterator_types = ["parallel"]`
pub(super) fn write_iterator_types(p: &mut Printer<'_>, op: OpId) {
    p.out.push_str("iterator_types = [");
    if let Some(Attr::Array(items)) = p.ir.attr(op, "iterator_types") {
        for (i, &item) in items.iter().enumerate() {
            let word = p.ir.keyword(item).unwrap_or("parallel");
            p.out.push_str(&format!("{}\"{word}\"", if i > 0 { ", " } else { "" }));
        }
    }
    p.out.push(']');
}

pub(super) fn write_generic(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    // The trait's attributes, sorted: doc, indexing_maps, iterator_types, library_call.
    p.out.push_str(" {");
    let mut first = true;
    for name in ["doc", "indexing_maps", "iterator_types", "library_call"] {
        let Some(value) = ir.attr_id(op, name) else { continue };
        if !first {
            p.out.push_str(", ");
        }
        first = false;
        if name == "iterator_types" {
            write_iterator_types(p, op);
        } else {
            p.out.push_str(&format!("{name} = "));
            p.attr(value);
        }
    }
    p.out.push('}');
    write_groups(p, op);
    let elided = ["operandSegmentSizes", "indexing_maps", "iterator_types", "doc", "library_call"];
    if ir.attrs(op).iter().any(|entry| !elided.contains(&&ir[entry.0])) {
        // MLIR prints two spaces.
        p.out.push_str(" attrs = ");
        p.attr_dict(op, &elided);
    }
    p.out.push(' ');
    p.region(ir.regions(op)[0], true, true);
    write_results(p, op);
}
