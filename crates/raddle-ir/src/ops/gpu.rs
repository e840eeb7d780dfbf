//! Rows of the op table for kernels and for the host code that launches them: `gpu`, what `nvgpu` and `amdgpu` have
//! beside matrix instructions, and the instructions of `nvvm` that kernels are compiled to.

/// The table: the rows that are given, and these.
macro_rules! with_gpu_rows {
    ($($rows:tt)*) => {
        with_llvm_rows! {
            $($rows)*

            // gpu: kernels
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

            // gpu: launches
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

            // nvgpu
            /// One of several barriers.
            NvgpuMbarrierGet "nvgpu.mbarrier.get" Opaque, form(
                "barriers !nvgpu.mbarrier.group<>, mbarId index -> mbarrierPointer any",
                "",
                "$barriers `[` $mbarId `]` attr-dict `:` type($barriers) `->` type($mbarrierPointer)",
            );
            /// Starts a copy of a box from shared to global memory.
            NvgpuTmaAsyncStore "nvgpu.tma.async.store" Opaque, form(
                "src memref, tensorMapDescriptor !nvgpu.tensormap.descriptor<>, coordinates* index, predicate? i1 ->",
                "",
                "$src `to` $tensorMapDescriptor `[` $coordinates `]` (`,` `predicate` `=` $predicate^)? attr-dict `:` type($src) `->` type($tensorMapDescriptor)",
            );

            // amdgpu
            /// Waits until at most a number of memory accesses is pending.
            AmdgpuMemoryCounterWait "amdgpu.memory_counter_wait" Opaque, form(
                "->",
                "load:i32 store:i32 ds:i32 exp:i32 tensor:i32",
                "(`load` `(` $load^ `)`)? (`store` `(` $store^ `)`)? (`ds` `(` $ds^ `)`)? (`exp` `(` $exp^ `)`)? (`tensor` `(` $tensor^ `)`)? attr-dict",
            );
            AmdgpuExtPackedFp8 "amdgpu.ext_packed_fp8" Opaque pure, form(
                "source f8E5M2FNUZ|f8E4M3FNUZ|f8E5M2|f8E4M3FN|1/2/3/4xf8E5M2FNUZ/f8E4M3FNUZ/f8E5M2/f8E4M3FN -> res f32|fixed2xf32",
                "index:i32{..3}",
                "attr-dict $source `[` $index `]` `:` type($source) `to` type($res)",
            );
            AmdgpuScaledExtPacked "amdgpu.scaled_ext_packed" Opaque pure, form(
                "source 1/2/3/4xf8E5M2/f8E4M3FN|1/2/3/4/5/6/7/8xf4E2M1FN, scale f32 -> res fixed2xf32|fixed2xf16|fixed2xbf16",
                "index:i32{..7}",
                "attr-dict $source `[` $index `]` `,` $scale `:` type($source) `to` type($res)",
            );
            AmdgpuPackedScaledTrunc "amdgpu.packed_scaled_trunc" Opaque pure, form(
                "source 1/2xf32/f16/bf16, scale f32, existing? oneword -> res oneword",
                "index:i32{..7}",
                "attr-dict $source `into` ($existing^):(`undef`)? `[` $index `]` `,` $scale `:` type($source) `to` type($res) (`into` type($existing)^)?",
            );
            AmdgpuPackedStochRoundFp8 "amdgpu.packed_stoch_round_fp8" Opaque pure, form(
                "source f32, stochiasticParam i32, existing? fourbytes -> res fourbytes",
                "storeIndex:i32{..3}",
                "attr-dict $source `+` $stochiasticParam `into` ($existing^):(`undef`)? `[` $storeIndex `]` `:` type($source) `to` type($res) (`into` type($existing)^)?",
            );
            AmdgpuPackedTrunc2xfp8 "amdgpu.packed_trunc_2xfp8" Opaque pure, form(
                "sourceA f32, sourceB? f32, existing? fourbytes -> res fourbytes",
                "wordIndex:i32{..1}",
                "attr-dict $sourceA `,` ($sourceB^):(`undef`)? `into` ($existing^):(`undef`)? `[` `word` $wordIndex `]` `:` type($sourceA) `to` type($res) (`into` type($existing)^)?",
            );
            AmdgpuScaledExtPackedMatrix "amdgpu.scaled_ext_packed_matrix" Opaque pure, form(
                "source vector, scale vector -> res vector",
                "blockSize:i32{16/32} firstScaleLane:i32{0/16} firstScaleByte:i32{0..3}",
                "attr-dict $source `scale` `(` $scale `)` `blockSize` `(` $blockSize `)` `firstScaleLane` `(` $firstScaleLane `)` `firstScaleByte` `(` $firstScaleByte `)` `:` type($source) `,` type($scale) `->` type($res)",
            );
            AmdgpuMakeDmaBase "amdgpu.make_dma_base" Opaque pure, DMA_BASE;
            AmdgpuMakeGatherDmaBase "amdgpu.make_gather_dma_base" Opaque pure, DMA_BASE;
            AmdgpuMakeDmaDescriptor "amdgpu.make_dma_descriptor" Opaque pure, form(
                "base any, global_dynamic_sizes* index, global_dynamic_strides* index, shared_dynamic_sizes* index, workgroup_mask? vector<16xi1>, early_timeout? i1, pad_amount? i32, pad_interval? i32, atomic_barrier_address? memref, atomic_barrier_indices* index, global_increment? index, lds_increment? i32, iteration_count? index -> desc any",
                "global_static_sizes global_static_strides shared_static_sizes",
                "$base `globalSize` mixed(global_static_sizes, global_dynamic_sizes) `globalStride` mixed(global_static_strides, global_dynamic_strides) `sharedSize` mixed(shared_static_sizes, shared_dynamic_sizes) (`padShared` `(` $pad_amount^ `every` $pad_interval `)`)? (`workgroupMask` $workgroup_mask^ (`earlyTimeout` $early_timeout^)?)? (`atomicBarrier` `(` $atomic_barrier_address^ `[` $atomic_barrier_indices `]` `:` type($atomic_barrier_address) `)`)? (`iterate` $global_increment^ `,` $lds_increment `,` $iteration_count)? attr-dict `:` type($base) `->` type($desc)",
            );
            AmdgpuMakeGatherDmaDescriptor "amdgpu.make_gather_dma_descriptor" Opaque pure, form(
                "base any, indices vector, global_dynamic_sizes* index, global_dynamic_strides* index, shared_dynamic_sizes* index, workgroup_mask? vector<16xi1>, early_timeout? i1, pad_amount? i32, pad_interval? i32, atomic_barrier_address? memref, atomic_barrier_indices* index, global_increment? index, lds_increment? i32, iteration_count? index -> desc any",
                "global_static_sizes global_static_strides shared_static_sizes",
                "$base `[` $indices `]` `globalSize` mixed(global_static_sizes, global_dynamic_sizes) `globalStride` mixed(global_static_strides, global_dynamic_strides) `sharedSize` mixed(shared_static_sizes, shared_dynamic_sizes) (`padShared` `(` $pad_amount^ `every` $pad_interval `)`)? (`workgroupMask` $workgroup_mask^ (`earlyTimeout` $early_timeout^)?)? (`atomicBarrier` `(` $atomic_barrier_address^ `[` $atomic_barrier_indices `]` `:` type($atomic_barrier_address) `)`)? (`iterate` $global_increment^ `,` $lds_increment `,` $iteration_count)? attr-dict `:` type($base) `,` type($indices) `->` type($desc)",
            );
            AmdgpuTensorLoadToLds "amdgpu.tensor_load_to_lds" Opaque, form("desc any ->", "", "$desc attr-dict `:` type($desc)");
            AmdgpuTensorStoreFromLds "amdgpu.tensor_store_from_lds" Opaque, form("desc any ->", "", "$desc attr-dict `:` type($desc)");

            // nvvm
            NvvmFenceProxy "nvvm.fence.proxy" Opaque, form(
                "->",
                "kind:<nvvm.proxy_kind> space:<nvvm.shared_space>",
                "attr-dict",
            );
            NvvmWgmmaFenceAligned "nvvm.wgmma.fence.aligned" Opaque, NULLARY;
            NvvmWgmmaCommitGroupSyncAligned "nvvm.wgmma.commit.group.sync.aligned" Opaque, NULLARY;
            NvvmWgmmaWaitGroupSyncAligned "nvvm.wgmma.wait.group.sync.aligned" Opaque, form(
                "->",
                "group:i64",
                "attr-dict $group",
            );
        }
    };
}
