//! Rows of `stream` whose assembly is written by hand.

use super::forms::*;

dialect! { Stream:
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
