// Products by CUTLASS's kernels; what its host code makes of the arguments, the kernel makes itself.
#include <cutlass/epilogue/thread/linear_combination.h>
#include <cutlass/epilogue/thread/linear_combination_clamp.h>
#include <cutlass/epilogue/thread/linear_combination_relu.h>
#include <cutlass/gemm/kernel/default_gemm.h>
#include <cutlass/gemm/threadblock/threadblock_swizzle.h>

using cutlass::gemm::GemmShape;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using Swizzle = cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>;

template <typename Gemm, typename A, typename B, typename C>
__device__ void run(A* a, int lda, B* b, int ldb, C* c, int m, int n, int k, typename Gemm::OutputOp::Params epilogue) {
  extern __shared__ __align__(16) char storage[];
  using Shape = typename Gemm::Mma::Shape;
  cutlass::gemm::GemmCoord problem(m, n, k), tiles((m + Shape::kM - 1) / Shape::kM, (n + Shape::kN - 1) / Shape::kN, 1);
  typename Gemm::Params params(problem, tiles, {a, lda}, {b, ldb}, {c, n}, {c, n}, epilogue);
  Gemm()(params, *reinterpret_cast<typename Gemm::SharedStorage*>(storage));
}

using Tensor16 = typename cutlass::gemm::kernel::DefaultGemm<cutlass::half_t, Row, 8, cutlass::half_t, Column, 8, float, Row, float,
    cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, GemmShape<64, 64, 32>, GemmShape<32, 32, 32>, GemmShape<16, 8, 16>,
    cutlass::epilogue::thread::LinearCombination<float, 4, float, float>, Swizzle, 3, false, cutlass::arch::OpMultiplyAdd>::GemmKernel;

extern "C" __global__ void tensor_f16(cutlass::half_t* a, cutlass::half_t* b, float* c, int m, int n, int k) {
  run<Tensor16>(a, k, b, k, c, m, n, k, {2.0f, 1.0f});
}

using Relu16 = typename cutlass::gemm::kernel::DefaultGemm<cutlass::bfloat16_t, Column, 8, cutlass::bfloat16_t, Row, 8, cutlass::bfloat16_t, Row, float,
    cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, GemmShape<128, 64, 32>, GemmShape<64, 32, 32>, GemmShape<16, 8, 16>,
    cutlass::epilogue::thread::LinearCombinationRelu<cutlass::bfloat16_t, 8, float, float>, Swizzle, 4, false, cutlass::arch::OpMultiplyAdd>::GemmKernel;

extern "C" __global__ void relu_bf16(cutlass::bfloat16_t* a, cutlass::bfloat16_t* b, cutlass::bfloat16_t* c, int m, int n, int k) {
  run<Relu16>(a, m, b, n, c, m, n, k, {1.0f, 0.0f});
}

using Tensor8 = typename cutlass::gemm::kernel::DefaultGemm<int8_t, Row, 16, int8_t, Column, 16, int, Row, int,
    cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, GemmShape<64, 64, 64>, GemmShape<32, 32, 64>, GemmShape<16, 8, 32>,
    cutlass::epilogue::thread::LinearCombinationClamp<int, 4, int, float>, Swizzle, 3, false, cutlass::arch::OpMultiplyAddSaturate>::GemmKernel;

extern "C" __global__ void tensor_s8(int8_t* a, int8_t* b, int* c, int m, int n, int k) { run<Tensor8>(a, k, b, k, c, m, n, k, {1.0f, 0.0f}); }

using Tf32 = typename cutlass::gemm::kernel::DefaultGemm<cutlass::tfloat32_t, Row, 4, cutlass::tfloat32_t, Row, 4, float, Row, float,
    cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, GemmShape<64, 64, 16>, GemmShape<32, 32, 16>, GemmShape<16, 8, 8>,
    cutlass::epilogue::thread::LinearCombination<float, 4, float, float>, Swizzle, 3, false, cutlass::arch::OpMultiplyAdd>::GemmKernel;

extern "C" __global__ void tensor_tf32(cutlass::tfloat32_t* a, cutlass::tfloat32_t* b, float* c, int m, int n, int k) { run<Tf32>(a, k, b, n, c, m, n, k, {1.0f, 0.0f}); }

using Simt = typename cutlass::gemm::kernel::DefaultGemm<float, Column, 1, float, Row, 1, float, Row, float,
    cutlass::arch::OpClassSimt, cutlass::arch::Sm80, GemmShape<64, 64, 8>, GemmShape<32, 32, 8>, GemmShape<1, 1, 1>,
    cutlass::epilogue::thread::LinearCombination<float, 1, float, float>, Swizzle, 4, false, cutlass::arch::OpMultiplyAdd>::GemmKernel;

extern "C" __global__ void simt_f32(float* a, float* b, float* c, int m, int n, int k) { run<Simt>(a, m, b, n, c, m, n, k, {1.0f, 1.0f}); }

using Doubles = typename cutlass::gemm::kernel::DefaultGemm<double, Row, 1, double, Column, 1, double, Row, double,
    cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, GemmShape<32, 32, 16>, GemmShape<16, 16, 16>, GemmShape<8, 8, 4>,
    cutlass::epilogue::thread::LinearCombination<double, 1, double, double>, Swizzle, 3, false, cutlass::arch::OpMultiplyAdd>::GemmKernel;

extern "C" __global__ void tensor_f64(double* a, double* b, double* c, int m, int n, int k) { run<Doubles>(a, k, b, k, c, m, n, k, {1.0, 0.0}); }
