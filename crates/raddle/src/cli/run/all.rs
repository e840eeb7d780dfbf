//! `raddle run --all`: every function of a file, reported like tests.
//!
//! A function that holds its data and states what comes out (`check.expect_*`) is right if its kernel gives that, and if
//! the program as written does where the emulator can execute it. Sums have no order of their own: where a result is not
//! what a test expects, but both are what rounding makes of the exact result, the function is right, and the report says
//! how it differs. A function with arguments runs on random data, and
//! its kernel must give what the program as written gives. What cannot be compiled is refused, with the code that says
//! why; a panic of ours is a bug, and the next function runs all the same.

use std::fmt::Write;
use std::sync::{Arc, mpsc};
use std::time::Instant;

use raddle::pipeline::Program;
use raddle::{Report, pipeline};
use raddle_ir::{Attr, AttrId, Code, Diag, Ir, OpId, Scalar};
use raddle_passes::Facts;
use raddle_passes::outline::{Check, Checked, Expected, Outlined, outline};
use raddle_run::compare::{AsWritten, Comparison, Tolerance, compare, compare_with, movements};
use raddle_run::{Device, Emulator, Launch, Options, Precision, Tensor};
use raddle_target::Chip;
use serde_json::{Value, json};

use super::arguments::Signature;
use super::chosen;
use super::cpu_c;
use super::parameters::Parameters;
use super::program;
use super::progress::Bar;
use super::{Answer, Args, Outcome, files};
use crate::bug;

/// What became of one function.
struct Finding {
    function: String,
    verdict: Verdict,
    /// The program as it was written, where it was executed for itself.
    as_written: Option<Verdict>,
}

enum Verdict {
    Right,
    /// Right, but with other roundings than the test expects.
    Reordered(String),
    Wrong(String),
    Refused(Box<Diag>),
    Bug(String),
}

impl Verdict {
    fn word(&self) -> &'static str {
        match self {
            Verdict::Right | Verdict::Reordered(_) => "ok",
            Verdict::Wrong(_) => "WRONG",
            Verdict::Refused(_) => "refused",
            Verdict::Bug(_) => "BUG",
        }
    }

    fn refused(diag: Diag) -> Verdict {
        match diag.code {
            Code::BrokenPass => Verdict::Bug(diag.message),
            _ => Verdict::Refused(Box::new(diag)),
        }
    }
}

/// Runs every function of the file.
pub fn run(args: &Args) -> Outcome {
    let nowhere = Report::nowhere;
    let chip = args.chip().map_err(nowhere)?;
    let (name, text) = files::read_program(&args.file)?;
    let report = |diags: Vec<Diag>| Report::new(diags, &name, &text);
    let ir = pipeline::open(&text, chip).map_err(report)?;
    let called = pipeline::called(&ir);
    let functions: Vec<String> = pipeline::functions(&ir)
        .into_iter()
        .filter_map(|func| ir.symbol_name(func).map(str::to_owned))
        .filter(|name| !called.contains(name))
        .collect();
    if functions.is_empty() {
        return Err(report(vec![pipeline::nothing_to_do(&ir)]));
    }
    let findings = findings(args, &text, &functions).map_err(nowhere)?;
    let source = report(Vec::new());
    let worst = findings.iter().map(|finding| match &finding.verdict {
        Verdict::Right | Verdict::Reordered(_) => 0,
        Verdict::Wrong(_) => 1,
        Verdict::Refused(diag) => super::super::status(std::slice::from_ref(diag)),
        Verdict::Bug(_) => bug::STATUS,
    });
    let status = worst.max().unwrap_or(0);
    if args.json {
        let functions: Vec<Value> = findings.iter().map(|finding| finding_json(&source, finding)).collect();
        return Ok(Answer::json(&json!({ "ok": status == 0, "file": name, "functions": functions }), status));
    }
    Ok(Answer { out: shown(&source, args.quiet, &findings).into_bytes(), err: String::new(), status })
}

/// Examines functions one after the other, and those behind a bug on another thread.
fn findings(args: &Args, text: &str, functions: &[String]) -> Result<Vec<Finding>, Diag> {
    let mut findings: Vec<Finding> = Vec::new();
    while findings.len() < functions.len() {
        let left = functions[findings.len()..].to_vec();
        let (args, text) = (args.clone(), text.to_owned());
        let (tell, told) = mpsc::channel();
        let ended = bug::caught(move || {
            let suite = Suite::new(args, text)?;
            left.into_iter().for_each(|function| drop(tell.send(suite.function(function))));
            Ok(())
        });
        findings.extend(told.try_iter());
        match ended {
            Ok(ended) => ended?,
            Err(said) => {
                let function = functions[findings.len()].clone();
                findings.push(Finding { function, verdict: Verdict::Bug(said), as_written: None });
            }
        }
    }
    Ok(findings)
}

struct Suite {
    args: Args,
    text: String,
    parameters: Parameters,
    chip: &'static Chip,
    device: Box<dyn Device>,
}

impl Suite {
    fn new(args: Args, text: String) -> Result<Suite, Diag> {
        let chip = args.chip()?;
        let device = super::device(&args.device, chip, false)?;
        let parameters = Parameters::read(&args.parameters, args.seed, args.limits.memory)?;
        Ok(Suite { args, text, parameters, chip, device })
    }

    fn function(&self, function: String) -> Finding {
        let found = self.examine(&function);
        let (verdict, as_written) = found.unwrap_or_else(|diag| (Verdict::refused(diag), None));
        Finding { function, verdict, as_written }
    }

    fn open(&self) -> Result<Ir, Diag> {
        self.parameters.open(&self.text, self.chip).map_err(|mut diags| diags.remove(0))
    }

    /// The file, with this function alone as written: on its data, if it holds it.
    fn read(&self, function: &str) -> Result<(Ir, OpId, Option<Outlined>), Diag> {
        let mut ir = self.open()?;
        let func = pipeline::function(&ir, Some(function))?;
        pipeline::admit(&mut ir, func, &Facts::new(self.chip))?;
        let outlined = outline(&mut ir, func)?;
        Ok((ir, func, outlined))
    }

    fn examine(&self, function: &str) -> Result<(Verdict, Option<Verdict>), Diag> {
        let (ir, func, outlined) = self.read(function)?;
        let signature = Signature::of(&ir, func)?;
        signature.check_memory(self.args.limits.memory)?;
        match outlined {
            Some(test) => {
                if signature.results.is_empty() {
                    // Data is compared with data: there is nothing to compute.
                    return Ok((judge(&ir, func, &test, &[]), None));
                }
                let data = test.data.iter().map(|&value| tensor(&ir, func, value)).collect::<Result<Vec<_>, _>>()?;
                let as_written = self.execute(&ir, func, &signature, &data, (&Emulator, Precision::Exact));
                let written = Written { suite: self, ir: &ir, func, test: &test, signature: &signature, data: &data };
                let as_written = as_written
                    .map_or_else(Verdict::refused, |results| written.judge(&results, Tolerance::of_any_order));
                let program = match self.compile(function) {
                    Ok(program) => program,
                    Err(diag) => return Ok((Verdict::refused(diag), Some(as_written))),
                };
                let verdict =
                    match self.execute_program(&program, &signature, &data, (self.device.as_ref(), Precision::Exact)) {
                        Ok(results) => written.judge(&results, Tolerance::of_program),
                        Err(diag) => Verdict::refused(diag),
                    };
                // A kernel that is right does not excuse an emulator that is wrong.
                let wrong = matches!(as_written, Verdict::Wrong(_));
                let wrong = wrong && matches!(verdict, Verdict::Right | Verdict::Reordered(_));
                Ok(if wrong { (as_written, None) } else { (verdict, Some(as_written)) })
            }
            None => {
                let (data, _) = signature.arguments(&[], self.args.seed, &chosen::choose(&ir, func)?)?;
                let written = self.open()?;
                let ir = if program::is_reference(&written, &ir, func) { written } else { ir };
                let program = self.compile(function)?;
                let results =
                    self.execute_program(&program, &signature, &data, (self.device.as_ref(), Precision::Exact))?;
                let meaning = |data: &[Tensor], precision: Precision| {
                    let on = (&Emulator as &dyn Device, precision);
                    self.execute(&ir, func, &signature, data, on).or_else(|diag| {
                        if diag.code != Code::CannotExecute {
                            return Err(diag);
                        }
                        // Extents depend on data: the host carries the program out, and the emulator what kernels mean.
                        let (ir, func, _) = self.read(function)?;
                        let program = Program::of(ir, func, &self.args.facts(self.chip))?;
                        if program.host.is_none() {
                            return Err(diag);
                        }
                        self.execute_program(&program, &signature, data, on)
                    })
                };
                let reference = meaning(&data, Precision::Wide)?;
                // Types overflow and lose digits: what the program as written does in its own types is right, too.
                let own = meaning(&data, Precision::Exact)?;
                let first_difference = |moved: &[Vec<f64>]| {
                    let pairs = results.iter().zip(reference.iter().zip(&own)).enumerate();
                    let mut differences = pairs.filter_map(|(at, (got, (expected, own)))| {
                        let tolerance = super::tolerance(&self.args, &ir, func, got, expected);
                        let written = AsWritten { own, moved: moved.get(at).map_or(&[], Vec::as_slice) };
                        difference(&format!("result {at}"), got, expected, Some(written), tolerance)
                    });
                    differences.next()
                };
                let mut found = first_difference(&[]);
                if found.is_some() {
                    // Rounding moves some elements far.
                    let exactly = |data: &[Tensor]| meaning(data, Precision::Wide);
                    found = first_difference(&movements(&ir, func, &data, &reference, exactly)?);
                }
                Ok((found.map_or(Verdict::Right, Verdict::Wrong), None))
            }
        }
    }

    fn compile(&self, function: &str) -> Result<Program, Diag> {
        let (ir, func, _) = self.read(function)?;
        let facts = self.args.facts(self.chip);
        Program::compile(ir, func, &facts, |_, _, _| {})
    }

    /// Executes the kernels of a function, in the order in which it calls them.
    fn execute_program(
        &self,
        program: &Program,
        signature: &Signature,
        data: &[Tensor],
        (device, precision): (&dyn Device, Precision),
    ) -> Result<Vec<Tensor>, Diag> {
        let Program { ir, kernels, host } = program;
        match host {
            None => self.execute(ir, kernels[0], signature, data, (device, precision)),
            Some(host) => {
                if let Some(results) = cpu_c::run_whole((device, self.chip), host, ir, kernels, data)? {
                    return Ok(results);
                }
                let start = |kernel: OpId, arguments: &[Tensor], uninitialised_args: Vec<usize>, _: bool| {
                    let options = Options { uninitialised_args, ..self.options(precision) };
                    device.run(ir, kernel, arguments, &Launch::for_args(ir, kernel, arguments)?, &options)
                };
                program::carry_out(host, ir, kernels, data, &start).map(|(results, _)| results)
            }
        }
    }

    fn options(&self, precision: Precision) -> Options {
        let limits = self.args.limits.options(Instant::now(), Arc::new(Bar::new(false)));
        let sanitize = !self.args.no_sanitize && precision == Precision::Exact;
        Options { precision, seed: self.args.seed, sanitize, ..limits }
    }

    /// Executes one function. What a program means as it is written, the emulator says: no other device has a part in it.
    fn execute(
        &self,
        ir: &Ir,
        func: OpId,
        signature: &Signature,
        data: &[Tensor],
        (device, precision): (&dyn Device, Precision),
    ) -> Result<Vec<Tensor>, Diag> {
        let (arguments, uninitialised_args) = signature.arguments_at(ir, func, data)?;
        let launch = Launch::for_args(ir, func, &arguments)?;
        let options = Options { uninitialised_args, ..self.options(precision) };
        let ran = device.run(ir, func, &arguments, &launch, &options)?;
        Ok(signature.results_of(ir, func, ran).0)
    }
}

/// How near to an exact result of a function of this element type a result must be.
type Near = fn(&Ir, OpId, &Tensor, Scalar) -> Tolerance;

/// A test as it is written, and what it runs on.
struct Written<'a> {
    suite: &'a Suite,
    ir: &'a Ir,
    func: OpId,
    test: &'a Outlined,
    signature: &'a Signature,
    data: &'a [Tensor],
}

impl Written<'_> {
    /// Compares results with what the test expects, and where they differ, both with the exact result, of which
    /// `tolerance` says how near the results must be.
    fn judge(&self, results: &[Tensor], tolerance: Near) -> Verdict {
        let &Written { suite, ir, func, test, .. } = self;
        let verdict = judge(ir, func, test, results);
        let Verdict::Wrong(found) = verdict else { return verdict };
        let exact = suite.execute(ir, func, self.signature, self.data, (&Emulator, Precision::Wide));
        match exact {
            Ok(exact) if self.is_rounding(results, &exact, tolerance) => Verdict::Reordered(found),
            _ => Verdict::Wrong(found),
        }
    }

    /// Whether results are near the exact ones, and what is expected of them is as near as sums in some order are.
    fn is_rounding(&self, results: &[Tensor], exact: &[Tensor], tolerance: Near) -> bool {
        let &Written { ir, func, test, .. } = self;
        let near = |got: &Tensor, exact: &Tensor, tolerance: Near| {
            got.shape == exact.shape && compare(got, exact, tolerance(ir, func, exact, got.elem)).is_correct()
        };
        let expected = |check: &Check| match (&check.found, &check.expected) {
            (&Checked::Result(at), Expected::Value(Checked::Constant(value))) => {
                Some((at, tensor(ir, func, *value).ok()?))
            }
            _ => None,
        };
        // Integers and exact checks leave no choice.
        let states_exactly = |check: &Check| check.tolerance == (0.0, 0.0);
        let differs = |check: &&Check| difference_of(ir, func, check, results).is_ok_and(|found| found.is_some());
        test.checks.iter().filter(differs).all(|check| {
            expected(check).is_some_and(|(at, expected)| {
                let exact = &exact[at];
                let own = near(&results[at], exact, tolerance);
                !states_exactly(check) && own && near(&expected, exact, Tolerance::of_any_order)
            })
        })
    }
}

/// Compares results with what a test expects.
fn judge(ir: &Ir, func: OpId, test: &Outlined, results: &[Tensor]) -> Verdict {
    for check in &test.checks {
        match difference_of(ir, func, check, results) {
            Ok(None) => {}
            Ok(Some(found)) => return Verdict::Wrong(found),
            Err(diag) => return Verdict::refused(diag),
        }
    }
    Verdict::Right
}

/// How what is checked differs from what is expected.
fn difference_of(ir: &Ir, func: OpId, check: &Check, results: &[Tensor]) -> Result<Option<String>, Diag> {
    let side = |side: &Checked| match side {
        Checked::Constant(value) => tensor(ir, func, *value),
        Checked::Result(at) => results.get(*at).cloned().ok_or_else(|| cannot_hold(ir, func)),
    };
    let what = match check.found {
        Checked::Result(at) => format!("result {at}"),
        Checked::Constant(_) => "the constant".to_owned(),
    };
    let got = side(&check.found)?;
    Ok(match &check.expected {
        Expected::Value(expected) => {
            let (abs, rel) = check.tolerance;
            difference(&what, &got, &side(expected)?, None, Tolerance { abs, rel })
        }
        Expected::Truth(truth) => {
            let wrong = got.to_f64().iter().filter(|&&value| (value != 0.0) != *truth).count();
            (wrong > 0).then(|| format!("{what}: {wrong} of {} elements are not {truth}", got.n_elements()))
        }
    })
}

/// In one line, how two tensors differ; `None` if they do not.
fn difference(
    what: &str,
    got: &Tensor,
    expected: &Tensor,
    written: Option<AsWritten<'_>>,
    tolerance: Tolerance,
) -> Option<String> {
    if got.shape != expected.shape {
        return Some(format!("{what} has shape {:?}, and {:?} is expected", got.shape, expected.shape));
    }
    let comparison: Comparison = compare_with(got, expected, written, tolerance);
    let mismatch = comparison.first.first().filter(|_| !comparison.is_correct())?;
    let (wrong, all) = (comparison.n_wrong, comparison.n_elements);
    let (at, got, expected) = (&mismatch.at, mismatch.got, mismatch.expected);
    Some(format!("{what}: {wrong} of {all} elements differ; {at:?}: got {got}, expected {expected}"))
}

/// The tensor that a constant is.
fn tensor(ir: &Ir, func: OpId, value: AttrId) -> Result<Tensor, Diag> {
    let attr = &ir[value];
    let (ty, elements, splat) = match attr {
        Attr::Dense { ty, splat, .. } => (*ty, ir.dense_elems(attr), *splat),
        Attr::Int { ty, .. } | Attr::Float { ty, .. } => (*ty, vec![attr.clone()], false),
        Attr::Bool(value) => {
            let bit = Scalar::from_keyword("i1").unwrap_or(Scalar::Index);
            return Ok(Tensor::from_i64(bit, &[], &[i64::from(*value)]));
        }
        _ => return Err(cannot_hold(ir, func)),
    };
    let (shape, elem) = ir.outside(ty);
    let elem = elem.filter(|elem| raddle_run::spec::is_held(*elem));
    let elem = elem.ok_or_else(|| cannot_hold(ir, func))?;
    let n = raddle_run::spec::n_elements(&shape, elem)
        .map_err(|error| Diag::error(Code::TooLarge, ir.span(func), error.to_string()))?;
    let times = if splat { n / elements.len().max(1) } else { 1 };
    Ok(match elem {
        Scalar::Float(_) => {
            let values: Vec<f64> = elements.iter().filter_map(Attr::as_f64).collect();
            Tensor::from_f64(elem, &shape, &values.repeat(times))
        }
        Scalar::Int(_) | Scalar::Index => {
            let values: Vec<_> = elements.iter().filter_map(Attr::as_integer).collect();
            Tensor::from_integers(elem, &shape, values.iter().cycle().take(values.len() * times).cloned())
        }
    })
}

fn cannot_hold(ir: &Ir, func: OpId) -> Diag {
    Diag::error(Code::BadInput, ir.span(func), "the function holds data of a type that cannot be executed")
        .note("tensors of integers, and of floats of at most 64 bits, can be read, written and compared")
}

fn shown(source: &Report, quiet: bool, findings: &[Finding]) -> String {
    let mut out = String::new();
    let count = |word: &str| findings.iter().filter(|finding| finding.verdict.word() == word).count();
    for Finding { function, verdict, as_written } in findings {
        if quiet && matches!(verdict, Verdict::Right | Verdict::Reordered(_)) {
            continue;
        }
        let _ = write!(out, "{:8} @{function}", verdict.word());
        let _ = match verdict {
            Verdict::Right => writeln!(out),
            Verdict::Reordered(what) => writeln!(out, ": within rounding of the exact result; {what}"),
            Verdict::Wrong(what) | Verdict::Bug(what) => writeln!(out, ": {what}{}", also(as_written)),
            Verdict::Refused(diag) => {
                let line = diag.span.map_or(String::new(), |span| format!(" line {},", source.place(span.start).0));
                writeln!(out, ":{line} {diag}{}", also(as_written))
            }
        };
    }
    let many = |count: usize| if count == 1 { "" } else { "s" };
    let _ = writeln!(
        out,
        "{} function{}: {} right, {} refused, {} wrong, {} bug{}",
        findings.len(),
        many(findings.len()),
        count("ok"),
        count("refused"),
        count("WRONG"),
        count("BUG"),
        many(count("BUG"))
    );
    out
}

/// What the program as written does, behind what its kernel does.
fn also(as_written: &Option<Verdict>) -> String {
    match as_written {
        None => String::new(),
        Some(Verdict::Right | Verdict::Reordered(_)) => "; right as written".to_owned(),
        Some(Verdict::Wrong(what)) => format!("; WRONG as written: {what}"),
        Some(Verdict::Refused(diag)) => format!("; as written: {diag}"),
        Some(Verdict::Bug(what)) => format!("; as written, a bug: {what}"),
    }
}

fn finding_json(source: &Report, finding: &Finding) -> Value {
    let verdict_json = |verdict: &Verdict| match verdict {
        Verdict::Right => json!({ "verdict": "right" }),
        Verdict::Reordered(what) => json!({ "verdict": "right", "message": what }),
        Verdict::Wrong(what) => json!({ "verdict": "wrong", "message": what }),
        Verdict::Bug(what) => json!({ "verdict": "bug", "message": what }),
        Verdict::Refused(diag) => json!({
            "verdict": "refused",
            "code": diag.code.number(),
            "message": diag.message,
            "line": diag.span.map(|span| source.place(span.start).0),
        }),
    };
    let mut row = verdict_json(&finding.verdict);
    row["function"] = json!(finding.function);
    row["as_written"] = finding.as_written.as_ref().map_or(Value::Null, verdict_json);
    row
}
