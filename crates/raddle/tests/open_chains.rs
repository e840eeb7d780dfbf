//! Random chains of operations whose extents only the run knows: compiled once, they give what the program as written
//! gives, for several shapes, on every machine, and nobody finds a race or an access outside of a buffer.
//!
//! `cargo xtask fuzz-open --count 20000 --seed 7` runs more of them; with `RADDLE_SHOW=1` each is printed. A program that
//! fails is printed again with all taken away that it fails without, and what it reads: `raddle run` with these inputs
//! shows the failure.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says how far it came"
)]

mod program;

use std::fmt::Write;

use raddle::pipeline::{self, Program};
use raddle::run::compare::{AsWritten, Tolerance, compare, compare_with, movements};
use raddle::run::{Launch, Options, Precision, Tensor};
use raddle_ir::{Class, Diag, Ir, OpId, Opcode, Scalar, TypeId};
use raddle_passes::Facts;
use raddle_target::{Stage, chip};

use crate::caught::caught;
use crate::common::{self, raddle_with};
use crate::open_extents::Kernel;
use crate::programs::shrink;
use program::{Chain, RUNS, chain};

/// Where a program is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Machine {
    /// The emulator, for a chip; of NVIDIA's chips, the PTX is executed, too, where that is asked for.
    Emulator { chip: &'static str, as_ptx: bool },
    /// This machine.
    Cpu,
}

/// The machines for the program of a seed: two chips, and others for a share.
fn machines(seed: u64) -> Vec<Machine> {
    let first = if seed % 8 == 3 { "sm_90a" } else { "sm_80" };
    let mut machines = vec![
        Machine::Emulator { chip: first, as_ptx: seed % 4 == 1 },
        Machine::Emulator { chip: if seed % 16 == 6 { "gfx1100" } else { "gfx942" }, as_ptx: false },
    ];
    if seed % 20 == 2 && crate::cpu::runs_here() {
        machines.push(Machine::Cpu);
    }
    machines
}

/// How many programs have kernels of a kind.
#[derive(Default)]
struct Kinds {
    matrix: u64,
    vectors: u64,
    scalar: u64,
    several: u64,
    ptx: u64,
    cpu: u64,
}

/// What is wrong with a program on a machine, with the shapes of some of the runs; `None` if nothing is.
fn problem(text: &str, chain: &Chain, machine: Machine, runs: &[usize], kinds: &mut Kinds) -> Option<String> {
    match caught(|| compare_runs(text, chain, machine, runs, kinds)) {
        Ok(found) => found.err(),
        Err(panic) => Some(panic),
    }
}

fn said(diag: &Diag) -> String {
    format!("{}: {} {:?}", diag.code.number(), diag.message, diag.notes)
}

fn compare_runs(text: &str, chain: &Chain, machine: Machine, runs: &[usize], kinds: &mut Kinds) -> Result<(), String> {
    let written = raddle_ir::parse(text).map_err(|diags| format!("as written: {}", said(&diags[0])))?;
    let func = pipeline::function(&written, None).map_err(|diag| said(&diag))?;
    let kernels = match machine {
        Machine::Emulator { chip, as_ptx } => Some(Kernels::of(text, chip, as_ptx, kinds)?),
        Machine::Cpu => None,
    };
    for &run in runs {
        let args: Vec<Tensor> = chain.args.iter().map(|arg| arg.data[run].clone()).collect();
        let wide = as_written(&written, func, &args, Precision::Wide)?;
        let got = match &kernels {
            Some(kernels) => kernels.run((&written, func), &args).map_err(|why| format!("run {run}: {why}"))?,
            None => {
                kinds.cpu += 1;
                native(text, (&written, func), &args)?
            }
        };
        agree(chain, (&written, func), &args, &got, &wide).map_err(|why| format!("run {run}: {why}"))?;
    }
    Ok(())
}

/// What the program as written gives.
fn as_written(ir: &Ir, func: OpId, args: &[Tensor], precision: Precision) -> Result<Vec<Tensor>, String> {
    let options = Options { sanitize: false, precision, ..Options::default() };
    let launch = Launch::of(ir, func).map_err(|diag| said(&diag))?;
    let ran = raddle_emu::run(ir, func, args, &launch, &options);
    Ok(ran.map_err(|diag| format!("as written: {}", said(&diag)))?.results)
}

/// The kernels of a program, compiled once.
struct Kernels {
    program: Program,
    chip: &'static str,
    as_ptx: bool,
}

impl Kernels {
    fn of(text: &str, name: &'static str, as_ptx: bool, kinds: &mut Kinds) -> Result<Kernels, String> {
        let facts = Facts::new(chip(name).unwrap());
        let ir = pipeline::open(text, facts.chip).map_err(|diags| said(&diags[0]))?;
        let func = pipeline::function(&ir, None).map_err(|diag| said(&diag))?;
        let refused = |diag: Diag| format!("refused: {}", said(&diag));
        let mut program = Program::of(ir, func, &facts).map_err(refused)?;
        program.advance(&facts, Stage::Lowered, |_, _| {}).map_err(refused)?;
        let scalar = "is compiled to scalar loops";
        let n_scalar = facts.remarks.borrow().iter().filter(|remark| remark.message.contains(scalar)).count();
        let ir = &program.ir;
        let is_product = |&op: &OpId| {
            ir.class(op) == Class::Matrix && !matches!(ir.opcode(op), Opcode::NvgpuLdmatrix | Opcode::NvgpuStmatrix)
        };
        let n_matrix = program.kernels.iter().filter(|&&kernel| ir.walk(kernel).iter().any(is_product)).count();
        kinds.matrix += u64::from(n_matrix > 0);
        kinds.scalar += u64::from(n_scalar > 0);
        kinds.vectors += u64::from(n_scalar < program.kernels.len());
        kinds.several += u64::from(program.kernels.len() > 1);
        kinds.ptx += u64::from(as_ptx);
        Ok(Kernels { program, chip: name, as_ptx })
    }

    fn run(&self, written: (&Ir, OpId), args: &[Tensor]) -> Result<Vec<Tensor>, String> {
        let Program { ir, kernels, host } = &self.program;
        let kernel = |at: usize, source: (&Ir, OpId), args: &[Tensor]| {
            Kernel { source, ir, func: kernels[at], chip: self.chip, as_ptx: self.as_ptx }.call(args)
        };
        let Some(host) = host else { return Ok(kernel(0, written, args)) };
        let find = |name: &str| kernels.iter().position(|&kernel| ir.symbol_name(kernel) == Some(name));
        let mut call = |name: &str, args: &[Tensor], _: bool| {
            let at = find(name).unwrap();
            Ok(kernel(at, (&host.ir, host.kernels[at]), args))
        };
        raddle_run::host::run(&host.ir, host.func, args, &|name| find(name).is_some(), &mut call)
            .map_err(|diag| said(&diag))
    }
}

/// A tensor as the command line spells it.
fn spelling(tensor: &Tensor) -> String {
    let shape: String = tensor.shape.iter().map(|n| format!("{n}x")).collect();
    let values: Vec<String> = tensor.to_f64().iter().map(f64::to_string).collect();
    // Nothing has no values.
    if tensor.shape.is_empty() && tensor.elem == Scalar::Index {
        return values[0].clone();
    }
    format!("{shape}{}={}", tensor.elem, if values.is_empty() { "0".to_owned() } else { values.join(" ") })
}

/// What native code gives, in a process of its own.
fn native(text: &str, (ir, func): (&Ir, OpId), args: &[Tensor]) -> Result<Vec<Tensor>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = |at: usize| folder.path().join(format!("{at}.npy"));
    let inputs = args.iter().map(|arg| format!("--input={}", spelling(arg)));
    let outputs = (0..ir.signature(func).1.len()).map(|at| format!("--output=@{}", path(at).display()));
    let flags: Vec<String> = inputs.chain(outputs).collect();
    let mut all = vec!["run", "-", "--device=cpu", "--quiet", "--time=600"];
    all.extend(flags.iter().map(String::as_str));
    let ran = raddle_with(&all, text);
    // It compares what comes out with its own reference, too.
    if ran.status > 1 || ran.status < 0 {
        return Err(format!("native code: status {}: {}{}", ran.status, ran.out, ran.err));
    }
    let (_, types) = ir.signature(func);
    let read = |(at, &ty): (usize, &TypeId)| {
        let elem = Scalar::of(&ir[ir[ty].elem().unwrap()]);
        raddle_run::npy::read(&std::fs::read(path(at)).unwrap(), elem).map_err(|error| error.to_string())
    };
    types.iter().enumerate().map(read).collect()
}

/// Whether results are what the program as written gives: to the last bit where nothing rounds, else as near as rounding
/// lets them be.
fn agree(
    chain: &Chain,
    (ir, func): (&Ir, OpId),
    args: &[Tensor],
    got: &[Tensor],
    all_wide: &[Tensor],
) -> Result<(), String> {
    let mut own = None;
    let mut moved = None;
    for (at, (got, wide)) in got.iter().zip(all_wide).enumerate() {
        if got.shape != wide.shape {
            return Err(format!("result {at} has shape {:?}, not {:?}", got.shape, wide.shape));
        }
        let error = chain.results[at].error;
        let is_exact = error == 0.0;
        let tolerance = if is_exact { Tolerance::EXACT } else { Tolerance::of_program(ir, func, wide, got.elem) };
        let mut comparison = compare(got, wide, tolerance);
        if !comparison.is_correct() && !is_exact {
            let own = match &own {
                Some(own) => own,
                None => own.insert(as_written(ir, func, args, Precision::Exact)?),
            };
            let none: Vec<Vec<f64>> = vec![Vec::new(); own.len()];
            let with = |moved: &[Vec<f64>]| {
                compare_with(got, wide, Some(AsWritten { own: &own[at], moved: &moved[at] }), tolerance)
            };
            comparison = with(&none);
            if !comparison.is_correct() {
                if moved.is_none() {
                    let exactly = |args: &[Tensor]| as_written(ir, func, args, Precision::Wide);
                    moved = Some(movements(ir, func, args, all_wide, exactly)?);
                }
                comparison = with(moved.as_ref().unwrap());
            }
            // What is nothing but rounding, as the sum of what a mean was taken from, is as large as that of the terms.
            if !comparison.is_correct() {
                let all = compare(got, wide, Tolerance { abs: error, rel: 0.0 });
                comparison = if all.is_correct() { all } else { comparison };
            }
        }
        if !comparison.is_correct() {
            let first = &comparison.first[0];
            return Err(format!(
                "result {at}: {} of {} elements are wrong; {:?} is {}, not {}",
                comparison.n_wrong, comparison.n_elements, first.at, first.got, first.expected
            ));
        }
    }
    Ok(())
}

/// What is said of a failure, without its numbers.
fn kind(why: &str) -> String {
    let what = why.rsplit_once("run ").filter(|(front, _)| front.is_empty()).map_or(why, |(_, what)| what);
    what.chars().filter(|c| !c.is_ascii_digit()).take(60).collect()
}

/// The failing program, made smaller: the first value with which it fails by itself, for one run, and of that what it
/// does not fail without.
fn reduced(chain: &Chain, machine: Machine, why: &str) -> (Chain, String, usize) {
    let wanted = kind(why);
    let fails = |text: &str, chain: &Chain, run: usize| {
        problem(text, chain, machine, &[run], &mut Kinds::default()).is_some_and(|why| kind(&why) == wanted)
    };
    let all = |chain: &Chain| (0..RUNS).find(|&run| fails(&chain.text(), chain, run));
    let Some(run) = all(chain) else { return (chain.clone(), chain.text(), 0) };
    let shorter = (0..chain.values.len()).map(|value| chain.up_to(value));
    let first = shorter.into_iter().find(|shorter| fails(&shorter.text(), shorter, run));
    let chain = first.unwrap_or_else(|| chain.clone());
    let text = shrink::shrink(&chain.text(), |text| fails(text, &chain, run));
    (chain, text, run)
}

/// A program that fails, as one reads and repeats it.
fn shown(seed: u64, chain: &Chain, machine: Machine, why: &str) -> String {
    let (chain, text, run) = reduced(chain, machine, why);
    let now = problem(&text, &chain, machine, &[run], &mut Kinds::default());
    let mut shown = format!("seed {seed} on {machine:?}: {why}\nreduced: {}\n{text}\n", now.unwrap_or_default());
    for arg in &chain.args {
        let spelled = spelling(&arg.data[run]);
        let few = spelled.len() < 2000;
        let data = if few { spelled.clone() } else { spelled.split('=').next().unwrap().to_owned() };
        let _ = writeln!(shown, "--input=\"{data}\"");
    }
    shown
}

#[test]
fn one_compilation_is_right_for_every_shape() {
    let (n, first) = common::programs_and_seed(24, 0);
    let mut kinds = Kinds::default();
    let mut failures = Vec::new();
    for seed in first..first + n {
        let chain = chain(seed);
        if std::env::var_os("RADDLE_SHOW").is_some() {
            println!("// seed {seed}\n{}", chain.text());
        }
        for machine in machines(seed) {
            let runs: Vec<usize> = (0..RUNS).collect();
            if let Some(why) = problem(&chain.text(), &chain, machine, &runs, &mut kinds) {
                let shown = shown(seed, &chain, machine, &why);
                println!("{shown}");
                failures.push(shown);
            }
        }
    }
    let Kinds { matrix, vectors, scalar, several, ptx, cpu } = kinds;
    println!(
        "{n} programs from seed {first}, each with {RUNS} shapes. Compilations: {vectors} have kernels of vectors, {matrix} \
         of matrix instructions, {scalar} of scalar loops; {several} are several kernels; {ptx} were executed as PTX, too; \
         {cpu} runs of native code"
    );
    assert!(failures.is_empty(), "{} fail; the first:\n{}", failures.len(), failures[0]);
    // A few may be of any kind.
    assert!(n < 16 || vectors >= n && matrix * 8 >= n, "the programs are not what this test is for");
}
