// Words and flags of `llvm`, each in its place.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
module {
  func.func @f(%arg0: f32, %arg1: i32, %arg2: !llvm.ptr, %arg3: i64) {
    %0 = llvm.fmul %arg0, %arg0 {fastmathFlags = #llvm.fastmath<fast>} : f32
    %1 = llvm.add %arg1, %arg1 overflow<nsw, nuw> : i32
    %2 = llvm.shl %arg1, %arg1 : i32
    %3 = llvm.sdiv exact %arg1, %arg1 : i32
    %4 = llvm.or disjoint %arg1, %arg1 : i32
    %5 = llvm.zext nneg %arg1 : i32 to i64
    %6 = llvm.trunc %arg3 overflow<nsw> : i64 to i32
    %7 = llvm.alloca inalloca %arg3 x f32 {alignment = 16 : i64} : (i64) -> !llvm.ptr
    llvm.store volatile %arg0, %arg2 {alignment = 4 : i64} : f32, !llvm.ptr
    return
  }
}

// -----
module {
  llvm.func @f() -> f32 {
    %0 = llvm.mlir.constant(3.000000e+00 : f32) : f32
    llvm.return %0 : f32
  }
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
