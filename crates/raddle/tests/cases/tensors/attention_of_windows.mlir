// Attention of windows of images, as Swin has it: queries, keys and values are parts of one product, queries are scaled in
// front of theirs, each head has a bias, and each window of an image a mask, for which the windows of an image are a
// dimension of their own. It is one kernel, which reads that product where it lies.

// RUN: raddle run %s --function=windows | grep correct
// RUN: raddle run %s --function=windows --target=sm_90a --device=ptx-emu | grep correct
// RUN: raddle run %s --function=windows --target=gfx942 | grep correct
// RUN: raddle run %s --function=windows --device=cpu | grep -c correct
// RUN: raddle run %s --function=rows_first | grep correct
// RUN: raddle opt %s --pass-pipeline=builtin.module(func.func(normalize,partition)) | grep func.func

#id4 = affine_map<(a, b, c, d) -> (a, b, c, d)>
#id5 = affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>

func.func @windows(%qkv: tensor<6x16x3x2x32xf16>, %bias: tensor<2x16x16xf16>, %mask: tensor<3x16x16xf16>) -> tensor<6x16x64xf16> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 0.1767578125 : f16
  %e = tensor.empty() : tensor<3x6x2x16x32xf16>
  %all = linalg.transpose ins(%qkv : tensor<6x16x3x2x32xf16>) outs(%e : tensor<3x6x2x16x32xf16>) permutation = [2, 0, 3, 1, 4]
  %q = tensor.extract_slice %all[0, 0, 0, 0, 0] [1, 6, 2, 16, 32] [1, 1, 1, 1, 1] : tensor<3x6x2x16x32xf16> to tensor<6x2x16x32xf16>
  %k = tensor.extract_slice %all[1, 0, 0, 0, 0] [1, 6, 2, 16, 32] [1, 1, 1, 1, 1] : tensor<3x6x2x16x32xf16> to tensor<6x2x16x32xf16>
  %v = tensor.extract_slice %all[2, 0, 0, 0, 0] [1, 6, 2, 16, 32] [1, 1, 1, 1, 1] : tensor<3x6x2x16x32xf16> to tensor<6x2x16x32xf16>
  %eq = tensor.empty() : tensor<6x2x16x32xf16>
  %sq = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<6x2x16x32xf16>) outs(%eq : tensor<6x2x16x32xf16>) {
  ^bb0(%a: f16, %o: f16):
    %x = arith.mulf %a, %c : f16
    linalg.yield %x : f16
  } -> tensor<6x2x16x32xf16>
  %et = tensor.empty() : tensor<6x2x32x16xf16>
  %kt = linalg.transpose ins(%k : tensor<6x2x16x32xf16>) outs(%et : tensor<6x2x32x16xf16>) permutation = [0, 1, 3, 2]
  %q3 = tensor.collapse_shape %sq [[0, 1], [2], [3]] : tensor<6x2x16x32xf16> into tensor<12x16x32xf16>
  %k3 = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<6x2x32x16xf16> into tensor<12x32x16xf16>
  %es = tensor.empty() : tensor<12x16x16xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<12x16x16xf32>) -> tensor<12x16x16xf32>
  %s = linalg.batch_matmul ins(%q3, %k3 : tensor<12x16x32xf16>, tensor<12x32x16xf16>) outs(%fs : tensor<12x16x16xf32>) -> tensor<12x16x16xf32>
  %s4 = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [6, 2, 16, 16] : tensor<12x16x16xf32> into tensor<6x2x16x16xf32>
  %eb = tensor.empty() : tensor<6x2x16x16xf32>
  %biased = linalg.generic {indexing_maps = [#id4, affine_map<(a, b, c, d) -> (b, c, d)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s4, %bias : tensor<6x2x16x16xf32>, tensor<2x16x16xf16>) outs(%eb : tensor<6x2x16x16xf32>) {
  ^bb0(%a: f32, %b: f16, %o: f32):
    %w = arith.extf %b : f16 to f32
    %x = arith.addf %a, %w : f32
    linalg.yield %x : f32
  } -> tensor<6x2x16x16xf32>
  %s5 = tensor.expand_shape %biased [[0, 1], [2], [3], [4]] output_shape [2, 3, 2, 16, 16] : tensor<6x2x16x16xf32> into tensor<2x3x2x16x16xf32>
  %em = tensor.empty() : tensor<2x3x2x16x16xf32>
  %masked = linalg.generic {indexing_maps = [#id5, affine_map<(a, b, c, d, e) -> (b, d, e)>, #id5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%s5, %mask : tensor<2x3x2x16x16xf32>, tensor<3x16x16xf16>) outs(%em : tensor<2x3x2x16x16xf32>) {
  ^bb0(%a: f32, %b: f16, %o: f32):
    %w = arith.extf %b : f16 to f32
    %x = arith.addf %a, %w : f32
    linalg.yield %x : f32
  } -> tensor<2x3x2x16x16xf32>
  %m4 = tensor.collapse_shape %masked [[0, 1], [2], [3], [4]] : tensor<2x3x2x16x16xf32> into tensor<6x2x16x16xf32>
  %ep = tensor.empty() : tensor<6x2x16x16xf32>
  %p = linalg.softmax dimension(3) ins(%m4 : tensor<6x2x16x16xf32>) outs(%ep : tensor<6x2x16x16xf32>) -> tensor<6x2x16x16xf32>
  %eh = tensor.empty() : tensor<6x2x16x16xf16>
  %h = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<6x2x16x16xf32>) outs(%eh : tensor<6x2x16x16xf16>) {
  ^bb0(%a: f32, %o: f16):
    %x = arith.truncf %a : f32 to f16
    linalg.yield %x : f16
  } -> tensor<6x2x16x16xf16>
  %p3 = tensor.collapse_shape %h [[0, 1], [2], [3]] : tensor<6x2x16x16xf16> into tensor<12x16x16xf16>
  %v3 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<6x2x16x32xf16> into tensor<12x16x32xf16>
  %eo = tensor.empty() : tensor<12x16x32xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<12x16x32xf32>) -> tensor<12x16x32xf32>
  %r = linalg.batch_matmul ins(%p3, %v3 : tensor<12x16x16xf16>, tensor<12x16x32xf16>) outs(%fo : tensor<12x16x32xf32>) -> tensor<12x16x32xf32>
  %r4 = tensor.expand_shape %r [[0, 1], [2], [3]] output_shape [6, 2, 16, 32] : tensor<12x16x32xf32> into tensor<6x2x16x32xf32>
  %er = tensor.empty() : tensor<6x16x2x32xf16>
  %t = linalg.generic {indexing_maps = [affine_map<(w, i, h, d) -> (w, h, i, d)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r4 : tensor<6x2x16x32xf32>) outs(%er : tensor<6x16x2x32xf16>) {
  ^bb0(%a: f32, %o: f16):
    %x = arith.truncf %a : f32 to f16
    linalg.yield %x : f16
  } -> tensor<6x16x2x32xf16>
  %flat = tensor.collapse_shape %t [[0], [1], [2, 3]] : tensor<6x16x2x32xf16> into tensor<6x16x64xf16>
  return %flat : tensor<6x16x64xf16>
}

// Rows in front of the sequences of a batch, and heads in a dimension with these, as `torch.nn.MultiheadAttention` has them.
func.func @rows_first(%qkv: tensor<32x4x3x128xf16>) -> tensor<8x32x32xf32> {
  %e = tensor.empty() : tensor<3x32x4x128xf16>
  %all = linalg.transpose ins(%qkv : tensor<32x4x3x128xf16>) outs(%e : tensor<3x32x4x128xf16>) permutation = [2, 0, 1, 3]
  %joined = tensor.collapse_shape %all [[0], [1], [2, 3]] : tensor<3x32x4x128xf16> into tensor<3x32x512xf16>
  %q = tensor.extract_slice %joined[0, 0, 0] [1, 32, 512] [1, 1, 1] : tensor<3x32x512xf16> to tensor<32x512xf16>
  %k = tensor.extract_slice %joined[1, 0, 0] [1, 32, 512] [1, 1, 1] : tensor<3x32x512xf16> to tensor<32x512xf16>
  %v = tensor.extract_slice %joined[2, 0, 0] [1, 32, 512] [1, 1, 1] : tensor<3x32x512xf16> to tensor<32x512xf16>
  %qh = tensor.expand_shape %q [[0], [1, 2]] output_shape [32, 8, 64] : tensor<32x512xf16> into tensor<32x8x64xf16>
  %kh = tensor.expand_shape %k [[0], [1, 2]] output_shape [32, 8, 64] : tensor<32x512xf16> into tensor<32x8x64xf16>
  %vh = tensor.expand_shape %v [[0], [1, 2]] output_shape [32, 8, 64] : tensor<32x512xf16> into tensor<32x8x64xf16>
  %et = tensor.empty() : tensor<8x32x64xf16>
  %qt = linalg.transpose ins(%qh : tensor<32x8x64xf16>) outs(%et : tensor<8x32x64xf16>) permutation = [1, 0, 2]
  %kt = linalg.transpose ins(%kh : tensor<32x8x64xf16>) outs(%et : tensor<8x32x64xf16>) permutation = [1, 0, 2]
  %vt = linalg.transpose ins(%vh : tensor<32x8x64xf16>) outs(%et : tensor<8x32x64xf16>) permutation = [1, 0, 2]
  %scale = arith.constant 0.125 : f16
  %eo = tensor.empty() : tensor<8x32x64xf16>
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, n, k1, k2) -> (b, m, k1)>, affine_map<(b, m, n, k1, k2) -> (b, k2, k1)>, affine_map<(b, m, n, k1, k2) -> (b, k2, n)>, affine_map<(b, m, n, k1, k2) -> ()>, affine_map<(b, m, n, k1, k2) -> (b, m, n)>]}
    ins(%qt, %kt, %vt, %scale : tensor<8x32x64xf16>, tensor<8x32x64xf16>, tensor<8x32x64xf16>, f16) outs(%eo : tensor<8x32x64xf16>) {
  ^bb0(%s: f32):
    iree_linalg_ext.yield %s : f32
  } -> tensor<8x32x64xf16>
  %zero = arith.constant 0.0 : f32
  %ep = tensor.empty() : tensor<8x32x32xf32>
  %fp = linalg.fill ins(%zero : f32) outs(%ep : tensor<8x32x32xf32>) -> tensor<8x32x32xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (b, j, k)>, affine_map<(b, i, j, k) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%r, %r : tensor<8x32x64xf16>, tensor<8x32x64xf16>) outs(%fp : tensor<8x32x32xf32>) {
  ^bb0(%a: f16, %b: f16, %o: f32):
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %m = arith.mulf %x, %y : f32
    %sum = arith.addf %o, %m : f32
    linalg.yield %sum : f32
  } -> tensor<8x32x32xf32>
  return %p : tensor<8x32x32xf32>
}

// $ raddle run %s --function=windows | grep correct
// correct: all 6144 elements agree with the reference within 1.59e-2 + 1.95e-3·|expected| (4518 bit for bit)

// $ raddle run %s --function=windows --target=sm_90a --device=ptx-emu | grep correct
// correct: all 6144 elements agree with the reference within 1.59e-2 + 1.95e-3·|expected| (4518 bit for bit)

// $ raddle run %s --function=windows --target=gfx942 | grep correct
// correct: all 6144 elements agree with the reference within 1.59e-2 + 1.95e-3·|expected| (4519 bit for bit)

// $ raddle run %s --function=windows --device=cpu | grep -c correct
// 1

// $ raddle run %s --function=rows_first | grep correct
// correct: all 8192 elements agree with the reference within 4.68e-2 + 2.38e-7·|expected| (0 bit for bit)

// $ raddle opt %s --pass-pipeline=builtin.module(func.func(normalize,partition)) | grep func.func
//   func.func @windows(%arg0: tensor<6x16x3x2x32xf16>, %arg1: tensor<2x16x16xf16>, %arg2: tensor<3x16x16xf16>) -> tensor<6x16x64xf16> {
//   func.func @rows_first(%arg0: tensor<32x4x3x128xf16>) -> tensor<8x32x32xf32> {
//   func.func @windows_kernel_0(%arg0: tensor<6x16x3x2x32xf16>, %arg1: tensor<3x16x16xf16>, %arg2: tensor<2x16x16xf16>) -> tensor<2x3x16x2x32xf16> {
//   func.func @rows_first_kernel_0(%arg0: tensor<32x4x3x128xf16>) -> tensor<4x2x32x64xf16> {
//   func.func @rows_first_kernel_1(%arg0: tensor<8x32x64xf16>) -> tensor<8x32x32xf32> {
