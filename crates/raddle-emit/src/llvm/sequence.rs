//! A function that calls kernels for a CPU, as a function of C: `void f(arguments, results, extents, weights, state,
//! workspace)`, of which the last three are there if something lies in them. Where something is required of the arguments
//! it returns a text, which says what does not hold, or a null pointer.
//!
//! `f_initialize(weights, state, workspace)` fills the state, `f_parallel` and `f_initialize_parallel` do the same on the
//! caller's threads, and `f_workspace_bytes(extents)` says how large the workspace
//! is where extents decide.

use std::fmt::Write;

use raddle_ir::{Expr, Scalar};

use super::cpu::{Straight, THREADS};
use super::module::{Instructions, argument_type, expression_of};
use super::parallel_name;
use crate::Parameter;
use crate::sequence::{
    Argument, Base, FloatOp, Memory, Number, Place, Requirement, Rows, Sequence, Step, Written, any, calls_any,
    symbols_of,
};

/// The name of the function that fills the state.
pub fn initialize_name(entry: &str) -> String {
    format!("{entry}_initialize")
}

/// The name of what says how large the workspace is.
pub fn workspace_name(entry: &str) -> String {
    format!("{entry}_workspace_bytes")
}

/// A kernel of the module that is called.
pub struct Callee<'a> {
    /// Its name in the code.
    pub entry: &'a str,
    /// What it is called with.
    pub parameters: &'a [Parameter],
    /// Whether it takes the address of what an index outside of a buffer leaves.
    pub takes_fault: bool,
}

/// The functions of a sequence, to stand behind its kernels in a module for a CPU.
pub fn sequence(sequence: &Sequence, kernels: &[Callee<'_>]) -> String {
    let mut text = constants(sequence);
    for (number, Requirement { message, .. }) in sequence.requirements.iter().enumerate() {
        let bytes = [message.replace('\0', " ").as_bytes(), b"\0"].concat();
        let _ =
            writeln!(text, "\n{} = internal unnamed_addr constant {}", message_name(sequence, number), held(&bytes));
    }
    let out = Straight::new(sequence.parameters.iter().map(type_of));
    let writer = Writer { sequence, kernels, out, n_labels: 0 };
    let Sequence { entry, once, steps, workspace_bytes, .. } = sequence;
    for is_parallel in [false, true] {
        if !once.is_empty() {
            text.push_str(&writer.clone().function(&initialize_name(entry), once, false, is_parallel));
        }
        text.push_str(&writer.clone().function(entry, steps, true, is_parallel));
    }
    if !matches!(workspace_bytes, Expr::Const(_)) {
        text.push_str(&writer.workspace());
    }
    let has = |is_such: &dyn Fn(&Step) -> bool| any(once, is_such) || any(steps, is_such);
    if has(&|step| matches!(step, Step::Copy { .. })) {
        let _ = writeln!(text, "declare void @{COPY}(ptr, ptr, i64, i1)");
    }
    if has(&|step| matches!(step, Step::Fill { with, .. } if with.len() == 1)) {
        let _ = writeln!(text, "declare void @{FILL}(ptr, i8, i64, i1)");
    }
    text
}

const COPY: &str = "llvm.memcpy.p0.p0.i64";
const FILL: &str = "llvm.memset.p0.i64";

fn constant_name(sequence: &Sequence, number: usize) -> String {
    format!("@{}$constant{number}", sequence.entry)
}

fn message_name(sequence: &Sequence, number: usize) -> String {
    format!("@{}$requirement{number}", sequence.entry)
}

/// What the program holds.
fn constants(sequence: &Sequence) -> String {
    let mut text = String::new();
    for (number, constant) in sequence.constants.iter().enumerate() {
        let Some(bytes) = &constant.bytes else { continue };
        let name = constant_name(sequence, number);
        let _ =
            writeln!(text, "\n{name} = internal unnamed_addr constant {}, align {}", held(bytes), Sequence::ALIGNMENT);
    }
    text
}

/// Bytes as a constant with its type.
fn held(bytes: &[u8]) -> String {
    let mut text = format!("[{} x i8] ", bytes.len());
    if bytes.iter().all(|&byte| byte == 0) {
        return text + "zeroinitializer";
    }
    text.push_str("c\"");
    for &byte in bytes {
        match byte {
            b' '..=b'~' if byte != b'"' && byte != b'\\' => text.push(byte.into()),
            _ => {
                const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
                text.extend(['\\', DIGITS[usize::from(byte >> 4)].into(), DIGITS[usize::from(byte & 15)].into()]);
            }
        }
    }
    text + "\""
}

/// The type of a parameter.
fn type_of(parameter: &Parameter) -> String {
    if parameter.shape.is_some() { "ptr".to_owned() } else { argument_type(parameter.elem) }
}

#[derive(Clone)]
struct Writer<'a> {
    sequence: &'a Sequence,
    kernels: &'a [Callee<'a>],
    out: Straight,
    /// Labels of blocks so far.
    n_labels: usize,
}

impl Writer<'_> {
    fn number(&mut self, expr: &Expr) -> String {
        self.load_numbers(expr);
        expression_of(&mut self.out, expr).expect("the expressions of a sequence have no dimensions")
    }

    /// Loads what steps have set of what an expression is made of.
    fn load_numbers(&mut self, expr: &Expr) {
        let first = self.sequence.parameters.len();
        for number in symbols_of(expr).into_iter().filter_map(|symbol| symbol.checked_sub(first)) {
            if self.sequence.numbers[number] == Number::OfSteps {
                self.out.symbols[first + number].1 = self.out.compute(&format!("load i64, ptr {}", slot_name(number)));
            }
        }
    }

    /// Computes the numbers of the sequence, and makes slots for those that steps set.
    fn compute_numbers(&mut self) {
        for (at, number) in self.sequence.numbers.iter().enumerate() {
            let value = if *number == Number::OfSteps {
                let slot = slot_name(at);
                self.out.inst(&format!("{slot} = alloca i64"));
                self.out.inst(&format!("store i64 0, ptr {slot}"));
                String::new()
            } else {
                self.value(number)
            };
            self.out.symbols.push(("i64".to_owned(), value));
        }
    }

    fn value(&mut self, number: &Number) -> String {
        match number {
            Number::Of(a) => self.number(a),
            Number::Min(a, b) => self.chosen("slt", a, b),
            Number::Max(a, b) => self.chosen("sgt", a, b),
            Number::Equal(a, b) => self.compared("eq", a, b),
            Number::Less(a, b) => self.compared("slt", a, b),
            Number::Select(which, a, b) => {
                let is_chosen = self.is_not_zero(which);
                let [a, b] = [a, b].map(|side| self.number(side));
                self.out.compute(&format!("select i1 {is_chosen}, i64 {a}, i64 {b}"))
            }
            Number::Wrap(a, bits) => {
                let number = self.number(a);
                let number = self.out.compute(&format!("trunc i64 {number} to i{bits}"));
                self.out.compute(&format!("sext i{bits} {number} to i64"))
            }
            Number::Float(op, of, bits) => self.float(*op, of, *bits),
            Number::OfSteps => unreachable!("steps set it"),
        }
    }

    /// An operation on floats; LLVM knows the types of its own functions.
    fn float(&mut self, op: FloatOp, of: &[Expr], bits: u32) -> String {
        let type_of = |bits| if bits == 32 { "float" } else { "double" };
        let (result, operand) = (type_of(bits), type_of(op.operand_bits(bits)));
        let mut given = Vec::new();
        for expr in of {
            let number = self.number(expr);
            given.push(match op {
                FloatOp::OfInteger => number,
                _ => self.of_bits(&number, op.operand_bits(bits)),
            });
        }
        let written = match op.row().2 {
            Written::Converted(inst) => {
                let from = if op == FloatOp::OfInteger { "i64" } else { operand };
                format!("{inst} {from} {} to {result}", given[0])
            }
            Written::Called(function) => {
                let returned = if op == FloatOp::ToInteger { "i64" } else { result };
                let given: Vec<String> = given.iter().map(|value| format!("{operand} {value}")).collect();
                format!("call {returned} @llvm.{function}.f{bits}({})", given.join(", "))
            }
            Written::Computed(inst) => format!("{inst} {operand} {}", given.join(", ")),
            Written::Compared(how) => format!("fcmp {how} {operand} {}", given.join(", ")),
        };
        let value = self.out.compute(&written);
        match op {
            FloatOp::ToInteger => value,
            FloatOp::Less | FloatOp::LessEqual | FloatOp::Equal => self.out.compute(&format!("zext i1 {value} to i64")),
            _ if bits == 64 => self.out.compute(&format!("bitcast double {value} to i64")),
            _ => {
                let held = self.out.compute(&format!("bitcast float {value} to i32"));
                self.out.compute(&format!("zext i32 {held} to i64"))
            }
        }
    }

    /// The float of these bits of a number.
    fn of_bits(&mut self, number: &str, bits: u32) -> String {
        if bits == 64 {
            return self.out.compute(&format!("bitcast i64 {number} to double"));
        }
        let held = self.out.compute(&format!("trunc i64 {number} to i32"));
        self.out.compute(&format!("bitcast i32 {held} to float"))
    }

    /// The one of two numbers that this comparison holds for.
    fn chosen(&mut self, comparison: &str, a: &Expr, b: &Expr) -> String {
        let [a, b] = [a, b].map(|side| self.number(side));
        let is_chosen = self.out.compute(&format!("icmp {comparison} i64 {a}, {b}"));
        self.out.compute(&format!("select i1 {is_chosen}, i64 {a}, i64 {b}"))
    }

    fn compared(&mut self, comparison: &str, a: &Expr, b: &Expr) -> String {
        let [a, b] = [a, b].map(|side| self.number(side));
        let holds = self.out.compute(&format!("icmp {comparison} i64 {a}, {b}"));
        self.out.compute(&format!("zext i1 {holds} to i64"))
    }

    fn is_not_zero(&mut self, expr: &Expr) -> String {
        let number = self.number(expr);
        self.out.compute(&format!("icmp ne i64 {number}, 0"))
    }

    /// Returns the message of the first requirement that does not hold.
    fn require(&mut self) {
        let sequence = self.sequence;
        let mut message = "null".to_owned();
        for (number, requirement) in sequence.requirements.iter().enumerate().rev() {
            let holds = self.is_not_zero(&requirement.number);
            let other = message_name(sequence, number);
            message = self.out.compute(&format!("select i1 {holds}, ptr {message}, ptr {other}"));
        }
        let holds = self.out.compute(&format!("icmp eq ptr {message}, null"));
        self.out.inst(&format!("br i1 {holds}, label %begin, label %refuse"));
        let _ = write!(self.out.code, "\nrefuse:\n  ret ptr {message}\n\nbegin:\n");
    }

    /// A parameter as the function declares it.
    fn parameter(&self, at: usize) -> String {
        let (ty, name) = &self.out.symbols[at];
        let known = if ty == "ptr" { format!(" align {}", Parameter::ALIGNMENT) } else { String::new() };
        format!("{ty}{known} {name}")
    }

    fn function(mut self, name: &str, steps: &[Step], takes_parameters: bool, is_parallel: bool) -> String {
        let sequence = self.sequence;
        let n_parameters = if takes_parameters { sequence.parameters.len() } else { 0 };
        let mut list: Vec<String> = (0..n_parameters).map(|at| self.parameter(at)).collect();
        let memory = sequence.memory().into_iter().map(|memory| match memory {
            Memory::Weights => WEIGHTS,
            Memory::State => STATE,
            Memory::Workspace => WORKSPACE,
        });
        let fault = calls_any(steps, &|kernel| self.kernels[kernel].takes_fault).then_some(FAULT);
        let others = memory.chain(fault).chain(is_parallel.then_some(THREADS));
        list.extend(others.map(|name| format!("ptr {name}")));
        if takes_parameters {
            self.compute_numbers();
        }
        let (result, end) = match takes_parameters && !sequence.requirements.is_empty() {
            true => {
                self.require();
                ("ptr", "ret ptr null")
            }
            false => ("void", "ret void"),
        };
        self.steps(steps, is_parallel);
        let name = if is_parallel { parallel_name(name) } else { name.to_owned() };
        format!("\ndefine {result} @{name}({}) nounwind {{\n{}  {end}\n}}\n", list.join(", "), self.out.code)
    }

    /// How large the workspace is.
    fn workspace(mut self) -> String {
        let is_number = |at: &usize| self.sequence.parameters[*at].shape.is_none();
        let list: Vec<String> =
            (0..self.sequence.parameters.len()).filter(is_number).map(|at| self.parameter(at)).collect();
        self.compute_numbers();
        let bytes = self.number(&self.sequence.workspace_bytes);
        let name = workspace_name(&self.sequence.entry);
        format!("\ndefine i64 @{name}({}) nounwind {{\n{}  ret i64 {bytes}\n}}\n", list.join(", "), self.out.code)
    }

    fn steps(&mut self, steps: &[Step], is_parallel: bool) {
        steps.iter().for_each(|step| self.step(step, is_parallel));
    }

    /// Labels of blocks that no other step has.
    fn labels<const N: usize>(&mut self, names: [&str; N]) -> [String; N] {
        self.n_labels += 1;
        names.map(|name| format!("{name}{}", self.n_labels))
    }

    /// The block behind the one that ends here.
    fn begin(&mut self, label: &str) {
        let _ = write!(self.out.code, "\n{label}:\n");
    }

    /// A loop, whose body is given the number of the round.
    fn rounds(&mut self, count: &str, body: &mut dyn FnMut(&mut Self, &str)) {
        let [before, head, inside, end] = self.labels(["before", "head", "inside", "end"]);
        let round = format!("%{inside}_round");
        self.out.inst(&format!("br label %{before}"));
        self.begin(&before);
        self.out.inst(&format!("br label %{head}"));
        self.begin(&head);
        self.out.inst(&format!("{round} = phi i64 [ 0, %{before} ], [ {round}_next, %{inside} ]"));
        let goes_on = self.out.compute(&format!("icmp slt i64 {round}, {count}"));
        self.out.inst(&format!("br i1 {goes_on}, label %{inside}, label %{end}"));
        self.begin(&inside);
        body(self, &round);
        self.out.inst(&format!("{round}_next = add i64 {round}, 1"));
        self.out.inst(&format!("br label %{head}"));
        self.begin(&end);
    }

    /// Copies one row behind another.
    fn copy_rows(&mut self, [from, to]: [&str; 2], bytes: &str, Rows { count, pitches }: &Rows) {
        let count = self.number(count);
        let pitches = [&pitches[0], &pitches[1]].map(|pitch| self.number(pitch));
        self.rounds(&count, &mut |writer, row| {
            let mut address = |base: &str, pitch: &str| {
                let byte = writer.out.compute(&format!("mul i64 {row}, {pitch}"));
                writer.out.compute(&format!("getelementptr i8, ptr {base}, i64 {byte}"))
            };
            let [from, to] = [address(from, &pitches[0]), address(to, &pitches[1])];
            writer.out.inst(&format!("call void @{COPY}(ptr {to}, ptr {from}, i64 {bytes}, i1 false)"));
        });
    }

    /// Writes the same bytes again and again.
    fn fill(&mut self, to: &str, bytes: &Expr, with: &[u8]) {
        let bytes = self.number(bytes);
        if let &[byte] = with {
            return self.out.inst(&format!("call void @{FILL}(ptr {to}, i8 {byte}, i64 {bytes}, i1 false)"));
        }
        let value = with.iter().rev().fold(0u32, |value, &byte| value << 8 | u32::from(byte));
        let (size, bits) = (with.len(), 8 * with.len());
        let count = self.out.compute(&format!("udiv i64 {bytes}, {size}"));
        self.rounds(&count, &mut |writer, round| {
            let element = writer.out.compute(&format!("getelementptr i{bits}, ptr {to}, i64 {round}"));
            writer.out.inst(&format!("store i{bits} {value}, ptr {element}"));
        });
    }

    fn step(&mut self, step: &Step, is_parallel: bool) {
        match step {
            Step::Copy { from, to, bytes, rows } => {
                let [from, to] = [from, to].map(|place| self.place(place));
                let bytes = self.number(bytes);
                match rows {
                    None => self.out.inst(&format!("call void @{COPY}(ptr {to}, ptr {from}, i64 {bytes}, i1 false)")),
                    Some(rows) => self.copy_rows([&from, &to], &bytes, rows),
                }
            }
            Step::Fill { to, bytes, with } => {
                let to = self.place(to);
                self.fill(&to, bytes, with);
            }
            Step::Set { number, to } => {
                let value = self.value(to);
                self.out.inst(&format!("store i64 {value}, ptr {}", slot_name(*number)));
            }
            Step::Read { number, from, elem } => {
                let from = self.place(from);
                let bits = elem.bytes() * 8;
                let value = self.out.compute(&format!("load i{bits}, ptr {from}"));
                let extend = if elem.bits() == 1 || matches!(elem, Scalar::Float(_)) { "zext" } else { "sext" };
                let value = match bits {
                    64 => value,
                    _ => self.out.compute(&format!("{extend} i{bits} {value} to i64")),
                };
                self.out.inst(&format!("store i64 {value}, ptr {}", slot_name(*number)));
            }
            Step::Write { number, to, elem } => {
                let to = self.place(to);
                let mut value = self.number(number);
                let bits = elem.bytes() * 8;
                if bits < 64 {
                    value = self.out.compute(&format!("trunc i64 {value} to i{bits}"));
                }
                self.out.inst(&format!("store i{bits} {value}, ptr {to}"));
            }
            Step::If { flag, then, otherwise } => {
                let is_taken = self.is_not_zero(flag);
                let [first, second, end] = self.labels(["then", "else", "end"]);
                self.out.inst(&format!("br i1 {is_taken}, label %{first}, label %{second}"));
                for (label, steps) in [(first, then), (second, otherwise)] {
                    self.begin(&label);
                    self.steps(steps, is_parallel);
                    self.out.inst(&format!("br label %{end}"));
                }
                self.begin(&end);
            }
            Step::Loop { before, flag, after } => {
                let [head, body, end] = self.labels(["head", "body", "end"]);
                self.out.inst(&format!("br label %{head}"));
                self.begin(&head);
                self.steps(before, is_parallel);
                let goes_on = self.is_not_zero(flag);
                self.out.inst(&format!("br i1 {goes_on}, label %{body}, label %{end}"));
                self.begin(&body);
                self.steps(after, is_parallel);
                self.out.inst(&format!("br label %{head}"));
                self.begin(&end);
            }
            Step::Call { kernel, arguments } => {
                let Callee { entry, parameters, takes_fault } = &self.kernels[*kernel];
                let mut list = Vec::new();
                for (argument, parameter) in arguments.iter().zip(*parameters) {
                    let ty = argument_type(parameter.elem);
                    list.push(match argument {
                        Argument::Buffer(place) => format!("ptr {}", self.place(place)),
                        Argument::Scalar(at) => format!("{ty} %arg{at}"),
                        Argument::Number(number) => {
                            let number = self.number(number);
                            match ty.as_str() {
                                "i64" => format!("i64 {number}"),
                                _ => format!("{ty} {}", self.out.compute(&format!("trunc i64 {number} to {ty}"))),
                            }
                        }
                        Argument::Bits(bits) => {
                            let width = parameter.elem.bits();
                            let mut bits = self.number(bits);
                            if width < 64 {
                                bits = self.out.compute(&format!("trunc i64 {bits} to i{width}"));
                            }
                            if !ty.starts_with('i') {
                                bits = self.out.compute(&format!("bitcast i{width} {bits} to {ty}"));
                            }
                            format!("{ty} {bits}")
                        }
                    });
                }
                list.extend(takes_fault.then(|| format!("ptr {FAULT}")));
                list.extend(is_parallel.then(|| format!("ptr {THREADS}")));
                let name = if is_parallel { parallel_name(entry) } else { (*entry).to_owned() };
                self.out.inst(&format!("call void @{name}({})", list.join(", ")));
            }
        }
    }

    /// The address of a buffer.
    fn place(&mut self, Place { base, byte }: &Place) -> String {
        let sequence = self.sequence;
        let base = match *base {
            Base::Parameter(at) => format!("%arg{at}"),
            Base::Constant(at) if sequence.constants[at].bytes.is_some() => constant_name(sequence, at),
            Base::Constant(at) => {
                let number = sequence.weights().iter().position(|&weight| weight == at);
                let number = number.expect("a constant without bytes is a weight");
                let entry = self.out.compute(&format!("getelementptr ptr, ptr {WEIGHTS}, i64 {number}"));
                self.out.compute(&format!("load ptr, ptr {entry}"))
            }
            Base::State => STATE.to_owned(),
            Base::Workspace => WORKSPACE.to_owned(),
        };
        if *byte == Expr::Const(0) {
            return base;
        }
        let byte = self.number(byte);
        self.out.compute(&format!("getelementptr i8, ptr {base}, i64 {byte}"))
    }
}

/// Where a number lies that steps set.
fn slot_name(number: usize) -> String {
    format!("%number{number}")
}

const WEIGHTS: &str = "%weights";
const STATE: &str = "%state";
const WORKSPACE: &str = "%workspace";
const FAULT: &str = "%fault";
