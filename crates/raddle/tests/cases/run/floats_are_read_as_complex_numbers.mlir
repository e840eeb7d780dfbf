// Pairs of floats become complex numbers and such become pairs again, as a rotary embedding of PyTorch has them
// (`view_as_complex`, `view_as_real`).
// RUN: raddle run %s --all
// RUN: raddle run %s --function=turned --input=1x2xf32=[3,4] --input=1xf32=0 --expected_output=1x2xf32=[3,4] | grep correct
func.func @turned(%x: tensor<?x2xf32>, %angle: tensor<?xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x2xf32>
  %z = iree_tensor_ext.bitcast %x : tensor<?x2xf32>{%n} -> tensor<?xcomplex<f32>>{%n}
  %e = tensor.empty(%n) : tensor<?xcomplex<f32>>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%z, %angle : tensor<?xcomplex<f32>>, tensor<?xf32>) outs(%e : tensor<?xcomplex<f32>>) {
  ^bb0(%in: complex<f32>, %a: f32, %out: complex<f32>):
    %cos = math.cos %a : f32
    %sin = math.sin %a : f32
    %turn = complex.create %cos, %sin : complex<f32>
    %product = complex.mul %in, %turn : complex<f32>
    linalg.yield %product : complex<f32>
  } -> tensor<?xcomplex<f32>>
  %1 = iree_tensor_ext.bitcast %0 : tensor<?xcomplex<f32>>{%n} -> tensor<?x2xf32>{%n}
  return %1 : tensor<?x2xf32>
}

// $ raddle run %s --all
// ok       @turned
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=turned --input=1x2xf32=[3,4] --input=1xf32=0 --expected_output=1x2xf32=[3,4] | grep correct
// correct: all 2 elements equal the expected output bit for bit
