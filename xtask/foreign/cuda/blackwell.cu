// What sm_100 adds, outside of its tensor memory.
#include <cuda/ptx>

namespace ptx = cuda::ptx;

// A workgroup that has done its work takes that of another one, until none is left.
extern "C" __global__ void __launch_bounds__(64) taken(const int *in, int *out) {
  __shared__ alignas(16) uint4 answer;
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  unsigned phase = 0;
  for (int block = blockIdx.x;;) {
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::fence_proxy_async_generic_sync_restrict(ptx::sem_acquire, ptx::space_cluster, ptx::scope_cluster);
      ptx::clusterlaunchcontrol_try_cancel(&answer, &bar);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &bar, sizeof answer);
    }
    int at = block * 64 + threadIdx.x;
    out[at] = 2 * in[at] + block;
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, &bar, phase)) {}
    phase ^= 1;
    if (!ptx::clusterlaunchcontrol_query_cancel_is_canceled(answer)) {
      return;
    }
    block = ptx::clusterlaunchcontrol_query_cancel_get_first_ctaid_x<int>(answer);
    ptx::fence_proxy_async_generic_sync_restrict(ptx::sem_release, ptx::space_shared, ptx::scope_cluster);
  }
}

// Sums of pairs of floats, in wide accesses.
extern "C" __global__ void __launch_bounds__(64) paired(const float4 *x, const float4 *y, float4 *out) {
  int at = blockIdx.x * 64 + threadIdx.x;
  float4 a = x[at], b = y[at];
  float2 low = __ffma2_rn({a.x, a.y}, {b.x, b.y}, {a.y, a.x});
  float2 high = __fadd2_rn(__fmul2_rn({a.z, a.w}, {b.z, b.w}), {b.w, b.z});
  out[at] = {low.x, low.y, high.x, high.y};
}

// A matrix is cleared, and a part of each row of 16 bytes is written.
extern "C" __global__ void __launch_bounds__(32) masked(unsigned char *out) {
  __shared__ alignas(128) unsigned char tile[512];
  for (int at = threadIdx.x; at < 512; at += 32) {
    tile[at] = at % 251;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::st_bulk(tile + 256, uint64_t(128), ptx::n32_t<0>());
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk_cp_mask(ptx::space_global, ptx::space_shared, out, tile, 512, 0x0f30);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}
