// Where two anchors disagree, `--remarks` says what was made of it and where.
// RUN: raddle opt %s --to=laid_out --remarks | grep -c 'layouts = ['
// RUN: raddle opt %s --to=laid_out | grep -c remark
#a = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>
#b = #iree_vector_ext.nested_layout<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [32], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
func.func @f(%m: memref<64xf32>, %o: memref<64xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %one = arith.constant dense<1.0> : vector<64xf32>
  %v = vector.transfer_read %m[%c0], %pad {in_bounds = [true]} : memref<64xf32>, vector<64xf32>
  %a = iree_vector_ext.to_layout %v to layout(#a) : vector<64xf32>
  %s = arith.addf %a, %one : vector<64xf32>
  %b = iree_vector_ext.to_layout %s to layout(#b) : vector<64xf32>
  %t = arith.mulf %b, %one : vector<64xf32>
  vector.transfer_write %t, %o[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
  return
}

// $ raddle opt %s --to=laid_out --remarks | grep -c 'layouts = ['
// 7
// remark[E0403]: this anchor converts, through shared memory
//   --> lay_out/remarks_say_what_was_decided.mlir:13:3
//    |
// 13 |   %b = iree_vector_ext.to_layout %s to layout(#b) : vector<64xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: it is given nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>
//
// remark[E0403]: `arith.constant` is made again for `arith.mulf`
//  --> lay_out/remarks_say_what_was_decided.mlir:9:3
//   |
// 9 |   %one = arith.constant dense<1.0> : vector<64xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: it has nested_layout<subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [32], element_tile = [2], subgroup_strides = [0], thread_strides = [1]>
//   = note: needed is nested_layout<subgroup_tile = [1], batch_tile = [2], outer_tile = [1], thread_tile = [32], element_tile = [1], subgroup_strides = [0], thread_strides = [1]>
//   = note: making it again costs 0, converting it costs 8

// $ raddle opt %s --to=laid_out | grep -c remark
// 0
