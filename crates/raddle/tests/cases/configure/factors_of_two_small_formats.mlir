// Of two formats of 8-bit floats a contraction has f32 factors; the instruction multiplies what is in front of them.
// RUN: raddle run %s --target=gfx942 | grep correct
// RUN: raddle build %s --target=gfx942 --emit=llvm | grep mfma
func.func @mixed(%a: tensor<64x96xf8E5M2FNUZ>, %b: tensor<96x61xf8E4M3FNUZ>, %c: tensor<64x61xf32>) -> tensor<64x61xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x96xf8E5M2FNUZ>, tensor<96x61xf8E4M3FNUZ>) outs(%c : tensor<64x61xf32>) -> tensor<64x61xf32>
  return %r : tensor<64x61xf32>
}

// $ raddle run %s --target=gfx942 | grep correct
// correct: all 3904 elements agree with the reference within 6.51e-5 + 2.38e-7·|expected| (2459 bit for bit)

// $ raddle build %s --target=gfx942 --emit=llvm | grep mfma
//   %v216 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.bf8.fp8(i64 %v214, i64 %v215, <4 x float> %v213, i32 0, i32 0, i32 0)
//   %v227 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.bf8.fp8(i64 %v225, i64 %v226, <4 x float> %v216, i32 0, i32 0, i32 0)
//   %v238 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.bf8.fp8(i64 %v236, i64 %v237, <4 x float> %v227, i32 0, i32 0, i32 0)
// declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.bf8.fp8(i64, i64, <4 x float>, i32, i32, i32)
