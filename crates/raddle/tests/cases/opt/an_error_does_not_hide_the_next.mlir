// Each of two functions that cannot be compiled is reported, with its line.
// RUN: raddle opt %s --lay-out
func.func @bad(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%c0], %z : memref<4xf32>, vector<4xf32>
  vector.transfer_write %v, %m[%c0] : vector<4xf32>, memref<4xf32>
  return
}
func.func @worse(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v = vector.transfer_read %m[%c0], %z : memref<4xf32>, vector<4xf32>
  vector.transfer_write %v, %m[%c0] : vector<4xf32>, memref<4xf32>
  return
}

// $ raddle opt %s --lay-out
// error[E0301]: the function does not say its workgroup size
//  --> opt/an_error_does_not_hide_the_next.mlir:3:1
//   |
// 3 | func.func @bad(%m: memref<4xf32>) {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: add `translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>` to its attributes, with the size of the chip's subgroups
//
// error[E0301]: the function does not say its workgroup size
//   --> opt/an_error_does_not_hide_the_next.mlir:10:1
//    |
// 10 | func.func @worse(%m: memref<4xf32>) {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = help: add `translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>` to its attributes, with the size of the chip's subgroups
// [exit status 1]
