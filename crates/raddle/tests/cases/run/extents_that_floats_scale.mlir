// The extent of a result follows through floats, as that of an image that a float scales: it is what `f32` gives, of
// which 10 times 0.7 is 7, not what there is without rounding, a little less than 7.
// RUN: raddle run %s --input=10x3xf32 | grep correct
// RUN: raddle run %s --input=1x3xf32 | grep correct
func.func @scaled(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %scale = arith.constant 0.7 : f32
  %rows = tensor.dim %x, %c0 : tensor<?x3xf32>
  %whole = arith.index_cast %rows : index to i64
  %float = arith.sitofp %whole : i64 to f32
  %scaled = arith.mulf %float, %scale : f32
  %floor = math.floor %scaled : f32
  %fewer = arith.fptosi %floor : f32 to i64
  %n = arith.index_cast %fewer : i64 to index
  %empty = tensor.empty(%n) : tensor<?x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%empty : tensor<?x3xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %e = tensor.extract %x[%i, %j] : tensor<?x3xf32>
    linalg.yield %e : f32
  } -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// $ raddle run %s --input=10x3xf32 | grep correct
// correct: all 21 elements equal the reference bit for bit

// $ raddle run %s --input=1x3xf32 | grep correct
// correct: all 0 elements equal the reference bit for bit
