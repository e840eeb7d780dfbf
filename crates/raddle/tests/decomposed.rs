//! Operations that stand for several simpler ones compile, and give what they mean.

mod common;

use common::raddle_with;

/// Reductions below a running maximum, and a region about tensors in the place of its operation.
#[test]
fn exp_reduction_and_custom_op_are_right() {
    let text = "
func.func @f(%s: tensor<32x24xf32>, %v: tensor<24x8xf32>, %m: tensor<32xf32>, %acc: tensor<32x8xf32>) -> (tensor<32xf32>, tensor<32x8xf32>) {
  %r:2 = iree_linalg_ext.exp_reduction {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = [#iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<parallel>, #iree_linalg_ext.iterator_type<reduction>],
      exp_reduced_operands = [1]}
      ins(%s, %v : tensor<32x24xf32>, tensor<24x8xf32>) outs(%m, %acc : tensor<32xf32>, tensor<32x8xf32>) {
  ^bb0(%ex: f32, %value: f32, %max: f32, %part: f32):
    %p = arith.mulf %ex, %value : f32
    %a = arith.addf %p, %part : f32
    iree_linalg_ext.yield %max, %a : f32, f32
  } -> tensor<32xf32>, tensor<32x8xf32>
  return %r#0, %r#1 : tensor<32xf32>, tensor<32x8xf32>
}";
    raddle_with(&["run", "-"], text).says(0, &["correct: "]);
}

/// Winograd's transforms are products with windows of images and tiles of products.
#[test]
fn winograd_transforms_are_right() {
    let text = "
func.func @f(%a: tensor<1x14x20x16xf32>, %w: tensor<3x3x16x8xf32>) -> (tensor<8x8x1x2x3x16xf32>, tensor<8x8x16x8xf32>, tensor<1x12x18x16xf32>) {
  %e = tensor.empty() : tensor<8x8x1x2x3x16xf32>
  %t = iree_linalg_ext.winograd.input_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(%a : tensor<1x14x20x16xf32>) outs(%e : tensor<8x8x1x2x3x16xf32>) -> tensor<8x8x1x2x3x16xf32>
  %g = tensor.empty() : tensor<8x8x16x8xf32>
  %u = iree_linalg_ext.winograd.filter_transform output_tile_size(6) kernel_size(3) kernel_dimensions([0, 1]) ins(%w : tensor<3x3x16x8xf32>) outs(%g : tensor<8x8x16x8xf32>) -> tensor<8x8x16x8xf32>
  %o = tensor.empty() : tensor<1x12x18x16xf32>
  %r = iree_linalg_ext.winograd.output_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(%t : tensor<8x8x1x2x3x16xf32>) outs(%o : tensor<1x12x18x16xf32>) -> tensor<1x12x18x16xf32>
  return %t, %u, %r : tensor<8x8x1x2x3x16xf32>, tensor<8x8x16x8xf32>, tensor<1x12x18x16xf32>
}";
    raddle_with(&["run", "-"], text).says(0, &["correct: "]);
}

/// Scalar operations on tensors, with constants and one number for all elements.
#[test]
fn scalar_operations_work_on_tensors() {
    let text = "
func.func @f(%a: tensor<7x9xf32>, %b: tensor<7x9xf32>, %n: tensor<7x9xi8>, %c: i1) -> (tensor<7x9xf32>, tensor<7x9xi8>) {
  %two = arith.constant dense<2.0> : tensor<7x9xf32>
  %s = arith.mulf %a, %two : tensor<7x9xf32>
  %t = math.tanh %s : tensor<7x9xf32>
  %less = arith.cmpf olt, %t, %b : tensor<7x9xf32>
  %u = arith.select %less, %t, %b : tensor<7x9xi1>, tensor<7x9xf32>
  %w = arith.select %c, %u, %a : tensor<7x9xf32>
  %m = arith.sitofp %n : tensor<7x9xi8> to tensor<7x9xf32>
  %r = arith.addf %w, %m : tensor<7x9xf32>
  %h = arith.truncf %r : tensor<7x9xf32> to tensor<7x9xf8E4M3FN>
  %i = arith.bitcast %h : tensor<7x9xf8E4M3FN> to tensor<7x9xi8>
  return %r, %i : tensor<7x9xf32>, tensor<7x9xi8>
}";
    let seed: Vec<String> = (0..3).map(|seed| format!("--seed={seed}")).collect();
    for seed in &seed {
        raddle_with(&["run", "-", seed, "--compare=tensor,lowered"], text).says(0, &["stage `lowered`"]);
    }
    assert_eq!(raddle_with(&["build", "-"], text).out.matches(".entry").count(), 1);
}
