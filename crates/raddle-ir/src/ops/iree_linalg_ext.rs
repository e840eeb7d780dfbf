//! Rows of `iree_linalg_ext`: structured operations that `linalg` lacks.

use super::forms::*;

dialect! { IreeLinalgExt:
    /// Combines slices of updates into the output at indices that a tensor gives.
    IreeLinalgExtScatter "iree_linalg_ext.scatter" Opaque into(original), form(
        "updates ranked, indices ranked, mask? ranked, original ranked -> results* tensor {~iree_linalg_ext.yield}",
        "dimension_map:dense unique_indices:bool=true",
        "attr-dict `dimension_map` `=` $dimension_map `unique_indices` `(` $unique_indices `)` `ins` `(` $updates `,` $indices (`,` $mask^)? `:` type($updates) `,` type($indices) (`,` type($mask)^)? `)` `outs` `(` $original `:` type($original) `)` region0 (`->` type($results)^)?",
    );
    /// Slices of a tensor at indices that a tensor gives.
    IreeLinalgExtGather "iree_linalg_ext.gather" Opaque into(output), form(
        "source ranked, indices ranked, mask? ranked, output ranked -> results* tensor",
        "dimension_map:dense",
        "attr-dict `dimension_map` `=` $dimension_map `ins` `(` $source `,` $indices (`,` $mask^)? `:` type($source) `,` type($indices) (`,` type($mask)^)? `)` `outs` `(` $output `:` type($output) `)` (`->` type($results)^)?",
    );
    /// Reads each element of the output from where a region says.
    IreeLinalgExtMapLoad "iree_linalg_ext.map_load" Opaque into(output), MAP_STORE;
    /// Writes each element of the input to where a region says.
    IreeLinalgExtMapStore "iree_linalg_ext.map_store" Opaque into(output), MAP_STORE;
    /// Sorts along a dimension by a comparison, several tensors alike.
    IreeLinalgExtSort "iree_linalg_ext.sort" Opaque into(outputs), form(
        "inputs* any, outputs* shaped -> results* tensor {~iree_linalg_ext.yield}",
        "dimension:i64",
        "attr-dict `dimension` `(` $dimension `)` (`ins` `(` $inputs^ `:` type($inputs) `)`)? `outs` `(` $outputs `:` type($outputs) `)` region0 (`->` type($results)^)?",
    );
    /// One stage of a fast Fourier transform, in place.
    IreeLinalgExtFft "iree_linalg_ext.fft" Opaque into(real) into(imag), form(
        "stage any, real_coeff? shaped, imag_coeff? shaped, real shaped, imag shaped -> results* tensor",
        "",
        "attr-dict `ins` `(` $stage (`,` $real_coeff^ `,` $imag_coeff)? `:` type($stage) (`,` type($real_coeff)^ `,` type($imag_coeff))? `)` `outs` `(` $real `,` $imag `:` type($real) `,` type($imag) `)` (`:` type($results)^)?",
    );
    /// Combines each element along a dimension with those before it, and gives the total.
    IreeLinalgExtScan "iree_linalg_ext.scan" Opaque into(output) into(accumulator), form(
        "input shaped, output shaped, accumulator shaped -> results* tensor {~iree_linalg_ext.yield}",
        "dimension:i64 inclusive:bool",
        "attr-dict `dimension` `(` $dimension `)` `inclusive` `(` $inclusive `)` `ins` `(` $input `:` type($input) `)` `outs` `(` $output `,` $accumulator `:` type($output) `,` type($accumulator) `)` region0 (`->` type($results)^)?",
    );
    /// The first elements along a dimension in the order of a comparison, and their indices.
    IreeLinalgExtTopk "iree_linalg_ext.topk" Opaque into(output_values) into(output_indices), form(
        "values shaped, indices? shaped, output_values shaped, output_indices shaped -> results* tensor {~iree_linalg_ext.yield}",
        "dimension:i64",
        "attr-dict `dimension` `(` $dimension `)` `ins` `(` $values (`,` $indices^)? `:` type($values) (`,` type($indices)^)? `)` `outs` `(` $output_values `,` $output_indices `:` type($output_values) `,` type($output_indices) `)` region0 (`->` type($results)^)?",
    );
    /// The first elements along a dimension in the order of a comparison, and their indices if asked for.
    IreeLinalgExtTopkV2 "iree_linalg_ext.topk_v2" Opaque into(output_values) into(output_indices), form(
        "values shaped, input_indices? shaped, output_values shaped, output_indices? shaped -> results* tensor {~iree_linalg_ext.yield}",
        "dimension:i64 is_sorted:unit",
        "attr-dict `dimension` `(` $dimension `)` (`is_sorted` $is_sorted^)? `ins` `(` $values (`,` $input_indices^)? `:` type($values) (`,` type($input_indices)^)? `)` `outs` `(` $output_values (`,` $output_indices^)? `:` type($output_values) (`,` type($output_indices)^)? `)` region0 (`->` type($results)^)?",
    );
    /// The best element along a dimension by a comparison, and its index.
    IreeLinalgExtArgCompare "iree_linalg_ext.arg_compare" Opaque into(output_value) into(output_index), form(
        "input_value shaped, input_index? shaped, output_value shaped, output_index shaped, index_base? index -> results* tensor {~iree_linalg_ext.yield}",
        "dimension:i64",
        "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input_value (`,` $input_index^)? `:` type($input_value) (`,` type($input_index)^)? `)` `outs` `(` $output_value `,` $output_index `:` type($output_value) `,` type($output_index) `)` (`index_base` `(` $index_base^ `:` type($index_base) `)`)? region0 (`->` type($results)^)?",
    );
    /// Numbers as integers of a scale: divided by it, rounded to even, moved by the zero point and clamped.
    IreeLinalgExtQuantizeAffine "iree_linalg_ext.quantize_affine" Opaque into(output), form(
        "input any, scale any, zero_point? any, output shaped -> results* tensor",
        "indexing_maps quant_min:i64 quant_max:i64 storage_unsigned:unit zp_unsigned:unit",
        "struct($indexing_maps $quant_min $quant_max $storage_unsigned $zp_unsigned) attr-dict `ins` `(` $input `,` $scale (`,` $zero_point^)? `:` type($input) `,` type($scale) (`,` type($zero_point)^)? `)` `outs` `(` $output `:` type($output) `)` (`->` type($results)^)?",
    );
    /// Integers of a scale as numbers: less the zero point, times the scale.
    IreeLinalgExtDequantizeAffine "iree_linalg_ext.dequantize_affine" Opaque into(output), form(
        "input any, scale any, zero_point? any, output shaped -> results* tensor",
        "indexing_maps quant_min:i64 quant_max:i64 input_unsigned:unit zp_unsigned:unit",
        "struct($indexing_maps $quant_min $quant_max $input_unsigned $zp_unsigned) attr-dict `ins` `(` $input `,` $scale (`,` $zero_point^)? `:` type($input) `,` type($scale) (`,` type($zero_point)^)? `)` `outs` `(` $output `:` type($output) `)` (`->` type($results)^)?",
    );
    /// Scaled dot-product attention: the softmax of query times key, times value. Its region may ask for elements of the last inputs, too.
    IreeLinalgExtAttention "iree_linalg_ext.attention" Opaque into(output), form(
        "query shaped, key shaped, value shaped, scale any, masks* shaped, output shaped -> results* tensor {~iree_linalg_ext.yield}",
        "indexing_maps decomposition_config",
        "attr-dict `ins` `(` $query `,` $key `,` $value `,` $scale (`,` $masks^)? `:` type($query) `,` type($key) `,` type($value) `,` type($scale) (`,` type($masks)^)? `)` `outs` `(` $output `:` type($output) `)` region0 (`->` type($results)^)?",
    );
    /// One step of attention over a part of the keys, with running maximum and sum.
    IreeLinalgExtOnlineAttention "iree_linalg_ext.online_attention" Opaque into(output) into(max) into(sum), form(
        "query shaped, key shaped, value shaped, scale any, masks* shaped, output shaped, max shaped, sum shaped -> results* tensor {~iree_linalg_ext.yield}",
        "indexing_maps decomposition_config",
        "attr-dict `ins` `(` $query `,` $key `,` $value `,` $scale (`,` $masks^)? `:` type($query) `,` type($key) `,` type($value) `,` type($scale) (`,` type($masks)^)? `)` `outs` `(` $output `,` $max `,` $sum `:` type($output) `,` type($max) `,` type($sum) `)` region0 (`->` type($results)^)?",
    );
    /// Reductions of exponentials that are rescaled by a running maximum.
    IreeLinalgExtExpReduction "iree_linalg_ext.exp_reduction" Opaque into(outputs), form(
        "inputs* tensor, outputs* tensor -> results* tensor {~iree_linalg_ext.yield}",
        "indexing_maps iterator_types exp_reduced_operands:dense",
        "`{` `indexing_maps` `=` $indexing_maps `,` `iterator_types` `=` $iterator_types `,` `exp_reduced_operands` `=` $exp_reduced_operands `}` attr-dict `ins` `(` $inputs `:` type($inputs) `)` `outs` `(` $outputs `:` type($outputs) `)` region0 (`->` type($results)^)?",
    );
    /// Unfolds the windows of a convolution into rows of a matrix.
    IreeLinalgExtIm2col "iree_linalg_ext.im2col" Opaque into(output), by_hand(
        "input shaped, output shaped, kernel_size* index, offsets* index, output_sizes* index, input_pad_low* index, input_pad_high* index, output_pad_low* index, output_pad_high* index, pad_value? any -> results* any",
        "strides:dense dilations:dense static_kernel_size static_offsets static_output_sizes batch_pos:dense m_pos:dense k_pos:dense input_k_perm:dense output_perm:dense static_input_pad_low:dense=[] static_input_pad_high:dense=[] static_output_pad_low:dense=[] static_output_pad_high:dense=[]",
    );
    /// An operation that tiles like a structured one, with a region of tensor operations.
    IreeLinalgExtCustomOp "iree_linalg_ext.custom_op" Opaque into(outputs), form(
        "inputs* operand, outputs* tensor -> results* tensor {~iree_linalg_ext.yield}",
        "indexing_maps iterator_types",
        "`{` `indexing_maps` `=` $indexing_maps `,` `iterator_types` `=` $iterator_types `}` attr-dict-with-keyword (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)? region0 (`->` type($results)^)?",
    );
    /// Transforms a filter for a Winograd convolution.
    IreeLinalgExtWinogradFilterTransform "iree_linalg_ext.winograd.filter_transform" Opaque into(output), form(
        "input shaped, output shaped -> result* tensor",
        "output_tile_size:i64 kernel_size:i64 kernel_dimensions:dense",
        "attr-dict `output_tile_size` `(` $output_tile_size `)` `kernel_size` `(` $kernel_size `)` `kernel_dimensions` `(` $kernel_dimensions `)` `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output) `)` (`->` type($result)^)?",
    );
    /// Transforms tiles of an image for a Winograd convolution.
    IreeLinalgExtWinogradInputTransform "iree_linalg_ext.winograd.input_transform" Opaque into(output), WINOGRAD_IMAGE;
    /// Transforms the products of a Winograd convolution back.
    IreeLinalgExtWinogradOutputTransform "iree_linalg_ext.winograd.output_transform" Opaque into(output), WINOGRAD_IMAGE;
    /// The number of the iteration along a loop of an operation of this dialect.
    IreeLinalgExtIndex "iree_linalg_ext.index" Opaque pure, form("-> result index", "dim:i64", "$dim attr-dict `:` type($result)");
    /// Leaves a region with values.
    IreeLinalgExtYield "iree_linalg_ext.yield" Opaque, YIELD;
}
