// What a program asserts of extents is required in front of the first call: the function of C returns what does not hold, and
// callers of the launch data find the same. Comparisons and choices of extents are numbers of the sequence.
// RUN: raddle build %s --target=x86-64-v3 --function=same --emit=llvm | grep requirement
// RUN: raddle run %s --function=same --device=cpu-c --target=host --input=3x16xf32=1 --input=3x16xf32=2 | grep correct
// RUN: raddle run %s --function=same --device=cpu-c --target=host --input=3x16xf32=1 --input=4x16xf32=2
// RUN: raddle run %s --function=last --device=cpu-c --target=host --input=3x5xf32=2 | grep correct
// RUN: raddle run %s --function=turned --device=cpu-c --target=host --input=3x5x8xf32 --input=3x7x8xf32 | grep correct

func.func @same(%a: tensor<?x16xf32>, %b: tensor<?x16xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = tensor.dim %a, %c0 : tensor<?x16xf32>
  %m = tensor.dim %b, %c0 : tensor<?x16xf32>
  %wide = arith.index_cast %n : index to i64
  %other = arith.index_cast %m : index to i64
  %agree = arith.cmpi eq, %wide, %other : i64
  cf.assert %agree, "as many rows: \22a\22 and \22b\22"
  %few = arith.cmpi ule, %n, %c16 : index
  %some = arith.cmpi ne, %n, %c0 : index
  %fits = arith.andi %few, %some : i1
  cf.assert %fits, "1 to 16 rows"
  %true = arith.constant true
  cf.assert %true, "always"
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %sum = linalg.add ins(%a, %b : tensor<?x16xf32>, tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %e1 = tensor.empty(%n) : tensor<?xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.reduce ins(%sum : tensor<?x16xf32>) outs(%f1 : tensor<?xf32>) dimensions = [1]
    (%x: f32, %y: f32) { %s = arith.addf %x, %y : f32  linalg.yield %s : f32 }
  return %r : tensor<?xf32>
}

// The last column, as `x[:, -1]` is imported, in front of a softmax.
func.func @last(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %minus = arith.constant -1 : i64
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %dim = tensor.dim %x, %c1 : tensor<?x?xf32>
  %wide = arith.index_cast %dim : index to i64
  %back = arith.addi %wide, %minus : i64
  %is_inside = arith.cmpi sge, %back, %none : i64
  %again = arith.addi %back, %wide : i64
  %chosen = arith.select %is_inside, %back, %again : i64
  %low = arith.maxsi %chosen, %none : i64
  %high = arith.minsi %low, %wide : i64
  %at = arith.index_cast %high : i64 to index
  %column = tensor.extract_slice %x[0, %at] [%n, 1] [1, 1] : tensor<?x?xf32> to tensor<?x1xf32>
  %flat = tensor.collapse_shape %column [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.softmax dimension(0) ins(%flat : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<f32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<f32>) -> tensor<f32>
  %total = linalg.reduce ins(%f : tensor<?xf32>) outs(%f1 : tensor<f32>) dimensions = [0]
    (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32  linalg.yield %s : f32 }
  %e2 = tensor.empty(%n) : tensor<?xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%f, %total : tensor<?xf32>, tensor<f32>) outs(%e2 : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %g : tensor<?xf32>
}

// A sum of truth values wraps around: the function has no sequence.
// RUN: raddle build %s --target=x86-64-v3 --function=odd --emit=llvm | grep -c requirement
func.func @odd(%a: tensor<?x16xf32>, %p: i1, %q: i1) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x16xf32>
  %one = arith.addi %p, %q : i1
  cf.assert %one, "one of two"
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %s = linalg.softmax dimension(0) ins(%a : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %t = linalg.softmax dimension(1) ins(%s : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %t : tensor<?x16xf32>
}

// A reshape to the extents that are there already: a product of two kernels less.
// RUN: raddle build %s --target=sm_80 --function=turned | grep -c entry
func.func @turned(%a: tensor<?x?x8xf32>, %b: tensor<?x?x8xf32>) -> tensor<?x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %eight = arith.constant 8 : i64
  %batch = tensor.dim %a, %c0 : tensor<?x?x8xf32>
  %own = tensor.dim %b, %c0 : tensor<?x?x8xf32>
  %rows = tensor.dim %a, %c1 : tensor<?x?x8xf32>
  %columns = tensor.dim %b, %c1 : tensor<?x?x8xf32>
  %e = tensor.empty(%own, %columns) : tensor<?x8x?xf32>
  %t = linalg.transpose ins(%b : tensor<?x?x8xf32>) outs(%e : tensor<?x8x?xf32>) permutation = [0, 2, 1]
  %first = arith.index_cast %batch : index to i64
  %last = arith.index_cast %columns : index to i64
  %shape = tensor.from_elements %first, %eight, %last : tensor<3xi64>
  %same = tensor.reshape %t(%shape) : (tensor<?x8x?xf32>, tensor<3xi64>) -> tensor<?x8x?xf32>
  %e1 = tensor.empty(%batch, %rows, %columns) : tensor<?x?x?xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %r = linalg.batch_matmul ins(%a, %same : tensor<?x?x8xf32>, tensor<?x8x?xf32>) outs(%f1 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// $ raddle build %s --target=x86-64-v3 --function=same --emit=llvm | grep requirement
// @same$requirement0 = internal unnamed_addr constant [26 x i8] c"as many rows: \22a\22 and \22b\22\00"
// @same$requirement1 = internal unnamed_addr constant [13 x i8] c"1 to 16 rows\00"
//   %v13 = select i1 %v12, ptr null, ptr @same$requirement1
//   %v15 = select i1 %v14, ptr %v13, ptr @same$requirement0
//   %v13 = select i1 %v12, ptr null, ptr @same$requirement1
//   %v15 = select i1 %v14, ptr %v13, ptr @same$requirement0

// $ raddle run %s --function=same --device=cpu-c --target=host --input=3x16xf32=1 --input=3x16xf32=2 | grep correct
// correct: all 3 elements equal the reference bit for bit

// $ raddle run %s --function=same --device=cpu-c --target=host --input=3x16xf32=1 --input=4x16xf32=2
// error[E0817]: the assertion does not hold: as many rows: "a" and "b"
// [exit status 1]

// $ raddle run %s --function=last --device=cpu-c --target=host --input=3x5xf32=2 | grep correct
// correct: all 3 elements equal the reference bit for bit

// $ raddle run %s --function=turned --device=cpu-c --target=host --input=3x5x8xf32 --input=3x7x8xf32 | grep correct
// correct: all 105 elements equal the reference bit for bit

// $ raddle build %s --target=x86-64-v3 --function=odd --emit=llvm | grep -c requirement
// 0
// remark[E0701]: `odd` has no C function, only its kernels have: `arith.addi` is not one of the calls of a sequence
//   --> build/arguments_that_a_function_requires.mlir:73:3
//    |
// 73 |   %one = arith.addi %p, %q : i1
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ it is neither a call of a kernel, nor a reshape, nor arithmetic on extents
//    |
//    = note: `hosts` of the launch data says who calls them

// $ raddle build %s --target=sm_80 --function=turned | grep -c entry
// 1
