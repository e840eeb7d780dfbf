// A parallel loop has groups of expressions as bounds, in which a value is one dimension wherever it stands.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: index, %arg1: index, %arg2: memref<8x8xf32>) {
  %0:2 = affine.parallel (%arg3) = (0) to (%arg0) reduce ("addf", "least") -> (f32, f32) {
    %1 = affine.load %arg2[%arg3, 0] : memref<8x8xf32>
    affine.yield %1, %1 : f32, f32
  } {tag}
  return
}

// -----
func.func @f(%arg0: index, %arg1: index, %arg2: memref<8x8xf32>) {
  %0:2 = affine.parallel (%arg3) = (0) to (%arg0) reduce ("addf", "mins") -> (f32, f32) {
    %1 = affine.load %arg2[%arg3, 0] : memref<8x8xf32>
    affine.yield %1, %1 : f32, f32
  } {tag}
  return
}

// -----
func.func @f(%arg0: index, %arg1: index, %arg2: memref<8x8xf32>) {
  %0:2 = affine.parallel (%arg3) = (0) to (%arg0) reduce ("addf", "minimumf") -> (f32, f32) {
    %1 = affine.load %arg2[%arg3, 0] : memref<8x8xf32>
    affine.yield %1 : f32
  } {tag}
  return
}

// -----
func.func @f(%arg0: index, %arg1: index, %arg2: memref<8x8xf32>) {
  affine.parallel (%arg3, %arg4) = (max(%arg0, %arg1 + 1), 0) to (min(%arg1, symbol(%arg0) * 2), 100) step (2) {
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: index, %arg2: memref<8x8xf32>) {
  affine.parallel (%arg3, %arg4) = (max(), 0) to (min(%arg1, symbol(%arg0) * 2), 100) step (2, 1) {
  }
  return
}

// -----
"builtin.module"() ({
  "func.func"() <{function_type = (index, index, memref<8x8xf32>) -> (), sym_name = "f"}> ({
  ^bb0(%arg0: index, %arg1: index, %arg2: memref<8x8xf32>):
    "affine.parallel"(%arg0, %arg1, %arg1, %arg0) <{lowerBoundsGroups = dense<1> : tensor<9999999999xi32>, lowerBoundsMap = affine_map<(d0, d1) -> (d0, d1 + 1, 0)>, reductions = [], steps = [2, 1], upperBoundsGroups = dense<1> : tensor<9999999999xi32>, upperBoundsMap = affine_map<(d0)[s0] -> (d0, s0 * 2, 100)>}> ({
    ^bb0(%arg3: index, %arg4: index):
      "affine.yield"() : () -> ()
    }) : (index, index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// $ raddle check %s --split-input-file
// error[E0101]: invalid reduction value: "least"
//  --> verify/loops/affine_parallel_loops.mlir:4:67
//   |
// 4 |   %0:2 = affine.parallel (%arg3) = (0) to (%arg0) reduce ("addf", "least") -> (f32, f32) {
//   |                                                                   ^^^^^^^
//
// error[E0201]: 'affine.parallel' op result type cannot match reduction attribute `mins`
//   --> verify/loops/affine_parallel_loops.mlir:13:3
//    |
// 13 |   %0:2 = affine.parallel (%arg3) = (0) to (%arg0) reduce ("addf", "mins") -> (f32, f32) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'affine.yield' op parent of yield must have same number of results as the yield operands
//   --> verify/loops/affine_parallel_loops.mlir:24:5
//    |
// 24 |     affine.yield %1 : f32
//    |     ^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'affine.parallel' op the number of region arguments (2) and the number of map groups for lower (2) and upper bound (2), and the number of steps (1) must all match
//   --> verify/loops/affine_parallel_loops.mlir:31:3
//    |
// 31 |   affine.parallel (%arg3, %arg4) = (max(%arg0, %arg1 + 1), 0) to (min(%arg1, symbol(%arg0) * 2), 100) step (2) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'affine.parallel' op expected lower bound map to have at least one result
//   --> verify/loops/affine_parallel_loops.mlir:38:3
//    |
// 38 |   affine.parallel (%arg3, %arg4) = (max(), 0) to (min(%arg1, symbol(%arg0) * 2), 100) step (2, 1) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'affine.parallel' op the number of region arguments (2) and the number of map groups for lower (3) and upper bound (3), and the number of steps (2) must all match
//   --> verify/loops/affine_parallel_loops.mlir:47:5
//    |
// 47 |     "affine.parallel"(%arg0, %arg1, %arg1, %arg0)...ffine_map<(d0)[s0] -> (d0, s0 * 2, 100)>}> ({
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 6 diagnostics
// [exit status 1]
