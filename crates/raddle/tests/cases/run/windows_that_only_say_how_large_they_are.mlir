// A window as large as the image: its tensor holds nothing, and says nothing that the image does not say.
// RUN: raddle run %s | grep correct
// RUN: raddle run %s --device=cpu | grep correct
// RUN: raddle run %s --target=gfx942 | grep correct
func.func @largest(%x: tensor<257x19xf32>, %w: tensor<3xf32>) -> tensor<3xf32> {
  %window = tensor.empty() : tensor<257x19xf32>
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %i = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x, %window : tensor<257x19xf32>, tensor<257x19xf32>) outs(%i : tensor<f32>) {
  ^body(%a: f32, %b: f32, %o: f32):
    %c = arith.maximumf %o, %a : f32
    linalg.yield %c : f32
  } -> tensor<f32>
  %e3 = tensor.empty() : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(j) -> ()>, affine_map<(j) -> (j)>, affine_map<(j) -> (j)>], iterator_types = ["parallel"]}
      ins(%m, %w : tensor<f32>, tensor<3xf32>) outs(%e3 : tensor<3xf32>) {
  ^body(%a: f32, %b: f32, %o: f32):
    %c = arith.mulf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// $ raddle run %s | grep correct
// correct: all 3 elements equal the reference bit for bit

// $ raddle run %s --device=cpu | grep correct
// correct: all 3 elements equal the reference bit for bit

// $ raddle run %s --target=gfx942 | grep correct
// correct: all 3 elements equal the reference bit for bit
