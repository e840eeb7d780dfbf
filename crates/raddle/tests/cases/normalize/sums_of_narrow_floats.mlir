// Sums of 16-bit floats are of f32, and rounded once: parts of them may be larger than any number of 16 bits.
// RUN: raddle run %s --input=2x16xf16=60000,60000,60000,60000,60000,60000,60000,60000,-60000,-60000,-60000,-60000,-60000,-60000,-60000,-59000,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --expected_output=2xf16=992,136 --device=emu --quiet
// RUN: raddle run %s --input=2x16xf16=60000,60000,60000,60000,60000,60000,60000,60000,-60000,-60000,-60000,-60000,-60000,-60000,-60000,-59000,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --expected_output=2xf16=992,136 --device=ptx-emu --quiet
// RUN: raddle run %s --input=2x16xf16=60000,60000,60000,60000,60000,60000,60000,60000,-60000,-60000,-60000,-60000,-60000,-60000,-60000,-59000,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --expected_output=2xf16=992,136 --device=emu --target=gfx942 --quiet
// RUN: raddle run %s --input=2x16xf16=60000,60000,60000,60000,60000,60000,60000,60000,-60000,-60000,-60000,-60000,-60000,-60000,-60000,-59000,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --expected_output=2xf16=992,136 --device=cpu --quiet
func.func @rows(%x: tensor<2x16xf16>) -> tensor<2xf16> {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<2xf16>
  %begin = linalg.fill ins(%zero : f16) outs(%empty : tensor<2xf16>) -> tensor<2xf16>
  %sums = linalg.generic {
    indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%x : tensor<2x16xf16>) outs(%begin : tensor<2xf16>) {
  ^bb0(%a: f16, %s: f16):
    %t = arith.addf %a, %s : f16
    linalg.yield %t : f16
  } -> tensor<2xf16>
  return %sums : tensor<2xf16>
}

// $ raddle run %s --input=2x16xf16=60000,60000,60000,60000,60000,60000,60000,60000,-60000,-60000,-60000,-60000,-60000,-60000,-60000,-59000,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --expected_output=2xf16=992,136 --device=emu --quiet
// correct: all 2 elements equal the expected output bit for bit

// $ raddle run %s --input=2x16xf16=60000,60000,60000,60000,60000,60000,60000,60000,-60000,-60000,-60000,-60000,-60000,-60000,-60000,-59000,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --expected_output=2xf16=992,136 --device=ptx-emu --quiet
// correct: all 2 elements equal the expected output bit for bit

// $ raddle run %s --input=2x16xf16=60000,60000,60000,60000,60000,60000,60000,60000,-60000,-60000,-60000,-60000,-60000,-60000,-60000,-59000,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --expected_output=2xf16=992,136 --device=emu --target=gfx942 --quiet
// correct: all 2 elements equal the expected output bit for bit

// $ raddle run %s --input=2x16xf16=60000,60000,60000,60000,60000,60000,60000,60000,-60000,-60000,-60000,-60000,-60000,-60000,-60000,-59000,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --expected_output=2xf16=992,136 --device=cpu --quiet
// correct: all 2 elements equal the expected output bit for bit
