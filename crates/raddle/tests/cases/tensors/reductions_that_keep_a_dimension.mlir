// A function that is one reduction whose result keeps dimensions of one element, as `keepdim` has it, is one kernel of
// vectors, and its result has the shape that it states.
// RUN: raddle opt %s --to=vector --remarks 2>&1 | grep -c compiled to scalar loops
// RUN: raddle opt %s --to=vector | grep func.func
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
func.func @rows(%x: tensor<37x300xf32>) -> tensor<37x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37x1xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<37x1xf32>) -> tensor<37x1xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, 0)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<37x300xf32>) outs(%fill : tensor<37x1xf32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %in, %acc : f32
    linalg.yield %s : f32
  } -> tensor<37x1xf32>
  return %0 : tensor<37x1xf32>
}

// What the reduction begins with may be given, and what it gives may be used.
func.func @columns(%x: tensor<?x?xf16>, %start: tensor<1x?xf16>) -> tensor<1x?xf16> {
  %one = arith.constant 1 : index
  %n = tensor.dim %x, %one : tensor<?x?xf16>
  %e = tensor.empty(%n) : tensor<1x?xf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (0, n)>],
      iterator_types = ["reduction", "parallel"]} ins(%x : tensor<?x?xf16>) outs(%start : tensor<1x?xf16>) {
  ^bb0(%in: f16, %acc: f16):
    %s = arith.maximumf %in, %acc : f16
    linalg.yield %s : f16
  } -> tensor<1x?xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<1x?xf16>) outs(%e : tensor<1x?xf16>) {
  ^bb0(%in: f16, %out: f16):
    %s = arith.negf %in : f16
    linalg.yield %s : f16
  } -> tensor<1x?xf16>
  return %1 : tensor<1x?xf16>
}

// All that follows the first dimension.
func.func @flags(%x: tensor<?x5x?xf32>) -> tensor<?x1x1xi1> {
  %true = arith.constant true
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x5x?xf32>
  %flags = tensor.empty(%n) : tensor<?x1x1xi1>
  %all = linalg.fill ins(%true : i1) outs(%flags : tensor<?x1x1xi1>) -> tensor<?x1x1xi1>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, 0, 0)>],
      iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : tensor<?x5x?xf32>) outs(%all : tensor<?x1x1xi1>) {
  ^bb0(%in: f32, %each: i1):
    %is = arith.cmpf une, %in, %zero : f32
    %a = arith.andi %is, %each : i1
    linalg.yield %a : i1
  } -> tensor<?x1x1xi1>
  return %0 : tensor<?x1x1xi1>
}

// $ raddle opt %s --to=vector --remarks 2>&1 | grep -c compiled to scalar loops
// 0

// $ raddle opt %s --to=vector | grep func.func
//   func.func @rows(%arg0: memref<37x300xf32>, %arg1: memref<37x1xf32>) attributes {gpu.known_grid_size = array<i32: 37, 1, 1>, translation_info = #translation} {
//   func.func @flags(%arg0: memref<?x5x?xf32>, %arg1: memref<?x1x1xi1>) attributes {raddle.grid = {map = #map1, of = [array<i64: 0, 0>]}, translation_info = #translation1} {
//   func.func @columns_kernel_0(%arg0: memref<?x?xf16>, %arg1: memref<?xf16>, %arg2: memref<?xf16>) attributes {raddle.grid = {map = #map3, of = [array<i64: 0, 1>]}, translation_info = #translation1} {

// $ raddle run %s --all
// ok       @rows
// ok       @columns
// ok       @flags
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @rows
// ok       @columns
// ok       @flags
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @rows
// ok       @columns
// ok       @flags
// 3 functions: 3 right, 0 refused, 0 wrong, 0 bugs
