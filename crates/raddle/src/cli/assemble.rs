//! From LLVM IR to assembly, object files and code objects: by libLLVM, or by the programs `llc` and `ld.lld`.
//!
//! The library is looked for first, then the programs; `RADDLE_LLVM` names one library or one `llc`, and then nothing
//! else is looked for. Object files are linked by `ld.lld`, of any version from 19 on.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use raddle::{Artifact, Resources};
use raddle_emit::llvm::Machine;
use raddle_ir::{Code, Diag};
use raddle_run::llvm::{self, Llvm, VERSION_MIN};

/// The variable that names another library or compiler than the installed one.
pub const LLVM: &str = "RADDLE_LLVM";
/// The newest version whose programs are looked for by their numbers.
const VERSION_MAX: u32 = 30;

/// The library or compiler that the variable names; an empty one names none.
pub fn named() -> Option<String> {
    std::env::var(LLVM).ok().filter(|name| !name.is_empty())
}

/// What is made of LLVM IR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Assembly text.
    Assembly,
    /// A relocatable object file.
    Object,
    /// What a driver loads.
    CodeObject,
}

/// Who compiles.
enum Compiler {
    Library(Box<Llvm>),
    /// `llc`, by its name or path, and its version.
    Program(String, u32),
}

impl Compiler {
    fn of(library: Llvm) -> Compiler {
        Compiler::Library(Box::new(library))
    }

    fn find() -> Result<Compiler, Diag> {
        let named = named();
        let is_library = |name: &str| name.contains(".so") || name.contains(".dylib") || name.contains(".dll");
        match named.as_deref() {
            Some(name) if is_library(name) => Llvm::open(Some(name)).map(Compiler::of),
            Some(name) => {
                let version = version_of(name);
                match version.filter(|&version| version >= VERSION_MIN) {
                    Some(version) => Ok(Compiler::Program(name.to_owned(), version)),
                    None => {
                        let what = match version {
                            Some(version) => format!("`{name}` is LLVM {version}, which is too old"),
                            None => format!("`{name}`, which {LLVM} names, is neither libLLVM nor `llc`"),
                        };
                        Err(Diag::nowhere(Code::NoLlvm, what).help(llvm::PACKAGE))
                    }
                }
            }
            None => Llvm::open(None).map(Compiler::of).or_else(|missing| {
                let found = newest("llc").map(|(name, version)| Compiler::Program(name, version));
                found.ok_or_else(|| missing.help("raddle build --emit=llvm writes the program without LLVM"))
            }),
        }
    }

    fn version(&self) -> u32 {
        match self {
            Compiler::Library(library) => library.version(),
            Compiler::Program(_, version) => *version,
        }
    }

    fn assembly(&self, text: &str, machine: &Machine) -> Result<String, Diag> {
        let assembly = self.compile(text, machine, llvm::Form::Assembly)?;
        Ok(String::from_utf8_lossy(&assembly).into_owned())
    }

    fn compile(&self, text: &str, machine: &Machine, form: llvm::Form) -> Result<Vec<u8>, Diag> {
        match self {
            Compiler::Library(library) => library.compile(text, machine.triple, machine.cpu, form),
            Compiler::Program(name, _) => {
                let kind = match form {
                    llvm::Form::Assembly => "asm",
                    llvm::Form::Object => "obj",
                };
                let mut command = Command::new(name);
                command.arg(format!("-mtriple={}", machine.triple)).arg(format!("-mcpu={}", machine.cpu));
                command.args(["-O3", &format!("-filetype={kind}"), "-o", "-", "-"]);
                run(command, text.as_bytes(), name)
            }
        }
    }
}

/// What each kernel, by the name of its entry, takes of the machine.
pub type Taken = Vec<(String, Resources)>;

/// Machine code of a module, and what each kernel of it takes of the machine.
pub fn assemble(text: &str, machine: &Machine, form: Form) -> Result<(Vec<u8>, Taken), Diag> {
    let compiler = Compiler::find()?;
    if compiler.version() < machine.version_min {
        let message = format!("LLVM {} does not know {}", compiler.version(), machine.cpu);
        return Err(Diag::nowhere(Code::NoLlvm, message).help(format!(
            "{} needs LLVM {} or newer; `{LLVM}` names another library",
            machine.cpu, machine.version_min
        )));
    }
    // Only kernels of GPUs say in their assembly what they take.
    let is_gpu = machine.triple.starts_with("amdgcn");
    let mut text = text.to_owned();
    let mut assembly = String::new();
    if is_gpu || form == Form::Assembly {
        assembly = compiler.assembly(&text, machine)?;
    }
    if is_gpu {
        let again = Again { compiler: &compiler, machine };
        let moves = |assembly: &str, name: &str, _: &Resources| moves_sums(assembly, name);
        again.compile(&mut text, &mut assembly, &moves, &raddle_emit::llvm::without_accumulation, |new, old| {
            new <= old
        })?;
        let spills = |_: &str, _: &str, found: &Resources| found.scratch_bytes > 0;
        again.compile(&mut text, &mut assembly, &spills, &raddle_emit::llvm::in_order, |new, old| new < old)?;
    }
    let resources = resources(&assembly);
    let code = match form {
        Form::Assembly => assembly.into_bytes(),
        Form::Object => compiler.compile(&text, machine, llvm::Form::Object)?,
        Form::CodeObject => link(&compiler.compile(&text, machine, llvm::Form::Object)?)?,
    };
    Ok((code, resources))
}

/// A program with some of its kernels written in another way.
type Rewrite = dyn Fn(&str, &dyn Fn(&str) -> bool) -> String;

/// Compiles kernels a second time.
struct Again<'a> {
    compiler: &'a Compiler,
    machine: &'a Machine,
}

impl Again<'_> {
    /// Compiles the kernels that are `wanted`, by what their assembly says, in another way: those that move sums between
    /// accumulation registers and vector registers without the former, and those that have scratch memory in the order of
    /// the text. Those whose scratch memory is not `better` then stay as they are.
    fn compile(
        &self,
        text: &mut String,
        assembly: &mut String,
        wanted: &dyn Fn(&str, &str, &Resources) -> bool,
        rewrite: &Rewrite,
        better: fn(u32, u32) -> bool,
    ) -> Result<(), Diag> {
        let before = resources(assembly);
        let is_wanted = |(name, found): &&(String, Resources)| wanted(assembly, name, found);
        let mut picked: Vec<&(String, Resources)> = before.iter().filter(is_wanted).collect();
        while !picked.is_empty() {
            let is_picked = |name: &str| picked.iter().any(|(other, _)| other == name);
            let new_text = rewrite(text, &is_picked);
            let new = self.compiler.assembly(&new_text, self.machine)?;
            let after = resources(&new);
            let n_before = picked.len();
            picked.retain(|(name, before)| {
                let found = after.iter().find(|(other, _)| other == name);
                found.is_some_and(|(_, after)| better(after.scratch_bytes, before.scratch_bytes))
            });
            if picked.len() == n_before {
                (*text, *assembly) = (new_text, new);
                break;
            }
        }
        Ok(())
    }
}

/// Whether the code of a kernel moves contents of accumulation registers.
fn moves_sums(assembly: &str, kernel: &str) -> bool {
    let code = assembly.split_once(&format!("\n{kernel}:")).map_or("", |(_, rest)| rest);
    code.split("\n.Lfunc_end").next().is_some_and(|code| code.contains("v_accvgpr_"))
}

/// Says of each kernel what it takes of the machine.
pub fn note(artifact: &mut Artifact, resources: &[(String, Resources)]) {
    for kernel in &mut artifact.kernels {
        kernel.resources = resources.iter().find(|(entry, _)| *entry == kernel.entry).map(|(_, found)| found.clone());
    }
}

/// What the metadata of an assembly text says of its kernels: LLVM, "Code Object V5 Metadata".
fn resources(assembly: &str) -> Taken {
    let mut kernels = Taken::new();
    let lines = assembly.lines().skip_while(|line| *line != "amdhsa.kernels:").skip(1);
    for line in lines.take_while(|line| line.starts_with(' ')) {
        // A kernel begins with a dash; what belongs to its arguments stands further in.
        if line.starts_with("  - ") {
            kernels.push(Default::default());
        }
        let entry =
            line.strip_prefix("  - ").or_else(|| line.strip_prefix("    ")).and_then(|rest| rest.split_once(':'));
        let (Some((key, value)), Some((name, found))) = (entry, kernels.last_mut()) else { continue };
        let value = value.trim().trim_matches('\'');
        let number = value.parse().unwrap_or(0);
        match key {
            ".name" => value.clone_into(name),
            ".vgpr_count" => found.registers = number,
            ".sgpr_count" => found.scalar_registers = number,
            ".vgpr_spill_count" | ".sgpr_spill_count" => found.spilled_registers += number,
            ".private_segment_fixed_size" => found.scratch_bytes = number,
            _ => {}
        }
    }
    kernels
}

/// A code object of an object file.
fn link(object: &[u8]) -> Result<Vec<u8>, Diag> {
    let Some((linker, _)) = newest("ld.lld") else {
        return Err(Diag::nowhere(Code::NoLlvm, "there is no `ld.lld` of LLVM 19 or newer on this machine")
            .help("install it: on Debian and Ubuntu `apt-get install lld-19`; `--emit=object` writes what it links"));
    };
    let failed = |error: std::io::Error| Diag::nowhere(Code::BadFile, format!("cannot link: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let [source, target] = ["k.o", "k.hsaco"].map(|name| folder.path().join(name));
    std::fs::write(&source, object).map_err(failed)?;
    let mut command = Command::new(&linker);
    command.arg("-shared").arg(&source).arg("-o").arg(&target);
    run(command, &[], &linker)?;
    std::fs::read(Path::new(&target)).map_err(failed)
}

/// Runs a program on an input; what it prints.
fn run(mut command: Command, input: &[u8], name: &str) -> Result<Vec<u8>, Diag> {
    let failed = |error: std::io::Error| Diag::nowhere(Code::NoLlvm, format!("cannot run `{name}`: {error}"));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
    let mut stdin = child.stdin.take().expect("the input is a pipe");
    let input = input.to_vec();
    // A program that reads slowly may write in between.
    let feeder = std::thread::spawn(move || {
        // One that ends early says why itself.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().map_err(failed)?;
    let _ = feeder.join();
    if !output.status.success() {
        return Err(Diag::nowhere(Code::BrokenPass, format!("`{name}` refuses the program"))
            .note(String::from_utf8_lossy(&output.stderr).trim().to_owned())
            .note("this is a bug in raddle, not in the program; please report it with the input"));
    }
    Ok(output.stdout)
}

/// The newest program of this name that is new enough: with its version behind its name, or without.
fn newest(program: &str) -> Option<(String, u32)> {
    let numbered = (VERSION_MIN..=VERSION_MAX).rev().map(|version| format!("{program}-{version}"));
    numbered.chain([program.to_owned()]).find_map(|name| {
        let version = version_of(&name).filter(|&version| version >= VERSION_MIN)?;
        Some((name, version))
    })
}

/// The version of LLVM that a program says it belongs to.
fn version_of(program: &str) -> Option<u32> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let behind = text.split_once("LLVM version ").or_else(|| text.split_once("LLD "))?.1;
    behind.split('.').next()?.parse().ok()
}
