// A quotient by a constant is a product where that is the same to the last bit: by a power of two, and in 16 bits by most others.
// RUN: raddle opt %s --normalize | grep -e divf -e mulf -e constant
// RUN: raddle run %s | grep correct
func.func @quotients(%x: tensor<64xf16>) -> (tensor<64xf16>, tensor<64xf16>, tensor<64xf16>) {
  %eight = arith.constant -8.0 : f16
  %three = arith.constant 3.0 : f16
  %large = arith.constant 32768.0 : f16
  %e = tensor.empty() : tensor<64xf16>
  %r:3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf16>) outs(%e, %e, %e : tensor<64xf16>, tensor<64xf16>, tensor<64xf16>) {
  ^bb0(%a: f16, %o: f16, %p: f16, %q: f16):
    %s = arith.divf %a, %eight : f16
    %t = arith.divf %a, %three : f16
    %u = arith.divf %a, %large : f16
    linalg.yield %s, %t, %u : f16, f16, f16
  } -> (tensor<64xf16>, tensor<64xf16>, tensor<64xf16>)
  return %r#0, %r#1, %r#2 : tensor<64xf16>, tensor<64xf16>, tensor<64xf16>
}

// $ raddle opt %s --normalize | grep -e divf -e mulf -e constant
//     %cst = arith.constant -8.000000e+00 : f16
//     %cst_0 = arith.constant 3.000000e+00 : f16
//     %cst_1 = arith.constant 3.276800e+04 : f16
//       %cst_4 = arith.constant -1.250000e-01 : f16
//       %2 = arith.mulf %in, %cst_4 : f16
//       %cst_5 = arith.constant 0.333333343 : f32
//       %4 = arith.mulf %3, %cst_5 : f32
//       %cst_6 = arith.constant 3.05175781E-5 : f32
//       %7 = arith.mulf %6, %cst_6 : f32

// $ raddle run %s | grep correct
// correct: result 0, all 64 elements equal the reference bit for bit
// correct: result 1, all 64 elements equal the reference bit for bit
// correct: result 2, all 64 elements equal the reference bit for bit
