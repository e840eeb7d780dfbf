// A zero in a format that has none, and a negative one in a format that has one zero, are printed; they ended in a bug.
// RUN: raddle opt %s
func.func @zeros() -> (f8E8M0FNU, f8E4M3FNUZ, f8E4M3FNUZ, f4E2M1FN) {
  %0 = arith.constant 0.0 : f8E8M0FNU
  %1 = arith.constant 0.0 : f8E4M3FNUZ
  %2 = arith.constant -0.0 : f8E4M3FNUZ
  %3 = arith.constant -0.0 : f4E2M1FN
  return %0, %1, %2, %3 : f8E8M0FNU, f8E4M3FNUZ, f8E4M3FNUZ, f4E2M1FN
}

// $ raddle opt %s
// module {
//   func.func @zeros() -> (f8E8M0FNU, f8E4M3FNUZ, f8E4M3FNUZ, f4E2M1FN) {
//     %cst = arith.constant 5.877470e-39 : f8E8M0FNU
//     %cst_0 = arith.constant 0.000000e+00 : f8E4M3FNUZ
//     %cst_1 = arith.constant 0.000000e+00 : f8E4M3FNUZ
//     %cst_2 = arith.constant -0.000000e+00 : f4E2M1FN
//     return %cst, %cst_0, %cst_1, %cst_2 : f8E8M0FNU, f8E4M3FNUZ, f8E4M3FNUZ, f4E2M1FN
//   }
// }
