//! Rows of `func`: functions and their calls.

use super::forms::*;

dialect! { Func:
    /// A function.
    FuncFunc "func.func" Function isolated, by_hand(
        "-> {?*func.return}",
        "sym_name function_type sym_visibility arg_attrs res_attrs no_inline:unit",
    );
    /// Leaves a function with its results.
    FuncReturn "func.return" Yield, YIELD;
    /// Calls a function by its name.
    FuncCall "func.call" Call, form(
        "operands* any -> results* any",
        "callee no_inline:unit arg_attrs res_attrs",
        "$callee `(` $operands `)` attr-dict `:` functional-type",
    );
    /// Calls a function that is a value.
    FuncCallIndirect "func.call_indirect" Opaque, by_hand("callee any, callee_operands* any -> results* any", "arg_attrs res_attrs");
    /// A function as a value.
    FuncConstant "func.constant" Opaque pure, form("-> f! any", "value", "attr-dict $value `:` type($f)");
}
