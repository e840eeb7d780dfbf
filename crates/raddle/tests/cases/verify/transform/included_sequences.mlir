// What is included is a sequence of the same table; it gets what it takes, and says whether it consumes it.
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
%0 = transform.include @reads failures(propagate) (%op) : (!transform.any_op) -> !transform.any_op
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
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):
transform.include @missing failures(propagate) () : () -> ()
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
transform.include @function failures(propagate) () : () -> ()
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
transform.include @consumes failures(propagate) () : () -> ()
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
transform.include @consumes failures(propagate) (%value) : (!transform.any_value) -> ()
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
transform.include @reads failures(propagate) (%op) : (!transform.any_op) -> ()
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
transform.include @reads failures(propagate) (%op) : (!transform.any_op) -> !transform.any_value
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
transform.include @here failures(propagate) (%op) : (!transform.any_op) -> ()
}
}

// -----
module attributes {transform.with_named_sequence} {

    transform.named_sequence @reads(!transform.any_op {transform.readonly}) -> !transform.any_op
    transform.named_sequence @consumes(!transform.any_op {transform.consumed})
    transform.named_sequence @of_value(!transform.any_value {transform.readonly})
    transform.named_sequence @nothing()
    transform.named_sequence @here(%x: !transform.any_op) { transform.yield }
    module {
module attributes {transform.with_named_sequence} {
transform.named_sequence @f() {
transform.include @nothing failures(propagate) () : () -> ()
transform.yield
}
}
}
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op, %value: !transform.any_value):

}
}

// $ raddle check %s --split-input-file
// error[E0201]: 'transform.include' op does not reference a named transform sequence
//   --> verify/transform/included_sequences.mlir:29:1
//    |
// 29 | transform.include @missing failures(propagate) () : () -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.include' op does not reference a named transform sequence
//   --> verify/transform/included_sequences.mlir:44:1
//    |
// 44 | transform.include @function failures(propagate) () : () -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.include' op incorrect number of operands for callee
//   --> verify/transform/included_sequences.mlir:59:1
//    |
// 59 | transform.include @consumes failures(propagate) () : () -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.include' op operand type mismatch: expected operand type '!transform.any_op', but provided '!transform.any_value' for operand number 0
//   --> verify/transform/included_sequences.mlir:74:1
//    |
// 74 | transform.include @consumes failures(propagate) (%value) : (!transform.any_value) -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.include' op incorrect number of results for callee
//   --> verify/transform/included_sequences.mlir:89:1
//    |
// 89 | transform.include @reads failures(propagate) (%op) : (!transform.any_op) -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.include' op type of result #0 must implement the same transform dialect interface as the corresponding callee result
//    --> verify/transform/included_sequences.mlir:104:1
//     |
// 104 | transform.include @reads failures(propagate) (%op) : (!transform.any_op) -> !transform.any_value
//     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.include' op TransformOpInterface requires memory effects on operands to be specified
//    --> verify/transform/included_sequences.mlir:119:1
//     |
// 119 | transform.include @here failures(propagate) (%op) : (!transform.any_op) -> ()
//     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//     | |
//     | no effects specified for operand #0
//     |
//     = help: mark the argument of the sequence as `transform.readonly` or `transform.consumed`
//
// error[E0201]: 'transform.include' op does not reference a named transform sequence
//    --> verify/transform/included_sequences.mlir:134:1
//     |
// 134 | transform.include @nothing failures(propagate) () : () -> ()
//     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 8 diagnostics
// [exit status 1]
