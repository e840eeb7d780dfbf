// A layout asks for no lane and no subgroup that the function does not have.
// RUN: raddle check %s --split-input-file
func.func @f(%v: vector<192xf32>) -> vector<192xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %0 = iree_vector_ext.to_layout %v to layout(#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [96], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>) : vector<192xf32>
  return %0 : vector<192xf32>
}

// -----
func.func @f(%v: vector<256xf32>) -> vector<256xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %0 = iree_vector_ext.to_layout %v to layout(#iree_vector_ext.nested_layout<subgroup_tile = [4], batch_tile = [1], outer_tile = [1], thread_tile = [64], element_tile = [1], subgroup_strides = [1], thread_strides = [1]>) : vector<256xf32>
  return %0 : vector<256xf32>
}

// $ raddle check %s --split-input-file
// error[E0205]: the layout asks for 96 lanes, but a subgroup has 64
//  --> verify/layouts/lanes_that_do_not_exist.mlir:4:3
//   |
// 4 |   %0 = iree_vector_ext.to_layout %v to layout(#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [96], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>) : vector<192xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: element [128] would be in subgroup 0, lane 64, which does not exist
//
// error[E0205]: the layout asks for 4 subgroups, but the workgroup has 2
//   --> verify/layouts/lanes_that_do_not_exist.mlir:10:3
//    |
// 10 |   %0 = iree_vector_ext.to_layout %v to layout(#iree_vector_ext.nested_layout<subgroup_tile = [4], batch_tile = [1], outer_tile = [1], thread_tile = [64], element_tile = [1], subgroup_strides = [1], thread_strides = [1]>) : vector<256xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: element [128] would be in subgroup 2, lane 0, which does not exist
//
// 2 diagnostics
// [exit status 1]
