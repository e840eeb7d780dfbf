// A list of numbers and values has a value for each place that is not a number.
// RUN: raddle check %s --split-input-file
func.func @f(%s: !pcf.sref<8xf32, #pcf.sequential>, %n: index) {
  %t = "pcf.read_slice"(%s, %n) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (!pcf.sref<8xf32, #pcf.sequential>, index) -> tensor<4xf32>
  return
}

// -----
func.func @f(%s: !pcf.sref<8xf32, #pcf.sequential>, %n: index) {
  %t = "pcf.read_slice"(%s, %n) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 3>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (!pcf.sref<8xf32, #pcf.sequential>, index) -> tensor<4xf32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'pcf.read_slice' op has 1 operands for the 0 places in `static_offsets` that are not constant
//   --> verify/iree/mixed_lists.mlir:10:3
//    |
// 10 |   %t = "pcf.read_slice"(%s, %n) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 3>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (!pcf.sref<8xf32, #pcf.sequential>, index) -> tensor<4xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
