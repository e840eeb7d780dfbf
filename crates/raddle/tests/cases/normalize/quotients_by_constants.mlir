// A quotient by a constant is a product where that is the same to the last bit: by a power of two, and in 16 bits by most others.
// In f32, it is one in front of `erf`, which has a larger error of its own, and nowhere else.
// RUN: raddle opt %s --normalize | grep -e divf -e mulf -e constant
// RUN: raddle run %s --all
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

func.func @gelu(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %root = arith.constant 1.41421354 : f32
  %e = tensor.empty() : tensor<64xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<64xf32>) outs(%e, %e : tensor<64xf32>, tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32, %p: f32):
    %s = arith.divf %a, %root : f32
    %t = math.erf %s : f32
    %u = arith.addf %a, %t : f32
    %v = arith.divf %u, %root : f32
    linalg.yield %t, %v : f32, f32
  } -> (tensor<64xf32>, tensor<64xf32>)
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xf32>
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
//     %cst = arith.constant 1.41421354 : f32
//       %cst_1 = arith.constant 0.707106769 : f32
//       %2 = arith.mulf %in, %cst_1 : f32
//       %5 = arith.divf %4, %cst : f32

// $ raddle run %s --all
// ok       @quotients
// ok       @gelu
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
