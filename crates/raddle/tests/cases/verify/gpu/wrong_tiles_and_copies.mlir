// What the lanes of NVIDIA's machines hold of a matrix, and copies to shared memory.
// RUN: raddle check %s --split-input-file
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.mma.sync(%a, %b, %b) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.mma.sync(%b, %b, %b) {mmaShape = [16, 8, 16]} : (vector<2x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.mma.sync(%a, %b, %b) {mmaShape = [8, 8, 32]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.mma.sync(%w, %b, %b) {mmaShape = [16, 8, 16]} : (vector<2x4xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.mma.sync(%v, %b, %b) {mmaShape = [16, 8, 16]} : (vector<4xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.mma.sync(%a, %b, %b) {mmaShape = [16, 8, 16], tf32Enabled} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.ldmatrix %o[%n, %n] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16> -> vector<4x2xf16>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.ldmatrix %m[%n, %n] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<4x2xf32>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.ldmatrix %m[%n, %n] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<4x1xf16>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.ldmatrix %m[%n, %n] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<2x2xf16>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.ldmatrix %m[%n, %n] {numTiles = 4 : i32, transpose = true} : memref<16x16xf16, 3> -> vector<4xf16>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.device_async_copy %g[%n], %g[%n], 4 : memref<16xf32> to memref<16xf32>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.device_async_copy %g[%n], %m[%n, %n], 4 : memref<16xf32> to memref<16x16xf16, 3>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.device_async_copy %g[%n, %n], %s[%n], 4 : memref<16xf32> to memref<16xf32, 3>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.device_async_copy %g[%n], %s[%n], 3 : memref<16xf32> to memref<16xf32, 3>
  return
}

// -----
func.func @f(%n: index, %a: vector<4x2xf16>, %b: vector<2x2xf16>, %w: vector<2x4xf16>, %v: vector<4xf16>, %g: memref<16xf32>, %s: memref<16xf32, 3>, %m: memref<16x16xf16, 3>, %o: memref<16x16xf16>) {
  %0 = nvgpu.device_async_copy %g[%n], %s[%n], 1 {bypassL1} : memref<16xf32> to memref<16xf32, 3>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'nvgpu.mma.sync' op expected 256 warp-wide matrix A elements
//   --> verify/gpu/wrong_tiles_and_copies.mlir:10:3
//    |
// 10 |   %0 = nvgpu.mma.sync(%b, %b, %b) {mmaShape = [16, 8, 16]} : (vector<2x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.mma.sync' op expected 256 warp-wide matrix B elements
//   --> verify/gpu/wrong_tiles_and_copies.mlir:16:3
//    |
// 16 |   %0 = nvgpu.mma.sync(%a, %b, %b) {mmaShape = [8, 8, 32]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.mma.sync' op expected matrix A to be shaped (4 x 2)
//   --> verify/gpu/wrong_tiles_and_copies.mlir:22:3
//    |
// 22 |   %0 = nvgpu.mma.sync(%w, %b, %b) {mmaShape = [16, 8, 16]} : (vector<2x4xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.mma.sync' op matrixA must be 2 dimensional vector
//   --> verify/gpu/wrong_tiles_and_copies.mlir:28:3
//    |
// 28 |   %0 = nvgpu.mma.sync(%v, %b, %b) {mmaShape = [16, 8, 16]} : (vector<4xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.mma.sync' op expected tf32 tensor cores only for F32 operands
//   --> verify/gpu/wrong_tiles_and_copies.mlir:34:3
//    |
// 34 |   %0 = nvgpu.mma.sync(%a, %b, %b) {mmaShape = [16, 8, 16], tf32Enabled} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.ldmatrix' op expected nvgpu.ldmatrix srcMemref must have a memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)
//   --> verify/gpu/wrong_tiles_and_copies.mlir:40:3
//    |
// 40 |   %0 = nvgpu.ldmatrix %o[%n, %n] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16> -> vector<4x2xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.ldmatrix' op failed to verify that srcMemref and res have same element type
//   --> verify/gpu/wrong_tiles_and_copies.mlir:46:3
//    |
// 46 |   %0 = nvgpu.ldmatrix %m[%n, %n] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<4x2xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.ldmatrix' op expected vector register shape[1] = 2
//   --> verify/gpu/wrong_tiles_and_copies.mlir:52:3
//    |
// 52 |   %0 = nvgpu.ldmatrix %m[%n, %n] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<4x1xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.ldmatrix' op expected vector register shape[0] and numTiles to match
//   --> verify/gpu/wrong_tiles_and_copies.mlir:58:3
//    |
// 58 |   %0 = nvgpu.ldmatrix %m[%n, %n] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<2x2xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.ldmatrix' op results must be 2 dimensional vector
//   --> verify/gpu/wrong_tiles_and_copies.mlir:64:3
//    |
// 64 |   %0 = nvgpu.ldmatrix %m[%n, %n] {numTiles = 4 : i32, transpose = true} : memref<16x16xf16, 3> -> vector<4xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.device_async_copy' op destination memref must have a memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)
//   --> verify/gpu/wrong_tiles_and_copies.mlir:70:3
//    |
// 70 |   %0 = nvgpu.device_async_copy %g[%n], %g[%n], 4 : memref<16xf32> to memref<16xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.device_async_copy' op source and destination must have the same element type
//   --> verify/gpu/wrong_tiles_and_copies.mlir:76:3
//    |
// 76 |   %0 = nvgpu.device_async_copy %g[%n], %m[%n, %n], 4 : memref<16xf32> to memref<16x16xf16, 3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.device_async_copy' op expected 1 source indices, got 2
//   --> verify/gpu/wrong_tiles_and_copies.mlir:82:3
//    |
// 82 |   %0 = nvgpu.device_async_copy %g[%n, %n], %s[%n], 4 : memref<16xf32> to memref<16xf32, 3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.device_async_copy' op Requested copy elements is 3 with width 32. But copy elements could be one of 1, 2, 4.
//   --> verify/gpu/wrong_tiles_and_copies.mlir:88:3
//    |
// 88 |   %0 = nvgpu.device_async_copy %g[%n], %s[%n], 3 : memref<16xf32> to memref<16xf32, 3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'nvgpu.device_async_copy' op bypassL1 does not satify alignment for 'memref<16xf32, 3>' with destination element 1. Unset bypassL1, or set destination element to 4
//   --> verify/gpu/wrong_tiles_and_copies.mlir:94:3
//    |
// 94 |   %0 = nvgpu.device_async_copy %g[%n], %s[%n], 1 {bypassL1} : memref<16xf32> to memref<16xf32, 3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 15 diagnostics
// [exit status 1]
