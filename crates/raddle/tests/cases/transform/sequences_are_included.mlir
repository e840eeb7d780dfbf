// Sequences include one another; what a suppressed one cannot find does not stop the script.
// RUN: raddle opt %s --run-script --drop-script
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
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %l2 = transform.include @twice failures(propagate) (%l) : (!transform.any_op) -> !transform.any_op
    %a, %b, %c, %d = transform.split_handle %l2
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.annotate %d "last" : !transform.any_op
    transform.yield
  }
}

// $ raddle opt %s --run-script --drop-script
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
//     } {last}
//     return
//   }
//   func.func @g(%arg0: index) -> index {
//     %0 = arith.addi %arg0, %arg0 : index
//     %1 = arith.addi %arg0, %arg0 : index
//     %2 = arith.muli %0, %1 : index
//     return %2 : index
//   }
// }
