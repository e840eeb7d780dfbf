// An operation without custom assembly is printed in generic form.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
module {
  llvm.func @f(%arg0: !llvm.ptr, %arg1: i64) {
    "llvm.intr.memcpy"(%arg0, %arg0, %arg1) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    llvm.return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s
