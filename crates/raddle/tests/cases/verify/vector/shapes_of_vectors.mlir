// Shapes, scalable extents and numbers of indices fit, in MLIR's words.
// RUN: raddle check %s --split-input-file
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.broadcast %c : vector<2x3xf32> to vector<3xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.broadcast %b : vector<[4]xf32> to vector<2x4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.broadcast %m : memref<?x?xf32> to vector<2x4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.shape_cast %c : vector<2x3xf32> to vector<4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.shape_cast %b : vector<[4]xf32> to vector<4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.bitcast %c : vector<2x3xf32> to vector<6xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.bitcast %c : vector<2x3xf32> to vector<3x3xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.bitcast %a : vector<4xf32> to vector<4xf16>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.reduction <add>, %c : vector<2x3xf32> into f32
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.transpose %c, [0] : vector<2x3xf32> to vector<2x3xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.transpose %c, [0, 2] : vector<2x3xf32> to vector<2x3xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.transpose %c, [0, 0] : vector<2x3xf32> to vector<2x2xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.extract %c[0, 1, 2] : f32 from vector<2x3xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.extract %a[0] : vector<f32> from vector<4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.insert %a, %c[0, 1] : vector<4xf32> into vector<2x3xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.insert %f, %c[0] : f32 into vector<2x3xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.outerproduct %c, %a : vector<2x3xf32>, vector<4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.outerproduct %b, %a : vector<[4]xf32>, vector<4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.outerproduct %a : vector<4xf32>, vector<4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.outerproduct %a, %a, %c, %c : vector<4xf32>, vector<4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.outerproduct %f, %a : f32, vector<4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = "vector.outerproduct"(%a, %a) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>) -> vector<4x2xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.load %m[%i] : memref<?x?xf32>, vector<4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.load %s[%i] : memref<8xf32, strided<[2]>>, vector<4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.maskedload %m[%i], %k, %a : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.maskedload %m[%i, %i], %k, %c : memref<?x?xf32>, vector<4xi1>, vector<2x3xf32> into vector<2x3xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.expandload %m[%i, %i], %k, %c : memref<?x?xf32>, vector<4xi1>, vector<2x3xf32> into vector<4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  vector.scatter %m[%i, %i] [%n], %k, %c : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<2x3xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.constant_mask [0, 1] : vector<2x3xi1>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.constant_mask [2] : vector<[4]xi1>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.create_mask %i : vector<2x3xi1>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.scalable.extract %b[3] : vector<4xf32> from vector<[4]xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.transfer_read %m[%i], %f : memref<?x?xf32>, vector<4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<?x?xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  %0 = vector.transfer_read %m[%i, %i], %f : f32, vector<4xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  vector.transfer_write %a, %m[%i, %i] {permutation_map = affine_map<(d0, d1) -> (0)>} : vector<4xf32>, memref<?x?xf32>
  return
}

// -----
func.func @f(%m: memref<?x?xf32>, %i: index, %f: f32, %a: vector<4xf32>, %b: vector<[4]xf32>, %c: vector<2x3xf32>, %k: vector<4xi1>, %n: vector<4xi32>, %s: memref<8xf32, strided<[2]>>, %z: vector<f32>) {
  vector.transfer_write %c, %m[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : vector<2x3xf32>, memref<?x?xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'vector.broadcast' op source rank higher than destination rank
//  --> verify/vector/shapes_of_vectors.mlir:4:3
//   |
// 4 |   %0 = vector.broadcast %c : vector<2x3xf32> to vector<3xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.broadcast' op dimension mismatch ([4] vs. 4)
//   --> verify/vector/shapes_of_vectors.mlir:10:3
//    |
// 10 |   %0 = vector.broadcast %b : vector<[4]xf32> to vector<2x4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.broadcast' op source type is not a vector
//   --> verify/vector/shapes_of_vectors.mlir:16:3
//    |
// 16 |   %0 = vector.broadcast %m : memref<?x?xf32> to vector<2x4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.shape_cast' op has different number of elements at source (6) and result (4)
//   --> verify/vector/shapes_of_vectors.mlir:22:3
//    |
// 22 |   %0 = vector.shape_cast %c : vector<2x3xf32> to vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.shape_cast' op has different number of scalable dims at source (1) and result (0)
//   --> verify/vector/shapes_of_vectors.mlir:28:3
//    |
// 28 |   %0 = vector.shape_cast %b : vector<[4]xf32> to vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.bitcast' op failed to verify that all of {source, result} have same rank
//   --> verify/vector/shapes_of_vectors.mlir:34:3
//    |
// 34 |   %0 = vector.bitcast %c : vector<2x3xf32> to vector<6xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.bitcast' op dimension size mismatch at: 0
//   --> verify/vector/shapes_of_vectors.mlir:40:3
//    |
// 40 |   %0 = vector.bitcast %c : vector<2x3xf32> to vector<3x3xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.bitcast' op source/result bitwidth of the minor 1-D vectors must be equal
//   --> verify/vector/shapes_of_vectors.mlir:46:3
//    |
// 46 |   %0 = vector.bitcast %a : vector<4xf32> to vector<4xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.reduction' op unsupported reduction rank: 2
//   --> verify/vector/shapes_of_vectors.mlir:52:3
//    |
// 52 |   %0 = vector.reduction <add>, %c : vector<2x3xf32> into f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.transpose' op transposition length mismatch: 1
//   --> verify/vector/shapes_of_vectors.mlir:58:3
//    |
// 58 |   %0 = vector.transpose %c, [0] : vector<2x3xf32> to vector<2x3xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.transpose' op transposition index out of range: 2
//   --> verify/vector/shapes_of_vectors.mlir:64:3
//    |
// 64 |   %0 = vector.transpose %c, [0, 2] : vector<2x3xf32> to vector<2x3xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.transpose' op duplicate position index: 0
//   --> verify/vector/shapes_of_vectors.mlir:70:3
//    |
// 70 |   %0 = vector.transpose %c, [0, 0] : vector<2x3xf32> to vector<2x2xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.extract' op expected position attribute of rank no greater than vector rank
//   --> verify/vector/shapes_of_vectors.mlir:76:3
//    |
// 76 |   %0 = vector.extract %c[0, 1, 2] : f32 from vector<2x3xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.extract' op expected a scalar instead of a 0-d vector as the result type
//   --> verify/vector/shapes_of_vectors.mlir:82:3
//    |
// 82 |   %0 = vector.extract %a[0] : vector<f32> from vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.insert' op expected position attribute rank + source rank to match dest vector rank
//   --> verify/vector/shapes_of_vectors.mlir:88:3
//    |
// 88 |   %0 = vector.insert %a, %c[0, 1] : vector<4xf32> into vector<2x3xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.insert' op expected position attribute rank to match the dest vector rank
//   --> verify/vector/shapes_of_vectors.mlir:94:3
//    |
// 94 |   %0 = vector.insert %f, %c[0] : f32 into vector<2x3xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.outerproduct' op expected 1-d vector for operand #1
//    --> verify/vector/shapes_of_vectors.mlir:100:3
//     |
// 100 |   %0 = vector.outerproduct %c, %a : vector<2x3xf32>, vector<4xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.outerproduct' op expected either both or only #2 operand dim to be scalable
//    --> verify/vector/shapes_of_vectors.mlir:106:3
//     |
// 106 |   %0 = vector.outerproduct %b, %a : vector<[4]xf32>, vector<4xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: expected at least 2 operands
//    --> verify/vector/shapes_of_vectors.mlir:112:28
//     |
// 112 |   %0 = vector.outerproduct %a : vector<4xf32>, vector<4xf32>
//     |                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: expected at most 3 operands
//    --> verify/vector/shapes_of_vectors.mlir:118:28
//     |
// 118 |   %0 = vector.outerproduct %a, %a, %c, %c : vector<4xf32>, vector<4xf32>
//     |                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: expected vector type for operand #1
//    --> verify/vector/shapes_of_vectors.mlir:124:28
//     |
// 124 |   %0 = vector.outerproduct %f, %a : f32, vector<4xf32>
//     |                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.outerproduct' op expected #2 operand dim to match result dim #2
//    --> verify/vector/shapes_of_vectors.mlir:130:3
//     |
// 130 |   %0 = "vector.outerproduct"(%a, %a) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>) -> vector<4x2xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.load' op requires 2 indices
//    --> verify/vector/shapes_of_vectors.mlir:136:3
//     |
// 136 |   %0 = vector.load %m[%i] : memref<?x?xf32>, vector<4xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.load' op most minor memref dim must have unit stride
//    --> verify/vector/shapes_of_vectors.mlir:142:3
//     |
// 142 |   %0 = vector.load %s[%i] : memref<8xf32, strided<[2]>>, vector<4xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.maskedload' op requires 2 indices
//    --> verify/vector/shapes_of_vectors.mlir:148:3
//     |
// 148 |   %0 = vector.maskedload %m[%i], %k, %a : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.maskedload' op expected result shape to match mask shape
//    --> verify/vector/shapes_of_vectors.mlir:154:3
//     |
// 154 |   %0 = vector.maskedload %m[%i, %i], %k, %c : memref<?x?xf32>, vector<4xi1>, vector<2x3xf32> into vector<2x3xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.expandload' op expected pass_thru of same type as result type
//    --> verify/vector/shapes_of_vectors.mlir:160:3
//     |
// 160 |   %0 = vector.expandload %m[%i, %i], %k, %c : memref<?x?xf32>, vector<4xi1>, vector<2x3xf32> into vector<4xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.scatter' op expected valueToStore dim to match indices dim
//    --> verify/vector/shapes_of_vectors.mlir:166:3
//     |
// 166 |   vector.scatter %m[%i, %i] [%n], %k, %c : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<2x3xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.constant_mask' op expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim
//    --> verify/vector/shapes_of_vectors.mlir:172:3
//     |
// 172 |   %0 = vector.constant_mask [0, 1] : vector<2x3xi1>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.constant_mask' op only supports 'none set' or 'all set' scalable dimensions
//    --> verify/vector/shapes_of_vectors.mlir:178:3
//     |
// 178 |   %0 = vector.constant_mask [2] : vector<[4]xi1>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.create_mask' op must specify an operand for each result vector dimension
//    --> verify/vector/shapes_of_vectors.mlir:184:3
//     |
// 184 |   %0 = vector.create_mask %i : vector<2x3xi1>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.scalable.extract' op failed to verify that position is a multiple of the result length.
//    --> verify/vector/shapes_of_vectors.mlir:190:3
//     |
// 190 |   %0 = vector.scalable.extract %b[3] : vector<4xf32> from vector<[4]xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.transfer_read' op requires 2 indices
//    --> verify/vector/shapes_of_vectors.mlir:196:3
//     |
// 196 |   %0 = vector.transfer_read %m[%i], %f : memref<?x?xf32>, vector<4xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: requires two types
//    --> verify/vector/shapes_of_vectors.mlir:202:46
//     |
// 202 |   %0 = vector.transfer_read %m[%i, %i], %f : memref<?x?xf32>
//     |                                              ^^^^^^^^^^^^^^^
//
// error[E0101]: a transfer requires memref or ranked tensor type
//    --> verify/vector/shapes_of_vectors.mlir:208:46
//     |
// 208 |   %0 = vector.transfer_read %m[%i, %i], %f : f32, vector<4xf32>
//     |                                              ^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.transfer_write' op should not have broadcast dimensions
//    --> verify/vector/shapes_of_vectors.mlir:214:3
//     |
// 214 |   vector.transfer_write %a, %m[%i, %i] {permutation_map = affine_map<(d0, d1) -> (0)>} : vector<4xf32>, memref<?x?xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.transfer_write' op requires a permutation_map that is a permutation (found one dim used more than once)
//    --> verify/vector/shapes_of_vectors.mlir:220:3
//     |
// 220 |   vector.transfer_write %c, %m[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : vector<2x3xf32>, memref<?x?xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 37 diagnostics
// [exit status 1]
