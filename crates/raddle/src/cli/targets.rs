//! `raddle targets`: chips and their matrix instructions.

use std::fmt::Write;

use raddle::{DEFAULT_TARGET, Report, pipeline};
use raddle_target::{CHIPS, Chip, Mma, mma};
use serde_json::{Value, json};

use super::{Answer, Outcome};

/// Flags of `raddle targets`.
#[derive(clap::Args)]
pub struct Args {
    /// One chip; without it, all of them
    name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Lists the chips, or describes one.
pub fn targets(args: &Args) -> Outcome {
    let chips: Vec<&Chip> = match &args.name {
        Some(name) => vec![pipeline::chip(name).map_err(Report::nowhere)?],
        None => CHIPS.iter().collect(),
    };
    if args.json {
        let chips: Vec<Value> = chips.iter().map(|chip| chip_json(chip)).collect();
        return Ok(Answer::json(&json!({ "targets": chips }), 0));
    }
    let mut out = String::new();
    for chip in &chips {
        describe(&mut out, chip);
    }
    Ok(Answer::good(out))
}

fn mmas(chip: &Chip) -> impl Iterator<Item = &'static Mma> {
    chip.mmas.iter().filter_map(|name| mma(name))
}

fn describe(out: &mut String, chip: &Chip) {
    let default = if chip.name == DEFAULT_TARGET { " (default)" } else { "" };
    let products = if chip.products.is_empty() { String::new() } else { format!(": {}", chip.products.join(", ")) };
    let _ = writeln!(out, "{}{default}{products}", chip.name);
    let _ = writeln!(
        out,
        "  {:?}: subgroups of {} lanes, up to {} threads and {} KiB of shared memory per workgroup, {} registers per thread",
        chip.vendor,
        chip.subgroup_size,
        chip.threads_max,
        chip.shared_bytes_max >> 10,
        chip.registers_max,
    );
    for mma in mmas(chip) {
        let [a, b, c] = mma.types;
        let blocks = mma.blocks.map_or(String::new(), |blocks| format!("x{}B", blocks.n));
        let shape = format!("{}x{}x{}{blocks}", mma.m, mma.n, mma.k);
        let _ = writeln!(out, "  {:30} {shape:10} {a} × {b} → {c}   {}", mma.name, mma.mnemonic);
    }
    if chip.processors.is_some_and(|processors| processors.shared_flops > 0) {
        out.push_str(
            "  and, by four subgroups, the same of f16, bf16 and i8 with factors in shared memory (wgmma.mma_async)\n",
        );
    }
    out.push('\n');
}

fn chip_json(chip: &Chip) -> Value {
    json!({
        "name": chip.name,
        "products": chip.products,
        "default": chip.name == DEFAULT_TARGET,
        "vendor": format!("{:?}", chip.vendor),
        "subgroup_size": chip.subgroup_size,
        "threads_max": chip.threads_max,
        "shared_bytes_max": chip.shared_bytes_max,
        "registers_max": chip.registers_max,
        "mmas": mmas(chip).map(|mma| json!({
            "name": mma.name,
            "mnemonic": mma.mnemonic,
            "mnk": [mma.m, mma.n, mma.k],
            "types": mma.types.map(|ty| ty.to_string()),
        })).collect::<Vec<_>>(),
    })
}
