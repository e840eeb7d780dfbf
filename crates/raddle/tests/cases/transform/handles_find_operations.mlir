// Handles find operations by name, type and attributes, and reach what is around them and behind them.
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
    %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %inner, %outer = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %inner "inner" : !transform.any_op
    %n = transform.param.constant 7 : i64 -> !transform.param<i64>
    transform.annotate %outer "outer" = %n : !transform.any_op, !transform.param<i64>
    %f = transform.get_parent_op %inner {isolated_from_above} : (!transform.any_op) -> !transform.any_op
    transform.annotate %f "around" : !transform.any_op
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
    %y = transform.structured.match ops{["arith.addi"]} filter_result_type = index in %root
      : (!transform.any_op) -> !transform.any_op
    %b, %y0, %z = transform.split_handle %y
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %s = transform.get_consumers_of_result %y0[0] : (!transform.any_op) -> !transform.any_op
    transform.annotate %s "product" : !transform.any_op
    %t = transform.cast %s : !transform.any_op to !transform.op<"arith.muli">
    transform.annotate %t "typed" : !transform.op<"arith.muli">
    transform.yield
  }
}

// $ raddle opt %s --split-input-file --run-script --drop-script
// module {
//   func.func @f(%arg0: index, %arg1: index, %arg2: memref<?xindex>) attributes {around} {
//     %c0 = arith.constant 0 : index
//     %c1 = arith.constant 1 : index
//     scf.for %arg3 = %c0 to %arg1 step %c1 {
//       scf.for %arg4 = %c0 to %arg1 step %c1 {
//         %0 = arith.muli %arg0, %arg1 : index
//         %1 = arith.addi %0, %c0 : index
//         memref.store %1, %arg2[%arg4] : memref<?xindex>
//       } {inner}
//     } {outer = 7 : i64}
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
//     %1 = arith.addi %arg0, %arg0 : index
//     %2 = arith.muli %0, %1 {product, typed} : index
//     return %2 : index
//   }
// }
