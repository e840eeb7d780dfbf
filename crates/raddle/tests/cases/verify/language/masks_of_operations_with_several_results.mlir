// What is masked may have several results; MLIR prints their types without parentheses.
// RUN: raddle check %s --split-input-file
func.func @f(%m: vector<8xi1>, %x: vector<8xi32>, %w: vector<i32>) -> vector<8xi32> {
  %f:2 = vector.mask %m { vector.scan <add>, %x, %w reduction_dim = 0, inclusive = true : vector<8xi32>, vector<i32> } : vector<8xi1> -> (vector<8xi32>, vector<8xi32>)
  return %f#0 : vector<8xi32>
}

// -----
func.func @f(%m: vector<8xi1>, %x: vector<8xi32>, %w: vector<i32>) -> vector<8xi32> {
  %f:2 = vector.mask %m, %x { vector.scan <add>, %x, %w reduction_dim = 0, inclusive = true : vector<8xi32>, vector<i32> } : vector<8xi1> -> (vector<8xi32>, vector<i32>)
  return %f#0 : vector<8xi32>
}

// $ raddle check %s --split-input-file
// error[E0201]: 'vector.mask' op expects result type to match maskable operation result type
//  --> verify/language/masks_of_operations_with_several_results.mlir:4:3
//   |
// 4 |   %f:2 = vector.mask %m { vector.scan <add>, %x, %w reduction_dim = 0, inclusive = true : vector<8xi32>, vector<i32> } : vector<8xi1> -> (vector<8xi32>, vector<8xi32>)
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'vector.mask' op passes something through that does not have the type of its only result
//   --> verify/language/masks_of_operations_with_several_results.mlir:10:3
//    |
// 10 |   %f:2 = vector.mask %m, %x { vector.scan <add>, %x, %w reduction_dim = 0, inclusive = true : vector<8xi32>, vector<i32> } : vector<8xi1> -> (vector<8xi32>, vector<i32>)
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 2 diagnostics
// [exit status 1]
