//! Rows of `memref`: buffers and views of them.

use super::forms::*;

dialect! { Memref:
    /// Allocates a buffer.
    MemrefAlloc "memref.alloc" Alloc allocates, form(
        "dynamicSizes* index, symbolOperands* index -> alloc! memref",
        "alignment:i64",
        "`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? (`alignment` `=` $alignment^)? attr-dict `:` type($alloc)",
    );
    /// Allocates a buffer that lives as long as the region around it.
    MemrefAlloca "memref.alloca" Alloc allocates, form(
        "dynamicSizes* index, symbolOperands* index -> alloca! memref",
        "alignment:i64",
        "`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? (`alignment` `=` $alignment^)? attr-dict `:` type($alloca)",
    );
    /// States the alignment of a buffer in bytes.
    MemrefAssumeAlignment "memref.assume_alignment" Opaque, form(
        "M memref; memref M -> assume_align! M",
        "alignment:i32{+}",
        "$memref `,` $alignment attr-dict `:` type($memref)",
    );
    /// Combines a value with an element atomically; the result is the old element.
    MemrefAtomicRmw "memref.atomic_rmw" Opaque reads(memref) writes(memref), form(
        "M memref; value elem(M), memref M, indices* index -> result elem(M)",
        "kind:@rmw",
        "$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)` `->` type($result)",
    );
    /// Replaces an element atomically by what a region computes from it.
    MemrefGenericAtomicRmw "memref.generic_atomic_rmw" Opaque, form(
        "M memref; memref M, indices* index -> result elem(M) {memref.atomic_yield}",
        "",
        "$memref `[` $indices `]` `:` type($memref) region0 attr-dict",
    );
    /// Leaves the region of a `memref.generic_atomic_rmw` with the new element.
    MemrefAtomicYield "memref.atomic_yield" Opaque, form("result any ->", "", "$result attr-dict `:` type($result)");
    /// The same buffer with a type that knows more or less of its shape.
    MemrefCast "memref.cast" Opaque pure, form("source any -> cast! any", "", "$source attr-dict `:` type($source) `to` type($cast)");
    /// A view that merges neighbouring dimensions.
    MemrefCollapseShape "memref.collapse_shape" Opaque pure, form(
        "src any -> collapse_shape! any",
        "reassociation",
        "$src $reassociation attr-dict `:` type($src) `into` type($collapse_shape)",
    );
    /// Copies one buffer into another.
    MemrefCopy "memref.copy" Opaque reads(source) writes(target), form(
        "source any, target any ->",
        "",
        "$source `,` $target attr-dict `:` type($source) `to` type($target)",
    );
    /// Frees at its end what `memref.alloca` allocates inside.
    MemrefAllocaScope "memref.alloca_scope" Opaque, form(
        "-> results* any {~memref.alloca_scope.return}",
        "",
        "arrow($results) region0 attr-dict",
    );
    /// Leaves a `memref.alloca_scope` with values.
    MemrefAllocaScopeReturn "memref.alloca_scope.return" Opaque, form("results* any ->", "", "attr-dict ($results^ `:` type($results))?");
    /// Starts a copy by a copy engine.
    MemrefDmaStart "memref.dma_start" Opaque, by_hand("operands* any ->", "");
    /// Waits for a copy by a copy engine.
    MemrefDmaWait "memref.dma_wait" Opaque, form(
        "tagMemRef memref, tagIndices* index, numElements index ->",
        "",
        "$tagMemRef `[` $tagIndices `]` `,` $numElements attr-dict `:` type($tagMemRef)",
    );
    /// States that buffers do not overlap.
    MemrefDistinctObjects "memref.distinct_objects" Opaque pure, form(
        "operands* memref -> results* same(operands)",
        "",
        "$operands attr-dict `:` type($operands)",
    );
    /// Brings an element into a cache.
    MemrefPrefetch "memref.prefetch" Opaque, form(
        "memref memref, indices* index ->",
        "isWrite:@rw localityHint:i32{0..3} isDataCache:@cache",
        "$memref `[` $indices `]` `,` $isWrite `,` `locality` `<` $localityHint `>` `,` $isDataCache attr-dict `:` type($memref)",
    );
    /// A buffer of another size with the old contents.
    MemrefRealloc "memref.realloc" Opaque, form(
        "source memref, dynamicResultSize? index -> result memref",
        "alignment:i64",
        "$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type($result)",
    );
    /// Frees a buffer.
    MemrefDealloc "memref.dealloc" Opaque writes(memref), form("memref any ->", "", "$memref attr-dict `:` type($memref)");
    /// The extent of a dimension of a buffer.
    MemrefDim "memref.dim" Opaque pure, DIM;
    /// A view that splits dimensions.
    MemrefExpandShape "memref.expand_shape" Opaque pure, form(
        "src any, output_shape* index -> expand_shape! any",
        "reassociation static_output_shape",
        "$src $reassociation `output_shape` mixed(static_output_shape, output_shape) attr-dict `:` type($src) `into` type($expand_shape)",
    );
    /// The address of a buffer.
    MemrefExtractAlignedPointerAsIndex "memref.extract_aligned_pointer_as_index" Opaque pure, form(
        "source any -> intptr! index",
        "",
        "$source `:` type($source) `->` type($intptr) attr-dict",
    );
    /// The base, offset, extents and strides of a buffer.
    MemrefExtractStridedMetadata "memref.extract_strided_metadata" Opaque pure, form(
        "source any -> base_buffer! any, offset! index, strides* index",
        "",
        "$source `:` type($source) `->` type($base_buffer) `,` type($offset) (`,` type($strides)^)? attr-dict",
    );
    /// A buffer of the module, by its name.
    MemrefGetGlobal "memref.get_global" Opaque pure, form("-> result any", "name", "$name `:` type($result) attr-dict");
    /// A buffer of the module.
    MemrefGlobal "memref.global" Opaque, by_hand(
        "->",
        "sym_name:name sym_visibility:visibility type initial_value constant:unit alignment:i64",
    );
    /// The same buffer with another memory space in its type.
    MemrefMemorySpaceCast "memref.memory_space_cast" Opaque pure, form(
        "source any -> memspacecast! any",
        "",
        "$source attr-dict `:` type($source) `to` type($memspacecast)",
    );
    /// The number of dimensions of a buffer.
    MemrefRank "memref.rank" Opaque pure, form("memref any -> rank! index", "", "$memref attr-dict `:` type($memref)");
    /// The same memory with another offset, extents and strides.
    MemrefReinterpretCast "memref.reinterpret_cast" View pure, form(
        "source any, offsets* index, sizes* index, strides* index -> reinterpret_cast! any",
        SLICE_ATTRS,
        "$source `to` `offset` `` `:` mixed(static_offsets, offsets) `` `,` `sizes` `` `:` mixed(static_sizes, sizes) `` `,` `strides` `` `:` mixed(static_strides, strides) attr-dict `:` type($source) `to` type($reinterpret_cast)",
    );
    /// A view of another shape, which a buffer gives.
    MemrefReshape "memref.reshape" Opaque pure, form(
        "source any, shape any -> reshape! any",
        "",
        "$source `(` $shape `)` attr-dict `:` functional-type",
    );
    /// A view with permuted dimensions.
    MemrefTranspose "memref.transpose" Opaque pure, by_hand("in any -> transpose! any", "permutation");
    /// A view of a buffer of bytes as a buffer of another type.
    MemrefView "memref.view" Opaque pure, form(
        "source any, byte_shift index, sizes* index -> view! any",
        "",
        "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type($view)",
    );
    /// Reads an element.
    MemrefLoad "memref.load" Read reads(memref), form(
        "M memref; memref M, indices* index -> result elem(M)",
        "nontemporal:bool alignment:i64",
        "$memref `[` $indices `]` (`alignment` `(` $alignment^ `)`)? (`nontemporal` `(` $nontemporal^ `)`)? attr-dict `:` type($memref)",
    );
    /// Writes an element.
    MemrefStore "memref.store" Write writes(memref), form(
        "M memref; value elem(M), memref M, indices* index ->",
        "nontemporal:bool alignment:i64",
        "$value `,` $memref `[` $indices `]` (`alignment` `(` $alignment^ `)`)? (`nontemporal` `(` $nontemporal^ `)`)? attr-dict `:` type($memref)",
    );
    /// A view of a rectangle of a buffer, with steps.
    MemrefSubview "memref.subview" View pure, by_hand(
        "source memref, offsets* index, sizes* index, strides* index -> subview! memref",
        SLICE_ATTRS,
    );
}
