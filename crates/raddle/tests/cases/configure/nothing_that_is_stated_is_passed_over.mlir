// What stands in `translation_info`, and older spellings of configurations, have an effect or are refused.
// RUN: raddle opt %s --split-input-file --configure --tile --remarks 2>&1 | grep -e error -e warning -e remark -e help
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<WinogradVectorize> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 0, 8], lane_basis = [[4, 8, 1], [0, 1, 2]], subgroup_basis = [[2, 1, 1], [0, 1, 2]]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 0, 8], lane_basis = [[4, 8, 1], [0, 1, 2]], subgroup_basis = [[2, 1, 1], [0, 1, 2]]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_codegen.lowering_config<tile_sizes = [[32, 32, 16]]>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 0, 8], lane_basis = [[4, 8, 1], [0, 1, 2]], subgroup_basis = [[2, 1, 1], [0, 1, 2]], subgroup = [8, 0, 0]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 0, 8], lane_basis = [[4, 8, 1], [0, 1, 2]], subgroup_basis = [[2, 1, 1], [0, 1, 2]], serial = [0, 8, 0]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 0, 8], lane_basis = [[4, 8, 1], [0, 1, 2]], subgroup_basis = [[2, 1, 1], [0, 1, 2]], serial = [0, 16, 0]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 0, 8], lane_basis = [[4, 8, 1], [0, 1, 2]], subgroup_basis = [[2, 1, 1], [0, 1, 2]], subgroup = [0, 0, 0]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 0, 8], lane_basis = [[4, 8, 1], [0, 1, 2]], subgroup_basis = [[2, 1, 1], [0, 1, 2]], padding = [32, 32, 0]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 0, 8], lane_basis = [[4, 8, 1], [0, 1, 2]], subgroup_basis = [[2, 1, 1], [0, 1, 2]], convert_acc_gemm}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 0, 8], lane_basis = [[4, 8, 1], [0, 1, 2]], subgroup_basis = [[2, 1, 1], [0, 1, 2]], padding_conv = [0, 0, 0]}>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----
func.func @f(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>, %c: tensor<64x64xf32>) -> tensor<64x64xf32>  {
  %r = linalg.matmul {compilation_info = #iree_codegen.compilation_info<lowering_config = #iree_gpu.lowering_config<{workgroup = [16, 16, 0], reduction = [0, 0, 8], lane_basis = [[4, 8, 1], [0, 1, 2]], subgroup_basis = [[2, 1, 1], [0, 1, 2]]}>, translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>>} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// $ raddle opt %s --split-input-file --configure --tile --remarks 2>&1 | grep -e error -e warning -e remark -e help
// error[E0301]: there is no pipeline `WinogradVectorize` here
//   = help: there are `VectorDistribute`, `TileAndFuse`, `Distribute` for scalar loops, and `LLVMGPUMatmulTensorCore` and `LLVMGPUMatmulTensorCoreMmaSync` for products
// warning[E0206]: `subgroup_basis` multiplies to 2, but the workgroup has 1 subgroup
// error[E0301]: `subgroup_basis` multiplies to 2, and a workgroup of 32 threads has 1
//    = help: state `workgroup_size = [64, 1, 1]`
// error[E0301]: `lowering_config` is not an `#iree_gpu.lowering_config`
//    = help: a configuration looks like #iree_gpu.lowering_config<{workgroup = [64, 64, 0], reduction = [0, 0, 32], …}>
// error[E0301]: `lowering_config` has 8 for loop 0 in `subgroup`, which is not done
//    = help: let it have 0, and `subgroup_basis` 2 for loop 0
// error[E0301]: `lowering_config` has 8 for loop 1 in `serial`, which is not done
//    = help: let `workgroup` have 8 there, and `serial` 0
// remark[E0301]: `padding` has no effect: edges are masked
// remark[E0301]: `convert_acc_gemm` has no effect: what a product adds to is read into registers in any case
// error[E0301]: `subgroup_basis` multiplies to 2, and a workgroup of 32 threads has 1
//    = help: state `workgroup_size = [64, 1, 1]`
// [exit status 1]
