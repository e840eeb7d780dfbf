// Rows of a right factor in memory that are multiplied by a few others, four at once, bring the next four into the second
// cache; products are added as they are made. What fits the second cache is not brought. A vector of x86-64-v3 is half a
// line: each line is asked for twice.
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle opt %s --to=pipelined --target=x86-64-v4 | grep prefetch
// RUN: raddle run %s --all --target=x86-64-v3 --quiet
// RUN: raddle opt %s --to=pipelined --target=x86-64-v3 | grep prefetch
// RUN: raddle opt %s --to=pipelined --target=x86-64-v4 | grep math.fma
func.func @large(%a: tensor<2x1024xf32>, %b: tensor<300x1024xf32>, %c: tensor<2x300xf32>) -> tensor<2x300xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<2x1024xf32>, tensor<300x1024xf32>) outs(%c : tensor<2x300xf32>) {
    ^bb0(%x: f32, %y: f32, %sum: f32):
      %m = arith.mulf %x, %y : f32
      %s = arith.addf %sum, %m : f32
      linalg.yield %s : f32
  } -> tensor<2x300xf32>
  return %r : tensor<2x300xf32>
}
func.func @small(%a: tensor<2x128xf32>, %b: tensor<300x128xf32>, %c: tensor<2x300xf32>) -> tensor<2x300xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<2x128xf32>, tensor<300x128xf32>) outs(%c : tensor<2x300xf32>) {
    ^bb0(%x: f32, %y: f32, %sum: f32):
      %m = arith.mulf %x, %y : f32
      %s = arith.addf %sum, %m : f32
      linalg.yield %s : f32
  } -> tensor<2x300xf32>
  return %r : tensor<2x300xf32>
}

// $ raddle run %s --all --target=x86-64-v4
// ok       @large
// ok       @small
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=pipelined --target=x86-64-v4 | grep prefetch
//       memref.prefetch %arg1[%9, %arg4], read, locality<2>, data : memref<300x1024xf32>
//       memref.prefetch %arg1[%9, %10], read, locality<2>, data : memref<300x1024xf32>
//       memref.prefetch %arg1[%11, %arg4], read, locality<2>, data : memref<300x1024xf32>
//       memref.prefetch %arg1[%12, %13], read, locality<2>, data : memref<300x1024xf32>
//       memref.prefetch %arg1[%14, %arg4], read, locality<2>, data : memref<300x1024xf32>
//       memref.prefetch %arg1[%15, %16], read, locality<2>, data : memref<300x1024xf32>
//       memref.prefetch %arg1[%17, %arg4], read, locality<2>, data : memref<300x1024xf32>
//       memref.prefetch %arg1[%18, %19], read, locality<2>, data : memref<300x1024xf32>

// $ raddle run %s --all --target=x86-64-v3 --quiet
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=pipelined --target=x86-64-v3 | grep prefetch
//       memref.prefetch %arg1[%9, %arg4], read, locality<2>, data : memref<300x1024xf32>
//       memref.prefetch %arg1[%10, %arg4], read, locality<2>, data : memref<300x1024xf32>
//       memref.prefetch %arg1[%11, %arg4], read, locality<2>, data : memref<300x1024xf32>
//       memref.prefetch %arg1[%12, %arg4], read, locality<2>, data : memref<300x1024xf32>

// $ raddle opt %s --to=pipelined --target=x86-64-v4 | grep math.fma
//       %24 = math.fma %8, %22, %23 : vector<2x4x32xf32>
//       %13 = math.fma %8, %11, %12 : vector<2x4x32xf32>
