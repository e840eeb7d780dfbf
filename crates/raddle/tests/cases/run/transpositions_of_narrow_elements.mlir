// What is only moved fills registers: 32 elements of two bytes, or 64 of one.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle run %s --all --target=x86-64-v3
// RUN: raddle run %s --all --target=aarch64
// RUN: raddle opt %s --to=lowered --target=x86-64-v4 | grep "vector<64xi8>$"
func.func @halves(%a: tensor<64x33xf16>) -> tensor<33x64xf16> {
  %e = tensor.empty() : tensor<33x64xf16>
  %r = linalg.transpose ins(%a : tensor<64x33xf16>) outs(%e : tensor<33x64xf16>) permutation = [1, 0]
  return %r : tensor<33x64xf16>
}
func.func @bytes(%a: tensor<3x64x32xi8>) -> tensor<3x32x64xi8> {
  %e = tensor.empty() : tensor<3x32x64xi8>
  %r = linalg.transpose ins(%a : tensor<3x64x32xi8>) outs(%e : tensor<3x32x64xi8>) permutation = [0, 2, 1]
  return %r : tensor<3x32x64xi8>
}
func.func @few_rows(%a: tensor<64x7xi8>) -> tensor<7x64xi8> {
  %e = tensor.empty() : tensor<7x64xi8>
  %r = linalg.transpose ins(%a : tensor<64x7xi8>) outs(%e : tensor<7x64xi8>) permutation = [1, 0]
  return %r : tensor<7x64xi8>
}
func.func @added(%a: tensor<32x48xbf16>, %b: tensor<48x32xbf16>) -> tensor<48x32xbf16> {
  %e = tensor.empty() : tensor<48x32xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<32x48xbf16>, tensor<48x32xbf16>) outs(%e : tensor<48x32xbf16>) {
    ^bb0(%x: bf16, %y: bf16, %o: bf16):
      %s = arith.addf %x, %y : bf16
      linalg.yield %s : bf16
  } -> tensor<48x32xbf16>
  return %r : tensor<48x32xbf16>
}

// $ raddle run %s --all
// ok       @halves
// ok       @bytes
// ok       @few_rows
// ok       @added
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v4
// ok       @halves
// ok       @bytes
// ok       @few_rows
// ok       @added
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v3
// ok       @halves
// ok       @bytes
// ok       @few_rows
// ok       @added
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=aarch64
// ok       @halves
// ok       @bytes
// ok       @few_rows
// ok       @added
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=lowered --target=x86-64-v4 | grep "vector<64xi8>$"
