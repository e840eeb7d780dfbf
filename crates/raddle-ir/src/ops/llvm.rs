//! Rows of the op table for `llvm`: what a kernel becomes on its way to a vendor's compiler, with the intrinsics that
//! every target has.

/// The table: the rows that are given, and these.
macro_rules! with_llvm_rows {
    ($($rows:tt)*) => {
        with_nvvm_rows! {
            $($rows)*

            // llvm
            LlvmFunc "llvm.func" Opaque, by_hand("-> {?*llvm.return}", "sym_name function_type sym_visibility linkage:llvm.linkage=external CConv:llvm.cconv=ccc unnamed_addr:i64{0..2}=0 visibility_:i64{0..2}=0 arg_attrs res_attrs dso_local:unit passthrough comdat personality target_cpu convergent:unit garbageCollector function_entry_count memory_effects section alignment vscale_range frame_pointer tune_cpu reciprocal_estimates prefer_vector_width target_features no_infs_fp_math no_nans_fp_math no_signed_zeros_fp_math denormal_fp_math denormal_fp_math_f32 fp_contract instrument_function_entry instrument_function_exit no_inline:unit always_inline:unit inline_hint:unit no_unwind:unit will_return:unit optimize_none:unit vec_type_hint work_group_size_hint reqd_work_group_size intel_reqd_sub_group_size uwtable_kind");
            LlvmReturn "llvm.return" Opaque, form(
                "arg? llvm ->",
                "",
                "attr-dict ($arg^ `:` type($arg))?",
            );
            LlvmUnreachable "llvm.unreachable" Opaque, NULLARY;
            LlvmMlirGlobal "llvm.mlir.global" Opaque, by_hand("-> {?*llvm.return}", "global_type sym_name sym_visibility linkage:llvm.linkage=external constant:unit value addr_space:i32=0 tls_mode:i64=0 unnamed_addr:i64{0..2}=0 visibility_:i64{0..2}=0 alignment dso_local:unit section externally_initialized:unit comdat dbg_exprs");
            LlvmMlirUndef "llvm.mlir.undef" Opaque pure, of("-> res llvm", MAKES);
            LlvmMlirPoison "llvm.mlir.poison" Opaque pure, of("-> res llvm", MAKES);
            LlvmMlirZero "llvm.mlir.zero" Opaque pure, of("-> res llvm", MAKES);
            LlvmMlirConstant "llvm.mlir.constant" Opaque pure, form(
                "-> res llvm",
                "value",
                "`(` $value `)` attr-dict `:` type($res)",
            );
            LlvmMlirAddressof "llvm.mlir.addressof" Opaque pure, form(
                "-> res ptr",
                "global_name:symbol",
                "$global_name attr-dict `:` type($res)",
            );
            LlvmAdd "llvm.add" Opaque pure, LLVM_OVERFLOW;
            LlvmSub "llvm.sub" Opaque pure, LLVM_OVERFLOW;
            LlvmMul "llvm.mul" Opaque pure, LLVM_OVERFLOW;
            LlvmShl "llvm.shl" Opaque pure, LLVM_OVERFLOW;
            LlvmSdiv "llvm.sdiv" Opaque, LLVM_EXACT;
            LlvmUdiv "llvm.udiv" Opaque, LLVM_EXACT;
            LlvmLshr "llvm.lshr" Opaque pure, LLVM_EXACT;
            LlvmAshr "llvm.ashr" Opaque pure, LLVM_EXACT;
            LlvmSrem "llvm.srem" Opaque, LLVM_BINARY;
            LlvmUrem "llvm.urem" Opaque, LLVM_BINARY;
            LlvmAnd "llvm.and" Opaque pure, LLVM_BINARY;
            LlvmXor "llvm.xor" Opaque pure, LLVM_BINARY;
            LlvmFadd "llvm.fadd" Opaque pure, LLVM_BINARY_F;
            LlvmFsub "llvm.fsub" Opaque pure, LLVM_BINARY_F;
            LlvmFmul "llvm.fmul" Opaque pure, LLVM_BINARY_F;
            LlvmFdiv "llvm.fdiv" Opaque pure, LLVM_BINARY_F;
            LlvmFrem "llvm.frem" Opaque pure, LLVM_BINARY_F;
            LlvmOr "llvm.or" Opaque pure, form(
                "T int+; lhs T, rhs T -> res T",
                "isDisjoint:unit",
                "(`disjoint` $isDisjoint^)? $lhs `,` $rhs attr-dict `:` type($res)",
            );
            LlvmFneg "llvm.fneg" Opaque pure, form(
                "T real+; operand T -> res T",
                "fastmathFlags:llvm.fastmath=none",
                "$operand attr-dict `:` type($res)",
            );
            LlvmSelect "llvm.select" Opaque pure, form(
                "T llvm; condition i1+, trueValue T, falseValue T -> res T",
                "fastmathFlags:llvm.fastmath=none",
                "$condition `,` $trueValue `,` $falseValue attr-dict `:` type($condition) `,` type($res)",
            );
            LlvmTrunc "llvm.trunc" Opaque pure, form(
                "arg int+ -> res int+",
                "overflowFlags:@wraps=0",
                "$arg (`overflow` `` `<` $overflowFlags^ `>`)? attr-dict `:` type($arg) `to` type($res)",
            );
            LlvmAlloca "llvm.alloca" Opaque, form(
                "arraySize int -> res ptr",
                "alignment elem_type inalloca:unit",
                "(`inalloca` $inalloca^)? $arraySize `x` $elem_type attr-dict `:` functional-type",
            );
            LlvmZext "llvm.zext" Opaque pure, of("arg int+ -> res int+", LLVM_CAST_SIGNED);
            LlvmUitofp "llvm.uitofp" Opaque pure, of("arg int+ -> res real+", LLVM_CAST_SIGNED);
            LlvmSext "llvm.sext" Opaque pure, of("arg int+ -> res int+", LLVM_CAST);
            LlvmSitofp "llvm.sitofp" Opaque pure, of("arg int+ -> res real+", LLVM_CAST);
            LlvmFptosi "llvm.fptosi" Opaque pure, of("arg real+ -> res int+", LLVM_CAST);
            LlvmFptoui "llvm.fptoui" Opaque pure, of("arg real+ -> res int+", LLVM_CAST);
            LlvmFptrunc "llvm.fptrunc" Opaque pure, of("arg real+ -> res real+", LLVM_CAST);
            LlvmFpext "llvm.fpext" Opaque pure, of("arg real+ -> res real+", LLVM_CAST);
            LlvmPtrtoint "llvm.ptrtoint" Opaque pure, of("arg ptr+ -> res int+", LLVM_CAST);
            LlvmInttoptr "llvm.inttoptr" Opaque pure, of("arg int+ -> res ptr+", LLVM_CAST);
            LlvmBitcast "llvm.bitcast" Opaque pure, of("arg plain -> res plain", LLVM_CAST);
            LlvmAddrspacecast "llvm.addrspacecast" Opaque pure, of("arg ptr+ -> res ptr+", LLVM_CAST);
            LlvmCall "llvm.call" Opaque, by_hand(
                "callee_operands* llvm, op_bundle_operands* llvm -> result? llvm",
                "callee var_callee_type CConv:llvm.cconv=ccc TailCallKind:llvm.tailcallkind=none fastmathFlags:llvm.fastmath=none op_bundle_sizes=array<i32> op_bundle_tags arg_attrs res_attrs memory_effects convergent:unit no_unwind:unit will_return:unit no_inline:unit always_inline:unit inline_hint:unit access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
            );
            LlvmCallIntrinsic "llvm.call_intrinsic" Opaque, by_hand(
                "args* llvm, op_bundle_operands* llvm -> results? llvm",
                "intrin fastmathFlags:llvm.fastmath=none op_bundle_sizes=array<i32> op_bundle_tags arg_attrs res_attrs",
            );
            LlvmLoad "llvm.load" Opaque, form(
                "addr pointer -> res sized",
                "alignment:i64 volatile_:unit nontemporal:unit invariant:unit invariantGroup:unit ordering:@ordering=not_atomic syncscope:str dereferenceable:#llvm.dereferenceable access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "(`volatile` $volatile_^)? $addr (`atomic` (`syncscope` `(` $syncscope^ `)`)? $ordering^)? (`invariant` $invariant^)? (`invariant_group` $invariantGroup^)? (`dereferenceable` `` $dereferenceable^)? attr-dict `:` type($addr) `->` type($res)",
            );
            LlvmStore "llvm.store" Opaque, form(
                "value sized, addr pointer ->",
                "alignment:i64 volatile_:unit nontemporal:unit invariantGroup:unit ordering:@ordering=not_atomic syncscope:str access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "(`volatile` $volatile_^)? $value `,` $addr (`atomic` (`syncscope` `(` $syncscope^ `)`)? $ordering^)? (`invariant_group` $invariantGroup^)? attr-dict `:` type($value) `,` type($addr)",
            );
            LlvmAtomicrmw "llvm.atomicrmw" Opaque, form(
                "T real|ptr|int|fixedlanes; ptr pointer, val T -> res T",
                "bin_op:@atomic ordering:@ordering syncscope:str alignment:i64 volatile_:unit access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "(`volatile` $volatile_^)? $bin_op $ptr `,` $val (`syncscope` `(` $syncscope^ `)`)? $ordering attr-dict `:` type($ptr) `,` type($val)",
            );
            LlvmCmpxchg "llvm.cmpxchg" Opaque, form(
                "T int|ptr; ptr pointer, cmp T, val T -> res pair(T)",
                "success_ordering:@ordering failure_ordering:@ordering syncscope:str alignment:i64 weak:unit volatile_:unit access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag]",
                "(`weak` $weak^)? (`volatile` $volatile_^)? $ptr `,` $cmp `,` $val (`syncscope` `(` $syncscope^ `)`)? $success_ordering $failure_ordering attr-dict `:` type($ptr) `,` type($val)",
            );
            LlvmFence "llvm.fence" Opaque, form(
                "->",
                "ordering:@ordering syncscope:str",
                "(`syncscope` `(` $syncscope^ `)`)? $ordering attr-dict",
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
            LlvmExtractelement "llvm.extractelement" Opaque pure, form(
                "V vector; vector V, position int -> res elem(V)",
                "",
                "$vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)",
            );
            LlvmInsertelement "llvm.insertelement" Opaque pure, form(
                "V vector; vector V, value elem(V), position int -> res V",
                "",
                "$value `,` $vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)",
            );
            LlvmShufflevector "llvm.shufflevector" Opaque pure, by_hand("V lanes; v1 V, v2 V -> res lanes", "mask:dense32");
            LlvmIcmp "llvm.icmp" Opaque pure, form(
                "T int+|ptr+; lhs T, rhs T -> res bool(T)",
                "predicate:@icmp",
                "$predicate $lhs `,` $rhs attr-dict `:` type($lhs)",
            );
            LlvmFcmp "llvm.fcmp" Opaque pure, form(
                "T real+; lhs T, rhs T -> res bool(T)",
                "predicate:@fcmp fastmathFlags:llvm.fastmath=none",
                "$predicate $lhs `,` $rhs attr-dict `:` type($lhs)",
            );
            LlvmFreeze "llvm.freeze" Opaque pure, form("T llvm; val T -> res T", "", "$val attr-dict `:` type($val)");
            LlvmMlirNone "llvm.mlir.none" Opaque pure, of("-> res any", MAKES);
            LlvmVaArg "llvm.va_arg" Opaque, form("arg pointer -> res llvm", "", "$arg attr-dict `:` functional-type");
            LlvmInlineAsm "llvm.inline_asm" Opaque, form(
                "operands* llvm -> res? llvm",
                "asm_string:str constraints:str has_side_effects:unit is_align_stack:unit tail_call_kind:<llvm.tailcallkind>=none asm_dialect:@asm operand_attrs",
                "(`has_side_effects` $has_side_effects^)? (`is_align_stack` $is_align_stack^)? (`tail_call_kind` `=` $tail_call_kind^)? (`asm_dialect` `=` $asm_dialect^)? (`operand_attrs` `=` $operand_attrs^)? attr-dict $asm_string `,` $constraints $operands `:` functional-type",
            );

            // llvm: symbols
            LlvmMlirAlias "llvm.mlir.alias" Opaque, by_hand(
                "-> {llvm.return}",
                "alias_type sym_name linkage:llvm.linkage=external dso_local:unit tls_mode:i64=0 unnamed_addr:i64{0..2}=0 visibility_:i64{0..2}=0",
            );
            LlvmComdat "llvm.comdat" Opaque, form("-> {}", "sym_name:name", "$sym_name region0 attr-dict");
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
            LlvmModuleFlags "llvm.module_flags" Opaque, form("->", "flags", "$flags attr-dict");
            LlvmLinkerOptions "llvm.linker_options" Opaque, form("->", "options", "$options attr-dict");
            LlvmDsoLocalEquivalent "llvm.dso_local_equivalent" Opaque pure, form("-> res pointer", "function_name", "$function_name attr-dict `:` type($res)");
            LlvmBlockaddress "llvm.blockaddress" Opaque pure, form("-> res pointer", "block_addr:#llvm.blockaddress", "$block_addr attr-dict `:` type($res)");
            LlvmBlocktag "llvm.blocktag" Opaque, form("->", "tag:#llvm.blocktag", "$tag attr-dict");

            // llvm: intrinsics
            LlvmIntrAcos "llvm.intr.acos" Opaque pure, LLVM_MATH;
            LlvmIntrAsin "llvm.intr.asin" Opaque pure, LLVM_MATH;
            LlvmIntrAtan2 "llvm.intr.atan2" Opaque pure, LLVM_MATH_BINARY;
            LlvmIntrAtan "llvm.intr.atan" Opaque pure, LLVM_MATH;
            LlvmIntrAbs "llvm.intr.abs" Opaque pure, generic_only("in int+ -> res llvm", "is_int_min_poison:bool");
            LlvmIntrBitreverse "llvm.intr.bitreverse" Opaque pure, LLVM_BITS;
            LlvmIntrBswap "llvm.intr.bswap" Opaque pure, LLVM_BITS;
            LlvmIntrCopysign "llvm.intr.copysign" Opaque pure, LLVM_MATH_BINARY;
            LlvmIntrCos "llvm.intr.cos" Opaque pure, LLVM_MATH;
            LlvmIntrCosh "llvm.intr.cosh" Opaque pure, LLVM_MATH;
            LlvmIntrCtlz "llvm.intr.ctlz" Opaque pure, generic_only("T int+; in T -> res T", "is_zero_poison:bool");
            LlvmIntrCttz "llvm.intr.cttz" Opaque pure, generic_only("T int+; in T -> res T", "is_zero_poison:bool");
            LlvmIntrCtpop "llvm.intr.ctpop" Opaque pure, LLVM_BITS;
            LlvmIntrDbgDeclare "llvm.intr.dbg.declare" Opaque, form(
                "addr ptr ->",
                "varInfo:of(llvm.di_local_variable) locationExpr:of(llvm.di_expression)=llvm.di_expression",
                "$varInfo ($locationExpr^)? `=` $addr `:` type($addr) attr-dict",
            );
            LlvmIntrDbgLabel "llvm.intr.dbg.label" Opaque, form(
                "->",
                "label:of(llvm.di_label)",
                "$label attr-dict",
            );
            LlvmIntrDbgValue "llvm.intr.dbg.value" Opaque, form(
                "value llvm ->",
                "varInfo:of(llvm.di_local_variable) locationExpr:of(llvm.di_expression)=llvm.di_expression",
                "$varInfo ($locationExpr^)? `=` $value `:` type($value) attr-dict",
            );
            LlvmIntrDebugtrap "llvm.intr.debugtrap" Opaque, NULLARY;
            LlvmIntrExp10 "llvm.intr.exp10" Opaque pure, LLVM_MATH;
            LlvmIntrExp2 "llvm.intr.exp2" Opaque pure, LLVM_MATH;
            LlvmIntrExp "llvm.intr.exp" Opaque pure, LLVM_MATH;
            LlvmIntrExpect "llvm.intr.expect" Opaque pure, form(
                "T int; val T, expected T -> res T",
                "",
                "$val `,` $expected attr-dict `:` type($val)",
            );
            LlvmIntrExpectWithProbability "llvm.intr.expect.with.probability" Opaque pure, form(
                "T int; val T, expected T -> res T",
                "prob",
                "$val `,` $expected `,` $prob attr-dict `:` type($val)",
            );
            LlvmIntrFabs "llvm.intr.fabs" Opaque pure, LLVM_MATH;
            LlvmIntrCeil "llvm.intr.ceil" Opaque pure, LLVM_MATH;
            LlvmIntrFloor "llvm.intr.floor" Opaque pure, LLVM_MATH;
            LlvmIntrFma "llvm.intr.fma" Opaque pure, LLVM_MATH_TERNARY;
            LlvmIntrFmuladd "llvm.intr.fmuladd" Opaque pure, LLVM_MATH_TERNARY;
            LlvmIntrTrunc "llvm.intr.trunc" Opaque pure, LLVM_MATH;
            LlvmIntrFrexp "llvm.intr.frexp" Opaque pure, form(
                "val real+ -> res llvm",
                "fastmathFlags:llvm.fastmath=none",
                "`(` $val `)` attr-dict `:` functional-type",
            );
            LlvmIntrFshl "llvm.intr.fshl" Opaque pure, LLVM_BITS_TERNARY;
            LlvmIntrFshr "llvm.intr.fshr" Opaque pure, LLVM_BITS_TERNARY;
            LlvmIntrGetActiveLaneMask "llvm.intr.get.active.lane.mask" Opaque pure, form(
                "base int, n int -> res llvm",
                "",
                "$base `,` $n attr-dict `:` type($base) `,` type($n) `to` type($res)",
            );
            LlvmIntrInvariantEnd "llvm.intr.invariant.end" Opaque, form(
                "start !llvm.ptr, ptr ptr ->",
                "size:i64",
                "$start `,` $size `,` $ptr attr-dict `:` type($ptr)",
            );
            LlvmIntrInvariantStart "llvm.intr.invariant.start" Opaque, form(
                "ptr ptr -> res !llvm.ptr",
                "size:i64",
                "$size `,` $ptr attr-dict `:` type($ptr)",
            );
            LlvmIntrIsConstant "llvm.intr.is.constant" Opaque pure, generic_only("val llvm -> res i1", "");
            LlvmIntrIsFpclass "llvm.intr.is.fpclass" Opaque pure, generic_only("in real+ -> res llvm", "bit:i32");
            LlvmIntrLaunderInvariantGroup "llvm.intr.launder.invariant.group" Opaque, form(
                "T ptr; ptr T -> res T",
                "",
                "$ptr attr-dict `:` type($ptr)",
            );
            LlvmIntrLifetimeEnd "llvm.intr.lifetime.end" Opaque, LLVM_OF_POINTER;
            LlvmIntrLifetimeStart "llvm.intr.lifetime.start" Opaque, LLVM_OF_POINTER;
            LlvmIntrLlrint "llvm.intr.llrint" Opaque pure, LLVM_ROUND;
            LlvmIntrLlround "llvm.intr.llround" Opaque pure, of("val real -> res llvm", LLVM_ROUND);
            LlvmIntrLdexp "llvm.intr.ldexp" Opaque pure, form(
                "val real+, power int -> res llvm",
                "fastmathFlags:llvm.fastmath=none",
                "`(` $val `,` $power `)` attr-dict `:` functional-type",
            );
            LlvmIntrLog10 "llvm.intr.log10" Opaque pure, LLVM_MATH;
            LlvmIntrLog2 "llvm.intr.log2" Opaque pure, LLVM_MATH;
            LlvmIntrLog "llvm.intr.log" Opaque pure, LLVM_MATH;
            LlvmIntrLrint "llvm.intr.lrint" Opaque pure, LLVM_ROUND;
            LlvmIntrLround "llvm.intr.lround" Opaque pure, LLVM_ROUND;
            LlvmIntrMaskedLoad "llvm.intr.masked.load" Opaque, form(
                "data ptr, mask vec(i1), pass_thru? lanes -> res lanes",
                "alignment:i64 nontemporal:unit",
                "$data `,` $mask `,` $pass_thru attr-dict `:` functional-type",
            );
            LlvmIntrMaskedStore "llvm.intr.masked.store" Opaque, form(
                "value lanes, data ptr, mask vec(i1) ->",
                "alignment:i64",
                "$value `,` $data `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($data)",
            );
            LlvmIntrMaxnum "llvm.intr.maxnum" Opaque pure, LLVM_MATH_BINARY;
            LlvmIntrMaximum "llvm.intr.maximum" Opaque pure, LLVM_MATH_BINARY;
            LlvmIntrMemcpyInline "llvm.intr.memcpy.inline" Opaque, generic_only("dst ptr, src ptr ->", "len isVolatile:bool access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag] arg_attrs res_attrs");
            LlvmIntrMemcpy "llvm.intr.memcpy" Opaque, generic_only("dst ptr, src ptr, len int ->", "isVolatile:bool access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag] arg_attrs res_attrs");
            LlvmIntrMemmove "llvm.intr.memmove" Opaque, generic_only("dst ptr, src ptr, len int ->", "isVolatile:bool access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag] arg_attrs res_attrs");
            LlvmIntrMemsetInline "llvm.intr.memset.inline" Opaque, generic_only("dst ptr, val i8 ->", "len isVolatile:bool access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag] arg_attrs res_attrs");
            LlvmIntrMemset "llvm.intr.memset" Opaque, generic_only("dst ptr, val i8, len int ->", "isVolatile:bool access_groups:[llvm.access_group] alias_scopes:[llvm.alias_scope] noalias_scopes:[llvm.alias_scope] tbaa:[llvm.tbaa_tag] arg_attrs res_attrs");
            LlvmIntrMinnum "llvm.intr.minnum" Opaque pure, LLVM_MATH_BINARY;
            LlvmIntrMinimum "llvm.intr.minimum" Opaque pure, LLVM_MATH_BINARY;
            LlvmIntrNearbyint "llvm.intr.nearbyint" Opaque pure, LLVM_MATH;
            LlvmIntrExperimentalNoaliasScopeDecl "llvm.intr.experimental.noalias.scope.decl" Opaque, form(
                "->",
                "scope",
                "$scope attr-dict",
            );
            LlvmIntrPowi "llvm.intr.powi" Opaque pure, form(
                "val real+, power int -> res llvm",
                "fastmathFlags:llvm.fastmath=none",
                "`(` $val `,` $power `)` attr-dict `:` functional-type",
            );
            LlvmIntrPow "llvm.intr.pow" Opaque pure, LLVM_MATH_BINARY;
            LlvmIntrPrefetch "llvm.intr.prefetch" Opaque, generic_only("addr ptr ->", "rw:i32 hint:i32 cache:i32");
            LlvmIntrPtrmask "llvm.intr.ptrmask" Opaque pure, form(
                "ptr ptr+, mask anyint+ -> res ptr+",
                "",
                "$ptr `,` $mask attr-dict `:` functional-type",
            );
            LlvmIntrRint "llvm.intr.rint" Opaque pure, LLVM_MATH;
            LlvmIntrRoundeven "llvm.intr.roundeven" Opaque pure, LLVM_MATH;
            LlvmIntrRound "llvm.intr.round" Opaque pure, LLVM_MATH;
            LlvmIntrSaddSat "llvm.intr.sadd.sat" Opaque pure, LLVM_BITS_BINARY;
            LlvmIntrSaddWithOverflow "llvm.intr.sadd.with.overflow" Opaque pure, generic_only("arg0 int+, arg1 int+ -> res llvm", "");
            LlvmIntrScmp "llvm.intr.scmp" Opaque pure, form(
                "a int+, b int+ -> res int+",
                "",
                "`(` $a `,` $b `)` attr-dict `:` functional-type",
            );
            LlvmIntrSmax "llvm.intr.smax" Opaque pure, LLVM_BITS_BINARY;
            LlvmIntrSmin "llvm.intr.smin" Opaque pure, LLVM_BITS_BINARY;
            LlvmIntrSmulWithOverflow "llvm.intr.smul.with.overflow" Opaque pure, generic_only("arg0 int+, arg1 int+ -> res llvm", "");
            LlvmIntrSsaCopy "llvm.intr.ssa.copy" Opaque pure, form(
                "T llvm; operand T -> res T",
                "",
                "$operand attr-dict `:` type($operand)",
            );
            LlvmIntrSshlSat "llvm.intr.sshl.sat" Opaque pure, LLVM_BITS_BINARY;
            LlvmIntrSsubSat "llvm.intr.ssub.sat" Opaque pure, LLVM_BITS_BINARY;
            LlvmIntrSsubWithOverflow "llvm.intr.ssub.with.overflow" Opaque pure, generic_only("arg0 int+, arg1 int+ -> res llvm", "");
            LlvmIntrSin "llvm.intr.sin" Opaque pure, LLVM_MATH;
            LlvmIntrSincos "llvm.intr.sincos" Opaque pure, form(
                "val real+ -> res llvm",
                "fastmathFlags:llvm.fastmath=none",
                "`(` $val `)` attr-dict `:` functional-type",
            );
            LlvmIntrSinh "llvm.intr.sinh" Opaque pure, LLVM_MATH;
            LlvmIntrSqrt "llvm.intr.sqrt" Opaque pure, LLVM_MATH;
            LlvmIntrStackrestore "llvm.intr.stackrestore" Opaque, LLVM_OF_POINTER;
            LlvmIntrStacksave "llvm.intr.stacksave" Opaque, of("-> res llvm", MAKES);
            LlvmIntrStepvector "llvm.intr.stepvector" Opaque pure, of("-> res vec(int)", MAKES);
            LlvmIntrStripInvariantGroup "llvm.intr.strip.invariant.group" Opaque, form(
                "T ptr; ptr T -> res T",
                "",
                "$ptr attr-dict `:` type($ptr)",
            );
            LlvmIntrTan "llvm.intr.tan" Opaque pure, LLVM_MATH;
            LlvmIntrTanh "llvm.intr.tanh" Opaque pure, LLVM_MATH;
            LlvmIntrThreadlocalAddress "llvm.intr.threadlocal.address" Opaque pure, generic_only("global ptr -> res llvm", "");
            LlvmIntrTrap "llvm.intr.trap" Opaque, NULLARY;
            LlvmIntrUaddSat "llvm.intr.uadd.sat" Opaque pure, LLVM_BITS_BINARY;
            LlvmIntrUaddWithOverflow "llvm.intr.uadd.with.overflow" Opaque pure, generic_only("arg0 int+, arg1 int+ -> res llvm", "");
            LlvmIntrUbsantrap "llvm.intr.ubsantrap" Opaque, form(
                "->",
                "failureKind:i8",
                "attr-dict",
            );
            LlvmIntrUcmp "llvm.intr.ucmp" Opaque pure, form(
                "a int+, b int+ -> res int+",
                "",
                "`(` $a `,` $b `)` attr-dict `:` functional-type",
            );
            LlvmIntrUmax "llvm.intr.umax" Opaque pure, LLVM_BITS_BINARY;
            LlvmIntrUmin "llvm.intr.umin" Opaque pure, LLVM_BITS_BINARY;
            LlvmIntrUmulWithOverflow "llvm.intr.umul.with.overflow" Opaque pure, generic_only("arg0 int+, arg1 int+ -> res llvm", "");
            LlvmIntrUshlSat "llvm.intr.ushl.sat" Opaque pure, LLVM_BITS_BINARY;
            LlvmIntrUsubSat "llvm.intr.usub.sat" Opaque pure, LLVM_BITS_BINARY;
            LlvmIntrUsubWithOverflow "llvm.intr.usub.with.overflow" Opaque pure, generic_only("arg0 int+, arg1 int+ -> res llvm", "");
            LlvmIntrVacopy "llvm.intr.vacopy" Opaque, form(
                "dest_list ptr, src_list ptr ->",
                "",
                "$src_list `to` $dest_list attr-dict `:` type(operands)",
            );
            LlvmIntrVaend "llvm.intr.vaend" Opaque, form(
                "arg_list ptr ->",
                "",
                "$arg_list attr-dict `:` type($arg_list)",
            );
            LlvmIntrVastart "llvm.intr.vastart" Opaque, form(
                "arg_list ptr ->",
                "",
                "$arg_list attr-dict `:` type($arg_list)",
            );
            LlvmIntrMaskedCompressstore "llvm.intr.masked.compressstore" Opaque, generic_only("value lanes, ptr ptr, mask vec(i1) ->", "arg_attrs res_attrs");
            LlvmIntrMaskedExpandload "llvm.intr.masked.expandload" Opaque, generic_only("ptr ptr, mask vec(i1), passthru lanes -> res llvm", "arg_attrs res_attrs");
            LlvmIntrMaskedGather "llvm.intr.masked.gather" Opaque, form(
                "ptrs vec(ptr), mask vec(i1), pass_thru* lanes -> res lanes",
                "alignment:i64",
                "$ptrs `,` $mask `,` $pass_thru attr-dict `:` functional-type",
            );
            LlvmIntrMaskedScatter "llvm.intr.masked.scatter" Opaque, form(
                "value lanes, ptrs vec(ptr), mask vec(i1) ->",
                "alignment:i64",
                "$value `,` $ptrs `,` $mask attr-dict `:` type($value) `,` type($mask) `into` type($ptrs)",
            );
            LlvmIntrVectorDeinterleave2 "llvm.intr.vector.deinterleave2" Opaque pure, generic_only("vec lanes -> res llvm", "");
            LlvmIntrVectorExtract "llvm.intr.vector.extract" Opaque pure, form(
                "srcvec lanes -> res lanes",
                "pos:i64",
                "$srcvec `[` $pos `]` attr-dict `:` type($res) `from` type($srcvec)",
            );
            LlvmIntrVectorInsert "llvm.intr.vector.insert" Opaque pure, form(
                "T lanes; dstvec T, srcvec lanes -> res T",
                "pos:i64",
                "$srcvec `,` $dstvec `[` $pos `]` attr-dict `:` type($srcvec) `into` type($res)",
            );
            LlvmIntrVectorInterleave2 "llvm.intr.vector.interleave2" Opaque pure, generic_only("vec1 lanes, vec2 lanes -> res llvm", "");
            LlvmIntrVectorReduceAdd "llvm.intr.vector.reduce.add" Opaque pure, generic_only("in vec(int) -> res llvm", "");
            LlvmIntrVectorReduceAnd "llvm.intr.vector.reduce.and" Opaque pure, generic_only("in vec(int) -> res llvm", "");
            LlvmIntrVectorReduceFadd "llvm.intr.vector.reduce.fadd" Opaque pure, generic_only("start_value float, input vec(float) -> res llvm", "fastmathFlags:llvm.fastmath=none");
            LlvmIntrVectorReduceFmax "llvm.intr.vector.reduce.fmax" Opaque pure, LLVM_REDUCE_F;
            LlvmIntrVectorReduceFmaximum "llvm.intr.vector.reduce.fmaximum" Opaque pure, LLVM_REDUCE_F;
            LlvmIntrVectorReduceFmin "llvm.intr.vector.reduce.fmin" Opaque pure, LLVM_REDUCE_F;
            LlvmIntrVectorReduceFminimum "llvm.intr.vector.reduce.fminimum" Opaque pure, LLVM_REDUCE_F;
            LlvmIntrVectorReduceFmul "llvm.intr.vector.reduce.fmul" Opaque pure, generic_only("start_value float, input vec(float) -> res llvm", "fastmathFlags:llvm.fastmath=none");
            LlvmIntrVectorReduceMul "llvm.intr.vector.reduce.mul" Opaque pure, generic_only("in vec(int) -> res llvm", "");
            LlvmIntrVectorReduceOr "llvm.intr.vector.reduce.or" Opaque pure, generic_only("in vec(int) -> res llvm", "");
            LlvmIntrVectorReduceSmax "llvm.intr.vector.reduce.smax" Opaque pure, generic_only("in vec(int) -> res llvm", "");
            LlvmIntrVectorReduceSmin "llvm.intr.vector.reduce.smin" Opaque pure, generic_only("in vec(int) -> res llvm", "");
            LlvmIntrVectorReduceUmax "llvm.intr.vector.reduce.umax" Opaque pure, generic_only("in vec(int) -> res llvm", "");
            LlvmIntrVectorReduceUmin "llvm.intr.vector.reduce.umin" Opaque pure, generic_only("in vec(int) -> res llvm", "");
            LlvmIntrVectorReduceXor "llvm.intr.vector.reduce.xor" Opaque pure, generic_only("in vec(int) -> res llvm", "");
            LlvmIntrVscale "llvm.intr.vscale" Opaque, generic_only("-> res llvm", "");
        }
    };
}
