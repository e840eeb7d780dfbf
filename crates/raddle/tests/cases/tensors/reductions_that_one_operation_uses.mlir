// Softmax as PyTorch writes it for attention: a row of which nothing is left is zero. What says so is another reduction, and the
// kernel of what uses both computes both, so that no probabilities go through memory.
// RUN: raddle opt %s --to configured | grep func.func
// RUN: raddle run %s --function=masked --target=sm_80 | grep correct
// RUN: raddle run %s --function=masked --target=sm_80 --input 6x37x96xf32=-inf | grep correct
// RUN: raddle run %s --function=open --target=sm_80 --input 5x37xf32=random | grep correct
// RUN: raddle run %s --function=gradient --target=sm_80 | grep correct
#abc = affine_map<(a, b, c) -> (a, b, c)>
#of_ab = affine_map<(a, b, c) -> (a, b)>
#ab = affine_map<(a, b) -> (a, b)>
#a = affine_map<(a, b) -> (a)>
func.func @masked(%x: tensor<6x37x96xf32>) -> tensor<6x37x96xf32> {
  %zero = arith.constant 0.0 : f32
  %nothing = arith.constant 0xFF800000 : f32
  %true = arith.constant true
  %rows = tensor.empty() : tensor<6x37xf32>
  %all = tensor.empty() : tensor<6x37x96xf32>
  %f = linalg.fill ins(%nothing : f32) outs(%rows : tensor<6x37xf32>) -> tensor<6x37xf32>
  %most = linalg.generic {indexing_maps = [#abc, #of_ab], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<6x37x96xf32>) outs(%f : tensor<6x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<6x37xf32>
  %e = linalg.generic {indexing_maps = [#abc, #of_ab, #abc], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %most : tensor<6x37x96xf32>, tensor<6x37xf32>) outs(%all : tensor<6x37x96xf32>) {
  ^bb0(%in: f32, %in1: f32, %out: f32):
    %1 = arith.subf %in, %in1 : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<6x37x96xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%rows : tensor<6x37xf32>) -> tensor<6x37xf32>
  %sum = linalg.generic {indexing_maps = [#abc, #of_ab], iterator_types = ["parallel", "parallel", "reduction"]} ins(%e : tensor<6x37x96xf32>) outs(%f0 : tensor<6x37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<6x37xf32>
  %p = linalg.generic {indexing_maps = [#abc, #of_ab, #abc], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %sum : tensor<6x37x96xf32>, tensor<6x37xf32>) outs(%all : tensor<6x37x96xf32>) {
  ^bb0(%in: f32, %in1: f32, %out: f32):
    %1 = arith.divf %in, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<6x37x96xf32>
  %bits = tensor.empty() : tensor<6x37x96xi1>
  %none = linalg.generic {indexing_maps = [#abc, #abc], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<6x37x96xf32>) outs(%bits : tensor<6x37x96xi1>) {
  ^bb0(%in: f32, %out: i1):
    %1 = arith.cmpf oeq, %in, %nothing : f32
    linalg.yield %1 : i1
  } -> tensor<6x37x96xi1>
  %of_rows = tensor.empty() : tensor<6x37xi1>
  %ft = linalg.fill ins(%true : i1) outs(%of_rows : tensor<6x37xi1>) -> tensor<6x37xi1>
  %empty = linalg.generic {indexing_maps = [#abc, #of_ab], iterator_types = ["parallel", "parallel", "reduction"]} ins(%none : tensor<6x37x96xi1>) outs(%ft : tensor<6x37xi1>) {
  ^bb0(%in: i1, %out: i1):
    %1 = arith.andi %in, %out : i1
    linalg.yield %1 : i1
  } -> tensor<6x37xi1>
  %r = linalg.generic {indexing_maps = [#of_ab, #abc, #abc], iterator_types = ["parallel", "parallel", "parallel"]} ins(%empty, %p : tensor<6x37xi1>, tensor<6x37x96xf32>) outs(%all : tensor<6x37x96xf32>) {
  ^bb0(%in: i1, %in1: f32, %out: f32):
    %1 = arith.select %in, %zero, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<6x37x96xf32>
  return %r : tensor<6x37x96xf32>
}

// The gradient of a softmax behind a product: what the product gives is multiplied by the probabilities where the sums of that
// are computed, which reads them anyway.
func.func @gradient(%a: tensor<72x32xf16>, %b: tensor<32x1056xf16>, %p: tensor<72x1056xf32>) -> tensor<72x1056xf32> {
  %zero = arith.constant 0.0 : f32
  %all = tensor.empty() : tensor<72x1056xf32>
  %rows = tensor.empty() : tensor<72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%all : tensor<72x1056xf32>) -> tensor<72x1056xf32>
  %given = linalg.matmul ins(%a, %b : tensor<72x32xf16>, tensor<32x1056xf16>) outs(%f : tensor<72x1056xf32>) -> tensor<72x1056xf32>
  %both = linalg.generic {indexing_maps = [#ab, #ab, #ab], iterator_types = ["parallel", "parallel"]} ins(%given, %p : tensor<72x1056xf32>, tensor<72x1056xf32>) outs(%all : tensor<72x1056xf32>) {
  ^bb0(%in: f32, %in1: f32, %out: f32):
    %1 = arith.mulf %in, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<72x1056xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%rows : tensor<72xf32>) -> tensor<72xf32>
  %sum = linalg.generic {indexing_maps = [#ab, #a], iterator_types = ["parallel", "reduction"]} ins(%both : tensor<72x1056xf32>) outs(%f0 : tensor<72xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<72xf32>
  %r = linalg.generic {indexing_maps = [#ab, #ab, #a, #ab], iterator_types = ["parallel", "parallel"]} ins(%both, %p, %sum : tensor<72x1056xf32>, tensor<72x1056xf32>, tensor<72xf32>) outs(%all : tensor<72x1056xf32>) {
  ^bb0(%in: f32, %in1: f32, %in2: f32, %out: f32):
    %1 = arith.mulf %in1, %in2 : f32
    %2 = arith.subf %in, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<72x1056xf32>
  return %r : tensor<72x1056xf32>
}

// The same of any number of rows: what is left of a row without its sum, times the greatest of it.
func.func @open(%x: tensor<?x37xf32>) -> tensor<?x37xf32> {
  %zero = arith.constant 0.0 : f32
  %nothing = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x37xf32>
  %rows = tensor.empty(%n) : tensor<?xf32>
  %all = tensor.empty(%n) : tensor<?x37xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %f1 = linalg.fill ins(%nothing : f32) outs(%rows : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#ab, #a], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x37xf32>) outs(%f0 : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.addf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %less = linalg.generic {indexing_maps = [#ab, #a, #ab], iterator_types = ["parallel", "parallel"]} ins(%x, %sum : tensor<?x37xf32>, tensor<?xf32>) outs(%all : tensor<?x37xf32>) {
  ^bb0(%in: f32, %in1: f32, %out: f32):
    %1 = arith.subf %in, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<?x37xf32>
  %most = linalg.generic {indexing_maps = [#ab, #a], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x37xf32>) outs(%f1 : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.maximumf %in, %out : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#ab, #a, #ab], iterator_types = ["parallel", "parallel"]} ins(%less, %most : tensor<?x37xf32>, tensor<?xf32>) outs(%all : tensor<?x37xf32>) {
  ^bb0(%in: f32, %in1: f32, %out: f32):
    %1 = arith.mulf %in, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<?x37xf32>
  return %r : tensor<?x37xf32>
}

// $ raddle opt %s --to configured | grep func.func
//   func.func @masked(%arg0: tensor<6x37x96xf32>) -> tensor<6x37x96xf32> attributes {translation_info = #translation} {
//   func.func @open(%arg0: tensor<?x37xf32>) -> tensor<?x37xf32> attributes {translation_info = #translation1} {
//   func.func @gradient_kernel_0(%arg0: tensor<72x32xf16>, %arg1: tensor<32x1056xf16>) -> tensor<72x1056xf32> attributes {translation_info = #translation2} {
//   func.func @gradient_kernel_1(%arg0: tensor<72x1056xf32>, %arg1: tensor<72x1056xf32>) -> tensor<72x1056xf32> attributes {translation_info = #translation2} {

// $ raddle run %s --function=masked --target=sm_80 | grep correct
// correct: all 21312 elements agree with the reference within 2.43e-7 + 2.38e-7·|expected| (8129 bit for bit)

// $ raddle run %s --function=masked --target=sm_80 --input 6x37x96xf32=-inf | grep correct
// correct: all 21312 elements equal the reference bit for bit

// $ raddle run %s --function=open --target=sm_80 --input 5x37xf32=random | grep correct
// correct: all 185 elements agree with the reference within 1.59e-4 + 2.38e-7·|expected| (37 bit for bit)

// $ raddle run %s --function=gradient --target=sm_80 | grep correct
// correct: all 76032 elements agree with the reference within 3.92e-3 + 2.38e-7·|expected| (10841 bit for bit)
