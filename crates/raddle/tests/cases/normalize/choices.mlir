// Reductions that keep what is there combine what changes nothing, or look for the place that they take; results that
// depend on their own loops leave the operation.
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --function=last --input=2x4x1xf32=[[1,9,8,0],[1,2,3,4]] --input=2x1xf32=7 --expected_output=2x1xf32=[8,7] --quiet
// RUN: raddle run %s --function=first --input=2x4xf32=[[1,9,9,0],[1,nan,3,4]] --input=2xf32=[9,nan] --input=2xi64=[-1,-1] --expected_output=2xi64=[1,-1] --quiet
// RUN: raddle run %s --function=first --input=2x4xf32=[[1,9,9,0],[5,0,5,4]] --input=2xf32=[9,5] --input=2xi64=[6,-1] --expected_output=2xi64=[6,0] --quiet
#whole = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#kept = affine_map<(d0, d1, d2) -> (d0, d2)>

func.func @sum_of_some(%x: tensor<6x19x5xbf16>, %v: tensor<6x5xbf16>) -> tensor<6x5xbf16> {
  %few = arith.constant 0.5 : bf16
  %r = linalg.generic {indexing_maps = [#whole, #kept], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : tensor<6x19x5xbf16>) outs(%v : tensor<6x5xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %c = arith.cmpf ogt, %in, %few : bf16
    %s = arith.addf %in, %out : bf16
    %d = arith.select %c, %out, %s : bf16
    linalg.yield %d : bf16
  } -> tensor<6x5xbf16>
  return %r : tensor<6x5xbf16>
}
func.func @last(%x: tensor<?x?x?xf32>, %v: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %few = arith.constant 5.0 : f32
  %r = linalg.generic {indexing_maps = [#whole, #kept], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x : tensor<?x?x?xf32>) outs(%v : tensor<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.cmpf ogt, %in, %few : f32
    %d = arith.select %c, %in, %out : f32
    linalg.yield %d : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @first(%x: tensor<2x4xf32>, %best: tensor<2xf32>, %o: tensor<2xi64>) -> tensor<2xi64> {
  %none = arith.constant -1 : i64
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %best : tensor<2x4xf32>, tensor<2xf32>) outs(%o : tensor<2xi64>) {
  ^bb0(%in: f32, %b: f32, %out: i64):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %c = arith.cmpf oeq, %in, %b : f32
    %d = arith.select %c, %j, %out : i64
    %e = arith.cmpi eq, %out, %none : i64
    %f = arith.select %e, %d, %out : i64
    linalg.yield %f : i64
  } -> tensor<2xi64>
  return %r : tensor<2xi64>
}
// The means of windows whose ends depend on where they are, and how many elements each has.
func.func @adaptive(%x: tensor<?x11xf32>, %window: tensor<4xi1>, %o: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c11 = arith.constant 11 : index
  %n = tensor.empty() : tensor<3xf32>
  %p = tensor.pad %x low[0, 0] high[0, 1] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : tensor<?x11xf32> to tensor<?x12xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%window : tensor<4xi1>) outs(%o, %n : tensor<?x3xf32>, tensor<3xf32>) {
  ^bb0(%in: i1, %out: f32, %count: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %0 = arith.muli %j, %c11 : index
    %first = arith.floordivsi %0, %c3 : index
    %next = arith.addi %j, %c1 : index
    %1 = arith.muli %next, %c11 : index
    %2 = arith.subi %1, %c1 : index
    %3 = arith.floordivsi %2, %c3 : index
    %end = arith.addi %3, %c1 : index
    %at = arith.addi %first, %k : index
    %value = tensor.extract %p[%i, %at] : tensor<?x12xf32>
    %c = arith.cmpi ult, %at, %end : index
    %some = arith.select %c, %value, %zero : f32
    %sum = arith.addf %some, %out : f32
    %4 = arith.subi %end, %first : index
    %5 = arith.index_cast %4 : index to i64
    %6 = arith.sitofp %5 : i64 to f32
    linalg.yield %sum, %6 : f32, f32
  } -> (tensor<?x3xf32>, tensor<3xf32>)
  return %r#0, %r#1 : tensor<?x3xf32>, tensor<3xf32>
}

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// 0

// $ raddle run %s --all
// ok       @sum_of_some
// ok       @last
// ok       @first
// ok       @adaptive
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @sum_of_some
// ok       @last
// ok       @first
// ok       @adaptive
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @sum_of_some
// ok       @last
// ok       @first
// ok       @adaptive
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=last --input=2x4x1xf32=[[1,9,8,0],[1,2,3,4]] --input=2x1xf32=7 --expected_output=2x1xf32=[8,7] --quiet
// correct: all 2 elements equal the expected output bit for bit

// $ raddle run %s --function=first --input=2x4xf32=[[1,9,9,0],[1,nan,3,4]] --input=2xf32=[9,nan] --input=2xi64=[-1,-1] --expected_output=2xi64=[1,-1] --quiet
// correct: all 2 elements equal the expected output bit for bit

// $ raddle run %s --function=first --input=2x4xf32=[[1,9,9,0],[5,0,5,4]] --input=2xf32=[9,5] --input=2xi64=[6,-1] --expected_output=2xi64=[6,0] --quiet
// correct: all 2 elements equal the expected output bit for bit
