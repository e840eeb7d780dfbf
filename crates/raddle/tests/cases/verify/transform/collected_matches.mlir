// What collects takes a handle, reads it, and gives what comes out.
// RUN: raddle check %s --split-input-file
module attributes {transform.with_named_sequence} {

    transform.named_sequence @reads(!transform.any_op {transform.readonly}) -> !transform.any_op
    transform.named_sequence @consumes(!transform.any_op {transform.consumed})
    transform.named_sequence @of_value(!transform.any_value {transform.readonly})
    transform.named_sequence @nothing()
    transform.named_sequence @here(%x: !transform.any_op) { transform.yield }
    func.func private @function()
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
%0 = transform.collect_matching @reads in %op : (!transform.any_op) -> !transform.any_op
}
}

// -----
module attributes {transform.with_named_sequence} {

    transform.named_sequence @reads(!transform.any_op {transform.readonly}) -> !transform.any_op
    transform.named_sequence @consumes(!transform.any_op {transform.consumed})
    transform.named_sequence @of_value(!transform.any_value {transform.readonly})
    transform.named_sequence @nothing()
    transform.named_sequence @here(%x: !transform.any_op) { transform.yield }
    func.func private @function()
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
%0 = transform.collect_matching @missing in %op : (!transform.any_op) -> !transform.any_op
}
}

// -----
module attributes {transform.with_named_sequence} {

    transform.named_sequence @reads(!transform.any_op {transform.readonly}) -> !transform.any_op
    transform.named_sequence @consumes(!transform.any_op {transform.consumed})
    transform.named_sequence @of_value(!transform.any_value {transform.readonly})
    transform.named_sequence @nothing()
    transform.named_sequence @here(%x: !transform.any_op) { transform.yield }
    func.func private @function()
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
%0 = transform.collect_matching @nothing in %op : (!transform.any_op) -> !transform.any_op
}
}

// -----
module attributes {transform.with_named_sequence} {

    transform.named_sequence @reads(!transform.any_op {transform.readonly}) -> !transform.any_op
    transform.named_sequence @consumes(!transform.any_op {transform.consumed})
    transform.named_sequence @of_value(!transform.any_value {transform.readonly})
    transform.named_sequence @nothing()
    transform.named_sequence @here(%x: !transform.any_op) { transform.yield }
    func.func private @function()
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
%0 = transform.collect_matching @of_value in %op : (!transform.any_op) -> !transform.any_op
}
}

// -----
module attributes {transform.with_named_sequence} {

    transform.named_sequence @reads(!transform.any_op {transform.readonly}) -> !transform.any_op
    transform.named_sequence @consumes(!transform.any_op {transform.consumed})
    transform.named_sequence @of_value(!transform.any_value {transform.readonly})
    transform.named_sequence @nothing()
    transform.named_sequence @here(%x: !transform.any_op) { transform.yield }
    func.func private @function()
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
%0 = transform.collect_matching @here in %op : (!transform.any_op) -> !transform.any_op
}
}

// -----
module attributes {transform.with_named_sequence} {

    transform.named_sequence @reads(!transform.any_op {transform.readonly}) -> !transform.any_op
    transform.named_sequence @consumes(!transform.any_op {transform.consumed})
    transform.named_sequence @of_value(!transform.any_value {transform.readonly})
    transform.named_sequence @nothing()
    transform.named_sequence @here(%x: !transform.any_op) { transform.yield }
    func.func private @function()
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
%0 = transform.collect_matching @reads in %op : (!transform.any_op) -> !transform.any_value
}
}

// -----
module attributes {transform.with_named_sequence} {

    transform.named_sequence @reads(!transform.any_op {transform.readonly}) -> !transform.any_op
    transform.named_sequence @consumes(!transform.any_op {transform.consumed})
    transform.named_sequence @of_value(!transform.any_value {transform.readonly})
    transform.named_sequence @nothing()
    transform.named_sequence @here(%x: !transform.any_op) { transform.yield }
    func.func private @function()
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
transform.collect_matching @reads in %op : (!transform.any_op) -> ()
}
}

// $ raddle check %s --split-input-file
// error[E0201]: 'transform.collect_matching' op unresolved matcher symbol @missing
//   --> verify/transform/collected_matches.mlir:28:1
//    |
// 28 | %0 = transform.collect_matching @missing in %op : (!transform.any_op) -> !transform.any_op
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.collect_matching' op expected the matcher to take one operation handle argument
//   --> verify/transform/collected_matches.mlir:43:1
//    |
// 43 | %0 = transform.collect_matching @nothing in %op : (!transform.any_op) -> !transform.any_op
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.collect_matching' op expected the matcher to take one operation handle argument
//   --> verify/transform/collected_matches.mlir:58:1
//    |
// 58 | %0 = transform.collect_matching @of_value in %op : (!transform.any_op) -> !transform.any_op
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.collect_matching' op expected the matcher argument to be marked readonly
//   --> verify/transform/collected_matches.mlir:73:1
//    |
// 73 | %0 = transform.collect_matching @here in %op : (!transform.any_op) -> !transform.any_op
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.collect_matching' op mismatching type interfaces for matcher result and op result #0
//   --> verify/transform/collected_matches.mlir:88:1
//    |
// 88 | %0 = transform.collect_matching @reads in %op : (!transform.any_op) -> !transform.any_value
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.collect_matching' op expected the matcher to yield as many values as op has results (0), got 1
//    --> verify/transform/collected_matches.mlir:103:1
//     |
// 103 | transform.collect_matching @reads in %op : (!transform.any_op) -> ()
//     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 6 diagnostics
// [exit status 1]
