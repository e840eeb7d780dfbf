// Vectors of a CPU go along columns of the result wherever the loop of a batch stands, and along the batch where elements of
// everything do.
// RUN: raddle run %s --all --target=x86-64-v4-vnni
// RUN: raddle run %s --all --target=x86-64-v3
// RUN: raddle opt %s --target=x86-64-v4-vnni --to=configured | grep lowering_config
#am = affine_map<(m, n, k, b) -> (b, m, k)>
#bm = affine_map<(m, n, k, b) -> (b, k, n)>
#cm = affine_map<(m, n, k, b) -> (b, m, n)>
#al = affine_map<(m, n, k, b) -> (m, k, b)>
#bl = affine_map<(m, n, k, b) -> (k, n, b)>
#cl = affine_map<(m, n, k, b) -> (m, n, b)>
func.func @last_loop(%a: tensor<3x33x48xi8>, %b: tensor<3x48x17xi8>) -> tensor<3x33x17xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x33x17xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<3x33x17xi32>) -> tensor<3x33x17xi32>
  %r = linalg.generic {indexing_maps = [#am, #bm, #cm], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%a, %b : tensor<3x33x48xi8>, tensor<3x48x17xi8>) outs(%f : tensor<3x33x17xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %p = arith.extsi %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %u = arith.muli %p, %q : i32
    %v = arith.addi %o, %u : i32
    linalg.yield %v : i32
  } -> tensor<3x33x17xi32>
  return %r : tensor<3x33x17xi32>
}
func.func @last_in_the_result(%a: tensor<3x9x20xf32>, %b: tensor<3x20x17xf32>) -> tensor<9x17x3xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9x17x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<9x17x3xf32>) -> tensor<9x17x3xf32>
  %r = linalg.generic {indexing_maps = [#am, #bm, #cl], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%a, %b : tensor<3x9x20xf32>, tensor<3x20x17xf32>) outs(%f : tensor<9x17x3xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %u = arith.mulf %x, %y : f32
    %v = arith.addf %o, %u : f32
    linalg.yield %v : f32
  } -> tensor<9x17x3xf32>
  return %r : tensor<9x17x3xf32>
}
func.func @last_everywhere(%a: tensor<9x20x33xi8>, %b: tensor<20x7x33xi8>) -> tensor<9x7x33xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<9x7x33xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<9x7x33xi32>) -> tensor<9x7x33xi32>
  %r = linalg.generic {indexing_maps = [#al, #bl, #cl], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%a, %b : tensor<9x20x33xi8>, tensor<20x7x33xi8>) outs(%f : tensor<9x7x33xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %p = arith.extsi %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %u = arith.muli %p, %q : i32
    %v = arith.addi %o, %u : i32
    linalg.yield %v : i32
  } -> tensor<9x7x33xi32>
  return %r : tensor<9x7x33xi32>
}

// $ raddle run %s --all --target=x86-64-v4-vnni
// ok       @last_loop
// ok       @last_in_the_result
// ok       @last_everywhere
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v3
// ok       @last_loop
// ok       @last_in_the_result
// ok       @last_everywhere
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --target=x86-64-v4-vnni --to=configured | grep lowering_config
//     %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%arg0, %arg1 : tensor<3x33x48xi8>, tensor<3x48x17xi8>) outs(%1 : tensor<3x33x17xi32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1, 1], [0, 1, 2, 3]], reduction = [0, 0, 16, 0], subgroup_basis = [[1, 1, 1, 1], [0, 1, 2, 3]], thread = [11, 32, 1, 1], workgroup = [11, 32, 0, 1]}>} {
//     %2 = linalg.generic {indexing_maps = [#map, #map1, #map3], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%arg0, %arg1 : tensor<3x9x20xf32>, tensor<3x20x17xf32>) outs(%1 : tensor<9x17x3xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1, 1], [0, 1, 2, 3]], reduction = [0, 0, 4, 0], subgroup_basis = [[1, 1, 1, 1], [0, 1, 2, 3]], thread = [9, 32, 1, 1], workgroup = [9, 32, 0, 1]}>} {
//     %2 = linalg.generic {indexing_maps = [#map4, #map5, #map3], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%arg0, %arg1 : tensor<9x20x33xi8>, tensor<20x7x33xi8>) outs(%1 : tensor<9x7x33xi32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1, 1], [0, 1, 2, 3]], reduction = [0, 0, 4, 0], subgroup_basis = [[1, 1, 1, 1], [0, 1, 2, 3]], thread = [5, 1, 1, 48], workgroup = [5, 1, 0, 48]}>} {
