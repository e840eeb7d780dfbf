// Subgroups of 32 lanes move within rows, and between the two of them.
// RUN: raddle build %s --target=gfx1100 | grep -e define -e 'call i32 @llvm.amdgcn'
func.func @flip_4(%m: memref<256xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %t = gpu.thread_id x
  %x = memref.load %m[%t] : memref<256xf32>
  %by = arith.constant 4 : i32
  %width = arith.constant 32 : i32
  %y, %valid = gpu.shuffle xor %x, %by, %width : f32
  memref.store %y, %m[%t] : memref<256xf32>
  return
}
func.func @flip_21(%m: memref<256xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %t = gpu.thread_id x
  %x = memref.load %m[%t] : memref<256xf32>
  %by = arith.constant 21 : i32
  %width = arith.constant 32 : i32
  %y, %valid = gpu.shuffle xor %x, %by, %width : f32
  memref.store %y, %m[%t] : memref<256xf32>
  return
}

// $ raddle build %s --target=gfx1100 | grep -e define -e 'call i32 @llvm.amdgcn'
// define amdgpu_kernel void @flip_4(ptr addrspace(1) noalias align 16 %arg0) nounwind "target-cpu"="gfx1100" "target-features"="+wavefrontsize32,-wavefrontsize64" "amdgpu-flat-work-group-size"="128,128" "amdgpu-waves-per-eu"="5" "uniform-work-group-size"="true" "amdgpu-ieee"="false" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-default-queue" "amdgpu-no-completion-action" "amdgpu-no-lds-kernel-id" "amdgpu-no-agpr-spill" !reqd_work_group_size !132 {
//   %v0 = call i32 @llvm.amdgcn.workitem.id.x()
//   %v6 = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 %v5, i32 356, i32 15, i32 15, i1 true)
// define amdgpu_kernel void @flip_21(ptr addrspace(1) noalias align 16 %arg0) nounwind "target-cpu"="gfx1100" "target-features"="+wavefrontsize32,-wavefrontsize64" "amdgpu-flat-work-group-size"="128,128" "amdgpu-waves-per-eu"="5" "uniform-work-group-size"="true" "amdgpu-ieee"="false" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-default-queue" "amdgpu-no-completion-action" "amdgpu-no-lds-kernel-id" "amdgpu-no-agpr-spill" !reqd_work_group_size !132 {
//   %v0 = call i32 @llvm.amdgcn.workitem.id.x()
//   %v6 = call i32 @llvm.amdgcn.permlanex16.i32(i32 poison, i32 %v5, i32 587294533, i32 -1417023539, i1 true, i1 true)
// 2 of 2 functions compiled, 0 refused
