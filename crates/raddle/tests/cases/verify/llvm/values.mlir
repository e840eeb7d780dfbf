// Casts, parts of vectors and branches.
// RUN: raddle check %s --split-input-file
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.zext %l : i64 to i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.sext %i : i32 to vector<1xi64>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.zext %v : vector<4xi32> to vector<2xi64>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.bitcast %p : !llvm.ptr to i64
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.bitcast %p : !llvm.ptr to vector<1x!llvm.ptr>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.bitcast %g : !llvm.ptr<1> to !llvm.ptr
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.intr.vector.insert %v, %v[0] : vector<4xi32> into vector<4xi32>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.intr.vector.extract %v[0] : vector<[2]xi32> from vector<4xi32>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.intr.vector.extract %v[0] : vector<5000xi32> from vector<4xi32>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = "llvm.intr.vector.interleave2"(%v, %v) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.intr.sincos(%f) : (f32) -> !llvm.struct<(f32, f64)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.intr.sincos(%f) : (f32) -> !llvm.struct<(f32, f32)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  llvm.br ^a
^a:
llvm.switch %i : i32, ^b [1: ^b] {branch_weights = array<i32: 1>}
^b:
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.icmp "foo" %i, %i : i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.mlir.addressof "foo" : !llvm.ptr
  llvm.return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'llvm.zext' op integer width of the output type is smaller or equal to the integer width of the input type
//  --> verify/llvm/values.mlir:4:3
//   |
// 4 |   %0 = llvm.zext %l : i64 to i32
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.sext' op input type is an integer but output type is a vector
//   --> verify/llvm/values.mlir:10:3
//    |
// 10 |   %0 = llvm.sext %i : i32 to vector<1xi64>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.zext' op input and output vectors are of incompatible shape
//   --> verify/llvm/values.mlir:16:3
//    |
// 16 |   %0 = llvm.zext %v : vector<4xi32> to vector<2xi64>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.bitcast' op can only cast pointers from and to pointers
//   --> verify/llvm/values.mlir:22:3
//    |
// 22 |   %0 = llvm.bitcast %p : !llvm.ptr to i64
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.bitcast' op cannot cast pointer to vector of pointers
//   --> verify/llvm/values.mlir:28:3
//    |
// 28 |   %0 = llvm.bitcast %p : !llvm.ptr to vector<1x!llvm.ptr>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.bitcast' op cannot cast pointers of different address spaces, use 'llvm.addrspacecast' instead
//   --> verify/llvm/values.mlir:34:3
//    |
// 34 |   %0 = llvm.bitcast %g : !llvm.ptr<1> to !llvm.ptr
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.intr.vector.extract' op failed to verify that it is not extracting scalable from fixed-length vectors.
//   --> verify/llvm/values.mlir:46:3
//    |
// 46 |   %0 = llvm.intr.vector.extract %v[0] : vector<[2]xi32> from vector<4xi32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.intr.vector.extract' op failed to verify that vectors are not bigger than 2^17 bits.
//   --> verify/llvm/values.mlir:52:3
//    |
// 52 |   %0 = llvm.intr.vector.extract %v[0] : vector<5000xi32> from vector<4xi32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.intr.vector.interleave2' op failed to verify that result has twice as many elements as 'vec1'
//   --> verify/llvm/values.mlir:58:3
//    |
// 58 |   %0 = "llvm.intr.vector.interleave2"(%v, %v) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.intr.sincos' op expected result type to be an homogeneous struct with two elements matching the operand type, but got '!llvm.struct<(f32, f64)>'
//   --> verify/llvm/values.mlir:64:3
//    |
// 64 |   %0 = llvm.intr.sincos(%f) : (f32) -> !llvm.struct<(f32, f64)>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.switch' op expects number of branch weights to match number of successors: 1 vs 2
//   --> verify/llvm/values.mlir:78:1
//    |
// 78 | llvm.switch %i : i32, ^b [1: ^b] {branch_weights = array<i32: 1>}
//    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: 'foo' is an incorrect value of the 'predicate' attribute: expected one of eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge, found `"foo"`
//   --> verify/llvm/values.mlir:85:18
//    |
// 85 |   %0 = llvm.icmp "foo" %i, %i : i32
//    |                  ^^^^^ expected one of eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge
//
// error[E0101]: invalid kind of attribute specified: expected a symbol such as `@name`
//   --> verify/llvm/values.mlir:91:28
//    |
// 91 |   %0 = llvm.mlir.addressof "foo" : !llvm.ptr
//    |                            ^^^^^
//
// 13 diagnostics
// [exit status 1]
