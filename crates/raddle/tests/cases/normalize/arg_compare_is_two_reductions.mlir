// `iree_linalg_ext.arg_compare` that counts from zero is a maximum and the least index where it is, as loops that say the
// same are; one that takes the last of equal elements looks for the greatest index.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// RUN: raddle opt %s --normalize | grep arg_compare
// RUN: raddle run %s --function=later --input=6x9xf32=1 --input=0 --expected_output=6xf32=1 --expected_output=6xi64=8 --quiet
// RUN: raddle run %s --function=greatest --input=2x3xf32=[[1,nan,1],[nan,nan,nan]] --expected_output=2xi32=[0,0] --quiet
func.func @greatest(%x: tensor<2x3xf32>) -> tensor<2xi32> {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2xf32>
  %best = linalg.fill ins(%least : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %f = tensor.empty() : tensor<2xi32>
  %at = linalg.fill ins(%zero : i32) outs(%f : tensor<2xi32>) -> tensor<2xi32>
  %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x : tensor<2x3xf32>) outs(%best, %at : tensor<2xf32>, tensor<2xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<2xf32>, tensor<2xi32>
  return %r#1 : tensor<2xi32>
}
func.func @both(%x: tensor<5x70xi32>, %best: tensor<70xi32>, %at: tensor<70xi32>) -> (tensor<70xi32>, tensor<70xi32>) {
  %zero = arith.constant 0 : i32
  %init = linalg.fill ins(%zero : i32) outs(%at : tensor<70xi32>) -> tensor<70xi32>
  %r:2 = iree_linalg_ext.arg_compare dimension(0) ins(%x : tensor<5x70xi32>) outs(%best, %init : tensor<70xi32>, tensor<70xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    iree_linalg_ext.yield %c : i1
  } -> tensor<70xi32>, tensor<70xi32>
  return %r#0, %r#1 : tensor<70xi32>, tensor<70xi32>
}
func.func @later(%x: tensor<6x9xf32>, %first: index) -> (tensor<6xf32>, tensor<6xi64>) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<6xf32>
  %best = linalg.fill ins(%least : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %f = tensor.empty() : tensor<6xi64>
  %at = linalg.fill ins(%zero : i64) outs(%f : tensor<6xi64>) -> tensor<6xi64>
  %r:2 = iree_linalg_ext.arg_compare dimension(1) ins(%x : tensor<6x9xf32>) outs(%best, %at : tensor<6xf32>, tensor<6xi64>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf oge, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<6xf32>, tensor<6xi64>
  return %r#0, %r#1 : tensor<6xf32>, tensor<6xi64>
}

// $ raddle run %s --all
// ok       @greatest
// ok       @both
// ok       @later
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @greatest
// ok       @both
// ok       @later
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// 0

// $ raddle opt %s --normalize | grep arg_compare

// $ raddle run %s --function=later --input=6x9xf32=1 --input=0 --expected_output=6xf32=1 --expected_output=6xi64=8 --quiet
// correct: result 0, all 6 elements equal the expected output bit for bit
// correct: result 1, all 6 elements equal the expected output bit for bit

// $ raddle run %s --function=greatest --input=2x3xf32=[[1,nan,1],[nan,nan,nan]] --expected_output=2xi32=[0,0] --quiet
// correct: all 2 elements equal the expected output bit for bit
