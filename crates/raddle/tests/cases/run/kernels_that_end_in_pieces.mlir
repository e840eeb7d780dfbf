// What is computed of elements that are read by index, or of a product, shares their kernel also where it becomes a piece of
// a tensor: images that are made larger and put behind one another, as heads of segmentation have them.
// RUN: raddle opt %s --normalize --partition | grep func.func
// RUN: raddle run %s --all --quiet
// RUN: raddle run %s --all --quiet --target=gfx942
// RUN: raddle run %s --all --quiet --device=ptx-emu --target=sm_90a
#id = affine_map<(c, i) -> (c, i)>
// Between two neighbours of each of twice as many places.
func.func @larger(%x: tensor<8x32xf32>, %y: tensor<8x64xf16>) -> tensor<16x64xf16> {
  %c2 = arith.constant 2 : index
  %c31 = arith.constant 31 : index
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %a = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x64xf32>) {
  ^bb0(%out: f32):
    %c = linalg.index 0 : index
    %i = linalg.index 1 : index
    %at = arith.divui %i, %c2 : index
    %element = tensor.extract %x[%c, %at] : tensor<8x32xf32>
    linalg.yield %element : f32
  } -> tensor<8x64xf32>
  %b = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x64xf32>) {
  ^bb0(%out: f32):
    %one = arith.constant 1 : index
    %c = linalg.index 0 : index
    %i = linalg.index 1 : index
    %near = arith.divui %i, %c2 : index
    %next = arith.addi %near, %one : index
    %at = arith.minui %next, %c31 : index
    %element = tensor.extract %x[%c, %at] : tensor<8x32xf32>
    linalg.yield %element : f32
  } -> tensor<8x64xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%b, %a : tensor<8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %z = arith.subf %p, %q : f32
    linalg.yield %z : f32
  } -> tensor<8x64xf32>
  %eh = tensor.empty() : tensor<8x64xf16>
  %m = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %d : tensor<8x64xf32>, tensor<8x64xf32>) outs(%eh : tensor<8x64xf16>) {
  ^bb0(%p: f32, %q: f32, %out: f16):
    %s = arith.mulf %q, %half : f32
    %t = arith.addf %p, %s : f32
    %z = arith.truncf %t : f32 to f16
    linalg.yield %z : f16
  } -> tensor<8x64xf16>
  %r = tensor.concat dim(0) %m, %y : (tensor<8x64xf16>, tensor<8x64xf16>) -> tensor<16x64xf16>
  return %r : tensor<16x64xf16>
}
func.func @product(%x: tensor<32x64xf16>, %w: tensor<64x48xf16>, %bias: tensor<48xf16>, %y: tensor<4x48xf16>) -> tensor<36x48xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x48xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<32x64xf16>, tensor<64x48xf16>) outs(%fill : tensor<32x48xf32>) -> tensor<32x48xf32>
  %eh = tensor.empty() : tensor<32x48xf16>
  %z = linalg.generic {indexing_maps = [#id, affine_map<(c, i) -> (i)>, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<32x48xf32>, tensor<48xf16>) outs(%eh : tensor<32x48xf16>) {
  ^bb0(%in: f32, %b: f16, %out: f16):
    %h = arith.truncf %in : f32 to f16
    %s = arith.addf %h, %b : f16
    linalg.yield %s : f16
  } -> tensor<32x48xf16>
  %r = tensor.concat dim(0) %y, %z : (tensor<4x48xf16>, tensor<32x48xf16>) -> tensor<36x48xf16>
  return %r : tensor<36x48xf16>
}

// $ raddle opt %s --normalize --partition | grep func.func
//   func.func @larger(%arg0: tensor<8x32xf32>, %arg1: tensor<8x64xf16>) -> tensor<16x64xf16> {
//   func.func @product(%arg0: tensor<32x64xf16>, %arg1: tensor<64x48xf16>, %arg2: tensor<48xf16>, %arg3: tensor<4x48xf16>) -> tensor<36x48xf16> {
//   func.func @larger_kernel_0(%arg0: tensor<8x32xf32>) -> tensor<8x64xf16> {
//   func.func @larger_kernel_1(%arg0: tensor<8x64xf16>, %arg1: tensor<8x64xf16>) -> tensor<16x64xf16> {
//   func.func @product_kernel_0(%arg0: tensor<32x64xf16>, %arg1: tensor<64x48xf16>, %arg2: tensor<48xf16>) -> tensor<32x48xf16> {

// $ raddle run %s --all --quiet
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --quiet --target=gfx942
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --quiet --device=ptx-emu --target=sm_90a
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
