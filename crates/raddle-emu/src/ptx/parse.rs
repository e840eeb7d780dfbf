//! Tokens to [`Module`]: the statement grammar of PTX.

mod expression;
mod system;

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::vec::IntoIter;

use raddle_ir::{Diag, Span};

use super::ast::{Function, Instruction, Item, Module, Operand, Place, Space, Variable};
use super::lex::{Placed, Token, error, lex};
use expression::Number;

/// Scopes nest at most so deep.
const DEPTH_MAX: usize = 64;

/// Reads a text of PTX.
pub fn parse(text: &str) -> Result<Module, Diag> {
    if u32::try_from(text.len()).is_err() {
        return Err(Diag::nowhere(raddle_ir::Code::TooLarge, "a text of PTX has at most 4 GiB"));
    }
    let tokens = lex(text)?;
    let mut module = Parser::new(tokens, Span::new(text.len(), text.len())).module()?;
    system::define(&mut module)?;
    Ok(module)
}

struct Parser {
    tokens: Peekable<IntoIter<Placed>>,
    /// Where the token before stands.
    last: Span,
    end: Span,
    depth: usize,
    /// Parentheses hold arguments.
    takes_lists: bool,
}

type Parsed<T> = Result<T, Diag>;

/// What stands in front of a name that is declared.
#[derive(Clone, Default)]
struct Prefix {
    ty: Option<String>,
    vector: u32,
    align: Option<u64>,
}

impl Parser {
    fn new(tokens: Vec<Placed>, end: Span) -> Parser {
        Parser { tokens: tokens.into_iter().peekable(), last: Span::default(), end, depth: 0, takes_lists: false }
    }

    fn peek(&mut self) -> Option<&Token> {
        self.tokens.peek().map(|placed| &placed.0)
    }

    fn span(&mut self) -> Span {
        self.tokens.peek().map_or(self.end, |placed| placed.1)
    }

    fn next(&mut self) -> Option<Token> {
        let (token, span) = self.tokens.next()?;
        self.last = span;
        Some(token)
    }

    fn is_sign(&mut self, sign: char) -> bool {
        self.peek() == Some(&Token::Sign(sign))
    }

    fn take(&mut self, sign: char) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, sign: char) -> Parsed<()> {
        if self.take(sign) { Ok(()) } else { Err(self.wrong(&format!("expected `{sign}`"))) }
    }

    fn wrong(&mut self, message: &str) -> Diag {
        let span = self.span();
        error(span, message)
    }

    fn word(&mut self) -> Parsed<String> {
        match self.peek() {
            Some(Token::Word(_)) => match self.next() {
                Some(Token::Word(word)) => Ok(word),
                _ => unreachable!("the next token is a word"),
            },
            _ => Err(self.wrong("expected a name")),
        }
    }

    fn dotted(&mut self) -> Option<String> {
        let found = matches!(self.peek(), Some(Token::Dotted(_)));
        match found.then(|| self.next())? {
            Some(Token::Dotted(word)) => Some(word),
            _ => None,
        }
    }

    fn module(&mut self) -> Parsed<Module> {
        let mut module = Module {
            functions: Vec::new(),
            variables: Vec::new(),
            files: BTreeMap::new(),
            aliases: BTreeMap::new(),
            target: String::new(),
        };
        let mut is_extern = false;
        while self.peek().is_some() {
            let span = self.span();
            if self.take(';') {
                continue;
            }
            let Some(word) = self.dotted() else {
                return Err(error(span, "expected a directive, a variable or a function"));
            };
            match word.as_str() {
                "version" => self.skip_version()?,
                "target" => {
                    module.target = self.word()?;
                    while self.take(',') {
                        self.word()?;
                    }
                }
                "address_size" => {
                    if self.int()? != 64 {
                        return Err(error(span, "only addresses of 64 bits are executed"));
                    }
                }
                "visible" | "weak" => {}
                "extern" => {
                    is_extern = true;
                    continue;
                }
                "common" => {}
                "entry" | "func" => module.functions.push(self.function(word == "entry")?),
                "file" => {
                    let number = self.int()? as u64;
                    if let Some(Token::Text(name)) = self.peek().cloned() {
                        module.files.insert(number, name);
                    }
                    self.skip_line(&word)?;
                }
                "alias" => {
                    let name = self.word()?;
                    self.expect(',')?;
                    let function = self.word()?;
                    self.expect(';')?;
                    let function = module.function_name(&function).to_owned();
                    module.aliases.insert(name, function);
                }
                "pragma" => self.skip_line(&word)?,
                "section" => self.section()?,
                "loc" => {
                    self.place()?;
                }
                "global" | "const" | "shared" | "local" | "tex" | "param" | "shared::cta" => {
                    let space = space(&word);
                    self.variables(space, is_extern, &mut |variable| module.variables.push(variable))?;
                }
                _ => return Err(error(span, &format!("the directive `.{word}` is not known"))),
            }
            is_extern = false;
        }
        Ok(module)
    }

    fn skip_version(&mut self) -> Parsed<()> {
        match self.next() {
            Some(Token::Double(_) | Token::Int(_)) => Ok(()),
            _ => Err(error(self.last, "expected a version, as in `.version 8.4`")),
        }
    }

    /// `.file 1 "x.cu", 12, 34`, `.pragma "nounroll";`
    fn skip_line(&mut self, word: &str) -> Parsed<()> {
        let with_end = word != "file";
        loop {
            match self.peek() {
                Some(Token::Sign(';')) => {
                    self.next();
                    return Ok(());
                }
                Some(Token::Int(_) | Token::Text(_) | Token::Sign(',')) => {}
                Some(Token::Word(_)) if with_end => {}
                _ if !with_end => return Ok(()),
                _ => return Err(self.wrong("expected `;`")),
            }
            self.next();
        }
    }

    /// `.section .debug_info { … }`: data for debuggers.
    fn section(&mut self) -> Parsed<()> {
        while !self.is_sign('{') {
            if self.next().is_none() {
                return Err(self.wrong("expected the contents of the section"));
            }
        }
        let mut depth = 0usize;
        loop {
            match self.next() {
                Some(Token::Sign('{')) => depth += 1,
                Some(Token::Sign('}')) => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(());
                    }
                }
                Some(_) => {}
                None => return Err(self.wrong("the section has no end")),
            }
        }
    }

    /// Behind `.loc`: file, line, column, and where the code was inlined from.
    fn place(&mut self) -> Parsed<Item> {
        let (file, line) = (self.int()?, self.int()?);
        self.int()?;
        let mut into = (0, 0);
        while self.take(',') {
            let what = self.word()?;
            if what == "function_name" {
                self.operand()?;
            } else {
                into = (self.int()? as u64, self.int()? as u64);
                self.int()?;
            }
        }
        Ok(Item::Place(Place { file: file as u64, line: line as u64, into }))
    }

    fn function(&mut self, is_entry: bool) -> Parsed<Function> {
        while let Some(Token::Dotted(word)) = self.peek() {
            let is_attribute = word == "attribute";
            self.next();
            if is_attribute {
                self.attributes()?;
            }
        }
        let mut results = Vec::new();
        if !is_entry && self.is_sign('(') {
            results = self.parameters()?;
        }
        let span = self.span();
        let name = self.word()?;
        let params = if self.is_sign('(') { self.parameters()? } else { Vec::new() };
        let mut directives = Vec::new();
        while let Some(word) = self.dotted() {
            let mut numbers = Vec::new();
            if word == "pragma" {
                self.skip_line(&word)?;
                continue;
            }
            while matches!(self.peek(), Some(Token::Int(_) | Token::Word(_) | Token::Sign('('))) {
                match self.operand()? {
                    Operand::Int(value) => numbers.push(value as u64),
                    Operand::List(_) | Operand::Name(_) => {}
                    _ => return Err(error(self.last, "expected a number")),
                }
                if !self.take(',') {
                    break;
                }
            }
            directives.push((word, numbers));
        }
        let body = if self.take(';') {
            None
        } else {
            self.expect('{')?;
            Some(self.items()?)
        };
        Ok(Function { name, span, is_entry, results, params, directives, body })
    }

    fn parameters(&mut self) -> Parsed<Vec<Variable>> {
        self.expect('(')?;
        let mut params = Vec::new();
        while !self.take(')') {
            let space = match self.dotted().as_deref() {
                Some("param") => Space::Param,
                Some("reg") => Space::Register,
                _ => return Err(self.wrong("expected `.param` or `.reg`")),
            };
            let prefix = self.prefix()?;
            if self.is_sign(')') || self.is_sign(',') {
                // `_` or nothing: a parameter that a declaration does not name.
                params.push(self.unnamed(&prefix, space));
            } else {
                let variable = self.variable(&prefix, space, false)?;
                params.push(variable);
            }
            if !self.is_sign(')') {
                self.expect(',')?;
            }
        }
        Ok(params)
    }

    fn unnamed(&mut self, prefix: &Prefix, space: Space) -> Variable {
        Variable {
            name: String::new(),
            span: self.last,
            space,
            ty: prefix.ty.clone().unwrap_or_default(),
            vector: prefix.vector.max(1),
            count: None,
            elements: None,
            align: prefix.align.unwrap_or(1),
            is_extern: false,
            init: Vec::new(),
        }
    }

    /// `(.managed)`, `(.unified(1, 2))`: where the host finds a name, which is nothing to the kernel.
    fn attributes(&mut self) -> Parsed<()> {
        self.expect('(')?;
        let mut depth = 1;
        while depth > 0 {
            match self.next() {
                Some(Token::Sign('(')) => depth += 1,
                Some(Token::Sign(')')) => depth -= 1,
                Some(Token::Dotted(_) | Token::Int(_) | Token::Sign(',')) => {}
                _ => return Err(error(self.last, "expected `)` behind attributes")),
            }
        }
        Ok(())
    }

    /// Alignment, type and the like; the name comes next.
    fn prefix(&mut self) -> Parsed<Prefix> {
        let mut prefix = Prefix { vector: 1, ..Prefix::default() };
        while let Some(word) = self.dotted() {
            match word.as_str() {
                "align" => prefix.align = Some(self.int()? as u64),
                "v2" => prefix.vector = 2,
                "v4" => prefix.vector = 4,
                "v8" => prefix.vector = 8,
                // `.ptr .global .align 16`: what a pointer parameter points to.
                "ptr" => {
                    while let Some(word) = self.dotted() {
                        if word == "align" {
                            self.int()?;
                        }
                    }
                }
                "attribute" => self.attributes()?,
                "extern" | "unified" | "managed" => {}
                _ => prefix.ty = Some(word),
            }
        }
        Ok(prefix)
    }

    fn variables(&mut self, space: Space, is_extern: bool, add: &mut dyn FnMut(Variable)) -> Parsed<()> {
        let prefix = self.prefix()?;
        loop {
            add(self.variable(&prefix, space, is_extern)?);
            if !self.take(',') {
                return self.expect(';');
            }
        }
    }

    fn variable(&mut self, prefix: &Prefix, space: Space, is_extern: bool) -> Parsed<Variable> {
        let span = self.span();
        let name = self.word()?;
        let ty = prefix.ty.clone().ok_or_else(|| error(span, &format!("`{name}` has no type")))?;
        let mut count = None;
        if self.take('<') {
            count = Some(self.int()? as u64);
            self.expect('>')?;
        }
        let mut elements = None;
        while self.take('[') {
            let extent = if self.is_sign(']') { 0 } else { self.int()? as u64 };
            self.expect(']')?;
            let product = elements.unwrap_or(1u64).checked_mul(extent);
            elements = Some(product.ok_or_else(|| error(span, "the array is too large"))?);
        }
        let mut init = Vec::new();
        if self.take('=') {
            match self.operand()? {
                Operand::Vector(parts) => init = flat(parts),
                other => init.push(other),
            }
        }
        let vector = prefix.vector;
        let align = prefix.align.unwrap_or(0);
        Ok(Variable { name, span, space, ty, vector, count, elements, align, is_extern, init })
    }

    /// Statements up to the brace that closes them.
    fn items(&mut self) -> Parsed<Vec<Item>> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.wrong("scopes nest too deep"));
        }
        let mut items = Vec::new();
        while !self.take('}') {
            if self.peek().is_none() {
                return Err(self.wrong("expected `}`"));
            }
            self.item(&mut items)?;
        }
        self.depth -= 1;
        Ok(items)
    }

    fn item(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        if self.take(';') {
            return Ok(());
        }
        if self.take('{') {
            items.push(Item::Scope(self.items()?));
            return Ok(());
        }
        let start = self.span();
        if let Some(word) = self.dotted() {
            return self.directive(&word, start, items);
        }
        let mut guard = None;
        if self.take('@') {
            let negated = self.take('!');
            guard = Some((self.word()?, negated));
        }
        let opcode = self.word()?;
        if guard.is_none() && self.take(':') {
            if let Some(Token::Dotted(word)) = self.peek() {
                match word.as_str() {
                    "branchtargets" => {
                        self.next();
                        let mut targets = vec![self.word()?];
                        while self.take(',') {
                            targets.push(self.word()?);
                        }
                        self.expect(';')?;
                        items.push(Item::Targets(opcode, targets));
                        return Ok(());
                    }
                    "callprototype" | "calltargets" => {
                        while !self.take(';') {
                            if self.next().is_none() {
                                return Err(self.wrong("expected `;`"));
                            }
                        }
                        return Ok(());
                    }
                    _ => {}
                }
            }
            items.push(Item::Label(opcode, start));
            return Ok(());
        }
        let mut words = Vec::new();
        while let Some(word) = self.dotted() {
            words.push(word);
        }
        let mut operands = Vec::new();
        self.takes_lists = opcode == "call";
        while !self.is_sign(';') {
            operands.push(self.operand()?);
            if !self.take(',') {
                break;
            }
        }
        self.expect(';')?;
        let span = Span { start: start.start, end: self.last.end };
        items.push(Item::Instruction(Instruction { span, guard, opcode, words, operands }));
        Ok(())
    }

    fn directive(&mut self, word: &str, start: Span, items: &mut Vec<Item>) -> Parsed<()> {
        match word {
            "reg" | "local" | "shared" | "param" | "global" | "const" | "shared::cta" => {
                self.variables(space(word), false, &mut |variable| items.push(Item::Variable(variable)))
            }
            "loc" => {
                let place = self.place()?;
                items.push(place);
                Ok(())
            }
            "pragma" | "file" => self.skip_line(word),
            "section" => self.section(),
            _ => Err(error(start, &format!("the directive `.{word}` is not known in a function"))),
        }
    }

    fn operand(&mut self) -> Parsed<Operand> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.wrong("operands nest too deep"));
        }
        let operand = self.operand_inside();
        self.depth -= 1;
        operand
    }

    fn operand_inside(&mut self) -> Parsed<Operand> {
        let is_number = self.is_number();
        let operand = match self.peek() {
            Some(Token::Sign('{')) => {
                self.next();
                Operand::Vector(self.list('}')?)
            }
            Some(Token::Sign('[')) => {
                self.next();
                let mut parts = self.list(']')?;
                if parts.is_empty() {
                    return Err(error(self.last, "an address names a register, a variable or a number"));
                }
                let base = parts.remove(0);
                Operand::Address(Box::new(base), parts)
            }
            Some(Token::Sign('(')) => {
                self.next();
                if self.is_cast() {
                    self.next();
                    self.expect(')')?;
                    return Ok(self.whole()?.into());
                }
                let parts = self.list(')')?;
                // A constant is an expression in parentheses.
                match (parts.as_slice(), !self.takes_lists || self.operator(1).is_some()) {
                    (&[Operand::Int(first)], true) => self.rest(Number::Int(first), 1)?.into(),
                    (&[Operand::Double(first)], true) => self.rest(Number::Double(first), 1)?.into(),
                    _ => Operand::List(parts),
                }
            }
            Some(Token::Sign('!')) => {
                self.next();
                if self.is_sign('(') || self.is_number() {
                    let value = Number::Int((self.int_atom()? == 0).into());
                    self.rest(value, 1)?.into()
                } else {
                    Operand::Not(Box::new(self.operand()?))
                }
            }
            Some(Token::Sign('-')) => {
                self.next();
                if self.is_sign('(') || self.is_number() {
                    let value = self.atom()?.negated();
                    return Ok(self.rest(value, 1)?.into());
                }
                match self.operand()? {
                    Operand::Single(bits) => Operand::Single(bits ^ 0x8000_0000),
                    other => Operand::Negated(Box::new(other)),
                }
            }
            Some(Token::Single(bits)) => {
                let bits = *bits;
                self.next();
                Operand::Single(bits)
            }
            _ if is_number => match self.whole()? {
                Number::Int(mask) if self.take('(') => {
                    // `0xFF00(name)`: a byte of an address, in an initialiser.
                    let address = self.operand()?;
                    self.expect(')')?;
                    Operand::Masked(mask as u64, Box::new(address))
                }
                value => value.into(),
            },
            Some(Token::Word(_)) => {
                let word = self.word()?;
                if let Some(element) = self.dotted() {
                    Operand::Element(word, element)
                } else if self.take('+') || self.is_sign('-') {
                    Operand::Offset(word, self.int()?)
                } else if word == "_" {
                    Operand::Sink
                } else if self.take('[') {
                    self.indexed(word)?
                } else if self.take('(') {
                    // `generic(name) + 8` in an initialiser.
                    let name = self.operand()?;
                    self.expect(')')?;
                    match name {
                        Operand::Name(name) if self.take('+') || self.is_sign('-') => {
                            Operand::Offset(name, self.int()?)
                        }
                        name => name,
                    }
                } else {
                    Operand::Name(word)
                }
            }
            _ => return Err(self.wrong("expected an operand")),
        };
        if self.take('|') {
            let second = self.operand()?;
            return Ok(Operand::Pair(Box::new(operand), Box::new(second)));
        }
        Ok(operand)
    }

    /// `name[4]`, or with a register in front of the number.
    fn indexed(&mut self, name: String) -> Parsed<Operand> {
        let register = match self.peek() {
            Some(Token::Word(_)) => Some(self.word()?),
            _ => None,
        };
        let is_single = register.is_some() && !self.is_sign('-') && !self.take('+');
        let number = if is_single { 0 } else { self.int()? };
        self.expect(']')?;
        Ok(Operand::Indexed(name, register, number))
    }

    /// Operands with commas between them, and the sign behind them.
    fn list(&mut self, end: char) -> Parsed<Vec<Operand>> {
        let mut parts = Vec::new();
        while !self.take(end) {
            parts.push(self.operand()?);
            if !self.is_sign(end) {
                self.expect(',')?;
            }
        }
        Ok(parts)
    }
}

fn space(word: &str) -> Space {
    match word {
        "reg" => Space::Register,
        "param" => Space::Param,
        "const" => Space::Const,
        "shared" | "shared::cta" => Space::Shared,
        "local" => Space::Local,
        _ => Space::Global,
    }
}

/// Initialisers of arrays of arrays, one behind the other.
fn flat(parts: Vec<Operand>) -> Vec<Operand> {
    let inner = |part| match part {
        Operand::Vector(parts) => flat(parts),
        other => vec![other],
    };
    parts.into_iter().flat_map(inner).collect()
}
