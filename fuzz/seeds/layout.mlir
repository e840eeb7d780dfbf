#l = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 16], element_tile = [4, 1], subgroup_strides = [0, 0], thread_strides = [16, 1]>
func.func @l(%a: vector<16x16xf32>) -> vector<16x16xf32> attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64] subgroup_size = 64>} {
  %0 = iree_vector_ext.to_layout %a to layout(#l) : vector<16x16xf32>
  return %0 : vector<16x16xf32>
}
