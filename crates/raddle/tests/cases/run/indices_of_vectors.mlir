// Random data for an argument that vectors of indices are read from names places that are there.
// RUN: raddle run %s | grep inputs
// RUN: raddle run %s | grep correct
#ids = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [4], element_tile = [1], subgroup_strides = [0], thread_strides = [8]>
#rows = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 8], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [8, 1]>
func.func @pages(%pages: memref<40x16xf16>, %ids: memref<4xi64>, %at: memref<4xi32>, %data: memref<10xf16>, %rows: memref<4x16xf16>, %picked: memref<4xf16>)
    attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  %none = arith.constant 0 : i64
  %nowhere = arith.constant 0 : i32
  %all = arith.constant dense<true> : vector<4xi1>
  %other = arith.constant dense<0.0> : vector<4xf16>
  %0 = vector.transfer_read %ids[%c0], %none {in_bounds = [true]} : memref<4xi64>, vector<4xi64>
  %1 = iree_vector_ext.to_layout %0 to layout(#ids) : vector<4xi64>
  %2 = arith.index_cast %1 : vector<4xi64> to vector<4xindex>
  %3 = iree_vector_ext.transfer_gather %pages[%c0, %c0] [%2 : vector<4xindex>], %zero {indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0)>]} : memref<40x16xf16>, vector<4x16xf16>
  %4 = iree_vector_ext.to_layout %3 to layout(#rows) : vector<4x16xf16>
  vector.transfer_write %4, %rows[%c0, %c0] {in_bounds = [true, true]} : vector<4x16xf16>, memref<4x16xf16>
  %5 = vector.transfer_read %at[%c0], %nowhere {in_bounds = [true]} : memref<4xi32>, vector<4xi32>
  %6 = iree_vector_ext.to_layout %5 to layout(#ids) : vector<4xi32>
  %7 = vector.gather %data[%c0] [%6], %all, %other : memref<10xf16>, vector<4xi32>, vector<4xi1>, vector<4xf16> into vector<4xf16>
  vector.transfer_write %7, %picked[%c0] {in_bounds = [true]} : vector<4xf16>, memref<4xf16>
  return
}

// $ raddle run %s | grep inputs
// inputs     0: random normal, seed 0 · 1: random indices below 40, seed 0 · 2: random indices below 10, seed 0 · 3: random normal, seed 0 · 4: zeros · 5: zeros

// $ raddle run %s | grep correct
// correct: result 0, all 64 elements equal the reference bit for bit
// correct: result 1, all 4 elements equal the reference bit for bit
