// What goes along an edge from region to region, or out, has the types that are taken there.
// RUN: raddle check %s --split-input-file
func.func @f(%arg0: index, %arg1: i32, %arg2: i1) {
  %0 = "scf.for"(%arg0, %arg0, %arg0, %arg1) ({
  ^bb0(%i: index, %a: i32):
    scf.yield %arg0 : index
  }) : (index, index, index, i32) -> i32
  return
}

// -----
func.func @f(%arg0: index, %arg1: i32, %arg2: i1) {
  %0 = "scf.for"(%arg0, %arg0, %arg0, %arg1) ({
  ^bb0(%i: index, %a: i64):
    scf.yield %arg1 : i32
  }) : (index, index, index, i32) -> i32
  return
}

// -----
func.func @f(%arg0: index, %arg1: i32, %arg2: i1) {
  %0 = "scf.for"(%arg0, %arg0, %arg0, %arg1) ({
  ^bb0(%i: index, %a: i32):
    scf.yield
  }) : (index, index, index, i32) -> i32
  return
}

// -----
func.func @f(%arg0: index, %arg1: i32, %arg2: i1) {
  %0 = "scf.for"(%arg0, %arg0, %arg0, %arg1) ({
  ^bb0(%i: index):
    scf.yield %arg1 : i32
  }) : (index, index, index, i32) -> i32
  return
}

// -----
func.func @f(%arg0: index, %arg1: i32, %arg2: i1) {
  %0 = "scf.for"(%arg0, %arg0, %arg0, %arg1) ({
  ^bb0(%i: i32, %a: i32):
    scf.yield %arg1 : i32
  }) : (index, index, index, i32) -> i32
  return
}

// -----
func.func @f(%arg0: index, %arg1: i32, %arg2: i1) {
  "scf.for"(%arg0, %arg0, %arg0, %arg1) ({
  ^bb0(%i: index, %a: i32):
    scf.yield %arg1 : i32
  }) : (index, index, index, i32) -> ()
  return
}

// -----
func.func @f(%arg0: index, %arg1: i32, %arg2: i1) {
  %0 = scf.if %arg2 -> i32 {
    scf.yield %arg2 : i1
  } else {
    scf.yield %arg1 : i32
  }
  return
}

// -----
func.func @f(%arg0: index, %arg1: i32, %arg2: i1) {
  %0 = "scf.while"(%arg1) ({
  ^bb0(%a: i32):
    scf.condition(%arg2)
  }, {
  ^bb0(%b: i32):
    scf.yield %b : i32
  }) : (i32) -> i32
  return
}

// -----
func.func @f(%arg0: index, %arg1: i32, %arg2: i1) {
  %0 = "scf.while"(%arg1) ({
  ^bb0(%a: i32):
    scf.condition(%arg2) %a : i32
  }, {
  ^bb0(%b: i32):
    scf.yield %b : i32
  }) : (i32) -> i64
  return
}

// -----
func.func @f(%arg0: index, %arg1: i32, %arg2: i1) {
  %0 = "scf.while"(%arg1) ({
  ^bb0(%a: i32):
    scf.condition(%arg2) %a : i32
  }, {
  ^bb0(%b: i32):
    scf.yield %arg2 : i1
  }) : (i32) -> i32
  return
}

// -----
func.func @f(%arg0: index, %arg1: i32, %arg2: i1) {
  %0 = "scf.while"(%arg1) ({
  ^bb0(%a: i32):
    "scf.condition"() : () -> ()
  }, {
  ^bb0(%b: i32):
    scf.yield %b : i32
  }) : (i32) -> i32
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'scf.for' op along control flow edge from Operation scf.yield to Region #0: successor operand type #0 'index' should match successor input type #0 'i32'
//  --> verify/loops/edges_between_regions.mlir:4:3
//   |
// 4 |   %0 = "scf.for"(%arg0, %arg0, %arg0, %arg1) ({
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// 5 |   ^bb0(%i: index, %a: i32):
// 6 |     scf.yield %arg0 : index
//   |     ----------------------- region branch point
//
// error[E0201]: 'scf.for' op along control flow edge from parent to Region #0: successor operand type #0 'i32' should match successor input type #0 'i64'
//   --> verify/loops/edges_between_regions.mlir:13:3
//    |
// 13 |   %0 = "scf.for"(%arg0, %arg0, %arg0, %arg1) ({
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |   |
//    |   region branch point
//
// error[E0201]: 'scf.for' op different number of region iter_args and yielded values: 1 != 0
//   --> verify/loops/edges_between_regions.mlir:22:3
//    |
// 22 |   %0 = "scf.for"(%arg0, %arg0, %arg0, %arg1) ({
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'scf.for' op different number of inits and region iter_args: 1 != 0
//   --> verify/loops/edges_between_regions.mlir:31:3
//    |
// 31 |   %0 = "scf.for"(%arg0, %arg0, %arg0, %arg1) ({
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'scf.for' op expected induction variable to be same type as bounds and step
//   --> verify/loops/edges_between_regions.mlir:40:3
//    |
// 40 |   %0 = "scf.for"(%arg0, %arg0, %arg0, %arg1) ({
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'scf.for' op mismatch in number of loop-carried values and defined values
//   --> verify/loops/edges_between_regions.mlir:49:3
//    |
// 49 |   "scf.for"(%arg0, %arg0, %arg0, %arg1) ({
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'scf.if' op along control flow edge from Operation scf.yield to Operation scf.if: successor operand type #0 'i1' should match successor input type #0 'i32'
//   --> verify/loops/edges_between_regions.mlir:58:3
//    |
// 58 |   %0 = scf.if %arg2 -> i32 {
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
// 59 |     scf.yield %arg2 : i1
//    |     -------------------- region branch point
//
// error[E0201]: 'scf.while' op along control flow edge from Operation scf.condition to Region #1: region branch point has 0 operands, but region successor needs 1 inputs
//   --> verify/loops/edges_between_regions.mlir:68:3
//    |
// 68 |   %0 = "scf.while"(%arg1) ({
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
// 69 |   ^bb0(%a: i32):
// 70 |     scf.condition(%arg2)
//    |     -------------------- region branch point
//
// error[E0201]: 'scf.while' op along control flow edge from Operation scf.condition to Operation scf.while: successor operand type #0 'i32' should match successor input type #0 'i64'
//   --> verify/loops/edges_between_regions.mlir:80:3
//    |
// 80 |   %0 = "scf.while"(%arg1) ({
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
// 81 |   ^bb0(%a: i32):
// 82 |     scf.condition(%arg2) %a : i32
//    |     ----------------------------- region branch point
//
// error[E0201]: 'scf.while' op along control flow edge from Operation scf.yield to Region #0: successor operand type #0 'i1' should match successor input type #0 'i32'
//   --> verify/loops/edges_between_regions.mlir:92:3
//    |
// 92 |   %0 = "scf.while"(%arg1) ({
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
// ...
// 97 |     scf.yield %arg2 : i1
//    |     -------------------- region branch point
//
// error[E0201]: 'scf.while' op along control flow edge from Operation scf.condition to Region #1: region branch point has 0 operands, but region successor needs 1 inputs
//    --> verify/loops/edges_between_regions.mlir:104:3
//     |
// 104 |   %0 = "scf.while"(%arg1) ({
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
// 105 |   ^bb0(%a: i32):
// 106 |     "scf.condition"() : () -> ()
//     |     ---------------------------- region branch point
//
// 11 diagnostics
// [exit status 1]
