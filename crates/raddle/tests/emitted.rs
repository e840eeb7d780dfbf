//! Kernels as PTX: ptxas accepts the text, and executed, whenever its copies happen, it gives the bits that the lowered
//! program gives on the emulator.
//!
//! They are the examples, products of every type that a matrix instruction takes in every order of the operands, every
//! pair of an operation on scalars and its types, and random programs that begin as tensors, as vectors of a workgroup or
//! as functions of a thread. A run of few takes some of each: `cargo xtask fuzz-emitted --seed 7 --count 1000` takes all,
//! and fills up with random ones.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may panic, and says how many kernels it compared")]

use std::path::PathBuf;
use std::process::Command;

use raddle::pipeline::{self, Program};
use raddle_emu::{AsyncMode, Options};
use raddle_ir::{Diag, Ir, OpId, Scalar, Type, TypeId};
use raddle_passes::Facts;
use raddle_run::{Device, Emulator, Launch, Outcome, Tensor, ptx};
use raddle_target::{Chip, Lowered, Stage};

use crate::chains;
use crate::common;
use crate::pairs;
use crate::pairs::Pair;
use crate::programs;
use crate::programs::Rng;

/// Refusals that state a limit.
const LIMITS: &[&str] = &["more shared memory", "more than 4096 selects", "more than 256 places", "too large"];

/// Pairs of an operation and its types in one kernel.
const PAIRS_IN_KERNEL: usize = 32;

/// A program in MLIR, and the chip that it is for.
struct Case {
    name: String,
    text: String,
    target: &'static str,
    data: Data,
}

/// What a program reads.
enum Data {
    /// Small whole numbers: sums are exact whatever their order.
    Small,
    /// The same, and bounds and positions in the last argument.
    WithNumbers,
    /// Numbers for which the operations are defined.
    OfPairs(Vec<Pair>),
    Given(Vec<Tensor>),
}

/// The examples, small ones first.
fn examples() -> Vec<Case> {
    let folder = common::root().join("examples");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "mlir"));
    paths.sort_by_key(|path| (std::fs::read_to_string(path).unwrap().contains("tensor<512x"), path.clone()));
    let case = |path: &PathBuf| Case {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        text: std::fs::read_to_string(path).unwrap(),
        target: "sm_80",
        data: Data::Small,
    };
    paths.iter().map(case).collect()
}

/// Products of every element type that a matrix instruction takes, and of those that none takes, in every order of the
/// operands, with whole tiles and with edges.
fn products() -> Vec<Case> {
    const TF32: &str = "lowering_config = #iree_gpu.lowering_config<{
        mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x8_TF32>, workgroup = [32, 32, 0], reduction = [0, 0, 16],
        subgroup_basis = [[2, 2, 1], [0, 1, 2]], promote_operands = [0, 1]}>, ";
    let types = [
        ("sm_80", "f16", "f32", ""),
        ("sm_80", "f16", "f16", ""),
        ("sm_80", "bf16", "f32", ""),
        ("sm_80", "f32", "f32", ""),
        ("sm_80", "f32", "f32", TF32),
        ("sm_80", "f64", "f64", ""),
        ("sm_80", "i8", "i32", ""),
        ("sm_80", "i32", "i32", ""),
        ("sm_90", "f8E4M3FN", "f32", ""),
        ("sm_90", "f8E5M2", "f32", ""),
        ("sm_90a", "f16", "f32", ""),
        ("sm_90a", "f16", "f16", ""),
        ("sm_90a", "bf16", "f32", ""),
        ("sm_90a", "i8", "i32", ""),
        ("sm_90a", "f8E4M3FN", "f32", ""),
        ("sm_90a", "f8E5M2", "f32", ""),
    ];
    let mut all = Vec::new();
    for (size, (target, elem, sum, config)) in
        [[64, 64, 64], [40, 56, 72]].iter().flat_map(|size| types.map(|row| (size, row)))
    {
        for order in ["nn", "nt", "tn", "tt"] {
            let mut text = common::product(*size, order, elem, sum);
            text = text.replace("linalg.generic {", &format!("linalg.generic {{{config}"));
            if elem == sum {
                text = text.lines().filter(|line| !line.contains("extf")).map(|line| format!("{line}\n")).collect();
                text = text.replace("mulf %x, %y", "mulf %a, %b");
            }
            if sum.starts_with('i') {
                text = text.replace("extf", "extsi").replace("mulf", "muli").replace("addf", "addi");
                text = text.replace("constant 0.0", "constant 0");
            }
            let instruction = if config.is_empty() { "" } else { " as tf32" };
            let name = format!("{size:?} {elem} to {sum}{instruction}, {order}");
            all.push(Case { name, text, target, data: Data::Small });
        }
    }
    all
}

/// Every pair of an operation on scalars and its types; of the candidates, only each one of `step`.
fn elementwise(step: usize) -> Vec<Case> {
    let mut pairs: Vec<Pair> = pairs::candidates().into_iter().step_by(step).collect();
    pairs.retain(|pair| pairs::is_pair(pair) && pairs::is_refused(pair).is_none());
    // Kernels of few types have few buffers.
    pairs.sort_by(|a, b| (&a.operands[0], &a.results[0], a.op).cmp(&(&b.operands[0], &b.results[0], b.op)));
    let case = |(at, pairs): (usize, &[Pair])| Case {
        name: format!("pairs from {} {} {}", pairs[0].op, pairs[0].operands[0], pairs[0].results[0]),
        text: pairs::kernel(pairs),
        target: if at % 2 == 0 { "sm_80" } else { "sm_90" },
        data: Data::OfPairs(pairs.to_vec()),
    };
    pairs.chunks(PAIRS_IN_KERNEL).enumerate().map(case).collect()
}

/// A random program, which begins at one of the stages.
fn random(seed: u64) -> Case {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(31));
    if seed % 3 == 1 {
        let (text, args) = chains::program(seed, rng.pick(&["i32", "f32", "i64", "f64", "i16"]));
        return Case { name: format!("tensors of seed {seed}"), text, target: "sm_80", data: Data::Given(args) };
    }
    let (elem, n_subgroups) = (rng.pick(&["f32", "i32", "f16", "i64"]), rng.pick(&[1, 2, 4]));
    let kernel = programs::Program::kernel(rng, 32, n_subgroups, elem);
    Case { name: format!("vectors of seed {seed}"), text: kernel.text, target: "sm_80", data: Data::WithNumbers }
}

/// The program at `lowered`; `None` if it is over a limit.
fn lowered(case: &Case, chip: &'static Chip) -> Option<Program> {
    let facts = Facts::new(chip);
    let ir = pipeline::open(&case.text, chip).unwrap_or_else(|diags| panic!("{}: {diags:?}", case.name));
    let func = pipeline::function(&ir, None).unwrap();
    let made = Program::of(ir, func, &facts).and_then(|mut program| {
        program.advance(&facts, Stage::Lowered, |_, _| {})?;
        for &kernel in &program.kernels {
            pipeline::finish(&mut program.ir, kernel, &facts)?;
        }
        Ok(program)
    });
    match made {
        Ok(program) => Some(program),
        Err(why) => {
            let all = format!("{why} {:?}", why.notes);
            assert!(LIMITS.iter().any(|limit| all.contains(limit)), "{}: {all}\n{}", case.name, case.text);
            None
        }
    }
}

/// What the program reads, and destinations behind it where it is a kernel of buffers.
fn arguments(ir: &Ir, func: OpId, case: &Case, seed: u64) -> Vec<Tensor> {
    if let Data::Given(tensors) = &case.data {
        return tensors.clone();
    }
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let params = ir.args(ir.entry(func));
    let last = params.len() - 1;
    let mut tensors = Vec::new();
    for (at, &param) in params.iter().enumerate() {
        let (elem, shape) = (Scalar::of(&ir[ir.elem_of(param)]).unwrap(), ir.ty(param).shape().unwrap().to_vec());
        let n = shape.iter().product::<i64>();
        let values: Vec<f64> = match &case.data {
            Data::OfPairs(pairs) => pairs::inputs(pairs, elem, &mut |n| rng.below(n as usize) as u64),
            Data::WithNumbers if at == last => {
                let numbers = [-2.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 8.0, 13.0, 16.0, 31.0, 40.0];
                (0..n).map(|_| rng.pick(&numbers)).collect()
            }
            Data::WithNumbers | Data::Small | Data::Given(_) => (0..n).map(|_| rng.below(3) as f64 - 1.0).collect(),
        };
        tensors.push(Tensor::from_f64(elem, &shape, &values));
    }
    tensors
}

/// Compares kernels of programs, and counts them.
struct Witness {
    ptxas: Option<PathBuf>,
    folder: tempfile::TempDir,
    n_compared: u64,
    n_assembled: u64,
    /// What differs.
    wrong: Vec<String>,
}

impl Witness {
    /// Runs a kernel on the emulator, and its PTX on the executor in both modes.
    fn kernel(&mut self, case: &Case, ir: &Ir, func: OpId, args: &[Tensor], unwritten: Vec<usize>) -> Outcome {
        let (name, text) = (&case.name, &case.text);
        let launch = Launch::for_args(ir, func, args).unwrap();
        let choices = Options { uninitialised_args: unwritten, ..Options::default() };
        let expected = Emulator.run(ir, func, args, &launch, &choices);
        let expected = expected.unwrap_or_else(|diag| panic!("{name}: {diag:?}\n{text}"));
        let form = Lowered::check(ir, func, pipeline::chip(case.target).unwrap()).unwrap();
        let code = raddle_emit::ptx::emit_with(ir, &form, &raddle_emit::ptx::Options::default()).unwrap();
        let module = ptx::parse(&code).unwrap_or_else(|diag| panic!("{name}: {diag:?}\n{code}"));
        let shared_bytes = raddle_emit::ptx::dynamic_shared_bytes(&form) as usize;
        let start = ptx::Launch { entry: None, grid: launch.grid, workgroup: None, cluster: None, shared_bytes };
        let (types, _) = ir.signature(func);
        let is_buffer = |&(arg, _): &(usize, &Tensor)| matches!(ir[types[arg]], Type::MemRef { .. });
        // An input without dimensions is a number; a buffer of one element has one.
        let mut given = args.to_vec();
        for (input, &ty) in given.iter_mut().zip(types) {
            if input.shape.is_empty() && matches!(ir[ty], Type::MemRef { .. }) {
                input.shape = vec![1];
            }
        }
        for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
            let ran = ptx::run(&module, &given, &start, &Options { copies, ..choices.clone() });
            let ran = ran.unwrap_or_else(|diag| panic!("{name}, {copies:?}: {diag:?}\n{text}\n{code}"));
            for ((at, got), want) in ran.args.iter().enumerate().filter(is_buffer).zip(&expected.buffers) {
                let Some((n, got, want)) = common::difference(got, want) else { continue };
                let pair = match &case.data {
                    Data::OfPairs(pairs) => format!("{:?}, ", pairs[n / pairs::EACH]),
                    Data::Small | Data::WithNumbers | Data::Given(_) => String::new(),
                };
                let what = format!("element {n} of argument {at} is {got:e}, not {want:e}");
                self.wrong.push(format!("{name}, {pair}{copies:?}: {what}\n{text}\n{code}"));
            }
        }
        self.n_compared += 1;
        self.assemble(case, &code);
        expected
    }

    fn assemble(&mut self, case: &Case, code: &str) {
        let Some(ptxas) = &self.ptxas else { return };
        let path = self.folder.path().join("kernel.ptx");
        std::fs::write(&path, code).unwrap();
        let mut command = Command::new(ptxas);
        command.arg(format!("-arch={}", case.target)).arg("-o").arg(path.with_extension("cubin")).arg(&path);
        let output = command.output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && said.is_empty(), "{}: {said}\n{code}", case.name);
        self.n_assembled += 1;
    }

    /// Runs a program, and compares each kernel that it calls.
    fn program(&mut self, case: &Case, program: &Program, seed: u64) {
        let Program { ir, kernels, host } = program;
        let mut call = |kernel: OpId, mut args: Vec<Tensor>, results: Vec<Tensor>| {
            let first = args.len();
            let shapes: Vec<Vec<i64>> = results.iter().map(|result| result.shape.clone()).collect();
            args.extend(results);
            let ran = self.kernel(case, ir, kernel, &args, (first..args.len()).collect());
            let results = ran.buffers.into_iter().skip(first).zip(shapes);
            results.map(|(buffer, shape)| Tensor { shape, ..buffer }).collect::<Vec<Tensor>>()
        };
        match host {
            None => {
                // Destinations are the arguments behind those of the text.
                let args = arguments(ir, kernels[0], case, seed);
                let params = ir.args(ir.entry(kernels[0]));
                let results = params[args.len()..].iter().map(|&param| zeros(ir, ir.type_of(param))).collect();
                call(kernels[0], args, results);
            }
            Some(host) => {
                let find = |name: &str| kernels.iter().position(|&kernel| ir.symbol_name(kernel) == Some(name));
                let mut by_name = |name: &str, tensors: &[Tensor], _: bool| -> Result<Vec<Tensor>, Diag> {
                    let at = find(name).unwrap();
                    let types = host.ir.signature(host.kernels[at]).1.to_vec();
                    let results = types.into_iter().map(|ty| zeros(&host.ir, ty)).collect();
                    Ok(call(kernels[at], tensors.to_vec(), results))
                };
                let args = arguments(&host.ir, host.func, case, seed);
                raddle_run::host::run(&host.ir, host.func, &args, &|name| find(name).is_some(), &mut by_name)
                    .unwrap_or_else(|diag| panic!("{}: {diag:?}\n{}", case.name, case.text));
            }
        }
    }
}

/// A tensor for a result of this type.
fn zeros(ir: &Ir, ty: TypeId) -> Tensor {
    let (Type::Tensor { elem, .. } | Type::MemRef { elem, .. }) = &ir[ty] else { panic!("results are tensors") };
    Tensor::zeros(Scalar::of(&ir[*elem]).unwrap(), ir[ty].shape().unwrap())
}

#[test]
fn text_gives_the_bits_of_the_program() {
    let (n, first) = common::programs_and_seed(40, 0);
    let n = n as usize;
    // All of those that are not random, or every so many.
    let takes_all = n >= 500;
    let mut cases = examples();
    cases.truncate(if takes_all { cases.len() } else { n / 20 });
    cases.extend(products().into_iter().step_by(if takes_all { 1 } else { 500 / n + 1 }));
    cases.extend(elementwise(if takes_all { 1 } else { 4000 / n + 1 }));
    let n_fixed = cases.len();
    let n_pairs: usize =
        cases.iter().map(|case| if let Data::OfPairs(pairs) = &case.data { pairs.len() } else { 0 }).sum();
    let mut witness = Witness {
        ptxas: common::validator("ptxas"),
        folder: tempfile::tempdir().unwrap(),
        n_compared: 0,
        n_assembled: 0,
        wrong: Vec::new(),
    };
    let mut n_limited = 0;
    for (case, seed) in cases.into_iter().chain((first..).map(random)).take(n).zip(first..) {
        match lowered(&case, pipeline::chip(case.target).unwrap()) {
            Some(program) => witness.program(&case, &program, seed),
            None => n_limited += 1,
        }
    }
    let Witness { n_compared, n_assembled, wrong, .. } = witness;
    let first_lines: Vec<&str> = wrong.iter().filter_map(|wrong| wrong.lines().next()).collect();
    assert!(wrong.is_empty(), "{} differ:\n{}\nthe first:\n{}", wrong.len(), first_lines.join("\n"), wrong[0]);
    println!("{n} programs, of which {n_fixed} are not random and have {n_pairs} pairs of operation and types:");
    println!("{n_compared} kernels equal in both modes, {n_assembled} assembled, {n_limited} programs over a limit");
    assert!(n_limited * 2 < n, "only {} of {n} programs are within the limits", n - n_limited);
}
