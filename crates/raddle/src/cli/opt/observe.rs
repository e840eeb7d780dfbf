//! What the user wants to see of the way: the program in front of passes and behind them, and what they took.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use raddle::pipeline;
use raddle_ir::{Code, Diag, Ir, OpId, PrintOptions};
use raddle_passes::Pass;

/// Flags for looking at the way.
#[derive(clap::Args)]
#[command(next_help_heading = "Looking at passes, on standard error")]
pub struct Observe {
    /// Print the program behind each pass
    #[arg(long = "mlir-print-ir-after-all")]
    after_all: bool,
    /// Print the program in front of each pass
    #[arg(long = "mlir-print-ir-before-all")]
    before_all: bool,
    /// Print the program behind these passes
    #[arg(long = "mlir-print-ir-after", value_name = "PASS,…", value_delimiter = ',')]
    after: Vec<String>,
    /// Print the program in front of these passes
    #[arg(long = "mlir-print-ir-before", value_name = "PASS,…", value_delimiter = ',')]
    before: Vec<String>,
    /// Print the program behind each pass that changed it
    #[arg(long = "mlir-print-ir-after-change")]
    after_change: bool,
    /// Print the program that a pass left behind when it failed
    #[arg(long = "mlir-print-ir-after-failure")]
    after_failure: bool,
    /// Print the whole module where a pass on a function is looked at
    #[arg(long = "mlir-print-ir-module-scope")]
    module_scope: bool,
    /// Write what is looked at to files under this folder, one for each pass and operation
    #[arg(long = "mlir-print-ir-tree-dir", value_name = "DIR")]
    tree_dir: Option<String>,
    /// Print what reading, each pass and printing took
    #[arg(long = "mlir-timing")]
    timing: bool,
    /// Accepted as by other tools: passes run one after the other
    #[arg(long = "mlir-disable-threading")]
    disable_threading: bool,
}

/// What was seen.
pub struct Log<'a> {
    flags: &'a Observe,
    /// How IR is printed.
    pub options: PrintOptions,
    /// Standard error.
    pub err: String,
    start: Instant,
    timings: Vec<(&'static str, Duration)>,
    /// The program in front of the pass that runs, where that is asked for.
    before: Option<String>,
    /// Files to write, with what was written to each folder so far.
    files: Vec<(String, String)>,
    numbers: BTreeMap<String, usize>,
}

/// When a program is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Before,
    After,
    Failed,
}

impl<'a> Log<'a> {
    /// Nothing was seen yet.
    pub fn new(flags: &'a Observe, options: PrintOptions) -> Log<'a> {
        Log {
            flags,
            options,
            err: String::new(),
            start: Instant::now(),
            timings: Vec::new(),
            before: None,
            files: Vec::new(),
            numbers: BTreeMap::new(),
        }
    }

    /// Whether the passes that flags name exist.
    pub fn check(&self) -> Result<(), Diag> {
        self.flags.after.iter().chain(&self.flags.before).try_for_each(|name| pipeline::pass(name).map(|_| ()))
    }

    /// Counts what a step took.
    pub fn took(&mut self, step: &'static str, took: Duration) {
        match self.timings.iter_mut().find(|row| row.0 == step) {
            Some(row) => row.1 += took,
            None => self.timings.push((step, took)),
        }
    }

    /// Looks at the program in front of a pass.
    pub fn in_front(&mut self, pass: &'static Pass, ir: &Ir, op: OpId) {
        let shown = self.flags.before_all || names(&self.flags.before, pass);
        if shown || self.flags.after_change {
            let text = self.text(ir, op);
            if shown {
                self.dump(pass, When::Before, ir, op, &text);
            }
            self.before = Some(text);
        }
    }

    /// Looks at the program behind a pass.
    pub fn behind(&mut self, pass: &'static Pass, took: Duration, ir: &Ir, op: OpId) {
        self.took(pass.name, took);
        let named = self.flags.after_all || names(&self.flags.after, pass);
        if !named && !self.flags.after_change {
            return;
        }
        // A pass may remove what it ran on.
        let op = if op == ir.module() || ir.parent_block(op).is_some() { op } else { ir.module() };
        let text = self.text(ir, op);
        let changed = self.before.take().is_none_or(|before| before != text);
        // As in MLIR, `after-change` narrows what the other flags ask for, and alone asks for all.
        let shown = if self.flags.after_change { changed && (named || self.flags.after.is_empty()) } else { named };
        if shown {
            self.dump(pass, When::After, ir, op, &text);
        }
    }

    /// Looks at the program that a failing pass left.
    pub fn failed(&mut self, pass: &'static Pass, ir: &Ir, op: OpId) {
        if self.flags.after_failure || self.flags.after_all || names(&self.flags.after, pass) {
            let text = self.text(ir, op);
            self.dump(pass, When::Failed, ir, op, &text);
        }
    }

    fn text(&self, ir: &Ir, op: OpId) -> String {
        if self.flags.module_scope || op == ir.module() {
            return raddle_ir::print(ir, &self.options);
        }
        raddle_ir::text::print_one(ir, op, &PrintOptions { local_scope: true, ..self.options.clone() })
    }

    fn dump(&mut self, pass: &Pass, when: When, ir: &Ir, op: OpId, text: &str) {
        let title = match when {
            When::Before => format!("Before {}", pass.name),
            When::After => format!("After {}", pass.name),
            When::Failed => format!("After {} Failed", pass.name),
        };
        let symbol = ir.symbol_name(op).unwrap_or_default();
        let place = match (self.flags.module_scope, symbol) {
            (false, _) => String::new(),
            (true, "") => format!(" ('{}' operation)", ir.name(op)),
            (true, symbol) => format!(" ('{}' operation: @{symbol})", ir.name(op)),
        };
        let banner = format!("// -----// IR Dump {title}{place} //----- //\n");
        let Some(root) = &self.flags.tree_dir else {
            let _ = writeln!(self.err, "{banner}{text}");
            return;
        };
        let name = |op: OpId| {
            let symbol = ir.symbol_name(op).map(|name| format!("_{}", plain(name))).unwrap_or_default();
            format!("{}{symbol}", ir.name(op).replace('.', "_"))
        };
        let mut folders = vec![name(op)];
        let mut at = op;
        while let Some(parent) = ir.parent_op(at) {
            folders.insert(0, name(parent));
            at = parent;
        }
        let folder = Path::new(root).join(folders.join("/")).to_string_lossy().into_owned();
        let number = self.numbers.entry(folder.clone()).or_default();
        let tail = match when {
            When::Before => "_before",
            When::After => "",
            When::Failed => "_failed",
        };
        self.files.push((format!("{folder}/{number}_{}{tail}.mlir", pass.name), format!("{banner}{text}")));
        *number += 1;
    }

    /// Prints the times and writes the files.
    pub fn finish(&mut self) -> Result<(), Diag> {
        if self.flags.timing {
            self.print_timings();
        }
        for (path, text) in std::mem::take(&mut self.files) {
            let failed =
                |error: std::io::Error| Diag::nowhere(Code::BadFile, format!("cannot write `{path}`: {error}"));
            if let Some(folder) = Path::new(&path).parent() {
                std::fs::create_dir_all(folder).map_err(failed)?;
            }
            super::files::write(&path, text.as_bytes())?;
        }
        Ok(())
    }

    /// A table as `mlir-opt` prints it.
    fn print_timings(&mut self) {
        let total = self.start.elapsed();
        let known: Duration = self.timings.iter().map(|row| row.1).sum();
        let rest = [("Rest", total.saturating_sub(known)), ("Total", total)];
        let rule = format!("==={}===\n", "-".repeat(73));
        let _ = write!(self.err, "{rule}{:25}... Execution time report ...\n{rule}", "");
        let _ = writeln!(self.err, "  Total Execution Time: {:.4} seconds\n", total.as_secs_f64());
        self.err.push_str("  ----Wall Time----  ----Name----\n");
        for (name, took) in self.timings.iter().copied().chain(rest) {
            let percent = 100.0 * took.as_secs_f64() / total.as_secs_f64().max(1e-12);
            let _ = writeln!(self.err, "  {:8.4} ({percent:5.1}%)  {name}", took.as_secs_f64());
        }
    }
}

fn names(list: &[String], pass: &Pass) -> bool {
    list.iter().any(|name| name == pass.name || pass.aliases.contains(&name.as_str()))
}

/// A symbol as part of a file's name.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
}
