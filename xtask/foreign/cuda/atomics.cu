// Atomic operations of every type, and what is built of them.
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void integers(const int* in, int* out, unsigned long long* wide) {
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&out[0], v); atomicSub(&out[1], v); atomicMin(&out[2], v); atomicMax(&out[3], v);
  atomicAnd(&out[4], v | 0xff00); atomicOr(&out[5], v); atomicXor(&out[6], v);
  atomicInc((unsigned*)&out[7], 9); atomicDec((unsigned*)&out[8], 9);
  atomicAdd_block(&out[9], v); atomicAdd_system(&out[10], v);
  atomicAdd(&wide[0], (unsigned long long)(v) << 20); atomicMax(&wide[1], (unsigned long long)(v & 0xfffff) << 33);
  atomicMin((long long*)&wide[2], (long long)(v)); atomicXor(&wide[3], (unsigned long long)(v) * 0x100000001ull);
}

extern "C" __global__ void floats(const float* in, float* f, double* d, __half* h, __half2* h2, __nv_bfloat16* b, __nv_bfloat162* b2) {
  float v = in[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(f, v);
  atomicAdd(d, double(v));
  atomicAdd(h, __float2half(v));
  atomicAdd(h2, __floats2half2_rn(v, -v));
  atomicAdd(b, __float2bfloat16(v));
  atomicAdd(b2, __floats2bfloat162_rn(v, 1));
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
extern "C" __global__ void vectors(const float* in, float* out) {
  float v = in[threadIdx.x];
  atomicAdd((float2*)out, make_float2(v, 2 * v));
  atomicAdd((float4*)(out + 4), make_float4(v, -v, 1, 0));
}
#endif

__device__ float atomic_max(float* at, float v) {
  int* bits = (int*)at;
  int old = *(volatile int*)bits, seen;
  do {
    seen = old;
    if (__int_as_float(seen) >= v) break;
    old = atomicCAS(bits, seen, __float_as_int(v));
  } while (old != seen);
  return __int_as_float(old);
}

__device__ double atomic_times(double* at, double v) {
  unsigned long long* bits = (unsigned long long*)at;
  unsigned long long old = atomicAdd(bits, 0ull), seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, (unsigned long long)__double_as_longlong(v * __longlong_as_double(seen)));
  } while (old != seen);
  return __longlong_as_double(old);
}

extern "C" __global__ void by_compare(const float* in, float* high, double* product, unsigned short* narrow) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomic_max(high, in[i]);
  atomic_times(product, i % 2 ? 2.0 : 0.5);
  unsigned short seen, old = 0;
  do { seen = old; old = atomicCAS(narrow, seen, (unsigned short)(seen + 3)); } while (old != seen);
}

// Each thread puts its key into a table with open addresses.
extern "C" __global__ void hash_insert(const unsigned* keys, unsigned* table, unsigned* counts, unsigned mask) {
  unsigned key = keys[blockIdx.x * blockDim.x + threadIdx.x];
  for (unsigned slot = key * 2654435761u & mask;; slot = slot + 1 & mask) {
    unsigned was = atomicCAS(&table[slot], ~0u, key);
    if (was == ~0u || was == key) { atomicAdd(&counts[slot], 1); return; }
  }
}

extern "C" __global__ void references(const int* in, int* out, float* high) {
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(out[0]);
  sum.fetch_add(v, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_system> low(out[1]);
  low.fetch_min(v);
  cuda::atomic_ref<int, cuda::thread_scope_block> bits(out[2]);
  bits |= v;
  cuda::atomic_ref<float, cuda::thread_scope_device> best(*high);
  best.fetch_max(float(v), cuda::memory_order_relaxed);
}

// One workgroup at a time, by a lock.
__device__ int lock = 0;
extern "C" __global__ void locked(const int* in, int* sums, int n) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(100);
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x < n) sums[threadIdx.x] += in[blockIdx.x * n + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(&lock, 0);
  }
}

// The same among the lanes of a warp: each goes around until it has had its turn.
extern "C" __global__ void locked_lanes(int* lock, int* sum) {
  bool is_done = false;
  while (!is_done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *(volatile int*)sum += threadIdx.x;
      __threadfence();
      atomicExch(lock, 0);
      is_done = true;
    }
  }
}

// What a workgroup writes, the next one reads behind a flag.
extern "C" __global__ void chained(const int* in, int* sums, int* flags) {
  cuda::atomic_ref<int, cuda::thread_scope_device> mine(flags[blockIdx.x]);
  int sum = in[blockIdx.x];
  if (blockIdx.x) {
    cuda::atomic_ref<int, cuda::thread_scope_device> before(flags[blockIdx.x - 1]);
    while (before.load(cuda::memory_order_acquire) == 0) {}
    sum += sums[blockIdx.x - 1];
  }
  sums[blockIdx.x] = sum;
  mine.store(1, cuda::memory_order_release);
}
