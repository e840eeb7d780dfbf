// Whole algorithms.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cub/block/block_scan.cuh>
#include <cstdint>
namespace cg = cooperative_groups;

extern "C" __global__ void nbody(const float4* bodies, float4* forces, int n) {
  extern __shared__ float4 tile[];
  float4 mine = bodies[blockIdx.x * blockDim.x + threadIdx.x];
  float3 sum = {0, 0, 0};
  for (int t = 0; t < n; t += blockDim.x) {
    tile[threadIdx.x] = bodies[t + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < blockDim.x; j++) {
      float dx = tile[j].x - mine.x, dy = tile[j].y - mine.y, dz = tile[j].z - mine.z;
      float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = tile[j].w * r * r * r;
      sum.x += f * dx, sum.y += f * dy, sum.z += f * dz;
    }
    __syncthreads();
  }
  forces[blockIdx.x * blockDim.x + threadIdx.x] = make_float4(sum.x, sum.y, sum.z, 0);
}

extern "C" __global__ void mandelbrot(unsigned char* out, int w, int h, double x0, double y0, double step) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  double cr = x0 + x * step, ci = y0 + y * step, zr = 0, zi = 0;
  int i = 0;
  for (; i < 100 && zr * zr + zi * zi <= 4; i++) {
    double t = __dadd_rn(__dmul_rn(zr, zr) - __dmul_rn(zi, zi), cr);
    zi = __dadd_rn(__dmul_rn(2 * zr, zi), ci), zr = t;
  }
  out[y * w + x] = i;
}

extern "C" __global__ void fft(const float2* in, float2* out) {
  __shared__ float2 s[256];
  int t = threadIdx.x;
  s[__brev(t) >> 24] = in[t], s[__brev(t + 128) >> 24] = in[t + 128];
  __syncthreads();
  for (int half = 1; half < 256; half *= 2) {
    int low = t / half * half * 2 + t % half, high = low + half;
    float sine, cosine;
    sincospif(-float(t % half) / half, &sine, &cosine);
    float2 a = s[low], b = s[high];
    float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    s[low] = make_float2(a.x + turned.x, a.y + turned.y);
    s[high] = make_float2(a.x - turned.x, a.y - turned.y);
    __syncthreads();
  }
  out[t] = s[t], out[t + 128] = s[t + 128];
}

extern "C" __global__ void spmv_rows(const int* starts, const int* columns, const float* values, const float* x, float* y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; i++) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

extern "C" __global__ void spmv_warps(const int* starts, const int* columns, const float* values, const float* x, float* y, int rows) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  float sum = 0;
  for (int i = starts[row] + warp.thread_rank(); i < starts[row + 1]; i += 32) sum += values[i] * x[columns[i]];
  for (int by = 16; by; by /= 2) sum += warp.shfl_down(sum, by);
  if (warp.thread_rank() == 0) y[row] = sum;
}

// Philox 4x32-10: random numbers by counting.
__device__ uint4 philox(uint4 c, uint2 key) {
  for (int i = 0; i < 10; i++) {
    unsigned high0 = __umulhi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
    unsigned high1 = __umulhi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
    c = make_uint4(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
    key.x += 0x9E3779B9u, key.y += 0xBB67AE85u;
  }
  return c;
}

extern "C" __global__ void random_numbers(uint4* out, unsigned long long seed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = philox(make_uint4(i, 0, 7, 0), make_uint2(unsigned(seed), unsigned(seed >> 32)));
}

extern "C" __global__ void count_pi(unsigned* hits, int rounds) {
  unsigned n = 0, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < rounds; r++) {
    uint4 v = philox(make_uint4(i, r, 0, 0), make_uint2(1, 2));
    float x = v.x * 2.3283064e-10f, y = v.y * 2.3283064e-10f;
    n += x * x + y * y < 1;
  }
  n = __reduce_add_sync(~0u, n);
  if (threadIdx.x % 32 == 0) atomicAdd(hits, n);
}

// A scan in one pass: workgroups look back at what those before have said.
extern "C" __global__ void scan_lookback(const int* in, int* out, unsigned long long* states) {
  using Scan = cub::BlockScan<int, 128>;
  __shared__ typename Scan::TempStorage storage;
  __shared__ int before;
  int i = blockIdx.x * 128 + threadIdx.x, sum, total;
  Scan(storage).InclusiveSum(in[i], sum, total);
  using State = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
  if (threadIdx.x == 0) {
    unsigned long long is_last = blockIdx.x == 0 ? 2 : 1;
    State(states[blockIdx.x]).store(is_last << 32 | unsigned(total), cuda::memory_order_relaxed);
    int carried = 0;
    for (int b = int(blockIdx.x) - 1; b >= 0;) {
      unsigned long long state = State(states[b]).load(cuda::memory_order_relaxed);
      if (state >> 32 == 0) continue;
      carried += int(unsigned(state));
      if (state >> 32 == 2) break;
      b--;
    }
    State(states[blockIdx.x]).store(2ull << 32 | unsigned(carried + total), cuda::memory_order_relaxed);
    before = carried;
  }
  __syncthreads();
  out[i] = sum + before;
}

// A digit of a radix sort by one workgroup: counts of each warp, their scan, and the places.
extern "C" __global__ void radix_pass(const unsigned* in, unsigned* out, int n, int shift) {
  __shared__ unsigned counts[4][16], starts[4][16];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, each = n / 4;
  if (lane < 16) counts[warp][lane] = 0;
  __syncwarp();
  for (int i = warp * each + lane; i < (warp + 1) * each; i += 32) atomicAdd(&counts[warp][in[i] >> shift & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) {
    unsigned sum = 0, all = 0;
    for (int w = 0; w < 4; w++) all += counts[w][threadIdx.x];
    unsigned inclusive = all;
    for (int by = 1; by < 16; by *= 2) {
      unsigned other = __shfl_up_sync(0xffff, inclusive, by, 16);
      if (threadIdx.x >= by) inclusive += other;
    }
    sum = inclusive - all;
    for (int w = 0; w < 4; w++) starts[w][threadIdx.x] = sum, sum += counts[w][threadIdx.x];
  }
  __syncthreads();
  for (int i = warp * each + lane; i < (warp + 1) * each; i += 32) {
    unsigned key = in[i], digit = key >> shift & 15;
    unsigned same = __match_any_sync(~0u, digit);
    unsigned rank = __popc(same & ((1u << lane) - 1)), base = starts[warp][digit];
    __syncwarp();
    if (rank == 0) starts[warp][digit] = base + __popc(same);
    __syncwarp();
    out[base + rank] = key;
  }
}

extern "C" __global__ void bfs_step(const int* starts, const int* edges, int* distance, const int* frontier, int size, int* next, int* count, int level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  int v = frontier[i];
  for (int e = starts[v]; e < starts[v + 1]; e++)
    if (atomicCAS(&distance[edges[e]], -1, level) == -1) next[atomicAdd(count, 1)] = edges[e];
}

extern "C" __global__ void cholesky(float* a, int n) {
  extern __shared__ float s[];
  for (int i = threadIdx.x; i < n * n; i += blockDim.x) s[i] = a[blockIdx.x * n * n + i];
  for (int k = 0; k < n; k++) {
    __syncthreads();
    if (threadIdx.x == 0) s[k * n + k] = sqrtf(s[k * n + k]);
    __syncthreads();
    for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) s[i * n + k] /= s[k * n + k];
    __syncthreads();
    for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x)
      for (int j = k + 1; j <= i; j++) s[i * n + j] -= s[i * n + k] * s[j * n + k];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n * n; i += blockDim.x) a[blockIdx.x * n * n + i] = i % n <= i / n ? s[i] : 0;
}

// Edit distance along diagonals, a thread for each row.
extern "C" __global__ void edit_distance(const char* a, const char* b, int n, int* out) {
  __shared__ int diagonals[3][129];
  int i = threadIdx.x;
  for (int d = 0; d <= 2 * n; d++) {
    int j = d - i, *now = diagonals[d % 3], *last = diagonals[(d + 2) % 3], *before = diagonals[(d + 1) % 3];
    if (j >= 0 && j <= n && i <= n) {
      int v = i == 0 ? j : j == 0 ? i : min(min(last[i], last[i - 1]) + 1, before[i - 1] + (a[i - 1] != b[j - 1]));
      now[i] = v;
      if (i == n && j == n) *out = v;
    }
    __syncthreads();
  }
}

extern "C" __global__ void layer_norm(const float4* in, const float* gamma, const float* beta, float4* out, int columns, float epsilon) {
  __shared__ float2 partial[8];
  const float4* x = in + blockIdx.x * columns / 4;
  float sum = 0, squares = 0;
  for (int c = threadIdx.x; c < columns / 4; c += blockDim.x) {
    float4 v = x[c];
    sum += v.x + v.y + v.z + v.w, squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int by = 16; by; by /= 2) sum += __shfl_xor_sync(~0u, sum, by), squares += __shfl_xor_sync(~0u, squares, by);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = make_float2(sum, squares);
  __syncthreads();
  sum = squares = 0;
  for (int w = 0; w < blockDim.x / 32; w++) sum += partial[w].x, squares += partial[w].y;
  float mean = sum / columns, scale = rsqrtf(squares / columns - mean * mean + epsilon);
  for (int c = threadIdx.x; c < columns / 4; c += blockDim.x) {
    float4 v = x[c];
    v.x = (v.x - mean) * scale * gamma[4 * c] + beta[4 * c], v.y = (v.y - mean) * scale * gamma[4 * c + 1] + beta[4 * c + 1];
    v.z = (v.z - mean) * scale * gamma[4 * c + 2] + beta[4 * c + 2], v.w = (v.w - mean) * scale * gamma[4 * c + 3] + beta[4 * c + 3];
    out[blockIdx.x * columns / 4 + c] = v;
  }
}

struct Volume { const float* cells; int3 size; float scale[3]; };

// A structure as a parameter.
extern "C" __global__ void gradient(Volume v, float3* out) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  auto at = [&](int x, int y, int z) {
    x = min(max(x, 0), v.size.x - 1), y = min(max(y, 0), v.size.y - 1), z = min(max(z, 0), v.size.z - 1);
    return v.cells[(z * v.size.y + y) * v.size.x + x];
  };
  if (x >= v.size.x || y >= v.size.y || z >= v.size.z) return;
  out[(z * v.size.y + y) * v.size.x + x] = make_float3((at(x + 1, y, z) - at(x - 1, y, z)) * v.scale[0],
      (at(x, y + 1, z) - at(x, y - 1, z)) * v.scale[1], (at(x, y, z + 1) - at(x, y, z - 1)) * v.scale[2]);
}

// Workgroups wait for each other, twice.
extern "C" __global__ void grid_reverse(const float* x, float* y, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[n - 1 - i];
  cg::this_grid().sync();
  z[i] = y[(i + 100) % n];
  cg::this_grid().sync();
  y[i] += z[(i + 50) % n];
}

// Each thread asks for memory of its own.
extern "C" __global__ void backwards(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, m = in[i] % 16 + 1, sum = 0;
  int* p = new int[m];
  for (int k = 0; k < m; k++) p[k] = in[(i + k) % n];
  for (int k = m - 1; k >= 0; k--) sum = sum * 3 + p[k];
  delete[] p;
  out[i] = sum;
}
