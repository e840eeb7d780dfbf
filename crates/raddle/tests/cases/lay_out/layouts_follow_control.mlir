// Layouts go around loops with a condition and along jumps between blocks, in whichever place the anchor stands; what
// arrives from elsewhere in another layout is converted in front of the edge.
// RUN: raddle opt %s --split-input-file --lay-out --remarks
#a = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#b = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
func.func @kernel(%in: memref<16x64xf32>, %out: memref<16x64xf32>, %n: index) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xf32>, vector<16x64xf32>
  %r:2 = scf.while (%x = %v, %i = %c0) : (vector<16x64xf32>, index) -> (vector<16x64xf32>, index) {
    %more = arith.cmpi slt, %i, %c4 : index
    %y = arith.mulf %x, %x : vector<16x64xf32>
    scf.condition(%more) %y, %i : vector<16x64xf32>, index
  } do {
  ^bb0(%z: vector<16x64xf32>, %j: index):
    %k = arith.addi %j, %c1 : index
    %w = arith.negf %z : vector<16x64xf32>
    scf.yield %w, %k : vector<16x64xf32>, index
  }
  %b = iree_vector_ext.to_layout %r#0 to layout(#b) : vector<16x64xf32>
  vector.transfer_write %b, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
  return
}

// -----
#a = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
#b = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
#launch = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
func.func @kernel(%in: memref<16x64xf32>, %out: memref<16x64xf32>, %n: index) attributes {translation_info = #launch} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %pad = arith.constant 0.0 : f32
  %v = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xf32>, vector<16x64xf32>
  %a = iree_vector_ext.to_layout %v to layout(#a) : vector<16x64xf32>
  %c = arith.cmpi slt, %n, %c4 : index
  cf.cond_br %c, ^one(%a : vector<16x64xf32>), ^two
^one(%x: vector<16x64xf32>):
  %y = arith.negf %x : vector<16x64xf32>
  cf.br ^end(%y : vector<16x64xf32>)
^two:
  %other = vector.transfer_read %in[%c0, %c0], %pad {in_bounds = [true, true]} : memref<16x64xf32>, vector<16x64xf32>
  %b = iree_vector_ext.to_layout %other to layout(#b) : vector<16x64xf32>
  cf.br ^end(%b : vector<16x64xf32>)
^end(%e: vector<16x64xf32>):
  vector.transfer_write %e, %out[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
  return
}

// $ raddle opt %s --split-input-file --lay-out --remarks
// #nested = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
// module {
//   func.func @kernel(%arg0: memref<16x64xf32>, %arg1: memref<16x64xf32>, %arg2: index) attributes {translation_info = #translation} {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     %c4 = arith.constant 4 : index
//     %cst = arith.constant 0.000000e+00 : f32
//     %0 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [true, true], layouts = [#nested]} : memref<16x64xf32>, vector<16x64xf32>
//     %1:2 = scf.while (%arg3 = %0, %arg4 = %c0) : (vector<16x64xf32>, index) -> (vector<16x64xf32>, index) {
//       %3 = arith.cmpi slt, %arg4, %c4 : index
//       %4 = arith.mulf %arg3, %arg3 {layouts = [#nested]} : vector<16x64xf32>
//       scf.condition(%3) %4, %arg4 : vector<16x64xf32>, index
//     } do {
//     ^bb0(%arg3: vector<16x64xf32>, %arg4: index):
//       %3 = arith.addi %arg4, %c1 : index
//       %4 = arith.negf %arg3 {layouts = [#nested]} : vector<16x64xf32>
//       scf.yield %4, %3 : vector<16x64xf32>, index
//     } attributes {layouts = [#nested, unit]}
//     %2 = iree_vector_ext.to_layout %1#0 to layout(#nested) {layouts = [#nested]} : vector<16x64xf32>
//     vector.transfer_write %2, %arg1[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
//     return
//   }
// }
//
// #nested = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
// #nested1 = #iree_vector_ext.nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
// #translation = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>
// module {
//   func.func @kernel(%arg0: memref<16x64xf32>, %arg1: memref<16x64xf32>, %arg2: index) attributes {translation_info = #translation} {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     %c4 = arith.constant 4 : index
//     %cst = arith.constant 0.000000e+00 : f32
//     %0 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [true, true], layouts = [#nested]} : memref<16x64xf32>, vector<16x64xf32>
//     %1 = iree_vector_ext.to_layout %0 to layout(#nested) {layouts = [#nested]} : vector<16x64xf32>
//     %2 = arith.cmpi slt, %arg2, %c4 : index
//     cf.cond_br %2, ^bb1(%1 : vector<16x64xf32>), ^bb2
//   ^bb1(%3: vector<16x64xf32>):  // pred: ^bb0
//     %4 = arith.negf %3 {layouts = [#nested]} : vector<16x64xf32>
//     %5 = iree_vector_ext.to_layout %4 to layout(#nested1) {layouts = [#nested1]} : vector<16x64xf32>
//     cf.br ^bb3(%5 : vector<16x64xf32>)
//   ^bb2:  // pred: ^bb0
//     %6 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [true, true], layouts = [#nested1]} : memref<16x64xf32>, vector<16x64xf32>
//     %7 = iree_vector_ext.to_layout %6 to layout(#nested1) {layouts = [#nested1]} : vector<16x64xf32>
//     cf.br ^bb3(%7 : vector<16x64xf32>)
//   ^bb3(%8: vector<16x64xf32>):  // 2 preds: ^bb1, ^bb2
//     vector.transfer_write %8, %arg1[%c0, %c0] {in_bounds = [true, true]} : vector<16x64xf32>, memref<16x64xf32>
//     return
//   }
// }
// remark[E0403]: the result of `arith.negf` is converted for `cf.br`, through shared memory
//   --> lay_out/layouts_follow_control.mlir:42:3
//    |
// 42 |   %y = arith.negf %x : vector<16x64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it has nested_layout<subgroup_tile = [1, 1], batch_tile = [16, 1], outer_tile = [1, 1], thread_tile = [1, 32], element_tile = [1, 2], subgroup_strides = [0, 0], thread_strides = [0, 1]>
//    = note: needed is nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [16, 2], element_tile = [1, 32], subgroup_strides = [0, 0], thread_strides = [2, 1]>
//    = note: converting it costs 156
