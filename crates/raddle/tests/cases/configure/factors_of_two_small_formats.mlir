// Bytes of two formats are factors of one instruction, of those that read shared memory, too.
// RUN: raddle run %s --function=mixed --target=gfx942 | grep correct
// RUN: raddle build %s --function=mixed --target=gfx942 --emit=llvm | grep mfma
// RUN: raddle run %s --function=of_nvidia --target=sm_89 --device=ptx-emu | grep correct
// RUN: raddle build %s --function=of_nvidia --target=sm_89 --emit=ptx | grep mma
// RUN: raddle run %s --function=of_nvidia --target=sm_90a --device=ptx-emu | grep correct
// RUN: raddle build %s --function=in_shared_memory --target=sm_90a --emit=ptx | grep -c mma_async.sync.aligned.m64n192k32.f32.e4m3.e5m2
func.func @mixed(%a: tensor<64x96xf8E5M2FNUZ>, %b: tensor<96x61xf8E4M3FNUZ>, %c: tensor<64x61xf32>) -> tensor<64x61xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x96xf8E5M2FNUZ>, tensor<96x61xf8E4M3FNUZ>) outs(%c : tensor<64x61xf32>) -> tensor<64x61xf32>
  return %r : tensor<64x61xf32>
}

func.func @of_nvidia(%a: tensor<64x96xf8E5M2>, %b: tensor<96x61xf8E4M3FN>, %c: tensor<64x61xf32>) -> tensor<64x61xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x96xf8E5M2>, tensor<96x61xf8E4M3FN>) outs(%c : tensor<64x61xf32>) -> tensor<64x61xf32>
  return %r : tensor<64x61xf32>
}

func.func @in_shared_memory(%a: tensor<4096x4096xf8E4M3FN>, %b: tensor<4096x4096xf8E5M2>, %c: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<4096x4096xf8E4M3FN>, tensor<4096x4096xf8E5M2>) outs(%c : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// $ raddle run %s --function=mixed --target=gfx942 | grep correct
// correct: all 3904 elements agree with the reference within 6.51e-5 + 2.38e-7·|expected| (2459 bit for bit)

// $ raddle build %s --function=mixed --target=gfx942 --emit=llvm | grep mfma
//   %v216 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.bf8.fp8(i64 %v214, i64 %v215, <4 x float> %v213, i32 0, i32 0, i32 0)
//   %v227 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.bf8.fp8(i64 %v225, i64 %v226, <4 x float> %v216, i32 0, i32 0, i32 0)
//   %v238 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.bf8.fp8(i64 %v236, i64 %v237, <4 x float> %v227, i32 0, i32 0, i32 0)
// declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.bf8.fp8(i64, i64, <4 x float>, i32, i32, i32)

// $ raddle run %s --function=of_nvidia --target=sm_89 --device=ptx-emu | grep correct
// correct: all 3904 elements agree with the reference within 6.51e-5 + 2.38e-7·|expected| (2455 bit for bit)

// $ raddle build %s --function=of_nvidia --target=sm_89 --emit=ptx | grep mma
//     mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32 {%f0, %f1, %f2, %f3}, {%r124, %r125, %r126, %r127}, {%r180, %r186}, {%f0, %f1, %f2, %f3};
//     mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32 {%f0, %f1, %f2, %f3}, {%r128, %r129, %r130, %r131}, {%r192, %r198}, {%f0, %f1, %f2, %f3};
//     mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32 {%f0, %f1, %f2, %f3}, {%r132, %r133, %r134, %r135}, {%r204, %r210}, {%f0, %f1, %f2, %f3};

// $ raddle run %s --function=of_nvidia --target=sm_90a --device=ptx-emu | grep correct
// correct: all 3904 elements agree with the reference within 6.51e-5 + 2.38e-7·|expected| (2455 bit for bit)

// $ raddle build %s --function=in_shared_memory --target=sm_90a --emit=ptx | grep -c mma_async.sync.aligned.m64n192k32.f32.e4m3.e5m2
// 48
