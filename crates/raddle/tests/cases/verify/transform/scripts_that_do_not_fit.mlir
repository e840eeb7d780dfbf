// Handles, values and parameters are told apart, and the parts of a script fit together.
// RUN: raddle check %s --split-input-file
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0 = transform.get_defining_op %arg0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0:2 = transform.split_handle %arg0 : (!transform.any_op) -> (!transform.any_op, !transform.any_value)
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0 = transform.get_operand %arg0[0, 0] : (!transform.any_op) -> !transform.any_value
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0 = transform.param.constant 1 : i64 -> !transform.param<i32>
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    transform.sequence failures(propagate) {
    ^bb0(%x: i64):

    }
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    transform.sequence failures(propagate) {
    ^bb0(%x: !transform.any_op, %y: i64):

    }
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    transform.sequence failures(propagate) {
    ^bb0(%x: !transform.any_op):
    %0 = arith.constant 1.0 : f32
    }
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    transform.sequence failures(propagate) {
    ^bb0(%x: !transform.any_op):
    transform.yield %x : !transform.any_op
    }
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    transform.alternatives
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    transform.apply_patterns to %arg0 {
    %0 = arith.constant 1.0 : f32
    } : !transform.any_op
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0 = "transform.apply_registered_pass"(%arg0, %arg1) <{options = {}, pass_name = "cse"}> : (!transform.any_op, !transform.any_param) -> !transform.any_op
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    transform.yield %arg0 : !transform.any_op
  }
}

// $ raddle check %s --split-input-file
// error[E0201]: 'transform.get_defining_op' op operand #0 must be TransformValueHandleTypeInterface instance, but got '!transform.any_op'
//  --> verify/transform/scripts_that_do_not_fit.mlir:5:5
//   |
// 5 |     %0 = transform.get_defining_op %arg0 : (!transform.any_op) -> !transform.any_op
//   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: this is `target`: a handle of values
//
// error[E0201]: 'transform.split_handle' op expects result types to implement the same transform interface as the operand type
//   --> verify/transform/scripts_that_do_not_fit.mlir:13:5
//    |
// 13 |     %0:2 = transform.split_handle %arg0 : (!transform.any_op) -> (!transform.any_op, !transform.any_value)
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.get_operand' op expected the listed values to be unique
//   --> verify/transform/scripts_that_do_not_fit.mlir:21:5
//    |
// 21 |     %0 = transform.get_operand %arg0[0, 0] : (!transform.any_op) -> !transform.any_value
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.param.constant' op expected the type of the parameter attribute ('i64') to match the parameter type ('i32')
//   --> verify/transform/scripts_that_do_not_fit.mlir:29:5
//    |
// 29 |     %0 = transform.param.constant 1 : i64 -> !transform.param<i32>
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.sequence' op expects the first entry block argument to be of type implementing TransformHandleTypeInterface
//   --> verify/transform/scripts_that_do_not_fit.mlir:37:5
//    |
// 37 |     transform.sequence failures(propagate) {
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.sequence' op expects trailing entry block arguments to be of type implementing TransformHandleTypeInterface, TransformValueHandleTypeInterface or TransformParamTypeInterface
//   --> verify/transform/scripts_that_do_not_fit.mlir:48:5
//    |
// 48 |     transform.sequence failures(propagate) {
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |     |
//    |     argument #1 does not
//
// error[E0201]: 'transform.sequence' op expected children ops to implement TransformOpInterface
//   --> verify/transform/scripts_that_do_not_fit.mlir:59:5
//    |
// 59 |     transform.sequence failures(propagate) {
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// 60 |     ^bb0(%x: !transform.any_op):
// 61 |     %0 = arith.constant 1.0 : f32
//    |     ----------------------------- op without interface
//
// error[E0201]: 'transform.sequence' op expects the types of the terminator operands to match the types of the result
//   --> verify/transform/scripts_that_do_not_fit.mlir:70:5
//    |
// 70 |     transform.sequence failures(propagate) {
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// 71 |     ^bb0(%x: !transform.any_op):
// 72 |     transform.yield %x : !transform.any_op
//    |     -------------------------------------- terminator
//
// error[E0201]: 'transform.alternatives' op expects at least one region
//   --> verify/transform/scripts_that_do_not_fit.mlir:81:5
//    |
// 81 |     transform.alternatives
//    |     ^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.apply_patterns' op expected children ops to implement PatternDescriptorOpInterface
//   --> verify/transform/scripts_that_do_not_fit.mlir:89:5
//    |
// 89 |     transform.apply_patterns to %arg0 {
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// 90 |     %0 = arith.constant 1.0 : f32
//    |     ----------------------------- op without interface
//
// error[E0201]: 'transform.apply_registered_pass' op a param operand does not have a corresponding param_operand attr in the options dict
//   --> verify/transform/scripts_that_do_not_fit.mlir:99:5
//    |
// 99 |     %0 = "transform.apply_registered_pass"(%arg0, %arg1) <{options = {}, pass_name = "cse"}> : (!transform.any_op, !transform.any_param) -> !transform.any_op
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'transform.yield' op expected terminator to have as many operands as the parent op has results
//    --> verify/transform/scripts_that_do_not_fit.mlir:107:5
//     |
// 107 |     transform.yield %arg0 : !transform.any_op
//     |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 12 diagnostics
// [exit status 1]
