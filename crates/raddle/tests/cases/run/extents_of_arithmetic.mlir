// Extents follow through arithmetic on whole tensors, and through numbers of tiles that only the run knows.
// RUN: raddle run %s --function=whole --input=3x5xf32 --input=5xf32 | grep correct
// RUN: raddle run %s --function=tiles --input=7x5xi32 --input=2 --input=3 | grep correct
// RUN: raddle run %s --function=tiles --input=7x5xi32 --input=0 --input=3
func.func @whole(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %rows = linalg.broadcast ins(%y : tensor<?xf32>) outs(%e : tensor<?x?xf32>) dimensions = [0]
  %sum = arith.addf %x, %rows : tensor<?x?xf32>
  %r = math.erf %sum : tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
func.func @tiles(%x: tensor<?x?xi32>, %a: index, %b: index) -> tensor<?x?x?x?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %m = tensor.dim %x, %c0 : tensor<?x?xi32>
  %n = tensor.dim %x, %c1 : tensor<?x?xi32>
  %rows = arith.ceildivui %m, %a : index
  %columns = arith.ceildivui %n, %b : index
  %e = tensor.empty(%rows, %columns, %a, %b) : tensor<?x?x?x?xi32>
  %r = linalg.pack %x padding_value(%zero : i32) inner_dims_pos = [0, 1] inner_tiles = [%a, %b] into %e
      : tensor<?x?xi32> -> tensor<?x?x?x?xi32>
  return %r : tensor<?x?x?x?xi32>
}

// $ raddle run %s --function=whole --input=3x5xf32 --input=5xf32 | grep correct
// correct: all 15 elements equal the reference bit for bit

// $ raddle run %s --function=tiles --input=7x5xi32 --input=2 --input=3 | grep correct
// correct: all 48 elements equal the reference bit for bit

// $ raddle run %s --function=tiles --input=7x5xi32 --input=0 --input=3
// error[E0901]: the extents of result 0 do not follow from those of the arguments
//   --> run/extents_of_arithmetic.mlir:16:1
//    |
// 16 | func.func @tiles(%x: tensor<?x?xi32>, %a: index, %b: index) -> tensor<?x?x?x?xi32> {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ result 0 is a tensor<?x?x?x?xi32>
//    |
//    = help: let them be `tensor.dim` of arguments, arguments of type `index`, and arithmetic on these
// [exit status 2]
