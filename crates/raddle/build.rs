//! Links the command so that it starts soon and takes less room: at an address that is known, and, where the linker can do
//! that, with equal functions once and without what unwinds.

use std::env;
use std::path::Path;
use std::process::Command;

/// Functions of equal code are one: generic code is often the same for several types. Nothing compares their addresses.
const FOLD: &str = "-Wl,--icf=all";
/// A script beside the linker's own. A panic of a release aborts, so that nobody reads how functions are left: an eighth of
/// the program.
const NOTHING_UNWINDS: &str = "SECTIONS { /DISCARD/ : { *(.eh_frame) *(.eh_frame_hdr) *(.gcc_except_table*) } }
INSERT AFTER .text;
";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_native = env::var("HOST").ok() == env::var("TARGET").ok();
    let is_gnu = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux")
        && env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|env| env == "gnu");
    if !is_gnu {
        return;
    }
    // All addresses of functions are there before the program begins, and protected from then on:
    // `.cargo/config.toml` asks rustc for less, so that calls are direct.
    println!("cargo::rustc-link-arg-bins=-Wl,-z,now");
    // The tables of operations and passes are full of addresses. Where the program lies anywhere, the loader writes
    // each of them, and nearly half of the pages that a start touches are these.
    println!("cargo::rustc-link-arg-bins=-no-pie");
    if !is_native || !env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        return;
    }
    let script = Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("nothing_unwinds.ld");
    let unwinds = std::fs::write(&script, NOTHING_UNWINDS).is_err();
    for arg in [Some(FOLD.to_owned()), (!unwinds).then(|| format!("-Wl,-T,{}", script.display()))].into_iter().flatten()
    {
        if links_with(&arg) {
            println!("cargo::rustc-link-arg-bins={arg}");
        }
    }
}

/// Whether the linker that the command is linked by takes an argument: only some do, and an unknown one is an error.
fn links_with(arg: &str) -> bool {
    let (Ok(rustc), Ok(folder)) = (env::var("RUSTC"), env::var("OUT_DIR")) else { return false };
    let source = Path::new(&folder).join("empty.rs");
    if std::fs::write(&source, "fn main() {}").is_err() {
        return false;
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let mut command = Command::new(rustc);
    command.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    if let Ok(linker) = env::var("RUSTC_LINKER") {
        command.arg(format!("-Clinker={linker}"));
    }
    // As the command is built.
    command.args(["-Cpanic=abort", &format!("-Clink-arg={arg}")]).arg("--out-dir").arg(&folder).arg(&source);
    command.output().is_ok_and(|output| output.status.success())
}
