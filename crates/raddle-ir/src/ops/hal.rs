//! Rows of `hal`: executables, the interface of a kernel, and what the host says of tensors.

use super::forms::*;

dialect! { Hal:
    /// The position of the workgroup in the grid.
    HalInterfaceWorkgroupId "hal.interface.workgroup.id" Opaque pure, HAL_ID;
    /// The extent of the grid, in workgroups.
    HalInterfaceWorkgroupCount "hal.interface.workgroup.count" Opaque pure, HAL_ID;
    /// The extent of the workgroup.
    HalInterfaceWorkgroupSize "hal.interface.workgroup.size" Opaque pure, HAL_ID;
    /// A 32-bit constant that is passed to the dispatch.
    HalInterfaceConstantLoad "hal.interface.constant.load" Opaque pure, form(
        "-> result any",
        "layout:#hal.pipeline.layout ordinal:index alignment:index values",
        "`layout` `(` $layout `)` `ordinal` `(` $ordinal `)` (`alignment` `(` $alignment^ `)`)? (`values` `(` $values^ `)`)? attr-dict `:` type($result)",
    );
    /// A part of a buffer that is bound to the dispatch.
    HalInterfaceBindingSubspan "hal.interface.binding.subspan" Opaque pure, form(
        "byte_offset? index, dynamic_dims* index -> result any",
        "layout:#hal.pipeline.layout binding:index alignment:index descriptor_flags:@descriptor",
        "`layout` `(` $layout `)` `binding` `(` $binding `)` (`alignment` `(` $alignment^ `)`)? (`offset` `(` $byte_offset^ `)`)? (`flags` `(` $descriptor_flags^ `)`)? attr-dict `:` type($result) (`{` $dynamic_dims^ `}`)?",
    );
    HalExecutable "hal.executable" Opaque isolated symbols, form(
        "-> {~hal.executable_end}",
        "sym_visibility:visibility sym_name:name lazy:unit",
        "($sym_visibility^)? (`lazy` $lazy^)? $sym_name attr-dict-with-keyword region0",
    );
    HalExecutableSource "hal.executable.source" Opaque isolated symbols, form(
        "-> {~hal.executable.source_end}",
        "sym_visibility:visibility sym_name:name objects",
        "($sym_visibility^)? $sym_name (`objects` `(` $objects^ `)`)? attr-dict-with-keyword region0",
    );
    HalExecutableVariant "hal.executable.variant" Opaque isolated symbols, form(
        "-> {~hal.executable.variant_end}",
        "sym_visibility:visibility sym_name:name target:#hal.executable.target objects sources",
        "($sym_visibility^)? $sym_name `target` `(` $target `)` (`objects` `(` $objects^ `)`)? (`sources` `(` $sources^ `)`)? attr-dict-with-keyword region0",
    );
    HalExecutableExport "hal.executable.export" Opaque isolated, by_hand(
        "-> {?hal.return}{?hal.return}",
        "sym_visibility sym_name ordinal:index layout:of(hal.pipeline.layout) condition_fallback:symbol workgroup_size:indices subgroup_size:index workgroup_local_memory:index source_locs",
    );
    HalReturn "hal.return" Opaque, YIELD;

    HalExecutableConstantBlock "hal.executable.constant.block" Opaque isolated, by_hand("-> {*hal.return}", "function_type keys arg_attrs res_attrs");
    HalExecutableCondition "hal.executable.condition" Opaque isolated, by_hand("-> {*hal.return}", "function_type arg_attrs res_attrs");

    HalTensorImport "hal.tensor.import" Opaque pure, form(
        "source any, target_dims* index, wait_fence? !hal.fence, byte_offset? index -> target any",
        "target_encoding consume:unit name:str affinity",
        "(`on` `(` $affinity^ `)`)? (`wait` `(` $wait_fence^ `)` `=` `` `>`)? (`consume` $consume^)? $source (`offset` `(` $byte_offset^ `)`)? ($name^)? `:` type($source) `->` alias(target_encoding, target) (`{` $target_dims^ `}`)? attr-dict",
    );
    HalTensorExport "hal.tensor.export" Opaque pure, form(
        "source any, source_dims* index -> target any",
        "source_encoding name:str affinity",
        "(`on` `(` $affinity^ `)`)? $source ($name^)? `:` alias(source_encoding, source) (`{` $source_dims^ `}`)? `->` type($target) attr-dict",
    );
    HalTensorAlias "hal.tensor.alias" Opaque, form(
        "T any; source T, source_dims* index, storage any, wait_fence? !hal.fence -> result T",
        "affinity",
        "(`on` `(` $affinity^ `)`)? (`wait` `(` $wait_fence^ `)` `=` `` `>`)? $source `:` type($source) (`{` $source_dims^ `}`)? `to` $storage `:` type($storage) attr-dict",
    );
    HalTensorBarrier "hal.tensor.barrier" Opaque, form(
        "sources* any, signal_fence !hal.fence -> results* same(sources)",
        "",
        "`join` `` `(` $sources `:` type($sources) `)` `=` `` `>` $signal_fence `:` type($signal_fence) attr-dict-with-keyword",
    );
    HalBufferViewDim "hal.buffer_view.dim" Opaque pure, form(
        "buffer_view !hal.buffer_view -> result index",
        "index:index",
        "`<` $buffer_view `:` type($buffer_view) `>` `` `[` $index `]` `:` type($result) attr-dict-with-keyword",
    );
    HalDevicesGet "hal.devices.get" Opaque pure, form(
        "index index -> result !hal.device",
        "",
        "$index attr-dict `:` type($result)",
    );
    HalFenceCreate "hal.fence.create" Opaque, form(
        "device !hal.device -> result !hal.fence",
        "flags:@reserved",
        "`device` `(` $device `:` type($device) `)` `flags` `(` $flags `)` `:` type($result) attr-dict-with-keyword",
    );
    HalFenceAwait "hal.fence.await" Opaque, form(
        "timeout_millis i32, fences* !hal.fence -> status i32",
        "flags:@reserved",
        "`until` `(` `[` $fences `]` `)` `timeout_millis` `(` $timeout_millis `)` `flags` `(` $flags `)` `:` type($status) attr-dict-with-keyword",
    );
    HalFenceSignal "hal.fence.signal" Opaque, form(
        "fence !hal.fence ->",
        "",
        "`<` $fence `:` type($fence) `>` attr-dict-with-keyword",
    );
}
