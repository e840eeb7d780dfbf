// What is consumed is gone, and an argument says so.
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
transform.include @consumes failures(propagate) (%op) : (!transform.any_op) -> ()
transform.include @consumes failures(propagate) (%op) : (!transform.any_op) -> ()
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
%0 = transform.include @reads failures(propagate) (%op) : (!transform.any_op) -> !transform.any_op
transform.include @consumes failures(propagate) (%0) : (!transform.any_op) -> ()
transform.include @consumes failures(propagate) (%0) : (!transform.any_op) -> ()
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
transform.named_sequence @s(%op: !transform.any_op {transform.consumed}) {
transform.include @consumes failures(propagate) (%op) : (!transform.any_op) -> ()
transform.yield
}
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):

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
transform.named_sequence @s(%op: !transform.any_op {transform.readonly}) {
transform.include @consumes failures(propagate) (%op) : (!transform.any_op) -> ()
transform.yield
}
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):

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
transform.named_sequence @s(%op: !transform.any_op {transform.readonly, transform.consumed}) {
transform.include @consumes failures(propagate) (%op) : (!transform.any_op) -> ()
transform.yield
}
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):

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
transform.named_sequence @s(%op: !transform.any_op {})
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):

}
}

// $ raddle check %s --split-input-file
// error[E0201]: 'transform.sequence' op block argument #0 has more than one potential consumer
//   --> verify/transform/consumed_handles.mlir:11:1
//    |
// 11 | transform.sequence failures(propagate) {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// 12 | ^bb0(%op: !transform.any_op, %value: !transform.any_value):
// 13 | transform.include @consumes failures(propagate) (%op) : (!transform.any_op) -> ()
//    | --------------------------------------------------------------------------------- used here as operand #0
// 14 | transform.include @consumes failures(propagate) (%op) : (!transform.any_op) -> ()
//    | --------------------------------------------------------------------------------- used here as operand #0
//
// error[E0201]: 'transform.include' op result #0 has more than one potential consumer
//   --> verify/transform/consumed_handles.mlir:29:1
//    |
// 29 | %0 = transform.include @reads failures(propagate) (%op) : (!transform.any_op) -> !transform.any_op
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// 30 | transform.include @consumes failures(propagate) (%0) : (!transform.any_op) -> ()
//    | -------------------------------------------------------------------------------- used here as operand #0
// 31 | transform.include @consumes failures(propagate) (%0) : (!transform.any_op) -> ()
//    | -------------------------------------------------------------------------------- used here as operand #0
//
// error[E0201]: 'transform.named_sequence' op argument #0 is consumed in the body but is not marked as such
//   --> verify/transform/consumed_handles.mlir:63:1
//    |
// 63 | transform.named_sequence @s(%op: !transform.any_op {transform.readonly}) {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// 64 | transform.include @consumes failures(propagate) (%op) : (!transform.any_op) -> ()
//    | --------------------------------------------------------------------------------- consumed here
//
// error[E0201]: 'transform.named_sequence' op argument #0 cannot be both readonly and consumed
//   --> verify/transform/consumed_handles.mlir:82:1
//    |
// 82 | transform.named_sequence @s(%op: !transform.any_op {transform.readonly, transform.consumed}) {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.named_sequence' op must provide consumed/readonly status for arguments of external or called ops
//    --> verify/transform/consumed_handles.mlir:101:1
//     |
// 101 | transform.named_sequence @s(%op: !transform.any_op {})
//     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 5 diagnostics
// [exit status 1]
