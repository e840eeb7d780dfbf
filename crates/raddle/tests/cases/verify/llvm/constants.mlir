// Constants are of the type that they fill.
// RUN: raddle check %s --split-input-file
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant(1 : i32) : i64
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant(1 : index) : f32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant(1.0 : bf16) : f16
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant(1.0 : f16) : i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant(1.0 : f16) : i16
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant("foo") : !llvm.array<3 x i8>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant("foo") : !llvm.ptr
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant(@f) : !llvm.ptr
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant(1 : i32) : !llvm.target<"t">
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant(dense<1> : tensor<2xi32>) : vector<5xi32>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant(dense<[1, 2]> : tensor<2xi32>) : vector<[2]xi32>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant(dense<1> : tensor<4xi32>) : !llvm.array<2 x vector<2xi32>>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant(dense<1> : tensor<4xi32>) : !llvm.array<4 x f32>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant(dense<1.0> : tensor<1xf32>) : f32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant([1.0 : f64]) : !llvm.struct<(f64, f64)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant([1.0 : f64, 1.0 : f32]) : !llvm.struct<(f64, f64)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant([1.0 : f64, 1 : i8]) : !llvm.struct<(f64, i8)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant(1.0 : f64) : !llvm.struct<(f64)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant([1 : i32]) : i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant([1.0]) : !llvm.array<1 x f64>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant([[1 : i32]]) : !llvm.array<2 x struct<(i32)>>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant([[1 : i32]]) : !llvm.array<1 x struct<(i32, i32)>>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.constant([[1 : i32]]) : !llvm.array<1 x struct<(i32)>>
  llvm.return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'llvm.mlir.constant' op expected integer type
//   --> verify/llvm/constants.mlir:10:3
//    |
// 10 |   %0 = llvm.mlir.constant(1 : index) : f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op attribute and type have different float semantics
//   --> verify/llvm/constants.mlir:16:3
//    |
// 16 |   %0 = llvm.mlir.constant(1.0 : bf16) : f16
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op expected integer type of width 16
//   --> verify/llvm/constants.mlir:22:3
//    |
// 22 |   %0 = llvm.mlir.constant(1.0 : f16) : i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op expected array type of 3 i8 elements for the string constant
//   --> verify/llvm/constants.mlir:40:3
//    |
// 40 |   %0 = llvm.mlir.constant("foo") : !llvm.ptr
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op only supports integer, float, string or elements attributes
//   --> verify/llvm/constants.mlir:46:3
//    |
// 46 |   %0 = llvm.mlir.constant(@f) : !llvm.ptr
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op does not support target extension type.
//   --> verify/llvm/constants.mlir:52:3
//    |
// 52 |   %0 = llvm.mlir.constant(1 : i32) : !llvm.target<"t">
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op type and attribute have a different number of elements: 5 vs. 2
//   --> verify/llvm/constants.mlir:58:3
//    |
// 58 |   %0 = llvm.mlir.constant(dense<1> : tensor<2xi32>) : vector<5xi32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op scalable vector type requires a splat attribute
//   --> verify/llvm/constants.mlir:64:3
//    |
// 64 |   %0 = llvm.mlir.constant(dense<[1, 2]> : tensor<2xi32>) : vector<[2]xi32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op expected integer element type for integer elements attribute
//   --> verify/llvm/constants.mlir:76:3
//    |
// 76 |   %0 = llvm.mlir.constant(dense<1> : tensor<4xi32>) : !llvm.array<4 x f32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op expected vector or array type
//   --> verify/llvm/constants.mlir:82:3
//    |
// 82 |   %0 = llvm.mlir.constant(dense<1.0> : tensor<1xf32>) : f32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op expected array attribute of size 2
//   --> verify/llvm/constants.mlir:88:3
//    |
// 88 |   %0 = llvm.mlir.constant([1.0 : f64]) : !llvm.struct<(f64, f64)>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op struct element at index 1 is of wrong type
//   --> verify/llvm/constants.mlir:94:3
//    |
// 94 |   %0 = llvm.mlir.constant([1.0 : f64, 1.0 : f32]) : !llvm.struct<(f64, f64)>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op expected array attribute for struct type
//    --> verify/llvm/constants.mlir:106:3
//     |
// 106 |   %0 = llvm.mlir.constant(1.0 : f64) : !llvm.struct<(f64)>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op expected array or struct type for array attribute
//    --> verify/llvm/constants.mlir:112:3
//     |
// 112 |   %0 = llvm.mlir.constant([1 : i32]) : i32
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op for array with an array attribute must have a struct element type
//    --> verify/llvm/constants.mlir:118:3
//     |
// 118 |   %0 = llvm.mlir.constant([1.0]) : !llvm.array<1 x f64>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op array attribute size does not match array type size in dimension 0: 1 vs. 2
//    --> verify/llvm/constants.mlir:124:3
//     |
// 124 |   %0 = llvm.mlir.constant([[1 : i32]]) : !llvm.array<2 x struct<(i32)>>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.mlir.constant' op nested array attribute size for struct element at index 0 must match struct size: 1 vs. 2
//    --> verify/llvm/constants.mlir:130:3
//     |
// 130 |   %0 = llvm.mlir.constant([[1 : i32]]) : !llvm.array<1 x struct<(i32, i32)>>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// 17 diagnostics
// [exit status 1]
