// Complex numbers in products, reductions, convolutions, slices, bodies with real numbers beside them, and globals.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --function=dyn --quiet --input=20x33xcomplex<f32>=1+1j --input=33x9xcomplex<f32>=0-1j --expected_output=20x9xcomplex<f32>=33-33j
// RUN: raddle build %s --function=matvec -o - | grep entry
func.func @dyn(%a: tensor<?x?xcomplex<f32>>, %b: tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xcomplex<f32>>
  %n = tensor.dim %b, %c1 : tensor<?x?xcomplex<f32>>
  %z = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %e = tensor.empty(%m, %n) : tensor<?x?xcomplex<f32>>
  %f = linalg.fill ins(%z : complex<f32>) outs(%e : tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xcomplex<f32>>, tensor<?x?xcomplex<f32>>) outs(%f : tensor<?x?xcomplex<f32>>) -> tensor<?x?xcomplex<f32>>
  return %r : tensor<?x?xcomplex<f32>>
}
func.func @prod(%a: tensor<6x9xcomplex<f32>>) -> tensor<6xcomplex<f32>> {
  %z = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %e = tensor.empty() : tensor<6xcomplex<f32>>
  %f = linalg.fill ins(%z : complex<f32>) outs(%e : tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  %r = linalg.reduce ins(%a : tensor<6x9xcomplex<f32>>) outs(%f : tensor<6xcomplex<f32>>) dimensions = [1] (%x: complex<f32>, %o: complex<f32>) {
    %m = complex.mul %o, %x : complex<f32>
    linalg.yield %m : complex<f32>
  }
  return %r : tensor<6xcomplex<f32>>
}
func.func @conv(%a: tensor<2x16x3xcomplex<f32>>, %w: tensor<4x3x5xcomplex<f32>>) -> tensor<2x13x5xcomplex<f32>> {
  %z = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %e = tensor.empty() : tensor<2x13x5xcomplex<f32>>
  %f = linalg.fill ins(%z : complex<f32>) outs(%e : tensor<2x13x5xcomplex<f32>>) -> tensor<2x13x5xcomplex<f32>>
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %w : tensor<2x16x3xcomplex<f32>>, tensor<4x3x5xcomplex<f32>>) outs(%f : tensor<2x13x5xcomplex<f32>>) -> tensor<2x13x5xcomplex<f32>>
  return %r : tensor<2x13x5xcomplex<f32>>
}
func.func @batch(%a: tensor<3x16x33xcomplex<f16>>, %b: tensor<3x33x20xcomplex<f16>>, %c: tensor<3x16x20xcomplex<f16>>) -> tensor<3x16x20xcomplex<f16>> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<3x16x33xcomplex<f16>>, tensor<3x33x20xcomplex<f16>>) outs(%c : tensor<3x16x20xcomplex<f16>>) -> tensor<3x16x20xcomplex<f16>>
  return %r : tensor<3x16x20xcomplex<f16>>
}
func.func @dot(%a: tensor<133xcomplex<f32>>, %b: tensor<133xcomplex<f32>>, %c: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %r = linalg.dot ins(%a, %b : tensor<133xcomplex<f32>>, tensor<133xcomplex<f32>>) outs(%c : tensor<complex<f32>>) -> tensor<complex<f32>>
  return %r : tensor<complex<f32>>
}
func.func @matvec(%a: tensor<40x33xcomplex<f32>>, %b: tensor<33xcomplex<f32>>, %c: tensor<40xcomplex<f32>>) -> tensor<40xcomplex<f32>> {
  %r = linalg.matvec ins(%a, %b : tensor<40x33xcomplex<f32>>, tensor<33xcomplex<f32>>) outs(%c : tensor<40xcomplex<f32>>) -> tensor<40xcomplex<f32>>
  return %r : tensor<40xcomplex<f32>>
}
func.func @mixed(%a: tensor<40xcomplex<f32>>, %s: tensor<40xf32>, %k: tensor<40xi1>) -> (tensor<40xcomplex<f32>>, tensor<40xf32>) {
  %e = tensor.empty() : tensor<40xcomplex<f32>>
  %g = tensor.empty() : tensor<40xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i)->(i)>,affine_map<(i)->(i)>,affine_map<(i)->(i)>,affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%a, %s, %k : tensor<40xcomplex<f32>>, tensor<40xf32>, tensor<40xi1>) outs(%e, %g : tensor<40xcomplex<f32>>, tensor<40xf32>) {
  ^bb0(%x: complex<f32>, %y: f32, %b: i1, %o: complex<f32>, %p: f32):
    %z = complex.create %y, %y : complex<f32>
    %1 = complex.pow %x, %z : complex<f32>
    %2 = arith.select %b, %1, %x : complex<f32>
    %3 = complex.eq %2, %x : complex<f32>
    %one = arith.constant 1.0 : f32
    %4 = arith.select %3, %one, %y : f32
    linalg.yield %2, %4 : complex<f32>, f32
  } -> (tensor<40xcomplex<f32>>, tensor<40xf32>)
  return %r#0, %r#1 : tensor<40xcomplex<f32>>, tensor<40xf32>
}
func.func @pieces(%a: tensor<8x6xcomplex<f64>>, %b: tensor<2x6xcomplex<f64>>) -> (tensor<8x6xcomplex<f64>>, tensor<48xcomplex<f64>>, tensor<4x2x6xcomplex<f64>>, tensor<6x8xcomplex<f64>>) {
  %i = tensor.insert_slice %b into %a[3, 0][2, 6][1, 1] : tensor<2x6xcomplex<f64>> into tensor<8x6xcomplex<f64>>
  %c = tensor.collapse_shape %i [[0, 1]] : tensor<8x6xcomplex<f64>> into tensor<48xcomplex<f64>>
  %e = tensor.expand_shape %a [[0, 1], [2]] output_shape [4, 2, 6] : tensor<8x6xcomplex<f64>> into tensor<4x2x6xcomplex<f64>>
  %g = tensor.generate {
  ^bb0(%x: index, %y: index):
    %v = tensor.extract %a[%y, %x] : tensor<8x6xcomplex<f64>>
    %w = complex.exp %v : complex<f64>
    tensor.yield %w : complex<f64>
  } : tensor<6x8xcomplex<f64>>
  return %i, %c, %e, %g : tensor<8x6xcomplex<f64>>, tensor<48xcomplex<f64>>, tensor<4x2x6xcomplex<f64>>, tensor<6x8xcomplex<f64>>
}
func.func @bits(%a: tensor<40xcomplex<f32>>) -> tensor<40xcomplex<f32>> {
  %e = tensor.empty() : tensor<40xcomplex<f32>>
  %r = linalg.generic {indexing_maps = [affine_map<(i)->(i)>,affine_map<(i)->(i)>], iterator_types=["parallel"]} ins(%a : tensor<40xcomplex<f32>>) outs(%e : tensor<40xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %o: complex<f32>):
    %1 = complex.bitcast %x : complex<f32> to i64
    %k = arith.constant 32 : i64
    %2 = arith.shrui %1, %k : i64
    %3 = arith.shli %1, %k : i64
    %4 = arith.ori %2, %3 : i64
    %5 = complex.bitcast %4 : i64 to complex<f32>
    linalg.yield %5 : complex<f32>
  } -> tensor<40xcomplex<f32>>
  return %r : tensor<40xcomplex<f32>>
}
util.global private @g = dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>
func.func @glob(%a: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %g = util.global.load @g : tensor<4xcomplex<f32>>
  %r = linalg.add ins(%a, %g : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) outs(%a : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

// $ raddle run %s --all
// ok       @dyn
// ok       @prod
// ok       @conv
// ok       @batch
// ok       @dot
// ok       @matvec
// ok       @mixed
// ok       @pieces
// ok       @bits
// ok       @glob
// 10 functions: 10 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @dyn
// ok       @prod
// ok       @conv
// ok       @batch
// ok       @dot
// ok       @matvec
// ok       @mixed
// ok       @pieces
// ok       @bits
// ok       @glob
// 10 functions: 10 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=dyn --quiet --input=20x33xcomplex<f32>=1+1j --input=33x9xcomplex<f32>=0-1j --expected_output=20x9xcomplex<f32>=33-33j
// correct: all 360 elements equal the expected output bit for bit

// $ raddle build %s --function=matvec -o - | grep entry
// .visible .entry matvec(
