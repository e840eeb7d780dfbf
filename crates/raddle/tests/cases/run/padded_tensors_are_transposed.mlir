// A padded tensor of open extents that is transposed, as in front of a pooling that goes with the channels last: the padding
// is read in place, by tiles whose ends are those of the result.
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// RUN: raddle run %s --input=5x20x30xf32=random --quiet
// RUN: raddle run %s --input=70x3x61xf32=random --device=ptx-emu --quiet
// RUN: raddle run %s --input=5x20x30xf32=random --target=gfx942 --quiet
func.func @channels_last(%x: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %p = tensor.pad %x low[0, 1, 1] high[0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %z : f32
  } : tensor<?x?x?xf32> to tensor<?x?x?xf32>
  %d0 = tensor.dim %x, %c0 : tensor<?x?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?x?xf32>
  %d2 = tensor.dim %x, %c2 : tensor<?x?x?xf32>
  %q1 = arith.addi %d1, %c2 : index
  %q2 = arith.addi %d2, %c2 : index
  %e = tensor.empty(%q1, %q2, %d0) : tensor<?x?x?xf32>
  %t = linalg.transpose ins(%p : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) permutation = [1, 2, 0]
  return %t : tensor<?x?x?xf32>
}

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// 0

// $ raddle run %s --input=5x20x30xf32=random --quiet
// correct: all 3520 elements equal the reference bit for bit

// $ raddle run %s --input=70x3x61xf32=random --device=ptx-emu --quiet
// correct: all 22050 elements equal the reference bit for bit

// $ raddle run %s --input=5x20x30xf32=random --target=gfx942 --quiet
// correct: all 3520 elements equal the reference bit for bit
