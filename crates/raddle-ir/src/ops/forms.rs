//! Signatures, attributes and assembly that several rows of the op table share.

use crate::form::Form;
pub(super) use crate::form::form;

/// An operation whose assembly is written by hand.
pub(super) const fn by_hand(signature: &'static str, attrs: &'static str) -> Form {
    form(signature, attrs, "")
}

pub(super) const OPAQUE: Form = by_hand("operands* any -> results* any", "");
pub(super) const FASTMATH: &str = "fastmath:arith.fastmath=none";
pub(super) const UNARY_F: Form = form(
    "T floatlike; operand T -> result T",
    FASTMATH,
    "$operand (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($result)",
);
const FAST_PAIR: &str = "$lhs `,` $rhs (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($result)";
pub(super) const BINARY_F: Form = form("T floatlike; lhs T, rhs T -> result T", FASTMATH, FAST_PAIR);
pub(super) const TERNARY_F: Form = form(
    "T floatlike; a T, b T, c T -> result T",
    FASTMATH,
    "$a `,` $b `,` $c (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($result)",
);
pub(super) const BINARY_I: Form =
    form("T intlike; lhs T, rhs T -> result T", "", "$lhs `,` $rhs attr-dict `:` type($result)");
/// Addition, subtraction, multiplication, left shift: may promise not to wrap.
pub(super) const OVERFLOW_I: Form = form(
    "T intlike; lhs T, rhs T -> result T",
    "overflowFlags:arith.overflow=none",
    "$lhs `,` $rhs (`overflow` `<` $overflowFlags^ `>`)? attr-dict `:` type($result)",
);
/// Division and right shift: may promise that nothing is lost.
pub(super) const EXACT_I: Form = form(
    "T intlike; lhs T, rhs T -> result T",
    "isExact:unit",
    "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)",
);
const TO_TYPE: &str = "$in attr-dict `:` type($in) `to` type($out)";
pub(super) const CAST_INT: Form = form("in fixedint -> out fixedint", "", TO_TYPE);
pub(super) const CAST_TO_F: Form = form("in fixedint -> out floatlike", "", TO_TYPE);
pub(super) const CAST_FROM_F: Form = form("in floatlike -> out fixedint", "", TO_TYPE);
pub(super) const CAST_INDEX: Form = form("in intbuffer -> out intbuffer", "", TO_TYPE);
pub(super) const YIELD: Form = form("operands* any ->", "", "attr-dict ($operands^ `:` type($operands))?");
pub(super) const SLICE_ATTRS: &str = "static_offsets static_sizes static_strides";
/// Takes an operand to a type of its own.
pub(super) const RETYPE: Form = form("in any -> out any", "", TO_TYPE);
pub(super) const NAMED: Form = by_hand("inputs* any, outputs* any -> results* any {linalg.yield}", "");
/// A named contraction: its maps may be given.
pub(super) const NAMED_MAPS: Form =
    by_hand("inputs* any, outputs* any -> results* any {linalg.yield}", "indexing_maps cast");
pub(super) const NAMED_CAST: Form = by_hand("inputs* any, outputs* any -> results* any {linalg.yield}", "cast");
pub(super) const CONVOLUTION: Form =
    by_hand("inputs* any, outputs* any -> results* any {linalg.yield}", "strides dilations");
pub(super) const NULLARY: Form = form("->", "", "attr-dict");
pub(super) const PATTERNS: Form = NULLARY;
pub(super) const DIM: Form =
    form("source any, index index -> dim! index", "", "attr-dict $source `,` $index `:` type($source)");
pub(super) const UNARY_I: Form = form("T intlike; operand T -> result T", "", "$operand attr-dict `:` type($result)");
pub(super) const IS_F: Form = form(
    "T floatlike; operand T -> result bool(T)",
    FASTMATH,
    "$operand (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($operand)",
);
pub(super) const WIDE_MUL_I: Form =
    form("T intlike; lhs T, rhs T -> low! T, high! T", "", "$lhs `,` $rhs attr-dict `:` type($lhs)");
pub(super) const GPU_ID: Form = form(
    "-> result index",
    "dimension:gpu.dim upper_bound:index",
    "$dimension (`upper_bound` $upper_bound^)? attr-dict",
);
pub(super) const GPU_COUNT: Form =
    form("-> result index", "upper_bound:index", "(`upper_bound` $upper_bound^)? attr-dict `:` type($result)");
pub(super) const HAL_ID: Form = form(
    "-> result index",
    "dimension:index upper_bound:index",
    "`[` $dimension `]` (`upper_bound` $upper_bound^)? attr-dict `:` type($result)",
);
/// A step of a script that takes a handle and gives others.
pub(super) const SCRIPT: Form = form("target handle -> results* handle", "", "$target attr-dict `:` functional-type");
pub(super) const APPLY_TO: Form = form("target handle ->", "", "`to` $target attr-dict `:` type($target)");
pub(super) const MATCH_OPERAND: Form = form(
    "operand_handle handle -> result? any",
    "raw_position_list:dense is_inverted:unit is_all:unit permutation:unit projected_permutation:unit",
    "$operand_handle `[` positions(raw_position_list) `]` (`permutation` $permutation^)? (`projected_permutation` $projected_permutation^)? attr-dict `:` semi($operand_handle, $result)",
);
pub(super) const INDEX_BINARY: Form = form("lhs index, rhs index -> result index", "", "$lhs `,` $rhs attr-dict");
pub(super) const MASKED_LOAD: Form = form(
    "base memref, indices* index, mask vector, pass_thru vector -> result vector",
    "alignment:i64",
    "$base `[` $indices `]` `,` $mask `,` $pass_thru (`alignment` `=` $alignment^)? attr-dict `:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)",
);
pub(super) const MASKED_STORE: Form = form(
    "base memref, indices* index, mask vector, valueToStore vector ->",
    "alignment:i64",
    "$base `[` $indices `]` `,` $mask `,` $valueToStore (`alignment` `=` $alignment^)? attr-dict `:` type($base) `,` type($mask) `,` type($valueToStore)",
);
pub(super) const TRANSPOSE_LOAD: Form = form(
    "src memref, srcIndices* index -> result vector",
    "",
    "$src `[` $srcIndices `]` attr-dict `:` type($src) `->` type($result)",
);
pub(super) const WINOGRAD_IMAGE: Form = form(
    "input shaped, output shaped -> result* tensor",
    "output_tile_size:i64 kernel_size:i64 image_dimensions:dense",
    "attr-dict `output_tile_size` `(` $output_tile_size `)` `kernel_size` `(` $kernel_size `)` `image_dimensions` `(` $image_dimensions `)` `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output) `)` (`->` type($result)^)?",
);
pub(super) const LINALG_WINOGRAD: Form = form(
    "input tensor, output tensor -> result tensor",
    "fmr:@winograd",
    "attr-dict `fmr` `(` $fmr `)` `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output) `)` `->` type($result)",
);
pub(super) const MAP_STORE: Form = form(
    "input shaped, output shaped -> results* tensor {~iree_linalg_ext.yield}",
    "",
    "attr-dict $input `into` $output region0 `:` type($input) `into` type($output) (`->` type($results)^)?",
);
pub(super) const DISPATCH_LOAD: Form = form(
    "source any, source_dims* index, offsets* index, sizes* index, strides* index -> result tensor",
    SLICE_ATTRS,
    "$source `,` `offsets` `=` mixed(static_offsets, offsets) `,` `sizes` `=` mixed(static_sizes, sizes) `,` `strides` `=` mixed(static_strides, strides) attr-dict `:` type($source) (`{` $source_dims^ `}`)? `->` type($result)",
);
pub(super) const DISPATCH_STORE: Form = form(
    "value tensor, target any, target_dims* index, offsets* index, sizes* index, strides* index ->",
    SLICE_ATTRS,
    "$value `,` $target `,` `offsets` `=` mixed(static_offsets, offsets) `,` `sizes` `=` mixed(static_sizes, sizes) `,` `strides` `=` mixed(static_strides, strides) attr-dict `:` type($value) `->` type($target) (`{` $target_dims^ `}`)?",
);
pub(super) const COMPUTE_BARRIER: Form = form(
    "value any, value_dims* index -> result any",
    "",
    "$value `:` type($value) (`{` $value_dims^ `}`)? `->` type($result) attr-dict-with-keyword",
);
const FAST_COMPLEX: &str = "$complex (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($complex)";
pub(super) const COMPLEX_PART: Form = form("C any; complex C -> result elem(C)", FASTMATH, FAST_COMPLEX);
pub(super) const COMPLEX_UNARY: Form = form("T any; complex T -> result T", FASTMATH, FAST_COMPLEX);
pub(super) const COMPLEX_BINARY: Form = form("T any; lhs T, rhs T -> result T", FASTMATH, FAST_PAIR);
pub(super) const TIE_SHAPE: Form = form(
    "T any; operand T, dynamic_dims* index -> result T",
    "",
    "$operand attr-dict `:` type($result) (`{` $dynamic_dims^ `}`)?",
);
pub(super) const ASYNC_ALONE: Form = form(
    "asyncDependencies* !gpu.async.token -> asyncToken? !gpu.async.token",
    "",
    "async(asyncToken, asyncDependencies) attr-dict",
);
pub(super) const UNRANKED: Form = form("value any ->", "", "$value attr-dict `:` type($value)");
pub(super) const DMA_BASE: Form = form(
    "global memref, global_indices* index, lds memref, lds_indices* index -> base any",
    "",
    "$global `[` $global_indices `]` `,` $lds `[` $lds_indices `]` attr-dict `:` type($global) `,` type($lds) `->` type($base)",
);
