// Complex numbers are pairs of floats inside, and have a last dimension of two outside.
// RUN: raddle opt %s --split-complex
func.func @conjugate(%z: tensor<4x8xcomplex<f32>>) -> tensor<8x4xcomplex<f32>> {
  %e = tensor.empty() : tensor<8x4xcomplex<f32>>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%z : tensor<4x8xcomplex<f32>>) outs(%e : tensor<8x4xcomplex<f32>>) {
  ^body(%x: complex<f32>, %o: complex<f32>):
    %y = complex.conj %x : complex<f32>
    linalg.yield %y : complex<f32>
  } -> tensor<8x4xcomplex<f32>>
  return %r : tensor<8x4xcomplex<f32>>
}

// $ raddle opt %s --split-complex
// #map = affine_map<(d0, d1) -> (d1, d0)>
// #map1 = affine_map<(d0, d1) -> (d0, d1)>
// #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
// #map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// module {
//   func.func @conjugate(%arg0: tensor<4x8x2xf32>) -> tensor<8x4x2xf32> {
//     %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [4, 8, 1] [1, 1, 1] : tensor<4x8x2xf32> to tensor<4x8xf32>
//     %extracted_slice_0 = tensor.extract_slice %arg0[0, 0, 1] [4, 8, 1] [1, 1, 1] : tensor<4x8x2xf32> to tensor<4x8xf32>
//     %0 = tensor.empty() : tensor<8x4xf32>
//     %1 = tensor.empty() : tensor<8x4xf32>
//     %2:2 = linalg.generic {indexing_maps = [#map, #map, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %extracted_slice_0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%0, %1 : tensor<8x4xf32>, tensor<8x4xf32>) {
//     ^bb0(%in: f32, %in_1: f32, %out: f32, %out_2: f32):
//       %5 = arith.negf %in_1 : f32
//       linalg.yield %in, %5 : f32, f32
//     } -> (tensor<8x4xf32>, tensor<8x4xf32>)
//     %3 = tensor.empty() : tensor<8x4x2xf32>
//     %4 = linalg.generic {indexing_maps = [#map2, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2#0, %2#1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%3 : tensor<8x4x2xf32>) {
//     ^bb0(%in: f32, %in_1: f32, %out: f32):
//       %5 = linalg.index 2 : index
//       %c0 = arith.constant 0 : index
//       %6 = arith.cmpi eq, %5, %c0 : index
//       %7 = arith.select %6, %in, %in_1 : f32
//       linalg.yield %7 : f32
//     } -> tensor<8x4x2xf32>
//     return %4 : tensor<8x4x2xf32>
//   }
// }
