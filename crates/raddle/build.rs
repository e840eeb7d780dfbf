//! Links the program to a fixed address, as C compilers link themselves: the tables of operations and instructions have
//! 36 000 pointers, which would be written anew at each start and take 0.9 MB of the file.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
