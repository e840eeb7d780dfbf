// What is masked may have several results; MLIR prints their types without parentheses.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
func.func @f(%m: vector<8xi1>, %x: vector<8xi32>, %w: vector<i32>) -> vector<8xi32> {
  %f:2 = vector.mask %m { vector.scan <add>, %x, %w reduction_dim = 0, inclusive = true : vector<8xi32>, vector<i32> } : vector<8xi1> -> (vector<8xi32>, vector<i32>)
  return %f#0 : vector<8xi32>
}

// -----
func.func @f(%m: vector<8xi1>, %x: vector<8xi32>, %w: vector<i32>) -> vector<8xi32> {
  %f:2 = vector.mask %m { vector.scan <add>, %x, %w reduction_dim = 0, inclusive = true : vector<8xi32>, vector<i32> } : vector<8xi1> -> vector<8xi32>, vector<i32>
  return %f#0 : vector<8xi32>
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// module {
//   func.func @f(%arg0: vector<8xi1>, %arg1: vector<8xi32>, %arg2: vector<i32>) -> vector<8xi32> {
//     %0:2 = vector.mask %arg0 { vector.scan <add>, %arg1, %arg2 reduction_dim = 0, inclusive = true : vector<8xi32>, vector<i32> } : vector<8xi1> -> (vector<8xi32>, vector<i32>)
//     return %0#0 : vector<8xi32>
//   }
// module {
//   func.func @f(%arg0: vector<8xi1>, %arg1: vector<8xi32>, %arg2: vector<i32>) -> vector<8xi32> {
//     %0:2 = vector.mask %arg0 { vector.scan <add>, %arg1, %arg2 reduction_dim = 0, inclusive = true : vector<8xi32>, vector<i32> } : vector<8xi1> -> (vector<8xi32>, vector<i32>)
//     return %0#0 : vector<8xi32>
//   }
