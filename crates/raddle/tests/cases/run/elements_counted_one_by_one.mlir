// Elements whose numbers count down, or up, one by one are read as vectors, and turned around.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=x86-64-v4
// RUN: raddle run %s --all --target=x86-64-v3
// RUN: raddle opt %s --to=lowered --target=x86-64-v4 | grep vector.shuffle
// RUN: raddle opt %s --to=lowered --target=x86-64-v4 | grep -c memref.load
func.func @down(%a: tensor<3x90xf32>) -> tensor<3x90xf32> {
  %e = tensor.empty() : tensor<3x90xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<3x90xf32>) {
    ^bb0(%o: f32):
      %last = arith.constant 89 : index
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = arith.subi %last, %j : index
      %x = tensor.extract %a[%i, %k] : tensor<3x90xf32>
      linalg.yield %x : f32
  } -> tensor<3x90xf32>
  return %r : tensor<3x90xf32>
}
func.func @up(%a: tensor<100xi8>) -> tensor<50xi8> {
  %e = tensor.empty() : tensor<50xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<50xi8>) {
    ^bb0(%o: i8):
      %first = arith.constant 20 : index
      %i = linalg.index 0 : index
      %k = arith.addi %i, %first : index
      %x = tensor.extract %a[%k] : tensor<100xi8>
      linalg.yield %x : i8
  } -> tensor<50xi8>
  return %r : tensor<50xi8>
}
func.func @both(%a: tensor<17x33xf16>) -> tensor<17x33xf16> {
  %e = tensor.empty() : tensor<17x33xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<17x33xf16>) {
    ^bb0(%o: f16):
      %rows = arith.constant 16 : index
      %columns = arith.constant 32 : index
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %h = arith.subi %rows, %i : index
      %k = arith.subi %columns, %j : index
      %x = tensor.extract %a[%h, %k] : tensor<17x33xf16>
      linalg.yield %x : f16
  } -> tensor<17x33xf16>
  return %r : tensor<17x33xf16>
}

// $ raddle run %s --all
// ok       @down
// ok       @up
// ok       @both
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v4
// ok       @down
// ok       @up
// ok       @both
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=x86-64-v3
// ok       @down
// ok       @up
// ok       @both
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=lowered --target=x86-64-v4 | grep vector.shuffle
//     %14 = vector.shuffle %13, %13 [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0] : vector<16xf32>, vector<16xf32>
//     %19 = vector.shuffle %18, %18 [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0] : vector<16xf32>, vector<16xf32>
//     %24 = vector.shuffle %23, %23 [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0] : vector<16xf32>, vector<16xf32>
//     %3 = vector.shuffle %2, %2 [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0] : vector<16xf16>, vector<16xf16>
//     %6 = vector.shuffle %5, %5 [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0] : vector<16xf16>, vector<16xf16>

// $ raddle opt %s --to=lowered --target=x86-64-v4 | grep -c memref.load
// 1
