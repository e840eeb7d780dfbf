// What one lane computes for all is dealt out evenly.
// RUN: raddle check %s --split-input-file --allow-unregistered-dialect
func.func @f(%n: index) {
  %0 = gpu.warp_execute_on_lane_0(%n)[32] -> (vector<4xi32>) { %1 = "x.y"() : () -> vector<128xi32> gpu.yield %1 : vector<128xi32> }
  return
}

// -----
func.func @f(%n: index) {
  %0 = gpu.warp_execute_on_lane_0(%n)[32] -> (i32) { %1 = "x.y"() : () -> i32 gpu.yield %1 : i32 }
  return
}

// -----
func.func @f(%n: index) {
  %0 = gpu.warp_execute_on_lane_0(%n)[32] -> (i32) { %1 = "x.y"() : () -> vector<128xi32> gpu.yield %1 : vector<128xi32> }
  return
}

// -----
func.func @f(%n: index) {
  %0 = gpu.warp_execute_on_lane_0(%n)[32] -> (vector<4xf32>) { %1 = "x.y"() : () -> vector<128xi32> gpu.yield %1 : vector<128xi32> }
  return
}

// -----
func.func @f(%n: index) {
  %0 = gpu.warp_execute_on_lane_0(%n)[32] -> (vector<1x3xi32>) { %1 = "x.y"() : () -> vector<4x8xi32> gpu.yield %1 : vector<4x8xi32> }
  return
}

// -----
func.func @f(%n: index) {
  %0 = gpu.warp_execute_on_lane_0(%n)[32] -> (vector<4xi32>) { %1 = "x.y"() : () -> vector<64xi32> gpu.yield %1 : vector<64xi32> }
  return
}

// -----
func.func @f(%n: index, %v: vector<4xi32>) {
  gpu.warp_execute_on_lane_0(%n)[32] {
  ^bb0(%a: i32):
  }
  return
}

// -----
func.func @f(%n: index, %v: vector<4xi32>) {
  %0 = gpu.warp_execute_on_lane_0(%n)[32] -> (i32) {
  }
  return
}

// $ raddle check %s --split-input-file --allow-unregistered-dialect
// error[E0201]: 'gpu.warp_execute_on_lane_0' op expected vector type for distributed operands.
//   --> verify/gpu/wrong_dealing.mlir:16:3
//    |
// 16 |   %0 = gpu.warp_execute_on_lane_0(%n)[32] -> (i32) { %1 = "x.y"() : () -> vector<128xi32> gpu.yield %1 : vector<128xi32> }
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.warp_execute_on_lane_0' op expected distributed vectors to have same rank and element type.
//   --> verify/gpu/wrong_dealing.mlir:22:3
//    |
// 22 |   %0 = gpu.warp_execute_on_lane_0(%n)[32] -> (vector<4xf32>) { %1 = "x.y"() : () -> vector<128xi32> gpu.yield %1 : vector<128xi32> }
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.warp_execute_on_lane_0' op expected expanded vector dimension #1 (8) to be a multipler of the distributed vector dimension (3)
//   --> verify/gpu/wrong_dealing.mlir:28:3
//    |
// 28 |   %0 = gpu.warp_execute_on_lane_0(%n)[32] -> (vector<1x3xi32>) { %1 = "x.y"() : () -> vector<4x8xi32> gpu.yield %1 : vector<4x8xi32> }
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.warp_execute_on_lane_0' op incompatible distribution dimensions from 'vector<64xi32>' to 'vector<4xi32>' with warp size = 32
//   --> verify/gpu/wrong_dealing.mlir:34:3
//    |
// 34 |   %0 = gpu.warp_execute_on_lane_0(%n)[32] -> (vector<4xi32>) { %1 = "x.y"() : () -> vector<64xi32> gpu.yield %1 : vector<64xi32> }
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.warp_execute_on_lane_0' op expected same number op arguments and block arguments.
//   --> verify/gpu/wrong_dealing.mlir:40:3
//    |
// 40 |   gpu.warp_execute_on_lane_0(%n)[32] {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.warp_execute_on_lane_0' op expected same number of yield operands and return values.
//   --> verify/gpu/wrong_dealing.mlir:48:3
//    |
// 48 |   %0 = gpu.warp_execute_on_lane_0(%n)[32] -> (i32) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 6 diagnostics
// [exit status 1]
