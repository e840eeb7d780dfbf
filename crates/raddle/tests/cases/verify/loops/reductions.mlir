// Reductions of parallel loops: one region for each result.
// RUN: raddle check %s --split-input-file --allow-unregistered-dialect
func.func @f(%arg0: index, %arg1: f32) {
  scf.parallel (%arg2) = (%arg0) to (%arg0) step (%arg0)   {
    scf.reduce(%arg1 : f32) {
    ^bb0(%arg3: f32, %arg4: f32):
      %1 = arith.addf %arg3, %arg4 : f32
      scf.reduce.return %1 : f32
    }
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: f32) {
  %0 = scf.parallel (%arg2) = (%arg0) to (%arg0) step (%arg0) init (%arg1) -> f32 {
    scf.reduce(%arg1 : f32) {
    ^bb0(%arg3: f32, %arg4: f32):
      %1 = arith.addf %arg3, %arg4 : f32
      scf.reduce.return %arg0 : index
    }
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: f32) {
  %0 = scf.parallel (%arg2) = (%arg0) to (%arg0) step (%arg0) init (%arg1) -> f32 {
    scf.reduce(%arg1 : f32) {
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32):
      %1 = arith.addf %arg3, %arg4 : f32
      scf.reduce.return %1 : f32
    }
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: f32) {
  %0 = scf.parallel (%arg2) = (%arg0) to (%arg0) step (%arg0) init (%arg1) -> f32 {
    scf.reduce {
    ^bb0(%arg3: f32, %arg4: f32):
      %1 = arith.addf %arg3, %arg4 : f32
      scf.reduce.return %1 : f32
    }
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: f32) {
  %c0 = arith.constant 0 : index
  %0 = scf.parallel (%arg2) = (%arg0) to (%arg0) step (%c0) init (%arg1) -> f32 {
    scf.reduce(%arg1 : f32) {
    ^bb0(%arg3: f32, %arg4: f32):
      %1 = arith.addf %arg3, %arg4 : f32
      scf.reduce.return %1 : f32
    }
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: f32) {
  scf.parallel () = () to () step () {
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: f32) {
  "my.op"() ({
    scf.yield
  }) : () -> ()
  return
}

// -----
func.func @f(%arg0: index, %arg1: f32) {
  "my.op"() ({
    scf.reduce.return %arg1 : f32
  }) : () -> ()
  return
}

// $ raddle check %s --split-input-file --allow-unregistered-dialect
// error[E0201]: 'scf.parallel' op expects number of results: 0 to be the same as number of reductions: 1
//  --> verify/loops/reductions.mlir:4:3
//   |
// 4 |   scf.parallel (%arg2) = (%arg0) to (%arg0) step (%arg0)   {
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'scf.reduce.return' op must have type 'f32' (the type of the reduction inputs)
//   --> verify/loops/reductions.mlir:20:7
//    |
// 20 |       scf.reduce.return %arg0 : index
//    |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'scf.reduce' op expected two block arguments with type 'f32' in the 0-th reduction region
//   --> verify/loops/reductions.mlir:29:5
//    |
// 29 |     scf.reduce(%arg1 : f32) {
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'scf.reduce' op expects number of reduction regions: 1 to be the same as number of reduction operands: 0
//   --> verify/loops/reductions.mlir:41:5
//    |
// 41 |     scf.reduce {
//    |     ^^^^^^^^^^^^
//
// error[E0201]: 'scf.parallel' op constant step operand must be positive
//   --> verify/loops/reductions.mlir:53:3
//    |
// 53 |   %0 = scf.parallel (%arg2) = (%arg0) to (%arg0) step (%c0) init (%arg1) -> f32 {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step
//   --> verify/loops/reductions.mlir:65:3
//    |
// 65 |   scf.parallel () = () to () step () {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'
//   --> verify/loops/reductions.mlir:73:5
//    |
// 73 |     scf.yield
//    |     ^^^^^^^^^
//
// error[E0201]: 'scf.reduce.return' op expects parent op 'scf.reduce'
//   --> verify/loops/reductions.mlir:81:5
//    |
// 81 |     scf.reduce.return %arg1 : f32
//    |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 8 diagnostics
// [exit status 1]
