//! Pipelines of passes: `builtin.module(func.func(a,b{x=1}),c)`, read, run and printed.

use raddle::{did_you_mean, pipeline};
use raddle_ir::{Code, Diag, Ir, OpId, Opcode};
use raddle_passes::{On, Options, Pass};

/// Pipelines nest at most this deep.
const DEPTH_MAX: usize = 64;

/// One element of a pipeline.
#[derive(Clone)]
pub enum Step {
    /// A pass with its options.
    Pass(&'static Pass, Options),
    /// What runs on the operations of one name, or of `any`, right inside the operation around it.
    Nest(String, Vec<Step>),
}

/// Reads a pipeline.
pub fn read(text: &str) -> Result<Vec<Step>, Diag> {
    let mut reader = Reader { text, rest: text.trim(), depth: 0 };
    let steps = reader.list()?;
    match reader.rest.chars().next() {
        None => Ok(steps),
        Some(')') => Err(reader.bad("a parenthesis is closed that was not opened")),
        Some('}') => Err(reader.bad("a brace is closed that was not opened")),
        Some(c) => Err(reader.bad(&format!("`{c}` is not expected there"))),
    }
}

/// The text of a pipeline, as [`read`] reads it.
pub fn print(steps: &[Step]) -> String {
    let shown = steps.iter().map(|step| match step {
        Step::Pass(pass, options) if options.text().is_empty() => pass.name.to_owned(),
        Step::Pass(pass, options) => format!("{}{{{}}}", pass.name, options.text()),
        Step::Nest(anchor, steps) => format!("{anchor}({})", print(steps)),
    });
    shown.collect::<Vec<_>>().join(",")
}

/// The operations that steps at the outermost level are for, and the steps: `builtin.module(…)` is the module itself.
pub fn unwrap(steps: &[Step]) -> &[Step] {
    match steps {
        [Step::Nest(anchor, inner)] if anchor == "builtin.module" || anchor == "any" => inner,
        _ => steps,
    }
}

/// The operations right inside `op` that a nest is for.
pub fn nested(ir: &Ir, op: OpId, anchor: &str) -> Vec<OpId> {
    let blocks = ir.regions(op).iter().flat_map(|&region| ir.blocks(region));
    let ops = blocks.flat_map(|&block| ir.block_ops(block));
    let fits = |&op: &OpId| if anchor == "any" { ir.opcode(op).is_isolated() } else { ir.name(op) == anchor };
    ops.filter(fits).collect()
}

/// What a pass runs on when it is asked to run on an operation: passes on functions go to those inside.
pub fn scope(ir: &Ir, pass: &Pass, op: OpId) -> Result<Vec<OpId>, Diag> {
    let is_func = |op: OpId| matches!(ir.opcode(op), Opcode::FuncFunc | Opcode::UtilFunc);
    match pass.on {
        On::Module if ir.opcode(op) == Opcode::BuiltinModule => Ok(vec![op]),
        On::Module => {
            let message = format!("`{}` runs on modules, not on `{}`", pass.name, ir.name(op));
            Err(Diag::error(Code::BadInput, ir.span(op), message).help("nest it under `builtin.module`"))
        }
        On::Function if is_func(op) => Ok([op].into_iter().filter(|&op| ir.body(op, 0).is_some()).collect()),
        On::Function => Ok(ir.walk(op).into_iter().filter(|&op| is_func(op) && ir.body(op, 0).is_some()).collect()),
    }
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn bad(&self, what: &str) -> Diag {
        Diag::nowhere(Code::BadInput, format!("`{}` is not a pass pipeline: {what}", self.text))
            .help("write it as `builtin.module(func.func(first-pass,second-pass{option=1}))`")
    }

    /// Takes the next character if it is this one.
    fn take(&mut self, c: char) -> bool {
        match self.rest.trim_start().strip_prefix(c) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn list(&mut self) -> Result<Vec<Step>, Diag> {
        let mut steps = Vec::new();
        loop {
            if let Some(step) = self.step()? {
                steps.push(step);
            }
            if !self.take(',') {
                return Ok(steps);
            }
        }
    }

    fn step(&mut self) -> Result<Option<Step>, Diag> {
        let end = self.rest.find(['(', ')', ',', '{', '}']).unwrap_or(self.rest.len());
        let name = self.rest[..end].trim();
        self.rest = &self.rest[end..];
        if self.rest.starts_with('(') {
            if !(name == "any" || Opcode::from_name(name).is_some_and(Opcode::is_isolated)) {
                let bad = self.bad(&format!("nothing nests under `{name}`"));
                let anchors = Opcode::all().filter(|opcode| opcode.is_isolated()).map(Opcode::name);
                return Err(match did_you_mean(name, anchors.chain(["any"])) {
                    Some(help) => bad.help(help),
                    None => bad,
                });
            }
            if self.depth == DEPTH_MAX {
                return Err(self.bad("it nests too deep"));
            }
            self.depth += 1;
            self.take('(');
            let steps = self.list()?;
            if !self.take(')') {
                return Err(self.bad("a parenthesis is not closed"));
            }
            self.depth -= 1;
            return Ok(Some(Step::Nest(name.to_owned(), steps)));
        }
        if name.is_empty() {
            return if self.rest.starts_with('{') { Err(self.bad("options have no pass")) } else { Ok(None) };
        }
        let pass = pipeline::pass(name)?;
        let options = self.options()?;
        Options::read(pass.options, pass.name, options).map(|options| Some(Step::Pass(pass, options)))
    }

    /// What stands in braces; braces inside are balanced.
    fn options(&mut self) -> Result<&'a str, Diag> {
        let Some(inner) = self.rest.strip_prefix('{') else { return Ok("") };
        let mut depth = 1usize;
        for (at, c) in inner.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.rest = inner[at + 1..].trim_start();
                return Ok(&inner[..at]);
            }
        }
        Err(self.bad("a brace is not closed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read is printed as it was written, without what says nothing.
    #[test]
    fn pipelines_are_read_and_printed() {
        for (text, printed) in [
            ("builtin.module(func.func())", "builtin.module(func.func())"),
            (
                "builtin.module( func.func( lay-out , distribute ), cse )",
                "builtin.module(func.func(lay-out,distribute),cse)",
            ),
            ("any(canonicalize{})", "any(canonicalize)"),
            ("run-script{entry-point=a}", "run-script{entry-point=a}"),
            ("cse,,cse", "cse,cse"),
            ("", ""),
        ] {
            assert_eq!(read(text).map(|steps| print(&steps)).ok().as_deref(), Some(printed), "{text}");
        }
    }

    /// What is not a pipeline is told, at any depth.
    #[test]
    fn bad_pipelines_are_told() {
        let deep = "any(".repeat(100_000);
        let bad = [
            "builtin.module(",
            "func.func(cse))",
            "x(y)",
            "cse{b=1}",
            "}",
            "{a}",
            "cse{",
            "cse cse",
            "arith.addi(cse)",
        ];
        for bad in bad.into_iter().chain([deep.as_str()]) {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
