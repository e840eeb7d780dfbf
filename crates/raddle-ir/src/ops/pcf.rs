//! Rows of `pcf`: parallel regions of threads.

use super::forms::*;

dialect! { Pcf:
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
