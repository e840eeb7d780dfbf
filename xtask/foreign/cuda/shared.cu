// What the threads of a workgroup do together in shared memory.

extern "C" __global__ void transpose(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < columns && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < rows && y + j < columns) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

template <typename T, int TILE>
__device__ void matmul(const T* a, const T* b, T* c, int m, int n, int k) {
  __shared__ T as[TILE][TILE], bs[TILE][TILE + 1];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  T sum = 0;
  for (int t = 0; t < k; t += TILE) {
    as[threadIdx.y][threadIdx.x] = row < m && t + threadIdx.x < k ? a[row * k + t + threadIdx.x] : T(0);
    bs[threadIdx.y][threadIdx.x] = t + threadIdx.y < k && column < n ? b[(t + threadIdx.y) * n + column] : T(0);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i++) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

extern "C" __global__ void matmul_f32(const float* a, const float* b, float* c, int m, int n, int k) { matmul<float, 16>(a, b, c, m, n, k); }
extern "C" __global__ void matmul_f64(const double* a, const double* b, double* c, int m, int n, int k) { matmul<double, 8>(a, b, c, m, n, k); }
extern "C" __global__ void matmul_i32(const int* a, const int* b, int* c, int m, int n, int k) { matmul<int, 16>(a, b, c, m, n, k); }

// Each thread has 4 x 4 results in registers, and tiles are loaded ahead.
extern "C" __global__ void __launch_bounds__(256) matmul_registers(const float* a, const float* b, float* c, int n) {
  __shared__ float as[2][16][64], bs[2][16][64];
  int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const float* pa = a + blockIdx.y * 64 * n;
  const float* pb = b + blockIdx.x * 64;
  float sum[4][4] = {};
  auto load = [&](int slot, int k) {
    float4 va = *(const float4*)(pa + (tid / 4) * n + k + tid % 4 * 4);
    as[slot][tid % 4 * 4][tid / 4] = va.x; as[slot][tid % 4 * 4 + 1][tid / 4] = va.y;
    as[slot][tid % 4 * 4 + 2][tid / 4] = va.z; as[slot][tid % 4 * 4 + 3][tid / 4] = va.w;
    *(float4*)&bs[slot][tid / 16][tid % 16 * 4] = *(const float4*)(pb + (k + tid / 16) * n + tid % 16 * 4);
  };
  load(0, 0);
  __syncthreads();
  for (int k = 0, slot = 0; k < n; k += 16, slot ^= 1) {
    if (k + 16 < n) load(slot ^ 1, k + 16);
#pragma unroll
    for (int i = 0; i < 16; i++) {
      float4 x = *(float4*)&as[slot][i][ty * 4], y = *(float4*)&bs[slot][i][tx * 4];
      float u[4] = {x.x, x.y, x.z, x.w}, v[4] = {y.x, y.y, y.z, y.w};
      for (int r = 0; r < 4; r++) for (int s = 0; s < 4; s++) sum[r][s] += u[r] * v[s];
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; r++)
    *(float4*)(c + (blockIdx.y * 64 + ty * 4 + r) * n + blockIdx.x * 64 + tx * 4) = make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
}

// Halves are added until a warp is left, which needs no barrier of the workgroup.
extern "C" __global__ void reduce(const float* in, float* out, int n) {
  extern __shared__ float sums[];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half >= 32; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x < 32) {
    sum = sums[threadIdx.x];
    for (int by = 16; by; by /= 2) sum += __shfl_down_sync(~0u, sum, by);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}

// The last workgroup to come adds what all have written.
__device__ unsigned finished = 0;
extern "C" __global__ void reduce_last(const float* in, float* partial, float* out, int n) {
  __shared__ float sums[128];
  __shared__ bool is_last;
  int i = blockIdx.x * 128 + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = 64; half; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sums[0];
    __threadfence();
    is_last = atomicAdd(&finished, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    __threadfence();
    float sum = 0;
    for (int b = 0; b < gridDim.x; b++) sum += ((volatile float*)partial)[b];
    *out = sum;
  }
}

extern "C" __global__ void scan_steps(const int* in, int* out) {
  __shared__ int buffer[2][256];
  int t = threadIdx.x, from = 0;
  buffer[0][t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int by = 1; by < 256; by *= 2, from ^= 1) {
    buffer[from ^ 1][t] = buffer[from][t] + (t >= by ? buffer[from][t - by] : 0);
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = buffer[from][t];
}

// Up and down a tree: a scan without the element itself.
extern "C" __global__ void scan_tree(const int* in, int* out) {
  extern __shared__ int tree[];
  int t = threadIdx.x, n = 2 * blockDim.x;
  tree[2 * t] = in[2 * t], tree[2 * t + 1] = in[2 * t + 1];
  int step = 1;
  for (int d = n / 2; d > 0; d /= 2, step *= 2) {
    __syncthreads();
    if (t < d) tree[step * (2 * t + 2) - 1] += tree[step * (2 * t + 1) - 1];
  }
  if (t == 0) tree[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    step /= 2;
    __syncthreads();
    if (t < d) {
      int a = step * (2 * t + 1) - 1, b = step * (2 * t + 2) - 1, was = tree[a];
      tree[a] = tree[b], tree[b] += was;
    }
  }
  __syncthreads();
  out[2 * t] = tree[2 * t], out[2 * t + 1] = tree[2 * t + 1];
}

extern "C" __global__ void histogram(const unsigned char* in, unsigned* out, int n) {
  __shared__ unsigned bins[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  const uchar4* four = (const uchar4*)in;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
    uchar4 v = four[i];
    atomicAdd(&bins[v.x], 1); atomicAdd(&bins[v.y], 1); atomicAdd(&bins[v.z], 1); atomicAdd(&bins[v.w], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) if (bins[i]) atomicAdd(&out[i], bins[i]);
}

extern "C" __global__ void bitonic(unsigned* keys) {
  __shared__ unsigned s[512];
  int t = threadIdx.x;
  s[t] = keys[blockIdx.x * 512 + t], s[t + 256] = keys[blockIdx.x * 512 + t + 256];
  for (int size = 2; size <= 512; size *= 2)
    for (int by = size / 2; by; by /= 2) {
      __syncthreads();
      int low = 2 * t - (t & (by - 1)), high = low + by;
      bool up = (low & size) == 0;
      if ((s[low] > s[high]) == up) { unsigned v = s[low]; s[low] = s[high], s[high] = v; }
    }
  __syncthreads();
  keys[blockIdx.x * 512 + t] = s[t], keys[blockIdx.x * 512 + t + 256] = s[t + 256];
}

extern "C" __global__ void life(const unsigned char* in, unsigned char* out, int w, int h) {
  __shared__ unsigned char tile[18][18];
  int x0 = blockIdx.x * 16, y0 = blockIdx.y * 16, t = threadIdx.y * 16 + threadIdx.x;
  for (int i = t; i < 18 * 18; i += 256) {
    int x = (x0 + i % 18 - 1 + w) % w, y = (y0 + i / 18 - 1 + h) % h;
    tile[i / 18][i % 18] = in[y * w + x];
  }
  __syncthreads();
  int n = 0;
  for (int dy = 0; dy < 3; dy++) for (int dx = 0; dx < 3; dx++) n += tile[threadIdx.y + dy][threadIdx.x + dx];
  unsigned char was = tile[threadIdx.y + 1][threadIdx.x + 1];
  out[(y0 + threadIdx.y) * w + x0 + threadIdx.x] = n == 3 || (was && n == 4);
}

__constant__ float gauss[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

extern "C" __global__ void blur(const uchar4* in, uchar4* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float r = 0, g = 0, b = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      uchar4 p = in[min(max(y + dy, 0), h - 1) * w + min(max(x + dx, 0), w - 1)];
      float f = gauss[dx + 2] * gauss[dy + 2];
      r += f * p.x, g += f * p.y, b += f * p.z;
    }
  out[y * w + x] = make_uchar4(r + 0.5f, g + 0.5f, b + 0.5f, 255);
}

extern "C" __global__ void stencil(const float* in, float* out, int n, int steps) {
  extern __shared__ float2 cells[];
  int t = threadIdx.x;
  cells[t] = make_float2(in[t], 0);
  for (int s = 0; s < steps; s++) {
    __syncthreads();
    float left = t ? cells[t - 1].x : 0, right = t + 1 < n ? cells[t + 1].x : 0;
    cells[t].y = 0.25f * left + 0.5f * cells[t].x + 0.25f * right;
    __syncthreads();
    cells[t].x = cells[t].y;
  }
  out[t] = cells[t].x;
}

extern "C" __global__ void counted(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
  int positive = __syncthreads_count(v > 0), all = __syncthreads_and(v > -100), any = __syncthreads_or(v == 7);
  if (threadIdx.x == 0) out[3 * blockIdx.x] = positive, out[3 * blockIdx.x + 1] = all != 0, out[3 * blockIdx.x + 2] = any != 0;
}

// Several arrays of different types in memory that the launch adds.
extern "C" __global__ void carved(const int* in, double* out, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  double* wide = (double*)raw;
  int* narrow = (int*)(wide + n);
  unsigned char* flags = (unsigned char*)(narrow + n);
  int t = threadIdx.x;
  narrow[t] = in[t], wide[t] = in[t] * 0.5, flags[t] = in[t] & 1;
  __syncthreads();
  int other = n - 1 - t;
  out[t] = wide[other] + narrow[(t + 1) % n] + (flags[other] ? 1000 : 0);
}

// A part of the warps makes, the others use: named barriers of PTX.
extern "C" __global__ void producers(const float* in, float* out, int rounds) {
  __shared__ float buffer[2][64];
  int t = threadIdx.x % 64;
  if (threadIdx.x < 64) {
    for (int r = 0; r < rounds; r++) {
      if (r >= 2) asm volatile("bar.sync %0, 128;" ::"r"(3 + r % 2) : "memory");
      buffer[r % 2][t] = in[r * 64 + t] * 2;
      asm volatile("bar.arrive %0, 128;" ::"r"(1 + r % 2) : "memory");
    }
  } else {
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
      asm volatile("bar.sync %0, 128;" ::"r"(1 + r % 2) : "memory");
      sum += buffer[r % 2][63 - t];
      if (r + 2 < rounds) asm volatile("bar.arrive %0, 128;" ::"r"(3 + r % 2) : "memory");
    }
    out[t] = sum;
  }
}
