//! Rows of `bufferization`: from tensors to buffers.

use super::forms::*;

dialect! { Bufferization:
    /// A tensor with a buffer of its own.
    BufferizationAllocTensor "bufferization.alloc_tensor" Opaque, form(
        "T any; dynamic_sizes* index, copy? T, size_hint? index -> result T",
        "memory_space",
        "`(` $dynamic_sizes `)` (`copy` `(` $copy^ `)`)? (`size_hint` `=` $size_hint^)? attr-dict `:` type($result)",
    );
    /// A copy of a buffer that may share its memory.
    BufferizationClone "bufferization.clone" Opaque, RETYPE;
    /// Frees buffers that nobody owns.
    BufferizationDealloc "bufferization.dealloc" Opaque, form(
        "memrefs* any, conditions* i1, retained* any -> updatedConditions* flag(retained)",
        "",
        "(` ` `(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)`)? (`retain` ` ` `(` $retained^ `:` type($retained) `)`)? attr-dict",
    );
    /// Frees the buffer of a tensor.
    BufferizationDeallocTensor "bufferization.dealloc_tensor" Opaque, form("tensor any ->", "", "$tensor attr-dict `:` type($tensor)");
    /// Puts a tensor into a destination.
    BufferizationMaterializeInDestination "bufferization.materialize_in_destination" Opaque, form(
        "source any, dest any -> result? any",
        "restrict:unit writable:unit",
        "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict `:` functional-type",
    );
    /// The buffer of a tensor.
    BufferizationToBuffer "bufferization.to_buffer" Opaque, form(
        "tensor any -> buffer any",
        "read_only:unit",
        "$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($buffer)",
    );
    /// A buffer's contents as a tensor.
    BufferizationToTensor "bufferization.to_tensor" Opaque, form(
        "buffer any -> result any",
        "restrict:unit writable:unit",
        "$buffer (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` type($buffer) `to` type($result)",
    );
}
