//! Rows of `flow`: dispatches and what the host does with tensors between them.

use super::forms::*;

dialect! { Flow:
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

    // calls, parameters, channels
    FlowCall "flow.call" Opaque, by_hand(
        "arguments* any, argument_dims* index, result_dims* index -> results* any",
        "callee tied_operands arg_attrs res_attrs",
    );
    FlowParameterLoad "flow.parameter.load" Opaque, form(
        "source_scope? !util.buffer, source_key !util.buffer, source_offset i64, result_dims* index -> result any",
        "",
        "path(source_scope, source_key) `` `[` $source_offset `]` `:` type($result) (`{` $result_dims^ `}`)? attr-dict-with-keyword",
    );
    FlowParameterWrite "flow.parameter.write" Opaque, form(
        "T any; source T, source_dims* index, target_scope? !util.buffer, target_key !util.buffer, target_offset i64 -> result T",
        "",
        "$source `->` path(target_scope, target_key) `` `[` $target_offset `]` `:` type($source) (`{` $source_dims^ `}`)? attr-dict-with-keyword",
    );
    FlowChannelDefault "flow.channel.default" Opaque, form(
        "-> result !flow.channel",
        "group:str",
        "($group^)? `:` type($result) attr-dict-with-keyword",
    );
    FlowChannelSplit "flow.channel.split" Opaque, form(
        "channel !flow.channel, color index, key index -> result !flow.channel",
        "",
        "$channel `,` $color `,` $key `:` type($channel) `->` type($result) attr-dict-with-keyword",
    );
    FlowChannelRank "flow.channel.rank" Opaque, form(
        "channel !flow.channel -> result index",
        "",
        "$channel `:` type($result) attr-dict-with-keyword",
    );
    FlowChannelCount "flow.channel.count" Opaque, form(
        "channel !flow.channel -> result index",
        "",
        "$channel `:` type($result) attr-dict-with-keyword",
    );
}
