//! Rows of the op table for IREE's dialects and for the scripts of its tests.

/// The table: the rows that are given, and these.
macro_rules! with_iree_rows {
    ($($rows:tt)*) => {
        with_other_rows! {
            $($rows)*

            // iree_gpu
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

            // iree_codegen
            /// Computes on inner tiles by a matrix instruction, over a loop nest of outer dimensions.
            IreeCodegenInnerTiled "iree_codegen.inner_tiled" Opaque pure, form(
                "inputs* any, outputs* any -> results* same(outputs)",
                "indexing_maps iterator_types kind semantics permutations",
                "`ins` `(` $inputs `)` `outs` `(` $outputs `)` attr-dict `:` type($inputs) `into` type($outputs)",
            );
            /// A buffer's contents as a tensor.
            IreeCodegenLoadFromBuffer "iree_codegen.load_from_buffer" Opaque, form(
                "buffer memref -> tensor tensor",
                "",
                "$buffer attr-dict `:` type($buffer) `->` type($tensor)",
            );
            /// Writes a tensor to a buffer.
            IreeCodegenStoreToBuffer "iree_codegen.store_to_buffer" Opaque, form(
                "tensor tensor, buffer memref ->",
                "",
                "$tensor `,` $buffer attr-dict `:` type($tensor) `into` type($buffer)",
            );
            /// The sizes of the tiles in which a type is stored.
            IreeCodegenQueryTileSizes "iree_codegen.query_tile_sizes" Opaque pure, form(
                "-> results* index",
                "tensor_type",
                "attr-dict $tensor_type `->` type($results)",
            );
            /// The base, offset, extents and strides of a buffer.
            IreeCodegenExtractStridedMetadata "iree_codegen.extract_strided_metadata" Opaque pure, form(
                "source any -> base_buffer! any, offset! index, strides* index",
                "",
                "$source `:` type($source) `->` type($base_buffer) `,` type($offset) (`,` type($strides)^)? attr-dict",
            );
            /// Keeps operations before and behind it in separate loops.
            IreeCodegenFusionBarrier "iree_codegen.fusion_barrier" Opaque pure, form(
                "T tensor; source T -> result T",
                "",
                "attr-dict $source `:` type($result)",
            );
            /// States the order in which shared memory is to store a buffer.
            IreeCodegenSwizzleHint "iree_codegen.swizzle_hint" Opaque pure, form(
                "T any; operand T -> result T",
                "swizzle",
                "$operand `[` $swizzle attr-dict `]` `:` type($result)",
            );
            /// States what is known about an index.
            IreeCodegenIndexHint "iree_codegen.index_hint" Opaque pure, form(
                "T any; input T -> result T",
                "hint",
                "$input `(` $hint `)` attr-dict `:` type($input)",
            );
            /// States the number of workgroups.
            IreeCodegenWorkgroupCountHint "iree_codegen.workgroup_count_hint" Opaque, by_hand("sizes* index ->", "static_sizes:dense");
            /// Calls a precompiled kernel.
            IreeCodegenUkernelGeneric "iree_codegen.ukernel.generic" Opaque, form(
                "inputs* any, outputs* ranked, other_operands* any -> results* any",
                "u_kernel_fn_name fn_def_attrs strided_dims",
                "attr-dict $u_kernel_fn_name (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)? (`(` $other_operands^ `:` type($other_operands) `)`)? (`fn_def_attrs` $fn_def_attrs^)? (`strided_dims` `(` $strided_dims^ `)`)? (`->` type($results)^)?",
            );
            /// States how a dispatch is launched.
            IreeCodegenDispatchConfig "iree_codegen.dispatch_config" Opaque isolated, form(
                "-> {~iree_codegen.yield}",
                "function_ref workgroup_size:dense subgroup_size:i64 workgroup_local_memory:index",
                "$function_ref (`workgroup_size` `=` $workgroup_size^)? (`subgroup_size` `=` $subgroup_size^)? (`workgroup_local_memory` `=` $workgroup_local_memory^)? region0 attr-dict",
            );
            /// Leaves a region with values.
            IreeCodegenYield "iree_codegen.yield" Opaque, YIELD;

            // iree_linalg_ext
            /// Combines slices of updates into the output at indices that a tensor gives.
            IreeLinalgExtScatter "iree_linalg_ext.scatter" Opaque, form(
                "updates ranked, indices ranked, mask? ranked, original ranked -> results* tensor {~iree_linalg_ext.yield}",
                "dimension_map:dense unique_indices:bool=true",
                "attr-dict `dimension_map` `=` $dimension_map `unique_indices` `(` $unique_indices `)` `ins` `(` $updates `,` $indices (`,` $mask^)? `:` type($updates) `,` type($indices) (`,` type($mask)^)? `)` `outs` `(` $original `:` type($original) `)` region0 (`->` type($results)^)?",
            );
            /// Slices of a tensor at indices that a tensor gives.
            IreeLinalgExtGather "iree_linalg_ext.gather" Opaque, form(
                "source ranked, indices ranked, mask? ranked, output ranked -> results* tensor",
                "dimension_map:dense",
                "attr-dict `dimension_map` `=` $dimension_map `ins` `(` $source `,` $indices (`,` $mask^)? `:` type($source) `,` type($indices) (`,` type($mask)^)? `)` `outs` `(` $output `:` type($output) `)` (`->` type($results)^)?",
            );
            /// Reads each element of the output from where a region says.
            IreeLinalgExtMapLoad "iree_linalg_ext.map_load" Opaque, MAP_STORE;
            /// Writes each element of the input to where a region says.
            IreeLinalgExtMapStore "iree_linalg_ext.map_store" Opaque, MAP_STORE;
            /// Sorts along a dimension by a comparison, several tensors alike.
            IreeLinalgExtSort "iree_linalg_ext.sort" Opaque, form(
                "inputs* any, outputs* shaped -> results* tensor {~iree_linalg_ext.yield}",
                "dimension:i64",
                "attr-dict `dimension` `(` $dimension `)` (`ins` `(` $inputs^ `:` type($inputs) `)`)? `outs` `(` $outputs `:` type($outputs) `)` region0 (`->` type($results)^)?",
            );
            /// One stage of a fast Fourier transform, in place.
            IreeLinalgExtFft "iree_linalg_ext.fft" Opaque, form(
                "stage any, real_coeff? shaped, imag_coeff? shaped, real shaped, imag shaped -> results* tensor",
                "",
                "attr-dict `ins` `(` $stage (`,` $real_coeff^ `,` $imag_coeff)? `:` type($stage) (`,` type($real_coeff)^ `,` type($imag_coeff))? `)` `outs` `(` $real `,` $imag `:` type($real) `,` type($imag) `)` (`:` type($results)^)?",
            );
            /// Combines each element along a dimension with those before it, and gives the total.
            IreeLinalgExtScan "iree_linalg_ext.scan" Opaque, form(
                "input shaped, output shaped, accumulator shaped -> results* tensor {~iree_linalg_ext.yield}",
                "dimension:i64 inclusive:bool",
                "attr-dict `dimension` `(` $dimension `)` `inclusive` `(` $inclusive `)` `ins` `(` $input `:` type($input) `)` `outs` `(` $output `,` $accumulator `:` type($output) `,` type($accumulator) `)` region0 (`->` type($results)^)?",
            );
            /// The first elements along a dimension in the order of a comparison, and their indices.
            IreeLinalgExtTopk "iree_linalg_ext.topk" Opaque, form(
                "values shaped, indices? shaped, output_values shaped, output_indices shaped -> results* tensor {~iree_linalg_ext.yield}",
                "dimension:i64",
                "attr-dict `dimension` `(` $dimension `)` `ins` `(` $values (`,` $indices^)? `:` type($values) (`,` type($indices)^)? `)` `outs` `(` $output_values `,` $output_indices `:` type($output_values) `,` type($output_indices) `)` region0 (`->` type($results)^)?",
            );
            /// The first elements along a dimension in the order of a comparison, and their indices if asked for.
            IreeLinalgExtTopkV2 "iree_linalg_ext.topk_v2" Opaque, form(
                "values shaped, input_indices? shaped, output_values shaped, output_indices? shaped -> results* tensor {~iree_linalg_ext.yield}",
                "dimension:i64 is_sorted:unit",
                "attr-dict `dimension` `(` $dimension `)` (`is_sorted` $is_sorted^)? `ins` `(` $values (`,` $input_indices^)? `:` type($values) (`,` type($input_indices)^)? `)` `outs` `(` $output_values (`,` $output_indices^)? `:` type($output_values) (`,` type($output_indices)^)? `)` region0 (`->` type($results)^)?",
            );
            /// The best element along a dimension by a comparison, and its index.
            IreeLinalgExtArgCompare "iree_linalg_ext.arg_compare" Opaque, form(
                "input_value shaped, input_index? shaped, output_value shaped, output_index shaped, index_base? index -> results* tensor {~iree_linalg_ext.yield}",
                "dimension:i64",
                "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input_value (`,` $input_index^)? `:` type($input_value) (`,` type($input_index)^)? `)` `outs` `(` $output_value `,` $output_index `:` type($output_value) `,` type($output_index) `)` (`index_base` `(` $index_base^ `:` type($index_base) `)`)? region0 (`->` type($results)^)?",
            );
            /// Numbers as integers of a scale: divided by it, rounded to even, moved by the zero point and clamped.
            IreeLinalgExtQuantizeAffine "iree_linalg_ext.quantize_affine" Opaque, form(
                "input any, scale any, zero_point? any, output shaped -> results* tensor",
                "indexing_maps quant_min:i64 quant_max:i64 storage_unsigned:unit zp_unsigned:unit",
                "struct($indexing_maps $quant_min $quant_max $storage_unsigned $zp_unsigned) attr-dict `ins` `(` $input `,` $scale (`,` $zero_point^)? `:` type($input) `,` type($scale) (`,` type($zero_point)^)? `)` `outs` `(` $output `:` type($output) `)` (`->` type($results)^)?",
            );
            /// Integers of a scale as numbers: less the zero point, times the scale.
            IreeLinalgExtDequantizeAffine "iree_linalg_ext.dequantize_affine" Opaque, form(
                "input any, scale any, zero_point? any, output shaped -> results* tensor",
                "indexing_maps quant_min:i64 quant_max:i64 input_unsigned:unit zp_unsigned:unit",
                "struct($indexing_maps $quant_min $quant_max $input_unsigned $zp_unsigned) attr-dict `ins` `(` $input `,` $scale (`,` $zero_point^)? `:` type($input) `,` type($scale) (`,` type($zero_point)^)? `)` `outs` `(` $output `:` type($output) `)` (`->` type($results)^)?",
            );
            /// Scaled dot-product attention: the softmax of query times key, times value. Its region may ask for elements of the last inputs, too.
            IreeLinalgExtAttention "iree_linalg_ext.attention" Opaque, form(
                "query shaped, key shaped, value shaped, scale any, masks* shaped, output shaped -> results* tensor {~iree_linalg_ext.yield}",
                "indexing_maps decomposition_config",
                "attr-dict `ins` `(` $query `,` $key `,` $value `,` $scale (`,` $masks^)? `:` type($query) `,` type($key) `,` type($value) `,` type($scale) (`,` type($masks)^)? `)` `outs` `(` $output `:` type($output) `)` region0 (`->` type($results)^)?",
            );
            /// One step of attention over a part of the keys, with running maximum and sum.
            IreeLinalgExtOnlineAttention "iree_linalg_ext.online_attention" Opaque, form(
                "query shaped, key shaped, value shaped, scale any, masks* shaped, output shaped, max shaped, sum shaped -> results* tensor {~iree_linalg_ext.yield}",
                "indexing_maps decomposition_config",
                "attr-dict `ins` `(` $query `,` $key `,` $value `,` $scale (`,` $masks^)? `:` type($query) `,` type($key) `,` type($value) `,` type($scale) (`,` type($masks)^)? `)` `outs` `(` $output `,` $max `,` $sum `:` type($output) `,` type($max) `,` type($sum) `)` region0 (`->` type($results)^)?",
            );
            /// Reductions of exponentials that are rescaled by a running maximum.
            IreeLinalgExtExpReduction "iree_linalg_ext.exp_reduction" Opaque, form(
                "inputs* tensor, outputs* tensor -> results* tensor {~iree_linalg_ext.yield}",
                "indexing_maps iterator_types exp_reduced_operands:dense",
                "`{` `indexing_maps` `=` $indexing_maps `,` `iterator_types` `=` $iterator_types `,` `exp_reduced_operands` `=` $exp_reduced_operands `}` attr-dict `ins` `(` $inputs `:` type($inputs) `)` `outs` `(` $outputs `:` type($outputs) `)` region0 (`->` type($results)^)?",
            );
            /// Unfolds the windows of a convolution into rows of a matrix.
            IreeLinalgExtIm2col "iree_linalg_ext.im2col" Opaque, by_hand(
                "input shaped, output shaped, kernel_size* index, offsets* index, output_sizes* index, input_pad_low* index, input_pad_high* index, output_pad_low* index, output_pad_high* index, pad_value? any -> results* any",
                "strides:dense dilations:dense static_kernel_size static_offsets static_output_sizes batch_pos:dense m_pos:dense k_pos:dense input_k_perm:dense output_perm:dense static_input_pad_low:dense=[] static_input_pad_high:dense=[] static_output_pad_low:dense=[] static_output_pad_high:dense=[]",
            );
            /// An operation that tiles like a structured one, with a region of tensor operations.
            IreeLinalgExtCustomOp "iree_linalg_ext.custom_op" Opaque, form(
                "inputs* operand, outputs* tensor -> results* tensor {~iree_linalg_ext.yield}",
                "indexing_maps iterator_types",
                "`{` `indexing_maps` `=` $indexing_maps `,` `iterator_types` `=` $iterator_types `}` attr-dict-with-keyword (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)? region0 (`->` type($results)^)?",
            );
            /// Transforms a filter for a Winograd convolution.
            IreeLinalgExtWinogradFilterTransform "iree_linalg_ext.winograd.filter_transform" Opaque, form(
                "input shaped, output shaped -> result* tensor",
                "output_tile_size:i64 kernel_size:i64 kernel_dimensions:dense",
                "attr-dict `output_tile_size` `(` $output_tile_size `)` `kernel_size` `(` $kernel_size `)` `kernel_dimensions` `(` $kernel_dimensions `)` `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output) `)` (`->` type($result)^)?",
            );
            /// Transforms tiles of an image for a Winograd convolution.
            IreeLinalgExtWinogradInputTransform "iree_linalg_ext.winograd.input_transform" Opaque, WINOGRAD_IMAGE;
            /// Transforms the products of a Winograd convolution back.
            IreeLinalgExtWinogradOutputTransform "iree_linalg_ext.winograd.output_transform" Opaque, WINOGRAD_IMAGE;
            /// The number of the iteration along a loop of an operation of this dialect.
            IreeLinalgExtIndex "iree_linalg_ext.index" Opaque pure, form("-> result index", "dim:i64", "$dim attr-dict `:` type($result)");
            /// Leaves a region with values.
            IreeLinalgExtYield "iree_linalg_ext.yield" Opaque, YIELD;

            // iree_tensor_ext
            /// Reads the bits of a tensor as a tensor of another type and shape.
            IreeTensorExtBitcast "iree_tensor_ext.bitcast" Opaque pure, form(
                "source any, source_dims* index, result_dims* index -> result any",
                "",
                "$source `:` type($source) (`{` $source_dims^ `}`)? `->` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            /// A rectangle of a binding as a tensor.
            IreeTensorExtDispatchTensorLoad "iree_tensor_ext.dispatch.tensor.load" Opaque, DISPATCH_LOAD;
            /// Writes a tensor to a rectangle of a binding.
            IreeTensorExtDispatchTensorStore "iree_tensor_ext.dispatch.tensor.store" Opaque, DISPATCH_STORE;
            /// States which number of the workload a value is.
            IreeTensorExtDispatchWorkloadOrdinal "iree_tensor_ext.dispatch.workload.ordinal" Opaque pure, form(
                "T any; operand T -> result T",
                "ordinal:index",
                "attr-dict $operand `,` $ordinal `:` type($operand)",
            );
            IreeTensorExtComputeBarrierStart "iree_tensor_ext.compute_barrier.start" Opaque pure, COMPUTE_BARRIER;
            IreeTensorExtComputeBarrierEnd "iree_tensor_ext.compute_barrier.end" Opaque pure, COMPUTE_BARRIER;

            /// The number of workgroups, from the tiles that are chosen later.
            IreeTensorExtDispatchWorkgroupCountFromSlice "iree_tensor_ext.dispatch.workgroup_count_from_slice" Opaque pure, form(
                "operands* index -> x! index, y! index, z! index",
                "",
                "`` `(` $operands `)` attr-dict",
            );

            // iree_encoding
            IreeEncodingSetEncoding "iree_encoding.set_encoding" Opaque pure, form(
                "source any, encoding_dims* index -> result any",
                "",
                "attr-dict $source (`encoding_dims` `{` $encoding_dims^ `}`)? `:` type($source) `->` type($result)",
            );
            IreeEncodingUnsetEncoding "iree_encoding.unset_encoding" Opaque pure, form(
                "source any, result_dims* index, encoding_dims* index -> result any",
                "",
                "attr-dict $source (`encoding_dims` `{` $encoding_dims^ `}`)? `:` type($source) `->` type($result) (`` `{` $result_dims^ `}`)?",
            );

            // hal
            /// The position of the workgroup in the grid.
            HalInterfaceWorkgroupId "hal.interface.workgroup.id" Opaque pure, HAL_ID;
            /// The extent of the grid, in workgroups.
            HalInterfaceWorkgroupCount "hal.interface.workgroup.count" Opaque pure, HAL_ID;
            /// The extent of the workgroup.
            HalInterfaceWorkgroupSize "hal.interface.workgroup.size" Opaque pure, HAL_ID;
            /// A 32-bit constant that is passed to the dispatch.
            HalInterfaceConstantLoad "hal.interface.constant.load" Opaque pure, form(
                "-> result any",
                "layout:#hal.pipeline.layout ordinal:index alignment:index values",
                "`layout` `(` $layout `)` `ordinal` `(` $ordinal `)` (`alignment` `(` $alignment^ `)`)? (`values` `(` $values^ `)`)? attr-dict `:` type($result)",
            );
            /// A part of a buffer that is bound to the dispatch.
            HalInterfaceBindingSubspan "hal.interface.binding.subspan" Opaque pure, form(
                "byte_offset? index, dynamic_dims* index -> result any",
                "layout:#hal.pipeline.layout binding:index alignment:index descriptor_flags:@descriptor",
                "`layout` `(` $layout `)` `binding` `(` $binding `)` (`alignment` `(` $alignment^ `)`)? (`offset` `(` $byte_offset^ `)`)? (`flags` `(` $descriptor_flags^ `)`)? attr-dict `:` type($result) (`{` $dynamic_dims^ `}`)?",
            );
            HalExecutable "hal.executable" Opaque isolated symbols, form(
                "-> {~hal.executable_end}",
                "sym_visibility:visibility sym_name:name lazy:unit",
                "($sym_visibility^)? (`lazy` $lazy^)? $sym_name attr-dict-with-keyword region0",
            );
            HalExecutableSource "hal.executable.source" Opaque isolated symbols, form(
                "-> {~hal.executable.source_end}",
                "sym_visibility:visibility sym_name:name objects",
                "($sym_visibility^)? $sym_name (`objects` `(` $objects^ `)`)? attr-dict-with-keyword region0",
            );
            HalExecutableVariant "hal.executable.variant" Opaque isolated symbols, form(
                "-> {~hal.executable.variant_end}",
                "sym_visibility:visibility sym_name:name target:#hal.executable.target objects sources",
                "($sym_visibility^)? $sym_name `target` `(` $target `)` (`objects` `(` $objects^ `)`)? (`sources` `(` $sources^ `)`)? attr-dict-with-keyword region0",
            );
            HalExecutableExport "hal.executable.export" Opaque isolated, by_hand(
                "-> {?hal.return}{?hal.return}",
                "sym_visibility sym_name ordinal:index layout:of(hal.pipeline.layout) condition_fallback:symbol workgroup_size:indices subgroup_size:index workgroup_local_memory:index source_locs",
            );
            HalReturn "hal.return" Opaque, YIELD;

            // util
            /// States bounds and divisors of integers.
            UtilAssumeInt "util.assume.int" Opaque pure, by_hand("operands* any -> results* same(operands)", "assumptions");
            /// A function.
            UtilFunc "util.func" Opaque isolated, by_hand(
                "-> {?*util.return}",
                "sym_name function_type sym_visibility arg_attrs res_attrs tied_operands inlining_policy",
            );
            /// Leaves a function with its results.
            UtilReturn "util.return" Opaque, YIELD;
            // A conversion that another one takes back: the two cancel, and go around loops together.
            UtilHoistableConversion "util.hoistable_conversion" Opaque, by_hand(
                "inputs* any -> results* any {util.return}",
                "tag inverseTag",
            );
            /// Values that no pass may look through.
            UtilOptimizationBarrier "util.optimization_barrier" Opaque, form(
                "operands* any -> results* same(operands)",
                "",
                "attr-dict ($operands^ `:` type($operands))?",
            );

        }
    };
}
