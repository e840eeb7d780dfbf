// Calls fit what they call.
// RUN: raddle check %s --split-input-file
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @none() : () -> ()
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @h() : () -> ()
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @g(%i) : (i32) -> i32
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @g() : () -> i32
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @g(%l) : (i64) -> i32
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @g(%i) : (i32) -> ()
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @g(%i) : (i32) -> i64
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @g(%i) : (i32) -> (i32, i32)
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @g(%i) : (i32) -> (!llvm.void)
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @v() : () -> ()
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @v(%i) vararg(!llvm.func<void (i32, ...)>) : (i32) -> ()
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @v(%i) vararg(!llvm.func<void (i32)>) : (i32) -> ()
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @v(%i) vararg(!llvm.func<void (i64, ...)>) : (i32) -> ()
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @v(%i) vararg(!llvm.func<i8 (i32, ...)>) : (i32) -> ()
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call %p(%i) : !llvm.ptr, (i32) -> ()
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call %i(%i) : i32, (i32) -> ()
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call %p(%i) : (i32) -> ()
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  llvm.call @w() ["tag"(%i : i32, i32)] : () -> ()
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  %0 = llvm.call_intrinsic "sin"(%f) : (f32) -> f32
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  %0 = llvm.inline_asm tail_call_kind = <musttail> "", "=r,r" %i : (i32) -> i32
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  %0 = llvm.mlir.addressof @x : !llvm.ptr<4>
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  %0 = llvm.mlir.addressof @x : !llvm.ptr<3>
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  %0 = llvm.mlir.addressof @h : !llvm.ptr
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  %0 = llvm.blockaddress <function = @f, tag = <id = 1>> : !llvm.ptr
  llvm.return
}

// -----
llvm.func @g(i32) -> i32
llvm.func @v(i32, ...)
llvm.func @w()
func.func private @h()
llvm.mlir.global @x() {addr_space = 3 : i32} : i32
llvm.func @f(%p: !llvm.ptr, %i: i32, %l: i64, %f: f32) {
  %0 = llvm.blockaddress <function = @f, tag = <id = 1>> : !llvm.ptr
llvm.blocktag <id = 1>
  llvm.return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'llvm.call' op 'none' does not reference a symbol in the current scope
//  --> verify/llvm/calls.mlir:9:3
//   |
// 9 |   llvm.call @none() : () -> ()
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.call' op 'h' does not reference a valid LLVM function or IFunc
//   --> verify/llvm/calls.mlir:20:3
//    |
// 20 |   llvm.call @h() : () -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.call' op incorrect number of operands (0) for callee (expecting: 1)
//   --> verify/llvm/calls.mlir:42:3
//    |
// 42 |   llvm.call @g() : () -> i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.call' op operand type mismatch for operand 0: 'i64' != 'i32'
//   --> verify/llvm/calls.mlir:53:3
//    |
// 53 |   llvm.call @g(%l) : (i64) -> i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.call' op expected function call to produce a value
//   --> verify/llvm/calls.mlir:64:3
//    |
// 64 |   llvm.call @g(%i) : (i32) -> ()
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.call' op result type mismatch: 'i64' != 'i32'
//   --> verify/llvm/calls.mlir:75:3
//    |
// 75 |   llvm.call @g(%i) : (i32) -> i64
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: expected function with 0 or 1 result
//   --> verify/llvm/calls.mlir:86:31
//    |
// 86 |   llvm.call @g(%i) : (i32) -> (i32, i32)
//    |                               ^
//
// error[E0101]: expected a non-void result type
//   --> verify/llvm/calls.mlir:97:31
//    |
// 97 |   llvm.call @g(%i) : (i32) -> (!llvm.void)
//    |                               ^
//
// error[E0201]: 'llvm.call' op missing var_callee_type attribute for vararg call
//    --> verify/llvm/calls.mlir:108:3
//     |
// 108 |   llvm.call @v() : () -> ()
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.call' op expected var_callee_type to be a variadic function type
//    --> verify/llvm/calls.mlir:130:3
//     |
// 130 |   llvm.call @v(%i) vararg(!llvm.func<void (i32)>) : (i32) -> ()
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.call' op var_callee_type parameter type mismatch: 'i64' != 'i32'
//    --> verify/llvm/calls.mlir:141:3
//     |
// 141 |   llvm.call @v(%i) vararg(!llvm.func<void (i64, ...)>) : (i32) -> ()
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.call' op expected var_callee_type to return void
//    --> verify/llvm/calls.mlir:152:3
//     |
// 152 |   llvm.call @v(%i) vararg(!llvm.func<i8 (i32, ...)>) : (i32) -> ()
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.call' op indirect call expects a pointer as callee: 'i32'
//    --> verify/llvm/calls.mlir:174:3
//     |
// 174 |   llvm.call %i(%i) : i32, (i32) -> ()
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: expected `,`, found `llvm.return`: expected indirect call to have 2 trailing types
//    --> verify/llvm/calls.mlir:185:33
//     |
// 185 |   llvm.call %p(%i) : (i32) -> ()
//     |                                 ^ expected `,`
//
// error[E0101]: expected 1 types for operand bundle operands for operand bundle #0, but actually got 2
//    --> verify/llvm/calls.mlir:196:15
//     |
// 196 |   llvm.call @w() ["tag"(%i : i32, i32)] : () -> ()
//     |               ^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.call_intrinsic' op intrinsic name must start with 'llvm.'
//    --> verify/llvm/calls.mlir:207:3
//     |
// 207 |   %0 = llvm.call_intrinsic "sin"(%f) : (f32) -> f32
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.inline_asm' op tail call kind 'musttail' is not supported
//    --> verify/llvm/calls.mlir:218:3
//     |
// 218 |   %0 = llvm.inline_asm tail_call_kind = <musttail> "", "=r,r" %i : (i32) -> i32
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.addressof' op pointer address space must match address space of the referenced global or alias
//    --> verify/llvm/calls.mlir:229:3
//     |
// 229 |   %0 = llvm.mlir.addressof @x : !llvm.ptr<4>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.addressof' op must reference a global defined by 'llvm.mlir.global', 'llvm.mlir.alias' or 'llvm.func' or 'llvm.mlir.ifunc'
//    --> verify/llvm/calls.mlir:251:3
//     |
// 251 |   %0 = llvm.mlir.addressof @h : !llvm.ptr
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.blockaddress' op expects an existing block label target in the referenced function
//    --> verify/llvm/calls.mlir:262:3
//     |
// 262 |   %0 = llvm.blockaddress <function = @f, tag = <id = 1>> : !llvm.ptr
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 20 diagnostics
// [exit status 1]
