// A product of a matrix with a vector is not in the one workgroup of the softmax behind it where it is work for the chip;
// a small one is.
// RUN: raddle run %s --all
// RUN: raddle opt %s --to=configured | grep func.func
#matrix = affine_map<(n, k) -> (n, k)>
#vector = affine_map<(n, k) -> (k)>
#sums = affine_map<(n, k) -> (n)>
func.func @large(%x: tensor<1024xf32>, %w: tensor<100x1024xf32>, %b: tensor<100xf32>) -> tensor<100xf32> {
  %y = linalg.generic {indexing_maps = [#vector, #matrix, #sums], iterator_types = ["parallel", "reduction"]}
    ins(%x, %w : tensor<1024xf32>, tensor<100x1024xf32>) outs(%b : tensor<100xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<100xf32>
  %e = tensor.empty() : tensor<100xf32>
  %r = linalg.softmax dimension(0) ins(%y : tensor<100xf32>) outs(%e : tensor<100xf32>) -> tensor<100xf32>
  return %r : tensor<100xf32>
}
func.func @small(%x: tensor<64xf32>, %w: tensor<10x64xf32>, %b: tensor<10xf32>) -> tensor<10xf32> {
  %y = linalg.generic {indexing_maps = [#vector, #matrix, #sums], iterator_types = ["parallel", "reduction"]}
    ins(%x, %w : tensor<64xf32>, tensor<10x64xf32>) outs(%b : tensor<10xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<10xf32>
  %e = tensor.empty() : tensor<10xf32>
  %r = linalg.softmax dimension(0) ins(%y : tensor<10xf32>) outs(%e : tensor<10xf32>) -> tensor<10xf32>
  return %r : tensor<10xf32>
}

// $ raddle run %s --all
// ok       @large
// ok       @small
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=configured | grep func.func
//   func.func @small(%arg0: tensor<64xf32>, %arg1: tensor<10x64xf32>, %arg2: tensor<10xf32>) -> tensor<10xf32> attributes {translation_info = #translation} {
//   func.func @large_kernel_0(%arg0: tensor<1024xf32>, %arg1: tensor<100x1024xf32>, %arg2: tensor<100xf32>) -> tensor<100xf32> attributes {translation_info = #translation1} {
//   func.func @large_kernel_1(%arg0: tensor<100xf32>) -> tensor<100xf32> attributes {translation_info = #translation} {
