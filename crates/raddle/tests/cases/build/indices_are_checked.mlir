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
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<Distribute> workgroup_size = [1, 1, 1] subgroup_size = 1>
// module {
//   func.func @rows(%arg0: memref<24xf32>, %arg1: memref<4xi32>, %arg2: memref<32xf32>) attributes {gpu.known_grid_size = array<i32: 4, 1, 1>, translation_info = #translation} {
//     %c3 = arith.constant 3 : index
//     %c1 = arith.constant 1 : index
//     %c0 = arith.constant 0 : index
//     %c8 = arith.constant 8 : index
//     %c4 = arith.constant 4 : index
//     %block_id_x = gpu.block_id x
//     scf.for %arg3 = %block_id_x to %c4 step %c4 {
//       %0 = arith.muli %arg3, %c8 : index
//       scf.for %arg4 = %c0 to %c8 step %c1 {
//         %1 = memref.load %arg1[%arg3] : memref<4xi32>
//         %2 = arith.index_cast %1 : i32 to index
//         raddle.check_index %2, %c3 along 0
//         %3 = arith.muli %2, %c8 : index
//         %4 = arith.addi %arg4, %3 : index
//         %5 = memref.load %arg0[%4] : memref<24xf32>
//         %6 = arith.addi %0, %arg4 : index
//         memref.store %5, %arg2[%6] : memref<32xf32>
//       }
//     }
//     return
//   }
// }
