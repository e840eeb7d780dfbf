// What a buffer holds is a value: views are slices and reshapes of it, and an argument that is written is a result.
// RUN: raddle opt %s --admit
// RUN: raddle run %s --all
// RUN: raddle run %s --all --device=ptx-emu
// RUN: raddle run %s --all --target=gfx942
memref.global "private" constant @w : memref<8xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>

func.func @views(%a: memref<16x8xf32>, %o: memref<8x16xf32>, %i: index, %p: i1) {
  %w = memref.get_global @w : memref<8xf32>
  %top = memref.subview %a[0, 0] [8, 8] [1, 1] : memref<16x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  %bottom = memref.subview %a[8, 0] [8, 8] [1, 1] : memref<16x8xf32> to memref<8x8xf32, strided<[8, 1], offset: 64>>
  %left = memref.subview %o[0, 0] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1]>>
  %right = memref.subview %o[0, 8] [8, 8] [1, 1] : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1], offset: 8>>
  memref.copy %top, %right : memref<8x8xf32, strided<[8, 1]>> to memref<8x8xf32, strided<[16, 1], offset: 8>>
  linalg.transpose ins(%bottom : memref<8x8xf32, strided<[8, 1], offset: 64>>) outs(%left : memref<8x8xf32, strided<[16, 1]>>) permutation = [1, 0]
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%w : memref<8xf32>) outs(%right : memref<8x8xf32, strided<[16, 1], offset: 8>>) {
  ^bb0(%b: f32, %c: f32):
    %r = arith.mulf %c, %b : f32
    linalg.yield %r : f32
  }
  scf.if %p {
    %v = arith.constant 7.0 : f32
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %there = arith.remui %i, %c5 : index
    memref.store %v, %o[%c3, %there] : memref<8x16xf32>
  }
  return
}

func.func @loop(%a: memref<4x32x32xf32>, %o: memref<32x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%o : memref<32x32xf32>)
  scf.for %i = %c0 to %c4 step %c1 {
    %s = memref.subview %a[%i, 0, 0] [1, 32, 32] [1, 1, 1] : memref<4x32x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
    %t = memref.alloc() : memref<32x32xf32>
    linalg.exp ins(%s : memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%t : memref<32x32xf32>)
    linalg.matmul ins(%t, %s : memref<32x32xf32>, memref<32x32xf32, strided<[32, 1], offset: ?>>) outs(%o : memref<32x32xf32>)
    memref.dealloc %t : memref<32x32xf32>
  }
  return
}

func.func @tiles_in_parallel(%a: memref<32x64xf32>, %o: memref<32x64xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c32, %c64) step (%c16, %c32) {
    %sa = memref.subview %a[%i, %j] [16, 32] [1, 1] : memref<32x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
    %so = memref.subview %o[%i, %j] [16, 32] [1, 1] : memref<32x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
    linalg.add ins(%sa, %so : memref<16x32xf32, strided<[64, 1], offset: ?>>, memref<16x32xf32, strided<[64, 1], offset: ?>>) outs(%so : memref<16x32xf32, strided<[64, 1], offset: ?>>)
  }
  return
}

func.func @reshapes(%a: memref<6x?xf32>, %o: memref<2x3x?xf32>) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c1 : memref<6x?xf32>
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 3, %n] : memref<6x?xf32> into memref<2x3x?xf32>
  linalg.exp ins(%e : memref<2x3x?xf32>) outs(%o : memref<2x3x?xf32>)
  %c = memref.collapse_shape %o [[0, 1], [2]] : memref<2x3x?xf32> into memref<6x?xf32>
  linalg.add ins(%a, %c : memref<6x?xf32>, memref<6x?xf32>) outs(%c : memref<6x?xf32>)
  return
}

func.func @transposed_over_itself(%a: memref<32x32xf32>) {
  %t = memref.alloc() : memref<32x32xf32>
  linalg.transpose ins(%a : memref<32x32xf32>) outs(%t : memref<32x32xf32>) permutation = [1, 0]
  linalg.add ins(%a, %t : memref<32x32xf32>, memref<32x32xf32>) outs(%a : memref<32x32xf32>)
  memref.dealloc %t : memref<32x32xf32>
  return
}

func.func @returned(%a: memref<8x?xf32>) -> memref<8xf32> {
  %z = arith.constant 0.0 : f32
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)
  linalg.reduce { arith.addf } ins(%a : memref<8x?xf32>) outs(%r : memref<8xf32>) dimensions = [1]
  return %r : memref<8xf32>
}

func.func @softmax(%a: memref<4x100xf32>, %o: memref<4x100xf32>) {
  linalg.softmax dimension(1) ins(%a : memref<4x100xf32>) outs(%o : memref<4x100xf32>)
  return
}

// $ raddle opt %s --admit
// #map = affine_map<(d0, d1) -> (d1)>
// #map1 = affine_map<(d0, d1) -> (d0, d1)>
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>
// module {
//   memref.global "private" constant @w : memref<8xf32> = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]>
//   func.func @views(%arg0: tensor<16x8xf32>, %arg1: tensor<8x16xf32>, %arg2: index, %arg3: i1) -> tensor<8x16xf32> attributes {raddle.in_place = array<i64: 1>} {
//     %cst = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]> : tensor<8xf32>
//     %extracted_slice = tensor.extract_slice %arg0[0, 0] [8, 8] [1, 1] : tensor<16x8xf32> to tensor<8x8xf32>
//     %inserted_slice = tensor.insert_slice %extracted_slice into %arg1[0, 8] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x16xf32>
//     %extracted_slice_0 = tensor.extract_slice %arg0[8, 0] [8, 8] [1, 1] : tensor<16x8xf32> to tensor<8x8xf32>
//     %extracted_slice_1 = tensor.extract_slice %inserted_slice[0, 0] [8, 8] [1, 1] : tensor<8x16xf32> to tensor<8x8xf32>
//     %transposed = linalg.transpose ins(%extracted_slice_0 : tensor<8x8xf32>) outs(%extracted_slice_1 : tensor<8x8xf32>) permutation = [1, 0]
//     %inserted_slice_2 = tensor.insert_slice %transposed into %inserted_slice[0, 0] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x16xf32>
//     %extracted_slice_3 = tensor.extract_slice %inserted_slice_2[0, 8] [8, 8] [1, 1] : tensor<8x16xf32> to tensor<8x8xf32>
//     %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<8xf32>) outs(%extracted_slice_3 : tensor<8x8xf32>) {
//     ^bb0(%in: f32, %out: f32):
//       %2 = arith.mulf %out, %in : f32
//       linalg.yield %2 : f32
//     } -> tensor<8x8xf32>
//     %inserted_slice_4 = tensor.insert_slice %0 into %inserted_slice_2[0, 8] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x16xf32>
//     %1 = scf.if %arg3 -> (tensor<8x16xf32>) {
//       %cst_5 = arith.constant 7.000000e+00 : f32
//       %c3 = arith.constant 3 : index
//       %c5 = arith.constant 5 : index
//       %2 = arith.remui %arg2, %c5 : index
//       %inserted = tensor.insert %cst_5 into %inserted_slice_4[%c3, %2] : tensor<8x16xf32>
//       scf.yield %inserted : tensor<8x16xf32>
//     } else {
//       scf.yield %inserted_slice_4 : tensor<8x16xf32>
//     }
//     return %1 : tensor<8x16xf32>
//   }
//   func.func @loop(%arg0: tensor<4x32x32xf32>, %arg1: tensor<32x32xf32>) -> tensor<32x32xf32> attributes {raddle.in_place = array<i64: 1>} {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     %c4 = arith.constant 4 : index
//     %cst = arith.constant 0.000000e+00 : f32
//     %0 = linalg.fill ins(%cst : f32) outs(%arg1 : tensor<32x32xf32>) -> tensor<32x32xf32>
//     %1 = scf.for %arg2 = %c0 to %c4 step %c1 iter_args(%arg3 = %0) -> (tensor<32x32xf32>) {
//       %2 = tensor.empty() : tensor<32x32xf32>
//       %extracted_slice = tensor.extract_slice %arg0[%arg2, 0, 0] [1, 32, 32] [1, 1, 1] : tensor<4x32x32xf32> to tensor<32x32xf32>
//       %3 = linalg.exp ins(%extracted_slice : tensor<32x32xf32>) outs(%2 : tensor<32x32xf32>) -> tensor<32x32xf32>
//       %extracted_slice_0 = tensor.extract_slice %arg0[%arg2, 0, 0] [1, 32, 32] [1, 1, 1] : tensor<4x32x32xf32> to tensor<32x32xf32>
//       %4 = linalg.matmul ins(%3, %extracted_slice_0 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%arg3 : tensor<32x32xf32>) -> tensor<32x32xf32>
//       scf.yield %4 : tensor<32x32xf32>
//     }
//     return %1 : tensor<32x32xf32>
//   }
//   func.func @tiles_in_parallel(%arg0: memref<32x64xf32>, %arg1: memref<32x64xf32>) attributes {gpu.known_grid_size = array<i32: 1, 1, 1>, translation_info = #translation} {
//     %c0 = arith.constant 0 : index
//     %c32 = arith.constant 32 : index
//     %c64 = arith.constant 64 : index
//     %c16 = arith.constant 16 : index
//     %block_id_x = gpu.block_id x
//     %thread_id_x = gpu.thread_id x
//     %c128 = arith.constant 128 : index
//     %0 = arith.muli %block_id_x, %c128 : index
//     %1 = arith.addi %0, %thread_id_x : index
//     %2 = arith.subi %c64, %c0 : index
//     %3 = arith.ceildivsi %2, %c32 : index
//     %4 = arith.remui %1, %3 : index
//     %5 = arith.divui %1, %3 : index
//     %6 = arith.muli %4, %c32 : index
//     %7 = arith.addi %c0, %6 : index
//     %8 = arith.subi %c32, %c0 : index
//     %9 = arith.ceildivsi %8, %c16 : index
//     %10 = arith.remui %5, %9 : index
//     %11 = arith.divui %5, %9 : index
//     %12 = arith.muli %10, %c16 : index
//     %13 = arith.addi %c0, %12 : index
//     %c0_0 = arith.constant 0 : index
//     %14 = arith.cmpi eq, %11, %c0_0 : index
//     scf.if %14 {
//       %subview = memref.subview %arg0[%13, %7] [16, 32] [1, 1] : memref<32x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
//       %subview_1 = memref.subview %arg1[%13, %7] [16, 32] [1, 1] : memref<32x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
//       linalg.add ins(%subview, %subview_1 : memref<16x32xf32, strided<[64, 1], offset: ?>>, memref<16x32xf32, strided<[64, 1], offset: ?>>) outs(%subview_1 : memref<16x32xf32, strided<[64, 1], offset: ?>>)
//     }
//     return
//   }
//   func.func @reshapes(%arg0: tensor<6x?xf32>, %arg1: tensor<2x3x?xf32>) -> tensor<2x3x?xf32> attributes {raddle.in_place = array<i64: 1>} {
//     %c1 = arith.constant 1 : index
//     %dim = tensor.dim %arg0, %c1 : tensor<6x?xf32>
//     %expanded = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [2, 3, %dim] : tensor<6x?xf32> into tensor<2x3x?xf32>
//     %0 = linalg.exp ins(%expanded : tensor<2x3x?xf32>) outs(%arg1 : tensor<2x3x?xf32>) -> tensor<2x3x?xf32>
//     %collapsed = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x3x?xf32> into tensor<6x?xf32>
//     %collapsed_0 = tensor.collapse_shape %0 [[0, 1], [2]] : tensor<2x3x?xf32> into tensor<6x?xf32>
//     %1 = linalg.add ins(%arg0, %collapsed : tensor<6x?xf32>, tensor<6x?xf32>) outs(%collapsed_0 : tensor<6x?xf32>) -> tensor<6x?xf32>
//     %c2 = arith.constant 2 : index
//     %dim_1 = tensor.dim %0, %c2 : tensor<2x3x?xf32>
//     %expanded_2 = tensor.expand_shape %1 [[0, 1], [2]] output_shape [2, 3, %dim_1] : tensor<6x?xf32> into tensor<2x3x?xf32>
//     return %expanded_2 : tensor<2x3x?xf32>
//   }
//   func.func @transposed_over_itself(%arg0: tensor<32x32xf32>) -> tensor<32x32xf32> attributes {raddle.in_place = array<i64: 0>} {
//     %0 = tensor.empty() : tensor<32x32xf32>
//     %transposed = linalg.transpose ins(%arg0 : tensor<32x32xf32>) outs(%0 : tensor<32x32xf32>) permutation = [1, 0]
//     %1 = linalg.add ins(%arg0, %transposed : tensor<32x32xf32>, tensor<32x32xf32>) outs(%arg0 : tensor<32x32xf32>) -> tensor<32x32xf32>
//     return %1 : tensor<32x32xf32>
//   }
//   func.func @returned(%arg0: tensor<8x?xf32>) -> tensor<8xf32> {
//     %cst = arith.constant 0.000000e+00 : f32
//     %0 = tensor.empty() : tensor<8xf32>
//     %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
//     %reduced = linalg.reduce { arith.addf } ins(%arg0 : tensor<8x?xf32>) outs(%1 : tensor<8xf32>) dimensions = [1]
//     return %reduced : tensor<8xf32>
//   }
//   func.func @softmax(%arg0: tensor<4x100xf32>, %arg1: tensor<4x100xf32>) -> tensor<4x100xf32> attributes {raddle.in_place = array<i64: 1>} {
//     %0 = linalg.softmax dimension(1) ins(%arg0 : tensor<4x100xf32>) outs(%arg1 : tensor<4x100xf32>) -> tensor<4x100xf32>
//     return %0 : tensor<4x100xf32>
//   }
// }

// $ raddle run %s --all
// ok       @views
// ok       @loop
// refused  @tiles_in_parallel: line 56, error[E0601]: cannot lower `linalg.add`
// ok       @reshapes
// ok       @transposed_over_itself
// ok       @returned
// ok       @softmax
// 7 functions: 6 right, 1 refused, 0 wrong, 0 bugs
// [exit status 1]

// $ raddle run %s --all --device=ptx-emu
// ok       @views
// ok       @loop
// refused  @tiles_in_parallel: line 56, error[E0601]: cannot lower `linalg.add`
// ok       @reshapes
// ok       @transposed_over_itself
// ok       @returned
// ok       @softmax
// 7 functions: 6 right, 1 refused, 0 wrong, 0 bugs
// [exit status 1]

// $ raddle run %s --all --target=gfx942
// ok       @views
// ok       @loop
// refused  @tiles_in_parallel: line 56, error[E0601]: cannot lower `linalg.add`
// ok       @reshapes
// ok       @transposed_over_itself
// ok       @returned
// ok       @softmax
// 7 functions: 6 right, 1 refused, 0 wrong, 0 bugs
// [exit status 1]
