//! Matrix instructions on tiles of a whole workgroup's vectors: what each thread gets of them makes the same product.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raddle_emu::{Launch, Mode, Options, Tensor};
use raddle_ir::{Diag, Float, Scalar, verify};
use raddle_passes::{Facts, PASSES};
use raddle_target::{Stage, chip};

const F16: Scalar = Scalar::Float(Float::F16);
const F32: Scalar = Scalar::Float(Float::F32);

/// Two times four tiles of A, four times two of B; two subgroups share the rows of tiles, and two do the same. Lanes have
/// four neighbours of a column of B and C.
fn kernel(lanes_of_a: &str) -> String {
    format!(
        "#a = #iree_vector_ext.nested_layout<subgroup_tile = [2, 1, 1, 1], batch_tile = [1, 4, 1, 1],
  outer_tile = [1, 1, 1, 1], {lanes_of_a}>
#b = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1, 1, 1], batch_tile = [4, 2, 1, 1],
  outer_tile = [1, 1, 1, 1], thread_tile = [1, 1, 4, 16], element_tile = [1, 1, 4, 1],
  subgroup_strides = [0, 0, 0, 0], thread_strides = [0, 0, 16, 1]>
#c = #iree_vector_ext.nested_layout<subgroup_tile = [2, 1, 1, 1], batch_tile = [1, 2, 1, 1],
  outer_tile = [1, 1, 1, 1], thread_tile = [1, 1, 4, 16], element_tile = [1, 1, 4, 1],
  subgroup_strides = [1, 0, 0, 0], thread_strides = [0, 0, 16, 1]>
func.func @kernel(%a: memref<2x4x16x16xf16>, %b: memref<4x2x16x16xf16>, %c: memref<2x2x16x16xf32>) attributes {{
  translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute>
    workgroup_size = [256, 1, 1] subgroup_size = 64>}} {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  %none = arith.constant 0.0 : f32
  %ra = vector.transfer_read %a[%c0, %c0, %c0, %c0], %zero {{in_bounds = [true, true, true, true]}}
    : memref<2x4x16x16xf16>, vector<2x4x16x16xf16>
  %rb = vector.transfer_read %b[%c0, %c0, %c0, %c0], %zero {{in_bounds = [true, true, true, true]}}
    : memref<4x2x16x16xf16>, vector<4x2x16x16xf16>
  %rc = vector.transfer_read %c[%c0, %c0, %c0, %c0], %none {{in_bounds = [true, true, true, true]}}
    : memref<2x2x16x16xf32>, vector<2x2x16x16xf32>
  %ta = iree_vector_ext.to_layout %ra to layout(#a) : vector<2x4x16x16xf16>
  %tb = iree_vector_ext.to_layout %rb to layout(#b) : vector<4x2x16x16xf16>
  %tc = iree_vector_ext.to_layout %rc to layout(#c) : vector<2x2x16x16xf32>
  %d = iree_codegen.inner_tiled ins(%ta, %tb) outs(%tc) {{
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>],
    kind = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>,
    semantics = #iree_gpu.mma_semantics<distributed = false, opaque = true>
  }} : vector<2x4x16x16xf16>, vector<4x2x16x16xf16> into vector<2x2x16x16xf32>
  vector.transfer_write %d, %c[%c0, %c0, %c0, %c0] {{in_bounds = [true, true, true, true]}}
    : vector<2x2x16x16xf32>, memref<2x2x16x16xf32>
  return
}}"
    )
}

/// The buffers of a run of the kernel at a stage behind distribution.
fn run(text: &str, args: &[Tensor], stage: Stage) -> Result<Vec<Tensor>, Diag> {
    let mut ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"));
    let func = ir.funcs()[0];
    let facts = Facts::new(chip("gfx942").unwrap());
    let stages = Some(Stage::LaidOut)..=Some(stage);
    for pass in PASSES.iter().filter(|pass| pass.stage.is_some() && stages.contains(&pass.stage)) {
        pass.run(&mut ir, func, &facts)?;
    }
    assert_eq!(verify(&ir), []);
    let launch = Launch { mode: Mode::Simt, ..Launch::of(&ir, func).unwrap() };
    let outcome = raddle_emu::run(&ir, func, args, &launch, &Options::default());
    Ok(outcome.unwrap_or_else(|diag| panic!("{diag:?}")).buffers)
}

/// Every element of C is the sum that loops over the tiles and inside of them compute.
#[test]
fn tiles_multiply_as_matrices_do() {
    let small = |n: usize, scale: usize| (0..n).map(|i| ((i * scale) % 7) as f64 - 3.0).collect::<Vec<_>>();
    let (a, b, c) = (small(2 * 4 * 256, 5), small(4 * 2 * 256, 3), small(2 * 2 * 256, 2));
    let args = [
        Tensor::from_f64(F16, &[2, 4, 16, 16], &a),
        Tensor::from_f64(F16, &[4, 2, 16, 16], &b),
        Tensor::from_f64(F32, &[2, 2, 16, 16], &c),
    ];
    let lanes = "thread_tile = [1, 1, 16, 4], element_tile = [1, 1, 1, 4], subgroup_strides = [1, 0, 0, 0], \
                 thread_strides = [0, 0, 1, 16]";
    for stage in [Stage::Distributed, Stage::Lowered] {
        let got = run(&kernel(lanes), &args, stage).unwrap()[2].to_f64();
        for (i, j) in (0..2).flat_map(|i| (0..2).map(move |j| (i, j))) {
            for (m, n) in (0..16).flat_map(|m| (0..16).map(move |n| (m, n))) {
                let at = ((i * 2 + j) * 16 + m) * 16 + n;
                let mut want = c[at];
                for (k, l) in (0..4).flat_map(|k| (0..16).map(move |l| (k, l))) {
                    want += a[((i * 4 + k) * 16 + m) * 16 + l] * b[((k * 2 + j) * 16 + l) * 16 + n];
                }
                assert_eq!(got[at], want, "tile {i}, {j}, element {m}, {n}");
            }
        }
    }
}

/// The instruction that tiles are made for is an anchor: where nothing else is said, tiles lie as it says, subgroups
/// share them, and the product is the same.
#[test]
fn tiles_are_anchors() {
    let text = kernel(
        "thread_tile = [1, 1, 16, 4], element_tile = [1, 1, 1, 4], subgroup_strides = [1, 0, 0, 0], \
                       thread_strides = [0, 0, 1, 16]",
    );
    let bare: String =
        text.lines().filter(|line| !line.contains("to_layout")).map(|line| format!("{line}\n")).collect();
    let bare = bare.replace("ins(%ta, %tb) outs(%tc)", "ins(%ra, %rb) outs(%rc)");
    assert!(!bare.contains("layout("), "{bare}");
    let small = |n: usize, scale: usize| (0..n).map(|i| ((i * scale) % 7) as f64 - 3.0).collect::<Vec<_>>();
    let args = [
        Tensor::from_f64(F16, &[2, 4, 16, 16], &small(2 * 4 * 256, 5)),
        Tensor::from_f64(F16, &[4, 2, 16, 16], &small(4 * 2 * 256, 3)),
        Tensor::from_f64(F32, &[2, 2, 16, 16], &small(2 * 2 * 256, 2)),
    ];
    let want = run(&text, &args, Stage::Distributed).unwrap();
    for stage in [Stage::Distributed, Stage::Lowered] {
        assert_eq!(run(&bare, &args, stage).unwrap()[2].bytes, want[2].bytes);
    }
    // Four subgroups have a tile of the result each.
    let mut ir = raddle_ir::parse(&bare).unwrap();
    let func = ir.funcs()[0];
    let lay_out = PASSES.iter().find(|pass| pass.stage == Some(Stage::LaidOut)).unwrap();
    lay_out.run(&mut ir, func, &Facts::new(chip("gfx942").unwrap())).unwrap();
    let printed = raddle_ir::print(&ir, &Default::default());
    assert!(printed.contains("subgroup_tile = [2, 2, 1, 1], batch_tile = [1, 1, 1, 1]"), "{printed}");
}

/// A contraction that names an instruction which does not divide it is refused, and told what would fit.
#[test]
fn a_named_instruction_must_fit() {
    let text = "func.func @f(%a: memref<16x8xf16>, %c: memref<16x16xf32>) attributes {
  translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  %none = arith.constant dense<0.0> : vector<16x16xf32>
  %x = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x8xf16>, vector<16x8xf16>
  %d = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<add>, iree.gpu.mma = #iree_gpu.mma_layout<MFMA_F32_16x16x16_F16>} %x, %x, %none
      : vector<16x8xf16>, vector<16x8xf16> into vector<16x16xf32>
  vector.transfer_write %d, %c[%c0, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32>
  return
}";
    let mut ir = raddle_ir::parse(text).unwrap_or_else(|diags| panic!("{diags:#?}"));
    let func = ir.funcs()[0];
    let lay_out = PASSES.iter().find(|pass| pass.stage == Some(Stage::LaidOut)).unwrap();
    let diag = lay_out.run(&mut ir, func, &Facts::new(chip("gfx942").unwrap())).unwrap_err();
    assert!(diag.message.contains("MFMA_F32_16x16x16_F16") && diag.help.is_some(), "{diag:#?}");
}

/// Lanes that have other elements of a tile than the instruction takes from them are refused.
#[test]
fn tiles_lie_as_the_instruction_says() {
    let args = [(F16, [2, 4, 16, 16]), (F16, [4, 2, 16, 16]), (F32, [2, 2, 16, 16])];
    let args = args.map(|(elem, shape)| Tensor::zeros(elem, &shape));
    let turned = "thread_tile = [1, 1, 4, 16], element_tile = [1, 1, 4, 1], subgroup_strides = [1, 0, 0, 0], \
                  thread_strides = [0, 0, 16, 1]";
    let diag = run(&kernel(turned), &args, Stage::Distributed).unwrap_err();
    assert!(
        diag.notes.iter().any(|note| note.contains("operand 0") && note.contains("MFMA_F32_16x16x16_F16")),
        "{diag:#?}"
    );
}
