// Addresses go into types, and accesses may be atomic where hardware can.
// RUN: raddle check %s --split-input-file
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.getelementptr %p[%l, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, vector<4xf32>)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.getelementptr %p[0, 1, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, vector<4xf32>)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.getelementptr %p[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.getelementptr %p[0, %l] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.getelementptr %p[0, 4] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.getelementptr inbounds_flag %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.getelementptr %p[%l] : () -> !llvm.ptr, i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.getelementptr %p[1] : !llvm.ptr
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.alloca %i x i32 : () -> ()
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.alloca %i x !llvm.target<"t"> : (i32) -> !llvm.ptr
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.load %p {syncscope = "agent"} : !llvm.ptr -> i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.load %p atomic release {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i33
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.load %p atomic monotonic : !llvm.ptr -> i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.load %p dereferenceable<bytes = 8> : !llvm.ptr -> i64
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  llvm.store %i, %p atomic acquire {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.load %p {access_groups = [@a]} : !llvm.ptr -> i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.atomicrmw fadd %p, %i monotonic : !llvm.ptr, i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.atomicrmw max %p, %f monotonic : !llvm.ptr, f32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.atomicrmw add %p, %i unordered : !llvm.ptr, i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.cmpxchg %p, %i, %i acq_rel release : !llvm.ptr, i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.cmpxchg %p, %i, %i unordered monotonic : !llvm.ptr, i32
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = "llvm.cmpxchg"(%p, %i, %i) {success_ordering = 2 : i64, failure_ordering = 2 : i64} : (!llvm.ptr, i32, i32) -> !llvm.struct<(i32, i32)>
  llvm.return
}

// -----
llvm.func @f(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  llvm.fence monotonic
  llvm.return
}

// $ raddle check %s --split-input-file
// error[E0201]: 'llvm.getelementptr' op index 1 indexing a struct is out of bounds
//   --> verify/llvm/memory.mlir:16:3
//    |
// 16 |   %0 = llvm.getelementptr %p[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i32)>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.getelementptr' op expected index 1 indexing a struct to be constant
//   --> verify/llvm/memory.mlir:22:3
//    |
// 22 |   %0 = llvm.getelementptr %p[0, %l] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32)>
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.getelementptr' op type 'i32' cannot be indexed (index #1)
//   --> verify/llvm/memory.mlir:28:3
//    |
// 28 |   %0 = llvm.getelementptr %p[0, 4] : (!llvm.ptr) -> !llvm.ptr, i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.getelementptr' op 'inbounds_flag' cannot be used directly.
//   --> verify/llvm/memory.mlir:34:3
//    |
// 34 |   %0 = llvm.getelementptr inbounds_flag %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: number of operands and types do not match: got 2 operands and 0 types
//   --> verify/llvm/memory.mlir:40:27
//    |
// 40 |   %0 = llvm.getelementptr %p[%l] : () -> !llvm.ptr, i32
//    |                           ^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0101]: invalid kind of type specified: expected builtin.function, but found `!llvm.ptr`
//   --> verify/llvm/memory.mlir:46:35
//    |
// 46 |   %0 = llvm.getelementptr %p[1] : !llvm.ptr
//    |                                   ^^^^^^^^^
//
// error[E0101]: 1 operands, but 0 types: expected trailing function type with one argument and one result
//   --> verify/llvm/memory.mlir:52:31
//    |
// 52 |   %0 = llvm.alloca %i x i32 : () -> ()
//    |                               ^^^^^^^^
//
// error[E0201]: 'llvm.alloca' op this target extension type cannot be used in alloca
//   --> verify/llvm/memory.mlir:58:3
//    |
// 58 |   %0 = llvm.alloca %i x !llvm.target<"t"> : (i32) -> !llvm.ptr
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.load' op expected syncscope to be null for non-atomic access
//   --> verify/llvm/memory.mlir:64:3
//    |
// 64 |   %0 = llvm.load %p {syncscope = "agent"} : !llvm.ptr -> i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.load' op unsupported ordering 'release'
//   --> verify/llvm/memory.mlir:70:3
//    |
// 70 |   %0 = llvm.load %p atomic release {alignment = 4 : i64} : !llvm.ptr -> i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.load' op unsupported type 'i33' for atomic access
//   --> verify/llvm/memory.mlir:76:3
//    |
// 76 |   %0 = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i33
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.load' op expected alignment for atomic access
//   --> verify/llvm/memory.mlir:82:3
//    |
// 82 |   %0 = llvm.load %p atomic monotonic : !llvm.ptr -> i32
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.load' op expected op to return a single LLVM pointer type
//   --> verify/llvm/memory.mlir:88:3
//    |
// 88 |   %0 = llvm.load %p dereferenceable<bytes = 8> : !llvm.ptr -> i64
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.store' op unsupported ordering 'acquire'
//   --> verify/llvm/memory.mlir:94:3
//    |
// 94 |   llvm.store %i, %p atomic acquire {alignment = 4 : i64} : i32, !llvm.ptr
//    |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.load' op attribute 'access_groups' failed to satisfy constraint: LLVM dialect access group metadata array
//    --> verify/llvm/memory.mlir:100:3
//     |
// 100 |   %0 = llvm.load %p {access_groups = [@a]} : !llvm.ptr -> i32
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.atomicrmw' op expected LLVM IR floating point type
//    --> verify/llvm/memory.mlir:106:3
//     |
// 106 |   %0 = llvm.atomicrmw fadd %p, %i monotonic : !llvm.ptr, i32
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.atomicrmw' op expected LLVM IR integer type
//    --> verify/llvm/memory.mlir:112:3
//     |
// 112 |   %0 = llvm.atomicrmw max %p, %f monotonic : !llvm.ptr, f32
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.atomicrmw' op expected at least 'monotonic' ordering
//    --> verify/llvm/memory.mlir:118:3
//     |
// 118 |   %0 = llvm.atomicrmw add %p, %i unordered : !llvm.ptr, i32
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.cmpxchg' op failure ordering cannot be 'release' or 'acq_rel'
//    --> verify/llvm/memory.mlir:124:3
//     |
// 124 |   %0 = llvm.cmpxchg %p, %i, %i acq_rel release : !llvm.ptr, i32
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.cmpxchg' op ordering must be at least 'monotonic'
//    --> verify/llvm/memory.mlir:130:3
//     |
// 130 |   %0 = llvm.cmpxchg %p, %i, %i unordered monotonic : !llvm.ptr, i32
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.cmpxchg' op failed to verify that result #0 has an LLVM struct type consisting of the type of operand #2 and a bool
//    --> verify/llvm/memory.mlir:136:3
//     |
// 136 |   %0 = "llvm.cmpxchg"(%p, %i, %i) {success_ordering = 2 : i64, failure_ordering = 2 : i64} : (!llvm.ptr, i32, i32) -> !llvm.struct<(i32, i32)>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//
// error[E0201]: 'llvm.fence' op can be given only acquire, release, acq_rel, and seq_cst orderings
//    --> verify/llvm/memory.mlir:142:3
//     |
// 142 |   llvm.fence monotonic
//     |   ^^^^^^^^^^^^^^^^^^^^
//
// 22 diagnostics
// [exit status 1]
