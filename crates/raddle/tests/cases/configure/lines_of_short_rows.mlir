// Images of 7 x 7 places with the channels last: the rows and columns of an image are a line of 49 places, which a tile in
// shared memory turns.
// RUN: raddle opt %s --to=configured --target=sm_90a | grep promote_operands
// RUN: raddle run %s --target=sm_90a | grep correct
// RUN: raddle run %s --target=gfx942 | grep correct
func.func @f(%x: tensor<3x40x7x7xf16>, %s: tensor<3x40xf16>) -> tensor<3x7x7x40xf16> {
  %empty = tensor.empty() : tensor<3x7x7x40xf16>
  %turned = linalg.generic {
    indexing_maps = [affine_map<(b, c, h, w) -> (b, c, h, w)>, affine_map<(b, c, h, w) -> (b, c)>,
      affine_map<(b, c, h, w) -> (b, h, w, c)>],
    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %s : tensor<3x40x7x7xf16>, tensor<3x40xf16>) outs(%empty : tensor<3x7x7x40xf16>) {
  ^bb0(%a: f16, %b: f16, %out: f16):
    %0 = arith.mulf %a, %b : f16
    linalg.yield %0 : f16
  } -> tensor<3x7x7x40xf16>
  return %turned : tensor<3x7x7x40xf16>
}

// $ raddle opt %s --to=configured --target=sm_90a | grep promote_operands
//     %1 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg1 : tensor<3x40x7x7xf16>, tensor<3x40xf16>) outs(%0 : tensor<3x7x7x40xf16>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 8, 1, 4], [0, 1, 2, 3]], promote_operands = [0], subgroup_basis = [[1, 1, 2, 2], [0, 1, 2, 3]], thread = [1, 8, 1, 1], workgroup = [1, 64, 8, 8]}>} {

// $ raddle run %s --target=sm_90a | grep correct
// correct: all 5880 elements equal the reference bit for bit

// $ raddle run %s --target=gfx942 | grep correct
// correct: all 5880 elements equal the reference bit for bit
