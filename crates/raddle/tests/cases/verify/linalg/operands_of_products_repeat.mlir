// Operands of products may lack dimensions, but not any.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: memref<?x?xf32>, %arg1: memref<?x?x?xf32>) {
  linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%arg0, %arg1 : memref<?x?xf32>, memref<?x?x?xf32>) outs(%arg1 : memref<?x?x?xf32>)
  return
}

// -----
func.func @f(%arg0: memref<?x?xf32>, %arg1: memref<?x?x?xf32>) {
  linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%arg0, %arg1 : memref<?x?xf32>, memref<?x?x?xf32>) outs(%arg1 : memref<?x?x?xf32>)
  return
}

// -----
func.func @f(%arg0: memref<?x?xf32>, %arg1: memref<?x?x?xf32>) {
  linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%arg1, %arg1 : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%arg1 : memref<?x?x?xf32>)
  return
}

// -----
func.func @f(%arg0: memref<?x?xf32>, %arg1: memref<?x?x?xf32>) {
  linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%arg1, %arg1 : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%arg1 : memref<?x?x?xf32>)
  return
}

// -----
func.func @f(%arg0: memref<?x?xf32>, %arg1: memref<?x?x?xf32>) {
  linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d1)>] ins(%arg1, %arg1 : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%arg1 : memref<?x?x?xf32>)
  return
}

// -----
func.func @f(%arg0: memref<?x?xf32>, %arg1: memref<?x?x?xf32>) {
  linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>] ins(%arg0, %arg0 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg0 : memref<?x?xf32>)
  return
}

// -----
func.func @f(%arg0: memref<?x?xf32>, %arg1: memref<?x?x?xf32>) {
  linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d0)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>] ins(%arg0, %arg0 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg0 : memref<?x?xf32>)
  return
}

// -----
func.func @f(%arg0: memref<?x?xf32>, %arg1: memref<?x?x?xf32>) {
  linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>] ins(%arg0, %arg0 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg0 : memref<?x?xf32>)
  return
}

// -----
func.func @f(%arg0: memref<?x?xf32>, %arg1: memref<?x?x?xf32>) {
  linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%arg0, %arg0 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg0 : memref<?x?xf32>)
  return
}

// -----
func.func @f(%arg0: memref<?x?xf32>, %arg1: memref<?x?x?xf32>) {
  linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%arg0, %arg0 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg0 : memref<?x?xf32>)
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'linalg.batch_matmul' op Invalid broadcast requested.
//   --> verify/linalg/operands_of_products_repeat.mlir:10:3
//    |
// 10 |   linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%arg0, %arg1 : memref<?x?xf32>, memref<?x?x?xf32>) outs(%arg1 : memref<?x?x?xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.batch_matmul' op Unexpected result dim expression (outside the set of default result dims).
//   --> verify/linalg/operands_of_products_repeat.mlir:16:3
//    |
// 16 |   linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%arg1, %arg1 : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%arg1 : memref<?x?x?xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.batch_matmul' op Invalid batch dimension expression.
//   --> verify/linalg/operands_of_products_repeat.mlir:22:3
//    |
// 22 |   linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%arg1, %arg1 : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%arg1 : memref<?x?x?xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.batch_matmul' op Invalid output map result dimension.
//   --> verify/linalg/operands_of_products_repeat.mlir:28:3
//    |
// 28 |   linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d1)>] ins(%arg1, %arg1 : memref<?x?x?xf32>, memref<?x?x?xf32>) outs(%arg1 : memref<?x?x?xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.contract' op provided affine_map is not a projected permutation
//   --> verify/linalg/operands_of_products_repeat.mlir:40:3
//    |
// 40 |   linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d0)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>] ins(%arg0, %arg0 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg0 : memref<?x?xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.contract' op ranks of shaped operand and results of corresponding affine_map differ
//   --> verify/linalg/operands_of_products_repeat.mlir:46:3
//    |
// 46 |   linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>] ins(%arg0, %arg0 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg0 : memref<?x?xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.contract' op iteration space dim at index 2 not used to access any operand
//   --> verify/linalg/operands_of_products_repeat.mlir:52:3
//    |
// 52 |   linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%arg0, %arg0 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg0 : memref<?x?xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.contract' op iteration space dim at index 2 is neither a contracting dim nor of parallel iteration type
//   --> verify/linalg/operands_of_products_repeat.mlir:58:3
//    |
// 58 |   linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%arg0, %arg0 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg0 : memref<?x?xf32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 8 diagnostics
// [exit status 1]
