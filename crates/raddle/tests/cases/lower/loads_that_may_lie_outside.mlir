// Chips of AMD have no predicated accesses: a load that may lie behind the end of a buffer reads its beginning then, and
// drops it. A buffer that the kernel also writes, or that may be shorter than the access, is read in a branch.
// RUN: raddle opt %s --target=gfx942 --to=lowered
// RUN: raddle run %s --target=gfx942 --function=only_read --input=10x12xf16=random --input=12x8xf16=random --input=3 --quiet
// RUN: raddle run %s --target=gfx942 --function=only_read --input=10x12xf16=random --input=12x8xf16=random --input=11 --quiet
#whole = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 1], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [0, 0]>
#one = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>
func.func @only_read(%a: memref<10x12xf16>, %b: memref<12x8xf16>, %i: index) attributes {translation_info = #one} {
  %zero = arith.constant 0.0 : f16
  %c0 = arith.constant 0 : index
  %x = vector.transfer_read %a[%i, %c0], %zero {in_bounds = [false, true]} : memref<10x12xf16>, vector<1x4xf16>
  %l = iree_vector_ext.to_layout %x to layout(#whole) : vector<1x4xf16>
  vector.transfer_write %l, %b[%c0, %c0] {in_bounds = [true, true]} : vector<1x4xf16>, memref<12x8xf16>
  return
}
func.func @also_written(%a: memref<10x12xf16>, %i: index) attributes {translation_info = #one} {
  %zero = arith.constant 0.0 : f16
  %c0 = arith.constant 0 : index
  %x = vector.transfer_read %a[%i, %c0], %zero {in_bounds = [false, true]} : memref<10x12xf16>, vector<1x4xf16>
  %l = iree_vector_ext.to_layout %x to layout(#whole) : vector<1x4xf16>
  vector.transfer_write %l, %a[%c0, %c0] {in_bounds = [true, true]} : vector<1x4xf16>, memref<10x12xf16>
  return
}
func.func @any_length(%a: memref<?x12xf16>, %b: memref<12x8xf16>, %i: index) attributes {translation_info = #one} {
  %zero = arith.constant 0.0 : f16
  %c0 = arith.constant 0 : index
  %x = vector.transfer_read %a[%i, %c0], %zero {in_bounds = [false, true]} : memref<?x12xf16>, vector<1x4xf16>
  %l = iree_vector_ext.to_layout %x to layout(#whole) : vector<1x4xf16>
  vector.transfer_write %l, %b[%c0, %c0] {in_bounds = [true, true]} : vector<1x4xf16>, memref<12x8xf16>
  return
}

// $ raddle opt %s --target=gfx942 --to=lowered
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [64, 1, 1] subgroup_size = 64>
// module {
//   func.func @only_read(%arg0: memref<120xf16>, %arg1: memref<96xf16>, %arg2: index) attributes {translation_info = #translation} {
//     %c12 = arith.constant 12 : index
//     %c10 = arith.constant 10 : index
//     %c0 = arith.constant 0 : index
//     %cst = arith.constant 0.000000e+00 : f16
//     %thread_id_x = gpu.thread_id x
//     %0 = arith.cmpi ult, %arg2, %c10 : index
//     %1 = arith.muli %arg2, %c12 : index
//     %c0_0 = arith.constant 0 : index
//     %2 = arith.select %0, %1, %c0_0 : index
//     %3 = vector.load %arg0[%2] : memref<120xf16>, vector<4xf16>
//     %4:4 = vector.to_elements %3 : vector<4xf16>
//     %5 = vector.from_elements %4#0, %4#1 : vector<2xf16>
//     %6 = vector.from_elements %cst, %cst : vector<2xf16>
//     %7 = arith.select %0, %5, %6 : vector<2xf16>
//     %8:2 = vector.to_elements %7 : vector<2xf16>
//     %9 = vector.from_elements %4#2, %4#3 : vector<2xf16>
//     %10 = vector.from_elements %cst, %cst : vector<2xf16>
//     %11 = arith.select %0, %9, %10 : vector<2xf16>
//     %12:2 = vector.to_elements %11 : vector<2xf16>
//     %13 = arith.cmpi eq, %thread_id_x, %c0 : index
//     scf.if %13 {
//       %14 = vector.from_elements %8#0, %8#1, %12#0, %12#1 : vector<4xf16>
//       vector.store %14, %arg1[%c0] : memref<96xf16>, vector<4xf16>
//     }
//     return
//   }
//   func.func @also_written(%arg0: memref<120xf16>, %arg1: index) attributes {translation_info = #translation} {
//     %c12 = arith.constant 12 : index
//     %c10 = arith.constant 10 : index
//     %c0 = arith.constant 0 : index
//     %cst = arith.constant 0.000000e+00 : f16
//     %thread_id_x = gpu.thread_id x
//     %0 = arith.cmpi ult, %arg1, %c10 : index
//     %1 = arith.muli %arg1, %c12 : index
//     %2:4 = scf.if %0 -> (f16, f16, f16, f16) {
//       %4 = vector.load %arg0[%1] : memref<120xf16>, vector<4xf16>
//       %5:4 = vector.to_elements %4 : vector<4xf16>
//       scf.yield %5#0, %5#1, %5#2, %5#3 : f16, f16, f16, f16
//     } else {
//       scf.yield %cst, %cst, %cst, %cst : f16, f16, f16, f16
//     }
//     gpu.barrier
//     %3 = arith.cmpi eq, %thread_id_x, %c0 : index
//     scf.if %3 {
//       %4 = vector.from_elements %2#0, %2#1, %2#2, %2#3 : vector<4xf16>
//       vector.store %4, %arg0[%c0] : memref<120xf16>, vector<4xf16>
//     }
//     return
//   }
//   func.func @any_length(%arg0: memref<?xf16>, %arg1: memref<96xf16>, %arg2: index, %arg3: index) attributes {raddle.extents = [array<i64: 0, 0>], translation_info = #translation} {
//     %c12 = arith.constant 12 : index
//     %c0 = arith.constant 0 : index
//     %cst = arith.constant 0.000000e+00 : f16
//     %thread_id_x = gpu.thread_id x
//     %0 = arith.cmpi ult, %arg2, %arg3 : index
//     %1 = arith.muli %arg2, %c12 : index
//     %2:4 = scf.if %0 -> (f16, f16, f16, f16) {
//       %4 = vector.load %arg0[%1] : memref<?xf16>, vector<4xf16>
//       %5:4 = vector.to_elements %4 : vector<4xf16>
//       scf.yield %5#0, %5#1, %5#2, %5#3 : f16, f16, f16, f16
//     } else {
//       scf.yield %cst, %cst, %cst, %cst : f16, f16, f16, f16
//     }
//     %3 = arith.cmpi eq, %thread_id_x, %c0 : index
//     scf.if %3 {
//       %4 = vector.from_elements %2#0, %2#1, %2#2, %2#3 : vector<4xf16>
//       vector.store %4, %arg1[%c0] : memref<96xf16>, vector<4xf16>
//     }
//     return
//   }
// }

// $ raddle run %s --target=gfx942 --function=only_read --input=10x12xf16=random --input=12x8xf16=random --input=3 --quiet
// correct: all 96 elements equal the reference bit for bit

// $ raddle run %s --target=gfx942 --function=only_read --input=10x12xf16=random --input=12x8xf16=random --input=11 --quiet
// correct: all 96 elements equal the reference bit for bit
