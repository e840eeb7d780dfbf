//! Rows of `builtin`: modules, and values read as values of other types.

use super::forms::*;

dialect! { Builtin:
    /// A list of functions and other symbols.
    BuiltinModule "builtin.module" Module isolated symbols, by_hand("-> {}", "sym_name sym_visibility");
    /// Reads values as values of other types until a conversion is complete.
    BuiltinUnrealizedConversionCast "builtin.unrealized_conversion_cast" Opaque pure, form(
        "inputs* any -> outputs* any",
        "",
        "($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict",
    );
}
