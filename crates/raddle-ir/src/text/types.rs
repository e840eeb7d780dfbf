//! Reading types and affine maps.

use raddle_layout::sort::sort_by;

use super::attrs::is_known_dialect;
use super::lexer::{self, Kind};
use super::parser::{Operand, Parser, Res};
use crate::affine::{BinOp, Expr, Map};
use crate::attrs::{Attr, Set};
use crate::codes::Code;
use crate::diag::{Diag, Span};
use crate::ids::{AttrId, TypeId};
use crate::types::{DYNAMIC, Float, Sign, Type};
use crate::views::Fragment;

/// No integer type of MLIR is wider.
const WIDTH_MAX: u32 = (1 << 24) - 1;

/// How deep the brackets of a type may nest that is looked up by its spelling: finding the end of each type in a deep one
/// would take time with the square of its depth.
const SPELLED_DEPTH: u32 = 4;

/// Operators of one affine map.
const TERMS_MAX: u32 = 512;

/// What element types are called elsewhere, and in MLIR.
const FOREIGN_TYPES: &[(&[&str], &str)] = &[
    (&["fp16", "float16", "half"], "f16"),
    (&["bfloat16"], "bf16"),
    (&["fp32", "float32", "float"], "f32"),
    (&["fp64", "float64", "double"], "f64"),
    (&["bool"], "i1"),
    (&["int8", "s8"], "i8"),
    (&["int16", "s16"], "i16"),
    (&["int", "int32", "s32"], "i32"),
    (&["int64", "s64"], "i64"),
    (&["uint8", "u8"], "ui8"),
    (&["uint16", "u16"], "ui16"),
    (&["uint32", "u32"], "ui32"),
    (&["uint64", "u64"], "ui64"),
];

impl<'a> Parser<'a, '_> {
    /// A type.
    pub fn ty(&mut self) -> Res<TypeId> {
        match self.try_type()? {
            Some(ty) => Ok(ty),
            None => {
                let mut diag = self.missing("non-function type");
                let word = self.text(self.tok);
                if let Some((.., name)) = FOREIGN_TYPES.iter().find(|(names, _)| names.contains(&word)) {
                    diag.help = Some(format!("MLIR calls it `{name}`"));
                }
                Err(diag)
            }
        }
    }

    /// A type, if one starts here.
    pub fn try_type(&mut self) -> Res<Option<TypeId>> {
        // Inside parameters, words may stand where they may not elsewhere.
        let spelling = if self.in_fields == 0 { self.spelling() } else { None };
        let Some(spelling) = spelling else { return self.type_from_parts() };
        let end = self.tok.start + spelling.len();
        if let Some(&ty) = self.spelled_types.get(spelling) {
            self.seek(end);
            return Ok(Some(ty));
        }
        let ty = self.type_from_parts()?;
        if let Some(ty) = ty
            && self.last_end == end
        {
            self.spelled_types.insert(spelling, ty);
        }
        Ok(ty)
    }

    /// The text of the type that starts here, if it is a word or a word with simple text in `<…>`.
    fn spelling(&self) -> Option<&'a str> {
        let tok = self.tok;
        if tok.kind != Kind::Word {
            return None;
        }
        let src = self.src.as_bytes();
        let mut at = tok.end;
        let mut depth = 0;
        loop {
            match src.get(at) {
                Some(b'<') if depth == SPELLED_DEPTH => return None,
                Some(b'<') => depth += 1,
                _ if depth == 0 => break,
                Some(b'>') => depth -= 1,
                // Arrows hold a bracket, strings and comments any.
                None | Some(b'-' | b'"' | b'/' | b'\n') => return None,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                break;
            }
        }
        Some(&self.src[tok.start..at])
    }

    fn type_from_parts(&mut self) -> Res<Option<TypeId>> {
        let tok = self.tok;
        match tok.kind {
            Kind::Punct(b'(') => self.nested(|p| {
                let inputs = p.list(b'(', b')', Parser::ty)?;
                p.expect_kind(Kind::Arrow, "`->`")?;
                let results = p.result_types()?;
                Ok(Some(p.function_type(inputs, results)))
            }),
            Kind::Bang => self.dialect_type().map(Some),
            Kind::Word => {
                let word = self.text(tok);
                let shaped: Option<fn(&mut Self) -> Res<Type>> = match word {
                    "vector" => Some(Parser::vector_type),
                    "tensor" => Some(Parser::tensor_type),
                    "memref" => Some(Parser::memref_type),
                    "complex" => Some(|p| {
                        p.expect(b'<')?;
                        let span = p.tok.span();
                        let elem = p.ty()?;
                        if !matches!(p.ir[elem], Type::Float(_) | Type::Integer { .. }) {
                            return Err(p.error(span, "invalid element type for complex: it is an integer or a float"));
                        }
                        p.expect(b'>')?;
                        Ok(Type::Complex(elem))
                    }),
                    "tuple" => Some(|p| Ok(Type::Tuple(p.list(b'<', b'>', Parser::ty)?))),
                    _ => None,
                };
                if let Some(read) = shaped {
                    // A word of this name that no `<` follows is something else.
                    let bytes = self.src.as_bytes();
                    if bytes.get(lexer::skip_space(bytes, tok.end)) != Some(&b'<') {
                        return Ok(None);
                    }
                    self.bump();
                    let ty = self.nested(read)?;
                    return Ok(Some(self.ir.intern_type(ty)));
                }
                let Some(ty) = self.scalar_type(word, tok.span())? else { return Ok(None) };
                self.bump();
                Ok(Some(self.ir.intern_type(ty)))
            }
            _ => Ok(None),
        }
    }

    fn scalar_type(&self, word: &str, span: Span) -> Res<Option<Type>> {
        if word == "index" {
            return Ok(Some(Type::Index));
        }
        if word == "none" {
            return Ok(Some(Type::None));
        }
        let (digits, sign) = if let Some(rest) = word.strip_prefix("si") {
            (rest, Sign::Signed)
        } else if let Some(rest) = word.strip_prefix("ui") {
            (rest, Sign::Unsigned)
        } else if let Some(rest) = word.strip_prefix('i') {
            (rest, Sign::Signless)
        } else {
            let found = Float::ALL.iter().find(|row| row.1 == word);
            return Ok(found.map(|row| Type::Float(row.0)));
        };
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Ok(None);
        }
        match digits.parse::<u32>() {
            Ok(width @ 0..=WIDTH_MAX) => Ok(Some(Type::Integer { width, sign })),
            _ => {
                Err(self.error(span, format!("invalid integer width: integer bitwidth is limited to {WIDTH_MAX} bits")))
            }
        }
    }

    /// `!alias`, `!dialect.name<…>`: the second kind is kept as text.
    fn dialect_type(&mut self) -> Res<TypeId> {
        let tok = self.bump();
        let name = &self.text(tok)[1..];
        if name.is_empty() {
            return Err(self.error(tok.span(), "invalid type identifier: expected a name behind `!`"));
        }
        let bracket = self.at(b'<') && self.tok.start == tok.end;
        if !name.contains('.') && !bracket {
            return match self.type_aliases.get(name) {
                Some(&ty) => Ok(ty),
                None => Err(self.unknown_alias('!', name, tok.span())),
            };
        }
        let mut text = name.to_owned();
        if bracket {
            let end = self.balanced(name, tok.end)?;
            self.seek(end);
            let inner = self.text_between(name, tok.end + 1, end - 1)?;
            // `!dialect<name<…>>` is `!dialect.name<…>`.
            text = if !name.contains('.') && super::named::is_plain(&inner) {
                format!("{name}.{inner}")
            } else {
                format!("{name}<{inner}>")
            };
        }
        self.opaque_type(&text, tok.span())
    }

    /// A type of a dialect, as text, unless something is wrong with the parameters that are looked at.
    pub fn opaque_type(&mut self, text: &str, span: Span) -> Res<TypeId> {
        // What was read before is fine.
        let known = self.ir.find_str(text).and_then(|text| self.ir.find_type(&Type::Dialect(text)));
        if let Some(ty) = known {
            return Ok(ty);
        }
        if let Some(inner) = text.strip_prefix("llvm.") {
            if let Some(message) = super::llvm::misfit(inner, &mut self.structs) {
                return Err(self.error(span, message));
            }
            let text = self.ir.intern_str(&format!("llvm.{}", super::llvm::spelled(inner)));
            return Ok(self.ir.intern_type(Type::Dialect(text)));
        }
        match odd_parameters(text) {
            Some(why) => Err(self.error(span, why)),
            None => {
                let text = self.ir.intern_str(text);
                Ok(self.ir.intern_type(Type::Dialect(text)))
            }
        }
    }

    /// `<…>` of a dialect's type whose name goes without saying.
    pub fn type_of_name(&mut self, name: &str) -> Res<TypeId> {
        let (start, end) = (self.tok.start, self.balanced(name, self.tok.start)?);
        self.seek(end);
        let text = self.text_between(name, start, end)?;
        self.opaque_type(&format!("{name}{text}"), Span::new(start, end))
    }

    pub fn unknown_alias(&self, sigil: char, name: &str, span: Span) -> Box<Diag> {
        let mut diag = Diag::error(Code::Name, span, format!("undefined symbol alias id '{name}'"));
        let near = if sigil == '#' {
            super::suggest(name, sorted(self.attr_aliases.keys().copied()))
        } else {
            super::suggest(name, sorted(self.type_aliases.keys().copied()))
        };
        if let Some(near) = near {
            diag = diag.help(format!("did you mean `{sigil}{near}`?"));
        }
        Box::new(diag)
    }

    /// The end of the bracketed text of an attribute or type of this name, whose opening bracket is at byte `open`.
    pub fn balanced(&self, name: &str, open: usize) -> Res<usize> {
        let comments = is_known_dialect(name);
        let src = self.src.as_bytes();
        let mut stack: Vec<u8> = Vec::new();
        let mut at = open;
        while at < src.len() {
            let byte = src[at];
            let close = match byte {
                b'<' => Some(b'>'),
                b'(' => Some(b')'),
                b'[' => Some(b']'),
                b'{' => Some(b'}'),
                _ => None,
            };
            if let Some(close) = close {
                stack.push(close);
            } else if comments && byte == b'/' && src.get(at + 1) == Some(&b'/') {
                at = lexer::skip_space(src, at);
                continue;
            } else if byte == b'-' && src.get(at + 1) == Some(&b'>') {
                at += 1;
            } else if byte == b'"' {
                let tok = lexer::next(src, at);
                if tok.kind != Kind::Str {
                    return Err(self.error(tok.span(), "expected the end of a string"));
                }
                at = tok.end;
                continue;
            } else if matches!(byte, b'>' | b')' | b']' | b'}') {
                let wanted = stack.pop();
                if wanted != Some(byte) {
                    let open = match wanted {
                        Some(b')') => '(',
                        Some(b']') => '[',
                        Some(b'}') => '{',
                        _ => '<',
                    };
                    let message = format!(
                        "unbalanced `{open}` character in pretty dialect name, which `{}` does not close",
                        byte as char
                    );
                    return Err(self.error(Span::new(at, at + 1), message));
                }
                if stack.is_empty() {
                    return Ok(at + 1);
                }
            }
            at += 1;
        }
        Err(self.error(Span::new(open, open + 1), "this bracket is not closed"))
    }

    /// `4x?x[8]x`: the extents in front of an element type, read byte by byte, as `x` belongs to no word here. Spaces may
    /// stand on both sides of it.
    fn extents(&mut self, dynamic: bool, scalable: bool) -> Res<(Vec<i64>, Vec<bool>)> {
        let src = self.src.as_bytes();
        let mut at = self.tok.start;
        let (mut shape, mut marks) = (Vec::new(), Vec::new());
        loop {
            at = lexer::skip_space(src, at);
            let open = scalable && src.get(at) == Some(&b'[');
            let first = if open { lexer::skip_space(src, at + 1) } else { at };
            let mut end = first;
            let extent = if src.get(first) == Some(&b'?') {
                if !dynamic {
                    return Err(self.error(
                        Span::new(first, first + 1),
                        "expected static shape, as a vector has no dynamic extents",
                    ));
                }
                end += 1;
                DYNAMIC
            } else {
                while src.get(end).is_some_and(u8::is_ascii_digit) {
                    end += 1;
                }
                if end == first {
                    if open {
                        return Err(self.error(Span::new(at, at + 1), "expected an extent behind `[`"));
                    }
                    break;
                }
                self.src[first..end].parse::<i64>().map_err(|_| {
                    self.error(Span::new(first, end), "invalid dimension: the extent does not fit 64 bits")
                })?
            };
            end = lexer::skip_space(src, end);
            if open {
                if src.get(end) != Some(&b']') {
                    return Err(self.error(Span::new(end, end), "missing `]` closing scalable dimension"));
                }
                end = lexer::skip_space(src, end + 1);
            }
            if src.get(end) != Some(&b'x') {
                self.seek(end);
                return Err(self.expected("`x` in dimension list, and the next extent or the element type"));
            }
            shape.push(extent);
            marks.push(open);
            at = end + 1;
        }
        self.seek(at);
        if marks.iter().all(|mark| !mark) {
            marks.clear();
        }
        Ok((shape, marks))
    }

    /// `16x16x16` as in `amdgpu.mfma 16x16x16`.
    pub fn dimension_list(&mut self) -> Res<Vec<i64>> {
        let start = self.tok.start;
        let rest = &self.src[start..];
        let len = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b'x').count();
        let list: Option<Vec<i64>> = rest[..len].split('x').map(|part| part.parse().ok()).collect();
        match list {
            Some(list) => {
                self.seek(start + len);
                Ok(list)
            }
            None => Err(self.expected("extents such as `16x16x16`")),
        }
    }

    fn vector_type(&mut self) -> Res<Type> {
        self.expect(b'<')?;
        let (shape, scalable) = self.extents(false, true)?;
        let span = self.tok.span();
        if shape.contains(&0) {
            let extents = shape.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
            let message = format!("vector types must have positive constant sizes but got {extents}");
            return Err(self.error(span, message));
        }
        let elem = self.elem_type("vector", is_scalar)?;
        self.expect(b'>')?;
        Ok(Type::Vector { shape, scalable, elem })
    }

    /// The element type of a container, which is named in the message.
    fn elem_type(&mut self, container: &str, fits: fn(&Type) -> bool) -> Res<TypeId> {
        let span = self.tok.span();
        let ty = self.ty()?;
        if fits(&self.ir[ty]) {
            return Ok(ty);
        }
        let text = super::print_type(self.ir, ty);
        let mut message = format!("invalid {container} element type: {container}s hold no `{text}`");
        if container == "vector" {
            message += " (failed to verify 'elementType': VectorElementTypeInterface instance)";
        }
        Err(self.error(span, message))
    }

    fn tensor_type(&mut self) -> Res<Type> {
        self.expect(b'<')?;
        if self.at(b'*') {
            let elem = self.unranked("tensor", is_tensor_elem)?;
            self.expect(b'>')?;
            return Ok(Type::UnrankedTensor(elem));
        }
        let (shape, _) = self.extents(true, false)?;
        let elem = self.elem_type("tensor", is_tensor_elem)?;
        let mut encoding = None;
        if self.eat(b',') {
            let span = self.tok.span();
            let attr = self.attr()?;
            self.check_layout(attr, shape.len(), elem, span)?;
            encoding = Some(attr);
        }
        self.expect(b'>')?;
        Ok(Type::Tensor { shape, elem, encoding })
    }

    /// `*xf32`
    fn unranked(&mut self, container: &str, fits: fn(&Type) -> bool) -> Res<TypeId> {
        let star = self.bump();
        if !self.text(self.tok).starts_with('x') {
            return Err(self.error(star.span(), "expected `x` in dimension list, and the element type, behind `*`"));
        }
        self.seek(self.tok.start + 1);
        self.elem_type(container, fits)
    }

    fn memref_type(&mut self) -> Res<Type> {
        self.expect(b'<')?;
        if self.at(b'*') {
            let elem = self.unranked("memref", is_memref_elem)?;
            let mut space = None;
            if self.eat(b',') {
                let span = self.tok.span();
                let attr = self.attr()?;
                space = self.memory_space(attr, span)?;
            }
            self.expect(b'>')?;
            return Ok(Type::UnrankedMemRef { elem, space });
        }
        let (shape, _) = self.extents(true, false)?;
        let elem = self.elem_type("memref", is_memref_elem)?;
        let (mut layout, mut space) = (None, None);
        let mut has_space = false;
        while self.eat(b',') {
            let span = self.tok.span();
            let attr = self.attr()?;
            let is_layout = match &self.ir[attr] {
                Attr::Strided { .. } | Attr::Map(_) => true,
                Attr::Dialect { name, .. } => self.ir[*name] == *super::structs::RAGGED,
                _ => false,
            };
            if is_layout && layout.is_none() && !has_space {
                self.check_layout(attr, shape.len(), elem, span)?;
                layout = Some(attr);
            } else if !has_space {
                space = self.memory_space(attr, span)?;
                has_space = true;
            } else if is_layout {
                return Err(self.error(span, "expected memory space to be last in memref type"));
            } else {
                return Err(self.error(span, "multiple memory spaces specified in memref type: it has at most one"));
            }
        }
        self.expect(b'>')?;
        // The identity map is the same layout as none, whatever symbols it names.
        if layout.is_some_and(
            |attr| matches!(&self.ir[attr], Attr::Map(map) if Map { syms: 0, ..map.clone() }.is_identity()),
        ) {
            layout = None;
        }
        Ok(Type::MemRef { shape, elem, layout, space })
    }

    /// A memory space; 0 is the default space, which nothing says as well.
    fn memory_space(&self, attr: AttrId, span: Span) -> Res<Option<AttrId>> {
        match self.ir[attr] {
            Attr::Int { value: 0, .. } | Attr::Bool(false) => Ok(None),
            Attr::Int { .. }
            | Attr::Wide { .. }
            | Attr::Bool(_)
            | Attr::Str(_)
            | Attr::Dict(_)
            | Attr::Dialect { .. } => Ok(Some(attr)),
            _ => Err(self.error(
                span,
                "unsupported memory space Attribute: it is an integer, a string, a dictionary, or a dialect's own",
            )),
        }
    }

    fn check_layout(&self, attr: AttrId, rank: usize, elem: TypeId, span: Span) -> Res<()> {
        let layout_rank = match &self.ir[attr] {
            Attr::Strided { strides, .. } => strides.len(),
            Attr::Map(map) => map.dims as usize,
            _ => rank,
        };
        if let Some(message) = super::structs::misfit(self.ir, attr, rank, elem) {
            return Err(Box::new(Diag::error(Code::BadAttribute, span, message)));
        }
        if layout_rank == rank {
            return Ok(());
        }
        Err(self.error(
            span,
            match self.ir[attr] {
                Attr::Map(_) => format!("memref layout mismatch between rank and affine map: {rank} != {layout_rank}"),
                _ => format!("expected the number of strides to match the rank: {layout_rank} for {rank}"),
            },
        ))
    }

    // ---- affine

    /// `(d0, d1)[s0] -> (d0 + s0, d1)`
    pub fn affine_map(&mut self) -> Res<Map> {
        self.terms = 0;
        let (dims, syms) = self.affine_names()?;
        self.expect_kind(Kind::Arrow, "`->`")?;
        let results = self.list(b'(', b')', |p| Ok(p.affine_expr(&dims, &syms)?.simplified()))?;
        Ok(Map { dims: dims.len() as u32, syms: syms.len() as u32, results })
    }

    /// `(d0)[s0] : (d0 - s0 >= 0)`
    pub fn affine_set(&mut self) -> Res<Set> {
        self.terms = 0;
        let (dims, syms) = self.affine_names()?;
        self.expect(b':')?;
        let mut constraints = self.list(b'(', b')', |p| {
            let lhs = p.affine_expr(&dims, &syms)?;
            let op = p.bump();
            let rhs = p.affine_expr(&dims, &syms)?;
            let minus = |a: Expr, b: Expr| Expr::binary(BinOp::Add, a, Expr::binary(BinOp::Mul, b, Expr::Const(-1)));
            match op.kind {
                Kind::Equals => Ok((minus(lhs, rhs).simplified(), true)),
                Kind::AtLeast => Ok((minus(lhs, rhs).simplified(), false)),
                Kind::AtMost => Ok((minus(rhs, lhs).simplified(), false)),
                _ => Err(p.error(op.span(), "expected `==`, `>=` or `<=`")),
            }
        })?;
        // What has no constraint holds always.
        if constraints.is_empty() {
            constraints.push((Expr::Const(0), true));
        }
        Ok(Set { dims: dims.len() as u32, syms: syms.len() as u32, constraints })
    }

    /// `[%i + 1, symbol(%n)]`: expressions whose dimensions are values, and these values.
    pub fn affine_of_values(&mut self) -> Res<(Map, Vec<Operand<'a>>)> {
        self.over_values(|p| p.list(b'[', b']', |p| Ok(p.affine_expr(&[], &[])?.simplified())))
    }

    /// `(%i + 1, max(%a, %b))`: such expressions in groups, and the size of each.
    pub fn affine_groups(&mut self, word: &str) -> Res<(Map, Vec<i64>, Vec<Operand<'a>>)> {
        let mut sizes = Vec::new();
        let (map, values) = self.over_values(|p| {
            let groups = p.list(b'(', b')', |p| {
                let expr = |p: &mut Self| Ok(p.affine_expr(&[], &[])?.simplified());
                let group = if p.eat_word(word) { p.list(b'(', b')', expr)? } else { vec![expr(p)?] };
                sizes.push(group.len() as i64);
                Ok(group)
            })?;
            Ok(groups.concat())
        })?;
        Ok((map, sizes, values))
    }

    fn over_values(&mut self, read: impl FnOnce(&mut Self) -> Res<Vec<Expr>>) -> Res<(Map, Vec<Operand<'a>>)> {
        self.terms = 0;
        self.affine_values = Some((Vec::new(), Vec::new()));
        let results = read(self);
        let (mut dims, syms) = self.affine_values.take().unwrap_or_default();
        let map = Map { dims: dims.len() as u32, syms: syms.len() as u32, results: results? };
        dims.extend(syms);
        Ok((map, dims))
    }

    /// The dimension or symbol that a value stands for.
    fn affine_value(&mut self, symbol: bool) -> Res<Expr> {
        let operand = self.operand()?;
        let Some((dims, syms)) = &mut self.affine_values else {
            return Err(self.error(operand.span, "no value stands in an affine map"));
        };
        let list = if symbol { syms } else { dims };
        let same = |other: &Operand<'a>| other.name == operand.name && other.number == operand.number;
        let at = list.iter().position(same).unwrap_or_else(|| {
            list.push(operand);
            list.len() - 1
        });
        Ok(if symbol { Expr::Sym(at as u32) } else { Expr::Dim(at as u32) })
    }

    /// `(d0, d1)[s0]`
    fn affine_names(&mut self) -> Res<(Vec<&'a str>, Vec<&'a str>)> {
        let dims = self.distinct_names(b'(', b')', &[])?;
        let syms = if self.at(b'[') { self.distinct_names(b'[', b']', &dims)? } else { Vec::new() };
        Ok((dims, syms))
    }

    /// Words in brackets, each of which is new.
    fn distinct_names(&mut self, open: u8, close: u8, known: &[&'a str]) -> Res<Vec<&'a str>> {
        let mut names: Vec<&'a str> = Vec::new();
        self.list(open, close, |p| {
            let span = p.tok.span();
            let name = p.word("bare identifier")?;
            if names.contains(&name) || known.contains(&name) {
                return Err(p.error(span, format!("redefinition of identifier '{name}'")));
            }
            names.push(name);
            Ok(())
        })?;
        Ok(names)
    }

    fn affine_expr(&mut self, dims: &[&'a str], syms: &[&'a str]) -> Res<Expr> {
        self.nested(|p| {
            let mut lhs = p.affine_term(dims, syms)?;
            loop {
                let negative = match p.tok.kind {
                    Kind::Punct(b'+') => false,
                    Kind::Punct(b'-') => true,
                    _ => return Ok(lhs),
                };
                p.count_term()?;
                p.bump();
                p.right_operand()?;
                let rhs = p.affine_term(dims, syms)?;
                let rhs = if negative { Expr::binary(BinOp::Mul, rhs, Expr::Const(-1)) } else { rhs };
                lhs = Expr::binary(BinOp::Add, lhs, rhs);
            }
        })
    }

    /// A long chain makes a deep tree, which everything that walks it pays for.
    fn count_term(&mut self) -> Res<()> {
        self.terms += 1;
        if self.terms > TERMS_MAX {
            let message = format!("the affine map has more than {TERMS_MAX} terms");
            return Err(Box::new(Diag::error(Code::TooDeep, self.tok.span(), message)));
        }
        Ok(())
    }

    fn affine_term(&mut self, dims: &[&'a str], syms: &[&'a str]) -> Res<Expr> {
        let mut lhs = self.affine_factor(dims, syms)?;
        loop {
            let op = match self.tok.kind {
                Kind::Punct(b'*') => BinOp::Mul,
                Kind::Word => match self.text(self.tok) {
                    "mod" => BinOp::Mod,
                    "floordiv" => BinOp::FloorDiv,
                    "ceildiv" => BinOp::CeilDiv,
                    _ => return Ok(lhs),
                },
                _ => return Ok(lhs),
            };
            self.count_term()?;
            let at = self.bump();
            self.right_operand()?;
            let rhs = self.affine_factor(dims, syms)?;
            let constant = |expr: &Expr| !expr.has_dim();
            let fine = constant(&rhs) || op == BinOp::Mul && constant(&lhs);
            if !fine {
                let what = match op {
                    BinOp::Mul => "at least one of the multiply operands".to_owned(),
                    _ => format!("right operand of {}", self.text(at)),
                };
                let message = format!("non-affine expression: {what} has to be either a constant or symbolic");
                return Err(self.error(at.span(), message));
            }
            lhs = Expr::binary(op, lhs, rhs);
        }
    }

    /// Refuses what ends an expression behind an operator.
    fn right_operand(&self) -> Res<()> {
        match self.tok.kind {
            Kind::Punct(b',' | b')' | b']') => {
                Err(self.expected("affine expression: missing right operand of binary op"))
            }
            _ => Ok(()),
        }
    }

    fn affine_factor(&mut self, dims: &[&'a str], syms: &[&'a str]) -> Res<Expr> {
        let tok = self.tok;
        match tok.kind {
            Kind::Punct(b'-') => self.nested(|p| {
                p.bump();
                Ok(Expr::binary(BinOp::Mul, p.affine_factor(dims, syms)?, Expr::Const(-1)))
            }),
            Kind::Punct(b'(') => self.nested(|p| {
                p.bump();
                if p.at(b')') {
                    return Err(p.expected("affine expression: no expression inside parentheses"));
                }
                let expr = p.affine_expr(dims, syms)?;
                p.expect(b')')?;
                Ok(expr)
            }),
            Kind::Int => Ok(Expr::Const(self.int("an integer")?)),
            Kind::Value if self.affine_values.is_some() => self.affine_value(false),
            Kind::Word if self.affine_values.is_some() && self.text(tok) == "symbol" => {
                self.bump();
                self.expect(b'(')?;
                let expr = self.affine_value(true)?;
                self.expect(b')')?;
                Ok(expr)
            }
            Kind::Word => {
                let word = self.text(tok);
                let find = |list: &[&str]| list.iter().position(|&name| name == word).map(|i| i as u32);
                let expr = match (find(dims), find(syms)) {
                    (Some(d), _) => Expr::Dim(d),
                    (None, Some(s)) => Expr::Sym(s),
                    (None, None) => {
                        let message =
                            format!("use of undeclared identifier: `{word}` is not a dimension or symbol of this map");
                        return Err(self.error(tok.span(), message));
                    }
                };
                self.bump();
                Ok(expr)
            }
            Kind::Punct(b'+' | b'*') => Err(self.expected("affine expression: missing left operand of binary op")),
            _ => Err(self.expected("affine expression")),
        }
    }
}

/// What is wrong with the parameters of a dialect's type, as far as anyone relies on them.
fn odd_parameters(text: &str) -> Option<String> {
    let (name, inside) = text.strip_suffix('>')?.split_once('<')?;
    match name {
        "gpu.mma_matrix" => {
            // Which elements there are is a matter of the machine.
            let (shape, _, operand) = Fragment::parts(inside)?;
            let why = if !["AOp", "BOp", "COp"].contains(&operand) {
                "operand expected to be one of AOp, BOp or COp"
            } else if shape.len() != 2 {
                "MMAMatrixType must have exactly two dimensions"
            } else {
                return None;
            };
            Some(why.to_owned())
        }
        "amdgpu.tdm_gather_base" => {
            let index = inside.split_once(',')?.1.trim();
            let fits = matches!(index, "i16" | "i32");
            (!fits).then(|| format!("index type must be i16 or i32 but index type is '{index}'."))
        }
        _ => None,
    }
}

/// In order, so that suggestions do not depend on hashing.
fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> impl Iterator<Item = &'a str> {
    let mut names: Vec<&str> = names.collect();
    sort_by(&mut names, Ord::cmp);
    names.into_iter()
}

fn is_scalar(ty: &Type) -> bool {
    matches!(ty, Type::Integer { .. } | Type::Index | Type::Float(_) | Type::Dialect(_))
}

fn is_tensor_elem(ty: &Type) -> bool {
    is_scalar(ty) || matches!(ty, Type::Complex(_) | Type::Vector { .. })
}

fn is_memref_elem(ty: &Type) -> bool {
    is_tensor_elem(ty) || matches!(ty, Type::MemRef { .. } | Type::UnrankedMemRef { .. })
}
