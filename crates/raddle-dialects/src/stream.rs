//! `stream`: what is allocated, copied and dispatched when, and the executables that run then.
//!
//! Operations that run others inside, or on lists of ranges, are not here.

use raddle_ir::form::form;
use raddle_ir::ops::OpInfo;

use crate::forms::NULLARY;

pub(crate) static ROWS: &[OpInfo] = raddle_ir::rows! {
    "stream.context.resolve" Opaque pure, form(
        "-> results* any",
        "affinity",
        "(`on` `(` $affinity^ `)`)? attr-dict `:` type($results)",
    );
    "stream.resource.alloc" Opaque, form(
        "storage_size index -> result any",
        "uninitialized:unit affinity",
        "(`uninitialized` $uninitialized^)? (`on` `(` $affinity^ `)`)? attr-dict `:` type($result) `{` $storage_size `}`",
    );
    "stream.resource.alloca" Opaque, form(
        "storage_size index, await_timepoint? !stream.timepoint -> result any, result_timepoint !stream.timepoint",
        "indeterminate_lifetime:unit affinity",
        "`uninitialized` (`indeterminate` $indeterminate_lifetime^)? (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`):(`:`)? attr-dict type($result) `{` $storage_size `}` `=` `` `>` type($result_timepoint)",
    );
    "stream.resource.dealloca" Opaque, form(
        "operand any, operand_size index, await_timepoint? !stream.timepoint -> result_timepoint !stream.timepoint",
        "prefer_origin:unit affinity",
        "(`origin` $prefer_origin^)? (`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`)? $operand `:` type($operand) `{` $operand_size `}` `=` `` `>` type($result_timepoint) attr-dict",
    );
    "stream.resource.retain" Opaque, form(
        "operand any, operand_size index ->",
        "",
        "$operand attr-dict `:` type($operand) `{` $operand_size `}`",
    );
    "stream.resource.release" Opaque, form(
        "operand any, operand_size index -> result i1",
        "",
        "$operand attr-dict `:` type($operand) `{` $operand_size `}`",
    );
    "stream.resource.is_terminal" Opaque, form(
        "operand any, operand_size index -> result i1",
        "",
        "$operand attr-dict `:` type($operand) `{` $operand_size `}`",
    );
    "stream.resource.size" Opaque pure, form(
        "operand any -> result index",
        "affinity",
        "$operand attr-dict `:` type($operand)",
    );
    "stream.resource.try_map" Opaque, form(
        "source !util.buffer, source_offset index, result_size index -> did_map i1, result any",
        "affinity",
        "(`on` `(` $affinity^ `)`)? $source `[` $source_offset `]` `:` type($source) `->` type($did_map) `,` type($result) `` `{` $result_size `}` attr-dict-with-keyword",
    );
    "stream.resource.load" Opaque, form(
        "source any, source_size index, source_offset index -> result any",
        "",
        "$source `[` $source_offset `]` `:` type($source) `` `{` $source_size `}` `->` type($result) attr-dict-with-keyword",
    );
    "stream.resource.store" Opaque, form(
        "target any, target_size index, target_offset index, value any ->",
        "",
        "$value `,` $target `[` $target_offset `]` `:` type($value) `->` type($target) `{` $target_size `}` attr-dict-with-keyword",
    );
    "stream.resource.subview" Opaque pure, form(
        "T any; source T, source_size index, source_offset index, result_size index -> result T",
        "",
        "$source `[` $source_offset `]` `:` type($source) `` `{` $source_size `}` `->` type($result) `` `{` $result_size `}` attr-dict-with-keyword",
    );
    "stream.resource.transients" Opaque, form(
        "T any; resource T, resource_size index, storage any, storage_size index, await_timepoint? !stream.timepoint -> result T, result_timepoint !stream.timepoint",
        "affinity",
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`)? $resource `:` type($resource) `` `{` $resource_size `}` `from` $storage `:` type($storage) `` `{` $storage_size `}` `=` `` `>` type($result_timepoint) attr-dict-with-keyword",
    );
    "stream.file.constant" Opaque, form(
        "source !util.buffer, source_size index, source_offset index, source_length index -> result !stream.file",
        "affinity",
        "(`on` `(` $affinity^ `)`)? $source `[` $source_offset `for` $source_length `]` `:` type($source) `` `{` $source_size `}` `->` type($result) attr-dict-with-keyword",
    );
    "stream.file.read" Opaque, form(
        "source !stream.file, source_offset i64, target any, target_size index, target_offset index, length index, await_timepoint? !stream.timepoint -> result_timepoint !stream.timepoint",
        "affinity",
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`):(`:`)? $source `[` $source_offset `]` `,` $target `[` $target_offset `]` `,` $length `:` type($source) `->` type($target) `` `{` $target_size `}` `=` `` `>` type($result_timepoint) attr-dict-with-keyword",
    );
    "stream.file.write" Opaque, form(
        "source any, source_size index, source_offset index, target !stream.file, target_offset i64, length index, await_timepoint? !stream.timepoint -> result_timepoint !stream.timepoint",
        "affinity",
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`):(`:`)? $source `[` $source_offset `]` `,` $target `[` $target_offset `]` `,` $length `:` type($source) `` `{` $source_size `}` `->` type($target) `=` `` `>` type($result_timepoint) attr-dict-with-keyword",
    );
    "stream.tensor.import" Opaque, form(
        "source any, result_encoding_dims* index, result_size index -> result any",
        "result_encoding consume:unit affinity",
        "(`on` `(` $affinity^ `)`)? (`consume` $consume^)? $source `:` type($source) `->` $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in` type($result) `{` $result_size `}` attr-dict-with-keyword",
    );
    "stream.tensor.export" Opaque, form(
        "source any, source_encoding_dims* index, source_size index -> result any",
        "source_encoding affinity",
        "(`on` `(` $affinity^ `)`)? $source `:` $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in` type($source) `` `{` $source_size `}` `->` type($result) attr-dict-with-keyword",
    );
    "stream.tensor.sizeof" Opaque pure, form(
        "encoding_dims* index -> storage_size index",
        "encoding affinity",
        "(`on` `(` $affinity^ `)`)? $encoding (`{` $encoding_dims^ `}`)? attr-dict `:` type($storage_size)",
    );
    "stream.tensor.empty" Opaque, form(
        "result_encoding_dims* index, result_size index -> result any",
        "result_encoding affinity",
        "(`on` `(` $affinity^ `)`)? `:` $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in` type($result) `` `{` $result_size `}` attr-dict-with-keyword",
    );
    "stream.tensor.constant" Opaque, form(
        "result_encoding_dims* index -> result any",
        "value:typed result_encoding affinity",
        "(`on` `(` $affinity^ `)`)? `:` $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in` type($result) `=` $value attr-dict-with-keyword",
    );
    "stream.tensor.splat" Opaque, form(
        "value any, result_encoding_dims* index, result_size index -> result any",
        "result_encoding affinity",
        "(`on` `(` $affinity^ `)`)? $value `:` type($value) `->` $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in` type($result) `` `{` $result_size `}` attr-dict-with-keyword",
    );
    "stream.tensor.clone" Opaque, form(
        "source any, source_encoding_dims* index, source_size index, result_encoding_dims* index, result_size index -> result any",
        "source_encoding result_encoding affinity",
        "(`on` `(` $affinity^ `)`)? $source `:` $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in` type($source) `` `{` $source_size `}` `->` $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in` type($result) `` `{` $result_size `}` attr-dict-with-keyword",
    );
    "stream.tensor.encode" Opaque, form(
        "source any, source_encoding_dims* index, source_size index, result_encoding_dims* index, result_size index -> result any",
        "source_encoding result_encoding affinity",
        "(`on` `(` $affinity^ `)`)? $source `:` $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in` type($source) `` `{` $source_size `}` `->` $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in` type($result) `` `{` $result_size `}` attr-dict-with-keyword",
    );
    "stream.tensor.slice" Opaque, form(
        "source any, source_encoding_dims* index, source_size index, start_indices* index, lengths* index, result_encoding_dims* index, result_size index -> result any",
        "source_encoding result_encoding affinity",
        "(`on` `(` $affinity^ `)`)? $source `[` $start_indices `for` $lengths `]` `:` $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in` type($source) `` `{` $source_size `}` `->` $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in` type($result) `` `{` $result_size `}` attr-dict-with-keyword",
    );
    "stream.tensor.fill" Opaque, form(
        "T any; target T, target_encoding_dims* index, target_size index, start_indices* index, lengths* index, value any -> result T",
        "target_encoding affinity",
        "(`on` `(` $affinity^ `)`)? $value `,` $target (`[` $start_indices `for` $lengths^ `]`)? `:` type($value) `->` $target_encoding (`` `{` $target_encoding_dims^ `}`)? `in` tied($target) type($target) `{` $target_size `}` attr-dict-with-keyword",
    );
    "stream.tensor.update" Opaque, form(
        "T any; target T, target_encoding_dims* index, target_size index, start_indices* index, update any, update_encoding_dims* index, update_size index -> result T",
        "target_encoding update_encoding affinity",
        "(`on` `(` $affinity^ `)`)? $update `,` $target `[` $start_indices `]` `:` $update_encoding (`` `{` $update_encoding_dims^ `}`)? `in` type($update) `` `{` $update_size `}` `->` $target_encoding (`` `{` $target_encoding_dims^ `}`)? `in` tied($target) type($target) `{` $target_size `}` attr-dict-with-keyword",
    );
    "stream.tensor.load" Opaque, form(
        "source any, source_encoding_dims* index, source_size index, indices* index -> result any",
        "source_encoding",
        "$source (`[` $indices^ `]`)? `:` $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in` type($source) `` `{` $source_size `}` `->` type($result) attr-dict-with-keyword",
    );
    "stream.tensor.store" Opaque, form(
        "T any; target T, target_encoding_dims* index, target_size index, indices* index, value any -> result T",
        "target_encoding",
        "$value `,` $target (`[` $indices^ `]`)? `:` type($value) `->` $target_encoding (`` `{` $target_encoding_dims^ `}`)? `in` tied($target) type($target) `{` $target_size `}` attr-dict-with-keyword",
    );
    "stream.tensor.parameter.load" Opaque, form(
        "source_scope? !util.buffer, source_key !util.buffer, source_offset i64, result_encoding_dims* index, result_size index -> result any",
        "result_encoding affinity",
        "(`on` `(` $affinity^ `)`)? path(source_scope, source_key) `` `[` $source_offset `]` `:` $result_encoding (`` `{` $result_encoding_dims^ `}`)? `in` type($result) `` `{` $result_size `}` attr-dict-with-keyword",
    );
    "stream.tensor.parameter.write" Opaque, form(
        "T any; source T, source_encoding_dims* index, source_size index, target_scope? !util.buffer, target_key !util.buffer, target_offset i64 -> result T",
        "source_encoding affinity",
        "(`on` `(` $affinity^ `)`)? $source `->` path(target_scope, target_key) `` `[` $target_offset `]` `:` $source_encoding (`` `{` $source_encoding_dims^ `}`)? `in` type($source) `` `{` $source_size `}` attr-dict-with-keyword",
    );
    "stream.async.alloca" Opaque, form(
        "storage_size index -> result any",
        "affinity",
        "(`on` `(` $affinity^ `)`)? attr-dict `:` type($result) `{` $storage_size `}`",
    );
    "stream.async.constant" Opaque, form(
        "await_timepoint? !stream.timepoint, result_size index -> result any",
        "value:typed affinity",
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)`)? `:` type($result) `` `{` $result_size `}` `=` $value attr-dict-with-keyword",
    );
    "stream.async.splat" Opaque, form(
        "await_timepoint? !stream.timepoint, value any, result_size index -> result any",
        "affinity",
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)`)? $value `:` type($value) `->` type($result) `` `{` $result_size `}` attr-dict-with-keyword",
    );
    "stream.async.clone" Opaque, form(
        "source any, source_size index, result_size index -> result any",
        "affinity",
        "(`on` `(` $affinity^ `)`)? $source `:` type($source) `` `{` $source_size `}` `->` type($result) `` `{` $result_size `}` attr-dict-with-keyword",
    );
    "stream.async.slice" Opaque, form(
        "T any; source T, source_size index, source_offset index, source_end index, result_size index -> result T",
        "affinity",
        "(`on` `(` $affinity^ `)`)? $source `[` $source_offset `to` $source_end `]` `:` type($source) `` `{` $source_size `}` `->` type($result) `` `{` $result_size `}` attr-dict-with-keyword",
    );
    "stream.async.fill" Opaque, form(
        "T any; target T, target_size index, target_offset index, target_end index, target_length index, value any -> result T",
        "affinity",
        "(`on` `(` $affinity^ `)`)? $value `,` $target `[` $target_offset `to` $target_end `for` $target_length `]` `:` type($value) `->` tied($target) type($target) `{` $target_size `}` attr-dict-with-keyword",
    );
    "stream.async.update" Opaque, form(
        "T any; target T, target_size index, target_offset index, target_end index, update any, update_size index -> result T",
        "affinity",
        "(`on` `(` $affinity^ `)`)? $update `,` $target `[` $target_offset `to` $target_end `]` `:` type($update) `` `{` $update_size `}` `->` tied($target) type($target) `{` $target_size `}` attr-dict-with-keyword",
    );
    "stream.async.copy" Opaque, form(
        "T any; target T, target_size index, target_offset index, target_end index, source any, source_size index, source_offset index, source_end index, length index -> result T",
        "affinity",
        "(`on` `(` $affinity^ `)`)? $source `[` $source_offset `to` $source_end `]` `,` $target `[` $target_offset `to` $target_end `]` `,` $length `:` type($source) `` `{` $source_size `}` `->` tied($target) type($target) `{` $target_size `}` attr-dict-with-keyword",
    );
    "stream.async.barrier" Opaque, form(
        "T any; source T, size index -> result T",
        "affinity",
        "(`on` `(` $affinity^ `)`)? $source `:` type($source) `` `{` $size `}` attr-dict-with-keyword",
    );
    "stream.async.transfer" Opaque, form(
        "source any, source_size index, result_size index -> result any",
        "source_affinity target_affinity execution_affinity",
        "(`on` `(` $execution_affinity^ `)`)? $source `:` type($source) `` `{` $source_size `}` (`from` `(` $source_affinity^ `)`)? `->` (`to` `(` $target_affinity^ `)`)? type($result) `` `{` $result_size `}` attr-dict-with-keyword",
    );
    "stream.async.cast" Opaque, form(
        "source any, source_size index, result_size index -> result any",
        "affinity",
        "(`on` `(` $affinity^ `)`)? $source `:` type($source) `{` $source_size `}` `->` type($result) `{` $result_size `}` attr-dict",
    );
    "stream.async.load" Opaque, form(
        "source any, source_size index, source_offset index -> result any",
        "",
        "$source `[` $source_offset `]` `:` type($source) `` `{` $source_size `}` `->` type($result) attr-dict-with-keyword",
    );
    "stream.async.store" Opaque, form(
        "T any; target T, target_size index, target_offset index, value any -> result T",
        "",
        "$value `,` $target `[` $target_offset `]` `:` type($value) `->` tied($target) type($target) `{` $target_size `}` attr-dict-with-keyword",
    );
    "stream.async.parameter.load" Opaque, form(
        "await_timepoint? !stream.timepoint, source_scope? !util.buffer, source_key !util.buffer, source_offset i64, result_size index -> result any, result_timepoint !stream.timepoint",
        "affinity",
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)`)? path(source_scope, source_key) `` `[` $source_offset `]` `:` type($result) `` `{` $result_size `}` `=` `` `>` type($result_timepoint) attr-dict-with-keyword",
    );
    "stream.async.parameter.read" Opaque, form(
        "T any; target T, target_size index, target_offset index, target_end index, target_length index, source_scope? !util.buffer, source_key !util.buffer, source_offset i64, await_timepoint? !stream.timepoint -> result T, result_timepoint !stream.timepoint",
        "affinity",
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)`)? path(source_scope, source_key) `` `[` $source_offset `]` `->` $target `` `[` $target_offset `to` $target_end `for` $target_length `]` `:` type($target) `` `{` $target_size `}` `=` `` `>` type($result_timepoint) attr-dict-with-keyword",
    );
    "stream.async.parameter.write" Opaque, form(
        "T any; source T, source_size index, source_offset index, source_end index, source_length index, target_scope? !util.buffer, target_key !util.buffer, target_offset i64, await_timepoint? !stream.timepoint -> result T, result_timepoint !stream.timepoint",
        "affinity",
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)`)? $source `` `[` $source_offset `to` $source_end `for` $source_length `]` `->` path(target_scope, target_key) `` `[` $target_offset `]` `:` type($source) `` `{` $source_size `}` `=` `` `>` type($result_timepoint) attr-dict-with-keyword",
    );
    "stream.cmd.flush" Opaque, form(
        "target any, target_size index, target_offset index, target_length index ->",
        "source_affinity",
        "(`to` `(` $source_affinity^ `)`)? $target `[` $target_offset `for` $target_length `]` `:` type($target) `` `{` $target_size `}` attr-dict-with-keyword",
    );
    "stream.cmd.invalidate" Opaque, form(
        "target any, target_size index, target_offset index, target_length index ->",
        "source_affinity",
        "(`from` `(` $source_affinity^ `)`)? $target `[` $target_offset `for` $target_length `]` `:` type($target) `` `{` $target_size `}` attr-dict-with-keyword",
    );
    "stream.cmd.discard" Opaque, form(
        "target any, target_size index, target_offset index, target_length index ->",
        "",
        "$target `[` $target_offset `for` $target_length `]` `:` type($target) `` `{` $target_size `}` attr-dict-with-keyword",
    );
    "stream.cmd.fill" Opaque, form(
        "target any, target_size index, target_offset index, target_length index, value any ->",
        "",
        "$value `,` $target `[` $target_offset `for` $target_length `]` `:` type($value) `->` type($target) `` `{` $target_size `}` attr-dict-with-keyword",
    );
    "stream.cmd.copy" Opaque, form(
        "source any, source_size index, source_offset index, target any, target_size index, target_offset index, length index ->",
        "",
        "$source `[` $source_offset `]` `,` $target `[` $target_offset `]` `,` $length `:` type($source) `` `{` $source_size `}` `->` type($target) `` `{` $target_size `}` attr-dict-with-keyword",
    );
    "stream.cmd.serial" Opaque, form("-> {~stream.yield}", "", "region0 attr-dict-with-keyword");
    "stream.cmd.concurrent" Opaque, form("-> {~stream.yield}", "", "region0 attr-dict-with-keyword");
    "stream.yield" Opaque, NULLARY;
    "stream.cmd.parameter.read" Opaque, form(
        "source_scope? !util.buffer, source_key !util.buffer, source_offset i64, target any, target_size index, target_offset index, target_length index, await_timepoint? !stream.timepoint -> result_timepoint !stream.timepoint",
        "affinity",
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`)? path(source_scope, source_key) `` `[` $source_offset `]` `->` $target `[` $target_offset `for` $target_length `]` `:` type($target) `` `{` $target_size `}` `=` `` `>` type($result_timepoint) attr-dict-with-keyword",
    );
    "stream.cmd.parameter.write" Opaque, form(
        "source any, source_size index, source_offset index, source_length index, target_scope? !util.buffer, target_key !util.buffer, target_offset i64, await_timepoint? !stream.timepoint -> result_timepoint !stream.timepoint",
        "affinity",
        "(`on` `(` $affinity^ `)`)? (`await` `(` $await_timepoint^ `)` `=` `` `>`)? $source `[` $source_offset `for` $source_length `]` `:` type($source) `` `{` $source_size `}` `->` path(target_scope, target_key) `` `[` $target_offset `]` `=` `` `>` type($result_timepoint) attr-dict-with-keyword",
    );
    "stream.timepoint.immediate" Opaque pure, form(
        "-> result_timepoint !stream.timepoint",
        "",
        "attr-dict `=` `` `>` type($result_timepoint)",
    );
    "stream.timepoint.import" Opaque, form(
        "operands* any -> result_timepoint !stream.timepoint",
        "affinity",
        "(`on` `(` $affinity^ `)`)? $operands `:` `(` type($operands) `)` `=` `` `>` type($result_timepoint) attr-dict-with-keyword",
    );
    "stream.timepoint.export" Opaque, form(
        "await_timepoint !stream.timepoint -> results* any",
        "affinity",
        "(`on` `(` $affinity^ `)`)? $await_timepoint `=` `` `>` `(` type($results) `)` attr-dict-with-keyword",
    );
    "stream.timepoint.chain_external" Opaque, form(
        "await_timepoint !stream.timepoint, external_values* any ->",
        "affinity",
        "(`on` `(` $affinity^ `)`)? $await_timepoint `=` `` `>` `(` $external_values `:` type($external_values) `)` attr-dict-with-keyword",
    );
    "stream.timepoint.join" Opaque pure, form(
        "await_timepoints* !stream.timepoint -> result_timepoint !stream.timepoint",
        "",
        "`max` `(` $await_timepoints `)` `=` `` `>` type($result_timepoint) attr-dict-with-keyword",
    );
    "stream.timepoint.barrier" Opaque, form(
        "T any; resource T, resource_size index -> result T, result_timepoint !stream.timepoint",
        "affinity",
        "(`on` `(` $affinity^ `)`)? $resource `:` type($resource) `` `{` $resource_size `}` `=` `` `>` type($result_timepoint) attr-dict-with-keyword",
    );
    "stream.channel.create" Opaque, form(
        "id? !util.buffer, rank? index, count? index -> result !stream.channel",
        "group:str affinity",
        "(`on` `(` $affinity^ `)`)? (`id` `(` $id^ `)`)? (`group` `(` $group^ `)`)? (`rank` `(` $rank^ `)`)? (`count` `(` $count^ `)`)? `:` type($result) attr-dict-with-keyword",
    );
    "stream.channel.split" Opaque, form(
        "channel !stream.channel, color index, key index -> result !stream.channel",
        "",
        "$channel `,` $color `,` $key `:` type($channel) `->` type($result) attr-dict-with-keyword",
    );
    "stream.channel.rank" Opaque pure, form(
        "channel !stream.channel -> result index",
        "",
        "$channel `:` type($result) attr-dict-with-keyword",
    );
    "stream.channel.count" Opaque pure, form(
        "channel !stream.channel -> result index",
        "",
        "$channel `:` type($result) attr-dict-with-keyword",
    );
    "stream.executable" Opaque isolated symbols, form(
        "-> {~stream.executable.end}",
        "sym_visibility:visibility sym_name:name",
        "($sym_visibility^)? $sym_name attr-dict-with-keyword region0",
    );
    "stream.executable.end" Opaque, form(
        "->",
        "",
        "attr-dict",
    );
    "stream.binding.subspan" Opaque pure, form(
        "binding any, byte_offset index, dynamic_dims* index -> result any",
        "",
        "$binding `` `[` $byte_offset `]` attr-dict `:` type($binding) `->` type($result) (`{` $dynamic_dims^ `}`)?",
    );
    "stream.dispatch.workgroup.id" Opaque pure, form(
        "-> result index",
        "dimension:index",
        "`[` $dimension `]` attr-dict `:` type($result)",
    );
    "stream.dispatch.workgroup.count" Opaque pure, form(
        "-> result index",
        "dimension:index",
        "`[` $dimension `]` attr-dict `:` type($result)",
    );
    "stream.dispatch.workgroup.size" Opaque pure, form(
        "-> result index",
        "dimension:index",
        "`[` $dimension `]` attr-dict `:` type($result)",
    );
    "stream.return" Opaque, form(
        "operands* any ->",
        "",
        "attr-dict ($operands^ `:` type($operands))?",
    );
};
