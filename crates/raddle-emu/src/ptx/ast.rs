//! PTX as it is written: modules, functions, declarations and instructions by name.

use std::collections::BTreeMap;

use raddle_ir::Span;

/// A text of PTX that was read.
#[derive(Clone, Debug)]
pub struct Module {
    /// Kernels and device functions, in order.
    pub(super) functions: Vec<Function>,
    /// Variables outside functions.
    pub(super) variables: Vec<Variable>,
    /// What `.file` calls the files that `.loc` numbers.
    pub(super) files: BTreeMap<u64, String>,
    /// Other names of functions, by `.alias`.
    pub(super) aliases: BTreeMap<String, String>,
    /// The chip that the text is for, as `.target` names it.
    pub target: String,
}

impl Module {
    /// The name under which a function is defined.
    pub(super) fn function_name<'a>(&'a self, name: &'a str) -> &'a str {
        self.aliases.get(name).map_or(name, String::as_str)
    }

    /// The names of the kernels.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().filter(|function| function.is_entry).map(|function| function.name.as_str())
    }
}

/// A kernel or a device function.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: String,
    pub span: Span,
    pub is_entry: bool,
    /// What a device function gives back.
    pub results: Vec<Variable>,
    pub params: Vec<Variable>,
    /// `.reqntid` and such: the word and its numbers.
    pub directives: Vec<(String, Vec<u64>)>,
    /// `None` for a declaration.
    pub body: Option<Vec<Item>>,
}

/// Where a variable lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Space {
    Register,
    Param,
    Global,
    Const,
    Shared,
    Local,
}

/// A declared name: a register, or memory.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: String,
    pub span: Span,
    pub space: Space,
    /// `f32`, `b64`, `pred`.
    pub ty: String,
    /// 2 or 4 for `.v2` and `.v4`.
    pub vector: u32,
    /// `<N>`: names with the numbers 0 to N - 1 behind them.
    pub count: Option<u64>,
    /// Elements of an array, 0 where the extent is not stated; `None` for a single element.
    pub elements: Option<u64>,
    pub align: u64,
    /// Declared elsewhere: for shared memory, the launch says how many bytes there are.
    pub is_extern: bool,
    pub init: Vec<Operand>,
}

/// One statement.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Variable(Variable),
    Label(String, Span),
    Instruction(Instruction),
    /// Names that are declared inside end with it.
    Scope(Vec<Item>),
    /// `name: .branchtargets a, b;`
    Targets(String, Vec<String>),
    /// The source line of what follows.
    Place(Place),
}

/// A line of a source file, by `.loc`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Place {
    pub file: u64,
    pub line: u64,
    /// The line that the code was inlined into, or zeros.
    pub into: (u64, u64),
}

/// `@p op.mods operands;`
#[derive(Clone, Debug)]
pub(super) struct Instruction {
    pub span: Span,
    /// The predicate, and whether it is negated.
    pub guard: Option<(String, bool)>,
    pub opcode: String,
    pub words: Vec<String>,
    pub operands: Vec<Operand>,
}

/// An operand as it is written.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Operand {
    Name(String),
    /// `name.x`: an element of a vector register, or a special register.
    Element(String, String),
    /// `name + 4`
    Offset(String, i64),
    /// `name[4]` or `name[%r1 + 4]`: an element of an array in memory.
    Indexed(String, Option<String>, i64),
    Int(i64),
    Single(u32),
    Double(f64),
    /// `0xFF00(name + 4)`: the bits of an address that a mask selects.
    Masked(u64, Box<Operand>),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `p|q`
    Pair(Box<Operand>, Box<Operand>),
    /// `!p`
    Not(Box<Operand>),
    /// `-%r1`, which only some instructions take.
    Negated(Box<Operand>),
    /// `[base + 4]`, or `[map, {x, y}]` with the parts behind the first.
    Address(Box<Operand>, Vec<Operand>),
    /// `(a, b)`, the arguments of a call.
    List(Vec<Operand>),
    /// `_`
    Sink,
}
