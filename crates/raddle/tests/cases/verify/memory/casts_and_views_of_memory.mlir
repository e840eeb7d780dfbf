// What is seen as something else keeps its elements where they are.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: memref<4x?xf32, strided<[?, 1], offset: ?>>, %arg1: memref<64xi8>, %arg2: index, %arg3: memref<4x4xf32, 3>, %arg4: memref<?xindex>) {
  %0 = memref.cast %arg0 : memref<4x?xf32, strided<[?, 1], offset: ?>> to memref<?x8xf32, strided<[16, 1], offset: 2>>
  %1 = memref.reinterpret_cast %arg0 to offset: [%arg2], sizes: [2, %arg2], strides: [8, 1] : memref<4x?xf32, strided<[?, 1], offset: ?>> to memref<2x?xf32, strided<[8, 1], offset: ?>>
  %2 = memref.view %arg1[%arg2][%arg2] : memref<64xi8> to memref<?x4xf32>
  return
}

// -----
func.func @f(%arg0: memref<4x?xf32, strided<[?, 1], offset: ?>>, %arg1: memref<64xi8>, %arg2: index, %arg3: memref<4x4xf32, 3>, %arg4: memref<?xindex>) {
  %0 = memref.cast %arg3 : memref<4x4xf32, 3> to memref<*xf32>
  return
}

// -----
func.func @f(%arg0: memref<4x?xf32, strided<[?, 1], offset: ?>>, %arg1: memref<64xi8>, %arg2: index, %arg3: memref<4x4xf32, 3>, %arg4: memref<?xindex>) {
  %0 = memref.reinterpret_cast %arg1 to offset: [%arg2], sizes: [8], strides: [1] : memref<64xi8> to memref<8xi8>
  return
}

// -----
func.func @f(%arg0: memref<4x?xf32, strided<[?, 1], offset: ?>>, %arg1: memref<64xi8>, %arg2: index, %arg3: memref<4x4xf32, 3>, %arg4: memref<?xindex>) {
  %0 = memref.reinterpret_cast %arg1 to offset: [0], sizes: [8], strides: [2] : memref<64xi8> to memref<8xi8>
  return
}

// -----
func.func @f(%arg0: memref<4x?xf32, strided<[?, 1], offset: ?>>, %arg1: memref<64xi8>, %arg2: index, %arg3: memref<4x4xf32, 3>, %arg4: memref<?xindex>) {
  %0 = memref.view %arg1[%arg2][] : memref<64xi8> to memref<?x4xf32>
  return
}

// -----
func.func @f(%arg0: memref<4x?xf32, strided<[?, 1], offset: ?>>, %arg1: memref<64xi8>, %arg2: index, %arg3: memref<4x4xf32, 3>, %arg4: memref<?xindex>) {
  %0 = memref.reshape %arg1(%arg4) : (memref<64xi8>, memref<?xindex>) -> memref<8x8xi8>
  return
}

// -----
func.func @f(%arg0: memref<4x?xf32, strided<[?, 1], offset: ?>>, %arg1: memref<64xi8>, %arg2: index, %arg3: memref<4x4xf32, 3>, %arg4: memref<?xindex>) {
  memref.copy %arg1, %arg3 : memref<64xi8> to memref<4x4xf32, 3>
  return
}

// -----
func.func @f(%arg0: memref<4x?xf32, strided<[?, 1], offset: ?>>, %arg1: memref<64xi8>, %arg2: index, %arg3: memref<4x4xf32, 3>, %arg4: memref<?xindex>) {
  %0 = memref.assume_alignment %arg1, 12 : memref<64xi8>
  return
}

// -----
func.func @f(%arg0: memref<4x?xf32, strided<[?, 1], offset: ?>>, %arg1: memref<64xi8>, %arg2: index, %arg3: memref<4x4xf32, 3>, %arg4: memref<?xindex>) {
  %0 = memref.realloc %arg1 : memref<64xi8> to memref<?xi8>
  return
}

// -----
func.func @f(%arg0: memref<4x?xf32, strided<[?, 1], offset: ?>>, %arg1: memref<64xi8>, %arg2: index, %arg3: memref<4x4xf32, 3>, %arg4: memref<?xindex>) {
  memref.prefetch %arg1[%arg2], read, locality<4>, data : memref<64xi8>
  return
}

// -----
func.func @f(%arg0: memref<4x?xf32, strided<[?, 1], offset: ?>>, %arg1: memref<64xi8>, %arg2: index, %arg3: memref<4x4xf32, 3>, %arg4: memref<?xindex>) {
  memref.prefetch %arg3[%arg2], read, locality<0>, data : memref<4x4xf32, 3>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'memref.cast' op operand type 'memref<4x4xf32, 3>' and result type 'memref<*xf32>' are cast incompatible
//   --> verify/memory/casts_and_views_of_memory.mlir:12:3
//    |
// 12 |   %0 = memref.cast %arg3 : memref<4x4xf32, 3> to memref<*xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.reinterpret_cast' op expected result type with offset = dynamic instead of 0
//   --> verify/memory/casts_and_views_of_memory.mlir:18:3
//    |
// 18 |   %0 = memref.reinterpret_cast %arg1 to offset: [%arg2], sizes: [8], strides: [1] : memref<64xi8> to memref<8xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.reinterpret_cast' op expected result type with stride = 2 instead of 1 in dim = 0
//   --> verify/memory/casts_and_views_of_memory.mlir:24:3
//    |
// 24 |   %0 = memref.reinterpret_cast %arg1 to offset: [0], sizes: [8], strides: [2] : memref<64xi8> to memref<8xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.view' op incorrect number of dynamic sizes, has 0, expected 1
//   --> verify/memory/casts_and_views_of_memory.mlir:30:3
//    |
// 30 |   %0 = memref.view %arg1[%arg2][] : memref<64xi8> to memref<?x4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.reshape' op cannot use shape operand with dynamic length to reshape to statically-ranked memref type
//   --> verify/memory/casts_and_views_of_memory.mlir:36:3
//    |
// 36 |   %0 = memref.reshape %arg1(%arg4) : (memref<64xi8>, memref<?xindex>) -> memref<8x8xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.copy' op requires the same element type for all operands
//   --> verify/memory/casts_and_views_of_memory.mlir:42:3
//    |
// 42 |   memref.copy %arg1, %arg3 : memref<64xi8> to memref<4x4xf32, 3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.assume_alignment' op alignment must be power of 2
//   --> verify/memory/casts_and_views_of_memory.mlir:48:3
//    |
// 48 |   %0 = memref.assume_alignment %arg1, 12 : memref<64xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.realloc' op missing dimension operand for result type 'memref<?xi8>'
//   --> verify/memory/casts_and_views_of_memory.mlir:54:3
//    |
// 54 |   %0 = memref.realloc %arg1 : memref<64xi8> to memref<?xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3
//   --> verify/memory/casts_and_views_of_memory.mlir:60:3
//    |
// 60 |   memref.prefetch %arg1[%arg2], read, locality<4>, data : memref<64xi8>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'memref.prefetch' op too few indices
//   --> verify/memory/casts_and_views_of_memory.mlir:66:3
//    |
// 66 |   memref.prefetch %arg3[%arg2], read, locality<0>, data : memref<4x4xf32, 3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 10 diagnostics
// [exit status 1]
