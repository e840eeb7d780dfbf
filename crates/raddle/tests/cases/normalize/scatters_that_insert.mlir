// A scatter whose places count along what it scatters is an insertion, as `index_copy` of PyTorch puts the key of a token
// into a cache; the kernel reads the place from memory.
// RUN: raddle opt %s --normalize | grep -e insert_slice -e scatter
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// RUN: raddle run %s --function=token --input=1x2x8x16xf32=0 --input=1x2x1x16xf32=1 --input=1xi64=5 --quiet
// RUN: raddle run %s --function=token --input=1x2x8x16xf32=0 --input=1x2x1x16xf32=1 --input=1xi64=5 --quiet --device=ptx-emu
// RUN: raddle run %s --function=other --input=1x2x8x16xf32=0 --input=1x2x1x16xf32=1 --input=2xi64=[1,0] --quiet
func.func @token(%cache: tensor<1x2x8x16xf32>, %new: tensor<1x2x1x16xf32>, %at: tensor<1xi64>) -> tensor<1x2x8x16xf32> {
  %c0 = arith.constant 0 : i64
  %e2 = tensor.empty() : tensor<2xi64>
  %two = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e2 : tensor<2xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    linalg.yield %j : i64
  } -> tensor<2xi64>
  %e16 = tensor.empty() : tensor<16xi64>
  %sixteen = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e16 : tensor<16xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    linalg.yield %j : i64
  } -> tensor<16xi64>
  %e1 = tensor.empty() : tensor<1xi64>
  %zero = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e1 : tensor<1xi64>) {
  ^bb0(%out: i64):
    linalg.yield %c0 : i64
  } -> tensor<1xi64>
  %rows = tensor.expand_shape %two [[0, 1]] output_shape [2, 1] : tensor<2xi64> into tensor<2x1xi64>
  %e = tensor.empty() : tensor<1x2x1x16xi64>
  %a = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%zero : tensor<1xi64>) outs(%e : tensor<1x2x1x16xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<1x2x1x16xi64>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%rows : tensor<2x1xi64>) outs(%e : tensor<1x2x1x16xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<1x2x1x16xi64>
  %c = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%at : tensor<1xi64>) outs(%e : tensor<1x2x1x16xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<1x2x1x16xi64>
  %d = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sixteen : tensor<16xi64>) outs(%e : tensor<1x2x1x16xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<1x2x1x16xi64>
  %a1 = tensor.collapse_shape %a [[0, 1, 2, 3]] : tensor<1x2x1x16xi64> into tensor<32xi64>
  %b1 = tensor.collapse_shape %b [[0, 1, 2, 3]] : tensor<1x2x1x16xi64> into tensor<32xi64>
  %c1 = tensor.collapse_shape %c [[0, 1, 2, 3]] : tensor<1x2x1x16xi64> into tensor<32xi64>
  %d1 = tensor.collapse_shape %d [[0, 1, 2, 3]] : tensor<1x2x1x16xi64> into tensor<32xi64>
  %a2 = tensor.expand_shape %a1 [[0, 1]] output_shape [32, 1] : tensor<32xi64> into tensor<32x1xi64>
  %b2 = tensor.expand_shape %b1 [[0, 1]] output_shape [32, 1] : tensor<32xi64> into tensor<32x1xi64>
  %c2 = tensor.expand_shape %c1 [[0, 1]] output_shape [32, 1] : tensor<32xi64> into tensor<32x1xi64>
  %d2 = tensor.expand_shape %d1 [[0, 1]] output_shape [32, 1] : tensor<32xi64> into tensor<32x1xi64>
  %places = tensor.concat dim(1) %a2, %b2, %c2, %d2 : (tensor<32x1xi64>, tensor<32x1xi64>, tensor<32x1xi64>, tensor<32x1xi64>) -> tensor<32x4xi64>
  %line = tensor.collapse_shape %new [[0, 1, 2, 3]] : tensor<1x2x1x16xf32> into tensor<32xf32>
  %r = iree_linalg_ext.scatter dimension_map = [0, 1, 2, 3] unique_indices(true) ins(%line, %places : tensor<32xf32>, tensor<32x4xi64>) outs(%cache : tensor<1x2x8x16xf32>) {
  ^bb0(%x: f32, %y: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<1x2x8x16xf32>
  return %r : tensor<1x2x8x16xf32>
}
// The rows come from memory as well, in any order: this stays a scatter.
func.func @other(%cache: tensor<1x2x8x16xf32>, %new: tensor<1x2x1x16xf32>, %rows: tensor<2xi64>) -> tensor<1x2x8x16xf32> {
  %c0 = arith.constant 0 : i64
  %e16 = tensor.empty() : tensor<16xi64>
  %sixteen = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e16 : tensor<16xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    linalg.yield %j : i64
  } -> tensor<16xi64>
  %e1 = tensor.empty() : tensor<1xi64>
  %zero = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e1 : tensor<1xi64>) {
  ^bb0(%out: i64):
    linalg.yield %c0 : i64
  } -> tensor<1xi64>
  %e = tensor.empty() : tensor<1x2x1x16xi64>
  %a = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%zero : tensor<1xi64>) outs(%e : tensor<1x2x1x16xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<1x2x1x16xi64>
  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%rows : tensor<2xi64>) outs(%e : tensor<1x2x1x16xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<1x2x1x16xi64>
  %d = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sixteen : tensor<16xi64>) outs(%e : tensor<1x2x1x16xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  } -> tensor<1x2x1x16xi64>
  %a1 = tensor.collapse_shape %a [[0, 1, 2, 3]] : tensor<1x2x1x16xi64> into tensor<32xi64>
  %b1 = tensor.collapse_shape %b [[0, 1, 2, 3]] : tensor<1x2x1x16xi64> into tensor<32xi64>
  %d1 = tensor.collapse_shape %d [[0, 1, 2, 3]] : tensor<1x2x1x16xi64> into tensor<32xi64>
  %a2 = tensor.expand_shape %a1 [[0, 1]] output_shape [32, 1] : tensor<32xi64> into tensor<32x1xi64>
  %b2 = tensor.expand_shape %b1 [[0, 1]] output_shape [32, 1] : tensor<32xi64> into tensor<32x1xi64>
  %d2 = tensor.expand_shape %d1 [[0, 1]] output_shape [32, 1] : tensor<32xi64> into tensor<32x1xi64>
  %places = tensor.concat dim(1) %a2, %b2, %a2, %d2 : (tensor<32x1xi64>, tensor<32x1xi64>, tensor<32x1xi64>, tensor<32x1xi64>) -> tensor<32x4xi64>
  %line = tensor.collapse_shape %new [[0, 1, 2, 3]] : tensor<1x2x1x16xf32> into tensor<32xf32>
  %r = iree_linalg_ext.scatter dimension_map = [0, 1, 2, 3] unique_indices(true) ins(%line, %places : tensor<32xf32>, tensor<32x4xi64>) outs(%cache : tensor<1x2x8x16xf32>) {
  ^bb0(%x: f32, %y: f32):
    iree_linalg_ext.yield %x : f32
  } -> tensor<1x2x8x16xf32>
  return %r : tensor<1x2x8x16xf32>
}

// $ raddle opt %s --normalize | grep -e insert_slice -e scatter
//     %inserted_slice = tensor.insert_slice %arg1 into %arg0[0, 0, %11, 0] [1, 2, 1, 16] [1, 1, 1, 1] : tensor<1x2x1x16xf32> into tensor<1x2x8x16xf32>
//     %8 = iree_linalg_ext.scatter dimension_map = [0, 1, 2, 3] unique_indices(true) ins(%collapsed_4, %concat : tensor<32xf32>, tensor<32x4xi64>) outs(%arg0 : tensor<1x2x8x16xf32>) {

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// 1

// $ raddle run %s --function=token --input=1x2x8x16xf32=0 --input=1x2x1x16xf32=1 --input=1xi64=5 --quiet
// correct: all 256 elements equal the reference bit for bit

// $ raddle run %s --function=token --input=1x2x8x16xf32=0 --input=1x2x1x16xf32=1 --input=1xi64=5 --quiet --device=ptx-emu
// correct: all 256 elements equal the reference bit for bit

// $ raddle run %s --function=other --input=1x2x8x16xf32=0 --input=1x2x1x16xf32=1 --input=2xi64=[1,0] --quiet
// correct: all 256 elements equal the reference bit for bit
