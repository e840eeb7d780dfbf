// What one operand of an attention states of a loop, the others state, too.
// RUN: raddle opt %s --allow-unregistered-dialect --canonicalize
func.func @f(%q: tensor<?x4xf16>, %k: tensor<6x4xf16>, %v: tensor<?x5xf16>, %s: f16, %o: tensor<8x?xf16>) {
  %r = iree_linalg_ext.attention {indexing_maps = [affine_map<(m, n, k, j) -> (m, k)>, affine_map<(m, n, k, j) -> (j, k)>, affine_map<(m, n, k, j) -> (j, n)>, affine_map<(m, n, k, j) -> ()>, affine_map<(m, n, k, j) -> (m, n)>]} ins(%q, %k, %v, %s : tensor<?x4xf16>, tensor<6x4xf16>, tensor<?x5xf16>, f16) outs(%o : tensor<8x?xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<8x?xf16>
  "test.use"(%r) : (tensor<8x?xf16>) -> ()
  return
}

// $ raddle opt %s --allow-unregistered-dialect --canonicalize
// #map = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
// #map1 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// #map2 = affine_map<(d0, d1, d2, d3) -> (d3, d1)>
// #map3 = affine_map<(d0, d1, d2, d3) -> ()>
// #map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
// module {
//   func.func @f(%arg0: tensor<?x4xf16>, %arg1: tensor<6x4xf16>, %arg2: tensor<?x5xf16>, %arg3: f16, %arg4: tensor<8x?xf16>) {
//     %cast = tensor.cast %arg0 : tensor<?x4xf16> to tensor<8x4xf16>
//     %cast_0 = tensor.cast %arg2 : tensor<?x5xf16> to tensor<6x5xf16>
//     %cast_1 = tensor.cast %arg4 : tensor<8x?xf16> to tensor<8x5xf16>
//     %0 = iree_linalg_ext.attention {indexing_maps = [#map, #map1, #map2, #map3, #map4]} ins(%cast, %arg1, %cast_0, %arg3 : tensor<8x4xf16>, tensor<6x4xf16>, tensor<6x5xf16>, f16) outs(%cast_1 : tensor<8x5xf16>) {
//     ^bb0(%arg5: f32):
//       iree_linalg_ext.yield %arg5 : f32
//     } -> tensor<8x5xf16>
//     %cast_2 = tensor.cast %0 : tensor<8x5xf16> to tensor<8x?xf16>
//     "test.use"(%cast_2) : (tensor<8x?xf16>) -> ()
//     return
//   }
// }
