// Distances of points: a thread has some points of either side, and uses what it reads of one for all of the others. The least
// ones are found by a kernel of their own, since they need whole rows of the distances.

// RUN: raddle opt %s --to=configured | grep lowering_config
// RUN: raddle run %s --function=distances --input=97x5xf32=random --input=70x5xf32=random | grep correct
// RUN: raddle run %s --function=distances --device=ptx-emu --input=97x5xf32=random --input=70x5xf32=random | grep correct
// RUN: raddle run %s --function=distances --target=gfx942 --input=97x5xf32=random --input=70x5xf32=random | grep correct
// RUN: raddle run %s --function=nearest | grep correct
// RUN: raddle run %s --function=bilinear | grep correct
// RUN: raddle run %s --function=bilinear --device=ptx-emu | grep correct

func.func @distances(%a: tensor<?x5xf32>, %b: tensor<?x5xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x5xf32>
  %n = tensor.dim %b, %c0 : tensor<?x5xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x5xf32>, tensor<?x5xf32>) outs(%f : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %d = arith.subf %x, %y : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// What is written as tensors of all pairs is computed where it is summed.
func.func @nearest(%a: tensor<500x32xf32>, %b: tensor<64x32xf32>) -> tensor<500xf32> {
  %z = arith.constant 0.0 : f32
  %i = arith.constant 0x7F800000 : f32
  %e = tensor.empty() : tensor<500x64x32xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %b : tensor<500x32xf32>, tensor<64x32xf32>) outs(%e : tensor<500x64x32xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %d = arith.subf %x, %y : f32
    %q = math.absf %d : f32
    linalg.yield %q : f32
  } -> tensor<500x64x32xf32>
  %es = tensor.empty() : tensor<500x64xf32>
  %fs = linalg.fill ins(%z : f32) outs(%es : tensor<500x64xf32>) -> tensor<500x64xf32>
  %1 = linalg.reduce ins(%0 : tensor<500x64x32xf32>) outs(%fs : tensor<500x64xf32>) dimensions = [2]
    (%x: f32, %o: f32) {
      %s = arith.addf %x, %o : f32
      linalg.yield %s : f32
    }
  %el = tensor.empty() : tensor<500xf32>
  %fl = linalg.fill ins(%i : f32) outs(%el : tensor<500xf32>) -> tensor<500xf32>
  %2 = linalg.reduce ins(%1 : tensor<500x64xf32>) outs(%fl : tensor<500xf32>) dimensions = [1]
    (%x: f32, %o: f32) {
      %s = arith.minimumf %x, %o : f32
      linalg.yield %s : f32
    }
  return %2 : tensor<500xf32>
}

// Of what is multiplied besides, a point of either side has one number.
func.func @bilinear(%a: tensor<40x33xf32>, %w: tensor<3x33x20xf32>, %b: tensor<40x20xf32>) -> tensor<40x3x33xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x3x33xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<40x3x33xf32>) -> tensor<40x3x33xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n, o, i, j) -> (n, i)>, affine_map<(n, o, i, j) -> (o, i, j)>, affine_map<(n, o, i, j) -> (n, j)>, affine_map<(n, o, i, j) -> (n, o, i)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %w, %b : tensor<40x33xf32>, tensor<3x33x20xf32>, tensor<40x20xf32>) outs(%f : tensor<40x3x33xf32>) {
  ^bb0(%x: f32, %v: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %v : f32
    %q = arith.mulf %p, %y : f32
    %s = arith.addf %q, %o : f32
    linalg.yield %s : f32
  } -> tensor<40x3x33xf32>
  return %0 : tensor<40x3x33xf32>
}

// $ raddle opt %s --to=configured | grep lowering_config
//     %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<?x5xf32>, tensor<?x5xf32>) outs(%1 : tensor<?x?xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[8, 4, 1], [0, 1, 2]], reduction = [0, 0, 1], subgroup_basis = [[2, 4, 1], [0, 1, 2]], thread = [4, 4, 1], workgroup = [64, 64, 0]}>} {
//     %2 = linalg.generic {indexing_maps = [#map3, #map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1, %arg2 : tensor<40x33xf32>, tensor<3x33x20xf32>, tensor<40x20xf32>) outs(%1 : tensor<40x3x33xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[4, 1, 8, 1], [0, 1, 2, 3]], reduction = [0, 0, 0, 4], subgroup_basis = [[4, 1, 2, 1], [0, 1, 2, 3]], thread = [1, 1, 1, 4], workgroup = [16, 1, 16, 0]}>} {
//     %4 = linalg.generic {indexing_maps = [#map7, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<500x64x32xf32>) outs(%3 : tensor<500x64xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[8, 4, 1], [0, 1, 2]], reduction = [0, 0, 4], subgroup_basis = [[2, 4, 1], [0, 1, 2]], thread = [1, 1, 4], workgroup = [16, 16, 0]}>} {
//     %2 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<500x64xf32>) outs(%1 : tensor<500xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[2, 16], [0, 1]], partial_reduction = [0, 64], subgroup_basis = [[1, 1], [0, 1]], thread = [1, 4], workgroup = [2, 0]}>} {

// $ raddle run %s --function=distances --input=97x5xf32=random --input=70x5xf32=random | grep correct
// correct: all 6790 elements agree with the reference within 3.50e-5 + 2.38e-7·|expected| (3604 bit for bit)

// $ raddle run %s --function=distances --device=ptx-emu --input=97x5xf32=random --input=70x5xf32=random | grep correct
// correct: all 6790 elements agree with the reference within 3.50e-5 + 2.38e-7·|expected| (3604 bit for bit)

// $ raddle run %s --function=distances --target=gfx942 --input=97x5xf32=random --input=70x5xf32=random | grep correct
// correct: all 6790 elements agree with the reference within 3.50e-5 + 2.38e-7·|expected| (3604 bit for bit)

// $ raddle run %s --function=nearest | grep correct
// correct: all 500 elements agree with the reference within 2.65e-4 + 2.38e-7·|expected| (272 bit for bit)

// $ raddle run %s --function=bilinear | grep correct
// correct: all 3960 elements agree with the reference within 1.78e-5 + 2.38e-7·|expected| (1388 bit for bit)

// $ raddle run %s --function=bilinear --device=ptx-emu | grep correct
// correct: all 3960 elements agree with the reference within 1.78e-5 + 2.38e-7·|expected| (1388 bit for bit)
