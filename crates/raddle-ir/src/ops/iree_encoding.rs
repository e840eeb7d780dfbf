//! Rows of `iree_encoding`: encodings of tensors.

use super::forms::*;

dialect! { IreeEncoding:
    IreeEncodingSetEncoding "iree_encoding.set_encoding" Opaque pure, form(
        "source any, encoding_dims* index -> result any",
        "",
        "attr-dict $source (`encoding_dims` `{` $encoding_dims^ `}`)? `:` type($source) `->` type($result)",
    );
    IreeEncodingUnsetEncoding "iree_encoding.unset_encoding" Opaque pure, form(
        "source any, result_dims* index, encoding_dims* index -> result any",
        "",
        "attr-dict $source (`encoding_dims` `{` $encoding_dims^ `}`)? `:` type($source) `->` type($result) (`` `{` $result_dims^ `}`)?",
    );
}
