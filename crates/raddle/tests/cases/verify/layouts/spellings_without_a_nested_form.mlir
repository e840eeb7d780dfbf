// A layout in another spelling that is not a nested one is refused with the digit that is in its way.
// RUN: raddle check %s --split-input-file
// Lanes, slots and lanes again along the second dimension.
func.func @between(%v: vector<16x16xf32>) -> vector<16x16xf32> {
  %a = iree_vector_ext.to_layout %v to layout(#raddle.cute<"((2,8,2),(2,2,2)):((16,1,64),(32,128,8))", [16, 16]>) : vector<16x16xf32>
  return %a : vector<16x16xf32>
}
// -----
// The rows are swizzled by the columns.
func.func @swizzled(%v: vector<4x4xf32>) -> vector<4x4xf32> {
  %a = iree_vector_ext.to_layout %v to layout(#raddle.linear<"slot = [(0, 1), (0, 2)], lane = [(1, 1), (2, 2)] -> m 4 x n 4">) : vector<4x4xf32>
  return %a : vector<4x4xf32>
}
// -----
func.func @unfinished(%v: vector<4x4xf32>) -> vector<4x4xf32> {
  %a = iree_vector_ext.to_layout %v to layout(#raddle.cute<"((4,4):(1,4)", [4, 4]>) : vector<4x4xf32>
  return %a : vector<4x4xf32>
}
// -----
// The value has other extents.
func.func @other(%v: vector<4x8xf32>) -> vector<4x8xf32> {
  %a = iree_vector_ext.to_layout %v to layout(#raddle.cute<"(4,4):(1,4)", [4, 4]>) : vector<4x8xf32>
  return %a : vector<4x8xf32>
}

// $ raddle check %s --split-input-file
// error[E0106]: an anchor is a nested layout, and this has no such form: no nested layout: lane digit 2 is out of order along dim 1
//  --> verify/layouts/spellings_without_a_nested_form.mlir:5:60
//   |
// 5 |   %a = iree_vector_ext.to_layout %v to layout(#raddle.cute<"((2,8,2),(2,2,2)):((16,1,64),(32,128,8))", [16, 16]>) : vector<16x16xf32>
//   |                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: along each dimension a nested layout has, from neighbours on, elements that lie side by side in a lane, then lanes, then up to two further counts of elements, then subgroups
//
// error[E0106]: an anchor is a nested layout, and this has no such form: the swizzle acts on bits that the result does not have
//   --> verify/layouts/spellings_without_a_nested_form.mlir:11:62
//    |
// 11 |   %a = iree_vector_ext.to_layout %v to layout(#raddle.linear<"slot = [(0, 1), (0, 2)], lane = [(1, 1), (2, 2)] -> m 4 x n 4">) : vec...
//    |                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: along each dimension a nested layout has, from neighbours on, elements that lie side by side in a lane, then lanes, then up to two further counts of elements, then subgroups
//
// error[E0106]: this is not a layout: expected `,` or `)` at byte 6
//   --> verify/layouts/spellings_without_a_nested_form.mlir:16:60
//    |
// 16 |   %a = iree_vector_ext.to_layout %v to layout(#raddle.cute<"((4,4):(1,4)", [4, 4]>) : vector<4x4xf32>
//    |                                                            ^^^^^^^^^^^^^^
//
// error[E0204]: Vector shape: [4, 8] does not match the layout (nested_layout<subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [4, 1], element_tile = [1, 4], subgroup_strides = [0, 0], thread_strides = [1, 0]>) at dim 1. Dimension expected by layout: 4 actual: 8
//   --> verify/layouts/spellings_without_a_nested_form.mlir:22:3
//    |
// 22 |   %a = iree_vector_ext.to_layout %v to layout(#raddle.cute<"(4,4):(1,4)", [4, 4]>) : vector<4x8xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 4 diagnostics
// [exit status 1]
