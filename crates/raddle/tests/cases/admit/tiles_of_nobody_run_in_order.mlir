// A loop over tiles that nobody has given to workgroups is one of the host.
// RUN: raddle opt %s --admit --remarks
// RUN: raddle run %s | grep correct
// RUN: raddle run %s --device=ptx-emu | grep correct
func.func @tiled(%a: tensor<64x48xf32>, %b: tensor<48x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = scf.forall (%i, %j) = (0, 0) to (64, 64) step (16, 32) shared_outs(%o = %c) -> (tensor<64x64xf32>) {
    %ta = tensor.extract_slice %a[%i, 0] [16, 48] [1, 1] : tensor<64x48xf32> to tensor<16x48xf32>
    %tb = tensor.extract_slice %b[0, %j] [48, 32] [1, 1] : tensor<48x64xf32> to tensor<48x32xf32>
    %tc = tensor.extract_slice %o[%i, %j] [16, 32] [1, 1] : tensor<64x64xf32> to tensor<16x32xf32>
    %d = linalg.matmul ins(%ta, %tb : tensor<16x48xf32>, tensor<48x32xf32>) outs(%tc : tensor<16x32xf32>) -> tensor<16x32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%i, %j] [16, 32] [1, 1] : tensor<16x32xf32> into tensor<64x64xf32>
    }
  }
  return %0 : tensor<64x64xf32>
}

// $ raddle opt %s --admit --remarks
// module {
//   func.func @tiled(%arg0: tensor<64x48xf32>, %arg1: tensor<48x64xf32>, %arg2: tensor<64x64xf32>) -> tensor<64x64xf32> {
//     %c0 = arith.constant 0 : index
//     %c0_0 = arith.constant 0 : index
//     %c64 = arith.constant 64 : index
//     %c64_1 = arith.constant 64 : index
//     %c16 = arith.constant 16 : index
//     %c32 = arith.constant 32 : index
//     %0 = scf.for %arg3 = %c0 to %c64 step %c16 iter_args(%arg4 = %arg2) -> (tensor<64x64xf32>) {
//       %1 = scf.for %arg5 = %c0_0 to %c64_1 step %c32 iter_args(%arg6 = %arg4) -> (tensor<64x64xf32>) {
//         %extracted_slice = tensor.extract_slice %arg0[%arg3, 0] [16, 48] [1, 1] : tensor<64x48xf32> to tensor<16x48xf32>
//         %extracted_slice_2 = tensor.extract_slice %arg1[0, %arg5] [48, 32] [1, 1] : tensor<48x64xf32> to tensor<48x32xf32>
//         %extracted_slice_3 = tensor.extract_slice %arg6[%arg3, %arg5] [16, 32] [1, 1] : tensor<64x64xf32> to tensor<16x32xf32>
//         %2 = linalg.matmul ins(%extracted_slice, %extracted_slice_2 : tensor<16x48xf32>, tensor<48x32xf32>) outs(%extracted_slice_3 : tensor<16x32xf32>) -> tensor<16x32xf32>
//         %inserted_slice = tensor.insert_slice %2 into %arg6[%arg3, %arg5] [16, 32] [1, 1] : tensor<16x32xf32> into tensor<64x64xf32>
//         scf.yield %inserted_slice : tensor<64x64xf32>
//       }
//       scf.yield %1 : tensor<64x64xf32>
//     }
//     return %0 : tensor<64x64xf32>
//   }
// }
// remark[E0304]: the tiles of `scf.forall` are computed one after the other, each by kernels of its own
//  --> admit/tiles_of_nobody_run_in_order.mlir:6:3
//   |
// 6 |   %0 = scf.forall (%i, %j) = (0, 0) to (64, 64) step (16, 32) shared_outs(%o = %c) -> (tensor<64x64xf32>) {
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: tiles that workgroups are to compute have a `mapping`, and the function a `translation_info`

// $ raddle run %s | grep correct
// correct: all 4096 elements agree with the reference within 8.78e-5 + 2.38e-7·|expected| (974 bit for bit)

// $ raddle run %s --device=ptx-emu | grep correct
// correct: all 4096 elements agree with the reference within 8.78e-5 + 2.38e-7·|expected| (974 bit for bit)
