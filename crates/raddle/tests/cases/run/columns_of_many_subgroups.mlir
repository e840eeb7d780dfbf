// Parts of sums that many subgroups have of several columns are read by different lanes, and combined by shuffles: a thread
// reads few of them from shared memory.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --function=largest --target=gfx942 | grep correct
// RUN: raddle build %s --function=sums -o - | grep -c ld.shared
// RUN: raddle build %s --function=largest -o - | grep -c ld.shared
func.func @sums(%x: tensor<2048x64xf16>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<64xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<2048x64xf16>) outs(%1 : tensor<64xf32>) attrs = {lowering_config = #iree_gpu.lowering_config<{
        lane_basis = [[32, 1], [0, 1]], subgroup_basis = [[32, 1], [0, 1]], thread = [1, 8], workgroup = [0, 8]}>} {
    ^bb0(%a: f16, %o: f32):
      %f = arith.extf %a : f16 to f32
      %s = arith.addf %f, %o : f32
      linalg.yield %s : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func @largest(%x: tensor<512x96xi32>) -> tensor<96xi32> {
  %least = arith.constant -2147483648 : i32
  %0 = tensor.empty() : tensor<96xi32>
  %1 = linalg.fill ins(%least : i32) outs(%0 : tensor<96xi32>) -> tensor<96xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<512x96xi32>) outs(%1 : tensor<96xi32>) attrs = {lowering_config = #iree_gpu.lowering_config<{
        lane_basis = [[8, 4], [0, 1]], subgroup_basis = [[16, 1], [0, 1]], thread = [1, 8], workgroup = [0, 32]}>} {
    ^bb0(%a: i32, %o: i32):
      %s = arith.maxsi %a, %o : i32
      linalg.yield %s : i32
  } -> tensor<96xi32>
  return %r : tensor<96xi32>
}

// $ raddle run %s --all
// ok       @sums
// ok       @largest
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @sums
// ok       @largest
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=largest --target=gfx942 | grep correct
// correct: all 96 elements equal the reference bit for bit

// $ raddle build %s --function=sums -o - | grep -c ld.shared
// 8

// $ raddle build %s --function=largest -o - | grep -c ld.shared
// 8
