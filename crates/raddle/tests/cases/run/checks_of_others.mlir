// Checks are carried out in functions that a test calls, and in the last block of one that loops through blocks.
// RUN: raddle run %s --all
func.func private @agree(%x: tensor<6xi32>, %y: tensor<6xi32>) {
  %e = tensor.empty() : tensor<6xi32>
  %twice = linalg.add ins(%x, %x : tensor<6xi32>, tensor<6xi32>) outs(%e : tensor<6xi32>) -> tensor<6xi32>
  check.expect_eq(%twice, %y) : tensor<6xi32>
  return
}
func.func private @both(%x: tensor<6xi32>, %y: tensor<6xi32>) {
  call @agree(%x, %y) : (tensor<6xi32>, tensor<6xi32>) -> ()
  check.expect_eq_const(%x, dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>) : tensor<6xi32>
  return
}
func.func @called() {
  %x = util.unfoldable_constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %y = util.unfoldable_constant dense<[2, 4, 6, 8, 10, 12]> : tensor<6xi32>
  call @both(%x, %y) : (tensor<6xi32>, tensor<6xi32>) -> ()
  return
}
func.func @called_wrong() {
  %x = util.unfoldable_constant dense<[1, 2, 3, 4, 5, 7]> : tensor<6xi32>
  %y = util.unfoldable_constant dense<[2, 4, 6, 8, 10, 14]> : tensor<6xi32>
  call @both(%x, %y) : (tensor<6xi32>, tensor<6xi32>) -> ()
  return
}
func.func @blocks() {
  %start = util.unfoldable_constant dense<1> : tensor<i32>
  %bound = arith.constant 3 : i32
  cf.br ^head(%start : tensor<i32>)
^head(%now: tensor<i32>):
  %number = tensor.extract %now[] : tensor<i32>
  %more = arith.cmpi slt, %number, %bound : i32
  cf.cond_br %more, ^again, ^end
^again:
  %e = tensor.empty() : tensor<i32>
  %next = linalg.add ins(%now, %now : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) -> tensor<i32>
  cf.br ^head(%next : tensor<i32>)
^end:
  check.expect_eq_const(%now, dense<4> : tensor<i32>) : tensor<i32>
  return
}

// $ raddle run %s --all
// ok       @called
// WRONG    @called_wrong: the constant: 1 of 6 elements differ; [5]: got 7, expected 6; WRONG as written: the constant: 1 of 6 elements differ; [5]: got 7, expected 6
// ok       @blocks
// 3 functions: 2 right, 0 refused, 1 wrong, 0 bugs
// [exit status 1]
