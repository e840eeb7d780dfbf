//! Rows of `gpu`: threads, barriers, kernels and their launches.

use super::forms::*;

dialect! { Gpu:
    /// The position of the thread in its workgroup.
    GpuThreadId "gpu.thread_id" Id pure, GPU_ID;
    /// The position of the workgroup in the grid.
    GpuBlockId "gpu.block_id" Id pure, GPU_ID;
    /// The position of the thread in its subgroup.
    GpuLaneId "gpu.lane_id" Id pure, form(
        "-> result index",
        "upper_bound:index",
        "(`upper_bound` $upper_bound^)? attr-dict",
    );
    /// The number of the subgroup in its workgroup.
    GpuSubgroupId "gpu.subgroup_id" Id pure, GPU_COUNT;
    /// Waits until all threads of the workgroup are here; earlier accesses are visible to all.
    GpuBarrier "gpu.barrier" Barrier waits, form(
        "namedBarrier? any ->",
        "address_spaces scope:<gpu.barrier_scope>=workgroup",
        "(`memfence` $address_spaces^)? (`scope` $scope^)? (`named` `(` $namedBarrier^ `:` type($namedBarrier) `)`)? attr-dict",
    );
    /// Makes a barrier for a number of subgroups.
    GpuInitializeNamedBarrier "gpu.initialize_named_barrier" Opaque, form(
        "member_count i32 -> result any",
        "",
        "$member_count attr-dict `:` type($member_count) `->` type($result)",
    );
    /// The lanes of the subgroup where a predicate holds, as bits.
    GpuBallot "gpu.ballot" Shuffle, form("predicate i1 -> result any", "", "$predicate attr-dict `:` type($result)");
    /// The extent of the workgroup.
    GpuBlockDim "gpu.block_dim" Opaque pure, GPU_ID;
    /// The position of the thread in the grid.
    GpuGlobalId "gpu.global_id" Opaque pure, GPU_ID;
    /// The extent of the grid, in workgroups.
    GpuGridDim "gpu.grid_dim" Opaque pure, GPU_ID;
    /// The number of subgroups in the workgroup.
    GpuNumSubgroups "gpu.num_subgroups" Opaque pure, GPU_COUNT;
    /// The number of lanes in a subgroup.
    GpuSubgroupSize "gpu.subgroup_size" Opaque pure, GPU_COUNT;
    /// Combines a value over the workgroup.
    GpuAllReduce "gpu.all_reduce" Opaque isolated, form(
        "T intorfloat; value T -> result T {?gpu.yield}",
        "op:gpu.all_reduce_op uniform:unit",
        "($op^)? $value (`uniform` $uniform^)? region0 attr-dict `:` functional-type",
    );
    /// Leaves a region with values.
    GpuYield "gpu.yield" Opaque, form("values* any ->", "", "attr-dict ($values^ `:` type($values))?");
    /// Prints text and numbers from a thread.
    GpuPrintf "gpu.printf" Opaque, form("args* any ->", "format", "$format attr-dict (`,` $args^ `:` type($args))?");
    /// Moves a value to another lane by a constant distance, around.
    GpuRotate "gpu.rotate" Opaque, form(
        "T numbers; value T -> rotateResult! T, valid! i1",
        "offset:i32{0..} width:i32{2^}",
        "$value `,` $offset `,` $width attr-dict `:` type($value)",
    );
    /// The value of one lane in all lanes.
    GpuSubgroupBroadcast "gpu.subgroup_broadcast" Opaque, form(
        "T any; src T, lane? i32 -> result T",
        "broadcast_type:gpu.broadcast",
        "$src `,` $broadcast_type ($lane^)? attr-dict `:` type($result)",
    );
    /// Multiplies two matrices that a subgroup holds, and adds a third.
    GpuSubgroupMmaCompute "gpu.subgroup_mma_compute" Opaque pure, form(
        "C any; opA any, opB any, opC C -> res C",
        "a_transpose:unit b_transpose:unit",
        "$opA `,` $opB `,` $opC attr-dict `:` type($opA) `,` type($opB) `->` type($res)",
    );
    /// A matrix that a subgroup holds, filled with a value.
    GpuSubgroupMmaConstantMatrix "gpu.subgroup_mma_constant_matrix" Opaque pure, by_hand("value numbers -> res !gpu.mma_matrix<>", "");
    /// Computes elementwise on matrices that a subgroup holds.
    GpuSubgroupMmaElementwise "gpu.subgroup_mma_elementwise" Opaque pure, form(
        "args* any -> res any",
        "opType:gpu.mma_element_wise",
        "$opType $args attr-dict `:` functional-type",
    );
    /// Reads a matrix into a subgroup.
    GpuSubgroupMmaLoadMatrix "gpu.subgroup_mma_load_matrix" Opaque reads(srcMemref), form(
        "srcMemref memref, indices* index -> res any",
        "leadDimension:index transpose:unit",
        "$srcMemref `[` $indices `]` (`leadDimension` $leadDimension^)? (`transpose` $transpose^)? attr-dict `:` type($srcMemref) `->` type($res)",
    );
    /// Writes a matrix of a subgroup.
    GpuSubgroupMmaStoreMatrix "gpu.subgroup_mma_store_matrix" Opaque writes(dstMemref), form(
        "src any, dstMemref memref, indices* index ->",
        "leadDimension:index transpose:unit",
        "$src `,` $dstMemref `[` $indices `]` (`leadDimension` $leadDimension^)? (`transpose` $transpose^)? attr-dict `:` type($src) `,` type($dstMemref)",
    );
    /// Executes a region on the first lane, and distributes its results.
    GpuWarpExecuteOnLane0 "gpu.warp_execute_on_lane_0" Opaque, by_hand(
        "laneid index, args* any -> results* any {~gpu.yield}",
        "warp_size:i64",
    );
    /// The value of another lane of the subgroup.
    GpuShuffle "gpu.shuffle" Shuffle, form(
        "T numbers; value T, offset i32, width i32 -> shuffleResult! T, valid! i1",
        "mode:gpu.shuffle_mode",
        "$mode $value `,` $offset `,` $width attr-dict `:` type($value)",
    );
    /// Combines a value over the subgroup, or over clusters of its lanes.
    GpuSubgroupReduce "gpu.subgroup_reduce" Shuffle, form(
        "T numbers; value T -> result T",
        "op:gpu.all_reduce_op uniform:unit cluster_size:i32 cluster_stride:i32=1",
        "$op $value (`uniform` $uniform^)? (`cluster` `(` `size` `=` $cluster_size^ (`,` `stride` `=` $cluster_stride^)? `)`)? attr-dict `:` functional-type",
    );

    // kernels
    /// Device functions.
    GpuModule "gpu.module" Opaque isolated symbols, form(
        "-> {}",
        "sym_name:name targets offloadingHandler",
        "$sym_name (`<` $offloadingHandler^ `>`)? ($targets^)? attr-dict-with-keyword region0",
    );
    /// A device function.
    GpuFunc "gpu.func" Opaque isolated, by_hand(
        "-> {?*gpu.return}",
        "sym_name function_type kernel:unit workgroup_attributions:i64=?0 arg_attrs res_attrs workgroup_attrib_attrs private_attrib_attrs known_block_size known_grid_size known_cluster_size",
    );
    /// Leaves a device function.
    GpuReturn "gpu.return" Opaque, YIELD;
    /// Ends the body of a launch.
    GpuTerminator "gpu.terminator" Opaque, NULLARY;
    /// Compiled device code.
    GpuBinary "gpu.binary" Opaque, form(
        "->",
        "sym_name:name offloadingHandler=gpu.select_object objects",
        "$sym_name (`<` $offloadingHandler^ `>`)? attr-dict $objects",
    );
    /// The shared memory whose size the launch gives.
    GpuDynamicSharedMemory "gpu.dynamic_shared_memory" Opaque pure, form(
        "-> resultMemref memref",
        "",
        "attr-dict `:` type($resultMemref)",
    );
    /// The position of the workgroup in its cluster.
    GpuClusterBlockId "gpu.cluster_block_id" Opaque pure, GPU_ID;
    /// The extent of the cluster, in workgroups.
    GpuClusterDimBlocks "gpu.cluster_dim_blocks" Opaque pure, GPU_ID;
    /// The extent of the grid, in clusters.
    GpuClusterDim "gpu.cluster_dim" Opaque pure, GPU_ID;
    /// The position of the cluster in the grid.
    GpuClusterId "gpu.cluster_id" Opaque pure, GPU_ID;
    /// Takes an element that the thread holds out of a matrix of a subgroup.
    GpuSubgroupMmaExtractThreadLocal "gpu.subgroup_mma_extract_thread_local" Opaque pure, form(
        "matrix !gpu.mma_matrix<>, indices* index -> res scalar",
        "",
        "$matrix `[` $indices `]` attr-dict `:` type($matrix) `->` type($res)",
    );
    /// Puts an element that the thread holds into a matrix of a subgroup.
    GpuSubgroupMmaInsertThreadLocal "gpu.subgroup_mma_insert_thread_local" Opaque pure, form(
        "value scalar, matrix !gpu.mma_matrix<>, indices* index -> res !gpu.mma_matrix<>",
        "",
        "$value `,` $matrix `[` $indices `]` attr-dict `:` type($value) `,` type($matrix) `->` type($res)",
    );

    // launches
    /// Executes a region on a grid of threads.
    GpuLaunch "gpu.launch" Opaque, by_hand(
        "asyncDependencies* !gpu.async.token, gridSizeX index, gridSizeY index, gridSizeZ index, blockSizeX index, blockSizeY index, blockSizeZ index, clusterSizeX? index, clusterSizeY? index, clusterSizeZ? index, dynamicSharedMemorySize? i32, asyncObject? any -> asyncToken? !gpu.async.token {*gpu.terminator}",
        "module function workgroup_attributions:i64=?0",
    );
    /// Executes a device function on a grid of threads.
    GpuLaunchFunc "gpu.launch_func" Opaque, form(
        "X extent; asyncDependencies* !gpu.async.token, gridSizeX X, gridSizeY X, gridSizeZ X, blockSizeX X, blockSizeY X, blockSizeZ X, clusterSizeX? X, clusterSizeY? X, clusterSizeZ? X, dynamicSharedMemorySize? i32, kernelOperands* any, asyncObject? any -> asyncToken? !gpu.async.token",
        "kernel",
        "async(asyncToken, asyncDependencies) (`<` $asyncObject^ `:` type($asyncObject) `>`)? $kernel (`clusters` `in` ` ` `(` $clusterSizeX^ `,` $clusterSizeY `,` $clusterSizeZ `)`)? `blocks` `in` ` ` `(` $gridSizeX `,` $gridSizeY `,` $gridSizeZ `)` `threads` `in` ` ` `(` $blockSizeX `,` $blockSizeY `,` $blockSizeZ `)` (`:` type($gridSizeX)^)? (`dynamic_shared_memory_size` $dynamicSharedMemorySize^)? (`args` `(` typed($kernelOperands)^ `)`)? attr-dict",
    );
    /// Waits for asynchronous device operations.
    GpuWait "gpu.wait" Opaque, ASYNC_ALONE;
    /// Allocates a buffer of a device.
    GpuAlloc "gpu.alloc" Opaque, form(
        "asyncDependencies* !gpu.async.token, dynamicSizes* index, symbolOperands* index -> memref memref, asyncToken? !gpu.async.token",
        "hostShared:unit",
        "async(asyncToken, asyncDependencies) (` ` `host_shared` $hostShared^)? ` ` `(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)",
    );
    /// Frees a buffer of a device.
    GpuDealloc "gpu.dealloc" Opaque, form(
        "asyncDependencies* !gpu.async.token, memref any -> asyncToken? !gpu.async.token",
        "",
        "async(asyncToken, asyncDependencies) $memref attr-dict `:` type($memref)",
    );
    /// Copies between buffers of host and devices.
    GpuMemcpy "gpu.memcpy" Opaque, form(
        "asyncDependencies* !gpu.async.token, dst memref, src memref -> asyncToken? !gpu.async.token",
        "",
        "async(asyncToken, asyncDependencies) $dst `,` $src `:` type($dst) `,` type($src) attr-dict",
    );
    /// Fills a buffer of a device.
    GpuMemset "gpu.memset" Opaque, form(
        "asyncDependencies* !gpu.async.token, dst memref, value any -> asyncToken? !gpu.async.token",
        "",
        "async(asyncToken, asyncDependencies) $dst `,` $value `:` type($dst) `,` type($value) attr-dict",
    );
    /// Lets devices access a buffer of the host.
    GpuHostRegister "gpu.host_register" Opaque, UNRANKED;
    /// Ends what `gpu.host_register` allowed.
    GpuHostUnregister "gpu.host_unregister" Opaque, UNRANKED;
    /// Chooses the device of the operations that follow.
    GpuSetDefaultDevice "gpu.set_default_device" Opaque, form("devIndex i32 ->", "", "attr-dict $devIndex");
}
