// Rows say which types operands and results have.
// RUN: raddle check %s --split-input-file
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.add %f, %f : f32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.fadd %i, %i : i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.ptrtoint %i : i32 to i64
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.load %p : !llvm.ptr -> !llvm.target<"other">
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.load %p : !llvm.ptr -> tensor<4xi32>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.load %p : !llvm.ptr -> !llvm.target<"spirv.Event">
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.zero : tensor<4xi32>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.undef : vector<2x3xf32>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.bitcast %v : vector<4xi32> to !llvm.struct<(i128)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  nvvm.mapa %p, %i : !llvm.ptr -> !llvm.ptr<3>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = "llvm.atomicrmw"(%p, %i) {bin_op = 1 : i64, ordering = 2 : i64} : (!llvm.ptr, i32) -> i64
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = "llvm.extractelement"(%v, %i) : (vector<4xi32>, i32) -> i64
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  rocdl.global.load.lds %g, %s, 4, 0, 0
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.zero : !llvm.ptr<0>
llvm.intr.trap
%1 = llvm.ptrtoint %0 : !llvm.ptr to i64
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  rocdl.load.to.lds %g, %p, 4, 0, 0 : !llvm.ptr<1>
  llvm.return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'llvm.add' op operand #0 must be signless integer or LLVM dialect-compatible vector of signless integer, but got 'f32'
//  --> verify/llvm/sorts_of_types.mlir:4:3
//   |
// 4 |   %0 = llvm.add %f, %f : f32
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: this is `lhs`: signless integer or LLVM dialect-compatible vector of signless integer
//
// error[E0201]: 'llvm.fadd' op operand #0 must be floating point LLVM type or LLVM dialect-compatible vector of floating point LLVM type, but got 'i32'
//   --> verify/llvm/sorts_of_types.mlir:10:3
//    |
// 10 |   %0 = llvm.fadd %i, %i : i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: this is `lhs`: floating point LLVM type or LLVM dialect-compatible vector of floating point LLVM type
//
// error[E0201]: 'llvm.ptrtoint' op operand #0 must be LLVM pointer type or LLVM dialect-compatible vector of LLVM pointer type, but got 'i32'
//   --> verify/llvm/sorts_of_types.mlir:16:3
//    |
// 16 |   %0 = llvm.ptrtoint %i : i32 to i64
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: this is `arg`: LLVM pointer type or LLVM dialect-compatible vector of LLVM pointer type
//
// error[E0201]: 'llvm.load' op result #0 must be LLVM type with size, but got '!llvm.target<"other">'
//   --> verify/llvm/sorts_of_types.mlir:22:3
//    |
// 22 |   %0 = llvm.load %p : !llvm.ptr -> !llvm.target<"other">
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: this is `res`: LLVM type with size
//
// error[E0201]: 'llvm.load' op result #0 must be LLVM type with size, but got 'tensor<4xi32>'
//   --> verify/llvm/sorts_of_types.mlir:28:3
//    |
// 28 |   %0 = llvm.load %p : !llvm.ptr -> tensor<4xi32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: this is `res`: LLVM type with size
//
// error[E0201]: 'llvm.mlir.zero' op result #0 must be LLVM dialect-compatible type, but got 'tensor<4xi32>'
//   --> verify/llvm/sorts_of_types.mlir:40:3
//    |
// 40 |   %0 = llvm.mlir.zero : tensor<4xi32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: this is `res`: LLVM dialect-compatible type
//
// error[E0201]: 'llvm.mlir.undef' op result #0 must be LLVM dialect-compatible type, but got 'vector<2x3xf32>'
//   --> verify/llvm/sorts_of_types.mlir:46:3
//    |
// 46 |   %0 = llvm.mlir.undef : vector<2x3xf32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: this is `res`: LLVM dialect-compatible type
//
// error[E0201]: 'llvm.bitcast' op result #0 must be LLVM-compatible non-aggregate type, but got '!llvm.struct<(i128)>'
//   --> verify/llvm/sorts_of_types.mlir:52:3
//    |
// 52 |   %0 = llvm.bitcast %v : vector<4xi32> to !llvm.struct<(i128)>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: this is `res`: LLVM-compatible non-aggregate type
//
// error[E0201]: 'nvvm.mapa' op result #0 must be LLVM pointer in address space 0 or LLVM pointer in address space 7, but got '!llvm.ptr<3>'
//   --> verify/llvm/sorts_of_types.mlir:58:3
//    |
// 58 |   nvvm.mapa %p, %i : !llvm.ptr -> !llvm.ptr<3>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: this is `res`: LLVM pointer in address space 0 or LLVM pointer in address space 7
//
// error[E0201]: 'llvm.atomicrmw' op failed to verify that result #0 and operand #1 have the same type: 'i64', 'i32'
//   --> verify/llvm/sorts_of_types.mlir:64:3
//    |
// 64 |   %0 = "llvm.atomicrmw"(%p, %i) {bin_op = 1 : i64, ordering = 2 : i64} : (!llvm.ptr, i32) -> i64
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.extractelement' op failed to verify that result type matches vector element type
//   --> verify/llvm/sorts_of_types.mlir:70:3
//    |
// 70 |   %0 = "llvm.extractelement"(%v, %i) : (vector<4xi32>, i32) -> i64
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//    |
//    = note: `res` has type 'i64', and `vector` 'vector<4xi32>'
//
// error[E0104]: use of value `%p` expects different type than prior uses: `!llvm.ptr<3>` vs `!llvm.ptr`
//   --> verify/llvm/sorts_of_types.mlir:90:25
//    |
// 89 | llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
//    |              -- prior use here
// 90 |   rocdl.load.to.lds %g, %p, 4, 0, 0 : !llvm.ptr<1>
//    |                         ^^
//
// 12 diagnostics
// [exit status 1]
