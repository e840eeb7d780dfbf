//! Flags of `raddle opt` as `mlir-opt` has them: a flag for each pass, one dash or two, and `--flag=false`.

use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, value_parser};
use raddle_ir::Diag;
use raddle_layout::sort::sort_by_key;
use raddle_passes::{Options, PASSES, Pass};

use super::pass_pipeline::Step;

/// Adds a flag for each pass, with its aliases and options, and lets every flag that is on or off say `=false`.
pub fn with_passes(command: Command) -> Command {
    let command = command.mut_args(|arg| match arg.get_action() {
        ArgAction::SetTrue => on_or_off(arg),
        _ => arg,
    });
    let names: Vec<&'static str> = PASSES.iter().map(|pass| pass.name).collect();
    command
        .args(PASSES.iter().map(flag))
        .group(ArgGroup::new("passes").args(names).multiple(true).conflicts_with_all(["to", "pass_pipeline"]))
}

fn on_or_off(arg: Arg) -> Arg {
    arg.action(ArgAction::Set)
        .num_args(0..=1)
        .require_equals(true)
        .value_parser(value_parser!(bool))
        .default_value("false")
        .default_missing_value("true")
        .hide_default_value(true)
        .hide_possible_values(true)
        .value_name("BOOL")
}

fn flag(pass: &'static Pass) -> Arg {
    let options = pass.options.iter().map(|option| format!("\n    {}: {}", option.name, option.sentence));
    Arg::new(pass.name)
        .long(pass.name)
        .visible_aliases(pass.aliases.iter().copied())
        .help(format!("{}{}", pass.sentence, options.collect::<String>()))
        .help_heading("Passes, run in the order given; options as in `--pass='a=1 b'`")
        .action(ArgAction::Append)
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value("")
        .value_name("OPTIONS")
}

/// The passes whose flags were given, in that order.
pub fn steps(matches: &ArgMatches) -> Result<Vec<Step>, Diag> {
    let mut found = Vec::new();
    for pass in PASSES {
        let places = matches.indices_of(pass.name).into_iter().flatten();
        let texts = matches.get_many::<String>(pass.name).into_iter().flatten();
        found.extend(places.zip(texts).map(|(place, text)| (place, pass, text)));
    }
    sort_by_key(&mut found, |entry| entry.0);
    let step = |(_, pass, text): (usize, &'static Pass, &String)| {
        // `--pass='a=1'` and `--pass='{a=1}'` are both written.
        let text = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
        Ok(Step::Pass(pass, Options::read(pass.options, pass.name, text)?))
    };
    found.into_iter().map(step).collect()
}

/// `-pass-pipeline=x` is `--pass-pipeline=x`: with one dash, a long flag of `opt` is known too. So is one that there is
/// not, so that it is refused by its whole name.
pub fn with_two_dashes(command: &Command, args: Vec<OsString>) -> Vec<OsString> {
    let Some(opt) = command.find_subcommand("opt") else { return args };
    if args.get(1).is_none_or(|verb| verb != "opt") {
        return args;
    }
    let is_long = |name: &str| {
        let mut names = opt.get_arguments().flat_map(|arg| {
            let aliases = arg.get_all_aliases().unwrap_or_default();
            arg.get_long().into_iter().chain(aliases).collect::<Vec<_>>()
        });
        name == "help" || names.any(|long| long == name)
    };
    // `-ofile` and `-oa-file.mlir` are `-o` and a file, which `-one-shot-bufferize` is not, and `-10` is a number.
    let is_word = |rest: &str| {
        let is_file = |rest: &str| rest.starts_with('o') && (!rest.contains('-') || rest.contains(['.', '/']));
        let begins = rest.starts_with(|c: char| c.is_ascii_alphabetic()) && !rest.starts_with(['h', 'V']);
        rest.len() > 1 && begins && !is_file(rest)
    };
    let doubled = |arg: OsString| match arg.to_str().and_then(|text| text.strip_prefix('-')) {
        Some(rest) if is_long(rest.split('=').next().unwrap_or_default()) || is_word(rest) => {
            OsString::from(format!("--{rest}"))
        }
        _ => arg,
    };
    args.into_iter().map(doubled).collect()
}
