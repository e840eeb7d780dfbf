//! Products through rings in shared memory: exact on whole numbers at every stage and as PTX, however copies are timed.
//!
//! The emulator runs the program from `laid_out` to `lowered`, the executor runs the text; both are compared with sums
//! that the test computes itself.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{AsyncMode, Launch, Mode, Options, Tensor, ptx};
use raddle_ir::Scalar;
use raddle_passes::{Facts, PASSES};
use raddle_target::{Lowered, Stage, chip};

/// A product and how it is compiled.
#[derive(Clone, Copy)]
struct Case {
    mnk: [i64; 3],
    order: &'static str,
    /// The types of factors and result.
    types: [&'static str; 2],
    /// The tile of a workgroup.
    tile: [i64; 3],
    /// Its subgroups along rows and columns.
    subgroups: [i64; 2],
    /// The matrix instruction; products inside threads without one.
    instruction: Option<&'static str>,
    slots: i64,
}

const F16: Case = Case {
    mnk: [64, 64, 160],
    order: "nn",
    types: ["f16", "f32"],
    tile: [64, 64, 32],
    subgroups: [2, 2],
    instruction: Some("NV_MMA_SYNC_F32_16x8x16_F16"),
    slots: 3,
};
const I8: Case = Case { types: ["i8", "i32"], instruction: Some("NV_MMA_SYNC_I32_16x8x32_I8"), ..F16 };
const F8: Case = Case { types: ["f8E4M3FN", "f32"], instruction: Some("NV_MMA_SYNC_F32_16x8x32_F8E4M3FN"), ..F16 };
const TF32: Case = Case { types: ["f32", "f32"], instruction: Some("NV_MMA_SYNC_F32_16x8x8_TF32"), ..F16 };
/// Blocks of a thread, multiplied by fma.
const F32: Case = Case { mnk: [64, 128, 40], tile: [64, 64, 8], instruction: None, ..TF32 };

impl Case {
    /// Whether A and B are transposed.
    fn transposed(&self) -> [bool; 2] {
        [self.order.starts_with('t'), self.order.ends_with('t')]
    }

    fn shapes(&self) -> [[i64; 2]; 3] {
        let ([m, n, k], [a, b]) = (self.mnk, self.transposed());
        [if a { [k, m] } else { [m, k] }, if b { [n, k] } else { [k, n] }, [m, n]]
    }

    fn text(&self) -> String {
        let Case { types: [elem, sum], tile: [m, n, k], subgroups: [rows, columns], instruction, slots, .. } = *self;
        let threads = 32 * rows * columns;
        let [a, b, c] = self.shapes().map(|[rows, columns]| format!("tensor<{rows}x{columns}x"));
        let (a, b, c) = (format!("{a}{elem}>"), format!("{b}{elem}>"), format!("{c}{sum}>"));
        let [a_map, b_map] = self.transposed();
        let (a_map, b_map) = (if a_map { "k, m" } else { "m, k" }, if b_map { "n, k" } else { "k, n" });
        let lanes = match instruction {
            Some(name) => format!("mma_kind = #iree_gpu.mma_layout<{name}>"),
            None => "lane_basis = [[4, 8, 1], [0, 1, 2]], thread = [4, 4, 1]".to_owned(),
        };
        let [zero, extend, multiply, add] =
            if sum == "i32" { ["0", "extsi", "muli", "addi"] } else { ["0.0", "extf", "mulf", "addf"] };
        let extend = match elem == sum {
            true => String::new(),
            false => format!("%x = arith.{extend} %a : {elem} to {sum}\n    %y = arith.{extend} %b : {elem} to {sum}"),
        };
        let [x, y] = if elem == sum { ["%a", "%b"] } else { ["%x", "%y"] };
        format!(
            "func.func @product(%A: {a}, %B: {b}) -> {c} attributes {{translation_info =
    #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [{threads}, 1, 1]
    subgroup_size = 32, {{pipeline_depth = {slots} : i64}}>}} {{
  %zero = arith.constant {zero} : {sum}
  %empty = tensor.empty() : {c}
  %init = linalg.fill ins(%zero : {sum}) outs(%empty : {c}) -> {c}
  %C = linalg.generic {{
      indexing_maps = [affine_map<(m, n, k) -> ({a_map})>, affine_map<(m, n, k) -> ({b_map})>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}} ins(%A, %B : {a}, {b}) outs(%init : {c})
      attrs = {{lowering_config = #iree_gpu.lowering_config<{{workgroup = [{m}, {n}, 0], reduction = [0, 0, {k}],
               subgroup_basis = [[{rows}, {columns}, 1], [0, 1, 2]], {lanes}, promote_operands = [0, 1]}}>}} {{
  ^body(%a: {elem}, %b: {elem}, %c: {sum}):
    {extend}
    %p = arith.{multiply} {x}, {y} : {sum}
    %s = arith.{add} %c, %p : {sum}
    linalg.yield %s : {sum}
  }} -> {c}
  return %C : {c}
}}
"
        )
    }

    /// Whole numbers that every type holds, and their product.
    fn numbers(&self) -> [Tensor; 3] {
        let ([m, n, k], shapes, [a_turned, b_turned]) = (self.mnk, self.shapes(), self.transposed());
        let number = |i: i64, seed: i64| ((i * 7 + i / 13 + seed) % 7 - 3) as f64;
        let [a, b] = [0, 1].map(|i| {
            let size = shapes[i][0] * shapes[i][1];
            (0..size).map(|at| number(at, i as i64)).collect::<Vec<f64>>()
        });
        let mut c = vec![0.0; (m * n) as usize];
        for i in 0..m {
            for l in 0..k {
                let x = a[if a_turned { l * m + i } else { i * k + l } as usize];
                for j in 0..n {
                    c[(i * n + j) as usize] += x * b[if b_turned { j * k + l } else { l * n + j } as usize];
                }
            }
        }
        let [elem, sum] = self.types.map(|name| Scalar::from_keyword(name).unwrap());
        let of = |elem: Scalar, shape: &[i64], values: &[f64]| match elem {
            Scalar::Float(_) => Tensor::from_f64(elem, shape, values),
            _ => Tensor::from_i64(elem, shape, &values.iter().map(|&value| value as i64).collect::<Vec<_>>()),
        };
        [of(elem, &shapes[0], &a), of(elem, &shapes[1], &b), of(sum, &shapes[2], &c)]
    }

    /// Compiles and runs the product everywhere; returns the PTX and the remarks.
    fn check(&self) -> (String, String) {
        let name = format!("{:?} {} {:?} {} slots", self.mnk, self.order, self.types, self.slots);
        let name_of_chip = match (self.types[0], self.subgroups) {
            (_, [_, 1]) => "sm_90a",
            (elem, _) if elem.starts_with("f8") => "sm_89",
            _ => "sm_80",
        };
        let facts = Facts::new(chip(name_of_chip).unwrap());
        let mut ir = raddle_ir::parse(&self.text()).unwrap_or_else(|diags| panic!("{name}: {diags:#?}"));
        let func = ir.funcs()[0];
        let [a, b, want] = self.numbers();
        let args = [a, b, Tensor::zeros(want.elem, &want.shape)];
        for pass in PASSES.iter().filter(|pass| pass.stage >= Some(Stage::Configured)) {
            pass.run(&mut ir, func, &facts).unwrap_or_else(|diag| panic!("{name} in {}: {diag:#?}", pass.name));
            let problems = raddle_ir::verify(&ir);
            assert!(problems.is_empty(), "{name} after {}: {problems:#?}", pass.name);
            if pass.stage < Some(Stage::LaidOut) {
                continue;
            }
            let mode = if pass.stage >= Some(Stage::Distributed) { Mode::Simt } else { Mode::Simd };
            let launch = Launch { mode, ..Launch::of(&ir, func).unwrap() };
            // Before, nothing is asynchronous.
            let timings =
                if mode == Mode::Simt { &[AsyncMode::Eager, AsyncMode::Lazy][..] } else { &[AsyncMode::Lazy] };
            for &copies in timings {
                let options = Options { copies, ..Options::default() };
                let ran = raddle_emu::run(&ir, func, &args, &launch, &options);
                let ran = ran.unwrap_or_else(|diag| panic!("{name} after {}: {diag:#?}", pass.name));
                assert!(ran.buffers[2].bytes == want.bytes, "{name} is wrong after {}", pass.name);
            }
        }
        let lowered = Lowered::check(&ir, func, facts.chip).unwrap();
        let text = raddle_emit::ptx::emit(&ir, &lowered).unwrap();
        let module = ptx::parse(&text).unwrap();
        let shared_bytes = raddle_emit::ptx::dynamic_shared_bytes(&lowered) as usize;
        let grid = Launch::of(&ir, func).unwrap().grid;
        let launch = ptx::Launch { entry: None, grid, workgroup: None, cluster: None, shared_bytes };
        for copies in [AsyncMode::Eager, AsyncMode::Lazy] {
            let options = Options { copies, ..Options::default() };
            let ran = ptx::run(&module, &args, &launch, &options).unwrap_or_else(|diag| panic!("{name}: {diag:#?}"));
            assert!(ran.args[2].bytes == want.bytes, "{name} is wrong as PTX");
        }
        let remarks: Vec<String> = facts.remarks.borrow().iter().map(|diag| diag.message.clone()).collect();
        (text, remarks.join("\n"))
    }
}

/// Each type in each order, through a ring: its copies are asynchronous.
#[test]
fn every_type_and_order_is_exact() {
    for case in [F16, Case { tile: [64, 64, 64], ..I8 }, Case { tile: [64, 64, 64], ..F8 }, TF32] {
        for order in ["nn", "nt", "tn", "tt"] {
            let (text, _) = Case { order, mnk: [64, 64, 128], ..case }.check();
            assert!(text.contains("cp.async") && text.contains("mma.sync"), "{:?} {order}: {text}", case.types);
            // Fragments come by rows of 16 bytes, bytes that do not lie along k in pairs; only words that do not are
            // loaded one by one.
            let by_rows = text.contains("ldmatrix") && !text.contains("ld.shared");
            assert!(by_rows || case.types[0] == "f32", "{:?} {order}: {text}", case.types);
        }
    }
}

/// Products inside threads: operands of which threads read runs across memory are turned over as they are copied.
#[test]
fn products_inside_threads_are_exact() {
    for (order, mnk, types) in [
        ("nn", [64, 64, 40], ["f32", "f32"]),
        ("nt", [64, 64, 40], ["i32", "i32"]),
        ("tn", [64, 128, 16], ["f32", "f32"]),
        ("tt", [61, 67, 37], ["f32", "f32"]),
        ("nt", [61, 67, 37], ["f32", "f32"]),
    ] {
        let (text, remarks) = Case { order, mnk, types, ..F32 }.check();
        assert!(text.contains("cp.async") && !text.contains("mma.sync"), "{order}: {text}");
        assert!(text.contains("ld.shared.v4"), "{order}: {text}");
        assert!(remarks.contains("iterations ahead"), "{order} {mnk:?}: {remarks}");
    }
}

/// Extents that tiles do not divide, as far as rows begin at multiples of 4 bytes: what lies beyond the end is zeros, in
/// the last iteration or along rows and columns, and is not written.
#[test]
fn odd_extents_are_exact() {
    for (order, mnk, slots) in [
        ("nn", [50, 72, 104], 3),
        ("nt", [70, 33, 104], 3),
        ("tn", [72, 40, 45], 2),
        ("tt", [8, 61, 488], 4),
        ("nn", [50, 70, 100], 3),
        ("nt", [64, 33, 98], 3),
        ("tn", [66, 68, 65], 3),
    ] {
        let (text, remarks) = Case { order, mnk, slots, ..F16 }.check();
        assert!(text.contains("cp.async"), "{order} {mnk:?}: {remarks}");
        assert!(remarks.contains("iterations ahead"), "{order} {mnk:?}: {remarks}");
    }
    // Rows that begin anywhere go through registers, each factor by itself.
    for (order, mnk, slots, both) in
        [("nn", [50, 71, 104], 3, false), ("nt", [50, 71, 165], 3, true), ("tn", [61, 71, 65], 2, true)]
    {
        let (text, remarks) = Case { order, mnk, slots, ..F16 }.check();
        assert!(text.contains("mma.sync") && text.contains("cp.async.c") != both, "{order} {mnk:?}: {text}");
        assert!(remarks.contains("iterations ahead"), "{order} {mnk:?}: {remarks}");
    }
}

/// Each depth, with fewer iterations than slots, as many, and many more.
#[test]
fn every_depth_is_exact() {
    for (slots, k) in [(2, 288), (4, 96), (4, 128), (4, 544), (6, 192)] {
        let (text, _) = Case { slots, mnk: [64, 64, k], ..F16 }.check();
        assert!(text.contains("cp.async"), "{slots} slots, k = {k}: {text}");
    }
}

/// Four subgroups, or a multiple of them, multiply tiles in shared memory: in each order, with rings of one piece or
/// several, few iterations and many, and extents that tiles do not divide.
#[test]
fn products_in_shared_memory_are_exact() {
    let f16 = Case { subgroups: [4, 1], ..F16 };
    let bf16 = Case { types: ["bf16", "f32"], instruction: Some("NV_MMA_SYNC_F32_16x8x16_BF16"), ..f16 };
    let i8 = Case { subgroups: [4, 1], order: "nt", ..I8 };
    let f8 = Case { subgroups: [4, 1], order: "nt", ..F8 };
    let cases = [
        Case { order: "nn", ..f16 },
        Case { order: "nt", mnk: [64, 32, 512], tile: [64, 32, 64], slots: 4, ..f16 },
        Case { order: "tn", mnk: [128, 16, 640], tile: [128, 16, 128], subgroups: [8, 1], ..bf16 },
        Case { order: "tt", mnk: [128, 128, 576], tile: [64, 128, 64], ..f16 },
        Case { order: "nn", mnk: [64, 256, 96], tile: [64, 256, 16], slots: 5, ..bf16 },
        Case { order: "tn", mnk: [256, 64, 128], tile: [256, 64, 32], subgroups: [16, 1], ..f16 },
        Case { mnk: [64, 64, 640], tile: [64, 64, 128], slots: 4, ..i8 },
        Case { mnk: [128, 32, 512], tile: [128, 32, 256], subgroups: [8, 1], slots: 2, ..i8 },
        Case { order: "nn", mnk: [50, 72, 200], tile: [64, 64, 64], ..f16 },
        Case { order: "tt", mnk: [72, 61, 488], tile: [64, 32, 64], slots: 4, ..bf16 },
        Case { mnk: [70, 33, 208], tile: [64, 32, 64], ..i8 },
        Case { mnk: [64, 64, 640], tile: [64, 64, 128], slots: 4, ..f8 },
        Case { mnk: [128, 32, 768], tile: [128, 32, 256], subgroups: [8, 1], slots: 3, ..f8 },
        Case { mnk: [70, 33, 208], tile: [64, 32, 64], ..f8 },
    ];
    for case in cases {
        let (text, remarks) = case.check();
        // Sums of bytes of floats begin at zero in each round, and are added.
        let adds = text.lines().any(|line| line.contains("add.rn.f32"));
        assert_eq!(adds, case.types[0] == F8.types[0], "{:?}: {text}", case.mnk);
        let shared = text.contains("wgmma.mma_async") && !text.contains("ldmatrix");
        // Two slots are too few.
        assert_eq!(shared, case.slots > 2, "{:?} {}: {remarks}", case.mnk, case.order);
    }
    // Bytes that do not lie along k are none that these instructions take.
    let (text, _) = Case { order: "nn", mnk: [64, 64, 384], tile: [64, 64, 64], ..i8 }.check();
    assert!(!text.contains("wgmma"), "{text}");
}
