// Quotients that may be off by two units in the last place have no branch: those that a program allows to be, and the one in
// `tanh` of 16 bits, which is rounded further behind it.
// RUN: raddle build %s --function=tanh -o - | grep -c -e div.rn -e bra
// RUN: raddle build %s --function=allowed -o - | grep -e div.rn -e div.approx
// RUN: raddle build %s --function=exact -o - | grep -e div.rn -e div.approx
// RUN: raddle run %s --function=tanh --device=ptx-emu | grep correct
// RUN: raddle run %s --function=allowed --device=ptx-emu | grep correct

#row = affine_map<(i) -> (i)>

func.func @tanh(%a: tensor<256xbf16>) -> tensor<256xbf16> {
  %e = tensor.empty() : tensor<256xbf16>
  %q = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%a : tensor<256xbf16>) outs(%e : tensor<256xbf16>) {
  ^bb0(%x: bf16, %o: bf16):
    %s = math.tanh %x : bf16
    linalg.yield %s : bf16
  } -> tensor<256xbf16>
  return %q : tensor<256xbf16>
}

func.func @allowed(%a: tensor<32xf32>, %b: tensor<32xf32>) -> tensor<32xf32> {
  %e = tensor.empty() : tensor<32xf32>
  %q = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : tensor<32xf32>, tensor<32xf32>) outs(%e : tensor<32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.divf %x, %y fastmath<afn> : f32
    linalg.yield %s : f32
  } -> tensor<32xf32>
  return %q : tensor<32xf32>
}

func.func @exact(%a: tensor<32xf32>, %b: tensor<32xf32>) -> tensor<32xf32> {
  %e = tensor.empty() : tensor<32xf32>
  %q = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel"]} ins(%a, %b : tensor<32xf32>, tensor<32xf32>) outs(%e : tensor<32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.divf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<32xf32>
  return %q : tensor<32xf32>
}

// $ raddle build %s --function=tanh -o - | grep -c -e div.rn -e bra
// 0

// $ raddle build %s --function=allowed -o - | grep -e div.rn -e div.approx
//     div.approx.f32 %f8, %f0, %f4;
//     div.approx.f32 %f9, %f1, %f5;
//     div.approx.f32 %f10, %f2, %f6;
//     div.approx.f32 %f11, %f3, %f7;

// $ raddle build %s --function=exact -o - | grep -e div.rn -e div.approx
//     div.rn.f32 %f8, %f0, %f4;
//     div.rn.f32 %f9, %f1, %f5;
//     div.rn.f32 %f10, %f2, %f6;
//     div.rn.f32 %f11, %f3, %f7;

// $ raddle run %s --function=tanh --device=ptx-emu | grep correct
// correct: all 256 elements equal the reference bit for bit

// $ raddle run %s --function=allowed --device=ptx-emu | grep correct
// correct: all 32 elements equal the reference bit for bit
