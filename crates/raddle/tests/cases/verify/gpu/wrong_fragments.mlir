// Matrices of a subgroup are operands of a product, in order, and lie in memory row by row.
// RUN: raddle check %s --split-input-file
func.func @f(%a: !gpu.mma_matrix<16x8xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf16, "COp">, %m: memref<16x16xf16, affine_map<(i, j) -> (j, i)>>, %r: memref<16x16xf16>, %n: index) {
  gpu.subgroup_mma_store_matrix %c, %r[%n, %n] leadDimension 16 : !gpu.mma_matrix<16x16xf16, "COp">, memref<16x16xf16>
  return
}

// -----
func.func @f(%a: !gpu.mma_matrix<16x8xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf16, "COp">, %m: memref<16x16xf16, affine_map<(i, j) -> (j, i)>>, %r: memref<16x16xf16>, %n: index) {
  %0 = gpu.subgroup_mma_load_matrix %m[%n, %n] leadDimension 16 : memref<16x16xf16, affine_map<(i, j) -> (j, i)>> -> !gpu.mma_matrix<16x16xf16, "COp">
  return
}

// -----
func.func @f(%a: !gpu.mma_matrix<16x8xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf16, "COp">, %m: memref<16x16xf16, affine_map<(i, j) -> (j, i)>>, %r: memref<16x16xf16>, %n: index) {
  gpu.subgroup_mma_store_matrix %a, %r[%n, %n] leadDimension 16 : !gpu.mma_matrix<16x8xf16, "AOp">, memref<16x16xf16>
  return
}

// -----
func.func @f(%a: !gpu.mma_matrix<16x8xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf16, "COp">, %m: memref<16x16xf16, affine_map<(i, j) -> (j, i)>>, %r: memref<16x16xf16>, %n: index) {
  %0 = gpu.subgroup_mma_compute %b, %a, %c : !gpu.mma_matrix<16x16xf16, "BOp">, !gpu.mma_matrix<16x8xf16, "AOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
  return
}

// -----
func.func @f(%a: !gpu.mma_matrix<16x8xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf16, "COp">, %m: memref<16x16xf16, affine_map<(i, j) -> (j, i)>>, %r: memref<16x16xf16>, %n: index) {
  %0 = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x8xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
  return
}

// -----
func.func @f(%a: !gpu.mma_matrix<16x8xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf16, "COp">, %m: memref<16x16xf16, affine_map<(i, j) -> (j, i)>>, %r: memref<16x16xf16>, %n: index) {
  %0 = gpu.subgroup_mma_extract_thread_local %a[%n] : !gpu.mma_matrix<16x8xf16, "AOp"> -> f32
  return
}

// -----
func.func @f(%a: !gpu.mma_matrix<16xf16, "AOp">) {
  return
}

// -----
func.func @f(%a: !gpu.mma_matrix<16x16xf16, "EOp">) {
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'gpu.subgroup_mma_load_matrix' op expected source memref most minor dim must have unit stride
//   --> verify/gpu/wrong_fragments.mlir:10:3
//    |
// 10 |   %0 = gpu.subgroup_mma_load_matrix %m[%n, %n] leadDimension 16 : memref<16x16xf16, affine_map<(i, j) -> (j, i)>> -> !gpu.mma_matrix<16x16xf16, "COp">
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.subgroup_mma_store_matrix' op expected the operand matrix being stored to have 'COp' operand type
//   --> verify/gpu/wrong_fragments.mlir:16:3
//    |
// 16 |   gpu.subgroup_mma_store_matrix %a, %r[%n, %n] leadDimension 16 : !gpu.mma_matrix<16x8xf16, "AOp">, memref<16x16xf16>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.subgroup_mma_compute' op operands must be in the order AOp, BOp, COp
//   --> verify/gpu/wrong_fragments.mlir:22:3
//    |
// 22 |   %0 = gpu.subgroup_mma_compute %b, %a, %c : !gpu.mma_matrix<16x16xf16, "BOp">, !gpu.mma_matrix<16x8xf16, "AOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.subgroup_mma_compute' op operand shapes do not satisfy matmul constraints
//   --> verify/gpu/wrong_fragments.mlir:28:3
//    |
// 28 |   %0 = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x8xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'gpu.subgroup_mma_extract_thread_local' op failed to verify that value type matches element type of mma_matrix
//   --> verify/gpu/wrong_fragments.mlir:34:3
//    |
// 34 |   %0 = gpu.subgroup_mma_extract_thread_local %a[%n] : !gpu.mma_matrix<16x8xf16, "AOp"> -> f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: MMAMatrixType must have exactly two dimensions
//   --> verify/gpu/wrong_fragments.mlir:39:18
//    |
// 39 | func.func @f(%a: !gpu.mma_matrix<16xf16, "AOp">) {
//    |                  ^^^^^^^^^^^^^^^
//
// error[E0101]: operand expected to be one of AOp, BOp or COp
//   --> verify/gpu/wrong_fragments.mlir:44:18
//    |
// 44 | func.func @f(%a: !gpu.mma_matrix<16x16xf16, "EOp">) {
//    |                  ^^^^^^^^^^^^^^^
//
// 7 diagnostics
// [exit status 1]
