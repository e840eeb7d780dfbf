//! `raddle exec`: execute a kernel of a PTX text, of any producer, on given arguments.

mod launch;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Instant;

use raddle::Report;
use raddle_ir::{Code, Diag, Scalar};
use raddle_run::compare::{Tolerance, compare, coordinate};
use raddle_run::ptx::MemoryTraffic;
use raddle_run::spec::{Spec, shape_text};
use raddle_run::{AsyncMode, Counters, Options, Print, Tensor, Traffic, npy, ptx, random};
use serde_json::json;

use super::run::limits::Limits;
use super::run::progress::Bar;
use super::run::traffic_json;
use super::{Answer, Outcome, files};

/// Banks of shared memory, which all chips that run PTX have.
const BANKS: u32 = 32;

/// Flags of `raddle exec`.
#[derive(clap::Args)]
pub struct Args {
    /// PTX file; `-` is standard input
    file: String,
    /// The kernel to run; needed if there are several
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// How the kernel is launched, as `raddle build` writes it; `k.json` beside `k.ptx` if missing. Other flags win
    #[arg(long, value_name = "FILE")]
    launch: Option<String>,
    /// Workgroups along x, y, z; what the launch data say, or 1, if missing
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',')]
    grid: Vec<u32>,
    /// Threads of a workgroup along x, y, z; what the launch data say, or the kernel requires, if missing
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',')]
    workgroup: Vec<u32>,
    /// Workgroups of a cluster along x, y, z; what the kernel requires, or no clusters, if missing
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',')]
    cluster: Vec<u32>,
    /// Bytes of shared memory that the launch adds to what the kernel declares; what the launch data say if missing
    #[arg(long, value_name = "BYTES")]
    shared: Option<usize>,
    /// A parameter of the kernel, in order: a tensor (`64xf32=@a.npy`, `@a.npy`, `64xf32=0`) for a buffer, `i32=5` for a
    /// scalar; with launch data, extents and buffers that are only written may be left out; `arg0`, `arg0+BYTES` for an
    /// address in the buffer of another argument;
    /// `map[box=64x32,swizzle=64]:TENSOR` for a tensor map of a buffer (`steps=1x2`, `strides=BYTESx…`, `fill=nan`);
    /// `{64xf32=@a.npy; i32=5}` for a structure by value, whose members count as arguments of their own
    #[arg(long = "input", value_name = "SPEC")]
    inputs: Vec<String>,
    /// Where a buffer goes after the run: `arg2=@c.npy` for the third parameter
    #[arg(long = "output", value_name = "argN=@FILE")]
    outputs: Vec<String>,
    /// What a buffer should be after the run, spelled like an input: `arg2=@c.npy`
    #[arg(long = "expected_output", alias = "expected-output", value_name = "argN=SPEC")]
    expected: Vec<String>,
    /// Absolute difference that is accepted; none if missing
    #[arg(long = "expected_atol", alias = "expected-atol", value_name = "NUMBER", default_value_t = 0.0)]
    atol: f64,
    /// Relative difference that is accepted; none if missing
    #[arg(long = "expected_rtol", alias = "expected-rtol", value_name = "NUMBER", default_value_t = 0.0)]
    rtol: f64,
    /// When asynchronous copies happen: where they are issued, or as late as the program allows
    #[arg(long = "async", value_name = "WHEN", default_value = "lazy", value_parser = ["eager", "lazy"])]
    copies: String,
    #[command(flatten)]
    limits: Limits,
    /// Do not look for races and for reads of what nobody wrote
    #[arg(long)]
    no_sanitize: bool,
    /// Let the kernel read memory that nobody wrote, as CUTLASS and CUB do at edges; all else is still looked for
    #[arg(long)]
    allow_uninitialised: bool,
    /// Count wavefronts of shared memory, of 32 banks, and sectors and lines of global memory
    #[arg(long)]
    stats: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs a kernel, and compares what it leaves behind.
pub fn exec(args: &Args) -> Outcome {
    let nowhere = Report::nowhere;
    let start = Instant::now();
    let (name, text) = files::read_text(&args.file)?;
    let report = |diag: Diag| Report::new(vec![diag], &name, &text);
    let module = ptx::parse(&text).map_err(|diag| {
        let is_mlir = diag.help.is_none() && raddle_ir::text::parse(&text).is_ok();
        report(if is_mlir { diag.help("this is MLIR: `raddle run` compiles and executes it") } else { diag })
    })?;
    let grid = sizes("grid", &args.grid).map_err(nowhere)?;
    let workgroup = sizes("workgroup", &args.workgroup).map_err(nowhere)?;
    let cluster = sizes("cluster", &args.cluster).map_err(nowhere)?;
    let kernel = launch::find(&args.file, args.launch.as_deref(), args.entry.as_deref())?;

    let mut taken = BTreeMap::new();
    let (mut given, mut passing) = (Vec::new(), ptx::Passing::default());
    let (mut specs, mut structures) = (Vec::new(), Vec::new());
    for input in &args.inputs {
        match input.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
            Some(members) => {
                let first = specs.len();
                specs.extend(members.split(';').map(str::trim).filter(|member| !member.is_empty()));
                if specs.len() == first {
                    let diag = Diag::nowhere(Code::BadInput, format!("the structure `{input}` has no members"));
                    return Err(nowhere(diag.help("write it as `{64xf32=@a.npy; i32=5}`")));
                }
                structures.push((first, specs.len() - first));
            }
            None => specs.push(input.as_str()),
        }
    }
    let places = match &kernel {
        Some(kernel) => kernel.given(specs.len()).map_err(nowhere)?,
        None => (0..specs.len()).collect(),
    };
    passing.structures = structures.into_iter().map(|(first, n)| (places[first], n)).collect();
    for (number, (&at, text)) in places.iter().zip(specs).enumerate() {
        let what = format!("input {number}");
        let like = kernel.as_ref().and_then(|kernel| kernel.parameters[at].like());
        if let Some(inside) = address_in(text, &what).map_err(nowhere)? {
            if kernel.is_some() {
                let message = format!("{what}, `{text}`: launch data say what tensor each argument is");
                return Err(nowhere(Diag::nowhere(Code::BadInput, message).help("give a tensor, as in `@a.npy`")));
            }
            passing.inside.insert(at, inside);
            // Memory has the address; this is a place for it among the arguments.
            given.push((at, Tensor::from_i64(Scalar::Int(64), &[], &[0])));
            continue;
        }
        match text.strip_prefix("map[").and_then(|text| text.split_once("]:")) {
            Some((map, text)) => {
                let input = tensor(text, &what, like, Some(at as u64), &mut taken).map_err(nowhere)?;
                passing.maps.insert(at, tensor_map(map, &input, &what).map_err(nowhere)?);
                given.push((at, input));
            }
            None => given.push((at, tensor(text, &what, like, Some(at as u64), &mut taken).map_err(nowhere)?)),
        }
    }
    let (inputs, made) = match &kernel {
        Some(kernel) => kernel.complete(given).map_err(nowhere)?,
        None => (given.into_iter().map(|(_, tensor)| tensor).collect(), Vec::new()),
    };
    let grid = match (grid, &kernel) {
        (Some(grid), _) => grid,
        (None, Some(kernel)) => kernel.grid(&inputs).map_err(nowhere)?,
        (None, None) => [1; 3],
    };
    let launch = ptx::Launch {
        entry: args.entry.clone().or_else(|| kernel.as_ref().map(|kernel| kernel.entry.clone())),
        grid,
        workgroup: workgroup.or(kernel.as_ref().and_then(|kernel| kernel.workgroup)),
        cluster,
        shared_bytes: args.shared.or(kernel.as_ref().map(|kernel| kernel.dynamic_shared_bytes)).unwrap_or(0),
    };
    let outputs = named("output", &args.outputs, &inputs).map_err(nowhere)?;
    let mut expected = Vec::new();
    for (at, text) in named("expected_output", &args.expected, &inputs).map_err(nowhere)? {
        let what = format!("expected output of argument {at}");
        // A buffer without extents is one number, whose memory has the shape 1.
        let stated = kernel.as_ref().and_then(|kernel| kernel.parameters[at].like());
        let like = stated.unwrap_or((inputs[at].shape.as_slice(), inputs[at].elem));
        let mut values = tensor(text, &what, Some(like), None, &mut taken).map_err(nowhere)?;
        values.shape.clone_from(&inputs[at].shape);
        expected.push((at, values));
    }

    let bar = Arc::new(Bar::new(!args.json));
    let copies = if args.copies == "eager" { AsyncMode::Eager } else { AsyncMode::Lazy };
    let limits = args.limits.options(start, bar.clone());
    let banks = args.stats.then_some(BANKS);
    let options = Options {
        copies,
        banks,
        sanitize: !args.no_sanitize,
        allows_unwritten: args.allow_uninitialised,
        uninitialised_args: made,
        ..limits
    };
    let is_json = args.json;
    let print = Print(Arc::new(move |text: &str| {
        // What was printed is there also where the kernel then fails; the report in JSON stays alone.
        let _ = if is_json { io::stderr().write_all(text.as_bytes()) } else { io::stdout().write_all(text.as_bytes()) };
    }));
    let options = Options { print: Some(print), ..options };
    let started = Instant::now();
    // Launch data may give a grid of no workgroups, which is not launched.
    let ran = match kernel {
        Some(_) if grid.contains(&0) => {
            Ok(ptx::Outcome { args: inputs.clone(), counters: Counters::default(), traffic: None })
        }
        _ => ptx::run_passing(&module, &inputs, &passing, &launch, &options),
    };
    bar.clear();
    let ran = ran.map_err(report)?;
    let seconds = started.elapsed().as_secs_f64();

    for (at, spelling) in outputs {
        let path = spelling.strip_prefix('@').ok_or_else(|| {
            let diag = Diag::nowhere(Code::BadInput, format!("`--output=arg{at}={spelling}` does not name a file"));
            nowhere(diag.help(format!("write it as `--output=arg{at}=@c.npy`")))
        })?;
        files::write(path, &npy::write(&ran.args[at])).map_err(nowhere)?;
    }
    let tolerance = Tolerance { abs: args.atol, rel: args.rtol };
    let compared: Vec<_> =
        expected.iter().map(|(at, expected)| (*at, compare(&ran.args[*at], expected, tolerance))).collect();
    let status = u8::from(!compared.iter().all(|(_, comparison)| comparison.is_correct()));
    let counters = ran.counters;
    let rate = counters.lane_ops as f64 / seconds.max(1e-9);
    if args.json {
        let results: Vec<_> = compared
            .iter()
            .map(|(at, comparison)| {
                json!({
                    "argument": at,
                    "correct": comparison.is_correct(),
                    "elements": comparison.n_elements,
                    "equal": comparison.n_equal,
                    "wrong": comparison.n_wrong,
                    "max_abs": comparison.max_abs.error,
                })
            })
            .collect();
        let value = json!({
            "ok": status == 0,
            "results": results,
            "thread_instructions": counters.lane_ops,
            "barriers": counters.barriers,
            "shuffles": counters.shuffles,
            "matrix_instructions": counters.matrix_ops,
            "seconds": seconds,
            "traffic": ran.traffic.map(|traffic| json!({
                "shared": traffic_json(&traffic.shared, "wavefronts"),
                "global": traffic_json(&traffic.global, "sectors"),
                "lines": traffic.lines,
            })),
        });
        return Ok(Answer::json(&value, status));
    }
    let mut out = String::new();
    let _ = writeln!(
        out,
        "executed {} thread instructions in {seconds:.3} s ({:.1} M/s): {} barriers, {} shuffles, {} matrix instructions",
        counters.lane_ops,
        rate / 1e6,
        counters.barriers,
        counters.shuffles,
        counters.matrix_ops
    );
    if let Some(MemoryTraffic { shared, global, lines }) = ran.traffic {
        for (name, traffic, unit) in [("shared", shared, "wavefronts"), ("global", global, "sectors")] {
            let Traffic { bytes_read, bytes_written, requests, transactions, ideal } = traffic;
            let _ = writeln!(
                out,
                "{name} memory: {bytes_read} bytes read and {bytes_written} written by {requests} requests, in {transactions} {unit}, \
                 at least {ideal}"
            );
        }
        let _ = writeln!(out, "global memory: {lines} lines of 128 bytes");
    }
    for (at, comparison) in &compared {
        let shape = &ran.args[*at].shape;
        let verdict = if comparison.is_correct() { "correct" } else { "wrong" };
        let _ = writeln!(
            out,
            "argument {at} is {verdict}: {} of {} elements equal, {} beyond the accepted difference ({tolerance}); largest difference {:.3e}",
            comparison.n_equal, comparison.n_elements, comparison.n_wrong, comparison.max_abs.error
        );
        for mismatch in &comparison.first {
            let place = coordinate(shape, mismatch.index);
            let _ = writeln!(out, "  at {place:?}: {} instead of {}", mismatch.got, mismatch.expected);
        }
    }
    Ok(Answer { out: out.into_bytes(), err: String::new(), status })
}

/// One to three positive numbers; `None` for no number.
fn sizes(flag: &str, numbers: &[u32]) -> Result<Option<[u32; 3]>, Diag> {
    let mut sizes = [1; 3];
    match numbers.len() {
        0 => return Ok(None),
        n @ 1..=3 if !numbers.contains(&0) => sizes[..n].copy_from_slice(numbers),
        _ => {
            return Err(Diag::nowhere(Code::BadInput, format!("`--{flag}` takes one to three positive numbers"))
                .help(format!("write it as `--{flag}=8,4`")));
        }
    }
    Ok(Some(sizes))
}

/// Spellings by argument: `arg2=…`.
fn named<'t>(flag: &str, spellings: &'t [String], inputs: &[Tensor]) -> Result<Vec<(usize, &'t str)>, Diag> {
    let part = |text: &'t String| {
        let (number, rest) = text.strip_prefix("arg")?.split_once('=')?;
        Some((number.parse::<usize>().ok()?, rest))
    };
    let mut found: Vec<(usize, &str)> = Vec::new();
    for text in spellings {
        let bad = |message: String| Err(Diag::nowhere(Code::BadInput, message));
        let Some((at, rest)) = part(text) else {
            return Err(Diag::nowhere(Code::BadInput, format!("`--{flag}={text}` does not name an argument"))
                .help(format!("write it as `--{flag}=arg2=@c.npy`")));
        };
        if inputs.get(at).is_none_or(|input| input.shape.is_empty()) {
            return bad(format!("`--{flag}={text}`: argument {at} is not a buffer"));
        }
        if found.iter().any(|before| before.0 == at) {
            return bad(format!("`--{flag}={text}` is the second one for argument {at}"));
        }
        found.push((at, rest));
    }
    Ok(found)
}

/// `arg0+16`: an argument whose buffer an address is in, and bytes; `None` for other spellings.
fn address_in(text: &str, what: &str) -> Result<Option<(usize, u64)>, Diag> {
    let Some(rest) = text.strip_prefix("arg") else {
        return Ok(None);
    };
    let (number, bytes) = rest.split_once('+').unwrap_or((rest, "0"));
    match (number.trim().parse(), bytes.trim().parse()) {
        (Ok(number), Ok(bytes)) => Ok(Some((number, bytes))),
        _ => Err(Diag::nowhere(Code::BadInput, format!("{what}, `{text}`, is not an address in an argument"))
            .help("write it as `arg0` or, with bytes, `arg0+16`")),
    }
}

/// A tensor map from its spelling, `box=64x32,swizzle=64`; numbers are in the order of the tensor's shape.
fn tensor_map(text: &str, tensor: &Tensor, what: &str) -> Result<ptx::TensorMap, Diag> {
    let bad = |message: String| {
        Diag::nowhere(Code::BadInput, format!("{what}, `map[{text}]`: {message}"))
            .help("write it as `map[box=64x32,swizzle=64]:256x256xf16=@a.npy`")
    };
    let numbers = |text: &str| text.split('x').map(|number| number.parse().ok()).collect::<Option<Vec<u64>>>();
    let small = |numbers: Vec<u64>| numbers.into_iter().map(|n| u32::try_from(n).ok()).collect::<Option<Vec<u32>>>();
    let (mut block, mut steps, mut strides, mut swizzle, mut fills_nan) = (None, None, None, ptx::Swizzle::None, false);
    for part in text.split(',') {
        let (name, value) = part.trim().split_once('=').ok_or_else(|| bad(format!("`{part}` has no value")))?;
        let wrong = || bad(format!("`{value}` is not a value of `{name}`"));
        match name {
            "box" => block = Some(numbers(value).and_then(small).ok_or_else(wrong)?),
            "steps" => steps = Some(numbers(value).and_then(small).ok_or_else(wrong)?),
            "strides" => strides = Some(numbers(value).ok_or_else(wrong)?),
            "swizzle" => {
                swizzle = value.parse().ok().and_then(ptx::Swizzle::of_bytes).ok_or_else(wrong)?;
            }
            "fill" if value == "nan" || value == "0" => fills_nan = value == "nan",
            "fill" => return Err(wrong()),
            _ => return Err(bad(format!("`{name}` is not known"))),
        }
    }
    let block = block.ok_or_else(|| bad("it states no box".into()))?;
    let map = ptx::TensorMap::of(tensor.elem, &tensor.shape, &block);
    let mut map = map.ok_or_else(|| bad(format!("elements of {} cannot be copied so", tensor.elem)))?;
    if let Some(steps) = steps {
        map.steps = steps.into_iter().rev().collect();
    }
    if let Some(strides) = strides {
        map.strides = strides.into_iter().rev().collect();
    }
    (map.swizzle, map.fills_nan) = (swizzle, fills_nan);
    map.check().map_err(|why| bad(why.into()))?;
    Ok(map)
}

/// A tensor from its spelling, of this shape and type; random numbers are of this stream, where they may be.
fn tensor(
    text: &str,
    what: &str,
    like: Option<(&[i64], Scalar)>,
    stream: Option<u64>,
    taken: &mut BTreeMap<String, usize>,
) -> Result<Tensor, Diag> {
    let bad = |error: raddle_run::spec::Error| {
        let diag = Diag::nowhere(Code::BadInput, format!("{what}, `{text}`: {error}"));
        match (error.help(), like) {
            (_, Some(([], elem))) => diag.note(format!("the argument is an {elem}")),
            (_, Some((shape, elem))) => diag.note(format!("the argument is a {} of {elem}", shape_text(shape))),
            (Some(help), None) => diag.help(help),
            (None, None) => diag,
        }
    };
    let spec = Spec::parse(text).map_err(bad)?;
    if let (Some((shape, elem)), Some(stream)) = (spec.random(like).map_err(bad)?, stream) {
        return Ok(random::normal(elem, &shape, 0, stream));
    }
    let (file, n) = match spec.path() {
        Some(path) => {
            let taken = taken.entry(path.to_owned()).or_default();
            *taken += 1;
            (files::read_tensor(path)?, *taken - 1)
        }
        None => (Vec::new(), 0),
    };
    spec.nth_tensor(&file, n, like).map_err(bad)
}
