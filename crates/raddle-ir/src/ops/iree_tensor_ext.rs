//! Rows of `iree_tensor_ext`: what a dispatch reads and writes, and ragged shapes.

use super::forms::*;

dialect! { IreeTensorExt:
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

    // ragged shapes
    /// Multiplies the number of workgroups by the parts of a split reduction.
    IreeTensorExtDispatchWorkgroupCountSplitReductionModifier "iree_tensor_ext.dispatch.workgroup_count_split_reduction_modifier" Opaque pure, form(
        "workgroup_x index, workgroup_y index, workgroup_z index, workload* index -> result_x! index, result_y! index, result_z! index",
        "",
        "attr-dict `workgroups` `(` $workgroup_x `,` $workgroup_y `,` $workgroup_z `)` `workload` `(` $workload `)`",
    );
    IreeTensorExtCastToRaggedShape "iree_tensor_ext.cast_to_ragged_shape" Opaque pure, form(
        "source ranked, columnLengths ranked, numRaggedRows? index, sourceDynamicDims* index -> result ranked",
        "raggedDim:index",
        "$source `ragged_dim` `(` $raggedDim `)` `column_lengths` `(` $columnLengths `)` (`num_ragged_rows` `(` $numRaggedRows^ `)`)? attr-dict `:` `(` type($source) (`{` $sourceDynamicDims^ `}`)? `,` type($columnLengths) `)` `->` type($result)",
    );
    IreeTensorExtLinearizeRaggedDims "iree_tensor_ext.linearize_ragged_dims" Opaque pure, form(
        "source ranked, resultDynamicDims* index -> result ranked",
        "",
        "$source attr-dict `:` type($source) `->` type($result) (`{` $resultDynamicDims^ `}`)?",
    );
}
