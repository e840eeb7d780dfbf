// What means no layout is refused, and says why.
// RUN: raddle opt %s --target=gfx942 --split-input-file --anchor-tensors
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 64>
func.func @f(%a: tensor<64x32xf16>, %b: tensor<64x32xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #launch} {
  %d = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"], lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 64], [0, 1, 2]]}>}
    ins(%a, %b : tensor<64x32xf16>, tensor<64x32xf16>) outs(%c : tensor<64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %z: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %r = arith.mulf %p, %q : f32
    %s = arith.addf %z, %r : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// -----
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 64>
func.func @f(%a: tensor<64x32xf16>, %b: tensor<64x32xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #launch} {
  %d = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"], lowering_config = #iree_gpu.lowering_config<{subgroup_basis = [[1, 1], [0, 1]], lane_basis = [[1, 64], [0, 1]]}>}
    ins(%a, %b : tensor<64x32xf16>, tensor<64x32xf16>) outs(%c : tensor<64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %z: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %r = arith.mulf %p, %q : f32
    %s = arith.addf %z, %r : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// -----
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> subgroup_size = 64>
func.func @f(%a: tensor<64x32xf16>, %b: tensor<64x32xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #launch} {
  %d = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"], lowering_config = #iree_gpu.derived_thread_config}
    ins(%a, %b : tensor<64x32xf16>, tensor<64x32xf16>) outs(%c : tensor<64x64xf32>) {
  ^bb0(%x: f16, %y: f16, %z: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %r = arith.mulf %p, %q : f32
    %s = arith.addf %z, %r : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}

// $ raddle opt %s --target=gfx942 --split-input-file --anchor-tensors
//
//
// error[E0301]: Could not find a subgroup basis from lowering config
//  --> tensors/configurations_that_mean_no_layout_are_refused.mlir:5:3
//   |
// 5 |   %d = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// warning[E0206]: `subgroup_basis` multiplies to 1, but the workgroup has 2 subgroups
//   --> tensors/configurations_that_mean_no_layout_are_refused.mlir:21:3
//    |
// 21 |   %d = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: subgroups 0 and 1, lane 0 would hold the same element
// error[E0301]: the basis of the lowering config does not fit
//   --> tensors/configurations_that_mean_no_layout_are_refused.mlir:21:3
//    |
// 21 |   %d = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: the operation has 3 loops, and a basis is [1, 1]
// error[E0301]: unable to query workgroup_size information from entry point
//   --> tensors/configurations_that_mean_no_layout_are_refused.mlir:36:1
//    |
// 36 | func.func @f(%a: tensor<64x32xf16>, %b: tensor<64x32xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #launch} {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = help: add a `translation_info` with a `workgroup_size` to the function's attributes
// [exit status 1]
