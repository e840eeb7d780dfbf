// An image that is turned around along its rows and columns, and cut into windows, is read where it lies: one kernel each
// way, and norms of rows are in it.

// RUN: raddle run %s --function=shifted_windows --input=2x8x12x16xf32=random | grep correct
// RUN: raddle run %s --function=shifted_windows --input=2x8x12x16xf32=random --device=ptx-emu | grep correct
// RUN: raddle run %s --function=shifted_windows --input=2x8x12x16xf32=random --device=cpu | grep correct
// RUN: raddle run %s --function=back --input=12x16x16xf32=random --input=2x8x12x16xf32=random | grep correct
// RUN: raddle run %s --function=back --target=gfx942 --input=12x16x16xf32=random --input=2x8x12x16xf32=random | grep correct
// RUN: raddle run %s --function=columns --input=6x16xf16=random | grep correct
// RUN: raddle opt %s --pass-pipeline=builtin.module(func.func(normalize,partition)) | grep func.func

func.func @shifted_windows(%x: tensor<2x8x12x16xf32>) -> tensor<2x2x3x4x4x16xf32> {
  %y0 = tensor.extract_slice %x[0, 3, 0, 0] [2, 5, 12, 16] [1, 1, 1, 1] : tensor<2x8x12x16xf32> to tensor<2x5x12x16xf32>
  %y1 = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 12, 16] [1, 1, 1, 1] : tensor<2x8x12x16xf32> to tensor<2x3x12x16xf32>
  %y = tensor.concat dim(1) %y0, %y1 : (tensor<2x5x12x16xf32>, tensor<2x3x12x16xf32>) -> tensor<2x8x12x16xf32>
  %z0 = tensor.extract_slice %y[0, 0, 2, 0] [2, 8, 10, 16] [1, 1, 1, 1] : tensor<2x8x12x16xf32> to tensor<2x8x10x16xf32>
  %z1 = tensor.extract_slice %y[0, 0, 0, 0] [2, 8, 2, 16] [1, 1, 1, 1] : tensor<2x8x12x16xf32> to tensor<2x8x2x16xf32>
  %c1 = tensor.cast %z1 : tensor<2x8x2x16xf32> to tensor<2x8x?x16xf32>
  %z = tensor.concat dim(2) %z0, %c1 : (tensor<2x8x10x16xf32>, tensor<2x8x?x16xf32>) -> tensor<2x8x12x16xf32>
  %w = tensor.expand_shape %z [[0], [1, 2], [3, 4], [5]] output_shape [2, 2, 4, 3, 4, 16] : tensor<2x8x12x16xf32> into tensor<2x2x4x3x4x16xf32>
  %e = tensor.empty() : tensor<2x2x3x4x4x16xf32>
  %t = linalg.transpose ins(%w : tensor<2x2x4x3x4x16xf32>) outs(%e : tensor<2x2x3x4x4x16xf32>) permutation = [0, 1, 3, 2, 4, 5]
  return %t : tensor<2x2x3x4x4x16xf32>
}

func.func @back(%windows: tensor<12x16x16xf32>, %x: tensor<2x8x12x16xf32>) -> (tensor<2x8x12x16xf32>, tensor<2x8x12xf32>) {
  %w = tensor.expand_shape %windows [[0, 1, 2], [3, 4], [5]] output_shape [2, 2, 3, 4, 4, 16] : tensor<12x16x16xf32> into tensor<2x2x3x4x4x16xf32>
  %e = tensor.empty() : tensor<2x2x4x3x4x16xf32>
  %t = linalg.transpose ins(%w : tensor<2x2x3x4x4x16xf32>) outs(%e : tensor<2x2x4x3x4x16xf32>) permutation = [0, 1, 3, 2, 4, 5]
  %i = tensor.collapse_shape %t [[0], [1, 2], [3, 4], [5]] : tensor<2x2x4x3x4x16xf32> into tensor<2x8x12x16xf32>
  %y0 = tensor.extract_slice %i[0, 5, 0, 0] [2, 3, 12, 16] [1, 1, 1, 1] : tensor<2x8x12x16xf32> to tensor<2x3x12x16xf32>
  %y1 = tensor.extract_slice %i[0, 0, 0, 0] [2, 5, 12, 16] [1, 1, 1, 1] : tensor<2x8x12x16xf32> to tensor<2x5x12x16xf32>
  %y = tensor.concat dim(1) %y0, %y1 : (tensor<2x3x12x16xf32>, tensor<2x5x12x16xf32>) -> tensor<2x8x12x16xf32>
  %d = tensor.empty() : tensor<2x8x12x16xf32>
  %sum = linalg.add ins(%x, %y : tensor<2x8x12x16xf32>, tensor<2x8x12x16xf32>) outs(%d : tensor<2x8x12x16xf32>) -> tensor<2x8x12x16xf32>
  %zero = arith.constant 0.0 : f32
  %r = tensor.empty() : tensor<2x8x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<2x8x12xf32>) -> tensor<2x8x12xf32>
  %rows = linalg.reduce ins(%sum : tensor<2x8x12x16xf32>) outs(%f : tensor<2x8x12xf32>) dimensions = [3]
    (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
  return %sum, %rows : tensor<2x8x12x16xf32>, tensor<2x8x12xf32>
}

// Neighbours would not stay neighbours.
func.func @columns(%x: tensor<6x16xf16>) -> tensor<6x16xf16> {
  %a = tensor.extract_slice %x[0, 5] [6, 11] [1, 1] : tensor<6x16xf16> to tensor<6x11xf16>
  %b = tensor.extract_slice %x[0, 0] [6, 5] [1, 1] : tensor<6x16xf16> to tensor<6x5xf16>
  %r = tensor.concat dim(1) %a, %b : (tensor<6x11xf16>, tensor<6x5xf16>) -> tensor<6x16xf16>
  return %r : tensor<6x16xf16>
}

// $ raddle run %s --function=shifted_windows --input=2x8x12x16xf32=random | grep correct
// correct: all 3072 elements equal the reference bit for bit

// $ raddle run %s --function=shifted_windows --input=2x8x12x16xf32=random --device=ptx-emu | grep correct
// correct: all 3072 elements equal the reference bit for bit

// $ raddle run %s --function=shifted_windows --input=2x8x12x16xf32=random --device=cpu | grep correct
// correct: all 3072 elements equal the reference bit for bit

// $ raddle run %s --function=back --input=12x16x16xf32=random --input=2x8x12x16xf32=random | grep correct
// correct: result 0, all 3072 elements equal the reference bit for bit
// correct: result 1, all 192 elements agree with the reference within 2.57e-5 + 2.38e-7·|expected| (79 bit for bit)

// $ raddle run %s --function=back --target=gfx942 --input=12x16x16xf32=random --input=2x8x12x16xf32=random | grep correct
// correct: result 0, all 3072 elements equal the reference bit for bit
// correct: result 1, all 192 elements agree with the reference within 2.57e-5 + 2.38e-7·|expected| (79 bit for bit)

// $ raddle run %s --function=columns --input=6x16xf16=random | grep correct
// correct: all 96 elements equal the reference bit for bit

// $ raddle opt %s --pass-pipeline=builtin.module(func.func(normalize,partition)) | grep func.func
//   func.func @shifted_windows(%arg0: tensor<2x8x12x16xf32>) -> tensor<2x2x3x4x4x16xf32> {
//   func.func @back(%arg0: tensor<12x16x16xf32>, %arg1: tensor<2x8x12x16xf32>) -> (tensor<2x8x12x16xf32>, tensor<2x8x12xf32>) {
//   func.func @columns(%arg0: tensor<6x16xf16>) -> tensor<6x16xf16> {
