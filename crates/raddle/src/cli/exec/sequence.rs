//! Functions of several kernels as launch data describe them (`sequences` of docs/launch-data.md): each kernel that one calls
//! is executed on its place in memory.

use raddle::evaluate;
use raddle_emit::sequence::FloatOp;
use raddle_ir::{Code, DYNAMIC, Diag, Scalar};
use raddle_run::spec::n_elements;
use raddle_run::{Counters, Options, Tensor, ptx};
use serde_json::Value;

use super::launch::{Kernel, Kind, Parameter, bad};

/// The lists of steps that a step may have.
const INNER: [&str; 4] = ["then", "else", "loop", "do"];
/// Rounds of one loop, at most.
const ROUNDS_MAX: u64 = 1 << 24;

/// A function that calls kernels.
pub struct Sequence {
    /// What it takes, as a kernel.
    pub callee: Kernel,
    kernels: Vec<Kernel>,
    data: Value,
}

/// The memory of a call.
struct Memory<'a> {
    sequence: &'a Sequence,
    /// The function's parameters.
    args: Vec<Tensor>,
    constants: Vec<Vec<u8>>,
    state: Vec<u8>,
    workspace: Vec<u8>,
    /// Names in expressions, and their values.
    names: Vec<String>,
    values: Vec<i64>,
}

/// Where a buffer begins: in which memory, and at which byte of it.
#[derive(Clone, Copy)]
struct Place {
    base: Base,
    byte: usize,
}

#[derive(Clone, Copy)]
enum Base {
    Parameter(usize),
    Constant(usize),
    State,
    Workspace,
}

impl Sequence {
    /// Whether a function calls each of these kernels.
    pub fn calls_all(sequence: &Value, kernels: &[Value]) -> bool {
        fn names<'a>(steps: Option<&'a Value>, called: &mut Vec<&'a Value>) {
            for step in steps.and_then(Value::as_array).into_iter().flatten() {
                called.extend(step.get("kernel"));
                INNER.iter().for_each(|list| names(step.get(list), called));
            }
        }
        let mut called = Vec::new();
        ["once", "steps"].iter().for_each(|list| names(sequence.get(list), &mut called));
        kernels.iter().all(|kernel| kernel.get("name").is_some_and(|name| called.contains(&name)))
    }

    pub fn of(sequence: &Value, kernels: Vec<Kernel>, path: &str) -> Result<Sequence, Diag> {
        Ok(Sequence { callee: Kernel::of(sequence, path)?, kernels, data: sequence.clone() })
    }

    fn bad(&self, why: &str) -> Diag {
        bad(&self.callee.path, &format!("`{}`: {why}", self.callee.entry))
    }

    fn list(&self, name: &str) -> Result<&[Value], Diag> {
        let list = self.data.get(name).and_then(Value::as_array);
        list.map(Vec::as_slice).ok_or_else(|| self.bad(&format!("it has no list of `{name}`")))
    }

    /// Executes the kernels one behind another; what the parameters are then.
    ///
    /// State and workspace together are at most `limit` bytes.
    pub fn run(
        &self,
        module: &ptx::Module,
        args: &[Tensor],
        options: &Options,
        limit: usize,
    ) -> Result<ptx::Outcome, Diag> {
        let mut memory = Memory::of(self, args, limit)?;
        let mut counters = Counters::default();
        for list in ["once", "steps"] {
            memory.steps(module, self.list(list)?, options, &mut counters)?;
        }
        Ok(ptx::Outcome { args: memory.args, counters, traffic: None })
    }
}

impl Memory<'_> {
    fn of<'a>(sequence: &'a Sequence, args: &[Tensor], limit: usize) -> Result<Memory<'a>, Diag> {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (parameter, arg) in sequence.callee.parameters.iter().zip(args) {
            if !matches!(parameter.kind, Kind::Buffer { .. }) && !matches!(parameter.elem, Scalar::Float(_)) {
                names.push(parameter.name.clone());
                values.push(arg.to_i64()[0]);
            }
        }
        let (args, constants, state, workspace) = (args.to_vec(), Vec::new(), Vec::new(), Vec::new());
        let mut memory = Memory { sequence, args, constants, state, workspace, names, values };
        for (at, number) in sequence.list("numbers")?.iter().enumerate() {
            // Steps set it.
            let value = if number.is_null() { Some(0) } else { memory.chosen(number) };
            let value = value.ok_or_else(|| sequence.bad(&format!("`{number}` is not a number")))?;
            memory.names.push(format!("n{at}"));
            memory.values.push(value);
        }
        memory.require()?;
        for constant in sequence.list("constants")? {
            let bytes = constant.get("data").and_then(Value::as_str).and_then(from_digits);
            memory.constants.push(bytes.ok_or_else(|| {
                let message = format!("`{}` needs weights that the launch data do not hold", sequence.callee.entry);
                let name = constant.get("name").and_then(Value::as_str).unwrap_or("one without a name");
                Diag::nowhere(Code::BadInput, message)
                    .note(format!("one is {name}"))
                    .help("`raddle run` makes random ones, and reads `--parameters=`")
            })?);
        }
        // What nobody has written is a NaN in every float type.
        let [state, workspace] = ["state_bytes", "workspace_bytes"].map(|name| memory.size(name));
        let (state, workspace) = (state?, workspace?);
        if state.saturating_add(workspace) > limit {
            let message =
                format!("state and workspace have {} bytes, and the limit is {limit}", state.saturating_add(workspace));
            return Err(Diag::nowhere(Code::TooLarge, message).help("raise it with `--memory`, as in `--memory=4G`"));
        }
        (memory.state, memory.workspace) = (vec![0xff; state], vec![0xff; workspace]);
        Ok(memory)
    }

    fn size(&self, name: &str) -> Result<usize, Diag> {
        let size = self.sequence.data.get(name).and_then(|size| usize::try_from(self.number(size)?).ok());
        size.ok_or_else(|| self.sequence.bad(&format!("`{name}` is not a number of bytes")))
    }

    /// A number, or the value of an expression.
    fn number(&self, value: &Value) -> Option<i64> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        match value {
            Value::String(text) => evaluate(text, &names, &self.values),
            // The bits of a float may be those of a negative number.
            number => number.as_i64().or_else(|| Some(number.as_u64()? as i64)),
        }
    }

    /// `min(a, b)`, `max(a, b)`, `equal(a, b)`, `less(a, b)`, `select(which, a, b)`, `wrap(a, bits)`, an operation on floats, or
    /// an expression.
    fn chosen(&self, number: &Value) -> Option<i64> {
        let call = number.as_str().and_then(|text| text.split_once('(')).filter(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'0'..=b'9'))
        });
        let Some((name, rest)) = call else { return self.number(number) };
        let given = rest.strip_suffix(')')?.split(", ").map(|text| self.number(&Value::from(text)));
        match (name, &given.collect::<Option<Vec<i64>>>()?[..]) {
            ("min", &[a, b]) => Some(a.min(b)),
            ("max", &[a, b]) => Some(a.max(b)),
            ("equal", &[a, b]) => Some((a == b).into()),
            ("less", &[a, b]) => Some((a < b).into()),
            ("select", &[which, a, b]) => Some(if which == 0 { b } else { a }),
            ("wrap", &[a, bits @ 1..=64]) => Some(a << (64 - bits) >> (64 - bits)),
            (name, given) => FloatOp::named(name).and_then(|(op, bits)| op.eval(given, bits)),
        }
    }

    /// Refuses arguments for which the program asserts something else.
    fn require(&self) -> Result<(), Diag> {
        for requirement in self.sequence.list("requirements")? {
            let number = requirement.get("number").and_then(|number| self.number(number));
            let number = number.ok_or_else(|| self.sequence.bad(&format!("`{requirement}` is not a requirement")))?;
            if number == 0 {
                let says = requirement.get("message").and_then(Value::as_str).unwrap_or_default();
                let message = format!("the assertion does not hold: {says}");
                return Err(Diag::nowhere(Code::Undefined, message));
            }
        }
        Ok(())
    }

    fn place(&self, value: &Value) -> Option<Place> {
        let at = |value: &Value| usize::try_from(self.number(value)?).ok();
        let of = |name: &str| value.get(name);
        let byte = of("byte").map_or(Some(0), at);
        let (base, byte) = if let Some(name) = of("parameter") {
            let mut parameters = self.sequence.callee.parameters.iter();
            (Base::Parameter(parameters.position(|parameter| name.as_str() == Some(&parameter.name))?), byte)
        } else if let Some(number) = of("constant") {
            (Base::Constant(at(number).filter(|&number| number < self.constants.len())?), byte)
        } else if let Some(byte) = of("state") {
            (Base::State, at(byte))
        } else {
            (Base::Workspace, at(of("workspace")?))
        };
        Some(Place { base, byte: byte? })
    }

    /// So many bytes from a place on.
    fn bytes(&mut self, Place { base, byte }: Place, n: usize) -> Option<&mut [u8]> {
        let memory = match base {
            Base::Parameter(at) => &mut self.args[at].bytes,
            Base::Constant(at) => &mut self.constants[at],
            Base::State => &mut self.state,
            Base::Workspace => &mut self.workspace,
        };
        memory.get_mut(byte..byte.checked_add(n)?)
    }

    fn steps(
        &mut self,
        module: &ptx::Module,
        steps: &[Value],
        options: &Options,
        counters: &mut Counters,
    ) -> Result<(), Diag> {
        steps.iter().try_for_each(|step| self.step(module, step, options, counters))
    }

    fn step(
        &mut self,
        module: &ptx::Module,
        step: &Value,
        options: &Options,
        counters: &mut Counters,
    ) -> Result<(), Diag> {
        let sequence = self.sequence;
        let wrong = || sequence.bad(&format!("`{step}` is not a step"));
        let list = |name: &str| step.get(name).and_then(Value::as_array).map(Vec::as_slice);
        if let Some(flag) = step.get("if") {
            let taken = if self.number(flag).ok_or_else(wrong)? != 0 { "then" } else { "else" };
            return self.steps(module, list(taken).ok_or_else(wrong)?, options, counters);
        }
        if let Some(flag) = step.get("while") {
            let (before, after) = list("loop").zip(list("do")).ok_or_else(wrong)?;
            for _ in 0..ROUNDS_MAX {
                self.steps(module, before, options, counters)?;
                if self.number(flag).ok_or_else(wrong)? == 0 {
                    return Ok(());
                }
                self.steps(module, after, options, counters)?;
            }
            let message = format!("limit: a loop of `{}` has more than {ROUNDS_MAX} rounds", sequence.callee.entry);
            return Err(Diag::nowhere(Code::LimitHit, message));
        }
        let Some(name) = step.get("kernel").and_then(Value::as_str) else {
            let done = match () {
                () if step.get("copy").is_some() => self.copy(step),
                () if step.get("fill").is_some() => self.fill(step),
                () if step.get("write").is_some() => self.write(step),
                () => self.set(step),
            };
            let outside = || sequence.bad(&format!("`{step}` is not a step, or it goes outside of its memory"));
            return done.ok_or_else(outside);
        };
        let kernel = sequence.kernels.iter().find(|kernel| kernel.name == name).ok_or_else(wrong)?;
        let given = step.get("arguments").and_then(Value::as_array);
        let given = given.filter(|given| given.len() == kernel.parameters.len()).ok_or_else(wrong)?;
        let (tensors, places) = self.arguments(kernel, given).ok_or_else(wrong)?;
        let grid = kernel.grid(&tensors)?;
        if grid.contains(&0) {
            return Ok(());
        }
        let launch = ptx::Launch {
            entry: Some(kernel.entry.clone()),
            grid,
            workgroup: kernel.workgroup,
            cluster: None,
            shared_bytes: kernel.dynamic_shared_bytes,
        };
        let is_only_written = |&at: &usize| matches!(kernel.parameters[at].kind, Kind::Buffer { is_read: false, .. });
        let uninitialised_args = (0..tensors.len()).filter(is_only_written).collect();
        let options = Options { uninitialised_args, ..options.clone() };
        let ran = ptx::run_passing(module, &tensors, &ptx::Passing::default(), &launch, &options)?;
        counters.add(&ran.counters);
        for ((place, parameter), arg) in places.into_iter().zip(&kernel.parameters).zip(&ran.args) {
            let bytes = &arg.bytes;
            if let (Some(place), Kind::Buffer { is_written: true, .. }) = (place, &parameter.kind) {
                self.bytes(place, bytes.len()).ok_or_else(wrong)?.copy_from_slice(bytes);
            }
        }
        Ok(())
    }

    fn copy(&mut self, step: &Value) -> Option<()> {
        let [from, to] = ["copy", "to"].map(|name| self.place(step.get(name)?));
        let (from, to) = (from?, to?);
        let n = usize::try_from(self.number(step.get("bytes")?)?).ok()?;
        let rows = step.get("rows").map_or(Some(1), |rows| self.number(rows))?;
        let pitch = |at: usize| match step.get("pitches") {
            Some(pitches) => usize::try_from(self.number(pitches.get(at)?)?).ok(),
            None => Some(0),
        };
        let (from_pitch, to_pitch) = (pitch(0)?, pitch(1)?);
        for row in 0..usize::try_from(rows).ok()? {
            let place = |place: Place, pitch: usize| {
                Some(Place { byte: place.byte.checked_add(row.checked_mul(pitch)?)?, ..place })
            };
            let bytes = self.bytes(place(from, from_pitch)?, n)?.to_vec();
            self.bytes(place(to, to_pitch)?, n)?.copy_from_slice(&bytes);
        }
        Some(())
    }

    fn fill(&mut self, step: &Value) -> Option<()> {
        let with = from_digits(step.get("with")?.as_str()?).filter(|with| !with.is_empty())?;
        let n = usize::try_from(self.number(step.get("bytes")?)?).ok()?;
        let to = self.place(step.get("fill")?)?;
        self.bytes(to, n)?.chunks_mut(with.len()).for_each(|chunk| chunk.copy_from_slice(&with[..chunk.len()]));
        Some(())
    }

    fn write(&mut self, step: &Value) -> Option<()> {
        let elem = Scalar::from_keyword(step.get("type")?.as_str()?)?;
        let bytes = self.number(step.get("write")?)?.to_le_bytes();
        let to = self.place(step.get("to")?)?;
        self.bytes(to, elem.bytes())?.copy_from_slice(bytes.get(..elem.bytes())?);
        Some(())
    }

    /// Sets a number: to another one, or to what lies in memory.
    fn set(&mut self, step: &Value) -> Option<()> {
        let (name, value) = if let Some(name) = step.get("set") {
            (name, self.chosen(step.get("to")?)?)
        } else {
            let elem = Scalar::from_keyword(step.get("type")?.as_str()?)?;
            let bytes = self.bytes(self.place(step.get("from")?)?, elem.bytes())?.to_vec();
            let value = match elem {
                Scalar::Float(_) => bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | i64::from(byte)),
                _ if elem.bits() == 1 => i64::from(bytes[0]),
                _ => Tensor { elem, shape: Vec::new(), bytes }.to_i64()[0],
            };
            (step.get("read")?, value)
        };
        let at = self.names.iter().position(|known| name.as_str() == Some(known))?;
        self.values[at] = value;
        Some(())
    }

    /// The tensors that a kernel is called with, and where those lie that are buffers.
    fn arguments(&mut self, kernel: &Kernel, given: &[Value]) -> Option<(Vec<Tensor>, Vec<Option<Place>>)> {
        let parameters = kernel.parameters.iter();
        let number = |(value, parameter): (&Value, &Parameter)| match parameter.kind {
            Kind::Buffer { .. } => Some(None),
            Kind::Scalar | Kind::Extent { .. } => self.scalar(value, parameter.elem).map(Some),
        };
        let mut tensors: Vec<Option<Tensor>> = given.iter().zip(parameters).map(number).collect::<Option<_>>()?;
        let mut places = vec![None; given.len()];
        for (at, (value, parameter)) in given.iter().zip(&kernel.parameters).enumerate() {
            let Kind::Buffer { shape, .. } = &parameter.kind else { continue };
            let mut shape = shape.clone();
            for (other, tensor) in kernel.parameters.iter().zip(&tensors) {
                if let (Kind::Extent { of, dim }, Some(tensor)) = (&other.kind, tensor)
                    && *of == parameter.name
                    && let Some(extent @ &mut DYNAMIC) = shape.get_mut(*dim)
                {
                    *extent = tensor.to_i64()[0];
                }
            }
            let n = n_elements(&shape, parameter.elem).ok()?;
            let place = self.place(value)?;
            let bytes = self.bytes(place, n * parameter.elem.bytes())?.to_vec();
            if shape.is_empty() {
                shape.push(1);
            }
            tensors[at] = Some(Tensor { elem: parameter.elem, shape, bytes });
            places[at] = Some(place);
        }
        Some((tensors.into_iter().collect::<Option<_>>()?, places))
    }

    /// A number that a kernel is called with.
    fn scalar(&self, value: &Value, elem: Scalar) -> Option<Tensor> {
        if let Some(number) = value.get("number") {
            return Some(Tensor::from_i64(elem, &[], &[self.number(number)?]));
        }
        if let Some(bits) = value.get("bits") {
            let bytes = self.number(bits)?.to_le_bytes().get(..elem.bytes())?.to_vec();
            return Some(Tensor { elem, shape: Vec::new(), bytes });
        }
        let Base::Parameter(at) = self.place(value)?.base else { return None };
        Some(&self.args[at]).filter(|arg| arg.shape.is_empty() && arg.elem == elem).cloned()
    }
}

/// The bytes that hexadecimal digits spell.
fn from_digits(text: &str) -> Option<Vec<u8>> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}
