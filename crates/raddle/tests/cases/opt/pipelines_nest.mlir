// Pipelines nest, name what they are for, and say what they do not know.
// RUN: raddle opt %s --pass-pipeline=builtin.module(func.func(canonicalize,cse))
// RUN: raddle opt %s --pass-pipeline=any(any(cse))
// RUN: raddle opt %s --pass-pipeline=builtin.module(util.func(cse))
// RUN: raddle opt %s --pass-pipeline=builtin.module(func.func(run-script))
// RUN: raddle opt %s --pass-pipeline=builtin.module(cse{deep=1})
// RUN: raddle opt %s --pass-pipeline=builtin.module(csee)
// RUN: raddle opt %s --pass-pipeline=func.func(cse) --dump-pass-pipeline | grep func.func
func.func @f(%x: index) -> index {
  %c0 = arith.constant 0 : index
  %y = arith.addi %x, %c0 : index
  return %y : index
}
func.func @g(%x: index) -> index {
  %y = arith.muli %x, %x : index
  %z = arith.muli %x, %x : index
  %s = arith.addi %y, %z : index
  return %s : index
}

// $ raddle opt %s --pass-pipeline=builtin.module(func.func(canonicalize,cse))
// module {
//   func.func @f(%arg0: index) -> index {
//     return %arg0 : index
//   }
//   func.func @g(%arg0: index) -> index {
//     %0 = arith.muli %arg0, %arg0 : index
//     %1 = arith.addi %0, %0 : index
//     return %1 : index
//   }
// }

// $ raddle opt %s --pass-pipeline=any(any(cse))
// module {
//   func.func @f(%arg0: index) -> index {
//     %c0 = arith.constant 0 : index
//     %0 = arith.addi %arg0, %c0 : index
//     return %0 : index
//   }
//   func.func @g(%arg0: index) -> index {
//     %0 = arith.muli %arg0, %arg0 : index
//     %1 = arith.addi %0, %0 : index
//     return %1 : index
//   }
// }

// $ raddle opt %s --pass-pipeline=builtin.module(util.func(cse))
// module {
//   func.func @f(%arg0: index) -> index {
//     %c0 = arith.constant 0 : index
//     %0 = arith.addi %arg0, %c0 : index
//     return %0 : index
//   }
//   func.func @g(%arg0: index) -> index {
//     %0 = arith.muli %arg0, %arg0 : index
//     %1 = arith.muli %arg0, %arg0 : index
//     %2 = arith.addi %0, %1 : index
//     return %2 : index
//   }
// }
// warning[E0908]: `cse` found nothing to run on

// $ raddle opt %s --pass-pipeline=builtin.module(func.func(run-script))
// error[E0901]: `run-script` runs on modules, not on `func.func`
//  --> opt/pipelines_nest.mlir:9:1
//   |
// 9 | func.func @f(%x: index) -> index {
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = help: nest it under `builtin.module`
// [exit status 2]

// $ raddle opt %s --pass-pipeline=builtin.module(cse{deep=1})
// error[E0901]: `cse` has no option `deep`
//  |
//  = note: it has no options at all
// [exit status 2]

// $ raddle opt %s --pass-pipeline=builtin.module(csee)
// error[E0903]: there is no pass `csee`
//  |
//  = help: did you mean `cse`?
// [exit status 2]

// $ raddle opt %s --pass-pipeline=func.func(cse) --dump-pass-pipeline | grep func.func
//   func.func @f(%arg0: index) -> index {
//   func.func @g(%arg0: index) -> index {
// builtin.module(func.func(cse))
