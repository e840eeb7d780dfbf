// Where a value is used without being seen, the place of its definition is told.
// RUN: raddle check %s --split-input-file --allow-unregistered-dialect
func.func @f() {
"t.op"(%a) : (i8) -> ()
%a = "t.op"() : () -> i8
return
}

// -----
func.func @f() {
"t.op"() ({ "t.op"(%a) : (i8) -> () }) : () -> ()
%a = "t.op"() : () -> i8
return
}

// -----
func.func @f() {
cf.br ^a(%a : i8)
^a(%a: i8):
return
}

// $ raddle check %s --split-input-file --allow-unregistered-dialect
// error[E0202]: operand #0 does not dominate this use: `t.op` does not see its definition
//  --> verify/language/definitions_that_do_not_dominate.mlir:4:1
//   |
// 4 | "t.op"(%a) : (i8) -> ()
//   | ^^^^^^^^^^^^^^^^^^^^^^^
// 5 | %a = "t.op"() : () -> i8
//   | ------------------------ operand defined here (op in the same block)
//
// error[E0202]: operand #0 does not dominate this use: `t.op` does not see its definition
//   --> verify/language/definitions_that_do_not_dominate.mlir:11:13
//    |
// 11 | "t.op"() ({ "t.op"(%a) : (i8) -> () }) : () -> ()
//    |             ^^^^^^^^^^^^^^^^^^^^^^^
// 12 | %a = "t.op"() : () -> i8
//    | ------------------------ operand defined here (op in a parent region)
//
// error[E0202]: operand #0 does not dominate this use: `cf.br` does not see its definition
//   --> verify/language/definitions_that_do_not_dominate.mlir:18:1
//    |
// 17 | func.func @f() {
//    | ---------------- operand defined as a block argument (block #1 in the same region)
// 18 | cf.br ^a(%a : i8)
//    | ^^^^^^^^^^^^^^^^^
//
// 3 diagnostics
// [exit status 1]
