// A tensor that comes from outside may have other elements there.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'target_encoding = tensor<4xf32>'
module {
  func.func @f(%arg0: !hal.buffer_view, %arg1: index, %arg2: !hal.fence) {
    %0 = hal.tensor.import wait(%arg2) => %arg0 "x" : !hal.buffer_view -> tensor<?x3xf32> as tensor<?x3xi32>{%arg1}
    %1 = hal.tensor.import consume %arg0 : !hal.buffer_view -> tensor<4xf32>
    %2 = hal.tensor.export %0 : tensor<?x3xf32> as tensor<?x3xi32>{%arg1} -> !hal.buffer_view
    return
  }
}

// -----
module {
  func.func @f(%arg0: !hal.buffer_view) {
    %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<4xf32>
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --split-input-file --mlir-print-op-generic --mlir-print-local-scope | grep 'target_encoding = tensor<4xf32>'
//     %1 = "hal.tensor.import"(%arg0) <{consume, operandSegmentSizes = array<i32: 1, 0, 0, 0>, target_encoding = tensor<4xf32>}> : (!hal.buffer_view) -> tensor<4xf32>
//     %0 = "hal.tensor.import"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, target_encoding = tensor<4xf32>}> : (!hal.buffer_view) -> tensor<4xf32>
