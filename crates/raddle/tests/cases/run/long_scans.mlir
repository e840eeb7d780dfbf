// Long lines are scanned in parts by many workgroups; what is in front of a part is combined with what the part gives.
// RUN: raddle build %s --function=sums --target=sm_80 | grep -e grid -e memref
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=gfx942
func.func @sums(%x: tensor<49152xf32>) -> tensor<49152xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<49152xf32>
  %n = tensor.splat %zero : tensor<f32>
  %r:2 = iree_linalg_ext.scan dimension(0) inclusive(true) ins(%x : tensor<49152xf32>)
      outs(%e, %n : tensor<49152xf32>, tensor<f32>) {
  ^body(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<49152xf32>, tensor<f32>
  return %r#0 : tensor<49152xf32>
}

// Its total, of columns, behind an elementwise operation.
func.func @columns(%x: tensor<16400x3xf32>) -> (tensor<16400x3xf32>, tensor<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16400x3xf32>
  %n = tensor.splat %zero : tensor<3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16400x3xf32>) outs(%e : tensor<16400x3xf32>) {
  ^body(%p: f32, %q: f32):
    %s = arith.mulf %p, %p : f32
    linalg.yield %s : f32
  } -> tensor<16400x3xf32>
  %r:2 = iree_linalg_ext.scan dimension(0) inclusive(true) ins(%y : tensor<16400x3xf32>)
      outs(%e, %n : tensor<16400x3xf32>, tensor<3xf32>) {
  ^body(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<16400x3xf32>, tensor<3xf32>
  return %r#0, %r#1 : tensor<16400x3xf32>, tensor<3xf32>
}

// An exclusive scan begins with its accumulator.
func.func @exclusive(%x: tensor<65536x1xi32>, %a: tensor<1xi32>) -> tensor<65536x1xi32> {
  %e = tensor.empty() : tensor<65536x1xi32>
  %r:2 = iree_linalg_ext.scan dimension(0) inclusive(false) ins(%x : tensor<65536x1xi32>)
      outs(%e, %a : tensor<65536x1xi32>, tensor<1xi32>) {
  ^body(%p: i32, %q: i32):
    %s = arith.addi %p, %q : i32
    iree_linalg_ext.yield %s : i32
  } -> tensor<65536x1xi32>, tensor<1xi32>
  return %r#0 : tensor<65536x1xi32>
}

func.func @maxima(%x: tensor<1x98304xf16>, %a: tensor<1xf16>) -> (tensor<1x98304xf16>, tensor<1xf16>) {
  %e = tensor.empty() : tensor<1x98304xf16>
  %r:2 = iree_linalg_ext.scan dimension(1) inclusive(true) ins(%x : tensor<1x98304xf16>)
      outs(%e, %a : tensor<1x98304xf16>, tensor<1xf16>) {
  ^body(%p: f16, %q: f16):
    %s = arith.maximumf %p, %q : f16
    iree_linalg_ext.yield %s : f16
  } -> tensor<1x98304xf16>, tensor<1xf16>
  return %r#0, %r#1 : tensor<1x98304xf16>, tensor<1xf16>
}

// $ raddle build %s --function=sums --target=sm_80 | grep -e grid -e memref
// // grid: 12 x 1 x 1
// // arg0: memref<49152xf32>, only read
// // arg1: memref<12xf32>, written
// // grid: 1 x 1 x 1
// // arg0: memref<12xf32>, only read
// // arg1: memref<12xf32>, written
// // grid: 12 x 1 x 1
// // arg0: memref<49152xf32>, only read
// // arg1: memref<12xf32>, only read
// // arg2: memref<49152xf32>, written

// $ raddle run %s --all
// ok       @sums
// ok       @columns
// ok       @exclusive
// ok       @maxima
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @sums
// ok       @columns
// ok       @exclusive
// ok       @maxima
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs
