// Blocks that nothing leads to may use what is defined anywhere in their region, and so may what runs in no order.
// RUN: raddle check %s --split-input-file --allow-unregistered-dialect
func.func @f() {
return
^dead:
%1 = arith.addi %2, %2 : i32
%2 = arith.addi %1, %1 : i32
cf.br ^dead
}

// -----
func.func @f() {
return
^a:
%1 = arith.addi %2, %2 : i32
cf.br ^b
^b:
%2 = arith.constant 1 : i32
cf.br ^a
}

// -----
"t.graph"() ({
%1 = arith.addi %2, %2 : i32
%2 = arith.addi %1, %1 : i32
}) : () -> ()

// -----
%1 = arith.addi %2, %2 : i32
%2 = arith.addi %1, %1 : i32

// -----
func.func @f() {
%1 = arith.addi %2, %2 : i32
%2 = arith.addi %1, %1 : i32
return
}

// -----
func.func @f() {
return
^dead:
scf.execute_region {
%1 = arith.addi %2, %2 : i32
%2 = arith.addi %1, %1 : i32
scf.yield
}
return
}

// $ raddle check %s --split-input-file --allow-unregistered-dialect
// error[E0202]: operand #0 does not dominate this use: `arith.addi` does not see its definition
//   --> verify/language/order_matters_where_something_runs.mlir:34:1
//    |
// 34 | %1 = arith.addi %2, %2 : i32
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// 35 | %2 = arith.addi %1, %1 : i32
//    | ---------------------------- operand defined here (op in the same block)
//
// error[E0202]: operand #0 does not dominate this use: `arith.addi` does not see its definition
//   --> verify/language/order_matters_where_something_runs.mlir:44:1
//    |
// 44 | %1 = arith.addi %2, %2 : i32
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
// 45 | %2 = arith.addi %1, %1 : i32
//    | ---------------------------- operand defined here (op in the same block)
//
// 2 diagnostics
// [exit status 1]
