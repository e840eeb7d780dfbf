// What a name says stands in maps and iterators; what others wrote on the operation stays, on buffers too.
// RUN: raddle opt %s --target=gfx942 --generalize --mlir-print-local-scope
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %m: memref<4xf32>, %n: memref<4x8xf32>) -> tensor<8x4xf32> {
  %c = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%b : tensor<8x4xf32>) permutation = [1, 0]
  %d = linalg.exp {mark} ins(%c : tensor<8x4xf32>) outs(%b : tensor<8x4xf32>) -> tensor<8x4xf32>
  linalg.broadcast ins(%m : memref<4xf32>) outs(%n : memref<4x8xf32>) dimensions = [1]
  return %d : tensor<8x4xf32>
}

// $ raddle opt %s --target=gfx942 --generalize --mlir-print-local-scope
// module {
//   func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: memref<4xf32>, %arg3: memref<4x8xf32>) -> tensor<8x4xf32> {
//     %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<8x4xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     } -> tensor<8x4xf32>
//     %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x4xf32>) outs(%arg1 : tensor<8x4xf32>) attrs =  {mark} {
//     ^bb0(%in: f32, %out: f32):
//       %2 = math.exp %in : f32
//       linalg.yield %2 : f32
//     } -> tensor<8x4xf32>
//     linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg2 : memref<4xf32>) outs(%arg3 : memref<4x8xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       linalg.yield %in : f32
//     }
//     return %1 : tensor<8x4xf32>
//   }
// }
