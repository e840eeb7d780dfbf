//! `cargo xtask e2e` and `cargo xtask dispatches`: what of IREE's inputs compiles as given, and runs right.
//!
//! `e2e --iree CHECKOUT [--iree-compile PROGRAM]` takes the tests under `tests/e2e` of a checkout that lies outside the
//! project, files as they stand; those in StableHLO or TOSA go through `iree-compile --compile-to=input` first, and those
//! that the checkout's scripts generate are generated: `--cmake PROGRAM` (`cmake` if missing) reads which.
//! `dispatches --iree-compile PROGRAM` has that program make dispatches from the models in `xtask/models` (or those of
//! `--models FOLDER`), at two levels of optimization; with `--configured`, those that it has chosen tiles for. With
//! `--kernels` they are only compiled for `--target CHIP`, and it counts how many are one kernel of vectors. Both run `raddle run --all` on each file, on the emulator or on
//! `--device NAME`, `raddle build` into a folder, and ptxas on what that writes, and print tables: what is right, refused
//! (by code and operation), wrong, a bug of ours; what ptxas takes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::{root, validators_dir};

/// The folders of `tests/e2e` whose files are counted, and whether they are in a dialect that IREE converts first.
const FOLDERS: &[(&str, bool)] = &[
    ("attention", false),
    ("convolution", false),
    ("encoding", false),
    ("linalg", false),
    ("linalg_ext_ops", false),
    ("math", false),
    ("matmul", false),
    ("regression", false),
    ("regression/stablehlo", true),
    ("stablehlo_ops", true),
    ("subbyte_types", false),
    ("tensor_ops", false),
    ("tosa_ops", true),
];

/// What CMake calls in the lists of tests in place of IREE's functions: each generated test becomes a line, its words apart
/// by tabs. Variables, conditions and loops of the lists are CMake's.
const LISTED: &str = r#"
foreach(name iree_add_all_subdirs iree_check_single_backend_test_suite iree_py_test iree_static_linker_test
        iree_lit_test_suite)
  cmake_language(EVAL CODE "function(${name})\nendfunction()")
endforeach()
function(iree_generated_e2e_runner_test)
  cmake_parse_arguments(A "" "TEST_TYPE;GENERATOR" "NAME;GENERATOR_ARGS;TEST_RUNNER;TARGET_BACKENDS;DRIVERS;COMPILER_FLAGS;LABELS;TARGET_CPU_FEATURES_VARIANTS" ${ARGN})
  string(REPLACE ";" "\t" arguments "${A_GENERATOR_ARGS}")
  message("test\t${A_NAME}\t${A_TARGET_BACKENDS}\t${A_GENERATOR}\t--output_${A_TEST_TYPE}_mlir=$OUT\t--output_calls_mlir=$CALLS\t${arguments}")
endfunction()
function(iree_genrule)
  cmake_parse_arguments(A "" "NAME;CMD" "SRCS;OUTS" ${ARGN})
  string(REGEX REPLACE "^python3 |\\$\\(rootpath |\\)| >.*" "" command "${A_CMD}")
  string(REPLACE " " "\t" command "${command}")
  message("test\t${A_NAME}\t\t${command}")
endfunction()
include("${LIST}")
"#;

/// Seconds for one file.
const SECONDS: &str = "120";

/// What is asked for.
#[derive(Default)]
struct Request {
    iree: Option<PathBuf>,
    iree_compile: Option<PathBuf>,
    cmake: Option<PathBuf>,
    raddle: Option<PathBuf>,
    models: Option<PathBuf>,
    device: String,
    target: String,
    only: Option<String>,
    list: bool,
    configured: bool,
    kernels: bool,
}

/// What became of the functions of some files.
#[derive(Default)]
struct Counts {
    functions: usize,
    right: usize,
    refused: usize,
    wrong: usize,
    bugs: usize,
    built: usize,
    assembled: usize,
    /// Files that could not be read at all.
    unread: usize,
    /// Files that IREE itself does not convert.
    unconverted: usize,
    reasons: BTreeMap<String, usize>,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.functions += other.functions;
        self.right += other.right;
        self.refused += other.refused;
        self.wrong += other.wrong;
        self.bugs += other.bugs;
        self.built += other.built;
        self.assembled += other.assembled;
        self.unread += other.unread;
        self.unconverted += other.unconverted;
        for (reason, n) in &other.reasons {
            *self.reasons.entry(reason.clone()).or_default() += n;
        }
    }

    fn row(&self, name: &str) -> String {
        let Counts { functions, right, refused, wrong, bugs, built, assembled, .. } = self;
        format!("{name:24} {functions:9} {right:6} {refused:8} {wrong:6} {bugs:5} {built:6} {assembled:6}")
    }
}

/// Counts IREE's own tests.
pub fn e2e(arguments: &[&str]) -> bool {
    let Some(request) = request(arguments) else { return false };
    let Some(iree) = &request.iree else {
        eprintln!("e2e: say where IREE's sources are, with --iree CHECKOUT");
        return false;
    };
    let Some(tools) = Tools::new(&request) else { return false };
    let mut table = Vec::new();
    for &(folder, converted) in FOLDERS {
        let mut counts = Counts::default();
        let from = iree.join("tests/e2e").join(folder);
        let generated = tools.generated(&request, iree, folder).unwrap_or_else(|error| {
            println!("{folder}: what scripts generate is left out: {error}");
            Vec::new()
        });
        for file in files(&from).into_iter().chain(generated) {
            if request.only.as_ref().is_some_and(|only| !file.to_string_lossy().contains(only.as_str())) {
                continue;
            }
            // Some of the others hold StableHLO, too.
            let converted = converted || fs::read_to_string(&file).is_ok_and(|text| text.contains("stablehlo."));
            let input = if converted { tools.converted(&file) } else { Some(file.clone()) };
            match input {
                Some(input) => tools.examine(&input, &file, &mut counts),
                None => counts.unconverted += 1,
            }
        }
        table.push((folder.to_owned(), counts));
    }
    report(&table)
}

/// Counts dispatches of models of our own.
pub fn dispatches(arguments: &[&str]) -> bool {
    let Some(request) = request(arguments) else { return false };
    let Some(tools) = Tools::new(&request) else { return false };
    if tools.iree_compile.is_none() {
        eprintln!("dispatches: say what makes dispatches, with --iree-compile PROGRAM");
        return false;
    }
    let mut table = Vec::new();
    for model in files(&request.models.clone().unwrap_or_else(|| root().join("xtask/models"))) {
        if request.only.as_ref().is_some_and(|only| !model.to_string_lossy().contains(only.as_str())) {
            continue;
        }
        for level in ["O0", "O2"] {
            let mut counts = Counts::default();
            match tools.dispatches_of(&model, level) {
                Ok(folder) if request.kernels => tools.count_kernels(&stem(&model), level, &files(&folder)),
                Ok(folder) => files(&folder).iter().for_each(|file| tools.examine(file, file, &mut counts)),
                Err(error) => {
                    eprintln!("{}: {error}", model.display());
                    counts.unconverted += 1;
                }
            }
            table.push((format!("{} {level}", stem(&model)), counts));
        }
    }
    if request.kernels { table.iter().all(|(_, counts)| counts.unconverted == 0) } else { report(&table) }
}

fn request(arguments: &[&str]) -> Option<Request> {
    let mut request = Request { device: "emu".to_owned(), ..Request::default() };
    let mut words = arguments.iter();
    while let Some(&word) = words.next() {
        let mut value = || words.next().map(|value| (*value).to_owned());
        match word {
            "--iree" => request.iree = Some(value()?.into()),
            "--iree-compile" => request.iree_compile = Some(value()?.into()),
            "--cmake" => request.cmake = Some(value()?.into()),
            "--raddle" => request.raddle = Some(value()?.into()),
            "--models" => request.models = Some(value()?.into()),
            "--device" => request.device = value()?,
            "--target" => request.target = value()?,
            "--only" => request.only = Some(value()?),
            "--list" => request.list = true,
            "--configured" => request.configured = true,
            "--kernels" => request.kernels = true,
            _ => {
                eprintln!("`{word}` is not known here");
                return None;
            }
        }
    }
    if request.target.is_empty() {
        // What the device is, or what the emulator is asked for most.
        request.target = if request.device.starts_with("cpu") { "host" } else { "sm_80" }.to_owned();
    }
    Some(request)
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The MLIR files of a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "mlir"));
    files.sort();
    files
}

/// The programs that the chores run, and where they write.
struct Tools {
    raddle: PathBuf,
    ptxas: Option<PathBuf>,
    iree_compile: Option<PathBuf>,
    device: String,
    target: String,
    scratch: PathBuf,
    list: bool,
    /// What IREE writes dispatches out behind.
    dumped: &'static str,
}

impl Tools {
    fn new(request: &Request) -> Option<Tools> {
        let raddle = match &request.raddle {
            Some(raddle) => raddle.clone(),
            None => {
                if !crate::cargo(&["build", "--release", "--package", "raddle"]) {
                    return None;
                }
                root().join("target/release/raddle")
            }
        };
        let ptxas = Some(validators_dir().join("bin/ptxas")).filter(|ptxas| ptxas.exists());
        if ptxas.is_none() {
            println!("ptxas is not there (cargo xtask validators installs it): PTX is not checked");
        }
        let scratch = root().join("target/inputs");
        if let Err(error) = fs::create_dir_all(&scratch) {
            eprintln!("cannot make {}: {error}", scratch.display());
            return None;
        }
        Some(Tools {
            raddle,
            ptxas,
            iree_compile: request.iree_compile.clone(),
            device: request.device.clone(),
            target: request.target.clone(),
            scratch,
            list: request.list,
            dumped: if request.configured { "executable-configurations" } else { "executable-sources" },
        })
    }

    /// The file in dialects that raddle reads; `None` if IREE refuses it or is not there.
    fn converted(&self, file: &Path) -> Option<PathBuf> {
        let to = self.scratch.join("converted.mlir");
        let mut command = Command::new(self.iree_compile.as_ref()?);
        let output = run(command.arg("--compile-to=input").arg(file).arg("-o").arg(&to))?;
        output.status.success().then_some(to)
    }

    /// The files that scripts of a folder generate: those for the backend of the target, and those for CPUs, which state no
    /// configuration. Those of other machines are in configurations of their pipelines.
    fn generated(&self, request: &Request, iree: &Path, folder: &str) -> Result<Vec<PathBuf>, String> {
        let list = iree.join("tests/e2e").join(folder).join("CMakeLists.txt");
        let text = fs::read_to_string(&list).unwrap_or_default();
        if !["iree_generated_e2e_runner_test(", "iree_genrule("].iter().any(|name| text.contains(name)) {
            return Ok(Vec::new());
        }
        let to = self.scratch.join("generated").join(folder);
        // What an earlier run left there is not of this one.
        let _ = fs::remove_dir_all(&to);
        fs::create_dir_all(&to).map_err(|error| error.to_string())?;
        let script = to.join("listed.cmake");
        fs::write(&script, LISTED).map_err(|error| error.to_string())?;
        let mut command = Command::new(request.cmake.as_deref().unwrap_or(Path::new("cmake")));
        command.arg(format!("-DLIST={}", list.display())).arg(format!("-DIREE_ROCM_TEST_TARGET_CHIP={}", self.target));
        let listed = run(command.arg("-P").arg(script)).ok_or("CMake reads the lists of tests")?;
        let said = String::from_utf8_lossy(&listed.stderr);
        if !listed.status.success() {
            return Err(said.into_owned());
        }
        let backend = match &self.target {
            target if target.starts_with("sm_") => "cuda",
            target if target.starts_with("gfx") => "rocm",
            _ => "llvm-cpu",
        };
        let (mut seen, mut files) = (BTreeSet::new(), Vec::new());
        for line in said.lines().filter_map(|line| line.strip_prefix("test\t")) {
            let mut words = line.split('\t');
            let (Some(name), Some(backends)) = (words.next(), words.next()) else { continue };
            let arguments: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            if ![backend, "llvm-cpu", ""].contains(&backends) || !seen.insert(arguments.clone()) {
                continue;
            }
            let file = to.join(format!("{name}.mlir"));
            let place = |word: &&str| match word.split_once("=$") {
                Some((flag, "OUT")) => format!("{flag}={}", file.display()),
                Some((flag, _)) => format!("{flag}={}", to.join("calls").display()),
                None => (*word).to_owned(),
            };
            let mut command = Command::new("python3");
            command.current_dir(list.with_file_name("")).env("PYTHONPATH", iree).args(arguments.iter().map(place));
            let output = run(&mut command).ok_or("Python generates tests")?;
            if !output.status.success() {
                return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
            }
            if !file.exists() {
                fs::write(&file, output.stdout).map_err(|error| error.to_string())?;
            }
            files.push(file);
        }
        Ok(files)
    }

    /// The folder of the dispatches that IREE makes of a model, one file each.
    fn dispatches_of(&self, model: &Path, level: &str) -> Result<PathBuf, String> {
        let Some(program) = &self.iree_compile else { return Err("there is no iree-compile".to_owned()) };
        let folder = self.scratch.join(format!("{}-{level}", stem(model)));
        // What an earlier run left there is not of this one.
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
        }
        let [name, option] = match &self.target {
            target if target.starts_with("sm_") => ["cuda", "cuda-target"],
            target if target.starts_with("gfx") => ["rocm", "rocm-target"],
            _ => ["llvm-cpu", "llvmcpu-target-cpu"],
        };
        // What IREE's CPU target is called does not matter to the dispatches in front of its code generation.
        let chip = if name == "llvm-cpu" { "generic" } else { &self.target };
        let backend = [format!("--iree-hal-target-backends={name}"), format!("--iree-{option}={chip}")];
        let mut command = Command::new(program);
        command.args(backend).arg(format!("--iree-opt-level={level}")).arg(format!("--compile-to={}", self.dumped));
        command.arg(format!("--iree-hal-dump-{}-to={}", self.dumped, folder.display()));
        let output = run(command.arg(model).arg("-o").arg(self.scratch.join("host.mlir")));
        match output {
            Some(output) if output.status.success() => Ok(folder),
            Some(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
            None => Err("iree-compile cannot be run".to_owned()),
        }
    }

    /// Prints how many dispatches are one kernel, of vectors or of scalar loops, how many are several, and how many none.
    fn count_kernels(&self, model: &str, level: &str, files: &[PathBuf]) {
        let (mut vectors, mut scalar, mut several, mut refused) = (0, 0, 0, 0);
        for file in files {
            let mut command = Command::new(&self.raddle);
            let Some(output) = run(command.args(["opt", "--to=vector", "--target", &self.target]).arg(file)) else {
                continue;
            };
            let said = String::from_utf8_lossy(&output.stdout);
            let (kind, what) = match said.matches("func.func @").count() {
                _ if !output.status.success() => (&mut refused, "refused"),
                0 | 1 if said.contains("iree_gpu.pipeline<Distribute>") => (&mut scalar, "scalar loops"),
                0 | 1 => (&mut vectors, ""),
                _ => (&mut several, "several kernels"),
            };
            *kind += 1;
            if self.list && !what.is_empty() {
                println!("{}: {what}", file.display());
            }
        }
        println!(
            "{model} {level}: {} dispatches, {vectors} one kernel of vectors, {scalar} one of scalar loops, {several} several, \
             {refused} refused",
            files.len()
        );
    }

    /// Runs and builds every function of a file.
    fn examine(&self, file: &Path, shown: &Path, counts: &mut Counts) {
        let mut command = Command::new(&self.raddle);
        command
            .args([
                "run",
                "--all",
                "--time",
                SECONDS,
                "--memory",
                "6G",
                "--fuel",
                "16000000000",
                "--device",
                &self.device,
                "--target",
                &self.target,
            ])
            .arg(file);
        let Some(output) = run(&mut command) else { return };
        let said = String::from_utf8_lossy(&output.stdout);
        let before = counts.functions;
        for line in said.lines() {
            let Some((verdict, rest)) = line.split_once(' ') else { continue };
            let Some((function, why)) =
                rest.trim_start().strip_prefix('@').map(|rest| rest.split_once(": ").unwrap_or((rest, "")))
            else {
                continue;
            };
            counts.functions += 1;
            match verdict {
                "ok" => counts.right += 1,
                "refused" => counts.refused += 1,
                "WRONG" => counts.wrong += 1,
                _ => counts.bugs += 1,
            }
            if verdict != "ok" {
                let reason = if verdict == "refused" { reason(why) } else { format!("{verdict} {}", stem(shown)) };
                *counts.reasons.entry(reason).or_default() += 1;
                if self.list || verdict != "refused" {
                    println!("{}: {verdict} @{function}: {why}", shown.display());
                }
            }
        }
        if counts.functions == before {
            counts.unread += 1;
            let error = String::from_utf8_lossy(&output.stderr);
            let first = error.lines().next().unwrap_or("nothing was said");
            let bug = output.status.code().is_none_or(|status| status == 101);
            counts.bugs += usize::from(bug);
            println!("{}: {first}", shown.display());
            *counts.reasons.entry(format!("file: {}", reason(first))).or_default() += 1;
        }
        if self.target.starts_with("sm_") {
            self.assemble(file, counts);
        }
    }

    /// Builds every function of a file, and has ptxas judge each kernel.
    fn assemble(&self, file: &Path, counts: &mut Counts) {
        let folder = self.scratch.join("ptx");
        let _ = fs::remove_dir_all(&folder);
        let mut command = Command::new(&self.raddle);
        command.args(["build", "--target", &self.target, "-o"]).arg(format!("{}/", folder.display())).arg(file);
        if run(&mut command).is_none() {
            return;
        }
        // Beside each kernel lies its launch data.
        let kernels = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path());
        for kernel in kernels.filter(|path| path.extension().is_some_and(|ending| ending == "ptx")) {
            counts.built += 1;
            let Some(ptxas) = &self.ptxas else { continue };
            let mut command = Command::new(ptxas);
            command.args(["--gpu-name", &self.target]).arg(&kernel).arg("-o").arg(self.scratch.join("kernel.cubin"));
            if let Some(output) = run(&mut command) {
                counts.assembled += usize::from(output.status.success());
                if !output.status.success() {
                    let error = String::from_utf8_lossy(&output.stderr);
                    println!("{}: ptxas: {}", file.display(), error.lines().next().unwrap_or_default());
                }
            }
        }
    }
}

fn run(command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(output) => Some(output),
        Err(error) => {
            eprintln!("cannot run {:?}: {error}", command.get_program());
            None
        }
    }
}

/// The code of a refusal, and the operation or the sentence that goes with it.
fn reason(why: &str) -> String {
    let Some((_, rest)) = why.split_once("error[") else { return why.to_owned() };
    let Some((code, message)) = rest.split_once("]: ") else { return rest.to_owned() };
    let message = message.split("; ").next().unwrap_or(message);
    // Names and numbers of one program keep equal reasons apart.
    let message = message.split_once(" `affine_map").map_or(message, |parts| parts.0);
    let message: String = message.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
    format!("{code} {message}")
}

fn report(table: &[(String, Counts)]) -> bool {
    let mut all = Counts::default();
    println!("\n{:24} functions  right  refused  wrong  bugs  built  ptxas", "");
    for (name, counts) in table {
        println!("{}", counts.row(name));
        all.add(counts);
    }
    println!("{}", all.row("all"));
    let percent = |n: usize| 100.0 * n as f64 / all.functions.max(1) as f64;
    println!(
        "\n{:.1} % right; {} files could not be read, {} were not converted by IREE",
        percent(all.right),
        all.unread,
        all.unconverted
    );
    let mut reasons: Vec<(&String, &usize)> = all.reasons.iter().collect();
    reasons.sort_by_key(|(reason, n)| (std::cmp::Reverse(**n), (*reason).clone()));
    println!("\nwhat keeps the others:");
    for (reason, n) in reasons {
        println!("{n:6}  {reason}");
    }
    all.wrong + all.bugs == 0
}

#[cfg(test)]
mod tests {
    /// Refusals are counted by what they say, whatever the program calls it.
    #[test]
    fn equal_reasons_are_counted_together() {
        let why = "line 12, error[E0301]: `tensor.pad` cannot be tiled; right as written";
        assert_eq!(super::reason(why), "E0301 `tensor.pad` cannot be tiled");
        let [a, b] = [4, 8].map(|n| super::reason(&format!("error[E0901]: argument {n} has a dynamic extent")));
        assert_eq!(a, b);
        assert_eq!(super::reason("no code"), "no code");
    }
}
