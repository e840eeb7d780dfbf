// An assembly that knows the type reads and prints its parameters alone, and reads the whole type, too.
// RUN: raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %0 = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
  nvgpu.mbarrier.init %0[%c0], %n : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
  %1 = nvgpu.mbarrier.arrive %0[%c0] : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> !nvgpu.mbarrier.token
  return
}

// -----
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %0 = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
  nvgpu.mbarrier.init %0[%c0], %n : <memorySpace = #gpu.address_space<workgroup>>
  %1 = nvgpu.mbarrier.arrive %0[%c0] : <memorySpace = #gpu.address_space<workgroup>> -> !nvgpu.mbarrier.token
  return
}

// $ raddle opt %s --split-input-file --verify-roundtrip | grep -vxFf %s
// module {
//   func.func @f(%arg0: index) {
//     %c0 = arith.constant 0 : index
//     %0 = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
//     nvgpu.mbarrier.init %0[%c0], %arg0 : <memorySpace = #gpu.address_space<workgroup>>
//     %1 = nvgpu.mbarrier.arrive %0[%c0] : <memorySpace = #gpu.address_space<workgroup>> -> !nvgpu.mbarrier.token
//     return
//   }
// module {
//   func.func @f(%arg0: index) {
//     %c0 = arith.constant 0 : index
//     %0 = nvgpu.mbarrier.create -> <memorySpace = #gpu.address_space<workgroup>>
//     nvgpu.mbarrier.init %0[%c0], %arg0 : <memorySpace = #gpu.address_space<workgroup>>
//     %1 = nvgpu.mbarrier.arrive %0[%c0] : <memorySpace = #gpu.address_space<workgroup>> -> !nvgpu.mbarrier.token
//     return
//   }
