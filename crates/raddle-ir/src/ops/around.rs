//! Rows of the op table for the dialects around a dispatch: what calls it, what it is configured with, what it ends in.

/// The table: the rows that are given, and these.
macro_rules! with_other_rows {
    ($($rows:tt)*) => {
        with_hal_rows! {
            $($rows)*

            // complex
            ComplexCreate "complex.create" Opaque pure, form(
                "C any; real elem(C), imaginary elem(C) -> complex C",
                "",
                "$real `,` $imaginary attr-dict `:` type($complex)",
            );
            ComplexConstant "complex.constant" Opaque pure, form(
                "-> complex any",
                "value",
                "$value attr-dict `:` type($complex)",
            );
            ComplexRe "complex.re" Opaque pure, COMPLEX_PART;
            ComplexIm "complex.im" Opaque pure, COMPLEX_PART;
            ComplexAbs "complex.abs" Opaque pure, COMPLEX_PART;
            ComplexAngle "complex.angle" Opaque pure, COMPLEX_PART;
            ComplexAdd "complex.add" Opaque pure, COMPLEX_BINARY;
            ComplexSub "complex.sub" Opaque pure, COMPLEX_BINARY;
            ComplexMul "complex.mul" Opaque pure, COMPLEX_BINARY;
            ComplexPow "complex.pow" Opaque pure, COMPLEX_BINARY;
            ComplexAtan2 "complex.atan2" Opaque pure, COMPLEX_BINARY;
            ComplexDiv "complex.div" Opaque pure, COMPLEX_BINARY;
            ComplexNeg "complex.neg" Opaque pure, COMPLEX_UNARY;
            ComplexConj "complex.conj" Opaque pure, COMPLEX_UNARY;
            ComplexExp "complex.exp" Opaque pure, COMPLEX_UNARY;
            ComplexExpM1 "complex.expm1" Opaque pure, COMPLEX_UNARY;
            ComplexLog "complex.log" Opaque pure, COMPLEX_UNARY;
            ComplexLog1p "complex.log1p" Opaque pure, COMPLEX_UNARY;
            ComplexSqrt "complex.sqrt" Opaque pure, COMPLEX_UNARY;
            ComplexRsqrt "complex.rsqrt" Opaque pure, COMPLEX_UNARY;
            ComplexSin "complex.sin" Opaque pure, COMPLEX_UNARY;
            ComplexCos "complex.cos" Opaque pure, COMPLEX_UNARY;
            ComplexTan "complex.tan" Opaque pure, COMPLEX_UNARY;
            ComplexTanh "complex.tanh" Opaque pure, COMPLEX_UNARY;
            ComplexSign "complex.sign" Opaque pure, COMPLEX_UNARY;
            ComplexEq "complex.eq" Opaque pure, form(
                "T any; lhs T, rhs T -> result i1",
                "",
                "$lhs `,` $rhs attr-dict `:` type($lhs)",
            );
            ComplexNe "complex.neq" Opaque pure, form(
                "T any; lhs T, rhs T -> result i1",
                "",
                "$lhs `,` $rhs attr-dict `:` type($lhs)",
            );
            ComplexBitcast "complex.bitcast" Opaque pure, RETYPE;

            // smt: what constraints on tile sizes are written with
            SmtConstraints "iree_codegen.smt.constraints" Opaque, form(
                "problem_dims* index -> {}",
                "target:#iree_codegen.root_op pipeline knobs",
                "`target` `=` $target `,` `pipeline` `=` $pipeline `,` `knobs` `=` $knobs `dims` `(` $problem_dims `)` attr-dict-with-keyword region0",
            );
            SmtConstraintAssert "iree_codegen.smt.assert" Opaque, form(
                "condition any, printArgs* any ->",
                "msg:str",
                "$condition `,` $msg (`,` $printArgs^)? `:` type($condition) (`,` type($printArgs)^)? attr-dict",
            );
            SmtKnob "iree_codegen.smt.knob" Opaque pure, form(
                "-> result any",
                "name:str",
                "$name attr-dict `:` type($result)",
            );
            SmtLookup "iree_codegen.smt.lookup" Opaque pure, form(
                "T any; index T -> result T",
                "keys:dense values:dense",
                "$index $keys `->` $values attr-dict `:` type($result)",
            );
            SmtIntConstant "smt.int.constant" Opaque pure, form(
                "-> result !smt.int",
                "value:digits",
                "$value attr-dict",
            );
            SmtIntAdd "smt.int.add" Opaque pure, form(
                "inputs* !smt.int -> result !smt.int",
                "",
                "$inputs attr-dict",
            );
            SmtIntMul "smt.int.mul" Opaque pure, form(
                "inputs* !smt.int -> result !smt.int",
                "",
                "$inputs attr-dict",
            );
            SmtIntSub "smt.int.sub" Opaque pure, form(
                "lhs !smt.int, rhs !smt.int -> result !smt.int",
                "",
                "$lhs `,` $rhs attr-dict",
            );
            SmtIntDiv "smt.int.div" Opaque pure, form(
                "lhs !smt.int, rhs !smt.int -> result !smt.int",
                "",
                "$lhs `,` $rhs attr-dict",
            );
            SmtIntMod "smt.int.mod" Opaque pure, form(
                "lhs !smt.int, rhs !smt.int -> result !smt.int",
                "",
                "$lhs `,` $rhs attr-dict",
            );
            SmtIntAbs "smt.int.abs" Opaque pure, form(
                "input !smt.int -> result !smt.int",
                "",
                "$input attr-dict",
            );
            SmtIntNeg "smt.int.neg" Opaque pure, form(
                "input !smt.int -> result !smt.int",
                "",
                "$input attr-dict",
            );
            SmtIntCmp "smt.int.cmp" Opaque pure, form(
                "lhs !smt.int, rhs !smt.int -> result !smt.bool",
                "pred:@smtcmp",
                "$pred $lhs `,` $rhs attr-dict",
            );
            SmtEq "smt.eq" Opaque pure, form(
                "T any; lhs T, rhs T -> result !smt.bool",
                "",
                "$lhs `,` $rhs attr-dict `:` type($lhs)",
            );
            SmtDistinct "smt.distinct" Opaque pure, form(
                "T any; lhs T, rhs T -> result !smt.bool",
                "",
                "$lhs `,` $rhs attr-dict `:` type($lhs)",
            );
            SmtAnd "smt.and" Opaque pure, form(
                "inputs* !smt.bool -> result !smt.bool",
                "",
                "$inputs attr-dict",
            );
            SmtOr "smt.or" Opaque pure, form(
                "inputs* !smt.bool -> result !smt.bool",
                "",
                "$inputs attr-dict",
            );
            SmtXor "smt.xor" Opaque pure, form(
                "inputs* !smt.bool -> result !smt.bool",
                "",
                "$inputs attr-dict",
            );
            SmtNot "smt.not" Opaque pure, form(
                "input !smt.bool -> result !smt.bool",
                "",
                "$input attr-dict",
            );
            SmtImplies "smt.implies" Opaque pure, form(
                "lhs !smt.bool, rhs !smt.bool -> result !smt.bool",
                "",
                "$lhs `,` $rhs attr-dict",
            );
            SmtIte "smt.ite" Opaque pure, form(
                "T any; cond !smt.bool, thenValue T, elseValue T -> result T",
                "",
                "$cond `,` $thenValue `,` $elseValue attr-dict `:` type($result)",
            );
            SmtDeclare "smt.declare_fun" Opaque, form(
                "-> result any",
                "namePrefix:str",
                "($namePrefix^)? attr-dict `:` type($result)",
            );
            SmtAssert "smt.assert" Opaque, form(
                "input !smt.bool ->",
                "",
                "$input attr-dict",
            );

            // iree_tensor_ext: ragged shapes
            SplitReductionModifier "iree_tensor_ext.dispatch.workgroup_count_split_reduction_modifier" Opaque pure, form(
                "workgroup_x index, workgroup_y index, workgroup_z index, workload* index -> result_x! index, result_y! index, result_z! index",
                "",
                "attr-dict `workgroups` `(` $workgroup_x `,` $workgroup_y `,` $workgroup_z `)` `workload` `(` $workload `)`",
            );
            CastToRagged "iree_tensor_ext.cast_to_ragged_shape" Opaque pure, form(
                "source ranked, columnLengths ranked, numRaggedRows? index, sourceDynamicDims* index -> result ranked",
                "raggedDim:index",
                "$source `ragged_dim` `(` $raggedDim `)` `column_lengths` `(` $columnLengths `)` (`num_ragged_rows` `(` $numRaggedRows^ `)`)? attr-dict `:` `(` type($source) (`{` $sourceDynamicDims^ `}`)? `,` type($columnLengths) `)` `->` type($result)",
            );
            LinearizeRagged "iree_tensor_ext.linearize_ragged_dims" Opaque pure, form(
                "source ranked, resultDynamicDims* index -> result ranked",
                "",
                "$source attr-dict `:` type($source) `->` type($result) (`{` $resultDynamicDims^ `}`)?",
            );

            // flow
            FlowFunc "flow.func" Opaque, by_hand(
                "-> {?*flow.return}",
                "sym_name function_type sym_visibility arg_attrs res_attrs tied_operands",
            );
            FlowReturn "flow.return" Opaque, YIELD;
            FlowExecutable "flow.executable" Opaque, form(
                "-> {~flow.executable_end}",
                "sym_visibility:visibility sym_name:name",
                "($sym_visibility^)? $sym_name attr-dict-with-keyword region0",
            );
            FlowExecutableEnd "flow.executable_end" Opaque, NULLARY;
            FlowExport "flow.executable.export" Opaque, by_hand("-> {?flow.return}", "sym_visibility sym_name function_ref");
            FlowDispatch "flow.dispatch" Opaque, by_hand(
                "workload* index, arguments* any, argument_dims* index, result_dims* index -> results* any",
                "entry_points tied_operands",
            );
            FlowWorkgroups "flow.dispatch.workgroups" Opaque, by_hand(
                "workload* index, arguments* any, argument_dims* index, result_dims* index -> results* any {*flow.return}{?*flow.return}",
                "tied_operands",
            );
            FlowRegion "flow.dispatch.region" Opaque, by_hand("result_dims* index, workload* index -> result* any {*flow.return}{?*flow.return}", "");
            FlowWorkgroupId "flow.dispatch.workgroup.id" Opaque pure, form(
                "-> result index",
                "dimension:index",
                "`[` $dimension `]` attr-dict `:` type($result)",
            );
            FlowWorkgroupCount "flow.dispatch.workgroup.count" Opaque pure, form(
                "-> result index",
                "dimension:index",
                "`[` $dimension `]` attr-dict `:` type($result)",
            );
            FlowWorkgroupSize "flow.dispatch.workgroup.size" Opaque pure, form(
                "-> result index",
                "dimension:index",
                "`[` $dimension `]` attr-dict `:` type($result)",
            );
            FlowDispatchTie "flow.dispatch.tie_shape" Opaque pure, TIE_SHAPE;
            FlowTie "flow.tensor.tie_shape" Opaque pure, TIE_SHAPE;
            FlowConstant "flow.tensor.constant" Opaque pure, by_hand("-> result any", "value");
            FlowDynamicConstant "flow.tensor.dynamic_constant" Opaque pure, form(
                "-> result any",
                "value",
                "attr-dict $value `->` type($result)",
            );
            FlowReshape "flow.tensor.reshape" Opaque pure, form(
                "source any, source_dims* index, result_dims* index -> result any",
                "",
                "$source `:` type($source) (`{` $source_dims^ `}`)? `->` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowBitcast "flow.tensor.bitcast" Opaque pure, form(
                "source any, source_dims* index, result_dims* index -> result any",
                "",
                "$source `:` type($source) (`{` $source_dims^ `}`)? `->` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowEncode "flow.tensor.encode" Opaque pure, form(
                "operand any, operand_dims* index, result_dims* index -> result any",
                "",
                "$operand `:` type($operand) (`{` $operand_dims^ `}`)? `->` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowLoad "flow.tensor.load" Opaque pure, form(
                "T any; source T, source_dims* index, indices* index -> result elem(T)",
                "",
                "$source (`[` $indices^ `]`)? `:` type($source) (`{` $source_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowStore "flow.tensor.store" Opaque pure, form(
                "T any; value elem(T), target T, target_dims* index, indices* index -> result T",
                "",
                "$value `,` $target (`[` $indices^ `]`)? `:` type($target) (`{` $target_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowAlloca "flow.tensor.alloca" Opaque, form(
                "result_dims* index -> result any",
                "",
                "`:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowEmpty "flow.tensor.empty" Opaque, form(
                "result_dims* index -> result any",
                "",
                "`:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowSplat "flow.tensor.splat" Opaque pure, form(
                "T any; value elem(T), result_dims* index -> result T",
                "",
                "$value `:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowClone "flow.tensor.clone" Opaque pure, form(
                "T any; operand T, operand_dims* index -> result T",
                "",
                "$operand `:` type($result) (`{` $operand_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowBarrier "flow.tensor.barrier" Opaque, form(
                "T any; operand T, operand_dims* index -> result T",
                "target",
                "$operand `:` type($result) (`{` $operand_dims^ `}`)? `on` $target attr-dict-with-keyword",
            );
            FlowTransfer "flow.tensor.transfer" Opaque, form(
                "T any; operand T, operand_dims* index -> result T",
                "target",
                "$operand `:` type($result) (`{` $operand_dims^ `}`)? `to` $target attr-dict-with-keyword",
            );
            FlowSlice "flow.tensor.slice" Opaque pure, form(
                "source any, source_dims* index, start_indices* index, lengths* index, result_dims* index -> result any",
                "",
                "$source `[` $start_indices `for` $lengths `]` `:` type($source) (`{` $source_dims^ `}`)? `->` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowUpdate "flow.tensor.update" Opaque pure, form(
                "T any; target T, target_dims* index, start_indices* index, update any, update_dims* index -> result T",
                "",
                "$update `,` $target `[` $start_indices `]` `:` type($update) (`{` $update_dims^ `}`)? `->` tied($target) type($result) (`{` $target_dims^ `}`)? attr-dict-with-keyword",
            );

            // util
            UtilNull "util.null" Opaque pure, form(
                "-> result any",
                "",
                "attr-dict `:` type($result)",
            );
            UtilCast "util.cast" Opaque pure, RETYPE;
            UtilEq "util.cmp.eq" Opaque pure, form(
                "T any; lhs T, rhs T -> result i1",
                "",
                "$lhs `,` $rhs attr-dict `:` type($lhs)",
            );
            UtilNe "util.cmp.ne" Opaque pure, form(
                "T any; lhs T, rhs T -> result i1",
                "",
                "$lhs `,` $rhs attr-dict `:` type($lhs)",
            );
            UtilAlign "util.align" Opaque pure, form(
                "T any; value T, alignment T -> result T",
                "",
                "$value `,` $alignment attr-dict `:` type($result)",
            );
            UtilSizeOf "util.sizeof" Opaque pure, form(
                "-> size index",
                "sizedType",
                "$sizedType attr-dict-with-keyword",
            );
            UtilUnfoldable "util.unfoldable_constant" Opaque, by_hand("-> result any", "value");
            UtilUnreachable "util.unreachable" Opaque, form(
                "->",
                "message:str",
                "($message^)? attr-dict",
            );
            UtilScfUnreachable "util.scf.unreachable" Opaque, form(
                "->",
                "message:str",
                "($message^)? attr-dict",
            );
            UtilCall "util.call" Opaque, by_hand("operands* any -> results* any", "callee tied_operands arg_attrs res_attrs");
            UtilGlobal "util.global" Opaque, by_hand("->", "sym_visibility sym_name type is_mutable:unit initial_value inlining_policy");
            UtilInitializer "util.initializer" Opaque, by_hand("-> {*util.return}", "function_type arg_attrs res_attrs");
            UtilGlobalAddress "util.global.address" Opaque pure, form(
                "-> result any",
                "global is_immutable:unit",
                "(`immutable` $is_immutable^)? $global attr-dict `:` type($result)",
            );
            UtilGlobalLoad "util.global.load" Opaque, form(
                "-> result any",
                "global is_immutable:unit",
                "(`immutable` $is_immutable^)? $global attr-dict `:` type($result)",
            );
            UtilGlobalStore "util.global.store" Opaque, form(
                "value any ->",
                "global",
                "$value `,` $global attr-dict `:` type($value)",
            );

            // hal
            HalConstantBlock "hal.executable.constant.block" Opaque, by_hand("-> {*hal.return}", "function_type keys arg_attrs res_attrs");
            HalCondition "hal.executable.condition" Opaque, by_hand("-> {*hal.return}", "function_type arg_attrs res_attrs");
            HalConstantLoad "hal.executable.constant.load" Opaque pure, form(
                "-> result any",
                "key:str",
                "$key attr-dict `:` type($result)",
            );

            // llvm
            LlvmFunc "llvm.func" Opaque, by_hand("-> {?*llvm.return}", "sym_name function_type sym_visibility linkage:llvm.linkage=external CConv:llvm.cconv=ccc unnamed_addr:i64=0 visibility_:i64=0 arg_attrs res_attrs dso_local:unit passthrough comdat personality target_cpu");
            LlvmReturn "llvm.return" Opaque, form(
                "arg? any ->",
                "",
                "attr-dict ($arg^ `:` type($arg))?",
            );
            LlvmUnreachable "llvm.unreachable" Opaque, NULLARY;
            LlvmCall "llvm.call" Opaque, form(
                "callee_operands* any, op_bundle_operands* any -> result? any",
                "callee CConv:llvm.cconv=ccc TailCallKind:llvm.tailcallkind=none fastmathFlags:llvm.fastmath=none op_bundle_sizes=array<i32> arg_attrs res_attrs",
                "$callee `(` $callee_operands `)` attr-dict `:` functional-type",
            );
            LlvmGlobal "llvm.mlir.global" Opaque, by_hand("-> {?*llvm.return}", "global_type sym_name sym_visibility linkage:llvm.linkage=external constant:unit value addr_space:i32=0 tls_mode:i64=0 unnamed_addr:i64=0 visibility_:i64=0 alignment dso_local:unit section thread_local_:unit externally_initialized:unit comdat dbg_exprs");
            LlvmUndef "llvm.mlir.undef" Opaque pure, form(
                "-> res any",
                "",
                "attr-dict `:` type($res)",
            );
            LlvmPoison "llvm.mlir.poison" Opaque pure, form(
                "-> res any",
                "",
                "attr-dict `:` type($res)",
            );
            LlvmZero "llvm.mlir.zero" Opaque pure, form(
                "-> res any",
                "",
                "attr-dict `:` type($res)",
            );
            LlvmConstant "llvm.mlir.constant" Opaque pure, form(
                "-> res any",
                "value",
                "`(` $value `)` attr-dict `:` type($res)",
            );
            LlvmAddressOf "llvm.mlir.addressof" Opaque pure, form(
                "-> res any",
                "global_name",
                "$global_name attr-dict `:` type($res)",
            );
            LlvmLoad "llvm.load" Opaque, form(
                "addr any -> res any",
                "alignment:i64 volatile_:unit nontemporal:unit invariant:unit invariantGroup:unit ordering:i64=0 syncscope dereferenceable access_groups alias_scopes noalias_scopes tbaa",
                "(`volatile` $volatile_^)? $addr (`invariant` $invariant^)? (`invariant_group` $invariantGroup^)? attr-dict `:` type($addr) `->` type($res)",
            );
            LlvmAdd "llvm.add" Opaque pure, LLVM_OVERFLOW;
            LlvmSub "llvm.sub" Opaque pure, LLVM_OVERFLOW;
            LlvmMul "llvm.mul" Opaque pure, LLVM_OVERFLOW;
            LlvmShl "llvm.shl" Opaque pure, LLVM_OVERFLOW;
            LlvmSDiv "llvm.sdiv" Opaque, LLVM_EXACT;
            LlvmUDiv "llvm.udiv" Opaque, LLVM_EXACT;
            LlvmLShr "llvm.lshr" Opaque pure, LLVM_EXACT;
            LlvmAShr "llvm.ashr" Opaque pure, LLVM_EXACT;
            LlvmSRem "llvm.srem" Opaque, LLVM_BINARY;
            LlvmURem "llvm.urem" Opaque, LLVM_BINARY;
            LlvmAnd "llvm.and" Opaque pure, LLVM_BINARY;
            LlvmXor "llvm.xor" Opaque pure, LLVM_BINARY;
            LlvmFAdd "llvm.fadd" Opaque pure, LLVM_BINARY_F;
            LlvmFSub "llvm.fsub" Opaque pure, LLVM_BINARY_F;
            LlvmFMul "llvm.fmul" Opaque pure, LLVM_BINARY_F;
            LlvmFDiv "llvm.fdiv" Opaque pure, LLVM_BINARY_F;
            LlvmFRem "llvm.frem" Opaque pure, LLVM_BINARY_F;
            LlvmOr "llvm.or" Opaque pure, form(
                "T any; lhs T, rhs T -> res T",
                "isDisjoint:unit",
                "(`disjoint` $isDisjoint^)? $lhs `,` $rhs attr-dict `:` type($res)",
            );
            LlvmFNeg "llvm.fneg" Opaque pure, form(
                "T any; operand T -> res T",
                "fastmathFlags:llvm.fastmath=none",
                "$operand attr-dict `:` type($res)",
            );
            LlvmSelect "llvm.select" Opaque pure, form(
                "T any; condition any, trueValue T, falseValue T -> res T",
                "fastmathFlags:llvm.fastmath=none",
                "$condition `,` $trueValue `,` $falseValue attr-dict `:` type($condition) `,` type($res)",
            );
            LlvmTrunc "llvm.trunc" Opaque pure, form(
                "arg any -> res any",
                "overflowFlags:@wraps=0",
                "$arg (`overflow` `` `<` $overflowFlags^ `>`)? attr-dict `:` type($arg) `to` type($res)",
            );
            LlvmAlloca "llvm.alloca" Opaque, form(
                "arraySize any -> res any",
                "alignment elem_type inalloca:unit",
                "(`inalloca` $inalloca^)? $arraySize `x` $elem_type attr-dict `:` functional-type",
            );
            LlvmStore "llvm.store" Opaque, form(
                "value any, addr any ->",
                "alignment volatile_:unit nontemporal:unit invariantGroup:unit ordering:i64=0 syncscope access_groups alias_scopes noalias_scopes tbaa",
                "(`volatile` $volatile_^)? $value `,` $addr attr-dict `:` type($value) `,` type($addr)",
            );
            LlvmZExt "llvm.zext" Opaque pure, LLVM_CAST_SIGNED;
            LlvmUIToFP "llvm.uitofp" Opaque pure, LLVM_CAST_SIGNED;
            LlvmSExt "llvm.sext" Opaque pure, LLVM_CAST;
            LlvmSIToFP "llvm.sitofp" Opaque pure, LLVM_CAST;
            LlvmFPToSI "llvm.fptosi" Opaque pure, LLVM_CAST;
            LlvmFPToUI "llvm.fptoui" Opaque pure, LLVM_CAST;
            LlvmFPTrunc "llvm.fptrunc" Opaque pure, LLVM_CAST;
            LlvmFPExt "llvm.fpext" Opaque pure, LLVM_CAST;
            LlvmPtrToInt "llvm.ptrtoint" Opaque pure, LLVM_CAST;
            LlvmIntToPtr "llvm.inttoptr" Opaque pure, LLVM_CAST;
            LlvmBitcast "llvm.bitcast" Opaque pure, LLVM_CAST;
            LlvmAddrSpaceCast "llvm.addrspacecast" Opaque pure, LLVM_CAST;
            LlvmFma "llvm.intr.fma" Opaque pure, form(
                "a any, b any, c any -> res any",
                "fastmathFlags:llvm.fastmath=none",
                "`(` $a `,` $b `,` $c `)` attr-dict `:` functional-type",
            );

            // amdgpu, scripts
            PermlaneSwap "amdgpu.permlane_swap" Opaque pure, form(
                "T any; src T -> result T",
                "row_length:i32 fetch_inactive:bool=false bound_ctrl:bool=false",
                "$src $row_length attr-dict `:` type($result)",
            );
            NullPointer "iree_codegen.null_pointer" Opaque pure, form(
                "-> result !iree_codegen.null_pointer",
                "",
                "attr-dict",
            );
            TileUsingFor "transform.structured.tile_using_for" Opaque, by_hand("target any, dynamic_sizes* any, packed_sizes? any, interchange_handle? any, other? any -> tiled_linalg_op any, loops* any", "static_sizes:dense=?[] interchange:dense=?[] scalable_sizes");
            TileUsingForall "transform.structured.tile_using_forall" Opaque, form(
                "target any, num_threads* any, tile_sizes* any, packed_num_threads? any, packed_tile_sizes? any -> tiled_op any, forall_op any",
                "static_num_threads:dense=?[] static_tile_sizes:dense=?[] mapping",
                "$target (`num_threads` mixed(static_num_threads, num_threads)^)? (`tile_sizes` mixed(static_tile_sizes, tile_sizes)^)? (`(` `mapping` `=` $mapping^ `)`)? attr-dict `:` functional-type",
            );
            TileReductionFor "transform.structured.tile_reduction_using_for" Opaque, form(
                "target any -> results* any",
                "reduction_dims=[] tile_sizes=[]",
                "$target (`reduction_dims` `=` $reduction_dims^)? (`by` `tile_sizes` `=` $tile_sizes^)? attr-dict `:` functional-type",
            );
            TileReductionForall "transform.structured.tile_reduction_using_forall" Opaque, form(
                "target any -> results* any",
                "reduction_dims=[] num_threads:dense=[] tile_sizes:dense=[] mapping",
                "$target (`reduction_dims` `=` $reduction_dims^)? `by` (`num_threads` `=` $num_threads^)? (`tile_sizes` `=` $tile_sizes^)? (`,` `mapping` `=` $mapping^)? attr-dict `:` functional-type",
            );
            ForeachMatch "transform.foreach_match" Opaque, by_hand("root any, forwarded_inputs* any -> updated any, forwarded_outputs* any", "restrict_root:unit flatten_results:unit matchers actions");
            MapNestedForall "transform.iree.map_nested_forall_to_gpu_threads" Opaque, form(
                "target any -> results* any",
                "workgroup_dims:dense subgroup_size:i64 sync_after_distribution:bool",
                "$target `workgroup_dims` `=` $workgroup_dims (`subgroup_size` `=` $subgroup_size^)? (`sync_after_distribution` `=` $sync_after_distribution^)? attr-dict `:` functional-type",
            );
            MfmaTileSizes "transform.iree.create_matmul_mfma_tile_sizes" Opaque, SCRIPT;
            ShareForallOperands "transform.iree.share_forall_operands" Opaque, form(
                "forall_op any -> results* any",
                "share_operands:dense",
                "$forall_op (`share_operands` `=` $share_operands^)? attr-dict `:` functional-type",
            );
            CountRegionUsingThreads "transform.iree.populate_workgroup_count_region_using_num_threads_slice" Opaque, form(
                "for_all_op any ->",
                "",
                "attr-dict $for_all_op `:` functional-type",
            );

            // pcf
            PcfAlloc "pcf.alloc" Opaque, form(
                "dynamicSizes* index -> result any",
                "",
                "`(` $dynamicSizes `)` attr-dict `:` type($result)",
            );
            PcfGeneric "pcf.generic" Opaque, by_hand("inits* any, dynamic_sizes* index -> results* any {?pcf.yield}{*pcf.return}", "scope is_tied sync_on_return num_index_args num_leading_args");
            PcfLoop "pcf.loop" Opaque, by_hand("count* index, inits* any, dynamic_sizes* index -> results* any {pcf.return}", "scope is_tied sync_on_return");
            PcfReturn "pcf.return" Opaque, NULLARY;
            PcfYield "pcf.yield" Opaque, form(
                "operands* any ->",
                "",
                "attr-dict ($operands^)? (`:` type($operands)^)?",
            );
            PcfReadSlice "pcf.read_slice" Opaque, form(
                "source any, offsets* index, sizes* index, strides* index -> result any",
                "static_offsets static_sizes static_strides",
                "$source `` mixed(static_offsets, offsets) mixed(static_sizes, sizes) mixed(static_strides, strides) attr-dict `:` type($source) `to` type($result)",
            );
            PcfGetMemref "pcf.get_memref" Opaque, form(
                "source any, offsets* index, sizes* index, strides* index -> result any",
                "static_offsets static_sizes static_strides",
                "$source `` mixed(static_offsets, offsets) mixed(static_sizes, sizes) mixed(static_strides, strides) attr-dict `:` type($source) `to` type($result)",
            );
            PcfWriteSlice "pcf.write_slice" Opaque, form(
                "source any, dest any, offsets* index, sizes* index, strides* index ->",
                "static_offsets static_sizes static_strides",
                "$source `into` $dest `` mixed(static_offsets, offsets) mixed(static_sizes, sizes) mixed(static_strides, strides) attr-dict `:` type($source) `into` type($dest)",
            );
            PcfCondReturn "pcf.br.cond_return" Opaque, by_hand("condition i1, dest_operands* any ->", "");
        }
    };
}
