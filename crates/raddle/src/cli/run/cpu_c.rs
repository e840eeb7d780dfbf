//! The device `cpu-c`: the object file and the header that `raddle build` writes, called by a program in C.
//!
//! The program is compiled by the C compiler of the chip's architecture, and another architecture than this machine's is
//! executed by QEMU. Buffers are aligned to 16 bytes and no more, and an access beyond one is found, by the page behind
//! or in front of it (`cpu_c.c`).

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use raddle::pipeline::Host;
use raddle::{Kernel, Parameter, Sequence};
use raddle_emit::llvm;
use raddle_emit::sequence::{Memory, Step, calls_any};
use raddle_ir::interface::Interface;
use raddle_ir::{Code, Diag, Expr, Ir, OpId, Type};
use raddle_run::{Counters, Device, Launch, Options, Outcome, Tensor};
use raddle_target::{Chip, Lowered};
use tempfile::TempDir;

use super::super::assemble;
use super::cpu::{self, UNWRITTEN};
use super::ptx_emu::nothing;

/// As users type it.
pub const NAME: &str = "cpu-c";
/// What it is.
pub const SENTENCE: &str =
    "the object file and header for a CPU, called by a program in C; other architectures by QEMU";

/// The program around the kernel.
const PROGRAM: &str = include_str!("cpu_c.c");
/// How it is compiled: the header must not cause warnings.
const FLAGS: &[&str] = &["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-static"];
/// Arguments that the program takes, at most.
const ARGUMENTS_MAX: usize = 999;
/// The exit status of the program where an access went outside.
const OUTSIDE: i32 = 3;
/// The exit status where the kernel itself found an index outside.
const CHECKED: i32 = 5;
/// The exit status where the function said what does not hold of its arguments.
const REFUSED: i32 = 6;

/// How programs in C come to an architecture, and run where the machine has another one.
struct Architecture {
    name: &'static str,
    compiler: &'static str,
    emulator: &'static str,
    /// What brings both on Debian.
    packages: &'static str,
}

const ARCHITECTURES: &[Architecture] = &[
    Architecture {
        name: "aarch64",
        compiler: "aarch64-linux-gnu-gcc",
        emulator: "qemu-aarch64",
        packages: "gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user",
    },
    Architecture {
        name: "x86_64",
        compiler: "x86_64-linux-gnu-gcc",
        emulator: "qemu-x86_64",
        packages: "gcc-x86-64-linux-gnu libc6-dev-amd64-cross qemu-user",
    },
];

/// A CPU of the table, by way of C.
pub struct CpuC {
    chip: &'static Chip,
    architecture: &'static Architecture,
    /// Where programs lie; they go with it.
    folder: TempDir,
    /// The program of each kernel that has been compiled, by its LLVM IR.
    programs: RefCell<HashMap<String, PathBuf>>,
}

impl CpuC {
    /// This chip, if this machine or QEMU runs its code.
    pub fn new(chip: &'static Chip) -> Result<CpuC, Diag> {
        let triple = llvm::machine(chip).triple;
        let architecture = ARCHITECTURES.iter().find(|row| chip.native.is_some() && triple.starts_with(row.name));
        let Some(architecture) = architecture else {
            return Err(Diag::nowhere(Code::NoDevice, format!("{} is no CPU", chip.name))
                .help("`--target=host`, `--target=x86-64-v3` or `--target=aarch64` are"));
        };
        if is_here(architecture) && !raddle_run::cpu::runs(chip.name) {
            return Err(cpu::not_here(chip));
        }
        let folder = tempfile::tempdir()
            .map_err(|error| Diag::nowhere(Code::NoDevice, format!("there is no place for the program: {error}")))?;
        Ok(CpuC { chip, architecture, folder, programs: RefCell::default() })
    }

    /// The program that calls what is in an object file.
    fn program(&self, text: &str, header: &str, call: &str) -> Result<PathBuf, Diag> {
        if let Some(path) = self.programs.borrow().get(text) {
            return Ok(path.clone());
        }
        let number = self.programs.borrow().len();
        let [object, declarations, source, path] =
            ["o", "h", "c", "run"].map(|ending| self.folder.path().join(format!("k{number}.{ending}")));
        let machine = llvm::machine(self.chip);
        let (code, _) = assemble::assemble(text, &machine, assemble::Form::Object)?;
        write(&object, &code)?;
        write(&declarations, header.as_bytes())?;
        write(&source, format!("#include \"k{number}.h\"\n{call}{PROGRAM}").as_bytes())?;
        let compiler = if is_here(self.architecture) { "cc" } else { self.architecture.compiler };
        let mut command = Command::new(compiler);
        command.args(FLAGS).arg(&source).arg(&object).arg("-lm").arg("-o").arg(&path);
        let output = self.output(command, &[], compiler)?;
        if !output.status.success() {
            return Err(Diag::nowhere(Code::BrokenPass, format!("`{compiler}` refuses the header or the object file"))
                .note(String::from_utf8_lossy(&output.stderr).trim().to_owned())
                .note("this is a bug in raddle, not in the program; please report it with the input"));
        }
        self.programs.borrow_mut().insert(text.to_owned(), path.clone());
        Ok(path)
    }

    /// The results of a function of several kernels; `None` for one that is not a sequence of calls.
    fn run_whole(&self, host: &Host, ir: &Ir, kernels: &[OpId], args: &[Tensor]) -> Result<Option<Vec<Tensor>>, Diag> {
        let lowered =
            kernels.iter().map(|&kernel| Lowered::check(ir, kernel, self.chip)).collect::<Result<Vec<_>, _>>()?;
        let kernels = lowered.iter().map(|kernel| Kernel::of_lowered(ir, kernel)).collect::<Result<Vec<_>, _>>()?;
        let Ok(sequence) = host.sequence(&kernels, self.chip) else { return Ok(None) };
        if !sequence.weights().is_empty() || sequence.parameters.len() + sequence.memory().len() > ARGUMENTS_MAX {
            return Ok(None);
        }
        let callees: Vec<llvm::Callee<'_>> = kernels.iter().map(Kernel::callee).collect();
        let mut text = llvm::emit_all(ir, &lowered, &llvm::Options::default())?;
        text.push_str(&llvm::sequence(&sequence, &callees));
        let header = raddle::header_of(&kernels, [(&sequence, &kernels[..])]);
        let path = self.program(&text, &header, &call_whole(&sequence, &kernels))?;

        let numbers = |parameter: &Parameter, given: Option<&Tensor>| match (given, parameter.extent_of) {
            (Some(tensor), _) if parameter.shape.is_none() => tensor.to_i64()[0],
            (None, Some((argument, dim))) => args[argument].shape[dim],
            _ => 0,
        };
        let parameters = sequence.parameters.iter().enumerate();
        let numbers: Vec<i64> = parameters.map(|(at, parameter)| numbers(parameter, args.get(at))).collect();
        let unknown = || Diag::nowhere(Code::BadInput, "the extents of the results do not follow from these arguments");
        let symbols = sequence.symbols(&numbers).ok_or_else(unknown)?;
        let mut given: Vec<Given<'_>> = Vec::new();
        let mut results = Vec::new();
        for (at, parameter) in sequence.parameters.iter().enumerate() {
            let Some(shape) = &parameter.shape else {
                let bytes = args.get(at).map_or_else(|| numbers[at].to_le_bytes().to_vec(), |arg| arg.bytes.clone());
                given.push(Given::Scalar(bytes.into()));
                continue;
            };
            if let Some(arg) = args.get(at) {
                given.push(Given::Buffer(arg.bytes.as_slice().into()));
                continue;
            }
            let extents =
                parameter.extents.as_ref().map(|extents| extents.iter().map(|extent| extent.eval(&[], &symbols)));
            let shape = extents.map_or_else(|| Some(shape.clone()), |extents| extents.collect()).ok_or_else(unknown)?;
            let mut tensor = Tensor::zeros(parameter.elem, &shape);
            tensor.bytes.fill(UNWRITTEN);
            given.push(Given::Buffer(tensor.bytes.clone().into()));
            results.push((at, tensor));
        }
        for part in sequence.memory() {
            let bytes = match part {
                Memory::Workspace => sequence.workspace_bytes.eval(&[], &symbols).ok_or_else(unknown)? as u64,
                Memory::State | Memory::Weights => sequence.state_bytes,
            };
            given.push(Given::Buffer(vec![UNWRITTEN; bytes as usize].into()));
        }
        let contents =
            self.call(&path, &given).map_err(|failure| failure.diag(&format!("`{}`", sequence.name), None))?;
        let filled =
            |(at, tensor): (usize, Tensor)| Tensor { bytes: contents[at].clone().unwrap_or_default(), ..tensor };
        Ok(Some(results.into_iter().map(filled).collect()))
    }

    /// Runs a program on these arguments; what buffers hold then.
    fn call(&self, path: &Path, given: &[Given<'_>]) -> Result<Vec<Option<Vec<u8>>>, Failure> {
        let mut command = if is_here(self.architecture) {
            Command::new(path)
        } else {
            let mut command = Command::new(self.architecture.emulator);
            command.arg(path);
            command
        };
        let mut input = Vec::new();
        for arg in given {
            let (kind, bytes) = match arg {
                Given::Same(earlier) => {
                    command.arg(format!("={earlier}"));
                    continue;
                }
                Given::Buffer(bytes) => ('b', bytes),
                Given::Scalar(bytes) => ('s', bytes),
            };
            command.arg(format!("{kind}{}", bytes.len()));
            input.extend_from_slice(bytes);
        }
        let name = if is_here(self.architecture) { "the program" } else { self.architecture.emulator };
        let output = self.output(command, &input, name).map_err(Failure::Other)?;
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        match output.status.code() {
            Some(0) => {}
            Some(CHECKED) => {
                let numbers: Vec<i64> = said.split(' ').filter_map(|number| number.parse().ok()).collect();
                return Err(match numbers[..] {
                    [index, extent, dimension, at] => {
                        Failure::Checked(cpu::Fault { index, extent, dimension: dimension as i32, at: at as u32 })
                    }
                    _ => Failure::Other(
                        Diag::nowhere(Code::DeviceFault, "the program does not say what it found").note(said),
                    ),
                });
            }
            Some(OUTSIDE) => return Err(Failure::Outside(said)),
            Some(REFUSED) => {
                let message = format!("the assertion does not hold: {said}");
                return Err(Failure::Other(Diag::nowhere(Code::Undefined, message)));
            }
            _ => {
                let message = format!("the program ended with {}", output.status);
                return Err(Failure::Other(Diag::nowhere(Code::DeviceFault, message).note(said)));
            }
        }
        let mut rest = &output.stdout[..];
        let mut contents: Vec<Option<Vec<u8>>> = Vec::new();
        for arg in given {
            contents.push(match arg {
                Given::Same(earlier) => contents[*earlier].clone(),
                Given::Scalar(_) => None,
                Given::Buffer(bytes) => match rest.split_at_checked(bytes.len()) {
                    Some((bytes, behind)) => {
                        rest = behind;
                        Some(bytes.to_vec())
                    }
                    None => {
                        return Err(Failure::Other(Diag::nowhere(Code::DeviceFault, "the program wrote too little")));
                    }
                },
            });
        }
        Ok(contents)
    }

    /// Runs a program on an input.
    fn output(&self, mut command: Command, input: &[u8], name: &str) -> Result<Output, Diag> {
        let failed = |error: std::io::Error| {
            let diag = Diag::nowhere(Code::NoDevice, format!("cannot run `{name}`: {error}"));
            if is_here(self.architecture) {
                return diag.help("install a C compiler: on Debian and Ubuntu `apt-get install gcc libc6-dev`");
            }
            diag.help(format!("install it: on Debian and Ubuntu `apt-get install {}`", self.architecture.packages))
        };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let mut stdin = child.stdin.take().expect("the input is a pipe");
        std::thread::scope(|scope| {
            // One that ends early says why itself.
            scope.spawn(move || {
                let _ = stdin.write_all(input);
            });
            child.wait_with_output().map_err(failed)
        })
    }
}

/// Calls a function of several kernels, whose arguments are these: its results. `None` on another device, which calls kernels
/// alone, and for a function that is not a sequence of calls.
pub fn run_whole(
    (device, chip): (&dyn Device, &'static Chip),
    host: &Host,
    ir: &Ir,
    kernels: &[OpId],
    args: &[Tensor],
) -> Result<Option<Vec<Tensor>>, Diag> {
    if device.name() == NAME { CpuC::new(chip)?.run_whole(host, ir, kernels, args) } else { Ok(None) }
}

impl Device for CpuC {
    fn name(&self) -> &'static str {
        NAME
    }

    fn sentence(&self) -> &'static str {
        SENTENCE
    }

    fn run(&self, ir: &Ir, func: OpId, args: &[Tensor], launch: &Launch, options: &Options) -> Result<Outcome, Diag> {
        cpu::check_grid(ir, func, launch)?;
        let (types, _) = ir.signature(func);
        let is_buffer = |arg: usize| matches!(ir[types[arg]], Type::MemRef { .. });
        if launch.grid.contains(&0) {
            return Ok(nothing(args, is_buffer));
        }
        let cpu::Emitted { text, kernel } = cpu::Emitted::of(ir, func, self.chip)?;
        let path = self.program(&text, &raddle::header_of([&kernel], []), &call(&kernel))?;
        let in_place = Interface::in_place_args(ir, func)?;
        let given = |at: usize| {
            let bytes = args[at].bytes.as_slice();
            match in_place.iter().find(|(arg, _)| *arg == at) {
                Some(&(_, earlier)) => Given::Same(earlier),
                None if options.uninitialised_args.contains(&at) => Given::Buffer(vec![UNWRITTEN; bytes.len()].into()),
                None if is_buffer(at) => Given::Buffer(bytes.into()),
                None => Given::Scalar(bytes.into()),
            }
        };
        let given: Vec<Given<'_>> = (0..args.len()).map(given).collect();
        let name = format!("the kernel `{}`", ir.symbol_name(func).unwrap_or_default());
        let contents = self.call(&path, &given).map_err(|failure| failure.diag(&name, Some((ir, func))))?;
        let tensors = contents.into_iter().zip(args);
        let buffers: Vec<Tensor> =
            tensors.filter_map(|(bytes, tensor)| Some(Tensor { bytes: bytes?, ..tensor.clone() })).collect();
        let writers = vec![Vec::new(); buffers.len()];
        Ok(Outcome { results: Vec::new(), buffers, writers, counters: Counters::default(), cost: None })
    }
}

/// An argument of the program.
enum Given<'a> {
    Buffer(Cow<'a, [u8]>),
    Scalar(Cow<'a, [u8]>),
    /// The buffer of an earlier one.
    Same(usize),
}

/// Why there are no results.
enum Failure {
    /// An access left the buffers, as the program says.
    Outside(String),
    /// An index was found outside.
    Checked(cpu::Fault),
    Other(Diag),
}

impl Failure {
    /// The diagnostic, where this was called; places are those of a kernel.
    fn diag(self, name: &str, kernel: Option<(&Ir, OpId)>) -> Diag {
        match (self, kernel) {
            (Failure::Other(diag), _) => diag,
            (Failure::Checked(fault), Some((ir, func))) => fault.diag(ir, func),
            (Failure::Checked(cpu::Fault { index, extent, dimension, .. }), None) => {
                let message = format!("index {index} along dimension {dimension}, whose extent is {extent}, in {name}");
                Diag::nowhere(Code::OutOfBounds, message).help("`--device=cpu` names the access")
            }
            (Failure::Outside(said), _) => Diag::nowhere(Code::OutOfBounds, format!("{name} left its buffers"))
                .note(said)
                .help("`--device=emu` names the access"),
        }
    }
}

/// Whether this machine is of the architecture.
fn is_here(architecture: &Architecture) -> bool {
    architecture.name == std::env::consts::ARCH
}

/// The call of a function of C.
struct Call<'a> {
    name: &'a str,
    list: Vec<String>,
    /// Whether it checks indices.
    checks: bool,
    /// Whether it says what does not hold of its arguments.
    says: bool,
}

/// The call of a kernel as a macro of C.
fn call(kernel: &Kernel) -> String {
    let (scalars, list) = listed(&kernel.parameters);
    macro_of(&scalars, &[Call { name: &kernel.entry, list, checks: kernel.bounds_checks, says: false }])
}

/// The call of a function of several kernels: behind its arguments the program has state and workspace.
fn call_whole(sequence: &Sequence, kernels: &[Kernel]) -> String {
    let (scalars, mut list) = listed(&sequence.parameters);
    let n = sequence.parameters.len();
    let checks = |steps: &[Step]| calls_any(steps, &|kernel| kernels[kernel].bounds_checks);
    let memory: Vec<String> = (n..n + sequence.memory().len()).map(|at| format!("arguments[{at}]")).collect();
    let initialize = llvm::initialize_name(&sequence.entry);
    let mut calls = Vec::new();
    if !sequence.once.is_empty() {
        let checks = checks(&sequence.once);
        calls.push(Call { name: &initialize, list: memory.clone(), checks, says: false });
    }
    list.extend(memory);
    let says = !sequence.requirements.is_empty();
    calls.push(Call { name: &sequence.entry, list, checks: checks(&sequence.steps), says });
    let mut before = scalars;
    // What the header says must be what this program was given.
    if sequence.memory().last() == Some(&Memory::Workspace) {
        let name = llvm::workspace_name(&sequence.entry);
        let size = match sequence.workspace_bytes {
            Expr::Const(_) => name,
            _ => {
                let is_number = |at: &usize| sequence.parameters[*at].shape.is_none();
                let numbers: Vec<String> = (0..n).filter(is_number).map(|at| format!("s{at}")).collect();
                format!("{name}({})", numbers.join(", "))
            }
        };
        let _ = write!(
            before,
            "if (buffers[{}].size != (size_t){size}) broken(\"the workspace has another size\"); ",
            n + sequence.memory().len() - 1
        );
    }
    macro_of(&before, &calls)
}

/// Scalars are copied to variables of their types first: these statements, and the arguments.
fn listed(parameters: &[Parameter]) -> (String, Vec<String>) {
    let (mut scalars, mut list) = (String::new(), Vec::new());
    for (at, parameter) in parameters.iter().enumerate() {
        if parameter.shape.is_some() {
            list.push(format!("arguments[{at}]"));
            continue;
        }
        let ty = parameter.c_type();
        let _ = write!(scalars, "{ty} s{at}; memcpy(&s{at}, arguments[{at}], sizeof s{at}); ");
        list.push(format!("s{at}"));
    }
    (scalars, list)
}

/// Calls of functions as two macros of C: on this thread, and on the program's threads.
fn macro_of(before: &str, calls: &[Call<'_>]) -> String {
    let mut bodies = [before.to_owned(), before.to_owned()];
    for (body, is_parallel) in bodies.iter_mut().zip([false, true]) {
        if calls.iter().any(|call| call.checks) {
            body.push_str("struct raddle_fault f = {0}; ");
        }
        for Call { name, list, checks, says } in calls {
            let mut list = list.clone();
            list.extend(checks.then(|| "&f".to_owned()));
            list.extend(is_parallel.then(|| "&threads".to_owned()));
            let name = if is_parallel { llvm::parallel_name(name) } else { (*name).to_owned() };
            let call = format!("{name}({})", list.join(", "));
            let _ = match says {
                true => write!(body, "const char *why = {call}; if (why) refused(why); "),
                false => write!(body, "{call}; "),
            };
            if *checks {
                body.push_str(
                    "if (f.kernel) { fprintf(stderr, \"%lld %lld %d %d\\n\", (long long)f.index, (long long)f.extent, \
                     (int)f.dimension, (int)f.line); exit(CHECKED); } ",
                );
            }
        }
    }
    let [call, parallel] = bodies;
    format!("#define CALL do {{ {call}}} while (0)\n#define CALL_PARALLEL do {{ {parallel}}} while (0)\n")
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Diag> {
    std::fs::write(path, bytes)
        .map_err(|error| Diag::nowhere(Code::NoDevice, format!("cannot write {}: {error}", path.display())))
}
