// Winograd's transforms are products with windows of images and tiles of products.
// RUN: raddle run %s | grep -c 'correct:'
func.func @f(%a: tensor<1x14x20x16xf32>, %w: tensor<3x3x16x8xf32>) -> (tensor<8x8x1x2x3x16xf32>, tensor<8x8x16x8xf32>, tensor<1x12x18x16xf32>) {
  %e = tensor.empty() : tensor<8x8x1x2x3x16xf32>
  %t = iree_linalg_ext.winograd.input_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(%a : tensor<1x14x20x16xf32>) outs(%e : tensor<8x8x1x2x3x16xf32>) -> tensor<8x8x1x2x3x16xf32>
  %g = tensor.empty() : tensor<8x8x16x8xf32>
  %u = iree_linalg_ext.winograd.filter_transform output_tile_size(6) kernel_size(3) kernel_dimensions([0, 1]) ins(%w : tensor<3x3x16x8xf32>) outs(%g : tensor<8x8x16x8xf32>) -> tensor<8x8x16x8xf32>
  %o = tensor.empty() : tensor<1x12x18x16xf32>
  %r = iree_linalg_ext.winograd.output_transform output_tile_size(6) kernel_size(3) image_dimensions([1, 2]) ins(%t : tensor<8x8x1x2x3x16xf32>) outs(%o : tensor<1x12x18x16xf32>) -> tensor<1x12x18x16xf32>
  return %t, %u, %r : tensor<8x8x1x2x3x16xf32>, tensor<8x8x16x8xf32>, tensor<1x12x18x16xf32>
}

// $ raddle run %s | grep -c 'correct:'
// 3
