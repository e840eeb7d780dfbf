// A layout that fits is not a finding.
// RUN: raddle check %s --split-input-file
func.func @f(%v: vector<16x16xf32>) -> vector<16x16xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %0 = iree_vector_ext.to_layout %v to layout(#iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>) : vector<16x16xf32>
  return %0 : vector<16x16xf32>
}

// -----
func.func @f(%v: vector<32x16xf32>) -> vector<32x16xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %0 = iree_vector_ext.to_layout %v to layout(#iree_vector_ext.nested_layout<subgroup_tile = [2, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [1, 0], thread_strides = [16, 1]>) : vector<32x16xf32>
  return %0 : vector<32x16xf32>
}

// -----
func.func @f(%v: vector<256xf32>) -> vector<256xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %0 = iree_vector_ext.to_layout %v to layout(#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [128], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>) : vector<256xf32>
  return %0 : vector<256xf32>
}

// -----
func.func @f(%v: vector<32xf32>) -> vector<32xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [128] subgroup_size = 64>} {
  %0 = iree_vector_ext.to_layout %v to layout(#iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>) : vector<32xf32>
  return %0 : vector<32xf32>
}

// $ raddle check %s --split-input-file
