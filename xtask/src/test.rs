//! The test command: every check, one after the other, and a summary of what held, what did not, and what was not
//! checked.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::{cargo, is_ci, succeeds, validators};

/// How a check ended.
enum End {
    Held,
    Failed,
    /// Not checked, and why.
    Skipped(String),
}

/// Runs every check; says whether all held.
pub fn test() -> bool {
    let mut rows: Vec<(&str, End, f64)> = Vec::new();
    let mut check = |name: &'static str, check: &dyn Fn() -> End| {
        let start = Instant::now();
        let end = check();
        rows.push((name, end, start.elapsed().as_secs_f64()));
    };
    check("validators", &|| {
        validators::install();
        match validators::missing()[..] {
            [] => End::Held,
            ref missing => End::Skipped(format!("no {}: the tests that need it check less", missing.join(", no "))),
        }
    });
    check("format", &|| tool("fmt", "rustup component add rustfmt", &["fmt", "--all", "--check"]));
    check("lints", &|| {
        let args = ["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"];
        tool("clippy", "rustup component add clippy", &args)
    });
    check("tests", &|| end(cargo(&["test", "--workspace", "--no-fail-fast"])));
    check("documentation", &|| {
        let args = ["doc", "--workspace", "--no-deps", "--quiet"];
        println!("\n==> cargo {} (a warning is a failure)", args.join(" "));
        end(succeeds(Command::new(env!("CARGO")).args(args).env("RUSTDOCFLAGS", "--deny warnings")))
    });
    check("policy", &|| tool("deny", "cargo install cargo-deny", &["deny", "check"]));

    println!("\n==> summary");
    let mut good = true;
    for (name, end, seconds) in &rows {
        let (word, why) = match end {
            End::Held => ("ok", String::new()),
            End::Failed => ("FAILED", String::new()),
            End::Skipped(why) => ("not checked", format!(": {why}")),
        };
        // What a machine for continuous integration lacks is a hole in the net; cargo-deny is the one optional tool.
        let hole = matches!(end, End::Skipped(_)) && is_ci() && *name != "policy";
        good &= !matches!(end, End::Failed) && !hole;
        println!(
            "    {name:14} {word}{why}{} ({seconds:.0} s)",
            if hole { ", which is a failure when CI is set" } else { "" }
        );
    }
    println!("{}", if good { "==> all checks passed" } else { "==> some checks FAILED" });
    good
}

fn end(good: bool) -> End {
    if good { End::Held } else { End::Failed }
}

/// Runs a cargo subcommand that may not be installed.
fn tool(name: &str, install: &str, args: &[&str]) -> End {
    let present = Command::new(env!("CARGO"))
        .args([name, "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if present { end(cargo(args)) } else { End::Skipped(format!("cargo {name} is not installed ({install})")) }
}
