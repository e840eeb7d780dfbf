// Rows of two vectors in another order are names of registers.
// RUN: raddle opt %s --to=lowered --mlir-print-local-scope
// RUN: raddle run %s --target=sm_80 | grep correct
func.func @k(%a: memref<32x8xf32>, %b: memref<32x4xf32>, %to: memref<32x8xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %row = gpu.thread_id x
  %x = vector.load %a[%row, %c0] : memref<32x8xf32>, vector<8xf32>
  %y = vector.load %b[%row, %c0] : memref<32x4xf32>, vector<4xf32>
  %rows = vector.shape_cast %x : vector<8xf32> to vector<4x2xf32>
  %more = vector.shape_cast %y : vector<4xf32> to vector<2x2xf32>
  %mixed = vector.shuffle %rows, %more [5, 0, 3, 4] : vector<4x2xf32>, vector<2x2xf32>
  %flat = vector.shape_cast %mixed : vector<4x2xf32> to vector<8xf32>
  %turned = vector.shuffle %flat, %flat [7, 6, 5, 4, 8, 9, 10, 3] : vector<8xf32>, vector<8xf32>
  vector.store %turned, %to[%row, %c0] : memref<32x8xf32>, vector<8xf32>
  return
}

// $ raddle opt %s --to=lowered --mlir-print-local-scope
// module {
//   func.func @k(%arg0: memref<256xf32>, %arg1: memref<128xf32>, %arg2: memref<256xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
//     %c8 = arith.constant 8 : index
//     %thread_id_x = gpu.thread_id x
//     %0 = arith.muli %thread_id_x, %c8 : index
//     %c4 = arith.constant 4 : index
//     %1 = arith.muli %thread_id_x, %c4 : index
//     %2 = arith.addi %0, %c4 : index
//     %3 = vector.load %arg0[%2] : memref<256xf32>, vector<4xf32>
//     %4 = vector.load %arg1[%1] : memref<128xf32>, vector<4xf32>
//     %5:4 = vector.to_elements %4 : vector<4xf32>
//     %6:4 = vector.to_elements %3 : vector<4xf32>
//     %7 = vector.from_elements %5#1, %5#0, %6#3, %6#2 : vector<4xf32>
//     vector.store %7, %arg2[%0] : memref<256xf32>, vector<4xf32>
//     %8 = vector.load %arg0[%0] : memref<256xf32>, vector<4xf32>
//     %9:4 = vector.to_elements %8 : vector<4xf32>
//     %10 = vector.from_elements %5#2, %5#3, %9#0, %9#1 : vector<4xf32>
//     vector.store %10, %arg2[%2] : memref<256xf32>, vector<4xf32>
//     return
//   }
// }

// $ raddle run %s --target=sm_80 | grep correct
// correct: all 256 elements equal the reference bit for bit
