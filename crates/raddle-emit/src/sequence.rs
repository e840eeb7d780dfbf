//! Functions of several kernels as data: which kernels are called, in which order, and on what memory.
//!
//! All that a caller needs is known before the first call: buffers are those of the caller, constants, and places in two
//! pieces of memory, the state (what is computed once for all calls) and the workspace (what is dead behind a call).
//! Extents, places and sizes are expressions of the function's parameters.

use raddle_ir::Expr;

use crate::Parameter;

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
    },
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
    Bits(u64),
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

/// Where a buffer lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// It is a parameter of the function.
    Parameter(usize),
    /// It is one of [`Sequence::constants`].
    Constant(usize),
    /// It begins at this byte of the state.
    State(u64),
    /// It begins at this byte of the workspace.
    Workspace(Expr),
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

    /// The values of all symbols, by which expressions are evaluated, from those of the parameters (0 for a buffer); `None`
    /// where a number overflows.
    pub fn symbols(&self, parameters: &[i64]) -> Option<Vec<i64>> {
        let mut symbols = parameters.to_vec();
        for number in &self.numbers {
            let eval = |expr: &Expr| expr.eval(&[], &symbols);
            symbols.push(match number {
                Number::Min(a, b) => eval(a)?.min(eval(b)?),
                Number::Max(a, b) => eval(a)?.max(eval(b)?),
                Number::Equal(a, b) => (eval(a)? == eval(b)?).into(),
                Number::Less(a, b) => (eval(a)? < eval(b)?).into(),
                Number::Select(which, a, b) => eval(if eval(which)? != 0 { a } else { b })?,
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

    /// A number as text: `min(arg1, 512)`.
    pub fn number_text(&self, number: &Number) -> String {
        let (name, of): (&str, &[&Expr]) = match number {
            Number::Min(a, b) => ("min", &[a, b]),
            Number::Max(a, b) => ("max", &[a, b]),
            Number::Equal(a, b) => ("equal", &[a, b]),
            Number::Less(a, b) => ("less", &[a, b]),
            Number::Select(which, a, b) => ("select", &[which, a, b]),
        };
        let of: Vec<String> = of.iter().map(|expr| self.text(expr)).collect();
        format!("{name}({})", of.join(", "))
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
pub fn calls_any(steps: &[Step], is_such: impl Fn(usize) -> bool) -> bool {
    steps.iter().any(|step| matches!(step, Step::Call { kernel, .. } if is_such(*kernel)))
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
