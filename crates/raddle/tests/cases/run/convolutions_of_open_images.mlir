// Convolutions of images of which only the run knows how large they are: rows of channels of a copy of the image are read
// by the numbers of all places, or windows are written out; vectors of a GPU and matrix instructions are as of known sizes.
// RUN: raddle run %s --function=same --target=sm_80 --input=2x64x9x13xf16=random --input=64x64x3x3xf16=random --input=64xf16=random | grep -e launch -e correct
// RUN: raddle run %s --function=halved --target=sm_80 --input=3x32x11x10xf16=random --input=72x32x3x3xf16=random --input=72xf16=random | grep correct
// RUN: raddle run %s --function=halved --target=gfx942 --input=3x32x11x10xf16=random --input=72x32x3x3xf16=random --input=72xf16=random | grep correct
// RUN: raddle run %s --function=first --target=sm_80 --input=1x3x19x22xf16=random --input=64x3x7x7xf16=random --input=64xf16=random | grep correct
// RUN: raddle run %s --function=same --device=cpu --input=2x64x9x13xf16=random --input=64x64x3x3xf16=random --input=64xf16=random | grep -c correct
// RUN: raddle run %s --function=halved --device=ptx-emu --target=sm_90a --input=1x32x8x1xf16=random --input=72x32x3x3xf16=random --input=72xf16=random | grep correct
// RUN: raddle run %s --function=same --target=sm_80 --input=0x64x9x13xf16=random --input=64x64x3x3xf16=random --input=64xf16=random | grep correct
func.func @same(%x: tensor<?x64x?x?xf16>, %w: tensor<64x64x3x3xf16>, %b: tensor<64xf16>) -> tensor<?x64x?x?xf16> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f16
  %n = tensor.dim %x, %c0 : tensor<?x64x?x?xf16>
  %h = tensor.dim %x, %c2 : tensor<?x64x?x?xf16>
  %v = tensor.dim %x, %c3 : tensor<?x64x?x?xf16>
  %hh = affine.apply affine_map<(d0) -> ((d0 + -1) floordiv 1 + 1)>(%h)
  %vv = affine.apply affine_map<(d0) -> ((d0 + -1) floordiv 1 + 1)>(%v)
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f16
  } : tensor<?x64x?x?xf16> to tensor<?x64x?x?xf16>
  %e = tensor.empty(%n, %hh, %vv) : tensor<?x64x?x?xf16>
  %f = linalg.broadcast ins(%b : tensor<64xf16>) outs(%e : tensor<?x64x?x?xf16>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw {strides = dense<1> : vector<2xi64>} ins(%p, %w : tensor<?x64x?x?xf16>, tensor<64x64x3x3xf16>) outs(%f : tensor<?x64x?x?xf16>) -> tensor<?x64x?x?xf16>
  %a = linalg.generic {indexing_maps = [affine_map<(n, f, h, w) -> (n, f, h, w)>, affine_map<(n, f, h, w) -> (n, f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<?x64x?x?xf16>) outs(%e : tensor<?x64x?x?xf16>) {
  ^bb0(%in: f16, %out: f16):
    %m = arith.maximumf %in, %z : f16
    linalg.yield %m : f16
  } -> tensor<?x64x?x?xf16>
  return %a : tensor<?x64x?x?xf16>
}
func.func @halved(%x: tensor<?x32x?x?xf16>, %w: tensor<72x32x3x3xf16>, %b: tensor<72xf16>) -> tensor<?x72x?x?xf16> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f16
  %n = tensor.dim %x, %c0 : tensor<?x32x?x?xf16>
  %h = tensor.dim %x, %c2 : tensor<?x32x?x?xf16>
  %v = tensor.dim %x, %c3 : tensor<?x32x?x?xf16>
  %hh = affine.apply affine_map<(d0) -> ((d0 + -1) floordiv 2 + 1)>(%h)
  %vv = affine.apply affine_map<(d0) -> ((d0 + -1) floordiv 2 + 1)>(%v)
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f16
  } : tensor<?x32x?x?xf16> to tensor<?x32x?x?xf16>
  %e = tensor.empty(%n, %hh, %vv) : tensor<?x72x?x?xf16>
  %f = linalg.broadcast ins(%b : tensor<72xf16>) outs(%e : tensor<?x72x?x?xf16>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>} ins(%p, %w : tensor<?x32x?x?xf16>, tensor<72x32x3x3xf16>) outs(%f : tensor<?x72x?x?xf16>) -> tensor<?x72x?x?xf16>
  return %r : tensor<?x72x?x?xf16>
}
func.func @first(%x: tensor<1x3x?x?xf16>, %w: tensor<64x3x7x7xf16>, %b: tensor<64xf16>) -> tensor<1x64x?x?xf16> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f16
  %n = tensor.dim %x, %c0 : tensor<1x3x?x?xf16>
  %h = tensor.dim %x, %c2 : tensor<1x3x?x?xf16>
  %v = tensor.dim %x, %c3 : tensor<1x3x?x?xf16>
  %hh = affine.apply affine_map<(d0) -> ((d0 + -1) floordiv 2 + 1)>(%h)
  %vv = affine.apply affine_map<(d0) -> ((d0 + -1) floordiv 2 + 1)>(%v)
  %p = tensor.pad %x low[0, 0, 3, 3] high[0, 0, 3, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f16
  } : tensor<1x3x?x?xf16> to tensor<1x3x?x?xf16>
  %e = tensor.empty(%hh, %vv) : tensor<1x64x?x?xf16>
  %f = linalg.broadcast ins(%b : tensor<64xf16>) outs(%e : tensor<1x64x?x?xf16>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>} ins(%p, %w : tensor<1x3x?x?xf16>, tensor<64x3x7x7xf16>) outs(%f : tensor<1x64x?x?xf16>) -> tensor<1x64x?x?xf16>
  return %r : tensor<1x64x?x?xf16>
}

// $ raddle run %s --function=same --target=sm_80 --input=2x64x9x13xf16=random --input=64x64x3x3xf16=random --input=64xf16=random | grep -e launch -e correct
// launch     @same_kernel_0 grid 22x1x1, each workgroup 128 threads: 4 subgroups of 32 lanes
// launch     @same_kernel_1 grid 3x3x32, each workgroup 64 threads: 2 subgroups of 32 lanes
// launch     @same_kernel_2 grid 2x1x1, each workgroup 128 threads: 4 subgroups of 32 lanes
// correct: all 14976 elements agree with the reference within 1.81e0 + 1.95e-3·|expected| (8062 bit for bit)

// $ raddle run %s --function=halved --target=sm_80 --input=3x32x11x10xf16=random --input=72x32x3x3xf16=random --input=72xf16=random | grep correct
// correct: all 6480 elements agree with the reference within 1.20e0 + 1.95e-3·|expected| (749 bit for bit)

// $ raddle run %s --function=halved --target=gfx942 --input=3x32x11x10xf16=random --input=72x32x3x3xf16=random --input=72xf16=random | grep correct
// correct: all 6480 elements agree with the reference within 1.20e0 + 1.95e-3·|expected| (6473 bit for bit)

// $ raddle run %s --function=first --target=sm_80 --input=1x3x19x22xf16=random --input=64x3x7x7xf16=random --input=64xf16=random | grep correct
// correct: all 7040 elements agree with the reference within 6.37e-1 + 1.95e-3·|expected| (1067 bit for bit)

// $ raddle run %s --function=same --device=cpu --input=2x64x9x13xf16=random --input=64x64x3x3xf16=random --input=64xf16=random | grep -c correct
// 1

// $ raddle run %s --function=halved --device=ptx-emu --target=sm_90a --input=1x32x8x1xf16=random --input=72x32x3x3xf16=random --input=72xf16=random | grep correct
// correct: all 288 elements agree with the reference within 7.69e-1 + 1.95e-3·|expected| (52 bit for bit)

// $ raddle run %s --function=same --target=sm_80 --input=0x64x9x13xf16=random --input=64x64x3x3xf16=random --input=64xf16=random | grep correct
// correct: all 0 elements equal the reference bit for bit
