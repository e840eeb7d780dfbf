//! What stands around matrix instructions on tiles: contractions that become some, what makes their operands, loops that
//! carry their accumulators, layouts of their operands, and what is refused.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Launch, Options as Run, Tensor};
use raddle_ir::{Attr, Diag, Float, Ir, OpId, Opcode, Scalar};
use raddle_layout::Nested;
use raddle_passes::{Facts, Options, PASSES};
use raddle_target::chip;

use crate::common;
use crate::common::Random;

fn parse(text: &str) -> Ir {
    raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"))
}

fn print(ir: &Ir) -> String {
    raddle_ir::print(ir, &Default::default())
}

fn apply(ir: &mut Ir, name: &str) -> Result<(), Diag> {
    let pass = PASSES.iter().find(|pass| pass.name == name).unwrap();
    let on = match pass.on {
        raddle_passes::On::Function => ir.funcs()[0],
        raddle_passes::On::Module => ir.module(),
    };
    let result = pass.apply(ir, on, &Facts::new(chip("gfx942").unwrap()), &Options::of(pass.options));
    assert_eq!(raddle_ir::verify(ir), [], "behind {name}: {}", print(ir));
    result
}

/// The first result of the first function.
#[track_caller]
fn result(ir: &Ir, args: &[Tensor]) -> Vec<u8> {
    let func = ir.funcs()[0];
    let launch = Launch::of(ir, func).unwrap();
    let outcome = raddle_emu::run(ir, func, args, &launch, &Run::default());
    outcome.unwrap_or_else(|diag| panic!("{diag:#?}\n{}", print(ir))).results[0].bytes.clone()
}

fn count(ir: &Ir, opcode: Opcode) -> usize {
    ir.walk(ir.funcs()[0]).into_iter().filter(|&op| ir.opcode(op) == opcode).count()
}

/// Small whole numbers, or powers of two where the type has nothing else.
fn numbers(elem: Scalar, shape: &[i64], random: &mut Random) -> Tensor {
    let list: &[f64] =
        if elem == Scalar::Float(Float::F8E8M0FNU) { &[0.5, 1.0, 2.0] } else { &[-2.0, -1.0, 0.0, 1.0, 2.0, 3.0] };
    let n: i64 = shape.iter().product();
    Tensor::from_f64(elem, shape, &(0..n).map(|_| random.pick(list)).collect::<Vec<_>>())
}

const SCRIPT: &str = "
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{[\"linalg.generic\"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.iree.convert_to_multi_mma %0, kind(KIND) : (!transform.any_op) -> !transform.any_op
    %2 = transform.iree.distribute_inner_tiled %1 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}";

/// A contraction: its kind, the extents of its innermost loops by letter, the letters of each operand, and its types.
struct Contraction {
    kind: &'static str,
    inner: &'static [(char, i64)],
    operands: &'static [&'static str],
    types: &'static [&'static str],
    body: &'static str,
}

const PRODUCT: &str = "  ^bb0(%a: f16, %b: f16, %c: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32";

const SCALED: &str = "  ^bb0(%a: f4E2M1FN, %b: f8E4M3FN, %sa: f8E8M0FNU, %sb: f8E8M0FNU, %c: f32):
    %x = arith.scaling_extf %a, %sa : f4E2M1FN, f8E8M0FNU to f32
    %y = arith.scaling_extf %b, %sb : f8E4M3FN, f8E8M0FNU to f32
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32";

const CONTRACTIONS: &[Contraction] = &[
    Contraction {
        kind: "#iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>",
        inner: &[('m', 16), ('n', 16), ('k', 16)],
        operands: &["mk", "kn", "mn"],
        types: &["f16", "f16", "f32"],
        body: PRODUCT,
    },
    Contraction {
        kind: "#iree_gpu.mma_layout<WMMAR4_F32_16x16x16_F16>",
        inner: &[('m', 16), ('n', 16), ('k', 16)],
        operands: &["mk", "kn", "mn"],
        types: &["f16", "f16", "f32"],
        body: PRODUCT,
    },
    Contraction {
        kind: "#iree_gpu.mma_layout<MFMA_F32_16x16x4x4B_F16>",
        inner: &[('b', 4), ('m', 16), ('n', 16), ('k', 4)],
        operands: &["bmk", "bkn", "bmn"],
        types: &["f16", "f16", "f32"],
        body: PRODUCT,
    },
    Contraction {
        kind: "#iree_gpu.scaled_mma_layout<intrinsic = MFMA_SCALE_F32_16x16x128_B32, lhs_elem_type = f4E2M1FN, rhs_elem_type = f8E4M3FN, acc_elem_type = f32>",
        inner: &[('m', 16), ('n', 16), ('k', 4), ('e', 32)],
        operands: &["mke", "ken", "mk", "kn", "mn"],
        types: &["f4E2M1FN", "f8E4M3FN", "f8E8M0FNU", "f8E8M0FNU", "f32"],
        body: SCALED,
    },
];

/// Contractions whose innermost loops are one instruction's, in any order of dimensions that ends with them.
#[test]
fn contractions_become_tiles() {
    let mut random = Random(0xc0de);
    for round in 0..24 {
        let case = &CONTRACTIONS[round % CONTRACTIONS.len()];
        // Outer loops by letter, and all loops in one order: outer ones have capital letters.
        let mut loops: Vec<(char, i64)> = case.inner.to_vec();
        for &(letter, _) in case.inner.iter().filter(|(letter, _)| !"be".contains(*letter)) {
            if random.below(2) == 0 {
                loops.insert(
                    random.below(loops.len() - case.inner.len() + 1),
                    (letter.to_ascii_uppercase(), 1 + random.below(3) as i64),
                );
            }
        }
        let name = |letter: char| loops.iter().position(|(other, _)| *other == letter).unwrap();
        let mut shapes = Vec::new();
        let mut maps = Vec::new();
        for (at, letters) in case.operands.iter().enumerate() {
            let outer: Vec<char> = loops
                .iter()
                .map(|(letter, _)| *letter)
                .filter(|l| l.is_uppercase() && letters.contains(l.to_ascii_lowercase()))
                .collect();
            let mut inner: Vec<char> = letters.chars().collect();
            // B and its scales may lie the other way; the others too where a lane has a run of one dimension only.
            if at != 4 && random.below(2) == 0 && case.inner.len() == 3 {
                inner.reverse();
            }
            let all: Vec<usize> = outer.iter().chain(&inner).map(|&letter| name(letter)).collect();
            shapes.push(all.iter().map(|&d| loops[d].1).collect::<Vec<i64>>());
            let results: Vec<String> = all.iter().map(|d| format!("d{d}")).collect();
            let dims: Vec<String> = (0..loops.len()).map(|d| format!("d{d}")).collect();
            maps.push(format!("affine_map<({}) -> ({})>", dims.join(", "), results.join(", ")));
        }
        let iterators: Vec<&str> =
            loops.iter().map(|(l, _)| if "kKe".contains(*l) { "\"reduction\"" } else { "\"parallel\"" }).collect();
        let tensor = |at: usize| {
            format!("tensor<{}{}>", shapes[at].iter().map(|n| format!("{n}x")).collect::<String>(), case.types[at])
        };
        let n = shapes.len();
        let args: Vec<String> = (0..n).map(|at| format!("%x{at}: {}", tensor(at))).collect();
        let list = |f: &dyn Fn(usize) -> String| (0..n - 1).map(f).collect::<Vec<_>>().join(", ");
        let text = format!(
            "func.func @f({}) -> {out} {{
  %r = linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} ins({} : {}) outs(%x{} : {out}) {{
{}
  }} -> {out}
  return %r : {out}
}}",
            args.join(", "),
            maps.join(", "),
            iterators.join(", "),
            list(&|at| format!("%x{at}")),
            list(&tensor),
            n - 1,
            case.body,
            out = tensor(n - 1),
        );
        let args: Vec<Tensor> =
            (0..n).map(|at| numbers(Scalar::from_keyword(case.types[at]).unwrap(), &shapes[at], &mut random)).collect();
        let mut ir = parse(&format!("{text}{}", SCRIPT.replace("KIND", case.kind)));
        let want = result(&ir, &args);
        apply(&mut ir, "run-script").unwrap_or_else(|diag| panic!("{diag:#?}\n{text}"));
        assert_eq!((count(&ir, Opcode::LinalgGeneric), count(&ir, Opcode::ScfForall)), (0, 1), "{}", print(&ir));
        assert_eq!(result(&ir, &args), want, "{text}\n{}", print(&ir));
    }
}

/// What is not a sum of products, or not of the instruction's size or types, stays a contraction, and the script says why.
#[test]
fn other_contractions_are_refused() {
    let text = |body: &str, n: i64| {
        format!(
            "func.func @f(%l: tensor<16x{n}xf16>, %m: tensor<{n}x16xf16>, %o: tensor<16x16xf32>) -> tensor<16x16xf32> {{
  %r = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}} ins(%l, %m : tensor<16x{n}xf16>, tensor<{n}x16xf16>) outs(%o : tensor<16x16xf32>) {{
{body}
  }} -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}}{}",
            SCRIPT.replace("KIND", "#iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>")
        )
    };
    let other = PRODUCT.replace("arith.addf %c, %p", "arith.subf %c, %p");
    for (text, why) in [
        (text(&other, 16), "not a sum of products"),
        (text(PRODUCT, 32), "[16, 16] are wanted"),
        (text(PRODUCT, 16).replace("MFMA_F32_16x16x16_F16", "MFMA_F32_16x16x16_BF16"), "element type"),
        (text(PRODUCT, 16).replace("MFMA_F32_16x16x16_F16", "MFMA_F32_16x16x4x4B_F16"), "lacks a loop"),
    ] {
        let mut ir = parse(&text);
        let diag = apply(&mut ir, "run-script").unwrap_err();
        assert!(diag.notes.iter().any(|note| note.contains(why)), "{diag:#?}");
        assert_eq!(count(&ir, Opcode::LinalgGeneric), 1);
    }
}

const DEALT: &str = "func.func @f(%a: tensor<3x2x16x16xf16>, %b: tensor<3x2x16x16xf16>, %c: tensor<2x2x16x16xf32>, %z: f32) -> tensor<2x2x16x16xf32> {
  %e = tensor.empty() : tensor<2x3x16x16xf16>
  %t = linalg.transpose ins(%a : tensor<3x2x16x16xf16>) outs(%e : tensor<2x3x16x16xf16>) permutation = [1, 0, 2, 3]
  %h = linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (j, i, k, l)>, affine_map<(i, j, k, l) -> (i, l)>, affine_map<(i, j, k, l) -> (j, i, k, l)>],
      iterator_types = [\"parallel\", \"parallel\", \"parallel\", \"parallel\"]} ins(%t, %row : tensor<2x3x16x16xf16>, tensor<3x16xf16>) outs(%e : tensor<2x3x16x16xf16>) {
  ^bb0(%x: f16, %y: f16, %o: f16):
    %s = arith.addf %x, %y : f16
    linalg.yield %s : f16
  } -> tensor<2x3x16x16xf16>
  %g = linalg.fill ins(%z : f32) outs(%c : tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32>
  %r = iree_codegen.inner_tiled ins(%h, %b) outs(%g) {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>],
    kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, semantics = #iree_gpu.mma_semantics<distributed = false, opaque = true>
  } : tensor<2x3x16x16xf16>, tensor<3x2x16x16xf16> into tensor<2x2x16x16xf32>
  return %r : tensor<2x2x16x16xf32>
}";

/// Operations that make the operands of dealt tiles are computed by each thread for what it reads, and nowhere else.
#[test]
fn producers_are_taken_into_the_loop_over_threads() {
    let [f16, f32] = [Float::F16, Float::F32].map(Scalar::Float);
    let mut random = Random(7);
    let text = DEALT.replace("%z: f32)", "%z: f32, %row: tensor<3x16xf16>)");
    let mut args = vec![numbers(f16, &[3, 2, 16, 16], &mut random), numbers(f16, &[3, 2, 16, 16], &mut random)];
    args.extend([numbers(f32, &[2, 2, 16, 16], &mut random), Tensor::from_f64(f32, &[], &[1.5])]);
    args.push(numbers(f16, &[3, 16], &mut random));
    let mut ir = parse(&text);
    let want = result(&ir, &args);
    apply(&mut ir, "deal-tiles").unwrap();
    assert_eq!(result(&ir, &args), want, "{}", print(&ir));
    for op in ir
        .walk(ir.funcs()[0])
        .into_iter()
        .filter(|&op| ir.name(op).starts_with("linalg.") && ir.name(op) != "linalg.yield")
    {
        assert_eq!(ir.parent_op(op).map(|parent| ir.opcode(parent)), Some(Opcode::ScfForall), "{}", print(&ir));
    }
    apply(&mut ir, "canonicalize").unwrap();
    assert_eq!(result(&ir, &args), want, "{}", print(&ir));
}

/// A loop carries what its instructions take, not what was unrolled.
#[test]
fn conversions_leave_loops() {
    let text = "func.func @f(%m: memref<64x8xf16>, %o: memref<64x32xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %h = arith.constant 0.0 : f16
  %z = arith.constant 0.0 : f32
  %x = vector.transfer_read %m[%t, %c0], %h {in_bounds = [true]} : memref<64x8xf16>, vector<8xf16>
  %a = vector.shape_cast %x : vector<8xf16> to vector<2x1x1x4xf16>
  %b = vector.shape_cast %x : vector<8xf16> to vector<1x2x4x1xf16>
  %y = vector.transfer_read %o[%t, %c0], %z {in_bounds = [true]} : memref<64x32xf32>, vector<16xf32>
  %c = vector.shape_cast %y : vector<16xf32> to vector<2x2x4x1xf32>
  %n:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %c, %seen = %c0) -> (vector<2x2x4x1xf32>, index) {
    %r = iree_codegen.inner_tiled ins(%a, %b) outs(%acc) {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>],
      kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>
    } : vector<2x1x1x4xf16>, vector<1x2x4x1xf16> into vector<2x2x4x1xf32>
    %next = arith.addi %seen, %i : index
    scf.yield %r, %next : vector<2x2x4x1xf32>, index
  }
  %w = vector.shape_cast %n#0 : vector<2x2x4x1xf32> to vector<16xf32>
  vector.transfer_write %w, %o[%t, %c0] {in_bounds = [true]} : vector<16xf32>, memref<64x32xf32>
  %k = arith.addi %n#1, %c1 : index
  %u = vector.broadcast %z : f32 to vector<1xf32>
  vector.transfer_write %u, %o[%t, %k] : vector<1xf32>, memref<64x32xf32>
  return
}";
    let [f16, f32] = [Float::F16, Float::F32].map(Scalar::Float);
    let mut random = Random(11);
    let args = [numbers(f16, &[64, 8], &mut random), numbers(f32, &[64, 32], &mut random)];
    let run = |ir: &Ir| {
        let launch = Launch::of(ir, ir.funcs()[0]).unwrap();
        let outcome = raddle_emu::run(ir, ir.funcs()[0], &args, &launch, &Run::default());
        outcome.unwrap_or_else(|diag| panic!("{diag:#?}\n{}", print(ir))).buffers[1].bytes.clone()
    };
    let mut ir = parse(text);
    let want = run(&ir);
    apply(&mut ir, "unroll-tiles").unwrap();
    assert_eq!(run(&ir), want, "{}", print(&ir));
    assert_eq!(
        (count(&ir, Opcode::UtilHoistableConversion), count(&ir, Opcode::IreeCodegenInnerTiled)),
        (0, 4),
        "{}",
        print(&ir)
    );
    // Four accumulators of one tile each, and the number.
    let carried = ir.walk(ir.funcs()[0]).into_iter().find(|&op| ir.opcode(op) == Opcode::ScfFor).unwrap();
    let types: Vec<String> = ir.results(carried).map(|value| raddle_ir::print_type(&ir, ir.type_of(value))).collect();
    assert_eq!(types.iter().filter(|ty| *ty == "vector<4x1xf32>").count(), 4, "{types:?}");
    assert_eq!(types.len(), 5, "{types:?}");
}

/// Each lane does what the loop did with its number, and all wait for what the others wrote.
#[test]
fn loops_over_lanes_become_lanes() {
    let text = "func.func @f(%m: memref<64xi32>, %o: memref<64xi32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>} {
  %s = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
  %c63 = arith.constant 63 : index
  scf.forall (%i) in (64) {
    %x = memref.load %m[%i] : memref<64xi32>
    memref.store %x, %s[%i] : memref<64xi32, #gpu.address_space<workgroup>>
  } {mapping = [#iree_gpu.lane_id<0>]}
  scf.forall (%i) in (64) {
    %j = arith.subi %c63, %i : index
    %x = memref.load %s[%j] : memref<64xi32, #gpu.address_space<workgroup>>
    memref.store %x, %o[%i] : memref<64xi32>
  } {mapping = [#iree_gpu.lane_id<0>]}
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{[\"func.func\"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.iree.forall_to_lanes %f : (!transform.any_op) -> ()
    transform.yield
  }
}";
    let mut random = Random(3);
    let args = [numbers(Scalar::Int(32), &[64], &mut random), numbers(Scalar::Int(32), &[64], &mut random)];
    let run = |ir: &Ir| {
        let launch = Launch::of(ir, ir.funcs()[0]).unwrap();
        let outcome = raddle_emu::run(ir, ir.funcs()[0], &args, &launch, &Run::default());
        outcome.unwrap_or_else(|diag| panic!("{diag:#?}\n{}", print(ir))).buffers[1].to_f64()
    };
    let mut ir = parse(text);
    let want = run(&ir);
    assert!(want.iter().eq(args[0].to_f64().iter().rev()));
    apply(&mut ir, "run-script").unwrap();
    assert_eq!((count(&ir, Opcode::ScfForall), count(&ir, Opcode::GpuLaneId)), (0, 2), "{}", print(&ir));
    assert_eq!(run(&ir), want, "{}", print(&ir));
}

/// An inner tile of one lane's values is the instruction that its kind names, with factors of any shape and in either
/// order; a virtual one is issued slice by slice.
#[test]
fn inner_tiles_become_instructions() {
    let [f16, f32] = [Float::F16, Float::F32].map(Scalar::Float);
    for (kind, factor, acc, mark, n) in [
        ("mma_layout<MFMA_F32_16x16x16_F16>", "4", "4", "amdgpu.mfma 16x16x16", 1),
        ("mma_layout<MFMA_F32_16x16x16_F16, col_major = true>", "1x4", "4x1", "amdgpu.mfma 16x16x16", 1),
        ("mma_layout<MFMA_F32_32x32x8_F16>", "4", "16", "amdgpu.mfma 32x32x8", 1),
        ("virtual_mma_layout<VMFMA_F32_16x16x32_F16>", "8", "4", "amdgpu.mfma 16x16x16", 2),
    ] {
        let count = |shape: &str| shape.split('x').map(|n| n.parse::<i64>().unwrap()).product::<i64>();
        let (n_factor, n_acc) = (count(factor), count(acc));
        let program = format!(
            "func.func @kernel(%a: memref<{0}xf16>, %b: memref<{0}xf16>, %c: memref<{1}xf32>) attributes {{
  translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [64, 1, 1] subgroup_size = 64>}} {{
  %t = gpu.thread_id x
  %p = affine.apply affine_map<(d0) -> (d0 * {n_factor})>(%t)
  %q = affine.apply affine_map<(d0) -> (d0 * {n_acc})>(%t)
  %la = vector.load %a[%p] : memref<{0}xf16>, vector<{n_factor}xf16>
  %lb = vector.load %b[%p] : memref<{0}xf16>, vector<{n_factor}xf16>
  %lc = vector.load %c[%q] : memref<{1}xf32>, vector<{n_acc}xf32>
  %va = vector.shape_cast %la : vector<{n_factor}xf16> to vector<{factor}xf16>
  %vb = vector.shape_cast %lb : vector<{n_factor}xf16> to vector<{factor}xf16>
  %vc = vector.shape_cast %lc : vector<{n_acc}xf32> to vector<{acc}xf32>
  %r = iree_codegen.inner_tiled ins(%va, %vb) outs(%vc) {{
    indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = [],
    kind = #iree_gpu.{kind}, semantics = #iree_gpu.mma_semantics<distributed = true, opaque = false>}}
    : vector<{factor}xf16>, vector<{factor}xf16> into vector<{acc}xf32>
  %s = vector.shape_cast %r : vector<{acc}xf32> to vector<{n_acc}xf32>
  vector.store %s, %c[%q] : memref<{1}xf32>, vector<{n_acc}xf32>
  return
}}",
            64 * n_factor,
            64 * n_acc
        );
        let text = format!(
            "{program}
             module attributes {{transform.with_named_sequence}} {{
               transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
                 %f = transform.structured.match ops{{[\"func.func\"]}} in %root : (!transform.any_op) -> !transform.any_op
                 transform.apply_patterns to %f {{ transform.apply_patterns.iree.lower_inner_tiled }} : !transform.any_op
                 transform.yield
               }}
             }}"
        );
        // With columns first, the product is that of the transposed factors in the other order.
        let reference = match kind.strip_suffix(", col_major = true>") {
            Some(plain) => program.replace(kind, &format!("{plain}>")).replace("ins(%va, %vb)", "ins(%vb, %va)"),
            None => program.clone(),
        };
        let before = parse(&reference);
        let mut after = parse(&text);
        apply(&mut after, "run-script").unwrap();
        let printed = print(&after);
        assert_eq!((printed.matches(mark).count(), printed.matches("inner_tiled ").count()), (n, 0), "{printed}");
        let mut random = Random(5);
        let args = [(f16, n_factor), (f16, n_factor), (f32, n_acc)].map(|(elem, n)| random.tensor(elem, &[64 * n]));
        let [expected, found] = [&before, &after].map(|ir| common::run(ir, ir.funcs()[0], &args));
        assert!(expected == found, "{printed}");
        assert!(expected[2] != args[2].bytes);
    }
}

fn layout(ir: &Ir, op: OpId) -> Nested {
    match ir.attr(op, "layout") {
        Some(Attr::Layout(layout)) => Nested::clone(layout),
        other => panic!("no layout but {other:?}"),
    }
}

/// A product of 64 x 64 x 32 with this configuration.
fn product(config: &str) -> String {
    format!(
        "#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 64>
func.func @f(%a: tensor<64x32xf16>, %b: tensor<64x32xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {{translation_info = #launch}} {{
  %d = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = [\"parallel\", \"parallel\", \"reduction\"], lowering_config = {config}}}
      ins(%a, %b : tensor<64x32xf16>, tensor<64x32xf16>) outs(%c : tensor<64x64xf32>) {{
  ^bb0(%x: f16, %y: f16, %z: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %r = arith.mulf %p, %q : f32
    %s = arith.addf %z, %r : f32
    linalg.yield %s : f32
  }} -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}}"
    )
}

/// The layouts around a contraction are one view of its loops: what two operands share lies alike in both, and every
/// operand is covered, for bases that name digits in any order.
#[test]
fn anchors_are_one_view_of_the_loops() {
    for config in [
        "#iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>, subgroup_basis = [[2, 1, 1], [0, 1, 2]]}>",
        "#iree_gpu.lowering_config<{mma_kind = #iree_gpu.mma_layout<MFMA_F32_32x32x8_F16>, subgroup_basis = [[1, 2, 1], [2, 1, 0]], promote_operands = [1]}>",
        "#iree_gpu.lowering_config<{subgroup_basis = [[1, 2, 1], [2, 0, 1]], lane_basis = [[4, 8, 2], [1, 2, 0]], thread = [1, 2, 4]}>",
    ] {
        let mut ir = parse(&product(config));
        apply(&mut ir, "anchor-tensors").unwrap();
        let ops = ir.walk(ir.funcs()[0]).into_iter();
        let anchors: Vec<OpId> = ops.filter(|&op| ir.opcode(op) == Opcode::IreeVectorExtToLayout).collect();
        assert_eq!(anchors.len(), 4, "{}", print(&ir));
        let [lhs, rhs, acc, result] = [0, 1, 2, 3].map(|i| layout(&ir, anchors[i]));
        assert_eq!(acc, result);
        for (layout, shape) in [(&lhs, [64, 32]), (&rhs, [64, 32]), (&acc, [64, 64])] {
            assert_eq!(layout.undistributed_shape(), shape, "{config}");
            layout.check().unwrap();
        }
        // Rows of the left factor are those of the result and columns those of the right one, in their subgroups.
        let subgroups = |layout: &Nested, d: usize| [layout.subgroup_tile[d], layout.subgroup_strides[d]];
        assert_eq!(subgroups(&lhs, 0), subgroups(&acc, 0));
        assert_eq!(subgroups(&rhs, 0), subgroups(&acc, 1));
        assert_eq!(lhs.permute(&[1]), rhs.permute(&[1]), "{config}");
        let promoted: Vec<bool> =
            anchors.iter().map(|&op| ir.attr_id(op, "shared_memory_conversion").is_some()).collect();
        assert_eq!(promoted, [false, config.contains("promote"), false, false]);
    }
}
