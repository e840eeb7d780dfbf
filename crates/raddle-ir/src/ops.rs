//! The op table: one row for each operation that the compiler knows.
//!
//! The rows of this crate are those that passes, emulator and emitters ask for, and those whose assembly is written by
//! hand. Rows that are only read, checked and printed stand in `raddle-dialects`, which adds them to the table by
//! [`load`].
//!
//! Modules match on [`Class`] first, so that a new elementwise operation costs a row here, an arm in the emulator and
//! one in each printer, and a new class breaks the build in every module that must think about it.

#[macro_use]
mod host;
#[macro_use]
mod hal;
#[macro_use]
mod llvm;
#[macro_use]
mod gpu;
#[macro_use]
mod scripts;
#[macro_use]
mod around;
#[macro_use]
mod iree;
#[macro_use]
mod tensors;
mod forms;
mod loaded;

use crate::form::{Form, Shape, form};
use crate::ids::OpId;
use crate::ir::Ir;
use crate::verify::Check;
use forms::*;
pub use loaded::load;
pub(crate) use loaded::{OfRows, is_loaded, shape as loaded_shape};

/// What an operation is to the passes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// A module: holds functions.
    Module,
    /// A function.
    Function,
    /// Leaves a region with values.
    Yield,
    /// A constant.
    Constant,
    /// Acts on each element alone; scalars too.
    Elementwise,
    /// Repeats a value along new or unit dimensions.
    Broadcast,
    /// Reorders dimensions.
    Transpose,
    /// Same elements, other shape.
    Reshape,
    /// Combines elements along dimensions.
    Reduce,
    /// Multiplies and combines along dimensions.
    Contract,
    /// Reads memory (or a tensor) into a value.
    Read,
    /// Writes a value into memory (or a tensor).
    Write,
    /// Takes a part out of a value, or puts one in.
    Slice,
    /// Makes a mask.
    Mask,
    /// A structured operation on tensors or memrefs: `linalg`.
    Structured,
    /// A new tensor without contents.
    Empty,
    /// A loop.
    Loop,
    /// A branch with regions.
    Branch,
    /// Allocates memory.
    Alloc,
    /// A view of memory, or a fact about one.
    View,
    /// Makes threads wait for one another.
    Barrier,
    /// Anchors or converts a layout.
    Layout,
    /// Index arithmetic in affine form.
    Index,
    /// Which thread, subgroup or workgroup this is.
    Id,
    /// Moves or combines values between the lanes of a subgroup.
    Shuffle,
    /// A matrix instruction.
    Matrix,
    /// A call of a function.
    Call,
    /// Anything else: kept, printed, not compiled.
    Opaque,
}

/// What a row states besides operands, results and assembly.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Trait {
    /// Only computes its results: an unused operation may be removed, and equal ones may be merged.
    Pure,
    /// The two operands may be exchanged. Float operations do not have it: the order may decide which NaN results.
    Commutative,
    /// Combines two elements into one, as the `vector.kind` of this name does; the other one is what changes nothing.
    Combines(&'static str, Neutral),
    /// Divides: undefined if the last operand is 0, and, for [`Division::Signed`], if the quotient overflows.
    Divides(Division),
    /// Reads the memory (or tensor) in the operand group of this name.
    Reads(&'static str),
    /// Writes the memory in the operand group of this name, or makes a new tensor from it.
    Writes(&'static str),
    /// Allocates memory.
    Allocates,
    /// Waits for other threads or for copies, or orders the operations around it.
    Waits,
    /// Nothing inside sees the values outside.
    Isolated,
    /// Names are looked up among the operations inside.
    Symbols,
    /// Nothing comes behind it, whatever it stands in.
    Stops,
}

/// The element that changes nothing, whatever it is combined with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Neutral {
    /// A float.
    Float(f64),
    /// The least float of the type, which is an infinity where the type has one.
    LeastFloat,
    /// The greatest float of the type.
    GreatestFloat,
    /// An integer.
    Int(i128),
    /// The least signed integer of the type.
    Least,
    /// The greatest signed integer of the type.
    Greatest,
}

impl Neutral {
    /// Whether it is an element of float types.
    pub fn is_float(self) -> bool {
        match self {
            Neutral::Float(_) | Neutral::LeastFloat | Neutral::GreatestFloat => true,
            Neutral::Int(_) | Neutral::Least | Neutral::Greatest => false,
        }
    }
}

/// How a division reads its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Division {
    /// As two's complement numbers.
    Signed,
    /// As natural numbers.
    Unsigned,
}

/// One row of the table.
pub struct OpInfo {
    /// With the dialect, as in `arith.addf`.
    pub name: &'static str,
    /// As the row's comment gives it, with the space in front: [`OpInfo::doc`] is without.
    pub comment: &'static str,
    /// What it is to the passes.
    pub class: Class,
    /// What else holds of it.
    pub traits: &'static [Trait],
    /// Operands, results, attributes and assembly.
    pub form: Form,
    /// What no row can state, for rows that are loaded; this crate's have theirs in `verify/`.
    pub rule: Option<fn(&Ir, OpId) -> Check>,
}

impl OpInfo {
    /// What the operation does, in one sentence; empty for operations that are read and printed only.
    pub fn doc(&self) -> &'static str {
        self.comment.trim_start()
    }

    /// Whether the operation only computes its results. A pure operation may still divide by zero.
    pub fn is_pure(&self) -> bool {
        self.traits.contains(&Trait::Pure)
    }

    /// Whether the operation computes its results from operands and memory, and changes nothing.
    pub fn only_reads(&self) -> bool {
        !self.traits.is_empty() && self.traits.iter().all(|t| matches!(t, Trait::Reads(_)))
    }

    /// Whether an operation whose results are unused may be removed: it changes nothing that others see. A read that
    /// would have failed goes with its answer.
    pub fn only_gives_results(&self) -> bool {
        self.is_pure() || self.only_reads() || self.traits == [Trait::Allocates]
    }

    /// Whether the two operands may be exchanged.
    pub fn is_commutative(&self) -> bool {
        self.traits.contains(&Trait::Commutative)
    }

    /// The `vector.kind` by which the operation combines elements, and its neutral element, if it does.
    pub fn combines(&self) -> Option<(&'static str, Neutral)> {
        self.traits
            .iter()
            .find_map(|t| if let Trait::Combines(kind, neutral) = t { Some((*kind, *neutral)) } else { None })
    }

    /// How the operation divides, if it does.
    pub fn division(&self) -> Option<Division> {
        self.traits.iter().find_map(|t| if let Trait::Divides(division) = t { Some(*division) } else { None })
    }
}

/// Rows of the table, as a list: what it is, the name, the class, words for traits, operands with assembly, and perhaps
/// a rule for the verifier.
///
/// ```
/// use raddle_ir::form::form;
///
/// static ROWS: &[raddle_ir::ops::OpInfo] = raddle_ir::rows! {
///     /// Waits until all threads of the cluster are here.
///     "demo.wait" Opaque waits, form("->", "aligned:unit", "attr-dict");
/// };
/// assert_eq!(ROWS[0].doc(), "Waits until all threads of the cluster are here.");
/// ```
#[macro_export]
macro_rules! rows {
    ($($(#[doc = $doc:literal])* $name:literal $class:ident $($word:ident $(($($argument:tt)*))?)*, $form:expr $(, $rule:path)?;)*) => {
        &[$($crate::ops::OpInfo {
            name: $name,
            comment: concat!($($doc)*),
            class: $crate::ops::Class::$class,
            traits: &[$($crate::rows!(@trait $word $(($($argument)*))?)),*],
            form: $form,
            rule: $crate::rows!(@rule $($rule)?),
        },)*]
    };
    (@rule) => { None };
    (@rule $rule:path) => { Some($rule) };
    (@trait pure) => { $crate::ops::Trait::Pure };
    (@trait commutative) => { $crate::ops::Trait::Commutative };
    (@trait combines($kind:ident $neutral:ident $(($value:expr))?)) => {
        $crate::ops::Trait::Combines(stringify!($kind), $crate::ops::Neutral::$neutral $(($value))?)
    };
    (@trait divides(signed)) => { $crate::ops::Trait::Divides($crate::ops::Division::Signed) };
    (@trait divides(unsigned)) => { $crate::ops::Trait::Divides($crate::ops::Division::Unsigned) };
    (@trait reads($group:ident)) => { $crate::ops::Trait::Reads(stringify!($group)) };
    (@trait writes($group:ident)) => { $crate::ops::Trait::Writes(stringify!($group)) };
    (@trait allocates) => { $crate::ops::Trait::Allocates };
    (@trait waits) => { $crate::ops::Trait::Waits };
    (@trait isolated) => { $crate::ops::Trait::Isolated };
    (@trait symbols) => { $crate::ops::Trait::Symbols };
    (@trait stops) => { $crate::ops::Trait::Stops };
}

/// The rows of this crate, each with the name of its opcode.
macro_rules! ops {
    ($($(#[doc = $doc:literal])* $opcode:ident $name:literal $class:ident $($word:ident $(($($argument:tt)*))?)*, $form:expr;)*) => {
        /// An operation's row in the table.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs, reason = "the table has the names")]
        pub enum Opcode {
            $($(#[doc = $doc])* $opcode,)*
            /// Not in the table.
            Unregistered,
            /// A row that was loaded: only read, checked and printed.
            Loaded(u16),
        }

        /// The opcodes without the number that one of them carries.
        #[repr(u16)]
        enum Place {
            $($opcode,)*
            Unregistered,
            Loaded,
        }

        impl Opcode {
            /// One more for each arm, so that nothing is left of the match.
            pub(crate) fn tag(self) -> usize {
                match self {
                    $(Opcode::$opcode => Place::$opcode as usize,)*
                    Opcode::Unregistered => Place::Unregistered as usize,
                    Opcode::Loaded(_) => Place::Loaded as usize,
                }
            }
        }

        /// The rows of this crate, in the order of [`Opcode`].
        pub(crate) static OPS: &[OpInfo] = rows! {
            $($(#[doc = $doc])* $name $class $($word $(($($argument)*))?)*, $form;)*
            "" Opaque, OPAQUE;
        };

        static OPCODES: &[Opcode] = &[$(Opcode::$opcode,)* Opcode::Unregistered];

        static SPELLINGS: &[&str] = &[$(stringify!($opcode),)* "Unregistered"];
    };
}

with_tensor_rows! {
    // builtin, func
    /// A list of functions and other symbols.
    BuiltinModule "builtin.module" Module isolated symbols, by_hand("-> {}", "sym_name sym_visibility");
    /// Reads values as values of other types until a conversion is complete.
    BuiltinUnrealizedConversionCast "builtin.unrealized_conversion_cast" Opaque pure, form(
        "inputs* any -> outputs* any",
        "",
        "($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict",
    );
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

    // arith
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

    // math
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

    // index
    /// The sum of two indices.
    IndexAdd "index.add" Opaque pure commutative, INDEX_BINARY;
    /// The bitwise and.
    IndexAnd "index.and" Opaque pure commutative, INDEX_BINARY;
    /// The signed quotient, rounded up.
    IndexCeildivs "index.ceildivs" Opaque pure divides(signed), INDEX_BINARY;
    /// The unsigned quotient, rounded up.
    IndexCeildivu "index.ceildivu" Opaque pure divides(unsigned), INDEX_BINARY;
    /// The signed quotient, rounded towards zero.
    IndexDivs "index.divs" Opaque pure divides(signed), INDEX_BINARY;
    /// The unsigned quotient, rounded down.
    IndexDivu "index.divu" Opaque pure divides(unsigned), INDEX_BINARY;
    /// The signed quotient, rounded down.
    IndexFloordivs "index.floordivs" Opaque pure divides(signed), INDEX_BINARY;
    /// The larger of two signed indices.
    IndexMaxs "index.maxs" Opaque pure commutative, INDEX_BINARY;
    /// The larger of two unsigned indices.
    IndexMaxu "index.maxu" Opaque pure commutative, INDEX_BINARY;
    /// The smaller of two signed indices.
    IndexMins "index.mins" Opaque pure commutative, INDEX_BINARY;
    /// The smaller of two unsigned indices.
    IndexMinu "index.minu" Opaque pure commutative, INDEX_BINARY;
    /// The product of two indices.
    IndexMul "index.mul" Opaque pure commutative, INDEX_BINARY;
    /// The bitwise or.
    IndexOr "index.or" Opaque pure commutative, INDEX_BINARY;
    /// The signed remainder; it has the sign of the dividend.
    IndexRems "index.rems" Opaque pure divides(signed), INDEX_BINARY;
    /// The unsigned remainder.
    IndexRemu "index.remu" Opaque pure divides(unsigned), INDEX_BINARY;
    /// Shifts bits to the left.
    IndexShl "index.shl" Opaque pure, INDEX_BINARY;
    /// Shifts bits to the right and repeats the sign.
    IndexShrs "index.shrs" Opaque pure, INDEX_BINARY;
    /// Shifts bits to the right and fills with zeros.
    IndexShru "index.shru" Opaque pure, INDEX_BINARY;
    /// The difference of two indices.
    IndexSub "index.sub" Opaque pure, INDEX_BINARY;
    /// The bitwise exclusive or.
    IndexXor "index.xor" Opaque pure commutative, INDEX_BINARY;
    /// Converts between `index` and an integer, as signed numbers.
    IndexCasts "index.casts" Opaque pure, RETYPE;
    /// Converts between `index` and an integer, as unsigned numbers.
    IndexCastu "index.castu" Opaque pure, RETYPE;
    /// Compares two indices by a predicate.
    IndexCmp "index.cmp" Opaque pure, form(
        "lhs index, rhs index -> result i1",
        "pred:index.cmp_predicate",
        "$pred `(` $lhs `,` $rhs `)` attr-dict",
    );
    /// An index known at compile time.
    IndexConstant "index.constant" Opaque pure, form("-> result index", "value:index", "attr-dict $value");
    /// A condition known at compile time.
    IndexBoolConstant "index.bool.constant" Opaque pure, form("-> result i1", "value:bool", "attr-dict $value");
    /// The width of `index` in bits.
    IndexSizeof "index.sizeof" Opaque pure, form("-> result index", "", "attr-dict");

    // ub
    /// A value of which nothing may be assumed.
    UbPoison "ub.poison" Constant pure, form("-> result any", "value:of(ub.poison)=ub.poison", "attr-dict (`<` $value^ `>`)? `:` type($result)");
    /// Is never executed.
    UbUnreachable "ub.unreachable" Opaque stops, NULLARY;

    // scf
    /// A loop from a lower to an upper bound; carried values pass from iteration to iteration.
    ScfFor "scf.for" Loop, by_hand(
        "T intlike; lowerBound T, upperBound T, step T, initArgs* any -> results* any {scf.yield}",
        "unsignedCmp:unit",
    );
    /// A loop whose iterations are independent; a mapping says which workgroups, subgroups or threads execute them.
    ScfForall "scf.forall" Loop, by_hand(
        "dynamicLowerBound* index, dynamicUpperBound* index, dynamicStep* index, outputs* any -> results* any {scf.forall.in_parallel}",
        "staticLowerBound staticUpperBound staticStep mapping",
    );
    /// Puts together what the iterations of an `scf.forall` made.
    ScfForallInParallel "scf.forall.in_parallel" Yield, by_hand("-> {}", "");
    /// Executes one of two regions, by a condition.
    ScfIf "scf.if" Branch, by_hand("condition i1 -> results* any {scf.yield}{?scf.yield}", "");
    /// Leaves a region of a loop or a branch with values.
    ScfYield "scf.yield" Yield, YIELD;
    /// Executes its second region as long as its first region says so.
    ScfWhile "scf.while" Loop, by_hand("inits* any -> results* any {scf.condition}{scf.yield}", "");
    /// Ends the first region of an `scf.while`: whether to go on, and the values that are passed.
    ScfCondition "scf.condition" Opaque, form("condition i1, args* any ->", "", "`(` $condition `)` attr-dict ($args^ `:` type($args))?");
    /// Executes a region once.
    ScfExecuteRegion "scf.execute_region" Branch, by_hand("-> results* any {*scf.yield}", "no_inline:unit");
    /// A loop nest whose iterations are independent, with reductions.
    ScfParallel "scf.parallel" Opaque, by_hand(
        "lowerBound* index, upperBound* index, step* index, initVals* any -> results* any {~scf.reduce}",
        "",
    );
    /// Combines values of the iterations of an `scf.parallel`.
    ScfReduce "scf.reduce" Opaque, by_hand("operands* any -> {+scf.reduce.return}", "");
    /// Leaves a region of an `scf.reduce` with the combined value.
    ScfReduceReturn "scf.reduce.return" Opaque, form("result any ->", "", "$result attr-dict `:` type($result)");
    /// Executes one of several regions, by an index.
    ScfIndexSwitch "scf.index_switch" Branch, by_hand("arg index -> results* any {+~scf.yield}", "cases");

    // cf
    /// Stops with a message if a condition does not hold.
    CfAssert "cf.assert" Opaque, form("arg i1 ->", "msg", "$arg `,` $msg attr-dict");
    /// Stops the kernel if an index along a dimension of a buffer is below 0 or not below the extent.
    RaddleCheckIndex "raddle.check_index" Opaque, form(
        "index index, extent index ->",
        "dimension:i32",
        "$index `,` $extent `along` $dimension attr-dict",
    );
    /// Continues in another block.
    CfBr "cf.br" Opaque, by_hand("destOperands* any ->", "");
    /// Continues in one of two blocks, by a condition.
    CfCondBr "cf.cond_br" Opaque, by_hand(
        "condition i1, trueDestOperands* any, falseDestOperands* any ->",
        "branch_weights",
    );
    /// Continues in one of several blocks, by an integer.
    CfSwitch "cf.switch" Opaque, by_hand("flag any, defaultOperands* any, caseOperands* any ->", "case_values case_operand_segments");

    // memref
    /// Allocates a buffer.
    MemrefAlloc "memref.alloc" Alloc allocates, form(
        "dynamicSizes* index, symbolOperands* index -> alloc! memref",
        "alignment:i64",
        "`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? (`alignment` `=` $alignment^)? attr-dict `:` type($alloc)",
    );
    /// Allocates a buffer that lives as long as the region around it.
    MemrefAlloca "memref.alloca" Alloc allocates, form(
        "dynamicSizes* index, symbolOperands* index -> alloca! memref",
        "alignment:i64",
        "`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? (`alignment` `=` $alignment^)? attr-dict `:` type($alloca)",
    );
    /// States the alignment of a buffer in bytes.
    MemrefAssumeAlignment "memref.assume_alignment" Opaque, form(
        "M memref; memref M -> assume_align! M",
        "alignment:i32{+}",
        "$memref `,` $alignment attr-dict `:` type($memref)",
    );
    /// Combines a value with an element atomically; the result is the old element.
    MemrefAtomicRmw "memref.atomic_rmw" Opaque reads(memref) writes(memref), form(
        "M memref; value elem(M), memref M, indices* index -> result elem(M)",
        "kind:@rmw",
        "$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)` `->` type($result)",
    );
    /// Replaces an element atomically by what a region computes from it.
    MemrefGenericAtomicRmw "memref.generic_atomic_rmw" Opaque, form(
        "M memref; memref M, indices* index -> result elem(M) {memref.atomic_yield}",
        "",
        "$memref `[` $indices `]` `:` type($memref) region0 attr-dict",
    );
    /// Leaves the region of a `memref.generic_atomic_rmw` with the new element.
    MemrefAtomicYield "memref.atomic_yield" Opaque, form("result any ->", "", "$result attr-dict `:` type($result)");
    /// The same buffer with a type that knows more or less of its shape.
    MemrefCast "memref.cast" Opaque pure, form("source any -> cast! any", "", "$source attr-dict `:` type($source) `to` type($cast)");
    /// A view that merges neighbouring dimensions.
    MemrefCollapseShape "memref.collapse_shape" Opaque pure, form(
        "src any -> collapse_shape! any",
        "reassociation",
        "$src $reassociation attr-dict `:` type($src) `into` type($collapse_shape)",
    );
    /// Copies one buffer into another.
    MemrefCopy "memref.copy" Opaque reads(source) writes(target), form(
        "source any, target any ->",
        "",
        "$source `,` $target attr-dict `:` type($source) `to` type($target)",
    );
    /// Frees at its end what `memref.alloca` allocates inside.
    MemrefAllocaScope "memref.alloca_scope" Opaque, form(
        "-> results* any {~memref.alloca_scope.return}",
        "",
        "arrow($results) region0 attr-dict",
    );
    /// Leaves a `memref.alloca_scope` with values.
    MemrefAllocaScopeReturn "memref.alloca_scope.return" Opaque, form("results* any ->", "", "attr-dict ($results^ `:` type($results))?");
    /// Starts a copy by a copy engine.
    MemrefDmaStart "memref.dma_start" Opaque, by_hand("operands* any ->", "");
    /// Waits for a copy by a copy engine.
    MemrefDmaWait "memref.dma_wait" Opaque, form(
        "tagMemRef memref, tagIndices* index, numElements index ->",
        "",
        "$tagMemRef `[` $tagIndices `]` `,` $numElements attr-dict `:` type($tagMemRef)",
    );
    /// States that buffers do not overlap.
    MemrefDistinctObjects "memref.distinct_objects" Opaque pure, form(
        "operands* memref -> results* same(operands)",
        "",
        "$operands attr-dict `:` type($operands)",
    );
    /// Brings an element into a cache.
    MemrefPrefetch "memref.prefetch" Opaque, form(
        "memref memref, indices* index ->",
        "isWrite:@rw localityHint:i32{0..3} isDataCache:@cache",
        "$memref `[` $indices `]` `,` $isWrite `,` `locality` `<` $localityHint `>` `,` $isDataCache attr-dict `:` type($memref)",
    );
    /// A buffer of another size with the old contents.
    MemrefRealloc "memref.realloc" Opaque, form(
        "source memref, dynamicResultSize? index -> result memref",
        "alignment:i64",
        "$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type($result)",
    );
    /// Frees a buffer.
    MemrefDealloc "memref.dealloc" Opaque writes(memref), form("memref any ->", "", "$memref attr-dict `:` type($memref)");
    /// The extent of a dimension of a buffer.
    MemrefDim "memref.dim" Opaque pure, DIM;
    /// A view that splits dimensions.
    MemrefExpandShape "memref.expand_shape" Opaque pure, form(
        "src any, output_shape* index -> expand_shape! any",
        "reassociation static_output_shape",
        "$src $reassociation `output_shape` mixed(static_output_shape, output_shape) attr-dict `:` type($src) `into` type($expand_shape)",
    );
    /// The address of a buffer.
    MemrefExtractAlignedPointerAsIndex "memref.extract_aligned_pointer_as_index" Opaque pure, form(
        "source any -> intptr! index",
        "",
        "$source `:` type($source) `->` type($intptr) attr-dict",
    );
    /// The base, offset, extents and strides of a buffer.
    MemrefExtractStridedMetadata "memref.extract_strided_metadata" Opaque pure, form(
        "source any -> base_buffer! any, offset! index, strides* index",
        "",
        "$source `:` type($source) `->` type($base_buffer) `,` type($offset) (`,` type($strides)^)? attr-dict",
    );
    /// A buffer of the module, by its name.
    MemrefGetGlobal "memref.get_global" Opaque pure, form("-> result any", "name", "$name `:` type($result) attr-dict");
    /// A buffer of the module.
    MemrefGlobal "memref.global" Opaque, by_hand(
        "->",
        "sym_name:name sym_visibility:visibility type initial_value constant:unit alignment:i64",
    );
    /// The same buffer with another memory space in its type.
    MemrefMemorySpaceCast "memref.memory_space_cast" Opaque pure, form(
        "source any -> memspacecast! any",
        "",
        "$source attr-dict `:` type($source) `to` type($memspacecast)",
    );
    /// The number of dimensions of a buffer.
    MemrefRank "memref.rank" Opaque pure, form("memref any -> rank! index", "", "$memref attr-dict `:` type($memref)");
    /// The same memory with another offset, extents and strides.
    MemrefReinterpretCast "memref.reinterpret_cast" View pure, form(
        "source any, offsets* index, sizes* index, strides* index -> reinterpret_cast! any",
        SLICE_ATTRS,
        "$source `to` `offset` `` `:` mixed(static_offsets, offsets) `` `,` `sizes` `` `:` mixed(static_sizes, sizes) `` `,` `strides` `` `:` mixed(static_strides, strides) attr-dict `:` type($source) `to` type($reinterpret_cast)",
    );
    /// A view of another shape, which a buffer gives.
    MemrefReshape "memref.reshape" Opaque pure, form(
        "source any, shape any -> reshape! any",
        "",
        "$source `(` $shape `)` attr-dict `:` functional-type",
    );
    /// A view with permuted dimensions.
    MemrefTranspose "memref.transpose" Opaque pure, by_hand("in any -> transpose! any", "permutation");
    /// A view of a buffer of bytes as a buffer of another type.
    MemrefView "memref.view" Opaque pure, form(
        "source any, byte_shift index, sizes* index -> view! any",
        "",
        "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type($view)",
    );
    /// Reads an element.
    MemrefLoad "memref.load" Read reads(memref), form(
        "M memref; memref M, indices* index -> result elem(M)",
        "nontemporal:bool alignment:i64",
        "$memref `[` $indices `]` (`alignment` `(` $alignment^ `)`)? (`nontemporal` `(` $nontemporal^ `)`)? attr-dict `:` type($memref)",
    );
    /// Writes an element.
    MemrefStore "memref.store" Write writes(memref), form(
        "M memref; value elem(M), memref M, indices* index ->",
        "nontemporal:bool alignment:i64",
        "$value `,` $memref `[` $indices `]` (`alignment` `(` $alignment^ `)`)? (`nontemporal` `(` $nontemporal^ `)`)? attr-dict `:` type($memref)",
    );
    /// A view of a rectangle of a buffer, with steps.
    MemrefSubview "memref.subview" View pure, by_hand(
        "source memref, offsets* index, sizes* index, strides* index -> subview! memref",
        SLICE_ATTRS,
    );

    // vector
    /// Reads a rectangle of memory or of a tensor; elements out of bounds or masked off are padding.
    VectorTransferRead "vector.transfer_read" Read reads(base), by_hand(
        "B shaped; base B, indices* index, padding any, mask? vector -> vector vector",
        "permutation_map in_bounds",
    );
    /// Writes a vector to a rectangle of memory or of a tensor; what is out of bounds or masked off is not written.
    VectorTransferWrite "vector.transfer_write" Write writes(base), by_hand(
        "V vector; valueToStore V, base shaped, indices* index, mask? vector -> result? tensor",
        "permutation_map in_bounds",
    );
    /// Reads consecutive elements.
    VectorLoad "vector.load" Read reads(base), form(
        "base memref, indices* index -> result vector",
        "nontemporal:bool alignment:i64",
        "$base `[` $indices `]` (`alignment` `=` $alignment^)? (`nontemporal` `=` $nontemporal^)? attr-dict `:` type($base) `,` type($result)",
    );
    /// Writes consecutive elements.
    VectorStore "vector.store" Write writes(base), form(
        "valueToStore vector, base memref, indices* index ->",
        "nontemporal:bool alignment:i64",
        "$valueToStore `,` $base `[` $indices `]` (`alignment` `=` $alignment^)? (`nontemporal` `=` $nontemporal^)? attr-dict `:` type($base) `,` type($valueToStore)",
    );
    /// Repeats a value along new or unit dimensions.
    VectorBroadcast "vector.broadcast" Broadcast pure, form(
        "source any -> vector vector",
        "",
        "$source attr-dict `:` type($source) `to` type($vector)",
    );
    /// Permutes dimensions.
    VectorTranspose "vector.transpose" Transpose pure, form(
        "vector vector -> result vector",
        "permutation:dense",
        "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)",
    );
    /// The same elements in row-major order in another shape.
    VectorShapeCast "vector.shape_cast" Reshape pure, form(
        "source vector -> result vector",
        "",
        "$source attr-dict `:` type($source) `to` type($result)",
    );
    /// Elements of two vectors, by constant positions.
    VectorShuffle "vector.shuffle" Opaque pure, by_hand("v1 vector, v2 vector -> vector vector", "mask:dense");
    /// Puts a vector of fixed length into a scalable one.
    VectorScalableInsert "vector.scalable.insert" Opaque pure, form(
        "D vector; valueToStore vector, dest D -> result D",
        "pos:i64",
        "$valueToStore `,` $dest `[` $pos `]` attr-dict `:` type($valueToStore) `into` type($dest)",
    );
    /// Takes a vector of fixed length out of a scalable one.
    VectorScalableExtract "vector.scalable.extract" Opaque pure, form(
        "source vector -> result vector",
        "pos:i64",
        "$source `[` $pos `]` attr-dict `:` type($result) `from` type($source)",
    );
    /// Combines elements along dimensions, and with an accumulator.
    VectorMultiReduction "vector.multi_reduction" Reduce pure, form(
        "D any; source vector, acc D -> dest D",
        "kind:<vector.kind> reduction_dims:dense",
        "$kind `,` $source `,` $acc $reduction_dims attr-dict `:` type($source) `to` type($dest)",
    );
    /// Multiplies two vectors and combines the products along dimensions, and with an accumulator.
    VectorContract "vector.contract" Contract pure, by_hand(
        "A any; lhs vector, rhs vector, acc A -> result A",
        "indexing_maps iterator_types kind fastmath:arith.fastmath=none",
    );
    /// Takes an element or a slice out, by position.
    VectorExtract "vector.extract" Slice pure, by_hand(
        "source vector, dynamic_position* index -> result any",
        "static_position",
    );
    /// Puts an element or a slice in, by position.
    VectorInsert "vector.insert" Slice pure, by_hand(
        "D vector; valueToStore any, dest D, dynamic_position* index -> result D",
        "static_position",
    );
    /// Takes a rectangle out.
    VectorExtractStridedSlice "vector.extract_strided_slice" Slice pure, by_hand(
        "source vector -> result vector",
        "offsets sizes strides",
    );
    /// Puts a rectangle in.
    VectorInsertStridedSlice "vector.insert_strided_slice" Slice pure, by_hand(
        "D vector; valueToStore vector, dest D -> result D",
        "offsets strides",
    );
    /// A vector of given elements.
    VectorFromElements "vector.from_elements" Slice pure, form(
        "V vector; elements* elem(V) -> dest V",
        "",
        "$elements attr-dict `:` type($dest)",
    );
    /// All elements of a vector.
    VectorToElements "vector.to_elements" Slice pure, by_hand("V vector; source V -> elements* elem(V)", "");
    /// The product of two vectors plus a third, rounded once.
    VectorFma "vector.fma" Elementwise pure, form(
        "T floatlike; lhs T, rhs T, acc T -> result T",
        "",
        "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)",
    );
    /// The numbers 0, 1, 2 and so on.
    VectorStep "vector.step" Constant pure, form("-> result vector", "", "attr-dict `:` type($result)");
    /// Reads the bits of the last dimension as elements of another width.
    VectorBitcast "vector.bitcast" Slice pure, form(
        "source vector -> result vector",
        "",
        "$source attr-dict `:` type($source) `to` type($result)",
    );
    /// Alternates the elements of two vectors.
    VectorInterleave "vector.interleave" Slice pure, form(
        "T vector; lhs T, rhs T -> result vector",
        "",
        "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)",
    );
    /// The elements at even and those at odd positions.
    VectorDeinterleave "vector.deinterleave" Slice pure, form(
        "R vector; source vector -> res1! R, res2! R",
        "",
        "$source attr-dict `:` type($source) `->` type($res1)",
    );
    /// Reads elements at indices that a vector gives.
    VectorGather "vector.gather" Read reads(base), form(
        "base any, offsets* index, indices vector, mask vector, pass_thru vector -> result vector",
        "alignment:i64",
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru (`alignment` `=` $alignment^)? attr-dict `:` type($base) `,` type($indices) `,` type($mask) `,` type($pass_thru) `into` type($result)",
    );
    /// Writes elements to indices that a vector gives.
    VectorScatter "vector.scatter" Write writes(base), form(
        "base any, offsets* index, indices vector, mask vector, valueToStore vector -> result? any",
        "alignment:i64",
        "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $valueToStore (`alignment` `=` $alignment^)? attr-dict `:` type($base) `,` type($indices) `,` type($mask) `,` type($valueToStore) (`->` type($result)^)?",
    );
    /// Reads consecutive elements where a mask is set.
    VectorMaskedload "vector.maskedload" Read reads(base), MASKED_LOAD;
    /// Writes consecutive elements where a mask is set.
    VectorMaskedstore "vector.maskedstore" Write writes(base), MASKED_STORE;
    /// Reads consecutive elements into the positions where a mask is set.
    VectorExpandload "vector.expandload" Opaque reads(base), MASKED_LOAD;
    /// Writes the elements where a mask is set, one behind the other.
    VectorCompressstore "vector.compressstore" Opaque writes(base), MASKED_STORE;
    /// Executes one operation under a mask.
    VectorMask "vector.mask" Opaque, by_hand("mask vector, passthru? any -> results* any {~vector.yield}", "");
    /// Leaves a region with vectors.
    VectorYield "vector.yield" Opaque, YIELD;
    /// The products of all elements of one vector with those of another, combined with an accumulator.
    VectorOuterproduct "vector.outerproduct" Opaque pure, by_hand("lhs vector, rhs any, acc? any -> result vector", "kind:<vector.kind>=add");
    /// Combines all elements of a vector of one dimension.
    VectorReduction "vector.reduction" Opaque pure, form(
        "T any; vector vector, acc? T -> dest T",
        "kind:<vector.kind> fastmath:arith.fastmath=none",
        "$kind `,` $vector (`,` $acc^)? (`fastmath` `<` $fastmath^ `>`)? attr-dict `:` type($vector) `into` type($dest)",
    );
    /// Combines each element along a dimension with those before it.
    VectorScan "vector.scan" Reduce pure, form(
        "S vector, I vector; source S, initial_value I -> dest! S, accumulated_value! I",
        "kind:<vector.kind> reduction_dim:i64 inclusive:bool",
        "$kind `,` $source `,` $initial_value (`reduction_dim` `=` $reduction_dim^ `,` `inclusive` `=` $inclusive)? attr-dict `:` type($source) `,` type($initial_value)",
    );
    /// The factor of scalable vectors.
    VectorVscale "vector.vscale" Opaque pure, form("-> vscale! index", "", "attr-dict");
    /// Reads a buffer as a buffer of one vector.
    VectorTypeCast "vector.type_cast" Opaque pure, form(
        "memref any -> result any",
        "",
        "$memref attr-dict `:` type($memref) `to` type($result)",
    );
    /// Prints a value.
    VectorPrint "vector.print" Opaque, form("source? any ->", "punctuation:<vector.punctuation>=newline stringLiteral", "($source^ `:` type($source))? (`str` $stringLiteral^)? (`punctuation` $punctuation^)? attr-dict");
    /// A mask that is set below a bound in each dimension.
    VectorCreateMask "vector.create_mask" Mask pure, form(
        "operands* index -> result vector",
        "",
        "$operands attr-dict `:` type($result)",
    );
    /// A mask that is set below a constant bound in each dimension.
    VectorConstantMask "vector.constant_mask" Mask pure, form(
        "-> result vector",
        "mask_dim_sizes:dense",
        "$mask_dim_sizes attr-dict `:` type($result)",
    );

    // affine
    /// An affine map of indices.
    AffineApply "affine.apply" Index pure, by_hand("mapOperands* index -> result index", "map");
    /// The row-major number of a position.
    AffineLinearizeIndex "affine.linearize_index" Index pure, by_hand(
        "multi_index* indexlike, dynamic_basis* index -> linear_index indexlike",
        "static_basis disjoint:unit=false",
    );
    /// The position of a row-major number.
    AffineDelinearizeIndex "affine.delinearize_index" Index pure, by_hand(
        "linear_index indexlike, dynamic_basis* index -> multi_index* indexlike",
        "static_basis",
    );
    /// The largest result of an affine map.
    AffineMax "affine.max" Index pure, by_hand("operands* index -> result index", "map");
    /// The smallest result of an affine map.
    AffineMin "affine.min" Index pure, by_hand("operands* index -> result index", "map");
    /// A loop with affine bounds.
    AffineFor "affine.for" Opaque, by_hand(
        "lowerBoundOperands* index, upperBoundOperands* index, inits* any -> results* any {~affine.yield}",
        "lowerBoundMap upperBoundMap step:index",
    );
    /// Executes one of two regions, by affine conditions.
    AffineIf "affine.if" Opaque, by_hand("operands* index -> results* any {~affine.yield}{?~affine.yield}", "condition");
    /// Reads an element at affine indices.
    AffineLoad "affine.load" Opaque, by_hand("M memref; memref M, indices* index -> result elem(M)", "map");
    /// Writes an element at affine indices.
    AffineStore "affine.store" Opaque, by_hand("M memref; value elem(M), memref M, indices* index ->", "map");
    /// Reads consecutive elements at affine indices.
    AffineVectorLoad "affine.vector_load" Opaque, by_hand("memref memref, indices* index -> result vector", "map");
    /// Writes consecutive elements at affine indices.
    AffineVectorStore "affine.vector_store" Opaque, by_hand("value vector, memref memref, indices* index ->", "map");
    /// Leaves a region with values.
    AffineYield "affine.yield" Opaque, YIELD;
    /// A loop nest with affine bounds whose iterations are independent.
    AffineParallel "affine.parallel" Opaque, by_hand(
        "mapOperands* index -> results* any {~affine.yield}",
        "reductions lowerBoundsMap lowerBoundsGroups upperBoundsMap upperBoundsGroups steps",
    );
    /// Brings an element at affine indices into a cache.
    AffinePrefetch "affine.prefetch" Opaque, by_hand(
        "memref memref, indices* index ->",
        "map isWrite:bool localityHint:i32 isDataCache:bool",
    );
    AffineDmaStart "affine.dma_start" Opaque, by_hand("operands* any ->", "src_map dst_map tag_map");
    AffineDmaWait "affine.dma_wait" Opaque, by_hand("operands* any ->", "tag_map");

    // gpu
    /// The position of the thread in its workgroup.
    GpuThreadId "gpu.thread_id" Id pure, GPU_ID;
    /// The position of the workgroup in the grid.
    GpuBlockId "gpu.block_id" Id pure, GPU_ID;
    /// The position of the thread in its subgroup.
    GpuLaneId "gpu.lane_id" Id pure, form(
        "-> result index",
        "upper_bound:index",
        "(`upper_bound` $upper_bound^)? attr-dict",
    );
    /// The number of the subgroup in its workgroup.
    GpuSubgroupId "gpu.subgroup_id" Id pure, GPU_COUNT;
    /// Waits until all threads of the workgroup are here; earlier accesses are visible to all.
    GpuBarrier "gpu.barrier" Barrier waits, form(
        "namedBarrier? any ->",
        "address_spaces scope:<gpu.barrier_scope>=workgroup",
        "(`memfence` $address_spaces^)? (`scope` $scope^)? (`named` `(` $namedBarrier^ `:` type($namedBarrier) `)`)? attr-dict",
    );
    /// Makes a barrier for a number of subgroups.
    GpuInitializeNamedBarrier "gpu.initialize_named_barrier" Opaque, form(
        "member_count i32 -> result any",
        "",
        "$member_count attr-dict `:` type($member_count) `->` type($result)",
    );
    /// The lanes of the subgroup where a predicate holds, as bits.
    GpuBallot "gpu.ballot" Shuffle, form("predicate i1 -> result any", "", "$predicate attr-dict `:` type($result)");
    /// The extent of the workgroup.
    GpuBlockDim "gpu.block_dim" Opaque pure, GPU_ID;
    /// The position of the thread in the grid.
    GpuGlobalId "gpu.global_id" Opaque pure, GPU_ID;
    /// The extent of the grid, in workgroups.
    GpuGridDim "gpu.grid_dim" Opaque pure, GPU_ID;
    /// The number of subgroups in the workgroup.
    GpuNumSubgroups "gpu.num_subgroups" Opaque pure, GPU_COUNT;
    /// The number of lanes in a subgroup.
    GpuSubgroupSize "gpu.subgroup_size" Opaque pure, GPU_COUNT;
    /// Combines a value over the workgroup.
    GpuAllReduce "gpu.all_reduce" Opaque isolated, form(
        "T intorfloat; value T -> result T {?gpu.yield}",
        "op:gpu.all_reduce_op uniform:unit",
        "($op^)? $value (`uniform` $uniform^)? region0 attr-dict `:` functional-type",
    );
    /// Leaves a region with values.
    GpuYield "gpu.yield" Opaque, form("values* any ->", "", "attr-dict ($values^ `:` type($values))?");
    /// Prints text and numbers from a thread.
    GpuPrintf "gpu.printf" Opaque, form("args* any ->", "format", "$format attr-dict (`,` $args^ `:` type($args))?");
    /// Moves a value to another lane by a constant distance, around.
    GpuRotate "gpu.rotate" Opaque, form(
        "T numbers; value T -> rotateResult! T, valid! i1",
        "offset:i32{0..} width:i32{2^}",
        "$value `,` $offset `,` $width attr-dict `:` type($value)",
    );
    /// The value of one lane in all lanes.
    GpuSubgroupBroadcast "gpu.subgroup_broadcast" Opaque, form(
        "T any; src T, lane? i32 -> result T",
        "broadcast_type:gpu.broadcast",
        "$src `,` $broadcast_type ($lane^)? attr-dict `:` type($result)",
    );
    /// Multiplies two matrices that a subgroup holds, and adds a third.
    GpuSubgroupMmaCompute "gpu.subgroup_mma_compute" Opaque pure, form(
        "C any; opA any, opB any, opC C -> res C",
        "a_transpose:unit b_transpose:unit",
        "$opA `,` $opB `,` $opC attr-dict `:` type($opA) `,` type($opB) `->` type($res)",
    );
    /// A matrix that a subgroup holds, filled with a value.
    GpuSubgroupMmaConstantMatrix "gpu.subgroup_mma_constant_matrix" Opaque pure, by_hand("value numbers -> res !gpu.mma_matrix<>", "");
    /// Computes elementwise on matrices that a subgroup holds.
    GpuSubgroupMmaElementwise "gpu.subgroup_mma_elementwise" Opaque pure, form(
        "args* any -> res any",
        "opType:gpu.mma_element_wise",
        "$opType $args attr-dict `:` functional-type",
    );
    /// Reads a matrix into a subgroup.
    GpuSubgroupMmaLoadMatrix "gpu.subgroup_mma_load_matrix" Opaque reads(srcMemref), form(
        "srcMemref memref, indices* index -> res any",
        "leadDimension:index transpose:unit",
        "$srcMemref `[` $indices `]` (`leadDimension` $leadDimension^)? (`transpose` $transpose^)? attr-dict `:` type($srcMemref) `->` type($res)",
    );
    /// Writes a matrix of a subgroup.
    GpuSubgroupMmaStoreMatrix "gpu.subgroup_mma_store_matrix" Opaque writes(dstMemref), form(
        "src any, dstMemref memref, indices* index ->",
        "leadDimension:index transpose:unit",
        "$src `,` $dstMemref `[` $indices `]` (`leadDimension` $leadDimension^)? (`transpose` $transpose^)? attr-dict `:` type($src) `,` type($dstMemref)",
    );
    /// Executes a region on the first lane, and distributes its results.
    GpuWarpExecuteOnLane0 "gpu.warp_execute_on_lane_0" Opaque, by_hand(
        "laneid index, args* any -> results* any {~gpu.yield}",
        "warp_size:i64",
    );
    /// The value of another lane of the subgroup.
    GpuShuffle "gpu.shuffle" Shuffle, form(
        "T numbers; value T, offset i32, width i32 -> shuffleResult! T, valid! i1",
        "mode:gpu.shuffle_mode",
        "$mode $value `,` $offset `,` $width attr-dict `:` type($value)",
    );
    /// Combines a value over the subgroup, or over clusters of its lanes.
    GpuSubgroupReduce "gpu.subgroup_reduce" Shuffle, form(
        "T numbers; value T -> result T",
        "op:gpu.all_reduce_op uniform:unit cluster_size:i32 cluster_stride:i32=1",
        "$op $value (`uniform` $uniform^)? (`cluster` `(` `size` `=` $cluster_size^ (`,` `stride` `=` $cluster_stride^)? `)`)? attr-dict `:` functional-type",
    );

    // matrix instructions
    /// Multiplies two fragments of a subgroup and adds a third, by one matrix instruction.
    NvgpuMmaSync "nvgpu.mma.sync" Matrix pure, by_hand(
        "C vector; matrixA vector, matrixB vector, matrixC C -> res C",
        "mmaShape tf32Enabled:unit",
    );
    // Upstream has it on descriptors only, as `nvvm.wgmma.mma_async`.
    /// Multiplies a tile, or a fragment of four subgroups, by a tile in shared memory, by one asynchronous instruction.
    NvgpuWgmma "nvgpu.wgmma" Matrix reads(lhs) reads(rhs), form(
        "lhs any, lhsIndex? index, rhs memref, rhsIndex index, acc vector -> res any",
        "mmaShape lhsTile rhsTile",
        "$lhs (`[` $lhsIndex^ `]`)? `,` $rhs `[` $rhsIndex `]` `,` $acc attr-dict `:` type($lhs) `,` type($rhs) `,` type($acc) `->` type($res)",
    );
    /// Multiplies two fragments of a subgroup and adds a third, by one MFMA instruction.
    AmdgpuMfma "amdgpu.mfma" Matrix pure, by_hand(
        "C mfmasum; sourceA mfma, sourceB mfma, destC C -> destD C",
        "m:i32{4/16/32} n:i32{4/16/32} k:i32{1/2/4/8/16/32/64/128} blocks:i32{1/2/4/16} cbsz:i32 abid:i32 blgp:amdgpu.mfma_perm_b reducePrecision:unit negateA:unit negateB:unit negateC:unit",
    );
    /// An MFMA instruction whose factors have a scale for each block.
    AmdgpuScaledMfma "amdgpu.scaled_mfma" Matrix pure, by_hand(
        "C 4/16xf32; sourceA scaled, sourceB scaled, destC C, scalesA scales, scalesB scales -> destD C",
        "m:i32{16/32} n:i32{16/32} k:i32{64/128} scalesIdxA:i32{..3} scalesIdxB:i32{..3}",
    );
    /// An MFMA instruction whose first factor stores half of its elements.
    AmdgpuSparseMfma "amdgpu.sparse_mfma" Matrix pure, by_hand(
        "C 4/16xf32|4/16xi32; sourceA sparse, sourceB dense, destC C, sparseIdx fixed4xi8|fixed2xi16|i32 -> destD C",
        "m:i32{16/32} n:i32{16/32} k:i32{16/32/64/128} cbsz:i32=0 abid:i32=0",
    );
    /// Multiplies two fragments of a subgroup and adds a third, by one WMMA instruction.
    AmdgpuWmma "amdgpu.wmma" Matrix pure, by_hand(
        "C wmmasum; sourceA wmma, sourceB wmma, destC C -> destD C",
        "m:i32{16} n:i32{16} k:i32{4/16/32/64/128} subwordOffset:i32{0/1}=0 unsignedA:unit unsignedB:unit clamp:unit",
    );
    /// Allocates barriers in shared memory.
    NvgpuMbarrierCreate "nvgpu.mbarrier.create" Opaque, form("-> barriers !nvgpu.mbarrier.group<>", "", "attr-dict `->` type($barriers)");
    /// Sets how many arrivals complete a phase of a barrier.
    NvgpuMbarrierInit "nvgpu.mbarrier.init" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, count index, mbarId index, predicate? i1 ->",
        "",
        "$barriers `[` $mbarId `]` `,` $count (`,` `predicate` `=` $predicate^)? attr-dict `:` type($barriers)",
    );
    /// Arrives at a barrier; the result is the phase.
    NvgpuMbarrierArrive "nvgpu.mbarrier.arrive" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, mbarId index -> token !nvgpu.mbarrier.token",
        "",
        "$barriers `[` $mbarId `]` attr-dict `:` type($barriers) `->` type($token)",
    );
    /// Arrives several times at a barrier without completing its phase.
    NvgpuMbarrierArriveNocomplete "nvgpu.mbarrier.arrive.nocomplete" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, mbarId index, count index -> token !nvgpu.mbarrier.token",
        "",
        "$barriers `[` $mbarId `]` `,` $count attr-dict `:` type($barriers) `->` type($token)",
    );
    /// Arrives at a barrier and announces bytes that copies will bring.
    NvgpuMbarrierArriveExpectTx "nvgpu.mbarrier.arrive.expect_tx" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, txcount index, mbarId index, predicate? i1 ->",
        "",
        "$barriers `[` $mbarId `]` `,` $txcount (`,` `predicate` `=` $predicate^)? attr-dict `:` type($barriers)",
    );
    /// Whether a phase of a barrier is complete.
    NvgpuMbarrierTestWait "nvgpu.mbarrier.test.wait" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, token !nvgpu.mbarrier.token, mbarId index -> waitComplete i1",
        "",
        "$barriers `[` $mbarId `]` `,` $token attr-dict `:` type($barriers) `,` type($token)",
    );
    /// Waits until the phase of a parity is complete.
    NvgpuMbarrierTryWaitParity "nvgpu.mbarrier.try_wait.parity" Opaque, form(
        "barriers !nvgpu.mbarrier.group<>, phaseParity i1, ticks index, mbarId index ->",
        "",
        "$barriers `[` $mbarId `]` `,` $phaseParity `,` $ticks attr-dict `:` type($barriers)",
    );
    /// A descriptor of a tensor in global memory and of the boxes that are copied.
    NvgpuTmaCreateDescriptor "nvgpu.tma.create.descriptor" Opaque, form(
        "tensor any, boxDimensions* index -> tensorMap !nvgpu.tensormap.descriptor<>",
        "",
        "$tensor `box` `[` $boxDimensions `]` attr-dict `:` type($tensor) `->` type($tensorMap)",
    );
    /// Brings a descriptor into the cache.
    NvgpuTmaPrefetchDescriptor "nvgpu.tma.prefetch.descriptor" Opaque, form(
        "tensorMapDescriptor !nvgpu.tensormap.descriptor<>, predicate? i1 ->",
        "",
        "$tensorMapDescriptor (`,` `predicate` `=` $predicate^)? attr-dict `:` type($tensorMapDescriptor)",
    );
    /// Starts a copy of a box from global to shared memory.
    NvgpuTmaAsyncLoad "nvgpu.tma.async.load" Opaque, form(
        "dst any, barriers !nvgpu.mbarrier.group<>, tensorMapDescriptor !nvgpu.tensormap.descriptor<>, coordinates* index, mbarId index, multicastMask? any, predicate? i1 ->",
        "",
        "$tensorMapDescriptor `[` $coordinates `]` `,` $barriers `[` $mbarId `]` `to` $dst (`,` `predicate` `=` $predicate^)? attr-dict `:` type($tensorMapDescriptor) `,` type($barriers) `->` type($dst)",
    );
    /// Starts an asynchronous copy from global to shared memory.
    NvgpuDeviceAsyncCopy "nvgpu.device_async_copy" Opaque reads(src) writes(dst), form(
        "dst any, dstIndices* index, src any, srcIndices* index, srcElements? index -> asyncToken !nvgpu.device.async.token",
        "dstElements:index bypassL1:unit",
        "$src `[` $srcIndices `]` `,` $dst `[` $dstIndices `]` `,` $dstElements (`,` $srcElements^)? (`bypassL1` $bypassL1^)? attr-dict `:` type($src) `to` type($dst)",
    );
    /// Makes a group of the asynchronous copies since the last group.
    NvgpuDeviceAsyncCreateGroup "nvgpu.device_async_create_group" Opaque waits, form(
        "inputTokens* !nvgpu.device.async.token -> asyncToken !nvgpu.device.async.token",
        "",
        "$inputTokens attr-dict",
    );
    NvvmBarrier "nvvm.barrier" Opaque, form(
        "barrierId? i32, numberOfThreads? i32 ->",
        "aligned:bool=?true",
        "(`id` `=` $barrierId^)? (`number_of_threads` `=` $numberOfThreads^)? attr-dict",
    );
    NvvmBarrierArrive "nvvm.barrier.arrive" Opaque, form(
        "barrierId? i32, numberOfThreads i32 ->",
        "aligned:bool=true",
        "(`id` `=` $barrierId^)? `number_of_threads` `=` $numberOfThreads attr-dict",
    );
    NvvmVoteSync "nvvm.vote.sync" Opaque, form(
        "mask i32, pred i1 -> res any",
        "kind:nvvm.vote_sync_kind",
        "$kind $mask `,` $pred attr-dict `->` type($res)",
    );
    NvvmCpAsyncCommitGroup "nvvm.cp.async.commit.group" Opaque waits, NULLARY;
    NvvmCpAsyncWaitGroup "nvvm.cp.async.wait.group" Opaque waits, form("->", "n:i32", "$n attr-dict");
    RocdlBallot "rocdl.ballot" Opaque, form("pred i1 -> res any", "", "$pred attr-dict `:` type($res)");
    RocdlAsyncmark "rocdl.asyncmark" Opaque waits, NULLARY;
    RocdlWaitAsyncmark "rocdl.wait.asyncmark" Opaque waits, form("->", "count:i16", "$count attr-dict");
    /// Waits until at most a number of groups of asynchronous copies is pending.
    NvgpuDeviceAsyncWait "nvgpu.device_async_wait" Opaque waits, form(
        "asyncDependencies !nvgpu.device.async.token ->",
        "numGroups:i32",
        "$asyncDependencies (`numGroups` `=` $numGroups^)? attr-dict",
    );
    /// Reads 8 x 8 matrices from shared memory into the fragments of a subgroup.
    NvgpuLdmatrix "nvgpu.ldmatrix" Matrix reads(srcMemref), form(
        "srcMemref any, indices* index -> res any",
        "numTiles:i32 transpose:bool",
        "$srcMemref `[` $indices `]` (`numTiles` `=` $numTiles^ `transpose` `=` $transpose)? attr-dict `:` type($srcMemref) `->` type($res)",
    );
    // The same the other way. Upstream has it on pointers only, as `nvvm.stmatrix`.
    /// Writes 8 x 8 matrices from the fragments of a subgroup to shared memory.
    NvgpuStmatrix "nvgpu.stmatrix" Matrix writes(dstMemref), form(
        "value vector, dstMemref any, indices* index ->",
        "transpose:bool",
        "$value `,` $dstMemref `[` $indices `]` attr-dict `:` type($value) `,` type($dstMemref)",
    );
    /// Starts a copy from global memory, one address for each lane, to consecutive shared memory.
    AmdgpuGatherToLds "amdgpu.gather_to_lds" Opaque reads(src) writes(dst), form(
        "src any, srcIndices* index, dst any, dstIndices* index ->",
        "transferType async:unit",
        "(`async` $async^)? $src `[` $srcIndices `]` `,` $dst `[` $dstIndices `]` attr-dict `:` $transferType `,` type($src) `,` type($dst)",
    );
    /// The same memory through a buffer descriptor that checks bounds.
    AmdgpuFatRawBufferCast "amdgpu.fat_raw_buffer_cast" Opaque pure, form(
        "source memref, validBytes? i64, cacheSwizzleStride? i14 -> result any",
        "boundsCheck:bool=true resetOffset:unit",
        "$source (`validBytes` `(` $validBytes^ `)`)? (`cacheSwizzleStride` `(` $cacheSwizzleStride^ `)`)? (`boundsCheck` `(` $boundsCheck^ `)`)? (`resetOffset` $resetOffset^)? attr-dict `:` type($source) `to` type($result)",
    );
    /// Reads a matrix from shared memory, transposed among the lanes.
    AmdgpuTransposeLoad "amdgpu.transpose_load" Opaque reads(src), TRANSPOSE_LOAD;
    /// Reads a matrix from global memory, transposed among the lanes.
    AmdgpuGlobalTransposeLoad "amdgpu.global_transpose_load" Opaque reads(src), TRANSPOSE_LOAD;
    /// A barrier that orders shared memory only.
    AmdgpuLdsBarrier "amdgpu.lds_barrier" Opaque waits, NULLARY;
    /// Keeps the instruction scheduler from moving kinds of instructions across.
    AmdgpuSchedBarrier "amdgpu.sched_barrier" Opaque waits, form("->", "opts:rocdl.sched_group_mask=none", "`allow` `=` $opts attr-dict");
    /// The value of another lane, whose number is computed by bit masks.
    AmdgpuSwizzleBitmode "amdgpu.swizzle_bitmode" Opaque pure, form(
        "T numbers; src T -> result T",
        "and_mask:i32 or_mask:i32 xor_mask:i32",
        "$src $and_mask $or_mask $xor_mask attr-dict `:` type($result)",
    );
    RocdlBarrier "rocdl.barrier" Opaque waits, NULLARY;
    RocdlSBarrier "rocdl.s.barrier" Opaque waits, NULLARY;
    RocdlSchedBarrier "rocdl.sched.barrier" Opaque waits, form("->", "mask:i32", "$mask attr-dict");
    RocdlSSetprio "rocdl.s.setprio" Opaque waits, form("->", "priority:i16", "$priority attr-dict");

    // iree_vector_ext
    /// Requires a layout of a vector: an anchor, or a conversion.
    IreeVectorExtToLayout "iree_vector_ext.to_layout" Layout pure, form(
        "T shaped; input T -> output T",
        "layout shared_memory_conversion",
        "$input `to` `layout` `(` $layout `)` attr-dict `:` type($input)",
    );
    /// One thread's vectors as a vector of the whole workgroup.
    IreeVectorExtToSimd "iree_vector_ext.to_simd" Layout pure, form(
        "input vector -> output vector",
        "",
        "$input attr-dict `:` type($input) `->` type($output)",
    );
    /// A vector of the whole workgroup as one thread's vectors.
    IreeVectorExtToSimt "iree_vector_ext.to_simt" Layout pure, form(
        "input vector -> output vector",
        "",
        "$input attr-dict `:` type($input) `->` type($output)",
    );
    /// Reads elements whose indices vectors give along some dimensions.
    IreeVectorExtTransferGather "iree_vector_ext.transfer_gather" Read reads(base), form(
        "B shaped; base B, offsets* index, index_vecs* indexlike, padding elem(B), mask? any -> vector vector",
        "indexing_maps",
        "$base `[` $offsets `]` (`[` $index_vecs^ `:` type($index_vecs) `]`)? `,` $padding (`,` $mask^)? attr-dict `:` type($base) `,` type($vector) (`,` type($mask)^)?",
    );
    /// Writes elements whose indices vectors give along some dimensions.
    IreeVectorExtTransferScatter "iree_vector_ext.transfer_scatter" Write writes(base), form(
        "base shaped, vector vector, offsets* index, index_vecs* indexlike, mask? any -> result? shaped",
        "indexing_maps",
        "$vector `into` $base `[` $offsets `]` (`[` $index_vecs^ `:` type($index_vecs) `]`)? (`,` $mask^)? attr-dict `:` type($vector) `,` type($base) (`,` type($mask)^)? (`->` type($result)^)?",
    );
    /// The best element along a dimension by a comparison, and its index.
    IreeVectorExtArgCompare "iree_vector_ext.arg_compare" Reduce pure, form(
        "input_value vector, input_index? vector, init_value vector, init_index vector, index_base? index -> result_value! vector, result_index! vector {~iree_vector_ext.yield}",
        "dimension:i64",
        "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input_value (`,` $input_index^)? `:` type($input_value) (`,` type($input_index)^)? `)` `inits` `(` $init_value `,` $init_index `:` type($init_value) `,` type($init_index) `)` (`index_base` `(` $index_base^ `:` type($index_base) `)`)? region0 `->` type($result_value) `,` type($result_index)",
    );
    /// Leaves a region with values.
    IreeVectorExtYield "iree_vector_ext.yield" Yield, YIELD;
}

/// Derived, this would be an arm for each row, in each crate that prints one.
impl std::fmt::Debug for Opcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Opcode::Loaded(_) => self.name(),
            own => SPELLINGS[own.tag()],
        })
    }
}

impl Opcode {
    /// The row of the table.
    pub fn info(self) -> &'static OpInfo {
        match self {
            Opcode::Loaded(row) => loaded::row(row),
            own => &OPS[own.tag()],
        }
    }

    /// The row's place in the table: those of this crate, what is not in it, those that are loaded.
    pub(crate) fn place(self) -> usize {
        match self {
            Opcode::Loaded(row) => OPS.len() + usize::from(row),
            own => own.tag(),
        }
    }

    /// The operation's name with its dialect; empty for [`Opcode::Unregistered`].
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Whether an attribute of this name belongs to the operation, and is not one that somebody left on it.
    pub fn has_property(self, name: &str) -> bool {
        Shape::of(self).inherent(name).is_some()
    }

    /// Whether the operations inside may use values that others define further on: a module runs in no order, and an
    /// operation outside the table may be another such.
    pub fn orders_nothing(self) -> bool {
        matches!(self, Opcode::BuiltinModule | Opcode::GpuModule | Opcode::Unregistered)
    }

    /// Whether the operation goes on in other blocks.
    pub fn is_branch(self) -> bool {
        matches!(
            self,
            Opcode::CfBr
                | Opcode::CfCondBr
                | Opcode::CfSwitch
                | Opcode::PcfBrCondReturn
                | Opcode::LlvmBr
                | Opcode::LlvmCondBr
                | Opcode::LlvmSwitch
        )
    }

    /// Whether nothing inside sees the values outside.
    pub fn is_isolated(self) -> bool {
        self.info().traits.contains(&Trait::Isolated)
    }

    /// Whether names are looked up among the operations inside.
    pub fn is_symbol_table(self) -> bool {
        self.info().traits.contains(&Trait::Symbols)
    }

    /// Whether nothing comes behind the operation, whatever it stands in.
    pub fn is_stop(self) -> bool {
        self.info().traits.contains(&Trait::Stops)
    }

    /// What stands in front of the first `.` of the name.
    pub fn dialect(self) -> &'static str {
        let name = self.name();
        &name[..name.bytes().position(|byte| byte == b'.').unwrap_or(name.len())]
    }

    /// What the operation is to the passes.
    pub fn class(self) -> Class {
        self.info().class
    }

    /// Every row of the table, with those that are loaded.
    pub fn all() -> impl Iterator<Item = Opcode> {
        Opcode::places().filter(|&opcode| opcode != Opcode::Unregistered)
    }

    /// The same, and what is not in the table, in the order of [`Opcode::place`].
    pub(crate) fn places() -> impl Iterator<Item = Opcode> {
        OPCODES.iter().copied().chain(loaded::opcodes())
    }

    /// The operation that combines elements as a `vector.kind` does, for floats or for integers.
    pub fn combining(kind: &str, is_float: bool) -> Option<Opcode> {
        let combines = |opcode: &Opcode| {
            opcode.info().combines().is_some_and(|(name, neutral)| name == kind && neutral.is_float() == is_float)
        };
        OPCODES.iter().copied().find(combines)
    }

    /// The row with this name.
    pub fn from_name(name: &str) -> Option<Opcode> {
        use std::sync::LazyLock;

        use rustc_hash::FxHashMap;
        // Looked up for each operation that is read, never walked.
        static BY_NAME: LazyLock<FxHashMap<&'static str, Opcode>> = LazyLock::new(|| {
            let known = OPCODES.iter().filter(|&&opcode| opcode != Opcode::Unregistered);
            known.map(|&opcode| (opcode.name(), opcode)).collect()
        });
        BY_NAME.get(name).copied().or_else(|| loaded::from_name(name))
    }
}

/// Every row of the table, with those that are loaded.
pub fn all() -> impl Iterator<Item = &'static OpInfo> {
    Opcode::all().map(Opcode::info)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a row reads and writes is one of its operand groups.
    #[test]
    fn effects_name_operands() {
        for opcode in Opcode::all() {
            for effect in opcode.info().traits {
                if let Trait::Reads(name) | Trait::Writes(name) = effect {
                    let is_there = Shape::of(opcode).operands.iter().any(|group| group.name == *name);
                    assert!(is_there, "{} has no operand `{name}`", opcode.name());
                }
            }
        }
    }
}
