// RUN: raddle build %s --target=x86-64-v4 --bounds-checks --emit=ir

// A row that data decide is checked; the column, which a loop counts, is not, and neither is what a branch asks.
func.func @rows(%a: tensor<3x8xf32>, %i: tensor<4xi32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%i : tensor<4xi32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%k: i32, %o: f32):
      %row = arith.index_cast %k : i32 to index
      %j = linalg.index 1 : index
      %x = tensor.extract %a[%row, %j] : tensor<3x8xf32>
      linalg.yield %x : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// $ raddle build %s --target=x86-64-v4 --bounds-checks --emit=ir
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [1, 1, 1] subgroup_size = 1>
// module {
//   func.func @rows(%arg0: memref<24xf32>, %arg1: memref<4xi32>, %arg2: memref<32xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation} {
//     %c24 = arith.constant 24 : index
//     %c16 = arith.constant 16 : index
//     %c8 = arith.constant 8 : index
//     %c3 = arith.constant 3 : index
//     %c0 = arith.constant 0 : index
//     %0 = vector.load %arg1[%c0] : memref<4xi32>, vector<4xi32>
//     %1 = arith.index_cast %0 : vector<4xi32> to vector<4xindex>
//     %2:4 = vector.to_elements %1 : vector<4xindex>
//     raddle.check_index %2#0, %c3 along 0
//     %3 = arith.muli %2#0, %c8 : index
//     %4 = vector.load %arg0[%3] : memref<24xf32>, vector<8xf32>
//     raddle.check_index %2#1, %c3 along 0
//     %5 = arith.muli %2#1, %c8 : index
//     %6 = vector.load %arg0[%5] : memref<24xf32>, vector<8xf32>
//     raddle.check_index %2#2, %c3 along 0
//     %7 = arith.muli %2#2, %c8 : index
//     %8 = vector.load %arg0[%7] : memref<24xf32>, vector<8xf32>
//     raddle.check_index %2#3, %c3 along 0
//     %9 = arith.muli %2#3, %c8 : index
//     %10 = vector.load %arg0[%9] : memref<24xf32>, vector<8xf32>
//     vector.store %4, %arg2[%c0] : memref<32xf32>, vector<8xf32>
//     vector.store %6, %arg2[%c8] : memref<32xf32>, vector<8xf32>
//     vector.store %8, %arg2[%c16] : memref<32xf32>, vector<8xf32>
//     vector.store %10, %arg2[%c24] : memref<32xf32>, vector<8xf32>
//     return
//   }
// }
