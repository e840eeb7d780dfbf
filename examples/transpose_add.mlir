// A transposed 64x32 tile is added to a 32x64 one, and the sum is wanted in the layout of a matrix instruction's
// accumulator: 8x4 lanes of 1x2 elements, two rows of them. One anchor; every other layout follows from it.

#acc = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1],
  batch_tile = [1, 8],
  outer_tile = [2, 1],
  thread_tile = [8, 4],
  element_tile = [1, 2],
  subgroup_strides = [1, 0],
  thread_strides = [4, 1]>

func.func @transpose_add(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %out: memref<32x64xf32>) attributes {
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %r0 = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<64x32xf32>, vector<64x32xf32>
  %r1 = vector.transfer_read %b[%c0, %c0], %zero {in_bounds = [true, true]} : memref<32x64xf32>, vector<32x64xf32>
  %t = vector.transpose %r0, [1, 0] : vector<64x32xf32> to vector<32x64xf32>
  %sum = arith.addf %t, %r1 : vector<32x64xf32>
  %out_sum = iree_vector_ext.to_layout %sum to layout(#acc) : vector<32x64xf32>
  vector.transfer_write %out_sum, %out[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
  return
}
