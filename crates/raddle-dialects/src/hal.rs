//! `hal`, on the host's side: devices, and what they are told to allocate, fill, copy and run.

mod rules;

use raddle_ir::form::form;
use raddle_ir::ops::OpInfo;

use crate::forms::NULLARY;

pub(crate) static ROWS: &[OpInfo] = raddle_ir::rows! {
    "hal.executable.constant.load" Opaque pure, form(
        "-> result any",
        "key:str",
        "$key attr-dict `:` type($result)",
    );
    "hal.ex.file.from_memory" Opaque, form(
        "device !hal.device, queue_affinity i64, buffer !util.buffer, offset index, length index, flags i32 -> result !hal.file",
        "access:@access",
        "`device` `(` $device `:` type($device) `)` `affinity` `(` $queue_affinity `)` `access` `(` $access `)` `buffer` `(` $buffer `:` type($buffer) `)` `` `[` $offset `for` $length `]` `flags` `(` $flags `)` `:` type($result) attr-dict-with-keyword",
    );
    "hal.tensor.transients" Opaque, form(
        "T any; source T, source_dims* index, storage any -> result T",
        "affinity",
        "(`on` `(` $affinity^ `)`)? $source `:` type($source) (`{` $source_dims^ `}`)? `from` $storage `:` type($storage) attr-dict",
    );
    "hal.device.memoize" Opaque, form(
        "device !hal.device, queue_affinity i64 -> results* any {~hal.return}",
        "",
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` `->` type($results) attr-dict-with-keyword region0",
    );
    "hal.allocator.allocate" Opaque, form(
        "allocator !hal.allocator, queue_affinity i64, memory_types i32, buffer_usage i32, result_size index -> result !hal.buffer",
        "",
        "`<` $allocator `:` type($allocator) `>` `affinity` `(` $queue_affinity `)` `type` `(` $memory_types `)` `usage` `(` $buffer_usage `)` `:` type($result) `{` $result_size `}` attr-dict-with-keyword",
    );
    "hal.allocator.import" Opaque, form(
        "allocator !hal.allocator, queue_affinity i64, memory_types i32, buffer_usage i32, source !util.buffer, offset index, length index -> did_import i1, result !hal.buffer",
        "",
        "`<` $allocator `:` type($allocator) `>` `source` `(` $source `:` type($source) `)` `` `[` $offset `,` $length `]` `affinity` `(` $queue_affinity `)` `type` `(` $memory_types `)` `usage` `(` $buffer_usage `)` `:` type($did_import) `,` type($result) attr-dict-with-keyword",
    );
    "hal.allocator.resolve_memory_properties" Opaque pure, form(
        "-> memory_types i32, buffer_usage i32",
        "affinity lifetime:@lifetime",
        "(`for` `(` $affinity^ `)`)? `lifetime` `(` $lifetime `)` `:` type($memory_types) `,` type($buffer_usage) attr-dict-with-keyword",
    );
    "hal.buffer.assert" Opaque, form(
        "buffer !hal.buffer, allocator !hal.allocator, minimum_length index ->",
        "message:str memory_types:@memory buffer_usage:@usage",
        "`<` $buffer `:` type($buffer) `>` `message` `(` $message `)` `allocator` `(` $allocator `:` type($allocator) `)` `minimum_length` `(` $minimum_length `)` `type` `(` $memory_types `)` `usage` `(` $buffer_usage `)` attr-dict-with-keyword",
    );
    "hal.buffer.allocation.preserve" Opaque, form(
        "buffer !hal.buffer ->",
        "",
        "`<` $buffer `:` type($buffer) `>` attr-dict-with-keyword",
    );
    "hal.buffer.allocation.discard" Opaque, form(
        "buffer !hal.buffer -> result i1",
        "",
        "`<` $buffer `:` type($buffer) `>` `:` type($result) attr-dict-with-keyword",
    );
    "hal.buffer.allocation.is_terminal" Opaque, form(
        "buffer !hal.buffer -> result i1",
        "",
        "`<` $buffer `:` type($buffer) `>` `:` type($result) attr-dict-with-keyword",
    );
    "hal.buffer.subspan" Opaque pure, form(
        "source_buffer !hal.buffer, source_offset index, length index -> result !hal.buffer",
        "",
        "`<` $source_buffer `:` type($source_buffer) `>` `` `[` $source_offset `,` $length `]` `:` type($result) attr-dict-with-keyword",
    );
    "hal.buffer.length" Opaque pure, form(
        "buffer !hal.buffer -> result index",
        "",
        "`<` $buffer `:` type($buffer) `>` `:` type($result) attr-dict-with-keyword",
    );
    "hal.buffer.load" Opaque, form(
        "source_buffer !hal.buffer, source_offset index -> result any",
        "",
        "`<` $source_buffer `:` type($source_buffer) `>` `` `[` $source_offset `]` `:` type($result) attr-dict-with-keyword",
    );
    "hal.buffer.store" Opaque, form(
        "value any, target_buffer !hal.buffer, target_offset index ->",
        "",
        "`<` $target_buffer `:` type($target_buffer) `>` `` `[` $target_offset `]` `value` `(` $value `:` type($value) `)` attr-dict-with-keyword",
    );
    "hal.buffer_usage" Opaque pure, form(
        "-> result i32",
        "usage:@usage",
        "`<` $usage `>` attr-dict `:` type($result)",
    );
    "hal.memory_type" Opaque pure, form(
        "-> result i32",
        "type:@memory",
        "`<` $type `>` attr-dict `:` type($result)",
    );
    "hal.element_type" Opaque pure, form(
        "-> result i32",
        "type",
        "`<` $type `>` attr-dict `:` type($result)",
    );
    "hal.buffer_view.create" Opaque, form(
        "source_buffer !hal.buffer, source_offset index, source_length index, element_type i32, encoding_type i32, shape* index -> result !hal.buffer_view",
        "",
        "`buffer` `(` $source_buffer `:` type($source_buffer) `)` `` `[` $source_offset `,` $source_length `]` `shape` `(` `[` $shape `]` `)` `type` `(` $element_type `)` `encoding` `(` $encoding_type `)` `:` type($result) attr-dict-with-keyword",
    );
    "hal.buffer_view.assert" Opaque, form(
        "buffer_view !hal.buffer_view, element_type i32, encoding_type i32, shape* index ->",
        "message:str",
        "`<` $buffer_view `:` type($buffer_view) `>` `message` `(` $message `)` `shape` `(` `[` $shape `]` `)` `type` `(` $element_type `)` `encoding` `(` $encoding_type `)` attr-dict-with-keyword",
    );
    "hal.buffer_view.buffer" Opaque pure, form(
        "buffer_view !hal.buffer_view -> result !hal.buffer",
        "",
        "`<` $buffer_view `:` type($buffer_view) `>` `:` type($result) attr-dict-with-keyword",
    );
    "hal.buffer_view.element_type" Opaque, form(
        "buffer_view !hal.buffer_view -> result i32",
        "",
        "`<` $buffer_view `:` type($buffer_view) `>` `:` type($result) attr-dict-with-keyword",
    );
    "hal.buffer_view.encoding_type" Opaque, form(
        "buffer_view !hal.buffer_view -> result i32",
        "",
        "`<` $buffer_view `:` type($buffer_view) `>` `:` type($result) attr-dict-with-keyword",
    );
    "hal.buffer_view.rank" Opaque pure, form(
        "buffer_view !hal.buffer_view -> result index",
        "",
        "`<` $buffer_view `:` type($buffer_view) `>` `:` type($result) attr-dict-with-keyword",
    );
    "hal.buffer_view.trace" Opaque, form(
        "operands* !hal.buffer_view ->",
        "key:str",
        "$key `=` $operands `:` type($operands) attr-dict-with-keyword",
    );
    "hal.channel.create" Opaque, form(
        "device !hal.device, queue_affinity i64, id !util.buffer, group !util.buffer, rank i32, count i32 -> result !hal.channel",
        "flags:@reserved",
        "`device` `(` $device `:` type($device) `)` `affinity` `(` $queue_affinity `)` `flags` `(` $flags `)` `id` `(` $id `)` `group` `(` $group `)` `rank` `(` $rank `)` `count` `(` $count `)` `:` type($result) attr-dict-with-keyword",
    );
    "hal.channel.split" Opaque, form(
        "channel !hal.channel, color i32, key i32 -> result !hal.channel",
        "flags:@reserved",
        "`<` $channel `:` type($channel) `>` `color` `(` $color `)` `key` `(` $key `)` `flags` `(` $flags `)` `:` type($result) attr-dict-with-keyword",
    );
    "hal.channel.rank_and_count" Opaque, form(
        "channel !hal.channel -> rank i32, count i32",
        "",
        "`<` $channel `:` type($channel) `>` `:` type($rank) `,` type($count) attr-dict-with-keyword",
    );
    "hal.command_buffer.create" Opaque, form(
        "device !hal.device, queue_affinity i64, binding_capacity? index -> result !hal.command_buffer",
        "modes:@commands command_categories:@categories",
        "`device` `(` $device `:` type($device) `)` `mode` `(` $modes `)` `categories` `(` $command_categories `)` `affinity` `(` $queue_affinity `)` (`bindings` `(` $binding_capacity^ `)`)? `:` type($result) attr-dict-with-keyword",
    );
    "hal.command_buffer.finalize" Opaque, form(
        "command_buffer !hal.command_buffer ->",
        "",
        "`<` $command_buffer `:` type($command_buffer) `>` attr-dict-with-keyword",
    );
    "hal.command_buffer.device" Opaque, form(
        "command_buffer !hal.command_buffer -> device !hal.device",
        "",
        "`<` $command_buffer `:` type($command_buffer) `>` `:` type($device) attr-dict-with-keyword",
    );
    "hal.command_buffer.begin_debug_group" Opaque, form(
        "command_buffer !hal.command_buffer ->",
        "label:str",
        "`<` $command_buffer `:` type($command_buffer) `>` `label` `(` $label `)` attr-dict-with-keyword",
    );
    "hal.command_buffer.end_debug_group" Opaque, form(
        "command_buffer !hal.command_buffer ->",
        "",
        "`<` $command_buffer `:` type($command_buffer) `>` attr-dict-with-keyword",
    );
    "hal.command_buffer.execution_barrier" Opaque, form(
        "command_buffer !hal.command_buffer ->",
        "source_stage_mask:@stages target_stage_mask:@stages flags:@reserved",
        "`<` $command_buffer `:` type($command_buffer) `>` `source` `(` $source_stage_mask `)` `target` `(` $target_stage_mask `)` `flags` `(` $flags `)` attr-dict-with-keyword",
    );
    "hal.command_buffer.fill_buffer" Opaque, form(
        "command_buffer !hal.command_buffer, target_buffer any, target_offset index, length index, pattern any ->",
        "flags:@reserved",
        "`<` $command_buffer `:` type($command_buffer) `>` `target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `,` $length `]` `pattern` `(` $pattern `:` type($pattern) `)` `flags` `(` $flags `)` attr-dict-with-keyword",
    );
    "hal.command_buffer.update_buffer" Opaque, form(
        "command_buffer !hal.command_buffer, source_buffer !util.buffer, source_size index, source_offset index, target_buffer any, target_offset index, length index ->",
        "flags:@reserved",
        "`<` $command_buffer `:` type($command_buffer) `>` `source` `(` $source_buffer `:` type($source_buffer) `{` $source_size `}` `)` `` `[` $source_offset `]` `target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]` `length` `(` $length `)` `flags` `(` $flags `)` attr-dict-with-keyword",
    );
    "hal.command_buffer.copy_buffer" Opaque, form(
        "command_buffer !hal.command_buffer, source_buffer any, source_offset index, target_buffer any, target_offset index, length index ->",
        "flags:@reserved",
        "`<` $command_buffer `:` type($command_buffer) `>` `source` `(` $source_buffer `:` type($source_buffer) `)` `` `[` $source_offset `]` `target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]` `length` `(` $length `)` `flags` `(` $flags `)` attr-dict-with-keyword",
    );
    "hal.command_buffer.collective" Opaque, form(
        "command_buffer !hal.command_buffer, channel !hal.channel, element_count index, param? i32, send_buffer? any, send_offset? index, send_length? index, recv_buffer? any, recv_offset? index, recv_length? index ->",
        "op:#hal.collective",
        "`<` $command_buffer `:` type($command_buffer) `>` `channel` `(` $channel `:` type($channel) `)` `op` `(` $op `)` (`param` `(` $param^ `:` type($param) `)`)? (`send` `(` $send_buffer^ `:` type($send_buffer) `)` `` `[` $send_offset `,` $send_length `]`)? (`recv` `(` $recv_buffer^ `:` type($recv_buffer) `)` `` `[` $recv_offset `,` $recv_length `]`)? `count` `(` $element_count `)` attr-dict-with-keyword",
    );
    "hal.device.resolve" Opaque pure, form(
        "-> results* any",
        "affinity",
        "(`on` `(` $affinity^ `)`)? attr-dict `:` type($results)",
    );
    "hal.device.allocator" Opaque pure, form(
        "device !hal.device -> result !hal.allocator",
        "",
        "`<` $device `:` type($device) `>` `:` type($result) attr-dict-with-keyword",
    );
    "hal.device.query" Opaque pure, form(
        "device !hal.device -> ok i1, value any",
        "category:str key:str default_value:typed",
        "`<` $device `:` type($device) `>` `key` `(` $category `::` $key `)` `:` type($ok) `,` type($value) (`=` $default_value^)? attr-dict-with-keyword",
    );
    "hal.device.queue.flush" Opaque, form(
        "device !hal.device, queue_affinity i64 ->",
        "",
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` attr-dict-with-keyword",
    );
    "hal.devices.count" Opaque pure, form(
        "-> result index",
        "",
        "attr-dict `:` type($result)",
    );
    "hal.executable.binary" Opaque, form(
        "->",
        "sym_visibility:str sym_name:name format data mime_type",
        "($sym_visibility^)? $sym_name attr-dict-with-keyword",
    );
    "hal.executable.create" Opaque, form(
        "device !hal.device, queue_affinity i64, constants* i32 -> result !hal.executable",
        "executable_target",
        "`device` `(` $device `:` type($device) `)` `affinity` `(` $queue_affinity `)` `target` `(` $executable_target `)` (`constants` `(` `[` $constants^ `]` `)`)? `:` type($result) attr-dict-with-keyword",
    );
    "hal.executable.lookup" Opaque pure, form(
        "device !hal.device -> result !hal.executable",
        "executable",
        "`device` `(` $device `:` type($device) `)` `executable` `(` $executable `)` `:` type($result) attr-dict-with-keyword",
    );
    "hal.executable.lookup.function" Opaque, form(
        "executable !hal.executable -> result any",
        "entry_point",
        "`target` `(` $executable `:` type($executable) `)` `function` `(` $entry_point `)` `:` type($result) attr-dict-with-keyword",
    );
    "hal.executable.export.ordinal" Opaque pure, form(
        "-> result index",
        "entry_point",
        "`target` `(` $entry_point `)` `:` type($result) attr-dict-with-keyword",
    );
    "hal.executable.calculate_workgroups" Opaque, form(
        "device !hal.device, workload* index -> workgroup_x index, workgroup_y index, workgroup_z index",
        "entry_point",
        "`device` `(` $device `:` type($device) `)` `target` `(` $entry_point `)` (`workload` `(` `[` $workload^ `]` `)`)? `:` type($workgroup_x) `,` type($workgroup_y) `,` type($workgroup_z) attr-dict-with-keyword",
    );
    "hal.instrument.workgroup" Opaque, form(
        "buffer memref, dispatchId i32 -> workgroupKey index",
        "",
        "`` `[` $buffer `:` type($buffer) `]` `dispatch` `(` $dispatchId `)` attr-dict `:` type($workgroupKey)",
    );
    "hal.instrument.print" Opaque, form(
        "buffer memref, workgroupKey index, values* any ->",
        "format:str",
        "`` `[` $buffer `:` type($buffer) `for` $workgroupKey `]` $format (`*` `(` $values^ `:` type($values) `)`)? attr-dict",
    );
    "hal.instrument.value" Opaque, form(
        "T any; buffer memref, workgroupKey index, operand T -> result T",
        "ordinal",
        "`` `[` $buffer `:` type($buffer) `for` $workgroupKey `]` $ordinal `=` $operand attr-dict `:` type($operand)",
    );
    "hal.instrument.memory.load" Opaque, form(
        "T any; buffer memref, workgroupKey index, loadValue T, base memref, indices* index -> result T",
        "",
        "`` `[` $buffer `:` type($buffer) `for` $workgroupKey `]` $base `[` $indices `]` `,` $loadValue attr-dict `:` type($base) `,` type($result)",
    );
    "hal.instrument.memory.store" Opaque, form(
        "T any; buffer memref, workgroupKey index, storeValue T, base memref, indices* index -> result T",
        "",
        "`` `[` $buffer `:` type($buffer) `for` $workgroupKey `]` $base `[` $indices `]` `,` $storeValue attr-dict `:` type($base) `,` type($result)",
    );
    "hal.fence.join" Opaque, form(
        "fences* !hal.fence -> result !hal.fence",
        "flags:@reserved",
        "`at` `(` `[` $fences `]` `)` `flags` `(` $flags `)` `->` type($result) attr-dict-with-keyword",
    );
    "hal.fence.query" Opaque, form(
        "fence !hal.fence -> status i32",
        "",
        "`<` $fence `:` type($fence) `>` `:` type($status) attr-dict-with-keyword",
    );
    "hal.fence.fail" Opaque, form(
        "fence !hal.fence, status i32 ->",
        "",
        "`<` $fence `:` type($fence) `>` `status` `(` $status `)` attr-dict-with-keyword",
    );
    "hal.executable_end" Opaque, NULLARY;
    "hal.executable.source_end" Opaque, NULLARY;
    "hal.executable.variant_end" Opaque, NULLARY;
    "hal.encoding_type" Opaque pure, form(
        "-> result i32",
        "encoding",
        "`<` ($encoding^):( `` `dense_row_major`)? `>` attr-dict `:` type($result)",
    ), rules::encoding;
    "hal.device.queue.alloca" Opaque, form(
        "device !hal.device, queue_affinity i64, wait_fence !hal.fence, signal_fence !hal.fence, pool i64, memory_types i32, buffer_usage i32, result_size index -> result !hal.buffer",
        "flags:@alloca",
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` `wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` `pool` `(` $pool `)` `type` `(` $memory_types `)` `usage` `(` $buffer_usage `)` `flags` `(` $flags `)` `:` type($result) `{` $result_size `}` attr-dict-with-keyword",
    ), rules::fences;
    "hal.device.queue.dealloca" Opaque, form(
        "device !hal.device, queue_affinity i64, wait_fence !hal.fence, signal_fence !hal.fence, buffer !hal.buffer ->",
        "flags:@dealloca",
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` `wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` `buffer` `(` $buffer `:` type($buffer) `)` `flags` `(` $flags `)` attr-dict-with-keyword",
    ), rules::fences;
    "hal.device.queue.fill" Opaque, form(
        "device !hal.device, queue_affinity i64, wait_fence !hal.fence, signal_fence !hal.fence, target_buffer !hal.buffer, target_offset index, length index, pattern any ->",
        "flags:@reserved",
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` `wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` `target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]` `length` `(` $length `)` `pattern` `(` $pattern `:` type($pattern) `)` `flags` `(` $flags `)` attr-dict-with-keyword",
    ), rules::fences;
    "hal.device.queue.update" Opaque, form(
        "device !hal.device, queue_affinity i64, wait_fence !hal.fence, signal_fence !hal.fence, source_buffer !util.buffer, source_offset index, target_buffer !hal.buffer, target_offset index, length index ->",
        "flags:@reserved",
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` `wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` `source` `(` $source_buffer `:` type($source_buffer) `)` `` `[` $source_offset `]` `target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]` `length` `(` $length `)` `flags` `(` $flags `)` attr-dict-with-keyword",
    ), rules::fences;
    "hal.device.queue.copy" Opaque, form(
        "device !hal.device, queue_affinity i64, wait_fence !hal.fence, signal_fence !hal.fence, source_buffer !hal.buffer, source_offset index, target_buffer !hal.buffer, target_offset index, length index ->",
        "flags:@reserved",
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` `wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` `source` `(` $source_buffer `:` type($source_buffer) `)` `` `[` $source_offset `]` `target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]` `length` `(` $length `)` `flags` `(` $flags `)` attr-dict-with-keyword",
    ), rules::fences;
    "hal.device.queue.read" Opaque, form(
        "device !hal.device, queue_affinity i64, wait_fence !hal.fence, signal_fence !hal.fence, source_file !hal.file, source_offset i64, target_buffer !hal.buffer, target_offset index, length index ->",
        "flags:@reserved",
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` `wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` `source` `(` $source_file `:` type($source_file) `)` `` `[` $source_offset `]` `target` `(` $target_buffer `:` type($target_buffer) `)` `` `[` $target_offset `]` `length` `(` $length `)` `flags` `(` $flags `)` attr-dict-with-keyword",
    ), rules::fences;
    "hal.device.queue.write" Opaque, form(
        "device !hal.device, queue_affinity i64, wait_fence !hal.fence, signal_fence !hal.fence, source_buffer !hal.buffer, source_offset index, target_file !hal.file, target_offset i64, length index ->",
        "flags:@reserved",
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` `wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` `source` `(` $source_buffer `:` type($source_buffer) `)` `` `[` $source_offset `]` `target` `(` $target_file `:` type($target_file) `)` `` `[` $target_offset `]` `length` `(` $length `)` `flags` `(` $flags `)` attr-dict-with-keyword",
    ), rules::fences;
    "hal.device.queue.barrier" Opaque, form(
        "device !hal.device, queue_affinity i64, wait_fence !hal.fence, signal_fence !hal.fence ->",
        "flags:@reserved",
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` `wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` `flags` `(` $flags `)` attr-dict-with-keyword",
    ), rules::fences;
    "hal.device.queue.execute" Opaque, form(
        "device !hal.device, queue_affinity i64, wait_fence !hal.fence, signal_fence !hal.fence, command_buffer !hal.command_buffer ->",
        "flags:@reserved",
        "`<` $device `:` type($device) `>` `affinity` `(` $queue_affinity `)` `wait` `(` $wait_fence `)` `signal` `(` $signal_fence `)` `commands` `(` $command_buffer `)` `flags` `(` $flags `)` attr-dict-with-keyword",
    ), rules::fences;
};
