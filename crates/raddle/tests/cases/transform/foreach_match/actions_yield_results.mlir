// What actions yield is the step's results: one for each action, or all of them.
// RUN: raddle opt %s --split-input-file --run-script --drop-script
func.func @f(%x: index, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %n iter_args(%s = %x) -> index {
    %a = arith.addi %s, %i : index
    %b = arith.muli %a, %i : index
    %c = arith.addi %a, %b : index
    scf.yield %c : index
  }
  return %r : index
}
func.func @g(%x: index) -> index {
  %a = arith.addi %x, %x : index
  %b = arith.subi %a, %x : index
  return %b : index
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @sum(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_param) {
    transform.match.operation_name %op ["arith.addi"] : !transform.any_op
    %note = transform.param.constant "sum" -> !transform.any_param
    transform.yield %op, %note : !transform.any_op, !transform.any_param
  }
  transform.named_sequence @integer(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_param) {
    transform.match.operation_name %op ["arith.addi", "arith.muli"] : !transform.any_op
    %note = transform.param.constant "integer" -> !transform.any_param
    transform.yield %op, %note : !transform.any_op, !transform.any_param
  }
  transform.named_sequence @loop(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["scf.for"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @func(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["func.func"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @note(%op: !transform.any_op {transform.readonly}, %note: !transform.any_param {transform.readonly}) {
    transform.annotate %op "is" = %note : !transform.any_op, !transform.any_param
    transform.yield
  }
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "marked" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @sums_of(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %sums = transform.structured.match ops{["arith.addi"]} in %op : (!transform.any_op) -> !transform.any_op
    transform.yield %sums : !transform.any_op
  }
  transform.named_sequence @one_sum_of(%op: !transform.any_op {transform.readonly}) {
    %sums = transform.structured.match ops{["arith.addi"]} in %op : (!transform.any_op) -> !transform.any_op
    %sum = transform.split_handle %sums : (!transform.any_op) -> !transform.any_op
    transform.annotate %sum "only" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @marks(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.annotate %op "seen" : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %r, %sums = transform.foreach_match flatten_results in %root @func -> @sums_of
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %sums "found" : !transform.any_op
    transform.yield
  }
}

// -----
func.func @f(%x: index, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %n iter_args(%s = %x) -> index {
    %a = arith.addi %s, %i : index
    %b = arith.muli %a, %i : index
    %c = arith.addi %a, %b : index
    scf.yield %c : index
  }
  return %r : index
}
func.func @g(%x: index) -> index {
  %a = arith.addi %x, %x : index
  %b = arith.subi %a, %x : index
  return %b : index
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @sum(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_param) {
    transform.match.operation_name %op ["arith.addi"] : !transform.any_op
    %note = transform.param.constant "sum" -> !transform.any_param
    transform.yield %op, %note : !transform.any_op, !transform.any_param
  }
  transform.named_sequence @integer(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_param) {
    transform.match.operation_name %op ["arith.addi", "arith.muli"] : !transform.any_op
    %note = transform.param.constant "integer" -> !transform.any_param
    transform.yield %op, %note : !transform.any_op, !transform.any_param
  }
  transform.named_sequence @loop(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["scf.for"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @func(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["func.func"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @note(%op: !transform.any_op {transform.readonly}, %note: !transform.any_param {transform.readonly}) {
    transform.annotate %op "is" = %note : !transform.any_op, !transform.any_param
    transform.yield
  }
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "marked" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @sums_of(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %sums = transform.structured.match ops{["arith.addi"]} in %op : (!transform.any_op) -> !transform.any_op
    transform.yield %sums : !transform.any_op
  }
  transform.named_sequence @one_sum_of(%op: !transform.any_op {transform.readonly}) {
    %sums = transform.structured.match ops{["arith.addi"]} in %op : (!transform.any_op) -> !transform.any_op
    %sum = transform.split_handle %sums : (!transform.any_op) -> !transform.any_op
    transform.annotate %sum "only" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @marks(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.annotate %op "seen" : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %r, %sums = transform.foreach_match  in %root @func -> @sums_of
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %sums "found" : !transform.any_op
    transform.yield
  }
}

// $ raddle opt %s --split-input-file --run-script --drop-script
// module {
//   func.func @f(%arg0: index, %arg1: index) -> index {
//     %c0 = arith.constant 0 : index
//     %0 = scf.for %arg2 = %c0 to %arg1 step %arg1 iter_args(%arg3 = %arg0) -> (index) {
//       %1 = arith.addi %arg3, %arg2 {found} : index
//       %2 = arith.muli %1, %arg2 : index
//       %3 = arith.addi %1, %2 {found} : index
//       scf.yield %3 : index
//     }
//     return %0 : index
//   }
//   func.func @g(%arg0: index) -> index {
//     %0 = arith.addi %arg0, %arg0 {found} : index
//     %1 = arith.subi %0, %arg0 : index
//     return %1 : index
//   }
// }
//
// error[E0906]: `transform.foreach_match` cannot be carried out
//    --> transform/foreach_match/actions_yield_results.mlir:125:5
//     |
// 110 |   transform.named_sequence @sums_of(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
//     |   ----------------------------------------------------------------------------------------------------- this one
// ...
// 125 |     %r, %sums = transform.foreach_match  in %root @func -> @sums_of
//     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//     |
//     = note: an action yields a handle to 2 things, not one: write `flatten_results`
// [exit status 1]
