// An asynchronous copy is at one index on both sides; its token is not a register, and groups are counted.
// RUN: raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// RUN: raddle build %s | grep -c 'ret;'
func.func @f(%m: memref<64x16xf16>, %n: index) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %s = memref.alloc() : memref<64x8xf16, #gpu.address_space<workgroup>>
  %t = gpu.thread_id x
  %k = nvgpu.device_async_copy %m[%t, %c8], %s[%t, %c0], 8, %n : memref<64x16xf16> to memref<64x8xf16, #gpu.address_space<workgroup>>
  %g = nvgpu.device_async_create_group %k
  nvgpu.device_async_wait %g {numGroups = 1 : i32}
  nvgpu.device_async_wait %g
  return
}

// $ raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// module {
//   func.func @f(%arg0: memref<1024xf16>, %arg1: index) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
//     %alloc = memref.alloc() : memref<512xf16, #gpu.address_space<workgroup>>
//     %thread_id_x = gpu.thread_id x
//     %0 = arith.muli %thread_id_x, %c16 : index
//     %1 = arith.addi %0, %c8 : index
//     %2 = arith.muli %thread_id_x, %c8 : index
//     %3 = nvgpu.device_async_copy %arg0[%1], %alloc[%2], 8, %arg1 : memref<1024xf16> to memref<512xf16, #gpu.address_space<workgroup>>
//     nvvm.cp.async.commit.group
//     nvvm.cp.async.wait.group 1
//     nvvm.cp.async.wait.group 0
//     return
//   }
// }

// $ raddle build %s | grep -c 'ret;'
// 1
