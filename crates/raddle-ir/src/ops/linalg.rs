//! Rows of `linalg`: structured operations.

use super::forms::*;

dialect! { Linalg:
    /// The product of two matrices, added to the output.
    LinalgMatmul "linalg.matmul" Structured into(outputs), by_hand("inputs* any, outputs* any -> results* any {linalg.yield}", "indexing_maps cast");
    /// Computes a scalar region over a loop nest; a map for each operand says which element an iteration touches.
    LinalgGeneric "linalg.generic" Structured into(outputs), by_hand(
        "inputs* any, outputs* any -> results* any {linalg.yield}",
        "indexing_maps iterator_types doc library_call",
    );
    /// Fills the output with a value.
    LinalgFill "linalg.fill" Structured into(outputs), by_hand("inputs* any, outputs* any -> results* any {linalg.yield}", "");
    /// Leaves the region of a structured operation with the new elements.
    LinalgYield "linalg.yield" Yield, YIELD;
    /// The number of the iteration along a loop of the structured operation.
    LinalgIndex "linalg.index" Id pure, form("-> result index", "dim:i64", "$dim attr-dict `:` type($result)");
    /// A matrix product for each batch, added to the output.
    LinalgBatchMatmul "linalg.batch_matmul" Opaque pure into(outputs), NAMED_MAPS;
    /// The sum over batches of matrix products, added to the output.
    LinalgBatchReduceMatmul "linalg.batch_reduce_matmul" Opaque pure into(outputs), NAMED_MAPS;
    /// A product of matrix and vector for each batch, added to the output.
    LinalgBatchMatvec "linalg.batch_matvec" Opaque pure into(outputs), NAMED_CAST;
    /// A product of vector and matrix for each batch, added to the output.
    LinalgBatchVecmat "linalg.batch_vecmat" Opaque pure into(outputs), NAMED_CAST;
    /// The product of a matrix and a vector, added to the output.
    LinalgMatvec "linalg.matvec" Opaque pure into(outputs), NAMED_CAST;
    /// The product of a vector and a matrix, added to the output.
    LinalgVecmat "linalg.vecmat" Opaque pure into(outputs), NAMED_CAST;
    /// The inner product of two vectors, added to the output.
    LinalgDot "linalg.dot" Opaque pure into(outputs), NAMED_CAST;
    /// The product of a tiled matrix and a tiled transposed matrix, added to the output.
    LinalgMmt4d "linalg.mmt4d" Opaque pure into(outputs), NAMED_CAST;
    /// `linalg.mmt4d` for each batch.
    LinalgBatchMmt4d "linalg.batch_mmt4d" Opaque pure into(outputs), NAMED_CAST;
    /// Multiplies two operands by indexing maps and sums the products into the output.
    LinalgContract "linalg.contract" Opaque pure into(outputs), NAMED_MAPS;
    /// Computes elementwise, with operands that maps may broadcast or transpose.
    LinalgElementwise "linalg.elementwise" Opaque pure into(outputs), by_hand(
        "inputs* any, outputs* any -> results* any {linalg.yield}",
        "kind indexing_maps",
    );
    /// Copies the input to the output, converted to its type.
    LinalgCopy "linalg.copy" Opaque into(outputs), NAMED_CAST;
    /// The absolute value of each element.
    LinalgAbs "linalg.abs" Opaque pure into(outputs), NAMED;
    /// Rounds each element up.
    LinalgCeil "linalg.ceil" Opaque pure into(outputs), NAMED;
    /// The error function of each element.
    LinalgErf "linalg.erf" Opaque pure into(outputs), NAMED;
    /// The exponential of each element.
    LinalgExp "linalg.exp" Opaque pure into(outputs), NAMED;
    /// Rounds each element down.
    LinalgFloor "linalg.floor" Opaque pure into(outputs), NAMED;
    /// The natural logarithm of each element.
    LinalgLog "linalg.log" Opaque pure into(outputs), NAMED;
    /// Each element with the other sign.
    LinalgNegf "linalg.negf" Opaque pure into(outputs), NAMED;
    /// One over each element.
    LinalgReciprocal "linalg.reciprocal" Opaque pure into(outputs), NAMED;
    /// Each element rounded to an integer, halves away from zero.
    LinalgRound "linalg.round" Opaque pure into(outputs), NAMED;
    /// The reciprocal square root of each element.
    LinalgRsqrt "linalg.rsqrt" Opaque pure into(outputs), NAMED;
    /// The square root of each element.
    LinalgSqrt "linalg.sqrt" Opaque pure into(outputs), NAMED;
    /// The square of each element.
    LinalgSquare "linalg.square" Opaque pure into(outputs), NAMED;
    /// The hyperbolic tangent of each element.
    LinalgTanh "linalg.tanh" Opaque pure into(outputs), NAMED;
    /// The elementwise sum.
    LinalgAdd "linalg.add" Opaque pure into(outputs), NAMED;
    /// The elementwise quotient.
    LinalgDiv "linalg.div" Opaque pure into(outputs), NAMED;
    /// The elementwise quotient of unsigned integers.
    LinalgDivUnsigned "linalg.div_unsigned" Opaque pure into(outputs), NAMED;
    /// The elementwise maximum.
    LinalgMax "linalg.max" Opaque pure into(outputs), NAMED;
    /// The elementwise minimum.
    LinalgMin "linalg.min" Opaque pure into(outputs), NAMED;
    /// The elementwise product.
    LinalgMul "linalg.mul" Opaque pure into(outputs), NAMED;
    /// The elementwise power.
    LinalgPowf "linalg.powf" Opaque pure into(outputs), NAMED;
    /// The elementwise choice by a condition.
    LinalgSelect "linalg.select" Opaque pure into(outputs), NAMED;
    /// The elementwise difference.
    LinalgSub "linalg.sub" Opaque pure into(outputs), NAMED;
    /// A one-dimensional convolution, added to the output.
    LinalgConv1d "linalg.conv_1d" Opaque pure into(outputs), NAMED;
    /// A one-dimensional convolution, added to the output; dimensions of the input are n c w, of the filter f c w.
    LinalgConv1dNcwFcw "linalg.conv_1d_ncw_fcw" Opaque pure into(outputs), CONVOLUTION;
    /// A one-dimensional convolution, added to the output; dimensions of the input are n w c, of the filter w c f.
    LinalgConv1dNwcWcf "linalg.conv_1d_nwc_wcf" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional convolution, added to the output.
    LinalgConv2d "linalg.conv_2d" Opaque pure into(outputs), NAMED;
    /// A two-dimensional convolution, added to the output; dimensions of the input are n c h w, of the filter f c h w.
    LinalgConv2dNchwFchw "linalg.conv_2d_nchw_fchw" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional grouped convolution, added to the output; dimensions of the input are n g c h w, of the filter f g c h w.
    LinalgConv2dNgchwFgchw "linalg.conv_2d_ngchw_fgchw" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional grouped convolution, added to the output; dimensions of the input are n g c h w, of the filter g f c h w.
    LinalgConv2dNgchwGfchw "linalg.conv_2d_ngchw_gfchw" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional convolution, added to the output; dimensions of the input are n h w c, of the filter f h w c.
    LinalgConv2dNhwcFhwc "linalg.conv_2d_nhwc_fhwc" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional convolution, added to the output; dimensions of the input are n h w c, of the filter h w c f.
    LinalgConv2dNhwcHwcf "linalg.conv_2d_nhwc_hwcf" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional grouped convolution, added to the output; dimensions of the input are n h w g c, of the filter g f h w c.
    LinalgConv2dNhwgcGfhwc "linalg.conv_2d_nhwgc_gfhwc" Opaque pure into(outputs), CONVOLUTION;
    /// A three-dimensional convolution, added to the output.
    LinalgConv3d "linalg.conv_3d" Opaque pure into(outputs), NAMED;
    /// A three-dimensional convolution, added to the output; dimensions of the input are n c d h w, of the filter f c d h w.
    LinalgConv3dNcdhwFcdhw "linalg.conv_3d_ncdhw_fcdhw" Opaque pure into(outputs), CONVOLUTION;
    /// A three-dimensional convolution, added to the output; dimensions of the input are n d h w c, of the filter d h w c f.
    LinalgConv3dNdhwcDhwcf "linalg.conv_3d_ndhwc_dhwcf" Opaque pure into(outputs), CONVOLUTION;
    /// A one-dimensional depthwise convolution, added to the output; dimensions of the input are n c w, of the filter c w.
    LinalgDepthwiseConv1dNcwCw "linalg.depthwise_conv_1d_ncw_cw" Opaque pure into(outputs), CONVOLUTION;
    /// A one-dimensional depthwise convolution, added to the output; dimensions of the input are n w c, of the filter w c.
    LinalgDepthwiseConv1dNwcWc "linalg.depthwise_conv_1d_nwc_wc" Opaque pure into(outputs), CONVOLUTION;
    /// A one-dimensional depthwise convolution, added to the output; dimensions of the input are n w c, of the filter w c m.
    LinalgDepthwiseConv1dNwcWcm "linalg.depthwise_conv_1d_nwc_wcm" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional depthwise convolution, added to the output; dimensions of the input are n c h w, of the filter c h w.
    LinalgDepthwiseConv2dNchwChw "linalg.depthwise_conv_2d_nchw_chw" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional depthwise convolution, added to the output; dimensions of the input are n h w c, of the filter h w c.
    LinalgDepthwiseConv2dNhwcHwc "linalg.depthwise_conv_2d_nhwc_hwc" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional depthwise convolution, added to the output; dimensions of the input are n h w c, of the filter h w c m.
    LinalgDepthwiseConv2dNhwcHwcm "linalg.depthwise_conv_2d_nhwc_hwcm" Opaque pure into(outputs), CONVOLUTION;
    /// A three-dimensional depthwise convolution, added to the output; dimensions of the input are n d h w c, of the filter d h w c.
    LinalgDepthwiseConv3dNdhwcDhwc "linalg.depthwise_conv_3d_ndhwc_dhwc" Opaque pure into(outputs), CONVOLUTION;
    /// The maximum over a sliding window, combined with the output; dimensions of the input are n c h w.
    LinalgPoolingNchwMax "linalg.pooling_nchw_max" Opaque pure into(outputs), CONVOLUTION;
    /// The sum over a sliding window, combined with the output; dimensions of the input are n c h w.
    LinalgPoolingNchwSum "linalg.pooling_nchw_sum" Opaque pure into(outputs), CONVOLUTION;
    /// The maximum over a sliding window, combined with the output; dimensions of the input are n c w.
    LinalgPoolingNcwMax "linalg.pooling_ncw_max" Opaque pure into(outputs), CONVOLUTION;
    /// The sum over a sliding window, combined with the output; dimensions of the input are n c w.
    LinalgPoolingNcwSum "linalg.pooling_ncw_sum" Opaque pure into(outputs), CONVOLUTION;
    /// The maximum over a sliding window, combined with the output; dimensions of the input are n h w c.
    LinalgPoolingNhwcMax "linalg.pooling_nhwc_max" Opaque pure into(outputs), CONVOLUTION;
    /// The minimum over a sliding window, combined with the output; dimensions of the input are n h w c.
    LinalgPoolingNhwcMin "linalg.pooling_nhwc_min" Opaque pure into(outputs), CONVOLUTION;
    /// The sum over a sliding window, combined with the output; dimensions of the input are n h w c.
    LinalgPoolingNhwcSum "linalg.pooling_nhwc_sum" Opaque pure into(outputs), CONVOLUTION;
    /// The maximum over a sliding window, combined with the output; dimensions of the input are n w c.
    LinalgPoolingNwcMax "linalg.pooling_nwc_max" Opaque pure into(outputs), CONVOLUTION;
    /// The minimum over a sliding window, combined with the output; dimensions of the input are n w c.
    LinalgPoolingNwcMin "linalg.pooling_nwc_min" Opaque pure into(outputs), CONVOLUTION;
    /// The sum over a sliding window, combined with the output; dimensions of the input are n w c.
    LinalgPoolingNwcSum "linalg.pooling_nwc_sum" Opaque pure into(outputs), CONVOLUTION;
    /// The maximum over a sliding window, combined with the output; dimensions of the input are n d h w c.
    LinalgPoolingNdhwcMax "linalg.pooling_ndhwc_max" Opaque pure into(outputs), CONVOLUTION;
    /// The minimum over a sliding window, combined with the output; dimensions of the input are n d h w c.
    LinalgPoolingNdhwcMin "linalg.pooling_ndhwc_min" Opaque pure into(outputs), CONVOLUTION;
    /// The sum over a sliding window, combined with the output; dimensions of the input are n d h w c.
    LinalgPoolingNdhwcSum "linalg.pooling_ndhwc_sum" Opaque pure into(outputs), CONVOLUTION;
    /// The maximum of unsigned integers over a sliding window, combined with the output; dimensions of the input are n h w c.
    LinalgPoolingNhwcMaxUnsigned "linalg.pooling_nhwc_max_unsigned" Opaque pure into(outputs), CONVOLUTION;
    /// The minimum of unsigned integers over a sliding window, combined with the output; dimensions of the input are n h w c.
    LinalgPoolingNhwcMinUnsigned "linalg.pooling_nhwc_min_unsigned" Opaque pure into(outputs), CONVOLUTION;
    /// The maximum of unsigned integers over a sliding window, combined with the output; dimensions of the input are n w c.
    LinalgPoolingNwcMaxUnsigned "linalg.pooling_nwc_max_unsigned" Opaque pure into(outputs), CONVOLUTION;
    /// The minimum of unsigned integers over a sliding window, combined with the output; dimensions of the input are n w c.
    LinalgPoolingNwcMinUnsigned "linalg.pooling_nwc_min_unsigned" Opaque pure into(outputs), CONVOLUTION;
    /// The product of two matrices whose zero points are subtracted first, added to the output.
    LinalgQuantizedMatmul "linalg.quantized_matmul" Opaque pure into(outputs), NAMED;
    /// `linalg.quantized_matmul` for each batch.
    LinalgQuantizedBatchMatmul "linalg.quantized_batch_matmul" Opaque pure into(outputs), NAMED;
    /// A two-dimensional convolution, added to the output; dimensions of the input are n c h w, of the filter f c h w; zero points are subtracted first.
    LinalgConv2dNchwFchwQ "linalg.conv_2d_nchw_fchw_q" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional grouped convolution, added to the output; dimensions of the input are n g c h w, of the filter g f c h w; zero points are subtracted first.
    LinalgConv2dNgchwGfchwQ "linalg.conv_2d_ngchw_gfchw_q" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional convolution, added to the output; dimensions of the input are n h w c, of the filter f h w c; zero points are subtracted first.
    LinalgConv2dNhwcFhwcQ "linalg.conv_2d_nhwc_fhwc_q" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional convolution, added to the output; dimensions of the input are n h w c, of the filter h w c f; zero points are subtracted first.
    LinalgConv2dNhwcHwcfQ "linalg.conv_2d_nhwc_hwcf_q" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional grouped convolution, added to the output; dimensions of the input are n h w g c, of the filter g f h w c; zero points are subtracted first.
    LinalgConv2dNhwgcGfhwcQ "linalg.conv_2d_nhwgc_gfhwc_q" Opaque pure into(outputs), CONVOLUTION;
    /// A three-dimensional convolution, added to the output; dimensions of the input are n d h w c, of the filter d h w c f; zero points are subtracted first.
    LinalgConv3dNdhwcDhwcfQ "linalg.conv_3d_ndhwc_dhwcf_q" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional depthwise convolution, added to the output; dimensions of the input are n h w c, of the filter h w c; zero points are subtracted first.
    LinalgDepthwiseConv2dNhwcHwcQ "linalg.depthwise_conv_2d_nhwc_hwc_q" Opaque pure into(outputs), CONVOLUTION;
    /// A two-dimensional depthwise convolution, added to the output; dimensions of the input are n h w c, of the filter h w c m; zero points are subtracted first.
    LinalgDepthwiseConv2dNhwcHwcmQ "linalg.depthwise_conv_2d_nhwc_hwcm_q" Opaque pure into(outputs), CONVOLUTION;
    /// A three-dimensional depthwise convolution, added to the output; dimensions of the input are n c d h w, of the filter c d h w.
    LinalgDepthwiseConv3dNcdhwCdhw "linalg.depthwise_conv_3d_ncdhw_cdhw" Opaque pure into(outputs), CONVOLUTION;
    /// A three-dimensional depthwise convolution, added to the output; dimensions of the input are n d h w c, of the filter d h w c m.
    LinalgDepthwiseConv3dNdhwcDhwcm "linalg.depthwise_conv_3d_ndhwc_dhwcm" Opaque pure into(outputs), CONVOLUTION;
    /// Permutes dimensions.
    LinalgTranspose "linalg.transpose" Opaque pure into(init), by_hand(
        "input any, init any -> transposed!* any {linalg.yield}",
        "permutation:dense",
    );
    /// Repeats the input along new dimensions.
    LinalgBroadcast "linalg.broadcast" Opaque pure into(init), by_hand(
        "input any, init any -> broadcasted!* any {linalg.yield}",
        "dimensions:dense",
    );
    /// Combines elements along dimensions by a region.
    LinalgReduce "linalg.reduce" Opaque pure, by_hand(
        "operands* any -> reduced!* any {linalg.yield}",
        "dimensions:dense",
    );
    /// Computes elementwise by a region.
    LinalgMap "linalg.map" Opaque pure into(init), by_hand(
        "inputs* any, init any -> mapped!* any {linalg.yield}",
        "",
    );
    /// The exponentials along a dimension divided by their sum.
    LinalgSoftmax "linalg.softmax" Opaque pure into(output), form(
        "input any, output any -> results* any",
        "dimension:i64",
        "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output) `)` (`->` type($results)^)?",
    );
    /// Tiles a tensor: tiles become inner dimensions, with padding at the ends.
    LinalgPack "linalg.pack" Opaque pure into(dest), form(
        "D any; source any, dest D, padding_value? any, inner_tiles* index -> pack! D",
        "outer_dims_perm:dense=?[] inner_dims_pos:dense static_inner_tiles",
        "$source (`padding_value` `(` $padding_value^ `:` type($padding_value) `)`)? (`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos `inner_tiles` `=` mixed(static_inner_tiles, inner_tiles) `into` $dest attr-dict `:` type($source) `->` type($dest)",
    );
    /// Undoes `linalg.pack`.
    LinalgUnpack "linalg.unpack" Opaque pure into(dest), form(
        "D any; source any, dest D, inner_tiles* index -> unpack! D",
        "outer_dims_perm:dense=?[] inner_dims_pos:dense static_inner_tiles",
        "$source (`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos `inner_tiles` `=` mixed(static_inner_tiles, inner_tiles) `into` $dest attr-dict `:` type($source) `->` type($dest)",
    );
    /// Transforms a filter for a Winograd convolution.
    LinalgWinogradFilterTransform "linalg.winograd_filter_transform" Opaque pure into(output), LINALG_WINOGRAD;
    /// Transforms tiles of an image for a Winograd convolution.
    LinalgWinogradInputTransform "linalg.winograd_input_transform" Opaque pure into(output), LINALG_WINOGRAD;
    /// Transforms the products of a Winograd convolution back.
    LinalgWinogradOutputTransform "linalg.winograd_output_transform" Opaque pure into(output), LINALG_WINOGRAD;
}
