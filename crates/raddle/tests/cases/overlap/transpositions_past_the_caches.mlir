// The result of a large transposition is written by whole lines, two tiles beside each other before the next rows, and what
// is read next is brought. One that caches hold, or whose rows do not end with lines, is written as any other.
// RUN: raddle opt %s --to=pipelined --target=x86-64-v4 | grep -c prefetch
// RUN: raddle opt %s --to=pipelined --target=x86-64-v4 | grep whole_lines
// RUN: raddle opt %s --to=pipelined --target=x86-64-v4 | grep known_grid_size
// RUN: raddle build %s --target=x86-64-v4 --emit=llvm | grep -c nontemporal
// RUN: raddle build %s --target=x86-64-v4 --emit=llvm | grep sfence
// RUN: raddle build %s --target=x86-64-v3 --emit=llvm | grep -c nontemporal
#t = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i, j)>
func.func @large(%a: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
  %e = tensor.empty() : tensor<2048x2048xf32>
  %r = linalg.generic {indexing_maps = [#t, #i], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<2048x2048xf32>) outs(%e : tensor<2048x2048xf32>) {
    ^bb0(%x: f32, %o: f32):
      linalg.yield %x : f32
  } -> tensor<2048x2048xf32>
  return %r : tensor<2048x2048xf32>
}
func.func @of_bytes(%a: tensor<3000x4096xi8>) -> tensor<4096x3000xi8> {
  %e = tensor.empty() : tensor<4096x3000xi8>
  %r = linalg.generic {indexing_maps = [#t, #i], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<3000x4096xi8>) outs(%e : tensor<4096x3000xi8>) {
    ^bb0(%x: i8, %o: i8):
      linalg.yield %x : i8
  } -> tensor<4096x3000xi8>
  return %r : tensor<4096x3000xi8>
}
func.func @channels_last(%a: tensor<2x512x72x64xf32>) -> tensor<2x72x64x512xf32> {
  %e = tensor.empty() : tensor<2x72x64x512xf32>
  %r = linalg.transpose ins(%a : tensor<2x512x72x64xf32>) outs(%e : tensor<2x72x64x512xf32>) permutation = [0, 2, 3, 1]
  return %r : tensor<2x72x64x512xf32>
}
func.func @small(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %e = tensor.empty() : tensor<512x512xf32>
  %r = linalg.transpose ins(%a : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) permutation = [1, 0]
  return %r : tensor<512x512xf32>
}

// $ raddle opt %s --to=pipelined --target=x86-64-v4 | grep -c prefetch
// 32

// $ raddle opt %s --to=pipelined --target=x86-64-v4 | grep whole_lines
//     vector.transfer_write %22, %arg1[%2, %3] {in_bounds = [true, true], raddle.whole_lines} : vector<16x16xf32>, memref<2048x2048xf32>
//     vector.transfer_write %25, %arg1[%3, %4, %5, %6] {in_bounds = [true, true, true, true], raddle.whole_lines} : vector<1x1x16x16xf32>, memref<2x72x64x512xf32>

// $ raddle opt %s --to=pipelined --target=x86-64-v4 | grep known_grid_size
//   func.func @large(%arg0: memref<2048x2048xf32>, %arg1: memref<2048x2048xf32>) attributes {gpu.known_grid_size = array<i32: 256, 64, 1>, translation_info = #translation} {
//   func.func @of_bytes(%arg0: memref<3000x4096xi8>, %arg1: memref<4096x3000xi8>) attributes {gpu.known_grid_size = array<i32: 188, 256, 1>, translation_info = #translation} {
//   func.func @channels_last(%arg0: memref<2x512x72x64xf32>, %arg1: memref<2x72x64x512xf32>) attributes {gpu.known_grid_size = array<i32: 18432, 1, 1>, translation_info = #translation} {
//   func.func @small(%arg0: memref<512x512xf32>, %arg1: memref<512x512xf32>) attributes {gpu.known_grid_size = array<i32: 32, 32, 1>, translation_info = #translation} {

// $ raddle build %s --target=x86-64-v4 --emit=llvm | grep -c nontemporal
// 32
// 4 of 4 functions compiled, 0 refused

// $ raddle build %s --target=x86-64-v4 --emit=llvm | grep sfence
//   call void @llvm.x86.sse.sfence()
// declare void @llvm.x86.sse.sfence()
//   call void @llvm.x86.sse.sfence()
// 4 of 4 functions compiled, 0 refused

// $ raddle build %s --target=x86-64-v3 --emit=llvm | grep -c nontemporal
// 0
// 4 of 4 functions compiled, 0 refused
