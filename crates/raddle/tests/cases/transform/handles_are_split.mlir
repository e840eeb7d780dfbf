// A handle that stands for more than there are results says where the rest goes, or the script stops.
// RUN: raddle opt %s --split-input-file --run-script --drop-script
func.func @f(%x: index, %n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = arith.muli %x, %n : index
      %b = arith.addi %a, %c0 : index
      memref.store %b, %m[%j] : memref<?xindex>
    }
  }
  return
}
func.func @g(%x: index) -> index {
  %y = arith.addi %x, %x : index
  %z = arith.addi %x, %x : index
  %s = arith.muli %y, %z : index
  return %s : index
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @twice(%h: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %all = transform.merge_handles %h, %h : !transform.any_op
    transform.yield %all : !transform.any_op
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %y = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.split_handle %y {overflow_result = 1}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %b "rest" : !transform.any_op
    transform.yield
  }
}

// -----
func.func @f(%x: index, %n: index, %m: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = arith.muli %x, %n : index
      %b = arith.addi %a, %c0 : index
      memref.store %b, %m[%j] : memref<?xindex>
    }
  }
  return
}
func.func @g(%x: index) -> index {
  %y = arith.addi %x, %x : index
  %z = arith.addi %x, %x : index
  %s = arith.muli %y, %z : index
  return %s : index
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @twice(%h: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %all = transform.merge_handles %h, %h : !transform.any_op
    transform.yield %all : !transform.any_op
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %y = transform.structured.match ops{["arith.addi"]} in %root : (!transform.any_op) -> !transform.any_op
    %a = transform.split_handle %y : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// $ raddle opt %s --split-input-file --run-script --drop-script
// module {
//   func.func @f(%arg0: index, %arg1: index, %arg2: memref<?xindex>) {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     scf.for %arg3 = %c0 to %arg1 step %c1 {
//       scf.for %arg4 = %c0 to %arg1 step %c1 {
//         %0 = arith.muli %arg0, %arg1 : index
//         %1 = arith.addi %0, %c0 : index
//         memref.store %1, %arg2[%arg4] : memref<?xindex>
//       }
//     }
//     return
//   }
//   func.func @g(%arg0: index) -> index {
//     %0 = arith.addi %arg0, %arg0 {rest} : index
//     %1 = arith.addi %arg0, %arg0 {rest} : index
//     %2 = arith.muli %0, %1 : index
//     return %2 : index
//   }
// }
//
// error[E0906]: `transform.split_handle` cannot be carried out
//   --> transform/handles_are_split.mlir:61:5
//    |
// 61 |     %a = transform.split_handle %y : (!transform.any_op) -> !transform.any_op
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: the handle stands for 3 operations, and there are 1 results
// [exit status 1]
