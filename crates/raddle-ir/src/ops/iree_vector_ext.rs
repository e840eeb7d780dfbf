//! Rows of `iree_vector_ext`: layouts of vectors, and gathers.

use super::forms::*;

dialect! { IreeVectorExt:
    /// Requires a layout of a vector: an anchor, or a conversion.
    IreeVectorExtToLayout "iree_vector_ext.to_layout" Layout pure, form(
        "T shaped; input T -> output T",
        "layout shared_memory_conversion",
        "$input `to` `layout` `(` $layout `)` attr-dict `:` type($input)",
    );
    /// One thread's vectors as a vector of the whole workgroup.
    IreeVectorExtToSimd "iree_vector_ext.to_simd" Layout pure, form(
        "input vector -> output vector",
        "",
        "$input attr-dict `:` type($input) `->` type($output)",
    );
    /// A vector of the whole workgroup as one thread's vectors.
    IreeVectorExtToSimt "iree_vector_ext.to_simt" Layout pure, form(
        "input vector -> output vector",
        "",
        "$input attr-dict `:` type($input) `->` type($output)",
    );
    /// Reads elements whose indices vectors give along some dimensions.
    IreeVectorExtTransferGather "iree_vector_ext.transfer_gather" Read reads(base), form(
        "B shaped; base B, offsets* index, index_vecs* indexlike, padding elem(B), mask? any -> vector vector",
        "indexing_maps",
        "$base `[` $offsets `]` (`[` $index_vecs^ `:` type($index_vecs) `]`)? `,` $padding (`,` $mask^)? attr-dict `:` type($base) `,` type($vector) (`,` type($mask)^)?",
    );
    /// Writes elements whose indices vectors give along some dimensions.
    IreeVectorExtTransferScatter "iree_vector_ext.transfer_scatter" Write writes(base), form(
        "base shaped, vector vector, offsets* index, index_vecs* indexlike, mask? any -> result? shaped",
        "indexing_maps",
        "$vector `into` $base `[` $offsets `]` (`[` $index_vecs^ `:` type($index_vecs) `]`)? (`,` $mask^)? attr-dict `:` type($vector) `,` type($base) (`,` type($mask)^)? (`->` type($result)^)?",
    );
    /// The best element along a dimension by a comparison, and its index.
    IreeVectorExtArgCompare "iree_vector_ext.arg_compare" Reduce pure, form(
        "input_value vector, input_index? vector, init_value vector, init_index vector, index_base? index -> result_value! vector, result_index! vector {~iree_vector_ext.yield}",
        "dimension:i64",
        "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input_value (`,` $input_index^)? `:` type($input_value) (`,` type($input_index)^)? `)` `inits` `(` $init_value `,` $init_index `:` type($init_value) `,` type($init_index) `)` (`index_base` `(` $index_base^ `:` type($index_base) `)`)? region0 `->` type($result_value) `,` type($result_index)",
    );
    /// Leaves a region with values.
    IreeVectorExtYield "iree_vector_ext.yield" Yield, YIELD;
}
