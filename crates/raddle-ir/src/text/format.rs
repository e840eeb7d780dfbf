//! One interpreter for declarative assembly formats: the same elements are read and printed.

use std::borrow::Cow;
use std::ops::Range;

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

/// What was read so far of one operation: operands and types in the order of the text, and which of them belong to
/// each group.
#[derive(Default)]
pub(crate) struct State<'a> {
    operands: Vec<Operand<'a>>,
    types: Vec<TypeId>,
    operand_groups: Vec<Range<usize>>,
    operand_types: Vec<Option<Range<usize>>>,
    result_types: Vec<Option<Range<usize>>>,
    parts: Parts,
}

impl<'a> State<'a> {
    fn reset(&mut self, shape: &Shape) {
        self.operands.clear();
        self.types.clear();
        self.operand_groups.clear();
        self.operand_groups.resize(shape.operands.len(), 0..0);
        self.operand_types.clear();
        self.operand_types.resize(shape.operands.len(), None);
        self.result_types.clear();
        self.result_types.resize(shape.results.len(), None);
    }

    /// The operands of a group.
    fn group(&self, group: usize) -> &[Operand<'a>] {
        &self.operands[self.operand_groups[group].clone()]
    }

    /// Takes all operands from `start` on as a group.
    fn close_group(&mut self, group: usize, start: usize) {
        self.operand_groups[group] = start..self.operands.len();
    }

    fn set_group(&mut self, group: usize, operands: impl IntoIterator<Item = Operand<'a>>) {
        let start = self.operands.len();
        self.operands.extend(operands);
        self.close_group(group, start);
    }

    /// Takes all types from `start` on as those of a group of operands or results.
    fn close_types(&mut self, group: usize, of_results: bool, start: usize) {
        let types = if of_results { &mut self.result_types } else { &mut self.operand_types };
        types[group] = Some(start..self.types.len());
    }

    fn set_types(&mut self, group: usize, of_results: bool, types: impl IntoIterator<Item = TypeId>) {
        let start = self.types.len();
        self.types.extend(types);
        self.close_types(group, of_results, start);
    }
}

/// Reads the custom assembly behind an operation's name.
pub(crate) fn read(p: &mut Parser<'_, '_>, opcode: Opcode, op: OpId) -> Res<()> {
    let shape = Shape::of(opcode);
    let start = p.tok.start;
    let mut state = p.spare_states.pop().unwrap_or_default();
    state.reset(shape);
    state.parts = p.parts();
    p.properties(&mut state.parts)?;
    read_elems(p, op, shape, &shape.format, &mut state)?;
    let span = Span::new(start, p.tok.start.max(start));
    let mut parts = std::mem::take(&mut state.parts);
    let known = |letter: u8| {
        let operands = shape.operands.iter().zip(&state.operand_types);
        let groups = operands.chain(shape.results.iter().zip(&state.result_types));
        let mut types =
            groups.filter(|(group, _)| group.rule == Rule::Var(letter)).filter_map(|(_, types)| types.clone());
        types.find_map(|types| state.types[types].first().copied())
    };
    for (i, group) in shape.operands.iter().enumerate() {
        let operands = state.group(i);
        match state.operand_types[i].clone().map(|types| &state.types[types]) {
            Some(&[ty]) if !group.many => p.resolve_all(operands, ty, &mut parts.operands)?,
            Some(types) => p.resolve_each(operands, types, span, &mut parts.operands)?,
            None => {
                if operands.is_empty() {
                    continue;
                }
                let ty = infer(p, shape, group.rule, &known, span)?;
                p.resolve_all(operands, ty, &mut parts.operands)?;
            }
        }
    }
    for (group, types) in shape.results.iter().zip(&state.result_types) {
        match types.clone() {
            Some(types) => parts.results.extend(&state.types[types]),
            None if let Rule::Same(operands) = group.rule => {
                let at = shape.operands.iter().position(|other| other.name == operands);
                let same = at.and_then(|at| state.operand_types[at].clone());
                parts.results.extend(same.map_or(&[][..], |same| &state.types[same]));
            }
            None if let Rule::FlagFor(operands) = group.rule => {
                let at = shape.operands.iter().position(|other| other.name == operands);
                let flag = p.ir.int_type(1);
                parts.results.extend(at.map_or(&[][..], |at| state.group(at)).iter().map(|_| flag));
            }
            None if group.many || group.optional => {}
            None => {
                let ty = infer(p, shape, group.rule, &known, span)?;
                parts.results.push(ty);
            }
        }
    }
    // A region that may be empty is there even where no text is.
    for _ in shape.bodies.iter().skip(p.ir.regions(op).len()).filter(|body| body.empty) {
        p.ir.add_region(op);
    }
    if shape.segmented {
        let sizes: Vec<usize> = state.operand_groups.iter().map(Range::len).collect();
        p.put_segments(&mut parts, &sizes);
    }
    p.spare_states.push(state);
    p.finish(op, parts)
}

/// The type that a rule gives once the variables are known.
fn infer(
    p: &mut Parser<'_, '_>,
    shape: &Shape,
    rule: Rule,
    var: &dyn Fn(u8) -> Option<TypeId>,
    span: Span,
) -> Res<TypeId> {
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
        Rule::Sort(sort) if let Some(text) = sort.only() => {
            super::parse_type(&text, p.ir).expect("a type that has a name is spelled by it")
        }
        Rule::Sort(_) | Rule::Same(_) | Rule::FlagFor(_) => return Err(unknown(p)),
    })
}

fn read_elems<'a>(p: &mut Parser<'a, '_>, op: OpId, shape: &Shape, elems: &[Elem], state: &mut State<'a>) -> Res<()> {
    let mut elems = elems.iter();
    while let Some(elem) = elems.next() {
        // Neighbouring optional groups that start with a word may stand in any order.
        if matches!(elem, Elem::Optional(..)) {
            let rest = elems.as_slice();
            let more = rest.iter().take_while(|elem| matches!(elem, Elem::Optional(..))).count();
            let group = |i: usize| if i == 0 { elem } else { &rest[i - 1] };
            let (mut done, mut last) = (0u64, None);
            while let Some(i) = (0..=more).find(|&i| {
                // What stands behind a later group belongs to it only if it says so.
                done >> i & 1 == 0
                    && (last.is_none_or(|last| i > last) || starts_with_word(group(i)))
                    && is_due(p, shape, group(i), state)
            }) {
                done |= 1 << i;
                last = Some(i);
                let Elem::Optional(inner, ..) = group(i) else { continue };
                read_elems(p, op, shape, inner, state)?;
            }
            elems = rest[more..].iter();
            continue;
        }
        match elem {
            Elem::Literal(text) => read_literal(p, text)?,
            Elem::Operand(i) => {
                let group = &shape.operands[*i];
                let start = state.operands.len();
                if p.tok.kind == Kind::Value || !(group.many || group.optional) {
                    state.operands.push(p.operand()?);
                    while group.many && p.eat(b',') {
                        state.operands.push(p.operand()?);
                    }
                }
                state.close_group(*i, start);
            }
            Elem::Attr(i) => {
                let attr = &shape.attrs[*i];
                let value = read_attr(p, attr)?;
                p.put(&mut state.parts, attr.name, value);
            }
            Elem::TypeOf(i, of_results) => {
                let group = if *of_results { &shape.results[*i] } else { &shape.operands[*i] };
                let start = state.types.len();
                if group.many && *of_results {
                    state.types.push(p.ty()?);
                    while p.eat(b',') {
                        state.types.push(p.ty()?);
                    }
                } else if group.many {
                    // As many types as there are operands: what follows may be further types.
                    for i in 0..state.operand_groups[*i].len() {
                        if i > 0 {
                            p.expect(b',')?;
                        }
                        state.types.push(p.ty()?);
                    }
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
                    state.types.push(ty);
                }
                state.close_types(*i, *of_results, start);
            }
            Elem::AttrDict => {
                p.strict_properties(&shape.attrs, &mut state.parts)?;
                p.attr_dict(&mut state.parts)?;
            }
            Elem::AttrDictKeyword => p.attr_dict_keyword(&mut state.parts)?,
            Elem::Region(i) => super::custom::read_body(p, op, shape.bodies[*i], &[])?,
            Elem::Mixed(attr, group, beside) => {
                let mut numbers = Vec::new();
                match beside {
                    Beside::Packed(packed) if p.eat(b'*') => {
                        p.expect(b'(')?;
                        let operand = p.operand()?;
                        state.set_group(*packed, [operand]);
                        p.expect(b')')?;
                    }
                    Beside::Scalable(flags) => {
                        let (list, operands, scalable) = super::custom::scalable_list(p)?;
                        numbers = list;
                        state.set_group(*group, operands);
                        p.put(&mut state.parts, shape.attrs[*flags].name, scalable);
                    }
                    Beside::Packed(_) | Beside::Nothing => {
                        let (list, operands) = super::custom::mixed_list(p, b'[', b']')?;
                        numbers = list;
                        state.set_group(*group, operands);
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
                let ty = p.ty()?;
                state.set_types(*operand, false, [ty]);
                if open {
                    p.expect(b')')?;
                    p.expect_kind(Kind::Arrow, "`->`")?;
                    let types = p.result_types()?;
                    state.set_types(*results, true, types);
                }
            }
            Elem::Regions => {
                let body = shape.bodies[shape.bodies.len() - 1];
                if p.at(b'{') {
                    p.commas(|p| super::custom::read_body(p, op, body, &[]))?;
                }
            }
            Elem::Arrow(i) => {
                let types = p.arrow_types()?;
                state.set_types(*i, true, types);
            }
            Elem::Async(token, group) => {
                if p.eat_word("async") {
                    let ty = infer(p, shape, shape.results[*token].rule, &|_| None, p.tok.span())?;
                    state.set_types(*token, true, [ty]);
                }
                if p.at(b'[') {
                    let operands = p.list(b'[', b']', Parser::operand)?;
                    state.set_group(*group, operands);
                }
            }
            Elem::Typed(i) => {
                let (operands, types) = (state.operands.len(), state.types.len());
                while p.tok.kind == Kind::Value {
                    state.operands.push(p.operand()?);
                    p.expect(b':')?;
                    state.types.push(p.ty()?);
                    if !p.eat(b',') {
                        break;
                    }
                }
                state.close_group(*i, operands);
                state.close_types(*i, false, types);
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
                state.set_types(*i, *of_results, [ty]);
            }
            Elem::Path(scope, key) => {
                let mut operand = p.operand()?;
                if p.eat_kind(Kind::Path) {
                    state.set_group(*scope, [operand]);
                    operand = p.operand()?;
                }
                state.set_group(*key, [operand]);
            }
            Elem::FunctionalType => {
                let start = p.tok.start;
                let n_operands: usize = state.operand_groups.iter().map(Range::len).sum();
                let fixed = shape.n_results.fixed;
                let wanted = || {
                    let number = |n, what| if n == 1 { format!("one {what}") } else { format!("{n} {what}s") };
                    let (arguments, results) = (number(n_operands, "argument"), number(fixed, "result"));
                    format!("expected trailing function type with {arguments} and {results}")
                };
                if !p.at(b'(') {
                    return Err(p.error(p.tok.span(), wanted()));
                }
                let inputs = p.list(b'(', b')', Parser::ty)?;
                p.expect_kind(Kind::Arrow, "`->`")?;
                let results = p.result_types()?;
                let span = Span::new(start, p.tok.start);
                let mut rest = &inputs[..];
                for i in 0..state.operand_groups.len() {
                    let Some((head, tail)) = rest.split_at_checked(state.operand_groups[i].len()) else { break };
                    state.set_types(i, false, head.iter().copied());
                    rest = tail;
                }
                if n_operands != inputs.len() {
                    let message = format!("{n_operands} operands, but {} types: {}", inputs.len(), wanted());
                    return Err(p.error(span, message));
                }
                let many = shape.results.len() > fixed;
                if results.len() < fixed || results.len() > fixed && !many {
                    let message = format!("the operation does not have {} results: {}", results.len(), wanted());
                    return Err(p.error(span, message));
                }
                let mut rest = &results[..];
                for (i, group) in shape.results.iter().enumerate() {
                    let n = if group.many || group.optional { results.len() - fixed } else { 1 };
                    let (head, tail) = rest.split_at(n);
                    state.set_types(i, true, head.iter().copied());
                    rest = tail;
                }
            }
            Elem::OperandTypes => {
                for i in 0..state.operand_groups.len() {
                    let start = state.types.len();
                    for n in 0..state.operand_groups[i].len() {
                        if i > 0 || n > 0 {
                            p.expect(b',')?;
                        }
                        state.types.push(p.ty()?);
                    }
                    state.close_types(i, false, start);
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
        Elem::TypeOf(i, false) => !state.group(*i).is_empty(),
        _ => true,
    };
    let mut told = inner.iter().filter(|elem| !matches!(elem, Elem::Literal("" | " ")));
    let first = told.next();
    // Neighbours that all start with a comma are told by the word behind it.
    let is_other = match (first, told.next()) {
        (Some(Elem::Literal(",")), Some(Elem::Literal(word)))
            if word.starts_with(|c: char| c.is_ascii_alphabetic()) =>
        {
            !p.is_followed_by(word)
        }
        _ => false,
    };
    due && !is_other && first.is_some_and(|first| starts(p, shape, first))
}

/// Whether an optional group is told by a word or sign.
fn starts_with_word(elem: &Elem) -> bool {
    let Elem::Optional(inner, ..) = elem else { return false };
    matches!(inner.iter().find(|elem| !matches!(elem, Elem::Literal("" | " "))), Some(Elem::Literal(_)))
}

/// A type that is of the wrong sort is reported where it stands, unless the verifier says more about it.
fn check_sort(p: &Parser<'_, '_>, shape: &Shape, rule: Rule, (ty, span): (TypeId, Span)) -> Res<()> {
    let sort = shape.sort_of(rule);
    // What LLVM may have, verifiers say.
    if matches!(sort, Sort::Pointer | Sort::Among(_)) || sort.holds(p.ir, ty) {
        return Ok(());
    }
    let found = super::print_type(p.ir, ty);
    // In MLIR's words, where its readers complain and not its verifiers.
    let message = match sort {
        Sort::Vector | Sort::Tensor | Sort::MemRef => {
            let kind = match sort {
                Sort::Vector => "vector",
                Sort::Tensor => "tensor",
                _ => "memref",
            };
            format!("invalid kind of type specified: expected builtin.{kind}, but found '{found}'")
        }
        Sort::Ranked | Sort::Shaped => {
            format!("invalid kind of type specified: expected {}, found `{found}`", sort.describe())
        }
        _ => format!("expected {}, found `{found}`", sort.describe()),
    };
    Err(p.error(span, message))
}

/// Whether an optional group is there, told by its first element.
fn starts(p: &Parser<'_, '_>, shape: &Shape, elem: &Elem) -> bool {
    match elem {
        Elem::Literal(text) => at_literal(p, text),
        Elem::Operand(_) => p.tok.kind == Kind::Value,
        Elem::Attr(i) => match shape.attrs[*i].spelling {
            Spelling::Cases(cases) => p.tok.kind == Kind::Word && cases.words.contains(&p.text(p.tok)),
            Spelling::Full => matches!(p.tok.kind, Kind::Hash | Kind::Punct(b'[')),
            Spelling::Of(_) => p.tok.kind == Kind::Hash,
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
        return Err(p.missing(&format!("`{text}`")));
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
        Spelling::Full
        | Spelling::Bool
        | Spelling::List(_)
        | Spelling::Of(_)
        | Spelling::Symbols
        | Spelling::Type
        | Spelling::Function
        | Spelling::Dicts
        | Spelling::Indices => p.attr(),
        Spelling::Symbol => {
            let span = p.tok.span();
            let attr = p.attr()?;
            match p.ir[attr] {
                Attr::Symbol(_) => Ok(attr),
                _ => Err(p.error(span, "invalid kind of attribute specified: expected a symbol such as `@name`")),
            }
        }
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
                // What is quoted is read as an attribute first.
                if matches!(attr.spelling, Spelling::Quoted(_)) {
                    let why = match p.tok.kind {
                        Kind::Str => format!("'{word}' is an incorrect value of the '{}' attribute", attr.name),
                        _ => "invalid kind of attribute specified".to_owned(),
                    };
                    diag.message = format!("{why}: {}", diag.message);
                }
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
    let mut elided = Cow::Borrowed(&shape.shown[..]);
    if !p.ir.attrs(op).is_empty() {
        for attr in shape.attrs.iter().filter(silent) {
            elided.to_mut().push(attr.name);
        }
    }
    write_elems(p, op, shape, &shape.format, &mut spaces, &elided);
}

/// Whether there are types wherever the assembly lists some, and a list of numbers, be it empty, beside each operand
/// that stands in its place.
pub(super) fn lists_all(ir: &Ir, op: OpId) -> bool {
    let shape = Shape::of(ir.opcode(op));
    let is_empty = |group: usize| group_range(ir, op, shape, group).is_empty();
    shape.listed.iter().all(|&group| result_range(ir, op, shape, group).1 > 0)
        && shape.packed.iter().all(|&(name, group)| is_empty(group) || ir.attr_id(op, name).is_some())
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
                p.values(&p.ir.operands(op)[group_range(p.ir, op, shape, *i)]);
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
                if *of_results {
                    let (skip, take) = result_range(ir, op, shape, *i);
                    for (n, value) in ir.results(op).skip(skip).take(take).enumerate() {
                        type_in_list(p, n, shape.results[*i].rule, ir.type_of(value), spaces);
                    }
                } else {
                    for (n, &value) in ir.operands(op)[group_range(ir, op, shape, *i)].iter().enumerate() {
                        type_in_list(p, n, shape.operands[*i].rule, ir.type_of(value), spaces);
                    }
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
pub(crate) fn group_range(ir: &Ir, op: OpId, shape: &Shape, group: usize) -> Range<usize> {
    let n = ir.operands(op).len();
    if shape.segmented {
        let sizes = ir.attr_id(op, "operandSegmentSizes").map(|attr| match &ir[attr] {
            Attr::DenseArray { values, .. } => Cow::Borrowed(&values[..]),
            _ => Cow::Owned(ir.ints(attr).unwrap_or_default()),
        });
        let sizes = sizes.unwrap_or_default();
        let size = |i: usize| sizes.get(i).and_then(|&size| usize::try_from(size).ok()).unwrap_or(0);
        let start = (0..group).map(size).fold(0usize, usize::saturating_add).min(n);
        return start..start.saturating_add(size(group)).min(n);
    }
    if shape.n_operands.most == shape.n_operands.fixed {
        return group.min(n)..(group + 1).min(n);
    }
    // At most one group has a length of its own: it takes what the others leave.
    let rest = n.saturating_sub(shape.n_operands.fixed);
    let len = |i: usize| if shape.operands[i].many || shape.operands[i].optional { rest } else { 1 };
    let start: usize = (0..group).map(len).sum();
    start.min(n)..(start + len(group)).min(n)
}

/// Number of results in front of a group, and in it.
pub(crate) fn result_range(ir: &Ir, op: OpId, shape: &Shape, group: usize) -> (usize, usize) {
    let n = ir.results(op).len();
    let rest = n.saturating_sub(shape.n_results.fixed);
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
        !matches!(first, b'>' | b')' | b'}' | b']' | b',')
    } else {
        !matches!(first, b'<' | b'>' | b'(' | b')' | b'{' | b'}' | b'[' | b']' | b',')
    };
    if spaces.emit && wants {
        p.out.push(' ');
    }
    p.out.push_str(text);
    spaces.emit = text.len() != 1 || !matches!(first, b'<' | b'(' | b'{' | b'[');
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
                // Anything but a single word is quoted.
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
        (Spelling::Body(name), Attr::Dialect { name: found, .. }) if p.ir[*found] == *name => p.attr_or_body(value),
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
