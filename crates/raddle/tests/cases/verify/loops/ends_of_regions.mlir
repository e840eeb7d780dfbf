// An operation says what ends its regions; what ends another is not taken for a step.
// RUN: raddle check %s --split-input-file --allow-unregistered-dialect
func.func @f(%arg0: index, %arg1: i1) {
  scf.parallel (%i) = (%arg0) to (%arg0) step (%arg0) {
    scf.yield
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: i1) {
  scf.while : () -> () {
    "t.end"() : () -> ()
  } do {
    scf.yield
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: i1) {
  scf.while : () -> () {
    scf.condition(%arg1)
  } do {
    "t.end"() : () -> ()
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: i1) {
  "scf.index_switch"(%arg0) ({
    scf.yield
  }, {
    return
  }) {cases = array<i64: 1>} : (index) -> ()
  return
}

// -----
func.func @f(%arg0: index, %arg1: i1) {
  scf.forall (%i) in (%arg0) {
    llvm.return
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: i1) {
  affine.for %i = 0 to 4 {
    scf.yield
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: i1) {
  "scf.for"(%arg0, %arg0, %arg0) ({
  ^bb0(%i: index):
  }) : (index, index, index) -> ()
  return
}

// $ raddle check %s --split-input-file --allow-unregistered-dialect
// error[E0203]: 'scf.parallel' op expects body to terminate with 'scf.reduce'
//  --> verify/loops/ends_of_regions.mlir:4:3
//   |
// 4 |   scf.parallel (%i) = (%arg0) to (%arg0) step (%arg0) {
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// 5 |     scf.yield
//   |     --------- terminator here
//
// error[E0203]: 'scf.while' op expects the 'before' region to terminate with 'scf.condition'
//   --> verify/loops/ends_of_regions.mlir:12:3
//    |
// 12 |   scf.while : () -> () {
//    |   ^^^^^^^^^^^^^^^^^^^^^^
// 13 |     "t.end"() : () -> ()
//    |     -------------------- terminator here
//
// error[E0203]: 'scf.while' op expects the 'after' region to terminate with 'scf.yield'
//   --> verify/loops/ends_of_regions.mlir:22:3
//    |
// 22 |   scf.while : () -> () {
//    |   ^^^^^^^^^^^^^^^^^^^^^^
// ...
// 25 |     "t.end"() : () -> ()
//    |     -------------------- terminator here
//
// error[E0203]: 'scf.index_switch' op expected region to end with scf.yield, but got func.return
//   --> verify/loops/ends_of_regions.mlir:32:3
//    |
// 32 |   "scf.index_switch"(%arg0) ({
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// ...
// 35 |     return
//    |     ------ terminator here
//
// error[E0203]: 'scf.forall' op expects regions to end with 'scf.forall.in_parallel', found 'llvm.return'
//   --> verify/loops/ends_of_regions.mlir:42:3
//    |
// 42 |   scf.forall (%i) in (%arg0) {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |   |
//    |   in custom textual format, the absence of terminator implies 'scf.forall.in_parallel'
// 43 |     llvm.return
//    |     ----------- terminator here
//
// error[E0203]: 'affine.for' op expects regions to end with 'affine.yield', found 'scf.yield'
//   --> verify/loops/ends_of_regions.mlir:50:3
//    |
// 50 |   affine.for %i = 0 to 4 {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^
//    |   |
//    |   in custom textual format, the absence of terminator implies 'affine.yield'
// 51 |     scf.yield
//    |     --------- terminator here
//
// error[E0203]: empty block: expect at least a terminator: a block of `scf.for` ends with `scf.yield`
//   --> verify/loops/ends_of_regions.mlir:58:3
//    |
// 58 |   "scf.for"(%arg0, %arg0, %arg0) ({
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 7 diagnostics
// [exit status 1]
