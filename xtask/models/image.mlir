// Preprocessing of an image: bytes to floats, mean and deviation of each channel, a crop, channels first, half size.
func.func @prepare(%bytes: tensor<64x64x3xi8>, %mean: tensor<3xf32>, %scale: tensor<3xf32>) -> tensor<3x24x24xf16> {
  %zero = arith.constant 0.0 : f32
  %quarter = arith.constant 0.25 : f32
  %crop = tensor.extract_slice %bytes[8, 8, 0] [48, 48, 3] [1, 1, 1] : tensor<64x64x3xi8> to tensor<48x48x3xi8>
  %e = tensor.empty() : tensor<3x48x48xf32>
  %normal = linalg.generic {
      indexing_maps = [affine_map<(c, y, x) -> (y, x, c)>, affine_map<(c, y, x) -> (c)>, affine_map<(c, y, x) -> (c)>, affine_map<(c, y, x) -> (c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%crop, %mean, %scale : tensor<48x48x3xi8>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3x48x48xf32>) {
  ^bb0(%b: i8, %m: f32, %s: f32, %o: f32):
    %f = arith.uitofp %b : i8 to f32
    %d = arith.subf %f, %m : f32
    %q = arith.mulf %d, %s : f32
    linalg.yield %q : f32
  } -> tensor<3x48x48xf32>
  %es = tensor.empty() : tensor<3x24x24xf32>
  %is = linalg.fill ins(%zero : f32) outs(%es : tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
  %window = tensor.empty() : tensor<2x2xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(c, y, x, i, j) -> (c, y * 2 + i, x * 2 + j)>, affine_map<(c, y, x, i, j) -> (i, j)>, affine_map<(c, y, x, i, j) -> (c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%normal, %window : tensor<3x48x48xf32>, tensor<2x2xf32>) outs(%is : tensor<3x24x24xf32>) {
  ^bb0(%a: f32, %w: f32, %acc: f32):
    %s = arith.addf %a, %acc : f32
    linalg.yield %s : f32
  } -> tensor<3x24x24xf32>
  %eo = tensor.empty() : tensor<3x24x24xf16>
  %out = linalg.generic {
      indexing_maps = [affine_map<(c, y, x) -> (c, y, x)>, affine_map<(c, y, x) -> (c, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : tensor<3x24x24xf32>) outs(%eo : tensor<3x24x24xf16>) {
  ^bb0(%a: f32, %o: f16):
    %m = arith.mulf %a, %quarter : f32
    %t = arith.truncf %m : f32 to f16
    linalg.yield %t : f16
  } -> tensor<3x24x24xf16>
  return %out : tensor<3x24x24xf16>
}
