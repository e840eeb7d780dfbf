//! Elements: `dense<…>` of numbers and of strings, `sparse<…>`, `dense_resource<…>`, read and printed.

use super::attrs::Literal;
use super::lexer::{self, Kind, Token};
use super::parser::{Parser, Res};
use super::printer::Printer;
use crate::attrs::{Attr, Body};
use crate::codes::Code;
use crate::diag::{Diag, Span};
use crate::float;
use crate::ids::{AttrId, OpId, TypeId};
use crate::ir::Ir;
use crate::types::{Sign, Type};
use crate::views::wide_int;

/// Longer lists are printed as their bytes, as MLIR does.
const LISTED_MAX: u64 = 100;

/// Bytes of the elements of one list, if these are longer than a number usually is: short texts must not take much
/// memory.
const LISTED_BYTES_MAX: usize = 1 << 26;
const SCALAR_BYTES: usize = 16;

/// Bits of an element that is spelled by its bytes, as it may be printed as a decimal.
const RAW_BITS_MAX: u32 = 64_000;

/// The names under which memory keeps elements that are not numbers, each with its parts and its type.
pub(crate) const RESOURCE: &str = "builtin.dense_resource";
/// An attribute of a dialect that states its type.
pub(crate) const TYPED: &str = "builtin.typed";
const STRINGS: &str = "builtin.dense_string";
const SPARSE: &str = "builtin.sparse";

/// What stands in `dense<…>`.
#[derive(Default)]
struct Listed {
    /// The extents of the brackets; empty for one element.
    shape: Vec<usize>,
    literals: Vec<Literal>,
    /// How many of the literals stand alone, not in a pair.
    alone: usize,
    /// `"0x…"`
    raw: Option<Token>,
}

/// How the bytes of an element type are laid out.
struct Layout {
    /// The type of a number: the element, or a part of a complex one.
    scalar: TypeId,
    scalar_bytes: usize,
    /// Numbers in an element.
    parts: usize,
}

impl Layout {
    fn of(ir: &Ir, elem: TypeId) -> Option<Layout> {
        let (scalar, parts) = match &ir[elem] {
            Type::Complex(part) => (*part, 2),
            _ => (elem, 1),
        };
        let scalar_bytes = match &ir[scalar] {
            // What has no bits takes a byte, as what has one does.
            Type::Integer { width, .. } => (*width).max(1).div_ceil(8) as usize,
            Type::Index => 8,
            Type::Float(float) => float.bits().div_ceil(8) as usize,
            _ => return None,
        };
        Some(Layout { scalar, scalar_bytes, parts })
    }

    fn bytes(&self) -> usize {
        self.scalar_bytes * self.parts
    }
}

impl Parser<'_, '_> {
    /// `dense<…> : type`
    pub fn dense_attr(&mut self) -> Res<AttrId> {
        let start = self.bump().start;
        self.expect(b'<')?;
        let listed = self.listed()?;
        self.expect(b'>')?;
        let ty = match self.implied_type {
            Some(ty) if !self.at(b':') => ty,
            _ => {
                self.expect(b':')?;
                self.ty()?
            }
        };
        let span = Span::new(start, self.tok.start);
        let attr = self.elements(&listed, ty, span)?;
        Ok(self.ir.intern(attr))
    }

    /// `sparse<indices, values> : type`: what is not listed is zero.
    pub fn sparse_attr(&mut self) -> Res<AttrId> {
        let start = self.bump().start;
        self.expect(b'<')?;
        let (indices, values) = if self.at(b'>') {
            (Listed::default(), Listed::default())
        } else {
            let indices = self.listed()?;
            self.expect(b',')?;
            (indices, self.listed()?)
        };
        // `[], []` says what nothing says.
        let or_none = |listed: Listed| if listed.shape == [0] { Listed::default() } else { listed };
        let (indices, values) = (or_none(indices), or_none(values));
        self.expect(b'>')?;
        self.expect(b':')?;
        let ty = self.ty()?;
        let span = Span::new(start, self.tok.start);
        let (extents, elem) = match &self.ir[ty] {
            Type::Vector { shape, elem, .. } | Type::Tensor { shape, elem, .. } => (shape.clone(), *elem),
            _ => return Err(self.error(span, "elements literal must be a shaped type: a vector or a ranked tensor")),
        };
        // One index, or one value, stands for a list of one.
        let n = indices.shape.first().copied().unwrap_or(usize::from(!indices.literals.is_empty()));
        let i64_ty = self.ir.int_type(64);
        let at_ty = self.ir.tensor_type(&[n as i64, extents.len() as i64], i64_ty);
        let of_ty = self.ir.tensor_type(&[n as i64], elem);
        let at = self.elements(&indices, at_ty, span)?;
        let of = self.elements(&values, of_ty, span)?;
        if let Attr::Dense { splat, bytes, .. } = &at {
            let numbers: Vec<i64> =
                bytes.chunks_exact(8).map(|b| b.iter().rev().fold(0, |n, &byte| n << 8 | i64::from(byte))).collect();
            // One number may stand for all.
            let numbers = if *splat { numbers.repeat(extents.len()) } else { numbers };
            let inside = |row: &[i64]| row.iter().zip(&extents).all(|(at, extent)| (0..*extent).contains(at));
            let outside = numbers.chunks(extents.len().max(1)).enumerate().find(|(_, row)| !inside(row));
            if let Some((i, row)) = outside {
                let ty = super::print_type(self.ir, ty);
                let message = format!(
                    "sparse index #{i} is not contained within the value shape, with index={row:?}, and type='{ty}'"
                );
                return Err(self.error(span, message));
            }
        }
        let (at, of, ty) = (self.ir.intern(at), self.ir.intern(of), self.ir.intern(Attr::Type(ty)));
        Ok(self.builtin(SPARSE, vec![at, of, ty]))
    }

    /// `dense_resource<key> : type`: the key stands for data that the file's metadata carries.
    pub fn resource_attr(&mut self) -> Res<AttrId> {
        self.bump();
        self.expect(b'<')?;
        let key = self.resource_key()?;
        self.expect(b'>')?;
        self.expect(b':')?;
        let span = self.tok.span();
        let ty = self.ty()?;
        if matches!(self.ir[ty], Type::Complex(_)) || self.ir[ty].elem().is_none() {
            return Err(self.error(span, "`dense_resource` expected a shaped type"));
        }
        let (key, ty) = (self.ir.intern(Attr::Str(key)), self.ir.intern(Attr::Type(ty)));
        Ok(self.builtin(RESOURCE, vec![key, ty]))
    }

    /// An attribute of a dialect with the type that it states.
    pub fn typed(&mut self, value: AttrId, ty: TypeId) -> AttrId {
        let ty = self.ir.intern(Attr::Type(ty));
        self.builtin(TYPED, vec![value, ty])
    }

    /// An attribute that only its name and parts tell apart.
    pub fn builtin(&mut self, name: &str, parts: Vec<AttrId>) -> AttrId {
        let (name, none) = (self.ir.intern_str(name), self.ir.intern_str(""));
        let fields = parts.into_iter().map(|part| (none, part)).collect();
        self.ir.intern(Attr::Dialect { name, body: Body::Fields(fields) })
    }

    fn listed(&mut self) -> Res<Listed> {
        let mut listed = Listed::default();
        let is_raw = self.tok.kind == Kind::Str && self.text(self.tok).starts_with("\"0x");
        match self.tok.kind {
            Kind::Punct(b'>') => {}
            Kind::Str if is_raw => listed.raw = Some(self.bump()),
            _ => self.list_into(0, &mut listed)?,
        }
        Ok(listed)
    }

    /// A literal, a `(re, im)` pair, or a bracketed list of these; every list of one depth has the same length.
    fn list_into(&mut self, depth: usize, out: &mut Listed) -> Res<()> {
        if self.eat(b'(') {
            out.literals.push(self.literal()?);
            self.expect(b',')?;
            out.literals.push(self.literal()?);
            self.expect(b')')?;
            return Ok(());
        }
        if !self.at(b'[') {
            let literal = if self.tok.kind == Kind::Str {
                Literal { tok: self.bump(), negative: false }
            } else {
                self.literal()?
            };
            out.literals.push(literal);
            out.alone += 1;
            return Ok(());
        }
        let open = self.tok.span();
        let fresh = out.shape.len() == depth;
        if fresh {
            out.shape.push(0);
        }
        let mut leaf = false;
        let items = self.list(b'[', b']', |p| {
            leaf |= !p.at(b'[');
            p.nested(|p| p.list_into(depth + 1, out))
        })?;
        let shape = &mut out.shape;
        if fresh && shape[depth] == 0 {
            shape[depth] = items.len();
        }
        if shape[depth] != items.len() || leaf && shape.len() > depth + 1 {
            return Err(self.error(open, "tensor literal is invalid; ranks are not consistent between elements"));
        }
        Ok(())
    }

    /// What is listed, as elements of a shaped type.
    fn elements(&mut self, listed: &Listed, ty: TypeId, span: Span) -> Res<Attr> {
        let Listed { shape, literals, alone, raw } = listed;
        let (extents, elem) = match &self.ir[ty] {
            Type::Vector { shape, elem, .. } | Type::Tensor { shape, elem, .. } => (shape.clone(), *elem),
            _ => return Err(self.error(span, "elements literal must be a shaped type: a vector or a ranked tensor")),
        };
        let count = extents.iter().try_fold(1usize, |n, &extent| n.checked_mul(usize::try_from(extent).ok()?));
        let Some(count) = count else {
            return Err(self.error(span, "elements literal type must have static shape of reasonable size"));
        };
        if !shape.is_empty() {
            let same = shape.len() == extents.len() && shape.iter().zip(&extents).all(|(&a, &b)| a as i64 == b);
            if !same {
                let message =
                    format!("inferred shape of elements literal ({shape:?}) does not match type ({extents:?})");
                return Err(Box::new(Diag::error(Code::TypeMismatch, span, message)));
            }
        }
        if let Some(text) = literals.iter().find(|literal| literal.tok.kind == Kind::Str) {
            if Layout::of(self.ir, elem).is_some() {
                let message = "expected string containing hex digits starting with `0x`";
                return Err(self.error(text.tok.span(), message));
            }
            return self.strings(literals, count, ty, span);
        }
        let Some(layout) = Layout::of(self.ir, elem) else {
            return Err(self.error(span, "dense elements are integers, floats, complex numbers, or strings"));
        };
        if layout.parts == 2 && *alone > 0 {
            return Err(self.error(span, "a complex number is a pair such as `(1.0, 0.0)`"));
        }
        if layout.scalar_bytes.saturating_mul(literals.len()) > LISTED_BYTES_MAX.max(SCALAR_BYTES * literals.len()) {
            return Err(self.error(span, format!("elements in a list take at most {LISTED_BYTES_MAX} bytes")));
        }
        let bytes = match *raw {
            Some(tok) => self.raw_bytes(tok, layout.scalar, count)?,
            None => {
                let mut bytes = Vec::with_capacity(literals.len() * layout.scalar_bytes);
                for &literal in literals {
                    let attr = self.literal_value(literal, layout.scalar)?;
                    bytes.extend(self.ir.elem_bytes(&attr));
                }
                bytes
            }
        };
        let size = layout.bytes();
        let found = bytes.len() / size;
        if !bytes.len().is_multiple_of(size)
            || found != count && found != 1
            || count == 0 && found != 0 && raw.is_some()
        {
            if raw.is_some() {
                let message = "elements hex data size is invalid for provided type";
                return Err(Box::new(Diag::error(Code::TypeMismatch, span, message)));
            }
            if found == 0 {
                let ty = super::print_type(self.ir, ty);
                let message = format!("parsed zero elements, but type ('{ty}') expected at least 1");
                return Err(Box::new(Diag::error(Code::TypeMismatch, span, message)));
            }
            return Err(self.miscounted(count, found, span));
        }
        Ok(dense(ty, size, bytes))
    }

    fn miscounted(&self, count: usize, found: usize, span: Span) -> Box<Diag> {
        let message = format!("the type has {count} elements, the literal {found}");
        Box::new(Diag::error(Code::TypeMismatch, span, message))
    }

    /// Elements of a dialect's own type, which it spells as strings.
    fn strings(&mut self, literals: &[Literal], count: usize, ty: TypeId, span: Span) -> Res<Attr> {
        if let Some(other) = literals.iter().find(|literal| literal.tok.kind != Kind::Str) {
            return Err(self.error(other.tok.span(), "expected a string, as the other elements are"));
        }
        let mut items = Vec::with_capacity(literals.len());
        for literal in literals {
            let text = lexer::unescape(self.text(literal.tok));
            items.push(self.ir.str_attr(&text));
        }
        if items.len() != count && items.len() != 1 {
            return Err(self.miscounted(count, items.len(), span));
        }
        if items.iter().all(|item| *item == items[0]) {
            items.truncate(1);
        }
        let (items, ty) = (self.ir.intern(Attr::Array(items)), self.ir.intern(Attr::Type(ty)));
        let (name, none) = (self.ir.intern_str(STRINGS), self.ir.intern_str(""));
        Ok(Attr::Dialect { name, body: Body::Fields(vec![(none, items), (none, ty)]) })
    }

    /// `"0x…"`: the bytes of all elements, little-endian, or of one. An `i1` takes a byte; older texts pack eight.
    fn raw_bytes(&self, tok: Token, scalar: TypeId, count: usize) -> Res<Vec<u8>> {
        let text = lexer::unescape(self.text(tok));
        let digit = |byte: u8| (byte as char).to_digit(16).map(|d| d as u8);
        let bytes: Option<Vec<u8>> =
            text.strip_prefix("0x").filter(|hex| hex.len().is_multiple_of(2)).and_then(|hex| {
                hex.as_bytes().chunks(2).map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
            });
        let Some(bytes) = bytes else {
            return Err(self.error(
                tok.span(),
                "expected string containing hex digits starting with `0x`, an even number of them",
            ));
        };
        if let Type::Integer { width: width @ RAW_BITS_MAX.., .. } = self.ir[scalar] {
            let mut elements = bytes.chunks(width.div_ceil(8) as usize);
            if elements.any(|bytes| wide_int(bytes, width, true).bits() > u64::from(RAW_BITS_MAX)) {
                let message = format!("an element has at most {RAW_BITS_MAX} bits that say something");
                return Err(self.error(tok.span(), message));
            }
        }
        Ok(stored(self.ir, scalar, bytes, count))
    }
}

/// Raw bytes of `count` elements as memory keeps them.
fn stored(ir: &Ir, scalar: TypeId, mut bytes: Vec<u8>, count: usize) -> Vec<u8> {
    match ir[scalar] {
        Type::Integer { width: 1, .. } => {
            if bytes.len() > 1 && bytes.len() != count && bytes.len() == count.div_ceil(8) {
                return (0..count).map(|i| bytes[i / 8] >> (i % 8) & 1).collect();
            }
            bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
        }
        // Bits beyond the width mean nothing, and would make equal elements differ.
        Type::Integer { width, .. } if width % 8 != 0 => {
            let size = width.div_ceil(8) as usize;
            bytes.iter_mut().skip(size - 1).step_by(size).for_each(|byte| *byte &= (1 << (width % 8)) - 1);
        }
        Type::Integer { width: 0, .. } => bytes = vec![0; count.min(1)],
        Type::Float(kind) if kind.bits() % 8 != 0 => {
            let size = kind.bits().div_ceil(8) as usize;
            bytes.iter_mut().skip(size - 1).step_by(size).for_each(|byte| *byte &= (1 << (kind.bits() % 8)) - 1);
        }
        _ => {}
    }
    bytes
}

/// Elements by their bytes. Equal ones are a splat however they are written, so that equal attributes compare equal.
fn dense(ty: TypeId, size: usize, mut bytes: Vec<u8>) -> Attr {
    let splat = !bytes.is_empty() && bytes.chunks(size).all(|chunk| chunk == &bytes[..size]);
    if splat {
        bytes.truncate(size);
    }
    Attr::Dense { ty, splat, bytes }
}

impl Ir {
    /// Replaces each `dense_resource<key>` that an operation holds by the data that the file's metadata has under the key;
    /// one without data stays. Refused where the data is not as long as the type says.
    pub fn take_resources(&mut self, op: OpId) -> Result<(), Diag> {
        for (name, attr) in self.attrs(op).to_vec() {
            let Attr::Dialect { name: kind, body: Body::Fields(fields) } = &self[attr] else { continue };
            let (true, &[(_, key), (_, ty)]) = (self[*kind] == *RESOURCE, &fields[..]) else { continue };
            let (Attr::Str(key), &Attr::Type(ty)) = (&self[key], &self[ty]) else { continue };
            let Some(section) = self.metadata().iter().find(|section| section.key == *key) else { continue };
            let Attr::Str(text) = self[section.value] else { continue };
            let Some(layout) = self[ty].elem().and_then(|elem| Layout::of(self, elem)) else { continue };
            let digit = |byte: u8| (byte as char).to_digit(16).unwrap_or(0) as u8;
            // `0x`, and in front of the data, in four bytes, to what it is aligned.
            let digits = self[text].as_bytes().get(10..).unwrap_or_default();
            let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect();
            let shape = self[ty].shape().unwrap_or_default();
            let count = shape.iter().try_fold(1usize, |n, &extent| n.checked_mul(usize::try_from(extent).ok()?));
            let length = bytes.len();
            let bytes = stored(self, layout.scalar, bytes, count.unwrap_or(0));
            if count.and_then(|n| n.checked_mul(layout.bytes())) != Some(bytes.len()) {
                let (key, ty) = (&self[*key], super::print_type(self, ty));
                let message =
                    format!("the resource `{key}` holds {length} bytes, which are not the elements of `{ty}`");
                return Err(Diag::error(Code::TypeMismatch, self.span(op), message)
                    .note("four bytes that say how it is aligned stand in front of the data"));
            }
            let (name, data) = (self[name].to_owned(), self.intern(dense(ty, layout.bytes(), bytes)));
            self.set_attr(op, &name, data);
        }
        Ok(())
    }
}

impl Printer<'_> {
    /// One number given by the bits of its type.
    pub fn element(&mut self, bits: u64, elem: TypeId) {
        let text = match self.ir[elem] {
            Type::Float(kind) => return super::digits::float(&mut self.out, kind, float::decode(kind, bits)),
            Type::Integer { width: 1, .. } => (if bits & 1 == 1 { "true" } else { "false" }).to_owned(),
            Type::Integer { width, sign } => {
                let shift = 64 - width.clamp(1, 64);
                match sign {
                    Sign::Unsigned => ((bits << shift) >> shift).to_string(),
                    Sign::Signless | Sign::Signed => (((bits << shift) as i64) >> shift).to_string(),
                }
            }
            _ => (bits as i64).to_string(),
        };
        self.out.push_str(&text);
    }

    /// One number given by its little-endian bytes.
    fn element_bytes(&mut self, bytes: &[u8], elem: TypeId) {
        match self.ir[elem] {
            Type::Integer { width: width @ 65.., sign } => {
                self.out.push_str(&wide_int(bytes, width, sign != Sign::Unsigned).to_string());
            }
            Type::Float(kind) if kind.bits() > 64 => {
                let bits = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u128::from(byte));
                super::digits::long(&mut self.out, kind, bits);
            }
            _ => self.element(bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)), elem),
        }
    }

    /// `dense<…>`, with its type where `typed`.
    pub fn dense(&mut self, ty: TypeId, splat: bool, bytes: &[u8], typed: bool) {
        let n_elements =
            self.ir[ty].shape().unwrap_or(&[]).iter().fold(1u64, |n, x| n.saturating_mul(x.unsigned_abs()));
        if !splat && self.options.elide_larger.is_some_and(|limit| n_elements > limit) {
            self.out.push_str("dense_resource<__elided__>");
        } else {
            self.out.push_str("dense<");
            self.elements(ty, splat, bytes);
            self.out.push('>');
        }
        if typed {
            self.out.push_str(" : ");
            self.ty(ty);
        }
    }

    fn elements(&mut self, ty: TypeId, splat: bool, bytes: &[u8]) {
        let ir = self.ir;
        let (shape, elem) = (ir[ty].shape().unwrap_or(&[]), ir[ty].elem().unwrap_or(ty));
        let Some(layout) = Layout::of(ir, elem) else { return };
        let n_elements = (bytes.len() / layout.bytes()) as u64;
        if !splat && n_elements > self.options.hex_larger.unwrap_or(LISTED_MAX) {
            self.out.push_str("\"0x");
            for byte in bytes {
                for digit in [byte >> 4, byte & 15] {
                    self.out.push(char::from(b"0123456789ABCDEF"[digit as usize]));
                }
            }
            self.out.push('"');
            return;
        }
        let mut items = bytes.chunks(layout.scalar_bytes);
        if splat {
            self.dense_element(&mut items, &layout);
        } else if !bytes.is_empty() {
            self.dense_list(shape, &mut items, &layout);
        }
    }

    fn dense_list<'b>(&mut self, shape: &[i64], items: &mut impl Iterator<Item = &'b [u8]>, layout: &Layout) {
        let Some((&extent, rest)) = shape.split_first() else { return self.dense_element(items, layout) };
        self.out.push('[');
        for i in 0..extent {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.dense_list(rest, items, layout);
        }
        self.out.push(']');
    }

    fn dense_element<'b>(&mut self, items: &mut impl Iterator<Item = &'b [u8]>, layout: &Layout) {
        if layout.parts == 1 {
            return self.element_bytes(items.next().unwrap_or(&[]), layout.scalar);
        }
        self.out.push('(');
        self.element_bytes(items.next().unwrap_or(&[]), layout.scalar);
        self.out.push(',');
        self.element_bytes(items.next().unwrap_or(&[]), layout.scalar);
        self.out.push(')');
    }

    /// Elements that are strings, or the one that they all are.
    fn string_elements(&mut self, items: AttrId, ty: AttrId) {
        let ir = self.ir;
        let (Attr::Array(items), Attr::Type(ty)) = (&ir[items], &ir[ty]) else { return };
        match items[..] {
            [one] => self.attr(one),
            _ => self.string_list(ir[*ty].shape().unwrap_or(&[]), &mut items.iter()),
        }
    }

    /// An attribute of the builtin dialect that memory keeps as a name and parts; false for any other name.
    pub fn builtin_attr(&mut self, name: &str, body: &Body) -> bool {
        let ir = self.ir;
        let Body::Fields(fields) = body else { return false };
        let parts: Vec<AttrId> = fields.iter().map(|field| field.1).collect();
        match (name, &parts[..]) {
            (RESOURCE, &[key, _]) => {
                let Attr::Str(key) = ir[key] else { return false };
                self.resources.insert(key);
                self.out.push_str("dense_resource<");
                self.resource_key(key);
                self.out.push('>');
            }
            (STRINGS, &[items, ty]) => {
                self.out.push_str("dense<");
                self.string_elements(items, ty);
                self.out.push('>');
            }
            (SPARSE, &[at, of, _]) => {
                self.out.push_str("sparse<");
                for (i, part) in [at, of].into_iter().enumerate() {
                    let Attr::Dense { ty, splat, bytes } = &ir[part] else {
                        self.out.push_str(", ");
                        if let Attr::Dialect { body: Body::Fields(fields), .. } = &ir[part]
                            && let &[(_, items), (_, ty)] = &fields[..]
                        {
                            self.string_elements(items, ty);
                        }
                        continue;
                    };
                    let count: i64 = ir[*ty].shape().unwrap_or(&[]).iter().product();
                    if count == 0 {
                        continue;
                    }
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.elements(*ty, *splat, bytes);
                }
                self.out.push('>');
            }
            (super::attrs::TYPED_STRING | TYPED, &[text, _]) => self.attr(text),
            _ => return false,
        }
        self.out.push_str(" : ");
        self.attr(parts[parts.len() - 1]);
        true
    }

    fn string_list<'b>(&mut self, shape: &[i64], items: &mut impl Iterator<Item = &'b AttrId>) {
        let Some((&extent, rest)) = shape.split_first() else {
            if let Some(&item) = items.next() {
                self.attr(item);
            }
            return;
        };
        self.out.push('[');
        for i in 0..extent {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.string_list(rest, items);
        }
        self.out.push(']');
    }
}
