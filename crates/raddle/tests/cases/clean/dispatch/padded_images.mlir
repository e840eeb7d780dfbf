// Padding in front of `im2col` and behind it is its own, as long as all of it is one number.
// RUN: raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
func.func @f(%x: tensor<2x7x3xf32>) {
  %z = arith.constant 0.0 : f32  %y = arith.constant 0.0 : f32  %p = tensor.pad %x low[0, 1, 0] high[0, 2, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %z : f32
  } : tensor<2x7x3xf32> to tensor<2x10x3xf32>
  %e = tensor.empty() : tensor<2x8x9xf32>
  %r = iree_linalg_ext.im2col strides = [1] dilations = [1] kernel_size = [3] offsets = [0, 0, 0] output_sizes = [[2], [8], [3, 3]] batch_pos = [0] m_pos = [1] k_pos = [2] input_k_perm = [0, 1] output_perm = [0, 1, 2] ins(%p : tensor<2x10x3xf32>) outs(%e : tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
  %q = tensor.pad %r low[0, 0, 1] high[0, 4, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %y : f32
  } : tensor<2x8x9xf32> to tensor<2x12x10xf32>
  "test.use"(%q) : (tensor<2x12x10xf32>) -> ()
  return
}

// -----
func.func @f(%x: tensor<2x7x3xf32>) {
  %z = arith.constant 0.0 : f32  %y = arith.constant 1.0 : f32  %p = tensor.pad %x low[0, 1, 0] high[0, 2, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %z : f32
  } : tensor<2x7x3xf32> to tensor<2x10x3xf32>
  %e = tensor.empty() : tensor<2x8x9xf32>
  %r = iree_linalg_ext.im2col strides = [1] dilations = [1] kernel_size = [3] offsets = [0, 0, 0] output_sizes = [[2], [8], [3, 3]] batch_pos = [0] m_pos = [1] k_pos = [2] input_k_perm = [0, 1] output_perm = [0, 1, 2] ins(%p : tensor<2x10x3xf32>) outs(%e : tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
  %q = tensor.pad %r low[0, 0, 1] high[0, 4, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %y : f32
  } : tensor<2x8x9xf32> to tensor<2x12x10xf32>
  "test.use"(%q) : (tensor<2x12x10xf32>) -> ()
  return
}

// $ raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
// module {
//   func.func @f(%arg0: tensor<2x7x3xf32>) {
//     %cst = arith.constant 0.000000e+00 : f32
//     %0 = tensor.empty() : tensor<2x12x10xf32>
//     %1 = iree_linalg_ext.im2col strides = [1] dilations = [1] kernel_size = [3] offsets = [0, 0, 0] output_sizes = [[2], [8], [3, 3]] batch_pos = [0] m_pos = [1] k_pos = [2] input_k_perm = [0, 1] output_perm = [0, 1, 2] input_pad_low = [0, 1, 0] input_pad_high = [0, 2, 0] output_pad_low = [0, 0, 1] output_pad_high = [0, 4, 0] pad_value(%cst : f32) ins(%arg0 : tensor<2x7x3xf32>) outs(%0 : tensor<2x12x10xf32>) -> tensor<2x12x10xf32>
//     "test.use"(%1) : (tensor<2x12x10xf32>) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: tensor<2x7x3xf32>) {
//     %cst = arith.constant 0.000000e+00 : f32
//     %cst_0 = arith.constant 1.000000e+00 : f32
//     %0 = tensor.empty() : tensor<2x8x9xf32>
//     %1 = iree_linalg_ext.im2col strides = [1] dilations = [1] kernel_size = [3] offsets = [0, 0, 0] output_sizes = [[2], [8], [3, 3]] batch_pos = [0] m_pos = [1] k_pos = [2] input_k_perm = [0, 1] output_perm = [0, 1, 2] input_pad_low = [0, 1, 0] input_pad_high = [0, 2, 0] pad_value(%cst : f32) ins(%arg0 : tensor<2x7x3xf32>) outs(%0 : tensor<2x8x9xf32>) -> tensor<2x8x9xf32>
//     %padded = tensor.pad %1 low[0, 0, 1] high[0, 4, 0] {
//     ^bb0(%arg1: index, %arg2: index, %arg3: index):
//       tensor.yield %cst_0 : f32
//     } : tensor<2x8x9xf32> to tensor<2x12x10xf32>
//     "test.use"(%padded) : (tensor<2x12x10xf32>) -> ()
//     return
//   }
// }
