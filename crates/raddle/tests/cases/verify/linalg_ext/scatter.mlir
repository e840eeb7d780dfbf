// A scatter puts slices where indices say, and combines what meets.
// RUN: raddle check %s --split-input-file
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xi32>, %m: tensor<6xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xi32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x8xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xi32>, %m: tensor<6xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xi32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x8xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xi32>, %m: tensor<6xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [1] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xi32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x8xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xi32>, %m: tensor<6xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0, 0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xi32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x8xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xf32>, %m: tensor<6xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xf32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x8xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<7x1xi32>, %m: tensor<6xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<7x1xi32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x8xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1x1xi32>, %m: tensor<6xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1x1xi32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x8xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xi32>, %m: tensor<6xi16>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xi32>, tensor<6xi16>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x8xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xi32>, %m: tensor<6x8xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xi32>, tensor<6x8xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x8xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xi32>, %m: tensor<5xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xi32>, tensor<5xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x8xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xi32>, %m: tensor<6xi1>, %o: tensor<20x9xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xi32>, tensor<6xi1>) outs(%o : tensor<20x9xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x9xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xi32>, %m: tensor<6xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xi32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x8xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xi32>, %m: tensor<6xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xi32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f16):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x8xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xi32>, %m: tensor<6xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xi32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a, %b : f32, f32
  } -> tensor<20x8xf32>
  return
}

// -----
func.func @f(%u: f32, %i: tensor<6x1xi32>, %m: tensor<6xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : f32, tensor<6x1xi32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<20x8xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xi32>, %m: tensor<6xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xi32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> tensor<?x8xf32>
  return
}

// -----
func.func @f(%u: tensor<6x8xf32>, %i: tensor<6x1xi32>, %m: tensor<6xi1>, %o: tensor<20x8xf32>) {
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
      ins(%u, %i, %m : tensor<6x8xf32>, tensor<6x1xi32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    iree_linalg_ext.yield %a : f32
  } -> memref<20x8xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.scatter' op dimension map must have at least one element
//   --> verify/linalg_ext/scatter.mlir:14:3
//    |
// 14 |   %r = iree_linalg_ext.scatter dimension_map = [] unique_indices(true)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.scatter' op dimension map is invalid.
//   --> verify/linalg_ext/scatter.mlir:24:3
//    |
// 24 |   %r = iree_linalg_ext.scatter dimension_map = [1] unique_indices(true)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: element (1) at index#0 is out of bounds
//
// error[E0201]: 'iree_linalg_ext.scatter' op dimension map is invalid.
//   --> verify/linalg_ext/scatter.mlir:34:3
//    |
// 34 |   %r = iree_linalg_ext.scatter dimension_map = [0, 0] unique_indices(true)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: element (0) at index#1 is a duplicate
//
// error[E0201]: 'iree_linalg_ext.scatter' op expected indices to be of rank 1 or greater and of integer or index element type
//   --> verify/linalg_ext/scatter.mlir:44:3
//    |
// 44 |   %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.scatter' op mismatch in shape of indices and update value at dim#0
//   --> verify/linalg_ext/scatter.mlir:54:3
//    |
// 54 |   %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.scatter' op expected indices to be equal to batch rank or batch rank + 1
//   --> verify/linalg_ext/scatter.mlir:64:3
//    |
// 64 |   %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.scatter' op expected mask to have i1 or storage-legalized i8 element type
//   --> verify/linalg_ext/scatter.mlir:74:3
//    |
// 74 |   %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.scatter' op expected mask rank to match batch rank
//   --> verify/linalg_ext/scatter.mlir:84:3
//    |
// 84 |   %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.scatter' op mask shape must match batch dimensions at dim#0
//   --> verify/linalg_ext/scatter.mlir:94:3
//    |
// 94 |   %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.scatter' op shape of update value dim#1 must match original value at dim#1
//    --> verify/linalg_ext/scatter.mlir:104:3
//     |
// 104 |   %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.scatter' op expected region to have two arguments
//    --> verify/linalg_ext/scatter.mlir:114:3
//     |
// 114 |   %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.scatter' op mismatch in argument 1 of region 'f16' and element type of original value 'f32'
//    --> verify/linalg_ext/scatter.mlir:124:3
//     |
// 124 |   %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.yield' op expected region to yield a single value
//    --> verify/linalg_ext/scatter.mlir:137:5
//     |
// 137 |     iree_linalg_ext.yield %a, %b : f32, f32
//     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: invalid kind of type specified: expected a ranked tensor or memref, found `f32`
//    --> verify/linalg_ext/scatter.mlir:145:24
//     |
// 145 |       ins(%u, %i, %m : f32, tensor<6x1xi32>, tensor<6xi1>) outs(%o : tensor<20x8xf32>) {
//     |                        ^^^
//
// error[E0201]: 'iree_linalg_ext.scatter' op expected type of operand #3 ('tensor<20x8xf32>') to match type of corresponding result ('tensor<?x8xf32>')
//    --> verify/linalg_ext/scatter.mlir:154:3
//     |
// 154 |   %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.scatter' op result #0 must be variadic of ranked tensor of any non-token type values, but got 'memref<20x8xf32>'
//    --> verify/linalg_ext/scatter.mlir:164:3
//     |
// 164 |   %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(true)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//     |
//     = note: this is `results`: a ranked tensor
//
// 16 diagnostics
// [exit status 1]
