//! `raddle exec`: execute a kernel of a PTX text, of any producer, on given arguments.

mod arguments;
mod launch;
mod report;
mod sequence;

use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Instant;

use raddle::Report;
use raddle_ir::{Code, Diag};
use raddle_run::compare::{Tolerance, compare};
use raddle_run::{AsyncMode, Counters, Options, Print, npy, ptx};

use self::arguments::{Arguments, Taken, named, tensor};
use self::launch::Described;
use self::report::Found;
use super::run::limits::Limits;
use super::run::progress::Bar;
use super::{Answer, Outcome, files};

/// Banks of shared memory, which all chips that run PTX have.
const BANKS: u32 = 32;

/// Flags of `raddle exec`.
#[derive(clap::Args)]
pub struct Args {
    /// PTX file; `-` is standard input
    file: String,
    /// The kernel to run, or with launch data the function of several kernels; needed if there are several
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
    /// `{64xf32=@a.npy; i32=5}` for a structure by value, whose members count as arguments of their own;
    /// `&{64xf32=@a.npy; 64xf32=@b.npy}` for the address of one in memory, such as an array of pointers
    #[arg(long = "input", value_name = "SPEC")]
    inputs: Vec<String>,
    /// Where a buffer goes after the run: `arg2=@c.npy` for the third parameter
    #[arg(long = "output", value_name = "argN=@FILE")]
    outputs: Vec<String>,
    /// What a buffer should be after the run, spelled like an input: `arg2=@c.npy`
    #[arg(long = "expected_output", alias = "expected-output", value_name = "argN=SPEC")]
    expected: Vec<String>,
    /// Absolute difference that is accepted; none if missing
    #[arg(long = "expected_atol", alias = "expected-atol", value_name = "NUMBER", default_value_t = 0.0, value_parser = super::run::tolerance_of)]
    atol: f64,
    /// Relative difference that is accepted; none if missing
    #[arg(long = "expected_rtol", alias = "expected-rtol", value_name = "NUMBER", default_value_t = 0.0, value_parser = super::run::tolerance_of)]
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
    let described = launch::find(&args.file, args.launch.as_deref(), args.entry.as_deref())?;
    let kernel = described.as_ref().map(Described::callee);
    let sequence = match &described {
        Some(Described::Sequence(sequence)) => Some(sequence),
        _ => None,
    };
    if sequence.is_some() && (args.stats || grid.or(workgroup).or(cluster).is_some() || args.shared.is_some()) {
        let message = "`--stats`, `--grid`, `--workgroup`, `--cluster` and `--shared` are about one kernel, and this is a function of several";
        return Err(nowhere(Diag::nowhere(Code::BadInput, message).help("name a kernel with `--entry=`")));
    }

    let mut taken = Taken::default();
    let arguments = Arguments::read(&args.inputs, kernel, &mut taken).map_err(nowhere)?;
    let Arguments { tensors: inputs, made, passing } = arguments;
    let grid = match (grid, &kernel) {
        (Some(grid), _) => grid,
        (None, Some(kernel)) if sequence.is_none() => kernel.grid(&inputs).map_err(nowhere)?,
        _ => [1; 3],
    };
    let launch = ptx::Launch {
        entry: args.entry.clone().or_else(|| kernel.map(|kernel| kernel.entry.clone())),
        grid,
        workgroup: workgroup.or(kernel.and_then(|kernel| kernel.workgroup)),
        cluster,
        shared_bytes: args.shared.or(kernel.map(|kernel| kernel.dynamic_shared_bytes)).unwrap_or(0),
    };
    let outputs = named("output", &args.outputs, &inputs).map_err(nowhere)?;
    let mut expected = Vec::new();
    for (at, text) in named("expected_output", &args.expected, &inputs).map_err(nowhere)? {
        let what = format!("expected output of argument {at}");
        // A buffer without extents is one number, whose memory has the shape 1.
        let stated = kernel.and_then(|kernel| kernel.parameters[at].like());
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
    let ran = match (sequence, kernel) {
        (Some(sequence), _) => sequence.run(&module, &inputs, &options, args.limits.memory),
        (None, Some(_)) if grid.contains(&0) => {
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
    let found = Found { counters: ran.counters, traffic: ran.traffic, seconds, args: ran.args, compared, tolerance };
    let status = u8::from(!found.is_correct());
    Ok(match args.json {
        true => Answer::json(&found.json(), status),
        false => Answer { out: found.text().into_bytes(), err: String::new(), status },
    })
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
