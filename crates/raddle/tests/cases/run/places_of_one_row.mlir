// Windows whose places are computed from the row that a tile has: what is the same for all elements of a vector is
// computed once on CPUs, and places that count are seen behind dimensions of one.
// RUN: raddle build %s --target=x86-64-v4 --emit=ir -o - | grep floordivsi
// RUN: raddle build %s --target=x86-64-v4 --emit=ir -o - | grep -c memref.load
// RUN: raddle run %s --device=cpu | grep correct
func.func @pool(%x: tensor<3x5x29x29xf32>) -> tensor<3x5x7x7xf32> {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c28 = arith.constant 28 : index
  %zero = arith.constant 0.0 : f32
  %window = tensor.empty() : tensor<5x5xi1>
  %e = tensor.empty() : tensor<3x5x7x7xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5x7x7xf32>) -> tensor<3x5x7x7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, i, j, k, l) -> (k, l)>, affine_map<(a, b, i, j, k, l) -> (a, b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%window : tensor<5x5xi1>) outs(%start : tensor<3x5x7x7xf32>) {
  ^bb0(%in: i1, %out: f32):
    %a = linalg.index 0 : index
    %b = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %k = linalg.index 4 : index
    %l = linalg.index 5 : index
    %top = arith.muli %i, %c28 : index
    %row = arith.floordivsi %top, %c7 : index
    %next = arith.addi %i, %c1 : index
    %bottom = arith.muli %next, %c28 : index
    %above = arith.subi %bottom, %c1 : index
    %last = arith.floordivsi %above, %c7 : index
    %left = arith.muli %j, %c28 : index
    %column = arith.floordivsi %left, %c7 : index
    %y = arith.addi %row, %k : index
    %z = arith.addi %column, %l : index
    %v = tensor.extract %x[%a, %b, %y, %z] : tensor<3x5x29x29xf32>
    %inside = arith.cmpi ule, %y, %last : index
    %kept = arith.select %inside, %v, %zero : f32
    %sum = arith.addf %out, %kept : f32
    linalg.yield %sum : f32
  } -> tensor<3x5x7x7xf32>
  return %r : tensor<3x5x7x7xf32>
}

// $ raddle build %s --target=x86-64-v4 --emit=ir -o - | grep floordivsi

// $ raddle build %s --target=x86-64-v4 --emit=ir -o - | grep -c memref.load
// 49

// $ raddle run %s --device=cpu | grep correct
// correct: all 735 elements agree with the reference within 1.75e-5 + 2.38e-7·|expected| (246 bit for bit)
