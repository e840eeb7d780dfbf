//! Signatures, attributes and assembly that rows of several dialects share.

use raddle_ir::form::{Form, form};

pub(crate) const NULLARY: Form = form("->", "", "attr-dict");
pub(crate) const MAKES: Form = form("-> res i32", "", "attr-dict `:` type($res)");
pub(crate) const IN_RANGE: Form =
    form("-> res i32", "range:#llvm.constant_range", "(`range` $range^)? attr-dict `:` type($res)");
