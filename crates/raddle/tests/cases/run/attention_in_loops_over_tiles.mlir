// On a CPU, attention is one kernel: a workgroup has rows of the query, which are the elements of its vectors, and goes
// through blocks of keys in loops over tiles. Ends of rows, of keys and of columns are masked; keys of one block are no
// loop; few rows are several kernels.
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle opt %s --target=x86-64-v4 --normalize --partition | grep func.func
func.func @one_block(%q: tensor<2x16x20xf32>, %k: tensor<2x48x20xf32>, %v: tensor<2x48x33xf32>) -> tensor<2x16x33xf32> {
  %scale = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<2x16x33xf32>
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, k, v) -> (b, m, k)>, affine_map<(b, m, n, k, v) -> (b, n, k)>, affine_map<(b, m, n, k, v) -> (b, n, v)>, affine_map<(b, m, n, k, v) -> ()>, affine_map<(b, m, n, k, v) -> (b, m, v)>]}
      ins(%q, %k, %v, %scale : tensor<2x16x20xf32>, tensor<2x48x20xf32>, tensor<2x48x33xf32>, f32) outs(%e : tensor<2x16x33xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<2x16x33xf32>
  return %r : tensor<2x16x33xf32>
}
func.func @causal(%q: tensor<1x70x12xf32>, %k: tensor<1x150x12xf32>, %v: tensor<1x150x16xf32>) -> tensor<1x70x16xf32> {
  %scale = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<1x70x16xf32>
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, k, v) -> (b, m, k)>, affine_map<(b, m, n, k, v) -> (b, n, k)>, affine_map<(b, m, n, k, v) -> (b, n, v)>, affine_map<(b, m, n, k, v) -> ()>, affine_map<(b, m, n, k, v) -> (b, m, v)>]}
      ins(%q, %k, %v, %scale : tensor<1x70x12xf32>, tensor<1x150x12xf32>, tensor<1x150x16xf32>, f32) outs(%e : tensor<1x70x16xf32>) {
  ^bb0(%x: f32):
    %i = iree_linalg_ext.index 1 : index
    %j = iree_linalg_ext.index 2 : index
    %sees = arith.cmpi sge, %i, %j : index
    %never = arith.constant 0xFF800000 : f32
    %y = arith.select %sees, %x, %never : f32
    iree_linalg_ext.yield %y : f32
  } -> tensor<1x70x16xf32>
  return %r : tensor<1x70x16xf32>
}
func.func @capped_rows_that_share_keys(%q: tensor<1x2x13x8xf16>, %k: tensor<1x140x8xf16>, %v: tensor<1x140x7xf16>, %m: tensor<13x140xf16>) -> tensor<1x2x13x7xf16> {
  %scale = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<1x2x13x7xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, g, m, n, k, v) -> (b, g, m, k)>, affine_map<(b, g, m, n, k, v) -> (b, n, k)>, affine_map<(b, g, m, n, k, v) -> (b, n, v)>, affine_map<(b, g, m, n, k, v) -> ()>, affine_map<(b, g, m, n, k, v) -> (m, n)>, affine_map<(b, g, m, n, k, v) -> (b, g, m, v)>]}
      ins(%q, %k, %v, %scale, %m : tensor<1x2x13x8xf16>, tensor<1x140x8xf16>, tensor<1x140x7xf16>, f32, tensor<13x140xf16>) outs(%e : tensor<1x2x13x7xf16>) {
  ^bb0(%x: f32):
    %y = math.tanh %x : f32
    iree_linalg_ext.yield %y : f32
  } -> tensor<1x2x13x7xf16>
  return %r : tensor<1x2x13x7xf16>
}
func.func @keys_as_columns(%q: tensor<1x33x6xbf16>, %k: tensor<1x6x130xbf16>, %v: tensor<1x130x18xbf16>, %m: tensor<1x130xi1>) -> tensor<1x33x18xbf16> {
  %scale = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<1x33x18xbf16>
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, k, v) -> (b, m, k)>, affine_map<(b, m, n, k, v) -> (b, k, n)>, affine_map<(b, m, n, k, v) -> (b, n, v)>, affine_map<(b, m, n, k, v) -> ()>, affine_map<(b, m, n, k, v) -> (b, n)>, affine_map<(b, m, n, k, v) -> (b, m, v)>]}
      ins(%q, %k, %v, %scale, %m : tensor<1x33x6xbf16>, tensor<1x6x130xbf16>, tensor<1x130x18xbf16>, f32, tensor<1x130xi1>) outs(%e : tensor<1x33x18xbf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<1x33x18xbf16>
  return %r : tensor<1x33x18xbf16>
}
func.func @few_rows(%q: tensor<1x2x8xf32>, %k: tensor<1x32x8xf32>, %v: tensor<1x32x8xf32>) -> tensor<1x2x8xf32> {
  %scale = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<1x2x8xf32>
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, k, v) -> (b, m, k)>, affine_map<(b, m, n, k, v) -> (b, n, k)>, affine_map<(b, m, n, k, v) -> (b, n, v)>, affine_map<(b, m, n, k, v) -> ()>, affine_map<(b, m, n, k, v) -> (b, m, v)>]}
      ins(%q, %k, %v, %scale : tensor<1x2x8xf32>, tensor<1x32x8xf32>, tensor<1x32x8xf32>, f32) outs(%e : tensor<1x2x8xf32>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<1x2x8xf32>
  return %r : tensor<1x2x8xf32>
}

// $ raddle run %s --all --target=x86-64-v4
// ok       @one_block
// ok       @causal
// ok       @capped_rows_that_share_keys
// ok       @keys_as_columns
// ok       @few_rows
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --target=x86-64-v4 --normalize --partition | grep func.func
//   func.func @one_block(%arg0: tensor<2x16x20xf32>, %arg1: tensor<2x48x20xf32>, %arg2: tensor<2x48x33xf32>) -> tensor<2x16x33xf32> {
//   func.func @causal(%arg0: tensor<1x70x12xf32>, %arg1: tensor<1x150x12xf32>, %arg2: tensor<1x150x16xf32>) -> tensor<1x70x16xf32> {
//   func.func @capped_rows_that_share_keys(%arg0: tensor<1x2x13x8xf16>, %arg1: tensor<1x140x8xf16>, %arg2: tensor<1x140x7xf16>, %arg3: tensor<13x140xf16>) -> tensor<1x2x13x7xf16> {
//   func.func @keys_as_columns(%arg0: tensor<1x33x6xbf16>, %arg1: tensor<1x6x130xbf16>, %arg2: tensor<1x130x18xbf16>, %arg3: tensor<1x130xi1>) -> tensor<1x33x18xbf16> {
//   func.func @few_rows(%arg0: tensor<1x2x8xf32>, %arg1: tensor<1x32x8xf32>, %arg2: tensor<1x32x8xf32>) -> tensor<1x2x8xf32> {
//   func.func @few_rows_kernel_0(%arg0: tensor<1x2x8xf32>, %arg1: tensor<1x32x8xf32>) -> (tensor<1x2x32xf32>, tensor<1x2xf32>) {
//   func.func @few_rows_kernel_1(%arg0: tensor<1x2x32xf32>, %arg1: tensor<1x32x8xf32>, %arg2: tensor<1x2xf32>) -> tensor<1x2x8xf32> {
