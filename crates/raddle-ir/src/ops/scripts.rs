//! Rows of the op table for scripts: the steps of `transform`, those that carry something out and those that only stand
//! in scripts that others run.
//!
//! Attributes that MLIR 22 reads in the dictionary have words of their own in later versions; both are read, and the
//! later spelling is printed.

/// The table: the rows that are given, and these.
macro_rules! with_script_rows {
    ($($rows:tt)*) => {
        with_gpu_rows! {
            $($rows)*

            // transform: control
            TransformSequence "transform.sequence" Opaque, by_hand(
                "root? handle, extra_bindings* piece -> results* handle {~transform.yield}",
                "failure_propagation_mode:@failures",
            );
            TransformNamedSequence "transform.named_sequence" Opaque, by_hand(
                "-> {?~transform.yield}",
                "sym_name function_type sym_visibility arg_attrs res_attrs",
            );
            TransformYield "transform.yield" Opaque, form(
                "operands* piece ->",
                "",
                "$operands attr-dict (`:` type($operands)^)?",
            );
            TransformInclude "transform.include" Opaque, form(
                "operands* piece -> results* piece",
                "target failure_propagation_mode:@failures arg_attrs res_attrs",
                "$target `failures` `(` $failure_propagation_mode `)` `(` $operands `)` attr-dict `:` functional-type",
            );
            TransformAlternatives "transform.alternatives" Opaque, form(
                "scope? handle -> results* handle {+~transform.yield}",
                "",
                "($scope^ `:` type($scope))? (`->` type($results)^)? attr-dict-with-keyword regions",
            );
            TransformForeach "transform.foreach" Opaque, form(
                "targets* piece -> results* piece {~transform.yield}",
                "with_zip_shortest:unit",
                "$targets (`with_zip_shortest` $with_zip_shortest^)? `:` type($targets) (`->` type($results)^)? region0 attr-dict",
            );
            TransformForeachMatch "transform.foreach_match" Opaque, by_hand(
                "root handle, forwarded_inputs* piece -> updated handle, forwarded_outputs* piece",
                "restrict_root:unit flatten_results:unit matchers actions",
            );
            TransformCollectMatching "transform.collect_matching" Opaque, form(
                "root handle -> results* piece",
                "matcher",
                "$matcher `in` $root attr-dict `:` functional-type",
            );
            TransformTuneKnob "transform.tune.knob" Opaque, form(
                "-> result param",
                "name:str options selected",
                "`<` $name `>` (`=` $selected^ `from`)? `options` `=` $options attr-dict `->` type($result)",
            );

            // transform: handles and parameters
            TransformAnnotate "transform.annotate" Opaque, form(
                "target handle, param? param ->",
                "name:str",
                "$target $name attr-dict (`=` $param^)? `:` type($target) (`,` type($param)^)?",
            );
            TransformCast "transform.cast" Opaque pure, form(
                "in handle -> out handle",
                "",
                "$in attr-dict `:` type($in) `to` type($out)",
            );
            TransformGetConsumersOfResult "transform.get_consumers_of_result" Opaque, form(
                "target handle -> consumers handle",
                "result_number:i64",
                "$target `[` $result_number `]` attr-dict `:` functional-type",
            );
            TransformGetDefiningOp "transform.get_defining_op" Opaque, form(
                "target value -> result handle",
                "",
                "$target attr-dict `:` functional-type",
            );
            TransformGetOperand "transform.get_operand" Opaque, form(
                "target handle -> result value",
                "raw_position_list:dense is_inverted:unit is_all:unit",
                "$target `[` positions(raw_position_list) `]` attr-dict `:` functional-type",
            );
            TransformGetParentOp "transform.get_parent_op" Opaque, form(
                "target handle -> parent handle",
                "isolated_from_above:unit allow_empty_results:unit op_name:str deduplicate:unit nth_parent:i64=1",
                "$target struct($isolated_from_above $allow_empty_results $op_name $deduplicate $nth_parent) attr-dict `:` functional-type",
            );
            TransformGetProducerOfOperand "transform.get_producer_of_operand" Opaque, form(
                "target handle -> producer handle",
                "operand_number:i64",
                "$target `[` $operand_number `]` attr-dict `:` functional-type",
            );
            TransformGetResult "transform.get_result" Opaque, form(
                "target handle -> result value",
                "raw_position_list:dense is_inverted:unit is_all:unit",
                "$target `[` positions(raw_position_list) `]` attr-dict `:` functional-type",
            );
            TransformGetType "transform.get_type" Opaque, form(
                "value value -> type_param param",
                "elemental:unit",
                "(`elemental` $elemental^)? $value attr-dict `:` functional-type",
            );
            TransformMergeHandles "transform.merge_handles" Opaque, form(
                "T piece; handles* T -> result T",
                "deduplicate:unit",
                "(`deduplicate` $deduplicate^)? $handles attr-dict `:` type($result)",
            );
            TransformNumAssociations "transform.num_associations" Opaque, form(
                "handle piece -> num param",
                "",
                "$handle attr-dict `:` functional-type",
            );
            TransformParamConstant "transform.param.constant" Opaque pure, form(
                "-> param param",
                "value",
                "$value attr-dict `->` type($param)",
            );
            TransformPrint "transform.print" Opaque, form(
                "target? handle ->",
                "name:str assume_verified:unit use_local_scope:unit skip_regions:unit",
                "$target (`name` `=` $name^)? (`assume_verified` $assume_verified^)? (`use_local_scope` $use_local_scope^)? (`skip_regions` $skip_regions^)? attr-dict (`:` type($target)^)?",
            );
            TransformReplicate "transform.replicate" Opaque, form(
                "pattern handle, handles* piece -> replicated* same(handles)",
                "",
                "`num` `(` $pattern `)` $handles attr-dict `:` type($pattern) `,` type($handles)",
            );
            TransformSelect "transform.select" Opaque, form(
                "target handle -> result handle",
                "op_name:str",
                "$op_name `in` $target attr-dict `:` functional-type",
            );
            TransformSplitHandle "transform.split_handle" Opaque, form(
                "handle piece -> results* piece",
                "pass_through_empty_handle:bool=true fail_on_payload_too_small:bool=true overflow_result:i64",
                "$handle (`pass_through_empty_handle` `=` $pass_through_empty_handle^)? (`fail_on_payload_too_small` `=` $fail_on_payload_too_small^)? (`overflow_result` `=` $overflow_result^)? attr-dict `:` functional-type",
            );
            TransformVerify "transform.verify" Opaque, SCRIPT_ON;
            TransformDebugEmitRemarkAt "transform.debug.emit_remark_at" Opaque, form(
                "at any ->",
                "message:str",
                "$at `,` $message attr-dict `:` type($at)",
            );
            TransformDebugEmitParamAsRemark "transform.debug.emit_param_as_remark" Opaque, form(
                "param param, anchor? handle ->",
                "message:str",
                "$param (`,` $message^)? (`at` $anchor^)? attr-dict `:` type($param) (`,` type($anchor)^)?",
            );
            TransformDltiQuery "transform.dlti.query" Opaque, form(
                "target handle -> associated_attr param",
                "keys",
                "$keys `at` $target attr-dict `:` functional-type",
            );

            // transform: matchers
            TransformMatchOperationEmpty "transform.match.operation_empty" Opaque, form(
                "operand_handle handle ->",
                "",
                "$operand_handle attr-dict `:` type($operand_handle)",
            );
            TransformMatchOperationName "transform.match.operation_name" Opaque, form(
                "operand_handle handle ->",
                "op_names",
                "$operand_handle $op_names attr-dict `:` type($operand_handle)",
            );
            TransformMatchParamCmpi "transform.match.param.cmpi" Opaque, form(
                "T param; param T, reference T ->",
                "predicate:@paramcmp",
                "$predicate $param `,` $reference attr-dict `:` type($param)",
            );
            TransformMatchStructured "transform.match.structured" Opaque, form(
                "current handle -> outputs* piece {~transform.match.structured.yield}",
                "failure_propagation_mode:@failures",
                "(`failures` `(` $failure_propagation_mode^ `)`)? $current `:` semi($current, $outputs) attr-dict-with-keyword region0",
            );
            TransformMatchStructuredYield "transform.match.structured.yield" Opaque, form(
                "handles* piece ->",
                "",
                "$handles attr-dict (`:` type($handles)^)?",
            );
            TransformMatchStructuredBody "transform.match.structured.body" Opaque, form(
                "operand_handle handle ->",
                "reduction_position:i64 passthrough:unit elementwise:unit contraction",
                "$operand_handle (`reduction_position` `=` $reduction_position^)? (`passthrough` $passthrough^)? (`elementwise` $elementwise^)? (`contraction` `=` $contraction^)? attr-dict `:` type($operand_handle)",
            );
            TransformMatchStructuredClassifyContractionDims "transform.match.structured.classify_contraction_dims" Opaque, form(
                "operand_handle handle -> batch param, m param, n param, k param",
                "",
                "$operand_handle attr-dict `:` functional-type",
            );
            TransformMatchStructuredClassifyConvolutionDims "transform.match.structured.classify_convolution_dims" Opaque, form(
                "operand_handle handle -> batch param, output_image param, output_channel param, filter_loop param, input_channel param, depth param, strides param, dilations param",
                "",
                "$operand_handle attr-dict `:` functional-type",
            );
            TransformMatchStructuredDim "transform.match.structured.dim" Opaque, form(
                "operand_handle handle -> result? param",
                "raw_dim_list:dense is_inverted:unit is_all:unit parallel:unit reduction:unit",
                "$operand_handle `[` positions(raw_dim_list) `]` (`parallel` $parallel^)? (`reduction` $reduction^)? attr-dict `:` semi($operand_handle, $result)",
            );
            TransformMatchStructuredElementalBitwidth "transform.match.structured.elemental_bitwidth" Opaque, form(
                "operand_handle value -> result param",
                "",
                "$operand_handle attr-dict `:` functional-type",
            );
            TransformMatchStructuredInput "transform.match.structured.input" Opaque, MATCH_OPERAND;
            TransformMatchStructuredInit "transform.match.structured.init" Opaque, MATCH_OPERAND;
            TransformMatchStructuredNumInputs "transform.match.structured.num_inputs" Opaque, form(
                "operand_handle handle -> result param",
                "",
                "$operand_handle attr-dict `:` functional-type",
            );
            TransformMatchStructuredNumInits "transform.match.structured.num_inits" Opaque, form(
                "operand_handle handle -> result param",
                "",
                "$operand_handle attr-dict `:` functional-type",
            );
            TransformMatchStructuredRank "transform.match.structured.rank" Opaque, form(
                "operand_handle handle -> rank param",
                "",
                "$operand_handle attr-dict `:` functional-type",
            );
            TransformMatchStructuredResult "transform.match.structured.result" Opaque, form(
                "operand_handle handle -> result any",
                "position:i64 any:unit single:unit",
                "$operand_handle `[` $position `]` (`any` $any^)? (`single` $single^)? attr-dict `:` functional-type",
            );

            // transform: patterns and passes
            TransformApplyCse "transform.apply_cse" Opaque, APPLY_TO;
            TransformApplyDce "transform.apply_dce" Opaque, APPLY_TO;
            TransformApplyLicm "transform.apply_licm" Opaque, APPLY_TO;
            TransformApplyRegisteredPass "transform.apply_registered_pass" Opaque, by_hand(
                "target handle, dynamic_options* param -> result handle",
                "pass_name:str options={}",
            );
            TransformApplyPatterns "transform.apply_patterns" Opaque, form(
                "target handle -> {?}",
                "apply_cse:unit max_iterations:i64=-1 max_num_rewrites:i64=-1",
                "`to` $target region0 (`apply_cse` $apply_cse^)? (`max_iterations` `=` $max_iterations^)? (`max_num_rewrites` `=` $max_num_rewrites^)? attr-dict `:` type($target)",
            );
            TransformApplyConversionPatterns "transform.apply_conversion_patterns" Opaque, form(
                "target handle -> {?}{?+}",
                "legal_ops illegal_ops legal_dialects illegal_dialects partial_conversion:unit preserve_handles:unit",
                "`to` $target region0 (`with` `type_converter` region1^)? struct($legal_ops $illegal_ops $legal_dialects $illegal_dialects $partial_conversion $preserve_handles) attr-dict `:` type($target)",
            );
            TransformApplyConversionPatternsDialectToLlvm "transform.apply_conversion_patterns.dialect_to_llvm" Opaque, form(
                "->",
                "dialect_name:str",
                "$dialect_name attr-dict",
            );
            TransformApplyConversionPatternsFuncFuncToLlvm "transform.apply_conversion_patterns.func.func_to_llvm" Opaque, PATTERNS;
            TransformApplyConversionPatternsGpuGpuSubgroupReduceToNvvm "transform.apply_conversion_patterns.gpu.gpu_subgroup_reduce_to_nvvm" Opaque, PATTERNS;
            TransformApplyConversionPatternsGpuGpuToNvvm "transform.apply_conversion_patterns.gpu.gpu_to_nvvm" Opaque, form(
                "->",
                "benefit:i16=1",
                "(`benefit` `=` $benefit^)? attr-dict",
            );
            TransformApplyConversionPatternsGpuGpuToRocdl "transform.apply_conversion_patterns.gpu.gpu_to_rocdl" Opaque, form(
                "->",
                "chipset:str",
                "`chipset` `=` $chipset attr-dict",
            );
            TransformApplyConversionPatternsGpuGpuWmmaToNvvm "transform.apply_conversion_patterns.gpu.gpu_wmma_to_nvvm" Opaque, PATTERNS;
            TransformApplyConversionPatternsMemrefMemrefToLlvmTypeConverter "transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter" Opaque, form(
                "->",
                "use_aligned_alloc:bool=?false index_bitwidth:i64=?64 use_generic_functions:bool=?false use_bare_ptr_call_conv:bool=?false data_layout:str",
                "struct($use_aligned_alloc $index_bitwidth $use_generic_functions $use_bare_ptr_call_conv $data_layout) attr-dict",
            );
            TransformApplyConversionPatternsNvgpuNvgpuToNvvm "transform.apply_conversion_patterns.nvgpu.nvgpu_to_nvvm" Opaque, PATTERNS;
            TransformApplyConversionPatternsScfScfToControlFlow "transform.apply_conversion_patterns.scf.scf_to_control_flow" Opaque, PATTERNS;
            TransformApplyConversionPatternsScfStructuralConversions "transform.apply_conversion_patterns.scf.structural_conversions" Opaque, PATTERNS;
            TransformApplyConversionPatternsVectorVectorToLlvm "transform.apply_conversion_patterns.vector.vector_to_llvm" Opaque, form(
                "->",
                "reassociate_fp_reductions:bool=false force_32bit_vector_indices:bool=true use_vector_alignment:bool=false",
                "(`reassociate_fp_reductions` `=` $reassociate_fp_reductions^)? (`force_32bit_vector_indices` `=` $force_32bit_vector_indices^)? (`use_vector_alignment` `=` $use_vector_alignment^)? attr-dict",
            );
            TransformTypeConversionTensorCastShapeDynamicDims "transform.type_conversion.tensor.cast_shape_dynamic_dims" Opaque, form(
                "->",
                "ignore_dynamic_info:unit",
                "(`ignore_dynamic_info` $ignore_dynamic_info^)? attr-dict",
            );
            TransformApplyPatternsCanonicalization "transform.apply_patterns.canonicalization" Opaque, PATTERNS;
            TransformApplyPatternsGpuEliminateBarriers "transform.apply_patterns.gpu.eliminate_barriers" Opaque, PATTERNS;
            TransformApplyPatternsGpuGpuRewritePatterns "transform.apply_patterns.gpu.gpu_rewrite_patterns" Opaque, PATTERNS;
            TransformApplyPatternsLinalgDecomposePackUnpack "transform.apply_patterns.linalg.decompose_pack_unpack" Opaque, PATTERNS;
            TransformApplyPatternsLinalgDecomposePad "transform.apply_patterns.linalg.decompose_pad" Opaque, PATTERNS;
            TransformApplyPatternsLinalgEraseUnnecessaryInputs "transform.apply_patterns.linalg.erase_unnecessary_inputs" Opaque, PATTERNS;
            TransformApplyPatternsLinalgFoldAddIntoDest "transform.apply_patterns.linalg.fold_add_into_dest" Opaque, PATTERNS;
            TransformApplyPatternsLinalgFoldUnitExtentDimsViaReshapes "transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes" Opaque, PATTERNS;
            TransformApplyPatternsLinalgFoldUnitExtentDimsViaSlices "transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices" Opaque, PATTERNS;
            TransformApplyPatternsLinalgPadVectorization "transform.apply_patterns.linalg.pad_vectorization" Opaque, PATTERNS;
            TransformApplyPatternsLinalgTilingCanonicalization "transform.apply_patterns.linalg.tiling_canonicalization" Opaque, PATTERNS;
            TransformApplyPatternsMemrefExpandOps "transform.apply_patterns.memref.expand_ops" Opaque, PATTERNS;
            TransformApplyPatternsMemrefExpandStridedMetadata "transform.apply_patterns.memref.expand_strided_metadata" Opaque, PATTERNS;
            TransformApplyPatternsMemrefExtractAddressComputations "transform.apply_patterns.memref.extract_address_computations" Opaque, PATTERNS;
            TransformApplyPatternsMemrefFoldMemrefAliasOps "transform.apply_patterns.memref.fold_memref_alias_ops" Opaque, PATTERNS;
            TransformApplyPatternsMemrefResolveRankedShapedTypeResultDims "transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims" Opaque, PATTERNS;
            TransformApplyPatternsScfForLoopCanonicalization "transform.apply_patterns.scf.for_loop_canonicalization" Opaque, PATTERNS;
            TransformApplyPatternsTensorBubbleUpExtractSlice "transform.apply_patterns.tensor.bubble_up_extract_slice" Opaque, PATTERNS;
            TransformApplyPatternsTensorDecomposeConcat "transform.apply_patterns.tensor.decompose_concat" Opaque, PATTERNS;
            TransformApplyPatternsTensorDropRedundantInsertSliceRankExpansion "transform.apply_patterns.tensor.drop_redundant_insert_slice_rank_expansion" Opaque, PATTERNS;
            TransformApplyPatternsTensorFoldIntoPackAndUnpack "transform.apply_patterns.tensor.fold_into_pack_and_unpack" Opaque, PATTERNS;
            TransformApplyPatternsTensorFoldTensorSubsetOps "transform.apply_patterns.tensor.fold_tensor_subset_ops" Opaque, PATTERNS;
            TransformApplyPatternsTensorFoldTensorSubsetOpsIntoVectorTransfers "transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers" Opaque, PATTERNS;
            TransformApplyPatternsTensorMergeConsecutiveInsertExtractSlice "transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice" Opaque, PATTERNS;
            TransformApplyPatternsTensorReassociativeReshapeFolding "transform.apply_patterns.tensor.reassociative_reshape_folding" Opaque, PATTERNS;
            TransformApplyPatternsVectorCastAwayVectorLeadingOneDim "transform.apply_patterns.vector.cast_away_vector_leading_one_dim" Opaque, PATTERNS;
            TransformApplyPatternsVectorDropInnerMostUnitDimsFromXferOps "transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops" Opaque, PATTERNS;
            TransformApplyPatternsVectorDropUnitDimsWithShapeCast "transform.apply_patterns.vector.drop_unit_dims_with_shape_cast" Opaque, PATTERNS;
            TransformApplyPatternsVectorElementwiseToVector "transform.apply_patterns.vector.elementwise_to_vector" Opaque, PATTERNS;
            TransformApplyPatternsVectorFoldArithExtension "transform.apply_patterns.vector.fold_arith_extension" Opaque, PATTERNS;
            TransformApplyPatternsVectorInterleaveAndDeinterleaveToShuffle "transform.apply_patterns.vector.interleave_and_deinterleave_to_shuffle" Opaque, PATTERNS;
            TransformApplyPatternsVectorInterleaveToShuffle "transform.apply_patterns.vector.interleave_to_shuffle" Opaque, PATTERNS;
            TransformApplyPatternsVectorLowerBitcast "transform.apply_patterns.vector.lower_bitcast" Opaque, PATTERNS;
            TransformApplyPatternsVectorLowerBroadcast "transform.apply_patterns.vector.lower_broadcast" Opaque, PATTERNS;
            TransformApplyPatternsVectorLowerCreateMask "transform.apply_patterns.vector.lower_create_mask" Opaque, PATTERNS;
            TransformApplyPatternsVectorLowerGather "transform.apply_patterns.vector.lower_gather" Opaque, PATTERNS;
            TransformApplyPatternsVectorLowerInterleave "transform.apply_patterns.vector.lower_interleave" Opaque, PATTERNS;
            TransformApplyPatternsVectorLowerMaskedTransfers "transform.apply_patterns.vector.lower_masked_transfers" Opaque, PATTERNS;
            TransformApplyPatternsVectorLowerMasks "transform.apply_patterns.vector.lower_masks" Opaque, PATTERNS;
            TransformApplyPatternsVectorLowerOuterproduct "transform.apply_patterns.vector.lower_outerproduct" Opaque, PATTERNS;
            TransformApplyPatternsVectorLowerScan "transform.apply_patterns.vector.lower_scan" Opaque, PATTERNS;
            TransformApplyPatternsVectorLowerShapeCast "transform.apply_patterns.vector.lower_shape_cast" Opaque, PATTERNS;
            TransformApplyPatternsVectorMaterializeMasks "transform.apply_patterns.vector.materialize_masks" Opaque, PATTERNS;
            TransformApplyPatternsVectorRankReducingSubviewPatterns "transform.apply_patterns.vector.rank_reducing_subview_patterns" Opaque, PATTERNS;
            TransformApplyPatternsVectorReductionToContract "transform.apply_patterns.vector.reduction_to_contract" Opaque, PATTERNS;
            TransformApplyPatternsVectorRewriteNarrowTypes "transform.apply_patterns.vector.rewrite_narrow_types" Opaque, PATTERNS;
            TransformApplyPatternsVectorSinkMemOps "transform.apply_patterns.vector.sink_mem_ops" Opaque, PATTERNS;
            TransformApplyPatternsVectorSinkOps "transform.apply_patterns.vector.sink_ops" Opaque, PATTERNS;
            TransformApplyPatternsVectorTransferPermutationPatterns "transform.apply_patterns.vector.transfer_permutation_patterns" Opaque, PATTERNS;
            TransformApplyPatternsVectorUnrollFromElements "transform.apply_patterns.vector.unroll_from_elements" Opaque, PATTERNS;
            TransformApplyPatternsVectorUnrollToElements "transform.apply_patterns.vector.unroll_to_elements" Opaque, PATTERNS;
            TransformApplyPatternsGpuGpuShuffleToAmdgpu "transform.apply_patterns.gpu.gpu_shuffle_to_amdgpu" Opaque, form(
                "->",
                "chipset:str",
                "(`chipset` `=` $chipset^)? attr-dict",
            );
            TransformApplyPatternsGpuUnrollVectorsSubgroupMma "transform.apply_patterns.gpu.unroll_vectors_subgroup_mma" Opaque, form(
                "->",
                "m:i64 n:i64 k:i64",
                "`[` $m `,` $n `,` $k `]` attr-dict",
            );
            TransformApplyPatternsLinalgFoldPackUnpackIntoEmpty "transform.apply_patterns.linalg.fold_pack_unpack_into_empty" Opaque, form(
                "->",
                "fold_single_use_only:bool=false",
                "(`fold_single_use_only` `=` $fold_single_use_only^)? attr-dict",
            );
            TransformApplyPatternsTensorFoldTensorEmpty "transform.apply_patterns.tensor.fold_tensor_empty" Opaque, form(
                "->",
                "fold_single_use_only:bool=false",
                "(`fold_single_use_only` `=` $fold_single_use_only^)? attr-dict",
            );
            TransformApplyPatternsMemrefAllocToAlloca "transform.apply_patterns.memref.alloc_to_alloca" Opaque, form(
                "->",
                "size_limit:i64",
                "(`size_limit` `(` $size_limit^ `)`)? attr-dict",
            );
            TransformApplyPatternsTensorRewriteAsConstant "transform.apply_patterns.tensor.rewrite_as_constant" Opaque, form(
                "->",
                "aggressive:unit",
                "(`aggressive` $aggressive^)? attr-dict",
            );
            TransformApplyPatternsVectorLowerContraction "transform.apply_patterns.vector.lower_contraction" Opaque, form(
                "->",
                "lowering_strategy:@contraction=outerproduct",
                "(`lowering_strategy` `=` $lowering_strategy^)? attr-dict",
            );
            TransformApplyPatternsVectorLowerMultiReduction "transform.apply_patterns.vector.lower_multi_reduction" Opaque, MULTI_REDUCTION_PATTERNS;
            TransformApplyPatternsVectorMultiReductionFlattening "transform.apply_patterns.vector.multi_reduction_flattening" Opaque, MULTI_REDUCTION_PATTERNS;
            TransformApplyPatternsVectorMultiReductionUnrolling "transform.apply_patterns.vector.multi_reduction_unrolling" Opaque, MULTI_REDUCTION_PATTERNS;
            TransformApplyPatternsVectorReorderMultiReductionDims "transform.apply_patterns.vector.reorder_multi_reduction_dims" Opaque, MULTI_REDUCTION_PATTERNS;
            TransformApplyPatternsVectorLowerStep "transform.apply_patterns.vector.lower_step" Opaque, form(
                "->",
                "index_bitwidth:i64",
                "`index_bitwidth` `=` $index_bitwidth attr-dict",
            );
            TransformApplyPatternsVectorLowerTransfer "transform.apply_patterns.vector.lower_transfer" Opaque, form(
                "->",
                "max_transfer_rank:i64=1",
                "(`max_transfer_rank` `=` $max_transfer_rank^)? attr-dict",
            );
            TransformApplyPatternsVectorLowerTranspose "transform.apply_patterns.vector.lower_transpose" Opaque, form(
                "->",
                "lowering_strategy:@transposition=eltwise avx2_lowering_strategy:bool=false",
                "(`lowering_strategy` `=` $lowering_strategy^)? (`avx2_lowering_strategy` `=` $avx2_lowering_strategy^)? attr-dict",
            );
            TransformApplyPatternsVectorSplitTransferFullPartial "transform.apply_patterns.vector.split_transfer_full_partial" Opaque, form(
                "->",
                "split_transfer_strategy:@transfersplit=linalg-copy",
                "(`split_transfer_strategy` `=` $split_transfer_strategy^)? attr-dict",
            );
            TransformApplyPatternsVectorTransferToScf "transform.apply_patterns.vector.transfer_to_scf" Opaque, form(
                "->",
                "max_transfer_rank:i64=1 full_unroll:bool=false",
                "(`max_transfer_rank` `=` $max_transfer_rank^)? (`full_unroll` `=` $full_unroll^)? attr-dict",
            );

            // transform.structured
            TransformStructuredMatch "transform.structured.match" Opaque, form(
                "target any -> results any",
                "ops interface:@interface op_attrs filter_result_type filter_operand_types",
                "(`ops` `{` $ops^ `}`)? (`interface` `{` $interface^ `}`)? (`attributes` $op_attrs^)? (`filter_result_type` `=` $filter_result_type^)? (`filter_operand_types` `=` $filter_operand_types^)? `in` $target attr-dict `:` functional-type",
            );
            TransformStructuredBufferizeToAllocation "transform.structured.bufferize_to_allocation" Opaque, form(
                "target handle -> allocated_buffer !transform.any_value, new_ops !transform.any_op",
                r#"memory_space memcpy_op:str="bufferization.materialize_in_destination" alloc_op:str="memref.alloc" bufferize_destination_only:unit emit_dealloc:unit"#,
                "$target struct($memory_space $memcpy_op $alloc_op $bufferize_destination_only $emit_dealloc) attr-dict `:` type($target)",
            );
            TransformStructuredContinuousTileSizes "transform.structured.continuous_tile_sizes" Opaque, form(
                "P number; target handle -> tile_sizes P, chunk_sizes P",
                "dimension:i64 target_size:i64",
                "$target (`dimension` `=` $dimension^)? (`target_size` `=` $target_size^)? attr-dict `:` `(` type($target) `)` `->` type($tile_sizes)",
            );
            TransformStructuredConvertToLoops "transform.structured.convert_to_loops" Opaque, SCRIPT_ONE;
            TransformStructuredDecompose "transform.structured.decompose" Opaque, SCRIPT_ONE;
            TransformStructuredDecomposeInterface "transform.structured.decompose_interface" Opaque, SCRIPT_ONE;
            TransformStructuredDecomposeWinogradOp "transform.structured.decompose_winograd_op" Opaque, SCRIPT_ONE;
            TransformStructuredFlattenElementwise "transform.structured.flatten_elementwise" Opaque, SCRIPT_ONE;
            TransformStructuredGeneralize "transform.structured.generalize" Opaque, SCRIPT_ONE;
            TransformStructuredHoistRedundantVectorBroadcasts "transform.structured.hoist_redundant_vector_broadcasts" Opaque, SCRIPT_ONE;
            TransformStructuredInsertSliceToCopy "transform.structured.insert_slice_to_copy" Opaque, SCRIPT_ONE;
            TransformStructuredLinalgCopyToMemref "transform.structured.linalg_copy_to_memref" Opaque, SCRIPT_ONE;
            TransformStructuredRewriteInDestinationPassingStyle "transform.structured.rewrite_in_destination_passing_style" Opaque, SCRIPT_ONE;
            TransformStructuredScalarize "transform.structured.scalarize" Opaque, SCRIPT_ONE;
            TransformStructuredTransposeConv2d "transform.structured.transpose_conv2d" Opaque, SCRIPT_ONE;
            TransformStructuredConvertConv2dToImg2col "transform.structured.convert_conv2d_to_img2col" Opaque, form(
                "target handle -> img2col_tensor handle, transformed handle",
                "",
                "$target attr-dict `:` functional-type",
            );
            TransformStructuredEliminateEmptyTensors "transform.structured.eliminate_empty_tensors" Opaque, SCRIPT_ON;
            TransformStructuredFuse "transform.structured.fuse" Opaque, form(
                "target handle, tile_sizes* number, tile_interchange* number, packed_tile_sizes? number -> transformed handle, loops* handle",
                "static_tile_sizes:dense static_tile_interchange:dense apply_cleanup:unit use_forall:unit",
                "$target (`tile_sizes` mixed(static_tile_sizes, tile_sizes, packed_tile_sizes)^)? (`interchange` mixed(static_tile_interchange, tile_interchange)^)? (`apply_cleanup` $apply_cleanup^)? (`use_forall` $use_forall^)? attr-dict `:` functional-type",
            );
            TransformStructuredFuseIntoContainingOp "transform.structured.fuse_into_containing_op" Opaque, form(
                "producer_op handle, containing_op handle -> fused_op handle, new_containing_op handle",
                "",
                "$producer_op `into` $containing_op attr-dict `:` functional-type",
            );
            TransformStructuredGpuMapCopyToThreads "transform.structured.gpu.map_copy_to_threads" Opaque, form(
                "target handle -> forall_op handle, tiled_op handle",
                "total_num_threads:i64 desired_bit_alignment:i64",
                "$target `total_num_threads` `=` $total_num_threads `desired_bit_alignment` `=` $desired_bit_alignment attr-dict `:` functional-type",
            );
            TransformStructuredHoistPad "transform.structured.hoist_pad" Opaque, form(
                "target handle -> transformed handle",
                "num_loops:i64 transpose:dense=[]",
                "$target `by` $num_loops `loops` (`,` `transpose` `by` $transpose^)? attr-dict `:` functional-type",
            );
            TransformStructuredHoistPadBuildPackingLoopNest "transform.structured.hoist_pad.build_packing_loop_nest" Opaque, form(
                "target handle, loop handle -> packing_loop handle",
                "transpose:dense=[]",
                "$target `above` $loop (`,` `transpose` `by` $transpose^)? attr-dict `:` functional-type",
            );
            TransformStructuredHoistRedundantVectorTransfers "transform.structured.hoist_redundant_vector_transfers" Opaque, form(
                "target handle -> transformed handle",
                "verify_non_zero_trip:unit",
                "$target (`verify_non_zero_trip` $verify_non_zero_trip^)? attr-dict `:` functional-type",
            );
            TransformStructuredInterchange "transform.structured.interchange" Opaque, form(
                "target handle -> transformed handle",
                "iterator_interchange:dense=?[]",
                "$target (`iterator_interchange` `=` $iterator_interchange^)? attr-dict `:` functional-type",
            );
            TransformStructuredLowerPack "transform.structured.lower_pack" Opaque, form(
                r#"target !transform.op<"linalg.pack"> -> pad_op !transform.op<"tensor.pad">, expand_shape_op !transform.op<"tensor.expand_shape">, transpose_op !transform.op<"linalg.transpose">"#,
                "lowerPadLikeWithInsertSlice:bool=true",
                "$target (`lowerPadLikeWithInsertSlice` `=` $lowerPadLikeWithInsertSlice^)? attr-dict `:` functional-type",
            );
            TransformStructuredLowerUnpack "transform.structured.lower_unpack" Opaque, form(
                r#"target !transform.op<"linalg.unpack"> -> results* handle"#,
                "lowerUnpadLikeWithExtractSlice:bool=true",
                "$target (`lowerUnpadLikeWithExtractSlice` `=` $lowerUnpadLikeWithExtractSlice^)? attr-dict `:` functional-type",
            );
            TransformStructuredMultitileSizes "transform.structured.multitile_sizes" Opaque, form(
                "P number; target handle -> low_size P, high_size P, split_point P",
                "dimension:i64 target_size:i64 divisor:i64=1",
                "$target (`dimension` `=` $dimension^)? (`target_size` `=` $target_size^)? (`divisor` `=` $divisor^)? attr-dict `:` `(` type($target) `)` `->` type($low_size)",
            );
            TransformStructuredPack "transform.structured.pack" Opaque, form(
                "target handle, packed_sizes* number -> packed_op handle",
                "static_packed_sizes:dense=[]",
                "$target `packed_sizes` `=` mixed(static_packed_sizes, packed_sizes) attr-dict `:` functional-type",
            );
            TransformStructuredPackGreedily "transform.structured.pack_greedily" Opaque, form(
                "target handle, matmul_packed_sizes* number -> packed_op handle",
                "static_matmul_packed_sizes:dense=[] matmul_padded_sizes_next_multiple_of:dense=[] matmul_inner_dims_order:dense=[]",
                "$target (`matmul_packed_sizes` `=` mixed(static_matmul_packed_sizes, matmul_packed_sizes)^)? (`matmul_padded_sizes_next_multiple_of` `=` $matmul_padded_sizes_next_multiple_of^)? (`matmul_inner_dims_order` `=` $matmul_inner_dims_order^)? attr-dict `:` functional-type",
            );
            TransformStructuredPackTranspose "transform.structured.pack_transpose" Opaque, form(
                "target_pack_or_un_pack_op handle, target_linalg_op handle -> packed_op handle, pack_op handle, un_pack_op handle",
                "outer_perm:dense=?[] inner_perm:dense=?[]",
                "$target_pack_or_un_pack_op `with_compute_op` `(` $target_linalg_op `)` (`outer_perm` `=` $outer_perm^)? (`inner_perm` `=` $inner_perm^)? attr-dict `:` functional-type",
            );
            TransformStructuredPad "transform.structured.pad" Opaque, form(
                "target handle, pad_to_multiple_of* number -> padded handle, pad handle, copy handle",
                r#"padding_values=[] padding_dimensions=[] static_pad_to_multiple_of:dense nofold_flags=[] transpose_paddings=[] copy_back_op:str="bufferization.materialize_in_destination" use_prescribed_tensor_shapes:unit"#,
                "$target (`pad_to_multiple_of` mixed(static_pad_to_multiple_of, pad_to_multiple_of)^)? (`use_prescribed_tensor_shapes` $use_prescribed_tensor_shapes^)? struct($padding_values $padding_dimensions $nofold_flags $transpose_paddings $copy_back_op) attr-dict `:` functional-type",
            );
            TransformStructuredPadTilingInterface "transform.structured.pad_tiling_interface" Opaque, form(
                "target handle, padding_sizes* number -> padded handle, pad handle",
                "padding_values=[] static_padding_sizes:dense pad_to_multiple_of:unit",
                "$target `to` (`padding_sizes` mixed(static_padding_sizes, padding_sizes)^)? (`pad_to_multiple_of` $pad_to_multiple_of^)? (`padding_values` `=` $padding_values^)? attr-dict `:` functional-type",
            );
            TransformStructuredPromote "transform.structured.promote" Opaque, form(
                "target handle -> transformed handle",
                "operands_to_promote=[] use_full_tile_buffers=[] use_full_tiles_by_default:unit use_original_subview_size:unit use_alloca:unit memory_space mapping alignment:i64",
                "$target struct($operands_to_promote $use_full_tile_buffers $use_full_tiles_by_default $use_original_subview_size $use_alloca $memory_space $mapping $alignment) attr-dict `:` functional-type",
            );
            TransformStructuredPromoteTensor "transform.structured.promote_tensor" Opaque, form(
                "T value; tensor T -> promoted T",
                "memory_space",
                "(`to` $memory_space^)? $tensor attr-dict `:` type($tensor)",
            );
            TransformStructuredReplace "transform.structured.replace" Opaque, form(
                "target handle -> replacement handle {}",
                "",
                "$target attr-dict-with-keyword region0 `:` functional-type",
            );
            TransformStructuredSpecialize "transform.structured.specialize" Opaque, form(
                "target handle -> transformed handle",
                "emit_category:bool=false",
                "$target (`emit_category` `=` $emit_category^)? attr-dict `:` functional-type",
            );
            TransformStructuredSplit "transform.structured.split" Opaque, by_hand(
                "T handle; target T, dynamic_chunk_sizes? number -> split_list T",
                "dimension:i64 static_chunk_sizes:i64 multiway:unit",
            );
            TransformStructuredSplitReduction "transform.structured.split_reduction" Opaque, form(
                "target handle -> init_or_alloc_op handle, fill_op handle, split_linalg_op handle, combining_linalg_op handle",
                "split_factor:i64=0 insert_split_dimension:i64=0 inner_parallel:unit use_scaling_algorithm:unit use_alloc:unit",
                "$target struct($split_factor $insert_split_dimension $inner_parallel $use_scaling_algorithm $use_alloc) attr-dict `:` functional-type",
            );
            TransformStructuredTileReductionUsingFor "transform.structured.tile_reduction_using_for" Opaque, form(
                "target handle -> results* handle",
                "reduction_dims=[] tile_sizes=[]",
                "$target (`reduction_dims` `=` $reduction_dims^)? (`by` `tile_sizes` `=` $tile_sizes^)? attr-dict `:` functional-type",
            );
            TransformStructuredTileReductionUsingForall "transform.structured.tile_reduction_using_forall" Opaque, form(
                "target any -> results* any",
                "reduction_dims=[] num_threads:dense=[] tile_sizes:dense=[] mapping",
                "$target (`reduction_dims` `=` $reduction_dims^)? `by` (`num_threads` `=` $num_threads^)? (`tile_sizes` `=` $tile_sizes^)? (`,` `mapping` `=` $mapping^)? attr-dict `:` functional-type",
            );
            TransformStructuredTileUsingFor "transform.structured.tile_using_for" Opaque, form(
                "target handle, dynamic_sizes* number, packed_sizes? number, interchange_handle? number, other? number -> tiled_linalg_op handle, loops* handle",
                "static_sizes:dense static_interchange:dense=?[] scalable_sizes",
                "$target (`tile_sizes` mixed(static_sizes, dynamic_sizes, scalable_sizes)^)? (`interchange` `=` $static_interchange^)? attr-dict `:` functional-type",
            );
            TransformStructuredTileUsingForall "transform.structured.tile_using_forall" Opaque, form(
                "target any, num_threads* any, tile_sizes* any, packed_num_threads? any, packed_tile_sizes? any -> tiled_op any, forall_op any",
                "static_num_threads:dense static_tile_sizes:dense mapping",
                "$target (`num_threads` mixed(static_num_threads, num_threads, packed_num_threads)^)? (`tile_sizes` mixed(static_tile_sizes, tile_sizes, packed_tile_sizes)^)? (`(` `mapping` `=` $mapping^ `)`)? attr-dict `:` functional-type",
            );
            TransformStructuredTransposeMatmul "transform.structured.transpose_matmul" Opaque, form(
                "target handle -> transformed handle",
                "inputToTranspose:@side=lhs",
                "$target (`` `<` $inputToTranspose^ `>`)? attr-dict `:` functional-type",
            );
            TransformStructuredVectorize "transform.structured.vectorize" Opaque, form(
                "target handle, vector_sizes* number ->",
                "static_vector_sizes:dense vectorize_nd_extract:unit assume_dynamic_dims_match_vec_sizes:unit create_named_contraction:unit scalable_sizes",
                "$target (`vector_sizes` mixed(static_vector_sizes, vector_sizes, scalable_sizes)^)? (`vectorize_nd_extract` $vectorize_nd_extract^)? (`assume_dynamic_dims_match_vec_sizes` $assume_dynamic_dims_match_vec_sizes^)? (`create_named_contraction` $create_named_contraction^)? attr-dict `:` type($target) (`,` type($vector_sizes)^)?",
            );
            TransformStructuredVectorizeChildrenAndApplyPatterns "transform.structured.vectorize_children_and_apply_patterns" Opaque, form(
                "target handle -> transformed handle",
                "fold_type_extensions_into_contract:unit vectorize_padding:unit vectorize_nd_extract:unit flatten_1d_depthwise_conv:unit disable_multi_reduction_to_contract_patterns:unit disable_transfer_permutation_map_lowering_patterns:unit",
                "$target struct($fold_type_extensions_into_contract $vectorize_padding $vectorize_nd_extract $flatten_1d_depthwise_conv $disable_multi_reduction_to_contract_patterns $disable_transfer_permutation_map_lowering_patterns) attr-dict `:` functional-type",
            );
            TransformStructuredWinogradConv2d "transform.structured.winograd_conv2d" Opaque, form(
                "target handle -> transformed handle",
                "fmr:@winograd",
                "$target (`fmr` `(` $fmr^ `)`)? attr-dict `:` functional-type",
            );

            // transform: affine, bufferization, func, gpu, loop, memref, nvgpu, scf, tensor
            TransformAffineSimplifyBoundedAffineOps "transform.affine.simplify_bounded_affine_ops" Opaque, form(
                "target handle, bounded_values* handle ->",
                "lower_bounds:dense upper_bounds:dense",
                "$target `with` `[` ($bounded_values^ `:` type($bounded_values))? `]` `within` $lower_bounds `and` $upper_bounds attr-dict `:` type($target)",
            );
            TransformAffineSimplifyMinMaxAffineOps "transform.affine.simplify_min_max_affine_ops" Opaque, SCRIPT_ON;
            TransformBufferizationBufferLoopHoisting "transform.bufferization.buffer_loop_hoisting" Opaque, SCRIPT_ON;
            TransformBufferizationEliminateEmptyTensors "transform.bufferization.eliminate_empty_tensors" Opaque, SCRIPT_ON;
            TransformBufferizationEmptyTensorToAllocTensor "transform.bufferization.empty_tensor_to_alloc_tensor" Opaque, form(
                r#"target !transform.op<"tensor.empty"> -> transformed !transform.op<"bufferization.alloc_tensor">"#,
                "",
                "$target attr-dict `:` functional-type",
            );
            TransformBufferizationOneShotBufferize "transform.bufferization.one_shot_bufferize" Opaque, form(
                "target handle -> transformed handle",
                r#"function_boundary_type_conversion:@layoutmap allow_return_allocs_from_loops:bool=false allow_unknown_ops:bool=false bufferize_function_boundaries:bool=false dump_alias_sets:bool=false test_analysis_only:bool=false print_conflicts:bool=false check_parallel_regions:bool=true memcpy_op:str="memref.copy""#,
                "(`layout` `{` $function_boundary_type_conversion^ `}`)? $target struct($allow_return_allocs_from_loops $allow_unknown_ops $bufferize_function_boundaries $dump_alias_sets $test_analysis_only $print_conflicts $check_parallel_regions $memcpy_op) attr-dict `:` functional-type",
            );
            TransformFuncCastAndCall "transform.func.cast_and_call" Opaque, form(
                "insertion_point handle, inputs? value, outputs? value, function? handle -> result handle {?}",
                "insert_after:unit function_name:symbol",
                "($function_name^)? ($function^)? (`(` $inputs^ `)`)? (`->` $outputs^)? (`after` $insert_after^):(`before`)? $insertion_point (region0^)? attr-dict `:` functional-type",
            );
            TransformFuncDeduplicateFuncArgs "transform.func.deduplicate_func_args" Opaque, form(
                "module handle -> transformed_module handle, transformed_function handle",
                "function_name",
                "$function_name `at` $module attr-dict `:` functional-type",
            );
            TransformFuncReplaceFuncSignature "transform.func.replace_func_signature" Opaque, form(
                "module handle -> transformed_module handle, transformed_function handle",
                "function_name args_interchange:dense32 results_interchange:dense32 adjust_func_calls:unit",
                "$function_name `args_interchange` `=` $args_interchange `results_interchange` `=` $results_interchange `at` $module (`adjust_func_calls` $adjust_func_calls^)? attr-dict `:` functional-type",
            );
            TransformGpuMapForallToBlocks "transform.gpu.map_forall_to_blocks" Opaque, form(
                "target handle -> result handle",
                "grid_dims:dense=?[] generate_gpu_launch:unit",
                "$target (`generate_gpu_launch` $generate_gpu_launch^)? (`grid_dims` `=` $grid_dims^)? attr-dict `:` functional-type",
            );
            TransformGpuMapNestedForallToThreads "transform.gpu.map_nested_forall_to_threads" Opaque, form(
                "target handle -> result handle",
                "block_dims:dense=[] sync_after_distribute:bool=true warp_size:i64=32",
                "$target `block_dims` `=` $block_dims (`sync_after_distribute` `=` $sync_after_distribute^)? (`warp_size` `=` $warp_size^)? attr-dict `:` functional-type",
            );
            TransformLoopCoalesce "transform.loop.coalesce" Opaque, SCRIPT_ONE;
            TransformLoopForallToFor "transform.loop.forall_to_for" Opaque, SCRIPT;
            TransformLoopForallToParallel "transform.loop.forall_to_parallel" Opaque, SCRIPT;
            TransformLoopParallelForToNestedFors "transform.loop.parallel_for_to_nested_fors" Opaque, SCRIPT;
            TransformLoopFuseSibling "transform.loop.fuse_sibling" Opaque, form(
                "target handle, source handle -> fused_loop handle",
                "",
                "$target `into` $source attr-dict `:` functional-type",
            );
            TransformLoopHoistLoopInvariantSubsets "transform.loop.hoist_loop_invariant_subsets" Opaque, SCRIPT_ON;
            TransformLoopOutline "transform.loop.outline" Opaque, form(
                "target handle -> function handle, call handle",
                "func_name:str",
                "$target (`func_name` `=` $func_name^)? attr-dict `:` functional-type",
            );
            TransformLoopPeel "transform.loop.peel" Opaque, form(
                r#"target !transform.op<"scf.for"> -> peeled_loop handle, remainder_loop handle"#,
                "peel_front:bool=false fail_if_already_divisible:bool=false",
                "$target (`peel_front` `=` $peel_front^)? (`fail_if_already_divisible` `=` $fail_if_already_divisible^)? attr-dict `:` functional-type",
            );
            TransformLoopPipeline "transform.loop.pipeline" Opaque, form(
                r#"target !transform.op<"scf.for"> -> transformed handle"#,
                "iteration_interval:i64=1 read_latency:i64=10",
                "$target (`iteration_interval` `=` $iteration_interval^)? (`read_latency` `=` $read_latency^)? attr-dict `:` functional-type",
            );
            TransformLoopPromoteIfOneIteration "transform.loop.promote_if_one_iteration" Opaque, SCRIPT_ON;
            TransformLoopUnroll "transform.loop.unroll" Opaque, form(
                "target handle ->",
                "factor:i64",
                "$target (`factor` `=` $factor^)? attr-dict `:` type($target)",
            );
            TransformLoopUnrollAndJam "transform.loop.unroll_and_jam" Opaque, form(
                "target handle ->",
                "factor:i64",
                "$target (`factor` `=` $factor^)? attr-dict `:` type($target)",
            );
            TransformMemrefAllocaToGlobal "transform.memref.alloca_to_global" Opaque, form(
                r#"alloca !transform.op<"memref.alloca"> -> getGlobal handle, global handle"#,
                "",
                "$alloca attr-dict `:` functional-type",
            );
            TransformMemrefEraseDeadAllocAndStores "transform.memref.erase_dead_alloc_and_stores" Opaque, form(
                "target handle ->",
                "",
                "$target attr-dict `:` functional-type",
            );
            TransformMemrefMultibuffer "transform.memref.multibuffer" Opaque, form(
                r#"target !transform.op<"memref.alloc"> -> transformed handle"#,
                "factor:i64 skip_analysis:unit",
                "$target struct($factor $skip_analysis) attr-dict `:` functional-type",
            );
            TransformMemrefMakeLoopIndependent "transform.memref.make_loop_independent" Opaque, form(
                "target handle -> transformed handle",
                "num_loops:i64",
                "$target (`num_loops` `=` $num_loops^)? attr-dict `:` functional-type",
            );
            TransformTensorMakeLoopIndependent "transform.tensor.make_loop_independent" Opaque, form(
                "target handle -> transformed handle",
                "num_loops:i64",
                "$target (`num_loops` `=` $num_loops^)? attr-dict `:` functional-type",
            );
            TransformNvgpuCreateAsyncGroups "transform.nvgpu.create_async_groups" Opaque, form(
                "target handle -> result handle",
                "bypass_l1:unit",
                "$target (`bypass_l1` $bypass_l1^)? attr-dict `:` functional-type",
            );
            TransformNvgpuPipelineSharedMemoryCopies "transform.nvgpu.pipeline_shared_memory_copies" Opaque, form(
                "for_op handle -> result handle",
                "depth:i64 peel_epilogue:unit failure_propagation_mode:@failures=suppress",
                "`failures` `(` $failure_propagation_mode `)` $for_op (`depth` `=` $depth^)? (`peel_epilogue` $peel_epilogue^)? attr-dict `:` functional-type",
            );
            TransformNvgpuRewriteCopyAsTma "transform.nvgpu.rewrite_copy_as_tma" Opaque, form(
                "target handle ->",
                "",
                "$target attr-dict `:` functional-type",
            );
            TransformNvgpuRewriteMatmulAsMmaSync "transform.nvgpu.rewrite_matmul_as_mma_sync" Opaque, form(
                "target handle ->",
                "",
                "$target attr-dict `:` functional-type",
            );
            TransformScfTakeAssumedBranch "transform.scf.take_assumed_branch" Opaque, form(
                "target handle ->",
                "take_else_branch:unit",
                "$target (`take_else_branch` $take_else_branch^)? attr-dict `:` functional-type",
            );

            // transform.util
            TransformUtilCastAndCall "transform.util.cast_and_call" Opaque, form(
                "insertion_point handle, inputs? value, outputs? value, function? handle -> result* handle {?}",
                "insert_after:unit inline_call:unit function_name:symbol",
                "(`inline_call` $inline_call^)? ($function_name^)? ($function^)? (`(` $inputs^ `)`)? (`->` $outputs^)? (`after` $insert_after^):(`before`)? $insertion_point (region0^)? attr-dict `:` functional-type",
            );
            TransformUtilCreateSerializedModule "transform.util.create_serialized_module" Opaque, form(
                "-> result param {}",
                "",
                "attr-dict-with-keyword region0 `->` type($result)",
            );
            TransformUtilDeserializeModule "transform.util.deserialize_module" Opaque, form(
                "module param, container handle ->",
                "",
                "$module `into` $container attr-dict `:` type($module) `,` type($container)",
            );
            TransformUtilEliminateHoistableConversions "transform.util.eliminate_hoistable_conversions" Opaque, SCRIPT_ONE;
            TransformUtilGetNearestSymbolTable "transform.util.get_nearest_symbol_table" Opaque, SCRIPT_ONE;
            TransformUtilImportSymbol "transform.util.import_symbol" Opaque, form(
                "symbol_table handle -> cloned_symbol handle",
                "symbol if_undefined:unit force_import:unit",
                "(`force` $force_import^)? $symbol `into` $symbol_table (`if` `undefined` $if_undefined^)? attr-dict `:` functional-type",
            );
            TransformUtilLookupNearestSymbolFromSelf "transform.util.lookup_nearest_symbol_from_self" Opaque, form(
                "-> target_symbol handle",
                "symbol",
                "$symbol attr-dict `:` type($target_symbol)",
            );

            // transform.iree
            TransformIreeMatchAttention "transform.iree.match.attention" Opaque, form(
                "P param; operand_handle handle -> batch_dims P, m_dims P, n_dims P, k1_dims P, k2_dims P",
                "query_type key_type value_type output_type indexing_maps",
                "$operand_handle `,` `query_type` `=` $query_type `,` `key_type` `=` $key_type `,` `value_type` `=` $value_type `,` `output_type` `=` $output_type `,` `indexing_maps` `=` $indexing_maps attr-dict `:` type($operand_handle) `->` type($batch_dims)",
            );
            TransformIreeMatchOnlineAttention "transform.iree.match.online_attention" Opaque, form(
                "P param; operand_handle handle -> batch_dims P, m_dims P, n_dims P, k1_dims P, k2_dims P",
                "query_type key_type value_type scale_type output_type max_type sum_type indexing_maps",
                "$operand_handle `,` `query_type` `=` $query_type `,` `key_type` `=` $key_type `,` `value_type` `=` $value_type `,` `scale_type` `=` $scale_type `,` `output_type` `=` $output_type `,` `max_type` `=` $max_type `,` `sum_type` `=` $sum_type `,` `indexing_maps` `=` $indexing_maps attr-dict `:` type($operand_handle) `->` type($batch_dims)",
            );
            TransformIreeMatchCastCompatibleDagFromRoot "transform.iree.match.cast_compatible_dag_from_root" Opaque, form(
                "operand_handle handle -> inputs value, outputs value {~transform.yield}",
                "",
                "$operand_handle attr-dict-with-keyword region0 `:` functional-type",
            );
            TransformIreeMatchCastCompatibleType "transform.iree.match.cast_compatible_type" Opaque, form(
                "operand_handle value ->",
                "target_type",
                "$operand_handle `=` $target_type attr-dict `:` type($operand_handle)",
            );
            TransformIreeMatchContraction "transform.iree.match.contraction" Opaque, form(
                "P param; operand_handle handle -> batch_dims P, m_dims P, n_dims P, k_dims P",
                "lhs_type rhs_type output_type indexing_maps",
                "$operand_handle `,` `lhs_type` `=` $lhs_type `,` `rhs_type` `=` $rhs_type `,` `output_type` `=` $output_type (`,` `indexing_maps` `=` $indexing_maps^)? attr-dict `:` type($operand_handle) `->` type($batch_dims)",
            );
            TransformIreeMatchConvolution "transform.iree.match.convolution" Opaque, form(
                "P param; operand_handle handle -> batch_dims P, output_image_dims P, output_channel_dims P, filter_dims P, input_channel_dims P, depth_dims P, strides P, dilations P",
                "lhs_type rhs_type output_type indexing_maps",
                "$operand_handle `,` `lhs_type` `=` $lhs_type `,` `rhs_type` `=` $rhs_type `,` `output_type` `=` $output_type (`,` `indexing_maps` `=` $indexing_maps^)? attr-dict `:` type($operand_handle) `->` type($batch_dims)",
            );
            TransformIreeMatchDimBounds "transform.iree.match.dim_bounds" Opaque, form(
                "operand_handle value ->",
                "dim:i64 lower_bound:i64 upper_bound:i64",
                "$operand_handle `[` $dim `]` `,` (`umin` `=` $lower_bound^):(`none`)? `,` (`umax` `=` $upper_bound^):(`none`)? attr-dict `:` type($operand_handle)",
            );
            TransformIreeMatchDimIsMultipleOf "transform.iree.match.dim_is_multiple_of" Opaque, form(
                "operand_handle value ->",
                "dim:i64 size:i64",
                "$operand_handle `[` $dim `]` `,` $size attr-dict `:` type($operand_handle)",
            );
            TransformIreeMatchDimsEqual "transform.iree.match.dims_equal" Opaque, form(
                "dimension_sizes param ->",
                "expected_values:dense",
                "$dimension_sizes `,` $expected_values attr-dict `:` type($dimension_sizes)",
            );
            TransformIreeMatchRegions "transform.iree.match.regions" Opaque, form(
                "operand_handle handle -> {~transform.yield}",
                "",
                "$operand_handle attr-dict `:` type($operand_handle) region0",
            );
            TransformApplyPatternsIreeDropInnerTiledUnitDims "transform.apply_patterns.iree.drop_inner_tiled_unit_dims" Opaque, PATTERNS;
            TransformApplyPatternsIreeLowerInnerTiled "transform.apply_patterns.iree.lower_inner_tiled" Opaque, PATTERNS;
            TransformApplyPatternsIreeLowerBarrierRegion "transform.apply_patterns.iree.lower_barrier_region" Opaque, PATTERNS;
            TransformApplyPatternsIreeLowerValueBarrier "transform.apply_patterns.iree.lower_value_barrier" Opaque, PATTERNS;
            TransformApplyPatternsIreeUnrollMultiMma "transform.apply_patterns.iree.unroll_multi_mma" Opaque, PATTERNS;
            TransformApplyPatternsIreeBubbleCollapse "transform.apply_patterns.iree.bubble_collapse" Opaque, PATTERNS;
            TransformApplyPatternsIreeBubbleExpand "transform.apply_patterns.iree.bubble_expand" Opaque, PATTERNS;
            TransformApplyPatternsIreeCollapseForallDest "transform.apply_patterns.iree.collapse_forall_dest" Opaque, PATTERNS;
            TransformApplyPatternsIreeBubblePackUnpack "transform.apply_patterns.iree.bubble_pack_unpack" Opaque, PATTERNS;
            TransformApplyPatternsIreeFoldFillIntoPad "transform.apply_patterns.iree.fold_fill_into_pad" Opaque, PATTERNS;
            TransformApplyPatternsIreeFoldReshapeIntoTensorHalInterface "transform.apply_patterns.iree.fold_reshape_into_tensor_hal_interface" Opaque, PATTERNS;
            TransformApplyPatternsIreeFoldTensorSliceIntoTransfer "transform.apply_patterns.iree.fold_tensor_slice_into_transfer" Opaque, PATTERNS;
            TransformApplyPatternsIreeHoistForallFromFor "transform.apply_patterns.iree.hoist_forall_from_for" Opaque, PATTERNS;
            TransformApplyPatternsIreeLinalgElementwiseGreedyFusion "transform.apply_patterns.iree.linalg_elementwise_greedy_fusion" Opaque, PATTERNS;
            TransformApplyPatternsIreePrepareVectorToMma "transform.apply_patterns.iree.prepare_vector_to_mma" Opaque, form("->", "useNvGpu:bool=true", "attr-dict");
            TransformApplyPatternsIreeUnrollVectorsGpuMmaSync "transform.apply_patterns.iree.unroll_vectors_gpu_mma_sync" Opaque, PATTERNS;
            TransformApplyPatternsIreeUnrollVectorsGpuWmmaSync "transform.apply_patterns.iree.unroll_vectors_gpu_wmma_sync" Opaque, PATTERNS;
            TransformIreeConvertToMultiMma "transform.iree.convert_to_multi_mma" Opaque, form(
                "target any -> results* any",
                "intrinsic_kind",
                "$target `,` `kind` `(` $intrinsic_kind `)` attr-dict `:` functional-type",
            );
            TransformIreeDistributeInnerTiled "transform.iree.distribute_inner_tiled" Opaque, SCRIPT;
            TransformIreeForallToLanes "transform.iree.forall_to_lanes" Opaque, SCRIPT;
            TransformIreeFuseForall "transform.iree.fuse_forall" Opaque, form(
                "producer any, consumer any -> results* any",
                "address_space",
                "$producer `into` $consumer attr-dict `:` functional-type",
            );
            TransformIreeFuseCollapseShapeIntoForall "transform.iree.fuse_collapse_shape_into_forall" Opaque, SCRIPT_INTO;
            TransformIreeFuseExtractSliceIntoForall "transform.iree.fuse_extract_slice_into_forall" Opaque, SCRIPT_INTO;
            TransformIreeCopyTensorOperand "transform.iree.copy_tensor_operand" Opaque, form(
                "target any -> results* any",
                "operand_index:i64",
                "$target `[` $operand_index `]` attr-dict `:` functional-type",
            );
            TransformIreeGpuDistributeSharedMemoryCopy "transform.iree.gpu_distribute_shared_memory_copy" Opaque, SCRIPT;
            TransformIreeHoistStaticAlloc "transform.iree.hoist_static_alloc" Opaque, SCRIPT;
            TransformIreeFlattenForallMapping "transform.iree.flatten_forall_mapping" Opaque, SCRIPT;
            TransformIreeForallToWorkgroup "transform.iree.forall_to_workgroup" Opaque, SCRIPT;
            TransformIreeApplyLicm "transform.iree.apply_licm" Opaque, form("target any ->", "", "$target attr-dict `:` type($target)");
            TransformIreeBufferize "transform.iree.bufferize" Opaque, form(
                "target any -> results* any",
                "target_gpu:unit test_analysis_only:unit print_conflicts:unit",
                "attr-dict $target `:` functional-type",
            );
            TransformIreeEliminateEmptyTensors "transform.iree.eliminate_empty_tensors" Opaque, SCRIPT;
            TransformIreeMatchHasNoLoweringConfig "transform.iree.match.has_no_lowering_config" Opaque, form(
                "operand_handle any ->",
                "",
                "$operand_handle attr-dict `:` type($operand_handle)",
            );
            TransformIreeReduceSharedMemoryBankConflicts "transform.iree.reduce_shared_memory_bank_conflicts" Opaque, SCRIPT;
            TransformIreeTestGpuVectorDistribution "transform.iree.test_gpu_vector_distribution" Opaque, form(
                "target any ->",
                "experimental workgroup_size:dense=[] subgroup_size",
                "$target attr-dict `:` type($target)",
            );
            TransformIreeFuseConsumer "transform.iree.fuse_consumer" Opaque, form(
                "target any, loops* any -> results* any",
                "",
                "$target `in` `(` $loops `)` attr-dict `:` functional-type",
            );
            TransformIreeVectorToWarpExecuteOnLane0 "transform.iree.vector.to_warp_execute_on_lane_0" Opaque, SCRIPT;
            TransformIreeVectorWarpDistribute "transform.iree.vector.warp_distribute" Opaque, SCRIPT;
            TransformIreeVectorVectorToMmaConversion "transform.iree.vector.vector_to_mma_conversion" Opaque, form(
                "target any -> results* any",
                "use_mma_sync:unit use_wmma:unit",
                "$target attr-dict `:` functional-type",
            );
            TransformIreePromoteOperands "transform.iree.promote_operands" Opaque, form(
                "target any -> results* any",
                "indices:dense",
                "$target $indices attr-dict `:` functional-type",
            );
            TransformIreePipelineSharedMemoryCopies "transform.iree.pipeline_shared_memory_copies" Opaque, form(
                "target any -> results* any",
                "depth:i64 peel_epilogue:unit use_mma_sync:unit",
                "$target attr-dict `:` functional-type",
            );
            TransformIreeSynchronizeLoop "transform.iree.synchronize_loop" Opaque, SCRIPT;
            TransformIreeCreateAsyncGroups "transform.iree.create_async_groups" Opaque, form(
                "target any -> results* any",
                "use_mma_sync:unit",
                "$target attr-dict `:` functional-type",
            );
            TransformIreeReorderTranspose "transform.iree.reorder_transpose" Opaque, SCRIPT;
            TransformIreeEliminateGpuBarriers "transform.iree.eliminate_gpu_barriers" Opaque, SCRIPT;
            TransformIreePackSharedMemoryAlloc "transform.iree.pack_shared_memory_alloc" Opaque, SCRIPT;
            TransformIreePrefetchSharedMemoryCopies "transform.iree.prefetch_shared_memory_copies" Opaque, SCRIPT;
            TransformIreeAmdgpuDistributeVectors "transform.iree.amdgpu_distribute_vectors" Opaque, form(
                "target any -> results* any",
                "test_conversion:unit workgroup_size:dense=[] subgroup_size",
                "$target (`test_conversion` $test_conversion^)? attr-dict `:` functional-type",
            );
            TransformIreeDecomposeAggregateOp "transform.iree.decompose_aggregate_op" Opaque, form(
                "target any -> results* any",
                "tile_size:i64",
                "attr-dict $target `:` functional-type",
            );
            TransformIreeConvertToOnlineAttention "transform.iree.convert_to_online_attention" Opaque, form(
                "target any -> results* any",
                "",
                "attr-dict $target `:` functional-type",
            );
            TransformIreeMapNestedForallToGpuThreads "transform.iree.map_nested_forall_to_gpu_threads" Opaque, form(
                "target any -> results* any",
                "workgroup_dims:dense subgroup_size:i64 sync_after_distribution:bool",
                "$target `workgroup_dims` `=` $workgroup_dims (`subgroup_size` `=` $subgroup_size^)? (`sync_after_distribution` `=` $sync_after_distribution^)? attr-dict `:` functional-type",
            );
            TransformIreeCreateMatmulMfmaTileSizes "transform.iree.create_matmul_mfma_tile_sizes" Opaque, form(
                "target handle -> results* param",
                "",
                "$target attr-dict `:` functional-type",
            );
            TransformIreeShareForallOperands "transform.iree.share_forall_operands" Opaque, form(
                "forall_op any -> results* any",
                "share_operands:dense",
                "$forall_op (`share_operands` `=` $share_operands^)? attr-dict `:` functional-type",
            );
            TransformIreePopulateWorkgroupCountRegionUsingNumThreadsSlice "transform.iree.populate_workgroup_count_region_using_num_threads_slice" Opaque, form(
                "for_all_op any ->",
                "",
                "attr-dict $for_all_op `:` functional-type",
            );
        }
    };
}
