// Matrix instructions: wmma, and mma.sync with ldmatrix as PTX.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <cstdint>
using namespace nvcuda;

template <typename A, typename C, int M, int N, int K, typename LA, typename LB>
__device__ void product(const A* a, const A* b, C* c, int m, int n, int k) {
  int row = blockIdx.y * M, column = blockIdx.x * N;
  constexpr bool a_rows = std::is_same<LA, wmma::row_major>::value, b_rows = std::is_same<LB, wmma::row_major>::value;
  wmma::fragment<wmma::matrix_a, M, N, K, A, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, A, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, C> fc;
  wmma::fill_fragment(fc, C(0));
  for (int i = 0; i < k; i += K) {
    wmma::load_matrix_sync(fa, a_rows ? a + row * k + i : a + i * m + row, a_rows ? k : m);
    wmma::load_matrix_sync(fb, b_rows ? b + i * n + column : b + column * k + i, b_rows ? n : k);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] = fc.x[i] * C(2);
  wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

extern "C" __global__ void wmma_f16(const __half* a, const __half* b, float* c, int m, int n, int k) { product<__half, float, 16, 16, 16, wmma::row_major, wmma::col_major>(a, b, c, m, n, k); }
extern "C" __global__ void wmma_f16_half(const __half* a, const __half* b, __half* c, int m, int n, int k) { product<__half, __half, 32, 8, 16, wmma::col_major, wmma::row_major>(a, b, c, m, n, k); }
extern "C" __global__ void wmma_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int m, int n, int k) { product<__nv_bfloat16, float, 8, 32, 16, wmma::row_major, wmma::row_major>(a, b, c, m, n, k); }
extern "C" __global__ void wmma_s8(const signed char* a, const signed char* b, int* c, int m, int n, int k) { product<signed char, int, 16, 16, 16, wmma::row_major, wmma::col_major>(a, b, c, m, n, k); }
extern "C" __global__ void wmma_u8(const unsigned char* a, const unsigned char* b, int* c, int m, int n, int k) { product<unsigned char, int, 32, 8, 16, wmma::col_major, wmma::row_major>(a, b, c, m, n, k); }
extern "C" __global__ void wmma_f64(const double* a, const double* b, double* c, int m, int n, int k) { product<double, double, 8, 8, 4, wmma::row_major, wmma::col_major>(a, b, c, m, n, k); }

extern "C" __global__ void wmma_tf32(const float* a, const float* b, float* c, int n, int k) {
  int row = blockIdx.y * 16, column = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int i = 0; i < k; i += 8) {
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    wmma::load_matrix_sync(fb, b + column * k + i, k);
    for (auto& x : fa.x) x = wmma::__float_to_tf32(x);
    for (auto& x : fb.x) x = wmma::__float_to_tf32(x);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

__device__ void ldmatrix4(unsigned (&r)[4], const void* p) {
  unsigned at = (unsigned)__cvta_generic_to_shared(p);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}
__device__ void ldmatrix2_trans(unsigned (&r)[2], const void* p) {
  unsigned at = (unsigned)__cvta_generic_to_shared(p);
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(at) : "memory");
}
__device__ void mma16816(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ void copy16(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory");
}

// 64 x 64 of the product for four warps, with a ring of three swizzled tiles.
extern "C" __global__ void __launch_bounds__(128) gemm_ring(const __half* a, const __half* b, float* c, int n, int k) {
  constexpr int BK = 32, STAGES = 3;
  __shared__ __align__(128) __half as[STAGES][64 * BK], bs[STAGES][BK * 64];
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
  auto a_at = [](int r, int c) { return r * BK + ((c / 8 ^ r / 2 % 4) * 8 + c % 8); };
  auto b_at = [](int r, int c) { return r * 64 + ((c / 8 ^ r % 8) * 8 + c % 8); };
  auto load = [&](int stage, int at) {
    for (int i = t; i < 64 * BK / 8; i += 128) {
      int r = i / (BK / 8), col = i % (BK / 8) * 8;
      copy16(&as[stage][a_at(r, col)], a + (row0 + r) * k + at + col);
      r = i / 8, col = i % 8 * 8;
      copy16(&bs[stage][b_at(r, col)], b + (at + r) * n + column0 + col);
    }
  };
  float sum[8][4] = {};
  for (int s = 0; s < STAGES - 1; s++) {
    load(s, s * BK);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  for (int i = 0; i < k / BK; i++) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    __syncthreads();
    int next = i + STAGES - 1;
    if (next < k / BK) load(next % STAGES, next * BK);
    asm volatile("cp.async.commit_group;" ::: "memory");
    for (int kk = 0; kk < BK; kk += 16) {
      unsigned fa[4];
      ldmatrix4(fa, &as[i % STAGES][a_at(warp * 16 + lane % 16, kk + lane / 16 * 8)]);
      for (int j = 0; j < 8; j++) {
        unsigned fb[2];
        ldmatrix2_trans(fb, &bs[i % STAGES][b_at(kk + lane % 16, j * 8)]);
        mma16816(sum[j], fa, fb);
      }
    }
  }
  for (int j = 0; j < 8; j++) {
    float* p = c + (row0 + warp * 16 + lane / 4) * n + column0 + j * 8 + lane % 4 * 2;
    *(float2*)p = make_float2(sum[j][0], sum[j][1]);
    *(float2*)(p + 8 * n) = make_float2(sum[j][2], sum[j][3]);
  }
}

extern "C" __global__ void mma_s8(const int* a, const int* b, int* c) {
  int lane = threadIdx.x, d[4] = {1, 2, 3, 4};
  asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[lane / 4 * 8 + lane % 4]), "r"(a[(lane / 4 + 8) * 8 + lane % 4]), "r"(a[lane / 4 * 8 + lane % 4 + 4]), "r"(a[(lane / 4 + 8) * 8 + lane % 4 + 4]),
        "r"(b[lane / 4 * 8 + lane % 4]), "r"(b[lane / 4 * 8 + lane % 4 + 4]));
  for (int i = 0; i < 4; i++) c[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

// Attention of a head: 64 rows of queries for four warps, keys and values 32 at a time, with a running softmax.
extern "C" __global__ void __launch_bounds__(128) flash_attention(const __half* q, const __half* k, const __half* v, float* out, int n, float scale) {
  constexpr int D = 64, BN = 32;
  __shared__ __align__(16) __half qs[64][D + 8], ks[BN][D + 8], vs[BN][D + 8];
  int t = threadIdx.x, warp = t / 32, lane = t % 32, row0 = blockIdx.x * 64;
  for (int i = t; i < 64 * D / 8; i += 128) *(uint4*)&qs[i / 8][i % 8 * 8] = *(const uint4*)(q + row0 * D + i * 8);
  __syncthreads();
  unsigned fq[4][4];
  for (int i = 0; i < 4; i++) ldmatrix4(fq[i], &qs[warp * 16 + lane % 16][i * 16 + lane / 16 * 8]);
  float o[8][4] = {}, high[2] = {-INFINITY, -INFINITY}, sum[2] = {};
  for (int j0 = 0; j0 < n; j0 += BN) {
    __syncthreads();
    for (int i = t; i < BN * D / 8; i += 128) {
      *(uint4*)&ks[i / 8][i % 8 * 8] = *(const uint4*)(k + j0 * D + i * 8);
      *(uint4*)&vs[i / 8][i % 8 * 8] = *(const uint4*)(v + j0 * D + i * 8);
    }
    __syncthreads();
    float s[4][4] = {};
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        unsigned fk[2] = {*(unsigned*)&ks[j * 8 + lane / 4][i * 16 + lane % 4 * 2], *(unsigned*)&ks[j * 8 + lane / 4][i * 16 + lane % 4 * 2 + 8]};
        mma16816(s[j], fq[i], fk);
      }
    for (int half = 0; half < 2; half++) {
      float top = high[half];
      for (int j = 0; j < 4; j++) top = fmaxf(top, fmaxf(s[j][2 * half], s[j][2 * half + 1]) * scale);
      top = fmaxf(top, __shfl_xor_sync(~0u, top, 1));
      top = fmaxf(top, __shfl_xor_sync(~0u, top, 2));
      float factor = __expf(high[half] - top);
      high[half] = top, sum[half] *= factor;
      for (int j = 0; j < 8; j++) o[j][2 * half] *= factor, o[j][2 * half + 1] *= factor;
      for (int j = 0; j < 4; j++)
        for (int e = 2 * half; e < 2 * half + 2; e++) s[j][e] = __expf(s[j][e] * scale - top), sum[half] += s[j][e];
    }
    for (int i = 0; i < 2; i++) {
      unsigned fp[4];
      for (int e = 0; e < 4; e++) {
        __half2 two = __floats2half2_rn(s[2 * i + e / 2][e % 2 * 2], s[2 * i + e / 2][e % 2 * 2 + 1]);
        fp[e] = *(unsigned*)&two;
      }
      for (int j = 0; j < 8; j++) {
        unsigned fv[2];
        ldmatrix2_trans(fv, &vs[i * 16 + lane % 16][j * 8]);
        mma16816(o[j], fp, fv);
      }
    }
  }
  for (int half = 0; half < 2; half++) {
    sum[half] += __shfl_xor_sync(~0u, sum[half], 1);
    sum[half] += __shfl_xor_sync(~0u, sum[half], 2);
    for (int j = 0; j < 8; j++)
      *(float2*)(out + (row0 + warp * 16 + lane / 4 + half * 8) * D + j * 8 + lane % 4 * 2) = make_float2(o[j][2 * half] / sum[half], o[j][2 * half + 1] / sum[half]);
  }
}
