//! Rows of `llvm` whose assembly is written by hand, or whose rules look names up.

use super::forms::*;

dialect! { Llvm:
    LlvmFunc "llvm.func" Opaque isolated, by_hand("-> {?*llvm.return}", "sym_name function_type sym_visibility linkage:llvm.linkage=external CConv:llvm.cconv=ccc unnamed_addr:i64{0..2}=0 visibility_:i64{0..2}=0 arg_attrs res_attrs dso_local:unit passthrough comdat personality target_cpu convergent:unit garbageCollector function_entry_count memory_effects section alignment vscale_range frame_pointer tune_cpu reciprocal_estimates prefer_vector_width target_features no_infs_fp_math no_nans_fp_math no_signed_zeros_fp_math denormal_fp_math denormal_fp_math_f32 fp_contract instrument_function_entry instrument_function_exit no_inline:unit always_inline:unit inline_hint:unit no_unwind:unit will_return:unit optimize_none:unit vec_type_hint work_group_size_hint reqd_work_group_size intel_reqd_sub_group_size uwtable_kind");
    LlvmMlirGlobal "llvm.mlir.global" Opaque isolated, by_hand("-> {?*llvm.return}", "global_type sym_name sym_visibility linkage:llvm.linkage=external constant:unit value addr_space:i32=0 tls_mode:i64=0 unnamed_addr:i64{0..2}=0 visibility_:i64{0..2}=0 alignment dso_local:unit section externally_initialized:unit comdat dbg_exprs");
    LlvmMlirAddressof "llvm.mlir.addressof" Opaque pure, form(
        "-> res ptr",
        "global_name:symbol",
        "$global_name attr-dict `:` type($res)",
    );
    LlvmCall "llvm.call" Opaque, by_hand(
        "callee_operands* llvm, op_bundle_operands* llvm -> result? llvm",
        "callee var_callee_type CConv:llvm.cconv=ccc TailCallKind:llvm.tailcallkind=none fastmathFlags:llvm.fastmath=none op_bundle_sizes=array<i32> op_bundle_tags arg_attrs res_attrs memory_effects convergent:unit no_unwind:unit will_return:unit no_inline:unit always_inline:unit inline_hint:unit access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
    );
    LlvmCallIntrinsic "llvm.call_intrinsic" Opaque, by_hand(
        "args* llvm, op_bundle_operands* llvm -> results? llvm",
        "intrin fastmathFlags:llvm.fastmath=none op_bundle_sizes=array<i32> op_bundle_tags arg_attrs res_attrs",
    );
    LlvmBr "llvm.br" Opaque, by_hand("destOperands* llvm ->", "loop_annotation");
    LlvmCondBr "llvm.cond_br" Opaque, by_hand(
        "condition i1, trueDestOperands* llvm, falseDestOperands* llvm ->",
        "branch_weights loop_annotation",
    );
    LlvmSwitch "llvm.switch" Opaque, by_hand(
        "value int, defaultOperands* llvm, caseOperands* llvm ->",
        "case_values case_operand_segments branch_weights",
    );
    LlvmGetelementptr "llvm.getelementptr" Opaque pure, by_hand(
        "base ptr+, dynamicIndices* int+ -> res ptr+",
        "rawConstantIndices:dense32 elem_type noWrapFlags:i32=0",
    );
    LlvmExtractvalue "llvm.extractvalue" Opaque pure, by_hand("container aggregate -> res llvm", "position:dense");
    LlvmInsertvalue "llvm.insertvalue" Opaque pure, by_hand("C aggregate; container C, value primitive -> res C", "position:dense");
    LlvmShufflevector "llvm.shufflevector" Opaque pure, by_hand("V lanes; v1 V, v2 V -> res lanes", "mask:dense32");

    // symbols
    LlvmMlirAlias "llvm.mlir.alias" Opaque isolated, by_hand(
        "-> {llvm.return}",
        "alias_type sym_name linkage:llvm.linkage=external dso_local:unit tls_mode:i64=0 unnamed_addr:i64{0..2}=0 visibility_:i64{0..2}=0",
    );
    LlvmComdatSelector "llvm.comdat_selector" Opaque, form("->", "sym_name:name comdat:@comdat", "$sym_name $comdat attr-dict");
    LlvmMlirGlobalCtors "llvm.mlir.global_ctors" Opaque, form(
        "->",
        "ctors priorities data",
        "`ctors` `=` $ctors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict",
    );
    LlvmMlirGlobalDtors "llvm.mlir.global_dtors" Opaque, form(
        "->",
        "dtors priorities data",
        "`dtors` `=` $dtors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict",
    );
    LlvmDsoLocalEquivalent "llvm.dso_local_equivalent" Opaque pure, form("-> res pointer", "function_name", "$function_name attr-dict `:` type($res)");
    LlvmBlockaddress "llvm.blockaddress" Opaque pure, form("-> res pointer", "block_addr:#llvm.blockaddress", "$block_addr attr-dict `:` type($res)");
    LlvmBlocktag "llvm.blocktag" Opaque, form("->", "tag:#llvm.blocktag", "$tag attr-dict");
}
