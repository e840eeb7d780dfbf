// Operands go to a matcher, what it gives to its action, and what that gives comes out.
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
transform.foreach_match in %op @reads -> @reads : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
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
transform.foreach_match in %op @missing -> @nothing : (!transform.any_op) -> !transform.any_op
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
transform.foreach_match in %op @reads -> @function : (!transform.any_op) -> !transform.any_op
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
transform.foreach_match in %op @nothing -> @nothing : (!transform.any_op) -> !transform.any_op
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
transform.foreach_match in %op @consumes -> @nothing : (!transform.any_op) -> !transform.any_op
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
transform.foreach_match in %op @of_value -> @nothing : (!transform.any_op) -> !transform.any_op
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
transform.foreach_match in %op @reads -> @nothing : (!transform.any_op) -> !transform.any_op
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
transform.foreach_match in %op @reads -> @of_value : (!transform.any_op) -> !transform.any_op
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
transform.foreach_match in %op @reads -> @reads : (!transform.any_op) -> !transform.any_op
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
transform.foreach_match in %op @reads -> @reads : (!transform.any_op) -> (!transform.any_op, !transform.any_value)
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
transform.foreach_match in %op @here -> @nothing : (!transform.any_op) -> !transform.any_op
}
}

// $ raddle check %s --split-input-file
// error[E0201]: 'transform.foreach_match' op unresolved matcher symbol @missing
//   --> verify/transform/matchers_and_actions.mlir:28:1
//    |
// 28 | transform.foreach_match in %op @missing -> @nothing : (!transform.any_op) -> !transform.any_op
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.foreach_match' op unresolved action symbol @function
//   --> verify/transform/matchers_and_actions.mlir:43:1
//    |
// 43 | transform.foreach_match in %op @reads -> @function : (!transform.any_op) -> !transform.any_op
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.foreach_match' op the number of operands (1) doesn't match the number of matcher arguments (0) for @nothing
//   --> verify/transform/matchers_and_actions.mlir:58:1
//    |
// 53 |     transform.named_sequence @nothing()
//    |     ----------------------------------- symbol declaration
// ...
// 58 | transform.foreach_match in %op @nothing -> @nothing : (!transform.any_op) -> !transform.any_op
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.foreach_match' op does not expect matcher symbol to consume its operand #0
//   --> verify/transform/matchers_and_actions.mlir:73:1
//    |
// 66 |     transform.named_sequence @consumes(!transform.any_op {transform.consumed})
//    |     -------------------------------------------------------------------------- symbol declaration
// ...
// 73 | transform.foreach_match in %op @consumes -> @nothing : (!transform.any_op) -> !transform.any_op
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.foreach_match' op mismatching type interfaces for operand and matcher argument #0 of matcher @of_value
//   --> verify/transform/matchers_and_actions.mlir:88:1
//    |
// 82 |     transform.named_sequence @of_value(!transform.any_value {transform.readonly})
//    |     ----------------------------------------------------------------------------- symbol declaration
// ...
// 88 | transform.foreach_match in %op @of_value -> @nothing : (!transform.any_op) -> !transform.any_op
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.foreach_match' op mismatching number of matcher results and action arguments between @reads (1) and @nothing (0)
//    --> verify/transform/matchers_and_actions.mlir:103:1
//     |
// 103 | transform.foreach_match in %op @reads -> @nothing : (!transform.any_op) -> !transform.any_op
//     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.foreach_match' op mismatching type interfaces for matcher result and action argument #0 of matcher @reads and action @of_value
//    --> verify/transform/matchers_and_actions.mlir:118:1
//     |
// 118 | transform.foreach_match in %op @reads -> @of_value : (!transform.any_op) -> !transform.any_op
//     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.foreach_match' op the number of action results (1) for @reads doesn't match the number of extra op results (0)
//    --> verify/transform/matchers_and_actions.mlir:133:1
//     |
// 125 |     transform.named_sequence @reads(!transform.any_op {transform.readonly}) -> !transform.any_op
//     |     -------------------------------------------------------------------------------------------- symbol declaration
// ...
// 133 | transform.foreach_match in %op @reads -> @reads : (!transform.any_op) -> !transform.any_op
//     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.foreach_match' op mismatching type interfaces for action result #0 of action @reads and op result
//    --> verify/transform/matchers_and_actions.mlir:148:1
//     |
// 140 |     transform.named_sequence @reads(!transform.any_op {transform.readonly}) -> !transform.any_op
//     |     -------------------------------------------------------------------------------------------- symbol declaration
// ...
// 148 | transform.foreach_match in %op @reads -> @reads : (!transform.any_op) -> (!transform.any_op, !transform.any_value)
//     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.named_sequence' op must provide consumed/readonly status for arguments of external or called ops
//    --> verify/transform/matchers_and_actions.mlir:159:5
//     |
// 159 |     transform.named_sequence @here(%x: !transform.any_op) { transform.yield }
//     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 10 diagnostics
// [exit status 1]
