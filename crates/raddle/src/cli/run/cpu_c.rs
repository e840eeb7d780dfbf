//! The device `cpu-c`: the object file and the header that `raddle build` writes, called by a program in C.
//!
//! The program is compiled by the C compiler of the chip's architecture, and another architecture than this machine's is
//! executed by QEMU. Buffers are aligned to 16 bytes and no more, and an access beyond one is found, by the page behind
//! or in front of it (`cpu_c.c`).

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use raddle::Kernel;
use raddle_ir::interface::Interface;
use raddle_ir::{Code, Diag, Ir, OpId, Type};
use raddle_run::{Counters, Device, Launch, Options, Outcome, Tensor};
use raddle_target::Chip;
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
/// The exit status of the program where an access went outside.
const OUTSIDE: i32 = 3;
/// The exit status where the kernel itself found an index outside.
const CHECKED: i32 = 5;

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
        let triple = raddle_emit::llvm::machine(chip).triple;
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

    /// The program that calls a kernel.
    fn program(&self, ir: &Ir, func: OpId) -> Result<PathBuf, Diag> {
        let cpu::Emitted { text, kernel } = cpu::Emitted::of(ir, func, self.chip)?;
        if let Some(path) = self.programs.borrow().get(&text) {
            return Ok(path.clone());
        }
        let number = self.programs.borrow().len();
        let [object, header, source, path] =
            ["o", "h", "c", "run"].map(|ending| self.folder.path().join(format!("k{number}.{ending}")));
        let machine = raddle_emit::llvm::machine(self.chip);
        let (code, _) = assemble::assemble(&text, &machine, assemble::Form::Object)?;
        write(&object, &code)?;
        write(&header, raddle::header_of([&kernel]).as_bytes())?;
        write(&source, format!("#include \"k{number}.h\"\n{}{PROGRAM}", call(&kernel)).as_bytes())?;
        let compiler = if is_here(self.architecture) { "cc" } else { self.architecture.compiler };
        let mut command = Command::new(compiler);
        command.args(FLAGS).arg(&source).arg(&object).arg("-lm").arg("-o").arg(&path);
        let output = self.output(command, &[], compiler)?;
        if !output.status.success() {
            return Err(Diag::nowhere(Code::BrokenPass, format!("`{compiler}` refuses the header or the object file"))
                .note(String::from_utf8_lossy(&output.stderr).trim().to_owned())
                .note("this is a bug in raddle, not in the program; please report it with the input"));
        }
        self.programs.borrow_mut().insert(text, path.clone());
        Ok(path)
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
        let path = self.program(ir, func)?;
        let mut command = if is_here(self.architecture) {
            Command::new(&path)
        } else {
            let mut command = Command::new(self.architecture.emulator);
            command.arg(&path);
            command
        };
        let in_place = Interface::in_place_args(ir, func)?;
        let earlier = |at: usize| in_place.iter().find(|(arg, _)| *arg == at).map(|&(_, earlier)| earlier);
        let mut input = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let n_bytes = arg.bytes.len();
            if let Some(earlier) = earlier(at) {
                command.arg(format!("={earlier}"));
                continue;
            }
            command.arg(format!("{}{n_bytes}", if is_buffer(at) { 'b' } else { 's' }));
            match options.uninitialised_args.contains(&at) {
                true => input.resize(input.len() + n_bytes, UNWRITTEN),
                false => input.extend_from_slice(&arg.bytes),
            }
        }
        let name = if is_here(self.architecture) { "the program" } else { self.architecture.emulator };
        let output = self.output(command, &input, name)?;
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        match output.status.code() {
            Some(0) => {}
            Some(CHECKED) => {
                let numbers: Vec<i64> = said.split(' ').filter_map(|number| number.parse().ok()).collect();
                return Err(match numbers[..] {
                    [index, extent, dimension, at] => {
                        cpu::Fault { index, extent, dimension: dimension as i32, at: at as u32 }.diag(ir, func)
                    }
                    _ => Diag::nowhere(Code::DeviceFault, "the program does not say what it found").note(said),
                });
            }
            Some(OUTSIDE) => {
                let message = format!("the kernel `{}` left its buffers", ir.symbol_name(func).unwrap_or_default());
                return Err(Diag::nowhere(Code::OutOfBounds, message)
                    .note(said)
                    .help("`--device=emu` names the access"));
            }
            _ => {
                let message = format!("the program ended with {}", output.status);
                return Err(Diag::nowhere(Code::DeviceFault, message).note(said));
            }
        }
        let mut rest = &output.stdout[..];
        let mut contents: Vec<Option<Vec<u8>>> = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            contents.push(match earlier(at) {
                Some(earlier) => contents[earlier].clone(),
                None if is_buffer(at) => match rest.split_at_checked(arg.bytes.len()) {
                    Some((bytes, behind)) => {
                        rest = behind;
                        Some(bytes.to_vec())
                    }
                    None => return Err(Diag::nowhere(Code::DeviceFault, "the program wrote too little")),
                },
                None => None,
            });
        }
        let tensors = contents.into_iter().zip(args);
        let buffers: Vec<Tensor> =
            tensors.filter_map(|(bytes, tensor)| Some(Tensor { bytes: bytes?, ..tensor.clone() })).collect();
        let writers = vec![Vec::new(); buffers.len()];
        Ok(Outcome { results: Vec::new(), buffers, writers, counters: Counters::default(), cost: None })
    }
}

/// Whether this machine is of the architecture.
fn is_here(architecture: &Architecture) -> bool {
    architecture.name == std::env::consts::ARCH
}

/// The call of a kernel as a macro of C. Scalars are copied to variables of their types first.
fn call(kernel: &Kernel) -> String {
    let (mut scalars, mut list) = (String::new(), Vec::new());
    for (at, parameter) in kernel.parameters.iter().enumerate() {
        if parameter.shape.is_some() {
            list.push(format!("arguments[{at}]"));
            continue;
        }
        let ty = parameter.c_type();
        let _ = write!(scalars, "{ty} s{at}; memcpy(&s{at}, arguments[{at}], sizeof s{at}); ");
        list.push(format!("s{at}"));
    }
    let (mut before, mut behind) = (scalars, "");
    if kernel.bounds_checks {
        before.push_str("struct raddle_fault f = {0}; ");
        list.push("&f".to_owned());
        behind = "if (f.kernel) { fprintf(stderr, \"%lld %lld %d %d\\n\", (long long)f.index, (long long)f.extent, \
                  (int)f.dimension, (int)f.line); exit(CHECKED); } ";
    }
    format!("#define CALL do {{ {before}{}({}); {behind}}} while (0)\n", kernel.entry, list.join(", "))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Diag> {
    std::fs::write(path, bytes)
        .map_err(|error| Diag::nowhere(Code::NoDevice, format!("cannot write {}: {error}", path.display())))
}
