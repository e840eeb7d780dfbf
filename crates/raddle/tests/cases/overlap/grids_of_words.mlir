// An extent that follows from an argument of 32 bits is an index where blocks of tiles are counted.
// RUN: raddle opt %s --to=pipelined --target=x86-64-v3 | grep index_cast
func.func @f(%v: tensor<8xf32>, %i: i32) -> tensor<?x8xf32> {
  %c40 = arith.constant 40 : index
  %cast = arith.index_cast %i : i32 to index
  %size = arith.addi %cast, %c40 : index
  %es = tensor.empty(%size) : tensor<?x8xf32>
  %r = linalg.broadcast ins(%v : tensor<8xf32>) outs(%es : tensor<?x8xf32>) dimensions = [0]
  return %r : tensor<?x8xf32>
}

// $ raddle opt %s --to=pipelined --target=x86-64-v3 | grep index_cast
//     %0 = arith.index_cast %arg1 : i32 to index
//     %3 = arith.index_cast %arg1 : i32 to index
