// Tiles of an image and their transforms: six points a side are four points of the result for a kernel of three.
// RUN: raddle check %s --split-input-file
func.func @f(%x: tensor<1x10x6x5xf32>, %o: tensor<6x6x1x2x1x5xf32>) {
  %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([1, 2]) ins(%x : tensor<1x10x6x5xf32>) outs(%o : tensor<6x6x1x2x1x5xf32>) -> tensor<6x6x1x2x1x5xf32>
  return
}

// -----
func.func @f(%x: tensor<1x10x6x5xf32>, %o: tensor<6x6x1x2x2x5xf32>) {
  %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([1, 2]) ins(%x : tensor<1x10x6x5xf32>) outs(%o : tensor<6x6x1x2x2x5xf32>) -> tensor<6x6x1x2x2x5xf32>
  return
}

// -----
func.func @f(%x: tensor<1x10x6x5xf32>, %o: tensor<6x6x1x2x1xf32>) {
  %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([1, 2]) ins(%x : tensor<1x10x6x5xf32>) outs(%o : tensor<6x6x1x2x1xf32>) -> tensor<6x6x1x2x1xf32>
  return
}

// -----
func.func @f(%x: tensor<1x10x6x5xf32>, %o: tensor<6x6x1x2x1x5xf32>) {
  %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([1, 3]) ins(%x : tensor<1x10x6x5xf32>) outs(%o : tensor<6x6x1x2x1x5xf32>) -> tensor<6x6x1x2x1x5xf32>
  return
}

// -----
func.func @f(%x: tensor<1x10x6x5xf32>, %o: tensor<6x6x1x2x1x5xf32>) {
  %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([1]) ins(%x : tensor<1x10x6x5xf32>) outs(%o : tensor<6x6x1x2x1x5xf32>) -> tensor<6x6x1x2x1x5xf32>
  return
}

// -----
func.func @f(%x: tensor<1x10x6x5xf32>, %o: tensor<6x6x1x2x1x5xf32>) {
  %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([2, 3]) ins(%x : tensor<1x10x6x5xf32>) outs(%o : tensor<6x6x1x2x1x5xf32>) -> tensor<6x6x1x2x1x5xf32>
  return
}

// -----
func.func @f(%x: tensor<1x10x6x5xf32>, %o: tensor<6x6x1x2x1x5xf32>) {
  %r = iree_linalg_ext.winograd.input_transform output_tile_size(0) kernel_size(3) image_dimensions([1, 2]) ins(%x : tensor<1x10x6x5xf32>) outs(%o : tensor<6x6x1x2x1x5xf32>) -> tensor<6x6x1x2x1x5xf32>
  return
}

// -----
func.func @f(%x: tensor<1x5x10x6xf32>, %o: tensor<6x6x1x2x1x5xf32>) {
  %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([2, 3]) ins(%x : tensor<1x5x10x6xf32>) outs(%o : tensor<6x6x1x2x1x5xf32>) -> tensor<6x6x1x2x1x5xf32>
  return
}

// -----
func.func @f(%x: tensor<6x5xf32>, %o: tensor<6x6xf32>) {
  %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([0, 1]) ins(%x : tensor<6x5xf32>) outs(%o : tensor<6x6xf32>) -> tensor<6x6xf32>
  return
}

// -----
func.func @f(%x: tensor<6x7xf32>, %o: tensor<6x6xf32>) {
  %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([0, 1]) ins(%x : tensor<6x7xf32>) outs(%o : tensor<6x6xf32>) -> tensor<6x6xf32>
  return
}

// -----
func.func @f(%x: tensor<6x5xf32>, %o: tensor<6x5xf32>) {
  %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([0, 1]) ins(%x : tensor<6x5xf32>) outs(%o : tensor<6x5xf32>) -> tensor<6x5xf32>
  return
}

// -----
func.func @f(%x: tensor<6x6x1x2x3x5xf32>, %o: tensor<1x5x8x12xf32>) {
  %r = iree_linalg_ext.winograd.output_transform output_tile_size(4) kernel_size(3) image_dimensions([2, 3]) ins(%x : tensor<6x6x1x2x3x5xf32>) outs(%o : tensor<1x5x8x12xf32>) -> tensor<1x5x8x12xf32>
  return
}

// -----
func.func @f(%x: tensor<6x6x1x2x3x5xf32>, %o: tensor<1x8x12x5xf32>) {
  %r = iree_linalg_ext.winograd.output_transform output_tile_size(4) kernel_size(3) image_dimensions([2, 3]) ins(%x : tensor<6x6x1x2x3x5xf32>) outs(%o : tensor<1x8x12x5xf32>) -> tensor<1x8x12x5xf32>
  return
}

// -----
func.func @f(%x: tensor<6x6x1x2x3x5xf32>, %o: tensor<1x5x8x12xf32>) {
  %r = iree_linalg_ext.winograd.output_transform output_tile_size(4) kernel_size(3) image_dimensions([3, 2]) ins(%x : tensor<6x6x1x2x3x5xf32>) outs(%o : tensor<1x5x8x12xf32>) -> tensor<1x5x8x12xf32>
  return
}

// -----
func.func @f(%x: tensor<6x6xf32>, %o: tensor<4x4xf32>) {
  %r = iree_linalg_ext.winograd.output_transform output_tile_size(4) kernel_size(3) image_dimensions([0, 1]) ins(%x : tensor<6x6xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----
func.func @f(%x: tensor<5x6xf32>, %o: tensor<4x4xf32>) {
  %r = iree_linalg_ext.winograd.output_transform output_tile_size(4) kernel_size(3) image_dimensions([0, 1]) ins(%x : tensor<5x6xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----
func.func @f(%x: tensor<7x5x3x3xf32>, %o: tensor<6x6x5x7xf32>) {
  %r = iree_linalg_ext.winograd.filter_transform output_tile_size(4) kernel_size(3) kernel_dimensions([2, 3]) ins(%x : tensor<7x5x3x3xf32>) outs(%o : tensor<6x6x5x7xf32>) -> tensor<6x6x5x7xf32>
  return
}

// -----
func.func @f(%x: tensor<7x5x3x2xf32>, %o: tensor<6x6x5x7xf32>) {
  %r = iree_linalg_ext.winograd.filter_transform output_tile_size(4) kernel_size(3) kernel_dimensions([2, 3]) ins(%x : tensor<7x5x3x2xf32>) outs(%o : tensor<6x6x5x7xf32>) -> tensor<6x6x5x7xf32>
  return
}

// -----
func.func @f(%x: tensor<7x5x3x3xf32>, %o: tensor<6x6x7x5xf32>) {
  %r = iree_linalg_ext.winograd.filter_transform output_tile_size(4) kernel_size(3) kernel_dimensions([2, 3]) ins(%x : tensor<7x5x3x3xf32>) outs(%o : tensor<6x6x7x5xf32>) -> tensor<6x6x7x5xf32>
  return
}

// -----
func.func @f(%x: tensor<3x3x5x7xf32>, %o: tensor<6x6x5x7xf32>) {
  %r = iree_linalg_ext.winograd.filter_transform output_tile_size(4) kernel_size(3) kernel_dimensions([0, 1]) ins(%x : tensor<3x3x5x7xf32>) outs(%o : tensor<6x6x5x7xf32>) -> tensor<6x6x5x7xf32>
  return
}

// -----
func.func @f(%x: tensor<3x3xf32>, %o: tensor<6x6xf32>) {
  %r = iree_linalg_ext.winograd.filter_transform output_tile_size(4) kernel_size(3) kernel_dimensions([0, 1]) ins(%x : tensor<3x3xf32>) outs(%o : tensor<6x6xf32>) -> tensor<6x6xf32>
  return
}

// -----
func.func @f(%x: tensor<3x2xf32>, %o: tensor<6x6xf32>) {
  %r = iree_linalg_ext.winograd.filter_transform output_tile_size(4) kernel_size(3) kernel_dimensions([0, 1]) ins(%x : tensor<3x2xf32>) outs(%o : tensor<6x6xf32>) -> tensor<6x6xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.winograd.input_transform' op incompatible output shape
//   --> verify/linalg_ext/winograd.mlir:10:3
//    |
// 10 |   %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([1, 2]) ins(%x : tensor<1x10x6x5xf32>) outs(%o : tensor<6x6x1x2x2x5xf32>) -> tensor<6x6x1x2x2x5xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.winograd.input_transform' op expected output rank to be equal to input rank + 2
//   --> verify/linalg_ext/winograd.mlir:16:3
//    |
// 16 |   %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([1, 2]) ins(%x : tensor<1x10x6x5xf32>) outs(%o : tensor<6x6x1x2x1xf32>) -> tensor<6x6x1x2x1xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.winograd.input_transform' op expect image dimensions to be either [1, 2] or [2, 3]
//   --> verify/linalg_ext/winograd.mlir:22:3
//    |
// 22 |   %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([1, 3]) ins(%x : tensor<1x10x6x5xf32>) outs(%o : tensor<6x6x1x2x1x5xf32>) -> tensor<6x6x1x2x1x5xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.winograd.input_transform' op expected only 2 image dimensions
//   --> verify/linalg_ext/winograd.mlir:28:3
//    |
// 28 |   %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([1]) ins(%x : tensor<1x10x6x5xf32>) outs(%o : tensor<6x6x1x2x1x5xf32>) -> tensor<6x6x1x2x1x5xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.winograd.input_transform' op incompatible output shape
//   --> verify/linalg_ext/winograd.mlir:34:3
//    |
// 34 |   %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([2, 3]) ins(%x : tensor<1x10x6x5xf32>) outs(%o : tensor<6x6x1x2x1x5xf32>) -> tensor<6x6x1x2x1x5xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.winograd.input_transform' op expected positive tile and kernel sizes
//   --> verify/linalg_ext/winograd.mlir:40:3
//    |
// 40 |   %r = iree_linalg_ext.winograd.input_transform output_tile_size(0) kernel_size(3) image_dimensions([1, 2]) ins(%x : tensor<1x10x6x5xf32>) outs(%o : tensor<6x6x1x2x1x5xf32>) -> tensor<6x6x1x2x1x5xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.winograd.input_transform' op expected input dims not greater than input tile size if input is of rank 2
//   --> verify/linalg_ext/winograd.mlir:58:3
//    |
// 58 |   %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([0, 1]) ins(%x : tensor<6x7xf32>) outs(%o : tensor<6x6xf32>) -> tensor<6x6xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.winograd.input_transform' op expected output dims equal to inputTileSize if input is of rank 2
//   --> verify/linalg_ext/winograd.mlir:64:3
//    |
// 64 |   %r = iree_linalg_ext.winograd.input_transform output_tile_size(4) kernel_size(3) image_dimensions([0, 1]) ins(%x : tensor<6x5xf32>) outs(%o : tensor<6x5xf32>) -> tensor<6x5xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.winograd.output_transform' op incompatible output shape
//   --> verify/linalg_ext/winograd.mlir:76:3
//    |
// 76 |   %r = iree_linalg_ext.winograd.output_transform output_tile_size(4) kernel_size(3) image_dimensions([2, 3]) ins(%x : tensor<6x6x1x2x3x5xf32>) outs(%o : tensor<1x8x12x5xf32>) -> tensor<1x8x12x5xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.winograd.output_transform' op expect image dimensions to be either [1, 2] or [2, 3]
//   --> verify/linalg_ext/winograd.mlir:82:3
//    |
// 82 |   %r = iree_linalg_ext.winograd.output_transform output_tile_size(4) kernel_size(3) image_dimensions([3, 2]) ins(%x : tensor<6x6x1x2x3x5xf32>) outs(%o : tensor<1x5x8x12xf32>) -> tensor<1x5x8x12xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.winograd.output_transform' op expected input dims to be equal to input tile size if input is of rank 2
//   --> verify/linalg_ext/winograd.mlir:94:3
//    |
// 94 |   %r = iree_linalg_ext.winograd.output_transform output_tile_size(4) kernel_size(3) image_dimensions([0, 1]) ins(%x : tensor<5x6xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.winograd.filter_transform' op expect all kernel dimensions to have the kernel size
//    --> verify/linalg_ext/winograd.mlir:106:3
//     |
// 106 |   %r = iree_linalg_ext.winograd.filter_transform output_tile_size(4) kernel_size(3) kernel_dimensions([2, 3]) ins(%x : tensor<7x5x3x2xf32>) outs(%o : tensor<6x6x5x7xf32>) -> tensor<6x6x5x7xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.winograd.filter_transform' op incompatible output shape
//    --> verify/linalg_ext/winograd.mlir:112:3
//     |
// 112 |   %r = iree_linalg_ext.winograd.filter_transform output_tile_size(4) kernel_size(3) kernel_dimensions([2, 3]) ins(%x : tensor<7x5x3x3xf32>) outs(%o : tensor<6x6x7x5xf32>) -> tensor<6x6x7x5xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.winograd.filter_transform' op expected input dims to be equal to kernel size if input is of rank 2
//    --> verify/linalg_ext/winograd.mlir:130:3
//     |
// 130 |   %r = iree_linalg_ext.winograd.filter_transform output_tile_size(4) kernel_size(3) kernel_dimensions([0, 1]) ins(%x : tensor<3x2xf32>) outs(%o : tensor<6x6xf32>) -> tensor<6x6xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 14 diagnostics
// [exit status 1]
