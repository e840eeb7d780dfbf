// The sums of a window's places and of its channels are one loop, so that copies run ahead from one place to the next.
// RUN: raddle opt %s --to=pipelined --target=sm_80 --remarks 2>&1 | grep -e iterations -e scf.for -e floordiv -e mod
// RUN: raddle opt %s --to=pipelined --target=gfx942 --remarks 2>&1 | grep -e iteration -e scf.for
// RUN: raddle run %s --target=sm_80 | grep correct
// RUN: raddle run %s --target=gfx942 | grep correct
func.func @convolution(%x: tensor<18x98x64xf16>, %k: tensor<32x3x3x64xf16>) -> tensor<32x16x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x16x96xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<32x16x96xf32>) -> tensor<32x16x96xf32>
  %y = linalg.generic {
    indexing_maps = [
      affine_map<(f, h, w, i, j, c) -> (f, i, j, c)>,
      affine_map<(f, h, w, i, j, c) -> (h + i, w + j, c)>,
      affine_map<(f, h, w, i, j, c) -> (f, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
  } ins(%k, %x : tensor<32x3x3x64xf16>, tensor<18x98x64xf16>) outs(%i : tensor<32x16x96xf32>) {
  ^bb0(%a: f16, %b: f16, %s: f32):
    %l = arith.extf %a : f16 to f32
    %r = arith.extf %b : f16 to f32
    %p = arith.mulf %l, %r : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<32x16x96xf32>
  return %y : tensor<32x16x96xf32>
}

// $ raddle opt %s --to=pipelined --target=sm_80 --remarks 2>&1 | grep -e iterations -e scf.for -e floordiv -e mod
// #map3 = affine_map<(d0) -> (d0 mod 3)>
// #map4 = affine_map<(d0) -> (d0 floordiv 3)>
// #map6 = affine_map<(d0) -> (d0 mod 4)>
// module {
//     %44:3 = scf.for %arg3 = %c0_2 to %c6 step %c1_3 iter_args(%arg4 = %cst_1, %arg5 = %41, %arg6 = %42) -> (vector<16x16xf32>, vector<16x16xf16>, vector<16x16xf16>) {
// remark[E0403]: copies of this loop's tiles run 3 iterations ahead, through 4 slots

// $ raddle opt %s --to=pipelined --target=gfx942 --remarks 2>&1 | grep -e iteration -e scf.for
//     %8:3 = scf.for %arg3 = %c0_3 to %c8 step %c1_4 iter_args(%arg4 = %cst_2, %arg5 = %5, %arg6 = %6) -> (vector<16x1x16xf32>, vector<16x64xf16>, vector<16x64xf16>) {
// remark[E0403]: tiles of this loop are read 1 iteration ahead, into registers

// $ raddle run %s --target=sm_80 | grep correct
// correct: all 49152 elements agree with the reference within 3.30e-4 + 2.38e-7·|expected| (3550 bit for bit)

// $ raddle run %s --target=gfx942 | grep correct
// correct: all 49152 elements agree with the reference within 3.30e-4 + 2.38e-7·|expected| (3550 bit for bit)
