//! Reproducers: a file that holds a program and, behind it, the pipeline that failed on it.
//!
//! The pipeline stands where MLIR has it, among the resources at the end of the file:
//! `{-# external_resources: { mlir_reproducer: { pipeline: "builtin.module(…)" … } } #-}`.

use raddle_ir::{Attr, Code, Diag, Ir, PrintOptions, Section};

use super::super::files;
use super::pass_pipeline::{self, Step};
use crate::bug;

/// Flags for reproducers.
#[derive(Clone, clap::Args)]
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

/// Where the pipeline stands among the resources.
const SECTION: &str = "external_resources";

const OWNER: &str = "mlir_reproducer";

/// What a reproducer would hold; it is also written where a bug ends the program.
#[derive(Clone)]
pub struct Recipe {
    flags: Reproduce,
    chip: &'static str,
    text: String,
}

impl Recipe {
    /// The whole pipeline, on the program in front of it.
    pub fn new(flags: &Reproduce, chip: &'static str, ir: &mut Ir, steps: &[Step]) -> Recipe {
        let mut recipe = Recipe { flags: flags.clone(), chip, text: String::new() };
        if flags.crash.is_some() || flags.always.is_some() {
            recipe.text = with_pipeline(ir, &pass_pipeline::print(steps));
            recipe.expect_bugs();
        }
        recipe
    }

    /// Starts here, with this one pass, where that is asked for.
    pub fn in_front(&mut self, ir: &mut Ir, anchors: &[String], step: Step) {
        if !self.flags.local {
            return;
        }
        let nested = anchors.iter().rev().fold(step, |step, anchor| Step::Nest(anchor.clone(), vec![step]));
        self.text = with_pipeline(ir, &pass_pipeline::print(&[nested]));
        self.expect_bugs();
    }

    fn expect_bugs(&self) {
        let recipe = self.clone();
        // There is no one to tell if that fails: the bug is what the user must see.
        bug::set_last(Box::new(move || drop(recipe.written(true))));
    }

    /// Where the reproducer of a failure goes.
    pub fn path(&self) -> Option<&str> {
        self.flags.crash.as_deref().or(self.flags.always.as_deref())
    }

    /// Writes the files that are asked for.
    pub fn written(&self, failed: bool) -> Result<(), Diag> {
        let text = format!("// Run it with: raddle opt --run-reproducer --target={}\n{}", self.chip, self.text);
        let crash = self.flags.crash.iter().filter(|_| failed);
        crash.chain(&self.flags.always).try_for_each(|path| files::write(path, text.as_bytes()))
    }
}

/// The program as text, and behind it, with the file's other resources, the pipeline.
fn with_pipeline(ir: &mut Ir, pipeline: &str) -> String {
    let before = ir.metadata().to_vec();
    forget(ir);
    let (name, owner) = (ir.intern_str(SECTION), ir.intern_str(OWNER));
    let pipeline = ir.str_attr(&format!("builtin.module({pipeline})"));
    let yes = ir.intern(Attr::Bool(true));
    for (key, value) in [("pipeline", pipeline), ("disable_threading", yes), ("verify_each", yes)] {
        let key = ir.intern_str(key);
        ir.metadata_mut().push(Section { name, owner, key, value });
    }
    let text = raddle_ir::print(ir, &PrintOptions::default());
    *ir.metadata_mut() = before;
    text
}

/// Takes the resources of a reproducer away.
fn forget(ir: &mut Ir) {
    let owner = ir.intern_str(OWNER);
    ir.metadata_mut().retain(|section| section.owner != owner);
}

/// Takes the pipeline that a reproducer carries: it is not part of the program.
pub fn take_pipeline(ir: &mut Ir) -> Result<Vec<Step>, Diag> {
    let is_pipeline = |section: &&Section| ir[section.owner] == *OWNER && ir[section.key] == *"pipeline";
    let found = ir.metadata().iter().find(is_pipeline).map(|section| &ir[section.value]);
    let Some(&Attr::Str(text)) = found else {
        return Err(Diag::nowhere(Code::BadInput, "the file carries no pipeline")
            .help("a reproducer ends with `{-# external_resources: { mlir_reproducer: { pipeline: \"…\" } } #-}`"));
    };
    forget(ir);
    pass_pipeline::read(&ir[text])
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
        let found = |text: &str| {
            let mut ir = raddle_ir::text::parse(text).map_err(|mut diags| diags.remove(0))?;
            let steps = take_pipeline(&mut ir)?;
            assert_eq!(ir.metadata(), []);
            Ok::<_, Diag>(pass_pipeline::print(&steps))
        };
        assert_eq!(found(&text("\"builtin.module(func.func(cse))\"")).as_deref(), Ok("builtin.module(func.func(cse))"));
        for bad in ["", "module {}", &text("true"), &text("\"nothing"), &text("\"absent\"")] {
            assert!(found(bad).is_err(), "{bad}");
        }
    }
}
