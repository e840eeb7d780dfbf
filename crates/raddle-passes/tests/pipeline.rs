//! Every stage of the pipeline means the same: programs of many shapes, run at each stage on the emulator, against the
//! tensor program in wide precision.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Launch, Mode, Options, Precision, Tensor};
use raddle_ir::{Code, Float, Ir, Scalar};
use raddle_passes::{Facts, PASSES};
use raddle_target::{Stage, chip};

/// Deterministic numbers in [-1, 1) with few bits, so that sums of products stay exact in f32.
fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..n)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as i32 as f64 / 2f64.powi(31)
        })
        .map(|x| (x * 8.0).round() / 8.0)
        .collect()
}

fn tensor(elem: Scalar, shape: &[i64], seed: u64) -> Tensor {
    Tensor::from_f64(elem, shape, &numbers(shape.iter().product::<i64>() as usize, seed))
}

fn parse(text: &str) -> Ir {
    raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"))
}

/// Runs the program at every stage and compares the only result with the reference, exactly.
fn check(text: &str, target: &str, inputs: &[Tensor]) {
    let facts = Facts::new(chip(target).unwrap());
    let mut ir = parse(text);
    let func = ir.funcs()[0];
    let name = ir.symbol_name(func).unwrap().to_owned();
    let launch = Launch { grid: [1; 3], workgroup_size: [1, 1, 1], subgroup_size: 1, mode: Mode::Simd };
    let wide = Options { precision: Precision::Wide, ..Options::default() };
    let reference =
        raddle_emu::run(&ir, func, inputs, &launch, &wide).unwrap_or_else(|diag| panic!("{diag:?}\n{text}"));
    let want = reference.results[0].to_f64();
    let (shape, elem) = {
        let (_, results) = ir.signature(func);
        (ir[results[0]].shape().unwrap().to_vec(), Scalar::of(&ir[ir[results[0]].elem().unwrap()]).unwrap())
    };
    for pass in PASSES.iter().filter(|pass| pass.stage.is_some()) {
        pass.run(&mut ir, func, &facts).unwrap_or_else(|diag| panic!("{}: {diag:?}\n{text}", pass.name));
        let problems = raddle_ir::verify(&ir);
        assert!(
            problems.is_empty(),
            "after {}: {problems:#?}\n{}",
            pass.name,
            raddle_ir::print(&ir, &Default::default())
        );
        let printed = raddle_ir::print(&ir, &Default::default());
        // The text of every stage reads back as the same program.
        let again = parse(&printed);
        assert_eq!(raddle_ir::print(&again, &Default::default()), printed, "after {}", pass.name);

        // The emulator knows tensors of known extents only, and the last tile of an uneven loop is shorter than the others.
        if printed.contains("tensor<?") || printed.contains("x?x") {
            assert_eq!(pass.name, "tile");
            continue;
        }
        let launch = Launch::of(&ir, func).unwrap();
        let (kernel_args, _) = ir.signature(func);
        let is_kernel = kernel_args.len() > inputs.len();
        let mut args = inputs.to_vec();
        let mut options = Options::default();
        if is_kernel {
            options.uninitialised_args = vec![args.len()];
            args.push(Tensor::from_f64(elem, &shape, &vec![0.0; want.len()]));
        }
        let outcome = raddle_emu::run(&ir, func, &args, &launch, &options)
            .unwrap_or_else(|diag| panic!("@{name} after {}: {diag:?}\n{printed}", pass.name));
        let got = if is_kernel { outcome.buffers.last().unwrap() } else { &outcome.results[0] };
        for (i, (got, want)) in got.to_f64().iter().zip(&want).enumerate() {
            assert!(
                got == want,
                "@{name} on {target} after {}: element {i} is {got}, not {want}\n{printed}",
                pass.name
            );
        }
    }
}

const F16: Scalar = Scalar::Float(Float::F16);
const F32: Scalar = Scalar::Float(Float::F32);

fn matmul(m: i64, n: i64, k: i64, from: &str) -> String {
    format!(
        "func.func @matmul(%a: tensor<{m}x{k}x{from}>, %b: tensor<{k}x{n}x{from}>) -> tensor<{m}x{n}xf32> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{m}x{n}xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %r = linalg.matmul ins(%a, %b : tensor<{m}x{k}x{from}>, tensor<{k}x{n}x{from}>) outs(%i : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %r : tensor<{m}x{n}xf32>
}}"
    )
}

/// One and several workgroups, subgroups and k steps, square and not, multiples of the tile that are not powers of two.
#[test]
fn matmul_on_matrix_instructions() {
    for target in ["sm_80", "gfx942"] {
        for [m, n, k] in
            [[16, 16, 16], [32, 16, 48], [64, 64, 64], [48, 80, 112], [128, 64, 32], [96, 144, 16], [16, 256, 64]]
        {
            check(&matmul(m, n, k, "f16"), target, &[tensor(F16, &[m, k], 1), tensor(F16, &[k, n], 2)]);
        }
    }
}

/// Extents that nothing divides: the instructions stay, and edges are masked.
#[test]
fn matmul_of_any_size_on_matrix_instructions() {
    for target in ["sm_80", "gfx942"] {
        for [m, n, k] in
            [[127, 65, 33], [17, 19, 23], [100, 64, 7], [64, 100, 40], [5, 7, 130], [0, 16, 16], [16, 16, 0]]
        {
            check(&matmul(m, n, k, "f16"), target, &[tensor(F16, &[m, k], 1), tensor(F16, &[k, n], 2)]);
        }
    }
}

/// Instructions that take one element of a lane as a scalar.
#[test]
fn matmul_of_scalars_on_matrix_instructions() {
    for target in ["gfx908", "gfx90a", "gfx942", "gfx950"] {
        check(&matmul(16, 20, 9, "f32"), target, &[tensor(F32, &[16, 9], 1), tensor(F32, &[9, 20], 2)]);
    }
}

/// Each factor is extended by itself where their types differ.
#[test]
fn matmul_of_mixed_types() {
    let bf16 = Scalar::Float(Float::BF16);
    let text = matmul(24, 8, 17, "f16").replace("17x8xf16", "17x8xbf16");
    check(&text, "sm_80", &[tensor(F16, &[24, 17], 1), tensor(bf16, &[17, 8], 2)]);
}

/// A parallel loop of one iteration need not be a dimension of the result.
#[test]
fn results_may_lack_loops_of_one_iteration() {
    let text = "func.func @f(%a: tensor<1x10xf32>) -> tensor<10xf32> {
  %e = tensor.empty() : tensor<10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = [\"parallel\", \"parallel\"]} ins(%a : tensor<1x10xf32>) outs(%e : tensor<10xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  return %r : tensor<10xf32>
}";
    check(text, "sm_80", &[tensor(F32, &[1, 10], 1)]);
}

/// Each batch is a product on matrix instructions.
#[test]
fn batches_on_matrix_instructions() {
    for [b, m, n, k] in [[2, 32, 16, 48], [3, 17, 19, 23], [0, 16, 16, 16], [1, 5, 40, 31]] {
        let text = matmul(m, n, k, "f16")
            .replace("linalg.matmul", "linalg.batch_matmul")
            .replace("tensor<", &format!("tensor<{b}x"));
        check(&text, "sm_80", &[tensor(F16, &[b, m, k], 1), tensor(F16, &[b, k, n], 2)]);
    }
}

/// Types and extents that no matrix instruction has.
#[test]
fn matmul_without_matrix_instructions() {
    for [m, n, k] in [[16, 16, 16], [8, 24, 40], [5, 7, 3], [64, 32, 17], [1, 1, 1]] {
        check(&matmul(m, n, k, "f32"), "sm_80", &[tensor(F32, &[m, k], 3), tensor(F32, &[k, n], 4)]);
    }
    check(&matmul(20, 12, 36, "f16"), "sm_80", &[tensor(F16, &[20, 36], 3), tensor(F16, &[36, 12], 4)]);
}

/// The right operand lies transposed: its fragments are read across.
#[test]
fn matmul_with_a_transposed_operand() {
    let text = "func.func @matmul_t(%a: tensor<64x48xf16>, %b: tensor<32x48xf16>, %c: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}
      ins(%a, %b : tensor<64x48xf16>, tensor<32x48xf16>) outs(%c : tensor<64x32xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %xe = arith.extf %x : f16 to f32
    %ye = arith.extf %y : f16 to f32
    %p = arith.mulf %xe, %ye : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}";
    for target in ["sm_80", "gfx942"] {
        check(text, target, &[tensor(F16, &[64, 48], 5), tensor(F16, &[32, 48], 6), tensor(F32, &[64, 32], 7)]);
    }
}

fn reduce(rows: i64, columns: i64, combine: &str, start: &str, along: &str) -> String {
    let (maps, out) = match along {
        "rows" => ("affine_map<(i, j) -> (i)>", rows),
        _ => ("affine_map<(i, j) -> (j)>", columns),
    };
    let iterators = if along == "rows" { "[\"parallel\", \"reduction\"]" } else { "[\"reduction\", \"parallel\"]" };
    format!(
        "func.func @reduce(%x: tensor<{rows}x{columns}xf32>) -> tensor<{out}xf32> {{
  %z = arith.constant {start} : f32
  %e = tensor.empty() : tensor<{out}xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<{out}xf32>) -> tensor<{out}xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, {maps}], iterator_types = {iterators}}}
      ins(%x : tensor<{rows}x{columns}xf32>) outs(%i : tensor<{out}xf32>) {{
  ^bb0(%a: f32, %o: f32):
    %s = {combine} %a, %o : f32
    linalg.yield %s : f32
  }} -> tensor<{out}xf32>
  return %r : tensor<{out}xf32>
}}"
    )
}

/// Rows shorter than a subgroup, rows that take one step, several steps, several subgroups, odd rows.
#[test]
fn reductions() {
    for target in ["sm_80", "gfx942"] {
        for [rows, columns] in [[4, 16], [3, 7], [8, 128], [2, 1024], [5, 4096], [1, 1], [64, 48], [6, 3000]] {
            let x = tensor(F32, &[rows, columns], 8);
            check(&reduce(rows, columns, "arith.addf", "0.0", "rows"), target, std::slice::from_ref(&x));
            check(&reduce(rows, columns, "arith.maximumf", "-3.0", "rows"), target, std::slice::from_ref(&x));
            check(&reduce(rows, columns, "arith.addf", "1.0", "columns"), target, &[x]);
        }
    }
}

/// A sum over everything has no workgroup loop.
#[test]
fn full_reduction_of_squares() {
    let text = "func.func @squares(%x: tensor<24x64xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = [\"reduction\", \"reduction\"]}
      ins(%x : tensor<24x64xf32>) outs(%i : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}";
    check(text, "sm_80", &[tensor(F32, &[24, 64], 9)]);
}

/// Elementwise, with a row vector, a column vector and a transposed operand.
#[test]
fn elementwise() {
    let text = "func.func @mix(%x: tensor<40x96xf32>, %r: tensor<96xf32>, %c: tensor<40xf32>, %t: tensor<96x40xf32>) -> tensor<40x96xf32> {
  %e = tensor.empty() : tensor<40x96xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = [\"parallel\", \"parallel\"]}
      ins(%x, %r, %c, %t : tensor<40x96xf32>, tensor<96xf32>, tensor<40xf32>, tensor<96x40xf32>) outs(%e : tensor<40x96xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32, %f: f32, %o: f32):
    %half = arith.constant 0.5 : f32
    %1 = arith.mulf %a, %half : f32
    %2 = arith.addf %1, %b : f32
    %3 = arith.subf %2, %d : f32
    %4 = arith.addf %3, %f : f32
    linalg.yield %4 : f32
  } -> tensor<40x96xf32>
  return %y : tensor<40x96xf32>
}";
    let inputs =
        [tensor(F32, &[40, 96], 10), tensor(F32, &[96], 11), tensor(F32, &[40], 12), tensor(F32, &[96, 40], 13)];
    for target in ["sm_80", "gfx942"] {
        check(text, target, &inputs);
    }
}

/// Operations that say their loops by name.
#[test]
fn named_operations() {
    let matrix = (F32, &[40, 96][..], "40x96xf32");
    let (column, row) = ((F32, &[40][..], "40xf32"), (F32, &[96][..], "96xf32"));
    let batches = [(F16, &[2, 32, 64][..], "2x32x64xf16"), (F16, &[2, 64, 48], "2x64x48xf16")];
    for (op, result, operands) in [
        ("linalg.sub ins(%0, %1 : !t0, !t1) outs(%e : !r) -> !r", "40x96xf32", &[matrix, matrix][..]),
        ("linalg.square ins(%0 : !t0) outs(%e : !r) -> !r", "40x96xf32", &[matrix]),
        ("linalg.transpose ins(%0 : !t0) outs(%e : !r) permutation = [1, 0]", "96x40xf32", &[matrix]),
        ("linalg.broadcast ins(%0 : !t0) outs(%e : !r) dimensions = [1]", "40x96xf32", &[column]),
        ("linalg.reduce { arith.addf } ins(%0 : !t0) outs(%i : !r) dimensions = [1]", "40xf32", &[matrix]),
        ("linalg.matvec ins(%0, %1 : !t0, !t1) outs(%i : !r) -> !r", "40xf32", &[matrix, row]),
        ("linalg.batch_matmul ins(%0, %1 : !t0, !t1) outs(%i : !r) -> !r", "2x32x48xf32", &batches),
    ] {
        let types = operands.iter().enumerate().map(|(i, operand)| format!("!t{i} = tensor<{}>\n", operand.2));
        let args: Vec<String> = (0..operands.len()).map(|i| format!("%{i}: !t{i}")).collect();
        let text = format!(
            "{}!r = tensor<{result}>
             func.func @named({}) -> !r {{
               %z = arith.constant 0.0 : f32
               %e = tensor.empty() : !r
               %i = linalg.fill ins(%z : f32) outs(%e : !r) -> !r
               %r = {op}
               return %r : !r
             }}",
            types.collect::<String>(),
            args.join(", "),
        );
        let inputs: Vec<Tensor> =
            (14..).zip(operands).map(|(seed, operand)| tensor(operand.0, operand.1, seed)).collect();
        for target in ["sm_80", "gfx942"] {
            check(&text, target, &inputs);
        }
    }
}

/// Beside an anchor, what it does not reach gets layouts of the compiler's choice, matrix instructions where they fit; a
/// lowering configuration on the contraction is an anchor; without either, the first vector is named in an error.
#[test]
fn what_no_anchor_reaches() {
    let lone = "%lone = arith.constant dense<2.0> : vector<4xf32>
  %held = iree_vector_ext.to_layout %lone to layout(#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], \
        outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>) : vector<4xf32>
  vector.transfer_write %held, %d[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>";
    let mma =
        "lowering_config = #iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<NV_MMA_SYNC_F32_16x8x16_F16>}>, ";
    let lanes = "lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[2, 2, 1], [0, 1, 2]], \
        lane_basis = [[2, 5, 1], [0, 1, 2]], thread = [3, 0, 0]}>, ";
    for (m, n, k, elem, instruction, lone, config) in [
        (64, 64, 32, "f16", true, lone, ""),
        (32, 16, 16, "f16", true, lone, ""),
        (12, 20, 7, "f32", false, lone, ""),
        (32, 16, 16, "f16", true, "", mma),
        (12, 20, 7, "f32", false, "", lanes),
        (12, 20, 7, "f32", false, "", ""),
    ] {
        let text = format!(
            "func.func @kernel(%a: memref<{m}x{k}x{elem}>, %b: memref<{k}x{n}x{elem}>, %c: memref<{m}x{n}xf32>, %d: memref<4xf32>) attributes {{
    translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>}} {{
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : {elem}
  %acc = arith.constant dense<1.0> : vector<{m}x{n}xf32>
  %x = vector.transfer_read %a[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<{m}x{k}x{elem}>, vector<{m}x{k}x{elem}>
  %y = vector.transfer_read %b[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<{k}x{n}x{elem}>, vector<{k}x{n}x{elem}>
  {lone}
  %e = vector.contract {{{config}indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<add>}} %x, %y, %acc
      : vector<{m}x{k}x{elem}>, vector<{k}x{n}x{elem}> into vector<{m}x{n}xf32>
  vector.transfer_write %e, %c[%c0, %c0] {{in_bounds = [true, true]}} : vector<{m}x{n}xf32>, memref<{m}x{n}xf32>
  return
}}"
        );
        let mut ir = parse(&text);
        let func = ir.funcs()[0];
        if lone.is_empty() && config.is_empty() {
            let lay_out = PASSES.iter().find(|pass| pass.name == "lay-out").unwrap();
            let diag = lay_out.run(&mut ir, func, &Facts::new(chip("sm_80").unwrap())).unwrap_err();
            assert_eq!(diag.code, Code::NoLayout);
            assert!(diag.message.contains("`arith.constant`"), "{diag:?}");
            let line = text[..diag.span.unwrap().start as usize].lines().count();
            assert!(text.lines().nth(line - 1).unwrap().contains("%acc ="), "{diag:?}");
            assert!(diag.help.unwrap().contains("to_layout"));
            continue;
        }
        let elem = if elem == "f16" { F16 } else { F32 };
        let args = [
            tensor(elem, &[m, k], 14),
            tensor(elem, &[k, n], 15),
            Tensor::zeros(F32, &[m, n]),
            Tensor::zeros(F32, &[4]),
        ];
        let run = |ir: &Ir| {
            let launch = Launch::of(ir, func).unwrap();
            raddle_emu::run(ir, func, &args, &launch, &Options::default()).unwrap().buffers
        };
        let want = run(&ir);
        let facts = Facts::new(chip("sm_80").unwrap());
        for pass in PASSES.iter().filter(|pass| pass.stage > Some(Stage::Vector)) {
            pass.run(&mut ir, func, &facts).unwrap_or_else(|diag| panic!("{}: {diag:?}\n{text}", pass.name));
            let found = run(&ir);
            assert_eq!(found[2].bytes, want[2].bytes, "after {}\n{text}", pass.name);
            assert_eq!(found[3].bytes, want[3].bytes, "after {}\n{text}", pass.name);
        }
        let printed = raddle_ir::print(&ir, &Default::default());
        assert_eq!(printed.contains("nvgpu.mma.sync"), instruction, "{printed}");
    }
}

/// Configurations that the program brings along: other tiles, subgroups, steps and promotions, all with one result.
#[test]
fn matmul_with_given_configurations() {
    let configurations = [
        "workgroup = [64, 64, 0], reduction = [0, 0, 16], subgroup_basis = [[1, 4, 1], [0, 1, 2]]",
        "workgroup = [32, 128, 0], reduction = [0, 0, 64], subgroup_basis = [[2, 1, 1], [0, 1, 2]], promote_operands = [1]",
        "workgroup = [128, 32, 0], reduction = [0, 0, 32], subgroup_basis = [[4, 2, 1], [0, 1, 2]], promote_operands = [0, 1]",
        "workgroup = [16, 16, 0], reduction = [0, 0, 0], subgroup_basis = [[1, 1, 1], [0, 1, 2]]",
    ];
    for (target, mma) in [("sm_80", "NV_MMA_SYNC_F32_16x8x16_F16"), ("gfx942", "MFMA_F32_16x16x16_F16")] {
        for configuration in configurations {
            let attribute = format!(
                "linalg.matmul {{lowering_config = #iree_gpu.lowering_config<{{{configuration}, mma_kind = #iree_gpu.mma_layout<{mma}>}}>}}"
            );
            let text = matmul(128, 128, 64, "f16").replace("linalg.matmul", &attribute);
            check(&text, target, &[tensor(F16, &[128, 64], 16), tensor(F16, &[64, 128], 17)]);
        }
    }
    // Without a matrix instruction, lanes and elements are the configuration's.
    let configuration = "workgroup = [8, 64, 0], reduction = [0, 0, 4], subgroup_basis = [[2, 1, 1], [0, 1, 2]], \
                         lane_basis = [[4, 8, 1], [0, 1, 2]], thread = [1, 4, 2]";
    let attribute = format!("linalg.matmul {{lowering_config = #iree_gpu.lowering_config<{{{configuration}}}>}}");
    let text = matmul(16, 64, 12, "f32").replace("linalg.matmul", &attribute);
    check(&text, "sm_80", &[tensor(F32, &[16, 12], 18), tensor(F32, &[12, 64], 19)]);
}

/// The pipelines of tensor cores, with a workgroup in two dimensions and tiles in one list: types, depths and tiles that
/// do not divide the extents.
#[test]
fn tensor_core_pipelines_mean_the_same_at_every_stage() {
    let cases = [
        ("LLVMGPUMatmulTensorCore", "f16", "f16", [64, 64, 64], [64, 2], [32, 32, 16], 3),
        ("LLVMGPUMatmulTensorCoreMmaSync", "f16", "f16", [64, 64, 64], [64, 2], [32, 32, 16], 3),
        ("LLVMGPUMatmulTensorCoreMmaSync", "bf16", "f32", [32, 48, 96], [96, 1], [16, 24, 32], 2),
        ("LLVMGPUMatmulTensorCore", "f32", "f32", [48, 32, 32], [32, 1], [16, 16, 8], 1),
        ("LLVMGPUMatmulTensorCore", "f16", "f32", [50, 40, 24], [64, 2], [32, 32, 16], 4),
    ];
    for (pipeline, from, to, [m, n, k], [x, y], [tile_m, tile_n, tile_k], depth) in cases {
        let text = format!(
            "#info = #iree_codegen.compilation_info<
  lowering_config = #iree_codegen.lowering_config<tile_sizes = [[{tile_m}, {tile_n}, {tile_k}]]>,
  translation_info = #iree_codegen.translation_info<pipeline = {pipeline} workgroup_size = [{x}, {y}, 1],
    {{pipeline_depth = {depth} : i64, store_stage = 1 : i64}}>>
func.func @f(%a: tensor<{m}x{k}x{from}>, %b: tensor<{k}x{n}x{from}>, %c: tensor<{m}x{n}x{to}>) -> tensor<{m}x{n}x{to}> {{
  %r = linalg.matmul {{compilation_info = #info}} ins(%a, %b : tensor<{m}x{k}x{from}>, tensor<{k}x{n}x{from}>)
    outs(%c : tensor<{m}x{n}x{to}>) -> tensor<{m}x{n}x{to}>
  return %r : tensor<{m}x{n}x{to}>
}}"
        );
        let scalar = |name: &str| match name {
            "f16" => Scalar::Float(Float::F16),
            "bf16" => Scalar::Float(Float::BF16),
            _ => Scalar::Float(Float::F32),
        };
        // Whole numbers up to 2: sums of 96 products are exact in f16.
        let small = |elem: &str, shape: [i64; 2], seed: u64| {
            let values = numbers((shape[0] * shape[1]) as usize, seed);
            let values: Vec<f64> = values.iter().map(|x| (x * 2.0).round()).collect();
            Tensor::from_f64(scalar(elem), &shape, &values)
        };
        check(&text, "sm_80", &[small(from, [m, k], 1), small(from, [k, n], 2), small(to, [m, n], 3)]);
        let (facts, stages) = stages(&text, "sm_80");
        // As many slots as there are iterations are enough; copies by a number of threads that is not a power of two stay.
        let slots = depth.min((k + tile_k - 1) / tile_k);
        let ring = format!("memref<{slots}x{tile_m}x{tile_k}x{from}, #gpu.address_space<workgroup>>");
        let rings = slots > 1 && ((x * y) as u64).is_power_of_two();
        assert_eq!(stages["overlap"].contains(&ring), rings, "{ring}\n{}", stages["overlap"]);
        let lost = facts.remarks.borrow().iter().any(|diag| diag.message.contains("`pipeline_depth` has no effect"));
        assert_eq!(lost, slots > 1 && !rings);
        let threads = format!("workgroup_size = [{x}, {y}, 1] subgroup_size = 32");
        assert!(stages["lower"].contains(&threads), "{}", stages["lower"]);
        assert_eq!(stages["lower"].contains("gpu.thread_id y"), y > 1, "{}", stages["lower"]);
    }
}

/// What each pass of the pipeline leaves behind, by its name.
fn stages(text: &str, target: &str) -> (Facts, std::collections::BTreeMap<&'static str, String>) {
    let facts = Facts::new(chip(target).unwrap());
    let mut ir = parse(text);
    let func = ir.funcs()[0];
    let mut printed = std::collections::BTreeMap::new();
    for pass in PASSES.iter().filter(|pass| pass.stage.is_some()) {
        pass.run(&mut ir, func, &facts).unwrap_or_else(|diag| panic!("{}: {diag:?}\n{text}", pass.name));
        printed.insert(pass.name, raddle_ir::print(&ir, &Default::default()));
    }
    (facts, printed)
}

/// Threads are counted along x first, then y, then z, whatever the strategy.
#[test]
fn workgroups_of_several_dimensions_mean_the_same_at_every_stage() {
    let elementwise = "linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, \
                       affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", \"parallel\"]} ins(%a, %b : \
                       tensor<24x40xf32>, tensor<40x24xf32>) outs(%e : tensor<24x40xf32>) {\n  ^bb0(%x: f32, %y: f32, \
                       %z: f32):\n    %s = arith.subf %x, %y : f32\n    linalg.yield %s : f32\n  } -> \
                       tensor<24x40xf32>";
    let sizes = [[32, 2, 1], [16, 4, 2], [8, 4, 1], [2, 3, 32], [64, 1, 1]];
    let inputs = [tensor(Scalar::Float(Float::F32), &[24, 40], 1), tensor(Scalar::Float(Float::F32), &[40, 24], 2)];
    for pipeline in ["LLVMGPUVectorDistribute", "LLVMGPUDistribute"] {
        for [x, y, z] in sizes {
            let text = format!(
                "func.func @f(%a: tensor<24x40xf32>, %b: tensor<40x24xf32>) -> tensor<24x40xf32> attributes \
                 {{translation_info = #iree_codegen.translation_info<pipeline = {pipeline} workgroup_size = \
                 [{x}, {y}, {z}] subgroup_size = 32>}} {{\n  %e = tensor.empty() : tensor<24x40xf32>\n  %r = \
                 {elementwise}\n  return %r : tensor<24x40xf32>\n}}"
            );
            check(&text, "sm_80", &inputs);
            let (_, stages) = stages(&text, "sm_80");
            assert!(stages["lower"].contains(&format!("workgroup_size = [{x}, {y}, {z}]")), "{}", stages["lower"]);
        }
    }
}
