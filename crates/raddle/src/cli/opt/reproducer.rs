//! Reproducers: a file that holds a program and, behind it, the pipeline that failed on it.
//!
//! The pipeline stands where MLIR has it, among the resources at the end of the file:
//! `{-# external_resources: { mlir_reproducer: { pipeline: "builtin.module(…)" … } } #-}`.

use raddle_ir::{Code, Diag, Ir, PrintOptions};

use super::super::files;
use super::pipeline::{self, Step};

/// Flags for reproducers.
#[derive(clap::Args)]
#[command(next_help_heading = "Reproducers")]
pub struct Reproduce {
    /// Write the program and the pipeline to this file if a pass fails
    #[arg(long = "mlir-pass-pipeline-crash-reproducer", value_name = "FILE")]
    crash: Option<String>,
    /// In the reproducer, start right in front of the pass that fails
    #[arg(long = "mlir-pass-pipeline-local-reproducer", requires = "crash")]
    local: bool,
    /// Write the program and the pipeline to this file, whatever happens
    #[arg(long = "mlir-generate-reproducer", value_name = "FILE")]
    always: Option<String>,
}

/// What a reproducer would hold.
pub struct Recipe<'a> {
    flags: &'a Reproduce,
    chip: &'static str,
    text: String,
    pipeline: String,
}

impl<'a> Recipe<'a> {
    /// The whole pipeline, on the program in front of it.
    pub fn new(flags: &'a Reproduce, chip: &'static str, ir: &Ir, steps: &[Step]) -> Recipe<'a> {
        let mut recipe = Recipe { flags, chip, text: String::new(), pipeline: pipeline::print(steps) };
        if flags.crash.is_some() || flags.always.is_some() {
            recipe.text = raddle_ir::print(ir, &PrintOptions::default());
        }
        recipe
    }

    /// Starts here, with this one pass, where that is asked for.
    pub fn in_front(&mut self, ir: &Ir, anchors: &[String], step: Step) {
        if !self.flags.local {
            return;
        }
        self.text = raddle_ir::print(ir, &PrintOptions::default());
        let nested = anchors.iter().rev().fold(step, |step, anchor| Step::Nest(anchor.clone(), vec![step]));
        self.pipeline = pipeline::print(&[nested]);
    }

    /// Where the reproducer of a failure goes.
    pub fn path(&self) -> Option<&str> {
        self.flags.crash.as_deref().or(self.flags.always.as_deref())
    }

    /// Writes the files that are asked for.
    pub fn written(&self, failed: bool) -> Result<(), Diag> {
        let text = format!(
            "// Run it with: raddle opt --run-reproducer --target={}\n{}\n{{-#\n  external_resources: {{\n    \
             mlir_reproducer: {{\n      pipeline: \"builtin.module({})\",\n      disable_threading: true,\n      \
             verify_each: true\n    }}\n  }}\n#-}}\n",
            self.chip,
            self.text,
            self.pipeline.replace('\\', "\\\\").replace('"', "\\\""),
        );
        let crash = self.flags.crash.iter().filter(|_| failed);
        crash.chain(&self.flags.always).try_for_each(|path| files::write(path, text.as_bytes()))
    }
}

/// The program of a reproducer, without the resources behind it.
pub fn program(text: &str) -> &str {
    text.rfind("{-#").map_or(text, |at| &text[..at])
}

/// The pipeline that a reproducer carries.
pub fn pipeline(text: &str) -> Result<Vec<Step>, Diag> {
    let missing = || {
        Diag::nowhere(Code::BadInput, "the file carries no pipeline")
            .help("a reproducer ends with `{-# external_resources: { mlir_reproducer: { pipeline: \"…\" } } #-}`")
    };
    let resources = text.rfind("{-#").map(|at| &text[at..]).ok_or_else(missing)?;
    let (_, entries) = resources.split_once("mlir_reproducer").ok_or_else(missing)?;
    let (_, value) = entries.split_once("pipeline:").ok_or_else(missing)?;
    let value = value.trim_start().strip_prefix('"').ok_or_else(missing)?;
    let mut found = String::new();
    let mut chars = value.chars();
    loop {
        match chars.next().ok_or_else(missing)? {
            '"' => return pipeline::read(&found),
            '\\' => found.extend(chars.next()),
            c => found.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipelines_are_found_among_resources() {
        let text = |pipeline: &str| {
            format!(
                "module {{}}\n{{-# external_resources: {{ mlir_reproducer: {{ pipeline: {pipeline}, verify_each: true }} }} #-}}"
            )
        };
        let found = pipeline(&text("\"builtin.module(func.func(cse))\"")).map(|steps| pipeline::print(&steps));
        assert_eq!(found.ok().as_deref(), Some("builtin.module(func.func(cse))"));
        for bad in ["", "module {}", "{-# mlir_reproducer: { pipeline: #-}", &text("\"nothing"), &text("\"absent\"")] {
            assert!(pipeline(bad).is_err(), "{bad}");
        }
    }
}
