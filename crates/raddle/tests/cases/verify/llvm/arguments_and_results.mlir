// What is said of arguments and results fits their types.
// RUN: raddle check %s --split-input-file
llvm.func @f(i32 {llvm.noalias})

// -----
llvm.func @f(!llvm.ptr {llvm.noalias = 1})

// -----
llvm.func @f(!llvm.ptr {llvm.byval})

// -----
llvm.func @f(!llvm.ptr {llvm.align = "4"})

// -----
llvm.func @f(f32 {llvm.signext})

// -----
llvm.func @f(f32 {llvm.noundef, other.note = 3})

// -----
llvm.func @f() -> (!llvm.ptr {llvm.readonly})

// -----
llvm.func @f() -> (!llvm.ptr {llvm.align = 4})

// -----
llvm.func @f() -> (!llvm.void {llvm.noundef})

// -----
llvm.func @f(!llvm.ptr {llvm.byval = i32, nvvm.grid_constant})

// -----
llvm.func @f(!llvm.ptr {nvvm.grid_constant}) attributes {nvvm.kernel}

// -----
llvm.func @f(!llvm.ptr {llvm.byval = i32, nvvm.grid_constant}) attributes {nvvm.kernel}

// -----
func.func private @f(memref<4xf32> {llvm.noalias})

// -----
func.func private @f(i32 {llvm.noalias})

// $ raddle check %s --split-input-file
// error[E0201]: 'llvm.func' op "llvm.noalias" attribute attached to non-pointer LLVM type
//  --> verify/llvm/arguments_and_results.mlir:3:1
//   |
// 3 | llvm.func @f(i32 {llvm.noalias})
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op "llvm.noalias" should be a unit attribute
//  --> verify/llvm/arguments_and_results.mlir:6:1
//   |
// 6 | llvm.func @f(!llvm.ptr {llvm.noalias = 1})
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op "llvm.byval" should be a type attribute
//  --> verify/llvm/arguments_and_results.mlir:9:1
//   |
// 9 | llvm.func @f(!llvm.ptr {llvm.byval})
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op "llvm.align" should be an integer attribute
//   --> verify/llvm/arguments_and_results.mlir:12:1
//    |
// 12 | llvm.func @f(!llvm.ptr {llvm.align = "4"})
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op "llvm.signext" attribute attached to non-integer LLVM type
//   --> verify/llvm/arguments_and_results.mlir:15:1
//    |
// 15 | llvm.func @f(f32 {llvm.signext})
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op "llvm.readonly" is not a valid result attribute
//   --> verify/llvm/arguments_and_results.mlir:21:1
//    |
// 21 | llvm.func @f() -> (!llvm.ptr {llvm.readonly})
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op expects result attribute array to have the same number of elements as the number of function results, got 1, but expected 0
//   --> verify/llvm/arguments_and_results.mlir:27:1
//    |
// 27 | llvm.func @f() -> (!llvm.void {llvm.noundef})
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op '"nvvm.grid_constant"' attribute must be present only on kernel arguments
//   --> verify/llvm/arguments_and_results.mlir:30:1
//    |
// 30 | llvm.func @f(!llvm.ptr {llvm.byval = i32, nvvm.grid_constant})
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.func' op '"nvvm.grid_constant"' attribute requires the argument to also have attribute 'llvm.byval'
//   --> verify/llvm/arguments_and_results.mlir:33:1
//    |
// 33 | llvm.func @f(!llvm.ptr {nvvm.grid_constant}) attributes {nvvm.kernel}
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'func.func' op "llvm.noalias" attribute attached to non-pointer LLVM type
//   --> verify/llvm/arguments_and_results.mlir:42:1
//    |
// 42 | func.func private @f(i32 {llvm.noalias})
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 10 diagnostics
// [exit status 1]
