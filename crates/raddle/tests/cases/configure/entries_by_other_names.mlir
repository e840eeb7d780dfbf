// An entry of a configuration that there is not is answered with the one that is meant.
// RUN: raddle opt %s --to=tiled --split-input-file
func.func @counts(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 16], subgroup_m_count = 2}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----
func.func @misspelt(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroups = [64, 64, 0], reduction = [0, 0, 16]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// $ raddle opt %s --to=tiled --split-input-file
//
// error[E0301]: `lowering_config` has the unknown entry `subgroup_m_count`
//  --> configure/entries_by_other_names.mlir:4:3
//   |
// 4 |   %0 = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 16], subgroup_m_count = 2}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: subgroups are counted by `subgroup_basis`, as in `[[2, 2, 1], [0, 1, 2]]` for 2 x 2
// error[E0301]: `lowering_config` has the unknown entry `workgroups`
//   --> configure/entries_by_other_names.mlir:10:3
//    |
// 10 |   %0 = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroups = [64, 64, 0], reduction = [0, 0, 16]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = help: did you mean `workgroup`?
// [exit status 1]
