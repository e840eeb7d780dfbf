// Addresses, parts of values, calls and branches.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep rawConstantIndices
module {
  llvm.func fastcc @g(!llvm.ptr, ...) -> i32
  llvm.func @f(%arg0: !llvm.ptr, %arg1: i64, %arg2: !llvm.struct<(i32, array<2 x f32>)>, %arg3: vector<4xf32>) {
    %0 = llvm.getelementptr inbounds|nuw %arg0[%arg1, 3] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f32>
    %1 = llvm.extractvalue %arg2[1, 0] : !llvm.struct<(i32, array<2 x f32>)>
    %2 = llvm.insertvalue %1, %arg2[1, 1] : !llvm.struct<(i32, array<2 x f32>)>
    %3 = llvm.call fastcc tail @g(%arg0, %arg1) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr {llvm.nonnull}, i64) -> i32
    llvm.call %arg0(%3) ["tag"(%1 : f32)] : !llvm.ptr, (i32) -> ()
    %4 = llvm.icmp "slt" %3, %3 : i32
    %5 = llvm.fcmp "_true" %1, %1 : f32
    %6 = llvm.shufflevector %arg3, %arg3 [0, 5] : vector<4xf32>
    %7 = llvm.cmpxchg %arg0, %3, %3 syncscope("agent") acq_rel monotonic : !llvm.ptr, i32
    %8 = llvm.load %arg0 atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
    %9 = llvm.call_intrinsic "llvm.any"(%3) : (i32) -> i32
    %10 = llvm.inline_asm has_side_effects "nop", "=r,r" %3 : (i32) -> i32
    llvm.cond_br %4, ^bb1(%3 : i32), ^bb2
  ^bb1(%11: i32):  // 2 preds: ^bb0, ^bb1
    llvm.switch %11 : i32, ^bb2 [
      1: ^bb2,
      7: ^bb1(%3 : i32)
    ]
  ^bb2:  // 3 preds: ^bb0, ^bb1, ^bb1
    llvm.return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep rawConstantIndices
//     %0 = "llvm.getelementptr"(%arg0, %arg1) <{elem_type = !llvm.array<4 x f32>, noWrapFlags = 7 : i32, rawConstantIndices = array<i32: -2147483648, 3>}> : (!llvm.ptr, i64) -> !llvm.ptr
