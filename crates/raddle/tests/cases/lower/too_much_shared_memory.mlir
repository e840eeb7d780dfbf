// A workgroup has no more shared memory than the chip gives it.
// RUN: raddle build %s
func.func @f() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %a = memref.alloc() : memref<50000xf32, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  memref.store %x, %a[%c0] : memref<50000xf32, #gpu.address_space<workgroup>>
  return
}

// $ raddle build %s
// error[E0604]: the kernel needs 200000 bytes of shared memory, and sm_80 has 166912 for a workgroup
//  --> lower/too_much_shared_memory.mlir:3:1
//   |
// 3 | func.func @f() attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: choose smaller tiles, or promote fewer operands
// [exit status 1]
