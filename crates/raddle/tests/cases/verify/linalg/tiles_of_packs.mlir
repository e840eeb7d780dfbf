// Tiles stand behind the dimensions that they are cut from, and fill them, or something is put behind the last one.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: tensor<16x30xf32>, %arg1: tensor<2x4x8x8xf32>, %arg2: f32, %arg3: tensor<4x2x8x8xf32>, %arg4: i32) {
  %0 = linalg.pack %arg0 padding_value(%arg2 : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %arg1 : tensor<16x30xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----
func.func @f(%arg0: tensor<16x30xf32>, %arg1: tensor<2x4x8x8xf32>, %arg2: f32, %arg3: tensor<4x2x8x8xf32>, %arg4: i32) {
  %0 = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %arg1 : tensor<16x30xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----
func.func @f(%arg0: tensor<16x30xf32>, %arg1: tensor<2x4x8x8xf32>, %arg2: f32, %arg3: tensor<4x2x8x8xf32>, %arg4: i32) {
  %0 = linalg.pack %arg0 padding_value(%arg4 : i32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %arg1 : tensor<16x30xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----
func.func @f(%arg0: tensor<16x30xf32>, %arg1: tensor<2x4x8x8xf32>, %arg2: f32, %arg3: tensor<4x2x8x8xf32>, %arg4: i32) {
  %0 = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 0] into %arg1 : tensor<16x30xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----
func.func @f(%arg0: tensor<16x30xf32>, %arg1: tensor<2x4x8x8xf32>, %arg2: f32, %arg3: tensor<4x2x8x8xf32>, %arg4: i32) {
  %0 = linalg.pack %arg0 inner_dims_pos = [1, 1] inner_tiles = [8, 8] into %arg1 : tensor<16x30xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----
func.func @f(%arg0: tensor<16x30xf32>, %arg1: tensor<2x4x8x8xf32>, %arg2: f32, %arg3: tensor<4x2x8x8xf32>, %arg4: i32) {
  %0 = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %arg1 : tensor<16x30xf32> -> tensor<2x4x8x8xf32>
  return
}

// -----
func.func @f(%arg0: tensor<16x30xf32>, %arg1: tensor<2x4x8x8xf32>, %arg2: f32, %arg3: tensor<4x2x8x8xf32>, %arg4: i32) {
  %0 = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %arg3 : tensor<16x30xf32> -> tensor<4x2x8x8xf32>
  return
}

// -----
func.func @f(%arg0: tensor<16x30xf32>, %arg1: tensor<2x4x8x8xf32>, %arg2: f32, %arg3: tensor<4x2x8x8xf32>, %arg4: i32) {
  %0 = linalg.pack %arg0 padding_value(%arg2 : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %arg3 : tensor<16x30xf32> -> tensor<4x2x8x8xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'linalg.pack' op invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set
//   --> verify/linalg/tiles_of_packs.mlir:10:3
//    |
// 10 |   %0 = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %arg1 : tensor<16x30xf32> -> tensor<2x4x8x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.pack' op expected padding_value has 'f32' but got: 'i32'
//   --> verify/linalg/tiles_of_packs.mlir:16:3
//    |
// 16 |   %0 = linalg.pack %arg0 padding_value(%arg4 : i32) inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %arg1 : tensor<16x30xf32> -> tensor<2x4x8x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.pack' op invalid zero tile factor
//   --> verify/linalg/tiles_of_packs.mlir:22:3
//    |
// 22 |   %0 = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 0] into %arg1 : tensor<16x30xf32> -> tensor<2x4x8x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.pack' op invalid inner_dims_pos vector
//   --> verify/linalg/tiles_of_packs.mlir:28:3
//    |
// 28 |   %0 = linalg.pack %arg0 inner_dims_pos = [1, 1] inner_tiles = [8, 8] into %arg1 : tensor<16x30xf32> -> tensor<2x4x8x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.pack' op mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type
//   --> verify/linalg/tiles_of_packs.mlir:34:3
//    |
// 34 |   %0 = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %arg1 : tensor<16x30xf32> -> tensor<2x4x8x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'linalg.pack' op expected 'tensor<2x4x8x8xf32>' for the packed domain value, got 'tensor<4x2x8x8xf32>'
//   --> verify/linalg/tiles_of_packs.mlir:40:3
//    |
// 40 |   %0 = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %arg3 : tensor<16x30xf32> -> tensor<4x2x8x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 6 diagnostics
// [exit status 1]
