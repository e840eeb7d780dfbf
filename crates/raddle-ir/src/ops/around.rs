//! Rows of the op table for the dialects around a dispatch: what calls it, what it is configured with, what it ends in.

/// The table: the rows that are given, and these.
macro_rules! with_other_rows {
    ($($rows:tt)*) => {
        with_script_rows! {
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
            ComplexPowi "complex.powi" Opaque pure, form(
                "T any; lhs T, rhs fixedint -> result T",
                "fastmath:arith.fastmath",
                "$lhs `,` $rhs (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($result) `,` type($rhs)",
            );
            ComplexAtan2 "complex.atan2" Opaque pure, COMPLEX_BINARY;
            ComplexDiv "complex.div" Opaque pure, COMPLEX_BINARY;
            ComplexNeg "complex.neg" Opaque pure, COMPLEX_UNARY;
            ComplexConj "complex.conj" Opaque pure, COMPLEX_UNARY;
            ComplexExp "complex.exp" Opaque pure, COMPLEX_UNARY;
            ComplexExpm1 "complex.expm1" Opaque pure, COMPLEX_UNARY;
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
            ComplexNeq "complex.neq" Opaque pure, form(
                "T any; lhs T, rhs T -> result i1",
                "",
                "$lhs `,` $rhs attr-dict `:` type($lhs)",
            );
            ComplexBitcast "complex.bitcast" Opaque pure, RETYPE;

            // smt: what constraints on tile sizes are written with
            IreeCodegenSmtConstraints "iree_codegen.smt.constraints" Opaque isolated, form(
                "problem_dims* index -> {}",
                "target:#iree_codegen.root_op pipeline knobs",
                "`target` `=` $target `,` `pipeline` `=` $pipeline `,` `knobs` `=` $knobs `dims` `(` $problem_dims `)` attr-dict-with-keyword region0",
            );
            IreeCodegenSmtAssert "iree_codegen.smt.assert" Opaque, form(
                "condition any, printArgs* any ->",
                "msg:str",
                "$condition `,` $msg (`,` $printArgs^)? `:` type($condition) (`,` type($printArgs)^)? attr-dict",
            );
            IreeCodegenSmtKnob "iree_codegen.smt.knob" Opaque pure, form(
                "-> result any",
                "name:str",
                "$name attr-dict `:` type($result)",
            );
            IreeCodegenSmtLookup "iree_codegen.smt.lookup" Opaque pure, form(
                "T any; index T -> result T",
                "keys:dense values:dense",
                "$index $keys `->` $values attr-dict `:` type($result)",
            );

            // iree_tensor_ext: ragged shapes
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

            // flow
            FlowFunc "flow.func" Opaque isolated, by_hand(
                "-> {?*flow.return}",
                "sym_name function_type sym_visibility arg_attrs res_attrs tied_operands",
            );
            FlowReturn "flow.return" Opaque, YIELD;
            FlowExecutable "flow.executable" Opaque isolated symbols, form(
                "-> {~flow.executable_end}",
                "sym_visibility:visibility sym_name:name",
                "($sym_visibility^)? $sym_name attr-dict-with-keyword region0",
            );
            FlowExecutableEnd "flow.executable_end" Opaque, NULLARY;
            FlowExecutableExport "flow.executable.export" Opaque isolated, by_hand("-> {?flow.return}", "sym_visibility sym_name function_ref");
            FlowDispatch "flow.dispatch" Opaque, by_hand(
                "workload* index, arguments* any, argument_dims* index, result_dims* index -> results* any",
                "entry_points tied_operands",
            );
            FlowDispatchWorkgroups "flow.dispatch.workgroups" Opaque isolated, by_hand(
                "workload* index, arguments* any, argument_dims* index, result_dims* index -> results* any {*flow.return}{?*flow.return}",
                "tied_operands",
            );
            FlowDispatchRegion "flow.dispatch.region" Opaque, by_hand("result_dims* index, workload* index -> result* any {*flow.return}{?*flow.return}", "");
            FlowDispatchWorkgroupId "flow.dispatch.workgroup.id" Opaque pure, form(
                "-> result index",
                "dimension:index",
                "`[` $dimension `]` attr-dict `:` type($result)",
            );
            FlowDispatchWorkgroupCount "flow.dispatch.workgroup.count" Opaque pure, form(
                "-> result index",
                "dimension:index",
                "`[` $dimension `]` attr-dict `:` type($result)",
            );
            FlowDispatchWorkgroupSize "flow.dispatch.workgroup.size" Opaque pure, form(
                "-> result index",
                "dimension:index",
                "`[` $dimension `]` attr-dict `:` type($result)",
            );
            // Spelled `iree_tensor_ext` since; files of earlier versions are still around.
            FlowDispatchTensorLoad "flow.dispatch.tensor.load" Opaque, DISPATCH_LOAD;
            FlowDispatchTensorStore "flow.dispatch.tensor.store" Opaque, DISPATCH_STORE;
            FlowDispatchTieShape "flow.dispatch.tie_shape" Opaque pure, TIE_SHAPE;
            FlowTensorTieShape "flow.tensor.tie_shape" Opaque pure, TIE_SHAPE;
            FlowTensorConstant "flow.tensor.constant" Opaque pure, by_hand("-> result any", "value");
            FlowTensorDynamicConstant "flow.tensor.dynamic_constant" Opaque pure, form(
                "-> result any",
                "value",
                "attr-dict $value `->` type($result)",
            );
            FlowTensorReshape "flow.tensor.reshape" Opaque pure, form(
                "source any, source_dims* index, result_dims* index -> result any",
                "",
                "$source `:` type($source) (`{` $source_dims^ `}`)? `->` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowTensorBitcast "flow.tensor.bitcast" Opaque pure, form(
                "source any, source_dims* index, result_dims* index -> result any",
                "",
                "$source `:` type($source) (`{` $source_dims^ `}`)? `->` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowTensorEncode "flow.tensor.encode" Opaque pure, form(
                "operand any, operand_dims* index, result_dims* index -> result any",
                "",
                "$operand `:` type($operand) (`{` $operand_dims^ `}`)? `->` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowTensorLoad "flow.tensor.load" Opaque pure, form(
                "T any; source T, source_dims* index, indices* index -> result elem(T)",
                "",
                "$source (`[` $indices^ `]`)? `:` type($source) (`{` $source_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowTensorStore "flow.tensor.store" Opaque pure, form(
                "T any; value elem(T), target T, target_dims* index, indices* index -> result T",
                "",
                "$value `,` $target (`[` $indices^ `]`)? `:` type($target) (`{` $target_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowTensorAlloca "flow.tensor.alloca" Opaque, form(
                "result_dims* index -> result any",
                "",
                "`:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowTensorEmpty "flow.tensor.empty" Opaque, form(
                "result_dims* index -> result any",
                "",
                "`:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowTensorSplat "flow.tensor.splat" Opaque pure, form(
                "T any; value elem(T), result_dims* index -> result T",
                "",
                "$value `:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowTensorClone "flow.tensor.clone" Opaque pure, form(
                "T any; operand T, operand_dims* index -> result T",
                "",
                "$operand `:` type($result) (`{` $operand_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowTensorBarrier "flow.tensor.barrier" Opaque, form(
                "T any; operand T, operand_dims* index -> result T",
                "target",
                "$operand `:` type($result) (`{` $operand_dims^ `}`)? `on` $target attr-dict-with-keyword",
            );
            FlowTensorTransfer "flow.tensor.transfer" Opaque, form(
                "T any; operand T, operand_dims* index -> result T",
                "target",
                "$operand `:` type($result) (`{` $operand_dims^ `}`)? `to` $target attr-dict-with-keyword",
            );
            FlowTensorSlice "flow.tensor.slice" Opaque pure, form(
                "source any, source_dims* index, start_indices* index, lengths* index, result_dims* index -> result any",
                "",
                "$source `[` $start_indices `for` $lengths `]` `:` type($source) (`{` $source_dims^ `}`)? `->` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
            );
            FlowTensorUpdate "flow.tensor.update" Opaque pure, form(
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
            UtilCmpEq "util.cmp.eq" Opaque pure, form(
                "T any; lhs T, rhs T -> result i1",
                "",
                "$lhs `,` $rhs attr-dict `:` type($lhs)",
            );
            UtilCmpNe "util.cmp.ne" Opaque pure, form(
                "T any; lhs T, rhs T -> result i1",
                "",
                "$lhs `,` $rhs attr-dict `:` type($lhs)",
            );
            /// A number rounded up to a multiple.
            UtilAlign "util.align" Opaque pure, form(
                "T any; value T, alignment T -> result T",
                "",
                "$value `,` $alignment attr-dict `:` type($result)",
            );
            UtilSizeof "util.sizeof" Opaque pure, form(
                "-> size index",
                "sizedType",
                "$sizedType attr-dict-with-keyword",
            );
            /// A constant that no pass may look at.
            UtilUnfoldableConstant "util.unfoldable_constant" Opaque, by_hand("-> result any", "value");
            UtilUnreachable "util.unreachable" Opaque stops, form(
                "->",
                "message:str",
                "($message^)? attr-dict",
            );
            UtilScfUnreachable "util.scf.unreachable" Opaque, form(
                "->",
                "message:str",
                "($message^)? attr-dict",
            );
            /// Calls a function by its name.
            UtilCall "util.call" Opaque, by_hand("operands* any -> results* any", "callee tied_operands arg_attrs res_attrs");
            UtilGlobal "util.global" Opaque, by_hand("->", "sym_visibility sym_name type is_mutable:unit initial_value inlining_policy");
            UtilInitializer "util.initializer" Opaque isolated, by_hand("-> {*util.return}", "function_type arg_attrs res_attrs");
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
            HalExecutableConstantBlock "hal.executable.constant.block" Opaque isolated, by_hand("-> {*hal.return}", "function_type keys arg_attrs res_attrs");
            HalExecutableCondition "hal.executable.condition" Opaque isolated, by_hand("-> {*hal.return}", "function_type arg_attrs res_attrs");

            // amdgpu, scripts
            /// Exchanges values between rows of lanes.
            AmdgpuPermlaneSwap "amdgpu.permlane_swap" Opaque pure, form(
                "T numbers; src T -> result T",
                "row_length:i32 fetch_inactive:bool=false bound_ctrl:bool=false",
                "$src $row_length attr-dict `:` type($result)",
            );
            /// A pointer to nothing.
            IreeCodegenNullPointer "iree_codegen.null_pointer" Opaque pure, form(
                "-> result !iree_codegen.null_pointer",
                "",
                "attr-dict",
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
            PcfBrCondReturn "pcf.br.cond_return" Opaque, by_hand("condition i1, dest_operands* any ->", "");
        }
    };
}
