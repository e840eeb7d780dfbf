//! Rows of the op table for what acts on whole tensors: `linalg`, `tensor`, `bufferization`.

/// The table: the rows that are given, and these.
macro_rules! with_tensor_rows {
    ($($rows:tt)*) => {
        with_iree_rows! {
            $($rows)*

            // linalg, tensor
            LinalgMatmul "linalg.matmul" Structured, by_hand("inputs* any, outputs* any -> results* any {linalg.yield}", "indexing_maps cast");
            LinalgGeneric "linalg.generic" Structured, by_hand(
                "inputs* any, outputs* any -> results* any {linalg.yield}",
                "indexing_maps iterator_types doc library_call",
            );
            LinalgFill "linalg.fill" Structured, by_hand("inputs* any, outputs* any -> results* any {linalg.yield}", "");
            LinalgYield "linalg.yield" Yield, YIELD;
            LinalgIndex "linalg.index" Id pure, form("-> result index", "dim:i64", "$dim attr-dict `:` type($result)");
            LinalgBatchMatmul "linalg.batch_matmul" Opaque pure, NAMED_MAPS;
            LinalgBatchReduceMatmul "linalg.batch_reduce_matmul" Opaque pure, NAMED_MAPS;
            LinalgBatchMatvec "linalg.batch_matvec" Opaque pure, NAMED_CAST;
            LinalgBatchVecmat "linalg.batch_vecmat" Opaque pure, NAMED_CAST;
            LinalgMatvec "linalg.matvec" Opaque pure, NAMED_CAST;
            LinalgVecmat "linalg.vecmat" Opaque pure, NAMED_CAST;
            LinalgDot "linalg.dot" Opaque pure, NAMED_CAST;
            LinalgMmt4d "linalg.mmt4d" Opaque pure, NAMED_CAST;
            LinalgBatchMmt4d "linalg.batch_mmt4d" Opaque pure, NAMED_CAST;
            LinalgContract "linalg.contract" Opaque pure, NAMED_MAPS;
            LinalgElementwise "linalg.elementwise" Opaque pure, by_hand(
                "inputs* any, outputs* any -> results* any {linalg.yield}",
                "kind indexing_maps",
            );
            LinalgCopy "linalg.copy" Opaque, NAMED_CAST;
            LinalgAbs "linalg.abs" Opaque pure, NAMED;
            LinalgCeil "linalg.ceil" Opaque pure, NAMED;
            LinalgErf "linalg.erf" Opaque pure, NAMED;
            LinalgExp "linalg.exp" Opaque pure, NAMED;
            LinalgFloor "linalg.floor" Opaque pure, NAMED;
            LinalgLog "linalg.log" Opaque pure, NAMED;
            LinalgNegf "linalg.negf" Opaque pure, NAMED;
            LinalgReciprocal "linalg.reciprocal" Opaque pure, NAMED;
            LinalgRound "linalg.round" Opaque pure, NAMED;
            LinalgRsqrt "linalg.rsqrt" Opaque pure, NAMED;
            LinalgSqrt "linalg.sqrt" Opaque pure, NAMED;
            LinalgSquare "linalg.square" Opaque pure, NAMED;
            LinalgTanh "linalg.tanh" Opaque pure, NAMED;
            LinalgAdd "linalg.add" Opaque pure, NAMED;
            LinalgDiv "linalg.div" Opaque pure, NAMED;
            LinalgDivUnsigned "linalg.div_unsigned" Opaque pure, NAMED;
            LinalgMax "linalg.max" Opaque pure, NAMED;
            LinalgMin "linalg.min" Opaque pure, NAMED;
            LinalgMul "linalg.mul" Opaque pure, NAMED;
            LinalgPowf "linalg.powf" Opaque pure, NAMED;
            LinalgSelect "linalg.select" Opaque pure, NAMED;
            LinalgSub "linalg.sub" Opaque pure, NAMED;
            LinalgConv1d "linalg.conv_1d" Opaque pure, NAMED;
            LinalgConv1dNcwFcw "linalg.conv_1d_ncw_fcw" Opaque pure, CONVOLUTION;
            LinalgConv1dNwcWcf "linalg.conv_1d_nwc_wcf" Opaque pure, CONVOLUTION;
            LinalgConv2d "linalg.conv_2d" Opaque pure, NAMED;
            LinalgConv2dNchwFchw "linalg.conv_2d_nchw_fchw" Opaque pure, CONVOLUTION;
            LinalgConv2dNgchwFgchw "linalg.conv_2d_ngchw_fgchw" Opaque pure, CONVOLUTION;
            LinalgConv2dNgchwGfchw "linalg.conv_2d_ngchw_gfchw" Opaque pure, CONVOLUTION;
            LinalgConv2dNhwcFhwc "linalg.conv_2d_nhwc_fhwc" Opaque pure, CONVOLUTION;
            LinalgConv2dNhwcHwcf "linalg.conv_2d_nhwc_hwcf" Opaque pure, CONVOLUTION;
            LinalgConv2dNhwgcGfhwc "linalg.conv_2d_nhwgc_gfhwc" Opaque pure, CONVOLUTION;
            LinalgConv3d "linalg.conv_3d" Opaque pure, NAMED;
            LinalgConv3dNcdhwFcdhw "linalg.conv_3d_ncdhw_fcdhw" Opaque pure, CONVOLUTION;
            LinalgConv3dNdhwcDhwcf "linalg.conv_3d_ndhwc_dhwcf" Opaque pure, CONVOLUTION;
            LinalgDepthwiseConv1dNcwCw "linalg.depthwise_conv_1d_ncw_cw" Opaque pure, CONVOLUTION;
            LinalgDepthwiseConv1dNwcWc "linalg.depthwise_conv_1d_nwc_wc" Opaque pure, CONVOLUTION;
            LinalgDepthwiseConv1dNwcWcm "linalg.depthwise_conv_1d_nwc_wcm" Opaque pure, CONVOLUTION;
            LinalgDepthwiseConv2dNchwChw "linalg.depthwise_conv_2d_nchw_chw" Opaque pure, CONVOLUTION;
            LinalgDepthwiseConv2dNhwcHwc "linalg.depthwise_conv_2d_nhwc_hwc" Opaque pure, CONVOLUTION;
            LinalgDepthwiseConv2dNhwcHwcm "linalg.depthwise_conv_2d_nhwc_hwcm" Opaque pure, CONVOLUTION;
            LinalgDepthwiseConv3dNdhwcDhwc "linalg.depthwise_conv_3d_ndhwc_dhwc" Opaque pure, CONVOLUTION;
            LinalgPoolingNchwMax "linalg.pooling_nchw_max" Opaque pure, CONVOLUTION;
            LinalgPoolingNchwSum "linalg.pooling_nchw_sum" Opaque pure, CONVOLUTION;
            LinalgPoolingNcwMax "linalg.pooling_ncw_max" Opaque pure, CONVOLUTION;
            LinalgPoolingNcwSum "linalg.pooling_ncw_sum" Opaque pure, CONVOLUTION;
            LinalgPoolingNhwcMax "linalg.pooling_nhwc_max" Opaque pure, CONVOLUTION;
            LinalgPoolingNhwcMin "linalg.pooling_nhwc_min" Opaque pure, CONVOLUTION;
            LinalgPoolingNhwcSum "linalg.pooling_nhwc_sum" Opaque pure, CONVOLUTION;
            LinalgPoolingNwcMax "linalg.pooling_nwc_max" Opaque pure, CONVOLUTION;
            LinalgPoolingNwcMin "linalg.pooling_nwc_min" Opaque pure, CONVOLUTION;
            LinalgPoolingNwcSum "linalg.pooling_nwc_sum" Opaque pure, CONVOLUTION;
            LinalgPoolingNdhwcMax "linalg.pooling_ndhwc_max" Opaque pure, CONVOLUTION;
            LinalgPoolingNdhwcMin "linalg.pooling_ndhwc_min" Opaque pure, CONVOLUTION;
            LinalgPoolingNdhwcSum "linalg.pooling_ndhwc_sum" Opaque pure, CONVOLUTION;
            LinalgPoolingNhwcMaxUnsigned "linalg.pooling_nhwc_max_unsigned" Opaque pure, CONVOLUTION;
            LinalgPoolingNhwcMinUnsigned "linalg.pooling_nhwc_min_unsigned" Opaque pure, CONVOLUTION;
            LinalgPoolingNwcMaxUnsigned "linalg.pooling_nwc_max_unsigned" Opaque pure, CONVOLUTION;
            LinalgPoolingNwcMinUnsigned "linalg.pooling_nwc_min_unsigned" Opaque pure, CONVOLUTION;
            LinalgQuantizedMatmul "linalg.quantized_matmul" Opaque pure, NAMED;
            LinalgQuantizedBatchMatmul "linalg.quantized_batch_matmul" Opaque pure, NAMED;
            LinalgConv2dNchwFchwQ "linalg.conv_2d_nchw_fchw_q" Opaque pure, CONVOLUTION;
            LinalgConv2dNgchwGfchwQ "linalg.conv_2d_ngchw_gfchw_q" Opaque pure, CONVOLUTION;
            LinalgConv2dNhwcFhwcQ "linalg.conv_2d_nhwc_fhwc_q" Opaque pure, CONVOLUTION;
            LinalgConv2dNhwcHwcfQ "linalg.conv_2d_nhwc_hwcf_q" Opaque pure, CONVOLUTION;
            LinalgConv2dNhwgcGfhwcQ "linalg.conv_2d_nhwgc_gfhwc_q" Opaque pure, CONVOLUTION;
            LinalgConv3dNdhwcDhwcfQ "linalg.conv_3d_ndhwc_dhwcf_q" Opaque pure, CONVOLUTION;
            LinalgDepthwiseConv2dNhwcHwcQ "linalg.depthwise_conv_2d_nhwc_hwc_q" Opaque pure, CONVOLUTION;
            LinalgDepthwiseConv2dNhwcHwcmQ "linalg.depthwise_conv_2d_nhwc_hwcm_q" Opaque pure, CONVOLUTION;
            LinalgDepthwiseConv3dNcdhwCdhw "linalg.depthwise_conv_3d_ncdhw_cdhw" Opaque pure, CONVOLUTION;
            LinalgDepthwiseConv3dNdhwcDhwcm "linalg.depthwise_conv_3d_ndhwc_dhwcm" Opaque pure, CONVOLUTION;
            LinalgTranspose "linalg.transpose" Opaque pure, by_hand(
                "input any, init any -> transposed!* any {linalg.yield}",
                "permutation:dense",
            );
            LinalgBroadcast "linalg.broadcast" Opaque pure, by_hand(
                "input any, init any -> broadcasted!* any {linalg.yield}",
                "dimensions:dense",
            );
            LinalgReduce "linalg.reduce" Opaque pure, by_hand(
                "operands* any -> reduced!* any {linalg.yield}",
                "dimensions:dense",
            );
            LinalgMap "linalg.map" Opaque pure, by_hand(
                "inputs* any, init any -> mapped!* any {linalg.yield}",
                "",
            );
            LinalgSoftmax "linalg.softmax" Opaque pure, form(
                "input any, output any -> results* any",
                "dimension:i64",
                "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output) `)` (`->` type($results)^)?",
            );
            LinalgPack "linalg.pack" Opaque pure, form(
                "D any; source any, dest D, padding_value? any, inner_tiles* index -> pack! D",
                "outer_dims_perm:dense=?[] inner_dims_pos:dense static_inner_tiles",
                "$source (`padding_value` `(` $padding_value^ `:` type($padding_value) `)`)? (`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos `inner_tiles` `=` mixed(static_inner_tiles, inner_tiles) `into` $dest attr-dict `:` type($source) `->` type($dest)",
            );
            LinalgUnpack "linalg.unpack" Opaque pure, form(
                "D any; source any, dest D, inner_tiles* index -> unpack! D",
                "outer_dims_perm:dense=?[] inner_dims_pos:dense static_inner_tiles",
                "$source (`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos `inner_tiles` `=` mixed(static_inner_tiles, inner_tiles) `into` $dest attr-dict `:` type($source) `->` type($dest)",
            );
            LinalgWinogradFilterTransform "linalg.winograd_filter_transform" Opaque pure, LINALG_WINOGRAD;
            LinalgWinogradInputTransform "linalg.winograd_input_transform" Opaque pure, LINALG_WINOGRAD;
            LinalgWinogradOutputTransform "linalg.winograd_output_transform" Opaque pure, LINALG_WINOGRAD;
            TensorEmpty "tensor.empty" Empty pure, form(
                "dynamicSizes* index -> result tensor",
                "",
                "`(` $dynamicSizes `)` attr-dict `:` type($result)",
            );
            TensorBitcast "tensor.bitcast" Opaque pure, RETYPE;
            TensorCast "tensor.cast" Opaque pure, form("source any -> cast! any", "", "$source attr-dict `:` type($source) `to` type($cast)");
            TensorCollapseShape "tensor.collapse_shape" Opaque pure, form(
                "src any -> collapsed! any",
                "reassociation",
                "$src $reassociation attr-dict `:` type($src) `into` type($collapsed)",
            );
            TensorConcat "tensor.concat" Opaque pure, form(
                "inputs* tensor -> concat! tensor",
                "dim:i64",
                "`dim` `(` $dim `)` $inputs attr-dict `:` functional-type",
            );
            TensorDim "tensor.dim" Opaque pure, DIM;
            TensorExpandShape "tensor.expand_shape" Opaque pure, form(
                "src any, output_shape* index -> expanded! any",
                "reassociation static_output_shape",
                "$src $reassociation `output_shape` mixed(static_output_shape, output_shape) attr-dict `:` type($src) `into` type($expanded)",
            );
            TensorExtract "tensor.extract" Opaque pure, form(
                "T tensor; tensor T, indices* index -> extracted! elem(T)",
                "",
                "$tensor `[` $indices `]` attr-dict `:` type($tensor)",
            );
            TensorFromElements "tensor.from_elements" Opaque pure, form(
                "T tensor; elements* elem(T) -> from_elements! T",
                "",
                "$elements attr-dict `:` type($from_elements)",
            );
            TensorGather "tensor.gather" Opaque pure, form(
                "source any, indices any -> gathered! any",
                "gather_dims:dense unique:unit",
                "$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` (`unique` $unique^)? attr-dict `:` functional-type",
            );
            TensorScatter "tensor.scatter" Opaque pure, form(
                "source any, dest any, indices any -> scatter! any",
                "scatter_dims:dense unique:unit",
                "$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)` (`unique` $unique^)? attr-dict `:` functional-type",
            );
            TensorGenerate "tensor.generate" Opaque pure, form(
                "dynamicExtents* index -> generated! tensor {tensor.yield}",
                "",
                "$dynamicExtents region0 attr-dict `:` type($generated)",
            );
            TensorInsert "tensor.insert" Opaque pure, form(
                "T tensor; scalar elem(T), dest T, indices* index -> inserted! T",
                "",
                "$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)",
            );
            TensorPad "tensor.pad" Opaque pure, form(
                "source tensor, low* index, high* index -> padded! tensor {tensor.yield}",
                "static_low static_high nofold:unit",
                "$source (`nofold` $nofold^)? `low` `` mixed(static_low, low) `high` `` mixed(static_high, high) region0 attr-dict `:` type($source) `to` type($padded)",
            );
            TensorRank "tensor.rank" Opaque pure, form("tensor any -> rank! index", "", "$tensor attr-dict `:` type($tensor)");
            TensorReshape "tensor.reshape" Opaque pure, form(
                "source any, shape any -> reshape! any",
                "",
                "$source `(` $shape `)` attr-dict `:` functional-type",
            );
            TensorSplat "tensor.splat" Opaque pure, form(
                "T tensor; input elem(T), dynamicSizes* index -> splat! T",
                "",
                "$input (`[` $dynamicSizes^ `]`)? attr-dict `:` type($splat)",
            );
            TensorYield "tensor.yield" Opaque, form("value any ->", "", "$value attr-dict `:` type($value)");

            // bufferization
            BufferizationAllocTensor "bufferization.alloc_tensor" Opaque, form(
                "T any; dynamic_sizes* index, copy? T, size_hint? index -> result T",
                "memory_space",
                "`(` $dynamic_sizes `)` (`copy` `(` $copy^ `)`)? (`size_hint` `=` $size_hint^)? attr-dict `:` type($result)",
            );
            BufferizationClone "bufferization.clone" Opaque, RETYPE;
            BufferizationDealloc "bufferization.dealloc" Opaque, form(
                "memrefs* any, conditions* i1, retained* any -> updatedConditions* flag(retained)",
                "",
                "(` ` `(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)`)? (`retain` ` ` `(` $retained^ `:` type($retained) `)`)? attr-dict",
            );
            BufferizationDeallocTensor "bufferization.dealloc_tensor" Opaque, form("tensor any ->", "", "$tensor attr-dict `:` type($tensor)");
            BufferizationMaterializeInDestination "bufferization.materialize_in_destination" Opaque, form(
                "source any, dest any -> result? any",
                "restrict:unit writable:unit",
                "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict `:` functional-type",
            );
            BufferizationToBuffer "bufferization.to_buffer" Opaque, form(
                "tensor any -> buffer any",
                "read_only:unit",
                "$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($buffer)",
            );
            BufferizationToTensor "bufferization.to_tensor" Opaque, form(
                "buffer any -> result any",
                "restrict:unit writable:unit",
                "$buffer (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` type($buffer) `to` type($result)",
            );
            TensorExtractSlice "tensor.extract_slice" Slice pure, by_hand(
                "source tensor, offsets* index, sizes* index, strides* index -> extracted_slice! tensor",
                SLICE_ATTRS,
            );
            TensorInsertSlice "tensor.insert_slice" Slice pure, by_hand(
                "T tensor; source tensor, dest T, offsets* index, sizes* index, strides* index -> inserted_slice! T",
                SLICE_ATTRS,
            );
            TensorParallelInsertSlice "tensor.parallel_insert_slice" Write, by_hand(
                "source tensor, dest tensor, offsets* index, sizes* index, strides* index ->",
                SLICE_ATTRS,
            );
        }
    };
}
