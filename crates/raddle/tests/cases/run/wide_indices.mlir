// An index that comes from memory has 64 bits where 32 would divide differently.
// RUN: raddle run %s --input=7xf32=0,1,2,3,4,5,6 --input=3xi32=-1,-6,5 --device=ptx-emu | grep correct
// RUN: raddle build %s | grep rem.
func.func @wrapped(%table: tensor<7xf32>, %numbers: tensor<3xi32>) -> tensor<3xf32> {
  %seven = arith.constant 7 : index
  %empty = tensor.empty() : tensor<3xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%numbers : tensor<3xi32>) outs(%empty : tensor<3xf32>) {
  ^body(%n: i32, %o: f32):
    %k = arith.index_cast %n : i32 to index
    %at = arith.remui %k, %seven : index
    %x = tensor.extract %table[%at] : tensor<7xf32>
    linalg.yield %x : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// $ raddle run %s --input=7xf32=0,1,2,3,4,5,6 --input=3xi32=-1,-6,5 --device=ptx-emu | grep correct
// correct: all 3 elements equal the reference bit for bit

// $ raddle build %s | grep rem.
//     rem.u64 %rd10, %rd9, 7;
