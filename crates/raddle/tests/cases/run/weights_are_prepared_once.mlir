// What depends on weights and constants alone is computed by an initializer, once for all calls: here a softmax of the rows
// of a table. What would take much more memory than before stays, as bytes that are widened for two products, and so does
// what a program may write.

// RUN: raddle run %s --function=of_table | grep correct
// RUN: raddle run %s --function=of_table --device=ptx-emu | grep correct
// RUN: raddle run %s --function=of_table --target=gfx942 | grep correct
// RUN: raddle run %s --function=of_table --device=cpu | grep -c correct
// RUN: raddle run %s --function=of_state | grep correct
// RUN: raddle run %s --function=of_bytes --memory=1G | grep correct
// RUN: raddle opt %s --pass-pipeline=builtin.module(func.func(normalize,partition)) | grep util
// RUN: raddle build %s --function=of_table -o - | grep main
// RUN: raddle bench %s --function=of_table --device=emu | grep workgroups

util.global private @table = #flow.parameter.named<"table"> : tensor<96x64xf32>
util.global private @bytes = #flow.parameter.named<"bytes"> : tensor<2048x1024xi8>
util.global private mutable @state = dense<2.0> : tensor<96x64xf32>

func.func @of_table(%x: tensor<32x96xf32>) -> tensor<32x64xf32> {
  %w = util.global.load @table : tensor<96x64xf32>
  %e = tensor.empty() : tensor<96x64xf32>
  %s = linalg.softmax dimension(1) ins(%w : tensor<96x64xf32>) outs(%e : tensor<96x64xf32>) -> tensor<96x64xf32>
  %zero = arith.constant 0.0 : f32
  %c = tensor.empty() : tensor<32x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<32x64xf32>) -> tensor<32x64xf32>
  %r = linalg.matmul ins(%x, %s : tensor<32x96xf32>, tensor<96x64xf32>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}

func.func @of_state(%x: tensor<32x96xf32>) -> tensor<32x64xf32> {
  %w = util.global.load @state : tensor<96x64xf32>
  %e = tensor.empty() : tensor<96x64xf32>
  %s = linalg.softmax dimension(1) ins(%w : tensor<96x64xf32>) outs(%e : tensor<96x64xf32>) -> tensor<96x64xf32>
  %zero = arith.constant 0.0 : f32
  %c = tensor.empty() : tensor<32x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<32x64xf32>) -> tensor<32x64xf32>
  %r = linalg.matmul ins(%x, %s : tensor<32x96xf32>, tensor<96x64xf32>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}

func.func @of_bytes(%x: tensor<2x2048xf32>) -> (tensor<2x1024xf32>, tensor<1024xf32>) {
  %w = util.global.load @bytes : tensor<2048x1024xi8>
  %e = tensor.empty() : tensor<2048x1024xf32>
  %wide = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%w : tensor<2048x1024xi8>) outs(%e : tensor<2048x1024xf32>) {
  ^bb0(%b: i8, %o: f32):
    %n = arith.sitofp %b : i8 to f32
    linalg.yield %n : f32
  } -> tensor<2048x1024xf32>
  %s = linalg.softmax dimension(1) ins(%wide : tensor<2048x1024xf32>) outs(%e : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  %zero = arith.constant 0.0 : f32
  %c = tensor.empty() : tensor<2x1024xf32>
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<2x1024xf32>) -> tensor<2x1024xf32>
  %r = linalg.matmul ins(%x, %s : tensor<2x2048xf32>, tensor<2048x1024xf32>) outs(%f : tensor<2x1024xf32>) -> tensor<2x1024xf32>
  %h = tensor.empty() : tensor<1024xf32>
  %g = linalg.fill ins(%zero : f32) outs(%h : tensor<1024xf32>) -> tensor<1024xf32>
  %columns = linalg.reduce ins(%r : tensor<2x1024xf32>) outs(%g : tensor<1024xf32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %sum = arith.addf %a, %b : f32
      linalg.yield %sum : f32
    }
  return %r, %columns : tensor<2x1024xf32>, tensor<1024xf32>
}

// $ raddle run %s --function=of_table | grep correct
// correct: all 2048 elements agree with the reference within 2.37e-6 + 2.38e-7·|expected| (325 bit for bit)

// $ raddle run %s --function=of_table --device=ptx-emu | grep correct
// correct: all 2048 elements agree with the reference within 2.37e-6 + 2.38e-7·|expected| (325 bit for bit)

// $ raddle run %s --function=of_table --target=gfx942 | grep correct
// correct: all 2048 elements agree with the reference within 2.37e-6 + 2.38e-7·|expected| (324 bit for bit)

// $ raddle run %s --function=of_table --device=cpu | grep -c correct
// 1

// $ raddle run %s --function=of_state | grep correct
// correct: all 2048 elements agree with the reference within 1.59e-6 + 2.38e-7·|expected| (384 bit for bit)

// $ raddle run %s --function=of_bytes --memory=1G | grep correct
// correct: result 0, all 2048 elements agree with the reference within 3.00e-5 + 2.38e-7·|expected| (261 bit for bit)
// correct: result 1, all 1024 elements agree with the reference within 4.26e-5 + 2.38e-7·|expected| (133 bit for bit)

// $ raddle opt %s --pass-pipeline=builtin.module(func.func(normalize,partition)) | grep util
//   util.global private @table = #flow.parameter.named<"table"> : tensor<96x64xf32>
//   util.global private @bytes = #flow.parameter.named<"bytes"> : tensor<2048x1024xi8>
//   util.global private mutable @state = dense<2.000000e+00> : tensor<96x64xf32>
//   util.global private mutable @of_table_hoisted_0 : tensor<96x64xf32>
//   util.initializer {
//     %0 = util.global.load @table : tensor<96x64xf32>
//     util.global.store %1, @of_table_hoisted_0 : tensor<96x64xf32>
//     util.return
//     %0 = util.global.load @of_table_hoisted_0 : tensor<96x64xf32>
//     %0 = util.global.load @state : tensor<96x64xf32>
//     %0 = util.global.load @bytes : tensor<2048x1024xi8>

// $ raddle build %s --function=of_table -o - | grep main
// remark[E0304]: the caller of `of_table` gives a weight that the text does not hold: `table`

// $ raddle bench %s --function=of_table --device=emu | grep workgroups
//   @of_table_kernel_1, 1 workgroups
