// Many updates of many rows are sorted by their places: a row need not look at all of them.
// RUN: raddle build %s --function=long --target=sm_80 | grep -e grid
// RUN: raddle build %s --function=dims --target=sm_80 | grep -e grid
// RUN: raddle run %s --all
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle run %s --function=in_order --device=ptx-emu | grep correct
// RUN: raddle run %s --function=last --device=ptx-emu | grep correct
func.func @long(%u: tensor<65536xf32>, %x: tensor<16384xf32>) -> tensor<16384xf32> {
  %e = tensor.empty() : tensor<65536xi32>
  %n = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e : tensor<65536xi32>) {
  ^body(%o: i32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %a = arith.constant 7919 : i32
    %b = arith.constant 16390 : i32
    %c = arith.constant 3 : i32
    %p = arith.muli %k, %a : i32
    %q = arith.remui %p, %b : i32
    %r = arith.subi %q, %c : i32
    linalg.yield %r : i32
  } -> tensor<65536xi32>
  %places = tensor.expand_shape %n [[0, 1]] output_shape [65536, 1] : tensor<65536xi32> into tensor<65536x1xi32>
  %r = iree_linalg_ext.scatter dimension_map = [0] unique_indices(false)
      ins(%u, %places : tensor<65536xf32>, tensor<65536x1xi32>) outs(%x : tensor<16384xf32>) {
  ^body(%p: f32, %q: f32):
    %s = arith.addf %q, %p : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<16384xf32>
  return %r : tensor<16384xf32>
}

// Updates in the order of their places, some of which are outside.
func.func @in_order(%u: tensor<7x3xf32>, %x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %i = arith.constant dense<[[-1], [0], [0], [2], [2], [4], [9]]> : tensor<7x1xi32>
  %r = iree_linalg_ext.scatter {raddle.sorted} dimension_map = [0] unique_indices(false)
      ins(%u, %i : tensor<7x3xf32>, tensor<7x1xi32>) outs(%x : tensor<5x3xf32>) {
  ^body(%p: f32, %q: f32):
    %s = arith.addf %q, %p : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// The last update of a row stays.
func.func @last(%u: tensor<7x3xf32>, %x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %i = arith.constant dense<[-1, 0, 0, 2, 2, 4, 9]> : tensor<7xi32>
  %r = iree_linalg_ext.scatter {raddle.sorted} dimension_map = [0] unique_indices(false)
      ins(%u, %i : tensor<7x3xf32>, tensor<7xi32>) outs(%x : tensor<5x3xf32>) {
  ^body(%p: f32, %q: f32):
    iree_linalg_ext.yield %p : f32
  } -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// Places of three numbers, some of which are outside.
func.func @dims(%u: tensor<8192xf32>, %x: tensor<32x16x32xf32>) -> tensor<32x16x32xf32> {
  %e = tensor.empty() : tensor<8192x3xi64>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<8192x3xi64>) {
  ^body(%o: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = arith.constant 7919 : index
    %b = arith.constant 34 : index
    %c = arith.constant 1 : index
    %k = arith.addi %j, %c : index
    %l = arith.muli %i, %a : index
    %m = arith.muli %l, %k : index
    %d = arith.divui %m, %b : index
    %q = arith.remui %d, %b : index
    %s = arith.subi %q, %c : index
    %r = arith.index_cast %s : index to i64
    linalg.yield %r : i64
  } -> tensor<8192x3xi64>
  %r = iree_linalg_ext.scatter dimension_map = [0, 1, 2] unique_indices(false)
      ins(%u, %p : tensor<8192xf32>, tensor<8192x3xi64>) outs(%x : tensor<32x16x32xf32>) {
  ^body(%v: f32, %w: f32):
    %s = arith.addf %w, %v : f32
    iree_linalg_ext.yield %s : f32
  } -> tensor<32x16x32xf32>
  return %r : tensor<32x16x32xf32>
}

// $ raddle build %s --function=long --target=sm_80 | grep -e grid
// // grid: 128 x 1 x 1
// // grid: 128 x 1 x 1
// // grid: 256 x 1 x 1
// // grid: 256 x 1 x 1
// // grid: 256 x 1 x 1
// // grid: 512 x 1 x 1
// // grid: 64 x 1 x 1

// $ raddle build %s --function=dims --target=sm_80 | grep -e grid
// // grid: 256 x 1 x 1
// // grid: 64 x 1 x 1
// // grid: 16 x 1 x 1
// // grid: 32 x 1 x 1
// // grid: 32 x 1 x 1
// // grid: 32 x 1 x 1
// // grid: 64 x 1 x 1
// // grid: 64 x 1 x 1

// $ raddle run %s --all
// ok       @long
// ok       @in_order
// ok       @last
// ok       @dims
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @long
// ok       @in_order
// ok       @last
// ok       @dims
// 4 functions: 4 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --function=in_order --device=ptx-emu | grep correct
// correct: all 15 elements agree with the reference within 5.79e-7 + 2.38e-7·|expected| (14 bit for bit)

// $ raddle run %s --function=last --device=ptx-emu | grep correct
// correct: all 15 elements equal the reference bit for bit
