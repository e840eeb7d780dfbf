// The last tile of a product has as many rows as there are, and as many whole vectors of columns: nothing is multiplied for
// rows and vectors that nobody writes.
// RUN: raddle run %s --all --target=x86-64-v4 --quiet
// RUN: raddle run %s --all --target=x86-64-v3 --quiet
// RUN: raddle run %s --all --target=aarch64 --quiet
// RUN: raddle opt %s --to=pipelined --target=x86-64-v4 | grep vector.contract

// Of both, with steps of the sum that end beyond it.
func.func @both(%a: tensor<38x70xf32>, %b: tensor<70x90xf32>, %c: tensor<38x90xf32>) -> tensor<38x90xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<38x70xf32>, tensor<70x90xf32>) outs(%c : tensor<38x90xf32>) -> tensor<38x90xf32>
  return %r : tensor<38x90xf32>
}

// A right factor that lies along the sum, and what follows.
func.func @turned(%a: tensor<26x64xf32>, %b: tensor<100x64xf32>, %bias: tensor<100xf32>) -> tensor<26x100xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<26x100xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<26x100xf32>) -> tensor<26x100xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<26x64xf32>, tensor<100x64xf32>) outs(%zeros : tensor<26x100xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<26x100xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<26x100xf32>, tensor<100xf32>) outs(%e : tensor<26x100xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<26x100xf32>
  return %r : tensor<26x100xf32>
}

// Narrow factors, whose rows are packed, and a result that is transposed.
func.func @narrow(%a: tensor<32x48xf16>, %b: tensor<48x80xf16>) -> tensor<80x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<80x32xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<80x32xf32>) -> tensor<80x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (j, i)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<32x48xf16>, tensor<48x80xf16>) outs(%zeros : tensor<80x32xf32>) {
  ^bb0(%x: f16, %y: f16, %sum: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<80x32xf32>
  return %r : tensor<80x32xf32>
}

// Numbers that wrap around.
func.func @integers(%a: tensor<40x33xi32>, %b: tensor<33x70xi32>, %c: tensor<40x70xi32>) -> tensor<40x70xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<40x33xi32>, tensor<33x70xi32>) outs(%c : tensor<40x70xi32>) -> tensor<40x70xi32>
  return %r : tensor<40x70xi32>
}

// $ raddle run %s --all --target=x86-64-v4 --quiet
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v3 --quiet
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=aarch64 --quiet
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=pipelined --target=x86-64-v4 | grep vector.contract
//             %29 = vector.contract {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %26, %27, %28 : vector<8x4xf32>, vector<4x48xf32> into vector<8x48xf32>
//           %23 = vector.contract {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %20, %21, %22 : vector<8x4xf32>, vector<4x48xf32> into vector<8x48xf32>
//             %14 = vector.contract {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %12, %13, %arg7 : vector<6x4xf32>, vector<4x48xf32> into vector<6x48xf32>
//               %27 = vector.contract {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %25, %26, %arg7 : vector<6x4xf32>, vector<4x48xf32> into vector<6x48xf32>
//               %27 = vector.contract {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %24, %25, %26 : vector<6x4xf32>, vector<4x64xf32> into vector<6x64xf32>
//               %18 = vector.contract {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %16, %17, %arg7 : vector<2x4xf32>, vector<4x48xf32> into vector<2x48xf32>
//               %18 = vector.contract {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %16, %17, %arg7 : vector<2x4xf32>, vector<4x64xf32> into vector<2x64xf32>
//         %7 = vector.contract {indexing_maps = [#map12, #map6, #map13], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %5, %4, %6 : vector<4x32xf32>, vector<4x10xf32> into vector<10x32xf32>
//             %24 = vector.contract {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %22, %23, %arg7 : vector<8x3xi32>, vector<3x32xi32> into vector<8x32xi32>
//             %23 = vector.contract {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %20, %21, %22 : vector<8x3xi32>, vector<3x48xi32> into vector<8x48xi32>
