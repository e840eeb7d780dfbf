func.func @f(%x: tensor<1003xf32>, %y: tensor<1003xf32>) -> tensor<1003xf32> {
  %e = tensor.empty() : tensor<1003xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<1003xf32>, tensor<1003xf32>) outs(%e : tensor<1003xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %rest = arith.remf %a, %b : f32
    linalg.yield %rest : f32
  } -> tensor<1003xf32>
  return %r : tensor<1003xf32>
}