// A factor that is a slice is read where it lies: its columns may begin anywhere, so that copies are as wide as they are
// aligned, and its place may be an index that the run computes.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle opt %s --partition | grep -e func -e extract_slice
func.func @columns(%x: tensor<64x260xf16>, %b: tensor<256x16xf16>) -> tensor<64x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  %a = tensor.extract_slice %x[0, 1] [64, 256] [1, 1] : tensor<64x260xf16> to tensor<64x256xf16>
  %r = linalg.matmul ins(%a, %b : tensor<64x256xf16>, tensor<256x16xf16>) outs(%f : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}
func.func @one_matrix(%x: tensor<2x64x264xf16>, %b: tensor<256x16xf16>) -> tensor<64x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  %a = tensor.extract_slice %x[1, 0, 4] [1, 64, 256] [1, 1, 1] : tensor<2x64x264xf16> to tensor<64x256xf16>
  %r = linalg.matmul ins(%a, %b : tensor<64x256xf16>, tensor<256x16xf16>) outs(%f : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}
func.func @moving(%x: tensor<3x64x264xf16>, %b: tensor<256x16xf16>, %at: tensor<i32>) -> tensor<64x16xf32> {
  %z = arith.constant 0.0 : f32
  %three = arith.constant 3 : i32
  %n = tensor.extract %at[] : tensor<i32>
  %m = arith.remui %n, %three : i32
  %i = arith.index_cast %m : i32 to index
  %e = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  %s = tensor.extract_slice %x[%i, 0, %i] [1, 64, 256] [1, 1, 1] : tensor<3x64x264xf16> to tensor<1x64x256xf16>
  %a = tensor.collapse_shape %s [[0, 1], [2]] : tensor<1x64x256xf16> into tensor<64x256xf16>
  %r = linalg.matmul ins(%a, %b : tensor<64x256xf16>, tensor<256x16xf16>) outs(%f : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %r : tensor<64x16xf32>
}
// A slice of a slice, one element, steps, and windows of what moves.
func.func @of_what_moves(%x: tensor<3x8x40xf32>, %w: tensor<5xf32>, %at: tensor<i32>) -> (tensor<12xf32>, tensor<16xf32>, tensor<8x44xf32>) {
  %z = arith.constant 0.0 : f32
  %three = arith.constant 3 : i32
  %n = tensor.extract %at[] : tensor<i32>
  %m = arith.remui %n, %three : i32
  %i = arith.index_cast %m : i32 to index
  %s = tensor.extract_slice %x[%i, %i, 0] [1, 1, 40] [1, 1, 1] : tensor<3x8x40xf32> to tensor<40xf32>
  %e = tensor.empty() : tensor<12xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12xf32>) -> tensor<12xf32>
  %part = tensor.extract_slice %s[%i] [16] [2] : tensor<40xf32> to tensor<16xf32>
  %c = linalg.conv_1d ins(%part, %w : tensor<16xf32>, tensor<5xf32>) outs(%f : tensor<12xf32>) -> tensor<12xf32>
  %one = tensor.extract_slice %x[0, %i, 2] [1, 1, 1] [1, 1, 1] : tensor<3x8x40xf32> to tensor<1x1x1xf32>
  %number = tensor.collapse_shape %one [] : tensor<1x1x1xf32> into tensor<f32>
  %e2 = tensor.empty() : tensor<16xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
    ins(%part, %number : tensor<16xf32>, tensor<f32>) outs(%e2 : tensor<16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<16xf32>
  %all = tensor.extract_slice %x[%i, 0, 0] [1, 8, 40] [1, 1, 1] : tensor<3x8x40xf32> to tensor<8x40xf32>
  %p = tensor.pad %all low[0, 1] high[0, 3] {
  ^bb0(%y: index, %o: index):
    tensor.yield %z : f32
  } : tensor<8x40xf32> to tensor<8x44xf32>
  %e3 = tensor.empty() : tensor<8x44xf32>
  %q = linalg.exp ins(%p : tensor<8x44xf32>) outs(%e3 : tensor<8x44xf32>) -> tensor<8x44xf32>
  return %c, %t, %q : tensor<12xf32>, tensor<16xf32>, tensor<8x44xf32>
}

// $ raddle run %s --all
// ok       @columns
// ok       @one_matrix
// ok       @moving
// ok       @of_what_moves
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @columns
// ok       @one_matrix
// ok       @moving
// ok       @of_what_moves
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @columns
// ok       @one_matrix
// ok       @moving
// ok       @of_what_moves
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --partition | grep -e func -e extract_slice
//   func.func @columns(%arg0: tensor<64x260xf16>, %arg1: tensor<256x16xf16>) -> tensor<64x16xf32> {
//     %extracted_slice = tensor.extract_slice %arg0[0, 1] [64, 256] [1, 1] : tensor<64x260xf16> to tensor<64x256xf16>
//   func.func @one_matrix(%arg0: tensor<2x64x264xf16>, %arg1: tensor<256x16xf16>) -> tensor<64x16xf32> {
//     %extracted_slice = tensor.extract_slice %arg0[1, 0, 4] [1, 64, 256] [1, 1, 1] : tensor<2x64x264xf16> to tensor<64x256xf16>
//   func.func @moving(%arg0: tensor<3x64x264xf16>, %arg1: tensor<256x16xf16>, %arg2: tensor<i32>) -> tensor<64x16xf32> {
//   func.func @of_what_moves(%arg0: tensor<3x8x40xf32>, %arg1: tensor<5xf32>, %arg2: tensor<i32>) -> (tensor<12xf32>, tensor<16xf32>, tensor<8x44xf32>) {
//   func.func @moving_kernel_0(%arg0: tensor<3x64x264xf16>, %arg1: i32, %arg2: tensor<256x16xf16>) -> tensor<64x16xf32> {
//     %extracted_slice = tensor.extract_slice %arg0[%1, 0, %1] [1, 64, 256] [1, 1, 1] : tensor<3x64x264xf16> to tensor<64x256xf16>
//   func.func @of_what_moves_kernel_0(%arg0: tensor<3x8x40xf32>, %arg1: i32, %arg2: tensor<5xf32>) -> tensor<12xf32> {
//     %extracted_slice = tensor.extract_slice %arg0[%1, %1, 0] [1, 1, 40] [1, 1, 1] : tensor<3x8x40xf32> to tensor<40xf32>
//     %extracted_slice_0 = tensor.extract_slice %extracted_slice[%1] [16] [2] : tensor<40xf32> to tensor<16xf32>
//   func.func @of_what_moves_kernel_1(%arg0: tensor<3x8x40xf32>, %arg1: i32) -> tensor<16xf32> {
//     %extracted_slice = tensor.extract_slice %arg0[%1, %1, 0] [1, 1, 40] [1, 1, 1] : tensor<3x8x40xf32> to tensor<40xf32>
//     %extracted_slice_0 = tensor.extract_slice %extracted_slice[%1] [16] [2] : tensor<40xf32> to tensor<16xf32>
//     %extracted_slice_1 = tensor.extract_slice %arg0[0, %1, 2] [1, 1, 1] [1, 1, 1] : tensor<3x8x40xf32> to tensor<f32>
//   func.func @of_what_moves_kernel_2(%arg0: tensor<3x8x40xf32>, %arg1: i32) -> tensor<8x44xf32> {
//     %extracted_slice = tensor.extract_slice %arg0[%1, 0, 0] [1, 8, 40] [1, 1, 1] : tensor<3x8x40xf32> to tensor<8x40xf32>
