// Comparators that say of equal elements that both come first, as torch-mlir writes them, sort like those that do not: equal
// elements keep their order. The last comparator is not an order of a number, and one thread sorts.

// RUN: raddle run %s --function=pairs --input=8xf32=1,2,1,2,1,3,3,0 --input=8xi64=0,1,2,3,4,5,6,7 --expected_output=8xf32=3,3,2,2,1,1,1,0 --expected_output=8xi64=5,6,1,3,0,2,4,7 | grep correct
// RUN: raddle run %s --function=pairs --target=x86-64-v4 --input=8xf32=1,2,1,2,1,3,3,0 --input=8xi64=0,1,2,3,4,5,6,7 --expected_output=8xf32=3,3,2,2,1,1,1,0 --expected_output=8xi64=5,6,1,3,0,2,4,7 | grep correct
// RUN: raddle run %s --function=wide --target=gfx942 --input=300xi32=7 | grep correct
// RUN: raddle run %s --function=alone --input=8xi32=1,2,1,2,1,3,3,0 --input=8xi64=0,1,2,3,4,5,6,7 --expected_output=8xi32=0,1,1,1,2,2,3,3 --expected_output=8xi64=7,0,2,4,1,3,5,6 | grep correct

func.func @pairs(%a: tensor<8xf32>, %b: tensor<8xi64>) -> (tensor<8xf32>, tensor<8xi64>) {
  %sorted:2 = iree_linalg_ext.sort dimension(0) outs(%a, %b : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%x: f32, %y: f32, %i: i64, %j: i64):
    %first = arith.cmpf oge, %x, %y : f32
    iree_linalg_ext.yield %first : i1
  } -> tensor<8xf32>, tensor<8xi64>
  return %sorted#0, %sorted#1 : tensor<8xf32>, tensor<8xi64>
}

func.func @wide(%a: tensor<300xi32>) -> (tensor<300xi32>, tensor<300xindex>) {
  %empty = tensor.empty() : tensor<300xindex>
  %places = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%empty : tensor<300xindex>) {
  ^bb0(%out: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<300xindex>
  %sorted:2 = iree_linalg_ext.sort dimension(0) outs(%a, %places : tensor<300xi32>, tensor<300xindex>) {
  ^bb0(%x: i32, %y: i32, %i: index, %j: index):
    %first = arith.cmpi ule, %x, %y : i32
    iree_linalg_ext.yield %first : i1
  } -> tensor<300xi32>, tensor<300xindex>
  return %sorted#0, %sorted#1 : tensor<300xi32>, tensor<300xindex>
}

func.func @alone(%a: tensor<8xi32>, %b: tensor<8xi64>) -> (tensor<8xi32>, tensor<8xi64>) {
  %sorted:2 = iree_linalg_ext.sort dimension(0) outs(%a, %b : tensor<8xi32>, tensor<8xi64>) {
  ^bb0(%x: i32, %y: i32, %i: i64, %j: i64):
    %below = arith.cmpi slt, %x, %y : i32
    %same = arith.cmpi eq, %x, %y : i32
    %first = arith.ori %below, %same : i1
    iree_linalg_ext.yield %first : i1
  } -> tensor<8xi32>, tensor<8xi64>
  return %sorted#0, %sorted#1 : tensor<8xi32>, tensor<8xi64>
}

// $ raddle run %s --function=pairs --input=8xf32=1,2,1,2,1,3,3,0 --input=8xi64=0,1,2,3,4,5,6,7 --expected_output=8xf32=3,3,2,2,1,1,1,0 --expected_output=8xi64=5,6,1,3,0,2,4,7 | grep correct
// correct: result 0, all 8 elements equal the expected output bit for bit
// correct: result 1, all 8 elements equal the expected output bit for bit

// $ raddle run %s --function=pairs --target=x86-64-v4 --input=8xf32=1,2,1,2,1,3,3,0 --input=8xi64=0,1,2,3,4,5,6,7 --expected_output=8xf32=3,3,2,2,1,1,1,0 --expected_output=8xi64=5,6,1,3,0,2,4,7 | grep correct
// correct: result 0, all 8 elements equal the expected output bit for bit
// correct: result 1, all 8 elements equal the expected output bit for bit

// $ raddle run %s --function=wide --target=gfx942 --input=300xi32=7 | grep correct
// correct: result 0, all 300 elements equal the reference bit for bit
// correct: result 1, all 300 elements equal the reference bit for bit

// $ raddle run %s --function=alone --input=8xi32=1,2,1,2,1,3,3,0 --input=8xi64=0,1,2,3,4,5,6,7 --expected_output=8xi32=0,1,1,1,2,2,3,3 --expected_output=8xi64=7,0,2,4,1,3,5,6 | grep correct
// correct: result 0, all 8 elements equal the expected output bit for bit
// correct: result 1, all 8 elements equal the expected output bit for bit
