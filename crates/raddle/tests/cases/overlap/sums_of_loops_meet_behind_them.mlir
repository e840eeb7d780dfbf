// Lanes that add up parts of a row meet once, behind the loop, where nobody looks at the sums before: they would take
// shuffles in each round.
// RUN: raddle run %s --all --target=sm_80
// RUN: raddle run %s --all --target=sm_80 --device=ptx-emu
// RUN: raddle opt %s --to=distributed --target=sm_80 | grep subgroup_reduce

#rows = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [2, 2], outer_tile = [1, 1], thread_tile = [8, 4],
  element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [4, 1]>
#translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>

func.func @sums_with_a_factor(%x: memref<16x128xf32>, %out: memref<16xf32>) attributes {translation_info = #translation} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %half = arith.constant dense<0.5> : vector<16xf32>
  %sums = scf.for %k = %c0 to %c128 step %c16 iter_args(%sum = %zeros) -> vector<16xf32> {
    %read = vector.transfer_read %x[%c0, %k], %zero {in_bounds = [true, true]} : memref<16x128xf32>, vector<16x16xf32>
    %rows = iree_vector_ext.to_layout %read to layout(#rows) : vector<16x16xf32>
    %scaled = arith.mulf %sum, %half : vector<16xf32>
    %next = vector.multi_reduction <add>, %rows, %scaled [1] : vector<16x16xf32> to vector<16xf32>
    scf.yield %next : vector<16xf32>
  }
  vector.transfer_write %sums, %out[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
  return
}

// Each round stores what it has so far.
func.func @sums_that_are_seen(%x: memref<16x128xf32>, %out: memref<16xf32>) attributes {translation_info = #translation} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %sums = scf.for %k = %c0 to %c128 step %c16 iter_args(%sum = %zeros) -> vector<16xf32> {
    %read = vector.transfer_read %x[%c0, %k], %zero {in_bounds = [true, true]} : memref<16x128xf32>, vector<16x16xf32>
    %rows = iree_vector_ext.to_layout %read to layout(#rows) : vector<16x16xf32>
    %next = vector.multi_reduction <add>, %rows, %sum [1] : vector<16x16xf32> to vector<16xf32>
    vector.transfer_write %next, %out[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
    scf.yield %next : vector<16xf32>
  }
  vector.transfer_write %sums, %out[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
  return
}

// Each lane would count what is there at the beginning.
func.func @sums_that_begin_with_one(%x: memref<16x128xi32>, %out: memref<16xi32>) attributes {translation_info = #translation} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0 : i32
  %ones = arith.constant dense<1> : vector<16xi32>
  %sums = scf.for %k = %c0 to %c128 step %c16 iter_args(%sum = %ones) -> vector<16xi32> {
    %read = vector.transfer_read %x[%c0, %k], %zero {in_bounds = [true, true]} : memref<16x128xi32>, vector<16x16xi32>
    %rows = iree_vector_ext.to_layout %read to layout(#rows) : vector<16x16xi32>
    %next = vector.multi_reduction <add>, %rows, %sum [1] : vector<16x16xi32> to vector<16xi32>
    scf.yield %next : vector<16xi32>
  }
  vector.transfer_write %sums, %out[%c0] {in_bounds = [true]} : vector<16xi32>, memref<16xi32>
  return
}

// $ raddle run %s --all --target=sm_80
// ok       @sums_with_a_factor
// ok       @sums_that_are_seen
// ok       @sums_that_begin_with_one
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=sm_80 --device=ptx-emu
// ok       @sums_with_a_factor
// ok       @sums_that_are_seen
// ok       @sums_that_begin_with_one
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=distributed --target=sm_80 | grep subgroup_reduce
//     %8 = gpu.subgroup_reduce add %7 cluster(size = 4) : (f32) -> f32
//     %10 = gpu.subgroup_reduce add %9 cluster(size = 4) : (f32) -> f32
//       %35 = gpu.subgroup_reduce add %34 cluster(size = 4) : (f32) -> f32
//       %37 = gpu.subgroup_reduce add %36 cluster(size = 4) : (f32) -> f32
//       %35 = gpu.subgroup_reduce add %34 cluster(size = 4) : (i32) -> i32
//       %37 = gpu.subgroup_reduce add %36 cluster(size = 4) : (i32) -> i32
