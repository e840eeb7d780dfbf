// A piece of a concatenation that is the second result of what computes it is that result, whatever the first one is.
// RUN: raddle run %s --all
func.func @mirrored(%a: tensor<17xcomplex<f32>>) -> tensor<32xcomplex<f32>> {
  %c15 = arith.constant 15 : index
  %e = tensor.empty() : tensor<15xcomplex<f32>>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<15xcomplex<f32>>) {
  ^bb0(%out: complex<f32>):
    %i = linalg.index 0 : index
    %at = arith.subi %c15, %i : index
    %x = tensor.extract %a[%at] : tensor<17xcomplex<f32>>
    %y = complex.conj %x : complex<f32>
    linalg.yield %y : complex<f32>
  } -> tensor<15xcomplex<f32>>
  %c = tensor.concat dim(0) %a, %r : (tensor<17xcomplex<f32>>, tensor<15xcomplex<f32>>) -> tensor<32xcomplex<f32>>
  return %c : tensor<32xcomplex<f32>>
}

// $ raddle run %s --all
// ok       @mirrored
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs
