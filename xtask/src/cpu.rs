//! `cargo xtask cpu`: native code of matrix products and other programs beside NumPy's or IREE's, on one thread each.

use std::process::Command;

use crate::{cargo, root, succeeds, validators_dir};

/// Builds raddle, and lets `cpu.py` compile, check and time programs. NumPy is that of the validators. `more` is
/// `--iree FOLDER` and files, if anything; `None` if it is something else.
pub fn cpu(more: &[&str]) -> Option<bool> {
    let more = match more {
        [] => &[],
        ["--iree", more @ ..] if !more.is_empty() => more,
        _ => return None,
    };
    Some(run(more))
}

fn run(more: &[&str]) -> bool {
    let python = validators_dir().join("bin/python3");
    if !python.exists() {
        eprintln!("NumPy is not installed; run `cargo xtask validators`");
        return false;
    }
    let folder = root().join("target/cpu");
    if let Err(error) = std::fs::create_dir_all(&folder) {
        eprintln!("cannot make {}: {error}", folder.display());
        return false;
    }
    let linker = if cfg!(target_os = "linux") { "ld.lld-19" } else { "ld.lld" };
    cargo(&["build", "--release", "--package", "raddle"])
        && succeeds(
            Command::new(python)
                .arg(root().join("xtask/src/cpu.py"))
                .arg(root().join("target/release/raddle"))
                .arg(linker)
                .arg(folder)
                .args(more),
        )
}
