//! `linalg.generic`, `linalg.matmul`, `linalg.fill`.
//!
//! Named operations have a region, too: custom assembly leaves it out, and the reader builds it.

use super::super::lexer::Kind;
use super::super::parser::{Operand, Parser, Parts, Res};
use super::super::printer::Printer;
use crate::affine::Map;
use crate::attrs::Attr;
use crate::build::{Builder, keyword_attr};
use crate::codes::Code;
use crate::diag::{Diag, Span};
use crate::ids::{AttrId, BlockId, OpId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::{Scalar, Type};

/// Operands and types of `ins(…)` or `outs(…)`.
type Group<'a> = (Vec<Operand<'a>>, Vec<TypeId>, Span);

/// `ins(%a, %b : T, U)`, or nothing.
fn group<'a>(p: &mut Parser<'a, '_>, word: &str) -> Res<Group<'a>> {
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
    let (inputs, outputs) = match opcode {
        Opcode::Matmul => (2, 1),
        _ => (1, 1),
    };
    if n_inputs != inputs || types.len() != inputs + outputs {
        let message = format!("`{}` takes {inputs} inputs and {outputs} output", opcode.name());
        return Err(Box::new(Diag::error(Code::BadOperation, span, message)));
    }
    if opcode == Opcode::Matmul && p.got(&parts, "indexing_maps").is_none() {
        let maps = p.ir.matmul_maps();
        p.put(&mut parts, "indexing_maps", maps);
    }
    build_region(p.ir, opcode, op, &types, span)?;
    p.finish(op, parts)
}

/// `indexing_maps = […]`, `<indexing_maps = …>` and the like in front of the dictionary.
fn strict(p: &mut Parser<'_, '_>, parts: &mut Parts) -> Res<()> {
    let bracket = p.eat(b'<');
    while p.tok.kind == Kind::Word && matches!(p.text(p.tok), "indexing_maps" | "cast") {
        let name = p.word("an attribute")?;
        p.expect(b'=')?;
        let value = p.attr()?;
        p.put(parts, name, value);
        if !p.eat(b',') {
            break;
        }
    }
    if bracket {
        p.expect(b'>')?;
    }
    Ok(())
}

impl Ir {
    /// The maps that `linalg.matmul` means by its name.
    pub(crate) fn matmul_maps(&mut self) -> AttrId {
        let maps = MATMUL_DIMS.map(|dims| self.intern(Attr::Map(Map::of_dims(3, &dims))));
        self.intern(Attr::Array(maps.to_vec()))
    }
}

/// Dimensions (m, n, k) of A, B and C.
const MATMUL_DIMS: [[usize; 2]; 3] = [[0, 2], [2, 1], [0, 1]];

fn are_matmul_maps(ir: &Ir, op: OpId) -> bool {
    let plain = |map: &Map, dims: &[usize; 2]| map.dims == 3 && map.syms == 0 && map.as_dims().as_deref() == Some(dims);
    let maps = ir.maps(op, "indexing_maps");
    maps.is_some_and(|maps| maps.len() == 3 && maps.iter().zip(&MATMUL_DIMS).all(|(map, dims)| plain(map, dims)))
}

/// Builds the region of a named operation from the types of its operands.
fn build_region(ir: &mut Ir, opcode: Opcode, op: OpId, types: &[TypeId], span: Span) -> Res<()> {
    let elems: Vec<TypeId> = types.iter().map(|&ty| ir[ty].elem().unwrap_or(ty)).collect();
    for &elem in &elems {
        if Scalar::of(&ir[elem]).is_none() {
            let message = format!("`{}` cannot act on elements of this type", opcode.name());
            return Err(Box::new(Diag::error(Code::BadOperation, span, message)));
        }
    }
    let region = ir.add_region(op);
    let block = ir.add_block(region, &elems);
    let args = ir.args(block).to_vec();
    let acc = elems[elems.len() - 1];
    let result = match opcode {
        Opcode::Matmul => {
            let lhs = cast(ir, block, args[0], acc, span);
            let rhs = cast(ir, block, args[1], acc, span);
            let (mul, add) = match ir[acc] {
                Type::Float(_) => (Opcode::MulF, Opcode::AddF),
                Type::Integer { width: 1, .. } => (Opcode::AndI, Opcode::OrI),
                _ => (Opcode::MulI, Opcode::AddI),
            };
            let mut builder = Builder::at_end(ir, block, span);
            let product = builder.binary(mul, lhs, rhs);
            builder.binary(add, args[2], product)
        }
        _ => cast(ir, block, args[0], acc, span),
    };
    Builder::at_end(ir, block, span).op(Opcode::LinalgYield, &[result], &[], &[]);
    Ok(())
}

/// Converts a scalar as `linalg` does by default: integers are signed.
fn cast(ir: &mut Ir, block: BlockId, value: ValueId, to: TypeId, span: Span) -> ValueId {
    let from = ir.type_of(value);
    if from == to {
        return value;
    }
    let bits = |ty: TypeId| Scalar::of(&ir[ty]).map_or(0, Scalar::bits);
    let wider = bits(to) > bits(from);
    let opcode = match (&ir[from], &ir[to]) {
        (Type::Float(_), Type::Float(_)) if bits(to) == bits(from) => Opcode::Bitcast,
        (Type::Float(_), Type::Float(_)) => {
            if wider {
                Opcode::ExtF
            } else {
                Opcode::TruncF
            }
        }
        (Type::Index, _) | (_, Type::Index) => Opcode::IndexCast,
        (Type::Float(_), _) => Opcode::FPToSI,
        (_, Type::Float(_)) => Opcode::SIToFP,
        _ if bits(to) == bits(from) => Opcode::Bitcast,
        _ => {
            if wider {
                Opcode::ExtSI
            } else {
                Opcode::TruncI
            }
        }
    };
    Builder::at_end(ir, block, span).value(opcode, &[value], to, &[])
}

pub(super) fn write_named(p: &mut Printer<'_>, op: OpId) {
    let ir = p.ir;
    for name in ["indexing_maps", "cast"] {
        if let Some(value) = ir.attr_id(op, name)
            && (name != "indexing_maps" || !are_matmul_maps(ir, op))
        {
            p.out.push_str(&format!(" {name} = "));
            p.attr(value);
        }
    }
    p.attr_dict(op, &["operandSegmentSizes", "indexing_maps", "cast"]);
    write_groups(p, op);
    write_results(p, op);
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
        let types: Vec<TypeId> = values.iter().map(|&value| ir.type_of(value)).collect();
        p.types(&types);
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
        return Err("expected `iterator_types`".to_owned());
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
                    return Err(format!("`{word}` is no iterator type: there are `parallel` and `reduction`"));
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
