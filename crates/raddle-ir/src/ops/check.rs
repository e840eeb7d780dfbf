//! Rows of `check`: what tests expect.

use super::forms::*;

dialect! { Check:
    /// Expects a condition.
    CheckExpectTrue "check.expect_true" Opaque, form(
        "operand any ->",
        "",
        "`(` $operand `)` attr-dict `:` type($operand)",
    );
    /// Expects that a condition does not hold.
    CheckExpectFalse "check.expect_false" Opaque, form(
        "operand any ->",
        "",
        "`(` $operand `)` attr-dict `:` type($operand)",
    );
    /// Expects that all elements are true.
    CheckExpectAllTrue "check.expect_all_true" Opaque, form(
        "device? !hal.device, operand any ->",
        "",
        "(`` `<` $device^ `>`)? `` `(` $operand `)` attr-dict `:` type($operand)",
    );
    /// Expects equal tensors.
    CheckExpectEq "check.expect_eq" Opaque, form(
        "T any; device? !hal.device, lhs T, rhs T ->",
        "",
        "(`` `<` $device^ `>`)? `` `(` $lhs `,` $rhs `)` attr-dict `:` type($lhs)",
    );
    /// Expects a constant tensor.
    CheckExpectEqConst "check.expect_eq_const" Opaque, form(
        "T any; device? !hal.device, lhs T ->",
        "value",
        "(`` `<` $device^ `>`)? `` `(` $lhs `,` $value `)` attr-dict `:` type($lhs)",
    );
    /// Expects tensors that are equal within a tolerance.
    CheckExpectAlmostEq "check.expect_almost_eq" Opaque, form(
        "T any; device? !hal.device, lhs T, rhs T ->",
        "atol:f32=9.99999974E-5 rtol:f32=0.000000e+00",
        "(`` `<` $device^ `>`)? `` `(` $lhs `,` $rhs (`` `,` `atol` $atol^)? (`` `,` `rtol` $rtol^)? `)` attr-dict `:` type($lhs)",
    );
    /// Expects a constant tensor within a tolerance.
    CheckExpectAlmostEqConst "check.expect_almost_eq_const" Opaque, form(
        "T any; device? !hal.device, lhs T ->",
        "value atol:f32=9.99999974E-5 rtol:f32=0.000000e+00",
        "(`` `<` $device^ `>`)? `` `(` $lhs `,` $value (`` `,` `atol` $atol^)? (`` `,` `rtol` $rtol^)? `)` attr-dict `:` type($lhs)",
    );
}
