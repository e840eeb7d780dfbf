// Without a script there is nothing to run.
// RUN: raddle opt %s --run-script
func.func @f() {
  return
}

// $ raddle opt %s --run-script
// error[E0906]: there is no sequence `@__transform_main` to carry out
//  --> transform/a_script_may_be_missing.mlir:1:1
//   |
// 1 | // Without a script there is nothing to run.
//   | ^
//   |
//   = help: write `transform.named_sequence @__transform_main(%root: !transform.any_op) { … transform.yield }`
// [exit status 1]
