// A mask of one number for each key is read a block of keys ahead, and carried to the next round.
// RUN: raddle opt %s --to=pipelined --target=sm_90a | grep -e %arg3 -e scf.for
// RUN: raddle run %s --target=sm_90a --device=ptx-emu | grep correct
// RUN: raddle run %s --target=sm_80 | grep correct
// RUN: raddle run %s --target=gfx942 | grep correct
#q = affine_map<(b, h, i, n, d, j) -> (b, i, h, d)>
#k = affine_map<(b, h, i, n, d, j) -> (b, j, h, d)>
#v = affine_map<(b, h, i, n, d, j) -> (b, j, h, n)>
#s = affine_map<(b, h, i, n, d, j) -> ()>
#m = affine_map<(b, h, i, n, d, j) -> (b, j)>
#o = affine_map<(b, h, i, n, d, j) -> (b, i, h, n)>
func.func @masked(%q: tensor<1x192x2x32xf16>, %k: tensor<1x192x2x32xf16>, %v: tensor<1x192x2x32xf16>, %m: tensor<1x192xf16>) -> tensor<1x192x2x32xf16> {
  %scale = arith.constant 0.176 : f16
  %e = tensor.empty() : tensor<1x192x2x32xf16>
  %0 = iree_linalg_ext.attention {indexing_maps = [#q, #k, #v, #s, #m, #o]}
      ins(%q, %k, %v, %scale, %m : tensor<1x192x2x32xf16>, tensor<1x192x2x32xf16>, tensor<1x192x2x32xf16>, f16, tensor<1x192xf16>) outs(%e : tensor<1x192x2x32xf16>) {
  ^bb0(%x: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<1x192x2x32xf16>
  return %0 : tensor<1x192x2x32xf16>
}

// $ raddle opt %s --to=pipelined --target=sm_90a | grep -e %arg3 -e scf.for
//   func.func @masked(%arg0: memref<1x192x2x32xf16>, %arg1: memref<1x192x2x32xf16>, %arg2: memref<1x192x2x32xf16>, %arg3: memref<1x192xf16>, %arg4: memref<1x192x2x32xf16>) attributes {gpu.known_grid_size = array<i32: 3, 2, 1>, translation_info = #translation} {
//     %3 = vector.transfer_read %arg3[%c0_14, %c0_26], %cst_15 {in_bounds = [true, true], layouts = [#nested5]} : memref<1x192xf16>, vector<1x64xf16>
//     %8:4 = scf.for %arg5 = %c0 to %c128 step %c64 iter_args(%arg6 = %cst_4, %arg7 = %cst_5, %arg8 = %cst_6, %arg9 = %3) -> (vector<1x64x1x32xf32>, vector<1x1x64xf32>, vector<1x1x64xf32>, vector<1x64xf16>) {
//       %59 = vector.transfer_read %arg3[%c0_14, %58], %cst_15 {in_bounds = [true, true], layouts = [#nested5]} : memref<1x192xf16>, vector<1x64xf16>

// $ raddle run %s --target=sm_90a --device=ptx-emu | grep correct
// correct: all 12288 elements agree with the reference within 6.25e-4 + 1.95e-3·|expected| (7930 bit for bit)

// $ raddle run %s --target=sm_80 | grep correct
// correct: all 12288 elements agree with the reference within 6.25e-4 + 1.95e-3·|expected| (7930 bit for bit)

// $ raddle run %s --target=gfx942 | grep correct
// correct: all 12288 elements agree with the reference within 6.25e-4 + 1.95e-3·|expected| (7930 bit for bit)
