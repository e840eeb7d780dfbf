//! What `raddle run` says: as text, and as JSON.

use std::collections::BTreeSet;
use std::fmt::Write;

use raddle::DEFAULT_TARGET;
use raddle_ir::{Attr, AttrId, Class, DYNAMIC, Def, Diag, Float, Ir, OpId, Opcode, Scalar, ValueId};
use raddle_layout::sort::sort_by_key;
use raddle_run::compare::{Comparison, Mismatch};
use raddle_run::{Cost, Counters, Launch, Mode, Tally, Tensor, Traffic, Writer};
use serde_json::{Value, json};

use super::{Execution, Finding, Validated, Verdict};

/// The distinct layouts of a function, in the order of their first value.
#[derive(Default)]
pub struct Layouts {
    rows: Vec<Row>,
}

/// One layout.
struct Row {
    layout: AttrId,
    /// As MLIR spells it.
    text: String,
    /// `A`, `B`, `C` for the operands of a contraction.
    names: BTreeSet<&'static str>,
    /// What has it, in order, each once.
    values: Vec<String>,
}

impl Layouts {
    /// Collects the layouts of functions at stage `laid_out`.
    pub fn of(ir: &Ir, funcs: &[OpId]) -> Layouts {
        let mut layouts = Layouts::default();
        for op in funcs.iter().flat_map(|&func| ir.walk(func)) {
            for (index, result) in ir.results(op).enumerate() {
                if let Some(layout) = layout_at(ir, op, index) {
                    let ty = raddle_ir::print_type(ir, ir.type_of(result));
                    layouts.row(ir, layout).add(format!("{} : {ty}", describe(ir, op)));
                }
            }
            if ir.class(op) == Class::Contract {
                for (index, name) in ["A", "B", "C"].into_iter().enumerate() {
                    if let Some(layout) = layout_of(ir, ir.operand(op, index)) {
                        layouts.row(ir, layout).names.insert(name);
                    }
                }
            }
        }
        layouts
    }

    fn row(&mut self, ir: &Ir, layout: AttrId) -> &mut Row {
        let at = self.rows.iter().position(|row| row.layout == layout).unwrap_or_else(|| {
            let text = raddle_ir::print_attr(ir, layout);
            self.rows.push(Row { layout, text, names: BTreeSet::new(), values: Vec::new() });
            self.rows.len() - 1
        });
        &mut self.rows[at]
    }

    /// Each layout with its name: that of the operands which have it, then the others with a number.
    fn named(&self) -> Vec<(String, &Row)> {
        let (mut operands, others): (Vec<&Row>, Vec<&Row>) = self.rows.iter().partition(|row| !row.names.is_empty());
        sort_by_key(&mut operands, |row| row.names.first());
        let operands = operands.into_iter().map(|row| (row.names.iter().copied().collect::<Vec<_>>().join("="), row));
        operands.chain(others.into_iter().enumerate().map(|(at, row)| (format!("L{at}"), row))).collect()
    }
}

impl Row {
    fn add(&mut self, value: String) {
        if !self.values.contains(&value) {
            self.values.push(value);
        }
    }
}

fn layout_at(ir: &Ir, op: OpId, index: usize) -> Option<AttrId> {
    let Some(Attr::Array(items)) = ir.attr(op, "layouts") else { return None };
    items.get(index).copied().filter(|&item| matches!(ir[item], Attr::Layout(_)))
}

/// The layout of a value: that of its operation, or, for what a loop carries, that of the loop's result.
fn layout_of(ir: &Ir, value: ValueId) -> Option<AttrId> {
    match ir.def(value) {
        Def::Result { op, index } => layout_at(ir, op, index as usize),
        Def::Arg { block, index } => {
            let parent = ir.region_parent(ir.block_region(block));
            (ir.opcode(parent) == Opcode::ScfFor)
                .then(|| layout_at(ir, parent, (index as usize).checked_sub(1)?))
                .flatten()
        }
    }
}

/// `vector.transfer_read of argument 0`
fn describe(ir: &Ir, op: OpId) -> String {
    let name = ir.name(op);
    if ir.opcode(op) == Opcode::VectorTransferRead
        && let Def::Arg { block, index } = ir.def(ir.operand(op, 0))
        && ir.opcode(ir.region_parent(ir.block_region(block))) == Opcode::FuncFunc
    {
        return format!("{name} of argument {index}");
    }
    name.to_owned()
}

/// Where an element was written.
struct Place<'a> {
    writer: &'a Writer,
    /// The operation's line in the source, from 1.
    line: usize,
}

/// Who wrote an element of a result.
fn place<'a>(finding: &'a Finding<'_>, execution: &'a Execution, result: usize, index: usize) -> Option<Place<'a>> {
    let writer = execution.writers.get(result)?.get(index)?.as_ref()?;
    let line = finding.source.place(execution.ir.span(writer.op).start).0;
    Some(Place { writer, line })
}

/// The report for people.
pub fn text(finding: &Finding<'_>) -> String {
    let mut out = String::new();
    if !finding.args.quiet {
        heading(&mut out, finding);
        for execution in &finding.executions {
            describe_execution(&mut out, finding, execution);
            if let Some(refusal) = &execution.refusal {
                let _ = writeln!(out, "build      would refuse it: {}", refusal_text(refusal));
            }
        }
    }
    for &(index, spelling) in &finding.outputs {
        if spelling == "-" {
            let (result, slot) = (&finding.executions[0].results[index], &finding.signature.results[index]);
            let open = slot.shape.iter().zip(&result.shape).filter(|(stated, _)| **stated == DYNAMIC);
            let text = open.fold(slot.text.clone(), |text, (_, extent)| text.replacen('?', &extent.to_string(), 1));
            let values = elements(result, slot.is_complex, finding.args.limits.elements);
            let _ = writeln!(out, "result {index}: {text}={values}");
        }
    }
    describe_validation(&mut out, finding);
    for verdict in &finding.verdicts {
        describe_verdict(&mut out, finding, verdict);
    }
    if !finding.is_correct() {
        for diag in &finding.source.diags {
            let line = diag.span.map_or(0, |span| finding.source.place(span.start).0);
            let _ = writeln!(out, "note: line {line}: {}", diag.message);
        }
    }
    if !finding.is_correct() && !finding.args.expected.is_empty() {
        if finding.args.inputs.is_empty() && !finding.signature.inputs.is_empty() {
            out.push_str("note: the inputs were random; `--input` gives those that the expected output is for\n");
        } else if finding.n_invented > 0 {
            out.push_str("note: weights were random; `--parameters` gives those that the expected output is for\n");
        }
    }
    if finding.verdicts.is_empty() {
        out.push_str("done: nothing to compare with\n");
    }
    out
}

fn elements(tensor: &Tensor, is_complex: bool, most: usize) -> String {
    let words: Vec<String> = match tensor.elem {
        Scalar::Float(_) if is_complex => {
            let number = |pair: &[f64]| {
                let [re, im] = [pair[0], pair[1]].map(|part| digits(part, tensor.elem));
                let plus = if im.starts_with('-') { "" } else { "+" };
                format!("{re}{plus}{im}j")
            };
            tensor.to_f64().chunks_exact(2).take(most).map(number).collect()
        }
        Scalar::Float(_) => tensor.to_f64().iter().take(most).map(|&value| digits(value, tensor.elem)).collect(),
        Scalar::Int(_) | Scalar::Index => tensor.to_integers().iter().take(most).map(ToString::to_string).collect(),
    };
    let n = if is_complex { tensor.n_elements() / 2 } else { tensor.n_elements() };
    let rest = if n > most { " …" } else { "" };
    format!("{}{rest}", words.join(" "))
}

fn heading(out: &mut String, finding: &Finding<'_>) {
    let types =
        |slots: &[super::arguments::Slot]| slots.iter().map(|slot| slot.text.clone()).collect::<Vec<_>>().join(", ");
    let _ = writeln!(
        out,
        "{} @{}: ({}) -> ({})",
        finding.source.name,
        finding.function,
        types(&finding.signature.inputs),
        types(&finding.signature.results)
    );
    let default = if finding.chip.name == DEFAULT_TARGET { " (the default)" } else { "" };
    let _ = writeln!(out, "target     {}{default}, executed on device `{}`", finding.chip.name, finding.args.device);
    let origins: Vec<String> =
        finding.origins.iter().enumerate().map(|(at, origin)| format!("{at}: {origin}")).collect();
    let _ = writeln!(out, "inputs     {}", origins.join(" · "));
    if finding.n_invented > 0 {
        let (n, seed) = (finding.n_invented, finding.args.seed);
        let _ = writeln!(out, "weights    {n} that the text does not hold: random normal, seed {seed}");
    }
}

/// One line for the passes that keep the meaning, and what was found behind those that do not.
fn describe_validation(out: &mut String, finding: &Finding<'_>) {
    let (good, bad): (Vec<_>, Vec<_>) = finding.validated.iter().partition(|validated| validated.is_correct());
    if !good.is_empty() {
        let names: Vec<&str> = good.iter().map(|validated| validated.pass).collect();
        let _ = writeln!(out, "validated: the program means the same behind {}", names.join(", "));
    }
    for Validated { pass, found } in bad {
        match found {
            Ok(results) => {
                for (at, result) in results.iter().enumerate().filter(|(_, result)| !result.is_correct()) {
                    let (wrong, all) = (result.n_wrong, result.n_elements);
                    let _ = writeln!(
                        out,
                        "WRONG: behind pass `{pass}`, result {at}: {wrong} of {all} elements differ from the reference"
                    );
                }
            }
            Err(diag) => {
                let _ = writeln!(out, "WRONG: behind pass `{pass}`: {}", diag.message);
            }
        }
    }
}

fn describe_execution(out: &mut String, finding: &Finding<'_>, execution: &Execution) {
    let Execution { launches, .. } = execution;
    let _ = writeln!(out, "\nstage      {}", execution.stage.name());
    let steps: Vec<String> =
        execution.times.iter().map(|(name, took)| format!("{name} {:.2} ms", took.as_secs_f64() * 1e3)).collect();
    let _ = writeln!(out, "steps      {}", steps.join(" · "));
    for (at, (name, row)) in execution.layouts.named().into_iter().enumerate() {
        let _ = writeln!(out, "{:10} {name}: {}", if at == 0 { "layouts" } else { "" }, row.text);
        let _ = writeln!(out, "{:10} {:name$}  {}", "", "", row.values.join(", "), name = name.len());
    }
    for (name, launch) in launches {
        let name = if launches.len() > 1 { format!("@{name} ") } else { String::new() };
        let [x, y, z] = launch.grid;
        let _ = match launch.mode {
            Mode::Simd => writeln!(out, "launch     {name}grid {x}x{y}x{z}, a value belongs to the whole workgroup"),
            Mode::Simt => writeln!(
                out,
                "launch     {name}grid {x}x{y}x{z}, each workgroup {}: {} of {}",
                count(launch.threads(), "thread"),
                count(launch.threads().div_ceil(launch.subgroup_size.max(1)), "subgroup"),
                count(launch.subgroup_size, "lane")
            ),
        };
    }
    describe_work(out, finding, execution);
    match &execution.cost {
        Some(cost) => {
            let banks = finding.chip.shared_banks;
            let _ = writeln!(out, "cost       {banks} banks of 4 bytes, sectors of 32 bytes; no caches");
            let line = |op| format!("line {}", finding.source.place(execution.ir.span(op).start).0);
            out.push_str(&cost.table(&execution.ir, &line));
        }
        None if finding.args.stats => {
            let _ = writeln!(out, "cost       not counted on `{}`; `--device=emu` counts it", finding.args.device);
        }
        None => {}
    }
}

/// What an emulator counted; processors count nothing.
fn describe_work(out: &mut String, finding: &Finding<'_>, Execution { counters, took, .. }: &Execution) {
    let seconds = took.as_secs_f64();
    if *counters == Counters::default() {
        let _ = writeln!(out, "executed   in {seconds:.3} s, with the time to compile and load the code");
        return;
    }
    let seed = finding.args.seed;
    let order = if seed == 0 { " (one after the other)" } else { "" };
    let _ = writeln!(out, "{:10} subgroups and workgroups run in the order of seed {seed}{order}", "");
    let _ = writeln!(
        out,
        "emulator   {} lane-ops in {seconds:.3} s: {:.1} million lane-ops/s",
        counters.lane_ops,
        counters.lane_ops as f64 / seconds.max(1e-9) / 1e6
    );
    let _ = writeln!(
        out,
        "{:10} {} matrix instructions, {} shuffles, {} barriers; bytes read {} global, {} shared; written {} global, {} shared",
        "",
        counters.matrix_ops,
        counters.shuffles,
        counters.barriers,
        counters.global_bytes_read,
        counters.shared_bytes_read,
        counters.global_bytes_written,
        counters.shared_bytes_written
    );
}

fn describe_verdict(out: &mut String, finding: &Finding<'_>, verdict: &Verdict) {
    let Comparison { n_elements, n_equal, n_wrong, tolerance, .. } = verdict.comparison;
    let execution = &finding.executions[verdict.execution];
    let mut subject = String::new();
    if finding.executions.len() > 1 {
        let _ = write!(subject, "stage `{}`, ", execution.stage.name());
    }
    if finding.signature.results.len() > 1 {
        let _ = write!(subject, "result {}, ", verdict.result);
    }
    if !finding.args.quiet && !finding.executions.is_empty() {
        let _ = writeln!(out, "error      {}", errors(&verdict.comparison));
    }
    let against = &verdict.against;
    if n_wrong > 0 {
        let percent = 100.0 * n_wrong as f64 / n_elements as f64;
        let _ = writeln!(
            out,
            "WRONG: {subject}{n_wrong} of {n_elements} elements ({percent:.3} %) differ from {against}; accepted: {tolerance}"
        );
        if let Some(pattern) = &verdict.comparison.pattern {
            let _ = writeln!(out, "  pattern: {pattern}");
        }
        for mismatch in &verdict.comparison.first {
            let _ = writeln!(out, "  {}", describe_mismatch(finding, execution, verdict.result, mismatch));
        }
        if n_wrong > verdict.comparison.first.len() {
            let _ = writeln!(out, "  … and {} more", n_wrong - verdict.comparison.first.len());
        }
    } else if n_equal == n_elements {
        let _ = writeln!(out, "correct: {subject}all {n_elements} elements equal {against} bit for bit");
    } else {
        let _ = writeln!(
            out,
            "correct: {subject}all {n_elements} elements agree with {against} {tolerance} ({n_equal} bit for bit)"
        );
    }
}

fn errors(comparison: &Comparison) -> String {
    let Comparison { max_abs, max_rel, max_ulp, .. } = comparison;
    if max_abs.error == 0.0 {
        return "none".to_owned();
    }
    let mut text = format!("max abs {:.3e} at {:?}", max_abs.error, max_abs.at);
    let _ = write!(text, " · max rel {:.3e} at {:?}", max_rel.error, max_rel.at);
    if let Some(ulp) = max_ulp {
        let _ = write!(text, " · max {} ULP at {:?}", ulp.error, ulp.at);
    }
    text + " (rel and ULP over elements not smaller than the root mean square)"
}

fn describe_mismatch(finding: &Finding<'_>, execution: &Execution, result: usize, mismatch: &Mismatch) -> String {
    let Mismatch { at, got, expected, index, integers } = mismatch;
    let elem = finding.signature.results[result].elem;
    let mut text = match integers {
        Some([got, expected]) => format!("{at:?}: got {got}, expected {expected}"),
        None => format!("{at:?}: got {}, expected {}", digits(*got, elem), digits(*expected, elem)),
    };
    match place(finding, execution, result, *index) {
        Some(Place { writer, line }) => {
            let [x, y, z] = writer.workgroup;
            let _ = write!(
                text,
                "; written by workgroup ({x}, {y}, {z}), subgroup {}, lane {} (line {line})",
                writer.subgroup, writer.lane
            );
        }
        None if execution.writers.get(result).is_some() => text.push_str("; written by nobody"),
        None => {}
    }
    text
}

/// `1 lane`, `32 lanes`
fn count(n: u32, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// A number with the digits that its type can tell apart.
fn digits(value: f64, elem: Scalar) -> String {
    match elem {
        Scalar::Float(Float::F64) | Scalar::Int(_) | Scalar::Index => value.to_string(),
        Scalar::Float(_) => (value as f32).to_string(),
    }
}

/// The report for programs.
pub fn json(finding: &Finding<'_>) -> Value {
    let executions: Vec<Value> =
        finding.executions.iter().map(|execution| execution_json(finding, execution)).collect();
    let validated: Vec<Value> = finding.validated.iter().map(validated_json).collect();
    let verdicts: Vec<Value> = finding.verdicts.iter().map(|verdict| verdict_json(finding, verdict)).collect();
    json!({
        "ok": finding.is_correct(),
        "file": finding.source.name,
        "function": finding.function,
        "target": finding.chip.name,
        "device": finding.args.device,
        "seed": finding.args.seed,
        "inputs": finding.origins,
        "random_weights": finding.n_invented,
        "executions": executions,
        "validated": validated,
        "verdicts": verdicts,
        "warnings": finding.source.json(),
    })
}

fn validated_json(validated: &Validated) -> Value {
    let finding = validated.found.as_ref().err().map(|diag| diag.message.as_str());
    let wrong = validated.found.as_ref().ok().map(|results| results.iter().map(|result| result.n_wrong).sum::<usize>());
    json!({ "pass": validated.pass, "correct": validated.is_correct(), "wrong": wrong, "finding": finding })
}

/// What one kind of memory moved.
pub fn traffic_json(traffic: &Traffic, unit: &str) -> Value {
    json!({
        "bytes_read": traffic.bytes_read,
        "bytes_written": traffic.bytes_written,
        "requests": traffic.requests,
        unit: traffic.transactions,
        "ideal": traffic.ideal,
    })
}

fn tally_json(tally: &Tally) -> Value {
    json!({
        "executions": tally.executions,
        "lanes_on": tally.lanes_on,
        "lanes": tally.lanes,
        "shared": traffic_json(&tally.shared, "wavefronts"),
        "global": traffic_json(&tally.global, "sectors"),
        "barriers": tally.barriers,
        "shuffles": tally.shuffles,
        "matrix_ops": tally.matrix_ops,
    })
}

/// What each operation cost, and all of them.
fn cost_json(finding: &Finding<'_>, execution: &Execution, cost: &Cost) -> Value {
    let ops: Vec<Value> = cost
        .ops
        .iter()
        .map(|(op, tally)| {
            let mut row = tally_json(tally);
            row["op"] = json!(execution.ir.name(*op));
            row["line"] = json!(finding.source.place(execution.ir.span(*op).start).0);
            row
        })
        .collect();
    json!({ "banks": finding.chip.shared_banks, "ops": ops, "total": tally_json(&cost.total) })
}

fn execution_json(finding: &Finding<'_>, execution: &Execution) -> Value {
    let counters = &execution.counters;
    let steps: Vec<Value> =
        execution.times.iter().map(|(name, took)| json!({ "name": name, "ms": took.as_secs_f64() * 1e3 })).collect();
    let layouts: Vec<Value> = execution
        .layouts
        .named()
        .into_iter()
        .map(|(name, row)| json!({ "name": name, "layout": row.text, "values": row.values }))
        .collect();
    let sizes = |launch: &Launch| {
        json!({
            "grid": launch.grid,
            "workgroup": launch.workgroup_size,
            "workgroup_size": launch.threads(),
            "subgroup_size": launch.subgroup_size,
        })
    };
    let launch = execution.launches.first().map(|(_, launch)| sizes(launch));
    let kernels: Vec<Value> =
        (execution.launches.iter()).map(|(name, launch)| json!({ "name": name, "launch": sizes(launch) })).collect();
    json!({
        "stage": execution.stage.name(),
        "steps": steps,
        "layouts": layouts,
        "launch": launch,
        "kernels": kernels,
        "lane_ops": counters.lane_ops,
        "matrix_ops": counters.matrix_ops,
        "shuffles": counters.shuffles,
        "barriers": counters.barriers,
        "global_bytes": { "read": counters.global_bytes_read, "written": counters.global_bytes_written },
        "shared_bytes": { "read": counters.shared_bytes_read, "written": counters.shared_bytes_written },
        "fuel": counters.fuel,
        "cost": execution.cost.as_ref().map(|cost| cost_json(finding, execution, cost)),
        "build_refuses": execution.refusal.as_ref().map(refusal_text),
        "emulator_ms": execution.took.as_secs_f64() * 1e3,
    })
}

/// Why `build` would refuse, in one line.
fn refusal_text(diag: &Diag) -> String {
    if diag.label.is_empty() { diag.to_string() } else { format!("{diag}: {}", diag.label) }
}

fn verdict_json(finding: &Finding<'_>, verdict: &Verdict) -> Value {
    let Verdict { execution, result, against, comparison } = verdict;
    let execution = &finding.executions[*execution];
    let mismatches: Vec<Value> = comparison
        .first
        .iter()
        .map(|mismatch| {
            let writer = place(finding, execution, *result, mismatch.index).map(|Place { writer, line }| {
                json!({ "workgroup": writer.workgroup, "subgroup": writer.subgroup, "lane": writer.lane, "line": line })
            });
            let [got, expected] = match &mismatch.integers {
                Some(pair) => pair.each_ref().map(|value| integer(&value.to_string())),
                None => [mismatch.got, mismatch.expected].map(number),
            };
            json!({
                "at": mismatch.at,
                "got": got,
                "expected": expected,
                "writer": writer,
            })
        })
        .collect();
    let worst = |worst: &raddle_run::compare::Worst| json!({ "error": number(worst.error), "at": worst.at });
    json!({
        "correct": comparison.is_correct(),
        "stage": execution.stage.name(),
        "result": result,
        "against": against,
        "elements": comparison.n_elements,
        "equal": comparison.n_equal,
        "wrong": comparison.n_wrong,
        "accepted": { "abs": comparison.tolerance.abs, "rel": comparison.tolerance.rel },
        "max_abs": worst(&comparison.max_abs),
        "max_rel": worst(&comparison.max_rel),
        "max_ulp": comparison.max_ulp.as_ref().map(worst),
        "pattern": comparison.pattern,
        "mismatches": mismatches,
    })
}

/// JSON's integers have 64 bits; longer ones become text.
fn integer(text: &str) -> Value {
    text.parse::<i64>().map_or_else(|_| json!(text), |value| json!(value))
}

/// JSON has no infinities and no NaN: they become text.
fn number(value: f64) -> Value {
    if value.is_finite() { json!(value) } else { json!(value.to_string()) }
}
