// Two loops along one row: the first one leaves it in shared memory, where the second one reads it.
// RUN: raddle opt %s --split-input-file --to=pipelined --target=sm_80 --remarks 2>&1 | grep -e remark -e for -e alloc -e transfer -e affine.min
#row = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [0, 1]>
func.func @whole(%x: memref<8x1000xf32>, %y: memref<8x1000xf32>) attributes {gpu.known_grid_size = array<i32: 8, 1, 1>, translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %i = gpu.block_id x
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c1000 = arith.constant 1000 : index
  %zeros = arith.constant dense<0.0> : vector<1x256xf32>
  %none = arith.constant dense<0.0> : vector<1xf32>
  %sums = scf.for %k = %c0 to %c1000 step %c256 iter_args(%acc = %zeros) -> (vector<1x256xf32>) {
    %v = vector.transfer_read %x[%i, %k], %zero {in_bounds = [true, false]} : memref<8x1000xf32>, vector<1x256xf32>
    %l = iree_vector_ext.to_layout %v to layout(#row) : vector<1x256xf32>
    %s = arith.addf %acc, %l : vector<1x256xf32>
    scf.yield %s : vector<1x256xf32>
  }
  %sum = vector.multi_reduction <add>, %sums, %none [1] : vector<1x256xf32> to vector<1xf32>
  %all = vector.broadcast %sum : vector<1xf32> to vector<256x1xf32>
  %each = vector.transpose %all, [1, 0] : vector<256x1xf32> to vector<1x256xf32>
  scf.for %k = %c0 to %c1000 step %c256 {
    %v = vector.transfer_read %x[%i, %k], %zero {in_bounds = [true, false]} : memref<8x1000xf32>, vector<1x256xf32>
    %l = iree_vector_ext.to_layout %v to layout(#row) : vector<1x256xf32>
    %s = arith.subf %l, %each : vector<1x256xf32>
    vector.transfer_write %s, %y[%i, %k] {in_bounds = [true, false]} : vector<1x256xf32>, memref<8x1000xf32>
  }
  return
}

// -----
// Of a row whose length only the run knows, and of a longer one, the beginning is kept, and loops go on behind it.
#row = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [32], element_tile = [4], subgroup_strides = [0], thread_strides = [1]>
func.func @open(%x: memref<?xf32>, %y: memref<?xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %zeros = arith.constant dense<0.0> : vector<256xf32>
  %sums = scf.for %k = %c0 to %n step %c256 iter_args(%acc = %zeros) -> (vector<256xf32>) {
    %v = vector.transfer_read %x[%k], %zero : memref<?xf32>, vector<256xf32>
    %l = iree_vector_ext.to_layout %v to layout(#row) : vector<256xf32>
    %s = arith.addf %acc, %l : vector<256xf32>
    scf.yield %s : vector<256xf32>
  }
  scf.for %k = %c0 to %n step %c256 {
    %v = vector.transfer_read %x[%k], %zero : memref<?xf32>, vector<256xf32>
    %l = iree_vector_ext.to_layout %v to layout(#row) : vector<256xf32>
    %s = arith.subf %l, %sums : vector<256xf32>
    vector.transfer_write %s, %y[%k] : vector<256xf32>, memref<?xf32>
  }
  return
}

// -----
// What the kernel writes may change in between: it is read where it lies.
#row = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [32], element_tile = [4], subgroup_strides = [0], thread_strides = [1]>
func.func @written(%x: memref<1024xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %n = arith.constant 1024 : index
  scf.for %k = %c0 to %n step %c256 {
    %v = vector.transfer_read %x[%k], %zero {in_bounds = [true]} : memref<1024xf32>, vector<256xf32>
    %l = iree_vector_ext.to_layout %v to layout(#row) : vector<256xf32>
    %s = arith.addf %l, %l : vector<256xf32>
    vector.transfer_write %s, %x[%k] {in_bounds = [true]} : vector<256xf32>, memref<1024xf32>
  }
  scf.for %k = %c0 to %n step %c256 {
    %v = vector.transfer_read %x[%k], %zero {in_bounds = [true]} : memref<1024xf32>, vector<256xf32>
    %l = iree_vector_ext.to_layout %v to layout(#row) : vector<256xf32>
    %s = arith.mulf %l, %l : vector<256xf32>
    vector.transfer_write %s, %x[%k] {in_bounds = [true]} : vector<256xf32>, memref<1024xf32>
  }
  return
}

// $ raddle opt %s --split-input-file --to=pipelined --target=sm_80 --remarks 2>&1 | grep -e remark -e for -e alloc -e transfer -e affine.min
//     %alloc = memref.alloc() : memref<1x1000xf32, #gpu.address_space<workgroup>>
//     %0 = scf.for %arg2 = %c0 to %c1000 step %c256 iter_args(%arg3 = %cst_0) -> (vector<1x256xf32>) {
//       %4 = vector.transfer_read %arg0[%block_id_x, %arg2], %cst {in_bounds = [true, false], layouts = [#nested]} : memref<8x1000xf32>, vector<1x256xf32>
//       vector.transfer_write %4, %alloc[%c0_2, %arg2] {in_bounds = [true, false]} : vector<1x256xf32>, memref<1x1000xf32, #gpu.address_space<workgroup>>
//     scf.for %arg2 = %c0 to %c1000 step %c256 {
//       %4 = vector.transfer_read %alloc[%c0_2, %arg2], %cst {in_bounds = [true, false], layouts = [#nested]} : memref<1x1000xf32, #gpu.address_space<workgroup>>, vector<1x256xf32>
//       vector.transfer_write %6, %arg1[%block_id_x, %arg2] {in_bounds = [true, false]} : vector<1x256xf32>, memref<8x1000xf32>
//     %0 = affine.min #map(%dim)
//     %alloc = memref.alloc() : memref<2048xf32, #gpu.address_space<workgroup>>
//     %1 = scf.for %arg2 = %c0 to %0 step %c256 iter_args(%arg3 = %cst_0) -> (vector<256xf32>) {
//       %3 = vector.transfer_read %arg0[%arg2], %cst {layouts = [#nested]} : memref<?xf32>, vector<256xf32>
//       vector.transfer_write %3, %alloc[%arg2] {in_bounds = [true]} : vector<256xf32>, memref<2048xf32, #gpu.address_space<workgroup>>
//     %2 = scf.for %arg2 = %0 to %dim step %c256 iter_args(%arg3 = %1) -> (vector<256xf32>) {
//       %3 = vector.transfer_read %arg0[%arg2], %cst {layouts = [#nested]} : memref<?xf32>, vector<256xf32>
//     scf.for %arg2 = %c0 to %0 step %c256 {
//       %3 = vector.transfer_read %alloc[%arg2], %cst {in_bounds = [true], layouts = [#nested]} : memref<2048xf32, #gpu.address_space<workgroup>>, vector<256xf32>
//       vector.transfer_write %5, %arg1[%arg2] : vector<256xf32>, memref<?xf32>
//     scf.for %arg2 = %0 to %dim step %c256 {
//       %3 = vector.transfer_read %arg0[%arg2], %cst {layouts = [#nested]} : memref<?xf32>, vector<256xf32>
//       vector.transfer_write %5, %arg1[%arg2] : vector<256xf32>, memref<?xf32>
//     scf.for %arg1 = %c0 to %c1024 step %c256 {
//       %0 = vector.transfer_read %arg0[%arg1], %cst {in_bounds = [true], layouts = [#nested]} : memref<1024xf32>, vector<256xf32>
//       vector.transfer_write %2, %arg0[%arg1] {in_bounds = [true]} : vector<256xf32>, memref<1024xf32>
//     scf.for %arg1 = %c0 to %c1024 step %c256 {
//       %0 = vector.transfer_read %arg0[%arg1], %cst {in_bounds = [true], layouts = [#nested]} : memref<1024xf32>, vector<256xf32>
//       vector.transfer_write %2, %arg0[%arg1] {in_bounds = [true]} : vector<256xf32>, memref<1024xf32>
// remark[E0403]: rows are read from global memory once, and kept in 4000 bytes of shared memory
// 12 |   %sums = scf.for %k = %c0 to %c1000 step %c256 iter_args(%acc = %zeros) -> (vector<1x256xf32>) {
// remark[E0403]: the first 2048 elements of rows are read from global memory once, and kept in 8192 bytes of shared memory
// 39 |   %sums = scf.for %k = %c0 to %n step %c256 iter_args(%acc = %zeros) -> (vector<256xf32>) {
