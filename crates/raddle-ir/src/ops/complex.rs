//! Rows of `complex`: complex numbers.

use super::forms::*;

dialect! { Complex:
    ComplexCreate "complex.create" Opaque pure, form(
        "C any; real elem(C), imaginary elem(C) -> complex C",
        "",
        "$real `,` $imaginary attr-dict `:` type($complex)",
    );
    ComplexConstant "complex.constant" Opaque pure, form(
        "-> complex any",
        "value",
        "$value attr-dict `:` type($complex)",
    );
    ComplexRe "complex.re" Opaque pure, COMPLEX_PART;
    ComplexIm "complex.im" Opaque pure, COMPLEX_PART;
    ComplexAbs "complex.abs" Opaque pure, COMPLEX_PART;
    ComplexAngle "complex.angle" Opaque pure, COMPLEX_PART;
    ComplexAdd "complex.add" Opaque pure, COMPLEX_BINARY;
    ComplexSub "complex.sub" Opaque pure, COMPLEX_BINARY;
    ComplexMul "complex.mul" Opaque pure, COMPLEX_BINARY;
    ComplexPow "complex.pow" Opaque pure, COMPLEX_BINARY;
    ComplexPowi "complex.powi" Opaque pure, form(
        "T any; lhs T, rhs fixedint -> result T",
        "fastmath:arith.fastmath",
        "$lhs `,` $rhs (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($result) `,` type($rhs)",
    );
    ComplexAtan2 "complex.atan2" Opaque pure, COMPLEX_BINARY;
    ComplexDiv "complex.div" Opaque pure, COMPLEX_BINARY;
    ComplexNeg "complex.neg" Opaque pure, COMPLEX_UNARY;
    ComplexConj "complex.conj" Opaque pure, COMPLEX_UNARY;
    ComplexExp "complex.exp" Opaque pure, COMPLEX_UNARY;
    ComplexExpm1 "complex.expm1" Opaque pure, COMPLEX_UNARY;
    ComplexLog "complex.log" Opaque pure, COMPLEX_UNARY;
    ComplexLog1p "complex.log1p" Opaque pure, COMPLEX_UNARY;
    ComplexSqrt "complex.sqrt" Opaque pure, COMPLEX_UNARY;
    ComplexRsqrt "complex.rsqrt" Opaque pure, COMPLEX_UNARY;
    ComplexSin "complex.sin" Opaque pure, COMPLEX_UNARY;
    ComplexCos "complex.cos" Opaque pure, COMPLEX_UNARY;
    ComplexTan "complex.tan" Opaque pure, COMPLEX_UNARY;
    ComplexTanh "complex.tanh" Opaque pure, COMPLEX_UNARY;
    ComplexSign "complex.sign" Opaque pure, COMPLEX_UNARY;
    ComplexEq "complex.eq" Opaque pure, form(
        "T any; lhs T, rhs T -> result i1",
        "",
        "$lhs `,` $rhs attr-dict `:` type($lhs)",
    );
    ComplexNeq "complex.neq" Opaque pure, form(
        "T any; lhs T, rhs T -> result i1",
        "",
        "$lhs `,` $rhs attr-dict `:` type($lhs)",
    );
    ComplexBitcast "complex.bitcast" Opaque pure, RETYPE;
}
