//! Rows of the op table for what acts on whole tensors: `linalg`, `tensor`, `bufferization`.

/// The table: the rows that are given, and these.
macro_rules! with_tensor_rows {
    ($($rows:tt)*) => {
        with_iree_rows! {
            $($rows)*

            // linalg, tensor
            /// The product of two matrices, added to the output.
            LinalgMatmul "linalg.matmul" Structured, by_hand("inputs* any, outputs* any -> results* any {linalg.yield}", "indexing_maps cast");
            /// Computes a scalar region over a loop nest; a map for each operand says which element an iteration touches.
            LinalgGeneric "linalg.generic" Structured, by_hand(
                "inputs* any, outputs* any -> results* any {linalg.yield}",
                "indexing_maps iterator_types doc library_call",
            );
            /// Fills the output with a value.
            LinalgFill "linalg.fill" Structured, by_hand("inputs* any, outputs* any -> results* any {linalg.yield}", "");
            /// Leaves the region of a structured operation with the new elements.
            LinalgYield "linalg.yield" Yield, YIELD;
            /// The number of the iteration along a loop of the structured operation.
            LinalgIndex "linalg.index" Id pure, form("-> result index", "dim:i64", "$dim attr-dict `:` type($result)");
            /// A matrix product for each batch, added to the output.
            LinalgBatchMatmul "linalg.batch_matmul" Opaque pure, NAMED_MAPS;
            /// The sum over batches of matrix products, added to the output.
            LinalgBatchReduceMatmul "linalg.batch_reduce_matmul" Opaque pure, NAMED_MAPS;
            /// A product of matrix and vector for each batch, added to the output.
            LinalgBatchMatvec "linalg.batch_matvec" Opaque pure, NAMED_CAST;
            /// A product of vector and matrix for each batch, added to the output.
            LinalgBatchVecmat "linalg.batch_vecmat" Opaque pure, NAMED_CAST;
            /// The product of a matrix and a vector, added to the output.
            LinalgMatvec "linalg.matvec" Opaque pure, NAMED_CAST;
            /// The product of a vector and a matrix, added to the output.
            LinalgVecmat "linalg.vecmat" Opaque pure, NAMED_CAST;
            /// The inner product of two vectors, added to the output.
            LinalgDot "linalg.dot" Opaque pure, NAMED_CAST;
            /// The product of a tiled matrix and a tiled transposed matrix, added to the output.
            LinalgMmt4d "linalg.mmt4d" Opaque pure, NAMED_CAST;
            /// `linalg.mmt4d` for each batch.
            LinalgBatchMmt4d "linalg.batch_mmt4d" Opaque pure, NAMED_CAST;
            /// Multiplies two operands by indexing maps and sums the products into the output.
            LinalgContract "linalg.contract" Opaque pure, NAMED_MAPS;
            /// Computes elementwise, with operands that maps may broadcast or transpose.
            LinalgElementwise "linalg.elementwise" Opaque pure, by_hand(
                "inputs* any, outputs* any -> results* any {linalg.yield}",
                "kind indexing_maps",
            );
            /// Copies the input to the output, converted to its type.
            LinalgCopy "linalg.copy" Opaque, NAMED_CAST;
            /// The absolute value of each element.
            LinalgAbs "linalg.abs" Opaque pure, NAMED;
            /// Rounds each element up.
            LinalgCeil "linalg.ceil" Opaque pure, NAMED;
            /// The error function of each element.
            LinalgErf "linalg.erf" Opaque pure, NAMED;
            /// The exponential of each element.
            LinalgExp "linalg.exp" Opaque pure, NAMED;
            /// Rounds each element down.
            LinalgFloor "linalg.floor" Opaque pure, NAMED;
            /// The natural logarithm of each element.
            LinalgLog "linalg.log" Opaque pure, NAMED;
            /// Each element with the other sign.
            LinalgNegf "linalg.negf" Opaque pure, NAMED;
            /// One over each element.
            LinalgReciprocal "linalg.reciprocal" Opaque pure, NAMED;
            /// Each element rounded to an integer, halves away from zero.
            LinalgRound "linalg.round" Opaque pure, NAMED;
            /// The reciprocal square root of each element.
            LinalgRsqrt "linalg.rsqrt" Opaque pure, NAMED;
            /// The square root of each element.
            LinalgSqrt "linalg.sqrt" Opaque pure, NAMED;
            /// The square of each element.
            LinalgSquare "linalg.square" Opaque pure, NAMED;
            /// The hyperbolic tangent of each element.
            LinalgTanh "linalg.tanh" Opaque pure, NAMED;
            /// The elementwise sum.
            LinalgAdd "linalg.add" Opaque pure, NAMED;
            /// The elementwise quotient.
            LinalgDiv "linalg.div" Opaque pure, NAMED;
            /// The elementwise quotient of unsigned integers.
            LinalgDivUnsigned "linalg.div_unsigned" Opaque pure, NAMED;
            /// The elementwise maximum.
            LinalgMax "linalg.max" Opaque pure, NAMED;
            /// The elementwise minimum.
            LinalgMin "linalg.min" Opaque pure, NAMED;
            /// The elementwise product.
            LinalgMul "linalg.mul" Opaque pure, NAMED;
            /// The elementwise power.
            LinalgPowf "linalg.powf" Opaque pure, NAMED;
            /// The elementwise choice by a condition.
            LinalgSelect "linalg.select" Opaque pure, NAMED;
            /// The elementwise difference.
            LinalgSub "linalg.sub" Opaque pure, NAMED;
            /// A one-dimensional convolution, added to the output.
            LinalgConv1d "linalg.conv_1d" Opaque pure, NAMED;
            /// A one-dimensional convolution, added to the output; dimensions of the input are n c w, of the filter f c w.
            LinalgConv1dNcwFcw "linalg.conv_1d_ncw_fcw" Opaque pure, CONVOLUTION;
            /// A one-dimensional convolution, added to the output; dimensions of the input are n w c, of the filter w c f.
            LinalgConv1dNwcWcf "linalg.conv_1d_nwc_wcf" Opaque pure, CONVOLUTION;
            /// A two-dimensional convolution, added to the output.
            LinalgConv2d "linalg.conv_2d" Opaque pure, NAMED;
            /// A two-dimensional convolution, added to the output; dimensions of the input are n c h w, of the filter f c h w.
            LinalgConv2dNchwFchw "linalg.conv_2d_nchw_fchw" Opaque pure, CONVOLUTION;
            /// A two-dimensional grouped convolution, added to the output; dimensions of the input are n g c h w, of the filter f g c h w.
            LinalgConv2dNgchwFgchw "linalg.conv_2d_ngchw_fgchw" Opaque pure, CONVOLUTION;
            /// A two-dimensional grouped convolution, added to the output; dimensions of the input are n g c h w, of the filter g f c h w.
            LinalgConv2dNgchwGfchw "linalg.conv_2d_ngchw_gfchw" Opaque pure, CONVOLUTION;
            /// A two-dimensional convolution, added to the output; dimensions of the input are n h w c, of the filter f h w c.
            LinalgConv2dNhwcFhwc "linalg.conv_2d_nhwc_fhwc" Opaque pure, CONVOLUTION;
            /// A two-dimensional convolution, added to the output; dimensions of the input are n h w c, of the filter h w c f.
            LinalgConv2dNhwcHwcf "linalg.conv_2d_nhwc_hwcf" Opaque pure, CONVOLUTION;
            /// A two-dimensional grouped convolution, added to the output; dimensions of the input are n h w g c, of the filter g f h w c.
            LinalgConv2dNhwgcGfhwc "linalg.conv_2d_nhwgc_gfhwc" Opaque pure, CONVOLUTION;
            /// A three-dimensional convolution, added to the output.
            LinalgConv3d "linalg.conv_3d" Opaque pure, NAMED;
            /// A three-dimensional convolution, added to the output; dimensions of the input are n c d h w, of the filter f c d h w.
            LinalgConv3dNcdhwFcdhw "linalg.conv_3d_ncdhw_fcdhw" Opaque pure, CONVOLUTION;
            /// A three-dimensional convolution, added to the output; dimensions of the input are n d h w c, of the filter d h w c f.
            LinalgConv3dNdhwcDhwcf "linalg.conv_3d_ndhwc_dhwcf" Opaque pure, CONVOLUTION;
            /// A one-dimensional depthwise convolution, added to the output; dimensions of the input are n c w, of the filter c w.
            LinalgDepthwiseConv1dNcwCw "linalg.depthwise_conv_1d_ncw_cw" Opaque pure, CONVOLUTION;
            /// A one-dimensional depthwise convolution, added to the output; dimensions of the input are n w c, of the filter w c.
            LinalgDepthwiseConv1dNwcWc "linalg.depthwise_conv_1d_nwc_wc" Opaque pure, CONVOLUTION;
            /// A one-dimensional depthwise convolution, added to the output; dimensions of the input are n w c, of the filter w c m.
            LinalgDepthwiseConv1dNwcWcm "linalg.depthwise_conv_1d_nwc_wcm" Opaque pure, CONVOLUTION;
            /// A two-dimensional depthwise convolution, added to the output; dimensions of the input are n c h w, of the filter c h w.
            LinalgDepthwiseConv2dNchwChw "linalg.depthwise_conv_2d_nchw_chw" Opaque pure, CONVOLUTION;
            /// A two-dimensional depthwise convolution, added to the output; dimensions of the input are n h w c, of the filter h w c.
            LinalgDepthwiseConv2dNhwcHwc "linalg.depthwise_conv_2d_nhwc_hwc" Opaque pure, CONVOLUTION;
            /// A two-dimensional depthwise convolution, added to the output; dimensions of the input are n h w c, of the filter h w c m.
            LinalgDepthwiseConv2dNhwcHwcm "linalg.depthwise_conv_2d_nhwc_hwcm" Opaque pure, CONVOLUTION;
            /// A three-dimensional depthwise convolution, added to the output; dimensions of the input are n d h w c, of the filter d h w c.
            LinalgDepthwiseConv3dNdhwcDhwc "linalg.depthwise_conv_3d_ndhwc_dhwc" Opaque pure, CONVOLUTION;
            /// The maximum over a sliding window, combined with the output; dimensions of the input are n c h w.
            LinalgPoolingNchwMax "linalg.pooling_nchw_max" Opaque pure, CONVOLUTION;
            /// The sum over a sliding window, combined with the output; dimensions of the input are n c h w.
            LinalgPoolingNchwSum "linalg.pooling_nchw_sum" Opaque pure, CONVOLUTION;
            /// The maximum over a sliding window, combined with the output; dimensions of the input are n c w.
            LinalgPoolingNcwMax "linalg.pooling_ncw_max" Opaque pure, CONVOLUTION;
            /// The sum over a sliding window, combined with the output; dimensions of the input are n c w.
            LinalgPoolingNcwSum "linalg.pooling_ncw_sum" Opaque pure, CONVOLUTION;
            /// The maximum over a sliding window, combined with the output; dimensions of the input are n h w c.
            LinalgPoolingNhwcMax "linalg.pooling_nhwc_max" Opaque pure, CONVOLUTION;
            /// The minimum over a sliding window, combined with the output; dimensions of the input are n h w c.
            LinalgPoolingNhwcMin "linalg.pooling_nhwc_min" Opaque pure, CONVOLUTION;
            /// The sum over a sliding window, combined with the output; dimensions of the input are n h w c.
            LinalgPoolingNhwcSum "linalg.pooling_nhwc_sum" Opaque pure, CONVOLUTION;
            /// The maximum over a sliding window, combined with the output; dimensions of the input are n w c.
            LinalgPoolingNwcMax "linalg.pooling_nwc_max" Opaque pure, CONVOLUTION;
            /// The minimum over a sliding window, combined with the output; dimensions of the input are n w c.
            LinalgPoolingNwcMin "linalg.pooling_nwc_min" Opaque pure, CONVOLUTION;
            /// The sum over a sliding window, combined with the output; dimensions of the input are n w c.
            LinalgPoolingNwcSum "linalg.pooling_nwc_sum" Opaque pure, CONVOLUTION;
            /// The maximum over a sliding window, combined with the output; dimensions of the input are n d h w c.
            LinalgPoolingNdhwcMax "linalg.pooling_ndhwc_max" Opaque pure, CONVOLUTION;
            /// The minimum over a sliding window, combined with the output; dimensions of the input are n d h w c.
            LinalgPoolingNdhwcMin "linalg.pooling_ndhwc_min" Opaque pure, CONVOLUTION;
            /// The sum over a sliding window, combined with the output; dimensions of the input are n d h w c.
            LinalgPoolingNdhwcSum "linalg.pooling_ndhwc_sum" Opaque pure, CONVOLUTION;
            /// The maximum of unsigned integers over a sliding window, combined with the output; dimensions of the input are n h w c.
            LinalgPoolingNhwcMaxUnsigned "linalg.pooling_nhwc_max_unsigned" Opaque pure, CONVOLUTION;
            /// The minimum of unsigned integers over a sliding window, combined with the output; dimensions of the input are n h w c.
            LinalgPoolingNhwcMinUnsigned "linalg.pooling_nhwc_min_unsigned" Opaque pure, CONVOLUTION;
            /// The maximum of unsigned integers over a sliding window, combined with the output; dimensions of the input are n w c.
            LinalgPoolingNwcMaxUnsigned "linalg.pooling_nwc_max_unsigned" Opaque pure, CONVOLUTION;
            /// The minimum of unsigned integers over a sliding window, combined with the output; dimensions of the input are n w c.
            LinalgPoolingNwcMinUnsigned "linalg.pooling_nwc_min_unsigned" Opaque pure, CONVOLUTION;
            /// The product of two matrices whose zero points are subtracted first, added to the output.
            LinalgQuantizedMatmul "linalg.quantized_matmul" Opaque pure, NAMED;
            /// `linalg.quantized_matmul` for each batch.
            LinalgQuantizedBatchMatmul "linalg.quantized_batch_matmul" Opaque pure, NAMED;
            /// A two-dimensional convolution, added to the output; dimensions of the input are n c h w, of the filter f c h w; zero points are subtracted first.
            LinalgConv2dNchwFchwQ "linalg.conv_2d_nchw_fchw_q" Opaque pure, CONVOLUTION;
            /// A two-dimensional grouped convolution, added to the output; dimensions of the input are n g c h w, of the filter g f c h w; zero points are subtracted first.
            LinalgConv2dNgchwGfchwQ "linalg.conv_2d_ngchw_gfchw_q" Opaque pure, CONVOLUTION;
            /// A two-dimensional convolution, added to the output; dimensions of the input are n h w c, of the filter f h w c; zero points are subtracted first.
            LinalgConv2dNhwcFhwcQ "linalg.conv_2d_nhwc_fhwc_q" Opaque pure, CONVOLUTION;
            /// A two-dimensional convolution, added to the output; dimensions of the input are n h w c, of the filter h w c f; zero points are subtracted first.
            LinalgConv2dNhwcHwcfQ "linalg.conv_2d_nhwc_hwcf_q" Opaque pure, CONVOLUTION;
            /// A two-dimensional grouped convolution, added to the output; dimensions of the input are n h w g c, of the filter g f h w c; zero points are subtracted first.
            LinalgConv2dNhwgcGfhwcQ "linalg.conv_2d_nhwgc_gfhwc_q" Opaque pure, CONVOLUTION;
            /// A three-dimensional convolution, added to the output; dimensions of the input are n d h w c, of the filter d h w c f; zero points are subtracted first.
            LinalgConv3dNdhwcDhwcfQ "linalg.conv_3d_ndhwc_dhwcf_q" Opaque pure, CONVOLUTION;
            /// A two-dimensional depthwise convolution, added to the output; dimensions of the input are n h w c, of the filter h w c; zero points are subtracted first.
            LinalgDepthwiseConv2dNhwcHwcQ "linalg.depthwise_conv_2d_nhwc_hwc_q" Opaque pure, CONVOLUTION;
            /// A two-dimensional depthwise convolution, added to the output; dimensions of the input are n h w c, of the filter h w c m; zero points are subtracted first.
            LinalgDepthwiseConv2dNhwcHwcmQ "linalg.depthwise_conv_2d_nhwc_hwcm_q" Opaque pure, CONVOLUTION;
            /// A three-dimensional depthwise convolution, added to the output; dimensions of the input are n c d h w, of the filter c d h w.
            LinalgDepthwiseConv3dNcdhwCdhw "linalg.depthwise_conv_3d_ncdhw_cdhw" Opaque pure, CONVOLUTION;
            /// A three-dimensional depthwise convolution, added to the output; dimensions of the input are n d h w c, of the filter d h w c m.
            LinalgDepthwiseConv3dNdhwcDhwcm "linalg.depthwise_conv_3d_ndhwc_dhwcm" Opaque pure, CONVOLUTION;
            /// Permutes dimensions.
            LinalgTranspose "linalg.transpose" Opaque pure, by_hand(
                "input any, init any -> transposed!* any {linalg.yield}",
                "permutation:dense",
            );
            /// Repeats the input along new dimensions.
            LinalgBroadcast "linalg.broadcast" Opaque pure, by_hand(
                "input any, init any -> broadcasted!* any {linalg.yield}",
                "dimensions:dense",
            );
            /// Combines elements along dimensions by a region.
            LinalgReduce "linalg.reduce" Opaque pure, by_hand(
                "operands* any -> reduced!* any {linalg.yield}",
                "dimensions:dense",
            );
            /// Computes elementwise by a region.
            LinalgMap "linalg.map" Opaque pure, by_hand(
                "inputs* any, init any -> mapped!* any {linalg.yield}",
                "",
            );
            /// The exponentials along a dimension divided by their sum.
            LinalgSoftmax "linalg.softmax" Opaque pure, form(
                "input any, output any -> results* any",
                "dimension:i64",
                "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output) `)` (`->` type($results)^)?",
            );
            /// Tiles a tensor: tiles become inner dimensions, with padding at the ends.
            LinalgPack "linalg.pack" Opaque pure, form(
                "D any; source any, dest D, padding_value? any, inner_tiles* index -> pack! D",
                "outer_dims_perm:dense=?[] inner_dims_pos:dense static_inner_tiles",
                "$source (`padding_value` `(` $padding_value^ `:` type($padding_value) `)`)? (`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos `inner_tiles` `=` mixed(static_inner_tiles, inner_tiles) `into` $dest attr-dict `:` type($source) `->` type($dest)",
            );
            /// Undoes `linalg.pack`.
            LinalgUnpack "linalg.unpack" Opaque pure, form(
                "D any; source any, dest D, inner_tiles* index -> unpack! D",
                "outer_dims_perm:dense=?[] inner_dims_pos:dense static_inner_tiles",
                "$source (`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos `inner_tiles` `=` mixed(static_inner_tiles, inner_tiles) `into` $dest attr-dict `:` type($source) `->` type($dest)",
            );
            /// Transforms a filter for a Winograd convolution.
            LinalgWinogradFilterTransform "linalg.winograd_filter_transform" Opaque pure, LINALG_WINOGRAD;
            /// Transforms tiles of an image for a Winograd convolution.
            LinalgWinogradInputTransform "linalg.winograd_input_transform" Opaque pure, LINALG_WINOGRAD;
            /// Transforms the products of a Winograd convolution back.
            LinalgWinogradOutputTransform "linalg.winograd_output_transform" Opaque pure, LINALG_WINOGRAD;
            /// A tensor whose contents are not defined.
            TensorEmpty "tensor.empty" Empty pure, form(
                "dynamicSizes* index -> result tensor",
                "",
                "`(` $dynamicSizes `)` attr-dict `:` type($result)",
            );
            /// Reads the bits of each element as a type of the same width.
            TensorBitcast "tensor.bitcast" Opaque pure, RETYPE;
            /// The same tensor with a type that knows more or less of its shape.
            TensorCast "tensor.cast" Opaque pure, form("source any -> cast! any", "", "$source attr-dict `:` type($source) `to` type($cast)");
            /// Merges neighbouring dimensions.
            TensorCollapseShape "tensor.collapse_shape" Opaque pure, form(
                "src any -> collapsed! any",
                "reassociation",
                "$src $reassociation attr-dict `:` type($src) `into` type($collapsed)",
            );
            /// Puts tensors one behind the other along a dimension.
            TensorConcat "tensor.concat" Opaque pure, form(
                "inputs* tensor -> concat! tensor",
                "dim:i64",
                "`dim` `(` $dim `)` $inputs attr-dict `:` functional-type",
            );
            /// The extent of a dimension.
            TensorDim "tensor.dim" Opaque pure, DIM;
            /// Splits dimensions.
            TensorExpandShape "tensor.expand_shape" Opaque pure, form(
                "src any, output_shape* index -> expanded! any",
                "reassociation static_output_shape",
                "$src $reassociation `output_shape` mixed(static_output_shape, output_shape) attr-dict `:` type($src) `into` type($expanded)",
            );
            /// An element, by its indices.
            TensorExtract "tensor.extract" Opaque pure, form(
                "T tensor; tensor T, indices* index -> extracted! elem(T)",
                "",
                "$tensor `[` $indices `]` attr-dict `:` type($tensor)",
            );
            /// A tensor of given elements.
            TensorFromElements "tensor.from_elements" Opaque pure, form(
                "T tensor; elements* elem(T) -> from_elements! T",
                "",
                "$elements attr-dict `:` type($from_elements)",
            );
            /// Slices at coordinates that a tensor gives.
            TensorGather "tensor.gather" Opaque pure, form(
                "source any, indices any -> gathered! any",
                "gather_dims:dense unique:unit",
                "$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` (`unique` $unique^)? attr-dict `:` functional-type",
            );
            /// Puts slices at coordinates that a tensor gives.
            TensorScatter "tensor.scatter" Opaque pure, form(
                "source any, dest any, indices any -> scatter! any",
                "scatter_dims:dense unique:unit",
                "$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)` (`unique` $unique^)? attr-dict `:` functional-type",
            );
            /// A tensor whose elements a region computes from their indices.
            TensorGenerate "tensor.generate" Opaque pure, form(
                "dynamicExtents* index -> generated! tensor {tensor.yield}",
                "",
                "$dynamicExtents region0 attr-dict `:` type($generated)",
            );
            /// Puts an element in, by its indices.
            TensorInsert "tensor.insert" Opaque pure, form(
                "T tensor; scalar elem(T), dest T, indices* index -> inserted! T",
                "",
                "$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)",
            );
            /// Surrounds a tensor with elements that a region computes.
            TensorPad "tensor.pad" Opaque pure, form(
                "source tensor, low* index, high* index -> padded! tensor {tensor.yield}",
                "static_low static_high nofold:unit",
                "$source (`nofold` $nofold^)? `low` `` mixed(static_low, low) `high` `` mixed(static_high, high) region0 attr-dict `:` type($source) `to` type($padded)",
            );
            /// The number of dimensions.
            TensorRank "tensor.rank" Opaque pure, form("tensor any -> rank! index", "", "$tensor attr-dict `:` type($tensor)");
            /// The same elements in row-major order in a shape that a tensor gives.
            TensorReshape "tensor.reshape" Opaque pure, form(
                "source any, shape any -> reshape! any",
                "",
                "$source `(` $shape `)` attr-dict `:` functional-type",
            );
            /// A tensor filled with a value.
            TensorSplat "tensor.splat" Opaque pure, form(
                "T tensor; input elem(T), dynamicSizes* index -> splat! T",
                "",
                "$input (`[` $dynamicSizes^ `]`)? attr-dict `:` type($splat)",
            );
            /// Leaves a region with an element.
            TensorYield "tensor.yield" Opaque, form("value any ->", "", "$value attr-dict `:` type($value)");

            // bufferization
            /// A tensor with a buffer of its own.
            BufferizationAllocTensor "bufferization.alloc_tensor" Opaque, form(
                "T any; dynamic_sizes* index, copy? T, size_hint? index -> result T",
                "memory_space",
                "`(` $dynamic_sizes `)` (`copy` `(` $copy^ `)`)? (`size_hint` `=` $size_hint^)? attr-dict `:` type($result)",
            );
            /// A copy of a buffer that may share its memory.
            BufferizationClone "bufferization.clone" Opaque, RETYPE;
            /// Frees buffers that nobody owns.
            BufferizationDealloc "bufferization.dealloc" Opaque, form(
                "memrefs* any, conditions* i1, retained* any -> updatedConditions* flag(retained)",
                "",
                "(` ` `(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)`)? (`retain` ` ` `(` $retained^ `:` type($retained) `)`)? attr-dict",
            );
            /// Frees the buffer of a tensor.
            BufferizationDeallocTensor "bufferization.dealloc_tensor" Opaque, form("tensor any ->", "", "$tensor attr-dict `:` type($tensor)");
            /// Puts a tensor into a destination.
            BufferizationMaterializeInDestination "bufferization.materialize_in_destination" Opaque, form(
                "source any, dest any -> result? any",
                "restrict:unit writable:unit",
                "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict `:` functional-type",
            );
            /// The buffer of a tensor.
            BufferizationToBuffer "bufferization.to_buffer" Opaque, form(
                "tensor any -> buffer any",
                "read_only:unit",
                "$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($buffer)",
            );
            /// A buffer's contents as a tensor.
            BufferizationToTensor "bufferization.to_tensor" Opaque, form(
                "buffer any -> result any",
                "restrict:unit writable:unit",
                "$buffer (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` type($buffer) `to` type($result)",
            );
            /// Takes a rectangle out, with steps.
            TensorExtractSlice "tensor.extract_slice" Slice pure, by_hand(
                "source tensor, offsets* index, sizes* index, strides* index -> extracted_slice! tensor",
                SLICE_ATTRS,
            );
            /// Puts a rectangle in, with steps.
            TensorInsertSlice "tensor.insert_slice" Slice pure, by_hand(
                "T tensor; source tensor, dest T, offsets* index, sizes* index, strides* index -> inserted_slice! T",
                SLICE_ATTRS,
            );
            /// Puts a rectangle into the output that the iterations of an `scf.forall` share.
            TensorParallelInsertSlice "tensor.parallel_insert_slice" Write, by_hand(
                "source tensor, dest tensor, offsets* index, sizes* index, strides* index ->",
                SLICE_ATTRS,
            );
        }
    };
}
