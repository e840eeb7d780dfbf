// Where two elements ask for one lane or subgroup, both are named.
// RUN: raddle check %s --split-input-file
func.func @f(%v: vector<16x16xf32>) -> vector<16x16xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %0 = iree_vector_ext.to_layout %v to layout(#iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [1, 1]>) : vector<16x16xf32>
  return %0 : vector<16x16xf32>
}

// -----
func.func @f(%v: vector<8x16xf32>) -> vector<8x16xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %0 = iree_vector_ext.to_layout %v to layout(#iree_vector_ext.nested_layout<subgroup_tile = [2, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 1], element_tile = [4, 8], subgroup_strides = [1, 1], thread_strides = [0, 0]>) : vector<8x16xf32>
  return %0 : vector<8x16xf32>
}

// $ raddle check %s --split-input-file
// error[E0205]: thread tiles have overlapping strides: tiles [0, 1] and [1, 0] both ask for lane 1
//  --> verify/layouts/strides_that_overlap.mlir:4:3
//   |
// 4 |   %0 = iree_vector_ext.to_layout %v to layout(#iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [1, 1]>) : vector<16x16xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: elements [0, 1] and [4, 0] both ask for subgroup 0, lane 1
//
// error[E0205]: subgroup tiles have overlapping strides: tiles [0, 1] and [1, 0] both ask for subgroup 1
//   --> verify/layouts/strides_that_overlap.mlir:10:3
//    |
// 10 |   %0 = iree_vector_ext.to_layout %v to layout(#iree_vector_ext.nested_layout<subgroup_tile = [2, 2], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 1], element_tile = [4, 8], subgroup_strides = [1, 1], thread_strides = [0, 0]>) : vector<8x16xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: elements [0, 8] and [4, 0] both ask for subgroup 1, lane 0
//
// 2 diagnostics
// [exit status 1]
