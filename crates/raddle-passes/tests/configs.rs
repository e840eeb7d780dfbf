//! Configurations: what the check lets pass compiles and runs right, and what it refuses is said before any work.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first surprise, and a long one says what it finds"
)]

use std::fmt::Write;

use raddle_emu::{Launch, Mode, Options, Precision, Tensor};
use raddle_ir::{Code, Diag, Float, Scalar};
use raddle_passes::{Facts, KEYS, OPTIONS, PASSES, RULES};
use raddle_target::chip;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % n as u64) as usize
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A program of one operation, and the types of its arguments.
struct Program {
    text: String,
    args: Vec<(Scalar, Vec<i64>)>,
}

fn scalar(name: &str) -> Scalar {
    match name {
        "f16" => Scalar::Float(Float::F16),
        "bf16" => Scalar::Float(Float::BF16),
        "f32" => Scalar::Float(Float::F32),
        "i64" => Scalar::Int(64),
        "i8" => Scalar::Int(8),
        _ => Scalar::Int(32),
    }
}

fn tensor(shape: &[i64], elem: &str) -> String {
    let extents: String = shape.iter().map(|extent| format!("{extent}x")).collect();
    format!("tensor<{extents}{elem}>")
}

/// `linalg.generic` over loops of these extents: each operand has the dimensions that its list names; the last one is the
/// output, which the body finds as `%o`.
fn generic(extents: &[i64], reduces: &[bool], operands: &[(&[usize], &str)], body: &str, config: &str) -> Program {
    let loops: Vec<String> = (0..extents.len()).map(|d| format!("d{d}")).collect();
    let shape = |dims: &[usize]| dims.iter().map(|&d| extents[d]).collect::<Vec<i64>>();
    let args: Vec<(Scalar, Vec<i64>)> = operands.iter().map(|(dims, elem)| (scalar(elem), shape(dims))).collect();
    let types: Vec<String> = operands.iter().map(|(dims, elem)| tensor(&shape(dims), elem)).collect();
    let map = |(dims, _): &(&[usize], &str)| {
        let results: Vec<&str> = dims.iter().map(|&d| &loops[d][..]).collect();
        format!("affine_map<({}) -> ({})>", loops.join(", "), results.join(", "))
    };
    let maps: Vec<String> = operands.iter().map(map).collect();
    let iterators: Vec<&str> =
        reduces.iter().map(|&reduces| if reduces { "\"reduction\"" } else { "\"parallel\"" }).collect();
    let n = operands.len();
    let names: Vec<String> = (0..n).map(|i| format!("%a{i}")).collect();
    let mut text = String::from("func.func @f(");
    for (i, ty) in types.iter().enumerate() {
        let _ = write!(text, "{}{}: {ty}", if i == 0 { "" } else { ", " }, names[i]);
    }
    let body_args: Vec<String> = (0..n)
        .map(|i| format!("{}: {}", if i + 1 == n { "%o".into() } else { format!("%x{i}") }, operands[i].1))
        .collect();
    let out = &types[n - 1];
    let _ = write!(
        text,
        ") -> {out} {{
  %r = linalg.generic {{{config}indexing_maps = [{}], iterator_types = [{}]}} ins({} : {}) outs({} : {out}) {{
  ^bb0({}):
{body}
    linalg.yield %s : {}
  }} -> {out}
  return %r : {out}
}}",
        maps.join(", "),
        iterators.join(", "),
        names[..n - 1].join(", "),
        types[..n - 1].join(", "),
        names[n - 1],
        body_args.join(", "),
        operands[n - 1].1,
    );
    Program { text, args }
}

fn product(from: &str, to: &str) -> String {
    if from == "i8" {
        return "    %l = arith.extsi %x0 : i8 to i32\n    %m = arith.extsi %x1 : i8 to i32\n    \
                %p = arith.muli %l, %m : i32\n    %s = arith.addi %o, %p : i32"
            .to_owned();
    }
    if from == to {
        return format!("    %p = arith.mulf %x0, %x1 : {to}\n    %s = arith.addf %o, %p : {to}");
    }
    format!(
        "    %l = arith.extf %x0 : {from} to {to}\n    %m = arith.extf %x1 : {from} to {to}\n    \
         %p = arith.mulf %l, %m : {to}\n    %s = arith.addf %o, %p : {to}"
    )
}

/// Small integers and eighths: their sums and products are exact in every order.
fn data(args: &[(Scalar, Vec<i64>)], random: &mut Random) -> Vec<Tensor> {
    args.iter()
        .map(|(elem, shape)| {
            let n = shape.iter().product::<i64>() as usize;
            let scale = if matches!(elem, Scalar::Float(_)) { 8.0 } else { 1.0 };
            let values: Vec<f64> = (0..n).map(|_| (random.below(33) as f64 - 16.0) / scale).collect();
            Tensor::from_f64(*elem, shape, &values)
        })
        .collect()
}

/// Compiles and runs a program; `Ok(false)` if its configuration is refused. What passes must go on to the end, and
/// give what the tensor program gives.
fn compiles(program: &Program, target: &str, inputs: &[Tensor]) -> Result<bool, String> {
    let mut ir = raddle_ir::parse(&program.text).map_err(|diags| format!("{diags:#?}"))?;
    let func = ir.funcs()[0];
    let launch = Launch { grid: [1; 3], workgroup_size: [1, 1, 1], subgroup_size: 1, mode: Mode::Simd };
    let wide = Options { precision: Precision::Wide, ..Options::default() };
    let want = raddle_emu::run(&ir, func, inputs, &launch, &wide).map_err(|diag| format!("{diag:?}"))?;
    let want = want.results[0].to_f64();
    let facts = Facts::new(chip(target).unwrap());
    for pass in PASSES.iter().filter(|pass| pass.stage.is_some()) {
        match pass.run(&mut ir, func, &facts) {
            Err(diag) if pass.name == "configure" => {
                assert!(!diag.message.is_empty());
                return Ok(false);
            }
            done => done.map_err(|diag| format!("{}: {diag:?}", pass.name))?,
        }
        let problems = raddle_ir::verify(&ir);
        if !problems.is_empty() {
            return Err(format!("after {}: {problems:#?}", pass.name));
        }
    }
    let (elem, shape) = program.args.last().unwrap();
    let mut args = inputs.to_vec();
    args.push(Tensor::from_f64(*elem, shape, &vec![0.0; want.len()]));
    let launch = Launch::of(&ir, func).map_err(|diag| format!("{diag:?}"))?;
    let options = Options { uninitialised_args: vec![inputs.len()], ..Options::default() };
    let outcome = raddle_emu::run(&ir, func, &args, &launch, &options).map_err(|diag| format!("run: {diag:?}"))?;
    let got = outcome.buffers.last().unwrap().to_f64();
    match got.iter().zip(&want).position(|(got, want)| got != want) {
        Some(at) => Err(format!("element {at} is {}, not {}", got[at], want[at])),
        None => Ok(true),
    }
}

/// A configuration of `TileAndFuse` that may or may not make sense.
fn fused(random: &mut Random, extents: &[i64], reduces: &[bool], matrix: Option<(&str, [i64; 3])>) -> String {
    let rank = extents.len();
    let mma = matrix.filter(|_| !random.one_in(3));
    let (mut workgroup, mut steps, mut parts) = (vec![0; rank], vec![0; rank], vec![0; rank]);
    for d in 0..rank {
        let part = random.of(&[0, 1, 1, 2, 4]);
        let instruction = match mma {
            Some((_, sizes)) if rank - d <= 3 => sizes[d + 3 - rank],
            _ => 1,
        };
        let is_outer = mma.is_some() && instruction == 1;
        match (reduces[d], is_outer) {
            (true, _) => steps[d] = if is_outer { 1 } else { random.of(&[0, 1, 2, 3, 8]) },
            (false, true) => (workgroup[d], parts[d]) = (1, random.of(&[0, 1])),
            (false, false) => {
                let tile = instruction * part.max(1) * random.of(&[1, 2, 4, 8]);
                parts[d] = part;
                workgroup[d] = match random.below(8) {
                    0 => 0,
                    1 => 1 + random.below(70) as i64,
                    _ => tile,
                };
            }
        }
    }
    let (entries, threads) = match mma {
        Some((name, _)) => (format!("subgroup = {parts:?}, mma_kind = #iree_gpu.mma_layout<{name}>"), [64, 128, 256]),
        None => (format!("thread = {parts:?}"), [64, 64, 256]),
    };
    let promote = if random.one_in(2) { ", promote_operands = [0, 1]" } else { "" };
    format!(
        "compilation_info = #iree_codegen.compilation_info<lowering_config = #iree_gpu.lowering_config<{{\
         workgroup = {workgroup:?}, reduction = {steps:?}, {entries}{promote}}}>, translation_info = \
         #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [{}, 1, 1]>>, ",
        random.of(&threads)
    )
}

/// A configuration that may or may not make sense.
fn config(random: &mut Random, extents: &[i64], reduces: &[bool], matrix: Option<(&str, [i64; 3])>) -> String {
    if random.one_in(4) {
        return fused(random, extents, reduces, matrix);
    }
    let rank = extents.len();
    let mma = matrix.filter(|_| !random.one_in(3));
    let mut lanes = 32;
    let mut subgroups = 4;
    let (mut lane, mut subgroup, mut thread) = (vec![1; rank], vec![1; rank], vec![1; rank]);
    let (mut workgroup, mut steps) = (vec![0; rank], vec![0; rank]);
    for d in (0..rank).rev() {
        if mma.is_none() {
            lane[d] = random.of(&[1, 2, 4, 8, 16, 32]).min(lanes);
            lanes /= lane[d];
            thread[d] = random.of(&[0, 1, 1, 2, 4]);
        }
        subgroup[d] =
            if reduces[d] && mma.is_some() && !random.one_in(6) { 1 } else { random.of(&[1, 1, 2, 4]).min(subgroups) };
        subgroups /= subgroup[d];
        let own = match mma {
            Some((_, sizes)) if rank - d <= 3 => sizes[d + 3 - rank],
            Some(_) => 1,
            None => lane[d] * thread[d].max(1),
        };
        let unit = own * subgroup[d];
        let tile = match random.below(8) {
            0 => 0,
            1 => 1 + random.below(70) as i64,
            2 => extents[d],
            n => unit * random.of(&[1, 1, 2, 3]) * if n == 3 { 2 } else { 1 },
        };
        let outer = mma.is_some() && rank - d > 3 && !random.one_in(4);
        if reduces[d] { steps[d] = if outer { 1 } else { tile } } else { workgroup[d] = if outer { 1 } else { tile } }
    }
    let mut mapping: Vec<usize> = (0..rank).collect();
    let mut basis = |counts: &[i64], random: &mut Random| {
        if random.one_in(4) {
            let (a, b) = (random.below(rank), random.below(rank));
            mapping.swap(a, b);
        }
        let mut placed = vec![0; rank];
        for (d, &at) in mapping.iter().enumerate() {
            placed[at] = counts[d];
        }
        format!("[{placed:?}, {mapping:?}]")
    };
    // Threads of enough subgroups for either chip, in up to three dimensions.
    let (y, z) = (random.of(&[1, 2, 4, 8]), random.of(&[1, 1, 2]));
    let threads = [64 * subgroup.iter().product::<i64>() / (y * z), y, z];
    let (lane, subgroup) = (basis(&lane, random), basis(&subgroup, random));
    let mut text = format!("workgroup = {workgroup:?}, subgroup_basis = {subgroup}");
    if steps.iter().any(|&step| step != 0) {
        let name = if mma.is_none() && random.one_in(2) { "partial_reduction" } else { "reduction" };
        let _ = write!(text, ", {name} = {steps:?}");
    }
    match mma {
        Some((name, _)) => {
            let _ = write!(text, ", mma_kind = #iree_gpu.mma_layout<{name}>");
        }
        None => {
            let _ = write!(text, ", lane_basis = {lane}, thread = {thread:?}");
        }
    }
    if random.one_in(2) {
        let _ = write!(text, ", promote_operands = {}", random.of(&["[0]", "[1]", "[0, 1]"]));
    }
    let config = format!("lowering_config = #iree_gpu.lowering_config<{{{text}}}>");
    if !random.one_in(3) {
        return format!("{config}, ");
    }
    format!(
        "compilation_info = #iree_codegen.compilation_info<{config}, translation_info = \
         #iree_codegen.translation_info<pipeline = LLVMGPUVectorDistribute workgroup_size = {threads:?}>>, "
    )
}

/// A random operation, with a random configuration or none.
fn random_program(random: &mut Random, target: &str) -> Program {
    let extent = |random: &mut Random| match random.below(12) {
        0 => 0,
        1..6 => 1 + random.below(9) as i64,
        6..10 => random.of(&[16, 17, 31, 32, 33, 40]),
        _ => random.of(&[48, 64, 65, 77, 100]),
    };
    let stated = !random.one_in(3);
    let mma = |from: &str| match (target, from) {
        (_, "f32") => None,
        ("gfx942", "i8") => Some(("MFMA_I32_16x16x32_I8", [16, 16, 32])),
        ("gfx942", "bf16") => Some(("MFMA_F32_16x16x16_BF16", [16, 16, 16])),
        ("gfx942", _) => Some(("MFMA_F32_16x16x16_F16", [16, 16, 16])),
        (_, "i8") => Some(("NV_MMA_SYNC_I32_16x8x32_I8", [16, 8, 32])),
        (_, "bf16") => Some(("NV_MMA_SYNC_F32_16x8x16_BF16", [16, 8, 16])),
        _ => Some(("NV_MMA_SYNC_F32_16x8x16_F16", [16, 8, 16])),
    };
    let sum = |from: &str| if from == "i8" { "i32" } else { "f32" };
    let configured = |random: &mut Random, extents: &[i64], reduces: &[bool], mma: Option<(&str, [i64; 3])>| {
        if stated { config(random, extents, reduces, mma) } else { String::new() }
    };
    match random.below(4) {
        0 => {
            let extents = [0; 3].map(|_| extent(random));
            let from = random.of(&["f16", "f16", "f32", "bf16", "i8"]);
            let [lhs, rhs]: [&[usize]; 2] =
                [random.of(&[&[0usize, 2][..], &[0, 2], &[2, 0]]), random.of(&[&[1usize, 2][..], &[2, 1]])];
            let reduces = [false, false, true];
            let config = configured(random, &extents, &reduces, mma(from));
            let operands: [(&[usize], &str); 3] = [(lhs, from), (rhs, from), (&[0, 1], sum(from))];
            generic(&extents, &reduces, &operands, &product(from, sum(from)), &config)
        }
        1 => {
            let extents =
                [random.of(&[1, 2, 3]), extent(random).min(40), extent(random).min(40), extent(random).min(40)];
            let from = random.of(&["f16", "f32", "bf16", "i8"]);
            let reduces = [random.one_in(3), false, false, true];
            let config = configured(random, &extents, &reduces, mma(from));
            let out: &[usize] = if reduces[0] { &[1, 2] } else { &[0, 1, 2] };
            let operands: [(&[usize], &str); 3] = [(&[0, 1, 3], from), (&[0, 3, 2], from), (out, sum(from))];
            generic(&extents, &reduces, &operands, &product(from, sum(from)), &config)
        }
        2 => {
            let extents = [extent(random), extent(random), random.of(&[1, 2, 5, 16])];
            let reduces = random.of(&[[false, true, false], [true, false, false], [false, true, true], [true; 3]]);
            let config = configured(random, &extents, &reduces, None);
            let out: Vec<usize> = (0..3).filter(|&d| !reduces[d]).collect();
            let (op, elem) = random.of(&[("addf", "f32"), ("maximumf", "f32"), ("minsi", "i64"), ("addi", "i32")]);
            let operands: [(&[usize], &str); 2] = [(&[0, 1, 2], elem), (&out, elem)];
            generic(&extents, &reduces, &operands, &format!("    %s = arith.{op} %o, %x0 : {elem}"), &config)
        }
        _ => {
            let extents = [extent(random), extent(random), random.of(&[1, 2, 5])];
            let reduces = [false; 3];
            let config = configured(random, &extents, &reduces, None);
            let out = random.of(&[[0, 1, 2], [1, 0, 2], [2, 1, 0]]);
            let elem = random.of(&["f16", "f32", "i32"]);
            let body = if elem == "i32" {
                "    %s = arith.addi %x0, %x1 : i32".to_owned()
            } else {
                format!("    %s = arith.subf %x0, %x1 : {elem}")
            };
            let operands: [(&[usize], &str); 3] = [(&[0, 1, 2], elem), (&[1], elem), (&out, elem)];
            generic(&extents, &reduces, &operands, &body, &config)
        }
    }
}

/// Random operations, extents and configurations. `RADDLE_PROGRAMS` and `RADDLE_SEED` say how many and which, and
/// `RADDLE_FROM` the first case, which is printed with what it fails by.
#[test]
fn configurations_that_pass_compile_and_run_right() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (count, seed, from) = (number("RADDLE_PROGRAMS", 150), number("RADDLE_SEED", 1), number("RADDLE_FROM", 0));
    let mut passed = 0;
    let mut failed = Vec::new();
    for case in from..from + count {
        let mut random = Random((seed << 32 | case).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..4 {
            random.below(2);
        }
        let target = random.of(&["sm_80", "gfx942", "sm_90a"]);
        let program = random_program(&mut random, target);
        let inputs = data(&program.args, &mut random);
        match compiles(&program, target, &inputs) {
            Ok(true) => passed += 1,
            Ok(false) => {}
            Err(why) => {
                let why = format!("case {case} on {target}: {why}");
                println!("{}", why.lines().next().unwrap_or_default());
                failed.push(format!("{why}\n{}", program.text));
            }
        }
    }
    assert!(failed.is_empty(), "{} of {count} fail; the first:\n{}", failed.len(), failed[0]);
    // A check that refuses everything would keep its word, too.
    assert!(passed * 4 > count, "only {passed} of {count} configurations pass");
}

/// A contraction with an accumulator for each point of a step holds as many elements: more than a thread may are refused
/// before anything is made of them.
#[test]
fn accumulators_of_partial_reductions_are_counted() {
    let config = "lowering_config = #iree_gpu.lowering_config<{workgroup = [12, 47, 192, 0], subgroup_basis = \
                  [[2, 1, 2, 1], [2, 1, 0, 3]], partial_reduction = [0, 0, 0, 16], lane_basis = [[8, 1, 1, 4], \
                  [2, 1, 0, 3]], thread = [2, 1, 4, 1]}>, ";
    let operands: [(&[usize], &str); 3] = [(&[0, 1, 3], "f16"), (&[0, 3, 2], "f16"), (&[0, 1, 2], "f32")];
    let reduces = [false, false, false, true];
    let program = generic(&[3, 40, 2, 17], &reduces, &operands, &product("f16", "f32"), config);
    let inputs = data(&program.args, &mut Random(1));
    assert_eq!(compiles(&program, "gfx942", &inputs), Ok(false));
}

/// Sums of subgroups need the memory that the check counts. Promoted operands, which come first, lie with as much padding
/// as is left beside it.
#[test]
fn promoted_operands_leave_memory_to_sums() {
    let exactly = "lowering_config = #iree_gpu.lowering_config<{workgroup = [8, 0, 32, 0], subgroup_basis = [[1, 2, 1, 2], \
                   [2, 1, 0, 3]], partial_reduction = [0, 0, 0, 48], lane_basis = [[1, 1, 16, 2], [0, 1, 2, 3]], \
                   thread = [4, 1, 1, 4], promote_operands = [1]}>, ";
    let padded = "lowering_config = #iree_gpu.lowering_config<{workgroup = [12, 8, 16, 0], subgroup_basis = [[1, 4, 1, 1], \
                  [0, 3, 2, 1]], partial_reduction = [0, 0, 0, 96], lane_basis = [[2, 2, 2, 4], [0, 1, 2, 3]], \
                  thread = [2, 4, 4, 2], promote_operands = [0, 1]}>, ";
    for (extents, from, to, config) in [([1, 7, 40, 6], "f32", "f32", exactly), ([1, 9, 4, 40], "i8", "i32", padded)] {
        let operands: [(&[usize], &str); 3] = [(&[0, 1, 3], from), (&[0, 3, 2], from), (&[0, 1, 2], to)];
        let program = generic(&extents, &[false, false, false, true], &operands, &product(from, to), config);
        let inputs = data(&program.args, &mut Random(1));
        assert_eq!(compiles(&program, "gfx942", &inputs), Ok(true), "{config}");
    }
}

/// What a product with these attributes is told.
fn refusal(op: &str, target: &str) -> Diag {
    configured(op, target).err().unwrap_or_else(|| panic!("{op}"))
}

fn configured(op: &str, target: &str) -> Result<(), Diag> {
    let text = format!(
        "func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {{
  %r = linalg.matmul {{{op}}} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}}"
    );
    let mut ir = raddle_ir::parse(&text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
    let func = ir.funcs()[0];
    let facts = Facts::new(chip(target).unwrap());
    let mut passes = PASSES.iter().filter(|pass| matches!(pass.name, "configure" | "tile"));
    passes.try_for_each(|pass| pass.run(&mut ir, func, &facts))
}

/// The least integer is not what a maximum of 64 bits begins with when numbers go through 53 bits.
#[test]
fn extremes_of_64_bits_have_exact_neutral_elements() {
    for (op, values) in [("minsi", [5.0, 9.0]), ("maxsi", [-5.0, -9.0])] {
        let program =
            generic(&[65], &[true], &[(&[0], "i64"), (&[], "i64")], &format!("    %s = arith.{op} %o, %x0 : i64"), "");
        let numbers: Vec<f64> = (0..65).map(|i| values[i % 2] * (1.0 + i as f64)).collect();
        let inputs = [
            Tensor::from_f64(Scalar::Int(64), &[65], &numbers),
            Tensor::from_f64(Scalar::Int(64), &[], &[values[1] * 100.0]),
        ];
        assert_eq!(compiles(&program, "sm_80", &inputs), Ok(true), "{op}");
    }
}

/// The tables of the documentation have every entry, option and rule, with what the code says of it.
#[test]
fn the_page_of_configurations_has_what_the_code_has() {
    let page = include_str!("../../../docs/lowering-configs.md");
    let keys = KEYS.iter().chain(OPTIONS).map(|key| format!("| `{}` | {} |", key.name, key.says));
    let rows: Vec<String> = keys.chain(RULES.iter().map(|rule| format!("| {} |", rule.says))).collect();
    for row in &rows {
        assert!(page.contains(row), "{row}");
    }
    // What the page has besides is about pipelines and orders.
    let listed = page.lines().filter(|line| rows.iter().any(|row| row == line)).count();
    assert_eq!(listed, rows.len());
    for names in ["entry", "option"] {
        let table = page.split(&format!("| {names} | |\n")).nth(1).unwrap().split("\n\n").next().unwrap();
        let count = if names == "entry" { KEYS.len() } else { OPTIONS.len() };
        assert_eq!(table.lines().count(), count + 1, "{names}");
    }
}

/// The rules of the tensor-core pipelines, each broken alone. What the help names is accepted.
#[test]
fn tensor_core_rules_name_the_nearest_configuration() {
    let attrs = |pipeline: &str, sizes: &str, tiles: &str| {
        format!(
            "compilation_info = #iree_codegen.compilation_info<lowering_config = \
             #iree_codegen.lowering_config<tile_sizes = {tiles}>, translation_info = \
             #iree_codegen.translation_info<pipeline = {pipeline} workgroup_size = {sizes}, \
             {{pipeline_depth = 3 : i64, store_stage = 1 : i64}}>>"
        )
    };
    let (wmma, sync) = ("LLVMGPUMatmulTensorCore", "LLVMGPUMatmulTensorCoreMmaSync");
    let cases = [
        (wmma, "[128, 10, 1]", "[[160, 64, 16]]", "has 1280, more than 1024"),
        (wmma, "[64, 2, 2]", "[[32, 32, 16]]", "2 threads along z"),
        (sync, "[48, 1, 1]", "[[32, 32, 16]]", "48 threads along x are not a multiple of the subgroup size, 32"),
        (wmma, "[64, 2, 1]", "[[33, 32, 16]]", "2 subgroups cannot share a tile of 33 along M evenly"),
        (wmma, "[128, 1, 1]", "[[64, 32, 16]]", "64x8x16 of a subgroup is not a multiple of 16x16x16"),
        (sync, "[64, 2, 1]", "[[32, 32, 20]]", "16x16x20 of a subgroup is not a multiple of 16x8x16"),
    ];
    for (pipeline, sizes, tiles, what) in cases {
        let diag = refusal(&attrs(pipeline, sizes, tiles), "sm_80");
        assert!(diag.code == Code::CannotConfigure && diag.message.contains(what), "{diag:?}");
        let help = diag.help.unwrap();
        let quoted: Vec<&str> = help.split('`').collect();
        let (sizes, tiles) = (quoted[1].split_once(" = ").unwrap(), quoted[3].split_once(" = ").unwrap());
        assert_eq!((sizes.0, tiles.0), ("workgroup_size", "tile_sizes"), "{help}");
        let done = configured(&attrs(pipeline, sizes.1, tiles.1), "sm_80");
        done.unwrap_or_else(|diag| panic!("{help}: {diag:?}"));
    }
    // The same tiles as 8 columns for each instruction are fine.
    configured(&attrs(sync, "[128, 1, 1]", "[[64, 32, 16]]"), "sm_80").unwrap();
    let diag = refusal(&attrs(wmma, "[64, 2, 1]", "[[32, 32, 16], [1, 1, 1]]"), "sm_80");
    assert!(diag.message.contains("2 levels"), "{diag:?}");
    let stage = attrs(wmma, "[64, 2, 1]", "[[32, 32, 16]]").replace("store_stage = 1", "store_stage = 0");
    assert!(refusal(&stage, "sm_80").message.contains("store_stage = 0"));
    let diag = refusal(&attrs(sync, "[64, 2, 1]", "[[32, 32, 16]]"), "gfx942");
    assert!(diag.message.contains("no instruction of gfx942"), "{diag:?}");
}

/// A cycle of three tells the two readings of a basis apart; the pass turns the guide's into ours.
#[test]
fn bases_are_read_as_documented() {
    let text = |mapping: &str| {
        format!(
            "func.func @f(%a: tensor<8x8x8xf32>) -> tensor<8x8x8xf32> {{\n  %e = tensor.empty() : tensor<8x8x8xf32>\n  \
             %r = linalg.generic {{lowering_config = #iree_gpu.lowering_config<{{workgroup = [8, 8, 8], lane_basis = \
             [[2, 4, 8], {mapping}]}}>, indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], \
             iterator_types = [\"parallel\", \"parallel\", \"parallel\"]}} ins(%a : tensor<8x8x8xf32>) outs(%e : \
             tensor<8x8x8xf32>) {{\n  ^bb0(%x: f32, %y: f32):\n    %s = arith.addf %x, %x : f32\n    linalg.yield %s : \
             f32\n  }} -> tensor<8x8x8xf32>\n  return %r : tensor<8x8x8xf32>\n}}"
        )
    };
    let facts = Facts::new(chip("gfx942").unwrap());
    let laid_out = |mapping: &str, guide: bool| {
        let mut ir = raddle_ir::parse(&text(mapping)).unwrap_or_else(|diags| panic!("{diags:#?}"));
        let func = ir.funcs()[0];
        let names = ["guide-bases", "configure", "tile", "vectorize", "lay-out"];
        for name in &names[usize::from(!guide)..] {
            let pass = PASSES.iter().find(|pass| pass.name == *name).unwrap();
            pass.run(&mut ir, func, &facts).unwrap_or_else(|diag| panic!("{name}: {diag:?}"));
        }
        raddle_ir::print(&ir, &raddle_ir::PrintOptions::default())
    };
    let ours = "thread_tile = [4, 8, 2]";
    assert!(
        laid_out("[1, 2, 0]", false).contains(ours)
            && laid_out("[1, 2, 0]", false).contains("thread_strides = [8, 1, 32]")
    );
    assert_eq!(laid_out("[2, 0, 1]", true), laid_out("[1, 2, 0]", false));
    assert!(laid_out("[1, 2, 0]", true).contains("thread_tile = [8, 2, 4]"));
}
