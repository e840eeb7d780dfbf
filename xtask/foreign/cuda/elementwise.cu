// Elementwise kernels: grid-stride loops, vectors of elements, narrow floats, integers and their bits.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

template <typename T>
__device__ void axpy(T a, const T* x, T* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i];
}

extern "C" __global__ void axpy_f32(float a, const float* __restrict__ x, float* __restrict__ y, int n) { axpy(a, x, y, n); }
extern "C" __global__ void axpy_f64(double a, const double* x, double* y, int n) { axpy(a, x, y, n); }
extern "C" __global__ void axpy_i64(long long a, const long long* x, long long* y, int n) { axpy(a, x, y, n); }
extern "C" __global__ void axpy_u8(unsigned char a, const unsigned char* x, unsigned char* y, int n) { axpy(a, x, y, n); }
extern "C" __global__ void axpy_f16(__half a, const __half* x, __half* y, int n) { axpy(a, x, y, n); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
extern "C" __global__ void axpy_bf16(__nv_bfloat16 a, const __nv_bfloat16* x, __nv_bfloat16* y, int n) { axpy(a, x, y, n); }
#endif

extern "C" __global__ void __launch_bounds__(128, 4) scale_float4(const float4* x, float4* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = __ldg(x + i);
  v.x *= 2; v.y += 1; v.z = fmaxf(v.z, 0); v.w = -v.w;
  y[i] = v;
}

extern "C" __global__ void half2_math(const __half2* x, const __half2* y, __half2* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half2 a = x[i], b = y[i];
  out[i] = __hfma2(a, b, a);
  out[n + i] = __hadd2_sat(a, b);
  out[2 * n + i] = __hmax2(__habs2(a), __hneg2(b));
  out[3 * n + i] = __hgt2(a, b);
  out[4 * n + i] = __lowhigh2highlow(a);
  out[5 * n + i] = h2sqrt(__habs2(b));
  out[6 * n + i] = __hbgt2(a, b) ? a : b;
  out[7 * n + i] = __floats2half2_rn(__half2float(__low2half(a)) * 3, __half2float(__high2half(b)) - 1);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
extern "C" __global__ void bf162_math(const __nv_bfloat162* x, const __nv_bfloat162* y, __nv_bfloat162* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __nv_bfloat162 a = x[i], b = y[i];
  out[i] = __hfma2(a, b, a);
  out[n + i] = __hmin2(a, b);
  out[2 * n + i] = __hmul2(a, b);
  out[3 * n + i] = __hsub2(a, b);
  out[4 * n + i] = __halves2bfloat162(__high2bfloat16(a), __low2bfloat16(b));
  float2 wide = __bfloat1622float2(a);
  out[5 * n + i] = __floats2bfloat162_rn(wide.x * wide.y, wide.x + wide.y);
}
#endif

extern "C" __global__ void fp8_convert(const float* x, unsigned char* e4m3, unsigned char* e5m2, float* back, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __nv_fp8_e4m3 a(x[i]);
  __nv_fp8_e5m2 b(x[i]);
  e4m3[i] = a.__x;
  e5m2[i] = b.__x;
  back[i] = float(a) + float(b);
}

extern "C" __global__ void fp8x2_convert(const float2* x, __nv_fp8x2_storage_t* e4m3, __half2* back, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __nv_fp8x2_e4m3 a(x[i]);
  e4m3[i] = a.__x;
  back[i] = __half2(a);
}

extern "C" __global__ void activations(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  out[i] = 1 / (1 + expf(-v));
  out[n + i] = 0.5f * v * (1 + erff(v * 0.70710678f));
  out[2 * n + i] = tanhf(v);
  out[3 * n + i] = log1pf(expf(v));
  out[4 * n + i] = v * rsqrtf(1 + v * v);
  out[5 * n + i] = sinf(v) * cosf(v);
  out[6 * n + i] = powf(fabsf(v), 1.3f);
  out[7 * n + i] = fmodf(v * 5, 1.25f);
  out[8 * n + i] = cbrtf(v);
  out[9 * n + i] = atan2f(v, 0.5f);
  out[10 * n + i] = lgammaf(fabsf(v) + 1);
  out[11 * n + i] = normcdff(v);
}

extern "C" __global__ void doubles(const double* x, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  out[i] = exp(v);
  out[n + i] = log(fabs(v) + 1);
  out[2 * n + i] = sin(v * 100);
  out[3 * n + i] = sqrt(fabs(v)) / (v * v + 1);
  out[4 * n + i] = tgamma(fabs(v) + 1);
  out[5 * n + i] = erfc(v);
  out[6 * n + i] = ldexp(v, 5) + trunc(v * 10);
  out[7 * n + i] = remainder(v * 7, 1.5);
  int exponent;
  out[8 * n + i] = frexp(v, &exponent) + exponent;
  out[9 * n + i] = __drcp_ru(v);
}

extern "C" __global__ void rounding(const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i], b = y[i];
  out[i] = __fadd_rd(a, b);
  out[n + i] = __fadd_ru(a, b);
  out[2 * n + i] = __fmul_rz(a, b);
  out[3 * n + i] = __float2int_rd(a * 10);
  out[4 * n + i] = __float2int_ru(a * 10);
  out[5 * n + i] = rintf(a * 10);
  out[6 * n + i] = roundf(a * 10);
  out[7 * n + i] = __uint2float_rn(__float_as_uint(a));
  out[8 * n + i] = __saturatef(a);
  out[9 * n + i] = __ll2float_rn(__double2ll_rz(double(a) * 1e12));
}

extern "C" __global__ void bits(const unsigned* x, const unsigned* y, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned a = x[i], b = y[i];
  out[i] = __brev(a);
  out[n + i] = __popc(a) * 100 + __clz(a);
  out[2 * n + i] = __ffs(a);
  out[3 * n + i] = __byte_perm(a, b, 0x5140);
  out[4 * n + i] = __funnelshift_l(a, b, i);
  out[5 * n + i] = __funnelshift_rc(a, b, i);
  out[6 * n + i] = __umulhi(a, b);
  out[7 * n + i] = __usad(a, b, 7);
  out[8 * n + i] = __dp4a(int(a), int(b), 5);
  out[9 * n + i] = __vadd4(a, b);
  out[10 * n + i] = __vcmpgtu2(a, b);
  out[11 * n + i] = __vabsdiffu4(a, b);
  out[12 * n + i] = (a ^ b) & (a | ~b);
  out[13 * n + i] = __brevll(uint64_t(a) << 32 | b) >> 16;
  out[14 * n + i] = __popcll(uint64_t(a) * b) + __clzll(uint64_t(a) * b);
  out[15 * n + i] = __hadd(int(a), int(b));
  out[16 * n + i] = __viaddmax_s32(int(a), int(b), 9);
  out[17 * n + i] = __vimax3_u32(a, b, 77);
}

extern "C" __global__ void integers(const long long* x, const int* y, long long* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long a = x[i];
  int b = y[i];
  out[i] = a / b;
  out[n + i] = a % b;
  out[2 * n + i] = int(a) / 7 + int(a) % 10;
  out[3 * n + i] = unsigned(a) / 10u;
  out[4 * n + i] = __mul64hi(a, a);
  out[5 * n + i] = short(a) * (signed char)(b);
  out[6 * n + i] = min(a, (long long)b) ^ max(a, 3ll);
  unsigned __int128 wide = (unsigned __int128)(a) * (unsigned long long)(b);
  out[7 * n + i] = (long long)(wide >> 40);
  out[8 * n + i] = (long long)(((unsigned __int128)(a) << 64 | 12345) / (unsigned long long)(b + 1000));
}
