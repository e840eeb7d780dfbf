//! Rows of `vector`: values of a fixed shape.

use super::forms::*;

dialect! { Vector:
    /// Reads a rectangle of memory or of a tensor; elements out of bounds or masked off are padding.
    VectorTransferRead "vector.transfer_read" Read reads(base), by_hand(
        "B shaped; base B, indices* index, padding any, mask? vector -> vector vector",
        "permutation_map in_bounds",
    );
    /// Writes a vector to a rectangle of memory or of a tensor; what is out of bounds or masked off is not written.
    VectorTransferWrite "vector.transfer_write" Write writes(base), by_hand(
        "V vector; valueToStore V, base shaped, indices* index, mask? vector -> result? tensor",
        "permutation_map in_bounds",
    );
    /// Reads consecutive elements.
    VectorLoad "vector.load" Read reads(base), form(
        "base memref, indices* index -> result vector",
        "nontemporal:bool alignment:i64",
        "$base `[` $indices `]` (`alignment` `=` $alignment^)? (`nontemporal` `=` $nontemporal^)? attr-dict `:` type($base) `,` type($result)",
    );
    /// Writes consecutive elements.
    VectorStore "vector.store" Write writes(base), form(
        "valueToStore vector, base memref, indices* index ->",
        "nontemporal:bool alignment:i64",
        "$valueToStore `,` $base `[` $indices `]` (`alignment` `=` $alignment^)? (`nontemporal` `=` $nontemporal^)? attr-dict `:` type($base) `,` type($valueToStore)",
    );
    /// Repeats a value along new or unit dimensions.
    VectorBroadcast "vector.broadcast" Broadcast pure, form(
        "source any -> vector vector",
        "",
        "$source attr-dict `:` type($source) `to` type($vector)",
    );
    /// Permutes dimensions.
    VectorTranspose "vector.transpose" Transpose pure, form(
        "vector vector -> result vector",
        "permutation:dense",
        "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)",
    );
    /// The same elements in row-major order in another shape.
    VectorShapeCast "vector.shape_cast" Reshape pure, form(
        "source vector -> result vector",
        "",
        "$source attr-dict `:` type($source) `to` type($result)",
    );
    /// Elements of two vectors, by constant positions.
    VectorShuffle "vector.shuffle" Opaque pure, by_hand("v1 vector, v2 vector -> vector vector", "mask:dense");
    /// Puts a vector of fixed length into a scalable one.
    VectorScalableInsert "vector.scalable.insert" Opaque pure, form(
        "D vector; valueToStore vector, dest D -> result D",
        "pos:i64",
        "$valueToStore `,` $dest `[` $pos `]` attr-dict `:` type($valueToStore) `into` type($dest)",
    );
    /// Takes a vector of fixed length out of a scalable one.
    VectorScalableExtract "vector.scalable.extract" Opaque pure, form(
        "source vector -> result vector",
        "pos:i64",
        "$source `[` $pos `]` attr-dict `:` type($result) `from` type($source)",
    );
    /// Combines elements along dimensions, and with an accumulator.
    VectorMultiReduction "vector.multi_reduction" Reduce pure, form(
        "D any; source vector, acc D -> dest D",
        "kind:<vector.kind> reduction_dims:dense",
        "$kind `,` $source `,` $acc $reduction_dims attr-dict `:` type($source) `to` type($dest)",
    );
    /// Multiplies two vectors and combines the products along dimensions, and with an accumulator.
    VectorContract "vector.contract" Contract pure, by_hand(
        "A any; lhs vector, rhs vector, acc A -> result A",
        "indexing_maps iterator_types kind fastmath:arith.fastmath=none",
    );
    /// Takes an element or a slice out, by position.
    VectorExtract "vector.extract" Slice pure, by_hand(
        "source vector, dynamic_position* index -> result any",
        "static_position",
    );
    /// Puts an element or a slice in, by position.
    VectorInsert "vector.insert" Slice pure, by_hand(
        "D vector; valueToStore any, dest D, dynamic_position* index -> result D",
        "static_position",
    );
    /// Takes a rectangle out.
    VectorExtractStridedSlice "vector.extract_strided_slice" Slice pure, by_hand(
        "source vector -> result vector",
        "offsets sizes strides",
    );
    /// Puts a rectangle in.
    VectorInsertStridedSlice "vector.insert_strided_slice" Slice pure, by_hand(
        "D vector; valueToStore vector, dest D -> result D",
        "offsets strides",
    );
    /// A vector of given elements.
    VectorFromElements "vector.from_elements" Slice pure, form(
        "V vector; elements* elem(V) -> dest V",
        "",
        "$elements attr-dict `:` type($dest)",
    );
    /// All elements of a vector.
    VectorToElements "vector.to_elements" Slice pure, by_hand("V vector; source V -> elements* elem(V)", "");
    /// The product of two vectors plus a third, rounded once.
    VectorFma "vector.fma" Elementwise pure, form(
        "T floatlike; lhs T, rhs T, acc T -> result T",
        "",
        "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)",
    );
    /// The numbers 0, 1, 2 and so on.
    VectorStep "vector.step" Constant pure, form("-> result vector", "", "attr-dict `:` type($result)");
    /// Reads the bits of the last dimension as elements of another width.
    VectorBitcast "vector.bitcast" Slice pure, form(
        "source vector -> result vector",
        "",
        "$source attr-dict `:` type($source) `to` type($result)",
    );
    /// Alternates the elements of two vectors.
    VectorInterleave "vector.interleave" Slice pure, form(
        "T vector; lhs T, rhs T -> result vector",
        "",
        "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)",
    );
    /// The elements at even and those at odd positions.
    VectorDeinterleave "vector.deinterleave" Slice pure, form(
        "R vector; source vector -> res1! R, res2! R",
        "",
        "$source attr-dict `:` type($source) `->` type($res1)",
    );
    /// Reads elements at indices that a vector gives.
    VectorGather "vector.gather" Read reads(base), form(
        "base any, offsets* index, indices vector, mask vector, pass_thru vector -> result vector",
        "alignment:i64",
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru (`alignment` `=` $alignment^)? attr-dict `:` type($base) `,` type($indices) `,` type($mask) `,` type($pass_thru) `into` type($result)",
    );
    /// Writes elements to indices that a vector gives.
    VectorScatter "vector.scatter" Write writes(base), form(
        "base any, offsets* index, indices vector, mask vector, valueToStore vector -> result? any",
        "alignment:i64",
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $valueToStore (`alignment` `=` $alignment^)? attr-dict `:` type($base) `,` type($indices) `,` type($mask) `,` type($valueToStore) (`->` type($result)^)?",
    );
    /// Reads consecutive elements where a mask is set.
    VectorMaskedload "vector.maskedload" Read reads(base), MASKED_LOAD;
    /// Writes consecutive elements where a mask is set.
    VectorMaskedstore "vector.maskedstore" Write writes(base), MASKED_STORE;
    /// Reads consecutive elements into the positions where a mask is set.
    VectorExpandload "vector.expandload" Opaque reads(base), MASKED_LOAD;
    /// Writes the elements where a mask is set, one behind the other.
    VectorCompressstore "vector.compressstore" Opaque writes(base), MASKED_STORE;
    /// Executes one operation under a mask.
    VectorMask "vector.mask" Opaque, by_hand("mask vector, passthru? any -> results* any {~vector.yield}", "");
    /// Leaves a region with vectors.
    VectorYield "vector.yield" Opaque, YIELD;
    /// The products of all elements of one vector with those of another, combined with an accumulator.
    VectorOuterproduct "vector.outerproduct" Opaque pure, by_hand("lhs vector, rhs any, acc? any -> result vector", "kind:<vector.kind>=add");
    /// Combines all elements of a vector of one dimension.
    VectorReduction "vector.reduction" Opaque pure, form(
        "T any; vector vector, acc? T -> dest T",
        "kind:<vector.kind> fastmath:arith.fastmath=none",
        "$kind `,` $vector (`,` $acc^)? (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($vector) `into` type($dest)",
    );
    /// Combines each element along a dimension with those before it.
    VectorScan "vector.scan" Reduce pure, form(
        "S vector, I vector; source S, initial_value I -> dest! S, accumulated_value! I",
        "kind:<vector.kind> reduction_dim:i64 inclusive:bool",
        "$kind `,` $source `,` $initial_value (`reduction_dim` `=` $reduction_dim^ `,` `inclusive` `=` $inclusive)? attr-dict `:` type($source) `,` type($initial_value)",
    );
    /// The factor of scalable vectors.
    VectorVscale "vector.vscale" Opaque pure, form("-> vscale! index", "", "attr-dict");
    /// Reads a buffer as a buffer of one vector.
    VectorTypeCast "vector.type_cast" Opaque pure, form(
        "memref any -> result any",
        "",
        "$memref attr-dict `:` type($memref) `to` type($result)",
    );
    /// Prints a value.
    VectorPrint "vector.print" Opaque, form("source? any ->", "punctuation:<vector.punctuation>=newline stringLiteral", "($source^ `:` type($source))? (`str` $stringLiteral^)? (`punctuation` $punctuation^)? attr-dict");
    /// A mask that is set below a bound in each dimension.
    VectorCreateMask "vector.create_mask" Mask pure, form(
        "operands* index -> result vector",
        "",
        "$operands attr-dict `:` type($result)",
    );
    /// A mask that is set below a constant bound in each dimension.
    VectorConstantMask "vector.constant_mask" Mask pure, form(
        "-> result vector",
        "mask_dim_sizes:dense",
        "$mask_dim_sizes attr-dict `:` type($result)",
    );
}
