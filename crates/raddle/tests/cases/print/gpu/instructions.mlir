// Instructions of one vendor.
// RUN: raddle opt %s --verify-roundtrip | grep -vxFf %s
// RUN: raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep '(vector<2xi32>, i32) -> vector<8xf16>'
// RUN: raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep 'operandSegmentSizes = array<i32: 1, 0, 0>, wordIndex = 1 : i32'
module {
  func.func @f(%arg0: !llvm.ptr, %arg1: i32, %arg2: f32, %arg3: vector<2xi32>, %arg4: vector<4xf8E5M2>) {
    %0 = rocdl.readfirstlane %arg2 : f32
    %1 = rocdl.cvt.scale.pk8.f16.fp8 %arg3, %arg1[0] : vector<8xf16>
    %2 = nvvm.elect.sync -> i1
    nvvm.mbarrier.init %arg0, %arg1 : !llvm.ptr, i32
    %3 = amdgpu.packed_trunc_2xfp8 %arg2, undef into undef[word 1] : f32 to vector<4xf8E5M2>
    %4 = amdgpu.packed_trunc_2xfp8 %arg2, %arg2 into %arg4[word 0] : f32 to vector<4xf8E5M2> into vector<4xf8E5M2>
    amdgpu.memory_counter_wait load(1) ds(3)
    return
  }
}

// $ raddle opt %s --verify-roundtrip | grep -vxFf %s

// $ raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep '(vector<2xi32>, i32) -> vector<8xf16>'
//     %1 = "rocdl.cvt.scale.pk8.f16.fp8"(%arg3, %arg1) <{scaleSel = 0 : i32}> : (vector<2xi32>, i32) -> vector<8xf16>

// $ raddle opt %s --mlir-print-op-generic --mlir-print-local-scope | grep 'operandSegmentSizes = array<i32: 1, 0, 0>, wordIndex = 1 : i32'
//     %3 = "amdgpu.packed_trunc_2xfp8"(%arg2) <{operandSegmentSizes = array<i32: 1, 0, 0>, wordIndex = 1 : i32}> : (f32) -> vector<4xf8E5M2>
