// A refusal names the operation, says why, leaves the program as it was.
// RUN: raddle opt %s --split-input-file --lower --mlir-print-local-scope
func.func @f(%m: memref<64x32xf16, strided<[1, 64]>>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  return
}

// -----
func.func @f() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %v = arith.constant dense<1.0> : vector<4xf32>
  %t = gpu.thread_id x
  %x = vector.extract %v[%t] : f32 from vector<4xf32>
  return
}

// -----
func.func @f() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %x = arith.constant 1.0 : f32
  %s = gpu.subgroup_reduce add %x cluster(size = 32, stride = 2) : (f32) -> f32
  return
}

// -----
func.func @f() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %a = memref.alloc() : memref<4xf32>
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<4xf32>
  return
}

// -----
func.func @f() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %v = arith.constant dense<1.0> : vector<1048576xf32>
  return
}

// $ raddle opt %s --split-input-file --lower --mlir-print-local-scope
//
//
//
//
// error[E0603]: cannot lower a buffer that is not row-major and contiguous
//  --> lower/refusals.mlir:3:1
//   |
// 3 | func.func @f(%m: memref<64x32xf16, strided<[1, 64]>>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: take the whole buffer as the argument, and its part with `memref.subview`
// error[E0601]: cannot lower `vector.extract`
//   --> lower/refusals.mlir:11:3
//    |
// 11 |   %x = vector.extract %v[%t] : f32 from vector<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ at a position that is not constant
//    |
//    = help: registers have no addresses: unroll the loop, or go through memory
// error[E0601]: cannot lower `gpu.subgroup_reduce`
//   --> lower/refusals.mlir:18:3
//    |
// 18 |   %s = gpu.subgroup_reduce add %x cluster(size = 32, stride = 2) : (f32) -> f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ 32 lanes at distance 2 in subgroups of 32
//    |
//    = help: size and stride are powers of two, and the cluster fits the subgroup
// error[E0601]: cannot lower `memref.alloc`
//   --> lower/refusals.mlir:24:3
//    |
// 24 |   %a = memref.alloc() : memref<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ not in the workgroup's memory
//    |
//    = help: kernels allocate in `#gpu.address_space<workgroup>` only; values of one thread are vectors
// error[E0605]: the program is too large when `arith.constant` is unrolled
//   --> lower/refusals.mlir:32:3
//    |
// 32 |   %v = arith.constant dense<1.0> : vector<1048576xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a vector of more than 4096 elements in one thread
//    |
//    = help: give each thread less: larger workgroups or smaller tiles
// [exit status 3]
