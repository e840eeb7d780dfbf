// Windows of neighbouring rows share rows of a padded image. Which rows are there is asked for row by row, so that two
// windows that read a row read it under one mask, and once: four rows of results read six of the image.
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle opt %s --to=lowered --target=x86-64-v4 | grep maskedload
func.func @rows(%x: tensor<2x4x16xf32>, %k: tensor<2x3x3xf32>, %o: tensor<2x4x16xf32>) -> tensor<2x4x16xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1] high[0, 1, 1] { ^bb0(%c: index, %i: index, %j: index): tensor.yield %z : f32 } : tensor<2x4x16xf32> to tensor<2x6x18xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h + i, w + j)>, affine_map<(c, h, w, i, j) -> (c, i, j)>, affine_map<(c, h, w, i, j) -> (c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%p, %k : tensor<2x6x18xf32>, tensor<2x3x3xf32>) outs(%o : tensor<2x4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %m = arith.mulf %a, %b : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x4x16xf32>
  return %r : tensor<2x4x16xf32>
}

// $ raddle run %s --all --target=x86-64-v4
// ok       @rows
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=lowered --target=x86-64-v4 | grep maskedload
//       %16 = vector.maskedload %arg0[%15], %cst_0, %cst : memref<128xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
//       %18 = vector.maskedload %arg0[%17], %13, %cst : memref<128xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
//       %20 = vector.maskedload %arg0[%19], %13, %cst : memref<128xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
//       %22 = vector.maskedload %arg0[%21], %13, %cst : memref<128xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
//       %24 = vector.maskedload %arg0[%23], %13, %cst : memref<128xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
//       %26 = vector.maskedload %arg0[%25], %cst_0, %cst : memref<128xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
