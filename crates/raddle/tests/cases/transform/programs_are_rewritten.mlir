// Patterns, merging and hoisting change what the handle stands for, and nothing else.
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
    %fs = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %f, %g = transform.split_handle %fs : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_cse to %g : !transform.any_op
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
    %fs = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %f, %g = transform.split_handle %fs : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %f { transform.apply_patterns.canonicalization } : !transform.any_op
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
    %fs = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %f, %g = transform.split_handle %fs : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.iree.apply_licm %f : !transform.any_op
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
//     %0 = arith.addi %arg0, %arg0 : index
//     %1 = arith.muli %0, %0 : index
//     return %1 : index
//   }
// }
//
// module {
//   func.func @f(%arg0: index, %arg1: index, %arg2: memref<?xindex>) {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     scf.for %arg3 = %c0 to %arg1 step %c1 {
//       scf.for %arg4 = %c0 to %arg1 step %c1 {
//         %0 = arith.muli %arg0, %arg1 : index
//         memref.store %0, %arg2[%arg4] : memref<?xindex>
//       }
//     }
//     return
//   }
//   func.func @g(%arg0: index) -> index {
//     %0 = arith.addi %arg0, %arg0 : index
//     %1 = arith.addi %arg0, %arg0 : index
//     %2 = arith.muli %0, %1 : index
//     return %2 : index
//   }
// }
//
// module {
//   func.func @f(%arg0: index, %arg1: index, %arg2: memref<?xindex>) {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     %0 = arith.muli %arg0, %arg1 : index
//     %1 = arith.addi %0, %c0 : index
//     scf.for %arg3 = %c0 to %arg1 step %c1 {
//       scf.for %arg4 = %c0 to %arg1 step %c1 {
//         memref.store %1, %arg2[%arg4] : memref<?xindex>
//       }
//     }
//     return
//   }
//   func.func @g(%arg0: index) -> index {
//     %0 = arith.addi %arg0, %arg0 : index
//     %1 = arith.addi %arg0, %arg0 : index
//     %2 = arith.muli %0, %1 : index
//     return %2 : index
//   }
// }
