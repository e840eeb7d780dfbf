// The extent of a dimension that only the run knows is one of the extents, in front of kernels and in bodies.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --function=dim --input=3x5x4xf32=0 --input=1 --input=8xf32=0 --output=- --quiet
func.func @dim(%x: tensor<?x?x4xf32>, %d: index, %y: tensor<8xf32>) -> tensor<8xf32> {
  %n = tensor.dim %x, %d : tensor<?x?x4xf32>
  %i = arith.index_cast %n : index to i32
  %f = arith.sitofp %i : i32 to f32
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.addf %a, %f : f32
    linalg.yield %q : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @inside(%x: tensor<5x7x4xf32>, %y: tensor<3xindex>) -> tensor<3xi32> {
  %e = tensor.empty() : tensor<3xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%y : tensor<3xindex>) outs(%e : tensor<3xi32>) {
  ^bb0(%a: index, %o: i32):
    %l = linalg.index 0 : index
    %n = tensor.dim %x, %l : tensor<5x7x4xf32>
    %i = arith.index_cast %n : index to i32
    linalg.yield %i : i32
  } -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// $ raddle run %s --all
// ok       @dim
// ok       @inside
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @dim
// ok       @inside
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=dim --input=3x5x4xf32=0 --input=1 --input=8xf32=0 --output=- --quiet
// result 0: tensor<8xf32>=5 5 5 5 5 5 5 5
// correct: all 8 elements equal the reference bit for bit
