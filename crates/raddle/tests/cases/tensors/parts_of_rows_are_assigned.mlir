// An assignment to a part of a row, as PyTorch's `x[:, 10, :10] = y`, takes the row out, writes the part and puts the row
// back: the part is put where it belongs at once, and what computes it is in the kernel.

// RUN: raddle run %s --function=summed --input=4x64x64xf32=random | grep correct
// RUN: raddle run %s --function=doubled --input=4x64x64xf32=random --input=4x10xf32=random | grep correct
// RUN: raddle run %s --function=doubled --input=4x64x64xf32=random --input=4x10xf32=random --device=cpu | grep correct
// RUN: raddle run %s --function=a_place --input=4x64x64xf32=random --input=4x10xf32=random --input=7 | grep correct
// RUN: raddle run %s --function=rows_of_rows --input=3x5x8x16xf32=random --input=4xf32=random | grep correct
// RUN: raddle run %s --function=elsewhere --input=4x64x64xf32=random --input=4x10xf32=random | grep correct
// RUN: raddle run %s --function=seen --input=4x64x64xf32=random --input=4x10xf32=random | grep correct
// RUN: raddle opt %s --pass-pipeline=builtin.module(func.func(normalize,partition)) | grep func.func

func.func @summed(%x: tensor<4x64x64xf32>) -> tensor<4x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %slice = tensor.extract_slice %x[0, 10, 0] [4, 1, 64] [1, 1, 1] : tensor<4x64x64xf32> to tensor<4x1x64xf32>
  %row = tensor.collapse_shape %slice [[0, 1], [2]] : tensor<4x1x64xf32> into tensor<4x64xf32>
  %old = tensor.extract_slice %row[0, 0] [4, 10] [1, 1] : tensor<4x64xf32> to tensor<4x10xf32>
  %above = tensor.extract_slice %x[0, 0, 0] [4, 10, 10] [1, 1, 1] : tensor<4x64x64xf32> to tensor<4x10x10xf32>
  %e = tensor.empty() : tensor<4x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x10xf32>) -> tensor<4x10xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, j)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%old, %above : tensor<4x10xf32>, tensor<4x10x10xf32>) outs(%f : tensor<4x10xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x10xf32>
  %written = tensor.insert_slice %sum into %row[0, 0] [4, 10] [1, 1] : tensor<4x10xf32> into tensor<4x64xf32>
  %wide = tensor.expand_shape %written [[0, 1], [2]] output_shape [4, 1, 64] : tensor<4x64xf32> into tensor<4x1x64xf32>
  %y = tensor.insert_slice %wide into %x[0, 10, 0] [4, 1, 64] [1, 1, 1] : tensor<4x1x64xf32> into tensor<4x64x64xf32>
  return %y : tensor<4x64x64xf32>
}

func.func @doubled(%x: tensor<4x64x64xf32>, %y: tensor<4x10xf32>) -> tensor<4x64x64xf32> {
  %slice = tensor.extract_slice %x[0, 10, 0] [4, 1, 64] [1, 1, 1] : tensor<4x64x64xf32> to tensor<4x1x64xf32>
  %row = tensor.collapse_shape %slice [[0, 1], [2]] : tensor<4x1x64xf32> into tensor<4x64xf32>
  %e = tensor.empty() : tensor<4x10xf32>
  %new = linalg.add ins(%y, %y : tensor<4x10xf32>, tensor<4x10xf32>) outs(%e : tensor<4x10xf32>) -> tensor<4x10xf32>
  %written = tensor.insert_slice %new into %row[0, 5] [4, 10] [1, 1] : tensor<4x10xf32> into tensor<4x64xf32>
  %wide = tensor.expand_shape %written [[0, 1], [2]] output_shape [4, 1, 64] : tensor<4x64xf32> into tensor<4x1x64xf32>
  %z = tensor.insert_slice %wide into %x[0, 10, 0] [4, 1, 64] [1, 1, 1] : tensor<4x1x64xf32> into tensor<4x64x64xf32>
  return %z : tensor<4x64x64xf32>
}

// Which row it is, the run says.
func.func @a_place(%x: tensor<4x64x64xf32>, %y: tensor<4x10xf32>, %i: index) -> tensor<4x64x64xf32> {
  %row = tensor.extract_slice %x[0, %i, 0] [4, 1, 64] [1, 1, 1] : tensor<4x64x64xf32> to tensor<4x64xf32>
  %written = tensor.insert_slice %y into %row[0, 5] [4, 10] [1, 1] : tensor<4x10xf32> into tensor<4x64xf32>
  %z = tensor.insert_slice %written into %x[0, %i, 0] [4, 1, 64] [1, 1, 1] : tensor<4x64xf32> into tensor<4x64x64xf32>
  return %z : tensor<4x64x64xf32>
}

// One step after the other: `x[1, 2, 3, 4:8] = y`.
func.func @rows_of_rows(%x: tensor<3x5x8x16xf32>, %y: tensor<4xf32>) -> tensor<3x5x8x16xf32> {
  %a = tensor.extract_slice %x[1, 0, 0, 0] [1, 5, 8, 16] [1, 1, 1, 1] : tensor<3x5x8x16xf32> to tensor<5x8x16xf32>
  %b = tensor.extract_slice %a[2, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<5x8x16xf32> to tensor<8x16xf32>
  %c = tensor.extract_slice %b[3, 0] [1, 16] [1, 1] : tensor<8x16xf32> to tensor<16xf32>
  %c1 = tensor.insert_slice %y into %c[4] [4] [1] : tensor<4xf32> into tensor<16xf32>
  %b1 = tensor.insert_slice %c1 into %b[3, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<8x16xf32>
  %a1 = tensor.insert_slice %b1 into %a[2, 0, 0] [1, 8, 16] [1, 1, 1] : tensor<8x16xf32> into tensor<5x8x16xf32>
  %z = tensor.insert_slice %a1 into %x[1, 0, 0, 0] [1, 5, 8, 16] [1, 1, 1, 1] : tensor<5x8x16xf32> into tensor<3x5x8x16xf32>
  return %z : tensor<3x5x8x16xf32>
}

// The row goes to another place, so that all of it is put there.
func.func @elsewhere(%x: tensor<4x64x64xf32>, %y: tensor<4x10xf32>) -> tensor<4x64x64xf32> {
  %row = tensor.extract_slice %x[0, 10, 0] [4, 1, 64] [1, 1, 1] : tensor<4x64x64xf32> to tensor<4x64xf32>
  %written = tensor.insert_slice %y into %row[0, 5] [4, 10] [1, 1] : tensor<4x10xf32> into tensor<4x64xf32>
  %z = tensor.insert_slice %written into %x[0, 11, 0] [4, 1, 64] [1, 1, 1] : tensor<4x64xf32> into tensor<4x64x64xf32>
  return %z : tensor<4x64x64xf32>
}

// The row is a result, too.
func.func @seen(%x: tensor<4x64x64xf32>, %y: tensor<4x10xf32>) -> (tensor<4x64xf32>, tensor<4x64x64xf32>) {
  %row = tensor.extract_slice %x[0, 10, 0] [4, 1, 64] [1, 1, 1] : tensor<4x64x64xf32> to tensor<4x64xf32>
  %written = tensor.insert_slice %y into %row[0, 5] [4, 10] [1, 1] : tensor<4x10xf32> into tensor<4x64xf32>
  %z = tensor.insert_slice %written into %x[0, 10, 0] [4, 1, 64] [1, 1, 1] : tensor<4x64xf32> into tensor<4x64x64xf32>
  return %written, %z : tensor<4x64xf32>, tensor<4x64x64xf32>
}

// $ raddle run %s --function=summed --input=4x64x64xf32=random | grep correct
// correct: all 16384 elements agree with the reference within 2.97e-6 + 2.38e-7·|expected| (16367 bit for bit)

// $ raddle run %s --function=doubled --input=4x64x64xf32=random --input=4x10xf32=random | grep correct
// correct: all 16384 elements equal the reference bit for bit

// $ raddle run %s --function=doubled --input=4x64x64xf32=random --input=4x10xf32=random --device=cpu | grep correct
// correct: all 16384 elements equal the reference bit for bit

// $ raddle run %s --function=a_place --input=4x64x64xf32=random --input=4x10xf32=random --input=7 | grep correct
// correct: all 16384 elements equal the reference bit for bit

// $ raddle run %s --function=rows_of_rows --input=3x5x8x16xf32=random --input=4xf32=random | grep correct
// correct: all 1920 elements equal the reference bit for bit

// $ raddle run %s --function=elsewhere --input=4x64x64xf32=random --input=4x10xf32=random | grep correct
// correct: all 16384 elements equal the reference bit for bit

// $ raddle run %s --function=seen --input=4x64x64xf32=random --input=4x10xf32=random | grep correct
// correct: result 0, all 256 elements equal the reference bit for bit
// correct: result 1, all 16384 elements equal the reference bit for bit

// $ raddle opt %s --pass-pipeline=builtin.module(func.func(normalize,partition)) | grep func.func
//   func.func @summed(%arg0: tensor<4x64x64xf32>) -> tensor<4x64x64xf32> {
//   func.func @doubled(%arg0: tensor<4x64x64xf32>, %arg1: tensor<4x10xf32>) -> tensor<4x64x64xf32> {
//   func.func @a_place(%arg0: tensor<4x64x64xf32>, %arg1: tensor<4x10xf32>, %arg2: index) -> tensor<4x64x64xf32> {
//   func.func @rows_of_rows(%arg0: tensor<3x5x8x16xf32>, %arg1: tensor<4xf32>) -> tensor<3x5x8x16xf32> {
//   func.func @elsewhere(%arg0: tensor<4x64x64xf32>, %arg1: tensor<4x10xf32>) -> tensor<4x64x64xf32> {
//   func.func @seen(%arg0: tensor<4x64x64xf32>, %arg1: tensor<4x10xf32>) -> (tensor<4x64xf32>, tensor<4x64x64xf32>) {
//   func.func @summed_kernel_0(%arg0: tensor<4x64x64xf32>) -> tensor<4x10xf32> {
//   func.func @summed_kernel_1(%arg0: tensor<4x10xf32>, %arg1: tensor<4x64x64xf32>) -> tensor<4x64x64xf32> {
//   func.func @a_place_kernel_0(%arg0: tensor<4x64x64xf32>, %arg1: index, %arg2: tensor<4x1x10xf32>) -> tensor<4x64x64xf32> {
//   func.func @elsewhere_kernel_0(%arg0: tensor<4x10xf32>, %arg1: tensor<4x64x64xf32>) -> tensor<4x64xf32> {
//   func.func @elsewhere_kernel_1(%arg0: tensor<4x64x64xf32>, %arg1: tensor<4x64xf32>) -> tensor<4x64x64xf32> {
//   func.func @seen_kernel_0(%arg0: tensor<4x10xf32>, %arg1: tensor<4x64x64xf32>) -> tensor<4x64xf32> {
//   func.func @seen_kernel_1(%arg0: tensor<4x10xf32>, %arg1: tensor<4x64x64xf32>) -> tensor<4x64x64xf32> {
