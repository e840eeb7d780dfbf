// Globals and aliases start as what their types say, and computing that does nothing else.
// RUN: raddle check %s --split-input-file
llvm.mlir.global @g(1 : i32) {alignment = 63} : i32

// -----
llvm.mlir.global @g() : !llvm.label

// -----
llvm.mlir.global @g("ab") : !llvm.array<3 x i8>

// -----
llvm.mlir.global @g("ab")

// -----
llvm.mlir.global @g(1 : i32)

// -----
llvm.mlir.global @g(1 : i32) : i32, i32

// -----
llvm.mlir.global common @g(1 : i32) : i32

// -----
llvm.mlir.global common @g(dense<0> : tensor<2xi32>) : !llvm.array<2 x i32>

// -----
llvm.mlir.global appending @g() : i32

// -----
llvm.mlir.global @g() {addr_space = -1 : i32} : i32

// -----
llvm.mlir.global @g(0 : i64) : !llvm.target<"spirv.Image">

// -----
func.func @f() { llvm.mlir.global @g() : i32 return }

// -----
llvm.mlir.global @g() : i32 { llvm.return }

// -----
llvm.mlir.alias @g : !llvm.label {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// -----
llvm.mlir.alias common @g : i32 {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// -----
llvm.mlir.alias @g : i32 {
  %0 = llvm.mlir.zero : i32
  llvm.return %0 : i32
}

// -----
llvm.comdat @c { llvm.comdat_selector @s any }

// -----
llvm.mlir.global_ctors ctors = [@f], priorities = [], data = [#llvm.zero]

// -----
llvm.mlir.global_dtors dtors = [@f], priorities = [0 : i32], data = [1 : i32]

// -----
llvm.mlir.global_ctors ctors = [@f], priorities = [0 : i32], data = [#llvm.zero]

// -----
llvm.func @f()
llvm.mlir.global_ctors ctors = [@f], priorities = [0 : i32], data = [#llvm.zero]

// -----
module attributes {llvm.data_layout = "#x"} {}

// -----
module attributes {llvm.data_layout = "e-p:64:64-i64:64-n8:16:32:64-S128"} {}

// -----
llvm.module_flags [#llvm.mlir.module_flag<append, "CG Profile", 3 : i64>]

// -----
llvm.mlir.global @g() : i32 {
%1 = llvm.mlir.constant(4 : i32) : i32
%0 = llvm.sdiv %1, %1 : i32
llvm.return %0 : i32
}

// -----
llvm.mlir.global @g() : i32 {
%1 = llvm.mlir.zero : !llvm.ptr
%0 = llvm.load %1 : !llvm.ptr -> i32
llvm.return %0 : i32
}

// -----
llvm.mlir.global @g() : i64 {
%0 = llvm.mlir.zero : i32
llvm.return %0 : i32
}

// -----
llvm.mlir.global @g(1 : i32) : i32 {
%0 = llvm.mlir.zero : i32
llvm.return %0 : i32
}

// $ raddle check %s --split-input-file
// error[E0201]: 'llvm.mlir.global' op alignment attribute is not a power of 2
//  --> verify/llvm/globals.mlir:3:1
//   |
// 3 | llvm.mlir.global @g(1 : i32) {alignment = 63} : i32
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global' op expects type to be a valid element type for an LLVM global
//  --> verify/llvm/globals.mlir:6:1
//   |
// 6 | llvm.mlir.global @g() : !llvm.label
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global' op requires an i8 array type of the length equal to that of the string attribute
//  --> verify/llvm/globals.mlir:9:1
//   |
// 9 | llvm.mlir.global @g("ab") : !llvm.array<3 x i8>
//   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: expected `:` and the type of the global, found the end of the text: type can only be omitted for string globals
//   --> verify/llvm/globals.mlir:15:29
//    |
// 15 | llvm.mlir.global @g(1 : i32)
//    |                             ^ expected `:` and the type of the global
//
// error[E0101]: expected zero or one type
//   --> verify/llvm/globals.mlir:18:35
//    |
// 18 | llvm.mlir.global @g(1 : i32) : i32, i32
//    |                                   ^
//
// error[E0201]: 'llvm.mlir.global' op expected zero value for 'common' linkage
//   --> verify/llvm/globals.mlir:21:1
//    |
// 21 | llvm.mlir.global common @g(1 : i32) : i32
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global' op expected array type for 'appending' linkage
//   --> verify/llvm/globals.mlir:27:1
//    |
// 27 | llvm.mlir.global appending @g() : i32
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global' op attribute 'addr_space' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative
//   --> verify/llvm/globals.mlir:30:1
//    |
// 30 | llvm.mlir.global @g() {addr_space = -1 : i32} : i32
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global' op global with target extension type can only be initialized with zero-initializer
//   --> verify/llvm/globals.mlir:33:1
//    |
// 33 | llvm.mlir.global @g(0 : i64) : !llvm.target<"spirv.Image">
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global' op symbol's parent must have the SymbolTable trait
//   --> verify/llvm/globals.mlir:36:18
//    |
// 36 | func.func @f() { llvm.mlir.global @g() : i32 return }
//    |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global' op initializer region cannot return void
//   --> verify/llvm/globals.mlir:39:1
//    |
// 39 | llvm.mlir.global @g() : i32 { llvm.return }
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.alias' op expects type to be a valid element type for an LLVM global alias
//   --> verify/llvm/globals.mlir:42:1
//    |
// 42 | llvm.mlir.alias @g : !llvm.label {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.alias' op 'common' linkage not supported in aliases, available options: private, internal, linkonce, weak, linkonce_odr, weak_odr, external or available_externally
//   --> verify/llvm/globals.mlir:48:1
//    |
// 48 | llvm.mlir.alias common @g : i32 {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.alias' op initializer region must always return a pointer
//   --> verify/llvm/globals.mlir:54:1
//    |
// 54 | llvm.mlir.alias @g : i32 {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global_ctors' op ctors, priorities, and data must have the same number of elements
//   --> verify/llvm/globals.mlir:63:1
//    |
// 63 | llvm.mlir.global_ctors ctors = [@f], priorities = [], data = [#llvm.zero]
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global_dtors' op data element must be symbol or #llvm.zero
//   --> verify/llvm/globals.mlir:66:1
//    |
// 66 | llvm.mlir.global_dtors dtors = [@f], priorities = [0 : i32], data = [1 : i32]
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global_ctors' op 'f' does not reference a valid LLVM function
//   --> verify/llvm/globals.mlir:69:1
//    |
// 69 | llvm.mlir.global_ctors ctors = [@f], priorities = [0 : i32], data = [#llvm.zero]
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global_ctors' op 'f' does not have a definition
//   --> verify/llvm/globals.mlir:73:1
//    |
// 73 | llvm.mlir.global_ctors ctors = [@f], priorities = [0 : i32], data = [#llvm.zero]
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'builtin.module' op invalid data layout descriptor: unknown specifier in `#x`
//   --> verify/llvm/globals.mlir:76:1
//    |
// 76 | module attributes {llvm.data_layout = "#x"} {}
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.module_flags' op 'CG Profile' key expects an array of '#llvm.cgprofile_entry'
//   --> verify/llvm/globals.mlir:82:1
//    |
// 82 | llvm.module_flags [#llvm.mlir.module_flag<append, "CG Profile", 3 : i64>]
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.load' op ops with side effects not allowed in global initializers
//   --> verify/llvm/globals.mlir:94:1
//    |
// 94 | %0 = llvm.load %1 : !llvm.ptr -> i32
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global' op initializer region type 'i32' does not match global type 'i64'
//   --> verify/llvm/globals.mlir:99:1
//    |
// 99 | llvm.mlir.global @g() : i64 {
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.global' op cannot have both initializer value and region
//    --> verify/llvm/globals.mlir:105:1
//     |
// 105 | llvm.mlir.global @g(1 : i32) : i32 {
//     | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 23 diagnostics
// [exit status 1]
