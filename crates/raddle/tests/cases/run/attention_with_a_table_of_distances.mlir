// A bias for the logarithm of each distance, as T5's attention adds it: it is computed by kernels of its own, in rows along
// the keys, and not for each score of each sequence. It was part of the attention, whose registers were spilled.
// RUN: raddle build %s --target=sm_90a -o - | grep .entry
// RUN: raddle opt %s --target=sm_90a --to configured | grep -e func.func -e math.log
// RUN: raddle run %s --target=sm_90a | grep correct
// RUN: raddle run %s --target=sm_90a --device=ptx-emu | grep correct
#all = affine_map<(h, m, n) -> (h, m, n)>
#keys = affine_map<(h, m, n) -> (m, n)>
#pair = affine_map<(m, n) -> (m, n)>
#row = affine_map<(h, m, n) -> (h, m)>
func.func @attention(%q: tensor<16x256x32xf16>, %k: tensor<16x32x256xf16>, %v: tensor<16x256x32xf16>, %table: tensor<8xf16>) -> tensor<16x256x32xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %one = arith.constant 1.0 : f32
  %last = arith.constant 7 : index
  %b = tensor.empty() : tensor<256x256xf16>
  %bias = linalg.generic {indexing_maps = [#pair], iterator_types = ["parallel", "parallel"]} outs(%b : tensor<256x256xf16>) {
  ^bb0(%o: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %far = arith.subi %i, %j : index
    %number = arith.index_cast %far : index to i32
    %distance = arith.sitofp %number : i32 to f32
    %positive = math.absf %distance : f32
    %more = arith.addf %positive, %one : f32
    %log = math.log %more : f32
    %place = arith.fptoui %log : f32 to i32
    %at = arith.index_cast %place : i32 to index
    %least = arith.minui %at, %last : index
    %r = tensor.extract %table[%least] : tensor<8xf16>
    linalg.yield %r : f16
  } -> tensor<256x256xf16>
  %t = tensor.empty() : tensor<16x256x256xf16>
  %turned = linalg.transpose ins(%bias : tensor<256x256xf16>) outs(%b : tensor<256x256xf16>) permutation = [1, 0]
  %e = tensor.empty() : tensor<16x256x256xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<16x256x256xf32>) -> tensor<16x256x256xf32>
  %products = linalg.batch_matmul ins(%q, %k : tensor<16x256x32xf16>, tensor<16x32x256xf16>) outs(%zeros : tensor<16x256x256xf32>) -> tensor<16x256x256xf32>
  %scores = linalg.generic {indexing_maps = [#all, #keys, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%products, %turned : tensor<16x256x256xf32>, tensor<256x256xf16>) outs(%e : tensor<16x256x256xf32>) {
  ^bb0(%s: f32, %a: f16, %o: f32):
    %wide = arith.extf %a : f16 to f32
    %r = arith.addf %s, %wide : f32
    linalg.yield %r : f32
  } -> tensor<16x256x256xf32>
  %m = tensor.empty() : tensor<16x256xf32>
  %lows = linalg.fill ins(%low : f32) outs(%m : tensor<16x256xf32>) -> tensor<16x256xf32>
  %max = linalg.reduce { arith.maximumf } ins(%scores : tensor<16x256x256xf32>) outs(%lows : tensor<16x256xf32>) dimensions = [2]
  %powers = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %max : tensor<16x256x256xf32>, tensor<16x256xf32>) outs(%e : tensor<16x256x256xf32>) {
  ^bb0(%s: f32, %a: f32, %o: f32):
    %less = arith.subf %s, %a : f32
    %r = math.exp %less : f32
    linalg.yield %r : f32
  } -> tensor<16x256x256xf32>
  %nothing = linalg.fill ins(%zero : f32) outs(%m : tensor<16x256xf32>) -> tensor<16x256xf32>
  %sum = linalg.reduce { arith.addf } ins(%powers : tensor<16x256x256xf32>) outs(%nothing : tensor<16x256xf32>) dimensions = [2]
  %p = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sum : tensor<16x256x256xf32>, tensor<16x256xf32>) outs(%t : tensor<16x256x256xf16>) {
  ^bb0(%s: f32, %a: f32, %o: f16):
    %part = arith.divf %s, %a : f32
    %r = arith.truncf %part : f32 to f16
    linalg.yield %r : f16
  } -> tensor<16x256x256xf16>
  %f = tensor.empty() : tensor<16x256x32xf32>
  %starts = linalg.fill ins(%zero : f32) outs(%f : tensor<16x256x32xf32>) -> tensor<16x256x32xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<16x256x256xf16>, tensor<16x256x32xf16>) outs(%starts : tensor<16x256x32xf32>) -> tensor<16x256x32xf32>
  return %r : tensor<16x256x32xf32>
}

// $ raddle build %s --target=sm_90a -o - | grep .entry
// .visible .entry attention_kernel_0(
// .visible .entry attention_kernel_1(

// $ raddle opt %s --target=sm_90a --to configured | grep -e func.func -e math.log
//   func.func @attention_kernel_0(%arg0: tensor<8xf16>) -> tensor<256x256xf16> attributes {translation_info = #translation} {
//       %10 = math.log %9 : f32
//   func.func @attention_kernel_1(%arg0: tensor<16x256x32xf16>, %arg1: tensor<16x32x256xf16>, %arg2: tensor<16x256x32xf16>, %arg3: tensor<256x256xf16>) -> tensor<16x256x32xf32> attributes {translation_info = #translation} {

// $ raddle run %s --target=sm_90a | grep correct
// correct: all 131072 elements agree with the reference within 1.12e-2 + 2.38e-7·|expected| (1259 bit for bit)

// $ raddle run %s --target=sm_90a --device=ptx-emu | grep correct
// correct: all 131072 elements agree with the reference within 1.12e-2 + 2.38e-7·|expected| (1266 bit for bit)
