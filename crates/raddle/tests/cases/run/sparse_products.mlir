// Sparse products are right on the emulator and in PTX, whose executor reads metadata by rules of its own.
// RUN: raddle run %s --function=f16_deep --target=sm_80 --device=ptx-emu | grep correct
// RUN: raddle run %s --function=f16_sums --target=sm_80 --device=ptx-emu | grep correct
// RUN: raddle run %s --function=bf16 --target=sm_80 --device=ptx-emu | grep correct
// RUN: raddle run %s --function=tf32 --target=sm_80 --device=ptx-emu | grep correct
// RUN: raddle run %s --function=tf32_flat --target=sm_80 --device=ptx-emu | grep correct
// RUN: raddle run %s --function=bytes --target=sm_80 --device=ptx-emu | grep correct
// RUN: raddle run %s --function=bytes_flat --target=sm_80 --device=ptx-emu | grep correct
// RUN: raddle run %s --function=small_floats --target=sm_90a --device=ptx-emu | grep correct
// RUN: raddle build %s --function=f16_deep --emit=ptx | grep mma
// RUN: raddle opt %s --mlir-print-local-scope | grep mma
// RUN: raddle build %s --function=small_floats --target=sm_80 -o %t.ptx
// RUN: raddle build %s --function=f16_deep --target=sm_120 --emit=ptx | grep mma

func.func @f16_deep(%a: memref<32x8xf16>, %b: memref<32x8xf16>, %c: memref<32x4xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %m0 = arith.constant dense<[20100, -25144]> : vector<2xi16>
  %m1 = arith.constant dense<[-4380, 18633]> : vector<2xi16>
  %m2 = arith.constant dense<[17476, -9746]> : vector<2xi16>
  %of3 = arith.remui %t, %c3 : index
  %is0 = arith.cmpi eq, %of3, %c0 : index
  %is1 = arith.cmpi eq, %of3, %c1 : index
  %m12 = arith.select %is1, %m1, %m2 : vector<2xi16>
  %m = arith.select %is0, %m0, %m12 : vector<2xi16>
  %fa = vector.load %a[%t, %c0] : memref<32x8xf16>, vector<8xf16>
  %fb = vector.load %b[%t, %c0] : memref<32x8xf16>, vector<8xf16>
  %fc = vector.load %c[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  %va = vector.shape_cast %fa : vector<8xf16> to vector<4x2xf16>
  %vb = vector.shape_cast %fb : vector<8xf16> to vector<4x2xf16>
  %vc = vector.shape_cast %fc : vector<4xf32> to vector<2x2xf32>
  %d = nvgpu.mma.sp.sync(%va, %vb, %vc) metadata(%m) {mmaShape = [16, 8, 32], sparsitySelector = 1 : i32} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  %fd = vector.shape_cast %d : vector<2x2xf32> to vector<4xf32>
  vector.store %fd, %c[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  return
}

func.func @f16_sums(%a: memref<32x4xf16>, %b: memref<32x4xf16>, %c: memref<32x4xf16>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %m0 = arith.constant dense<[20100, -25144]> : vector<2xi16>
  %m1 = arith.constant dense<[-4380, 18633]> : vector<2xi16>
  %m2 = arith.constant dense<[17476, -9746]> : vector<2xi16>
  %of3 = arith.remui %t, %c3 : index
  %is0 = arith.cmpi eq, %of3, %c0 : index
  %is1 = arith.cmpi eq, %of3, %c1 : index
  %m12 = arith.select %is1, %m1, %m2 : vector<2xi16>
  %m = arith.select %is0, %m0, %m12 : vector<2xi16>
  %fa = vector.load %a[%t, %c0] : memref<32x4xf16>, vector<4xf16>
  %fb = vector.load %b[%t, %c0] : memref<32x4xf16>, vector<4xf16>
  %fc = vector.load %c[%t, %c0] : memref<32x4xf16>, vector<4xf16>
  %va = vector.shape_cast %fa : vector<4xf16> to vector<2x2xf16>
  %vb = vector.shape_cast %fb : vector<4xf16> to vector<2x2xf16>
  %vc = vector.shape_cast %fc : vector<4xf16> to vector<2x2xf16>
  %d = nvgpu.mma.sp.sync(%va, %vb, %vc) metadata(%m) {mmaShape = [16, 8, 16], sparsitySelector = 1 : i32} : (vector<2x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  %fd = vector.shape_cast %d : vector<2x2xf16> to vector<4xf16>
  vector.store %fd, %c[%t, %c0] : memref<32x4xf16>, vector<4xf16>
  return
}

func.func @bf16(%a: memref<32x8xbf16>, %b: memref<32x8xbf16>, %c: memref<32x4xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %m0 = arith.constant dense<[20100, -25144]> : vector<2xi16>
  %m1 = arith.constant dense<[-4380, 18633]> : vector<2xi16>
  %m2 = arith.constant dense<[17476, -9746]> : vector<2xi16>
  %of3 = arith.remui %t, %c3 : index
  %is0 = arith.cmpi eq, %of3, %c0 : index
  %is1 = arith.cmpi eq, %of3, %c1 : index
  %m12 = arith.select %is1, %m1, %m2 : vector<2xi16>
  %m = arith.select %is0, %m0, %m12 : vector<2xi16>
  %fa = vector.load %a[%t, %c0] : memref<32x8xbf16>, vector<8xbf16>
  %fb = vector.load %b[%t, %c0] : memref<32x8xbf16>, vector<8xbf16>
  %fc = vector.load %c[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  %va = vector.shape_cast %fa : vector<8xbf16> to vector<4x2xbf16>
  %vb = vector.shape_cast %fb : vector<8xbf16> to vector<4x2xbf16>
  %vc = vector.shape_cast %fc : vector<4xf32> to vector<2x2xf32>
  %d = nvgpu.mma.sp.sync(%va, %vb, %vc) metadata(%m) {mmaShape = [16, 8, 32], sparsitySelector = 0 : i32} : (vector<4x2xbf16>, vector<4x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
  %fd = vector.shape_cast %d : vector<2x2xf32> to vector<4xf32>
  vector.store %fd, %c[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  return
}

func.func @tf32(%a: memref<32x4xf32>, %b: memref<32x4xf32>, %c: memref<32x4xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %m0 = arith.constant dense<[20046, -7090]> : vector<2xi16>
  %m1 = arith.constant dense<[-4380, 17636]> : vector<2xi16>
  %m2 = arith.constant dense<[17476, -4370]> : vector<2xi16>
  %of3 = arith.remui %t, %c3 : index
  %is0 = arith.cmpi eq, %of3, %c0 : index
  %is1 = arith.cmpi eq, %of3, %c1 : index
  %m12 = arith.select %is1, %m1, %m2 : vector<2xi16>
  %m = arith.select %is0, %m0, %m12 : vector<2xi16>
  %fa = vector.load %a[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  %fb = vector.load %b[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  %fc = vector.load %c[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  %va = vector.shape_cast %fa : vector<4xf32> to vector<4x1xf32>
  %vb = vector.shape_cast %fb : vector<4xf32> to vector<4x1xf32>
  %vc = vector.shape_cast %fc : vector<4xf32> to vector<2x2xf32>
  %d = nvgpu.mma.sp.sync(%va, %vb, %vc) metadata(%m) {mmaShape = [16, 8, 16], sparsitySelector = 1 : i32, tf32Enabled} : (vector<4x1xf32>, vector<4x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
  %fd = vector.shape_cast %d : vector<2x2xf32> to vector<4xf32>
  vector.store %fd, %c[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  return
}

func.func @tf32_flat(%a: memref<32x2xf32>, %b: memref<32x2xf32>, %c: memref<32x4xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %m0 = arith.constant dense<[20046, -7090]> : vector<2xi16>
  %m1 = arith.constant dense<[-4380, 17636]> : vector<2xi16>
  %m2 = arith.constant dense<[17476, -4370]> : vector<2xi16>
  %of3 = arith.remui %t, %c3 : index
  %is0 = arith.cmpi eq, %of3, %c0 : index
  %is1 = arith.cmpi eq, %of3, %c1 : index
  %m12 = arith.select %is1, %m1, %m2 : vector<2xi16>
  %m = arith.select %is0, %m0, %m12 : vector<2xi16>
  %fa = vector.load %a[%t, %c0] : memref<32x2xf32>, vector<2xf32>
  %fb = vector.load %b[%t, %c0] : memref<32x2xf32>, vector<2xf32>
  %fc = vector.load %c[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  %va = vector.shape_cast %fa : vector<2xf32> to vector<2x1xf32>
  %vb = vector.shape_cast %fb : vector<2xf32> to vector<2x1xf32>
  %vc = vector.shape_cast %fc : vector<4xf32> to vector<2x2xf32>
  %d = nvgpu.mma.sp.sync(%va, %vb, %vc) metadata(%m) {mmaShape = [16, 8, 8], sparsitySelector = 1 : i32, tf32Enabled} : (vector<2x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
  %fd = vector.shape_cast %d : vector<2x2xf32> to vector<4xf32>
  vector.store %fd, %c[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  return
}

func.func @bytes(%a: memref<32x16xi8>, %b: memref<32x16xi8>, %c: memref<32x4xi32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %m0 = arith.constant dense<[20100, -25144]> : vector<2xi16>
  %m1 = arith.constant dense<[-4380, 18633]> : vector<2xi16>
  %m2 = arith.constant dense<[17476, -9746]> : vector<2xi16>
  %of3 = arith.remui %t, %c3 : index
  %is0 = arith.cmpi eq, %of3, %c0 : index
  %is1 = arith.cmpi eq, %of3, %c1 : index
  %m12 = arith.select %is1, %m1, %m2 : vector<2xi16>
  %m = arith.select %is0, %m0, %m12 : vector<2xi16>
  %fa = vector.load %a[%t, %c0] : memref<32x16xi8>, vector<16xi8>
  %fb = vector.load %b[%t, %c0] : memref<32x16xi8>, vector<16xi8>
  %fc = vector.load %c[%t, %c0] : memref<32x4xi32>, vector<4xi32>
  %va = vector.shape_cast %fa : vector<16xi8> to vector<4x4xi8>
  %vb = vector.shape_cast %fb : vector<16xi8> to vector<4x4xi8>
  %vc = vector.shape_cast %fc : vector<4xi32> to vector<2x2xi32>
  %d = nvgpu.mma.sp.sync(%va, %vb, %vc) metadata(%m) {mmaShape = [16, 8, 64], sparsitySelector = 0 : i32} : (vector<4x4xi8>, vector<4x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
  %fd = vector.shape_cast %d : vector<2x2xi32> to vector<4xi32>
  vector.store %fd, %c[%t, %c0] : memref<32x4xi32>, vector<4xi32>
  return
}

func.func @bytes_flat(%a: memref<32x8xi8>, %b: memref<32x8xi8>, %c: memref<32x4xi32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %m0 = arith.constant dense<[20100, -25144]> : vector<2xi16>
  %m1 = arith.constant dense<[-4380, 18633]> : vector<2xi16>
  %m2 = arith.constant dense<[17476, -9746]> : vector<2xi16>
  %of3 = arith.remui %t, %c3 : index
  %is0 = arith.cmpi eq, %of3, %c0 : index
  %is1 = arith.cmpi eq, %of3, %c1 : index
  %m12 = arith.select %is1, %m1, %m2 : vector<2xi16>
  %m = arith.select %is0, %m0, %m12 : vector<2xi16>
  %fa = vector.load %a[%t, %c0] : memref<32x8xi8>, vector<8xi8>
  %fb = vector.load %b[%t, %c0] : memref<32x8xi8>, vector<8xi8>
  %fc = vector.load %c[%t, %c0] : memref<32x4xi32>, vector<4xi32>
  %va = vector.shape_cast %fa : vector<8xi8> to vector<2x4xi8>
  %vb = vector.shape_cast %fb : vector<8xi8> to vector<2x4xi8>
  %vc = vector.shape_cast %fc : vector<4xi32> to vector<2x2xi32>
  %d = nvgpu.mma.sp.sync(%va, %vb, %vc) metadata(%m) {mmaShape = [16, 8, 32], sparsitySelector = 1 : i32} : (vector<2x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
  %fd = vector.shape_cast %d : vector<2x2xi32> to vector<4xi32>
  vector.store %fd, %c[%t, %c0] : memref<32x4xi32>, vector<4xi32>
  return
}

func.func @small_floats(%a: memref<32x16xf8E4M3FN>, %b: memref<32x16xf8E5M2>, %c: memref<32x4xf32>) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<VectorDistribute> workgroup_size = [32, 1, 1] subgroup_size = 32>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %t = gpu.thread_id x
  %m0 = arith.constant dense<[20100, -25144]> : vector<2xi16>
  %m1 = arith.constant dense<[-4380, 18633]> : vector<2xi16>
  %m2 = arith.constant dense<[17476, -9746]> : vector<2xi16>
  %of3 = arith.remui %t, %c3 : index
  %is0 = arith.cmpi eq, %of3, %c0 : index
  %is1 = arith.cmpi eq, %of3, %c1 : index
  %m12 = arith.select %is1, %m1, %m2 : vector<2xi16>
  %m = arith.select %is0, %m0, %m12 : vector<2xi16>
  %fa = vector.load %a[%t, %c0] : memref<32x16xf8E4M3FN>, vector<16xf8E4M3FN>
  %fb = vector.load %b[%t, %c0] : memref<32x16xf8E5M2>, vector<16xf8E5M2>
  %fc = vector.load %c[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  %va = vector.shape_cast %fa : vector<16xf8E4M3FN> to vector<4x4xf8E4M3FN>
  %vb = vector.shape_cast %fb : vector<16xf8E5M2> to vector<4x4xf8E5M2>
  %vc = vector.shape_cast %fc : vector<4xf32> to vector<2x2xf32>
  %d = nvgpu.mma.sp.sync(%va, %vb, %vc) metadata(%m) {mmaShape = [16, 8, 64], sparsitySelector = 0 : i32} : (vector<4x4xf8E4M3FN>, vector<4x4xf8E5M2>, vector<2x2xf32>) -> vector<2x2xf32>
  %fd = vector.shape_cast %d : vector<2x2xf32> to vector<4xf32>
  vector.store %fd, %c[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  return
}

// $ raddle run %s --function=f16_deep --target=sm_80 --device=ptx-emu | grep correct
// correct: all 128 elements agree with the reference within 2.00e-6 + 2.38e-7·|expected| (60 bit for bit)

// $ raddle run %s --function=f16_sums --target=sm_80 --device=ptx-emu | grep correct
// correct: all 128 elements agree with the reference within 1.30e-2 + 1.95e-3·|expected| (60 bit for bit)

// $ raddle run %s --function=bf16 --target=sm_80 --device=ptx-emu | grep correct
// correct: all 128 elements agree with the reference within 2.15e-6 + 2.38e-7·|expected| (97 bit for bit)

// $ raddle run %s --function=tf32 --target=sm_80 --device=ptx-emu | grep correct
// correct: all 128 elements agree with the reference within 1.16e-2 + 2.38e-7·|expected| (0 bit for bit)

// $ raddle run %s --function=tf32_flat --target=sm_80 --device=ptx-emu | grep correct
// correct: all 128 elements agree with the reference within 8.46e-3 + 2.38e-7·|expected| (0 bit for bit)

// $ raddle run %s --function=bytes --target=sm_80 --device=ptx-emu | grep correct
// correct: all 128 elements equal the reference bit for bit

// $ raddle run %s --function=bytes_flat --target=sm_80 --device=ptx-emu | grep correct
// correct: all 128 elements equal the reference bit for bit

// $ raddle run %s --function=small_floats --target=sm_90a --device=ptx-emu | grep correct
// correct: all 128 elements agree with the reference within 2.62e-6 + 2.38e-7·|expected| (87 bit for bit)

// $ raddle build %s --function=f16_deep --emit=ptx | grep mma
//     mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r2, %r3, %r4, %r5}, {%r6, %r7, %r8, %r9}, {%f0, %f1, %f2, %f3}, %r16, 1;

// $ raddle opt %s --mlir-print-local-scope | grep mma
//     %11 = nvgpu.mma.sp.sync(%8, %9, %10) metadata(%4) {mmaShape = [16, 8, 32], sparsitySelector = 1 : i32} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
//     %11 = nvgpu.mma.sp.sync(%8, %9, %10) metadata(%4) {mmaShape = [16, 8, 16], sparsitySelector = 1 : i32} : (vector<2x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
//     %11 = nvgpu.mma.sp.sync(%8, %9, %10) metadata(%4) {mmaShape = [16, 8, 32]} : (vector<4x2xbf16>, vector<4x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
//     %11 = nvgpu.mma.sp.sync(%8, %9, %10) metadata(%4) {mmaShape = [16, 8, 16], sparsitySelector = 1 : i32, tf32Enabled} : (vector<4x1xf32>, vector<4x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
//     %11 = nvgpu.mma.sp.sync(%8, %9, %10) metadata(%4) {mmaShape = [16, 8, 8], sparsitySelector = 1 : i32, tf32Enabled} : (vector<2x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
//     %11 = nvgpu.mma.sp.sync(%8, %9, %10) metadata(%4) {mmaShape = [16, 8, 64]} : (vector<4x4xi8>, vector<4x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
//     %11 = nvgpu.mma.sp.sync(%8, %9, %10) metadata(%4) {mmaShape = [16, 8, 32], sparsitySelector = 1 : i32} : (vector<2x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
//     %11 = nvgpu.mma.sp.sync(%8, %9, %10) metadata(%4) {mmaShape = [16, 8, 64]} : (vector<4x4xf8E4M3FN>, vector<4x4xf8E5M2>, vector<2x2xf32>) -> vector<2x2xf32>

// $ raddle build %s --function=small_floats --target=sm_80 -o %t.ptx
// error[E0602]: `nvgpu.mma.sp.sync` cannot be at the `lowered` stage: the chip does not have this matrix instruction
//    --> run/sparse_products.mlir:209:3
//     |
// 209 |   %d = nvgpu.mma.sp.sync(%va, %vb, %vc) metadata(%m) {mmaShape = [16, 8, 64], sparsitySelector = 0 : i32} : (vector<4x4xf8E4M3FN>, vector<4x4xf8E5M2>, vector<2x2xf32>) -> vector<2x2xf32>
//     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ sm_80
// [exit status 1]

// $ raddle build %s --function=f16_deep --target=sm_120 --emit=ptx | grep mma
//     mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r2, %r3, %r4, %r5}, {%r6, %r7, %r8, %r9}, {%f0, %f1, %f2, %f3}, %r16, 1;
