// The knobs of a constraint are those of its dictionary, each read once.
// RUN: raddle check %s --split-input-file
func.func @f(%n: index) {
  iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_codegen.no_pipeline, knobs = {x = [#iree_codegen.smt.int_knob<"k">]} dims(%n) {
    ^bb0(%m: !smt.int):
      %k = iree_codegen.smt.knob "k" : !smt.int
    }
  return
}

// -----
func.func @f(%n: index) {
  iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_codegen.no_pipeline, knobs = {x = [#iree_codegen.smt.int_knob<"k">]} dims(%n) {
    ^bb0(%m: !smt.int):
      %j = iree_codegen.smt.knob "j" : !smt.int
    }
  return
}

// -----
func.func @f(%n: index) {
  iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_codegen.no_pipeline, knobs = {x = [#iree_codegen.smt.int_knob<"k">]} dims(%n) {
    ^bb0(%m: !smt.int):
      %k = iree_codegen.smt.knob "k" : !smt.int
      %l = iree_codegen.smt.knob "k" : !smt.int
    }
  return
}

// -----
func.func @f(%n: index) {
  iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_codegen.no_pipeline, knobs = {x = [#iree_codegen.smt.int_knob<"k">]} dims(%n) {
    ^bb0(%m: !smt.int):
      %v = iree_codegen.smt.lookup %m [1, 2] -> [3, 4] : !smt.int
    }
  return
}

// -----
func.func @f(%n: index) {
  iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_codegen.no_pipeline, knobs = {x = [#iree_codegen.smt.int_knob<"k">]} dims(%n) {
    ^bb0(%m: !smt.int):
      %v = iree_codegen.smt.lookup %m [1, 1] -> [3, 4] : !smt.int
    }
  return
}

// -----
func.func @f(%n: index) {
  iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_codegen.no_pipeline, knobs = {x = [#iree_codegen.smt.int_knob<"k">]} dims(%n) {
    ^bb0(%m: !smt.int):
      %v = iree_codegen.smt.lookup %m [1] -> [3, 4] : !smt.int
    }
  return
}

// -----
func.func @f(%n: index) {
  iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_codegen.no_pipeline, knobs = {x = [#iree_codegen.smt.int_knob<"k">]} dims(%n) {
    ^bb0(%m: !smt.int):
      %v = iree_codegen.smt.lookup %m [] -> [] : !smt.int
    }
  return
}

// -----
func.func @f(%n: index) {
  iree_codegen.smt.constraints target = <set = 0>, pipeline = #iree_codegen.no_pipeline, knobs = {x = [#iree_codegen.smt.int_knob<"k">]} dims(%n) {
    ^bb0(%m: !smt.int):
      %e = smt.eq %m, %m : !smt.int
      iree_codegen.smt.assert %e, "{} {}", %m : !smt.bool, !smt.int
    }
  return
}

// -----
func.func @f(%n: index) {
  %k = iree_codegen.smt.knob "k" : !smt.int
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'iree_codegen.smt.knob' op knob name 'j' not found in knobs dict
//   --> verify/iree/constraints.mlir:15:7
//    |
// 15 |       %j = iree_codegen.smt.knob "j" : !smt.int
//    |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_codegen.smt.knob' op duplicate knob name 'k'
//   --> verify/iree/constraints.mlir:25:7
//    |
// 24 |       %k = iree_codegen.smt.knob "k" : !smt.int
//    |       ----------------------------------------- first occurrence here
// 25 |       %l = iree_codegen.smt.knob "k" : !smt.int
//    |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_codegen.smt.lookup' op duplicate key 1 in lookup table
//   --> verify/iree/constraints.mlir:43:7
//    |
// 43 |       %v = iree_codegen.smt.lookup %m [1, 1] -> [3, 4] : !smt.int
//    |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_codegen.smt.lookup' op keys and values must have the same size, got 1 keys and 2 values
//   --> verify/iree/constraints.mlir:52:7
//    |
// 52 |       %v = iree_codegen.smt.lookup %m [1] -> [3, 4] : !smt.int
//    |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_codegen.smt.lookup' op lookup table must be non-empty
//   --> verify/iree/constraints.mlir:61:7
//    |
// 61 |       %v = iree_codegen.smt.lookup %m [] -> [] : !smt.int
//    |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_codegen.smt.assert' op format string has 2 placeholder(s) but got 1 arg(s)
//   --> verify/iree/constraints.mlir:71:7
//    |
// 71 |       iree_codegen.smt.assert %e, "{} {}", %m : !smt.bool, !smt.int
//    |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'iree_codegen.smt.knob' op expects parent op 'iree_codegen.smt.constraints'
//   --> verify/iree/constraints.mlir:78:3
//    |
// 78 |   %k = iree_codegen.smt.knob "k" : !smt.int
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 7 diagnostics
// [exit status 1]
