// Asynchronous copies into shared memory: pipelines, barriers that count, and PTX.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

extern "C" __global__ void group_copy(const float* in, float* out) {
  __shared__ __align__(16) float tile[256];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * 256, cuda::aligned_size_t<16>(sizeof(tile)));
  cg::wait(block);
  out[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}

extern "C" __global__ void primitives(const float4* in, float4* out, int n) {
  __shared__ float4 ring[3][64];
  auto load = [&](int i) {
    if (i < n) __pipeline_memcpy_async(&ring[i % 3][threadIdx.x], in + i * 64 + threadIdx.x, 16);
    __pipeline_commit();
  };
  load(0), load(1);
  float4 sum = make_float4(0, 0, 0, 0);
  for (int i = 0; i < n; i++) {
    load(i + 2);
    __pipeline_wait_prior(2);
    __syncthreads();
    float4 v = ring[i % 3][63 - threadIdx.x];
    sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

extern "C" __global__ void pipeline_block(const int* in, int* out, int n) {
  constexpr int STAGES = 2;
  extern __shared__ int ring[];
  auto block = cg::this_thread_block();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  auto pipe = cuda::make_pipeline(block, &state);
  int size = block.size(), sum = 0;
  for (int compute = 0, fetch = 0; compute < n; compute++) {
    for (; fetch < n && fetch < compute + STAGES; fetch++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, ring + fetch % STAGES * size, in + fetch * size, sizeof(int) * size, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += ring[compute % STAGES * size + (threadIdx.x + 1) % size];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

extern "C" __global__ void pipeline_thread(const int4* in, int4* out) {
  __shared__ int4 tile[2][32];
  auto pipe = cuda::make_pipeline();
  for (int s = 0; s < 2; s++) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[s][threadIdx.x], in + s * 32 + threadIdx.x, cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<1>(pipe);
  int4 a = tile[0][threadIdx.x];
  pipe.consumer_release();
  pipe.consumer_wait();
  int4 b = tile[1][threadIdx.x];
  pipe.consumer_release();
  out[threadIdx.x] = make_int4(a.x + b.x, a.y - b.y, a.z * b.z, a.w ^ b.w);
}

extern "C" __global__ void barrier_copy(const double* in, double* out) {
  __shared__ __align__(16) double tile[128];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&ready, blockDim.x);
  block.sync();
  for (int i = 0; i < 3; i++) {
    cuda::memcpy_async(block, tile, in + i * 128, cuda::aligned_size_t<16>(sizeof(tile)), ready);
    ready.arrive_and_wait();
    out[i * 128 + threadIdx.x] = tile[127 - threadIdx.x] * 2;
    ready.wait(ready.arrive());
  }
}

// A warp makes, another uses, by two barriers.
extern "C" __global__ void barrier_roles(const int* in, int* out, int rounds) {
  __shared__ int buffer[2][32];
  __shared__ cuda::barrier<cuda::thread_scope_block> full[2], empty[2];
  if (threadIdx.x < 2) init(&full[threadIdx.x], 64), init(&empty[threadIdx.x], 64);
  __syncthreads();
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; r++) {
      empty[r % 2].arrive_and_wait();
      buffer[r % 2][lane] = in[r * 32 + lane];
      (void)full[r % 2].arrive();
    }
  } else {
    (void)empty[0].arrive(), (void)empty[1].arrive();
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
      full[r % 2].arrive_and_wait();
      sum = sum * 3 + buffer[r % 2][31 - lane];
      (void)empty[r % 2].arrive();
    }
    out[lane] = sum;
  }
}

extern "C" __global__ void cp_async(const float* in, float* out, int n) {
  __shared__ __align__(16) float tile[128];
  unsigned to = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x * 4]);
  int here = max(0, min(4, n - int(threadIdx.x) * 4)) * 4;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(in + threadIdx.x * 4), "r"(here) : "memory");
  asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  for (int i = threadIdx.x; i < 128; i += 32) out[i] = tile[127 - i];
}
