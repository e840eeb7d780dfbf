// A body for each has an argument for each target and ends with what comes out; a nested script has operands.
// RUN: raddle check %s --split-input-file
module attributes {transform.with_named_sequence} {

transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
%0 = transform.foreach %op : !transform.any_op -> !transform.any_op {
^bb1(%x: !transform.any_op):
transform.yield %x : !transform.any_op
}
}
}

// -----
module attributes {transform.with_named_sequence} {

transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
transform.foreach %op : !transform.any_op {
^bb1():
transform.yield
}
}
}

// -----
module attributes {transform.with_named_sequence} {

transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
transform.foreach %op : !transform.any_op {
^bb1(%x: !transform.any_value):
transform.yield
}
}
}

// -----
module attributes {transform.with_named_sequence} {

transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
transform.foreach %op : !transform.any_op {
^bb1(%x: !transform.any_op):
transform.yield %x : !transform.any_op
}
}
}

// -----
module attributes {transform.with_named_sequence} {

transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
transform.foreach %op : !transform.any_op -> !transform.any_value {
^bb1(%x: !transform.any_op):
transform.yield %x : !transform.any_op
}
}
}

// -----
module attributes {transform.with_named_sequence} {

transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
transform.sequence failures(propagate) {
^bb1(%x: !transform.any_op):
}
}
}

// -----
module attributes {transform.with_named_sequence} {

transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
transform.affine.simplify_bounded_affine_ops %op with [] within [0] and [] : !transform.any_op
}
}

// -----
module attributes {transform.with_named_sequence} {

transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
%0 = transform.split_handle %op {overflow_result = 1} : (!transform.any_op) -> !transform.any_op
}
}

// $ raddle check %s --split-input-file
// error[E0201]: 'transform.foreach' op expects the same number of targets as the body has block arguments
//   --> verify/transform/bodies_of_scripts.mlir:19:1
//    |
// 19 | transform.foreach %op : !transform.any_op {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.foreach' op expects co-indexed targets and the body's block arguments to have the same op/value/param type
//   --> verify/transform/bodies_of_scripts.mlir:31:1
//    |
// 31 | transform.foreach %op : !transform.any_op {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.foreach' op expects the same number of results as the yield terminator has operands
//   --> verify/transform/bodies_of_scripts.mlir:43:1
//    |
// 43 | transform.foreach %op : !transform.any_op {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.foreach' op expects co-indexed results and yield operands to have the same op/value/param type
//   --> verify/transform/bodies_of_scripts.mlir:55:1
//    |
// 55 | transform.foreach %op : !transform.any_op -> !transform.any_value {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.sequence' op expects operands to be provided for a nested op
//   --> verify/transform/bodies_of_scripts.mlir:67:1
//    |
// 65 | transform.sequence failures(propagate) {
//    | ---------------------------------------- nested in another possible top-level op
// 66 | ^bb0(%op: !transform.any_op, %value: !transform.any_value):
// 67 | transform.sequence failures(propagate) {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.affine.simplify_bounded_affine_ops' op incorrect number of lower bounds, expected 0 but found 1
//   --> verify/transform/bodies_of_scripts.mlir:78:1
//    |
// 78 | transform.affine.simplify_bounded_affine_ops %op with [] within [0] and [] : !transform.any_op
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.split_handle' op overflow_result is not a valid result index
//   --> verify/transform/bodies_of_scripts.mlir:87:1
//    |
// 87 | %0 = transform.split_handle %op {overflow_result = 1} : (!transform.any_op) -> !transform.any_op
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 7 diagnostics
// [exit status 1]
