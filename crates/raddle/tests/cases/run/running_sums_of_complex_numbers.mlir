// Running sums of complex numbers are those of their parts, also where the body says so of each part.
// RUN: raddle run %s --function=of_numbers | grep correct
// RUN: raddle run %s --function=of_parts | grep correct
func.func @of_numbers(%z: tensor<5x7xcomplex<f32>>) -> (tensor<5x7xcomplex<f32>>, tensor<5xcomplex<f32>>) {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %e = tensor.empty() : tensor<5x7xcomplex<f32>>
  %n = tensor.splat %zero : tensor<5xcomplex<f32>>
  %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%z : tensor<5x7xcomplex<f32>>)
      outs(%e, %n : tensor<5x7xcomplex<f32>>, tensor<5xcomplex<f32>>) {
  ^body(%x: complex<f32>, %y: complex<f32>):
    %s = complex.add %x, %y : complex<f32>
    iree_linalg_ext.yield %s : complex<f32>
  } -> tensor<5x7xcomplex<f32>>, tensor<5xcomplex<f32>>
  return %r#0, %r#1 : tensor<5x7xcomplex<f32>>, tensor<5xcomplex<f32>>
}

func.func @of_parts(%z: tensor<5x7xcomplex<f32>>) -> tensor<5x7xcomplex<f32>> {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %e = tensor.empty() : tensor<5x7xcomplex<f32>>
  %n = tensor.splat %zero : tensor<7xcomplex<f32>>
  %r:2 = iree_linalg_ext.scan dimension(0) inclusive(true) ins(%z : tensor<5x7xcomplex<f32>>)
      outs(%e, %n : tensor<5x7xcomplex<f32>>, tensor<7xcomplex<f32>>) {
  ^body(%x: complex<f32>, %y: complex<f32>):
    %xr = complex.re %x : complex<f32>
    %yr = complex.re %y : complex<f32>
    %sr = arith.addf %xr, %yr : f32
    %xi = complex.im %x : complex<f32>
    %yi = complex.im %y : complex<f32>
    %si = arith.addf %xi, %yi : f32
    %s = complex.create %sr, %si : complex<f32>
    iree_linalg_ext.yield %s : complex<f32>
  } -> tensor<5x7xcomplex<f32>>, tensor<7xcomplex<f32>>
  return %r#0 : tensor<5x7xcomplex<f32>>
}


// Running products are of both parts at once.
// RUN: raddle run %s --function=products 2>&1 | grep error
func.func @products(%z: tensor<5x7xcomplex<f32>>) -> tensor<5x7xcomplex<f32>> {
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %e = tensor.empty() : tensor<5x7xcomplex<f32>>
  %n = tensor.splat %one : tensor<5xcomplex<f32>>
  %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%z : tensor<5x7xcomplex<f32>>)
      outs(%e, %n : tensor<5x7xcomplex<f32>>, tensor<5xcomplex<f32>>) {
  ^body(%x: complex<f32>, %y: complex<f32>):
    %s = complex.mul %x, %y : complex<f32>
    iree_linalg_ext.yield %s : complex<f32>
  } -> tensor<5x7xcomplex<f32>>, tensor<5xcomplex<f32>>
  return %r#0 : tensor<5x7xcomplex<f32>>
}

// $ raddle run %s --function=of_numbers | grep correct
// correct: result 0, all 70 elements agree with the reference within 1.17e-5 + 2.38e-7·|expected| (52 bit for bit)
// correct: result 1, all 10 elements agree with the reference within 1.03e-5 + 2.38e-7·|expected| (5 bit for bit)

// $ raddle run %s --function=of_parts | grep correct
// correct: all 70 elements agree with the reference within 4.79e-5 + 2.38e-7·|expected| (56 bit for bit)

// $ raddle run %s --function=products 2>&1 | grep error
// error[E0305]: `iree_linalg_ext.scan` does not become one on pairs of floats
// [exit status 1]
