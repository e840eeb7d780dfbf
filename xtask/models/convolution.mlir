// A residual block: two convolutions of 3 x 3 with scale, bias and activation, then pooling and a classifier.
func.func @block(%image: tensor<1x16x16x16xf32>, %w1: tensor<3x3x16x16xf32>, %b1: tensor<16xf32>,
                 %w2: tensor<3x3x16x16xf32>, %b2: tensor<16xf32>, %w3: tensor<16x10xf32>) -> tensor<1x10xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x16x16x16xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %p1 = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x16x16x16xf32> to tensor<1x18x18x16xf32>
  %c1 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%p1, %w1 : tensor<1x18x18x16xf32>, tensor<3x3x16x16xf32>) outs(%i : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %r1 = linalg.generic {
      indexing_maps = [affine_map<(n, y, x, c) -> (n, y, x, c)>, affine_map<(n, y, x, c) -> (c)>, affine_map<(n, y, x, c) -> (n, y, x, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c1, %b1 : tensor<1x16x16x16xf32>, tensor<16xf32>) outs(%e : tensor<1x16x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x16x16x16xf32>
  %p2 = tensor.pad %r1 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x16x16x16xf32> to tensor<1x18x18x16xf32>
  %c2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%p2, %w2 : tensor<1x18x18x16xf32>, tensor<3x3x16x16xf32>) outs(%i : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %r2 = linalg.generic {
      indexing_maps = [affine_map<(n, y, x, c) -> (n, y, x, c)>, affine_map<(n, y, x, c) -> (c)>, affine_map<(n, y, x, c) -> (n, y, x, c)>, affine_map<(n, y, x, c) -> (n, y, x, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c2, %b2, %image : tensor<1x16x16x16xf32>, tensor<16xf32>, tensor<1x16x16x16xf32>) outs(%e : tensor<1x16x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %x: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %x : f32
    %m = arith.maximumf %t, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x16x16x16xf32>
  %ep = tensor.empty() : tensor<1x8x8x16xf32>
  %ip = linalg.fill ins(%low : f32) outs(%ep : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %pooled = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%r2, %window : tensor<1x16x16x16xf32>, tensor<2x2xf32>) outs(%ip : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %es = tensor.empty() : tensor<1x16xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<1x16xf32>) -> tensor<1x16xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(n, c, y, x) -> (n, y, x, c)>, affine_map<(n, c, y, x) -> (n, c)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%pooled : tensor<1x8x8x16xf32>) outs(%is : tensor<1x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<1x16xf32>
  %el = tensor.empty() : tensor<1x10xf32>
  %il = linalg.fill ins(%zero : f32) outs(%el : tensor<1x10xf32>) -> tensor<1x10xf32>
  %logits = linalg.matmul ins(%sum, %w3 : tensor<1x16xf32>, tensor<16x10xf32>) outs(%il : tensor<1x10xf32>) -> tensor<1x10xf32>
  return %logits : tensor<1x10xf32>
}
