// A number beside a tensor in a sum of products is not a factor of a product of matrices.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --device=cpu
func.func @sums_of_scaled_rows(%s: f32, %w: tensor<18x6xf32>) -> tensor<18xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<18xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<18xf32>) -> tensor<18xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%s, %w : f32, tensor<18x6xf32>) outs(%f : tensor<18xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %o, %p : f32
    linalg.yield %t : f32
  } -> tensor<18xf32>
  return %r : tensor<18xf32>
}

// $ raddle run %s --all
// ok       @sums_of_scaled_rows
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @sums_of_scaled_rows
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @sums_of_scaled_rows
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs
