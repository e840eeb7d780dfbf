//! Links the command so that it takes less room: with packed relocations where the C library of this machine reads them
//! (the tables of operations and passes are full of addresses, of which each takes 24 bytes otherwise, 0.9 MB of the
//! file), and with equal functions once where the linker can do that.

use std::env;
use std::path::Path;
use std::process::Command;

/// The first version of glibc that reads packed relocations.
const GLIBC: (u32, u32) = (2, 36);
/// Functions of equal code are one: generic code is often the same for several types. Nothing compares their addresses.
const FOLD: &str = "-Wl,--icf=all";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_native = env::var("HOST").ok() == env::var("TARGET").ok();
    let is_gnu = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux")
        && env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|env| env == "gnu");
    if is_gnu {
        // All addresses of functions are there before the program begins, and protected from then on:
        // `.cargo/config.toml` asks rustc for less, so that calls are direct.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,now");
    }
    if !(is_native && is_gnu) {
        return;
    }
    if glibc().is_some_and(|version| version >= GLIBC) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") && links_with(FOLD) {
        println!("cargo::rustc-link-arg-bins={FOLD}");
    }
}

/// The version of the C library, as `getconf` prints it: `glibc 2.36`.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.split('.').next()?.parse().ok()?))
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
    command.arg(format!("-Clink-arg={arg}")).arg("--out-dir").arg(&folder).arg(&source);
    command.output().is_ok_and(|output| output.status.success())
}
