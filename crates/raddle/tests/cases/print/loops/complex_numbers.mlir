// Complex numbers have two parts of their own type.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: complex<f32>, %arg1: i32) {
    %0 = complex.powi %arg0, %arg1 fastmath<nnan,contract> : complex<f32>, i32
    return
  }
}

// -----
module {
  func.func @f(%arg0: complex<f32>, %arg1: i32) {
    %cst = complex.constant [1.000000e+00 : f32, 2.000000e+00 : f32] : complex<f32>
    return
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
