// The label of the first block names the arguments of a function that names none itself.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
func.func @f(i32, f32) {
^bb0(%a: i32, %b: f32):
  return
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
// module {
//   func.func @f(%arg0: i32, %arg1: f32) {
//     return
//   }
