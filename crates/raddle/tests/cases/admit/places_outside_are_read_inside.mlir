// Elements at places outside of a tensor are read inside of it where selections hide them, as `jax.numpy.take` is imported,
// and in programs of StableHLO, whose gathers mean the nearest place. In others they are a finding.
// RUN: raddle opt %s --admit | grep minsi
// RUN: raddle run %s --function=hidden --input=5xf32=random --input=4xi32=1000000000 --output=- --quiet
// RUN: raddle run %s --function=hidden --input=5xf32=random --input=4xi32=-7 --device=cpu | grep correct
// RUN: raddle opt %s --hoist-dispatches | grep minsi
// RUN: raddle run %s --function=nearest --input=5xf32=random --input=4xi32=1000000000 --output=- --quiet
// RUN: raddle run %s --function=nearest --input=5xf32=random --input=4xi32=-1000000000 --device=cpu | grep correct
// RUN: raddle run %s --function=told --input=5xf32=random --input=4xi32=7 --quiet
func.func @hidden(%x: tensor<?xf32>, %at: tensor<4xi32>) -> tensor<2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 5 : i32
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%at : tensor<4xi32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: i32, %out: f32):
    %place = arith.index_cast %in : i32 to index
    %element = tensor.extract %x[%place] : tensor<?xf32>
    linalg.yield %element : f32
  } -> tensor<4xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %3 = tensor.expand_shape %at [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
  %4 = tensor.empty() : tensor<2x2xf32>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%3, %2 : tensor<2x2xi32>, tensor<2x2xf32>) outs(%4 : tensor<2x2xf32>) {
  ^bb0(%in: i32, %element: f32, %out: f32):
    %inside = arith.cmpi ult, %in, %n : i32
    %chosen = arith.select %inside, %element, %zero : f32
    linalg.yield %chosen : f32
  } -> tensor<2x2xf32>
  return %5 : tensor<2x2xf32>
}

util.func public @nearest(%x: tensor<5xf32>, %at: tensor<4xi32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%at : tensor<4xi32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: i32, %out: f32):
    %place = arith.index_cast %in : i32 to index
    %element = tensor.extract %x[%place] : tensor<5xf32>
    linalg.yield %element : f32
  } -> tensor<4xf32>
  util.return %1 : tensor<4xf32>
}

func.func @told(%x: tensor<5xf32>, %at: tensor<4xi32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%at : tensor<4xi32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: i32, %out: f32):
    %place = arith.index_cast %in : i32 to index
    %element = tensor.extract %x[%place] : tensor<5xf32>
    linalg.yield %element : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// $ raddle opt %s --admit | grep minsi
//       %7 = arith.minsi %6, %5 : index

// $ raddle run %s --function=hidden --input=5xf32=random --input=4xi32=1000000000 --output=- --quiet
// result 0: tensor<2x2xf32>=0 0 0 0
// correct: all 4 elements equal the reference bit for bit

// $ raddle run %s --function=hidden --input=5xf32=random --input=4xi32=-7 --device=cpu | grep correct
// correct: all 4 elements equal the reference bit for bit

// $ raddle opt %s --hoist-dispatches | grep minsi
//       %4 = arith.minsi %3, %c4 : index

// $ raddle run %s --function=nearest --input=5xf32=random --input=4xi32=1000000000 --output=- --quiet
// result 0: tensor<4xf32>=1.4529492 1.4529492 1.4529492 1.4529492
// correct: all 4 elements equal the reference bit for bit

// $ raddle run %s --function=nearest --input=5xf32=random --input=4xi32=-1000000000 --device=cpu | grep correct
// correct: all 4 elements equal the reference bit for bit

// $ raddle run %s --function=told --input=5xf32=random --input=4xi32=7 --quiet
// error[E0811]: bounds: index 7 is outside dimension 0 of memref argument 0, which has extent 5 there
//   --> admit/places_outside_are_read_inside.mlir:48:5
//    |
// 48 |     %element = tensor.extract %x[%place] : tensor<5xf32>
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ in `memref.load`
//    |
//    = note: in workgroup (0, 0, 0), subgroup 0, lane 0
// [exit status 1]
