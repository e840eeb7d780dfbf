// Of a right factor in memory that few rows read where it lies, the last step of the sum alone is masked.
// RUN: raddle run %s --target=x86-64-v4 --compare=vector,pipelined | grep correct
// RUN: raddle opt %s --to=pipelined --target=x86-64-v4 | grep transfer_read %arg1
func.func @f(%a: tensor<20x147xf32>, %b: tensor<147x2000xf32>, %c: tensor<20x2000xf32>) -> tensor<20x2000xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<20x147xf32>, tensor<147x2000xf32>) outs(%c : tensor<20x2000xf32>) -> tensor<20x2000xf32>
  return %r : tensor<20x2000xf32>
}

// $ raddle run %s --target=x86-64-v4 --compare=vector,pipelined | grep correct
// correct: stage `vector`, all 40000 elements agree with the reference within 8.30e-5 + 2.38e-7·|expected| (5379 bit for bit)
// correct: stage `pipelined`, all 40000 elements agree with the reference within 8.30e-5 + 2.38e-7·|expected| (8471 bit for bit)
// correct: stage `pipelined`, all 40000 elements agree with stage `vector` within 8.30e-5 + 2.38e-7·|expected| (5309 bit for bit)

// $ raddle opt %s --to=pipelined --target=x86-64-v4 | grep transfer_read %arg1
//               %36 = vector.transfer_read %arg1[%31, %7], %cst_0 {in_bounds = [true, true]} : memref<147x2000xf32>, vector<4x64xf32>
//               %37 = vector.transfer_read %arg1[%31, %7], %cst_0 {in_bounds = [false, true]} : memref<147x2000xf32>, vector<4x64xf32>
//               %36 = vector.transfer_read %arg1[%31, %7], %cst_0 {in_bounds = [true, false]} : memref<147x2000xf32>, vector<4x64xf32>
//               %37 = vector.transfer_read %arg1[%31, %7], %cst_0 : memref<147x2000xf32>, vector<4x64xf32>
