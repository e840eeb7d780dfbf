// Laid-out values keep the layouts that they state: nothing folds across them.
// RUN: raddle opt %s --clean --mlir-print-local-scope
func.func @f(%m: memref<4xf32>, %z: f32) {
  %c0 = arith.constant 0 : index
  %v = arith.constant {layouts = [#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>]} dense<1.0> : vector<4xf32>
  %w = arith.constant {layouts = [#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>]} dense<2.0> : vector<4xf32>
  %s = arith.addf %v, %w {layouts = [#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>]} : vector<4xf32>
  vector.transfer_write %s, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  return
}

// $ raddle opt %s --clean --mlir-print-local-scope
// module {
//   func.func @f(%arg0: memref<4xf32>, %arg1: f32) {
//     %c0 = arith.constant 0 : index
//     %cst = arith.constant {layouts = [#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>]} dense<1.000000e+00> : vector<4xf32>
//     %cst_0 = arith.constant {layouts = [#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>]} dense<2.000000e+00> : vector<4xf32>
//     %0 = arith.addf %cst, %cst_0 {layouts = [#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>]} : vector<4xf32>
//     vector.transfer_write %0, %arg0[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
//     return
//   }
// }
