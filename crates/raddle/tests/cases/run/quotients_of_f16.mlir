// Quotients of f16 are rounded once, also where zeros, infinities and subnormal numbers take part: the PTX, which multiplies by
// a reciprocal and makes that good, gives the same bits as the emulator.
// RUN: raddle run %s --function=quotients --quiet --output=-
// RUN: raddle run %s --function=quotients --quiet --output=- --device=ptx-emu
// RUN: raddle run %s --function=table --input=64x64xf16=random --input=64x64xf16=random --device=ptx-emu --target=sm_90a --quiet | grep -c correct

#row = affine_map<(i) -> (i)>
#all = affine_map<(i, j) -> (i, j)>

func.func @quotients() -> tensor<24xf16> {
  %a = arith.constant dense<[0.0, -0.0, 0.0, 1.0, -1.0, 0.0, 0x7C00, 0xFC00, 0x7C00, 5.0, -5.0, 0x7E00, 3.0, 65504.0, 65504.0, 0x0001, 0x0001, 0x03FF, 0x8003, 1.0, 7.0, 10.0, 2.0, 0x0005]> : tensor<24xf16>
  %b = arith.constant dense<[1.0, 1.0, -1.0, 0.0, 0.0, 0.0, 2.0, 2.0, 0x7C00, 0x7C00, 0x7C00, 1.0, 0x7E00, 0x0001, 0.5, 65504.0, 2.0, 3.0, 2.0, 3.0, 11.0, 3.0, 65504.0, 10.0]> : tensor<24xf16>
  %e = tensor.empty() : tensor<24xf16>
  %q = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : tensor<24xf16>, tensor<24xf16>) outs(%e : tensor<24xf16>) {
  ^bb0(%x: f16, %y: f16, %o: f16):
    %s = arith.divf %x, %y : f16
    linalg.yield %s : f16
  } -> tensor<24xf16>
  return %q : tensor<24xf16>
}

func.func @table(%a: tensor<64x64xf16>, %b: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %e = tensor.empty() : tensor<64x64xf16>
  %q = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<64x64xf16>, tensor<64x64xf16>) outs(%e : tensor<64x64xf16>) {
  ^bb0(%x: f16, %y: f16, %o: f16):
    %s = arith.divf %x, %y : f16
    linalg.yield %s : f16
  } -> tensor<64x64xf16>
  return %q : tensor<64x64xf16>
}

// $ raddle run %s --function=quotients --quiet --output=-
// result 0: tensor<24xf16>=0 -0 -0 inf -inf NaN inf -inf NaN 0 -0 NaN NaN inf inf 0 0 0.000020325184 -0.00000011920929 0.33325195 0.63623047 3.3339844 0.000030517578 0
// correct: all 24 elements agree with the reference within 2.15e9 + 1.95e-3·|expected| (20 bit for bit)

// $ raddle run %s --function=quotients --quiet --output=- --device=ptx-emu
// result 0: tensor<24xf16>=0 -0 -0 inf -inf NaN inf -inf NaN 0 -0 NaN NaN inf inf 0 0 0.000020325184 -0.00000011920929 0.33325195 0.63623047 3.3339844 0.000030517578 0
// correct: all 24 elements agree with the reference within 2.15e9 + 1.95e-3·|expected| (20 bit for bit)

// $ raddle run %s --function=table --input=64x64xf16=random --input=64x64xf16=random --device=ptx-emu --target=sm_90a --quiet | grep -c correct
// 1
