// Columns that lie along the sum are packed by lines; while the tiles of a panel are computed, their steps bring the lines
// of the next one from memory.
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle opt %s --to=pipelined --target=x86-64-v4 | grep prefetch %arg1
func.func @large(%a: tensor<24x1024xf32>, %b: tensor<300x1024xf32>, %c: tensor<24x300xf32>) -> tensor<24x300xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<24x1024xf32>, tensor<300x1024xf32>) outs(%c : tensor<24x300xf32>) {
    ^bb0(%x: f32, %y: f32, %sum: f32):
      %m = arith.mulf %x, %y : f32
      %s = arith.addf %sum, %m : f32
      linalg.yield %s : f32
  } -> tensor<24x300xf32>
  return %r : tensor<24x300xf32>
}
func.func @small(%a: tensor<24x128xf32>, %b: tensor<300x128xf32>, %c: tensor<24x300xf32>) -> tensor<24x300xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<24x128xf32>, tensor<300x128xf32>) outs(%c : tensor<24x300xf32>) {
    ^bb0(%x: f32, %y: f32, %sum: f32):
      %m = arith.mulf %x, %y : f32
      %s = arith.addf %sum, %m : f32
      linalg.yield %s : f32
  } -> tensor<24x300xf32>
  return %r : tensor<24x300xf32>
}

// $ raddle run %s --all --target=x86-64-v4
// ok       @large
// ok       @small
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=pipelined --target=x86-64-v4 | grep prefetch %arg1
//               memref.prefetch %arg1[%34, %32], read, locality<2>, data : memref<300x1024xf32>
//               memref.prefetch %arg1[%35, %32], read, locality<2>, data : memref<300x1024xf32>
//               memref.prefetch %arg1[%32, %30], read, locality<2>, data : memref<300x1024xf32>
//               memref.prefetch %arg1[%33, %30], read, locality<2>, data : memref<300x1024xf32>
