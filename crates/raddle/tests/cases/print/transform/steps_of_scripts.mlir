// Steps are printed as they stand, and their generic form is read as the same script.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0:3 = transform.structured.fuse %arg0 tile_sizes [%arg1, 2] interchange [1, 0] use_forall : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0:2 = transform.structured.tile_using_forall %arg0 tile_sizes *(%arg1)(mapping = [#gpu.block<x>]) : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0:2 = transform.structured.tile_using_for %arg0 tile_sizes [[4]] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    transform.structured.vectorize %arg0 vector_sizes [%arg1, [4]] create_named_contraction : !transform.any_op, !transform.any_param
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0 = transform.structured.split %arg0 after %arg1 {dimension = 1 : i64} : !transform.any_op, !transform.any_param
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0 = transform.structured.split %arg0 after 4 {dimension = 1 : i64} : !transform.any_op
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0:3 = transform.structured.multitile_sizes %arg0 dimension = 1 target_size = 3 : (!transform.any_op) -> !transform.any_param
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0 = transform.structured.promote %arg0 <operands_to_promote = [0], use_alloca> : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0 = transform.get_operand %arg0[except(0, -1)] : (!transform.any_op) -> !transform.any_value
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0 = transform.get_result %arg0[all] : (!transform.any_op) -> !transform.any_value
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0 = transform.apply_registered_pass "canonicalize" with options = {"max" = [1 : i64, %arg1], "top" = false} to %arg0 : (!transform.any_op, !transform.any_param) -> !transform.any_op
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0 = transform.func.cast_and_call @g(%arg2) after %arg0 : (!transform.any_op, !transform.any_value) -> !transform.any_op
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    transform.iree.match.dim_bounds %arg2[0], none, umax = 4 : !transform.any_value
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    transform.apply_patterns to %arg0 {
      transform.apply_patterns.vector.lower_contraction
      transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "vector-transfer"
    } apply_cse : !transform.any_op
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0 = transform.alternatives %arg0 : !transform.any_op -> !transform.any_op {
    ^bb0(%arg3: !transform.any_op):
      transform.yield %arg3 : !transform.any_op
    }, {
    ^bb0(%arg3: !transform.any_op):
      transform.yield %arg3 : !transform.any_op
    }
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0 = transform.sequence %arg0, %arg1 : (!transform.any_op, !transform.any_param) -> !transform.any_op failures(suppress) {
    ^bb0(%arg3: !transform.any_op, %arg4: !transform.any_param):
      transform.yield %arg3 : !transform.any_op
    }
    transform.yield
  }
}

// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%arg0: !transform.any_op, %arg1: !transform.any_param, %arg2: !transform.any_value) {
    %0:2 = transform.match.structured failures(propagate) %arg0 : (!transform.any_op) -> (!transform.any_op, !transform.any_param) {
    ^bb0(%arg3: !transform.any_op):
      %1 = transform.match.structured.dim %arg3[0, -1] parallel : (!transform.any_op) -> !transform.any_param
      transform.match.structured.body %arg3 elementwise : !transform.any_op
      transform.match.structured.yield %arg3, %1 : !transform.any_op, !transform.any_param
    }
    transform.yield
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
//     transform.yield
//     transform.yield
//     transform.yield
//     transform.yield
//     transform.yield
//     transform.yield
//     transform.yield
//     transform.yield
//     transform.yield
//     transform.yield
//     transform.yield
//     transform.yield
//     transform.yield
//     transform.yield
//     transform.yield
//     transform.yield
//     transform.yield
