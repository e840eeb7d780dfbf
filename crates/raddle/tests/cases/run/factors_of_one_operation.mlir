// Rows and columns that one operation computes are made by a kernel of their own: a workgroup with all of both would be
// the only one, and each of its threads would compute all rows.
// RUN: raddle build %s --target=sm_80 | grep -e entry -e grid
// RUN: raddle run %s | grep correct
// RUN: raddle run %s --target=gfx942 | grep correct
func.func @gram(%x: tensor<127x8xf32>, %w: tensor<127x8xf32>) -> tensor<127x127xf32> {
  %e = tensor.empty() : tensor<127x8xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<127x8xf32>) outs(%e : tensor<127x8xf32>) {
  ^body(%a: f32, %o: f32):
    %b = math.tanh %a : f32
    linalg.yield %b : f32
  } -> tensor<127x8xf32>
  %z = arith.constant 0.0 : f32
  %ce = tensor.empty() : tensor<127x127xf32>
  %c = linalg.fill ins(%z : f32) outs(%ce : tensor<127x127xf32>) -> tensor<127x127xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%g, %g : tensor<127x8xf32>, tensor<127x8xf32>) outs(%c : tensor<127x127xf32>) {
  ^body(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<127x127xf32>
  return %r : tensor<127x127xf32>
}

// $ raddle build %s --target=sm_80 | grep -e entry -e grid
// // grid: 8 x 1 x 1
// .visible .entry gram_kernel_0(
// // grid: 2 x 4 x 1
// .visible .entry gram_kernel_1(

// $ raddle run %s | grep correct
// correct: all 16129 elements agree with the reference within 4.33e-6 + 2.38e-7·|expected| (6151 bit for bit)

// $ raddle run %s --target=gfx942 | grep correct
// correct: all 16129 elements agree with the reference within 4.33e-6 + 2.38e-7·|expected| (5605 bit for bit)
