// A function of several launches is the host's side: each launch is a kernel of what it uses.
// RUN: raddle opt %s --hoist-dispatches --admit
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
func.func @two(%a: memref<64xf32>, %b: memref<64xf32>, %s: f32) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %two = arith.constant 2.0 : f32
  %t = memref.alloc() : memref<64xf32>
  %k = arith.mulf %s, %two : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %x = memref.load %a[%tx] : memref<64xf32>
    %y = arith.mulf %x, %k : f32
    memref.store %y, %t[%tx] : memref<64xf32>
    gpu.terminator
  }
  scf.for %i = %c1 to %c64 step %c64 {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      %x = memref.load %t[%tx] : memref<64xf32>
      %y = arith.addf %x, %two : f32
      memref.store %y, %b[%tx] : memref<64xf32>
      gpu.terminator
    }
  }
  memref.dealloc %t : memref<64xf32>
  return
}

// $ raddle opt %s --hoist-dispatches --admit
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
// module {
//   func.func @two_launch_0(%arg0: memref<64xf32>, %arg1: f32, %arg2: memref<64xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation} {
//     %c1 = arith.constant 1 : index
//     %c64 = arith.constant 64 : index
//     %block_id_x = gpu.block_id x
//     %thread_id_x = gpu.thread_id x
//     %block_id_y = gpu.block_id y
//     %thread_id_y = gpu.thread_id y
//     %block_id_z = gpu.block_id z
//     %thread_id_z = gpu.thread_id z
//     %0 = memref.load %arg0[%thread_id_x] : memref<64xf32>
//     %1 = arith.mulf %0, %arg1 : f32
//     memref.store %1, %arg2[%thread_id_x] : memref<64xf32>
//     return
//   }
//   func.func @two_launch_1(%arg0: memref<64xf32>, %arg1: memref<64xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation} {
//     %c1 = arith.constant 1 : index
//     %c64 = arith.constant 64 : index
//     %cst = arith.constant 2.000000e+00 : f32
//     %block_id_x = gpu.block_id x
//     %thread_id_x = gpu.thread_id x
//     %block_id_y = gpu.block_id y
//     %thread_id_y = gpu.thread_id y
//     %block_id_z = gpu.block_id z
//     %thread_id_z = gpu.thread_id z
//     %0 = memref.load %arg0[%thread_id_x] : memref<64xf32>
//     %1 = arith.addf %0, %cst : f32
//     memref.store %1, %arg1[%thread_id_x] : memref<64xf32>
//     return
//   }
// }

// $ raddle run %s --all
// ok       @two_launch_0
// ok       @two_launch_1
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @two_launch_0
// ok       @two_launch_1
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
