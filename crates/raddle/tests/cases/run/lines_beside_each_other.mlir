// Lines of a scan that lie beside each other in memory are elements of vectors on a CPU; those along rows are loops.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle run %s --all --target=aarch64
// RUN: raddle opt %s --to=lowered --target=x86-64-v4 | grep "arith.addf.*vector<16xf32>"
func.func @columns(%a: tensor<9x83xf32>) -> (tensor<9x83xf32>, tensor<83xf32>) {
  %e = tensor.empty() : tensor<9x83xf32>
  %l = tensor.empty() : tensor<83xf32>
  %z = arith.constant 0.5 : f32
  %i = linalg.fill ins(%z : f32) outs(%l : tensor<83xf32>) -> tensor<83xf32>
  %r, %t = iree_linalg_ext.scan dimension(0) inclusive(true) ins(%a : tensor<9x83xf32>)
      outs(%e, %i : tensor<9x83xf32>, tensor<83xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      iree_linalg_ext.yield %s : f32
  } -> tensor<9x83xf32>, tensor<83xf32>
  return %r, %t : tensor<9x83xf32>, tensor<83xf32>
}
func.func @before(%a: tensor<3x7x64xi32>) -> tensor<3x7x64xi32> {
  %e = tensor.empty() : tensor<3x7x64xi32>
  %l = tensor.empty() : tensor<3x64xi32>
  %z = arith.constant 1 : i32
  %i = linalg.fill ins(%z : i32) outs(%l : tensor<3x64xi32>) -> tensor<3x64xi32>
  %r, %t = iree_linalg_ext.scan dimension(1) inclusive(false) ins(%a : tensor<3x7x64xi32>)
      outs(%e, %i : tensor<3x7x64xi32>, tensor<3x64xi32>) {
    ^bb0(%x: i32, %y: i32):
      %s = arith.muli %x, %y : i32
      iree_linalg_ext.yield %s : i32
  } -> tensor<3x7x64xi32>, tensor<3x64xi32>
  return %r : tensor<3x7x64xi32>
}
func.func @rows(%a: tensor<5x40xf32>) -> tensor<5x40xf32> {
  %e = tensor.empty() : tensor<5x40xf32>
  %l = tensor.empty() : tensor<5xf32>
  %z = arith.constant 0.0 : f32
  %i = linalg.fill ins(%z : f32) outs(%l : tensor<5xf32>) -> tensor<5xf32>
  %r, %t = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%a : tensor<5x40xf32>)
      outs(%e, %i : tensor<5x40xf32>, tensor<5xf32>) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      iree_linalg_ext.yield %s : f32
  } -> tensor<5x40xf32>, tensor<5xf32>
  return %r : tensor<5x40xf32>
}

// $ raddle run %s --all
// ok       @columns
// ok       @before
// ok       @rows
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v4
// ok       @columns
// ok       @before
// ok       @rows
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=aarch64
// ok       @columns
// ok       @before
// ok       @rows
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=lowered --target=x86-64-v4 | grep "arith.addf.*vector<16xf32>"
