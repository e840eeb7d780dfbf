// Remainders and cube roots of vectors: their elements go on until the last one is done.
// RUN: raddle build %s --target=x86-64-v4 --emit=ir -o - | grep scf.while
// RUN: raddle run %s --device=cpu | grep correct
// RUN: raddle run %s --target=sm_80 | grep correct
#id = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<1003xf32>, %y: tensor<1003xf32>, %z: tensor<1003xf64>) -> (tensor<1003xf32>, tensor<1003xf32>, tensor<1003xf64>) {
  %large = arith.constant 1.0e36 : f32
  %small = arith.constant 1.0e-3 : f32
  %infinite = arith.constant 0x7F800000 : f32
  %e = tensor.empty() : tensor<1003xf32>
  %d = tensor.empty() : tensor<1003xf64>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<1003xf32>, tensor<1003xf32>) outs(%e, %e : tensor<1003xf32>, tensor<1003xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %p: f32):
    // Every other divisor is so small that one step is not enough.
    %is = arith.cmpf ogt, %b, %small : f32
    %many = arith.mulf %a, %large : f32
    %dividend = arith.select %is, %a, %many : f32
    // Of an infinite divisor nothing is taken off.
    %less = arith.cmpf olt, %a, %b : f32
    %all = arith.andi %is, %less : i1
    %divisor = arith.select %all, %infinite, %b : f32
    %rest = arith.remf %dividend, %divisor : f32
    %root = math.cbrt %many : f32
    linalg.yield %rest, %root : f32, f32
  } -> (tensor<1003xf32>, tensor<1003xf32>)
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%z : tensor<1003xf64>) outs(%d : tensor<1003xf64>) {
  ^bb0(%a: f64, %o: f64):
    %root = math.cbrt %a : f64
    linalg.yield %root : f64
  } -> tensor<1003xf64>
  return %r#0, %r#1, %s : tensor<1003xf32>, tensor<1003xf32>, tensor<1003xf64>
}

// $ raddle build %s --target=x86-64-v4 --emit=ir -o - | grep scf.while
//     %57:2 = scf.while (%arg4 = %53, %arg5 = %55) : (vector<16xf32>, vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
//     %58:2 = scf.while (%arg4 = %54, %arg5 = %56) : (vector<16xf32>, vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
//     %83:2 = scf.while (%arg4 = %79, %arg5 = %81) : (vector<16xf32>, vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
//     %84:2 = scf.while (%arg4 = %80, %arg5 = %82) : (vector<16xf32>, vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {

// $ raddle run %s --device=cpu | grep correct
// correct: result 0, all 1003 elements agree with the reference within 2.01e-6 + 2.38e-7·|expected| (486 bit for bit)
// correct: result 1, all 1003 elements agree with the reference within 2.55e6 + 2.38e-7·|expected| (919 bit for bit)
// correct: result 2, all 1003 elements equal the reference bit for bit

// $ raddle run %s --target=sm_80 | grep correct
// correct: result 0, all 1003 elements agree with the reference within 2.01e-6 + 2.38e-7·|expected| (486 bit for bit)
// correct: result 1, all 1003 elements agree with the reference within 2.55e6 + 2.38e-7·|expected| (919 bit for bit)
// correct: result 2, all 1003 elements equal the reference bit for bit
