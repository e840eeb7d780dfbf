// Products in CuTe: copies and matrix instructions by layouts.
#include <cute/tensor.hpp>
#include <cutlass/arch/barrier.h>
#include <cutlass/cluster_launch.hpp>
#include <cuda.h>
using namespace cute;

// 64 x 64 of the product for four warps, by cp.async and ldmatrix.
extern "C" __global__ void __launch_bounds__(128) cute_sm80(half_t const* a, half_t const* b, float* c, int m, int n, int k) {
  auto swizzled = composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{});
  auto smem_layout = tile_to_shape(swizzled, Shape<_64, _64>{});
  __shared__ alignas(128) half_t as[64 * 64], bs[64 * 64];
  Tensor ga = local_tile(make_tensor(make_gmem_ptr(a), make_shape(m, k), make_stride(k, _1{})), Shape<_64, _64>{}, make_coord(blockIdx.y, _));
  Tensor gb = local_tile(make_tensor(make_gmem_ptr(b), make_shape(n, k), make_stride(k, _1{})), Shape<_64, _64>{}, make_coord(blockIdx.x, _));
  Tensor gc = local_tile(make_tensor(make_gmem_ptr(c), make_shape(m, n), make_stride(n, _1{})), Shape<_64, _64>{}, make_coord(blockIdx.y, blockIdx.x));
  Tensor sa = make_tensor(make_smem_ptr(as), smem_layout), sb = make_tensor(make_smem_ptr(bs), smem_layout);
  auto copy = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>{}, Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2>>{}, cute::Tile<_32, _32, _16>{});
  auto mine = copy.get_slice(threadIdx.x);
  auto part = mma.get_slice(threadIdx.x);
  Tensor rc = part.partition_fragment_C(gc);
  Tensor ra = part.partition_fragment_A(sa);
  Tensor rb = part.partition_fragment_B(sb);
  clear(rc);
  auto load_a = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  auto load_b = make_tiled_copy_B(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  for (int i = 0; i < size<2>(ga); i++) {
    cute::copy(copy, mine.partition_S(ga(_, _, i)), mine.partition_D(sa));
    cute::copy(copy, mine.partition_S(gb(_, _, i)), mine.partition_D(sb));
    cp_async_fence();
    cp_async_wait<0>();
    __syncthreads();
    cute::copy(load_a, load_a.get_slice(threadIdx.x).partition_S(sa), load_a.get_slice(threadIdx.x).retile_D(ra));
    cute::copy(load_b, load_b.get_slice(threadIdx.x).partition_S(sb), load_b.get_slice(threadIdx.x).retile_D(rb));
    cute::gemm(mma, ra, rb, rc);
    __syncthreads();
  }
  cute::copy(rc, part.partition_C(gc));
}

#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
// The same for a group of warps, with tiles that come by maps.
template <typename T, typename Atom>
__device__ void by_maps(CUtensorMap const& a, CUtensorMap const& b, float* c, int n, int k) {
  constexpr int BK = 128 / sizeof(T);
  auto layout = tile_to_shape(GMMA::Layout_K_SW128_Atom<T>{}, make_shape(_64{}, Int<BK>{}, _2{}));
  __shared__ alignas(1024) T as[64 * BK * 2], bs[64 * BK * 2];
  __shared__ uint64_t full[2];
  using Barrier = cutlass::arch::ClusterTransactionBarrier;
  if (threadIdx.x == 0) {
    Barrier::init(&full[0], 1), Barrier::init(&full[1], 1);
    cutlass::arch::fence_barrier_init();
  }
  __syncthreads();
  Tensor sa = make_tensor(make_smem_ptr(as), layout), sb = make_tensor(make_smem_ptr(bs), layout);
  auto mma = make_tiled_mma(Atom{});
  auto part = mma.get_slice(threadIdx.x);
  Tensor gc = local_tile(make_tensor(make_gmem_ptr(c), make_shape(n, n), make_stride(n, _1{})), Shape<_64, _64>{}, make_coord(blockIdx.y, blockIdx.x));
  Tensor ra = part.make_fragment_A(part.partition_A(sa));
  Tensor rb = part.make_fragment_B(part.partition_B(sb));
  Tensor rc = part.partition_fragment_C(gc);
  clear(rc);
  auto load = [&](int i) {
    if (threadIdx.x != 0) return;
    Barrier::arrive_and_expect_tx(&full[i % 2], 2 * 64 * BK * sizeof(T));
    SM90_TMA_LOAD_2D::copy(&a, &full[i % 2], 0, as + i % 2 * 64 * BK, i * BK, blockIdx.y * 64);
    SM90_TMA_LOAD_2D::copy(&b, &full[i % 2], 0, bs + i % 2 * 64 * BK, i * BK, blockIdx.x * 64);
  };
  load(0);
  for (int i = 0; i < k / BK; i++) {
    if (i + 1 < k / BK) load(i + 1);
    Barrier::wait(&full[i % 2], i / 2 % 2);
    warpgroup_fence_operand(rc);
    warpgroup_arrive();
    cute::gemm(mma, ra(_, _, _, i % 2), rb(_, _, _, i % 2), rc);
    warpgroup_commit_batch();
    warpgroup_wait<0>();
    warpgroup_fence_operand(rc);
    __syncthreads();
  }
  cute::copy(rc, part.partition_C(gc));
}

extern "C" __global__ void __launch_bounds__(128) cute_sm90_f16(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c, int n, int k) {
  by_maps<half_t, SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>>(a, b, c, n, k);
}

extern "C" __global__ void __launch_bounds__(128) cute_sm90_e4m3(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c, int n, int k) {
  by_maps<float_e4m3_t, SM90_64x64x32_F32E4M3E4M3_SS_TN<>>(a, b, c, n, k);
}
#endif
