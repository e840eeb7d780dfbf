// Each element of a row becomes the sum of those up to it: inside a thread, across the lanes of a subgroup, then across
// four subgroups, which leave their sums for one another in shared memory.
//
//   cargo run --release -- run examples/prefix_sum.mlir --compare=vector,lowered

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 4],
  batch_tile = [4, 2],
  outer_tile = [1, 1],
  thread_tile = [1, 32],
  element_tile = [1, 4],
  subgroup_strides = [0, 1],
  thread_strides = [0, 1]>

func.func @prefix_sum(%in: memref<4x1024xf32>, %out: memref<4x1024xf32>, %sums: memref<4xf32>) attributes {
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>
} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant dense<0.0> : vector<4xf32>
  %read = vector.transfer_read %in[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x1024xf32>, vector<4x1024xf32>
  %x = iree_vector_ext.to_layout %read to layout(#rows) : vector<4x1024xf32>
  %all, %last = vector.scan <add>, %x, %none reduction_dim = 1, inclusive = true : vector<4x1024xf32>, vector<4xf32>
  vector.transfer_write %all, %out[%c0, %c0] {in_bounds = [true, true]} : vector<4x1024xf32>, memref<4x1024xf32>
  vector.transfer_write %last, %sums[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
  return
}
