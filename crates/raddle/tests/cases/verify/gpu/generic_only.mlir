// An operation without custom assembly is printed in generic form.
// RUN: raddle check %s
llvm.func @f(%arg0: !llvm.ptr, %arg1: i64) {
  llvm.intr.memcpy(%arg0, %arg0, %arg1) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}

// $ raddle check %s
// error[E0101]: `llvm.intr.memcpy` is written in generic form
//  --> verify/gpu/generic_only.mlir:4:3
//   |
// 4 |   llvm.intr.memcpy(%arg0, %arg0, %arg1) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
//   |   ^^^^^^^^^^^^^^^^
// [exit status 1]
