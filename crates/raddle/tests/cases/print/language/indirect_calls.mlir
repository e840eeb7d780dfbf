// A value that is a function is called as its type says.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: (i32) -> f32, %arg1: i32, %arg2: f32) {
    %0 = call_indirect %arg0(%arg1) : (i32) -> f32
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
