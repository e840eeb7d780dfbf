module attributes {transform.with_named_sequence} {
  transform.named_sequence @match(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %x ["linalg.fill"] : !transform.any_op
    transform.yield %x : !transform.any_op
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %0 tile_sizes [4, [8]] interchange = [1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %c = transform.param.constant 4 : i64 -> !transform.param<i64>
    %r = transform.include @match failures(suppress) (%t) : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
