// A layer of attention as PyTorch exports it with an open batch and an open length: rows of all sequences are rows of one
// matrix, reshapes whose shape is a tensor say which dimensions become which, heads are read where the products leave them,
// and rotations of halves are one kernel.
// RUN: raddle opt %s --partition | grep -e func.func -e call -e _shape -e tensor.reshape
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// RUN: raddle run %s --input=1x1x64xf16=random --input=64x64xf16=random --input=1x32xf16=random --input=1x32xf16=random --quiet
// RUN: raddle run %s --input=3x13x64xf16=random --input=64x64xf16=random --input=13x32xf16=random --input=13x32xf16=random --quiet
// RUN: raddle run %s --input=2x64x64xf16=random --input=64x64xf16=random --input=64x32xf16=random --input=64x32xf16=random --device=ptx-emu --target=sm_90a --quiet
// RUN: raddle run %s --input=5x7x64xf16=random --input=64x64xf16=random --input=7x32xf16=random --input=7x32xf16=random --target=gfx942 --quiet
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#table = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
func.func @layer(%x: tensor<?x?x64xf16>, %w: tensor<64x64xf16>, %cos: tensor<?x32xf16>, %sin: tensor<?x32xf16>) -> tensor<?x?x64xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c0_i64 = arith.constant 0 : i64
  %c2_i64 = arith.constant 2 : i64
  %c32_i64 = arith.constant 32 : i64
  %c64_i64 = arith.constant 64 : i64
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 1.767580e-01 : f16
  %b = tensor.dim %x, %c0 : tensor<?x?x64xf16>
  %n = tensor.dim %x, %c1 : tensor<?x?x64xf16>
  %b_i64 = arith.index_cast %b : index to i64
  %n_i64 = arith.index_cast %n : index to i64
  // A product with a weight for each sequence, which is the same one.
  %we = tensor.empty(%b) : tensor<?x64x64xf16>
  %ws = linalg.broadcast ins(%w : tensor<64x64xf16>) outs(%we : tensor<?x64x64xf16>) dimensions = [0]
  %e32 = tensor.empty(%b, %n) : tensor<?x?x64xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e32 : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %product = linalg.batch_matmul ins(%x, %ws : tensor<?x?x64xf16>, tensor<?x64x64xf16>) outs(%fill : tensor<?x?x64xf32>) -> tensor<?x?x64xf32>
  %e16 = tensor.empty(%b, %n) : tensor<?x?x64xf16>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%product : tensor<?x?x64xf32>) outs(%e16 : tensor<?x?x64xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x?x64xf16>
  // Heads.
  %rows = arith.muli %b_i64, %n_i64 : i64
  %all = arith.muli %rows, %c64_i64 : i64
  %each = arith.muli %rows, %c32_i64 : i64
  %heads = arith.divui %all, %each : i64
  %shape = tensor.from_elements %b_i64, %n_i64, %heads, %c32_i64 : tensor<4xi64>
  %apart = tensor.reshape %p(%shape) : (tensor<?x?x64xf16>, tensor<4xi64>) -> tensor<?x?x2x32xf16>
  %eh = tensor.empty(%b, %n) : tensor<?x2x?x32xf16>
  %h = linalg.transpose ins(%apart : tensor<?x?x2x32xf16>) outs(%eh : tensor<?x2x?x32xf16>) permutation = [0, 2, 1, 3]
  // A slice that is brought into range.
  %is_less = arith.cmpi slt, %n_i64, %c0_i64 : i64
  %chosen = arith.select %is_less, %c0, %n : index
  %most = arith.maxsi %chosen, %c0 : index
  %low = tensor.extract_slice %h[0, 0, 0, 0] [%b, 2, %most, 16] [1, 1, 1, 1] : tensor<?x2x?x32xf16> to tensor<?x2x?x16xf16>
  %high = tensor.extract_slice %h[0, 0, 0, 16] [%b, 2, %most, 16] [1, 1, 1, 1] : tensor<?x2x?x32xf16> to tensor<?x2x?x16xf16>
  %en = tensor.empty(%b, %most) : tensor<?x2x?x16xf16>
  %neg = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%high : tensor<?x2x?x16xf16>) outs(%en : tensor<?x2x?x16xf16>) {
  ^bb0(%in: f16, %out: f16):
    %0 = arith.negf %in : f16
    linalg.yield %0 : f16
  } -> tensor<?x2x?x16xf16>
  %turned = tensor.concat dim(3) %neg, %low : (tensor<?x2x?x16xf16>, tensor<?x2x?x16xf16>) -> tensor<?x2x?x32xf16>
  %q = linalg.generic {indexing_maps = [#id, #id, #table, #table, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%h, %turned, %cos, %sin : tensor<?x2x?x32xf16>, tensor<?x2x?x32xf16>, tensor<?x32xf16>, tensor<?x32xf16>) outs(%eh : tensor<?x2x?x32xf16>) {
  ^bb0(%a: f16, %t: f16, %c: f16, %s: f16, %out: f16):
    %0 = arith.mulf %a, %c : f16
    %1 = arith.mulf %t, %s : f16
    %2 = arith.addf %0, %1 : f16
    linalg.yield %2 : f16
  } -> tensor<?x2x?x32xf16>
  %y = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, h, m, n, k1, k2) -> (b, h, m, k1)>, affine_map<(b, h, m, n, k1, k2) -> (b, h, k2, k1)>, affine_map<(b, h, m, n, k1, k2) -> (b, h, k2, n)>, affine_map<(b, h, m, n, k1, k2) -> ()>, affine_map<(b, h, m, n, k1, k2) -> (b, h, m, n)>]} ins(%q, %q, %h, %scale : tensor<?x2x?x32xf16>, tensor<?x2x?x32xf16>, tensor<?x2x?x32xf16>, f16) outs(%eh : tensor<?x2x?x32xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<?x2x?x32xf16>
  %same_shape = tensor.from_elements %b_i64, %c2_i64, %n_i64, %c32_i64 : tensor<4xi64>
  %same = tensor.reshape %y(%same_shape) : (tensor<?x2x?x32xf16>, tensor<4xi64>) -> tensor<?x2x?x32xf16>
  %eo = tensor.empty(%b, %n) : tensor<?x?x2x32xf16>
  %o = linalg.transpose ins(%same : tensor<?x2x?x32xf16>) outs(%eo : tensor<?x?x2x32xf16>) permutation = [0, 2, 1, 3]
  %end_shape = tensor.from_elements %b_i64, %n_i64, %c64_i64 : tensor<3xi64>
  %r = tensor.reshape %o(%end_shape) : (tensor<?x?x2x32xf16>, tensor<3xi64>) -> tensor<?x?x64xf16>
  return %r : tensor<?x?x64xf16>
}

// $ raddle opt %s --partition | grep -e func.func -e call -e _shape -e tensor.reshape
//   func.func @layer(%arg0: tensor<?x?x64xf16>, %arg1: tensor<64x64xf16>, %arg2: tensor<?x32xf16>, %arg3: tensor<?x32xf16>) -> tensor<?x?x64xf16> {
//     %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<?x?x64xf16> into tensor<?x64xf16>
//     %0 = call @layer_kernel_0(%collapsed, %arg1, %arg0) : (tensor<?x64xf16>, tensor<64x64xf16>, tensor<?x?x64xf16>) -> tensor<?x64xf16>
//     %expanded = tensor.expand_shape %0 [[0, 1], [2, 3]] output_shape [%dim, %dim_0, 2, 32] : tensor<?x64xf16> into tensor<?x?x2x32xf16>
//     %1 = call @layer_kernel_1(%expanded, %arg0, %arg2, %arg3) : (tensor<?x?x2x32xf16>, tensor<?x?x64xf16>, tensor<?x32xf16>, tensor<?x32xf16>) -> tensor<?x2x?x32xf16>
//     %2 = call @layer_kernel_2(%1, %expanded, %arg0) : (tensor<?x2x?x32xf16>, tensor<?x?x2x32xf16>, tensor<?x?x64xf16>) -> tensor<?x?x2x32xf16>
//     %collapsed_1 = tensor.collapse_shape %2 [[0], [1], [2, 3]] : tensor<?x?x2x32xf16> into tensor<?x?x64xf16>
//   func.func @layer_kernel_0(%arg0: tensor<?x64xf16>, %arg1: tensor<64x64xf16>, %arg2: tensor<?x?x64xf16>) -> tensor<?x64xf16> {
//   func.func @layer_kernel_1(%arg0: tensor<?x?x2x32xf16>, %arg1: tensor<?x?x64xf16>, %arg2: tensor<?x32xf16>, %arg3: tensor<?x32xf16>) -> tensor<?x2x?x32xf16> {
//   func.func @layer_kernel_2(%arg0: tensor<?x2x?x32xf16>, %arg1: tensor<?x?x2x32xf16>, %arg2: tensor<?x?x64xf16>) -> tensor<?x?x2x32xf16> {

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// 0

// $ raddle run %s --input=1x1x64xf16=random --input=64x64xf16=random --input=1x32xf16=random --input=1x32xf16=random --quiet
// correct: all 64 elements equal the reference bit for bit

// $ raddle run %s --input=3x13x64xf16=random --input=64x64xf16=random --input=13x32xf16=random --input=13x32xf16=random --quiet
// correct: all 2496 elements agree with the reference within 3.87e-1 + 1.95e-3·|expected| (2495 bit for bit)

// $ raddle run %s --input=2x64x64xf16=random --input=64x64xf16=random --input=64x32xf16=random --input=64x32xf16=random --device=ptx-emu --target=sm_90a --quiet
// correct: all 8192 elements agree with the reference within 3.86e-1 + 1.95e-3·|expected| (8140 bit for bit)

// $ raddle run %s --input=5x7x64xf16=random --input=64x64xf16=random --input=7x32xf16=random --input=7x32xf16=random --target=gfx942 --quiet
// correct: all 2240 elements equal the reference bit for bit
