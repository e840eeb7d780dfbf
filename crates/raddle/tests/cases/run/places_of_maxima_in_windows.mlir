// The place of a maximum among those of its window reads the windows that the maximum is of, also of a padded tensor, which is
// in no memory.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle opt %s --to=configured | grep 'func.func'
func.func @places(%x: tensor<2x4x16x16xf32>) -> tensor<2x4x8x8xi64> {
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i64
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%b: index, %c: index, %h: index, %w: index):
      tensor.yield %least : f32
  } : tensor<2x4x16x16xf32> to tensor<2x4x18x18xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %0 = tensor.empty() : tensor<2x4x8x8xf32>
  %1 = linalg.fill ins(%least : f32) outs(%0 : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %m = linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>} ins(%p, %window : tensor<2x4x18x18xf32>, tensor<3x3xf32>)
      outs(%1 : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %2 = tensor.empty() : tensor<2x4x8x8xi64>
  %3 = linalg.fill ins(%none : i64) outs(%2 : tensor<2x4x8x8xi64>) -> tensor<2x4x8x8xi64>
  %counted = tensor.empty() : tensor<3x3xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(b, c, h, w, i, j) -> (b, c, h, w)>, affine_map<(b, c, h, w, i, j) -> (i, j)>, affine_map<(b, c, h, w, i, j) -> (b, c, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%m, %counted : tensor<2x4x8x8xf32>, tensor<3x3xi64>) outs(%3 : tensor<2x4x8x8xi64>) {
    ^bb0(%max: f32, %n: i64, %o: i64):
      %b = linalg.index 0 : index
      %c = linalg.index 1 : index
      %h = linalg.index 2 : index
      %w = linalg.index 3 : index
      %i = linalg.index 4 : index
      %j = linalg.index 5 : index
      %h2 = arith.muli %h, %c2 : index
      %hi = arith.addi %h2, %i : index
      %w2 = arith.muli %w, %c2 : index
      %wj = arith.addi %w2, %j : index
      %e = tensor.extract %p[%b, %c, %hi, %wj] : tensor<2x4x18x18xf32>
      %is = arith.cmpf oeq, %e, %max : f32
      %row = arith.subi %hi, %c1 : index
      %column = arith.subi %wj, %c1 : index
      %rows = arith.muli %row, %c16 : index
      %at = arith.addi %rows, %column : index
      %place = arith.index_cast %at : index to i64
      %found = arith.select %is, %place, %o : i64
      %first = arith.cmpi eq, %o, %none : i64
      %s = arith.select %first, %found, %o : i64
      linalg.yield %s : i64
  } -> tensor<2x4x8x8xi64>
  return %r : tensor<2x4x8x8xi64>
}

// $ raddle run %s --all
// ok       @places
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @places
// 1 function: 1 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=configured | grep 'func.func'
//   func.func @places(%arg0: tensor<2x4x16x16xf32>) -> tensor<2x4x8x8xi64> attributes {translation_info = #translation} {
