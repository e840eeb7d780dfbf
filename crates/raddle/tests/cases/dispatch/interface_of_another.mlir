// An interface that another function has is told, not believed.
// RUN: raddle run %s
#extents = affine_map<() -> (4)>
#offset = affine_map<() -> (0)>
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> attributes {raddle.interface = {
    arguments = [{binding = 0 : i64, extents = #extents, offset = #offset}], bindings = 1 : i64, constants = 0 : i64,
    results = [{binding = 0 : i64, extents = #extents, offset = #offset},
               {binding = 0 : i64, extents = #extents, offset = #offset}]}} {
  %0 = arith.addf %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// $ raddle run %s
// error[E0107]: `raddle.interface` does not describe this function
//  --> dispatch/interface_of_another.mlir:5:1
//   |
// 5 | func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> attributes {raddle.interface = {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: it says for each argument and result which binding or constant it is, as `admit` writes it
// [exit status 1]
