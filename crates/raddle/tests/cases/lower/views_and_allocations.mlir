// A view is an offset and strides; an allocation in a loop is one allocation.
// RUN: raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// RUN: raddle build %s | grep -c 'ret;'
func.func @f(%m: memref<8x64xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t = gpu.thread_id x
  scf.for %i = %c0 to %c8 step %c1 {
    %row = memref.subview %m[%i, 0] [1, 64] [1, 1]
      : memref<8x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    %s = memref.alloc() : memref<2x64xf32, #gpu.address_space<workgroup>>
    %x = memref.load %row[%t] : memref<64xf32, strided<[1], offset: ?>>
    memref.store %x, %s[%c1, %t] : memref<2x64xf32, #gpu.address_space<workgroup>>
  }
  return
}

// $ raddle opt %s --to=lowered --mlir-print-local-scope | grep -v arith.constant
// module {
//   func.func @f(%arg0: memref<512xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>} {
//     %alloc = memref.alloc() : memref<128xf32, #gpu.address_space<workgroup>>
//     %thread_id_x = gpu.thread_id x
//     %0 = arith.addi %thread_id_x, %c64 : index
//     scf.for %arg1 = %c0 to %c8 step %c1 {
//       %1 = arith.muli %arg1, %c64 : index
//       %2 = arith.addi %thread_id_x, %1 : index
//       %3 = memref.load %arg0[%2] : memref<512xf32>
//       memref.store %3, %alloc[%0] : memref<128xf32, #gpu.address_space<workgroup>>
//     }
//     return
//   }
// }

// $ raddle build %s | grep -c 'ret;'
// 1
