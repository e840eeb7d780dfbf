//! Rows of `math`: functions of numbers.

use super::forms::*;

dialect! { Math:
    /// The absolute value of a float.
    MathAbsf "math.absf" Elementwise pure, UNARY_F;
    /// e to the power of the operand.
    MathExp "math.exp" Elementwise pure, UNARY_F;
    /// 2 to the power of the operand.
    MathExp2 "math.exp2" Elementwise pure, UNARY_F;
    /// The natural logarithm.
    MathLog "math.log" Elementwise pure, UNARY_F;
    /// The logarithm to base 2.
    MathLog2 "math.log2" Elementwise pure, UNARY_F;
    /// The square root.
    MathSqrt "math.sqrt" Elementwise pure, UNARY_F;
    /// The reciprocal of the square root.
    MathRsqrt "math.rsqrt" Elementwise pure, UNARY_F;
    /// The hyperbolic tangent.
    MathTanh "math.tanh" Elementwise pure, UNARY_F;
    /// The error function.
    MathErf "math.erf" Elementwise pure, UNARY_F;
    /// The sine of an angle in radians.
    MathSin "math.sin" Elementwise pure, UNARY_F;
    /// The cosine of an angle in radians.
    MathCos "math.cos" Elementwise pure, UNARY_F;
    /// The largest integral float that is not greater.
    MathFloor "math.floor" Elementwise pure, UNARY_F;
    /// The smallest integral float that is not less.
    MathCeil "math.ceil" Elementwise pure, UNARY_F;
    /// The first operand to the power of the second.
    MathPowf "math.powf" Elementwise pure, BINARY_F;
    /// The product of two floats plus a third, rounded once.
    MathFma "math.fma" Elementwise pure, TERNARY_F;
    /// The absolute value of a signed integer; the least one is its own.
    MathAbsi "math.absi" Elementwise pure, UNARY_I;
    /// The number of leading zero bits.
    MathCtlz "math.ctlz" Elementwise pure, UNARY_I;
    /// The number of trailing zero bits.
    MathCttz "math.cttz" Elementwise pure, UNARY_I;
    /// The number of bits that are set.
    MathCtpop "math.ctpop" Elementwise pure, UNARY_I;
    /// An integer to the power of an integer.
    MathIpowi "math.ipowi" Elementwise pure, BINARY_I;
    /// A float to the power of an integer.
    MathFpowi "math.fpowi" Elementwise pure, form(
        "T floatlike, U intlike; lhs T, rhs U -> result T",
        FASTMATH,
        "$lhs `,` $rhs (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($lhs) `,` type($rhs)",
    );
    /// The inverse cosine.
    MathAcos "math.acos" Elementwise pure, UNARY_F;
    /// The inverse hyperbolic cosine.
    MathAcosh "math.acosh" Elementwise pure, UNARY_F;
    /// The inverse sine.
    MathAsin "math.asin" Elementwise pure, UNARY_F;
    /// The inverse hyperbolic sine.
    MathAsinh "math.asinh" Elementwise pure, UNARY_F;
    /// The inverse tangent.
    MathAtan "math.atan" Elementwise pure, UNARY_F;
    /// The angle of the point whose ordinate is the first operand and whose abscissa is the second.
    MathAtan2 "math.atan2" Elementwise pure, BINARY_F;
    /// The inverse hyperbolic tangent.
    MathAtanh "math.atanh" Elementwise pure, UNARY_F;
    /// The cube root.
    MathCbrt "math.cbrt" Elementwise pure, UNARY_F;
    /// A float limited to an interval.
    MathClampf "math.clampf" Elementwise pure, form(
        "T floatlike; value T, min T, max T -> result T",
        FASTMATH,
        "$value `to` `[` $min `,` $max `]` (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($result)",
    );
    /// The magnitude of the first float with the sign of the second.
    MathCopysign "math.copysign" Elementwise pure, BINARY_F;
    /// The hyperbolic cosine.
    MathCosh "math.cosh" Elementwise pure, UNARY_F;
    /// One minus the error function.
    MathErfc "math.erfc" Elementwise pure, UNARY_F;
    /// e to the power of the operand, minus one.
    MathExpm1 "math.expm1" Elementwise pure, UNARY_F;
    /// Whether a float is neither infinite nor NaN.
    MathIsfinite "math.isfinite" Elementwise pure, IS_F;
    /// Whether a float is infinite.
    MathIsinf "math.isinf" Elementwise pure, IS_F;
    /// Whether a float is NaN.
    MathIsnan "math.isnan" Elementwise pure, IS_F;
    /// Whether a float is neither zero, subnormal, infinite nor NaN.
    MathIsnormal "math.isnormal" Elementwise pure, IS_F;
    /// The logarithm to base 10.
    MathLog10 "math.log10" Elementwise pure, UNARY_F;
    /// The natural logarithm of one plus the operand.
    MathLog1p "math.log1p" Elementwise pure, UNARY_F;
    /// The nearest integral float, halves away from zero.
    MathRound "math.round" Elementwise pure, UNARY_F;
    /// The nearest integral float, halves to even.
    MathRoundeven "math.roundeven" Elementwise pure, UNARY_F;
    /// The hyperbolic sine.
    MathSinh "math.sinh" Elementwise pure, UNARY_F;
    /// The sine and the cosine.
    MathSincos "math.sincos" Opaque pure, form(
        "T floatlike; operand T -> sin! T, cos! T",
        FASTMATH,
        "$operand (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($operand)",
    );
    /// The tangent of an angle in radians.
    MathTan "math.tan" Elementwise pure, UNARY_F;
    /// The integral part of a float.
    MathTrunc "math.trunc" Elementwise pure, UNARY_F;
}
