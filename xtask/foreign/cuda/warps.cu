// What the lanes of a warp do together, with intrinsics and with cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdint>
namespace cg = cooperative_groups;

template <typename T>
__device__ T warp_sum(T v) {
  for (int by = 16; by; by /= 2) v += __shfl_xor_sync(0xffffffff, v, by);
  return v;
}

extern "C" __global__ void shuffles(const float* x, const double* d, float* out, double* wide) {
  int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  out[4 * i] = warp_sum(v);
  out[4 * i + 1] = __shfl_sync(~0u, v, (lane + 5) % 32);
  float up = __shfl_up_sync(~0u, v, 3, 16);
  out[4 * i + 2] = up;
  out[4 * i + 3] = __shfl_down_sync(~0u, v, 2, 8);
  wide[i] = warp_sum(d[i]);
}

extern "C" __global__ void softmax_rows(const float* in, float* out, int columns) {
  int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  const float* x = in + row * columns;
  float high = -INFINITY, sum = 0;
  for (int c = lane; c < columns; c += 32) high = fmaxf(high, x[c]);
  for (int by = 16; by; by >>= 1) high = fmaxf(high, __shfl_xor_sync(~0u, high, by));
  for (int c = lane; c < columns; c += 32) sum += __expf(x[c] - high);
  sum = warp_sum(sum);
  for (int c = lane; c < columns; c += 32) out[row * columns + c] = __expf(x[c] - high) / sum;
}

extern "C" __global__ void votes(const int* in, unsigned* out) {
  int i = threadIdx.x, v = in[i];
  unsigned odd = __ballot_sync(~0u, v & 1);
  out[6 * i] = odd;
  out[6 * i + 1] = __all_sync(~0u, v > 0) * 2 + __any_sync(~0u, v > 90);
  out[6 * i + 2] = __match_any_sync(~0u, v % 7);
  int same;
  out[6 * i + 3] = __match_all_sync(~0u, v / 1000, &same) + same;
  out[6 * i + 4] = __popc(odd & ((1u << (i % 32)) - 1));
  if (v & 1) out[6 * i + 5] = __activemask() == odd ? __shfl_sync(odd, v, __ffs(odd) - 1) : 0;
  else out[6 * i + 5] = __reduce_add_sync(~odd, v);
}

extern "C" __global__ void redux(const unsigned* in, unsigned* out) {
  unsigned v = in[threadIdx.x], lane = threadIdx.x % 32;
  unsigned half = lane < 16 ? 0xffffu : 0xffff0000u;
  out[8 * threadIdx.x] = __reduce_add_sync(~0u, v);
  out[8 * threadIdx.x + 1] = __reduce_min_sync(half, v);
  out[8 * threadIdx.x + 2] = __reduce_max_sync(half, int(v));
  out[8 * threadIdx.x + 3] = __reduce_and_sync(~0u, v);
  out[8 * threadIdx.x + 4] = __reduce_or_sync(half, v);
  out[8 * threadIdx.x + 5] = __reduce_xor_sync(~0u, v);
  __syncwarp();
  unsigned mask = 0x0f0f0f0fu;
  out[8 * threadIdx.x + 6] = mask >> lane & 1 ? __reduce_add_sync(mask, 1u) : 0;
  out[8 * threadIdx.x + 7] = __fns(mask, lane, 2);
}

// Each warp adds once for the lanes that want to.
extern "C" __global__ void compact(const int* in, int* out, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) {
    auto active = cg::coalesced_threads();
    int base;
    if (active.thread_rank() == 0) base = atomicAdd(count, active.size());
    base = active.shfl(base, 0);
    out[base + active.thread_rank()] = in[i];
  }
}

extern "C" __global__ void tiles(const int* in, int* out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  int i = block.thread_rank(), v = in[i];
  out[8 * i] = cg::reduce(tile, v, cg::plus<int>());
  out[8 * i + 1] = cg::reduce(tile, v, cg::greater<int>());
  out[8 * i + 2] = cg::inclusive_scan(tile, v);
  out[8 * i + 3] = cg::exclusive_scan(tile, v, cg::bit_or<int>());
  out[8 * i + 4] = tile.ballot(v > 0) + 1000 * tile.meta_group_rank();
  out[8 * i + 5] = tile.shfl_xor(v, 3) + tile.any(v == 5);
  auto odd = cg::binary_partition(tile, v & 1);
  out[8 * i + 6] = odd.size() * 100 + odd.thread_rank();
  auto labels = cg::labeled_partition(tile, v % 3);
  out[8 * i + 7] = cg::reduce(labels, v, cg::plus<int>());
  block.sync();
}

// A tile larger than a warp meets in shared memory.
extern "C" __global__ void large_tile(const float* in, float* out) {
  __shared__ cg::block_tile_memory<256> memory;
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<64>(block);
  float v = in[block.thread_rank()];
  float sum = cg::reduce(tile, v, cg::plus<float>());
  tile.sync();
  out[block.thread_rank()] = sum;
}

extern "C" __global__ void lone_thread(const float* in, float* out, int n) {
  auto group = cg::tiled_partition<32>(cg::this_thread_block());
  for (int i = blockIdx.x * group.meta_group_size() + group.meta_group_rank(); i < n; i += gridDim.x * group.meta_group_size()) {
    float v = in[i * 32 + group.thread_rank()];
    cg::invoke_one(group, [&] { out[i * 2] = v; });
    float sum = cg::reduce(group, v, cg::plus<float>());
    if (group.thread_rank() == group.num_threads() - 1) out[i * 2 + 1] = sum;
  }
}

// Lanes go different ways, and some go around more often than others.
extern "C" __global__ void collatz(const unsigned* in, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint64_t v = in[i];
  unsigned steps = 0;
  while (v != 1) {
    if (v % 2) v = 3 * v + 1; else v /= 2;
    if (++steps > 1000) break;
  }
  out[i] = steps;
}
