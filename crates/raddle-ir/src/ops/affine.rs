//! Rows of `affine`: indices by affine maps, and loops over them.

use super::forms::*;

dialect! { Affine:
    /// An affine map of indices.
    AffineApply "affine.apply" Index pure, by_hand("mapOperands* index -> result index", "map");
    /// The row-major number of a position.
    AffineLinearizeIndex "affine.linearize_index" Index pure, by_hand(
        "multi_index* indexlike, dynamic_basis* index -> linear_index indexlike",
        "static_basis disjoint:unit=false",
    );
    /// The position of a row-major number.
    AffineDelinearizeIndex "affine.delinearize_index" Index pure, by_hand(
        "linear_index indexlike, dynamic_basis* index -> multi_index* indexlike",
        "static_basis",
    );
    /// The largest result of an affine map.
    AffineMax "affine.max" Index pure, by_hand("operands* index -> result index", "map");
    /// The smallest result of an affine map.
    AffineMin "affine.min" Index pure, by_hand("operands* index -> result index", "map");
    /// A loop with affine bounds.
    AffineFor "affine.for" Opaque, by_hand(
        "lowerBoundOperands* index, upperBoundOperands* index, inits* any -> results* any {~affine.yield}",
        "lowerBoundMap upperBoundMap step:index",
    );
    /// Executes one of two regions, by affine conditions.
    AffineIf "affine.if" Opaque, by_hand("operands* index -> results* any {~affine.yield}{?~affine.yield}", "condition");
    /// Reads an element at affine indices.
    AffineLoad "affine.load" Opaque, by_hand("M memref; memref M, indices* index -> result elem(M)", "map");
    /// Writes an element at affine indices.
    AffineStore "affine.store" Opaque, by_hand("M memref; value elem(M), memref M, indices* index ->", "map");
    /// Reads consecutive elements at affine indices.
    AffineVectorLoad "affine.vector_load" Opaque, by_hand("memref memref, indices* index -> result vector", "map");
    /// Writes consecutive elements at affine indices.
    AffineVectorStore "affine.vector_store" Opaque, by_hand("value vector, memref memref, indices* index ->", "map");
    /// Leaves a region with values.
    AffineYield "affine.yield" Opaque, YIELD;
    /// A loop nest with affine bounds whose iterations are independent.
    AffineParallel "affine.parallel" Opaque, by_hand(
        "mapOperands* index -> results* any {~affine.yield}",
        "reductions lowerBoundsMap lowerBoundsGroups upperBoundsMap upperBoundsGroups steps",
    );
    /// Brings an element at affine indices into a cache.
    AffinePrefetch "affine.prefetch" Opaque, by_hand(
        "memref memref, indices* index ->",
        "map isWrite:bool localityHint:i32 isDataCache:bool",
    );
    AffineDmaStart "affine.dma_start" Opaque, by_hand("operands* any ->", "src_map dst_map tag_map");
    AffineDmaWait "affine.dma_wait" Opaque, by_hand("operands* any ->", "tag_map");
}
