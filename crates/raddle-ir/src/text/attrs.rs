//! Reading attributes.

use num_bigint::BigInt;
use rustc_hash::FxHashSet;

use super::lexer::{self, Kind, Token};
use super::parser::{Parser, Parts, Res};
use crate::attrs::{Attr, Body};
use crate::codes::Code;
use crate::diag::{Diag, Span};
use crate::float;
use crate::ids::{AttrId, StrId, TypeId};
use crate::ops::{self, OfRows};
use crate::types::{DYNAMIC, Float, Sign, Type};

/// Enumerations that MLIR also spells with a space, as in `#gpu<dim x>`, or that changed their dialect.
const RENAMED: &[(&str, &str)] = &[("rocdl.mfma_perm_b", "amdgpu.mfma_perm_b")];

/// The name under which memory keeps a string with a type.
pub(super) const TYPED_STRING: &str = "builtin.typed_string";

/// Attributes that stand for a device, and have its type also where they do not state it.
const DEVICES: [&str; 5] =
    ["hal.device.target", "hal.device.alias", "hal.device.select", "hal.device.ordinal", "hal.device.fallback"];

/// One literal of `dense<…>`.
#[derive(Clone, Copy)]
pub(super) struct Literal {
    pub tok: Token,
    pub negative: bool,
}

impl<'a> Parser<'a, '_> {
    /// An attribute.
    pub fn attr(&mut self) -> Res<AttrId> {
        self.nested(Parser::attr_body)
    }

    /// An attribute; one of a dialect may state its type.
    pub fn typed_attr(&mut self) -> Res<AttrId> {
        let attr = self.attr()?;
        let Attr::Dialect { name, .. } = self.ir[attr] else { return Ok(attr) };
        // What the reader itself named has its type already.
        if !self.ir[name].starts_with("builtin.") && self.eat(b':') {
            let ty = self.ty()?;
            return Ok(self.typed(attr, ty));
        }
        if DEVICES.contains(&&self.ir[name]) {
            let device = self.ir.intern_str("hal.device");
            let ty = self.ir.intern_type(Type::Dialect(device));
            return Ok(self.typed(attr, ty));
        }
        Ok(attr)
    }

    /// An attribute whose type goes without saying.
    pub fn attr_of(&mut self, ty: TypeId) -> Res<AttrId> {
        let outer = self.implied_type.replace(ty);
        let attr = self.attr();
        self.implied_type = outer;
        attr
    }

    /// `<…>` of an attribute whose name goes without saying.
    pub fn dialect_body(&mut self, name: &str) -> Res<AttrId> {
        let open = self.tok.start;
        let body = self.attr_in_brackets(name, open)?;
        Ok(self.dialect_attr(name, body))
    }

    fn attr_body(&mut self) -> Res<AttrId> {
        let tok = self.tok;
        match tok.kind {
            Kind::Int | Kind::Float | Kind::Punct(b'-') => self.number_attr(),
            Kind::Str => {
                self.bump();
                let text = lexer::unescape(self.text(tok));
                let text = self.ir.str_attr(&text);
                if !self.eat(b':') {
                    return Ok(text);
                }
                let ty = self.ty()?;
                if self.ir[ty] == Type::None {
                    return Ok(text);
                }
                let ty = self.ir.intern(Attr::Type(ty));
                Ok(self.builtin(TYPED_STRING, vec![text, ty]))
            }
            Kind::Punct(b'[') => {
                let items = self.list(b'[', b']', Parser::typed_attr)?;
                Ok(self.ir.intern(Attr::Array(items)))
            }
            Kind::Punct(b'{') => {
                let mut entries = Vec::new();
                self.attr_entries(&mut entries)?;
                self.dict_attr(&mut entries)
            }
            Kind::At => self.symbol_attr(),
            Kind::Hash => self.hash_attr(),
            Kind::Word => self.word_attr(),
            // An extent that is not known, among the parameters of an attribute.
            Kind::Punct(b'?') if self.in_fields > 0 => {
                self.bump();
                let mark = self.ir.intern_str("?");
                Ok(self.dialect_attr("", Body::Keyword(mark)))
            }
            _ => match self.try_type()? {
                Some(ty) => Ok(self.ir.intern(Attr::Type(ty))),
                None => Err(self.expected("attribute value")),
            },
        }
    }

    fn word_attr(&mut self) -> Res<AttrId> {
        let word = self.text(self.tok);
        let simple = match word {
            "unit" => Some(Attr::Unit),
            "true" => Some(Attr::Bool(true)),
            "false" => Some(Attr::Bool(false)),
            _ => None,
        };
        if let Some(attr) = simple {
            self.bump();
            return Ok(self.ir.intern(attr));
        }
        match word {
            "affine_map" => {
                self.bump();
                self.expect(b'<')?;
                let map = self.affine_map()?;
                self.expect(b'>')?;
                Ok(self.ir.intern(Attr::Map(map)))
            }
            "affine_set" => {
                self.bump();
                self.expect(b'<')?;
                let set = self.affine_set()?;
                self.expect(b'>')?;
                Ok(self.ir.intern(Attr::Set(set)))
            }
            "array" => self.dense_array(),
            "dense" => self.dense_attr(),
            "sparse" => self.sparse_attr(),
            "dense_resource" => self.resource_attr(),
            "strided" => {
                self.bump();
                self.strided_attr()
            }
            "loc" => self.location_attr(),
            "distinct" => self.distinct_attr(),
            _ => {
                let tok = self.tok;
                if let Some(ty) = self.try_type()? {
                    return Ok(self.ir.intern(Attr::Type(ty)));
                }
                let after = lexer::next(self.src.as_bytes(), tok.end).kind;
                if self.in_fields == 0 || !matches!(after, Kind::Punct(b',' | b']')) {
                    return Err(self.expected("attribute value"));
                }
                // A word in a list among the parameters of an attribute.
                self.bump();
                let word = self.ir.intern_str(&self.src[tok.start..tok.end]);
                Ok(self.dialect_attr("", Body::Keyword(word)))
            }
        }
    }

    // ---- numbers

    fn number_attr(&mut self) -> Res<AttrId> {
        let start = self.tok.start;
        let negative = self.eat(b'-');
        let tok = self.bump();
        if !matches!(tok.kind, Kind::Int | Kind::Float) {
            return Err(self.error(tok.span(), "expected a number behind `-`"));
        }
        let span = Span::new(start, tok.end);
        let ty = if self.at(b':') {
            self.bump();
            self.ty()?
        } else if tok.kind == Kind::Float {
            self.ir.float_type(Float::F64)
        } else {
            self.ir.int_type(64)
        };
        let attr = self.number(Literal { tok, negative }, ty, span)?;
        Ok(self.ir.intern(attr))
    }

    /// A literal as an attribute of a scalar type.
    fn number(&self, literal: Literal, ty: TypeId, span: Span) -> Res<Attr> {
        let Literal { tok, negative } = literal;
        let text = self.text(tok);
        match &self.ir[ty] {
            Type::Float(kind) => {
                if tok.kind == Kind::Int {
                    // Hexadecimal integers are the bits of the value.
                    if negative && text.starts_with("0x") {
                        return Err(self.error(span, "hexadecimal float literal should not have a leading minus"));
                    }
                    if !text.starts_with("0x") {
                        let sign = if negative { "-" } else { "" };
                        return Err(self
                            .error(span, "unexpected decimal integer literal for a floating point value")
                            .note_boxed(format!("add a trailing dot to make the literal a float: `{sign}{text}.`")));
                    }
                    let width = kind.bits();
                    let bits = self.wide_value(tok, 128).ok().and_then(|bits| u128::try_from(bits).ok());
                    let bits = bits.filter(|bits| width == 128 || bits >> width == 0);
                    let Some(bits) = bits else {
                        let message = format!("hexadecimal float constant out of range for type: it has {width} bits");
                        return Err(self.error(span, message));
                    };
                    return Ok(float_of_bits(*kind, bits, ty));
                }
                let value: f64 = text.parse().map_err(|_| self.error(span, "the number cannot be read"))?;
                let value = if negative { -value } else { value };
                Ok(Attr::float(round_text(*kind, text, negative, value), ty))
            }
            Type::Integer { width, sign } => {
                let (width, sign) = (*width, *sign);
                if tok.kind == Kind::Float {
                    return Err(self.error(span, "a floating-point literal cannot be an integer value"));
                }
                let too_wide = || {
                    let message = if negative && sign == Sign::Unsigned {
                        "negative integer literal not valid for unsigned integer type".to_owned()
                    } else {
                        format!("integer constant out of range for attribute: it does not fit {width} bits")
                    };
                    self.error(span, message)
                };
                if width > 64 {
                    let value = self.wide_value(tok, width)?;
                    let value = wrap_wide(if negative { -value } else { value }, width, sign).ok_or_else(too_wide)?;
                    return Ok(Attr::integer(value, ty));
                }
                let value = if negative { -self.int_value(tok)? } else { self.int_value(tok)? };
                let value = wrap(value, width, sign).ok_or_else(too_wide)?;
                Ok(if width == 1 && sign == Sign::Signless { Attr::Bool(value != 0) } else { Attr::Int { value, ty } })
            }
            Type::Index => {
                if tok.kind == Kind::Float {
                    return Err(self.error(span, "a floating-point literal cannot be an index"));
                }
                let value = if negative { -self.int_value(tok)? } else { self.int_value(tok)? };
                let value = wrap(value, 64, Sign::Signless).ok_or_else(|| {
                    self.error(span, "integer constant out of range for attribute: it does not fit 64 bits")
                })?;
                Ok(Attr::Int { value, ty })
            }
            _ => {
                let text = super::print_type(self.ir, ty);
                Err(self.error(span, format!("a number cannot have the type `{text}`")))
            }
        }
    }

    // ---- lists and dictionaries

    /// `{name = value, …}` into a list.
    pub fn attr_entries(&mut self, out: &mut Vec<(StrId, AttrId)>) -> Res<()> {
        self.attr_entries_in(b'{', b'}', out)
    }

    /// The same between other brackets.
    pub fn attr_entries_in(&mut self, open: u8, close: u8, out: &mut Vec<(StrId, AttrId)>) -> Res<()> {
        self.list(open, close, |p| {
            let tok = p.tok;
            let name = match tok.kind {
                Kind::Word => p.ir.intern_str(&p.src[tok.start..tok.end]),
                Kind::Str if tok.end - tok.start > 2 => {
                    let name = lexer::unescape(p.text(tok));
                    p.ir.intern_str(&name)
                }
                _ => return Err(p.expected("attribute name")),
            };
            p.bump();
            let value = if p.eat(b'=') { p.typed_attr()? } else { p.unit() };
            if out.iter().any(|entry| entry.0 == name) {
                let message = format!("duplicate key '{}' in dictionary attribute", &p.ir[name]);
                return Err(Box::new(Diag::error(Code::Name, tok.span(), message)));
            }
            out.push((name, value));
            Ok(())
        })?;
        Ok(())
    }

    /// A dictionary from entries in any order.
    pub fn dict_attr(&mut self, entries: &mut [(StrId, AttrId)]) -> Res<AttrId> {
        let ir = &mut *self.ir;
        ir.sort_by_name(entries);
        if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let message = format!("duplicate key '{}' in dictionary attribute", &ir[pair[0].0]);
            return Err(Box::new(Diag::error(Code::Name, self.tok.span(), message)));
        }
        Ok(ir.intern_dict(entries))
    }

    /// `@name`
    pub fn symbol(&mut self) -> Res<String> {
        let found = self.tok;
        let tok = self.expect_kind(Kind::At, "valid '@'-identifier for symbol name").map_err(|diag| {
            // Names may hold anything, in quotes.
            let is_bare = found.kind == Kind::Error && !self.text(found).contains('"');
            if is_bare { Box::new(diag.help("put other names in quotes, as in `@\"2d\"`")) } else { diag }
        })?;
        Ok(self.symbol_text(tok))
    }

    fn symbol_text(&self, tok: Token) -> String {
        let text = &self.text(tok)[1..];
        if text.starts_with('"') { lexer::unescape(text) } else { text.to_owned() }
    }

    fn symbol_attr(&mut self) -> Res<AttrId> {
        let first = self.symbol()?;
        let mut path = vec![self.ir.intern_str(&first)];
        while self.eat_kind(Kind::Path) {
            let next = self.symbol()?;
            path.push(self.ir.intern_str(&next));
        }
        Ok(self.ir.intern(Attr::Symbol(path)))
    }

    /// `[1, ?, 3]` with [`DYNAMIC`] for `?`.
    pub fn int_list(&mut self) -> Res<Vec<i64>> {
        self.list(b'[', b']', |p| if p.eat(b'?') { Ok(DYNAMIC) } else { p.int("an integer") })
    }

    /// `<[4, ?], offset: 2>`
    fn strided_attr(&mut self) -> Res<AttrId> {
        self.expect(b'<')?;
        let strides = self.int_list()?;
        let mut offset = 0;
        if self.eat(b',') {
            self.expect_word("offset")?;
            self.expect(b':')?;
            offset = if self.eat(b'?') { DYNAMIC } else { self.int("an integer or `?`")? };
        }
        self.expect(b'>')?;
        Ok(self.ir.intern(Attr::Strided { offset, strides }))
    }

    /// `array<i64: 1, 2>`
    fn dense_array(&mut self) -> Res<AttrId> {
        self.bump();
        self.expect(b'<')?;
        let at = self.tok.span();
        let elem = self.ty()?;
        let width = match &self.ir[elem] {
            Type::Integer { width, .. } => *width,
            Type::Float(float) => float.bits(),
            _ => 65,
        };
        if width > 64 {
            return Err(self.error(at, "expected integer or float type of at most 64 bits"));
        }
        if width != 1 && width % 8 != 0 {
            return Err(self.error(at, "element type bitwidth must be a multiple of 8, or one bit"));
        }
        let values = if self.eat(b':') {
            self.commas(|p| {
                let literal = p.literal()?;
                if width == 1 && literal.tok.kind != Kind::Word {
                    return Err(p.error(literal.tok.span(), "expected `true` or `false` values for i1 type"));
                }
                let attr = p.literal_value(literal, elem)?;
                Ok(match attr {
                    Attr::Float { bits, .. } => match p.ir[elem] {
                        Type::Float(float) => float::encode(float, f64::from_bits(bits)) as i64,
                        _ => 0,
                    },
                    attr => attr.as_i64().unwrap_or(0),
                })
            })?
        } else {
            Vec::new()
        };
        self.expect(b'>')?;
        Ok(self.ir.intern(Attr::DenseArray { elem, values }))
    }

    // ---- literals

    pub fn literal(&mut self) -> Res<Literal> {
        let negative = self.eat(b'-');
        let is_bool = self.at_word("true") || self.at_word("false");
        if !matches!(self.tok.kind, Kind::Int | Kind::Float) && (!is_bool || negative) {
            return Err(self.expected("element literal of primitive type"));
        }
        Ok(Literal { tok: self.bump(), negative })
    }

    pub fn literal_value(&self, literal: Literal, ty: TypeId) -> Res<Attr> {
        if literal.tok.kind == Kind::Word {
            if !matches!(self.ir[ty], Type::Integer { width: 1, .. }) {
                return Err(self.error(literal.tok.span(), "expected i1 type for `true` or `false` values"));
            }
            return Ok(Attr::Bool(self.text(literal.tok) == "true"));
        }
        if let Type::Integer { sign, .. } = self.ir[ty] {
            if literal.tok.kind == Kind::Float {
                let message = "expected integer elements, but parsed floating-point";
                return Err(self.error(literal.tok.span(), message));
            }
            if literal.negative && sign == Sign::Unsigned {
                let message = "expected unsigned integer elements, but parsed negative value";
                return Err(self.error(literal.tok.span(), message));
            }
        }
        self.number(literal, ty, literal.tok.span())
    }

    /// `distinct[0]<attribute>`
    fn distinct_attr(&mut self) -> Res<AttrId> {
        self.bump();
        self.expect(b'[')?;
        let span = self.tok.span();
        let id = self.int("a number")?;
        let id = u32::try_from(id).map_err(|_| self.error(span, "the number does not fit 32 bits"))?;
        self.expect(b']')?;
        self.expect(b'<')?;
        let of = if self.at(b'>') { self.unit() } else { self.attr()? };
        let end = self.expect(b'>')?.end;
        let first = *self.distinct.entry(id).or_insert(of);
        if first != of {
            let span = Span::new(span.start as usize, end);
            let first = super::print_attr(self.ir, first);
            return Err(self.error(span, format!("referenced attribute does not match previous definition: {first}")));
        }
        Ok(self.ir.intern(Attr::Distinct { id, of }))
    }

    // ---- attributes of dialects

    /// `#alias`, `#dialect.name`, `#dialect.name<…>`, `#dialect<name …>`
    fn hash_attr(&mut self) -> Res<AttrId> {
        let tok = self.bump();
        let name = &self.text(tok)[1..];
        if name.is_empty() {
            return Err(self.error(tok.span(), "expected a name behind `#`"));
        }
        let bracket = self.at(b'<') && self.tok.start == tok.end;
        if !name.contains('.') {
            if !bracket {
                return match self.attr_aliases.get(name) {
                    Some(&attr) => Ok(attr),
                    None => Err(self.unknown_alias('#', name, tok.span())),
                };
            }
            return self.pretty_attr(name, tok);
        }
        if name.starts_with("builtin.") {
            return Err(self.error(tok.span(), format!("the builtin dialect has no attribute `#{name}`")));
        }
        if !bracket {
            return Ok(self.dialect_attr(name, Body::None));
        }
        if name == "iree_vector_ext.nested_layout" {
            return self.nested_layout(tok);
        }
        if matches!(name, "raddle.cute" | "raddle.linear") {
            return self.spelled_layout(name == "raddle.cute");
        }
        let body = self.attr_in_brackets(name, tok.end)?;
        if let Some(flags) = self.flags_attr(name, &body) {
            return Ok(flags);
        }
        if let Some(message) = super::structs::complaint(self.ir, name, &body) {
            let span = Span::new(tok.start, tok.end);
            return Err(Box::new(Diag::error(Code::BadAttribute, span, message)));
        }
        let body = match body {
            Body::Text(text) if name == "iree_map.pack_layout" => {
                let normal = super::pack::normal(&self.ir[text]);
                Body::Text(normal.map_or(text, |normal| self.ir.intern_str(&normal)))
            }
            body => body,
        };
        Ok(self.dialect_attr(name, body))
    }

    /// `#arith.overflow<nsw, nuw>` as one keyword, in MLIR's order.
    fn flags_attr(&mut self, name: &str, body: &Body) -> Option<AttrId> {
        if !super::format::is_flags(name) {
            return None;
        }
        let words: Vec<String> = match body {
            Body::Keyword(word) => vec![self.ir[*word].to_owned()],
            Body::Fields(fields) => {
                let word = |attr: AttrId| self.ir.keyword(attr).map(str::to_owned);
                fields.iter().map(|&(_, value)| word(value)).collect::<Option<_>>()?
            }
            _ => return None,
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        Some(super::format::flags(self.ir, name, &words))
    }

    fn dialect_attr(&mut self, name: &str, body: Body) -> AttrId {
        let body = self.in_order(name, body);
        let name = RENAMED.iter().find(|row| row.0 == name).map_or(name, |row| row.1);
        let name = self.ir.intern_str(name);
        self.ir.intern(Attr::Dialect { name, body })
    }

    /// Named parameters in the order of print, without those that say what their absence says.
    fn in_order(&mut self, name: &str, body: Body) -> Body {
        if let (Body::Text(text), "iree_codegen.workgroup_mapping") = (&body, name)
            && self.ir[*text] == *"z:0"
        {
            return Body::Keyword(self.ir.intern_str("z"));
        }
        let Body::Fields(mut fields) = body else { return body };
        if fields.is_empty() && name == "iree_encoding.identity_resolver" {
            return Body::None;
        }
        if name == "hal.executable.target" {
            fields.retain(|&(_, value)| !matches!(&self.ir[value], Attr::Dict(entries) if entries.is_empty()));
        }
        if name == "hal.pipeline.layout" {
            let zero = |value: AttrId| self.ir[value].as_i64() == Some(0);
            fields.retain(|&(field, value)| !(self.ir[field] == *"constants" && zero(value)));
        }
        if matches!(name, "iree_cpu.lowering_config" | "iree_cpu.inner_tile_alignments") {
            self.ir.sort_by_name(&mut fields);
        }
        let mut placed = Vec::new();
        for &(field, value) in &fields {
            let Some((at, default)) = super::structs::parameter(name, &self.ir[field]) else {
                return Body::Fields(fields);
            };
            let said = match &self.ir[value] {
                Attr::Int { value, .. } => value.to_string(),
                Attr::Bool(value) => value.to_string(),
                _ => String::new(),
            };
            if default.is_none_or(|default| default.is_empty() || default != said) {
                placed.push((at, (field, value)));
            }
        }
        placed.sort_by_cached_key(|entry| entry.0);
        Body::Fields(placed.into_iter().map(|entry| entry.1).collect())
    }

    /// `#gpu<dim x>` is `#gpu.dim<x>`; `#dialect<name<…>>` is `#dialect.name<…>`.
    fn pretty_attr(&mut self, dialect: &str, tok: Token) -> Res<AttrId> {
        let end = self.balanced(dialect, tok.end)?;
        self.bump();
        if !is_known_dialect(dialect) {
            self.seek(end);
            let text = self.text_between(dialect, tok.end + 1, end - 1)?;
            let (name, body) = match text.split_once('<') {
                Some((word, rest)) if super::named::is_plain(&text) => {
                    (format!("{dialect}.{word}"), Body::Text(self.ir.intern_str(&rest[..rest.len() - 1])))
                }
                None if super::named::is_plain(&text) => (format!("{dialect}.{text}"), Body::None),
                _ => (dialect.to_owned(), Body::Text(self.ir.intern_str(&text))),
            };
            return Ok(self.dialect_attr(&name, body));
        }
        if self.tok.kind == Kind::Word {
            let word = self.bump();
            let name = format!("{dialect}.{}", self.text(word));
            let body = match self.tok.kind {
                Kind::Punct(b'>') => Some(Body::None),
                Kind::Punct(b'<') => {
                    let body = self.attr_in_brackets(&name, word.end)?;
                    self.at(b'>').then_some(body)
                }
                Kind::Word => {
                    let value = self.bump();
                    let value = self.ir.intern_str(&self.src[value.start..value.end]);
                    self.at(b'>').then_some(Body::Keyword(value))
                }
                _ => None,
            };
            if let Some(body) = body {
                self.seek(end);
                return Ok(self.dialect_attr(&name, body));
            }
        }
        self.seek(end);
        let text = self.text_between(dialect, tok.end + 1, end - 1)?;
        let text = self.ir.intern_str(&text);
        Ok(self.dialect_attr(dialect, Body::Text(text)))
    }

    /// The bytes `start..end` between the brackets of an attribute or type that stays text. What a dialect that nobody
    /// knows writes there stays as it is.
    pub fn text_between(&self, name: &str, start: usize, end: usize) -> Res<String> {
        let known = is_known_dialect(name);
        let text = self.expand_aliases(start, end, known)?;
        Ok(if known { tidy(&text) } else { text })
    }

    /// `<…>`, whose `<` is current and starts at byte `open`: parameters when they look like attributes, else text.
    fn attr_in_brackets(&mut self, name: &str, open: usize) -> Res<Body> {
        let end = self.balanced(name, open)?;
        self.bump();
        if !is_known_dialect(name) {
            self.seek(end);
            let text = self.text_between(name, open + 1, end - 1)?;
            return Ok(Body::Text(self.ir.intern_str(&text)));
        }
        self.in_fields += 1;
        let parsed = self.nested(|p| p.fields(name));
        self.in_fields -= 1;
        match parsed {
            // Only what ends with this very bracket was understood.
            Ok(body) if self.at(b'>') && self.tok.end == end => {
                self.bump();
                Ok(body)
            }
            Err(diag) if diag.code == Code::TooDeep => Err(diag),
            _ => {
                self.seek(end);
                let mut text = self.text_between(name, open + 1, end - 1)?;
                if let Some(normal) = super::named::normal(name, &text) {
                    text = normal;
                }
                let text = self.ir.intern_str(&text);
                Ok(Body::Text(text))
            }
        }
    }

    /// `word`, `attribute`, or `name = attribute, …`
    fn fields(&mut self, name: &str) -> Res<Body> {
        let translation = name == "iree_codegen.translation_info";
        let mut fields = Vec::new();
        while !self.at(b'>') {
            let mut field = "";
            if self.tok.kind == Kind::Word {
                let tok = self.tok;
                let after = lexer::next(self.src.as_bytes(), tok.end);
                if after.kind == Kind::Punct(b'=') {
                    field = self.text(tok);
                    self.bump();
                    self.bump();
                } else if translation && fields.is_empty() {
                    field = "pipeline";
                }
            } else if translation && self.at(b'{') {
                field = "configuration";
            }
            // The type of this one is known.
            let is_body = field == "translation_info" && name == "iree_codegen.compilation_info" && self.at(b'<');
            let mut value =
                if is_body { self.dialect_body("iree_codegen.translation_info")? } else { self.field_value()? };
            if name == "hal.pipeline.binding"
                && let Attr::Str(word) = self.ir[value]
                && !self.ir[word].contains('|')
            {
                value = self.dialect_attr("", Body::Keyword(word));
            }
            let field = self.ir.intern_str(field);
            fields.push((field, value));
            let comma = self.eat(b',');
            let goes_on = comma || translation && self.tok.kind == Kind::Word;
            if !goes_on {
                break;
            }
            if comma && self.at(b'>') {
                return Err(self.expected("a parameter"));
            }
        }
        if let [(field, value)] = fields[..]
            && self.ir[field].is_empty()
        {
            return Ok(match &self.ir[value] {
                Attr::Dialect { name, body: Body::Keyword(word) } if self.ir[*name].is_empty() => Body::Keyword(*word),
                _ => Body::Attr(value),
            });
        }
        Ok(Body::Fields(fields))
    }

    /// An attribute, or a bare word, which is an attribute without a name.
    fn field_value(&mut self) -> Res<AttrId> {
        if self.tok.kind == Kind::Word && !matches!(self.text(self.tok), "true" | "false") {
            let after = lexer::next(self.src.as_bytes(), self.tok.end);
            let alone = matches!(after.kind, Kind::Punct(b'>' | b',') | Kind::Word);
            if alone {
                let tok = self.bump();
                let word = self.ir.intern_str(&self.src[tok.start..tok.end]);
                return Ok(self.dialect_attr("", Body::Keyword(word)));
            }
        }
        self.attr()
    }

    /// The bytes `start..end` with every `#alias` written out, as aliases are named anew in print; in comments, where
    /// there are such, they are not looked for.
    fn expand_aliases(&self, start: usize, end: usize, comments: bool) -> Res<String> {
        let src = self.src.as_bytes();
        let mut out = String::new();
        let (mut at, mut kept) = (start, start);
        while at < end {
            if src[at] == b'"' {
                at = lexer::next(src, at).end;
                continue;
            }
            if comments && src[at..].starts_with(b"//") {
                at = lexer::skip_space(src, at);
                continue;
            }
            if src[at] == b'#' || src[at] == b'!' {
                let tok = lexer::next(src, at);
                let name = &self.src[tok.start + 1..tok.end];
                let text = if src[at] == b'#' {
                    self.attr_aliases.get(name).map(|&attr| super::print_attr(self.ir, attr))
                } else {
                    self.type_aliases.get(name).map(|&ty| super::print_type(self.ir, ty))
                };
                let whole = tok.end <= end;
                if let Some(text) = text.filter(|_| whole) {
                    out.push_str(&self.src[kept..at]);
                    out.push_str(&text);
                    kept = tok.end;
                } else if whole && !name.is_empty() && !name.contains('.') && src.get(tok.end) != Some(&b'<') {
                    // Kept as text, it would become whatever has this name in print.
                    return Err(self.unknown_alias(src[at] as char, name, tok.span()));
                }
                at = tok.end.max(at + 1);
                continue;
            }
            at += 1;
        }
        out.push_str(&self.src[kept.min(end)..end]);
        Ok(out)
    }

    /// Puts `operandSegmentSizes`.
    pub fn put_segments(&mut self, parts: &mut Parts, sizes: &[usize]) {
        let sizes = self.ir.segment_sizes(sizes);
        self.put(parts, "operandSegmentSizes", sizes);
    }
}

/// Dialects of MLIR and IREE without a row in the op table. Their attributes and types are parameters, too.
const OTHER_DIALECTS: &[&str] = &[
    "arm_neon",
    "arm_sme",
    "arm_sve",
    "async",
    "builtin",
    "check",
    "complex",
    "dlti",
    "emitc",
    "hal_inline",
    "hal_loader",
    "io_parameters",
    "iree_cpu",
    "iree_encoding",
    "iree_gpu",
    "iree_map",
    "irdl",
    "ml_program",
    "pcf",
    "pdl",
    "pdl_interp",
    "ptr",
    "quant",
    "shape",
    "smt",
    "sparse_tensor",
    "spirv",
    "stablehlo",
    "stream",
    "tosa",
    "transform",
    "ukernel",
    "vm",
    "vmvx",
    "x86",
    "x86vector",
    "xegpu",
];

/// Whether something in the table, or in front of it, belongs to the dialect of a name.
pub(super) fn is_known_dialect(name: &str) -> bool {
    static KNOWN: OfRows<FxHashSet<&str>> = OfRows::new(|| {
        let rows = ops::all().filter_map(|row| row.name.split_once('.')).map(|(dialect, _)| dialect);
        rows.chain(OTHER_DIALECTS.iter().copied()).collect()
    });
    KNOWN.contains(name.split('.').next().unwrap_or_default())
}

/// Text with one space where there were several, a comment or a line end, and none inside brackets.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c == '"' {
            let end = lexer::next(text.as_bytes(), at).end;
            out.push_str(&text[at..end]);
            at = end;
            continue;
        }
        let next = lexer::skip_space(text.as_bytes(), at);
        if next > at {
            let parts = !out.is_empty() && !out.ends_with([' ', '<', '[', '(', '{']);
            // `<=` and `{-` would be other tokens; `<` stands in front of the text.
            let splits = match text.as_bytes().get(next) {
                Some(b'=') => out.is_empty() || out.ends_with('<'),
                Some(b'-') => out.ends_with('{'),
                _ => false,
            };
            if parts || splits {
                out.push(' ');
            }
            at = next;
            continue;
        }
        let closes = matches!(c, '>' | ']' | ')' | '}' | ',');
        if closes && out.ends_with(' ') && !out.ends_with("- ") {
            out.pop();
        }
        out.push(c);
        at += c.len_utf8();
    }
    out.truncate(out.trim_end_matches(' ').len());
    // The bracket behind it would make an arrow of it.
    if out.ends_with('-') {
        out.push(' ');
    }
    out
}

/// The value as an integer of this width, at most 64, sign-extended; `None` when it does not fit.
fn wrap(value: i128, width: u32, sign: Sign) -> Option<i128> {
    if width == 0 {
        return (value == 0).then_some(0);
    }
    let (low, high) = match sign {
        Sign::Signless => (-(1i128 << (width - 1)), (1i128 << width) - 1),
        Sign::Signed => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        Sign::Unsigned => (0, (1i128 << width) - 1),
    };
    if value < low || value > high {
        return None;
    }
    let wraps = sign == Sign::Signless && value >= 1i128 << (width - 1);
    Some(if wraps { value - (1i128 << width) } else { value })
}

/// The same for any width.
fn wrap_wide(value: BigInt, width: u32, sign: Sign) -> Option<BigInt> {
    let (bits, width) = (value.bits(), u64::from(width));
    let negative = value.sign() == num_bigint::Sign::Minus;
    let least = || negative && bits == width && value.magnitude().trailing_zeros() == Some(width - 1);
    match sign {
        Sign::Unsigned => (!negative && bits <= width).then_some(value),
        Sign::Signless | Sign::Signed if bits < width || least() => Some(value),
        // The upper half of what these bits hold without a sign.
        Sign::Signless if !negative && bits == width => Some(value - (BigInt::from(1) << width)),
        Sign::Signless | Sign::Signed => None,
    }
}

/// The float of a type that has these bits.
pub(crate) fn float_of_bits(kind: Float, bits: u128, ty: TypeId) -> Attr {
    if kind.bits() <= 64 {
        return Attr::float(float::decode(kind, bits as u64), ty);
    }
    let bits = float::canonical_long(kind, bits);
    match float::decode_long(kind, bits) {
        Some(value) => Attr::float(value, ty),
        None => Attr::LongFloat { bits, ty },
    }
}

/// Rounds a decimal to its format: once for f32, whose parser rounds the text itself.
fn round_text(kind: Float, text: &str, negative: bool, value: f64) -> f64 {
    if kind == Float::F32
        && let Ok(single) = text.parse::<f32>()
    {
        return f64::from(if negative { -single } else { single });
    }
    float::round(kind, value)
}

/// Adds a note to a diagnostic that is boxed already.
trait NoteBoxed {
    fn note_boxed(self, note: String) -> Self;
}

impl NoteBoxed for Box<Diag> {
    fn note_boxed(mut self, note: String) -> Box<Diag> {
        self.notes.push(note);
        self
    }
}
