// What is put into a tensor of one number, as the gradient of a slice is, needs no such tensor in memory.

// RUN: raddle opt %s --to=configured | grep -c func.func
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=gfx1100

func.func @of_halves(%a: tensor<6x40xf32>, %b: tensor<6x40xf32>) -> tensor<6x80xf32> {
  %zeros = arith.constant dense<0.0> : tensor<6x80xf32>
  %empty = tensor.empty() : tensor<6x40xf32>
  %half = linalg.mul ins(%a, %b : tensor<6x40xf32>, tensor<6x40xf32>) outs(%empty : tensor<6x40xf32>) -> tensor<6x40xf32>
  %front = tensor.insert_slice %half into %zeros[0, 0] [6, 40] [1, 1] : tensor<6x40xf32> into tensor<6x80xf32>
  %behind = tensor.insert_slice %a into %zeros[0, 40] [6, 40] [1, 1] : tensor<6x40xf32> into tensor<6x80xf32>
  %out = tensor.empty() : tensor<6x80xf32>
  %sum = linalg.add ins(%front, %behind : tensor<6x80xf32>, tensor<6x80xf32>) outs(%out : tensor<6x80xf32>) -> tensor<6x80xf32>
  return %sum : tensor<6x80xf32>
}

func.func @into_a_fill(%a: tensor<5x7xi32>, %n: i32) -> tensor<9x12xi32> {
  %empty = tensor.empty() : tensor<9x12xi32>
  %filled = linalg.fill ins(%n : i32) outs(%empty : tensor<9x12xi32>) -> tensor<9x12xi32>
  %r = tensor.insert_slice %a into %filled[2, 3] [5, 7] [1, 1] : tensor<5x7xi32> into tensor<9x12xi32>
  return %r : tensor<9x12xi32>
}

// $ raddle opt %s --to=configured | grep -c func.func
// 2

// $ raddle run %s --all
// ok       @of_halves
// ok       @into_a_fill
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx1100
// ok       @of_halves
// ok       @into_a_fill
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
