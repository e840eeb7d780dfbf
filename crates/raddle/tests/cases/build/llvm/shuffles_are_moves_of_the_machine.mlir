// A flip of lanes is an instruction of the machine, and a general move a permutation. A mirror of half a row flips
// the two lower bits, too.
// RUN: raddle build %s --target=gfx942 | grep -e define -e 'call i32 @llvm.amdgcn'
func.func @flip_1(%m: memref<256xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 64>} {
  %t = gpu.thread_id x
  %x = memref.load %m[%t] : memref<256xf32>
  %by = arith.constant 1 : i32
  %width = arith.constant 64 : i32
  %y, %valid = gpu.shuffle xor %x, %by, %width : f32
  memref.store %y, %m[%t] : memref<256xf32>
  return
}
func.func @flip_8(%m: memref<256xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 64>} {
  %t = gpu.thread_id x
  %x = memref.load %m[%t] : memref<256xf32>
  %by = arith.constant 8 : i32
  %width = arith.constant 64 : i32
  %y, %valid = gpu.shuffle xor %x, %by, %width : f32
  memref.store %y, %m[%t] : memref<256xf32>
  return
}
func.func @flip_4(%m: memref<256xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 64>} {
  %t = gpu.thread_id x
  %x = memref.load %m[%t] : memref<256xf32>
  %by = arith.constant 4 : i32
  %width = arith.constant 64 : i32
  %y, %valid = gpu.shuffle xor %x, %by, %width : f32
  memref.store %y, %m[%t] : memref<256xf32>
  return
}
func.func @flip_16(%m: memref<256xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 64>} {
  %t = gpu.thread_id x
  %x = memref.load %m[%t] : memref<256xf32>
  %by = arith.constant 16 : i32
  %width = arith.constant 64 : i32
  %y, %valid = gpu.shuffle xor %x, %by, %width : f32
  memref.store %y, %m[%t] : memref<256xf32>
  return
}
func.func @flip_32(%m: memref<256xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 64>} {
  %t = gpu.thread_id x
  %x = memref.load %m[%t] : memref<256xf32>
  %by = arith.constant 32 : i32
  %width = arith.constant 64 : i32
  %y, %valid = gpu.shuffle xor %x, %by, %width : f32
  memref.store %y, %m[%t] : memref<256xf32>
  return
}

// $ raddle build %s --target=gfx942 | grep -e define -e 'call i32 @llvm.amdgcn'
// define amdgpu_kernel void @flip_1(ptr addrspace(1) noalias align 16 %arg0) nounwind "target-cpu"="gfx942" "amdgpu-flat-work-group-size"="256,256" "amdgpu-waves-per-eu"="1" "uniform-work-group-size"="true" "amdgpu-ieee"="false" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-default-queue" "amdgpu-no-completion-action" "amdgpu-no-lds-kernel-id" "amdgpu-no-agpr-spill" !reqd_work_group_size !260 {
//   %v0 = call i32 @llvm.amdgcn.workitem.id.x()
//   %v6 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %v5, i32 177, i32 15, i32 15, i1 true)
// define amdgpu_kernel void @flip_8(ptr addrspace(1) noalias align 16 %arg0) nounwind "target-cpu"="gfx942" "amdgpu-flat-work-group-size"="256,256" "amdgpu-waves-per-eu"="1" "uniform-work-group-size"="true" "amdgpu-ieee"="false" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-default-queue" "amdgpu-no-completion-action" "amdgpu-no-lds-kernel-id" "amdgpu-no-agpr-spill" !reqd_work_group_size !260 {
//   %v0 = call i32 @llvm.amdgcn.workitem.id.x()
//   %v6 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %v5, i32 296, i32 15, i32 15, i1 true)
// define amdgpu_kernel void @flip_4(ptr addrspace(1) noalias align 16 %arg0) nounwind "target-cpu"="gfx942" "amdgpu-flat-work-group-size"="256,256" "amdgpu-waves-per-eu"="1" "uniform-work-group-size"="true" "amdgpu-ieee"="false" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-default-queue" "amdgpu-no-completion-action" "amdgpu-no-lds-kernel-id" "amdgpu-no-agpr-spill" !reqd_work_group_size !260 {
//   %v0 = call i32 @llvm.amdgcn.workitem.id.x()
//   %v6 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %v5, i32 321, i32 15, i32 15, i1 true)
//   %v7 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %v6, i32 27, i32 15, i32 15, i1 true)
// define amdgpu_kernel void @flip_16(ptr addrspace(1) noalias align 16 %arg0) nounwind "target-cpu"="gfx942" "amdgpu-flat-work-group-size"="256,256" "amdgpu-waves-per-eu"="1" "uniform-work-group-size"="true" "amdgpu-ieee"="false" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-default-queue" "amdgpu-no-completion-action" "amdgpu-no-lds-kernel-id" "amdgpu-no-agpr-spill" !reqd_work_group_size !260 {
//   %v0 = call i32 @llvm.amdgcn.workitem.id.x()
//   %v6 = call i32 @llvm.amdgcn.ds.swizzle(i32 %v5, i32 16415)
// define amdgpu_kernel void @flip_32(ptr addrspace(1) noalias align 16 %arg0) nounwind "target-cpu"="gfx942" "amdgpu-flat-work-group-size"="256,256" "amdgpu-waves-per-eu"="1" "uniform-work-group-size"="true" "amdgpu-ieee"="false" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-default-queue" "amdgpu-no-completion-action" "amdgpu-no-lds-kernel-id" "amdgpu-no-agpr-spill" !reqd_work_group_size !260 {
//   %v0 = call i32 @llvm.amdgcn.workitem.id.x()
//   %v6 = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
//   %v7 = call i32 @llvm.amdgcn.mbcnt.hi(i32 -1, i32 %v6)
//   %v10 = call i32 @llvm.amdgcn.ds.bpermute(i32 %v9, i32 %v5)
// 5 of 5 functions compiled, 0 refused
