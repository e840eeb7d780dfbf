// What reduces all of a tensor of open extents goes along its inner loops first, in many workgroups. One loop stays as it is.
// RUN: raddle opt %s --to configured | grep func.func
// RUN: raddle run %s --all
func.func @maximum(%x: tensor<?x3x?xf32>) -> tensor<f32> {
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> ()>], iterator_types = ["reduction", "reduction", "reduction"]} ins(%x : tensor<?x3x?xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

func.func @squares(%x: tensor<?x2048xf32>, %n: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<?x2048xf32>) outs(%n : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %a : f32
    %m = arith.addf %s, %o : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

func.func @line(%x: tensor<?xf32>, %n: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<?xf32>) outs(%n : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// $ raddle opt %s --to configured | grep func.func
//   func.func @line(%arg0: tensor<?xf32>, %arg1: tensor<f32>) -> tensor<f32> attributes {translation_info = #translation} {
//   func.func @maximum_kernel_0(%arg0: tensor<?x3x?xf32>) -> tensor<?xf32> attributes {translation_info = #translation} {
//   func.func @maximum_kernel_1(%arg0: tensor<?xf32>) -> tensor<f32> attributes {translation_info = #translation} {
//   func.func @squares_kernel_0(%arg0: tensor<?x2048xf32>) -> tensor<?xf32> attributes {translation_info = #translation1} {
//   func.func @squares_kernel_1(%arg0: tensor<?xf32>, %arg1: tensor<f32>) -> tensor<f32> attributes {translation_info = #translation} {

// $ raddle run %s --all
// ok       @maximum
// ok       @squares
// ok       @line
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
