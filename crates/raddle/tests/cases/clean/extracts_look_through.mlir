// Elements are found through what only moves them.
// RUN: raddle opt %s --clean --mlir-print-local-scope
func.func @f(%x: f32, %y: f32, %v: vector<2x3xf32>) -> (f32, f32, f32, vector<3xf32>) {
  %w = vector.insert %x, %v [1, 2] : f32 into vector<2x3xf32>
  %t = vector.transpose %w, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %s = vector.shape_cast %t : vector<3x2xf32> to vector<6xf32>
  %a = vector.extract %s[5] : f32 from vector<6xf32>
  %b = vector.extract %s[0] : f32 from vector<6xf32>
  %p = vector.from_elements %x, %y : vector<2xf32>
  %c = vector.extract %p[1] : f32 from vector<2xf32>
  %r = vector.extract %w[0] : vector<3xf32> from vector<2x3xf32>
  return %a, %b, %c, %r : f32, f32, f32, vector<3xf32>
}

// $ raddle opt %s --clean --mlir-print-local-scope
// module {
//   func.func @f(%arg0: f32, %arg1: f32, %arg2: vector<2x3xf32>) -> (f32, f32, f32, vector<3xf32>) {
//     %0 = vector.extract %arg2[0, 0] : f32 from vector<2x3xf32>
//     %1 = vector.extract %arg2[0] : vector<3xf32> from vector<2x3xf32>
//     return %arg0, %0, %arg1, %1 : f32, f32, f32, vector<3xf32>
//   }
// }
