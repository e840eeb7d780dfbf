//! Attributes in print, and the aliases that stand for some of them.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::super::layouts::LAYOUT_FIELDS;
use super::super::{digits, lexer};
use super::{Alias, Printer};
use crate::attrs::{Attr, Body};
use crate::ids::{AttrId, OpId, StrId, TypeId};
use crate::types::{Float, Sign, Type};

impl Printer<'_> {
    /// `name = value`, or the name alone for a unit attribute.
    pub(super) fn named_attr(&mut self, name: &str, value: AttrId) {
        let bare = name.bytes().enumerate().all(|(i, b)| {
            b == b'_' || b.is_ascii_alphabetic() || i > 0 && (b.is_ascii_digit() || matches!(b, b'.' | b'$'))
        });
        if bare && !name.is_empty() {
            self.out.push_str(name);
        } else {
            self.escaped(name);
        }
        if self.ir[value] != Attr::Unit {
            self.out.push_str(" = ");
            self.attr(value);
        }
    }

    pub fn dict(&mut self, entries: &[(StrId, AttrId)]) {
        self.out.push('{');
        // A level of tiling has parameters in an order of their own.
        let (ir, in_levels) = (self.ir, self.in_levels);
        let sizes = entries.iter().filter(|entry| in_levels && ir[entry.0] == *"sizes");
        let others = entries.iter().filter(|entry| !in_levels || ir[entry.0] != *"sizes");
        for (i, &(name, value)) in sizes.chain(others).enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.named_attr(&self.ir[name], value);
        }
        self.out.push('}');
    }

    /// A quoted string with escapes.
    pub fn escaped(&mut self, text: &str) {
        self.out.push('"');
        let mut plain = text.bytes();
        if plain.all(|b| (0x20..0x7f).contains(&b) && !matches!(b, b'"' | b'\\')) {
            self.out.push_str(text);
            self.out.push('"');
            return;
        }
        for c in text.chars() {
            match c {
                '"' => self.out.push_str("\\22"),
                '\\' => self.out.push_str("\\\\"),
                c if (c as u32) < 0x20 || c == '\x7f' => {
                    let _ = write!(self.out, "\\{:02X}", c as u32);
                }
                c if c.is_ascii() => self.out.push(c),
                c => {
                    for byte in lexer::bytes_of(c) {
                        let _ = write!(self.out, "\\{byte:02X}");
                    }
                }
            }
        }
        self.out.push('"');
    }

    /// `@name` or `@"name"`
    pub fn symbol(&mut self, name: &str) {
        self.out.push('@');
        let bare = name.bytes().enumerate().all(|(i, b)| {
            b == b'_' || b.is_ascii_alphabetic() || i > 0 && (b.is_ascii_digit() || matches!(b, b'.' | b'$'))
        });
        if bare && !name.is_empty() {
            self.out.push_str(name);
        } else {
            self.escaped(name);
        }
    }

    /// The word of the alias that an attribute gets.
    fn alias_word(&self, attr: AttrId) -> Option<Cow<'static, str>> {
        if self.options.local_scope {
            return None;
        }
        let word = match &self.ir[attr] {
            Attr::Map(_) => Some("map"),
            Attr::Loc(_) => Some("loc"),
            Attr::Distinct { of, .. } if self.ir[*of] != Attr::Unit => Some("distinct"),
            Attr::Set(_) => Some("set"),
            Attr::Layout(_) => Some("nested"),
            Attr::Dialect { name, body } => match &self.ir[*name] {
                "hal.executable.target" => return self.target_alias(body),
                "iree_codegen.translation_info" => Some("translation"),
                "iree_codegen.lowering_config" | "iree_cpu.lowering_config" => Some("config"),
                "iree_codegen.compilation_info" => Some("compilation"),
                "iree_encoding.encoding"
                | "iree_encoding.layout"
                | "iree_encoding.testing"
                | "iree_encoding.unknown" => Some("encoding"),
                "iree_map.pack_layout" => Some("pack_layout"),
                "iree_map.pack_map" => Some("pack_map"),
                "hal.pipeline.layout" => Some("pipeline_layout"),
                _ => None,
            },
            _ => None,
        };
        word.map(Cow::Borrowed)
    }

    /// `executable_target_rocm_hsaco_fb` for `<"rocm", "rocm-hsaco-fb">`: the format's characters that a name may have.
    fn target_alias(&self, body: &Body) -> Option<Cow<'static, str>> {
        let Body::Fields(fields) = body else { return None };
        let Attr::Str(format) = self.ir[fields.get(1)?.1] else { return None };
        let mut word = String::from("executable_target_");
        word.extend(
            self.ir[format].chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }),
        );
        Some(Cow::Owned(word))
    }

    /// An attribute, by its alias where it gets one.
    pub fn attr(&mut self, attr: AttrId) {
        self.attr_or_alias(attr, false);
    }

    /// `short` leaves out the type `i64`.
    pub(super) fn attr_or_alias(&mut self, attr: AttrId, short: bool) {
        if self.alias_word(attr).is_none() {
            return self.print_attr(attr, short);
        }
        self.visit(attr);
        self.marks.push((self.out.len(), attr));
    }

    /// Gives an attribute its place among the aliases.
    pub fn visit(&mut self, attr: AttrId) {
        let Some(word) = self.alias_word(attr) else { return };
        if !self.aliases.contains_key(&attr) {
            // Its text is printed aside; what stands in it gets its place in the order first.
            self.aside += 1;
            let out = std::mem::take(&mut self.out);
            let marks = std::mem::take(&mut self.marks);
            self.print_attr(attr, false);
            let text = std::mem::replace(&mut self.out, out);
            let marks = std::mem::replace(&mut self.marks, marks);
            self.aside -= 1;
            let depth = marks.iter().map(|mark| self.aliases[&mark.1].depth + 1).max().unwrap_or(0);
            self.aliases.insert(attr, Alias { word, depth, text, marks, deferred: self.behind });
        } else if !self.behind {
            self.define_first(attr);
        }
    }

    /// What an attribute or argument names is defined in front, and so is what its definition names.
    fn define_first(&mut self, attr: AttrId) {
        let alias = &mut self.aliases[&attr];
        if alias.deferred {
            alias.deferred = false;
            let inner: Vec<AttrId> = alias.marks.iter().map(|mark| mark.1).collect();
            for attr in inner {
                self.define_first(attr);
            }
        }
    }

    /// Gives the location behind an operation its place among the aliases, where locations are printed.
    pub(super) fn visit_location(&mut self, op: OpId) {
        if self.options.locations
            && let Some(attr) = self.ir.location(self.ir.span(op))
        {
            self.behind = true;
            self.visit(attr);
            self.behind = false;
        }
    }

    /// A location inside brackets: its alias, or what stands in `loc(…)`.
    pub fn location_or_alias(&mut self, attr: AttrId) {
        if self.alias_word(attr).is_some() { self.attr(attr) } else { self.location_body(attr) }
    }

    fn print_attr(&mut self, attr: AttrId, short: bool) {
        let ir = self.ir;
        match &ir[attr] {
            Attr::Unit => self.out.push_str("unit"),
            Attr::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Attr::Int { value, ty } => self.int_attr(*value, *ty, short),
            Attr::Wide { value, ty } => {
                let _ = write!(self.out, "{value} : ");
                self.ty(*ty);
            }
            Attr::Float { bits, ty } => {
                self.float(f64::from_bits(*bits), *ty);
                if !(short && ir[*ty] == Type::Float(Float::F64)) {
                    self.out.push_str(" : ");
                    self.ty(*ty);
                }
            }
            Attr::LongFloat { bits, ty } => {
                if let Type::Float(kind) = ir[*ty] {
                    digits::long(&mut self.out, kind, *bits);
                }
                self.out.push_str(" : ");
                self.ty(*ty);
            }
            Attr::Str(text) => self.escaped(&ir[*text]),
            Attr::Array(items) => {
                self.out.push('[');
                for (i, &item) in items.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.attr_or_alias(item, true);
                }
                self.out.push(']');
            }
            Attr::Dict(entries) => self.dict(entries),
            Attr::Type(ty) => self.ty(*ty),
            Attr::Symbol(path) => {
                for (i, &part) in path.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str("::");
                    }
                    self.symbol(&ir[part]);
                }
            }
            Attr::Map(map) => {
                let _ = write!(self.out, "affine_map<{map}>");
            }
            Attr::Set(set) => {
                let list = |prefix: char, n: u32| (0..n).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ");
                let _ = write!(self.out, "affine_set<({})", list('d', set.dims));
                if set.syms > 0 {
                    let _ = write!(self.out, "[{}]", list('s', set.syms));
                }
                self.out.push_str(" : (");
                for (i, (expr, equal)) in set.constraints.iter().enumerate() {
                    let _ = write!(
                        self.out,
                        "{}{expr} {} 0",
                        if i > 0 { ", " } else { "" },
                        if *equal { "==" } else { ">=" }
                    );
                }
                self.out.push_str(")>");
            }
            Attr::Dense { ty, splat, bytes } => self.dense(*ty, *splat, bytes, true),
            Attr::DenseArray { elem, values } => {
                self.out.push_str("array<");
                self.ty(*elem);
                for (i, &value) in values.iter().enumerate() {
                    self.out.push_str(if i > 0 { ", " } else { ": " });
                    self.element(value as u64, *elem);
                }
                self.out.push('>');
            }
            Attr::Strided { offset, strides } => {
                self.out.push_str("strided<[");
                for (i, &stride) in strides.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.number(stride);
                }
                self.out.push(']');
                if *offset != 0 {
                    self.out.push_str(", offset: ");
                    self.number(*offset);
                }
                self.out.push('>');
            }
            Attr::Layout(layout) => {
                let lists = [
                    &layout.subgroup_tile,
                    &layout.batch_tile,
                    &layout.outer_tile,
                    &layout.thread_tile,
                    &layout.element_tile,
                    &layout.subgroup_strides,
                    &layout.thread_strides,
                ];
                self.out.push_str("#iree_vector_ext.nested_layout<");
                for (i, (field, list)) in LAYOUT_FIELDS.iter().zip(lists).enumerate() {
                    let _ = write!(self.out, "{}{field} = {list:?}", if i > 0 { ", " } else { "" });
                }
                self.out.push('>');
            }
            Attr::Loc(_) => {
                self.out.push_str("loc(");
                self.location_body(attr);
                self.out.push(')');
            }
            &Attr::Distinct { id, of } => {
                let at = self.distinct.iter().position(|&other| other == id).unwrap_or_else(|| {
                    self.distinct.push(id);
                    self.distinct.len() - 1
                });
                let _ = write!(self.out, "distinct[{at}]<");
                if ir[of] != Attr::Unit {
                    self.attr(of);
                }
                self.out.push('>');
            }
            Attr::Dialect { name, body } => self.dialect_attr(&ir[*name], body),
        }
    }

    /// An attribute of a dialect without its name: `<…>`.
    pub fn attr_body(&mut self, attr: AttrId) {
        match &self.ir[attr] {
            Attr::Dialect { name, body } => self.dialect_body(&self.ir[*name], body),
            _ => self.attr(attr),
        }
    }

    /// An attribute of a dialect by its alias, or without its name.
    pub fn attr_or_body(&mut self, attr: AttrId) {
        if self.alias_word(attr).is_some() {
            self.attr(attr);
        } else {
            self.attr_body(attr);
        }
    }

    /// Elements without their type.
    pub fn attr_without_type(&mut self, attr: AttrId) {
        match &self.ir[attr] {
            Attr::Dense { ty, splat, bytes } => self.dense(*ty, *splat, bytes, false),
            _ => self.attr(attr),
        }
    }

    fn dialect_attr(&mut self, name: &str, body: &Body) {
        let ir = self.ir;
        if name.is_empty() {
            // A bare word among the parameters of another attribute.
            if let Body::Keyword(word) = body {
                self.out.push_str(&ir[*word]);
            }
            return;
        }
        if name.starts_with("builtin.") && self.builtin_attr(name, body) {
            return;
        }
        // MLIR moved this enumeration; memory keeps the name of the operation's dialect.
        let printed = if name == "amdgpu.mfma_perm_b" { "rocdl.mfma_perm_b" } else { name };
        let _ = write!(self.out, "#{printed}");
        self.dialect_body(name, body);
    }

    fn dialect_body(&mut self, name: &str, body: &Body) {
        let outer = self.in_levels;
        self.in_levels = matches!(name, "iree_codegen.lowering_config" | "iree_cpu.lowering_config");
        self.bracketed(name, body);
        self.in_levels = outer;
    }

    fn bracketed(&mut self, name: &str, body: &Body) {
        let ir = self.ir;
        match body {
            Body::None => return,
            _ => self.out.push('<'),
        }
        match body {
            Body::None => {}
            Body::Keyword(word) | Body::Text(word) => self.out.push_str(&ir[*word]),
            Body::Attr(attr) => self.attr_or_alias(*attr, true),
            Body::Fields(fields) => {
                let translation = name == "iree_codegen.translation_info";
                for (i, &(field, value)) in fields.iter().enumerate() {
                    let field = &ir[field];
                    // Its last parameter has a comma in front and no name; the others have neither comma.
                    let unnamed = field.is_empty() || translation && field == "configuration";
                    if i > 0 {
                        self.out.push_str(if translation && !unnamed { " " } else { ", " });
                    }
                    if !unnamed {
                        let _ = write!(self.out, "{field} = ");
                    }
                    // These integers are attributes of their own, with their types.
                    let typed =
                        matches!(name, "llvm.vscale_range" | "iree_encoding.encoding" | "transform.param_operand");
                    if name == "iree_codegen.compilation_info" && field == "translation_info" {
                        self.attr_or_body(value);
                    } else if let ("util.int.assumption", &Attr::Int { value, .. }) = (name, &ir[value]) {
                        // Bounds have no sign.
                        let _ = write!(self.out, "{}", value as u64);
                    } else {
                        self.attr_or_alias(value, !typed);
                    }
                }
            }
        }
        self.out.push('>');
    }

    fn int_attr(&mut self, value: i128, ty: TypeId, short: bool) {
        match self.ir[ty] {
            Type::Integer { width: 1, sign: Sign::Signless } => {
                self.out.push_str(if value != 0 { "true" } else { "false" });
            }
            Type::Integer { width: 64, sign: Sign::Signless } if short => {
                let _ = write!(self.out, "{value}");
            }
            _ => {
                let _ = write!(self.out, "{value} : ");
                self.ty(ty);
            }
        }
    }

    /// The digits of a float of this type, as MLIR chooses them.
    pub fn float(&mut self, value: f64, ty: TypeId) {
        if let Type::Float(kind) = self.ir[ty] {
            digits::float(&mut self.out, kind, value);
        }
    }
}
