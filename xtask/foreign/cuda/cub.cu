// CUB's algorithms for warps and workgroups.
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

extern "C" __global__ void block_reduce(const float* in, float* out) {
  using Reduce = cub::BlockReduce<float, 128, cub::BLOCK_REDUCE_RAKING>;
  __shared__ typename Reduce::TempStorage storage;
  float items[4];
  cub::LoadDirectBlocked(threadIdx.x, in + blockIdx.x * 512, items);
  float sum = Reduce(storage).Sum(items);
  __syncthreads();
  float high = Reduce(storage).Reduce(items, cuda::maximum<>{});
  if (threadIdx.x == 0) out[2 * blockIdx.x] = sum, out[2 * blockIdx.x + 1] = high;
}

struct Pair { int value; int at; };
struct Larger {
  __device__ Pair operator()(const Pair& a, const Pair& b) const { return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a; }
};

extern "C" __global__ void block_argmax(const int* in, int* out, int n) {
  using Reduce = cub::BlockReduce<Pair, 256>;
  __shared__ typename Reduce::TempStorage storage;
  Pair best{INT_MIN, INT_MAX};
  for (int i = threadIdx.x; i < n; i += 256) best = Larger()(best, Pair{in[i], i});
  best = Reduce(storage).Reduce(best, Larger());
  if (threadIdx.x == 0) out[0] = best.value, out[1] = best.at;
}

extern "C" __global__ void block_scan(const int* in, int* inclusive, int* exclusive, int* total) {
  using Load = cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Store = cub::BlockStore<int, 128, 4, cub::BLOCK_STORE_TRANSPOSE>;
  using Scan = cub::BlockScan<int, 128>;
  __shared__ union { typename Load::TempStorage load; typename Store::TempStorage store; typename Scan::TempStorage scan; } storage;
  int items[4], sums[4], sum;
  Load(storage.load).Load(in + blockIdx.x * 512, items);
  __syncthreads();
  Scan(storage.scan).ExclusiveSum(items, sums, sum);
  __syncthreads();
  Store(storage.store).Store(exclusive + blockIdx.x * 512, sums);
  __syncthreads();
  Scan(storage.scan).InclusiveScan(items, sums, cuda::maximum<>{});
  __syncthreads();
  Store(storage.store).Store(inclusive + blockIdx.x * 512, sums);
  if (threadIdx.x == 0) total[blockIdx.x] = sum;
}

extern "C" __global__ void block_sort(const unsigned* keys, const int* values, unsigned* sorted, int* moved) {
  using Sort = cub::BlockRadixSort<unsigned, 128, 4, int>;
  __shared__ typename Sort::TempStorage storage;
  unsigned k[4];
  int v[4];
  cub::LoadDirectBlocked(threadIdx.x, keys + blockIdx.x * 512, k);
  cub::LoadDirectBlocked(threadIdx.x, values + blockIdx.x * 512, v);
  Sort(storage).SortBlockedToStriped(k, v);
  cub::StoreDirectStriped<128>(threadIdx.x, sorted + blockIdx.x * 512, k);
  cub::StoreDirectStriped<128>(threadIdx.x, moved + blockIdx.x * 512, v);
}

extern "C" __global__ void block_sort_floats(float* keys) {
  using Sort = cub::BlockRadixSort<float, 64, 5>;
  __shared__ typename Sort::TempStorage storage;
  float k[5];
  cub::LoadDirectBlocked(threadIdx.x, keys, k);
  Sort(storage).SortDescending(k);
  cub::StoreDirectBlocked(threadIdx.x, keys, k);
}

struct Less { template <typename T> __device__ bool operator()(const T& a, const T& b) const { return a < b; } };

extern "C" __global__ void block_merge_sort(const double* in, double* out, int n) {
  using Sort = cub::BlockMergeSort<double, 128, 3>;
  __shared__ typename Sort::TempStorage storage;
  double k[3];
  cub::LoadDirectBlocked(threadIdx.x, in, k, n, 1e300);
  Sort(storage).StableSort(k, Less(), n, 1e300);
  cub::StoreDirectBlocked(threadIdx.x, out, k, n);
}

extern "C" __global__ void block_histogram(const unsigned char* in, unsigned* out, unsigned* by_sort) {
  using Atomic = cub::BlockHistogram<unsigned char, 128, 4, 64, cub::BLOCK_HISTO_ATOMIC>;
  using Sorting = cub::BlockHistogram<unsigned char, 128, 4, 64, cub::BLOCK_HISTO_SORT>;
  __shared__ union { typename Atomic::TempStorage atomic; typename Sorting::TempStorage sorting; } storage;
  __shared__ unsigned bins[64];
  unsigned char items[4];
  cub::LoadDirectBlocked(threadIdx.x, in, items);
  Atomic(storage.atomic).Histogram(items, bins);
  __syncthreads();
  if (threadIdx.x < 64) out[threadIdx.x] = bins[threadIdx.x];
  __syncthreads();
  Sorting(storage.sorting).Histogram(items, bins);
  __syncthreads();
  if (threadIdx.x < 64) by_sort[threadIdx.x] = bins[threadIdx.x];
}

extern "C" __global__ void warp_algorithms(const int* in, int* out) {
  using Reduce = cub::WarpReduce<int, 16>;
  using Scan = cub::WarpScan<int>;
  __shared__ typename Reduce::TempStorage reduce[8];
  __shared__ typename Scan::TempStorage scan[4];
  int t = threadIdx.x, v = in[t];
  out[4 * t] = Reduce(reduce[t / 16]).Sum(v);
  out[4 * t] = t % 16 ? 0 : out[4 * t];
  int inclusive, exclusive;
  Scan(scan[t / 32]).Scan(v, inclusive, exclusive, 0, cuda::std::plus<>{});
  out[4 * t + 1] = inclusive, out[4 * t + 2] = exclusive;
  out[4 * t + 3] = Reduce(reduce[t / 16]).HeadSegmentedSum(v, t % 5 == 0);
  if (t % 5 && t % 16) out[4 * t + 3] = 0;
}

extern "C" __global__ void warp_sort(const int* in, int* out) {
  using Sort = cub::WarpMergeSort<int, 4, 32>;
  __shared__ typename Sort::TempStorage storage[2];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, k[4];
  cub::LoadDirectBlocked(lane, in + warp * 128, k);
  Sort(storage[warp]).Sort(k, Less());
  cub::StoreDirectBlocked(lane, out + warp * 128, k);
}

extern "C" __global__ void block_discontinuity(const int* in, int* heads, int* rotated) {
  using Flag = cub::BlockDiscontinuity<int, 64>;
  using Exchange = cub::BlockExchange<int, 64, 3>;
  using Shuffle = cub::BlockShuffle<int, 64>;
  __shared__ union { typename Flag::TempStorage flag; typename Exchange::TempStorage exchange; typename Shuffle::TempStorage shuffle; } storage;
  int items[3], flags[3];
  cub::LoadDirectStriped<64>(threadIdx.x, in, items);
  Exchange(storage.exchange).StripedToBlocked(items, items);
  __syncthreads();
  Flag(storage.flag).FlagHeads(flags, items, cuda::std::not_equal_to<>{});
  cub::StoreDirectBlocked(threadIdx.x, heads, flags);
  __syncthreads();
  int next;
  Shuffle(storage.shuffle).Rotate(items[0], next, 1);
  rotated[threadIdx.x] = next;
}
