// Tensors that kernels make and that lie one behind another in a larger one are written there: the host puts them together,
// and copies one that no kernel makes.
// RUN: raddle opt %s --normalize --partition | grep kernel_
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu --target=sm_90a
// RUN: raddle run %s --all --device=cpu
// RUN: raddle run %s --all --device=cpu-c
func.func @cat(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<128x64xf16> {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<64x64xf16>
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<64x64xf16>) -> tensor<64x64xf16>
  %p = linalg.matmul ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf16>) -> tensor<64x64xf16>
  %q = linalg.matmul ins(%b, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%f : tensor<64x64xf16>) -> tensor<64x64xf16>
  %g = tensor.concat dim(0) %p, %q : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<128x64xf16>
  return %g : tensor<128x64xf16>
}
func.func @channels(%x: tensor<1x8x16x16xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x16x16x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %p = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x16x16xf32>, tensor<8x8x1x1xf32>) outs(%f : tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %r = linalg.exp ins(%p : tensor<1x8x16x16xf32>) outs(%e : tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %g = tensor.concat dim(1) %x, %r : (tensor<1x8x16x16xf32>, tensor<1x8x16x16xf32>) -> tensor<1x16x16x16xf32>
  return %g : tensor<1x16x16x16xf32>
}
func.func @inserted(%x: tensor<32x64xf32>) -> tensor<128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %e2 = tensor.empty() : tensor<64xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<64xf32>) -> tensor<64xf32>
  %rows = linalg.reduce ins(%x : tensor<32x64xf32>) outs(%f : tensor<32xf32>) dimensions = [1] (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32 linalg.yield %s : f32 }
  %columns = linalg.reduce ins(%x : tensor<32x64xf32>) outs(%f2 : tensor<64xf32>) dimensions = [0] (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32 linalg.yield %s : f32 }
  %all = tensor.empty() : tensor<128xf32>
  %1 = tensor.insert_slice %rows into %all[64] [32] [1] : tensor<32xf32> into tensor<128xf32>
  %2 = tensor.insert_slice %columns into %1[0] [64] [1] : tensor<64xf32> into tensor<128xf32>
  %3 = tensor.insert_slice %rows into %2[96] [32] [1] : tensor<32xf32> into tensor<128xf32>
  return %3 : tensor<128xf32>
}
// The second lies on half of the first, which is returned as it was.
func.func @over(%x: tensor<32x64xf32>) -> (tensor<64xf32>, tensor<32xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %e2 = tensor.empty() : tensor<64xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<64xf32>) -> tensor<64xf32>
  %rows = linalg.reduce ins(%x : tensor<32x64xf32>) outs(%f : tensor<32xf32>) dimensions = [1] (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32 linalg.yield %s : f32 }
  %columns = linalg.reduce ins(%x : tensor<32x64xf32>) outs(%f2 : tensor<64xf32>) dimensions = [0] (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32 linalg.yield %s : f32 }
  %1 = tensor.insert_slice %rows into %e2[0] [32] [1] : tensor<32xf32> into tensor<64xf32>
  %half = tensor.extract_slice %columns[0] [48] [1] : tensor<64xf32> to tensor<48xf32>
  %2 = tensor.insert_slice %half into %1[16] [48] [1] : tensor<48xf32> into tensor<64xf32>
  return %2, %rows : tensor<64xf32>, tensor<32xf32>
}
// Rows of a length that only the run knows are put together by a kernel.
func.func @open(%w: tensor<8x8xf32>, %a: tensor<8x?xf32>, %b: tensor<8x?xf32>) -> tensor<16x?xf32> {
  %z = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c1 : tensor<8x?xf32>
  %e = tensor.empty(%n) : tensor<8x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x?xf32>) -> tensor<8x?xf32>
  %p = linalg.matmul ins(%w, %a : tensor<8x8xf32>, tensor<8x?xf32>) outs(%f : tensor<8x?xf32>) -> tensor<8x?xf32>
  %g = tensor.concat dim(0) %p, %b : (tensor<8x?xf32>, tensor<8x?xf32>) -> tensor<16x?xf32>
  return %g : tensor<16x?xf32>
}

// $ raddle opt %s --normalize --partition | grep kernel_
//     %0 = call @cat_kernel_0(%arg0, %arg1) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
//     %1 = call @cat_kernel_0(%arg1, %arg0) : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
//     %0 = call @channels_kernel_0(%collapsed_0, %collapsed_1) : (tensor<8x8xf32>, tensor<8x256xf32>) -> tensor<8x256xf32>
//     %0 = call @inserted_kernel_0(%arg0) : (tensor<32x64xf32>) -> tensor<32xf32>
//     %1 = call @inserted_kernel_1(%arg0) : (tensor<32x64xf32>) -> tensor<64xf32>
//     %0 = call @over_kernel_0(%arg0) : (tensor<32x64xf32>) -> tensor<32xf32>
//     %1 = call @over_kernel_1(%arg0) : (tensor<32x64xf32>) -> tensor<64xf32>
//     %2 = call @over_kernel_2(%0, %1) : (tensor<32xf32>, tensor<64xf32>) -> tensor<64xf32>
//     %0 = call @open_kernel_0(%arg0, %arg1) : (tensor<8x8xf32>, tensor<8x?xf32>) -> tensor<8x?xf32>
//     %1 = call @open_kernel_1(%0, %arg2, %arg1) : (tensor<8x?xf32>, tensor<8x?xf32>, tensor<8x?xf32>) -> tensor<16x?xf32>
//   func.func @cat_kernel_0(%arg0: tensor<64x64xf16>, %arg1: tensor<64x64xf16>) -> tensor<64x64xf16> {
//   func.func @channels_kernel_0(%arg0: tensor<8x8xf32>, %arg1: tensor<8x256xf32>) -> tensor<8x256xf32> {
//   func.func @inserted_kernel_0(%arg0: tensor<32x64xf32>) -> tensor<32xf32> {
//   func.func @inserted_kernel_1(%arg0: tensor<32x64xf32>) -> tensor<64xf32> {
//   func.func @over_kernel_0(%arg0: tensor<32x64xf32>) -> tensor<32xf32> {
//   func.func @over_kernel_1(%arg0: tensor<32x64xf32>) -> tensor<64xf32> {
//   func.func @over_kernel_2(%arg0: tensor<32xf32>, %arg1: tensor<64xf32>) -> tensor<64xf32> {
//   func.func @open_kernel_0(%arg0: tensor<8x8xf32>, %arg1: tensor<8x?xf32>) -> tensor<8x?xf32> {
//   func.func @open_kernel_1(%arg0: tensor<8x?xf32>, %arg1: tensor<8x?xf32>, %arg2: tensor<8x?xf32>) -> tensor<16x?xf32> {

// $ raddle run %s --all
// ok       @cat
// ok       @channels
// ok       @inserted
// ok       @over
// ok       @open
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu --target=sm_90a
// ok       @cat
// ok       @channels
// ok       @inserted
// ok       @over
// ok       @open
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @cat
// ok       @channels
// ok       @inserted
// ok       @over
// ok       @open
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu-c
// ok       @cat
// ok       @channels
// ok       @inserted
// ok       @over
// ok       @open
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs
