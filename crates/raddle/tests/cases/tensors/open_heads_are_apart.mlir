// Attention that is written as two products of heads of an open batch, collapsed to one dimension, and a softmax between
// them is found, with a mask of each sequence, and reads the heads where they are. A second input says how long the mask is:
// the same as the sequences, since one loop goes along both. A projection of queries, keys and values is read in place.
// RUN: raddle opt %s --partition | grep -e call -e iree_linalg_ext.attention
// RUN: raddle run %s --input=1x1x96xf16=random --input=1x1xf16=0 --quiet
// RUN: raddle run %s --input=3x13x96xf16=random --input=3x13xf16=random --quiet
// RUN: raddle run %s --input=2x65x96xf16=random --input=2x65xf16=random --device=ptx-emu --target=sm_90a --quiet
// RUN: raddle run %s --input=5x7x96xf16=random --input=5x7xf16=random --target=gfx942 --quiet
// RUN: raddle run %s --input=0x7x96xf16=random --input=0x7xf16=random --quiet
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#id4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#mask = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
func.func @eager(%x: tensor<?x?x96xf16>, %mask: tensor<?x?xf16>) -> tensor<?x?x32xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c2_i64 = arith.constant 2 : i64
  %c16_i64 = arith.constant 16 : i64
  %c32_i64 = arith.constant 32 : i64
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %scale = arith.constant 2.5e-01 : f32
  %b = tensor.dim %x, %c0 : tensor<?x?x96xf16>
  %n = tensor.dim %x, %c1 : tensor<?x?x96xf16>
  %b_mask = tensor.dim %mask, %c0 : tensor<?x?xf16>
  %n_mask = tensor.dim %mask, %c1 : tensor<?x?xf16>
  %b_i64 = arith.index_cast %b : index to i64
  %n_i64 = arith.index_cast %n : index to i64
  %q0 = tensor.extract_slice %x[0, 0, 0] [%b, %n, 32] [1, 1, 1] : tensor<?x?x96xf16> to tensor<?x?x32xf16>
  %k0 = tensor.extract_slice %x[0, 0, 32] [%b, %n, 32] [1, 1, 1] : tensor<?x?x96xf16> to tensor<?x?x32xf16>
  %v0 = tensor.extract_slice %x[0, 0, 64] [%b, %n, 32] [1, 1, 1] : tensor<?x?x96xf16> to tensor<?x?x32xf16>
  %shape = tensor.from_elements %b_i64, %n_i64, %c2_i64, %c16_i64 : tensor<4xi64>
  %q1 = tensor.reshape %q0(%shape) : (tensor<?x?x32xf16>, tensor<4xi64>) -> tensor<?x?x2x16xf16>
  %k1 = tensor.reshape %k0(%shape) : (tensor<?x?x32xf16>, tensor<4xi64>) -> tensor<?x?x2x16xf16>
  %v1 = tensor.reshape %v0(%shape) : (tensor<?x?x32xf16>, tensor<4xi64>) -> tensor<?x?x2x16xf16>
  %eh = tensor.empty(%b, %n) : tensor<?x2x?x16xf16>
  %et = tensor.empty(%b, %n) : tensor<?x2x16x?xf16>
  %q = linalg.transpose ins(%q1 : tensor<?x?x2x16xf16>) outs(%eh : tensor<?x2x?x16xf16>) permutation = [0, 2, 1, 3]
  %k = linalg.transpose ins(%k1 : tensor<?x?x2x16xf16>) outs(%et : tensor<?x2x16x?xf16>) permutation = [0, 2, 3, 1]
  %v = linalg.transpose ins(%v1 : tensor<?x?x2x16xf16>) outs(%eh : tensor<?x2x?x16xf16>) permutation = [0, 2, 1, 3]
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<?x2x?x16xf16> into tensor<?x?x16xf16>
  %k3 = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<?x2x16x?xf16> into tensor<?x16x?xf16>
  %v3 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<?x2x?x16xf16> into tensor<?x?x16xf16>
  %most = arith.maxui %b, %b_mask : index
  %heads = arith.muli %most, %c2 : index
  %es = tensor.empty(%heads, %n, %n) : tensor<?x?x?xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %s3 = linalg.batch_matmul ins(%q3, %k3 : tensor<?x?x16xf16>, tensor<?x16x?xf16>) outs(%fs : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %back = arith.divsi %heads, %c2 : index
  %s4 = tensor.expand_shape %s3 [[0, 1], [2], [3]] output_shape [%back, 2, %n, %n] : tensor<?x?x?xf32> into tensor<?x2x?x?xf32>
  %ep = tensor.empty(%b_mask, %n_mask, %n_mask) : tensor<?x2x?x?xf32>
  %scores = linalg.generic {indexing_maps = [#id4, #mask, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s4, %mask : tensor<?x2x?x?xf32>, tensor<?x?xf16>) outs(%ep : tensor<?x2x?x?xf32>) {
  ^bb0(%in: f32, %m: f16, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    %1 = arith.extf %m : f16 to f32
    %2 = arith.addf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<?x2x?x?xf32>
  %er = tensor.empty(%b, %n) : tensor<?x2x?xf32>
  %fm = linalg.fill ins(%least : f32) outs(%er : tensor<?x2x?xf32>) -> tensor<?x2x?xf32>
  %max = linalg.generic {indexing_maps = [#id4, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%scores : tensor<?x2x?x?xf32>) outs(%fm : tensor<?x2x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<?x2x?xf32>
  %exp = linalg.generic {indexing_maps = [#id4, #row, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scores, %max : tensor<?x2x?x?xf32>, tensor<?x2x?xf32>) outs(%ep : tensor<?x2x?x?xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<?x2x?x?xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%er : tensor<?x2x?xf32>) -> tensor<?x2x?xf32>
  %sum = linalg.generic {indexing_maps = [#id4, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exp : tensor<?x2x?x?xf32>) outs(%fz : tensor<?x2x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<?x2x?xf32>
  %ew = tensor.empty(%b, %n, %n) : tensor<?x2x?x?xf16>
  %w = linalg.generic {indexing_maps = [#id4, #row, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exp, %sum : tensor<?x2x?x?xf32>, tensor<?x2x?xf32>) outs(%ew : tensor<?x2x?x?xf16>) {
  ^bb0(%in: f32, %s: f32, %out: f16):
    %0 = arith.divf %in, %s : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<?x2x?x?xf16>
  %w3 = tensor.collapse_shape %w [[0, 1], [2], [3]] : tensor<?x2x?x?xf16> into tensor<?x?x?xf16>
  %ey = tensor.empty(%heads, %n) : tensor<?x?x16xf32>
  %fy = linalg.fill ins(%zero : f32) outs(%ey : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  %y3 = linalg.batch_matmul ins(%w3, %v3 : tensor<?x?x?xf16>, tensor<?x?x16xf16>) outs(%fy : tensor<?x?x16xf32>) -> tensor<?x?x16xf32>
  %et3 = tensor.empty(%heads, %n) : tensor<?x?x16xf16>
  %yt = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y3 : tensor<?x?x16xf32>) outs(%et3 : tensor<?x?x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<?x?x16xf16>
  %y4 = tensor.expand_shape %yt [[0, 1], [2], [3]] output_shape [%back, 2, %n, 16] : tensor<?x?x16xf16> into tensor<?x2x?x16xf16>
  %eo = tensor.empty(%b, %n) : tensor<?x?x2x16xf16>
  %o = linalg.transpose ins(%y4 : tensor<?x2x?x16xf16>) outs(%eo : tensor<?x?x2x16xf16>) permutation = [0, 2, 1, 3]
  %end = tensor.from_elements %b_i64, %n_i64, %c32_i64 : tensor<3xi64>
  %r = tensor.reshape %o(%end) : (tensor<?x?x2x16xf16>, tensor<3xi64>) -> tensor<?x?x32xf16>
  return %r : tensor<?x?x32xf16>
}

// $ raddle opt %s --partition | grep -e call -e iree_linalg_ext.attention
//     %0 = call @eager_kernel_0(%expanded, %arg0, %expanded_10, %expanded_5, %arg1) : (tensor<?x?x6x16xf16>, tensor<?x?x96xf16>, tensor<?x?x6x16xf16>, tensor<?x?x6x16xf16>, tensor<?x?xf16>) -> tensor<?x?x2x16xf16>
//     %1 = iree_linalg_ext.attention {decomposition_config = {use_exp2 = false}, indexing_maps = [#map, #map1, #map2, #map3, #map4, #map5], raddle.softmax} ins(%extracted_slice, %extracted_slice_1, %extracted_slice_2, %cst, %arg4 : tensor<?x?x2x16xf16>, tensor<?x?x2x16xf16>, tensor<?x?x2x16xf16>, f32, tensor<?x?xf16>) outs(%0 : tensor<?x?x2x16xf16>) {

// $ raddle run %s --input=1x1x96xf16=random --input=1x1xf16=0 --quiet
// correct: all 32 elements equal the reference bit for bit

// $ raddle run %s --input=3x13x96xf16=random --input=3x13xf16=random --quiet
// correct: all 1248 elements agree with the reference within 1.55e-2 + 1.95e-3·|expected| (874 bit for bit)

// $ raddle run %s --input=2x65x96xf16=random --input=2x65xf16=random --device=ptx-emu --target=sm_90a --quiet
// correct: all 4160 elements agree with the reference within 8.13e-3 + 1.95e-3·|expected| (2809 bit for bit)

// $ raddle run %s --input=5x7x96xf16=random --input=5x7xf16=random --target=gfx942 --quiet
// correct: all 1120 elements agree with the reference within 1.84e-2 + 1.95e-3·|expected| (861 bit for bit)

// $ raddle run %s --input=0x7x96xf16=random --input=0x7xf16=random --quiet
// correct: all 0 elements equal the reference bit for bit
