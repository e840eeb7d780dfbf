// A vector of x86-64-v3 is half a line of the caches: the next rows of the matrix are asked for all the same. Rows of what
// is padded share the mask along them.
// RUN: raddle opt %s --target=x86-64-v3 --to=pipelined | grep memref.prefetch
// RUN: raddle opt %s --target=x86-64-v3 --to=configured | grep thread
// RUN: raddle run %s --all --target=x86-64-v3 --quiet

func.func @four_rows(%a: tensor<4x1024xf32>, %b: tensor<1024x1024xf32>) -> tensor<4x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x1024xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<4x1024xf32>) -> tensor<4x1024xf32>
  %p = linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : tensor<4x1024xf32>, tensor<1024x1024xf32>) outs(%c : tensor<4x1024xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %m = arith.mulf %l, %r : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x1024xf32>
  return %p : tensor<4x1024xf32>
}

func.func @padded(%a: tensor<4x100x100xf32>) -> tensor<4x104x104xf32> {
  %z = arith.constant 0.0 : f32
  %r = tensor.pad %a low[0, 2, 2] high[0, 2, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %z : f32
  } : tensor<4x100x100xf32> to tensor<4x104x104xf32>
  return %r : tensor<4x104x104xf32>
}

// $ raddle opt %s --target=x86-64-v3 --to=pipelined | grep memref.prefetch
//       memref.prefetch %arg1[%8, %arg3], read, locality<2>, data : memref<1024x1024xf32>
//       memref.prefetch %arg1[%9, %arg3], read, locality<2>, data : memref<1024x1024xf32>

// $ raddle opt %s --target=x86-64-v3 --to=configured | grep thread
//     %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<4x1024xf32>, tensor<1024x1024xf32>) outs(%1 : tensor<4x1024xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1], [0, 1, 2]], partial_reduction = [0, 0, 8], subgroup_basis = [[1, 1, 1], [0, 1, 2]], thread = [4, 2, 8], workgroup = [4, 2, 0]}>} {
//     %1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%padded : tensor<4x104x104xf32>) outs(%0 : tensor<4x104x104xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 1], [0, 1, 2]], subgroup_basis = [[1, 1, 1], [0, 1, 2]], thread = [1, 4, 24], workgroup = [1, 4, 24]}>} {

// $ raddle run %s --all --target=x86-64-v3 --quiet
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
