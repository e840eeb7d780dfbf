// An image of open extents that is scaled by floats, as PyTorch's `Upsample(scale_factor=1.5)` is imported: the floats are
// numbers of the sequence, by their bits, and the function of C computes them.
// RUN: raddle build %s --target=x86-64-v3 --emit=llvm --function=scaled | grep -c fptosi.sat
// RUN: raddle run %s --function=scaled --device=cpu-c --target=host --input=3x16xf32=random | grep correct
// RUN: raddle run %s --function=scaled --device=cpu-c --target=host --input=7x16xf32=random | grep correct
// RUN: raddle run %s --function=scaled --input=7x16xf32=random | grep correct
// RUN: raddle build %s --target=x86-64-v3 --emit=llvm --function=narrow 2>&1 | grep E0701

func.func @scaled(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 1.5 : f32
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %wide = arith.index_cast %n : index to i64
  %rows = arith.sitofp %wide : i64 to f32
  %more = arith.mulf %rows, %scale : f32
  %whole = math.floor %more : f32
  %number = arith.fptosi %whole : f32 to i64
  %m = arith.index_cast %number : i64 to index
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %sum = linalg.reduce ins(%x : tensor<?x16xf32>) outs(%f : tensor<16xf32>) dimensions = [0]
    (%a: f32, %b: f32) { %s = arith.addf %a, %b : f32  linalg.yield %s : f32 }
  %e1 = tensor.empty(%m) : tensor<?x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<16xf32>) outs(%e1 : tensor<?x16xf32>) {
  ^bb0(%s: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %iw = arith.index_cast %i : index to i64
    %at = arith.sitofp %iw : i64 to f32
    %back = arith.divf %at, %scale : f32
    %from = arith.fptosi %back : f32 to i64
    %row = arith.index_cast %from : i64 to index
    %v = tensor.extract %x[%row, %j] : tensor<?x16xf32>
    %d = arith.subf %v, %s : f32
    %t = arith.addf %d, %more : f32
    linalg.yield %t : f32
  } -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}

// Only f32 and f64 are numbers of a sequence.
func.func @narrow(%x: tensor<?x16xf16>) -> tensor<?x16xf16> {
  %c0 = arith.constant 0 : index
  %scale = arith.constant 0.5 : f16
  %n = tensor.dim %x, %c0 : tensor<?x16xf16>
  %wide = arith.index_cast %n : index to i64
  %rows = arith.sitofp %wide : i64 to f16
  %less = arith.mulf %rows, %scale : f16
  %number = arith.fptosi %less : f16 to i64
  %m = arith.index_cast %number : i64 to index
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<16xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<16xf16>) -> tensor<16xf16>
  %sum = linalg.reduce ins(%x : tensor<?x16xf16>) outs(%f : tensor<16xf16>) dimensions = [0]
    (%a: f16, %b: f16) { %s = arith.addf %a, %b : f16  linalg.yield %s : f16 }
  %e1 = tensor.empty(%m) : tensor<?x16xf16>
  %r = linalg.broadcast ins(%sum : tensor<16xf16>) outs(%e1 : tensor<?x16xf16>) dimensions = [0]
  return %r : tensor<?x16xf16>
}

// $ raddle build %s --target=x86-64-v3 --emit=llvm --function=scaled | grep -c fptosi.sat
// 2

// $ raddle run %s --function=scaled --device=cpu-c --target=host --input=3x16xf32=random | grep correct
// correct: all 64 elements agree with the reference within 2.44e-5 + 2.38e-7·|expected| (55 bit for bit)

// $ raddle run %s --function=scaled --device=cpu-c --target=host --input=7x16xf32=random | grep correct
// correct: all 160 elements agree with the reference within 5.75e-5 + 2.38e-7·|expected| (134 bit for bit)

// $ raddle run %s --function=scaled --input=7x16xf32=random | grep correct
// correct: all 160 elements agree with the reference within 5.75e-5 + 2.38e-7·|expected| (140 bit for bit)

// $ raddle build %s --target=x86-64-v3 --emit=llvm --function=narrow 2>&1 | grep E0701
// remark[E0701]: `narrow` has no C function, only its kernels have: `arith.sitofp` is not one of the calls of a sequence
