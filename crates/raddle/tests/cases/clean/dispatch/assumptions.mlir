// What is assumed of constants, of one number, of the same in each case, and of one value twice.
// RUN: raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
func.func @f(%x: index, %y: index) {
  %c9 = arith.constant 9 : index  %a:2 = util.assume.int %x<umin = 4, umax = 4>, %c9<udiv = 3> : index, index
  "test.use"(%a#0, %a#1) : (index, index) -> ()
  return
}

// -----
func.func @f(%x: index, %y: index) {
  %c9 = arith.constant 9 : index  %a:2 = util.assume.int %x[<umin = 1>, <umin = 1>], %y<udiv = 2> : index, index
  "test.use"(%a#0, %a#1) : (index, index) -> ()
  return
}

// -----
func.func @f(%x: index, %y: index) {
  %c9 = arith.constant 9 : index  %a:2 = util.assume.int %x<umin = 2, udiv = 4>, %x<umin = 3, umax = 60, udiv = 6> : index, index
  "test.use"(%a#0, %a#1) : (index, index) -> ()
  return
}

// -----
func.func @f(%x: index, %y: index) {
  %c9 = arith.constant 9 : index  %a:2 = util.assume.int %x<umax = 9>, %x[<umin = 1>, <umax = 5>] : index, index
  "test.use"(%a#0, %a#1) : (index, index) -> ()
  return
}

// -----
func.func @f(%x: index, %y: index) {
  %c = arith.constant 4 : index  %d = arith.constant 4 : index  %a = util.assume.int %x<udiv = 12> : index  %q = arith.divui %a, %c : index  %p = arith.muli %q, %d : index
  "test.use"(%p) : (index) -> ()
  return
}

// -----
func.func @f(%x: index, %y: index) {
  %c = arith.constant 5 : index  %d = arith.constant 5 : index  %a = util.assume.int %x<udiv = 12> : index  %q = arith.divui %a, %c : index  %p = arith.muli %q, %d : index
  "test.use"(%p) : (index) -> ()
  return
}

// -----
func.func @f(%x: index, %y: index) {
  %c = arith.constant 4 : index  %d = arith.constant 3 : index  %a = util.assume.int %x<udiv = 12> : index  %q = arith.divui %a, %c : index  %p = arith.muli %q, %d : index
  "test.use"(%p) : (index) -> ()
  return
}

// $ raddle opt %s --split-input-file --allow-unregistered-dialect --canonicalize
// module {
//   func.func @f(%arg0: index, %arg1: index) {
//     %c9 = arith.constant 9 : index
//     %c4 = arith.constant 4 : index
//     "test.use"(%c4, %c9) : (index, index) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: index, %arg1: index) {
//     %0:2 = util.assume.int
//         %arg0<umin = 1>,
//         %arg1<udiv = 2>
//       : index, index
//     "test.use"(%0#0, %0#1) : (index, index) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: index, %arg1: index) {
//     %0 = util.assume.int %arg0<umin = 3, umax = 60, udiv = 12> : index
//     "test.use"(%0, %0) : (index, index) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: index, %arg1: index) {
//     %0 = util.assume.int %arg0[<umin = 1, umax = 9>, <umax = 5>] : index
//     "test.use"(%0, %0) : (index, index) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: index, %arg1: index) {
//     %0 = util.assume.int %arg0<udiv = 12> : index
//     "test.use"(%0) : (index) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: index, %arg1: index) {
//     %c5 = arith.constant 5 : index
//     %0 = util.assume.int %arg0<udiv = 12> : index
//     %1 = arith.divui %0, %c5 : index
//     %2 = arith.muli %1, %c5 : index
//     "test.use"(%2) : (index) -> ()
//     return
//   }
// }
//
// module {
//   func.func @f(%arg0: index, %arg1: index) {
//     %c4 = arith.constant 4 : index
//     %c3 = arith.constant 3 : index
//     %0 = util.assume.int %arg0<udiv = 12> : index
//     %1 = arith.divui %0, %c4 : index
//     %2 = arith.muli %1, %c3 : index
//     "test.use"(%2) : (index) -> ()
//     return
//   }
// }
