// Of a right factor in memory, few rows read the columns of a cache along a few steps of the sum before the next ones, and
// what the next tile reads is brought ahead; nothing is packed. Columns that may end beyond the memory are masked where
// they do.
// RUN: raddle run %s --target=x86-64-v4 --compare=vector,pipelined | grep correct
// RUN: raddle opt %s --to=pipelined --target=x86-64-v4 | grep prefetch %arg1[%18
// RUN: raddle opt %s --to=pipelined --target=x86-64-v4 | grep scf.for
// RUN: raddle opt %s --to=pipelined --target=x86-64-v4 | grep alloc
func.func @f(%a: tensor<3x1000xf32>, %b: tensor<1000x270xf32>, %c: tensor<3x270xf32>) -> tensor<3x270xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x1000xf32>, tensor<1000x270xf32>) outs(%c : tensor<3x270xf32>) -> tensor<3x270xf32>
  return %r : tensor<3x270xf32>
}

// $ raddle run %s --target=x86-64-v4 --compare=vector,pipelined | grep correct
// correct: stage `vector`, all 810 elements agree with the reference within 5.17e-4 + 2.38e-7·|expected| (40 bit for bit)
// correct: stage `pipelined`, all 810 elements agree with the reference within 5.17e-4 + 2.38e-7·|expected| (127 bit for bit)
// correct: stage `pipelined`, all 810 elements agree with stage `vector` within 5.17e-4 + 2.38e-7·|expected| (40 bit for bit)

// $ raddle opt %s --to=pipelined --target=x86-64-v4 | grep prefetch %arg1[%18
//             memref.prefetch %arg1[%18, %4], read, locality<3>, data : memref<1000x270xf32>
//             memref.prefetch %arg1[%18, %11], read, locality<3>, data : memref<1000x270xf32>
//             memref.prefetch %arg1[%18, %12], read, locality<3>, data : memref<1000x270xf32>
//             memref.prefetch %arg1[%18, %13], read, locality<3>, data : memref<1000x270xf32>
//             memref.prefetch %arg1[%18, %4], read, locality<3>, data : memref<1000x270xf32>
//             memref.prefetch %arg1[%18, %11], read, locality<3>, data : memref<1000x270xf32>
//             memref.prefetch %arg1[%18, %12], read, locality<3>, data : memref<1000x270xf32>
//             memref.prefetch %arg1[%18, %13], read, locality<3>, data : memref<1000x270xf32>

// $ raddle opt %s --to=pipelined --target=x86-64-v4 | grep scf.for
//     scf.for %arg4 = %c0 to %c42 step %c1 {
//       scf.for %arg5 = %c0 to %c5 step %c1 {
//           %14 = scf.for %arg6 = %c0 to %1 step %c1 iter_args(%arg7 = %7) -> (vector<3x64xf32>) {
//           %14 = scf.for %arg6 = %c0 to %1 step %c1 iter_args(%arg7 = %7) -> (vector<3x64xf32>) {

// $ raddle opt %s --to=pipelined --target=x86-64-v4 | grep alloc
