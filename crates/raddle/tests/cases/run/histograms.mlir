// Many updates of few short rows: the threads of a team combine the updates that they find, and then what they have, instead of
// one update after the other.

// RUN: raddle run %s --function=histogram --input=5000xi32=random | grep correct
// RUN: raddle run %s --function=histogram --input=5000xi32=random | grep barriers
// RUN: raddle run %s --function=histogram --device=ptx-emu --input=5000xi32=random | grep correct
// RUN: raddle run %s --function=histogram --target=gfx942 --input=5000xi32=random | grep correct
// RUN: raddle run %s --function=segments --input=3000x5xf32=random --input=3000xi32=random --input=600x5xf32=random | grep correct
// RUN: raddle run %s --function=segments --device=ptx-emu --input=3000x5xf32=random --input=3000xi32=random --input=600x5xf32=random | grep correct

func.func @histogram(%x: tensor<5000xi32>) -> tensor<64xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5000x1xi32>
  %c = tensor.expand_shape %x [[0, 1]] output_shape [5000, 1] : tensor<5000xi32> into tensor<5000x1xi32>
  %places = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5000x1xi32>) outs(%e : tensor<5000x1xi32>) {
  ^bb0(%n: i32, %o: i32):
    %c63 = arith.constant 63 : i32
    %r = arith.andi %n, %c63 : i32
    linalg.yield %r : i32
  } -> tensor<5000x1xi32>
  %ones = arith.constant dense<1> : tensor<5000xi32>
  %h = tensor.empty() : tensor<64xi32>
  %f = linalg.fill ins(%zero : i32) outs(%h : tensor<64xi32>) -> tensor<64xi32>
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%ones, %places : tensor<5000xi32>, tensor<5000x1xi32>) outs(%f : tensor<64xi32>) {
  ^bb0(%u: i32, %o: i32):
    %s = arith.addi %u, %o : i32
    iree_linalg_ext.yield %s : i32
  } -> tensor<64xi32>
  return %0 : tensor<64xi32>
}

// A team has several neighbours. Some updates go to none of the rows.
func.func @segments(%x: tensor<3000x5xf32>, %i: tensor<3000xi32>, %w: tensor<600x5xf32>) -> tensor<600x5xf32> {
  %e = tensor.empty() : tensor<3000xi32>
  %places = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%i : tensor<3000xi32>) outs(%e : tensor<3000xi32>) {
  ^bb0(%n: i32, %o: i32):
    %c604 = arith.constant 604 : i32
    %r = arith.remui %n, %c604 : i32
    linalg.yield %r : i32
  } -> tensor<3000xi32>
  %p = tensor.expand_shape %places [[0, 1]] output_shape [3000, 1] : tensor<3000xi32> into tensor<3000x1xi32>
  %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%x, %p : tensor<3000x5xf32>, tensor<3000x1xi32>) outs(%w : tensor<600x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %o : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<600x5xf32>
  return %0 : tensor<600x5xf32>
}

// $ raddle run %s --function=histogram --input=5000xi32=random | grep correct
// correct: all 64 elements equal the reference bit for bit

// $ raddle run %s --function=histogram --input=5000xi32=random | grep barriers
//            0 matrix instructions, 4096 shuffles, 128 barriers; bytes read 1320000 global, 65536 shared; written 20256 global, 2048 shared

// $ raddle run %s --function=histogram --device=ptx-emu --input=5000xi32=random | grep correct
// correct: all 64 elements equal the reference bit for bit

// $ raddle run %s --function=histogram --target=gfx942 --input=5000xi32=random | grep correct
// correct: all 64 elements equal the reference bit for bit

// $ raddle run %s --function=segments --input=3000x5xf32=random --input=3000xi32=random --input=600x5xf32=random | grep correct
// correct: all 3000 elements agree with the reference within 1.18e-6 + 2.38e-7·|expected| (1763 bit for bit)

// $ raddle run %s --function=segments --device=ptx-emu --input=3000x5xf32=random --input=3000xi32=random --input=600x5xf32=random | grep correct
// correct: all 3000 elements agree with the reference within 1.18e-6 + 2.38e-7·|expected| (1763 bit for bit)
