// A jump passes what the block behind it takes, stays in its region, and does not go back to the region's beginning.
// RUN: raddle check %s --split-input-file
func.func @f(%a: i32, %b: f32, %c: i1) {
cf.br ^x(%b : f32)
^x(%y: i32):
return
}

// -----
func.func @f(%a: i32, %b: f32, %c: i1) {
cf.cond_br %c, ^x, ^x(%a : i32)
^x(%y: i32):
return
}

// -----
func.func @f(%a: i32, %b: f32, %c: i1) {
cf.switch %a : i32, [default: ^x, 1: ^x(%a : i32)]
^x:
return
}

// -----
func.func @f(%a: i32, %b: f32, %c: i1) {
scf.execute_region {
^e:
cf.br ^e
}
return
}

// -----
func.func @f(%a: i32, %b: f32, %c: i1) {
"cf.switch"(%a)[^x, ^x] {case_values = dense<[1, 2]> : vector<2xi32>, case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>} : (i32) -> ()
^x:
return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'cf.br' op type mismatch for bb argument #0 of successor #0: 'f32' for 'i32'
//  --> verify/language/jumps_fit_their_blocks.mlir:4:1
//   |
// 4 | cf.br ^x(%b : f32)
//   | ^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'cf.cond_br' op branch has 0 operands for successor #0, but target block has 1
//   --> verify/language/jumps_fit_their_blocks.mlir:11:1
//    |
// 11 | cf.cond_br %c, ^x, ^x(%a : i32)
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'cf.switch' op branch has 1 operands for successor #1, but target block has 0
//   --> verify/language/jumps_fit_their_blocks.mlir:18:1
//    |
// 18 | cf.switch %a : i32, [default: ^x, 1: ^x(%a : i32)]
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: entry block of region may not have predecessors
//   --> verify/language/jumps_fit_their_blocks.mlir:25:1
//    |
// 25 | scf.execute_region {
//    | ^^^^^^^^^^^^^^^^^^^^
// 26 | ^e:
// 27 | cf.br ^e
//    | -------- this goes to the first block of its region
//
// error[E0201]: 'cf.switch' op has 2 numbers for 1 cases
//   --> verify/language/jumps_fit_their_blocks.mlir:34:1
//    |
// 34 | "cf.switch"(%a)[^x, ^x] {case_values = dense<[1, 2]> : vector<2xi32>, case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>} : (i32) -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 5 diagnostics
// [exit status 1]
