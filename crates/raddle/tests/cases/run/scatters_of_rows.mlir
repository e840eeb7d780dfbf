// Where the last number of each element's place is that of its own column, and the others are the same along rows, rows are
// scattered, as PyTorch's `scatter_add` writes what neighbours in a graph send. Numbers of columns are not those of rows.

// RUN: raddle opt %s --pass-pipeline=builtin.module(func.func(partition)) | grep iree_linalg_ext.scatter
// RUN: raddle run %s --function=rows --input=500xi64=random --input=500x8xf32=random --input=70x8xf32=random | grep correct
// RUN: raddle run %s --function=rows --device=ptx-emu --input=500xi64=random --input=500x8xf32=random --input=70x8xf32=random | grep correct
// RUN: raddle run %s --function=columns --input=8xi64=random --input=500x8xf32=random --input=500x8xf32=random | grep correct

func.func @rows(%i: tensor<500xi64>, %s: tensor<500x8xf32>, %x: tensor<70x8xf32>) -> tensor<70x8xf32> {
  %zero = arith.constant 0 : i64
  %zf = arith.constant 0.0 : f32
  %c8 = arith.constant 8 : index
  %c500 = arith.constant 500 : index
  %e = tensor.empty() : tensor<500x8xi64>
  %numbers = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<500xi64>) outs(%e : tensor<500x8xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<500x8xi64>
  %e1 = tensor.empty() : tensor<4000x1xi64>
  %f1 = linalg.fill ins(%zero : i64) outs(%e1 : tensor<4000x1xi64>) -> tensor<4000x1xi64>
  %e2 = tensor.empty() : tensor<4000xf32>
  %f2 = linalg.fill ins(%zf : f32) outs(%e2 : tensor<4000xf32>) -> tensor<4000xf32>
  %parts:3 = linalg.generic {indexing_maps = [affine_map<(n) -> (n, 0)>, affine_map<(n) -> (n, 0)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]} outs(%f1, %f1, %f2 : tensor<4000x1xi64>, tensor<4000x1xi64>, tensor<4000xf32>) {
  ^bb0(%o0: i64, %o1: i64, %o2: f32):
    %n = linalg.index 0 : index
    %column = arith.remsi %n, %c8 : index
    %q = arith.divsi %n, %c8 : index
    %row = arith.remsi %q, %c500 : index
    %number = tensor.extract %numbers[%row, %column] : tensor<500x8xi64>
    %update = tensor.extract %s[%row, %column] : tensor<500x8xf32>
    %c = arith.index_cast %column : index to i64
    linalg.yield %number, %c, %update : i64, i64, f32
  } -> (tensor<4000x1xi64>, tensor<4000x1xi64>, tensor<4000xf32>)
  %e3 = tensor.empty() : tensor<4000x2xi64>
  %f3 = linalg.fill ins(%zero : i64) outs(%e3 : tensor<4000x2xi64>) -> tensor<4000x2xi64>
  %p0 = tensor.insert_slice %parts#0 into %f3[0, 0] [4000, 1] [1, 1] : tensor<4000x1xi64> into tensor<4000x2xi64>
  %p1 = tensor.insert_slice %parts#1 into %p0[0, 1] [4000, 1] [1, 1] : tensor<4000x1xi64> into tensor<4000x2xi64>
  %0 = iree_linalg_ext.scatter dimension_map = [0, 1] unique_indices(false) ins(%parts#2, %p1 : tensor<4000xf32>, tensor<4000x2xi64>) outs(%x : tensor<70x8xf32>) {
  ^bb0(%u: f32, %o: f32):
    %sum = arith.addf %o, %u : f32
    iree_linalg_ext.yield %sum : f32
  } -> tensor<70x8xf32>
  return %0 : tensor<70x8xf32>
}

func.func @columns(%i: tensor<8xi64>, %s: tensor<500x8xf32>, %x: tensor<500x8xf32>) -> tensor<500x8xf32> {
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<4000x1xi64>
  %parts:2 = linalg.generic {indexing_maps = [affine_map<(n) -> (n, 0)>, affine_map<(n) -> (n, 0)>], iterator_types = ["parallel"]} outs(%e, %e : tensor<4000x1xi64>, tensor<4000x1xi64>) {
  ^bb0(%o0: i64, %o1: i64):
    %n = linalg.index 0 : index
    %column = arith.remsi %n, %c8 : index
    %row = arith.divsi %n, %c8 : index
    %number = tensor.extract %i[%column] : tensor<8xi64>
    %c = arith.index_cast %row : index to i64
    linalg.yield %c, %number : i64, i64
  } -> (tensor<4000x1xi64>, tensor<4000x1xi64>)
  %p = tensor.concat dim(1) %parts#0, %parts#1 : (tensor<4000x1xi64>, tensor<4000x1xi64>) -> tensor<4000x2xi64>
  %u = tensor.collapse_shape %s [[0, 1]] : tensor<500x8xf32> into tensor<4000xf32>
  %0 = iree_linalg_ext.scatter dimension_map = [0, 1] unique_indices(false) ins(%u, %p : tensor<4000xf32>, tensor<4000x2xi64>) outs(%x : tensor<500x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %sum = arith.addf %o, %a : f32
    iree_linalg_ext.yield %sum : f32
  } -> tensor<500x8xf32>
  return %0 : tensor<500x8xf32>
}

// $ raddle opt %s --pass-pipeline=builtin.module(func.func(partition)) | grep iree_linalg_ext.scatter
//     %0 = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%arg0, %arg1 : tensor<500x8xf32>, tensor<500x1xi64>) outs(%arg2 : tensor<70x8xf32>) {
//     %0 = iree_linalg_ext.scatter dimension_map = [0, 1] unique_indices(false) ins(%arg0, %arg1 : tensor<4000xf32>, tensor<4000x2xi64>) outs(%arg2 : tensor<500x8xf32>) {

// $ raddle run %s --function=rows --input=500xi64=random --input=500x8xf32=random --input=70x8xf32=random | grep correct
// correct: all 560 elements agree with the reference within 2.89e-6 + 2.38e-7·|expected| (517 bit for bit)

// $ raddle run %s --function=rows --device=ptx-emu --input=500xi64=random --input=500x8xf32=random --input=70x8xf32=random | grep correct
// correct: all 560 elements agree with the reference within 2.89e-6 + 2.38e-7·|expected| (517 bit for bit)

// $ raddle run %s --function=columns --input=8xi64=random --input=500x8xf32=random --input=500x8xf32=random | grep correct
// correct: all 4000 elements agree with the reference within 6.83e-7 + 2.38e-7·|expected| (3791 bit for bit)
