// Products of matrices that a program sums in bf16 have no matrix instruction that does: they are summed in f32, and
// rounded once. Sums of f16 stay on chips that have them; MFMA has none. Sums that begin with another tensor, and windows
// of convolutions, do alike.
// RUN: raddle opt %s --target=sm_80 --to=lowered | grep -c nvgpu.mma.sync
// RUN: raddle opt %s --target=gfx942 --to=lowered | grep -c amdgpu.mfma
// RUN: raddle run %s --all --target=sm_80
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --all --device=cpu
func.func @product(%a: tensor<32x48xbf16>, %b: tensor<48x64xbf16>) -> tensor<32x64xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<32x64xbf16>
  %o = linalg.fill ins(%zero : bf16) outs(%e : tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %r = linalg.matmul ins(%a, %b : tensor<32x48xbf16>, tensor<48x64xbf16>) outs(%o : tensor<32x64xbf16>) -> tensor<32x64xbf16>
  return %r : tensor<32x64xbf16>
}
func.func @sum_goes_on(%a: tensor<32x48xf16>, %b: tensor<48x64xf16>, %o: tensor<32x64xf16>) -> tensor<32x64xf16> {
  %r = linalg.matmul ins(%a, %b : tensor<32x48xf16>, tensor<48x64xf16>) outs(%o : tensor<32x64xf16>) -> tensor<32x64xf16>
  return %r : tensor<32x64xf16>
}
func.func @windows(%x: tensor<1x10x10x16xbf16>, %k: tensor<3x3x16x32xbf16>, %o: tensor<1x8x8x32xbf16>) -> tensor<1x8x8x32xbf16> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %k : tensor<1x10x10x16xbf16>, tensor<3x3x16x32xbf16>) outs(%o : tensor<1x8x8x32xbf16>) -> tensor<1x8x8x32xbf16>
  return %r : tensor<1x8x8x32xbf16>
}

// $ raddle opt %s --target=sm_80 --to=lowered | grep -c nvgpu.mma.sync
// 10

// $ raddle opt %s --target=gfx942 --to=lowered | grep -c amdgpu.mfma
// 8

// $ raddle run %s --all --target=sm_80
// ok       @product
// ok       @sum_goes_on
// ok       @windows
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @product
// ok       @sum_goes_on
// ok       @windows
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @product
// ok       @sum_goes_on
// ok       @windows
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @product
// ok       @sum_goes_on
// ok       @windows
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
