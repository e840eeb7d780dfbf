//! Rows of `tensor`: parts and shapes of tensors.

use super::forms::*;

dialect! { Tensor:
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
    TensorInsert "tensor.insert" Opaque pure into(dest), form(
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
    /// Takes a rectangle out, with steps.
    TensorExtractSlice "tensor.extract_slice" Slice pure, by_hand(
        "source tensor, offsets* index, sizes* index, strides* index -> extracted_slice! tensor",
        SLICE_ATTRS,
    );
    /// Puts a rectangle in, with steps.
    TensorInsertSlice "tensor.insert_slice" Slice pure into(dest), by_hand(
        "T tensor; source tensor, dest T, offsets* index, sizes* index, strides* index -> inserted_slice! T",
        SLICE_ATTRS,
    );
    /// Puts a rectangle into the output that the iterations of an `scf.forall` share.
    TensorParallelInsertSlice "tensor.parallel_insert_slice" Write, by_hand(
        "source tensor, dest tensor, offsets* index, sizes* index, strides* index ->",
        SLICE_ATTRS,
    );
}
