//! Scans are vectors over lanes and subgroups, and give what a plain loop gives: at any size, known or open, along any
//! dimension, by any operation that combines, inclusive and exclusive, at every stage, on both kinds of chips, and as PTX.
//!
//! `RADDLE_PROGRAMS=300 RADDLE_SEED=7 cargo test -p raddle --test all scans` tries more of them.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle::pipeline::Program;
use raddle::run::{Launch, Options, Tensor, ptx, with_extents};
use raddle_ir::{Ir, OpId, Scalar, Type};
use raddle_passes::Facts;
use raddle_target::{Lowered, Stage, chip, stage};

use crate::common::{Rng, programs_and_seed, raddle_with};

/// What combines two numbers. Those of floats are exact: sums and products of few powers of two.
type Combine = fn(f64, f64) -> f64;

const OF_FLOATS: &[(&str, Combine)] = &[
    ("arith.addf", |a, b| a + b),
    ("arith.mulf", |a, b| a * b),
    ("arith.maximumf", f64::max),
    ("arith.minimumf", f64::min),
    ("arith.maxnumf", f64::max),
    ("arith.minnumf", f64::min),
];

type CombineInts = fn(i64, i64) -> i64;

/// On numbers that are the signed values of their bits.
const OF_INTS: &[(&str, CombineInts)] = &[
    ("arith.addi", |a, b| a.wrapping_add(b)),
    ("arith.muli", |a, b| a.wrapping_mul(b)),
    ("arith.maxsi", |a, b| a.max(b)),
    ("arith.minsi", |a, b| a.min(b)),
    ("arith.maxui", |a, b| (a as u64).max(b as u64) as i64),
    ("arith.minui", |a, b| (a as u64).min(b as u64) as i64),
    ("arith.andi", |a, b| a & b),
    ("arith.ori", |a, b| a | b),
    ("arith.xori", |a, b| a ^ b),
];

/// One scan, and how it is written.
#[derive(Debug)]
struct Case {
    shape: Vec<i64>,
    /// Which dimensions are open.
    open: Vec<bool>,
    dim: usize,
    inclusive: bool,
    elem: &'static str,
    opcode: usize,
    /// Whether elements are doubled before, and results behind.
    fused: bool,
    /// Whether the last partial results are results, too.
    total: bool,
    /// A configuration that the program states; empty for none.
    stated: String,
}

impl Case {
    fn random(rng: &mut Rng) -> Case {
        let rank = 1 + rng.below(3);
        let mut shape: Vec<i64> = (0..rank).map(|_| rng.pick(&[1, 2, 3, 5, 8, 17, 32, 33])).collect();
        let dim = rng.below(rank);
        // Some lines fill a few subgroups, others take several steps.
        shape[dim] = rng.pick(&[1, 7, 32, 63, 128, 200, 256, 1001, if rank == 1 { 5003 } else { 700 }]);
        let elem = rng.pick(&["f32", "f32", "f16", "f64", "bf16", "i32", "i32", "i64", "i16", "i8"]);
        let opcode = rng.below(if elem.contains('f') { OF_FLOATS.len() } else { OF_INTS.len() });
        Case {
            open: (0..rank).map(|_| rng.below(3) == 0).collect(),
            shape,
            dim,
            inclusive: rng.below(2) == 0,
            elem,
            opcode,
            // Products of doubled floats have no end.
            fused: rng.below(4) == 0 && !(elem.contains('f') && OF_FLOATS[opcode].0 == "arith.mulf"),
            total: rng.below(4) != 0,
            stated: String::new(),
        }
    }

    /// Any bases, tiles and steps for subgroups of 32 lanes.
    fn state(&mut self, rng: &mut Rng) {
        let rank = self.shape.len();
        self.fused = false;
        let mut lists = [(); 5].map(|()| vec![1; rank]);
        let mut lanes = 32;
        for d in 0..rank {
            let lane = rng.pick(&[1, 2, 4, 8, 32]).min(lanes);
            lanes /= lane;
            let (subgroup, thread) = (rng.pick(&[1, 1, 2, 3]), rng.pick(&[1, 1, 2, 3, 4]));
            let tile = lane * subgroup * thread * rng.pick(&[1, 1, 2, 3]);
            let is_cut = self.open[d] || rng.below(2) == 0;
            let (workgroup, step) = if d == self.dim { (0, tile) } else { (tile, 0) };
            let sizes = [if is_cut { workgroup } else { 0 }, if is_cut { step } else { 0 }, thread, subgroup, lane];
            lists.iter_mut().zip(sizes).for_each(|(list, size)| list[d] = size);
        }
        // The order of digits.
        let mut order: Vec<usize> = (0..rank).collect();
        order.rotate_left(rng.below(rank));
        let basis = |counts: &[i64]| {
            let mut placed = counts.to_vec();
            counts.iter().zip(&order).for_each(|(&count, &at)| placed[at] = count);
            format!("[{placed:?}, {order:?}]")
        };
        let [workgroup, reduction, thread, subgroup, lane] = lists;
        self.stated = format!(
            "{{lowering_config = #iree_gpu.lowering_config<{{workgroup = {workgroup:?}, reduction = {reduction:?}, \
             thread = {thread:?}, subgroup_basis = {}, lane_basis = {}}}>}}",
            basis(&subgroup),
            basis(&lane)
        );
    }

    fn is_float(&self) -> bool {
        self.elem.contains('f')
    }

    fn opcode(&self) -> &'static str {
        if self.is_float() { OF_FLOATS[self.opcode].0 } else { OF_INTS[self.opcode].0 }
    }

    /// The shape without the dimension that is scanned.
    fn kept<T: Copy>(&self, list: &[T]) -> Vec<T> {
        list.iter().enumerate().filter(|&(d, _)| d != self.dim).map(|(_, &at)| at).collect()
    }

    fn text(&self) -> String {
        let Case { dim, inclusive, elem, stated, .. } = self;
        let sizes: Vec<String> = self
            .shape
            .iter()
            .zip(&self.open)
            .map(|(n, &open)| if open { "?".to_owned() } else { n.to_string() })
            .collect();
        let ty =
            |sizes: &[&str]| format!("tensor<{}{elem}>", sizes.iter().map(|n| format!("{n}x")).collect::<String>());
        let sizes: Vec<&str> = sizes.iter().map(String::as_str).collect();
        let (whole, kept) = (ty(&sizes), ty(&self.kept(&sizes)));
        let maps = vec![raddle_ir::Map::identity(sizes.len()); 2];
        let maps: Vec<String> = maps.iter().map(|map| format!("affine_map<{map}>")).collect();
        let kinds = vec!["\"parallel\""; sizes.len()].join(", ");
        let add = if self.is_float() { "arith.addf" } else { "arith.addi" };
        let doubled = |to: &str, from: &str| {
            format!(
                "{to} = linalg.generic {{indexing_maps = [{}], iterator_types = [{kinds}]}} ins({from} : {whole}) outs(%o : {whole}) {{
                 ^bb0(%x: {elem}, %y: {elem}):
                   %z = {add} %x, %x : {elem}
                   linalg.yield %z : {elem}
                 }} -> {whole}",
                maps.join(", ")
            )
        };
        let (before, behind) =
            if self.fused { (doubled("%d", "%a"), doubled("%q", "%r#0")) } else { Default::default() };
        let (from, to) = if self.fused { ("%d", "%q") } else { ("%a", "%r#0") };
        let (types, results) = if self.total {
            (format!("{whole}, {kept}"), format!("{to}, %r#1"))
        } else {
            (whole.clone(), to.to_owned())
        };
        format!(
            "func.func @f(%a: {whole}, %o: {whole}, %i: {kept}) -> ({types}) {{
               {before}
               %r:2 = iree_linalg_ext.scan {stated} dimension({dim}) inclusive({inclusive}) ins({from} : {whole}) outs(%o, %i : {whole}, {kept}) {{
               ^bb0(%p: {elem}, %q: {elem}):
                 %s = {} %p, %q : {elem}
                 iree_linalg_ext.yield %s : {elem}
               }} -> {whole}, {kept}
               {behind}
               return {results} : {types}
             }}",
            self.opcode()
        )
    }

    /// What a plain loop makes of numbers: the partial results, and the last of each line.
    fn plain<T: Copy>(
        &self,
        values: &[T],
        inits: &[T],
        combine: impl Fn(T, T) -> T,
        double: impl Fn(T) -> T,
    ) -> [Vec<T>; 2] {
        let n = self.shape[self.dim] as usize;
        let inner = self.shape[self.dim + 1..].iter().product::<i64>() as usize;
        let (mut out, mut totals) = (values.to_vec(), inits.to_vec());
        for (line, total) in totals.iter_mut().enumerate() {
            for i in 0..n {
                let place = |i: usize| (line / inner * n + i) * inner + line % inner;
                let value = |i: usize| if self.fused { double(values[place(i)]) } else { values[place(i)] };
                *total = match (self.inclusive, i) {
                    (true, 0) => value(0),
                    (false, 0) => *total,
                    (true, i) => combine(*total, value(i)),
                    (false, i) => combine(*total, value(i - 1)),
                };
                out[place(i)] = if self.fused { double(*total) } else { *total };
            }
        }
        [out, totals]
    }

    /// Arguments, and what comes out.
    fn data(&self, rng: &mut Rng) -> (Vec<Tensor>, Vec<Tensor>) {
        let elem = Scalar::from_keyword(self.elem).unwrap();
        let kept = self.kept(&self.shape);
        let lengths = [&self.shape, &kept].map(|shape| shape.iter().product::<i64>());
        let is_product = self.opcode().contains(".mul");
        let [a, out, init];
        if self.is_float() {
            // Sums stay small, and products are powers of two, of which few are not 1.
            let mut number = || match rng.below(400) {
                _ if !is_product => rng.from(-1, 1) as f64,
                0 => 2.0,
                1 => 0.5,
                at => {
                    if at % 2 == 0 {
                        1.0
                    } else {
                        -1.0
                    }
                }
            };
            let [values, inits] = lengths.map(|n| (0..n).map(|_| number()).collect::<Vec<f64>>());
            let want = self.plain(&values, &inits, OF_FLOATS[self.opcode].1, |x| x + x);
            [a, init] =
                [(&values, &self.shape), (&inits, &kept)].map(|(list, shape)| Tensor::from_f64(elem, shape, list));
            out = Tensor::zeros(elem, &self.shape);
            let want = want.iter().zip([&self.shape, &kept]).map(|(list, shape)| Tensor::from_f64(elem, shape, list));
            let want = want.take(if self.total { 2 } else { 1 }).collect();
            return (vec![a, out, init], want);
        }
        let bits = u32::from(elem.bits() as u16);
        let wrapped = |x: i64| x << (64 - bits) >> (64 - bits);
        let mut number = || wrapped((rng.below(1 << 31) as i64).wrapping_mul(0x9E37_79B9) ^ rng.below(1 << 31) as i64);
        let [values, inits] = lengths.map(|n| (0..n).map(|_| number()).collect::<Vec<i64>>());
        let combine = OF_INTS[self.opcode].1;
        let want = self.plain(&values, &inits, |a, b| wrapped(combine(a, b)), |x| wrapped(x.wrapping_add(x)));
        [a, init] = [(&values, &self.shape), (&inits, &kept)].map(|(list, shape)| Tensor::from_i64(elem, shape, list));
        out = Tensor::zeros(elem, &self.shape);
        let want = want.iter().zip([&self.shape, &kept]).map(|(list, shape)| Tensor::from_i64(elem, shape, list));
        (vec![a, out, init], want.take(if self.total { 2 } else { 1 }).collect())
    }
}

/// What a kernel leaves in the buffers of its results, in the emulator and, where it is lowered, as PTX.
fn call(ir: &Ir, func: OpId, args: &[Tensor], want: &[Tensor], target: &str) -> Vec<Vec<Tensor>> {
    if stage::of(ir, func) < Stage::Vector {
        let launch = Launch::for_args(ir, func, args).unwrap();
        return vec![raddle_emu::run(ir, func, args, &launch, &Options::default()).unwrap().results];
    }
    let mut all = args.to_vec();
    all.extend(want.iter().map(|tensor| Tensor::zeros(tensor.elem, &tensor.shape)));
    let uninitialised_args = (args.len()..all.len()).collect();
    let all = with_extents(ir, func, all).unwrap();
    let launch = Launch::for_args(ir, func, &all).unwrap();
    let options = Options { uninitialised_args, ..Options::default() };
    let ran = raddle_emu::run(ir, func, &all, &launch, &options);
    let ran =
        ran.unwrap_or_else(|diag| panic!("{diag:#?}\n{}", raddle_ir::print(ir, &raddle_ir::PrintOptions::default())));
    let results = |buffers: Vec<Tensor>| -> Vec<Tensor> {
        let written = buffers.into_iter().skip(args.len()).zip(want);
        written.map(|(buffer, want)| Tensor { shape: want.shape.clone(), ..buffer }).collect()
    };
    let mut found = vec![results(ran.buffers)];
    if stage::of(ir, func) == Stage::Lowered && target == "sm_80" {
        let lowered = Lowered::check(ir, func, chip(target).unwrap()).unwrap();
        let text = raddle_emit::ptx::emit(ir, &lowered).unwrap();
        let module = ptx::parse(&text).unwrap();
        let shared_bytes = chip(target).unwrap().shared_bytes_max as usize;
        let start = ptx::Launch { entry: None, grid: launch.grid, workgroup: None, cluster: None, shared_bytes };
        let is_memref = |arg: usize| matches!(ir[ir.signature(func).0[arg]], Type::MemRef { .. });
        let flat = |(arg, tensor): (usize, &Tensor)| match is_memref(arg) && tensor.shape.is_empty() {
            true => Tensor { shape: vec![1], ..tensor.clone() },
            false => tensor.clone(),
        };
        let inputs: Vec<Tensor> = all.iter().enumerate().map(flat).collect();
        let ran = ptx::run(&module, &inputs, &start, &options).unwrap_or_else(|diag| panic!("{diag:#?}\n{text}"));
        found.push(results(ran.args));
    }
    found
}

/// Whether a scan compiles, and then gives the same everywhere.
fn check(case: &Case, rng: &mut Rng) -> bool {
    let text = case.text();
    let (args, want) = case.data(rng);
    let read = || raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
    let targets =
        [("sm_80", Stage::Tensor), ("sm_80", Stage::LaidOut), ("sm_80", Stage::Lowered), ("gfx942", Stage::Lowered)];
    let is_stated = !case.stated.is_empty();
    for &(target, goal) in if is_stated { &targets[1..3] } else { &targets } {
        let facts = Facts::new(chip(target).unwrap());
        let ir = read();
        let func = ir.funcs()[0];
        let mut program = Program::of(ir, func, &facts).unwrap_or_else(|diag| panic!("{diag:#?}\n{text}"));
        let [kernel] = program.kernels[..] else {
            panic!("{target}: it is no one kernel\n{text}\n{:#?}", facts.remarks)
        };
        if goal > Stage::Tensor {
            // Who configures refuses, and nobody behind.
            if is_stated && program.advance(&facts, Stage::Configured, |_, _| {}).is_err() {
                return false;
            }
            program.advance(&facts, goal, |_, _| {}).unwrap_or_else(|diag| panic!("{goal:?}: {diag:#?}\n{text}"));
        }
        let remarks = facts.remarks.take();
        let is_scalar = remarks.iter().any(|remark| remark.message.contains("scalar loops"));
        assert!(!is_scalar, "{target}: {remarks:#?}\n{text}");
        for got in call(&program.ir, kernel, &args, &want, target) {
            for (at, (got, want)) in got.iter().zip(&want).enumerate() {
                let is_same = got.to_f64().iter().zip(want.to_f64()).all(|(a, b)| *a == b);
                assert!(
                    is_same && got.shape == want.shape && got.elem == want.elem,
                    "{target} at {goal:?}: result {at} differs: {case:?}\n{text}\nwant {:?}\n got {:?}",
                    want.to_f64(),
                    got.to_f64()
                );
            }
        }
    }
    true
}

#[test]
fn scans_are_what_a_plain_loop_gives() {
    let (n, first) = programs_and_seed(12, 0);
    for seed in first..first + n {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(7));
        let case = Case::random(&mut rng);
        assert!(check(&case, &mut rng));
    }
}

#[test]
fn configurations_that_pass_compile() {
    let (n, first) = programs_and_seed(20, 0);
    let mut compiled = 0;
    for seed in first..first + n {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(11));
        let mut case = Case::random(&mut rng);
        case.state(&mut rng);
        compiled += u64::from(check(&case, &mut rng));
    }
    assert!(2 * compiled > n, "{compiled} of {n} pass");
}

/// Without elements there is no partial result: the accumulator stays.
#[test]
fn an_open_line_of_none_leaves_the_accumulator() {
    for inclusive in [false, true] {
        let case = Case {
            shape: vec![3, 0],
            open: vec![false, true],
            dim: 1,
            inclusive,
            elem: "i32",
            opcode: 0,
            fused: false,
            total: true,
            stated: String::new(),
        };
        assert!(check(&case, &mut Rng(1)));
    }
}

/// A subgroup goes through a line in a few dozen operations for each access of its lanes, which are as wide as memory
/// allows; alone, each thread would take a step for each element, and reads what no neighbour needs.
#[test]
fn a_line_takes_few_steps() {
    let case = Case {
        shape: vec![64, 4096],
        open: vec![false; 2],
        dim: 1,
        inclusive: true,
        elem: "f32",
        opcode: 0,
        fused: false,
        total: false,
        stated: String::new(),
    };
    // Operations of a subgroup that has work, and sectors of global memory.
    let cost = |text: &str, subgroups: &dyn Fn(&Launch) -> u64| {
        let facts = Facts::new(chip("sm_80").unwrap());
        let ir = raddle_ir::parse(text).unwrap();
        let func = ir.funcs()[0];
        let mut program = Program::of(ir, func, &facts).unwrap();
        program.advance(&facts, Stage::Lowered, |_, _| {}).unwrap();
        let (ir, kernel) = (&program.ir, program.kernels[0]);
        let (args, want) = case.data(&mut Rng(1));
        let all: Vec<Tensor> = args.into_iter().chain(want).collect();
        let launch = Launch::for_args(ir, kernel, &all).unwrap();
        let options = Options { banks: Some(32), ..Options::default() };
        let ran = raddle_emu::run(ir, kernel, &all, &launch, &options).unwrap();
        let total = ran.cost.unwrap().total;
        (total.executions / subgroups(&launch), total.global.transactions)
    };
    let text = case.text();
    let vectors = cost(&text, &|launch| u64::from(launch.grid[0] * launch.workgroup_size[0] / 32));
    let pipeline = "attributes {translation_info = #iree_codegen.translation_info<pipeline = LLVMGPUDistribute>} {";
    let scalar = cost(&text.replacen('{', pipeline, 1), &|_| 64 / 32);
    assert!(100 * vectors.0 < scalar.0, "{vectors:?} and {scalar:?}");
    // Each element is read and written once, in whole sectors of 32 bytes.
    assert_eq!(vectors.1, 2 * 64 * 4096 * 4 / 32);
}

/// Subgroups, lanes and elements are those that a program states, in IREE's spelling.
#[test]
fn a_stated_configuration_is_kept() {
    let text = "
#info = #iree_codegen.compilation_info<
  lowering_config = #iree_gpu.lowering_config<{lane_basis = [[8], [0]], subgroup_basis = [[2], [0]], thread = [4]}>,
  translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 64>>
func.func @f(%x: tensor<128xf32>, %o: tensor<128xf32>, %i: tensor<f32>) -> (tensor<128xf32>, tensor<f32>) {
  %r:2 = iree_linalg_ext.scan {compilation_info = #info} dimension(0) inclusive(false)
      ins(%x : tensor<128xf32>) outs(%o, %i : tensor<128xf32>, tensor<f32>) {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<128xf32>, tensor<f32>
  return %r#0, %r#1 : tensor<128xf32>, tensor<f32>
}";
    let layout = "subgroup_tile = [2], batch_tile = [2], outer_tile = [1], thread_tile = [8], element_tile = [4]";
    raddle_with(&["opt", "-", "--to=laid_out", "--target=gfx942"], text).says(0, &[layout]);
    raddle_with(&["run", "-", "--target=gfx942", "--validate"], text)
        .says(0, &["correct: result 0", "correct: result 1"]);
    let refused = text.replace("lane_basis = [[8]", "lane_basis = [[3]");
    raddle_with(&["build", "-", "--target=gfx942"], &refused).says(1, &["E0301", "`lane_basis` must multiply to"]);
}

/// Scans whose combination is not one operation, and those of no elements, are computed all the same.
#[test]
fn other_scans_are_scalar_loops() {
    let scan = |n: &str, body: &str| {
        format!(
            "func.func @f(%x: tensor<3x{n}xi32>, %o: tensor<3x{n}xi32>, %i: tensor<3xi32>) -> (tensor<3x{n}xi32>, tensor<3xi32>) {{
               %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<3x{n}xi32>) outs(%o, %i : tensor<3x{n}xi32>, tensor<3xi32>) {{
               ^bb0(%p: i32, %q: i32):
                 {body}
                 iree_linalg_ext.yield %s : i32
               }} -> tensor<3x{n}xi32>, tensor<3xi32>
               return %r#0, %r#1 : tensor<3x{n}xi32>, tensor<3xi32>
             }}"
        )
    };
    let sum = "%s = arith.addi %p, %q : i32";
    let twice = "%t = arith.addi %p, %p : i32\n%s = arith.addi %t, %q : i32";
    for text in [scan("0", sum), scan("37", twice)] {
        raddle_with(&["run", "-"], &text).says(0, &["correct: result 1"]);
        let facts = Facts::new(chip("sm_80").unwrap());
        let ir = raddle_ir::parse(&text).unwrap();
        let func = ir.funcs()[0];
        Program::of(ir, func, &facts).unwrap().advance(&facts, Stage::Lowered, |_, _| {}).unwrap();
        assert!(facts.remarks.take().iter().any(|remark| remark.message.contains("compiled to scalar loops")));
    }
}
