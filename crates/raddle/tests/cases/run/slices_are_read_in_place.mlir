// Slices under reshapes, with steps, and of open extents are read where they lie, or copied by vectors.
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
// RUN: raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// RUN: raddle opt %s --normalize --partition | grep call
#id2 = affine_map<(i, j) -> (i, j)>
#id = affine_map<(i, j, k) -> (i, j, k)>
// Queries and keys are parts of what a product gives; who multiplies them has batch and heads as one.
func.func @parts(%qkv: tensor<3x2x8x16x32xf32>) -> tensor<16x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %q = tensor.extract_slice %qkv[0, 0, 0, 0, 0] [1, 2, 8, 16, 32] [1, 1, 1, 1, 1] : tensor<3x2x8x16x32xf32> to tensor<2x8x16x32xf32>
  %k = tensor.extract_slice %qkv[1, 0, 0, 0, 0] [1, 2, 8, 16, 32] [1, 1, 1, 1, 1] : tensor<3x2x8x16x32xf32> to tensor<2x8x16x32xf32>
  %q1 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x8x16x32xf32> into tensor<16x16x32xf32>
  %k1 = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<2x8x16x32xf32> into tensor<16x16x32xf32>
  %e = tensor.empty() : tensor<16x16x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16x16xf32>) -> tensor<16x16x16xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q1, %k1 : tensor<16x16x32xf32>, tensor<16x16x32xf32>) outs(%init : tensor<16x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %acc, %p : f32
    linalg.yield %t : f32
  } -> tensor<16x16x16xf32>
  return %s : tensor<16x16x16xf32>
}
// The even and the odd elements of a head.
func.func @halves(%x: tensor<4x13x12xf32>) -> tensor<4x13x6xf32> {
  %y = tensor.expand_shape %x [[0, 1], [2], [3]] output_shape [1, 4, 13, 12] : tensor<4x13x12xf32> into tensor<1x4x13x12xf32>
  %a = tensor.extract_slice %y[0, 0, 0, 0] [1, 4, 13, 6] [1, 1, 1, 2] : tensor<1x4x13x12xf32> to tensor<1x4x13x6xf32>
  %b = tensor.extract_slice %y[0, 0, 0, 1] [1, 4, 13, 6] [1, 1, 1, 2] : tensor<1x4x13x12xf32> to tensor<1x4x13x6xf32>
  %a1 = tensor.collapse_shape %a [[0, 1], [2], [3]] : tensor<1x4x13x6xf32> into tensor<4x13x6xf32>
  %b1 = tensor.collapse_shape %b [[0, 1], [2], [3]] : tensor<1x4x13x6xf32> into tensor<4x13x6xf32>
  %e = tensor.empty() : tensor<4x13x6xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a1, %b1 : tensor<4x13x6xf32>, tensor<4x13x6xf32>) outs(%e : tensor<4x13x6xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %d = arith.subf %p, %q : f32
    linalg.yield %d : f32
  } -> tensor<4x13x6xf32>
  return %r : tensor<4x13x6xf32>
}
// Rows of one of two dimensions are not rows of both: the reshape is of a copy.
func.func @apart(%x: tensor<5x6x8xf32>) -> tensor<15x8xf32> {
  %a = tensor.extract_slice %x[0, 2, 0] [5, 3, 8] [1, 1, 1] : tensor<5x6x8xf32> to tensor<5x3x8xf32>
  %b = tensor.collapse_shape %a [[0, 1], [2]] : tensor<5x3x8xf32> into tensor<15x8xf32>
  %e = tensor.empty() : tensor<15x8xf32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<15x8xf32>) outs(%e : tensor<15x8xf32>) {
  ^bb0(%p: f32, %out: f32):
    %d = arith.negf %p : f32
    linalg.yield %d : f32
  } -> tensor<15x8xf32>
  return %r : tensor<15x8xf32>
}
// Only the run knows how long sequences are.
func.func @open(%x: tensor<3x2x?x24xf32>) -> tensor<2x?x24xf32> {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c2 : tensor<3x2x?x24xf32>
  %a = tensor.extract_slice %x[0, 0, 0, 0] [1, 2, %n, 24] [1, 1, 1, 1] : tensor<3x2x?x24xf32> to tensor<2x?x24xf32>
  %b = tensor.extract_slice %x[2, 0, 0, 0] [1, 2, %n, 24] [1, 1, 1, 1] : tensor<3x2x?x24xf32> to tensor<2x?x24xf32>
  %e = tensor.empty(%n) : tensor<2x?x24xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %b : tensor<2x?x24xf32>, tensor<2x?x24xf32>) outs(%e : tensor<2x?x24xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %d = arith.subf %p, %q : f32
    linalg.yield %d : f32
  } -> tensor<2x?x24xf32>
  return %r : tensor<2x?x24xf32>
}
// A slice of a slice, at a place that only the run knows, with steps, and nothing else.
func.func @alone(%x: tensor<?x?xf32>, %i: index) -> tensor<?x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %h = arith.divui %n, %c2 : index
  %a = tensor.extract_slice %x[0, 0] [%h, %m] [2, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %b = tensor.extract_slice %a[0, 3] [%h, 5] [1, 1] : tensor<?x?xf32> to tensor<?x5xf32>
  return %b : tensor<?x5xf32>
}

// $ raddle run %s --all
// ok       @parts
// ok       @halves
// ok       @apart
// ok       @open
// ok       @alone
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --device=ptx-emu
// ok       @parts
// ok       @halves
// ok       @apart
// ok       @open
// ok       @alone
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle run %s --all --target=gfx942
// ok       @parts
// ok       @halves
// ok       @apart
// ok       @open
// ok       @alone
// 5 functions: 5 right, 0 refused, 0 wrong, 0 bugs

// $ raddle opt %s --to=lowered --remarks 2>&1 | grep -c compiled to scalar loops
// 0

// $ raddle opt %s --normalize --partition | grep call
//     %0 = call @parts_kernel_0(%collapsed) : (tensor<3x16x16x32xf32>) -> tensor<16x16x16xf32>
//     %0 = call @apart_kernel_0(%arg0) : (tensor<5x6x8xf32>) -> tensor<5x3x8xf32>
//     %1 = call @apart_kernel_1(%collapsed) : (tensor<15x8xf32>) -> tensor<15x8xf32>
