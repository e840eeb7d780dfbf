// What is legal but hardly meant is a warning: it is shown, compared with comments, and no failure.
// RUN: raddle opt %s --diagnostics=json | grep linalg
// RUN: raddle opt %s | grep linalg
// RUN: raddle check %s
// RUN: raddle check %s --json
// RUN: raddle opt %s --verify-diagnostics | grep -c linalg
#info = #iree_codegen.translation_info<pipeline = None workgroup_size = [64] subgroup_size = 64>
func.func @f(%a: tensor<32xf32>, %b: tensor<32xf32>) -> tensor<32xf32> attributes {translation_info = #info} {
  %0 = linalg.exp {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[32], [0]]}>}
    ins(%a : tensor<32xf32>) outs(%b : tensor<32xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// $ raddle opt %s --diagnostics=json | grep linalg
//     %0 = linalg.exp {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[32], [0]]}>} ins(%arg0 : tensor<32xf32>) outs(%arg1 : tensor<32xf32>) -> tensor<32xf32>
// {"code":"E0206","file":"opt/warnings_are_shown.mlir","help":null,"label":null,"message":"`lane_basis` multiplies to 32, but a subgroup has 64 lanes","notes":["subgroup 0, lanes 0 and 32 would hold the same element"],"related":[],"severity":"warning","span":{"end":{"byte":679,"column":73,"line":10},"start":{"byte":517,"column":3,"line":9}}}

// $ raddle opt %s | grep linalg
//     %0 = linalg.exp {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[32], [0]]}>} ins(%arg0 : tensor<32xf32>) outs(%arg1 : tensor<32xf32>) -> tensor<32xf32>
// warning[E0206]: `lane_basis` multiplies to 32, but a subgroup has 64 lanes
//  --> opt/warnings_are_shown.mlir:9:3
//   |
// 9 |   %0 = linalg.exp {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[32], [0]]}>}
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: subgroup 0, lanes 0 and 32 would hold the same element

// $ raddle check %s
// warning[E0206]: `lane_basis` multiplies to 32, but a subgroup has 64 lanes
//  --> opt/warnings_are_shown.mlir:9:3
//   |
// 9 |   %0 = linalg.exp {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[32], [0]]}>}
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: subgroup 0, lanes 0 and 32 would hold the same element

// $ raddle check %s --json
// {"diagnostics":[{"code":"E0206","file":"opt/warnings_are_shown.mlir","help":null,"label":null,"message":"`lane_basis` multiplies to 32, but a subgroup has 64 lanes","notes":["subgroup 0, lanes 0 and 32 would hold the same element"],"related":[],"severity":"warning","span":{"end":{"byte":679,"column":73,"line":10},"start":{"byte":517,"column":3,"line":9}}}],"ok":true}

// $ raddle opt %s --verify-diagnostics | grep -c linalg
// 1
// opt/warnings_are_shown.mlir:9: error: unexpected warning: `lane_basis` multiplies to 32, but a subgroup has 64 lanes
// [exit status 1]
