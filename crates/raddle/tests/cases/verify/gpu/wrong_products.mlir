// Shapes and types of AMD's matrix instructions.
// RUN: raddle check %s --split-input-file
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.mfma 7x32x1 %f * %f + %d blgp = none : f32, f32, vector<32xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.mfma 32x32x1 %f * %e + %d {blocks = 2 : i32} blgp = none : f32, f64, vector<32xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.mfma 16x16x32 %p * %i8 + %c blgp = none : vector<8xf8E5M2FNUZ>, vector<8xi8>, vector<4xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.mfma 16x16x32 %h * %h + %c blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.mfma 16x16x16 %h * %h + %d blgp = none : vector<4xf16>, vector<4xf16>, vector<32xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.mfma 16x16x4 %e * %e + %q blgp = bcast_first_32 : f64, f64, vector<4xf64>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.mfma 16x16x4 %e * %e + %q {cbsz = 1 : i32} blgp = none : f64, f64, vector<4xf64>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.mfma 16x16x16 %h * %h + %c {abid = 1 : i32} blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.mfma 16x16x16 %h * %h + %c {negateA} blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.mfma 16x16x16 %s * %s + %c blgp = none : vector<8xi32>, vector<8xi32>, vector<4xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.sparse_mfma 16x16x32 %h * %b8 + %c sparse(%i : vector<4xi8>) : vector<4xf16>, vector<8xbf16>, vector<4xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.sparse_mfma 16x16x32 %h * %h8 + %c sparse(%j : vector<2xi16>) : vector<4xf16>, vector<8xf16>, vector<4xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.sparse_mfma 16x16x32 %h * %h8 + %c sparse(%i : vector<4xi8>) {abid = 4 : i32} : vector<4xf16>, vector<8xf16>, vector<4xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.sparse_mfma 32x32x32 %h * %h8 + %c sparse(%i : vector<4xi8>) : vector<4xf16>, vector<8xf16>, vector<4xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.wmma 16x16x16 %h8 * %h8 + %s : vector<8xf16>, vector<8xf16>, vector<8xi32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.wmma 16x16x16 %i8 * %i8 + %t : vector<8xi8>, vector<8xi8>, vector<8xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.wmma 16x16x16 %h8 * %b8 + %t : vector<8xf16>, vector<8xbf16>, vector<8xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.wmma 16x16x16 %h8 * %h + %t : vector<8xf16>, vector<4xf16>, vector<8xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.wmma 16x16x16 %h8 * %h8 + %t {clamp} : vector<8xf16>, vector<8xf16>, vector<8xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.wmma 16x16 %h8 * %h8 + %t : vector<8xf16>, vector<8xf16>, vector<8xf32>
  return
}

// -----
func.func @f(%f: f32, %e: f64, %h: vector<4xf16>, %h8: vector<8xf16>, %b8: vector<8xbf16>, %c: vector<4xf32>, %d: vector<32xf32>, %q: vector<4xf64>, %i: vector<4xi8>, %j: vector<2xi16>, %p: vector<8xf8E5M2FNUZ>, %i8: vector<8xi8>, %s: vector<8xi32>, %t: vector<8xf32>, %x: vector<4xf8E8M0FNU>, %y: vector<32xf4E2M1FN>) {
  %0 = amdgpu.scaled_mfma 16x16x128 (%x[4] * %y) * (%x[1] * %y) + %c : vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'amdgpu.mfma' op attribute 'm' failed to satisfy constraint: 32-bit signless integer attribute whose value is one of {4, 16, 32}
//  --> verify/gpu/wrong_products.mlir:4:3
//   |
// 4 |   %0 = amdgpu.mfma 7x32x1 %f * %f + %d blgp = none : f32, f32, vector<32xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.mfma' op expected both non-small-float source operand types to match exactly
//   --> verify/gpu/wrong_products.mlir:10:3
//    |
// 10 |   %0 = amdgpu.mfma 32x32x1 %f * %e + %d {blocks = 2 : i32} blgp = none : f32, f64, vector<32xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.mfma' op expected both source operands to have small-float elements if one does
//   --> verify/gpu/wrong_products.mlir:16:3
//    |
// 16 |   %0 = amdgpu.mfma 16x16x32 %p * %i8 + %c blgp = none : vector<8xf8E5M2FNUZ>, vector<8xi8>, vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.mfma' op expected 8 source values for this operation but got 4
//   --> verify/gpu/wrong_products.mlir:22:3
//    |
// 22 |   %0 = amdgpu.mfma 16x16x32 %h * %h + %c blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.mfma' op expected 4 result values for this operation but got 32
//   --> verify/gpu/wrong_products.mlir:28:3
//    |
// 28 |   %0 = amdgpu.mfma 16x16x16 %h * %h + %d blgp = none : vector<4xf16>, vector<4xf16>, vector<32xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.mfma' op double-precision ops do not support permuting lanes of B
//   --> verify/gpu/wrong_products.mlir:34:3
//    |
// 34 |   %0 = amdgpu.mfma 16x16x4 %e * %e + %q blgp = bcast_first_32 : f64, f64, vector<4xf64>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.mfma' op double-precision ops do not support permuting lanes of A
//   --> verify/gpu/wrong_products.mlir:40:3
//    |
// 40 |   %0 = amdgpu.mfma 16x16x4 %e * %e + %q {cbsz = 1 : i32} blgp = none : f64, f64, vector<4xf64>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.mfma' op block ID for permuting A (abid) must be below 2 ** cbsz
//   --> verify/gpu/wrong_products.mlir:46:3
//    |
// 46 |   %0 = amdgpu.mfma 16x16x16 %h * %h + %c {abid = 1 : i32} blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.mfma' op negation flags only available for double-precision operations
//   --> verify/gpu/wrong_products.mlir:52:3
//    |
// 52 |   %0 = amdgpu.mfma 16x16x16 %h * %h + %c {negateA} blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.mfma' op operand #0 must be 32-bit float or 64-bit float or 32-bit signless integer or 64-bit signless integer or vector of 32-bit float values of length 2 or vector of 16-bit float values of length 4/8 or vector of bfloat16 type values of length 2/4/8 or vector of 8-bit signless integer values of length 4/8/16 or vector of f8E5M2FNUZ type or f8E4M3FNUZ type values of length 8 or vector of f8E5M2 type or f8E4M3FN type values of length 8/32 or vector of f6E2M3FN type or f6E3M2FN type or f4E2M1FN type values of length 32, but got 'vector<8xi32>'
//   --> verify/gpu/wrong_products.mlir:58:3
//    |
// 58 |   %0 = amdgpu.mfma 16x16x16 %s * %s + %c blgp = none : vector<8xi32>, vector<8xi32>, vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: this is `sourceA`: 32-bit float or 64-bit float or 32-bit signless integer or 64-bit signless integer or vector of 32-bit float values of length 2 or vector of 16-bit float values of length 4/8 or vector of bfloat16 type values of length 2/4/8 or vector of 8-bit signless integer values of length 4/8/16 or vector of f8E5M2FNUZ type or f8E4M3FNUZ type values of length 8 or vector of f8E5M2 type or f8E4M3FN type values of length 8/32 or vector of f6E2M3FN type or f6E3M2FN type or f4E2M1FN type values of length 32
//
// error[E0201]: 'amdgpu.sparse_mfma' op expected source operands to have the same element type
//   --> verify/gpu/wrong_products.mlir:64:3
//    |
// 64 |   %0 = amdgpu.sparse_mfma 16x16x32 %h * %b8 + %c sparse(%i : vector<4xi8>) : vector<4xf16>, vector<8xbf16>, vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.sparse_mfma' op expected vector<4xi8> sparse indices for this variant, but got 'vector<2xi16>'
//   --> verify/gpu/wrong_products.mlir:70:3
//    |
// 70 |   %0 = amdgpu.sparse_mfma 16x16x32 %h * %h8 + %c sparse(%j : vector<2xi16>) : vector<4xf16>, vector<8xf16>, vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.sparse_mfma' op ABID must be in [0, 3] for this variant
//   --> verify/gpu/wrong_products.mlir:76:3
//    |
// 76 |   %0 = amdgpu.sparse_mfma 16x16x32 %h * %h8 + %c sparse(%i : vector<4xi8>) {abid = 4 : i32} : vector<4xf16>, vector<8xf16>, vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.sparse_mfma' op expected 16 source values for this operation but got 8
//   --> verify/gpu/wrong_products.mlir:82:3
//    |
// 82 |   %0 = amdgpu.sparse_mfma 32x32x32 %h * %h8 + %c sparse(%i : vector<4xi8>) : vector<4xf16>, vector<8xf16>, vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.wmma' op expected int sources with int destination
//   --> verify/gpu/wrong_products.mlir:88:3
//    |
// 88 |   %0 = amdgpu.wmma 16x16x16 %h8 * %h8 + %s : vector<8xf16>, vector<8xf16>, vector<8xi32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.wmma' op expected float sources with float destination
//   --> verify/gpu/wrong_products.mlir:94:3
//    |
// 94 |   %0 = amdgpu.wmma 16x16x16 %i8 * %i8 + %t : vector<8xi8>, vector<8xi8>, vector<8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.wmma' op source element types must match (except for fp8/bf8) but have 'vector<8xf16>' and 'vector<8xbf16>'
//    --> verify/gpu/wrong_products.mlir:100:3
//     |
// 100 |   %0 = amdgpu.wmma 16x16x16 %h8 * %b8 + %t : vector<8xf16>, vector<8xbf16>, vector<8xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.wmma' op source vectors have different lengths: 'vector<8xf16>' vs. 'vector<4xf16>'
//    --> verify/gpu/wrong_products.mlir:106:3
//     |
// 106 |   %0 = amdgpu.wmma 16x16x16 %h8 * %h + %t : vector<8xf16>, vector<4xf16>, vector<8xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'amdgpu.wmma' op clamp flag is not supported for float types
//    --> verify/gpu/wrong_products.mlir:112:3
//     |
// 112 |   %0 = amdgpu.wmma 16x16x16 %h8 * %h8 + %t {clamp} : vector<8xf16>, vector<8xf16>, vector<8xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: 'amdgpu.wmma' expected 3 dimensions in MNK dimension list, as in `16x16x16`
//    --> verify/gpu/wrong_products.mlir:118:20
//     |
// 118 |   %0 = amdgpu.wmma 16x16 %h8 * %h8 + %t : vector<8xf16>, vector<8xf16>, vector<8xf32>
//     |                    ^^^^^^
//
// error[E0201]: 'amdgpu.scaled_mfma' op attribute 'scalesIdxA' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative whose maximum value is 3
//    --> verify/gpu/wrong_products.mlir:124:3
//     |
// 124 |   %0 = amdgpu.scaled_mfma 16x16x128 (%x[4] * %y) * (%x[1] * %y) + %c : vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 21 diagnostics
// [exit status 1]
