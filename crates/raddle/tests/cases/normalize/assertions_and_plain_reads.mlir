// What PyTorch's programs say in bodies keeps no operation from its neighbours: assertions are left out of kernels, a
// read at the loops is an operand, and a result that is one number everywhere is filled.
// RUN: raddle run %s --all
// RUN: raddle opt %s --normalize --partition | grep call
// RUN: raddle opt %s --normalize | grep extracted
// RUN: raddle run %s --function=normalized --input=4x9xf32=1 --input=9xf32=0 --input=4x9xf32=1 | grep error
#row = affine_map<(n, c) -> (c)>
#id = affine_map<(n, c) -> (n, c)>
#c = affine_map<(c) -> (c)>
func.func @normalized(%x: tensor<4x9xf32>, %variance: tensor<9xf32>, %y: tensor<4x9xf32>) -> tensor<4x9xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e1 = tensor.empty() : tensor<9xf32>
  %inverse = linalg.generic {indexing_maps = [#c, #c], iterator_types = ["parallel"]} ins(%variance : tensor<9xf32>) outs(%e1 : tensor<9xf32>) {
  ^bb0(%a: f32, %out: f32):
    %is = arith.cmpf one, %a, %zero : f32
    cf.assert %is, "tensor with zero element"
    %r = arith.divf %one, %a : f32
    linalg.yield %r : f32
  } -> tensor<9xf32>
  %e2 = tensor.empty() : tensor<4x9xf32>
  %sum = linalg.add ins(%x, %y : tensor<4x9xf32>, tensor<4x9xf32>) outs(%e2 : tensor<4x9xf32>) -> tensor<4x9xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%sum, %inverse : tensor<4x9xf32>, tensor<9xf32>) outs(%e2 : tensor<4x9xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x9xf32>
  return %scaled : tensor<4x9xf32>
}
func.func @mean(%x: tensor<3x5x8x8xf32>) -> tensor<3x5xf32> {
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %size = arith.constant 49.0 : f32
  %window = tensor.empty() : tensor<7x7xi1>
  %e = tensor.empty() : tensor<3x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %number = tensor.empty() : tensor<f32>
  %sum:2 = linalg.generic {indexing_maps = [affine_map<(n, c, i, j) -> (i, j)>, affine_map<(n, c, i, j) -> (n, c)>, affine_map<(n, c, i, j) -> ()>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%window : tensor<7x7xi1>) outs(%init, %number : tensor<3x5xf32>, tensor<f32>) {
  ^bb0(%in: i1, %acc: f32, %out: f32):
    %n = linalg.index 0 : index
    %c = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %a = tensor.extract %x[%n, %c, %i, %j] : tensor<3x5x8x8xf32>
    %inside = arith.cmpi ult, %i, %c7 : index
    %b = arith.select %inside, %a, %zero : f32
    %s = arith.addf %b, %acc : f32
    linalg.yield %s, %size : f32, f32
  } -> (tensor<3x5xf32>, tensor<f32>)
  %mean = linalg.generic {indexing_maps = [affine_map<(n, c) -> ()>, #id], iterator_types = ["parallel", "parallel"]} ins(%sum#1 : tensor<f32>) outs(%sum#0 : tensor<3x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.divf %out, %a : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  return %mean : tensor<3x5xf32>
}
// A condition that does not hold for each index stays; a row is read at a number.
func.func @parts(%x: tensor<3x4x8xf32>) -> tensor<3x8xf32> {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %out = tensor.empty() : tensor<3x8xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%out : tensor<3x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = tensor.extract %x[%i, %c2, %j] : tensor<3x4x8xf32>
    %inside = arith.cmpi ult, %j, %c5 : index
    %b = arith.select %inside, %a, %zero : f32
    linalg.yield %b : f32
  } -> tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}
// A loop is as long as the dimension that it came from; of another one, nothing is known.
func.func @open(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %out = tensor.empty(%n) : tensor<?x8xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%out : tensor<?x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = tensor.extract %x[%i, %j] : tensor<?x8xf32>
    %b = arith.addf %a, %a : f32
    linalg.yield %b : f32
  } -> tensor<?x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<?x8xf32>) outs(%out : tensor<?x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %b = tensor.extract %y[%i, %j] : tensor<?x8xf32>
    %c = arith.mulf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}

// $ raddle run %s --all
// ok       @normalized
// ok       @mean
// ok       @parts
// ok       @open
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --normalize --partition | grep call

// $ raddle opt %s --normalize | grep extracted
//     %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0] [3, 5, 7, 7] [1, 1, 1, 1] : tensor<3x5x8x8xf32> to tensor<3x5x7x7xf32>
//     %5 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%0, %extracted_slice : tensor<7x7xi1>, tensor<3x5x7x7xf32>) outs(%2 : tensor<3x5xf32>) {
//     %extracted_slice = tensor.extract_slice %arg0[0, 2, 0] [3, 1, 8] [1, 1, 1] : tensor<3x4x8xf32> to tensor<3x1x8xf32>
//     %1 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<3x1x8xf32>) outs(%0 : tensor<3x8xf32>) {
//       %extracted = tensor.extract %arg1[%3, %4] : tensor<?x8xf32>
//       %5 = arith.mulf %in, %extracted : f32

// $ raddle run %s --function=normalized --input=4x9xf32=1 --input=9xf32=0 --input=4x9xf32=1 | grep error
// error[E0817]: undefined: the assertion does not hold: tensor with zero element
//   --> normalize/assertions_and_plain_reads.mlir:17:5
//    |
// 17 |     cf.assert %is, "tensor with zero element"
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ in `cf.assert`
//    |
//    = note: in workgroup (0, 0, 0)
// [exit status 1]
