//! Rows of `iree_gpu`: what IREE makes of a kernel between tensors and threads.

use super::forms::*;

dialect! { IreeGpu:
    /// Executes a region between two barriers.
    IreeGpuBarrierRegion "iree_gpu.barrier_region" Opaque pure, form(
        "inputs* any -> results* any {~iree_gpu.yield}",
        "",
        "(`ins` `(` $inputs^ `:` type($inputs) `)`)? region0 attr-dict `:` type($results)",
    );
    /// A barrier behind which values of shared memory may be read.
    IreeGpuValueBarrier "iree_gpu.value_barrier" Opaque pure, form(
        "inputs* any -> results* same(inputs)",
        "",
        "$inputs attr-dict `:` type($inputs)",
    );
    /// Leaves a region with values.
    IreeGpuYield "iree_gpu.yield" Yield, YIELD;
    /// Combines the values of the lanes before each lane.
    IreeGpuSubgroupScan "iree_gpu.subgroup_scan" Shuffle, form(
        "T scalar; value T, identity? T -> result! T, total! T {~iree_gpu.yield}",
        "inclusive:unit cluster_size:i32 cluster_stride:i32=1",
        "(`inclusive` $inclusive^)? `(` $value (`,` `identity` `=` $identity^ `:` type($identity))? `)` (`cluster` `(` `size` `=` $cluster_size^ (`,` `stride` `=` $cluster_stride^)? `)`)? region0 attr-dict `:` type($value)",
    );
    /// A tensor through a buffer descriptor that checks bounds.
    IreeGpuBufferResourceCast "iree_gpu.buffer_resource_cast" Opaque pure, form(
        "T tensor; input T, cache_swizzle_stride? index -> result T",
        "",
        "$input (`cacheSwizzleStride` `(` $cache_swizzle_stride^ `)`)? attr-dict `:` type($result)",
    );
    /// Copies rows at indices to shared memory, consecutive lanes to consecutive places.
    IreeGpuCoalescedGatherDma "iree_gpu.coalesced_gather_dma" Opaque, form(
        "source any, indices* any, init any, lane index -> result? any",
        "in_bounds",
        "$source (`[` $indices^ `]`)? `into` $init `lane` `(` $lane `)` (`in_bounds` $in_bounds^)? attr-dict `:` type($source) (`,` type($indices)^)? `,` type($init) `,` type($lane) (`->` type($result)^)?",
    );
    /// Starts a copy to shared memory.
    IreeGpuAsyncDma "iree_gpu.async_dma" Opaque, form(
        "source any, source_indices* indexlike, dest any, dest_indices* index -> result? any",
        "transfer_type permutation_map in_bounds",
        "$source `[` $source_indices `]` `to` $dest `[` $dest_indices `]` `,` $transfer_type (`permutation_map` $permutation_map^)? (`in_bounds` $in_bounds^)? attr-dict `:` type($source) (` ` `[` type($source_indices)^ `]`)? `,` type($dest) (`->` type($result)^)?",
    );
    /// Orders the global accesses of a subgroup.
    IreeGpuGlobalSubgroupBarrier "iree_gpu.global_subgroup_barrier" Opaque, NULLARY;
}
