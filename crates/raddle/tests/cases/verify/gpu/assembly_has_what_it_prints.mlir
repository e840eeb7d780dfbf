// What the assembly of functions, globals and parts of containers is printed from is there, and fits.
// RUN: raddle check %s --split-input-file
"llvm.func"() ({}) {sym_name = "f"} : () -> ()

// -----
"llvm.func"() ({
  ^a(%0: i64): llvm.return
}) {sym_name = "f", function_type = !llvm.func<void ()>} : () -> ()

// -----
llvm.func @f() -> (!llvm.void {llvm.noundef})

// -----
"llvm.mlir.global"() ({}) {global_type = i64} : () -> ()

// -----
"llvm.mlir.global"() ({}) {sym_name = "g"} : () -> ()

// -----
func.func @f(%a: !llvm.array<1 x i32>) {
  %0 = "llvm.insertvalue"(%a, %a) {position = array<i64: 0>} : (!llvm.array<1 x i32>, !llvm.array<1 x i32>) -> !llvm.array<1 x i32>
  return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'llvm.func' op requires attribute 'function_type'
//  --> verify/gpu/assembly_has_what_it_prints.mlir:3:1
//   |
// 3 | "llvm.func"() ({}) {sym_name = "f"} : () -> ()
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op entry block must have 0 arguments
//  --> verify/gpu/assembly_has_what_it_prints.mlir:6:1
//   |
// 6 | "llvm.func"() ({
//   | ^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op expects result attribute array to have the same number of elements as the number of function results, got 1, but expected 0
//   --> verify/gpu/assembly_has_what_it_prints.mlir:11:1
//    |
// 11 | llvm.func @f() -> (!llvm.void {llvm.noundef})
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global' op requires attribute 'sym_name'
//   --> verify/gpu/assembly_has_what_it_prints.mlir:14:1
//    |
// 14 | "llvm.mlir.global"() ({}) {global_type = i64} : () -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global' op requires attribute 'global_type'
//   --> verify/gpu/assembly_has_what_it_prints.mlir:17:1
//    |
// 17 | "llvm.mlir.global"() ({}) {sym_name = "g"} : () -> ()
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.insertvalue' op Type mismatch: cannot insert '!llvm.array<1 x i32>' into '!llvm.array<1 x i32>', where 'i32' stands
//   --> verify/gpu/assembly_has_what_it_prints.mlir:21:3
//    |
// 21 |   %0 = "llvm.insertvalue"(%a, %a) {position = array<i64: 0>} : (!llvm.array<1 x i32>, !llvm.array<1 x i32>) -> !llvm.array<1 x i32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 6 diagnostics
// [exit status 1]
