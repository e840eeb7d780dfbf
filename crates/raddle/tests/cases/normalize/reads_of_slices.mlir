// What a body reads of a slice by index is read of what the slice is a part of, and a slice that is only an output that nobody
// reads is not copied: a reflected edge is one kernel.
// RUN: raddle opt %s --pass-pipeline=builtin.module(func.func(normalize))
// RUN: raddle opt %s --to configured | grep func.func
// RUN: raddle run %s | grep correct
func.func @reflected(%x: tensor<4x9x12xf32>) -> tensor<4x3x5xf32> {
  %c2 = arith.constant 2 : index
  %s = tensor.extract_slice %x[0, 7, 1] [4, 1, 5] [1, 1, 2] : tensor<4x9x12xf32> to tensor<4x5xf32>
  %t = tensor.extract_slice %x[0, 1, 2] [4, 3, 5] [1, 1, 1] : tensor<4x9x12xf32> to tensor<4x3x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%t : tensor<4x3x5xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %back = arith.subi %c2, %j : index
    %a = tensor.extract %t[%i, %back, %k] : tensor<4x3x5xf32>
    %b = tensor.extract %s[%i, %k] : tensor<4x5xf32>
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<4x3x5xf32>
  return %r : tensor<4x3x5xf32>
}

// $ raddle opt %s --pass-pipeline=builtin.module(func.func(normalize))
// #map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// module {
//   func.func @reflected(%arg0: tensor<4x9x12xf32>) -> tensor<4x3x5xf32> {
//     %c2 = arith.constant 2 : index
//     %extracted_slice = tensor.extract_slice %arg0[0, 7, 1] [4, 1, 5] [1, 1, 2] : tensor<4x9x12xf32> to tensor<4x5xf32>
//     %extracted_slice_0 = tensor.extract_slice %arg0[0, 1, 2] [4, 3, 5] [1, 1, 1] : tensor<4x9x12xf32> to tensor<4x3x5xf32>
//     %0 = tensor.empty() : tensor<4x3x5xf32>
//     %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%0 : tensor<4x3x5xf32>) {
//     ^bb0(%out: f32):
//       %2 = linalg.index 0 : index
//       %3 = linalg.index 1 : index
//       %4 = linalg.index 2 : index
//       %5 = arith.subi %c2, %3 : index
//       %c1 = arith.constant 1 : index
//       %6 = arith.addi %5, %c1 : index
//       %c2_1 = arith.constant 2 : index
//       %7 = arith.addi %4, %c2_1 : index
//       %extracted = tensor.extract %arg0[%2, %6, %7] : tensor<4x9x12xf32>
//       %c0 = arith.constant 0 : index
//       %c7 = arith.constant 7 : index
//       %8 = arith.addi %c0, %c7 : index
//       %c2_2 = arith.constant 2 : index
//       %9 = arith.muli %4, %c2_2 : index
//       %c1_3 = arith.constant 1 : index
//       %10 = arith.addi %9, %c1_3 : index
//       %extracted_4 = tensor.extract %arg0[%2, %8, %10] : tensor<4x9x12xf32>
//       %11 = arith.addf %extracted, %extracted_4 : f32
//       linalg.yield %11 : f32
//     } -> tensor<4x3x5xf32>
//     return %1 : tensor<4x3x5xf32>
//   }
// }

// $ raddle opt %s --to configured | grep func.func
//   func.func @reflected(%arg0: tensor<4x9x12xf32>) -> tensor<4x3x5xf32> attributes {translation_info = #translation} {

// $ raddle run %s | grep correct
// correct: all 60 elements equal the reference bit for bit
