// Convolutions that are one kernel reach matrix instructions along their channels, whichever loop is the last, and those of
// one place are products of matrices; instructions compute little that nobody asks for.
// RUN: raddle run %s --function=places --target=gfx942 | grep -e 'matrix instructions' -e correct
// RUN: raddle run %s --function=places --target=sm_80 --device=ptx-emu | grep correct
// RUN: raddle run %s --function=windows --target=gfx942 | grep -e 'matrix instructions' -e correct
// RUN: raddle run %s --function=windows --target=sm_90a --device=ptx-emu | grep correct
// RUN: raddle run %s --function=bytes --target=sm_80 | grep -e 'matrix instructions' -e correct
// RUN: raddle run %s --function=two --target=gfx942 | grep -e 'matrix instructions' -e correct
// RUN: raddle run %s --function=ones --target=sm_80 | grep -e 'matrix instructions' -e correct

func.func @places(%x: tensor<1x32x14x14xf16>, %w: tensor<32x32x1x1xf16>, %o: tensor<1x32x14x14xf16>) -> tensor<1x32x14x14xf16> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x32x14x14xf16>, tensor<32x32x1x1xf16>) outs(%o : tensor<1x32x14x14xf16>) -> tensor<1x32x14x14xf16>
  return %r : tensor<1x32x14x14xf16>
}

func.func @windows(%x: tensor<1x32x9x18xf16>, %w: tensor<16x32x3x3xf16>, %o: tensor<1x16x7x16xf32>) -> tensor<1x16x7x16xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x32x9x18xf16>, tensor<16x32x3x3xf16>) outs(%o : tensor<1x16x7x16xf32>) -> tensor<1x16x7x16xf32>
  return %r : tensor<1x16x7x16xf32>
}

func.func @bytes(%x: tensor<1x32x9x18xi8>, %w: tensor<16x32x3x3xi8>, %o: tensor<1x16x7x16xi32>) -> tensor<1x16x7x16xi32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x32x9x18xi8>, tensor<16x32x3x3xi8>) outs(%o : tensor<1x16x7x16xi32>) -> tensor<1x16x7x16xi32>
  return %r : tensor<1x16x7x16xi32>
}

func.func @ones(%x: tensor<2x64x7x7xbf16>, %w: tensor<48x64x1xbf16>, %o: tensor<2x48x7x7xf32>) -> tensor<2x48x7x7xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(n, f, h, w, c, i) -> (n, c, h, w)>, affine_map<(n, f, h, w, c, i) -> (f, c, i)>, affine_map<(n, f, h, w, c, i) -> (n, f, h, w)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]
  } ins(%x, %w : tensor<2x64x7x7xbf16>, tensor<48x64x1xbf16>) outs(%o : tensor<2x48x7x7xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %a32 = arith.extf %a : bf16 to f32
    %b32 = arith.extf %b : bf16 to f32
    %product = arith.mulf %a32, %b32 : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  } -> tensor<2x48x7x7xf32>
  return %r : tensor<2x48x7x7xf32>
}

// Of several kernels each sums along its channels.
func.func @two(%x: tensor<1x32x9x18xf16>, %w: tensor<16x32x3x3xf16>, %o: tensor<1x16x7x16xf32>, %v: tensor<16x16x3x3xf16>, %p: tensor<1x16x5x14xf32>) -> tensor<1x16x5x14xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x32x9x18xf16>, tensor<16x32x3x3xf16>) outs(%o : tensor<1x16x7x16xf32>) -> tensor<1x16x7x16xf32>
  %e = tensor.empty() : tensor<1x16x7x16xf16>
  %h = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<1x16x7x16xf32>) outs(%e : tensor<1x16x7x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in : f32 to f16
    linalg.yield %t : f16
  } -> tensor<1x16x7x16xf16>
  %s = linalg.conv_2d_nchw_fchw ins(%h, %v : tensor<1x16x7x16xf16>, tensor<16x16x3x3xf16>) outs(%p : tensor<1x16x5x14xf32>) -> tensor<1x16x5x14xf32>
  return %s : tensor<1x16x5x14xf32>
}

// $ raddle run %s --function=places --target=gfx942 | grep -e 'matrix instructions' -e correct
//            52 matrix instructions, 0 shuffles, 0 barriers; bytes read 64256 global, 0 shared; written 12544 global, 0 shared
// correct: all 6272 elements agree with the reference within 1.77e-1 + 1.95e-3·|expected| (6267 bit for bit)

// $ raddle run %s --function=places --target=sm_80 --device=ptx-emu | grep correct
// correct: all 6272 elements agree with the reference within 1.77e-1 + 1.95e-3·|expected| (1828 bit for bit)

// $ raddle run %s --function=windows --target=gfx942 | grep -e 'matrix instructions' -e correct
//            126 matrix instructions, 0 shuffles, 0 barriers; bytes read 136192 global, 0 shared; written 7168 global, 0 shared
// correct: all 1792 elements agree with the reference within 1.67e-4 + 2.38e-7·|expected| (182 bit for bit)

// $ raddle run %s --function=windows --target=sm_90a --device=ptx-emu | grep correct
// correct: all 1792 elements agree with the reference within 1.67e-4 + 2.38e-7·|expected| (182 bit for bit)

// $ raddle run %s --function=bytes --target=sm_80 | grep -e 'matrix instructions' -e correct
//            140 matrix instructions, 0 shuffles, 70 barriers; bytes read 71680 global, 71680 shared; written 7168 global, 35840 shared
// correct: all 1792 elements equal the reference bit for bit

// $ raddle run %s --function=two --target=gfx942 | grep -e 'matrix instructions' -e correct
//            171 matrix instructions, 0 shuffles, 0 barriers; bytes read 186432 global, 0 shared; written 8064 global, 0 shared
// correct: all 1120 elements agree with the reference within 1.66e0 + 2.38e-7·|expected| (0 bit for bit)

// $ raddle run %s --function=ones --target=sm_80 | grep -e 'matrix instructions' -e correct
//            192 matrix instructions, 0 shuffles, 24 barriers; bytes read 105600 global, 147456 shared; written 18816 global, 98304 shared
// correct: all 4704 elements agree with the reference within 4.71e-5 + 2.38e-7·|expected| (2388 bit for bit)
