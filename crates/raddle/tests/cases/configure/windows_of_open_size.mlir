// A mean of windows whose size only the run knows, as PyTorch's adaptive pooling is imported: the operand that states the
// size is not in memory, so that lanes are along the points of the result, which are, and not along a window.
// RUN: raddle opt %s --to=configured | grep lowering_config
// RUN: raddle run %s --function=means --input=3x40x70xf32=random --input=3x5x7xf32=0 --quiet
// RUN: raddle run %s --function=means --input=3x40x70xf32=random --input=3x5x7xf32=0 --device=ptx-emu --quiet
// RUN: raddle run %s --function=means --input=3x40x70xf32=random --input=3x5x7xf32=0 --target=gfx942 --quiet
func.func @means(%x: tensor<?x?x?xf32>, %out: tensor<?x5x7xf32>) -> tensor<?x5x7xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %h = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %w = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %p = arith.ceildivui %h, %c5 : index
  %q = arith.ceildivui %w, %c7 : index
  %window = tensor.empty(%p, %q) : tensor<?x?xi1>
  %fill = linalg.fill ins(%zero : f32) outs(%out : tensor<?x5x7xf32>) -> tensor<?x5x7xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(c, i, j, a, b) -> (a, b)>, affine_map<(c, i, j, a, b) -> (c, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%window : tensor<?x?xi1>) outs(%fill : tensor<?x5x7xf32>) {
  ^bb0(%in: i1, %acc: f32):
    %c = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %a = linalg.index 3 : index
    %b = linalg.index 4 : index
    %row = arith.muli %i, %p : index
    %column = arith.muli %j, %q : index
    %y = arith.addi %row, %a : index
    %z = arith.addi %column, %b : index
    %e = tensor.extract %x[%c, %y, %z] : tensor<?x?x?xf32>
    %s = arith.addf %e, %acc : f32
    linalg.yield %s : f32
  } -> tensor<?x5x7xf32>
  return %0 : tensor<?x5x7xf32>
}

// $ raddle opt %s --to=configured | grep lowering_config
//     %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%2 : tensor<?x?xi1>) outs(%3 : tensor<?x5x7xf32>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 4, 8, 1, 1], [0, 1, 2, 3, 4]], partial_reduction = [0, 0, 0, 1, 4], subgroup_basis = [[1, 2, 1, 1, 1], [0, 1, 2, 3, 4]], thread = [1, 1, 1, 1, 1], workgroup = [1, 8, 8, 0, 0]}>} {

// $ raddle run %s --function=means --input=3x40x70xf32=random --input=3x5x7xf32=0 --quiet
// correct: all 105 elements agree with the reference within 1.27e-5 + 2.38e-7·|expected| (31 bit for bit)

// $ raddle run %s --function=means --input=3x40x70xf32=random --input=3x5x7xf32=0 --device=ptx-emu --quiet
// correct: all 105 elements agree with the reference within 1.27e-5 + 2.38e-7·|expected| (31 bit for bit)

// $ raddle run %s --function=means --input=3x40x70xf32=random --input=3x5x7xf32=0 --target=gfx942 --quiet
// correct: all 105 elements agree with the reference within 1.27e-5 + 2.38e-7·|expected| (31 bit for bit)
