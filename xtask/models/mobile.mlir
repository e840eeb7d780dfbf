// A block of a mobile network: pointwise convolution, depthwise convolution with padding and stride 2, squeeze, pooling.
func.func @mobile(%x: tensor<1x28x28x24xf32>, %w0: tensor<24x72xf32>, %dw: tensor<3x3x72xf32>, %w1: tensor<72x40xf32>, %b: tensor<72xf32>) -> (tensor<1x14x14x40xf32>, tensor<1x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %inv = arith.constant 0.00510204081 : f32
  %xc = tensor.collapse_shape %x [[0, 1, 2], [3]] : tensor<1x28x28x24xf32> into tensor<784x24xf32>
  %e0 = tensor.empty() : tensor<784x72xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<784x72xf32>) -> tensor<784x72xf32>
  %p = linalg.matmul ins(%xc, %w0 : tensor<784x24xf32>, tensor<24x72xf32>) outs(%f0 : tensor<784x72xf32>) -> tensor<784x72xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p, %b : tensor<784x72xf32>, tensor<72xf32>) outs(%e0 : tensor<784x72xf32>) {
  ^bb0(%v: f32, %bb: f32, %o: f32):
    %s = arith.addf %v, %bb : f32
    %m = arith.maximumf %s, %zero : f32
    %n = arith.minimumf %m, %six : f32
    linalg.yield %n : f32
  } -> tensor<784x72xf32>
  %rx = tensor.expand_shape %r [[0, 1, 2], [3]] output_shape [1, 28, 28, 72] : tensor<784x72xf32> into tensor<1x28x28x72xf32>
  %pad = tensor.pad %rx low[0, 0, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %bq: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x28x28x72xf32> to tensor<1x29x29x72xf32>
  %e1 = tensor.empty() : tensor<1x14x14x72xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x14x14x72xf32>) -> tensor<1x14x14x72xf32>
  %dwr = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%pad, %dw : tensor<1x29x29x72xf32>, tensor<3x3x72xf32>) outs(%f1 : tensor<1x14x14x72xf32>) -> tensor<1x14x14x72xf32>
  %dc = tensor.collapse_shape %dwr [[0, 1, 2], [3]] : tensor<1x14x14x72xf32> into tensor<196x72xf32>
  %e2 = tensor.empty() : tensor<196x40xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<196x40xf32>) -> tensor<196x40xf32>
  %q = linalg.matmul ins(%dc, %w1 : tensor<196x72xf32>, tensor<72x40xf32>) outs(%f2 : tensor<196x40xf32>) -> tensor<196x40xf32>
  %e3 = tensor.empty() : tensor<40xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<40xf32>) -> tensor<40xf32>
  %mean = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%q : tensor<196x40xf32>) outs(%f3 : tensor<40xf32>) {
  ^bb0(%v: f32, %o: f32):
    %t = arith.mulf %v, %inv : f32
    %s = arith.addf %o, %t : f32
    linalg.yield %s : f32
  } -> tensor<40xf32>
  %qx = tensor.expand_shape %q [[0, 1, 2], [3]] output_shape [1, 14, 14, 40] : tensor<196x40xf32> into tensor<1x14x14x40xf32>
  %mx = tensor.expand_shape %mean [[0, 1]] output_shape [1, 40] : tensor<40xf32> into tensor<1x40xf32>
  return %qx, %mx : tensor<1x14x14x40xf32>, tensor<1x40xf32>
}
