//! Rows of the op table for the program around dispatches: what it counts, keeps in buffers and lists, reads, and checks.

/// The table: the rows that are given, and these.
macro_rules! with_host_rows {
    ($($rows:tt)*) => {
        ops! {
            $($rows)*

            // check
            /// Expects a condition.
            CheckExpectTrue "check.expect_true" Opaque, form(
                "operand any ->",
                "",
                "`(` $operand `)` attr-dict `:` type($operand)",
            );
            /// Expects that a condition does not hold.
            CheckExpectFalse "check.expect_false" Opaque, form(
                "operand any ->",
                "",
                "`(` $operand `)` attr-dict `:` type($operand)",
            );
            /// Expects that all elements are true.
            CheckExpectAllTrue "check.expect_all_true" Opaque, form(
                "device? !hal.device, operand any ->",
                "",
                "(`` `<` $device^ `>`)? `` `(` $operand `)` attr-dict `:` type($operand)",
            );
            /// Expects equal tensors.
            CheckExpectEq "check.expect_eq" Opaque, form(
                "T any; device? !hal.device, lhs T, rhs T ->",
                "",
                "(`` `<` $device^ `>`)? `` `(` $lhs `,` $rhs `)` attr-dict `:` type($lhs)",
            );
            /// Expects a constant tensor.
            CheckExpectEqConst "check.expect_eq_const" Opaque, form(
                "T any; device? !hal.device, lhs T ->",
                "value",
                "(`` `<` $device^ `>`)? `` `(` $lhs `,` $value `)` attr-dict `:` type($lhs)",
            );
            /// Expects tensors that are equal within a tolerance.
            CheckExpectAlmostEq "check.expect_almost_eq" Opaque, form(
                "T any; device? !hal.device, lhs T, rhs T ->",
                "atol:f32=9.99999974E-5 rtol:f32=0.000000e+00",
                "(`` `<` $device^ `>`)? `` `(` $lhs `,` $rhs (`` `,` `atol` $atol^)? (`` `,` `rtol` $rtol^)? `)` attr-dict `:` type($lhs)",
            );
            /// Expects a constant tensor within a tolerance.
            CheckExpectAlmostEqConst "check.expect_almost_eq_const" Opaque, form(
                "T any; device? !hal.device, lhs T ->",
                "value atol:f32=9.99999974E-5 rtol:f32=0.000000e+00",
                "(`` `<` $device^ `>`)? `` `(` $lhs `,` $value (`` `,` `atol` $atol^)? (`` `,` `rtol` $rtol^)? `)` attr-dict `:` type($lhs)",
            );

            // util: numbers, globals, lists, buffers, texts
            UtilNumericOptionalNarrow "util.numeric.optional_narrow" Opaque pure, form(
                "T any; operand T -> result T",
                "semantic_type min_value max_value",
                "$operand `:` type($operand) `as` $semantic_type attr-dict",
            );
            UtilRangeMin "util.range.min" Opaque pure, form(
                "T any; operands* T -> result T",
                "",
                "$operands attr-dict `:` type($result)",
            );
            UtilRangeMax "util.range.max" Opaque pure, form(
                "T any; operands* T -> result T",
                "",
                "$operands attr-dict `:` type($result)",
            );
            UtilGlobalLoadIndirect "util.global.load.indirect" Opaque, form(
                "global any -> result any",
                "is_immutable:unit",
                "(`immutable` $is_immutable^)? $global attr-dict `:` type($global) `->` type($result)",
            );
            UtilGlobalStoreIndirect "util.global.store.indirect" Opaque, form(
                "value any, global any ->",
                "",
                "$value `,` $global attr-dict `:` type($value) `->` type($global)",
            );
            UtilListCreate "util.list.create" Opaque, form(
                "initial_capacity? index -> result any",
                "",
                "($initial_capacity^)? attr-dict `:` type($result)",
            );
            UtilListConstruct "util.list.construct" Opaque, form(
                "values* any -> result any",
                "",
                "` ` `[` typed($values) `]` attr-dict `:` type($result)",
            );
            UtilListSize "util.list.size" Opaque, form(
                "list any -> result index",
                "",
                "$list attr-dict `:` type($list)",
            );
            UtilListResize "util.list.resize" Opaque, form(
                "list any, new_size index ->",
                "",
                "$list `,` $new_size attr-dict `:` type($list)",
            );
            UtilBufferConstant "util.buffer.constant" Opaque pure, form(
                "-> result !util.buffer",
                "name:str value:typed alignment:index mime_type",
                "($name^)? attr-dict `:` type($result) `=` $value",
            );
            UtilBufferAlloc "util.buffer.alloc" Opaque, form(
                "storage_size index -> result !util.buffer",
                "alignment:index",
                "`uninitialized` attr-dict `:` type($result) `` `{` $storage_size `}`",
            );
            UtilBufferDealloc "util.buffer.dealloc" Opaque, form(
                "operand !util.buffer, operand_size index ->",
                "",
                "$operand `:` type($operand) `{` $operand_size `}` attr-dict-with-keyword",
            );
            UtilBufferSlice "util.buffer.slice" Opaque, form(
                "T any; source T, source_size index, source_offset index, result_size index -> result T",
                "alignment:index",
                "$source `[` $source_offset `]` attr-dict `:` type($source) `` `{` $source_size `}` `->` type($result) `` `{` $result_size `}`",
            );
            UtilBufferSubspan "util.buffer.subspan" Opaque pure, form(
                "T any; source T, source_size index, source_offset index, result_size index -> result T",
                "",
                "$source `[` $source_offset `]` `:` type($source) `` `{` $source_size `}` `->` type($result) `` `{` $result_size `}` attr-dict-with-keyword",
            );
            UtilBufferSize "util.buffer.size" Opaque pure, form(
                "operand !util.buffer -> result index",
                "",
                "$operand `:` type($operand) attr-dict-with-keyword",
            );
            UtilBufferStorage "util.buffer.storage" Opaque pure, form(
                "operand !util.buffer, operand_size index -> result memref, offset index",
                "",
                "$operand `:` type($operand) `` `{` $operand_size `}` `->` `(` type($result) `,` type($offset) `)` attr-dict-with-keyword",
            );
            UtilBufferCopy "util.buffer.copy" Opaque, form(
                "source !util.buffer, source_size index, source_offset index, target !util.buffer, target_size index, target_offset index, length index ->",
                "",
                "$source `[` $source_offset `]` `,` $target `[` $target_offset `]` `,` $length `:` type($source) `` `{` $source_size `}` `->` type($target) `` `{` $target_size `}` attr-dict-with-keyword",
            );
            UtilBufferCompare "util.buffer.compare" Opaque, form(
                "lhs !util.buffer, lhs_size index, lhs_offset index, rhs !util.buffer, rhs_size index, rhs_offset index, length index -> result i1",
                "",
                "$lhs `[` $lhs_offset `]` `,` $rhs `[` $rhs_offset `]` `,` $length `:` type($lhs) `` `{` $lhs_size `}` `,` type($rhs) `` `{` $rhs_size `}` attr-dict-with-keyword",
            );
            UtilBufferFill "util.buffer.fill" Opaque, form(
                "pattern any, target !util.buffer, target_size index, target_offset index, length index ->",
                "",
                "$pattern `,` $target `[` $target_offset `for` $length `]` `:` type($pattern) `->` type($target) `` `{` $target_size `}` attr-dict-with-keyword",
            );
            UtilBufferLoad "util.buffer.load" Opaque, form(
                "source !util.buffer, source_size index, source_offset index, length index -> result any",
                "",
                "$source `[` $source_offset `for` $length `]` `:` type($source) `` `{` $source_size `}` `->` type($result) attr-dict-with-keyword",
            );
            UtilBufferStore "util.buffer.store" Opaque, form(
                "source any, target !util.buffer, target_size index, target_offset index, length index ->",
                "",
                "$source `,` $target `[` $target_offset `for` $length `]` `:` type($source) `->` type($target) `` `{` $target_size `}` attr-dict-with-keyword",
            );
            UtilBufferHash "util.buffer.hash" Opaque, form(
                "source !util.buffer, source_size index, source_offset index, length index -> result i64",
                "",
                "$source `[` $source_offset `for` $length `]` `:` type($source) `` `{` $source_size `}` `->` type($result) attr-dict-with-keyword",
            );
            UtilStringFormat "util.string.format" Opaque pure, form(
                "args* any -> result !util.buffer",
                "format:str",
                "$format `(` $args `)` attr-dict `:` functional-type",
            );
            UtilStringItoa "util.string.itoa" Opaque pure, form(
                "value any -> result !util.buffer",
                "",
                "$value attr-dict `:` type($value) `->` type($result)",
            );
            UtilStatusCheckOk "util.status.check_ok" Opaque, form(
                "status i32 ->",
                "message:str",
                "$status (`,` $message^)? attr-dict",
            );
            UtilSwitch "util.switch" Opaque pure, form(
                "T any; index index, default_value T, values* T -> result T",
                "",
                "type($default_value) `from` ` ` `[` $values `]` `at` $index `else` $default_value attr-dict `:` type($result)",
            );

            // flow: calls, parameters, channels
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
    };
}
