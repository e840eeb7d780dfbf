//! Rows of `arith`: arithmetic on scalars and on each element.

use super::forms::*;

dialect! { Arith:
    /// A value known at compile time.
    ArithConstant "arith.constant" Constant pure, by_hand("-> result any", "value");
    /// The sum of two floats.
    // 0 + -0 is 0, but -0 + x is x for every x.
    ArithAddf "arith.addf" Elementwise pure combines(add Float(-0.0)), BINARY_F;
    /// The difference of two floats.
    ArithSubf "arith.subf" Elementwise pure, BINARY_F;
    /// The product of two floats.
    ArithMulf "arith.mulf" Elementwise pure combines(mul Float(1.0)), BINARY_F;
    /// The quotient of two floats.
    ArithDivf "arith.divf" Elementwise pure, BINARY_F;
    /// The remainder of a float division that truncates; it has the sign of the dividend.
    ArithRemf "arith.remf" Elementwise pure, BINARY_F;
    /// A float with the other sign.
    ArithNegf "arith.negf" Elementwise pure, UNARY_F;
    /// The larger of two floats; NaN if either is NaN, and 0 is larger than -0.
    ArithMaximumf "arith.maximumf" Elementwise pure combines(maximumf LeastFloat), BINARY_F;
    /// The smaller of two floats; NaN if either is NaN, and -0 is smaller than 0.
    ArithMinimumf "arith.minimumf" Elementwise pure combines(minimumf GreatestFloat), BINARY_F;
    /// The larger of two floats; the other operand if one is NaN.
    // Of a number and NaN the result is the number: only NaN changes nothing.
    ArithMaxnumf "arith.maxnumf" Elementwise pure combines(maxnumf Float(f64::NAN)), BINARY_F;
    /// The smaller of two floats; the other operand if one is NaN.
    ArithMinnumf "arith.minnumf" Elementwise pure combines(minnumf Float(f64::NAN)), BINARY_F;
    /// The sum of two integers, modulo 2 to the width.
    ArithAddi "arith.addi" Elementwise pure commutative combines(add Int(0)), OVERFLOW_I;
    /// The difference of two integers, modulo 2 to the width.
    ArithSubi "arith.subi" Elementwise pure, OVERFLOW_I;
    /// The product of two integers, modulo 2 to the width.
    ArithMuli "arith.muli" Elementwise pure commutative combines(mul Int(1)), OVERFLOW_I;
    /// The quotient of two signed integers, rounded towards zero.
    ArithDivsi "arith.divsi" Elementwise pure divides(signed), EXACT_I;
    /// The quotient of two unsigned integers, rounded down.
    ArithDivui "arith.divui" Elementwise pure divides(unsigned), EXACT_I;
    /// The quotient of two signed integers, rounded up.
    ArithCeildivsi "arith.ceildivsi" Elementwise pure divides(signed), BINARY_I;
    /// The quotient of two unsigned integers, rounded up.
    ArithCeildivui "arith.ceildivui" Elementwise pure divides(unsigned), BINARY_I;
    /// The quotient of two signed integers, rounded down.
    ArithFloordivsi "arith.floordivsi" Elementwise pure divides(signed), BINARY_I;
    /// The remainder of `arith.divsi`; it has the sign of the dividend.
    ArithRemsi "arith.remsi" Elementwise pure divides(signed), BINARY_I;
    /// The remainder of `arith.divui`.
    ArithRemui "arith.remui" Elementwise pure divides(unsigned), BINARY_I;
    /// The bitwise and.
    ArithAndi "arith.andi" Elementwise pure commutative combines(and Int(-1)), BINARY_I;
    /// The bitwise or.
    ArithOri "arith.ori" Elementwise pure commutative combines(or Int(0)), BINARY_I;
    /// The bitwise exclusive or.
    ArithXori "arith.xori" Elementwise pure commutative combines(xor Int(0)), BINARY_I;
    /// Shifts bits to the left; poison from the width on.
    ArithShli "arith.shli" Elementwise pure, OVERFLOW_I;
    /// Shifts bits to the right and repeats the sign; poison from the width on.
    ArithShrsi "arith.shrsi" Elementwise pure, EXACT_I;
    /// Shifts bits to the right and fills with zeros; poison from the width on.
    ArithShrui "arith.shrui" Elementwise pure, EXACT_I;
    /// The larger of two signed integers.
    ArithMaxsi "arith.maxsi" Elementwise pure commutative combines(maxsi Least), BINARY_I;
    /// The larger of two unsigned integers.
    ArithMaxui "arith.maxui" Elementwise pure commutative combines(maxui Int(0)), BINARY_I;
    /// The smaller of two signed integers.
    ArithMinsi "arith.minsi" Elementwise pure commutative combines(minsi Greatest), BINARY_I;
    /// The smaller of two unsigned integers.
    ArithMinui "arith.minui" Elementwise pure commutative combines(minui Int(-1)), BINARY_I;
    /// Compares two integers by a predicate.
    ArithCmpi "arith.cmpi" Elementwise pure, form(
        "T intlike; lhs T, rhs T -> result bool(T)",
        "predicate:@cmpi",
        "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)",
    );
    /// Compares two floats by a predicate, ordered or unordered.
    ArithCmpf "arith.cmpf" Elementwise pure, form(
        "T floatlike; lhs T, rhs T -> result bool(T)",
        "predicate:@cmpf fastmath:arith.fastmath=none",
        "$predicate `,` $lhs `,` $rhs (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($lhs)",
    );
    /// One of two values, by a condition.
    ArithSelect "arith.select" Elementwise pure, by_hand(
        "T any; condition any, true_value T, false_value T -> result T",
        "",
    );
    /// Converts a float to a wider type, exactly.
    ArithExtf "arith.extf" Elementwise pure, form(
        "T floatlike, U floatlike; in T -> out U",
        "fastmath:arith.fastmath",
        "$in (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($in) `to` type($out)",
    );
    /// Rounds a float to a narrower type.
    ArithTruncf "arith.truncf" Elementwise pure, form(
        "T floatlike, U floatlike; in T -> out U",
        "roundingmode:@rounding fastmath:arith.fastmath",
        "$in ($roundingmode^)? (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($in) `to` type($out)",
    );
    /// Widens an integer and repeats the sign.
    ArithExtsi "arith.extsi" Elementwise pure, CAST_INT;
    /// Widens an integer with zeros.
    ArithExtui "arith.extui" Elementwise pure, form(
        "in fixedint -> out fixedint",
        "nonNeg:unit",
        "$in (`nneg` $nonNeg^)? attr-dict `:` type($in) `to` type($out)",
    );
    /// The low bits of an integer.
    ArithTrunci "arith.trunci" Elementwise pure, form(
        "in fixedint -> out fixedint",
        "overflowFlags:arith.overflow=none",
        "$in (`overflow` `<` $overflowFlags^ `>`)? attr-dict `:` type($in) `to` type($out)",
    );
    /// Rounds a signed integer to a float.
    ArithSitofp "arith.sitofp" Elementwise pure, CAST_TO_F;
    /// Rounds an unsigned integer to a float.
    ArithUitofp "arith.uitofp" Elementwise pure, form(
        "in fixedint -> out floatlike",
        "nonNeg:unit",
        "$in (`nneg` $nonNeg^)? attr-dict `:` type($in) `to` type($out)",
    );
    /// Truncates a float to a signed integer; poison if it does not fit.
    ArithFptosi "arith.fptosi" Elementwise pure, CAST_FROM_F;
    /// Truncates a float to an unsigned integer; poison if it does not fit.
    ArithFptoui "arith.fptoui" Elementwise pure, CAST_FROM_F;
    /// Converts between `index` and an integer, as signed numbers.
    ArithIndexCast "arith.index_cast" Elementwise pure, CAST_INDEX;
    /// Converts between `index` and an integer, as unsigned numbers.
    ArithIndexCastui "arith.index_castui" Elementwise pure, CAST_INDEX;
    /// Reads the bits as a type of the same width.
    ArithBitcast "arith.bitcast" Elementwise pure, form(
        "in bits -> out bits",
        "",
        "$in attr-dict `:` type($in) `to` type($out)",
    );
    /// The sum of two unsigned integers, and whether it overflows.
    ArithAdduiExtended "arith.addui_extended" Opaque pure, form(
        "T intlike; lhs T, rhs T -> sum! T, overflow! bool(T)",
        "",
        "$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)",
    );
    /// The low and the high half of the product of two signed integers.
    ArithMulsiExtended "arith.mulsi_extended" Opaque pure, WIDE_MUL_I;
    /// The low and the high half of the product of two unsigned integers.
    ArithMuluiExtended "arith.mului_extended" Opaque pure, WIDE_MUL_I;
    /// Widens a float and multiplies it by a power of two.
    ArithScalingExtf "arith.scaling_extf" Elementwise pure, form(
        "in floatlike, scale floatlike -> out floatlike",
        "fastmath:arith.fastmath",
        "$in `,` $scale (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($in) `,` type($scale) `to` type($out)",
    );
    /// Divides a float by a power of two and rounds it to a narrower type.
    ArithScalingTruncf "arith.scaling_truncf" Elementwise pure, form(
        "in floatlike, scale floatlike -> out floatlike",
        "roundingmode:@rounding fastmath:arith.fastmath",
        "$in `,` $scale ($roundingmode^)? (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($in) `,` type($scale) `to` type($out)",
    );
}
