//! One interpreter for declarative assembly formats: the same elements are read and printed.

use super::lexer::{self, Kind};
use super::parser::{Operand, Parser, Parts, Res};
use super::printer::Printer;
use crate::attrs::{Attr, Body};
use crate::diag::Span;
use crate::form::{Beside, Cases, Elem, Inherent, Rule, Shape, Sort, Spelling};
use crate::ids::{AttrId, OpId, TypeId};
use crate::ir::Ir;
use crate::ops::Opcode;
use crate::types::{Float, Scalar, Sign, Type};

/// What was read so far of one operation.
struct State<'a> {
    operands: Vec<Vec<Operand<'a>>>,
    operand_types: Vec<Option<Vec<TypeId>>>,
    result_types: Vec<Option<Vec<TypeId>>>,
    parts: Parts,
}

/// Reads the custom assembly behind an operation's name.
pub(crate) fn read(p: &mut Parser<'_, '_>, opcode: Opcode, op: OpId) -> Res<()> {
    let shape = Shape::of(opcode);
    let start = p.tok.start;
    let mut state = State {
        operands: vec![Vec::new(); shape.operands.len()],
        operand_types: vec![None; shape.operands.len()],
        result_types: vec![None; shape.results.len()],
        parts: p.parts(),
    };
    p.properties(&mut state.parts)?;
    read_elems(p, op, shape, &shape.format, &mut state)?;
    let span = Span::new(start, p.tok.start.max(start));
    let mut parts = state.parts;
    let mut vars: Vec<(u8, TypeId)> = Vec::new();
    let known = shape.operands.iter().zip(&state.operand_types).chain(shape.results.iter().zip(&state.result_types));
    for (group, types) in known {
        if let (Rule::Var(letter), Some(types)) = (group.rule, types)
            && let Some(&ty) = types.first()
            && vars.iter().all(|var| var.0 != letter)
        {
            vars.push((letter, ty));
        }
    }
    for (i, group) in shape.operands.iter().enumerate() {
        let operands = &state.operands[i];
        match &state.operand_types[i] {
            Some(types) if !group.many && types.len() == 1 => p.resolve_all(operands, types[0], &mut parts.operands)?,
            Some(types) => p.resolve_each(operands, types, span, &mut parts.operands)?,
            None => {
                if operands.is_empty() {
                    continue;
                }
                let ty = infer(p, shape, group.rule, &vars, span)?;
                p.resolve_all(operands, ty, &mut parts.operands)?;
            }
        }
    }
    for (group, types) in shape.results.iter().zip(&mut state.result_types) {
        match types.take() {
            Some(types) => parts.results.extend(types),
            None if let Rule::Same(operands) = group.rule => {
                let at = shape.operands.iter().position(|other| other.name == operands);
                let same = at.and_then(|at| state.operand_types[at].as_ref());
                parts.results.extend(same.into_iter().flatten());
            }
            None if let Rule::FlagFor(operands) = group.rule => {
                let at = shape.operands.iter().position(|other| other.name == operands);
                let flag = p.ir.int_type(1);
                parts.results.extend(at.map_or(&[][..], |at| &state.operands[at]).iter().map(|_| flag));
            }
            None if group.many || group.optional => {}
            None => {
                let ty = infer(p, shape, group.rule, &vars, span)?;
                parts.results.push(ty);
            }
        }
    }
    // A region that may be empty is there even where no text is.
    for _ in shape.bodies.iter().skip(p.ir.regions(op).len()).filter(|body| body.empty) {
        p.ir.add_region(op);
    }
    if shape.segmented {
        let sizes: Vec<usize> = state.operands.iter().map(Vec::len).collect();
        p.put_segments(&mut parts, &sizes);
    }
    p.finish(op, parts)
}

/// The type that a rule gives once the variables are known.
fn infer(p: &mut Parser<'_, '_>, shape: &Shape, rule: Rule, vars: &[(u8, TypeId)], span: Span) -> Res<TypeId> {
    let var = |letter: u8| vars.iter().find(|var| var.0 == letter).map(|var| var.1);
    let unknown = |p: &Parser<'_, '_>| p.error(span, "the type of an operand or result is not stated");
    Ok(match rule {
        Rule::Var(letter) => match var(letter) {
            Some(ty) => ty,
            None if shape.sort_of(rule) == Sort::Extent => p.ir.index_type(),
            None => return Err(unknown(p)),
        },
        Rule::ElemOf(letter) => {
            let ty = var(letter).ok_or_else(|| unknown(p))?;
            match p.ir[ty].elem() {
                Some(elem) => elem,
                None => return Err(p.error(span, "expected a shaped type")),
            }
        }
        Rule::PairOf(letter) => {
            let ty = var(letter).ok_or_else(|| unknown(p))?;
            let text = p.ir.intern_str(&format!("llvm.struct<({}, i1)>", super::custom::inside_llvm(p.ir, ty)));
            p.ir.intern_type(Type::Dialect(text))
        }
        Rule::BoolOf(letter) => {
            let ty = var(letter).ok_or_else(|| unknown(p))?;
            let i1 = p.ir.int_type(1);
            p.ir.with_elem(ty, i1)
        }
        Rule::Sort(Sort::Index | Sort::IndexLike | Sort::Extent) => p.ir.index_type(),
        Rule::Sort(Sort::F32) => p.ir.intern_type(Type::Float(Float::F32)),
        Rule::Sort(Sort::I1) => p.ir.int_type(1),
        Rule::Sort(Sort::I32) => p.ir.int_type(32),
        Rule::Sort(Sort::I64) => p.ir.int_type(64),
        Rule::Sort(Sort::I8) => p.ir.int_type(8),
        Rule::Sort(Sort::I14) => p.ir.int_type(14),
        Rule::Sort(Sort::I16) => p.ir.int_type(16),
        Rule::Sort(Sort::Exact(text)) => super::parse_type(text, p.ir).expect("the row spells a type"),
        Rule::Sort(Sort::Dialect(name)) => {
            let name = p.ir.intern_str(name);
            p.ir.intern_type(Type::Dialect(name))
        }
        Rule::Sort(_) | Rule::Same(_) | Rule::FlagFor(_) => return Err(unknown(p)),
    })
}

fn read_elems<'a>(p: &mut Parser<'a, '_>, op: OpId, shape: &Shape, elems: &[Elem], state: &mut State<'a>) -> Res<()> {
    let mut late = Vec::new();
    for (i, elem) in elems.iter().enumerate() {
        // Neighbouring optional groups that start with a word may stand in any order.
        if matches!(elem, Elem::Optional(..)) {
            late.push(i);
            let more = matches!(elems.get(i + 1), Some(Elem::Optional(..)));
            if more {
                continue;
            }
            let mut last = None;
            while let Some(at) = late.iter().position(|&i| {
                // What stands behind a later group belongs to it only if it says so.
                (last.is_none_or(|last| i > last) || starts_with_word(&elems[i])) && is_due(p, shape, &elems[i], state)
            }) {
                let i = late.remove(at);
                last = Some(i);
                let Elem::Optional(inner, ..) = &elems[i] else { continue };
                read_elems(p, op, shape, inner, state)?;
            }
            late.clear();
            continue;
        }
        match elem {
            Elem::Literal(text) => read_literal(p, text)?,
            Elem::Operand(i) => {
                let group = &shape.operands[*i];
                state.operands[*i] = if group.many {
                    p.operands()?
                } else if group.optional && p.tok.kind != Kind::Value {
                    Vec::new()
                } else {
                    vec![p.operand()?]
                };
            }
            Elem::Attr(i) => {
                let attr = &shape.attrs[*i];
                let value = read_attr(p, attr)?;
                p.put(&mut state.parts, attr.name, value);
            }
            Elem::TypeOf(i, of_results) => {
                let group = if *of_results { &shape.results[*i] } else { &shape.operands[*i] };
                let types = if group.many && *of_results {
                    p.commas(Parser::ty)?
                } else if group.many {
                    // As many types as there are operands: what follows may be further types.
                    let mut types = Vec::new();
                    for i in 0..state.operands[*i].len() {
                        if i > 0 {
                            p.expect(b',')?;
                        }
                        types.push(p.ty()?);
                    }
                    types
                } else {
                    let span = p.tok.span();
                    let ty = match group.rule {
                        Rule::Sort(Sort::Parametric(name)) if p.at(b'<') => p.type_of_name(name)?,
                        _ => p.ty()?,
                    };
                    // Whether what may be absent is as it should be, the verifier says.
                    if !group.optional {
                        check_sort(p, shape, group.rule, (ty, span))?;
                    }
                    vec![ty]
                };
                let slot = if *of_results { &mut state.result_types[*i] } else { &mut state.operand_types[*i] };
                *slot = Some(types);
            }
            Elem::AttrDict => p.attr_dict(&mut state.parts)?,
            Elem::AttrDictKeyword => p.attr_dict_keyword(&mut state.parts)?,
            Elem::Region(i) => super::custom::read_body(p, op, shape.bodies[*i], &[])?,
            Elem::Mixed(attr, group, beside) => {
                let mut numbers = Vec::new();
                match beside {
                    Beside::Packed(packed) if p.eat(b'*') => {
                        p.expect(b'(')?;
                        state.operands[*packed] = vec![p.operand()?];
                        p.expect(b')')?;
                    }
                    Beside::Scalable(flags) => {
                        let scalable;
                        (numbers, state.operands[*group], scalable) = super::custom::scalable_list(p)?;
                        p.put(&mut state.parts, shape.attrs[*flags].name, scalable);
                    }
                    Beside::Packed(_) | Beside::Nothing => {
                        (numbers, state.operands[*group]) = super::custom::mixed_list(p, b'[', b']')?;
                    }
                }
                let numbers = p.ir.dense_i64(&numbers);
                p.put(&mut state.parts, shape.attrs[*attr].name, numbers);
            }
            Elem::Positions(attr) => read_positions(p, shape.attrs[*attr].name, &mut state.parts)?,
            Elem::Struct(attrs) => {
                if p.at(b'<') {
                    p.list(b'<', b'>', |p| {
                        let found = attrs.iter().map(|&i| &shape.attrs[i]).find(|attr| p.at_word(attr.name));
                        let Some(attr) = found else {
                            let names: Vec<&str> = attrs.iter().map(|&i| shape.attrs[i].name).collect();
                            return Err(p.expected(&format!("one of {}", names.join(", "))));
                        };
                        p.bump();
                        if attr.spelling != Spelling::Unit {
                            p.expect(b'=')?;
                        }
                        let value = read_attr(p, attr)?;
                        p.put(&mut state.parts, attr.name, value);
                        Ok(())
                    })?;
                }
            }
            Elem::Semi(operand, results) => {
                let open = p.eat(b'(');
                state.operand_types[*operand] = Some(vec![p.ty()?]);
                if open {
                    p.expect(b')')?;
                    p.expect_kind(Kind::Arrow, "`->`")?;
                    state.result_types[*results] = Some(p.result_types()?);
                }
            }
            Elem::Regions => {
                let body = shape.bodies[shape.bodies.len() - 1];
                if p.at(b'{') {
                    p.commas(|p| super::custom::read_body(p, op, body, &[]))?;
                }
            }
            Elem::Arrow(i) => state.result_types[*i] = Some(p.arrow_types()?),
            Elem::Async(token, group) => {
                if p.eat_word("async") {
                    let ty = infer(p, shape, shape.results[*token].rule, &[], p.tok.span())?;
                    state.result_types[*token] = Some(vec![ty]);
                }
                if p.at(b'[') {
                    state.operands[*group] = p.list(b'[', b']', Parser::operand)?;
                }
            }
            Elem::Typed(i) => {
                let mut types = Vec::new();
                while p.tok.kind == Kind::Value {
                    state.operands[*i].push(p.operand()?);
                    p.expect(b':')?;
                    types.push(p.ty()?);
                    if !p.eat(b',') {
                        break;
                    }
                }
                state.operand_types[*i] = Some(types);
            }
            // The row says which operand it is: the name is for people.
            Elem::Tied(_) => {
                if p.tok.kind == Kind::Value {
                    p.operand()?;
                    p.expect_word("as")?;
                }
            }
            Elem::Alias(attr, i, of_results) => {
                let stated = p.ty()?;
                let ty = if p.eat_word("as") { p.ty()? } else { stated };
                let stated = p.ir.intern(Attr::Type(stated));
                p.put(&mut state.parts, shape.attrs[*attr].name, stated);
                let slot = if *of_results { &mut state.result_types[*i] } else { &mut state.operand_types[*i] };
                *slot = Some(vec![ty]);
            }
            Elem::Path(scope, key) => {
                let mut operand = p.operand()?;
                if p.eat_kind(Kind::Path) {
                    state.operands[*scope] = vec![operand];
                    operand = p.operand()?;
                }
                state.operands[*key] = vec![operand];
            }
            Elem::FunctionalType => {
                let start = p.tok.start;
                let inputs = p.list(b'(', b')', Parser::ty)?;
                p.expect_kind(Kind::Arrow, "`->`")?;
                let results = p.result_types()?;
                let span = Span::new(start, p.tok.start);
                let mut rest = &inputs[..];
                for (i, operands) in state.operands.iter().enumerate() {
                    if operands.len() > rest.len() {
                        break;
                    }
                    let (head, tail) = rest.split_at(operands.len());
                    state.operand_types[i] = Some(head.to_vec());
                    rest = tail;
                }
                let n_operands: usize = state.operands.iter().map(Vec::len).sum();
                if n_operands != inputs.len() {
                    return Err(p.error(span, format!("{n_operands} operands, but {} types", inputs.len())));
                }
                let fixed = shape.results.iter().filter(|group| !group.many && !group.optional).count();
                let many = shape.results.len() > fixed;
                if results.len() < fixed || results.len() > fixed && !many {
                    return Err(p.error(span, format!("the operation does not have {} results", results.len())));
                }
                let mut rest = &results[..];
                for (i, group) in shape.results.iter().enumerate() {
                    let n = if group.many || group.optional { results.len() - fixed } else { 1 };
                    let (head, tail) = rest.split_at(n);
                    state.result_types[i] = Some(head.to_vec());
                    rest = tail;
                }
            }
            Elem::OperandTypes => {
                for i in 0..state.operands.len() {
                    let mut types = Vec::new();
                    for n in 0..state.operands[i].len() {
                        if i > 0 || n > 0 {
                            p.expect(b',')?;
                        }
                        types.push(p.ty()?);
                    }
                    state.operand_types[i] = Some(types);
                }
            }
            Elem::Either(inner, _, other) => {
                let first = inner.first().is_some_and(|first| starts(p, shape, first));
                read_elems(p, op, shape, if first { inner } else { other }, state)?;
            }
            Elem::Optional(..) => {}
        }
    }
    Ok(())
}

/// `all`, `except(…)` or a list of positions.
fn read_positions(p: &mut Parser<'_, '_>, name: &str, parts: &mut Parts) -> Res<()> {
    let mut positions = Vec::new();
    if p.eat_word("all") {
        p.flag(parts, "is_all");
    } else if p.eat_word("except") {
        p.flag(parts, "is_inverted");
        positions = p.list(b'(', b')', |p| p.int("a position"))?;
    } else {
        positions = p.commas(|p| p.int("a position"))?;
    }
    let positions = p.ir.dense_i64(&positions);
    p.put(parts, name, positions);
    Ok(())
}

/// Whether an optional group stands here.
fn is_due(p: &Parser<'_, '_>, shape: &Shape, elem: &Elem, state: &State<'_>) -> bool {
    let Elem::Optional(inner, anchor) = elem else { return false };
    // Types of operands follow where there are such operands.
    let due = match &inner[*anchor] {
        Elem::TypeOf(i, false) => !state.operands[*i].is_empty(),
        _ => true,
    };
    let first = inner.iter().find(|elem| !matches!(elem, Elem::Literal("" | " ")));
    due && first.is_some_and(|first| starts(p, shape, first))
}

/// Whether an optional group is told by a word or sign.
fn starts_with_word(elem: &Elem) -> bool {
    let Elem::Optional(inner, ..) = elem else { return false };
    matches!(inner.iter().find(|elem| !matches!(elem, Elem::Literal("" | " "))), Some(Elem::Literal(_)))
}

/// A type that is of the wrong sort is reported where it stands, unless the verifier says more about it.
fn check_sort(p: &Parser<'_, '_>, shape: &Shape, rule: Rule, (ty, span): (TypeId, Span)) -> Res<()> {
    let sort = shape.sort_of(rule);
    if matches!(sort, Sort::Kinds(_)) || sort.holds(p.ir, ty) {
        return Ok(());
    }
    let message = format!("expected {}, found `{}`", sort.describe(), super::print_type(p.ir, ty));
    let of_shape = matches!(sort, Sort::Vector | Sort::Tensor | Sort::MemRef | Sort::Ranked | Sort::Shaped);
    // In MLIR's words, where its readers complain and not its verifiers.
    Err(p.error(span, if of_shape { format!("invalid kind of type specified: {message}") } else { message }))
}

/// Whether an optional group is there, told by its first element.
fn starts(p: &Parser<'_, '_>, shape: &Shape, elem: &Elem) -> bool {
    match elem {
        Elem::Literal(text) => at_literal(p, text),
        Elem::Operand(_) => p.tok.kind == Kind::Value,
        Elem::Attr(i) => match shape.attrs[*i].spelling {
            Spelling::Cases(cases) => p.tok.kind == Kind::Word && cases.words.contains(&p.text(p.tok)),
            Spelling::Full => matches!(p.tok.kind, Kind::Hash | Kind::Punct(b'[')),
            Spelling::Keyword(_) => p.tok.kind == Kind::Word,
            Spelling::Name => p.tok.kind == Kind::At,
            Spelling::Text => p.tok.kind == Kind::Str,
            Spelling::Visibility => {
                p.tok.kind == Kind::Word && matches!(p.text(p.tok), "public" | "private" | "nested")
            }
            Spelling::Symbol => p.tok.kind == Kind::At,
            Spelling::Angle(_) => p.at(b'<'),
            Spelling::Dense(_) => p.at(b'['),
            Spelling::Int(_) => matches!(p.tok.kind, Kind::Int | Kind::Punct(b'-')),
            _ => false,
        },
        Elem::Arrow(_) => p.tok.kind == Kind::Arrow,
        Elem::Mixed(..) => p.at(b'['),
        Elem::Struct(_) => p.at(b'<'),
        Elem::Region(_) => p.at(b'{'),
        Elem::AttrDictKeyword => p.at_word("attributes"),
        Elem::Either(inner, ..) => inner.first().is_some_and(|first| starts(p, shape, first)),
        Elem::Async(..) => p.at_word("async") || p.at(b'['),
        Elem::Typed(_) => p.tok.kind == Kind::Value,
        Elem::Path(..) => p.tok.kind == Kind::Value,
        Elem::TypeOf(..)
        | Elem::OperandTypes
        | Elem::Alias(..)
        | Elem::Tied(_)
        | Elem::AttrDict
        | Elem::FunctionalType
        | Elem::Positions(_)
        | Elem::Semi(..)
        | Elem::Regions
        | Elem::Optional(..) => false,
    }
}

fn at_literal(p: &Parser<'_, '_>, text: &str) -> bool {
    match text {
        "->" => p.tok.kind == Kind::Arrow,
        "::" => p.tok.kind == Kind::Path,
        text if text.len() == 1 && !text.as_bytes()[0].is_ascii_alphabetic() => p.at(text.as_bytes()[0]),
        text => p.at_word(text),
    }
}

fn read_literal(p: &mut Parser<'_, '_>, text: &str) -> Res<()> {
    if matches!(text, "" | " ") {
        return Ok(());
    }
    if !at_literal(p, text) {
        return Err(p.expected(&format!("`{text}`")));
    }
    p.bump();
    Ok(())
}

/// Reads one inherent attribute in its short spelling, for assembly that is written by hand.
pub(super) fn read_inherent(p: &mut Parser<'_, '_>, op: OpId, name: &'static str, parts: &mut Parts) -> Res<()> {
    let attr = Shape::of(p.ir.opcode(op)).inherent(name).expect("the row has the attribute");
    let value = read_attr(p, attr)?;
    p.put(parts, name, value);
    Ok(())
}

/// The inverse of [`read_inherent`].
pub(super) fn write_inherent(p: &mut Printer<'_>, op: OpId, name: &'static str) {
    let attr = Shape::of(p.ir.opcode(op)).inherent(name).expect("the row has the attribute");
    if let Some(value) = p.ir.attr_id(op, name) {
        write_attr(p, attr, value);
    }
}

fn read_attr(p: &mut Parser<'_, '_>, attr: &Inherent) -> Res<AttrId> {
    match attr.spelling {
        // What follows a string in an operation's assembly belongs to the operation, not to the string.
        Spelling::Full if p.tok.kind == Kind::Str => {
            let tok = p.bump();
            let text = lexer::unescape(p.text(tok));
            Ok(p.ir.str_attr(&text))
        }
        // A bit may be a number; a `:` behind it belongs to what follows.
        Spelling::Bool if matches!(p.tok.kind, Kind::Int | Kind::Punct(b'-')) => {
            let bit = p.int("a bit")?;
            Ok(p.ir.intern(Attr::Bool(bit != 0)))
        }
        Spelling::Full | Spelling::Bool | Spelling::Symbol => p.attr(),
        Spelling::Either(words) => {
            let value = words.iter().position(|word| p.at_word(word));
            let value = value.ok_or_else(|| p.expected(&format!("`{}` or `{}`", words[0], words[1])))?;
            p.bump();
            Ok(p.ir.intern(Attr::Bool(value == 1)))
        }
        Spelling::Typed => p.typed_attr(),
        Spelling::Unit => Ok(p.unit()),
        Spelling::Keyword(name) => read_keyword(p, name),
        Spelling::Angle(name) => {
            // The full attribute is fine, too.
            if p.tok.kind == Kind::Hash {
                return p.attr();
            }
            p.expect(b'<')?;
            let attr = read_keyword(p, name)?;
            p.expect(b'>')?;
            Ok(attr)
        }
        Spelling::Cases(cases) | Spelling::Quoted(cases) => {
            // The word may be quoted.
            let text = p.text(p.tok);
            let word = if p.tok.kind == Kind::Str { text.trim_matches('"') } else { text };
            let is_word = matches!(p.tok.kind, Kind::Word | Kind::Str);
            let found = if is_word { cases.words.iter().position(|&case| case == word) } else { None };
            let Some(number) = found else {
                let mut diag = p.expected(&format!("one of {}", cases.words.join(", ")));
                if let Some(near) = super::suggest(word, cases.words.iter().copied()) {
                    diag.help = Some(format!("did you mean `{near}`?"));
                }
                return Err(diag);
            };
            p.bump();
            let ty = p.ir.int_type(cases.bits);
            Ok(p.ir.intern(Attr::Int { value: number as i128, ty }))
        }
        Spelling::Int(ty) => {
            let span = p.tok.span();
            let value = p.int("an integer")?;
            let scalar = Scalar::from_keyword(ty).unwrap_or(Scalar::Int(64));
            let bits = scalar.bits().min(64);
            if value >> (bits - 1) != 0 && value >> (bits - 1) != -1 {
                return Err(p.error(span, format!("the value does not fit {bits} bits")));
            }
            let ty = if scalar == Scalar::Index { p.ir.index_type() } else { p.ir.int_type(bits) };
            Ok(p.ir.intern(Attr::Int { value: value.into(), ty }))
        }
        Spelling::Digits => read_digits(p),
        Spelling::Visibility => {
            let word = p.word("a visibility")?;
            Ok(p.ir.str_attr(word))
        }
        Spelling::Text => {
            let tok = p.expect_kind(Kind::Str, "a string")?;
            let text = lexer::unescape(p.text(tok));
            Ok(p.ir.str_attr(&text))
        }
        Spelling::Name => {
            let name = p.symbol()?;
            Ok(p.ir.str_attr(&name))
        }
        Spelling::Body(name) => {
            if p.at(b'<') {
                p.dialect_body(name)
            } else {
                p.attr()
            }
        }
        Spelling::Bits(union) => {
            let text = p.text(p.tok);
            let words = if p.tok.kind == Kind::Str { text.trim_matches('"') } else { text };
            let mut sum = 0;
            for word in words.split('|').filter(|word| *word != "None") {
                match union.words.iter().find(|case| case.0 == word) {
                    Some((_, bits)) => sum |= bits,
                    None => {
                        let known: Vec<&str> = union.words.iter().map(|case| case.0).collect();
                        return Err(p.expected(&format!("some of {}", known.join(", "))));
                    }
                }
            }
            p.bump();
            let ty = p.ir.int_type(union.bits);
            Ok(p.ir.intern(Attr::Int { value: sum, ty }))
        }
        Spelling::F32 => {
            let literal = p.literal()?;
            let ty = p.ir.float_type(Float::F32);
            let value = p.literal_value(literal, ty)?;
            Ok(p.ir.intern(value))
        }
        Spelling::Flags(cases) => {
            let bits = p.commas(|p| {
                let bit = cases.words.iter().position(|case| p.at_word(case));
                let bit = bit.ok_or_else(|| p.expected(&format!("some of {}", cases.words.join(", "))))?;
                p.bump();
                Ok(1i128 << bit)
            })?;
            let ty = p.ir.int_type(cases.bits);
            Ok(p.ir.intern(Attr::Int { value: bits.into_iter().fold(0, |sum, bit| sum | bit), ty }))
        }
        Spelling::Dense(bits) => {
            let values = p.list(b'[', b']', |p| p.int("an integer"))?;
            let elem = p.ir.int_type(bits);
            Ok(p.ir.intern(Attr::DenseArray { elem, values }))
        }
    }
}

/// MLIR's reader takes four bits for each decimal or hexadecimal digit, one more where the first of them is set, and 64
/// for zero.
fn read_digits(p: &mut Parser<'_, '_>) -> Res<AttrId> {
    let negative = p.eat(b'-');
    let tok = p.expect_kind(Kind::Int, "an integer")?;
    let value = p.int_value(tok)?;
    let text = p.text(tok);
    let digits = text.strip_prefix("0x").unwrap_or(text).trim_start_matches('0').len() as u32;
    let set = digits > 0 && value >> (4 * digits - 1) & 1 == 1;
    let width = if digits == 0 { 64 } else { 4 * digits + u32::from(set) };
    if width > 64 {
        return Err(p.error(tok.span(), "the value does not fit 64 bits"));
    }
    let value = if negative { -value & ((1i128 << width) - 1) } else { value };
    let ty = p.ir.intern_type(Type::Integer { width, sign: Sign::Unsigned });
    Ok(p.ir.intern(Attr::Int { value, ty }))
}

/// A word, or words with commas for flags, as `#name<…>`.
fn read_keyword(p: &mut Parser<'_, '_>, name: &str) -> Res<AttrId> {
    if is_flags(name) {
        let words = p.commas(|p| p.word("a flag"))?;
        return Ok(flags(p.ir, name, &words));
    }
    let word = p.word("a keyword")?;
    Ok(crate::build::keyword_attr(p.ir, name, word))
}

/// Whether several words may stand in `#name<…>`.
pub(crate) fn is_flags(name: &str) -> bool {
    matches!(name, "arith.fastmath" | "llvm.fastmath" | "arith.overflow")
}

/// Flags in MLIR's order and spelling.
pub(crate) fn flags(ir: &mut Ir, name: &str, words: &[&str]) -> AttrId {
    const FAST: [&str; 7] = ["reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"];
    let fast = name != "arith.overflow";
    let all: &[&str] = if fast { &FAST } else { &["nsw", "nuw"] };
    let separator = if name == "arith.fastmath" { "," } else { ", " };
    let mut known: Vec<&str> = all.iter().copied().filter(|flag| words.contains(flag)).collect();
    let unknown = words.iter().any(|word| !all.contains(word) && !matches!(*word, "none" | "fast"));
    let text = if unknown {
        words.join(separator)
    } else if fast && (words.contains(&"fast") || known.len() == FAST.len()) {
        "fast".to_owned()
    } else if known.is_empty() {
        "none".to_owned()
    } else {
        known.dedup();
        known.join(separator)
    };
    crate::build::keyword_attr(ir, name, &text)
}

// ---- printing

/// Where spaces go: as in MLIR's own formats, by the characters on both sides.
struct Spaces {
    emit: bool,
    after_punct: bool,
}

/// Prints the custom assembly behind an operation's name.
pub(crate) fn write(p: &mut Printer<'_>, op: OpId) {
    let shape = Shape::of(p.ir.opcode(op));
    let mut spaces = Spaces { emit: true, after_punct: false };
    // What equals its default is not printed either.
    let silent = |attr: &&Inherent| attr.default.is_some() && is_default(p.ir, op, attr);
    let mut elided = std::borrow::Cow::Borrowed(&shape.shown[..]);
    if !p.ir.attrs(op).is_empty() {
        for attr in shape.attrs.iter().filter(silent) {
            elided.to_mut().push(attr.name);
        }
    }
    write_elems(p, op, shape, &shape.format, &mut spaces, &elided);
}

/// Whether an attribute says what its absence would say.
fn is_default(ir: &Ir, op: OpId, attr: &Inherent) -> bool {
    ir.attr_id(op, attr.name).is_some_and(|value| attr.is_default(ir, value))
}

fn write_elems(p: &mut Printer<'_>, op: OpId, shape: &Shape, elems: &[Elem], spaces: &mut Spaces, elided: &[&str]) {
    for elem in elems {
        match elem {
            Elem::Literal(text) => write_literal(p, text, spaces),
            Elem::Operand(i) => {
                // The space stands even where no operand follows.
                space(p, spaces);
                for (n, at) in group_range(p.ir, op, shape, *i).enumerate() {
                    if n > 0 {
                        p.out.push_str(", ");
                    }
                    let value = p.ir.operand(op, at);
                    p.value(value);
                }
            }
            Elem::Attr(i) => {
                let attr = &shape.attrs[*i];
                if attr.spelling == Spelling::Unit {
                    continue;
                }
                space(p, spaces);
                match (p.ir.attr_id(op, attr.name), attr.default) {
                    (Some(value), _) => write_attr(p, attr, value),
                    // A place that is always there says what goes without saying elsewhere.
                    (None, Some(default)) => p.out.push_str(default),
                    (None, None) => {}
                }
            }
            Elem::TypeOf(i, of_results) => {
                let ir = p.ir;
                let (rule, types): (Rule, Vec<TypeId>) = if *of_results {
                    let (skip, take) = result_range(ir, op, shape, *i);
                    (
                        shape.results[*i].rule,
                        ir.results(op).skip(skip).take(take).map(|value| ir.type_of(value)).collect(),
                    )
                } else {
                    let range = group_range(ir, op, shape, *i);
                    (shape.operands[*i].rule, range.map(|at| ir.type_of(ir.operand(op, at))).collect())
                };
                for (n, ty) in types.into_iter().enumerate() {
                    type_in_list(p, n, rule, ty, spaces);
                }
            }
            Elem::AttrDict => {
                p.attr_dict(op, elided);
                spaces.emit = true;
                spaces.after_punct = false;
            }
            Elem::AttrDictKeyword => {
                p.attr_dict_keyword(op, elided);
                spaces.emit = true;
                spaces.after_punct = false;
            }
            Elem::Region(i) => {
                space(p, spaces);
                super::custom::write_body(p, op, *i);
            }
            Elem::Mixed(attr, group, beside) => {
                let ir = p.ir;
                let numbers = super::custom::ints(p, op, shape.attrs[*attr].name);
                let values = &ir.operands(op)[group_range(ir, op, shape, *group)];
                space(p, spaces);
                match beside {
                    Beside::Packed(packed) if present(ir, op, shape, &Elem::Operand(*packed)) => {
                        p.out.push_str("*(");
                        p.values(&ir.operands(op)[group_range(ir, op, shape, *packed)]);
                        p.out.push(')');
                    }
                    Beside::Scalable(flags) => {
                        let flags = super::custom::ints(p, op, shape.attrs[*flags].name);
                        super::custom::write_scalable(p, &numbers, values, &flags);
                    }
                    Beside::Packed(_) | Beside::Nothing => {
                        super::custom::write_mixed(p, '[', ']', &numbers, values);
                    }
                }
            }
            Elem::Positions(attr) => {
                let positions = super::custom::ints(p, op, shape.attrs[*attr].name);
                let text = positions.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
                if p.ir.attr_id(op, "is_all").is_some() {
                    p.out.push_str("all");
                } else if p.ir.attr_id(op, "is_inverted").is_some() {
                    p.out.push_str(&format!("except({text})"));
                } else {
                    p.out.push_str(&text);
                }
                spaces.emit = true;
                spaces.after_punct = false;
            }
            Elem::Struct(attrs) => {
                let ir = p.ir;
                let mut open = false;
                for attr in attrs.iter().map(|&i| &shape.attrs[i]) {
                    let Some(value) = ir.attr_id(op, attr.name).filter(|&value| !attr.is_default(ir, value)) else {
                        continue;
                    };
                    p.out.push_str(if open { ", " } else { " <" });
                    open = true;
                    p.out.push_str(attr.name);
                    if attr.spelling != Spelling::Unit {
                        p.out.push_str(" = ");
                        write_attr(p, attr, value);
                    }
                }
                p.out.push_str(if open { ">" } else { "" });
                spaces.emit = true;
                spaces.after_punct = false;
            }
            Elem::Semi(operand, results) => {
                let ir = p.ir;
                let (skip, take) = result_range(ir, op, shape, *results);
                let types: Vec<TypeId> = ir.results(op).skip(skip).take(take).map(|value| ir.type_of(value)).collect();
                space(p, spaces);
                p.out.push_str(if types.is_empty() { "" } else { "(" });
                for at in group_range(ir, op, shape, *operand) {
                    p.ty(ir.type_of(ir.operand(op, at)));
                }
                if !types.is_empty() {
                    p.out.push_str(") -> ");
                    p.type_list(&types);
                }
            }
            Elem::Regions => {
                for number in 0..p.ir.regions(op).len() {
                    p.out.push_str(if number > 0 { ", " } else { " " });
                    super::custom::write_body(p, op, number);
                }
            }
            Elem::Arrow(i) => {
                let (skip, take) = result_range(p.ir, op, shape, *i);
                let types: Vec<TypeId> =
                    p.ir.results(op).skip(skip).take(take).map(|value| p.ir.type_of(value)).collect();
                if !types.is_empty() {
                    write_literal(p, "->", spaces);
                    space(p, spaces);
                    p.type_list(&types);
                }
            }
            Elem::Tied(i) => {
                space(p, spaces);
                let value = p.ir.operand(op, group_range(p.ir, op, shape, *i).start);
                p.value(value);
                p.out.push_str(" as");
            }
            Elem::Alias(attr, i, of_results) => {
                space(p, spaces);
                let value = if *of_results {
                    p.ir.result(op, result_range(p.ir, op, shape, *i).0)
                } else {
                    p.ir.operand(op, group_range(p.ir, op, shape, *i).start)
                };
                let ty = p.ir.type_of(value);
                if let Some(&Attr::Type(stated)) = p.ir.attr(op, shape.attrs[*attr].name)
                    && stated != ty
                {
                    p.ty(stated);
                    p.out.push_str(" as ");
                }
                p.ty(ty);
            }
            Elem::Path(scope, key) => {
                space(p, spaces);
                let ir = p.ir;
                let part = |group: usize| ir.operands(op)[group_range(ir, op, shape, group)].first().copied();
                if let Some(scope) = part(*scope) {
                    p.value(scope);
                    p.out.push_str("::");
                }
                if let Some(key) = part(*key) {
                    p.value(key);
                }
            }
            Elem::FunctionalType => {
                space(p, spaces);
                p.functional_type(op);
            }
            Elem::Async(token, group) => {
                if result_range(p.ir, op, shape, *token).1 > 0 {
                    write_literal(p, "async", spaces);
                }
                let values = &p.ir.operands(op)[group_range(p.ir, op, shape, *group)];
                if !values.is_empty() {
                    space(p, spaces);
                    p.out.push('[');
                    p.values(values);
                    p.out.push(']');
                }
            }
            Elem::Typed(i) => {
                for (n, at) in group_range(p.ir, op, shape, *i).enumerate() {
                    if n == 0 {
                        space(p, spaces);
                    } else {
                        p.out.push_str(", ");
                    }
                    let value = p.ir.operand(op, at);
                    p.value(value);
                    p.out.push_str(" : ");
                    p.ty(p.ir.type_of(value));
                }
            }
            Elem::OperandTypes => {
                space(p, spaces);
                p.types_of(p.ir.operands(op).iter().copied());
            }
            Elem::Either(inner, anchor, other) => {
                let inner = if present(p.ir, op, shape, &inner[*anchor]) { inner } else { other };
                write_elems(p, op, shape, inner, spaces, elided);
            }
            Elem::Optional(inner, anchor) => {
                if present(p.ir, op, shape, &inner[*anchor]) {
                    write_elems(p, op, shape, inner, spaces, elided);
                }
            }
        }
    }
}

/// One of several types, with the space or comma in front.
fn type_in_list(p: &mut Printer<'_>, number: usize, rule: Rule, ty: TypeId, spaces: &mut Spaces) {
    if number == 0 {
        space(p, spaces);
    } else {
        p.out.push_str(", ");
    }
    match rule {
        Rule::Sort(sort) if let Some(parameters) = sort.parameters(p.ir, &p.ir[ty]) => p.out.push_str(parameters),
        _ => p.ty(ty),
    }
}

fn present(ir: &Ir, op: OpId, shape: &Shape, elem: &Elem) -> bool {
    match elem {
        Elem::Operand(i) | Elem::Typed(i) => !group_range(ir, op, shape, *i).is_empty(),
        Elem::Attr(i) => {
            let attr = &shape.attrs[*i];
            ir.attr_id(op, attr.name).is_some() && !is_default(ir, op, attr)
        }
        Elem::TypeOf(i, true) | Elem::Arrow(i) => result_range(ir, op, shape, *i).1 > 0,
        Elem::TypeOf(i, false) => {
            let group = group_range(ir, op, shape, *i);
            let implied = matches!(shape.sort_of(shape.operands[*i].rule), Sort::IndexLike | Sort::Extent);
            !(group.is_empty() || implied && group.into_iter().all(|at| *ir.ty(ir.operand(op, at)) == Type::Index))
        }
        Elem::Region(i) => ir.body(op, *i).is_some(),
        Elem::Mixed(attr, _, beside) => {
            ir.attr_id(op, shape.attrs[*attr].name).is_some()
                || matches!(beside, Beside::Packed(packed) if present(ir, op, shape, &Elem::Operand(*packed)))
        }
        Elem::Literal(_)
        | Elem::Tied(_)
        | Elem::AttrDict
        | Elem::AttrDictKeyword
        | Elem::FunctionalType
        | Elem::OperandTypes
        | Elem::Async(..)
        | Elem::Positions(_)
        | Elem::Struct(_)
        | Elem::Semi(..)
        | Elem::Regions
        | Elem::Either(..)
        | Elem::Alias(..)
        | Elem::Path(..)
        | Elem::Optional(..) => true,
    }
}

/// Which operands belong to a group. Also right for operations that the verifier would refuse.
pub(crate) fn group_range(ir: &Ir, op: OpId, shape: &Shape, group: usize) -> std::ops::Range<usize> {
    let n = ir.operands(op).len();
    if shape.segmented {
        let sizes = ir.attr_id(op, "operandSegmentSizes").and_then(|attr| ir.ints(attr)).unwrap_or_default();
        let size = |i: usize| sizes.get(i).and_then(|&size| usize::try_from(size).ok()).unwrap_or(0);
        let start = (0..group).map(size).fold(0usize, usize::saturating_add).min(n);
        return start..start.saturating_add(size(group)).min(n);
    }
    // At most one group has a length of its own: it takes what the others leave.
    let fixed = shape.operands.iter().filter(|g| !g.many && !g.optional).count();
    let rest = n.saturating_sub(fixed);
    let len = |i: usize| if shape.operands[i].many || shape.operands[i].optional { rest } else { 1 };
    let start: usize = (0..group).map(len).sum();
    start.min(n)..(start + len(group)).min(n)
}

/// Number of results in front of a group, and in it.
pub(crate) fn result_range(ir: &Ir, op: OpId, shape: &Shape, group: usize) -> (usize, usize) {
    let n = ir.results(op).len();
    let fixed = shape.results.iter().filter(|g| !g.many && !g.optional).count();
    let rest = n.saturating_sub(fixed);
    let len = |i: usize| if shape.results[i].many || shape.results[i].optional { rest } else { 1 };
    ((0..group).map(len).sum(), len(group))
}

fn space(p: &mut Printer<'_>, spaces: &mut Spaces) {
    if spaces.emit || !spaces.after_punct {
        p.out.push(' ');
    }
    spaces.emit = true;
    spaces.after_punct = false;
}

fn write_literal(p: &mut Printer<'_>, text: &str, spaces: &mut Spaces) {
    if matches!(text, "" | " ") {
        p.out.push_str(text);
        spaces.emit = false;
        spaces.after_punct = true;
        return;
    }
    let first = text.as_bytes()[0];
    let wants = if text.len() != 1 {
        true
    } else if spaces.after_punct {
        !b">)}],".contains(&first)
    } else {
        !b"<>(){}[],".contains(&first)
    };
    if spaces.emit && wants {
        p.out.push(' ');
    }
    p.out.push_str(text);
    spaces.emit = text.len() != 1 || !b"<({[".contains(&first);
    spaces.after_punct = first != b'_' && !first.is_ascii_alphabetic();
}

/// The words of the bits that are set.
fn set_bits(cases: &Cases, sum: i128) -> Vec<&'static str> {
    let bits = cases.words.iter().enumerate();
    bits.filter(|(bit, _)| sum >> bit & 1 == 1).map(|(_, word)| *word).collect()
}

fn write_attr(p: &mut Printer<'_>, attr: &Inherent, value: AttrId) {
    match (attr.spelling, &p.ir[value]) {
        (Spelling::Keyword(name), Attr::Dialect { name: found, body: Body::Keyword(word) })
            if p.ir[*found] == *name =>
        {
            p.out.push_str(&p.ir[*word]);
        }
        (Spelling::Angle(name), Attr::Dialect { name: found, body: Body::Keyword(word) }) if p.ir[*found] == *name => {
            p.out.push('<');
            p.out.push_str(&p.ir[*word]);
            p.out.push('>');
        }
        (Spelling::Cases(cases), Attr::Int { value: number, .. }) => {
            match usize::try_from(*number).ok().and_then(|number| cases.words.get(number)) {
                // What is no single word is quoted.
                Some(word) if word.contains('-') => p.escaped(word),
                Some(word) => p.out.push_str(word),
                None => p.attr(value),
            }
        }
        (Spelling::Quoted(cases), Attr::Int { value: number, .. }) => {
            match usize::try_from(*number).ok().and_then(|number| cases.words.get(number)) {
                Some(word) => p.escaped(word),
                None => p.attr(value),
            }
        }
        (Spelling::Int(_), Attr::Int { value: number, .. }) => p.out.push_str(&number.to_string()),
        (Spelling::Digits, &Attr::Int { value: number, ty }) => match p.ir[ty] {
            // The number is printed as a signed one.
            Type::Integer { width, .. } if width <= 64 && number >> (width - 1) == 1 => {
                p.out.push_str(&(number - (1 << width)).to_string());
            }
            _ => p.out.push_str(&number.to_string()),
        },
        (Spelling::Either(words), Attr::Bool(value)) => p.out.push_str(words[usize::from(*value)]),
        (Spelling::Dense(_), Attr::DenseArray { values, .. }) => p.int_list(values),
        (Spelling::Body(_), _) => p.attr_or_body(value),
        (Spelling::Flags(cases), &Attr::Int { value: sum, .. }) => p.out.push_str(&set_bits(cases, sum).join(", ")),
        (Spelling::Bits(union), &Attr::Int { value: sum, .. }) => {
            let words: Vec<&str> =
                union.words.iter().filter(|case| sum & case.1 == case.1).map(|case| case.0).collect();
            match words[..] {
                [] => p.out.push_str("\"None\""),
                [word] => p.out.push_str(word),
                _ => p.escaped(&words.join("|")),
            }
        }
        (Spelling::F32, &Attr::Float { bits, ty }) => p.float(f64::from_bits(bits), ty),
        (Spelling::Visibility, Attr::Str(word)) => p.out.push_str(&p.ir[*word]),
        (Spelling::Name, Attr::Str(name)) => p.symbol(&p.ir[*name]),
        _ => p.attr(value),
    }
}
