// What is put together of parts of one tensor, turned around or repeated, reads each element where it is in that one: one
// kernel for the edges and corners of an image that is padded by its reflection.
// RUN: raddle opt %s --normalize | grep tensor.concat
// RUN: raddle opt %s --normalize | grep arith.select
// RUN: raddle opt %s --to=vector | grep func.func
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=cpu
// RUN: raddle run %s --all --device=ptx-emu

// As JAX puts it together: rows first, and then columns of what that gave.
func.func @reflected(%x: tensor<9x8xf32>) -> tensor<12x11xf32> {
  %two = arith.constant 2 : index
  %0 = tensor.empty() : tensor<2x8xf32>
  %above = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<2x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %row = arith.subi %two, %i : index
    %column = linalg.index 1 : index
    %element = tensor.extract %x[%row, %column] : tensor<9x8xf32>
    linalg.yield %element : f32
  } -> tensor<2x8xf32>
  %below = tensor.extract_slice %x[7, 0] [1, 8] [1, 1] : tensor<9x8xf32> to tensor<1x8xf32>
  %1 = tensor.empty() : tensor<12x8xf32>
  %2 = tensor.insert_slice %above into %1[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<12x8xf32>
  %3 = tensor.insert_slice %x into %2[2, 0] [9, 8] [1, 1] : tensor<9x8xf32> into tensor<12x8xf32>
  %rows = tensor.insert_slice %below into %3[11, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<12x8xf32>
  %4 = tensor.extract_slice %rows[0, 5] [12, 2] [1, 1] : tensor<12x8xf32> to tensor<12x2xf32>
  %5 = tensor.empty() : tensor<12x2xf32>
  %right = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, -d1 + 1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<12x2xf32>) outs(%5 : tensor<12x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<12x2xf32>
  %left = tensor.extract_slice %rows[0, 1] [12, 1] [1, 1] : tensor<12x8xf32> to tensor<12x1xf32>
  %6 = tensor.concat dim(1) %left, %rows, %right : (tensor<12x1xf32>, tensor<12x8xf32>, tensor<12x2xf32>) -> tensor<12x11xf32>
  return %6 : tensor<12x11xf32>
}

// As PyTorch repeats edges, for any number of images.
func.func @repeated(%x: tensor<?x5x6xf16>) -> tensor<?x7x8xf16> {
  %zero = arith.constant 0 : index
  %n = tensor.dim %x, %zero : tensor<?x5x6xf16>
  %left = tensor.extract_slice %x[0, 0, 0] [%n, 5, 1] [1, 1, 1] : tensor<?x5x6xf16> to tensor<?x5x1xf16>
  %right = tensor.extract_slice %x[0, 0, 5] [%n, 5, 1] [1, 1, 1] : tensor<?x5x6xf16> to tensor<?x5x1xf16>
  %0 = tensor.concat dim(2) %left, %x, %right : (tensor<?x5x1xf16>, tensor<?x5x6xf16>, tensor<?x5x1xf16>) -> tensor<?x5x8xf16>
  %above = tensor.extract_slice %0[0, 0, 0] [%n, 1, 8] [1, 1, 1] : tensor<?x5x8xf16> to tensor<?x1x8xf16>
  %below = tensor.extract_slice %0[0, 4, 0] [%n, 1, 8] [1, 1, 1] : tensor<?x5x8xf16> to tensor<?x1x8xf16>
  %1 = tensor.concat dim(1) %above, %0, %below : (tensor<?x1x8xf16>, tensor<?x5x8xf16>, tensor<?x1x8xf16>) -> tensor<?x7x8xf16>
  return %1 : tensor<?x7x8xf16>
}

// Nothing is repeated here, but put together of two: that is another kernel.
func.func @of_two(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<8xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %turned = linalg.generic {indexing_maps = [affine_map<(d0) -> (-d0 + 3)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  %1 = tensor.concat dim(0) %turned, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// $ raddle opt %s --normalize | grep tensor.concat
//     %concat = tensor.concat dim(0) %1, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>

// $ raddle opt %s --normalize | grep arith.select
//       %11 = arith.select %10, %9, %c7 : index
//       %14 = arith.select %13, %12, %11 : index
//       %11 = arith.select %10, %9, %c7 : index
//       %14 = arith.select %13, %12, %11 : index
//       %19 = arith.select %18, %17, %16 : index
//       %21 = arith.select %20, %c1, %19 : index
//       %6 = arith.select %5, %4, %c4 : index
//       %8 = arith.select %7, %c0_0, %6 : index
//       %12 = arith.select %11, %10, %c5 : index
//       %14 = arith.select %13, %c0_1, %12 : index

// $ raddle opt %s --to=vector | grep func.func
//   func.func @reflected(%arg0: memref<9x8xf32>, %arg1: memref<12x11xf32>) attributes {gpu.known_grid_size = array<i32: 6, 1, 1>, translation_info = #translation} {
//   func.func @repeated(%arg0: memref<?x5x6xf16>, %arg1: memref<?x7x8xf16>) attributes {raddle.grid = {map = #map4, of = [array<i64: 0, 0>]}, translation_info = #translation} {
//   func.func @of_two_kernel_0(%arg0: memref<4xf32>, %arg1: memref<4xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation} {
//   func.func @of_two_kernel_1(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: memref<8xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation} {

// $ raddle run %s --all
// ok       @reflected
// ok       @repeated
// ok       @of_two
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @reflected
// ok       @repeated
// ok       @of_two
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @reflected
// ok       @repeated
// ok       @of_two
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
