// Casts keep shapes and encodings and take signless integers; some go through memory.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: si8) {
  %0 = arith.extsi %arg0 : si8 to i16
  return
}

// -----
func.func @f(%arg0: i8) {
  %0 = arith.extui %arg0 : i8 to ui16
  return
}

// -----
func.func @f(%arg0: index) {
  %0 = arith.trunci %arg0 : index to i8
  return
}

// -----
func.func @f(%arg0: ui32) {
  %0 = arith.bitcast %arg0 : ui32 to f32
  return
}

// -----
func.func @f(%arg0: memref<4xi8>) {
  %0 = arith.extsi %arg0 : memref<4xi8> to memref<4xi16>
  return
}

// -----
func.func @f(%arg0: i8) {
  %0 = arith.extsi %arg0 : i8 to vector<4xi16>
  return
}

// -----
func.func @f(%arg0: tensor<?xf32>) {
  %0 = arith.truncf %arg0 : tensor<?xf32> to tensor<4xf16>
  return
}

// -----
func.func @f(%arg0: tensor<*xf32>) {
  %0 = arith.truncf %arg0 : tensor<*xf32> to tensor<*xf16>
  return
}

// -----
func.func @f(%arg0: tensor<4xf16, "e">) {
  %0 = arith.extf %arg0 : tensor<4xf16, "e"> to tensor<4xf32>
  return
}

// -----
func.func @f(%arg0: bf16) {
  %0 = arith.extf %arg0 : bf16 to f16
  return
}

// -----
func.func @f(%arg0: i8) {
  %0 = arith.index_cast %arg0 : i8 to i16
  return
}

// $ raddle check %s --split-input-file
// error[E0101]: expected a signless integer, or a vector or tensor of these, found `si8`
//  --> verify/loops/casts.mlir:4:28
//   |
// 4 |   %0 = arith.extsi %arg0 : si8 to i16
//   |                            ^^^
//
// error[E0101]: expected a signless integer, or a vector or tensor of these, found `ui16`
//   --> verify/loops/casts.mlir:10:34
//    |
// 10 |   %0 = arith.extui %arg0 : i8 to ui16
//    |                                  ^^^^
//
// error[E0101]: expected a signless integer, or a vector or tensor of these, found `index`
//   --> verify/loops/casts.mlir:16:29
//    |
// 16 |   %0 = arith.trunci %arg0 : index to i8
//    |                             ^^^^^
//
// error[E0101]: expected a signless integer or float, or a vector, tensor or memref of these, found `ui32`
//   --> verify/loops/casts.mlir:22:30
//    |
// 22 |   %0 = arith.bitcast %arg0 : ui32 to f32
//    |                              ^^^^
//
// error[E0101]: expected a signless integer, or a vector or tensor of these, found `memref<4xi8>`
//   --> verify/loops/casts.mlir:28:28
//    |
// 28 |   %0 = arith.extsi %arg0 : memref<4xi8> to memref<4xi16>
//    |                            ^^^^^^
//
// error[E0201]: 'arith.extsi' op requires the same shape for all operands and results
//   --> verify/loops/casts.mlir:34:3
//    |
// 34 |   %0 = arith.extsi %arg0 : i8 to vector<4xi16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'arith.truncf' op failed to verify that input and output have the same tensor dimensions
//   --> verify/loops/casts.mlir:40:3
//    |
// 40 |   %0 = arith.truncf %arg0 : tensor<?xf32> to tensor<4xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'arith.truncf' op failed to verify that input and output have the same tensor dimensions
//   --> verify/loops/casts.mlir:46:3
//    |
// 46 |   %0 = arith.truncf %arg0 : tensor<*xf32> to tensor<*xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'arith.extf' op operand type 'tensor<4xf16, "e">' and result type 'tensor<4xf32>' are cast incompatible
//   --> verify/loops/casts.mlir:52:3
//    |
// 52 |   %0 = arith.extf %arg0 : tensor<4xf16, "e"> to tensor<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'arith.extf' op operand type 'bf16' and result type 'f16' are cast incompatible
//   --> verify/loops/casts.mlir:58:3
//    |
// 58 |   %0 = arith.extf %arg0 : bf16 to f16
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'arith.index_cast' op operand type 'i8' and result type 'i16' are cast incompatible
//   --> verify/loops/casts.mlir:64:3
//    |
// 64 |   %0 = arith.index_cast %arg0 : i8 to i16
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 11 diagnostics
// [exit status 1]
