// The right factor is read where it lies, if steps of k lie one behind the other as in a packed panel: all memory of the
// workgroup is for rows.
// RUN: raddle run %s --target=x86-64-v4 --compare=vector,pipelined | grep correct
// RUN: raddle opt %s --to=pipelined --target=x86-64-v4 | grep alloc
func.func @panels(%a: tensor<40x72xf32>, %b: tensor<3x72x64xf32>) -> tensor<40x3x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<40x3x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<40x3x64xf32>) -> tensor<40x3x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, n, j, k) -> (i, k)>, affine_map<(i, n, j, k) -> (n, k, j)>,
      affine_map<(i, n, j, k) -> (i, n, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<40x72xf32>, tensor<3x72x64xf32>) outs(%zeros : tensor<40x3x64xf32>) {
    ^bb0(%x: f32, %y: f32, %sum: f32):
      %m = arith.mulf %x, %y : f32
      %s = arith.addf %sum, %m : f32
      linalg.yield %s : f32
  } -> tensor<40x3x64xf32>
  return %r : tensor<40x3x64xf32>
}

// $ raddle run %s --target=x86-64-v4 --compare=vector,pipelined | grep correct
// correct: stage `vector`, all 7680 elements agree with the reference within 4.65e-5 + 2.38e-7·|expected| (1462 bit for bit)
// correct: stage `pipelined`, all 7680 elements agree with the reference within 4.65e-5 + 2.38e-7·|expected| (1462 bit for bit)
// correct: stage `pipelined`, all 7680 elements equal stage `vector` bit for bit

// $ raddle opt %s --to=pipelined --target=x86-64-v4 | grep alloc
//     %alloc = memref.alloc() : memref<18x6x4xf32, #gpu.address_space<workgroup>>
//           vector.transfer_write %8, %alloc[%arg4, %c0, %c0] {in_bounds = [true, true]} : vector<6x4xf32>, memref<18x6x4xf32, #gpu.address_space<workgroup>>
//             %10 = vector.transfer_read %alloc[%arg5, %c0, %c0], %cst_0 {in_bounds = [true, true]} : memref<18x6x4xf32, #gpu.address_space<workgroup>>, vector<4x4xf32>
