// Bytes without a sign, as PyTorch makes them of floats, are the low bits of an integer of 32 bits, on every machine.
// RUN: raddle run %s --input=2xf32=[200.9,-3.5] --expected_output=2xi8=[200,-3] | grep correct
// RUN: raddle run %s --input=2xf32=[200.9,-3.5] --expected_output=2xi8=[200,-3] --device=ptx-emu | grep correct
func.func @bytes(%x: tensor<2xf32>) -> tensor<2xi8> {
  %e = tensor.empty() : tensor<2xi8>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<2xf32>) outs(%e : tensor<2xi8>) {
  ^bb0(%in: f32, %out: i8):
    %i = arith.fptosi %in : f32 to i8
    linalg.yield %i : i8
  } -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// $ raddle run %s --input=2xf32=[200.9,-3.5] --expected_output=2xi8=[200,-3] | grep correct
// correct: all 2 elements equal the expected output bit for bit

// $ raddle run %s --input=2xf32=[200.9,-3.5] --expected_output=2xi8=[200,-3] --device=ptx-emu | grep correct
// correct: all 2 elements equal the expected output bit for bit
