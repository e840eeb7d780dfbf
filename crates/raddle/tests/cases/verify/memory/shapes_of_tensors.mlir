// Shapes of tensors follow from what makes them.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.concat dim(0) %arg0, %arg4 : (tensor<4x?xf32>, tensor<3x8xf32>) -> tensor<7x8xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.gather %arg4[%arg1] gather_dims([1]) : (tensor<3x8xf32>, tensor<2x5x1xindex>) -> tensor<2x5x3xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.gather %arg4[%arg1] gather_dims([1]) : (tensor<3x8xf32>, tensor<2x5x1xindex>) -> tensor<2x5x3x1xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.cast %arg0 : tensor<4x?xf32> to tensor<*xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.concat dim(1) %arg0, %arg4 : (tensor<4x?xf32>, tensor<3x8xf32>) -> tensor<4x?xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.concat dim(0) %arg4, %arg4 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<7x8xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.gather %arg4[%arg1] gather_dims([1, 0]) : (tensor<3x8xf32>, tensor<2x5x1xindex>) -> tensor<2x5xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.gather %arg4[%arg1] gather_dims([2]) : (tensor<3x8xf32>, tensor<2x5x1xindex>) -> tensor<2x5xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.cast %arg4 : tensor<3x8xf32> to tensor<4x?xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.bitcast %arg4 : tensor<3x8xf32> to tensor<3x8xi16>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.dim %arg5, %arg2 : tensor<f32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.extract %arg4[%arg2] : tensor<3x8xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.insert %arg3 into %arg4[] : tensor<3x8xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.splat %arg3[%arg2] : tensor<4xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.from_elements %arg3, %arg3 : tensor<3xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.generate %arg2 {
  ^bb0(%i: index, %j: index):
  tensor.yield %arg3 : f32
  } : tensor<?xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.pad %arg4 low[1, 0] high[0, 2] {
  ^bb0(%i: index, %j: index):
  tensor.yield %arg3 : f32
  } : tensor<3x8xf32> to tensor<4x9xf32>
  return
}

// -----
func.func @f(%arg0: tensor<4x?xf32>, %arg1: tensor<2x5x1xindex>, %arg2: index, %arg3: f32, %arg4: tensor<3x8xf32>, %arg5: tensor<f32>) {
  %0 = tensor.extract_slice %arg4[0, 8] [1, 1] [1, 1] : tensor<3x8xf32> to tensor<1xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'tensor.concat' op static concatenation size mismatch along non-concatenated dimension 0
//   --> verify/memory/shapes_of_tensors.mlir:28:3
//    |
// 28 |   %0 = tensor.concat dim(1) %arg0, %arg4 : (tensor<4x?xf32>, tensor<3x8xf32>) -> tensor<4x?xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.concat' op result type 'tensor<7x8xf32>'does not match inferred shape 'tensor<6x8xf32>' static sizes
//   --> verify/memory/shapes_of_tensors.mlir:34:3
//    |
// 34 |   %0 = tensor.concat dim(0) %arg4, %arg4 : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<7x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.gather' op gather_dims length must match the size of last dimension of indices
//   --> verify/memory/shapes_of_tensors.mlir:40:3
//    |
// 40 |   %0 = tensor.gather %arg4[%arg1] gather_dims([1, 0]) : (tensor<3x8xf32>, tensor<2x5x1xindex>) -> tensor<2x5xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.gather' op gather_dims value must be smaller than source rank
//   --> verify/memory/shapes_of_tensors.mlir:46:3
//    |
// 46 |   %0 = tensor.gather %arg4[%arg1] gather_dims([2]) : (tensor<3x8xf32>, tensor<2x5x1xindex>) -> tensor<2x5xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.cast' op operand type 'tensor<3x8xf32>' and result type 'tensor<4x?xf32>' are cast incompatible
//   --> verify/memory/shapes_of_tensors.mlir:52:3
//    |
// 52 |   %0 = tensor.cast %arg4 : tensor<3x8xf32> to tensor<4x?xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.bitcast' op operand type 'tensor<3x8xf32>' and result type 'tensor<3x8xi16>' are cast incompatible
//   --> verify/memory/shapes_of_tensors.mlir:58:3
//    |
// 58 |   %0 = tensor.bitcast %arg4 : tensor<3x8xf32> to tensor<3x8xi16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.dim' op operand #0 must be non-0-ranked or unranked tensor, but got 'tensor<f32>'
//   --> verify/memory/shapes_of_tensors.mlir:64:3
//    |
// 64 |   %0 = tensor.dim %arg5, %arg2 : tensor<f32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.extract' op incorrect number of indices for extract_element
//   --> verify/memory/shapes_of_tensors.mlir:70:3
//    |
// 70 |   %0 = tensor.extract %arg4[%arg2] : tensor<3x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.insert' op incorrect number of indices
//   --> verify/memory/shapes_of_tensors.mlir:76:3
//    |
// 76 |   %0 = tensor.insert %arg3 into %arg4[] : tensor<3x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.splat' op incorrect number of dynamic sizes, has 1, expected 0
//   --> verify/memory/shapes_of_tensors.mlir:82:3
//    |
// 82 |   %0 = tensor.splat %arg3[%arg2] : tensor<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.from_elements' op number of operands and types do not match: got 2 operands and 3 types
//   --> verify/memory/shapes_of_tensors.mlir:88:3
//    |
// 88 |   %0 = tensor.from_elements %arg3, %arg3 : tensor<3xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.generate' op must have one body argument per input dimension
//   --> verify/memory/shapes_of_tensors.mlir:94:3
//    |
// 94 |   %0 = tensor.generate %arg2 {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.pad' op specified type 'tensor<4x9xf32>' does not match the inferred type 'tensor<4x10xf32>'
//    --> verify/memory/shapes_of_tensors.mlir:103:3
//     |
// 103 |   %0 = tensor.pad %arg4 low[1, 0] high[0, 2] {
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'tensor.extract_slice' op offset 1 is out-of-bounds: 8 >= 8
//    --> verify/memory/shapes_of_tensors.mlir:112:3
//     |
// 112 |   %0 = tensor.extract_slice %arg4[0, 8] [1, 1] [1, 1] : tensor<3x8xf32> to tensor<1xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 14 diagnostics
// [exit status 1]
