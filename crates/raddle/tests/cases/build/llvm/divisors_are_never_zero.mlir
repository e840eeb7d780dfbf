// LLVM may not take a division by zero in a lane that nobody reads as a promise about all lanes.
// RUN: raddle build %s --target=gfx942 | grep -e define -e 'select i1' -e div
func.func @by_any(%m: memref<256xi32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 64>} {
  %t = gpu.thread_id x
  %x = memref.load %m[%t] : memref<256xi32>
  %c3 = arith.constant 3 : i32
  %y = arith.divui %x, %x : i32
  memref.store %y, %m[%t] : memref<256xi32>
  return
}
func.func @by_three(%m: memref<256xi32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [256, 1, 1] subgroup_size = 64>} {
  %t = gpu.thread_id x
  %x = memref.load %m[%t] : memref<256xi32>
  %c3 = arith.constant 3 : i32
  %y = arith.divui %x, %c3 : i32
  memref.store %y, %m[%t] : memref<256xi32>
  return
}

// $ raddle build %s --target=gfx942 | grep -e define -e 'select i1' -e div
// define amdgpu_kernel void @by_any(ptr addrspace(1) noalias align 16 %arg0) nounwind "target-cpu"="gfx942" "amdgpu-flat-work-group-size"="256,256" "amdgpu-waves-per-eu"="1" "uniform-work-group-size"="true" "amdgpu-ieee"="false" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-default-queue" "amdgpu-no-completion-action" "amdgpu-no-lds-kernel-id" "amdgpu-no-agpr-spill" !reqd_work_group_size !260 {
//   %v6 = select i1 %v5, i32 1, i32 %v4
//   %v7 = udiv i32 %v4, %v6
// define amdgpu_kernel void @by_three(ptr addrspace(1) noalias align 16 %arg0) nounwind "target-cpu"="gfx942" "amdgpu-flat-work-group-size"="256,256" "amdgpu-waves-per-eu"="1" "uniform-work-group-size"="true" "amdgpu-ieee"="false" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-default-queue" "amdgpu-no-completion-action" "amdgpu-no-lds-kernel-id" "amdgpu-no-agpr-spill" !reqd_work_group_size !260 {
//   %v5 = udiv i32 %v4, 3
// 2 of 2 functions compiled, 0 refused
