//! Flags of `iree-compile` and `iree-run-module` that people paste: what to write instead, and files of flags.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use raddle::{Report, pipeline};
use raddle_ir::{Code, Diag};

use super::files;

/// Flags without a counterpart of the same name: the flag, whether others begin with it, and what to write instead.
const EXPLAINED: &[(&str, bool, &str)] = &[
    ("--iree-hal-target-backends", false, CHIP),
    ("--iree-hal-target-device", false, CHIP),
    ("--compile-to", false, "`raddle opt --to=STAGE` runs the passes up to a stage and prints the program"),
    ("--module", false, "`raddle run` compiles what it runs: give it the program, as in `raddle run k.mlir`"),
    ("--list_devices", false, DEVICES),
    ("--list_drivers", false, DEVICES),
    ("--dump_devices", false, DEVICES),
    ("-O", false, "there are no levels of optimization: all passes are always run"),
    ("--device", false, "`raddle run` has devices; other commands take a chip, as in `--target=sm_80`"),
    (
        "--function",
        false,
        "`raddle build` and `raddle run` take one function, `raddle exec` a kernel by `--entry`, and `raddle opt` runs on all",
    ),
    ("--input", false, "`raddle run` takes inputs"),
    (
        "--iree-",
        true,
        "it is a flag of IREE's tools without a counterpart here; `--help` lists the flags that there are",
    ),
];

const DEVICES: &str = "`raddle devices` lists what programs can be run on, `raddle targets` the chips";
const CHIP: &str = "name the chip instead, as in `--target=sm_80` or `--target=gfx942`; `raddle targets` lists them";

/// What to say of an argument that the command `verb` does not have, if it is known from elsewhere, or may be a pass.
pub fn explain(error: &clap::Error, verb: Option<&str>) -> Option<Report> {
    if error.kind() == ErrorKind::InvalidSubcommand {
        return unknown_command(verb?);
    }
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return None };
    let name = flag.split('=').next().unwrap_or_default();
    let known = |row: &&(&str, bool, &str)| if row.1 { name.starts_with(row.0) } else { name == row.0 };
    let found = EXPLAINED.iter().find(known);
    // A flag of `opt` is a pass as a rule; clap's suggestion is some flag, however far it is.
    if let (Some("opt"), Some(pass), None | Some((.., true, _))) = (verb, name.strip_prefix("--"), found)
        && error.get(ContextKind::SuggestedArg).is_none_or(|near| is_far(name, near))
    {
        return pipeline::pass(pass).err().map(Report::nowhere);
    }
    let (_, _, help) = found?;
    let diag = Diag::nowhere(Code::BadInput, format!("this command has no flag `{name}`"));
    Some(Report::nowhere(diag.help(*help)))
}

/// Commands by the names that other tools have for them.
const COMMANDS: &[(&str, &str)] = &[
    ("compile", "`raddle build` compiles"),
    ("verify", "`raddle check` parses and verifies"),
    ("benchmark", "`raddle bench` times"),
];

/// What to say of a word that is not a command: a file, or what other tools call a command.
fn unknown_command(word: &str) -> Option<Report> {
    let help = if word.ends_with(".mlir") || word == "-" {
        format!("say what to do with it: `raddle run {word}` executes it, `raddle build {word}` compiles it")
    } else {
        COMMANDS.iter().find(|(name, _)| *name == word)?.1.to_owned()
    };
    Some(Report::nowhere(Diag::nowhere(Code::BadInput, format!("there is no command `{word}`")).help(help)))
}

/// Whether a suggested flag has nothing to do with what was written.
fn is_far(name: &str, near: &ContextValue) -> bool {
    let near = match near {
        ContextValue::String(near) => near,
        _ => return true,
    };
    raddle_ir::text::suggest(name, [near.as_str()]).is_none()
}

/// The arguments, with those of `--flagfile=FILE` in its place: one in each line, as iree-run-module reads them.
pub fn with_flag_files(args: impl IntoIterator<Item = OsString>) -> Result<Vec<OsString>, Report> {
    let mut all = Vec::new();
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let path = match arg.to_str() {
            Some("--") => {
                all.push(arg);
                break;
            }
            Some("--flagfile") => args.next().and_then(|path| path.into_string().ok()),
            Some(text) => text.strip_prefix("--flagfile=").map(str::to_owned),
            None => None,
        };
        let Some(path) = path else {
            all.push(arg);
            continue;
        };
        let (_, text) = files::read_text(&path)?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        all.extend(lines.map(OsString::from));
    }
    all.extend(args);
    Ok(all)
}
