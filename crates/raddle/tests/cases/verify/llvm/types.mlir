// Types that LLVM lacks are named where they stand.
// RUN: raddle check %s --split-input-file
llvm.func @f(!llvm.other) attributes {note = "llvm.other"}

// -----
llvm.func @"llvm.other"() -> !llvm.other

// -----
llvm.func @f(!llvm.void)

// -----
llvm.func @f(!llvm.func<void ()>)

// -----
llvm.func @f() -> !llvm.array<4 by f32>

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.undef : !llvm.array<4 x void>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.undef : !llvm.struct<"a", (i32)>
%1 = llvm.mlir.undef : !llvm.struct<"a", (i64)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.undef : !llvm.struct<"a", (i32)>
%1 = llvm.mlir.undef : !llvm.struct<"a", (i32)>
  llvm.return
}

// $ raddle check %s --split-input-file
// error[E0101]: unknown LLVM type: other
//  --> verify/llvm/types.mlir:3:14
//   |
// 3 | llvm.func @f(!llvm.other) attributes {note = "llvm.other"}
//   |              ^^^^^^^^^^^
//
// error[E0101]: unknown LLVM type: other
//  --> verify/llvm/types.mlir:6:30
//   |
// 6 | llvm.func @"llvm.other"() -> !llvm.other
//   |                              ^^^^^^^^^^^
//
// error[E0101]: invalid function argument type: `void`
//  --> verify/llvm/types.mlir:9:1
//   |
// 9 | llvm.func @f(!llvm.void)
//   | ^^^^^^^^^
//
// error[E0101]: invalid function argument type: `func<void ()>`
//   --> verify/llvm/types.mlir:12:1
//    |
// 12 | llvm.func @f(!llvm.func<void ()>)
//    | ^^^^^^^^^
//
// error[E0101]: malformed LLVM type: `array<4 by f32>`
//   --> verify/llvm/types.mlir:15:19
//    |
// 15 | llvm.func @f() -> !llvm.array<4 by f32>
//    |                   ^^^^^^^^^^^
//
// error[E0101]: invalid array element type: `void`
//   --> verify/llvm/types.mlir:19:26
//    |
// 19 |   %0 = llvm.mlir.undef : !llvm.array<4 x void>
//    |                          ^^^^^^^^^^^
//
// error[E0101]: identified type already used with a different body: "a"
//   --> verify/llvm/types.mlir:26:24
//    |
// 26 | %1 = llvm.mlir.undef : !llvm.struct<"a", (i64)>
//    |                        ^^^^^^^^^^^^
//
// 7 diagnostics
// [exit status 1]
