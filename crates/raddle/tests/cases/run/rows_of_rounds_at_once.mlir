// Products that follow from the row that a round reads are computed for all rows in front of the loop, with the cast in front
// of one, the bias behind it, and a second product; rows may be read backwards. Where the result of a round is larger than
// half of the weights, or the loop goes through few of the rows, it stays.
//
// RUN: raddle opt %s --to=configured --remarks 2>&1 | grep at once
// RUN: raddle run %s --function=forwards | grep correct
// RUN: raddle run %s --function=backwards --device=cpu | grep correct
// RUN: raddle run %s --function=many_rows | grep correct
// RUN: raddle run %s --function=few_rounds | grep correct

func.func @forwards(%xs: tensor<9x2x16xf32>, %w: tensor<16x32xf32>, %v: tensor<32x16xf32>, %bias: tensor<32xf32>,
    %h: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %zero = arith.constant 0.0 : f32
  %small = arith.constant 0.05 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %t = %c0 to %c9 step %c1 iter_args(%state = %h) -> tensor<2x16xf32> {
    %x = tensor.extract_slice %xs[%t, 0, 0] [1, 2, 16] [1, 1, 1] : tensor<9x2x16xf32> to tensor<2x16xf32>
    %empty = tensor.empty() : tensor<2x32xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x32xf32>) -> tensor<2x32xf32>
    %0 = linalg.matmul ins(%x, %w : tensor<2x16xf32>, tensor<16x32xf32>) outs(%zeros : tensor<2x32xf32>) -> tensor<2x32xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<2x32xf32>, tensor<32xf32>) outs(%empty : tensor<2x32xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %j = linalg.index 1 : index
      %n = arith.index_cast %j : index to i32
      %f = arith.sitofp %n : i32 to f32
      %s = arith.addf %a, %b : f32
      %m = arith.mulf %s, %small : f32
      %o = arith.addf %m, %f : f32
      linalg.yield %o : f32
    } -> tensor<2x32xf32>
    %e = tensor.empty() : tensor<2x16xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16xf32>) -> tensor<2x16xf32>
    %2 = linalg.matmul ins(%1, %v : tensor<2x32xf32>, tensor<32x16xf32>) outs(%z : tensor<2x16xf32>) -> tensor<2x16xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]} ins(%2, %state : tensor<2x16xf32>, tensor<2x16xf32>) outs(%e : tensor<2x16xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %m = arith.mulf %b, %small : f32
      %o = arith.addf %a, %m : f32
      linalg.yield %o : f32
    } -> tensor<2x16xf32>
    scf.yield %3 : tensor<2x16xf32>
  }
  return %r : tensor<2x16xf32>
}

func.func @backwards(%xs: tensor<9x16xf32>, %w: tensor<16x16xf16>, %h: tensor<16xf32>) -> (tensor<16xf32>, tensor<9x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %none = tensor.empty() : tensor<9x16xf32>
  %r:2 = scf.for %t = %c0 to %c9 step %c1 iter_args(%state = %h, %all = %none) -> (tensor<16xf32>, tensor<9x16xf32>) {
    %at = arith.subi %c8, %t : index
    %slice = tensor.extract_slice %xs[%at, 0] [1, 16] [1, 1] : tensor<9x16xf32> to tensor<1x16xf32>
    %empty = tensor.empty() : tensor<1x16xf16>
    %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]} ins(%slice : tensor<1x16xf32>) outs(%empty : tensor<1x16xf16>) {
    ^bb0(%a: f32, %out: f16):
      %o = arith.truncf %a : f32 to f16
      linalg.yield %o : f16
    } -> tensor<1x16xf16>
    %e = tensor.empty() : tensor<1x16xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16xf32>) -> tensor<1x16xf32>
    %0 = linalg.matmul ins(%x, %w : tensor<1x16xf16>, tensor<16x16xf16>) outs(%zeros : tensor<1x16xf32>) -> tensor<1x16xf32>
    %row = tensor.collapse_shape %0 [[0, 1]] : tensor<1x16xf32> into tensor<16xf32>
    %e1 = tensor.empty() : tensor<16xf32>
    %1 = linalg.max ins(%row, %state : tensor<16xf32>, tensor<16xf32>) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
    %2 = tensor.insert_slice %1 into %all[%at, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<9x16xf32>
    scf.yield %1, %2 : tensor<16xf32>, tensor<9x16xf32>
  }
  return %r#0, %r#1 : tensor<16xf32>, tensor<9x16xf32>
}

func.func @many_rows(%xs: tensor<9x64x8xf32>, %w: tensor<8x8xf32>, %h: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %r = scf.for %t = %c0 to %c9 step %c1 iter_args(%state = %h) -> tensor<64x8xf32> {
    %x = tensor.extract_slice %xs[%t, 0, 0] [1, 64, 8] [1, 1, 1] : tensor<9x64x8xf32> to tensor<64x8xf32>
    %0 = linalg.matmul ins(%x, %w : tensor<64x8xf32>, tensor<8x8xf32>) outs(%state : tensor<64x8xf32>) -> tensor<64x8xf32>
    scf.yield %0 : tensor<64x8xf32>
  }
  return %r : tensor<64x8xf32>
}

func.func @few_rounds(%xs: tensor<9x2x16xf32>, %w: tensor<16x16xf32>, %h: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %t = %c0 to %c3 step %c1 iter_args(%state = %h) -> tensor<2x16xf32> {
    %x = tensor.extract_slice %xs[%t, 0, 0] [1, 2, 16] [1, 1, 1] : tensor<9x2x16xf32> to tensor<2x16xf32>
    %empty = tensor.empty() : tensor<2x16xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x16xf32>) -> tensor<2x16xf32>
    %0 = linalg.matmul ins(%x, %w : tensor<2x16xf32>, tensor<16x16xf32>) outs(%zeros : tensor<2x16xf32>) -> tensor<2x16xf32>
    %1 = linalg.max ins(%0, %state : tensor<2x16xf32>, tensor<2x16xf32>) outs(%empty : tensor<2x16xf32>) -> tensor<2x16xf32>
    scf.yield %1 : tensor<2x16xf32>
  }
  return %r : tensor<2x16xf32>
}

// $ raddle opt %s --to=configured --remarks 2>&1 | grep at once
// remark[E0304]: `linalg.matmul`, with what follows from it, is computed for all of 9 rounds at once, in front of the loop
// remark[E0304]: `linalg.matmul` is computed for all of 9 rounds at once, in front of the loop

// $ raddle run %s --function=forwards | grep correct
// correct: all 32 elements agree with the reference within 3.44e-3 + 2.38e-7·|expected| (6 bit for bit)

// $ raddle run %s --function=backwards --device=cpu | grep correct
// correct: result 0, all 16 elements agree with the reference within 1.69e-1 + 2.38e-7·|expected| (0 bit for bit)
// correct: result 1, all 144 elements agree with the reference within 1.51e-1 + 2.38e-7·|expected| (21 bit for bit)

// $ raddle run %s --function=many_rows | grep correct
// correct: all 512 elements agree with the reference within 6.59e-5 + 2.38e-7·|expected| (89 bit for bit)

// $ raddle run %s --function=few_rounds | grep correct
// correct: all 32 elements agree with the reference within 3.36e-5 + 2.38e-7·|expected| (14 bit for bit)
