// A loop is split after a number or after a value.
// RUN: raddle check %s --split-input-file
module attributes {transform.with_named_sequence} {

transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
%0 = "transform.structured.split"(%op) <{dimension = 0 : i64, static_chunk_sizes = 4 : i64}> : (!transform.any_op) -> !transform.any_op
}
}

// -----
module attributes {transform.with_named_sequence} {

transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
%0 = "transform.structured.split"(%op) <{dimension = 0 : i64, static_chunk_sizes = -9223372036854775808 : i64}> : (!transform.any_op) -> !transform.any_op
}
}

// $ raddle check %s --split-input-file
// error[E0201]: 'transform.structured.split' op expects either a dynamic or a static split point to be provided
//   --> verify/transform/splits.mlir:16:1
//    |
// 16 | %0 = "transform.structured.split"(%op) <{dimension = 0 : i64, static_chunk_sizes = -9223372036854775808 : i64}> : (!transform.any_op) -> !transform.any_op
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// [exit status 1]
