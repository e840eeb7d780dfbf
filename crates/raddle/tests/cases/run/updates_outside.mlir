// Updates at places outside of the tensor are left out.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
func.func @outside() {
  %updates = util.unfoldable_constant dense<[1, 2, 4, 8, 16]> : tensor<5xi32>
  %places = util.unfoldable_constant dense<[0, 3, -1, 2, 0]> : tensor<5xi32>
  %old = util.unfoldable_constant dense<[100, 200, 300]> : tensor<3xi32>
  %new = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%updates, %places : tensor<5xi32>, tensor<5xi32>) outs(%old : tensor<3xi32>) {
  ^bb0(%update: i32, %here: i32):
    %sum = arith.addi %update, %here : i32
    iree_linalg_ext.yield %sum : i32
  } -> tensor<3xi32>
  check.expect_eq_const(%new, dense<[117, 200, 308]> : tensor<3xi32>) : tensor<3xi32>
  return
}

// $ raddle run %s --all
// ok       @outside
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @outside
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs
