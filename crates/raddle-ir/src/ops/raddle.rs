//! Rows of our own: what machines have and no dialect of MLIR names.

use super::forms::*;

dialect! { Raddle:
    /// The third operand plus four products of bytes: those of the first word are unsigned, those of the second signed.
    RaddleByteDot "raddle.byte_dot" Elementwise pure, form(
        "T intlike; a T, b T, c T -> result T",
        "",
        "$a `,` $b `,` $c attr-dict `:` type($result)",
    );
    /// The third operand plus two products of bf16, whose bits the words of the others hold; numbers below 2^-126 are 0.
    RaddlePairDot "raddle.pair_dot" Elementwise pure, form(
        "T intlike, U floatlike; a T, b T, c U -> result U",
        "",
        "$a `,` $b `,` $c attr-dict `:` type($a) `,` type($result)",
    );
    /// The third operand plus two products of signed integers, which are the halves of words of 32 or 16 bits.
    RaddleShortDot "raddle.short_dot" Elementwise pure, form(
        "T intlike, U intlike, V intlike; a T, b U, c V -> result V",
        "",
        "$a `,` $b `,` $c attr-dict `:` type($a) `,` type($b) `,` type($result)",
    );
    /// A tile register of zeros.
    RaddleTileZero "raddle.tile_zero" Opaque pure, form("-> result any", "", "attr-dict `:` type($result)");
    /// Reads a tile register: rows of neighbouring elements, whose beginnings lie so many elements apart.
    RaddleTileLoad "raddle.tile_load" Opaque reads(base), form(
        "base memref, index index, stride index -> result any",
        "",
        "$base `[` $index `]` `rows` $stride attr-dict `:` type($base) `,` type($result)",
    );
    /// Writes a tile register as rows of neighbouring elements, whose beginnings lie so many elements apart.
    RaddleTileStore "raddle.tile_store" Opaque writes(base), form(
        "value any, base memref, index index, stride index ->",
        "",
        "$value `,` $base `[` $index `]` `rows` $stride attr-dict `:` type($value) `,` type($base)",
    );
    /// The third operand plus a product of matrices of words, which are pairs of bf16 for f32, and four signed bytes for i32.
    RaddleTileDot "raddle.tile_dot" Opaque pure, form(
        "C any; a any, b any, c C -> result C",
        "",
        "$a `,` $b `,` $c attr-dict `:` type($a) `,` type($b) `,` type($result)",
    );
    /// Stops the kernel if an index along a dimension of a buffer is below 0 or not below the extent.
    RaddleCheckIndex "raddle.check_index" Opaque, form(
        "index index, extent index ->",
        "dimension:i32",
        "$index `,` $extent `along` $dimension attr-dict",
    );
}
