// RUN: raddle build %s --target=x86-64-v3 --function=f --emit=llvm

// What remains of a division of bits is a bit already.
func.func @f(%m: memref<3xi1>) attributes {translation_info = #iree_codegen.translation_info<pipeline = None
    workgroup_size = [1, 1, 1] subgroup_size = 1>, gpu.known_grid_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = memref.load %m[%c0] : memref<3xi1>
  %y = memref.load %m[%c1] : memref<3xi1>
  %z = arith.ceildivui %x, %y : i1
  memref.store %z, %m[%c2] : memref<3xi1>
  return
}

// $ raddle build %s --target=x86-64-v3 --function=f --emit=llvm
// target triple = "x86_64-unknown-linux-gnu"
//
// ; f
// ; grid: 1 x 1 x 1
// ; workgroup: 1 x 1 x 1
// ; arg0: memref<3xi1>, written
// ; shared memory: 0 bytes
// define internal void @f$part(ptr addrspace(0) noalias align 16 %arg0, i64 %first, i64 %last) nounwind "target-cpu"="x86-64-v3" "prefer-vector-width"="256" {
// b0:
//   %v0 = icmp slt i64 %last, 1
//   %v1 = select i1 %v0, i64 %last, i64 1
//   br label %b2
//
// b2:
//   %v2 = phi i64 [ %first, %b0 ], [ %v4, %b4 ]
//   %v3 = icmp slt i64 %v2, %v1
//   br i1 %v3, label %b3, label %b1
//
// b4:
//   %v4 = add nuw nsw i64 %v2, 1
//   br label %b2
//
// b3:
//   %v5 = trunc i64 %v2 to i32
//   %v6 = load i8, ptr addrspace(0) %arg0, align 1
//   %v7 = trunc i8 %v6 to i1
//   %v8 = getelementptr i8, ptr addrspace(0) %arg0, i64 1
//   %v9 = load i8, ptr addrspace(0) %v8, align 1
//   %v10 = trunc i8 %v9 to i1
//   %v11 = icmp eq i1 %v10, 0
//   %v12 = select i1 %v11, i1 true, i1 %v10
//   %v13 = udiv i1 %v7, %v12
//   %v14 = urem i1 %v7, %v12
//   %v15 = icmp ne i1 %v14, 0
//   %v16 = add i1 %v13, %v15
//   %v17 = getelementptr i8, ptr addrspace(0) %arg0, i64 2
//   %v18 = zext i1 %v16 to i8
//   store i8 %v18, ptr addrspace(0) %v17, align 1
//   br label %b4
//
// b1:
//   ret void
// }
//
// define  void @f(ptr addrspace(0) noalias align 16 %arg0) nounwind "target-cpu"="x86-64-v3" "prefer-vector-width"="256" {
//   call void @f$part(ptr %arg0, i64 0, i64 9223372036854775807)
//   ret void
// }
//
// define void @f$packed(ptr %args, i64 %first, i64 %last) nounwind {
//   %p0 = getelementptr ptr, ptr %args, i64 0
//   %a0 = load ptr, ptr %p0
//   call void @f$part(ptr %a0, i64 %first, i64 %last)
//   ret void
// }
//
//
// define void @f_parallel(ptr %arg0, ptr %threads) nounwind {
//   %args = alloca [1 x ptr], align 16
//   %v0 = getelementptr ptr, ptr %args, i64 0
//   store ptr %arg0, ptr %v0
//   %v1 = load ptr, ptr %threads
//   %v2 = getelementptr ptr, ptr %threads, i64 1
//   %v3 = load ptr, ptr %v2
//   call void %v1(ptr %v3, ptr @f$packed, ptr %args, i64 1)
//   ret void
// }
//
//
// !llvm.module.flags = !{!0}
// !0 = !{i32 8, !"PIC Level", i32 2}
// !1 = distinct !{!1, !2}
// !2 = !{!"llvm.loop.unroll.disable"}
// !3 = !{}
// !5 = !{i32 1, i32 1, i32 1}
