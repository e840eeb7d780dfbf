// Batches, M and K of an unfolded image come from the dimensions that its lists name.
// RUN: raddle check %s --split-input-file
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[1, 2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32, 1], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [9, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 1] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 3] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1] input_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1] input_pad_high = [0, 1, 1] pad_value(%p : f32)
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// -----
func.func @f(%x: tensor<2x34x34x640xf32>, %o: tensor<2x1024x5760xf32>, %p: f32) {
  %r = iree_linalg_ext.im2col strides = [1, 1] dilations = [1, 1] kernel_size = [3, 3] offsets = [0, 0, 0] output_sizes = [[2], [32, 32], [3, 3, 640]] batch_pos = [0] m_pos = [1, 2] k_pos = [3] input_k_perm = [0, 1, 2] output_perm = [0, 1, 2] input_pad_low = [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0]
      ins(%x : tensor<2x34x34x640xf32>) outs(%o : tensor<2x1024x5760xf32>) -> tensor<2x1024x5760xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_linalg_ext.im2col' op expected input rank to be the sum of batch, m, and k ranks
//   --> verify/linalg_ext/im2col.mlir:11:3
//    |
// 11 |   %r = iree_linalg_ext.im2col strides = [1, 1] ...t_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op expected offsets size (2) to match output rank (3)
//   --> verify/linalg_ext/im2col.mlir:18:3
//    |
// 18 |   %r = iree_linalg_ext.im2col strides = [1, 1] ...t_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op expected output_sizes outer size (2) to match output rank (3)
//   --> verify/linalg_ext/im2col.mlir:25:3
//    |
// 25 |   %r = iree_linalg_ext.im2col strides = [1, 1] ...t_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op expected sum of batch output_sizes inner dimensions to equal batch_pos size
//   --> verify/linalg_ext/im2col.mlir:32:3
//    |
// 32 |   %r = iree_linalg_ext.im2col strides = [1, 1] ...t_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op M/K boundary not found: accumulated output_sizes inner dimensions must equal m_pos size at some output dim boundary
//   --> verify/linalg_ext/im2col.mlir:39:3
//    |
// 39 |   %r = iree_linalg_ext.im2col strides = [1, 1] ...t_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op expected sum of K output_sizes inner dimensions (2) to equal m_pos.size() + k_pos.size() (3)
//   --> verify/linalg_ext/im2col.mlir:46:3
//    |
// 46 |   %r = iree_linalg_ext.im2col strides = [1, 1] ...t_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op expected kernel rank to be equal to the m_pos rank
//   --> verify/linalg_ext/im2col.mlir:53:3
//    |
// 53 |   %r = iree_linalg_ext.im2col strides = [1, 1] ...t_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op expected strides rank to be equal to the kernel rank
//   --> verify/linalg_ext/im2col.mlir:60:3
//    |
// 60 |   %r = iree_linalg_ext.im2col strides = [1] dil...t_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op expected dilations rank to be equal to the kernel rank
//   --> verify/linalg_ext/im2col.mlir:67:3
//    |
// 67 |   %r = iree_linalg_ext.im2col strides = [1, 1] ...t_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op expected input_k_perm size (2) to match the number of shared dimensions (m_pos + k_pos = 3)
//   --> verify/linalg_ext/im2col.mlir:74:3
//    |
// 74 |   %r = iree_linalg_ext.im2col strides = [1, 1] ...t_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op expected input_k_perm to be a permutation of [0, 3)
//   --> verify/linalg_ext/im2col.mlir:81:3
//    |
// 81 |   %r = iree_linalg_ext.im2col strides = [1, 1] ...t_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op expected output_perm to be a permutation
//   --> verify/linalg_ext/im2col.mlir:88:3
//    |
// 88 |   %r = iree_linalg_ext.im2col strides = [1, 1] ...t_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op expected output_perm to have the same rank as the result
//   --> verify/linalg_ext/im2col.mlir:95:3
//    |
// 95 |   %r = iree_linalg_ext.im2col strides = [1, 1] ...t_pad_high = [0, 1, 1, 0] pad_value(%p : f32)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op expected input_pad_low and input_pad_high to have the same size
//    --> verify/linalg_ext/im2col.mlir:102:3
//     |
// 102 |   %r = iree_linalg_ext.im2col strides = [1, 1]..._pad_high = [0, 1, 1, 0] pad_value(%p : f32)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op expected input_pad_low size (3) to match input rank (4)
//    --> verify/linalg_ext/im2col.mlir:109:3
//     |
// 109 |   %r = iree_linalg_ext.im2col strides = [1, 1]...put_pad_high = [0, 1, 1] pad_value(%p : f32)
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_linalg_ext.im2col' op expected pad_value when input_pad_low/input_pad_high are specified
//    --> verify/linalg_ext/im2col.mlir:116:3
//     |
// 116 |   %r = iree_linalg_ext.im2col strides = [1, 1]...= [0, 1, 1, 0] input_pad_high = [0, 1, 1, 0]
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^...^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 16 diagnostics
// [exit status 1]
