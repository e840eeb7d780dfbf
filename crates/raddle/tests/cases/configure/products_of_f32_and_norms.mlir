// A product of f32 and the softmax of its rows are two kernels where a workgroup would need whole rows of the result: by tiles
// of its own the product takes so much less time. Where the tile has whole rows anyway, they are one.
// RUN: raddle build %s --function=apart -o - | grep entry
// RUN: raddle build %s --function=together -o - | grep entry
// RUN: raddle run %s --all
#m = affine_map<(m, n, k) -> (m, k)>
#n = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @apart(%x: tensor<190x384xf32>, %w: tensor<384x384xf32>) -> tensor<190x384xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<190x384xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<190x384xf32>) -> tensor<190x384xf32>
  %r = linalg.generic {indexing_maps = [#m, #n, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<190x384xf32>, tensor<384x384xf32>) outs(%f : tensor<190x384xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<190x384xf32>
  %t = linalg.softmax dimension(1) ins(%r : tensor<190x384xf32>) outs(%e : tensor<190x384xf32>) -> tensor<190x384xf32>
  return %t : tensor<190x384xf32>
}
func.func @together(%x: tensor<8x384xf32>, %w: tensor<4x384xf32>) -> tensor<8x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = linalg.generic {indexing_maps = [#m, #n, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x384xf32>, tensor<4x384xf32>) outs(%f : tensor<8x4xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  %t = linalg.softmax dimension(1) ins(%r : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %t : tensor<8x4xf32>
}

// $ raddle build %s --function=apart -o - | grep entry
// .visible .entry apart_kernel_0(
// .visible .entry apart_kernel_1(

// $ raddle build %s --function=together -o - | grep entry
// .visible .entry together(

// $ raddle run %s --all
// ok       @apart
// ok       @together
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
