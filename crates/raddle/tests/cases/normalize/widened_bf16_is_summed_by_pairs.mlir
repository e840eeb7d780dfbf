// What bf16 was converted to f32 in front of a product is multiplied as bf16 where the machine sums products of pairs.
// RUN: raddle run %s --target=x86-64-v4-bf16 | grep correct
// RUN: raddle opt %s --to=pipelined --target=x86-64-v4-bf16 | grep pair_dot
func.func @widened(%a: tensor<8x64xbf16>, %w: tensor<64x32xbf16>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<8x64xf32>
  %a32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x64xbf16>) outs(%0 : tensor<8x64xf32>) {
    ^bb0(%x: bf16, %o: f32):
      %y = arith.extf %x : bf16 to f32
      linalg.yield %y : f32
  } -> tensor<8x64xf32>
  %1 = tensor.empty() : tensor<64x32xf32>
  %w32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x32xbf16>) outs(%1 : tensor<64x32xf32>) {
    ^bb0(%x: bf16, %o: f32):
      %y = arith.extf %x : bf16 to f32
      linalg.yield %y : f32
  } -> tensor<64x32xf32>
  %2 = tensor.empty() : tensor<8x32xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<8x32xf32>) -> tensor<8x32xf32>
  %r = linalg.matmul ins(%a32, %w32 : tensor<8x64xf32>, tensor<64x32xf32>) outs(%3 : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}

// $ raddle run %s --target=x86-64-v4-bf16 | grep correct
// correct: all 256 elements agree with the reference within 5.58e-5 + 2.38e-7·|expected| (178 bit for bit)

// $ raddle opt %s --to=pipelined --target=x86-64-v4-bf16 | grep pair_dot
//       %12 = raddle.pair_dot %8, %11, %arg4 : vector<8x32xi32>, vector<8x32xf32>
//       %19 = raddle.pair_dot %15, %18, %12 : vector<8x32xi32>, vector<8x32xf32>
//       %26 = raddle.pair_dot %22, %25, %19 : vector<8x32xi32>, vector<8x32xf32>
//       %33 = raddle.pair_dot %29, %32, %26 : vector<8x32xi32>, vector<8x32xf32>
