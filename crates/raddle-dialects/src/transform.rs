//! `transform`: the steps of scripts that others run.
//!
//! Attributes that MLIR 22 reads in the dictionary have words of their own in later versions; both are read, and the
//! later spelling is printed.

use raddle_ir::form::{Form, form};
use raddle_ir::ops::OpInfo;

use crate::forms::NULLARY;

const PATTERNS: Form = NULLARY;
/// A step of a script that takes a handle and gives others.
const SCRIPT: Form = form("target handle -> results* handle", "", "$target attr-dict `:` functional-type");
/// A step that gives one handle for one.
const SCRIPT_ONE: Form = form("target handle -> transformed handle", "", "$target attr-dict `:` functional-type");
/// A step that gives nothing.
const SCRIPT_ON: Form = form("target handle ->", "", "$target attr-dict `:` type($target)");
const APPLY_TO: Form = form("target handle ->", "", "`to` $target attr-dict `:` type($target)");
const SCRIPT_INTO: Form = form(
    "producer handle, consumer handle -> results* handle",
    "",
    "$consumer `into` $producer attr-dict `:` functional-type",
);
const MULTI_REDUCTION_PATTERNS: Form = form(
    "->",
    "lowering_strategy:@multireduction=innerparallel",
    "(`lowering_strategy` `=` $lowering_strategy^)? attr-dict",
);

pub(crate) static ROWS: &[OpInfo] = raddle_ir::rows! {
    "transform.tune.knob" Opaque, form(
        "-> result param",
        "name:str options selected",
        "`<` $name `>` (`=` $selected^ `from`)? `options` `=` $options attr-dict `->` type($result)",
    );
    "transform.get_defining_op" Opaque, form(
        "target value -> result handle",
        "",
        "$target attr-dict `:` functional-type",
    );
    "transform.get_producer_of_operand" Opaque, form(
        "target handle -> producer handle",
        "operand_number:i64",
        "$target `[` $operand_number `]` attr-dict `:` functional-type",
    );
    "transform.get_type" Opaque, form(
        "value value -> type_param param",
        "elemental:unit",
        "(`elemental` $elemental^)? $value attr-dict `:` functional-type",
    );
    "transform.replicate" Opaque, form(
        "pattern handle, handles* piece -> replicated* same(handles)",
        "",
        "`num` `(` $pattern `)` $handles attr-dict `:` type($pattern) `,` type($handles)",
    );
    "transform.select" Opaque, form(
        "target handle -> result handle",
        "op_name:str",
        "$op_name `in` $target attr-dict `:` functional-type",
    );
    "transform.verify" Opaque, SCRIPT_ON;
    "transform.debug.emit_remark_at" Opaque, form(
        "at any ->",
        "message:str",
        "$at `,` $message attr-dict `:` type($at)",
    );
    "transform.debug.emit_param_as_remark" Opaque, form(
        "param param, anchor? handle ->",
        "message:str",
        "$param (`,` $message^)? (`at` $anchor^)? attr-dict `:` type($param) (`,` type($anchor)^)?",
    );
    "transform.dlti.query" Opaque, form(
        "target handle -> associated_attr param",
        "keys",
        "$keys `at` $target attr-dict `:` functional-type",
    );
    "transform.match.operation_empty" Opaque, form(
        "operand_handle handle ->",
        "",
        "$operand_handle attr-dict `:` type($operand_handle)",
    );
    "transform.match.param.cmpi" Opaque, form(
        "T param; param T, reference T ->",
        "predicate:@paramcmp",
        "$predicate $param `,` $reference attr-dict `:` type($param)",
    );
    "transform.match.structured" Opaque, form(
        "current handle -> outputs* piece {~transform.match.structured.yield}",
        "failure_propagation_mode:@failures",
        "(`failures` `(` $failure_propagation_mode^ `)`)? $current `:` semi($current, $outputs) attr-dict-with-keyword region0",
    );
    "transform.match.structured.yield" Opaque, form(
        "handles* piece ->",
        "",
        "$handles attr-dict (`:` type($handles)^)?",
    );
    "transform.match.structured.body" Opaque, form(
        "operand_handle handle ->",
        "reduction_position:i64 passthrough:unit elementwise:unit contraction",
        "$operand_handle (`reduction_position` `=` $reduction_position^)? (`passthrough` $passthrough^)? (`elementwise` $elementwise^)? (`contraction` `=` $contraction^)? attr-dict `:` type($operand_handle)",
    );
    "transform.match.structured.classify_contraction_dims" Opaque, form(
        "operand_handle handle -> batch param, m param, n param, k param",
        "",
        "$operand_handle attr-dict `:` functional-type",
    );
    "transform.match.structured.classify_convolution_dims" Opaque, form(
        "operand_handle handle -> batch param, output_image param, output_channel param, filter_loop param, input_channel param, depth param, strides param, dilations param",
        "",
        "$operand_handle attr-dict `:` functional-type",
    );
    "transform.match.structured.elemental_bitwidth" Opaque, form(
        "operand_handle value -> result param",
        "",
        "$operand_handle attr-dict `:` functional-type",
    );
    "transform.match.structured.num_inputs" Opaque, form(
        "operand_handle handle -> result param",
        "",
        "$operand_handle attr-dict `:` functional-type",
    );
    "transform.match.structured.num_inits" Opaque, form(
        "operand_handle handle -> result param",
        "",
        "$operand_handle attr-dict `:` functional-type",
    );
    "transform.match.structured.rank" Opaque, form(
        "operand_handle handle -> rank param",
        "",
        "$operand_handle attr-dict `:` functional-type",
    );
    "transform.match.structured.result" Opaque, form(
        "operand_handle handle -> result any",
        "position:i64 any:unit single:unit",
        "$operand_handle `[` $position `]` (`any` $any^)? (`single` $single^)? attr-dict `:` functional-type",
    );
    "transform.apply_dce" Opaque, APPLY_TO;
    "transform.apply_licm" Opaque, APPLY_TO;
    "transform.apply_conversion_patterns" Opaque, form(
        "target handle -> {?}{?+}",
        "legal_ops illegal_ops legal_dialects illegal_dialects partial_conversion:unit preserve_handles:unit",
        "`to` $target region0 (`with` `type_converter` region1^)? struct($legal_ops $illegal_ops $legal_dialects $illegal_dialects $partial_conversion $preserve_handles) attr-dict `:` type($target)",
    );
    "transform.apply_conversion_patterns.dialect_to_llvm" Opaque, form(
        "->",
        "dialect_name:str",
        "$dialect_name attr-dict",
    );
    "transform.apply_conversion_patterns.func.func_to_llvm" Opaque, PATTERNS;
    "transform.apply_conversion_patterns.gpu.gpu_subgroup_reduce_to_nvvm" Opaque, PATTERNS;
    "transform.apply_conversion_patterns.gpu.gpu_to_nvvm" Opaque, form(
        "->",
        "benefit:i16=1",
        "(`benefit` `=` $benefit^)? attr-dict",
    );
    "transform.apply_conversion_patterns.gpu.gpu_to_rocdl" Opaque, form(
        "->",
        "chipset:str",
        "`chipset` `=` $chipset attr-dict",
    );
    "transform.apply_conversion_patterns.gpu.gpu_wmma_to_nvvm" Opaque, PATTERNS;
    "transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter" Opaque, form(
        "->",
        "use_aligned_alloc:bool=?false index_bitwidth:i64=?64 use_generic_functions:bool=?false use_bare_ptr_call_conv:bool=?false data_layout:str",
        "struct($use_aligned_alloc $index_bitwidth $use_generic_functions $use_bare_ptr_call_conv $data_layout) attr-dict",
    );
    "transform.apply_conversion_patterns.nvgpu.nvgpu_to_nvvm" Opaque, PATTERNS;
    "transform.apply_conversion_patterns.scf.scf_to_control_flow" Opaque, PATTERNS;
    "transform.apply_conversion_patterns.scf.structural_conversions" Opaque, PATTERNS;
    "transform.apply_conversion_patterns.vector.vector_to_llvm" Opaque, form(
        "->",
        "reassociate_fp_reductions:bool=false force_32bit_vector_indices:bool=true use_vector_alignment:bool=false",
        "(`reassociate_fp_reductions` `=` $reassociate_fp_reductions^)? (`force_32bit_vector_indices` `=` $force_32bit_vector_indices^)? (`use_vector_alignment` `=` $use_vector_alignment^)? attr-dict",
    );
    "transform.type_conversion.tensor.cast_shape_dynamic_dims" Opaque, form(
        "->",
        "ignore_dynamic_info:unit",
        "(`ignore_dynamic_info` $ignore_dynamic_info^)? attr-dict",
    );
    "transform.apply_patterns.gpu.eliminate_barriers" Opaque, PATTERNS;
    "transform.apply_patterns.gpu.gpu_rewrite_patterns" Opaque, PATTERNS;
    "transform.apply_patterns.linalg.decompose_pack_unpack" Opaque, PATTERNS;
    "transform.apply_patterns.linalg.decompose_pad" Opaque, PATTERNS;
    "transform.apply_patterns.linalg.erase_unnecessary_inputs" Opaque, PATTERNS;
    "transform.apply_patterns.linalg.fold_add_into_dest" Opaque, PATTERNS;
    "transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes" Opaque, PATTERNS;
    "transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices" Opaque, PATTERNS;
    "transform.apply_patterns.linalg.pad_vectorization" Opaque, PATTERNS;
    "transform.apply_patterns.memref.expand_ops" Opaque, PATTERNS;
    "transform.apply_patterns.memref.expand_strided_metadata" Opaque, PATTERNS;
    "transform.apply_patterns.memref.extract_address_computations" Opaque, PATTERNS;
    "transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims" Opaque, PATTERNS;
    "transform.apply_patterns.tensor.bubble_up_extract_slice" Opaque, PATTERNS;
    "transform.apply_patterns.tensor.decompose_concat" Opaque, PATTERNS;
    "transform.apply_patterns.tensor.drop_redundant_insert_slice_rank_expansion" Opaque, PATTERNS;
    "transform.apply_patterns.tensor.fold_into_pack_and_unpack" Opaque, PATTERNS;
    "transform.apply_patterns.tensor.fold_tensor_subset_ops" Opaque, PATTERNS;
    "transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers" Opaque, PATTERNS;
    "transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice" Opaque, PATTERNS;
    "transform.apply_patterns.tensor.reassociative_reshape_folding" Opaque, PATTERNS;
    "transform.apply_patterns.vector.cast_away_vector_leading_one_dim" Opaque, PATTERNS;
    "transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops" Opaque, PATTERNS;
    "transform.apply_patterns.vector.drop_unit_dims_with_shape_cast" Opaque, PATTERNS;
    "transform.apply_patterns.vector.elementwise_to_vector" Opaque, PATTERNS;
    "transform.apply_patterns.vector.fold_arith_extension" Opaque, PATTERNS;
    "transform.apply_patterns.vector.interleave_and_deinterleave_to_shuffle" Opaque, PATTERNS;
    "transform.apply_patterns.vector.interleave_to_shuffle" Opaque, PATTERNS;
    "transform.apply_patterns.vector.lower_bitcast" Opaque, PATTERNS;
    "transform.apply_patterns.vector.lower_broadcast" Opaque, PATTERNS;
    "transform.apply_patterns.vector.lower_create_mask" Opaque, PATTERNS;
    "transform.apply_patterns.vector.lower_gather" Opaque, PATTERNS;
    "transform.apply_patterns.vector.lower_interleave" Opaque, PATTERNS;
    "transform.apply_patterns.vector.lower_masked_transfers" Opaque, PATTERNS;
    "transform.apply_patterns.vector.lower_masks" Opaque, PATTERNS;
    "transform.apply_patterns.vector.lower_outerproduct" Opaque, PATTERNS;
    "transform.apply_patterns.vector.lower_scan" Opaque, PATTERNS;
    "transform.apply_patterns.vector.lower_shape_cast" Opaque, PATTERNS;
    "transform.apply_patterns.vector.materialize_masks" Opaque, PATTERNS;
    "transform.apply_patterns.vector.rank_reducing_subview_patterns" Opaque, PATTERNS;
    "transform.apply_patterns.vector.reduction_to_contract" Opaque, PATTERNS;
    "transform.apply_patterns.vector.rewrite_narrow_types" Opaque, PATTERNS;
    "transform.apply_patterns.vector.sink_mem_ops" Opaque, PATTERNS;
    "transform.apply_patterns.vector.sink_ops" Opaque, PATTERNS;
    "transform.apply_patterns.vector.transfer_permutation_patterns" Opaque, PATTERNS;
    "transform.apply_patterns.vector.unroll_from_elements" Opaque, PATTERNS;
    "transform.apply_patterns.vector.unroll_to_elements" Opaque, PATTERNS;
    "transform.apply_patterns.gpu.gpu_shuffle_to_amdgpu" Opaque, form(
        "->",
        "chipset:str",
        "(`chipset` `=` $chipset^)? attr-dict",
    );
    "transform.apply_patterns.gpu.unroll_vectors_subgroup_mma" Opaque, form(
        "->",
        "m:i64 n:i64 k:i64",
        "`[` $m `,` $n `,` $k `]` attr-dict",
    );
    "transform.apply_patterns.linalg.fold_pack_unpack_into_empty" Opaque, form(
        "->",
        "fold_single_use_only:bool=false",
        "(`fold_single_use_only` `=` $fold_single_use_only^)? attr-dict",
    );
    "transform.apply_patterns.tensor.fold_tensor_empty" Opaque, form(
        "->",
        "fold_single_use_only:bool=false",
        "(`fold_single_use_only` `=` $fold_single_use_only^)? attr-dict",
    );
    "transform.apply_patterns.memref.alloc_to_alloca" Opaque, form(
        "->",
        "size_limit:i64",
        "(`size_limit` `(` $size_limit^ `)`)? attr-dict",
    );
    "transform.apply_patterns.tensor.rewrite_as_constant" Opaque, form(
        "->",
        "aggressive:unit",
        "(`aggressive` $aggressive^)? attr-dict",
    );
    "transform.apply_patterns.vector.lower_contraction" Opaque, form(
        "->",
        "lowering_strategy:@contraction=outerproduct",
        "(`lowering_strategy` `=` $lowering_strategy^)? attr-dict",
    );
    "transform.apply_patterns.vector.lower_multi_reduction" Opaque, MULTI_REDUCTION_PATTERNS;
    "transform.apply_patterns.vector.multi_reduction_flattening" Opaque, MULTI_REDUCTION_PATTERNS;
    "transform.apply_patterns.vector.multi_reduction_unrolling" Opaque, MULTI_REDUCTION_PATTERNS;
    "transform.apply_patterns.vector.reorder_multi_reduction_dims" Opaque, MULTI_REDUCTION_PATTERNS;
    "transform.apply_patterns.vector.lower_step" Opaque, form(
        "->",
        "index_bitwidth:i64",
        "`index_bitwidth` `=` $index_bitwidth attr-dict",
    );
    "transform.apply_patterns.vector.lower_transfer" Opaque, form(
        "->",
        "max_transfer_rank:i64=1",
        "(`max_transfer_rank` `=` $max_transfer_rank^)? attr-dict",
    );
    "transform.apply_patterns.vector.lower_transpose" Opaque, form(
        "->",
        "lowering_strategy:@transposition=eltwise avx2_lowering_strategy:bool=false",
        "(`lowering_strategy` `=` $lowering_strategy^)? (`avx2_lowering_strategy` `=` $avx2_lowering_strategy^)? attr-dict",
    );
    "transform.apply_patterns.vector.split_transfer_full_partial" Opaque, form(
        "->",
        "split_transfer_strategy:@transfersplit=linalg-copy",
        "(`split_transfer_strategy` `=` $split_transfer_strategy^)? attr-dict",
    );
    "transform.apply_patterns.vector.transfer_to_scf" Opaque, form(
        "->",
        "max_transfer_rank:i64=1 full_unroll:bool=false",
        "(`max_transfer_rank` `=` $max_transfer_rank^)? (`full_unroll` `=` $full_unroll^)? attr-dict",
    );
    "transform.structured.bufferize_to_allocation" Opaque, form(
        "target handle -> allocated_buffer !transform.any_value, new_ops !transform.any_op",
        r#"memory_space memcpy_op:str="bufferization.materialize_in_destination" alloc_op:str="memref.alloc" bufferize_destination_only:unit emit_dealloc:unit"#,
        "$target struct($memory_space $memcpy_op $alloc_op $bufferize_destination_only $emit_dealloc) attr-dict `:` type($target)",
    );
    "transform.structured.continuous_tile_sizes" Opaque, form(
        "P number; target handle -> tile_sizes P, chunk_sizes P",
        "dimension:i64 target_size:i64",
        "$target (`dimension` `=` $dimension^)? (`target_size` `=` $target_size^)? attr-dict `:` `(` type($target) `)` `->` type($tile_sizes)",
    );
    "transform.structured.convert_to_loops" Opaque, SCRIPT_ONE;
    "transform.structured.decompose" Opaque, SCRIPT_ONE;
    "transform.structured.decompose_interface" Opaque, SCRIPT_ONE;
    "transform.structured.decompose_winograd_op" Opaque, SCRIPT_ONE;
    "transform.structured.flatten_elementwise" Opaque, SCRIPT_ONE;
    "transform.structured.generalize" Opaque, SCRIPT_ONE;
    "transform.structured.hoist_redundant_vector_broadcasts" Opaque, SCRIPT_ONE;
    "transform.structured.insert_slice_to_copy" Opaque, SCRIPT_ONE;
    "transform.structured.linalg_copy_to_memref" Opaque, SCRIPT_ONE;
    "transform.structured.rewrite_in_destination_passing_style" Opaque, SCRIPT_ONE;
    "transform.structured.scalarize" Opaque, SCRIPT_ONE;
    "transform.structured.transpose_conv2d" Opaque, SCRIPT_ONE;
    "transform.structured.convert_conv2d_to_img2col" Opaque, form(
        "target handle -> img2col_tensor handle, transformed handle",
        "",
        "$target attr-dict `:` functional-type",
    );
    "transform.structured.eliminate_empty_tensors" Opaque, SCRIPT_ON;
    "transform.structured.fuse" Opaque, form(
        "target handle, tile_sizes* number, tile_interchange* number, packed_tile_sizes? number -> transformed handle, loops* handle",
        "static_tile_sizes:dense static_tile_interchange:dense apply_cleanup:unit use_forall:unit",
        "$target (`tile_sizes` mixed(static_tile_sizes, tile_sizes, packed_tile_sizes)^)? (`interchange` mixed(static_tile_interchange, tile_interchange)^)? (`apply_cleanup` $apply_cleanup^)? (`use_forall` $use_forall^)? attr-dict `:` functional-type",
    );
    "transform.structured.fuse_into_containing_op" Opaque, form(
        "producer_op handle, containing_op handle -> fused_op handle, new_containing_op handle",
        "",
        "$producer_op `into` $containing_op attr-dict `:` functional-type",
    );
    "transform.structured.gpu.map_copy_to_threads" Opaque, form(
        "target handle -> forall_op handle, tiled_op handle",
        "total_num_threads:i64 desired_bit_alignment:i64",
        "$target `total_num_threads` `=` $total_num_threads `desired_bit_alignment` `=` $desired_bit_alignment attr-dict `:` functional-type",
    );
    "transform.structured.hoist_pad" Opaque, form(
        "target handle -> transformed handle",
        "num_loops:i64 transpose:dense=[]",
        "$target `by` $num_loops `loops` (`,` `transpose` `by` $transpose^)? attr-dict `:` functional-type",
    );
    "transform.structured.hoist_pad.build_packing_loop_nest" Opaque, form(
        "target handle, loop handle -> packing_loop handle",
        "transpose:dense=[]",
        "$target `above` $loop (`,` `transpose` `by` $transpose^)? attr-dict `:` functional-type",
    );
    "transform.structured.hoist_redundant_vector_transfers" Opaque, form(
        "target handle -> transformed handle",
        "verify_non_zero_trip:unit",
        "$target (`verify_non_zero_trip` $verify_non_zero_trip^)? attr-dict `:` functional-type",
    );
    "transform.structured.interchange" Opaque, form(
        "target handle -> transformed handle",
        "iterator_interchange:dense=?[]",
        "$target (`iterator_interchange` `=` $iterator_interchange^)? attr-dict `:` functional-type",
    );
    "transform.structured.lower_pack" Opaque, form(
        r#"target !transform.op<"linalg.pack"> -> pad_op !transform.op<"tensor.pad">, expand_shape_op !transform.op<"tensor.expand_shape">, transpose_op !transform.op<"linalg.transpose">"#,
        "lowerPadLikeWithInsertSlice:bool=true",
        "$target (`lowerPadLikeWithInsertSlice` `=` $lowerPadLikeWithInsertSlice^)? attr-dict `:` functional-type",
    );
    "transform.structured.lower_unpack" Opaque, form(
        r#"target !transform.op<"linalg.unpack"> -> results* handle"#,
        "lowerUnpadLikeWithExtractSlice:bool=true",
        "$target (`lowerUnpadLikeWithExtractSlice` `=` $lowerUnpadLikeWithExtractSlice^)? attr-dict `:` functional-type",
    );
    "transform.structured.multitile_sizes" Opaque, form(
        "P number; target handle -> low_size P, high_size P, split_point P",
        "dimension:i64 target_size:i64 divisor:i64=1",
        "$target (`dimension` `=` $dimension^)? (`target_size` `=` $target_size^)? (`divisor` `=` $divisor^)? attr-dict `:` `(` type($target) `)` `->` type($low_size)",
    );
    "transform.structured.pack" Opaque, form(
        "target handle, packed_sizes* number -> packed_op handle",
        "static_packed_sizes:dense=[]",
        "$target `packed_sizes` `=` mixed(static_packed_sizes, packed_sizes) attr-dict `:` functional-type",
    );
    "transform.structured.pack_greedily" Opaque, form(
        "target handle, matmul_packed_sizes* number -> packed_op handle",
        "static_matmul_packed_sizes:dense=[] matmul_padded_sizes_next_multiple_of:dense=[] matmul_inner_dims_order:dense=[]",
        "$target (`matmul_packed_sizes` `=` mixed(static_matmul_packed_sizes, matmul_packed_sizes)^)? (`matmul_padded_sizes_next_multiple_of` `=` $matmul_padded_sizes_next_multiple_of^)? (`matmul_inner_dims_order` `=` $matmul_inner_dims_order^)? attr-dict `:` functional-type",
    );
    "transform.structured.pack_transpose" Opaque, form(
        "target_pack_or_un_pack_op handle, target_linalg_op handle -> packed_op handle, pack_op handle, un_pack_op handle",
        "outer_perm:dense=?[] inner_perm:dense=?[]",
        "$target_pack_or_un_pack_op `with_compute_op` `(` $target_linalg_op `)` (`outer_perm` `=` $outer_perm^)? (`inner_perm` `=` $inner_perm^)? attr-dict `:` functional-type",
    );
    "transform.structured.pad" Opaque, form(
        "target handle, pad_to_multiple_of* number -> padded handle, pad handle, copy handle",
        r#"padding_values=[] padding_dimensions=[] static_pad_to_multiple_of:dense nofold_flags=[] transpose_paddings=[] copy_back_op:str="bufferization.materialize_in_destination" use_prescribed_tensor_shapes:unit"#,
        "$target (`pad_to_multiple_of` mixed(static_pad_to_multiple_of, pad_to_multiple_of)^)? (`use_prescribed_tensor_shapes` $use_prescribed_tensor_shapes^)? struct($padding_values $padding_dimensions $nofold_flags $transpose_paddings $copy_back_op) attr-dict `:` functional-type",
    );
    "transform.structured.pad_tiling_interface" Opaque, form(
        "target handle, padding_sizes* number -> padded handle, pad handle",
        "padding_values=[] static_padding_sizes:dense pad_to_multiple_of:unit",
        "$target `to` (`padding_sizes` mixed(static_padding_sizes, padding_sizes)^)? (`pad_to_multiple_of` $pad_to_multiple_of^)? (`padding_values` `=` $padding_values^)? attr-dict `:` functional-type",
    );
    "transform.structured.promote" Opaque, form(
        "target handle -> transformed handle",
        "operands_to_promote=[] use_full_tile_buffers=[] use_full_tiles_by_default:unit use_original_subview_size:unit use_alloca:unit memory_space mapping alignment:i64",
        "$target struct($operands_to_promote $use_full_tile_buffers $use_full_tiles_by_default $use_original_subview_size $use_alloca $memory_space $mapping $alignment) attr-dict `:` functional-type",
    );
    "transform.structured.promote_tensor" Opaque, form(
        "T value; tensor T -> promoted T",
        "memory_space",
        "(`to` $memory_space^)? $tensor attr-dict `:` type($tensor)",
    );
    "transform.structured.replace" Opaque isolated, form(
        "target handle -> replacement handle {}",
        "",
        "$target attr-dict-with-keyword region0 `:` functional-type",
    );
    "transform.structured.specialize" Opaque, form(
        "target handle -> transformed handle",
        "emit_category:bool=false",
        "$target (`emit_category` `=` $emit_category^)? attr-dict `:` functional-type",
    );
    "transform.structured.split_reduction" Opaque, form(
        "target handle -> init_or_alloc_op handle, fill_op handle, split_linalg_op handle, combining_linalg_op handle",
        "split_factor:i64=0 insert_split_dimension:i64=0 inner_parallel:unit use_scaling_algorithm:unit use_alloc:unit",
        "$target struct($split_factor $insert_split_dimension $inner_parallel $use_scaling_algorithm $use_alloc) attr-dict `:` functional-type",
    );
    "transform.structured.tile_reduction_using_for" Opaque, form(
        "target handle -> results* handle",
        "reduction_dims=[] tile_sizes=[]",
        "$target (`reduction_dims` `=` $reduction_dims^)? (`by` `tile_sizes` `=` $tile_sizes^)? attr-dict `:` functional-type",
    );
    "transform.structured.tile_reduction_using_forall" Opaque, form(
        "target any -> results* any",
        "reduction_dims=[] num_threads:dense=[] tile_sizes:dense=[] mapping",
        "$target (`reduction_dims` `=` $reduction_dims^)? `by` (`num_threads` `=` $num_threads^)? (`tile_sizes` `=` $tile_sizes^)? (`,` `mapping` `=` $mapping^)? attr-dict `:` functional-type",
    );
    "transform.structured.tile_using_for" Opaque, form(
        "target handle, dynamic_sizes* number, packed_sizes? number, interchange_handle? number, other? number -> tiled_linalg_op handle, loops* handle",
        "static_sizes:dense static_interchange:dense=?[] scalable_sizes",
        "$target (`tile_sizes` mixed(static_sizes, dynamic_sizes, scalable_sizes)^)? (`interchange` `=` $static_interchange^)? attr-dict `:` functional-type",
    );
    "transform.structured.tile_using_forall" Opaque, form(
        "target any, num_threads* any, tile_sizes* any, packed_num_threads? any, packed_tile_sizes? any -> tiled_op any, forall_op any",
        "static_num_threads:dense static_tile_sizes:dense mapping",
        "$target (`num_threads` mixed(static_num_threads, num_threads, packed_num_threads)^)? (`tile_sizes` mixed(static_tile_sizes, tile_sizes, packed_tile_sizes)^)? (`(` `mapping` `=` $mapping^ `)`)? attr-dict `:` functional-type",
    );
    "transform.structured.transpose_matmul" Opaque, form(
        "target handle -> transformed handle",
        "inputToTranspose:@side=lhs",
        "$target (`` `<` $inputToTranspose^ `>`)? attr-dict `:` functional-type",
    );
    "transform.structured.vectorize" Opaque, form(
        "target handle, vector_sizes* number ->",
        "static_vector_sizes:dense vectorize_nd_extract:unit assume_dynamic_dims_match_vec_sizes:unit create_named_contraction:unit scalable_sizes",
        "$target (`vector_sizes` mixed(static_vector_sizes, vector_sizes, scalable_sizes)^)? (`vectorize_nd_extract` $vectorize_nd_extract^)? (`assume_dynamic_dims_match_vec_sizes` $assume_dynamic_dims_match_vec_sizes^)? (`create_named_contraction` $create_named_contraction^)? attr-dict `:` type($target) (`,` type($vector_sizes)^)?",
    );
    "transform.structured.vectorize_children_and_apply_patterns" Opaque, form(
        "target handle -> transformed handle",
        "fold_type_extensions_into_contract:unit vectorize_padding:unit vectorize_nd_extract:unit flatten_1d_depthwise_conv:unit disable_multi_reduction_to_contract_patterns:unit disable_transfer_permutation_map_lowering_patterns:unit",
        "$target struct($fold_type_extensions_into_contract $vectorize_padding $vectorize_nd_extract $flatten_1d_depthwise_conv $disable_multi_reduction_to_contract_patterns $disable_transfer_permutation_map_lowering_patterns) attr-dict `:` functional-type",
    );
    "transform.structured.winograd_conv2d" Opaque, form(
        "target handle -> transformed handle",
        "fmr:@winograd",
        "$target (`fmr` `(` $fmr^ `)`)? attr-dict `:` functional-type",
    );
    "transform.affine.simplify_min_max_affine_ops" Opaque, SCRIPT_ON;
    "transform.bufferization.buffer_loop_hoisting" Opaque, SCRIPT_ON;
    "transform.bufferization.eliminate_empty_tensors" Opaque, SCRIPT_ON;
    "transform.bufferization.empty_tensor_to_alloc_tensor" Opaque, form(
        r#"target !transform.op<"tensor.empty"> -> transformed !transform.op<"bufferization.alloc_tensor">"#,
        "",
        "$target attr-dict `:` functional-type",
    );
    "transform.bufferization.one_shot_bufferize" Opaque, form(
        "target handle -> transformed handle",
        r#"function_boundary_type_conversion:@layoutmap allow_return_allocs_from_loops:bool=false allow_unknown_ops:bool=false bufferize_function_boundaries:bool=false dump_alias_sets:bool=false test_analysis_only:bool=false print_conflicts:bool=false check_parallel_regions:bool=true memcpy_op:str="memref.copy""#,
        "(`layout` `{` $function_boundary_type_conversion^ `}`)? $target struct($allow_return_allocs_from_loops $allow_unknown_ops $bufferize_function_boundaries $dump_alias_sets $test_analysis_only $print_conflicts $check_parallel_regions $memcpy_op) attr-dict `:` functional-type",
    );
    "transform.func.cast_and_call" Opaque, form(
        "insertion_point handle, inputs? value, outputs? value, function? handle -> result handle {?}",
        "insert_after:unit function_name:symbol",
        "($function_name^)? ($function^)? (`(` $inputs^ `)`)? (`->` $outputs^)? (`after` $insert_after^):(`before`)? $insertion_point (region0^)? attr-dict `:` functional-type",
    );
    "transform.func.deduplicate_func_args" Opaque, form(
        "module handle -> transformed_module handle, transformed_function handle",
        "function_name",
        "$function_name `at` $module attr-dict `:` functional-type",
    );
    "transform.func.replace_func_signature" Opaque, form(
        "module handle -> transformed_module handle, transformed_function handle",
        "function_name args_interchange:dense32 results_interchange:dense32 adjust_func_calls:unit",
        "$function_name `args_interchange` `=` $args_interchange `results_interchange` `=` $results_interchange `at` $module (`adjust_func_calls` $adjust_func_calls^)? attr-dict `:` functional-type",
    );
    "transform.gpu.map_forall_to_blocks" Opaque, form(
        "target handle -> result handle",
        "grid_dims:dense=?[] generate_gpu_launch:unit",
        "$target (`generate_gpu_launch` $generate_gpu_launch^)? (`grid_dims` `=` $grid_dims^)? attr-dict `:` functional-type",
    );
    "transform.gpu.map_nested_forall_to_threads" Opaque, form(
        "target handle -> result handle",
        "block_dims:dense=[] sync_after_distribute:bool=true warp_size:i64=32",
        "$target `block_dims` `=` $block_dims (`sync_after_distribute` `=` $sync_after_distribute^)? (`warp_size` `=` $warp_size^)? attr-dict `:` functional-type",
    );
    "transform.loop.coalesce" Opaque, SCRIPT_ONE;
    "transform.loop.forall_to_for" Opaque, SCRIPT;
    "transform.loop.forall_to_parallel" Opaque, SCRIPT;
    "transform.loop.parallel_for_to_nested_fors" Opaque, SCRIPT;
    "transform.loop.fuse_sibling" Opaque, form(
        "target handle, source handle -> fused_loop handle",
        "",
        "$target `into` $source attr-dict `:` functional-type",
    );
    "transform.loop.hoist_loop_invariant_subsets" Opaque, SCRIPT_ON;
    "transform.loop.outline" Opaque, form(
        "target handle -> function handle, call handle",
        "func_name:str",
        "$target (`func_name` `=` $func_name^)? attr-dict `:` functional-type",
    );
    "transform.loop.peel" Opaque, form(
        r#"target !transform.op<"scf.for"> -> peeled_loop handle, remainder_loop handle"#,
        "peel_front:bool=false fail_if_already_divisible:bool=false",
        "$target (`peel_front` `=` $peel_front^)? (`fail_if_already_divisible` `=` $fail_if_already_divisible^)? attr-dict `:` functional-type",
    );
    "transform.loop.pipeline" Opaque, form(
        r#"target !transform.op<"scf.for"> -> transformed handle"#,
        "iteration_interval:i64=1 read_latency:i64=10",
        "$target (`iteration_interval` `=` $iteration_interval^)? (`read_latency` `=` $read_latency^)? attr-dict `:` functional-type",
    );
    "transform.loop.promote_if_one_iteration" Opaque, SCRIPT_ON;
    "transform.loop.unroll" Opaque, form(
        "target handle ->",
        "factor:i64",
        "$target (`factor` `=` $factor^)? attr-dict `:` type($target)",
    );
    "transform.loop.unroll_and_jam" Opaque, form(
        "target handle ->",
        "factor:i64",
        "$target (`factor` `=` $factor^)? attr-dict `:` type($target)",
    );
    "transform.memref.alloca_to_global" Opaque, form(
        r#"alloca !transform.op<"memref.alloca"> -> getGlobal handle, global handle"#,
        "",
        "$alloca attr-dict `:` functional-type",
    );
    "transform.memref.erase_dead_alloc_and_stores" Opaque, form(
        "target handle ->",
        "",
        "$target attr-dict `:` functional-type",
    );
    "transform.memref.multibuffer" Opaque, form(
        r#"target !transform.op<"memref.alloc"> -> transformed handle"#,
        "factor:i64 skip_analysis:unit",
        "$target struct($factor $skip_analysis) attr-dict `:` functional-type",
    );
    "transform.memref.make_loop_independent" Opaque, form(
        "target handle -> transformed handle",
        "num_loops:i64",
        "$target (`num_loops` `=` $num_loops^)? attr-dict `:` functional-type",
    );
    "transform.tensor.make_loop_independent" Opaque, form(
        "target handle -> transformed handle",
        "num_loops:i64",
        "$target (`num_loops` `=` $num_loops^)? attr-dict `:` functional-type",
    );
    "transform.nvgpu.create_async_groups" Opaque, form(
        "target handle -> result handle",
        "bypass_l1:unit",
        "$target (`bypass_l1` $bypass_l1^)? attr-dict `:` functional-type",
    );
    "transform.nvgpu.pipeline_shared_memory_copies" Opaque, form(
        "for_op handle -> result handle",
        "depth:i64 peel_epilogue:unit failure_propagation_mode:@failures=suppress",
        "`failures` `(` $failure_propagation_mode `)` $for_op (`depth` `=` $depth^)? (`peel_epilogue` $peel_epilogue^)? attr-dict `:` functional-type",
    );
    "transform.nvgpu.rewrite_copy_as_tma" Opaque, form(
        "target handle ->",
        "",
        "$target attr-dict `:` functional-type",
    );
    "transform.nvgpu.rewrite_matmul_as_mma_sync" Opaque, form(
        "target handle ->",
        "",
        "$target attr-dict `:` functional-type",
    );
    "transform.scf.take_assumed_branch" Opaque, form(
        "target handle ->",
        "take_else_branch:unit",
        "$target (`take_else_branch` $take_else_branch^)? attr-dict `:` functional-type",
    );
    "transform.util.cast_and_call" Opaque, form(
        "insertion_point handle, inputs? value, outputs? value, function? handle -> result* handle {?}",
        "insert_after:unit inline_call:unit function_name:symbol",
        "(`inline_call` $inline_call^)? ($function_name^)? ($function^)? (`(` $inputs^ `)`)? (`->` $outputs^)? (`after` $insert_after^):(`before`)? $insertion_point (region0^)? attr-dict `:` functional-type",
    );
    "transform.util.create_serialized_module" Opaque, form(
        "-> result param {}",
        "",
        "attr-dict-with-keyword region0 `->` type($result)",
    );
    "transform.util.deserialize_module" Opaque, form(
        "module param, container handle ->",
        "",
        "$module `into` $container attr-dict `:` type($module) `,` type($container)",
    );
    "transform.util.eliminate_hoistable_conversions" Opaque, SCRIPT_ONE;
    "transform.util.get_nearest_symbol_table" Opaque, SCRIPT_ONE;
    "transform.util.import_symbol" Opaque, form(
        "symbol_table handle -> cloned_symbol handle",
        "symbol if_undefined:unit force_import:unit",
        "(`force` $force_import^)? $symbol `into` $symbol_table (`if` `undefined` $if_undefined^)? attr-dict `:` functional-type",
    );
    "transform.util.lookup_nearest_symbol_from_self" Opaque, form(
        "-> target_symbol handle",
        "symbol",
        "$symbol attr-dict `:` type($target_symbol)",
    );
    "transform.iree.match.attention" Opaque, form(
        "P param; operand_handle handle -> batch_dims P, m_dims P, n_dims P, k1_dims P, k2_dims P",
        "query_type key_type value_type output_type indexing_maps",
        "$operand_handle `,` `query_type` `=` $query_type `,` `key_type` `=` $key_type `,` `value_type` `=` $value_type `,` `output_type` `=` $output_type `,` `indexing_maps` `=` $indexing_maps attr-dict `:` type($operand_handle) `->` type($batch_dims)",
    );
    "transform.iree.match.online_attention" Opaque, form(
        "P param; operand_handle handle -> batch_dims P, m_dims P, n_dims P, k1_dims P, k2_dims P",
        "query_type key_type value_type scale_type output_type max_type sum_type indexing_maps",
        "$operand_handle `,` `query_type` `=` $query_type `,` `key_type` `=` $key_type `,` `value_type` `=` $value_type `,` `scale_type` `=` $scale_type `,` `output_type` `=` $output_type `,` `max_type` `=` $max_type `,` `sum_type` `=` $sum_type `,` `indexing_maps` `=` $indexing_maps attr-dict `:` type($operand_handle) `->` type($batch_dims)",
    );
    "transform.iree.match.cast_compatible_dag_from_root" Opaque isolated, form(
        "operand_handle handle -> inputs value, outputs value {~transform.yield}",
        "",
        "$operand_handle attr-dict-with-keyword region0 `:` functional-type",
    );
    "transform.iree.match.cast_compatible_type" Opaque, form(
        "operand_handle value ->",
        "target_type",
        "$operand_handle `=` $target_type attr-dict `:` type($operand_handle)",
    );
    "transform.iree.match.contraction" Opaque, form(
        "P param; operand_handle handle -> batch_dims P, m_dims P, n_dims P, k_dims P",
        "lhs_type rhs_type output_type indexing_maps",
        "$operand_handle `,` `lhs_type` `=` $lhs_type `,` `rhs_type` `=` $rhs_type `,` `output_type` `=` $output_type (`,` `indexing_maps` `=` $indexing_maps^)? attr-dict `:` type($operand_handle) `->` type($batch_dims)",
    );
    "transform.iree.match.convolution" Opaque, form(
        "P param; operand_handle handle -> batch_dims P, output_image_dims P, output_channel_dims P, filter_dims P, input_channel_dims P, depth_dims P, strides P, dilations P",
        "lhs_type rhs_type output_type indexing_maps",
        "$operand_handle `,` `lhs_type` `=` $lhs_type `,` `rhs_type` `=` $rhs_type `,` `output_type` `=` $output_type (`,` `indexing_maps` `=` $indexing_maps^)? attr-dict `:` type($operand_handle) `->` type($batch_dims)",
    );
    "transform.iree.match.dim_bounds" Opaque, form(
        "operand_handle value ->",
        "dim:i64 lower_bound:i64 upper_bound:i64",
        "$operand_handle `[` $dim `]` `,` (`umin` `=` $lower_bound^):(`none`)? `,` (`umax` `=` $upper_bound^):(`none`)? attr-dict `:` type($operand_handle)",
    );
    "transform.iree.match.dim_is_multiple_of" Opaque, form(
        "operand_handle value ->",
        "dim:i64 size:i64",
        "$operand_handle `[` $dim `]` `,` $size attr-dict `:` type($operand_handle)",
    );
    "transform.iree.match.dims_equal" Opaque, form(
        "dimension_sizes param ->",
        "expected_values:dense",
        "$dimension_sizes `,` $expected_values attr-dict `:` type($dimension_sizes)",
    );
    "transform.iree.match.regions" Opaque isolated, form(
        "operand_handle handle -> {~transform.yield}",
        "",
        "$operand_handle attr-dict `:` type($operand_handle) region0",
    );
    "transform.apply_patterns.iree.lower_barrier_region" Opaque, PATTERNS;
    "transform.apply_patterns.iree.lower_value_barrier" Opaque, PATTERNS;
    "transform.apply_patterns.iree.bubble_collapse" Opaque, PATTERNS;
    "transform.apply_patterns.iree.bubble_expand" Opaque, PATTERNS;
    "transform.apply_patterns.iree.collapse_forall_dest" Opaque, PATTERNS;
    "transform.apply_patterns.iree.bubble_pack_unpack" Opaque, PATTERNS;
    "transform.apply_patterns.iree.fold_fill_into_pad" Opaque, PATTERNS;
    "transform.apply_patterns.iree.fold_reshape_into_tensor_hal_interface" Opaque, PATTERNS;
    "transform.apply_patterns.iree.fold_tensor_slice_into_transfer" Opaque, PATTERNS;
    "transform.apply_patterns.iree.hoist_forall_from_for" Opaque, PATTERNS;
    "transform.apply_patterns.iree.linalg_elementwise_greedy_fusion" Opaque, PATTERNS;
    "transform.iree.fuse_forall" Opaque, form(
        "producer any, consumer any -> results* any",
        "address_space",
        "$producer `into` $consumer attr-dict `:` functional-type",
    );
    "transform.iree.fuse_collapse_shape_into_forall" Opaque, SCRIPT_INTO;
    "transform.iree.fuse_extract_slice_into_forall" Opaque, SCRIPT_INTO;
    "transform.iree.copy_tensor_operand" Opaque, form(
        "target any -> results* any",
        "operand_index:i64",
        "$target `[` $operand_index `]` attr-dict `:` functional-type",
    );
    "transform.iree.flatten_forall_mapping" Opaque, SCRIPT;
    "transform.iree.forall_to_workgroup" Opaque, SCRIPT;
    "transform.iree.bufferize" Opaque, form(
        "target any -> results* any",
        "target_gpu:unit test_analysis_only:unit print_conflicts:unit",
        "attr-dict $target `:` functional-type",
    );
    "transform.iree.eliminate_empty_tensors" Opaque, SCRIPT;
    "transform.iree.fuse_consumer" Opaque, form(
        "target any, loops* any -> results* any",
        "",
        "$target `in` `(` $loops `)` attr-dict `:` functional-type",
    );
    "transform.iree.vector.to_warp_execute_on_lane_0" Opaque, SCRIPT;
    "transform.iree.vector.warp_distribute" Opaque, SCRIPT;
    "transform.iree.promote_operands" Opaque, form(
        "target any -> results* any",
        "indices:dense",
        "$target $indices attr-dict `:` functional-type",
    );
    "transform.iree.synchronize_loop" Opaque, SCRIPT;
    "transform.iree.reorder_transpose" Opaque, SCRIPT;
    "transform.iree.eliminate_gpu_barriers" Opaque, SCRIPT;
    "transform.iree.pack_shared_memory_alloc" Opaque, SCRIPT;
    "transform.iree.amdgpu_distribute_vectors" Opaque, form(
        "target any -> results* any",
        "test_conversion:unit workgroup_size:dense=[] subgroup_size",
        "$target (`test_conversion` $test_conversion^)? attr-dict `:` functional-type",
    );
    "transform.iree.decompose_aggregate_op" Opaque, form(
        "target any -> results* any",
        "tile_size:i64",
        "attr-dict $target `:` functional-type",
    );
    "transform.iree.convert_to_online_attention" Opaque, form(
        "target any -> results* any",
        "",
        "attr-dict $target `:` functional-type",
    );
    "transform.iree.map_nested_forall_to_gpu_threads" Opaque, form(
        "target any -> results* any",
        "workgroup_dims:dense subgroup_size:i64 sync_after_distribution:bool",
        "$target `workgroup_dims` `=` $workgroup_dims (`subgroup_size` `=` $subgroup_size^)? (`sync_after_distribution` `=` $sync_after_distribution^)? attr-dict `:` functional-type",
    );
    "transform.iree.create_matmul_mfma_tile_sizes" Opaque, form(
        "target handle -> results* param",
        "",
        "$target attr-dict `:` functional-type",
    );
    "transform.iree.share_forall_operands" Opaque, form(
        "forall_op any -> results* any",
        "share_operands:dense",
        "$forall_op (`share_operands` `=` $share_operands^)? attr-dict `:` functional-type",
    );
    "transform.iree.populate_workgroup_count_region_using_num_threads_slice" Opaque, form(
        "for_all_op any ->",
        "",
        "attr-dict $for_all_op `:` functional-type",
    );
};
