// Two kernels may not have one name; a kernel and the function that launches it may.
// RUN: raddle opt %s --split-input-file --hoist-dispatches
gpu.module @m { gpu.func @k(%a: memref<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} { gpu.return } }
gpu.module @n { gpu.func @k(%a: memref<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} { gpu.return } }

// -----
module attributes {gpu.container_module} {
  gpu.module @m { gpu.func @k(%a: memref<4xf32>) kernel { gpu.return } }
  func.func @k(%a: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%a : memref<4xf32>)
    return
  }
}

// $ raddle opt %s --split-input-file --hoist-dispatches
//
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
// module attributes {gpu.container_module} {
//   func.func @k(%arg0: memref<4xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation} {
//     return
//   }
// }
// error[E0303]: two functions of the file are named `@k`
//  --> admit/kernels_of_one_name.mlir:4:17
//   |
// 4 | gpu.module @n { gpu.func @k(%a: memref<4xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} { gpu.return } }
//   |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: functions of executables and inner modules move to the top level of the file
//   = help: rename one of them, or part the file
// [exit status 1]
