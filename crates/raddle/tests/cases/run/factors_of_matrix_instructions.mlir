// Products whose factors have types that no matrix instruction takes together get factors that one takes, if these hold
// the same numbers; zero points, also those of unsigned bytes, are subtracted from the sums.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --all --target=gfx1100
// RUN: raddle run %s --all --target=x86-64-v4-vnni
// RUN: raddle opt %s --to=configured | grep -c mma_kind
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#sum = affine_map<(m, n, k) -> (m, n)>
#column = affine_map<(m, n, k) -> (n)>
#one = affine_map<(m, n, k) -> ()>
func.func @weights_of_bytes(%a: tensor<19x37xf16>, %b: tensor<37x21xi8>, %c: tensor<19x21xf32>) -> tensor<19x21xf32> {
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<19x37xf16>, tensor<37x21xi8>) outs(%c : tensor<19x21xf32>) {
  ^bb0(%x: f16, %y: i8, %o: f32):
    %u = arith.extf %x : f16 to f32
    %v = arith.sitofp %y : i8 to f32
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<19x21xf32>
  return %r : tensor<19x21xf32>
}
func.func @narrow_floats(%a: tensor<19x37xf8E5M2>, %b: tensor<37x21xf8E4M3FN>, %c: tensor<19x21xf32>) -> tensor<19x21xf32> {
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<19x37xf8E5M2>, tensor<37x21xf8E4M3FN>) outs(%c : tensor<19x21xf32>) {
  ^bb0(%x: f8E5M2, %y: f8E4M3FN, %o: f32):
    %u = arith.extf %x : f8E5M2 to f32
    %v = arith.extf %y : f8E4M3FN to f32
    %p = arith.mulf %u, %v : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<19x21xf32>
  return %r : tensor<19x21xf32>
}
func.func @bytes(%a: tensor<19x37xi8>, %b: tensor<37x21xi8>, %c: tensor<19x21xi32>) -> tensor<19x21xi32> {
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<19x37xi8>, tensor<37x21xi8>) outs(%c : tensor<19x21xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %u = arith.extui %x : i8 to i32
    %v = arith.extsi %y : i8 to i32
    %p = arith.muli %u, %v : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  } -> tensor<19x21xi32>
  return %r : tensor<19x21xi32>
}
func.func @zero_points(%a: tensor<?x37xi8>, %b: tensor<37x21xi8>, %q: tensor<21xi32>, %c: tensor<?x21xi32>) -> tensor<?x21xi32> {
  %three = arith.constant 3 : i32
  %r = linalg.generic {indexing_maps = [#lhs, #rhs, #column, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b, %q : tensor<?x37xi8>, tensor<37x21xi8>, tensor<21xi32>) outs(%c : tensor<?x21xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32, %o: i32):
    %u = arith.extui %x : i8 to i32
    %v = arith.extsi %y : i8 to i32
    %u0 = arith.subi %u, %three : i32
    %v0 = arith.subi %v, %z : i32
    %p = arith.muli %u0, %v0 : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  } -> tensor<?x21xi32>
  return %r : tensor<?x21xi32>
}
func.func @quantized(%a: tensor<19x37xi8>, %b: tensor<37x21xi8>, %p: i32, %q: i32, %c: tensor<19x21xi32>) -> tensor<19x21xi32> {
  %r = linalg.quantized_matmul ins(%a, %b, %p, %q : tensor<19x37xi8>, tensor<37x21xi8>, i32, i32) outs(%c : tensor<19x21xi32>) -> tensor<19x21xi32>
  return %r : tensor<19x21xi32>
}
func.func @quantized_windows(%x: tensor<1x8x9x16xi8>, %w: tensor<3x3x16x24xi8>, %p: i32, %q: i32, %c: tensor<1x6x7x24xi32>) -> tensor<1x6x7x24xi32> {
  %r = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %w, %p, %q : tensor<1x8x9x16xi8>, tensor<3x3x16x24xi8>, i32, i32) outs(%c : tensor<1x6x7x24xi32>) -> tensor<1x6x7x24xi32>
  return %r : tensor<1x6x7x24xi32>
}
// What was converted in front of the product, and moved behind that.
func.func @converted(%a: tensor<?x40xf16>, %b: tensor<3x8x40xf16>) -> tensor<?x24xf32> {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x40xf16>
  %x = arith.extf %a : tensor<?x40xf16> to tensor<?x40xf32>
  %y = arith.extf %b : tensor<3x8x40xf16> to tensor<3x8x40xf32>
  %rows = tensor.collapse_shape %y [[0, 1], [2]] : tensor<3x8x40xf32> into tensor<24x40xf32>
  %et = tensor.empty() : tensor<40x24xf32>
  %t = linalg.transpose ins(%rows : tensor<24x40xf32>) outs(%et : tensor<40x24xf32>) permutation = [1, 0]
  %e = tensor.empty(%n) : tensor<?x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x24xf32>) -> tensor<?x24xf32>
  %r = linalg.matmul ins(%x, %t : tensor<?x40xf32>, tensor<40x24xf32>) outs(%f : tensor<?x24xf32>) -> tensor<?x24xf32>
  return %r : tensor<?x24xf32>
}

// $ raddle run %s --all
// ok       @weights_of_bytes
// ok       @narrow_floats
// ok       @bytes
// ok       @zero_points
// ok       @quantized
// ok       @quantized_windows
// ok       @converted
// 7 functions: 7 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @weights_of_bytes
// ok       @narrow_floats
// ok       @bytes
// ok       @zero_points
// ok       @quantized
// ok       @quantized_windows
// ok       @converted
// 7 functions: 7 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx1100
// ok       @weights_of_bytes
// ok       @narrow_floats
// ok       @bytes
// ok       @zero_points
// ok       @quantized
// ok       @quantized_windows
// ok       @converted
// 7 functions: 7 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v4-vnni
// ok       @weights_of_bytes
// ok       @narrow_floats
// ok       @bytes
// ok       @zero_points
// ok       @quantized
// ok       @quantized_windows
// ok       @converted
// 7 functions: 7 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=configured | grep -c mma_kind
// 7
