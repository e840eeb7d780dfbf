// The largest element of each row, and where it stands. Lanes agree on the largest value with a reduction and elect the
// first of those that have it; two subgroups meet in shared memory.
//
//   cargo run --release -- run examples/argmax.mlir --compare=vector,lowered

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 2],
  batch_tile = [4, 1],
  outer_tile = [1, 1],
  thread_tile = [4, 8],
  element_tile = [1, 8],
  subgroup_strides = [0, 1],
  thread_strides = [8, 1]>

func.func @argmax(%in: memref<16x128xf32>, %values: memref<16xf32>, %places: memref<16xi32>) attributes {
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 32>
} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %least = arith.constant dense<0xFF800000> : vector<16xf32>
  %nowhere = arith.constant dense<-1> : vector<16xi32>
  %read = vector.transfer_read %in[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x128xf32>, vector<16x128xf32>
  %x = iree_vector_ext.to_layout %read to layout(#rows) : vector<16x128xf32>
  %value, %place = iree_vector_ext.arg_compare dimension(1) ins(%x : vector<16x128xf32>)
      inits(%least, %nowhere : vector<16xf32>, vector<16xi32>) {
  ^bb0(%a: f32, %b: f32):
    %wins = arith.cmpf ogt, %a, %b : f32
    iree_vector_ext.yield %wins : i1
  } -> vector<16xf32>, vector<16xi32>
  vector.transfer_write %value, %values[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
  vector.transfer_write %place, %places[%c0] {in_bounds = [true]} : vector<16xi32>, memref<16xi32>
  return
}
