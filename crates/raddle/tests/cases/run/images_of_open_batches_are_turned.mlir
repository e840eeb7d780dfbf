// The shifted windows of an open batch, as `torch.roll` along rows and columns: one kernel reads elements where they are.
// RUN: raddle build %s --target=sm_80 | grep -c visible
// RUN: raddle run %s --target=sm_80 --input=3x8x12x8xf16 --device=ptx-emu | grep correct
// RUN: raddle run %s --target=gfx942 --input=1x8x12x8xf16 | grep correct
// RUN: raddle run %s --device=cpu --input=2x8x12x8xf16 | grep correct

func.func @shifted(%x: tensor<?x8x12x8xf16>) -> tensor<?x16x8xf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8x12x8xf16>
  %a = tensor.extract_slice %x[0, 6, 0, 0] [%n, 2, 12, 8] [1, 1, 1, 1] : tensor<?x8x12x8xf16> to tensor<?x2x12x8xf16>
  %ac = tensor.cast %a : tensor<?x2x12x8xf16> to tensor<?x?x12x8xf16>
  %b = tensor.extract_slice %x[0, 0, 0, 0] [%n, 6, 12, 8] [1, 1, 1, 1] : tensor<?x8x12x8xf16> to tensor<?x6x12x8xf16>
  %bc = tensor.cast %b : tensor<?x6x12x8xf16> to tensor<?x?x12x8xf16>
  %rows = tensor.concat dim(1) %ac, %bc : (tensor<?x?x12x8xf16>, tensor<?x?x12x8xf16>) -> tensor<?x8x12x8xf16>
  %c = tensor.extract_slice %rows[0, 0, 10, 0] [%n, 8, 2, 8] [1, 1, 1, 1] : tensor<?x8x12x8xf16> to tensor<?x8x2x8xf16>
  %d = tensor.extract_slice %rows[0, 0, 0, 0] [%n, 8, 10, 8] [1, 1, 1, 1] : tensor<?x8x12x8xf16> to tensor<?x8x10x8xf16>
  %columns = tensor.concat dim(2) %c, %d : (tensor<?x8x2x8xf16>, tensor<?x8x10x8xf16>) -> tensor<?x8x12x8xf16>
  %apart = tensor.expand_shape %columns [[0], [1, 2], [3, 4], [5]] output_shape [%n, 2, 4, 3, 4, 8] : tensor<?x8x12x8xf16> into tensor<?x2x4x3x4x8xf16>
  %e = tensor.empty(%n) : tensor<?x2x3x4x4x8xf16>
  %windows = linalg.transpose ins(%apart : tensor<?x2x4x3x4x8xf16>) outs(%e : tensor<?x2x3x4x4x8xf16>) permutation = [0, 1, 3, 2, 4, 5]
  %r = tensor.collapse_shape %windows [[0, 1, 2], [3, 4], [5]] : tensor<?x2x3x4x4x8xf16> into tensor<?x16x8xf16>
  return %r : tensor<?x16x8xf16>
}

// $ raddle build %s --target=sm_80 | grep -c visible
// 1

// $ raddle run %s --target=sm_80 --input=3x8x12x8xf16 --device=ptx-emu | grep correct
// correct: all 2304 elements equal the reference bit for bit

// $ raddle run %s --target=gfx942 --input=1x8x12x8xf16 | grep correct
// correct: all 768 elements equal the reference bit for bit

// $ raddle run %s --device=cpu --input=2x8x12x8xf16 | grep correct
// correct: all 1536 elements equal the reference bit for bit
