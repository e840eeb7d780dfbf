//! Locations: `loc("file":1:2)` and its other forms, read, printed, and made up from the text for what states none.

use super::lexer::{self, Kind};
use super::parser::{Parser, Res};
use super::printer::Printer;
use crate::attrs::{Attr, Loc};
use crate::codes::Code;
use crate::diag::{Diag, Span};
use crate::ids::{AttrId, OpId, ValueId};
use crate::ir::Ir;

/// A location that is named in front of its definition, which often stands at the end of the file.
pub(super) struct Forward<'a> {
    /// What the location belongs to.
    of: Span,
    /// The alias without the `#`.
    name: &'a str,
    at: Span,
}

impl<'a> Parser<'a, '_> {
    /// `loc(…)` behind what was written at `of`, or nothing.
    pub fn location(&mut self, of: Span) -> Res<()> {
        if !self.at_word("loc") {
            return Ok(());
        }
        self.bump();
        self.expect(b'(')?;
        let tok = self.tok;
        let name = if tok.kind == Kind::Hash { &self.text(tok)[1..] } else { "" };
        if name.is_empty() || name.contains('.') || self.attr_aliases.contains_key(name) {
            let attr = self.nested(Parser::location_body)?;
            self.ir.set_location(of, attr);
        } else {
            self.bump();
            self.forward_locations.push(Forward { of, name, at: tok.span() });
        }
        self.expect(b')')?;
        Ok(())
    }

    /// `loc(…)` as an attribute.
    pub fn location_attr(&mut self) -> Res<AttrId> {
        self.bump();
        self.expect(b'(')?;
        let attr = self.nested(Parser::location_body)?;
        self.expect(b')')?;
        Ok(attr)
    }

    /// Gives locations that were named in front of their definition what the names turned out to mean.
    pub fn resolve_locations(&mut self) -> Res<()> {
        for Forward { of, name, at } in std::mem::take(&mut self.forward_locations) {
            let Some(&attr) = self.attr_aliases.get(name) else { return Err(self.unknown_alias('#', name, at)) };
            self.check_location(attr, at)?;
            self.ir.set_location(of, attr);
        }
        Ok(())
    }

    fn check_location(&self, attr: AttrId, at: Span) -> Res<()> {
        if matches!(self.ir[attr], Attr::Loc(_)) {
            return Ok(());
        }
        Err(Box::new(Diag::error(Code::BadAttribute, at, "expected a location such as `loc(\"file.mlir\":1:2)`")))
    }

    /// What stands between the brackets.
    fn location_body(&mut self) -> Res<AttrId> {
        let tok = self.tok;
        let loc = match tok.kind {
            Kind::Str => self.named_location()?,
            Kind::Hash => {
                let attr = self.attr()?;
                self.check_location(attr, tok.span())?;
                return Ok(attr);
            }
            Kind::Word => match self.text(tok) {
                "unknown" => {
                    self.bump();
                    Loc::Unknown
                }
                "callsite" => {
                    self.bump();
                    self.expect(b'(')?;
                    let callee = self.nested(Parser::location_body)?;
                    self.expect_word("at")?;
                    let caller = self.nested(Parser::location_body)?;
                    self.expect(b')')?;
                    Loc::Call { callee, caller }
                }
                "fused" => {
                    self.bump();
                    let mut metadata = None;
                    if self.eat(b'<') {
                        metadata = Some(self.attr()?);
                        self.expect(b'>')?;
                    }
                    let parts = self.list(b'[', b']', |p| p.nested(Parser::location_body))?;
                    return Ok(self.fused(metadata, &parts));
                }
                _ => return Err(self.expected("location instance")),
            },
            _ => return Err(self.expected("location instance")),
        };
        Ok(self.ir.intern(Attr::Loc(loc)))
    }

    /// `"name"`, `"name"(child)`, `"file":1:2`, `"file":1:2 to 3:4`
    fn named_location(&mut self) -> Res<Loc> {
        let tok = self.bump();
        let name = lexer::unescape(self.text(tok));
        let name = self.ir.intern_str(&name);
        if self.eat(b'(') {
            let child = self.nested(Parser::location_body)?;
            self.expect(b')')?;
            return Ok(Loc::Name { name, child });
        }
        if !self.eat(b':') {
            let child = self.ir.intern(Attr::Loc(Loc::Unknown));
            return Ok(Loc::Name { name, child });
        }
        let start = self.line_and_column()?;
        let mut end = start;
        if self.eat_word("to") {
            end = if self.eat(b':') { (start.0, self.small("a column")?) } else { self.line_and_column()? };
        }
        Ok(Loc::File { name, start, end })
    }

    /// `3:4`, or `3` alone.
    fn line_and_column(&mut self) -> Res<(u32, u32)> {
        let line = self.small("a line")?;
        let column = if self.eat(b':') { self.small("a column")? } else { 0 };
        Ok((line, column))
    }

    fn small(&mut self, what: &str) -> Res<u32> {
        let span = self.tok.span();
        let number = self.int(what)?;
        u32::try_from(number).map_err(|_| self.error(span, format!("{what} is a number of 32 bits")))
    }

    /// Several locations as one: what is unknown or said twice adds nothing.
    fn fused(&mut self, metadata: Option<AttrId>, given: &[AttrId]) -> AttrId {
        let mut parts: Vec<AttrId> = Vec::new();
        for &attr in given {
            let inner = match &self.ir[attr] {
                Attr::Loc(Loc::Unknown) => &[][..],
                Attr::Loc(Loc::Fused { metadata: other, parts }) if *other == metadata => parts,
                _ => &[attr],
            };
            for &part in inner {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
        let loc = match (&parts[..], metadata) {
            ([], None) => Loc::Unknown,
            (&[only], None) => return only,
            ([], Some(_)) => Loc::Fused { metadata, parts: vec![self.ir.intern(Attr::Loc(Loc::Unknown))] },
            _ => Loc::Fused { metadata, parts },
        };
        self.ir.intern(Attr::Loc(loc))
    }
}

impl Printer<'_> {
    /// ` loc(…)` of an operation.
    pub fn trailing_location(&mut self, op: OpId) {
        let Some(attr) = self.ir.location(self.ir.span(op)) else { return self.out.push_str(" loc(unknown)") };
        self.out.push_str(" loc(");
        self.behind = true;
        self.location_or_alias(attr);
        self.behind = false;
        self.out.push(')');
    }

    /// The same of an argument of a block, where locations are printed. The outermost location is spelled out.
    pub fn location_of_arg(&mut self, arg: ValueId) {
        if !self.prints_locations() {
            return;
        }
        let attr = self.ir.arg_span(arg).and_then(|span| self.ir.location(span));
        let Some(attr) = attr else { return self.out.push_str(" loc(unknown)") };
        self.visit(attr);
        self.out.push_str(" loc(");
        self.location_body(attr);
        self.out.push(')');
    }

    /// What stands between the brackets of `loc(…)`.
    pub fn location_body(&mut self, attr: AttrId) {
        let ir = self.ir;
        let Attr::Loc(loc) = &ir[attr] else { return self.attr(attr) };
        match loc {
            Loc::Unknown => self.out.push_str("unknown"),
            &Loc::File { name, start, end } => {
                self.escaped(&ir[name]);
                self.out.push_str(&format!(":{}:{}", start.0, start.1));
                if end.0 != start.0 {
                    self.out.push_str(&format!(" to {}:{}", end.0, end.1));
                } else if end != start {
                    self.out.push_str(&format!(" to :{}", end.1));
                }
            }
            &Loc::Name { name, child } => {
                self.escaped(&ir[name]);
                if ir[child] != Attr::Loc(Loc::Unknown) {
                    self.out.push('(');
                    self.location_or_alias(child);
                    self.out.push(')');
                }
            }
            &Loc::Call { callee, caller } => {
                self.out.push_str("callsite(");
                self.location_or_alias(callee);
                self.out.push_str(" at ");
                self.location_or_alias(caller);
                self.out.push(')');
            }
            Loc::Fused { metadata, parts } => {
                self.out.push_str("fused");
                if let Some(metadata) = metadata {
                    self.out.push('<');
                    self.attr(*metadata);
                    self.out.push('>');
                }
                self.out.push('[');
                for (i, &part) in parts.iter().enumerate() {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.location_or_alias(part);
                }
                self.out.push(']');
            }
        }
    }
}

/// Gives each operation and each argument that states no location its place in the text that it was read from:
/// `file` is its name in print, and columns count bytes from 1.
///
/// What a pass makes has the place of what it stands for.
pub fn locate(ir: &mut Ir, file: &str, text: &str) {
    let lines: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let name = ir.intern_str(file);
    let mut spans: Vec<(Span, usize)> = Vec::new();
    let module = ir.module();
    for op in std::iter::once(module).chain(ir.walk(module)) {
        let span = ir.span(op);
        spans.push((span, name_start(text, span)));
        for &region in ir.regions(op) {
            for &arg in ir.blocks(region).iter().flat_map(|&block| ir.args(block)) {
                spans.extend(ir.arg_span(arg).map(|span| (span, span.start as usize)));
            }
        }
    }
    for (span, start) in spans {
        if ir.location(span).is_some() {
            continue;
        }
        let mut at = (0, 0);
        // A module that no text spells starts nowhere.
        if span != Span::default() {
            let line = lines.partition_point(|&line| line <= start);
            at = (line as u32, (start - lines[line - 1] + 1) as u32);
        }
        let attr = ir.intern(Attr::Loc(Loc::File { name, start: at, end: at }));
        ir.set_location(span, attr);
    }
}

/// Where the name of an operation starts: behind the names of its results.
fn name_start(text: &str, span: Span) -> usize {
    let bytes = text.as_bytes();
    let start = span.start as usize;
    if bytes.get(start) != Some(&b'%') {
        return start;
    }
    let mut tok = lexer::next(bytes, start);
    while !matches!(tok.kind, Kind::Punct(b'=') | Kind::Eof) {
        tok = lexer::next(bytes, tok.end);
    }
    lexer::skip_space(bytes, tok.end).min(text.len())
}
