//! `raddle layout list`: the matrix instructions of the catalogue, all or those that a word names.

use std::fmt::Write;

use raddle::Report;
use raddle_ir::{Code, Diag};
use raddle_target::catalogue::{self, Instruction, SCALED, VIRTUALS};
use serde_json::{Value, json};

use crate::cli::{Answer, Outcome};

/// Flags of `raddle layout list`.
#[derive(clap::Args)]
pub struct Args {
    /// A part of a name, mnemonic, family or shape, or a chip: `mfma`, `m16n8k16`, `F8E4M3`, `sm_90`
    filter: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// One line for each instruction.
pub fn list(args: &Args) -> Outcome {
    let filter = args.filter.as_deref().unwrap_or_default();
    let rows: Vec<&Instruction> = catalogue::matching(filter).collect();
    // Names that stand for several instructions.
    let has = |name: &&str| name.to_lowercase().contains(&filter.to_lowercase());
    let composed = VIRTUALS.iter().map(|row| row.name).chain(SCALED.iter().map(|row| row.name));
    let composed: Vec<&str> = composed.filter(has).collect();
    if rows.is_empty() && composed.is_empty() {
        let diag = Diag::nowhere(Code::UnknownName, format!("`{filter}` is a part of no instruction's name"));
        let nearest = catalogue::lookup(filter).err().map(|unknown| unknown.nearest);
        return Err(Report::nowhere(diag.help(format!("did you mean `{}`?", nearest.unwrap_or_default()))));
    }
    if args.json {
        let rows: Vec<Value> = rows.into_iter().map(to_json).collect();
        return Ok(Answer::json(&json!({ "instructions": rows, "composed": composed }), 0));
    }
    let mut out = String::new();
    let width = rows.iter().map(|row| row.id.len()).max().unwrap_or(0);
    for row in &rows {
        let [a, b, c] = row.types.map(|elem| elem.name());
        let shape = format!("{}x{}x{}", row.m, row.n, row.k);
        let aliases: String = row.aliases.iter().map(|alias| format!("  {}", alias.name)).collect();
        let _ = writeln!(out, "{:width$}  {shape:12} {a} × {b} → {c}  {}{aliases}", row.id, row.targets);
    }
    for name in &composed {
        let _ = writeln!(out, "{name:width$}  several instructions");
    }
    let n = rows.len() + composed.len();
    let _ = writeln!(
        out,
        "\n{n} of {}; `raddle layout show NAME` draws one",
        catalogue::instructions().len() + VIRTUALS.len() + SCALED.len()
    );
    Ok(Answer::good(out))
}

fn to_json(row: &Instruction) -> Value {
    json!({
        "id": row.id,
        "aliases": row.aliases.iter().map(|alias| &alias.name).collect::<Vec<_>>(),
        "family": row.family.name(),
        "mnemonic": row.mnemonic,
        "targets": row.targets,
        "mnk": [row.m, row.n, row.k],
        "blocks": row.blocks,
        "types": row.types.map(|elem| elem.name()),
    })
}
