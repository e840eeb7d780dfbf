// What has no rule, or makes no sense, stops the script at its line.
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
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.iree.eliminate_empty_tensors %f : (!transform.any_op) -> ()
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
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %t = transform.cast %f : !transform.any_op to !transform.op<"scf.for">
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
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f { transform.apply_patterns.iree.bubble_expand } : !transform.any_op
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
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %m = transform.get_parent_op %f {op_name = "scf.if"} : (!transform.any_op) -> !transform.any_op
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
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.match.operation_name %f ["scf.for"] : !transform.any_op
    transform.yield
  }
}

// $ raddle opt %s --split-input-file --run-script --drop-script
//
//
//
//
// error[E0906]: `transform.iree.eliminate_empty_tensors` cannot be carried out
//   --> transform/scripts_stop.mlir:28:5
//    |
// 28 |     transform.iree.eliminate_empty_tensors %f : (!transform.any_op) -> ()
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: there is no rule for this step of a script
// error[E0906]: `transform.cast` cannot be carried out
//   --> transform/scripts_stop.mlir:59:5
//    |
// 34 | func.func @f(%x: index, %n: index, %m: memref<?xindex>) {
//    | --------------------------------------------------------- this one
// ...
// 59 |     %t = transform.cast %f : !transform.any_op to !transform.op<"scf.for">
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: result 0 stands for `scf.for` only, and there is `func.func`
// error[E0906]: `transform.apply_patterns.iree.bubble_expand` cannot be carried out
//   --> transform/scripts_stop.mlir:90:38
//    |
// 90 |     transform.apply_patterns to %f { transform.apply_patterns.iree.bubble_expand } : !transform.any_op
//    |                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: there is no rule for these patterns
// error[E0906]: `transform.get_parent_op` cannot be carried out
//    --> transform/scripts_stop.mlir:121:5
//     |
//  96 | func.func @f(%x: index, %n: index, %m: memref<?xindex>) {
//     | --------------------------------------------------------- this one
// ...
// 121 |     %m = transform.get_parent_op %f {op_name = "scf.if"} : (!transform.any_op) -> !transform.any_op
//     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//     |
//     = note: an operation has no such parent
// error[E0906]: `transform.match.operation_name` cannot be carried out
//    --> transform/scripts_stop.mlir:152:5
//     |
// 152 |     transform.match.operation_name %f ["scf.for"] : !transform.any_op
//     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//     |
//     = note: `func.func` is none of the names
// [exit status 1]
