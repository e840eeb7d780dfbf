// Queries, keys and values that PyTorch's layers take from one product, as parts whose length only the run knows: one kernel
// reads them where they lie. Heads and sequences are one dimension with another extent in between (`n x b x 64` to
// `n x 4b x 16`).
// RUN: raddle build %s --target=sm_80 --function=open | grep -c visible
// RUN: raddle build %s --target=sm_80 --function=batches | grep -c visible
// RUN: raddle run %s --target=sm_80 --function=open --input=19x2x192xf16 --device=ptx-emu | grep correct
// RUN: raddle run %s --target=sm_80 --function=batches --input=19x3x192xf16 | grep correct

func.func @open(%x: tensor<?x2x192xf16>) -> tensor<?x2x4x16xf16> {
  %c0 = arith.constant 0 : index
  %scale = arith.constant 0.25 : f16
  %n = tensor.dim %x, %c0 : tensor<?x2x192xf16>
  %wide = tensor.expand_shape %x [[0, 1], [2], [3, 4]] output_shape [1, %n, 2, 3, 64] : tensor<?x2x192xf16> into tensor<1x?x2x3x64xf16>
  %e = tensor.empty(%n) : tensor<3x?x2x1x64xf16>
  %turned = linalg.transpose ins(%wide : tensor<1x?x2x3x64xf16>) outs(%e : tensor<3x?x2x1x64xf16>) permutation = [3, 1, 2, 0, 4]
  %all = tensor.collapse_shape %turned [[0], [1], [2, 3], [4]] : tensor<3x?x2x1x64xf16> into tensor<3x?x2x64xf16>
  %part0 = tensor.extract_slice %all[0, 0, 0, 0] [1, %n, 2, 64] [1, 1, 1, 1] : tensor<3x?x2x64xf16> to tensor<1x?x2x64xf16>
  %part1 = tensor.extract_slice %all[1, 0, 0, 0] [1, %n, 2, 64] [1, 1, 1, 1] : tensor<3x?x2x64xf16> to tensor<1x?x2x64xf16>
  %part2 = tensor.extract_slice %all[2, 0, 0, 0] [1, %n, 2, 64] [1, 1, 1, 1] : tensor<3x?x2x64xf16> to tensor<1x?x2x64xf16>
  %flat0 = tensor.collapse_shape %part0 [[0, 1], [2, 3]] : tensor<1x?x2x64xf16> into tensor<?x128xf16>
  %flat1 = tensor.collapse_shape %part1 [[0, 1], [2, 3]] : tensor<1x?x2x64xf16> into tensor<?x128xf16>
  %flat2 = tensor.collapse_shape %part2 [[0, 1], [2, 3]] : tensor<1x?x2x64xf16> into tensor<?x128xf16>
  %heads0 = tensor.expand_shape %flat0 [[0], [1, 2]] output_shape [%n, 8, 16] : tensor<?x128xf16> into tensor<?x8x16xf16>
  %heads1 = tensor.expand_shape %flat1 [[0], [1, 2]] output_shape [%n, 8, 16] : tensor<?x128xf16> into tensor<?x8x16xf16>
  %heads2 = tensor.expand_shape %flat2 [[0], [1, 2]] output_shape [%n, 8, 16] : tensor<?x128xf16> into tensor<?x8x16xf16>
  %e1 = tensor.empty(%n) : tensor<8x?x16xf16>
  %q = linalg.transpose ins(%heads0 : tensor<?x8x16xf16>) outs(%e1 : tensor<8x?x16xf16>) permutation = [1, 0, 2]
  %k = linalg.transpose ins(%heads1 : tensor<?x8x16xf16>) outs(%e1 : tensor<8x?x16xf16>) permutation = [1, 0, 2]
  %v = linalg.transpose ins(%heads2 : tensor<?x8x16xf16>) outs(%e1 : tensor<8x?x16xf16>) permutation = [1, 0, 2]
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, d, k, n) -> (b, m, k)>, affine_map<(b, m, d, k, n) -> (b, n, k)>, affine_map<(b, m, d, k, n) -> (b, n, d)>, affine_map<(b, m, d, k, n) -> ()>, affine_map<(b, m, d, k, n) -> (b, m, d)>]} ins(%q, %k, %v, %scale : tensor<8x?x16xf16>, tensor<8x?x16xf16>, tensor<8x?x16xf16>, f16) outs(%e1 : tensor<8x?x16xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<8x?x16xf16>
  %apart = tensor.expand_shape %r [[0, 1], [2], [3]] output_shape [2, 4, %n, 16] : tensor<8x?x16xf16> into tensor<2x4x?x16xf16>
  %e2 = tensor.empty(%n) : tensor<?x2x4x16xf16>
  %back = linalg.transpose ins(%apart : tensor<2x4x?x16xf16>) outs(%e2 : tensor<?x2x4x16xf16>) permutation = [2, 0, 1, 3]
  return %back : tensor<?x2x4x16xf16>
}

// The batch is open, too: shapes are tensors of numbers, as importers write `view` of open extents.
func.func @batches(%x: tensor<?x?x192xf16>) -> tensor<?x?x16xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i64
  %four = arith.constant 4 : i64
  %sixteen = arith.constant 16 : i64
  %all = arith.constant 64 : i64
  %scale = arith.constant 0.25 : f16
  %n = tensor.dim %x, %c0 : tensor<?x?x192xf16>
  %b = tensor.dim %x, %c1 : tensor<?x?x192xf16>
  %wide_n = arith.index_cast %n : index to i64
  %wide_b = arith.index_cast %b : index to i64
  %shape = tensor.from_elements %wide_n, %wide_b, %three, %all : tensor<4xi64>
  %parts = tensor.reshape %x(%shape) : (tensor<?x?x192xf16>, tensor<4xi64>) -> tensor<?x?x3x64xf16>
  %part0 = tensor.extract_slice %parts[0, 0, 0, 0] [%n, %b, 1, 64] [1, 1, 1, 1] : tensor<?x?x3x64xf16> to tensor<?x?x64xf16>
  %part1 = tensor.extract_slice %parts[0, 0, 1, 0] [%n, %b, 1, 64] [1, 1, 1, 1] : tensor<?x?x3x64xf16> to tensor<?x?x64xf16>
  %part2 = tensor.extract_slice %parts[0, 0, 2, 0] [%n, %b, 1, 64] [1, 1, 1, 1] : tensor<?x?x3x64xf16> to tensor<?x?x64xf16>
  %heads_i = arith.muli %wide_b, %four : i64
  %heads = arith.index_cast %heads_i : i64 to index
  %shape1 = tensor.from_elements %wide_n, %heads_i, %sixteen : tensor<3xi64>
  %heads0 = tensor.reshape %part0(%shape1) : (tensor<?x?x64xf16>, tensor<3xi64>) -> tensor<?x?x16xf16>
  %heads1 = tensor.reshape %part1(%shape1) : (tensor<?x?x64xf16>, tensor<3xi64>) -> tensor<?x?x16xf16>
  %heads2 = tensor.reshape %part2(%shape1) : (tensor<?x?x64xf16>, tensor<3xi64>) -> tensor<?x?x16xf16>
  %e1 = tensor.empty(%heads, %n) : tensor<?x?x16xf16>
  %q = linalg.transpose ins(%heads0 : tensor<?x?x16xf16>) outs(%e1 : tensor<?x?x16xf16>) permutation = [1, 0, 2]
  %k = linalg.transpose ins(%heads1 : tensor<?x?x16xf16>) outs(%e1 : tensor<?x?x16xf16>) permutation = [1, 0, 2]
  %v = linalg.transpose ins(%heads2 : tensor<?x?x16xf16>) outs(%e1 : tensor<?x?x16xf16>) permutation = [1, 0, 2]
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(b, m, d, k, n) -> (b, m, k)>, affine_map<(b, m, d, k, n) -> (b, n, k)>, affine_map<(b, m, d, k, n) -> (b, n, d)>, affine_map<(b, m, d, k, n) -> ()>, affine_map<(b, m, d, k, n) -> (b, m, d)>]} ins(%q, %k, %v, %scale : tensor<?x?x16xf16>, tensor<?x?x16xf16>, tensor<?x?x16xf16>, f16) outs(%e1 : tensor<?x?x16xf16>) {
  ^bb0(%score: f32):
    iree_linalg_ext.yield %score : f32
  } -> tensor<?x?x16xf16>
  return %r : tensor<?x?x16xf16>
}

// $ raddle build %s --target=sm_80 --function=open | grep -c visible
// 1

// $ raddle build %s --target=sm_80 --function=batches | grep -c visible
// 1

// $ raddle run %s --target=sm_80 --function=open --input=19x2x192xf16 --device=ptx-emu | grep correct
// correct: all 2432 elements equal the reference bit for bit

// $ raddle run %s --target=sm_80 --function=batches --input=19x3x192xf16 | grep correct
// correct: all 3648 elements equal the reference bit for bit
