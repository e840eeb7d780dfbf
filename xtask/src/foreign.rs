//! `cargo xtask foreign`: PTX of other producers through `raddle exec`.
//!
//! The kernels' sources are in `xtask/foreign`, in Python and CUDA C++; Triton, Gluon, Numba, IREE, NVCC, NVRTC, CuTe's
//! DSL, Warp, tinygrad, Halide and Slang, in a virtual environment of their own, compile them without a GPU (NVCC needs a
//! C++ compiler beside it); so does TileLang where it is installed there (`tilelang>=0.1.15,<0.2`, which brings PyTorch). Each is run on data for which NumPy computed the result, with all checks, and with asynchronous
//! copies as early and as late as they may happen. A few kernels are expected to be refused, because of what they or
//! their producers do wrong; those run once more without the check, and have to be right.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::{root, succeeds, validators};

/// What to install, with the versions that the kernels were written for.
const PACKAGES: &[&str] = &[
    "numpy>=1.26,<3",
    "ml_dtypes>=0.5,<0.7",
    "triton>=3.9,<3.10",
    "numba-cuda[cu13]>=0.30,<0.31",
    "iree-base-compiler>=3.13,<3.14",
    // NVCC in parts, its headers, CUB and libcu++, and CUTLASS in C++ and in Python.
    "nvidia-cuda-nvcc>=13,<14",
    "nvidia-cuda-crt>=13,<14",
    "nvidia-nvvm>=13,<14",
    "nvidia-cuda-nvrtc>=13,<14",
    "nvidia-cuda-runtime>=13,<14",
    "nvidia-cuda-cccl>=13,<14",
    "nvidia-cutlass>=4.2,<4.3",
    "nvidia-cutlass-dsl>=4.8,<4.9",
    "warp-lang>=1.19,<1.20",
    "tinygrad>=0.14,<0.15",
    "halide>=21,<22",
    "slangpy>=0.43,<0.44",
];

/// How a run ended, from best to worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Right,
    /// The finding that was expected.
    Expected,
    /// The producer did not compile the kernel.
    NotMade,
    Wrong,
    Finding,
    Unsupported,
    Failed,
}

impl End {
    const ALL: [End; 7] =
        [End::Right, End::Expected, End::NotMade, End::Wrong, End::Finding, End::Unsupported, End::Failed];

    fn name(self) -> &'static str {
        match self {
            End::Right => "right",
            End::Expected => "expected finding",
            End::NotMade => "not made",
            End::Wrong => "wrong",
            End::Finding => "finding",
            End::Unsupported => "unsupported",
            End::Failed => "failed",
        }
    }
}

/// Makes the kernels and runs them; `None` if the options are not understood.
pub fn foreign(options: &[&str]) -> Option<bool> {
    let (mut raddle, mut python, mut flags, mut is_made) = (None, None, Vec::new(), false);
    let mut out = root().join("target/foreign-kernels");
    let mut words = options.iter();
    while let Some(&word) = words.next() {
        match word {
            "--raddle" => raddle = Some(PathBuf::from(words.next()?)),
            "--python" => python = Some(PathBuf::from(words.next()?)),
            "--out" => out = PathBuf::from(words.next()?),
            "--made" => is_made = true,
            "--quick" => flags.push(word.to_owned()),
            "--only" | "--producer" => flags.extend([word.to_owned(), (*words.next()?).to_owned()]),
            _ => return None,
        }
    }
    let raddle = match raddle {
        Some(raddle) => raddle,
        // The executor is optimized in a development build, too.
        None if crate::cargo(&["build", "--package", "raddle"]) => root().join("target/debug/raddle"),
        None => return Some(false),
    };
    if !is_made && !make(python, &out, &flags) {
        return Some(false);
    }
    let Ok(cases) = fs::read_to_string(out.join("cases.txt")) else {
        eprintln!("{} was not written", out.join("cases.txt").display());
        return Some(false);
    };
    Some(report(&cases, &out, &raddle))
}

/// Compiles the kernels into a folder, and says whether that could be done.
fn make(python: Option<PathBuf>, out: &Path, flags: &[String]) -> bool {
    let Some(python) = python.or_else(install) else { return false };
    println!("==> making kernels in {} …", out.display());
    let _ = fs::remove_dir_all(out);
    // The traces of kernels that were not made are worth reading, and long.
    let log = out.join("make.log");
    let log_file = match fs::create_dir_all(out).and_then(|()| fs::File::create(&log)) {
        Ok(file) => file,
        Err(error) => {
            eprintln!("cannot write {}: {error}", log.display());
            return false;
        }
    };
    let mut command = Command::new(python);
    command.arg("-B").arg(root().join("xtask/foreign/make.py")).arg(out).args(flags).stderr(log_file);
    let good = succeeds(&mut command);
    if !good {
        eprintln!("making kernels failed; {} says why", log.display());
    }
    good
}

/// Runs each case and prints what is not right, and a summary.
fn report(cases: &str, out: &Path, raddle: &Path) -> bool {
    let mut table: BTreeMap<&str, BTreeMap<End, usize>> = BTreeMap::new();
    for case in cases.lines() {
        let mut parts = case.split('\t');
        let (name, error, expected) =
            (parts.next().unwrap_or_default(), parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let (end, why) =
            if error.is_empty() { run(raddle, &out.join(name), expected) } else { (End::NotMade, error.to_owned()) };
        if end > End::Expected {
            println!("{name}: {}: {why}", end.name());
        }
        let producer = name.split('_').next().unwrap_or_default();
        *table.entry(producer).or_default().entry(end).or_default() += 1;
    }
    let count = |ends: &BTreeMap<End, usize>, end: End| ends.get(&end).copied().unwrap_or(0);
    println!("{:10}{}", "", End::ALL.map(|end| format!("{:>18}", end.name())).concat());
    let mut all: BTreeMap<End, usize> = BTreeMap::new();
    for (producer, ends) in &table {
        println!("{producer:10}{}", End::ALL.map(|end| format!("{:18}", count(ends, end))).concat());
        ends.iter().for_each(|(&end, &n)| *all.entry(end).or_default() += n);
    }
    let n: usize = all.values().sum();
    let good = count(&all, End::Right) + count(&all, End::Expected);
    println!(
        "==> {good} of {n} kernels as expected in both modes: {} right, {} with the finding that they should have",
        count(&all, End::Right),
        count(&all, End::Expected)
    );
    n > 0 && good == n
}

/// Runs a kernel in both modes; gives the worse end, and the reason.
fn run(raddle: &Path, folder: &Path, expected: &str) -> (End, String) {
    let Ok(flags) = fs::read_to_string(folder.join("flags")) else {
        return (End::Failed, "it has no flags".to_owned());
    };
    let exec = |more: &[&str]| {
        Command::new(raddle).arg("exec").arg(folder.join("k.ptx")).args(flags.lines()).args(more).output()
    };
    let mut worst = (End::Right, String::new());
    for mode in ["--async=eager", "--async=lazy"] {
        let Ok(output) = exec(&[mode]) else { return (End::Failed, format!("cannot run {}", raddle.display())) };
        let mut end = judge(&output);
        if !expected.is_empty() {
            end = match end {
                (End::Finding, _) if said(&output).contains(expected) => match exec(&[mode, without(expected)]) {
                    // Without data that is expected, the kernel itself is wrong.
                    Ok(_) if !flags.contains("--expected_output") => (End::Expected, String::new()),
                    Ok(output) if output.status.success() => (End::Expected, String::new()),
                    Ok(output) => judge(&output),
                    Err(error) => (End::Failed, error.to_string()),
                },
                (end, why) => (end.max(End::Wrong), format!("no finding `{expected}`: {why}")),
            };
        }
        if end.0 > worst.0 {
            worst = (end.0, format!("{} ({mode})", end.1));
        }
    }
    worst
}

/// The flag without which a finding is made.
fn without(finding: &str) -> &'static str {
    if finding.contains("nothing has written it") { "--allow-uninitialised" } else { "--no-sanitize" }
}

fn said(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).into_owned()
}

/// What a run says of its kernel, in a line.
fn judge(output: &Output) -> (End, String) {
    if output.status.success() {
        return (End::Right, String::new());
    }
    let said = said(output);
    let line = |part: &str| said.lines().find(|line| line.contains(part)).map(str::to_owned);
    if let Some(line) = line("is wrong") {
        return (End::Wrong, line);
    }
    if let Some(line) = line("error[E0801]") {
        return (End::Unsupported, line);
    }
    // Codes of what a run finds in a program.
    if let Some(line) = line("error[E081") {
        return (End::Finding, line);
    }
    (End::Failed, line("error").unwrap_or_else(|| said.lines().next().unwrap_or("no message").to_owned()))
}

/// The Python of the environment with the producers, which is made if it is missing.
fn install() -> Option<PathBuf> {
    let environment = root().join("target/foreign");
    let python = environment.join("bin/python3");
    let imports = "import numpy, ml_dtypes, triton, iree.compiler, cutlass_library, cutlass, warp, tinygrad, halide, slangpy; from numba import cuda";
    let has_all = || validators::runs(Command::new(&python).args(["-c", imports]));
    if has_all() {
        return Some(python);
    }
    println!(
        "==> foreign: installing Triton, Numba, IREE, NVCC, Warp, Halide, Slang and more into {} (about 4 GB) …",
        environment.display()
    );
    match validators::install_into(&environment, PACKAGES) {
        Ok(()) if has_all() => Some(python),
        Ok(()) => {
            eprintln!("foreign: the packages are there, and cannot be imported");
            None
        }
        Err(error) => {
            eprintln!("foreign: {error}");
            None
        }
    }
}
