// Clusters, bulk copies, tensor maps and products of groups of warps, for sm_90a.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_fp16.h>
#include <cstdint>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ void wait(uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {}
}

// A histogram of which each workgroup of the cluster has a part.
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_histogram(const int* in, int* out, int n) {
  __shared__ int bins[32];
  auto cluster = cg::this_cluster();
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  cluster.sync();
  for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads()) {
    int bin = in[i];
    atomicAdd(cluster.map_shared_rank(bins, bin / 32) + bin % 32, 1);
  }
  cluster.sync();
  if (threadIdx.x < 32) out[cluster.block_rank() * 32 + threadIdx.x] = bins[threadIdx.x];
}

extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_ring(const float* in, float* out) {
  __shared__ float mine[64];
  auto cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  mine[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  cluster.sync();
  float sum = 0;
  for (unsigned i = 0; i < 4; i++) sum = sum * 2 + cluster.map_shared_rank(mine, (rank + i) % 4)[63 - threadIdx.x];
  cluster.sync();
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

extern "C" __global__ void bulk_copy(const float* in, float* out) {
  __shared__ alignas(128) float tile[256];
  __shared__ Barrier ready;
  if (threadIdx.x == 0) {
    init(&ready, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::memcpy_async(tile, in + blockIdx.x * 256, cuda::aligned_size_t<16>(sizeof(tile)), ready);
    token = cuda::device::barrier_arrive_tx(ready, 1, 0);
  } else {
    token = ready.arrive();
  }
  ready.wait(std::move(token));
  for (int i = threadIdx.x; i < 256; i += blockDim.x) tile[i] = tile[i] * 2 + 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + blockIdx.x * 256, tile, sizeof(tile));
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

extern "C" __global__ void bulk_reduce(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, tile, sizeof(tile));
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

// A tile comes by one map and goes by another, turned.
extern "C" __global__ void tensor_transpose(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out) {
  __shared__ alignas(128) int tile[32][32], turned[32][32];
  __shared__ uint64_t ready;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&ready, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &ready, sizeof(tile));
    int at[2] = {int(blockIdx.x) * 32, int(blockIdx.y) * 32};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &in, at, &ready);
  }
  wait(&ready, 0);
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) turned[i % 32][i / 32] = tile[i / 32][i % 32];
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    int at[2] = {int(blockIdx.y) * 32, int(blockIdx.x) * 32};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &out, at, turned);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

// The first workgroup of the cluster loads for all.
extern "C" __global__ void __cluster_dims__(2, 1, 1) multicast(const float* in, float* out) {
  __shared__ alignas(128) float tile[128];
  __shared__ uint64_t ready;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&ready, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &ready, sizeof(tile));
  }
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0)
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof(tile), &ready, uint16_t(3));
  wait(&ready, 0);
  out[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x] * (1 + cluster.block_rank());
  cluster.sync();
}

// Each workgroup writes into the other, which waits for the bytes.
extern "C" __global__ void __cluster_dims__(2, 1, 1) store_async(const int* in, int* out) {
  __shared__ alignas(16) int inbox[64];
  __shared__ uint64_t ready;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&ready, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &ready, sizeof(inbox));
  }
  cluster.sync();
  unsigned other = cluster.block_rank() ^ 1;
  ptx::st_async(cluster.map_shared_rank(inbox, other) + threadIdx.x, in[blockIdx.x * 64 + threadIdx.x], cluster.map_shared_rank(&ready, other));
  wait(&ready, 0);
  out[blockIdx.x * 64 + threadIdx.x] = inbox[63 - threadIdx.x];
  cluster.sync();
}

__device__ uint64_t descriptor(const void* at) {
  uint64_t address = __cvta_generic_to_shared(at);
  return (address & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

__device__ void wgmma_m64n64k16(float (&d)[32], uint64_t a, uint64_t b) {
  asm volatile("{\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
      "%32, %33, 1, 1, 1, 0, 0;\n}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
        "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
        "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
      : "l"(a), "l"(b));
}

// One warp loads tiles by maps, four multiply: a ring of three stages with barriers for full and empty.
extern "C" __global__ void __launch_bounds__(256) wgmma_gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c, int n, int k) {
  constexpr int STAGES = 3;
  extern __shared__ __align__(1024) unsigned char raw[];
  __half* as = (__half*)raw;
  __half* bs = as + STAGES * 64 * 64;
  __shared__ uint64_t full[STAGES], empty[STAGES];
  if (threadIdx.x == 0) {
    for (int s = 0; s < STAGES; s++) ptx::mbarrier_init(&full[s], 1), ptx::mbarrier_init(&empty[s], 128);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0)
      for (int i = 0; i < k / 64; i++) {
        int s = i % STAGES;
        wait(&empty[s], (i / STAGES + 1) % 2);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s], 2 * 64 * 64 * 2);
        int at_a[2] = {i * 64, int(blockIdx.y) * 64}, at_b[2] = {i * 64, int(blockIdx.x) * 64};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, as + s * 4096, &a, at_a, &full[s]);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, bs + s * 4096, &b, at_b, &full[s]);
      }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    int t = threadIdx.x - 128;
    float d[32] = {};
    for (int i = 0; i < k / 64; i++) {
      int s = i % STAGES;
      wait(&full[s], i / STAGES % 2);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      for (int kk = 0; kk < 64; kk += 16) wgmma_m64n64k16(d, descriptor(as + s * 4096 + kk), descriptor(bs + s * 4096 + kk));
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      (void)ptx::mbarrier_arrive(&empty[s]);
    }
    float* p = c + (blockIdx.y * 64 + t / 32 * 16 + t % 32 / 4) * n + blockIdx.x * 64 + t % 4 * 2;
    for (int j = 0; j < 8; j++) {
      *(float2*)(p + j * 8) = make_float2(d[4 * j], d[4 * j + 1]);
      *(float2*)(p + j * 8 + 8 * n) = make_float2(d[4 * j + 2], d[4 * j + 3]);
    }
  }
}

extern "C" __global__ void dependent(const float* in, float* out) {
  cudaGridDependencySynchronize();
  float v = in[threadIdx.x];
  cudaTriggerProgrammaticLaunchCompletion();
  out[threadIdx.x] = v * 3;
  if (ptx::elect_sync(~0u)) out[blockDim.x + threadIdx.x / 32] = v;
}
