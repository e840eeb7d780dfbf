// A parallel loop has groups of expressions as bounds, in which a value is one dimension wherever it stands.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '"affine.parallel"(%arg0, %arg1, %arg1, %arg0)'
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'lowerBoundsGroups = dense<[2, 1]> : tensor<2xi32>'
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'lowerBoundsMap = affine_map<(d0, d1) -> (d0, d1 + 1, 0)>'
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'upperBoundsMap = affine_map<(d0)[s0] -> (d0, s0 * 2, 100)>'
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'reductions = [], steps = [2, 1]'
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'dense<[2, 1]> : tensor<2xi32>'
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'reductions = [0, 8]'
module {
  func.func @f(%arg0: index, %arg1: index, %arg2: memref<8x8xf32>) {
    affine.parallel (%arg3, %arg4) = (max(%arg0, %arg1 + 1), 0) to (min(%arg1, symbol(%arg0) * 2), 100) step (2, 1) {
    }
    return
  }
}

// -----
module {
  func.func @f(%arg0: index, %arg1: index, %arg2: memref<8x8xf32>) {
    %0:2 = affine.parallel (%arg3) = (0) to (%arg0) reduce ("addf", "minimumf") -> (f32, f32) {
      %1 = affine.load %arg2[%arg3, 0] : memref<8x8xf32>
      affine.yield %1, %1 : f32, f32
    } {tag}
    return
  }
}

// -----
module {
  func.func @f(%arg0: index, %arg1: index, %arg2: memref<8x8xf32>) {
    affine.parallel () = () to () {
    }
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep '"affine.parallel"(%arg0, %arg1, %arg1, %arg0)'
//     "affine.parallel"(%arg0, %arg1, %arg1, %arg0) <{lowerBoundsGroups = dense<[2, 1]> : tensor<2xi32>, lowerBoundsMap = affine_map<(d0, d1) -> (d0, d1 + 1, 0)>, reductions = [], steps = [2, 1], upperBoundsGroups = dense<[2, 1]> : tensor<2xi32>, upperBoundsMap = affine_map<(d0)[s0] -> (d0, s0 * 2, 100)>}> ({

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'lowerBoundsGroups = dense<[2, 1]> : tensor<2xi32>'
//     "affine.parallel"(%arg0, %arg1, %arg1, %arg0) <{lowerBoundsGroups = dense<[2, 1]> : tensor<2xi32>, lowerBoundsMap = affine_map<(d0, d1) -> (d0, d1 + 1, 0)>, reductions = [], steps = [2, 1], upperBoundsGroups = dense<[2, 1]> : tensor<2xi32>, upperBoundsMap = affine_map<(d0)[s0] -> (d0, s0 * 2, 100)>}> ({

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'lowerBoundsMap = affine_map<(d0, d1) -> (d0, d1 + 1, 0)>'
//     "affine.parallel"(%arg0, %arg1, %arg1, %arg0) <{lowerBoundsGroups = dense<[2, 1]> : tensor<2xi32>, lowerBoundsMap = affine_map<(d0, d1) -> (d0, d1 + 1, 0)>, reductions = [], steps = [2, 1], upperBoundsGroups = dense<[2, 1]> : tensor<2xi32>, upperBoundsMap = affine_map<(d0)[s0] -> (d0, s0 * 2, 100)>}> ({

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'upperBoundsMap = affine_map<(d0)[s0] -> (d0, s0 * 2, 100)>'
//     "affine.parallel"(%arg0, %arg1, %arg1, %arg0) <{lowerBoundsGroups = dense<[2, 1]> : tensor<2xi32>, lowerBoundsMap = affine_map<(d0, d1) -> (d0, d1 + 1, 0)>, reductions = [], steps = [2, 1], upperBoundsGroups = dense<[2, 1]> : tensor<2xi32>, upperBoundsMap = affine_map<(d0)[s0] -> (d0, s0 * 2, 100)>}> ({

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'reductions = [], steps = [2, 1]'
//     "affine.parallel"(%arg0, %arg1, %arg1, %arg0) <{lowerBoundsGroups = dense<[2, 1]> : tensor<2xi32>, lowerBoundsMap = affine_map<(d0, d1) -> (d0, d1 + 1, 0)>, reductions = [], steps = [2, 1], upperBoundsGroups = dense<[2, 1]> : tensor<2xi32>, upperBoundsMap = affine_map<(d0)[s0] -> (d0, s0 * 2, 100)>}> ({

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'dense<[2, 1]> : tensor<2xi32>'
//     "affine.parallel"(%arg0, %arg1, %arg1, %arg0) <{lowerBoundsGroups = dense<[2, 1]> : tensor<2xi32>, lowerBoundsMap = affine_map<(d0, d1) -> (d0, d1 + 1, 0)>, reductions = [], steps = [2, 1], upperBoundsGroups = dense<[2, 1]> : tensor<2xi32>, upperBoundsMap = affine_map<(d0)[s0] -> (d0, s0 * 2, 100)>}> ({

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'reductions = [0, 8]'
//     %0:2 = "affine.parallel"(%arg0) <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [0, 8], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<(d0) -> (d0)>}> ({
