//! Random chains of structured operations on tensors: divided into kernels, compiled, and called by the host, they give
//! what the program as written gives, to the last bit.
//!
//! `RADDLE_PROGRAMS=5000 RADDLE_SEED=7 cargo test -p raddle --test all random_chains` runs more of them; with `RADDLE_SHOW=1`
//! each is printed.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and says how far it came"
)]

use raddle::pipeline::{self, Program};
use raddle_emu::{Launch, Options, Tensor};
use raddle_ir::{Diag, Ir, OpId, PrintOptions, Scalar};
use raddle_passes::Facts;
use raddle_target::{Stage, chip};

use crate::chains;
use crate::chains::program;
use crate::common;
use crate::common::Rng;

/// A tensor of i32.
fn ty(shape: &[i64]) -> String {
    chains::ty(shape, "i32")
}

/// A kernel on the emulator: destinations behind its arguments.
fn call(ir: &Ir, kernel: OpId, results: &[Vec<i64>], args: &[Tensor]) -> Vec<Tensor> {
    let mut all = args.to_vec();
    let first = all.len();
    all.extend(results.iter().map(|shape| Tensor::zeros(Scalar::Int(32), shape)));
    let options = Options { uninitialised_args: (first..all.len()).collect(), ..Options::default() };
    let ran = raddle_emu::run(ir, kernel, &all, &Launch::of(ir, kernel).unwrap(), &options);
    let ran = ran.unwrap_or_else(|diag| panic!("{diag:#?}"));
    ran.buffers
        .into_iter()
        .skip(first)
        .zip(results)
        .map(|(buffer, shape)| Tensor { shape: shape.clone(), ..buffer })
        .collect()
}

/// The shape of each result.
fn results_of(ir: &Ir, func: OpId) -> Vec<Vec<i64>> {
    ir.signature(func).1.iter().map(|&ty| ir[ty].shape().unwrap_or_default().to_vec()).collect()
}

/// Runs the kernels of a program; `results` are the shapes that a single one gives.
fn run(program: &Program, results: &[Vec<i64>], args: &[Tensor]) -> Result<Vec<Tensor>, Diag> {
    let Program { ir, kernels, host } = program;
    let Some(host) = host else { return Ok(call(ir, kernels[0], results, args)) };
    let find = |name: &str| kernels.iter().position(|&kernel| ir.symbol_name(kernel) == Some(name));
    let mut call = |name: &str, args: &[Tensor], _: bool| {
        let at = find(name).unwrap();
        Ok(call(ir, kernels[at], &results_of(&host.ir, host.kernels[at]), args))
    };
    raddle_run::host::run(&host.ir, host.func, args, &|name: &str| find(name).is_some(), &mut call)
}

/// Runs a program as written and as kernels; says how many kernels there were.
fn check(text: &str, args: &[Tensor]) -> usize {
    check_with(text, args, &Facts::new(chip("sm_80").unwrap()))
}

/// The kernels of a program as text.
fn kernels_of(program: &Program) -> Vec<String> {
    let text = |&kernel: &OpId| raddle_ir::text::print_one(&program.ir, kernel, &PrintOptions::default());
    program.kernels.iter().map(text).collect()
}

/// Compiles a function; it makes no difference whether kernels of several operations were compiled on trial before.
fn compile(ir: &Ir, func: OpId, facts: &Facts) -> Result<Program, Diag> {
    let program = Program::compile(ir.clone(), func, facts, |_, _, _| {})?;
    let mut tried = Program::of(ir.clone(), func, facts)?;
    tried.advance(facts, Stage::Lowered, |_, _| {})?;
    assert_eq!(kernels_of(&program), kernels_of(&tried), "trials make a difference");
    Ok(program)
}

fn check_with(text: &str, args: &[Tensor], facts: &Facts) -> usize {
    let ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
    let func = pipeline::function(&ir, None).unwrap();
    let want = raddle_emu::run(&ir, func, args, &Launch::of(&ir, func).unwrap(), &Options::default());
    let want = want.unwrap_or_else(|diag| panic!("{diag:#?}\n{text}")).results;
    let whole = results_of(&ir, func);
    let program = compile(&ir, func, facts).unwrap_or_else(|diag| panic!("{diag:#?}\n{text}"));
    let got = run(&program, &whole, args).unwrap_or_else(|diag| panic!("{diag:#?}\n{text}"));
    for (at, (got, want)) in got.iter().zip(&want).enumerate() {
        assert!(got == want, "result {at} differs\n{text}\nwant {:?}\n got {:?}", want.to_i64(), got.to_i64());
    }
    program.kernels.len()
}

#[test]
fn kernels_give_what_the_program_gives() {
    let (n, first) = common::programs_and_seed(100, 0);
    let (mut fused, mut several) = (0, 0);
    for seed in first..first + n {
        let (text, args) = program(seed, "i32");
        if std::env::var_os("RADDLE_SHOW").is_some() {
            println!("// seed {seed}\n{text}");
        }
        let computing = text.matches("linalg.generic").count();
        let kernels = check(&text, &args);
        fused += usize::from(kernels < computing);
        several += usize::from(kernels > 1);
    }
    println!("{n} programs: operations of {fused} share a kernel, {several} are several kernels");
    assert!(fused as u64 * 4 > n && several as u64 * 16 > n, "the programs are not what this test is for");
}

/// Where a kernel that was taken to compile is refused, the function is divided as if all had been tried: nobody reduces
/// rows and columns of unknown length together. What is divided of alike layers is compiled once.
#[test]
fn refused_kernels_are_divided_again() {
    let sums = |layer: usize| {
        let (row, column) = (format!("%row{layer}"), format!("%column{layer}"));
        format!(
            "  {row} = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = [\"parallel\", \"reduction\"]}} ins(%a{layer} : tensor<?x?xi32>) outs(%rows : tensor<?xi32>) {{
  ^bb0(%x: i32, %o: i32):
    %s = arith.addi %x, %o : i32
    linalg.yield %s : i32
  }} -> tensor<?xi32>
  %less{layer} = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]}} ins(%a{layer}, {row} : tensor<?x?xi32>, tensor<?xi32>) outs(%whole : tensor<?x?xi32>) {{
  ^bb0(%x: i32, %r: i32, %o: i32):
    %s = arith.subi %x, %r : i32
    linalg.yield %s : i32
  }} -> tensor<?x?xi32>
  {column} = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = [\"reduction\", \"parallel\"]}} ins(%less{layer} : tensor<?x?xi32>) outs(%columns : tensor<?xi32>) {{
  ^bb0(%x: i32, %o: i32):
    %s = arith.addi %x, %o : i32
    linalg.yield %s : i32
  }} -> tensor<?xi32>
  %a{} = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]}} ins(%less{layer}, {column} : tensor<?x?xi32>, tensor<?xi32>) outs(%whole : tensor<?x?xi32>) {{
  ^bb0(%x: i32, %c: i32, %o: i32):
    %s = arith.xori %x, %c : i32
    linalg.yield %s : i32
  }} -> tensor<?x?xi32>\n",
            layer + 1
        )
    };
    let of_layers = |n: usize| {
        format!(
            "func.func @f(%a0: tensor<?x?xi32>) -> tensor<?x?xi32> {{
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a0, %c0 : tensor<?x?xi32>
  %n = tensor.dim %a0, %c1 : tensor<?x?xi32>
  %e = tensor.empty(%m) : tensor<?xi32>
  %rows = linalg.fill ins(%zero : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  %f = tensor.empty(%n) : tensor<?xi32>
  %columns = linalg.fill ins(%zero : i32) outs(%f : tensor<?xi32>) -> tensor<?xi32>
  %whole = tensor.empty(%m, %n) : tensor<?x?xi32>\n{}  return %a{n} : tensor<?x?xi32>\n}}",
            (0..n).map(sums).collect::<String>()
        )
    };
    let facts = Facts::new(chip("sm_80").unwrap());
    let kernels: Vec<usize> = (1..=3)
        .map(|n| {
            let ir = raddle_ir::parse(&of_layers(n)).unwrap_or_else(|diags| panic!("{diags:#?}"));
            let func = pipeline::function(&ir, None).unwrap();
            compile(&ir, func, &facts).unwrap_or_else(|diag| panic!("{diag:#?}")).kernels.len()
        })
        .collect();
    assert!(kernels[0] > 1, "one kernel computes all");
    assert!(
        kernels[2] < 3 * kernels[0] && kernels[2] == kernels[1],
        "{kernels:?} kernels of one, two and three layers"
    );
    let refused = facts.remarks.borrow().iter().any(|remark| remark.message.contains("does not compile"));
    assert!(refused, "no kernel was refused");
}

/// Loops, branches, calls, reshapes and numbers between kernels are carried out by the host.
#[test]
fn the_host_carries_out_control_flow() {
    let text = "
func.func private @twice(%x: tensor<16x32xi32>) -> tensor<16x32xi32> {
  %e = tensor.empty() : tensor<16x32xi32>
  %y = linalg.add ins(%x, %x : tensor<16x32xi32>, tensor<16x32xi32>) outs(%e : tensor<16x32xi32>) -> tensor<16x32xi32>
  return %y : tensor<16x32xi32>
}
func.func @f(%x: tensor<16x32xi32>) -> tensor<512xi32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %e = tensor.empty() : tensor<16x32xi32>
  %r = scf.for %i = %zero to %five step %one iter_args(%a = %x) -> (tensor<16x32xi32>) : i32 {
    %y = linalg.sub ins(%a, %x : tensor<16x32xi32>, tensor<16x32xi32>) outs(%e : tensor<16x32xi32>) -> tensor<16x32xi32>
    %bit = arith.andi %i, %one : i32
    %odd = arith.cmpi eq, %bit, %one : i32
    %z = scf.if %odd -> (tensor<16x32xi32>) {
      %t = func.call @twice(%y) : (tensor<16x32xi32>) -> tensor<16x32xi32>
      scf.yield %t : tensor<16x32xi32>
    } else {
      %m = linalg.mul ins(%y, %x : tensor<16x32xi32>, tensor<16x32xi32>) outs(%e : tensor<16x32xi32>) -> tensor<16x32xi32>
      scf.yield %m : tensor<16x32xi32>
    }
    scf.yield %z : tensor<16x32xi32>
  }
  %flat = tensor.collapse_shape %r [[0, 1]] : tensor<16x32xi32> into tensor<512xi32>
  return %flat : tensor<512xi32>
}";
    let numbers: Vec<i64> = (0..512).map(|at| at * 7 % 23 - 11).collect();
    let arg = Tensor::from_i64(Scalar::Int(32), &[16, 32], &numbers);
    let ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}"));
    let func = pipeline::function(&ir, Some("f")).unwrap();
    let facts = Facts::new(chip("sm_80").unwrap());
    let mut program = Program::of(ir, func, &facts).unwrap_or_else(|diag| panic!("{diag:#?}"));
    program.advance(&facts, Stage::Lowered, |_, _| {}).unwrap_or_else(|diag| panic!("{diag:#?}"));
    let got = run(&program, &[], std::slice::from_ref(&arg)).unwrap_or_else(|diag| panic!("{diag:#?}"));
    // The same, number by number.
    let want = numbers.iter().map(|&x| {
        (0..5).fold(x as i32, |a, i| {
            let y = a.wrapping_sub(x as i32);
            if i % 2 == 1 { y.wrapping_mul(2) } else { y.wrapping_mul(x as i32) }
        })
    });
    let want: Vec<i64> = want.map(i64::from).collect();
    assert_eq!(got, [Tensor::from_i64(Scalar::Int(32), &[512], &want)]);
    // One kernel for the difference, one for the product, and the function that is called.
    assert_eq!(program.kernels.len(), 3);
}

/// Convolutions and pooling in any layout, stride, dilation and padding read their windows where the image stands: one kernel.
#[test]
fn windows_are_read_in_place() {
    for seed in 0..24u64 {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(5));
        let n_windows = 1 + rng.below(2);
        // Loops: batch or channel, the places of windows, what is summed, the places in windows.
        let (c, k) = (rng.pick(&[1, 3, 8, 20]), rng.pick(&[1, 2, 5]));
        let mut extents = vec![c];
        let (mut image, mut terms) = (Vec::new(), Vec::new());
        let mut inside = Vec::new();
        for w in 0..n_windows {
            let (out, window) = (1 + rng.below(9) as i64, 1 + rng.below(4) as i64);
            let (stride, dilation) = (1 + rng.below(3) as i64, 1 + rng.below(2) as i64);
            let extra = rng.below(3) as i64;
            extents.push(out);
            inside.push(window);
            image.push((out - 1) * stride + (window - 1) * dilation + 1 + extra);
            terms.push(format!("d{} * {stride} + d{} * {dilation}", 1 + w, 2 + n_windows + w));
        }
        extents.push(k);
        extents.extend(&inside);
        let (sum, rank) = (format!("d{}", 1 + n_windows), extents.len());
        let channels_last = rng.below(2) == 0;
        let (mut place, mut shape) = (terms, image);
        place.insert(if channels_last { place.len() } else { 0 }, sum.clone());
        shape.insert(if channels_last { shape.len() } else { 0 }, k);
        let weights = [vec![c, k], inside].concat();
        let result = extents[..1 + n_windows].to_vec();
        let loops: Vec<String> = (0..rank).map(|d| format!("d{d}")).collect();
        let of = |results: &[String]| format!("affine_map<({}) -> ({})>", loops.join(", "), results.join(", "));
        let in_window: Vec<String> = (0..n_windows).map(|w| format!("d{}", 2 + n_windows + w)).collect();
        let weight_place = [vec!["d0".to_owned(), sum], in_window].concat();
        let kinds = [vec!["\"parallel\""; 1 + n_windows], vec!["\"reduction\""; 1 + n_windows]].concat().join(", ");
        let body = rng
            .pick(&["muli %a, %b : i32\n    %s = arith.addi %p, %o", "addi %a, %b : i32\n    %s = arith.maxsi %p, %o"]);
        // What is read may be padded, by 0 or by what is less than all else.
        let low: Vec<i64> = shape.iter().map(|&n| (rng.below(3) as i64).min(n - 1)).collect();
        let high: Vec<i64> = shape.iter().zip(&low).map(|(n, low)| (rng.below(3) as i64).min(n - 1 - low)).collect();
        let source: Vec<i64> = shape.iter().zip(low.iter().zip(&high)).map(|(n, (low, high))| n - low - high).collect();
        let indices: Vec<String> = (0..shape.len()).map(|d| format!("%i{d}: index")).collect();
        let padded = format!(
            "  %pad = arith.constant {} : i32
  %x = tensor.pad %source low{low:?} high{high:?} {{
  ^bb0({}):
    tensor.yield %pad : i32
  }} : {} to {}",
            rng.pick(&[0, 0, -100]),
            indices.join(", "),
            ty(&source),
            ty(&shape),
        );
        let text = format!(
            "func.func @f(%source: {}, %w: {}, %i: {}) -> {} {{
{padded}
  %r = linalg.generic {{indexing_maps = [{}, {}, {}], iterator_types = [{kinds}]}}
      ins(%x, %w : {}, {}) outs(%i : {}) {{
  ^bb0(%a: i32, %b: i32, %o: i32):
    %p = arith.{body} : i32
    linalg.yield %s : i32
  }} -> {}
  return %r : {}
}}",
            ty(&source),
            ty(&weights),
            ty(&result),
            ty(&result),
            of(&place),
            of(&weight_place),
            of(&loops[..1 + n_windows]),
            ty(&shape),
            ty(&weights),
            ty(&result),
            ty(&result),
            ty(&result),
        );
        let mut tensor = |shape: &[i64]| {
            let values: Vec<i64> = (0..shape.iter().product::<i64>()).map(|_| rng.below(15) as i64 - 7).collect();
            Tensor::from_i64(Scalar::Int(32), shape, &values)
        };
        let args = [tensor(&source), tensor(&weights), tensor(&result)];
        assert_eq!(check(&text, &args), 1, "{text}");
    }
}

/// Slices whose place is known, one of another, with steps and dropped dimensions, are read where the whole stands.
#[test]
fn slices_are_read_in_place() {
    let text = "
func.func @f(%x: tensor<8x256xi32>, %y: tensor<4x8x256xi32>) -> tensor<8x64xi32> {
  %a = tensor.extract_slice %x[0, 0] [8, 64] [1, 1] : tensor<8x256xi32> to tensor<8x64xi32>
  %b = tensor.extract_slice %x[0, 1] [8, 80] [1, 3] : tensor<8x256xi32> to tensor<8x80xi32>
  %c = tensor.extract_slice %b[0, 5] [8, 64] [1, 1] : tensor<8x80xi32> to tensor<8x64xi32>
  %d = tensor.extract_slice %y[2, 0, 4] [1, 8, 64] [1, 1, 2] : tensor<4x8x256xi32> to tensor<8x64xi32>
  %e = tensor.empty() : tensor<8x64xi32>
  %s = linalg.add ins(%a, %c : tensor<8x64xi32>, tensor<8x64xi32>) outs(%e : tensor<8x64xi32>) -> tensor<8x64xi32>
  %r = linalg.sub ins(%s, %d : tensor<8x64xi32>, tensor<8x64xi32>) outs(%e : tensor<8x64xi32>) -> tensor<8x64xi32>
  return %r : tensor<8x64xi32>
}";
    let tensor = |shape: &[i64]| {
        let values: Vec<i64> = (0..shape.iter().product::<i64>()).map(|at| at * at % 1009).collect();
        Tensor::from_i64(Scalar::Int(32), shape, &values)
    };
    assert_eq!(check(text, &[tensor(&[8, 256]), tensor(&[4, 8, 256])]), 1);
}

/// The worked example of IREE's guide to lowering configurations: 16384 is 32 steps of 64 lanes that take 8 elements each.
#[test]
fn expand_dims_splits_a_reduction() {
    let text = "
#config = #iree_gpu.lowering_config<{
  expand_dims = #iree_gpu.expand_dims<[[0], [1], [2, 3]], output_shape = [?, ?, ?, 8]>,
  lane_basis = [[1, 1, 64, 1], [0, 1, 2, 3]],
  partial_reduction = [0, 0, 64, 0],
  subgroup_basis = [[1, 1, 1, 1], [0, 1, 2, 3]],
  thread = [0, 0, 1, 8],
  workgroup = [4, 1, 0, 0]}>
#translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>
func.func @guide(%a: tensor<4x16384xi32>, %b: tensor<13x16384xi32>, %c: tensor<4x13xi32>) -> tensor<4x13xi32> attributes {translation_info = #translation} {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = [\"parallel\", \"parallel\", \"reduction\"], lowering_config = #config}
      ins(%a, %b : tensor<4x16384xi32>, tensor<13x16384xi32>) outs(%c : tensor<4x13xi32>) {
  ^bb0(%x: i32, %y: i32, %s: i32):
    %k = linalg.index 2 : index
    %ki = arith.index_cast %k : index to i32
    %p = arith.muli %x, %y : i32
    %q = arith.xori %p, %ki : i32
    %t = arith.addi %s, %q : i32
    linalg.yield %t : i32
  } -> tensor<4x13xi32>
  return %r : tensor<4x13xi32>
}";
    let tensor = |shape: &[i64]| {
        let values: Vec<i64> = (0..shape.iter().product::<i64>()).map(|at| at * 7 % 1009 - 500).collect();
        Tensor::from_i64(Scalar::Int(32), shape, &values)
    };
    let facts = Facts::new(chip("gfx942").unwrap());
    assert_eq!(check_with(text, &[tensor(&[4, 16384]), tensor(&[13, 16384]), tensor(&[4, 13])], &facts), 1);
    let said: Vec<String> = facts.remarks.into_inner().into_iter().map(|remark| remark.message).collect();
    for part in [
        "loop 2 of 16384 becomes loops 2 and 3 of 2048 and 8",
        "32 steps of 64 x 8 = 512 elements",
        "64 lanes",
        "1 x 8 elements",
    ] {
        assert!(said.iter().any(|said| said.contains(part)), "{part}: {said:?}");
    }
    let odd = text.replace("output_shape = [?, ?, ?, 8]", "output_shape = [?, ?, ?, 7]");
    let refused = raddle::compile(
        &odd,
        &raddle::Options { target: "gfx942".into(), emit: raddle::Emit::Ir, ..Default::default() },
    );
    assert_eq!(refused.unwrap_err().diags[0].code.number(), "E0301");
}
