//! Installing the validators: NumPy, which writes and reads the `.npy` files of a test, ml_dtypes, which has every narrow
//! float format, tensor-layouts, which has CuTe's algebra, ptxas, which judges PTX, Numba, NVRTC and IREE, which make PTX
//! of their own, LLVM, which judges LLVM IR and makes code for AMD chips of it, and QEMU, which runs code for aarch64.
//!
//! All but LLVM and QEMU live in a private virtual environment, `target/validators`, with a link `bin/ptxas`; these two
//! come as packages of Debian, where those may be installed. Nothing else uses them: raddle is built and run without.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What to install, with the versions that the tests were written against.
const PACKAGES: &[&str] =
    &["numpy>=1.26,<3", "ml_dtypes>=0.5,<0.6", "tensor-layouts>=0.3,<0.4", "nvidia-cuda-nvcc>=13,<14"];

/// Producers of PTX whose kernels the executor runs in a test: the small ones. Numba takes NVVM from ptxas's package.
const PRODUCERS: &[&str] = &["numba-cuda>=0.30,<0.31", "nvidia-cuda-nvrtc>=13,<14", "iree-base-compiler>=3.13,<3.14"];

/// LLVM, its assembler and its linker, as Debian packages them.
const LLVM: &[&str] = &["llvm-19", "lld-19"];

/// What compiles programs in C for aarch64 and runs them on another machine, as Debian packages it.
const AARCH64: &[&str] = &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"];

/// What the emulator is measured against, besides NumPy; large, and needed for that only.
const PEERS: &[&str] = &["triton>=3.6,<4"];

/// What shows the code of an assembled kernel; needed for that only.
const DISASSEMBLER: &[&str] = &["nvidia-cuda-nvdisasm>=13,<14"];

/// Installs the validators and the disassembler; says whether all are there.
pub fn install_disassembler() -> bool {
    let there = || runs(Command::new(crate::validators_dir().join("bin/nvdisasm")).arg("--version"));
    if !install() || there() {
        return there();
    }
    println!("==> disassembler: installing nvdisasm into {} …", crate::validators_dir().display());
    if let Err(error) = pip(DISASSEMBLER).and_then(|()| link("nvdisasm")) {
        println!("==> disassembler: {error}");
    }
    there()
}

/// Installs the validators and the peers; says whether all are there.
pub fn install_peers() -> bool {
    if !install() {
        return false;
    }
    if !runs(Command::new(python()).args(["-c", "import triton"])) {
        println!("==> peers: installing Triton into {} …", crate::validators_dir().display());
        if let Err(error) = pip(PEERS) {
            println!("==> peers: {error}");
            return false;
        }
    }
    true
}

/// Installs what is missing; says whether all validators are there.
pub fn install() -> bool {
    let missing = missing();
    if missing.is_empty() {
        println!(
            "==> validators: NumPy, ml_dtypes, tensor-layouts, ptxas, Numba and IREE are in {}, and LLVM and QEMU for aarch64 are installed",
            crate::validators_dir().display()
        );
        return true;
    }
    println!("==> validators: installing {} into {} …", missing.join(" and "), crate::validators_dir().display());
    if missing.iter().any(|name| !["LLVM", "QEMU for aarch64"].contains(name)) {
        match try_install() {
            Ok(()) => println!("==> validators: done"),
            Err(error) => println!("==> validators: {error}"),
        }
    }
    for (name, packages) in [("LLVM", LLVM), ("QEMU for aarch64", AARCH64)] {
        if missing.contains(&name) {
            install_packages(name, packages);
        }
    }
    self::missing().is_empty()
}

/// The validators that cannot be found, by name.
pub fn missing() -> Vec<&'static str> {
    let mut missing = Vec::new();
    if !runs(Command::new(python()).args(["-c", "import numpy"])) {
        missing.push("NumPy");
    }
    if !runs(Command::new(python()).args(["-c", "import ml_dtypes; ml_dtypes.float4_e2m1fn"])) {
        missing.push("ml_dtypes");
    }
    if !runs(Command::new(python()).args(["-c", "import tensor_layouts"])) {
        missing.push("tensor-layouts");
    }
    if !runs(Command::new(crate::validators_dir().join("bin/ptxas")).arg("--version")) {
        missing.push("ptxas");
    }
    if !runs(Command::new(python()).args(["-c", "import iree.compiler; from numba import cuda"])) {
        missing.push("Numba and IREE");
    }
    let newer = |tool: &str| (19..=30).any(|version| runs(Command::new(format!("{tool}-{version}")).arg("--version")));
    if !newer("llvm-mc") || !newer("ld.lld") {
        missing.push("LLVM");
    }
    let emulated = ["aarch64-linux-gnu-gcc", "qemu-aarch64"];
    let is_here = cfg!(target_arch = "aarch64");
    if !is_here && !emulated.iter().all(|tool| runs(Command::new(tool).arg("--version"))) {
        missing.push("QEMU for aarch64");
    }
    missing
}

/// Installs packages by Debian's package manager, which asks for the rights to do so.
fn install_packages(name: &str, packages: &[&str]) {
    let mut command = Command::new("apt-get");
    command.args(["install", "--yes", "--quiet", "--no-install-recommends"]).args(packages);
    let installed = runs(&mut command) || {
        // Lists of packages may be old, or not there yet.
        runs(Command::new("apt-get").args(["update", "--quiet"])) && runs(&mut command)
    };
    if !installed {
        let packages = packages.join(" ");
        println!("==> validators: {name} is not installed (on Debian, as root: apt-get install {packages})");
    }
}

fn python() -> PathBuf {
    crate::validators_dir().join("bin").join("python3")
}

fn try_install() -> Result<(), String> {
    pip(PACKAGES)?;
    link("ptxas")?;
    pip(PRODUCERS)
}

fn pip(packages: &[&str]) -> Result<(), String> {
    install_into(&crate::validators_dir(), packages)
}

/// Installs packages into a virtual environment, which is made if it is missing.
pub fn install_into(environment: &Path, packages: &[&str]) -> Result<(), String> {
    let python = environment.join("bin").join("python3");
    if !runs(Command::new(&python).args(["-m", "pip", "--version"])) {
        let made = Command::new("python3").args(["-m", "venv", "--clear"]).arg(environment).output();
        let made =
            made.map_err(|error| format!("cannot run python3: {error} (on Debian: apt install python3-venv)"))?;
        if !made.status.success() {
            let said = String::from_utf8_lossy(&made.stdout);
            return Err(format!(
                "python3 cannot make a virtual environment (on Debian: apt install python3-venv): {}",
                said.lines().next().unwrap_or_default()
            ));
        }
    }
    let installed = Command::new(python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "20"])
        .args(packages)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot run pip: {error}"))?;
    if !installed.status.success() {
        let said = String::from_utf8_lossy(&installed.stderr);
        let last = said.lines().rfind(|line| line.contains("ERROR")).unwrap_or("no message");
        return Err(format!("pip failed, perhaps for want of a network: {last}"));
    }
    Ok(())
}

/// Packages put programs somewhere below `site-packages/nvidia`; we look in `bin`.
fn link(program: &str) -> Result<(), String> {
    let found = find(&crate::validators_dir().join("lib"), program, 8);
    let found = found.ok_or_else(|| format!("the package brought no {program}"))?;
    let link = crate::validators_dir().join("bin").join(program);
    let _ = fs::remove_file(&link);
    #[cfg(unix)]
    let linked = std::os::unix::fs::symlink(&found, &link);
    #[cfg(not(unix))]
    let linked = fs::copy(&found, &link).map(|_| ());
    linked.map_err(|error| format!("cannot link {}: {error}", found.display()))
}

/// The first file of this name below a folder, not deeper than `depth`.
fn find(folder: &Path, name: &str, depth: u32) -> Option<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    if let Some(file) = entries.iter().find(|path| path.is_file() && path.file_name().is_some_and(|file| file == name))
    {
        return Some(file.clone());
    }
    entries.iter().filter(|path| path.is_dir() && depth > 0).find_map(|path| find(path, name, depth - 1))
}

/// Whether a program runs and succeeds; what it prints is not shown.
pub fn runs(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
