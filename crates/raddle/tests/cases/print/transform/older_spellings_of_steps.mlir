// What earlier versions say in a dictionary is read, and steps of a sequence may go without their dialect.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0 = transform.get_parent_op %arg0 {deduplicate, nth_parent = 2} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    transform.sequence %arg0 : !transform.any_op failures(propagate) {
    ^bb0(%x: !transform.any_op):
      annotate %x "seen" : !transform.any_op
    }
    transform.yield
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
//     %0 = transform.get_parent_op %arg0 <deduplicate, nth_parent = 2> : (!transform.any_op) -> !transform.any_op
//     transform.yield
//     ^bb0(%arg3: !transform.any_op):
//       transform.annotate %arg3 "seen" : !transform.any_op
//     transform.yield
