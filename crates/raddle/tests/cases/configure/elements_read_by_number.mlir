// Neighbours that are read by number lie anywhere: lanes go side by side along a row, and images are widened behind the read.
// Rows of a table are read whole.
// RUN: raddle opt %s --to=configured | grep -e func.func -e tensor.extract -e lowering_config
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu --target=sm_90a
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --all --device=cpu
#image = affine_map<(c, y, x) -> (c, y, x)>
#row = affine_map<(c, y, x) -> (y)>
#column = affine_map<(c, y, x) -> (x)>

func.func @larger_image(%image: tensor<24x16x20xf16>) -> tensor<24x64x80xf16> {
  %ew = tensor.empty() : tensor<24x16x20xf32>
  %wide = linalg.generic {indexing_maps = [#image, #image], iterator_types = ["parallel", "parallel", "parallel"]} ins(%image : tensor<24x16x20xf16>) outs(%ew : tensor<24x16x20xf32>) {
  ^bb0(%x: f16, %out: f32):
    %w = arith.extf %x : f16 to f32
    linalg.yield %w : f32
  } -> tensor<24x16x20xf32>
  %ey = tensor.empty() : tensor<64xi64>
  %ys = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%ey : tensor<64xi64>) {
  ^bb0(%out: i64):
    %c4 = arith.constant 4 : i64
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %q = arith.divsi %n, %c4 : i64
    linalg.yield %q : i64
  } -> tensor<64xi64>
  %ex = tensor.empty() : tensor<80xi64>
  %xs = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%ex : tensor<80xi64>) {
  ^bb0(%out: i64):
    %c4 = arith.constant 4 : i64
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %q = arith.divsi %n, %c4 : i64
    linalg.yield %q : i64
  } -> tensor<80xi64>
  %eo = tensor.empty() : tensor<24x64x80xf16>
  %large = linalg.generic {indexing_maps = [#row, #column, #image], iterator_types = ["parallel", "parallel", "parallel"]} ins(%ys, %xs : tensor<64xi64>, tensor<80xi64>) outs(%eo : tensor<24x64x80xf16>) {
  ^bb0(%y: i64, %x: i64, %out: f16):
    %c = linalg.index 0 : index
    %yi = arith.index_cast %y : i64 to index
    %xi = arith.index_cast %x : i64 to index
    %e = tensor.extract %wide[%c, %yi, %xi] : tensor<24x16x20xf32>
    %half = arith.constant 0.5 : f32
    %h = arith.mulf %e, %half : f32
    %t = arith.truncf %h : f32 to f16
    linalg.yield %t : f16
  } -> tensor<24x64x80xf16>
  return %large : tensor<24x64x80xf16>
}

func.func @rows_of_a_table(%table: tensor<100x256xf16>, %words: tensor<48xi32>) -> tensor<48x256xf16> {
  %e = tensor.empty() : tensor<48x256xf16>
  %rows = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%words : tensor<48xi32>) outs(%e : tensor<48x256xf16>) {
  ^bb0(%word: i32, %out: f16):
    %c100 = arith.constant 100 : i32
    %known = arith.remui %word, %c100 : i32
    %row = arith.index_cast %known : i32 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %table[%row, %j] : tensor<100x256xf16>
    linalg.yield %x : f16
  } -> tensor<48x256xf16>
  return %rows : tensor<48x256xf16>
}

// $ raddle opt %s --to=configured | grep -e func.func -e tensor.extract -e lowering_config
//   func.func @larger_image(%arg0: tensor<24x16x20xf16>) -> tensor<24x64x80xf16> attributes {translation_info = #translation} {
//     %5 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %3 : tensor<64xi64>, tensor<80xi64>) outs(%4 : tensor<24x64x80xf16>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 1, 32], [0, 1, 2]], subgroup_basis = [[1, 2, 2], [0, 1, 2]], thread = [1, 1, 2], workgroup = [1, 2, 128]}>} {
//       %extracted = tensor.extract %arg0[%6, %7, %8] : tensor<24x16x20xf16>
//   func.func @rows_of_a_table(%arg0: tensor<100x256xf16>, %arg1: tensor<48xi32>) -> tensor<48x256xf16> attributes {translation_info = #translation1} {
//     %1 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<48xi32>) outs(%0 : tensor<48x256xf16>) attrs =  {lowering_config = #iree_gpu.lowering_config<{lane_basis = [[1, 32], [0, 1]], subgroup_basis = [[1, 1], [0, 1]], thread = [1, 8], workgroup = [1, 256]}>} {
//       %extracted = tensor.extract %arg0[%3, %4] : tensor<100x256xf16>

// $ raddle run %s --all
// ok       @larger_image
// ok       @rows_of_a_table
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu --target=sm_90a
// ok       @larger_image
// ok       @rows_of_a_table
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @larger_image
// ok       @rows_of_a_table
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=cpu
// ok       @larger_image
// ok       @rows_of_a_table
// 2 functions: 2 right, 0 refused, 0 wrong, 0 bugs
