// A barrier in front of the only writes of results has shared memory to order, and no other.
// RUN: raddle build %s --target=gfx1100 | grep -e define -e 'fence '
func.func @free(%m: memref<256xf32>, %n: memref<256xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %t = gpu.thread_id x
  %x = memref.load %m[%t] : memref<256xf32>
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %x, %s[%t] : memref<256xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  memref.store %x, %n[%t] : memref<256xf32>
  return
}
func.func @behind_a_store(%m: memref<256xf32>, %n: memref<256xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [128, 1, 1] subgroup_size = 32>} {
  %t = gpu.thread_id x
  %x = memref.load %m[%t] : memref<256xf32>
  memref.store %x, %n[%t] : memref<256xf32>
  %s = memref.alloc() : memref<256xf32, #gpu.address_space<workgroup>>
  memref.store %x, %s[%t] : memref<256xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  memref.store %x, %n[%t] : memref<256xf32>
  return
}

// $ raddle build %s --target=gfx1100 | grep -e define -e 'fence '
// define amdgpu_kernel void @free(ptr addrspace(1) noalias readonly align 16 %arg0, ptr addrspace(1) noalias align 16 %arg1) nounwind "target-cpu"="gfx1100" "target-features"="+wavefrontsize32,-wavefrontsize64" "amdgpu-flat-work-group-size"="128,128" "amdgpu-waves-per-eu"="5" "uniform-work-group-size"="true" "amdgpu-ieee"="false" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-default-queue" "amdgpu-no-completion-action" "amdgpu-no-lds-kernel-id" "amdgpu-no-agpr-spill" !reqd_work_group_size !132 {
//   fence syncscope("workgroup") release, !mmra !3
//   fence syncscope("workgroup") acquire, !mmra !3
// define amdgpu_kernel void @behind_a_store(ptr addrspace(1) noalias readonly align 16 %arg0, ptr addrspace(1) noalias align 16 %arg1) nounwind "target-cpu"="gfx1100" "target-features"="+wavefrontsize32,-wavefrontsize64" "amdgpu-flat-work-group-size"="128,128" "amdgpu-waves-per-eu"="5" "uniform-work-group-size"="true" "amdgpu-ieee"="false" "amdgpu-no-workgroup-id-x" "amdgpu-no-workgroup-id-y" "amdgpu-no-workgroup-id-z" "amdgpu-no-workitem-id-y" "amdgpu-no-workitem-id-z" "amdgpu-no-dispatch-id" "amdgpu-no-dispatch-ptr" "amdgpu-no-queue-ptr" "amdgpu-no-implicitarg-ptr" "amdgpu-no-heap-ptr" "amdgpu-no-hostcall-ptr" "amdgpu-no-multigrid-sync-arg" "amdgpu-no-default-queue" "amdgpu-no-completion-action" "amdgpu-no-lds-kernel-id" "amdgpu-no-agpr-spill" !reqd_work_group_size !132 {
//   fence syncscope("workgroup") release
//   fence syncscope("workgroup") acquire
// 2 of 2 functions compiled, 0 refused
