// Two numbers of 4 bits in each byte, put beside one another: pieces of one element are read without padding, so that what
// takes them out of the bytes is in the kernel that puts them together. It was three kernels.
// RUN: raddle build %s --target=sm_90a -o - | grep .entry
// RUN: raddle run %s --target=sm_90a --device=ptx-emu | grep correct
// RUN: raddle run %s --device=cpu | grep correct
#id = affine_map<(a, b) -> (a, b)>
func.func @unpacked(%q: tensor<33x70xi8>) -> tensor<33x70x2xi8> {
  %low = arith.constant 15 : i8
  %by = arith.constant 4 : i8
  %e = tensor.empty() : tensor<33x70xi8>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<33x70xi8>) outs(%e : tensor<33x70xi8>) {
  ^bb0(%in: i8, %o: i8):
    %r = arith.andi %in, %low : i8
    linalg.yield %r : i8
  } -> tensor<33x70xi8>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<33x70xi8>) outs(%e : tensor<33x70xi8>) {
  ^bb0(%in: i8, %o: i8):
    %r = arith.shrui %in, %by : i8
    linalg.yield %r : i8
  } -> tensor<33x70xi8>
  %x = tensor.expand_shape %a [[0], [1, 2]] output_shape [33, 70, 1] : tensor<33x70xi8> into tensor<33x70x1xi8>
  %y = tensor.expand_shape %b [[0], [1, 2]] output_shape [33, 70, 1] : tensor<33x70xi8> into tensor<33x70x1xi8>
  %r = tensor.concat dim(2) %x, %y : (tensor<33x70x1xi8>, tensor<33x70x1xi8>) -> tensor<33x70x2xi8>
  return %r : tensor<33x70x2xi8>
}

// $ raddle build %s --target=sm_90a -o - | grep .entry
// .visible .entry unpacked(

// $ raddle run %s --target=sm_90a --device=ptx-emu | grep correct
// correct: all 4620 elements equal the reference bit for bit

// $ raddle run %s --device=cpu | grep correct
// correct: all 4620 elements equal the reference bit for bit
