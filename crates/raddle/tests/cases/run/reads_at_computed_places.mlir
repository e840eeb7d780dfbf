// Elements that a body takes out of a tensor, at places that it computes, are read by vectors: rows of a table in wide
// accesses, and each index once for a row.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// RUN: raddle build %s --function=rows | grep ld.global
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// 20 elements of a row end inside of the vectors, and 13 rows end inside of the last workgroup.
func.func @rows(%at: tensor<13xi64>, %table: tensor<97x20xf32>) -> tensor<13x20xf32> {
  %e = tensor.empty() : tensor<13x20xf32>
  %r = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%at : tensor<13xi64>) outs(%e : tensor<13x20xf32>) {
  ^bb0(%in: i64, %out: f32):
    %i = arith.index_cast %in : i64 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %table[%i, %j] : tensor<97x20xf32>
    linalg.yield %x : f32
  } -> tensor<13x20xf32>
  return %r : tensor<13x20xf32>
}
// Open numbers of rows, and a normalization of each behind it, in one kernel.
func.func @open(%at: tensor<?xi32>, %table: tensor<?x64xf16>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %at, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %r = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%at : tensor<?xi32>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%in: i32, %out: f32):
    %i = arith.index_cast %in : i32 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %table[%i, %j] : tensor<?x64xf16>
    %w = arith.extf %x : f16 to f32
    linalg.yield %w : f32
  } -> tensor<?x64xf32>
  %f = tensor.empty(%n) : tensor<?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%f : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%r : tensor<?x64xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %acc, %in : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%r, %sum : tensor<?x64xf32>, tensor<?xf32>) outs(%e : tensor<?x64xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %q = arith.subf %in, %s : f32
    linalg.yield %q : f32
  } -> tensor<?x64xf32>
  return %d : tensor<?x64xf32>
}
// An index of an index, an index that is the same everywhere, and a place beyond a loop's.
func.func @nested(%first: tensor<i32>, %at: tensor<9xi32>, %list: tensor<7xi32>, %x: tensor<3x5x40xf32>) -> tensor<9x33xf32> {
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<9x33xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> ()>, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%first, %at : tensor<i32>, tensor<9xi32>) outs(%e : tensor<9x33xf32>) {
  ^bb0(%a: i32, %in: i32, %out: f32):
    %n = arith.index_cast %a : i32 to index
    %i = arith.index_cast %in : i32 to index
    %k = tensor.extract %list[%i] : tensor<7xi32>
    %l = arith.index_cast %k : i32 to index
    %j = linalg.index 1 : index
    %m = arith.addi %j, %c7 : index
    %v = tensor.extract %x[%n, %l, %m] : tensor<3x5x40xf32>
    linalg.yield %v : f32
  } -> tensor<9x33xf32>
  return %r : tensor<9x33xf32>
}
// Sums of what is read, along a dimension in which places are scattered.
func.func @sums(%at: tensor<6x50xi32>, %x: tensor<50xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%at : tensor<6x50xi32>) outs(%init : tensor<6xf32>) {
  ^bb0(%in: i32, %acc: f32):
    %i = arith.index_cast %in : i32 to index
    %v = tensor.extract %x[%i] : tensor<50xf32>
    %s = arith.addf %acc, %v : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}
// Each other element from the end: places that a loop counts, but no neighbours.
func.func @backwards(%x: tensor<11x30xf32>) -> tensor<11x15xf32> {
  %c2 = arith.constant 2 : index
  %c29 = arith.constant 29 : index
  %e = tensor.empty() : tensor<11x15xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<11x15xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.muli %j, %c2 : index
    %l = arith.subi %c29, %k : index
    %v = tensor.extract %x[%i, %l] : tensor<11x30xf32>
    linalg.yield %v : f32
  } -> tensor<11x15xf32>
  return %r : tensor<11x15xf32>
}

// $ raddle run %s --all
// ok       @rows
// ok       @open
// ok       @nested
// ok       @sums
// ok       @backwards
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @rows
// ok       @open
// ok       @nested
// ok       @sums
// ok       @backwards
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @rows
// ok       @open
// ok       @nested
// ok       @sums
// ok       @backwards
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// 0

// $ raddle build %s --function=rows | grep ld.global
//     @%p0 ld.global.nc.b64 %rd12, [%rd11];
//     @%p3 ld.global.nc.v4.f32 {%f0, %f1, %f2, %f3}, [%rd20];
