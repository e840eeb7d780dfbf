//! Rows of the op table for `hal` and `stream` at the borders of programs: tensors that come from buffers and become
//! such, fences, and what has assembly written by hand.

/// The table: the rows that are given, and these.
macro_rules! with_hal_rows {
    ($($rows:tt)*) => {
        with_host_rows! {
            $($rows)*

            // hal
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

            // stream
            StreamCmdDispatch "stream.cmd.dispatch" Opaque, by_hand(
                "workload* index, uniform_operands* any, resources* any, resource_sizes* index, resource_offsets* index, resource_lengths* index ->",
                "entry_points resource_accesses",
            );
            StreamCmdExecute "stream.cmd.execute" Opaque, by_hand(
                "resource_operands* any, resource_operand_sizes* index, await_timepoint? !stream.timepoint -> result_timepoint !stream.timepoint {~stream.yield}",
                "affinity once:unit",
            );
            // What regions of asynchronous operations give would stand here; commands give nothing.
            StreamTimepointAwait "stream.timepoint.await" Opaque, by_hand(
                "resource_operands* any, resource_operand_sizes* index, await_timepoint !stream.timepoint -> results* same(resource_operands)",
                "sync:unit",
            );
            StreamExecutableExport "stream.executable.export" Opaque isolated, by_hand("-> {?stream.return}", "sym_visibility sym_name function_ref");
        }
    };
}
