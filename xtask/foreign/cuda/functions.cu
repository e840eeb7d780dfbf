// What a thread does with functions: calls that are not inlined, recursion, pointers to functions, tables of jumps, and
// memory of its own.

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

extern "C" __global__ void recursion(const int* n, int* out) { out[threadIdx.x] = fibonacci(n[threadIdx.x]); }

struct Node { int left, right, value; };

// A tree that each thread walks from another root.
__device__ int sum_of(const Node* nodes, int at) {
  if (at < 0) return 0;
  return nodes[at].value + sum_of(nodes, nodes[at].left) + sum_of(nodes, nodes[at].right);
}

extern "C" __global__ void tree(const Node* nodes, int* out) { out[threadIdx.x] = sum_of(nodes, threadIdx.x); }

__device__ __noinline__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
__device__ __noinline__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

extern "C" __global__ void mutual(const unsigned* n, int* out) { out[threadIdx.x] = is_even(n[threadIdx.x]); }

// A quicksort on memory of the thread, which calls itself for both parts.
__device__ void quicksort(int* a, int low, int high) {
  if (low >= high) return;
  int pivot = a[(low + high) / 2], i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot) i++;
    while (a[j] > pivot) j--;
    if (i <= j) { int t = a[i]; a[i++] = a[j]; a[j--] = t; }
  }
  quicksort(a, low, j);
  quicksort(a, i, high);
}

extern "C" __global__ void sort_local(const int* in, int* out) {
  int mine[24];
  for (int i = 0; i < 24; i++) mine[i] = in[threadIdx.x * 24 + i];
  quicksort(mine, 0, 23);
  for (int i = 0; i < 24; i++) out[threadIdx.x * 24 + i] = mine[i];
}

typedef float (*Function)(float, float);
__device__ float plus(float a, float b) { return a + b; }
__device__ float times(float a, float b) { return a * b; }
__device__ float larger(float a, float b) { return a > b ? a : b; }
__device__ Function table[3] = {plus, times, larger};

extern "C" __global__ void pointers(const float* x, const float* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[i % 3](x[i], y[i]);
}

struct Shape {
  __device__ virtual float area() const = 0;
};
struct Circle : Shape {
  float r;
  __device__ Circle(float r) : r(r) {}
  __device__ float area() const override { return 3 * r * r; }
};
struct Box : Shape {
  float w, h;
  __device__ Box(float w, float h) : w(w), h(h) {}
  __device__ float area() const override { return w * h; }
};

extern "C" __global__ void virtuals(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Circle circle(x[i]);
  Box box(x[i], 2);
  const Shape* shape = i % 2 ? (const Shape*)&circle : &box;
  out[i] = shape->area();
}

__device__ __noinline__ int step(int op, int a, int b) {
  switch (op) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return a & b;
    case 4: return a | b;
    case 5: return a ^ b;
    case 6: return a << (b & 31);
    case 7: return __popc(a) + b;
    case 8: return b ? a / b : 0;
    default: return 0;
  }
}

// A machine of a stack: loads of instructions that differ by thread.
extern "C" __global__ void interpreter(const unsigned char* code, int length, int* out) {
  int stack[16], top = 0;
  for (int at = 0; at < length; at++) {
    int op = code[threadIdx.x * length + at];
    if (op < 16) {
      stack[top++] = op * 3 + threadIdx.x;
    } else {
      int b = stack[--top], a = stack[--top];
      stack[top++] = step(op - 16, a, b);
    }
  }
  out[threadIdx.x] = stack[0];
}

struct Quotient { int quotient, rest; long long wide; };
__device__ __noinline__ Quotient divide(int a, int b) { return {a / b, a % b, (long long)(a) * b}; }

extern "C" __global__ void structs(const int* x, const int* y, long long* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Quotient q = divide(x[i], y[i]);
  out[i] = q.quotient + 1000ll * q.rest + q.wide;
}

__constant__ float weights[8] = {1, -2, 3, -4, 5, -6, 7, -8};
__device__ int counter = 40;
__device__ const short odds[6] = {1, 3, 5, 7, 9, 11};

extern "C" __global__ void variables(const float* x, float* out, int n) {
  int i = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 8; k++) sum += weights[k] * x[(i + k) % n];
  out[i] = sum + weights[i % 8] + odds[i % 6];
  if (i == 0) atomicAdd(&counter, 2);
  __syncthreads();
  if (i == 1) out[n] = counter;
}

// Registers that are told apart by the index live in memory of the thread.
extern "C" __global__ void spilled(const int* in, int* out, int rounds) {
  int state[32];
  for (int i = 0; i < 32; i++) state[i] = in[threadIdx.x] + i;
  for (int r = 0; r < rounds; r++) {
    int at = (state[r & 31] ^ r) & 31;
    state[at] += state[(at * 7 + 3) & 31];
  }
  int sum = 0;
  for (int i = 0; i < 32; i++) sum = sum * 31 + state[i];
  out[threadIdx.x] = sum;
}

// A stack whose size only the run knows, which NVRTC does not offer.
#ifndef __CUDACC_RTC__
#include <alloca.h>
extern "C" __global__ void allocated(const int* in, int* out) {
  int n = in[threadIdx.x];
  int* mine = (int*)alloca(n * sizeof(int));
  for (int i = 0; i < n; i++) mine[i] = i * i;
  int sum = 0;
  for (int i = n - 1; i >= 0; i -= 2) sum += mine[i];
  out[threadIdx.x] = sum;
}
#endif
