//! Rows of `transform` whose assembly is written by hand: scripts are printed, not executed.

use super::forms::*;

dialect! { Transform:
    // control
    TransformSequence "transform.sequence" Opaque, by_hand(
        "root? handle, extra_bindings* piece -> results* handle {~transform.yield}",
        "failure_propagation_mode:@failures",
    );
    TransformNamedSequence "transform.named_sequence" Opaque isolated, by_hand(
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
    TransformAlternatives "transform.alternatives" Opaque isolated, form(
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

    // handles and parameters
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
    TransformGetResult "transform.get_result" Opaque, form(
        "target handle -> result value",
        "raw_position_list:dense is_inverted:unit is_all:unit",
        "$target `[` positions(raw_position_list) `]` attr-dict `:` functional-type",
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
    TransformSplitHandle "transform.split_handle" Opaque, form(
        "handle piece -> results* piece",
        "pass_through_empty_handle:bool=true fail_on_payload_too_small:bool=true overflow_result:i64",
        "$handle (`pass_through_empty_handle` `=` $pass_through_empty_handle^)? (`fail_on_payload_too_small` `=` $fail_on_payload_too_small^)? (`overflow_result` `=` $overflow_result^)? attr-dict `:` functional-type",
    );

    // matchers
    TransformMatchOperationName "transform.match.operation_name" Opaque, form(
        "operand_handle handle ->",
        "op_names",
        "$operand_handle $op_names attr-dict `:` type($operand_handle)",
    );
    TransformMatchStructuredDim "transform.match.structured.dim" Opaque, form(
        "operand_handle handle -> result? param",
        "raw_dim_list:dense is_inverted:unit is_all:unit parallel:unit reduction:unit",
        "$operand_handle `[` positions(raw_dim_list) `]` (`parallel` $parallel^)? (`reduction` $reduction^)? attr-dict `:` semi($operand_handle, $result)",
    );
    TransformMatchStructuredInput "transform.match.structured.input" Opaque, MATCH_OPERAND;
    TransformMatchStructuredInit "transform.match.structured.init" Opaque, MATCH_OPERAND;

    // patterns and passes
    TransformApplyCse "transform.apply_cse" Opaque, APPLY_TO;
    TransformApplyRegisteredPass "transform.apply_registered_pass" Opaque, by_hand(
        "target handle, dynamic_options* param -> result handle",
        "pass_name:str options={}",
    );
    TransformApplyPatterns "transform.apply_patterns" Opaque, form(
        "target handle -> {?}",
        "apply_cse:unit max_iterations:i64=-1 max_num_rewrites:i64=-1",
        "`to` $target region0 (`apply_cse` $apply_cse^)? (`max_iterations` `=` $max_iterations^)? (`max_num_rewrites` `=` $max_num_rewrites^)? attr-dict `:` type($target)",
    );
    TransformApplyPatternsCanonicalization "transform.apply_patterns.canonicalization" Opaque, PATTERNS;
    TransformApplyPatternsLinalgTilingCanonicalization "transform.apply_patterns.linalg.tiling_canonicalization" Opaque, PATTERNS;
    TransformApplyPatternsMemrefFoldMemrefAliasOps "transform.apply_patterns.memref.fold_memref_alias_ops" Opaque, PATTERNS;
    TransformApplyPatternsScfForLoopCanonicalization "transform.apply_patterns.scf.for_loop_canonicalization" Opaque, PATTERNS;

    // transform.structured
    TransformStructuredMatch "transform.structured.match" Opaque, form(
        "target any -> results any",
        "ops interface:@interface op_attrs filter_result_type filter_operand_types",
        "(`ops` `{` $ops^ `}`)? (`interface` `{` $interface^ `}`)? (`attributes` $op_attrs^)? (`filter_result_type` `=` $filter_result_type^)? (`filter_operand_types` `=` $filter_operand_types^)? `in` $target attr-dict `:` functional-type",
    );
    TransformStructuredSplit "transform.structured.split" Opaque, by_hand(
        "T handle; target T, dynamic_chunk_sizes? number -> split_list T",
        "dimension:i64 static_chunk_sizes:i64 multiway:unit",
    );

    // affine, bufferization, func, gpu, loop, memref, nvgpu, scf, tensor
    TransformAffineSimplifyBoundedAffineOps "transform.affine.simplify_bounded_affine_ops" Opaque, form(
        "target handle, bounded_values* handle ->",
        "lower_bounds:dense upper_bounds:dense",
        "$target `with` `[` ($bounded_values^ `:` type($bounded_values))? `]` `within` $lower_bounds `and` $upper_bounds attr-dict `:` type($target)",
    );

    // transform.iree
    TransformApplyPatternsIreeDropInnerTiledUnitDims "transform.apply_patterns.iree.drop_inner_tiled_unit_dims" Opaque, PATTERNS;
    TransformApplyPatternsIreeLowerInnerTiled "transform.apply_patterns.iree.lower_inner_tiled" Opaque, PATTERNS;
    TransformApplyPatternsIreeUnrollMultiMma "transform.apply_patterns.iree.unroll_multi_mma" Opaque, PATTERNS;
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
    TransformIreeGpuDistributeSharedMemoryCopy "transform.iree.gpu_distribute_shared_memory_copy" Opaque, SCRIPT;
    TransformIreeHoistStaticAlloc "transform.iree.hoist_static_alloc" Opaque, SCRIPT;
    TransformIreeApplyLicm "transform.iree.apply_licm" Opaque, form("target any ->", "", "$target attr-dict `:` type($target)");
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
    TransformIreeVectorVectorToMmaConversion "transform.iree.vector.vector_to_mma_conversion" Opaque, form(
        "target any -> results* any",
        "use_mma_sync:unit use_wmma:unit",
        "$target attr-dict `:` functional-type",
    );
    TransformIreePipelineSharedMemoryCopies "transform.iree.pipeline_shared_memory_copies" Opaque, form(
        "target any -> results* any",
        "depth:i64 peel_epilogue:unit use_mma_sync:unit",
        "$target attr-dict `:` functional-type",
    );
    TransformIreeCreateAsyncGroups "transform.iree.create_async_groups" Opaque, form(
        "target any -> results* any",
        "use_mma_sync:unit",
        "$target attr-dict `:` functional-type",
    );
    TransformIreePrefetchSharedMemoryCopies "transform.iree.prefetch_shared_memory_copies" Opaque, SCRIPT;
}
