//! The reader's core: tokens, names of values and blocks, operations, regions.
//!
//! Types and attributes are read in `types.rs` and `attrs.rs`, custom assembly in `format.rs` and `custom/`. The reader
//! makes operations while it reads, each as a shell that is filled once its text is complete.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::lexer::{self, Kind, Token};
use super::{ParseOptions, suggest, suggest_op};
use crate::attrs::Attr;
use crate::codes::Code;
use crate::diag::{Diag, Span};
use crate::form::{Inherent, Shape, Spelling};
use crate::ids::{AttrId, BlockId, OpId, RegionId, StrId, TypeId, ValueId};
use crate::ir::Ir;
use crate::ops::{self, OpInfo, Opcode};
use crate::types::Type;

/// What a reading function returns. A diagnostic is large and rare, so it is boxed.
pub(crate) type Res<T> = Result<T, Box<Diag>>;

/// How deep types, attributes, expressions and regions may nest.
const DEPTH_MAX: u32 = 256;

/// A use of a value that is not looked up yet: its type stands further on.
#[derive(Clone, Copy)]
pub(crate) struct Operand<'a> {
    /// With the `%`.
    pub name: &'a str,
    /// The number after `#`.
    pub number: u32,
    pub span: Span,
}

/// The parts of an operation while it is read.
#[derive(Default)]
pub(crate) struct Parts {
    pub operands: Vec<ValueId>,
    pub results: Vec<TypeId>,
    pub attrs: Vec<(StrId, AttrId)>,
    pub successors: Vec<BlockId>,
}

/// The name under which memory keeps what stands in `<{…}>` of an operation outside the table; no text can give it.
pub(super) const UNKNOWN_PROPERTIES: &str = "";

/// The dialects of what was once the standard dialect, whose operations went without its name.
const STANDARD_DIALECTS: &[&str] = &["func", "arith", "math", "scf", "cf", "memref"];

/// Dialects whose operations are all in the table, so that any other is a slip of the pen.
const COMPLETE_DIALECTS: &[&str] = &["arith", "builtin", "cf", "func", "index", "math", "scf", "ub"];

/// Errors of one file, until the reader gives up.
const ERRORS_MAX: usize = 20;

/// The values that one name stands for.
struct Named {
    first: ValueId,
    count: u32,
    span: Span,
}

/// A value that was used in front of its definition.
struct Forward<'a> {
    name: &'a str,
    number: u32,
    value: ValueId,
    span: Span,
    /// How many regions enclose the use.
    depth: usize,
}

/// The names of an operation that is isolated from above.
#[derive(Default)]
struct Scope<'a> {
    values: FxHashMap<&'a str, Named>,
    /// Names in order of definition, so that the end of a region forgets its own.
    defined: Vec<&'a str>,
    forwards: Vec<Forward<'a>>,
    /// Names whose regions have ended, for suggestions.
    forgotten: Vec<&'a str>,
}

/// The blocks of a region while it is read.
#[derive(Default)]
struct Labels<'a> {
    known: FxHashMap<&'a str, (BlockId, bool, Span)>,
}

pub(crate) struct Parser<'a, 'ir> {
    pub src: &'a str,
    pub tok: Token,
    /// The end of the last token that was consumed.
    pub last_end: usize,
    pub ir: &'ir mut Ir,
    pub options: ParseOptions,
    pub attr_aliases: FxHashMap<&'a str, AttrId>,
    pub type_aliases: FxHashMap<&'a str, TypeId>,
    /// Types that were read, by their spelling: most texts repeat a few.
    pub spelled_types: FxHashMap<&'a str, TypeId>,
    /// What structs of `llvm` that have names consist of.
    pub structs: super::llvm::Structs,
    depth: u32,
    /// Operators of the affine map that is being read.
    pub terms: u32,
    /// The values of the affine expressions that are being read, where these are made of values: dimensions, symbols.
    pub affine_values: Option<(Vec<Operand<'a>>, Vec<Operand<'a>>)>,
    /// The type that elements have where the text does not state it.
    pub implied_type: Option<TypeId>,
    /// How many attributes' parameters enclose this place.
    pub in_fields: u32,
    scopes: Vec<Scope<'a>>,
    labels: Vec<Labels<'a>>,
    /// The names of the results of the operations that are being read, with how many values each stands for.
    bound: Vec<(&'a str, Span, u32)>,
    /// Spare parts, so that an operation does not allocate its lists.
    spare: Vec<Parts>,
    pub spare_states: Vec<super::format::State<'a>>,
    /// What was wrong with functions that were left behind.
    errors: Vec<Diag>,
    /// Properties right behind the name of the operation that is being read.
    early: Vec<(StrId, AttrId)>,
    /// What each `distinct[…]` of the file wraps.
    pub distinct: FxHashMap<u32, AttrId>,
    pub forward_locations: Vec<super::location::Forward<'a>>,
}

impl<'a, 'ir> Parser<'a, 'ir> {
    pub fn new(src: &'a str, ir: &'ir mut Ir, options: ParseOptions) -> Parser<'a, 'ir> {
        Parser {
            src,
            tok: lexer::next(src.as_bytes(), 0),
            last_end: 0,
            ir,
            options,
            attr_aliases: FxHashMap::default(),
            type_aliases: FxHashMap::default(),
            spelled_types: FxHashMap::default(),
            structs: super::llvm::Structs::new(),
            depth: 0,
            terms: 0,
            affine_values: None,
            implied_type: None,
            in_fields: 0,
            scopes: vec![Scope::default()],
            labels: Vec::new(),
            bound: Vec::new(),
            spare: Vec::new(),
            spare_states: Vec::new(),
            errors: Vec::new(),
            early: Vec::new(),
            distinct: FxHashMap::default(),
            forward_locations: Vec::new(),
        }
    }

    // ---- tokens

    /// Moves on; returns the token that was current.
    pub fn bump(&mut self) -> Token {
        let tok = self.tok;
        self.seek(tok.end);
        tok
    }

    /// Continues at a byte.
    pub fn seek(&mut self, at: usize) {
        self.last_end = at;
        self.tok = lexer::next(self.src.as_bytes(), at);
    }

    pub fn text(&self, tok: Token) -> &'a str {
        &self.src[tok.start..tok.end]
    }

    /// Whether a word stands behind the current token.
    pub fn is_followed_by(&self, word: &str) -> bool {
        let rest = self.src[self.tok.end..].trim_start().strip_prefix(word);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.')))
    }

    pub fn at(&self, byte: u8) -> bool {
        self.tok.kind == Kind::Punct(byte)
    }

    pub fn at_word(&self, word: &str) -> bool {
        self.tok.kind == Kind::Word && self.text(self.tok) == word
    }

    pub fn eat(&mut self, byte: u8) -> bool {
        let found = self.at(byte);
        if found {
            self.bump();
        }
        found
    }

    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    pub fn eat_kind(&mut self, kind: Kind) -> bool {
        let found = self.tok.kind == kind;
        if found {
            self.bump();
        }
        found
    }

    pub fn expect(&mut self, byte: u8) -> Res<Token> {
        if self.at(byte) { Ok(self.bump()) } else { Err(self.missing(&format!("`{}`", byte as char))) }
    }

    pub fn expect_word(&mut self, word: &str) -> Res<Token> {
        if self.at_word(word) { Ok(self.bump()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    pub fn expect_kind(&mut self, kind: Kind, what: &str) -> Res<Token> {
        if self.tok.kind == kind {
            return Ok(self.bump());
        }
        // Words, names and numbers say something; the others only part what does.
        let parts = matches!(kind, Kind::Punct(_) | Kind::Arrow | Kind::Value | Kind::Block | Kind::Eof);
        Err(if parts { self.missing(what) } else { self.expected(what) })
    }

    /// Any word.
    pub fn word(&mut self, what: &str) -> Res<&'a str> {
        let tok = self.expect_kind(Kind::Word, what)?;
        Ok(self.text(tok))
    }

    // ---- errors

    /// The diagnostic for a token that does not fit.
    pub fn expected(&self, what: &str) -> Box<Diag> {
        let tok = self.tok;
        let text = self.text(tok);
        let found = match tok.kind {
            Kind::Eof => "the end of the text".to_owned(),
            Kind::Error if text.starts_with(['"', '@']) && text.contains('"') => "a string without an end".to_owned(),
            _ if text.len() > 40 => format!("`{}…`", text.chars().take(40).collect::<String>()),
            _ => format!("`{text}`"),
        };
        Box::new(
            Diag::error(Code::Syntax, tok.span(), format!("expected {what}, found {found}"))
                .label(format!("expected {what}")),
        )
    }

    /// The same for what the text lacks; where the token that was found starts a line, the place is the end of the line
    /// that should have gone on.
    pub fn missing(&self, what: &str) -> Box<Diag> {
        let mut diag = self.expected(what);
        let before = &self.src[..self.tok.start];
        let mut start = before.rfind('\n').map_or(0, |at| at + 1);
        if !before[start..].trim().is_empty() {
            return diag;
        }
        while start > 0 {
            let end = start - 1;
            start = before[..end].rfind('\n').map_or(0, |at| at + 1);
            let line = &before.as_bytes()[..end];
            let mut tok = lexer::next(line, start);
            let mut last = None;
            while tok.kind != Kind::Eof {
                last = Some(tok.end);
                tok = lexer::next(line, tok.end);
            }
            if let Some(end) = last {
                diag.span = Some(Span::new(end, end));
                break;
            }
        }
        diag
    }

    pub fn error(&self, span: Span, message: impl Into<String>) -> Box<Diag> {
        Box::new(Diag::error(Code::Syntax, span, message))
    }

    /// Runs `read` one level deeper.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.deeper()?;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn deeper(&mut self) -> Res<()> {
        if self.depth >= DEPTH_MAX {
            let message = format!("the text nests deeper than {DEPTH_MAX} levels");
            return Err(Box::new(Diag::error(Code::TooDeep, self.tok.span(), message).label("too deep here")));
        }
        self.depth += 1;
        Ok(())
    }

    // ---- lists

    /// `%a: T, %b: U` in brackets: arguments of a region to come.
    pub fn arguments(&mut self, open: u8, close: u8) -> Res<Vec<(Operand<'a>, TypeId)>> {
        self.list(open, close, |p| {
            let arg = p.operand()?;
            p.expect(b':')?;
            let ty = p.ty()?;
            p.location(arg.span)?;
            Ok((arg, ty))
        })
    }

    /// `open a, b close`, where `open` is current; nothing between the brackets is fine.
    pub fn list<T>(&mut self, open: u8, close: u8, mut item: impl FnMut(&mut Self) -> Res<T>) -> Res<Vec<T>> {
        let mut items = Vec::new();
        self.each_in(open, close, &mut |p| {
            items.push(item(p)?);
            Ok(())
        })?;
        Ok(items)
    }

    /// What [`Parser::list`] does between the items, once for all kinds of items.
    fn each_in(&mut self, open: u8, close: u8, item: &mut dyn FnMut(&mut Self) -> Res<()>) -> Res<()> {
        self.expect(open)?;
        if self.eat(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.eat(b',') {
                break;
            }
        }
        if !self.at(close) {
            return Err(self.missing(&format!("`,` or `{}`", close as char)));
        }
        self.bump();
        Ok(())
    }

    /// `a, b`: at least one.
    pub fn commas<T>(&mut self, mut item: impl FnMut(&mut Self) -> Res<T>) -> Res<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(b',') {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// A signed integer that fits 64 bits.
    pub fn int(&mut self, what: &str) -> Res<i64> {
        let start = self.tok.start;
        let negative = self.eat(b'-');
        let tok = self.expect_kind(Kind::Int, what)?;
        let value = self.int_value(tok)?;
        let value = if negative { -value } else { value };
        let span = Span::new(start, tok.end);
        i64::try_from(value).map_err(|_| self.error(span, "the integer does not fit 64 bits"))
    }

    /// The value of an integer token. Longer ones than any type holds are refused before they are converted.
    pub fn int_value(&self, tok: Token) -> Res<i128> {
        let text = self.text(tok);
        let (digits, radix) = match text.strip_prefix("0x") {
            Some(hex) => (hex, 16),
            None => (text, 10),
        };
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            return Ok(0);
        }
        if digits.len() > 40 {
            return Err(self.error(tok.span(), "the integer does not fit 64 bits"));
        }
        i128::from_str_radix(digits, radix).map_err(|_| self.error(tok.span(), "the integer does not fit 64 bits"))
    }

    /// The value of an integer token of any length that `width` bits may hold.
    pub fn wide_value(&self, tok: Token, width: u32) -> Res<BigInt> {
        let text = self.text(tok);
        // Reading and printing decimals takes time with the square of their length. What is read in hexadecimal is printed
        // as a decimal that can be read again.
        let (digits, radix, bits, digits_max) = match text.strip_prefix("0x") {
            Some(hex) => (hex, 16, 4, 16_000),
            None => (text, 10, 3, 20_000),
        };
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            return Ok(BigInt::ZERO);
        }
        // A digit has more than so many bits, but for the first.
        if (digits.len() - 1).saturating_mul(bits) > width as usize {
            return Err(self.error(
                tok.span(),
                format!("integer constant out of range for attribute: it does not fit {width} bits"),
            ));
        }
        if digits.len() > digits_max {
            let message = format!("an integer has at most {digits_max} digits to the base of {radix}");
            return Err(self.error(tok.span(), message));
        }
        BigInt::parse_bytes(digits.as_bytes(), radix).ok_or_else(|| self.error(tok.span(), "the number cannot be read"))
    }

    // ---- values

    /// `%name` or `%name#2`.
    pub fn operand(&mut self) -> Res<Operand<'a>> {
        let tok = self.expect_kind(Kind::Value, "SSA operand such as `%0`")?;
        let mut operand = Operand { name: self.text(tok), number: 0, span: tok.span() };
        // `#2` must follow without a space.
        if self.tok.kind == Kind::Hash && self.tok.start == tok.end {
            let text = &self.text(self.tok)[1..];
            operand.number = text.parse().map_err(|_| self.expected("a result number such as `#0`"))?;
            operand.span.end = self.tok.end as u32;
            self.bump();
        }
        Ok(operand)
    }

    /// Zero or more operands with commas between them.
    pub fn operands(&mut self) -> Res<Vec<Operand<'a>>> {
        if self.tok.kind == Kind::Value { self.commas(Parser::operand) } else { Ok(Vec::new()) }
    }

    /// The value of a use, once its type is known.
    pub fn resolve(&mut self, operand: Operand<'a>, ty: TypeId) -> Res<ValueId> {
        let scope = self.scopes.last().expect("there is always a scope");
        if let Some(named) = scope.values.get(operand.name) {
            if operand.number >= named.count {
                let message = format!(
                    "`{}` has {} value{}, so there is no `#{}`",
                    operand.name,
                    named.count,
                    if named.count == 1 { "" } else { "s" },
                    operand.number
                );
                return Err(Box::new(
                    Diag::error(Code::Name, operand.span, message).related(named.span, "defined here"),
                ));
            }
            let value = ValueId(named.first.0 + operand.number);
            let found = self.ir.type_of(value);
            if found != ty {
                let message = format!(
                    "use of value `{}` expects different type than prior uses: `{}` vs `{}`",
                    operand.name,
                    super::print_type(self.ir, ty),
                    super::print_type(self.ir, found)
                );
                return Err(Box::new(
                    Diag::error(Code::TypeMismatch, operand.span, message).related(named.span, "prior use here"),
                ));
            }
            return Ok(value);
        }
        // Not defined yet: a stand-in with the type of this use, replaced at the definition.
        let known = scope.forwards.iter().find(|f| f.name == operand.name && f.number == operand.number);
        if let Some(forward) = known {
            let value = forward.value;
            if self.ir.type_of(value) != ty {
                let message = format!("`{}` is used with two types", operand.name);
                return Err(Box::new(
                    Diag::error(Code::TypeMismatch, operand.span, message).related(forward.span, "the other use"),
                ));
            }
            return Ok(value);
        }
        let empty = self.ir.dict(&[]);
        let stand_in = self.ir.create_named("", &[], &[ty], empty, operand.span);
        let value = self.ir.result(stand_in, 0);
        let (name, number, span) = (operand.name, operand.number, operand.span);
        let scope = self.scopes.last_mut().expect("there is always a scope");
        scope.forwards.push(Forward { name, number, value, span, depth: self.labels.len() });
        Ok(value)
    }

    /// Looks up operands that all have one type.
    pub fn resolve_all(&mut self, operands: &[Operand<'a>], ty: TypeId, out: &mut Vec<ValueId>) -> Res<()> {
        for &operand in operands {
            out.push(self.resolve(operand, ty)?);
        }
        Ok(())
    }

    /// Looks up operands with a type each; `span` is where the types stand.
    pub fn resolve_each(
        &mut self,
        operands: &[Operand<'a>],
        types: &[TypeId],
        span: Span,
        out: &mut Vec<ValueId>,
    ) -> Res<()> {
        if operands.len() != types.len() {
            let message = format!("expected {} operand types but had {}", operands.len(), types.len());
            return Err(self.error(span, message));
        }
        for (&operand, &ty) in operands.iter().zip(types) {
            out.push(self.resolve(operand, ty)?);
        }
        Ok(())
    }

    /// Where a name was defined, or used in front of its definition.
    fn mentioned(&self, name: &str) -> Option<Span> {
        let scope = self.scopes.last().expect("there is always a scope");
        let used = || scope.forwards.iter().find(|forward| forward.name == name).map(|forward| forward.span);
        scope.values.get(name).map(|named| named.span).or_else(used)
    }

    /// Gives `count` consecutive values a name.
    pub fn define(&mut self, name: &'a str, span: Span, first: ValueId, count: u32) -> Res<()> {
        let scope = self.scopes.last_mut().expect("there is always a scope");
        if let Some(other) = scope.values.insert(name, Named { first, count, span }) {
            let message = format!("redefinition of SSA value `{name}`");
            return Err(Box::new(
                Diag::error(Code::Name, span, message).related(other.span, "previously defined here"),
            ));
        }
        scope.defined.push(name);
        if scope.forwards.is_empty() {
            return Ok(());
        }
        let mut found = Vec::new();
        scope.forwards.retain(|forward| {
            // What a region defines cannot be used around it.
            let hit = forward.name == name && self.labels.len() <= forward.depth;
            if hit {
                found.push((forward.number, forward.value, forward.span));
            }
            !hit
        });
        for (number, stand_in, used) in found {
            if number >= count {
                let message = format!("`{name}` has {count} values, so there is no `#{number}`");
                return Err(Box::new(Diag::error(Code::Name, used, message).related(span, "defined here")));
            }
            let value = ValueId(first.0 + number);
            let (expected, ty) = (self.ir.type_of(stand_in), self.ir.type_of(value));
            if expected != ty {
                let message =
                    format!("definition of SSA value '{name}#{number}' has type `{}`", super::print_type(self.ir, ty));
                let label = format!("previously used here with type `{}`", super::print_type(self.ir, expected));
                return Err(Box::new(Diag::error(Code::TypeMismatch, span, message).related(used, label)));
            }
            self.ir.replace_uses(stand_in, value);
        }
        Ok(())
    }

    /// Opens a scope that sees nothing of the enclosing ones.
    pub fn open_isolated(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// Closes it; every use must have met its definition.
    pub fn close_isolated(&mut self) -> Res<()> {
        let scope = self.scopes.pop().expect("scopes are opened and closed in pairs");
        self.check_forwards(&scope)
    }

    fn check_forwards(&self, scope: &Scope<'a>) -> Res<()> {
        let Some(forward) = scope.forwards.iter().min_by_key(|forward| forward.span.start) else { return Ok(()) };
        let message = format!("use of undeclared SSA value name `{}`", forward.name);
        let mut diag = Diag::error(Code::Name, forward.span, message).label("no value has this name here");
        // Numbers, and names of one letter, are as near to all others.
        let names = scope.values.keys().chain(&scope.forgotten).copied();
        if forward.name.len() > 2
            && !forward.name[1..].starts_with(|c: char| c.is_ascii_digit())
            && let Some(near) = suggest(forward.name, names)
        {
            diag = diag.help(format!("did you mean `{near}`?"));
        }
        Err(Box::new(diag))
    }

    // ---- regions and blocks

    /// `{ … }` into a new region of `op`; `args` become the first arguments of the entry block.
    pub fn region(&mut self, op: OpId, args: &[(Operand<'a>, TypeId)]) -> Res<RegionId> {
        let region = self.ir.add_region(op);
        self.region_into(region, args)?;
        Ok(region)
    }

    /// `{ … }` into an empty region.
    pub fn region_into(&mut self, region: RegionId, args: &[(Operand<'a>, TypeId)]) -> Res<()> {
        self.nested(|p| p.region_body(region, args))
    }

    fn region_body(&mut self, region: RegionId, args: &[(Operand<'a>, TypeId)]) -> Res<()> {
        let open = self.expect(b'{')?;
        let mark = self.scopes.last().expect("there is always a scope").defined.len();
        self.labels.push(Labels::default());
        if !args.is_empty() || !matches!(self.tok.kind, Kind::Punct(b'}') | Kind::Block) {
            let block = self.ir.add_block(region, &[]);
            for &(arg, ty) in args {
                if let Some(span) = self.mentioned(arg.name) {
                    let message = format!("region entry argument `{}` is already in use", arg.name);
                    let diag = Diag::error(Code::Name, arg.span, message);
                    return Err(Box::new(diag.related(span, "previously referenced here")));
                }
                let value = self.ir.add_block_arg(block, ty);
                self.ir.set_arg_span(value, arg.span);
                self.define(arg.name, arg.span, value, 1)?;
            }
            // `^bb0(…):` right behind the brace names the entry block, which an operation with its own arguments
            // spells without a list.
            if self.tok.kind == Kind::Block && !args.is_empty() {
                return Err(self.expected("an operation, as this region's arguments are named already"));
            }
            self.block_body(block)?;
        }
        while self.tok.kind == Kind::Block {
            let label = self.bump();
            let name = self.text(label);
            let block = self.define_block(region, name, label.span())?;
            if self.at(b'(') {
                self.list(b'(', b')', |p| {
                    let arg = p.operand()?;
                    p.expect(b':')?;
                    let ty = p.ty()?;
                    p.location(arg.span)?;
                    let value = p.ir.add_block_arg(block, ty);
                    p.ir.set_arg_span(value, arg.span);
                    p.define(arg.name, arg.span, value, 1)
                })?;
            }
            self.expect(b':')?;
            self.block_body(block)?;
        }
        if !self.at(b'}') {
            let mut diag = self.expected("an operation or `}`");
            diag.related.push((open.span(), "the region opens here".to_owned()));
            return Err(diag);
        }
        self.bump();
        let labels = self.labels.pop().expect("labels are opened and closed in pairs");
        let missing = labels.known.iter().filter(|entry| !entry.1.1).min_by_key(|entry| entry.1.2.start);
        if let Some((name, &(_, _, span))) = missing {
            return Err(Box::new(Diag::error(Code::Name, span, format!("reference to an undefined block `{name}`"))));
        }
        let scope = self.scopes.last_mut().expect("there is always a scope");
        for name in scope.defined.drain(mark..) {
            scope.values.remove(name);
            scope.forgotten.push(name);
        }
        Ok(())
    }

    fn define_block(&mut self, region: RegionId, name: &'a str, span: Span) -> Res<BlockId> {
        let labels = self.labels.last_mut().expect("blocks are read inside a region");
        match labels.known.get_mut(name) {
            Some((_, true, other)) => {
                let diag = Diag::error(Code::Name, span, format!("redefinition of block `{name}`"));
                Err(Box::new(diag.related(*other, "previously defined here")))
            }
            Some((block, defined, at)) => {
                *defined = true;
                *at = span;
                let block = *block;
                self.ir.place_block(region, block);
                Ok(block)
            }
            None => {
                let block = self.ir.add_block(region, &[]);
                labels.known.insert(name, (block, true, span));
                Ok(block)
            }
        }
    }

    /// `^name` as a successor.
    pub fn successor(&mut self) -> Res<BlockId> {
        let tok = self.expect_kind(Kind::Block, "block name such as `^bb1`")?;
        let name = self.text(tok);
        let Some(labels) = self.labels.last_mut() else {
            return Err(self.error(tok.span(), "there is no region that this block could belong to"));
        };
        if let Some(&(block, ..)) = labels.known.get(name) {
            return Ok(block);
        }
        let block = self.ir.add_loose_block();
        labels.known.insert(name, (block, false, tok.span()));
        Ok(block)
    }

    fn block_body(&mut self, block: BlockId) -> Res<()> {
        let parent = self.ir.region_parent(self.ir.block_region(block));
        let in_module = self.ir.opcode(parent) == Opcode::BuiltinModule;
        while !matches!(self.tok.kind, Kind::Punct(b'}') | Kind::Block | Kind::Eof) {
            if in_module {
                self.operation_or_next(block)?;
            } else {
                self.operation(block)?;
            }
        }
        Ok(())
    }

    /// An operation of a module; where it cannot be read, the reader goes on with the next one, as functions do not
    /// depend on one another. Lines tell where that is: it starts where this one starts.
    fn operation_or_next(&mut self, block: BlockId) -> Res<()> {
        let start = self.tok.start;
        let marks = (self.scopes.len(), self.labels.len(), self.bound.len(), self.depth);
        let Err(diag) = self.operation(block) else { return Ok(()) };
        let goes_on = diag.code != Code::TooDeep && self.errors.len() + 1 < ERRORS_MAX;
        self.errors.push((*diag).clone());
        let Some(next) = self.next_at_indent(start).filter(|_| goes_on) else { return Err(diag) };
        self.scopes.truncate(marks.0);
        self.labels.truncate(marks.1);
        self.bound.truncate(marks.2);
        self.depth = marks.3;
        (self.implied_type, self.affine_values, self.in_fields) = (None, None, 0);
        self.early.clear();
        self.seek(next);
        Ok(())
    }

    /// The start of the next line that is indented like the one at `start` and opens something, or of one that closes
    /// what encloses both. What stands in braces is passed over; where one is missing, the next line that begins with the
    /// same word is taken.
    fn next_at_indent(&self, start: usize) -> Option<usize> {
        let line_start = self.src[..start].rfind('\n').map_or(0, |at| at + 1);
        let indent = start - line_start;
        if !self.src[line_start..start].bytes().all(|b| b == b' ') {
            return None;
        }
        let word = |text: &'a str| text.split(|c: char| !c.is_alphanumeric() && !"._".contains(c)).next();
        let own = word(&self.src[start..]);
        let (mut depth, mut same) = (0, None);
        let mut at = line_start;
        for line in self.src[line_start..].split_inclusive('\n') {
            let text = line.trim_start_matches(' ');
            let column = line.len() - text.len();
            let first = text.bytes().next().unwrap_or(b'\n');
            let opens = column == indent && (first.is_ascii_alphabetic() || matches!(first, b'"' | b'%' | b'#' | b'!'));
            let closes = column < indent && first == b'}';
            if at > start && (opens || closes) {
                if depth <= 0 {
                    return Some(at + column);
                }
                if same.is_none() && (closes || word(text) == own) {
                    same = Some(at + column);
                }
            }
            depth += braces(text);
            at += line.len();
        }
        same
    }

    // ---- operations

    /// A whole file, and everything that is wrong with it.
    pub fn whole(mut self) -> Vec<Diag> {
        let last = self.file().err();
        let mut errors = std::mem::take(&mut self.errors);
        // Once functions are missing, errors in the rest of the file follow from that.
        errors.extend(last.filter(|_| errors.is_empty()).map(|diag| *diag));
        errors
    }

    /// A whole file: aliases, metadata and operations.
    fn file(&mut self) -> Res<()> {
        let block = self.ir.module_block();
        loop {
            match self.tok.kind {
                Kind::Eof => break,
                Kind::Hash => self.attr_alias()?,
                Kind::Bang => self.type_alias()?,
                Kind::OpenMeta => self.metadata()?,
                _ => self.operation_or_next(block)?,
            }
        }
        let scope = self.scopes.last().expect("there is always a scope");
        self.check_forwards(scope)?;
        self.resolve_locations()?;
        // A file that consists of one module is that module.
        let ops = self.ir.ops_of(block);
        if let [only] = ops[..]
            && self.ir.opcode(only) == Opcode::BuiltinModule
        {
            self.ir.detach(only);
            self.ir.set_module(only);
        }
        Ok(())
    }

    fn attr_alias(&mut self) -> Res<()> {
        let tok = self.bump();
        let name = self.alias_name(tok, "attribute")?;
        self.expect(b'=')?;
        let attr = self.typed_attr()?;
        if self.attr_aliases.insert(name, attr).is_some() {
            return Err(Box::new(Diag::error(
                Code::Name,
                tok.span(),
                format!("redefinition of attribute alias id '{name}'"),
            )));
        }
        Ok(())
    }

    /// What stands behind the `#` or `!` of an alias that is defined.
    fn alias_name(&self, tok: Token, what: &str) -> Res<&'a str> {
        let name = &self.text(tok)[1..];
        if name.is_empty() {
            return Err(self.error(tok.span(), format!("invalid {what} identifier: an alias has a name")));
        }
        if name.contains('.') {
            let message = format!("{what} names with a '.' are reserved for dialect-defined names");
            return Err(self.error(tok.span(), message));
        }
        Ok(name)
    }

    fn type_alias(&mut self) -> Res<()> {
        let tok = self.bump();
        let name = self.alias_name(tok, "type")?;
        self.expect(b'=')?;
        let ty = self.ty()?;
        if self.type_aliases.insert(name, ty).is_some() {
            return Err(Box::new(Diag::error(
                Code::Name,
                tok.span(),
                format!("redefinition of type alias id '{name}'"),
            )));
        }
        Ok(())
    }

    /// One operation at the end of `block`.
    pub fn operation(&mut self, block: BlockId) -> Res<()> {
        let start = self.tok.start;
        let mark = self.bound.len();
        if self.tok.kind == Kind::Value {
            loop {
                let tok = self.expect_kind(Kind::Value, "SSA operand such as `%0`")?;
                let mut count = 1;
                if self.eat(b':') {
                    let number = self.expect_kind(Kind::Int, "integer number of results")?;
                    count = u32::try_from(self.int_value(number)?).unwrap_or(0);
                    if count == 0 {
                        return Err(self.error(number.span(), "expected named operation to have at least 1 result"));
                    }
                }
                self.bound.push((self.text(tok), tok.span(), count));
                if !self.eat(b',') {
                    break;
                }
            }
            self.expect(b'=')?;
        }
        let op = match self.tok.kind {
            Kind::Str => self.generic_op(block)?,
            Kind::Word => self.custom_op(block)?,
            _ => return Err(self.expected("an operation")),
        };
        let span = Span::new(start, self.last_end);
        self.ir.set_span(op, span);
        self.location(span)?;
        let results = self.ir.results(op).len() as u32;
        let names = &self.bound[mark..];
        let named: u64 = names.iter().map(|name| u64::from(name.2)).sum();
        if !names.is_empty() && named != u64::from(results) {
            let message = match results {
                0 => format!("cannot name an operation with no results, as `{}` is one", self.ir.name(op)),
                _ => format!("operation defines {results} results but was provided {named} to bind"),
            };
            return Err(self.error(Span::new(start, names[names.len() - 1].1.end as usize), message));
        }
        let mut index = 0;
        for i in mark..self.bound.len() {
            let (name, span, count) = self.bound[i];
            let first = self.ir.result(op, index);
            self.define(name, span, first, count)?;
            index += count as usize;
        }
        self.bound.truncate(mark);
        Ok(())
    }

    /// Adds an operation of the table without parts to a block.
    fn shell(&mut self, opcode: Opcode, block: BlockId, span: Span) -> OpId {
        let op = self.ir.create(opcode, &[], &[], &[], span);
        self.ir.append(block, op);
        op
    }

    /// Moves the parts into the operation.
    pub fn finish(&mut self, op: OpId, mut parts: Parts) -> Res<()> {
        self.ir.fill(op, &parts.operands, &parts.results, &parts.successors);
        if !parts.attrs.is_empty() {
            self.drop_defaults(op, &mut parts.attrs);
        }
        let dict = self.dict_attr(&mut parts.attrs)?;
        self.ir.set_attr_dict(op, dict);
        parts.operands.clear();
        parts.results.clear();
        parts.attrs.clear();
        parts.successors.clear();
        self.spare.push(parts);
        Ok(())
    }

    /// Removes attributes that say what their absence says, so that all spellings of an operation are equal.
    fn drop_defaults(&mut self, op: OpId, attrs: &mut Vec<(StrId, AttrId)>) {
        let shape = Shape::of(self.ir.opcode(op));
        let mut i = 0;
        while i < attrs.len() {
            let (name, value) = attrs[i];
            // These follow from the operation's name, and are written anew.
            let follows = self.ir[name] == *"linalg.memoized_indexing_maps";
            if follows && super::custom::is_named(self.ir.opcode(op)) {
                attrs.remove(i);
                continue;
            }
            let Some(attr) = shape.inherent(&self.ir[name]) else {
                i += 1;
                continue;
            };
            if attr.spelling == Spelling::Unit && self.ir[value] == Attr::Bool(true) {
                attrs[i].1 = self.ir.intern(Attr::Unit);
            }
            if attr.is_default(self.ir, value) {
                attrs.remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// Empty parts, but for properties that stood right behind the operation's name.
    pub fn parts(&mut self) -> Parts {
        let mut parts = self.spare.pop().unwrap_or_default();
        parts.attrs.append(&mut self.early);
        parts
    }

    /// `"name"(%operands)[^successors] <{properties}> ({regions}) {attributes} : (types) -> (types)`
    fn generic_op(&mut self, block: BlockId) -> Res<OpId> {
        let tok = self.bump();
        let name = lexer::unescape(self.text(tok));
        if name.is_empty() {
            return Err(self.error(tok.span(), "empty operation name is invalid"));
        }
        let opcode = Opcode::from_name(&name);
        if opcode.is_none() {
            if !self.options.allow_unregistered {
                return Err(self.unknown_op(&name, tok.span()));
            }
            let dialect = name.split('.').next().unwrap_or_default();
            if COMPLETE_DIALECTS.contains(&dialect) {
                let message = format!(
                    "unregistered operation '{name}' found in dialect ('{dialect}') that does not allow unknown operations"
                );
                return Err(Box::new(Diag::error(Code::UnknownOp, tok.span(), message)));
            }
        }
        let op = match opcode {
            Some(opcode) => self.shell(opcode, block, tok.span()),
            None => {
                let empty = self.ir.dict(&[]);
                let op = self.ir.create_named(&name, &[], &[], empty, tok.span());
                self.ir.append(block, op);
                op
            }
        };
        let mut parts = self.parts();
        self.expect(b'(')?;
        let operands = self.operands()?;
        self.expect(b')')?;
        if self.at(b'[') {
            parts.successors = self.list(b'[', b']', Parser::successor)?;
        }
        if self.at(b'<') {
            self.bump();
            if self.ir.opcode(op) == Opcode::Unregistered {
                // Which attributes are inherent, only the text tells.
                let mut entries = Vec::new();
                self.attr_entries(&mut entries)?;
                let properties = self.dict_attr(&mut entries)?;
                self.put(&mut parts, UNKNOWN_PROPERTIES, properties);
            } else {
                self.attr_entries(&mut parts.attrs)?;
            }
            self.expect(b'>')?;
        }
        let isolated = self.ir.opcode(op).is_isolated();
        if self.at(b'(') {
            if isolated {
                self.open_isolated();
            }
            self.list(b'(', b')', |p| p.region(op, &[]))?;
            if isolated {
                self.close_isolated()?;
            }
        }
        if self.at(b'{') {
            self.attr_entries(&mut parts.attrs)?;
        }
        self.expect_kind(Kind::Punct(b':'), "`:` followed by operation type")?;
        let start = self.tok.start;
        let inputs = self.list(b'(', b')', Parser::ty)?;
        self.expect_kind(Kind::Arrow, "`->`")?;
        parts.results = self.result_types()?;
        let span = Span::new(start, self.last_end);
        self.resolve_each(&operands, &inputs, span, &mut parts.operands)?;
        self.finish(op, parts)?;
        Ok(op)
    }

    /// `type` or `(types)`.
    pub fn result_types(&mut self) -> Res<Vec<TypeId>> {
        if self.at(b'(') { self.list(b'(', b')', Parser::ty) } else { Ok(vec![self.ty()?]) }
    }

    /// `-> types`, or nothing.
    pub fn arrow_types(&mut self) -> Res<Vec<TypeId>> {
        if self.eat_kind(Kind::Arrow) { self.result_types() } else { Ok(Vec::new()) }
    }

    fn custom_op(&mut self, block: BlockId) -> Res<OpId> {
        let tok = self.bump();
        let word = self.text(tok);
        let in_script;
        let name = match word {
            "module" => "builtin.module",
            "return" => "func.return",
            "call" => "func.call",
            "call_indirect" => "func.call_indirect",
            "constant" => "func.constant",
            "unrealized_conversion_cast" => "builtin.unrealized_conversion_cast",
            // Steps of a sequence may go without their dialect.
            word if !word.contains('.') && self.is_sequence(block) => {
                in_script = format!("transform.{word}");
                &in_script
            }
            word => word,
        };
        let Some(opcode) = Opcode::from_name(name) else { return Err(self.unknown_op(name, tok.span())) };
        let op = self.shell(opcode, block, tok.span());
        let mut early = std::mem::take(&mut self.early);
        self.properties_into(&mut early)?;
        self.early = early;
        super::custom::read(self, opcode, op)?;
        Ok(op)
    }

    fn is_sequence(&self, block: BlockId) -> bool {
        self.ir.opcode(self.ir.region_parent(self.ir.block_region(block))) == Opcode::TransformSequence
    }

    fn unknown_op(&self, name: &str, span: Span) -> Box<Diag> {
        let dialect = name.split('.').next().unwrap_or_default();
        let in_dialect = |row: &OpInfo| row.name.strip_prefix(dialect).is_some_and(|rest| rest.starts_with('.'));
        let known = ops::all().any(in_dialect);
        let has_dialect = name.contains('.');
        let message = if !has_dialect {
            format!("`{name}` is not an operation: the names of these begin with a dialect, as in `arith.addf`")
        } else if known {
            format!("the dialect `{dialect}` has no operation `{name}` that raddle knows")
        } else {
            format!("`{name}` belongs to no dialect that raddle knows")
        };
        let mut diag = Diag::error(Code::UnknownOp, span, message).label("unknown operation");
        if let Some(help) = written_by_others(dialect) {
            diag = diag.help(help);
        } else if let Some(near) = without_dialect(name).or_else(|| suggest_op(name)) {
            diag = diag.help(format!("did you mean `{near}`?"));
        } else if !has_dialect {
            diag = diag.help("what is read is the text of MLIR, such as `func.func @f(%x: tensor<4xf32>) { … }`");
        } else if !ops::has_loaded() {
            diag = diag.help("`raddle_dialects::load()` adds the operations that are only read, checked and printed");
        } else {
            let is_generic = self.src[span.start as usize..].starts_with('"');
            diag = diag.help(if is_generic {
                "where unregistered dialects are allowed, it is kept as it is"
            } else {
                "write it in generic form and allow unregistered dialects to keep it as it is"
            });
        }
        Box::new(diag)
    }

    /// Adds an attribute that the custom form implies.
    pub fn put(&mut self, parts: &mut Parts, name: &str, value: AttrId) {
        let name = self.ir.intern_str(name);
        parts.attrs.push((name, value));
    }

    /// `{…}` if it is there.
    pub fn attr_dict(&mut self, parts: &mut Parts) -> Res<()> {
        if self.at(b'{') { self.attr_entries(&mut parts.attrs) } else { Ok(()) }
    }

    /// `<name = …, …>`, attributes that belong to the operation, if one of these names is there: as newer releases print
    /// them in front of the dictionary.
    pub fn strict_properties(&mut self, names: &[Inherent], parts: &mut Parts) -> Res<()> {
        let inside = self.src[self.tok.end..].trim_start();
        let named = |attr: &Inherent| {
            inside.strip_prefix(attr.name).is_some_and(|rest| rest.trim_start().starts_with(['=', ',', '>']))
        };
        if self.at(b'<') && names.iter().any(named) {
            self.attr_entries_in(b'<', b'>', &mut parts.attrs)?;
        }
        Ok(())
    }

    /// `<{…}>` if it is there.
    pub fn properties(&mut self, parts: &mut Parts) -> Res<()> {
        self.properties_into(&mut parts.attrs)
    }

    fn properties_into(&mut self, out: &mut Vec<(StrId, AttrId)>) -> Res<()> {
        if self.at(b'<') && self.src.as_bytes().get(self.tok.end) == Some(&b'{') {
            self.bump();
            self.attr_entries(out)?;
            self.expect(b'>')?;
        }
        Ok(())
    }

    /// `attributes {…}` if it is there.
    pub fn attr_dict_keyword(&mut self, parts: &mut Parts) -> Res<()> {
        if self.eat_word("attributes") { self.attr_entries(&mut parts.attrs) } else { Ok(()) }
    }

    /// One attribute that was read into `parts`.
    pub fn got(&self, parts: &Parts, name: &str) -> Option<AttrId> {
        parts.attrs.iter().find(|entry| &self.ir[entry.0] == name).map(|entry| entry.1)
    }

    /// The element of a shaped type or the type itself.
    pub fn elem(&self, ty: TypeId) -> TypeId {
        self.ir[ty].elem().unwrap_or(ty)
    }

    /// `unit`
    pub fn unit(&mut self) -> AttrId {
        self.ir.intern(Attr::Unit)
    }

    /// Says that an attribute without a value is there.
    pub fn flag(&mut self, parts: &mut Parts, name: &str) {
        let unit = self.unit();
        self.put(parts, name, unit);
    }

    /// A function type from its parts.
    pub fn function_type(&mut self, inputs: Vec<TypeId>, results: Vec<TypeId>) -> TypeId {
        self.ir.intern_type(Type::Function { inputs, results })
    }
}

/// How many more braces a line opens than it closes, but for those in strings and comments.
fn braces(line: &str) -> i64 {
    let (mut depth, mut is_string) = (0, false);
    let mut bytes = line.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if is_string => drop(bytes.next()),
            b'"' => is_string = !is_string,
            b'/' if !is_string && bytes.peek() == Some(&b'/') => break,
            b'{' if !is_string => depth += 1,
            b'}' if !is_string => depth -= 1,
            _ => {}
        }
    }
    depth
}

/// The operation whose dialect is left out, as in older texts: `func.func` for `func`.
fn without_dialect(name: &str) -> Option<&'static str> {
    STANDARD_DIALECTS.iter().find_map(|dialect| Opcode::from_name(&format!("{dialect}.{name}"))).map(Opcode::name)
}

/// How a program of a dialect that raddle does not read comes to one that it reads.
fn written_by_others(dialect: &str) -> Option<&'static str> {
    match dialect {
        "stablehlo" | "chlo" | "mhlo" | "tosa" | "torch" | "torch_c" | "onnx" => {
            Some("`iree-compile --compile-to=input program.mlir -o linalg.mlir` writes it with `linalg` and `tensor`")
        }
        "tt" | "ttg" | "triton_gpu" => Some("`raddle exec` executes the PTX that Triton makes of it"),
        _ => None,
    }
}
