//! Rows of `util`: assumptions, globals, lists, buffers and texts of the host.

use super::forms::*;

dialect! { Util:
    /// States bounds and divisors of integers.
    UtilAssumeInt "util.assume.int" Opaque pure, by_hand("operands* any -> results* same(operands)", "assumptions");
    /// A function.
    UtilFunc "util.func" Opaque isolated, by_hand(
        "-> {?*util.return}",
        "sym_name function_type sym_visibility arg_attrs res_attrs tied_operands inlining_policy",
    );
    /// Leaves a function with its results.
    UtilReturn "util.return" Opaque, YIELD;
    // A conversion that another one takes back: the two cancel, and go around loops together.
    UtilHoistableConversion "util.hoistable_conversion" Opaque, by_hand(
        "inputs* any -> results* any {util.return}",
        "tag inverseTag",
    );
    /// Values that no pass may look through.
    UtilOptimizationBarrier "util.optimization_barrier" Opaque, form(
        "operands* any -> results* same(operands)",
        "",
        "attr-dict ($operands^ `:` type($operands))?",
    );

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

    // numbers, globals, lists, buffers, texts
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
}
