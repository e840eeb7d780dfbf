// What is computed in a loop of the host shares a kernel as it would outside of the loop, also where something in front
// of the loop has become kernels.
// RUN: raddle opt %s --pass-pipeline=builtin.module(func.func(normalize,partition)) | grep -e call -e linalg.generic -e func.func
func.func @steps(%x: tensor<4x8xf32>, %n: index) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<4xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%filled : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.addf %in, %out : f32
    linalg.yield %a : f32
  } -> tensor<4xf32>
  %square = tensor.expand_shape %sum [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %turned = tensor.empty() : tensor<2x2xf32>
  %other = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%square : tensor<2x2xf32>) outs(%turned : tensor<2x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = math.absf %in : f32
    linalg.yield %a : f32
  } -> tensor<2x2xf32>
  %row = tensor.collapse_shape %other [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %wide = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%row : tensor<4xf32>) outs(%wide : tensor<8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x4xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %0) -> tensor<8x4xf32> {
    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%acc : tensor<8x4xf32>) outs(%wide : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %a = math.tanh %in : f32
      linalg.yield %a : f32
    } -> tensor<8x4xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2, %0 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%wide : tensor<8x4xf32>) {
    ^bb0(%in: f32, %more: f32, %out: f32):
      %a = arith.addf %in, %more : f32
      linalg.yield %a : f32
    } -> tensor<8x4xf32>
    scf.yield %3 : tensor<8x4xf32>
  }
  return %1 : tensor<8x4xf32>
}

// $ raddle opt %s --pass-pipeline=builtin.module(func.func(normalize,partition)) | grep -e call -e linalg.generic -e func.func
//   func.func @steps(%arg0: tensor<4x8xf32>, %arg1: index) -> tensor<8x4xf32> {
//     %0 = call @steps_kernel_0(%arg0) : (tensor<4x8xf32>) -> tensor<8x2x2xf32>
//       %2 = func.call @steps_kernel_1(%arg3, %0) : (tensor<8x4xf32>, tensor<8x2x2xf32>) -> tensor<8x2x2xf32>
//   func.func @steps_kernel_0(%arg0: tensor<4x8xf32>) -> tensor<8x2x2xf32> {
//     %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded : tensor<2x2x8xf32>) outs(%1 : tensor<2x2xf32>) {
//     %4 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<2x2xf32>) outs(%3 : tensor<2x2xf32>) {
//     %6 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<2x2xf32>) outs(%5 : tensor<8x2x2xf32>) {
//   func.func @steps_kernel_1(%arg0: tensor<8x4xf32>, %arg1: tensor<8x2x2xf32>) -> tensor<8x2x2xf32> {
//     %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<8x2x2xf32>) outs(%0 : tensor<8x2x2xf32>) {
//     %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %arg1 : tensor<8x2x2xf32>, tensor<8x2x2xf32>) outs(%2 : tensor<8x2x2xf32>) {
