// Kernels of the gpu dialect are compiled and run as they are launched; who launches them is left out.
// RUN: raddle opt %s --hoist-dispatches --remarks
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @saxpy(%x: memref<1024xf32>, %y: memref<1024xf32>, %a: f32) kernel {
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %d = gpu.block_dim x
      %m = arith.muli %b, %d : index
      %i = arith.addi %m, %t : index
      %0 = memref.load %x[%i] : memref<1024xf32>
      %1 = memref.load %y[%i] : memref<1024xf32>
      %2 = arith.mulf %0, %a : f32
      %3 = arith.addf %2, %1 : f32
      memref.store %3, %y[%i] : memref<1024xf32>
      gpu.return
    }
    gpu.func @sums(%x: memref<4x256xf32>, %o: memref<4xf32>) workgroup(%s: memref<256xf32, #gpu.address_space<workgroup>>) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c128 = arith.constant 128 : index
      %v = memref.load %x[%b, %t] : memref<4x256xf32>
      memref.store %v, %s[%t] : memref<256xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %r = scf.while (%w = %c128) : (index) -> index {
        %more = arith.cmpi sgt, %w, %c0 : index
        scf.condition(%more) %w : index
      } do {
      ^bb0(%w: index):
        %in = arith.cmpi slt, %t, %w : index
        scf.if %in {
          %j = arith.addi %t, %w : index
          %a = memref.load %s[%t] : memref<256xf32, #gpu.address_space<workgroup>>
          %c = memref.load %s[%j] : memref<256xf32, #gpu.address_space<workgroup>>
          %d = arith.addf %a, %c : f32
          memref.store %d, %s[%t] : memref<256xf32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
        %h = arith.divui %w, %c2 : index
        scf.yield %h : index
      }
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        %a = memref.load %s[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
        memref.store %a, %o[%b] : memref<4xf32>
      }
      gpu.return
    }
  }
  func.func @main(%x: memref<1024xf32>, %y: memref<1024xf32>, %a: f32) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@saxpy blocks in (%c8, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<1024xf32>, %y : memref<1024xf32>, %a : f32)
    return
  }
}

// $ raddle opt %s --hoist-dispatches --remarks
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>
// #translation1 = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 32>
// module attributes {gpu.container_module} {
//   func.func @saxpy(%arg0: memref<1024xf32>, %arg1: memref<1024xf32>, %arg2: f32) attributes {gpu.known_grid_size = array<i32: 8, 1, 1>, translation_info = #translation} {
//     %block_id_x = gpu.block_id x
//     %thread_id_x = gpu.thread_id x
//     %c128 = arith.constant 128 : index
//     %0 = arith.muli %block_id_x, %c128 : index
//     %1 = arith.addi %0, %thread_id_x : index
//     %2 = memref.load %arg0[%1] : memref<1024xf32>
//     %3 = memref.load %arg1[%1] : memref<1024xf32>
//     %4 = arith.mulf %2, %arg2 : f32
//     %5 = arith.addf %4, %3 : f32
//     memref.store %5, %arg1[%1] : memref<1024xf32>
//     return
//   }
//   func.func @sums(%arg0: memref<4x256xf32>, %arg1: memref<4xf32>) attributes {gpu.known_grid_size = array<i32: 4, 1, 1>, translation_info = #translation1} {
//     %alloc = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
//     %block_id_x = gpu.block_id x
//     %thread_id_x = gpu.thread_id x
//     %c0 = arith.constant 0 : index
//     %c2 = arith.constant 2 : index
//     %c128 = arith.constant 128 : index
//     %0 = memref.load %arg0[%block_id_x, %thread_id_x] : memref<4x256xf32>
//     memref.store %0, %alloc[%thread_id_x] : memref<256xf32, #gpu.address_space<workgroup>>
//     gpu.barrier
//     %1 = scf.while (%arg2 = %c128) : (index) -> index {
//       %3 = arith.cmpi sgt, %arg2, %c0 : index
//       scf.condition(%3) %arg2 : index
//     } do {
//     ^bb0(%arg2: index):
//       %3 = arith.cmpi slt, %thread_id_x, %arg2 : index
//       scf.if %3 {
//         %5 = arith.addi %thread_id_x, %arg2 : index
//         %6 = memref.load %alloc[%thread_id_x] : memref<256xf32, #gpu.address_space<workgroup>>
//         %7 = memref.load %alloc[%5] : memref<256xf32, #gpu.address_space<workgroup>>
//         %8 = arith.addf %6, %7 : f32
//         memref.store %8, %alloc[%thread_id_x] : memref<256xf32, #gpu.address_space<workgroup>>
//       }
//       gpu.barrier
//       %4 = arith.divui %arg2, %c2 : index
//       scf.yield %4 : index
//     }
//     %2 = arith.cmpi eq, %thread_id_x, %c0 : index
//     scf.if %2 {
//       %3 = memref.load %alloc[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
//       memref.store %3, %arg1[%block_id_x] : memref<4xf32>
//     }
//     return
//   }
// }
// remark[E0304]: `@main` launches kernels, and is left out: kernels are compiled and run by themselves
//   --> admit/kernels_of_gpu_modules.mlir:56:3
//    |
// 56 |   func.func @main(%x: memref<1024xf32>, %y: memref<1024xf32>, %a: f32) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

// $ raddle run %s --all
// ok       @saxpy
// ok       @sums
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @saxpy
// ok       @sums
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @saxpy
// ok       @sums
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
