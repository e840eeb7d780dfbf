// A warning that a comment expects is not a failure.
// RUN: raddle opt %s --verify-diagnostics | grep -c linalg
#info = #iree_codegen.translation_info<pipeline = None workgroup_size = [64] subgroup_size = 64>
func.func @f(%a: tensor<32xf32>, %b: tensor<32xf32>) -> tensor<32xf32> attributes {translation_info = #info} {
  // expected-warning @+1 {{`lane_basis` multiplies to 32}}
  %0 = linalg.exp {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[32], [0]]}>}
    ins(%a : tensor<32xf32>) outs(%b : tensor<32xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// $ raddle opt %s --verify-diagnostics | grep -c linalg
// 1
