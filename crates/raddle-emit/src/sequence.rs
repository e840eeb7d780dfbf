//! Functions of several kernels as data: which kernels are called, in which order, and on what memory.
//!
//! The memory that a caller needs is known before the first call: buffers are those of the caller, constants, and places in
//! two pieces of memory, the state (what is computed once for all calls) and the workspace (what is dead behind a call).
//! Extents and sizes are expressions of the function's parameters, and places also of numbers that steps set, as loops count.

use raddle_ir::{Expr, Scalar};

use crate::Parameter;

mod floats;

pub use floats::FloatOp;
pub(crate) use floats::Written;

/// A function that calls kernels.
///
/// Expressions have symbols only: `s<i>` is parameter `i`, and behind the parameters stand the [`Sequence::numbers`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Sequence {
    /// The function's name.
    pub name: String,
    /// The name of the C function that carries it out, in code for CPUs.
    pub entry: String,
    /// The arguments, then the results, then the extents that the arguments leave open.
    pub parameters: Vec<Parameter>,
    /// Numbers that are not sums, products or quotients of parameters, in the order in which they depend on each other.
    pub numbers: Vec<Number>,
    /// What must hold in front of a call: else nothing is done.
    pub requirements: Vec<Requirement>,
    /// What buffers hold before the first call.
    pub constants: Vec<Constant>,
    /// Bytes of the state.
    pub state_bytes: u64,
    /// Bytes of the workspace, which `once` uses, too.
    pub workspace_bytes: Expr,
    /// What fills the state, once for all calls of the function.
    pub once: Vec<Step>,
    /// What each call of the function does.
    pub steps: Vec<Step>,
}

/// A number that follows from others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// An expression as it is, which steps set numbers to.
    Of(Expr),
    /// The least of two.
    Min(Expr, Expr),
    /// The greatest of two.
    Max(Expr, Expr),
    /// 1 where two are the same, else 0.
    Equal(Expr, Expr),
    /// 1 where the first is less than the second, else 0.
    Less(Expr, Expr),
    /// The second where the first is not 0, else the third.
    Select(Expr, Expr, Expr),
    /// What an integer of so many bits holds of a number, as one with a sign.
    Wrap(Expr, u32),
    /// An operation on floats of so many bits, which are given by their bits.
    Float(FloatOp, Vec<Expr>, u32),
    /// What [`Step::Set`] or [`Step::Read`] said last; 0 before.
    OfSteps,
}

/// What a program asserts of its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// It must not be 0.
    pub number: Expr,
    /// What is said where it is.
    pub message: String,
}

/// A buffer that nobody writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constant {
    /// Where its elements are: its type and extents.
    pub parameter: Parameter,
    /// Its elements, one behind another in whole bytes; `None` where the program has them elsewhere.
    pub bytes: Option<Vec<u8>>,
    /// The name of the global or resource that the program gives it.
    pub name: Option<String>,
}

/// One step of a sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A kernel is called.
    Call {
        /// Its number among the kernels of the artifact.
        kernel: usize,
        /// What it is called with, in the order of its parameters.
        arguments: Vec<Argument>,
    },
    /// Bytes are copied.
    Copy {
        /// From here,
        from: Place,
        /// to there,
        to: Place,
        /// so many.
        bytes: Expr,
        /// And again, so many times in all; none where the bytes are one run.
        rows: Option<Rows>,
    },
    /// Bytes are written, one, two or four again and again.
    Fill {
        /// From here on,
        to: Place,
        /// so many, a multiple of
        bytes: Expr,
        /// these.
        with: Vec<u8>,
    },
    /// A number of [`Sequence::numbers`] is set.
    Set {
        /// Which one: its place in the list.
        number: usize,
        /// What it is then.
        to: Number,
    },
    /// A number is read from memory that kernels write: an integer with its sign, a truth value as 0 or 1, a float by its
    /// bits.
    Read {
        /// Which one: its place in the list.
        number: usize,
        /// Where it lies.
        from: Place,
        /// Its type there.
        elem: Scalar,
    },
    /// A number is written to memory that kernels read, as [`Step::Read`] reads it.
    Write {
        /// The number, or the bits of a float.
        number: Expr,
        /// Where it goes.
        to: Place,
        /// Its type there.
        elem: Scalar,
    },
    /// One of two lists of steps.
    If {
        /// Not 0 for the first list.
        flag: Expr,
        /// The first list.
        then: Vec<Step>,
        /// The second one.
        otherwise: Vec<Step>,
    },
    /// Steps until a number is 0.
    Loop {
        /// What is done in each round before the number is asked for,
        before: Vec<Step>,
        /// the number, and
        flag: Expr,
        /// what is done behind it, unless it is 0.
        after: Vec<Step>,
    },
}

/// Rows that are copied one behind another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows {
    /// How many.
    pub count: Expr,
    /// Bytes from the beginning of a row to that of the next: where they come from, and where they go.
    pub pitches: [Expr; 2],
}

/// What a kernel is called with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The address of a buffer.
    Buffer(Place),
    /// An integer.
    Number(Expr),
    /// A parameter of the function that is a scalar, as it is.
    Scalar(usize),
    /// A float, by its bits.
    Bits(Expr),
}

/// Memory that a function is given behind its parameters, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// The addresses of the constants that the program does not hold.
    Weights,
    /// What is computed once for all calls.
    State,
    /// What is dead behind a call.
    Workspace,
}

/// Where a buffer lies: from a byte of some memory on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The memory.
    pub base: Base,
    /// The byte.
    pub byte: Expr,
}

/// What a buffer lies in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// A parameter of the function.
    Parameter(usize),
    /// One of [`Sequence::constants`].
    Constant(usize),
    /// The state.
    State,
    /// The workspace.
    Workspace,
}

impl From<Base> for Place {
    /// The beginning of this memory.
    fn from(base: Base) -> Place {
        Place { base, byte: Expr::Const(0) }
    }
}

impl Step {
    /// The steps inside of this one.
    pub fn inner(&self) -> [&[Step]; 2] {
        match self {
            Step::If { then, otherwise, .. } => [then, otherwise],
            Step::Loop { before, after, .. } => [before, after],
            _ => [&[], &[]],
        }
    }
}

impl Sequence {
    /// A function that does nothing yet.
    pub fn new(name: String, entry: String) -> Sequence {
        let (parameters, numbers, requirements, constants, once, steps) = Default::default();
        let (state_bytes, workspace_bytes) = (0, Expr::Const(0));
        Sequence {
            name,
            entry,
            parameters,
            numbers,
            requirements,
            constants,
            state_bytes,
            workspace_bytes,
            once,
            steps,
        }
    }

    /// Bytes that places in the state and the workspace are multiples of: a line of a cache.
    pub const ALIGNMENT: u64 = 64;

    /// The values of all symbols before the first step, by which expressions are evaluated, from those of the parameters (0
    /// for a buffer); `None` where a number overflows.
    pub fn symbols(&self, parameters: &[i64]) -> Option<Vec<i64>> {
        let mut symbols = parameters.to_vec();
        for number in &self.numbers {
            let eval = |expr: &Expr| expr.eval(&[], &symbols);
            symbols.push(match number {
                Number::Of(a) => eval(a)?,
                Number::Min(a, b) => eval(a)?.min(eval(b)?),
                Number::Max(a, b) => eval(a)?.max(eval(b)?),
                Number::Equal(a, b) => (eval(a)? == eval(b)?).into(),
                Number::Less(a, b) => (eval(a)? < eval(b)?).into(),
                Number::Select(which, a, b) => eval(if eval(which)? != 0 { a } else { b })?,
                Number::Wrap(a, bits) => eval(a)? << (64 - bits) >> (64 - bits),
                Number::Float(op, of, bits) => op.eval(&of.iter().map(eval).collect::<Option<Vec<i64>>>()?, *bits)?,
                Number::OfSteps => 0,
            });
        }
        Some(symbols)
    }

    /// An expression as text: parameters by their names, and numbers as `n0`, `n1` and so on.
    pub fn text(&self, expr: &Expr) -> String {
        let name = |symbol: usize| match self.parameters.get(symbol) {
            Some(parameter) => parameter.name.clone(),
            None => format!("n{}", symbol - self.parameters.len()),
        };
        with_names(expr, &name)
    }

    /// A number as text: `min(arg1, 512)`; `None` for one of steps.
    pub fn number_text(&self, number: &Number) -> Option<String> {
        let (bits, float_name, operands);
        let (name, of): (&str, &[&Expr]) = match number {
            Number::Of(a) => return Some(self.text(a)),
            Number::Min(a, b) => ("min", &[a, b]),
            Number::Max(a, b) => ("max", &[a, b]),
            Number::Equal(a, b) => ("equal", &[a, b]),
            Number::Less(a, b) => ("less", &[a, b]),
            Number::Select(which, a, b) => ("select", &[which, a, b]),
            Number::Wrap(a, width) => {
                bits = Expr::Const(i64::from(*width));
                ("wrap", &[a, &bits])
            }
            Number::Float(op, of, bits) => {
                (float_name, operands) = (op.name(*bits), of.iter().collect::<Vec<_>>());
                (&float_name, &operands)
            }
            Number::OfSteps => return None,
        };
        let of: Vec<String> = of.iter().map(|expr| self.text(expr)).collect();
        Some(format!("{name}({})", of.join(", ")))
    }

    /// What the function is given behind its parameters: what something lies in.
    pub fn memory(&self) -> Vec<Memory> {
        let is_there = |memory: &Memory| match memory {
            Memory::Weights => !self.weights().is_empty(),
            Memory::State => self.state_bytes > 0,
            Memory::Workspace => self.workspace_bytes != Expr::Const(0),
        };
        [Memory::Weights, Memory::State, Memory::Workspace].into_iter().filter(is_there).collect()
    }

    /// Which of the constants the program does not hold, in the order in which the function is given them.
    pub fn weights(&self) -> Vec<usize> {
        (0..self.constants.len()).filter(|&at| self.constants[at].bytes.is_none()).collect()
    }
}

/// Whether some of these steps call such a kernel.
pub fn calls_any(steps: &[Step], is_such: &dyn Fn(usize) -> bool) -> bool {
    any(steps, &|step| matches!(step, Step::Call { kernel, .. } if is_such(*kernel)))
}

/// Whether there is such a step among these and those inside of them.
pub fn any(steps: &[Step], is_such: &dyn Fn(&Step) -> bool) -> bool {
    steps.iter().any(|step| is_such(step) || step.inner().into_iter().any(|inner| any(inner, is_such)))
}

/// The symbols of an expression, each as often as it occurs.
pub fn symbols_of(expr: &Expr) -> Vec<usize> {
    match expr {
        Expr::Sym(symbol) => vec![*symbol as usize],
        Expr::Const(_) | Expr::Dim(_) => Vec::new(),
        Expr::Add(a, b) | Expr::Mul(a, b) | Expr::FloorDiv(a, b) | Expr::CeilDiv(a, b) | Expr::Mod(a, b) => {
            [symbols_of(a), symbols_of(b)].concat()
        }
    }
}

/// An expression of symbols as text, with their names in the place of `s0`, `s1` and so on.
pub fn with_names(expr: &Expr, name: &dyn Fn(usize) -> String) -> String {
    let text = expr.to_string();
    let mut out = String::new();
    let mut rest = text.as_str();
    // No other word of such an expression has this letter in front of a digit.
    while let Some(at) = rest.find('s') {
        let digits = rest[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let end = at + 1 + digits;
        out.push_str(&rest[..at]);
        match rest[at + 1..end].parse() {
            Ok(symbol) => out.push_str(&name(symbol)),
            Err(_) => out.push_str(&rest[at..end]),
        }
        rest = &rest[end..];
    }
    out + rest
}
